"""The judges of poses and screens (bench/scripts), and the page of their figures: a wrong RMSD, a lost complex, a
swapped label, or a page that differs from its JSON must show."""
import argparse
import csv
import importlib
import importlib.machinery
import importlib.util
import json
import random
import shutil
import subprocess
import sys
import tarfile

import pytest
from conftest import SOURCE
from rdkit import Chem
from rdkit.Chem import AllChem

SCRIPTS = SOURCE / "bench/scripts"
sys.path.insert(0, str(SCRIPTS))
beside, enrichment, judging, poses = map(importlib.import_module, ("beside", "enrichment", "judging", "poses"))

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
    told = json.loads(report.read_text())
    assert told["command"] == "bench/scripts/poses.py dock RESULTS set --protocols FILE" and told["date"]
    rows = {(row["protocol"], row["group"]): row for row in told["rows"]}
    assert rows["other", "all"]["words"] == ["--other"] and rows["other", "all"]["start"] == "generated"
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
    lost = next(row for row in json.loads(report.read_text())["rows"] if (row["protocol"], row["group"]) == ("default", "all"))
    assert (lost["n"], lost["docked"], lost["first_2"]["right"]) == (4, 2, 0)


# poses as Rustina writes them: the SMILES in another order than the atoms; the complex b fails
RUSTINA = """
import pathlib
from rdkit import Chem

class PreparationError(Exception):
    pass

def prepare_receptor(path, center, size):
    assert len(center) == len(size) == 3 and min(size) >= 10
    if "ATOM" in (path if "\\n" in path else pathlib.Path(path).read_text()):
        raise PreparationError
    return {"pdbqt": ""}

def prepare_ligand(path, skip_gen3d):
    return [{"pdbqt": str(pathlib.Path(path).parent)}]

def dock(receptor, ligand, *box, seed, threads):
    place = pathlib.Path(pathlib.Path(ligand).read_text())
    if place.name == "b":
        raise ValueError("no pose")
    mol = Chem.RemoveHs(next(iter(Chem.SDMolSupplier(str(place / "ligand_crystal.sdf")))))
    smiles = Chem.MolToSmiles(mol)
    order = list(mol.GetPropsAsDict(True, True)["_smilesAtomOutputOrder"])
    count = len(order)
    pairs = " ".join(f"{at + 1} {count - atom}" for at, atom in enumerate(order))
    lines = ["REMARK SMILES " + smiles, "REMARK SMILES IDX " + pairs]
    for serial, atom in enumerate(reversed(range(count)), 1):
        x, y, z = mol.GetConformer().GetAtomPosition(atom)
        lines.append(f"ATOM  {serial:5}  C   UNL     1    {x + 1:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00    +0.000 C ")
    return [{"pdbqt": "\\n".join(lines) + "\\n"}]
"""


def test_beside_another_program(complexes, tmp_path, monkeypatch):
    folder, program = complexes
    results, report, packages = tmp_path / "results.jsonl", tmp_path / "report.json", tmp_path / "packages"
    (packages / "rustina-9.9.dist-info").mkdir(parents=True)
    (packages / "rustina-9.9.dist-info/METADATA").write_text("Name: rustina\nVersion: 9.9\n")
    (packages / "rustina.py").write_text(RUSTINA)
    monkeypatch.setenv("PYTHONPATH", str(packages))
    (folder / "a/receptor.pdb").write_text("ATOM      1  N   SAH A   1       0.000   0.000   0.000\nEND\n")
    run("beside", "dock", results, folder, "--take", "4", "--berth", program)
    run("beside", "table", results, folder, "--take", "4", "--json", report, "--commit", "abc", "--device", "cpu")
    told = json.loads(report.read_text())
    assert [row[0] for row in told["rows"]] == ["`berth dock`, the default", "Rustina 9.9, the default"]
    assert [row[1:3] for row in told["rows"]] == [["4", "1 (25 %)"], ["4", "3 (75 %)"]]
    assert (told["gained"], told["lost"]) == (0, 2) and set(told["ratios"]) == {"with", "without"}
    of = {one["id"]: one for one in told["complexes"]}
    assert of["a"]["rustina"]["rmsd"] == [1.0], "atoms are found by the indices of the SMILES"
    assert "no pose" in of["b"]["rustina"]["error"] and of["e"]["berth"]["error"] == "refused"
    assert set(of["a"]["rustina"]["seconds"]) == {"prepare", "dock"}
    first = [job["id"] for job in beside.chosen(argparse.Namespace(sets=[folder], take="2"))]
    assert first == sorted("abce", key=judging.digest)[:2]


