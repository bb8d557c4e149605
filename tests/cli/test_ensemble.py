#!/usr/bin/env python3
"""Docking into several structures of one protein: `berth dock --ensemble`.

    test_ensemble.py BIN
"""
import csv
import json
import re

import berth_cli as cli
import report_page

FEW = [*cli.QUICK, *cli.NO_STRAIN]
ENTRY = cli.SOURCE / "examples/1hpv/1hpv.pdb"


def with_gemmi():
    case = cli.Case()
    case.setUp()
    try:
        return "gemmi" not in case.berth("pockets", "-r", str(ENTRY), "--pockets", "1").stderr
    finally:
        case.doCleanups()


needs_gemmi = cli.unittest.skipUnless(with_gemmi(), "built without gemmi")


def moved(text, x):
    return "".join(f"{line[:30]}{float(line[30:38]) + x:8.3f}{line[38:]}\n" if line.startswith(("ATOM", "HETATM")) else line + "\n"
                   for line in text.splitlines())


class Ensembles(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("wide.pdbqt", cli.receptor(radius=8.4))

    def docked(self, *words, receptors=("wide.pdbqt",), output="out", options=tuple(FEW)):
        return self.berth("dock", "-r", "receptor.pdbqt", "--ensemble", *receptors, "--no-superpose", "-l", "ligand.pdbqt",
                          *cli.BOX, "-o", output, *options, *words)

    def data(self, folder="out", name="ligand"):
        return json.loads((self.folder / folder / (name + ".json")).read_text())

    def test_poses_are_those_of_each_receptor(self):
        """With any seed: the runs in each receptor are those of a docking into it alone."""
        for seed in "7", "12":
            for scoring in "vina", "ad4":
                with self.subTest(scoring, seed=seed):
                    words = ["--scoring", scoring, "--seed", seed, "--overwrite"]
                    self.assert_well(self.docked(*words))
                    both = self.data()
                    self.assertEqual([of["receptor"] for of in both["receptors"]], [1, 2])
                    self.assertEqual([of["name"] for of in both["receptors"]], ["receptor", "wide"])
                    self.assertNotIn("sites", both)
                    for number, name in (1, "receptor"), (2, "wide"):
                        self.assert_well(self.berth("dock", "-r", name + ".pdbqt", "-l", "ligand.pdbqt", *cli.BOX, "-o", name, *FEW, *words))
                        alone = self.data(name)
                        mine = [run for run in both["runs"] if run["receptor"] == number]
                        self.assertEqual({run["receptor_name"] for run in mine}, {name})
                        self.assertEqual([run["coordinates"] for run in mine if "further" not in run],
                                         [run["coordinates"] for run in alone["runs"] if "further" not in run])
                        self.assertEqual([run["inter"] for run in mine if "further" not in run],
                                         [run["inter"] for run in alone["runs"] if "further" not in run])
                        self.assertEqual(both["receptors"][number - 1]["free_energy"], min(run["free_energy"] for run in mine))

    def test_every_output_names_the_receptor(self):
        result = self.docked("--format", "pdbqt,csv,dlg,xml", "--complex", "pdb")
        self.assert_well(result)
        self.assertRegex(result.stdout, r"RMSD  rec\.")
        data = self.data()
        of = {run["run"]: run["receptor"] for run in data["runs"]}
        rows = list(csv.DictReader((self.folder / "out/ligand.csv").read_text().splitlines()))
        self.assertEqual({int(row["run"]): int(row["receptor"]) for row in rows}, of)
        self.assertEqual({(row["receptor"], row["receptor_name"]) for row in rows} - {("1", "receptor"), ("2", "wide")}, set())
        text = (self.folder / "out/ligand.pdbqt").read_text()
        self.assertEqual(re.findall(r"REMARK BERTH run .* receptor (\d)", text), [str(run["receptor"]) for run in cli.written(data)])
        self.assertEqual({int(a): int(b) for a, b in re.findall(r'<run id="(\d+)">\s*(?:<further>1</further>\s*)?<receptor>(\d+)</receptor>',
                                                                 (self.folder / "out/ligand.xml").read_text())}, of)
        self.assertEqual((self.folder / "out/ligand.dlg").read_text().count("USER    Receptor = "), len(of))
        best = cli.written(data)[0]["receptor"]
        xs = [float(line[30:38]) for line in (self.folder / "out/ligand.complex.pdb").read_text().splitlines()
              if line.startswith(("ATOM", "HETATM"))]
        theirs = [float(line[30:38]) for line in (self.folder / ("receptor.pdbqt" if best == 1 else "wide.pdbqt")).read_text().splitlines()
                  if line.startswith("ATOM")]
        self.assertEqual(xs[0], theirs[0])
        self.assert_well(self.berth("report", "out", "-q"))
        poses = report_page.data_of(self.folder / "out/report.html")["details"][0]["poses"]
        self.assertEqual({pose["run"]: pose["receptor"] for pose in poses}, {pose["run"]: of[pose["run"]] for pose in poses})
        self.assertFalse([pose for pose in poses if pose["receptor"] == 2 and pose.get("contacts")])

    def test_rescoring_has_the_pose_s_receptor(self):
        """A pose's score is what `berth score` gives for its minimum in that receptor."""
        self.assert_well(self.docked("--rescore", "vinardo", "--format", "pdbqt"))
        data = self.data()
        for number, name in (1, "receptor"), (2, "wide"):
            lead = {c["best_run"]: c["rescored"][0] for c in data["clusters"]}
            mine = [run for run in data["runs"] if run["run"] in lead and run["receptor"] == number]
            for run in mine[:2]:
                rows, at = data["ligand_pdbqt"].split("\n"), iter(zip(*[iter(lead[run["run"]]["coordinates"])] * 3))
                pose = "\n".join(line[:30] + "%8.3f%8.3f%8.3f" % next(at) + line[54:] if line.startswith("ATOM") else line for line in rows)
                self.write("pose.pdbqt", pose)
                result = self.berth("score", "-r", name + ".pdbqt", "-l", "pose.pdbqt", *cli.BOX, "--scoring", "vinardo", "--json")
                self.assert_well(result)
                energy = json.loads(result.stdout.splitlines()[0])["energy"]
                self.assertAlmostEqual(energy["inter"], lead[run["run"]]["inter"], delta=0.02)

    def test_several_ligands(self):
        self.write("long.pdbqt", cli.ligand(atoms=12, torsions=2))
        result = self.berth("dock", "-r", "receptor.pdbqt", "--ensemble", "wide.pdbqt", "--no-superpose", "-l", "ligand.pdbqt",
                            "long.pdbqt", *cli.BOX, "-o", "out", *FEW)
        self.assert_well(result)
        rows = list(csv.DictReader((self.folder / "out/summary.csv").read_text().splitlines()))
        self.assertEqual({row["ligand"]: row["receptor"] for row in rows},
                         {name: str(cli.written(self.data(name=name))[0]["receptor"]) for name in ("ligand", "long")})
        self.assertEqual({row["runs"] for row in rows}, {"4"})

    def test_seed_poses(self):
        self.write("seed.pdbqt", cli.ligand(shift=(0.5, 0, 0)))
        self.assert_well(self.docked("--seed-poses", "seed.pdbqt"))
        self.assertEqual([(run["receptor"], run["seed_pose"]) for run in self.data()["runs"] if run["origin"] == "seed"], [(1, 1), (2, 1)])

    def test_refusals(self):
        for words, told in ((["--contacts"], "--contacts"), (["--center", "1,0,0"], "single box"), (["--write-maps", "m"], "--write-maps"),
                            (["--flex", "ligand.pdbqt"], "--flex"), (["--ensemble", "a.maps.fld"], "receptors with atoms")):
            with self.subTest(words):
                self.assert_refused(self.docked(*words), told)
        self.assert_refused(self.berth("dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", *cli.BOX, "-o", "out", "--no-superpose"),
                            "no effect without --ensemble")
        self.assert_refused(self.berth("dock", "-r", "receptor.pdbqt", "--ensemble", "wide.pdbqt", "-l", "ligand.pdbqt", *cli.BOX,
                                       "-o", "out"), "no chain has the sequence")
        self.assert_refused(self.docked(receptors=("absent.pdbqt",)), "absent.pdbqt")

    @needs_gemmi
    def test_superposed_models(self):
        """A moved copy, and every model of a file but the receptor's own, come back onto the receptor."""
        text = "".join(line + "\n" for line in ENTRY.read_text().splitlines() if line.startswith(("ATOM", "HETATM", "TER")))
        self.write("entry.pdb", text + "END\n")
        self.write("away.pdb", moved(text, 25) + "END\n")
        self.write("models.pdb", "".join(f"MODEL {k + 1:8d}\n{moved(text, 11 * k)}ENDMDL\n" for k in range(2)) + "END\n")
        words = ["--autobox", "478", "--set-state", "B:25:ASH", "-l", "ligand.pdbqt", *FEW, "--overwrite"]
        for first, others, models in (("entry.pdb", ["away.pdb"], 1), ("models.pdb", ["models.pdb"], 1), ("entry.pdb", ["models.pdb"], 2)):
            with self.subTest(others, first=first):
                result = self.berth("dock", "-r", first, "--ensemble", *others, *words, "-o", "out")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(len(re.findall(r"superposed on .* RMSD 0\.0\d Angstrom", result.stderr)), models, result.stderr)
                places = [[tuple(float(line[at:at + 8]) for at in (30, 38, 46)) for line in (self.folder / "out" / name).read_text().splitlines()
                           if line.startswith("ATOM") and not line.rstrip().endswith("HD")] for name in ("receptor.pdbqt", "receptor-2.pdbqt")]
                self.assertEqual(len(places[0]), len(places[1]))
                self.assertLess(max(abs(p - q) for a, b in zip(*places) for p, q in zip(a, b)), 0.05)


if __name__ == "__main__":
    cli.main()
