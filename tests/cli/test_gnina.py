"""berth gnina takes gnina's and smina's options, lets networks rank poses, prints gnina's table and writes its items.

Networks of the tests have random weights; with those of gnina installed, they are tried as well.

    test_gnina.py BIN
"""
import gzip
import io
import json
import math
import os
import random
import re
import struct
import subprocess
import unittest
import zipfile

import berth_cli as cli
import torch_files as networks
from test_raw_dock import GEMMI, RDKIT

EXAMPLE = cli.SOURCE / "examples/1hpv"
BOX = ["--center_x", "0", "--center_y", "0", "--center_z", "0", "--size_x", "15", "--size_y", "15", "--size_z", "15"]
QUICK = ["--exhaustiveness", "2", "--seed", "7", "--cpu", "1"]
HEAD = ("mode |  affinity  |    CNN     |   CNN\n"
        "     | (kcal/mol) | pose score | affinity\n"
        "-----+------------+------------+----------\n")
ITEMS = ["minimizedAffinity", "CNNscore", "CNNaffinity", "CNN_VS"]
INSTALLED = cli.NETWORKS


def network(seed):
    """A state dictionary of default2018 with small random weights."""
    rng = random.Random(seed)
    shapes = networks.shapes()
    state = {name: networks.Tensor(networks.Storage("storage", networks.FloatStorage, str(k), "cpu", networks.count(shape)), shape)
             for k, (name, shape) in enumerate(shapes.items())}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("net/data.pkl", networks.pickled(state))
        for k, shape in enumerate(shapes.values()):
            n, spread = networks.count(shape), 2 / math.sqrt(networks.count(shape[1:]) or 1)
            packed.writestr(f"net/data/{k}", struct.pack(f"<{n}f", *(rng.uniform(-spread, spread) for _ in range(n))))
    return out.getvalue()


MADE = {f"net_{seed}.pt": network(seed) for seed in (1, 2)}


def remarks(text):
    """[{'CNNscore': 0.7, ...}, ...] of a PDBQT file."""
    return [{name: float(value) for name, value in re.findall(r"(?m)^REMARK (\w+) (-?\d+\.\d{5})$", model)}
            for model in text.split("ENDMDL\n")[:-1]]


def records(text):
    """[{'CNNscore': '0.70000', ...}, ...] of an SDF file."""
    return [dict(re.findall(r"(?m)^> +<(\w+)>.*\n(.*)$", record)) for record in text.split("$$$$\n")[:-1]]


def scores(text):
    """[{'Affinity': -7.1, ...}, ...] of --score_only and --minimize."""
    result = []
    for name, value in re.findall(r"(?m)^(Affinity|RMSD|CNN\w+): (-?\d+\.\d{5})", text):
        if name == "Affinity":
            result.append({})
        result[-1][name] = float(value)
    return result


class Base(cli.Case):
    def setUp(self):
        super().setUp()
        before = {name: os.environ.get(name) for name in ("BERTH_NETWORKS", "XDG_DATA_HOME", "HOME")}
        self.addCleanup(lambda: [os.environ.pop(n, None) if v is None else os.environ.update({n: v}) for n, v in before.items()])
        os.environ.update(BERTH_NETWORKS=self.path("nets"), XDG_DATA_HOME=self.path("data"), HOME=self.path("home"))

    def install(self):
        for name, data in MADE.items():
            self.write(name, data)
        self.assert_well(self.berth("networks", "install", "-q", *MADE))

    def gnina(self, *arguments, box=BOX, cnn="net_ensemble", search=QUICK, **options):
        words = ["-r", "receptor.pdbqt", "-l", "ligand.pdbqt", *box, *search, *(["--cnn", *cnn.split()] if cnn else [])]
        return self.berth("gnina", *words, *arguments, **options)

    def text(self, name):
        return (self.folder / name).read_text()


