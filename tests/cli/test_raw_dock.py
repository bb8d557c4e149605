#!/usr/bin/env python3
"""From raw files to poses: `berth dock`, `score` and `grid` with SDF, SMILES and PDB files.

    test_raw_dock.py BIN
"""
import csv
import gzip
import json
import math
import re

import berth_cli
import molecules
import report_page


def place(line):
    """Coordinates of a line of a PDB or PDBQT file."""
    return [float(line[at:at + 8]) for at in (30, 38, 46)]


def with_chemistry():
    """Was the program built with RDKit, and with gemmi?"""
    case = berth_cli.Case()
    case.setUp()
    try:
        case.write("a.smi", "CCO a\n")
        case.write("p.pdb", molecules.protein())
        ligand = case.berth("prep", "ligand", "a.smi", "-o", "a.pdbqt")
        receptor = case.berth("prep", "receptor", "p.pdb", "-o", "p")
        return "has no RDKit" not in ligand.stderr, "gemmi" not in receptor.stderr
    finally:
        case.doCleanups()


RDKIT, GEMMI = with_chemistry()
needs_rdkit = berth_cli.unittest.skipUnless(RDKIT, "built without RDKit")
needs_both = berth_cli.unittest.skipUnless(RDKIT and GEMMI, "built without RDKit or gemmi")
without_rdkit = berth_cli.unittest.skipIf(RDKIT, "built with RDKit")
without_gemmi = berth_cli.unittest.skipIf(GEMMI, "built with gemmi")


class Raw(berth_cli.Case):
    def rows(self, name):
        return list(csv.DictReader((self.folder / name).read_text().splitlines()))

    def records(self, name):
        return [r for r in (self.folder / name).read_text().split("$$$$\n") if r]

    def item(self, record, key):
        return re.search(r"> <%s>\n([^\n]*)\n" % key, record).group(1)


