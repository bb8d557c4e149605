"""Tables of E50 studies."""
import math
import re

from tables.common import number, scaled, table


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