def test_crystal_start_and_provenance(complexes, tmp_path):
    folder, program = complexes
    results, report = tmp_path / "results.jsonl", tmp_path / "report.json"
    protocols = {"x": {"dock": [], "start": "crystal"}, "screens": {"screen": []}}
    (tmp_path / "protocols.json").write_text(json.dumps(protocols))
    run("poses", "dock", results, folder, "--program", program, "--protocols", tmp_path / "protocols.json")
    run("poses", "table", results, folder, "--json", report, "--commit", "abc", "--device", "d")
    told = json.loads(report.read_text())
    assert (told["commit"], told["device"]) == ("abc", "d")
    assert {(row["protocol"], row["start"]) for row in told["rows"]} == {("x", "crystal")}


BUSTERS = """
import os, time
import pandas

class PoseBusters:
    def __init__(self, config):
        assert config == "redock"
        self.config = {"modules": [{"name": "Energy ratio"}, {"name": "Distance to protein"}]}

    def bust(self, poses, crystal, receptor):
        assert len(poses) == 1 and crystal.exists() and receptor.exists()
        if "NEVER_ENDS" in os.environ and len(self.config["modules"]) == 2:
            time.sleep(60)
        return pandas.DataFrame({"clash": [receptor.parent.name != "b"], "bonds": [True], "rmsd_2": [False]})
"""


def test_checks_of_posebusters(complexes, tmp_path, monkeypatch):
    folder, program = complexes
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages/posebusters.py").write_text(BUSTERS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"), prepend=":")
    results, report = tmp_path / "results.jsonl", tmp_path / "report.json"
    run("poses", "dock", results, folder, "--program", program, "--busters")
    rows = {row["id"]: row for row in map(json.loads, results.read_text().splitlines())}
    assert rows["a"]["fails"] == [] and "fails" not in rows["e"], "a refused complex has no pose to check"
    assert rows["b"]["fails"] == ["clash"] and rows["c"]["fails"] == []
    run("poses", "table", results, folder, "--json", report)
    told = json.loads(report.read_text())
    row = next(row for row in told["rows"] if row["group"] == "all")
    assert told["command"].endswith("--busters") and row["first_2_and_valid"] == 1
    assert (row["checked"], row["valid"], row["fails"], row["strain_unchecked"]) == (3, 2, {"clash": 1}, 0)
    monkeypatch.setenv("NEVER_ENDS", "1")
    monkeypatch.setattr(poses, "BUSTERS_LIMIT", 8)
    assert poses.busters(folder / "a/ligand_start.sdf", folder / "a") == {"fails": [], "unchecked": ["internal_energy"]}


POSE = """ATOM      1  C   LIG     1    {x:8.3f}   0.000   0.000  0.00  0.00     0.000 C
ATOM      2  O   LIG     1    {y:8.3f}   0.000   0.000  0.00  0.00     0.000 OA
ATOM      3  N   LIG     1    {x:8.3f}   1.400   0.000  0.00  0.00     0.000 N
ATOM      4  H   LIG     1    {x:8.3f}   1.400   1.000  0.00  0.00     0.000 HD
ATOM      5  G   LIG     1    {x:8.3f}   1.400   0.500  0.00  0.00     0.000 G0
"""


