"""CNNscore and CNNaffinity equal those of gnina's networks elsewhere.

    test_networks.py BIN [--live COMPLEXES] [--poses POSES [--json FILE]]

1. All rows of reference/cnn_reference.tsv: five networks, crystal poses in 64 receptors (data/redock.tar.xz); the score
   within 1e-4, the affinity within 1e-3 pK.
2. The same live, where the packages gninatorch and torch are installed: by PyTorch from densities that numpy computes
   here, within 1e-5 and 1e-4; three complexes unless more are wished for.
3. With --poses, live too: so many poses that Berth docks into the complexes of data/poses.tar.xz, up to nine each, by
   the CPU's best instruction set, and the first 100 by each of the others; the same tolerances. --json records the
   deviations.

Networks are those of scripts/networks, or of $BERTH_NETWORKS.
"""
import csv
import hashlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time

sys.dont_write_bytecode = True
import autodock
from skips import skip

SCORE, AFFINITY = 1e-4, 1e-3
LIVE_SCORE, LIVE_AFFINITY = 1e-5, 1e-4
SECONDS = 60
LIVE = 3
POSES_OF_OTHERS = 100
ISAS = ("cpu/avx2", "cpu/sse2", "cpu/scalar")


def wanted():
    """{complex: {network: (score, affinity)}}"""
    table = {}
    with open(autodock.shared("reference", "cnn_reference.tsv")) as f:
        for row in csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t"):
            table.setdefault(row["complex"], {})[row["network"]] = float(row["score"]), float(row["affinity"])
    return table


def unpack(names, folder):
    with tarfile.open(autodock.shared("data", "redock.tar.xz")) as archive:
        for member in archive:
            parts = member.name.split("/")
            if len(parts) == 3 and parts[1] in names and parts[2] in ("receptor.pdbqt", "ligand.pdbqt"):
                os.makedirs(os.path.join(folder, parts[1]), exist_ok=True)
                with open(os.path.join(folder, parts[1], parts[2]), "wb") as out:
                    out.write(archive.extractfile(member).read())


