"""Failing calls in commands other than screens (test_faults.py): a few per command, all with BERTH_TEST_FULL=1.

Together the two reach every call site that ../faults/unreached.txt does not list, as ../faults/sites.py checks."""
import gzip
import os
import shutil
import stat
import tarfile

import berth_cli as cli
import molecules
from test_bude import QUICK as BUDE, amide, cup
from test_faults import SCREEN, SEARCH, SMALL, Case, without_times
from test_grid import GPF
from test_raw_dock import needs_both, needs_rdkit
from test_screen import without_sqlite

DOCK = ["dock", "-r", "receptor.pdbqt", "-o", "docked", *SMALL, *SEARCH]
ZINC = "".join(f"HETATM{i:5d} {name:2s}   {residue:>3s} A{i:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00{name:>12s}\n"
               for i, (name, residue, x, y, z) in enumerate(
                   [("ZN", "ZN", 0, 0, 0), ("O", "HOH", 2, 0, 0.5), ("O", "HOH", -1, 1.732, 0.5),
                    ("O", "HOH", -1, -1.732, 0.5)], 1))
VINA = ["vina", "--receptor", "receptor.pdbqt", "--center_x", "0", "--center_y", "0", "--center_z", "0",
        "--size_x", "6", "--size_y", "6", "--size_z", "6", "--spacing", "0.5", "--seed", "7", "--cpu", "2",
        "--exhaustiveness", "2", "--max_evals", "500"]
ADGPU = ["-M", "maps/rec.maps.fld", "-L", "library/lig0.pdbqt", "-N", "job", "--nrun", "2", "--nev", "500",
         "--heuristics", "0", "--psize", "10", "--lsit", "5", "--seed", "7", "--device", "cpu"]


def results(folder):
    """AutoGrid's logs have times anywhere."""
    return {path: len(lines) if path.endswith(".glg") else lines for path, lines in without_times(folder).items()
            if not path.startswith("cache/")}


class Commands(Case):
    talks = True

    def setUp(self):
        super().setUp()
        (self.start / "flex.pdbqt").write_text(cli.residues())
        for path in sorted((self.start / "library").iterdir())[3:]:
            path.unlink()
        (self.start / "maps").mkdir()
        self.tried = 0

    def attempt(self, *command, start=None, few=4, compare=True, **more):
        """What it writes and prints is complete or absent; without compare only crashes count."""
        self.tried += 1
        name = f"{type(self).__name__}-{self._testMethodName.removeprefix('test_')}-{self.tried}".lower()
        if compare:
            self.try_outputs(name, command, start or self.start, results, few=few, **more)
        else:
            self.try_all(name, start or self.start, command, lambda outcome: None, few=few, **more)

    def write(self, name, text):
        path = self.start / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def with_maps(self, scoring="ad4"):
        types = ["--types", "C,OA,N,A,HD"] if scoring == "ad4" else ["-l", "library"]
        maps = self.ended(["grid", "-r", "receptor.pdbqt", *types, "-o", "maps/rec", "-q", "--scoring",
                           scoring, *SMALL], name="maps")
        shutil.copy(self.start / "receptor.pdbqt", maps / "maps/receptor.pdbqt")
        return maps


    def with_logs(self):
        maps = self.with_maps()
        (maps / "logs").mkdir()
        return maps


class Words(Commands):
    """Output is printed completely, or exit code 1 and a message report that it was not."""

    def test_words(self):
        for words in (["--help"], ["--help=man"], ["--help=words"], ["--version"], ["prep", "--help"],
                      ["completion", "bash"], ["dock", "--help"], ["dock", "--help=man"], ["dock", "--help=words"],
                      ["vina", "--version"]):
            self.attempt(*words, few=2)
        self.attempt("devices", few=2, compare=False)  # what cannot be loaded is not usable, with the reason
        for program in "adgpu", "autogrid":
            self.attempt("--version", few=2, BERTH_FAULT_PROGRAM=program)
        self.attempt("dock", "--receptro", "a", ends=1)
        self.attempt("bench", ends=1)  # it is not in the folder of this program


