#!/usr/bin/env python3
"""Writes the tables of docs/accuracy.md, those of README.md and the plot from the JSON in docs/accuracy/data.

    bench/scripts/accuracy_page.py [--check] [--top FOLDER]
    bench/scripts/accuracy_page.py --report FOLDER

A table is written between a line <!-- KIND WORD... --> and the next <!-- end -->. With --check nothing is written, and
the exit code is 1 if a page or the plot does not match the JSON, or if a file lacks the command, commit or date of its
figures. New files are dropped into docs/accuracy/data, in the place of those of the same name, and the script is run.
--report makes a page and a plot of the poses and screens of any folder, such as those of scripts/evidence --out FOLDER.

FILES  poses-*.json     `poses.py table --json`; a protocol and a set occur in one of them only
       checks-*.json    the same with PoseBusters' checks, where poses-*.json of a set has none
       screens*.json    `enrichment.py table --json`
       energies.json, vina.json, raw-entries.json
                        `test_energies.py --json`, `test_vina.py --json`, `redock_raw.py --table RESULTS --json`
       peers.json, kept.json
                        published figures of other programs; figures on complexes that developers do not have
       ../history.csv   figures by date and commit, to which scripts/evidence adds

KIND   poses SET, groups SET, peers SET, checks, screens, targets, kept, keptscreens, energies, vina, raw, history,
       record FILE (columns and rows as they stand), readme-energies, readme-poses, readme-screens, readme-speed
"""
import argparse
import csv
import json
import math
import pathlib
import re
import sys
import textwrap

from accuracy_plot import plot

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"(<!-- ([\w-]+)((?: [^\s>]+)*) -->\n).*?(<!-- end -->)", re.DOTALL)
SETS = {"posebusters": "PoseBusters", "astex": "Astex Diverse", "redock": "PDBbind core"}
NAMES = {
    "default": "`berth dock`, the default",
    "without-networks": "`--rescore none`, the default without networks",
    "vina-vinardo": "`--rescore vinardo`",
    "crystal": "the default, from the crystal's conformer",
    "one-conformer": "the default with `--conformers 1`",
    "from-smiles": "the default, from SMILES",
    "bude": "`berth bude --conformers 20 --population 4096`",
    "e6k": "the default with `--runs 10 --evals 6k`",
    "ad4e6k": "`--scoring ad4 --runs 10 --evals 6k`"
}
# of protocols that the README shows; what the default is changes with time
README = {
    "default": "the default: Vina, re-ranked by gnina's networks",
    "without-networks": "Vina alone, the default without networks"
}


class Fault(Exception):
    """What is wrong with a file of figures."""


# --- reading ---------------------------------------------------------------------------------------------

class Figures:
    """The JSON of a folder; every file that is read must say where it comes from."""

    def __init__(self, top, folder=None):
        self.top, self.own = top, top / "docs/accuracy/data"
        self.folder = folder or self.own

    def load(self, name):
        path = (self.own if name in ("peers.json", "kept.json") else self.folder) / name
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Fault(f"{path.name}: {error}") from error
        needed = ("command", "date") if data.get("benchmark") == "published" else ("command", "commit", "date")
        for key in needed if isinstance(data, dict) else ("command",):
            if not isinstance(data, dict) or not data.get(key):
                raise Fault(
                    f"{path.name} does not say its {key}; write it by `poses.py table --json`, with --{key} if need be")
        return data

    def matching(self, pattern):
        return {path.name: self.load(path.name) for path in sorted(self.folder.glob(pattern))}

    def poses(self, pattern="poses-*.json"):
        """{(set, protocol): {group: row}} and {(set, protocol): file}."""
        rows, places = {}, {}
        for name, data in self.matching(pattern).items():
            for row in data["rows"]:
                key = row["set"], row["protocol"]
                if places.setdefault(key, name) != name:
                    raise Fault(f"{places[key]} and {name} both have {key[1]} on {key[0]}; delete one of them")
                rows.setdefault(key, {})[row["group"]] = row
        return rows, places

    def history(self):
        with open(self.top / "docs/accuracy/history.csv", encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows]


def share(part):
    if part is None:
        return "-"
    low, high = part["interval"]
    return f"{100 * part['share']:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def percent(part):
    return "-" if part is None else f"{100 * part['share']:.0f}"


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def label(row):
    if row["protocol"] in NAMES:
        return NAMES[row["protocol"]]
    return f"`{' '.join(row['words'])}`" if row.get("words") else row["protocol"]


