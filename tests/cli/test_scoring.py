"""--scoring vina and vinardo of berth dock, screen and grid: one search, files that name the scoring function, and one
clear line for what these functions cannot do. Amprenavir in HIV protease, with short searches in coarse maps."""
import csv
import json
import re
import sqlite3
import unittest

import berth_cli as cli
import molecules
from test_raw_dock import RDKIT, needs_rdkit
from test_screen import without_sqlite

HIV = cli.SOURCE / "examples/1hpv"
SEARCH = ["-n", "2", "-e", "5k", "-s", "1", "-t", "2"]
BOX = ["--autobox", str(HIV / "ligand-crystal.pdbqt"), "--spacing", "0.6"]
FUNCTIONS = ("vina", "vinardo")
ROTORS = 13  # of amprenavir
FORMATS = "dlg,xml,pdbqt,csv" + (",sdf" if RDKIT else "")  # the bonds of a PDBQT ligand need RDKit


class Case(cli.Case):
    def hiv(self, command, *more, receptor=HIV / "receptor.pdbqt", ligands=(HIV / "ligand.pdbqt",), output="out", **options):
        return self.berth(command, "-r", receptor, "-l", *ligands, "-o", output, *SEARCH, *cli.NO_STRAIN * (command == "dock"),
                          *(BOX if str(receptor).endswith((".pdbqt", ".pdb")) else []), *more, **options)

    def text(self, name):
        return (self.folder / name).read_text()

    def docking(self, name="out/ligand.json"):
        return json.loads(self.text(name))

    def rows(self, name):
        return list(csv.DictReader(self.text(name).splitlines()))

    def assert_affinity(self, run, unbound=None, rotors=ROTORS):
        self.assertAlmostEqual(run["free_energy"], (run["inter"] + run["intra"] - run["unbound"]) / (1 + 0.05846 * rotors),
                               places=3)
        self.assertAlmostEqual(run["torsional"], run["free_energy"] - run["inter"] - run["intra"] + run["unbound"], places=3)
        if unbound is not None:
            self.assertAlmostEqual(run["unbound"], unbound, places=3)


