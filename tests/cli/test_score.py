"""`berth score` as users rely on it: JSON, exit codes, rejects, flags, minimization.

    test_score.py BIN
"""
import json
import os
import subprocess
import sys
import tempfile

BERTH = os.path.join(os.path.abspath(sys.argv[1]), "berth")
SOURCE = os.environ.get("BERTH_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EXAMPLE = os.path.join(SOURCE, "examples", "1hpv")
RECEPTOR, CRYSTAL = os.path.join(EXAMPLE, "receptor.pdbqt"), os.path.join(EXAMPLE, "ligand-crystal.pdbqt")
ENERGY_KEYS = ["inter", "inter_vdw_hbond", "inter_electrostatic", "inter_desolvation", "intra", "intra_vdw",
               "intra_hbond", "intra_electrostatic", "intra_desolvation", "torsional", "total"]


def score(*words, code=0, stdin=None):
    own = [] if "--scoring" in words else ["--scoring", "ad4"]
    done = subprocess.run([BERTH, "score", "-r", RECEPTOR, *own, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, input=stdin)
    assert done.returncode == code, "exit code %d, not %d: %s" % (done.returncode, code, done.stderr)
    return done


def lines(*words, **options):
    return [json.loads(line) for line in score("--json", *words, **options).stdout.splitlines()]


def json_has_every_term():
    (pose,) = lines("-l", CRYSTAL)
    energy = pose["energy"]
    assert pose["ligand"] == "ligand-crystal" and pose["pose"] == 1 and pose["flags"] == []
    assert all(isinstance(energy[key], (int, float)) for key in ENERGY_KEYS)
    assert abs(energy["inter_vdw_hbond"] + energy["inter_electrostatic"] + energy["inter_desolvation"]
               - energy["inter"]) < 1e-9
    assert abs(energy["inter"] + energy["intra"] + energy["torsional"] - energy["total"]) < 1e-9
    assert abs(energy["torsional"] - 14 * 0.2983) < 1e-9
    assert -13.1 < energy["inter"] < -13.0  # autodock4: -13.0886


def options_change_what_they_say():
    (tabulated,), (closed,) = lines("-l", CRYSTAL), lines("-l", CRYSTAL, "--continuous")
    assert tabulated["form"] == "tabulated" and closed["form"] == "continuous"
    assert 0 < abs(tabulated["energy"]["intra"] - closed["energy"]["intra"]) < 0.05


def torsional_counts_differ():
    text = open(CRYSTAL).read().replace("TORSDOF 14", "TORSDOF 16")
    (torsdof,), (branches,) = (lines("-l", "-", "--torsional", count, stdin=text) for count in ("torsdof", "branches"))
    assert abs(torsdof["energy"]["torsional"] - 16 * 0.2983) < 1e-9
    assert abs(branches["energy"]["torsional"] - 14 * 0.2983) < 1e-9


def atoms_and_pairs_add_up():
    (pose,) = lines("-l", CRYSTAL, "--per-atom", "--per-pair")
    energy = pose["energy"]
    assert len(pose["atoms"]) == 39 and len(pose["pairs"]) == 589
    for key in ("vdw_hbond", "electrostatic", "desolvation"):
        assert abs(sum(a[key] for a in pose["atoms"]) - energy["inter_" + key]) < 1e-6
    for key in ("vdw", "hbond", "electrostatic", "desolvation"):
        assert abs(sum(p[key] for p in pose["pairs"]) - energy["intra_" + key]) < 1e-6


def every_model_is_a_pose(folder):
    text = open(CRYSTAL).read()
    many = os.path.join(folder, "many.pdbqt")
    with open(many, "w") as f:
        f.writelines("MODEL %d\n%sENDMDL\n" % (n, text) for n in (1, 2, 3))
    poses = lines("-l", many)
    assert [p["pose"] for p in poses] == [1, 2, 3] and len({p["energy"]["total"] for p in poses}) == 1
    (from_stdin,) = lines("-l", "-", stdin=text)
    assert abs(from_stdin["energy"]["total"] - poses[0]["energy"]["total"]) < 1e-9


def maps_from_a_file_give_the_same(folder):
    prefix = os.path.join(folder, "maps")
    box = ["--center", "9.357,16.147,9.484", "--size", "19.5,18,26"]
    done = subprocess.run([BERTH, "grid", "-r", RECEPTOR, "-l", CRYSTAL, "-o", prefix, *box], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    (computed,) = lines("-l", CRYSTAL, *box)
    read = subprocess.run([BERTH, "score", "-r", prefix + ".maps.fld", "-l", CRYSTAL, "--json"], text=True,
                          stdout=subprocess.PIPE, check=True)
    # maps on disk have three decimals
    assert abs(json.loads(read.stdout)["energy"]["inter"] - computed["energy"]["inter"]) < 0.01


def poses_outside_are_flagged():
    poses = lines("-l", CRYSTAL, "--center", "40,0,0", "--size", "10,10,10")
    assert poses[0]["flags"] == ["outside_box"] and poses[0]["atoms_outside"] == 39
    assert poses[0]["energy"]["inter"] > 1e6


def minimization_goes_down():
    (pose,) = lines("-l", CRYSTAL, "--minimize")
    before, after = pose["input_energy"], pose["energy"]
    assert after["inter"] + after["intra"] < before["inter"] + before["intra"]
    assert 0 < pose["rmsd_moved"] < 3


def faults_are_one_line_and_exit_code_1(folder):
    broken = os.path.join(folder, "broken.pdbqt")
    text = open(CRYSTAL).read().replace("OA\n", "Qq\n", 1)
    with open(broken, "w") as f:
        f.write(text)
    done = score("-l", broken, code=1)
    assert done.stdout == "" and done.stderr.count("\n") == 1
    assert "broken.pdbqt:" in done.stderr and "'Qq'" in done.stderr
    for words in (["-l", os.path.join(folder, "none.pdbqt")], ["-l"], [], ["-l", CRYSTAL, "--no-such"],
                  ["-l", CRYSTAL, "--minimize", "--per-atom"], ["-l", CRYSTAL, "--minimize", "--continuous"]):
        assert score(*words, code=1).stderr.count("\n") == 1, words


def a_broken_pose_among_others_is_rejected(folder):
    broken = os.path.join(folder, "broken.pdbqt")
    done = score("--json", "-l", CRYSTAL, broken, code=2)
    assert len(done.stdout.splitlines()) == 1 and "rejected broken" in done.stderr


def main():
    json_has_every_term()
    options_change_what_they_say()
    torsional_counts_differ()
    atoms_and_pairs_add_up()
    poses_outside_are_flagged()
    minimization_goes_down()
    with tempfile.TemporaryDirectory() as folder:
        every_model_is_a_pose(folder)
        maps_from_a_file_give_the_same(folder)
        faults_are_one_line_and_exit_code_1(folder)
        a_broken_pose_among_others_is_rejected(folder)
    print("all well")


main()
