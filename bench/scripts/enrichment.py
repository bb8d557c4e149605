#!/usr/bin/env python3
"""How well a screen puts actives before decoys: ROC AUC and enrichment factors with bootstrap intervals.

Usage: bench/scripts/enrichment.py screen.db PATTERN [SCORE ...]

A ligand is active when its name matches the regular expression PATTERN, such as '^actives'. SCORE is an expression over
the columns of the table `ligand`; default: free_energy, inter and free_energy / sqrt(atoms). Lower is better; ligands that were not
docked come last, ties count half. The enrichment factor at x % is the share of actives among the first x % of the
library over their share in all of it. Intervals hold 95 % of 2,000 resamplings of actives and decoys, each by itself.
"""
import math
import random
import re
import sqlite3
import sys

RESAMPLINGS = 2000


def measures(actives, decoys, fractions):
    """actives, decoys: scores. Returns [AUC, EF at each fraction]."""
    rows = sorted([(score, 1) for score in actives] + [(score, 0) for score in decoys])
    n, n_actives = len(rows), len(actives)
    tops = [max(1, round(n * fraction)) for fraction in fractions]
    found = [0.0] * len(tops)
    below = area = first = 0
    while first < n:
        last = first
        while last < n and rows[last][0] == rows[first][0]:
            last += 1
        size, hits = last - first, sum(active for _, active in rows[first:last])
        area += hits * (below + (size - hits) / 2)
        below += size - hits
        for k, top in enumerate(tops):
            found[k] += hits * max(0, min(last, top) - first) / size
        first = last
    auc = 1 - area / (n_actives * (n - n_actives))
    return [auc] + [count / top / (n_actives / n) for count, top in zip(found, tops)]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    database, pattern = sys.argv[1:3]
    scores = sys.argv[3:] or ["free_energy", "inter", "free_energy / sqrt(atoms)"]
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    connection.create_function("sqrt", 1, math.sqrt)
    names = ("AUC", "EF1%", "EF5%")
    for score in scores:
        actives, decoys = [], []
        for name, value in connection.execute(f"SELECT name, CASE state WHEN 'docked' THEN {score} END FROM ligand"):
            (actives if re.search(pattern, name) else decoys).append(math.inf if value is None else value)
        if not actives or not decoys:
            sys.exit(f"{database}: {len(actives)} actives and {len(decoys)} decoys; check the pattern")
        values = measures(actives, decoys, (0.01, 0.05))
        draw = random.Random(1)
        samples = [measures(draw.choices(actives, k=len(actives)), draw.choices(decoys, k=len(decoys)), (0.01, 0.05))
                   for _ in range(RESAMPLINGS)]
        line = []
        for k, name in enumerate(names):
            column = sorted(sample[k] for sample in samples)
            low, high = column[int(0.025 * RESAMPLINGS)], column[int(0.975 * RESAMPLINGS) - 1]
            line.append(f"{name} {values[k]:.3f} ({low:.3f} to {high:.3f})")
        print(f"{score}: {len(actives)} actives, {len(decoys)} decoys, " + ", ".join(line))


if __name__ == "__main__":
    main()
