"""berth screen and berth merge: nothing is lost or docked twice, and the ranking does not depend on failures.

BERTH_TEST_FULL=1 kills a screen of 2,000 ligands at 50 random moments; otherwise it is 60 ligands and 5 moments.
"""
import csv
import gzip
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tarfile
import time
import unittest

import berth_cli as cli
import molecules
from test_raw_dock import needs_rdkit, without_rdkit

FULL = os.environ.get("BERTH_TEST_FULL") == "1"
SEARCH = ["--runs", "2", "--evals", "1500", "--population", "20", "--local-search-iterations", "20", "--seed", "7"]


def without_sqlite():
    result = subprocess.run([str(cli.BIN / "berth"), "screen", "-r", "x.pdbqt", "-l", "y", "-o", "z"], capture_output=True,
                            text=True, cwd="/tmp")
    return "no SQLite" in result.stderr


class Case(cli.Case):
    def make_library(self, count=12, folder="library", **more):
        """A folder of chains of different lengths; returns its path."""
        for i in range(count):
            text = cli.ligand(atoms=6 + i % 7, torsions=1 + i % 4, **more)
            self.write(f"{folder}/lig{i:04d}.pdbqt", text)
        return self.path(folder)

    def command(self, library="library", output="out", search=SEARCH, *more):
        return ["screen", "-r", "receptor.pdbqt", "-l", library, "-o", output, *cli.BOX, *search, *more]

    def screen(self, *more, library="library", output="out", code=0, **options):
        result = self.berth(*self.command(library, output), *more, **options)
        self.assertEqual(result.returncode, code, f"{result.stdout}\n{result.stderr}")
        return result

    def start(self, *more, library="library", output="out", search=SEARCH):
        return subprocess.Popen([str(cli.BIN / "berth"), *self.command(library, output, search), *more], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def query(self, sql, output="out", name="screen.db"):
        database = sqlite3.connect(self.path(f"{output}/{name}"))
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    def rows(self, name):
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text())))

    def results(self, output="out", name="screen.db"):
        """Everything that must not depend on failures along the way."""
        return (self.query("SELECT rank, ordinal, name, free_energy, inter, intra, evaluations, clusters FROM ranking"
                           " ORDER BY rank", output, name),
                self.query("SELECT ordinal, state, status, reason FROM ligand WHERE state <> 'docked' ORDER BY 1", output,
                           name),
                self.query("SELECT * FROM pose ORDER BY ordinal, rank", output, name))


