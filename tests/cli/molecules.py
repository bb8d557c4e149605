"""Small molecules as SDF and a small protein as PDB, for the tests of raw input. None of them is real."""

ATOM = "%10.4f%10.4f%10.4f %-3s 0  0  0  0  0  0  0  0  0  0  0  0"


def sdf(name, atoms, bonds, charges=(), items=()):
    """One V2000 record. atoms: (element, x, y, z); bonds: (first, second, order) from 1."""
    lines = [name, "  test", "", "%3d%3d  0  0  0  0  0  0  0  0999 V2000" % (len(atoms), len(bonds))]
    lines += [ATOM % (x, y, z, element) for element, x, y, z in atoms]
    lines += ["%3d%3d%3d  0" % bond for bond in bonds]
    if charges:
        lines.append("M  CHG%3d" % len(charges) + "".join("%4d%4d" % pair for pair in charges))
    lines.append("M  END")
    for key, value in items:
        lines += ["> <%s>" % key, str(value), ""]
    return "\n".join(lines + ["$$$$", ""])


ETHANOL = [("C", -1.2, 0, -0.2), ("C", 0, 0.8, 0.1), ("O", 1.2, 0, 0.2)]


def ethanol(name="ethanol", **more):
    return sdf(name, ETHANOL, [(1, 2, 1), (2, 3, 1)], **more)


def mol2(name="ethanol"):
    return (f"@<TRIPOS>MOLECULE\n{name}\n3 2 0 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n"
            "1 C1 -1.2 0.0 -0.2 C.3 1 LIG 0\n2 C2 0.0 0.8 0.1 C.3 1 LIG 0\n3 O1 1.2 0.0 0.2 O.3 1 LIG 0\n"
            "@<TRIPOS>BOND\n1 1 2 1\n2 2 3 1\n")


def broken():
    """A count of atoms that the record does not have."""
    return ethanol("broken").replace("  3  2  0", "  9  2  0")


def pentavalent():
    corners = [(1.5, 0, 0), (-1.5, 0, 0), (0, 1.5, 0), (0, -1.5, 0), (0, 0, 1.5)]
    return sdf("pentavalent", [("C", 0, 0, 0)] + [("C", *place) for place in corners],
               [(1, k, 1) for k in range(2, 7)])


def salt():
    return sdf("salt", ETHANOL + [("Na", 5, 0, 0)], [(1, 2, 1), (2, 3, 1)], charges=[(3, -1), (4, 1)])


def organometallic():
    return sdf("mercury", [("C", -2.1, 0, 0.1), ("Hg", 0, 0, 0), ("C", 2.1, 0, 0)], [(1, 2, 1), (2, 3, 1)])


def pdb_atom(serial, name, residue, number, x, y, z, chain="A", record="ATOM"):
    return "%-6s%5d %-4s %3s %s%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s" % (
        record, serial, " " + name, residue, chain, number, x, y, z, name[0])


# Three residues with the geometry of a strand: N, CA, C, O, CB per residue, built once with ideal values.
STRAND = [
    ("N", "SER", 1, 0.000, 6.000, 0.000), ("CA", "SER", 1, 1.458, 6.000, 0.000), ("C", "SER", 1, 2.009, 7.420, 0.000),
    ("O", "SER", 1, 1.251, 8.390, 0.000), ("CB", "SER", 1, 1.988, 5.264, -1.230), ("OG", "SER", 1, 1.500, 3.930, -1.250),
    ("N", "GLY", 2, 3.332, 7.536, 0.000), ("CA", "GLY", 2, 3.987, 8.839, 0.000), ("C", "GLY", 2, 5.504, 8.693, 0.000),
    ("O", "GLY", 2, 6.030, 7.582, 0.000),
    ("N", "ALA", 3, 6.202, 9.823, 0.000), ("CA", "ALA", 3, 7.660, 9.823, 0.000), ("C", "ALA", 3, 8.211, 11.243, 0.000),
    ("O", "ALA", 3, 7.453, 12.213, 0.000), ("OXT", "ALA", 3, 9.461, 11.350, 0.000), ("CB", "ALA", 3, 8.190, 9.087, -1.230),
]


def protein(extra=()):
    """A tripeptide beside the origin as a PDB file; extra lines come before its end."""
    lines = [pdb_atom(k + 1, *row) for k, row in enumerate(STRAND)]
    return "\n".join(lines + ["TER", *extra, "END", ""])


def ligand_residue(name="LIG", number=101, shift=(0, 0, 0), chain="A"):
    """Ethanol's heavy atoms as a residue of a PDB file."""
    names = ["C1", "C2", "O1"]
    return [pdb_atom(100 + k, names[k], name, number, *(c + s for c, s in zip(atom[1:], shift)), chain=chain,
                     record="HETATM") for k, atom in enumerate(ETHANOL)]
