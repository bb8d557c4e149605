#!/usr/bin/env python3
"""A molecule stays the same molecule: from SMILES, and from Berth's own SDF of it.

    test_property.py BIN [FILE.smi...] [--count N] [--coordinates etkdg|quick] [--list OUT.csv]

Each SMILES becomes PDBQT and SDF by `berth prep ligand`, and the SDF is prepared again. Both must have the same types,
charges, torsions and hydrogens. If RDKit can be imported, two more comparisons follow: the SDF read by RDKit has the
InChIKey of the SMILES that Berth states (REMARK SMILES), and this is the molecule that was given, but for its protons
and counter-ions. Stereochemistry that a SMILES leaves open is compared as far as it goes. Without files the molecules
are those of awkward.smi; with --count, an even selection of N molecules of the files is taken. Without --coordinates
all of this is done for both ways to make coordinates.
"""
import argparse
import collections
import csv
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    from rdkit import Chem, RDLogger
    from rdkit.Chem.MolStandardize import rdMolStandardize
    RDLogger.DisableLog("rdApp.*")
except ImportError:
    Chem = None

CHARGE_TOLERANCE = 1e-3 + 1e-9  # e; PDBQT has three decimals
OURS = pathlib.Path(__file__).resolve().parent / "awkward.smi"


class Prepared:
    """Types and charges by the place of an atom in REMARK SMILES, and what else a PDBQT file tells."""

    def __init__(self, text):
        self.smiles, self.types, self.charges, self.torsions = "", {}, {}, 0
        self.polar = collections.Counter()  # hydrogens of each place
        pairs, parents, atoms = [], [], {}
        for line in text.split("\n"):
            words = line.split()
            if line.startswith("REMARK SMILES IDX"):
                pairs += [int(word) for word in words[3:]]
            elif line.startswith("REMARK SMILES"):
                self.smiles = words[2]
            elif line.startswith("REMARK H PARENT"):
                parents += [int(word) for word in words[3:]]
            elif line.startswith(("ATOM", "HETATM")):
                atoms[int(line[6:11])] = (line[77:].strip(), float(line[70:76]))
            elif line.startswith("BRANCH"):
                self.torsions += 1
            elif line.startswith("TORSDOF"):
                self.torsdof = int(words[1])
        for place, serial in zip(pairs[::2], pairs[1::2]):
            self.types[place], self.charges[place] = atoms.pop(serial)
        hydrogen_charges = collections.defaultdict(list)
        for place, serial in zip(parents[::2], parents[1::2]):
            self.polar[place] += 1
            hydrogen_charges[place].append(atoms.pop(serial)[1])
        self.hydrogen_charges = {place: sorted(all_of) for place, all_of in hydrogen_charges.items()}
        self.others = sorted(kind for kind, _ in atoms.values())  # G0, W and so on

    def loose_differences(self, other):
        """Without the places of atoms, when the two SMILES of one molecule have other atoms."""
        found = []
        for what in ("torsions", "torsdof", "others"):
            if getattr(self, what) != getattr(other, what):
                found.append(f"{what}: {getattr(self, what)}, then {getattr(other, what)}")
        heavy = [sorted(kind for kind in one.types.values() if kind != "HD") for one in (self, other)]
        return found if heavy[0] == heavy[1] else found + [f"types: {heavy[0]}, then {heavy[1]}"]

    def differences(self, other):
        found = []
        if self.smiles != other.smiles:
            found.append(f"SMILES {self.smiles} became {other.smiles}")
            return found
        for place, kind in self.types.items():
            if other.types.get(place) != kind:
                found.append(f"type of atom {place}: {kind}, then {other.types.get(place)}")
            elif abs(self.charges[place] - other.charges[place]) > CHARGE_TOLERANCE:
                found.append(f"charge of atom {place}: {self.charges[place]}, then {other.charges[place]}")
        if self.polar != other.polar:
            found.append("other hydrogens")
        for place, all_of in self.hydrogen_charges.items():
            second = other.hydrogen_charges.get(place, [])
            if any(abs(a - b) > CHARGE_TOLERANCE for a, b in zip(all_of, second)):
                found.append(f"charges of hydrogens at atom {place}")
        for what in ("torsions", "torsdof", "others"):
            if getattr(self, what) != getattr(other, what):
                found.append(f"{what}: {getattr(self, what)}, then {getattr(other, what)}")
        return found


