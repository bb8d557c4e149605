"""berth dock --rescore: the clusters in further scoring functions, their order, and both energies in every output."""
import json
import os
import sqlite3
import unittest

import berth_cli as cli
from report_page import data_of
from test_raw_dock import RDKIT
from test_scoring import FORMATS, HIV, Case
from test_screen import without_sqlite

RUNS = "3" if os.environ.get("BERTH_TEST_SHORT") else "4"  # every cluster is minimised, slowly where memory is watched


class Rescore(Case):
    def dock(self, *more, **options):
        result = self.hiv("dock", "--scoring", "ad4", "-n", RUNS, "--format", FORMATS, *more, **options)
        self.assert_well(result)
        return result

    def energies(self, docking):
        """Energies of every cluster by function: the docking's own, then those of --rescore."""
        return [[cluster["lowest"]] + [of["free_energy"] for of in cluster["rescored"]] for cluster in docking["clusters"]]

    def test_both_energies_in_every_output(self):
        table = self.dock("--rescore", "vinardo,vina").stdout
        self.assertIn("scoring   AutoDock 4, clusters by Vinardo and Vina", table)
        self.assertRegex(table, r"\ncluster AutoDock 4 +Vinardo  rank  moved   RMSD +Vina  rank  moved   RMSD\n")
        docking = self.docking()
        self.assertEqual(docking["ranked_by"], "ranks")
        first = docking["clusters"][0]
        self.assertEqual([of["scoring"] for of in first["rescored"]], ["vinardo", "vina"])
        for of in first["rescored"]:
            self.assert_affinity(of)
            self.assertEqual(len(of["coordinates"]), len(docking["runs"][0]["coordinates"]))
        vinardo, vina = first["rescored"]
        rows = self.rows("out/ligand.csv")
        self.assertEqual(int(rows[0]["run"]), first["best_run"])
        self.assertAlmostEqual(float(rows[0]["vina"]), vina["free_energy"], places=3)
        self.assertEqual(int(rows[0]["vinardo_rank"]), vinardo["rank"])
        self.assertEqual([row["vina"] == "" for row in rows], [row["rank_in_cluster"] != "1" for row in rows])
        remark = f"REMARK BERTH rescored vinardo {vinardo['free_energy']:.3f} rank {vinardo['rank']} moved"
        self.assertLess(0, self.text("out/ligand.pdbqt").find(remark))
        self.assertLess(self.text("out/ligand.pdbqt").find(remark), self.text("out/ligand.pdbqt").find("MODEL 2"))
        if RDKIT:
            self.assertIn(f"> <score_vina>\n{vina['free_energy']:.3f}\n", self.text("out/ligand.sdf").split("$$$$")[0])

    def test_the_number_that_ranks(self):
        """Its name and value in every output of a docking."""
        for words, poses_by, ligands_by in ((["--rescore", "none"], "ad4", "ad4"), (["--rescore", "vinardo,vina"], "ranks", "ad4"),
                                            (["--rescore", "vinardo,vina", "--rank-by", "score"], "vina", "vina"),
                                            (["--rescore", "vinardo", "--rank-by", "blend"], "blend", "blend"),
                                            (["--rescore", "vinardo,vina", "--rank-by", "sum"], "sum", "sum")):
            self.dock(*words, "-n", "2", "--overwrite", ligands=(HIV / "ligand.pdbqt", HIV / "ligand-crystal.pdbqt"))
            docking, rows = self.docking(), self.rows("out/ligand.csv")
            best = docking["clusters"][0]
            energies = [best["lowest"]] + [of["free_energy"] for of in best.get("rescored", [])]
            energy = {"vina": energies[-1], "blend": sum(energies) / len(energies), "sum": sum(energies)}.get(ligands_by, energies[0])
            self.assertAlmostEqual(best["rank_energy"], energy, places=9)
            self.assertEqual((docking["ranked_by"], docking["rank_energy"]), (poses_by, best["rank_energy"]))
            self.assertEqual({row["ranked_by"] for row in rows}, {poses_by})
            self.assertAlmostEqual(float(rows[0]["rank_energy"]), energy, places=3)
            if "none" not in words:
                self.assertEqual([row["rank_energy"] == "" for row in rows], [row["rank_in_cluster"] != "1" for row in rows])
            self.assertIn(f"scoring ad4\nREMARK BERTH ranked_by {poses_by} rank_energy {energy:.3f}\n", self.text("out/ligand.pdbqt"))
            if RDKIT:
                self.assertIn(f"> <ranked_by>\n{poses_by}\n\n> <rank_energy>\n{energy:.3f}\n",
                              self.text("out/ligand.sdf").split("$$$$")[0])
            summary = self.rows("out/summary.csv")
            self.assertEqual({row["ranked_by"] for row in summary}, {ligands_by})
            self.assertEqual([row["rank_energy"] for row in summary], sorted((row["rank_energy"] for row in summary), key=float))
            self.assertIn(f"{energy:.3f}", [row["rank_energy"] for row in summary if row["ligand"] == "ligand"])

    def test_orders(self):
        orders = {}
        for by in ("score", "ranks", "blend", "sum"):
            self.dock("--rescore", "vinardo", "--rank-by", by, output=by)
            docking = self.docking(f"{by}/ligand.json")
            orders[by] = self.energies(docking)
            clusters = [int(row["cluster"]) for row in self.rows(f"{by}/ligand.csv")]
            self.assertEqual(clusters, sorted(clusters))
            poses = sorted((run["run"], run["free_energy"], run["coordinates"]) for run in docking["runs"])
            orders.setdefault("poses", poses)
            self.assertEqual(orders["poses"], poses)  # they are still those of the docking
        self.assertEqual(orders["score"], sorted(orders["score"], key=lambda e: e[1]))
        self.assertEqual(orders["sum"], sorted(orders["sum"], key=sum))
        lowest = [min(column) for column in zip(*orders["score"])]
        share = [sum((e - low) / max(abs(low), 1) for e, low in zip(energies, lowest)) for energies in orders["blend"]]
        for one, two in zip(share, share[1:]):
            self.assertLess(one, two + 1e-4)
        ranks = [sum(sum(other[k] < e[k] for other in orders["ranks"]) for k in (0, 1)) for e in orders["ranks"]]
        self.assertEqual(ranks, sorted(ranks))

    def test_autodock_ranks_what_vina_docked(self):
        result = self.dock("--scoring", "vina", "--rescore", "ad4", "--json",
                           ligands=(HIV / "ligand.pdbqt", HIV / "ligand-crystal.pdbqt"))
        line = json.loads(result.stdout.splitlines()[0])
        docking = self.docking(f"out/{line['ligand']}.json")
        rescored = docking["clusters"][0]["rescored"][0]
        self.assertAlmostEqual(rescored["free_energy"], rescored["inter"] + rescored["torsional"], places=3)
        self.assertAlmostEqual(line["rescored"][0]["free_energy"], rescored["free_energy"], places=3)
        summary = {row["ligand"]: row for row in self.rows("out/summary.csv")}
        self.assertAlmostEqual(float(summary[line["ligand"]]["ad4"]), rescored["free_energy"], places=2)

    def test_report(self):
        self.dock("--rescore", "vinardo,vina", "--rank-by", "score")
        self.assert_well(self.berth("report", "out", "-o", "page.html"))
        poses = data_of(self.folder / "page.html")["details"][0]["poses"]
        leaders = [pose for pose in poses if "others" in pose]
        docking = self.docking()
        self.assertEqual([pose["run"] for pose in leaders], [cluster["best_run"] for cluster in docking["clusters"]])
        for pose, energies in zip(leaders, self.energies(docking)):
            self.assertAlmostEqual(pose["others"]["Vina"], energies[2], delta=0.006)
        page = data_of(self.folder / "page.html")
        self.assertEqual(sorted(page["scores"]), [["Vina", True], ["Vinardo", True]])
        row = dict(zip(page["columns"] + [name for name, _ in page["scores"]], page["rows"][0]))
        self.assertEqual({name: row[name] for name in leaders[0]["others"]}, leaders[0]["others"])

    def test_refusals(self):
        for more, words in ((["--rescore", "vina,chemplp"], "'chemplp' is not a re-scorer"),
                            (["--rescore", "ad4"], "ad4 is the scoring function of the docking itself"),
                            (["--rescore", "vina,vina"], "vina is given twice"),
                            (["--rescore", ","], "use a list of ad4, vina, vinardo"),
                            (["--rank-by", "blend"], "--rank-by needs --rescore")):
            result = self.hiv("dock", "--scoring", "ad4", *more)
            self.assertEqual(result.returncode, 1, more)
            self.assertIn(words, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)


