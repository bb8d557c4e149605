#!/usr/bin/env python3
"""Speed of dockings compared with Debian's autodock4 on many complexes: one core, all cores, and a GPU.

Usage: bench/scripts/speedup.py [-b BIN] [-d SET42] [-o FILE.json] [-n COMPLEXES] [--most-seconds S] [--device cuda:0]
                                [--rounds N] [--runs N] [--full-runs N] [--evaluations N]
                                [--autodock4 PROGRAM] [--autodock4-evaluations N]

Figure 4 of the paper on AutoDock in OpenCL (docs/papers.md). On each complex, in every round, one copy of autodock4
docks, then Berth on one core, then Berth on all cores, with nothing beside them; the device comes last. All of Berth's
dockings are of the same runs and evaluations, with Solis-Wets and with ADADELTA; the device also docks --full-runs
runs, which fill it. Times are medians over the rounds, with the shortest and longest beside them.

autodock4 docks one Lamarckian run with pseudo-Solis-Wets and population 150; its time is user time per evaluation
without reading the maps (a run of 2,000 evaluations is subtracted). Berth's is `berth bench portability`: wall-clock
time per evaluation on the same maps, without the setup of the job.

A complex is valid if the energies of Berth's kernels are those of double precision on every device, and if Berth's
energy of the pose that autodock4 docked is autodock4's; otherwise it has no times, and the exit code is 1. With
--most-seconds, complexes that would not be done by then are left out, and named. Exit code 77: no autodock4.
"""
import argparse
import json
import math
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import measured

HERE = pathlib.Path(__file__).resolve().parent
SEARCHES = ("solis-wets", "adadelta")
FIRST = 2000  # evaluations of autodock4's docking that is subtracted
TOLERANCE = 0.05  # kcal/mol, or 1 %: autodock4 prints energies with two decimals, of coordinates with three


class Invalid(Exception):
    """Why a complex has no times."""


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("-b", "--bin", default="build/release/bin")
    parser.add_argument("-d", "--data", default="../shared/data/set42")
    parser.add_argument("-o", "--output", default="speedup.json")
    parser.add_argument("-n", "--number", type=int, default=20)
    parser.add_argument("--most-seconds", type=float, default=math.inf)
    parser.add_argument("--device")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--full-runs", type=int, default=100)
    parser.add_argument("--evaluations", type=int, default=40000)
    parser.add_argument("--autodock4", default="autodock4")
    parser.add_argument("--autodock4-evaluations", type=int, default=200000)
    return parser.parse_args()


def command_line(a):
    """The command without paths of this machine."""
    words = ["bench/scripts/speedup.py", *(["--device", a.device] if a.device else [])]
    usual = {"number": 20, "rounds": 2, "runs": 20, "full_runs": 100, "evaluations": 40000, "most_seconds": math.inf,
             "autodock4_evaluations": 200000}
    for key, value in usual.items():
        if getattr(a, key) != value:
            words += ["--" + key.replace("_", "-"), f"{getattr(a, key):g}"]
    return " ".join(words)


