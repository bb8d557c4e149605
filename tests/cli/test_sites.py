"""Several boxes: detected pockets and given boxes; the poses of all are ranked together."""
import csv
import json
import re

import berth_cli as cli
import report_page


def shifted(text, x):
    return "".join(f"{line[:30]}{float(line[30:38]) + x:8.3f}{line[38:]}\n" for line in text.splitlines()
                   if line.startswith("ATOM"))


class Sites(cli.Case):
    def setUp(self):
        super().setUp()
        hollow = cli.receptor()
        (self.folder / "two.pdbqt").write_text(shifted(hollow, 0) + shifted(cli.receptor(radius=7.0, count=70), 40))

    def docked(self, *words, output="out"):
        return self.berth("dock", "-r", "two.pdbqt", "-l", "ligand.pdbqt", "-o", output, *cli.QUICK, *words)

    def test_pockets(self):
        result = self.berth("pockets", "-r", "two.pdbqt", "--json")
        self.assert_well(result)
        pockets = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([p["pocket"] for p in pockets], list(range(1, len(pockets) + 1)))
        for middle in 0, 40:
            near = [p for p in pockets if abs(p["center"][0] - middle) < 2]
            self.assertEqual(len(near), 1)
            self.assertLess(max(abs(near[0]["center"][k]) for k in (1, 2)), 2)
            self.assertGreater(near[0]["buried"], 0.8)
        self.assertEqual(pockets, sorted(pockets, key=lambda p: -p["score"]))
        table = self.berth("pockets", "-r", "two.pdbqt", "--pockets", "1")
        self.assert_well(table)
        self.assertEqual(len(table.stdout.splitlines()), 2)

    def test_blind(self):
        result = self.docked("--blind", "--pockets", "2", "--format", "csv,pdbqt")
        self.assert_well(result)
        self.assertIn("2 found, 2 docked", result.stdout)
        data = json.loads((self.folder / "out/ligand.json").read_text())
        self.assertEqual([run["site"] for run in data["runs"] if "further" not in run], [1, 1, 2, 2])
        boxes = {s["site"]: s["center"] for s in data["sites"]}
        for run in data["runs"]:
            x = run["coordinates"][0::3]
            self.assertLess(abs(sum(x) / len(x) - boxes[run["site"]][0]), 9)
        rows = list(csv.DictReader((self.folder / "out/ligand.csv").read_text().splitlines()))
        self.assertEqual(len(rows), len(data["runs"]))
        poses = (self.folder / "out/ligand.pdbqt").read_text()
        self.assertEqual(re.findall(r"REMARK BERTH run .* site (\d)", poses), [str(run["site"]) for run in cli.written(data)])
        best = {row["cluster"]: row for row in rows if row["rank_in_cluster"] == "1"}
        energies = [float(best[c]["free_energy"]) for c in sorted(best, key=int)]
        self.assertEqual(len({row["site"] for row in rows}), 2)
        self.assertEqual(len(energies), len(data["clusters"]))

    def test_poses_of_a_site_are_those_of_its_box(self):
        words = ["--rescore", "none", "--size", "15,15,15", "--format", "csv"]
        self.assert_well(self.docked("--center", "0,0,0", "--center", "40,0,0", *words))
        self.assert_well(self.docked("--center", "40,0,0", *words, output="second"))
        both = json.loads((self.folder / "out/ligand.json").read_text())["runs"]
        one = json.loads((self.folder / "second/ligand.json").read_text())["runs"]
        self.assertEqual([r["coordinates"] for r in both if r["site"] == 2], [r["coordinates"] for r in one])
        self.assertEqual([s["size"] for s in json.loads((self.folder / "out/ligand.json").read_text())["sites"]],
                         [[15, 15, 15]] * 2)
        self.assertNotIn("site", one[0])

    def test_every_output_names_the_site(self):
        self.assert_well(self.docked("--blind", "--pockets", "2", "--format", "dlg,xml"))
        runs = json.loads((self.folder / "out/ligand.json").read_text())["runs"]
        sites = {run["run"]: run["site"] for run in runs}
        log, xml = (self.folder / "out/ligand.dlg").read_text(), (self.folder / "out/ligand.xml").read_text()
        for pattern, text in ((r"USER    Run = (\d+)\nDOCKED: USER\n(?:.*minimum\nDOCKED: USER\n)?DOCKED: USER    Site = (\d+)\n", log),
                              (r'<run id="(\d+)">\s*(?:<further>1</further>\s*)?<site>(\d+)</site>', xml)):
            self.assertEqual({int(run): int(site) for run, site in re.findall(pattern, text)}, sites)
        self.assert_well(self.berth("report", "out", "-q"))
        poses = report_page.data_of(self.folder / "out/report.html")["details"][0]["poses"]
        self.assertEqual({pose["run"]: pose["site"] for pose in poses}, {pose["run"]: sites[pose["run"]] for pose in poses})
        self.assertGreater(len(poses), 1)

    def test_score_repeats_the_energies(self):
        self.assert_well(self.docked("--blind", "--pockets", "2", "--format", "pdbqt"))
        result = self.berth("score", "-r", "two.pdbqt", "-l", "out/ligand.pdbqt", "--json")
        self.assert_well(result)
        scored = [json.loads(line)["energy"]["free_energy"] for line in result.stdout.splitlines()]
        docked = cli.written(json.loads((self.folder / "out/ligand.json").read_text()))
        self.assertEqual(len(scored), len(docked))
        for a, b in zip(scored, (r["free_energy"] for r in docked)):
            self.assertAlmostEqual(a, b, places=2)

    def test_several_ligands(self):
        (self.folder / "long.pdbqt").write_text(cli.ligand(atoms=14, torsions=3))
        result = self.berth("dock", "-r", "two.pdbqt", "-l", "ligand.pdbqt", "long.pdbqt", "--blind", "--pockets", "2",
                            "-o", "out", *cli.QUICK)
        self.assert_well(result)
        rows = list(csv.DictReader((self.folder / "out/summary.csv").read_text().splitlines()))
        self.assertEqual(sorted(row["ligand"] for row in rows), ["ligand", "long"])
        for row in rows:
            self.assertIn(row["site"], ["1", "2"])
        self.assertEqual({row["runs"] for row in rows}, {"4"})

    def test_autoboxes(self):
        (self.folder / "there.pdbqt").write_text(cli.ligand(shift=(40, 0, 0)))
        result = self.docked("--autobox", "ligand.pdbqt", "--autobox", "there.pdbqt")
        self.assert_well(result)
        data = json.loads((self.folder / "out/ligand.json").read_text())
        self.assertEqual([round(s["center"][0] / 40) for s in data["sites"]], [0, 1])

    def test_refusals(self):
        for words, told in ((["--blind", *cli.BOX], "--blind places the boxes itself"), (["--pockets", "2", *cli.BOX], "--blind"),
                            (["--blind", "--write-maps", "m"], "--write-maps"),
                            (["--center", "0,0,0", "--center", "1,0,0", "--autobox", "ligand.pdbqt", "--size", "9,9,9"],
                             "one of the two")):
            with self.subTest(words):
                self.assert_refused(self.docked(*words), told)
        self.assert_refused(self.berth("pockets"), "no receptor")
        (self.folder / "flat.pdbqt").write_text(cli.atom(1, "C", 0, 0, 0, 0.1, "C") + "\n")
        self.assert_refused(self.berth("dock", "-r", "flat.pdbqt", "-l", "ligand.pdbqt", "-o", "out", "--blind"),
                            "no pocket was found")


if __name__ == "__main__":
    cli.main()
