#!/usr/bin/env python3
"""Checks of poses in every output of `berth dock`, its report, and of given poses by `berth score --checks`.

    test_checks.py BIN
"""
import csv
import json
import re

import berth_cli as cli
import report_page
from test_raw_dock import needs_rdkit

GEOMETRY = ["bond_lengths", "bond_angles", "internal_clash", "aromatic_ring_flatness", "ring_nonflatness",
            "double_bond_flatness", "tetrahedral_stereo", "double_bond_stereo", "internal_energy"]
CONTACTS = ["protein_maximum_distance"] + [f"{kind}_{what}" for what in ("distance", "overlap")
                                           for kind in ("protein", "organic_cofactor", "inorganic_cofactor", "water")]


def moved(sdf, change):
    """A record with other coordinates: change(index from 0, [x, y, z]) returns them."""
    lines = sdf.split("\n")
    for k in range(int(lines[3][:3])):
        x = change(k, [float(lines[4 + k][10 * i:10 * i + 10]) for i in range(3)])
        lines[4 + k] = "".join(f"{value:10.4f}" for value in x) + lines[4 + k][30:]
    return "\n".join(lines)


@needs_rdkit
class Checks(cli.Case):
    def dock_smiles(self, smiles, *more, output="out"):
        self.write("a.smi", f"{smiles} a\n")
        return self.berth("dock", "-r", "receptor.pdbqt", "-l", "a.smi", "-o", output, "-q", "--overwrite", *cli.QUICK,
                          *cli.BOX, *more)

    def pose(self):
        """The best pose as SDF, without what it records of its docking."""
        self.assert_well(self.dock_smiles("C[C@H](O)c1ccccc1", "--format", "sdf"))
        record = (self.folder / "out/a.sdf").read_text().split("$$$$\n")[0]
        return record[:record.index("M  END\n")] + "M  END\n$$$$\n"

    def score(self, pose, *more):
        self.write("pose.sdf", pose)
        done = self.berth("score", "-r", "receptor.pdbqt", "-l", "pose.sdf", "--checks", "--json", *more)
        self.assert_well(done)
        return json.loads(done.stdout)["checks"]

    def test_every_output_has_them(self):
        done = self.dock_smiles("C[C@H](O)c1ccccc1", "--format", "csv,sdf")
        self.assert_well(done)
        self.assertRegex(done.stdout, r"(Checks of the best pose: pass|! Checks that the best pose fails: \w+[\w ]*); \d+ of \d+ poses pass")
        data = json.loads((self.folder / "out/a.json").read_text())
        sdf = (self.folder / "out/a.sdf").read_text()
        rows = {int(row["run"]): row for row in csv.DictReader((self.folder / "out/a.csv").read_text().splitlines())}
        written = cli.written(data)
        self.assertEqual(sdf.count("> <checks>\n"), len(written))
        for run in data["runs"]:
            found, row = run["checks"], rows[run["run"]]
            if run not in written:
                self.assertIsNone(found)
                self.assertEqual(row["checks"], "")
                continue
            self.assertEqual(sorted(found["values"]), sorted(GEOMETRY + CONTACTS))
            self.assertEqual(found["pass"], found["failed"] == [])
            self.assertEqual(row["checks"], " ".join(found["failed"]) or "pass")
            self.assertIn(f"> <checks>\n{row['checks']}\n", sdf)
            for name in GEOMETRY[:2]:
                self.assertLess(found["values"][name], 0.25, "a search changes neither bonds nor angles")
            self.assertEqual(found["values"]["tetrahedral_stereo"], 0)
            self.assertIsNone(found["values"]["double_bond_stereo"])
            self.assertIsNone(found["values"]["internal_energy"])
        self.assert_well(self.berth("report", "out"))
        poses = report_page.data_of(self.folder / "out/report.html")["details"][0]["poses"]
        self.assertTrue(any("checks" in pose for pose in poses))
        for pose in poses:
            if "checks" in pose:
                self.assertEqual(" ".join(pose["checks"]) or "pass", rows[pose["run"]]["checks"])

    def test_poses_of_a_screen(self):
        """As `berth score --checks` finds them in the exported file."""
        self.write("l.smi", "C[C@H](O)c1ccccc1 a\nCC(=O)Nc1ccc(O)cc1 b\nOC1CCCCC1 c\n")
        self.assert_well(self.berth("screen", "-q", "-r", "receptor.pdbqt", "-l", "l.smi", "-o", "s", "--poses", "2", *cli.QUICK,
                                    *cli.BOX))
        records = (self.folder / "s/top.sdf").read_text().split("$$$$\n")[:-1]
        self.assertGreater(len(records), 3)
        verdicts = [re.search(r"> +<checks>\n(.+)\n", record)[1] for record in records]
        scored = self.berth("score", "-r", "receptor.pdbqt", "-l", "s/top.sdf", "--checks", "--json")
        self.assert_well(scored)
        found = [json.loads(line)["checks"]["failed"] for line in scored.stdout.splitlines()]
        self.assertEqual(verdicts, [" ".join(failed) or "pass" for failed in found])
        self.assertEqual((self.folder / "s/top.sdf").read_text().count("> <checks>"), len(records))
        self.check_page_of_a_screen()

    def check_page_of_a_screen(self):
        """With the verdicts of `berth score --checks`, also of a receptor that the best pose clashes with."""
        best = next(line for line in (self.folder / "s/top.sdf").read_text().splitlines() if re.search(r" C   0", line))
        lines = (self.folder / "receptor.pdbqt").read_text().splitlines(True)
        at = next(k for k, line in enumerate(lines) if line.startswith("ATOM") and line.split()[-1] == "C")
        place = "".join(f"{float(x):8.3f}" for x in best.split()[:3])
        lines[at] = lines[at][:30] + place + lines[at][54:]
        self.write("clash.pdbqt", "".join(lines))
        for receptor, clashes in ("receptor.pdbqt", False), ("clash.pdbqt", True):
            self.assert_well(self.berth("report", "s", "-r", receptor))
            data = report_page.data_of(self.folder / "s/report.html")
            poses = [pose for detail in data["details"] for pose in detail["poses"]]
            scored = self.berth("score", "-r", receptor, "-l", "s/top.sdf", "--checks", "--ignore-docking", "--json")
            self.assert_well(scored)
            found = [json.loads(line)["checks"] for line in scored.stdout.splitlines()]
            self.assertEqual([pose["checks"] for pose in poses], [one["failed"] for one in found])
            self.assertEqual("protein_distance" in poses[0]["checks"], clashes)
            self.assertIsInstance(poses[0]["strain"], float)
            names = [name for name, _, _ in data["limits"]]
            for pose, one in zip(poses, found):
                for name, value in zip(names, pose["tested"]):
                    if one["values"][name] is None or "stereo" in name:
                        continue
                    self.assertAlmostEqual(value, one["values"][name], delta=0.002, msg=name)

    def test_json_of_the_terminal(self):
        done = self.dock_smiles("CCO", "--json")
        self.assert_well(done)
        found = json.loads(done.stdout)
        best = next(run for run in json.loads((self.folder / "out/a.json").read_text())["runs"] if run["run"] == found["best"]["run"])
        self.assertEqual(found["checks"], best["checks"])

    def test_off_and_energy(self):
        self.assert_well(self.dock_smiles("CCO", "--checks", "off", "--format", "csv,sdf"))
        for name in ("a.csv", "a.sdf", "a.json"):
            self.assertNotIn("checks", (self.folder / "out" / name).read_text().replace("--checks", ""))
        self.assert_well(self.dock_smiles("CCO", "--checks", "energy", output="energy"))
        data = json.loads((self.folder / "energy/a.json").read_text())
        self.assertGreater(cli.written(data)[0]["checks"]["values"]["internal_energy"], 0)
        self.assert_refused(self.dock_smiles("CCO", "--checks", "some"), "some", "energy")

    def test_energies_stay(self):
        self.assert_well(self.dock_smiles("CCCCNC(=O)c1ccccc1", "--checks", "off"))
        self.assert_well(self.dock_smiles("CCCCNC(=O)c1ccccc1", output="on"))
        energies = [[run["free_energy"] for run in json.loads((self.folder / place / "a.json").read_text())["runs"]]
                    for place in ("out", "on")]
        self.assertEqual(*energies)

    def test_score_of_a_docked_pose(self):
        pose = self.pose()
        docked = cli.written(json.loads((self.folder / "out/a.json").read_text()))[0]["checks"]
        found = self.score(pose, "--reference", "pose.sdf")
        for name, value in docked["values"].items():
            if value is None:
                self.assertTrue(found["values"][name] in (None, 0), name)
            else: # files have fewer digits
                self.assertAlmostEqual(found["values"][name], value, delta=0.005, msg=name)

    def test_distorted_poses(self):
        pose = self.pose()
        self.write("reference.sdf", pose)
        good = self.score(pose, "--reference", "reference.sdf")
        self.assertEqual([name for name in good["failed"] if name in GEOMETRY], [])
        mirrored = self.score(moved(pose, lambda k, x: [-x[0], x[1], x[2]]), "--reference", "reference.sdf")
        self.assertIn("tetrahedral_stereo", mirrored["failed"])
        self.assertIsNone(self.score(moved(pose, lambda k, x: [-x[0], x[1], x[2]]))["values"]["tetrahedral_stereo"])
        long = self.score(moved(pose, lambda k, x: [1.5 * x[0], 1.5 * x[1], 1.5 * x[2]]), "--checks-energy")
        self.assertIn("bond_lengths", long["failed"])
        self.assertGreater(long["values"]["internal_energy"], good["values"].get("internal_energy") or 0)
        far = self.score(moved(pose, lambda k, x: [x[0] + 200, x[1], x[2]]))
        self.assertEqual(far["failed"], ["protein_maximum_distance"])
        self.assertGreater(far["values"]["protein_maximum_distance"], 100)

    def test_kinds_of_atoms(self):
        pose = self.pose()
        first = pose.split("\n")[4]
        x = [float(first[10 * i:10 * i + 10]) for i in range(3)]
        base = (self.folder / "receptor.pdbqt").read_text()
        for residue, kind, name in (("HOH", "OA", "water"), ("LIG", "C", "organic_cofactor"), ("ZN", "Zn", "inorganic_cofactor")):
            line = f"HETATM 9999  X   {residue:>3s} Z 999    {x[0] + 1:8.3f}{x[1]:8.3f}{x[2]:8.3f}  1.00  0.00     0.000 {kind}\n"
            self.write("receptor.pdbqt", base + line)
            found = self.score(pose)
            self.assertIn(f"{name}_distance", found["failed"])
            self.assertIsNotNone(found["values"][f"{name}_overlap"])

    def test_table_of_scores(self):
        self.write("pose.sdf", moved(self.pose(), lambda k, x: [1.5 * x[0], 1.5 * x[1], 1.5 * x[2]]))
        done = self.berth("score", "-r", "receptor.pdbqt", "-l", "pose.sdf", "--checks")
        self.assert_well(done)
        self.assertTrue(re.search(r"checks: .*bond_lengths 0\.\d+ \(at most 0\.25\)", done.stdout), done.stdout)

    def test_refusals(self):
        self.write("pose.sdf", self.pose())
        score = ("score", "-r", "receptor.pdbqt", "-l", "pose.sdf")
        self.assert_refused(self.berth(*score, "--checks", "--minimize"), "--checks", "--minimize")
        self.assert_refused(self.berth(*score, "--checks-energy"), "add --checks")
        self.assert_refused(self.berth(*score, "--reference", "pose.sdf"), "add --checks")
        self.assert_refused(self.berth("score", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "--checks"), "REMARK SMILES")
        self.write("other.smi", "CCO other\n")
        self.assert_well(self.berth("dock", "-r", "receptor.pdbqt", "-l", "other.smi", "-o", "o", "-q", *cli.QUICK, *cli.BOX))
        self.assert_refused(self.berth(*score, "--checks", "--reference", "o/other.sdf"), "another molecule")
        done = self.berth("dock", "-r", "receptor.pdbqt", "-l", "other.smi", "-o", "c", "--covalent", "A:SER1", "--checks", "on")
        self.assertNotEqual(done.returncode, 0)

    def test_without_bonds(self):
        self.assert_well(self.dock("--format", "csv", output="pdbqt"))
        self.assertIsNone(json.loads((self.folder / "pdbqt/ligand.json").read_text())["runs"][0]["checks"])


if __name__ == "__main__":
    cli.main()
