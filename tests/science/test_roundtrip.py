#!/usr/bin/env python3
"""SDF in, docking, SDF out: nothing of the molecule is lost, and other programs read the results.

    test_roundtrip.py BIN

Drugs with 3D coordinates by RDKit are docked from one SDF into the raw PDB entry of the example. Every pose must be
read as the same molecule with the same stereochemistry, and pass the checks of PoseBusters that concern the ligand
only. DLG and PDBQT must give the energies and coordinates of Berth's SDF through Meeko's mk_export.py and in Ringtail's
database. Needs RDKit, Meeko, Ringtail and PoseBusters from PyPI, in the environment of test_parsers.py.
BERTH_TEST_FULL=1 docks all 50 drugs, otherwise 12.
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from test_parsers import WITHOUT_CHEMICALITE, interpreter, skip, skips

SOURCE = os.environ.get("BERTH_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EXAMPLE = os.path.join(SOURCE, "examples", "1hpv")
RUNS = 3
SEARCH = ["--runs", str(RUNS), "--evals", "150k", "--autostop", "off", "--seed", "11"]
BUSTED = 0.02  # share of poses that may fail a check of PoseBusters

DRUGS = """
CC(=O)Oc1ccccc1C(=O)O aspirin
CC(C)Cc1ccc(cc1)[C@H](C)C(=O)O ibuprofen
CN1C[C@H]2C[C@@H]1C[C@@H]2OC(=O)[C@H](CO)c1ccccc1 tropane
CNC[C@H](O)c1ccc(O)c(O)c1 adrenaline
C[C@H](N)Cc1ccccc1 amphetamine
CN[C@@H](C)[C@H](O)c1ccccc1 ephedrine
COc1ccc2[nH]cc(CCNC(C)=O)c2c1 melatonin
CN1CCC[C@H]1c1cccnc1 nicotine
Cn1cnc2c1c(=O)n(C)c(=O)n2C caffeine
CC(C)NC[C@H](O)COc1cccc2ccccc12 propranolol
CC(C)(C)NC[C@H](O)c1ccc(O)c(CO)c1 salbutamol
O=C(O)[C@@H]1CCCN1C(=O)[C@@H](C)CS captopril
CCOC(=O)[C@H](CCc1ccccc1)N[C@@H](C)C(=O)N1CCC[C@H]1C(=O)O enalapril
CC1=C(C(=O)OC)[C@@H](c2cccc([N+](=O)[O-])c2)C(C(=O)OC)=C(C)N1 dihydropyridine
Cc1ccc(cc1)-c1cc(C(F)(F)F)nn1-c1ccc(cc1)S(N)(=O)=O celecoxib
COc1ccc2c(c1)nc([nH]2)[S@@](=O)Cc1ncc(C)c(OC)c1C esomeprazole
CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1 sildenafil
Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(n1)-c1cccnc1 imatinib
COCCOc1cc2ncnc(Nc3cccc(c3)C#C)c2cc1OCCOC erlotinib
COc1cc2ncnc(Nc3ccc(F)c(Cl)c3)c2cc1OCCCN1CCOCC1 gefitinib
OC(Cn1cncn1)(Cn1cncn1)c1ccc(F)cc1F fluconazole
CN(C)CCC=C1c2ccccc2CCc2ccccc21 amitriptyline
CN1CCN(CC1)C1=Nc2cc(Cl)ccc2Nc2ccccc21 clozapine
Clc1ccc2c(c1)C(=NCC(=O)N2C)c1ccccc1 diazepam
CN(C)CCOC(c1ccccc1)c1ccccc1 diphenhydramine
CNCC[C@H](Oc1ccc(cc1)C(F)(F)F)c1ccccc1 fluoxetine
CN[C@H]1CC[C@@H](c2ccc(Cl)c(Cl)c2)c2ccccc21 sertraline
Fc1ccc(cc1)[C@@H]1CCNC[C@H]1COc1ccc2OCOc2c1 paroxetine
CN(C)CCC[C@]1(OCc2cc(C#N)ccc12)c1ccc(F)cc1 escitalopram
CC(=O)Nc1ccc(O)cc1 paracetamol
COc1ccc2cc(ccc2c1)[C@H](C)C(=O)O naproxen
OC(=O)Cc1ccccc1Nc1c(Cl)cccc1Cl diclofenac
C[C@H]1CC[C@@H](C(C)C)[C@H](O)C1 menthol
C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@@H]2O testosterone
C[C@]12CC[C@H]3[C@@H](CCc4cc(O)ccc34)[C@@H]1CC[C@@H]2O estradiol
CC1(C)S[C@@H]2[C@H](NC(=O)Cc3ccccc3)C(=O)N2[C@H]1C(=O)O penicillin
NC(=O)c1cn(cn1)[C@@H]1O[C@H](CO)[C@@H](O)[C@H]1O nucleoside
Cc1cn([C@H]2C[C@H](N=[N+]=[N-])[C@@H](CO)O2)c(=O)[nH]c1=O zidovudine
CCC(CC)O[C@@H]1C=C(C[C@H](N)[C@H]1NC(C)=O)C(=O)OCC oseltamivir
CN(C)C(=N)NC(N)=N metformin
CC(C)(C)c1ccc(cc1)C(O)CCCN1CCC(CC1)C(O)(c1ccccc1)c1ccccc1 terfenadine
C/C(=C\\C(=O)O)c1ccccc1 cinnamic
OC(=O)/C=C/c1ccccc1 transcinnamic
CCN(CC)CC(=O)Nc1c(C)cccc1C lidocaine
CCN(CC)CCOC(=O)c1ccc(N)cc1 procaine
CC(C)c1nc(cs1)CN(C)C(=O)N[C@@H](C(C)C)C(=O)NCC thiazole
CC(C)CN(C[C@@H](O)[C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)S(=O)(=O)c1ccc(N)cc1 amprenavir
Nc1nc2c(ncn2COCCO)c(=O)[nH]1 acyclovir
COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC trimethoprim
CC(C)NCC(O)COc1ccc(CC(N)=O)cc1 atenolol
"""


def drugs():
    lines = [line.replace("\\\\", "\\").split() for line in DRUGS.strip().splitlines()]
    return lines if os.environ.get("BERTH_TEST_FULL") else lines[1::4]


def draw():
    """The drugs as SDF with all hydrogens, in 3D: {name: SMILES as RDKit writes it}, text."""
    from rdkit import Chem
    from rdkit.Chem import AllChem
    expected, text = {}, ""
    for smiles, name in drugs():
        molecule = Chem.AddHs(Chem.MolFromSmiles(smiles))
        assert AllChem.EmbedMolecule(molecule, randomSeed=5) == 0, name
        AllChem.MMFFOptimizeMolecule(molecule, maxIters=1000)
        molecule.SetProp("_Name", name)
        block = Chem.MolToMolBlock(molecule)
        expected[name] = Chem.MolToSmiles(Chem.RemoveHs(Chem.MolFromMolBlock(block)))
        text += block + "> <origin>\ndrawn %s\n\n$$$$\n" % name
    return expected, text


def berth(*words):
    done = subprocess.run([os.path.join(BIN, "berth"), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


class RoundTrip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="berth-round-")
        cls.expected, text = draw()
        cls.input = os.path.join(cls.folder.name, "drugs.sdf")
        with open(cls.input, "w", encoding="ascii") as stream:
            stream.write(text)
        cls.out = os.path.join(cls.folder.name, "out")
        berth("dock", "-r", os.path.join(EXAMPLE, "1hpv.pdb"), "-l", cls.input, "--autobox", "478", "--keep", ":HOH201",
              "--scoring", "ad4", "-o", cls.out, "--format", "dlg,pdbqt,sdf,json", "-q", *SEARCH)
        print("%d drugs docked, %d poses" % (len(cls.expected), RUNS * len(cls.expected)))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name, ending):
        return os.path.join(self.out, "%s.%s" % (name, ending))

    def poses(self, name):
        from rdkit import Chem
        with Chem.SDMolSupplier(self.path(name, "sdf"), removeHs=False) as supplier:
            return list(supplier)

    def runs(self, name):
        with open(self.path(name, "json"), encoding="utf-8") as stream:
            return {run["run"]: run for run in json.load(stream)["runs"]}

    def test_same_molecule(self):
        from rdkit import Chem
        for name, smiles in self.expected.items():
            poses = self.poses(name)
            self.assertGreater(len(poses), 1, name)
            for pose in poses:
                self.assertIsNotNone(pose, name)
                self.assertEqual(Chem.MolToSmiles(Chem.RemoveHs(pose)), smiles)
                # the coordinates themselves say so too
                Chem.AssignStereochemistryFrom3D(pose)
                self.assertEqual(Chem.MolToSmiles(Chem.RemoveHs(pose)), smiles)
                self.assertEqual(pose.GetProp("_Name"), name)
                self.assertEqual(pose.GetProp("origin"), "drawn " + name)

    def test_numbers(self):
        for name in self.expected:
            runs, scores = self.runs(name), []
            for pose in self.poses(name):
                run = runs[int(pose.GetProp("run"))]
                scores.append(float(pose.GetProp("docking_score")))
                self.assertAlmostEqual(scores[-1], run["free_energy"], delta=0.00051)
                self.assertAlmostEqual(float(pose.GetProp("energy_inter")), run["inter"], delta=0.00051)
                self.assertEqual(json.loads(pose.GetProp("meeko"))["cluster_id"], run["cluster"])
            self.assertEqual(scores, sorted(scores))

    def test_posebusters(self):
        try:
            from posebusters import PoseBusters
        except ImportError as error:
            self.skipTest(str(error))
        import pandas
        given = PoseBusters(config="mol").bust(self.input)
        # given geometry, such as that of rings, is kept: its failures are not the docking's fault
        sound = [index[1] for index, good in given.all(axis=1).items() if good]
        print("PoseBusters fails in the input of: %s" % (", ".join(sorted(set(self.expected) - set(sound))) or "none"))
        table = pandas.concat([PoseBusters(config="mol").bust(self.path(name, "sdf")) for name in sound])
        bad = ~table.all(axis=1)
        for check in table.columns:
            failed = table.index[~table[check].astype(bool)]
            if len(failed):
                print("PoseBusters: %s fails for %s" % (check, ", ".join(sorted({str(row[1]) for row in failed}))))
        print("PoseBusters %d checks: %d of %d poses pass all" % (len(table.columns), (~bad).sum(), len(table)))
        self.assertLessEqual(bad.mean(), BUSTED)

    def test_meeko_exports_the_same_poses(self):
        from rdkit import Chem
        for ending in ("dlg", "pdbqt"):
            for name, smiles in self.expected.items():
                target = os.path.join(self.folder.name, "export-%s-%s.sdf" % (ending, name))
                script = os.path.join(os.path.dirname(sys.executable), "mk_export.py")
                every = ["--all_dlg_poses"] if ending == "dlg" else []
                done = subprocess.run([sys.executable, script, self.path(name, ending), "-s", target, *every],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                with Chem.SDMolSupplier(target, removeHs=True) as supplier:
                    theirs = list(supplier)
                ours = self.poses(name)
                if ending == "dlg":  # which holds all
                    self.assertEqual(len(theirs), len(self.runs(name)), "%s of %s" % (ending, name))
                else:
                    self.assertEqual(len(theirs), len(ours), "%s of %s" % (ending, name))
                self.compare(ours, theirs, ending, name, smiles)

    def compare(self, ours, theirs, ending, name, smiles):
        from rdkit import Chem
        def energy(molecule):
            return json.loads(molecule.GetProp("meeko"))["free_energy"]
        rest = list(theirs)  # energies of a DLG have two digits, so that several poses may share one
        for one in map(Chem.RemoveHs, ours):
            other = min(rest, key=lambda pose: self.deviation(one, pose))
            rest.remove(other)
            self.assertEqual(Chem.MolToSmiles(other), smiles)
            self.assertAlmostEqual(energy(one), energy(other), delta=0.0051 if ending == "dlg" else 0.00051)
            self.assertLess(self.deviation(one, other), 0.002, "%s of %s" % (ending, name))

    @staticmethod
    def deviation(one, other):
        """Largest distance of heavy atoms, by the best of all mappings."""
        from rdkit import Chem
        matches = other.GetSubstructMatches(one, useChirality=False, uniquify=False, maxMatches=100000)
        a, b = one.GetConformer().GetPositions(), other.GetConformer().GetPositions()
        return min(abs(a - b[list(match)]).max() for match in matches)

    def test_ringtail_stores_all(self):
        site, database = os.path.join(self.folder.name, "site"), os.path.join(self.folder.name, "results.db")
        os.makedirs(site)
        with open(os.path.join(site, "sitecustomize.py"), "w", encoding="ascii") as stream:
            stream.write(WITHOUT_CHEMICALITE)
        code = ("import sys, ringtail\n"
                "core = ringtail.RingtailCore(db_file=sys.argv[1], docking_mode='dlg')\n"
                "core.add_results_from_files(file_path=sys.argv[2], file_pattern='*.dlg*', store_all_poses=True, max_proc=2)\n")
        done = subprocess.run([sys.executable, "-c", code, database, self.out], capture_output=True, text=True,
                              cwd=self.folder.name, check=False, env=dict(os.environ, PYTHONPATH=site))
        self.assertEqual(done.returncode, 0, done.stderr)
        connection = sqlite3.connect(database)
        rows = connection.execute("SELECT LigName, run_number, docking_score, ligand_coordinates FROM Results").fetchall()
        connection.close()
        self.assertEqual(len(rows), sum(len(self.runs(name)) for name in self.expected))
        self.assertEqual({row[0] for row in rows}, set(self.expected))
        for name, number, score, text in rows:
            self.assertAlmostEqual(score, self.runs(name)[number]["free_energy"], delta=0.0051)
            theirs = [[float(x) for x in atom] for atom in json.loads(text)]
            for one, other in zip(theirs, self.coordinates(name)[number]):
                self.assertLess(max(abs(a - b) for a, b in zip(one, other)), 0.0011)

    def coordinates(self, name):
        """{run: [[x, y, z], ...]}"""
        return {number: [run["coordinates"][k:k + 3] for k in range(0, len(run["coordinates"]), 3)]
                for number, run in self.runs(name).items()}


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_roundtrip.py BIN")
    BIN = os.path.abspath(sys.argv[1])
    if "--inside" not in sys.argv:
        with tempfile.TemporaryDirectory() as trial:
            for words in (["ligand", "--ligand-from", "478", "--template", "C", "-r", EXAMPLE + "/1hpv.pdb"],):
                done = subprocess.run([os.path.join(BIN, "berth"), "prep", *words, "-o", trial + "/x.pdbqt"],
                                      capture_output=True, text=True, check=False)
                for library in ("RDKit", "gemmi"):
                    if "no " + library in done.stderr:
                        skip("built without " + library)
        python, reason = interpreter(os.path.join(os.path.dirname(BIN), "parsers-venv"))
        if python is None:
            skip(reason)
        sys.exit(subprocess.run([python, os.path.abspath(__file__), BIN, "--inside"], check=False).returncode)
    from rdkit import RDLogger
    RDLogger.DisableLog("rdApp.*")
    skips.main()
