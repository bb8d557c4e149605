"""Every call that can fail is reached by a command of the fault tests, or listed with its reason: BERTH_TEST_FULL=1."""
import os
import subprocess
import unittest

import berth_cli as cli
import faults
import skips
from test_raw_dock import GEMMI, RDKIT
from test_screen import without_sqlite


class Sites(unittest.TestCase):
    def setUp(self):
        if not faults.FULL:
            skips.skip("a build of its own: BERTH_TEST_FULL=1, or scripts/fault-sites")
        if not (faults.PROGRAM.exists() and GEMMI and RDKIT):
            skips.skip("this build has no berth-faults, or lacks RDKit or gemmi")

    def test_every_site_is_reached_or_listed(self):
        variables = {name: value for name, value in os.environ.items() if not name.startswith("BERTH_TEST_")}
        script = [str(cli.SOURCE / "scripts/fault-sites"), str(cli.BIN.parent / "fault-sites")]
        done = subprocess.run(script, capture_output=True, text=True, env=variables)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    if without_sqlite():
        raise SystemExit(77)
    cli.main()
