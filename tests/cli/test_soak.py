"""scripts/soak for 10 seconds, with BERTH_TEST_FULL=1 for an hour."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import berth_cli as cli
import faults
from test_screen import without_sqlite

SECONDS = "3600" if os.environ.get("BERTH_TEST_FULL") == "1" else "10"

FORGETFUL = """#!/usr/bin/env python3
import glob, sqlite3, subprocess, sys
code = subprocess.run(["{berth}", *sys.argv[1:]]).returncode
for path in glob.glob("out/*.db") if "--resume" in sys.argv else []:
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM ligand WHERE ordinal = (SELECT max(ordinal) FROM ligand)")
sys.exit(code)
"""


class Soak(unittest.TestCase):
    def test_no_loss(self):
        soak = [str(cli.SOURCE / "scripts/soak"), "--seconds", SECONDS, "--seed", "1", "--bin", str(cli.BIN)]
        done = subprocess.run(soak, capture_output=True, text=True, cwd=pathlib.Path(cli.BIN).parent)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(int(re.search(r"(\d+) campaigns", done.stdout)[1]), 0, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^0 losses")

    def test_a_loss_is_seen(self):
        """A program that loses a ligand whenever it resumes."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="berth-test-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        (folder / "bin").mkdir()
        (folder / "bin/berth").write_text(FORGETFUL.format(berth=cli.BIN / "berth"))
        (folder / "bin/berth").chmod(0o755)
        soak = [str(cli.SOURCE / "scripts/soak"), "--seconds", "300", "--campaigns", "4", "--jobs", "1", "--bin", str(folder / "bin"),
                "--keep", str(folder / "kept")]
        done = subprocess.run(soak, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"LOSS: campaign .*(committed ligands are gone|other results)")

    @unittest.skipUnless(faults.PROGRAM.exists(), "this build has no berth-faults")
    def test_a_ligand_that_a_failing_call_has_cost_is_docked_again(self):
        sys.path.insert(0, str(cli.SOURCE / "tests/soak"))
        from campaign import Campaign
        from disturbances import failing_call
        folder = pathlib.Path(tempfile.mkdtemp(prefix="berth-test-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        campaign = Campaign(1, folder, time.monotonic() + 300, 300)
        campaign.make_inputs()
        campaign.shards = 1
        campaign.finish(campaign.start(campaign.command(1, "whole")), (0, 2))
        for call in range(1, 20):  # one of the first calls allocates device memory for a ligand
            campaign.story.append("failing_call")
            failing_call(campaign, 1, f"device:{call}")
            if any(row[1] == "failed" for row in campaign.rows(1)):
                break
            shutil.rmtree(folder / "out")
        else:
            self.fail("no call has cost a ligand")
        campaign.complete(1)


if __name__ == "__main__":
    if without_sqlite():
        raise SystemExit(77)
    cli.main()
