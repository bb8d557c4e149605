"""CNNscore and CNNaffinity equal those of gnina's networks elsewhere.

    test_networks.py BIN [--live COMPLEXES]

1. All rows of reference/cnn_reference.tsv: five networks, crystal poses in 64 receptors (data/redock.tar.xz); the score
   within 1e-4, the affinity within 1e-3 pK.
2. The same live, where the packages gninatorch and torch are installed: by PyTorch from densities that numpy computes here,
   within 1e-5 and 1e-4; three complexes unless more are wished for.

Networks are those of scripts/networks, or of $BERTH_NETWORKS.
"""
import csv
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


def score(berth, folder, networks):
    """{network: (score, affinity)}"""
    done = subprocess.run([berth, "score", "-r", os.path.join(folder, "receptor.pdbqt"), "-l", os.path.join(folder, "ligand.pdbqt"),
                           "--scoring", "cnn", "--cnn", ",".join(networks), "--json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit("berth score failed in %s: %s" % (folder, done.stderr))
    cnn = json.loads(done.stdout)["cnn"]
    assert [each["name"] for each in cnn["networks"]] == list(networks), cnn
    for key in ("score", "affinity"):
        mean = sum(each[key] for each in cnn["networks"]) / len(networks)
        assert abs(cnn[key] - mean) < 1e-4 * max(1, abs(mean)), (cnn, key)
    return {each["name"]: (each["score"], each["affinity"]) for each in cnn["networks"]}


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
        mine = score(berth, os.path.join(folder, name), list(expected))
        for network in expected:
            worst.compare("%s, %s" % (name, network), mine[network], expected[network])
    seconds = time.monotonic() - start
    print("%s, %.1f s" % (worst.text(), seconds))
    if seconds > SECONDS:
        worst.faults.append("%d complexes took %.0f s" % (len(table), seconds))
    return worst.faults


# ---- densities by numpy ----

RADII = {"C": 1.9, "N": 1.8, "O": 1.7, "S": 2.0, "P": 2.1, "F": 1.5, "Cl": 1.8, "Br": 2.0, "I": 2.2, "B": 1.92}
BONDED = {"C": .77, "N": .75, "O": .73, "S": 1.02, "P": 1.06, "F": .71, "Cl": .99, "Br": 1.14, "I": 1.33, "H": .37, "B": .90,
          "Mg": 1.3, "Mn": 1.39, "Zn": 1.31, "Ca": 1.74, "Fe": 1.25}
RECEPTOR = {"Br": 4, "I": 4, "Cl": 4, "F": 4, "N": 5, "O": 7, "S": 9, "P": 10, "Ca": 11, "Zn": 12}
LIGAND = {"Br": 4, "I": 4, "Cl": 5, "F": 6, "N": 7, "O": 9, "S": 11, "P": 12}
ELEMENTS = {"A": "C", "HD": "H", "HS": "H", "NA": "N", "NS": "N", "OA": "O", "OS": "O", "SA": "S"}


def read(path):
    """Coordinates, elements, and whether an atom is of AutoDock's type A; without pseudo atoms."""
    import numpy
    places, kinds = [], []
    with open(path) as f:
        for line in f:
            kind = line[77:79].strip()
            if line.startswith(("ATOM", "HETATM")) and kind[0] not in "GW":
                places.append([float(line[k:k + 8]) for k in (30, 38, 46)])
                kinds.append("C" if kind[:2] == "CG" else kind)
    return numpy.array(places), [ELEMENTS.get(kind, kind) for kind in kinds], [kind == "A" for kind in kinds]


def channels(path, ligand):
    """Coordinates, channels and radii of the atoms that have one."""
    import numpy
    x, elements, aromatic = read(path)
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


def densities(folder):
    import numpy
    ligand = channels(os.path.join(folder, "ligand.pdbqt"), True)
    center, grid = ligand[0].mean(axis=0), numpy.zeros((28, 48, 48, 48))
    points = 0.5 * numpy.arange(48) - 11.75
    for x, channel, radius in (ligand, channels(os.path.join(folder, "receptor.pdbqt"), False)):
        for place, c, r in zip(x - center, channel, radius):
            if numpy.abs(place).max() >= 11.75 + 1.5 * r:
                continue
            squares = [(points - place[k]) ** 2 for k in range(3)]
            u = numpy.sqrt(squares[0][:, None, None] + squares[1][:, None] + squares[2]) / r
            grid[c] += numpy.where(u <= 1, numpy.exp(-2 * u * u),
                                   numpy.where(u < 1.5, numpy.exp(-2) * (4 * u * u - 12 * u + 9), 0))
    return grid


def check_live(berth, folder, table, count):
    try:
        import torch
        from gninatorch.gnina import load_gnina_model
    except (ImportError, AttributeError) as missing:  # molgrid is compiled for one version of numpy
        print("not compared with PyTorch: %s" % missing)
        return []
    networks, worst = sorted({network for row in table.values() for network in row}), Worst((LIVE_SCORE, LIVE_AFFINITY))
    models = {network: load_gnina_model(network).eval() for network in networks}
    for name in list(table)[:count]:
        mine = score(berth, os.path.join(folder, name), networks)
        with torch.no_grad():
            grid = torch.tensor(densities(os.path.join(folder, name))[None], dtype=torch.float32)
            for network, model in models.items():
                logarithms, affinity = model(grid)
                worst.compare("%s, %s" % (name, network), mine[network], (float(logarithms[0, 1].exp()), float(affinity[0])))
    print("PyTorch %s, %s" % (torch.__version__, worst.text()))
    return worst.faults


def main():
    berth, table = os.path.join(os.path.abspath(sys.argv[1]), "berth"), wanted()
    missing = {network for row in table.values() for network in row} - installed(berth)
    if missing:
        skip("networks are not installed (scripts/networks fetches them): " + ", ".join(sorted(missing)))
    count = int(sys.argv[sys.argv.index("--live") + 1]) if "--live" in sys.argv else LIVE
    with tempfile.TemporaryDirectory() as folder:
        unpack(table, folder)
        faults = check_table(berth, folder, table) + check_live(berth, folder, table, count)
    for fault in faults:
        print("FAIL", fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
