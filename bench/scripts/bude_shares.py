#!/usr/bin/env python3
"""BUDE's conformers on several devices at once, such as CPU and GPU: what each device docks, and the total time.

Usage: bench/scripts/bude_shares.py [-b BIN] [-o FILE.json] [--conformers N] [--population N] [--repeats N]
                                    RECEPTOR DEVICES...

Ten flexible drugs with so many conformers each (128; made by RDKit) are docked into the receptor of the set DEF with
each of DEVICES in turn: "cuda:0" "cpu" "cuda:0,cpu". The conformers of each that differ are counted (conformers.py).
Seconds are the median of the repeats; the very first docking, which tunes the kernels, is left out. Ligands are
counted as different if their best pose is not that of the first row, since devices round differently. The energies of
the best poses are valid if the CPU, without vectors, gives them the same where they were written, within the rounding
of coordinates. Exit code 77: this build cannot make conformers; 3: they are not, and no time is reported.
"""
import argparse
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile

import conformers
import measured

DRUGS = {"verapamil": "COc1ccc(CCN(C)CCCC(C#N)(C(C)C)c2ccc(OC)c(OC)c2)cc1OC",
         "bisoprolol": "CC(C)NCC(O)COc1ccc(COCCOC(C)C)cc1",
         "lisinopril": "NCCCCC(NC(CCc1ccccc1)C(=O)O)C(=O)N1CCCC1C(=O)O",
         "salmeterol": "OCc1cc(ccc1O)C(O)CNCCCCCCOCCCCc1ccccc1",
         "atorvastatin": "CC(C)c1n(CCC(O)CC(O)CC(=O)O)c(-c2ccc(F)cc2)c(-c2ccccc2)c1C(=O)Nc1ccccc1",
         "amiodarone": "CCCCc1oc2ccccc2c1C(=O)c1cc(I)c(OCCN(CC)CC)c(I)c1",
         "ranitidine": "CNC(=C[N+](=O)[O-])NCCSCc1ccc(CN(C)C)o1",
         "alfuzosin": "COc1cc2nc(nc(N)c2cc1OC)N(C)CCCNC(=O)C1CCCO1",
         "tamsulosin": "CCOc1ccccc1OCCNC(C)Cc1ccc(OC)c(c1)S(N)(=O)=O",
         "propafenone": "CCCNCC(O)COc1ccccc1C(=O)CCc1ccccc1"}
TOLERANCE = 5e-4  # of an energy, for coordinates with four decimals
BOX = ["--center=-36.0095,25.6285,67.492", "--size", "12,12,12"]


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("receptor")
    parser.add_argument("devices", nargs="+")
    parser.add_argument("-b", "--bin", default="build/release/bin")
    parser.add_argument("-o", "--output", default="bude-shares.json")
    parser.add_argument("--conformers", type=int, default=128)
    parser.add_argument("--population", type=int, default=65536)
    parser.add_argument("--repeats", type=int, default=3)
    return parser.parse_args()


def prepare(a, folder):
    """The library ten.btl, and how many conformers of each drug differ."""
    with open(os.path.join(folder, "ten.smi"), "w", encoding="utf-8") as stream:
        stream.writelines(f"{smiles} {name}\n" for name, smiles in DRUGS.items())
    library, as_text = os.path.join(folder, "ten.btl"), os.path.join(folder, "ten.sdf")
    for words in (["library", "-l", os.path.join(folder, "ten.smi"), "-o", library, "--conformers", str(a.conformers)],
                  ["ligand", "-l", library, "-o", as_text]):
        made = subprocess.run([f"{a.bin}/berth", "prep", *words, "-q"], capture_output=True, text=True)
        if made.returncode != 0:
            print(f"bench/scripts/bude_shares.py: {made.stderr}", file=sys.stderr)
            sys.exit(77)
    return {name: conformers.distinct(*molecule) for name, molecule in conformers.read(as_text).items()}


def best_poses(folder):
    with open(os.path.join(folder, "ranking.csv"), encoding="utf-8") as stream:
        return {row["ligand"]: row for row in csv.DictReader(stream) if row["pose"] in ("", "1")}


def is_valid(a, folder):
    """Of the docking in folder/out."""
    scored = os.path.join(folder, "scored")
    run = subprocess.run([f"{a.bin}/berth", "bude", "-q", "-r", a.receptor, "-l", os.path.join(folder, "out/poses.mol2"),
                          "--score", "--device", "cpu/scalar", "-o", scored, "--overwrite", "--format", "csv"],
                         capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"bench/scripts/bude_shares.py: {run.stderr}")
    docked, again = best_poses(os.path.join(folder, "out")), best_poses(scored)
    return docked.keys() == again.keys() and all(
        abs(float(row["energy"]) - float(again[name]["energy"])) <= TOLERANCE * (1 + abs(float(row["energy"])))
        for name, row in docked.items())


def dock(a, folder, devices):
    """Seconds of the command, pairs of atoms per second of the searches alone, conformers of each device, and the best
    pose of each ligand."""
    out = os.path.join(folder, "out")
    run = subprocess.run([f"{a.bin}/berth", "bude", "-q", "-r", a.receptor, "-l", os.path.join(folder, "ten.btl"),
                          "-o", out, "--overwrite", "--format", "csv,mol2", "--population", str(a.population), "--device",
                          devices, *BOX],
                         capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"bench/scripts/bude_shares.py: {devices}: {run.stderr}")
    seconds = float(re.search(r"in ([0-9.]+) seconds", run.stdout).group(1))
    rate = float(re.search(r"([0-9.]+) x 10\^9 interactions/s", run.stdout).group(1)) * 1e9
    told = re.search(r"^conformers: (.*)$", run.stdout, re.MULTILINE)
    best = best_poses(out)
    total = sum(int(row["conformers"]) for row in best.values())
    shares = dict(part.rsplit(" ", 1) for part in told.group(1).split(", ")) if told else {devices: total}
    poses = {name: (row["conformer"], row["energy"]) for name, row in best.items()}
    return seconds, rate, {name: int(n) for name, n in shares.items()}, poses


def main():
    a = arguments()
    a.receptor = os.path.abspath(a.receptor)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        distinct = prepare(a, folder)
        for devices in a.devices:
            dock(a, folder, devices)
            runs = [dock(a, folder, devices) for _ in range(a.repeats)]
            seconds = [run[0] for run in runs]
            poses, valid = runs[-1][3], is_valid(a, folder)
            if not rows:
                first = poses
            times = {"seconds": statistics.median(seconds), "seconds_min": min(seconds), "seconds_max": max(seconds),
                     "interactions_per_second": statistics.median(run[1] for run in runs)}
            rows.append({"devices": devices, "valid": valid, **(times if valid else {}), "shares": runs[-1][2],
                         "differ": sum(poses[name][0] != first[name][0]
                                       or abs(float(poses[name][1]) - float(first[name][1])) > 0.01
                                       for name in first)})
    command = (f"bench/scripts/bude_shares.py --population {a.population} --conformers {a.conformers} receptor.pdbqt "
               + " ".join(a.devices))
    accelerator = next((name for name in ",".join(a.devices).split(",") if not name.startswith("cpu")), None)
    result = measured.provenance(f"{a.bin}/berth", "bude-shares", command, accelerator)
    valid = all(row["valid"] for row in rows)
    measured.write(a.output, {**result, "valid": valid, "ligands": len(DRUGS), "conformers": a.conformers,
                              "distinct": distinct,
                              "generations": 8,
                              "population": a.population, "rows": rows})
    sys.exit(0 if valid else 3)


if __name__ == "__main__":
    main()
