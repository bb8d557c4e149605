"""Options that cannot have an effect are answered: by a note, or by a refusal where they change what the user means."""
import re

import berth_cli as cli
from test_raw_dock import GEMMI, RDKIT

HIV = cli.SOURCE / "examples" / "1hpv"
PREPARED = ["-r", HIV / "receptor.pdbqt", "-l", HIV / "ligand.pdbqt", "--autobox", HIV / "ligand-crystal.pdbqt"]
QUICK = ["-q", "--seed", "1", "--runs", "1", "--evals", "500", "--threads", "1"]
DOCK = [*QUICK, *cli.NO_STRAIN, "--spacing", "0.6"]  # dozens of dockings whose results do not matter

REFUSED = ["--ph 3", "--set-state Z:9999:FOO", "--delete A:25", "--keep HOH", "--flips", "--new-hydrogens", "--model 7",
           "--pka /nonexistent", "--residue-template XX=CC", "--altloc A:25:B", "--as-drawn", "--charges zero",
           "--keep-hydrogens", "--flexible-amides", "--hydrated"]
NOTED = ["--conformers 5", "--conformer-seed 7", "--stereo enumerate", "--rigid-macrocycles", "--macrocycle-size 9",
         "--name-field ID", "--old-rules", "--record-time 5", "--delete-unknown", "--no-rebuild"]
SEARCH = [("--padding 9 --size 20,20,20", "padding"), ("--selection proportional --tournament-rate 0.7", "tournament-rate"),
          ("--local-search adam --sw-limit 3", "sw-limit"), ("--local-search adadelta --sw-move 1", "sw-move"),
          ("--sw-angle 10", "sw-angle"), ("--sw-rho-limit 0.1", "sw-rho-limit"),
          ("--local-search none --local-search-rate 0.5", "local-search-rate"),
          ("--local-search none --local-search-iterations 5", "local-search-iterations"),
          ("--heuristics off --heuristics-max 100", "heuristics-max"), ("--autostop off --autostop-runs 5", "autostop-runs"),
          ("--autostop off --autostop-tolerance 1", "autostop-tolerance"),
          ("--autostop off --autostop-interval 9", "autostop-interval"), ("--contact-distances 1,2,3", "contact-distances")]


class Effects(cli.Case):
    def assert_noted(self, result, option):
        self.assert_well(result)
        self.assertRegex(result.stderr, rf"^berth \w+: note: --{option} has no effect: [^\n]+\n$")

    def test_prepared_input(self):
        for command, words in (("dock", ["-o", "out", "--overwrite", *DOCK]), ("score", []),
                               ("screen", ["-o", "out", *QUICK]), ("grid", ["-o", "maps", "--overwrite"])):
            for options in REFUSED:
                option = options.split()[0][2:]
                if (command, option) == ("screen", "keep") or (command == "grid" and option in ("as-drawn",)):
                    continue  # of a screen that is another option
                result = self.berth(command, *PREPARED, *words, *options.split())
                self.assert_refused(result, f"--{option} has no effect: ", "as it was prepared" if option in (
                    "delete", "keep", "set-state", "flips", "model", "altloc", "pka", "new-hydrogens", "residue-template")
                    else "as they were prepared")
        for options in NOTED:
            result = self.berth("dock", *PREPARED, "-o", "out", "--overwrite", *DOCK, *options.split())
            self.assert_noted(result, options.split()[0][2:])
        result = self.berth("pockets", "-r", HIV / "receptor.pdbqt", "--flips")
        self.assert_refused(result, "--flips has no effect")

    def test_the_function_is_not_switched(self):
        self.assertEqual(self.berth("dock", *PREPARED, "-o", "out", *DOCK, "--hydrated").returncode, 1)
        self.assertFalse((self.folder / "out").exists())

    def test_search(self):
        plain = self.berth("dock", *PREPARED, "-o", "out", *DOCK)
        self.assert_well(plain)
        self.assertEqual(plain.stderr, "")
        for options, option in SEARCH:
            self.assert_noted(self.berth("dock", *PREPARED, "-o", "out", *DOCK, *options.split()), option)
        result = self.berth("dock", *PREPARED, "-o", "out", *DOCK, "--autostop-runs", "99")
        self.assertIn("note: --autostop-runs 99: of only 1 runs, all must come that close", result.stderr)
        effective = ["--local-search", "solis-wets", "--sw-limit", "3", "--tournament-rate", "0.7", "--padding", "6"]
        self.assertEqual(self.berth("dock", *PREPARED, "-o", "out", *DOCK, *effective).stderr, "")

    def test_scores(self):
        words = ["score", "-r", HIV / "receptor.pdbqt", "-l", HIV / "ligand.pdbqt"]
        self.assert_noted(self.berth(*words, "--local-search", "adam"), "local-search")
        self.assert_noted(self.berth(*words, "--local-search-iterations", "7"), "local-search-iterations")
        self.assertEqual(self.berth(*words, "--local-search", "adam", "--minimize").stderr, "")
        self.assertEqual(self.berth(*words, "--padding", "6").stderr, "")

    def test_raw_input(self):
        """There the options have an effect, and contradictions are refused."""
        if not (RDKIT and GEMMI):
            self.skipTest("a build without RDKit or gemmi")
        words = ["dock", "-r", HIV / "1hpv.pdb", "--autobox", "478", "--smiles", "CCO", "-o", "out", "--overwrite", *QUICK]
        self.assert_well(self.berth(*words, "--ph", "7", "--keep", "A:HOH", "--flips", "--stereo", "any"))
        result = self.berth(*words, "--keep", "HOH", "--delete", "A:57,HOH")
        self.assert_refused(result, "--keep and --delete both name HOH")
        self.assert_refused(self.berth(*words, "--pka", "/nonexistent"), "--pka has no effect", "add --ph")
        self.assert_refused(self.berth(*words, "--pka", "/nonexistent", "--ph", "7"), "/nonexistent")
        mixed = ["dock", "-r", HIV / "receptor.pdbqt", *PREPARED[4:], "-l", HIV / "ligand.pdbqt", HIV / "amprenavir.smi", "-o",
                 "mixed", *QUICK, "--ph", "7"]
        self.assertNotIn("has no effect", self.berth(*mixed).stderr)


