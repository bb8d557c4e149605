#!/usr/bin/env python3
"""`berth prep library` as users rely on it: any sources, one file, rejects, exit codes, reproducible bytes.

    test_library.py BIN
"""
import csv
import gzip
import io
import json
import random
import subprocess
import tarfile
import unittest

import berth_cli
import molecules
from test_raw_dock import needs_rdkit


def has_zstd():
    result = subprocess.run([berth_cli.BIN / "berth", "prep", "library", "-l", "/dev/null", "-o", "/dev/null/x.btl"],
                            capture_output=True, text=True)
    return "no zstd" not in result.stderr


class Command(berth_cli.Case):
    def test_wrong_use(self):
        self.assert_refused(self.berth("prep", "library", "-o", "x.btl"), "no ligand")
        self.assert_refused(self.berth("prep", "library", "a.pdbqt"), "-o")
        self.assert_refused(self.berth("prep", "library", "a.pdbqt", "-o", "x.sdf"), ".btl")
        self.assert_well(self.berth("prep", "library", "--help"))


@unittest.skipUnless(has_zstd(), "this build has no zstd")
class Library(berth_cli.Case):
    def make_library(self, *words, code=0, output="out.btl", **more):
        result = self.berth("prep", "library", *words, "-o", output, "--json", "--overwrite", **more)
        self.assert_well(result, code=code)
        return json.loads(result.stdout)

    def rejects(self, name="out.rejects.csv"):
        return [row["ligand"] for row in csv.DictReader((self.folder / name).read_text().splitlines())]

    def texts(self, count=30):
        return [berth_cli.ligand(atoms=6 + i % 5, torsions=i % 4, shift=(i * 0.1, 0, 0)) for i in range(count)]

    def test_sources_give_the_same_ligands(self):
        texts = self.texts()
        (self.folder / "set").mkdir()
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz") as tar:
            for i, text in enumerate(texts):
                self.write(f"set/m_{i + 1:02d}.pdbqt", text)
                info = tarfile.TarInfo(f"deep/{'folder/' * 20}m_{i + 1:02d}.pdbqt")
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text.encode()))
        self.write("set.tar.gz", archive.getvalue())
        models = "".join(f"MODEL {i + 1}\n{text}ENDMDL\n" for i, text in enumerate(texts))
        self.write("models.pdbqt", models)
        self.write("models2.pdbqt.gz", gzip.compress(models.encode()))
        for source in (["set"], ["set.tar.gz"], ["models.pdbqt"], ["models2.pdbqt.gz"], ["set/*.pdbqt"]):
            summary = self.make_library("-l", *source, output=f"{source[0].replace('/', '_').replace('*', '_')}.btl")
            self.assertEqual((30, 0), (summary["ligands"], summary["rejected"]))
        self.assertEqual((self.folder / "set.btl").read_bytes(), (self.folder / "set.tar.gz.btl").read_bytes())
        self.assertEqual((self.folder / "set.btl").read_bytes(), (self.folder / "set__.pdbqt.btl").read_bytes())
        summary = self.make_library("-l", "set.btl", "models.pdbqt.btl", output="both.btl")
        self.assertEqual(60, summary["ligands"])
        self.assertEqual((self.folder / "both.btl").stat().st_size, summary["bytes"])
        again = self.make_library("-l", "both.btl", "-t", "1", output="again.btl")
        self.assertEqual((self.folder / "both.btl").read_bytes(), (self.folder / "again.btl").read_bytes())
        self.assertLess(again["bytes_per_ligand"], 430)

    def test_standard_input(self):
        text = "".join(f"MODEL {i + 1}\n{text}ENDMDL\n" for i, text in enumerate(self.texts(5)))
        self.assertEqual(5, self.make_library("-l", "-", input=text)["ligands"])

    def test_corrupt_ligands(self):
        """One in twenty is broken, each in a different way; all others are read."""
        draw = random.Random(5)
        texts, bad = self.texts(200), set(draw.sample(range(200), 10))
        for i in bad:
            at = draw.randrange(len(texts[i]) // 3, 2 * len(texts[i]) // 3)
            texts[i] = texts[i][:at] if i % 2 else texts[i].replace("ROOT", "R00T", 1)
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz") as tar:
            for i, text in enumerate(texts):
                info = tarfile.TarInfo(f"m{i}.pdbqt")
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text.encode()))
        self.write("set.tar.gz", archive.getvalue())
        summary = self.make_library("-l", "set.tar.gz", code=2)
        self.assertEqual((190, 10), (summary["ligands"], summary["rejected"]))
        self.assertEqual({f"m{i}" for i in bad}, set(self.rejects()))
        (self.folder / "out.btl").rename(self.folder / "good.btl")
        self.make_library("-l", "good.btl")
        self.assertFalse((self.folder / "out.rejects.csv").exists(), "the list of an older run")

    def test_cut_archives(self):
        """What was read before the truncation is kept, and the truncation is reported."""
        texts, archive = self.texts(50), io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as tar:
            for i, text in enumerate(texts):
                info = tarfile.TarInfo(f"m{i}.pdbqt")
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text.encode()))
        packed = gzip.compress(archive.getvalue())
        self.write("set.tar.gz", packed[:len(packed) * 2 // 3])
        summary = self.make_library("-l", "set.tar.gz", code=2)
        self.assertGreater(summary["ligands"], 5)
        self.assertIn("set", self.rejects())

    def test_nothing_at_all(self):
        self.write("bad.pdbqt", "nothing\n")
        result = self.berth("prep", "library", "-l", "bad.pdbqt", "-o", "out.btl")
        self.assertEqual(1, result.returncode)
        self.assertIn("none of 1 ligands", result.stderr)
        self.assertFalse((self.folder / "out.btl").exists())

    def test_damaged_library(self):
        texts = self.texts(3)
        self.write("set.pdbqt", "".join(f"MODEL {i % 3}\n{texts[i % 3]}ENDMDL\n" for i in range(2500)))
        self.make_library("-l", "set.pdbqt", output="whole.btl")
        data = bytearray((self.folder / "whole.btl").read_bytes())
        self.write("cut.btl", bytes(data[:len(data) // 2]))
        result = self.berth("prep", "library", "-l", "cut.btl", "-o", "out.btl")
        self.assertIn(result.returncode, (1, 2))
        self.assertTrue("ligands 1025 to 2500) is missing" in result.stderr, result.stderr[:2000])
        self.assertLess(len(result.stderr.splitlines()), 30)
        self.assertEqual(2500 - 1024, len(self.rejects()))
        self.write("no.btl", b"x" * 1000)
        self.assert_refused(self.berth("prep", "library", "-l", "no.btl", "-o", "out2.btl"), "not a Berth library")

    def test_other_programs_read_it(self):
        """`berth dock` finds the same for a stored ligand as for its file."""
        texts = self.texts(3)
        for i, text in enumerate(texts):
            self.write(f"set/m{i}.pdbqt", text)
        self.make_library("-l", "set")
        best = []
        for source in ("set", "out.btl"):
            result = self.dock("--json", ligands=[source], output="docked_" + source[:3])
            self.assert_well(result)
            best.append([{k: v for k, v in json.loads(line)["best"].items()} for line in result.stdout.splitlines()])
        self.assertEqual(*best)
        self.assert_well(self.berth("prep", "ligand", "-l", "out.btl", "-o", "unpacked"))
        self.assertEqual(["m0.pdbqt", "m1.pdbqt", "m2.pdbqt"], self.files("unpacked"))
        for i, text in enumerate(texts):
            atoms = [line[30:54] + line[70:80].strip() for line in text.splitlines() if line.startswith("ATOM")]
            back = (self.folder / f"unpacked/m{i}.pdbqt").read_text().splitlines()
            self.assertEqual(len(atoms), len([line for line in back if line.startswith("ATOM")]))
            self.assertEqual([line for line in text.splitlines() if line[:6] in ("BRANCH", "TORSDO", "ROOT")],
                             [line for line in back if line[:6] in ("BRANCH", "TORSDO", "ROOT")])

    @needs_rdkit
    def test_corrupt_records_in_every_format(self):
        """Every twentieth is broken in a typical way; its neighbors are not affected."""
        good = {"sdf": lambda name: molecules.ethanol(name), "mol2": lambda name: molecules.mol2(name),
                "smi": lambda name: f"CCO {name}\n"}
        bad = {"sdf": [lambda t: t.replace("  3  2  0", "  9  2  0"), lambda t: t.replace(" C ", " Xx", 1),
                       lambda t: t.replace("M  END", ""), lambda t: t.replace("1  2  1", "1  7  1")],
               "mol2": [lambda t: t.replace("3 2 0 0 0", "x"), lambda t: t.replace("1 1 2 1", "1 1 9 1"),
                        lambda t: t.replace("C.3", "Qq", 1)],
               "smi": [lambda t: "CC( " + t[4:], lambda t: "C1CC " + t[4:], lambda t: "\x01\x02 " + t[4:]]}
        for kind, make in good.items():
            texts, broken = [], set()
            for i in range(100):
                text = make(f"m{i}")
                if i % 20 == 7:
                    text = bad[kind][i // 20 % len(bad[kind])](text)
                    broken.add(f"m{i}")
                texts.append(text)
            self.write(f"a.{kind}", "".join(texts))
            summary = self.make_library("-l", f"a.{kind}", code=2, output=f"{kind}.btl")
            self.assertEqual((95, 5), (summary["ligands"], summary["rejected"]), kind)
            self.assertEqual(broken, set(self.rejects(f"{kind}.rejects.csv")), kind)

    @needs_rdkit
    def test_missing_end_of_a_record(self):
        """Two molecules run together are not read as one of them."""
        self.write("a.sdf", molecules.ethanol("one").replace("$$$$\n", "") + molecules.ethanol("two") + molecules.ethanol("c"))
        summary = self.make_library("-l", "a.sdf", code=2)
        self.assertEqual((1, 1), (summary["ligands"], summary["rejected"]))

    @needs_rdkit
    def test_sdf_again(self):
        """SMILES in the library give molecules with bonds and hydrogens."""
        self.write("b.smi", "C[C@H](O)c1ccccc1 chiral\nCC(=O)N amide\n")
        self.make_library("-l", "b.smi")
        self.assert_well(self.berth("prep", "ligand", "-l", "out.btl", "-o", "back.sdf"))
        self.assert_well(self.berth("prep", "ligand", "-l", "b.smi", "-o", "direct.sdf"))
        back, direct = ((self.folder / name).read_text().split("$$$$\n") for name in ("back.sdf", "direct.sdf"))
        self.assertEqual([r.split("\n")[0] for r in direct], [r.split("\n")[0] for r in back])
        self.assertEqual([r.count(" H ") for r in direct], [r.count(" H ") for r in back])

    @needs_rdkit
    def test_raw_ligands(self):
        self.write("a.sdf", molecules.ethanol("one") + molecules.broken() + molecules.salt())
        self.write("b.smi", "CCO two\nCC( three\nCCCN\n")
        summary = self.make_library("-l", "a.sdf", "b.smi", code=2)
        self.assertEqual((4, 2), (summary["ligands"], summary["rejected"]))
        self.assertEqual(["broken", "three"], self.rejects())
        self.assertTrue((self.folder / "out.notes.csv").exists())
        summary = self.make_library("-l", "b.smi", "--conformers", "3", code=2, output="c.btl")
        self.assertGreater(summary["ligands"], 2)
        text = (self.folder / "a.sdf").read_text()
        summary = self.make_library("-l", "-", "--input-format", "sdf", input=text, code=2, output="d.btl")
        self.assertEqual(2, summary["ligands"])


if __name__ == "__main__":
    berth_cli.main()
