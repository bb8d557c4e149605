"""`berth bench`: only validated results have figures, and results do not depend on how the work was divided."""
import csv
import json
import unittest

import berth_cli as cli
from torch_files import archive, random_values, shapes

SHORT = ["--runs", "2", "--evals", "1500", "--population", "20", "--seed", "7", "--device", "cpu"]
WHERE = ("commit", "compiler", "cpu")


class Bench(cli.Case):
    def setUp(self):
        super().setUp()
        for k in range(5):
            self.write(f"library/ligand{k}.pdbqt", cli.ligand(atoms=7 + k, torsions=1 + k % 3, shift=(0.3 * k, 0, 0)))
        self.assert_well(self.berth("grid", "-r", "receptor.pdbqt", "-l", "library", "-o", "maps", "--quiet", *cli.BOX))

    def bench(self, name, *arguments, **options):
        return self.berth("bench", name, *arguments, **options)


class General(Bench):
    def test_help_lists_the_benchmarks(self):
        result = self.berth("bench", "--help")
        self.assert_well(result)
        for name in ("compare", "e50", "evals", "fpga", "grid", "mappings", "networks", "portability", "reductions", "screen"):
            self.assertRegex(result.stdout, rf"(?m)^  {name} ")

    def test_unknown_benchmark(self):
        self.assert_refused(self.berth("bench"), "bench --help")
        self.assert_refused(self.berth("bench", "screem"), "screem", "berth bench screen")

    def test_evals(self):
        result = self.bench("evals", "-r", "maps.maps.fld", "-l", "library/ligand1.pdbqt", "--evals", "2000", "--json")
        self.assert_well(result)
        figures = json.loads(result.stdout)
        self.assertTrue(figures["valid"])
        self.assertGreater(figures["adadelta_us"], 0)
        for key in WHERE:
            self.assertTrue(figures[key], key)


    def test_networks(self):
        made = self.write("made.pt", archive(shapes(), random_values(3)))
        result = self.bench("networks", "-r", "receptor.pdbqt", "-l", "library/ligand1.pdbqt", "--cnn", made, "--poses", "2",
                            "--device", "cpu", "--json")
        self.assert_well(result)
        figures = json.loads(result.stdout)
        self.assertTrue(figures["valid"])
        (one,) = figures["networks"]
        self.assertEqual((one["name"], one["products"]), ("made", "single precision"))
        self.assertGreater(one["milliseconds"], 0)
        self.assertLess(one["score_off"], 1e-5)
        self.assert_refused(self.bench("networks", "-l", "library/ligand1.pdbqt"), "-r RECEPTOR.pdbqt")
        self.assert_refused(self.bench("networks", "-r", "receptor.pdbqt", "-l", "library/ligand1.pdbqt", "--cnn", "none"),
                            "the network none is not installed")


class Fpga(Bench):
    SMALL = ["--runs", "1", "--population", "6", "--generations", "2", "--quiet"]

    def test_model_equals_the_scalar_kernels(self):
        result = self.bench("fpga", "--case", "one=maps.maps.fld:library/ligand1.pdbqt", *self.SMALL, "--serial-us", "10", "--json")
        self.assert_well(result)
        figures = json.loads(result.stdout)
        self.assertIn("no FPGA was used", figures["model"])
        row = figures["rows"][0]
        self.assertEqual((row["valid"], row["differ"], len(row["predictions"])), (True, 0, 9))
        speeds = [p["evaluations_per_second"] for p in row["predictions"]]
        self.assertGreater(min(speeds[1:]), speeds[0])
        self.assertAlmostEqual(row["predictions"][0]["speed_up"], speeds[0] * 10e-6, places=3)
        text = self.bench("fpga", "--case", "one=maps.maps.fld:library/ligand1.pdbqt", *self.SMALL)
        self.assert_well(text)
        self.assertIn("no FPGA was used", text.stdout)

    def test_slower_stages_are_slower(self):
        case = ["--case", "one=maps.maps.fld:library/ligand1.pdbqt", *self.SMALL, "--json"]
        fast, slow = (json.loads(self.bench("fpga", *case, *more).stdout)["rows"][0]["predictions"][8]["cycles"]
                      for more in ([], ["--intra", "50,150"]))
        self.assertGreater(slow, fast)

    def test_overlapped_poses_are_faster(self):
        case = ["--case", "one=maps.maps.fld:library/ligand1.pdbqt", *self.SMALL, "--json"]
        one, many = (json.loads(self.bench("fpga", *case, "--depth", depth).stdout)["rows"][0]["predictions"][8]["cycles"]
                     for depth in ("1", "16"))
        self.assertGreater(one, many)

    def test_wrong_use(self):
        self.assert_refused(self.bench("fpga", "--intra", "1"), "--intra", "4,150")
        self.assert_refused(self.bench("fpga", "--pose", "0,5"), "--pose")


