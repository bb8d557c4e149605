#!/usr/bin/env python3
"""`berth prep` as users rely on it: files, names, notes, rejects, exit codes.

    test_prep.py BIN
"""
import csv
import json

import berth_cli
import molecules
from test_raw_dock import needs_both, needs_rdkit, GEMMI


class Command(berth_cli.Case):
    def test_help(self):
        for words in (["prep", "--help"], ["prep", "ligand", "--help"], ["prep", "receptor", "-h"], ["help", "prep"]):
            result = self.berth(*words)
            self.assert_well(result)
            self.assertIn("Usage: berth prep", result.stdout)

    def test_wrong_use(self):
        self.assert_refused(self.berth("prep", "ligands"), "ligand")
        self.assert_refused(self.berth("prep", "ligand", "-o", "x"), "no ligand")
        self.assert_refused(self.berth("prep", "ligand", "a.sdf"), "-o")
        self.assert_refused(self.berth("prep", "ligand", "a.sdf", "-o", "x", "--format", "mol2"), "mol2", "pdbqt")
        self.assert_refused(self.berth("prep", "ligand", "--ligand-from", "LIG", "-o", "x"), "-r")
        self.assert_refused(self.berth("prep", "receptor", "-o", "x"), "no receptor")
        self.assert_refused(self.berth("prep", "receptor", "-r", "a.pdbqt", "-o", "x"), "a.pdbqt", ".pdb")
        self.assert_refused(self.berth("prep", "receptor", "-r", "a.pdb", "b.pdb", "-o", "x"), "b.pdb")


@needs_rdkit
class Ligands(berth_cli.Case):
    def rows(self, name):
        return list(csv.DictReader((self.folder / name).read_text().splitlines()))

    def test_folder(self):
        self.write("a.sdf", molecules.ethanol("one") + molecules.broken() + molecules.salt())
        result = self.berth("prep", "ligand", "a.sdf", "-o", "out", "--format", "pdbqt,sdf")
        self.assert_well(result, code=2)
        self.assertEqual(self.files(), ["notes.csv", "one.pdbqt", "one.sdf", "rejects.csv", "salt.pdbqt", "salt.sdf"])
        self.assertEqual([row["ligand"] for row in self.rows("out/rejects.csv")], ["broken"])
        self.assertEqual({row["ligand"] for row in self.rows("out/notes.csv")}, {"salt"})
        self.assertIn("2 ligands prepared, 1 rejected", result.stdout)
        text = (self.folder / "out/one.pdbqt").read_text()
        for word in ("REMARK SMILES CCO", "REMARK SMILES IDX", "REMARK H PARENT", "ROOT", "TORSDOF 1"):
            self.assertIn(word, text)
        self.assert_well(self.berth("score", "-r", "receptor.pdbqt", "-l", "out/one.pdbqt"))

    def test_one_file(self):
        self.write("a.sdf", molecules.ethanol())
        self.assert_well(self.berth("prep", "ligand", "-l", "a.sdf", "-o", "x.pdbqt"))
        self.assertIn("ROOT", (self.folder / "x.pdbqt").read_text())
        self.write("b.sdf", molecules.ethanol() * 2)
        self.assert_refused(self.berth("prep", "ligand", "-l", "b.sdf", "-o", "x.pdbqt"), "more than one", "folder")
        self.assert_well(self.berth("prep", "ligand", "-l", "b.sdf", "-o", "all.sdf"))
        self.assertEqual((self.folder / "all.sdf").read_text().count("$$$$"), 2)

    def test_ph(self):
        self.write("a.smi", "CC(=O)O acid\nCCN amine\n")
        lines = {}
        for ph in ("2", "7.4", "12"):
            result = self.berth("prep", "ligand", "a.smi", "-o", "out", "--ph", ph, "--json")
            self.assert_well(result)
            lines[ph] = [json.loads(line)["smiles"] for line in result.stdout.splitlines()]
        self.assertEqual(lines, {"2": ["CC(=O)O", "CC[NH3+]"], "7.4": ["CC(=O)[O-]", "CC[NH3+]"],
                                 "12": ["CC(=O)[O-]", "CCN"]})

    def test_options_reach_the_library(self):
        self.write("a.smi", "CCNC(C)=O a\n")

        def torsions(*words):
            result = self.berth("prep", "ligand", "a.smi", "-o", "out", "--json", *words)
            self.assert_well(result)
            return json.loads(result.stdout)

        self.assertLess(torsions()["torsions"], torsions("--flexible-amides")["torsions"])
        self.assertIn("W", torsions("--hydrated")["types"])
        self.assertIn("H", torsions("--keep-hydrogens")["types"])
        self.assertNotIn("H", torsions()["types"])

    def test_standard_input(self):
        self.assert_well(self.berth("prep", "ligand", "-", "--input-format", "smiles", "-o", "out", input="CCO a\nCCC b\n"))
        self.assertEqual(self.files(), ["a.pdbqt", "b.pdbqt"])


