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


DOCK = """
  dock*) while [ "$1" != -o ]; do shift; done
    changed=$(( BERTH_STUDY_REPEATS % 8 == CHANGES ))
    echo "{\\"seconds\\": 1, \\"evaluations\\": 9, \\"poses\\": [$changed]}" >"$2/x.json" ;;
esac"""


@pytest.mark.parametrize("changes, same", [("9", True), ("4", False)])
def test_phases_of_populations(build, changes, same):
    """A build that repeats parts: the docking must not depend on the part."""
    folder, right = build
    repeats = BERTH.replace("none", "GCC, -DBT_STUDY_REPEATS=1").replace("esac", DOCK.replace("CHANGES", changes))
    write_program(folder / "berth", repeats)
    code, told = run("phases.py", folder, "--device", "opencl:0", "--populations", "50,100", "--teams", "1",
                     "--rounds", "1")
    assert (code, told["valid"]) == ((0, True) if right and same else (3, False))
    assert len(told["rows"]) == (2 if right else 0)
    assert all(("parts" in row) is same for row in told["rows"])


def test_phases_of_populations_need_their_build(build):
    folder, _ = build
    done = subprocess.run([sys.executable, SCRIPTS / "phases.py", "-b", folder, "--populations", "50", "m", "l"],
                          capture_output=True, text=True)
    assert done.returncode == 1 and "variants.sh build repeats" in done.stderr


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


# of autodock4, which prints the intermolecular energy, here the words of the test, and the internal energy
DLG = """DOCKED: USER    (1) Final Intermolecular Energy     =   {}  kcal/mol
DOCKED: USER    (2) Final Total Internal Energy     =   -0.50 kcal/mol
DOCKED: ATOM      1  C   UNL     1       0.000   0.000   0.000 -0.15 +0.15    +0.000 C
Total number of Energy Evaluations: {}
"""
PORTABILITY = {"measured": True, "reason": "", "threads": 4, "evaluations": 100, "seconds": 2e-4, "seconds_min": 1e-4,
               "seconds_max": 3e-4}


@pytest.fixture
def speedups(build, monkeypatch, tmp_path):
    """Runs speedup.py on two complexes; autodock4 docks with an energy, which berth scores as -7.5."""
    folder, right = build
    (folder / "portability.json").write_text(json.dumps({"rows": [{**PORTABILITY, "valid": right}]}))
    write_program(folder / "berth", BERTH.replace("esac", """
  "bench portability") cat "$(dirname "$0")/portability.json"; exit "$(cat "$(dirname "$0")/code")" ;;
  score*) echo '{"energy": {"inter": -7.0, "intra": -0.5}}' ;;
esac"""))

    def make_maps(a, name, work):
        (work / name).mkdir()
        (work / name / "rand-0.pdbqt").write_text(f"{'ATOM':30}   0.000   0.000   0.000{'C':>24}\nENDBRANCH 1 2\n")
        return work / name

    def docks(energy):
        def processor_seconds(command, at):
            evaluations = int(command[2].partition(".")[0])
            (at / command[4]).write_text(DLG.format(energy, evaluations))
            return 1.0 + evaluations * 1e-5
        return processor_seconds

    def run_with(energy, *words, data=("1abc", "2abc")):
        for name in data:
            (tmp_path / "data" / name).mkdir(parents=True)
            (tmp_path / "data" / name / "protein.maps.fld").touch()
        monkeypatch.setattr(speedup, "make_maps", make_maps)
        monkeypatch.setattr(speedup, "processor_seconds", docks(energy))
        out = tmp_path / "speedup.json"
        monkeypatch.setattr(sys, "argv", ["speedup.py", "-b", str(folder), "-d", str(tmp_path / "data"), "-o", str(out),
                                          "--autodock4", "true", "--device", "opencl:0", *words])
        with pytest.raises(SystemExit) as ended:
            speedup.main()
        return ended.value.code, json.loads(out.read_text())

    return run_with, right


def test_speedup(speedups):
    run_with, right = speedups
    code, told = run_with("-7.00")
    assert (code, told["valid"], told["left_out"]) == ((0, True, []) if right else (1, False, []))
    assert [row["valid"] for row in told["rows"]] == [right, right]
    if not right:
        assert told["means"] == {} and "adadelta_core_us" not in told["rows"][0]
        return
    row = told["rows"][0]
    assert row["autodock4_us"] == pytest.approx(10)
    assert (row["solis_wets_core_us"], row["adadelta_full_us_range"]) == (pytest.approx(2), pytest.approx([1, 3]))
    assert row["adadelta_core_evaluations"] == row["adadelta_cores_evaluations"] == row["adadelta_device_evaluations"]
    assert told["means"]["adadelta_cores_us"] == pytest.approx({"mean": 5, "low": 5, "high": 5, "complexes": 2})
    assert told["means"]["solis_wets_cores_over_core"]["mean"] == pytest.approx(1)
    text = "\n".join(docs.devices.speedup([told]))
    assert "| 1abc | 1 | 1 | 10 | 5 | 5 | 5 | 5 | 1 (1 - 1) |" in text and "**5** (5 - 5)" in text


def test_speedup_asks_for_autodock4s_own_energy(speedups):
    run_with, _ = speedups
    code, told = run_with("-7.20")
    assert (code, told["valid"], told["means"]) == (1, False, {})
    assert "adadelta_core_us" not in told["rows"][0]


def test_speedup_leaves_out_what_it_has_no_time_for(speedups):
    run_with, right = speedups
    code, told = run_with("-7.00", "--most-seconds", "0")
    assert (code, told["valid"], told["left_out"]) == (1, False, ["1abc", "2abc"])


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
