#!/usr/bin/env python3
"""Makes of complexes whose ligands are PDBQT a set for poses.py whose ligands start from generated conformers.

    redock_smiles.py SOURCE TARGET
    redock_smiles.py --screen LIGANDS.tar.gz TARGET N

SOURCE has boxes.tsv and NAME/ligand.pdbqt, NAME/receptor.pdbqt (poses.py). Open Babel (`obabel`) finds bonds and bond
orders from the crystal's geometry, RDKit makes a SMILES of them with the crystal's stereochemistry, and a conformer of
that by ETKDGv3 and MMFF94s. TARGET gets manifest.csv and NAME/receptor.pdbqt, ligand_crystal.sdf, ligand_start.sdf of
the complexes for which that works; those for which it does not are named, with the reason. The box that poses.py takes
is then the crystal ligand's extent and the default padding, 5 Angstrom, as in boxes.tsv.

--screen makes actives.smi and decoys.smi for enrichment.py, of all PDBQT files of the archive whose names begin with
"actives" and of N with "decoys", those with the smallest SHA-256 of the name, in the same way.
"""
import csv
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

from judging import digest
from rdkit import Chem, RDLogger
from rdkit.Chem import AllChem

RDLogger.DisableLog("rdApp.*")


def bonds_of(pdbqt):
    """The SDF of Open Babel, without the radicals that it assigns to atoms whose hydrogens are missing."""
    done = subprocess.run(["obabel", "-ipdbqt", pdbqt, "-osdf"], capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("M  RAD")]
    lines = [line[:39] + "  0" * 10 if number > 3 and len(line.split()) == 16 else line
             for number, line in enumerate(lines)]
    return "\n".join(lines[:lines.index("M  END") + 1]) + "\n"


def crystal_of(pdbqt):
    mol = Chem.MolFromMolBlock(bonds_of(pdbqt), sanitize=False, removeHs=False)
    if mol is None:
        raise ValueError("RDKit does not read what Open Babel writes")
    for atom in mol.GetAtoms():  # polar hydrogens are there, charges are not: ammonium, amidinium, guanidinium
        if atom.GetAtomicNum() == 7 and sum(bond.GetBondTypeAsDouble() for bond in atom.GetBonds()) == 4:
            atom.SetFormalCharge(1)
    try:
        Chem.SanitizeMol(mol)
    except Chem.MolSanitizeException as error:
        raise ValueError(f"RDKit refuses the bonds that Open Babel finds: {error}") from error
    mol = Chem.RemoveHs(mol)
    if len(Chem.GetMolFrags(mol)) > 1:
        raise ValueError("the bonds that Open Babel finds leave fragments")
    for atom in mol.GetAtoms():
        if atom.GetNumRadicalElectrons() > 0:
            raise ValueError(f"{atom.GetSymbol()}{atom.GetIdx() + 1} is left a radical")
    Chem.AssignStereochemistryFrom3D(mol)
    return mol


def start_of(crystal):
    mol = Chem.AddHs(Chem.MolFromSmiles(Chem.MolToSmiles(crystal)))
    options = AllChem.ETKDGv3()
    options.randomSeed = 7
    if AllChem.EmbedMolecule(mol, options) != 0:
        raise ValueError("RDKit makes no conformer")
    AllChem.MMFFOptimizeMolecule(mol, mmffVariant="MMFF94s", maxIters=2000)
    return Chem.RemoveHs(mol)


def make(source, target, row):
    crystal = crystal_of(source / "ligand.pdbqt")
    start = start_of(crystal)
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source / "receptor.pdbqt", target / "receptor.pdbqt")
    for mol, name in ((crystal, "ligand_crystal.sdf"), (start, "ligand_start.sdf")):
        with Chem.SDWriter(str(target / name)) as writer:
            writer.write(mol)
    return {"id": row["complex"], "heavy_atoms": row["heavy_atoms"], "rotatable_bonds": row["torsions"],
            "smiles": Chem.MolToSmiles(crystal)}


def screen(archive, target, n_decoys):
    target.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as tar, tempfile.TemporaryDirectory() as folder:
        members = {pathlib.Path(member.name).stem: member for member in tar.getmembers() if member.isfile()}
        for kind, most in (("actives", None), ("decoys", n_decoys)):
            names = sorted((name for name in members if name.startswith(kind)), key=digest)[:most]
            with open(target / f"{kind}.smi", "w", encoding="utf-8") as stream:
                for name in names:
                    pdbqt = pathlib.Path(folder) / f"{name}.pdbqt"
                    pdbqt.write_bytes(tar.extractfile(members[name]).read())
                    try:
                        print(Chem.MolToSmiles(crystal_of(pdbqt)), name, file=stream)
                    except ValueError as error:
                        print(f"{name}: {error}", file=sys.stderr)


def main():
    if sys.argv[1] == "--screen":
        return screen(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4]))
    source, target = map(pathlib.Path, sys.argv[1:])
    made, refused = [], 0
    with open(source / "boxes.tsv", encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            try:
                made.append(make(source / row["complex"], target / row["complex"], row))
            except ValueError as error:
                refused += 1
                print(f"{row['complex']}: {error}", file=sys.stderr)
    with open(target / "manifest.csv", "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["id", "heavy_atoms", "rotatable_bonds", "smiles"])
        writer.writeheader()
        writer.writerows(made)
    print(f"{len(made)} complexes, {refused} refused")


if __name__ == "__main__":
    main()
