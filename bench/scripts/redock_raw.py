#!/usr/bin/env python3
"""Redocks ligands of raw PDB entries, and attributes each miss to the search or to the scoring function.

    redock_raw.py FOLDER ENTRIES RESULTS [--berth PROGRAM] [--only ENTRY] [--seed N] [--threads N]
    redock_raw.py --unpack FOLDER ENTRIES ARCHIVE...
    redock_raw.py --table RESULTS [--json FILE] [--berth PROGRAM]

ENTRIES is a table (raw-entries.csv beside this script) with

    entry     PDB code, with a letter if an entry occurs twice
    file      its structure in FOLDER: PDB or mmCIF, also gzipped, as downloaded
    ligand    a residue of it (A:STR1), or a file in FOLDER with the crystal pose (.sdf)
    smiles    bond orders of a residue; without stereochemistry, which is taken from the coordinates
    options   further arguments of `berth dock`, such as --delete STR for the entry's other copies
    kind      what is special about it
    source    package:end of the path in it, for the structure and for a pose in a separate file; --unpack extracts them
              from archives as downloaded by `pip download --no-deps --no-binary PACKAGE PACKAGE`, `apt-get source
              --download-only` or `apt-get download`; of plinder version 1.0.0 (Python 3.12 or --ignore-requires-python)

The structure is prepared by `berth dock` with its defaults; the box is the ligand's extent plus 5 Angstrom on every
side. Seconds are CPU time of that command, preparation included, on all cores. The crystal pose is minimized in the
search's function by `berth score --minimize`. A miss is a first pose with an RMSD of more than 2 Angstrom. Energies are
those of the search function, inter + intra: if the best found is lower than the crystal pose's by more than
0.5 kcal/mol, the miss is due to the score; if it is higher by more than that, to the search; otherwise it is a tie.
Rows are added to RESULTS as they are done; existing ones are not repeated.
"""
import argparse
import csv
import gzip
import io
import json
import math
import pathlib
import resource
import subprocess
import tarfile
import tempfile

import measured

FIELDS = ["entry", "kind", "atoms", "torsions", "rmsd", "best_rmsd", "seconds", "energy", "crystal", "verdict"]