def measured(files):
    """A line for each file: how it was made, by which commit, when and where."""
    lines = []
    for name, data in files.items():
        where = ", ".join(word for word in (data.get("device"), data.get("cpu")) if word)
        commit = f", commit {data['commit']}" if data.get("commit") else ""
        note = f"; {data['note']}" if data.get("note") else ""
        told = (f"[{name}](accuracy/data/{name}): `{data['command']}`; {data['date']}{commit}"
                f"{', ' + where if where else ''}{note}.")
        lines += ["", *textwrap.wrap(told, 120, break_long_words=False, break_on_hyphens=False)]
    return lines


# --- poses -----------------------------------------------------------------------------------------------

def poses_of(figures, name):
    rows, places = figures.poses()
    found = {protocol: groups for (of, protocol), groups in rows.items() if of == name}
    if not found:
        raise Fault(f"no poses-*.json has the set {name}")
    return found, {places[name, protocol]: figures.load(places[name, protocol]) for protocol in found}


def poses(figures, name):
    found, files = poses_of(figures, name)
    lines, paired = [], any("against" in groups["all"] for groups in found.values())
    for groups in found.values():
        one = groups["all"]
        halves = [share(groups[half]["first_2"]) if half in groups else "-" for half in ("tuning", "confirming")]
        others = [percent(one.get(key)) for key in ("first_1", "third_2", "pool_2")]
        seeds = len(one["seeds"])
        pairs = one.get("against")
        compared = [f"+{pairs['gained']} -{pairs['lost']}, p {pairs['p']:.2g}" if pairs else "-"] if paired else []
        lines.append([label(one), str(one["n"] // seeds), str(seeds), share(one["first_2"]), *halves, *others,
                      str(one["n"] - one["docked"]), *compared])
    start = next(iter(found.values()))["all"].get("start", "generated")
    origin = {"generated": "a generated conformer", "crystal": "**the crystal's own conformer, which flatters**"}[start]
    return [f"Docked from {origin}. Percent, with Wilson's 95 % interval:", "", *table(
        ["", "complexes", "seeds", "first pose within 2 Å", "... tuning half", "... confirming half", "within 1 Å",
         "one of the first three", "one of the pool", "not docked",
         *(["first poses against the first row, McNemar's p"] if paired else [])], lines), *measured(files)]


def groups(figures, name):
    found, _ = poses_of(figures, name)
    names = [word for word in next(iter(found.values())) if word not in ("all", "tuning", "confirming")]
    counted = next(iter(found.values()))
    return table([""] + [f"{word} ({counted[word]['n'] // len(counted[word]['seeds'])})" for word in names],
                 [[label(of["all"]), *(share(of[word]["first_2"]) if word in of else "-" for word in names)]
                  for of in found.values()])


def peers(figures, name):
    data = figures.load("peers.json")
    lines = [[one["program"], str(one["complexes"]), f"{one['first']:g}", one["conditions"]]
             for one in data["poses"] if one["set"] == name]
    return table(["other programs", "complexes", "first pose within 2 Å, %", "conditions"], lines)


def checks(figures):
    found, places = {}, {}
    for pattern in ("checks-*.json", "poses-*.json"):
        rows, files = figures.poses(pattern)
        checked = {key: groups_ for key, groups_ in rows.items() if "checked" in groups_["all"]}
        found |= checked
        places |= {key: files[key] for key in checked}
    if not found:
        return ["Not measured by these commits."]
    lines, names = [], {}
    for key, groups_ in found.items():
        one = groups_["all"]
        checked, right, both = one["checked"], one["first_2_checked"], one["first_2_and_valid"]
        lines.append([f"{SETS.get(one['set'], one['set'])}, {label(one)}", str(checked),
                      str(one.get("strain_unchecked", 0)), f"{one['valid']} ({100 * one['valid'] / max(checked, 1):.0f} %)",
                      f"{both} of {right} ({100 * both / max(right, 1):.0f} %)", f"{100 * both / one['n']:.0f}"])
        for name, count in one["fails"].items():
            names.setdefault(name, {})[key] = count
    failed = sorted(names.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    counts = [[name.replace("_", " "), *(str(of.get(key, 0)) for key in found)] for name, of in failed]
    titles = [f"{SETS.get(of, of)}, {label(found[of, by]['all'])}" for of, by in found]
    return [*table(["first poses", "checked", "of these without strain", "pass all checks", "right ones that pass",
                    "right and pass, % of all"], lines),
            *(["", *table(["check that fails", *titles], counts)] if counts else []),
            *measured({places[key]: figures.load(places[key]) for key in found})]


def kept(figures):
    data = figures.load("kept.json")
    lines = [[one["set"], one["protocol"], str(one["complexes"]), one["figure"].replace(" A,", " Å,"),
              one["value"] + (f" ({one['interval'][0]}-{one['interval'][1]})" if one["interval"] else "")]
             for one in data["rows"]]
    return [*table(["set", "protocol", "complexes", "figure", "value"], lines), *measured({"kept.json": data})]


def keptscreens(figures):
    data = figures.load("kept.json")["screens"]
    return table(data["columns"], data["rows"])


# --- screens ---------------------------------------------------------------------------------------------

def mean(one, name, digits):
    value = one.get(name)
    if value is None:
        return "-"
    return f"{value['mean']:.{digits}f}" + (f" ({value['median']:.{digits}f})" if "median" in value else "")


def screens(figures):
    files, lines = figures.matching("screens*.json"), []
    for data in files.values():
        for one in data["summaries"]:
            against = one.get("against", {}).get("ef1")
            cells = [mean(one, name, digits) for name, digits in (("auc", 3), ("ef1", 1), ("ef5", 1), ("bedroc", 3))]
            lines.append([label(one).replace("berth dock", "berth screen"), one["half"], str(one["targets"]), *cells,
                          f"+{against['better']} -{against['worse']}" if against else "-"])
    return [
        *table(["", "half", "targets", "AUC: mean (median)", "EF1%", "EF5%", "BEDROC", "EF1% against the baseline"],
               lines), *measured(files)
    ]


def targets(figures):
    lines = []
    for data in figures.matching("screens*.json").values():
        for one in data["screens"]:
            cells = [number(one["auc"]["value"], 3), number(one["ef1"]["value"], 1)]
            for at, (name, digits) in enumerate((("auc", 2), ("ef1", 1))):
                if "interval" in one[name]:
                    low, high = one[name]["interval"]
                    cells[at] += f" ({low:.{digits}f}-{high:.{digits}f})"
            ligands = one["actives"] + one["decoys"]
            rate = f"{ligands / one['seconds']:,.0f}" if one.get("seconds") else "-"
            lines.append([
                one["target"].replace("vs-", ""), one["half"],
                label(one).replace("berth dock", "berth screen"), f"{one['actives']}, {one['decoys']:,}", *cells,
                number(one.get("auc_of_size"), 3), rate
            ])
    data = figures.load("peers.json")
    for one in data["screens"]:
        lines.append([one["target"], "", f"{one['program']}: {one['conditions']}", f"{one['ligands']:,} in all",
                      f"{one['auc']:.3f}", f"{one['ef1']:.1f}", "-", "-"])
    return table(["target", "half", "protocol", "actives, decoys", "AUC", "EF1%", "AUC of size alone", "ligands/s"],
                 sorted(lines, key=lambda line: line[0]))


# --- energies --------------------------------------------------------------------------------------------

def energies(figures):
    data = figures.load("energies.json")
    lines = [[one["complex"], str(one["pairs"]), f"{one['inter']:.4f}", f"{one['intra']:.4f}",
              f"{one['deviation']:.5f} ({one['term']})", f"{one['atom_deviation']:.5f}", f"{one['continuous']:+.4f}"]
             for one in data["rows"]]
    return [*table(["complex", "pairs", "inter", "intra", "largest deviation (term)", "of an atom's map energy",
                    "continuous - tabulated"], lines), *measured({"energies.json": data})]


def vina(figures):
    data = figures.load("vina.json")

    def deviation(value):
        return f"{math.ceil(value * 1e4 - 0.05) / 1e4:.4f}" if value < 0.001 else f"{value:.3f}"

    return [*table(["compared with", "evaluations", "Vina", "Vinardo"],
                   [[one["compared"], str(one["evaluations"]), deviation(one["vina"]), deviation(one["vinardo"])]
                    for one in data["rows"]]), *measured({"vina.json": data})]


def raw(figures):
    data = figures.load("raw-entries.json")
    digits = {"atoms": 0, "torsions": 0, "rmsd": 2, "best_rmsd": 2, "seconds": 2, "energy": 2, "crystal": 2}
    lines = [[one["entry"], one["kind"],
              *("" if one[key] is None else f"{one[key]:.{count}f}" for key, count in digits.items()),
              one["verdict"]] for one in sorted(data["rows"], key=lambda one: one["entry"])]
    right = sum(one["verdict"] == "right" for one in data["rows"])
    near = sum(one["verdict"] != "right" and (one["best_rmsd"] or 9) <= 2 for one in data["rows"])
    return [
        *table([
            "entry", "kind", "atoms", "torsions", "RMSD", "best RMSD", "seconds", "lowest found", "crystal", "verdict"
        ], lines), "",
        f"{right} of {len(lines)} first poses are within 2 Å; in {near} more entries some run found such "
        "a pose.", *measured({"raw-entries.json": data})
    ]


def record(figures, name):
    data = figures.load(name)
    return [*table(data["columns"], data["rows"]), *measured({name: data})]


def history(figures):
    lines = sorted(figures.history(), key=lambda one: (one["set"], one["figure"], one["date"]))
    return table(["set", "figure", "date", "commit", "device", "protocol", "value"],
                 [[one[name] for name in ("set", "figure", "date", "commit", "device", "protocol", "value")]
                  for one in lines])


# --- README ----------------------------------------------------------------------------------------------

def readme_poses(figures):
    names, lines = ("posebusters", "astex"), []
    rows, _ = figures.poses()
    sizes = {}
    for protocol, title in README.items():
        cells = []
        for name in names:
            if (name, protocol) not in rows:
                raise Fault(f"README needs {protocol} on {name}")
            one = rows[name, protocol]["all"]
            if one.get("start", "generated") != "generated":
                raise Fault(f"README: {protocol} on {name} was docked from the crystal's conformer")
            sizes[name] = one["n"] // len(one["seeds"])
            low, high = one["first_2"]["interval"]
            cells.append(f"{percent(one['first_2'])} ({100 * low:.0f}-{100 * high:.0f}) %")
        lines.append([title, *cells])
    return table(["first pose within 2 Å, raw files, generated conformers ([how](docs/accuracy.md#right-poses))",
                  *(f"{sizes[name]} of {SETS[name].split()[0]}" for name in names)], lines)


def readme_screens(figures):
    found = {
        one["protocol"]: (one, data)
        for data in figures.matching("screens*.json").values()
        for one in data["summaries"] if one["half"] == "all"
    }
    lines = []
    for protocol, title in (("default", "the default"), ("ad4", "`--scoring ad4`")):
        if protocol not in found:
            raise Fault(f"README needs the screens of {protocol}")
        one, _ = found[protocol]
        lines.append([title, f"{one['auc']['mean']:.2f}", f"{one['ef1']['mean']:.1f}"])
    count = found["default"][0]["targets"]
    return table([f"screens of {count} targets ([how](docs/accuracy.md#enrichment))", "mean ROC AUC", "mean EF1%"],
                 lines)


def readme_energies(figures):
    data, other = figures.load("energies.json"), figures.load("vina.json")
    worst = max(one["deviation"] for one in data["rows"])
    first = other["rows"][0]
    if worst > 0.5e-4 * 1.01 or max(first["vina"], first["vinardo"]) > 0.5e-3 * 1.01:
        raise Fault("README says that energies agree to rounding, which they do not")
    largest = max(first["vina"], first["vinardo"])
    return table(["energies ([how](docs/accuracy.md#energies))", "compared with", "largest deviation, kcal/mol"], [
        [f"AutoDock 4, every term, {len(data['rows'])} crystal poses", "autodock4 4.2.6", f"{worst:.5f}, its rounding"],
        [f"Vina and Vinardo, {first['evaluations']} evaluations", "Vina 1.2.7", f"{largest:.4f}, its rounding"]])


def readme_speed(figures):
    benchmarks = figures.top / "docs/benchmarks/data"
    data = json.loads((benchmarks / "speedup-h200.json").read_text(encoding="utf-8"))
    means = []
    # a file from before 2026-11-29 has no dockings that fill the GPU beside equal ones
    full = "solis_wets_full_us" in data["rows"][0]
    for key in ("solis_wets_core_us", "solis_wets_cores_us", f"solis_wets_{'full' if full else 'device'}_us"):
        ratios = [math.log(row["autodock4_us"] / row[key]) for row in data["rows"] if row.get(key)]
        means.append(float(f"{math.exp(sum(ratios) / len(ratios)):.3g}"))
    minimum = json.loads((figures.top / "docs/accuracy/data/least-seconds.json").read_text(encoding="utf-8"))
    rates, device = [], ""
    for protocol in ("ad4", "default"):
        found = [(one, file) for file in figures.matching("screens*.json").values() for one in file["screens"]
                 if one["protocol"] == protocol and one["target"] == "def" and one.get("seconds")]
        if not found:
            raise Fault(f"README needs the time of a screen of DEF by {protocol}")
        one, file = found[0]
        rates.append((one["actives"] + one["decoys"]) / one["seconds"])
        ligands, device = one["actives"] + one["decoys"], file["device"]
    of_gpu = f" with {data['full_runs']} runs" if full else "; one run on the core, 100 elsewhere"
    cores = f"one core with AVX-512; {data['cores']} cores; one H200{of_gpu}"
    return table(["speed", "measured on", "Berth"], [
        [f"autodock4, time per evaluation, {len(data['rows'])} complexes "
         "([how](docs/benchmarks/portability.md#beside-autodock4))", cores,
         f"{means[0]:.0f}; {means[1]:,.0f}; {means[2]:,.0f} times as fast"],
        [f"AutoDock-GPU, least time to the minimum at 99 % over five budgets each, {minimum['complexes']} complexes "
         "([how](docs/benchmarks/e50.md#like-for-like-with-autodock-gpu))",
         f"one H100, {minimum['runs']} runs",
         f"{minimum['ratio']} of the time of AutoDock-GPU 1.6, at most {minimum['largest']}"],
        [f"screen of {ligands:,} ligands: `--scoring ad4`; the default ([how](docs/accuracy.md#target-by-target))",
         "one " + device.split("NVIDIA ")[-1] if "NVIDIA" in device else device,
         f"{float(f'{rates[0]:.3g}'):,.0f}; {float(f'{rates[1]:.3g}'):,.0f} ligands/s"]])


# --- pages -----------------------------------------------------------------------------------------------

KINDS = {"poses": poses, "groups": groups, "peers": peers, "checks": checks, "screens": screens, "targets": targets,
         "kept": kept, "keptscreens": keptscreens, "energies": energies, "vina": vina, "raw": raw, "record": record,
         "history": history, "readme-poses": readme_poses, "readme-screens": readme_screens,
         "readme-energies": readme_energies, "readme-speed": readme_speed}


def render(figures, text):
    def block(match):
        made = "\n".join(KINDS[match.group(2)](figures, *match.group(3).split()))
        gap = "\n" if match.group(2).startswith("readme-") else "\n\n"
        return match.group(1) + gap[1:] + made + gap + match.group(4)

    return BLOCK.sub(block, text)


def pages(top):
    """{path: text as the JSON makes it}"""
    figures = Figures(top)
    made = {
        top / name: render(figures, (top / name).read_text(encoding="utf-8"))
        for name in ("docs/accuracy.md", "README.md")
    }
    rows, _ = figures.poses()
    drawn = plot(rows, figures.load("peers.json")["poses"], SETS, label)
    return {**made, top / "docs/images/accuracy-poses.svg": drawn}


def report(top, folder):
    """A page and a plot of the poses and screens in a folder, beside other programs' figures: {path: text}."""
    figures, lines = Figures(top, folder), ["# Accuracy of some protocols"]
    rows, _ = figures.poses()
    for name in dict.fromkeys(of for of, _ in rows):
        lines += ["", f"## {SETS.get(name, name)}", "", *poses(figures, name), "", *groups(figures, name), ""]
        if any(one["set"] == name for one in figures.load("peers.json")["poses"]):
            lines += peers(figures, name)
    if any("checked" in of["all"] for of in rows.values()):
        lines += ["", "## PoseBusters' checks", "", *checks(figures)]
    if figures.matching("screens*.json"):
        lines += ["", "## Enrichment", "", *screens(figures), "", *targets(figures)]
    made = {folder / "accuracy.md": "\n".join(lines).replace("](accuracy/data/", "](") + "\n"}
    if rows:
        made[folder / "accuracy-poses.svg"] = plot(rows, figures.load("peers.json")["poses"], SETS, label)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a page is not as the JSON")
    parser.add_argument("--top", type=pathlib.Path, default=TOP, help="the source tree")
    parser.add_argument("--report", type=pathlib.Path, help="write a page and a plot of a folder's JSON")
    options = parser.parse_args()
    try:
        made = report(options.top, options.report) if options.report else pages(options.top)
    except Fault as fault:
        sys.exit(f"accuracy_page.py: {fault}")
    wrong = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if options.check and wrong:
        names = ", ".join(str(path.relative_to(options.top)) for path in wrong)
        sys.exit(f"accuracy_page.py: {names} differ from the JSON; run bench/scripts/accuracy_page.py")
    for path in wrong:
        path.write_text(made[path], encoding="utf-8")


if __name__ == "__main__":
    main()