class Dockings(Bench):
    def test_method_is_what_was_asked_for(self):
        for method, name in (("none", "no local search"), ("solis-wets", "Solis-Wets")):
            result = self.bench("portability", "--device", "cpu", "--case", "one=maps.maps.fld:library/ligand1.pdbqt", "--local-search", method,
                                "--runs", "1", "--population", "10", "--evaluations", "200", "--repeats", "1", "--quiet", "--json")
            self.assert_well(result)
            self.assertEqual(json.loads(result.stdout)["local_search"], name)


class Grid(Bench):
    def grid(self, *arguments):
        return self.bench("grid", "-m", "maps.maps.fld", "-r", "receptor.pdbqt", "--repeats", "1", *arguments)

    def test_agrees_with_what_was_written(self):
        result = self.grid("--json", "--plot", "grid.svg")
        self.assert_well(result)
        figures = json.loads(result.stdout)
        self.assertTrue(figures["valid"])
        rows = {row["name"]: row for row in figures["rows"]}
        self.assertEqual(["avx2", "avx512", "base"], sorted(rows))
        self.assertTrue(rows["base"]["measured"])
        points = (figures["npts"][0] + 1) * (figures["npts"][1] + 1) * (figures["npts"][2] + 1)
        for row in rows.values():
            if row["measured"]:
                self.assertEqual((row["values"], row["beyond_tolerance"]), (points * figures["maps"], 0))
                self.assertGreater(row["values_per_second"], 0)
        for key in WHERE:
            self.assertTrue(figures[key], key)
        self.assert_well(self.grid("--isa", "base"))

    def test_wrong_maps_have_no_speed(self):
        path = self.folder / "maps.OA.map"
        lines = path.read_text().splitlines()
        lines[-1] = str(float(lines[-1]) + 1.5 + abs(float(lines[-1])))
        path.write_text("\n".join(lines) + "\n")
        result = self.grid("--json", "--isa", "base")
        self.assert_well(result, code=3)
        row = json.loads(result.stdout)["rows"][0]
        self.assertEqual((row["valid"], row["beyond_tolerance"], row["values_per_second"]), (False, 1, None))

    def test_wrong_use(self):
        self.assert_refused(self.bench("grid"), "-m")
        self.assert_refused(self.grid("--isa", "abacus"), "abacus")
        self.assert_refused(self.bench("grid", "-m", "absent.fld", "-r", "receptor.pdbqt"), "absent.fld")


class Limits(Bench):
    def test_what_takes_too_long_is_left_out(self):
        case = ["--case", "one=maps.maps.fld:library/ligand1.pdbqt", "--device", "cpu", "--runs", "2", "-p", "20"]
        result = self.bench("mappings", *case, "--evaluations", "100M", "--most-seconds", "1", "-q", "--json")
        self.assertEqual(result.returncode, 3, result.stderr)  # nothing was measured
        for row in json.loads(result.stdout)["rows"]:
            self.assertFalse(row["measured"])
            self.assertRegex(row["reason"], r"a docking would take \d+ s, more than --most-seconds 1")
        result = self.bench("mappings", *case, "--evaluations", "2000", "--most-seconds", "60", "-q", "--json")
        self.assert_well(result)
        self.assertTrue(all(row["measured"] for row in json.loads(result.stdout)["rows"]))


