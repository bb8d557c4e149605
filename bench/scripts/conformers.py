#!/usr/bin/env python3
"""How many generated conformers of a ligand should be docked, and how their poses should be ranked together.

    conformers.py dock RESULTS SET... [--program BERTH] [--conformers 8] [--seeds 1,2] [--jobs N] [-- OPTIONS]
    conformers.py table RESULTS [--counts 1,2,4,8] [--strains 0,0.05,0.1] [--json FILE]

A SET is a folder as for poses.py. Each ligand is docked from its SMILES, which is derived from ligand_start.sdf, so
that each conformer differs in rings, angles and bond lengths as well; `berth dock --conformers` docks them one by one.
The poses of the first n conformers are then ranked together by rank_energy + w * strain (kcal/mol; the strain of a pose
is limited to 40, and 10 where it is unknown). n = 1 with w = 0 is what `berth dock` does with one conformer.

RMSD, halves and McNemar's test are those of poses.py. A complex that was not docked counts as wrong.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from judging import half_of, processor, provenance, seeds_of, sign_test, version_of
from poses import ids_of, read_poses, read_rows, rmsd
from rdkit import Chem

KEPT = ("docking_score", "rank_energy", "CNNscore", "CNNaffinity", "strain", "cluster_size")
RIGHT = 2.0


def smiles_of(path):
    mol = next(iter(Chem.SDMolSupplier(str(path))))
    Chem.AssignStereochemistryFrom3D(mol)
    return Chem.MolToSmiles(mol)


def pose_row(pose, truth):
    items = {key: float(pose.GetProp(key)) for key in KEPT if pose.HasProp(key) and pose.GetProp(key)}
    found = rmsd(pose, truth)
    return items | {"rmsd": None if found is None else round(found, 3)}


def dock_one(job, options):
    folder = job["folder"]
    row = {"set": folder.parent.name, "id": folder.name, "seed": job["seed"]} | options.known
    with tempfile.TemporaryDirectory() as temporary:
        ligand, out = pathlib.Path(temporary) / "ligand.smi", pathlib.Path(temporary) / "out"
        ligand.write_text(f"{smiles_of(folder / 'ligand_start.sdf')} ligand\n", encoding="utf-8")
        command = [options.program, "dock", "-q", "-r", folder / "receptor.pdb", "-l", ligand, "--autobox",
                   folder / "ligand_crystal.sdf", "-o", out, "--format", "sdf,json", "--threads", "1",
                   "--seed", str(job["seed"]), "--conformers", str(options.conformers),
                   "--conformer-seed", str(41 + job["seed"]), *options.rest]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        row["exit_code"] = done.returncode
        if done.returncode != 0:
            row["error"] = done.stderr.strip()[-400:]
        (truth,) = read_poses(folder / "ligand_crystal.sdf")
        row["conformers"] = {}
        for path in sorted(out.glob("*.sdf")):
            number = re.search(r"_c(\d+)$", path.stem)
            row["conformers"][number.group(1) if number else "1"] = [pose_row(pose, truth) for pose in read_poses(path)]
        for told in out.glob("*.json"):
            row["device"] = json.loads(told.read_text(encoding="utf-8")).get("device", "")
    return row


def dock(options):
    options.known = {**version_of(options.program), "cpu": processor()}
    have = {(row["set"], row["id"], row["seed"]) for row in read_rows(options.results)}
    jobs = [{"folder": folder / name, "seed": seed} for seed in options.seeds for folder in options.sets
            for name in sorted(ids_of(folder)) if (folder.name, name, seed) not in have]
    with open(options.results, "a", encoding="utf-8") as out, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [pool.submit(dock_one, job, options) for job in jobs]
        for done in concurrent.futures.as_completed(running):
            print(json.dumps(done.result()), file=out, flush=True)


def is_right(pose):
    return pose is not None and pose["rmsd"] is not None and pose["rmsd"] <= RIGHT


def first_of(row, count, strain):
    """The first pose of the first conformers by rank_energy and strain; None without a pose."""
    poses = [pose for number, poses in row["conformers"].items() if int(number) <= count for pose in poses]
    return min(poses, key=lambda pose: pose["rank_energy"] + strain * min(pose.get("strain", 10.0), 40.0), default=None)


def row_of(rows, count, strain, base):
    right = {key for key, row in rows.items() if is_right(first_of(row, count, strain))}
    pool = sum(any(is_right(pose) for number, poses in row["conformers"].items() if int(number) <= count
                   for pose in poses) for row in rows.values())
    base = right if base is None else base
    groups = collections.Counter()
    for set_name, name, _ in rows:
        groups[set_name, half_of(name)] += 1
    halves = {f"{set_name} {half}": {"n": n, "right": sum(s == set_name and half_of(i) == half for s, i, _ in right)}
              for (set_name, half), n in sorted(groups.items())}
    gained, lost = len(right - base), len(base - right)
    return right, {"conformers": count, "strain_weight": strain, "n": len(rows), "first_2": len(right), "pool_2": pool,
                   "gained": gained, "lost": lost, "p": sign_test(gained, lost), "halves": halves}


def table(options):
    found = read_rows(options.results)
    rows = {(row["set"], row["id"], row["seed"]): row for row in found}
    base, lines = None, []
    for count in options.counts:
        for strain in options.strains:
            right, line = row_of(rows, count, strain, base)
            base = right if base is None else base
            lines.append(line)
            halves = " ".join(f"{name} {half['right']}/{half['n']}" for name, half in line["halves"].items())
            print(f"conformers {count} strain {strain:<5} first {line['first_2']}/{line['n']} pool {line['pool_2']} "
                  f"+{line['gained']} -{line['lost']} p {line['p']:.2g}  {halves}")
    if options.json:
        command = "bench/scripts/conformers.py dock RESULTS posebusters astex --conformers 8 --seeds 1,2"
        told = {"benchmark": "conformers", **provenance(found, options, command), "rows": lines}
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def main():
    words, rest = sys.argv[1:], []
    if "--" in words:
        words, rest = words[:words.index("--")], words[words.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    docking = actions.add_parser("dock")
    docking.add_argument("results", type=pathlib.Path)
    docking.add_argument("sets", type=pathlib.Path, nargs="+")
    docking.add_argument("--program", default="berth")
    docking.add_argument("--conformers", type=int, default=8)
    docking.add_argument("--seeds", type=seeds_of, default=[1])
    docking.add_argument("--jobs", type=int, default=1)
    judging = actions.add_parser("table")
    judging.add_argument("results", type=pathlib.Path)
    judging.add_argument("--counts", type=seeds_of, default=[1, 2, 4, 8])
    judging.add_argument("--strains", type=lambda text: [float(word) for word in text.split(",")],
                         default=[0.0, 0.05, 0.1])
    judging.add_argument("--command", help="to write into the JSON in the place of the usual one")
    judging.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args(words)
    options.rest = rest
    (dock if options.action == "dock" else table)(options)


if __name__ == "__main__":
    main()
