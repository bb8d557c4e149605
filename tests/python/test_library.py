"""Libraries out of files and tables: prepare_library, and engine.screen of tables and Parquet files."""
import csv
import sys

import berth
import pytest
from conftest import QUICK

ROWS = [{"smiles": "CCO", "id": "a", "price": 12.5}, {"smiles": "CCN", "id": "b", "price": -3.25},
        {"smiles": "c1ccccc1", "id": "c", "price": None}]


def arrow():
    return pytest.importorskip("pyarrow", reason="no pyarrow")


def write_csv(path, rows=ROWS):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_file(tmp_path):
    library = berth.prepare_library(write_csv(tmp_path / "l.csv", ROWS + [{"smiles": "nonsense(", "id": "d", "price": 1}]),
                                    tmp_path / "l.btl", keep_fields="price")
    assert (library.ligands, library.filtered, len(library)) == (3, 0, 3)
    assert library.bytes == (tmp_path / "l.btl").stat().st_size
    (name, source, error), = library.rejects
    assert name == "d" and source.endswith("l.csv:record 4") and isinstance(error, berth.InputError)
    assert berth.prepare_library(library, tmp_path / "again.btl", filter="heavy<=3").filtered == 1


def test_refusals(tmp_path):
    path = write_csv(tmp_path / "l.csv")
    with pytest.raises(berth.UsageError, match="must end with .btl"):
        berth.prepare_library(path, tmp_path / "l.lib")
    with pytest.raises(berth.UsageError, match="no ligands"):
        berth.prepare_library([], tmp_path / "l.btl")
    with pytest.raises(berth.InputError, match="none of 1 ligands"):
        berth.prepare_library(path, tmp_path / "l.btl", keep_fields="absent")
    with pytest.raises(TypeError, match="unknown option"):
        berth.prepare_library(path, tmp_path / "l.btl", keep="price")


def test_without_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(berth.UsageError, match="pip install pyarrow"):
        berth.prepare_library(tmp_path / "l.parquet", tmp_path / "l.btl")


def test_tables_of_all_kinds(tmp_path):
    pa = arrow()
    pandas = pytest.importorskip("pandas")
    import pyarrow.parquet
    table = pa.Table.from_pylist(ROWS)
    pyarrow.parquet.write_table(table, tmp_path / "l.parquet", row_group_size=1)
    expected = (tmp_path / "csv.btl")
    berth.prepare_library(write_csv(tmp_path / "l.csv"), expected, keep_fields="price")
    kinds = {"parquet": tmp_path / "l.parquet", "table": table, "batch": table.to_batches()[0], "reader": table.to_reader(),
             "frame": table.to_pandas(), "frames": (pandas.DataFrame([row]) for row in ROWS[:2]),
             "paths": [str(tmp_path / "l.parquet")]}
    for kind, library in kinds.items():
        written = berth.prepare_library(library, tmp_path / f"{kind}.btl", keep_fields="price")
        if kind == "frames":
            assert written.ligands == 2
        else:
            assert (tmp_path / f"{kind}.btl").read_bytes() == expected.read_bytes(), kind


def test_columns_that_csv_lacks(tmp_path):
    pa = arrow()
    table = pa.table({"smiles": pa.array(["CCO"]).dictionary_encode(), "id": pa.array(["a"], pa.large_string()),
                      "list": [[1, 2]], "none": pa.nulls(1), "text": ["two\nlines, quoted \""]})
    assert berth.prepare_library(table, tmp_path / "l.btl", keep_fields="all").ligands == 1


def test_a_screen_of_a_table(receptor, tmp_path):
    pa = arrow()
    import pyarrow.parquet
    pyarrow.parquet.write_table(pa.Table.from_pylist(ROWS), tmp_path / "l.parquet")
    engine = berth.Engine(receptor, scoring="vina", effort="screen", **QUICK)
    database = tmp_path / "screen.db"
    screen = engine.screen(tmp_path / "l.parquet", database=database, keep_fields="price")
    table = screen.to_dataframe().set_index("name")
    assert table.price["a"] == "12.5" and table.price["b"] == "-3.25" and table.price.isna()["c"]
    assert next(screen.mols(1)).HasProp("ranked_by")
    again = engine.screen(tmp_path / "l.parquet", database=database, keep_fields="price")  # nothing is left to do
    assert again.docked == 3
    with pytest.raises(berth.UsageError, match="keep_fields"):
        engine.screen(tmp_path / "l.parquet", database=database)
