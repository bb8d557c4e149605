"""berth screen --engine bude: the guarantees of a screen, with the BUDE engine.

BERTH_TEST_FULL=1 kills a screen of 600 compounds at 25 random moments; otherwise it is 40 compounds and 4 moments.
"""
import csv
import io
import os
import random
import shutil
import sqlite3
import subprocess
import time
import unittest

import berth_cli as cli
import report_page
import molecules
from test_bude import AMIDE, AMIDE_BONDS, cup, record
from test_raw_dock import needs_rdkit
from test_screen import without_sqlite

FULL = os.environ.get("BERTH_TEST_FULL") == "1"
SEARCH = ["--population", "512", "--generations", "3", "--parents", "20", "--size", "6,6,6", "--seed", "7"]


def compound(number, conformers=2):
    """An amide whose fourth atom has a slightly different position in each compound and conformer."""
    def places(k):
        atoms = [list(atom[1:]) for atom in AMIDE]
        atoms[3][2] += 0.05 * (number % 17) + 0.3 * k
        return [tuple(place) for place in atoms]
    atoms = [(kind, *place) for (kind, *_), place in zip(AMIDE, places(0))]
    return record(f"amide{number:03d}", atoms, AMIDE_BONDS, [places(k) for k in range(1, conformers)])


@unittest.skipIf(without_sqlite(), "built without SQLite")
class Screen(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("cup.mol2", cup())

    def make_library(self, count, **more):
        return self.write("all.mol2", "".join(compound(i, **more) for i in range(count)))

    def command(self, *more, library="all.mol2", output="out", search=SEARCH, receptor="cup.mol2"):
        return ["screen", "--engine", "bude", "-r", receptor, "-l", library, "-o", output, "--center", "0,0,0",
                "--conformers", "0", "--device", "cpu", *search, *more]

    def screen(self, *more, code=0, **options):
        result = self.berth(*self.command(*more, **options))
        self.assertEqual(result.returncode, code, f"{result.stdout}\n{result.stderr}")
        return result

    def query(self, sql, output="out", name="screen.db"):
        database = sqlite3.connect(self.path(f"{output}/{name}"))
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    def results(self, output="out", name="screen.db"):
        """Everything that must not depend on failures along the way."""
        return [self.query(sql, output, name) for sql in (
            "SELECT rank, ordinal, name, free_energy, steric, charge, desolvation, evaluations, runs, clusters FROM ranking"
            " ORDER BY rank",
            "SELECT ordinal, state, status, reason FROM ligand WHERE state <> 'docked' ORDER BY 1",
            "SELECT * FROM pose ORDER BY ordinal, rank", "SELECT * FROM molecule ORDER BY ordinal")]

    def rows(self, name):
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text())))

    def test_energies_are_those_of_berth_bude(self):
        self.make_library(6)
        self.screen("--poses", "2")
        self.assert_well(self.berth("bude", "-r", "cup.mol2", "-l", "all.mol2", "-o", "docked", "--center", "0,0,0",
                                    "--conformers", "0", "--device", "cpu", "--poses", "2", *SEARCH))
        rows = {row["ligand"]: row for row in self.rows("docked/ranking.csv") if row["pose"] == "1"}
        found = self.query("SELECT name, free_energy, steric, charge, desolvation, runs, evaluations FROM ranking")
        self.assertEqual(len(found), 6)
        for name, *energies, conformers, evaluations in found:
            wanted = [float(rows[name][key]) for key in ("energy", "steric", "charge", "desolvation")]
            for mine, its in zip(energies, wanted):
                self.assertAlmostEqual(mine, its, delta=0.00006)
            self.assertEqual((conformers, evaluations), (2, 2 * 3 * 512))
        self.assertEqual(self.query("SELECT value FROM setting WHERE key IN ('engine', 'complete') ORDER BY key"),
                         [("1",), ("bude",)])

    def test_export(self):
        self.make_library(6)
        self.screen("--poses", "2", "--keep", "4")
        self.assert_well(self.berth("screen", "--export", "csv", "-o", "out", "--top", "3"))
        rows = self.rows("out/results.csv")
        self.assertEqual([row["rank"] for row in rows], ["1", "2", "3"])
        for row in rows:
            self.assertAlmostEqual(float(row["free_energy"]),
                                   sum(float(row[key]) for key in ("steric", "charge", "desolvation")), delta=0.002)
        for word in "pdbqt", "dlg":
            self.assert_refused(self.berth("screen", "--export", word, "-o", "out"), "SDF" if word == "pdbqt" else "")

    @needs_rdkit
    def test_poses_as_sdf(self):
        self.make_library(6)
        self.screen("--poses", "2")
        self.assert_well(self.berth("screen", "--export", "sdf", "-o", "out"))
        poses = self.query("SELECT count(*) FROM pose")[0][0]
        for name in "out/results.sdf", "out/top.sdf":
            records = (self.folder / name).read_text().split("$$$$\n")[:-1]
            self.assertEqual(len(records), poses)
        best = self.query("SELECT name, free_energy FROM ranking WHERE rank = 1")[0]
        self.assertEqual(records[0].split("\n")[0], best[0])
        self.assertIn(f"> <docking_score>\n{best[1]:.4f}\n", records[0])
        self.assertIn("> <screen_rank>\n1\n", records[0])
        # coordinates are those of berth bude
        self.assert_well(self.berth("bude", "-r", "cup.mol2", "-l", "all.mol2", "-o", "docked", "--center", "0,0,0",
                                    "--conformers", "0", "--device", "cpu", "--poses", "2", *SEARCH))
        others = (self.folder / "docked/poses.sdf").read_text().split("$$$$\n")[:-1]
        self.assertEqual([r.split("M  END")[0] for r in records], [r.split("M  END")[0] for r in others])

    @needs_rdkit
    def test_smiles_get_conformers(self):
        self.write("many.smi", "CCO ethanol\nC1CC bad\nCC(=O)N acetamide\n")
        result = self.screen("--conformers", "3", library="many.smi", code=2)
        self.assertIn("rejected bad", result.stderr)
        self.assertEqual(self.query("SELECT name, state FROM ligand ORDER BY ordinal"),
                         [("ethanol", "docked"), ("bad", "rejected"), ("acetamide", "docked")])

    @needs_rdkit
    def test_a_btl_library(self):
        self.write("many.smi", "CCO ethanol\nCC(=O)N acetamide\n")
        self.assert_well(self.berth("prep", "library", "-l", "many.smi", "-o", "many.btl"))
        self.screen("--conformers", "2", library="many.btl")
        self.assertEqual(self.query("SELECT name, state FROM ligand ORDER BY ordinal"),
                         [("ethanol", "docked"), ("acetamide", "docked")])

    def test_corrupt_records_are_rejected(self):
        records = [compound(i) for i in range(20)]
        records.insert(3, compound(50).replace("1 1 2 1", "1 1 9 1"))
        records.insert(9, compound(51).replace("C.3", "Xx"))
        records.append(compound(52)[:150])
        self.write("all.mol2", "".join(records))
        result = self.screen(code=2)
        self.assertEqual(dict(self.query("SELECT state, count(*) FROM ligand GROUP BY state")),
                         {"docked": 20, "rejected": 3}, result.stderr)
        reasons = {row["name"]: row["reason"] for row in self.rows("out/rejects.csv")}
        self.assertEqual(set(reasons), {"amide050", "amide051", "amide052"})
        self.assertIn("Xx", reasons["amide051"])
        self.assertEqual(self.query("PRAGMA integrity_check"), [("ok",)])
        self.write("lone/ligand.pdbqt", cli.ligand())
        result = self.screen(library="lone", output="lone_out", code=1)
        self.assertIn("MOL2, SDF, SMILES or .btl", result.stderr)

    def test_kill_and_resume(self):
        count, moments = (600, 25) if FULL else (40, 4)
        self.make_library(count)
        for population in 2048, 8192, 32768, 131072:  # until it takes long enough on this machine to be interrupted
            search = [*SEARCH[2:], "--population", str(population)]
            started = time.monotonic()
            self.screen(output=f"whole{population}", search=search)
            seconds = time.monotonic() - started
            if seconds > 1.5:
                break
        random.seed(5)
        kills = 0
        for _ in range(20 * moments):
            command = self.command("--resume", search=search)
            process = subprocess.Popen([str(cli.BIN / "berth"), *command], cwd=self.folder, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            try:
                process.communicate(timeout=random.uniform(0.05, seconds / 2))
            except subprocess.TimeoutExpired:
                if kills < moments:
                    process.kill()
                    kills += 1
                process.communicate()
            if process.returncode == 0:
                break
        self.assertEqual(process.returncode, 0)
        self.assertGreater(kills, 0)
        self.assertEqual(self.results(f"whole{population}"), self.results())
        self.assertEqual(self.query("PRAGMA integrity_check"), [("ok",)])

    def test_shards_merge(self):
        self.make_library(70)  # chunks of 32 are shared out
        self.screen(output="whole")
        for shard in "1/2", "2/2":
            self.screen("--shard", shard)
        counts = [self.query("SELECT count(*) FROM ligand", name=f"shard-{i}-of-2.db")[0][0] for i in (1, 2)]
        self.assertEqual(counts, [38, 32])
        self.assert_well(self.berth("merge", "out/shard-1-of-2.db", "out/shard-2-of-2.db", "-o", "merged"))
        self.assertEqual(self.results("whole"), self.results("merged"))
        self.assertEqual(self.query("SELECT value FROM setting WHERE key = 'complete'", "merged"), [("1",)])
        shutil.rmtree(self.folder / "merged")
        self.screen("--shard", "2/2", "--parents", "19", output="other")
        self.assert_refused(self.berth("merge", "out/shard-1-of-2.db", "other/shard-2-of-2.db", "-o", "merged"), "parents")

    def test_database_of_an_early_version(self):
        """Version 1 had the terms in AutoDock's columns: it can be resumed, exported, merged and shown."""
        self.make_library(70)
        self.screen(output="whole")
        for shard in "1/2", "2/2":
            self.screen("--shard", shard)
        database = sqlite3.connect(self.path("out/shard-1-of-2.db"))
        for table in "ligand", "pose":
            for old, new in ("inter", "steric"), ("intra", "charge"), ("torsional", "desolvation"):
                database.execute(f"ALTER TABLE {table} RENAME COLUMN {new} TO {old}")
        database.execute("DELETE FROM pose WHERE ordinal > 20")
        database.execute("DELETE FROM molecule WHERE ordinal > 20")
        database.execute("DELETE FROM ligand WHERE ordinal > 20")
        database.execute("DELETE FROM checksum")
        database.execute("PRAGMA user_version = 1")
        database.commit()
        database.close()
        self.screen("--shard", "1/2", "--resume")
        self.assertEqual(len(self.query("SELECT inter FROM ranking", name="shard-1-of-2.db")), 38)
        self.assert_well(self.berth("merge", "out/shard-1-of-2.db", "out/shard-2-of-2.db", "-o", "merged"))
        self.assertEqual(self.results("whole"), self.results("merged"))
        (self.folder / "old").mkdir()
        shutil.copy(self.path("out/shard-1-of-2.db"), self.path("old/screen.db"))
        for folder in "old", "merged":
            self.assert_well(self.berth("screen", "--export", "csv", "-o", folder))
            self.assertIn("steric", self.rows(f"{folder}/results.csv")[0])
            self.assert_well(self.berth("report", folder))
            data = report_page.data_of(self.folder / folder / "report.html")
            self.assertEqual(data["columns"][1:5], ["free", "steric", "charge", "desolvation"])

    def test_resume_with_other_settings_is_refused(self):
        self.make_library(3)
        self.screen()
        self.screen("--resume")
        for words, key in ((("--generations", "4"), "generations"), (("--size", "8,6,6"), "size_x"), (("--rules", "b"), "rules"),
                           (("--seed", "8"), "seed"), (("--alias", "Xx=C.3"), "aliases"), (("--conformers", "2"), "conformers")):
            result = self.screen("--resume", *words, code=1)
            self.assertIn(key, result.stderr.strip().splitlines()[-1])
        self.write("cup.mol2", cup().replace("7.0000", "6.9000", 1).replace("0.0583", "0.0584", 1))
        self.assertIn("receptor", self.screen("--resume", code=1).stderr)
        autodock = self.berth("screen", "-r", "receptor.pdbqt", "-l", "all.mol2", "-o", "out", *cli.BOX, "--resume")
        self.assertEqual(autodock.returncode, 1)
        self.assertRegex(autodock.stderr, "engine bude|no RDKit")

    def test_memory_that_does_not_suffice_ends_the_screen_and_loses_nothing(self):
        self.make_library(3)
        result = self.screen("--memory", "5000", code=3)
        self.assertIn("population", result.stderr)
        self.assertEqual(self.query("SELECT count(*) FROM ligand"), [(0,)])
        self.screen("--resume", "--memory", "1000000")
        self.assertEqual(self.query("SELECT count(*) FROM ranking"), [(3,)])

    def test_bad_use(self):
        self.make_library(2)
        for words, word in ((["--runs", "3"], "--runs"), (["--devices", "all"], "--devices"), (["--flex", "A:ARG8"], "--flex")):
            self.assert_refused(self.berth(*self.command(*words)), word)
        self.assert_refused(self.berth(*self.command(receptor="cup.maps.fld")), ".fld")
        self.assert_refused(self.berth("screen", "-r", "receptor.pdbqt", "-l", "all.mol2", "-o", "out", *cli.BOX,
                                       "--parents", "5"), "--parents")


if __name__ == "__main__":
    cli.main()
