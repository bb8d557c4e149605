#!/usr/bin/env python3
"""Checks of poses agree with PoseBusters', test by test (docs/checks.md).

    test_checks.py BIN

Docks the ligand of examples/1hpv, distorts copies of the poses in ten ways, and gives all of them to both programs
(bench/scripts/checks.py). Poses near a limit may differ, as volumes are counted on other grids and random numbers differ
from processor to processor: of all verdicts at most one in a hundred may, and of no test more than two. Needs the package
posebusters, in this Python or in build/python-venv (scripts/python-venv --busters).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(SOURCE / "tests"))
from skips import skip  # noqa: E402

BIN = pathlib.Path(sys.argv[1]).resolve()
EXAMPLE = SOURCE / "examples/1hpv"
DISTORTED = 20
MUST_FAIL = ["bond_lengths", "protein_distance"] # with these distortions, whatever the poses


def python():
    for path in (sys.executable, SOURCE / "build/python-venv/bin/python"):
        if pathlib.Path(path).exists() and subprocess.run([path, "-c", "import posebusters"], capture_output=True, check=False).returncode == 0:
            return path
    return skip("the package posebusters is missing; scripts/python-venv --busters installs it")


def main():
    interpreter = python()
    with tempfile.TemporaryDirectory() as temporary:
        out, found = pathlib.Path(temporary) / "out", pathlib.Path(temporary) / "found.json"
        subprocess.run([BIN / "berth", "dock", "-q", "-r", EXAMPLE / "1hpv.pdb", "-l", EXAMPLE / "amprenavir.smi", "--autobox", "478",
                        "-o", out, "--effort", "screen", "--poses", "5", "--seed", "1", "--format", "sdf", "--rescore", "none"],
                       check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([interpreter, SOURCE / "bench/scripts/checks.py", "--program", BIN / "berth", out, "--docked", "5",
                               "--distorted", str(DISTORTED), "--json", found, "--without-energy"], capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        report = json.loads(found.read_text(encoding="utf-8"))
    print(done.stdout)
    tests = report["tests"]
    compared = sum(counts.get("poses", 0) for counts in tests.values())
    faults = [f"{name}: no pose fails it" for name in MUST_FAIL if tests[name]["fail"] == 0]
    faults += [f"{name}: {len(those)} poses differ" for name in tests
               if len(those := [d for d in report["differences"] if d.get("test") == name]) > 2]
    if compared < 16 * DISTORTED / 2 or len(report["differences"]) > compared / 100:
        faults.append(f"{len(report['differences'])} of {compared} verdicts differ")
    if faults:
        sys.exit("\n".join(map(str, faults + report["differences"])))


if __name__ == "__main__":
    main()