def same_key(one, two):
    mols = [Chem.MolFromSmiles(prepared.smiles) for prepared in (one, two)]
    return None not in mols and Chem.MolToInchiKey(mols[0]) == Chem.MolToInchiKey(mols[1])


def hydrogens(sdf):
    lines = sdf.split("\n")
    if "V3000" in lines[3]:
        return sum(line.split()[3] == "H" for line in lines if line.startswith("M  V30 ") and len(line.split()) >= 8)
    return sum(line[31:34].strip() == "H" for line in lines[4:4 + int(lines[3][:3])])


def keys(mol):
    """The first two blocks of InChIKeys, protons being in the third: of the molecule, and without its charges."""
    return {Chem.MolToInchiKey(mol)[:25], Chem.MolToInchiKey(rdMolStandardize.Uncharger().uncharge(mol))[:25]}


def hydrogen_neighbors(atom):
    return sum(other.GetAtomicNum() == 1 for other in atom.GetNeighbors())


def forget_imines(mol):
    """C=N-H has no side once it is protonated."""
    for bond in mol.GetBonds():
        ends = [bond.GetBeginAtom(), bond.GetEndAtom()]
        if any(atom.GetSymbol() == "N" and atom.GetDegree() - hydrogen_neighbors(atom) == 1 for atom in ends):
            bond.SetStereo(Chem.BondStereo.STEREONONE)


def largest(mol):
    parts = Chem.GetMolFrags(mol, asMols=True)
    return max(parts, key=lambda part: part.GetNumHeavyAtoms())


def is_open(mol):
    """Has it a center or double bond without a stated side?"""
    return any(info.specified == Chem.StereoSpecified.Unspecified for info in Chem.FindPotentialStereo(Chem.Mol(mol)))


def same_molecule(given, stated, sdf):
    """What RDKit says about the molecule given, the one that Berth states, and the coordinates."""
    found = []
    said, read = Chem.MolFromSmiles(stated), Chem.MolFromMolBlock(sdf, removeHs=False)
    if said is None or read is None:
        return [f"RDKit reads no molecule from {'the SDF' if said else stated}"]
    Chem.AssignStereochemistryFrom3D(read)
    bare = Chem.RemoveHs(read)
    if Chem.MolToInchiKey(said) != Chem.MolToInchiKey(read):
        if not is_open(said):
            found.append(f"InChIKey: {Chem.MolToInchiKey(said)} stated, {Chem.MolToInchiKey(read)} in the SDF")
        elif not bare.HasSubstructMatch(said, useChirality=True):
            found.append(f"the SDF is no isomer of {stated}: {Chem.MolToSmiles(bare)}")
    start = Chem.MolFromSmiles(given)
    if start is None:
        return found  # only Berth's RDKit reads it
    forget_imines(start)
    forget_imines(said)
    if not keys(largest(start)) & keys(said):
        found.append(f"given {given}, stated {stated}")
    return found


