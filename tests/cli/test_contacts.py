"""Contacts of poses against an independent implementation of their definitions in double precision.

AutoDock-GPU's contact analysis: acceptors are NA, NS, OA, OS, SA; a donor is the N, O or S that carries a polar hydrogen,
found by bond lengths 1.041, 1.0289, 1.3455 A; H up to 3.7 A; V between atoms that are neither hydrogens nor acceptors nor
donors, up to 4.0 A.
"""
import itertools
import json
import math
import re
import unittest

import berth_cli as cli
import report_page

COMPLEXES = "1ac8 1gkc 1ig3 1jla 1k3u 1lpz 1lrh 1m2z 1nav 1of6".split()
ACCEPTORS = {"NA", "NS", "OA", "OS", "SA"}
BONDS = {"N": 1.041, "NA": 1.041, "NS": 1.041, "NX": 1.041, "OA": 1.0289, "OS": 1.0289, "O": 1.0289, "OX": 1.0289, "S": 1.3455, "SA": 1.3455}
HYDROGENS = {"H", "HD", "HS"}
NO_ATOMS = {"W", "G0", "G1", "G2", "G3"}


def atoms_of(text):
    """name, residue, number, chain, type, coordinates of every atom."""
    list_ = []
    for line in text.splitlines():
        if line.startswith(("ATOM", "HETATM")):
            place = tuple(float(line[k:k + 8]) for k in (30, 38, 46))
            list_.append((line[12:16].strip(), line[17:20].strip(), int(line[22:26]), line[21].strip(), line[77:].strip(), place))
    return list_


def cell_of(place):
    return tuple(math.floor(x / 2) for x in place)  # longer than any bond


def donors_of(atoms, hydrogens_donate=False):
    donors, cells = set(), {}
    for k, a in enumerate(atoms):
        if a[4] in BONDS and not hydrogens_donate:
            cells.setdefault(cell_of(a[5]), []).append(k)
    for i, h in enumerate(atoms):
        if h[4] != "HD":
            continue
        around = itertools.product(*((x - 1, x, x + 1) for x in cell_of(h[5])))
        near = [(math.dist(atoms[k][5], h[5]), k) for cell in around for k in cells.get(cell, ())
                if math.dist(atoms[k][5], h[5]) <= BONDS[atoms[k][4]] + 1e-6]
        donors.add(min(near)[1] if near else i)
    return donors


def expected(ligand, receptor, hbond=3.7, vdw=4.0, hydrogens_donate=False):
    found = []
    lig_donors, rec_donors = donors_of(ligand, hydrogens_donate), donors_of(receptor)
    low = [min(a[5][k] for a in ligand) - max(hbond, vdw) - 1 for k in range(3)]
    high = [max(a[5][k] for a in ligand) + max(hbond, vdw) + 1 for k in range(3)]
    near = [(j, b) for j, b in enumerate(receptor) if all(low[k] <= b[5][k] <= high[k] for k in range(3))]
    for i, a in enumerate(ligand):
        for j, b in near:
            if a[4] in NO_ATOMS or b[4] in NO_ATOMS or b[4] == "TZ":
                continue
            r = math.dist(a[5], b[5]) - 1e-9
            polar_a, polar_b = a[4] in ACCEPTORS or i in lig_donors, b[4] in ACCEPTORS or j in rec_donors
            if (a[4] in ACCEPTORS and j in rec_donors) or (i in lig_donors and b[4] in ACCEPTORS):
                if r <= hbond:
                    found.append(("H", i + 1, b[1], b[2], b[3], b[0]))
            elif not polar_a and not polar_b and a[4] not in HYDROGENS and b[4] not in HYDROGENS and r <= vdw:
                found.append(("V", i + 1, b[1], b[2], b[3], b[0]))
    return sorted(found)


