#!/usr/bin/env python3
"""Prepared ligands equal those of Meeko and of a published test set.

500 molecules of RDKit's NCI sample get 3D coordinates once; Meeko and Berth read the same SDF. Atoms are compared by
their coordinates: types, charges, rotatable bonds, the whole tree. Then macrocycles, waters, and the ligands of the
AD-GPU set of 42, which AutoDockTools prepared: converted to SDF and prepared again, every difference is explained by a
rule. Needs Meeko and RDKit from PyPI (as test_parsers.py); set42 also Open Babel and $BERTH_SHARED. Skipped with a
reason.
"""
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

from test_parsers import interpreter, skip, skips

MOLECULES = 500
SAMPLES = ["/usr/share/RDKit/Data/NCI/first_5K.smi"]
MACROCYCLES = """C1CCCCCC1 O=C1CCCCCCCCCCCO1 C1CCCC2CCCCCC2C1 CC1CCCCCC(=O)OCCC(c2ccccc2)C1 c1ccc2c(c1)CCCCCCC2
O=C1NCCCCCCNC(=O)c2cccc1c2 C1CC=CCC=CCC1 C1CCC#CCCC#CCC1 O=C1CCCCCC(N2CCCC2)CCN1C CN1CC(=O)NCC(=O)N(C)CC(=O)NCC1=O
O=C1OCCCCCCC1Cc1ccccc1 C1CC2CCC1CCCCC2 CC(C)CC1NC(=O)C(Cc2ccccc2)NC(=O)CNC(=O)C(C)NC1=O
CCC1OC(=O)C(C)C(OC2CC(C)(OC)C(O)C(C)O2)C(C)C(OC2OC(C)CC(N(C)C)C2O)C(C)(O)CC(C)C(=O)C(C)C(O)C1(C)O""".split()
HYDRATED = """CC(C)=O COC CO CCS CC#N c1ccncc1 CN CC(=O)NC CS(=O)(=O)N CC[NH3+] C[N+](=O)[O-] c1ccoc1 CC=O O=CC=O C=NC
OC(=O)c1ccc(O)cc1N NCC(=O)NC(CO)C(=O)O""".split()
# Ligands of set42 whose bonds cannot be derived from their coordinates.
SET42_SMILES = {
    "1ac8": "Cc1sc[n+](C)c1C", "1ig3": "Cc1ncc(C[n+]2csc(CCO)c2C)c(N)n1",
    "1yv3": "Cc1ccc2c(c1)C(=O)C1(O)CCN(c3ccccc3)C1=[NH+]2",
    "3er5": "CCC(C)C(NC(=O)C(NC(=O)CC(O)C(CC(C)C)NC(=O)C(Cc1cnc[nH]1)NC(=O)C(Cc1ccccc1)NC(=O)C1CCCN1C(=O)C(Cc1cnc[nH]1)NC"
            "(=O)C1CCC[NH2+]1)C(C)C)C(=O)NC(Cc1cnc[nH]1)C(=O)NC(CCCC[NH3+])C(=O)[O-]",
    "1y6b": "COc1ccc(S(=O)(=O)NCC2CC2)cc1Nc1ncc(-c2cccc(-c3cccnc3)c2)o1",
}


class Pdbqt:
    """Atoms by coordinates: type and charge; bonds between bodies; lines of the tree without remarks."""

    def __init__(self, text):
        self.types, self.charges, self.bonds, self.tree = {}, {}, set(), []
        self.torsdof, self.pseudo, self.branches, self.score = None, 0, 0, None
        key_of, pairs = {}, []
        for line in text.split("\n"):
            if line[:6] in ("ATOM  ", "HETATM"):
                key, kind = line[30:54], line[77:].strip()
                key_of[int(line[6:11])] = key
                self.tree.append(line[6:11] + key + kind)
                if kind[0] in "GW" and kind != "Ga":
                    self.pseudo += 1
                    continue
                self.types[key], self.charges[key] = kind, float(line[70:76])
            elif line.startswith("BRANCH"):
                pairs.append([int(word) for word in line.split()[1:]])
                self.tree.append(line.rstrip())
            elif line.startswith("TORSDOF"):
                self.torsdof = int(line.split()[1])
            elif line[:4] == "ROOT" or (line[:3] == "END" and line[:6] != "ENDMDL"):
                self.tree.append(line.rstrip())
            elif line.startswith("REMARK Flexibility Score:"):
                self.score = float(line.split(":")[1])
        self.branches = len(pairs)
        self.bonds = {frozenset((key_of[a], key_of[b])) for a, b in pairs}