def text_of(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode(errors="replace")


def unquoted(word):
    """Strips enclosing quotes, but not the prime of C1'."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


def atoms_of_cif(text):
    """PDB lines of the atoms of an mmCIF file."""
    lines = text.splitlines()
    columns = [line.split(".")[1].strip() for line in lines if line.startswith("_atom_site.")]
    for line in lines:
        words = line.split()
        if not line.startswith(("ATOM", "HETATM")) or len(words) != len(columns):
            continue
        v = dict(zip(columns, words))
        yield ("HETATM%5d %-4s %3s %1s%4s    %8.3f%8.3f%8.3f  1.00  0.00          %2s" % (
            int(v["id"]) % 100000, unquoted(v["auth_atom_id" if "auth_atom_id" in v else "label_atom_id"])[:4],
            v["label_comp_id"][:3], v["auth_asym_id"][:1], v["auth_seq_id"], float(v["Cartn_x"]), float(v["Cartn_y"]),
            float(v["Cartn_z"]), v["type_symbol"]), v["label_alt_id"])


def residue_lines(path, word):
    """A residue such as A:STR1 as PDB text, in its first alternate location."""
    chain, _, name = word.rpartition(":")
    text = text_of(path)
    pairs = (atoms_of_cif(text) if ".cif" in path.name else
             ((line, line[16]) for line in text.split("ENDMDL")[0].splitlines() if line.startswith(("ATOM", "HETATM"))))
    kept, places = [], set()
    for line, place in pairs:
        residue = line[17:20].strip()
        if name in (residue, residue + line[22:26].strip()) and chain in ("", line[21].strip()):
            places.add(place)
            if place in (" ", ".", "A") and line[12:16] not in {k[12:16] for k in kept}:
                kept.append(line[:16] + " " + line[17:])
    return "\n".join(kept) + "\nEND\n"


def run_program(words):
    ended = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if ended.returncode != 0:
        raise RuntimeError((ended.stderr.strip().splitlines() or ["no reason"])[-1])
    return ended.stdout


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def verdict(row, runs, crystal):
    best = min(run["energy"] for run in runs)
    near = min((run["energy"] for run in runs if run["rmsd"] <= 2), default=math.inf)
    if row["rmsd"] <= 2:
        return "right"
    if min(crystal, near) > best + 0.5:
        return "score"
    return "search" if crystal < best - 0.5 else "tie"


def redock(entry, folder, berth, seed, threads):
    structure, ligand = folder / entry["file"], entry["ligand"]
    options = entry["options"].split()
    with tempfile.TemporaryDirectory() as out:
        out = pathlib.Path(out)
        bonds = ["--template", entry["smiles"]] if entry["smiles"] else []
        if ligand.endswith(".sdf"):
            crystal, given = folder / ligand, ["-l", folder / ligand, "--autobox", folder / ligand]
        else:
            crystal, given = out / "crystal.pdb", ["--ligand-from", ligand, *bonds]
            crystal.write_text(residue_lines(structure, ligand))
        before = processor_seconds()
        run_program([berth, "dock", "-r", structure, *given, *options, "--seed", seed, "--device", "cpu", "-q",
                     "--threads", threads, "-o", out / "docked", "--format", "pdbqt"])
        seconds = processor_seconds() - before
        docking = json.loads(next((out / "docked").glob("*.json")).read_text())
        first = docking["clusters"][0]["best_run"]
        runs = [{"rmsd": run["rmsd_reference"], "energy": run["inter"] + run["intra"]} for run in docking["runs"]]
        first_run = next(run for run in docking["runs"] if run["run"] == first)
        scored = run_program([berth, "score", "-r", out / "docked/receptor.pdbqt", "-l", crystal, *bonds, "--autobox",
                              crystal, "--scoring", "vina", "--minimize", "--local-search", "adam", "--json"])
        told = json.loads(scored.splitlines()[-1])
    lowest = min(told[name]["inter"] + told[name]["intra"] for name in ("energy", "input_energy"))
    row = {"entry": entry["entry"], "kind": entry["kind"], "atoms": docking["atoms"], "torsions": docking["torsions"],
           "rmsd": first_run["rmsd_reference"], "best_rmsd": min(run["rmsd"] for run in runs), "seconds": seconds,
           "energy": min(run["energy"] for run in runs), "crystal": lowest}
    row["verdict"] = verdict(row, runs, lowest)
    return row


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def run(options):
    done = {row["entry"] for row in read(options.results)} if options.results.exists() else set()
    if not done:
        options.results.write_text(",".join(FIELDS) + "\n")
    for entry in read(options.entries):
        if entry["entry"] in done or options.only not in (None, entry["entry"]):
            continue
        if not (options.folder / entry["file"]).exists():
            print(f"{entry['entry']}: no {entry['file']}")
            continue
        try:
            row = redock(entry, options.folder, options.berth, options.seed, options.threads)
        except RuntimeError as error:
            row = dict.fromkeys(FIELDS, "") | {"entry": entry["entry"], "kind": entry["kind"]}
            row["verdict"] = f"refused: {error}"
        row = {key: f"{value:.2f}" if isinstance(value, float) else value for key, value in row.items()}
        with open(options.results, "a", newline="") as file:
            csv.DictWriter(file, FIELDS, lineterminator="\n").writerow(row)
        print(row["entry"], row["rmsd"], row["verdict"], flush=True)


def unpack(folder, entries, archives):
    folder.mkdir(exist_ok=True)
    wanted = {}
    for entry in read(entries):
        for source, name in zip(entry["source"].split(), (entry["file"], entry["ligand"])):
            package, end = source.split(":", 1)
            wanted.setdefault(package.lower(), []).append((end, name))
    for archive in archives:
        package = archive.name.lower().split("-")[0].split("_")[0]
        if archive.name.startswith("pymol-data"):
            package = "pymol-data"
            listed = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], capture_output=True, check=True).stdout
            opened = tarfile.open(fileobj=io.BytesIO(listed))
        else:
            opened = tarfile.open(archive)
        with opened:
            for member in opened if package in wanted else ():
                for end, name in wanted[package]:
                    if member.isfile() and member.name.endswith("/" + end) and not (folder / name).exists():
                        (folder / name).write_bytes(opened.extractfile(member).read())
    missing = [name for pairs in wanted.values() for _, name in pairs if not (folder / name).exists()]
    print("not found: " + " ".join(missing) if missing else "all files are there")


def table(path, json_file, berth):
    rows = read(path)
    if json_file is not None:
        kinds = {
            "atoms": int,
            "torsions": int,
            **dict.fromkeys(("rmsd", "best_rmsd", "seconds", "energy", "crystal"), float)
        }
        typed = [{
            key: None if kinds.get(key) and not value else kinds.get(key, str)(value)
            for key, value in row.items()
        } for row in rows]
        command = "bench/scripts/redock_raw.py FOLDER bench/scripts/raw-entries.csv RESULTS"
        measured.write(json_file, {**measured.provenance(berth, "raw entries", command), "rows": typed})
    print("| entry | kind | atoms | torsions | RMSD | best RMSD | seconds | lowest found | crystal | verdict |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in sorted(rows, key=lambda row: row["entry"]):
        print("| " + " | ".join(row[name] for name in FIELDS) + " |")
    right = sum(row["verdict"] == "right" for row in rows)
    print(f"\n{right} of {len(rows)} first poses within 2 Angstrom")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("entries", nargs="?", type=pathlib.Path)
    parser.add_argument("results", nargs="?", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--unpack", type=pathlib.Path, nargs="+")
    parser.add_argument("--berth", default="berth")
    parser.add_argument("--only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    if options.table is not None:
        return table(options.table, options.json, options.berth)
    if options.unpack is not None:
        return unpack(options.unpack[0], options.unpack[1], options.unpack[2:])
    if options.results is None:
        parser.error("FOLDER, ENTRIES and RESULTS are needed")
    run(options)


if __name__ == "__main__":
    main()
