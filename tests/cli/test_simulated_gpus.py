#!/usr/bin/env python3
"""A screen on four GPUs that are not there: bench/simulated_gpu. All take part, and no ligand is lost or docked twice.

    test_simulated_gpus.py BIN
"""
import contextlib
import os
import shutil
import sqlite3

import berth_cli as cli
import skips

DRIVER = cli.BIN.parent / "simulated_gpu"
LIGANDS = 200


class SimulatedGpus(cli.Case):
    def setUp(self):
        if not (DRIVER / "libcuda.so.1").exists():
            skips.skip("this build has no simulated GPU")
        super().setUp()
        before = {name: os.environ.get(name) for name in ("LD_LIBRARY_PATH", "SIMULATED_GPUS")}
        self.addCleanup(lambda: [os.environ.__setitem__(k, v) if v is not None else os.environ.pop(k, None)
                                 for k, v in before.items()])
        os.environ |= {"LD_LIBRARY_PATH": f"{DRIVER}:{before['LD_LIBRARY_PATH'] or ''}", "SIMULATED_GPUS": "4"}
        if " yes " not in self.berth("devices").stdout.split("cuda:0", 1)[-1].splitlines()[0]:
            skips.skip("this build has no kernels for such a GPU")
        (self.folder / "library").mkdir()
        for k in range(LIGANDS):
            shutil.copy(self.folder / "ligand.pdbqt", self.folder / f"library/{k}.pdbqt")

    def test_all_take_part(self):
        done = self.berth("screen", "-r", "receptor.pdbqt", "-l", "library", *cli.BOX, "-o", "out", "--batch", "8",
                          "--devices", "cuda:0,cuda:1,cuda:2,cuda:3", "--top", "0", "--rescore", "none")
        self.assertEqual(done.returncode, 0, done.stderr)
        with contextlib.closing(sqlite3.connect(self.folder / "out/screen.db")) as database:
            names = [name for name, in database.execute("SELECT name FROM ligand WHERE state = 'docked'")]
        self.assertEqual(sorted(names), sorted(map(str, range(LIGANDS))))
        for gpu in range(4):
            self.assertRegex(done.stderr, rf"simulated GPU {gpu}: [0-9.]+ s of kernels, [1-9][0-9]* blocks")


if __name__ == "__main__":
    cli.main()
