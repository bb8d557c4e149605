#!/usr/bin/env python3
"""Screens sets of actives and decoys, and measures how far the actives come first.

    enrichment.py screen FOLDER TARGET... [--program BERTH] [--protocols FILE] [--seeds 1,2] [--decoys N] [-- OPTIONS]
    enrichment.py table FOLDER TARGET... [--baseline PROTOCOL] [--json FILE] [--record FILE]

A TARGET is a folder with receptor.pdb or receptor.pdbqt, actives.smi, decoys.smi (SMILES and name) and box.json
({"center": [x, y, z], "size": [x, y, z]}). In the place of SMILES it may have ligands.tar.gz, prepared PDBQT files
whose names begin with "actives" or "decoys". FILE names protocols: {"default": [], "ad4": ["--scoring", "ad4"]},
arguments of `berth screen`, or objects with such arguments as "screen", as for poses.py; OPTIONS are given to all of
them. Screens lie in FOLDER/PROTOCOL-SEED/TARGET and resume where they were stopped. --decoys N takes N decoys, drawn by
the SHA-256 of their names.

Ligands are ranked as the screen ranks them; ligands that were not docked come last, and of a name that occurs several
times the best counts. ROC AUC, enrichment at 1 and 5 % (actives among the first x % over their share in all), BEDROC
(alpha 20) and logAUC (0.1 to 100 % of the decoys, less that of a random order), each with the interval of 95 % of 500
resamplings, beside the AUC of the number of heavy atoms alone. The mean and the median over targets follow, for all
and for the halves by the SHA-256 of the targets' names, of which one is for tuning and one for confirming. Protocols
are compared target by target: the mean difference, how many targets are better, and the exact test of signs.
"""
import json
import math
import pathlib
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tarfile
import time

from judging import (digest, half_of, parsers_of, processor, protocol_words, protocols_of, provenance, seeds_of,
                     sign_test)

RESAMPLINGS = 500
MEASURES = ("auc", "ef1", "ef5", "bedroc", "log_auc")


# --- measures --------------------------------------------------------------------------------------------
# Of a list of booleans, the best first: is it an active?

def auc(ranked):
    """The share of pairs of an active and a decoy in the right order."""
    actives = before = 0
    for active in ranked:
        actives += active
        before += 0 if active else actives
    return before / (actives * (len(ranked) - actives))


def enrichment(ranked, share):
    first = max(1, math.ceil(share * len(ranked)))
    return sum(ranked[:first]) / first / (sum(ranked) / len(ranked))


def bedroc(ranked, alpha=20.0):
    """Truchon and Bayly, J. Chem. Inf. Model. 47 (2007) 488, equation 36."""
    total, actives = len(ranked), sum(ranked)
    share = actives / total
    found = sum(math.exp(-alpha * rank / total) for rank, active in enumerate(ranked, 1) if active)
    rie = found / (share * (1 - math.exp(-alpha)) / (math.exp(alpha / total) - 1))
    scale = share * math.sinh(alpha / 2) / (math.cosh(alpha / 2) - math.cosh(alpha / 2 - alpha * share))
    return rie * scale + 1 / (1 - math.exp(alpha * (1 - share)))


def log_auc(ranked, least=0.001):
    """Mysinger and Shoichet, J. Chem. Inf. Model. 50 (2010) 1561: the area over log10 of the share of decoys."""
    decoys, actives = len(ranked) - sum(ranked), sum(ranked)
    area = x = 0.0
    found = 0
    for active in ranked:
        if active:
            found += 1
            continue
        before, x = max(x, least), x + 1 / decoys
        if x > before:
            area += found / actives * math.log10(x / before)
    return area / -math.log10(least) - (1 - least) / math.log(1 / least)


def measure(ranked):
    return {"auc": auc(ranked), "ef1": enrichment(ranked, 0.01), "ef5": enrichment(ranked, 0.05),
            "bedroc": bedroc(ranked), "log_auc": log_auc(ranked)}


