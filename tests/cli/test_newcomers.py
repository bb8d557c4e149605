"""What new users stumbled over, and the present messages (docs/lab-notes/newcomers.md).

    test_newcomers.py BIN
"""
import json
import math
import os
import pty
import re
import shlex
import shutil
import subprocess
import unittest

import berth_cli as cli
import molecules
from test_raw_dock import needs_both, needs_rdkit
from test_screen import SEARCH, without_sqlite

CENTER = ["--center", "0,0,0", "--size", "12,12,12", "--spacing", "1"]


class Commands(cli.Case):
    def test_options_of_other_programs_are_translated(self):
        """--exhaustiveness of `berth dock` was an unknown option without a hint."""
        hints = {"exhaustiveness": "use --runs", "cpu": "use --threads", "out": "use --output", "nrun": "use --runs",
                 "num_modes": "use --poses",
                 "nev": "use --evals",
                 "ffile": "use --receptor", "lfile": "use --ligand", "center_x": "use --center X,Y,Z",
                 "autobox_ligand": "use --autobox", "score_only": "use `berth score`", "xraylfile": "use --reference"}
        for name, words in hints.items():
            self.assert_refused(self.berth("dock", f"--{name}", "8"), f"unknown option --{name}; {words}")
        self.assert_refused(self.berth("screen", "--lfile", "a"), "use --library")
        self.assert_refused(self.berth("dock", "--exhaustiveness=8"), "unknown option --exhaustiveness; use --runs")
        self.assert_refused(self.berth("dock", "--runz", "8"), "did you mean --runs?")
        self.assert_refused(self.berth("prep", "receptor", "--exhaustiveness", "8"), "see berth prep receptor --help")
        table = (cli.SOURCE / "cli/common/other_programs.c").read_text()
        known = self.berth("dock", "--help=words").stdout + self.berth("screen", "--help=words").stdout
        for own in re.findall(r'\{"\w+", "([^"]+)"', table):
            for word in own.split("|"):
                self.assertRegex(known, rf"(?m)^--{word}\t")

    def test_a_residue_of_a_receptor_without_names(self):
        """--autobox 478 with a .pdbqt receptor."""
        self.write("receptor.pdbqt", (cli.SOURCE / "examples/1hpv/receptor.pdbqt").read_text())
        self.write("ligand.pdbqt", cli.ligand())
        result = self.berth("dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "--autobox", "478", "-o", "out")
        self.assert_refused(result, "there is no file '478'", "entry.pdb:LIG")

    def test_a_smiles_where_files_are_read(self):
        """ "check the path", or "check the pattern", of a SMILES with brackets."""
        self.write("receptor.pdbqt", cli.receptor())
        for words in (("prep", "ligand", "-o", "out"), ("prep", "library", "-o", "out.btl"),
                      ("score", "-r", "receptor.pdbqt"), ("screen", "-r", "receptor.pdbqt", "-o", "out", *CENTER)):
            for smiles in ("CCO", "C[C@H](N)C(=O)O"):
                self.assert_refused(self.berth(*words, "-l", smiles), smiles, "no file of this name", "into a .smi file")
        result = self.berth("dock", "-r", "receptor.pdbqt", "-l", "InChI=1S/CH4/h1H4", "-o", "out", *CENTER)
        self.assert_refused(result, "an InChI cannot be read", "use a SMILES")

    def test_a_full_device_for_the_output_is_named(self):
        """ "Input/output error", since the errno of the failed write was gone."""
        with open("/dev/full", "w") as full:
            words = [str(cli.BIN / "berth"), "dock", "--help"]
            result = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("standard output: cannot write: No space left on device", result.stderr)

    def test_a_spreadsheet(self):
        self.write("receptor.pdbqt", cli.receptor())
        self.write("ligands.xlsx", "PK")
        site = ("-r", "receptor.pdbqt", *CENTER)
        for words in ("dock", *site), ("screen", *site), ("prep", "library"):
            result = self.berth(*words, "-l", "ligands.xlsx", "-o", "out.btl")
            self.assert_refused(result, "spreadsheets are not read", "CSV")

    def test_parquet(self):
        self.write("receptor.pdbqt", cli.receptor())
        self.write("ligands.parquet", "PAR1")
        site = ("-r", "receptor.pdbqt", *CENTER)
        for words in ("dock", *site), ("screen", *site), ("prep", "library"):
            result = self.berth(*words, "-l", "ligands.parquet", "-o", "out.btl")
            self.assert_refused(result, "duckdb", "COPY (FROM 'ligands.parquet')", "berth prep library -l - --input-format csv")

    @needs_rdkit
    def test_the_file_of_further_notes_is_named(self):
        self.write("drawn.smi", "".join(f"CC(N)C(=O)NC(C)C{'C' * i} drawn{i}\n" for i in range(12)))
        result = self.berth("prep", "library", "-l", "drawn.smi", "-o", "drawn.btl")
        self.assert_well(result)
        self.assertIn("further notes only in drawn.notes.csv", result.stderr)
        self.assertTrue((self.folder / "drawn.notes.csv").exists())


class Progress(cli.Case):
    """What a terminal shows while ligands are docked."""

    def bars(self, *arguments):
        """The percentage, the number of the ligand and the rest of each bar."""
        terminal, own = pty.openpty()
        environment = dict(os.environ, TERM="xterm")
        command = [str(cli.BIN / "berth"), "dock", "-r", "receptor.pdbqt", "-o", "out", *arguments]
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL, stderr=own)
        os.close(own)
        shown = b""
        try:
            while chunk := os.read(terminal, 4096):
                shown += chunk
        except OSError:  # the end of a terminal
            pass
        os.close(terminal)
        self.assertEqual(process.wait(timeout=300), 0, shown)
        bars = re.findall(r"\] +(\d+)%  (?:(\d+)/\d+ )?(\S+?)(, [^\r]*)?\r", shown.decode() + "\r")
        self.assertTrue(bars, shown)
        return [(int(percent), int(number or 1), rest) for percent, number, _, rest in bars]

    def test_the_estimate_weighs_ligands_by_their_work(self):
        """"4 s left" while the last, flexible ligand took a minute: small ligands counted as much."""
        for i in range(9):
            self.write(f"library/a{i}.pdbqt", cli.ligand(atoms=3, torsions=0))
        self.write("library/large.pdbqt", cli.ligand(atoms=36, torsions=20))
        evaluations = "60000" if os.environ.get("BERTH_TEST_SHORT") else "250000"
        bars = self.bars("-l", "library", *CENTER, "--runs", "4", "--evals", evaluations, "--device", "cpu", "--seed", "1")
        last = [percent for percent, number, _ in bars if number >= 9]  # eight small ones, or more, are docked
        self.assertLess(min(last), 60, bars)

    def test_the_energy_of_the_bar_is_named(self):
        """"best -16.28 kcal/mol" was inter + intra, beside affinities of -10.40 in the table."""
        bars = self.bars("-l", "ligand.pdbqt", *CENTER, *cli.QUICK, "--scoring", "vina")
        self.assertRegex(bars[-1][2], r"^(, \d+ s left)?, lowest inter \+ intra -?\d+\.\d\d, \S+ evaluations$")