class Default(Case):
    """Without --scoring and networks: Vina docks, unless maps or an option of AutoDock's say otherwise."""
    NOTE = "selects AutoDock 4's scoring function"

    def dock(self, *more, **options):
        """The function that docked, and those that re-ranked."""
        self.result = self.hiv("dock", "--overwrite", *more, **options)
        self.assert_well(self.result)
        docking = self.docking()
        return docking["scoring"], [of["scoring"] for of in docking["clusters"][0].get("rescored", [])]

    def test_vina_without_networks(self):
        self.assertEqual(self.dock(), ("vina", []))
        self.assertIn("scoring   Vina, the default without networks", self.result.stdout)
        self.assertEqual(self.result.stderr, "")
        default = self.docking()
        self.assertEqual(default["ranked_by"], "vina")
        self.assertEqual(self.dock("--scoring", "vina", "--rescore", "none"), ("vina", []))
        self.assertNotIn("the default", self.result.stdout)
        named = self.docking()
        self.assertEqual(default["clusters"], named["clusters"])
        self.assertEqual([run["coordinates"] for run in default["runs"]], [run["coordinates"] for run in named["runs"]])

    def test_a_function_that_is_named_docks_alone(self):
        for scoring in ("ad4", "vina", "vinardo"):
            self.assertEqual(self.dock("--scoring", scoring), (scoring, []))
        self.assertEqual(self.dock("--rescore", "none"), ("vina", []))
        self.assertEqual(self.dock("--scoring", "ad4", "--rescore", "none"), ("ad4", []))
        self.assertEqual(self.dock("--rescore", "ad4"), ("vina", ["ad4"]))
        self.assertEqual(self.dock("--rescore", "vinardo"), ("vina", ["vinardo"]))
        self.assertIn("scoring   Vina, clusters by Vinardo (ranks)", self.result.stdout)
        self.assertRegex(self.result.stdout, r"\ncluster +Vina +Vinardo +rank +moved")
        self.assert_refused(self.hiv("dock", "--rank-by", "blend"), "--rank-by needs --rescore")
        self.assert_refused(self.hiv("dock", "--rank-by", "blend", "--rescore", "none"), "--rank-by needs --rescore")
        self.assert_refused(self.hiv("dock", "--rescore", "vina"), "vina is the scoring function of the docking itself")

    def test_maps_say_whose_they_are(self):
        for scoring in ("ad4", "vina", "vinardo"):
            self.assertEqual(self.dock("--scoring", scoring, "--write-maps", scoring), (scoring, []))
            self.assertEqual(self.dock("--format", "dlg,csv", receptor=f"{scoring}.maps.fld"), (scoring, []))
            self.assertEqual(self.result.stderr, "")

    def test_options_of_autodock(self):
        self.write("a.dpf", "ga_num_evals 5000\nga_run 2\n")
        for *option, named in (("--torsional", "branches", "--torsional"), ("--format", "dlg,csv", "--format dlg"),
                               ("--format", "xml", "--format xml"), ("--import-dpf", "a.dpf", "--import-dpf")):
            self.assertEqual(self.dock(*option), ("ad4", []))
            self.assertEqual(self.result.stderr, f"berth dock: note: {named} {self.NOTE}; --scoring overrides this\n")
            self.dock(*option, "-q")
            self.assertEqual(self.result.stderr, "")
        self.assertEqual(self.dock("--format", "dlg", "--rescore", "vinardo"), ("ad4", ["vinardo"]))
        self.assertEqual(self.dock("--format", "dlg", "--scoring", "vina"), ("vina", []))
        self.assertEqual(self.result.stderr, "")
        search = ["--local-search", "adadelta", "--population", "20", "--crossover", "uniform", "--format", "pdbqt,csv"]
        self.assertEqual(self.dock(*search), ("vina", []))

    def test_flexible_side_chains(self):
        self.write("flex.pdbqt", cli.residues())
        result = cli.Case.dock(self, "-f", "flex.pdbqt", "--rescore", "vinardo")
        self.assert_well(result)
        self.assertIn("scoring   Vina, clusters by Vinardo", result.stdout)

    def test_help(self):
        text = " ".join(self.berth("dock", "--help").stdout.split())
        self.assertIn("Without --scoring, poses are searched with Vina and re-ranked by gnina's networks", text)
        self.assertIn("--rescore none", text)