class Case(cli.Case):
    def contacts(self, ligand, *more, name="crystal"):
        """Of the ligand where it is, with receptor.pdbqt."""
        self.write(f"logs/{name}.dlg", report_page.docking_log(ligand))
        result = self.berth("report", "logs", "-r", "receptor.pdbqt", "-o", "page.html", "-q", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return report_page.data_of(self.folder / "page.html")["details"][0]["poses"][0]["contacts"]

    def assert_contacts(self, ligand, receptor, *more, **limits):
        found = self.contacts(ligand, *more)
        simple = sorted((c[0], c[1], c[3], c[4], c[5], c[6]) for c in found if c[0] in "RHV")
        self.assertEqual(simple, expected(atoms_of(ligand), atoms_of(receptor), **limits))
        types = [c[0] for c in found]
        self.assertEqual(types, sorted(types, key="RHVPSCBXLWM".index), "sorted by type")
        for c in found:
            if c[0] in "RHVS":
                self.assertAlmostEqual(math.dist(c[8:11], c[11:14]), c[7], delta=0.03)
        return simple


class Contacts(Case):
    def test_crystal_poses_of_ten_complexes(self):
        total = {"H": 0, "V": 0}
        for name in COMPLEXES:
            folder = cli.shared("data", "set42", name)
            ligand, receptor = (folder / "flex-xray.pdbqt").read_text(), (folder / "protein.pdbqt").read_text()
            self.write("receptor.pdbqt", receptor)
            for found in self.assert_contacts(ligand, receptor):
                total[found[0]] += 1
        print(f"{len(COMPLEXES)} crystal poses: {total['H']} hydrogen bonds, {total['V']} van der Waals contacts")
        self.assertGreater(total["H"], 40)
        self.assertGreater(total["V"], 200)

    def test_other_distances(self):
        receptor, ligand = cli.receptor(radius=5), cli.ligand()
        self.write("receptor.pdbqt", receptor)
        near = self.assert_contacts(ligand, receptor)
        far = self.assert_contacts(ligand, receptor, "--contacts", "2.1,6.5,7", hbond=6.5, vdw=7.0)
        self.assertGreater(len(far), len(near), "the reach follows the distances")

    def test_docked_poses_as_autodock_gpu_writes_them(self):
        self.assert_well(self.dock("--contacts", "--format", "dlg,xml,json,pdbqt"))
        log = (self.folder / "out/ligand.dlg").read_text()
        data = json.loads((self.folder / "out/ligand.json").read_text())
        runs = data["runs"]
        blocks = re.findall(r"^ANALYSIS: COUNT (\d+)\n((?:ANALYSIS: .*\n)*)", log, re.MULTILINE)
        self.assertEqual(len(blocks), len(runs))
        keys = ["TYPE", "LIGID", "LIGNAME", "RECID", "RECNAME", "RESIDUE", "RESID", "CHAIN"]
        for (count, text), run in zip(blocks, runs):
            shown = [c for c in run["contacts"] if c["type"] in ("reactive", "hydrogen_bond", "van_der_waals")]
            self.assertEqual(int(count), len(shown))
            lists = re.findall(r"ANALYSIS: (\w+) *\{(.*)\}", text)
            self.assertEqual([k for k, _ in lists], keys if shown else [])
            values = [[v.strip().strip('"') for v in items.split(",")] for _, items in lists]
            for row, contact in zip(zip(*values), shown):
                self.assertEqual(row[0], {"hydrogen_bond": "H", "van_der_waals": "V", "reactive": "R"}[contact["type"]])
                self.assertEqual([int(row[1]), row[2], int(row[3]), row[4], row[5], int(row[6])],
                                 [contact["ligand_atom"], contact["ligand_name"], contact["receptor_serial"],
                                  contact["receptor_name"], contact["residue"], contact["residue_number"]])
        xml = (self.folder / "out/ligand.xml").read_text()
        counts = sorted(map(int, re.findall(r'<contact_analysis count="(\d+)">', xml)))
        self.assertEqual(counts, sorted(int(count) for count, _ in blocks))

    def test_poses_of_a_log(self):
        """Contacts of the poses in a log, computed from its coordinates of three decimals."""
        self.write("receptor.pdbqt", cli.receptor(radius=6))
        self.assert_well(self.dock("--format", "dlg,pdbqt", "--poses", "1"))
        self.assertEqual(self.berth("report", "out", "-r", "receptor.pdbqt", "-q").returncode, 0)
        detail = report_page.data_of(self.folder / "out/report.html")["details"][0]
        log = (self.folder / "out/ligand.dlg").read_text()
        receptor = atoms_of((self.folder / "receptor.pdbqt").read_text())
        for pose in detail["poses"]:
            block = re.search(rf"DOCKED: MODEL +{pose['run']}\n(.*?)ENDMDL", log, re.DOTALL).group(1)
            block = "\n".join(line[8:] for line in block.splitlines())
            simple = sorted((c[0], c[1], c[3], c[4], c[5], c[6]) for c in pose["contacts"] if c[0] in "RHV")
            self.assertEqual(simple, expected(atoms_of(block), receptor))

    def test_hydrogens_donate_for_autodock_gpus_readers(self):
        self.write("maps/rec.pdbqt", cli.receptor())
        self.write("ligand.pdbqt", cli.ligand(kinds=("C", "OA", "C", "N", "HD", "C")))
        self.assert_well(self.berth("grid", "-r", "maps/rec.pdbqt", *cli.BOX, "-o", "maps/rec", "--types", "C,OA,N,HD,A"))
        result = self.run_program("berth-adgpu", "--ffile", "maps/rec.maps.fld", "--lfile", "ligand.pdbqt", "--nrun", "2",
                                  "--nev", "1500", "-C", "1", "--seed", "3", "--heuristics", "0")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ANALYSIS: COUNT", (self.folder / "ligand.dlg").read_text())
        bad = self.run_program("berth-adgpu", "--ffile", "maps/rec.maps.fld", "--lfile", "ligand.pdbqt", "-C", "2.1,x")
        self.assertEqual(bad.returncode, 1)
        self.assertIn("--contact_analysis", bad.stderr)


class KnownComplex(Case):
    """Amprenavir in HIV-1 protease (1HPV): what the crystal structure's paper and reviews name."""

    def test_hydrogen_bonds_of_1hpv(self):
        pdb = cli.SOURCE / "examples/1hpv/1hpv.pdb"
        made = self.berth("prep", "receptor", pdb, "--ligand-from", "478", "--set-state", "B:25:ASH", "--keep", ":HOH201", "-q",
                          "-o", "receptor")
        if made.returncode != 0:
            raise unittest.SkipTest(made.stderr)
        found = self.contacts((cli.SOURCE / "examples/1hpv/ligand-crystal.pdbqt").read_text())
        hbonds = {(c[3], c[4], c[5]) for c in found if c[0] == "H"}
        for residue in (("ASP", 25, "A"), ("ASP", 25, "B"), ("ASP", 30, "B"), ("ASP", 29, "A"), ("HOH", 201, "")):
            self.assertIn(residue, hbonds)
        water = [c for c in found if c[0] == "H" and c[3] == "HOH"]
        receptor = atoms_of((self.folder / "receptor.pdbqt").read_text())
        oxygen = next(a for a in receptor if a[1] == "HOH" and a[0] == "O")
        flaps = [a for a in receptor if a[1] == "ILE" and a[2] == 50 and a[0] == "N" and math.dist(a[5], oxygen[5]) < 3.4]
        self.assertEqual(len(flaps), 2, "the water bridges to Ile 50 of both chains")
        self.assertGreaterEqual(len(water), 2)
        print("1HPV, crystal pose:", sorted({(c[3], c[4], c[5], c[6], c[2], c[7]) for c in found if c[0] == "H"}))


if __name__ == "__main__":
    cli.main()
