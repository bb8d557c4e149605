"""Residues are named alike in every option, and advice mentions only options that the command has.

    test_words.py BIN
"""
import re
import subprocess
import unittest

import berth_cli as cli
from test_raw_dock import GEMMI

PDB = cli.SOURCE / "examples/1hpv/1hpv.pdb"
COMMANDS = {"dock": ["dock"], "screen": ["screen"], "score": ["score"], "grid": ["grid"], "bude": ["bude"],
            "prep": ["prep receptor", "prep ligand", "prep library"], "report": ["report"], "vina": ["vina"],
            "gnina": ["gnina"]}
# Files whose messages address the users of every command that has the first of these options.
SHARED = {"keep": ["src/prep/receptor"], "template": ["src/prep/ligand", "src/base/deadline.c"],
          "padding": ["cli/input/box.c"]}

# Wording that new users stumbled over.
STUMBLES = ("......", "is told", "NOT VALID", "made if absent", "so many of", "adds up", "add up",
            "go on with", "where they stand", "what moves", "counts more", "made up", "mini-app", "reckoned")


class Help(cli.Case):
    def pages(self):
        commands = [command for several in COMMANDS.values() for command in several]
        listed = re.findall(r"^  (\w+) ", self.berth("bench", "--help").stdout, re.M)
        self.assertIn("portability", listed)
        for command in ["", "bench", "merge", "pockets", "networks", "devices", "completion", *commands,
                        *(f"bench {name}" for name in listed)]:
            result = self.berth(*command.split(), "--help")
            self.assert_well(result)
            yield command, result.stdout

    def test_wording_and_width(self):
        for command, text in self.pages():
            for phrase in STUMBLES:
                self.assertNotIn(phrase, " ".join(text.split()), command)
            self.assertLess(max(map(len, text.splitlines())), 121, command)


@unittest.skipUnless(GEMMI, "a build without gemmi")
class Residues(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("x.pdb", PDB.read_text().replace("478   200", "XK2 A 263"))

    def test_the_box_and_what_goes(self):
        boxes = set()
        for word in ("XK2", "A:XK2", "XK2:A", "A:XK2:263", "XK2:A:263", "A:263", "XK2263", "x.pdb:A:XK2:263"):
            result = self.berth("dock", "-r", "x.pdb", "-l", "ligand.pdbqt", "--autobox", word, "-o", "out", "--overwrite",
                                "--spacing", "1", *cli.QUICK)
            self.assert_well(result)
            boxes.add(re.search(r"^box .*$", result.stdout, re.M)[0])
            report = (self.folder / "out/receptor-report.txt").read_text()
            self.assertRegex(report, r"A:XK2:263 +- +removed", word)
        self.assertEqual(len(boxes), 1)

    def test_a_box_around_several(self):
        boxes = {}
        for word in ("A:ASP25", "B:ASP25", "A:ASP25,B:25"):
            result = self.berth("dock", "-r", "x.pdb", "--delete", "A:XK2:263", "-l", "ligand.pdbqt", "--autobox", word,
                                "-o", "out", "--overwrite", "--spacing", "1", *cli.QUICK)
            self.assert_well(result)
            edges = re.search(r"^box +([\d.]+) x ([\d.]+) x ([\d.]+)", result.stdout, re.M)
            boxes[word] = [float(e) for e in edges.groups()]
            report = (self.folder / "out/receptor-report.txt").read_text()
            self.assertNotRegex(report, r"ASP25 +- +removed")
        for one, both in zip(boxes["A:ASP25"], boxes["A:ASP25,B:25"]):
            self.assertGreaterEqual(both, one)
        self.assertGreater(sum(boxes["A:ASP25,B:25"]), sum(boxes["A:ASP25"]) + 2)

    def test_every_option_of_the_receptor(self):
        for option, value, shown in (("--delete", "A:XK2:263", "deleted as requested"),
                                     ("--set-state", "ASP:B:25:ASH", "ASH"),
                                     ("--flex", "A:ARG:8", "flexible"), ("--flex", "ARG:A:8", "flexible"),
                                     ("--altloc", "A:ARG8:A", "")):
            more = [] if option == "--delete" else ["--delete", "XK2"]
            result = self.berth("prep", "receptor", "-r", "x.pdb", "-o", "r", option, value, *more)
            self.assert_well(result)
            self.assertIn(shown, (self.folder / "r-report.txt").read_text() if (self.folder / "r-report.txt").exists()
                          else result.stdout + "".join(p.read_text() for p in self.folder.glob("r*.txt")))

    def test_a_wrong_word_names_the_right_ones(self):
        words = ["dock", "-r", "x.pdb", "-l", "ligand.pdbqt", "--delete", "XK2", "-o", "out", *cli.BOX]
        self.assert_refused(self.berth(*words, "--flex", "ARG8"), "ARG8 matches 2 residues", "A:ARG8, B:ARG8")
        self.assert_refused(self.berth(*words, "--flex", "A:ARG9"), "there is no residue A:ARG9", "A:ARG8")
        self.assert_refused(self.berth(*words, "--flex", "A:1:2:3"), "does not name a residue", "A:HIS57")
        self.assert_refused(self.berth(*words, "--flex", "sides.pdbqt"), "sides.pdbqt", "cannot read")


class Advice(unittest.TestCase):
    def options(self, command):
        text = subprocess.run([str(cli.BIN / "berth"), *command.split(), "--help=words"], capture_output=True, text=True).stdout
        return {line.split("\t")[0].lstrip("-") for line in text.splitlines()}

    def named(self, path):
        """Options that the texts of a file name; [(option, line)]."""
        found = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.lstrip().startswith(("/*", "*", "//", "static_assert")) or "berth " in line:
                continue  # comments; examples, and advice to use another command
            for text in re.findall(r'"(?:[^"\\]|\\.)*"', line):
                found += [(option, number) for option in re.findall(r"(?<![\w-])--([a-z][a-z-]*[a-z])(?![\w-])", text)]
        return found

    def files(self, place):
        path = cli.SOURCE / place
        return sorted(path.rglob("*.c")) if path.is_dir() else [path]

    def test_rooms(self):
        for room, commands in COMMANDS.items():
            known = set().union(*(self.options(command) for command in commands)) | {"help"}
            self.assertGreater(len(known), 3, room)
            for path in self.files(f"cli/{room}"):
                for option, line in self.named(path):
                    self.assertIn(option, known, f"{path}:{line}: berth {room} has no --{option}")

    def test_what_commands_share(self):
        everywhere = {command: self.options(command) for commands in COMMANDS.values() for command in commands}
        for first, places in SHARED.items():
            for command in (c for c, known in everywhere.items() if first in known):
                for place in places:
                    for path in self.files(place):
                        for option, line in self.named(path):
                            self.assertIn(option, everywhere[command] | {"strict", "warhead", "covalent"},  # printed only if given
                                          f"{path}:{line}: berth {command} lacks --{option}")


if __name__ == "__main__":
    cli.main()
