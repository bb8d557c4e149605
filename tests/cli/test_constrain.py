#!/usr/bin/env python3
"""--require, --prefer, --pharmacophore and --core: what reported poses meet, measured here from their coordinates.

    test_constrain.py BIN
"""
import csv
import json
import math
import re
import sqlite3

import berth_cli as cli
import report_page
from test_raw_dock import needs_rdkit

SLACK = 0.2  # Angstrom; docs/constraints.md
QUICK = ["--runs", "4", "--evals", "4000", "--population", "20", "--local-search-iterations", "40", "--seed", "7",
         *cli.NO_STRAIN]


def atoms_of(text):
    """(type, residue number, name, point) of each atom of a PDBQT text, alternate models left out."""
    return [(line[77:].split()[0], int(line[22:26]), line[12:16].strip(),
             tuple(float(line[at:at + 8]) for at in (30, 38, 46)))
            for line in text.splitlines() if line.startswith(("ATOM", "HETATM"))]


def poses_of(docking):
    """[(type, point)] of the ligand's atoms in each pose."""
    kinds = [atom[0] for atom in atoms_of(docking["ligand_pdbqt"])]
    for run in docking["runs"]:
        numbers = run["coordinates"]
        yield run, [(kind, numbers[3 * k:3 * k + 3]) for k, kind in enumerate(kinds)]


def shortest(ones, others):
    return min(math.dist(a, b) for a in ones for b in others)


class Constrained(cli.Case):
    def docked(self, *words, ligand="ligand.pdbqt", name="ligand", code=0):
        result = self.berth("dock", "-r", "receptor.pdbqt", "-l", ligand, "-o", "out", "--overwrite", "--scoring",
                            "vina", *cli.BOX, *QUICK, *words)
        self.assertEqual(result.returncode, code, result.stderr)
        if code != 0:
            return result
        return json.loads((self.folder / f"out/{name}.json").read_text())

    def residue(self, number, kinds=None):
        text = (self.folder / "receptor.pdbqt").read_text()
        return [x for kind, at, _, x in atoms_of(text) if at == number and kind != "HD" and (not kinds or kind in kinds)]