class Results(Case):
    def test_every_ligand_has_one_state(self):
        self.make_library(6)
        self.write("library/bad.pdbqt", "this is no ligand\n")
        self.write("library/strange.pdbqt", cli.ligand(kinds=("C", "OA", "Xx", "N", "A", "C")))
        self.write("library/long.pdbqt", cli.ligand(atoms=160, torsions=0))
        result = self.screen(code=2)
        states = dict(self.query("SELECT name, state FROM ligand"))
        self.assertEqual(len(states), 9)
        self.assertEqual([n for n, s in states.items() if s != "docked"], ["bad", "long", "strange"])
        self.assertEqual(set(states.values()), {"docked", "rejected"})
        rows = self.rows("out/rejects.csv")
        self.assertEqual([r["name"] for r in rows], ["bad", "long", "strange"])
        self.assertIn("Xx", rows[2]["reason"])
        self.assertIn("rejected bad", result.stderr)
        self.assertEqual(self.query("SELECT value FROM setting WHERE key = 'complete'"), [("1",)])
        self.assertEqual(self.query("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.files(), ["rejects.csv", "screen.db", "top.csv", "top.pdbqt"])

    def test_nothing_docked_is_said_again_by_a_quiet_resume(self):
        self.write("library/bad.pdbqt", "this is no ligand\n")
        self.screen("-q", code=1)
        result = self.screen("-q", "--resume", code=1)
        self.assertIn("no ligand was docked: 1 rejected, 0 failed; out/rejects.csv has the reasons", result.stderr)

    def test_energies_are_those_of_berth_dock(self):
        library = self.make_library(3)
        self.screen()
        self.assert_well(self.berth("dock", "-r", "receptor.pdbqt", "-l", library, "-o", "docked", *cli.BOX, *SEARCH,
                                    "--format", "csv"))
        rows = {r["ligand"]: r for r in self.rows("docked/summary.csv")}
        for name, energy in self.query("SELECT name, free_energy FROM ligand"):
            # maps of other sets of types differ in their last digits, and so do the paths of the searches
            self.assertAlmostEqual(energy, float(rows[name]["free_energy"]), delta=0.3)

    def test_threads_and_order_do_not_matter(self):
        self.make_library(10)
        self.screen("--threads", "1", output="one")
        self.screen("--threads", "5", output="five")
        self.assertEqual(self.results("one"), self.results("five"))

    def test_export(self):
        self.make_library(8)
        self.screen("--poses", "3")
        for word, name in ("csv", "results.csv"), ("pdbqt", "results.pdbqt"), ("dlg", "dlg"), ("rejects", "rejects.csv"):
            self.assert_well(self.berth("screen", "--export", word, "-o", "out", "--top", "5"))
            self.assertTrue((self.folder / "out" / name).exists(), name)
        rows = self.rows("out/results.csv")
        self.assertEqual([r["rank"] for r in rows], ["1", "2", "3", "4", "5"])
        self.assertEqual(sorted(rows, key=lambda r: float(r["free_energy"])), rows)
        self.assertEqual(len(list((self.folder / "out/dlg").iterdir())), 5)
        models = (self.folder / "out/results.pdbqt").read_text().count("MODEL ")
        self.assertGreaterEqual(models, 5)
        # energies of the exported poses are those of the table
        text = (self.folder / "out/results.pdbqt").read_text().split("ENDMDL")[0]
        self.write("best.pdbqt", "\n".join(l for l in text.splitlines() if not l.startswith("MODEL")) + "\n")
        scored = json.loads(self.berth("score", "-r", "receptor.pdbqt", "-l", "best.pdbqt", *cli.BOX, "--json").stdout)
        self.assertAlmostEqual(scored["energy"]["inter"], float(rows[0]["inter"]), delta=0.05)
        self.assert_refused(self.berth("screen", "--export", "xls", "-o", "out"), "xls")
        self.assert_refused(self.berth("screen", "--export", "csv", "-o", "nowhere"), "no screen")

    def test_zinc_is_passed_on(self):
        """--zinc: energies are those of berth score --zinc, and docking logs are exported only with it."""
        self.write("receptor.pdbqt", cli.receptor() + cli.atom(500, "ZN", 3, 3, 0, 0.0, "Zn", "ZN", 99) + "\n")
        self.make_library(3)
        self.screen("--zinc")
        self.assert_well(self.berth("screen", "--export", "pdbqt", "-o", "out", "--top", "1"))
        self.assert_well(self.berth("screen", "--export", "dlg", "-o", "out", "--zinc"))
        lines = (self.folder / "out/results.pdbqt").read_text().split("ENDMDL")[0].splitlines()
        self.write("best.pdbqt", "\n".join(l for l in lines if not l.startswith("MODEL")) + "\n")
        (inter,), = self.query("SELECT inter FROM ranking ORDER BY rank LIMIT 1")
        with_zinc, without = [json.loads(self.berth("score", "-r", "receptor.pdbqt", "-l", "best.pdbqt", *cli.BOX, "--json",
                                                    *more).stdout)["energy"]["inter"] for more in (["--zinc"], [])]
        self.assertAlmostEqual(with_zinc, inter, delta=0.05)
        self.assertGreater(abs(without - inter), 0.2)

    def test_only_the_best_keep_poses(self):
        self.make_library(20)
        self.screen("--keep", "4")
        best = self.query("SELECT ordinal FROM ranking WHERE rank <= 4 ORDER BY ordinal")
        self.assertEqual(self.query("SELECT DISTINCT ordinal FROM pose ORDER BY ordinal"), best)
        self.assertEqual(self.query("SELECT ordinal FROM molecule ORDER BY ordinal"), best)
        self.screen("--keep", "0", output="none")
        self.assertEqual(self.query("SELECT count(*) FROM pose", "none"), [(0,)])

    def test_json_progress(self):
        self.make_library(6)
        result = self.screen("--json-progress")
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(lines[-1]["event"], "complete")
        self.assertEqual(lines[-1]["docked"], 6)
        self.assertEqual(lines[-1]["total"], 6)
        energies = [hit["free_energy"] for hit in lines[-1]["best"]]
        self.assertEqual(energies, sorted(energies))
        self.assertEqual(sum(device["docked"] for device in lines[-1]["devices"]), 6)

    def test_bad_use(self):
        self.make_library(2)
        self.assert_refused(self.berth(*self.command(), "--shard", "3/2"), "--shard")
        self.assert_refused(self.berth(*self.command(library="absent.sdf")), "absent.sdf")
        self.screen()
        self.assert_refused(self.berth(*self.command()), "--resume")
        self.write("other.db", "no database at all, but long enough to look at" * 40)
        self.assert_refused(self.berth("merge", "other.db", "-o", "merged"), "other.db")


class Formats(Case):
    """Five of a hundred are corrupt, in every format: the others are docked, and the bad ones reported."""

    def check(self, library, good, bad, **options):
        result = self.screen(library=library, code=2, **options)
        counts = dict(self.query("SELECT state, count(*) FROM ligand GROUP BY state"))
        self.assertEqual(counts, {"docked": good, "rejected": bad}, result.stderr)
        shutil.rmtree(self.folder / "out")

    def test_pdbqt(self):
        self.make_library(38)
        self.write("library/bad1.pdbqt", cli.ligand().replace("ENDROOT", "ENDRO"))
        self.write("library/bad2.pdbqt", os.urandom(500))
        self.check("library", 38, 2)

    def test_pdbqt_in_a_tar(self):
        folder = self.make_library(19)
        self.write("library/bad.pdbqt", "ROOT\n")
        with tarfile.open(self.path("all.tar.gz"), "w:gz") as tar:
            tar.add(folder, "library")
        self.check("all.tar.gz", 19, 1)

    def test_models(self):
        texts = [cli.ligand(atoms=6 + i % 5) for i in range(19)] + [cli.ligand().replace("TORSDOF", "TORS!OF")]
        self.write("many.pdbqt", "".join(f"MODEL {i + 1}\n{t}ENDMDL\n" for i, t in enumerate(texts)))
        result = self.berth(*self.command(library="many.pdbqt"))
        self.assertIn(result.returncode, (0, 2), result.stderr)
        self.assertEqual(self.query("SELECT count(*) FROM ligand"), [(20,)])

    @needs_rdkit
    def test_sdf(self):
        records = [molecules.ethanol(f"ethanol{i}") for i in range(19)]
        records.insert(7, molecules.broken())
        self.write("many.sdf", "".join(records))
        self.check("many.sdf", 19, 1)
        with gzip.open(self.path("many.sdf.gz"), "wt") as stream:
            stream.write("".join(records))
        self.check("many.sdf.gz", 19, 1)

    @needs_rdkit
    def test_mol2(self):
        records = [molecules.mol2(f"ethanol{i}") for i in range(19)]
        records.insert(3, molecules.mol2("bad").replace("1 1 2 1", "1 1 9 1"))
        self.write("many.mol2", "".join(records))
        self.check("many.mol2", 19, 1)

    @needs_rdkit
    def test_smiles(self):
        lines = [f"CCO{'C' * (i % 4)} mol{i}" for i in range(19)] + ["C1CC bad"]
        self.write("many.smi", "\n".join(lines) + "\n")
        self.check("many.smi", 19, 1)
        result = self.berth(*self.command(library="-"), "--input-format", "smiles", input="\n".join(lines) + "\n")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(self.query("SELECT count(*) FROM ranking"), [(19,)])
        top = (self.folder / "out/top.sdf").read_text()
        self.assertEqual(top.count("$$$$"), 19)
        self.assertIn("> <docking_score>", top)


@without_rdkit
class WithoutRdkit(Case):
    def test_says_so_before_anything_is_docked(self):
        folder = self.make_library(2)
        for name in "a.sdf", "a.mol2", "a.smi.gz":
            self.write(f"mixed/{name}", "any text\n")
            self.assert_refused(self.berth(*self.command(library=f"mixed/{name}")), name, "RDKit", "librdkit-dev")
        self.assert_refused(self.berth(*self.command(library="mixed")), "RDKit")
        self.assert_refused(self.berth("prep", "library", "-l", "mixed", "-o", "x.btl"), "RDKit")
        self.assertFalse((self.folder / "x.btl").exists())
        self.screen(library=folder)


class Faults(Case):
    def kill_and_resume(self, library, moments, search, longest):
        """Kills at random moments until one attempt completes."""
        self.assert_well(self.berth(*self.command(library, "whole", search)))
        random.seed(5)
        kills = 0
        for _ in range(20 * moments):
            process = self.start("--resume", library=library, search=search)
            try:
                process.communicate(timeout=random.uniform(0.02, longest))
            except subprocess.TimeoutExpired:
                if kills < moments:
                    process.kill()
                    kills += 1
                process.communicate()
            if process.returncode == 0:
                break
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.results("whole"), self.results("out"))
        self.assertEqual(self.query("PRAGMA integrity_check"), [("ok",)])
        return kills

    def test_kill_and_resume(self):
        count, moments = (2000, 50) if FULL else (60, 5)
        self.make_library(count)
        for evaluations in 1500, 6000, 24000, 96000, 384000:  # until it takes long enough here to be interrupted
            search = ["--runs", "2", "--evals", str(evaluations), "--seed", "7"]
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            started = time.monotonic()
            self.assert_well(self.berth(*self.command("library", f"timed{evaluations}", search)))
            seconds = time.monotonic() - started
            if seconds > 1.5:
                break
        kills = self.kill_and_resume("library", moments, search, seconds / (10 if FULL else 2))
        self.assertGreater(kills, 0)

    def test_a_file_that_was_killed_before_its_first_row(self):
        self.make_library(3)
        (self.folder / "out").mkdir()
        (self.folder / "out/screen.db").write_bytes(b"")
        self.screen("--resume")
        self.assertEqual(self.query("SELECT count(*) FROM ranking"), [(3,)])

    def test_interrupt_finishes_what_is_at_work(self):
        self.make_library(400)
        done = 0
        for _ in 1, 2:
            process = self.start("--resume", search=["--runs", "4", "--evals", "400000", "--seed", "7"])
            self.wait_for_ligands(done + 1)
            process.send_signal(signal.SIGINT)
            _, text = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, text)
            self.assertIn("--resume", text)
            done = self.query("SELECT count(*) FROM ligand")[0][0]
            self.assertLess(done, 400)

    def wait_for_ligands(self, wanted, name="screen.db"):
        """Until so many are committed."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if self.query("SELECT count(*) FROM ligand", name=name)[0][0] >= wanted:
                    return
            except sqlite3.Error:  # the table does not exist yet
                pass
            time.sleep(0.05)
        self.fail("nothing was docked within a minute")

    def test_resume_with_other_settings_is_refused(self):
        self.make_library(3)
        self.screen()
        other = self.berth(*self.command(), "--resume", "--runs", "3")
        self.assert_refused_last(other, "runs")
        other = self.berth(*self.command(), "--resume", "--size", "16,16,16")
        self.assert_refused_last(other, "npts_x")
        self.write("library/new.pdbqt", cli.ligand())
        self.assert_refused_last(self.berth(*self.command(), "--resume"), "library")

    @needs_rdkit
    def test_resume_with_other_coordinates_is_refused(self):
        self.write("three.smi", "CCO a\nCCN b\nCCS c\n")
        command = self.command(library="three.smi")
        self.assert_well(self.berth(*command))
        self.assertEqual(self.query("SELECT value FROM setting WHERE key = 'coordinates'"), [("quick",)])
        self.assert_well(self.berth(*command, "--resume"))
        self.assert_refused_last(self.berth(*command, "--resume", "--coordinates", "etkdg"), "coordinates")
        database = sqlite3.connect(self.path("out/screen.db"))
        with database:
            database.execute("DELETE FROM setting WHERE key = 'coordinates'")  # as of an earlier version
        database.close()
        self.assert_refused_last(self.berth(*command, "--resume"), "the screen was started with coordinates etkdg")
        self.assert_well(self.berth(*command, "--resume", "--coordinates", "etkdg"))

    def test_resume_with_other_parameters_is_refused(self):
        self.make_library(3)
        self.write("own.dat", "atom_par C 4.00 0.15 33.5103 -0.00143 0.0 0.0 0 -1 -1 0\n")
        self.screen("--parameters", "own.dat")
        self.screen("--parameters", "own.dat", "--resume")
        self.assert_refused_last(self.berth(*self.command(), "--resume"), "parameters")
        self.write("own.dat", "atom_par C 4.10 0.15 33.5103 -0.00143 0.0 0.0 0 -1 -1 0\n")
        self.assert_refused_last(self.berth(*self.command(), "--parameters", "own.dat", "--resume"), "parameters")

    def test_resume_with_a_library_that_was_changed_in_the_middle_is_refused(self):
        texts = [cli.ligand(atoms=6 + i % 5) for i in range(30)]

        def write(order):
            self.write("many.pdbqt", "".join(f"MODEL {i + 1}\n{t}ENDMDL\n" for i, t in enumerate(order)))

        write(texts)
        self.screen(library="many.pdbqt")
        self.screen("--resume", library="many.pdbqt")
        write(texts[:13] + texts[14:18] + texts[13:14] + texts[18:])  # both ends and the size are as they were
        self.assertGreater((self.folder / "many.pdbqt").stat().st_size, 3 * 4096)
        self.assert_refused_last(self.berth(*self.command("many.pdbqt"), "--resume"), "library_content")

    def assert_refused_last(self, result, word):
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(word, result.stderr.strip().splitlines()[-1])

    def test_two_processes(self):
        self.make_library(400)
        process = self.start(search=["--runs", "4", "--evals", "40000", "--seed", "7"])
        deadline = time.monotonic() + 20
        while not (self.folder / "out/screen.db").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        try:
            second = self.berth(*self.command(search=["--runs", "4", "--evals", "40000", "--seed", "7"]), "--resume")
        finally:
            process.kill()
            process.communicate()
        self.assertEqual(second.returncode, 1, second.stderr)
        self.assertIn("another process", second.stderr)

    def test_full_disk(self):
        small = self.folder / "small"
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(small)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(small)], capture_output=True)
        self.make_library(60)
        result = self.screen("--resume", "--keep", "-1", output="small/out", code=1)
        self.assertIn("no space", result.stderr)
        subprocess.run(["mount", "-o", "remount,size=16m", str(small)], check=True)
        self.screen("--resume", "--keep", "-1", output="small/out")
        self.screen("--keep", "-1", output="whole")
        self.assertEqual(self.results("whole"), self.results("small/out"))


class Shards(Case):
    def test_shards_are_the_whole(self):
        self.make_library(100)
        self.screen(output="whole")
        for i in 1, 2, 3:
            self.screen("--shard", f"{i}/3")
        counts = [self.query("SELECT count(*) FROM ligand", name=f"shard-{i}-of-3.db")[0][0] for i in (1, 2, 3)]
        self.assertEqual(sum(counts), 100)
        parts = [f"out/shard-{i}-of-3.db" for i in (1, 2, 3)]
        partly = self.berth("merge", *parts[:2], "-o", "partly")
        self.assertEqual(partly.returncode, 2, partly.stderr)
        self.assertIn("missing", partly.stderr)
        self.assert_well(self.berth("merge", *parts, "-o", "merged"))
        self.assertEqual(self.results("whole"), self.results("merged"))
        self.assertEqual((self.folder / "whole/top.pdbqt").read_text(), (self.folder / "merged/top.pdbqt").read_text())
        self.assert_refused(self.berth("merge", *parts, "-o", "merged"), "already")

    def test_other_screens_are_not_merged(self):
        self.make_library(40)
        self.screen("--shard", "1/2")
        self.screen("--shard", "2/2", "--runs", "3")
        result = self.berth("merge", "out/shard-1-of-2.db", "out/shard-2-of-2.db", "-o", "merged")
        self.assert_refused(result, "runs")
        self.assertEqual(self.files("merged"), [])


if __name__ == "__main__":
    if without_sqlite():
        raise SystemExit(77)
    cli.main()
