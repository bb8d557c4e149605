#!/usr/bin/env python3
"""Outputs never replace an input, by whatever name it is given; links are not written through; no ligand gets the name
of one of the folder's own files; folders may have any name."""
import os

import berth_cli as cli
from test_bude import QUICK as BUDE_QUICK, amide, cup
from test_raw_dock import GEMMI, needs_rdkit


class Inputs(cli.Case):
    def setUp(self):
        super().setUp()
        self.before = {}

    def remember(self, *names):
        self.before = {name: (self.folder / name).read_bytes() for name in names}

    def assert_kept(self):
        for name, content in self.before.items():
            self.assertEqual((self.folder / name).read_bytes(), content, name)

    def test_a_ligand_in_the_output_folder(self):
        self.remember("ligand.pdbqt", "receptor.pdbqt")
        os.symlink("ligand.pdbqt", self.folder / "other.pdbqt")
        (self.folder / "link").symlink_to(".")
        for ligand, folder in ("ligand.pdbqt", "."), ("./ligand.pdbqt", "link"), (self.path("other.pdbqt"), "."):
            result = self.dock(ligands=[ligand], output=folder)
            self.assert_refused(result, "is an input and would be overwritten", "choose another path")
            self.assert_kept()

    def test_a_record_called_like_library_or_receptor_is_a_reject(self):
        names = ["lib", "receptor", "other"]
        self.write("lib.pdbqt", "".join(f"MODEL {k + 1}\nREMARK Name = {name}\n{cli.ligand()}ENDMDL\n"
                                        for k, name in enumerate(names)))
        self.remember("lib.pdbqt", "receptor.pdbqt")
        for name in "lib_1", "lib_2":
            (self.folder / f"{name}.pdbqt").symlink_to("receptor.pdbqt")
        result = self.dock(ligands=["lib.pdbqt"], output=".")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("would be overwritten"), 2, result.stderr)
        self.assertTrue((self.folder / "lib_3.pdbqt").is_file())
        self.assert_kept()

    def test_files_named_by_options(self):
        self.remember("ligand.pdbqt", "receptor.pdbqt")
        for arguments in (["vina", "--receptor", "receptor.pdbqt", "--ligand", "ligand.pdbqt", "--out", "ligand.pdbqt",
                           "--center_x", "0", "--center_y", "0", "--center_z", "0", "--size_x", "15", "--size_y", "15",
                           "--size_z", "15"],
                          ["prep", "ligand", "-l", "ligand.pdbqt", "-o", "ligand.pdbqt"],
                          ["screen", "-r", "receptor.pdbqt", "-l", "top.pdbqt", "-o", ".", *cli.BOX],
                          ["screen", "-r", "receptor.pdbqt", "-l", ".", "-o", ".", *cli.BOX]):
            self.write("top.pdbqt", cli.ligand())
            with self.subTest(arguments=arguments[:2]):
                self.assert_refused(self.berth(*arguments), "is an input and would be overwritten")
                self.assert_kept()
                self.assertFalse((self.folder / "screen.db").exists())

    def test_maps_replace_no_input(self):
        """A map may have the name of the receptor or a ligand, through a link or in a grid parameter file."""
        self.remember("ligand.pdbqt", "receptor.pdbqt")
        os.link(self.folder / "receptor.pdbqt", self.folder / "maps.maps.xyz")
        os.link(self.folder / "ligand.pdbqt", self.folder / "lig.e.map")
        for prefix in "maps", "lig":
            for arguments in (["grid", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o", prefix, *cli.BOX],
                              ["dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o", "out", "--scoring", "ad4",
                               "--write-maps", prefix, *cli.BOX, *cli.QUICK],
                              ["vina", "--receptor", "receptor.pdbqt", "--ligand", "ligand.pdbqt", "--out", "o.pdbqt",
                               "--write_maps", prefix, "--center_x", "0", "--center_y", "0",
                               "--center_z", "0", "--size_x", "15", "--size_y", "15", "--size_z", "15"]):
                with self.subTest(arguments=arguments[0], prefix=prefix):
                    self.assert_refused(self.berth(*arguments), "is an input and would be overwritten")
                    self.assert_kept()
        self.write("grid.gpf", "npts 10 10 10\ngridfld g.maps.fld\nspacing 1\nreceptor_types A C HD N OA\nligand_types C\n"
                               "receptor receptor.pdbqt\ngridcenter 0 0 0\nsmooth 0.5\nmap receptor.pdbqt\n"
                               "elecmap g.e.map\ndsolvmap g.d.map\ndielectric -0.1465\n")
        self.assert_refused(self.berth("grid", "-p", "grid.gpf"), "is an input and would be overwritten")
        self.assert_kept()

    def test_a_library_is_not_made_of_itself(self):
        self.assert_well(self.berth("prep", "library", "-l", "ligand.pdbqt", "-o", "lib.btl"))
        self.remember("lib.btl")
        self.assert_refused(self.berth("prep", "library", "-l", "lib.btl", "-o", "./lib.btl"), "is an input")
        self.assert_kept()
        (self.folder / "receptor.pdbqt").unlink()
        self.assert_well(self.berth("prep", "library", "-l", ".", "-o", "lib.btl", "--overwrite"))  # of a folder it is left out

    def test_a_report_replaces_no_result(self):
        self.assert_well(self.dock())
        self.remember("out/ligand.json")
        self.assert_refused(self.berth("report", "out", "-o", "out/ligand.json", "-q"), "is an input")
        self.assert_kept()


class Earlier(cli.Case):
    def again(self, *arguments, receptor="receptor.pdbqt", ligand="ligand.pdbqt"):
        return self.berth("dock", "-r", receptor, "-l", ligand, "-o", "out", *cli.BOX, *cli.QUICK, *arguments)

    def test_the_same_ligand_may_be_docked_again(self):
        self.assert_well(self.again())
        self.assert_well(self.again())
        self.assert_well(self.again("--scoring", "ad4", "--format", "dlg,pdbqt", ligand=self.path("ligand.pdbqt")))

    def test_results_of_others_need_overwrite(self):
        self.write("b/ligand.pdbqt", cli.ligand(atoms=7))
        self.write("b/receptor.pdbqt", cli.receptor(radius=9))
        self.assert_well(self.again())
        before = (self.folder / "out/ligand.json").read_bytes()
        for words, others in (("another ligand", {"ligand": "b/ligand.pdbqt"}),
                              ("another receptor", {"receptor": "b/receptor.pdbqt"})):
            self.assert_refused(self.again(**others), "out/ligand.json", words, "--overwrite")
            self.assertEqual((self.folder / "out/ligand.json").read_bytes(), before)
            self.assert_well(self.again("--overwrite", **others))
            self.assert_well(self.again("--overwrite"))
            before = (self.folder / "out/ligand.json").read_bytes()

    def test_a_summary_of_other_ligands_needs_overwrite(self):
        for folder in "a", "b":
            for k in range(2):
                self.write(f"{folder}/{folder}{k}.pdbqt", cli.ligand())
        self.assert_well(self.again(ligand="a"))
        self.assert_well(self.again(ligand="a"))
        before = (self.folder / "out/summary.csv").read_bytes()
        self.assert_refused(self.again(ligand="b"), "out/summary.csv", "--overwrite")
        self.assertEqual((self.folder / "out/summary.csv").read_bytes(), before)
        self.assert_well(self.again("--overwrite", ligand="b"))

    def test_a_file_of_the_users_own_needs_overwrite(self):
        self.write("out/ligand.pdbqt", "precious")
        self.assert_refused(self.again(), "out/ligand.pdbqt", "--overwrite")
        self.assertEqual((self.folder / "out/ligand.pdbqt").read_text(), "precious")


class EarlierFiles(cli.Case):
    """`berth prep`, `berth grid`, `berth bude` and --write-maps: the same inputs again, with other settings too; results
    of others only with --overwrite."""

    def setUp(self):
        super().setUp()
        self.write("b/ligand.pdbqt", cli.ligand(atoms=7))
        self.write("b/receptor.pdbqt", cli.receptor(radius=9))
        (self.folder / "maps").mkdir()

    def assert_asks(self, ours, others, path, *again):
        """The command ours made the file at path; others are refused with one line that says what to do."""
        self.assert_well(self.berth(*ours))
        before = (self.folder / path).read_bytes()
        for command in ours, [*ours, *again]:
            self.assert_well(self.berth(*command))
        self.assert_well(self.berth(*ours))
        result = self.berth(*others)
        self.assert_refused(result, "--overwrite")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual((self.folder / path).read_bytes(), before)
        self.assert_well(self.berth(*others, "--overwrite"))
        self.assertNotEqual((self.folder / path).read_bytes(), before)
        self.assert_well(self.berth(*others))
        self.assert_refused(self.berth(*ours), "--overwrite")

    def grid(self, receptor, *more):
        return ["grid", "-r", receptor, "--types", "C,OA", "-o", "maps/m", "-q", *cli.BOX, *more]

    def test_maps(self):
        self.assert_asks(self.grid("receptor.pdbqt"), self.grid("b/receptor.pdbqt"), "maps/m.e.map", "--smooth", "0.2")

    def test_maps_of_nobody(self):
        self.write("maps/m.e.map", "precious")
        self.assert_refused(self.berth(*self.grid("receptor.pdbqt")), "maps/m.e.map", "--overwrite")
        self.assertEqual((self.folder / "maps/m.e.map").read_text(), "precious")

    def test_written_maps(self):
        def dock(receptor, *more):
            return self.berth("dock", "-r", receptor, "-l", "ligand.pdbqt", "-o", f"out-{receptor[0]}", "--scoring",
                              "ad4", "--write-maps", "maps/m", *cli.BOX, *cli.QUICK, *more)

        self.assert_well(dock("receptor.pdbqt"))
        self.assert_well(dock("receptor.pdbqt"))
        before = (self.folder / "maps/m.e.map").read_bytes()
        self.assert_refused(dock("b/receptor.pdbqt"), "maps/m.maps.fld", "--overwrite")
        self.assertEqual((self.folder / "maps/m.e.map").read_bytes(), before)
        self.assert_well(dock("b/receptor.pdbqt", "--overwrite"))
        self.assertNotEqual((self.folder / "maps/m.e.map").read_bytes(), before)

    def test_maps_of_vina_are_replaced_as_vina_does(self):
        box = ["--center_x", "0", "--center_y", "0", "--center_z", "0", "--size_x", "8", "--size_y", "8", "--size_z", "8"]
        for receptor in "receptor.pdbqt", "b/receptor.pdbqt":
            self.assert_well(self.berth("vina", "--receptor", receptor, "--ligand", "ligand.pdbqt", "--score_only",
                                        "--write_maps", "m", *box))
        self.assertEqual([name for name in self.files(".") if "inputs" in name], [])

    def test_moved_together(self):
        """Inputs and results may be moved; inputs are recorded relative to the results."""
        self.write("a/receptor.pdbqt", cli.receptor())
        self.assert_well(self.berth("grid", "-r", "a/receptor.pdbqt", "--types", "C", "-o", "a/m", "-q", *cli.BOX))
        (self.folder / "a").rename(self.folder / "c")
        self.assert_well(self.berth("grid", "-r", "c/receptor.pdbqt", "--types", "C", "-o", "c/m", "-q", *cli.BOX))
        self.assertEqual((self.folder / "c/m.maps.inputs.txt").read_text().splitlines()[1:], ["receptor receptor.pdbqt"])

    def test_a_library(self):
        def library(ligand, *more):
            return ["prep", "library", "-l", ligand, "-o", "l.btl", "-q", "--json", *more]

        self.assert_well(self.berth(*library("ligand.pdbqt")))
        before = (self.folder / "l.btl").read_bytes()
        self.assert_well(self.berth(*library(self.path("ligand.pdbqt"))))
        self.assert_refused(self.berth(*library("b/ligand.pdbqt")), "l.btl", "--overwrite")
        self.assertEqual((self.folder / "l.btl").read_bytes(), before)
        self.assert_well(self.berth(*library("b/ligand.pdbqt", "--overwrite")))
        self.assertNotEqual((self.folder / "l.btl").read_bytes(), before)

    def test_bude(self):
        for folder in "a", "b":
            self.write(f"{folder}/cup.mol2", cup())
            self.write(f"{folder}/l.mol2", amide())
        def dock(receptor, ligand="a/l.mol2", *more):
            return self.berth("bude", "-r", f"{receptor}/cup.mol2", "-l", ligand, "-o", "out", "--center", "0,0,0",
                              "--conformers", "0", *BUDE_QUICK, *more)

        self.assert_well(dock("a"))
        self.assert_well(dock("a", "a/l.mol2", "--seed", "5"))
        before = (self.folder / "out/poses.mol2").read_bytes()
        for others in ("b", "a/l.mol2"), ("a", "b/l.mol2"):
            self.assert_refused(dock(*others), "out/poses.mol2", "--overwrite")
            self.assertEqual((self.folder / "out/poses.mol2").read_bytes(), before)
        self.assert_well(dock("b", "b/l.mol2", "--overwrite"))
        self.assert_refused(dock("a"), "--overwrite")
        self.assertEqual((self.folder / "out/inputs.txt").read_text().splitlines()[1:],
                         ["receptor ../b/cup.mol2", "ligand ../b/l.mol2"])

    def test_a_prepared_ligand(self):
        def prepare(ligand, output, *more):
            return ["prep", "ligand", "-l", ligand, "-o", output, *more]

        for output, path in ("p.pdbqt", "p.pdbqt"), ("p", "p/ligand.pdbqt"):
            for command in [prepare("ligand.pdbqt", output)] * 2:
                self.assert_well(self.berth(*command))
            before = (self.folder / path).read_bytes()
            result = self.berth(*prepare("b/ligand.pdbqt", output))
            self.assert_refused(result, path, "--overwrite")
            self.assertEqual((self.folder / path).read_bytes(), before)
            self.assert_well(self.berth(*prepare("b/ligand.pdbqt", output, "--overwrite")))
            self.assertNotEqual((self.folder / path).read_bytes(), before)

    @needs_rdkit
    def test_raw_ligands(self):
        self.write("a.smi", "NCC(=O)O x\nCCCO y\n")
        self.write("b.smi", "CCN x\nCCCN z\n")
        for output, path in ("p.sdf", "p.sdf"), ("p", "p/x.sdf"), ("p", "p/x.pdbqt"):
            ours, others = (["prep", "ligand", "-l", f"{name}.smi", "-o", output, "-q", "--format", "sdf,pdbqt"]
                            for name in "ab")
            self.assert_well(self.berth(*ours, "--overwrite"))
            self.assert_well(self.berth(*ours, "--ph", "7.4"))
            self.assert_well(self.berth(*ours))
            before = (self.folder / path).read_bytes()
            result = self.berth(*others)
            self.assertEqual(result.returncode, 1 if output == "p.sdf" else 2, result.stderr)
            self.assertIn("--overwrite", result.stderr)
            self.assertEqual((self.folder / path).read_bytes(), before)
            self.assert_well(self.berth(*others, "--overwrite"))
            self.assertNotEqual((self.folder / path).read_bytes(), before)

    @cli.unittest.skipUnless(GEMMI, "built without gemmi")
    def test_a_prepared_receptor(self):
        pdb = (cli.SOURCE / "tests/data/peptide.pdb").read_text()
        self.write("one.pdb", pdb)
        self.write("two.pdb", pdb.replace("ATOM      1", "REMARK\nATOM      1", 1))
        ours, others = (["prep", "receptor", "-r", f"{name}.pdb", "-o", "p"] for name in ("one", "two"))
        self.assert_well(self.berth(*ours))
        self.assert_well(self.berth(*ours, "--ph", "5"))
        before = (self.folder / "p.report.json").read_bytes()
        result = self.berth(*others, "-q")
        self.assert_refused(result, "p.pdbqt", "--overwrite")
        self.assertEqual((self.folder / "p.report.json").read_bytes(), before)
        self.assert_well(self.berth(*others, "--overwrite"))
        self.assertIn("two.pdb", (self.folder / "p.report.json").read_text())


class Links(cli.Case):
    def test_what_a_link_points_to_stays(self):
        self.write("precious.txt", "precious")
        (self.folder / "out").mkdir()
        for name in "ligand.pdbqt", "ligand.csv", "ligand.json":
            (self.folder / "out" / name).symlink_to("../precious.txt")
        self.assert_well(self.dock())
        self.assertEqual((self.folder / "precious.txt").read_text(), "precious")
        for name in "ligand.pdbqt", "ligand.csv", "ligand.json":
            self.assertFalse((self.folder / "out" / name).is_symlink())

    def test_devices_stay_devices(self):
        result = self.berth("prep", "library", "-l", "ligand.pdbqt", "-o", "lib.btl")
        self.assert_well(result)
        (self.folder / "null.pdbqt").symlink_to("/dev/null")
        self.assert_well(self.berth("prep", "ligand", "-l", "ligand.pdbqt", "-o", "null.pdbqt"))
        self.assertTrue((self.folder / "null.pdbqt").is_symlink())


class Names(cli.Case):
    def test_ligands_called_like_the_folders_own_files(self):
        for name in "summary", "notes", "rejects", "receptor":
            self.write(f"lib/{name}.pdbqt", cli.ligand())
        self.write("lib/bad.pdbqt", "ROOT\n")
        result = self.dock("--format", "csv", ligands=["lib"])
        self.assertEqual(result.returncode, 2, result.stderr)
        names = self.tables()
        self.assertEqual(names, sorted(["notes-2.csv", "receptor-2.csv", "rejects-2.csv", "summary-2.csv",
                                        "rejects.csv", "summary.csv"]))
        self.assertTrue((self.folder / "out/rejects.csv").read_text().startswith("ligand,file"))
        self.assertTrue((self.folder / "out/summary.csv").read_text().startswith("rank,ligand"))

    def test_brackets_in_the_names_of_folders(self):
        for name in "a", "b":
            self.write(f"set[1]/x*/{name}.pdbqt", cli.ligand())
        result = self.dock(ligands=["set[1]/x*/*.pdbqt"], output="out[1]")
        self.assert_well(result)
        self.assertTrue({"a.pdbqt", "b.pdbqt", "summary.csv"} <= set(self.files("out[1]")))
        self.assert_well(self.berth("prep", "library", "-l", "set[1]/x*/*.pdbqt", "-o", "set[1]/lib.btl"))
        self.assert_well(self.berth("screen", "-r", "receptor.pdbqt", "-l", "set[1]/x*/[ab].pdbqt", "-o", "screen[1]",
                                    *cli.BOX, *cli.QUICK[:4]))
        self.assertIn("top.csv", self.files("screen[1]"))


class Abandoned(cli.Case):
    def test_the_next_command_removes_what_a_killed_one_left(self):
        out = self.folder / "out"
        out.mkdir()
        (out / ".berth-99999-0.part").write_text("half")
        self.assert_well(self.dock())
        self.assertEqual([p.name for p in out.iterdir() if p.name.startswith(".")], [])


if __name__ == "__main__":
    cli.main()
