"""`berth bench bude`: a synthetic deck, whose reference energies are computed here by the paper's equations."""
import json
import math
import random
import struct
import unittest

import berth_cli as cli

#        class, radius, hydrophobic potential, charge
TYPES = [("-", 1.9, -0.9, 0.0), ("D", 1.6, 0.5, 0.4), ("E", 1.6, 0.7, -0.5), ("F", 1.5, 0.3, 1.0), ("F", 1.7, 0.6, -1.0)]


def place(pose, atom):
    a, b, c, tx, ty, tz = pose
    x, y, z = atom[:3]
    y, z = math.cos(a) * y - math.sin(a) * z, math.sin(a) * y + math.cos(a) * z
    x, z = math.cos(b) * x + math.sin(b) * z, math.cos(b) * z - math.sin(b) * x
    x, y = math.cos(c) * x - math.sin(c) * y, math.sin(c) * x + math.cos(c) * y
    return x + tx, y + ty, z + tz


def ramp(gap, reach):
    return 1 if gap < 0 else max(0, 1 - gap / reach)


def pair_energy(one, other, r):
    """Rules of the decks: hardness 38, reaches 5.5 and 1.0."""
    (class1, r1, h1, q1), (class2, r2, h2, q2) = one, other
    gap = r - r1 - r2
    charge = 22.5 * q1 * q2
    if "E" in (class1, class2):
        charge = -abs(charge)
    energy = (38 * (1 - r / (r1 + r2)) if gap < 0 else 0) + charge * ramp(gap, 4 if class1 == class2 == "F" else 2)
    if h1 < 0 and h2 < 0:
        energy += (h1 + h2) / 2 * ramp(gap, 5.5)
    elif h1 * h2 < 0:
        energy += (abs(h1) + abs(h2)) / 2 * ramp(gap, 1.0)
    return energy


