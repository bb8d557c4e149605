"""berth prep library --filter: what is left out of a library, and how that is said."""
import contextlib
import csv
import json
import sqlite3
import unittest

import berth_cli as cli
from test_raw_dock import needs_rdkit

ASPIRIN, RHODANINE = "CC(=O)Oc1ccccc1C(=O)O", "O=C1NC(=S)SC1=Cc1ccccc1"
LIBRARY = f"CCO ethanol\n{ASPIRIN} aspirin\nOCC again\n{RHODANINE} rhodanine\nCCCCCCCCCCCCCCCC wax\nC1CC bad\n"


class Filter(cli.Case):
    def make(self, condition, *more, code=2):
        self.write("lib.smi", LIBRARY)
        result = self.berth("prep", "library", "-q", "lib.smi", "-o", "lib.btl", "--overwrite", "--filter", condition, *more)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def names(self):
        self.assert_well(self.berth("prep", "ligand", "-q", "lib.btl", "-o", "out", "--overwrite"))
        names = sorted(path.stem for path in (self.folder / "out").glob("*.pdbqt"))
        for path in (self.folder / "out").glob("*.pdbqt"):
            path.unlink()
        return names

    @needs_rdkit
    def test_conditions(self):
        everything = ["again", "aspirin", "ethanol", "rhodanine", "wax"]
        expected = {"heavy>=4": ["aspirin", "rhodanine", "wax"], "heavy>3,logp<5": ["aspirin", "rhodanine"],
                    "weight <= 100": ["again", "ethanol"], "rotors<4,rings>=1": ["aspirin", "rhodanine"],
                    "charge=-1": ["aspirin"], "pains": ["again", "aspirin", "ethanol", "wax"],
                    "brenk": ["again", "ethanol"], "tpsa<30,acceptors<=1,donors>=1": ["again", "ethanol"],
                    "unique": ["aspirin", "ethanol", "rhodanine", "wax"], "heavy>0": everything}
        for condition, names in expected.items():
            with self.subTest(condition):
                self.make(condition)
                self.assertEqual(self.names(), names)

    @needs_rdkit
    def test_what_is_left_out_is_counted_apart(self):
        result = self.make("heavy>=4,pains,unique")
        self.assertIn("2 ligands in lib.btl", result.stdout)
        self.assertIn("1 rejected", result.stdout)
        self.assertIn("3 left out by the filter: 2 by heavy, 1 by pains\n", result.stdout)
        self.assertNotIn("ethanol", (self.folder / "lib.rejects.csv").read_text())
        summary = json.loads(self.make("unique", "--json").stdout)
        self.assertEqual((summary["ligands"], summary["rejected"], summary["filtered"]), (4, 1, 1))

    @needs_rdkit
    def test_conformers_and_isomers_are_not_copies(self):
        self.write("lib.smi", "CC(O)C(N)C=O a\nCC(O)C(N)C=O b\n")
        words = ("prep", "library", "-q", "lib.smi", "-o", "lib.btl", "--overwrite", "--filter", "unique")
        self.assert_well(self.berth(*words, "--conformers", "2"))
        self.assertEqual(self.names(), ["a_c1", "a_c2"])
        self.assert_well(self.berth(*words, "--stereo", "enumerate"))
        self.assertEqual(self.names(), ["a_s1", "a_s2", "a_s3", "a_s4"])

    def test_bad_conditions(self):
        self.write("lib.smi", "CCO a\n")
        for condition in ("weigt<3", "weight", "weight<", "weight<x", "weight<nan", "pains,", "logp!3"):
            with self.subTest(condition):
                result = self.berth("prep", "library", "-q", "lib.smi", "-o", "lib.btl", "--filter", condition)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, "is no condition; use conditions such as|no RDKit")

    @needs_rdkit
    def test_nothing_is_left(self):
        result = self.make("heavy<0", code=1)
        self.assertIn("none of 6 ligands could be prepared, or is left by the filter", result.stderr)


