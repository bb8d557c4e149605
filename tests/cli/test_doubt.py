#!/usr/bin/env python3
"""The column `doubt` of screens with networks: ranks among the best 5 % that the networks do not share.

    test_doubt.py BIN
"""
import contextlib
import csv
import shutil
import sqlite3

import berth_cli as cli

LIGANDS = 60


class Doubt(cli.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "l").mkdir()
        for k in range(LIGANDS):
            shutil.copy(self.folder / "ligand.pdbqt", self.folder / f"l/m{k:02d}.pdbqt")
        result = self.berth("screen", "-q", "-r", "receptor.pdbqt", "-l", "l", "-o", "out", "--top", "0", *cli.BOX, *cli.QUICK)
        self.assert_well(result)

    def exported(self, score=None):
        """The table, if the networks' score of the ligand of rank r (from 1) is score(r); energies are made to differ."""
        with contextlib.closing(sqlite3.connect(self.folder / "out/screen.db")) as database, database:
            database.execute("UPDATE ligand SET rank_energy = -100 + ordinal, free_energy = -100 + ordinal")
            database.execute("CREATE TABLE IF NOT EXISTS score(ordinal INTEGER, scoring TEXT, free_energy REAL)")
            database.execute("DELETE FROM score")
            database.execute("DELETE FROM checksum")
            if score is not None:
                database.executemany("INSERT INTO score(ordinal, scoring, free_energy) VALUES(?, 'cnn', ?)",
                                     [(k, score(k + 1)) for k in range(LIGANDS)])
        self.assertEqual(self.berth("screen", "-q", "--export", "csv", "-o", "out").returncode, 0)
        with open(self.folder / "out/results.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_good_ranks_that_the_networks_do_not_share(self):
        """Of 60 ligands three are the best 5 %: the second has 19 better ones, 31.7 %, by the networks; the fourth is no hit."""
        rows = self.exported(lambda rank: {2: 21.5, 4: 50.5}.get(rank, float(rank)))
        self.assertEqual([row["doubt"] for row in rows[:5]], ["", "CNN: 31 % of the ligands are better", "", "", ""])
        self.assertEqual({row["doubt"] for row in rows[5:]}, {""})

    def test_the_limit(self):
        """18 of 60 are 30 %, and in no doubt."""
        rows = self.exported(lambda rank: 19.5 if rank == 1 else float(rank))
        self.assertEqual(rows[0]["doubt"], "")
        rows = self.exported(lambda rank: 20.5 if rank == 1 else float(rank))
        self.assertEqual(rows[0]["doubt"], "CNN: 31 % of the ligands are better")

    def test_without_networks(self):
        self.assertNotIn("doubt", self.exported()[0])


if __name__ == "__main__":
    cli.main()
