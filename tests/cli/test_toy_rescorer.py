"""A re-scorer that is no scoring function of a search: tests/toy_rescorer/ and its line of the registry, in every output."""
import math
import re
import sqlite3
import unittest

import berth_cli as cli
from report_page import data_of
from test_raw_dock import RDKIT
from test_scoring import FORMATS, HIV, Case
from test_screen import without_sqlite

PROGRAM = cli.BIN.parent / "tests" / "berth_with_crowd"
REACH, GAIN = 4.0, -0.02  # of crowd.c
VALUE = "crowd_pairs"     # what it says beside its score


@unittest.skipUnless(PROGRAM.exists(), "a build without cmocka")
class Toy(Case):
    def berth(self, *arguments, **options):
        return self.run_program(PROGRAM, *arguments, **options)

    @staticmethod
    def atoms(lines):
        return [tuple(float(line[k:k + 8]) for k in (30, 38, 46)) for line in lines if line.startswith(("ATOM", "HETATM"))]

    def pairs(self, coordinates):
        """What crowd.c counts for a pose."""
        receptor = self.atoms((HIV / "receptor.pdbqt").read_text().splitlines())
        pose = [coordinates[k:k + 3] for k in range(0, len(coordinates), 3)]
        return sum(math.dist(x, y) < REACH for x in pose for y in receptor)

    def with_bromine(self):
        lines = (HIV / "ligand.pdbqt").read_text().splitlines(keepends=True)
        text = "".join(line for line in lines if not line.startswith("REMARK"))
        return self.write("bromine.pdbqt", re.sub(r" (C|A) *$", " Br", text, count=1, flags=re.MULTILINE))

    def test_docking(self):
        result = self.hiv("dock", "--scoring", "ad4", "-n", "6", "--format", FORMATS, "--rescore", "vina,crowd", "--rank-by",
                          "score", "--json", ligands=(HIV / "ligand.pdbqt", HIV / "ligand-crystal.pdbqt"))
        self.assert_well(result)
        docking, rows = self.docking(), self.rows("out/ligand.csv")
        self.assertEqual(docking["ranked_by"], "crowd")
        runs = {run["run"]: run for run in docking["runs"]}
        scores, counts = [], []
        for cluster in docking["clusters"]:
            vina, crowd = cluster["rescored"]
            scores.append(crowd["free_energy"])
            counts.append(crowd[VALUE])
            self.assertEqual(crowd[VALUE], self.pairs(runs[cluster["best_run"]]["coordinates"]))
            self.assertAlmostEqual(crowd["free_energy"], GAIN * crowd[VALUE], delta=1e-9)
            self.assertEqual(sorted(crowd), [VALUE, "free_energy", "rank", "rmsd_docked", "rmsd_reference", "scoring"])
            self.assertNotIn(VALUE, vina)
            self.assertEqual((crowd["scoring"], crowd["rmsd_docked"], cluster["rank_energy"]), ("crowd", 0, scores[-1]))
            self.assertIn("coordinates", vina)
        self.assertEqual(scores, sorted(scores))
        self.assertEqual((float(rows[0]["crowd"]), rows[0]["crowd_rank"], rows[0]["crowd_moved"]), (scores[0], "1", "0.000"))
        self.assertEqual([row[VALUE] for row in rows if row["rank_in_cluster"] == "1"], [str(count) for count in counts])
        summary = {row["ligand"]: row for row in self.rows("out/summary.csv")}
        self.assertEqual((summary["ligand"]["crowd"], summary["ligand"][VALUE]), (f"{scores[0]:.3f}", str(counts[0])))
        self.assertIn(f'"scoring": "crowd", "free_energy": {scores[0]:g}', result.stdout)
        self.assertIn(f'"{VALUE}": {counts[0]}' + "}", result.stdout)
        self.assertIn(f"REMARK BERTH rescored crowd {scores[0]:.3f} rank 1 moved 0.000 {VALUE} {counts[0]}\n",
                      self.text("out/ligand.pdbqt"))
        if RDKIT:
            self.assertIn(f"> <score_crowd>\n{scores[0]:.3f}\n\n> <rank_crowd>\n1\n\n> <{VALUE}>\n{counts[0]}\n", self.text("out/ligand.sdf"))
        self.assert_well(self.berth("report", "out", "-o", "page.html"))
        details = data_of(self.folder / "page.html")["details"]
        self.assertIn({VALUE: counts[0]}, [detail["poses"][0]["values"] for detail in details])
        self.assertEqual(list(details[0]["poses"][0]["others"]), ["Vina"])

    def test_words(self):
        result = self.hiv("dock", "--rescore", "crowds")
        self.assert_refused(result, "'crowds' is not a re-scorer; use a list of ad4, vina, vinardo, crowd")
        result = self.hiv("dock", "-n", "6", "--rescore", "crowd")
        self.assert_well(result)
        self.assertIn("scoring   Vina, clusters by Crowd", result.stdout)
        self.assertRegex(result.stdout, r"\ncluster +Vina +crowd_pairs +rank\n------- ----------  -----------  ----\n +1 +-[.0-9]+ +\d+\.000 +\d\n")
        self.assertIn("\nClusters in the order of --rank-by ranks\n", result.stdout)
        result = self.hiv("dock", "-q", "--rescore", "crowd", "--format", "csv", ligands=(self.with_bromine(),), output="bromine")
        self.assert_refused(result, "crowd does not know bromine; leave crowd out of --rescore")

    def test_sum(self):
        self.assert_well(self.hiv("dock", "-q", "--scoring", "vina", "-n", "6", "--rescore", "crowd", "--rank-by", "sum"))
        docking = self.docking()
        self.assertEqual(docking["ranked_by"], "sum")
        sums = [cluster["lowest"] + cluster["rescored"][0]["free_energy"] for cluster in docking["clusters"]]
        self.assertEqual(sums, sorted(sums))
        for cluster, total in zip(docking["clusters"], sums):
            self.assertAlmostEqual(cluster["rank_energy"], total, places=9)

    @unittest.skipIf(without_sqlite(), "no SQLite in this build")
    def test_screen(self):
        ligands = (HIV / "ligand.pdbqt", HIV / "ligand-crystal.pdbqt", self.with_bromine())
        words = ["-q", "--scoring", "ad4", "--rescore", "vina,crowd", "--rank-by", "score"]
        self.assert_well(self.hiv("screen", *words, ligands=ligands), code=2)
        with sqlite3.connect(self.folder / "out/screen.db") as database:
            stored = database.execute("SELECT ordinal, scoring, free_energy FROM score ORDER BY 1, 2").fetchall()
            settings = dict(database.execute("SELECT key, value FROM setting"))
            states = database.execute("SELECT state, reason FROM ligand ORDER BY ordinal").fetchall()
        self.assertEqual([row[1] for row in stored], 2 * ["ad4", "crowd", VALUE, "vina"])
        self.assertEqual(settings["rescore_values"], VALUE)
        self.assertEqual([state for state, _ in states], ["docked", "docked", "rejected"])
        self.assertIn("crowd does not know bromine", states[2][1])
        self.assert_well(self.berth("screen", "-o", "out", "--export", "csv", "-q"))
        rows = self.rows("out/results.csv")
        crowd = {ordinal: score for ordinal, name, score in stored if name == "crowd"}
        counts = {ordinal: f"{count:g}" for ordinal, name, count in stored if name == VALUE}
        for row in rows:
            self.assertEqual(row[VALUE], counts[int(row["ordinal"])])
            self.assertEqual((row["ranked_by"], row["rank_energy"]), ("crowd", row["crowd"]))
            self.assertAlmostEqual(float(row["crowd"]), crowd[int(row["ordinal"])], delta=0.0005)
        if RDKIT:
            self.assert_well(self.berth("screen", "-o", "out", "--export", "sdf", "-q"))
            self.assertIn(f"> <score_crowd>\n{float(rows[0]['crowd']):.3f}\n\n> <{VALUE}>\n{rows[0][VALUE]}\n",
                          self.text("out/results.sdf"))
        self.assert_well(self.hiv("screen", *words, "--resume", ligands=ligands), code=2)
        self.assert_well(self.berth("merge", "out/screen.db", "-o", "merged"), code=2)
        self.assert_well(self.berth("screen", "-o", "merged", "--export", "csv", "-q"))
        self.assertEqual(self.rows("merged/results.csv"), rows)


if __name__ == "__main__":
    cli.main()
