#!/usr/bin/env python3
"""Writes data/residues/templates.csv and atoms.csv: the residues known to `berth prep receptor`.

    python3 -m venv venv && venv/bin/pip install rdkit
    venv/bin/python tools/residues.py [output folder]

components.csv, which tools/components.py makes from the wwPDB's chemical component dictionary, has the free molecules and
the rarer amino acids. Any other residue is defined here as SMILES with a name for each heavy atom. Each is built once for
every place in a chain, padded with atoms of its neighbors. RDKit gives charges (Gasteiger) and rings; types, merging of non-polar hydrogens and rotatable bonds
follow the rules that docs/preparation.md states for ligands. Charges of a residue are rounded to three decimals and sum
to its formal charge: the remainder of rounding and padding is distributed in proportion to |charge|.

templates.csv: template, residue family, place in the chain, class, formal charge, what it is (may have commas).
  place: inner; first and last (charged ends of a protein, or 5' OH and 3' OH of a nucleic acid); both; first-neutral and
  last-neutral (NH2 and COOH); first-phosphate (5' phosphate); single (no chain).
atoms.csv: template, atom, element, type, charge, planar (1: sp2), bonds to atoms above; `*` marks a rotatable bond.
"""
import csv
import os
import sys

from rdkit import Chem, RDLogger
from rdkit.Chem import AllChem

TYPES = [  # the last match is used
    ("[#1]", "H"), ("[#1][#7,#8,#9,#15,#16]", "HD"), ("[#5]", "B"), ("[C]", "C"), ("[c]", "A"), ("[#7]", "NA"),
    ("[#8]", "OA"), ("[#9]", "F"), ("[#12]", "Mg"), ("[#14]", "Si"), ("[#15]", "P"), ("[#16]", "S"), ("[#17]", "Cl"),
    ("[#20]", "Ca"), ("[#25]", "Mn"), ("[#26]", "Fe"), ("[#30]", "Zn"), ("[#35]", "Br"), ("[#53]", "I"),
    ("[#7X3v3][a]", "N"), ("[#7X3v3][#6X3v4]", "N"), ("[#7+1]", "N"), ("[SX2]", "SA"), ("[Se]", "SA"),
    ("[As]", "P")]
TYPES = [(Chem.MolFromSmarts(smarts), name) for smarts, name in TYPES]
AMIDE = Chem.MolFromSmarts("[NX3]-[CX3]=[O,N,S]")

