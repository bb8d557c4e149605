"""berth dock, screen and score with networks, the re-scorer cnn: which networks, orders, every output, what is refused."""
import contextlib
import functools
import json
import math
import os
import sqlite3
import unittest

import berth_cli as cli
import report_page
from test_raw_dock import RDKIT, needs_rdkit
from test_rescore import RUNS
from test_scoring import FORMATS, HIV, Case
from test_screen import without_sqlite
from torch_files import archive, random_values, shapes

FAST = ("crossdock_default2018", "general_default2018_3", "redock_default2018_2")
STAGED = ("redock_default2018_2", "crossdock_default2018", "general_default2018_3", "dense", "dense_3")


@functools.lru_cache(maxsize=None)
def made_up(seed):
    return archive(shapes(), random_values(seed))


class WithNetworks(Case):
    """With networks of random weights that have gnina's names."""

    def setUp(self):
        super().setUp()
        if os.environ.get("BERTH_TEST_THREADS") and not isinstance(self, ScreenByNetworks):
            self.skipTest("one test of networks has all their threads, and ThreadSanitizer makes the others take minutes")
        before = {name: os.environ.get(name) for name in ("BERTH_NETWORKS", "XDG_DATA_HOME", "HOME")}
        self.addCleanup(lambda: [os.environ.pop(n, None) if v is None else os.environ.update({n: v}) for n, v in before.items()])
        os.environ.update(BERTH_NETWORKS=self.path("nets"), XDG_DATA_HOME=self.path("data"), HOME=self.path("home"))
        files = [self.write(f"{name}.pt", made_up(seed)) for seed, name in enumerate(STAGED)]
        self.assert_well(self.berth("networks", "install", "-q", *files))
        self.write("own.pt", made_up(7))


