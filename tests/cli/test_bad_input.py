"""Mistakes of users: each case works, or ends with one clear line and exit code 1, and leaves no partial file."""
import os
import pathlib
import re
import resource
import subprocess
import unittest

import berth_cli as cli


def edit(text, old, new, count=1):
    assert old in text, old
    return text.replace(old, new, count)


class Ligands(cli.Case):
    def refused(self, text, *words, scoring=()):
        self.write("bad.pdbqt", text)
        self.assert_refused(self.dock(*scoring, ligands=["bad.pdbqt"]), *words)
        self.assertEqual(self.files(), [])

    def test_absent(self):
        self.assert_refused(self.dock(ligands=["absent.pdbqt"]), "absent.pdbqt")

    def test_messages_are_one_line_whatever_names_they_hold(self):
        name = "lib/a\nberth: all is well\x1b[2J.pdbqt"
        self.write(name, "ROOT\n")
        self.write("lib/b.pdbqt", cli.ligand())
        self.assert_well(self.dock("--scoring", "ad4", "--write-maps", "rec", ligands=["lib/b.pdbqt"]))
        for program, *words in (["berth", "dock", "-r", "receptor.pdbqt", *cli.BOX, *cli.QUICK, "-o", "o1"],
                                ["berth", "score", "-r", "receptor.pdbqt"], ["berth", "prep", "ligand", "-o", "o2"],
                                ["berth", "prep", "library", "-o", "o3.btl"], ["berth-adgpu", "-M", "rec.maps.fld"]):
            files = ["-B" if program == "berth-adgpu" else "-l", name, "lib/b.pdbqt"]
            said = self.run_program(program, *words, *files).stderr
            self.assertIn("all is well", said)
            self.assertNotRegex(said, r"[\x00-\x09\x0b-\x1f]|(?m:^berth: all is well)")

    def test_empty_and_foreign(self):
        self.refused("", "bad.pdbqt")
        self.refused("ROOT\nENDROOT\nTORSDOF 0\n", "bad.pdbqt")
        self.refused(bytes(range(256)) * 20, "bad.pdbqt")
        self.refused("\x7fELF\x02\x01\x01" + "\x00" * 200, "bad.pdbqt")
        self.refused("Hello\nworld\n", "bad.pdbqt:1")

    def test_truncated_at_any_line(self):
        lines = cli.ligand().splitlines(keepends=True)
        whole_tree = (lines.index("ENDROOT\n") + 1, len(lines) - 1)  # a smaller ligand without its TORSDOF
        for keep in range(len(lines) - 1):
            if keep not in whole_tree:
                self.refused("".join(lines[:keep]), "bad.pdbqt")

    def test_truncated_within_a_line(self):
        text = cli.ligand()
        for at in range(20, len(text) - 12, 61):
            self.write("bad.pdbqt", text[:at])
            result = self.dock(ligands=["bad.pdbqt"])
            self.assertEqual(result.returncode, 1, (text[:at], result.stderr))
            self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)

    def test_branches(self):
        good = cli.ligand()
        self.refused(edit(good, "ENDBRANCH   5   6\n", ""), "bad.pdbqt")                   # unclosed
        self.refused(edit(good, "BRANCH   6   7\n", "BRANCH   7   6\n"), "bad.pdbqt")       # against the tree
        self.refused(edit(good, "BRANCH   6   7\n", "BRANCH   7   7\n"), "bad.pdbqt")       # to itself
        self.refused(edit(good, "BRANCH   6   7\n", "BRANCH   6 999\n"), "bad.pdbqt")       # no such atom
        self.refused(edit(good, "BRANCH   6   7\n", "BRANCH   x   y\n"), "bad.pdbqt")
        self.refused(edit(good, "ENDBRANCH   6   7\n", "ENDBRANCH   5   6\n"), "bad.pdbqt")  # crossed
        self.refused(good + "BRANCH   1   2\nENDBRANCH   1   2\n", "bad.pdbqt")             # empty, behind the end
        loop = edit(edit(good, "BRANCH   7   8\n", "BRANCH   7   6\n"), "ENDBRANCH   7   8\n", "ENDBRANCH   7   6\n")
        self.refused(loop, "bad.pdbqt")                                                    # a cycle

    def test_numbers(self):
        good = cli.ligand()
        line = next(l for l in good.splitlines() if l.startswith("ATOM"))
        number = good.splitlines().index(line) + 1
        for bad in "     nan", "     inf", "  1e9999", "   x.yyy", "        ":
            self.refused(edit(good, line, line[:30] + bad + line[38:]), f"bad.pdbqt:{number}")
        self.refused(edit(good, line, line[:70] + "   nan" + line[76:]), f"bad.pdbqt:{number}")

    def test_two_atoms_in_one_place(self):
        lines = cli.ligand().splitlines()
        atoms = [k for k, l in enumerate(lines) if l.startswith("ATOM")]
        lines[atoms[1]] = lines[atoms[1]][:30] + lines[atoms[0]][30:54] + lines[atoms[1]][54:]
        self.write("twice.pdbqt", "\n".join(lines) + "\n")
        result = self.dock(ligands=["twice.pdbqt"])
        self.assertIn(result.returncode, (0, 1), result.stderr)
        self.assert_numbers(result)

    def test_unknown_atom_type(self):
        self.refused(cli.ligand(kinds=("C", "Zz")), "bad.pdbqt", "atom 2", "Zz")
        self.refused(cli.ligand(kinds=("C", "oa")), "atom 2", "OA")
        for ion in "Na", "K", "Hg":  # substitutes exist only for ions of receptors
            self.refused(cli.ligand(kinds=("C", ion)), "bad.pdbqt", "atom 2", ion, "only in a receptor",
                         scoring=("--scoring", "ad4"))

    def test_atom_type_without_a_map(self):
        self.assert_well(self.dock("--scoring", "ad4", "--write-maps", "grid/rec", output="out0"))
        self.write("bad.pdbqt", cli.ligand(kinds=("C", "Br")))
        self.assert_refused(self.dock(receptor="grid/rec.maps.fld", ligands=["bad.pdbqt"]), "bad.pdbqt", "atom 2", "Br")
        self.assertEqual([name for name in self.files() if not name.startswith(".")], [])

    def test_does_not_fit_its_box(self):
        self.write("long.pdbqt", cli.ligand(atoms=120, torsions=0))
        result = self.dock("--center", "0,0,0", "--size", "6,6,6", ligands=["long.pdbqt"], box=False)
        self.assert_refused(result, "long.pdbqt", "box")
        self.assertEqual(self.files(), [])

    def test_input_pose_outside_the_box_is_told(self):
        self.write("far.pdbqt", cli.ligand(shift=(50, 0, 0)))
        result = self.dock(ligands=["far.pdbqt"])
        self.assert_well(result)
        self.assertRegex(result.stderr, r"^berth dock: warning: far: .*beyond the box")

    def test_wrong_kinds(self):
        self.assert_refused(self.dock(ligands=["receptor.pdbqt", "receptor.pdbqt"][:1]), "receptor.pdbqt")
        self.assert_refused(self.dock(receptor="ligand.pdbqt"), "ligand.pdbqt")
        self.assert_refused(self.dock("--flex", "ligand.pdbqt"), "ligand.pdbqt")
        self.write("empty/readme.txt", "x")
        self.assert_refused(self.dock(ligands=["empty"]), "empty")
        self.assert_refused(self.dock(ligands=["nothing-*.pdbqt"]), "nothing-*.pdbqt")
        self.assertEqual(self.files(), [])


