#!/usr/bin/env python3
"""Writes the tables of docs/benchmarks.md and docs/benchmarks/*.md from the JSON of benchmarks.

    bench/scripts/docs.py [--check]

A table is written between a line <!-- KIND FILE... --> and the next <!-- end -->; FILE is relative to docs/benchmarks.
With --check nothing is written, and the exit code is 1 if a page does not match its JSON, or if a file is stale: older
than its kernels, or from a tree with changes (stale.py).

KIND  e50 FILE.json [PICTURE]     both tables, the comparison, the command and where it ran
      flexible FILE.json...       successes of ligands with 15 torsions and more, pooled over the files
      guards FILE.json...         ratios of E50 of builds with and without guards against overflow
      evals FILE.json...          microseconds per evaluation, one column per ligand, one row per kernel and device
      figures FILE.json           whole dockings of portability and mappings
      screen FILE.json...         ligands per second
      grid FILE.json...           values of maps per second
      reductions FILE.json...     errors of sums, one block of columns per ligand
      dockings FILE.json...       dockings with every reduction: energies, times and their spread
      speeds FILE.json...         every reduction against its baseline: cycles, predicted and measured speed-ups
      set FILE.json               microseconds per evaluation of every reduction, for each complex
      bude FILE.json... [counts:NAME,...]
                                  interactions per second; optimizations switched off in turn if the file has such
                                  steps; operations executed per interaction, where a file lacks them, as in
                                  data/NAME.json, of the same deck and kind of kernel
      maps FILE.json              values of maps that differ from AutoGrid's, for each receptor
      mapspeed FILE.json          times of berth-autogrid and of autogrid4
      validity FILE.json...       largest deviations of the decks' energies, a row per file
      sass FILE.json              machine instructions per interaction
      offload FILE.json...        OpenMP of several compilers beside CUDA and OpenCL on the same GPU
      variants FILE.json [LANES]  other builds of the kernels compared with the usual one; LANES, such as 32,64: for
                                  these numbers of lanes per pose, with geometric means over the complexes
      operators GPU.json CPU.json a generation and its operators on one core and on a GPU
      shares FILE.json            conformers docked by several devices together
      instructions FILE.json      instructions per evaluation, counted by callgrind
      entries FILE.json           instructions of the kernels of a docking, counted likewise
      population GPU.json [PHASES.json | uncached]
                                  evaluations per second by the number of individuals; or those over one core's; or
                                  those of blocks that keep poses in local memory, and of blocks that do not
      parts CPU.json [GPU.json]   selection, crossover, mutation and fitness by the number of individuals: times on one
                                  core; or those over a GPU's
      partshares CPU.json [GPU.json]
                                  their shares of a generation
      stale stale.json            files that are older than their kernels, and what their repetition waits for
      fpga FILE.json...           evaluations per second that the model of an FPGA predicts, by replicas
"""
import json
import os
import re
import sys

import stale
from tables import bude, devices, e50, generation, programs, reductions
from tables.common import provenance, table, unique

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(TOP, "docs", "benchmarks")
BLOCK = re.compile(r"(<!-- (\w+) ([^>\n]+) -->\n).*?(<!-- end -->)", re.DOTALL)

# What follows the command and the provenance.
KINDS = {
    "bude": bude.bude, "counters": reductions.counters, "cumulative": bude.cumulative, "dockings": reductions.dockings,
    "e50": e50.e50, "entries": generation.entries, "evals": programs.evals, "figures": devices.figures,
    "flexible": e50.flexible, "fpga": programs.fpga, "grid": programs.grid, "guards": e50.guards,
    "instructions": generation.instructions, "maps": programs.maps, "mapspeed": programs.mapspeed,
    "metric": devices.metric, "offload": devices.offload, "operators": generation.operators, "parts": generation.parts,
    "partshares": generation.partshares, "phases": generation.phases, "population": generation.population,
    "reductions": reductions.reductions, "sass": bude.sass, "screen": programs.screen, "set": reductions.set_of,
    "shares": bude.shares, "speeds": reductions.speeds, "speedup": devices.speedup, "spreads": devices.spreads,
    "validity": bude.validity, "variants": devices.variants}


def load(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as stream:
        return json.load(stream)


def option(word):
    """A word behind the files; counts: names files with counts of operations."""
    if not word.startswith("counts:"):
        return word
    return [load(f"data/{name}.json") for name in word.removeprefix("counts:").split(",")]


def stale_files(reasons):
    links = {name: f"[{name[:-5]}](benchmarks/data/{name})" for name in reasons}
    lines = [[reason, ", ".join(links[name] for name in reasons if reasons[name] == reason)]
             for reason in unique(reasons.values())]
    return table(["to be measured again on", "files"], lines)


def render(text):
    def block(match):
        words = match.group(3).split()
        if match.group(2) == "stale":
            return match.group(1) + "\n" + "\n".join(stale_files(load(words[0]))) + "\n\n" + match.group(4)
        files = [load(word) for word in words if word.endswith(".json")]
        head = ["```", files[0]["command"], "```", "", provenance(files[0]), ""]
        lines = head + KINDS[match.group(2)](files, *map(option, words[len(files):]))
        return match.group(1) + "\n" + "\n".join(lines) + "\n\n" + match.group(4)

    return BLOCK.sub(block, text)


def pages():
    yield os.path.join(TOP, "docs", "benchmarks.md")
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".md"):
            yield os.path.join(FOLDER, name)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    check, wrong = "--check" in sys.argv[1:], []
    for path in pages():
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        made = render(text)
        if made == text:
            continue
        wrong.append(os.path.relpath(path, TOP))
        if not check:
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(made)
    if not check:
        return
    complaints = stale.complaints(FOLDER)
    if wrong:
        complaints.append("pages differ from the JSON: %s; run bench/scripts/docs.py" % ", ".join(wrong))
    if complaints:
        sys.exit("docs.py: " + "\ndocs.py: ".join(complaints))


if __name__ == "__main__":
    main()