class Docking(Commands):
    def test_dock(self):
        ligands = ["-l", "library/lig0.pdbqt", "library/lig1.pdbqt"]
        self.attempt(*DOCK, *ligands[:2], "--flex", "flex.pdbqt", "--reference", "library/lig0.pdbqt", "--write-maps",
                     "maps/rec")
        self.attempt(*DOCK, "-l", "library", "--json", "--format", "dlg,xml,pdbqt,csv,json")
        self.write("library/bad.pdbqt", "ROOT\n")
        self.attempt(*DOCK, "-l", "library", "--heuristics", "on", ends=2)
        rejected = self.ended([*DOCK, "-l", "library"], name="rejected", ends=2)
        self.attempt("report", "docked", start=rejected, functions=("malloc", "access"))
        self.attempt(*DOCK, *ligands, start=self.ended([*DOCK, *ligands], name="again"), ends=1)
        maps = self.with_maps()
        command = ["maps/rec.maps.fld" if word == "receptor.pdbqt" else word for word in DOCK if word not in SMALL]
        self.attempt(*command, *ligands, start=maps)

    def test_box(self):
        box = [word for word in DOCK if word not in ("--center", "0,0,0", "--size", "6,6,6")]
        self.attempt(*box, "-l", "library/lig0.pdbqt", "--autobox", "absent.pdb:SER42", "--padding", "1", ends=1)
        self.write("lig.pdb", "\n".join(molecules.ligand_residue()) + "\nEND\n")
        self.attempt(*box, "-l", "library/lig0.pdbqt", "--autobox", "lig.pdb", "--padding", "5",
                     functions=("fgets", "__fgets_chk"))
        self.attempt(*box, "-l", "library/lig0.pdbqt", "--autobox", "receptor.pdbqt:ALA")
        self.attempt(*box, "-l", "library/lig0.pdbqt", "--autobox", "library/lig1.pdbqt", "--padding", "1", "-q")

    def test_score(self):
        score = ["score", "-r", "receptor.pdbqt", "-l", "library", *SMALL]
        self.attempt(*score, "--flex", "flex.pdbqt", "--per-atom", "--per-pair")
        self.attempt(*score, "--minimize", "--local-search-iterations", "5", "--json")
        self.attempt(*score, "--scoring", "vina")
        self.attempt(*score, "--minimize", "--local-search-iterations", "5")
        self.attempt("score", "-r", "maps/rec.maps.fld", "-l", "library", "--per-atom", "--json",
                     start=self.with_maps())

    def test_vina(self):
        ligand = ["--ligand", "library/lig0.pdbqt"]
        self.attempt(*VINA, *ligand, "--flex", "flex.pdbqt")
        box = [word for word in VINA if not word.startswith(("--center", "--size")) and word not in ("0", "6")]
        self.attempt(*box, *ligand, "--score_only", "--autobox")
        self.attempt(*VINA, *ligand, "--local_only", "--verbosity", "2")
        self.attempt(*VINA, *ligand, "--randomize_only")
        self.attempt(*VINA, *ligand, "library/lig1.pdbqt", "--out", "both.pdbqt", "--write_maps", "maps")
        self.write("list.txt", "library/lig0.pdbqt library/lig1.pdbqt\n")
        self.write("box.txt", "energy_range = 2\nnum_modes = 3\n")
        self.attempt(*VINA, "--ligand_index", "list.txt", "--dir", "docked", "--config", "box.txt")

    def test_gnina(self):
        search = ["--size_x", "6", "--size_y", "6", "--size_z", "6", "--exhaustiveness", "1", "--seed", "7", "--cpu", "2",
                  "--cnn_scoring", "none"]
        gnina = ["gnina", "-r", "receptor.pdbqt", "-l", "library/lig0.pdbqt", *search[-2:]]
        self.attempt(*gnina[:5], "library/lig1.pdbqt", *search, "--num_modes", "2", "-o", "out.pdbqt.gz", "--log", "log")
        self.attempt(*gnina, "--minimize", "-o", "out.pdbqt")
        self.attempt(*gnina, "--score_only", "-q")

    def test_vina_maps(self):
        maps = self.ended([*VINA, "--ligand", "library/lig0.pdbqt", "--write_maps", "maps/rec", "--score_only"],
                          name="maps")
        search = VINA[3:]
        command = ["vina", "--maps", "maps/rec", "--ligand", "library/lig0.pdbqt", *search[search.index("--seed"):]]
        self.attempt(*command, start=maps)
        shutil.copytree(maps, self.folder / "vina-maps")
        for path in (self.folder / "vina-maps/maps").iterdir():
            if not path.name.endswith(".map"):
                path.unlink()  # as Vina writes them
        self.attempt(*command, "--score_only", start=self.folder / "vina-maps")

    def test_adgpu(self):
        maps = self.with_maps()
        for words in ([], ["--gbest", "1", "--rlige", "1", "-R", "library/lig0.pdbqt", "-F", "flex.pdbqt", "-C", "1"],
                      ["--dlg2stdout", "1"]):
            self.attempt(*ADGPU, *words, start=maps, BERTH_FAULT_PROGRAM="adgpu")
        for words in ["--dlg2stdout", "1"], ["--gbest", "1"]:  # read again, what was written
            self.attempt(*ADGPU, *words, start=maps, functions=("fread", "__getdelim"), BERTH_FAULT_PROGRAM="adgpu")
        search = ADGPU[ADGPU.index("--nrun"):]
        (maps / "list.txt").write_text("maps/rec.maps.fld\nfirst\nlibrary/lig0.pdbqt\nlibrary/lig1.pdbqt\nsecond\n")
        self.attempt("-B", "list.txt", *search, start=maps, BERTH_FAULT_PROGRAM="adgpu")
        (maps / "library/bad.pdbqt").write_text("ROOT\n")
        (maps / "results").mkdir()
        self.attempt(*ADGPU[:2], "-B", "library", "-N", "results", *search, start=maps, ends=2,
                     BERTH_FAULT_PROGRAM="adgpu")
        (maps / "a.dpf").write_text("ligand_types C OA N A\nfld maps/rec.maps.fld\nmove library/lig0.pdbqt\n"
                                    "ga_pop_size 10\nga_num_evals 500\nga_run 2\nunbound 0\nmap other.C.map\n")
        self.attempt("--import_dpf", "a.dpf", *search, start=maps, BERTH_FAULT_PROGRAM="adgpu")


