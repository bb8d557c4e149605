"""The programs of examples/c do what their headers say, using only the public headers and the library; and the same question gets
the same answer from C, Python, `berth dock` and `berth screen`."""
import contextlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import unittest

import berth_cli as cli
import test_python

PROGRAMS = cli.BIN.parent / "examples"
EXAMPLES = pathlib.Path(cli.SOURCE, "examples")
PDB = EXAMPLES / "1hpv/1hpv.pdb"
ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O aspirin"
AMINE = "NCCc1ccccc1 amine"
TEN_LINES = """\
import sys
import berth
receptor = berth.Receptor(sys.argv[1], "478")
engine = berth.Engine(receptor, seed=42)
results = engine.dock(sys.argv[2:])
for result in results:
    print(f"{result.name} {result.poses[0].energy:.12g}")
    result.write(f"{result.name}.sdf")
"""


class Examples(cli.Case):
    def setUp(self):
        super().setUp()
        if not (PROGRAMS / "dock").exists():
            raise unittest.SkipTest("the examples are not built")
        if not all(re.search(f"with +{name} ", self.berth("--version").stdout) for name in ("rdkit", "gemmi")):
            raise unittest.SkipTest("this build has no RDKit or no gemmi")

    def run_example(self, name, *arguments):
        result = self.run_program(PROGRAMS / name, *arguments)
        self.assert_well(result)
        return result.stdout

    def test_dock_score_minimize(self):
        text = self.run_example("dock", PDB, "478")
        energies = re.findall(r"(?m)^\S+ (\w+): (-\d+\.\d+) kcal/mol, in (ligand-\d\.sdf)$", text)
        self.assertEqual([name for name, _, _ in energies], ["aspirin", "amine"])
        scores = re.findall(r"(?m)^aspirin: (\S+) kcal/mol, of which \S+ with the receptor$",
                            self.run_example("score", PDB, "478", "ligand-1.sdf"))
        self.assertTrue(1 < len(scores) <= 9, scores)
        self.assertAlmostEqual(float(scores[0]), float(energies[0][1]), delta=0.006)
        before, after = map(float, re.search(r"amine: (\S+) kcal/mol, minimized (\S+) kcal", self.run_example(
            "minimize", PDB, "478", "ligand-2.sdf", "relaxed.sdf")).groups())
        self.assertLessEqual(after, before + 0.02)
        self.assertEqual((self.folder / "relaxed.sdf").read_text().count("$$$$"), 1)
        for program in "score", "minimize":
            self.assertEqual(self.run_program(PROGRAMS / program, PDB, "478", "absent.sdf", "x.sdf").returncode, 1)
        self.assertIn("usage", self.run_program(PROGRAMS / "dock").stderr)
        wrong = self.run_program(PROGRAMS / "dock", PDB, "999")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("1hpv.pdb: there is no residue 999; ", wrong.stderr)

    def test_one_question_one_answer(self):
        """Energies of the default protocol and a seed, in all digits that are printed. A screen has another effort, and
        other coordinates, unless it is asked for those of a docking."""
        c = dict(re.findall(r"(?m)^\S+ (\w+): (\S+) kcal", self.run_example("dock", PDB, "478")))
        self.write("l.smi", f"{ASPIRIN}\n{AMINE}\n")
        docking = ["-r", PDB, "-l", "l.smi", "--autobox", "478", "--seed", "42", "-q"]
        self.assert_well(self.berth("dock", *docking, "-o", "out"))
        found = {}
        for name in c:
            data = json.loads((self.folder / f"out/{name}.json").read_text())
            best = data["clusters"][0]["best_run"]
            found[name] = f"{next(run['free_energy'] for run in data['runs'] if run['run'] == best):.12g}"
            number = list(c).index(name) + 1
            self.assertEqual((self.folder / f"ligand-{number}.sdf").read_text(), (self.folder / f"out/{name}.sdf").read_text())
        self.assertEqual(found, c)
        screened = self.berth("screen", *docking, "-o", "screen", "--effort", "normal", "--coordinates", "etkdg")
        if "SQLite" not in screened.stderr:
            self.assert_well(screened)
            with contextlib.closing(sqlite3.connect(self.folder / "screen/screen.db")) as database:
                rows = database.execute("SELECT name, free_energy FROM ranking").fetchall()
            self.assertEqual({name: f"{energy:.12g}" for name, energy in rows}, c)
        package = test_python.lay_out("python-examples")
        if isinstance(package, str):
            self.skipTest(f"{package}; C and the programs agree")
        python, folder = package
        done = subprocess.run([python, "-c", TEN_LINES, PDB, ASPIRIN, AMINE], capture_output=True, text=True, check=False,
                              cwd=self.folder, env=dict(os.environ, PYTHONPATH=str(folder)))
        self.assertEqual(dict(line.split() for line in done.stdout.splitlines()), c, done.stderr)
        self.assertLess(TEN_LINES.count("\n"), 11)

    def test_pockets(self):
        text = self.run_example("pockets", PDB, ASPIRIN)
        self.assertRegex(text, r"^docked into 3 of \d+ pockets\n(-\d+\.\d\d kcal/mol in pocket [123] around \(.*\)\n)+$")

    def test_screen(self):
        self.write("l.smi", "CCO ethanol\nCCN amine\nC1C bad\n")
        result = self.run_program(PROGRAMS / "screen", PDB, "478", "l.smi", 2)
        if "SQLite" in result.stderr:
            self.skipTest("this build has no SQLite")
        self.assertEqual(result.stdout, "2 docked, 1 rejected; the best 2 are in best.csv\n", result.stderr)
        self.assertEqual((self.folder / "best.csv").read_text().count("\n"), 3)

    def test_rerank(self):
        text = self.run_example("rerank", PDB, "478", ASPIRIN, "vinardo,ad4")
        self.assertTrue(text.startswith("vina, clusters by vinardo, ad4 (blend)\n"), text)
        self.assertRegex(text, r"(?m)^cluster 1: docked -\S+ kcal/mol, Vinardo -\S+ kcal/mol \(rank \d\), AutoDock 4 -\S+ kcal/mol \(rank \d\)$")
        self.assertIn("ad4, vina, vinardo", self.run_program(PROGRAMS / "rerank", PDB, "478", ASPIRIN, "guess").stderr)

    def test_arrays(self):
        self.assertRegex(self.run_example("arrays", PDB, "478"), r"^acetamide, CC\(N\)=O: -\d+\.\d\d kcal/mol\nC (-?\d+\.\d+ ?){3}\n")

    def test_covalent(self):
        smiles = (EXAMPLES / "covalent/penicillin.smi").read_text().splitlines()[0]
        self.assertRegex(self.run_example("covalent", EXAMPLES / "covalent/1pwc.pdb", "A:SER62", smiles), r"^-\d+\.\d\d kcal/mol\n$")
        self.assertIn("$$$$", (self.folder / "adduct.sdf").read_text())

    def test_maps(self):
        self.assertEqual(self.run_example("maps", PDB, "478", "rec"), "rec.maps.fld and maps of 3 types, 53 x 49 x 69 points\n")
        self.assertIn("rec.OA.map", (self.folder / "rec.maps.fld").read_text())

    def test_contacts(self):
        self.assertRegex(self.run_example("contacts", PDB, "478", ASPIRIN, "page"), r"^\d+ poses in page/report.html\n$")
        run = json.loads((self.folder / "page/docked.json").read_text())["runs"][0]
        self.assertTrue(run["contacts"])

    def test_short_and_public(self):
        paths = sorted(EXAMPLES.glob("c/*.c"))
        self.assertGreaterEqual(len(paths), 8)
        self.assertLessEqual((EXAMPLES / "c/dock.c").read_text().count("\n"), 30)
        for path in paths:
            text = path.read_text()
            self.assertLess(text.count("\n"), 60, path.name)
            self.assertNotIn('#include "', text, path.name)
            self.assertRegex(text, r"^/\* \w+\.c - .*\?", path.name)


if __name__ == "__main__":
    cli.main()
