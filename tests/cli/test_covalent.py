"""Covalent docking: penicillin G in the DD-peptidase of Streptomyces R61 (PDB entry 1PWC), in which a serine has opened
its ring; and messages about ligands and residues that cannot be bonded."""
import csv
import json
import re

import berth_cli as cli
from test_raw_dock import needs_both

EXAMPLE = cli.SOURCE / "examples" / "covalent"
PENICILLIN = (EXAMPLE / "penicillin.smi").read_text()
OPEN_FORM = "CC1(C)SC(C(C=O)NC(=O)Cc2ccccc2)NC1C(=O)O"
# Takes less than a second and finds the pose.
SEARCH = ["--runs", "5", "--evals", "40k", "--seed", "1"]


class Prepared(cli.Case):
    """What a build without RDKit and gemmi supports."""

    def test_a_pose_needs_its_residue_in_the_box(self):
        result = self.dock(ligands=(EXAMPLE / "ligand.pdbqt",))
        self.assert_refused(result, "bonded to A:SER62, which is outside the box")


@needs_both
class Covalent(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("penicillin.smi", PENICILLIN)

    def docked(self, *words, ligand=("-l", "penicillin.smi"), residue="A:SER62", output="out", search=SEARCH):
        return self.berth("dock", "-r", EXAMPLE / "1pwc.pdb", *ligand, "--covalent", residue, "-o", output, *search,
                          *words)

    def best(self, name="penicillin-G", output="out"):
        data = json.loads((self.folder / output / f"{name}.json").read_text())
        return data, data["runs"][data["clusters"][0]["best_run"] - 1]

    def test_from_smiles(self):
        result = self.docked("--reference", "A:PNM400", "--complex", "pdb", "--contacts")
        self.assert_well(result)
        self.assertIn("bonded to A:SER62 OG by its beta-lactam", result.stderr)
        self.assertIn("1 to dock, bonded to A:SER62", result.stdout)
        rows = list(csv.DictReader((self.folder / "out/penicillin-G.csv").read_text().splitlines()))
        first = min(rows, key=lambda row: (int(row["cluster"]), int(row["rank_in_cluster"])))
        self.assertLess(float(first["rmsd_reference"]), 2.0)
        data, run = self.best()
        contacts = [c for c in run["contacts"] if c["residue_number"] == 62]
        self.assertFalse([c for c in contacts if c["ligand_name"] in ("CA", "CB", "OG")], "its own residue")
        pose = (self.folder / "out/penicillin-G.pdbqt").read_text()
        self.assertIn("REMARK COVALENT A:SER62", pose)
        alpha = {line[30:54] for line in pose.splitlines() if re.match(r"ATOM .* CA  SER A  62", line)}
        self.assertEqual(alpha, {"  14.175  -9.409  36.555"})

    def test_the_complex_has_the_side_chain_in_its_residue(self):
        result = self.docked("--complex", "pdb")
        self.assert_well(result)
        lines = (self.folder / "out/penicillin-G.complex.pdb").read_text().splitlines()
        serine = [line[12:16].strip() for line in lines if line[17:26] == "SER A  62"]
        self.assertEqual(sorted(serine), ["C", "CA", "CB", "H", "N", "O", "OG"])
        ligand = [line for line in lines if line.startswith("HETATM")]
        self.assertEqual({line[17:20] for line in ligand}, {"UNL"})
        at = {line[12:16].strip(): [float(line[30 + 8 * k:38 + 8 * k]) for k in range(3)] for line in lines
              if line[17:26] == "SER A  62"}
        nearest = min(sum((a - b) ** 2 for a, b in zip(at["OG"], [float(l[30 + 8 * k:38 + 8 * k]) for k in range(3)]))
                      for l in ligand)
        self.assertLess(nearest ** 0.5, 1.6)

    def test_from_the_crystal(self):
        result = self.docked(ligand=("--ligand-from", "A:PNM400", "--template", OPEN_FORM))
        self.assert_well(result)
        self.assertIn("bonded to A:SER62 OG as in its coordinates (1.43 Angstrom)", result.stderr)
        rows = list(csv.DictReader((self.folder / "out/A-PNM400.csv").read_text().splitlines()))
        first = min(rows, key=lambda row: (int(row["cluster"]), int(row["rank_in_cluster"])))
        self.assertLess(float(first["rmsd_reference"]), 2.0)

    def test_poses_score_as_docked(self):
        for scoring in "ad4", "vina":
            result = self.docked("--scoring", scoring, "--format", "pdbqt,sdf", output=scoring)
            self.assert_well(result)
            data, run = self.best(output=scoring)
            for ending in "pdbqt", "sdf":
                scored = self.berth("score", "-r", f"{scoring}/receptor.pdbqt", "-l", f"{scoring}/penicillin-G.{ending}",
                                    "--json")
                self.assert_well(scored)
                first = json.loads(scored.stdout.splitlines()[0])
                energy = first["energy"]["free_energy"]
                self.assertAlmostEqual(energy, run["free_energy"], 3, ending)

    def test_screen(self):
        self.write("library.smi", PENICILLIN + "CC(=O)Oc1ccccc1C(=O)O aspirin\nc1ccccc1 benzene\n")
        words = ["screen", "-r", EXAMPLE / "1pwc.pdb", "-l", "library.smi", "--covalent", "A:SER62", "-o", "screen",
                 *SEARCH]
        result = self.berth(*words)
        self.assert_well(result, code=2)
        rejects = (self.folder / "screen/rejects.csv").read_text()
        self.assertIn("no warhead that is known to react with SER", rejects)
        self.assertEqual(rejects.count("\n"), 2)
        self.assertIn("A:SER62", (self.folder / "screen/top.sdf").read_text())
        again = self.berth(*words, "--resume", "--warhead", "beta-lactam")
        self.assertEqual(again.returncode, 1, "another warhead makes other ligands")

    def test_refused(self):
        def refuse(result, *words):
            text = result.stderr.strip().splitlines()[-1]
            self.assertEqual(result.returncode, 1, result.stderr)
            for word in words:
                self.assertIn(word, text)

        refuse(self.docked(residue="A:PHE120", search=["--delete", "PNM"]), "A:PHE120", "no warhead reacts")
        refuse(self.docked(ligand=("--smiles", "C=CC(=O)NC")), "no warhead that is known to react with SER", "--warhead")
        refuse(self.docked("--warhead", "nitrile"), "no warhead 'nitrile'")
        refuse(self.docked("--blind"), "--covalent", "one box")
        refuse(self.docked("--keep-hydrogens"), "hydrogens")
        refuse(self.berth("dock", "-r", "receptor.pdbqt", "-l", "penicillin.smi", "--covalent", "A:SER62", "-o", "o"),
               "--covalent", ".pdb or .cif")
        refuse(self.berth("dock", "-r", EXAMPLE / "1pwc.pdb", "-l", "penicillin.smi", "--autobox", "A:PNM400",
                          "--warhead", "nitrile", "-o", "o"), "--warhead", "--covalent")
        refuse(self.berth("screen", "-r", EXAMPLE / "1pwc.pdb", "-l", "penicillin.smi", "--engine", "bude", "--center",
                          "1,2,3", "--covalent", "A:SER62", "-o", "o"), "--covalent", "bude")

    def test_a_pose_needs_its_residue_to_be_cut_out(self):
        result = self.berth("dock", "-r", EXAMPLE / "1pwc.pdb", "-l", EXAMPLE / "ligand.pdbqt", "--autobox", "A:PNM400",
                            "-o", "out", *cli.QUICK)
        self.assertEqual(result.returncode, 1)
        self.assertIn("bonded to A:SER62, but the receptor still contains that side chain", result.stderr)
        again = self.docked(ligand=("-l", EXAMPLE / "ligand.pdbqt"), output="bonded")
        self.assert_well(again)


if __name__ == "__main__":
    cli.main()
