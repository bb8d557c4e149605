"""Tables of sums over a team."""
from tables.common import geometric_mean, machine, number, table, unique


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
