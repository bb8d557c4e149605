"""flexres.py - cuts side chains out of a receptor PDBQT: a rigid file without them and a flexible file.

The alpha carbon is the root of each residue. The rotatable bonds are those of the table; all other bonds are found by
distance.
"""
import math

CHI = {
    "ARG": ["CA-CB", "CB-CG", "CG-CD", "CD-NE"], "ASN": ["CA-CB", "CB-CG"], "ASP": ["CA-CB", "CB-CG"],
    "GLN": ["CA-CB", "CB-CG", "CG-CD"], "GLU": ["CA-CB", "CB-CG", "CG-CD"], "HIS": ["CA-CB", "CB-CG"],
    "ILE": ["CA-CB", "CB-CG1"], "LEU": ["CA-CB", "CB-CG"], "LYS": ["CA-CB", "CB-CG", "CG-CD", "CD-CE", "CE-NZ"],
    "MET": ["CA-CB", "CB-CG", "CG-SD"], "PHE": ["CA-CB", "CB-CG"], "SER": ["CA-CB", "CB-OG"],
    "THR": ["CA-CB", "CB-OG1"], "TRP": ["CA-CB", "CB-CG"], "TYR": ["CA-CB", "CB-CG", "CZ-OH"], "VAL": ["CA-CB"],
}
BACKBONE = {"N", "C", "O", "OXT", "H", "HN", "HN1", "HN2", "HN3", "H1", "H2", "H3"}


class Atom:
    def __init__(self, line):
        self.line, self.name, self.residue = line.rstrip("\n"), line[12:16].strip(), line[17:27]
        self.x = [float(line[c:c + 8]) for c in (30, 38, 46)]
        self.type = line[77:80].strip()

    def bonded(self, other):
        hydrogens = (self.type in ("H", "HD", "HS")) + (other.type in ("H", "HD", "HS"))
        limit = 1.25 if hydrogens == 1 else 0.0 if hydrogens == 2 else 2.0 if "S" in self.type[0] + other.type[0] else 1.75
        return math.dist(self.x, other.x) < limit


def read(path):
    return [Atom(line) for line in open(path) if line[:6] in ("ATOM  ", "HETATM")]


def residues_near(receptor, ligand, distance, count):
    """The residues with a flexible side chain that are closest to the ligand."""
    near = {}
    points = read(ligand)
    for atom in read(receptor):
        if atom.residue[:3] in CHI and atom.name not in BACKBONE | {"CA"}:
            d = min(math.dist(atom.x, p.x) for p in points)
            near[atom.residue] = min(d, near.get(atom.residue, d))
    return sorted((r for r, d in near.items() if d < distance), key=near.get)[:count]


def tree_lines(atoms, serial):
    """ROOT and nested BRANCH lines of one residue; serial numbers continue from the given one."""
    chi = {tuple(bond.split("-")) for bond in CHI[atoms[0].residue[:3]]}
    out, done = [], set()

    def body(start):
        """Atoms connected to start without a rotatable bond in between, and the rotatable bonds that leave them."""
        inside, leaving, k = [start], [], 0
        done.add(start)
        while k < len(inside):
            a = inside[k]
            k += 1
            for b in atoms:
                if b in done or not a.bonded(b):
                    continue
                if (a.name, b.name) in chi:
                    leaving.append((a, b))
                else:
                    done.add(b)
                    inside.append(b)
        return inside, leaving

    def write(inside, leaving, numbers):
        for a in inside:
            serial[0] += 1
            numbers[a] = serial[0]
            out.append("%s%5d%s" % (a.line[:6], serial[0], a.line[11:]))
        if not out[0] == "ENDROOT" and inside[0].name == "CA":
            out.append("ENDROOT")
        for a, b in leaving:
            out.append("BRANCH %3d %3d" % (numbers[a], serial[0] + 1))
            end = "ENDBRANCH %3d %3d" % (numbers[a], serial[0] + 1)
            write(*body(b), numbers)
            out.append(end)

    root = next(a for a in atoms if a.name == "CA")
    out.append("ROOT")
    write(*body(root), {})
    return out


def cut(receptor, names, rigid_path, flexible_path):
    """names: residue fields (columns 18-27) as residues_near() returns them."""
    taken, serial, out = set(), [0], []
    atoms = read(receptor)
    for name in names:
        side_chain = [a for a in atoms if a.residue == name and a.name not in BACKBONE]
        taken.update(side_chain)
        title = "%s %s%4s" % (name[:3], name[4], name[5:9].strip())
        out += ["BEGIN_RES " + title, *tree_lines(side_chain, serial), "END_RES " + title]
    with open(flexible_path, "w") as f:
        f.write("\n".join(out) + "\n")
    with open(rigid_path, "w") as f:
        f.writelines(a.line + "\n" for a in atoms if a not in taken)
