#!/usr/bin/env python3
"""Machine instructions per interaction of the BUDE kernels on NVIDIA GPUs, counted in the innermost loops.

Usage: bench/scripts/bude_sass.py FATBIN-OR-CUBIN [ARCHITECTURE]     (needs CUDA's cuobjdump; default sm_90)

A loop is the range of a backward branch that contains no other loop; an interaction is one square root. FMA:
single-precision multiplies and adds, issued at 32 lanes per cycle and multiprocessor partition like any instruction;
MUFU: the special function unit, at 4 lanes.
"""
import re
import subprocess
import sys

LINE = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?([A-Z0-9_.]+)\s*([^;]*);")


def instructions(path, architecture):
    text = subprocess.run(["cuobjdump", "-arch", architecture, "-fun", "bt_bude_energy", "-sass", path],
                          capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        match = LINE.match(line)
        if match:
            yield int(match.group(1), 16), match.group(3), match.group(4)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    code = list(instructions(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "sm_90"))
    loops = []
    for at, name, operands in code:
        target = re.search(r"0x([0-9a-f]+)", operands)
        if name.startswith("BRA") and target and int(target.group(1), 16) < at:
            loops.append((int(target.group(1), 16), at))
    print(f"{'interactions':>12} {'all':>7} {'FMA':>7} {'MUFU':>7} {'loads':>7} {'other':>7}   per interaction")
    for first, last in sorted(loops):
        if any(first <= f and l <= last and (f, l) != (first, last) for f, l in loops):
            continue
        body = [name for at, name, _ in code if first <= at <= last]
        n = sum(name.startswith(("MUFU.SQRT", "MUFU.RSQ")) for name in body)
        if n == 0:
            continue
        fma = sum(name.startswith(("FFMA", "FADD", "FMUL")) for name in body)
        mufu = sum(name.startswith("MUFU") for name in body)
        loads = sum(name.startswith(("LDS", "LDG", "LD.", "LDC", "ULDC")) for name in body)
        other = len(body) - fma - mufu - loads
        print(f"{n:12d} " + " ".join(f"{x / n:7.2f}" for x in (len(body), fma, mufu, loads, other)))


if __name__ == "__main__":
    main()
