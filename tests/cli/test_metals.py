"""Metal ions: where one that the receptor holds is in reach of the box, the default function has a term for its coordination, says so, and a
pose written with it is scored with it."""
import json
import re
import sqlite3
import unittest

import berth_cli as cli
from test_raw_dock import needs_rdkit
from test_screen import without_sqlite

BOX = ["--center", "0,0,0", "--size", "15,15,15", "--spacing", "0.5"]
SEARCH = ["-n", "4", "-e", "20k", "-s", "1"]


def with_ion(element, x=0.0, held=3):
    """And as many nitrogens at the corners of a tetrahedron around it, whose fourth corner is free."""
    lines = [cli.atom(999, element, x, 0, 0, 2.0, element, element.upper(), 900)]
    for k, (dx, dy) in enumerate([(1.98, 0), (-0.99, 1.71), (-0.99, -1.71)][:held]):
        lines.append(cli.atom(1000 + k, "N", x + dx, dy, -0.7, -0.3, "NA", "HIS", 901 + k))
    return cli.receptor(radius=6.0) + "\n".join(lines) + "\n"


class Metals(cli.Case):
    def dock(self, receptor, *words, output="out"):
        self.write("receptor.pdbqt", receptor)
        ligand = self.write("a.smi", "CC(=O)[O-] acetate\n")
        result = self.berth("dock", "-r", "receptor.pdbqt", "-l", ligand, "-o", output, *BOX, *SEARCH, *cli.NO_STRAIN, *words)
        self.assert_well(result)
        return result, json.loads((self.folder / output / "acetate.json").read_text())

    @needs_rdkit
    def test_a_metal_in_the_box_is_bound(self):
        result, docking = self.dock(with_ion("Zn"))
        self.assertEqual(docking["scoring"], "vina_metals")
        self.assertIn("since metal ions are in reach of the box; --scoring vina leaves their term out", result.stdout)
        atoms = [line for line in (self.folder / "out/acetate.pdbqt").read_text().split("ENDMDL")[0].splitlines()
                 if line.startswith(("ATOM", "HETATM")) and line.split()[-1] == "OA"]
        nearest = min(sum(float(line[30 + 8 * k:38 + 8 * k]) ** 2 for k in range(3)) ** 0.5 for line in atoms)
        self.assertLess(nearest, 2.5)
        _, plain = self.dock(with_ion("Zn"), "--scoring", "vina", output="plain")
        self.assertEqual(plain["scoring"], "vina")
        best = [min(run["inter"] for run in of["runs"]) for of in (docking, plain)]
        self.assertLess(best[0], best[1] - 0.75)

    @needs_rdkit
    def test_without_one_the_function_is_vina(self):
        receptors = {"none": cli.receptor(radius=6.0), "alkali": with_ion("Na"), "far": with_ion("Zn", x=13),
                     "held by water": with_ion("Mg", held=2)}
        for what, receptor in receptors.items():
            with self.subTest(what):
                result, docking = self.dock(receptor, output=what)
                self.assertEqual(docking["scoring"], "vina")
                self.assertNotIn("metal", result.stdout)

    @needs_rdkit
    def test_poses_are_scored_with_it(self):
        _, docking = self.dock(with_ion("Mg"))
        result = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/acetate.pdbqt", "--json")
        self.assert_well(result)
        scored = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual({pose["scoring"] for pose in scored}, {"vina_metals"})
        for pose, run in zip(scored, cli.written(docking)):
            self.assertAlmostEqual(pose["energy"]["inter"], run["inter"], places=6)
        named = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/acetate.pdbqt", "--scoring", "vina_metals",
                           "--json")
        self.assertEqual(json.loads(named.stdout.splitlines()[0])["energy"]["inter"], scored[0]["energy"]["inter"])

    @needs_rdkit
    def test_the_default_of_score_is_that_of_dock(self):
        """A pose of another program names no function."""
        self.dock(with_ion("Zn"), "--scoring", "vinardo")
        result = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/acetate.pdbqt", "--ignore-docking", "--json")
        self.assert_well(result)
        self.assertEqual({json.loads(line)["scoring"] for line in result.stdout.splitlines()}, {"vina_metals"})
        result = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/acetate.pdbqt", "--scoring", "vina", "--json")
        self.assertEqual({json.loads(line)["scoring"] for line in result.stdout.splitlines()}, {"vina"})

    @unittest.skipIf(without_sqlite(), "built without SQLite")
    @needs_rdkit
    def test_screens_record_it(self):
        self.write("receptor.pdbqt", with_ion("Zn"))
        self.write("l.smi", "CC(=O)[O-] acetate\nCCO ethanol\n")
        result = self.berth("screen", "-r", "receptor.pdbqt", "-l", "l.smi", "-o", "s", *BOX, "-s", "1")
        self.assert_well(result)
        self.assertIn("Vina with metals", result.stdout)
        with sqlite3.connect(self.folder / "s/screen.db") as db:
            self.assertEqual(db.execute("select value from setting where key = 'scoring'").fetchone(), ("vina_metals",))
        again = self.berth("screen", "-r", "receptor.pdbqt", "-l", "l.smi", "-o", "s", *BOX, "-s", "1", "--resume",
                           "--scoring", "vina")
        self.assertEqual(again.returncode, 1)
        self.assertIn("scoring", again.stderr)

    @needs_rdkit
    def test_maps_are_those_of_its_classes(self):
        self.dock(with_ion("Zn"))
        pose = "out/acetate.pdbqt"
        for scoring, expected in ("vina_metals", True), ("vina", False):
            result = self.berth("grid", "-r", "receptor.pdbqt", "-o", scoring, "--scoring", scoring, *BOX,
                                *(["--types", "O_A,O_AM"] if expected else ["-l", pose]))
            self.assert_well(result)
            names = {re.search(r"\.(\w+)\.map$", str(path))[1] for path in self.folder.glob(f"{scoring}.*.map")}
            self.assertEqual("O_AM" in names, expected)
            self.assertIn("O_A", names)


if __name__ == "__main__":
    cli.main()
