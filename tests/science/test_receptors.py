#!/usr/bin/env python3
"""Receptors from raw entries: against Meeko's, atom by atom and map by map; redocking; a zinc with a free site.

    test_receptors.py BIN

The entries come from Debian packages: those that are installed, else fetched with apt-get download into the build
folder. Meeko and PDB2PQR come from PyPI, as for test_parsers.py. What is not available is skipped with a message.
"""
import csv
import glob
import gzip
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import autodock
import test_flex
from test_parsers import interpreter, skip, skips

BIN = sys.argv[1] if len(sys.argv) > 1 else ""
BERTH = os.path.join(os.path.abspath(BIN), "berth")
WORK = os.path.abspath("science-receptors")
PACKAGES = {"1hpv.pdb": "pymol-data", "pdb3mht.pdb": "python3-prody-tests", "pdb1ejg.pdb": "python3-prody-tests",
            "1cbs.cif.gz": "libcifpp-dev", "5dt0.pdb": "rdkit-data", "5dpv.pdb": "rdkit-data", "1a0q.pdb": "freesasa",
            "1A1F.pdb": "libball1.5-data"}
# Entry, ligand, its SMILES, options: bond orders only, stereo and coordinates come from the entry.
REDOCKED = [
    ("1hpv.pdb", "478", "CC(C)CN(CC(C(CC1=CC=CC=C1)NC(=O)OC2CCOC2)O)S(=O)(=O)C3=CC=C(C=C3)N",
     ["--set-state", "B:25:ASH", "--keep", ":201"]),
    ("1cbs.cif.gz", "REA", "CC1=C(C(CCC1)(C)C)C=CC(C)=CC=CC(C)=CC(=O)[O-]", []),
    ("5dt0.pdb", "SKE", "Nc1nc(Nc2ccc(cc2)S(N)(=O)=O)nn1C(=O)c1c(F)cccc1F", []),
    ("5dpv.pdb", "SKE", "Nc1nc(Nc2ccc(cc2)S(N)(=O)=O)nn1C(=O)c1c(F)cccc1F", ["--delete", "5DN"]),
    ("pdb3mht.pdb", "SAH", "S(CCC([NH3+])C(=O)[O-])CC1OC(n2cnc3c(N)ncnc23)C(O)C1O", []),
]
TYPES = ["C", "A", "HD", "N", "NA", "OA", "SA"]


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


def entry(name):
    """The path of an entry; None when neither this machine nor its archive has the package."""
    package = PACKAGES[name]
    unpacked = os.path.join(WORK, "packages", package)
    for root in ("/usr/share", "/usr/lib/python3/dist-packages", unpacked):
        if root == unpacked and not os.path.isdir(unpacked):
            fetch(package, unpacked)
        found = run("find", root, "-name", name).stdout.split() if os.path.isdir(root) else []
        if found:
            return found[0]
    return None


def fetch(package, folder):
    os.makedirs(folder, exist_ok=True)
    if shutil.which("apt-get") and shutil.which("dpkg") and not os.environ.get("BERTH_NO_APT"):
        run("apt-get", "download", package, cwd=folder, timeout=600)
        for archive in glob.glob(os.path.join(folder, "*.deb")):
            run("dpkg", "-x", archive, folder)
            os.remove(archive)


def atoms_of(path):
    """(chain, number, insertion code, name) -> type, charge, place."""
    atoms = {}
    for line in open(path):
        if line[:6] in ("ATOM  ", "HETATM"):
            key = line[21], int(line[22:26]), line[26], line[12:16].strip()
            atoms[key] = line[77:].strip(), float(line[70:76]), [float(line[c:c + 8]) for c in (30, 38, 46)]
    return atoms


def prepare(raw, prefix, *options):
    done = run(BERTH, "prep", "receptor", "-r", raw, "-o", prefix, "--pdb", *options)
    if done.returncode:
        raise AssertionError(done.stderr)
    return prefix + ".pdbqt"


def polymers(raw, path):
    """Atoms of proteins and nucleic acids of the first model, without alternate locations."""
    text = gzip.open(raw, "rt") if raw.endswith(".gz") else open(raw)
    with text, open(path, "w") as out:
        for line in text:
            if line.startswith("ENDMDL"):
                break
            if line.startswith(("ATOM", "TER")) and line[16:17] in (" ", "A", "\n", ""):
                out.write(line[:16] + " " + line[17:66].rstrip() + "\n")