# Side chains: SMILES after the alpha carbon, names of its heavy atoms. {1} stands for the ring closure of proline's N.
SIDES = {
    "ALA": ("C", "CB"), "ARG": ("CCCNC(N)=[NH2+]", "CB CG CD NE CZ NH1 NH2"), "ASN": ("CC(=O)N", "CB CG OD1 ND2"),
    "ASP": ("CC(=O)[O-]", "CB CG OD1 OD2"), "ASH": ("CC(=O)O", "CB CG OD1 OD2"), "CYS": ("CS", "CB SG"),
    "CYX": ("CSSC", "CB SG - -"), "CYM": ("C[S-]", "CB SG"), "GLN": ("CCC(=O)N", "CB CG CD OE1 NE2"),
    "GLU": ("CCC(=O)[O-]", "CB CG CD OE1 OE2"), "GLH": ("CCC(=O)O", "CB CG CD OE1 OE2"), "GLY": ("", ""),
    "HID": ("Cc1[nH]cnc1", "CB CG ND1 CE1 NE2 CD2"), "HIE": ("Cc1nc[nH]c1", "CB CG ND1 CE1 NE2 CD2"),
    "HIP": ("Cc1[nH]c[nH+]c1", "CB CG ND1 CE1 NE2 CD2"), "ILE": ("C(CC)C", "CB CG1 CD1 CG2"),
    "LEU": ("CC(C)C", "CB CG CD1 CD2"), "LYS": ("CCCC[NH3+]", "CB CG CD CE NZ"), "LYN": ("CCCCN", "CB CG CD CE NZ"),
    "MET": ("CCSC", "CB CG SD CE"), "PHE": ("Cc1ccccc1", "CB CG CD1 CE1 CZ CE2 CD2"), "PRO": ("CCC{1}", "CB CG CD"),
    "SER": ("CO", "CB OG"), "THR": ("C(O)C", "CB OG1 CG2"),
    "TRP": ("Cc1c[nH]c2ccccc12", "CB CG CD1 NE1 CE2 CZ2 CH2 CZ3 CE3 CD2"),
    "TYR": ("Cc1ccc(O)cc1", "CB CG CD1 CE1 CZ OH CE2 CD2"), "TYM": ("Cc1ccc([O-])cc1", "CB CG CD1 CE1 CZ OH CE2 CD2"),
    "VAL": ("C(C)C", "CB CG1 CG2"),
}
# Residues that were modified after translation or in the laboratory.
MODIFIED = {
    "MSE": ("CC[Se]C", "CB CG SE CE"), "SEC": ("C[SeH]", "CB SE"), "HYP": ("CC(O)C{1}", "CB CG OD1 CD"),
    "SEP": ("COP(=O)([O-])[O-]", "CB OG P O1P O2P O3P"), "TPO": ("C(OP(=O)([O-])[O-])C", "CB OG1 P O1P O2P O3P CG2"),
    "PTR": ("Cc1ccc(OP(=O)([O-])[O-])cc1", "CB CG CD1 CE1 CZ OH P O1P O2P O3P CE2 CD2"),
    "TYS": ("Cc1ccc(OS(=O)(=O)[O-])cc1", "CB CG CD1 CE1 CZ OH S O1 O2 O3 CE2 CD2"),
    "CSO": ("CSO", "CB SG OD"), "CSD": ("CS(=O)[O-]", "CB SG OD1 OD2"), "OCS": ("CS(=O)(=O)[O-]", "CB SG OD1 OD2 OD3"),
    "CME": ("CSSCCO", "CB SG SD CE CZ OH"), "SMC": ("CSC", "CB SG CS"), "CSS": ("CSS", "CB SG SD"),
    "MLZ": ("CCCC[NH2+]C", "CB CG CD CE NZ CM"), "MLY": ("CCCC[NH+](C)C", "CB CG CD CE NZ CH1 CH2"),
    "M3L": ("CCCC[N+](C)(C)C", "CB CG CD CE NZ CM1 CM2 CM3"), "ALY": ("CCCCNC(=O)C", "CB CG CD CE NZ CH OH CH3"),
    "KCX": ("CCCCNC(=O)[O-]", "CB CG CD CE NZ CX OQ1 OQ2"),
    "LLP": ("CCCC[NH+]=Cc1c(COP(=O)([O-])[O-])cnc(C)c1[O-]",
            "CB CG CD CE NZ C4' C4 C5 C5' OP4 P OP1 OP2 OP3 C6 N1 C2 C2' C3 O3"),
    "CGU": ("CC(C(=O)[O-])C(=O)[O-]", "CB CG CD1 OE11 OE12 CD2 OE21 OE22"),
    "NLE": ("CCCC", "CB CG CD CE"), "NVA": ("CCC", "CB CG CD"),
    "ABA": ("CC", "CB CG"), "ORN": ("CCC[NH3+]", "CB CG CD NE"), "DAB": ("CC[NH3+]", "CB CG ND"),
    "MEN": ("CC(=O)NC", "CB CG OD1 ND2 CE2"), "MHO": ("CCS(=O)C", "CB CG SD OD1 CE"),
    "OMT": ("CCS(=O)(=O)C", "CB CG SD OD1 OD2 CE"), "PHI": ("Cc1ccc(I)cc1", "CB CG CD1 CE1 CZ I CE2 CD2"),
}
# (N token, backbone carbonyl tail, padding before, padding after) for each place; charges follow from the SMILES.
PLACES = {
    "inner": ("CC(=O)N", "- - - N", "C(=O)NC", "C O - -"), "first": ("[NH3+]", "N", "C(=O)NC", "C O - -"),
    "last": ("CC(=O)N", "- - - N", "C(=O)[O-]", "C O OXT"), "both": ("[NH3+]", "N", "C(=O)[O-]", "C O OXT"),
    "first-neutral": ("N", "N", "C(=O)NC", "C O - -"), "last-neutral": ("CC(=O)N", "- - - N", "C(=O)O", "C O OXT"),
}
BASES = {  # SMILES that begins with the atom bonded to C1', and names in its order
    "A": ("n1cnc2c1ncnc2N", "N9 C8 N7 C5 C4 N3 C2 N1 C6 N6"), "G": ("n1cnc2c1nc(N)[nH]c2=O", "N9 C8 N7 C5 C4 N3 C2 N2 N1 C6 O6"),
    "C": ("n1ccc(N)nc1=O", "N1 C6 C5 C4 N4 N3 C2 O2"), "U": ("n1ccc(=O)[nH]c1=O", "N1 C6 C5 C4 O4 N3 C2 O2"),
    "T": ("n1cc(C)c(=O)[nH]c1=O", "N1 C6 C5 C7 C4 O4 N3 C2 O2"), "I": ("n1cnc2c1nc[nH]c2=O", "N9 C8 N7 C5 C4 N3 C2 N1 C6 O6"),
    "PSU": ("c1c[nH]c(=O)[nH]c1=O", "C5 C6 N1 C2 O2 N3 C4 O4"), "5MC": ("n1cc(C)c(N)nc1=O", "N1 C6 C5 CM5 C4 N4 N3 C2 O2"),
    "5CM": ("n1cc(C)c(N)nc1=O", "N1 C6 C5 C5A C4 N4 N3 C2 O2"),
    "5MU": ("n1cc(C)c(=O)[nH]c1=O", "N1 C6 C5 C5M C4 O4 N3 C2 O2"), "H2U": ("N1CCC(=O)NC1=O", "N1 C6 C5 C4 O4 N3 C2 O2"),
    "2MG": ("n1cnc2c1nc(NC)[nH]c2=O", "N9 C8 N7 C5 C4 N3 C2 N2 CM2 N1 C6 O6"),
    "M2G": ("n1cnc2c1nc(N(C)C)[nH]c2=O", "N9 C8 N7 C5 C4 N3 C2 N2 CM1 CM2 N1 C6 O6"),
    "7MG": ("n1c[n+](C)c2c1nc(N)[nH]c2=O", "N9 C8 N7 CM7 C5 C4 N3 C2 N2 N1 C6 O6"),
    "1MA": ("n1cnc2c1ncn(C)c2=N", "N9 C8 N7 C5 C4 N3 C2 N1 CM1 C6 N6"),
    "5BU": ("n1cc(Br)c(=O)[nH]c1=O", "N1 C6 C5 BR C4 O4 N3 C2 O2"), "8OG": ("n1c(=O)[nH]c2c1nc(N)[nH]c2=O", "N9 C8 O8 N7 C5 C4 N3 C2 N2 N1 C6 O6"),
    "6MA": ("n1cnc2c1ncnc2NC", "N9 C8 N7 C5 C4 N3 C2 N1 C6 N6 C1"), "BRU": ("n1cc(Br)c(=O)[nH]c1=O", "N1 C6 C5 BR C4 O4 N3 C2 O2"),
}
METHYL = {"OMC": "CM2", "OMG": "CM2", "OMU": "CM2", "A2M": "CM'"}  # at O2'
# residue: (base, has O2', methylated O2')
NUCLEIC = {"A": ("A", 1, 0), "G": ("G", 1, 0), "C": ("C", 1, 0), "U": ("U", 1, 0), "I": ("I", 1, 0), "DA": ("A", 0, 0),
           "DG": ("G", 0, 0), "DC": ("C", 0, 0), "DT": ("T", 0, 0), "DU": ("U", 0, 0), "DI": ("I", 0, 0),
           "PSU": ("PSU", 1, 0), "5MC": ("5MC", 1, 0), "5MU": ("5MU", 1, 0), "H2U": ("H2U", 1, 0),
           "2MG": ("2MG", 1, 0), "M2G": ("M2G", 1, 0), "7MG": ("7MG", 1, 0), "1MA": ("1MA", 1, 0),
           "OMC": ("C", 1, 1), "OMG": ("G", 1, 1), "OMU": ("U", 1, 1), "A2M": ("A", 1, 1), "5BU": ("5BU", 1, 0),
           "5CM": ("5CM", 0, 0), "8OG": ("8OG", 0, 0), "BRU": ("BRU", 0, 0)}