class Reductions(Bench):
    def test_errors_are_reckoned_without_a_gpu(self):
        words = ["-m", "maps.maps.fld", "-l", "library/ligand2.pdbqt", "--device", "cpu"]
        result = self.bench("reductions", *words, "--json")
        self.assert_well(result)
        figures = json.loads(result.stdout)
        self.assertTrue(figures["valid"])
        self.assertIn("no tensor cores", figures["reason"])
        rows = {row["reduction"]: row for row in figures["rows"]}
        self.assertEqual(["sequential", "simt", "tensor-ec", "tensor-fp16", "two-step-ec", "two-step-fp16"], sorted(rows))
        for row in rows.values():
            self.assertFalse(row["measured"])
            self.assertNotIn("seconds", row)
        for name in ("simt", "tensor-ec", "sequential", "two-step-ec"):
            for side in ("early", "late"):
                self.assertLess(rows[name][side]["seven_max"], 2e-6)
                self.assertLess(rows[name][side]["gradient_max"], 1e-4)
                self.assertEqual(rows[name][side]["overflow"], 0)
        self.assertTrue(rows["tensor-fp16"]["early"]["overflow"] > 0 or rows["tensor-fp16"]["late"]["seven_mean"] > 1e-5)
        for key in WHERE:
            self.assertTrue(figures[key], key)
        for name, row in rows.items():
            self.assertEqual(row["valid"], not name.endswith("fp16"), name)
        text = self.bench("reductions", *words)
        self.assert_well(text)
        self.assertNotIn("measured", text.stdout)  # nothing was timed

    def test_refusals(self):
        words = ["-m", "maps.maps.fld", "-l", "library/ligand2.pdbqt"]
        self.assert_refused(self.bench("reductions", *words, "--device", "cpu", "--team", "32"), "64, 128", "32")
        self.assert_refused(self.bench("reductions", "-l", "library/ligand2.pdbqt"), "MAPS.fld")


class Screen(Bench):
    def screen(self, *arguments):
        return self.bench("screen", "-m", "maps.maps.fld", "-l", "library", *SHORT, *arguments)

    def ligands(self, *arguments):
        """The CSV file's columns for every ligand, without times."""
        self.assert_well(self.screen("--csv", "out/ligands.csv", *arguments))
        with open(self.path("out/ligands.csv"), newline="") as stream:
            rows = list(csv.DictReader(stream))
        for row in rows:
            row.pop("seconds")
        return rows

    def test_json(self):
        result = self.screen("--json")
        self.assert_well(result)
        figures = json.loads(result.stdout)
        self.assertTrue(figures["valid"])
        self.assertEqual((figures["benchmark"], figures["ligands"], figures["rejected"]), ("screen", 5, 0))
        self.assertEqual((figures["runs"], figures["population"], figures["heuristics"]), (2, 20, False))
        self.assertGreater(figures["docking_ligands_per_second"], figures["whole_ligands_per_second"])
        self.assertGreaterEqual(figures["evaluations"], 5 * 2 * 1500)
        for key in WHERE:
            self.assertTrue(figures[key], key)

    def test_answers_do_not_depend_on_batches_and_streams(self):
        (self.folder / "out").mkdir()
        expected = self.ligands("--batch", "1", "--streams", "1")
        self.assertEqual([row["ligand"] for row in expected], [f"ligand{k}" for k in range(5)])
        for batch, streams in ((5, 1), (2, 2), (1, 4), (100, 3)):
            self.assertEqual(self.ligands("--batch", batch, "--streams", streams), expected, (batch, streams))

    def test_limit_counts_ligands(self):
        (self.folder / "out").mkdir()
        models = "".join(f"MODEL {k + 1}\n{cli.ligand(atoms=8 + k)}ENDMDL\n" for k in range(3))
        self.write("library/a.pdbqt", models)
        self.assertEqual(len(self.ligands("--limit", "2")), 2)
        self.assertEqual(len(self.ligands("--limit", "4", "--batch", "3")), 4)

    def test_a_broken_ligand_is_rejected(self):
        self.write("library/broken.pdbqt", "ATOM  nonsense\n")
        result = self.screen("--json", "--batch", "2")
        self.assert_well(result, code=2)
        self.assertIn("broken.pdbqt", result.stderr)
        figures = json.loads(result.stdout)
        self.assertEqual((figures["ligands"], figures["rejected"]), (5, 1))

    def test_a_type_without_map_is_rejected(self):
        self.write("library/iodine.pdbqt", cli.ligand(kinds=("C", "I")))
        result = self.screen("--json")
        self.assert_well(result, code=2)
        self.assertEqual(json.loads(result.stdout)["rejected"], 1)

    def test_wrong_use(self):
        self.assert_refused(self.bench("screen"), "-m")
        self.assert_refused(self.bench("screen", "-m", "absent.fld", "-l", "library"), "absent.fld")
        self.assert_refused(self.screen("--batch", "0"), "batch")
        self.assert_refused(self.screen("--streams", "x"), "streams")
        self.assert_refused(self.screen("--device", "abacus"), "abacus")
        self.assert_refused(self.screen("--csv", "nowhere/ligands.csv"), "nowhere")
        self.assert_refused(self.bench("screen", "-m", "maps.maps.fld", "-l", "absent.pdbqt"), "absent.pdbqt")