class Grids(Commands):
    def test_autogrid(self):
        self.write("rec.gpf", GPF)
        self.attempt("-p", "rec.gpf", "-l", "rec.glg", BERTH_FAULT_PROGRAM="autogrid")
        self.attempt("-p", "rec.gpf", BERTH_FAULT_PROGRAM="autogrid")
        self.write("bad.gpf", GPF.replace("receptor.pdbqt", "absent.pdbqt"))
        self.attempt("-p", "bad.gpf", "-l", "rec.glg", ends=1, BERTH_FAULT_PROGRAM="autogrid")

    def test_grid(self):
        self.attempt("grid", "-r", "receptor.pdbqt", "-l", "library", "-o", "maps/rec", *SMALL)
        self.attempt("grid", "-r", "receptor.pdbqt", "-l", "library", "-o", "maps/rec", "--json", "--scoring", "vina",
                     *SMALL)
        self.attempt("grid", "-r", "receptor.pdbqt", "--types", "C", "-o", "maps/rec", "-q", *SMALL,
                     start=self.with_maps())


class Bude(Commands):
    def setUp(self):
        super().setUp()
        self.write("cup.mol2", cup())
        other = [[(0, 0, 0), (1.5, 0, 0.1), (2.1, 1.1, 0.2), (2.1, -1.2, 0.2)]]
        self.write("some.mol2", amide(conformers=other) + amide("other"))
        self.dock = ["bude", "-r", "cup.mol2", "-o", "docked", "--center", "0,0,0", "--conformers", "0",
                     *(word for word in BUDE if word != "-q"), "--population", "64"]

    @needs_rdkit
    def test_library(self):
        self.write("some.smi", "CCO ethanol\n")
        made = self.ended(["prep", "library", "-l", "some.smi", "-o", "some.btl", "--conformers", "2"], name="made")
        self.attempt(*self.dock, "-l", "some.btl", start=made)

    def test_dock(self):
        self.attempt(*self.dock, "-l", "some.mol2", "--json", "--timing")
        self.attempt(*self.dock, "-l", "some.mol2", "--timing", "--reference", "some.mol2")
        self.attempt(*self.dock, "-l", "some.mol2", "--score")

    @needs_rdkit
    def test_conformers(self):
        self.write("some.sdf", molecules.ethanol() + molecules.ethanol())
        command = [word for word in self.dock if word not in ("--conformers", "0")]
        self.attempt(*command, "-l", "some.sdf", "--conformers", "2", "--keep-conformer")
        self.attempt(*command, "-l", "some.mol2", "--conformers", "2")

    def test_screen(self):
        self.attempt("screen", "--engine", "bude", "-r", "cup.mol2", "-l", "some.mol2", "-o", "out", "--center",
                     "0,0,0", "--conformers", "0", *BUDE, "--population", "64", compare=False)


