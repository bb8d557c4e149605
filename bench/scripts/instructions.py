#!/usr/bin/env python3
"""Instructions per evaluation of energies and gradients, of their parts, and of a docking, counted by callgrind.

    instructions.py [--bin FOLDER] [--device cpu/avx2] [--json-file FILE] NAME=MAPS.fld:LIGAND.pdbqt...

FOLDER holds berth and kernel_loop (target `kernel_loop`), built with the same options. Counted is the difference of a
long and a short run. A vector of poses is evaluated by the same instructions, so an evaluation's share is theirs
divided by its poses. Valgrind 3.19 knows AVX2, not AVX-512.

Where kernel_loop has line numbers (a release build with -DCMAKE_C_FLAGS=-g1), instructions are also told apart by the
file of src/kernel/lga that they are inlined from: pose.h (coordinates from genes, torsions, rotation), inter.h
(look-ups in the maps), intra.h and pair.h (pairs within the ligand); the rest is other code.

A docking is one run of 150 individuals and 30,000 evaluations with ADADELTA on one thread: instructions of its kernels,
callees included.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import measured

SHORT, LONG, POSES = 2, 12, 64  # repeats; poses of each, see bench/evals/kernel_loop.c
PARTS = {"pose.h": "pose", "inter.h": "maps", "intra.h": "pairs", "pair.h": "pairs"}


def count(loop, case, kernel, repeats, device):
    """Instructions at every address of the program."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no",
                              "--compress-strings=no", f"--callgrind-out-file={folder}/out", loop, *case, kernel,
                              str(repeats), device], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"instructions.py: kernel_loop ended with exit code {run.returncode}: {run.stderr[-800:]}")
        counts, own, call = collections.Counter(), False, False
        with open(f"{folder}/out", encoding="utf-8") as stream:
            for line in stream:
                if line.startswith("ob="):
                    own = line.rstrip().endswith("/kernel_loop")
                elif line.startswith("calls="):
                    call = True  # the next line has the cost of the callee
                elif line.startswith("0x"):
                    address, _, cost = line.split()
                    if not call:
                        counts[int(address, 16) if own else None] += int(cost)
                    call = False
    return counts


def parts_of(loop, addresses):
    """The part that the instruction at each address belongs to; {} without line numbers."""
    words = "\n".join(f"{address:#x}" for address in addresses)
    told = subprocess.run(["addr2line", "-a", "-i", "-e", loop], input=words, capture_output=True, text=True).stdout
    parts, address = {}, None
    for line in told.splitlines():
        if line.startswith("0x"):
            address = int(line, 16)
            continue
        part = PARTS.get(re.sub(r"^.*/|:.*$", "", line)) if "/kernel/lga/" in line else None
        if part and address not in parts:
            parts[address] = part  # the innermost of the files that it is inlined from
    return parts


def measure(options, case, kernel):
    loop = options.bin / "kernel_loop"
    short, long = (count(loop, case, kernel, repeats, options.device) for repeats in (SHORT, LONG))
    evaluations = (LONG - SHORT) * POSES
    long.subtract(short)
    row = {"kernel": kernel, "instructions": sum(long.values()) / evaluations}
    parts = parts_of(loop, [address for address, n in long.items() if n and address is not None])
    if parts:
        sums = dict.fromkeys(["pose", "maps", "pairs", "other"], 0)
        for address, n in long.items():
            sums[parts.get(address, "other")] += n / evaluations
        row["parts"] = sums
    return row


def docking(options, case):
    """Instructions of each kernel of a docking."""
    instructions = options.device.partition("/")[2]
    counts, callee, call = collections.Counter(), "", False
    with tempfile.TemporaryDirectory() as folder:
        dock = [options.bin / "berth", "dock", "-q", "-r", case[0], "-l", case[1], "-o", f"{folder}/docked", "--device",
                "cpu", "--isa", instructions, "--threads", "1", "--runs", "1", "--population", "150", "--evals", "30k",
                "--heuristics", "off", "--autostop", "off", "--local-search", "adadelta", "--format", "csv"]
        subprocess.run(["valgrind", "--tool=callgrind", "--compress-strings=no", f"--callgrind-out-file={folder}/out",
                        *dock], capture_output=True, check=True)
        with open(f"{folder}/out", encoding="utf-8") as stream:
            for line in stream:
                if line.startswith("cfn="):
                    callee = line[4:].strip()
                elif line.startswith("calls="):
                    call = True
                elif call:
                    counts[callee] += int(line.split()[-1])
                    call = False
    return {"kernel": "docking", "entries": {re.sub("^bt_entry_|_run$", "", name): n for name, n in counts.most_common()
                                             if name.startswith("bt_entry_") and name.endswith("_run")}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/release/bin"))
    parser.add_argument("--device", default="cpu/avx2")
    parser.add_argument("--json-file")
    parser.add_argument("cases", nargs="+", metavar="NAME=MAPS.fld:LIGAND.pdbqt")
    options = parser.parse_args()
    rows = []
    for words in options.cases:
        name, files = words.split("=", 1)
        for kernel in ("energy", "gradient"):
            rows.append({"case": name, **measure(options, files.split(":", 1), kernel)})
            row = rows[-1]
            parts = ", ".join(f"{part} {n:.0f}" for part, n in row.get("parts", {}).items())
            print(f"{name} {options.device} {kernel}: {row['instructions']:.0f} instructions per evaluation; {parts}")
        rows.append({"case": name, **docking(options, files.split(":", 1))})
        print(f"{name} {options.device} docking: {rows[-1]['entries']}")
    if options.json_file:
        cases = " ".join(options.cases)
        result = measured.provenance(options.bin / "berth", "instructions", f"bench/scripts/instructions.py {cases}")
        valid = all(measured.energies_hold(options.bin / "berth", *words.split("=", 1)[1].split(":", 1), options.device)
                    for words in options.cases)
        measured.write(options.json_file, result | {"device": options.device, "valid": valid, "rows": rows})
        sys.exit(0 if valid else 3)


if __name__ == "__main__":
    main()