class Receptors(cli.Case):
    def refused(self, text, *words):
        self.write("bad.pdbqt", text)
        for scoring in ("ad4", "vina"):
            self.assert_refused(self.dock("--scoring", scoring, receptor="bad.pdbqt"), *words)

    def test_files(self):
        self.assert_refused(self.dock(receptor="absent.pdbqt"), "absent.pdbqt")
        self.refused("", "bad.pdbqt")
        self.refused(bytes(range(256)) * 20, "bad.pdbqt")
        self.refused(cli.receptor().replace(" OA", " Qq"), "bad.pdbqt", "Qq")
        self.refused(edit(cli.receptor(), "-0.300 N", "   nan N"), "bad.pdbqt")

    def test_ions_that_only_look_like_it(self):
        atom = cli.atom(900, "CD", 1, 7, 1, 0.1, "CD", "GLU", 100) + "\n" + cli.atom(901, "CG", 1, 8, 1, 0.1, "C", "GLU", 100)
        self.refused(cli.receptor() + atom + "\n", "atom 900", "'CD'", "write", " Cd")
        self.refused(cli.receptor() + cli.atom(900, "NA", 1, 7, 1, 1, "nA+", "NA", 100) + "\n", "atom 900", "nA+")

    def test_box_far_too_large(self):
        result = self.dock("--center", "0,0,0", "--size", "1000,1000,1000", "--spacing", "0.05", box=False)
        self.assert_refused(result, "--size", "--spacing", "this machine has")


