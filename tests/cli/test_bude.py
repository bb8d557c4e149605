#!/usr/bin/env python3
"""`berth bude` as users rely on it: files, tables, JSON, conformers, libraries, rejects, exit codes.

    test_bude.py BIN
"""
import csv
import json
import math
import unittest

import berth_cli
import molecules
from test_raw_dock import GEMMI, needs_rdkit

QUICK = ["--population", "512", "--generations", "3", "--parents", "20", "--size", "6,6,6", "--device", "cpu", "-q"]
TYPES = ["C.3", "O.co2", "C.ar", "N.am", "C.2", "N.4"]


def record(name, atoms, bonds=(), conformers=()):
    """One MOL2 record; atoms: (type, x, y, z), bonds: (first, second, kind) from 1."""
    lines = ["@<TRIPOS>MOLECULE", name, "%d %d" % (len(atoms), len(bonds)), "SMALL", "NO_CHARGES", "@<TRIPOS>ATOM"]
    lines += ["%d A%d %.4f %.4f %.4f %s 1 LIG1 0" % (i, i, x, y, z, kind) for i, (kind, x, y, z) in enumerate(atoms, 1)]
    lines += ["@<TRIPOS>BOND"] + ["%d %d %d %s" % (i, *bond) for i, bond in enumerate(bonds, 1)]
    for n, places in enumerate(conformers, 2):
        lines += ["@<BUDE>CONF %d" % n] + ["%.4f %.4f %.4f" % place for place in places]
    return "\n".join(lines) + "\n"


def cup():
    """Atoms on a sphere around the origin."""
    atoms = []
    for k in range(120):
        z = 1 - (2 * k + 1) / 120
        phi, ring = k * math.pi * (3 - math.sqrt(5)), math.sqrt(1 - z * z)
        atoms.append((TYPES[k % 6], 7 * ring * math.cos(phi), 7 * ring * math.sin(phi), 7 * z))
    return record("cup", atoms)


AMIDE = [("C.3", 0, 0, 0), ("C.2", 1.5, 0, 0), ("O.2", 2.1, 1.1, 0), ("N.am", 2.1, -1.2, 0)]
AMIDE_BONDS = [(1, 2, "1"), (2, 3, "2"), (2, 4, "am")]


def amide(name="amide", **more):
    return record(name, AMIDE, AMIDE_BONDS, **more)