class Networks(WithNetworks):
    """The re-scorer cnn, and `berth score --scoring cnn`."""

    def test_the_default_ranks_by_networks_that_are_installed(self):
        result = self.hiv("dock")
        self.assertIn("scoring   Vina, clusters by CNN staged (sum), the default", result.stdout)
        of = json.loads((self.folder / "out/ligand.json").read_text())
        self.assertEqual([one["scoring"] for one in of["clusters"][0]["rescored"]], ["cnn"])
        self.assertEqual(of["ranked_by"], "sum")
        own = self.hiv("dock", "--cnn", self.path("own.pt"), "--overwrite")
        self.assertIn(f"clusters by CNN {self.path('own.pt')} (sum), the default", own.stdout)
        several = self.hiv("dock", "-q", "--devices", "all", "--overwrite")
        self.assert_well(several)

    def dock(self, *more, **options):
        """The docking, whose clusters have the scores of networks last."""
        self.result = self.hiv("dock", "-n", RUNS, "--overwrite", "--rescore", "cnn", *more, **options)
        self.assert_well(self.result)
        return self.docking()

    def score(self, *more, receptor=HIV / "receptor.pdbqt", ligand=HIV / "ligand-crystal.pdbqt", **options):
        return self.berth("score", "-r", receptor, "-l", ligand, *more, **options)

    def scored(self, *more, **options):
        result = self.score("--json", *more, **options)
        self.assert_well(result)
        return [json.loads(line)["cnn"] for line in result.stdout.splitlines()]

    def assert_values(self, of):
        self.assertEqual((of["scoring"], of["rmsd_docked"]), ("cnn", 0))
        self.assertNotIn("coordinates", of)  # the pose stays as it is
        self.assertTrue(0 < of["CNNscore"] < 1, of)
        self.assertAlmostEqual(of["free_energy"], math.log(1 / of["CNNscore"] - 1), places=6)

    def test_every_output(self):
        docking = self.dock("--scoring", "vina", "--format", FORMATS)
        self.assertIn("scoring   Vina, clusters by CNN staged (sum)", self.result.stdout)
        self.assertRegex(self.result.stdout, r"\ncluster +Vina +CNNscore +CNNaffinity +rank\n")
        self.assertIn("Clusters in the order of --rank-by sum\n", self.result.stdout)
        self.assertEqual(docking["ranked_by"], "sum")
        sums = [cluster["rank_energy"] for cluster in docking["clusters"]]
        self.assertEqual(sums, sorted(sums))
        for cluster in docking["clusters"]:
            (of,) = cluster["rescored"]
            self.assert_values(of)
            self.assertAlmostEqual(cluster["rank_energy"], cluster["lowest"] + of["free_energy"], places=6)
        of, rows = docking["clusters"][0]["rescored"][0], self.rows("out/ligand.csv")
        leaders = [row for row in rows if row["rank_in_cluster"] == "1"]
        for row, cluster in zip(leaders, docking["clusters"]):
            for name in ("CNNscore", "CNNaffinity"):
                self.assertAlmostEqual(float(row[name]), cluster["rescored"][0][name], delta=1e-4)
            self.assertAlmostEqual(float(row["cnn"]), cluster["rescored"][0]["free_energy"], delta=0.0006)
        self.assertEqual({row["CNNscore"] for row in rows if row["rank_in_cluster"] != "1"} - {""}, set())
        words = f"CNNscore {leaders[0]['CNNscore']} CNNaffinity {leaders[0]['CNNaffinity']}\n"
        self.assertIn(f"REMARK BERTH rescored cnn {of['free_energy']:.3f} rank {of['rank']} moved 0.000 {words}",
                      self.text("out/ligand.pdbqt").split("MODEL 2")[0])
        if RDKIT:
            first = self.text("out/ligand.sdf").split("$$$$")[0]
            for name in ("CNNscore", "CNNaffinity"):
                self.assertIn(f"> <{name}>\n{leaders[0][name]}\n", first)
        again = self.scored("--scoring", "cnn", ligand="out/ligand.pdbqt")[0]  # coordinates of three decimals
        self.assertAlmostEqual(again["score"], of["CNNscore"], delta=1e-3)
        self.assertAlmostEqual(again["affinity"], of["CNNaffinity"], delta=1e-2)

    def test_orders(self):
        by_score = self.dock("--rank-by", "score")
        self.assertEqual(by_score["ranked_by"], "cnn")
        scores = [cluster["rescored"][0]["CNNscore"] for cluster in by_score["clusters"]]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual([cluster["rank_energy"] for cluster in by_score["clusters"]],
                         [cluster["rescored"][0]["free_energy"] for cluster in by_score["clusters"]])
        self.assertEqual(self.dock("--rank-by", "ranks")["ranked_by"], "ranks")
        both = self.dock("--rescore", "vinardo,cnn")
        self.assertEqual(both["ranked_by"], "sum")
        for cluster in both["clusters"]:
            vinardo, cnn = (of["free_energy"] for of in cluster["rescored"])
            self.assertAlmostEqual(cluster["rank_energy"], cluster["lowest"] + vinardo + cnn, places=6)
        self.assertEqual(self.dock("--rescore", "vinardo")["ranked_by"], "ranks")

    def test_which_networks(self):
        def values(*more):
            clusters = self.dock(*more, "--rank-by", "score")["clusters"]
            return [[of[name] for name in ("CNNscore", "CNNaffinity")] for cluster in clusters for of in cluster["rescored"]]
        fast = values("--cnn", "fast")
        self.assertEqual(values("--cnn", ",".join(FAST)), fast)
        self.assertEqual(sorted(values("--cnn", "gnina")), sorted(values("--cnn", ",".join(STAGED))))
        own = values("--cnn", "own.pt")
        self.assertNotEqual(own, fast)
        self.assert_well(self.berth("networks", "install", "-q", "own.pt"))
        self.assertEqual(values("--cnn", "own"), own)
        self.assertEqual(values("--cnn", "nets/own.btn"), own)

    def test_all_networks_score_what_may_be_the_best(self):
        def by_pose(names, *more):  # poses of one seed have the same energies
            clusters = self.dock("--cnn", names, *more)["clusters"]
            return {cluster["lowest"]: cluster["rescored"][0] | {"sum": cluster["rank_energy"]} for cluster in clusters}

        def equal(one, two):
            return all(abs(one[name] - two[name]) < 1e-6 for name in ("CNNscore", "CNNaffinity"))
        staged, first, all_five = by_pose("staged"), by_pose(STAGED[0]), by_pose("gnina")
        by_all = {pose for pose in staged if pose in all_five and equal(staged[pose], all_five[pose])}
        by_one = {pose for pose in staged if pose in first and equal(staged[pose], first[pose])}
        self.assertIn(next(iter(staged)), by_all)  # the best
        self.assertIn(next(iter(first)), by_all)   # the best by the first network
        self.assertTrue(by_one)
        self.assertFalse(by_all & by_one)
        ranks = by_pose("staged", "--rank-by", "ranks")  # there is no sum: all networks score all poses
        self.assertTrue(all(equal(ranks[pose], all_five[pose]) for pose in set(ranks) & set(all_five)))
        self.assertGreater(len(set(ranks) & set(all_five)), 1)

    def test_the_first_pose_is_that_of_nine(self):
        nine, one = self.dock("--poses", "9"), self.dock("--poses", "1")
        self.assertEqual(self.text("out/ligand.pdbqt").count("MODEL"), 1)
        self.assertGreater(nine["poses"], one["poses"])
        for key in "lowest", "rank_energy":
            self.assertEqual(one["clusters"][0][key], nine["clusters"][0][key])

    def test_instruction_set(self):
        by_isa, by_device = (self.scored("--scoring", "cnn", "--cnn", "fast", *words)
                             for words in (["--isa", "scalar"], ["--device", "cpu/scalar"]))
        self.assertEqual(by_isa, by_device)

    def test_one_line_for_what_is_missing(self):
        damaged = bytearray((self.folder / "nets" / f"{STAGED[0]}.btn").read_bytes())
        damaged[99999] ^= 1
        self.write("damaged.btn", bytes(damaged))
        self.write("other.pt", archive({"weight": (2, 2)}))
        cases = (("nonesuch", "the network nonesuch is not installed"), ("own.pt,own.pt", "the network own.pt is given twice"),
                 ("own.pt,,fast", "a network has no name"), ("fast," + FAST[0], f"{FAST[0]} is given twice"),
                 ("damaged.btn", "damaged.btn: the file of a network is damaged"), ("absent.pt", "absent.pt: cannot read"),
                 ("other.pt", "other.pt: the network is neither default2018"))
        for names, words in cases:
            self.assert_refused(self.hiv("dock", "-q", "--rescore", "cnn", "--cnn", names), words)
            self.assert_refused(self.score("--scoring", "cnn", "--cnn", names), words)
        (self.folder / "damaged.btn").rename(self.folder / "nets" / f"{STAGED[0]}.btn")
        self.assert_refused(self.hiv("dock", "-q", "--rescore", "cnn"), f"{STAGED[0]}.btn: the file of a network is damaged")
        os.environ["BERTH_NETWORKS"] = "/nonexistent"
        self.assert_refused(self.hiv("dock", "-q", "--rescore", "cnn"), f"the network {STAGED[0]} is not installed",
                            "berth networks install")

    def test_refusals(self):
        for more in (["--rescore", "none", "--cnn", "fast"], ["--scoring", "vina", "--cnn", "fast"],
                     ["--rescore", "vinardo", "--cnn", "fast"]):
            for command in ("dock", "screen"):
                self.assert_refused(self.hiv(command, "-q", *more), "--cnn names the networks of --rescore cnn")
        self.assert_refused(self.hiv("dock", "-q", "--rescore", "cnn,cnn"), "cnn is given twice")
        self.assert_refused(self.score("--scoring", "cnn", "--minimize"), "networks score poses as they are; remove --minimize")
        self.assert_refused(self.score("--scoring", "vina", "--cnn", "fast", "--minimize"), "remove --minimize")
        self.assert_well(self.hiv("dock", "-q", "--write-maps", "vina", "--scoring", "vina"))
        for command in (["score", "--scoring", "cnn"], ["dock", "--rescore", "cnn", "-o", "maps"]):
            result = self.berth(*command, "-r", "vina.maps.fld", "-l", HIV / "ligand-crystal.pdbqt")
            self.assert_refused(result, "receptor's atoms; use a .pdb, .cif or .pdbqt receptor")

    def test_score(self):
        (cnn,) = self.scored("--scoring", "cnn")
        self.assertEqual([of["name"] for of in cnn["networks"]], list(STAGED))
        for key in ("score", "affinity"):
            self.assertAlmostEqual(cnn[key], sum(of[key] for of in cnn["networks"]) / 5, places=6)
        table = self.score("--scoring", "cnn")
        self.assert_well(table)
        self.assertRegex(table.stdout, rf"\n +CNNscore {cnn['score']:.4f}, CNNaffinity {cnn['affinity']:.3f}\n")
        (own,) = self.scored("--scoring", "vinardo", "--cnn", f"own.pt,{STAGED[1]}")
        self.assertEqual([of["name"] for of in own["networks"]], ["own", STAGED[1]])
        self.assertEqual(own["networks"][1], cnn["networks"][1])
        line = json.loads(self.score("--json", "--scoring", "vina").stdout)
        self.assertNotIn("cnn", line)
        # a pose elsewhere is another pose; one far from the receptor, too
        far = (HIV / "ligand-crystal.pdbqt").read_text().splitlines(keepends=True)
        far = "".join(x[:30] + f"{float(x[30:38]) + 60:8.3f}" + x[38:] if x.startswith(("ATOM", "HETATM")) else x for x in far)
        self.write("far.pdbqt", far)
        self.assertNotEqual(self.scored("--scoring", "cnn", ligand="far.pdbqt"), [cnn])

    @needs_rdkit
    def test_flexible_side_chains(self):
        """They are atoms of the receptor, at the places to which the docking moved them."""
        raw = ["--delete", "478"]
        clusters = self.dock("--cnn", "gnina", "--flex", "A:ARG8", *raw, receptor=HIV / "1hpv.pdb")["clusters"]
        docked = [cluster["rescored"][0]["CNNscore"] for cluster in clusters][:9]
        poses = {"receptor": HIV / "1hpv.pdb", "ligand": "out/ligand.pdbqt"}
        scored = [cnn["score"] for cnn in self.scored("--scoring", "cnn", "--flex", "A:ARG8", *raw, **poses)]
        rigid = [cnn["score"] for cnn in self.scored("--scoring", "cnn", "--ignore-docking", *raw, **poses)]
        self.assertEqual(len(scored), len(docked))
        for one, two in zip(scored, docked):
            self.assertAlmostEqual(one, two, delta=1e-4)
        self.assertGreater(max(abs(one - two) for one, two in zip(rigid, docked)), 1e-4)


