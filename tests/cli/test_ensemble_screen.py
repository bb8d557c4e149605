#!/usr/bin/env python3
"""A library against several structures of one protein: `berth screen --ensemble`, `berth merge --ensemble`.

    test_ensemble_screen.py BIN
"""
import contextlib
import csv
import shutil
import sqlite3

import berth_cli as cli

LIGANDS = ("a", "b", "c")


class Ensembles(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("wide.pdbqt", cli.receptor(radius=8.4))
        (self.folder / "library").mkdir()
        for name in LIGANDS:
            shutil.copy(self.folder / "ligand.pdbqt", self.folder / f"library/{name}.pdbqt")
        self.write("library/d.pdbqt", "REMARK nothing\n")

    def screen(self, *words, receptor="receptor.pdbqt", output="out"):
        return self.berth("screen", "-r", receptor, "-l", "library", *cli.BOX, *cli.QUICK, "-o", output, *words)

    def energies(self, path):
        with contextlib.closing(sqlite3.connect(self.folder / path)) as database:
            return dict(database.execute("SELECT name, rank_energy FROM ligand WHERE state = 'docked'"))

    def table(self, path="out/ensemble.csv"):
        with open(self.folder / path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def check(self, rows, energies, rank):
        """The table is what its databases say."""
        self.assertEqual({row["name"] for row in rows}, set(LIGANDS))
        for row in rows:
            found = [one[row["name"]] for one in energies]
            self.assertAlmostEqual(float(row["energy"]), rank(found), delta=1e-4)
            self.assertEqual(int(row["receptor"]), 1 + found.index(min(found)))
            self.assertEqual(row["receptors"], str(len(found)))
            for k, energy in enumerate(found, 1):
                self.assertAlmostEqual(float(row[f"energy_{k}"]), energy, delta=1e-4)
        self.assertEqual([int(row["rank"]) for row in rows], list(range(1, len(rows) + 1)))
        self.assertEqual(rows, sorted(rows, key=lambda row: float(row["energy"])))

    def test_each_receptor_is_screened_as_alone(self):
        result = self.screen("--ensemble", "wide.pdbqt", "--no-superpose", "--ensemble-rank", "mean")
        self.assertEqual(result.returncode, 2, result.stderr)  # d is no ligand
        self.assertIn("3 ligands ranked by their mean energy in 2 structures: out/ensemble.csv", result.stderr)
        self.assertEqual(self.screen(receptor="wide.pdbqt", output="alone").returncode, 2)
        both = [self.energies("out/screen.db"), self.energies("out/receptor-2/screen.db")]
        self.assertEqual(both[1], self.energies("alone/screen.db"))
        self.assertNotEqual(both[0], both[1])
        self.check(self.table(), both, lambda found: sum(found) / 2)

    def test_screens_that_exist_are_ranked(self):
        self.assertEqual(self.screen().returncode, 2)
        self.assertEqual(self.screen(receptor="wide.pdbqt", output="wide").returncode, 2)
        parts = ["wide/screen.db", "out/screen.db"]
        both = [self.energies(part) for part in parts]
        result = self.berth("merge", *parts, "-o", "ranked", "--ensemble", "best")
        self.assertEqual((result.returncode, result.stdout), (0, "ligands   3 in 2 structures\nensemble  ranked/ensemble.csv\n"))
        self.check(self.table("ranked/ensemble.csv"), both, min)
        result = self.berth("merge", *parts, "-o", "ranked", "--ensemble", "mean", "--top", "1")
        self.assertEqual(len(self.table("ranked/ensemble.csv")), 1, result.stderr)
        self.assertFalse((self.folder / "ranked/screen.db").exists())

    def test_a_ligand_that_one_receptor_has_no_room_for(self):
        self.assertEqual(self.screen().returncode, 2)
        shutil.copytree(self.folder / "out", self.folder / "other")
        with contextlib.closing(sqlite3.connect(self.folder / "other/screen.db")) as database, database:
            database.execute("UPDATE ligand SET state = 'rejected', status = 'BT_ERR_BOX', reason = 'too large', "
                             "free_energy = NULL, rank_energy = NULL WHERE name = 'a'")
            database.execute("DELETE FROM checksum")
        self.assertEqual(self.berth("merge", "out/screen.db", "other/screen.db", "-o", "m", "--ensemble", "mean").returncode, 0)
        [row] = [row for row in self.table("m/ensemble.csv") if row["name"] == "a"]
        self.assertEqual((row["receptors"], row["energy_2"], row["energy"]), ("1", "", row["energy_1"]))

    def test_it_resumes(self):
        self.assertEqual(self.screen("--ensemble", "wide.pdbqt", "--no-superpose").returncode, 2)
        before = (self.folder / "out/ensemble.csv").read_text()
        shutil.rmtree(self.folder / "out/receptor-2")
        (self.folder / "out/ensemble.csv").unlink()
        result = self.screen("--ensemble", "wide.pdbqt", "--no-superpose", "--resume")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual((self.folder / "out/ensemble.csv").read_text(), before)

    def test_what_is_refused(self):
        ensemble = ["--ensemble", "wide.pdbqt"]
        for words, text in (
                (["--ensemble-rank", "mean"], "--ensemble-rank has no effect without --ensemble"),
                (["--no-superpose"], "--no-superpose has no effect without --ensemble"),
                ([*ensemble, "--shard", "1/2"], "--shard supports only one receptor"),
                ([*ensemble, "--require", "contact:A:ALA1"], "--require supports only one receptor"),
                (["--ensemble", "x.maps.fld"], "--ensemble needs receptors with atoms"),
                (["--ensemble", "missing.pdbqt"], "missing.pdbqt")):
            result = self.screen(*words, output="no")
            self.assertEqual(result.returncode, 1, words)
            self.assertIn(text, result.stderr)
        self.assertEqual(self.screen().returncode, 2)
        self.assertEqual(self.screen("--seed", "9", "--scoring", "vinardo", output="other").returncode, 2)
        result = self.berth("merge", "out/screen.db", "other/screen.db", "-o", "m", "--ensemble", "best")
        self.assertEqual(result.returncode, 1)
        self.assertIn("its setting 'scoring' is not that of out/screen.db", result.stderr)


if __name__ == "__main__":
    cli.main()