@needs_rdkit
class Ligands(Raw):
    def test_poses_on_the_bonds_of_the_input(self):
        self.write("a.sdf", molecules.ethanol(items=[("price", 12.5), ("supplier", "none")]))
        self.assert_well(self.dock(ligands=["a.sdf"]))
        self.assertEqual(self.tables(), ["ethanol.csv", "ethanol.pdbqt", "ethanol.sdf"])
        records = self.records("out/ethanol.sdf")
        rows = [row for row in self.rows("out/ethanol.csv") if row["rank_in_cluster"] == "1"][:9]
        self.assertEqual(len(records), len(rows))
        self.assertGreater(len(rows), 2)
        for k, (record, row) in enumerate(zip(records, rows)):
            self.assertEqual(record.split("\n")[0], "ethanol")
            self.assertEqual(self.item(record, "price"), "12.5")
            self.assertEqual(self.item(record, "supplier"), "none")
            self.assertAlmostEqual(float(self.item(record, "docking_score")), float(row["free_energy"]), delta=0.00051)
            self.assertEqual(self.item(record, "run"), row["run"])
            self.assertEqual(self.item(record, "cluster_id"), row["cluster"])
            self.assertEqual(int(self.item(record, "rank")), k + 1)
            meeko = json.loads(self.item(record, "meeko"))
            self.assertEqual(meeko["cluster_id"], int(row["cluster"]))
            self.assertAlmostEqual(meeko["free_energy"], float(row["free_energy"]), delta=0.0001)
            self.assertIn("  9  8  0", record)  # all hydrogens are present

    def test_poses_equal_those_of_the_pdbqt(self):
        self.write("a.sdf", molecules.ethanol())
        self.assert_well(self.dock(ligands=["a.sdf"]))
        first = self.records("out/ethanol.sdf")[0].split("\n")[4:7]
        there = [[float(line[k:k + 10]) for k in (0, 10, 20)] for line in first]
        pdbqt = (self.folder / "out/ethanol.pdbqt").read_text().split("ENDMDL")[0]
        heavy = [[float(line[k:k + 8]) for k in (30, 38, 46)] for line in pdbqt.splitlines()
                 if line.startswith("ATOM") and line[77] != "H"]
        for one, other in zip(sorted(there), sorted(heavy)):
            for a, b in zip(one, other):
                self.assertAlmostEqual(a, b, delta=0.0006)

    def test_formats(self):
        self.write("a.sdf", molecules.ethanol())
        self.assert_well(self.dock("--format", "sdf", ligands=["a.sdf"]))
        self.assertEqual(self.tables(), ["ethanol.sdf"])
        self.assert_well(self.dock("--format", "csv", ligands=["a.sdf"], output="out2"))
        self.assertEqual(self.tables("out2"), ["ethanol.csv"])
        for word in "sdf", "mol2":
            self.assert_refused(self.dock("--format", word, output="out3"), "ligand.pdbqt", "SMILES")

    def test_mol2_is_the_pose_of_the_sdf(self):
        self.write("a.sdf", molecules.ethanol())
        self.assert_well(self.dock("--format", "sdf,mol2", "--scoring", "vina", "--rescore", "none", ligands=["a.sdf"]))
        poses = (self.folder / "out/ethanol.mol2").read_text()
        sdf = (self.folder / "out/ethanol.sdf").read_text().split("M  END")[0].splitlines()
        atoms = [line.split() for line in poses.split("@<TRIPOS>ATOM\n")[1].split("@")[0].splitlines()]
        self.assertEqual([[float(x) for x in atom[2:5]] for atom in atoms],
                         [[float(x) for x in line.split()[:3]] for line in sdf[4:4 + len(atoms)]])
        self.assertEqual([atom[5] for atom in atoms if atom[5] != "H"], ["C.3", "C.3", "O.3h"])
        self.assertLess(abs(sum(float(atom[8]) for atom in atoms)), 0.01)
        self.assertIn("# Scoring: vina", poses)
        self.assertEqual(poses.count("@<TRIPOS>MOLECULE"), (self.folder / "out/ethanol.sdf").read_text().count("$$$$"))
        scored = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/ethanol.mol2", "--json", *berth_cli.BOX)
        self.assert_well(scored)

    def test_json_names_the_files(self):
        self.write("a.sdf", molecules.ethanol())
        result = self.dock("--json", ligands=["a.sdf"])
        self.assert_well(result)
        self.assertIn("out/ethanol.sdf", json.loads(result.stdout)["files"])

    def test_smiles(self):
        self.write("a.smi", "CCO one\nCCCO two words\n")
        result = self.dock(ligands=["a.smi"])
        self.assert_well(result)
        self.assertEqual(self.tables(), ["one.csv", "one.pdbqt", "one.sdf", "summary.csv", "two_words.csv",
                                        "two_words.pdbqt", "two_words.sdf"])
        poses = (self.folder / "out/one.sdf").read_text()
        self.assert_well(self.dock(ligands=["a.smi"], output="out2"))
        self.assertEqual(poses, (self.folder / "out2/one.sdf").read_text())

    def test_no_rmsd_to_a_pose_that_the_input_lacks(self):
        self.write("a.smi", "CCO drawn\n")
        self.write("b.sdf", molecules.ethanol("placed"))
        result = self.dock("--format", "pdbqt,csv,sdf,dlg,xml", ligands=["a.smi", "b.sdf"])
        self.assert_well(result)
        texts = {name: (self.folder / f"out/{name}").read_text() for name in self.files()}
        rows = {row["ligand"]: row for row in csv.DictReader(texts["summary.csv"].splitlines())}
        for name, there in ("drawn", False), ("placed", True):
            run = json.loads(texts[f"{name}.json"])["runs"][0]
            self.assertEqual(run["rmsd_reference"] is not None, there, name)
            self.assertEqual("rmsd_reference" in texts[f"{name}.pdbqt"], there)
            self.assertEqual("rmsd_reference" in texts[f"{name}.sdf"], there)
            self.assertEqual(rows[name]["rmsd_reference"] != "", there, rows[name])
            self.assertNotIn("nan", texts[f"{name}.dlg"] + texts[f"{name}.xml"])
        one = self.dock(ligands=["a.smi"], output="one")
        self.assertIn("no RMSD, since the input has no pose (--reference gives one)", one.stdout)
        self.write("a.pdbqt", (self.folder / "out/drawn.pdbqt").read_text().split("ENDMDL")[0].split("\n", 1)[1])
        with_reference = self.dock("--reference", "a.pdbqt", ligands=["a.smi"], output="two")
        self.assert_well(with_reference)
        self.assertIn("RMSD in Angstrom to a.pdbqt", with_reference.stdout)

    def test_compressed_and_folder(self):
        (self.folder / "lib").mkdir()
        (self.folder / "lib/a.sdf.gz").write_bytes(gzip.compress(molecules.ethanol("zipped").encode()))
        self.write("lib/b.smi", "CCO b\n")
        self.write("lib/c.pdbqt", berth_cli.ligand())
        self.write("lib/d.pdb", molecules.protein())
        self.assert_well(self.dock("--format", "csv", ligands=["lib"]))
        self.assertEqual(self.tables(), ["b.csv", "c.csv", "summary.csv", "zipped.csv"])

    def test_standard_input(self):
        result = self.dock("--input-format", "sdf", "--format", "csv", ligands=["-"],
                           input=molecules.ethanol("x") + molecules.ethanol("y"))
        self.assert_well(result)
        self.assertEqual(self.tables(), ["summary.csv", "x.csv", "y.csv"])
        self.assert_well(self.dock("--format", "csv", ligands=["-"], input=berth_cli.ligand(), output="out2"))
        self.assertEqual(self.tables("out2"), ["stdin.csv"])

    def test_names_make_safe_files(self):
        self.write("a.sdf", molecules.ethanol("../a/b: c.d") + molecules.ethanol("-rf") + molecules.ethanol("") +
                   molecules.ethanol("same") + molecules.ethanol("same") + molecules.ethanol("z" * 500))
        self.assert_well(self.dock("--format", "csv", ligands=["a.sdf"]))
        self.assertEqual(self.tables(), ["___a_b__c_d.csv", "_rf.csv", "a_3.csv", "same-2.csv",
                                        "same.csv", "summary.csv", "z" * 200 + ".csv"])

    def test_bad_records_do_not_stop_the_others(self):
        good = molecules.ethanol
        self.write("mix.sdf", good("first") + molecules.broken() + molecules.pentavalent() + molecules.organometallic() +
                   "nonsense\n$$$$\n" + molecules.salt() + good("last"))
        result = self.dock(ligands=["mix.sdf"])
        self.assert_well(result, code=2)
        rows = {row["ligand"]: row for row in self.rows("out/rejects.csv")}
        self.assertEqual(set(rows), {"broken", "pentavalent", "mercury", "nonsense"})
        for row in rows.values():
            self.assertTrue(row["message"] and row["remedy"] and int(row["line"]) > 0, row)
            self.assertEqual(row["file"], "mix.sdf")
        self.assertIn("Hg", rows["mercury"]["message"])
        self.assertIn("alence", rows["pentavalent"]["message"])
        for name in ("first", "salt", "last"):
            self.assertGreater(len(self.records("out/%s.sdf" % name)), 2)
        self.assertEqual([row["ligand"] for row in self.rows("out/notes.csv")], ["salt", "salt"])
        self.assertIn("largest fragment", self.rows("out/notes.csv")[0]["note"])
        self.assertIn("protonation kept", self.rows("out/notes.csv")[1]["note"])
        self.assertIn("3 docked, 4 rejected", result.stderr)

    def test_one_bad_record_alone(self):
        self.write("a.sdf", molecules.pentavalent())
        self.assert_refused(self.dock(ligands=["a.sdf"]), "a.sdf", "alence")
        self.write("b.sdf", "")
        self.assert_refused(self.dock(ligands=["b.sdf"]), "b.sdf")
        self.assert_refused(self.dock(ligands=["c.sdf"]), "c.sdf", "cannot read")

    def test_more_than_one_batch(self):
        """Types in a later batch get maps as well; bad records take the place of many that would be docked."""
        late = molecules.sdf("late", [("S", 0, 0, 0.1), ("C", 1.8, 0, 0)], [(1, 2, 1)])
        self.write("a.sdf", molecules.ethanol("x") + molecules.broken() * 2100 + late + molecules.ethanol("x"))
        result = self.dock("--format", "csv", ligands=["a.sdf"])
        self.assert_well(result, code=2)
        self.assertEqual(self.tables(), ["late.csv", "rejects.csv", "summary.csv", "x-2.csv", "x.csv"])
        names = [row["ligand"] for row in self.rows("out/rejects.csv")]
        self.assertEqual((len(names), names[0], names[-1]), (2100, "broken", "broken-2100"))

    def test_autobox_and_reference(self):
        self.write("a.sdf", molecules.ethanol())
        result = self.dock("--autobox", "a.sdf", "--padding", "6", "--reference", "a.sdf", ligands=["a.sdf"], box=False)
        self.assert_well(result)
        self.assertIn("around (0.1", result.stdout)
        self.write("a.smi", "CCO x\n")
        self.assert_refused(self.dock("--autobox", "a.smi", ligands=["a.sdf"], box=False), "a.smi", "no coordinates")

    def test_conformers(self):
        self.write("a.smi", "OC1CCC(C)CC1CCO x\n")
        self.assert_well(self.dock("--conformers", "4", "--format", "json,sdf", ligands=["a.smi"]))
        told = json.loads((self.folder / "out/x.json").read_text())
        self.assertEqual(len([run for run in told["runs"] if not run.get("further")]), 2)
        self.assertEqual({run["conformer"] for run in told["runs"]}, {1, 2})  # as many as there are runs
        self.assertIn("> <conformer>", (self.folder / "out/x.sdf").read_text())
        energies = [cluster["rank_energy"] for cluster in told["clusters"]]
        first = (self.folder / "out/x.sdf").read_text()
        self.assert_well(self.dock("--conformers", "4", "--format", "json,sdf", "--threads", "1", "--overwrite",
                                   ligands=["a.smi"]))
        self.assertEqual((self.folder / "out/x.sdf").read_text(), first)
        self.assertEqual([c["rank_energy"] for c in json.loads((self.folder / "out/x.json").read_text())["clusters"]], energies)
        self.assert_well(self.dock("--conformers", "1", "--format", "json", "--overwrite", ligands=["a.smi"]))
        self.assertNotIn("conformer", json.loads((self.folder / "out/x.json").read_text())["runs"][0])

    def test_a_pdb_ligand_needs_a_template(self):
        self.write("a.pdb", "\n".join(molecules.ligand_residue()) + "\nEND\n")
        self.assert_refused(self.dock(ligands=["a.pdb"]), "a.pdb", "bond orders")
        self.assert_well(self.dock("--template", "CCO", ligands=["a.pdb"]))

    def test_a_template_holds_for_packed_files(self):
        self.write("a.sdf", molecules.ethanol("x"))
        (self.folder / "a.sdf.gz").write_bytes(gzip.compress(molecules.ethanol("x").encode()))
        for name in ("a.sdf", "a.sdf.gz"):
            self.assert_well(self.berth("prep", "ligand", name, "--template", "CCO", "-o", "p"))
            result = self.berth("prep", "ligand", name, "--template", "CCN", "-o", "p")
            self.assert_refused(result, name, "the template does not fit")

    def test_a_template_where_bonds_are_known(self):
        self.write("a.smi", "CCO x\n")
        for name in ("a.smi", "ligand.pdbqt"):
            self.assert_refused(self.dock("--template", "CCO", ligands=[name]), name, "--template is for")

    def test_poses_of_a_prepared_ligand_keep_its_bonds(self):
        """PDBQT with remarks, as written by Meeko and Berth."""
        self.write("a.sdf", molecules.ethanol())
        self.assert_well(self.berth("prep", "ligand", "a.sdf", "-o", "a.pdbqt"))
        self.assert_well(self.dock(ligands=["a.pdbqt"]))
        self.assertGreater(len(self.records("out/a.sdf")), 2)

    def test_score_and_grid(self):
        self.write("a.sdf", molecules.ethanol() + molecules.broken() + molecules.ethanol("second"))
        result = self.berth("score", "-r", "receptor.pdbqt", "-l", "a.sdf", "--json")
        self.assert_well(result, code=2)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([line["ligand"] for line in lines], ["ethanol", "second"])
        piped = self.berth("score", "-r", "receptor.pdbqt", "-l", "-", "--input-format", "sdf", "--json",
                           input=(self.folder / "a.sdf").read_text())
        self.assertEqual(piped.stdout, result.stdout)
        self.write("b.sdf", molecules.ethanol())
        self.assert_well(self.berth("grid", "-r", "receptor.pdbqt", "-l", "b.sdf", "--autobox", "b.sdf", "-o", "m"))
        self.assert_well(self.dock(receptor="m.maps.fld", ligands=["b.sdf"]))


