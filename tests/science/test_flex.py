"""Flexible residues: all five groups of energy, every pair and every atom, against a live autodock4.

    test_flex.py BIN

Side chains next to the ligand are cut out of receptors of the shared set; autogrid4 makes the maps of the rest. The
example of Debian's package autodock-test is used as well if installed.
"""
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import autodock
import flexres

DIGIT = 0.6e-4  # four decimals are printed
TWO = 0.0051    # or two
DEBIAN = "/usr/share/autodock/Tests"


def score(berth, fld, ligand, flexible, *options):
    done = subprocess.run([berth, "score", "-r", fld, "-l", ligand, "--flex", flexible, "--json", *options],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit("berth score failed on " + ligand)
    return json.loads(done.stdout)


def compare(name, mine, live):
    energy, groups, faults = mine["energy"], live["groups"], []
    fixed = energy["inter_vdw_hbond"] + energy["inter_electrostatic"] + energy["inter_desolvation"]
    own = sum(energy["intra_" + t] for t in ("vdw", "hbond", "electrostatic", "desolvation"))
    five = {"Moving Ligand-Fixed Receptor": fixed, "Moving Ligand-Moving Receptor": energy["inter_moving"],
            "Internal Energy Ligand": own, "Internal Moving-Fixed Receptor": energy["intra_flex_fixed"],
            "Internal Moving-Moving Receptor": energy["intra_flex"] - energy["intra_flex_fixed"],
            "Final Intermolecular Energy": energy["inter"], "Final Total Internal Energy": energy["intra"],
            "Torsional Free Energy": energy["torsional"], "Estimated Free Energy of Binding": energy["total"]}
    for key, value in five.items():
        if key not in groups:
            faults.append("%s: autodock4 prints no %s" % (name, key))
        elif abs(groups[key] - value) > TWO:
            faults.append("%s: %s is %.4f, autodock4 says %.2f" % (name, key, value, groups[key]))
    if energy["inter_moving"] == 0 or energy["intra_flex_fixed"] == 0:
        faults.append(name + ": the case tests nothing")
    pairs = {tuple(p["atoms"]): (p["electrostatic"], p["vdw"], p["hbond"], p["desolvation"]) for p in mine["pairs"]}
    if list(pairs) != list(live["pairs"]):
        faults.append("%s: %d pairs, autodock4 has %d; differing: %s" % (
            name, len(pairs), len(live["pairs"]), sorted(set(pairs) ^ set(live["pairs"]))[:5]))
    worst_pair = max(abs(a - b) for key in live["pairs"] if key in pairs for a, b in zip(pairs[key], live["pairs"][key]))
    atoms = [(a["vdw_hbond"], a["electrostatic"], a["desolvation"]) for a in mine["atoms"]]
    if len(atoms) != len(live["atoms"]):
        faults.append("%s: %d atoms, autodock4 prints %d" % (name, len(atoms), len(live["atoms"])))
    worst_atom = max(abs(a - b) for x, y in zip(atoms, live["atoms"]) for a, b in zip(x, y))
    if max(worst_pair, worst_atom) > DIGIT:
        faults.append("%s: a pair differs by %.6f, an atom by %.6f" % (name, worst_pair, worst_atom))
    print("%s: %d pairs, %d atoms; largest deviation of a pair's term %.5f, of an atom's %.5f; %s" % (
        name, len(pairs), len(atoms), worst_pair, worst_atom, "  ".join("%.4f" % v for v in list(five.values())[:5])))
    return faults


def cut_case(berth, name, count):
    complex_dir = autodock.shared("data", "set42", name)
    ligand, receptor = (os.path.join(complex_dir, f) for f in ("flex-xray.pdbqt", "protein.pdbqt"))
    folder = os.path.abspath(os.path.join("science-maps", name + "-flex"))
    os.makedirs(folder, exist_ok=True)
    rigid, flexible = os.path.join(folder, "rigid.pdbqt"), os.path.join(folder, "residues.pdbqt")
    names = flexres.residues_near(receptor, ligand, 4.5, count)
    flexres.cut(receptor, names, rigid, flexible)
    types = sorted(set(autodock.types_of(ligand)) | set(autodock.types_of(flexible)))
    box = autodock.box_of(os.path.join(complex_dir, "protein.maps.fld"))
    box["npts"] = ["60", "60", "60"]
    fld = autodock.make_maps(folder, rigid, box, types)
    live = autodock.epdb(folder, ligand, types, flexible)
    mine = score(berth, fld, ligand, flexible, "--per-atom", "--per-pair")
    closed = score(berth, fld, ligand, flexible, "--continuous")["energy"]
    faults = compare(name + " with " + ", ".join(re.sub(" +", " ", n.strip()) for n in names), mine, live)
    for key in ("inter", "intra"):
        if not abs(closed[key] - mine["energy"][key]) < 0.3:
            faults.append("%s: %s is %.4f in closed form, %.4f tabulated" % (name, key, closed[key], mine["energy"][key]))
    return faults


def debian_case(berth):
    if not os.path.exists(os.path.join(DEBIAN, "1pgp_rigid.maps.fld")):
        print("autodock-test is not installed: its example is left out")
        return []
    ligand, flexible = (os.path.join(DEBIAN, f) for f in ("1pgp_lig.pdbqt", "1pgp_flex.pdbqt"))
    folder = os.path.abspath(os.path.join("science-maps", "1pgp"))
    os.makedirs(folder, exist_ok=True)
    types = sorted(set(autodock.types_of(ligand)) | set(autodock.types_of(flexible)))
    links = {"maps.fld": "protein.maps.fld"}
    links.update({t + ".map": "protein.%s.map" % t for t in types + ["e", "d"]})
    for theirs, ours in links.items():
        link = os.path.join(folder, ours)
        if not os.path.lexists(link):
            os.symlink(os.path.join(DEBIAN, "1pgp_rigid." + theirs), link)
    live = autodock.epdb(folder, ligand, types, flexible)
    fld = os.path.join(DEBIAN, "1pgp_rigid.maps.fld")
    return compare("Debian's 1pgp", score(berth, fld, ligand, flexible, "--per-atom", "--per-pair"), live)


def main():
    berth = os.path.join(os.path.abspath(sys.argv[1]), "berth")
    autodock.need("autogrid4", "autodock4")
    faults = cut_case(berth, "1kzk", 3) + cut_case(berth, "7cpa", 4) + debian_case(berth)
    print("\n".join(faults) or "flexible residues agree")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
