"""Parts of a library docked into one folder, one after the other or by several processes at a time: nothing is lost."""
import csv
import json
import subprocess
import tarfile

import berth_cli as cli
from test_raw_dock import needs_rdkit

SMILES = "CCO one\nCCCO two\n[Na+].CC(=O)[O-] three\nnonsense four\nCCN five\n[Na+].CCC(=O)[O-] six\nrubbish seven\nCCCN eight\n"


class Parts(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("receptor.pdbqt", cli.receptor())

    def rows(self, name):
        path = self.folder / name
        return list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []

    def words(self, *more, library="all.smi", output="out"):
        return ["dock", "-r", "receptor.pdbqt", "-l", library, "-o", output, *cli.BOX, *cli.QUICK, "-q", *more]

    def names(self, output="out"):
        """Ligands of summary, notes and rejects."""
        return [sorted({row["ligand"] for row in self.rows(f"{output}/{name}.csv")}) for name in ("summary", "notes", "rejects")]

    @needs_rdkit
    def test_one_after_the_other(self):
        self.write("all.smi", SMILES)
        self.berth(*self.words(output="whole"))
        for part in ("3-4", "1-2", "5-5", "8", "6-7"):  # some without notes, some without rejects
            self.berth(*self.words("--records", part))
        self.assertEqual(self.names(), self.names("whole"))
        self.assertEqual(self.names()[2], ["four", "seven"])
        whole, parts = self.rows("whole/summary.csv"), self.rows("out/summary.csv")
        for row in whole + parts:
            del row["seconds"]
        self.assertEqual(whole, parts)

    @needs_rdkit
    def test_docked_again(self):
        """A ligand's earlier rows go when it is docked again, and only then."""
        self.write("all.smi", SMILES)
        self.berth(*self.words("--records", "1-4"))
        before = {row["ligand"]: row for row in self.rows("out/summary.csv")}
        self.berth(*self.words("--records", "1-1", "--seed", "8", "--rescore", "ad4"))
        after = {row["ligand"]: row for row in self.rows("out/summary.csv")}
        self.assertEqual(before.keys(), after.keys())
        self.assertNotEqual(after["one"]["ad4"], "")
        self.assertEqual([after[name][key] for name in ("two", "three") for key in ("ad4", "free_energy")],
                         ["", before["two"]["free_energy"], "", before["three"]["free_energy"]])
        self.write("all.smi", SMILES.replace("nonsense", "CCF"))
        self.berth(*self.words("--records", "4-4"))
        self.assertEqual(self.rows("out/rejects.csv"), [])
        self.assertFalse((self.folder / "out/rejects.csv").exists())
        self.assertIn("four", self.names()[0])

    @needs_rdkit
    def test_at_the_same_time(self):
        self.write("all.smi", SMILES)
        self.berth(*self.words(output="whole"))
        for attempt in range(3):
            parts = [subprocess.Popen([cli.BIN / "berth", *map(str, self.words("--records", part, output=f"at{attempt}"))],
                                      cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                     for part in ("1-2", "3-4", "5-6", "7-8")]
            for process in parts:
                process.wait()
            self.assertEqual(self.names(f"at{attempt}"), self.names("whole"))

    @needs_rdkit
    def test_another_record_of_the_same_name(self):
        self.write("all.smi", "CCO same\nCCCO b\nCCCN same\nCCCCN d\n")
        self.berth(*self.words("--records", "1-2"))
        first = (self.folder / "out/same.pdbqt").read_text()
        result = self.berth(*self.words("--records", "3-4"))
        self.assertIn("this is the result of another record of that name", result.stderr)
        self.assertEqual((self.folder / "out/same.pdbqt").read_text(), first)
        self.assertEqual(json.loads((self.folder / "out/same.json").read_text())["record"], 1)
        self.assert_well(self.berth(*self.words("--records", "1-2", "--seed", "9")))  # the same ligand again

    @needs_rdkit
    def test_preparation_by_parts(self):
        self.write("one.smi", SMILES)
        self.write("two.smi", "bad nine\n[Na+].CCCC(=O)[O-] ten\n")
        for library in ("one.smi", "two.smi"):
            self.berth("prep", "ligand", "-l", library, "-o", "prepared")
        self.assertEqual(self.names("prepared"), [[], ["eight", "five", "six", "ten", "three"], ["four", "nine", "seven"]])

    def test_rejects_of_shards(self):
        self.write("library.pdbqt", "".join(f"MODEL {k}\n{cli.ligand() if k % 2 else 'nonsense' + chr(10)}ENDMDL\n" for k in range(8)))
        for shard in (1, 2):
            self.berth("screen", "-r", "receptor.pdbqt", "-l", "library.pdbqt", "-o", "out", *cli.BOX, *cli.QUICK, "-q",
                       "--shard", f"{shard}/2")
        count = sum(len(self.rows(f"out/rejects-{shard}-of-2.csv")) for shard in (1, 2))
        self.assertIn(count, (0, 4))  # 0: without SQLite


class Archives(cli.Case):
    def archive(self, name="all.tar", **options):
        for member, text in (("a", cli.ligand()), ("d", cli.ligand(atoms=7))):
            self.write(f"{member}.pdbqt", text)
        with tarfile.open(self.folder / name, "w", **options) as archive:
            archive.add(self.folder / "a.pdbqt", "lib/a.pdbqt")
            for kind, link, target in ((tarfile.LNKTYPE, "lib/b.pdbqt", "lib/a.pdbqt"), (tarfile.SYMTYPE, "lib/c.pdbqt", "a.pdbqt"),
                                       (tarfile.SYMTYPE, "lib/README", "a.pdbqt"), (tarfile.FIFOTYPE, "lib/p.pdbqt", ""),
                                       (tarfile.SYMTYPE, "lib/" + 120 * "x" + ".pdbqt", 150 * "y" + ".pdbqt")):
                info = tarfile.TarInfo(link)
                info.type, info.linkname = kind, target
                archive.addfile(info)
            archive.add(self.folder / "d.pdbqt", "lib/d.pdbqt")

    def test_links_are_rejected_and_counted(self):
        for options in ({"format": tarfile.GNU_FORMAT}, {"format": tarfile.PAX_FORMAT}):
            self.archive(**options)
            result = self.berth("prep", "library", "-l", "all.tar", "-o", "all.btl", "--overwrite")
            if "no zstd" in result.stderr:
                self.skipTest("a build without zstd")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("2 ligands in all.btl", result.stdout)
            self.assertIn("4 rejected", result.stdout)
            reasons = {row["file"]: row for row in csv.DictReader((self.folder / "all.rejects.csv").read_text().splitlines())}
            self.assertIn("it is a link to lib/a.pdbqt, without content", reasons["all.tar:lib/b.pdbqt"]["message"])
            self.assertIn("it is a link to a.pdbqt", reasons["all.tar:lib/c.pdbqt"]["message"])
            self.assertIn("--hard-dereference", reasons["all.tar:lib/c.pdbqt"]["remedy"])
            self.assertIn("it is not a regular file", reasons["all.tar:lib/p.pdbqt"]["message"])
            self.assertIn("a link to " + 150 * "y", reasons["all.tar:lib/" + 120 * "x" + ".pdbqt"]["message"])


if __name__ == "__main__":
    cli.main()
