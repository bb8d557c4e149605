#!/usr/bin/env python3
"""Docks the same complexes with Berth and with another program, each as it comes, on one thread; compares first poses
and processor time.

    beside.py dock RESULTS SET... [--take 40,20] [--berth PROGRAM] [--other NAME] [--python PYTHON] [--cpu N] [--seed 1]
    beside.py table RESULTS SET... [--take 40,20] [--other NAME] [--json FILE]

A SET is a folder as for poses.py, with raw files; --take N,... docks the N complexes of each set whose ids have the
smallest SHA-256, so that nobody has chosen them. Every program gets receptor.pdb, ligand_start.sdf (a generated
conformer) and the same box, the crystal ligand's extent plus 5 A on every side, prepares them as its manual says, and
docks with its defaults; PYTHON has the other one installed. The programs take turns, complex by complex, so that they
meet the same machine; --cpu binds both to one processor.

Judged by the RMSD of poses.py, by RDKit, which belongs to none of them; right means within 2 A. Seconds are user and
system time of the processes and of their children. Berth is one command from raw files to poses. Programs that need a
preparation of their own have it counted apart. One that refuses a complex or fails is wrong there.

Another program is one function more: it returns commands by phase ("prepare", "dock") and where its poses will be.
"""
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import poses
from judging import digest, parsers_of, processor, provenance, sign_test, version_of
from rdkit import Chem

PADDING = 5.0
RIGHT = 2.0
TITLES = {"posebusters": "... PoseBusters", "astex": "... Astex"}


# --- programs --------------------------------------------------------------------------------------------

def berth(options, job, place):
    command = [options.berth, "dock", "-q", "-r", job["receptor"], "-l", job["ligand"], "--autobox", job["crystal"],
               "--threads", "1", "--seed", str(options.seed), "-o", place / "out"]
    return {"dock": command}, "out/*.sdf"


# Rustina 0.9 is a Python package; these are the calls of its manual, with the conformer and the protonation of the
# file. Without a network Meeko lacks templates of rare residues. Rustina types such HETATM by their elements, but fails
# where the files say ATOM, as those of the sets do; then they are made HETATM, as in files of the PDB.
RUSTINA_PREPARE = """
import json, pathlib, sys, rustina
COMMON = ("ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL "
          "A C G U DA DC DG DT").split()
receptor, ligand, place = sys.argv[1:4]
center, size = json.loads(sys.argv[4])
place = pathlib.Path(place)
try:
    prepared = rustina.prepare_receptor(receptor, center=center, size=size)
except rustina.PreparationError:
    lines = pathlib.Path(receptor).read_text().splitlines()
    rare = [line.startswith("ATOM  ") and line[17:20].strip() not in COMMON for line in lines]
    text = "\\n".join("HETATM" + line[6:] if other else line for other, line in zip(rare, lines))
    prepared = rustina.prepare_receptor(text, center=center, size=size)
(place / "receptor.pdbqt").write_text(prepared["pdbqt"])
(place / "ligand.pdbqt").write_text(rustina.prepare_ligand(ligand, skip_gen3d=True)[0]["pdbqt"])
"""
RUSTINA_DOCK = """
import json, pathlib, sys, rustina
place = pathlib.Path(sys.argv[1])
center, size = json.loads(sys.argv[2])
found = rustina.dock(str(place / "receptor.pdbqt"), str(place / "ligand.pdbqt"), *center, *size, seed=int(sys.argv[3]),
                     threads=1)
(place / "poses.pdbqt").write_text("ENDMDL\\n".join(pose["pdbqt"] for pose in found))
"""


def rustina(options, job, place):
    box = json.dumps([job["center"], job["size"]])
    return {"prepare": [options.python, "-c", RUSTINA_PREPARE, job["receptor"], job["ligand"], place, box],
            "dock": [options.python, "-c", RUSTINA_DOCK, place, box, str(options.seed)]}, "poses.pdbqt"


OTHERS = {"rustina": rustina}


# --- docking ---------------------------------------------------------------------------------------------

