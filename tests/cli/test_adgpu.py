"""berth-adgpu takes AutoDock-GPU's flags and batch lists, and writes the files that AutoDock-GPU writes."""
import re
import unittest
import xml.etree.ElementTree as xml

import berth_cli as cli

QUICK = ["--nrun", "2", "--nev", "1500", "--heuristics", "0", "--psize", "20", "--lsit", "20", "--seed", "7"]


class Adgpu(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("types.pdbqt", cli.ligand(atoms=5, torsions=0, kinds=("C", "OA", "N", "A", "HD")))
        self.assert_well(self.dock("--scoring", "ad4", "--write-maps", "grid/rec", "--format", "csv", ligands=["types.pdbqt"],
                                 output="out0"))

    def adgpu(self, *arguments, **options):
        return self.run_program("berth-adgpu", *arguments, **options)

    def models(self, name):
        return len(re.findall(r"(?m)^DOCKED: MODEL", (self.folder / name).read_text()))

    def test_help_and_version(self):
        for words in [], ["--help"], ["-h"], ["-help"]:
            result = self.adgpu(*words)
            self.assert_well(result)
            for flag in ("lfile ffile flexres filelist import_dpf xraylfile xml2dlg resnam contact_analysis xmloutput dlgoutput "
                         "dlg2stdout rlige gfpop npdb gbest clustering output-cluster-poses hsym rmstol devnum loadxml seed "
                         "heuristics heurmax autostop asfreq nrun nev ngen lsmet lsit psize mrat crat lsrat trat dmov dang "
                         "rholb lsmov lsang cslim stopstd initswgens derivtype modpair ubmod smooth elecmindist modqp").split():
                self.assertRegex(result.stdout, rf"--{flag}\b")
        self.assert_well(self.adgpu("--version"))

    def test_one_job(self):
        result = self.adgpu("--ffile", "grid/rec.maps.fld", "--lfile", "ligand.pdbqt", *QUICK)
        self.assert_well(result)
        self.assertEqual(self.models("ligand.dlg"), 2)
        dlg = (self.folder / "ligand.dlg").read_text()
        self.assertRegex(dlg, r"(?m)^Number of runs: +2$")
        self.assertRegex(dlg, r"(?m)^Number of energy evaluations: +1500$")
        self.assertRegex(dlg, r"(?m)^Size of population: +20$")
        tree = xml.parse(self.folder / "ligand.xml")
        self.assertEqual(tree.getroot().tag, "autodock_gpu")
        self.assertEqual(tree.findtext("run_requested"), "2")
        self.assertEqual(tree.findtext("ls_method"), "ad")

    def test_spellings_of_flags(self):
        self.assert_well(self.adgpu("-M", "grid/rec.maps.fld", "-L", "ligand.pdbqt", "-n", "1", "-e", "900", "-H", "0", "-p",
                                    "20", "-nrun", "3", "--lsmet", "sw", "-N", "named", "-x", "0", "-s", "1,2,3", "-D", "all",
                                    "-A", "0", "--crat", "50.5"))
        self.assertEqual(self.models("named.dlg"), 3)
        self.assertFalse((self.folder / "named.xml").exists())

    def test_a_seed_repeats(self):
        texts = []
        for name in "a", "b":
            self.assert_well(self.adgpu("-M", "grid/rec.maps.fld", "-L", "ligand.pdbqt", *QUICK, "-N", name))
            text = (self.folder / f"{name}.dlg").read_text()
            texts.append(re.findall(r"(?m)^DOCKED: ATOM.*", text))
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(len(texts[0]), 18)

    def test_to_standard_output(self):
        result = self.adgpu("-M", "grid/rec.maps.fld", "-L", "ligand.pdbqt", *QUICK, "--dlg2stdout", "1")
        self.assert_well(result)
        self.assertEqual(len(re.findall(r"(?m)^DOCKED: MODEL", result.stdout)), 2)
        self.assertFalse((self.folder / "ligand.dlg").exists())

    def test_best_pose(self):
        self.assert_well(self.adgpu("-M", "grid/rec.maps.fld", "-L", "ligand.pdbqt", *QUICK, "--gbest", "1", "--rlige", "1"))
        text = (self.folder / "best.pdbqt").read_text()
        self.assertEqual(text.count("ROOT\n"), 2)
        self.assertNotIn("MODEL", text)
        self.assert_well(self.dock("--format", "csv", ligands=["best.pdbqt"], output="out3"))

    def test_reference_and_flexible_residues(self):
        self.write("flex.pdbqt", cli.residues())
        self.assert_well(self.adgpu("-M", "grid/rec.maps.fld", "-L", "ligand.pdbqt", "-F", "flex.pdbqt", "-R", "ligand.pdbqt",
                                    *QUICK))
        self.assertIn("BEGIN_RES", (self.folder / "ligand.dlg").read_text())

    def test_dpf(self):
        self.write("jobs/a.dpf", "ligand_types C OA N A\nfld ../grid/rec.maps.fld\nmove ../ligand.pdbqt\nga_pop_size 20\n"
                                 "ga_num_evals 1500\nga_run 2\n")
        self.assert_well(self.adgpu("--import_dpf", "jobs/a.dpf", "--seed", "5", "--lsit", "20"))
        self.assertEqual(self.models("ligand.dlg"), 2)
        self.assert_well(self.adgpu("--import_dpf", "jobs/a.dpf", "--nrun", "4", "--seed", "5", "--lsit", "20"))
        self.assertEqual(self.models("ligand.dlg"), 4)

    def test_batch_list(self):
        self.write("jobs/a.pdbqt", cli.ligand())
        self.write("jobs/b.pdbqt", cli.ligand(torsions=1))
        self.write("jobs/flex.pdbqt", cli.residues())
        self.write("jobs/list.txt", "../grid/rec.maps.fld\na.pdbqt*\n  a.pdbqt \r\n\nflex.pdbqt-\nb.pdbqt\n")
        self.assert_well(self.adgpu("--filelist", "jobs/list.txt", *QUICK))
        self.assertEqual(self.files("jobs"), ["a.dlg", "a.pdbqt", "a.xml", "b.dlg", "b.pdbqt", "b.xml", "flex.pdbqt",
                                              "list.txt"])
        self.assertNotIn("BEGIN_RES", (self.folder / "jobs/a.dlg").read_text())
        self.assertIn("BEGIN_RES", (self.folder / "jobs/b.dlg").read_text())

    def test_batch_list_with_names(self):
        self.write("jobs/list.txt", "../grid/rec.maps.fld\nfirst\n../ligand.pdbqt\n../ligand.pdbqt\nsecond\n")
        self.assert_well(self.adgpu("-B", "jobs/list.txt", *QUICK))
        self.assertEqual(self.files("jobs"), ["first.dlg", "first.xml", "list.txt", "second.dlg", "second.xml"])

    def test_batch_lists_that_are_wrong(self):
        for text, words in (("../ligand.pdbqt\n", ["list.txt:1", ".fld"]),
                            ("../grid/rec.maps.fld\n", ["list.txt", "ligand"]),
                            ("../grid/rec.maps.fld\none\ntwo\n../ligand.pdbqt\n", ["2 result names"]),
                            ("../grid/rec.maps.fld\nflex.pdbqt-\n", ["covalent"]),
                            ("\x00\x01\x02\n", ["not a text file"]), ("", ["no ligand"])):
            self.write("jobs/list.txt", text)
            self.assert_refused(self.adgpu("-B", "jobs/list.txt", *QUICK), *words)
        self.assert_refused(self.adgpu("-B", "jobs/absent.txt", *QUICK), "absent.txt")

    def test_many_ligands_and_folders(self):
        for name in "a", "b":
            self.write(f"lib/{name}.pdbqt", cli.ligand())
        (self.folder / "results").mkdir()
        self.assert_well(self.adgpu("-M", "grid/rec.maps.fld", "-B", "lib", "-N", "results", *QUICK))
        self.assertEqual(self.files("results"), ["a.dlg", "a.xml", "b.dlg", "b.xml"])
        self.assert_well(self.adgpu("-M", "grid/rec.maps.fld", "-B", "lib/a.pdbqt", "lib/b.pdbqt", "receptor.pdbqt", "-N", "job",
                                    *QUICK))
        self.assertEqual(self.models("job_1.dlg"), 2)
        self.assertEqual(self.models("job_2.dlg"), 2)
        self.assertFalse((self.folder / "job_3.dlg").exists())

    def test_a_failed_job_does_not_stop_the_others(self):
        self.write("lib/a.pdbqt", "broken\n")
        self.write("lib/b.pdbqt", cli.ligand())
        self.write("lib/c.pdbqt", cli.ligand(kinds=("C", "Br")))
        result = self.adgpu("-M", "grid/rec.maps.fld", "-B", "lib", *QUICK)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("The following jobs were not successful:", result.stderr)
        self.assertRegex(result.stderr, r"(?m)^Job 1: .*a\.pdbqt")
        self.assertRegex(result.stderr, r"(?m)^Job 3: .*c\.pdbqt.*Br")
        self.assertEqual([n for n in self.files("lib") if n.endswith(".dlg")], ["b.dlg"])
        self.assert_numbers(result)

    def test_wrong_flags(self):
        base = ["-M", "grid/rec.maps.fld", "-L", "ligand.pdbqt"]
        for words, texts in ((["--nruns", "3"], ["--nruns", "did you mean --nrun"]), (["--nrun"], ["--nrun", "value"]),
                             (["--nrun", "0"], ["--nrun"]), (["--nrun", "9000"], ["--nrun", "8192"]),
                             (["--mrat", "100"], ["--mrat"]), (["--lsmet", "fire"], ["--lsmet"]),
                             (["--lsmet", "xx"], ["--lsmet"]), (["--seed", "x"], ["--seed"]), (["--seed", "1,2,3,4"], ["--seed"]),
                             (["--devnum", "0"], ["--devnum"]), (["--npdb", "1"], ["--npdb"]),
                             (["--derivtype", "C1=C"], ["--derivtype"]), (["--modpair", "C:OA,1,1"], ["--modpair"]),
                             (["--xml2dlg", "a.xml"], ["--xml2dlg"]), (["--ubmod", "1"], ["--ubmod"]), (["stray"], ["stray"])):
            self.assert_refused(self.adgpu(*base, *words), *texts)
        self.assert_refused(self.adgpu("-L", "ligand.pdbqt"), "--ffile")
        self.assert_refused(self.adgpu("-M", "grid/rec.maps.fld"), "--lfile")
        self.assert_refused(self.adgpu("-M", "absent.fld", "-L", "ligand.pdbqt"), "absent.fld")
        self.assert_refused(self.adgpu("-M", "grid/rec.maps.fld", "-L", "absent.pdbqt"), "absent.pdbqt")
        self.assert_refused(self.adgpu(*base, "-N", "absent/name"), "absent")
        self.assertFalse((self.folder / "ligand.dlg").exists())

    def test_contacts_need_the_receptor_beside_its_maps(self):
        words = ["-M", "grid/rec.maps.fld", "-L", "ligand.pdbqt", *QUICK, "-C"]
        result = self.adgpu(*words, "1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("grid/receptor.pdbqt", result.stderr)
        self.assertFalse((self.folder / "ligand.dlg").exists())
        self.write("grid/receptor.pdbqt", cli.receptor())
        self.assert_well(self.adgpu(*words, "1"))
        self.assertIn("ANALYSIS: COUNT", (self.folder / "ligand.dlg").read_text())
        self.assert_well(self.adgpu(*words, "0"))
        self.assertNotIn("ANALYSIS:", (self.folder / "ligand.dlg").read_text())

    def test_devices_by_number(self):
        base = ["-M", "grid/rec.maps.fld", "-L", "ligand.pdbqt", *QUICK]
        for words in ["-D", "1"], ["-D", "all"], ["-D", "auto"], ["--device", "cpu"], ["--lsmet", "adam"]:
            result = self.adgpu(*base, *words)
            self.assert_well(result)
            self.assertNotIn("--devnum", result.stderr)
        result = self.adgpu(*base, "-D", "65536")
        if result.returncode == 0:  # no GPU: the processor is used
            self.assertIn("--devnum 65536", result.stderr)
        else:
            self.assert_refused(result, "--devnum 65536", "GPU")
        self.assert_refused(self.adgpu(*base, "--device", "cpu", "-D", "1"), "--device", "--devnum")


if __name__ == "__main__":
    cli.main()
