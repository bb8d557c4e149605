#!/usr/bin/env python3
"""Pages of benchmarks match the committed JSON, and the output of bench/scripts/docs.py is complete."""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import skips  # noqa: E402

TOP = os.environ.get("BERTH_SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(TOP, "bench", "scripts", "docs.py")
DATA = os.path.join(TOP, "docs", "benchmarks", "data")
# No energies: instructions that are counted and not run; rates, also of simulated GPUs.
LISTINGS = {"bude-sass.json", "screen-gpus.json"}
# measured by scripts that did not compare energies; rows go when they are repeated, none may come
UNCHECKED = {"counters-7cpa-h200.json",
             "phases-7cpa-epyc.json", "phases-7cpa-h200.json", "speedup-h200.json"}


def load_script():
    sys.path[:0] = [os.path.dirname(SCRIPT)] if os.path.dirname(SCRIPT) not in sys.path else []
    sys.modules.pop("stale", None)  # tests replace parts of it
    spec = importlib.util.spec_from_file_location("docs", SCRIPT)
    docs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(docs)
    return docs


WHERE = {"valid": True, "commit": "1", "compiler": "c", "cpu": "p", "command": "berth bench x", "date": "2020-01-01"}
ROW = {"case": "a", "device": "cpu", "team": 0, "team_first": 1, "runs": 20, "measured": True, "evaluations_per_second": 2.5e6,
       "ratio_to_best": 1.0, "energy_deviation": 0.001}
ERRORS = {"seven_mean": 1e-8, "seven_max": 2e-7, "overflow": 0}
SPEED = {"poses_per_item": 4, "lanes": 8, "group": 1, "deviation_percent": 0.0159, "interactions_per_second": 4e9, "operations_per_second": 1.2e11,
         "percent_of_peak": 120.0, "executed_operations_per_interaction": 18.0, "valid": True}
SUMS = {"measured": True, "valid": True, "team": 64, "reduction": "two-step-ec", "dockings": 3, "evaluations_per_run": 100000, "best_energy": -22.0,
        "best_energy_rmsd": 4.0, "best_rmsd": 2.0, "best_rmsd_energy": -20.0, "seconds": 1.5, "seconds_deviation": 0.1, "seconds_min": 1.4,
        "seconds_max": 1.6, "successes": 3, "runs": 60, "microseconds": 0.02, "cycles_per_evaluation": 900.0, "cycles_in_sums": 0.1,
        "baseline": "sequential", "effective_fraction": 0.2, "predicted_speedup": 1.21, "bound": 1.25, "measured_speedup": 1.3}
SLOW = {**SUMS, "reduction": "sequential", "microseconds": 0.03}
CARD = {"device": "cuda:0", "description": "NVIDIA X", "ligand": "7cpa"}
EXAMPLES = {
    "fpga": ({"serial_us": 10.0, "rows": [{"case": "a", "predictions": [{"evaluations_per_second": 2e5 + n, "speed_up": None} for n in range(9)]}]},
             "| 1 | 200 | - |"),
    "dockings": ({**CARD, "rows": [SUMS, {**SUMS, "reduction": "two-step-fp16", "valid": False}, {"measured": False}]},
                 "| cuda:0 (NVIDIA X) | 7cpa | 64 | two-step-ec | 3 | 100,000 | -22.00 (4.00) | 2.00 (-20.00) | 1.5 (0.1) | 1.4 - 1.6 | 3 of 60 |"),
    "speeds": ({**CARD, "rows": [SUMS, SLOW]},
               "| cuda:0 (NVIDIA X) | 7cpa | 64 | two-step-ec | 0.02 | 900 | 0.1 | sequential | 0.2 | 1.21 | 1.25 | 1.3 |"),
    "set": ({**CARD, "complexes": [{"complex": "7cpa", "rows": [SUMS, SLOW]}, {"complex": "1ac8", "rows": [{**SUMS, "valid": False}, SLOW]}]},
            "| 64 | 1.50 (1.50 - 1.50, 1) | - | - |"),
    "evals": ({"ligand": "7cpa", "atoms": 43, "torsions": 15, "pairs": 737, "device": "cpu/avx2", "energy_us": 0.5, "gradient_us": None,
               "solis_wets_us": 0.7, "adadelta_us": 1.5, "adam_us": 1.0}, "| cpu/avx2: energy and gradient | - |"),
    "figures": ({"rows": [ROW]}, "| a | cpu | 1 | 20 | 2.5 | 1 | 0.001 |"),
    "screen": ({"device": "cpu", "ligands": 100, "runs": 5, "batch": 1, "docking_ligands_per_second": 12.345,
                "whole_ligands_per_second": 12.0, "docking_evaluations_per_second": 2e6}, "| cpu | 100 | 5 | 1 | 12.3 | 12 | 2 |"),
    "grid": ({"npts": [10, 10, 10], "maps": 4, "rows": [{"name": "avx2", "measured": True, "values": 5324, "beyond_tolerance": 0,
                                                        "seconds": 0.5, "values_per_second": 10648.0}]},
             "| 11 x 11 x 11, 4 maps | avx2 | 5,324 | 0 | 0.5 | 0.0106 |"),
    "reductions": ({"atoms": 43, "torsions": 15, "rows": [{"reduction": "simt", "team": 64, "early": ERRORS, "late": {**ERRORS, "overflow": 0.5}}]},
                   "| simt | 64 | 1.0e-08 / 2.0e-07 | 1.0e-08 / 2.0e-07, 50% overflow |"),
    "variants": ({"variants": ["standard", "separate"], "rows": [{**ROW, "local_search": "ADADELTA", "valid": True, "variant": name, "round": n,
                                                                  "evaluations_per_second": rate, "seconds_min": 1e6 / rate} for name, n, rate in
                                                                 (("standard", 1, 2e6), ("separate", 1, 1.5e6), ("standard", 2, 4e6), ("separate", 2, 2e6))]},
                 "| a | chosen | 4 | 0.5 (0.5 - 0.75) |"),
    "shares": ({"description": "", "device": "cpu", "ligands": 2, "conformers": 4, "population": 512, "generations": 8,
                "distinct": {"a": 4, "b": 3}, "rows": [
        {"devices": "cpu", "seconds": 2.0, "interactions_per_second": 4e9, "shares": {"cpu": 8}, "differ": 0},
        {"devices": "cpu,cuda:0", "seconds": 1.0, "interactions_per_second": 8e9, "shares": {"cpu": 2, "cuda:0": 6},
         "differ": 1}]},
               "| cpu,cuda:0 | cpu 2, cuda:0 6 | 1 | 2 | 8 | 1 |"),
    "bude": ({"deck": "decks/bm1", "device": "cpu/avx2", "poses": 65536, "peak_operations_per_second": 1e11,
              "rows": [{**SPEED, "kind": "main"}, {**SPEED, "kind": "step", "without": ""}, {**SPEED, "kind": "step", "without": "kinds", "interactions_per_second": 2e9},
                       {"kind": "step", "without": "local", "valid": False, "reason": "no such kernels"}]},
             "| kinds | 2 | 0.5 | 0.0159 |"),
    "validity": ({"deck": "decks/bm1", "device": "cpu/avx2", "poses": 65536,
                  "rows": [{**SPEED, "kind": "main"}, {**SPEED, "kind": "step", "without": "square", "deviation_percent": 0.007}]},
                 "| bm1 | cpu/avx2 | 65,536 | 0.0159 | 0.0070 | 1 |"),
    "sass": ({"architecture": "sm_90", "rows": [{"poses_per_item": 8, "without": "", "pairs": pairs, "instructions": n}
                                                for pairs, n in (("steric", 7.5), ("one", 9.5), ("one", 9.5), ("both", 11.5))]},
             "| 8 | nothing | 7.5 | 9.5 | 11.5 |  |"),
    "maps": ({"rows": [{"receptor": "1ac8", "atoms": 2891, "types": ["A", "C"], "values": 4000, "low_values": 1000, "low_third": 20,
                        "low_largest": 0.001, "high_values": 1000, "high_third": 400, "high_relative": 1e-5, "e_third": 30,
                        "e_largest": 0.001, "d_third": 2, "above": 300, "beyond": 0}]},
             "| 1ac8 | 2,891 | A C | 4,000 | 20 of 1,000 | 0.001 | 400 of 1,000 | 1.0e-05 | 30 | 0.001 | 2 | 300 | 0 |"),
    "mapspeed": ({"rows": [{"complex": "1ac8", "atoms": 2891, "points": 1000, "maps": 6, "values": 6000, "beyond": 0, "runs": [
        {"autogrid4_seconds": a, "autogrid4_wall": a + 1, "seconds": 0.1, "wall": 0.2} for a in (4.0, 5.0, 7.0)]}]},
                 "| 1ac8 | 2,891 | 1,000 | 6 | 5 | 0.1 | **50** (40 - 70) | 30 | 0 of 6,000 |"),
    "instructions": ({"device": "cpu/avx2", "rows": [
        {"case": "7cpa", "kernel": kernel, "instructions": 8000.0, "parts": {"pose": 2000.0, "maps": 6000.0}} for kernel in ("energy", "gradient")] +
        [{"case": "7cpa", "kernel": "docking", "entries": {}}]}, "| ... maps | 6,000 (75 %) |"),
    "entries": ({"device": "cpu/avx2", "rows": [{"case": "7cpa", "kernel": "docking", "entries": {
        "adadelta": 96e6, "fold": 5e8, "offspring": 3e6, "initial": 1e6}}]}, "| local search (ADADELTA) | 96 (96.0 %) |"),
    "flexible": ({"runs": 50, "configurations": [{"name": name, "settings": "team=64"} for name in ("a", "b")],
                  "complexes": [{"complex": "x", "torsions": t, "results": [{"score": {"successes": n}} for n in (10, 0)]} for t in (14, 15)]},
                 "| `b` | 0 (0) | **0** of 50 | 0.0012 |"),
    "population": ({"rows": [{**ROW, "population": 50, "team": team, "threads": 2, "evaluations_per_second": 1e6 * team} for team in (1, 32)]},
                   "| 50 | 1 | 32 |"),
}


class Pages(unittest.TestCase):
    def test_every_kind_of_table(self):
        docs = load_script()
        with tempfile.TemporaryDirectory() as docs.FOLDER:
            for kind, (figures, row) in EXAMPLES.items():
                with open(os.path.join(docs.FOLDER, kind + ".json"), "w", encoding="utf-8") as stream:
                    json.dump({**WHERE, **figures}, stream)
                made = docs.render(f"before\n<!-- {kind} {kind}.json -->\nold\n<!-- end -->\nafter\n")
                self.assertIn(row, made)
                self.assertIn("berth bench x", made)
                self.assertNotIn("old", made)
                self.assertTrue(made.startswith("before\n") and made.endswith("<!-- end -->\nafter\n"))
                self.assertEqual(made, docs.render(made))

    def test_ligands_go_by_their_folder(self):
        docs = load_script()
        told = {"ligand": "rand-0", "command": "berth bench evals -r 7cpa/protein.maps.fld -l 7cpa/rand-0.pdbqt"}
        self.assertEqual("7cpa", docs.programs.complex_of(told))
        self.assertEqual("x", docs.programs.complex_of({**told, "ligand": "x"}))

    def test_fishers_test(self):
        docs = load_script()
        self.assertAlmostEqual(docs.e50.fisher(3, 4, 1, 4), 0.4857, places=4)  # a lady tasting tea: 17/35 two-sided
        self.assertEqual(docs.e50.fisher(5, 10, 5, 10), 1)

    def test_executed_operations_of_older_files(self):
        docs = load_script()
        new = {**WHERE, **EXAMPLES["bude"][0]}
        old = {**new, "rows": [{key: value for key, value in row.items() if key != "executed_operations_per_interaction"} for row in new["rows"]]}
        with tempfile.TemporaryDirectory() as docs.FOLDER:
            os.mkdir(os.path.join(docs.FOLDER, "data"))
            for name, data in (("data/new", new), ("data/old", old), ("data/gpu", {**old, "device": "cuda:0", "description": "X"})):
                with open(os.path.join(docs.FOLDER, name + ".json"), "w", encoding="utf-8") as stream:
                    json.dump(data, stream)
            block = "<!-- bude data/{}.json{} -->\n<!-- end -->"
            executed = "| 120 (120 %) | 18 | 72 (72 %) |"
            self.assertIn(executed, docs.render(block.format("new", "")))
            self.assertIn(executed, docs.render(block.format("old", " counts:new")))
            self.assertIn("| 120 (120 %) | - | - |", docs.render(block.format("old", "")))
            self.assertIn("| 120 (120 %) | - | - |", docs.render(block.format("gpu", " counts:new")))

    def test_speed_up_by_population(self):
        docs = load_script()
        with tempfile.TemporaryDirectory() as docs.FOLDER:
            gpu = {"rows": [{**row, "team_first": row["team"]} for row in EXAMPLES["population"][0]["rows"]]}
            core = {"runs": 20, "population": 150, "rows": [{"variant": "all", "generation_us": 750.0}]}
            for name, data in (("gpu", gpu), ("core", core)):
                with open(os.path.join(docs.FOLDER, name + ".json"), "w", encoding="utf-8") as stream:
                    json.dump({**WHERE, **data}, stream)
            self.assertIn("| 50 | 32 | 32 | 8 |", docs.render("<!-- population gpu.json core.json -->\n<!-- end -->"))

    def test_pages_are_what_the_json_says(self):
        done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_stale_figures(self):
        docs = load_script()
        stale, commits = docs.stale, {"old": True, "new": False, "absent": None}
        stale.has_history = lambda: True
        stale.has_changed = lambda commit, sources: commits[commit]
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "data"))

            def put(commit, known):
                with open(os.path.join(folder, "data", "a.json"), "w", encoding="utf-8") as stream:
                    json.dump({"benchmark": "evals", "commit": commit}, stream)
                with open(os.path.join(folder, "stale.json"), "w", encoding="utf-8") as stream:
                    json.dump({"a.json": "a quiet machine"} if known else {}, stream)
                return stale.complaints(folder)

            self.assertEqual([], put("new", False))
            self.assertIn("a.json is older than its kernels", put("old", False)[0])
            self.assertIn("a.json is older than its kernels", put("v1.0-3-gold", False)[0])
            self.assertIn("a.json is from a tree with changes", put("new-dirty", False)[0])
            self.assertIn("a.json is from a commit that is not in the history", put("absent", False)[0])
            self.assertEqual([], put("old", True))
            self.assertEqual([], put("new-dirty", True))
            self.assertIn("a.json is not stale: take it out", put("new", True)[0])

    def test_kernels_of_history(self):
        stale = load_script().stale
        if not stale.has_history():
            skips.skip("no repository with its whole history")
        last = stale.git("rev-list", "-1", "HEAD", "--", *stale.SEARCH)
        self.assertIs(stale.has_changed(last, stale.SEARCH), False)
        self.assertIs(stale.has_changed(last + "^", stale.SEARCH), True)
        self.assertIsNone(stale.has_changed("0" * 40, stale.SEARCH))

    def test_every_file_says_where_it_comes_from(self):
        for name in sorted(os.listdir(DATA)):
            with open(os.path.join(DATA, name), encoding="utf-8") as stream:
                figures = json.load(stream)
            for key in ("benchmark", "commit", "compiler", "cpu", "command", "date"):
                self.assertTrue(figures.get(key), f"{name}: {key}")
            # E50 judges success in double precision, whatever the search computed; its page says what was not valid
            if figures["benchmark"] != "e50":
                self.assertIs(figures.get("valid"), None if name in LISTINGS | UNCHECKED else True, name)
            self.assertEqual(name in LISTINGS, "valid" not in figures, name)
            self.assertEqual(name in UNCHECKED, "unchecked" in figures, name)

    def test_what_a_page_says_of_energies(self):
        docs = load_script()
        half = {"reduction": "tensor-fp16", "early": {**ERRORS, "overflow": 0.97}}
        for more, text in (({}, "All energies valid: yes."), ({"valid": False}, "All energies valid: NO."),
                           ({"valid": None}, "No energies are computed."),
                           ({"valid": None, "unchecked": "why"}, "Energies were not checked: why."),
                           ({"rows": [half]}, "All energies valid, half precision aside: yes."),
                           ({"complexes": [{"rows": [half]}]}, "All energies valid, half precision aside: yes.")):
            self.assertTrue(docs.provenance({**WHERE, **more}).endswith(". " + text), more)

    def test_cited_commits_exist(self):
        if subprocess.run(["git", "-C", TOP, "rev-parse", "--is-shallow-repository"], capture_output=True, text=True).stdout.strip() != "false":
            skips.skip("no repository with its whole history")
        absent = []
        for path in sorted(pathlib.Path(TOP).glob("docs/**/*.md")) + [pathlib.Path(TOP) / "README.md"]:
            for commit in re.findall(r"\bcommits? `?([0-9a-f]{7,40})\b", path.read_text(encoding="utf-8")):
                if subprocess.run(["git", "-C", TOP, "cat-file", "-e", commit + "^{commit}"], capture_output=True).returncode != 0:
                    absent.append(f"{path.name}: {commit}")
        self.assertEqual([], absent)

    def test_every_file_is_shown(self):
        docs = load_script()
        texts = "".join(pathlib.Path(path).read_text(encoding="utf-8") for path in docs.pages())
        for name in sorted(os.listdir(DATA)):
            self.assertIn("data/" + name, texts)


if __name__ == "__main__":
    skips.main()
