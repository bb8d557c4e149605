"""Screens from Python: the same database as that of `berth screen`."""
import sqlite3
import subprocess

import berth
import pytest
from conftest import BIN, OPTIONS, PDB, QUICK

LIBRARY = "CC(=O)Oc1ccccc1C(=O)O aspirin\nc1ccccc1CCN amine\nC1CC broken\nCC(=O)N[C@@H](C)C(=O)O ala\n"


def test_values_of_re_scorers(receptor, tmp_path):
    pytest.importorskip("pandas")
    (tmp_path / "l.smi").write_text("c1ccccc1CCN amine\n")
    engine = berth.Engine(receptor, effort="screen", rescore="vinardo", rank_by="sum", **QUICK)
    screen = engine.screen(tmp_path / "l.smi", database=tmp_path / "screen.db")
    hit = next(iter(screen))
    with sqlite3.connect(tmp_path / "screen.db") as database:
        score = dict(database.execute("SELECT scoring, free_energy FROM score"))
        database.execute("INSERT INTO score SELECT ordinal, 'CNNscore', 0.75 FROM ligand")  # as a network would
        database.execute("INSERT INTO setting VALUES('rescore_values', 'CNNscore')")
        database.execute("DELETE FROM checksum")
    assert hit.rank_energy == pytest.approx(score["vina"] + score["vinardo"], abs=1e-9)
    table = screen.to_dataframe()
    assert list(table["CNNscore"]) == [0.75] and list(table["score_vinardo"]) == [score["vinardo"]]
    assert next(screen.mols(1)).GetProp("CNNscore") == "0.75"


def test_filter(receptor, tmp_path):
    """What is left out is counted apart, and the filter is a setting of the screen."""
    (tmp_path / "l.smi").write_text(LIBRARY + "CC two\nCCO three\n")
    engine = berth.Engine(receptor, effort="screen", **QUICK)
    screen = engine.screen(tmp_path / "l.smi", database=tmp_path / "screen.db", filter="heavy>3,charge<1")
    assert (screen.docked, screen.rejected, screen.filtered, screen.complete) == (2, 1, 3, True)
    reasons = dict(zip(screen.rejects().name, screen.rejects().reason))
    assert reasons["two"] == "heavy is 2, not > 3" and reasons["amine"] == "charge is 1, not < 1"
    with pytest.raises(berth.UsageError, match="filter"):
        engine.screen(tmp_path / "l.smi", database=tmp_path / "screen.db")
    with pytest.raises(berth.UsageError, match="unique"):
        engine.screen(tmp_path / "l.smi", database=tmp_path / "other.db", filter="unique")
    results = berth.Engine(receptor, ligands={"filter": "heavy>3"}, **QUICK).dock(["CC", "c1ccccc1CCN"])
    assert isinstance(results[0].error, berth.FilteredError) and results[1].error is None


def test_protomers(receptor, tmp_path):
    """A record is ranked by its best state; a list of states is what berth.Engine.dock makes of it."""
    pytest.importorskip("pandas")
    (tmp_path / "l.smi").write_text("Cc1c[nH]cn1 imidazole\nCCO ethanol\n")
    engine = berth.Engine(receptor, effort="screen", ligands={"protomers": 4}, **QUICK)
    table = engine.screen(tmp_path / "l.smi", database=tmp_path / "screen.db").to_dataframe().set_index("name")
    assert table.loc["imidazole", "protomers"] == 3 and table.loc["imidazole", "protomer"] in (1, 2, 3)
    assert list(table.index) != ["ethanol"] and table.loc["ethanol"].isna()["protomers"]
    assert [result.name for result in engine.dock([tmp_path / "l.smi"])] == [f"imidazole_p{k}" for k in (1, 2, 3)] + ["ethanol"]
    with pytest.raises(berth.UsageError):
        berth.prepare_ligand("CCO", protomers=99)


def test_screen(receptor, tmp_path, capsys):
    (tmp_path / "l.smi").write_text(LIBRARY)
    engine = berth.Engine(receptor, effort="screen", **QUICK)
    screen = engine.screen(tmp_path / "l.smi", database=tmp_path / "new/folder/screen.db", poses=2)
    assert "aspirin" in screen._repr_html_()
    assert (screen.docked, screen.rejected, screen.complete) == (3, 1, True)
    hits = list(screen)
    assert [hit.rank for hit in hits] == [1, 2, 3] and hits[0].free_energy <= hits[1].free_energy

    # equal to what the program stores, to the last bit
    command = [BIN / "berth", "screen", "-r", PDB, "-l", tmp_path / "l.smi", "-o", tmp_path / "out", "-q", "--poses", "2", *OPTIONS]
    assert subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode in (0, 2)
    theirs = berth.open_screen(tmp_path / "out" / "screen.db").to_dataframe()
    ours = screen.to_dataframe()
    for column in ("name", "free_energy", "inter", "intra", "evaluations"):
        assert list(ours[column]) == list(theirs[column]), column
    assert list(screen.rejects().name) == ["broken"]
    assert [mol.GetProp("_Name") for mol in screen.mols(1)] == [hits[0].name] * 2
    assert "aspirin" in screen.report().html

    # the bar reaches its end even if all is done between two updates
    pytest.importorskip("tqdm")
    engine.screen(tmp_path / "l.smi", database=tmp_path / "bar.db", progress=True)
    assert "4/4" in capsys.readouterr().err

    # resumed: nothing is left to do; without resume it is refused
    assert engine.screen(tmp_path / "l.smi", database=tmp_path / "new/folder/screen.db", poses=2).docked == 3
    with pytest.raises(berth.UsageError):
        engine.screen(tmp_path / "l.smi", database=tmp_path / "new/folder/screen.db", poses=2, resume=False)


def test_ranking_over_receptors(receptor, tmp_path):
    """The same numbers as in the databases; the strings must live as long as the call."""
    (tmp_path / "l.smi").write_text(LIBRARY)
    wide = berth.Receptor(PDB, autobox="478", delete="B:ARG8")
    screens = [berth.Engine(one, effort="screen", scoring="vina", **QUICK).screen(tmp_path / "l.smi", database=tmp_path / f"{k}.db")
               for k, one in enumerate((receptor, wide))]
    energies = [{hit.name: hit.rank_energy for hit in screen} for screen in screens]
    for by, rank in (("best", min), ("mean", lambda both: sum(both) / 2)):
        rows = berth.rank_receptors([screens[0], tmp_path / "1.db"], by=by).rows()
        assert [row["rank"] for row in rows] == [1, 2, 3]
        for row in rows:
            both = [one[row["name"]] for one in energies]
            assert row["energy"] == pytest.approx(rank(both), abs=1e-4) and row["receptors"] == 2
            assert [row["energy_1"], row["energy_2"]] == pytest.approx(both, abs=1e-4)
    with pytest.raises(berth.UsageError, match="best"):
        berth.rank_receptors(screens, by="sum")
