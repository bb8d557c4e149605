"""Which ligands are docked, and what they are called: SMILES of the command line, ranges of records, names of data items.

    test_ligands.py BIN
"""
import json

import berth_cli as cli
import molecules
from test_raw_dock import needs_rdkit


def records(*names):
    return "".join(molecules.ethanol(name) for name in names)


class Smiles(cli.Case):
    @needs_rdkit
    def test_as_option_and_as_ligand(self):
        for words in (["--smiles", "CCO ethanol"], ["-l", "CCO ethanol"], ["--smiles", "CCO ethanol", "-l", "C[N+](C)(C)C"]):
            result = self.berth("dock", "-r", "receptor.pdbqt", *words, "-o", "out", "--overwrite", *cli.BOX, *cli.QUICK)
            if words[0] == "-l" and " " in words[1]:
                self.assert_refused(result, "CCO ethanol")  # looks like a file with a blank in its name
                continue
            self.assert_well(result)
            self.assertIn("ethanol.sdf", self.files())
        self.assertEqual(len([name for name in self.files() if name.endswith(".sdf")]), 2, self.files())

    @needs_rdkit
    def test_without_a_name(self):
        self.assert_well(self.berth("dock", "-r", "receptor.pdbqt", "-l", "CC(=O)O", "-o", "out", *cli.BOX, *cli.QUICK))
        (docking,) = [name for name in self.files() if name.endswith(".json")]
        self.assertRegex(docking, r"^smiles")

    def test_a_file_comes_first(self):
        self.write("CCO", cli.ligand())
        self.assert_well(self.berth("dock", "-r", "receptor.pdbqt", "-l", "CCO", "-o", "out", *cli.BOX, *cli.QUICK))
        self.assertIn("CCO.pdbqt", self.files())

    def test_what_is_no_smiles_is_a_file(self):
        result = self.berth("dock", "-r", "receptor.pdbqt", "-l", "ligand.pdb", "-o", "out", *cli.BOX)
        self.assert_refused(result, "ligand.pdb")

    @needs_rdkit
    def test_a_wrong_smiles(self):
        result = self.berth("dock", "-r", "receptor.pdbqt", "--smiles", "C1CC", "-o", "out", *cli.BOX)
        self.assert_refused(result, "C1CC", "SMILES")


class Records(cli.Case):
    def setUp(self):
        super().setUp()
        for k in range(1, 4):
            self.write(f"lib/a{k}.pdbqt", cli.ligand(atoms=5 + k, torsions=1))
        self.write("lib/many.pdbqt", "".join(f"MODEL {k}\n{cli.ligand()}ENDMDL\n" for k in range(1, 5)))

    def docked(self, *words, code=0, output="out"):
        result = self.dock(*words, ligands=["lib"], output=output)
        self.assertEqual(result.returncode, code, result.stderr)
        return sorted(name[:-5] for name in self.files(output) if name.endswith(".json"))

    def test_ranges(self):
        every = self.docked(output="all")
        self.assertEqual(every, ["a1", "a2", "a3", "many_1", "many_2", "many_3", "many_4"])
        for k, (words, expected) in enumerate((("1-2", every[:2]), ("3-5", every[2:5]), ("6-", every[5:]), ("4", every[3:4]),
                                               ("7-99", every[6:]))):
            self.assertEqual(self.docked("--records", words, output=f"out{k}"), expected, words)
        # a part has the poses of the whole
        whole, part = (json.loads((self.folder / f"{out}/many_1.json").read_text()) for out in ("all", "out1"))
        self.assertEqual(len(whole["runs"]), len(part["runs"]))

    def test_no_range(self):
        for words in ("0-3", "5-2", "x", "1-x", "-3"):
            self.assert_refused(self.dock("--records=" + words), "--records", "1-100")
        self.assert_refused(self.dock("--records", "8-9", ligands=["lib"]), "no ligand in the records 8-9")


class Names(cli.Case):
    @needs_rdkit
    def test_a_data_item_names_ligands(self):
        text = records("same", "same").replace("$$$$", "> <ID>\nZ1\n\n$$$$", 1)
        head, tail = text.split("$$$$\n", 1)
        self.write("lib.sdf", head + "$$$$\n" + tail.replace("$$$$", "> 2 <ID> (x)\n Z/2 \n\n$$$$"))
        self.assert_well(self.dock("--name-field", "ID", ligands=["lib.sdf"]))
        self.assertEqual([name for name in self.files() if name.endswith(".sdf")], ["Z1.sdf", "Z_2.sdf"])
        self.assertTrue((self.folder / "out/Z1.sdf").read_text().startswith("Z1\n"))
        self.assert_well(self.dock("--name-field", "absent", ligands=["lib.sdf"], output="titles"))
        self.assertIn("same.sdf", self.files("titles"))

    def test_names_of_the_folders_own_files(self):
        names = ("summary", "notes", "rejects", "receptor")
        for name in names:
            self.write(f"lib/{name}.pdbqt", cli.ligand())
        self.write("lib/bad.pdbqt", "ROOT\nnothing\n")
        result = self.dock(ligands=["lib"])
        self.assertEqual(result.returncode, 2, result.stderr)
        for name in names:
            self.assertIn(f"{name}-2.pdbqt", self.files())
        self.assertIn("bad", (self.folder / "out/rejects.csv").read_text())
        self.assertEqual(len((self.folder / "out/summary.csv").read_text().splitlines()), 1 + len(names))


if __name__ == "__main__":
    cli.main()
