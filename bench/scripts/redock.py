#!/usr/bin/env python3
"""Redocks complexes with Berth or Vina, and counts how often the top-ranked pose is correct.

    redock.py run COMPLEXES TABLE --name NAME [--seed N] [--order random] [--limit N] -- COMMAND...
    redock.py compare COMPLEXES TABLE [NAME...] [--json FILE]

COMPLEXES is a folder with boxes.tsv (complex, heavy_atoms, torsions, center_x ... size_z) and COMPLEX/receptor.pdbqt
and COMPLEX/ligand.pdbqt, the crystal pose. `run` calls COMMAND for each complex, with

    {receptor} {ligand} {center} {size}  (x,y,z)  {center_x} ... {size_z}  {seed}  {out}

replaced; {out} is a new folder. The first pose, its inter + intra and the user CPU seconds go into TABLE, one row per
complex, name and seed; rows that exist are not run again. Results are read from {out}/*.json, as written by `berth
dock`, or from {out}/*.pdbqt with Vina's remarks. For example

    redock.py run redock t.tsv --name vina-32 -- vina --receptor {receptor} --ligand {ligand} --center_x {center_x} \\
        --center_y {center_y} --center_z {center_z} --size_x {size_x} --size_y {size_y} --size_z {size_z} \\
        --exhaustiveness 32 --cpu 1 --seed {seed} --out {out}/out.pdbqt
    redock.py run redock t.tsv --name berth -- berth dock -r {receptor} -l {ligand} --center {center} --size {size} \\
        --scoring vina -s {seed} -t 1 --device cpu -q -o {out} --format pdbqt

`compare` prints, for the complexes that all names have, how many first poses are within 2 Angstrom (mean over seeds,
with Wilson's 95 % interval), CPU seconds, and how each name's lowest energy compares with the lowest of the first name.
"""
import argparse
import csv
import json
import math
import pathlib
import random
import resource
import statistics
import subprocess
import tempfile

import measured

RADII = {"H": 0.31, "C": 0.76, "N": 0.71, "O": 0.66, "F": 0.57, "P": 1.07, "S": 1.05, "Cl": 1.02, "Br": 1.20, "I": 1.39}
TYPES = {"A": "C", "NA": "N", "NS": "N", "OA": "O", "OS": "O", "SA": "S", "HD": "H", "HS": "H", "CL": "Cl", "BR": "Br"}
FIELDS = ["complex", "name", "seed", "rmsd", "energy", "seconds"]


def element(line):
    word = line[77:].split()[0].upper()
    return TYPES.get(word, word.capitalize())


def heavy_atoms(text):
    """Elements and coordinates of the first model."""
    atoms = []
    for line in text.splitlines():
        if line.startswith(("ATOM", "HETATM")) and element(line) != "H":
            atoms.append((element(line), tuple(float(line[a:a + 8]) for a in (30, 38, 46))))
        if line.startswith("ENDMDL"):
            break
    return atoms


def symmetric_rmsd(crystal, pose):
    """Minimum over the automorphisms of the crystal ligand's graph (elements and bonds); same order of atoms."""
    n = len(crystal)
    bonded = [{j for j in range(n) if j != i and math.dist(crystal[i][1], crystal[j][1])
               < RADII.get(crystal[i][0], 1.3) + RADII.get(crystal[j][0], 1.3) + 0.45} for i in range(n)]
    classes = [crystal[i][0] for i in range(n)]
    for _ in range(n):
        classes = [hash((classes[i], tuple(sorted(classes[j] for j in bonded[i])))) for i in range(n)]
    order, seen = [], set()
    for start in range(n):  # so that each atom but the first of a component is bonded to an earlier one
        waiting = [start]
        while waiting:
            i = waiting.pop()
            if i not in seen:
                seen.add(i)
                order.append(i)
                waiting += sorted(bonded[i] - seen)
    square = [[math.dist(crystal[i][1], pose[j][1]) ** 2 for j in range(n)] for i in range(n)]
    best = sum(square[i][i] for i in range(n))
    image, used = {}, set()

    def extend(at, total):
        nonlocal best
        if total >= best:
            return
        if at == n:
            best = total
            return
        i = order[at]
        known = [k for k in bonded[i] if k in image]
        candidates = bonded[image[known[0]]] if known else range(n)
        for j in sorted(candidates, key=lambda j: square[i][j]):
            if j not in used and classes[i] == classes[j] and all(image[k] in bonded[j] for k in known):
                image[i] = j
                used.add(j)
                extend(at + 1, total + square[i][j])
                used.remove(j)
                del image[i]

    extend(0, 0.0)
    return math.sqrt(best / n)


