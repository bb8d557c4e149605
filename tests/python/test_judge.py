"""The judges of poses and screens (bench/scripts): a wrong RMSD, a lost complex or a swapped label must show."""
import importlib
import json
import random
import subprocess
import sys

import pytest
from conftest import SOURCE
from rdkit import Chem
from rdkit.Chem import AllChem

SCRIPTS = SOURCE / "bench/scripts"
sys.path.insert(0, str(SCRIPTS))
enrichment, judging, poses = map(importlib.import_module, ("enrichment", "judging", "poses"))

# what it "docks" is in the place of the start conformer; the file of a refused one is named so
PROGRAM = """#!{python}
import pathlib, shutil, sys
words = sys.argv
start, out = pathlib.Path(words[words.index("-l") + 1]), pathlib.Path(words[words.index("-o") + 1])
if (start.parent / "refused").exists():
    sys.exit("refused")
out.mkdir()
shutil.copy(start.parent / ("other.sdf" if "--other" in words else "ligand_start.sdf"), out / "x.sdf")
"""


def conformer(smiles, seed=1):
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    assert AllChem.EmbedMolecule(mol, randomSeed=seed) == 0
    return mol


def moved(mol, distance=0.0, order=None):
    copy = Chem.RenumberAtoms(mol, order) if order else Chem.Mol(mol)
    places = copy.GetConformer()
    for atom in range(copy.GetNumAtoms()):
        x, y, z = places.GetAtomPosition(atom)
        places.SetAtomPosition(atom, (x + distance, y, z))
    return copy


def test_rmsd():
    mol = conformer("CC(=O)Nc1ccc(C(=O)[O-])cc1")
    shuffled = list(range(mol.GetNumAtoms()))
    random.Random(1).shuffle(shuffled)
    assert poses.rmsd(mol, mol) == pytest.approx(0)
    assert poses.rmsd(moved(mol, 1.5), mol) == pytest.approx(1.5)
    assert poses.rmsd(moved(mol, 1.5, shuffled), mol) == pytest.approx(1.5), "the order of atoms does not matter"
    assert poses.rmsd(Chem.RemoveHs(mol), mol) == pytest.approx(0), "nor do hydrogens"
    acid = conformer("CC(=O)Nc1ccc(C(=O)O)cc1")
    assert poses.rmsd(acid, acid) == pytest.approx(0) and poses.rmsd(acid, mol) is not None, "nor protonation"
    # the ring turned by 180 degrees about its axis: the same pose
    ring = conformer("c1ccccc1")
    assert poses.rmsd(moved(ring, 0, [3, 4, 5, 0, 1, 2, *range(6, 12)]), ring) == pytest.approx(0)
    assert poses.rmsd(conformer("CCCO"), conformer("CCOC")) is None, "another molecule"


def test_statistics():
    low, high = poses.wilson(8, 10)
    assert (low, high) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert poses.wilson(0, 10)[0] == pytest.approx(0) and poses.wilson(10, 10)[1] == pytest.approx(1)
    assert judging.sign_test(15, 3) == pytest.approx(0.0075378, abs=1e-6) and judging.sign_test(0, 0) == 1 == judging.sign_test(4, 4)
    halves = [judging.half_of(f"{k:04d}") for k in range(2000)]
    assert 900 < halves.count("tuning") < 1100 and judging.half_of("1HPV") == judging.half_of("1HPV")


def sdf(path, *mols):
    with Chem.SDWriter(str(path)) as writer:
        for mol in mols:
            writer.write(mol)


@pytest.fixture
def complexes(tmp_path):
    """Four: found, found by the second pose, another molecule, refused; and a program that docks them."""
    folder = tmp_path / "set"
    crystal = conformer("CC(=O)Nc1ccccc1")
    starts = {"a": [crystal], "b": [moved(crystal, 3), moved(crystal, 0.5)], "c": [conformer("CC(=O)Nc1ccccc1F")], "e": [crystal]}
    for name, mols in starts.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "receptor.pdb").write_text("END\n")
        sdf(folder / name / "ligand_crystal.sdf", crystal)
        sdf(folder / name / "ligand_start.sdf", *mols)
        sdf(folder / name / "other.sdf", moved(crystal, 1.9))
    (folder / "e" / "refused").touch()
    (folder / "manifest.csv").write_text("id,heavy_atoms,rotatable_bonds\n" + "".join(f"{name},10,1\n" for name in starts))
    program = tmp_path / "program"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    return folder, program


def run(script, *words):
    return subprocess.run([sys.executable, SCRIPTS / f"{script}.py", *map(str, words)], capture_output=True, text=True, check=True).stdout