class Dock(Case):
    def test_every_output_names_the_function(self):
        for scoring in FUNCTIONS:
            out = f"out-{scoring}"
            result = self.hiv("dock", "--scoring", scoring, "--contacts", "--format", FORMATS, output=out)
            self.assert_well(result)
            self.assertIn(f"scored by {scoring.title()}", result.stdout)
            self.assertIn("affinity", result.stdout)
            docking = self.docking(f"{out}/ligand.json")
            self.assertEqual((docking["scoring"], docking["engine"]), (scoring, "ad4"))
            best = min(docking["runs"], key=lambda run: run["inter"] + run["intra"])
            for run in docking["runs"]:
                self.assert_affinity(run, best["intra"])
                self.assertEqual(run["inter_electrostatic"], 0)
                self.assertTrue(run["contacts"])
            self.assertEqual({row["scoring"] for row in self.rows(f"{out}/ligand.csv")}, {scoring})
            self.assertIn(f"scoring {scoring}\n", self.text(f"{out}/ligand.pdbqt"))
            self.assertIn(f"REMARK VINA RESULT: {best['free_energy']:9.3f}", self.text(f"{out}/ligand.pdbqt"))
            if RDKIT:
                self.assertIn(f"> <scoring>\n{scoring}\n", self.text(f"{out}/ligand.sdf"))
                self.assertIn(f"> <docking_score>\n{best['free_energy']:.3f}\n", self.text(f"{out}/ligand.sdf"))
            log = self.text(f"{out}/ligand.dlg")
            self.assertRegex(log, rf"\nScoring function: +{scoring}\n")
            for name, key in (("Estimated Free Energy of Binding", "free_energy"), ("Unbound System's Energy", "unbound")):
                logged = re.findall(rf"{name} +=(.*) kcal/mol", log)
                self.assertEqual(len(logged), len(docking["runs"]))
                for energy, run in zip(logged, docking["runs"]):
                    self.assertAlmostEqual(float(energy), run[key], delta=0.0051)  # the log rounds to 0.01
            self.assertIn(f"<scoring>{scoring}</scoring>", self.text(f"{out}/ligand.xml"))

    def test_a_pose_scores_as_it_was_docked(self):
        self.assert_well(self.hiv("dock", "--scoring", "vina"))
        best = min(self.docking()["runs"], key=lambda run: run["free_energy"])
        result = self.berth("score", "-r", HIV / "receptor.pdbqt", "-l", "out/ligand.pdbqt", "--scoring", "vina", "--json")
        self.assert_well(result)
        energy = json.loads(result.stdout.splitlines()[0])["energy"]
        self.assertAlmostEqual(energy["free_energy"], best["free_energy"], delta=0.02)  # coordinates of three decimals

    def test_autodock_stays_what_it_is(self):
        result = self.hiv("dock", "--scoring", "ad4", "--format", "dlg,xml,csv")
        self.assert_well(result)
        self.assertIn("free energy", result.stdout)
        self.assertEqual(self.docking()["scoring"], "ad4")
        self.assertEqual({row["scoring"] for row in self.rows("out/ligand.csv")}, {"ad4"})
        self.assertNotIn("Scoring function", self.text("out/ligand.dlg"))
        self.assertNotIn("<scoring>", self.text("out/ligand.xml"))

    @needs_rdkit
    def test_ligands_of_every_kind(self):
        self.write("lib/a.sdf", molecules.ethanol("from_sdf"))
        self.write("lib/b.mol2", molecules.mol2("from_mol2"))
        self.write("lib/c.smi", "CCO from_smiles\nO=C1CCCCCCCCCCCO1 macrocycle\n")
        self.write("lib/d.pdbqt", cli.ligand())
        self.assert_well(self.hiv("dock", "--scoring", "vina", "--format", "csv", ligands=["lib"]))
        rows = {row["ligand"]: row for row in self.rows("out/summary.csv")}
        self.assertEqual(set(rows), {"from_sdf", "from_mol2", "from_smiles", "macrocycle", "d"})
        self.assertEqual({row["scoring"] for row in rows.values()}, {"vina"})
        self.assertIn("G0", self.text("out/macrocycle.json"))
        three = [float(rows[name]["free_energy"]) for name in ("from_sdf", "from_mol2", "from_smiles")]
        self.assertLess(max(three) - min(three), 0.3)

    @needs_rdkit
    def test_receptor_from_pdb_with_flexible_side_chains(self):
        result = self.hiv("dock", "--scoring", "vina", "--flex", "A:ARG8", "--delete", "478", receptor=HIV / "1hpv.pdb")
        self.assert_well(result)
        docking = self.docking()
        self.assertTrue(any(run["intra_flex"] != 0 for run in docking["runs"]))
        self.assertIn("BEGIN_RES", self.text("out/ligand.pdbqt"))
        self.assert_affinity(docking["runs"][0])

    def test_flexible_residues_of_a_file(self):
        self.write("flex.pdbqt", cli.residues())
        self.assert_well(self.dock("--scoring", "vinardo", "--flex", "flex.pdbqt"))
        self.assertEqual(self.docking()["scoring"], "vinardo")

    def test_json_line(self):
        result = self.hiv("dock", "--scoring", "vina", "--json", "-q")
        self.assert_well(result)
        line = json.loads(result.stdout)
        self.assertEqual(line["scoring"], "vina")
        self.assert_affinity(line["best"])