class Bude(berth_cli.Case):
    def setUp(self):
        super().setUp()
        self.write("cup.mol2", cup())

    def bude(self, *arguments, ligands=("a.mol2",), receptor="cup.mol2", output=("-o", "out"), conformers="0", **more):
        return self.berth("bude", "-r", receptor, "-l", *ligands, *output, "--center", "0,0,0", "--conformers",
                          conformers, "--overwrite", *QUICK, *arguments, **more)

    def rows(self, name):
        return list(csv.DictReader((self.folder / name).read_text().splitlines()))

    def test_files_and_table(self):
        self.write("a.mol2", amide("one") + amide("two", conformers=[[(0, 0, 1), (1.5, 0, 1), (2, 1, 1), (2, -1, 1)]]))
        result = self.bude("--format", "mol2,csv", "--poses", "2")
        self.assert_well(result)
        self.assertEqual(self.files(), ["inputs.txt", "poses.mol2", "ranking.csv"])
        rows = self.rows("out/ranking.csv")
        self.assertEqual({row["ligand"] for row in rows}, {"one", "two"})
        self.assertEqual([int(row["rank"]) for row in rows], sorted(int(row["rank"]) for row in rows))
        best = [float(row["energy"]) for row in rows if row["pose"] == "1"]
        self.assertEqual(best, sorted(best))
        for row in rows:
            self.assertAlmostEqual(float(row["energy"]), sum(float(row[term]) for term in
                                                             ("steric", "charge", "desolvation")), delta=2e-4)
        self.assertEqual({row["conformers"] for row in rows if row["ligand"] == "two"}, {"2"})
        text = (self.folder / "out/poses.mol2").read_text()
        self.assertEqual(text.count("@<TRIPOS>MOLECULE"), len(rows))
        self.assertIn("# Descriptor: ", text)
        self.assertIn("2 ligands docked, 0 rejected", result.stdout)

    def test_little_memory(self):
        self.write("a.mol2", amide(conformers=[[(0, 0, 1), (1.5, 0, 1), (2, 1, 1), (2, -1, 1)]]))
        tables = []
        for memory in "0", "1000000":
            self.assert_well(self.bude("--format", "csv", "--memory", memory))
            tables.append([{k: v for k, v in row.items() if k != "seconds"} for row in self.rows("out/ranking.csv")])
        self.assertEqual(tables[0], tables[-1])
        result = self.bude("--memory", "5000")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("512 poses of one conformer", result.stderr)

    def test_devices_share_conformers(self):
        self.write("a.mol2", amide(conformers=[[(0, 0, 1), (1.5, 0, 1), (2, 1, 1), (2, -1, 1)]]))
        tables = []
        for device in "cpu", "cpu,cpu":
            result = self.bude("--format", "csv", "--device", device)
            self.assert_well(result)
            tables.append([{k: v for k, v in row.items() if k not in ("seconds", "device")}
                           for row in self.rows("out/ranking.csv")])
        self.assertEqual(*tables)
        self.assertRegex(result.stdout, r"conformers: cpu/\w+ [0-2], cpu/\w+ [0-2]\n")
        result = self.bude("--device", "cpu,nowhere")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("nowhere", result.stderr)

    def test_a_written_pose_scores_the_same(self):
        self.write("a.mol2", amide())
        self.assert_well(self.bude())
        energy = float(self.rows("out/ranking.csv")[0]["energy"])
        result = self.bude("--score", "--json", ligands=["out/poses.mol2"], output=())
        self.assert_well(result)
        pose = json.loads(result.stdout)["poses"][0]
        self.assertAlmostEqual(pose["energy"], energy, delta=0.02)
        self.assertIsNone(pose["rmsd_reference"])
        self.assertNotIn("descriptor", pose)

    @needs_rdkit
    def test_rmsd_to_a_reference_of_any_format(self):
        self.write("a.sdf", molecules.ethanol())
        self.assert_well(self.berth("prep", "ligand", "-l", "a.sdf", "-o", "a.pdbqt"))
        self.assert_well(self.bude(ligands=["a.sdf"]))
        for reference in "a.sdf", "a.pdbqt", "out/poses.mol2":
            result = self.bude("--score", "--json", "--reference", reference, ligands=["a.sdf", "out/poses.sdf"],
                               output=())
            self.assert_well(result)
            given, docked = (json.loads(line)["poses"][0]["rmsd_reference"] for line in result.stdout.splitlines())
            self.assertLess(docked if "poses" in reference else given, 0.001)
            self.assertGreater(given if "poses" in reference else docked, 0.1)
        self.write("other.sdf", molecules.ethanol().replace(" O ", " S "))
        self.assert_refused(self.bude("--reference", "other.sdf", ligands=["a.sdf"]), "ethanol")

    def test_json(self):
        self.write("a.mol2", amide())
        result = self.bude("--json", output=())
        self.assert_well(result)
        line = json.loads(result.stdout)
        self.assertEqual((line["ligand"], line["engine"], line["heavy_atoms"]), ("amide", "bude", 4))
        self.assertTrue(all(1 <= index <= 36 for index in line["poses"][0]["descriptor"]))
        self.assertEqual(self.bude("--json", output=()).stdout.split(", \"seconds\"")[0],
                         result.stdout.split(", \"seconds\"")[0])

    def test_top_keeps_the_best(self):
        self.write("a.mol2", "".join(record("n%d" % n, AMIDE[:n], AMIDE_BONDS[:n - 1]) for n in (1, 2, 3, 4)))
        self.assert_well(self.bude())
        every = [row["ligand"] for row in self.rows("out/ranking.csv")]
        self.assert_well(self.bude("--top", "2"))
        self.assertEqual([row["ligand"] for row in self.rows("out/ranking.csv")], every[:2])

    @needs_rdkit
    def test_library(self):
        self.write("a.smi", "CCCCO butanol\nCC(=O)Nc1ccccc1 anilide\n")
        self.assert_well(self.berth("prep", "library", "-l", "a.smi", "-o", "a.btl", "--conformers", "3"))
        self.assert_well(self.bude(ligands=["a.btl"]))
        self.assertEqual({row["ligand"]: row["conformers"] for row in self.rows("out/ranking.csv")},
                         {"butanol": "3", "anilide": "3"})
        self.write("given.sdf", molecules.ethanol())
        self.assert_well(self.berth("prep", "library", "-l", "given.sdf", "-o", "given.btl"))
        energies = []
        for ligand in "given.sdf", "given.btl":
            result = self.bude("--score", "--json", ligands=[ligand], output=())
            energies.append(json.loads(result.stdout)["poses"][0]["energy"])
        self.assertAlmostEqual(*energies, delta=0.01)  # a library has three decimals
        self.write("cut.btl", (self.folder / "a.btl").read_bytes()[:100])
        self.assertEqual(self.bude(ligands=["cut.btl"]).returncode, 1)

    def test_rejects(self):
        self.write("a.mol2", amide("good") + record("odd", [("Xx", 0, 0, 0)]) + record("bare", [("H", 0, 0, 0)]) +
                   "@<TRIPOS>MOLECULE\nbroken\n@<TRIPOS>ATOM\n1 C 0 zero 0 C.3\n" + amide("last"))
        result = self.bude()
        self.assert_well(result, code=2)
        self.assertEqual([row["ligand"] for row in self.rows("out/rejects.csv")], ["odd", "bare", "broken"])
        self.assertEqual({row["ligand"] for row in self.rows("out/ranking.csv")}, {"good", "last"})
        self.assertIn("--alias", self.rows("out/rejects.csv")[0]["remedy"])
        for reason in "rejected odd: ", "rejected bare: ", "rejected broken: a.mol2:":  # QUICK has -q
            self.assertIn(reason, result.stderr)
        result = self.bude(output=())
        self.assertIn("rejected broken: a.mol2:", result.stderr)
        self.assert_well(self.bude("--alias", "Xx=C.3"), code=2)
        self.assertEqual([row["ligand"] for row in self.rows("out/rejects.csv")], ["bare", "broken"])

    def test_wrong_use(self):
        self.write("a.mol2", amide())
        self.assert_refused(self.berth("bude"), "no receptor")
        self.assert_refused(self.berth("bude", "-r", "cup.mol2"), "no ligand")
        self.assert_refused(self.berth("bude", "-r", "cup.mol2", "-l", "a.mol2"), "--center")
        self.assert_refused(self.bude("--autobox", "a.mol2"), "--autobox")
        self.assert_refused(self.bude("--format", "pdb"), "pdb")
        self.assert_refused(self.bude("--angle-step", "7"), "7 degrees")
        self.assert_refused(self.bude(receptor="a.xyz"), "a.xyz")
        self.assert_refused(self.bude(receptor="none.mol2"), "none.mol2")
        self.assert_refused(self.bude(ligands=["none.mol2"]), "none.mol2")
        self.assert_refused(self.bude("--device", "abacus"), "abacus")
        self.assert_refused(self.bude("--reference", "none.mol2"), "none.mol2")

    def test_bad_receptors(self):
        self.write("a.mol2", amide())
        self.write("empty.mol2", record("empty", []))
        self.assert_refused(self.bude(receptor="empty.mol2"), "without atoms")
        self.write("bare.mol2", record("bare", [("H", 0, 0, 0)]))
        self.assert_refused(self.bude(receptor="bare.mol2"), "empty")
        self.write("odd.mol2", record("odd", [("C.3", 0, 0, 0), ("Yy", 3, 0, 0)]))
        self.assert_refused(self.bude(receptor="odd.mol2"), "odd.mol2:8", "Yy", "--alias")

    def test_bad_forcefields(self):
        self.write("a.mol2", amide())
        head = "%BUDE HEAVY ATOM AMINO-ACID FORCEFIELD LIBRARY\n%VERSION 2.00\n"
        row = " C.3 - 1.42 -0.15 30 6.5 1.3 1 0\n"
        for name, text in {"none": "", "head": "hello\n", "short": head + "1\nWLD 2\n" + row + "END\n",
                           "class": head + "1\nWLD 1\n" + row.replace(" - ", " Z ") + "END\n",
                           "number": head + "1\nWLD 1\n" + row.replace("30", "x") + "END\n",
                           "nan": head + "1\nWLD 1\n" + row.replace("30", "nan") + "END\n"}.items():
            self.write(name + ".bhff", text)
            self.assert_refused(self.bude("--forcefield", name + ".bhff"), name + ".bhff")
        self.write("few.bhff", head + "1\nWLD 1\n" + row + "END\n")
        self.assert_refused(self.bude("--forcefield", "few.bhff"), "cup.mol2", "few.bhff")

    def test_receptor_pdbqt(self):
        self.write("a.mol2", amide())
        self.assert_well(self.bude(receptor="receptor.pdbqt"))

    @unittest.skipUnless(GEMMI, "this build has no gemmi")
    def test_receptor_pdb(self):
        self.write("a.mol2", amide())
        self.write("protein.pdb", molecules.protein())
        self.assert_well(self.bude(receptor="protein.pdb"))

    @needs_rdkit
    def test_conformers_are_made(self):
        self.write("a.smi", "CCCCO butanol\nnonsense( bad\nCC(=O)Nc1ccccc1 anilide\n")
        result = self.bude(ligands=["a.smi"], conformers="3")
        self.assert_well(result, code=2)
        rows = self.rows("out/ranking.csv")
        self.assertEqual({row["ligand"]: row["conformers"] for row in rows}, {"butanol": "3", "anilide": "3"})
        text = (self.folder / "out/poses.sdf").read_text()
        self.assertEqual(text.count("$$$$"), 2)
        self.assertIn("<berth_bude_energy>", text)

    @needs_rdkit
    def test_mol2_makes_conformers_and_sdf(self):
        self.write("a.mol2", amide())
        self.assert_well(self.bude(conformers="2"))
        self.assertEqual(self.rows("out/ranking.csv")[0]["conformers"], "2")
        self.assert_well(self.bude("--keep-conformer", conformers="2"))
        self.assertEqual(self.rows("out/ranking.csv")[0]["conformers"], "3")
        self.assertIn("<berth_bude_energy>", (self.folder / "out/poses.sdf").read_text())

    @needs_rdkit
    def test_sdf_records_of_one_name_are_conformers(self):
        self.write("a.sdf", molecules.ethanol("one") * 3 + molecules.ethanol("two"))
        self.assert_well(self.bude(ligands=["a.sdf"]))
        self.assertEqual({row["ligand"]: row["conformers"] for row in self.rows("out/ranking.csv")},
                         {"one": "3", "two": "1"})

    def test_standard_input(self):
        result = self.bude("--input-format", "mol2", ligands=["-"], input=amide())
        self.assert_well(result)


if __name__ == "__main__":
    berth_cli.main()
