"""Shared by scripts of this folder: provenance of their JSON, and kernels measured by NVIDIA Nsight Compute."""
import csv
import datetime
import io
import json
import os
import platform
import shutil
import subprocess
import sys

# from Nsight Compute's units to nanoseconds and bytes
SCALES = {"ns": 1, "nsecond": 1, "us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6, "s": 1e9, "second": 1e9,
          "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as stream:
        return next((line.split(":", 1)[1].strip() for line in stream if line.startswith("model name")), "")


def provenance(berth, benchmark, command, device=None):
    """Provenance of a result of this program; device as named by `berth devices`, None: the processor."""
    told = subprocess.run([berth, "--version", "--json"], capture_output=True, text=True, check=True).stdout
    version = json.loads(told)
    card = ""
    if device and shutil.which("nvidia-smi"):
        query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        card = subprocess.run(query, capture_output=True, text=True).stdout
    return {"benchmark": benchmark, "command": command, "version": version["version"], "commit": version["commit"],
            "compiler": version["compiler"], "cpu": processor(), "system": f"{platform.system()} {platform.machine()}",
            "date": datetime.date.today().isoformat(), "device": device or "cpu",
            "description": card.splitlines()[0] if card else ""}


def energies_hold(berth, maps, ligand, device, *options):
    """Are energies and gradients of the kernels those of double precision? Asks `berth bench evals`."""
    device, _, instructions = str(device).partition("/")
    where = ["--device", device, *(["--isa", instructions] if instructions else [])]
    run = subprocess.run([berth, "bench", "evals", "-r", maps, "-l", ligand, *where, "--runs", "1", "--evals", "2000",
                          *options, "--json"], capture_output=True, text=True)
    if run.returncode not in (0, 3):  # 3: they are not
        sys.exit(f"{sys.argv[0]}: energies could not be checked: {run.stderr or run.stdout}")
    return run.returncode == 0 and json.loads(run.stdout)["valid"] is True


def write(path, result):
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(result, stream, indent=1)
        stream.write("\n")


def beside_its_folder(path):
    """The last two parts of a path, such as 7cpa/protein.maps.fld."""
    return os.path.join(os.path.basename(os.path.dirname(os.path.abspath(path))), os.path.basename(path))


def need_ncu():
    if shutil.which("ncu") is None:
        print(f"{sys.argv[0]}: no ncu on the PATH", file=sys.stderr)
        sys.exit(77)


def kernels(options, metrics, command):
    """One dict per kernel: its name as "kernel", and the metrics, times in nanoseconds, memory in bytes, None for what
    this GPU does not count. If no kernel was measured, a text that says why."""
    ncu = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", *options, "--metrics", ",".join(metrics)]
    run = subprocess.run([*ncu, *command], capture_output=True, text=True)
    lines = run.stdout.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if first is None:
        return (run.stdout + run.stderr)[-800:]
    units, *rows = csv.DictReader(io.StringIO("\n".join(lines[first:])))

    def value(row, metric):
        try:
            return float(row.get(metric, "").replace(",", "")) * SCALES.get(units.get(metric, ""), 1)
        except ValueError:
            return None

    return [{"kernel": row.get("Kernel Name", ""), **{metric: value(row, metric) for metric in metrics}}
            for row in rows]