class Run:
    def __init__(self, berth, coordinates):
        self.berth, self.coordinates = berth, coordinates

    def prepare(self, source, out):
        words = [self.berth, "prep", "ligand", "-q", "-l", str(source), "-o", str(out), "--format", "pdbqt,sdf",
                 "--coordinates", self.coordinates]
        result = subprocess.run(words, capture_output=True, text=True)
        rejects = out / "rejects.csv"
        if result.returncode not in (0, 1, 2) or (result.returncode == 1 and not rejects.exists()):
            sys.exit(f"berth prep ligand ended with {result.returncode}: {result.stderr[-500:]}")
        rows = list(csv.DictReader(rejects.open())) if rejects.exists() else []
        return {row["ligand"]: row.get("message") or row.get("reason") or str(row) for row in rows}

    def compare(self, molecules):
        """molecules: SMILES by name. Returns what is wrong and what was rejected, texts by name."""
        wrong, rejected = {}, {}
        with tempfile.TemporaryDirectory(prefix="berth-property-") as folder:
            folder = pathlib.Path(folder)
            (folder / "in.smi").write_text("".join(f"{smiles} {name}\n" for name, smiles in molecules.items()))
            rejected = self.prepare(folder / "in.smi", folder / "first")
            sdfs = folder / "sdf"
            sdfs.mkdir()
            for path in (folder / "first").glob("*.sdf"):
                path.rename(sdfs / path.name)
            again = self.prepare(sdfs, folder / "second")
            for name, smiles in molecules.items():
                if name in rejected:
                    continue
                first, second = folder / "first" / f"{name}.pdbqt", folder / "second" / f"{name}.pdbqt"
                if not first.exists():
                    wrong[name] = ["neither prepared nor rejected"]
                elif not second.exists():
                    wrong[name] = [f"its own SDF is rejected: {again.get(name, 'without a word')}"]
                else:
                    wrong[name] = self.differences(smiles, first, second, sdfs / f"{name}.sdf",
                                                   folder / "second" / f"{name}.sdf")
        return {name: texts for name, texts in wrong.items() if texts}, rejected

    @staticmethod
    def differences(smiles, first, second, sdf, sdf_again):
        one, two = Prepared(first.read_text()), Prepared(second.read_text())
        text = sdf.read_text()
        found = []
        if Chem is not None:
            found += same_molecule(smiles, one.smiles, text)
            said = Chem.MolFromSmiles(one.smiles)
            if said is not None and is_open(said):  # the second one has the isomer of the coordinates
                two.smiles = one.smiles if flat(one.smiles) == flat(two.smiles) else two.smiles
                return found + ([f"SMILES {one.smiles} became {two.smiles}"] if one.smiles != two.smiles else [])
        elif "@" not in one.smiles and "@" in two.smiles or one.smiles.count("@") != two.smiles.count("@"):
            return found  # an open center that RDKit would have to judge
        # coordinates give C=N-H a side, which InChI does not count; RDKit writes some molecules in two ways
        if Chem is not None and one.smiles != two.smiles and same_key(one, two):
            found += one.loose_differences(two)
        else:
            found += one.differences(two)
        if hydrogens(text) != hydrogens(sdf_again.read_text()):
            found.append("other hydrogens in the SDF")
        return found


def flat(smiles):
    return Chem.MolToSmiles(Chem.RemoveAllHs(Chem.MolFromSmiles(smiles)), isomericSmiles=False)


def read(paths, count):
    """SMILES by a name that makes a file name; with count, every so manieth line."""
    lines = [line.split() for path in paths for line in pathlib.Path(path).read_text().splitlines()
             if line.strip() and not line.startswith("#")]
    step = max(1.0, len(lines) / count) if count else 1
    chosen = [lines[int(i * step)] for i in range(int(len(lines) / step))]
    return {f"m{i:05d}": words[0] for i, words in enumerate(chosen)}


def compare(options, coordinates, molecules):
    """Whether any molecule did not stay the same."""
    start = time.monotonic()
    wrong, rejected = Run(options.bin / "berth", coordinates).compare(molecules)
    if rejected and all("no RDKit" in text for text in rejected.values()):
        print("skipped: this build has no RDKit")
        sys.exit(77)
    for name, texts in wrong.items():
        print(f"{name} {molecules[name]}: {'; '.join(texts)}")
    for name, text in rejected.items():
        print(f"{name} {molecules[name]} rejected: {text}")
    if options.list:
        with options.list.open("a", newline="") as file:
            rows = csv.writer(file)
            rows.writerows([name, coordinates, molecules[name], "wrong", "; ".join(texts)] for name, texts in wrong.items())
            rows.writerows([name, coordinates, molecules[name], "rejected", text] for name, text in rejected.items())
    print(f"{coordinates}: {len(molecules)} molecules: {len(molecules) - len(wrong) - len(rejected)} stay the same, "
          f"{len(wrong)} do not, {len(rejected)} rejected, in {time.monotonic() - start:.0f} s"
          + ("" if Chem else "; InChIKeys not compared: RDKit cannot be imported (pip install rdkit)"))
    return bool(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--count", type=int)
    parser.add_argument("--coordinates", choices=["etkdg", "quick"])
    parser.add_argument("--list", type=pathlib.Path, help="CSV file of what is wrong and what was rejected")
    options = parser.parse_args()
    molecules = read(options.files or [OURS], options.count)
    if options.list:
        options.list.write_text("name,coordinates,smiles,what,text\n")
    failed = [compare(options, coordinates, molecules)
              for coordinates in ([options.coordinates] if options.coordinates else ["etkdg", "quick"])]
    sys.exit(1 if any(failed) else 0)


if __name__ == "__main__":
    main()