def read_pdbqt(path):
    """Poses of a PDBQT file with REMARK SMILES and SMILES IDX, with the bonds of that SMILES."""
    found = []
    for text in path.read_text(encoding="utf-8").split("ENDMDL"):
        lines = text.splitlines()
        words = [line.split()[2:] for line in lines if line.startswith("REMARK SMILES")]
        smiles = next((line[0] for line in words if line[0] != "IDX"), "")
        serials = [word for line in words if line[0] == "IDX" for word in line[1:]]
        places = {line[6:11].strip(): [float(line[at:at + 8]) for at in (30, 38, 46)]
                  for line in lines if line.startswith(("ATOM", "HETATM"))}
        if not smiles or not places:
            continue
        mol = Chem.MolFromSmiles(smiles)
        conformer = Chem.Conformer(mol.GetNumAtoms())
        for atom, serial in zip(serials[::2], serials[1::2]):
            conformer.SetAtomPosition(int(atom) - 1, places[serial])
        mol.AddConformer(conformer)
        found.append(mol)
    return found


def box_of(crystal):
    """Center and size of the box around the heavy atoms, with the padding."""
    _, places = poses.skeleton(crystal)
    low, high = ([limit(axis) for axis in zip(*places)] for limit in (min, max))
    center, size = zip(*((round((a + b) / 2, 3), round(b - a + 2 * PADDING, 3)) for a, b in zip(low, high)))
    return list(center), list(size)


def processor_time(command, limit):
    """Exit code, seconds of user and system time, what it says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit, check=False)
        code, told = done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        code, told = 124, f"stopped after {limit} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, told


def dock_one(name, program, job, options):
    row = {"set": job["set"], "id": job["id"], "program": name, "seed": options.seed, "seconds": {}}
    (crystal,) = poses.read_poses(job["crystal"])
    job["center"], job["size"] = box_of(crystal)
    with tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        commands, pattern = program(options, job, place)
        for phase, command in commands.items():
            row["exit_code"], seconds, told = processor_time(command, options.limit)
            row["seconds"][phase] = round(seconds, 2)
            if row["exit_code"] != 0:
                return {**row, "error": told.strip()[-400:]}
        for told in place.glob("out/*.json"):
            row["device"] = json.loads(told.read_text(encoding="utf-8")).get("device", "")
        file = next(place.glob(pattern))
        found = read_pdbqt(file) if file.suffix == ".pdbqt" else poses.read_poses(file)
        values = [poses.rmsd(pose, crystal) for pose in found]
        row["rmsd"] = [None if value is None else round(value, 3) for value in values]
    return row


def chosen(options):
    """Jobs of the complexes whose ids have the smallest digests."""
    numbers = [int(word) for word in options.take.split(",")] if options.take else [None] * len(options.sets)
    for folder, number in zip(options.sets, numbers, strict=True):
        for name in sorted(poses.ids_of(folder), key=digest)[:number]:
            place = folder / name
            yield {"set": folder.name, "id": name, "receptor": place / "receptor.pdb",
                   "ligand": place / "ligand_start.sdf", "crystal": place / "ligand_crystal.sdf"}


def dock(options):
    if options.cpu is not None:
        os.sched_setaffinity(0, {options.cpu})
    asked = [options.python, "-c", f"import importlib.metadata as m; print(m.version('{options.other}'))"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    known = {"berth": version_of(options.berth), options.other: {**version_of(""), "version": told}}
    have = {(row["set"], row["id"], row["program"], row["seed"]) for row in poses.read_rows(options.results)}
    programs = {"berth": berth, options.other: OTHERS[options.other]}
    programs = {name: program for name, program in programs.items() if options.only in (None, name)}
    jobs = list(chosen(options))
    with open(options.results, "a", encoding="utf-8") as out:
        for at, job in enumerate(jobs, 1):
            for name, program in programs.items():
                if (job["set"], job["id"], name, options.seed) in have:
                    continue
                began = time.monotonic()
                row = {**dock_one(name, program, job, options), **known[name], "cpu": processor()}
                row["wall"] = round(time.monotonic() - began, 2)
                print(json.dumps(row), file=out, flush=True)
                print(f"{at}/{len(jobs)} {job['set']} {job['id']} {name}: {(row.get('rmsd') or ['-'])[0]}, "
                      f"{sum(row['seconds'].values()):.1f} s {row.get('error', '')}", file=sys.stderr, flush=True)


# --- tables ----------------------------------------------------------------------------------------------

def right(rows, most):
    return sum(poses.is_right(row, most, RIGHT) for row in rows)


def line_of(name, rows, sets):
    """A program's line of the table; one without a preparation of its own has the same seconds with and without."""
    docking = [row["seconds"].get("dock", 0) for row in rows]
    whole = [sum(row["seconds"].values()) for row in rows]
    parts = [[row for row in rows if row["set"] == one] for one in sets]
    return [name, str(len(rows)), f"{right(rows, 1)} ({100 * right(rows, 1) / len(rows):.0f} %)",
            *(f"{right(of, 1)} of {len(of)}" for of in parts), str(right(rows, 3)), str(right(rows, None)),
            str(sum(row["exit_code"] != 0 for row in rows)),
            *(f"{statistics.median(of):.1f}; {sum(of):,.0f}" for of in (docking, whole))]


