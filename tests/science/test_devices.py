"""Whole dockings on every device of this machine: all find what the processor finds.

    test_devices.py BIN [DEVICE...]

Long searches diverge by rounding, so distributions are compared. Ten complexes, RUNS runs each, same settings and seed:
1. the best energy (inter + intra) of a device is within 0.1 kcal/mol of the best that the processor finds;
2. the numbers of runs that end within 1.0 kcal/mol of the best of both agree: of all complexes together, and for each
   one alone within a wider margin, as ten are tried (two proportions, pooled; |z| below 3.0 and 3.5).
"""
import json
import math
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import autodock

BERTH = os.path.join(sys.argv[1], "berth")
COMPLEXES = ["1ac8", "1p2y", "1lrh", "1yv3", "1p62", "2brt", "1of6", "1ig3", "1opk", "1m2z"]
RUNS, EVALUATIONS = 40, 100000


def box_words(name):
    found = {}
    for line in open(autodock.shared("data", "set42", name, "protein.maps.fld")):
        words = line.split()
        if words and words[0] in ("#SPACING", "#NELEMENTS", "#CENTER"):
            found[words[0]] = [float(w) for w in words[1:]]
    spacing = found["#SPACING"][0]
    return ["--center", ",".join("%.3f" % c for c in found["#CENTER"]),
            "--size", ",".join("%.3f" % (n * spacing) for n in found["#NELEMENTS"]), "--spacing", "%g" % spacing]


def energies(name, device, out):
    """inter + intra of all runs, and evaluations per second."""
    folder = autodock.shared("data", "set42", name)
    shutil.rmtree(out, ignore_errors=True)
    words = [BERTH, "dock", "-r", os.path.join(folder, "protein.pdbqt"), "-l", os.path.join(folder, "rand-0.pdbqt"), *box_words(name),
             "-o", out, "--device", device, "--runs", str(RUNS), "--evals", str(EVALUATIONS), "--heuristics", "off",
             "--scoring", "ad4", "--autostop", "off", "--seed", "5", "--format", "json"]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}")
    result = json.load(open(os.path.join(out, "rand-0.json")))
    shutil.rmtree(out)
    assert result["device"].startswith(device), result["device"]
    runs = [run for run in result["runs"] if "further" not in run]
    return [run["inter"] + run["intra"] for run in runs], result["evaluations"] / result["seconds"]


def distance(a, b, n):
    """Of two counts out of n each, in standard deviations."""
    share = (a + b) / (2 * n)
    return abs(a - b) / n / math.sqrt(max(2 * share * (1 - share) / n, 1e-12))


def devices():
    """The requested devices, or all usable ones but the processor's own kernels."""
    if len(sys.argv) > 2:
        return sys.argv[2:]
    lines = subprocess.run([BERTH, "devices", "--json"], check=True, capture_output=True, text=True).stdout.splitlines()
    known = [json.loads(line) for line in lines if line.strip()]
    return [d["name"] for d in known if d["usable"] and not d["name"].startswith("cpu/")]


names = devices()
if not names:
    autodock.skip("no device but the processor")
autodock.shared("data", "set42", COMPLEXES[0])
failures = []
totals = {name: [0, 0] for name in names}
print(f"{RUNS} runs of {EVALUATIONS} evaluations; best: inter + intra; hits: runs within 1 kcal/mol of the best of both")
for complex_name in COMPLEXES:
    reference, rate = energies(complex_name, "cpu", f"devices-{os.getpid()}")
    print("%s  %-9s best %8.3f            %10.3g evaluations/s" % (complex_name, "cpu", min(reference), rate))
    for name in names:
        found, rate = energies(complex_name, name, f"devices-{os.getpid()}")
        best = min(reference + found)
        hits = [sum(e < best + 1.0 for e in runs) for runs in (reference, found)]
        z = distance(*hits, RUNS)
        totals[name] = [t + h for t, h in zip(totals[name], hits)]
        print("%s  %-9s best %8.3f  hits %2d:%2d %10.3g evaluations/s, z %.1f" %
              (complex_name, name, min(found), hits[0], hits[1], rate, z))
        if min(found) > min(reference) + 0.1:
            failures.append(f"{complex_name} on {name}: best {min(found):.3f}, the processor finds {min(reference):.3f}")
        if z > 3.5:
            failures.append(f"{complex_name} on {name}: {hits[1]} hits, the processor has {hits[0]}")
for name, hits in totals.items():
    z = distance(*hits, RUNS * len(COMPLEXES))
    print("all   %-9s hits %d:%d of %d, z %.1f" % (name, *hits, RUNS * len(COMPLEXES), z))
    if z > 3.0:
        failures.append(f"{name}: {hits[1]} hits in all, the processor has {hits[0]}")
for line in failures:
    print("FAILED:", line)
sys.exit(1 if failures else 0)
