"""Tables of BUDE."""
import os
import textwrap

from tables.common import machine, number, scaled, table


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


def bude(files, counted=()):
    counted = [*counted, *files]
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


def shares(files):
    data = files[0]
    alone, differ, speed = data["rows"][0]["seconds"], "", "interactions_per_second"
    rates = speed in data["rows"][0]
    if "distinct" in data:
        differ = " (that differ: " + ", ".join(f"{name} {n}" for name, n in data["distinct"].items()) + ")"
    about = (f"{data['ligands']} ligands of {data['conformers']} conformers{differ}, {data['generations']} generations "
             f"of {data['population']:,} poses:")
    head = ["devices", "conformers of each", "seconds", "speed-up over the first row",
            *(["10^9 interactions/s of the searches alone"] if rates else []), "ligands with another best pose"]
    return [*textwrap.wrap(about, 118), ""] + table(
        head, [[row["devices"], ", ".join(f"{name} {n}" for name, n in row["shares"].items()), number(row["seconds"]),
                number(alone / row["seconds"]), *([f"{row[speed] * 1e-9:,.0f}"] if rates else []), str(row["differ"])]
               for row in data["rows"]])
