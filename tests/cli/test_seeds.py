#!/usr/bin/env python3
"""Seed poses: `berth dock --seed-poses` with poses of other programs.

    test_seeds.py BIN
"""
import csv
import json
import re

import berth_cli as cli
import molecules

FEW = [*cli.QUICK, *cli.NO_STRAIN]


CHAIN = [("C", -3.7, -0.4, 0.0), ("C", -2.5, 0.5, 0.3), ("C", -1.2, -0.2, 0.0), ("C", 0.0, 0.7, 0.0), ("C", 1.3, 0.0, 0.2),
         ("O", 2.4, 0.9, 0.0)]
BONDS = [(k, k + 1, 1) for k in range(1, 6)]
PENTANOL = molecules.sdf("pentanol", CHAIN, BONDS)
BACKWARDS = molecules.sdf("other_order", [(element, x, y, z + 0.4) for element, x, y, z in reversed(CHAIN)], BONDS)


def with_rdkit():
    case = cli.Case()
    case.setUp()
    try:
        case.write("a.smi", "CCO a\n")
        return "has no RDKit" not in case.berth("prep", "ligand", "a.smi", "-o", "a.pdbqt").stderr
    finally:
        case.doCleanups()


needs_rdkit = cli.unittest.skipUnless(with_rdkit(), "built without RDKit")


