"""berth vina takes AutoDock Vina's options and configuration files, prints its table and writes its files.

Where `vina` itself is installed, numbers and formats are compared with its output.
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

import berth_cli as cli

BOX = ["--center_x", "0", "--center_y", "0", "--center_z", "0", "--size_x", "15", "--size_y", "15", "--size_z", "15"]
QUICK = ["--exhaustiveness", "3", "--max_evals", "3000", "--seed", "7", "--cpu", "1"]
HEAD = ("mode |   affinity | dist from best mode\n"
        "     | (kcal/mol) | rmsd l.b.| rmsd u.b.\n"
        "-----+------------+----------+----------\n")
ROW = re.compile(r"^ {,3}\d+    .{9}  .{9}  .{9}$")
REMARKS = [r"REMARK VINA RESULT: {,9}-?\d+\.\d{3} +\d+\.\d{3} +\d+\.\d{3}$", r"REMARK INTER \+ INTRA:    .{12}$",
           r"REMARK INTER:            .{12}$", r"REMARK INTRA:            .{12}$", r"REMARK UNBOUND:          .{12}$"]


def energies(text):
    """{'Ligand - Receptor': -7.1, ...} from the output of --score_only."""
    return {name.strip(): float(value) for name, value in re.findall(r"(?m)^(.{35}): (-?\d+\.\d{3}) \(kcal/mol\)", text)}


def models(text):
    """[[energy, lower, upper], ...] of a file of poses."""
    return [[float(x) for x in row.split()] for row in re.findall(r"(?m)^REMARK VINA RESULT:(.*)$", text)]


def element(kind):
    return "C" if kind == "A" else kind


def squared(p, q):
    return sum((a - b) ** 2 for a, b in zip(p, q))


def live():
    """The real vina; skips without it."""
    path = shutil.which("vina")
    if path is None:
        raise unittest.SkipTest("vina is not installed")
    if "AutoDock Vina" not in subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout:
        raise unittest.SkipTest(f"{path} is not AutoDock Vina")
    return path


class Base(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("ligand.pdbqt", cli.ligand(remarks=["a title", "VINA RESULT:  -1.0  0.0  0.0"]))

    def vina(self, *arguments, receptor=True, box=True, ligand=True, **options):
        words = (["--receptor", "receptor.pdbqt"] if receptor else []) + (BOX if box else [])
        words += ["--ligand", "ligand.pdbqt"] if ligand else []
        return self.berth("vina", *words, *arguments, **options)

    def text(self, name):
        return (self.folder / name).read_text()

    def check_distances(self, text):
        """The RMSDs of poses follow from the movable heavy atoms: by atom, and to the nearest of the element."""
        poses = [[(line[77:].strip()[0], [float(line[k:k + 8]) for k in (30, 38, 46)]) for line in model.splitlines()
                  if re.match(r"ATOM .{7} +(?!CA |CB |H)", line)] for model in text.split("ENDMDL")[:-1]]
        self.assertGreater(len(poses), 1)
        best = poses[0]
        for pose, (_, lower, upper) in zip(poses, models(text)):
            by_atom = sum(squared(p, q) for (_, p), (_, q) in zip(pose, best)) / len(best)
            nearest = max(sum(min(squared(p, q) for e, q in to if element(e) == element(kind)) for kind, p in of) / len(best)
                          for of, to in ((pose, best), (best, pose)))
            self.assertAlmostEqual(upper, by_atom ** 0.5, delta=0.002)
            self.assertAlmostEqual(lower, nearest ** 0.5, delta=0.002)


class Vina(Base):
    def test_help_and_version(self):
        options = ("receptor flex ligand batch scoring maps center_x size_z autobox out dir write_maps cpu seed exhaustiveness "
                   "max_evals num_modes min_rmsd energy_range spacing verbosity config score_only local_only randomize_only "
                   "no_refine force_even_voxels weight_gauss1 weight_rot weight_vinardo_repulsion weight_ad4_rot weight_glue "
                   "gpu_batch ligand_index search_mode ligand_directory output_directory thread rescore cnn rank-by help version help_advanced").split()
        for word in "--help", "--help_advanced":
            result = self.berth("vina", word)
            self.assert_well(result)
            for option in options:
                self.assertIn(f"--{option}", result.stdout)
        result = self.berth("vina", "--version")
        self.assert_well(result)
        self.assertRegex(result.stdout, r"^Berth \d")

    def test_a_link_of_that_name(self):
        (self.folder / "vina").symlink_to(cli.BIN / "berth")
        done = subprocess.run([self.path("vina"), "--version"], capture_output=True, text=True, check=False)
        self.assertRegex(done.stdout, r"^Berth \d")

    def test_table_and_file(self):
        result = self.vina(*QUICK, "--min_rmsd", "0")
        self.assert_well(result)
        self.assertIn("Output will be ligand_out.pdbqt\n", result.stdout)
        self.assertIn("Performing docking (random seed: 7) ... \n", result.stdout)
        self.assertIn("\n" + "*" * 51 + "\n", result.stdout)
        rows = result.stdout.split(HEAD)[1].splitlines()
        self.assertTrue(3 < len(rows) <= 9, rows)
        for row in rows:
            self.assertRegex(row, ROW)
        affinities = [float(row.split()[1]) for row in rows]
        self.assertEqual(affinities, sorted(affinities))
        self.assertEqual(rows[0].split()[2:], ["0", "0"])
        text = self.text("ligand_out.pdbqt")
        written = models(text)
        for row, values in zip(rows, written):
            for shown, value in zip(row.split()[1:], values):
                self.assertAlmostEqual(float(shown), value, delta=0.0006 + 1e-3 * abs(value))
        for lower, upper in ((m[1], m[2]) for m in written):
            self.assertLessEqual(lower, upper + 1e-9)
        self.check_lines(text, self.text("ligand.pdbqt"))
        self.check_distances(text)

    def check_lines(self, text, source):
        """Each MODEL: its number, remarks, the lines of the input with other coordinates, ENDMDL."""
        source = [line for line in source.splitlines() if not line.startswith("REMARK VINA")]
        for number, model in enumerate(text.split("ENDMDL\n")[:-1], 1):
            lines = model.splitlines()
            self.assertEqual(lines[0], f"MODEL {number}")
            for line, pattern in zip(lines[1:6], REMARKS):
                self.assertRegex(line, pattern)
            self.assertEqual(len(lines) - 6, len(source))
            for line, before in zip(lines[6:], source):
                atom = before.startswith("ATOM")
                self.assertEqual(line[:30] + line[54:] if atom else line, before[:30] + before[54:] if atom else before)

    def test_a_seed_repeats(self):
        texts = []
        for name in "a.pdbqt", "b.pdbqt":
            self.assert_well(self.vina(*QUICK, "--out", name))
            texts.append(self.text(name))
        self.assertEqual(*texts)
        self.assertNotIn("ligand_out.pdbqt", os.listdir(self.folder))

    def test_modes(self):
        self.assert_well(self.vina(*QUICK, "--min_rmsd", "0", "--num_modes", "2", "--out", "two.pdbqt"))
        self.assertEqual(len(models(self.text("two.pdbqt"))), 2)
        self.assert_well(self.vina(*QUICK, "--min_rmsd", "900", "--out", "one.pdbqt"))
        self.assertEqual(len(models(self.text("one.pdbqt"))), 1)
        result = self.vina(*QUICK, "--min_rmsd", "0", "--energy_range", "0", "--out", "range.pdbqt", "--verbosity", "2")
        self.assertEqual(len(models(self.text("range.pdbqt"))), 1)
        self.assertRegex(result.stdout, r"\n   1 +-?\d\.\d{4}     0\.0000     0\.0000\n   2 ")

    def test_verbosity(self):
        result = self.vina(*QUICK, "--verbosity", "0")
        self.assert_well(result)
        self.assertEqual(result.stdout, "")

    def test_scores(self):
        plain = self.vina("--score_only")
        self.assert_well(plain)
        terms = energies(plain.stdout)
        self.assertEqual(len(terms), 10)
        self.assertAlmostEqual(terms["Estimated Free Energy of Binding"],
                               terms["(1) Final Intermolecular Energy"] + terms["(2) Final Total Internal Energy"]
                               + terms["(3) Torsional Free Energy"] - terms["(4) Unbound System's Energy"], delta=0.002)
        self.assertEqual(energies(self.vina("--score_only", box=False).stdout), terms)  # no box is needed
        self.assertNotEqual(energies(self.vina("--score_only", "--scoring", "vinardo").stdout), terms)
        self.assertEqual(os.listdir(self.folder).count("ligand_out.pdbqt"), 0)

    def test_local_and_random(self):
        before = energies(self.vina("--score_only").stdout)["Estimated Free Energy of Binding"]
        result = self.vina("--local_only", "--out", "local.pdbqt")
        self.assert_well(result)
        terms = energies(result.stdout)
        self.assertLess(terms["Estimated Free Energy of Binding"], before + 0.001)
        self.assertTrue(self.text("local.pdbqt").startswith("REMARK a title\nROOT\n"))
        again = self.berth("vina", "--receptor", "receptor.pdbqt", *BOX, "--ligand", "local.pdbqt", "--score_only")
        for name, value in energies(again.stdout).items():
            self.assertAlmostEqual(value, terms[name], delta=0.02)
        self.assert_well(self.vina("--randomize_only", "--seed", "5", "--out", "a.pdbqt"))
        self.assert_well(self.vina("--randomize_only", "--seed", "5", "--out", "b.pdbqt"))
        self.assertEqual(self.text("a.pdbqt"), self.text("b.pdbqt"))
        self.assertNotEqual(self.text("a.pdbqt"), self.text("local.pdbqt"))

    def test_configuration(self):
        self.write("box.txt", "# a box\nreceptor = receptor.pdbqt\ncenter_x=0\ncenter_y = 0 # here\n center_z = 0\nsize_x = 15\n"
                              "size_y = 15\nsize_z = 15\n\nnum_modes = 1\nseed = 4\nautobox = false\r\n")
        result = self.berth("vina", "--config", "box.txt", "--ligand", "ligand.pdbqt", *QUICK)
        self.assert_well(result)
        self.assertIn("random seed: 7", result.stdout)  # the command line takes precedence
        self.assertEqual(len(models(self.text("ligand_out.pdbqt"))), 1)
        for line, words in (("size_q = 3", ["box.txt:1", "unknown option 'size_q'"]), ("size_x", ["box.txt:1", "name = value"]),
                            ("size_x = big", ["box.txt:1", "--size_x: 'big'"]), ("size_x =", ["--size_x: ''"])):
            self.write("box.txt", line + "\n")
            self.assert_refused(self.vina("--config", "box.txt", box=False), *words)
        self.assert_refused(self.vina("--config", "absent.txt"), "absent.txt")

    def test_bad_command_lines(self):
        for words, expected in ((["--weight_gauss1", "-1"], "--weight_gauss1"), (["--exhaustiveness", "0"], "--exhaustiveness"),
                                (["--scoring", "chemplp"], "ad4, vina, vinardo"), (["--scoring", "ad4"], "--maps"),
                                (["--center_y", "far"], "--center_y"), (["--foo"], "unknown option --foo"),
                                (["--batch", "ligand.pdbqt"], "remove one of them"), (["--ligand", "b.pdbqt"], "use --out"),
                                (["--maps", "here"], "--receptor and --maps"), (["--local_only", "--score_only"], "one of"),
                                (["--search_mode", "quick"], "fast, balance, detail")):
            self.assert_refused(self.vina(*words), expected)
        self.assert_refused(self.vina(receptor=False), "no receptor")
        self.assert_refused(self.vina(ligand=False), "no ligand")
        self.assert_refused(self.vina(box=False), "no box; use --center_x")
        self.assert_refused(self.berth("vina"), "no ligand")
        self.assert_refused(self.vina("--batch", "ligand.pdbqt", ligand=False), "--dir")

    def test_bad_input(self):
        self.assert_refused(self.vina("--ligand", "absent.pdbqt", ligand=False), "absent.pdbqt")
        self.write("bad.pdbqt", "this is no molecule\n")
        self.assert_refused(self.vina("--ligand", "bad.pdbqt", ligand=False), "bad.pdbqt:1")
        self.write("far.pdbqt", cli.ligand(shift=(30, 0, 0)))
        self.assert_refused(self.vina("--ligand", "far.pdbqt", "--score_only", ligand=False), "outside the grid box")
        self.write("two.pdbqt", "".join(f"MODEL {k}\n{cli.ligand()}ENDMDL\n" for k in (1, 2)))
        self.assert_refused(self.vina("--ligand", "two.pdbqt", "--local_only", ligand=False), "more than one molecule")
        both = self.vina("--ligand", "two.pdbqt", "--score_only", ligand=False)
        self.assert_well(both)
        self.assertEqual(re.findall("Ligand: (two_.)", both.stdout), ["two_1", "two_2"])
        self.assert_refused(self.vina("--out", "no/such/folder/x.pdbqt", *QUICK), "no/such/folder")
        self.assert_refused(self.vina("--center_x", "90", *QUICK), "no receptor atom")

    def test_warnings(self):
        result = self.vina("--score_only", "--max_step", "3", "--refine_step", "5", "--weight_rot", "0.05846")
        self.assert_well(result)
        self.assertEqual(result.stderr, "berth vina: warning: no effect in Berth: --max_step, --refine_step\n")

    def test_batches(self):
        self.write("other.pdbqt", cli.ligand(atoms=7, torsions=2))
        self.write("bad.pdbqt", "this is no molecule\n")
        files = ["ligand.pdbqt", "bad.pdbqt", "other.pdbqt"]
        result = self.vina("--batch", *files, "--dir", "docked/here", *QUICK, ligand=False)
        self.assert_well(result)
        self.assertIn("Ligands (batch mode): 3 molecules\n", result.stdout)
        self.assertIn("left out bad: bad.pdbqt:1", result.stderr)
        self.assertEqual(self.files("docked/here"), ["ligand_out.pdbqt", "other_out.pdbqt"])
        self.assertEqual(result.stdout.count(HEAD), 2)
        self.assert_well(self.vina(*QUICK))  # alone as together with others
        self.assertEqual(self.text("docked/here/ligand_out.pdbqt"), self.text("ligand_out.pdbqt"))
        self.write("index.txt", "ligand.pdbqt other.pdbqt\n")
        result = self.vina("--ligand_index", "index.txt", "--dir", "index", "--max_evals", "2000", "--search_mode", "fast",
                           ligand=False)
        self.assert_well(result)
        self.assertIn("Exhaustiveness: 10\n", result.stdout)
        result = self.vina("--gpu_batch", "other.pdbqt", "--dir", "index", "--max_evals", "2000", ligand=False)
        self.assertIn("Exhaustiveness: 20\n", result.stdout)
        result = self.vina("--batch", *files, "--score_only", ligand=False, box=False)
        self.assert_well(result)
        self.assertEqual(len(re.findall("Estimated Free Energy", result.stdout)), 2)
        self.assert_refused(self.vina("--ligand_index", "absent.txt", "--dir", "index", ligand=False), "absent.txt")

    def test_a_configuration_file_of_vina_gpu(self):
        """Its folders are a batch; how it divides the work has no effect."""
        (self.folder / "ligands").mkdir()
        for name in "a", "b":
            self.write(f"ligands/{name}.pdbqt", self.text("ligand.pdbqt"))
        box = "".join(f"{word}_{axis} = {value}\n" for word, value in (("center", 0), ("size", 20)) for axis in "xyz")
        self.write("gpu.txt", "receptor = receptor.pdbqt\nligand_directory = ligands\noutput_directory = docked\n"
                   "opencl_binary_path = /opt/kernels\nthread = 8000\nsearch_depth = 10\nrilc_bfgs = 1\n" + box)
        result = self.berth("vina", "--config", "gpu.txt", "--max_evals", "2000", "--search_mode", "fast")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.files("docked"), ["a_out.pdbqt", "b_out.pdbqt"])
        self.assertIn("no effect in Berth: --thread, --search_depth, --rilc_bfgs, --opencl_binary_path\n", result.stderr)

    def test_flexible_residues(self):
        self.write("flex.pdbqt", cli.residues())
        result = self.vina("--flex", "flex.pdbqt", *QUICK, "--min_rmsd", "0")
        self.assert_well(result)
        self.assertIn("Flex receptor: flex.pdbqt\n", result.stdout)
        model = self.text("ligand_out.pdbqt").split("ENDMDL")[0]
        self.assertLess(model.index("TORSDOF"), model.index("BEGIN_RES SER A  42"))
        self.assertEqual(model.count("END_RES"), 2)
        self.check_distances(self.text("ligand_out.pdbqt"))
        terms = energies(self.vina("--flex", "flex.pdbqt", "--score_only").stdout)
        self.assertNotEqual(terms["Flex   - Receptor"], 0)

    def test_maps(self):
        self.assert_well(self.vina("--score_only", "--write_maps", "maps/pocket"), code=1)  # as vina, makes no folder
        (self.folder / "maps").mkdir()
        self.assert_well(self.vina("--score_only", "--write_maps", "maps/pocket"))
        self.assertIn("pocket.C_H.map", self.files("maps"))
        exact = energies(self.vina("--score_only").stdout)["(1) Final Intermolecular Energy"]
        on_maps = [energies(result.stdout)["(1) Final Intermolecular Energy"] for result in
                   (self.vina("--score_only", "--maps", "maps/pocket", receptor=False, box=False),
                    self.vina("--score_only", "--no_refine"))]
        self.assertAlmostEqual(*on_maps, delta=0.01)
        self.assertNotEqual(on_maps[0], exact)
        os.remove(self.path("maps/pocket.maps.fld"))  # which vina does not write
        again = self.vina("--score_only", "--maps", "maps/pocket", receptor=False, box=False)
        self.assertEqual(energies(again.stdout)["(1) Final Intermolecular Energy"], on_maps[0])
        self.assert_well(self.vina("--maps", "maps/pocket", *QUICK, receptor=False, box=False))
        self.assert_refused(self.vina("--maps", "absent/pocket", receptor=False, box=False), "absent/pocket")

    def test_autodock4(self):
        self.assert_well(self.berth("grid", "-r", "receptor.pdbqt", "--types", "C,OA,N,A", "--center", "0,0,0", "--size",
                                    "15,15,15", "-o", "ad4"))
        result = self.vina("--scoring", "ad4", "--maps", "ad4", *QUICK, receptor=False, box=False)
        self.assert_well(result)
        self.assertIn("REMARK CONF_INDEPENDENT:", self.text("ligand_out.pdbqt"))
        result = self.vina("--scoring", "ad4", "--maps", "ad4", "--score_only", receptor=False, box=False)
        scored = self.berth("score", "-r", "ad4.maps.fld", "-l", "ligand.pdbqt", "--json").stdout
        self.assertAlmostEqual(energies(result.stdout)["Estimated Free Energy of Binding"],
                               float(re.search(r'"free_energy": ?(-?[\d.]+)', scored).group(1)), delta=0.001)


class Several(Base):
    """Several ligands docked together: --ligand a.pdbqt b.pdbqt."""

    def setUp(self):
        super().setUp()
        self.write("one.pdbqt", cli.ligand(shift=(-2, 1, 0)))
        self.write("two.pdbqt", cli.ligand(atoms=6, torsions=2, shift=(2.5, -1, 0.5)))

    def both(self, *arguments, **options):
        return self.vina("--ligand", "one.pdbqt", "two.pdbqt", *arguments, ligand=False, **options)

    def test_energies_between_them(self):
        """Far apart, each has its own energy; together also that between them, which Vina prints as side chains'."""
        parts = [energies(self.vina("--ligand", name, "--score_only", ligand=False).stdout) for name in ("one.pdbqt", "two.pdbqt")]
        result = self.both("--score_only")
        self.assert_well(result)
        together = energies(result.stdout)
        for name in "Ligand - Receptor", "Ligand":
            self.assertAlmostEqual(together[name], sum(part[name] for part in parts), delta=0.0021, msg=name)
        self.assertGreater(abs(together["Ligand - Flex side chains"]), 0.01)
        self.assertIn("\nLigands:\n  - one.pdbqt\n  - two.pdbqt\n", result.stdout)

    def test_poses(self):
        """A MODEL has the lines of both files, one after the other; each ligand keeps its bonds and moves by itself."""
        self.assert_well(self.both(*QUICK, "--min_rmsd", "0", "--energy_range", "1000", "--out", "both.pdbqt"))
        text = self.text("both.pdbqt")
        source = (self.text("one.pdbqt") + self.text("two.pdbqt")).splitlines()
        poses = text.split("ENDMDL\n")[:-1]
        self.assertTrue(3 < len(poses) <= 9)
        first = self.places(source)
        for pose in poses:
            lines = [line for line in pose.splitlines()[1:] if not re.match("REMARK (VINA|INTER|INTRA|UNBOUND)", line)]
            self.assertEqual([line[:30] + line[54:] for line in lines], [line[:30] + line[54:] for line in source])
            places = self.places(lines)
            for k in 0, 9:  # the first two atoms of each
                self.assertAlmostEqual(squared(places[k], places[k + 1]), squared(first[k], first[k + 1]), delta=0.01)
        self.check_distances(text)

    def places(self, lines):
        return [[float(line[k:k + 8]) for k in (30, 38, 46)] for line in lines if line.startswith("ATOM")]

    def test_other_work(self):
        scored = energies(self.both("--score_only").stdout)["(1) Final Intermolecular Energy"]
        local = self.both("--local_only", "--out", "local.pdbqt")
        self.assert_well(local)
        self.assertLess(energies(local.stdout)["(1) Final Intermolecular Energy"], scored)
        self.assert_well(self.both("--randomize_only", "--seed", "3", "--out", "random.pdbqt"))
        for name in "local.pdbqt", "random.pdbqt":
            self.assertEqual(self.text(name).count("ENDROOT"), 2)
        self.assert_well(self.both(*QUICK, "--scoring", "vinardo", "--out", "vinardo.pdbqt"))
        self.write("flex.pdbqt", cli.residues())
        self.assert_well(self.both(*QUICK, "--flex", "flex.pdbqt", "--out", "flex_out.pdbqt"))
        self.assertIn("BEGIN_RES", self.text("flex_out.pdbqt"))
        self.assert_well(self.both("--score_only", "--autobox", box=False))

    def test_the_same_twice(self):
        """Two copies of a ligand, and a third one."""
        result = self.vina("--ligand", "two.pdbqt", "two.pdbqt", "one.pdbqt", *QUICK, "--out", "three.pdbqt", ligand=False)
        self.assert_well(result)
        self.assertEqual(self.text("three.pdbqt").split("ENDMDL")[0].count("TORSDOF"), 3)

    def test_refusals(self):
        self.assert_refused(self.both(), "use --out")
        self.write("bad.pdbqt", self.text("two.pdbqt").replace("TORSDOF", "TORSFOD"))
        self.write("more.pdbqt", "".join(f"MODEL {k}\n{self.text('two.pdbqt')}ENDMDL\n" for k in (1, 2)))
        for other, words in ("bad.pdbqt", "bad.pdbqt:"), ("more.pdbqt", "more than one molecule"), ("absent.pdbqt", "absent.pdbqt"):
            for files in (["one.pdbqt", other], [other, "one.pdbqt"]):
                self.assert_refused(self.vina("--ligand", *files, "--out", "o.pdbqt", ligand=False), words)


