"""Stereochemistry that rings exclude is recognized without embedding it in vain, and strained isomers are not taken for it."""
import csv
import unittest

import berth_cli as cli
from test_raw_dock import needs_rdkit

EXCLUDED = {  # of the decoys of screening sets, each with the centers that are named
    "tropane": ("COC(=O)N1[C@@H]2CC[C@@H]1CC(O)C2", "C6 and C9"),
    "lactone": ("O=C(NC)[C@@H]1[C@H]2C[C@H]3[C@H]1C(=O)O[C@H]3C2", "C6, C8, C9 and C13"),
    "norbornane": ("C1C[C@H]2C[C@H]1CC2F", "C3 and C5")}
POSSIBLE = {
    "tropane": "COC(=O)N1[C@@H]2CC[C@H]1CC(O)C2",
    "strained": "CC1=C[C@]2(C)C=C[C@@H]1C(=O)[C@@]1(C)CC[C@](O)(C(C)C)[C@H]1CC2",  # embedded by a full optimization alone
    "trans_decalin": "C1CC[C@H]2CCCC[C@@H]2C1", "cis_decalin": "C1CC[C@@H]2CCCC[C@@H]2C1",
    "trans_bicyclooctane": "C1C[C@H]2CCC[C@@H]2C1", "cubane": "C12C3C4C1C5C2C3C45"}


class Impossible(cli.Case):
    def rejects(self, *options):
        self.write("lib.smi", "".join(f"{smiles} {name}\n" for name, (smiles, _) in EXCLUDED.items()) + "CCO ethanol\n")
        result = self.berth("prep", "library", "-q", "-l", "lib.smi", "-o", "lib.btl", *options)
        self.assertEqual(result.returncode, 2, result.stderr)
        with open(self.folder / "lib.rejects.csv", newline="") as file:
            return {row["ligand"]: row["message"] for row in csv.DictReader(file)}

    @needs_rdkit
    def test_centers_are_named(self):
        messages = self.rejects()
        self.assertEqual(set(messages), set(EXCLUDED))
        for name, (_, centers) in EXCLUDED.items():
            with self.subTest(name):
                self.assertIn(f"no 3D coordinates with its stereochemistry at {centers} could be generated", messages[name])

    @needs_rdkit
    def test_embedded_as_a_whole(self):
        for name, message in self.rejects("--coordinates", "etkdg").items():
            self.assertIn(f"stereochemistry at {EXCLUDED[name][1]} could be generated", message)

    @needs_rdkit
    def test_possible_isomers_are_accepted(self):
        self.write("lib.smi", "".join(f"{smiles} {name}\n" for name, smiles in POSSIBLE.items()))
        for way in "quick", "etkdg":
            with self.subTest(way):
                self.assert_well(self.berth("prep", "library", "-q", "-l", "lib.smi", "-o", f"{way}.btl", "--coordinates", way))


if __name__ == "__main__":
    cli.main()