class Grid(Case):
    def maps(self, scoring, *more):
        result = self.berth("grid", "-r", HIV / "receptor.pdbqt", "-l", HIV / "ligand.pdbqt", *BOX, "--scoring", scoring, "-o",
                            scoring, "--json", *more)
        self.assert_well(result)
        return json.loads(result.stdout)

    def test_round_trip(self):
        said = self.maps("vina", "--types", "Met_D")
        self.assertEqual(said["scoring"], "vina")
        types = [m["type"] for m in said["maps"]]
        self.assertEqual(set(types), {"C_H", "C_P", "N_A", "N_D", "O_A", "O_DA", "S_P", "Met_D", "e", "d"})
        for name in types:
            self.assertTrue((self.folder / f"vina.{name}.map").is_file(), name)
        self.assert_well(self.hiv("dock", "--scoring", "vina", receptor="vina.maps.fld"))
        self.assert_well(self.hiv("dock", "--scoring", "vina", "--write-maps", "kept", output="out2"))
        read, computed = self.docking(), self.docking("out2/ligand.json")
        self.assertEqual(read["box"], computed["box"])
        self.assertEqual({p.name.split(".")[1] for p in self.folder.glob("kept.*.map")}, set(types) - {"Met_D"})
        for name in ("C_H", "O_DA"):
            first, second = (self.text(f"{prefix}.{name}.map").split("\n", 6)[6] for prefix in ("vina", "kept"))
            self.assertEqual(first, second)
        for run in read["runs"]:
            self.assert_affinity(run)
        score = self.berth("score", "-r", "vina.maps.fld", "-l", HIV / "ligand-crystal.pdbqt", "--scoring", "vina", "--json")
        exact = self.berth("score", "-r", HIV / "receptor.pdbqt", "-l", HIV / "ligand-crystal.pdbqt", "--scoring", "vina",
                           "--json")
        score, exact = (json.loads(r.stdout)["energy"] for r in (score, exact))
        self.assertAlmostEqual(score["intra"], exact["intra"], places=6)
        self.assertLess(abs(score["inter"] - exact["inter"]), 4)  # 0.6 Angstrom is coarse

    def test_whose_maps_they_are(self):
        self.maps("vina")
        self.maps("vinardo")
        self.assertIn("# Scoring function vinardo\n", self.text("vinardo.maps.fld"))
        for given, maps in (("ad4", "vina"), ("vinardo", "vina"), ("vina", "vinardo")):
            for command in ("dock", "screen"):
                if command == "screen" and without_sqlite():
                    continue
                result = self.hiv(command, "--scoring", given, "-q", receptor=f"{maps}.maps.fld", output="no")
                self.assert_refused(result, f"{maps}.maps.fld", f"use --scoring {maps}")
        nameless = self.text("vina.maps.fld").replace("# Scoring function vina\n", "#\n")
        self.write("nameless.maps.fld", nameless)
        self.assert_well(self.hiv("dock", "--scoring", "vina", receptor="nameless.maps.fld"))
        self.write("strange.maps.fld", nameless.replace("#SPACING", "# Scoring function smina\n#SPACING"))
        self.assert_refused(self.hiv("dock", receptor="strange.maps.fld", output="no"), "strange.maps.fld:", "smina")

    def test_classes_that_are_missing(self):
        self.assert_well(self.berth("grid", "-r", HIV / "receptor.pdbqt", *BOX, "--scoring", "vina", "--types", "C_H,C_P", "-o",
                                    "few", "-q"))
        self.assert_refused(self.hiv("dock", "--scoring", "vina", "-q", receptor="few.maps.fld"), "ligand.pdbqt", "few.maps.fld",
                            "no map")

    def test_bad_types(self):
        result = self.berth("grid", "-r", HIV / "receptor.pdbqt", *BOX, "--scoring", "vina", "--types", "OA", "-o", "x")
        self.assert_refused(result, "'OA'", "C_H")


