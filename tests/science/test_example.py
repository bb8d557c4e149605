"""The bundled example, against autogrid4 and autodock4, and redocked to its crystal pose: from the raw PDB entry and a
SMILES as in scripts/demo, and from PDBQT files.

    test_example.py BIN

Needs nothing from outside the source tree but the two programs (Debian packages autogrid, autodock); without them only
the docking is tested. Maps: every value within 0.002 kcal/mol or 0.1 %, whichever is larger. Energies of the crystal
pose: within 0.0001 kcal/mol on autogrid4's maps, 0.01 on Berth's.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import autodock

SOURCE = os.environ.get("BERTH_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EXAMPLE = os.path.join(SOURCE, "examples", "1hpv")
RECEPTOR, LIGAND, CRYSTAL = (os.path.join(EXAMPLE, name + ".pdbqt") for name in ("receptor", "ligand", "ligand-crystal"))
BOX = {"npts": ["48", "44", "66"], "spacing": "0.375", "center": ["9.357", "16.147", "9.484"]}
NEAR = 2.0  # Angstrom
TERMS = ("inter_vdw_hbond", "inter_electrostatic", "inter_desolvation")
INSIDE = ("intra", "intra_electrostatic", "intra_vdw", "intra_hbond", "intra_desolvation")  # autodock4's columns


def berth(*words):
    done = subprocess.run([os.path.join(BIN, "berth"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True)
    if done.returncode:
        raise SystemExit("berth %s failed:\n%s" % (" ".join(words), done.stderr))
    return done.stdout


def map_values(path):
    with open(path) as stream:
        return [float(line) for number, line in enumerate(stream) if number >= 6]


def compare_maps(theirs, ours):
    faults = []
    for kind in [*autodock.types_of(LIGAND), "e", "d"]:
        a = map_values(os.path.join(theirs, "protein.%s.map" % kind))
        b = map_values(os.path.join(ours, "protein.%s.map" % kind))
        if len(a) != len(b):
            faults.append("map %s has %d values instead of %d" % (kind, len(b), len(a)))
            continue
        wrong = sum(abs(x - y) > max(0.002, 0.001 * abs(x)) for x, y in zip(a, b))
        if wrong:
            faults.append("map %s: %d of %d values differ" % (kind, wrong, len(a)))
    return faults


def compare_with_autodock(folder):
    types = autodock.types_of(LIGAND)
    theirs, ours = os.path.join(folder, "theirs"), os.path.join(folder, "ours")
    fld = autodock.make_maps(theirs, RECEPTOR, BOX, types)
    os.mkdir(ours)
    shutil.copyfile(RECEPTOR, os.path.join(ours, "protein.pdbqt"))
    done = subprocess.run([os.path.join(BIN, "berth-autogrid"), "-p", os.path.join(theirs, "protein.gpf"), "-l", "p.glg"],
                          cwd=ours, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    if done.returncode:
        raise SystemExit("berth-autogrid failed:\n" + done.stdout)
    faults = compare_maps(theirs, ours)

    live = autodock.epdb(theirs, CRYSTAL, types)
    expected = dict(zip(TERMS + INSIDE, live["inter"][1:4] + live["intra"]))
    for maps, tolerance in ((fld, 1e-4), (os.path.join(ours, "protein.maps.fld"), 0.01)):
        energy = json.loads(berth("score", "-r", maps, "-l", CRYSTAL, "--json"))["energy"]
        for term, value in expected.items():
            if abs(energy[term] - value) > tolerance:
                faults.append("%s on %s is %.5f, autodock4 says %.4f" % (term, maps, energy[term], value))
        if abs(energy["total"] - live["groups"]["Estimated Free Energy of Binding"]) > 0.0051 + tolerance:
            faults.append("total on %s is %.4f" % (maps, energy["total"]))
    print("crystal pose: inter %.4f, intra %.4f kcal/mol by autodock4" % (live["inter"][0], live["intra"][0]))
    return faults


# As scripts/demo docks them.
PREPARED = ["-r", RECEPTOR, "-l", LIGAND, "--autobox", CRYSTAL, "--reference", CRYSTAL]
RAW = ["-r", os.path.join(EXAMPLE, "1hpv.pdb"), "-l", os.path.join(EXAMPLE, "amprenavir.smi"), "--autobox", "478",
       "--reference", "478", "--set-state", "B:25:ASH", "--keep", ":HOH201"]


def reads_raw_files(folder):
    for words in (["ligand", RAW[3], "-o", os.path.join(folder, "l.pdbqt")],
                  ["receptor", RAW[1], "--ligand-from", "478", "-o", os.path.join(folder, "r")]):
        if subprocess.run([os.path.join(BIN, "berth"), "prep", *words], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode:
            return False
    return True


def dock(folder, name, words):
    out = os.path.join(folder, "docked")
    berth("dock", *words, "--scoring", "ad4", "--runs", "100", "--evals", "50k", "--autostop", "off", "--seed", "1995", "--format", "csv",
          "-o", out, "-q")
    with open(os.path.join(out, name + ".csv")) as stream:
        runs = sorted(csv.DictReader(stream), key=lambda row: int(row["rank"]))
    best = runs[0]
    near = sum(float(row["rmsd_reference"]) < NEAR for row in runs)
    print(name, "docked: best %s kcal/mol at %s Angstrom from the crystal pose, %d of %d runs within %g" % (
        best["free_energy"], best["rmsd_reference"], near, len(runs), NEAR))
    return [] if float(best["rmsd_reference"]) < NEAR else ["the best pose is not within %g Angstrom" % NEAR]


def main():
    with tempfile.TemporaryDirectory(prefix="berth-example-") as folder:
        faults = dock(folder, "ligand", PREPARED)
        if reads_raw_files(folder):
            faults += dock(folder, "amprenavir", RAW)
        else:
            print("built without RDKit or gemmi: the raw entry is not docked")
        if shutil.which("autogrid4") and shutil.which("autodock4"):
            faults += compare_with_autodock(folder)
        else:
            print("autogrid4 or autodock4 is not installed: maps and energies are not compared")
    for fault in faults:
        print("FAULT", fault)
    return 1 if faults else 0


BIN = os.path.abspath(sys.argv[1])
sys.exit(main())
