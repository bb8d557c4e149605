#!/usr/bin/env python3
"""Maps against a live autogrid4 (4.2.6) on the same .gpf, every value of every map.

    test_maps.py BIN [--json-file FILE] [COMPLEX...]

Requirement: each value equals autogrid4's within 0.002 kcal/mol or 0.1 %, whichever is larger. By default small boxes
of six receptors, and each option of a .gpf once; BERTH_TEST_FULL=1 takes the full boxes. Needs the Debian package
autogrid and ../shared/data/set42. Columns of the table: values; those that differ in the third decimal, by more than
0.002 and by more than the tolerance; the largest difference, overall and where the value is below 100 kcal/mol; the
largest difference in units of the tolerance. --json-file writes the figures of docs/benchmarks/maps.md instead, per
receptor.

Why values differ at all: sums are in single precision, which shows in the seventh digit where a clash adds up to
thousands of kcal/mol, and occasionally changes the last decimal; electrostatics of atoms beyond 8 A use the dielectric
at the mean distance within AutoGrid's steps of 0.01 A, 0.0001 kcal/mol/e off on average.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import autodock  # noqa: E402

RECEPTORS = ["1ac8", "1jyq", "1kzk", "1p62", "1yqy", "7cpa"]
FULL_RECEPTORS = RECEPTORS + ["1m2z", "1of6", "2vaa", "3er5"]

def atom_types(path):
    with open(path) as lines:
        return sorted({line[77:80].strip() for line in lines if line[:6] in ("ATOM  ", "HETATM")})


def box_of(fld):
    box = {}
    with open(fld) as lines:
        for line in lines:
            word = line.split()
            if word and word[0] in ("#SPACING", "#NELEMENTS", "#CENTER"):
                box[word[0]] = " ".join(word[1:])
    return box


def read_map(path):
    with open(path) as lines:
        header = [next(lines) for _ in range(6)]
        return header, [float(line) for line in lines]


class Comparison:
    def __init__(self):
        self.values = self.third = self.above = self.beyond = 0
        self.low_values = self.low_third = 0  # below 100 kcal/mol
        self.largest = self.low = self.high_relative = self.excess = 0.0

    def add(self, expected, actual):
        if len(expected) != len(actual):
            raise SystemExit("a map has %d values instead of %d" % (len(actual), len(expected)))
        self.values += len(expected)
        self.low_values += sum(abs(a) < 100.0 for a in expected)
        for a, b in zip(expected, actual):
            if a == b:
                continue
            difference = abs(a - b)
            tolerance = max(0.002, 0.001 * abs(a)) + 1e-9
            self.third += difference > 0.0005
            self.above += difference > 0.002 + 1e-9
            self.beyond += not difference <= tolerance
            self.largest = max(self.largest, difference)
            if abs(a) < 100.0:
                self.low_third += difference > 0.0005
                self.low = max(self.low, difference)
            else:
                self.high_relative = max(self.high_relative, difference / abs(a))
            self.excess = max(self.excess, difference / tolerance)

    def row(self):
        return "%9d %8d %8d %6d %9.3f %6.3f %8.2f" % (self.values, self.third, self.above, self.beyond, self.largest,
                                                       self.low, self.excess)


class Job:
    """One .gpf, run by both programs in separate folders."""

    def __init__(self, folder, complex_folder, points=None, spacing=None, types=None, extra=(), change=()):
        self.folder = folder
        receptor = os.path.join(complex_folder, "protein.pdbqt")
        box = box_of(os.path.join(complex_folder, "protein.maps.fld"))
        self.types = types or atom_types(os.path.join(complex_folder, "flex-xray.pdbqt"))
        lines = ["npts " + (points or box["#NELEMENTS"]), "gridfld protein.maps.fld",
                 "spacing " + (spacing or box["#SPACING"]), "receptor_types " + " ".join(atom_types(receptor)),
                 "ligand_types " + " ".join(self.types), "receptor protein.pdbqt", "gridcenter " + box["#CENTER"],
                 "smooth 0.5"]
        lines += ["map protein.%s.map" % t for t in self.types]
        lines += ["elecmap protein.e.map", "dsolvmap protein.d.map", "dielectric -0.1465"]
        keys = {line.split()[0]: line for line in change}
        text = "\n".join([line for line in extra if line.startswith("parameter_file")] +
                         [keys.get(line.split()[0], line) for line in lines] +
                         [line for line in extra if not line.startswith("parameter_file")]) + "\n"
        for name in ("reference", "berth"):
            os.makedirs(os.path.join(folder, name))
            shutil.copy(receptor, os.path.join(folder, name))
            with open(os.path.join(folder, name, "protein.gpf"), "w") as out:
                out.write(text)
            with open(os.path.join(folder, name, "types.dat"), "w") as out:
                out.write("FE_coeff_vdW 0.2\nFE_coeff_hbond 0.15\nFE_coeff_estat 0.1\nFE_coeff_desolv 0.11\n"
                          "atom_par C 4.10 0.120 30.0 -0.00243 0.0 0.0 0 -1 -1 0\n"
                          "atom_par Xe 4.50 0.300 40.0 -0.00110 0.0 0.0 0 -1 -1 4\n"
                          "atom_par HX 2.20 0.020 1.0 0.00051 0.0 0.0 2 -1 -1 3\n")

    def run(self, name, command):
        done = subprocess.run(command + ["-p", "protein.gpf", "-l", "protein.glg"], cwd=os.path.join(self.folder, name),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with open(os.path.join(self.folder, name, "protein.glg"), errors="replace") as log:
            complete = "Successful Completion." in log.read().replace("Unsuccessful", "")
        if done.returncode != 0 or not complete:
            raise SystemExit("%s failed: %s" % (command[0], done.stderr))

    def compare(self, berth):
        self.run("reference", ["autogrid4"])
        self.run("berth", [berth])
        result = {}
        for name in self.types + ["e", "d"]:
            maps = [read_map(os.path.join(self.folder, side, "protein.%s.map" % name)) for side in ("reference", "berth")]
            if maps[0][0] != maps[1][0]:
                raise SystemExit("headers of map %s differ: %s %s" % (name, maps[0][0], maps[1][0]))
            result[name] = Comparison()
            result[name].add(maps[0][1], maps[1][1])
        texts = [open(os.path.join(self.folder, side, "protein.maps.xyz")).read().split() for side in ("reference", "berth")]
        if texts[0] != texts[1]:
            raise SystemExit("the .maps.xyz files differ")
        return result


def figures(name, atoms, results):
    """A row of the table in docs/benchmarks/maps.md."""
    affinity = [c for kind, c in results.items() if kind not in ("e", "d")]
    every = list(results.values())
    low_third = sum(c.low_third for c in affinity)
    low = sum(c.low_values for c in affinity)
    return {"receptor": name, "atoms": atoms, "types": sorted(kind for kind in results if kind not in ("e", "d")),
            "values": sum(c.values for c in every), "low_values": low, "low_third": low_third,
            "low_largest": max(c.low for c in affinity), "high_values": sum(c.values for c in affinity) - low,
            "high_third": sum(c.third for c in affinity) - low_third,
            "high_relative": max(c.high_relative for c in affinity), "e_third": results["e"].third,
            "e_largest": results["e"].largest, "d_third": results["d"].third, "above": sum(c.above for c in every),
            "beyond": sum(c.beyond for c in every)}


def write_figures(path, folder, rows):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "scripts"))
    import measured
    command = "tests/science/test_maps.py build/release/bin --json-file " + os.path.basename(path)
    measured.write(path, {**measured.provenance(os.path.join(folder, "berth"), "maps", command),
                          "reference": "AutoGrid 4.2.6", "valid": all(row["beyond"] == 0 for row in rows), "rows": rows})


VARIANTS = [
    ("disorder_h", {"extra": ["disorder_h"], "types": ["C", "HD", "OA", "NA", "SA"]}),
    ("constant dielectric", {"change": ["dielectric 4.0"], "types": ["C"]}),
    ("dielectric 0", {"change": ["dielectric 0.0"], "types": ["C"]}),
    ("no smoothing", {"change": ["smooth 0.0"], "types": ["C", "HD", "OA"]}),
    ("smooth 1.3", {"change": ["smooth 1.3"], "types": ["C", "HD", "OA"]}),
    ("spacing 0.2", {"spacing": "0.2", "types": ["C", "HD", "OA"]}),
    ("spacing 1", {"spacing": "1.0", "types": ["C", "HD", "OA"]}),
    ("qasp", {"extra": ["qasp 0.02"], "types": ["C", "OA"]}),
    ("center auto", {"change": ["gridcenter auto"], "types": ["C", "OA"]}),
    ("center with 5 digits", {"change": ["gridcenter 20.86812 -0.50449 15.60251"], "types": ["C", "HD", "OA"]}),
    ("odd npts", {"points": "13 15 11", "types": ["C"]}),
    ("nbp_r_eps", {"extra": ["nbp_r_eps 2.6 1.1 12 6 OA N", "nbp_r_eps 3.1 0.4 12 10 C HD"], "types": ["C", "HD", "OA"]}),
    ("nbp_coeffs", {"extra": ["nbp_coeffs 120000.0 600.0 12 6 C OA"], "types": ["C", "OA"]}),
    ("covalent map", {"extra": ["covalentmap 1.5 800.0 20.0 0.5 15.0"], "types": ["C", "Z"]}),
    ("parameter file", {"extra": ["parameter_file types.dat"], "types": ["C", "Xe", "HX", "OA"]}),
    ("spherical types", {"types": ["HS", "NS", "OS", "S", "H", "HD", "NA"]}),
    ("metals and halogens", {"types": ["F", "Cl", "CL", "Br", "BR", "I", "Mg", "MG", "Mn", "Zn", "ZN", "Ca", "Fe", "P"]}),
]


def main():
    full = os.environ.get("BERTH_TEST_FULL") == "1"
    autodock.need("autogrid4")
    data = autodock.shared("data", "set42")
    berth = os.path.abspath(os.path.join(sys.argv[1], "berth-autogrid"))
    chosen, rows = sys.argv[2:], []
    json_file = chosen[chosen.index("--json-file") + 1] if "--json-file" in chosen else None
    if json_file:
        at = chosen.index("--json-file")
        del chosen[at:at + 2]
    names = chosen or (FULL_RECEPTORS if full else RECEPTORS)
    points = None if full else "24 20 22"
    total, failures = Comparison(), []
    if not json_file:
        print("%-24s %-4s %9s %8s %8s %6s %9s %6s %8s" %
              ("receptor", "map", "values", "third", ">0.002", "beyond", "largest", "<100", "/allowed"))

    def report(title, results):
        if json_file:
            with open(os.path.join(data, title, "protein.pdbqt")) as lines:
                atoms = sum(line[:6] in ("ATOM  ", "HETATM") for line in lines)
            rows.append(figures(title, atoms, results))
        for name, c in results.items():
            if not json_file:
                print("%-24s %-4s %s" % (title, name, c.row()), flush=True)
            total.values += c.values
            total.third += c.third
            total.above += c.above
            total.beyond += c.beyond
            if c.beyond:
                failures.append("%s %s" % (title, name))

    with tempfile.TemporaryDirectory(prefix="berth-maps-") as work:
        for name in names:
            report(name, Job(os.path.join(work, name), os.path.join(data, name), points=points).compare(berth))
            shutil.rmtree(os.path.join(work, name))
        for title, settings in VARIANTS if not chosen and not json_file else []:
            job = Job(os.path.join(work, re.sub(r"\W", "-", title)), os.path.join(data, "1kzk"),
                      **{"points": "16 14 18", **settings})
            report(title, job.compare(berth))
    if json_file:
        write_figures(json_file, os.path.abspath(sys.argv[1]), rows)
    print("%d values: %d differ in the third decimal, %d by more than 0.002, %d beyond the tolerance" %
          (total.values, total.third, total.above, total.beyond))
    if failures:
        raise SystemExit("beyond 0.002 kcal/mol and 0.1 %: " + ", ".join(failures))


if __name__ == "__main__":
    main()
