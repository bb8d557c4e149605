#!/usr/bin/env python3
"""Where the time of a generation goes on an NVIDIA GPU: kernels of a docking, timed by Nsight Compute.

Usage: bench/scripts/phases.py [-b BIN] [-o FILE.json] [--device cuda:0] [--runs N] [--population N] [--teams LIST]
                               [--populations LIST|paper] [--selection KIND] [--rounds N] MAPS.fld LIGAND.pdbqt

Figures 5 to 8 of the paper on the genetic algorithm on CUDA (docs/papers.md). A generation has four kernels: `prepare`
(the elite; the wheel of proportional selection), `offspring` (selection, crossover, mutation, the box, energies), the
local search, and `finish` (the best, the counts). The cost of selection, crossover and mutation is the difference of
`offspring` with and without them, median over generations. With --device cpu, dockings on one thread with few and with
many generations are timed instead: user time per generation, shortest of five rounds.

With --populations, one run of each number of individuals is docked without local search and without ncu (paper: 50 to
5,760), on a GPU for each number of lanes per pose, by a build that repeats a part of every generation: `variants.sh
build repeats`, BIN being build/variants/repeats/bin. The time of selection (the elite, the wheel, the parents), of
crossover, mutation and fitness (energies) is what a repetition takes longer; the docking stays the same, which is
checked. Times are those of the docking, on a processor its user time on one thread, in --rounds rounds.

Exit code 77: no ncu; 3: energies are not those of double precision, or repeating a part changed the docking, and no
time is reported.
"""
import argparse
import collections
import glob
import json
import os
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
# With --populations: number of each part in src/kernel/lga/study/study.h, how often it is repeated (on a processor, on
# other devices), and the part whose time it includes.
PARTS = {"elite": (1, (100, 10), ""), "wheel": (2, (100, 10), ""), "parents": (3, (10, 10), ""),
         "crossover": (4, (10, 10), "parents"), "mutation": (5, (10, 10), "crossover"), "fitness": (6, (2, 2), "")}
PAPER = "50,100,150,200,300,500,1000,2000,5760"
INDIVIDUALS = 500_000  # of all generations of a docking; no more generations than MOST
MOST = 10_000, 4_000
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
    parser.add_argument("--populations", help=f"numbers of individuals; paper: {PAPER}")
    parser.add_argument("--selection", choices=["proportional", "tournament"], default="proportional",
                        help="of --populations; the paper has proportional")
    parser.add_argument("--rounds", type=int, default=3, help="of --populations")
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


# --- parts of a generation, by repeating them ---------------------------------------------------------------

def docking(a, size, team, generations, repeats):
    """Seconds of a docking that repeats a part, and what must not depend on that: evaluations and poses."""
    on_cpu = a.device.startswith("cpu")
    how = ["--threads", "1"] if on_cpu else ["--team", str(team)]
    with tempfile.TemporaryDirectory() as folder:
        dock = [f"{a.bin}/berth", "dock", "-q", "-r", a.maps, "-l", a.ligand, "-o", folder, "--device", a.device, *how,
                "--local-search", "none", "--runs", "1", "--population", str(size), "--evals", "100G", "--generations",
                str(generations), "--autostop", "off", "--selection", a.selection, "--seed", "1", "--format", "json"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(dock, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "BERTH_STUDY_REPEATS": str(repeats)})
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if done.returncode != 0:
            sys.exit(f"bench/scripts/phases.py: no docking: {done.stderr}")
        with open(glob.glob(f"{folder}/*.json")[0], encoding="utf-8") as stream:
            told = json.load(stream)
    return used if on_cpu else told["seconds"], (told["evaluations"], json.dumps(told["poses"]))