class Live(Base):
    """The same command lines as for vina itself."""

    def test_several_ligands(self):
        """Single points agree; Berth's minimized and docked energies are no worse."""
        self.write("one.pdbqt", cli.ligand(shift=(-2, 1, 0)))
        self.write("two.pdbqt", cli.ligand(atoms=6, torsions=2, shift=(2.5, -1, 0.5)))
        ligands = ["--ligand", "one.pdbqt", "two.pdbqt"]
        for function in "vina", "vinardo":
            mine, other = [energies(r.stdout) for r in self.both("--score_only", "--scoring", function, ligands=ligands)]
            self.assertEqual(list(mine), list(other))
            for name, value in other.items():
                self.assertAlmostEqual(mine[name], value, delta=0.005, msg=name)
        mine, other = [energies(r.stdout)["(1) Final Intermolecular Energy"] for r in self.both("--local_only", ligands=ligands)]
        self.assertLess(mine, other + 0.1)
        self.both("--exhaustiveness", "8", "--seed", "7", "--cpu", "1", "--max_evals", "20000", ligands=ligands)
        mine, other = [float(re.search(r"INTER \+ INTRA: +(\S+)", self.text(name + ".pdbqt")).group(1)) for name in ("ours", "theirs")]
        self.assertLess(mine, other + 0.1)
        self.assertEqual(*[[line[:30] + line[54:] for line in self.text(name + ".pdbqt").split("ENDMDL")[0].splitlines()[6:]]
                           for name in ("ours", "theirs")])

    def both(self, *arguments, ligands=("--ligand", "ligand.pdbqt")):
        """Berth's result and, if requested, its file of poses; then vina's."""
        live()
        words = ["--receptor", "receptor.pdbqt", *ligands, *BOX, *arguments]
        theirs = subprocess.run([live(), *words, "--out", "theirs.pdbqt"], cwd=self.folder, capture_output=True, text=True,
                                check=False)
        self.assertEqual(theirs.returncode, 0, theirs.stderr)
        ours = self.berth("vina", *words, "--out", "ours.pdbqt")
        self.assert_well(ours)
        return ours, theirs

    def setUp(self):
        super().setUp()
        self.write("ligand.pdbqt", cli.ligand(remarks=["a title"]))

    def test_scores(self):
        for function in "vina", "vinardo":
            mine, other = [energies(result.stdout) for result in self.both("--score_only", "--scoring", function)]
            self.assertEqual(list(mine), list(other))
            for name, value in other.items():
                self.assertAlmostEqual(mine[name], value, delta=0.005, msg=name)

    def test_maps_of_vina(self):
        (self.folder / "maps").mkdir()
        self.both("--score_only", "--force_even_voxels", "--write_maps", "maps/x")  # vina's overwrite Berth's
        for name in os.listdir(self.folder / "maps"):
            os.remove(self.folder / "maps" / name)
        words = ["--ligand", "ligand.pdbqt", "--score_only"]
        subprocess.run([live(), "--receptor", "receptor.pdbqt", *BOX, *words, "--force_even_voxels", "--write_maps", "maps/x"],
                       cwd=self.folder, capture_output=True, check=True)
        theirs = subprocess.run([live(), "--maps", "maps/x", *words], cwd=self.folder, capture_output=True, text=True, check=True)
        ours = self.berth("vina", "--maps", "maps/x", *words)
        self.assert_well(ours)
        for name, value in energies(theirs.stdout).items():
            self.assertAlmostEqual(energies(ours.stdout)[name], value, delta=0.005, msg=name)

    def test_files(self):
        """Lines that do not depend on the pose are the same, also of flexible residues, and so is the other text."""
        self.write("flex.pdbqt", cli.residues())
        ours, theirs = self.both("--flex", "flex.pdbqt", *QUICK)
        texts = []
        for name in "ours.pdbqt", "theirs.pdbqt":
            lines = self.text(name).split("ENDMDL")[0].splitlines()
            for line, pattern in zip(lines[1:6], REMARKS):
                self.assertRegex(line, pattern)
            texts.append([line[:30] + line[54:] for line in lines[:1] + lines[6:]])
        self.assertEqual(*texts)
        for result in ours, theirs:
            for row in result.stdout.split(HEAD)[1].splitlines():
                self.assertRegex(row, ROW)
        words = [re.findall(r"(?m)^(Scoring function.*|.*receptor:.*|Ligand.*|Grid.*|CPU.*|Computing.*|Performing.*|0%.*|\|.*)$",
                            result.stdout) for result in (ours, theirs)]
        self.assertEqual(*words)

    def test_distances(self):
        self.both("--exhaustiveness", "4", "--max_evals", "3000", "--seed", "7", "--cpu", "1", "--energy_range", "1000")
        self.check_distances(self.text("theirs.pdbqt"))


class Meeko(Base):
    def test_export(self):
        """mk_export.py makes an SDF of the poses; science/test_parsers.py may have installed it."""
        folders = [os.path.dirname(sys.executable), str(cli.BIN.parent / "parsers-venv" / "bin")]
        found = [folder for folder in folders if os.path.exists(os.path.join(folder, "mk_export.py"))]
        if not found:
            raise unittest.SkipTest("Meeko is not installed")
        example = cli.SOURCE / "examples" / "1hpv"
        self.assert_well(self.berth("vina", "--receptor", example / "receptor.pdbqt", "--ligand", example / "ligand.pdbqt",
                                    "--center_x", "9.9", "--center_y", "16.4", "--center_z", "9.2", "--size_x", "24",
                                    "--size_y", "24", "--size_z", "24", *QUICK, "--out", "poses.pdbqt"))
        done = subprocess.run([os.path.join(found[0], "python3"), os.path.join(found[0], "mk_export.py"), "poses.pdbqt", "-s",
                               "poses.sdf"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.text("poses.sdf").count("$$$$"), len(models(self.text("poses.pdbqt"))))


if __name__ == "__main__":
    cli.main()
