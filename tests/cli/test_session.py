"""--session: scripts that open receptor and poses in PyMOL and ChimeraX."""
import os
import shutil
import subprocess
import unittest

import berth_cli as cli
from test_raw_dock import needs_rdkit

HIV = cli.SOURCE / "examples" / "1hpv"
SEARCH = ["--runs", "2", "--evals", "1500", "--population", "20", "--seed", "7", "--spacing", "0.6"]


class Session(cli.Case):
    def dock(self, *words, receptor=HIV / "receptor.pdbqt", output="out"):
        return self.berth("dock", "-r", receptor, "-l", HIV / "ligand.pdbqt", "-o", output, "--autobox",
                          HIV / "ligand-crystal.pdbqt", *SEARCH, *cli.NO_STRAIN, *words)

    def test_scripts_name_the_files(self):
        self.assert_well(self.dock("--session", "pml,cxc", "--format", "pdbqt", "--reference",
                                   HIV / "ligand-crystal.pdbqt"))
        pml, cxc = ((self.folder / f"out/ligand.{ending}").read_text() for ending in ("pml", "cxc"))
        for path in (HIV / "receptor.pdbqt").resolve(), "ligand.pdbqt", (HIV / "ligand-crystal.pdbqt").resolve():
            self.assertIn(f'cmd.load("{path}"', pml)
            self.assertIn(f'open "{path}"\n', cxc)
        self.assertIn("color #3 orange", cxc)

    def test_only_what_was_asked_for(self):
        self.assert_well(self.dock("--session", "cxc"))
        self.assertEqual([path.name for path in self.folder.glob("out/*.cxc")], ["ligand.cxc"])
        self.assertEqual(list(self.folder.glob("out/*.pml")), [])
        self.assertNotIn("orange", (self.folder / "out/ligand.cxc").read_text())

    def test_refusals(self):
        for words, reason in ((["--session", "vmd"], "pml"),
                              (["--session", "pml", "--format", "csv"], "add pdbqt to --format")):
            with self.subTest(words):
                result = self.dock(*words)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn(reason, result.stderr)

    @needs_rdkit
    def test_pymol_draws_it(self):
        """In the folder of the results, wherever that was moved."""
        pymol = shutil.which("pymol", path="/usr/bin")
        if pymol is None:
            self.skipTest("PyMOL is not installed")
        result = self.berth("dock", "-r", HIV / "1hpv.pdb", "-l", HIV / "amprenavir.smi", "-o", "first", "--autobox", "478",
                            *SEARCH, *cli.NO_STRAIN, "--session", "pml")
        self.assert_well(result)
        folder = (self.folder / "first").rename(self.folder / "second")
        ask = folder / "ask.pml"
        ask.write_text((folder / "amprenavir.pml").read_text() + "print('states', cmd.count_states('poses'), "
                       "'site', cmd.count_atoms('site'))\nray 200, 150\npng drawn.png\n")
        drawn = subprocess.run([pymol, "-cq", ask.name], cwd=folder, capture_output=True, text=True, timeout=300, check=False,
                               env=dict(os.environ, PATH="/usr/bin:/bin"))
        said = next(line.split() for line in drawn.stdout.splitlines() if line.startswith("states"))
        self.assertGreaterEqual(int(said[1]), 2, drawn.stdout)
        self.assertGreater(int(said[3]), 100, drawn.stdout)
        self.assertGreater((folder / "drawn.png").stat().st_size, 1000)


if __name__ == "__main__":
    cli.main()
