#!/usr/bin/env python3
"""Writes data/residues/components.csv: molecules of the wwPDB's chemical component dictionary, for tools/residues.py.

    python3 -m venv venv && venv/bin/pip install rdkit biotite
    venv/bin/python tools/components.py            # writes the table
    venv/bin/python tools/components.py --check    # compares the names in atoms.csv with the dictionary's

The dictionary (https://www.wwpdb.org/data/ccd, CC0) has the atoms, atom names and bonds of each component; it comes with
the Python package biotite. Charges are those of the prevalent forms at pH 7.4: phosphates, sulfates and carboxylic acids
are deprotonated, aliphatic amines, amidines and guanidines protonated; of two amines that are two carbons apart, only the
first is.

components.csv: component, class, its formal charge, SMILES, names of the heavy atoms in the order of the SMILES, polar
hydrogens (`N6A=H61A/H62A`), metal (`FE=NA/NB/NC/ND`: bonded to these, not part of the SMILES), name.
"""
import csv
import os
import sys

from rdkit import Chem, RDLogger

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(TOP, "data", "residues")
COMPONENTS = {
    "cofactor": """
        ATP ADP AMP ANP ACP AGS APC ATM A3P PAP PPS ADN ADX ADE APR AR6 AP5 GTP GDP GNP GSP GCP G2P 5GP GMP GUN C2E
        CTP CDP C5P UTP UDP U5P URA TTP TYD TMP THM DTP DCP DGT DUT UMP CMP PCG IMP XMP NAD NAI NAP NDP NAJ NMN NCA
        FAD FDA FMN FNR RBF COA ACO MLC SCA CAA BCO DCC PNS SAM SAH SFG MTA UPG GDU UDX UD1 UD2 UGA GDD GFB PLP PMP
        PDP PLR TPP TZD HTL BTN LPA THF THG FFO C2F FOL DHF H4B HBI BIO GSH GDS GTX PQQ U10 UQ1 UQ2 UQ8 MQ7 PQN PL9
        CLA CHL BCL BPH PHO BCR RET HEM HEC HEA HEB DHE HAS SRM COH ZNH MNH B12 MGD MTE AKG OGA PYR PEP OXM G6P
        F6P FBP R5P 3PG 2PG 13P G3H PRP IPE DMA FPP GPP GRG ASC COM SPM SPD PUT H2S POP PPV DPO HCA MCN F42 IHP I3P 4IP ORO""",
    "lipid": """
        CLR Y01 CDL PEE PEF PGV PC1 PCW POV 3PE LHG LMG SQD DGD PLM MYR STE OLA DAO D10 D12 LFA""",
    "sugar": """
        NAG BMA FUC XYP SIA SLB BDP GCU GTR ADA IDS SGN UAP RAM AHR KDO GMH GCS PA1 NGS ASG FRU SUC TRE MAL LAT
        LBT CBI BM3 BEM SHB G2F BG6 M6P""",
    "additive": """
        SO4 NO3 ACT FMT GOL EDO PEG DMS BME IPA EOH MOH ACY TRS MPD MRD IMD AZI SCN CIT FLC MES EPE PG4 PGE 1PE
        P6G PG0 12P 15P P33 7PE 2PE XPE PE4 PE5 PGO PGR PDO MPO BTB B3P CAC TLA TAR MLI MLA SIN MLT NHE CXS BCT CO3
        DTT DTV DTU URE GAI CCN ACN DIO BU1 BU3 BUD HEZ TBU TFA BOG BNG LMT LDA C8E CE9 OLC OLB HTG HTO SDS PI 2HP
        OXL OXY CYN CO2 OH PEO NEH DXE HED GLV DOX""",
    "amino": """
        MSE SEC HYP SEP TPO PTR TYS CSO CSD OCS CME SMC CSS MLZ MLY M3L ALY KCX LLP CGU CIR NLE NVA ABA ORN DAB MEN
        MHO OMT PHI IYR AGM PCA SCY SNC CCS CSP YCM HIC MHS AIB DHA SAR MVA MLE NIY TPQ FME TRQ HTR LYR 2MR DA2 PHD NEP
        HPE 0AF CAS CAF TYI AME 3CF LED""",
}
STATES = "ASH CYX CYM GLH HID HIE HIP LYN TYM".split()  # the dictionary has other molecules with these names
SPECIAL = {"ASC": "O3"}  # other acids: the oxygen that is charged at pH 7.4
ENDS = {"OXT", "OP3"}  # of chains
METALS = {"FE", "MG", "CO", "ZN", "MN", "NI", "CU"}
ACIDS = [Chem.MolFromSmarts(s) for s in ("[OX2H1][P,As]=[O,S]", "[SX2H1]P=O", "[OX2H1][S](=O)", "[OX2H1][CX3]=[OX1]")]
KEPT = {"PI": 1, "2HP": 2, "BCT": 1, "POP": 1, "PPV": 1}  # number of acid protons that remain
AMINE = Chem.MolFromSmarts("[NX3;!$(N~[!#6;!#1]);!$(NC=[O,N,S]);!$(N-a);!$(NC=C);!$(N-C#N)]")
AMIDINE = Chem.MolFromSmarts("[NX2;!R;$(N=C([#6])[NX3]),$(N=C([NX3])[NX3]);!$(N[!#6;!#1])]=C")
ORDERS = {"SING": Chem.BondType.SINGLE, "DOUB": Chem.BondType.DOUBLE, "TRIP": Chem.BondType.TRIPLE}


