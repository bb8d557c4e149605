#!/usr/bin/env python3
"""Pose checks of berth score --checks against PoseBusters, test by test.

Poses are those of `berth dock` in folders, each with receptor.pdbqt and one SDF, and copies of them that are distorted:
stretched bonds, bent angles, displaced ring atoms, flattened rings, twisted double bonds, inverted centers, folded chains,
noise, and clashes. Every second receptor gets waters and ions around the pose. Both programs read the same SDF, the same
atoms of the receptor, and the first pose as the reference for stereochemistry.

  checks.py --program build/release/bin/berth FOLDER... [--distorted N] [--seed N] [--without-energy] [--json FILE]

Needs the packages posebusters and RDKit (scripts/python-venv --busters). Prints one line per test: poses compared, equal
verdicts, and failures that only one of the two reports.
"""
import argparse
import collections
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy
from rdkit import Chem, RDLogger

# Berth's name of a test -> PoseBusters' column
NAMES = {
    "bond_lengths": "bond_lengths", "bond_angles": "bond_angles", "internal_clash": "internal_steric_clash",
    "aromatic_ring_flatness": "aromatic_ring_flatness", "ring_nonflatness": "non-aromatic_ring_non-flatness",
    "double_bond_flatness": "double_bond_flatness", "tetrahedral_stereo": "tetrahedral_chirality",
    "double_bond_stereo": "double_bond_stereochemistry", "internal_energy": "internal_energy",
    "protein_maximum_distance": "protein-ligand_maximum_distance",
    "protein_distance": "minimum_distance_to_protein",
    "organic_cofactor_distance": "minimum_distance_to_organic_cofactors",
    "inorganic_cofactor_distance": "minimum_distance_to_inorganic_cofactors",
    "water_distance": "minimum_distance_to_waters", "protein_overlap": "volume_overlap_with_protein",
    "organic_cofactor_overlap": "volume_overlap_with_organic_cofactors",
    "inorganic_cofactor_overlap": "volume_overlap_with_inorganic_cofactors", "water_overlap": "volume_overlap_with_waters",
}
ENERGY_MODULE, ENERGY_TEST = "Energy ratio", "internal_energy"
TYPES = {"A": "C", "OA": "O", "NA": "N", "SA": "S", "NS": "N", "OS": "O", "HD": "H", "HS": "H", "W": "O"}


# --- distortions ------------------------------------------------------------------------------------------

def side_of(mol, a, b):
    """Atoms beyond b, seen from a; None where the bond is in a ring."""
    seen, stack = {a, b}, [b]
    while stack:
        at = stack.pop()
        for neighbor in mol.GetAtomWithIdx(at).GetNeighbors():
            k = neighbor.GetIdx()
            if k == a and at != b:
                return None
            if k not in seen:
                seen.add(k)
                stack.append(k)
    return sorted(seen - {a})


def unit(v):
    return v / numpy.linalg.norm(v)


def turned(x, origin, axis, angle):
    axis, r = unit(axis), x - origin
    return origin + r * math.cos(angle) + numpy.cross(axis, r) * math.sin(angle) + numpy.outer(r @ axis, axis) * (1 - math.cos(angle))


def heavy_bonds(mol, dice):
    bonds = [b for b in mol.GetBonds() if b.GetBeginAtom().GetAtomicNum() > 1 and b.GetEndAtom().GetAtomicNum() > 1]
    dice.shuffle(bonds)
    return bonds


def ring_of(mol, dice, aromatic):
    rings = [r for r in mol.GetRingInfo().AtomRings() if all(mol.GetAtomWithIdx(k).GetIsAromatic() for k in r) == aromatic]
    return list(dice.choice(rings)) if rings else None


def normal_of(x):
    return numpy.linalg.svd(x - x.mean(axis=0))[2][-1]


def stretch(mol, x, dice):
    for bond in heavy_bonds(mol, dice):
        a, b = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        side = side_of(mol, a, b)
        if side:
            x[side] += (x[b] - x[a]) * dice.uniform(-0.5, 0.7)
            return x
    return None


def bend(mol, x, dice):
    for bond in heavy_bonds(mol, dice):
        a, b = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        side = side_of(mol, a, b)
        others = [n.GetIdx() for n in mol.GetAtomWithIdx(a).GetNeighbors() if n.GetIdx() != b and n.GetAtomicNum() > 1]
        if side and others:
            axis = numpy.cross(x[b] - x[a], x[others[0]] - x[a])
            if numpy.linalg.norm(axis) > 1e-3:
                x[side] = turned(x[side], x[a], axis, math.radians(dice.uniform(-70, 70)))
                return x
    return None


def pucker(mol, x, dice):
    ring = ring_of(mol, dice, True)
    if ring is None:
        return None
    x[dice.choice(ring)] += normal_of(x[ring]) * dice.uniform(-1.2, 1.2)
    return x


def flatten(mol, x, dice):
    ring = ring_of(mol, dice, False)
    if ring is None:
        return None
    normal, middle, keep = normal_of(x[ring]), x[ring].mean(axis=0), dice.choice((0, 0, 0.05, 0.1, 0.3))
    for k in ring:
        x[k] -= normal * ((x[k] - middle) @ normal) * (1 - keep)
    return x


