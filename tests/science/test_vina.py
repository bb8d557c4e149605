"""Vina's and Vinardo's scores of given poses equal Vina's own.

    test_vina.py BIN [--json FILE]

1. All rows of reference/vina_reference.tsv (Vina 1.2.7, three decimals): 28 crystal poses and 120 others, many with
   clashes, both functions; every energy within 0.001 kcal/mol, the last printed digit, and
   the number of rotors exactly. The closed forms, which a search follows, within 0.02 where there is no clash.
2. The live `vina --score_only`, where it is installed: some of these, ligands whose types were changed (ring closures,
   metals, every element), an empty branch, and flexible side chains.
"""
import csv
import gzip
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import autodock
import flexres

TERMS = {"total": "free_energy", "inter": "inter", "intra": "intra", "tors": "torsional", "unbound": "unbound"}
TOLERANCE = 1e-3
CLOSED = 0.02
SCORINGS = ("vina", "vinardo")


def score(berth, receptor, ligand, scoring, *options):
    """One object per pose."""
    done = subprocess.run([berth, "score", "-r", receptor, "-l", ligand, "--scoring", scoring, "--json", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit("berth score failed on %s: %s" % (ligand, done.stderr))
    return [json.loads(line) for line in done.stdout.splitlines()]


RECORD = []  # for --json: what was compared, how often, and the largest deviations


class Worst:
    """The largest deviation of each term."""

    def __init__(self):
        self.of, self.faults, self.count = {}, [], 0

    def compare(self, what, scoring, mine, expected, tolerance=TOLERANCE, keys=TERMS):
        self.count += 1
        for term, key in keys.items():
            deviation = abs(mine["energy"][key] - expected[term])
            self.of[scoring, term] = max(self.of.get((scoring, term), 0), deviation)
            if not deviation <= tolerance:
                self.faults.append("%s, %s: %s is %.4f, Vina says %.3f" % (what, scoring, term, mine["energy"][key],
                                                                          expected[term]))

    def record(self, what):
        RECORD.append({"compared": what, "evaluations": self.count,
                       **{scoring: max((d for (s, _), d in self.of.items() if s == scoring), default=None)
                          for scoring in SCORINGS}})

    def text(self):
        return "; ".join("%s %s" % (s, ", ".join("%s %.5f" % (t, d) for (q, t), d in self.of.items() if q == s))
                         for s in SCORINGS)


# ---- 1. the table ----

def reference():
    with open(autodock.shared("reference", "vina_reference.tsv")) as f:
        return list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t"))


def poses_of(name, folder):
    """The file of all other poses of a complex, one MODEL each."""
    path = os.path.join(folder, name + ".pdbqt")
    with gzip.open(autodock.shared("reference", "vina_poses", name + ".pdbqt.gz"), "rb") as source, open(path,
                                                                                                         "wb") as out:
        shutil.copyfileobj(source, out)
    return path


def score_row(berth, row, folder, done, *options):
    name, scoring = row["pdb"], row["scoring"]
    complex_dir = autodock.shared("data", "set42", name)
    crystal = row["pose"] == "xray"
    key = (name, scoring, crystal, options)
    if key not in done:
        ligand = os.path.join(complex_dir, "flex-xray.pdbqt") if crystal else poses_of(name, folder)
        done[key] = score(berth, os.path.join(complex_dir, "protein.pdbqt"), ligand, scoring, *options)
    return done[key][0 if crystal else int(row["pose"][4:]) - 1]


def check_table(berth, folder):
    worst, closed, done = Worst(), Worst(), {}
    for row in reference():
        what = "%s %s" % (row["pdb"], row["pose"])
        expected = {term: float(row[term]) for term in TERMS}
        mine = score_row(berth, row, folder, done)
        worst.compare(what, row["scoring"], mine, expected)
        if row["nrot"] and mine["rotors"] != float(row["nrot"]):
            worst.faults.append("%s: %g rotors, Vina has %s" % (what, mine["rotors"], row["nrot"]))
        if expected["total"] < 0:
            formula = score_row(berth, row, folder, done, "--continuous")
            closed.compare(what + ", closed form", row["scoring"], formula, expected, CLOSED, {"total": "free_energy"})
    worst.record("Vina 1.2.7: affinity, inter, intra, torsional, unbound")
    closed.record("Vina 1.2.7: the closed forms of the search (`--continuous`), poses with a negative affinity")
    print("%d rows: largest deviations %s" % (worst.count, worst.text()))
    print("%d without clash in closed form: %s" % (closed.count, closed.text()))
    return worst.faults + closed.faults


# ---- 2. the live program ----

def vina(receptor, ligand, scoring, folder, *options):
    # score_only sums over all atoms; it does not use the maps of its box
    done = subprocess.run(["vina", "--receptor", receptor, "--ligand", ligand, "--scoring", scoring, "--score_only",
                           "--autobox", "--spacing", "3.0", "--cpu", "1", *options], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit("vina failed on %s:\n%s" % (ligand, done.stdout[-1000:]))

    def number(name):
        return float(re.search(name + r"\s*:\s*(\S+)", done.stdout).group(1))

    return {"total": number("Estimated Free Energy of Binding"), "inter": number("Final Intermolecular Energy"),
            "intra": number("Final Total Internal Energy"), "tors": number("Torsional Free Energy"),
            "unbound": number("Unbound System's Energy"), "moving": number("Ligand - Flex side chains"),
            "own": number(r"\n    Ligand  "), "fixed": number("Flex   - Receptor"),
            "flex": number("Flex   - Flex side chains")}


def retyped(lines, changes):
    """The lines of a ligand with new types at some serial numbers."""
    out = []
    for line in lines:
        serial = int(line[6:11]) if line[:6] in ("ATOM  ", "HETATM") else 0
        out.append(line[:77] + changes[serial] + "\n" if serial in changes else line)
    return out


def without(lines, types):
    return [line for line in lines if line[:6] not in ("ATOM  ", "HETATM") or line[77:].strip() not in types]


# Vina 1.2.7's library on the ligands with glue; 1.2.3 counts the pull of the closure as unbound energy.
GLUE = {("glue 0", "vina"): (-4.575, -6.715, -0.509, 2.140, -0.509),
        ("glue 0", "vinardo"): (-3.768, -5.530, -0.556, 1.762, -0.556),
        ("glue 3", "vina"): (-4.275, -6.274, -0.493, 1.999, -0.493),
        ("glue 3", "vinardo"): (-3.355, -4.923, -0.440, 1.569, -0.440)}


def variants(ligand):
    """Variants of the ligand of 1gkc, each for a rule that the ligand itself does not test."""
    lines = open(ligand).readlines()
    atoms = {int(line[6:11]): line[77:].strip() for line in lines if line[:6] in ("ATOM  ", "HETATM")}
    yield "closure 0", retyped(lines, {13: "CG0", 18: "CG0"})
    yield "closure 3", retyped(lines, {13: "CG3", 18: "CG3"})
    for k in "03":
        yield "glue " + k, retyped(lines, {13: "CG" + k, 14: "G" + k, 18: "CG" + k, 19: "G" + k})
    yield "closures 1 and 2", retyped(lines, {9: "CG1", 11: "CG1", 14: "CG2", 19: "CG2"})
    for element in ("W", "Na", "Zn", "Ca", "Cu", "Se", "Si", "At", "I", "Br", "Cl", "F", "P", "S", "SA", "H", "A",
                    "NA"):
        yield "methyl as " + element, retyped(lines, {13: element})
    yield "plain N and O", retyped(lines, {s: t[0] for s, t in atoms.items() if t in ("NA", "OA")})
    yield "acceptors NA", retyped(lines, {s: "NA" for s, t in atoms.items() if t == "N"})
    yield "no polar hydrogens", without(lines, ("HD",))
    yield "metal beside carbon", retyped(lines, {12: "Mg"})
    # the last branch, whose first atom is its only one: no torsion
    at = next(i for i, line in enumerate(lines) if line.startswith("BRANCH  20  21"))
    end = next(i for i, line in enumerate(lines) if line.startswith("ENDBRANCH  20  21"))
    yield "empty branch", lines[:at + 2] + lines[end:]


def check_variants(berth, folder, complex_dir):
    worst = Worst()
    receptor = os.path.join(complex_dir, "protein.pdbqt")
    for what, lines in variants(os.path.join(complex_dir, "flex-xray.pdbqt")):
        path = os.path.join(folder, what.replace(" ", "-") + ".pdbqt")
        with open(path, "w") as out:
            out.writelines(lines)
        for scoring in SCORINGS:
            known = (what, scoring) in GLUE
            expected = dict(zip(TERMS, GLUE[what, scoring])) if known else vina(receptor, path, scoring, folder)
            worst.compare(what, scoring, score(berth, receptor, path, scoring)[0], expected)
    worst.record("ligands with changed types: ring closures, metals, all elements, an empty branch")
    print("%d derived ligands: largest deviations %s" % (worst.count, worst.text()))
    return worst.faults


def check_flexible(berth, folder, names):
    """The affinity is left out: Vina takes the part of unbound between residues and receptor from maps."""
    keys = {"inter": "inter", "intra": "intra", "moving": "inter_moving", "own": "intra_vdw",
            "fixed": "intra_flex_fixed"}
    worst = Worst()
    for name in names:
        complex_dir = autodock.shared("data", "set42", name)
        receptor, ligand = (os.path.join(complex_dir, f) for f in ("protein.pdbqt", "flex-xray.pdbqt"))
        rigid, flexible = (os.path.join(folder, name + end) for end in ("-rigid.pdbqt", "-flex.pdbqt"))
        flexres.cut(receptor, flexres.residues_near(receptor, ligand, 4.0, 3), rigid, flexible)
        for scoring in SCORINGS:
            mine = score(berth, rigid, ligand, scoring, "--flex", flexible)[0]
            worst.compare(name + " with residues", scoring, mine,
                          vina(rigid, ligand, scoring, folder, "--flex", flexible), 1.5e-3, keys)
    worst.record("flexible side chains: inter, intra, and their parts")
    print("%d with flexible residues: largest deviations %s" % (worst.count, worst.text()))
    return worst.faults


def check_live(berth, folder):
    if not shutil.which("vina"):
        print("no live comparison: vina is not installed")
        return []
    version = subprocess.run(["vina", "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    print("live program: " + version)
    worst = Worst()
    for name in ("1ac8", "1jyq", "2vaa", "3er5"):
        complex_dir = autodock.shared("data", "set42", name)
        receptor, ligand = (os.path.join(complex_dir, f) for f in ("protein.pdbqt", "flex-xray.pdbqt"))
        for scoring in SCORINGS:
            worst.compare(name, scoring,
                          score(berth, receptor, ligand, scoring)[0], vina(receptor, ligand, scoring, folder))
    worst.record("the installed %s: crystal poses" % re.sub(r"AutoDock Vina v?", "Vina ", version))
    print("%d crystal poses: largest deviations %s" % (worst.count, worst.text()))
    return (worst.faults + check_variants(berth, folder, autodock.shared("data", "set42", "1gkc")) +
            check_flexible(berth, folder, ("1gkc", "1kzk", "1of6")))


def main():
    berth = os.path.join(os.path.abspath(sys.argv[1]), "berth")
    folder = os.path.abspath("science-vina")
    os.makedirs(folder, exist_ok=True)
    faults = check_table(berth, folder) + check_live(berth, folder)
    if "--json" in sys.argv:
        autodock.write_record(sys.argv[sys.argv.index("--json") + 1], berth, "vina",
                              "python3 tests/science/test_vina.py build/release/bin --json FILE", RECORD)
    print("\n".join(faults) or "every energy within %g kcal/mol" % TOLERANCE)
    sys.exit(1 if faults else 0)


main()
