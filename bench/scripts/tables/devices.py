"""Tables that compare devices, builds and autodock4."""
import re

from tables.common import geometric_mean, machine, number, scaled, table, unique


def figures(files):
    head = ["complex", "device", "team", "runs", "million evaluations per second", "ratio to the best", "off, kcal/mol"]
    return table(head, [[row["case"], machine(row), str(row.get("team_first", row["team"])), str(row["runs"]),
                         scaled(row.get("evaluations_per_second")), number(row.get("ratio_to_best"), 3),
                         number(row.get("energy_deviation"), 2) if row["measured"] else row["reason"]]
                        for row in files[0]["rows"]
                        if row["measured"] or not row["reason"].startswith("no team size")])


def offload(files):
    """OpenMP's rows of all files; the fastest of CUDA and OpenCL, as a compiler's runtime can slow them down."""
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
            rates, through = into.setdefault(row["case"], {}), re.split("[:/]", row["device"])[0]
            rates[through] = max(rates.get(through, 0), row["evaluations_per_second"])  # of instruction sets, the best
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
