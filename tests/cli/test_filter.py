"""berth prep library --filter: what is left out of a library, and how that is said."""
import json
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


if __name__ == "__main__":
    cli.main()
