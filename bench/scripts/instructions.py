#!/usr/bin/env python3
"""Instructions per evaluation of energies and gradients, counted by callgrind: the difference of a long and a short run.

    instructions.py [--bin FOLDER] [--device cpu/avx2] [--json-file FILE] NAME=MAPS.fld:LIGAND.pdbqt...

FOLDER holds berth and kernel_loop (target `kernel_loop`), built with the same options. A vector of poses is evaluated by
the same instructions, so an evaluation's share is theirs divided by its poses. Valgrind 3.19 knows AVX2, not AVX-512.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import measured

SHORT, LONG, POSES = 2, 12, 64  # repeats; poses of each, see bench/evals/kernel_loop.c


def count(loop, case, kernel, repeats, device):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", loop, *case, kernel,
                              str(repeats), device], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or found is None:
        sys.exit(f"instructions.py: {kernel_loop_failed(run)}")
    return int(found.group(1))


def kernel_loop_failed(run):
    return f"kernel_loop ended with exit code {run.returncode}: {run.stderr[-800:]}"


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
            short, long = (count(options.bin / "kernel_loop", files.split(":", 1), kernel, repeats, options.device)
                           for repeats in (SHORT, LONG))
            rows.append({"case": name, "kernel": kernel, "instructions": (long - short) / ((LONG - SHORT) * POSES)})
            print(f"{name} {options.device} {kernel}: {rows[-1]['instructions']:.0f} instructions per evaluation")
    if options.json_file:
        cases = " ".join(options.cases)
        result = measured.provenance(options.bin / "berth", "instructions", f"bench/scripts/instructions.py {cases}")
        measured.write(options.json_file, result | {"device": options.device, "valid": True, "rows": rows})


if __name__ == "__main__":
    main()
