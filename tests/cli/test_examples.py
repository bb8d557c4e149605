"""The programs of examples/c do what their headers say, using only the public headers and the library."""
import pathlib
import unittest

import berth_cli as cli

PROGRAMS = cli.BIN.parent / "examples"


class Examples(cli.Case):
    def setUp(self):
        super().setUp()
        if not (PROGRAMS / "dock").exists():
            raise unittest.SkipTest("the examples are not built")

    def run_example(self, name, *arguments):
        result = self.run_program(PROGRAMS / name, *arguments)
        self.assert_well(result)
        return result.stdout

    def make_maps(self):
        self.assert_well(self.berth("grid", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", *cli.BOX, "-o", "rec"))
        self.write("set/a.pdbqt", cli.ligand(torsions=1))
        self.write("set/b.pdbqt", cli.ligand(torsions=2))

    def test_score(self):
        here = self.run_example("score", "receptor.pdbqt", "ligand.pdbqt")
        self.assertRegex(here, r"^ligand: -?\d+\.\d\d kcal/mol, of which -?\d+\.\d\d with the receptor\n$")
        self.assertEqual(self.run_program(PROGRAMS / "score", "receptor.pdbqt", "absent.pdbqt").returncode, 1)

    def test_dock(self):
        self.make_maps()
        text = self.run_example("dock", "rec.maps.fld", "set", 2)
        self.assertRegex(text, r"(?m)^a: -\d+\.\d\d kcal/mol, [12] clusters$")
        for name in ("a", "b"):
            self.assertEqual((self.folder / f"{name}.out.pdbqt").read_text().count("ENDMDL"), 2)

    def test_screen(self):
        self.make_maps()
        result = self.run_program(PROGRAMS / "screen", "rec.maps.fld", "set", 2)
        if "SQLite" in result.stderr:
            self.skipTest("this build has no SQLite")
        self.assertEqual(result.stdout, "2 docked, 0 rejected; the best 2 are in best.csv\n", result.stderr)
        self.assertEqual((self.folder / "best.csv").read_text().count("\n"), 3)

    def test_short_and_public(self):
        for path in sorted(pathlib.Path(cli.SOURCE, "examples/c").glob("*.c")):
            text = path.read_text()
            self.assertLess(text.count("\n"), 60, path.name)
            self.assertNotIn('#include "', text, path.name)


if __name__ == "__main__":
    cli.main()
