#!/usr/bin/env python3
"""Where the time of a generation goes on an NVIDIA GPU: kernels of a docking, timed by Nsight Compute.

Usage: bench/scripts/phases.py [-b BIN] [-o FILE.json] [--device cuda:0] [--runs N] [--population N] MAPS.fld LIGAND.pdbqt

Figures 5 to 8 of the paper on the genetic algorithm on CUDA (docs/papers.md). A generation has four kernels: `prepare`
(the elite; the wheel of proportional selection), `offspring` (selection, crossover, mutation, the box, energies), the
local search, and `finish` (the best, the counts). What selection, crossover and mutation cost is the difference of
`offspring` with and without them, median of the generations. Exit code 77: no ncu.
"""
import argparse
import collections
import csv
import datetime
import io
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

PHASES = ("prepare", "offspring", "adadelta", "finish")
VARIANTS = {"all": [], "no crossover": ["--crossover-rate", "0"], "no mutation": ["--mutation-rate", "0"],
            "proportional selection": ["--selection", "proportional"]}


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("maps")
    parser.add_argument("ligand")
    parser.add_argument("-b", "--bin", default="build/release/bin")
    parser.add_argument("-o", "--output", default="phases.json")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--population", type=int, default=150)
    parser.add_argument("--teams", default="1,32,64")
    return parser.parse_args()


def median_times(a, team, search, more):
    """Median nanoseconds of each kernel's launches."""
    with tempfile.TemporaryDirectory() as folder:
        dock = [f"{a.bin}/berth", "dock", "-q", "-r", a.maps, "-l", a.ligand, "-o", folder, "--device", a.device, "--local-search",
                search, "--runs", str(a.runs), "--population", str(a.population), "--evals", "100k" if search != "none" else "4k",
                "--autostop", "off", "--seed", "1", "--team", str(team), "--format", "csv", *more]
        ncu = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--launch-count", "150", "--metrics", "gpu__time_duration.sum"]
        run = subprocess.run(ncu + dock, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if first is None:
        sys.exit(f"bench/scripts/phases.py: no kernel was read: {(run.stdout + run.stderr)[-600:]}")
    rows = list(csv.DictReader(io.StringIO("\n".join(lines[first:]))))
    scale = {"us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6, "ns": 1, "nsecond": 1}[rows[0]["gpu__time_duration.sum"]]
    times = collections.defaultdict(list)
    for row in rows[1:]:
        name = re.sub(r"^bt_|_kernel$|^k_|^entry_", "", re.sub(r"\(.*", "", row["Kernel Name"]))
        times[name].append(float(row["gpu__time_duration.sum"].replace(",", "")) * scale)
    return {name: {"launches": len(values), "median_ns": statistics.median(values), "sum_ns": sum(values)} for name, values in times.items()}


def main():
    a = arguments()
    if shutil.which("ncu") is None:
        print("bench/scripts/phases.py: no ncu on the PATH", file=sys.stderr)
        sys.exit(77)
    version = json.loads(subprocess.run([f"{a.bin}/berth", "--version", "--json"], capture_output=True, text=True, check=True).stdout)
    card = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout
    rows = []
    for team in map(int, a.teams.split(",")):
        rows.append({"team": team, "variant": "ADADELTA", "kernels": median_times(a, team, "adadelta", [])})
        for variant, more in VARIANTS.items():
            rows.append({"team": team, "variant": variant, "kernels": median_times(a, team, "none", more)})
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    folder = os.path.basename(os.path.dirname(os.path.abspath(a.maps)))
    result = {"benchmark": "phases", "command": f"bench/scripts/phases.py {folder}/{os.path.basename(a.maps)} {folder}/{os.path.basename(a.ligand)}",
              "version": version["version"], "commit": version["commit"], "compiler": version["compiler"], "cpu": cpu,
              "system": f"{platform.system()} {platform.machine()}", "date": datetime.date.today().isoformat(), "valid": True,
              "device": a.device, "description": card.splitlines()[0] if card else "", "runs": a.runs, "population": a.population,
              "rows": rows}
    with open(a.output, "w", encoding="utf-8") as stream:
        json.dump(result, stream, indent=1)
        stream.write("\n")


if __name__ == "__main__":
    main()