def make_maps(a, complex_, work):
    script = f'. "{HERE}/gpf.sh"; PATH={a.bin}:$PATH make_maps "{pathlib.Path(a.data).resolve()}" {complex_}'
    made = subprocess.run(["bash", "-c", script], cwd=work, capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(f"bench/scripts/speedup.py: no maps of {complex_}: {made.stderr}")
    return work / complex_


# --- autodock4 -----------------------------------------------------------------------------------------

def dpf(folder, evaluations):
    atoms = [line for line in (folder / "rand-0.pdbqt").read_text().splitlines() if line.startswith(("ATOM", "HETATM"))]
    types = sorted({line[77:79].strip() for line in atoms})
    about = [sum(float(line[k:k + 8]) for line in atoms) / len(atoms) for k in (30, 38, 46)]
    lines = ["autodock_parameter_version 4.2", "outlev 1", "intelec", "seed 1234 5678",
             f"ligand_types {' '.join(types)}", "fld protein.maps.fld", *(f"map protein.{kind}.map" for kind in types),
             "elecmap protein.e.map",
             "desolvmap protein.d.map", "move rand-0.pdbqt", "about %.4f %.4f %.4f" % tuple(about), "tran0 random",
             "quaternion0 random", "dihe0 random", "rmstol 2.0", "ga_pop_size 150", f"ga_num_evals {evaluations}",
             "ga_num_generations 27000", "ga_elitism 1", "ga_mutation_rate 0.02", "ga_crossover_rate 0.8",
             "ga_window_size 10", "ga_cauchy_alpha 0.0", "ga_cauchy_beta 1.0", "set_ga", "sw_max_its 300",
             "sw_max_succ 4", "sw_max_fail 4", "sw_rho 1.0", "sw_lb_rho 0.01", "ls_search_freq 0.06", "set_psw1",
             "unbound_model bound", "ga_run 1", "analysis"]
    return "\n".join(lines) + "\n"


def processor_seconds(command, folder):
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime if process.returncode == 0 else None


def autodock4(a, folder):
    """Microseconds per evaluation."""
    times, counts = [], []
    for evaluations in (FIRST, a.autodock4_evaluations):
        (folder / f"{evaluations}.dpf").write_text(dpf(folder, evaluations))
        log = folder / f"{evaluations}.dlg"
        times.append(processor_seconds([a.autodock4, "-p", f"{evaluations}.dpf", "-l", log.name], folder))
        if times[-1] is None:
            raise Invalid(f"autodock4 failed with {log.name}")
        found = re.findall(r"Total number of Energy Evaluations: (\d+)", log.read_text())
        counts.append(int(found[-1]) if found else evaluations)
    if times[1] <= times[0]:
        raise Invalid(f"{a.autodock4_evaluations} evaluations take autodock4 no time; raise --autodock4-evaluations")
    return 1e6 * (times[1] - times[0]) / (counts[1] - counts[0])


def docked_by_autodock4(log):
    """The pose in autodock4's log, and its energy between the molecules and within the ligand."""
    pose = [line[8:] for line in log.read_text().splitlines() if line.startswith("DOCKED: ")]
    terms = [float(re.search(re.escape(name) + r"\s*=\s*([-+.\d]+)", "\n".join(pose))[1])
             for name in ("Final Intermolecular Energy", "Final Total Internal Energy")]
    kept = ("ROOT", "ENDROOT", "BRANCH", "ENDBRANCH", "ATOM", "HETATM", "TORSDOF")
    return [line for line in pose if line.startswith(kept)], sum(terms)


def check_autodock4(a, folder):
    """Berth's energy of autodock4's pose less autodock4's own, kcal/mol."""
    pose, energy = docked_by_autodock4(folder / f"{a.autodock4_evaluations}.dlg")
    (folder / "pose.pdbqt").write_text("\n".join(pose) + "\n")
    scored = subprocess.run([f"{a.bin}/berth", "score", "-r", "protein.maps.fld", "-l", "pose.pdbqt", "--json"],
                            cwd=folder, capture_output=True, text=True)
    if scored.returncode != 0:
        raise Invalid(f"autodock4's pose was not scored: {scored.stderr.strip()}")
    terms = json.loads(scored.stdout)["energy"]
    deviation = terms["inter"] + terms["intra"] - energy
    if not abs(deviation) <= max(TOLERANCE, 0.01 * abs(energy)):
        raise Invalid(f"autodock4's pose has {energy:.2f} kcal/mol there, {energy + deviation:.2f} here")
    return deviation


# --- Berth ---------------------------------------------------------------------------------------------

def berth(a, folder, search, device, runs, *more):
    """The row of a docking, validated by the program itself."""
    case = f"{folder.name}={folder}/protein.maps.fld:{folder}/rand-0.pdbqt"
    done = subprocess.run([f"{a.bin}/berth", "bench", "portability", "-q", "--json", "--case", case, "--device", device,
                           "--runs", str(runs), "-p", "150", "--evaluations", str(a.evaluations), "--local-search",
                           search, *more], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise Invalid(f"{device} did not dock: {done.stderr.strip()}")
    row = json.loads(done.stdout)["rows"][0]
    if not row["measured"] or not row["valid"] or done.returncode != 0:
        raise Invalid(f"{search} on {device}: {row['reason'] or 'energies are not those of double precision'}")
    return row


def microseconds(row, key="seconds"):
    return 1e6 * row[key] / row["evaluations"]


def spread(row, key, values):
    """The median of the rounds, and their range."""
    row[key] = statistics.median(values)
    row[key + "_range"] = [min(values), max(values)]


def measure_device(a, folder, row):
    """The device repeats its docking in one process, in which its driver and kernels are loaded once."""
    for search in SEARCHES:
        for what, runs in (("device", a.runs), ("full", a.full_runs)):
            told = berth(a, folder, search, a.device, runs, "--repeats", str(max(a.rounds, 3)))
            key = f"{search.replace('-', '_')}_{what}_us"
            row[key] = microseconds(told)
            row[key + "_range"] = [microseconds(told, "seconds_min"), microseconds(told, "seconds_max")]
            row[key.replace("_us", "_evaluations")] = told["evaluations"]


def measure(a, folder, row):
    """Fills the row of a complex; raises Invalid."""
    times = {}
    for _ in range(a.rounds):
        times.setdefault("autodock4_us", []).append(autodock4(a, folder))
        for search in SEARCHES:
            for where, threads in (("core", ["--threads", "1"]), ("cores", [])):
                told = berth(a, folder, search, "cpu", a.runs, "--repeats", "1", *threads)
                key = f"{search.replace('-', '_')}_{where}"
                times.setdefault(key + "_us", []).append(microseconds(told))
                row[key + "_evaluations"] = told["evaluations"]
                row["threads"] = told["threads"]  # of the last, on all cores
    row["autodock4_deviation"] = check_autodock4(a, folder)
    for key, values in times.items():
        spread(row, key, values)
    for key in (search.replace("-", "_") for search in SEARCHES):
        spread(row, key + "_cores_over_core",
               [one / all_ for one, all_ in zip(times[key + "_core_us"], times[key + "_cores_us"])])
    if a.device:
        measure_device(a, folder, row)


def row_of(a, folder):
    ligand = (folder / "rand-0.pdbqt").read_text()
    about = {"complex": folder.name, "atoms": len(re.findall(r"(?m)^(?:ATOM|HETATM)", ligand)),
             "torsions": ligand.count("ENDBRANCH")}
    row = dict(about)
    try:
        measure(a, folder, row)
    except Invalid as why:
        print(f"bench/scripts/speedup.py: {folder.name}: {why}", file=sys.stderr)
        return {**about, "valid": False, "reason": str(why)}
    return {**row, "valid": True, "reason": ""}


# --- all complexes -------------------------------------------------------------------------------------

def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def interval(values, draws=2000):
    """The geometric mean and its 95 % interval, by resampling complexes."""
    dice = random.Random(1)
    means = sorted(geometric_mean(dice.choices(values, k=len(values))) for _ in range(draws))
    return {"mean": geometric_mean(values), "low": means[int(0.025 * draws)], "high": means[int(0.975 * draws) - 1],
            "complexes": len(values)}


def means_of(rows):
    """How many times as fast as autodock4, and all cores over one, over the valid complexes."""
    rows, means = [row for row in rows if row["valid"]], {}
    for key in (search.replace("-", "_") for search in SEARCHES):
        for where in ("core", "cores", "device", "full"):
            ratios = [row["autodock4_us"] / row[f"{key}_{where}_us"] for row in rows if f"{key}_{where}_us" in row]
            if ratios:
                means[f"{key}_{where}_us"] = interval(ratios)
        if rows:
            means[key + "_cores_over_core"] = interval([row[key + "_cores_over_core"] for row in rows])
    return means


def measure_all(a, names, work):
    """Rows, and the names of the complexes for which there was no time."""
    start, longest, rows = time.monotonic(), 0, []
    for k, name in enumerate(names):
        begun = time.monotonic()
        if begun - start + longest > a.most_seconds:
            return rows, names[k:]
        folder = make_maps(a, name, work)
        rows.append(row_of(a, folder))
        shutil.rmtree(folder)
        longest = max(longest, time.monotonic() - begun)
    return rows, []


def main():
    a = arguments()
    a.bin = str(pathlib.Path(a.bin).resolve())
    if shutil.which(a.autodock4) is None:
        print(f"bench/scripts/speedup.py: no {a.autodock4}: install Debian's package autodock, or give --autodock4",
              file=sys.stderr)
        sys.exit(77)
    a.autodock4 = str(pathlib.Path(shutil.which(a.autodock4)).resolve())
    names = sorted(path.parent.name for path in pathlib.Path(a.data).glob("*/protein.maps.fld"))[:a.number]
    if not names:
        sys.exit(f"bench/scripts/speedup.py: no complexes in {a.data}; give -d")
    with tempfile.TemporaryDirectory() as work:
        rows, left_out = measure_all(a, names, pathlib.Path(work))
    valid = bool(rows) and all(row["valid"] for row in rows)
    result = {**measured.provenance(f"{a.bin}/berth", "speedup", command_line(a), a.device), "valid": valid,
              "cores": max((row.get("threads", 1) for row in rows), default=1), "rounds": a.rounds, "runs": a.runs,
              "full_runs": a.full_runs, "evaluations_per_run": a.evaluations,
              "autodock4_evaluations": a.autodock4_evaluations, "left_out": left_out, "means": means_of(rows),
              "rows": rows}
    measured.write(a.output, result)
    for key, of in result["means"].items():
        print(f"{key}: {of['mean']:.4g} ({of['low']:.4g} - {of['high']:.4g}), {of['complexes']} complexes")
    if left_out:
        print(f"left out, for lack of time: {' '.join(left_out)}")
    sys.exit(0 if valid else 1)


if __name__ == "__main__":
    main()
