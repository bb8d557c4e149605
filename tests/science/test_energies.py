"""Energies of crystal poses equal AutoDock 4.2.6's, term by term and atom by atom.

    test_energies.py BIN [--table] [--json FILE]

Maps come from a live autogrid4 and are kept in the build folder. Eight complexes by default, all 28 with
BERTH_TEST_FULL=1; --table prints a table, --json writes what bench/scripts/accuracy_page.py takes. Terms within 0.0001
kcal/mol (autodock4 prints four decimals), torsional and free energies within 0.0051 (two decimals).
"""
import csv
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
import autodock

DEFAULT = ["1ac8", "1jyq", "1kzk", "2brt", "2bsm", "2vaa", "3er5", "7cpa"]
TERMS = {"inter_total": "inter", "inter_vdw_hbond": "inter_vdw_hbond", "inter_electrostatic": "inter_electrostatic",
         "inter_desolvation": "inter_desolvation", "intra_total": "intra", "intra_vdw": "intra_vdw",
         "intra_hbond": "intra_hbond", "intra_electrostatic": "intra_electrostatic",
         "intra_desolvation": "intra_desolvation"}
TOLERANCE, PRINTED_TWO = 1e-4, 0.0051
ATOM_DIGIT = 0.6e-4


def reference():
    with open(autodock.shared("reference", "epdb_reference.tsv")) as f:
        rows = csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t")
        return {row["pdb"]: {k: float(v) for k, v in row.items() if k != "pdb"} for row in rows}


def score(berth, fld, ligand, *options):
    done = subprocess.run([berth, "score", "-r", fld, "-l", ligand, "--json", *options], stdout=subprocess.PIPE,
                          text=True)
    if done.returncode:
        raise SystemExit("berth score failed on " + ligand)
    return json.loads(done.stdout)


def examine(berth, name, expected):
    complex_dir = autodock.shared("data", "set42", name)
    ligand = os.path.join(complex_dir, "flex-xray.pdbqt")
    folder = os.path.abspath(os.path.join("science-maps", name))
    types = autodock.types_of(ligand)
    fld = autodock.make_maps(folder, os.path.join(complex_dir, "protein.pdbqt"),
                             autodock.box_of(os.path.join(complex_dir, "protein.maps.fld")), types)
    live = autodock.epdb(folder, ligand, types)
    mine = score(berth, fld, ligand, "--per-atom")
    closed = score(berth, fld, ligand, "--continuous")["energy"]
    energy, faults = mine["energy"], []
    deviations = {term: abs(energy[key] - expected[term]) for term, key in TERMS.items()}
    worst = max(deviations, key=deviations.get)
    if deviations[worst] > TOLERANCE:
        faults.append("%s: %s is %.5f, autodock4 says %.4f" % (name, worst, energy[TERMS[worst]], expected[worst]))
    for term, value in (("torsional", energy["torsional"]), ("estimated_free_energy", energy["total"])):
        if abs(value - expected[term]) > PRINTED_TWO:  # epdb's free energy contains the internal energy
            faults.append("%s: %s is %.4f, autodock4 says %.2f" % (name, term, value, expected[term]))
    atom_worst = 0.0
    if len(live["atoms"]) != len(mine["atoms"]):
        faults.append("%s: %d atoms, autodock4 prints %d" % (name, len(mine["atoms"]), len(live["atoms"])))
    for atom, printed in zip(mine["atoms"], live["atoms"]):
        for key, value in zip(("vdw_hbond", "electrostatic", "desolvation"), printed):
            atom_worst = max(atom_worst, abs(atom[key] - value))
    if atom_worst > ATOM_DIGIT:
        faults.append("%s: an atom's map energy differs by %.6f" % (name, atom_worst))
    return {"name": name, "energy": energy, "worst": worst, "deviation": deviations[worst], "atom": atom_worst,
            "pairs": len(live["pairs"]), "inter_closed": closed["inter"] - energy["inter"],
            "intra_closed": closed["intra"] - energy["intra"], "faults": faults}


def main():
    berth = os.path.join(os.path.abspath(sys.argv[1]), "berth")
    autodock.need("autogrid4", "autodock4")
    expected = reference()
    names = sorted(expected) if os.environ.get("BERTH_TEST_FULL") else DEFAULT
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        rows = list(pool.map(lambda name: examine(berth, name, expected[name]), names))
    table = "--table" in sys.argv
    line = "| %s | %d | %.4f | %.4f | %.5f (%s) | %.5f | %+.4f |" if table else \
        "%s  %5d pairs  inter %9.4f  intra %8.4f  largest deviation %.5f (%s)  per atom %.5f  continuous %+.4f"
    for r in rows:
        print(line % (r["name"], r["pairs"], r["energy"]["inter"], r["energy"]["intra"], r["deviation"], r["worst"],
                      r["atom"], r["inter_closed"] + r["intra_closed"]))
    faults = [fault for r in rows for fault in r["faults"]]
    if "--json" in sys.argv:
        of = "BERTH_TEST_FULL=1 " if os.environ.get("BERTH_TEST_FULL") else ""
        autodock.write_record(sys.argv[sys.argv.index("--json") + 1], berth, "energies",
                              of + "python3 tests/science/test_energies.py build/release/bin --json FILE", [{
                                  "complex": r["name"],
                                  "pairs": r["pairs"],
                                  "inter": r["energy"]["inter"],
                                  "intra": r["energy"]["intra"],
                                  "deviation": r["deviation"],
                                  "term": r["worst"],
                                  "atom_deviation": r["atom"],
                                  "continuous": r["inter_closed"] + r["intra_closed"]
                              } for r in rows])
    print("\n".join(faults) or "%d complexes: every term within %g kcal/mol, largest deviation %.5f" % (
        len(rows), TOLERANCE, max(r["deviation"] for r in rows)))
    sys.exit(1 if faults else 0)


main()