# Free molecules that are not from the dictionary: class, SMILES, names.
SINGLES = {
    "HOH": ("water", "O", "O"), "NH4": ("ion", "[NH4+]", "N"), "PO4": ("additive", "P(=O)(O)([O-])[O-]", "P O1 O2 O3 O4"),
    "ACE": ("cap", "C(=O)(C)NC", "C O CH3 - -"), "NME": ("cap", "CC(=O)NC", "- - - N C"),
    "NH2": ("cap", "CC(=O)N", "- - - N"), "FOR": ("cap", "C(=O)NC", "C O - -"),
}
# Inorganic clusters and analogues of phosphate in transition states: class, title, atoms with element and charge. Charges
# are declared, not computed: sulfide -0.4, fluoride -0.5, oxide -0.8; the metal has the rest of the charge of the oxidised cluster.
INORGANIC = {
    "FES": ("cofactor", "[2Fe-2S] cluster (2+)", {"FE1": "Fe 1.4", "FE2": "Fe 1.4", "S1": "S -0.4", "S2": "S -0.4"}),
    "F3S": ("cofactor", "[3Fe-4S] cluster (1+)",
            {"FE1": "Fe 0.867", "FE3": "Fe 0.867", "FE4": "Fe 0.866", "S1": "S -0.4", "S2": "S -0.4", "S3": "S -0.4",
             "S4": "S -0.4"}),
    "SF4": ("cofactor", "[4Fe-4S] cluster (2+)",
            {"FE1": "Fe 0.9", "FE2": "Fe 0.9", "FE3": "Fe 0.9", "FE4": "Fe 0.9", "S1": "S -0.4", "S2": "S -0.4",
             "S3": "S -0.4", "S4": "S -0.4"}),
    "VO4": ("cofactor", "vanadate (3-)", {"V": "V 0.2", "O1": "O -0.8", "O2": "O -0.8", "O3": "O -0.8", "O4": "O -0.8"}),
    "BEF": ("cofactor", "trifluoroberyllate (1-)", {"BE": "Be 0.5", "F1": "F -0.5", "F2": "F -0.5", "F3": "F -0.5"}),
    "MGF": ("cofactor", "trifluoromagnesate (1-)", {"MG": "Mg 0.5", "F1": "F -0.5", "F2": "F -0.5", "F3": "F -0.5"}),
    "CMO": ("additive", "carbon monoxide", {"C": "C 0.0", "O": "O 0.0"}), "NO": ("additive", "nitric oxide", {"N": "N 0.0", "O": "O 0.0"}),
    "AF3": ("cofactor", "aluminium fluoride", {"AL": "Al 1.5", "F1": "F -0.5", "F2": "F -0.5", "F3": "F -0.5"}),
    "ALF": ("cofactor", "tetrafluoroaluminate (1-)",
            {"AL": "Al 1.0", "F1": "F -0.5", "F2": "F -0.5", "F3": "F -0.5", "F4": "F -0.5"}),
}
IONS = {"MG": ("Mg", 2, "Mg"), "MN": ("Mn", 2, "Mn"), "ZN": ("Zn", 2, "Zn"), "CA": ("Ca", 2, "Ca"), "FE": ("Fe", 3, "Fe"),
        "FE2": ("Fe", 2, "Fe"), "CL": ("Cl", -1, "Cl"), "BR": ("Br", -1, "Br"), "IOD": ("I", -1, "I"), "F": ("F", -1, "F")}