class Command(Base):
    def test_help_version_and_links(self):
        options = ("receptor flex ligand flexres flexdist flexdist_ligand center_x size_z autobox_ligand autobox_add autobox_extend "
                   "no_lig scoring custom_scoring custom_atoms score_only local_only minimize randomize_only num_mc_steps max_mc_steps "
                   "num_mc_saved minimize_iters simple_ascent accurate_line minimize_early_term approximation factor force_cap user_grid "
                   "user_grid_lambda print_terms print_atom_types out out_flex log atom_terms atom_term_data pose_sort_order "
                   "full_flex_output cnn cnn_model cnn_rotation cnn_scoring cnn_update_min_frame cnn_freeze_receptor cnn_mix_emp_force "
                   "cnn_mix_emp_energy cnn_empirical_weight cnn_center_x cnn_center_y cnn_center_z cnn_verbose cpu seed exhaustiveness "
                   "num_modes min_rmsd_filter quiet addH stripH device no_gpu config help help_hidden version").split()
        for word in "--help", "--help_hidden":
            result = self.berth("gnina", word)
            self.assert_well(result)
            for option in options:
                self.assertIn(f"--{option}", result.stdout)
        self.assertRegex(self.berth("gnina", "--version").stdout, r"^Berth \d")
        for name in "gnina", "smina":
            (self.folder / name).symlink_to(cli.BIN / "berth")
            done = subprocess.run([self.path(name), "--version"], capture_output=True, text=True, check=False)
            self.assertRegex(done.stdout, r"^Berth \d")
        done = subprocess.run([self.path("smina"), "-r", self.path("receptor.pdbqt"), "-l", self.path("ligand.pdbqt"), "--score_only"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(list(scores(done.stdout)[0]), ["Affinity"])

    def test_refusals(self):
        self.install()
        self.write("notes.txt", "x")
        for more, words in ((["--cnn_scoring", "refinement"], ["refinement", "do not refine", "use rescore"]),
                            (["--cnn_scoring", "metrorefine"], ["metrorefine"]), (["--num_mc_steps", "9"], ["--exhaustiveness"]),
                            (["--custom_scoring", "x"], ["--scoring"]), (["--no_lig"], ["leave it out"]),
                            (["--randomize_only"], ["berth vina --randomize_only"]), (["--cnn_rotation", "3"], ["use 0"]),
                            (["--cnn_center_x", "-3"], ["centered"]), (["--atom_terms", "x"], ["--per-atom"]),
                            (["--addH", "off"], ["--addH off"]), (["--exhaustivness", "3"], ["did you mean --exhaustiveness?"]),
                            (["--score_only", "--minimize"], ["use one of"]), (["--flexdist", "3"], ["--flexdist_ligand"]),
                            (["--out_flex", "x.pdb"], ["flexible side chains"]), (["--autobox_ligand", "ligand.pdbqt"], ["remove one"]),
                            (["--cnn_scoring", "none", "--pose_sort_order", "CNNscore"], ["needs networks"]),
                            (["-o", "poses.mol2"], ["poses.mol2", ".sdf.gz"]), (["-o", "ligand.pdbqt"], ["overwritten"]),
                            (["--log", "receptor.pdbqt"], ["overwritten"]), (["-o", "none/x.pdbqt"], ["none"]),
                            (["-l", "absent.sdf"], ["absent.sdf", "no such file"]), (["--scoring", "dkoes_fast"], ["dkoes_fast"]),
                            (["-r", "notes.txt"], ["notes.txt"]), (["--config", "absent"], ["absent"])):
            with self.subTest(more):
                self.assert_refused(self.gnina(*more, "-q"), *words)
        for cnn, words in (("absent", ["absent", "berth networks"]), ("other_ensemble", ["begins with 'other'"])):
            self.assert_refused(self.gnina("-q", cnn=cnn), *words)
        self.assert_refused(self.gnina("--cnn_model", "net_1.pt"), "--cnn and --cnn_model")
        self.assert_refused(self.gnina(box=[]), "--autobox_ligand")
        self.assert_refused(self.berth("gnina", "-r", "receptor.pdbqt"), "use -l")
        self.assert_refused(self.berth("gnina", "-l", "ligand.pdbqt", *BOX), "use -r")

    def test_without_networks(self):
        self.assert_refused(self.gnina(cnn=None), "not installed", "berth networks")
        result = self.gnina("--cnn_scoring", "none", "-o", "out.pdbqt", cnn=None)
        self.assert_well(result)
        self.assertIn("mode |  affinity\n", result.stdout)
        found = remarks(self.text("out.pdbqt"))
        self.assertEqual([list(pose) for pose in found], [["minimizedAffinity"]] * len(found))
        self.assertEqual(found, sorted(found, key=lambda pose: pose["minimizedAffinity"]))

    def test_no_effect(self):
        result = self.gnina("--score_only", "--cnn_scoring", "none", "--factor", "10", "--approximation", "exact", "--cnn_verbose",
                            "--user_grid_lambda", "-1", "--cnn_rotation", "0", cnn=None)
        self.assert_well(result)
        self.assertEqual(result.stderr, "berth gnina: warning: no effect in Berth: --approximation, --factor, --cnn_verbose\n")


class Docking(Base):
    def setUp(self):
        super().setUp()
        self.install()

    def test_table_file_and_log(self):
        result = self.gnina("-o", "out.pdbqt", "--log", "log")
        self.assert_well(result)
        self.assertIn("Using random seed: 7\n", result.stdout)
        self.assertIn("\n" + "*" * 51 + "\n", result.stdout)
        rows = [row.split() for row in result.stdout.split(HEAD)[1].splitlines()]
        self.assertTrue(1 < len(rows) <= 9, rows)
        self.assertIn(HEAD + result.stdout.split(HEAD)[1], self.text("log"))
        poses = remarks(self.text("out.pdbqt"))
        self.assertEqual(re.findall(r"(?m)^MODEL (\d+)$", self.text("out.pdbqt")), [str(k + 1) for k in range(len(rows))])
        for row, pose in zip(rows, poses):
            self.assertEqual(list(pose), [*ITEMS, "CNNaffinity_variance"])
            for shown, name, digits in zip(row[1:], ITEMS, (2, 4, 3)):
                self.assertAlmostEqual(float(shown), pose[name], delta=0.6 * 10 ** -digits)
            self.assertAlmostEqual(pose["CNN_VS"], pose["CNNscore"] * pose["CNNaffinity"], delta=2e-4)
        self.assertEqual(poses, sorted(poses, key=lambda pose: -pose["CNNscore"]))
        self.assertGreater(poses[0]["CNNscore"], poses[-1]["CNNscore"])
        quiet = self.gnina("-q", "-o", "again.pdbqt")
        self.assertEqual(quiet.stdout + quiet.stderr, "")
        self.assertEqual(self.text("again.pdbqt"), self.text("out.pdbqt"))

    def test_orders_and_numbers_of_poses(self):
        self.assert_well(self.gnina("-o", "all.pdbqt"))
        poses = remarks(self.text("all.pdbqt"))
        for order, key in (("CNNaffinity", lambda pose: -pose["CNNaffinity"]), ("Energy", lambda pose: pose["minimizedAffinity"])):
            self.assert_well(self.gnina("-o", "sorted.pdbqt", "--pose_sort_order", order))
            self.assertEqual(remarks(self.text("sorted.pdbqt")), sorted(poses, key=key))
        self.assert_well(self.gnina("-o", "one.pdbqt", "--num_modes", "1"))
        self.assertEqual(remarks(self.text("one.pdbqt")), poses[:1])  # the best of nine, not of one
        self.assert_well(self.gnina("-o", "far.pdbqt", "--min_rmsd_filter", "900"))
        self.assertEqual(len(remarks(self.text("far.pdbqt"))), 1)

    def test_networks_by_name_and_file(self):
        single = []
        for words in ("net_1", "net_2"), ("net_2", "net_1"):
            result = self.gnina("--score_only", "-q", cnn=words[0])
            self.assert_well(result)
            single.append(scores(result.stdout)[0])
            self.assertEqual(single[-1]["CNNvariance"], 0)
        both = scores(self.gnina("--score_only", "-q", cnn="net_1 net_2").stdout)[0]
        for name in "CNNscore", "CNNaffinity":
            self.assertAlmostEqual(both[name], sum(s[name] for s in single) / 2, delta=2e-5)
        half = (single[0]["CNNaffinity"] - single[1]["CNNaffinity"]) / 2
        self.assertAlmostEqual(both["CNNvariance"], half * half, delta=1e-4)
        self.assertGreater(both["CNNvariance"], 0)
        for words in (["--cnn", "net_1,net_2"], ["--cnn_model", "net_1.pt", "nets/net_2.btn"], ["--cnn", "net_ensemble"]):
            self.assertEqual(scores(self.gnina("--score_only", "-q", *words, cnn=None).stdout)[0], both, words)
        score = self.berth("score", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "--scoring", "cnn", "--cnn", "net_1,net_2", "--json")
        self.assertAlmostEqual(json.loads(score.stdout)["cnn"]["score"], both["CNNscore"], delta=1e-5)

    def test_poses_are_scored_again(self):
        self.assert_well(self.gnina("-o", "out.pdbqt"))
        result = self.berth("gnina", "-r", "receptor.pdbqt", "-l", "out.pdbqt", "--score_only", "--cnn", "net_ensemble", "-q")
        self.assert_well(result)
        again, poses = scores(result.stdout), remarks(self.text("out.pdbqt"))
        self.assertEqual(len(again), len(poses))
        for pose, other in zip(poses, again):
            self.assertAlmostEqual(pose["minimizedAffinity"], other["Affinity"], delta=0.01)
            self.assertAlmostEqual(pose["CNNscore"], other["CNNscore"], delta=0.002)

    def test_minimize(self):
        scored = scores(self.gnina("--score_only", box=[]).stdout)[0]
        for word in "--minimize", "--local_only":
            result = self.gnina(word, "-o", "min.pdbqt", box=[])
            self.assert_well(result)
            minimized = scores(result.stdout)[0]
            self.assertLess(minimized["Affinity"], scored["Affinity"])
            self.assertGreater(minimized["RMSD"], 0)
            written = remarks(self.text("min.pdbqt"))[0]
            self.assertEqual(list(written), ["minimizedAffinity", "minimizedRMSD", *ITEMS[1:], "CNNaffinity_variance"])
            self.assertEqual([written[name] for name in ("minimizedAffinity", "minimizedRMSD", "CNNscore")],
                             [minimized[name] for name in ("Affinity", "RMSD", "CNNscore")])

    def test_several_ligands(self):
        self.write("second.pdbqt", cli.ligand(torsions=1))
        self.write("bad.pdbqt", "no ligand\n")
        result = self.gnina("bad.pdbqt", "-l", "ligand.pdbqt", "bad.pdbqt", "second.pdbqt", "-o", "out.pdbqt", "--num_modes", "2")
        self.assertEqual(result.returncode, 1)  # a word that belongs to no option
        result = self.berth("gnina", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "bad.pdbqt", "second.pdbqt", *BOX, *QUICK,
                            "-o", "out.pdbqt.gz", "--num_modes", "2", "--cnn", "net_1")
        self.assert_well(result)
        self.assertEqual(re.findall(r"(?m)^## (.*)$", result.stdout), ["ligand", "second"])
        self.assertRegex(result.stderr, r"(?m)^berth gnina: left out bad: bad.pdbqt")
        self.assertIn("berth gnina: 2 done, 1 left out\n", result.stderr)
        text = gzip.open(self.path("out.pdbqt.gz"), "rt").read()
        self.assertEqual(re.findall(r"(?m)^MODEL (\d+)$", text), ["1", "2", "3", "4"])
        self.assertEqual(re.findall(r"(?m)^TORSDOF (\d)$", text), ["3", "3", "1", "1"])
        self.assertEqual([list(pose) for pose in remarks(text)], [ITEMS] * 4)

    def test_configuration_file(self):
        self.write("dock.conf", "receptor = receptor.pdbqt\nligand = ligand.pdbqt\nautobox_ligand = ligand.pdbqt\nautobox_add = 3\n"
                   "autobox_extend = 0 # off\ncnn = net_1\nexhaustiveness = 1\nseed = 3\nnum_modes = 2\n")
        result = self.berth("gnina", "--config", "dock.conf", "-o", "out.pdbqt", "--num_modes", "1")
        self.assert_well(result)
        self.assertEqual(len(remarks(self.text("out.pdbqt"))), 1)
        small = float(re.search(r"Box: ([\d.]+) x", result.stdout)[1])
        wide = self.berth("gnina", "--config", "dock.conf", "--autobox_extend", "on", "--autobox_add", "0").stdout
        span = [float(edge) for edge in re.search(r"Box: ([\d.]+) x ([\d.]+) x ([\d.]+) ", wide).groups()]
        self.assertAlmostEqual(min(span), max(span), delta=1e-6)  # as long as the ligand in every direction
        self.assertGreater(small, span[0])


@unittest.skipUnless(RDKIT and GEMMI, "a build without RDKit or gemmi")
class Files(Base):
    """The commands of gnina's first pages, on files as they come."""

    def setUp(self):
        super().setUp()
        self.install()
        self.write("rec.pdb", "".join(line for line in (EXAMPLE / "1hpv.pdb").read_text().splitlines(True)
                                      if not line.startswith(("HETATM", "CONECT", "MASTER"))))
        smiles = (EXAMPLE / "amprenavir.smi").read_text().split()[0]
        self.assert_well(self.berth("prep", "ligand", "-r", EXAMPLE / "1hpv.pdb", "--ligand-from", "478", "--template", smiles, "-o",
                                    "lig.sdf"))
        text = self.text("lig.sdf").replace("$$$$", "> <CNNscore>\n0.1\n\n> <source>\nmine\n\n$$$$")
        self.write("lig.sdf", text)

    def on_files(self, *words):
        result = self.berth("gnina", "-r", "rec.pdb", "-l", "lig.sdf", "--cnn", "net_1", *words)
        self.assert_well(result)
        return result

    def test_docking(self):
        self.on_files("--autobox_ligand", "lig.sdf", "-o", "docked.sdf.gz", *QUICK)
        text = gzip.open(self.path("docked.sdf.gz"), "rt").read()
        found = records(text)
        self.assertEqual(text.count("> <CNNscore>\n"), len(found))
        for record in found:
            self.assertEqual([name for name in record if name in ITEMS], ITEMS)
            self.assertNotIn("minimizedRMSD", record)
            self.assertEqual(record["source"], "mine")
            self.assertNotIn("rank", record)
        self.assertEqual([r["CNNscore"] for r in found], sorted((r["CNNscore"] for r in found), key=float, reverse=True))
        result = self.berth("gnina", "-r", "rec.pdb", "-l", "docked.sdf.gz", "--score_only", "-q", "--cnn", "net_1")
        self.assert_well(result)
        for record, again in zip(found, scores(result.stdout)):
            self.assertAlmostEqual(float(record["minimizedAffinity"]), again["Affinity"], delta=0.01)

    def test_given_poses(self):
        before = scores(self.on_files("--score_only", "-o", "same.sdf").stdout)[0]
        after = scores(self.on_files("--minimize", "-o", "min.sdf").stdout)[0]
        self.assertLess(after["Affinity"], before["Affinity"])
        same, minimized = records(self.text("same.sdf"))[0], records(self.text("min.sdf"))[0]
        self.assertEqual(float(same["CNNscore"]), before["CNNscore"])
        self.assertEqual(float(minimized["minimizedRMSD"]), after["RMSD"])

    def test_flexible_side_chains(self):
        result = self.on_files("--autobox_ligand", "lig.sdf", "--flexdist_ligand", "lig.sdf", "--flexdist", "3.59", "--flex_max", "2",
                               "-o", "flex.sdf", "--out_flex", "flex.pdb", "--num_modes", "2", "--exhaustiveness", "1", "--seed", "1")
        residues = re.search(r"Flexible residues: (\S+),(\S+)\n", result.stdout).groups()
        text = self.text("flex.pdb")
        self.assertEqual(text.count("MODEL "), len(records(self.text("flex.sdf"))))
        for residue in residues:
            chain, name, number = re.fullmatch(r"(.):([A-Z]{3})(\d+)", residue).groups()
            self.assertIn(f" {name} {chain}{number:>4} ", text)
        again = self.berth("gnina", "-r", "rec.pdb", "-l", "flex.sdf", "--score_only", "-q", "--cnn", "net_1")
        self.assert_well(again)
        self.assertAlmostEqual(scores(again.stdout)[0]["Affinity"], float(records(self.text("flex.sdf"))[0]["minimizedAffinity"]),
                               delta=0.02)
        self.assert_refused(self.berth("gnina", "-r", "rec.pdb", "-l", "lig.sdf", "--autobox_ligand", "lig.sdf", "--flexdist_ligand",
                                       "lig.sdf", "--flexdist", "5", "--flex_limit", "1", "-q"), "--flex_limit")
        self.on_files("--autobox_ligand", "lig.sdf", "--flexres", "A:ILE50", "--num_modes", "1", "--exhaustiveness", "1", "-q")


@unittest.skipUnless(os.path.exists(os.path.join(INSTALLED, "dense_3.btn")), "gnina's networks are not in BERTH_NETWORKS")
class Real(Base):
    def test_the_crystal_pose_is_right(self):
        os.environ["BERTH_NETWORKS"] = INSTALLED
        for cnn in [], ["--cnn", "fast"], ["--cnn", "dense_3"], ["--cnn", "default"]:
            result = self.berth("gnina", "-r", EXAMPLE / "receptor.pdbqt", "-l", EXAMPLE / "ligand-crystal.pdbqt", "--score_only", "-q", *cnn)
            self.assert_well(result)
            pose = scores(result.stdout)[0]
            self.assertGreater(pose["CNNscore"], 0.7)
            self.assertTrue(6 < pose["CNNaffinity"] < 11, pose)


if __name__ == "__main__":
    cli.main()
