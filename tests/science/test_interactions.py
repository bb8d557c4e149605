#!/usr/bin/env python3
"""Interactions agree with PLIP's, type by type (docs/interactions.md).

    test_interactions.py BIN

Crystal poses of complexes in ../shared/data/poses.tar.xz, or of the folder BERTH_POSES, by bench/scripts/interactions.py. Needs
the packages plip, openbabel-wheel and rdkit in this Python or in build/python-venv.
"""
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True
SOURCE = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(SOURCE / "tests"))
sys.path.insert(0, str(SOURCE / "tests/cli"))
from skips import skip  # noqa: E402

import berth_cli as cli  # noqa: E402

BIN = pathlib.Path(sys.argv[1]).resolve()
COMPLEXES = 12
LEAST = {"B": 0.75, "L": 0.9, "P": 0.7, "W": 0.8}  # share of pairs of residue and type that both find


def python():
    for path in (sys.executable, SOURCE / "build/python-venv/bin/python"):
        if pathlib.Path(path).exists() and subprocess.run([path, "-c", "import plip, rdkit, openbabel"], capture_output=True, check=False).returncode == 0:
            return path
    return skip("the package plip, openbabel-wheel or rdkit is missing")


def main():
    interpreter = python()
    archive = cli.SHARED / "data/poses.tar.xz"
    if "BERTH_POSES" not in os.environ and not archive.exists():
        skip(f"{archive} is absent")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(os.environ.get("BERTH_POSES", temporary + "/poses/astex"))
        if not folder.exists():
            with tarfile.open(archive) as packed:
                packed.extractall(temporary, filter="data")
        found = pathlib.Path(temporary) / "found.json"
        done = subprocess.run([interpreter, SOURCE / "bench/scripts/interactions.py", "--program", BIN / "berth", folder,
                               "--limit", str(COMPLEXES), "--json", found], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        report = json.loads(found.read_text(encoding="utf-8"))
    print(done.stdout)
    faults = [] if report["poses"] == COMPLEXES else [f"{report['poses']} poses"]
    for letter, least in LEAST.items():
        counts = report["types"][letter]
        share = counts.get("both", 0) / max(1, sum(counts.values()))
        if share < least:
            faults.append(f"{letter}: both find {share:.2f} of the pairs, less than {least}")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