def ours(path, *options):
    """{name: (PDBQT, text, notes)} and the refusals."""
    tool = os.path.join(os.path.dirname(BIN), "tests", "prepare_ligands")
    done = subprocess.run([tool, *options, path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    found = {}
    for block in re.split(r"^MODEL \d+ ", done.stdout, flags=re.M)[1:]:
        name = block.split("\n", 1)[0].strip()
        text = block.split("\n", 1)[1].split("ENDMDL")[0]
        found[name] = (Pdbqt(text), text, [l[5:] for l in text.split("\n") if l.startswith("USER ")])
    return found, re.findall(r"^FAILED (\d+): (.*)", done.stdout, flags=re.M)


def meekos(path, **options):
    from meeko import MoleculePreparation, PDBQTWriterLegacy
    from rdkit import Chem
    found = {}
    for mol in Chem.SDMolSupplier(path, removeHs=False):
        name = mol.GetProp("_Name")
        try:
            text, fine, why = PDBQTWriterLegacy.write_string(MoleculePreparation(**options).prepare(mol)[0])
        except Exception as error:  # whatever the exception: Meeko refuses the molecule
            text, fine, why = "", False, repr(error)
        found[name] = (Pdbqt(text) if fine else None, text, why)
    return found


def embed(lines, path, limit):
    """Writes an SDF with hydrogens and 3D coordinates of the SMILES; returns how many."""
    from rdkit import Chem
    from rdkit.Chem import AllChem
    writer, count = Chem.SDWriter(path), 0
    for number, line in enumerate(lines):
        mol = Chem.MolFromSmiles(line.split()[0])
        if mol is None or "." in line.split()[0]:
            continue
        mol = Chem.AddHs(mol)
        try:
            if AllChem.EmbedMolecule(mol, randomSeed=7, maxAttempts=5) != 0:
                continue
        except RuntimeError:
            continue
        mol.SetProp("_Name", "m%d" % number)
        writer.write(mol)
        count += 1
        if count == limit:
            break
    writer.close()
    return count


class Tally:
    """Results of a comparison of many molecules."""

    def __init__(self):
        self.molecules = self.atoms = self.same_type = self.same_bonds = self.same_tree = self.same_torsdof = 0
        self.charge_error = 0.0
        self.classes = collections.Counter()

    def add(self, name, mine, theirs, note=""):
        self.molecules += 1
        self.atoms += len(theirs.types)
        differ = [(kind, mine.types.get(key, "absent")) for key, kind in theirs.types.items()
                  if mine.types.get(key) != kind]
        self.same_type += len(theirs.types) - len(differ)
        self.same_bonds += mine.bonds == theirs.bonds
        self.same_tree += mine.tree == theirs.tree
        self.same_torsdof += mine.torsdof == theirs.torsdof
        errors = [abs(mine.charges[key] - charge) for key, charge in theirs.charges.items() if key in mine.charges]
        self.charge_error += sum(errors)
        equal = mine.score is not None and mine.score == theirs.score
        if equal and (differ or mine.bonds != theirs.bonds or mine.tree != theirs.tree):
            self.classes["macrocycle opened at another bond of equal value"] += 1
        else:
            for pair in differ:
                self.classes["type %s, ours %s" % pair] += 1
            if mine.bonds != theirs.bonds:
                self.classes["other rotatable bonds (%s)" % name] += 1
            elif mine.tree != theirs.tree:
                self.classes["other order in the tree (%s)" % name] += 1
        if errors and max(errors) > 0.002:
            self.classes["charges differ (%s%s)" % (name, note)] += 1

    def show(self, title):
        print("%s: %d molecules; types %d of %d (%.2f %%); same rotatable bonds %d (%.1f %%); same TORSDOF %d; same tree %d; "
              "mean charge difference %.5f e" % (title, self.molecules, self.same_type, self.atoms,
                                                100 * self.same_type / self.atoms, self.same_bonds,
                                                100 * self.same_bonds / self.molecules, self.same_torsdof,
                                                self.same_tree, self.charge_error / self.atoms))
        for kind, count in self.classes.most_common():
            print("  %d x %s" % (count, kind))


class AgainstMeeko(unittest.TestCase):
    def compare(self, path, title, ours_options=(), **meeko_options):
        from rdkit import Chem
        smiles = {mol.GetProp("_Name"): Chem.MolToSmiles(Chem.RemoveHs(mol))
                  for mol in Chem.SDMolSupplier(path, removeHs=False)}
        mine, refused = ours(path, *ours_options)
        tally, lost = Tally(), []
        for name, (theirs, _, _) in meekos(path, **meeko_options).items():
            if theirs is not None and name in mine:
                tally.add(smiles[name], mine[name][0], theirs, ", metal" if "Mg" in smiles[name] else "")
            elif theirs is not None:
                lost.append(smiles[name])
            elif name in mine:
                print("  only we accept", smiles[name])
        tally.show(title)
        for number, reason in refused[:30]:
            print("  refused by both: record %s: %s" % (number, reason.split(": ", 3)[-1]))
        self.assertEqual([], lost, "molecules that only Meeko accepts")
        return tally

    def test_sample(self):
        sample = next((path for path in SAMPLES if os.path.exists(path)), None)
        if sample is None:
            self.skipTest("RDKit's NCI/first_5K.smi is not there: install rdkit-data")
        with tempfile.TemporaryDirectory() as folder, open(sample, encoding="utf-8") as lines:
            path = os.path.join(folder, "sample.sdf")
            self.assertEqual(embed(lines.read().split("\n")[:4900:8], path, MOLECULES), MOLECULES)
            tally = self.compare(path, "first_5K.smi")
        self.assertGreaterEqual(tally.same_type, 0.99 * tally.atoms)
        self.assertGreaterEqual(tally.same_bonds, 0.97 * tally.molecules)
        self.assertGreaterEqual(tally.same_torsdof, 0.99 * tally.molecules)
        self.assertLess(tally.charge_error / tally.atoms, 0.002)

    def test_macrocycles(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rings.sdf")
            embed(MACROCYCLES, path, len(MACROCYCLES))
            tally = self.compare(path, "macrocycles")
            mine, theirs = ours(path)[0], meekos(path)
            for name in mine:
                self.assertEqual(mine[name][0].score, theirs[name][0].score, name)
                self.assertEqual(mine[name][0].branches, theirs[name][0].branches, name)
                self.assertEqual(mine[name][0].pseudo, theirs[name][0].pseudo, name)
        self.assertEqual(tally.same_torsdof, tally.molecules)

    def test_waters(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wet.sdf")
            embed(HYDRATED, path, len(HYDRATED))
            mine, theirs = ours(path, "--hydrated")[0], meekos(path, hydrate=True)
            for name in mine:
                self.assertEqual(mine[name][0].pseudo, theirs[name][0].pseudo)
                self.assertLess(self.farthest(mine[name][1], theirs[name][1]), 0.002)

    @staticmethod
    def farthest(mine, theirs):
        def waters(text):
            return [[float(line[k:k + 8]) for k in (30, 38, 46)] for line in text.split("\n")
                    if line.startswith("ATOM") and line[77:].strip() == "W"]

        worst = 0
        for a in waters(theirs):
            worst = max(worst, min(sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5 for b in waters(mine)))
        return worst

    def test_meeko_reads_our_remarks(self):
        from meeko import PDBQTMolecule, RDKitMolCreate
        from rdkit import Chem
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "some.sdf")
            embed(HYDRATED + MACROCYCLES, path, 100)
            mine = ours(path)[0]
            for mol in Chem.SDMolSupplier(path, removeHs=False):
                text = mine[mol.GetProp("_Name")][1]
                read = PDBQTMolecule("\n".join(l for l in text.split("\n") if not l.startswith("USER")), skip_typing=True)
                again = RDKitMolCreate.from_pdbqt_mol(read)[0]
                self.assertEqual(Chem.MolToSmiles(Chem.RemoveHs(again)), Chem.MolToSmiles(Chem.RemoveHs(mol)))


class Set42(unittest.TestCase):
    """AutoDockTools prepared these files; it differs from Meeko by rules, which are named below."""

    def setUp(self):
        source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        shared = os.environ.get("BERTH_SHARED") or os.path.join(source, "..", "shared")
        self.files = sorted(glob.glob(os.path.join(shared, "data", "set42", "*", "flex-xray.pdbqt")))
        if not self.files:
            self.skipTest("set42 is not in $BERTH_SHARED")
        try:
            subprocess.run(["obabel", "-V"], capture_output=True, check=True)
        except (OSError, subprocess.SubprocessError):
            self.skipTest("Open Babel is not installed: it finds the bond orders that PDBQT has lost")

    @staticmethod
    def to_sdf(source, name, path):
        """Bond orders from the coordinates, formal charges from the hydrogens (polar ones are all in the file)."""
        from rdkit import Chem
        from rdkit.Chem import AllChem
        subprocess.run(["obabel", "-ipdbqt", source, "-osdf", "-O", path], capture_output=True, check=True)
        mol = Chem.RWMol(Chem.MolFromMolFile(path, sanitize=False, removeHs=False))
        for atom in mol.GetAtoms():
            element, valence = atom.GetAtomicNum(), sum(b.GetBondTypeAsDouble() for b in atom.GetBonds())
            if element in (7, 8):
                atom.SetFormalCharge(int(valence) - (3 if element == 7 else 2))
            atom.SetNoImplicit(element != 6)
            atom.SetNumRadicalElectrons(0)
            atom.SetNumExplicitHs(0)
        if name in SET42_SMILES:
            template = Chem.MolFromSmiles(SET42_SMILES[name])
            fitted = AllChem.AssignBondOrdersFromTemplate(template, Chem.RemoveAllHs(mol, sanitize=False))
            conformer = Chem.Conformer(template.GetNumAtoms())
            for own, other in enumerate(fitted.GetSubstructMatch(template)):
                conformer.SetAtomPosition(own, fitted.GetConformer().GetAtomPosition(other))
            template.AddConformer(conformer)
            mol = template
        Chem.SanitizeMol(mol)
        mol = Chem.AddHs(mol, addCoords=True)
        mol.SetProp("_Name", name)
        writer = Chem.SDWriter(path)
        writer.write(mol)
        writer.close()
        return mol

    @staticmethod
    def charge_class(atom):
        """Why Gasteiger's charges of AutoDockTools and of RDKit differ at this atom."""
        near = [atom] + list(atom.GetNeighbors()) + [far for mid in atom.GetNeighbors() for far in mid.GetNeighbors()]
        if any(a.GetFormalCharge() != 0 for a in near):
            return "beside a formal charge, which AutoDockTools leaves out of its model"
        conjugated = [a for a in near if a.GetAtomicNum() in (7, 8) and a.GetTotalDegree() > 1 and
                      any(b.GetIsConjugated() for b in a.GetBonds())]
        if conjugated:
            return "beside a conjugated O or N, whose hybridization RDKit takes as sp2"
        return "other"

    @staticmethod
    def type_class(atom):
        """The environment that determines the type."""
        if atom is None:
            return "not placed where it was"
        return "%s%s beside %s" % ("aromatic " if atom.GetIsAromatic() else "", atom.GetSymbol(),
                                   " ".join(sorted(a.GetSymbol() for a in atom.GetNeighbors())))

    @staticmethod
    def bond_class(mol, key_of, pair):
        ends = [key_of.get(key) for key in pair]
        bond = mol.GetBondBetweenAtoms(*ends) if None not in ends else None
        if bond is None:
            return "bond that the conversion did not find"
        if bond.IsInRing():
            return "ring of the original that the conversion perceived otherwise"
        atoms = sorted((bond.GetBeginAtom(), bond.GetEndAtom()), key=lambda atom: -atom.GetAtomicNum())
        if atoms[0].GetAtomicNum() == 7 and atoms[1].GetAtomicNum() == 6:
            if any(b.GetBondTypeAsDouble() == 2 for b in atoms[1].GetBonds()) and not atoms[1].GetIsAromatic():
                return "amide with two unlike substituents: turns (Meeko), fixed (AutoDockTools)"
            if atoms[1].GetIsAromatic():
                return "N on a ring carbon beside ring N: turns (Meeko), fixed like guanidine (AutoDockTools)"
        return "made inactive by hand in the original"

    def test_ligands(self):
        from rdkit import Chem
        types, torsions, charges = collections.Counter(), collections.Counter(), collections.defaultdict(list)
        same_types = same_bonds = atoms = equal_meeko = 0
        with tempfile.TemporaryDirectory() as folder:
            for source in self.files:
                name = os.path.basename(os.path.dirname(source))
                path = os.path.join(folder, name + ".sdf")
                mol = self.to_sdf(source, name, path)
                with open(source, encoding="ascii") as text:
                    theirs = Pdbqt(text.read())
                found, refused = ours(path)
                self.assertEqual([], refused)
                mine = found[name][0]
                meeko = meekos(path)[name][0]
                equal_meeko += mine.tree == meeko.tree or (mine.score is not None and mine.score == meeko.score)
                places = mol.GetConformer().GetPositions()
                key_of = {"%8.3f%8.3f%8.3f" % tuple(x): i for i, x in enumerate(places)}
                atom_of = {key: mol.GetAtomWithIdx(i) for key, i in key_of.items()}
                differ = [(kind, mine.types.get(key, "absent"), self.type_class(atom_of.get(key)))
                          for key, kind in theirs.types.items() if mine.types.get(key) != kind]
                # hydrogens that the conversion had to place anew
                differ = [pair for pair in differ if pair[:2] != ("HD", "absent")]
                atoms += len(theirs.types)
                same_types += len(theirs.types) - len(differ)
                types.update(("%s: %s, ours %s (%s)" % ((name,) + pair)) for pair in differ)
                same_bonds += mine.bonds == theirs.bonds
                changed = mine.bonds ^ theirs.bonds
                torsions.update("%s: %s" % (name, self.bond_class(mol, key_of, pair)) for pair in changed)
                if theirs.torsdof != theirs.branches:
                    torsions["%s: TORSDOF %d of the original counts inactive torsions, it has %d" %
                             (name, theirs.torsdof, theirs.branches)] += 1
                for key, charge in theirs.charges.items():
                    if key in mine.charges and key in key_of:
                        kind = self.charge_class(mol.GetAtomWithIdx(key_of[key]))
                        charges[kind].append(abs(charge - mine.charges[key]))
        print("set42: %d ligands; types %d of %d (%.1f %%); same rotatable bonds %d; equal to Meeko on the same SDF %d"
              % (len(self.files), same_types, atoms, 100 * same_types / atoms, same_bonds, equal_meeko))
        for kind, count in sorted(types.items()) + sorted(torsions.items()):
            print("  %d x %s" % (count, kind))
        every = [value for values in charges.values() for value in values]
        print("  charges: mean difference %.4f e over %d atoms; of which" % (sum(every) / len(every), len(every)))
        for kind, values in sorted(charges.items()):
            print("    %.4f e over %d: %s" % (sum(values) / len(values), len(values), kind))
        self.assertGreaterEqual(same_types, 0.99 * atoms)
        self.assertEqual(equal_meeko, len(self.files))
        self.assertLess(sum(charges["other"]) / len(charges["other"]), 0.02)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_preparation.py BIN")
    BIN = os.path.abspath(sys.argv[1])
    if "--inside" not in sys.argv:
        program = os.path.join(os.path.dirname(BIN), "tests", "prepare_ligands")
        if not os.path.exists(program):
            skip("prepare_ligands is not built")
        if subprocess.run([program, "no.sdf"], capture_output=True, check=False).returncode == 77:
            skip("this build has no RDKit")
        python, reason = interpreter(os.path.join(os.path.dirname(BIN), "parsers-venv"))
        if python is None:
            skip(reason)
        sys.exit(subprocess.run([python, os.path.abspath(__file__), BIN, "--inside"], check=False).returncode)
    from importlib.metadata import version
    from rdkit import RDLogger
    RDLogger.DisableLog("rdApp.*")
    print(", ".join("%s %s" % (name, version(name)) for name in ("meeko", "rdkit")))
    skips.main()