@needs_both
class Chemist(cli.Case):
    """Wrong or unusual input of a chemist; refusals name what is wrong, where."""

    def setUp(self):
        super().setUp()
        self.write("p.pdb", molecules.protein())

    def dock(self, *more):
        return self.berth("dock", "-r", "p.pdb", "-o", "out", *cli.BOX, *SEARCH, *more)

    def test_the_help_promises_no_name_behind_l(self):
        """-l takes 'SMILES NAME' for a file (cli.ligands); the help said that it accepts both."""
        text = " ".join(self.berth("dock", "--help").stdout.split())
        self.assertIn("-l accepts a SMILES without a name", text)
        self.assert_well(self.dock("--smiles", "CCCO prop anol"))
        self.assertTrue((self.folder / "out/prop_anol.sdf").exists())

    def test_what_is_no_smiles_is_quoted_as_typed(self):
        """'CCC(?' is not a valid SMILES: the end of the line was part of it."""
        self.assert_refused(self.dock("-l", "CCC("), "'CCC(' is not a valid SMILES")

    def test_azides_and_isocyanates_have_no_stereochemistry(self):
        self.write("drawn.smi", "CCN=[N+]=[N-] azide\nCCN=C=O isocyanate\nCC=NC imine\n")
        result = self.dock("-l", "drawn.smi")
        self.assert_well(result)
        self.assertEqual(result.stderr.count("stereochemistry of"), 1, result.stderr)
        self.assertIn("imine: stereochemistry of C2=N3", result.stderr)
        self.assert_well(self.berth("prep", "ligand", "-l", "drawn.smi", "--stereo", "enumerate", "-o", "isomers"))
        names = sorted(path.name for path in (self.folder / "isomers").glob("*.pdbqt"))
        self.assertEqual(names, ["azide.pdbqt", "imine_s1.pdbqt", "imine_s2.pdbqt", "isocyanate.pdbqt"])

    def test_the_line_of_a_prepared_ligand_is_that_of_the_file(self):
        """The line of the atom in the PDBQT text was given as one of the .smi file."""
        self.write("boron.smi", "CCO a\nCCC b\nCCCC c\nOCCCCCCCCB(O)O acid\n")
        result = self.dock("-l", "boron.smi", "--scoring", "vina")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("rejected acid: boron.smi:4: atom type 'B'", result.stderr)

    def test_what_has_no_coordinates_is_not_scored(self):
        """The energy of a generated conformer somewhere in space was printed."""
        self.write("a.smi", "CCO a\n")
        self.assert_refused(self.berth("score", "-r", "p.pdb", "-l", "a.smi", *cli.BOX), "a.smi", "no 3D coordinates")
        self.write("a.sdf", molecules.ethanol())
        self.assert_well(self.berth("score", "-r", "p.pdb", "-l", "a.sdf", *cli.BOX))

    def test_ph_and_as_drawn_are_named(self):
        result = self.dock("-l", "CCO", "--ph", "5", "--as-drawn")
        self.assertEqual(result.returncode, 1)
        self.assertIn("leave out --ph or --as-drawn", result.stderr)

    def test_a_model_of_several_is_named(self):
        one = "".join(f"{line}\n" for line in molecules.protein().splitlines() if line[:6] in ("ATOM  ", "HETATM"))
        self.write("p.pdb", f"MODEL        1\n{one}ENDMDL\nMODEL        2\n{one}ENDMDL\nEND\n")
        result = self.dock("-l", "CCO")
        self.assert_well(result)
        self.assertIn("model 1 of 2 is used", result.stderr)

    def test_a_residue_that_stays_rigid_is_not_listed_as_flexible(self):
        result = self.dock("-l", "CCO", "--flex", "A:GLY2")
        self.assert_well(result)
        self.assertIn("stays rigid", result.stderr)
        self.assertIn("no flexible residue: those named by --flex stay rigid", result.stdout)
        some = self.dock("-l", "CCO", "--flex", "A:GLY2,A:SER1", "--overwrite")
        self.assert_well(some)
        self.assertIn("flexible residues A:SER1\n", some.stdout)

    def test_a_box_without_receptor_atoms_is_refused(self):
        """The docking into nothing ended with exit code 0; a box that touches the receptor still gets a warning."""
        far = ["--center", "500,500,500", "--size", "12,12,12"]
        words = "no receptor atom is within 8 Angstrom of the box", "Angstrom away", "--center"
        self.write("a.smi", "CCO a\n")
        for command in "dock", "screen":
            result = self.berth(command, "-r", "p.pdb", "-l", "a.smi", "-o", f"far-{command}", *far, *SEARCH)
            self.assert_refused(result, *words)
            self.assertFalse((self.folder / f"far-{command}" / "a.json").exists())
        several = self.berth("dock", "-r", "p.pdb", "-l", "a.smi", "-o", "far", *cli.BOX[:2], *far, *SEARCH)
        self.assert_refused(several, *words)
        self.assertFalse((self.folder / "far").exists())
        self.assert_well(self.berth("grid", "-r", "p.pdb", "-o", "grid", "--types", "C", *far, "--spacing", "1"))
        near = self.berth("dock", "-r", "p.pdb", "-l", "a.smi", "-o", "near", "--center", "14,14,13", *far[2:],
                          *SEARCH)
        self.assert_well(near)
        self.assertIn("the box misses the receptor", near.stderr)

    def test_missing_columns_of_mmcif(self):
        """Optional columns of _atom_site may be missing; one that nothing can replace is named."""
        columns = {"group_PDB": "ATOM", "id": "1", "type_symbol": "C", "label_atom_id": "CA", "label_comp_id": "ALA",
                   "label_asym_id": "A", "label_seq_id": "1", "Cartn_x": "0.0", "Cartn_y": "0.0", "Cartn_z": "0.0"}
        for left_out in None, "group_PDB", "id", "type_symbol":
            names = [name for name in columns if name != left_out]
            self.write("p.cif", "data_x\nloop_\n" + "".join(f"_atom_site.{name}\n" for name in names) +
                       " ".join(columns[name] for name in names) + "\n")
            result = self.berth("dock", "-r", "p.cif", "-l", "CCO", "-o", "out", *cli.BOX)
            if left_out == "type_symbol":
                self.assert_refused(result, "_atom_site has no type_symbol", "add them")
            else: # the alpha carbon is read, and is no receptor
                self.assertNotIn("_atom_site", result.stderr)
                self.assertIn("more than half of the atoms are missing", result.stderr)

    def test_the_poses_of_a_page_are_counted(self):
        self.assert_well(self.dock("-l", "CCO"))
        self.assertRegex(self.berth("report", "out").stdout, r"report\.html: 1 ligand, \d+ poses?; ")


