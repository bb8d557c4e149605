#!/usr/bin/env python3
"""Docks ligands into structures that were determined with other ligands, one by one and as an ensemble.

    crossdock.py dock RESULTS SET... [--program BERTH] [--seeds 1,2] [--jobs N] [-- OPTIONS]
    crossdock.py table RESULTS

A SET is a folder of entries as for poses.py: receptor.pdb, ligand_start.sdf, ligand_crystal.sdf. Entries are of the same
protein if the longest chains share 70 % of their pieces of six residues. Each ligand is docked into all structures of
its protein by --ensemble, its own first, whose frame and box are used, and into each of them alone, as the ensemble
prepared and superposed it. RESULTS has a line of JSON for each ligand and seed: RMSD of the first pose from the crystal's,
in each structure, its own first, and in the ensemble.

The table has the share of first poses within 2 A: in the ligand's own structure, in others, the mean over all, and in
the ensemble; and the difference of the last two, with the interval of 95 % of 2,000 resamplings of proteins.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from judging import seeds_of
from poses import read_poses, rmsd

RESIDUES = dict(zip("ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL".split(),
                    "ARNDCQEGHILKMFPSTWYV"))


def sequence(receptor):
    """Of the longest chain."""
    chains = collections.defaultdict(dict)
    for line in receptor.read_text(encoding="utf-8").splitlines():
        if line.startswith("ATOM") and line[12:16].strip() == "CA":
            chains[line[21]][line[22:27]] = RESIDUES.get(line[17:20], "X")
    return max(("".join(chain.values()) for chain in chains.values()), key=len, default="")


def pieces(text):
    return {text[k:k + 6] for k in range(len(text) - 5)}


def proteins(sets):
    """Lists of two entries and more of the same protein."""
    groups = []
    for entry in (path.parent for folder in sets for path in sorted(folder.glob("*/receptor.pdb"))):
        mine = pieces(sequence(entry / "receptor.pdb"))
        same = [group for group in groups
                if any(len(mine & other) > 0.7 * min(len(mine), len(other)) for _, other in group)]
        groups = [group for group in groups if group not in same]
        groups.append([member for group in same for member in group] + [(entry, mine)])
    return [[entry for entry, _ in group] for group in groups if len(group) > 1]


def first_rmsd(folder, truth):
    files = [path for path in folder.glob("*.sdf")]
    poses = read_poses(files[0]) if files else []
    return rmsd(poses[0], truth) if poses else None


def dock_one(entry, others, seed, options):
    crystal = entry / "ligand_crystal.sdf"
    (truth,) = read_poses(crystal)
    row = {"id": entry.name, "structures": [entry.name, *(other.name for other in others)], "seed": seed}

    def run(receptor, out, *words):
        subprocess.run([options.program, "dock", "-q", "-r", receptor, "-l", entry / "ligand_start.sdf", "--autobox",
                        crystal, "--seed", str(seed), "--threads", "1", "-o", out, *words, *options.rest],
                       capture_output=True, check=False, timeout=1800)
        return first_rmsd(out, truth)

    with tempfile.TemporaryDirectory() as temporary:
        top = pathlib.Path(temporary)
        row["ensemble"] = run(entry / "receptor.pdb", top / "all", "--ensemble", *(o / "receptor.pdb" for o in others))
        prepared = [top / "all/receptor.pdbqt", *(top / f"all/receptor-{k}.pdbqt" for k in range(2, 2 + len(others)))]
        row["single"] = [run(path, top / f"one-{k}") for k, path in enumerate(prepared)]
    return row


def dock(options):
    jobs = [(entry, [other for other in group if other != entry], seed) for seed in options.seeds
            for group in proteins(options.sets) for entry in group]
    with open(options.results, "a", encoding="utf-8") as out, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [pool.submit(dock_one, *job, options) for job in jobs]
        for count, done in enumerate(concurrent.futures.as_completed(running), 1):
            print(json.dumps(done.result()), file=out, flush=True)
            print(f"{count}/{len(jobs)} {done.result()['id']}", file=sys.stderr, flush=True)


def right(value):
    return float(value is not None and value < 2.0)


def mean(values):
    return sum(values) / len(values)


def measures(row):
    singles = [right(value) for value in row["single"]]
    return singles[0], mean(singles[1:]), mean(singles), right(row["ensemble"])


def table(options):
    rows = [json.loads(line) for line in options.results.read_text(encoding="utf-8").splitlines()]
    of_protein = collections.defaultdict(list)
    for row in rows:
        of_protein[min(row["structures"])].append(measures(row))
    shares = [mean(values) for values in zip(*(of for group in of_protein.values() for of in group))]
    draw, groups, differences = random.Random(1), list(of_protein.values()), []
    for _ in range(2000):
        drawn = [of for group in draw.choices(groups, k=len(groups)) for of in group]
        differences.append(mean([of[3] - of[2] for of in drawn]))
    differences.sort()
    print(f"{len(rows)} dockings of {len({row['id'] for row in rows})} ligands, {len(groups)} proteins; first pose right")
    for name, share in zip(("own structure", "other structures", "mean of all", "ensemble"), shares):
        print(f"  {name:17} {100 * share:5.1f} %")
    better = sum(of[3] > of[2] for group in groups for of in group)
    worse = sum(of[3] < of[2] for group in groups for of in group)
    print(f"ensemble less mean: {100 * (shares[3] - shares[2]):+.1f} points (95 % {100 * differences[50]:+.1f} to "
          f"{100 * differences[1949]:+.1f}); better {better}, worse {worse}")


def main():
    own, rest = sys.argv[1:], []
    if "--" in own:
        own, rest = own[:own.index("--")], own[own.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    docking = commands.add_parser("dock")
    docking.add_argument("results", type=pathlib.Path)
    docking.add_argument("sets", nargs="+", type=pathlib.Path)
    docking.add_argument("--program", default="berth")
    docking.add_argument("--seeds", type=seeds_of, default=[1])
    docking.add_argument("--jobs", type=int, default=1)
    commands.add_parser("table").add_argument("results", type=pathlib.Path)
    options = parser.parse_args(own)
    options.rest = rest
    dock(options) if options.command == "dock" else table(options)


if __name__ == "__main__":
    main()