def test_a_set(complexes, tmp_path):
    folder, program = complexes
    results, report = tmp_path / "results.jsonl", tmp_path / "report.json"
    (tmp_path / "protocols.json").write_text(json.dumps({"default": [], "other": ["--other"]}))
    dock = ["dock", results, folder, "--program", program, "--protocols", tmp_path / "protocols.json", "--jobs", "2"]
    assert run("poses", *dock, "--shard", "0/2").startswith("4 dockings")
    assert run("poses", *dock).startswith("4 dockings"), "what is in the results is not repeated"
    assert run("poses", *dock).startswith("0 dockings")
    run("poses", "table", results, folder, "--baseline", "default", "--json", report)
    rows = {(row["protocol"], row["group"]): row for row in json.loads(report.read_text())}
    default, other = rows["default", "all"], rows["other", "all"]
    assert (default["n"], default["docked"]) == (4, 3)
    assert [default[f"{name}_2"]["right"] for name in ("first", "third", "pool")] == [1, 2, 2]
    assert default["first_2"]["interval"] == pytest.approx(poses.wilson(1, 4))
    assert [other[f"first_{limit}"]["right"] for limit in ("1", "2", "2.5")] == [0, 3, 3]
    assert other["against"] == {"pairs": 4, "gained": 2, "lost": 0, "p": 0.5}
    assert sum(rows["default", half]["n"] for half in ("tuning", "confirming")) == 4
    # a complex that was lost from the results is a miss, not a smaller set
    lines = results.read_text().splitlines(keepends=True)
    results.write_text("".join(line for line in lines if '"id": "a"' not in line))
    run("poses", "table", results, folder, "--json", report)
    lost = next(row for row in json.loads(report.read_text()) if (row["protocol"], row["group"]) == ("default", "all"))
    assert (lost["n"], lost["docked"], lost["first_2"]["right"]) == (4, 2, 0)


def test_measures():
    """Perfect, reversed and mixed orders; of a random one AUC is 0.5, enrichment 1, logAUC 0."""
    best = [True] * 10 + [False] * 990
    assert enrichment.measure(best) == pytest.approx({"auc": 1, "ef1": 100, "ef5": 20, "bedroc": 1, "log_auc": 0.8553799},
                                                     abs=1e-6)
    assert enrichment.auc(best[::-1]) == 0 and enrichment.auc([True, False, True, False]) == 0.75
    draw, sums = random.Random(1), dict.fromkeys(enrichment.MEASURES, 0.0)
    for _ in range(400):
        draw.shuffle(best)
        for name, value in enrichment.measure(best).items():
            sums[name] += value / 400
    assert sums["auc"] == pytest.approx(0.5, abs=0.02) and sums["ef1"] == pytest.approx(1, abs=0.5)
    assert sums["log_auc"] == pytest.approx(0, abs=0.02)
    ties = [enrichment.auc(enrichment.ranked_of([(0, k < 50) for k in range(100)], random.Random(k))) for k in range(99)]
    assert sum(ties) / 99 == pytest.approx(0.5, abs=0.02), "ties gain nothing"
    assert enrichment.heavy_atoms("C[C@@H](Cl)c1cc[nH]c1[N+](=O)[O-]") == 11
    assert enrichment.heavy_atoms("[2H]C([2H])[Se]Br") == 3


# the energy of a ligand stands in its name; those whose name begins with x are rejected
SCREEN = """#!{python}
import pathlib, sqlite3, sys
words = sys.argv
out, library = (pathlib.Path(words[words.index(word) + 1]) for word in ("-o", "-l"))
sign = -1 if "--reversed" in words else 1
names = [line.split()[1] for line in library.read_text().splitlines()]
base = sqlite3.connect(out / "screen.db")
base.execute("CREATE TABLE ranking(name TEXT, rank_energy REAL)")
rows = [(name, sign * float(name.split("_")[1])) for name in names if name[0] != "x"]
base.executemany("INSERT INTO ranking VALUES(?, ?)", rows)
base.commit()
"""


def test_screens(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "receptor.pdb").touch()
        (tmp_path / name / "box.json").write_text('{"center": [0, 0, 0], "size": [20, 20, 20]}')
        actives = [f"CCO a_{-k}\n" for k in range(50, 60)] + ["CCO x_1\n"]
        (tmp_path / name / "actives.smi").write_text("".join(actives))
        (tmp_path / name / "decoys.smi").write_text("".join(f"CCCO d_{-k % 50}\n" for k in range(50)))
    program = tmp_path / "program"
    program.write_text(SCREEN.format(python=sys.executable))
    program.chmod(0o755)
    (tmp_path / "protocols.json").write_text(json.dumps({"default": [], "reversed": ["--reversed"]}))
    targets = [tmp_path / name for name in ("one", "two")]
    run("enrichment", "screen", tmp_path / "out", *targets, "--program", program, "--protocols", tmp_path / "protocols.json",
        "--decoys", 40)
    run("enrichment", "table", tmp_path / "out", *targets, "--baseline", "default", "--json", tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    rows = {(row["protocol"], row["target"]): row for row in report["screens"]}
    default, other = rows["default", "one"], rows["reversed", "one"]
    assert (default["docked"], default["actives"], default["decoys"]) == (50, 11, 40)
    assert default["auc"]["value"] == pytest.approx(10 / 11), "what was not docked comes last"
    assert other["auc"]["value"] == 0 and other["auc"]["interval"] == [0, 0]
    assert default["auc"]["interval"][0] < 10 / 11 <= default["auc"]["interval"][1]
    assert default["auc_of_size"] == 0, "the decoys are larger"
    mean = next(row for row in report["summaries"] if (row["protocol"], row["half"]) == ("reversed", "all"))
    assert mean["targets"] == 2 and mean["against"]["auc"] == {"difference": pytest.approx(-10 / 11), "better": 0, "worse": 2,
                                                               "p": 0.5}
