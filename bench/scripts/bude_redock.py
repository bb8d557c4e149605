#!/usr/bin/env python3
"""Rigid redocking with the BUDE engine, compared with flexible docking with AutoDock's scoring.

    bude_redock.py BIN SET42 [--complexes A,B,C] [--seeds N] [--device NAME] [--json FILE]
    bude_redock.py BIN SET42 --prepare FOLDER   only ligands, for machines without Open Babel
    bude_redock.py BIN SET42 --prepared FOLDER  uses these

BIN is the folder of berth, SET42 that of the complexes (NAME/flex-xray.pdbqt, protein.pdbqt, protein.maps.fld). Open
Babel makes a MOL2 of the crystal pose: bonds and bond orders from the PDBQT's geometry, hydrogens added. The box has
edges of 15 Angstrom; its center is that of the crystal pose, rounded to whole Angstrom so that the pose is not on the
search grid.

crystal     the crystal conformer, N seeds; success: best pose within 2 Angstrom of the crystal pose
20 made     20 conformers by RDKit without the crystal's, N seeds; success likewise; "first 5": in the best five poses
AutoDock    berth dock, 20 runs from a random start, torsions flexible; success: runs within 2 Angstrom
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

HEAVY = {"H", "HD", "HS"}


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode not in (0, 2):
        raise SystemExit("%s\n%s" % (" ".join(map(str, command)), done.stderr[-2000:]))
    return done.stdout


def make_mol2(pdbqt, name, path):
    """Clears the radicals that Open Babel assigns to atoms with missing hydrogens, before hydrogens are added."""
    lines = []
    for number, line in enumerate(run("obabel", "-ipdbqt", pdbqt, "-osdf").splitlines()):
        if number == 0:
            line = name
        if line.startswith("M  RAD"):
            continue
        if number > 3 and len(line.split()) == 16:
            line = line[:39] + "  0" * 10
        lines.append(line)
    path.write_text(run("obabel", "-isdf", "-h", "-omol2", input="\n".join(lines) + "\n"))


def middle(pdbqt):
    places = [[float(line[a:a + 8]) for a in (30, 38, 46)] for line in open(pdbqt)
              if line.startswith(("ATOM", "HETATM")) and line[77:].strip() not in HEAVY]
    return [round(sum(column) / len(places)) for column in zip(*places)]


def bude(options, complex_folder, ligand, mol2, center, seed, *more):
    command = [options.bin / "berth", "bude", "-r", complex_folder / "protein.pdbqt", "-l", ligand, "--center",
               ",".join(map(str, center)), "--reference", mol2, "--json", "-q", "--seed", seed, *more]
    return json.loads(run(*command, *(["--device", options.device] if options.device else [])).splitlines()[-1])


def row(name, what, results):
    best = [result["poses"][0] for result in results]
    good = sum(pose["rmsd_reference"] < 2 for pose in best)
    near = sum(any(pose["rmsd_reference"] < 2 for pose in result["poses"][:5]) for result in results)
    lowest = min(best, key=lambda pose: pose["energy"])
    seconds = sum(result["seconds"] for result in results) / len(results)
    print("| %s | %s | %d/%d | %d/%d | %.2f | %.2f | %.2f |" % (
        name, what, good, len(results), near, len(results), lowest["energy"], lowest["rmsd_reference"], seconds),
        flush=True)
    return {"complex": name, "what": what, "success": good, "first5": near, "of": len(results),
            "energy": lowest["energy"], "rmsd": lowest["rmsd_reference"], "seconds": seconds}


def autodock(options, folder, name, temporary):
    run(options.bin / "berth", "dock", "-r", folder / "protein.pdbqt", "-l", folder / "rand-0.pdbqt", "-o", temporary,
        "--scoring", "ad4", "--center", ",".join(map(str, middle(folder / "flex-xray.pdbqt"))), "--size",
        "22.5,22.5,22.5", "--reference",
        folder / "flex-xray.pdbqt", "--format", "json", "-q", *(["--device", options.device] if options.device else []))
    result = json.loads(next(pathlib.Path(temporary).glob("*.json")).read_text())
    runs = result["runs"]
    good = sum(run["rmsd_reference"] < 2 for run in runs)
    best = min(runs, key=lambda run: run["free_energy"])
    print("| %s | AutoDock | %d/%d | | %.2f | %.2f | %.2f |" % (
        name, good, len(runs), best["free_energy"], best["rmsd_reference"], result["seconds"]), flush=True)
    return {"complex": name, "what": "AutoDock", "success": good, "of": len(runs), "energy": best["free_energy"],
            "rmsd": best["rmsd_reference"], "seconds": result["seconds"]}


def prepare(options, name, folder):
    """Makes NAME.mol2, the crystal pose."""
    make_mol2(options.set42 / name / "flex-xray.pdbqt", name, folder / (name + ".mol2"))


def redock(options, name, temporary):
    folder, ligands = options.set42 / name, options.prepared or temporary
    if not options.prepared:
        prepare(options, name, temporary)
    mol2 = ligands / (name + ".mol2")
    center = middle(folder / "flex-xray.pdbqt")
    place = bude(options, folder, mol2, mol2, center, 1, "--score")["poses"][0]
    print("| %s | in place | | | %.2f | 0 | |" % (name, place["energy"]), flush=True)
    table = [{"complex": name, "what": "in place", "energy": place["energy"]}]
    for what, conformers in (("crystal", 0), ("20 made", 20)):
        results = [bude(options, folder, mol2, mol2, center, seed, "--conformers", conformers, "--poses", 5)
                   for seed in range(1, options.seeds + 1)]
        table.append(row(name, what, results))
    return table + [autodock(options, folder, name, temporary / "ad4")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("set42", type=pathlib.Path)
    parser.add_argument("--complexes", default="1yv3,2brt,1opk")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--device")
    parser.add_argument("--json")
    parser.add_argument("--prepare", type=pathlib.Path)
    parser.add_argument("--prepared", type=pathlib.Path)
    options = parser.parse_args()
    if options.prepare:
        options.prepare.mkdir(parents=True, exist_ok=True)
        for name in options.complexes.split(","):
            prepare(options, name, options.prepare)
        return
    table = []
    print("| complex | conformers | best pose < 2 A | first 5 | lowest energy | its RMSD, A | seconds |")
    print("|---|---|---|---|---|---|---|")
    for name in options.complexes.split(","):
        with tempfile.TemporaryDirectory() as temporary:
            table += redock(options, name, pathlib.Path(temporary))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
