#!/usr/bin/env python3
"""Covalent dockings of acyl enzymes from the SMILES of the free ligand: RMSD of the first pose for ten seeds.

    bench/scripts/covalent.py [--json FILE] BERTH ENTRY,LIGAND,RESIDUE,REFERENCE ...

ENTRY is a PDB or mmCIF file, LIGAND a SMILES, RESIDUE the residue it is bonded to, REFERENCE the crystal ligand's
residue. Prints a row of Markdown for each: median of the ten, and how many are within 2 Angstrom.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import measured

SEEDS = range(1, 11)


def rmsd(berth, entry, ligand, residue, reference, scoring, seed):
    with tempfile.TemporaryDirectory() as folder:
        command = [berth, "dock", "-r", entry, "--smiles", ligand, "--covalent", residue, "--reference", reference,
                   "--scoring",
                   scoring, "-s", str(seed), "--conformer-seed", str(seed), "-o", folder, "--json", "-q"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return json.loads(done.stdout.splitlines()[0])["best"]["rmsd_reference"]


def main():
    words, json_file, rows = sys.argv[1:], None, []
    if words[0] == "--json":
        json_file, words = words[1], words[2:]
    berth, *cases = words
    for case in cases:
        entry, ligand, residue, reference = case.split(",")
        cells = []
        for scoring in "vina", "vinardo", "ad4":
            values = [rmsd(berth, entry, ligand, residue, reference, scoring, seed) for seed in SEEDS]
            cells.append(f"{statistics.median(values):.2f}, {sum(v <= 2 for v in values)} of {len(values)}")
        rows.append([pathlib.Path(entry).name.split(".")[0].upper(), residue, *cells])
        print("| " + " | ".join(rows[-1]) + " |")
    if json_file is not None:
        command = "bench/scripts/covalent.py BERTH ENTRY,LIGAND,RESIDUE,REFERENCE..."
        measured.write(json_file, {**measured.provenance(berth, "table", command), "rows": rows,
                                   "columns": ["entry", "residue", "vina", "vinardo", "ad4"]})


if __name__ == "__main__":
    main()
