#!/usr/bin/env python3
"""Strain and faults of poses in every output of `berth dock`, its report, and the poses of a screen.

    test_strain.py BIN
"""
import csv
import json

import berth_cli as cli
import report_page
from test_raw_dock import needs_rdkit


@needs_rdkit
class Strain(cli.Case):
    def dock_smiles(self, smiles, *more, output="out"):
        self.write("a.smi", f"{smiles} a\n")
        return self.berth("dock", "-r", "receptor.pdbqt", "-l", "a.smi", "-o", output, "-q", "--overwrite", *cli.QUICK,
                          *cli.BOX, *more)

    def rows(self, output="out"):
        return list(csv.DictReader((self.folder / output / "a.csv").read_text().splitlines()))

    def runs(self, output="out"):
        data = json.loads((self.folder / output / "a.json").read_text())
        return data, {run["run"]: run for run in data["runs"]}

    def test_every_output_has_it(self):
        self.assert_well(self.dock_smiles("CCCCNC(=O)c1ccccc1", "--strain", "all", "--format", "csv,sdf"))
        data, runs = self.runs()
        self.assertEqual(data["strain_source"], "MMFF94s")
        sdf = (self.folder / "out/a.sdf").read_text()
        for row in self.rows():
            self.assertEqual(row["strain_source"], "MMFF94s")
            self.assertTrue(0 <= float(row["strain"]) < 60, row)
            self.assertAlmostEqual(float(row["strain"]), runs[int(row["run"])]["strain"], delta=0.006)
            self.assertEqual(row["flags"].split(), runs[int(row["run"])]["flags"])
        for pose in cli.written(data):
            self.assertIn(f"> <strain>\n{pose['strain']:.3f}\n", sdf)
        self.assertEqual(sdf.count("> <strain_source>\nMMFF94s\n"), len(cli.written(data)))
        self.assert_well(self.berth("report", "out"))
        poses = report_page.data_of(self.folder / "out/report.html")["details"][0]["poses"]
        self.assertTrue(all(isinstance(pose["strain"], (int, float)) for pose in poses))

    def test_best_poses_of_clusters(self):
        self.assert_well(self.dock_smiles("CCCCNC(=O)c1ccccc1", "--strain", "clusters"))
        for row in self.rows():
            self.assertEqual(row["strain"] != "", row["rank_in_cluster"] == "1" and int(row["cluster"]) <= 9, row)

    def test_off(self):
        self.assert_well(self.dock_smiles("CCO", "--strain", "off", "--format", "csv,sdf"))
        self.assertNotIn("strain", self.rows()[0])
        self.assertNotIn("strain_source", self.runs()[0])
        self.assertNotIn("strain", (self.folder / "out/a.sdf").read_text())
        self.assert_refused(self.dock_smiles("CCO", "--strain", "some"), "some", "clusters")

    def test_energies_stay(self):
        self.assert_well(self.dock_smiles("CCCCNC(=O)c1ccccc1", "--strain", "off"))
        self.assert_well(self.dock_smiles("CCCCNC(=O)c1ccccc1", "--strain", "all", output="all"))
        self.assertEqual([row["free_energy"] for row in self.rows()], [row["free_energy"] for row in self.rows("all")])

    def test_uff_and_unknown_bonds(self):
        self.assert_well(self.dock_smiles("CCCCB(O)O", "--scoring", "ad4"))
        self.assertEqual(self.rows()[0]["strain_source"], "UFF")
        self.assert_well(self.dock("--strain", "all", output="pdbqt"))
        row = next(csv.DictReader((self.folder / "pdbqt/ligand.csv").read_text().splitlines()))
        self.assertEqual((row["strain"], row["strain_source"]), ("", ""))
        self.assertIsNone(json.loads((self.folder / "pdbqt/ligand.json").read_text())["runs"][0]["strain"])

    def test_best_poses_of_a_screen(self):
        self.write("a.smi", "CCCCNC(=O)c1ccccc1 amide\nCCO ethanol\n")
        self.assert_well(self.berth("screen", "-r", "receptor.pdbqt", "-l", "a.smi", "-o", "s", "-q", *cli.QUICK, *cli.BOX))
        self.assertGreaterEqual((self.folder / "s/top.sdf").read_text().count("> <strain>"), 2)


if __name__ == "__main__":
    cli.main()