# Ions without parameters in AutoDock 4's table: element and charge. Parameters of another element are substituted
# (data/forcefield/ad4-stand-ins.csv, which also applies to PDBQT receptors); manganese(III) has those of manganese(II).
STAND_INS = {"NA": ("Na", 1), "K": ("K", 1), "CO": ("Co", 2), "NI": ("Ni", 2), "CU": ("Cu", 2), "CU1": ("Cu", 1),
             "CD": ("Cd", 2), "HG": ("Hg", 2), "LI": ("Li", 1), "SR": ("Sr", 2), "BA": ("Ba", 2), "CS": ("Cs", 1),
             "RB": ("Rb", 1), "3CO": ("Co", 3), "MN3": ("Mn", 3)}
HYDROGENS = {("LYN", "NZ"): ["HZ2", "HZ3"], ("HOH", "O"): ["H1", "H2"]}


def sugar(base, names, ribose, methyl, place):
    """A nucleotide; phosphate P, OP1, OP2 belong to the residue, O3' of the previous one is padding."""
    five, five_names = {"inner": ("COP(=O)([O-])OC", "- - P OP1 OP2 O5' C5'"), "first": ("OC", "O5' C5'"),
                        "last": ("COP(=O)([O-])OC", "- - P OP1 OP2 O5' C5'"), "both": ("OC", "O5' C5'"),
                        "first-phosphate": ("[O-]P(=O)([O-])OC", "OP3 P OP1 OP2 O5' C5'")}[place]
    three, three_names = ("O", "O3'") if place in ("last", "both") else ("OP(=O)([O-])OC", "O3' - - - - -")
    two, two_names = ("(OC)", "O2' " + methyl) if methyl else ("(O)", "O2'") if ribose else ("", "")
    ring = base.replace("2", "8").replace("1", "9")
    smiles = f"{five}C1OC({ring})C{two}C1{three}"
    return smiles, f"{five_names} C4' O4' C1' {names} C2' {two_names} C3' {three_names}".split()