class Refused(Case):
    def test_options_of_autodock(self):
        for command, *option in (("dock", "--parameters", "x.dat"), ("dock", "--torsional", "branches"), ("dock", "--hydrated"),
                                 ("dock", "--zinc"), ("screen", "--parameters", "x.dat"), ("screen", "--hydrated"),
                                 ("score", "--parameters", "x.dat")):
            if command == "screen" and without_sqlite():
                continue
            for scoring in FUNCTIONS:
                arguments = [command, "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", *cli.BOX, "--scoring", scoring, *option]
                result = self.berth(*arguments, *([] if command == "score" else ["-o", "out"]))
                self.assert_refused(result, option[0], f"--scoring {scoring}", "AutoDock 4")
        for option in (["--smooth", "0.3"], ["--dielectric", "4"], ["--disorder-h"], ["-p", "x.gpf"]):
            self.assert_refused(self.berth("grid", "--scoring", "vina", "-o", "x", *option), "--scoring vina", "AutoDock 4")
        self.assert_refused(self.dock("--scoring", "smina"), "smina", "vinardo")
        self.assertFalse((self.folder / "out").exists())

    def test_bude_has_its_own(self):
        result = self.berth("screen", "--engine", "bude", "--scoring", "vina", "-r", "x.pdb", "-l", "y.sdf", "-o", "out")
        if "no SQLite" not in result.stderr:
            self.assert_refused(result, "--scoring", "bude")

    def test_pseudo_atoms(self):
        zinc = cli.receptor() + cli.atom(901, "TZ", 0, 6.5, 0, 0, "TZ", "ZN", 101) + "\n"
        self.write("zinc.pdbqt", zinc)
        self.assert_refused(self.dock("--scoring", "vina", receptor="zinc.pdbqt"), "zinc.pdbqt:", "TZ", "AutoDock 4")
        wet = cli.ligand().replace("ENDROOT", cli.atom(90, "W", 0, 0, 2.5, 0, "W") + "\nENDROOT")
        self.write("wet.pdbqt", wet)
        result = self.dock("--scoring", "vina", "--quiet", ligands=["wet.pdbqt"])
        self.assert_refused(result, "wet.pdbqt:", "water", "AutoDock 4")
        self.assert_well(self.dock("--scoring", "vina", "--quiet", ligands=["wet.pdbqt", "ligand.pdbqt"], output="out2"), code=2)
        self.assertIn("water", self.text("out2/rejects.csv"))

    def test_unknown_types(self):
        self.write("odd.pdbqt", cli.ligand(kinds=("C", "OA", "B", "N", "A", "C")))
        self.assert_refused(self.dock("--scoring", "vina", ligands=["odd.pdbqt"]), "odd.pdbqt:", "'B'", "Vina")