class Words(Constrained):
    def test_contact(self):
        """Opposite residues in turn, so that no pose of one is one of the other."""
        for number in (2, 17):
            docking = self.docked("--require", f"contact:{number}")
            for run, atoms in poses_of(docking):
                heavy = [x for kind, x in atoms if not kind.startswith("H")]
                distance = shortest(heavy, self.residue(number))
                self.assertLess(distance, 4.0 + SLACK + 0.01)
                [verdict] = run["constraints"]
                self.assertEqual((verdict["name"], verdict["required"], verdict["met"]),
                                 (f"contact:{number}", True, True))
                self.assertAlmostEqual(verdict["distance"], distance, delta=0.005)

    def test_hydrogen_bond(self):
        docking = self.docked("--require", "hbond:A:ALA9")
        for run, atoms in poses_of(docking):
            acceptors = [x for kind, x in atoms if kind in ("OA", "NA", "SA")]
            donors = [x for kind, x in atoms if kind == "N" and any(
                h == "HD" and math.dist(x, y) < 1.3 for h, y in atoms)]
            to_donors = [shortest(acceptors, self.residue(9, ("N",)))] if acceptors else []
            to_acceptors = [shortest(donors, self.residue(9, ("OA",)))] if donors else []
            self.assertLess(min(to_donors + to_acceptors), 3.4 + SLACK + 0.01)
            self.assertTrue(run["constraints"][0]["met"])

    def test_distance_after_at_and_atom_after_slash(self):
        docking = self.docked("--require", "contact:5/O@3.5")
        for _, atoms in poses_of(docking):
            heavy = [x for kind, x in atoms if not kind.startswith("H")]
            self.assertLess(shortest(heavy, self.residue(5, ("OA",))), 3.5 + SLACK + 0.01)

    def test_points(self):
        point, middle = (2.0, -2.5, 1.0), (0.0, 0.0, 0.0)
        docking = self.docked("--require", "point:acceptor:2,-2.5,1@1.2", "inside:0,0,0@7", "empty:-3,2,0@2.5")
        for run, atoms in poses_of(docking):
            heavy = [x for kind, x in atoms if not kind.startswith("H")]
            self.assertLess(shortest([x for kind, x in atoms if kind in ("OA", "NA")], [point]), 1.2 + SLACK + 0.01)
            self.assertLess(max(math.dist(x, middle) for x in heavy), 7 + SLACK + 0.01)
            self.assertGreater(shortest(heavy, [(-3, 2, 0)]), 2.5 - SLACK - 0.01)
            self.assertEqual(len(run["constraints"]), 3)

    def test_preferred_poses_need_not_meet(self):
        """What cannot be met is preferred in vain, and required in vain."""
        docking = self.docked("--prefer", "point:heavy:40,0,0")
        for run, _ in poses_of(docking):
            [verdict] = run["constraints"]
            self.assertEqual((verdict["required"], verdict["met"]), (False, False))
            self.assertGreater(verdict["miss"], 25)
        result = self.docked("--require", "point:heavy:40,0,0", code=1)
        self.assertIn("no pose meets the constraints: the nearest misses point:heavy:40,0,0 by", result.stderr)

    def test_energies_are_those_of_the_function(self):
        docking = self.docked("--require", "contact:2", "--format", "pdbqt,csv")
        self.assertIn("REMARK BERTH constraints contact:2 ", (self.folder / "out/ligand.pdbqt").read_text())
        rows = list(csv.DictReader((self.folder / "out/ligand.csv").read_text().splitlines()))
        self.assertTrue(all(row["constraints"].startswith("contact:2 ") for row in rows))
        scored = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/ligand.pdbqt", "--json")
        self.assert_well(scored)
        best = docking["runs"][docking["clusters"][0]["best_run"] - 1]
        energy = json.loads(scored.stdout.splitlines()[0])["energy"]
        self.assertAlmostEqual(energy["inter"], best["inter"], delta=0.01)

    def test_a_file_of_points(self):
        self.write("points.txt", "# kind x y z radius\nacceptor 2 -2.5 1 1.2\n\nheavy 0 0 0 3 prefer # middle\n")
        docking = self.docked("--pharmacophore", "points.txt")
        for run, atoms in poses_of(docking):
            acceptors = [x for kind, x in atoms if kind in ("OA", "NA")]
            self.assertLess(shortest(acceptors, [(2.0, -2.5, 1.0)]), 1.2 + SLACK + 0.01)
            self.assertEqual([one["required"] for one in run["constraints"]], [True, False])
        for line, why in (("donor 1 2 x 3", "no point"), ("donor 1 2 3", "no point"), ("lipid 1 2 3 1", "of a kind"),
                          ("donor 1 2 3 1 maybe", "neither require nor prefer"), ("donor 1 2 3 -1", "distance")):
            self.write("points.txt", f"heavy 0 0 0 3\n{line}\n")
            result = self.docked("--pharmacophore", "points.txt", code=1)
            self.assertIn("points.txt:2", result.stderr)
            self.assertIn(why, result.stderr)
        self.write("points.txt", "# nothing\n")
        self.assertIn("no line has a point", self.docked("--pharmacophore", "points.txt", code=1).stderr)

    def test_bad_words(self):
        for word, why in (("contact", "no ':'"), ("contact:", "names no residue"), ("contact:A:PHE82", "no residue is"),
                          ("kiss:A:ALA2", "there is no such constraint"), ("contact:2@x", "the distance after '@'"),
                          ("contact:2@-3", "the distance after '@'"), ("metal:2", "no atom there is a metal"),
                          ("contact:2/XX", "the residue has no atom XX"), ("point:donor:1,2", "no point X,Y,Z"),
                          ("point:donor:1,2,nan", "no point X,Y,Z"), ("point:fat:1,2,3", "a point is of a kind"),
                          ("empty:1,2,3", "a distance has to follow"), ("near:2/O", "a pattern has to follow")):
            with self.subTest(word):
                result = self.docked("--require", word, code=1)
                self.assertIn(why, result.stderr)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1)

    def test_what_cannot_be_combined(self):
        result = self.docked("--core-tolerance", "2", code=1)
        self.assertIn("--core-tolerance has no effect without --core", result.stderr)
        result = self.berth("screen", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o", "s", "--engine", "bude",
                            *cli.BOX, "--require", "contact:2")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--require", result.stderr)