def installed(berth):
    done = subprocess.run([berth, "networks", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    return {json.loads(line)["name"] for line in done.stdout.splitlines()}


def score(berth, receptor, ligand, networks, *options):
    """{network: (score, affinity)} for each pose of a file"""
    done = subprocess.run([berth, "score", "-r", receptor, "-l", ligand, "--scoring", "cnn", "--cnn",
                           ",".join(networks), "--json", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit("berth score failed on %s: %s" % (ligand, done.stderr))
    found = []
    for line in done.stdout.splitlines():
        cnn = json.loads(line)["cnn"]
        assert [each["name"] for each in cnn["networks"]] == list(networks), cnn
        for key in ("score", "affinity"):
            mean = sum(each[key] for each in cnn["networks"]) / len(networks)
            assert abs(cnn[key] - mean) < 1e-4 * max(1, abs(mean)), (cnn, key)
        found.append({each["name"]: (each["score"], each["affinity"]) for each in cnn["networks"]})
    return found


def score_crystal(berth, folder, networks):
    (found,) = score(berth, os.path.join(folder, "receptor.pdbqt"), os.path.join(folder, "ligand.pdbqt"), networks)
    return found


class Worst:
    def __init__(self, tolerances):
        self.tolerances, self.of, self.rows, self.faults = tolerances, [0, 0], 0, []

    def compare(self, what, mine, expected):
        self.rows += 1
        for k, name in enumerate(("score", "affinity")):
            deviation = abs(mine[k] - expected[k])
            self.of[k] = max(self.of[k], deviation)
            if not deviation <= self.tolerances[k]:
                self.faults.append("%s: %s is %.7f, not %.7f" % (what, name, mine[k], expected[k]))

    def text(self):
        return "%d rows: largest deviations %.2g in the score, %.2g in the affinity" % (self.rows, *self.of)


def check_table(berth, folder, table):
    worst, start = Worst((SCORE, AFFINITY)), time.monotonic()
    for name, expected in table.items():
        mine = score_crystal(berth, os.path.join(folder, name), list(expected))
        for network in expected:
            worst.compare("%s, %s" % (name, network), mine[network], expected[network])
    seconds = time.monotonic() - start
    print("%s, %.1f s" % (worst.text(), seconds))
    if seconds > SECONDS:
        worst.faults.append("%d complexes took %.0f s" % (len(table), seconds))
    return worst.faults


# ---- densities by numpy ----

RADII = {"C": 1.9, "N": 1.8, "O": 1.7, "S": 2.0, "P": 2.1, "F": 1.5, "Cl": 1.8, "Br": 2.0, "I": 2.2, "B": 1.92}
BONDED = {"C": .77, "N": .75, "O": .73, "S": 1.02, "P": 1.06, "F": .71, "Cl": .99, "Br": 1.14, "I": 1.33, "H": .37,
          "B": .90, "Mg": 1.3, "Mn": 1.39, "Zn": 1.31, "Ca": 1.74, "Fe": 1.25}
RECEPTOR = {"Br": 4, "I": 4, "Cl": 4, "F": 4, "N": 5, "O": 7, "S": 9, "P": 10, "Ca": 11, "Zn": 12}
LIGAND = {"Br": 4, "I": 4, "Cl": 5, "F": 6, "N": 7, "O": 9, "S": 11, "P": 12}
ELEMENTS = {"A": "C", "HD": "H", "HS": "H", "NA": "N", "NS": "N", "OA": "O", "OS": "O", "SA": "S"}


def models(path):
    """The lines of each model of a PDBQT file."""
    with open(path) as f:
        found = [text.splitlines() for text in f.read().split("ENDMDL")]
    return [lines for lines in found if any(line.startswith(("ATOM", "HETATM")) for line in lines)]


def read(lines):
    """Coordinates, elements, and whether an atom is of AutoDock's type A; without pseudo atoms."""
    import numpy
    places, kinds = [], []
    for line in lines:
        kind = line[77:79].strip()
        if line.startswith(("ATOM", "HETATM")) and kind[0] not in "GW":
            places.append([float(line[k:k + 8]) for k in (30, 38, 46)])
            kinds.append("C" if kind[:2] == "CG" else kind)
    return numpy.array(places), [ELEMENTS.get(kind, kind) for kind in kinds], [kind == "A" for kind in kinds]


def channels(lines, ligand):
    """Coordinates, channels and radii of the atoms that have one."""
    import numpy
    x, elements, aromatic = read(lines)
    bond = numpy.array([BONDED.get(element, 1.75) for element in elements])
    table, found = (LIGAND, []) if ligand else (RECEPTOR, [])
    for i, element in enumerate(elements):
        near = numpy.linalg.norm(x - x[i], axis=1) < 1.1 * (bond + bond[i])
        near[i] = False
        others = {elements[k] for k in numpy.nonzero(near)[0]}
        if element == "C":
            channel = 2 * aromatic[i] + bool(others - {"C", "H", "B"})
        else:
            channel = table.get(element, 13) + (element in "NO" and "H" in others)
        if element != "H":
            found.append((i, channel + 14 * ligand, RADII.get(element, 1.2)))
    rows, channel, radius = zip(*found)
    return x[list(rows)], channel, radius


def densities(receptor, ligand):
    """The grid around a ligand, of the channels of both."""
    import numpy
    center, grid = ligand[0].mean(axis=0), numpy.zeros((28, 48, 48, 48))
    points = 0.5 * numpy.arange(48) - 11.75
    for x, channel, radius in (ligand, receptor):
        for place, c, r in zip(x - center, channel, radius):
            if numpy.abs(place).max() >= 11.75 + 1.5 * r:
                continue
            # all within 1.5 radii, and a point more for the rounding
            reach = 1.5 * r + 0.5
            near = [slice(*numpy.searchsorted(points, (place[k] - reach, place[k] + reach))) for k in range(3)]
            squares = [(points[near[k]] - place[k]) ** 2 for k in range(3)]
            u = numpy.sqrt(squares[0][:, None, None] + squares[1][:, None] + squares[2]) / r
            grid[c][tuple(near)] += numpy.where(u <= 1, numpy.exp(-2 * u * u),
                                                numpy.where(u < 1.5, numpy.exp(-2) * (4 * u * u - 12 * u + 9), 0))
    return grid


class PyTorch:
    """The networks as PyTorch computes them."""

    def __init__(self, networks):
        import torch
        from gninatorch.gnina import load_gnina_model
        torch.set_num_threads(1)
        self.torch, self.models = torch, {network: load_gnina_model(network).eval() for network in networks}

    def score(self, receptor, ligand):
        """{network: (score, affinity)}"""
        found = {}
        with self.torch.no_grad():
            grid = self.torch.tensor(densities(receptor, ligand)[None], dtype=self.torch.float32)
            for network, model in self.models.items():
                logarithms, affinity = model(grid)
                found[network] = float(logarithms[0, 1].exp()), float(affinity[0])
        return found


def check_live(berth, folder, table, count, networks, judge):
    worst = Worst((LIVE_SCORE, LIVE_AFFINITY))
    for name in list(table)[:count]:
        mine = score_crystal(berth, os.path.join(folder, name), networks)
        atoms = {part: channels(models(os.path.join(folder, name, part + ".pdbqt"))[0], part == "ligand")
                 for part in ("receptor", "ligand")}
        for network, expected in judge.score(**atoms).items():
            worst.compare("%s, %s" % (name, network), mine[network], expected)
    print("PyTorch %s, %s" % (judge.torch.__version__, worst.text()))
    return worst.faults


def unpack_poses(folder):
    """Folders of the complexes of data/poses.tar.xz, by the SHA-256 of their ids."""
    wanted = ("receptor.pdb", "ligand_start.sdf", "ligand_crystal.sdf")
    with tarfile.open(autodock.shared("data", "poses.tar.xz")) as archive:
        for member in archive:
            parts = member.name.split("/")
            if parts[-1] in wanted:
                os.makedirs(os.path.join(folder, parts[-2]), exist_ok=True)
                with open(os.path.join(folder, parts[-2], parts[-1]), "wb") as out:
                    out.write(archive.extractfile(member).read())
    names = sorted(os.listdir(folder), key=lambda name: hashlib.sha256(name.encode()).digest())
    return [os.path.join(folder, name) for name in names]


def dock(berth, folder):
    """The prepared receptor and up to nine docked poses."""
    receptor, ligand, crystal = (os.path.join(folder, name)
                                 for name in ("receptor.pdb", "ligand_start.sdf", "ligand_crystal.sdf"))
    out = os.path.join(folder, "out")
    done = subprocess.run([berth, "dock", "-q", "-r", receptor, "-l", ligand, "--autobox", crystal, "--rescore",
                           "vinardo", "--format", "pdbqt", "--seed", "1", "--threads", "1", "-o", out],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit("berth dock failed in %s: %s" % (folder, done.stderr))
    return os.path.join(out, "receptor.pdbqt"), os.path.join(out, os.path.basename(folder) + ".pdbqt")


def best_isa(berth):
    done = subprocess.run([berth, "devices", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    devices = [json.loads(line) for line in done.stdout.splitlines()]
    return next(each["name"] for each in devices if each["usable"] and each["name"].startswith("cpu/"))


def check_poses(berth, folder, count, networks, judge, record):
    best = best_isa(berth)
    most = {best: count, **{isa: min(count, POSES_OF_OTHERS) for isa in ISAS if isa != best}}
    worst = {(isa, network): Worst((LIVE_SCORE, LIVE_AFFINITY)) for isa in most for network in networks}
    done = complexes = 0
    for place in unpack_poses(folder):
        if done >= count:
            break
        receptor, ligand = dock(berth, place)
        mine = {isa: score(berth, receptor, ligand, networks, "--device", isa) for isa in most if done < most[isa]}
        atoms, poses = channels(models(receptor)[0], False), models(ligand)[:count - done]
        for k, pose in enumerate(poses):
            expected = judge.score(atoms, channels(pose, True))
            for isa, found in mine.items():
                for network in networks:
                    worst[isa, network].compare("%s, pose %d, %s, %s" % (os.path.basename(place), k + 1, network, isa),
                                                found[k][network], expected[network])
        done, complexes = done + len(poses), complexes + 1
        largest = [max(each.of[k] for each in worst.values()) for k in range(2)]
        print("%d poses of %d complexes: %.2g, %.2g" % (done, complexes, *largest), file=sys.stderr, flush=True)
    rows = [[network, *("%.1e, %.1e" % tuple(worst[isa, network].of) for isa in most)] for network in networks]
    for row in rows:
        print(*row, sep="; ")
    if record:
        titles = ["%s, %s poses" % (isa, format(worst[isa, networks[0]].rows, ",")) for isa in most]
        autodock.write_record(record, berth, "networks", "tests/science/test_networks.py build/release/bin --poses %d "
                              "--json FILE" % count, rows, columns=["network", *titles],
                              note="largest deviation in the score, in the affinity; %d complexes; PyTorch %s" %
                              (complexes, judge.torch.__version__.split("+")[0]))
    return [fault for each in worst.values() for fault in each.faults]


def main():
    berth, table = os.path.join(os.path.abspath(sys.argv[1]), "berth"), wanted()
    missing = {network for row in table.values() for network in row} - installed(berth)
    if missing:
        skip("networks are not installed (scripts/networks fetches them): " + ", ".join(sorted(missing)))
    networks = sorted({network for row in table.values() for network in row})
    with tempfile.TemporaryDirectory() as folder:
        crystal = os.path.join(folder, "crystal")
        unpack(table, crystal)
        faults = check_table(berth, crystal, table)
        try:
            judge = PyTorch(networks)
        except (ImportError, AttributeError) as missing:  # molgrid is compiled for one version of numpy
            if "--poses" in sys.argv:
                raise
            print("not compared with PyTorch: %s" % missing)
        else:
            faults += check_live(berth, crystal, table, int(argument("--live", LIVE)), networks, judge)
            if "--poses" in sys.argv:
                faults += check_poses(berth, os.path.join(folder, "poses"), int(argument("--poses")), networks, judge,
                                      argument("--json"))
    for fault in faults:
        print("FAIL", fault)
    sys.exit(1 if faults else 0)


def argument(name, default=None):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


if __name__ == "__main__":
    main()