def test_prepared_sets(tmp_path):
    """Boxes and PDBQT files: docked from the crystal's conformer, and marked so."""
    (tmp_path / "set/a").mkdir(parents=True)
    (tmp_path / "set/boxes.tsv").write_text("complex\theavy_atoms\ttorsions\t" + "\t".join(
        f"{word}_{axis}" for word in ("center", "size") for axis in "xyz") + "\na\t3\t0\t1\t2\t3\t20\t21\t22\n")
    (tmp_path / "set/a/receptor.pdbqt").touch()
    (tmp_path / "set/a/ligand.pdbqt").write_text(POSE.format(x=0, y=1.2))
    program = tmp_path / "program"
    program.write_text(f"""#!{sys.executable}
import pathlib, sys
words = sys.argv
assert words[words.index("--center") + 1:][:3] == ["1,2,3", "--size", "20,21,22"], words
out = pathlib.Path(words[words.index("-o") + 1])
out.mkdir()
(out / "receptor.pdbqt").touch()
(out / "ligand.json").write_text('{{"device": "cpu/x"}}')
models = [{POSE!r}.format(x=x, y=x + 1.2) for x in (2.5, 1.5)]
(out / "ligand.pdbqt").write_text("".join("MODEL\\n" + model + "ENDMDL\\n" for model in models))
""")
    program.chmod(0o755)
    run("poses", "dock", tmp_path / "results.jsonl", tmp_path / "set", "--program", program)
    (row,) = map(json.loads, (tmp_path / "results.jsonl").read_text().splitlines())
    assert row["rmsd"] == [2.5, 1.5] and row["start"] == "crystal" and row["device"] == "cpu/x"


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
    assert default["words"] == [] and other["words"] == ["--reversed"] and default["seconds"] > 0
    assert report["command"] == "bench/scripts/enrichment.py screen FOLDER one two --protocols FILE --decoys 40"
    mean = next(row for row in report["summaries"] if (row["protocol"], row["half"]) == ("reversed", "all"))
    assert mean["targets"] == 2 and mean["against"]["auc"] == {"difference": pytest.approx(-10 / 11), "better": 0, "worse": 2,
                                                               "p": 0.5}


def test_a_swapped_label(tmp_path):
    """Prepared ligands in an archive; the label is the beginning of a name, and swapping one changes every measure."""
    def table_of(names):
        folder = tmp_path / "-".join(names[:1])
        folder.mkdir()
        (folder / "receptor.pdbqt").touch()
        (folder / "box.json").write_text('{"center": [0, 0, 0], "size": [20, 20, 20]}')
        with tarfile.open(folder / "ligands.tar.gz", "w:gz") as archive:
            for name in names:
                (tmp_path / f"{name}.pdbqt").write_text(POSE.format(x=0, y=1))
                archive.add(tmp_path / f"{name}.pdbqt", f"ligands/{name}.pdbqt")
        program = tmp_path / "program"
        program.write_text(SCREEN.format(python=sys.executable).replace(
            "[line.split()[1] for line in library.read_text().splitlines()]",
            "[path.stem for path in library.iterdir()]"))
        program.chmod(0o755)
        run("enrichment", "screen", folder / "out", folder, "--program", program)
        run("enrichment", "table", folder / "out", folder, "--json", folder / "report.json")
        return json.loads((folder / "report.json").read_text())["screens"][0]

    right = table_of([f"actives_{k}" for k in range(5)] + [f"decoys_{k}" for k in range(5, 15)])
    assert right["auc"]["value"] == 1 and (right["actives"], right["decoys"], right["docked"]) == (5, 10, 15)
    rest = [f"actives_{k}" for k in range(1, 5)] + [f"decoys_{k}" for k in range(5, 14)]
    swapped = table_of(["decoys_0", "actives_14", *rest])
    assert swapped["auc"]["value"] == pytest.approx(36 / 50) and swapped["ef1"]["value"] == 0


# --- the page --------------------------------------------------------------------------------------------

PAGE = SCRIPTS / "accuracy_page.py"


@pytest.fixture
def tree(tmp_path):
    """What the pages are made of, in a folder of its own."""
    top = tmp_path / "top"
    for name in ("README.md", "docs/accuracy.md", "docs/images/accuracy-poses.svg", "docs/accuracy/history.csv",
                 "docs/benchmarks/data/speedup-h200.json", "docs/benchmarks/data/e50-against-h100.json"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(SOURCE / name, top / name)
    shutil.copytree(SOURCE / "docs/accuracy/data", top / "docs/accuracy/data")
    return top


def check(top):
    done = subprocess.run([sys.executable, PAGE, "--check", "--top", top], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def changed(top, name, change):
    path = top / "docs/accuracy/data" / name
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))
    return check(top)


def test_pages_match_their_json(tree):
    assert check(tree) == (0, "")


def a_percent_less(told):
    row = next(row for row in told["rows"] if (row["protocol"], row["group"]) == ("default", "all"))
    row["first_2"]["right"] -= row["n"] // 100 + 1  # whatever the page rounds
    row["first_2"]["share"] = row["first_2"]["right"] / row["n"]


