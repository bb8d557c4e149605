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
import math
import os
import re
import statistics
import sys
import textwrap

import stale

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(TOP, "docs", "benchmarks")
BLOCK = re.compile(r"(<!-- (\w+) ([^>\n]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def load(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as stream:
        return json.load(stream)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def number(value, digits=3):
    """Three significant digits without an exponent; a dash if unknown."""
    if value is None:
        return "-"
    text = f"{value:.{digits}g}"
    return f"{float(text):,.0f}" if "e" in text or abs(value) >= 1000 else text


def scaled(value, power=6):
    return number(None if value is None else value / 10**power)


def provenance(data):
    return (f"Version {data.get('version', '?')}, commit {data['commit']}, {data['compiler'].strip()}; {data['cpu']}; "
            f"{data.get('system', '')}; {data.get('date', '')}. " +
            validity_of(data))


def halves(data):
    """Rows of sums in half precision, which are studied and not expected to be valid."""
    return [row for of in [data, *data.get("complexes", [])] for row in of.get("rows", [])
            if row.get("reduction", "").endswith("fp16")]


def validity_of(data):
    if data.get("valid") is None:
        why = data.get("unchecked")
        return f"Energies were not checked: {why}." if why else "No energies are computed."
    answer = "yes" if data["valid"] else "NO"
    return f"All energies valid{', half precision aside' if halves(data) else ''}: {answer}."


def machine(data):
    """The device with its description, since names such as cuda:0 do not identify a GPU."""
    name, description = data["device"], data.get("description")
    return name if name.startswith("cpu") or not description else f"{name} ({description})"


def unique(items):
    return list(dict.fromkeys(items))


# --- kinds: what follows the command and the provenance ----------------------------------------------------------

def cell(e50):
    star = "\\*" if e50["interpolated"] else ""
    return [f"{e50['successes']}", f"**{scaled(e50['e50'])}**{star} ({scaled(e50['low'])} - {scaled(e50['high'])})",
            number(e50["shape"], 2)] + ([number(e50["seconds_99"])] if "seconds_99" in e50 else [])


def e50_table(data, criterion):
    names = [c["name"] for c in data["configurations"]]
    head = ["complex", "torsions", "minimum" if criterion == "score" else "RMSD of the minimum, A"]
    for name in names:
        head += [f"{name}: successes of {data['runs']}", "E50, million (95 %)", "shape"]
        if "seconds_99" in data["complexes"][0]["results"][0]["score"]:
            head.append("seconds to 99 %")
    rows = []
    for of in data["complexes"]:
        ratio = of["ratio_" + criterion]
        value = of["minimum" if criterion == "score" else "minimum_rmsd"]
        row = [of["complex"], str(of["torsions"]), "unknown" if value is None else f"{value:.2f}"]
        if criterion == "rmsd" and not of["by_rmsd"]:
            row += (["left out"] + [""] * ((len(head) - 3) // len(names) - 1)) * len(names)
        else:
            for result in of["results"]:
                row += cell(result[criterion])
        rows.append(row + ([number(ratio)] if len(names) > 1 else []))
    return table(head + (["ratio"] if len(names) > 1 else []), rows)


VERDICTS = {"undecided": "undecided", "equivalent": "equivalent",
            "second needs fewer": "{second} needs fewer {what}", "second needs more": "{second} needs more {what}"}


def mean_ratio(comparison, of, title, what):
    if of["complexes"] == 0:
        return []
    verdict = VERDICTS[of["verdict"]].format(second=comparison["second"], what=what)
    return [f"* {title} of {comparison['second']} / {comparison['first']} = **{of['ratio']:.3f}** (95 % interval "
            f"{of['low']:.3f} - {of['high']:.3f}, {of['complexes']} complexes, Wilcoxon p = "
            f"{of['wilcoxon_probability']:.2g}): **{verdict}**."]


def e50(files, picture=None):
    data = files[0]
    lines = [f"{data['runs']} runs of up to {number(data['evaluations_per_run'])} evaluations per complex and "
             f"configuration; a search ended when {data['enough']:.0%} of its runs had succeeded.", ""]
    lines += [f"* `{c['name']}`: {c['settings']}" for c in data["configurations"]]
    if picture:
        lines += ["",
                  f"![E50 of {data['configurations'][-1]['name']} against {data['configurations'][0]['name']}, and the "
                  f"share of successful runs of every complex]({picture})"]
    lines += ["", "By score, within 1.0 kcal/mol:", ""] + e50_table(data, "score")
    lines += ["", "By RMSD, within 2 Angstrom of the crystal pose:", ""] + e50_table(data, "rmsd") + [""]
    first_alone = [data["comparison"]] if "comparison" in data else []
    for comparison in data.get("comparisons", first_alone):
        for criterion, title in (("score", "score"), ("rmsd", "RMSD")):
            lines += mean_ratio(comparison, comparison[criterion], f"By {title}: E50", "evaluations")
            if "seconds" in comparison[criterion]:
                lines += mean_ratio(comparison, comparison[criterion]["seconds"], f"By {title}: seconds", "seconds")
    return lines


def guards(files):
    """A row per build and strategy; builds are named by their definitions."""
    rows = []
    for data in files:
        build = ", ".join(re.findall(r"-DBT_STUDY_(\S+)", data["compiler"])).lower() or "as it is"
        for comparison in data["comparisons"]:
            ratios = [comparison[criterion] for criterion in ("score", "rmsd")]
            rows.append([build, f"`{comparison['second']}`"] +
                        [f"{of['ratio']:.3f} ({of['low']:.3f} - {of['high']:.3f}), {of['wilcoxon_probability']:.2g}" for of in ratios] +
                        [VERDICTS[of["verdict"]].format(second="it", what="") .strip() for of in ratios])
    count = [files[0]["comparisons"][0][criterion]["complexes"] for criterion in ("score", "rmsd")]
    return table(["build", "sums", f"E50 over that of `simt`, by score ({count[0]} complexes), Wilcoxon p", f"by RMSD ({count[1]})",
                  "verdict by score", "by RMSD"], rows)


FLEXIBLE = 15  # torsions


def fisher(a, n, b, m):
    """Two-sided p of Fisher's exact test of a in n against b in m."""
    ways = [math.comb(n, k) * math.comb(m, a + b - k) for k in range(max(0, a + b - m), min(n, a + b) + 1)]
    as_rare = math.comb(n, a) * math.comb(m, b)
    return sum(way for way in ways if way <= as_rare) / sum(ways)


def flexible(files):
    """Successes by score of the most flexible ligands, pooled over the files."""
    names = [c["name"] for c in files[0]["configurations"]]
    ligands = [[of for of in data["complexes"] if of["torsions"] >= FLEXIBLE] for data in files]
    runs = sum(data["runs"] * len(of) for data, of in zip(files, ligands))
    rows, first = [], None
    for k, name in enumerate(names):
        hits = [[of["results"][k]["score"]["successes"] for of in some] for some in ligands]
        total = sum(map(sum, hits))
        first = total if first is None else first
        rows.append([f"`{name}`"] + [f"{sum(some)} ({', '.join(map(str, some))})" for some in hits] +
                    [f"**{total}** of {runs}", "-" if k == 0 else f"{fisher(total, runs, first, runs):.2g}"])
    order = ", ".join(of["complex"] for of in ligands[0])
    return table(["sums"] + [f"{re.search('team=([0-9]+)', data['configurations'][0]['settings']).group(1)} lanes on "
                             f"an {'H200' if 'h200' in data['command'] else 'H100'}: successes ({order})"
                             for data in files] + ["together", f"Fisher's p against `{names[0]}`, two-sided"], rows)


KERNELS = (("energy_us", "energy"), ("gradient_us", "energy and gradient"), ("solis_wets_us", "docking, Solis-Wets"),
           ("adadelta_us", "docking, ADADELTA"), ("adam_us", "docking, ADAM"))


def complex_of(data):
    """A ligand whose file is called rand-0 in every complex goes by its folder."""
    folder = re.search(r" -l (\S+)/rand-0\.pdbqt", data["command"])
    return folder.group(1) if data["ligand"] == "rand-0" and folder else data["ligand"]


def evals(files):
    cells = {}
    for data in files:
        name = data.get("case") or complex_of(data)
        ligand = f"{name} ({data['atoms']} atoms, {data['torsions']} torsions, {data['pairs']} pairs)"
        cells.setdefault((machine(data), ligand), data)
    devices, ligands = (unique(key[k] for key in cells) for k in (0, 1))
    return table(["microseconds per evaluation"] + ligands,
                 [[f"{device}: {title}"] + [number(cells[device, name][key]) if (device, name) in cells else ""
                                            for name in ligands]
                  for device in devices for key, title in KERNELS])


def figures(files):
    head = ["complex", "device", "team", "runs", "million evaluations per second", "ratio to the best", "off, kcal/mol"]
    return table(head, [[row["case"], machine(row), str(row.get("team_first", row["team"])), str(row["runs"]),
                         scaled(row.get("evaluations_per_second")), number(row.get("ratio_to_best"), 3),
                         number(row.get("energy_deviation"), 2) if row["measured"] else row["reason"]]
                        for row in files[0]["rows"]
                        if row["measured"] or not row["reason"].startswith("no team size")])


def offload(files):
    """OpenMP's rows of all files; CUDA's and OpenCL's fastest, since a compiler's runtime can slow down CUDA beside it."""
    rows = [row for data in files for row in data["rows"] if row["measured"] and row["valid"]]
    cases = unique(row["case"] for row in rows)
    rates = {}
    for row in rows:
        kind = row["device"].split(":")[0]
        through = {"cuda": "CUDA", "opencl": "OpenCL"}.get(kind, row["description"].partition(", ")[2])
        cell = rates.setdefault(through, {})
        cell[row["case"]] = max(cell.get(row["case"], 0), row["evaluations_per_second"])
    lines = []
    for through, of in sorted(rates.items(), key=lambda item: item[0].startswith("OpenMP")):
        line = [through]
        for case in cases:
            slower = [number(rates[name][case] / of[case]) for name in ("CUDA", "OpenCL") if case in of]
            line += [scaled(of.get(case)), " / ".join(slower) or "-"]
        lines.append(line)
    head = [text for case in cases for text in (f"{case}: million evaluations/s", "slower than CUDA / OpenCL")]
    return [f"{files[0]['rows'][0]['description']}, {files[0]['local_search']}, 20 runs of "
            f"{files[0]['population']} individuals:", ""] + table(["through", *head], lines)


def screen(files):
    head = ["device", "ligands", "runs", "batch", "ligands per second, docking", "whole",
            "million evaluations per second"]
    return table(head, [[machine(data), str(data["ligands"]), str(data["runs"]), str(data["batch"]),
                         number(data["docking_ligands_per_second"]), number(data["whole_ligands_per_second"]),
                         scaled(data["docking_evaluations_per_second"])] for data in files])


def grid(files):
    head = ["box", "instructions", "values", "beyond 0.002 kcal/mol and 0.1 %", "seconds", "million values per second"]
    return table(head, [[f"{' x '.join(str(n + 1) for n in data['npts'])}, {data['maps']} maps", row["name"],
                         f"{row['values']:,}",
                         str(row["beyond_tolerance"]), number(row["seconds"]), scaled(row["values_per_second"])]
                        for data in files for row in data["rows"] if row["measured"]])


def maps(files):
    """Agreement with AutoGrid; affinities are told apart by whether they are below 100 kcal/mol."""
    rows = files[0]["rows"]
    total = {key: sum(row[key] for row in rows) for key in ("values", "beyond", "low_values", "low_third")}
    head = ["receptor", "atoms", "affinity maps", "values", "below 100 kcal/mol: third decimal differs", "largest",
            "above: differ", "largest, relative", "e map: third decimal differs", "largest", "d map: differ",
            "differ by more than 0.002", "beyond tolerance"]
    lines = [[row["receptor"], f"{row['atoms']:,}", " ".join(row["types"]), f"{row['values']:,}",
              f"{row['low_third']:,} of {row['low_values']:,}", f"{row['low_largest']:.3f}",
              f"{row['high_third']:,} of {row['high_values']:,}", f"{row['high_relative']:.1e}", f"{row['e_third']:,}",
              f"{row['e_largest']:.3f}", str(row["d_third"]), f"{row['above']:,}", str(row["beyond"])] for row in rows]
    share = 100 * total["low_third"] / total["low_values"]
    text = (f"**{total['values']:,} values of {len(rows)} receptors, {total['beyond'] or 'none'} beyond the "
            f"tolerance.** Of {total['low_values']:,} affinities below 100 kcal/mol {total['low_third']:,} "
            f"({share:.2f} %) differ in the third decimal.")
    return [textwrap.fill(text, 120), ""] + table(head, lines)


def mapspeed(files):
    """Medians; ratios of processor times of consecutive runs."""
    lines = []
    for row in files[0]["rows"]:
        runs = row["runs"]
        ratios = sorted(run["autogrid4_seconds"] / run["seconds"] for run in runs)
        middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        wall = statistics.median(run["autogrid4_wall"] / run["wall"] for run in runs)
        lines.append([row["complex"], f"{row['atoms']:,}", f"{row['points']:,}", str(row["maps"]),
                      number(middle["autogrid4_seconds"]), number(middle["seconds"]),
                      f"**{number(statistics.median(ratios))}** ({number(ratios[0])} - {number(ratios[-1])})",
                      number(wall), f"{row['beyond']} of {row['values']:,}"])
    return table(["complex", "atoms", "points", "maps", "autogrid4, s", "berth-autogrid, s", "ratio (range)",
                  "ratio of wall-clock times", "values beyond the tolerance"], lines)


def errors(of):
    if of["seven_mean"] is None:
        return "all overflow"
    overflow = f", {of['overflow']:.0%} overflow" if of["overflow"] else ""
    return f"{of['seven_mean']:.1e} / {of['seven_max']:.1e}{overflow}"


def reductions(files):
    head = ["sums", "team"]
    for data in files:
        head += [f"{data['atoms']} atoms, {data['torsions']} torsions: early poses, mean / largest", "late poses"]
    found = [{(row["reduction"], row["team"]): row for row in reversed(data["rows"])} for data in files]
    keys = unique((row["reduction"], row["team"]) for data in files for row in data["rows"])
    return table(head, [[key[0], str(key[1])] + [errors(rows[key][when]) if key in rows else "-" for rows in found
                                                 for when in ("early", "late")]
                        for key in keys])


def measured_rows(data):
    return [row for row in data["rows"] if row["measured"]]


def dockings(files):
    head = ["device", "ligand", "team", "sums", "dockings", "evaluations per run", "best energy (RMSD)",
            "best RMSD (energy)",
            "seconds: mean (s.d.)", "shortest - longest", "successes"]
    return table(head, [[machine(data), data["ligand"], str(row["team"]), row["reduction"], str(row["dockings"]),
                         f"{row['evaluations_per_run']:,}", f"{row['best_energy']:.2f} ({row['best_energy_rmsd']:.2f})",
                         f"{row['best_rmsd']:.2f} ({row['best_rmsd_energy']:.2f})",
                         f"{number(row['seconds'])} ({number(row['seconds_deviation'], 2)})" if row["valid"]
                         else "not valid",
                         f"{number(row['seconds_min'])} - {number(row['seconds_max'])}" if row["valid"] else "-",
                         f"{row['successes']} of {row['runs']}"] for data in files for row in measured_rows(data)])


def speeds(files):
    """f, f_eff, prediction and bound are those of the baseline, whose sums are replaced."""
    head = ["device", "ligand", "team", "sums", "us per evaluation", "cycles of an evaluation's sums", "f", "baseline",
            "its f_eff",
            "predicted", "bound", "measured"]
    return table(head, [[machine(data), data["ligand"], str(row["team"]), row["reduction"],
                         number(row["microseconds"]) if row["valid"] else "not valid",
                         number(row["cycles_per_evaluation"]),
                         number(row["cycles_in_sums"])] +
                        (["-"] * 5 if row["baseline"] == row["reduction"] else
                         [row["baseline"]] + [number(row[key]) for key in ("effective_fraction", "predicted_speedup",
                                                                           "bound", "measured_speedup")])
                        for data in files for row in measured_rows(data)])


def counters(files):
    """Table 6 of the paper, and the clock rate from cycles and time."""
    data = files[0]
    head = ["team", "sums", "time, us", "million cycles", "GHz", "million warp instructions", "GFLOP/s",
            "FLOP per byte of memory",
            "issue, %", "FMA, %", "ALU, %", "tensor, %", "registers", "warps", "waiting at barriers"]
    rows = []
    for row in data["rows"]:
        flop = 2 * row["ffma"] + row["fadd"] + row["fmul"]
        rows.append([str(row["team"]), row["reduction"], number(row["nanoseconds"] / 1e3, 4),
                     number(row["cycles"] / 1e6),
                     f"{row['cycles'] / row['nanoseconds']:.2f}", number(row["instructions"] / 1e6),
                     number(flop / row["nanoseconds"], 4),
                     number(flop / row["dram_bytes"])] +
                    [number(row[key]) for key in ("issue_percent", "fma_percent", "alu_percent", "tensor_percent",
                                                  "registers", "warps",
                                                  "stall_barrier")])
    return [f"{machine(data)}; {data['runs']} runs of {data['population']} individuals:", ""] + table(head, rows)


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def times_of_set(data):
    """{(complex, team, sums): microseconds}, and the complexes in order."""
    parts = data["complexes"]
    return ({(part["complex"], row["team"], row["reduction"]): row["microseconds"] for part in parts
             for row in measured_rows(part)
             if row["valid"] and row["microseconds"]}, unique(part["complex"] for part in parts))


def set_of(files):
    data = files[0]
    times, complexes = times_of_set(data)
    keys = sorted({key[1:] for key in times})
    head = [f"{sums}, {team}" for team, sums in keys]
    lines = [f"Microseconds per evaluation on {machine(data)}, by sums and block size:", ""]
    lines += table(["complex"] + head, [[name] + [number(times.get((name,) + key)) for key in keys]
                                        for name in complexes])
    pairs = (("two-step-ec", "sequential"), ("tensor-ec", "simt"), ("simt", "sequential"))
    rows = []
    for team in sorted({key[0] for key in keys}):
        row = [str(team)]
        for new, old in pairs:
            ratios = [times[name, team, old] / times[name, team, new] for name in complexes
                      if (name, team, old) in times and (name, team, new) in times]
            row.append(f"{geometric_mean(ratios):.2f} ({min(ratios):.2f} - {max(ratios):.2f}, {len(ratios)})" if ratios
                       else "-")
        rows.append(row)
    return lines + ["", "Speed-up, geometric mean (smallest - largest, complexes):", ""] + table(
        ["team"] + [f"{new} over {old}" for new, old in pairs], rows)


def bude_choice(data, row):
    if row["lanes"] > 1:
        return f"{row['poses_per_item']} vectors of {row['lanes']}"
    return f"{row['poses_per_item']} poses, groups of {row['group']}"


def identical(data, step):
    """Only kernels compiled at run time have constants built in; elsewhere, older files timed the same code."""
    return step["without"] == "constants" and not data["device"].startswith("opencl")


def main_row(data):
    return next(row for row in data["rows"] if row["kind"] == "main")


def bude_kernel(data):
    """Kernels that execute the same operations on a deck: a processor's with one instruction set, all of GPUs."""
    device = data["device"]
    return os.path.basename(data["deck"]), device if device.startswith(("cpu", "omp")) else "GPU"


def bude(files, counts=""):
    counted = [load(f"data/{name}.json") for name in counts.removeprefix("counts:").split(",") if name] + files
    key = "executed_operations_per_interaction"
    executed = {bude_kernel(data): main_row(data)[key] for data in counted if key in main_row(data)}
    rows = []
    for data in files:
        row, peak = main_row(data), data["peak_operations_per_second"]
        each = executed.get(bude_kernel(data))
        done = None if each is None else each * row["interactions_per_second"]
        rows.append([os.path.basename(data["deck"]), machine(data), bude_choice(data, row), f"{data['poses']:,}",
                     f"{row['deviation_percent']:.4f}", scaled(row["interactions_per_second"], 9), scaled(peak, 9),
                     f"{scaled(row['operations_per_second'], 9)} ({number(row['percent_of_peak'])} %)", number(each),
                     "-" if done is None else f"{scaled(done, 9)} ({number(100 * done / peak)} %)"])
    lines = table(["deck", "device", "chosen", "poses", "deviation, %", "10^9 interactions/s", "measured peak, GFLOP/s",
                   "miniBUDE's count: GFLOP/s (of the peak)", "executed per interaction",
                   "executed: GFLOP/s (of the peak)"], rows)
    for data in files:
        steps = [r for r in data["rows"] if r["kind"] == "step" and r["valid"]]
        if not steps:
            continue
        whole = steps[0]["interactions_per_second"]
        rows = [[s["without"] or "nothing", "-", "-", "-"] if identical(data, s) else
                [s["without"] or "nothing", scaled(s["interactions_per_second"], 9),
                 number(s["interactions_per_second"] / whole, 2), f"{s['deviation_percent']:.4f}"] for s in steps]
        lines += ["", f"{os.path.basename(data['deck'])}, {data['device']}, optimizations left out in turn:", ""]
        lines += table(["without", "10^9 interactions/s", "ratio", "deviation, %"], rows)
    for data in files:
        if "search" in data:
            of = data["search"]
            text = (f"Whole searches of {of['conformations']} conformations at once on {data['device']}, "
                    f"{of['generations']} generations of {data['poses']:,} poses: "
                    f"{scaled(of['interactions_per_second'], 9)} x 10^9 interactions/s; search, selection and "
                    f"copies take {number(of['search_percent'], 2)} % of the time." +
                    ("" if "valid" in of else " The energies of this search were not checked, as they are now."))
            lines += ["", textwrap.fill(text, 120)]
    return lines


def validity(files):
    rows = []
    for data in files:
        main = [row for row in data["rows"] if row["kind"] == "main"][-1]
        square = [row for row in data["rows"] if row.get("without") == "square" and "deviation_percent" in row]
        rows.append([os.path.basename(data["deck"]), machine(data), f"{data['poses']:,}",
                     f"{main['deviation_percent']:.4f}", f"{square[0]['deviation_percent']:.4f}" if square else "",
                     data["commit"]])
    return table(["deck", "device", "poses", "deviation, %", "`--without square`, %", "commit"], rows)


def sass(files):
    rows = {}
    for row in files[0]["rows"]:
        rows.setdefault((row["poses_per_item"], row["without"]), {})[row["pairs"]] = number(row["instructions"])
    head = ["poses per work-item", "without", "runs without charges or desolvation", "one of the two", "both",
            "all pairs"]
    lines = [[str(poses), without or "nothing"] + [of.get(pairs, "") for pairs in ("steric", "one", "both", "all")]
             for (poses, without), of in rows.items()]
    return [f"Lane-instructions per interaction, {files[0]['architecture']}:", ""] + table(head, lines)


def cumulative(files):
    data, before = files[0], None
    lines = []
    for row in data["rows"]:
        rate = row["interactions_per_second"]
        lines.append([row["with"], scaled(rate, 9), number(rate / before, 2) if before else "-",
                      number(rate / data["rows"][0]["interactions_per_second"]),
                      f"{row['deviation_percent']:.4f}"])
        before = rate
    return [f"{os.path.basename(data['deck'])}, {machine(data)}:", ""] + table(
        ["with", "10^9 interactions/s", "over the row above", "over the first", "deviation, %"], lines)


def rates_of_core(core, sizes):
    """Evaluations per second by population, and whether they were measured for each: otherwise a core's time per
    individual is taken as constant."""
    measured = {row["population"]: row["generation"]["us"] for row in core["rows"] if "generation" in row}
    if measured:
        return {size: 1e6 * size / measured[size] for size in sizes if size in measured}, True
    generation = next(row["generation_us"] for row in core["rows"] if row["variant"] == "all")
    return {size: 1e6 * core["runs"] * core["population"] / generation for size in sizes}, False


def speed_up_by_population(gpu, core):
    """Figure 5 of the paper on CUDA: the fastest rows of a GPU over a core."""
    best = {}
    for row in cached(gpu):
        if row["measured"] and row["evaluations_per_second"] > best.get(row["population"], (0, 0))[0]:
            best[row["population"]] = row["evaluations_per_second"], row["team_first"]
    of_core, each = rates_of_core(core, best)
    lines = [[f"{size:,}", *([scaled(of_core[size])] if each else []), scaled(rate), str(lanes),
              number(rate / of_core[size])] for size, (rate, lanes) in best.items() if size in of_core]
    about = f"commit {core['commit']}"
    if not each:
        about = f"{scaled(next(iter(of_core.values())))} million evaluations/s, {about}"
    return [f"{machine(gpu['rows'][0])} over one core of an {core['cpu']} ({about}):", ""] + table(
        ["individuals", *(["one core: million evaluations/s"] if each else []), "million evaluations/s",
         "lanes per pose", "times as fast as the core"], lines)


def cached(data):
    return [row for row in data["rows"] if row.get("variant", "cached") == "cached"]


def uncached_populations(data):
    """Figure 4 of the paper on CUDA: a thread per individual, blocks, and blocks that keep poses in local memory."""
    rates = {(row["variant"], row["population"], row["team"]): row["evaluations_per_second"] for row in data["rows"]
             if row["measured"]}
    blocks = sorted({team for variant, _, team in rates if variant == "uncached" and team >= 32})
    lines = []
    for size in unique(row["population"] for row in data["rows"]):
        line = [f"{size:,}", scaled(rates.get(("cached", size, 1)))]
        for team in blocks:
            with_, without = rates.get(("cached", size, team)), rates.get(("uncached", size, team))
            line += [scaled(with_), scaled(without), number(with_ / without) if with_ and without else "-"]
        lines.append(line)
    head = [text for team in blocks
            for text in (f"{team} lanes: cached", f"{team} lanes: uncached", "cached over uncached")]
    return [f"Million evaluations/s on {machine(data['rows'][0])}:", ""] + table(
        ["individuals", "a thread", *head], lines)


def population(files, what=""):
    if len(files) > 1:
        return speed_up_by_population(*files)
    if what == "uncached":
        return uncached_populations(files[0])
    data, rows = files[0], cached(files[0])
    teams = sorted({row["team"] for row in rows if row["team"] > 0})
    lines = []
    for size in unique(row["population"] for row in rows):
        rates = {row["team"]: row["evaluations_per_second"] for row in rows if row["population"] == size}
        lines.append([f"{size:,}"] + [scaled(rates.get(team)) for team in teams])
    return [f"Million evaluations/s on {machine(data['rows'][0])}, by individuals and lanes per pose:", ""] + table(
        ["individuals"] + [str(team) for team in teams], lines)


# Phases of the paper on CUDA, as sums of the parts of phases.py --populations.
OPERATORS = {"selection": ("elite", "wheel", "parents"), "fitness": ("fitness",), "crossover": ("crossover",),
             "mutation": ("mutation",)}


def operator_us(row, operator, key="us"):
    return sum(row["parts"][part][key] for part in OPERATORS[operator] if part in row["parts"])


def selection_of(data):
    return f"one run of 7cpa, {data['selection']} selection, {data['rounds']} rounds"


def cell_of_parts(row, key):
    """Shortest, and the range of the rounds."""
    low, high = key(row, "low_us"), key(row, "high_us")
    return f"{number(key(row, 'us'))} ({number(low)} - {number(high)})"


def parts(files):
    """Figure 6 of the paper on CUDA."""
    core = {row["population"]: row for row in files[0]["rows"]}
    keys = [*OPERATORS, "generation"]

    def of(operator):
        if operator == "generation":
            return lambda row, key="us": row["generation"][key]
        return lambda row, key="us": operator_us(row, operator, key)

    if len(files) == 1:
        lines = [[f"{size:,}"] + [cell_of_parts(row, of(key)) for key in keys] for size, row in core.items()]
        return [f"Microseconds of a generation on one core of {files[0]['cpu']}, {selection_of(files[0])}: of the "
                "shortest rounds (range):", ""] + table(["individuals", *keys], lines)
    gpu, lines = files[1], []
    for row in gpu["rows"]:
        line = [f"{row['population']:,}", str(row["team"])]
        for key in keys:
            one, card = of(key)(core[row["population"]]), of(key)(row)
            both = one > 0 and card > 0
            line.append(f"**{number(one / card, 2)}** ({number(one)} / {number(card)})" if both else "-")
        lines.append(line)
    return [f"One core of {files[0]['cpu']} over {machine(gpu)}, {selection_of(gpu)}: times as fast (microseconds of a "
            "generation on either):", ""] + table(["individuals", "lanes per pose", *keys], lines)


def partshares(files):
    """Figures 7 and 8 of the paper on CUDA."""
    names = ["elite", "wheel", "parents", "crossover", "mutation", "fitness"]
    lines = []
    for data in files:
        for row in data["rows"]:
            whole, of = row["generation"]["us"], [row["parts"].get(name, {"us": 0})["us"] for name in names]
            where = "one core" if data["device"].startswith("cpu") else f"{machine(data)}, {row['team']} lanes per pose"
            lines.append([f"{row['population']:,}", where] +
                         [f"{100 * us / whole:.1f} %" for us in [*of, whole - sum(of)]])
    lines.sort(key=lambda line: int(line[0].replace(",", "")))
    return [f"Shares of a generation, {selection_of(files[0])}; the rest: the test of the box, copies, the best of the "
            "generation, launches:", ""] + table(["individuals", "where", *names, "rest"], lines)


SPEEDUP_PLACES = {"core": "one core", "cores": "{cores} cores", "device": "GPU", "full": "GPU, {full_runs} runs"}


def cell_of_interval(of):
    return f"**{number(of['mean'])}** ({number(of['low'])} - {number(of['high'])})" if of else "-"


def speedup(files):
    """Figure 4 of the paper on OpenCL: autodock4's time per evaluation over Berth's; all cores over one."""
    data = files[0]
    if "means" not in data:
        return speedup_of_unequal_runs(data)
    searches = {"solis_wets": "Solis-Wets", "adadelta": "ADADELTA"}
    places = [where for where in SPEEDUP_PLACES if f"solis_wets_{where}_us" in data["means"]]
    keys = [(search, where) for search in searches for where in [*places, "cores_over_core"]]
    head = ["complex", "atoms", "torsions", "autodock4, us"]
    for search, where in keys:
        title = SPEEDUP_PLACES.get(where, "{cores} cores over one").format(**data)
        head.append(f"{searches[search]}, {title}")

    def ratio(row, search, where):
        if not row["valid"]:
            return "-"
        if where not in SPEEDUP_PLACES:
            return f"{number(row[f'{search}_{where}'])} ({' - '.join(map(number, row[f'{search}_{where}_range']))})"
        return number(row["autodock4_us"] / row[f"{search}_{where}_us"])

    lines = [[row["complex"], str(row["atoms"]), str(row["torsions"]), number(row.get("autodock4_us"))] +
             [ratio(row, *key) for key in keys] for row in data["rows"]]
    lines.append(["geometric mean (95 %)", "", "", ""] + [
        cell_of_interval(data["means"].get(f"{search}_{where}" + ("_us" if where in SPEEDUP_PLACES else "")))
        for search, where in keys])
    left = f"; left out for lack of time: {', '.join(data['left_out'])}" if data["left_out"] else ""
    return [f"Times as fast per evaluation as one core of autodock4, medians of {data['rounds']} rounds; "
            f"{data['runs']} runs unless stated otherwise; {machine(data)} and {data['cpu']}{left}:", ""] + table(
        head, lines)


def speedup_of_unequal_runs(data):
    """Files from before runs were equal: one on a core, 100 elsewhere."""
    keys = [f"{search}_{where}_us" for search in ("solis_wets", "adadelta") for where in ("core", "cores", "device")]
    names = {"core": "one core", "cores": f"{data['cores']} cores", "device": "GPU"}
    head = ["complex", "atoms", "torsions", "autodock4, us"] + [
        f"{search}, {names[where]}" for search in ("Solis-Wets", "ADADELTA") for where in ("core", "cores", "device")]
    lines = [[row["complex"], str(row["atoms"]), str(row["torsions"]), number(row["autodock4_us"])] +
             [number(row["autodock4_us"] / row[key]) if row[key] else "-" for key in keys] for row in data["rows"]]
    means = [geometric_mean([row["autodock4_us"] / row[key] for row in data["rows"] if row[key]]) for key in keys]
    lines.append(["geometric mean", "", "", ""] + [f"**{number(mean)}**" if mean else "-" for mean in means])
    return [f"Times as fast per evaluation as one core of autodock4; {machine(data)} and {data['cpu']}:",
            ""] + table(head, lines)


def phases(files):
    """Microseconds per launch, and the cost of each operator: offspring with all less offspring without it."""
    data = files[0]
    teams = unique(row["team"] for row in data["rows"])
    rows = {(row["team"], row["variant"]): row["kernels"] for row in data["rows"]}

    def micro(team, variant, kernel):
        return rows[team, variant]["entry_" + kernel]["median_ns"] / 1e3

    lines = []
    for team in teams:
        kernels = rows[team, "ADADELTA"]
        generations = kernels["entry_offspring"]["launches"]
        search = kernels["entry_adadelta"]["sum_ns"] / 1e3 / generations
        whole = search + sum(micro(team, "all", name) for name in ("prepare", "offspring", "finish"))
        lines.append([str(team), number(micro(team, "all", "prepare")),
                      number(micro(team, "proportional selection", "prepare")),
                      number(micro(team, "all", "offspring")),
                      number(micro(team, "all", "offspring") - micro(team, "no crossover", "offspring"), 2),
                      number(micro(team, "all", "offspring") - micro(team, "no mutation", "offspring"), 2),
                      number(micro(team, "all", "finish")), number(search), f"{100 * search / whole:.1f} %"])
    return [f"{machine(data)}, {data['runs']} runs of {data['population']} individuals, microseconds of a generation:",
            ""] + table(
        ["lanes per pose", "prepare: elite", "... and the wheel of proportional selection", "offspring",
         "of which crossover", "of which mutation",
         "finish", "ADADELTA", "share of ADADELTA"], lines)


def operators(files):
    """Figures 5 to 8 of the paper on CUDA: times of a generation and its operators on one core over those on a GPU."""
    gpu, core = files
    host = {row["variant"]: row["generation_us"] for row in core["rows"]}
    rows = {(row["team"], row["variant"]): row["kernels"] for row in gpu["rows"]}

    def of(team, variant, kernels=("prepare", "offspring", "finish")):
        return sum(rows[team, variant][f"entry_{name}"]["median_ns"] for name in kernels) / 1e3

    lines = []
    for team in unique(row["team"] for row in gpu["rows"]):
        search = rows[team, "ADADELTA"]
        generation = of(team, "all") + search["entry_adadelta"]["sum_ns"] / 1e3 / search["entry_offspring"]["launches"]
        parts = [("crossover", host["all"] - host["no crossover"], of(team, "all") - of(team, "no crossover")),
                 ("mutation", host["all"] - host["no mutation"], of(team, "all") - of(team, "no mutation")),
                 ("generation without local search", host["all"], of(team, "all")),
                 ("generation with ADADELTA", host["ADADELTA"], generation)]
        lines += [[str(team), name, number(cpu), number(card), number(cpu / card) if cpu > 0 and card > 0 else "-"]
                  for name, cpu, card in parts]
    where = f"{machine(gpu)} and one core of {core['cpu']} (commit {core['commit']})"
    return [f"{where}, {gpu['runs']} runs of {gpu['population']} individuals:", ""] + table(
        ["lanes per pose", "part", "one core, us", "GPU, us", "times as fast"], lines)


def shares(files):
    data = files[0]
    alone, differ, speed = data["rows"][0]["seconds"], "", "interactions_per_second"
    rates = speed in data["rows"][0]
    if "distinct" in data:
        differ = " (that differ: " + ", ".join(f"{name} {n}" for name, n in data["distinct"].items()) + ")"
    about = (f"{data['ligands']} ligands of {data['conformers']} conformers{differ}, {data['generations']} generations of "
             f"{data['population']:,} poses:")
    head = ["devices", "conformers of each", "seconds", "speed-up over the first row",
            *(["10^9 interactions/s of the searches alone"] if rates else []), "ligands with another best pose"]
    return [*textwrap.wrap(about, 118), ""] + table(
        head, [[row["devices"], ", ".join(f"{name} {n}" for name, n in row["shares"].items()), number(row["seconds"]),
                number(alone / row["seconds"]), *([f"{row[speed] * 1e-9:,.0f}"] if rates else []), str(row["differ"])]
               for row in data["rows"]])


def spreads(files):
    head = ["local search", "complex", "device", "million evaluations per second", "seconds: median",
            "shortest - longest", "repeats"]
    return table(head, [[data["local_search"], row["case"], machine(row), scaled(row["evaluations_per_second"]),
                         number(row["seconds"]),
                         f"{number(row['seconds_min'])} - {number(row['seconds_max'])}", str(data["repeats"])]
                        for data in files for row in data["rows"]])


def metric(files):
    """Pennycook's metric: harmonic mean of the efficiencies over platforms, each relative to the best there."""
    host, card = {}, {}
    for data, into in zip(files, (card, host)):
        for row in data["rows"]:
            if data is files[0] and row["device"].startswith("cpu"):
                continue
            into.setdefault(row["case"], {})[row["device"].split(":")[0].split("/")[0]] = row["evaluations_per_second"]
    lines = []
    for case in [case for case in card if case in host]:
        gpu = {name: rate / max(card[case].values()) for name, rate in card[case].items()}
        cpu = {name: rate / max(host[case].values()) for name, rate in host[case].items()}
        lines.append([case, number(gpu["opencl"], 2), number(cpu["opencl"], 2),
                      number(2 / (1 / gpu["opencl"] + 1 / cpu["opencl"]), 2), "1"])
    return table(["complex", "OpenCL on the GPU, of CUDA", "OpenCL on the processor (PoCL), of Berth's own",
                  "harmonic mean: OpenCL alone",
                  "what `auto` takes"], lines)


def variants(files, lanes=""):
    """Shortest time of the first build over that of each other build, and the range of this ratio over the rounds."""
    data = files[0]
    first, others = data["variants"][0], data["variants"][1:]
    wished = {int(word) for word in lanes.split(",") if word}
    times, rates, means = {}, {}, {}
    for row in data["rows"]:
        if row["measured"] and row["valid"] and (not wished or row["team"] in wished):
            key = row["case"], row["team"]
            times.setdefault(key, {}).setdefault(row["variant"], {})[row["round"]] = row["seconds_min"]
            if row["variant"] == first:
                rates[key] = max(rates.get(key, 0), row["evaluations_per_second"])
    lines = []
    for (case, team), of in times.items():
        line = [case, str(team) if team > 0 else "chosen", scaled(rates.get((case, team)))]
        for name in others:
            both = [r for r in of.get(name, {}) if r in of.get(first, {})]
            ratios = [of[first][r] / of[name][r] for r in both]
            if both:
                shortest = min(of[first].values()) / min(of[name].values())
                means.setdefault(team, {}).setdefault(name, []).append(shortest)
                line.append(f"{number(shortest)} ({number(min(ratios))} - {number(max(ratios))})")
            else:
                line.append("-")
        lines.append(line)
    for team, of in sorted(means.items()) if wished else []:
        lines.append(["geometric mean", str(team), ""] + [number(geometric_mean(of.get(name, []))) for name in others])
    row = data["rows"][0]
    how = f"{machine(row)}, one thread, CPU time" if row["device"].startswith("cpu") else machine(row)
    rounds = len({row["round"] for row in data["rows"]})
    return [f"{how}, {row['local_search']}; shortest of {rounds} rounds (range of the rounds):", ""] + table(
        ["complex", "lanes per pose", f"{first}: million evaluations/s"] + [f"{name} over {first}" for name in others],
        lines)


def instructions(files):
    rows = [row for row in files[0]["rows"] if row["kernel"] != "docking"]
    titles = {"energy": "energy", "gradient": "energy and gradient"}
    cases = unique(row["case"] for row in rows)
    of = {(row["kernel"], row["case"]): row for row in rows}
    lines = []
    for kernel, title in titles.items():
        lines.append([title] + [f"{of[kernel, case]['instructions']:,.0f}" for case in cases])
        for part in of[kernel, cases[0]].get("parts", {}):
            shares = [(of[kernel, case]["parts"][part], of[kernel, case]["instructions"]) for case in cases]
            lines.append([f"... {part}"] + [f"{n:,.0f} ({100 * n / whole:.0f} %)" for n, whole in shares])
    return table([f"instructions per evaluation, {files[0]['device']}"] + cases, lines)


ENTRIES = {"adadelta": "local search (ADADELTA)", "offspring": "offspring: selection, crossover, mutation, energies",
           "initial": "the first population"}


def entries(files):
    """Instructions of the kernels of a docking; the search's alone, since maps are prepared once for all of them."""
    dockings_of = [row for row in files[0]["rows"] if row["kernel"] == "docking"]
    lines = []
    for key, title in ENTRIES.items():
        line = [title]
        for row in dockings_of:
            whole = sum(n for name, n in row["entries"].items() if name in ENTRIES)
            line.append(f"{number(row['entries'][key] / 1e6)} ({100 * row['entries'][key] / whole:.1f} %)")
        lines.append(line)
    return table([f"million instructions, {files[0]['device']}"] + [row["case"] for row in dockings_of], lines)


def stale_files(reasons):
    lines = [[reason, ", ".join(f"[{name[:-5]}](benchmarks/data/{name})" for name in reasons if reasons[name] == reason)]
             for reason in unique(reasons.values())]
    return table(["to be measured again on", "files"], lines)


def fpga(files):
    cases = [(data, row) for data in files for row in data["rows"]]
    head = ["replicas"]
    for data, row in cases:
        head += [f"{row['case']}: thousand evaluations/s", f"of autodock4 at {number(data['serial_us'])} us"]
    lines = [[str(n + 1)] + [text for _, row in cases
                             for text in (scaled(row["predictions"][n]["evaluations_per_second"], 3),
                                                                  number(row["predictions"][n]["speed_up"]))]
             for n in range(9)]
    return table(head, lines)


KINDS = {
    "bude": bude, "counters": counters, "cumulative": cumulative, "dockings": dockings, "e50": e50,
    "entries": entries, "evals": evals, "figures": figures, "flexible": flexible, "fpga": fpga, "grid": grid, "guards": guards,
    "instructions": instructions,
    "maps": maps, "mapspeed": mapspeed,
    "metric": metric, "offload": offload, "operators": operators, "parts": parts, "partshares": partshares, "phases": phases,
    "population": population, "reductions": reductions,
    "sass": sass, "screen": screen, "set": set_of, "shares": shares, "speeds": speeds, "speedup": speedup,
    "spreads": spreads, "validity": validity, "variants": variants}


def render(text):
    def block(match):
        words = match.group(3).split()
        if match.group(2) == "stale":
            return match.group(1) + "\n" + "\n".join(stale_files(load(words[0]))) + "\n\n" + match.group(4)
        files = [load(word) for word in words if word.endswith(".json")]
        head = ["```", files[0]["command"], "```", "", provenance(files[0]), ""]
        lines = head + KINDS[match.group(2)](files, *words[len(files):])
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
