"""`berth bench e50` and `berth bench compare`: studies that can be resumed, and files that can be compared."""
import json
import math
import re
import unittest
import xml.dom.minidom

import berth_cli as cli

FAST = ["--runs", "12", "--evals", "4000", "--population", "10", "--seed", "3", "--quiet"]
FLD = "#SPACING 0.5\n#NELEMENTS 30 30 30\n#CENTER 0.0 0.0 0.0\n"
TABLE = "pdb,n_atoms,n_tors,score_of_probable_global_minimum,rmsd_of_probable_global_minimum,best_score_so_far\n"


def without_time(value):
    """The JSON without whatever depends on the speed of the machine."""
    if isinstance(value, dict):
        return {k: without_time(v) for k, v in value.items() if not any(word in k for word in ("seconds", "per_second", "joules"))}
    return [without_time(v) for v in value] if isinstance(value, list) else value


class Studies(cli.Case):
    def setUp(self):
        super().setUp()
        rows = []
        for k, name in enumerate(("stiff", "limp")):
            ligand = cli.ligand(atoms=7 + k, torsions=2 * k)
            self.write(f"set/{name}/protein.pdbqt", cli.receptor())
            self.write(f"set/{name}/protein.maps.fld", FLD)
            self.write(f"set/{name}/rand-0.pdbqt", ligand)
            self.write(f"set/{name}/flex-xray.pdbqt", ligand)
            rows.append(f"{name},{7 + k},{2 * k},,,-50.0\n")  # never reached: the searches use all evaluations
        self.write("set/ligand_properties.csv", TABLE + "".join(reversed(rows)))

    def e50(self, *arguments, folder="study"):
        return self.berth("bench", "e50", "--set", "set", "-o", folder, *FAST, *arguments)

    def figures(self, *arguments, **options):
        result = self.e50("--json", *arguments, **options)
        self.assert_well(result)
        return json.loads(result.stdout)