class Preparation(Commands):
    @needs_rdkit
    def test_ligands(self):
        self.write("some.sdf", molecules.ethanol("a") + molecules.salt() + molecules.ethanol("a"))
        self.write("some.sdf.gz", gzip.compress(molecules.ethanol("z").encode()))
        self.write("some.smi", "CCCCO x\nC1CCCCCCCCC1 ring\nC[Se]C se\nOC(=O)CN acid\n")
        self.write("lig.pdb", "\n".join(molecules.ligand_residue()) + "\nEND\n")
        folder = ["prep", "ligand", "-o", "prepared"]
        self.attempt(*folder, "-l", "some.sdf", "some.sdf.gz", "--json", "--format", "pdbqt,sdf")
        self.attempt(*folder, "-l", "some.smi", "--ph", "7.4", "--conformers", "2", ends=2)
        self.attempt(*folder, "-l", "-", "--input-format", "sdf", stdin="some.sdf")
        self.attempt("prep", "ligand", "-l", "lig.pdb", "--template", "CCO", "-o", "lig.sdf")
        self.attempt(*folder, "-l", "some.sdf", start=self.ended([*folder, "-l", "some.sdf"], name="again"))

    def test_patterns(self):
        for pattern in "library/lig*.pdbqt", "lib*/lig0.pdbqt":
            self.attempt("prep", "library", "-l", pattern, "-o", "some.btl", "-q", few=2)

    @needs_rdkit
    def test_library(self):
        self.write("some.sdf", molecules.ethanol("a") + molecules.broken() + molecules.salt())
        self.attempt("prep", "library", "-l", "some.sdf", "library", "-o", "some.btl", ends=2)

    @needs_both
    def test_receptor(self):
        self.write("p.pdb", molecules.protein(molecules.ligand_residue()))
        shutil.copy(cli.SOURCE / "tests/data/peptide.pdb", self.start / "peptide.pdb")
        self.attempt("prep", "receptor", "-r", "p.pdb", "-o", "p", "--ligand-from", "LIG", "--flex", "A:SER1", "--pdb")
        self.write("peptide.pdb.gz", gzip.compress((self.start / "peptide.pdb").read_bytes()))
        command = ["prep", "receptor", "-r", "peptide.pdb.gz", "-o", "r", "--json"]
        self.attempt(*command, start=self.ended(command, name="again"))
        self.write("zinc.pdb", ZINC)
        self.attempt("prep", "receptor", "-r", "zinc.pdb", "-o", "r", "-q", "--zinc", "--keep", "HOH")
        self.attempt("prep", "ligand", "-r", "p.pdb", "--ligand-from", "LIG", "--template", "CCO", "-o", "l.pdbqt")
        raw = ["-r", "p.pdb", "-o", "docked", "--spacing", "0.5", *SEARCH]
        self.attempt("dock", *raw, "--template", "CCO", "--ligand-from", "LIG", "--padding", "2", "--complex", "pdb")
        self.attempt("screen", *raw, "-l", "library", "--autobox", "LIG", "--padding", "5", compare=False)

    @needs_both
    def test_propka(self):
        shutil.copy(cli.SOURCE / "tests/data/peptide.pdb", self.start / "peptide.pdb")
        self.write("bin/propka3", "#!/bin/sh\ncp ../given.pka receptor.pka 2>/dev/null; exit 1\n")
        (self.start / "bin/propka3").chmod(0o755)
        (self.start / "tmp").mkdir()
        self.attempt("prep", "receptor", "-r", "peptide.pdb", "-o", "r", "--ph", "6.5", PATH="bin:/bin:/usr/bin",
                     TMPDIR="tmp")


