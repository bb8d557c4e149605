#!/usr/bin/env python3
"""Where the time of a generation goes on an NVIDIA GPU: kernels of a docking, timed by Nsight Compute.

Usage: bench/scripts/phases.py [-b BIN] [-o FILE.json] [--device cuda:0] [--runs N] [--population N] [--teams LIST]
                               MAPS.fld LIGAND.pdbqt

Figures 5 to 8 of the paper on the genetic algorithm on CUDA (docs/papers.md). A generation has four kernels: `prepare`
(the elite; the wheel of proportional selection), `offspring` (selection, crossover, mutation, the box, energies), the
local search, and `finish` (the best, the counts). What selection, crossover and mutation cost is the difference of
`offspring` with and without them, median of the generations. Exit code 77: no ncu.
"""
import argparse
import collections
import re
import statistics
import sys
import tempfile

import measured

TIME = "gpu__time_duration.sum"
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
        dock = [f"{a.bin}/berth", "dock", "-q", "-r", a.maps, "-l", a.ligand, "-o", folder, "--device", a.device,
                "--local-search", search, "--runs", str(a.runs), "--population", str(a.population), "--evals",
                "100k" if search != "none" else "4k", "--autostop", "off", "--seed", "1", "--team", str(team),
                "--format", "csv", *more]
        rows = measured.kernels(["--launch-count", "150"], [TIME], dock)
    if isinstance(rows, str):
        sys.exit(f"bench/scripts/phases.py: no kernel was read: {rows}")
    times = collections.defaultdict(list)
    for row in rows:
        times[re.sub(r"^bt_", "", re.sub(r"\(.*", "", row["kernel"]))].append(row[TIME])
    return {name: {"launches": len(values), "median_ns": statistics.median(values), "sum_ns": sum(values)}
            for name, values in times.items()}


def main():
    a = arguments()
    measured.need_ncu()
    rows = []
    for team in map(int, a.teams.split(",")):
        rows.append({"team": team, "variant": "ADADELTA", "kernels": median_times(a, team, "adadelta", [])})
        for variant, more in VARIANTS.items():
            rows.append({"team": team, "variant": variant, "kernels": median_times(a, team, "none", more)})
    command = f"bench/scripts/phases.py {measured.beside_its_folder(a.maps)} {measured.beside_its_folder(a.ligand)}"
    measured.write(a.output, {**measured.provenance(f"{a.bin}/berth", "phases", command, a.device), "valid": True,
                              "runs": a.runs, "population": a.population, "rows": rows})


if __name__ == "__main__":
    main()
