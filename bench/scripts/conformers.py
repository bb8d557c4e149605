#!/usr/bin/env python3
"""How many conformers of each molecule of an SDF file differ.

    conformers.py FILE.sdf [--apart A]

Records NAME_c1, NAME_c2, ... are conformers of NAME. Two are the same if their heavy atoms can be superposed with an
RMSD of at most 0.1 Angstrom, whichever of the atoms that the molecular graph (elements and bonds) does not tell apart
are mapped onto which; mirror images differ. Counted are those that differ from all that were counted before.
"""
import argparse
import math
import re
import sys

MOST_MAPPINGS = 1000


def read(path):
    """{name: (elements, bonds, [coordinates])} of heavy atoms."""
    found = {}
    with open(path, encoding="utf-8") as stream:
        for text in stream.read().split("$$$$\n"):
            lines = text.split("\n")
            if len(lines) < 4:
                continue
            n, bonds = int(lines[3][:3]), int(lines[3][3:6])
            atoms = [(line[31:34].strip(), tuple(float(line[at:at + 10]) for at in (0, 10, 20)))
                     for line in lines[4:4 + n]]
            heavy = {i: k for k, i in enumerate(i for i in range(n) if atoms[i][0] != "H")}
            pairs = [(int(line[:3]) - 1, int(line[3:6]) - 1) for line in lines[4 + n:4 + n + bonds]]
            name = re.sub(r"_c\d+$", "", lines[0].strip())
            graph = [atoms[i][0] for i in heavy], [(heavy[a], heavy[b]) for a, b in pairs if a in heavy and b in heavy]
            found.setdefault(name, (*graph, []))[2].append([atoms[i][1] for i in heavy])
    return found


def classes_of(elements, neighbors):
    """Numbers that are equal where repeated refinement by the neighbors' numbers does not tell atoms apart."""
    color = elements
    while True:
        signs = [(color[i], sorted(color[j] for j in near)) for i, near in enumerate(neighbors)]
        order = sorted(set(map(repr, signs)))
        refined = [order.index(repr(sign)) for sign in signs]
        if len(set(refined)) == len(set(color)):
            return refined
        color = refined


def mappings_of(elements, bonds):
    """Of the graph onto itself: lists of which atom goes where; at most MOST_MAPPINGS."""
    neighbors = [[] for _ in elements]
    for a, b in bonds:
        neighbors[a].append(b)
        neighbors[b].append(a)
    color, found = classes_of(elements, neighbors), []
    order = []  # each atom next to an earlier one
    while len(order) < len(elements):
        order.append(next((i for i in range(len(elements)) if i not in order and any(j in order for j in neighbors[i])),
                          next(i for i in range(len(elements)) if i not in order)))

    def extend(mapping):
        if len(mapping) == len(elements) or len(found) == MOST_MAPPINGS:
            if len(found) < MOST_MAPPINGS:
                found.append([mapping[i] for i in range(len(elements))])
            return
        atom, used = order[len(mapping)], set(mapping.values())
        for to in range(len(elements)):
            if color[to] == color[atom] and to not in used and all(mapping[j] in neighbors[to] for j in neighbors[atom]
                                                                  if j in mapping):
                extend({**mapping, atom: to})

    extend({})
    return found


def centered(places):
    middle = [sum(axis) / len(places) for axis in zip(*places)]
    return [tuple(x - m for x, m in zip(place, middle)) for place in places]


def superposed(a, b, mapping):
    """The smallest RMSD over rotations: the largest eigenvalue of Horn's matrix by Newton's method from above
    (Theobald, Acta Cryst. A61 (2005) 478)."""
    s = [[0.0] * 3 for _ in range(3)]
    for i, (x, y, z) in enumerate(a):
        u, v, w = b[mapping[i]]
        s[0][0] += x * u
        s[0][1] += x * v
        s[0][2] += x * w
        s[1][0] += y * u
        s[1][1] += y * v
        s[1][2] += y * w
        s[2][0] += z * u
        s[2][1] += z * v
        s[2][2] += z * w
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = s
    matrix = [[xx + yy + zz, yz - zy, zx - xz, xy - yx], [yz - zy, xx - yy - zz, xy + yx, zx + xz],
              [zx - xz, xy + yx, yy - xx - zz, yz + zy], [xy - yx, zx + xz, yz + zy, zz - xx - yy]]
    squares = sum(x * x for place in a for x in place) + sum(x * x for place in b for x in place)
    return math.sqrt(max(0.0, squares - 2 * largest_eigenvalue(matrix, squares / 2)) / len(a))


def determinant(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1)**k * m[0][k] * determinant([row[:k] + row[k + 1:] for row in m[1:]]) for k in range(len(m))
               if m[0][k] != 0)


def largest_eigenvalue(m, start):
    """Of a symmetric 4 x 4 matrix without trace; start is not below it."""
    c2 = -sum(x * x for row in m for x in row) / 2
    cubes = sum(m[i][j] * m[j][k] * m[k][i] for i in range(4) for j in range(4) for k in range(4))
    c1, c0, value = -cubes / 3, determinant(m), start
    for _ in range(100):
        slope = 4 * value**3 + 2 * c2 * value + c1
        if slope == 0:
            break
        step = (value**4 + c2 * value * value + c1 * value + c0) / slope
        value -= step
        if abs(step) < 1e-11 * abs(value):
            break
    return value


def size_of(places):
    return math.sqrt(sum(x * x for place in places for x in place) / len(places))


def distinct(elements, bonds, conformers, apart=0.1):
    """Their number. RMSDs are at least the difference of the radii of gyration, which is faster to compare."""
    mappings, kept = mappings_of(elements, bonds), []
    for places in map(centered, conformers):
        size = size_of(places)
        if not any(abs(size - other_size) <= apart and any(superposed(places, other, mapping) <= apart
                                                           for mapping in mappings) for other, other_size in kept):
            kept.append((places, size))
    return len(kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file")
    parser.add_argument("--apart", type=float, default=0.1)
    options = parser.parse_args()
    for name, (elements, bonds, conformers) in read(options.file).items():
        print(f"{name}: {distinct(elements, bonds, conformers, options.apart)} of {len(conformers)}")


if __name__ == "__main__":
    sys.exit(main())
