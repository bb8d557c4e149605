"""Libraries that are tables: CSV and TSV with a column of SMILES."""
import bz2
import csv
import gzip
import io
import json
import tarfile
import unittest

import berth_cli as cli
import molecules
from test_raw_dock import needs_rdkit


def zstandard(data):
    """A frame of Zstandard whose blocks are stored as they are (RFC 8878), with a content size of eight bytes."""
    blocks = [data[at:at + 100000] for at in range(0, len(data), 100000)]
    frame = b"\x28\xb5\x2f\xfd\xe0" + len(data).to_bytes(8, "little")
    for k, block in enumerate(blocks):
        frame += (len(block) << 3 | (k + 1 == len(blocks))).to_bytes(3, "little") + block
    return frame


class Tables(cli.Case):
    def prepare(self, *words, output="out"):
        return self.berth("prep", "ligand", "-q", *words, "-o", output)

    def names(self, output="out"):
        return sorted(path.stem for path in (self.folder / output).glob("*.pdbqt"))

    def smiles(self, name, output="out"):
        text = (self.folder / output / f"{name}.pdbqt").read_text()
        return next(line.split()[2] for line in text.splitlines() if line.startswith("REMARK SMILES "))

    @needs_rdkit
    def test_columns_are_found_by_their_headings(self):
        tables = {"a.csv": "name,SMILES\nx,CCO\n", "b.csv": "zinc_id,logP,canonical_smiles\nx,1.5,CCO\n",
                  "c.tsv": "smiles\tidnumber\tMW\nCCO\tx\t46\n", "d.csv": "Structure;Catalog ID\nCCO;x\n",
                  "e.cxsmiles": "smiles\tid\nCCO\tx\n", "f.csv": "\ufeffsmiles,id\r\nCCO,x\r\n"}
        for name, text in tables.items():
            with self.subTest(name):
                self.write(name, text)
                self.assert_well(self.prepare(name, output=name[0]))
                self.assertEqual(self.names(name[0]), ["x"])
                self.assertEqual(self.smiles("x", name[0]), "CCO")

    @needs_rdkit
    def test_columns_can_be_named(self):
        self.write("t.csv", "reagent,product,id,batch\nCC,CCO,1,b-1\n")
        self.assert_well(self.prepare("t.csv", "--smiles-field", "Product", "--name-field", "batch"))
        self.assertEqual(self.smiles("b-1"), "CCO")
        for smiles, name in ("absent", "batch"), ("product", "absent"):
            result = self.prepare("t.csv", "--smiles-field", smiles, "--name-field", name, output="none")
            self.assertEqual(result.returncode, 1)
            self.assertIn("t.csv:1: no column absent in this table; use a heading of its first line", result.stderr)

    @needs_rdkit
    def test_quotes_and_line_breaks(self):
        self.write("t.csv", 'id,smiles,remark\n"a, b",CCO,"two\nlines, ""quoted"""\nc,"C[C@H](O)C(C)N |&1:1|",\n')
        result = self.berth("prep", "ligand", "t.csv", "-o", "out")
        self.assert_well(result)
        self.assertEqual(self.names(), ["a,_b", "c"])
        self.assertIn("c: stereochemistry of C2 is racemic (&1)", result.stderr)

    @needs_rdkit
    def test_rows_without_smiles_are_rejected_with_their_line(self):
        self.write("t.csv", "smiles,id\nCCO,a\n,b\n\nnonsense(,c\nCC,d\n")
        result = self.prepare("t.csv")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(self.names(), ["a", "d"])
        self.assertIn("t.csv:3: record 2 has no SMILES", result.stderr)
        self.assertIn("t.csv:5:", result.stderr)

    @needs_rdkit
    def test_a_table_without_headings(self):
        self.write("t.csv", "CCO,a\nCC,b\n")
        result = self.prepare("t.csv")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no heading for SMILES; name the column with --smiles-field", result.stderr)

    @needs_rdkit
    def test_gzip_and_standard_input(self):
        text = "smiles,id\nCCO,x\n"
        with gzip.open(self.folder / "t.csv.gz", "wt") as file:
            file.write(text)
        self.assert_well(self.prepare("t.csv.gz"))
        self.assertEqual(self.names(), ["x"])
        result = self.berth("prep", "ligand", "-q", "-", "--input-format", "csv", "-o", "piped", input=text)
        self.assert_well(result)
        self.assertEqual(self.names("piped"), ["x"])

    PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard}

    def readable(self, ending):
        features = json.loads(self.berth("--version", "--json").stdout)["features"]
        return features[{"gz": "zlib", "bz2": "bzip2", "zst": "zstd"}[ending]]

    @needs_rdkit
    def test_compressed_libraries(self):
        """Every method, with two members, as a file of any format and on standard input."""
        files = {"a.smi": ("CCO a\n", "CC b\n"), "a.csv": ("smiles,id\nCCO,a\n", "CC,b\n"),
                 "a.cxsmiles": ("smiles\tid\nCCO\ta\n", "CC\tb\n"),
                 "a.sdf": (molecules.ethanol("a"), molecules.ethanol("b"))}
        for ending, pack in self.PACKERS.items():
            for name, members in files.items():
                with self.subTest(f"{name}.{ending}"):
                    data = b"".join(pack(member.encode()) for member in members)
                    self.write(f"{name}.{ending}", data)
                    result = self.prepare(f"{name}.{ending}", output=f"{name}-{ending}")
                    if not self.readable(ending):
                        self.assertIn("which this build cannot read; decompress it with", result.stderr)
                        continue
                    self.assert_well(result)
                    self.assertEqual(self.names(f"{name}-{ending}"), ["a", "b"])
                    if name != "a.csv":
                        continue
                    with open(self.folder / f"{name}.{ending}", "rb") as stream:
                        result = self.berth("prep", "ligand", "-q", "-", "--input-format", "csv", "-o", f"piped-{ending}",
                                            stdin=stream)
                    self.assert_well(result)
                    self.assertEqual(self.names(f"piped-{ending}"), ["a", "b"])

    @needs_rdkit
    def test_truncated_and_damaged_libraries(self):
        text = "".join(f"{'C' * (k % 20 + 1)}O m{k}\n" for k in range(400)).encode()
        for ending, pack in self.PACKERS.items():
            if not self.readable(ending):
                continue
            data = pack(text)
            for what, damaged in {"truncated": data[:-9], "damaged": data + b"more"}.items():
                with self.subTest(f"{ending} {what}"):
                    self.write(f"a.smi.{ending}", damaged)
                    result = self.berth("prep", "library", "-q", "-l", f"a.smi.{ending}", "-o", "a.btl", "--overwrite")
                    self.assertEqual(result.returncode, 2)
                    self.assertRegex(result.stderr, rf"a\.smi\.{ending}:\d*:? *the compressed file is {what} \(.*\); "
                                     "copy or compress it again")

    @needs_rdkit
    def test_compressed_archives(self):
        for ending in "gz", "bz2":
            with self.subTest(ending):
                with tarfile.open(self.folder / f"a.tar.{ending}", f"w:{ending}") as tar:
                    for name, data in {"x.smi.bz2": bz2.compress(b"CCO x\n"), "y.smi": b"CC y\n"}.items():
                        info = tarfile.TarInfo(name)
                        info.size = len(data)
                        tar.addfile(info, io.BytesIO(data))
                if self.readable("bz2") and self.readable(ending):
                    self.assert_well(self.prepare(f"a.tar.{ending}", output=ending))
                    self.assertEqual(self.names(ending), ["x", "y"])

    @needs_rdkit
    def test_tables_in_folders_are_results(self):
        self.write("lib/a.smi", "CCO a\n")
        self.write("lib/summary.csv", "smiles,id\nCC,b\n")
        self.assert_well(self.prepare("lib"))
        self.assertEqual(self.names(), ["a"])

    @needs_rdkit
    def test_a_screen(self):
        self.write("receptor.pdbqt", cli.receptor())
        self.write("lib.csv", "id,smiles\na,CCO\nb,CCN\n")
        self.assert_well(self.berth("screen", "-r", "receptor.pdbqt", "-l", "lib.csv", "-o", "out", *cli.BOX, *cli.QUICK))
        with open(self.folder / "out/top.csv", newline="") as file:
            self.assertEqual({row["name"] for row in csv.DictReader(file)}, {"a", "b"})


if __name__ == "__main__":
    cli.main()
