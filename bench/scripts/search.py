#!/usr/bin/env python3
"""Docks the development set and reports how far the best pose stays above the known minimum.

    bench/scripts/search.py BERTH [--set FOLDER] [--only A,B] [--runs 20] [--evals 2500000] [--local-search adadelta]
                    [--seed 1] [--threads 0] [--out table.md]

FOLDER (default ../shared/data/set42 beside the source tree) holds one folder per complex with protein.pdbqt, protein.maps.fld (only
its box is read), rand-0.pdbqt, flex-xray.pdbqt, and ligand_properties.csv with the best known inter + intra energies.
Maps are computed by Berth. Autostop and the heuristic are off. A complex counts as found when the best run's
inter + intra is at most 1.0 kcal/mol above the known minimum; for complexes without a proven minimum the best score
so far is shown instead, in brackets."""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def box_of(fld):
    found = {}
    for line in open(fld):
        words = line.split()
        if words and words[0] in ("#SPACING", "#NELEMENTS", "#CENTER"):
            found[words[0]] = [float(w) for w in words[1:]]
    spacing = found["#SPACING"][0]
    return found["#CENTER"], [n * spacing for n in found["#NELEMENTS"]], spacing


def dock(arguments, folder, work):
    center, size, spacing = box_of(os.path.join(folder, "protein.maps.fld"))
    words = [arguments.berth, "dock", "-r", os.path.join(folder, "protein.pdbqt"), "-l", os.path.join(folder, "rand-0.pdbqt"),
             "--reference", os.path.join(folder, "flex-xray.pdbqt"), "-o", work, "--format", "json",
             "--center", ",".join("%.3f" % c for c in center), "--size", ",".join("%.3f" % s for s in size),
             "--spacing", "%g" % spacing, "--runs", str(arguments.runs), "--evals", str(arguments.evals), "--heuristics", "off",
             "--autostop", "off", "--seed", str(arguments.seed), "--local-search", arguments.local_search]
    if arguments.threads:
        words += ["--threads", str(arguments.threads)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit("search.py: %s\n%s" % (" ".join(words), done.stdout))
    return json.load(open(os.path.join(work, "rand-0.json")))


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("berth")
    ap.add_argument("--set", default=os.path.join(os.environ.get("BERTH_SHARED", os.path.join(HERE, "..", "..", "..", "shared")), "data", "set42"))
    ap.add_argument("--only", default="")
    ap.add_argument("--runs", type=int, default=20)
    ap.add_argument("--evals", type=int, default=2500000)
    ap.add_argument("--local-search", default="adadelta")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--threads", type=int, default=0)
    ap.add_argument("--out", default="")
    arguments = ap.parse_args()
    rows = list(csv.DictReader(open(os.path.join(arguments.set, "ligand_properties.csv"))))
    rows.sort(key=lambda r: (int(r["n_tors"]), int(r["n_atoms"])))
    lines = ["| complex | atoms | torsions | known | best found | above | runs within 1.0 | RMSD of best, A | seconds |",
             "|---|---|---|---|---|---|---|---|---|"]
    found = known_cases = 0
    for row in rows:
        name = row["pdb"]
        if arguments.only and name not in arguments.only.split(","):
            continue
        with tempfile.TemporaryDirectory() as work:
            result = dock(arguments, os.path.join(arguments.set, name), work)
        proven = row["score_of_probable_global_minimum"]
        target = float(proven or row["best_score_so_far"])
        scores = [(run["inter"] + run["intra"], run["rmsd_reference"]) for run in result["runs"]]
        best, rmsd = min(scores)
        hits = sum(1 for score, _ in scores if score <= target + 1.0)
        if proven:
            known_cases += 1
            found += hits > 0
        lines.append("| %s | %s | %s | %s | %.2f | %+.2f | %d/%d | %.2f | %.1f |" % (
            name, row["n_atoms"], row["n_tors"], "%.2f" % target if proven else "(%.2f)" % target, best, best - target, hits,
            len(scores), rmsd, result["seconds"]))
        print(lines[-1], flush=True)
    lines.append("")
    lines.append("Found within 1.0 kcal/mol: %d of %d complexes with a known minimum." % (found, known_cases))
    print(lines[-1])
    if arguments.out:
        with open(arguments.out, "w") as out:
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
