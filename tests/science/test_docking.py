"""A docking finds known minima, writes poses whose energies autodock4 confirms, and is reproducible.

    test_docking.py BIN

1. Known minima: small complexes of the development set reach the known global minimum (inter + intra) within
   1.0 kcal/mol in a short search, with both local searches. `berth bench e50` does all complexes at full length.
2. The energies of the written poses: autodock4's epdb of each coordinate set agrees within 0.01 kcal/mol plus what
   coordinates with three decimals allow (0.05).
3. Same seed, same bytes: poses do not depend on the number of threads.
"""
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import autodock

BERTH = os.path.join(sys.argv[1], "berth")
KNOWN = {"1ac8": -5.70, "1p2y": -7.19, "1yv3": -12.65, "1ig3": -9.63, "2brt": -9.32}


def box_words(name):
    found = {}
    for line in open(autodock.shared("data", "set42", name, "protein.maps.fld")):
        words = line.split()
        if words and words[0] in ("#SPACING", "#NELEMENTS", "#CENTER"):
            found[words[0]] = [float(w) for w in words[1:]]
    spacing = found["#SPACING"][0]
    return ["--center", ",".join("%.3f" % c for c in found["#CENTER"]),
            "--size", ",".join("%.3f" % (n * spacing) for n in found["#NELEMENTS"]), "--spacing", "%g" % spacing]


def dock(name, out, *options):
    folder = autodock.shared("data", "set42", name)
    shutil.rmtree(out, ignore_errors=True)
    receptor = options[options.index("-r") + 1] if "-r" in options else None
    words = [BERTH, "dock", "-l", os.path.join(folder, "rand-0.pdbqt"), "-o", out, "--heuristics", "off", "--autostop", "off",
             "--scoring", "ad4", "--seed", "11", "--format", "json,pdbqt"]
    words += list(options) if receptor else ["-r", os.path.join(folder, "protein.pdbqt")] + box_words(name) + list(options)
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit("%s\n%s" % (" ".join(words), done.stdout))
    with open(os.path.join(out, "rand-0.json")) as f:
        return json.load(f)


def known_minima():
    for name, target in KNOWN.items():
        for method in ("adam", "adadelta", "solis-wets"):
            if method == "solis-wets" and name == "1ig3":
                continue  # six torsions take random steps longer than this test has time for
            result = dock(name, "docking-test", "--runs", "8", "--evals", "400000", "--local-search", method)
            best = min(run["inter"] + run["intra"] for run in result["runs"])
            print("%-5s %-10s best %.2f, known %.2f" % (name, method, best, target), flush=True)
            if best > target + 1.0:
                yield "%s with %s ends at %.2f, known minimum %.2f" % (name, method, best, target)


def models(path):
    """The atom lines of every MODEL, ready to be a ligand again."""
    lines = []
    for line in open(path):
        if line.startswith("MODEL"):
            lines = []
        elif line.startswith("ENDMDL"):
            yield lines
        elif line.split()[0] in ("ROOT", "ENDROOT", "BRANCH", "ENDBRANCH", "ATOM", "HETATM", "TORSDOF"):
            lines.append(line)


def confirmed_by_autodock():
    for name in ("1ac8", "1ig3"):
        source = autodock.shared("data", "set42", name)
        autodock.need("autogrid4", "autodock4")
        types = autodock.types_of(os.path.join(source, "rand-0.pdbqt"))
        folder = os.path.abspath(os.path.join("science-maps", name))
        fld = autodock.make_maps(folder, os.path.join(source, "protein.pdbqt"),
                                 autodock.box_of(os.path.join(source, "protein.maps.fld")), types)
        result = dock(name, "docking-test", "-r", fld, "--runs", "4", "--evals", "50000")
        by_run = {run["run"]: run for run in result["runs"]}
        order = [by_run[cluster["best_run"]] for cluster in result["clusters"][:result["poses"]]]
        poses = list(models(os.path.join("docking-test", "rand-0.pdbqt")))
        if len(poses) != len(order):
            yield "%s: %d poses written for %d clusters" % (name, len(poses), len(order))
        for index, pose in enumerate(poses):
            path = os.path.abspath(os.path.join("docking-test", "pose.pdbqt"))
            with open(path, "w") as f:
                f.writelines(pose)
            inter = autodock.epdb(folder, path, types)["inter"][0]
            near = min(abs(inter - run["inter"]) for run in order)
            if near > 0.06:
                yield "%s pose %d: autodock4 says %.4f, no run of ours has that (nearest off by %.4f)" % (name, index + 1, inter, near)
        print("%-5s %d poses confirmed by autodock4" % (name, len(poses)), flush=True)


def repeatable():
    texts = []
    for threads in ("1", "2", "3"):
        dock("1ig3", "docking-test", "--runs", "3", "--evals", "40000", "--threads", threads)
        with open(os.path.join("docking-test", "rand-0.pdbqt"), "rb") as f:
            texts.append(f.read())
    if len(set(texts)) != 1:
        yield "poses differ between 1, 2 and 3 threads"
    else:
        print("same poses with 1, 2 and 3 threads")


def main():
    faults = list(known_minima()) + list(confirmed_by_autodock()) + list(repeatable())
    shutil.rmtree("docking-test", ignore_errors=True)
    for fault in faults:
        print("FAULT:", fault)
    return 1 if faults else 0


sys.exit(main())
