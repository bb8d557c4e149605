#!/usr/bin/env python3
"""Redocks sets of complexes from raw files, and judges the poses by an RMSD that is not Berth's.

    poses.py dock RESULTS SET... [--program BERTH] [--protocols FILE] [--seeds 1,2] [--jobs N] [--shard I/N] [--busters]
                                 [-- OPTIONS]
    poses.py table RESULTS SET... [--baseline PROTOCOL | --baseline RESULTS] [--json FILE]

A SET is a folder with manifest.csv (columns id, heavy_atoms, rotatable_bonds; others are left alone) and for each id a
folder with receptor.pdb or receptor.pdbqt, ligand_start.sdf (the conformer that is docked, which must not be the
crystal's) and ligand_crystal.sdf (the pose to be found, and the box: its extent plus the default padding). Or it is a
folder with boxes.tsv (complex, heavy_atoms, torsions, center_x ... size_z) and receptor.pdbqt and ligand.pdbqt in the
crystal's pose for each complex; these are docked from the crystal's conformation, and are marked so.

FILE names protocols: {"default": [], "ad4": ["--scoring", "ad4"]}, arguments of `berth dock`; or objects with the keys
"dock" (its arguments), or "bude" (those of `berth bude`, whose box is a cube about the crystal pose's middle: --size),
"screen" (those of `berth screen`, for enrichment.py) and "start": "smiles" docks the SMILES of
ligand_start.sdf, so that Berth generates all conformers, "crystal" ligand_crystal.sdf, which flatters. Without FILE
there is one, "default". OPTIONS are given to all of them. Every complex is docked with every protocol and seed, one
thread each and as many at once as --jobs; rows are added to RESULTS as they are done, and existing ones are not
repeated. --shard 0/4 docks the first of four parts.

RMSD: heavy atoms in place, the smallest over all mappings of the molecular graph onto itself, elements and bonds alone
(neither bond orders nor charges, so the two oxygens of a carboxylate are equal however it is protonated), by RDKit,
between ligand_crystal.sdf and the poses in the SDF. A complex that was refused, timed out or has another graph counts
as wrong, at every threshold. Half of each set by the SHA-256 of the id is for tuning, the other half for confirming.
Intervals are Wilson's, 95 %; protocols are compared by McNemar's exact test on the same complexes and seeds. With
--busters the first pose is given to the checks of the package posebusters (of PyPI), and those that fail are named; the
check of the RMSD is left out, and so is that of the strain where it does not end within two minutes.
"""
import argparse
import concurrent.futures
import csv
import importlib
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from judging import (half_of, parsers_of, processor, protocol_words, protocols_of, provenance, seeds_of, sign_test,
                     version_of)
from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")
THRESHOLDS = (1.0, 2.0, 2.5)
MOST_MAPPINGS = 100_000
BUSTERS_LIMIT = 120  # seconds
ENERGY_MODULE = "Energy ratio"
CLASSES = {"torsions": ("rotatable_bonds", ((0, 5), (6, 9), (10, math.inf))),
           "atoms": ("heavy_atoms", ((0, 20), (21, 30), (31, math.inf)))}


# --- RMSD ------------------------------------------------------------------------------------------------

def skeleton(mol):
    """The graph of heavy atoms without bond orders and charges, and their coordinates."""
    graph, places, index = Chem.RWMol(), [], {}
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() > 1:
            bare = Chem.Atom(atom.GetAtomicNum())
            bare.SetNoImplicit(True)
            index[atom.GetIdx()] = graph.AddAtom(bare)
            places.append(tuple(mol.GetConformer().GetAtomPosition(atom.GetIdx())))
    for bond in mol.GetBonds():
        ends = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        if all(end in index for end in ends):
            graph.AddBond(*(index[end] for end in ends), Chem.BondType.SINGLE)
    graph.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(graph)
    return graph, places


