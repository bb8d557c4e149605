#!/usr/bin/env python3
"""Crystal waters that the receptor holds: --waters none|bound|all|toggle.

    test_bound_waters.py BIN
"""
import json
import re

import berth_cli as cli
import molecules
from test_raw_dock import GEMMI, RDKIT

HIV = cli.SOURCE / "examples" / "1hpv"
ENTRY = HIV / "1hpv.pdb"
HELD = [":HOH201", ":HOH202", ":HOH206", ":HOH218", ":HOH248", ":HOH261", ":HOH275"]
SITE = ["-r", ENTRY, "--autobox", "478", "--set-state", "B:25:ASH"]
QUICK = ["-l", HIV / "ligand.pdbqt", *cli.QUICK, *cli.NO_STRAIN, "--checks", "off"]


@cli.unittest.skipUnless(GEMMI, "built without gemmi")
class Waters(cli.Case):
    def dock(self, *words, output="out"):
        return self.berth("dock", *SITE, *QUICK, "-o", output, *words)

    def data(self, output="out"):
        return json.loads((self.folder / output / "ligand.json").read_text())

    def waters(self, path):
        return sorted({line[22:26].strip() for line in (self.folder / path).read_text().splitlines() if line[17:20] == "HOH"})

    def test_said_with_reasons(self):
        result = self.dock("--waters", "bound")
        self.assertEqual(result.returncode, 0, result.stderr)
        told = "7 waters that the receptor holds are kept: :HOH201 (2 hydrogen bonds, B factor 25.6, 0.71 times that around), "
        self.assertIn(told, result.stderr)
        self.assertTrue(any(note.startswith(told) for note in self.data()["receptor_notes"]), self.data()["receptor_notes"])
        self.assertEqual(self.waters("out/receptor.pdbqt"), [name[4:] for name in HELD])
        plain = self.dock(output="plain")
        self.assertIn("--keep HOH keeps them, --waters bound the 7 that the receptor holds", plain.stderr)
        self.assertEqual(self.waters("plain/receptor.pdbqt"), [])
        self.assertEqual(self.dock("--waters", "none", output="none").stderr, plain.stderr)
        self.assertEqual(self.data("none")["runs"], self.data("plain")["runs"])
        self.assertIn("80 waters of the file are kept", self.dock("--waters", "all", output="all").stderr)
        self.assertEqual(len(self.waters("all/receptor.pdbqt")), 80)

    def test_energies_are_those_of_the_list(self):
        """In a docking, and of a given pose."""
        self.assertEqual(self.dock("--waters", "bound").returncode, 0)
        self.assertEqual(self.dock("--keep", ",".join(HELD), output="list").returncode, 0)
        ours, theirs = self.data(), self.data("list")
        self.assertEqual([run["inter"] for run in ours["runs"]], [run["inter"] for run in theirs["runs"]])
        energies = []
        for words in (["--waters", "bound"], ["--keep", ",".join(HELD)], ["--waters", "none"], ["--waters", "all"]):
            result = self.berth("score", *SITE, "-l", HIV / "ligand-crystal.pdbqt", "--json", *words)
            self.assertEqual(result.returncode, 0, result.stderr)
            energies.append(json.loads(result.stdout.splitlines()[0])["energy"]["inter"])
        self.assertEqual(energies[0], energies[1])
        self.assertLess(energies[0], energies[2] - 0.3)  # the flap water binds the ligand
        self.assertNotEqual(energies[0], energies[3])

    def test_toggle_docks_with_and_without(self):
        result = self.dock("--waters", "toggle")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("receptor 2 1hpv with waters", result.stdout)
        self.assertRegex(result.stderr, r"note: 1hpv with waters: 7 waters that the receptor holds are kept: ")
        self.assertEqual(len(re.findall("unknown residue|removed: :HOH201", result.stderr)), 1, result.stderr)  # told once
        both = self.data()
        self.assertEqual([of["name"] for of in both["receptors"]], ["1hpv", "1hpv with waters"])
        self.assertEqual([note[:40] for note in both["receptor_notes"] if "receptor holds are kept" in note],
                         ["receptor 2: 7 waters that the receptor ho"[:40]])
        self.assertEqual(self.waters("out/receptor.pdbqt"), [])
        self.assertEqual(self.waters("out/receptor-2.pdbqt"), [name[4:] for name in HELD])
        for number, words in (1, "none"), (2, "bound"):
            self.assertEqual(self.dock("--waters", words, output=words).returncode, 0)
            of = {run["inter"] for run in both["runs"] if run["receptor"] == number and "further" not in run}
            self.assertEqual(of, {run["inter"] for run in self.data(words)["runs"] if "further" not in run})
        best = [of["free_energy"] for of in both["receptors"]]
        self.assertEqual(min(run["free_energy"] for run in both["runs"]), min(best))
        self.assertEqual(json.loads(self.dock("--waters", "toggle", "--json", "--overwrite").stdout)["best"]["receptor"],
                         cli.written(both)[0]["receptor"])

    def test_toggle_without_any(self):
        """There is nothing to compare: one docking, and it is said."""
        dry = "".join(line + "\n" for line in ENTRY.read_text().splitlines() if line[17:20] != "HOH")
        self.write("dry.pdb", dry)
        result = self.berth("dock", "-r", "dry.pdb", "--autobox", "478", *QUICK, "-o", "out", "--waters", "toggle")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("note: dry with waters: no water is bound by the receptor: none is kept", result.stderr)
        self.assertNotIn("receptors", self.data())
        self.assertNotIn("receptor 2", result.stdout)
        self.assertFalse((self.folder / "out/receptor-2.pdbqt").exists())

    def test_prepared_files(self):
        for words, count in (["none"], 0), (["bound"], 7), (["all"], 80):
            result = self.berth("prep", "receptor", "-r", ENTRY, "-o", "p", "--delete", "478", "--overwrite", "--json", "--waters", *words)
            self.assertEqual(result.returncode, 0, result.stderr)
            residues = [of for of in json.loads(result.stdout)["residues"] if of["name"] == "HOH"]
            self.assertEqual(sum(of["fate"] == "kept" for of in residues), count)
            if words == ["bound"]:
                flap = next(of for of in residues if of["number"] == 201)
                self.assertEqual(flap["water"], {"bound": True, "hydrogen_bonds": 2, "atoms_around": 29, "occupancy": 1,
                                                 "b_factor": 25.63, "b_ratio": 0.71})
                self.assertEqual([of["number"] for of in residues if of["water"]["bound"]], [int(name[4:]) for name in HELD])
        for command in ["grid", "--types", "C", "-o", "maps", "--autobox", "478"], ["pockets", "--pockets", "1", "--delete", "478"]:
            result = self.berth(command[0], "-r", ENTRY, *command[1:], "--waters", "bound")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("that the receptor holds are kept", result.stderr)

    @cli.unittest.skipUnless(RDKIT, "built without RDKit")
    def test_screens(self):
        self.write("few.smi", "CCO a\nCCN b\n")
        words = ["screen", *SITE, "-l", "few.smi", *cli.QUICK, "-o"]
        result = self.berth(*words, "out", "--waters", "bound")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.waters("out/receptor.pdbqt"), [name[4:] for name in HELD])
        self.assert_refused(self.berth(*words, "toggled", "--waters", "toggle"), "--waters", "none, bound, all")

    def test_refusals(self):
        self.assert_refused(self.dock("--waters", "some"), "'some'", "none, bound, all, toggle")
        self.assert_refused(self.dock("--waters"), "--waters")
        for words, told in ((["--ensemble", "receptor.pdbqt"], "--waters toggle and --ensemble cannot be combined"),
                            (["--flex", "A:ARG8"], "--waters toggle and --flex cannot be combined"),
                            (["--contacts"], "--waters toggle and --contacts cannot be combined"),
                            (["--must-contact", "A:ASP25"], "--waters toggle and --must-contact cannot be combined"),
                            (["--write-maps", "m"], "--waters toggle and --write-maps cannot be combined"),
                            (["--autobox", "A:25"], "--waters toggle supports only a single box"),
                            (["--no-superpose"], "no effect without --ensemble")):
            with self.subTest(words):
                self.assert_refused(self.dock("--waters", "toggle", *words), told)
        self.assert_refused(self.berth("prep", "receptor", "-r", ENTRY, "-o", "p", "--waters", "toggle"), "none, bound, all")
        for words in ["dock", "-o", "out"], ["score"]:
            for mode in "bound", "toggle":
                if mode == "bound" or words[0] == "dock":
                    self.assert_refused(self.berth(words[0], "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", *cli.BOX, *words[1:],
                                                   "--waters", mode), "--waters has no effect: the receptor is used as it was prepared")
        self.assert_refused(self.berth("bude", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "--center", "0,0,0", "-o", "b",
                                       "--waters", "bound"), "--waters has no effect: the receptor is used as it was prepared")
        self.write("p.pdb", molecules.protein())
        result = self.berth("prep", "receptor", "-r", "p.pdb", "-o", "p", "--waters", "all")
        self.assertIn("there are no waters", result.stderr)


if __name__ == "__main__":
    cli.main()