def compare(mine, theirs, phases):
    """Berth's seconds over those of the other's phases: of complexes that both docked."""
    pairs = [(sum(a["seconds"].values()), sum(b["seconds"].get(phase, 0) for phase in phases))
             for a, b in zip(mine, theirs) if a["exit_code"] == b["exit_code"] == 0]
    return {"median": statistics.median(a / b for a, b in pairs),
            "total": sum(a for a, _ in pairs) / sum(b for _, b in pairs)}


def table(options):
    jobs = {(job["set"], job["id"]) for job in chosen(options)}
    rows = [row for row in poses.read_rows(options.results) if (row["set"], row["id"]) in jobs]
    of = {name: {(row["set"], row["id"]): row for row in rows if row["program"] == name}
          for name in ("berth", options.other)}
    both = sorted(of["berth"].keys() & of[options.other].keys())
    mine, theirs = ([of[name][key] for key in both] for name in of)
    gained = sum(poses.is_right(a, 1, RIGHT) and not poses.is_right(b, 1, RIGHT) for a, b in zip(mine, theirs))
    lost = sum(poses.is_right(b, 1, RIGHT) and not poses.is_right(a, 1, RIGHT) for a, b in zip(mine, theirs))
    title, sets = f"{options.other.capitalize()} {theirs[0]['version']}", [folder.name for folder in options.sets]
    shown = [line_of("`berth dock`, the default", mine, sets), line_of(f"{title}, the default", theirs, sets)]
    ratios = {"without": compare(mine, theirs, ("dock",)), "with": compare(mine, theirs, ("prepare", "dock"))}
    note = (f"right in Berth alone {gained}, in {title} alone {lost}, McNemar's exact p {sign_test(gained, lost):.2g}; "
            "Berth takes, preparation included, " + ", ".join(
                f"{each['median']:.2f} (median) and {each['total']:.2f} (total) of {title}'s seconds {word} its "
                "preparation" for word, each in ratios.items()))
    columns = ["", "complexes", "first pose within 2 Å", *(TITLES.get(one, one) for one in sets),
               "one of the first three", "one of up to nine", "not docked", "CPU seconds of the docking: median; total",
               "with preparation"]
    for row in (columns, *shown):
        print(" | ".join(row))
    print(note)
    if options.json:
        take = f" --take {options.take}" if options.take else ""
        command = f"bench/scripts/beside.py dock RESULTS {' '.join(sets)}{take} --other {options.other} --cpu N"
        complexes = [{"set": key[0], "id": key[1],
                      **{name: {word: of[name][key].get(word) for word in ("rmsd", "seconds", "error")} for name in of}}
                     for key in both]
        told = {"benchmark": "beside", **provenance(mine, options, command), "note": note, "columns": columns,
                "rows": shown, "gained": gained, "lost": lost, "p": sign_test(gained, lost), "ratios": ratios,
                "complexes": complexes}
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def main():
    parser, commands = parsers_of(__doc__, (dock, table), "results", "sets")
    for command in commands.values():
        command.add_argument("--take", help="complexes of each set, those with the smallest SHA-256 of the id [all]")
        command.add_argument("--other", choices=sorted(OTHERS), default="rustina")
    command = commands["dock"]
    command.add_argument("--berth", default="berth")
    command.add_argument("--python", default=sys.executable, help="an interpreter with the other program installed")
    command.add_argument("--cpu", type=int, help="the processor to run on")
    command.add_argument("--only", help="dock with this one of the two, such as Berth of another commit")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--limit", type=float, default=1800, help="seconds of one command")
    options = parser.parse_args()
    options.sets = [folder.resolve() for folder in options.sets]
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
