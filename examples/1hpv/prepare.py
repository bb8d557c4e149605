#!/usr/bin/env python3
"""Prepares receptor.pdbqt, ligand.pdbqt and ligand-crystal.pdbqt from PDB entry 1HPV.

    python3 -m venv venv && venv/bin/pip install rdkit==2026.9.1 meeko==0.8.0 pdb2pqr==3.8.0 gemmi prody scipy
    venv/bin/python prepare.py 1hpv.pdb [output folder]

1hpv.pdb is the entry from the Protein Data Bank (https://files.rcsb.org/download/1HPV.pdb; the Debian package
pymol-data has it as tut/1hpv.pdb). README.md of this folder says what is done and why.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
from meeko import MoleculePreparation, PDBQTWriterLegacy
from rdkit import Chem
from rdkit.Chem import AllChem

# Amprenavir (VX-478), residue 478 of the entry; the stereochemistry is checked against the crystal below.
SMILES = "CC(C)CN(C[C@H]([C@H](CC1=CC=CC=C1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)C3=CC=C(C=C3)N"
SEED = 478


def run(*words):
    done = subprocess.run([os.path.join(os.path.dirname(sys.executable), words[0]), *words[1:]],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{words[0]} failed:\n{done.stdout}{done.stderr}")


def ligand_from_entry(lines):
    """The ligand with bond orders from SMILES, hydrogens added on the crystal's heavy atoms."""
    block = "".join(line for line in lines if line.startswith("HETATM") and line[17:20] == "478")
    crystal = Chem.MolFromPDBBlock(block, removeHs=False)
    template = Chem.MolFromSmiles(SMILES)
    crystal = AllChem.AssignBondOrdersFromTemplate(template, crystal)
    Chem.AssignStereochemistryFrom3D(crystal)
    if Chem.MolToSmiles(crystal) != Chem.MolToSmiles(template):
        sys.exit(f"the crystal's stereochemistry differs: {Chem.MolToSmiles(crystal)}")
    return Chem.AddHs(crystal, addCoords=True, addResidueInfo=True)


def fresh_conformer(crystal):
    """The same molecule with the same atom order, and coordinates generated from its graph only: nothing is left of the
    crystal's torsions, ring puckers or orientation. Only its center is moved into the future box."""
    fresh = Chem.Mol(crystal)
    fresh.RemoveAllConformers()
    if AllChem.EmbedMolecule(fresh, randomSeed=SEED) != 0 or AllChem.MMFFOptimizeMolecule(fresh, maxIters=2000) != 0:
        sys.exit("RDKit found no conformer")
    place = fresh.GetConformer().GetPositions()
    place += crystal.GetConformer().GetPositions().mean(axis=0) - place.mean(axis=0)
    fresh.GetConformer().SetPositions(place)
    return fresh


def write_ligand(molecule, path):
    setup = MoleculePreparation().prepare(molecule)[0]
    text, good, message = PDBQTWriterLegacy.write_string(setup)
    if not good:
        sys.exit(f"Meeko: {message}")
    with open(path, "w", encoding="ascii") as stream:
        stream.write(text)


def add_elements(path):
    """Fills the element columns, which PDB2PQR leaves empty and Meeko needs."""
    with open(path, encoding="ascii") as stream:
        lines = stream.readlines()
    with open(path, "w", encoding="ascii") as stream:
        for line in lines:
            if line.startswith("ATOM"):
                element = line[12:16].strip().lstrip("0123456789")[0]
                line = f"{line.rstrip():76s}{element:>2s}\n"
            stream.write(line)


def flap_water(lines, ligand):
    """The water between the flaps (Ile 50 of both chains) and the ligand, as three lines of PDBQT.

    Its hydrogens point at the two oxygens of the ligand that it bridges: the carbonyl and one of the sulfonyl's."""
    xyz = ligand.GetConformer().GetPositions()
    carbonyl = xyz[ligand.GetSubstructMatch(Chem.MolFromSmarts("O=C(N)O"))[0]]
    sulfonyl = [xyz[match[0]] for match in ligand.GetSubstructMatches(Chem.MolFromSmarts("O=S"))]
    place = lambda line: np.array([float(line[c:c + 8]) for c in (30, 38, 46)])
    flaps = [place(line) for line in lines if line.startswith("ATOM") and line[12:26].split()[:2] == ["N", "ILE"]
             and int(line[22:26]) == 50]
    waters = [line for line in lines if line.startswith("HETATM") and line[17:20] == "HOH"]

    def reach(line):  # the longest of the water's four hydrogen bonds
        water = place(line)
        return max(np.linalg.norm(water - other) for other in
                   [*flaps, carbonyl, min(sulfonyl, key=lambda oxygen: np.linalg.norm(water - oxygen))])

    line = min(waters, key=reach)
    if reach(line) > 3.5 or len(flaps) != 2:
        sys.exit("no water between the flaps and the ligand")
    water = place(line)
    near = min(sulfonyl, key=lambda oxygen: np.linalg.norm(water - oxygen))
    to_carbonyl, to_sulfonyl = ((o - water) / np.linalg.norm(o - water) for o in (carbonyl, near))
    along = (to_carbonyl + to_sulfonyl) / np.linalg.norm(to_carbonyl + to_sulfonyl)
    across = (to_carbonyl - to_sulfonyl) / np.linalg.norm(to_carbonyl - to_sulfonyl)
    half = np.radians(104.52 / 2)
    atoms = [("O", water, -0.410, "OA")]
    for number, side in ((1, 1), (2, -1)):
        hydrogen = water + 0.9572 * (np.cos(half) * along + side * np.sin(half) * across)
        atoms.append((f"H{number}", hydrogen, 0.205, "HD"))
    return [f"{name:<3s} HOH W{int(line[22:26]):4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00    {charge:+6.3f} {kind:<2s}\n"
            for name, (x, y, z), charge, kind in atoms]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="ascii") as stream:
        lines = [line[:66].rstrip() + "\n" for line in stream]
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(os.path.abspath(__file__))

    crystal = ligand_from_entry(lines)
    write_ligand(crystal, os.path.join(folder, "ligand-crystal.pdbqt"))
    write_ligand(fresh_conformer(crystal), os.path.join(folder, "ligand.pdbqt"))

    with tempfile.TemporaryDirectory() as aside:
        protein = os.path.join(aside, "protein.pdb")
        with open(protein, "w", encoding="ascii") as stream:
            stream.writelines(line for line in lines if line.startswith(("ATOM", "TER")))
        protonated = os.path.join(aside, "protonated.pdb")
        run("pdb2pqr30", "--ff=AMBER", "--ffout=AMBER", "--titration-state-method=propka", "--with-ph=7.0",
            "--keep-chain", f"--pdb-output={protonated}", protein, os.path.join(aside, "protein.pqr"))
        add_elements(protonated)
        dry = os.path.join(aside, "dry.pdbqt")
        run("mk_prepare_receptor.py", "--read_pdb", protonated, "-p", dry)
        with open(dry, encoding="ascii") as stream:
            receptor = stream.readlines()
    for rest in flap_water(lines, crystal):
        receptor.append(f"ATOM  {len(receptor) + 1:5d}  {rest}")
    with open(os.path.join(folder, "receptor.pdbqt"), "w", encoding="ascii") as stream:
        stream.writelines(receptor)


main()