@unittest.skipIf(without_sqlite(), "this build has no SQLite")
class Screen(Case):
    def setUp(self):
        super().setUp()
        for i in range(8):
            self.write(f"library/lig{i}.pdbqt", cli.ligand(atoms=6 + i % 5, torsions=1 + i % 3))

    def screen(self, *more, output="out", scoring="vina", code=0):
        result = self.berth("screen", "-r", "receptor.pdbqt", "-l", "library", *cli.BOX, *cli.QUICK, "-o", output, "-q",
                            *(["--scoring", scoring] if scoring else []), *more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def query(self, sql, output="out"):
        database = sqlite3.connect(self.path(f"{output}/screen.db"))
        try:
            rows = database.execute(sql).fetchall()
            database.commit()
            return rows
        finally:
            database.close()

    def test_the_function_is_part_of_the_screen(self):
        self.screen()
        before = self.query("SELECT * FROM ranking")
        self.assertEqual(self.query("SELECT value FROM setting WHERE key = 'scoring'"), [("vina",)])
        for other in ("vinardo", "ad4"):
            self.assert_refused(self.screen("--resume", scoring=other, code=1), "started with scoring vina", other)
        self.assert_refused(self.screen("--resume", "--rescore", "vinardo", code=1), "started with rescore (none), not vinardo")
        for same in (None, "vina"):  # without networks Vina alone is the default
            self.screen("--resume", scoring=same)
        self.assertEqual(self.query("SELECT * FROM ranking"), before)

    def test_energies_are_those_of_dock(self):
        self.screen("--poses", "2")
        self.assert_well(self.dock("--scoring", "vina", "--poses", "2", "--format", "csv", ligands=["library"], output="docked"))
        docked = {row["ligand"]: row for row in self.rows("docked/summary.csv")}
        for name, free, inter in self.query("SELECT name, free_energy, inter FROM ranking"):
            self.assertAlmostEqual(free, float(docked[name]["free_energy"]), places=2)
            self.assertAlmostEqual(inter, float(docked[name]["inter"]), places=2)

    def test_old_databases_are_autodocks(self):
        self.screen(scoring="ad4")
        self.query("DELETE FROM setting WHERE key = 'scoring'")
        self.assert_refused(self.screen("--resume", code=1), "started with scoring ad4", "vina")
        self.screen("--resume", scoring="ad4")

    def test_exports(self):
        self.screen()
        for kind in ("csv", "sdf", "pdbqt", "dlg"):
            self.assert_well(self.berth("screen", "--export", kind, "-o", "out"))
        rows = self.rows("out/results.csv")
        self.assertEqual([row["scoring"] for row in rows], ["vina"] * 8)
        self.assertIn("scoring vina\n", self.text("out/results.pdbqt"))
        logs = sorted((self.folder / "out/dlg").glob("*.dlg"))
        self.assertEqual(len(logs), 8)
        for log, row in zip(logs, rows):
            self.assertRegex(log.read_text(), r"\nScoring function: +vina\n")
            logged = re.search(r"Binding +=(.*) kcal/mol", log.read_text())
            self.assertAlmostEqual(float(logged[1]), float(row["free_energy"]), delta=0.0051)  # rounded to 0.01

    def test_shards_and_merge(self):
        self.screen(output="whole")
        for i in (1, 2):
            self.screen("--shard", f"{i}/2")
        self.assert_well(self.berth("merge", "-o", "out", "out/shard-1-of-2.db", "out/shard-2-of-2.db"))
        self.assertEqual(self.query("SELECT value FROM setting WHERE key = 'scoring'"), [("vina",)])
        columns = "SELECT rank, name, free_energy, inter, intra FROM ranking"
        self.assertEqual(self.query(columns), self.query(columns, "whole"))

    def test_parts_of_an_earlier_version(self):
        for i in (1, 2):
            self.screen("--shard", f"{i}/2", scoring="ad4")
        database = sqlite3.connect(self.path("out/shard-1-of-2.db"))
        database.execute("DELETE FROM setting WHERE key = 'scoring'")
        database.commit()
        database.close()
        parts = ["out/shard-1-of-2.db", "out/shard-2-of-2.db"]
        for name, order in (("merged", parts), ("again", parts[::-1])):
            self.assert_well(self.berth("merge", *order, "-o", name))
        self.screen("--shard", "2/2", output="other")
        result = self.berth("merge", parts[0], "other/shard-2-of-2.db", "-o", "no")
        self.assert_refused(result, "scoring is vina here, but ad4")

    def test_reports(self):
        self.screen()
        self.assert_well(self.dock("--scoring", "vinardo", "--format", "dlg,csv", ligands=["library"], output="docked"))
        for folder, title in (("out", "Vina"), ("docked", "Vinardo")):
            self.assert_well(self.berth("report", folder))
            data = re.search(r'<script type="application/json" id="data">(.*?)</script>', self.text(f"{folder}/report.html"), re.S)
            self.assertEqual(json.loads(data.group(1))["scoring"], title)
        for name in ("lig0", "lig1"):  # docking logs alone show it, too
            self.write(f"logs/{name}.dlg", self.text(f"docked/{name}.dlg"))
        self.assert_well(self.berth("report", "logs", "-r", "receptor.pdbqt"))
        self.assertIn('"scoring":"Vinardo"', self.text("logs/report.html").replace(": ", ":"))
        self.assert_well(self.dock("--scoring", "ad4", output="logs"))
        self.assert_refused(self.berth("report", "logs", "-r", "receptor.pdbqt"), "Vinardo", "AutoDock 4", "separate folder")
        self.screen(output="plain", scoring="ad4")
        self.assert_well(self.berth("report", "plain"))
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', self.text("plain/report.html"), re.S)
        self.assertNotIn("scoring", json.loads(data.group(1)))

    @needs_rdkit
    def test_library_from_chemistry(self):
        self.write("more.smi", "CCO one\nO=C1CCCCCCCCCCCO1 macrocycle\n")
        self.assert_well(self.berth("prep", "library", "-l", "more.smi", "-o", "more.btl"))
        for library in ("more.smi", "more.btl"):
            result = self.berth("screen", "-r", "receptor.pdbqt", "-l", library, *cli.BOX, *cli.QUICK, "-o", library + ".out", "-q",
                                "--scoring", "vina")
            self.assertIn(result.returncode, (0, 2), result.stderr)
            names = self.query("SELECT name FROM ranking", library + ".out")
            self.assertTrue({("one",), ("macrocycle",)} <= set(names), names)


if __name__ == "__main__":
    cli.main()