class Seeds(cli.Case):
    def docked(self, ligand, seeds, *words, box=tuple(cli.BOX), output="out", options=tuple(FEW)):
        return self.berth("dock", "-r", "receptor.pdbqt", "-l", *([ligand] if isinstance(ligand, str) else ligand),
                          "--seed-poses", *seeds, *box, "-o", output, *options, *words)

    def data(self, name, folder="out"):
        return json.loads((self.folder / folder / (name + ".json")).read_text())

    def seeds_of(self, data):
        return [run for run in data["runs"] if run["origin"] == "seed"]

    def test_pdbqt(self):
        """A pose joins the others, with every scoring function, and every output names it."""
        self.write("seed.pdbqt", cli.ligand(shift=(0.5, 0, 0)))
        for scoring in "vina", "vinardo", "ad4":
            for seed in "7", "11":
                with self.subTest(scoring, seed=seed):
                    result = self.docked("ligand.pdbqt", ["seed.pdbqt"], "--scoring", scoring, "--format", "pdbqt,csv,dlg,xml",
                                         "--overwrite", "--seed", seed)
                    self.assert_well(result)
                    data = self.data("ligand")
                    found, = self.seeds_of(data)
                    self.assertEqual([s["seed_pose"] for s in data["seed_poses"]], [1])
                    self.assertTrue(data["seed_poses"][0]["file"].endswith("seed.pdbqt"))
                    self.assertEqual(found["seed_pose"], 1)
                    self.assertEqual(found["conformer"], data["seed_poses"][0]["conformer"])
                    self.assertEqual(sum(run["origin"] == "search" and "further" not in run for run in data["runs"]), 2)
                    self.assertIn("2 runs and 1 seed pose in", result.stdout)
                    rows = list(csv.DictReader((self.folder / "out/ligand.csv").read_text().splitlines()))
                    self.assertEqual([(row["run"], row["seed_pose"]) for row in rows if row["origin"] == "seed"],
                                     [(str(found["run"]), "1")])
                    self.assertRegex((self.folder / "out/ligand.dlg").read_text(),
                                     r"Run = %d\n(?:DOCKED: USER.*\n)*?DOCKED: USER    Seed pose = 1" % found["run"])
                    self.assertEqual((self.folder / "out/ligand.xml").read_text().count("<seed_pose>1</seed_pose>"), 1)
                    leads = found["run"] in [run["run"] for run in cli.written(data)]
                    self.assertEqual(" seed_pose 1 " in (self.folder / "out/ligand.pdbqt").read_text(), leads)

    def test_energy_is_that_of_the_minimum(self):
        """The energy of the seed is no higher than as it was given, and `berth score` repeats it."""
        self.write("seed.pdbqt", cli.ligand(shift=(0.5, 0.2, 0)))
        for scoring in "vina", "ad4":
            with self.subTest(scoring):
                self.assert_well(self.docked("ligand.pdbqt", ["seed.pdbqt"], "--scoring", scoring, "--rmsd-tolerance", "0.01",
                                             "--poses", "50", "--format", "pdbqt", "--overwrite"))
                found, = self.seeds_of(self.data("ligand"))
                given = self.berth("score", "-r", "receptor.pdbqt", "-l", "seed.pdbqt", *cli.BOX, "--scoring", scoring, "--json")
                self.assert_well(given)
                energy = json.loads(given.stdout.splitlines()[0])["energy"]
                self.assertLess(found["inter"] + found["intra"], energy["inter"] + energy["intra"])
                poses = self.berth("score", "-r", "receptor.pdbqt", "-l", "out/ligand.pdbqt", "--json")
                self.assert_well(poses)
                scored = [json.loads(line)["energy"]["free_energy"] for line in poses.stdout.splitlines()]
                self.assertLess(min(abs(one - found["free_energy"]) for one in scored), 0.02)

    def test_searches_start_from_it(self):
        """A search of a single generation in the seed's conformer is as good as the seed, which another one does not find."""
        for scoring in "vina", "ad4":
            with self.subTest(scoring):
                words = ["--scoring", scoring, "--format", "pdbqt", "--overwrite"]
                self.assert_well(self.dock(*words, "--runs", "10", "--evals", "20000", "--seed", "3", *cli.NO_STRAIN))
                model = re.search(r"MODEL +1\n(.*?)ENDMDL", (self.folder / "out/ligand.pdbqt").read_text(), re.S).group(1)
                self.write("best.pdbqt", model)
                self.assert_well(self.docked("ligand.pdbqt", ["best.pdbqt"], *words, "--generations", "1", output="short"))
                data = self.data("ligand", "short")
                found, = self.seeds_of(data)
                from_it, = [run for run in data["runs"] if run["conformer"] == found["conformer"] and run["origin"] == "search"
                            and "further" not in run]
                self.assertLess(from_it["inter"] + from_it["intra"], found["inter"] + found["intra"] + 0.5)

    def test_what_cannot_be_used(self):
        self.write("far.pdbqt", cli.ligand(shift=(60, 0, 0)))
        self.write("other.pdbqt", cli.ligand(atoms=10))
        self.write("good.pdbqt", cli.ligand(shift=(0.3, 0, 0)))
        self.write("broken.pdbqt", "ROOT\nATOM what\n")
        for name, told in (("far", "the seed poses of the ligand lie outside the box"), ("broken", "broken.pdbqt"),
                           ("other", "10 heavy atoms and not the same 9"), ("absent", "absent.pdbqt")):
            with self.subTest(name):
                self.assert_refused(self.docked("ligand.pdbqt", [name + ".pdbqt"]), told)
                self.assertFalse((self.folder / "out/ligand.json").exists())
        result = self.docked("ligand.pdbqt", ["far.pdbqt", "other.pdbqt", "good.pdbqt"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("seed pose left out: other.pdbqt", result.stderr)
        self.assertRegex(result.stderr, r"seed pose 1 \(far\) lies outside the box and is left out")
        self.assertEqual([run["seed_pose"] for run in self.seeds_of(self.data("ligand"))], [2])

    def test_clash_is_reported(self):
        self.write("clash.pdbqt", cli.ligand(shift=(7.2, 0, 0)))
        result = self.docked("ligand.pdbqt", ["clash.pdbqt"], box=["--center", "0,0,0", "--size", "24,24,24"])
        found = self.seeds_of(self.data("ligand"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual("clashes with the receptor" in result.stderr, any("clash" in run["flags"] for run in found))
        self.assertTrue(found or "left out" in result.stderr)

    def test_several_boxes_and_ligands(self):
        self.write("seed.pdbqt", cli.ligand(shift=(40, 0, 0)))
        self.write("long.pdbqt", cli.ligand(atoms=12))
        self.write("two.pdbqt", cli.receptor() + "".join(
            f"{line[:30]}{float(line[30:38]) + 40:8.3f}{line[38:]}\n" for line in cli.receptor().splitlines()
            if line.startswith("ATOM")))
        self.write("none.pdbqt", cli.ligand(atoms=6))
        result = self.berth("dock", "-r", "two.pdbqt", "-l", "ligand.pdbqt", "long.pdbqt", "--seed-poses", "seed.pdbqt", "none.pdbqt",
                            "--center", "0,0,0", "--center", "40,0,0", "--size", "15,15,15", "-o", "out", *FEW)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("none.pdbqt: no pose of any of the ligands", result.stderr)
        self.assertNotIn("seed.pdbqt: no pose", result.stderr)
        found, = self.seeds_of(self.data("ligand"))
        self.assertEqual(found["site"], 2)
        self.assertEqual([site["site"] for site in self.data("ligand")["sites"]], [1, 2])
        self.assertNotIn("seed_poses", self.data("long"))

    def test_refusals(self):
        self.write("seed.pdbqt", cli.ligand())
        self.assert_refused(self.docked("ligand.pdbqt", ["seed.pdbqt"], "--hydrated"), "--hydrated")

    @needs_rdkit
    def test_raw_poses(self):
        """Other order of atoms, several records, no hydrogens; the docked molecule's bonds are written."""
        self.write("b.smi", "OCCCCC pentanol\n")
        self.write("s.sdf", PENTANOL + BACKWARDS + molecules.ethanol())
        self.write("s.mol2", molecules.mol2())
        result = self.docked("b.smi", ["s.sdf", "s.mol2"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("seed pose left out"), 2)
        data = self.data("pentanol")
        self.assertEqual([run["seed_pose"] for run in self.seeds_of(data)], [1, 2])
        self.assertEqual([s["name"] for s in data["seed_poses"]], ["pentanol", "other_order"])
        text = (self.folder / "out/pentanol.sdf").read_text()
        self.assertEqual(set(re.findall(r"> <origin>\n(\w+)\n", text)) - {"seed", "search"}, set())
        self.assertEqual(text.count("> <origin>"), text.count("$$$$"))

    @needs_rdkit
    def test_complex(self):
        """The ligand of a complex, looked for or named; bond orders are those of the docked ligand."""
        lines = [molecules.pdb_atom(k + 900, atom[0] + str(k + 1), "UNL", 7, *atom[1:], chain="L", record="HETATM")
                 for k, atom in enumerate(CHAIN)]
        self.write("complex.pdb", molecules.protein(lines))
        self.write("b.smi", "OCCCCC pentanol\n")
        for word in "complex.pdb", "complex.pdb:UNL":
            with self.subTest(word):
                result = self.docked("b.smi", [word], "--overwrite")
                if "gemmi" in result.stderr:
                    self.skipTest("built without gemmi")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(len(self.seeds_of(self.data("pentanol"))), 1)
        self.assert_refused(self.docked("b.smi", ["complex.pdb:ABC"], output="new"), "ABC")

    @needs_rdkit
    def test_same_with_any_number_of_threads(self):
        self.write("b.smi", "OCCCCC pentanol\n")
        self.write("s.sdf", PENTANOL)
        for threads in "1", "3":
            self.assert_well(self.docked("b.smi", ["s.sdf"], "-t", threads, output="t" + threads))
        self.assertEqual(*({k: v for k, v in self.data("pentanol", "t" + t).items() if k in ("runs", "clusters", "seed_poses")}
                           for t in "13"))


if __name__ == "__main__":
    cli.main()