class Boxes(cli.Case):
    PLACE = ["-r", HIV / "receptor.pdbqt", "-l", HIV / "ligand.pdbqt", "--center", "9.357,16.147,9.484"]

    def test_too_small_for_any_ligand(self):
        for size in ("0.5,0.5,0.5", "2,2,2", "3,20,20", "20,20,3.5"):
            for command in ("dock", "screen"):
                result = self.berth(command, *self.PLACE, "--size", size, "-o", "out", *QUICK)
                self.assert_refused(result, "is smaller than any ligand: every edge must have at least 4 Angstrom")
        x, y, z = self.PLACE[-1].split(",")
        result = self.berth("vina", "--receptor", HIV / "receptor.pdbqt", "--ligand", HIV / "ligand.pdbqt", "--center_x", x,
                            "--center_y", y, "--center_z", z, "--size_x", "2", "--size_y", "9", "--size_z", "9")
        self.assert_refused(result, "smaller than any ligand")

    def test_too_small_for_the_ligand(self):
        """Said before the maps are computed; what only the search finds out is no result either."""
        result = self.berth("dock", *self.PLACE, "--size", "4,4,4", "-o", "out", *QUICK)
        self.assert_refused(result, "the box of 4.5 x 4.5 x 4.5 A is smaller than the ligand, which has 35 heavy atoms")
        inside = ["-r", HIV / "receptor.pdbqt", "-l", HIV / "ligand.pdbqt", "--center", "13.779,26.465,3.414"]  # the protein
        result = self.berth("dock", *inside, "--size", "11,11,11", "-o", "out", *QUICK, "--evals", "2000")
        self.assert_refused(result, "every pose clashes with the receptor")
        self.assertEqual(list((self.folder / "out").glob("ligand*")), [])

    def test_clashes_of_given_poses_are_named(self):
        text = (HIV / "ligand.pdbqt").read_text()
        shifted = re.sub(r"(?m)^(ATOM.{26})(.{8})", lambda m: f"{m[1]}{float(m[2]) + 6:8.3f}", text)
        self.write("clash.pdbqt", shifted)
        result = self.berth("score", "-r", HIV / "receptor.pdbqt", "-l", "clash.pdbqt")
        self.assert_well(result)
        self.assertIn("the pose clashes with the receptor: this is not a binding energy", result.stdout)
        result = self.berth("score", "-r", HIV / "receptor.pdbqt", "-l", "clash.pdbqt", "--json")
        self.assertIn('"flags": ["clash"]', result.stdout)

    def test_large(self):
        words = ["dock", *self.PLACE, "--spacing", "1", "-o", "out", *QUICK]
        self.assertEqual(self.berth(*words, "--size", "38,38,38").stderr, "")
        result = self.berth(*words, "--size", "60,60,60")
        self.assertRegex(result.stderr, r"warning: the box of 60 x 60 x 60 Angstrom has 216000 cubic Angstrom, more than the "
                                        r"64000 .* and takes [0-9.]+ GB; use a smaller box")
        self.assert_refused(self.berth("dock", *self.PLACE, "--size", "990,990,990", "-o", "out", *QUICK, "--spacing", "0.1"), "GB")


if __name__ == "__main__":
    cli.main()
