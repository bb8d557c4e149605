#!/usr/bin/env python3
"""Speed of dockings compared with Debian's autodock4 on many complexes: one core, all cores, and a GPU.

Usage: bench/scripts/speedup.py [-b BIN] [-d SET42] [-o FILE.json] [-n COMPLEXES] [--device cuda:0]
                                [--evaluations N] [--autodock4 PROGRAM] [--jobs N]

Figure 4 of the paper on AutoDock in OpenCL (docs/papers.md). autodock4 docks one Lamarckian run with pseudo-Solis-
Wets, population 150 and four times as many evaluations, --jobs complexes at a time; its time is processor time per
evaluation without reading the maps (a run of 2,000 evaluations is subtracted). Berth docks with the same maps, with
Solis-Wets and with ADADELTA: one run on one core, 100 runs on all cores, 100 runs on the device; its time is that of
the docking itself over all evaluations. Exit code 77: no autodock4.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import measured

HERE = pathlib.Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("-b", "--bin", default="build/release/bin")
    parser.add_argument("-d", "--data", default="../shared/data/set42")
    parser.add_argument("-o", "--output", default="speedup.json")
    parser.add_argument("-n", "--number", type=int, default=20)
    parser.add_argument("--device")
    parser.add_argument("--evaluations", type=int, default=250000)
    parser.add_argument("--autodock4", default="autodock4")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    return parser.parse_args()


def make_maps(a, complex_, work):
    script = f'. "{HERE}/gpf.sh"; PATH={a.bin}:$PATH make_maps "{pathlib.Path(a.data).resolve()}" {complex_}'
    subprocess.run(["bash", "-c", script], cwd=work, check=True, capture_output=True)
    return work / complex_


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
    for evaluations in (2000, 4 * a.evaluations):  # long compared with reading the maps
        (folder / f"{evaluations}.dpf").write_text(dpf(folder, evaluations))
        log = folder / f"{evaluations}.dlg"
        times.append(processor_seconds([a.autodock4, "-p", f"{evaluations}.dpf", "-l", log.name], folder))
        found = re.findall(r"Total number of Energy Evaluations: (\d+)", log.read_text())
        counts.append(int(found[-1]) if found else evaluations)
    return None if None in times else 1e6 * (times[1] - times[0]) / (counts[1] - counts[0])


def berth(a, folder, search, device, runs, threads=None):
    out = folder / f"out-{search}-{device}-{runs}-{threads}".replace(":", "")
    command = [f"{a.bin}/berth", "dock", "-q", "-r", "protein.maps.fld", "-l", "rand-0.pdbqt", "-o", str(out),
               "--device", device, "--runs", str(runs), "--evals", str(a.evaluations), "--population", "150",
               "--heuristics", "off",
               "--autostop", "off", "--local-search", search, "--seed", "1", "--format", "json"]
    command += ["--threads", str(threads)] if threads else []
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    result = json.loads((out / "rand-0.json").read_text())
    return 1e6 * result["seconds"] / result["evaluations"]


def measure(a, folder, reference):
    ligand = (folder / "rand-0.pdbqt").read_text()
    row = {"complex": folder.name, "atoms": len(re.findall(r"(?m)^(?:ATOM|HETATM)", ligand)),
           "torsions": ligand.count("ENDBRANCH"), "autodock4_us": reference,
           "valid": all(measured.energies_hold(f"{a.bin}/berth", folder / "protein.maps.fld", folder / "rand-0.pdbqt",
                                               device) for device in ("cpu", a.device) if device)}
    for search in ("solis-wets", "adadelta"):
        key = search.replace("-", "_")
        row[f"{key}_core_us"] = berth(a, folder, search, "cpu", 1, 1)
        row[f"{key}_cores_us"] = berth(a, folder, search, "cpu", 100)
        row[f"{key}_device_us"] = berth(a, folder, search, a.device, 100) if a.device else None
    return row


def main():
    a = arguments()
    a.bin = str(pathlib.Path(a.bin).resolve())
    if shutil.which(a.autodock4) is None:
        print("bench/scripts/speedup.py: no autodock4 (Debian's package autodock)", file=sys.stderr)
        sys.exit(77)
    a.autodock4 = str(pathlib.Path(shutil.which(a.autodock4)).resolve())
    names = sorted(path.parent.name for path in pathlib.Path(a.data).glob("*/protein.maps.fld"))[:a.number]
    with tempfile.TemporaryDirectory() as work:
        folders = [make_maps(a, name, pathlib.Path(work)) for name in names]
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            references = list(pool.map(lambda folder: autodock4(a, folder), folders))
        rows = [measure(a, folder, reference) for folder, reference in zip(folders, references)]
    command = "bench/scripts/speedup.py" + (f" --device {a.device}" if a.device else "")
    valid = all(row["autodock4_us"] and row["valid"] for row in rows)
    measured.write(a.output, {**measured.provenance(f"{a.bin}/berth", "speedup", command, a.device), "valid": valid,
                              "cores": os.cpu_count(), "evaluations_per_run": a.evaluations, "rows": rows})
    sys.exit(0 if valid else 1)


if __name__ == "__main__":
    main()