TINY = ["--evaluations", "500", "--population", "16", "--repeats", "2", "--quiet"]


class Table(Bench):
    def figures(self, name, *arguments, code=0):
        result = self.bench(name, *TINY, "--json", *arguments)
        self.assert_well(result, code=code)
        figures = json.loads(result.stdout)
        self.assertEqual(figures["benchmark"], name)
        self.assertEqual((figures["evaluations_per_run"], figures["population"], figures["repeats"]), (500, 16, 2))
        for key in WHERE:
            self.assertTrue(figures[key], key)
        return figures

    def check_row(self, row):
        self.assertTrue(row["measured"] and row["valid"], row)
        self.assertEqual(row["reason"], "")
        self.assertLess(row["energy_deviation"], 0.05)
        self.assertLessEqual(row["seconds_min"], row["seconds"])
        self.assertLessEqual(row["seconds"], row["seconds_max"])
        self.assertGreaterEqual(row["evaluations"], 500 * row["runs"])
        self.assertAlmostEqual(row["evaluations_per_second"] * row["seconds"] / row["evaluations"], 1, places=6)

    def test_portability(self):
        case = "mine=maps.maps.fld:library/ligand1.pdbqt"
        figures = self.figures("portability", "--case", case, "--device", "cpu,cpu/scalar", "--runs", "2")
        self.assertTrue(figures["valid"])
        self.assertEqual([(r["case"], r["device"].split("/")[0]) for r in figures["rows"]], [("mine", "cpu")] * 2)
        self.assertEqual(figures["rows"][1]["device"], "cpu/scalar")
        for row in figures["rows"]:
            self.check_row(row)
        self.assertEqual(max(r["ratio_to_best"] for r in figures["rows"]), 1)

    def test_portability_on_complexes_of_our_own(self):
        figures = self.figures("portability", "--device", "cpu", "--runs", "2", "--threads", "1")
        self.assertEqual([(r["case"], r["atoms"], r["torsions"]) for r in figures["rows"]],
                         [("small", 8, 0), ("medium", 43, 15), ("large", 108, 31)])
        for row in figures["rows"]:
            self.check_row(row)
            self.assertEqual((row["threads"], row["ratio_to_best"]), (1, 1))

    def test_portability_as_a_table(self):
        result = self.bench("portability", *TINY, "--case", "a=receptor.pdbqt:library/ligand0.pdbqt",
                            "b=maps.maps.fld:library/ligand2.pdbqt", "--device", "cpu", "--runs", "2")
        self.assert_well(result)
        self.assertRegex(result.stdout, r"(?m)^cpu +[\d.]+ +1\.000 +[\d.]+ +[\d.]+ +1\.000 +[\d.]+  1,1 ")

    def test_mappings(self):
        case = "mine=maps.maps.fld:library/ligand1.pdbqt"
        figures = self.figures("mappings", "--case", case, "--device", "cpu", "--runs", "1,3")
        self.assertEqual([(r["runs"], r["team"]) for r in figures["rows"]], [(1, 1), (1, 0), (3, 1), (3, 0)])
        for row in figures["rows"]:
            self.check_row(row)
            self.assertEqual((row["team_first"], row["team_last"]), (1, 1))
        result = self.bench("mappings", *TINY, "--case", case, "--device", "cpu", "--runs", "1,3")
        self.assert_well(result)
        self.assertIn("3 runs: auto chooses 1, ", result.stdout)

    def test_wrong_use(self):
        for name in ("portability", "mappings"):
            self.assert_refused(self.bench(name, "-q", "--case", "mine"), "NAME=")
            self.assert_refused(self.bench(name, "-q", "--case", "mine=maps.maps.fld"), "NAME=")
            self.assert_refused(self.bench(name, "-q", "--case", "m=absent.fld:library/ligand0.pdbqt"), "absent.fld")
            self.assert_refused(self.bench(name, "-q", "--case", "m=maps.maps.fld:absent.pdbqt"), "absent.pdbqt")
            self.assert_refused(self.bench(name, "-q", "--device", "abacus"), "abacus")
            self.assert_refused(self.bench(name, "-q", "--repeats", "0"), "repeats")
        for runs in ("x", "1,,2", "0", "1,"):
            self.assert_refused(self.bench("mappings", "--runs", runs), "--runs")
        self.assert_refused(self.bench("mappings", "--device", "cpu,cpu/scalar"), "one device")


if __name__ == "__main__":
    cli.main()
