#!/usr/bin/env python3
"""Interactions of poses: lists, tables, similarity to a reference, filters of berth dock.

    test_interactions.py BIN
"""
import csv
import json
import re

import berth_cli as cli
from test_raw_dock import needs_rdkit

LETTERS = {"directed_hydrogen_bond": "B", "halogen_bond": "X", "hydrophobic": "L", "water_bridge": "W",
           "metal_coordination": "M", "pi_stacking": "P", "salt_bridge": "S", "cation_pi": "C"}


def columns(contacts):
    """Of a row of the table."""
    return {f"{c['chain'] + ':' if c['chain'] else ''}{c['residue']}{c['residue_number']}:{LETTERS[c['type']]}"
            for c in contacts if c["type"] in LETTERS}


def marked(row):
    return {name for name, value in row.items() if re.search(r":[A-Z]$", name) and value == "1"}


class Interactions(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("receptor.pdbqt", cli.receptor(radius=5))
        self.write("ligand.pdbqt", cli.ligand())

    def table(self, name="table.csv"):
        return list(csv.DictReader((self.folder / name).read_text().splitlines()))

    def score(self, *more):
        return self.berth("score", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", *more)

    def test_given_poses(self):
        done = self.score("--contacts", "--json", "--interactions", "table.csv")
        self.assert_well(done)
        contacts = json.loads(done.stdout)["contacts"]
        rows = self.table()
        self.assertEqual(len(rows), 1)
        self.assertEqual((rows[0]["ligand"], rows[0]["pose"]), ("ligand", "1"))
        self.assertNotIn("similarity", rows[0])
        self.assertTrue(marked(rows[0]))
        self.assertEqual(marked(rows[0]), columns(contacts))
        text = self.score("--contacts")
        self.assert_well(text)
        named = re.search(r"contacts: (.*)", text.stdout).group(1).split(", ")
        self.assertEqual(set(named), columns(contacts))

    def test_similarity_to_a_reference(self):
        self.write("other.pdbqt", cli.ligand(shift=(1.5, 0, 0)))
        self.assert_well(self.berth("score", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "other.pdbqt", "--interactions",
                                    "table.csv", "--reference", "ligand.pdbqt"))
        same, other = self.table()
        self.assertEqual(float(same["similarity"]), 1)
        a, b = marked(same), marked(other)
        self.assertAlmostEqual(float(other["similarity"]), len(a & b) / len(a | b), delta=1e-4)

    def test_docked_poses(self):
        self.assert_well(self.dock("--contacts", "--interactions", "table.csv", "--poses", "5", "--format", "pdbqt"))
        data = json.loads((self.folder / "out/ligand.json").read_text())
        rows = self.table()
        written = sorted(cli.written(data), key=lambda run: run["cluster"])[:5]
        self.assertEqual([int(row["pose"]) for row in rows], [run["cluster"] for run in written])
        for row, run in zip(rows, written):
            self.assertEqual(marked(row), columns(run["contacts"]))

    def test_poses_that_miss_a_contact_are_left_out(self):
        self.assert_well(self.dock("--interactions", "all.csv", "--poses", "5", "--format", "pdbqt"))
        rows = self.table("all.csv")
        names = sorted({name for row in rows for name in marked(row)})
        some = [name for name in names if 0 < sum(row[name] == "1" for row in rows) < len(rows)]
        name = (some or names)[0]
        kind = {letter: word for word, letter in (("hbond", "B"), ("halogen", "X"), ("hydrophobic", "L"), ("water", "W"),
                                                  ("metal", "M"), ("pi", "P"), ("salt", "S"), ("cation-pi", "C"))}[name[-1]]
        done = self.dock("--interactions", "table.csv", "--must-contact", f"{kind}:{name[:-2]}", "--poses", "5", "--format",
                         "pdbqt")
        self.assert_well(done)
        left = [int(row["pose"]) for row in rows if row[name] == "1"]
        self.assertEqual([int(row["pose"]) for row in self.table()], left)
        self.assertEqual((self.folder / "out/ligand.pdbqt").read_text().count("MODEL"), len(left))
        data = json.loads((self.folder / "out/ligand.json").read_text())
        gone = [c["cluster"] for c in data["clusters"] if c.get("left_out")]
        self.assertEqual(gone[:5], [c for c in range(1, len(data["clusters"]) + 1) if c not in left][:len(gone[:5])])

    def test_a_ligand_without_such_a_pose(self):
        done = self.dock("--must-contact", "halogen:ALA1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no pose meets halogen:ALA1", done.stderr)
        self.assertFalse([name for name in self.files() if name.startswith("ligand")])

    def test_bad_input(self):
        self.assert_refused(self.dock("--must-contact", "A:TRP900"), "A:TRP900", "receptor")
        self.assert_refused(self.dock("--must-contact", "touch:ALA1"), "touch:ALA1", "hbond")
        self.assert_refused(self.dock("--must-contact", ""), "contact")
        self.assert_refused(self.dock("--interactions", "table.txt"), "table.txt", ".csv")
        self.assert_refused(self.score("--interactions", "ligand.pdbqt"), "ligand.pdbqt", ".csv")
        self.write("list.csv", "smiles,name\nCC,a\n")
        self.assert_refused(self.berth("score", "-r", "receptor.pdbqt", "-l", "list.csv", "--interactions", "list.csv"), "list.csv")
        self.assert_refused(self.score("--contacts", "--minimize"), "--contacts", "--minimize")
        self.assert_refused(self.score("--reference", "ligand.pdbqt"), "--reference", "--interactions")
        self.assert_refused(self.dock("--ensemble", "receptor.pdbqt", "--interactions", "table.csv"), "--ensemble",
                            "--interactions")


class KnownComplex(cli.Case):
    def test_the_flap_water_of_1hpv(self):
        """Water 201 joins the inhibitor to N of Ile 50 in both chains, as reviews of HIV-1 protease say."""
        folder = cli.SOURCE / "examples/1hpv"
        made = self.berth("prep", "receptor", folder / "1hpv.pdb", "--ligand-from", "478", "--set-state", "B:25:ASH", "--keep",
                          ":HOH201", "-q", "-o", "receptor")
        if made.returncode != 0:
            self.skipTest(made.stderr)
        done = self.berth("score", "-r", "receptor.pdbqt", "-l", folder / "ligand-crystal.pdbqt", "--contacts", "--json")
        self.assert_well(done)
        bridges = [c for c in json.loads(done.stdout)["contacts"] if c["type"] == "water_bridge"]
        self.assertEqual({(c["residue"], c["residue_number"], c["chain"], c["receptor_name"]) for c in bridges},
                         {("ILE", 50, "A", "N"), ("ILE", 50, "B", "N")})
        self.assertEqual({c["water"]["residue_number"] for c in bridges}, {201})


LIBRARY = """CC(C)Cc1ccc(cc1)C(C)C(=O)O ibuprofen
CC(C)Cc1ccc(cc1)CC(=O)O ibufenac
CN1C=NC2=C1C(=O)N(C(=O)N2C)C caffeine
Cn1cnc2c1c(=O)[nH]c(=O)n2C theobromine
CC(=O)Oc1ccccc1C(=O)O aspirin
OC(=O)c1ccccc1O salicylic
"""
# Tanimoto coefficients of RDKit's Morgan fingerprints (radius 2, 2,048 bits); all other pairs are below 0.4
SIMILAR = {frozenset(("ibuprofen", "ibufenac")): 0.6, frozenset(("caffeine", "theobromine")): 0.529,
           frozenset(("aspirin", "salicylic")): 0.448}


@needs_rdkit
class Screens(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("receptor.pdbqt", cli.receptor(radius=7))
        self.write("library.smi", LIBRARY)
        self.assert_well(self.berth("screen", "-r", "receptor.pdbqt", "-l", "library.smi", "-o", "out", "-q", *cli.QUICK, *cli.BOX,
                                    "--rescore", "none"))

    def export(self, *more, kind="csv"):
        """Names in the order of the ranking."""
        done = self.berth("screen", "--export", kind, "-o", "out", *more)
        self.assert_well(done)
        if kind != "csv":
            return re.findall(r"^> <screen_rank>", (self.folder / f"out/results.{kind}").read_text(), re.MULTILINE)
        return list(csv.DictReader((self.folder / "out/results.csv").read_text().splitlines()))

    def test_diversity(self):
        ranking = [row["name"] for row in self.export()]
        self.assertEqual(len(ranking), 6)
        for limit in (0.42, 0.5, 0.55, 0.7):
            expected = []
            for name in ranking:
                if all(SIMILAR.get(frozenset((name, other)), 0) < limit for other in expected):
                    expected.append(name)
            rows = self.export("--diverse", str(limit))
            self.assertEqual([row["name"] for row in rows], expected)
            self.assertEqual([int(row["rank"]) for row in rows], [ranking.index(name) + 1 for name in expected])
            top = self.export("--diverse", str(limit), "--top", "2")
            self.assertEqual([row["name"] for row in top], expected[:2])

    def test_contacts(self):
        everyone = [row["name"] for row in self.export("--interactions", "all.csv")]
        rows = list(csv.DictReader((self.folder / "all.csv").read_text().splitlines()))
        self.assertEqual([row["ligand"] for row in rows], everyone)
        names = [name for name in rows[0] if name.endswith(":L")]
        name = min(names, key=lambda one: abs(sum(row[one] == "1" for row in rows) - 3))
        expected = [row["ligand"] for row in rows if row[name] == "1"]
        word = "hydrophobic:" + name[:-2]
        kept = self.export("--must-contact", word, "--interactions", "table.csv")
        self.assertEqual([row["name"] for row in kept], expected)
        table = list(csv.DictReader((self.folder / "table.csv").read_text().splitlines()))
        self.assertEqual([row["ligand"] for row in table], expected)
        self.assertTrue(all(row[name] == "1" for row in table))
        self.assertEqual(len(self.export("--must-contact", word, kind="sdf")), len(expected))

    def test_bad_input(self):
        export = ["screen", "--export", "csv", "-o", "out"]
        self.assert_refused(self.berth(*export, "--must-contact", "TRP900"), "TRP900")
        self.assert_refused(self.berth(*export, "--diverse", "1.5"), "--diverse")
        self.assert_refused(self.berth(*export, "--interactions", "table.sdf"), "table.sdf", ".csv")
        self.assert_refused(self.berth("screen", "--export", "rejects", "-o", "out", "--diverse", "0.5"), "rejects")
        self.assert_refused(self.berth("screen", "-r", "receptor.pdbqt", "-l", "library.smi", "-o", "new", *cli.BOX, "--diverse",
                                       "0.5"), "--diverse", "--export")


if __name__ == "__main__":
    cli.main()