class Devices(Commands):
    def test_a_device_stays(self):
        """An output whose type cannot be determined must not be treated as a new file, which would replace a device."""
        node = cli.pathlib.Path(cli.tempfile.mkdtemp(prefix="berth-test-")) / "null"
        self.addCleanup(shutil.rmtree, node.parent, ignore_errors=True)
        try:
            os.mknod(node, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            node.write_text("")
        except OSError:
            self.skipTest("no device can be made here")
        docked = self.ended([*DOCK, "-l", "library"], name="docked")

        def check(outcome):
            return None if stat.S_ISCHR(os.stat(node).st_mode) else "the device has become a file"

        self.try_all("device", docked, ["report", "docked", "-q", "-o", node], check,
                     functions=("stat", "open", "close"))


class Screens(Commands):
    def screen(self, library, *words, **more):
        command = [library if word == "library" else word for word in SCREEN]
        self.attempt(*command, *words, compare=False, **more)

    def test_screen(self):
        with tarfile.open(self.start / "library.tar", "w") as tar:
            tar.add(self.start / "library", "library")
            self.write("packed.pdbqt.gz", gzip.compress(cli.ligand().encode()))
            tar.add(self.start / "packed.pdbqt.gz", "library/packed.pdbqt.gz")
        with open(self.start / "library.tar", "rb") as tar:
            self.write("library.tar.gz", gzip.compress(tar.read()))
        self.screen("library.tar.gz")
        self.write("out/.berth-1-0.part", "of a killed process")
        self.screen("library/lig*.pdbqt", few=2)
        shutil.rmtree(self.start / "out")
        self.write("all.pdbqt", (self.start / "library/lig0.pdbqt").read_text())
        self.screen("-", stdin="all.pdbqt")
        self.write("library/bad.pdbqt", "ROOT\n")
        self.screen("library", "--rescore", "vinardo", "--scoring", "vina", ends=2)

    @needs_rdkit
    def test_report(self):
        self.write("some.smi", "CCO a\nCCCCN b\n")
        screened = self.ended([*SCREEN, "-l", "some.smi"], name="screened")
        self.attempt("report", "out", "-r", "receptor.pdbqt", "--actives", "^a", "--fingerprints", "prints.csv",
                     "--title", "a title", start=screened)
        self.attempt("screen", "--export", "sdf", "-o", "out", start=screened)
        docked = self.ended([*DOCK, "-l", "some.smi", "--format", "sdf,json"], name="docked")
        logs = self.ended([*ADGPU[:4], "-N", "logs/job", *ADGPU[6:]], self.with_logs(), "logs",
                          BERTH_FAULT_PROGRAM="adgpu")
        self.attempt("report", "logs", "-o", "page.html", start=logs)
        self.attempt("report", "docked", "--fingerprints", "prints.csv", "-r", "receptor.pdbqt", start=docked)


if __name__ == "__main__":
    if without_sqlite():
        raise SystemExit(77)
    cli.main()
