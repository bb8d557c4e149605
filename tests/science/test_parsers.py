#!/usr/bin/env python3
"""Other programs read Berth's results: Meeko, Ringtail and RDKit.

A ligand prepared by Meeko is docked by `berth dock`, and every output is read back: the energies and coordinates must
be those of the JSON output. Needs Meeko, Ringtail and RDKit; if the interpreter lacks them, they are installed with pip
into a virtual environment in the build folder. Skipped if that is not possible or BERTH_NO_PIP is set.
"""
import csv
import fcntl
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
import venv
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import skips  # noqa: E402
from skips import skip  # noqa: E402

PACKAGES = ["meeko", "ringtail", "rdkit", "numpy", "scipy", "gemmi", "pandas", "matplotlib", "multiprocess", "posebusters"]
RUNS = 6


def interpreter(folder):
    """An interpreter that has the packages, or None with the reason."""
    probe = [sys.executable, "-c", "import meeko, ringtail, rdkit, posebusters"]
    if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
        return sys.executable, ""
    with open(folder + ".lock", "w", encoding="ascii") as lock:  # of several tests, the first one makes it
        fcntl.flock(lock, fcntl.LOCK_EX)
        return environment(folder)


def environment(folder):
    python = os.path.join(folder, "bin", "python")
    marker = os.path.join(folder, "complete")
    if os.path.exists(marker) and open(marker, encoding="ascii").read() == " ".join(PACKAGES):
        return python, ""
    if os.environ.get("BERTH_NO_PIP"):
        return None, "Meeko and Ringtail are not installed, and BERTH_NO_PIP is set"
    try:
        venv.create(folder, with_pip=True)
        # -I: packages on PYTHONPATH (scripts/test names those of build/python-venv there) do not count as installed
        done = subprocess.run([python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries",
                               "1", "--timeout", "20"] + PACKAGES, capture_output=True, text=True, timeout=900, check=False)
    except SystemExit: # Debian's way of saying that python3-venv is not installed
        return None, "cannot make a virtual environment for Meeko and Ringtail: install python3-venv"
    except (OSError, subprocess.SubprocessError) as error:
        return None, "cannot make a virtual environment for Meeko and Ringtail: %s" % error
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["pip failed"]
        return None, "cannot install Meeko and Ringtail: " + lines[-1]
    with open(marker, "w", encoding="ascii") as stream:
        stream.write(" ".join(PACKAGES))
    return python, ""


# ---------------------------------------------------------------------------------------------------- inputs --

def receptor_text():
    """Atoms on a sphere, as a closed pocket: carbons, carbonyl oxygens and N-H groups that point inwards."""
    lines = []

    def add(name, element, charge, position):
        serial = len(lines) + 1
        lines.append("ATOM  %5d %-4s GLY A%4d    %8.3f%8.3f%8.3f  1.00  0.00    %6.3f %-2s"
                     % (serial, name, serial, *position, charge, element))

    count = 90
    for k in range(count):
        z = 1 - (2 * k + 1) / count
        angle = k * math.pi * (3 - math.sqrt(5))
        ring = math.sqrt(1 - z * z)
        inwards = [ring * math.cos(angle), ring * math.sin(angle), z]
        at = [10 + 8 * x for x in inwards]
        if k % 9 == 0:
            add(" O", "OA", -0.27, at)
        elif k % 9 == 4:
            add(" N", "N", -0.35, at)
            add(" H", "HD", 0.16, [10 + 7 * x for x in inwards])
        else:
            add(" C", "C", 0.05, at)
    return "\n".join(lines) + "\n"


SERINE = """BEGIN_RES SER A 142
ROOT
ATOM      1  CA  SER A 142      10.000  10.000   1.500  1.00  0.00     0.200 C 
ENDROOT
BRANCH   1   2
ATOM      2  CB  SER A 142      10.900  10.600   2.600  1.00  0.00     0.170 C 
BRANCH   2   3
ATOM      3  OG  SER A 142      10.300  11.700   3.250  1.00  0.00    -0.390 OA
ATOM      4  HG  SER A 142      10.900  12.100   3.900  1.00  0.00     0.210 HD
ENDBRANCH   2   3
ENDBRANCH   1   2
END_RES SER A 142
"""


def prepare(smiles):
    """The ligand as PDBQT from Meeko, with its SMILES remarks."""
    from meeko import MoleculePreparation, PDBQTWriterLegacy
    from rdkit import Chem
    from rdkit.Chem import AllChem
    molecule = Chem.AddHs(Chem.MolFromSmiles(smiles))
    assert AllChem.EmbedMolecule(molecule, randomSeed=7) == 0
    positions = molecule.GetConformer().GetPositions()
    for i, position in enumerate(positions - positions.mean(axis=0) + 10.0):
        molecule.GetConformer().SetAtomPosition(i, [float(x) for x in position])
    setups = MoleculePreparation().prepare(molecule)
    text, ok, message = PDBQTWriterLegacy.write_string(setups[0])
    assert ok, message
    return text