class Dictionary:
    """Rows of the dictionary by component."""

    def __init__(self, wanted):
        import biotite.structure.info as info
        tables = info.get_ccd()
        known = tables["chem_comp"]
        self.names = dict(zip(known["id"].as_array(), known["name"].as_array()))
        self.atoms = self.rows(tables["chem_comp_atom"], wanted, ("atom_id", "type_symbol", "charge"))
        self.bonds = self.rows(tables["chem_comp_bond"], wanted, ("atom_id_1", "atom_id_2", "value_order"))

    @staticmethod
    def rows(table, wanted, columns):
        ids = table["comp_id"].as_array()
        columns = [table[column].as_array() for column in columns]
        found = {}
        for k, component in enumerate(ids):
            if component in wanted:
                found.setdefault(str(component), []).append([str(column[k]) for column in columns])
        return found

    def molecule(self, component):
        """The molecule as the dictionary draws it, hydrogens included, its atoms' names, and {metal: neighbors}."""
        molecule, index, metals = Chem.RWMol(), {}, {}
        for name, symbol, charge in self.atoms[component]:
            if symbol in METALS:
                metals[name] = []
                continue
            atom = Chem.Atom("H" if symbol == "D" else symbol.capitalize())
            atom.SetFormalCharge(int(charge))
            atom.SetProp("name", name)
            index[name] = molecule.AddAtom(atom)
        for one, two, order in self.bonds[component] if component in self.bonds else []:
            if one in metals or two in metals:
                metals[one if one in metals else two].append(two if one in metals else one)
            else:
                molecule.AddBond(index[one], index[two], ORDERS[order])
        for neighbors in metals.values():
            for name in neighbors:  # cations bound to the metal are neutral donors here
                molecule.GetAtomWithIdx(index[name]).SetFormalCharge(0)
        for atom in molecule.GetAtoms():
            atom.SetNoImplicit(not any(atom.GetProp("name") in names for names in metals.values()))
        return molecule, metals


def neutralize(component, molecule):
    """Purines that the dictionary draws as cations are neutral at pH 7.4; imidazole is one."""
    for match in molecule.GetSubstructMatches(Chem.MolFromSmarts("[nH+]")) if component != "IMD" else ():
        atom = molecule.GetAtomWithIdx(match[0])
        atom.SetFormalCharge(0)
        molecule.RemoveAtom(proton(molecule, atom))


def proton(molecule, atom):
    return next((n.GetIdx() for n in atom.GetNeighbors() if n.GetAtomicNum() == 1), None)


def ionize(component, molecule):
    """Charges at pH 7.4; removed protons are deleted at the end."""
    gone = set()
    sites = [match[0] for pattern in ACIDS for match in molecule.GetSubstructMatches(pattern)]
    sites += [atom.GetIdx() for atom in molecule.GetAtoms() if atom.GetProp("name") == SPECIAL.get(component)]
    for site in dict.fromkeys(sites[KEPT.get(component, 0):]):
        atom = molecule.GetAtomWithIdx(site)
        hydrogen = proton(molecule, atom)
        if hydrogen is not None and atom.GetFormalCharge() == 0 and hydrogen not in gone:
            atom.SetFormalCharge(-1)
            atom.SetNoImplicit(True)
            gone.add(hydrogen)
    charged = [a.GetIdx() for a in molecule.GetAtoms() if a.GetSymbol() == "N" and a.GetFormalCharge() > 0]
    for pattern in (AMIDINE, AMINE):
        for site in (match[0] for match in molecule.GetSubstructMatches(pattern)):
            near = any(len(Chem.GetShortestPath(molecule, site, other)) < 5 for other in charged if other != site)
            if site in charged or near:
                continue
            charged.append(site)
            atom = molecule.GetAtomWithIdx(site)
            atom.SetFormalCharge(1)
            hydrogen = Chem.Atom("H")
            hydrogen.SetProp("name", "")
            molecule.AddBond(site, molecule.AddAtom(hydrogen), Chem.BondType.SINGLE)
    for hydrogen in sorted(gone, reverse=True):
        molecule.RemoveAtom(hydrogen)
    Chem.SanitizeMol(molecule)


