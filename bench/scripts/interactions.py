#!/usr/bin/env python3
"""Interactions of berth score --contacts against PLIP, type by type.

Complexes are folders with receptor.pdb and ligand_crystal.sdf (../shared/data: poses.tar.xz). Both programs get the
same atoms: receptor and ligand as `berth prep` writes them, with their hydrogens, which PLIP is told to keep. Around
the polar atoms of each ligand waters are placed at random, 2.6 to 3.2 A from one of them and not nearer than 2.6 A to
any other heavy atom. What is compared are pairs of residue and type.

  interactions.py --program build/release/bin/berth FOLDER... [--limit N] [--waters N] [--seed N] [--json FILE]

Needs RDKit and the packages plip 3.0.1, openbabel-wheel and lxml. Prints one line per type: pairs of both programs,
pairs of only one, and the share of both among all.
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

from rdkit import Chem, RDLogger

# letter -> name in JSON
TYPES = {"B": "directed_hydrogen_bond", "L": "hydrophobic", "S": "salt_bridge", "P": "pi_stacking", "C": "cation_pi",
         "X": "halogen_bond", "W": "water_bridge", "M": "metal_coordination"}
LETTERS = {name: letter for letter, name in TYPES.items()}


def run(*words):
    made = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600)
    if made.returncode != 0:
        raise RuntimeError(made.stderr.strip()[-300:])
    return made.stdout


def places(lines):
    return [tuple(float(line[k:k + 8]) for k in (30, 38, 46)) for line in lines if line.startswith(("ATOM", "HETATM"))
            and not line[12:16].strip().lstrip("0123456789").startswith("H")]


def waters(mol, taken, count, rng):
    """Places of oxygens around polar atoms."""
    x = mol.GetConformer().GetPositions()
    polar = [tuple(x[a.GetIdx()]) for a in mol.GetAtoms() if a.GetAtomicNum() in (7, 8)]
    heavy = taken + [tuple(x[a.GetIdx()]) for a in mol.GetAtoms() if a.GetAtomicNum() > 1]
    near = [p for p in heavy if any(math.dist(p, q) < 8 for q in polar)]
    made = []
    for _ in range(400 if polar else 0):
        if len(made) == count:
            break
        center, way = rng.choice(polar), [rng.gauss(0, 1) for _ in range(3)]
        length = math.hypot(*way)
        at = tuple(c + w / length * rng.uniform(2.6, 3.2) for c, w in zip(center, way))
        if all(math.dist(at, p) >= 2.6 for p in near + made):
            made.append(at)
    return made


def water_lines(made, kind):
    return [f"HETATM{90000 + k:5d}  O   HOH W{k + 1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00"
            + ("    -0.411 OA" if kind == "pdbqt" else "           O") for k, (x, y, z) in enumerate(made)]


def ours(program, folder):
    text = run(program, "score", "-r", folder / "site.pdbqt", "-l", folder / "lig.sdf", "--contacts", "--json")
    found = set()
    for c in json.loads(text.splitlines()[0])["contacts"]:
        if c["type"] in LETTERS and c["residue"] != "HOH":
            found.add((c["chain"] or " ", c["residue_number"], LETTERS[c["type"]]))
    return found


def residue_of(atom):
    residue = atom.OBAtom.GetResidue()
    return residue.GetChain(), residue.GetNum()


def residue_name(atom):
    residue = atom.OBAtom.GetResidue()
    return residue.GetName().strip() if residue else ""


def theirs(path, refined):
    from plip.basic import config
    from plip.structure import detection
    from plip.structure.preparation import PDBComplex
    config.NOHYDRO = config.NOFIX = True  # its repairs of files remove hydrogens
    complex_ = PDBComplex()
    complex_.load_pdb(str(path))
    site = next((name for name in (":".join((l.hetid, l.chain, str(l.position))) for l in complex_.ligands)
                 if name.startswith("LIG:Z")), None)
    if site is None:
        raise RuntimeError("PLIP does not see the ligand")
    ligand = next(l for l in complex_.ligands if ":".join((l.hetid, l.chain, str(l.position))) == site)
    complex_.characterize_complex(ligand)
    s = complex_.interaction_sets[site]
    found = set()

    def add(letter, items):
        found.update((i.reschain, i.resnr, letter) for i in items if i.restype != "HOH")

    add("B", s.hbonds_ldon + s.hbonds_pdon if refined else s.all_hbonds_ldon + s.all_hbonds_pdon)
    add("L", s.hydrophobic_contacts if refined else s.all_hydrophobic_contacts)
    add("S", s.saltbridge_lneg + s.saltbridge_pneg)
    add("P", s.pistacking)
    add("C", s.pication_laro + s.pication_paro if refined else s.all_pication_laro + s.all_pication_paro)
    add("X", s.halogen_bonds)
    own, other = s.ligand, s.bindingsite
    add("W", s.water_bridges if refined else detection.water_bridges(other.get_hba(), own.get_hba(), other.get_hbd(),
                                                                     own.get_hbd(), own.water))
    # it takes metals of the receptor for ligands of their own, so that only its binding atoms and its distance are used
    binding = [m.atom.coords for m in own.metal_binding if m.location == "ligand"]
    found.update((*residue_of(a), "M") for a in complex_.protcomplex.atoms if residue_name(a) in config.METAL_IONS
                 and any(math.dist(a.coords, b) < config.METAL_DIST_MAX for b in binding))
    return found


def compare(program, source, options, rng):
    """Both sets, of the complex in a folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(program, "prep", "receptor", "-r", source / "receptor.pdb", "-o", folder / "rec", "--pdb", "-q")
        run(program, "prep", "ligand", "-l", source / "ligand_crystal.sdf", "-o", folder / "lig.sdf", "-q")
        mol = next(iter(Chem.SDMolSupplier(str(folder / "lig.sdf"), removeHs=False)))
        pdb = [line for line in (folder / "rec.prepared.pdb").read_text().splitlines()
               if line.startswith(("ATOM", "HETATM", "TER"))]
        text = (folder / "rec.pdbqt").read_text().splitlines()
        made = waters(mol, places(text), options.waters, rng)
        (folder / "site.pdbqt").write_text("\n".join(text + water_lines(made, "pdbqt")) + "\n")
        for atom in mol.GetAtoms():
            atom.SetMonomerInfo(Chem.AtomPDBResidueInfo(f" {atom.GetSymbol():<3.3s}", 0, "", "LIG", 1, "Z",
                                                        isHeteroAtom=True))
        block = Chem.MolToPDBBlock(mol, flavor=4).splitlines()
        first = 80001
        atoms = [f"{line[:6]}{int(line[6:11]) + first - 1:5d}{line[11:]}" for line in block
                 if line.startswith("HETATM")]
        bonds = ["CONECT" + "".join(f"{int(line[k:k + 5]) + first - 1:5d}" for k in range(6, len(line.rstrip()), 5))
                 for line in block if line.startswith("CONECT")]
        (folder / "site.pdb").write_text("\n".join(pdb + atoms + water_lines(made, "pdb") + bonds + ["END"]) + "\n")
        return ours(program, folder), theirs(folder / "site.pdb", options.refined)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path, help="complexes, or folders of complexes")
    parser.add_argument("--program", default="berth")
    parser.add_argument("--limit", type=int, default=60, help="complexes")
    parser.add_argument("--waters", type=int, default=8, help="per complex")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--refined", action="store_true",
                        help="what PLIP reports, instead of all that meets its geometry")
    parser.add_argument("--list", action="store_true", help="also print the pairs of only one program")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")
    found = sorted(p for f in options.folders for p in ([f] if (f / "receptor.pdb").exists() else f.iterdir())
                   if (p / "ligand_crystal.sdf").exists())
    rng = random.Random(options.seed)
    counts = {letter: collections.Counter() for letter in TYPES}
    poses, failed = 0, []
    for source in found:
        if poses == options.limit:
            break
        try:
            a, b = compare(options.program, source, options, rng)
        except Exception as error:  # PLIP raises whatever it likes
            failed.append(source.name)
            print(f"{source.name}: left out: {error}", file=sys.stderr)
            continue
        poses += 1
        for chain, number, letter in a | b:
            side = "both" if (chain, number, letter) in a & b else "berth" if (chain, number, letter) in a else "plip"
            counts[letter][side] += 1
            if options.list and side != "both":
                print(f"{source.name} {letter} {chain}:{number} only {side}")
    print(f"{poses} poses, {len(failed)} left out")
    for letter, name in TYPES.items():
        c = counts[letter]
        total = sum(c.values())
        share = f"{100 * c['both'] / total:.1f} %" if total else "-"
        print(f"{letter} {name:24s} both {c['both']:4d}  only Berth {c['berth']:4d}  only PLIP {c['plip']:4d}  {share}")
    if options.json:
        options.json.write_text(json.dumps({"poses": poses, "left_out": failed, "types": counts}, indent=1) + "\n")


if __name__ == "__main__":
    main()