class E50(Studies):
    def test_json(self):
        figures = self.figures()
        self.assertTrue(figures["valid"])
        self.assertEqual((figures["benchmark"], figures["runs"], figures["evaluations_per_run"]), ("e50", 12, 4000))
        self.assertEqual([c["complex"] for c in figures["complexes"]], ["stiff", "limp"])  # by torsions
        self.assertEqual([c["name"] for c in figures["configurations"]], ["solis-wets", "adadelta"])
        for key in ("commit", "compiler", "cpu", "version", "command", "date", "system"):
            self.assertTrue(figures[key], key)
        for of in figures["complexes"]:
            self.assertEqual(of["minimum"], -50.0)
            self.assertGreater(of["best"], -50.0)
            for result in of["results"]:
                self.assertEqual(len(result["run_evaluations"]), 12)
                self.assertEqual(sum(result["run_evaluations"]), result["evaluations"])
                self.assertGreaterEqual(result["evaluations"], 12 * 4000)
                self.assertEqual((result["score"]["successes"], result["score"]["e50"]), (0, None))
        self.assertEqual(figures["comparison"]["score"]["complexes"], 0)

    def with_found_minima(self):
        """The set's minima are those of a first study, so that there are successes."""
        found = self.figures(folder="first")
        rows = "".join(f"{c['complex']},7,{c['torsions']},{c['best']},{c['best_rmsd']},\n" for c in found["complexes"])
        self.write("set/ligand_properties.csv", TABLE + rows)
        return found

    def test_estimates_follow_from_the_runs(self):
        self.with_found_minima()
        figures = self.figures(folder="second")
        for of in figures["complexes"]:
            for result in of["results"]:
                score, ends = result["score"], result["run_evaluations"]
                times = [c[-1] if len(c) % 2 else None for c in score["changes"]]
                self.assertEqual(score["successes"], sum(t is not None for t in times))
                self.assertGreater(score["successes"], 0)
                exposure = sum(end if t is None else t for t, end in zip(times, ends))
                self.assertAlmostEqual(score["by_model"], math.log(2) * exposure / score["successes"], delta=1)
                self.assertLessEqual(score["low"], score["e50"])
                self.assertTrue(score["high"] is None or score["e50"] <= score["high"])
        self.assertEqual(figures["comparison"]["score"]["complexes"], 2)
        self.assertIn("verdict", figures["comparison"]["score"])

    def test_seconds_follow_from_docking_time(self):
        self.with_found_minima()
        figures = self.figures("--config", "a:population=10", "b:population=20", "c:population=10,selection=proportional",
                               folder="second")
        for of in figures["complexes"]:
            first = of["results"][0]
            for result in of["results"]:
                self.assertGreater(result["docking_seconds"], 0)
                self.assertLessEqual(result["docking_seconds"], result["seconds"])
                rate, score = result["evaluations"] / result["docking_seconds"], result["score"]
                self.assertLess(abs(result["evaluations_per_second"] / rate - 1), 1e-2)
                self.assertAlmostEqual(score["seconds_50"], score["e50"] / rate, delta=1e-5)
                self.assertAlmostEqual(score["seconds_99"], score["seconds_50"] * math.log2(100), delta=1e-5)
                self.assertLessEqual(score["seconds_50_low"], score["seconds_50"])
                slower = first["evaluations_per_second"] / result["evaluations_per_second"]
                if result is not first:
                    self.assertLess(abs(score["seconds_ratio"] / (score["ratio"] * slower) - 1), 1e-2)
        self.assertEqual([(c["first"], c["second"]) for c in figures["comparisons"]], [("a", "b"), ("a", "c")])
        self.assertEqual(figures["comparisons"][0], figures["comparison"])
        for k, comparison in enumerate(figures["comparisons"], 1):
            for key, ratio in (("ratio", comparison["score"]["ratio"]), ("seconds_ratio", comparison["score"]["seconds"]["ratio"])):
                logs = [math.log(of["results"][k]["score"][key]) for of in figures["complexes"]]
                self.assertAlmostEqual(ratio, math.exp(sum(logs) / len(logs)), delta=1e-4 * ratio)
        mean = figures["configurations"][0]["score"]
        logs = [math.log(of["results"][0]["score"]["e50"]) for of in figures["complexes"]]
        self.assertEqual(mean["complexes"], 2)
        self.assertAlmostEqual(mean["e50"], math.exp(sum(logs) / 2), delta=1.5)

    def test_traces_without_docking_time(self):
        """From versions that did not measure it: E50 is reported, seconds are not."""
        self.figures()
        for path in (self.folder / "study").iterdir():
            path.write_text(re.sub(r',\s*"docking_seconds": [^,\n]+', "", path.read_text()))
        figures = self.figures()
        for of in figures["complexes"]:
            for result in of["results"]:
                self.assertIsNone(result["evaluations_per_second"])
                self.assertIsNone(result["score"]["seconds_50"])
        self.assert_well(self.e50())

    def test_enough_ends_a_search(self):
        self.with_found_minima()
        whole = self.figures(folder="whole")
        short = self.figures("--enough", "0.1", folder="short")
        for a, b in zip(whole["complexes"], short["complexes"]):
            for x, y in zip(a["results"], b["results"]):
                self.assertLessEqual(y["evaluations"], x["evaluations"])
        self.assertLess(sum(y["evaluations"] for c in short["complexes"] for y in c["results"]),
                        sum(x["evaluations"] for c in whole["complexes"] for x in c["results"]))

    def test_resumes_bit_for_bit(self):
        whole = self.figures(folder="whole")
        self.figures("--only", "limp", folder="parts")
        before = (self.folder / "parts/limp.adadelta.json").stat().st_mtime_ns
        (self.folder / "parts/limp.solis-wets.json").unlink()
        parts = self.figures(folder="parts")
        self.assertEqual((self.folder / "parts/limp.adadelta.json").stat().st_mtime_ns, before)
        for key in ("complexes", "comparison", "comparisons", "configurations"):
            self.assertEqual(without_time(whole[key]), without_time(parts[key]))
        again = self.figures(folder="parts")  # nothing is searched again: times are unchanged
        self.assertEqual(again["complexes"], parts["complexes"])

    def test_configurations(self):
        figures = self.figures("--only", "stiff", "--config", "small:local-search=adam,population=6",
                               "large:local-search=adam,population=20,mutation-rate=0.3", "none")
        self.assertEqual([c["name"] for c in figures["configurations"]], ["small", "large", "none"])
        self.assertIn("population=20", figures["configurations"][1]["settings"])
        self.assertIn("local-search=none", figures["configurations"][2]["settings"])

    def test_genetic_algorithm(self):
        figures = self.figures("--only", "stiff", "--config", "usual:elitism=1", "roulette:selection=proportional",
                               "sharp:tournament-rate=0.9", "uniform:crossover=uniform,crossover-rate=0.5",
                               "coarse:mutation-rate=0.3,mutation-move=9,mutation-angle=150")
        settings = {c["name"]: c["settings"] for c in figures["configurations"]}
        for name, words in (("usual", ("selection=tournament", "crossover=two-point")), ("roulette", ("selection=proportional",)),
                            ("sharp", ("tournament-rate=0.9",)), ("uniform", ("crossover=uniform", "crossover-rate=0.5")),
                            ("coarse", ("mutation-rate=0.3", "mutation-move=9", "mutation-angle=150"))):
            for word in words:
                self.assertIn(word, settings[name].split())
        changes = {str(r["score"]["changes"]) + str(r["best"]) + str(r["run_evaluations"])
                   for r in figures["complexes"][0]["results"]}
        self.assertEqual(len(changes), 5)  # each setting reaches the search

    def test_against(self):
        found = {c["complex"]: c["best"] for c in self.with_found_minima()["complexes"]}
        self.reference({"stiff": (found["stiff"], 12, 0.5, 0), "limp": (found["limp"] - 0.9, 3, "-", 6)}, runs=12, evaluations=4000)
        configs = ("--config", "a:population=10", "b:population=20")
        figures = self.figures(*configs, "--against", "peer.tsv", "--margin", "2", folder="second")
        against = figures["against"]
        self.assertEqual((against["file"], against["program"], against["margin"]), ("peer.tsv", "fast", 2))
        self.assertEqual([c["configuration"] for c in against["configurations"]], ["a", "b"])
        for k, config in enumerate(against["configurations"]):
            stiff, limp = config["complexes"]
            result = figures["complexes"][0]["results"][k]
            self.assertTrue(stiff["same_budget"])
            self.assertEqual(stiff["hits"], result["score"]["successes"])  # its energy is the study's minimum
            self.assertEqual(stiff["missing_hits"], 12 - stiff["hits"])
            theirs = 4000 * math.log(2) / -math.log(0.5 / 12)
            self.assertAlmostEqual(stiff["reference_e50"], theirs, delta=1)
            share = min(max(stiff["hits"] / 12, 0.5 / 12), 11.5 / 12)
            ours = 4000 * math.log(2) / -math.log(1 - share)
            self.assertAlmostEqual(stiff["ratio_by_hits"], ours / theirs, delta=1e-3 * ours / theirs)
            self.assertAlmostEqual(stiff["reference_seconds_99"], math.log2(100) * theirs * 0.5 / (12 * 4000), delta=1e-5)
            self.assertNotIn("ratio", stiff)  # times of success against hits: two estimators have no ratio
            trace = json.loads((self.folder / f"second/limp.{config['configuration']}.json").read_text())
            # the energy of the table counts, not the study's minimum
            hits = {run for run, _, energy, _ in trace["steps"] if energy <= limp["reference"] + 1}
            self.assertEqual(limp["hits"], len(hits))
            # a search ends when all its runs have reached the set's minimum, perhaps before the table's is found
            ended = sum(figures["complexes"][1]["results"][k]["run_evaluations"]) < 12 * 4000
            self.assertEqual(limp["same_budget"], not ended or len(hits) == 12)
            self.assertEqual(limp["worse"], limp["same_budget"] and len(hits) < 1)
            self.assertIsNone(limp["seconds_ratio_by_hits"])
            self.assertEqual(config["worse"], [c["complex"] for c in (stiff, limp) if c["worse"]])
            self.assertEqual(stiff["worse"], stiff["hits"] < 10)
            for key, count in (("e50_by_hits", 1 + limp["same_budget"]), ("seconds_by_hits", 1)):
                self.assertEqual(config[key]["complexes"], count, key)
        result = self.e50(*configs, "--against", "peer.tsv", "--against-program", "slow", folder="second")
        self.assert_well(result)
        self.assertIn("a against slow of peer.tsv", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^  limp +2 +-?\d+\.\d\d +\(?\d+/12\)? +6/12 ")
        self.assertRegex(result.stdout, r"worse by more than 3 of its hits: ")

    def test_against_other_budgets(self):
        self.with_found_minima()
        self.reference({"stiff": (-1000, 6, 0.5, 0), "absent": (-5, 1, 1, 1)}, runs=12, evaluations=8000)
        figures = self.figures("--against", "peer.tsv", folder="second")
        of = figures["against"]["configurations"][0]["complexes"]
        self.assertEqual([c["complex"] for c in of], ["stiff"])
        self.assertFalse(of[0]["same_budget"])
        self.assertIsNone(of[0]["missing_hits"])
        self.assertIsNone(of[0]["ratio_by_hits"])
        result = self.e50("--against", "peer.tsv", folder="second")
        self.assert_well(result)
        self.assertIn("(1 of 1 complexes) are not compared", result.stdout)
        self.assertIn("1 of 2 complexes are not in peer.tsv", result.stdout)

    def test_programs_by_several_budgets(self):
        found = {c["complex"]: c["best"] for c in self.figures("--only", "stiff")["complexes"]}
        self.write("set/ligand_properties.csv", TABLE + f"stiff,7,0,{found['stiff'] - 0.5},0,\n")
        for evaluations in (2000, 4000):
            self.assert_well(self.e50("--evals", str(evaluations), "--config", "a:population=10", "b:population=20",
                                      "--rows", f"{evaluations}.tsv", folder=f"of-{evaluations}"))
        rows = [line.split("\t") for line in (self.folder / "4000.tsv").read_text().splitlines()]
        head, (program, commit, card, block, estimator, of, reference, evaluations, runs, hits, seconds) = rows[:2]
        self.assertEqual((head[0], program, block, estimator, of, evaluations, runs),
                         ("program", "berth-a", "chosen", "hits", "stiff", "4000", "12"))
        self.assertTrue(commit and card and float(seconds) > 0 and 0 <= int(hits) <= 12)
        self.assertAlmostEqual(float(reference), found["stiff"] - 0.5, places=5)
        both = (self.folder / "2000.tsv").read_text() + (self.folder / "4000.tsv").read_text()
        self.write("both.tsv", "# two budgets\n" + both)
        result = self.berth("bench", "e50", "--against", "both.tsv", "--json")
        self.assert_well(result)
        (of,) = json.loads(result.stdout)["comparisons"]
        self.assertEqual((of["first"], of["second"]), ("berth-a", "berth-b"))
        one = of["complexes"][0]["first"]
        share = min(one["hits"] / 12, 11.5 / 12)
        self.assertAlmostEqual(one["seconds_99"], one["seconds"] / 12 * math.log(0.01) / math.log(1 - share),
                               delta=1e-3 * one["seconds_99"])
        text = self.berth("bench", "e50", "--against", "both.tsv", "--against-program", "berth-b")
        self.assert_well(text)
        self.assertRegex(text.stdout, r"by hits, least over budgets: seconds of berth-a / berth-b = \S+ \(95 % interval")
        self.assert_refused(self.e50("--against", "both.tsv"), "leave out --set")
        self.assert_refused(self.berth("bench", "e50", "--against", "both.tsv", "--against-program", "c"), "no rows of c")
        self.assert_refused(self.berth("bench", "e50", "--against", "2000.tsv"), "single budget for stiff")
        self.assert_refused(self.e50("--rows", "x.tsv", "--enough", "0.5", folder="of-2000"), "leave out --enough")
        rows = both.splitlines()
        rows[-1] = rows[-1].replace("\thits\t", "\ttimes\t")
        self.write("mixed.tsv", "\n".join(rows))
        refused = self.berth("bench", "e50", "--against", "mixed.tsv")
        self.assert_refused(refused, f"mixed.tsv:{len(rows)}", "estimators are mixed: 'times' here, 'hits' above")

    def reference(self, rows, runs, evaluations):
        text = f"# {runs} runs of {evaluations:,} evaluations\ncomplex\treference\tfast_hits\tfast_seconds\tslow_hits\n"
        self.write("peer.tsv", text + "".join("\t".join(map(str, (name, *row))) + "\n" for name, row in rows.items()))

    def test_against_refused(self):
        self.reference({"absent": (-5, 1, 1, 1)}, runs=12, evaluations=4000)
        self.assert_refused(self.e50("--against", "peer.tsv"), "peer.tsv", "none of the complexes")
        self.assert_refused(self.e50("--against", "nowhere.tsv"), "nowhere.tsv")
        self.assert_refused(self.e50("--against-program", "fast"), "--against FILE")
        self.assert_refused(self.e50("--against", "peer.tsv", "--against-program", "swift"), "peer.tsv:2", "swift_hits")
        self.assert_refused(self.e50("--against", "peer.tsv", "--margin", "-1"), "--margin")
        whole = (self.folder / "peer.tsv").read_text()
        for text, *words in ((whole.replace("absent\t", "absent "), "peer.tsv:3", "4 fields", "tab"),
                             (whole.replace("\t1\t1\t1", "\t13\t1\t1"), "peer.tsv:3", "between 0 and 12"),
                             (whole.replace("12 runs of", "some"), "peer.tsv:3", "number of runs", "# 100 runs of"),
                             (whole.replace("reference", "energy"), "peer.tsv:2", "no column reference"),
                             ("", "peer.tsv", "no complex"), ("\0", "peer.tsv", "not a text file")):
            self.write("peer.tsv", text)
            self.assert_refused(self.e50("--against", "peer.tsv"), *words)
        self.assertFalse((self.folder / "study").exists())  # before anything is searched

    def test_other_settings_are_refused(self):
        self.figures("--only", "stiff")
        self.assert_refused(self.e50("--only", "stiff", "--seed", "4"), "other settings", "study/stiff.solis-wets.json")

    def test_a_damaged_trace_is_refused(self):
        self.figures("--only", "stiff")
        path = "study/stiff.adadelta.json"
        whole = (self.folder / path).read_text()
        for text in (whole[:100], whole.replace("[0, ", "[99, "), whole.replace("berth bench e50 trace", "poem"), "", "[" * 200):
            self.write(path, text)
            self.assert_refused(self.e50("--only", "stiff"), path)

    def test_table_and_plot(self):
        (self.folder / "out").mkdir()
        result = self.e50("--plot", "out/plot.svg", "--json-file", "out/e50.json")
        self.assert_well(result)
        self.assertRegex(result.stdout, r"(?m)^  limp +2 +-50\.00")
        page = xml.dom.minidom.parse(str(self.folder / "out/plot.svg"))
        texts = ["".join(n.data for n in t.childNodes) for t in page.getElementsByTagName("text")]
        self.assertIn("limp, 2 torsions", texts)
        self.assertNotIn("nan", (self.folder / "out/plot.svg").read_text())
        self.assertEqual(json.loads((self.folder / "out/e50.json").read_text())["benchmark"], "e50")

    def test_wrong_use(self):
        self.assert_refused(self.berth("bench", "e50"), "--set")
        self.assert_refused(self.e50("--only", "absent"), "--only")
        self.assert_refused(self.e50("--config", "a b"), "--config")
        self.assert_refused(self.e50("--config", "x:population=none"), "population")
        self.assert_refused(self.e50("--config", "x:device=abacus"), "abacus")
        self.assert_refused(self.e50("--config", "x:selection=lottery"), "selection", "proportional")
        self.assert_refused(self.e50("--config", "x:crossover=3"), "crossover", "two-point")
        self.assert_refused(self.e50("--config", "x:tournament-rate=2"), "tournament-rate")
        self.assert_refused(self.e50("--config", "x:mutation-angle=181"), "mutation-angle")
        self.assert_refused(self.e50("--config", "x:population=5", "x:population=6"), "twice")
        self.assert_refused(self.e50("--plot", "nowhere/plot.svg"), "nowhere")
        self.assert_refused(self.berth("bench", "e50", "--set", "nowhere", "-o", "study"), "nowhere")


class Compare(Studies):
    def portability(self, path, evaluations):
        """A file of the benchmark with one row of the given speed."""
        row = {"case": "a", "device": "cpu/avx2", "team": 0, "runs": 20, "evaluations_per_second": evaluations}
        other = {"case": "b", "device": "cpu/avx2", "team": 0, "runs": 20, "evaluations_per_second": None}
        self.write(path, json.dumps({"benchmark": "portability", "commit": "1", "cpu": "x", "rows": [row, other]}))

    def compare(self, *arguments):
        return self.berth("bench", "compare", *arguments)

    def test_ratios(self):
        self.portability("a.json", 2e6)
        self.portability("b.json", 3e6)
        (self.folder / "out").mkdir()
        result = self.compare("a.json", "b.json", "--json-file", "out/c.json", "--plot", "out/c.svg")
        self.assert_well(result)
        self.assertIn("B is faster", result.stdout)
        self.assertRegex(result.stdout, r"a, cpu/avx2, 20 runs +2e\+06 +3e\+06 +1\.500")
        figures = json.loads((self.folder / "out/c.json").read_text())
        self.assertEqual([row["ratio"] for row in figures["rows"]], [1.5, None])
        self.assertEqual(figures["means"][0]["count"], 1)
        xml.dom.minidom.parse(str(self.folder / "out/c.svg"))

    def test_studies(self):
        first = self.e50("--json-file", "a.json")
        self.assert_well(first)
        figures = json.loads((self.folder / "a.json").read_text())
        for of in figures["complexes"]:  # every run succeeds after a while
            for result in of["results"]:
                ends = result["run_evaluations"]
                result["score"]["changes"] = [[100 * (k + 1)] for k in range(len(ends))]
        self.write("a.json", json.dumps(figures))
        for of in figures["complexes"]:
            for result in of["results"]:
                result["score"]["changes"] = [[c[0] * 3] for c in result["score"]["changes"]]
        self.write("b.json", json.dumps(figures))
        result = self.compare("a.json", "b.json", "--json")
        self.assert_well(result)
        comparisons = json.loads(result.stdout)["comparisons"]
        self.assertEqual([c["first"] for c in comparisons], ["solis-wets", "adadelta"])
        for c in comparisons:
            self.assertAlmostEqual(c["score"]["ratio"], 3, delta=0.2)
            self.assertEqual(c["score"]["verdict"], "second needs more")
            self.assertAlmostEqual(c["score"]["seconds"]["ratio"], c["score"]["ratio"], delta=1e-5)

    def test_wrong_use(self):
        self.portability("a.json", 1.0)
        self.write("b.json", '{"benchmark": "screen"}')
        self.write("c.json", '{"benchmark": "poem"}')
        self.write("d.json", '{"benchmark": }')
        self.assert_refused(self.compare("a.json"), "two files")
        self.assert_refused(self.compare("a.json", "b.json"), "same benchmark")
        self.assert_refused(self.compare("c.json", "c.json"), "poem")
        self.assert_refused(self.compare("a.json", "d.json"), "d.json")
        self.assert_refused(self.compare("a.json", "absent.json"), "absent.json")


class Plots(Studies):
    def test_any_benchmark_draws(self):
        self.assert_well(self.berth("grid", "-r", "receptor.pdbqt", "-l", "set/limp/rand-0.pdbqt", "-o", "maps", "--quiet",
                                    *cli.BOX))
        result = self.berth("bench", "evals", "-r", "maps.maps.fld", "-l", "set/limp/rand-0.pdbqt", "--evals", "1000", "--runs",
                            "1", "--plot", "p.svg")
        self.assert_well(result)
        text = (self.folder / "p.svg").read_text()
        self.assertIn("adadelta_us", text)
        xml.dom.minidom.parseString(text)
        self.assertIsNone(re.search(r"\bnan\b|\binf\b", text))


if __name__ == "__main__":
    cli.main()
