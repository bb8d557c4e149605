"""Tables of a generation, its parts and kernels, and of numbers of individuals."""
from tables.common import machine, number, scaled, table, unique


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