@needs_rdkit
class Chemistry(Constrained):
    SERIES = "Cc1ccc(O)cc1 methyl\nCCc1ccc(O)cc1 ethyl\nOc1ccc(Cl)cc1 chloro\nCCO ethanol\n"

    def template(self):
        self.write("phenol.smi", "Oc1ccccc1 phenol\n")
        self.docked("--format", "sdf", ligand="phenol.smi", name="phenol")
        record = (self.folder / "out/phenol.sdf").read_text().split("$$$$\n")[0] + "$$$$\n"
        self.write("core.sdf", record)
        atoms = [line.split() for line in record.splitlines()[4:17]]
        return [tuple(map(float, a[:3])) for a in atoms if a[3] in ("C", "O")]

    def test_a_series_on_a_core(self):
        core = self.template()
        self.write("series.smi", self.SERIES)
        result = self.berth("dock", "-r", "receptor.pdbqt", "-l", "series.smi", "-o", "series", "--scoring", "vina",
                            "--core", "core.sdf", *cli.BOX, *QUICK)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("the ligand does not have the core", (self.folder / "series/rejects.csv").read_text())
        for name in ("methyl", "ethyl", "chloro"):
            docking = json.loads((self.folder / f"series/{name}.json").read_text())
            for _, atoms in poses_of(docking):
                heavy = [x for kind, x in atoms if not kind.startswith("H")]
                for point in core:
                    self.assertLess(shortest(heavy, [point]), 1.0 + SLACK + 0.01)

    def test_ligands_without_the_core_are_docked_where_asked(self):
        self.template()
        self.write("ethanol.smi", "CCO ethanol\n")
        docking = self.docked("--core", "core.sdf", "--core-missing", "free", ligand="ethanol.smi", name="ethanol")
        self.assertNotIn("constraints", docking["runs"][0])

    def test_patterns(self):
        self.template()
        self.write("ethyl.smi", "CCc1ccc(O)cc1 ethyl\n")
        docking = self.docked("--core", "core.sdf", "--core-smarts", "[OH]c", "--core-tolerance", "0.5",
                              ligand="ethyl.smi", name="ethyl")
        self.assertEqual([one["name"] for one in docking["runs"][0]["constraints"]], ["core"])
        result = self.docked("--core", "core.sdf", "--core-smarts", "C#N", ligand="ethyl.smi", code=1)
        self.assertIn("does not match the core's pattern", result.stderr)
        docking = self.docked("--require", "near:7/O@2.5-3.6=[OH]", ligand="ethyl.smi", name="ethyl")
        for _, atoms in poses_of(docking):
            distance = shortest([x for kind, x in atoms if kind == "OA"], self.residue(7, ("OA",)))
            self.assertTrue(2.5 - SLACK - 0.01 < distance < 3.6 + SLACK + 0.01, distance)
        result = self.docked("--require", "point:positive:0,0,0@3", ligand="ethyl.smi", code=1)
        self.assertIn("no atom that could meet the constraint point:positive:0,0,0@3", result.stderr)

    def test_a_residue_of_the_receptor_is_a_core(self):
        """Its sulfonamide; the residue leaves the receptor, and --template is its SMILES, not the ligand's."""
        structure = cli.SOURCE / "examples/1hpv/1hpv.pdb"
        words = ["dock", "-r", structure, "-l", "CCN(C)S(=O)(=O)c1ccc(N)cc1", "--autobox", "478", "--core", "478",
                 "-o", "out", "--scoring", "vina", *QUICK]
        smiles = "CC(C)CN(C[C@@H](O)[C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)S(=O)(=O)c1ccc(N)cc1"
        self.assert_well(self.berth(*words, "--template", smiles))
        sulfur = next(tuple(float(line[at:at + 8]) for at in (30, 38, 46)) for line in structure.read_text().splitlines()
                      if line.startswith("HETATM") and line[12:20].split() == ["S1", "478"])
        docking = json.loads((self.folder / "out/smiles.json").read_text())
        for run, atoms in poses_of(docking):
            self.assertLess(min(math.dist(point, sulfur) for kind, point in atoms if kind == "S"), 1.0 + SLACK + 0.01)
        self.assertNotIn(200, [atom[1] for atom in atoms_of((self.folder / "out/receptor.pdbqt").read_text())])
        result = self.berth(*words, "--overwrite")
        self.assertEqual(result.returncode, 1)
        self.assertIn("a PDB file has no bond orders", result.stderr)
        words[words.index("--core") + 1] = "999"
        result = self.berth(*words, "--overwrite", "--template", smiles)
        self.assertEqual(result.returncode, 1)
        self.assertIn("999", result.stderr)

    def test_a_core_needs_a_pose(self):
        self.write("flat.smi", "Oc1ccccc1 phenol\n")
        result = self.docked("--core", "flat.smi", ligand="flat.smi", code=1)
        self.assertIn("has no coordinates; provide a file with coordinates", result.stderr)

    def test_screens(self):
        """Rejected is what cannot meet them; the others do; a screen is resumed with the same constraints alone."""
        self.template()
        self.write("series.smi", self.SERIES)
        words = ["screen", "-r", "receptor.pdbqt", "-l", "series.smi", "-o", "s", "--scoring", "vina", *cli.BOX, *QUICK[:-2]]
        self.assert_well(self.berth(*words, "--core", "core.sdf"), code=2)
        with sqlite3.connect(self.folder / "s/screen.db") as database:
            states = dict(database.execute("SELECT name, state FROM ligand"))
            settings = dict(database.execute("SELECT key, value FROM setting"))
        self.assertEqual(states, {"methyl": "docked", "ethyl": "docked", "chloro": "docked", "ethanol": "rejected"})
        self.assertEqual(settings["constraints"], "core of phenol within 1 A")
        result = self.berth(*words, "--resume")
        self.assertEqual(result.returncode, 1)
        self.assertIn("constraints", result.stderr)

    def test_page_and_poses_of_a_merged_screen(self):
        """Parts are merged where they agree; the verdicts are those on the coordinates of the poses."""
        core = self.template()
        self.write("series.smi", self.SERIES)
        words = ["screen", "-r", "receptor.pdbqt", "-l", "series.smi", "-o", "s", "--scoring", "vina",
                 "--core", "core.sdf", "--prefer", "contact:17", "point:heavy:40,0,0", *cli.BOX, *QUICK[:-2]]
        self.assertIn(self.berth(*words, "--shard", "1/2").returncode, (0, 2))
        self.assertIn(self.berth(*words, "--shard", "2/2", "--core-smarts", "Oc").returncode, (0, 2))
        parts = ["merge", "s/shard-1-of-2.db", "s/shard-2-of-2.db", "-o", "merged"]
        self.assertIn("core_smarts is Oc here", self.berth(*parts).stderr)
        (self.folder / "s/shard-2-of-2.db").unlink()
        self.assertIn(self.berth(*words, "--shard", "2/2").returncode, (0, 2))
        self.assert_well(self.berth(*parts), code=2)
        self.assert_well(self.berth("report", "merged"))
        data = report_page.data_of(self.folder / "merged/report.html")
        self.assertEqual(len(data["details"]), 3)
        records = (self.folder / "merged/top.sdf").read_text().split("$$$$\n")[:-1]
        poses = [pose for detail in data["details"] for pose in detail["poses"]]
        self.assertEqual(len(records), len(poses))
        for pose, record in zip(poses, records):
            atoms = [line.split() for line in pose["sdf"].splitlines() if re.match(r"(?: +-?[\d.]+){3} [A-Z]", line)]
            heavy = [tuple(map(float, atom[:3])) for atom in atoms if atom[3] != "H"]
            far = max(shortest(heavy, [point]) for point in core)
            near = shortest(heavy, self.residue(17))
            away = shortest(heavy, [(40.0, 0.0, 0.0)])
            expected = [["core", True, True], ["contact:17", False, near <= 4.2], ["point:heavy:40,0,0", False, False]]
            self.assertEqual([one[:3] for one in pose["constraints"]], expected)
            self.assertLess(far - 0.02, pose["constraints"][0][3], "the nearest atoms need not be those of the core")
            for one, distance in zip(pose["constraints"][1:], (near, away)):
                self.assertAlmostEqual(one[3], distance, delta=0.02)
            text = "; ".join(f"{name} {distance:.2f}{'' if met else ' missed'}"
                             for name, _, met, distance, _, _ in pose["constraints"])
            self.assertIn(f"<constraints>\n{text}\n", record)


if __name__ == "__main__":
    cli.main()
