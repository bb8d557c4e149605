"""--protomers: states of a record, in libraries, dockings and screens."""
import contextlib
import csv
import json
import sqlite3
import unittest

import berth_cli as cli
from test_raw_dock import needs_rdkit

LIBRARY = "Cc1c[nH]cn1 imidazole\nCCO ethanol\nCCOP(=O)(O)O phosphate\nC1CC bad\nO=c1cccc[nH]1 pyridone\n"
STATES = {"imidazole_p1": "Cc1c[nH]cn1", "imidazole_p2": "Cc1c[nH]c[nH+]1", "imidazole_p3": "Cc1cnc[nH]1",
          "ethanol": "CCO", "phosphate_p1": "CCOP(=O)([O-])[O-]", "phosphate_p2": "CCOP(=O)([O-])O",
          "pyridone": "O=c1cccc[nH]1"}


class Protomers(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("receptor.pdbqt", cli.receptor())
        self.write("lib.smi", LIBRARY)

    def prepare(self, *more, ligands="lib.smi", output="out"):
        result = self.berth("prep", "ligand", ligands, "-o", output, "--overwrite", *more)
        self.assertIn(result.returncode, (0, 2), result.stderr)
        found = {}
        for path in (self.folder / output).glob("*.pdbqt"):
            lines = path.read_text().splitlines()
            found[path.stem] = next(line.split()[2] for line in lines if line.startswith("REMARK SMILES "))
        return found

    @needs_rdkit
    def test_states_and_their_names(self):
        self.assertEqual(self.prepare("--protomers", "8"), STATES)
        with open(self.folder / "out/notes.csv", newline="") as file:
            notes = {(row["ligand"], row["note"]) for row in csv.DictReader(file)}
        self.assertIn(("imidazole_p2", "state 2 of 3: imidazole protonated"), notes)
        self.assertIn(("imidazole_p3", "state 3 of 3: tautomer"), notes)
        self.assertIn(("phosphate_p1", "state 1 of 2: the usual one"), notes)

    @needs_rdkit
    def test_the_first_state_is_that_without_the_option(self):
        usual = self.prepare(output="usual")
        self.assertEqual(usual, {name.removesuffix("_p1"): smiles for name, smiles in STATES.items() if name[-2:] not in ("p2", "p3")})
        self.assertEqual(self.prepare("--protomers", "1", output="one"), usual)
        self.prepare("--protomers", "3", output="three")
        for name in usual:
            state = name if name in ("ethanol", "pyridone") else name + "_p1"
            texts = [(self.folder / path).read_text() for path in (f"usual/{name}.pdbqt", f"three/{state}.pdbqt")]
            atoms = [[line for line in text.splitlines() if not line.startswith("REMARK  Name")] for text in texts]
            self.assertEqual(*atoms)

    @needs_rdkit
    def test_at_most_as_many_as_wanted_and_another_ph(self):
        self.assertEqual(sorted(name for name in self.prepare("--protomers", "2") if name.startswith("imid")),
                         ["imidazole_p1", "imidazole_p2"])
        self.write("lib.smi", "CC(=O)O acid\nCCN amine\n")
        self.assertEqual(self.prepare("--protomers", "4", output="usual"), {"acid": "CC(=O)[O-]", "amine": "CC[NH3+]"})
        self.assertEqual(self.prepare("--protomers", "4", "--ph", "4.5", output="acidic"),
                         {"acid_p1": "CC(=O)O", "acid_p2": "CC(=O)[O-]", "amine": "CC[NH3+]"})

    @needs_rdkit
    def test_isomers_have_states(self):
        self.write("lib.smi", "CC(O)Cc1c[nH]cn1 x\n")
        names = self.prepare("--protomers", "2", "--stereo", "enumerate")
        self.assertEqual(sorted(names), ["x_s1_p1", "x_s1_p2", "x_s2_p1", "x_s2_p2"])
        self.assertEqual(len(set(names.values())), 4)

    @needs_rdkit
    def test_a_record_that_states_its_protonation_keeps_it(self):
        self.write("lib.smi", "Cc1c[nH]c[nH+]1 charged\n")
        self.assertEqual(self.prepare("--protomers", "4"), {"charged": "Cc1c[nH]c[nH+]1"})
        self.assertEqual(set(self.prepare("--protomers", "4", "--ph", "7.4", output="given")),
                         {"charged_p1", "charged_p2", "charged_p3"})

    @needs_rdkit
    def test_a_library(self):
        self.assertEqual(self.berth("prep", "library", "-q", "lib.smi", "-o", "lib.btl", "--protomers", "8").returncode, 2)
        self.assertEqual(self.prepare(ligands="lib.btl", output="from"), STATES)

    @needs_rdkit
    def test_a_library_keeps_the_record_of_each_state(self):
        """As a property, which goes into the database and the tables of its screens."""
        self.write("lib.smi", "Cc1c[nH]cn1 imidazole\nCCO ethanol\n")
        self.assertEqual(self.berth("prep", "library", "-q", "lib.smi", "-o", "lib.btl", "--protomers", "8").returncode, 0)
        result = self.berth("screen", "-q", "-r", "receptor.pdbqt", "-l", "lib.btl", "-o", "out", *cli.BOX, *cli.QUICK)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(dict(self.query("SELECT l.name, p.value FROM ligand l LEFT JOIN property p ON p.ordinal = l.ordinal "
                                         "AND p.name = 'parent'")),
                         {"ethanol": None, **{f"imidazole_p{k}": "imidazole" for k in (1, 2, 3)}})
        with open(self.folder / "out/top.csv", newline="") as file:
            self.assertEqual({row["parent"] for row in csv.DictReader(file) if row["name"] != "ethanol"}, {"imidazole"})

    def docked(self, *more, output="docked"):
        result = self.berth("dock", "-q", "-r", "receptor.pdbqt", "-l", "lib.smi", "--center=0,0,0", "--size", "20,20,20",
                            "--scoring", "vina", "--rescore", "none", "--runs", "1", "--evals", "200", "--population", "10",
                            "-o", output, *more)
        self.assertIn(result.returncode, (0, 2), result.stderr)
        with open(self.folder / output / "summary.csv", newline="") as file:
            return list(csv.DictReader(file))

    @needs_rdkit
    def test_a_docking_names_the_record_of_each_state(self):
        self.write("lib.smi", "Cc1c[nH]cn1 imidazole\nCCO ethanol\n")
        rows = {row["ligand"]: row["parent"] for row in self.docked("--protomers", "8")}
        self.assertEqual(rows, {"imidazole_p1": "imidazole", "imidazole_p2": "imidazole", "imidazole_p3": "imidazole",
                                "ethanol": "ethanol"})
        for name in ("imidazole_p2", "ethanol"):
            docked = json.loads((self.folder / f"docked/{name}.json").read_text())
            poses = (self.folder / f"docked/{name}.sdf").read_text()
            self.assertEqual(docked.get("parent"), "imidazole" if name != "ethanol" else None)
            self.assertEqual("> <parent>\nimidazole\n" in poses, name != "ethanol")
        self.assertNotIn("parent", self.docked(output="usual")[0])

    @needs_rdkit
    def test_a_docking_names_the_record_of_each_stereoisomer(self):
        self.write("lib.smi", "CC(O)CC x\n")
        rows = self.docked("--stereo", "enumerate")
        self.assertEqual([(row["ligand"], row["parent"]) for row in sorted(rows, key=lambda row: row["ligand"])],
                         [("x_s1", "x"), ("x_s2", "x")])

    def screen(self, *more, code=2):
        result = self.berth("screen", "-r", "receptor.pdbqt", "-l", "lib.smi", *cli.BOX, *cli.QUICK, *more)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def query(self, sql, path="out/screen.db"):
        with contextlib.closing(sqlite3.connect(self.folder / path)) as database:
            return database.execute(sql).fetchall()

    @needs_rdkit
    def test_a_screen_ranks_records_by_their_best_state(self):
        result = self.screen("-o", "out", "--protomers", "8", "--seed", "3")
        self.assertIn("docked    4, 1 rejected", result.stdout)
        rows = self.query("SELECT ordinal, name, state, rank_energy, evaluations FROM ligand ORDER BY ordinal")
        self.assertEqual([row[1:3] for row in rows], [("imidazole", "docked"), ("ethanol", "docked"), ("phosphate", "docked"),
                                                      ("bad", "rejected"), ("pyridone", "docked")])
        values = {(ordinal, name): value for ordinal, name, value in
                  self.query("SELECT * FROM score WHERE scoring IN ('protomer', 'protomers')")}
        self.assertEqual({key[0]: value for key, value in values.items() if key[1] == "protomers"}, {0: 3, 2: 2})
        with open(self.folder / "out/top.csv", newline="") as file:
            table = {row["name"]: row for row in csv.DictReader(file)}
        self.assertEqual(table["imidazole"]["protomers"], "3")
        self.assertEqual(float(table["imidazole"]["protomer"]), values[0, "protomer"])
        self.assertEqual(table["ethanol"]["protomers"], "")
        record = next(text for text in (self.folder / "out/top.sdf").read_text().split("$$$$\n") if text.startswith("imidazole\n"))
        self.assertIn(f"> <protomer>\n{values[0, 'protomer']:.0f}\n", record)
        best = STATES[f"imidazole_p{values[0, 'protomer']:.0f}"]
        self.assertIn(f"REMARK SMILES {best}\n", record)
        # each state alone, of the same name and in the same place of a library: the record has the energy of the best
        energies = []
        for k in 1, 2, 3:
            self.write("lib.smi", STATES[f"imidazole_p{k}"] + f" imidazole_p{k}\n")
            self.screen("-o", f"state{k}", "--seed", "3", code=0)
            energies += self.query("SELECT rank_energy FROM ligand", f"state{k}/screen.db")[0]
        self.assertEqual(min(range(3), key=energies.__getitem__) + 1, values[0, "protomer"])
        self.assertAlmostEqual(min(energies), rows[0][3], places=3)

    @needs_rdkit
    def test_threads_shards_and_resuming_change_nothing(self):
        rows = "SELECT ordinal, name, free_energy, evaluations FROM ligand ORDER BY ordinal"
        scores = "SELECT * FROM score ORDER BY ordinal, scoring"
        self.screen("-o", "one", "--protomers", "3", "--seed", "5", "-t", "1")
        self.screen("-o", "two", "--protomers", "3", "--seed", "5", "-t", "2")
        self.assertEqual(self.query(rows, "one/screen.db"), self.query(rows, "two/screen.db"))
        self.assertEqual(self.query(scores, "one/screen.db"), self.query(scores, "two/screen.db"))
        for shard in 1, 2:
            self.assertIn(self.berth("screen", "-r", "receptor.pdbqt", "-l", "lib.smi", *cli.BOX, *cli.QUICK, "-o", "parts",
                                     "--protomers", "3", "--seed", "5", "--shard", f"{shard}/2").returncode, (0, 2))
        self.assert_well(self.berth("merge", "parts/shard-1-of-2.db", "parts/shard-2-of-2.db", "-o", "merged", "-q"), 2)
        self.assertEqual(self.query(rows, "one/screen.db"), self.query(rows, "merged/screen.db"))
        self.assertEqual(self.query(scores, "one/screen.db"), self.query(scores, "merged/screen.db"))
        result = self.screen("-o", "one", "--protomers", "2", "--seed", "5", "--resume", code=1)
        self.assertIn("the screen was started with protomers 3, not 2; continue with the same settings", result.stderr)

    @needs_rdkit
    def test_berth_dock(self):
        result = self.dock("--protomers", "3", ligands=["lib.smi"])
        self.assert_well(result, 2)
        with open(self.folder / "out/summary.csv", newline="") as file:
            self.assertEqual({row["ligand"] for row in csv.DictReader(file)}, set(STATES))

    @needs_rdkit
    def test_three_dimensional_records_have_protomers_but_no_tautomers(self):
        self.write("lib.smi", "Cc1c[nH]cn1 x\n")
        self.dock(ligands=["lib.smi"])
        text = (self.folder / "out/x.sdf").read_text().split("$$$$\n")[0] + "$$$$\n"
        self.write("x.sdf", "\n".join(line for line in text.splitlines()) + "\n")
        names = self.prepare("--protomers", "8", "--ph", "7.4", ligands="x.sdf", output="3d")
        self.assertEqual(len(names), 2, names)
        self.assertIn("Cc1c[nH]c[nH+]1", names.values())

    def test_what_is_refused(self):
        words = ["-r", "receptor.pdbqt", "-l", "lib.smi", "-o", "none", *cli.BOX]
        for command in "screen", "dock":
            self.assert_refused(self.berth(command, *words, "--protomers", "3", "--as-drawn"), "--protomers needs a pH")
        self.assert_refused(self.berth("screen", *words, "--protomers", "3", "--engine", "bude"),
                            "--protomers has no effect with --engine bude")
        self.assert_refused(self.berth("screen", *words, "--protomers", "0"), "--protomers")
        self.assertIn("--protomers has no effect: the ligands are used as they were prepared",
                      self.berth("dock", "-r", "receptor.pdbqt", "-l", "receptor.pdbqt", "-o", "none", *cli.BOX, "--protomers",
                                 "2").stderr)


if __name__ == "__main__":
    cli.main()
