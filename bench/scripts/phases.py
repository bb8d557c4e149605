#!/usr/bin/env python3
"""Where the time of a generation goes on an NVIDIA GPU: kernels of a docking, timed by Nsight Compute.

Usage: bench/scripts/phases.py [-b BIN] [-o FILE.json] [--device cuda:0] [--runs N] [--population N] [--teams LIST]
                               MAPS.fld LIGAND.pdbqt

Figures 5 to 8 of the paper on the genetic algorithm on CUDA (docs/papers.md). A generation has four kernels: `prepare`
(the elite; the wheel of proportional selection), `offspring` (selection, crossover, mutation, the box, energies), the
local search, and `finish` (the best, the counts). The cost of selection, crossover and mutation is the difference of
`offspring` with and without them, median over generations. With --device cpu, dockings on one thread with few and with
many generations are timed instead: user time per generation, shortest of five rounds. Exit code 77: no ncu; 3: energies
are not those of double precision, and no time is reported.
"""
import argparse
import collections
import re
import resource
import statistics
import subprocess
import sys
import tempfile

import measured

TIME = "gpu__time_duration.sum"
VARIANTS = {"all": [], "no crossover": ["--crossover-rate", "0"], "no mutation": ["--mutation-rate", "0"],
            "proportional selection": ["--selection", "proportional"]}
# generations of the short and the long docking on the processor
ROUNDS = 5
LENGTHS = {"none": (20, 220), "adadelta": (1, 4)}


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
    """Median nanoseconds per launch of each kernel."""
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


def user_seconds(a, search, generations, more):
    with tempfile.TemporaryDirectory() as folder:
        dock = [f"{a.bin}/berth", "dock", "-q", "-r", a.maps, "-l", a.ligand, "-o", folder, "--device", a.device,
                "--threads", "1", "--local-search", search, "--runs", str(a.runs), "--population", str(a.population),
                "--evals", "1000M", "--generations", str(generations), "--autostop", "off", "--seed", "1", "--format",
                "csv", *more]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(dock, check=True, stdout=subprocess.DEVNULL)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def processor(a):
    variants = [("ADADELTA", "adadelta", [])] + [(name, "none", more) for name, more in VARIANTS.items()]
    shortest = {}
    for _ in range(ROUNDS):
        for name, search, more in variants:
            for k, generations in enumerate(LENGTHS[search]):
                seconds = user_seconds(a, search, generations, more)
                shortest[name, k] = min(seconds, shortest.get((name, k), seconds))
    return [{"variant": name, "generation_us": 1e6 * (shortest[name, 1] - shortest[name, 0]) /
             (LENGTHS[search][1] - LENGTHS[search][0])} for name, search, _ in variants]


def energies_hold(a):
    teams = [["--team", team] for team in a.teams.split(",")] if a.device.startswith("cuda") else [[]]
    return all(measured.energies_hold(f"{a.bin}/berth", a.maps, a.ligand, a.device, *team) for team in teams)


def card(a):
    rows = []
    for team in map(int, a.teams.split(",")):
        rows.append({"team": team, "variant": "ADADELTA", "kernels": median_times(a, team, "adadelta", [])})
        for variant, more in VARIANTS.items():
            rows.append({"team": team, "variant": variant, "kernels": median_times(a, team, "none", more)})
    return rows


def write(a, valid, rows):
    device = "" if a.device.startswith("cuda") else f"--device {a.device} "
    files = f"{measured.beside_its_folder(a.maps)} {measured.beside_its_folder(a.ligand)}"
    command = f"bench/scripts/phases.py {device}{files}"
    measured.write(a.output, {**measured.provenance(f"{a.bin}/berth", "phases", command, a.device), "valid": valid,
                              "runs": a.runs, "population": a.population, "rows": rows})


def main():
    a = arguments()
    on_cpu = a.device.startswith("cpu")
    if not on_cpu:
        measured.need_ncu()
    valid = energies_hold(a)
    write(a, valid, [] if not valid else processor(a) if on_cpu else card(a))
    sys.exit(0 if valid else 3)


if __name__ == "__main__":
    main()