# Ringtail wants the SQLite extension chemicalite, which pip does not have; it only turns SMILES into molecules.
WITHOUT_CHEMICALITE = """
import sqlite3
real_connect = sqlite3.connect
class Connection(sqlite3.Connection):
    def enable_load_extension(self, wanted): pass
    def load_extension(self, name): pass
def connect(*words, **settings):
    connection = real_connect(*words, **dict(settings, factory=Connection))
    connection.create_function("mol_from_smiles", -1, lambda *words: words[0])
    return connection
sqlite3.connect = connect
"""


class Docking:
    """One ligand docked; its outputs."""

    def __init__(self, folder, name, ligand, flexible=None):
        self.folder, self.name = folder, name
        paths = {}
        for file, text in (("%s.pdbqt" % name, ligand), ("rec.pdbqt", receptor_text()), ("ser.pdbqt", flexible)):
            paths[file] = os.path.join(folder, file)
            if text is not None:
                with open(paths[file], "w", encoding="ascii") as stream:
                    stream.write(text)
        command = [os.path.join(BIN, "berth"), "dock", "-r", paths["rec.pdbqt"], "-l", paths["%s.pdbqt" % name],
                   "--center", "10,10,10", "--size", "20,20,20", "--runs", str(RUNS), "--evals", "200000", "--seed", "3",
                   "--reference", paths["%s.pdbqt" % name], "-o", os.path.join(folder, "out"),
                   "--scoring", "ad4", "--format", "dlg,xml,pdbqt,json,csv"]
        if flexible is not None:
            command += ["--flex", paths["ser.pdbqt"]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        with open(self.path("json"), encoding="utf-8") as stream:
            self.json = json.load(stream)
        self.runs = self.json["runs"]  # and further minima
        poses = {run["run"]: run for run in self.runs}
        self.written = [poses[cluster["best_run"]] for cluster in self.json["clusters"][:self.json["poses"]]]

    def path(self, ending):
        return os.path.join(self.folder, "out", "%s.%s" % (self.name, ending))

    def poses(self):
        """Coordinates of each run, ligand atoms first: {run: [[x, y, z], ...]}."""
        return {run["run"]: [run["coordinates"][k:k + 3] for k in range(0, len(run["coordinates"]), 3)] for run in self.runs}


class Cases(unittest.TestCase):
    """What every docking must satisfy; `docking` is set by the subclasses."""

    docking = None
    flexible_atoms = 0
    mappings = 1

    def by_energy(self):
        return sorted(self.docking.runs, key=lambda run: run["free_energy"])

    def near(self, values, expected, tolerance):
        self.assertEqual(len(values), len(expected))
        for value, wanted in zip(values, expected):
            self.assertAlmostEqual(float(value), wanted, delta=tolerance)

    def test_meeko_reads_the_dlg(self):
        from meeko import PDBQTMolecule
        molecule = PDBQTMolecule.from_file(self.docking.path("dlg"), is_dlg=True)
        data = molecule._pose_data
        self.assertGreater(data["n_poses"], RUNS)
        self.assertEqual(data["n_poses"], len(self.docking.runs))
        self.near(data["free_energies"], [r["free_energy"] for r in self.docking.runs], 0.00501)
        self.near(data["intermolecular_energies"], [r["inter"] for r in self.docking.runs], 0.00501)
        self.near(data["internal_energies"], [r["intra"] for r in self.docking.runs], 0.00501)
        self.assertEqual(data["cluster_id"], [r["cluster"] for r in self.docking.runs])
        self.assertEqual(min(data["free_energies"]), round(min(r["free_energy"] for r in self.docking.runs), 2))
        self.assertEqual(data["rank_in_cluster"], [r["rank_in_cluster"] for r in self.docking.runs])
        poses = self.docking.poses()
        for k, pose in enumerate(molecule):
            for atom, expected in zip(pose.positions(), poses[k + 1]):
                self.near(atom, expected, 1e-5)  # Meeko keeps them in single precision
            self.assertEqual(len(pose.positions()), len(poses[k + 1]))

    def test_meeko_rebuilds_molecules(self):
        from meeko import PDBQTMolecule, RDKitMolCreate
        for ending, is_dlg in (("dlg", True), ("pdbqt", False)):
            molecule = PDBQTMolecule.from_file(self.docking.path(ending), is_dlg=is_dlg)
            built = [m for m in RDKitMolCreate.from_pdbqt_mol(molecule) if m is not None]
            self.assertGreaterEqual(len(built), 1)
            self.assertEqual(built[0].GetNumConformers(), len(self.docking.runs if is_dlg else self.docking.written))
            from rdkit import Chem
            self.assertEqual(Chem.MolToSmiles(Chem.RemoveHs(built[0])), Chem.CanonSmiles(self.smiles))

    def test_rmsds_are_those_of_rdkit(self):
        """RDKit has the molecule from its SMILES, Berth from distances; both take the minimum over equivalent atoms."""
        from meeko import PDBQTMolecule, RDKitMolCreate
        from rdkit import Chem
        from rdkit.Chem import rdMolAlign

        def heavy(path, is_dlg):
            return Chem.RemoveHs(RDKitMolCreate.from_pdbqt_mol(PDBQTMolecule.from_file(path, is_dlg=is_dlg))[0])

        poses = heavy(self.docking.path("dlg"), True)
        reference = heavy(os.path.join(self.docking.folder, self.docking.name + ".pdbqt"), False)
        leaders = [cluster["best_run"] for cluster in self.docking.json["clusters"]]
        self.assertGreaterEqual(self.docking.json["rmsd"]["mappings"], self.mappings)
        for run in self.docking.runs:
            index = run["run"] - 1
            self.assertAlmostEqual(rdMolAlign.CalcRMS(Chem.Mol(poses), reference, index, 0), run["rmsd_reference"],
                                   delta=0.001)
            self.assertAlmostEqual(rdMolAlign.CalcRMS(Chem.Mol(poses), Chem.Mol(poses), index,
                                                      leaders[run["cluster"] - 1] - 1), run["rmsd_cluster"], delta=0.001)

    def test_meeko_reads_the_pdbqt(self):
        from meeko import PDBQTMolecule
        data = PDBQTMolecule.from_file(self.docking.path("pdbqt"))._pose_data
        self.near(data["free_energies"], [r["free_energy"] for r in self.docking.written], 0.000501)
        self.near(data["intermolecular_energies"], [r["inter"] for r in self.docking.written], 0.000501)
        self.near(data["internal_energies"], [r["intra"] for r in self.docking.written], 0.000501)

    def test_ringtail_reads_the_dlg(self):
        import ringtail
        data = ringtail.parse_single_dlg(self.docking.path("dlg"))
        runs = [self.docking.runs[run - 1] for run in data["sorted_runs"]]
        self.assertEqual(data["ligname"], self.docking.name)
        self.assertEqual(data["receptor"], "rec")
        self.assertEqual(data["grid_dim"], ["55", "55", "55"])
        self.near([c.rstrip("A") for c in data["grid_center"]], [10, 10, 10], 1e-9)
        self.assertEqual(float(data["grid_spacing"]), 0.375)
        self.near(data["scores"], [r["free_energy"] for r in self.by_energy()], 0.00501)
        for key, value in (("scores", lambda r: r["free_energy"]), ("intermolecular_energy", lambda r: r["inter"]),
                           ("vdw_hb_desolv", lambda r: r["inter_vdw_hbond"] + r["inter_desolvation"]),
                           ("electrostatics", lambda r: r["inter_electrostatic"]),
                           ("flex_ligand", lambda r: r["inter"] - r["inter_moving"]),
                           ("flexLigand_flexReceptor", lambda r: r["inter_moving"]),
                           ("internal_energy", lambda r: r["intra"]), ("torsional_energy", lambda r: r["torsional"]),
                           ("cluster_rmsds", lambda r: r["rmsd_cluster"]), ("ref_rmsds", lambda r: r["rmsd_reference"])):
            self.near(data[key], [value(r) for r in runs], 0.00501)
        self.assertEqual([int(c) for c in data["cluster_list"]], [r["cluster"] for r in runs])
        self.assertEqual(data["ligand_smile_string"].strip(), self.remark("REMARK SMILES").strip())
        poses = self.docking.poses()
        for run, coordinates, flexible in zip(runs, data["pose_coordinates"], data["flexible_res_coordinates"]):
            atoms = coordinates + [atom for residue in flexible for atom in residue]
            self.assertEqual(len(coordinates), len(poses[run["run"]]) - self.flexible_atoms)
            for atom, expected in zip(atoms, poses[run["run"]]):
                self.near([float(x) for x in atom], expected, 1e-9)

    def test_ringtail_reads_the_pdbqt(self):
        import ringtail
        data = ringtail.parse_vina_result(self.docking.path("pdbqt"))
        self.near(data["scores"], [r["free_energy"] for r in self.docking.written], 0.000501)
        self.near(data["intermolecular_energy"], [r["inter"] for r in self.docking.written], 0.000501)

    def test_ringtail_makes_a_database(self):
        import sqlite3
        site, database = os.path.join(self.docking.folder, "site"), os.path.join(self.docking.folder, "results.db")
        os.makedirs(site, exist_ok=True)
        with open(os.path.join(site, "sitecustomize.py"), "w", encoding="ascii") as stream:
            stream.write(WITHOUT_CHEMICALITE)
        code = ("import sys, ringtail\n"
                "core = ringtail.RingtailCore(db_file=sys.argv[1], docking_mode='dlg')\n"
                "core.add_results_from_files(file=sys.argv[2], store_all_poses=True, max_proc=2)\n")
        done = subprocess.run([sys.executable, "-c", code, database, self.docking.path("dlg")], capture_output=True,
                              text=True, cwd=self.docking.folder, timeout=300, check=False,
                              env=dict(os.environ, PYTHONPATH=site))
        self.assertEqual(done.returncode, 0, done.stderr)
        connection = sqlite3.connect(database)
        rows = connection.execute("SELECT LigName, docking_score FROM Results ORDER BY docking_score").fetchall()
        connection.close()
        self.assertEqual({row[0] for row in rows}, {self.docking.name})
        self.near([row[1] for row in rows], [r["free_energy"] for r in self.by_energy()], 0.00501)

    def test_xml_is_well_formed(self):
        root = ElementTree.parse(self.docking.path("xml")).getroot()
        self.assertEqual(root.tag, "autodock_gpu")
        runs = root.findall("runs/run")
        self.assertEqual([int(r.get("id")) for r in runs], [r["run"] for r in self.by_energy()])
        self.near([r.findtext("free_NRG_binding") for r in runs], [r["free_energy"] for r in self.by_energy()], 0.00501)
        for run in runs:
            self.assertEqual(len(run.findtext("dihe0").split()), int(run.findtext("ndihe")))
            self.assertEqual(int(run.findtext("ndihe")), self.docking.json["torsions"])
        self.assertEqual(len(root.findall("result/rmsd_table/run")), len(runs))
        self.assertEqual([int(c.get("num_in_clus")) for c in root.findall("result/clustering_histogram/cluster")],
                         [len(c["runs"]) for c in self.docking.json["clusters"]])

    def test_csv_has_the_same_runs(self):
        with open(self.docking.path("csv"), encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        self.assertEqual([int(row["rank"]) for row in rows], list(range(1, len(self.docking.json["runs"]) + 1)))
        for row in rows:
            run = self.docking.json["runs"][int(row["run"]) - 1]
            for key in ("free_energy", "inter", "intra", "torsional", "total"):
                self.assertAlmostEqual(float(row[key]), run[key], delta=0.000051)
            self.assertEqual(int(row["evaluations"]), run["evaluations"])

    def remark(self, start):
        with open(os.path.join(self.docking.folder, self.docking.name + ".pdbqt"), encoding="ascii") as stream:
            return next(line[len(start):] for line in stream if line.startswith(start))


class RigidReceptor(Cases):
    smiles = "NCC(=O)Oc1ccc(C(=O)O)cc1"
    mappings = 4  # the ring flips, the carboxylate's oxygens swap

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.docking = Docking(cls.folder.name, "ester", prepare(cls.smiles))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()


class FlexibleResidue(Cases):
    smiles = "OCCNC(=O)c1ccccc1"
    mappings = 2
    flexible_atoms = 4

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.docking = Docking(cls.folder.name, "amide", prepare(cls.smiles), SERINE)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_residues_are_named(self):
        import ringtail
        from meeko import PDBQTMolecule
        data = ringtail.parse_single_dlg(self.docking.path("dlg"))
        self.assertEqual(data["flexible_residues"], ["SER:A142"])
        molecule = PDBQTMolecule.from_file(self.docking.path("dlg"), is_dlg=True)
        self.assertTrue(molecule.has_flexible_residues())
        self.assertEqual(molecule._pose_data["mol_index_to_flexible_residue"][1], "SER A 142")


class Macrocycle(Cases):
    smiles = "O=C1CCCCCCCCCCN1"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        text = prepare(cls.smiles)
        assert " G0" in text and "CG0" in text, "Meeko did not open the ring"
        cls.docking = Docking(cls.folder.name, "lactam", text)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()


del Cases  # only its subclasses are run

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_parsers.py BIN")
    BIN = os.path.abspath(sys.argv[1])
    if "--inside" not in sys.argv:
        if subprocess.run([os.path.join(BIN, "berth"), "dock", "--help"], capture_output=True, check=False).returncode != 0:
            skip("berth dock is not built")
        python, reason = interpreter(os.path.join(os.path.dirname(BIN), "parsers-venv"))
        if python is None:
            skip(reason)
        sys.exit(subprocess.run([python, os.path.abspath(__file__), BIN, "--inside"], check=False).returncode)
    from importlib.metadata import version
    print(", ".join("%s %s" % (name, version(name)) for name in ("meeko", "ringtail", "rdkit")))
    skips.main()