class Maps(cli.Case):
    def setUp(self):
        super().setUp()
        self.assert_well(self.dock("--scoring", "ad4", "--write-maps", "grid/rec", output="out0"))
        self.fld = (self.folder / "grid/rec.maps.fld").read_text()
        self.carbon = (self.folder / "grid/rec.C.map").read_text()

    def refused(self, *words):
        self.assert_refused(self.dock(receptor="grid/rec.maps.fld"), *words)
        self.assertEqual([name for name in self.files() if not name.startswith(".")], [])

    def test_map_with_a_missing_value(self):
        self.write("grid/rec.C.map", self.carbon[:self.carbon.rstrip().rfind("\n") + 1])
        self.refused("rec.C.map")

    def test_map_with_values_that_are_no_numbers(self):
        lines = self.carbon.splitlines()
        for bad in "nan", "-inf", "1e999", "abc", "", "0x10":
            self.write("grid/rec.C.map", "\n".join(lines[:100] + [bad] + lines[101:]) + "\n")
            self.refused("rec.C.map")

    def test_map_with_too_many_values(self):
        self.write("grid/rec.C.map", self.carbon + "0.0\n0.0\n")
        self.refused("rec.C.map")

    def test_map_absent_binary_or_of_another_box(self):
        os.remove(self.folder / "grid/rec.C.map")
        self.refused("rec.C.map")
        self.write("grid/rec.C.map", bytes(range(256)) * 30)
        self.refused("rec.C.map")
        self.write("grid/rec.C.map", re.sub(r"NELEMENTS .*", "NELEMENTS 10 10 10", self.carbon))
        self.refused("rec.C.map")

    def test_carriage_returns(self):
        for path in (self.folder / "grid").iterdir():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        self.assert_well(self.dock(receptor="grid/rec.maps.fld"))

    def test_fld(self):
        for old, new in (("#SPACING 0.375", "#SPACING 0"), ("#SPACING 0.375", "#SPACING nan"),
                         ("#NELEMENTS", "#NELEMENTS -2 x"), ("label=Electrostatics", "label=Something-affinity"),
                         ("rec.C.map", "../../../absent.map")):
            self.write("grid/rec.maps.fld", edit(self.fld, old, new))
            self.refused("rec")
        for keep in 0, 3, 8, 20:
            self.write("grid/rec.maps.fld", "".join(self.fld.splitlines(keepends=True)[:keep]))
            self.refused("rec.maps.fld")
        self.write("grid/rec.maps.fld", bytes(range(256)) * 8)
        self.refused("rec.maps.fld")


class Outputs(cli.Case):
    def test_folder_is_a_file(self):
        self.write("out", "I am a file")
        self.assert_refused(self.dock(), "out")
        self.assertEqual((self.folder / "out").read_text(), "I am a file")
        self.assert_refused(self.dock(output="out/deeper"), "out")

    def test_folder_cannot_be_made(self):
        self.assert_refused(self.dock(output="/proc/berth-test/out"), "/proc/berth-test/out")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_without_permission(self):
        (self.folder / "locked").mkdir(mode=0o500)
        self.assert_refused(self.dock(output="locked"), "locked")

    def test_box_too_large(self):
        """Refused before a map is computed: a system that overcommits memory would kill the program later."""
        box = ["--center", "0,0,0", "--size", "1000,1000,1000"]
        for words in (["dock", "-l", "ligand.pdbqt", "-o", "out"],
                      ["dock", "-l", "ligand.pdbqt", "-o", "out", "--scoring", "ad4"], ["screen", "ligand.pdbqt", "-o", "out.bdb"]):
            with self.subTest(words):
                self.assert_refused(self.berth(words[0], "-r", "receptor.pdbqt", *words[1:], *box), "--size",
                                    "19013 million points")
        result = self.berth("grid", "-r", "receptor.pdbqt", "--types", "C", "-o", "maps", *box)
        self.assert_refused(result, "smaller box")

    def test_memory_of_a_box(self):
        def dock(size, gigabytes):
            def limit():
                resource.setrlimit(resource.RLIMIT_AS, (int(gigabytes * 1e9),) * 2)
            return subprocess.run([str(cli.BIN / "berth"), "dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o",
                                   "out", "--center", "0,0,0", "--size", size, *cli.QUICK, "--device", "cpu"],
                                  cwd=self.folder, capture_output=True, text=True, preexec_fn=limit)
        if dock("15,15,15", 3).returncode != 0:
            self.skipTest("a sanitizer wants more address space")
        self.assert_refused(dock("150,150,150", 3), "this machine has 3.0 GB", "--size")

    def test_file_too_large(self):
        """A limit on file sizes acts like a full disk."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        result = subprocess.run([str(cli.BIN / "berth"), "dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o", "out",
                                 *cli.BOX, *cli.QUICK], cwd=self.folder, capture_output=True, text=True, preexec_fn=limit)
        self.assert_refused(result, "out/ligand.", "ulimit -f")
        self.assertEqual(self.files(), [])

    def test_full_disk(self):
        mount = self.folder / "disk"
        mount.mkdir()
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(mount)], capture_output=True)
        if made.returncode != 0:
            self.skipTest("no right to mount a small disk")
        try:
            self.assert_refused(self.dock(output="disk/out", ligands=["ligand.pdbqt"]), "disk/out", "space")
            self.assertEqual([n for n in self.files("disk/out") if not n.endswith((".pdbqt", ".csv", ".json"))], [])
        finally:
            subprocess.run(["umount", str(mount)], check=True)

    def test_maps_cannot_be_written(self):
        self.assert_refused(self.dock("--write-maps", "/proc/berth-test/rec"), "/proc/berth-test")


if __name__ == "__main__":
    cli.main()
