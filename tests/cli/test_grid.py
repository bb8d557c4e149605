"""berth grid and berth-autogrid: wrong use and wrong input end with one clear line, and never with half a set of maps."""
import json
import resource
import signal
import subprocess
import unittest

import berth_cli as cli

TYPES = ["--types", "C,OA"]
GPF = ("npts 10 10 10\ngridfld rec.maps.fld\nspacing 0.5\nreceptor_types C OA N A HD\nligand_types C OA\n"
       "receptor receptor.pdbqt\ngridcenter 0 0 0\nsmooth 0.5\nmap rec.C.map\nmap rec.OA.map\nelecmap rec.e.map\n"
       "dsolvmap rec.d.map\ndielectric -0.1465\n")
MAPS = ["rec.C.map", "rec.OA.map", "rec.d.map", "rec.e.map", "rec.maps.fld", "rec.maps.xyz"]


class Grid(cli.Case):
    def grid(self, *arguments, output="maps/rec", **options):
        return self.berth("grid", "-o", output, *arguments, **options)

    def small(self, *arguments, **options):
        return self.grid("-r", "receptor.pdbqt", "--center", "0,0,0", "--size", "4,4,4", *arguments, **options)

    def setUp(self):
        super().setUp()
        (self.folder / "maps").mkdir()

    def test_good(self):
        self.assert_well(self.small(*TYPES))
        self.assertEqual(self.files("maps"), sorted([*MAPS, "rec.maps.inputs.txt"]))
        self.assert_well(self.small("-l", "ligand.pdbqt", output="maps/two"))
        self.assertTrue((self.folder / "maps/two.N.map").is_file())

    def test_json_names_box_and_maps(self):
        result = self.small(*TYPES, "--json", "--spacing", "0.5", "--threads", "2")
        self.assert_well(result)
        report = json.loads(result.stdout)
        self.assertEqual(report["fld"], "maps/rec.maps.fld")
        self.assertEqual((report["npts"], report["spacing"], report["center"]), ([8, 8, 8], 0.5, [0, 0, 0]))
        self.assertEqual([m["type"] for m in report["maps"]], ["C", "OA", "e", "d"])
        for entry in report["maps"]:
            self.assertLessEqual(entry["lowest"], entry["highest"])
        self.assertEqual(self.small(*TYPES, "--quiet").stdout, "")

    def test_types_of_ligands_and_words_are_joined(self):
        self.assert_well(self.small("-l", "ligand.pdbqt", "--types", "Zn", "C,CL"))
        for kind in ("C", "OA", "N", "A", "Zn", "CL"):
            self.assertTrue((self.folder / f"maps/rec.{kind}.map").is_file(), kind)

    def test_autobox_surrounds_the_ligand(self):
        result = self.grid("-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "--autobox", "ligand.pdbqt", "--padding", "2", "--json")
        self.assert_well(result)
        coordinates = [[float(line[c:c + 8]) for c in (30, 38, 46)] for line in (self.folder / "ligand.pdbqt").read_text().splitlines()
                       if line.startswith("ATOM")]
        report = json.loads(result.stdout)
        for axis, values in enumerate(zip(*coordinates)):
            half = report["npts"][axis] / 2 * report["spacing"]
            self.assertLessEqual(report["center"][axis] - half, min(values) - 2 + 0.001)
            self.assertGreaterEqual(report["center"][axis] + half, max(values) + 2 - 0.001)

    def test_a_box_in_a_wrong_place_is_told(self):
        """The receptor of these tests is a hollow sphere: outside there is nothing, and a solid ball has no pocket."""
        words = ["--types", "C", "-o", "x", "--spacing", "1", "--overwrite"]
        good = self.berth("grid", "-r", "receptor.pdbqt", *cli.BOX, *words)
        self.assert_well(good)
        self.assertNotIn("the box", good.stderr)
        beside = self.berth("grid", "-r", "receptor.pdbqt", "--center", "0,40,0", "--size", "15,15,15", *words)
        self.assert_well(beside)
        self.assertIn("warning: the box misses the receptor: only 0 % of it", beside.stderr)
        places = [(x, y, z) for x in range(-6, 7, 2) for y in range(-6, 7, 2) for z in range(-6, 7, 2)]
        self.write("ball.pdbqt", "\n".join(cli.atom(k + 1, "C", *place, 0.05, "C", "ALA", 1) for k, place in enumerate(places)))
        inside = self.berth("grid", "-r", "ball.pdbqt", "--center", "0,0,0", "--size", "8,8,8", *words)
        self.assert_well(inside)
        self.assertIn("warning: 100 % of the box is inside the receptor", inside.stderr)

    def test_a_gpf_says_everything(self):
        self.write("rec.gpf", GPF)
        self.assert_well(self.run_program("berth-autogrid", "-p", "rec.gpf", "-l", "rec.glg"))
        expected = [(self.folder / name).read_bytes() for name in MAPS]
        for name in MAPS:
            (self.folder / name).unlink()
        self.assert_well(self.berth("grid", "-p", "rec.gpf"))
        self.assertEqual(expected, [(self.folder / name).read_bytes() for name in MAPS])
        self.assert_refused(self.berth("grid", "-p", "rec.gpf", "--spacing", "0.5"), "--spacing")

    def test_instruction_sets_agree(self):
        self.assert_well(self.small(*TYPES, "--isa", "base", output="maps/base"))
        self.assert_well(self.small(*TYPES))
        for kind in ("C", "OA", "e", "d"):
            best, base = ([float(v) for v in (self.folder / f"maps/{p}.{kind}.map").read_text().split("\n")[6:-1]] for p in ("rec", "base"))
            for a, b in zip(best, base):
                self.assertLessEqual(abs(a - b), max(0.002, 0.001 * abs(a)))
        self.assert_refused(self.small(*TYPES, "--isa", "mmx"), "mmx")

    def test_wrong_use(self):
        for arguments, words in (([], ["receptor"]), (["-r", "receptor.pdbqt"], ["type"]),
                                 (["-r", "receptor.pdbqt", *TYPES], ["--center", "--autobox"]),
                                 (["-r", "receptor.pdbqt", *TYPES, "--center", "0,0,0"], ["--size"]),
                                 (["--recptor", "x"], ["--receptor"])):
            self.assert_refused(self.grid(*arguments), *words)
        self.assert_refused(self.small("--types", "C,Qq"), "Qq")
        self.assert_refused(self.small("--types", "C", "--spacing", "0"), "--spacing")
        self.assert_refused(self.small("--types", "C", "--dielectric", "nan"), "--dielectric")
        self.assertEqual(self.files("maps"), [])

    def test_wrong_input(self):
        self.assert_refused(self.small("-l", "absent.pdbqt"), "absent.pdbqt")
        for text, words in (("", []), (bytes(range(256)), []), ("ATOM\n", [":1"]),
                            (cli.receptor().replace(" OA", " Qq"), ["Qq"])):
            self.write("bad.pdbqt", text)
            self.assert_refused(self.grid("-r", "bad.pdbqt", *TYPES, "--center", "0,0,0", "--size", "4,4,4"), "bad.pdbqt", *words)
        self.assertEqual(self.files("maps"), [])

    def test_wrong_output(self):
        self.assert_refused(self.small(*TYPES, output="receptor.pdbqt/rec"), "receptor.pdbqt: cannot write")
        self.assert_refused(self.small(*TYPES, output="/proc/berth-test/rec"), "/proc/berth-test")

    def test_files_too_large(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        result = subprocess.run([str(cli.BIN / "berth"), "grid", "-r", "receptor.pdbqt", *TYPES, "--center", "0,0,0", "--size",
                                 "4,4,4", "-o", "maps/rec"], cwd=self.folder, capture_output=True, text=True, preexec_fn=limit)
        self.assert_refused(result, "maps/rec", "ulimit -f")
        self.assertEqual(self.files("maps"), [])


class Autogrid(cli.Case):
    def autogrid(self, text, *arguments):
        self.write("rec.gpf", text)
        return self.run_program("berth-autogrid", "-p", "rec.gpf", "-l", "rec.glg", *arguments)

    def maps(self):
        return [name for name in self.files(".") if name.startswith("rec.") and name not in ("rec.gpf", "rec.glg")]

    def test_good(self):
        self.assert_well(self.autogrid(GPF))
        self.assertEqual(self.maps(), MAPS)
        first = [(self.folder / name).read_bytes() for name in MAPS]
        self.assert_well(self.autogrid(GPF.replace("\n", "  # a comment\r\n")))
        self.assertEqual(first, [(self.folder / name).read_bytes() for name in MAPS])
        self.assert_well(self.run_program("berth-autogrid", input=GPF))

    def test_wrong_files(self):
        for old, new, words in (("npts 10 10 10", "npts 10 10", ["rec.gpf:1"]), ("npts 10 10 10", "npts 0 10 10", ["rec.gpf:1"]),
                                ("spacing 0.5", "spacing nan", ["rec.gpf:3"]), ("spacing 0.5", "spacing -1", ["rec.gpf:3"]),
                                ("gridcenter 0 0 0", "gridcenter a b c", ["rec.gpf:7"]),
                                ("receptor receptor.pdbqt", "receptor absent.pdbqt", ["absent.pdbqt"]),
                                ("map rec.OA.map\n", "", ["map"]), ("smooth", "smoooth", ["rec.gpf:8", "smoooth"]),
                                ("rec.e.map", "absent/rec.e.map", ["absent/rec.e.map"])):
            assert old in GPF
            with self.subTest(new):
                    self.assert_refused(self.autogrid(GPF.replace(old, new, 1)), *words)
            self.assertEqual(self.maps(), [], (old, new))
        self.assert_refused(self.autogrid(""), "rec.gpf")
        self.assert_refused(self.autogrid(bytes(range(256)) * 4), "rec.gpf")

    def test_wrong_use(self):
        self.assert_refused(self.run_program("berth-autogrid", "-p", "absent.gpf"), "absent.gpf")
        self.assert_refused(self.run_program("berth-autogrid", "--pp", "absent.gpf"), "--pp")
        self.assert_refused(self.autogrid(GPF, "-l", "absent/rec.glg"), "absent/rec.glg")


if __name__ == "__main__":
    cli.main()
