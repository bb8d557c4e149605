"""Screens of a part of a library, chosen by what was docked before."""
import math
import pathlib

import berth
import numpy as np
import pytest
from berth import _active
from conftest import QUICK

pytest.importorskip("rdkit")
PARTS = ["C", "CC", "CCC", "CO", "CN", "CF", "c1ccccc1", "C1CC1", "C(=O)O", "C#N", "c1ccncc1", "CCl"]
SMILES = [f"{a}N{b}" if "c1" not in a else f"N({a})C{b}" for a in ("C", "CC", "CCC", "CCO", "FCC", "C1CC1") for b in PARTS]


@pytest.fixture
def library(tmp_path):
    """72 amines, a heading, an empty line and a line that is no SMILES."""
    path = tmp_path / "l.smi"
    path.write_text("smiles name\n\n" + "".join(f"{one}\tm{k} and more\n" for k, one in enumerate(SMILES)) + "C1CC open\n")
    return path


def test_docks_part_of_a_library(receptor, library, tmp_path):
    pytest.importorskip("pandas")
    engine = berth.Engine(receptor, effort="screen", scoring="vina", **QUICK)
    found = engine.active_screen(library, tmp_path / "out", budget=10, rounds=3)
    assert (len(found), found.records, len(found.screens)) == (10, 74, 3)
    assert [screen.docked for screen in found.screens] == [4, 3, 3]
    table = found.to_dataframe()
    assert table.record.is_unique and list(table["rank"]) == list(range(1, 11))
    assert table.rank_energy.is_monotonic_increasing
    assert set(table["round"][table.predicted.isna()]) == {1} and table.predicted[table["round"] > 1].lt(0).all()
    for hit in found:  # the record is the line of the library that was docked
        assert hit.name == f"m{hit.record - 1} and more"
    assert [mol.GetProp("_Name") for mol in found.mols(3)] == list(table.name[:3])
    times = [screen.stat().st_mtime_ns for screen in (tmp_path / "out").glob("*.smi")]
    again = engine.active_screen(library, tmp_path / "out", budget=10, rounds=3)
    assert again.hits == found.hits and np.array_equal(again.predicted, found.predicted, equal_nan=True)
    assert [screen.stat().st_mtime_ns for screen in (tmp_path / "out").glob("*.smi")] == times


def test_what_is_refused(engine, library, tmp_path):
    engine.active_screen(library, tmp_path / "out", budget=1, rounds=1)
    with pytest.raises(berth.UsageError, match="begun with budget = 1, not 2"):
        engine.active_screen(library, tmp_path / "out", budget=2, rounds=1)
    with pytest.raises(berth.UsageError, match="rounds"):
        engine.active_screen(library, tmp_path / "other", budget=2, rounds=3)
    with pytest.raises(berth.UsageError, match="SMILES"):
        engine.active_screen(tmp_path / "l.sdf", tmp_path / "other")
    (tmp_path / "empty.smi").write_text("\n")
    with pytest.raises(berth.InputError, match="no SMILES"):
        engine.active_screen(tmp_path / "empty.smi", tmp_path / "empty")


def energy(smiles):
    return -2.0 * smiles.count("O") - 0.1 * len(smiles)


def pretend(path, _database):
    """A screen whose energies are known."""
    lines = pathlib.Path(path).read_text().splitlines()
    hits = [(energy(line.split()[0]), k) for k, line in enumerate(lines)]
    return [berth.Hit(rank, "", f"{path}:record {k + 1}", 0.0, 0.0, 0.0, 0.0, value)
            for rank, (value, k) in enumerate(sorted(hits), 1)]


def chosen_by(library, folder, budget, rounds, dock=pretend):
    return _active.run(dock, [str(library)], folder, budget, rounds, 3, {}, 1)


def test_learns(library, tmp_path):
    """Molecules with most oxygens are best; of a third of the library nearly all of them are found, and the last prediction
    orders the others."""
    found = chosen_by(library, tmp_path / "out", 25, 5)
    true = np.array([energy(smiles) for smiles in SMILES])
    limit = np.sort(true)[7] + 1e-9
    assert sum(hit.rank_energy <= limit for hit in found) >= 7
    assert np.corrcoef(found.predicted[1:73], true)[0, 1] > 0.9 and math.isnan(found.predicted[0])
    once = chosen_by(library, tmp_path / "random", 25, 1)  # without a model
    assert sum(hit.rank_energy <= limit for hit in once) < 7


def test_all_are_docked_if_the_budget_is_larger(library, tmp_path):
    found = chosen_by(library, tmp_path / "out", 500, 2)
    assert sorted(hit.record for hit in found) == list(range(1, 73))


def test_blocks_and_processes_change_nothing(library, tmp_path, monkeypatch):
    """A library of several files, some of them compressed, is one library."""
    import gzip
    whole = chosen_by(library, tmp_path / "whole", 20, 4)
    lines = library.read_text().splitlines(keepends=True)
    (tmp_path / "a.smi").write_text("".join(lines[:30]))
    with gzip.open(tmp_path / "b.smi.gz", "wt") as stream:
        stream.write("".join(lines[30:]))
    parts = _active.run(pretend, [str(tmp_path / "a.smi"), str(tmp_path / "b.smi.gz")], tmp_path / "parts", 20, 4, 3, {}, 2)
    assert [(hit.record, hit.round) for hit in parts] == [(hit.record, hit.round) for hit in whole]