class Screens(cli.Case):
    """The same conditions in berth screen and berth dock."""
    CONDITION = "heavy>=4,pains"

    def setUp(self):
        super().setUp()
        self.write("receptor.pdbqt", cli.receptor())
        self.write("lib.smi", f"CCO ethanol\n{ASPIRIN} aspirin\nCC two\n{RHODANINE} rhodanine\nC1CC bad\n"
                              "CC(N)CO four\nCCC(N)CO five\nC one\n")

    def screen(self, *more, library="lib.smi", output="out", code=2):
        result = self.berth("screen", "-r", "receptor.pdbqt", "-l", library, "-o", output, *cli.BOX, *cli.QUICK, *more)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def rows(self, sql, path="out/screen.db"):
        with contextlib.closing(sqlite3.connect(self.folder / path)) as database:
            return database.execute(sql).fetchall()

    STATES = [("ethanol", "heavy is 3, not >= 4"), ("two", "heavy is 2, not >= 4"), ("rhodanine", "pains pattern"),
              ("one", "heavy is 1, not >= 4")]

    def check(self, path="out/screen.db"):
        rows = self.rows("SELECT name, reason FROM ligand WHERE status = 'BT_ERR_FILTERED' AND state = 'rejected'"
                         " ORDER BY ordinal", path)
        self.assertEqual([name for name, _ in rows], [name for name, _ in self.STATES])
        for (_, reason), (_, expected) in zip(rows, self.STATES):
            self.assertTrue(reason.startswith(expected), reason)

    @needs_rdkit
    def test_a_screen(self):
        result = self.screen("--filter", self.CONDITION)
        self.assertIn("filter    4 left out: 3 by heavy, 1 by pains\n", result.stdout)
        self.assertIn("docked    3, 1 rejected\n", result.stdout)
        self.assertNotIn("rejected ethanol", result.stderr)
        self.check()
        self.berth("screen", "--export", "rejects", "-o", "out")
        with open(self.folder / "out/rejects.csv", newline="") as file:
            rejects = {row["name"]: (row["status"], row["reason"]) for row in csv.DictReader(file)}
        self.assertEqual(rejects["two"], ("BT_ERR_FILTERED", "heavy is 2, not >= 4"))
        self.assertEqual(len(rejects), 5)
        # nothing to do for a second session, neither with --retry
        result = self.screen("--filter", self.CONDITION, "--retry", "rejected")
        self.assertIn("7 of them by earlier sessions", result.stdout)
        self.check()

    @needs_rdkit
    def test_the_filter_is_a_setting(self):
        self.screen("--filter", self.CONDITION)
        for words, now in (["--filter", "heavy>=3"], "heavy>=3"), ([], r"\(none\)"):
            result = self.screen("--resume", *words, code=1)
            self.assertRegex(result.stderr, f"the screen was started with filter heavy>=4,pains, not {now}; continue with")
        self.screen(output="plain")
        result = self.screen("--resume", "--filter", "heavy>=3", output="plain", code=1)
        self.assertIn("the screen was started with filter (none), not heavy>=3", result.stderr)

    @needs_rdkit
    def test_only_filtered_ligands_are_no_failure(self):
        self.write("lib.smi", f"{ASPIRIN} aspirin\nCC two\n")
        result = self.screen("--filter", "heavy>=4", "--json-progress", code=0)
        end = json.loads(result.stdout.splitlines()[-1])
        self.assertEqual([end[key] for key in ("done", "docked", "rejected", "filtered", "total")], [2, 1, 0, 1, 2])
        result = self.screen("--filter", "heavy<2", output="none", code=0)
        self.assertIn("filter    2 left out: 2 by heavy", result.stdout)

    @needs_rdkit
    def test_shards_and_merge(self):
        for shard in 1, 2:
            self.assertIn(self.berth("screen", "-r", "receptor.pdbqt", "-l", "lib.smi", "-o", "out", *cli.BOX, *cli.QUICK,
                                     "--shard", f"{shard}/2", "--filter", self.CONDITION).returncode, (0, 2))
        result = self.berth("merge", "out/shard-1-of-2.db", "out/shard-2-of-2.db", "-o", "merged")
        self.assert_well(result, 2)
        self.assertIn("docked    3, 1 rejected, 0 failed\nfilter    4 left out: 3 by heavy, 1 by pains\n", result.stdout)
        self.check("merged/screen.db")
        self.screen("--shard", "2/2", "--filter", "heavy>=3", output="other", code=0)
        result = self.berth("merge", "out/shard-1-of-2.db", "other/shard-2-of-2.db", "-o", "mixed")
        self.assert_refused(result, "filter is heavy>=3 here, but heavy>=4,pains in the previous databases")

    @needs_rdkit
    def test_prepared_ligands(self):
        """A .btl has SMILES; PDBQT of other programs has none."""
        self.assertEqual(self.berth("prep", "library", "-q", "lib.smi", "-o", "lib.btl").returncode, 2)
        result = self.screen("--filter", self.CONDITION, library="lib.btl", code=0)
        self.assertIn("filter    4 left out: 3 by heavy, 1 by pains\n", result.stdout)
        self.check()
        self.write("ligand.pdbqt", cli.ligand())
        result = self.screen("--filter", "heavy>=4", library="ligand.pdbqt", output="none", code=1)
        self.assertIn("which the filter needs, are unknown; use it as SDF, MOL2 or SMILES", result.stderr)

    @needs_rdkit
    def test_berth_dock(self):
        result = self.dock("--filter", self.CONDITION, ligands=["lib.smi"])
        self.assert_well(result, 2)
        self.assertIn("4 left out by the filter: 3 by heavy, 1 by pains\n", result.stdout)
        with open(self.folder / "out/summary.csv", newline="") as file:
            self.assertEqual({row["ligand"] for row in csv.DictReader(file)}, {"aspirin", "four", "five"})
        with open(self.folder / "out/rejects.csv", newline="") as file:
            rejects = {row["ligand"]: row["status"] for row in csv.DictReader(file)}
        self.assertEqual([rejects[name] for name in ("two", "one")], ["BT_ERR_FILTERED"] * 2)
        self.write("lib.smi", "CC two\n")
        result = self.dock("--filter", "heavy>=4", ligands=["lib.smi"], output="one")
        self.assert_well(result)
        self.assertIn("two is left out by the filter: heavy is 2, not >= 4", result.stderr)

    def test_what_is_refused(self):
        commands = {"screen": ["screen", "-o", "out"], "dock": ["dock", "-o", "out"]}
        for name, command in commands.items():
            words = [*command, "-r", "receptor.pdbqt", "-l", "lib.smi", *cli.BOX]
            with self.subTest(name):
                self.assertRegex(self.berth(*words, "--filter", "weigt<3").stderr, "is no condition; use conditions|no RDKit")
                self.assertRegex(self.berth(*words, "--filter", "heavy>3,unique").stderr,
                                 "unique compares all ligands.*make a library with it first|no RDKit")
        self.assert_refused(self.berth(*commands["screen"], "-r", "receptor.pdbqt", "-l", "lib.smi", *cli.BOX, "--engine", "bude",
                                       "--filter", "heavy>3"), "--filter has no effect with --engine bude")


if __name__ == "__main__":
    cli.main()