def elements(path):
    """Fills the element columns, which PDB2PQR leaves empty and Meeko needs."""
    lines = open(path).readlines()
    with open(path, "w") as out:
        for line in lines:
            if line.startswith("ATOM"):
                line = "%-76s%2s\n" % (line.rstrip(), line[12:16].strip().lstrip("0123456789")[0])
            out.write(line)


def crystal_energy(raw, residue, smiles, docked):
    """inter + intra of the residue's own pose, minimized in the receptor that was docked into."""
    ligand = os.path.join(docked, "crystal.pdbqt")
    run(BERTH, "prep", "ligand", "-r", raw, "--ligand-from", residue, "--template", smiles, "-o", ligand)
    done = run(BERTH, "score", "-r", os.path.join(docked, "receptor.pdbqt"), "-l", ligand, "--autobox", ligand,
               "--padding", "4", "--minimize", "--json")
    energy = json.loads(done.stdout)["energy"]
    return energy["inter"] + energy["intra"]


class Receptors(unittest.TestCase):
    def setUp(self):
        os.makedirs(WORK, exist_ok=True)

    def need(self, name):
        path = entry(name)
        if path is None:
            self.skipTest("no %s: install %s" % (name, PACKAGES[name]))
        return path

    def meeko(self, pdb, pdbqt):
        python, reason = interpreter(os.path.join(os.path.dirname(os.path.abspath(BIN)), "parsers-venv"))
        if python is None:
            self.skipTest(reason)
        tool = os.path.join(os.path.dirname(python), "mk_prepare_receptor.py")
        done = run(python, tool, "--read_pdb", pdb, "-p", pdbqt)
        if not os.path.exists(pdbqt):
            self.skipTest("Meeko: " + (done.stdout + done.stderr).strip()[-200:])
        return pdbqt

    def protonated(self, raw, path):
        """PDB2PQR's hydrogens; skipped without PDB2PQR."""
        python, reason = interpreter(os.path.join(os.path.dirname(os.path.abspath(BIN)), "parsers-venv"))
        if python is None:
            self.skipTest(reason)
        tool = os.path.join(os.path.dirname(python), "pdb2pqr30")
        if not os.path.exists(tool):
            run(python, "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20", "pdb2pqr", timeout=600)
        if not os.path.exists(tool):
            self.skipTest("PDB2PQR cannot be installed")
        bare = path.replace(".pdb", "-bare.pdb")
        polymers(raw, bare)
        run(tool, "--ff=AMBER", "--ffout=AMBER", "--keep-chain", "--pdb-output=" + path, bare, path + ".pqr")
        elements(path)
        return bare

    def compare_atoms(self, title, mine, theirs):
        a, b = atoms_of(mine), atoms_of(theirs)
        heavy = {k for k in a.keys() & b.keys() if a[k][0] != "HD" and b[k][0] != "HD"}
        self.assertGreater(len(heavy), 0.98 * sum(v[0] != "HD" for v in b.values()), title)
        other = [(k, a[k][0], b[k][0]) for k in sorted(heavy) if a[k][0] != b[k][0]]
        charges = [abs(a[k][1] - b[k][1]) for k in a.keys() & b.keys()]
        print("%s: %d atoms, %d of another type, charges differ by %.4f in the mean, %.3f at most"
              % (title, len(a), len(other), statistics.mean(charges), max(charges)))
        return other, charges, len(a) - len(b)

    def compare_maps(self, title, mine, theirs, around, limit):
        """Mean difference of each map where either finds it good, and a check of the largest of them."""
        values = {}
        for who, receptor in (("mine", mine), ("theirs", theirs)):
            prefix = os.path.join(WORK, "%s-%s" % (title, who))
            done = run(BERTH, "grid", "-r", receptor, "--types", ",".join(TYPES), "--center", "%.3f,%.3f,%.3f" % around,
                       "--size", "22.5,22.5,22.5", "-o", prefix, "-q")
            self.assertEqual(done.returncode, 0, done.stderr)
            values[who] = {t: [float(x) for x in open("%s.%s.map" % (prefix, t)).read().split("\n")[6:] if x]
                           for t in TYPES + ["e"]}
        rows = []
        for kind in TYPES + ["e"]:
            a, b = values["mine"][kind], values["theirs"][kind]
            both = [(min(x, 20), min(y, 20)) for x, y in zip(a, b) if (abs(x) < 20 if kind == "e" else min(x, y) < 0)]
            rows.append((kind, statistics.mean(abs(x - y) for x, y in both), statistics.correlation(*zip(*both))))
        print("   maps of %s: " % title + ", ".join("%s %.3f (r %.3f)" % row for row in rows))
        for kind, difference, correlation in rows:
            self.assertLess(difference, limit, "%s: map %s" % (title, kind))
        return rows

    def middle(self, path):
        places = [v[2] for v in atoms_of(path).values()]
        return tuple(statistics.mean(x) for x in zip(*places))

    def test_same_hydrogens(self):
        """The same file with all hydrogens, prepared by both: equal types, charges and maps."""
        for name in ("1hpv.pdb", "1a0q.pdb"):
            raw, stem = self.need(name), os.path.join(WORK, name[:4] + "-h")
            self.protonated(raw, stem + ".pdb")
            theirs = self.meeko(stem + ".pdb", stem + "-meeko.pdbqt")
            mine = prepare(stem + ".pdb", stem)
            other, charges, more = self.compare_atoms(name + " with PDB2PQR's hydrogens", mine, theirs)
            self.assertEqual(([], 0), (other, more))
            self.assertLessEqual(max(charges), 0.0015)
            self.compare_maps(name[:4] + "-h", mine, theirs, self.middle(mine), 0.01)

    def test_own_hydrogens(self):
        """Raw entries against Meeko on PDB2PQR's hydrogens: states and places of hydrogens may differ."""
        for name in ("1hpv.pdb", "1a0q.pdb"):
            raw, stem = self.need(name), os.path.join(WORK, name[:4] + "-raw")
            bare = self.protonated(raw, stem + "-h.pdb")
            theirs = self.meeko(stem + "-h.pdb", stem + "-meeko.pdbqt")
            mine = prepare(bare, stem)
            other, _, _ = self.compare_atoms(name + " raw", mine, theirs)
            self.assertTrue(all(key[3] in ("ND1", "NE2") for key, _, _ in other), other)  # tautomers of histidine
            self.compare_maps(name[:4] + "-raw", mine, theirs, self.middle(mine), 0.12)

    def test_nucleic_acids(self):
        """A protein with DNA: Meeko reads our structure with hydrogens and finds the same types and charges."""
        raw, stem = self.need("pdb3mht.pdb"), os.path.join(WORK, "3mht")
        mine = prepare(raw, stem, "--delete", "SAH")
        theirs = self.meeko(stem + ".prepared.pdb", stem + "-meeko.pdbqt")
        other, charges, more = self.compare_atoms("3mht", mine, theirs)
        self.assertEqual(([], 0), (other, more))
        self.assertLessEqual(max(charges), 0.0015)
        self.compare_maps("3mht", mine, theirs, self.middle(mine), 0.01)

    def test_places_codes_and_kinds(self):
        """Alternate locations and two kinds of residue at one place (1EJG), insertion codes (1A0Q), zinc and DNA (1A1F)."""
        report = self.report("pdb1ejg.pdb")
        notes = [note for r in report["residues"] for note in r["notes"]]
        self.assertEqual(2, sum("occupies the same position" in note for note in notes))
        self.assertGreater(sum("alternate location" in note for note in notes), 5)
        self.assertEqual(0, report["charge"])
        report = self.report("1a0q.pdb", "--delete", "HEP")
        codes = [r for r in report["residues"] if r["insertion_code"]]
        self.assertGreater(len(codes), 3)
        self.assertTrue(all(r["fate"] == "kept" and r["state"] for r in codes))
        report = self.report("1A1F.pdb", "--zinc")
        states = [r["state"] for r in report["residues"] if r["fate"] == "kept"]
        self.assertEqual(6, states.count("CYM"))  # three fingers with two cysteines each
        self.assertEqual(3, states.count("ZN"))
        self.assertEqual(1, report["pseudo_atoms"])  # one of twelve neighbors is too far: 2.7 Angstrom
        self.assertTrue({"DA", "DC", "DG", "DT"} & set(states))

    def report(self, name, *options):
        done = run(BERTH, "prep", "receptor", "-r", self.need(name), "-o", os.path.join(WORK, name[:6]), "--json", *options)
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout)

    def test_zinc(self):
        """The catalytic zinc of MMP-9 (1GKC): its free coordination site is where the inhibitor's hydroxamate is."""
        folder = autodock.shared("data", "set42", "1gkc")
        raw = os.path.join(WORK, "1gkc.pdb")
        with open(raw, "w") as out:
            for line in open(os.path.join(folder, "protein.pdbqt")):
                kind = line[77:].strip()
                if line[:4] in ("ATOM", "HETA") and kind not in ("H", "HD", "HS"):
                    out.write("%-76s%2s\n" % (line[:66].rstrip(), {"A": "C", "OA": "O", "NA": "N", "SA": "S"}.get(kind, kind).upper()))
        mine = prepare(raw, os.path.join(WORK, "1gkc"), "--zinc", "--delete", "BUM,STN")
        corners = [v[2] for v in atoms_of(mine).values() if v[0] == "TZ"]
        ligand = [(v[0], v[2]) for v in atoms_of(os.path.join(folder, "flex-xray.pdbqt")).values()]
        nearest = min((math.dist(c, x), kind) for c in corners for kind, x in ligand if kind in ("OA", "N", "NA"))
        print("1gkc: TZ is %.2f Angstrom from the nearest polar atom of the inhibitor" % nearest[0])
        self.assertLess(nearest[0], 2.0)
        done = run(BERTH, "grid", "-r", mine, "--types", "NA,OA", "--autobox", os.path.join(folder, "flex-xray.pdbqt"), "-o",
                   os.path.join(WORK, "1gkc"), "--json")
        lowest = {m["type"]: m["lowest"] for m in json.loads(done.stdout)["maps"]}
        self.assertLess(lowest["NA"], -3.5)

    def test_flexible_residues(self):
        """Flexible residues chosen by name: every pair and atom against a live autodock4."""
        autodock.need("autogrid4", "autodock4")
        folder = os.path.join(WORK, "flex")
        os.makedirs(folder, exist_ok=True)
        prepare(self.need("1hpv.pdb"), os.path.join(folder, "rigid"), "--ligand-from", "478", "--flex",
                "A:ARG8,A:ASP25,B:ILE50,B:VAL82")
        rigid, flexible = os.path.join(folder, "rigid.pdbqt"), os.path.join(folder, "rigid_flex.pdbqt")
        top = os.environ.get("BERTH_SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        ligand = os.path.join(top, "examples", "1hpv", "ligand-crystal.pdbqt")
        types = sorted(set(autodock.types_of(ligand)) | set(autodock.types_of(flexible)))
        box = {"npts": ["60", "60", "60"], "spacing": "0.375", "center": ["9.4", "16.1", "9.2"]}
        fld = autodock.make_maps(folder, rigid, box, types)
        live = autodock.epdb(folder, ligand, types, flexible)
        mine = test_flex.score(BERTH, fld, ligand, flexible, "--per-atom", "--per-pair")
        self.assertEqual([], test_flex.compare("1hpv", mine, live))

    def test_redocking(self):
        """From entries to poses: the best pose of all but two is within 2 Angstrom of the crystal's; in those two the
        score prefers another pose to the minimized crystal pose, so the search is not at fault."""
        good, total = 0, 0
        for name, residue, smiles, options in REDOCKED:
            raw = entry(name)
            if raw is None:
                continue
            out = os.path.join(WORK, "dock-" + name[:6])
            done = run(BERTH, "dock", "-r", raw, "--ligand-from", residue, "--template", smiles, "--autobox",
                       raw + ":" + residue, "--padding", "4", "--reference", raw + ":" + residue, "-o", out, "--scoring", "ad4", "--seed", "12",
                       "--format", "csv,pdbqt", "--quiet", *options)
            self.assertEqual(0, done.returncode, done.stderr)
            rows = list(csv.DictReader(open(glob.glob(os.path.join(out, "*.csv"))[0])))
            column = next(c for c in rows[0] if "rmsd" in c and "ref" in c)
            best = min(rows, key=lambda row: float(row["free_energy"]))
            total += 1
            lowest = min(float(row["inter"]) + float(row["intra"]) for row in rows)
            crystal = crystal_energy(raw, residue, smiles, out)
            if float(best[column]) < 2.0:
                good += 1
            else:
                self.assertLess(lowest, crystal, name)
            print("%s %s: best pose %.2f Angstrom from the crystal's, %s kcal/mol; inter + intra %.2f, crystal's %.2f" % (
                name, residue, float(best[column]), best["free_energy"], lowest, crystal))
        if total == 0:
            self.skipTest("none of the packages " + ", ".join(sorted(set(PACKAGES.values()))))
        self.assertGreaterEqual(good, total - 2)


if __name__ == "__main__":
    if not BIN:
        sys.exit(__doc__)
    if "gemmi" in run(BERTH, "prep", "receptor", "-r", os.devnull + ".pdb", "-o", "x").stderr:
        skip("this build has no gemmi")
    skips.main(sys.argv[2:], warnings="ignore")
