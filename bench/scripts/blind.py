#!/usr/bin/env python3
"""Blind docking of complexes with known poses: do the pockets contain the pose, and does `berth dock --blind` find it?

    blind.py --berth build/release/bin/berth --set FOLDER --receptor protein.pdbqt --crystal flex-xray.pdbqt \\
             --start rand-0.pdbqt --table blind.tsv [--dock] [--pockets 5] [--runs 20] [--effort normal]

FOLDER has a folder per complex. The table gets a line per complex as soon as it is done; the summary, fractions with
Wilson's 95 % intervals, goes to standard output.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile


def atoms(path):
    return [(float(line[30:38]), float(line[38:46]), float(line[46:54])) for line in path.read_text().splitlines()
            if line.startswith(("ATOM", "HETATM"))]


def center(points):
    return [sum(p[k] for p in points) / len(points) for k in range(3)]


def run(words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def first_rank(ranks):
    return next((i + 1 for i, good in enumerate(ranks) if good), 0)


def dock(arguments, folder, *words):
    """Seconds, RMSD of the first pose, smallest RMSD of the best poses of the first five clusters."""
    with tempfile.TemporaryDirectory() as out:
        line = run([arguments.berth, "dock", "-r", folder / arguments.receptor, "-l", folder / arguments.start,
                    "--reference", folder / arguments.crystal, "--seed", 1, "--runs", arguments.runs, "-q", "--json",
                    "--threads", 1, "--effort", arguments.effort, "-o", out, *words])[0]
        stem = pathlib.Path(arguments.start).stem
        data = json.loads((pathlib.Path(out) / f"{stem}.json").read_text())
    rmsd = {r["run"]: r["rmsd_reference"] for r in data["runs"]}
    best = [rmsd[c["best_run"]] for c in data["clusters"]]
    return line["seconds"], best[0], min(best[:5]), line["best"].get("site", 0)


def wilson(hits, n):
    if n == 0:
        return "-"
    z, p = 1.96, hits / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    return f"{hits} of {n} ({100 * p:.0f} %, {100 * low:.0f} to {100 * high:.0f})"


def complexes(arguments):
    for folder in sorted(pathlib.Path(arguments.set).iterdir()):
        if not (folder / arguments.crystal).is_file():
            continue
        ligand = center(atoms(folder / arguments.crystal))
        pockets = run([arguments.berth, "pockets", "-r", folder / arguments.receptor, "--json", "-q", "--pockets",
                       1000])
        row = {"complex": folder.name, "pockets": len(pockets),
               "near": first_rank(math.dist(p["center"], ligand) <= 4 for p in pockets),
               "within": first_rank(all(a - 1 <= x <= b + 1 for a, x, b in zip(p["low"], ligand, p["high"]))
                                    for p in pockets)}
        if arguments.dock:
            row["blind_s"], row["blind"], row["blind_5"], row["site"] = dock(
                arguments, folder, "--blind", "--pockets", arguments.pockets)
            row["known_s"], row["known"], row["known_5"], _ = dock(
                arguments, folder, "--autobox", folder / arguments.crystal)
        yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in "berth", "set", "receptor", "crystal", "table":
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--start")
    parser.add_argument("--dock", action="store_true")
    parser.add_argument("--pockets", default=5)
    parser.add_argument("--runs", default=20)
    parser.add_argument("--effort", default="normal")
    arguments = parser.parse_args()
    rows = []
    with open(arguments.table, "w") as table:
        for row in complexes(arguments):
            if not rows:
                print(*row, sep="\t", file=table)
            print(*(f"{v:.2f}" if isinstance(v, float) else v for v in row.values()), sep="\t", file=table, flush=True)
            rows.append(row)
    for what, text in ("near", "center within 4 A of a pocket's"), ("within", "center in a pocket's extent"):
        for most in 1, 3, 5:
            print(f"{text}, first {most}: {wilson(sum(0 < r[what] <= most for r in rows), len(rows))}")
    for what in ("blind", "blind_5", "known", "known_5") if arguments.dock else ():
        print(f"{what} within 2 A: {wilson(sum(r[what] <= 2 for r in rows), len(rows))}")


if __name__ == "__main__":
    main()
