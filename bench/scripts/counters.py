#!/usr/bin/env python3
"""Hardware counters of one ADADELTA kernel per way of adding up and block size, read by NVIDIA Nsight Compute.

Usage: bench/scripts/counters.py [-b BIN] [-o FILE.json] [--device cuda:0] [--runs N] [--population N]
                                 [--teams 64,128,256] [--reductions LIST] MAPS.fld LIGAND.pdbqt

Table 6 of the paper on tensor-core reductions (docs/papers.md). Needs `ncu` on the PATH and the permission to read
counters. The kernel is the third launch of the local search of a docking with a fixed seed; every strategy has the same
number of searches there. Exit code 0: every kernel was read; 77: there is no ncu.
"""
import argparse
import csv
import datetime
import io
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
STALL = "smsp__average_warps_issue_stalled_"
METRICS = {  # of Nsight Compute, and their names in the file
    "gpu__time_duration.sum": "nanoseconds",
    "sm__cycles_elapsed.max": "cycles",
    "smsp__inst_executed.sum": "instructions",
    "smsp__issue_active.avg.pct_of_peak_sustained_active": "issue_percent",
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active": "fma_percent",
    "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active": "alu_percent",
    "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active": "lsu_percent",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active": "tensor_percent",
    "sm__warps_active.avg.per_cycle_active": "warps",
    "launch__registers_per_thread": "registers",
    "launch__grid_size": "blocks",
    "launch__waves_per_multiprocessor": "waves",
    "launch__occupancy_limit_registers": "blocks_by_registers",
    "launch__occupancy_limit_shared_mem": "blocks_by_shared_memory",
    "launch__occupancy_limit_warps": "blocks_by_warps",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": "bank_conflicts",
    "dram__bytes.sum": "dram_bytes",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": "ffma",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": "fadd",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum": "fmul",
    **{f"{STALL}{name}_per_issue_active.ratio": f"stall_{name}" for name in (
        "barrier", "short_scoreboard", "long_scoreboard", "mio_throttle", "math_pipe_throttle", "wait", "not_selected",
        "branch_resolving", "no_instruction", "lg_throttle", "dispatch_stall", "membar", "sleeping", "drain")},
}


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("maps")
    parser.add_argument("ligand")
    parser.add_argument("-b", "--bin", default="build/release/bin")
    parser.add_argument("-o", "--output", default="counters.json")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--population", type=int, default=150)
    parser.add_argument("--teams", default="64,128,256")
    parser.add_argument("--reductions", default="sequential,two-step-ec,simt,tensor-ec")
    return parser.parse_args()


def known_metrics():
    """Cards differ in what they count."""
    text = subprocess.run(["ncu", "--query-metrics-mode", "all", "--query-metrics"], capture_output=True, text=True).stdout
    have = {line.split()[0] for line in text.splitlines() if line.strip()}
    return [metric for metric in METRICS if metric.startswith("launch__") or metric in have or metric.split(".")[0] in have]


def read(a, metrics, team, reduction):
    with tempfile.TemporaryDirectory() as folder:
        dock = [f"{a.bin}/berth", "dock", "-q", "-r", a.maps, "-l", a.ligand, "-o", folder, "--device", a.device, "--local-search",
                "adadelta", "--runs", str(a.runs), "--population", str(a.population), "--evals", "100k", "--seed", "1",
                "--team", str(team), "--reduction", reduction, "--format", "csv"]
        ncu = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--kernel-name", "regex:adadelta", "--launch-skip", "2",
               "--launch-count", "1", "--metrics", ",".join(metrics)]
        run = subprocess.run(ncu + dock, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if first is None:
        return {"team": team, "reduction": reduction, "reason": (run.stdout + run.stderr)[-800:]}
    rows = list(csv.DictReader(io.StringIO("\n".join(lines[first:]))))
    units, values = rows[0], rows[1]
    row = {"team": team, "reduction": reduction, "kernel": values.get("Kernel Name", "")}
    scale = {"usecond": 1e3, "us": 1e3, "msecond": 1e6, "ms": 1e6, "second": 1e9, "s": 1e9, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}
    for metric in metrics:
        text = values.get(metric, "").replace(",", "")
        try:
            row[METRICS[metric]] = float(text) * scale.get(units.get(metric, ""), 1)
        except ValueError:
            row[METRICS[metric]] = None
    return row


def main():
    a = arguments()
    if shutil.which("ncu") is None:
        print("bench/scripts/counters.py: no ncu on the PATH", file=sys.stderr)
        sys.exit(77)
    metrics = known_metrics()
    version = json.loads(subprocess.run([f"{a.bin}/berth", "--version", "--json"], capture_output=True, text=True, check=True).stdout)
    card = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout
    rows = [read(a, metrics, int(team), reduction) for team in a.teams.split(",") for reduction in a.reductions.split(",")]
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    words = f"bench/scripts/counters.py {os.path.basename(os.path.dirname(os.path.abspath(a.maps)))}/{os.path.basename(a.maps)} " \
            f"{os.path.basename(a.ligand)}"
    result = {"benchmark": "counters", "command": words, "version": version["version"], "commit": version["commit"],
              "compiler": version["compiler"], "cpu": cpu, "system": f"{platform.system()} {platform.machine()}",
              "date": datetime.date.today().isoformat(), "valid": all("reason" not in row for row in rows), "device": a.device,
              "description": card.splitlines()[0] if card else "", "runs": a.runs, "population": a.population, "rows": rows}
    with open(a.output, "w", encoding="utf-8") as stream:
        json.dump(result, stream, indent=1)
        stream.write("\n")
    sys.exit(0 if result["valid"] else 1)


if __name__ == "__main__":
    main()