@needs_both
class Receptors(Raw):
    def setUp(self):
        super().setUp()
        self.write("p.pdb", molecules.protein(molecules.ligand_residue() + molecules.ligand_residue("HOH", 201)[2:]))

    def raw(self, *arguments, **options):
        ligands = ["-l", *options.pop("ligands")] if "ligands" in options else []
        return self.berth("dock", "-r", "p.pdb", *ligands, "-o", options.pop("output", "out"), *berth_cli.QUICK,
                          *arguments, **options)

    def test_the_header_says_how_both_are_protonated(self):
        self.write("a.smi", "CCO x\n")
        result = self.raw("--delete", "LIG", *berth_cli.BOX, ligands=["a.smi"])
        self.assert_well(result)
        words = "ligands and receptor as in their files, else pH 7.4"
        self.assertIn(f"protons   {words}\n", result.stdout)
        self.assert_told(words)
        result = self.raw("--delete", "LIG", *berth_cli.BOX, "--ph", "6.5", "--overwrite", ligands=["a.smi"])
        self.assertIn("protons   ligands and receptor at pH 6.5\n", result.stdout)
        self.assert_told("ligands and receptor at pH 6.5")
        result = self.raw("--delete", "LIG", *berth_cli.BOX, "--as-drawn", "--overwrite", ligands=["a.smi"])
        self.assertIn("protons   ligands as drawn, receptor as in its file, else pH 7.4\n", result.stdout)
        result = self.raw("--delete", "LIG", *berth_cli.BOX, "--as-drawn", "--ph", "7", "--overwrite", ligands=["a.smi"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("as drawn", result.stderr)

    def test_the_zinc_example(self):
        """Recipe 5: in the first pose the hydroxamate binds the zinc."""
        example = berth_cli.SOURCE / "examples/zinc/4zuo.pdb.gz"
        result = self.berth("dock", "-r", str(example), "--ligand-from", "A:XS6404", "--template", "NCCCNCCCCCC(=O)NO",
                            "--scoring", "ad4", "--zinc", "-s", "1", "-o", "zinc")
        self.assert_well(result)
        with gzip.open(example, "rt") as file:
            zinc = next(place(line) for line in file if line.startswith("HETATM") and line[12:16].strip() == "ZN")
        model = (self.folder / "zinc/A-XS6404.pdbqt").read_text().split("ENDMDL")[0]
        oxygens = [place(line) for line in model.splitlines() if line[77:79] == "OA"]
        self.assertLess(min(math.dist(oxygen, zinc) for oxygen in oxygens), 2.6)

    def test_ligand_and_receptor_are_protonated_alike(self):
        """An amine is protonated like a lysine of the receptor, unless ligands are kept as drawn."""
        self.write("a.smi", "CCN x\n")
        result = self.raw("--delete", "LIG", *berth_cli.BOX, ligands=["a.smi"])
        self.assert_well(result)
        self.assertIn("REMARK SMILES CC[NH3+]", (self.folder / "out/x.pdbqt").read_text())
        self.assertIn("note: x: pH 7.4 assumed: aliphatic amine protonated", result.stderr)
        self.assert_well(self.raw("--delete", "LIG", *berth_cli.BOX, "--as-drawn", "--overwrite", ligands=["a.smi"]))
        self.assertIn("REMARK SMILES CCN", (self.folder / "out/x.pdbqt").read_text())

    def assert_told(self, words):
        """In the JSON and on the page as well."""
        self.assertEqual(json.loads((self.folder / "out/x.json").read_text())["protonation"], words)
        self.assert_well(self.berth("report", "out", "-o", "page.html"))
        self.assertEqual(dict(report_page.data_of(self.folder / "page.html")["facts"])["Protonation"], words)

    def test_redocking_from_one_file(self):
        result = self.raw("--template", "CCO", "--ligand-from", "LIG")
        self.assert_well(result)
        self.assertEqual(self.tables(), ["LIG.csv", "LIG.pdbqt", "LIG.sdf", "receptor-report.txt",
                                        "receptor.pdbqt"])
        receptor = (self.folder / "out/receptor.pdbqt").read_text()
        self.assertNotIn("LIG", receptor)
        self.assertIn("around (0.0", result.stdout)
        self.assert_refused(self.raw("--ligand-from", "LIG", output="o2"), "--template")
        self.assert_refused(self.raw("--ligand-from", "XYZ", "--template", "CCO", output="o2"), "XYZ")

    def test_box_and_reference_by_residue(self):
        self.write("a.smi", "CCO a\n")
        self.assert_well(self.raw("--autobox", "LIG", "--reference", "LIG", ligands=["a.smi"]))
        self.assertNotIn("LIG", (self.folder / "out/receptor.pdbqt").read_text())
        row = self.rows("out/a.csv")[0]
        self.assertGreater(float(row["rmsd_reference"]), 0)
        self.assert_well(self.raw("--autobox", "p.pdb:LIG:A:101", ligands=["a.smi"], output="out2"))

    def test_unknown_residues_are_named(self):
        self.write("a.smi", "CCO a\n")
        result = self.raw("--center", "0,0,0", "--size", "15,15,15", "--strict", ligands=["a.smi"])
        self.assert_refused(result, "LIG", "--delete", "--residue-template")
        self.assert_well(self.raw("--center", "0,0,0", "--size", "15,15,15", "--delete", "LIG", ligands=["a.smi"]))

    def test_flexible_residues_by_name(self):
        self.write("a.smi", "CCO a\n")
        result = self.raw("--autobox", "LIG", "--flex", "A:SER1", ligands=["a.smi"])
        self.assert_well(result)
        self.assertIn("BEGIN_RES SER A   1", (self.folder / "out/a.pdbqt").read_text())
        self.assert_refused(self.raw("--autobox", "LIG", "--flex", "A:SER7", ligands=["a.smi"], output="o2"), "SER7")
        self.assert_refused(self.dock("--flex", "A:SER1", output="o3"), "receptor.pdbqt", "--flex FILE.pdbqt")

    def test_complex(self):
        self.write("a.smi", "CCO a\n")
        self.assert_well(self.raw("--autobox", "LIG", "--complex", "pdb", "--keep", "HOH", ligands=["a.smi"]))
        lines = (self.folder / "out/a.complex.pdb").read_text().splitlines()
        hetero = [line for line in lines if line.startswith("HETATM") and line[21] == "L"]
        self.assertEqual(len(hetero), 4)  # two carbons, the hydroxyl
        self.assertTrue(all(len(line) == 78 for line in lines if line.startswith(("ATOM", "HETATM"))))
        self.assert_well(self.raw("--autobox", "LIG", "--complex", "cif", ligands=["a.smi"], output="out2"))
        self.assertIn("_atom_site.Cartn_x", (self.folder / "out2/a.complex.cif").read_text())

    def test_score_in_a_raw_receptor(self):
        self.write("a.sdf", molecules.ethanol())
        self.assert_well(self.berth("score", "-r", "p.pdb", "-l", "a.sdf", "--delete", "LIG"))
        self.assert_well(self.berth("grid", "-r", "p.pdb", "-l", "a.sdf", "--autobox", "LIG", "-o", "m"))

    def test_bad_structures(self):
        self.write("empty.pdb", "")
        self.write("cut.cif", "data_x\nloop_\n_atom_site.id\n_atom_site.Cartn_x\n1")
        self.write("text.pdb", "This is no structure.\n")
        for name in ("empty.pdb", "cut.cif", "text.pdb", "absent.pdb"):
            self.assert_refused(self.dock("--center", "0,0,0", "--size", "9,9,9", receptor=name, box=False), name)


@without_rdkit
class WithoutRdkit(Raw):
    def test_says_what_to_install(self):
        self.write("a.sdf", molecules.ethanol())
        self.assert_refused(self.dock(ligands=["a.sdf"]), "RDKit", "librdkit-dev")
        self.assert_refused(self.dock("--format", "sdf"), "ligand.pdbqt")
        self.assert_well(self.dock(output="out2"))


@without_gemmi
class WithoutGemmi(Raw):
    def test_says_what_to_install(self):
        self.write("p.pdb", molecules.protein())
        self.assert_refused(self.dock("--center", "0,0,0", "--size", "9,9,9", receptor="p.pdb", box=False), "gemmi")


if __name__ == "__main__":
    berth_cli.main()
