"""Cells, tables and provenance, of all tables of docs.py."""
import math
import re


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


def complex_of(data):
    """A ligand whose file is called rand-0 in every complex goes by its folder."""
    folder = re.search(r" -l (\S+)/rand-0\.pdbqt", data["command"])
    return folder.group(1) if data["ligand"] == "rand-0" and folder else data["ligand"]


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None