def rounds_of(a, size, team, generations):
    """Seconds with every part repeated in every round, "": none; and whether all dockings were the same."""
    numbers = {"": 0, **{part: number + 8 * often[where(a)] for part, (number, often, _) in PARTS.items()}}
    if a.selection != "proportional":
        del numbers["wheel"]
    seconds, found = collections.defaultdict(list), set()
    for _ in range(a.rounds):
        for part, number in numbers.items():
            time, result = docking(a, size, team, generations, number)
            seconds[part].append(time)
            found.add(result)
        seconds["short"].append(docking(a, size, team, generations // 5, 0)[0])
    return seconds, len(found) == 1


def where(a):
    return 0 if a.device.startswith("cpu") else 1


def differences(seconds, of, without, count):
    """Microseconds of each of a count of generations or repetitions: shortest less shortest, and the rounds' range."""
    each = [1e6 * (one - other) / count for one, other in zip(seconds[of], seconds[without])]
    least = 1e6 * (min(seconds[of]) - min(seconds[without])) / count
    return {"us": least, "low_us": min(each), "high_us": max(each)}


def parts_of(a, size, team):
    generations = max(100, min(INDIVIDUALS // size, MOST[where(a)]))
    seconds, same = rounds_of(a, size, team, generations)
    row = {"population": size, "team": team, "generations": generations, "valid": same}
    if not same:
        return row
    short = generations // 5
    parts = {part: differences(seconds, part, without, generations * often[where(a)])
             for part, (_, often, without) in PARTS.items() if part in seconds}
    return {**row, "generation": differences(seconds, "", "short", generations - short), "parts": parts}


def populations(a):
    sizes = map(int, (PAPER if a.populations == "paper" else a.populations).split(","))
    teams = [1] if a.device.startswith("cpu") else list(map(int, a.teams.split(",")))
    rows = []
    for size in sizes:
        for team in teams:
            rows.append(parts_of(a, size, team))
            print(f"{size} individuals, {team} lanes per pose: " + ", ".join(
                f"{part} {of['us']:.3g} us" for part, of in rows[-1].get("parts", {"INVALID": {"us": 0}}).items()),
                file=sys.stderr)
    return rows


def need_repeats(a):
    told = subprocess.run([f"{a.bin}/berth", "--version", "--json"], capture_output=True, text=True, check=True).stdout
    if "BT_STUDY_REPEATS=1" not in json.loads(told)["compiler"]:
        sys.exit(f"bench/scripts/phases.py: {a.bin} repeats nothing: bench/scripts/variants.sh build repeats, and "
                 "give -b build/variants/repeats/bin")


# --- what both have ----------------------------------------------------------------------------------------

def energies_hold(a):
    teams = [[]] if a.device.startswith("cpu") else [["--team", team] for team in a.teams.split(",")]
    return all(measured.energies_hold(f"{a.bin}/berth", a.maps, a.ligand, a.device, *team) for team in teams)


def card(a):
    rows = []
    for team in map(int, a.teams.split(",")):
        rows.append({"team": team, "variant": "ADADELTA", "kernels": median_times(a, team, "adadelta", [])})
        for variant, more in VARIANTS.items():
            rows.append({"team": team, "variant": variant, "kernels": median_times(a, team, "none", more)})
    return rows


def write(a, valid, rows):
    words = [] if a.device.startswith("cuda") else ["--device", a.device]
    about = {"runs": a.runs, "population": a.population}
    if a.populations:
        words += ["--populations", a.populations, "--selection", a.selection]
        about = {"runs": 1, "selection": a.selection, "rounds": a.rounds}
    files = [measured.beside_its_folder(a.maps), measured.beside_its_folder(a.ligand)]
    command = " ".join(["bench/scripts/phases.py", *words, *files])
    measured.write(a.output, {**measured.provenance(f"{a.bin}/berth", "phases", command, a.device), "valid": valid,
                              **about, "rows": rows})


def main():
    a = arguments()
    on_cpu = a.device.startswith("cpu")
    if a.populations:
        need_repeats(a)
    elif not on_cpu:
        measured.need_ncu()
    valid = energies_hold(a)
    rows = [] if not valid else populations(a) if a.populations else processor(a) if on_cpu else card(a)
    valid = valid and all(row.get("valid", True) for row in rows)
    write(a, valid, rows)
    sys.exit(0 if valid else 3)


if __name__ == "__main__":
    main()