def rmsd(pose, crystal):
    """Angstrom, or None if the molecules differ."""
    (graph, places), (reference, wanted) = skeleton(pose), skeleton(crystal)
    if graph.GetNumAtoms() != reference.GetNumAtoms():
        return None
    mappings = graph.GetSubstructMatches(reference, uniquify=False, maxMatches=MOST_MAPPINGS)
    squares = (sum(math.dist(wanted[i], places[j])**2 for i, j in enumerate(mapping)) for mapping in mappings)
    least = min(squares, default=None)
    return None if least is None else math.sqrt(least / len(wanted))


RADII = {"H": 0.31, "C": 0.76, "N": 0.71, "O": 0.66, "F": 0.57, "P": 1.07, "S": 1.05, "Cl": 1.02, "Br": 1.20, "I": 1.39}
ELEMENTS = {
    "A": "C",
    "NA": "N",
    "NS": "N",
    "OA": "O",
    "OS": "O",
    "SA": "S",
    "HD": "H",
    "HS": "H",
    "CG": "C",
    "CL": "Cl",
    "BR": "Br"
}


def heavy_lines(text):
    """Elements and places of the heavy atoms of one model of a PDBQT file; without the pseudoatoms of rings."""
    for line in text.splitlines():
        if line.startswith(("ATOM", "HETATM")):
            word = line[77:].split()[0]
            element = ELEMENTS.get(word.upper(), word.capitalize())
            if element not in ("H", "W") and not (element[0] == "G" and element[1:].isdigit()):
                yield element, tuple(float(line[at:at + 8]) for at in (30, 38, 46))


def read_pdbqt(path):
    """Molecules of heavy atoms, one per model, with the bonds that the distances of the first one make."""
    models = [list(heavy_lines(text)) for text in path.read_text(encoding="utf-8").split("ENDMDL")]
    models = [atoms for atoms in models if atoms]
    graph = Chem.RWMol()
    for element, _ in models[0]:
        graph.AddAtom(Chem.Atom(element))
    for j, (element, place) in enumerate(models[0]):
        for i, (other, there) in enumerate(models[0][:j]):
            if math.dist(place, there) < RADII.get(element, 1.3) + RADII.get(other, 1.3) + 0.45:
                graph.AddBond(i, j, Chem.BondType.SINGLE)
    poses = []
    for atoms in models:
        pose, places = Chem.Mol(graph), Chem.Conformer(len(atoms))
        for index, (_, place) in enumerate(atoms):
            places.SetAtomPosition(index, place)
        pose.AddConformer(places)
        poses.append(pose)
    return poses


def read_poses(path):
    if path.suffix == ".pdbqt":
        return read_pdbqt(path)
    return [mol for mol in Chem.SDMolSupplier(str(path), sanitize=False, removeHs=False) if mol is not None]


# --- docking ---------------------------------------------------------------------------------------------

def bust(options):
    """Prints which of PoseBusters' checks the first pose of a file fails, in a process of its own."""
    from posebusters import PoseBusters
    judge = PoseBusters("redock")
    if options.without_energy:
        judge.config["modules"] = [module for module in judge.config["modules"] if module["name"] != ENERGY_MODULE]
    found = judge.bust(read_poses(options.pose)[:1], options.crystal, options.receptor)
    checks = [name for name in found.columns if not name.startswith("rmsd")]
    print(json.dumps(sorted(name for name in checks if not bool(found[name].iloc[0]))))


def busters(pose, folder):
    """What a pose fails, and what was not checked: conformers, with which strains are compared, may take for ever."""
    receptor = folder / "receptor.pdb"
    if not receptor.exists():
        return {}
    command = [sys.executable, __file__, "bust", pose, folder / "ligand_crystal.sdf", receptor]
    for words, found in (([], {}), (["--without-energy"], {"unchecked": ["internal_energy"]})):
        try:
            done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=BUSTERS_LIMIT, check=True)
            return {"fails": json.loads(done.stdout.splitlines()[-1]), **found}
        except subprocess.TimeoutExpired:
            pass
        except (subprocess.CalledProcessError, ValueError, IndexError) as error:
            print(f"{folder.name}: PoseBusters: {str(getattr(error, 'stderr', error))[-300:]}", file=sys.stderr)
            return {}
    return {}