def first_pose(out):
    """Atoms in the input's order, inter + intra."""
    pdbqt = next(pathlib.Path(out).glob("*.pdbqt")).read_text()
    results = [path for path in pathlib.Path(out).glob("*.json")]
    if results:
        docking = json.loads(results[0].read_text())
        first = next(run for run in docking["runs"] if run["run"] == docking["clusters"][0]["best_run"])
        return heavy_atoms(pdbqt), first["inter"] + first["intra"]
    energy = next(line for line in pdbqt.splitlines() if "INTER + INTRA:" in line)
    return heavy_atoms(pdbqt), float(energy.split(":")[1])


def read_boxes(complexes):
    with open(complexes / "boxes.tsv") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def read_table(path):
    if not path.exists():
        return []
    with open(path) as file:
        return list(csv.DictReader(file, delimiter="\t"))


def run(options):
    boxes = read_boxes(options.complexes)
    if options.order == "random":
        random.Random(1).shuffle(boxes)
    done = {(row["complex"], row["name"], row["seed"]) for row in read_table(options.table)}
    for box in boxes[:options.limit]:
        name = box["complex"]
        if (name, options.name, str(options.seed)) in done:
            continue
        folder = options.complexes / name
        with tempfile.TemporaryDirectory() as out:
            words = dict(box, receptor=folder / "receptor.pdbqt", ligand=folder / "ligand.pdbqt", seed=options.seed,
                         out=out, center=",".join(box["center_" + x] for x in "xyz"),
                         size=",".join(box["size_" + x] for x in "xyz"))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            ended = subprocess.run([word.format(**words) for word in options.command], capture_output=True, text=True)
            seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            if ended.returncode not in (0, 2):
                print("%s: %s" % (name, ended.stderr.strip().splitlines()[-1:]), flush=True)
                continue
            pose, energy = first_pose(out)
        rmsd = symmetric_rmsd(heavy_atoms((folder / "ligand.pdbqt").read_text()), pose)
        new = not options.table.exists()
        with open(options.table, "a") as file:
            if new:
                file.write("\t".join(FIELDS) + "\n")
            file.write("%s\t%s\t%d\t%.3f\t%.3f\t%.2f\n" % (name, options.name, options.seed, rmsd, energy, seconds))
        print("%s %.2f A, %.3f kcal/mol, %.1f s" % (name, rmsd, energy, seconds), flush=True)


def wilson(share, n):
    z = 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return 100 * (middle - half), 100 * (middle + half)


def compare(options):
    rows = read_table(options.table)
    names = options.names or list(dict.fromkeys(row["name"] for row in rows))
    by = {name: {} for name in names}
    for row in rows:
        if row["name"] in by:
            by[row["name"]].setdefault(row["complex"], []).append(row)
    common = sorted(set.intersection(*(set(found) for found in by.values())))
    if not common:
        raise SystemExit("no complex has been docked under every name")
    print("%d complexes" % len(common))
    columns = ["", "seeds", "first pose within 2 A", "CPU seconds, median", "its ratio to the first, median", "least",
               "lowest energy above the first's by more than 0.1", "by at most"]
    table = []
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    mean = {name: {c: statistics.mean(float(row["seconds"]) for row in by[name][c]) for c in common} for name in names}
    lowest = {name: {c: min(float(row["energy"]) for row in by[name][c]) for c in common} for name in names}
    for name in names:
        right = statistics.mean(statistics.mean(float(row["rmsd"]) <= 2 for row in by[name][c]) for c in common)
        ratios = [mean[names[0]][c] / max(mean[name][c], 0.01) for c in common]
        above = [lowest[name][c] - lowest[names[0]][c] for c in common]
        table.append([name, "%d" % min(len(by[name][c]) for c in common), "%.1f of %d, %.0f %% (%.0f to %.0f)" % (
            right * len(common), len(common), 100 * right, *wilson(right, len(common))),
            "%.2f" % statistics.median(mean[name].values()), "%.1f" % statistics.median(ratios), "%.1f" % min(ratios),
            "%d" % sum(a > 0.1 for a in above), "%.2f" % max(above)])
        print("| " + " | ".join(table[-1]) + " |")
    if options.json is not None:
        command = "bench/scripts/redock.py run COMPLEXES TABLE ...; bench/scripts/redock.py compare COMPLEXES TABLE"
        measured.write(options.json, {
            **measured.provenance(options.program, "table", command), "columns": columns,
            "rows": table
        })


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    one = commands.add_parser("run")
    one.add_argument("complexes", type=pathlib.Path)
    one.add_argument("table", type=pathlib.Path)
    one.add_argument("--name", required=True)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--order", choices=("file", "random"), default="file")
    one.add_argument("--limit", type=int)
    one.add_argument("command", nargs="+")
    two = commands.add_parser("compare")
    two.add_argument("complexes", type=pathlib.Path)
    two.add_argument("table", type=pathlib.Path)
    two.add_argument("names", nargs="*")
    two.add_argument("--json", type=pathlib.Path)
    two.add_argument("--program", default="berth", help="whose commit the JSON names")
    options = parser.parse_args()
    run(options) if options.what == "run" else compare(options)


if __name__ == "__main__":
    main()