@unittest.skipIf(without_sqlite(), "no SQLite in this build")
class ScreenByNetworks(WithNetworks):
    LIGANDS = (HIV / "ligand.pdbqt", HIV / "ligand-crystal.pdbqt")

    def screen(self, *more, code=0, output="out"):
        result = self.hiv("screen", "-q", "-e", "2k", "--rescore", "cnn", *more, ligands=self.LIGANDS, output=output)
        self.assert_well(result, code)
        return result

    def test_screen(self):
        self.screen("--cnn", "own.pt")
        with sqlite3.connect(self.folder / "out/screen.db") as database:
            settings = dict(database.execute("SELECT key, value FROM setting"))
            scores = database.execute("SELECT ordinal, scoring, free_energy FROM score").fetchall()
        stored = {(ordinal, name): value for ordinal, name, value in scores}
        self.assertEqual([settings[key] for key in ("networks", "rescore_values", "ranked_by")],
                         ["own.pt", "CNNscore,CNNaffinity", "sum"])
        self.assert_well(self.berth("screen", "-o", "out", "--export", "csv", "-q"))
        rows = self.rows("out/results.csv")
        self.assertEqual(len(rows), 2)
        for row in rows:
            for name in ("cnn", "CNNscore", "CNNaffinity"):
                self.assertAlmostEqual(float(row[name]), stored[int(row["ordinal"]), name], delta=1e-3)
            self.assertAlmostEqual(float(row["rank_energy"]), float(row["vina"]) + float(row["cnn"]), delta=0.0016)
            cnn, probability = (stored[int(row["ordinal"]), name] for name in ("cnn", "CNNscore"))
            self.assertAlmostEqual(cnn, math.log(1 / probability - 1), places=6)
        if RDKIT:
            self.assert_well(self.berth("screen", "-o", "out", "--export", "sdf", "-q"))
            for name in ("CNNscore", "CNNaffinity"):
                self.assertIn(f"> <{name}>\n{rows[0][name]}\n", self.text("out/results.sdf").split("$$$$")[0])
        self.assert_well(self.berth("report", "out", "-o", "page.html"))
        page = report_page.data_of(self.folder / "page.html")
        scores = dict(page["scores"])
        self.assertEqual(scores, {"CNNscore": False, "CNNaffinity": False, "Vina": True}, "energies are true")
        for place, name in enumerate(name for name, _ in page["scores"]):
            shown = sorted(row[len(page["columns"]) + place] for row in page["rows"])
            known = sorted(value for (_, of), value in stored.items() if of == name.replace("Vina", "vina"))
            for one, other in zip(shown, known, strict=True):
                self.assertAlmostEqual(one, other, delta=0.0051)
        self.assertIn("started with networks own.pt, not staged", self.screen("--resume", code=1).stderr)
        self.screen("--resume", "--cnn", "own.pt")
        self.assertEqual(len(self.screen("--cnn", "nonesuch", output="other", code=1).stderr.splitlines()), 1)

    def hashes(self):
        """{name: hash} of the networks that are installed."""
        lines = self.berth("networks", "--json").stdout.splitlines()
        return {of["name"]: of["hash"] for of in map(json.loads, lines)}

    def settings(self, name, sql="SELECT key, value FROM setting"):
        with contextlib.closing(sqlite3.connect(self.folder / name)) as database, database:
            return dict(database.execute(sql).fetchall())

    def retrain(self):
        """Another network of the same name; returns the hashes of both."""
        before = self.hashes()[STAGED[0]]
        self.assert_well(self.berth("networks", "install", "-q", self.write(f"{STAGED[0]}.pt", made_up(8))))
        after = self.hashes()[STAGED[0]]
        self.assertNotEqual(before, after)
        return before, after

    def test_a_changed_network_is_not_resumed(self):
        self.screen("--cnn", "staged")
        recorded = self.settings("out/screen.db")["network_hashes"]
        self.assertEqual(recorded, ",".join(f"{name}:{self.hashes()[name]}" for name in STAGED))
        self.screen("--resume", "--cnn", "staged")
        before, after = self.retrain()
        result = self.screen("--resume", "--cnn", "staged", code=1)
        self.assert_refused(result, "out/screen.db", f"another network {STAGED[0]}: its hash was {before} and is {after} now",
                            "install that network again")
        # databases of early versions do not have the hashes
        self.settings("out/screen.db", "DELETE FROM setting WHERE key = 'network_hashes'")
        result = self.screen("--resume", "--cnn", "staged")
        self.assertRegex(result.stderr, r"^berth screen: warning: .*screen\.db: .*make sure that staged are those with which")
        self.assertNotIn("network_hashes", self.settings("out/screen.db"))

    def test_the_hash_is_that_of_the_numbers(self):
        self.assert_well(self.berth("networks", "install", "-q", "own.pt"))
        (self.folder / "nets/own.btn").rename(self.folder / "nets/renamed.btn")
        for network in ("own.pt", "renamed"):
            self.screen("--cnn", network, output=network.replace(".", "-"))
        hashes = [self.settings(f"{folder}/screen.db")["network_hashes"] for folder in ("own-pt", "renamed")]
        self.assertEqual(hashes, [f"{name}:{self.hashes()['renamed']}" for name in ("own", "renamed")])

    def test_parts_of_different_networks_are_not_merged(self):
        parts = [f"out/shard-{part}-of-3.db" for part in (1, 2, 3)]
        for part in (1, 2):
            self.screen("--shard", f"{part}/3")
        before, after = self.retrain()
        self.screen("--shard", "3/3")
        result = self.berth("merge", *parts, "-o", "merged")
        self.assert_refused(result, parts[2], f"the network {STAGED[0]} has the hash {after} here, but {before} in the previous")
        self.assertFalse((self.folder / "merged/screen.db").exists())
        # what early versions docked is merged, with a warning, and the others must agree
        self.settings(parts[0], "DELETE FROM setting WHERE key = 'network_hashes'")
        self.assert_refused(self.berth("merge", *parts, "-o", "merged"), parts[2], f"the network {STAGED[0]}")
        self.settings(parts[2], "DELETE FROM setting WHERE key = 'network_hashes'")
        result = self.berth("merge", *parts, "-o", "merged", "-q")
        self.assert_well(result)
        self.assertIn(f"{parts[0]} does not record the numbers of its networks", result.stderr)
        self.assertIn(f"{STAGED[0]}:{before},", self.settings("merged/screen.db")["network_hashes"])


if __name__ == "__main__":
    cli.main()
