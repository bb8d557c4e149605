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
from torch_files import archive, random_values, shapes

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

    DRUGS = "CCCCO butanol\nCC(=O)Nc1ccccc1 anilide\n"

    @needs_rdkit
    def test_poses_as_pdbqt_and_json(self):
        """PDBQT: prepared ligands in the poses, for other programs; JSON: what --json prints, ranked, with coordinates."""
        self.write("a.smi", self.DRUGS)
        self.assert_well(self.bude("--format", "pdbqt,json,sdf,csv", "--poses", "2", ligands=["a.smi"], conformers="2"))
        self.assertEqual(self.files(), ["inputs.txt", "poses.json", "poses.pdbqt", "poses.sdf", "ranking.csv"])
        rows = self.rows("out/ranking.csv")
        self.assertGreater(len(rows), 2)
        told = json.loads((self.folder / "out/poses.json").read_text())
        self.assertEqual((told["engine"], [ligand["rank"] for ligand in told["ligands"]]), ("bude", [1, 2]))
        poses = [(ligand["ligand"], pose) for ligand in told["ligands"] for pose in ligand["poses"]]
        models = (self.folder / "out/poses.pdbqt").read_text().split("ENDMDL\n")[:-1]
        self.assertEqual(len(rows), len(poses))
        self.assertEqual(len(rows), len(models))
        for number, (row, (name, pose), model) in enumerate(zip(rows, poses, models), 1):
            self.assertTrue(model.startswith(f"MODEL {number}\nREMARK Name = {name}\nREMARK VINA RESULT: "), model)
            self.assertIn(f"REMARK BERTH bude steric {row['steric']} charge {row['charge']} desolvation {row['desolvation']} "
                          f"conformer {row['conformer']}\nREMARK BERTH ranked_by bude rank_energy ", model)
            self.assertEqual(name, row["ligand"])
            self.assertAlmostEqual(pose["energy"], float(row["energy"]), delta=1e-4)
            self.assertIn("\nBRANCH ", model)
            x = pose["coordinates"]
            self.assert_places([[float(line[k:k + 8]) for k in (30, 38, 46)] for line in model.splitlines()
                                if line.startswith("ATOM")], [x[k:k + 3] for k in range(0, len(x), 3)])
        scored = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/poses.pdbqt", "--scoring", "vina", "--json")
        self.assert_well(scored)
        self.assertEqual(len(scored.stdout.splitlines()), len(models))

    def assert_places(self, atoms, docked):
        """Each atom stands where one was docked."""
        self.assertTrue(atoms)
        for atom in atoms:
            self.assertLess(min(math.dist(atom, place) for place in docked), 0.001)

    def rescored(self, *words, receptor="receptor.pdbqt", **more):
        result = self.bude("--poses", "3", *words, ligands=["a.smi"], receptor=receptor, conformers="2", **more)
        self.assert_well(result)
        return result

    @needs_rdkit
    def test_rescoring(self):
        """Functions score the minimum that is reached from a pose, networks the pose as it stands, as `berth score` does."""
        self.write("a.smi", self.DRUGS)
        self.write("own.pt", archive(shapes(), random_values(7)))
        result = self.rescored("--rescore", "vina,cnn", "--cnn", "own.pt", "--format", "mol2,sdf,pdbqt,json,csv")
        self.assertRegex(result.stdout, r"conf\. +Vina +CNNscore  ligand\n")
        self.assertIn("\nre-scored by Vina and CNN own.pt (ranks)\n", result.stdout)
        rows = self.rows("out/ranking.csv")
        self.assertEqual({row["ranked_by"] for row in rows}, {"ranks"})
        texts = {kind: (self.folder / f"out/poses.{kind}").read_text() for kind in ("mol2", "sdf", "pdbqt", "json")}
        told = [pose for ligand in json.loads(texts["json"])["ligands"] for pose in ligand["poses"]]
        for row, pose in zip(rows, told):
            vina, cnn = pose["rescored"]
            self.assertEqual((vina["scoring"], cnn["scoring"], pose["ranked_by"]), ("vina", "cnn", "ranks"))
            self.assertAlmostEqual(float(row["vina"]), vina["free_energy"], delta=1e-4)
            self.assertAlmostEqual(float(row["CNNscore"]), cnn["CNNscore"], delta=1e-5)
            self.assertIn(f"# Rescored vina: {row['vina']}\n", texts["mol2"])
            self.assertIn(f"> <score_vina>\n{float(row['vina']):.3f}\n", texts["sdf"].replace("  <", " <"))
            self.assertIn(f"CNNscore {row['CNNscore']} CNNaffinity {row['CNNaffinity']}\n", texts["pdbqt"])
        docked = [line["energy"]["free_energy"] for line in self.scored("--scoring", "vina")]
        networks = [line["cnn"]["score"] for line in self.scored("--scoring", "cnn", "--cnn", "own.pt")]
        self.assertEqual(len(docked), len(rows))
        for row, energy, score in zip(rows, docked, networks):
            self.assertLess(float(row["vina"]), energy + 0.001)
            self.assertGreater(float(row["vina_moved"]), 0)
            self.assertAlmostEqual(float(row["CNNscore"]), score, delta=1e-4)
            self.assertEqual(float(row["cnn_moved"]), 0)

    def scored(self, *words):
        result = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/poses.sdf", "--json", *words)
        self.assert_well(result)
        return [json.loads(line) for line in result.stdout.splitlines()]

    @needs_rdkit
    def test_order_by_scores(self):
        self.write("a.smi", self.DRUGS)
        self.rescored("--rescore", "vina", "--rank-by", "score")
        rows = self.rows("out/ranking.csv")
        best = [float(row["vina"]) for row in rows if row["pose"] == "1"]
        self.assertEqual(best, sorted(best))
        for name in {row["ligand"] for row in rows}:
            scores = [float(row["vina"]) for row in rows if row["ligand"] == name]
            self.assertEqual(scores, sorted(scores))
        self.assertEqual([row["rank_energy"] for row in rows], [row["vina"] for row in rows])
        lines = [json.loads(line) for line in self.rescored("--rescore", "vina", "--rank-by", "score", "--json").stdout.splitlines()]
        self.assertEqual([line["ligand"] for line in lines], [row["ligand"] for row in rows if row["pose"] == "1"])
        self.rescored()
        plain = self.rows("out/ranking.csv")
        self.assertNotIn("vina", plain[0])
        self.assertEqual({row["energy"] for row in plain}, {row["energy"] for row in rows})

    @needs_rdkit
    def test_what_cannot_be_rescored(self):
        self.write("a.mol2", amide("known") + record("odd", [("C.3", 0, 0, 0), ("C.3", 1.5, 0, 0)], [(1, 2, "3")] * 2))
        result = self.bude("--rescore", "vina", receptor="receptor.pdbqt")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("odd is not re-scored: ", result.stderr)
        rows = self.rows("out/ranking.csv")
        self.assertEqual([(row["ligand"], bool(row["vina"])) for row in rows], [("known", True), ("odd", False)])
        self.assert_refused(self.bude("--rescore", "vina"), "AutoDock's types of the receptor")
        self.assert_refused(self.bude("--rescore", "bude", receptor="receptor.pdbqt"), "--rescore: ")
        self.assert_refused(self.bude("--rank-by", "score", receptor="receptor.pdbqt"), "--rank-by needs --rescore")

    def test_standard_input(self):
        result = self.bude("--input-format", "mol2", ligands=["-"], input=amide())
        self.assert_well(result)


if __name__ == "__main__":
    berth_cli.main()