def amino(name, side, names, place):
    """An amino acid at a place; glycine has no side chain, proline's closes a ring with N."""
    head, head_names, tail, tail_names = PLACES[place]
    ring = "{1}" in side
    side = side.replace("{1}", "9").replace("1", "7") if ring else side
    if ring:
        head = {"CC(=O)N": "CC(=O)N9", "[NH3+]": "[NH2+]9", "N": "N9"}[head]
    carbon = f"C({side})" if side else "C"
    return head + carbon + tail, f"{head_names} CA {names} {tail_names}".split()


def share(charges, total):
    """Three decimals that sum to total; the remainder is distributed by |charge|, largest remainders first."""
    rounded = [round(1000 * q) for q in charges]
    over = 1000 * total - sum(rounded)
    weight = sum(abs(q) for q in charges) or 1.0
    parts = [abs(q) / weight * abs(over) for q in charges]
    steps = [int(part) for part in parts]
    for i in sorted(range(len(parts)), key=lambda k: steps[k] - parts[k])[:abs(over) - sum(steps)]:
        steps[i] += 1
    sign = 1 if over > 0 else -1
    return [(q + sign * step) / 1000 for q, step in zip(rounded, steps)]


def hydrogen_names(residue, parent, count, nucleic, known):
    if count and len(known.get(parent, ())) == count:
        return known[parent]
    if (residue, parent) in HYDROGENS:
        return HYDROGENS[residue, parent]
    stem = "HO" + parent[1:] if nucleic and "'" in parent else "H" + parent[1:]
    return [stem] if count == 1 else [(stem + str(k + 1))[:4] for k in range(count)]


def perceive(molecule):
    """The molecule with hydrogens, its AutoDock types, and its Gasteiger charges."""
    heavy = molecule.GetNumAtoms()
    molecule = Chem.AddHs(molecule)
    types = {}
    for pattern, name in TYPES:
        for match in molecule.GetSubstructMatches(pattern, maxMatches=10000):
            types[match[0]] = name
    model = Chem.RWMol(molecule)
    for atom in model.GetAtoms():  # the method has no parameters for selenium and arsenic
        atom.SetAtomicNum({34: 16, 33: 15}.get(atom.GetAtomicNum(), atom.GetAtomicNum()))
    AllChem.ComputeGasteigerCharges(model)
    return molecule, heavy, types, [atom.GetDoubleProp("_GasteigerCharge") for atom in model.GetAtoms()]


def rotatable(molecule, types):
    """Pairs of atoms with a rotatable bond."""
    stiff = {frozenset(match[:2]) for match in molecule.GetSubstructMatches(AMIDE)}
    pairs = set()
    for bond in molecule.GetBonds():
        ends = bond.GetBeginAtom(), bond.GetEndAtom()
        kept = [sum(types[n.GetIdx()] != "H" for n in end.GetNeighbors()) for end in ends]
        pair = frozenset(end.GetIdx() for end in ends)
        if bond.GetBondType() == Chem.BondType.SINGLE and not bond.IsInRing() and min(kept) > 1 and pair not in stiff:
            pairs.add(pair)
    return pairs


