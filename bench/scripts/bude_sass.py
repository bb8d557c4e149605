#!/usr/bin/env python3
"""Machine instructions per interaction of the BUDE kernels on NVIDIA GPUs, counted in the innermost loops.

Usage: bench/scripts/bude_sass.py [--architecture sm_90] [--nvcc PATH] [--json-file FILE] [POSES[:WITHOUT]...]

Compiles the energy kernel of this working tree for each number of POSES per work-item, without the optimization WITHOUT
(as in `berth bench bude --without`), and disassembles it. Needs nvcc and cuobjdump of the CUDA toolkit, but no GPU.

A loop is the range of a backward branch that contains no other loop; an interaction is one square root. fma:
single-precision multiplies and adds; mufu: the special function unit, which has a quarter of the lanes. Kernels with
four loops have one for pairs with the steric term alone, one each for pairs that have charges or desolvation as well,
and one for pairs with both; kernels with a single loop use it for all pairs.
"""
import argparse
import datetime
import os
import platform
import re
import subprocess
import tempfile

import measured

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINE = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?([A-Z0-9_.]+)\s*([^;]*);")
USUAL = ["1", "2", "4", "8", "16", "8:kinds", "8:square", "8:runs", "8:table", "8:select", "8:fast"]
PAIRS = {1: ["all"], 4: ["steric", "one", "one", "both"]}  # by the number of loops, in order of their length
CLASSES = {"fma": ("FFMA", "FADD", "FMUL"), "mufu": ("MUFU",), "loads": ("LDS", "LDG", "LD.", "LDC", "ULDC")}


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], description=__doc__.split("\n\n", 2)[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--json-file")
    parser.add_argument("variants", nargs="*", default=USUAL)
    return parser.parse_args()


def bit_of(without):
    """The value of BT_BUDE_WITHOUT_... in src/kernel/bude/launch.h."""
    with open(os.path.join(TOP, "src", "kernel", "bude", "launch.h"), encoding="utf-8") as stream:
        return int(re.search(rf"BT_BUDE_WITHOUT_{without.upper()}\b[\s\\]+(\d+)u", stream.read()).group(1))


def assembly(a, poses, without):
    with tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "kernels.cubin")
        subprocess.run([a.nvcc, "-cubin", "-O3", "-std=c++17", f"-arch={a.architecture}", "-o", cubin,
                        '-DBT_MODULE_HEADER="kernel/bude/module_energy.h"', f"-DBT_BUDE_POSES={poses}",
                        f"-DBT_BUDE_WITHOUT={bit_of(without) if without else 0}", "-DBT_IMAGE=bude",
                        f"-I{TOP}/src", f"-I{TOP}/include", f"{TOP}/src/backend/cuda/kernels.cu"], check=True)
        dump = subprocess.run(["cuobjdump", "-fun", "bt_bude_energy", "-sass", cubin], capture_output=True, text=True,
                              check=True)
    found = (LINE.match(line) for line in dump.stdout.splitlines())
    return [(int(match.group(1), 16), match.group(3), match.group(4)) for match in found if match]


def innermost_loops(code):
    """Names of the instructions of each."""
    loops = []
    for at, name, operands in code:
        target = re.search(r"0x([0-9a-f]+)", operands)
        if name.startswith("BRA") and target and int(target.group(1), 16) < at:
            loops.append((int(target.group(1), 16), at))
    for first, last in sorted(loops):
        if not any(first <= f and l <= last and (f, l) != (first, last) for f, l in loops):
            yield [name for at, name, _ in code if first <= at <= last]


def count(body):
    """Instructions per interaction of a loop; None if it computes no distances."""
    n = sum(name.startswith(("MUFU.SQRT", "MUFU.RSQ")) for name in body)
    if n == 0:
        return None
    row = {"interactions": n, "instructions": len(body) / n}
    for name, starts in CLASSES.items():
        row[name] = sum(instruction.startswith(starts) for instruction in body) / n
    row["other"] = row["instructions"] - sum(row[name] for name in CLASSES)
    return row


def provenance(a):
    def told(*command):
        return subprocess.run(command, capture_output=True, text=True, cwd=TOP).stdout.strip()

    toolkit = re.search(r"V([\d.]+)", told(a.nvcc, "--version")).group(1)
    with open(os.path.join(TOP, "CMakeLists.txt"), encoding="utf-8") as stream:
        version = re.search(r"project\(berth VERSION ([\d.]+)", stream.read()).group(1)
    # no "valid": nothing is run, and a listing has no energies
    return {"benchmark": "bude-sass", "command": " ".join(["bench/scripts/bude_sass.py", *a.variants]),
            "version": version, "commit": told("git", "describe", "--always", "--dirty", "--abbrev=10"),
            "compiler": f"nvcc {toolkit}, -O3, {a.architecture}", "cpu": measured.processor(),
            "system": f"{platform.system()} {platform.machine()}", "date": datetime.date.today().isoformat()}


def main():
    a = arguments()
    rows = []
    print("poses without  pairs      all    fma   mufu  loads  other   per interaction")
    for variant in a.variants:
        poses, _, without = variant.partition(":")
        loops = sorted(filter(None, map(count, innermost_loops(assembly(a, poses, without)))),
                       key=lambda row: row["instructions"])
        for pairs, loop in zip(PAIRS.get(len(loops), ["?"] * len(loops)), loops):
            rows.append({"poses_per_item": int(poses), "without": without, "pairs": pairs, **loop})
            print(f"{poses:>5} {without:<8} {pairs:<7} " +
                  " ".join(f"{loop[key]:6.2f}" for key in ("instructions", "fma", "mufu", "loads", "other")))
    if a.json_file:
        measured.write(a.json_file, {**provenance(a), "architecture": a.architecture, "rows": rows})


if __name__ == "__main__":
    main()
