"""Joules in screens and benchmarks: read from counters where the machine has them, absent elsewhere."""
import json
import os
import pathlib
import threading
import time
import unittest

import berth_cli as cli
from test_screen import SEARCH, without_sqlite

STEP = 1_000_000  # microjoules that the counter gains every millisecond or so


class Counter:
    """A powercap folder with one package, whose counter rises as long as the block lasts."""

    def __init__(self, folder):
        self.domain = pathlib.Path(folder) / "powercap/intel-rapl:0"
        self.domain.mkdir(parents=True, exist_ok=True)
        self.value, self.stopped = 0, threading.Event()
        (self.domain / "name").write_text("package-0\n")
        (self.domain / "max_energy_range_uj").write_text("262143328850000\n")
        self.write()

    def write(self):
        path = self.domain / "new"
        path.write_text(f"{self.value}\n")
        os.replace(path, self.domain / "energy_uj")

    def rise(self):
        while not self.stopped.is_set():
            self.value += STEP
            self.write()
            time.sleep(0.001)

    def __enter__(self):
        os.environ["BERTH_POWERCAP"] = str(self.domain.parent)
        self.thread = threading.Thread(target=self.rise)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()
        del os.environ["BERTH_POWERCAP"]


class Joules(cli.Case):
    def setUp(self):
        super().setUp()
        os.environ["BERTH_NVML"] = "nowhere.so"
        self.addCleanup(os.environ.pop, "BERTH_NVML")
        for i in range(4):
            self.write(f"library/lig{i}.pdbqt", cli.ligand(atoms=6 + i, torsions=1 + i))

    def until(self, measure, enough):
        """On a busy machine the counter may not rise within a short search."""
        for _ in range(20):
            found = measure()
            if enough(found):
                return found
        self.fail("the counter did not rise")

    @unittest.skipIf(without_sqlite(), "a build without SQLite")
    def test_a_screen(self):
        words = ["screen", "-r", "receptor.pdbqt", "-l", "library", *cli.BOX, *SEARCH, "--device", "cpu"]
        with Counter(self.folder) as counter:
            told = self.berth(*words, "-o", "told")
            self.assert_well(told)

            def last_line():
                lines = self.berth(*words, "-o", f"lines-{counter.value}", "--json-progress")
                self.assert_well(lines)
                return json.loads(lines.stdout.splitlines()[-1])["joules"]

            joules = self.until(last_line, lambda joules: joules["processors"] > 0)
        self.assertRegex(told.stdout, r"(?m)^energy +\d\S* J, \d\S* J/ligand \(processors \d\S* J\)$")
        self.assertIsNone(joules["gpus"])
        self.assertTrue(0 < joules["processors"] <= 1e-6 * counter.value)
        self.assertAlmostEqual(joules["per_ligand"], joules["processors"] / 4, delta=1e-4 * joules["processors"])

    @unittest.skipIf(without_sqlite(), "a build without SQLite")
    def test_no_counter_no_joules(self):
        os.environ["BERTH_POWERCAP"] = "nowhere"
        self.addCleanup(os.environ.pop, "BERTH_POWERCAP")
        words = ["screen", "-r", "receptor.pdbqt", "-l", "library", *cli.BOX, *SEARCH, "--device", "cpu"]
        told = self.berth(*words, "-o", "told")
        self.assert_well(told)
        self.assertNotIn(" J", told.stdout)
        lines = self.berth(*words, "-o", "lines", "--json-progress")
        self.assertNotIn("joules", lines.stdout)

    def test_benchmarks(self):
        self.assert_well(self.berth("grid", "-r", "receptor.pdbqt", "-l", "library", "-o", "maps", "--quiet", *cli.BOX))
        words = ["bench", "evals", "-r", "maps.maps.fld", "-l", "library/lig1.pdbqt", "--evals", "100000", "--json"]
        keys = ("solis_wets_uj", "adam_uj", "adadelta_uj")
        with Counter(self.folder):
            self.until(lambda: json.loads(self.berth(*words).stdout), lambda found: all(found[key] > 0 for key in keys))
        self.assertNotIn("adam_uj", json.loads(self.berth(*words).stdout))

    def test_a_study(self):
        ligand = cli.ligand(atoms=8, torsions=2)
        self.write("set/one/protein.pdbqt", cli.receptor())
        self.write("set/one/protein.maps.fld", "#SPACING 0.5\n#NELEMENTS 30 30 30\n#CENTER 0.0 0.0 0.0\n")
        self.write("set/one/rand-0.pdbqt", ligand)
        self.write("set/one/flex-xray.pdbqt", ligand)
        self.write("set/ligand_properties.csv", "pdb,n_atoms,n_tors,score_of_probable_global_minimum,"
                   "rmsd_of_probable_global_minimum,best_score_so_far\none,8,2,,,-50.0\n")
        words = ["bench", "e50", "--set", "set", "--runs", "5", "--evals", "4000", "--config", "adadelta",
                 "--seed", "3", "-q"]
        folders = []

        def study():
            folders.append(f"study-{len(folders)}")
            found = json.loads(self.berth(*words, "-o", folders[-1], "--json").stdout)
            return found["complexes"][0]["results"][0]["joules"]

        with Counter(self.folder):
            of = self.until(study, lambda joules: joules["processors"] > 0)
        words += ["-o", folders[-1]]
        again = json.loads(self.berth(*words, "--json").stdout)  # from the file of the search
        self.assertIsNone(of["gpus"])
        self.assertAlmostEqual(of["per_run"], of["processors"] / 5, delta=1e-3 * of["processors"])
        self.assertAlmostEqual(again["complexes"][0]["results"][0]["joules"]["processors"], of["processors"],
                               delta=1e-4 * of["processors"])
        self.assertRegex(self.berth(*words).stdout, r"energy of adadelta: \d\S* J, \d\S* J per run")


if __name__ == "__main__":
    cli.main()