def twist(mol, x, dice):
    for bond in heavy_bonds(mol, dice):
        if bond.GetBondType() != Chem.BondType.DOUBLE:
            continue
        a, b = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        side = side_of(mol, a, b)
        if side and len(side) > 1:
            x[side] = turned(x[side], x[a], x[b] - x[a], math.radians(dice.choice((20, 40, 60, 90, 120, 180))))
            return x
    return None


def invert(mol, x, dice):
    centers = [k for k, _ in Chem.FindMolChiralCenters(mol, useLegacyImplementation=False)]
    dice.shuffle(centers)
    for center in centers:
        arms = [(n.GetIdx(), side_of(mol, center, n.GetIdx())) for n in mol.GetAtomWithIdx(center).GetNeighbors()]
        free = [arm for arm in arms if arm[1]]
        if len(free) >= 2:
            (a, first), (b, second) = dice.sample(free, 2)
            normal = unit(unit(x[a] - x[center]) - unit(x[b] - x[center]))
            moved = first + second
            x[moved] -= 2 * numpy.outer((x[moved] - x[center]) @ normal, normal)
            return x
    return None


def mirror(mol, x, dice):
    x[:, 0] = 2 * x[:, 0].mean() - x[:, 0]
    return x


def fold(mol, x, dice):
    for bond in heavy_bonds(mol, dice):
        a, b = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        side = side_of(mol, a, b)
        if side and len(side) > 3 and bond.GetBondType() == Chem.BondType.SINGLE:
            x[side] = turned(x[side], x[a], x[b] - x[a], math.radians(dice.uniform(20, 340)))
            return x
    return None


def noise(mol, x, dice):
    size = dice.uniform(0.05, 0.4)
    return x + numpy.array([[dice.gauss(0, size) for _ in range(3)] for _ in x])


def shift(mol, x, dice):
    return x + unit(numpy.array([dice.gauss(0, 1) for _ in range(3)])) * dice.choice((0.4, 0.7, 1.0, 1.5, 2.5, 4.0, 60.0))


DISTORTIONS = (stretch, bend, pucker, flatten, twist, invert, mirror, fold, noise, shift)


def distorted(mol, kind, dice):
    x = kind(mol, mol.GetConformer().GetPositions().copy(), dice)
    if x is None:
        return None
    copy = Chem.Mol(mol)
    for k, place in enumerate(x):
        copy.GetConformer().SetAtomPosition(k, [float(value) for value in place])
    return copy


# --- receptors --------------------------------------------------------------------------------------------

def atom_line(number, name, residue, kind, x):
    return (f"HETATM{number:5d}  {name:<3s} {residue:>3s} Z{number % 10000:4d}    {x[0]:8.3f}{x[1]:8.3f}{x[2]:8.3f}  1.00  0.00     0.000 {kind}")


def with_others(text, places, dice):
    """Waters, an ion and a sulfate between the pose and the receptor, some too close."""
    lines = [line for line in text.splitlines() if line.startswith(("ATOM", "HETATM"))]
    for k, (name, residue, kind, least, most) in enumerate((("O", "HOH", "OA", 2.0, 4.5), ("O", "HOH", "OA", 2.0, 4.5), ("ZN", "ZN", "Zn", 1.5, 4.0), ("S", "SO4", "S", 1.8, 5.0))):
        start = places[dice.randrange(len(places))]
        for _ in range(200):
            place = start + unit(numpy.array([dice.gauss(0, 1) for _ in range(3)])) * dice.uniform(least, most)
            if numpy.linalg.norm(places - place, axis=1).min() >= least:
                break
        lines.append(atom_line(9000 + k, name, residue, kind, place))
    return "\n".join(lines) + "\n"


def near(text, mols, reach=15.0):
    """The atoms near any of the docked poses; what is farther away takes PoseBusters most of its time."""
    places = numpy.concatenate([mol.GetConformer().GetPositions() for mol in mols])
    low, high = places.min(axis=0) - reach, places.max(axis=0) + reach
    kept = []
    for line in text.splitlines():
        if line.startswith(("ATOM", "HETATM")):
            x = numpy.array([float(line[30 + 8 * k:38 + 8 * k]) for k in range(3)])
            if (x >= low).all() and (x <= high).all() and numpy.linalg.norm(places - x, axis=1).min() <= reach:
                kept.append(line)
    return "\n".join(kept) + "\n"


def as_pdb(text):
    lines = []
    for line in text.splitlines():
        if line.startswith(("ATOM", "HETATM")):
            kind = line[77:].strip()
            lines.append(f"{line[:66]:<76s}{TYPES.get(kind, kind).upper():>2s}")
    return "\n".join(lines) + "\nEND\n"


# --- both programs ------------------------------------------------------------------------------------------

