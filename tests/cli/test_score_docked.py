"""A pose written by `berth dock` or `berth screen` has the same energy in `berth score`: its grid, function and unbound
energy are recorded in the file.

    test_score_docked.py BIN
"""
import json
import re
import unittest

import berth_cli as cli
from test_raw_dock import GEMMI, RDKIT
from test_screen import without_sqlite

HIV = cli.SOURCE / "examples" / "1hpv"
SEARCH = ["--runs", "2", "--evals", "1500", "--population", "20", "--local-search-iterations", "20", "--seed", "7"]
PLACE = ["--autobox", HIV / "ligand-crystal.pdbqt"]


class Docked(cli.Case):
    def dock(self, *words, receptor=HIV / "receptor.pdbqt", ligand=HIV / "ligand.pdbqt"):
        result = self.berth("dock", "-r", receptor, "-l", ligand, "-o", "out", *PLACE, *SEARCH, *cli.NO_STRAIN, *words)
        self.assert_well(result)
        docking = json.loads(self.text("out/ligand.json"))
        return cli.written(docking)

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
        self.assertGreater(len(lines), 2)
        self.assertEqual(set(lines), {"REMARK BERTH grid ad4 center 9.357 16.147 9.484 npts 40 36 52 spacing 0.5"})

    def test_it_is_said_and_can_be_ignored(self):
        runs = self.dock("--scoring", "ad4")
        words = ["score", "-r", HIV / "receptor.pdbqt", "-l", "out/ligand.pdbqt"]
        self.assertIn("note: docked poses are scored in the grid and with the function ad4 of their docking; see --ignore-docking",
                      self.berth(*words).stderr)
        self.assertEqual(self.berth(*words, "--ignore-docking").stderr, "")
        (alone, *_) = self.score("out/ligand.pdbqt", "--ignore-docking")
        self.assertEqual((alone["scoring"], alone["grid"]), ("vina", "poses"))
        self.assertNotAlmostEqual(alone["energy"]["inter"], runs[0]["inter"], places=6)
        (given, *_) = self.score("out/ligand.pdbqt", *PLACE, "--spacing", "0.4")
        self.assertEqual(given["grid"], "given")
        self.assertEqual({p["scoring"] for p in self.score("out/ligand.pdbqt", "--scoring", "vina")}, {"vina"})

    def test_what_no_record_tells(self):
        """Parameters of the maps, and the receptor itself, show in the energy."""
        parameters = self.write("c.dat", "atom_par C 4.2 0.25 33.5103 -0.00143 0.0 0.0 0 -1 -1 0\n")
        runs = self.dock("--scoring", "ad4", "--parameters", parameters)
        words = ["score", "-r", HIV / "receptor.pdbqt", "--json", "-l"]
        for pose in ["out/ligand.pdbqt"] + ["out/ligand.sdf"] * RDKIT:
            result = self.berth(*words, pose)
            self.assert_well(result)
            self.assertIn(f"but {runs[0]['free_energy']:.3f} in its docking", result.stderr)
            self.assertIn("--parameters", result.stderr)
            self.assertEqual(result.stderr.count("warning"), 1)
            result = self.berth(*words, pose, "--parameters", parameters)
            self.assertNotIn("warning", result.stderr)
            self.assert_same([json.loads(line) for line in result.stdout.splitlines()], runs)

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
        runs = cli.written(json.loads(self.text("out/ligand.json")))
        self.assert_same(self.score("out/ligand.pdbqt", "--flex", "flex.pdbqt", receptor="receptor.pdbqt"), runs)
        # this receptor has none of their side chains
        self.assert_same(self.score("out/ligand.pdbqt", receptor="receptor.pdbqt"), runs)

    def assert_rejected(self, result, *words):
        """All poses, each with these words."""
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        lines = [line for line in result.stderr.splitlines()
                 if ": note: " not in line and not re.search(r": 0 (poses scored|docked|done), ", line)]
        self.assertTrue(lines)
        for line in lines:
            for word in words:
                self.assertIn(word, line)

    def dock_raw(self, *words, smiles="CC(=O)Oc1ccccc1C(=O)O x", scoring="ad4"):
        self.assert_well(self.berth("dock", "-r", HIV / "1hpv.pdb", "--smiles", smiles, "-o", "out", "--overwrite",
                                    "--autobox", "478", *SEARCH, *cli.NO_STRAIN, "--scoring", scoring, *words))
        return cli.written(json.loads(self.text("out/x.json")))

    def assert_like_docked(self, runs, *words, receptor=HIV / "1hpv.pdb"):
        for pose in ("out/x.pdbqt", "out/x.sdf"):
            with self.subTest(pose=pose):
                self.assert_same(self.score(pose, *words, receptor=receptor), runs)

    @unittest.skipUnless(RDKIT and GEMMI, "a build without RDKit or gemmi")
    def test_the_ligand_of_a_raw_receptor_is_taken_out_again(self):
        """Where no box is given, it is that of the docking, or the pose's own place."""
        runs = self.dock("--rescore", "none", receptor=HIV / "1hpv.pdb")  # in the order of their energies
        self.assert_same(self.score("out/ligand.pdbqt", receptor=HIV / "1hpv.pdb"), runs)
        crystal = self.score(HIV / "ligand-crystal.pdbqt", "--scoring", "vina", receptor=HIV / "1hpv.pdb")
        self.assertAlmostEqual(crystal[0]["energy"]["free_energy"], -7.9459, 3)

    @unittest.skipUnless(RDKIT and GEMMI, "a build without RDKit or gemmi")
    def test_flexible_residues_of_a_prepared_receptor(self):
        """They are taken from the pose, and the receptor is prepared without them."""
        for scoring in ("ad4", "vina"):
            runs = self.dock_raw("--flex", "A:ARG8,B:ARG8", scoring=scoring)
            self.assert_like_docked(runs, "--delete", "478")
            self.assert_like_docked(runs, receptor="out/receptor.pdbqt")
        for pose in ("out/x.pdbqt", "out/x.sdf"):
            result = self.berth("score", "-r", HIV / "receptor.pdbqt", "-l", pose)
            self.assert_rejected(result, "docked with flexible residues (A:ARG8,B:ARG8), whose side chains the receptor still has")
            result = self.berth("score", "-r", HIV / "1hpv.pdb", "-l", pose, "--delete", "478", "--flex", "A:ARG8")
            self.assert_rejected(result, "whose side chains the receptor still has")
            result = self.berth("vina", "--receptor", HIV / "receptor.pdbqt", "--ligand", pose, "--score_only")
            self.assert_rejected(result, "whose side chains the receptor still has")
            shown = self.berth("vina", "--receptor", "out/receptor.pdbqt", "--ligand", pose, "--score_only")
            self.assert_well(shown)
            self.assertIn(f"Binding   : {runs[0]['free_energy']:.3f} ", shown.stdout)

    @unittest.skipUnless(RDKIT and GEMMI, "a build without RDKit or gemmi")
    def test_what_else_shapes_the_ligand(self):
        """Options of the preparation and the count of torsions are those of the docking."""
        for words in (["--hydrated"], ["--torsional", "branches"], ["--charges", "zero"], ["--flexible-amides"],
                      ["--keep-hydrogens"], ["--old-rules"], ["--hydrated", "--torsional", "branches"]):
            with self.subTest(words=words):
                runs = self.dock_raw(*words, smiles="CC(O)C([NH3+])C(=O)Nc1ccccc1 x")
                if words == ["--hydrated"]:
                    self.assert_like_docked(runs, "--delete", "478")
                self.assert_like_docked(runs, receptor="out/receptor.pdbqt")  # quicker: no preparation
        runs = self.dock_raw("--torsional", "branches", smiles="C1CCCCCCCCCCC(=O)O1 x")
        self.assert_like_docked(runs, "--delete", "478")
        (pose, *_) = self.score("out/x.pdbqt", "--delete", "478", "--torsional", "torsdof", receptor=HIV / "1hpv.pdb")
        self.assertEqual(pose["energy"]["torsional"], 0)
        self.assertGreater(runs[0]["torsional"], 0)

    @unittest.skipUnless(RDKIT and GEMMI, "a build without RDKit or gemmi")
    def test_a_record_that_was_changed(self):
        self.dock_raw("--hydrated", smiles="CCO x")
        lines = self.text("out/x.sdf").splitlines()
        lines[4] = f"{float(lines[4][:10]) + 1:10.4f}{lines[4][10:]}"
        self.write("moved.sdf", "\n".join(lines[:lines.index("$$$$") + 1]) + "\n")
        result = self.berth("score", "-r", HIV / "receptor.pdbqt", "-l", "moved.sdf")
        self.assert_refused(result, "it was changed after the docking", "berth_pose")
        self.assert_well(self.berth("score", "-r", HIV / "receptor.pdbqt", "-l", "moved.sdf", "--ignore-docking"))

    @unittest.skipUnless(RDKIT and GEMMI, "a build without RDKit or gemmi")
    def test_a_pose_is_docked_again(self):
        """Without what was recorded of its first docking."""
        self.dock_raw("--hydrated", smiles="CCO x")
        self.assert_well(self.berth("dock", "-r", HIV / "receptor.pdbqt", "-l", "out/x.sdf", "-o", "again", "--scoring", "ad4",
                                    *PLACE, *SEARCH))
        for path in (self.folder / "again").glob("*.sdf"):
            self.assertNotIn("<berth_pose>", path.read_text())

    @unittest.skipUnless(RDKIT and GEMMI, "a build without RDKit or gemmi")
    def test_covalent_poses(self):
        folder = cli.SOURCE / "examples/covalent"
        words = ["-r", folder / "1pwc.pdb", "--delete", "A:PNM400"]
        self.assert_well(self.berth("dock", *words, "-l", folder / "penicillin.smi", "--covalent", "A:SER62", "-o", "out",
                                    "--scoring", "ad4", "-n", "2", "-e", "5000", "-s", "1"))
        runs = cli.written(json.loads(self.text("out/penicillin-G.json")))
        self.write("whole.pdbqt", self.berth("prep", "receptor", *words, "-o", "whole.pdbqt") and self.text("whole.pdbqt"))
        for ending in ("pdbqt", "sdf"):
            pose = f"out/penicillin-G.{ending}"
            for option in ([], ["--covalent", "A:SER62"], ["--ignore-docking"]):
                self.assertEqual(len(self.score(pose, *words[2:], *option, receptor=folder / "1pwc.pdb")), len(runs))
            self.assert_same(self.score(pose, *words[2:], receptor=folder / "1pwc.pdb"), runs)
            self.assert_same(self.score(pose, receptor="out/receptor.pdbqt"), runs)
            (self.folder / "set").mkdir(exist_ok=True)
            (self.folder / "set/a.pdbqt").write_text(self.text("out/receptor.pdbqt"))
            (self.folder / f"set/z.{ending}").write_text(self.text(pose))
            among = self.berth("score", *words, "-l", "set", "--json")
            self.assertIn(f'"free_energy": {runs[0]["free_energy"]:.6f}'[:-3], among.stdout)
            for again in ([], ["--ignore-docking"], ["--minimize"], ["--rigid-macrocycles"]):
                result = self.berth("score", "-r", "whole.pdbqt", "-l", pose, *again)
                self.assert_rejected(result, "A:SER62, whose side chain the receptor still has" if again != ["--rigid-macrocycles"] or
                                    ending == "pdbqt" else "berth_pose")
            result = self.berth("vina", "--receptor", "whole.pdbqt", "--ligand", pose, "--score_only")
            self.assert_rejected(result, "A:SER62, whose side chain the receptor still has")
            result = self.berth("dock", "-r", "whole.pdbqt", "-l", pose, "-o", "again", "--center", "14,-9,37", "--size",
                                "25,25,25", *SEARCH)
            self.assert_rejected(result, "A:SER62, whose side chain the receptor still has")

    def test_several_ligands_at_once(self):
        """One line per MODEL; what cannot use them says which ligands they are."""
        self.write("receptor.pdbqt", cli.receptor())
        self.write("one.pdbqt", cli.ligand(shift=(-2, 1, 0)))
        self.write("two.pdbqt", cli.ligand(atoms=6, torsions=2, shift=(2.5, -1, 0.5)))
        box = "--center_x 0 --center_y 0 --center_z 0 --size_x 15 --size_y 15 --size_z 15".split()
        for scoring in ("vina", "vinardo"):
            docked = self.berth("vina", "--receptor", "receptor.pdbqt", "--ligand", "one.pdbqt", "two.pdbqt", *box, "--seed", "3",
                                "--exhaustiveness", "2", "--max_evals", "5000", "--scoring", scoring, "--out", "both.pdbqt")
            self.assert_well(docked)
            energies = self.docked_energies("both.pdbqt")
            self.assertGreater(len(energies), 1)
            poses = self.score("both.pdbqt", "--scoring", scoring, receptor="receptor.pdbqt")
            self.assertEqual(len(poses), len(energies))
            for pose in poses:
                self.assertNotEqual(pose["energy"]["inter_moving"], 0)
            # Vina's files record no unbound energy: that of the best pose is its own
            self.assertAlmostEqual(poses[0]["energy"]["free_energy"], float(energies[0]), delta=0.0005001)
            shown = self.berth("vina", "--receptor", "receptor.pdbqt", "--ligand", "both.pdbqt", "--score_only", "--scoring", scoring)
            self.assert_well(shown)
            lines = [line.split(": ")[1].split()[0] for line in shown.stdout.splitlines() if line.startswith("Estimated")]
            self.assertEqual(lines, [f"{pose['energy']['free_energy']:.3f}" for pose in poses])
        table = self.berth("score", "-r", "receptor.pdbqt", "-l", "both.pdbqt", "--scoring", "vina").stdout
        self.assertIn("ligands: ", table)
        result = self.berth("dock", "-r", "receptor.pdbqt", "-l", "both.pdbqt", "-o", "out", *cli.BOX)
        self.assert_rejected(result, "the MODEL has 2 ligands, which were docked together", "berth score")
        self.write("glued.pdbqt", cli.ligand() + cli.ligand())
        self.assert_refused(self.berth("score", "-r", "receptor.pdbqt", "-l", "glued.pdbqt"), "second ROOT")

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
                                                "--overwrite", *PLACE, *SEARCH, *cli.NO_STRAIN, "--scoring", scoring, *words))
                    runs = cli.written(json.loads(self.text("out/ring.json")))
                    self.assert_same(self.score("out/ring.pdbqt"), runs)
                    self.assert_same(self.score("out/ring.sdf"), runs)
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
