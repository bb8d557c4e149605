#!/usr/bin/env python3
"""Berth reads a molecule from MOL2 as it went in, in whichever of the common spellings it is written.

The molecules of tests/data/awkward.smi get coordinates from Berth; RDKit's molecule of that SDF is written as MOL2 with
aromatic or Kekule bonds, acids, nitro groups, amidinium and azides in the spellings of several programs, and without
the hydrogens on carbon; Open Babel writes them too if it can be imported. Berth's SMILES of each has the InChI of the
SDF (without stereochemistry, which comes from the coordinates; MOL2 has no isotopes). Needs RDKit from PyPI.
"""
import os
import subprocess
import sys
import tempfile
import unittest

from test_awkward import MOLECULES, need_rdkit, smiles_of
from test_parsers import skips

try:
    from rdkit import Chem, RDLogger
    RDLogger.DisableLog("rdApp.*")
except ImportError: # this file then runs itself again in an environment that has it
    Chem = None
try:
    from openbabel import pybel
    pybel.ob.obErrorLog.SetOutputLevel(0)
except ImportError:
    pybel = None

# What a file without orders or charges cannot tell.
LOST = {"kekule": {"tropylium"},  # seven carbons, each with a hydrogen
        "polar": {"tropylium", "dithioacetate", "methyltetrazolate", "triazolide", "sulfonamide_anion", "sydnone",
                  "mesoionic_oxadiazole", "mesoionic_thiolate", "methylpyridinium_olate"}} # nothing is left of their hydrogens


def sybyl(atom):
    symbol, degree = atom.GetSymbol(), atom.GetDegree()
    orders = [bond.GetBondTypeAsDouble() for bond in atom.GetBonds()]
    linear = 3 in orders or orders.count(2) > 1
    if symbol == "C":
        return "C.ar" if atom.GetIsAromatic() else "C.1" if linear else "C.2" if 2 in orders else "C.3"
    if symbol == "N":
        if atom.GetIsAromatic():
            return "N.ar"
        double = "N.pl3" if degree == 3 else "N.2"
        return "N.1" if linear else double if 2 in orders else "N.4" if degree == 4 else "N.3"
    if symbol == "O":
        return "O.2" if degree == 1 else "O.3"
    oxygens = sum(other.GetSymbol() == "O" and other.GetDegree() == 1 for other in atom.GetNeighbors())
    if symbol == "S":
        return "S.O2" if oxygens > 1 else "S.O" if oxygens else "S.2" if 2 in orders else "S.3"
    return "P.3" if symbol == "P" else symbol


class Record:
    def __init__(self, mol, name, aromatic=True):
        self.mol, self.name = mol, name
        self.types = [sybyl(atom) for atom in mol.GetAtoms()]
        kekule = Chem.Mol(mol)
        Chem.Kekulize(kekule, clearAromaticFlags=True)
        self.orders = ["ar" if aromatic and bond.GetIsAromatic() else
                       str(int(kekule.GetBondWithIdx(bond.GetIdx()).GetBondTypeAsDouble())) for bond in mol.GetBonds()]

    def set_order(self, a, b, order):
        self.orders[self.mol.GetBondBetweenAtoms(a, b).GetIdx()] = order

    def matches(self, smarts):
        return self.mol.GetSubstructMatches(Chem.MolFromSmarts(smarts))

    def spell_acids(self, order):
        """O.co2 at carbon, phosphorus and sulfur; order None: as they are."""
        for center in self.mol.GetAtoms():
            ends = [atom for atom in center.GetNeighbors() if atom.GetSymbol() in "OS" and atom.GetDegree() == 1]
            planar = center.GetSymbol() != "C" or center.GetDegree() == 3
            if center.GetSymbol() not in "CPS" or not planar or not any(atom.GetFormalCharge() < 0 for atom in ends):
                continue
            if len(ends) < 2 and center.GetSymbol() != "P":
                continue
            for atom in ends:
                if atom.GetSymbol() == "O":
                    self.types[atom.GetIdx()] = "O.co2"
                if order:
                    self.set_order(center.GetIdx(), atom.GetIdx(), order)

    def spell_nitro(self, order):
        for nitrogen, *oxygens in self.matches("[#7X3](~[OD1])~[OD1]"):
            for oxygen in oxygens:
                self.set_order(nitrogen, oxygen, order)

    def spell_cations(self, order):
        """Amidinium and guanidinium."""
        for carbon, *_ in set(self.matches("[CX3;!a](~[#7])~[#7]")):
            around = self.mol.GetAtomWithIdx(carbon).GetNeighbors()
            nitrogens = [atom for atom in around if atom.GetSymbol() == "N"]
            if any(atom.GetSymbol() == "O" for atom in around) or not any(n.GetFormalCharge() > 0 for n in nitrogens):
                continue
            self.types[carbon] = "C.cat"
            for atom in nitrogens:
                self.set_order(carbon, atom.GetIdx(), order)
                self.types[atom.GetIdx()] = "N.pl3"

    def spell_azides(self, inner, outer):
        for first, middle, last in self.matches("[N,C]=[N+]=[N-]"):
            self.set_order(first, middle, inner)
            self.set_order(middle, last, outer)

    def text(self, keep=lambda atom: True):
        place = self.mol.GetConformer().GetAtomPosition
        kept = [atom for atom in self.mol.GetAtoms() if keep(atom)]
        number = {atom.GetIdx(): i + 1 for i, atom in enumerate(kept)}
        bonds = [(number[b.GetBeginAtomIdx()], number[b.GetEndAtomIdx()], self.orders[b.GetIdx()])
                 for b in self.mol.GetBonds() if b.GetBeginAtomIdx() in number and b.GetEndAtomIdx() in number]
        atoms = [f"{number[a.GetIdx()]} {a.GetSymbol()} {' '.join(f'{v:.4f}' for v in place(a.GetIdx()))} "
                 f"{self.types[a.GetIdx()]} 1 LIG 0\n" for a in kept]
        links = [f"{i + 1} {a} {b} {order}\n" for i, (a, b, order) in enumerate(bonds)]
        return (f"@<TRIPOS>MOLECULE\n{self.name}\n{len(atoms)} {len(links)} 1 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n" +
                "".join(atoms) + "@<TRIPOS>BOND\n" + "".join(links))


