"""bench/scripts/crossdock.py: which entries are the same protein, and what is made of their dockings."""
import importlib
import json
import random
import sys
import types

from conftest import SOURCE

sys.path.insert(0, str(SOURCE / "bench/scripts"))
crossdock = importlib.import_module("crossdock")
NAMES = list(crossdock.RESIDUES)


def entry(folder, name, residues, chain="A"):
    (folder / name).mkdir(parents=True)
    lines = [f"ATOM  {k + 1:5d}  CA  {residue} {chain}{k + 1:4d}    " for k, residue in enumerate(residues)]
    (folder / name / "receptor.pdb").write_text("\n".join(lines), encoding="utf-8")


def test_entries_of_the_same_protein(tmp_path):
    draw = random.Random(1)
    one, other = (draw.choices(NAMES, k=100) for _ in range(2))
    entry(tmp_path, "1AAA", one)
    entry(tmp_path, "2AAA", one[5:90] + draw.choices(NAMES, k=3))
    entry(tmp_path, "1BBB", other)
    (group,) = crossdock.proteins([tmp_path])
    assert sorted(path.name for path in group) == ["1AAA", "2AAA"]


def test_table(tmp_path, capsys):
    rows = [{"id": "1AAA", "structures": ["1AAA", "2AAA"], "seed": 1, "ensemble": 0.9, "single": [0.8, 5.0]},
            {"id": "2AAA", "structures": ["2AAA", "1AAA"], "seed": 1, "ensemble": 4.0, "single": [1.0, None]},
            {"id": "1BBB", "structures": ["1BBB", "2BBB"], "seed": 1, "ensemble": 1.9, "single": [2.1, 1.2]}]
    results = tmp_path / "results.json"
    results.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    crossdock.table(types.SimpleNamespace(results=results))
    text = capsys.readouterr().out
    assert "3 dockings of 3 ligands, 2 proteins" in text
    for line in ("own structure      66.7 %", "other structures   33.3 %", "mean of all        50.0 %",
                 "ensemble           66.7 %", "ensemble less mean: +16.7 points", "better 2, worse 1"):
        assert line in text
