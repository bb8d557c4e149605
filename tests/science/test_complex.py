#!/usr/bin/env python3
"""Other programs read the complexes that `berth dock --complex` writes, and the ligand's bonds in them.

gemmi, Biopython and RDKit, each if it can be imported, and Berth itself read receptor and pose back: chains, residues,
names and coordinates are those of the docking. Skipped if none of the three is installed.
"""
import importlib
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import skips  # noqa: E402
from skips import skip  # noqa: E402

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PEPTIDE = os.path.join(SOURCE, "tests", "data", "peptide.pdb")


def available(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def needs(name):
    return unittest.skipIf(available(name) is None, f"{name} is not installed")


def atoms_of(path, kinds=("ATOM", "HETATM")):
    with open(path, encoding="ascii") as stream:
        return [line for line in stream if line.startswith(kinds)]


class Complex(unittest.TestCase):
    ligand = "OC(=O)c1ccccc1C#N"

    @classmethod
    def setUpClass(cls):
        cls.keep = tempfile.TemporaryDirectory()
        cls.folder = cls.keep.name
        for kind in "pdb", "cif":
            done = subprocess.run([BERTH, "dock", "-r", PEPTIDE, "-l", cls.ligand, "-o", cls.folder, "--center", "10,8,0",
                                   "--size", "20,20,20", "-n", "1", "-e", "500", "-s", "1", "--complex", kind,
                                   "--overwrite"], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
        cls.pdb, cls.cif = (os.path.join(cls.folder, next(name for name in os.listdir(cls.folder) if
                                                          name.endswith(f".complex.{kind}"))) for kind in ("pdb", "cif"))
        cls.lines = atoms_of(cls.pdb)
        cls.of_ligand = [line for line in cls.lines if line[21] == "L"]

    @classmethod
    def tearDownClass(cls):
        cls.keep.cleanup()

    def test_names_and_bonds_in_pdb(self):
        names = [line[12:16] for line in self.of_ligand]
        self.assertEqual(len(names), len(set(names)))
        connected = {line[6:11] for line in atoms_of(self.pdb, ("CONECT",))}
        self.assertEqual(connected, {line[6:11] for line in self.of_ligand})

    def check(self, chains, atoms):
        """chains: {name: residues}; atoms: (chain, name, x, y, z)."""
        expected = {}
        for line in self.lines:
            expected.setdefault(line[21], set()).add(line[22:27])
        self.assertEqual(chains, {name: len(residues) for name, residues in expected.items()})
        written = sorted((line[21], line[12:16].strip(), *(round(float(line[k:k + 8]), 3) for k in (30, 38, 46)))
                         for line in self.lines)
        self.assertEqual(sorted(atoms), written)

    @needs("gemmi")
    def test_gemmi(self):
        gemmi = available("gemmi")
        for path in self.cif, self.pdb:
            structure = gemmi.read_structure(path)
            self.assertEqual(len(structure), 1)
            self.check({chain.name: len(chain) for chain in structure[0]},
                       [(cra.chain.name, cra.atom.name, *(round(v, 3) for v in cra.atom.pos.tolist()))
                        for cra in structure[0].all()])
        block = gemmi.cif.read(self.cif).sole_block()
        for column in ("id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id", "label_asym_id",
                       "label_entity_id", "label_seq_id", "auth_asym_id", "auth_seq_id", "pdbx_PDB_ins_code"):
            self.assertGreater(len(block.find_values("_atom_site." + column)), 0, column)
        self.assertEqual(len(block.find("_entity.", ["id", "type"])), 2)

    @needs("Bio.PDB")
    def test_biopython(self):
        bio = available("Bio.PDB")
        for parser, path in (bio.MMCIFParser(QUIET=True), self.cif), (bio.PDBParser(), self.pdb):
            model = parser.get_structure("x", path)[0]
            self.check({chain.id: len(chain) for chain in model},
                       [(atom.get_parent().get_parent().id, atom.id, *(round(float(v), 3) for v in atom.coord))
                        for atom in model.get_atoms()])

    @needs("rdkit.Chem")
    def test_rdkit_finds_the_ligand(self):
        chem = available("rdkit.Chem")
        whole = chem.MolFromPDBFile(self.pdb, sanitize=False, removeHs=False)
        parts = [part for part in chem.GetMolFrags(whole, asMols=True, sanitizeFrags=False)
                 if part.GetAtomWithIdx(0).GetPDBResidueInfo().GetChainId() == "L"]
        self.assertEqual([part.GetNumAtoms() for part in parts], [len(self.of_ligand)])
        self.assertEqual(parts[0].GetNumBonds(), len(self.of_ligand)) # one ring

    def test_berth(self):
        done = subprocess.run([BERTH, "prep", "receptor", self.cif, "-o", os.path.join(self.folder, "again"), "--delete",
                               "L:"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = atoms_of(os.path.join(self.folder, "again.pdbqt"))
        self.assertEqual({line[17:27] for line in again}, {line[17:27] for line in self.lines if line[21] != "L"})


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_complex.py BIN")
    BERTH = os.path.join(os.path.abspath(sys.argv[1]), "berth")
    if all(available(name) is None for name in ("gemmi", "Bio.PDB", "rdkit.Chem")):
        skip("none of gemmi, Biopython and RDKit is installed")
    skips.main()
