"""Ions of a receptor without parameters: those of other ions are used, which every command reports once; --strict
refuses them."""
import json
import unittest

import berth_cli as cli

IONS = [("Na", "NA", "Mg"), ("K", "K", "Ca"), ("HG", "HG", "Zn"), ("Cd", "CD", "Zn"), ("Co", "CO", "Fe"),
        ("Cu", "CU", "Zn"), ("Ni", "NI", "Fe"), ("Se", "MSE", "SA"), ("NA", "NA", "Mg")]


class Ions(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("receptor.pdbqt", self.receptor("Na", "K"))

    def receptor(self, *types, residue=None):
        return cli.receptor() + "".join(
            cli.atom(900 + k, kind.upper(), 0, 6.5, 3 * k, 1.0, kind, residue or kind.upper(), 100 + k) + "\n"
            for k, kind in enumerate(types))

    def assert_warned(self, result, *words):
        self.assert_well(result)
        lines = [line for line in result.stderr.splitlines() if "warning: " in line]
        self.assertEqual(len(lines), 1, result.stderr)
        for word in words or ("those of Mg stand in for Na (1 atom)", "those of Ca stand in for K (1 atom)", "--strict"):
            self.assertIn(word, lines[0])

    def test_dock(self):
        self.write("second.pdbqt", cli.ligand(atoms=7, torsions=2))
        result = self.dock("--scoring", "ad4", "--json", "--quiet", ligands=["ligand.pdbqt", "second.pdbqt"])
        self.assert_warned(result)
        said = [json.loads(line)["warning"] for line in result.stdout.splitlines()]
        said += [json.loads((self.folder / "out" / name).read_text())["warning"]
                 for name in ("ligand.json", "second.json")]
        self.assertEqual(len(said), 4)
        for warning in said:
            self.assertIn("those of Mg stand in for Na (1 atom), those of Ca stand in for K (1 atom)", warning)

    def test_every_spelling_gives_the_energies_of_the_other(self):
        for kind, residue, other in IONS:
            self.write("ion.pdbqt", self.receptor(kind, residue=residue))
            self.write("other.pdbqt", self.receptor(other, residue=residue))
            scores = [self.berth("score", "-r", name, "-l", "ligand.pdbqt", "--scoring", "ad4", "--json") for name in ("ion.pdbqt", "other.pdbqt")]
            self.assert_warned(scores[0], f"those of {other} stand in for {residue.title() if kind != 'Se' else 'Se'}")
            self.assertEqual(scores[1].stderr, "")
            first, second = (json.loads(score.stdout) for score in scores)
            self.assertEqual(first["energy"], second["energy"], kind)
            self.assertIn("stand in", first["warning"])
            self.assertEqual(second["warning"], "")

    def test_grid_and_screen(self):
        grid = self.berth("grid", "-r", "receptor.pdbqt", "--types", "C,OA", *cli.BOX, "-o", "rec", "--json")
        self.assert_warned(grid)
        self.assertIn("stand in", json.loads(grid.stdout)["warning"])
        screen = self.berth("screen", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", *cli.BOX, "-o", "out", "--scoring", "ad4", "--runs", "1",
                            "--evals", "1000", "--quiet")
        if "has no SQLite" not in screen.stderr:
            self.assert_warned(screen)

    def test_strict_refuses(self):
        words = "receptor.pdbqt:", "atom 900", "'Na'", "without --strict those of Mg stand in"
        self.assert_refused(self.dock("--scoring", "ad4", "--strict"), *words)
        self.assert_refused(self.berth("score", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "--scoring", "ad4", "--strict"), *words)
        self.assert_refused(self.berth("grid", "-r", "receptor.pdbqt", "--types", "C", *cli.BOX, "-o", "rec",
                                       "--strict"), *words)
        self.assert_refused(self.berth("screen", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", *cli.BOX, "-o", "out",
                                       "--scoring", "ad4", "--strict"), *words)
        self.assertEqual(self.tables() + [p.name for p in self.folder.glob("rec.*map*")], [])
        self.write("receptor.pdbqt", self.receptor("NA"))
        self.assert_refused(self.dock("--scoring", "ad4", "--strict"), "'NA', which has no parameters as the element Na")
        self.write("receptor.pdbqt", self.receptor("Zn", "Ca"))
        self.assertEqual(self.dock("--scoring", "ad4", "--strict", "--json", "--quiet").stderr, "")

    def test_own_parameters_count_more(self):
        self.write("own.dat", "atom_par Na 2.4 0.1 7.0 -0.001 0 0 0 -1 -1 4\natom_par K 3.5 0.1 9 -0.001 0 0 0 -1 -1 4\n")
        result = self.dock("--strict", "--parameters", "own.dat", "--json", "--quiet")
        self.assert_well(result)
        self.assertEqual(result.stderr, "")

    def test_programs_that_take_autogrids_place_refuse(self):
        self.write("rec.gpf", "npts 10 10 10\ngridfld rec.maps.fld\nspacing 0.375\nreceptor_types C OA N A HD Na K\n"
                              "ligand_types C\nreceptor receptor.pdbqt\ngridcenter 0 0 0\nsmooth 0.5\nmap rec.C.map\n"
                              "elecmap rec.e.map\ndsolvmap rec.d.map\ndielectric -0.1465\n")
        self.assert_refused(self.run_program("berth-autogrid", "-p", "rec.gpf", "-l", "rec.glg"), "atom 900", "'Na'")
        self.assert_refused(self.berth("grid", "-p", "rec.gpf"), "atom 900", "'Na'", "parameter file")


if __name__ == "__main__":
    cli.main()