def write_smiles(source, target):
    mol = next(iter(Chem.SDMolSupplier(str(source))))
    Chem.AssignStereochemistryFrom3D(mol)
    target.write_text(f"{Chem.MolToSmiles(mol)} {target.stem}\n", encoding="utf-8")
    return target


def inputs_of(job, temporary):
    """The ligand to dock, the arguments for its box, and the file with the crystal's pose."""
    folder, box = job["folder"], job["box"]
    if box is not None:
        words = ["--center", ",".join(box[f"center_{axis}"] for axis in "xyz"),
                 "--size", ",".join(box[f"size_{axis}"] for axis in "xyz")]
        return folder / "ligand.pdbqt", words, folder / "ligand.pdbqt"
    crystal, ligand = folder / "ligand_crystal.sdf", folder / "ligand_start.sdf"
    if job["start"] == "smiles":
        ligand = write_smiles(ligand, temporary / "ligand.smi")
    return crystal if job["start"] == "crystal" else ligand, ["--autobox", crystal], crystal


def dock_one(job, options):
    folder, seed = job["folder"], job["seed"]
    receptor = next(path for path in (folder / "receptor.pdb", folder / "receptor.pdbqt") if path.exists())
    row = {key: job[key] for key in ("set", "id", "protocol", "seed", "words", "start")} | options.known
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(temporary) / "out"
        ligand, box, crystal = inputs_of(job, pathlib.Path(temporary))
        command = [options.program, job["command"], "-q", "-r", receptor, "-l", ligand, *box, "-o", out, "--threads",
                   "1", "--seed", str(seed), *job["words"], *options.rest]
        if job["command"] == "bude":
            command += ["--format", "sdf"]
        began = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.limit,
                                  check=False)
            row["exit_code"], errors = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            row["exit_code"], errors = 124, f"stopped after {options.limit} s"
        row["seconds"] = round(time.monotonic() - began, 2)
        if row["exit_code"] != 0:
            row["error"] = errors.strip()[-400:]
            return row
        for told in out.glob("*.json"):
            row["device"] = json.loads(told.read_text(encoding="utf-8")).get("device", "")
        written = [
            path for path in sorted(out.glob("*.sdf")) + sorted(out.glob("*.pdbqt")) if path.name != "receptor.pdbqt"
        ]
        file = next(path for path in written if job["box"] is None or path.suffix == ".pdbqt")
        poses = read_poses(file)
        (truth,) = read_poses(crystal)
        found = [rmsd(pose, truth) for pose in poses]
        row["rmsd"] = [None if value is None else round(value, 3) for value in found]
        if options.busters and poses:
            row |= busters(file, folder)
    return row


def ids_of(folder):
    if (folder / "boxes.tsv").exists():
        with open(folder / "boxes.tsv", encoding="utf-8") as stream:
            return {row["complex"]: {**row, "rotatable_bonds": row["torsions"]}
                    for row in csv.DictReader(stream, delimiter="\t")}
    with open(folder / "manifest.csv", encoding="utf-8") as stream:
        return {row["id"]: row for row in csv.DictReader(stream)}


def key_of(row):
    return row["set"], row["id"], row["protocol"], row["seed"]


def read_rows(path):
    if not path.exists():
        return []
    with open(path, encoding="utf-8") as stream:
        rows = []
        for line in stream:
            try:
                rows.append(json.loads(line))
            except ValueError:
                pass  # the end of an interrupted run
    return rows


