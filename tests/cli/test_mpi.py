"""mpirun berth screen: ranks share the library, a killed rank's work is done by the next session, same ranking."""
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

import berth_cli as cli
from test_screen import Case

SEARCH = ["--runs", "2", "--evals", "40000", "--threads", "1"]
LONGER = ["--runs", "2", "--evals", "400000", "--threads", "1"]


@unittest.skipUnless((cli.BIN / "berth-mpi").exists(), "built without MPI")
@unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
class Ranks(Case):
    def launch(self, ranks, *more, search=SEARCH):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           OMPI_MCA_btl_base_warn_component_unused="0")
        words = ["mpirun", "--oversubscribe", "-n", str(ranks), str(cli.BIN / "berth"),
                 *self.command(output="out", search=search), *more]
        return subprocess.Popen(words, cwd=self.folder, env=environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def ranks(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                mine = os.readlink(f"/proc/{pid}/cwd") == str(self.folder)
                if mine and os.readlink(f"/proc/{pid}/exe").endswith("berth-mpi"):
                    found.append(int(pid))
            except OSError:
                pass
        return sorted(found)

    def test_ranks_share(self):
        self.make_library(100)
        self.assert_well(self.berth(*self.command(output="whole", search=SEARCH), "--seed", "7"))
        process = self.launch(3, "--seed", "7")
        out, err = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("rank 0 of 3", out)
        self.assertEqual(self.results("whole"), self.results("out"))
        self.assertEqual(self.query("SELECT value FROM setting WHERE key = 'complete'"), [("1",)])
        self.assertEqual([n for n in self.files() if n.startswith("rank")], [])

    def test_a_rank_is_killed(self):
        self.make_library(300)
        self.assert_well(self.berth(*self.command(output="whole", search=LONGER), "--seed", "7"))
        process = self.launch(2, "--seed", "7", "--resume", search=LONGER)
        deadline = time.monotonic() + 60
        while not (self.folder / "out/rank-1.db").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        pids = self.ranks()
        self.assertEqual(len(pids), 2)
        os.kill(pids[1], signal.SIGKILL)
        process.communicate(timeout=100)
        self.assertNotEqual(process.returncode, 0)
        process = self.launch(3, "--resume", search=LONGER)
        out, err = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(self.results("whole"), self.results("out"))
        self.assertEqual([n for n in self.files() if n.startswith("rank")], [])

    def test_failed_and_damaged_ligands_are_docked_again(self):
        self.make_library(40)
        self.assert_well(self.berth(*self.command(output="whole", search=SEARCH), "--seed", "7"))
        for words in ["--seed", "7"], ["--resume"], ["--resume", "--retry", "failed"]:
            if "--resume" in words:
                self.spoil()
            process = self.launch(2, *words)
            out, err = process.communicate(timeout=200)
            failed = words == ["--resume"]
            self.assertEqual(process.returncode, 2 if failed else 0, err)
            self.assertEqual(self.query("SELECT ordinal FROM ligand WHERE state = 'failed'"), [(3,)] if failed else [])
            if "--resume" in words:
                self.assertRegex(err, r"screen.db: ligand lig0007 \(ordinal 7\) is damaged: .*; it is docked again")
            if not failed:
                self.assertEqual(self.results("whole"), self.results("out"))

    def spoil(self):
        """Ligand 3 failed, a bit of 7 flipped."""
        database = sqlite3.connect(self.path("out/screen.db"))
        for sql in ("DELETE FROM ligand WHERE ordinal = 3", "DELETE FROM pose WHERE ordinal = 3",
                    "DELETE FROM molecule WHERE ordinal = 3",
                    "INSERT INTO ligand(ordinal, name, source, state, status, reason)"
                    " VALUES(3, 'lig0003', 'x', 'failed', 'BT_ERR_DEVICE', 'it broke')",
                    "UPDATE ligand SET inter = inter + 0.125 WHERE ordinal = 7"):
            database.execute(sql)
        database.commit()
        database.close()


if __name__ == "__main__":
    cli.main()