@needs_both
class Receptors(berth_cli.Case):
    def setUp(self):
        super().setUp()
        self.write("p.pdb", molecules.protein(molecules.ligand_residue()))

    def test_files(self):
        result = self.berth("prep", "receptor", "p.pdb", "-o", "out/p.pdbqt", "--delete", "LIG")
        self.assert_refused(result, "out")
        result = self.berth("prep", "receptor", "p.pdb", "-o", "p.pdbqt", "--delete", "LIG", "--pdb")
        self.assert_well(result)
        for name in ("p.pdbqt", "p.prepared.pdb", "p.report.txt", "p.report.json"):
            self.assertTrue((self.folder / name).stat().st_size > 0, name)
            self.assertIn(name, result.stdout)
        report = json.loads((self.folder / "p.report.json").read_text())
        self.assertEqual([r["name"] for r in report["residues"] if r["fate"] == "kept"], ["SER", "GLY", "ALA"])
        self.assert_well(self.berth("score", "-r", "p.pdbqt", "-l", "ligand.pdbqt"))

    def test_flexible(self):
        self.assert_well(self.berth("prep", "receptor", "p.pdb", "-o", "p", "--ligand-from", "LIG", "--flex", "A:SER1"))
        self.assertIn("BEGIN_RES", (self.folder / "p_flex.pdbqt").read_text())
        result = self.dock("--flex", "p_flex.pdbqt", receptor="p.pdbqt")
        self.assert_well(result)

    def test_states(self):
        self.assert_refused(self.berth("prep", "receptor", "p.pdb", "-o", "p", "--delete", "LIG", "--set-state",
                                       "A:2:XYZ"), "XYZ")
        self.assert_refused(self.berth("prep", "receptor", "p.pdb", "-o", "p", "--delete", "LIG", "--set-state",
                                       "A:9:HID"), "A:9")

    def test_missing_atoms(self):
        """A serine without its oxygen is completed with a note, and docked to; --no-rebuild leaves it as it is."""
        lines = molecules.protein().splitlines()
        self.assertEqual(sum(line[12:16].strip() == "OG" for line in lines), 1)
        self.write("cut.pdb", "\n".join(line for line in lines if line[12:16].strip() != "OG") + "\n")

        def oxygens(name):
            return [line for line in (self.folder / name).read_text().splitlines() if line[12:16].strip() == "OG"]

        box = "--center", "0,0,0", "--size", "12,12,12"
        result = self.berth("prep", "receptor", "cut.pdb", "-o", "built", "--pdb")
        self.assert_well(result)
        self.assertIn("1 incomplete side chain rebuilt: A:SER1; --no-rebuild leaves it as it is", result.stderr)
        self.assertIn("rebuilt: OG (chi 1 ", (self.folder / "built.report.txt").read_text())
        for name in ("built.pdbqt", "built.prepared.pdb"):
            self.assertEqual([line[54:60] for line in oxygens(name)], ["  0.00"], name)
        self.assertIn("HG", (self.folder / "built.pdbqt").read_text())
        self.assert_well(self.dock(*box, receptor="cut.pdb"))

        result = self.berth("prep", "receptor", "cut.pdb", "-o", "left", "--no-rebuild")
        self.assert_well(result)
        self.assertIn("A:SER1: atom missing: OG", result.stderr)
        self.assertNotIn("rebuilt", result.stderr + (self.folder / "left.report.txt").read_text())
        self.assertEqual(oxygens("left.pdbqt"), [])
        result = self.dock("--no-rebuild", *box, receptor="cut.pdb", output="out2")
        self.assert_well(result)
        self.assertNotIn("rebuilt", result.stderr)

    def test_ligand_of_the_entry(self):
        result = self.berth("prep", "ligand", "-r", "p.pdb", "--ligand-from", "LIG", "--template", "CCO", "-o", "l.pdbqt")
        self.assert_well(result)
        self.assertIn("REMARK SMILES CCO", (self.folder / "l.pdbqt").read_text())
        self.assert_refused(self.berth("prep", "ligand", "-r", "p.pdb", "--ligand-from", "LIG", "--template", "c1ccccc1",
                                       "-o", "m.pdbqt"), "LIG")


if __name__ == "__main__":
    berth_cli.main()