class Deck(cli.Case):
    def setUp(self):
        super().setUp()
        rng = random.Random(4)

        def f32(value):
            return struct.unpack("<f", struct.pack("<f", value))[0]

        def atoms(n, size):
            return [tuple(f32(rng.uniform(-size, size)) for _ in range(3)) + (rng.randrange(len(TYPES)),) for _ in range(n)]

        self.protein, self.ligand = atoms(60, 9), atoms(9, 4)
        self.poses = [[f32(rng.randrange(-17, 19) * math.pi / 18) for _ in range(3)] +
                      [float(rng.randrange(-7, 8)) for _ in range(3)] for _ in range(300)]
        types = [(c, f32(r), f32(h), f32(q)) for c, r, h, q in TYPES]
        self.energies = []
        for pose in self.poses:
            energy = 0
            for atom in self.ligand:
                at = place(pose, atom)
                energy += sum(pair_energy(types[p[3]], types[atom[3]], math.dist(at, p[:3])) for p in self.protein)
            self.energies.append(energy)
        self.put("forcefield.in", b"".join(struct.pack("<ifff", ord(c), r, h, q) for c, r, h, q in TYPES))
        self.put("protein.in", b"".join(struct.pack("<fffi", *atom) for atom in self.protein))
        self.put("ligand.in", b"".join(struct.pack("<fffi", *atom) for atom in self.ligand))
        self.put("poses.in", b"".join(struct.pack("<f", pose[k]) for k in range(6) for pose in self.poses))
        self.put("ref_energies.out", "".join(f"{e:.6f}\n" for e in self.energies).encode())

    def put(self, name, data):
        path = self.folder / "deck" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)

    def bench(self, *arguments):
        return self.berth("bench", "bude", "--deck", "deck", "--quiet", "--iterations", "1", "--warm-up", "0", *arguments)

    def test_energies_are_proved(self):
        result = self.bench("--json", "--device", "cpu", "--steps", "--search", "--conformations", "2")
        self.assert_well(result)
        figures = json.loads(result.stdout)
        self.assertTrue(figures["valid"])
        self.assertEqual(300, figures["poses"])
        self.assertGreater(figures["peak_operations_per_second"], 1e8)
        main = figures["rows"][0]
        self.assertLess(main["deviation_percent"], 0.025)
        pairs = 300 * 60 * 9
        self.assertAlmostEqual(pairs / main["seconds"], main["interactions_per_second"], delta=1e-6 * pairs / main["seconds"])
        w = main["poses_per_item"] * main["lanes"]
        count = 27 * w + 9 * (2 + 18 * w + 60 * (10 + 30 * w)) + w
        self.assertAlmostEqual(1, main["operations_per_second"] * main["seconds"] * w / (count * 300), places=6)
        # on a processor: 7 for the distance, a root of 2 or, estimated, 6, the steric term 4, each other term 5
        others = sum((TYPES[p[3]][3] * TYPES[a[3]][3] != 0) + (min(TYPES[p[3]][2], TYPES[a[3]][2]) < 0)
                     for p in self.protein for a in self.ligand) / (60 * 9)
        executed = 7 + (6 if figures["device"] == "cpu/avx512" else 2) + 4 + 5 * others
        self.assertAlmostEqual(executed, main["executed_operations_per_interaction"], places=6)
        rate = executed * main["interactions_per_second"]
        self.assertAlmostEqual(1, main["executed_operations_per_second"] / rate, places=6)
        self.assertAlmostEqual(100 * rate / figures["peak_operations_per_second"], main["executed_percent_of_peak"], places=3)
        for row in figures["rows"]:
            if row.get("without") in ("runs", "table", "select") and "seconds" in row:  # a build with studies
                self.assertIsNone(row["executed_operations_per_second"])
        steps = {row.get("without") for row in figures["rows"] if row["kind"] == "step"}
        self.assertTrue({"", "poses", "kinds", "runs", "table", "select", "fast", "soa", "square"} <= steps)
        constants = [row for row in figures["rows"] if row.get("without") == "constants"][0]
        self.assertIn("lack this optimization", constants["reason"])  # nothing is compiled at run time on a processor
        self.assertNotIn("interactions_per_second", constants)
        for row in figures["rows"]:
            if "seconds" in row:
                self.assertTrue(row["seconds_best"] <= row["seconds"] * 1.000001 and row["seconds"] <= row["seconds_worst"] * 1.000001)
        self.assertGreater(figures["search"]["seconds"], 0)
        self.assertIs(figures["search"]["valid"], True)
        self.assertLess(figures["search"]["deviation_percent"], 0.025)
        for key in ("commit", "compiler", "cpu"):
            self.assertTrue(figures[key], key)

    def test_text_and_fewer_poses(self):
        result = self.bench("-n", "100", "--device", "cpu", "-t", "1")
        self.assert_well(result)
        self.assertIn("100 poses", result.stdout)
        self.assertIn(": valid", result.stdout)
        self.assertRegex(result.stdout, r"[\d.]+ x 10\^9 interactions/s")
        self.assertRegex(result.stdout, r"by miniBUDE's count: [\d.]+ GFLOP/s, [\d.]+ % of the peak")
        self.assertRegex(result.stdout, r"executed: [\d.]+ GFLOP/s, [\d.]+ % of the peak; [\d.]+ operations per interaction")

    def test_wrong_energies_have_no_speed(self):
        self.energies[7] += 1 + 0.01 * abs(self.energies[7])
        self.put("ref_energies.out", "".join(f"{e:.6f}\n" for e in self.energies).encode())
        result = self.bench("--device", "cpu")
        self.assertEqual(3, result.returncode, result.stderr)
        self.assertIn("pose 8", result.stdout)
        self.assertNotIn("interactions/s", result.stdout)
        figures = json.loads(self.bench("--device", "cpu", "--json").stdout)
        self.assertFalse(figures["valid"])
        self.assertEqual(0, figures["rows"][0]["interactions_per_second"])

    def test_bad_decks(self):
        self.assert_refused(self.berth("bench", "bude"), "--deck")
        self.assert_refused(self.bench("--without", "fun"), "fun", "square")
        self.assert_refused(self.berth("bench", "bude", "--deck", "nowhere"), "nowhere")
        good = {name: (self.folder / "deck" / name).read_bytes() for name in
                ("forcefield.in", "protein.in", "ligand.in", "poses.in", "ref_energies.out")}
        for name, data, words in [
                ("forcefield.in", b"", "0 bytes"), ("forcefield.in", good["forcefield.in"][:-1], "whole number"),
                ("protein.in", good["protein.in"][:-3], "16-byte atoms"),
                ("protein.in", struct.pack("<fffi", 0, 0, 0, 5) + good["protein.in"], "atom 1"),
                ("ligand.in", good["ligand.in"] + struct.pack("<fffi", math.nan, 0, 0, 1), "atom 10"),
                ("ligand.in", b"", "0 bytes"), ("poses.in", good["poses.in"] + b"1234", "24-byte poses"),
                ("poses.in", struct.pack("<f", math.inf) + good["poses.in"][4:], "not finite"),
                ("ref_energies.out", b"1.5\nx\n", "ref_energies.out:2"),
                ("ref_energies.out", b"1.5\n1e39\n", "ref_energies.out:2"),
                ("ref_energies.out", b"1.5\n2\n", "2 energies for 300 poses")]:
            with self.subTest(name, words=words):
                self.put(name, data)
                self.assert_refused(self.bench("--device", "cpu"), words)
                self.put(name, good[name])
        (self.folder / "deck" / "ref_energies.out").unlink()
        self.assert_refused(self.bench("--device", "cpu"), "no reference energies")


class SharedDecks(cli.Case):
    def test_decks_of_the_mini_app(self):
        for name, poses in (("bm1", "4096"), ("bm2", "16")):
            folder = cli.SHARED / "data" / "bude" / name
            if not folder.exists():
                self.skipTest(f"no {folder}")
            result = self.berth("bench", "bude", "--deck", folder, "-n", poses, "--device", "cpu", "--iterations", "1", "--json", "-q")
            self.assert_well(result)
            self.assertTrue(json.loads(result.stdout)["valid"])


if __name__ == "__main__":
    cli.main()