def ours(program, receptor, poses, reference, energy):
    command = [program, "score", "-r", receptor, "-l", poses, "--checks", "--reference", reference, "--json", "--ignore-docking",
               "--scoring", "vina", *(["--checks-energy"] if energy else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {row["pose"]: row["checks"] for row in found}, done.stderr


def theirs(receptor, poses, reference, energy):
    from posebusters import PoseBusters
    judge = PoseBusters("redock")
    if not energy:
        judge.config["modules"] = [module for module in judge.config["modules"] if module["name"] != ENERGY_MODULE]
    return judge.bust(poses, reference, receptor, full_report=True)


def write(path, mols):
    with Chem.SDWriter(str(path)) as out:
        for number, mol in enumerate(mols, 1):
            copy = Chem.Mol(mol)
            for name in copy.GetPropNames():
                copy.ClearProp(name)
            copy.SetProp("_Name", f"pose{number}")
            out.write(copy)


def compare(folder, options, index, differences):
    dice = random.Random(f"{options.seed} {folder.name}")
    [source] = sorted(folder.glob("*.sdf"))
    mols = list(Chem.SDMolSupplier(str(source), removeHs=False))[:options.docked]
    kinds = ["docked"] * len(mols)
    for k in range(options.distorted):
        kind = DISTORTIONS[(options.distorted * index + k) % len(DISTORTIONS)]
        made = distorted(mols[k % len(kinds[:options.docked])], kind, dice)
        if made is not None:
            mols.append(made)
            kinds.append(kind.__name__)
    text = near((folder / "receptor.pdbqt").read_text(encoding="utf-8"), mols[:options.docked])
    if index % 2 == 1:
        text = with_others(text, mols[0].GetConformer().GetPositions(), dice)
    table = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        (place / "receptor.pdbqt").write_text(text, encoding="utf-8")
        (place / "receptor.pdb").write_text(as_pdb(text), encoding="utf-8")
        write(place / "poses.sdf", mols)
        write(place / "reference.sdf", mols[:1])
        energy = not options.without_energy
        mine, said = ours(options.program, place / "receptor.pdbqt", place / "poses.sdf", place / "reference.sdf", energy)
        other = theirs(place / "receptor.pdb", place / "poses.sdf", place / "reference.sdf", energy)
    for k, kind in enumerate(kinds):
        if k + 1 not in mine:
            table["refused"][kind] += 1
            differences.append({"folder": folder.name, "pose": k + 1, "kind": kind, "refused": said[-300:]})
            continue
        for name, column in NAMES.items():
            if column not in other.columns:
                continue
            verdict = other[column].iloc[k]
            if verdict != verdict or verdict is None: # NaN: not tested
                table[name]["untested"] += 1
                continue
            fails, others = name in mine[k + 1]["failed"], not bool(verdict)
            table[name]["poses"] += 1
            table[name]["equal"] += fails == others
            table[name]["fail"] += others
            table[name]["only_berth"] += fails and not others
            table[name]["only_posebusters"] += others and not fails
            if fails != others:
                differences.append({"folder": folder.name, "pose": k + 1, "kind": kind, "test": name,
                                    "berth": mine[k + 1]["values"][name], "fails": fails})
    return table, len([k for k in kinds if k == "docked"]), len([k for k in kinds if k != "docked"])


def main():
    command = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("--program", required=True)
    command.add_argument("folders", nargs="+", type=pathlib.Path)
    command.add_argument("--docked", type=int, default=9, help="poses of each folder, at most [9]")
    command.add_argument("--distorted", type=int, default=6, help="distorted copies per folder [6]")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--first", type=int, default=0, help="number of the first folder, where several runs share the work [0]")
    command.add_argument("--without-energy", action="store_true", help="leave out the internal energy, the slow part")
    command.add_argument("--json", type=pathlib.Path, help="write counts and differences to this file")
    options = command.parse_args()
    RDLogger.DisableLog("rdApp.*")
    total, differences, docked, made = collections.defaultdict(collections.Counter), [], 0, 0
    for index, folder in enumerate(options.folders, options.first):
        table, n_docked, n_made = compare(folder, options, index, differences)
        docked, made = docked + n_docked, made + n_made
        for name, counts in table.items():
            total[name].update(counts)
        print(f"{index + 1 - options.first}/{len(options.folders)} {folder.name}: {len(differences)} differences so far", file=sys.stderr)
        if options.json:
            options.json.write_text(json.dumps({"docked": docked, "distorted": made, "complexes": index + 1 - options.first, "tests": total,
                                                "differences": differences}, indent=1) + "\n", encoding="utf-8")
    print(f"{docked} docked poses, {made} distorted ones of {len(options.folders)} complexes")
    print(f"{'test':28s} {'poses':>6s} {'fail':>6s} {'equal':>6s} {'%':>7s} {'only Berth':>11s} {'only PoseBusters':>17s}")
    for name in NAMES:
        c = total[name]
        if c["poses"]:
            print(f"{name:28s} {c['poses']:6d} {c['fail']:6d} {c['equal']:6d} {100 * c['equal'] / c['poses']:7.2f} {c['only_berth']:11d} {c['only_posebusters']:17d}")
    if total["refused"]:
        print(f"refused by Berth: {dict(total['refused'])}")


if __name__ == "__main__":
    main()
