"""Tables of energy evaluations, screens, maps, and the model of an FPGA."""
import statistics
import textwrap

from tables.common import complex_of, machine, number, scaled, table, unique


KERNELS = (("energy_us", "energy"), ("gradient_us", "energy and gradient"), ("solis_wets_us", "docking, Solis-Wets"),
           ("adadelta_us", "docking, ADADELTA"), ("adam_us", "docking, ADAM"))


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