def dock(options):
    protocols = {"default": {"words": [], "start": "generated", "command": "dock"}}
    if options.protocols:
        protocols = {name: {**how, "command": command} for command in ("dock", "bude")
                     for name, how in protocols_of(options.protocols, command).items()}
    if options.busters:
        importlib.import_module("posebusters")  # says at once if it is missing
    have = {key_of(row) for row in read_rows(options.results)}
    options.known = {**version_of(options.program), "cpu": processor()}
    jobs = [{"set": folder.name, "id": name, "folder": folder / name, "protocol": protocol, "seed": seed, **how,
             "box": entry if "center_x" in entry else None, "start": "crystal" if "center_x" in entry else how["start"]}
            for seed in options.seeds for protocol, how in protocols.items() for folder in options.sets
            for name, entry in sorted(ids_of(folder).items())]
    part, parts = options.shard
    jobs = [job for job in jobs[part::parts] if key_of(job) not in have]
    began = time.monotonic()
    with open(options.results, "a", encoding="utf-8") as out, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [pool.submit(dock_one, job, options) for job in jobs]
        for count, row in enumerate((done.result() for done in concurrent.futures.as_completed(running)), 1):
            print(json.dumps(row), file=out, flush=True)
            first = (row.get("rmsd") or ["-"])[0]
            print(f"{count}/{len(jobs)} {row['set']} {row['id']} {row['protocol']} seed {row['seed']}: {first}",
                  file=sys.stderr, flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(jobs)} dockings, {time.monotonic() - began:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of CPU time")


# --- tables ----------------------------------------------------------------------------------------------

def wilson(hits, total, z=1.959964):
    if total == 0:
        return 0.0, 1.0
    share, weight = hits / total, z * z / total
    middle, half = share + weight / 2, z * math.sqrt((share * (1 - share) + weight / 4) / total)
    return (middle - half) / (1 + weight), (middle + half) / (1 + weight)


def is_right(row, most, threshold=2.0):
    return any(value is not None and value < threshold for value in (row.get("rmsd") or [])[:most])


def counts(rows, expected):
    """Right ones of so many complexes that should have been docked."""
    found = {"n": expected, "docked": sum(row["exit_code"] == 0 for row in rows)}
    for name, most in (("first", 1), ("third", 3), ("pool", None)):
        for threshold in THRESHOLDS:
            hits = sum(is_right(row, most, threshold) for row in rows)
            found[f"{name}_{threshold:g}"] = {"right": hits, "share": hits / expected if expected else None,
                                              "interval": wilson(hits, expected)}
    if all("seconds" in row for row in rows):
        found["seconds"] = sum(row["seconds"] for row in rows)
    checked = [row["fails"] for row in rows if row.get("fails") is not None]
    if checked:
        found["checked"] = len(checked)
        found["valid"] = sum(fails == [] for fails in checked)
        found["first_2_checked"] = sum(is_right(row, 1) and row.get("fails") is not None for row in rows)
        found["first_2_and_valid"] = sum(is_right(row, 1) and row.get("fails") == [] for row in rows)
        names = [name for fails in checked for name in fails]
        found["strain_unchecked"] = sum("internal_energy" in row.get("unchecked", ()) for row in rows)
        order = sorted(set(names), key=lambda name: (-names.count(name), name))
        found["fails"] = {name: names.count(name) for name in order}
    return found


def groups_of(manifest):
    """Named selections of the ids of one set."""
    groups = {"all": set(manifest)}
    for half in ("tuning", "confirming"):
        groups[half] = {name for name in manifest if half_of(name) == half}
    for word, (column, ranges) in CLASSES.items():
        for low, high in ranges:
            label = f"{word} {low}-{high}" if high < math.inf else f"{word} {low} and more"
            groups[label] = {
                name
                for name, row in manifest.items() if row.get(column) and low <= int(row[column]) <= high
            }
    return groups


def compare(rows, others):
    """Of first poses, complex by complex and seed by seed."""
    gained = sum(is_right(rows[key], 1) and not is_right(others[key], 1) for key in rows.keys() & others.keys())
    lost = sum(is_right(others[key], 1) and not is_right(rows[key], 1) for key in rows.keys() & others.keys())
    return {"pairs": len(rows.keys() & others.keys()), "gained": gained, "lost": lost, "p": sign_test(gained, lost)}


def baselines_of(rows):
    """Results to compare with, by protocol: of several, a protocol is compared with the one of its name alone."""
    found = {}
    for row in rows:
        found.setdefault(row["protocol"], {})[row["set"], row["id"], row["seed"]] = row
    return found


def table(options):
    rows = read_rows(options.results)
    manifests = {folder.name: ids_of(folder) for folder in options.sets}
    selected = [row for row in rows if row["set"] in manifests and row["id"] in manifests[row["set"]]]
    stored = options.baseline is not None and pathlib.Path(options.baseline).exists()
    baselines = baselines_of(read_rows(pathlib.Path(options.baseline)) if stored else
                             [row for row in selected if row["protocol"] == options.baseline])
    report = []
    for protocol in dict.fromkeys(row["protocol"] for row in selected):
        baseline = baselines.get(protocol) if len(baselines) > 1 else next(iter(baselines.values()), None)
        for name, manifest in manifests.items():
            own = [row for row in selected if row["protocol"] == protocol and row["set"] == name]
            seeds = {row["seed"] for row in own}
            for group, ids in groups_of(manifest).items():
                chosen = [row for row in own if row["id"] in ids]
                if not ids or not seeds:
                    continue
                one = {"protocol": protocol, "words": own[0].get("words", []), "set": name,
                       "start": own[0].get("start", "generated"), "group": group, "seeds": sorted(seeds),
                       **counts(chosen, len(ids) * len(seeds))}
                if baseline:
                    one["against"] = compare({(row["set"], row["id"], row["seed"]): row for row in chosen}, baseline)
                report.append(one)
    print(f"{'protocol':12} {'set':12} {'group':20} {'n':>5} {'docked':>6}  first < 2 A      three   pool  first < 1 A")
    for one in report:
        low, high = one["first_2"]["interval"]
        percent = {name: 100 * one[name]["share"] for name in ("first_2", "third_2", "pool_2", "first_1")}
        line = (f"{one['protocol']:12} {one['set']:12} {one['group']:20} {one['n']:5} {one['docked']:6}  "
                f"{percent['first_2']:5.1f} ({100 * low:.0f}-{100 * high:.0f})  {percent['third_2']:5.1f}  "
                f"{percent['pool_2']:5.1f}  {percent['first_1']:5.1f}")
        if "against" in one:
            line += f"  +{one['against']['gained']} -{one['against']['lost']} p {one['against']['p']:.2g}"
        print(line)
    if options.json:
        told = {"benchmark": "poses", **provenance(selected, options, command_of(selected, manifests))}
        told |= {"note": options.note} if options.note else {}
        options.json.write_text(json.dumps({**told, "rows": report}, indent=1) + "\n", encoding="utf-8")


def command_of(rows, sets):
    """The command that docks what is in these results."""
    words = ["bench/scripts/poses.py dock RESULTS", *sets]
    words += protocol_words(rows, "dock")
    if any("fails" in row for row in rows):
        words.append("--busters")
    return " ".join(words)


def shard_of(text):
    part, parts = map(int, text.split("/"))
    if not 0 <= part < parts:
        raise argparse.ArgumentTypeError(f"{text}: use 0/N to {parts - 1}/N")
    return part, parts


def main():
    parser, commands = parsers_of(__doc__, (dock, table), "results", "sets")
    commands["table"].add_argument("--baseline", help="a protocol of the same results, or other results")
    commands["table"].add_argument("--note", help="for the JSON")
    command = commands["dock"]
    command.add_argument("--program", default="berth")
    command.add_argument("--protocols", type=pathlib.Path)
    command.add_argument("--seeds", type=seeds_of, default=[1])
    command.add_argument("--jobs", type=int, default=1)
    command.add_argument("--shard", type=shard_of, default=(0, 1))
    command.add_argument("--limit", type=float, default=600, help="seconds of one docking")
    command.add_argument("--busters", action="store_true", help="run PoseBusters' checks of the first pose")
    words, rest = sys.argv[1:], []
    if "--" in words:
        words, rest = words[:words.index("--")], words[words.index("--") + 1:]
    if words[:1] == ["bust"]:
        own = argparse.ArgumentParser(description=bust.__doc__)
        for name in ("pose", "crystal", "receptor"):
            own.add_argument(name, type=pathlib.Path)
        own.add_argument("--without-energy", action="store_true")
        return bust(own.parse_args(words[1:]))
    options = parser.parse_args(words)
    options.sets, options.rest = [folder.resolve() for folder in options.sets], rest
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
