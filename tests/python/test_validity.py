"""Scripts of bench/ that report speeds: wrong energies must show in their JSON and exit codes, and have no times."""
import argparse
import importlib
import json
import os
import subprocess
import sys

import pytest
from conftest import SOURCE

SCRIPTS = SOURCE / "bench/scripts"
sys.path.insert(0, str(SCRIPTS))
bude_shares, docs, instructions, measured, speedup = map(
    importlib.import_module, ("bude_shares", "docs", "instructions", "measured", "speedup"))

# answers as berth does whose kernels compute right (0) or wrong (3) energies
BERTH = """#!/bin/sh
case "$1 $2" in
  "--version --json") echo '{"version": "0", "commit": "0", "compiler": "none"}' ;;
  "bench evals") cat "$(dirname "$0")/evals.json"; exit "$(cat "$(dirname "$0")/code")" ;;
esac
"""
NCU = """#!/bin/sh
echo '"ID","Kernel Name","launch__registers_per_thread"'
echo '"","","register/thread"'
echo '"1","bt_adadelta","32"'
"""


def write_program(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture(params=[True, False], ids=["right", "wrong"])
def build(request, tmp_path):
    """A build's folder, and whether its energies are right."""
    write_program(tmp_path / "bin/berth", BERTH)
    (tmp_path / "bin/evals.json").write_text(json.dumps({"valid": request.param}))
    (tmp_path / "bin/code").write_text("0" if request.param else "3")
    return tmp_path / "bin", request.param


def run(script, folder, *words, path=None):
    out = folder / "out.json"
    done = subprocess.run([sys.executable, SCRIPTS / script, "-b", folder, "-o", out, *words, "maps.fld", "ligand.pdbqt"],
                          capture_output=True, text=True,
                          env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}"} if path else None)
    return done.returncode, json.loads(out.read_text())


def test_energies_are_asked_for_and_a_failure_is_no_answer(build):
    folder, right = build
    assert measured.energies_hold(folder / "berth", "m.fld", "l.pdbqt", "cpu/avx2") is right
    (folder / "code").write_text("1")
    with pytest.raises(SystemExit, match="energies could not be checked"):
        measured.energies_hold(folder / "berth", "m.fld", "l.pdbqt", "cpu")


def test_phases(build):
    folder, right = build
    code, told = run("phases.py", folder, "--device", "cpu")
    assert (code, told["valid"], len(told["rows"])) == ((0, True, 5) if right else (3, False, 0))


def test_counters(build):
    folder, right = build
    write_program(folder / "tools/ncu", NCU)
    words = ["--teams", "64", "--reductions"]
    code, told = run("counters.py", folder, *words, "simt", path=folder / "tools")
    assert (code, told["valid"], told["rows"][0]["valid"]) == ((0, True, True) if right else (1, False, False))
    code, told = run("counters.py", folder, *words, "two-step-fp16", path=folder / "tools")  # half precision may be wrong
    assert (code, told["valid"], told["rows"][0]["valid"]) == (0, True, right)


def test_instructions(build, monkeypatch, tmp_path):
    folder, right = build
    out = tmp_path / "instructions.json"
    monkeypatch.setattr(instructions, "measure", lambda options, case, kernel: {"kernel": kernel, "instructions": 1.0})
    monkeypatch.setattr(instructions, "docking", lambda options, case: {"kernel": "docking", "entries": {}})
    monkeypatch.setattr(sys, "argv", ["instructions.py", "--bin", str(folder), "--json-file", str(out), "x=m.fld:l.pdbqt"])
    with pytest.raises(SystemExit) as ended:
        instructions.main()
    assert (ended.value.code, json.loads(out.read_text())["valid"]) == ((0, True) if right else (3, False))


def test_speedup(build, monkeypatch, tmp_path):
    folder, right = build
    (tmp_path / "rand-0.pdbqt").write_text("ATOM\n")
    monkeypatch.setattr(speedup, "berth", lambda *words: 1.0)
    options = argparse.Namespace(bin=folder, device=None)
    assert speedup.measure(options, tmp_path, 2.0)["valid"] is right


@pytest.mark.parametrize("energy, valid", [("-100.0100", True), ("-100.2000", False)])
def test_bude_shares(energy, valid, tmp_path):
    """The energies of poses as docked, -100, and as scored again."""
    header, row = "ligand,pose,conformer,energy,conformers\n", "a,1,0,{},4\n"
    (tmp_path / "out").mkdir()
    (tmp_path / "out/ranking.csv").write_text(header + row.format("-100.0000"))
    (tmp_path / "again.csv").write_text(header + row.format(energy))
    write_program(tmp_path / "bin/berth",
                  f"#!/bin/sh\nmkdir -p {tmp_path}/scored && cp {tmp_path}/again.csv {tmp_path}/scored/ranking.csv\n")
    options = argparse.Namespace(bin=tmp_path / "bin", receptor="r.pdbqt")
    assert bude_shares.is_valid(options, str(tmp_path)) is valid


def test_a_listing_claims_no_energies(monkeypatch, tmp_path):
    listing = importlib.import_module("bude_sass")
    monkeypatch.setattr(listing, "assembly", lambda a, poses, without: [])
    monkeypatch.setattr(listing.subprocess, "run", lambda *words, **more: argparse.Namespace(stdout="V13.0.1", returncode=0))
    monkeypatch.setattr(sys, "argv", ["bude_sass.py", "--json-file", str(tmp_path / "sass.json"), "8"])
    listing.main()
    assert "valid" not in json.loads((tmp_path / "sass.json").read_text())
    told = {"commit": "0", "compiler": "nvcc", "cpu": "x"}
    assert docs.provenance(told).endswith("No energies are computed.")
    assert docs.provenance({**told, "valid": False}).endswith("All energies valid: NO.")