def row(dictionary, component, kind):
    molecule, metals = dictionary.molecule(component)
    Chem.SanitizeMol(molecule)
    neutralize(component, molecule)
    ionize(component, molecule)
    hydrogens = []
    for atom in molecule.GetAtoms():
        names = [n.GetProp("name") for n in atom.GetNeighbors() if n.GetAtomicNum() == 1]
        if atom.GetSymbol() not in ("C", "H") and names and all(names):
            hydrogens.append(atom.GetProp("name") + "=" + "/".join(sorted(names)))
    bare = Chem.RemoveHs(molecule)
    Chem.RemoveStereochemistry(bare)
    smiles = Chem.MolToSmiles(bare)
    order = list(bare.GetPropsAsDict(True, True)["_smilesAtomOutputOrder"])
    if "." in smiles:
        raise SystemExit(f"{component} falls apart: {smiles}")
    names = " ".join(bare.GetAtomWithIdx(i).GetProp("name") for i in order)
    charge = sum(atom.GetFormalCharge() for atom in bare.GetAtoms())
    metal = " ".join(f"{name}={'/'.join(near)}" for name, near in metals.items())
    title = " ".join(dictionary.names[component].split())
    return [component, kind, charge, smiles, names, " ".join(hydrogens), metal, (title.lower() if title.isupper() else title).replace('"', "''")]


def check():
    """Compares heavy atoms and bonds of atoms.csv with those of the dictionary."""
    drawn = {}
    with open(os.path.join(FOLDER, "atoms.csv"), encoding="ascii", newline="") as stream:
        for atom in csv.DictReader(stream):
            if atom["element"] != "H":
                drawn.setdefault(atom["template"], {})[atom["atom"]] = atom["bonds"].replace("*", "").split()
    dictionary = Dictionary(set(drawn))
    wrong = checked = 0
    for component, atoms in drawn.items():
        if component not in dictionary.atoms or component in STATES:
            continue
        checked += 1
        symbols = {name: symbol for name, symbol, _ in dictionary.atoms[component]}
        names = {name for name, symbol in symbols.items() if symbol not in ("H", "D")} - ENDS
        mine = {frozenset((atom, other)) for atom, others in atoms.items() for other in others}
        theirs = {frozenset(bond[:2]) for bond in dictionary.bonds.get(component, ())
                  if all(symbols[name] not in ("H", "D") and symbols[name] not in METALS for name in bond[:2])}
        theirs = {bond for bond in theirs if bond <= set(atoms)}
        faults = [f"not in the dictionary: {' '.join(sorted(set(atoms) - names - ENDS))}"] * bool(set(atoms) - names - ENDS)
        faults += [f"lacks {' '.join(sorted(names - set(atoms)))}"] * bool(names - set(atoms))
        faults += [f"bond {' '.join(sorted(bond))}" for bond in mine ^ theirs]
        if faults:
            wrong += 1
            print(f"{component}: {'; '.join(faults)}")
    print(f"{checked} residues compared, {wrong} differ")


def main():
    RDLogger.DisableLog("rdApp.*")
    if sys.argv[1:] == ["--check"]:
        return check()
    dictionary = Dictionary({word for words in COMPONENTS.values() for word in words.split()})
    rows, missing = [], []
    for kind, words in COMPONENTS.items():
        for component in words.split():
            if component not in dictionary.atoms:
                missing.append(component)
                continue
            try:
                rows.append(row(dictionary, component, kind))
            except (ValueError, KeyError, RuntimeError) as fault:
                missing.append(f"{component} ({fault})".replace("\n", " "))
    with open(os.path.join(FOLDER, "components.csv"), "w", encoding="ascii", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["component", "class", "charge", "smiles", "names", "hydrogens", "metal", "title"])
        writer.writerows(rows)
    print(f"{len(rows)} components" + (f"; not made: {', '.join(missing)}" if missing else ""))
    return None


main()
