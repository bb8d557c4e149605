"""Crystal waters that the receptor holds."""
import json
import pickle

import berth
import pytest
from conftest import PDB, QUICK

SITE = {"autobox": "478", "set_state": {"B:25": "ASH"}}
HELD = [":HOH201", ":HOH202", ":HOH206", ":HOH218", ":HOH248", ":HOH261", ":HOH275"]


def waters(pdbqt):
    return sorted({line[22:26].strip() for line in pdbqt.splitlines() if line[17:20] == "HOH"})


def test_waters_by_rule(receptor):
    held = berth.Receptor(PDB, **SITE, waters="bound")
    assert held.pdbqt == berth.Receptor(PDB, **SITE, keep=HELD).pdbqt
    assert waters(held.pdbqt) == [name[4:] for name in HELD]
    assert any(note.startswith("7 waters that the receptor holds are kept: :HOH201 (2 hydrogen bonds, ") for note in held.notes)
    assert waters(receptor.pdbqt) == [] and berth.Receptor(PDB, **SITE, waters="none").pdbqt == receptor.pdbqt
    assert len(waters(berth.Receptor(PDB, **SITE, waters="all").pdbqt)) == 80
    assert len(waters(berth.prepare_receptor(PDB, delete=["478"], waters="bound").pdbqt)) == 7


def test_toggle(receptor):
    both = berth.Receptor(PDB, **SITE, waters="toggle")
    assert waters(both.pdbqt) == []
    assert sum("that the receptor holds are kept" in note for note in both.notes) == 1
    found = json.loads(berth.Engine(both, **QUICK).dock("CC(=O)N[C@@H](C)C(=O)O ala").text("json"))
    assert [of["name"] for of in found["receptors"]] == ["1hpv", "1hpv with waters"]
    for number, alone in (1, receptor), (2, berth.Receptor(PDB, **SITE, waters="bound")):
        runs = berth.Engine(alone, **QUICK).dock("CC(=O)N[C@@H](C)C(=O)O ala").runs.values()
        assert [run["inter"] for run in found["runs"] if run["receptor"] == number and not run.get("further")] == \
            [run["inter"] for run in runs if not run.get("further")]
    again = pickle.loads(pickle.dumps(both))
    assert again.notes == both.notes and len(again._ensemble) == 1


def test_toggle_without_any(tmp_path):
    dry = "".join(line + "\n" for line in PDB.read_text().splitlines() if line[17:20] != "HOH")
    (tmp_path / "dry.pdb").write_text(dry)
    alone = berth.Receptor(tmp_path / "dry.pdb", autobox="478", waters="toggle")
    assert "receptors" not in json.loads(berth.Engine(alone, **QUICK).dock("CCO").text("json"))


def test_refusals():
    with pytest.raises(berth.UsageError, match="waters 'some' is not known; use one of none, bound, all"):
        berth.Receptor(PDB, **SITE, waters="some")
    with pytest.raises(berth.UsageError, match="cannot be combined"):
        berth.Receptor(PDB, **SITE, waters="toggle", ensemble=[PDB])
    with pytest.raises(berth.UsageError, match="is used unchanged"):
        berth.Receptor(PDB.with_name("receptor.pdbqt"), waters="bound")
    with pytest.raises(berth.UsageError, match="single box"):
        berth.Engine(berth.Receptor(PDB, autobox=["478", "478"], waters="toggle"), **QUICK)