@unittest.skipIf(without_sqlite(), "no SQLite in this build")
class Screens(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("receptor.pdbqt", cli.receptor())
        for i in range(4):
            self.write(f"library/lig{i}.pdbqt", cli.ligand(atoms=6 + i))

    def screen(self, *more):
        return self.berth("screen", "-r", "receptor.pdbqt", "-l", "library", "-o", "out", *CENTER, *SEARCH, *more)

    def test_a_refused_screen_prints_no_summary(self):
        """A complete database was called incomplete when different settings were refused."""
        self.assert_well(self.screen())
        result = self.screen("--scoring", "ad4", "--resume")
        self.assert_refused(result, "scoring")
        self.assertNotRegex(result.stdout, r"(?m)^docked|not complete")

    def test_one_best_ligand(self):
        self.write("one.pdbqt", cli.ligand())
        result = self.berth("screen", "-r", "receptor.pdbqt", "-l", "one.pdbqt", "-o", "out", *CENTER, *SEARCH)
        self.assert_well(result)
        self.assertIn("the best 1 ligand is in out/top.csv", result.stderr)

    @needs_rdkit
    def test_undefined_stereochemistry_is_counted(self):
        self.write("drawn.smi", "CC(O)CC open\nC[C@H](O)CC defined\nCCCC none\n")
        result = self.berth("screen", "-r", "receptor.pdbqt", "-l", "drawn.smi", "-o", "out", *CENTER, *SEARCH)
        self.assert_well(result)
        self.assertIn("stereo    undefined in 1 ligand: one isomer", result.stdout)

    @needs_both
    def test_the_page_of_a_screen_says_how_ligands_and_receptor_were_protonated(self):
        self.write("p.pdb", molecules.protein())
        self.write("amine.smi", "CCN amine\n")
        self.assert_well(self.berth("screen", "-r", "p.pdb", "-l", "amine.smi", "-o", "raw", *cli.BOX, *SEARCH))
        self.assert_well(self.berth("report", "raw", "-o", "raw.html"))
        self.assertIn("ligands and receptor as in their files, else pH 7.4", (self.folder / "raw.html").read_text())

    def test_the_limit_on_the_size_of_files_is_named(self):
        """`ulimit -f` ended a screen with "disk I/O error"."""
        words = [str(cli.BIN / "berth"), "screen", "-r", "receptor.pdbqt", "-l", "library", "-o", "out", *CENTER, *SEARCH]
        limited = ["bash", "-c", 'ulimit -f 32 && exec "$@"', "bash", *words]
        result = subprocess.run(limited, cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("ulimit -f", result.stderr)
        self.assert_well(self.screen("--resume" if (self.folder / "out/screen.db").exists() else "-q"))

    def test_a_merge_of_some_parts_says_how_to_merge_again(self):
        self.assert_well(self.screen("--shard", "1/2"))
        part = self.folder / "out/shard-1-of-2.db"
        result = self.berth("merge", part, "-o", "out")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, r"resume them, remove out/screen\.db, then merge again")
        self.assert_well(self.screen("--shard", "2/2"))
        (self.folder / "out/screen.db").unlink()
        self.assert_well(self.berth("merge", part, self.folder / "out/shard-2-of-2.db", "-o", "out"))


class Macrocycles(cli.Case):
    def closures(self, path):
        """Distance of each glue point to the nearest closure carbon, of every pose of a PDBQT file."""
        poses = [[]]
        for line in path.read_text().splitlines():
            if line.startswith(("ATOM", "HETATM")):
                poses[-1].append((line.split()[-1], [float(line[k:k + 8]) for k in (30, 38, 46)]))
            elif line.startswith("ENDMDL"):
                poses.append([])
        return [min(math.dist(at, other) for name, other in pose if name.startswith("CG"))
                for pose in poses for kind, at in pose if kind.startswith("G")]

    def test_opened_rings_are_closed_and_minimized(self):
        """Closed rings could not move: "moved 0.00" for every cluster."""
        shutil.copy(cli.SOURCE / "tests/data/lactone.pdbqt", self.folder)
        for scoring, words in (("vina", ["--rescore", "vinardo"]), ("ad4", ["--scoring", "ad4"])):
            with self.subTest(scoring):
                self.assert_well(self.berth("dock", "-r", cli.SOURCE / "examples/1hpv/receptor.pdbqt", "-l", "lactone.pdbqt",
                                            "-o", scoring, "--center", "9.4,16.1,9.2", "--size", "20,18,25", *words, "-n",
                                            "4" if os.environ.get("BERTH_TEST_SHORT") else "8", "-s", "1", "--format", "pdbqt"))
                distances = self.closures(self.folder / scoring / "lactone.pdbqt")
                self.assertGreaterEqual(len(distances), 2)
                self.assertLess(max(distances), 0.02)
                self.assertEqual(len(distances) % 2, 0)
        clusters = json.loads((self.folder / "vina/lactone.json").read_text())["clusters"]
        moved = [score["rmsd_docked"] for cluster in clusters for score in cluster["rescored"]]
        self.assertGreater(sorted(moved)[len(moved) // 2], 0.05, moved)


class Recipes(cli.Case):
    def test_options_exist(self):
        """Every option in the pages for new users exists in its command."""
        known = {}
        for page in ("README.md", "docs/recipes.md", "docs/user-guide.md", "docs/screening.md", "docs/coming-from.md", "docs/gnina.md"):
            text = (cli.SOURCE / page).read_text().replace("\\\n", " ")
            for command, line in re.findall(r"\bberth (dock|screen|score|grid|merge|report|pockets|bude|vina|gnina) ([^`\n#|]*)", text):
                if command not in known:
                    known[command] = set(re.findall(r"--[a-z][\w-]*", self.berth(command, "--help").stdout))
                for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", line):
                    self.assertIn(option, known[command], f"{page}: berth {command} {line}")

    def test_the_two_commands_of_the_readme(self):
        """Each on its own line: pasted together, the second was part of the first one's comment."""
        block = re.search(r"(?ms)^## Two commands\n\n```\n(.*?)^```", (cli.SOURCE / "README.md").read_text()).group(1)
        self.assertEqual([line.split()[0] for line in block.splitlines()], ["scripts/demo", "scripts/test"])


class Scripts(cli.Case):
    """The scripts of a bare machine."""

    def bash(self, *lines):
        words = ["bash", "-c", "; ".join(("cd " + shlex.quote(str(cli.SOURCE)), ". scripts/common.sh", *lines))]
        return subprocess.run(words, capture_output=True, text=True, timeout=60, check=True).stdout

    def test_the_check_of_globs_is_no_compilation(self):
        """ "compiled 0 of 2" for the first minute of 385 files."""
        self.write("log", "[0/2] Re-checking globbed directories...\n")
        log = shlex.quote(str(self.folder / "log"))
        self.assertEqual(self.bash(f"ninja_progress {log} || true"), "")
        self.write("log", "[0/2] Re-checking globbed directories...\n[1/385] Building C object a.o\n")
        self.assertEqual(self.bash(f"ninja_progress {log}"), "compiled 1 of 385\n")

    @unittest.skipUnless(shutil.which("cmake"), "no CMake")
    def test_a_package_without_dependencies_is_refused(self):
        """Without dpkg-shlibdeps cpack made a package without dependencies."""
        for generator, code in (("DEB", 1), ("TXZ", 0)):
            script = str(cli.SOURCE / "cmake/PackageTools.cmake")
            words = [shutil.which("cmake"), f"-DCPACK_GENERATOR={generator}", "-P", script]
            result = subprocess.run(words, env={"PATH": str(self.folder)}, capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertEqual("install dpkg-dev and file" in " ".join(result.stderr.split()), code == 1, result.stderr)


if __name__ == "__main__":
    cli.main()
