#!/usr/bin/env python3
"""Energies and searches against result files that BUDE itself wrote (1GCZ chain A).

    test_bude.py BIN
"""
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile

import autodock

RECEPTOR = "1212_bude_1gcz_proA.mol2"


def read_results(folder):
    """number -> (path, energy of the header)"""
    results = {}
    for name in os.listdir(folder):
        found = re.match(r"(\d+)_1GCZ_", name)
        if found:
            path = os.path.join(folder, name)
            energy = re.search(r"MassCentre:\s+(\S+)", open(path).read(2000)).group(1)
            results[int(found.group(1))] = (path, float(energy))
    return results


def energies(berth, folder, paths, *more):
    command = [berth, "bude", "-r", os.path.join(folder, RECEPTOR), "-l", *paths, "--json", "-q", "--conformers", "0", *more]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    lines = [json.loads(line)["poses"][0]["energy"] for line in done.stdout.splitlines()]
    assert len(lines) == len(paths), "%d of %d" % (len(lines), len(paths))
    return lines


def check_rules(berth, folder, results, rules, remainder, least):
    chosen = [result for number, result in sorted(results.items()) if number % 2 == remainder]
    found = energies(berth, folder, [path for path, _ in chosen], "--score", "--rules", rules)
    differences = sorted(abs(energy - header) for energy, (_, header) in zip(found, chosen))
    good = sum(difference < 0.02 for difference in differences)
    print("rules %s: %d of %d within 0.02, median %.5f, largest %.4f" % (
        rules, good, len(chosen), differences[len(differences) // 2], differences[-1]))
    assert good >= least, "at least %d were expected" % least


def check_search(berth, folder, results):
    """A small search finds poses as low as BUDE's own, on average."""
    chosen = [results[number] for number in sorted(results) if number % 2 == 0][::60]
    found = energies(berth, folder, [path for path, _ in chosen], "--center", "0,0,0", "--population", "32768")
    mean, header = sum(found) / len(found), sum(energy for _, energy in chosen) / len(chosen)
    print("search: mean energy %.2f, BUDE's %.2f" % (mean, header))
    assert mean <= header + 1


def main():
    berth = os.path.join(sys.argv[1], "berth")
    archive = autodock.shared("data", "bude", "results-1gcz.tar.xz")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as tar:
            tar.extractall(folder)
        where = next(root for root, _, names in os.walk(folder) if RECEPTOR in names)
        results = read_results(where)
        check_rules(berth, where, results, "a", 0, 592)
        check_rules(berth, where, results, "b", 1, 515)
        check_search(berth, where, results)


main()