def template(title, residue, drawn, names, nucleic=False, known={}):
    """Rows of atoms.csv, and the formal charge. known: names of the hydrogens of an atom."""
    smiles = drawn if isinstance(drawn, str) else Chem.MolToSmiles(drawn)
    molecule, heavy, types, charges = perceive(Chem.MolFromSmiles(drawn) if isinstance(drawn, str) else drawn)
    if any(charge != charge for charge in charges):
        raise SystemExit(f"{title}: no charges for {smiles}")
    if heavy != len(names):
        raise SystemExit(f"{title}: {heavy} atoms in {smiles}, but {len(names)} names")
    turning = rotatable(molecule, types)
    kept, total = [], 0
    for i, name in enumerate(names):
        if name == "-":
            continue
        atom = molecule.GetAtomWithIdx(i)
        if atom.GetSymbol().upper()[:1] != name.lstrip("0123456789")[0]:
            raise SystemExit(f"{title}: {name} is drawn as {atom.GetSymbol()} in {smiles}")
        total += atom.GetFormalCharge()
        polar = [h.GetIdx() for h in atom.GetNeighbors() if types[h.GetIdx()] == "HD"]
        merged = sum(charges[h.GetIdx()] for h in atom.GetNeighbors() if types[h.GetIdx()] == "H")
        planar = int(atom.GetHybridization() == Chem.HybridizationType.SP2)
        kept.append([name, atom.GetSymbol(), types[i], charges[i] + merged, planar, i])
        taken = {row[0] for row in kept} | set(names)
        for h, h_name in zip(polar, hydrogen_names(residue, name, len(polar), nucleic, known)):
            number = 1
            while h_name in taken:  # duplicate names
                h_name, number = f"H{number}", number + 1
            taken.add(h_name)
            kept.append([h_name, "H", "HD", charges[h], 0, h])
    where = {row[5]: row[0] for row in kept}
    if len(set(where.values())) != len(kept):
        raise SystemExit(f"{title}: a name twice in {sorted(where.values())}")
    rows, seen = [], set()
    for row, charge in zip(kept, share([row[3] for row in kept], total)):
        bonds = []
        for other in molecule.GetAtomWithIdx(row[5]).GetNeighbors():
            if other.GetIdx() in seen:
                star = "*" if frozenset((row[5], other.GetIdx())) in turning else ""
                bonds.append(where[other.GetIdx()] + star)
        seen.add(row[5])
        rows.append([title, row[0], row[1], row[2], f"{charge:.3f}", row[4], " ".join(bonds)])
    return rows, total


def in_chain(molecule, names, place):
    """A free amino acid of the dictionary at a place of a chain: molecule and names; None: it has no such place."""
    molecule, names = Chem.RWMol(molecule), list(names)
    where = {name: i for i, name in enumerate(names)}

    def add(symbol, to, order=Chem.BondType.SINGLE):
        names.append("-")
        new = molecule.AddAtom(Chem.Atom(symbol))
        molecule.AddBond(to, new, order)
        return new

    nitrogen = molecule.GetAtomWithIdx(where["N"])
    acylated = any(n.GetIsAromatic() or n.GetSymbol() == "C" and any(
        b.GetBondType() == Chem.BondType.DOUBLE for b in n.GetBonds()) for n in nitrogen.GetNeighbors() if
        names[n.GetIdx()] != "CA")
    if place == "first" and acylated:
        return None
    if place in ("inner", "last") and not acylated:
        nitrogen.SetFormalCharge(0)
        nitrogen.SetNoImplicit(False)
        nitrogen.SetNumExplicitHs(0)
        carbonyl = add("C", where["N"])
        add("O", carbonyl, Chem.BondType.DOUBLE)
        add("C", carbonyl)
    if place in ("inner", "first"):  # OXT becomes the next residue's nitrogen
        end = molecule.GetAtomWithIdx(where["OXT"])
        end.SetAtomicNum(7)
        end.SetFormalCharge(0)
        end.SetNoImplicit(False)
        names[where["OXT"]] = "-"
        add("C", where["OXT"])
    Chem.SanitizeMol(molecule)
    return molecule.GetMol(), names


def bind_metals(rows, metals, types):
    """Replaces a metal by hydrogens on its donors, so that charges spread as in a neutral ring; the metal has none."""
    donors = {name for near in metals.values() for name in near}
    merged = {row[6]: float(row[4]) for row in rows if row[2] == "H" and row[6] in donors}
    for row in rows:
        if row[1] in donors and row[2] == "N":
            row[3], row[4] = "N", f"{float(row[4]) + merged.get(row[1], 0):.3f}"
    kept = [row for row in rows if not (row[2] == "H" and row[6] in donors)]
    for name in metals:
        symbol = name.capitalize()
        kept.append([rows[0][0], name, symbol, types.get(symbol, symbol), "0.000", 0, ""])
    return kept


def by_name(words):
    """`N6A=H61A/H62A ...` as a dictionary."""
    return {word.split("=")[0]: word.split("=")[1].split("/") for word in words.split()}


