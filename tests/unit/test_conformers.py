#!/usr/bin/env python3
"""bench/scripts/conformers.py: superposition, symmetry, and how many conformers differ."""
import math
import os
import pathlib
import random
import sys
import tempfile
import unittest

TOP = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
sys.path.insert(0, str(TOP / "bench/scripts"))
import conformers  # noqa: E402

BUTANE = ["C"] * 4, [(0, 1), (1, 2), (2, 3)]


def butane(degrees):
    """A chain with this torsion."""
    angle = math.radians(degrees)
    return [(-0.5, 1.4, 0.0), (0.0, 0.0, 0.0), (1.5, 0.0, 0.0), (2.0, 1.4 * math.cos(angle), 1.4 * math.sin(angle))]


def turned(places, numbers):
    """Rotated about x, then z, and moved."""
    a, b = numbers.uniform(0, 6), numbers.uniform(0, 6)
    places = [(x, y * math.cos(a) - z * math.sin(a), y * math.sin(a) + z * math.cos(a)) for x, y, z in places]
    return [(x * math.cos(b) - y * math.sin(b) + 5, x * math.sin(b) + y * math.cos(b) - 3, z + 1) for x, y, z in places]


class Conformers(unittest.TestCase):
    def test_the_same_place_and_shape(self):
        numbers = random.Random(1)
        shapes = [turned(butane(degrees), numbers) for degrees in (180, 60, 180, 60, 180)]
        self.assertEqual(2, conformers.distinct(*BUTANE, shapes))

    def test_mirror_images_differ(self):
        self.assertEqual(2, conformers.distinct(*BUTANE, [butane(60), butane(-60)]))
        self.assertEqual(1, conformers.distinct(*BUTANE, [butane(180), butane(-180)]))

    def test_atoms_that_are_alike(self):
        ends = butane(60)
        self.assertEqual(1, conformers.distinct(*BUTANE, [ends, ends[::-1]]))
        other = ["N", "C", "C", "C"], BUTANE[1]
        self.assertEqual(2, conformers.distinct(*other, [[(0, 0, 0), (1.5, 0, 0), (3, 0, 0), (5, 0, 0)],
                                                         [(5, 0, 0), (3, 0, 0), (1.5, 0, 0), (0, 0, 0)]]))

    def test_automorphisms(self):
        ring = [(i, (i + 1) % 6) for i in range(6)]
        self.assertEqual(12, len(conformers.mappings_of(["C"] * 6, ring)))
        self.assertEqual(2, len(conformers.mappings_of(["C"] * 6 + ["O"], ring + [(0, 6)])))
        star = [(0, i) for i in range(1, 5)]
        self.assertEqual(24, len(conformers.mappings_of(["C"] * 5, star)))

    def test_distance(self):
        pair = conformers.centered([(0, 0, 0), (2, 0, 0)])
        longer = conformers.centered([(0, 0, 1), (0, 3, 1)])
        self.assertAlmostEqual(0.5, conformers.superposed(pair, longer, [0, 1]))
        self.assertEqual(2, conformers.distinct(["C", "C"], [(0, 1)], [pair, longer]))
        self.assertEqual(1, conformers.distinct(["C", "C"], [(0, 1)], [pair, longer], 0.6))

    def test_files(self):
        record = ("x_c1\n\n\n  3  2  0  0\n    0.0000    0.0000    0.0000 C   0\n    1.5000    0.0000    0.0000 O   0\n"
                  "   -0.5000    0.9000    0.0000 H   0\n  1  2  1\n  1  3  1\nM  END\n$$$$\n")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.sdf"
            path.write_text(record + record.replace("x_c1", "x_c2"), encoding="utf-8")
            found = conformers.read(path)
        self.assertEqual({"x": (["C", "O"], [(0, 1)], [[(0, 0, 0), (1.5, 0, 0)]] * 2)}, found)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
