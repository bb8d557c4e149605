#!/usr/bin/env python3
"""Ligands prepared per second and core, compared with RDKit alone on the same molecules in the same run.

Usage: bench/scripts/prep.py BUILD FILE.smi [COUNT]      default: 1000 molecules without conformers, a quarter with

BUILD/tests/prepare_ligands and BUILD/tests/rdkit_alone run alternately on one core, three rounds; the median is
reported. RDKit alone: SMILES, hydrogens, Gasteiger charges and canonical SMILES; with conformers also ETKDGv3 and
MMFF94s, with Berth's settings. Then the memory for ten and for a hundred times as many records.
"""
import os
import statistics
import subprocess
import sys
import tempfile


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    good, bad, seconds, memory = done.stdout.split()
    return int(good), int(bad), float(seconds), int(memory)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    build, source = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    ours, alone = (os.path.join(build, "tests", name) for name in ("prepare_ligands", "rdkit_alone"))
    with open(source, encoding="utf-8") as stream:
        lines = [line for line in stream.read().split("\n") if line.strip()]
    print("berth %s" % subprocess.run([os.path.join(build, "bin", "berth"), "--version"], capture_output=True,
                                      text=True,
                                      check=False).stdout.strip())
    with tempfile.TemporaryDirectory() as folder:
        def write(name, rows):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write("\n".join(rows) + "\n")
            return path

        for title, option, number in (("without conformers", "0", count),
                                      ("with one conformer", "1", max(1, count // 4))):
            path = write("part.smi", lines[:: max(1, len(lines) // number)][:number])
            rates = {ours: [], alone: []}
            for _ in range(3):
                for program in (ours, alone):
                    good, bad, seconds, _ = run(program, "--conformers", option, "--time", path)
                    rates[program].append((good + bad) / seconds)
                    if program == ours:
                        prepared, refused = good, bad
            mine, rdkit = (statistics.median(rates[program]) for program in (ours, alone))
            print("%s: %d prepared, %d refused; %.0f per second and core, RDKit alone %.0f (ours is %.0f %% of that)"
                  % (title, prepared, refused, mine, rdkit, 100 * mine / rdkit))
        for times in (1, 10, 100):
            path = write("long.smi", lines[:1000] * times)
            good, bad, seconds, memory = run(ours, "--conformers", "0", "--time", path)
            print("%d records: %.1f MiB, %.0f per second" % (good + bad, memory / 1024, (good + bad) / seconds))


if __name__ == "__main__":
    main()