def main():
    RDLogger.DisableLog("rdApp.*")
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(top, "data", "residues")
    with open(os.path.join(top, "data", "forcefield", "ad4-stand-ins.csv"), encoding="ascii", newline="") as stream:
        types = {row["element"]: row["type"] for row in csv.DictReader(stream)}
    with open(os.path.join(top, "data", "residues", "components.csv"), encoding="ascii", newline="") as stream:
        components = {row["component"]: row for row in csv.DictReader(stream)}
    heads, atoms = [], []

    def add(title, residue, place, kind, drawn, names, nucleic=False, known={}):
        rows, total = template(title, residue, drawn, names, nucleic, known)
        heads.append([title, residue, place, kind, total, components[residue]["title"] if residue in components else ""])
        atoms.extend(rows)

    short = {"inner": "", "first": ".N", "last": ".C", "both": ".NC", "first-neutral": ".N0", "last-neutral": ".C0",
             "first-phosphate": ".5P"}
    for kind, table in (("amino", SIDES), ("amino", MODIFIED)):
        for residue, drawn in table.items():
            for place in PLACES:
                if table is MODIFIED and place in ("both", "first-neutral", "last-neutral"):
                    continue
                add(residue + short[place], residue, place, kind, *amino(residue, *drawn, place))
    for place in ("inner", "last"):  # pyroglutamate can only begin a chain
        tail, tail_names = PLACES[place][2:]
        add("PCA" + short[place], "PCA", place, "amino", "N9C(CCC9=O)" + tail, f"N CA CB CG CD OE {tail_names}".split())
    for residue, row in components.items():
        if row["class"] != "amino" or residue in MODIFIED or residue == "PCA":
            continue
        known = by_name(row["hydrogens"])
        known.pop("N", None)
        for place in ("inner", "first", "last"):
            made = in_chain(Chem.MolFromSmiles(row["smiles"]), row["names"].split(), place)
            if made is not None:
                add(residue + short[place], residue, place, "amino", *made, False, known)
    for residue, (base, ribose, methyl) in NUCLEIC.items():
        for place in ("inner", "first", "first-phosphate", "last", "both"):
            suffix = {"first": ".5", "last": ".3", "both": ".53"}.get(place, short[place])
            smiles, names = sugar(*BASES[base], ribose, METHYL.get(residue, "") if methyl else "", place)
            add(residue + suffix, residue, place, "nucleic", smiles, names, True)
    for residue, (kind, smiles, names) in SINGLES.items():
        add(residue, residue, "inner" if kind == "cap" else "single", kind, smiles, names.split())
    for residue, row in components.items():
        if row["class"] == "amino":
            continue
        first = len(atoms)
        add(residue, residue, "single", row["class"], row["smiles"], row["names"].split(), "'" in row["names"],
            by_name(row["hydrogens"]))
        atoms[first:] = bind_metals(atoms[first:], by_name(row["metal"]), types)
    for residue, (kind, title, made) in INORGANIC.items():
        split = {name: words.split() for name, words in made.items()}
        heads.append([residue, residue, "single", kind, round(sum(float(charge) for _, charge in split.values())), title])
        for name, (element, charge) in split.items():
            ad4 = {"S": "SA", "O": "OA", "N": "NA"}.get(element, types.get(element, element))
            atoms.append([residue, name, element, ad4, f"{float(charge):.3f}", 0, ""])
    stand_ins = {residue: (element, charge, types.get(element, element)) for residue, (element, charge) in STAND_INS.items()}
    for table, kind in ((IONS, "ion"), (stand_ins, "stand-in")):
        for residue, (element, charge, ad4) in table.items():
            heads.append([residue, residue, "single", kind, charge, ""])
            atoms.append([residue, {"FE2": "FE", "IOD": "I", "CU1": "CU", "3CO": "CO", "MN3": "MN"}.get(residue, residue), element, ad4,
                          f"{charge:.3f}", 0, ""])
    os.makedirs(folder, exist_ok=True)
    for name, titles, rows in (("templates.csv", ["template", "family", "place", "class", "charge", "title"], heads),
                               ("atoms.csv", ["template", "atom", "element", "type", "charge", "planar", "bonds"], atoms)):
        with open(os.path.join(folder, name), "w", encoding="ascii") as stream:
            for row in [titles] + rows:
                stream.write(",".join(map(str, row)) + "\n")
    print(f"{len(heads)} templates of {len({head[1] for head in heads})} residues, {len(atoms)} atoms")


main()