@pytest.mark.parametrize("name, change, message", [
    ("poses-posebusters.json", a_percent_less, "docs/accuracy.md, README.md, docs/images/accuracy-poses.svg differ"),
    ("screens.json", lambda told: told["summaries"][0]["auc"].update(mean=0.9), "differ from the JSON"),
    ("energies.json", lambda told: told["rows"][0].update(inter=-1.0), "docs/accuracy.md differ"),
    ("energies.json", lambda told: told["rows"][0].update(deviation=0.01), "which they do not"),
    ("poses-astex.json", lambda told: told.pop("command"), "does not say its command"),
    ("vina.json", lambda told: told.update(commit=""), "does not say its commit"),
    ("poses-astex.json", lambda told: [row.update(start="crystal") for row in told["rows"]], "the crystal's conformer"),
    ("poses-redock.json", lambda told: [row.update(set="astex") for row in told["rows"]], "delete one of them")])
def test_a_page_that_differs(tree, name, change, message):
    code, errors = changed(tree, name, change)
    assert code == 1 and message in errors, errors


def test_a_page_is_repaired(tree):
    page = tree / "docs/accuracy.md"
    right = page.read_text()
    page.write_text(right.replace("| 1ac8 | 0 | -5", "| 1ac8 | 0 | -6"))
    assert page.read_text() != right and check(tree)[0] == 1
    subprocess.run([sys.executable, PAGE, "--top", tree], check=True)
    assert page.read_text() == right


# --- evidence --------------------------------------------------------------------------------------------

EVIDENCE = SOURCE / "scripts/evidence"
TELLS = """#!{python}
import sys
print('{{"version": "1", "commit": "0123456789ab", "compiler": "c"}}' if "--version" in sys.argv else "")
"""


def evidence(tmp_path, *words):
    program = tmp_path / "berth"
    program.write_text(TELLS.format(python=sys.executable))
    program.chmod(0o755)
    return subprocess.run([sys.executable, EVIDENCE, *words, "--program", program, "--data", tmp_path / "none", "--out",
                           tmp_path / "out"], capture_output=True, text=True, check=False)


def test_evidence_without_data(tmp_path):
    listed = evidence(tmp_path, "--list").stdout
    done = evidence(tmp_path, "vina", "poses", "screens")
    assert done.returncode == 2 and done.stdout.count("skipped: no ") == 3, done.stdout
    assert "Commit 0123456789" in done.stdout, done.stdout
    assert all(f"\n{name} " in listed for name in ("vina", "poses", "screens", "redock", "raw", "speed", "networks"))
    assert evidence(tmp_path, "nonsense").returncode == 2
    (tmp_path / "out/vina.json").write_text("{}")
    done = evidence(tmp_path, "vina")
    assert done.returncode == 0 and "done before" in done.stdout, "a result of this commit is not measured again"


def test_evidence_adds_to_the_history(tmp_path, monkeypatch):
    loader = importlib.machinery.SourceFileLoader("evidence", str(EVIDENCE))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("evidence", loader))
    loader.exec_module(module)
    monkeypatch.setattr(module, "HISTORY", tmp_path / "history.csv")
    shutil.copyfile(SOURCE / "docs/accuracy/history.csv", module.HISTORY)
    names = ("poses-posebusters.json", "screens.json", "energies.json")
    results = {name: json.loads((SOURCE / "docs/accuracy/data" / name).read_text()) for name in names}
    for told in results.values():
        told["commit"] = "feedfacefeed"
    with open(module.HISTORY, encoding="utf-8", newline="") as stream:
        before = list(csv.DictReader(stream))
    assert module.add_to_history(results) > 6
    assert module.add_to_history(results) == 0, "the same figures are not added twice"
    with open(module.HISTORY, encoding="utf-8", newline="") as stream:
        after = list(csv.DictReader(stream))
    added = after[len(before):]
    assert after[:len(before)] == before and {row["commit"] for row in added} == {"feedface"}
    assert any(row["figure"] == "first pose within 2 A, %" and row["protocol"].startswith("default") for row in added)


def test_smiles_as_the_start(tmp_path):
    sdf(tmp_path / "ligand_start.sdf", conformer("C[C@H](O)c1ccccc1"))
    job = {"folder": tmp_path, "box": None, "start": "smiles"}
    ligand, _, _ = poses.inputs_of(job, tmp_path)
    assert ligand.read_text().split() == ["C[C@H](O)c1ccccc1", "ligand"]
    job["start"] = "generated"
    assert poses.inputs_of(job, tmp_path)[0] == tmp_path / "ligand_start.sdf"
