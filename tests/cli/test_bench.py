"""`berth bench`: figures only beside proofs, and answers that do not depend on how the work was divided."""
import csv
import json
import unittest

import berth_cli as cli

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
        for name in ("evals", "reductions", "screen"):
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


class Reductions(Bench):
    def test_errors_are_reckoned_without_a_gpu(self):
        words = ["-m", "maps.maps.fld", "-l", "library/ligand2.pdbqt", "--device", "cpu"]
        result = self.bench("reductions", *words, "--json")
        self.assert_well(result)
        figures = json.loads(result.stdout)
        self.assertTrue(figures["valid"])
        self.assertIn("no tensor cores", figures["reason"])
        rows = {row["reduction"]: row for row in figures["rows"]}
        self.assertEqual(["simt", "tensor-ec", "tensor-fp16"], sorted(rows))
        for row in rows.values():
            self.assertFalse(row["measured"])
            self.assertNotIn("seconds", row)
        for name in ("simt", "tensor-ec"):
            for side in ("early", "late"):
                self.assertLess(rows[name][side]["seven_max"], 2e-6)
                self.assertLess(rows[name][side]["gradient_max"], 1e-4)
                self.assertEqual(rows[name][side]["overflow"], 0)
        self.assertTrue(rows["tensor-fp16"]["early"]["overflow"] > 0 or rows["tensor-fp16"]["late"]["seven_mean"] > 1e-5)
        for key in WHERE:
            self.assertTrue(figures[key], key)
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
        """What the CSV file tells of every ligand, but for times."""
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


if __name__ == "__main__":
    cli.main()