def ranked_of(scored, draw):
    """The order by score, equal ones in random order: [(score, active)] -> [active]."""
    return [active for _, _, active in sorted((score, draw.random(), active) for score, active in scored)]


def measure_with_intervals(scored):
    draw = random.Random(1)
    found = measure(ranked_of(scored, draw))
    actives, decoys = ([one for one in scored if one[1] == kind] for kind in (True, False))
    samples = [measure(ranked_of(draw.choices(actives, k=len(actives)) + draw.choices(decoys, k=len(decoys)), draw))
               for _ in range(RESAMPLINGS)]
    result = {"actives": len(actives), "decoys": len(decoys)}
    for name, value in found.items():
        values = sorted(sample[name] for sample in samples)
        result[name] = {"value": value, "interval": [values[RESAMPLINGS // 40], values[-RESAMPLINGS // 40 - 1]]}
    return result


# --- targets ---------------------------------------------------------------------------------------------

def read_smiles(path):
    """{name: SMILES}"""
    with open(path, encoding="utf-8") as stream:
        return {words[1]: words[0] for words in (line.split() for line in stream) if len(words) > 1}


def heavy_atoms(smiles):
    bare = re.sub(r"\[\d*([A-Z][a-z]?|[a-z]{1,2})[^\]]*\]", lambda atom: "" if atom[1] == "H" else "C", smiles)
    return len(re.findall(r"Cl|Br|[BCNOPSFIbcnops]", bare))


def heavy_atoms_of_pdbqt(text):
    return sum(line.startswith(("ATOM", "HETATM")) and line[77:].split()[0] not in ("H", "HD", "HS")
               for line in text.splitlines())


def packed(target):
    """[(name, text)] of the prepared ligands of a target."""
    with tarfile.open(target / "ligands.tar.gz") as archive:
        for member in archive:
            if member.isfile() and member.name.endswith(".pdbqt"):
                yield pathlib.PurePath(member.name).stem, archive.extractfile(member).read().decode()


def ligands_of(target, decoys):
    """Names of actives and of the chosen decoys, with their SMILES or PDBQT."""
    if (target / "ligands.tar.gz").exists():
        actives, others = {}, {}
        for name, text in packed(target):
            (actives if name.startswith("actives") else others)[name] = text
    else:
        actives, others = read_smiles(target / "actives.smi"), read_smiles(target / "decoys.smi")
    chosen = sorted((name for name in others if name not in actives), key=digest)[:decoys]
    return actives, {name: others[name] for name in chosen}


def size_of(ligand):
    return heavy_atoms_of_pdbqt(ligand) if "ATOM" in ligand else heavy_atoms(ligand)


def write_library(target, ligands, out):
    """A file of SMILES, or a folder of PDBQT files, beside the folder of the screen."""
    if not (target / "ligands.tar.gz").exists():
        library = out.with_suffix(".smi")
        library.write_text("".join(f"{smiles} {name}\n" for name, smiles in ligands.items()))
        return library
    library = out.parent / f"{out.name}-ligands"
    library.mkdir(exist_ok=True)
    for name, text in ligands.items():
        (library / f"{name}.pdbqt").write_text(text)
    return library


def screen(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "settings.json").write_text(json.dumps({"decoys": options.decoys}))
    for seed in options.seeds:
        for protocol, how in options.protocols.items():
            for target in options.targets:
                out = options.folder / f"{protocol}-{seed}" / target.name
                out.mkdir(parents=True, exist_ok=True)
                actives, decoys = ligands_of(target, options.decoys)
                library = write_library(target, {**actives, **decoys}, out)
                box = json.loads((target / "box.json").read_text())
                receptor = next(path for path in (target / "receptor.pdb", target / "receptor.pdbqt") if path.exists())
                command = [
                    options.program, "screen", "-q", "--resume", "-r", receptor, "-l", library, "-o", out, "--center",
                    ",".join(map(str, box["center"])), "--size", ",".join(map(str, box["size"])), "--seed",
                    str(seed), *how["words"], *options.rest
                ]
                fresh, began = not (out / "screen.db").exists(), time.monotonic()
                code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
                seconds = time.monotonic() - began
                print(f"{protocol} seed {seed} {target.name}: exit code {code}, {seconds:.0f} s",
                      file=sys.stderr,
                      flush=True)
                if fresh and code in (0, 2):  # the time of a screen that was not interrupted
                    told = {"seconds": round(seconds, 2), "words": how["words"], "cpu": processor()}
                    (out.parent / f"{out.name}.json").write_text(json.dumps(told) + "\n")


def told_of(folder, target):
    """What a screen says of itself: version, commit, date and device, and the time of the command."""
    connection = sqlite3.connect(f"file:{folder / target.name / 'screen.db'}?mode=ro", uri=True)
    try:
        settings = dict(connection.execute("SELECT key, value FROM setting"))
    except sqlite3.Error:
        settings = {}
    finally:
        connection.close()
    told = {"version": settings.get("version"), "commit": (settings.get("commit") or "")[:10],
            "date": (settings.get("began") or "")[:10], "device": settings.get("devices")}
    beside = folder / f"{target.name}.json"
    return {**told, **(json.loads(beside.read_text()) if beside.exists() else {})}


def scored_of(folder, target, decoys):
    """[(score, active)] of all ligands of a target; None without a screen."""
    database = folder / target.name / "screen.db"
    if not database.exists():
        return None
    actives, others = ligands_of(target, decoys)
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        energies = dict(connection.execute("SELECT name, min(rank_energy) FROM ranking GROUP BY name"))
    finally:
        connection.close()
    return [(energies.get(name, math.inf), name in actives) for name in {**actives, **others}]


def table(options):
    decoys = json.loads((options.folder / "settings.json").read_text())["decoys"]
    draw, report, told = random.Random(1), [], []
    for folder in sorted(path for path in options.folder.iterdir() if path.is_dir()):
        protocol, seed = folder.name.rsplit("-", 1)
        for target in options.targets:
            scored = scored_of(folder, target, decoys)
            if scored is None:
                continue
            sizes = [(-size_of(ligand), kind) for kind, part in zip((True, False), ligands_of(target, decoys))
                     for ligand in part.values()]
            told.append(told_of(folder, target))
            report.append({"protocol": protocol, "words": told[-1].get("words", []), "seed": int(seed),
                           "target": target.name, "half": half_of(target.name),
                           "docked": sum(score < math.inf for score, _ in scored), "seconds": told[-1].get("seconds"),
                           **measure_with_intervals(scored), "auc_of_size": auc(ranked_of(sizes, draw))})
    summaries = summarize(report, options.baseline)
    print(f"{'protocol':12} {'seed':>4} {'target':14} {'docked':>11}  {'AUC':18} {'EF1%':18} EF5%  BEDROC  size")
    for one in report:
        shown = {name: f"{one[name]['value']:.3g} ({one[name]['interval'][0]:.3g}-{one[name]['interval'][1]:.3g})"
                 for name in ("auc", "ef1")}
        ligands = one["actives"] + one["decoys"]
        print(
            f"{one['protocol']:12} {one['seed']:4} {one['target']:14} {one['docked']:5}/{ligands:5}  {shown['auc']:18} "
            f"{shown['ef1']:18} {one['ef5']['value']:4.1f}  {one['bedroc']['value']:6.3f}  {one['auc_of_size']:.3f}")
    for one in summaries:
        print(f"{one['protocol']:12} {one['half']:10} {one['targets']:2} targets: " +
              ", ".join(f"{name} {one[name]['mean']:.3f} (median {one[name]['median']:.3f})" for name in MEASURES) +
              "".join(f"; {name} {one['against'][name]['difference']:+.3f}, +{one['against'][name]['better']} "
                      f"-{one['against'][name]['worse']} p {one['against'][name]['p']:.2g}"
                      for name in ("auc", "ef1") if "against" in one))
    if options.json:
        of = {"benchmark": "enrichment", **provenance(told, options, command_of(report, decoys))}
        options.json.write_text(json.dumps({**of, "screens": report, "summaries": summaries}, indent=1) + "\n",
                                encoding="utf-8")
    if options.record:
        of = {"benchmark": "table", **provenance(told, options, command_of(report, decoys)), "note": options.note}
        options.record.write_text(json.dumps({**of, **recorded(report)}, indent=1, ensure_ascii=False) + "\n",
                                  encoding="utf-8")


def recorded(report):
    """The table as a page shows it, for a few screens that are no part of the others."""
    def told(measure, digits):
        return f"{measure['value']:.{digits}f} ({measure['interval'][0]:.{digits}f}-{measure['interval'][1]:.{digits}f})"

    return {"columns": ["target", "arguments", "seed", "actives, decoys", "not docked", "AUC", "EF1%", "EF5%", "BEDROC",
                        "AUC of size alone", "seconds"],
            "rows": [[one["target"], f"`{' '.join(one['words'])}`", str(one["seed"]),
                      f"{one['actives']}, {one['decoys']}", str(one["actives"] + one["decoys"] - one["docked"]),
                      told(one["auc"], 2), told(one["ef1"], 1), told(one["ef5"], 1), told(one["bedroc"], 2),
                      f"{one['auc_of_size']:.2f}", f"{one['seconds']:.0f}" if one["seconds"] else "-"]
                     for one in report]}


def command_of(report, decoys):
    """The command that makes these screens."""
    words = ["bench/scripts/enrichment.py screen FOLDER", *dict.fromkeys(row["target"] for row in report)]
    words += protocol_words(report, "screen")
    return " ".join(words) + (f" --decoys {decoys}" if decoys is not None else "")


def summarize(report, baseline):
    def values(protocol, half, name):
        chosen = [row for row in report if row["protocol"] == protocol and half in ("all", row["half"])]
        return {(row["target"], row["seed"]): row[name]["value"] for row in chosen}

    summaries = []
    for protocol in dict.fromkeys(row["protocol"] for row in report):
        for half in ("all", "tuning", "confirming"):
            found = {name: values(protocol, half, name) for name in MEASURES}
            if not found["auc"]:
                continue
            one = {"protocol": protocol, "half": half, "targets": len({target for target, _ in found["auc"]}),
                   "words": next(row["words"] for row in report if row["protocol"] == protocol)}
            for name, of in found.items():
                one[name] = {"mean": statistics.mean(of.values()), "median": statistics.median(of.values())}
            if baseline != protocol and values(baseline, half, "auc"):
                one["against"] = {}
                for name, of in found.items():
                    theirs = values(baseline, half, name)
                    gaps = [of[key] - theirs[key] for key in of.keys() & theirs.keys()]
                    better, worse = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
                    one["against"][name] = {"difference": statistics.mean(gaps) if gaps else math.nan, "better": better,
                                            "worse": worse, "p": sign_test(better, worse)}
            summaries.append(one)
    return summaries


def main():
    words, rest = sys.argv[1:], []
    if "--" in words:
        words, rest = words[:words.index("--")], words[words.index("--") + 1:]
    parser, commands = parsers_of(__doc__, (screen, table), "folder", "targets")
    commands["table"].add_argument("--baseline", help="a protocol")
    commands["table"].add_argument("--record", type=pathlib.Path, help="JSON of a table for a page, <!-- record FILE -->")
    commands["table"].add_argument("--note", default="", help="of the record")
    command = commands["screen"]
    command.add_argument("--program", default="berth")
    command.add_argument("--protocols", type=lambda path: protocols_of(path, "screen"),
                         default={"default": {"words": [], "start": "generated"}})
    command.add_argument("--seeds", type=seeds_of, default=[1])
    command.add_argument("--decoys", type=int, help="at most so many of each target")
    options = parser.parse_args(words)
    options.targets, options.rest = [target.resolve() for target in options.targets], rest
    options.run(options)


if __name__ == "__main__":
    main()
