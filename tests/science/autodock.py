"""autodock.py - reference programs: maps by autogrid4, energies by autodock4's epdb command.

Both are Debian packages (autogrid, autodock). Units: Angstrom, kcal/mol.
"""
import datetime
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from skips import skip  # noqa: E402


def shared(*parts):
    """A file of the shared inputs; skips the test when it is absent."""
    source = os.environ.get("BERTH_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    root = os.environ.get("BERTH_SHARED") or os.path.join(source, "..", "shared")
    path = os.path.join(root, *parts)
    if not os.path.exists(path):
        skip("no " + path)
    return path


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            skip("%s is not installed" % program)


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit("%s failed in %s:\n%s" % (command[0], folder, done.stdout[-2000:]))


def write_record(path, berth, benchmark, command, rows, **more):
    """JSON of what was measured, with the program's commit and the date, as bench/scripts write it."""
    told = json.loads(subprocess.run([berth, "--version", "--json"], stdout=subprocess.PIPE, text=True).stdout)
    with open(path, "w") as out:
        json.dump({"benchmark": benchmark, "command": command, "version": told["version"], "commit": told["commit"],
                   "date": datetime.date.today().isoformat(), "device": "cpu", **more, "rows": rows}, out, indent=1)
        out.write("\n")


def types_of(path):
    """Distinct atom types, in alphabetical order."""
    return sorted({line[77:80].strip() for line in open(path) if line[:6] in ("ATOM  ", "HETATM")})


def box_of(fld):
    words = {line.split()[0]: line.split()[1:] for line in open(fld) if line.startswith("#") and len(line.split()) > 1}
    return {"npts": words["#NELEMENTS"], "spacing": words["#SPACING"][0], "center": words["#CENTER"]}


def make_maps(folder, receptor, box, types):
    """Makes the receptor's maps in folder unless they exist. Returns the .fld."""
    os.makedirs(folder, exist_ok=True)
    fld = os.path.join(folder, "protein.maps.fld")
    stamp, wish = os.path.join(folder, "maps.txt"), " ".join([*box["npts"], box["spacing"], *box["center"], *types])
    if os.path.exists(stamp) and open(stamp).read() == wish:
        return fld
    shutil.copyfile(receptor, os.path.join(folder, "protein.pdbqt"))
    with open(os.path.join(folder, "protein.gpf"), "w") as out:
        out.write("npts %s\ngridfld protein.maps.fld\nspacing %s\n" % (" ".join(box["npts"]), box["spacing"]))
        out.write("receptor_types %s\nligand_types %s\n" % (" ".join(types_of(receptor)), " ".join(types)))
        out.write("receptor protein.pdbqt\ngridcenter %s\nsmooth 0.5\n" % " ".join(box["center"]))
        out.writelines("map protein.%s.map\n" % t for t in types)
        out.write("elecmap protein.e.map\ndsolvmap protein.d.map\ndielectric -0.1465\n")
    run(["autogrid4", "-p", "protein.gpf", "-l", "protein.glg"], folder)
    with open(stamp, "w") as out:
        out.write(wish)
    return fld


def epdb(folder, ligand, types, flexible=None):
    """Energies of the input pose on the maps of folder, as autodock4 prints them."""
    shutil.copyfile(ligand, os.path.join(folder, "ligand.pdbqt"))
    with open(os.path.join(folder, "epdb.dpf"), "w") as out:
        out.write("autodock_parameter_version 4.2\noutlev 1\nintelec\nseed 11 22\n")
        out.write("ligand_types %s\nfld protein.maps.fld\n" % " ".join(types))
        out.writelines("map protein.%s.map\n" % t for t in types)
        out.write("elecmap protein.e.map\ndesolvmap protein.d.map\nmove ligand.pdbqt\n")
        if flexible:
            shutil.copyfile(flexible, os.path.join(folder, "flexible.pdbqt"))
            out.write("flexres flexible.pdbqt\n")
        out.write("about 0 0 0\nunbound_model bound\nepdb\n")
    run(["autodock4", "-p", "epdb.dpf", "-l", "epdb.dlg"], folder)
    text = open(os.path.join(folder, "epdb.dlg"), errors="replace").read()
    if "Successful Completion" not in text:
        raise SystemExit("autodock4 did not complete in " + folder)
    return parse_epdb(text)


def parse_epdb(text):
    """atoms: (vdw_hbond, electrostatic, desolvation); pairs: {(i, j): (elec, vdw, hbond, desolv)} counted from 1;
    groups: the lines of the summary that begin with a name."""
    number = r"\s+([-+]?\d+\.\d+)"
    tail = text[text.rindex("Intermolecular Energy Analysis"):]
    row = r"^\s*\d+\s+\w+" + number * 8 + r"\s*$"  # total, three terms, charge, x, y, z
    atoms = [tuple(float(m.group(k)) for k in (2, 3, 4)) for m in re.finditer(row, tail, re.M)]
    pairs = {(int(m.group(1)), int(m.group(2))): tuple(float(m.group(k)) for k in (5, 6, 7, 8))
             for m in re.finditer(r"^\s*\d+\s+(\d+)-(\d+)" + number * 6, text, re.M)}
    total = re.search(r"^\s+Total" + number * 5 + r"\s*$", tail, re.M)
    inside = re.search(r"^Total" + number * 5 + r"\s*$", text, re.M)
    groups = {m.group(1).strip(): float(m.group(2))
              for m in re.finditer(r"^epdb: USER\s+(?:\(\d\) )?([A-Za-z+.' -]+?)\s*=\s*([-+]?\d+\.\d+)", text, re.M)}
    return {"atoms": atoms, "pairs": pairs, "groups": groups,
            "inter": [float(x) for x in total.groups()[:4]] if total else None,
            "intra": [float(x) for x in inside.groups()] if inside else [0.0] * 5}
