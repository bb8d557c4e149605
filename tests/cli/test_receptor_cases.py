#!/usr/bin/env python3
"""Receptors that came out as something else: chains that vanished, atoms that stood twice, cofactors that were refused.

    test_receptor_cases.py BIN
"""
import json

import berth_cli as cli

AFFINITY = -7.9459  # of both chains of HIV protease with their ligand, by Vina's function


class ReceptorCases(cli.Case):
    def affinity(self, receptor, ligand, *options):
        result = self.berth("score", "-r", receptor, "-l", ligand, "--scoring", "vina", *options)
        if "gemmi" in result.stderr:
            self.skipTest("built without gemmi")
        self.assert_well(result)
        return float(result.stdout.splitlines()[-1].split()[2]), result.stderr

    def test_chains_of_one_name(self):
        case = cli.shared("data", "cases", "01-same-chain-id")
        for name, note in (("both_A.pdb", "it is called B here"), ("two_chains.pdb", "")):
            affinity, notes = self.affinity(case / name, case / "ligand.pdbqt")
            self.assertAlmostEqual(affinity, AFFINITY, 3, name)
            self.assertIn(note, notes)

    def test_models_of_an_assembly(self):
        case = cli.shared("data", "cases", "14-assembly-models")
        for name in ("assembly.pdb", "assembly.pdb1"):
            one, notes = self.affinity(case / name, case / "ligand.pdbqt")
            self.assertGreater(one, AFFINITY + 1)
            self.assertIn("an assembly, not an ensemble; --model all joins them", notes)
            self.assertAlmostEqual(self.affinity(case / name, case / "ligand.pdbqt", "--model", "all")[0], AFFINITY, 3)

    def test_atoms_that_stand_twice(self):
        case = cli.shared("data", "cases", "attack", "08")
        ligand = cli.shared("data", "cases", "01-same-chain-id") / "ligand.pdbqt"
        affinity, notes = self.affinity(case / "dup.pdb", ligand)
        self.assertAlmostEqual(affinity, AFFINITY, 3)
        self.assertIn("left out: another residue stands in its place", notes)

    def test_cofactor_under_other_names(self):
        case = cli.shared("data", "cases", "17-cofactor-other-names")
        result = self.berth("prep", "receptor", case / "receptor.pdb", "-o", "r")
        if "gemmi" in result.stderr:
            self.skipTest("built without gemmi")
        self.assert_well(result)
        self.assertIn("matched by elements and bonds", result.stderr)
        residues = json.loads((self.folder / "r.report.json").read_text())["residues"]
        cofactor = next(residue for residue in residues if residue["name"] == "NDP")
        self.assertEqual((cofactor["heavy_atoms"], cofactor["charge"], cofactor["state"]), (48, -4, "NDP"))


if __name__ == "__main__":
    cli.main()
