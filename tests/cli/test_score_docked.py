"""A pose written by `berth dock` or `berth screen` has the same energy in `berth score`: its grid, function and unbound
energy are recorded in the file.

    test_score_docked.py BIN
"""
import json
import unittest

import berth_cli as cli
from test_raw_dock import RDKIT
from test_screen import without_sqlite

HIV = cli.SOURCE / "examples" / "1hpv"
SEARCH = ["--runs", "3", "--evals", "3000", "--population", "30", "--local-search-iterations", "30", "--seed", "7"]
PLACE = ["--autobox", HIV / "ligand-crystal.pdbqt"]


class Docked(cli.Case):
    def dock(self, *words, receptor=HIV / "receptor.pdbqt", ligand=HIV / "ligand.pdbqt"):
        result = self.berth("dock", "-r", receptor, "-l", ligand, "-o", "out", *PLACE, *SEARCH, *words)
        self.assert_well(result)
        docking = json.loads(self.text("out/ligand.json"))
        return sorted(docking["runs"], key=lambda run: run["free_energy"])

    def score(self, pose, *words, receptor=HIV / "receptor.pdbqt"):
        result = self.berth("score", "-r", receptor, "-l", pose, "--json", *words)
        self.assert_well(result)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def assert_same(self, poses, runs, places=6, terms=("free_energy", "inter", "intra", "unbound")):
        self.assertEqual(len(poses), len(runs))
        for pose, run in zip(poses, runs):
            for term in terms:
                self.assertAlmostEqual(pose["energy"][term], run[term], places=places, msg=term)

    def assert_exported(self, path):
        """Scored, each pose has the energy in the file, to its three decimals."""
        poses, energies = self.score(path), self.docked_energies(path)
        self.assertEqual(len(poses), len(energies))
        self.assertGreater(len(poses), 0)
        self.assertEqual({p["grid"] for p in poses}, {"docking"})
        for pose, energy in zip(poses, energies):
            self.assertAlmostEqual(pose["energy"]["free_energy"], float(energy), delta=0.0005001)

    def test_every_function(self):
        for scoring in ("ad4", "vina", "vinardo"):
            runs = self.dock("--scoring", scoring, "--overwrite")
            for pose in ["out/ligand.pdbqt"] + ["out/ligand.sdf"] * RDKIT:
                with self.subTest(scoring=scoring, pose=pose):
                    poses = self.score(pose)
                    self.assertEqual({(p["scoring"], p["grid"]) for p in poses}, {(scoring, "docking")})
                    self.assert_same(poses, runs)

    def test_the_remark(self):
        self.dock("--scoring", "ad4", "--spacing", "0.5")
        lines = [line for line in self.text("out/ligand.pdbqt").splitlines() if line.startswith("REMARK BERTH grid ")]
        self.assertEqual(len(lines), 3)
        self.assertEqual(set(lines), {"REMARK BERTH grid ad4 center 9.357 16.147 9.484 npts 40 36 52 spacing 0.5"})

    def test_it_is_said_and_can_be_ignored(self):
        runs = self.dock("--scoring", "ad4")
        words = ["score", "-r", HIV / "receptor.pdbqt", "-l", "out/ligand.pdbqt"]
        self.assertIn("note: docked poses are scored in the grid and with the function ad4 of their docking; see --ignore-docking",
                      self.berth(*words).stderr)
        self.assertEqual(self.berth(*words, "--ignore-docking").stderr, "")
        (alone, *_) = self.score("out/ligand.pdbqt", "--ignore-docking")
        self.assertEqual((alone["scoring"], alone["grid"]), ("ad4", "poses"))
        self.assertNotAlmostEqual(alone["energy"]["inter"], runs[0]["inter"], places=6)
        (given, *_) = self.score("out/ligand.pdbqt", *PLACE, "--spacing", "0.4")
        self.assertEqual(given["grid"], "given")
        self.assertEqual({p["scoring"] for p in self.score("out/ligand.pdbqt", "--scoring", "vina")}, {"vina"})

    def test_poses_of_two_dockings(self):
        first = self.dock("--scoring", "ad4")
        text = self.text("out/ligand.pdbqt")
        second = self.dock("--scoring", "ad4", "--spacing", "0.5", "--overwrite")
        self.write("both.pdbqt", text + self.text("out/ligand.pdbqt"))
        self.assert_same(self.score("both.pdbqt"), first + second)

    def test_damaged_remarks_are_no_grid(self):
        self.dock("--scoring", "ad4")
        text = self.text("out/ligand.pdbqt")
        for damage in ("spacing 0", "spacing nan", "spacing", "spacing 0.375 more", "spacing 1e9"):
            self.write("pose.pdbqt", text.replace("spacing 0.375", damage))
            self.assertEqual({p["grid"] for p in self.score("pose.pdbqt")}, {"poses"}, damage)

    def test_flexible_residues_of_the_pose(self):
        self.write("receptor.pdbqt", cli.receptor())
        self.write("flex.pdbqt", cli.residues())
        result = self.berth("dock", "-r", "receptor.pdbqt", "--flex", "flex.pdbqt", "-l", "ligand.pdbqt", "-o", "out",
                            *cli.BOX, *cli.QUICK, "--scoring", "ad4")
        self.assert_well(result)
        runs = sorted(json.loads(self.text("out/ligand.json"))["runs"], key=lambda run: run["free_energy"])
        self.assert_same(self.score("out/ligand.pdbqt", "--flex", "flex.pdbqt", receptor="receptor.pdbqt"), runs)
        result = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/ligand.pdbqt")
        self.assertIn("docked with flexible residues, which are not scored; give --flex", result.stderr)

    def test_exports_of_a_screen(self):
        if without_sqlite():
            self.skipTest("a build without SQLite")
        result = self.berth("screen", "-r", HIV / "receptor.pdbqt", "-l", HIV / "ligand.pdbqt", "-o", "s", "-q", *PLACE,
                            *SEARCH, "--poses", "3", "--scoring", "vina")
        self.assert_well(result)
        for kind in ["pdbqt"] + ["sdf"] * RDKIT:
            self.assert_well(self.berth("screen", "--export", kind, "-o", "s"))
            self.assert_exported(f"s/results.{kind}")

    @unittest.skipUnless(RDKIT, "a build without RDKit")
    def test_rings_are_opened_as_they_were_docked(self):
        self.write("ring.smi", "C1CCCCCCC(=O)NCCCCCC1 ring\n")
        for scoring in ("ad4", "vina", "vinardo"):
            for words in ([], ["--rigid-macrocycles"]):
                with self.subTest(scoring=scoring, words=words):
                    self.assert_well(self.berth("dock", "-r", HIV / "receptor.pdbqt", "-l", "ring.smi", "-o", "out",
                                                "--overwrite", *PLACE, *SEARCH, "--scoring", scoring, *words))
                    runs = sorted(json.loads(self.text("out/ring.json"))["runs"], key=lambda run: run["free_energy"])
                    self.assert_same(self.score("out/ring.pdbqt"), runs)
                    # SDF has no glue points: AutoDock's intra lacks their attraction, which no free energy contains
                    self.assert_same(self.score("out/ring.sdf"), runs, terms=("free_energy", "inter"))
                    self.assertEqual("<berth_opened>\nnone\n" in self.text("out/ring.sdf"), bool(words))

    @unittest.skipUnless(RDKIT, "a build without RDKit")
    def test_exported_rings(self):
        """The atoms in their records are ordered differently from the docked molecule's."""
        if without_sqlite():
            self.skipTest("a build without SQLite")
        self.write("ring.smi", "C1CCCCCCC(=O)NCCCCCC1 ring\nCC(C)Cc1ccc(cc1)C(C)C(=O)O ibuprofen\n")
        for scoring in ("ad4", "vina", "vinardo"):
            with self.subTest(scoring=scoring):
                self.assert_well(self.berth("screen", "-r", HIV / "receptor.pdbqt", "-l", "ring.smi", "-o", scoring,
                                            "-q", *PLACE, *SEARCH, "--poses", "2", "--scoring", scoring))
                for kind in ("pdbqt", "sdf"):
                    self.assert_well(self.berth("screen", "--export", kind, "-o", scoring))
                    self.assert_exported(f"{scoring}/results.{kind}")

    def test_poses_of_two_functions(self):
        self.dock("--scoring", "ad4")
        text = self.text("out/ligand.pdbqt")
        self.dock("--scoring", "vina", "--overwrite")
        self.write("both.pdbqt", text + self.text("out/ligand.pdbqt"))
        said = self.berth("score", "-r", HIV / "receptor.pdbqt", "-l", "both.pdbqt").stderr
        self.assertEqual(said.count("docked with vina, but scored with ad4 like the poses before; score it separately"), 1)

    def text(self, name):
        return (self.folder / name).read_text()

    def docked_energies(self, path):
        lines = self.text(path).splitlines()
        if path.endswith("sdf"):
            return [lines[i + 1] for i, line in enumerate(lines) if "<docking_score>" in line]
        return [line.split()[3] for line in lines if line.startswith("REMARK VINA RESULT:")]


if __name__ == "__main__":
    cli.main()
