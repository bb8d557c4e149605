#!/usr/bin/env python3
"""Overhead of docking from Python over `berth dock` and `berth screen`: same ligands, settings and seed, alternating.

Usage: bench/scripts/python_overhead.py BUILD PYTHON [ROUNDS [LIGANDS]]       default: 5 rounds, 200 ligands

BUILD has bin/berth and python/berth, the package as laid out by the CTest cli.python; PYTHON has cffi, NumPy and pandas
(build/python-venv/bin/python). The ligands are SMILES generated here, the receptor is examples/1hpv. In each round all
four dock, in rotating order; a round gives the ratio of processor times (user and system, of the whole process
including start-up), and the median over rounds, which other load hardly affects, is reported. Energies must be equal:
those in the databases of screens to the last bit, those of dockings in all 12 digits of the JSON of `berth dock`.
`import berth` is timed in a process of its own, less the start-up of Python.
"""
import json
import os
import pathlib
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PDB = SOURCE / "examples/1hpv/1hpv.pdb"
PARTS = ["c1ccccc1", "C(=O)N", "CC", "O", "N", "c1ccncc1", "C(=O)O", "CO", "C1CCNCC1", "S(=O)(=O)N", "c1ccoc1",
         "C(F)(F)F"]
CODE = """
import sys, json, berth
how, library, out, threads = sys.argv[1:]
receptor = berth.Receptor(%r, autobox="478", set_state={"B:25": "ASH"})
engine = berth.Engine(receptor, scoring="vina", effort="screen", device="cpu", seed=42, threads=int(threads))
if how == "dock":
    results = engine.dock([library], progress=False)
    json.dump({r.name: {p.run: p.energy for p in r.poses} for r in results if r}, open(out, "w"))
else:
    engine.screen(library, database=out, progress=False)
""" % str(PDB)


def smiles(count):
    """Chains of small fragments, each with a name; deterministic for a given count."""
    chosen = random.Random(7)
    return "".join(f"C{''.join(chosen.choice(PARTS[:11]) for _ in range(chosen.randint(2, 4)))}C l{i}\n"
                   for i in range(count))


def run(command, environment):
    """Processor time and elapsed time of a process."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 2):  # 2: some ligands were rejected
        sys.exit(f"{command}\n{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def docked(folder):
    """Energies of all runs, by ligand, of a folder of `berth dock`."""
    results = {path.stem: json.loads(path.read_text()) for path in folder.glob("l*.json")}
    return {name: {str(run["run"]): run["free_energy"] for run in result["runs"]} for name, result in results.items()}


def printed(energies):
    """The same from Python's JSON."""
    return {name: {run: float(f"{energy:.12g}") for run, energy in runs.items()} for name, runs in energies.items()}


def screened(database):
    with sqlite3.connect(database) as connection:
        return dict(connection.execute("SELECT name, free_energy FROM ranking"))


def import_seconds(python, environment):
    """Median over pairs, so that load affects both alike."""
    pairs = []
    for _ in range(15):
        bare, whole = (run([python, "-c", code], environment) for code in ("pass", "import berth"))
        pairs.append((whole[0] - bare[0], whole[1] - bare[1]))
    return statistics.median(cpu for cpu, _ in pairs), statistics.median(wall for _, wall in pairs)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    build, python = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    rounds, count = (int(sys.argv[k]) if len(sys.argv) > k else usual for k, usual in ((3, 5), (4, 200)))
    berth, threads = build / "bin/berth", str(len(os.sched_getaffinity(0)))
    environment = dict(os.environ, PYTHONPATH=str(build / "python"), PYTHONDONTWRITEBYTECODE="1")
    version = subprocess.run([berth, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    words = ["-r", PDB, "--autobox", "478", "--set-state", "B:25:ASH", "--scoring", "vina", "--effort", "screen",
             "--device", "cpu",
             "--seed", "42", "--threads", threads, "-q"]
    load = f"load {os.getloadavg()[0]:.1f} at the beginning"
    print(f"{version}; {count} ligands, {threads} threads, {rounds} rounds; {load}")
    print("import berth: %.2f s of processor time, %.2f s" % import_seconds(python, environment))
    times = {name: [] for name in ("berth dock", "Python dock", "berth screen", "Python screen")}
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        library = folder / "library.smi"
        library.write_text(smiles(count))
        for number in range(rounds):
            at = folder / str(number)
            at.mkdir()
            commands = {"berth dock": [berth, "dock", "-l", library, "-o", at / "dock", *words],
                        "Python dock": [python, "-c", CODE, "dock", library, at / "dock.json", threads],
                        "berth screen": [berth, "screen", "-l", library, "-o", at / "screen", *words],
                        "Python screen": [python, "-c", CODE, "screen", library, at / "screen.db", threads]}
            names = list(commands)
            for name in names if number % 2 == 0 else reversed(names):
                times[name].append(run(commands[name], environment))
            theirs, ours = docked(at / "dock"), json.loads((at / "dock.json").read_text())
            equal = theirs == printed(ours) and screened(at / "screen/screen.db") == screened(at / "screen.db")
            if not equal or len(ours) < 0.9 * count:
                docked = f"of {count} ligands {len(theirs)} and {len(ours)} were docked"
                sys.exit(f"round {number}: energies differ, or {docked}")
    for kind in ("dock", "screen"):
        ratios = [[mine[k] / other[k] for mine, other in zip(times[f"Python {kind}"], times[f"berth {kind}"])]
                  for k in (0, 1)]
        cpu = [statistics.median(seconds for seconds, _ in times[f"{who} {kind}"]) for who in ("Python", "berth")]
        print(f"{kind}: {len(ours)} ligands, energies equal; processor time {cpu[0]:.2f} s from Python, {cpu[1]:.2f} s "
              f"by berth {kind}; ratio of pairs: median {statistics.median(ratios[0]):.3f} ({min(ratios[0]):.3f} to "
              f"{max(ratios[0]):.3f}), of elapsed time {statistics.median(ratios[1]):.3f}")


if __name__ == "__main__":
    main()