@unittest.skipIf(without_sqlite(), "no SQLite in this build")
class Screen(Case):
    LIGANDS = (HIV / "ligand.pdbqt", HIV / "ligand-crystal.pdbqt")

    def screen(self, *more, code=0, output="out"):
        own = [] if "--scoring" in more else ["--scoring", "ad4"]
        own += ["--rank-by", "score"] if "--rescore" in more and "--rank-by" not in more else []
        result = self.hiv("screen", "-q", "-n", "2", "-e", "2k", *own, *more, ligands=self.LIGANDS, output=output)
        self.assert_well(result, code)
        return result

    def table(self, output="out"):
        self.assert_well(self.berth("screen", "-o", output, "--export", "csv", "-q"))
        return self.rows(f"{output}/results.csv")

    def test_ligands_by_the_last_function(self):
        self.screen("--rescore", "vinardo,vina")
        rows = self.table()
        for row in rows:
            self.assertEqual((row["rank_energy"], row["ranked_by"]), (row["vina"], "vina"))
            self.assertEqual((row["free_energy"], row["scoring"]), (row["ad4"], "ad4"))
            self.assertAlmostEqual(float(row["ad4"]), float(row["inter"]) + float(row["torsional"]), places=2)
            self.assertLess(float(row["vinardo"]), 0)
        self.assertLessEqual(float(rows[0]["vina"]), float(rows[1]["vina"]))
        self.assert_well(self.berth("screen", "-o", "out", "--export", "pdbqt", "-q"))
        self.assertIn(f"REMARK VINA RESULT: {float(rows[0]['ad4']):9.3f}", self.text("out/results.pdbqt"))

    def test_ligands_by_the_mean(self):
        self.screen("--scoring", "vina", "--rescore", "ad4", "--rank-by", "blend")
        for row in self.table():
            self.assertAlmostEqual(float(row["rank_energy"]), (float(row["vina"]) + float(row["ad4"])) / 2, places=2)
            self.assertEqual((row["free_energy"], row["ranked_by"]), (row["vina"], "blend"))
            self.assertNotIn("vinardo", row)

    def test_ligands_by_the_sum(self):
        self.screen("--scoring", "vina", "--rescore", "ad4,vinardo", "--rank-by", "sum")
        rows = self.table()
        for row in rows:
            total = sum(float(row[name]) for name in ("vina", "ad4", "vinardo"))
            self.assertAlmostEqual(float(row["rank_energy"]), total, delta=0.0025)
            self.assertEqual((row["free_energy"], row["ranked_by"]), (row["vina"], "sum"))
        self.assertEqual([row["rank_energy"] for row in rows], sorted((row["rank_energy"] for row in rows), key=float))
        self.assert_well(self.berth("report", "out", "-o", "page.html"))
        self.assertIs(data_of(self.folder / "page.html")["index"], True)

    def assert_sum(self, row):
        """The energy is the sum of the row's terms under the function that the row names."""
        inter, intra, torsional, unbound = (float(row[key]) for key in ("inter", "intra", "torsional", "unbound"))
        total = inter + torsional + (0 if row["scoring"] == "ad4" else intra - unbound)
        self.assertAlmostEqual(float(row["free_energy"]), total, delta=0.0021)

    def test_one_name_for_the_number_that_ranks(self):
        """In every output of a screen and in its database; each energy is the sum of its terms."""
        for scoring, *rescore in (("ad4",), ("vina",), ("vina", "vinardo,ad4"), ("ad4", "vina"), ("vina", "ad4", "blend")):
            words = ["--rescore", rescore[0]] if rescore else []
            words += ["--rank-by", rescore[1]] if len(rescore) > 1 else []
            output = "_".join([scoring, *rescore]).replace(",", "_")
            self.screen("--scoring", scoring, *words, output=output)
            rows = self.table(output)
            last = rescore[0].split(",")[-1] if rescore else scoring
            by = "blend" if len(rescore) > 1 else last
            for row in rows:
                self.assertEqual((row["scoring"], row["ranked_by"]), (scoring, by))
                self.assert_sum(row)
                if by != "blend":
                    self.assertEqual(row["rank_energy"], row[by] if rescore else row["free_energy"])
            self.assertEqual([row["rank_energy"] for row in rows], sorted((row["rank_energy"] for row in rows), key=float))
            with sqlite3.connect(self.folder / output / "screen.db") as database:
                stored = database.execute("SELECT name, free_energy, rank_energy FROM ranking").fetchall()
                self.assertEqual(database.execute("SELECT value FROM setting WHERE key = 'ranked_by'").fetchall(), [(by,)])
                self.assertEqual(database.execute("PRAGMA user_version").fetchone(), (3,))
            self.assertEqual([(name, f"{free:.3f}", f"{rank:.3f}") for name, free, rank in stored],
                             [(row["name"], row["free_energy"], row["rank_energy"]) for row in rows])
            self.assert_well(self.berth("screen", "-o", output, "--export", "pdbqt", "-q"))
            poses = self.text(f"{output}/results.pdbqt")
            for row in rows:
                self.assertIn(f"scoring {scoring}\nREMARK BERTH ranked_by {by} rank_energy {row['rank_energy']}\n", poses)
            self.assert_well(self.berth("report", output, "-o", f"{output}.html"))
            page = data_of(self.folder / f"{output}.html")
            for shown, row in zip(page["rows"], rows, strict=True):
                self.assertAlmostEqual(shown[page["columns"].index("ranked")], float(row["rank_energy"]), delta=0.0056)

    def test_databases_of_early_versions(self):
        """They had one column for the energy of the docking and for what ranks; both are found, and added on --resume."""
        self.screen("--rescore", "vinardo,vina", "--seed", "5")
        rows, path = self.table(), self.folder / "out/screen.db"
        with sqlite3.connect(path) as database:
            database.executescript("""
                DROP VIEW ranking; UPDATE ligand SET free_energy = rank_energy; ALTER TABLE ligand RENAME TO new;
                CREATE TABLE ligand(ordinal INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL, state TEXT NOT NULL,
                  status TEXT, reason TEXT, free_energy REAL, inter REAL, intra REAL, torsional REAL, atoms INTEGER,
                  torsions INTEGER, runs INTEGER, clusters INTEGER, evaluations INTEGER, seconds REAL, device TEXT);
                INSERT INTO ligand SELECT ordinal, name, source, state, status, reason, free_energy, inter, intra, torsional,
                  atoms, torsions, runs, clusters, evaluations, seconds, device FROM new;
                CREATE TABLE sums AS SELECT * FROM checksum; DROP TABLE new; DELETE FROM checksum;
                INSERT INTO checksum SELECT * FROM sums WHERE ordinal >= 0; DROP TABLE sums;
                DELETE FROM setting WHERE key = 'ranked_by'; PRAGMA user_version = 1;
                CREATE VIEW ranking AS SELECT row_number() OVER (ORDER BY free_energy, ordinal) AS rank, * FROM ligand
                  WHERE state = 'docked';""")
        self.assertEqual(self.table(), rows)
        self.assert_well(self.berth("merge", "out/screen.db", "-o", "merged"))
        self.assertEqual(self.table("merged"), rows)
        self.screen("--rescore", "vinardo,vina", "--seed", "5", "--resume")
        self.assertEqual(self.table(), rows)
        with sqlite3.connect(path) as database:
            stored = database.execute("SELECT free_energy, rank_energy FROM ranking").fetchall()
        self.assertEqual([(f"{free:.3f}", f"{rank:.3f}") for free, rank in stored],
                         [(row["free_energy"], row["rank_energy"]) for row in rows])

    def test_shards_and_whole_agree(self):
        self.screen("--rescore", "vina", output="whole")
        for shard in ("1/2", "2/2"):
            self.screen("--rescore", "vina", "--shard", shard, output="parts")
        self.assert_well(self.berth("merge", "parts/shard-1-of-2.db", "parts/shard-2-of-2.db", "-o", "merged"))
        kept = ("name", "free_energy", "ad4", "vina")
        self.assertEqual(*([[row[key] for key in kept] for row in self.table(name)] for name in ("whole", "merged")))

    def test_the_functions_are_part_of_the_screen(self):
        self.screen("--rescore", "vina")
        self.assertIn("started with rescore vina, not vinardo", self.screen("--resume", "--rescore", "vinardo", code=1).stderr)
        self.assertIn("started with rescore vina, not (none)", self.screen("--resume", code=1).stderr)
        self.screen("--resume", "--rescore", "vina")

    def test_a_database_without_scores(self):
        self.screen()
        with sqlite3.connect(self.path("out/screen.db")) as database:
            database.execute("DROP TABLE score")
        self.assertNotIn("vina", self.table()[0])
        self.assertIn("started with rescore (none), not vina", self.screen("--resume", "--rescore", "vina", code=1).stderr)
        self.screen("--resume")


if __name__ == "__main__":
    cli.main()