def is_on_carbon(atom):
    return atom.GetSymbol() == "H" and atom.GetDegree() == 1 and atom.GetNeighbors()[0].GetSymbol() == "C"


def spell(mol, name, how):
    record = Record(mol, name, aromatic=how != "kekule")
    kind, _, order = how.partition(" ")
    if kind in ("acids", "polar"):
        record.spell_acids(order or None)
    if kind == "nitro":
        record.spell_nitro(order)
    if kind == "cations":
        record.spell_cations(order)
    if kind == "azides":
        record.spell_azides(*order.split())
    return record.text(lambda atom: kind != "polar" or not is_on_carbon(atom))


def key(mol):
    return Chem.InchiToInchiKey(Chem.MolToInchi(mol, options="-SNon"))


class Spellings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keep = tempfile.TemporaryDirectory()
        cls.folder = cls.keep.name
        subprocess.run([BIN, "prep", "ligand", MOLECULES, "-o", f"{cls.folder}/sdf", "--format", "sdf", "-q",
                        "--as-drawn"], capture_output=True, check=False)
        cls.molecules = {}
        for file in sorted(os.listdir(f"{cls.folder}/sdf")):
            mol = Chem.MolFromMolFile(f"{cls.folder}/sdf/{file}", removeHs=False) if file.endswith(".sdf") else None
            if mol is not None and not any(atom.GetIsotope() for atom in mol.GetAtoms()):
                cls.molecules[file[:-4]] = mol

    @classmethod
    def tearDownClass(cls):
        cls.keep.cleanup()

    def check(self, how, text_of):
        folder, path, wrong = f"{self.folder}/{how}", f"{self.folder}/{how}.mol2", []
        with open(path, "w", encoding="ascii") as stream:
            stream.writelines(text_of(name, mol) for name, mol in self.molecules.items())
        done = subprocess.run([BIN, "prep", "ligand", path, "-o", folder, "-q", "--as-drawn"], capture_output=True,
                              text=True, check=False)
        for name, mol in self.molecules.items():
            made = f"{folder}/{name}.pdbqt"
            if name in LOST.get(how, ()):
                continue
            if not os.path.exists(made):
                wrong.append(next((l for l in done.stderr.splitlines() if f"rejected {name}:" in l), f"{name} is missing"))
            elif key(Chem.MolFromSmiles(smiles_of(made))) != key(mol):
                wrong.append(f"{name}: {smiles_of(made)} for {Chem.MolToSmiles(Chem.RemoveHs(mol))}")
        lost = len(LOST.get(how, ()))
        print(f"{how}: {len(self.molecules) - len(wrong) - lost} of {len(self.molecules)} the same" +
              (f", {lost} of which the file does not say what they are" if lost else ""))
        self.assertEqual([], wrong)

    def test_spellings(self):
        self.assertGreater(len(self.molecules), 250)
        for how in ("kekule", "aromatic", "acids", "acids ar", "acids 1", "acids 2", "nitro 2", "nitro ar", "nitro 1",
                    "cations ar", "cations 1", "azides 2 3", "azides 1 3", "azides ar ar", "polar"):
            with self.subTest(how):
                self.check(how, lambda name, mol, how=how: spell(mol, name, how))

    @unittest.skipIf(pybel is None, "Open Babel is not installed")
    def test_open_babel(self):
        def text(name, _):
            made = next(pybel.readfile("sdf", f"{self.folder}/sdf/{name}.sdf"))
            made.title = name
            return made.write("mol2")
        self.check("Open Babel", text)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_mol2.py BIN")
    BIN = os.path.join(os.path.abspath(sys.argv[1]), "berth")
    need_rdkit(BIN, __file__, Chem)
    skips.main()
