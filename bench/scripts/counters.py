#!/usr/bin/env python3
"""Hardware counters of one ADADELTA kernel per reduction and block size, read by NVIDIA Nsight Compute.

Usage: bench/scripts/counters.py [-b BIN] [-o FILE.json] [--device cuda:0] [--runs N] [--population N]
                                 [--teams 64,128,256] [--reductions LIST] MAPS.fld LIGAND.pdbqt

Table 6 of the paper on tensor-core reductions (docs/papers.md). Needs `ncu` on the PATH and permission to read
counters. The kernel is the third launch of the local search in a docking with a fixed seed, where all reductions have
the same number of searches. Exit code 0: every kernel was read, and the energies of each are those of double precision
(those in half precision alone may differ: "valid" of their rows is false then); 77: no ncu.
"""
import argparse
import subprocess
import sys
import tempfile

import measured

STALL = "smsp__average_warps_issue_stalled_"
METRICS = {  # Nsight Compute's name: name in the file
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
    """GPUs differ in the counters they have."""
    query = ["ncu", "--query-metrics-mode", "all", "--query-metrics"]
    text = subprocess.run(query, capture_output=True, text=True).stdout
    have = {line.split()[0] for line in text.splitlines() if line.strip()}
    return [metric for metric in METRICS
            if metric.startswith("launch__") or metric in have or metric.split(".")[0] in have]


def read(a, metrics, team, reduction):
    with tempfile.TemporaryDirectory() as folder:
        dock = [f"{a.bin}/berth", "dock", "-q", "-r", a.maps, "-l", a.ligand, "-o", folder, "--device", a.device,
                "--local-search", "adadelta", "--runs", str(a.runs), "--population", str(a.population), "--evals",
                "100k", "--seed", "1", "--team", str(team), "--reduction", reduction, "--format", "csv"]
        options = ["--kernel-name", "regex:adadelta", "--launch-skip", "2", "--launch-count", "1"]
        rows = measured.kernels(options, metrics, dock)
    row = {"team": team, "reduction": reduction, "valid": measured.energies_hold(
        f"{a.bin}/berth", a.maps, a.ligand, a.device, "--team", str(team), "--reduction", reduction)}
    if isinstance(rows, str):
        return {**row, "reason": rows}
    return {**row, "kernel": rows[0]["kernel"], **{METRICS[metric]: rows[0][metric] for metric in metrics}}


def main():
    a = arguments()
    measured.need_ncu()
    metrics = known_metrics()
    rows = [read(a, metrics, int(team), reduction)
            for team in a.teams.split(",") for reduction in a.reductions.split(",")]
    command = f"bench/scripts/counters.py {measured.beside_its_folder(a.maps)} {measured.beside_its_folder(a.ligand)}"
    valid = all("reason" not in row and (row["valid"] or row["reduction"].endswith("fp16")) for row in rows)
    measured.write(a.output, {**measured.provenance(f"{a.bin}/berth", "counters", command, a.device), "valid": valid,
                              "runs": a.runs, "population": a.population, "rows": rows})
    sys.exit(0 if valid else 1)


if __name__ == "__main__":
    main()
