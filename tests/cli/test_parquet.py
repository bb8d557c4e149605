"""Parquet: what --export parquet writes is read by pyarrow, DuckDB and pandas, and how a library in Parquet is docked."""
import csv
import json
import os
import sqlite3
import subprocess
import sys
import unittest

import berth_cli as cli
import skips
from test_raw_dock import needs_rdkit

# Reads the file with all three, and prints rows and types.
READ = """
import json, sys
import duckdb, pandas, pyarrow.parquet
path = sys.argv[1]
file = pyarrow.parquet.ParquetFile(path)
rows = file.read().to_pylist()
query = duckdb.execute("SELECT * FROM read_parquet(?) ORDER BY rank", [path])
names = [column[0] for column in query.description]
assert [dict(zip(names, row)) for row in query.fetchall()] == rows
frame = pandas.read_parquet(path)
assert list(frame.columns) == file.schema_arrow.names and len(frame) == len(rows)
codec = file.metadata.row_group(0).column(0).compression if rows else None
print(json.dumps({"rows": rows, "types": {field.name: str(field.type) for field in file.schema_arrow},
                  "groups": file.metadata.num_row_groups, "codec": codec}))
"""


def reader():
    """A Python with pyarrow, DuckDB and pandas: BERTH_TEST_PYTHON, that of the test, or build/python-venv."""
    for python in os.environ.get("BERTH_TEST_PYTHON"), sys.executable, str(cli.SOURCE / "build/python-venv/bin/python"):
        if python and os.path.exists(python) and subprocess.run(
                [python, "-c", "import duckdb, pandas, pyarrow"], capture_output=True, check=False).returncode == 0:
            return python
    return skips.skip("no Python with pyarrow, duckdb and pandas (scripts/python-venv)")


class Parquet(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("receptor.pdbqt", cli.receptor())

    def screen(self, *more, output="out"):
        return self.berth("screen", "-q", "-r", "receptor.pdbqt", "-o", output, *cli.BOX, *cli.QUICK, "--scoring", "vina", *more)

    def export(self, *more, output="out"):
        for name in "parquet", "csv":
            self.assert_well(self.berth("screen", "-q", "--export", name, "-o", output, *more))
        result = subprocess.run([reader(), "-c", READ, str(self.folder / output / "results.parquet")], capture_output=True,
                                text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / output / "results.csv", newline="") as file:
            return json.loads(result.stdout), list(csv.DictReader(file))

    @needs_rdkit
    def test_columns_are_those_of_csv(self):
        self.write("lib.csv", "smiles,id,price,in stock,code,n,note\nCCO,a,12.50,true,007,1,\u00e9\n"
                   "CCN,b,-3,FALSE,8,-2,\"x, y\"\nCCC,c,,,,,\n")
        self.assert_well(self.screen("-l", "lib.csv", "--keep-fields", "all"))
        parquet, table = self.export()
        self.assertEqual(list(parquet["types"]), list(table[0]))
        self.assertEqual([row["name"] for row in parquet["rows"]], [row["name"] for row in table])
        kinds = {name: parquet["types"][name] for name in ("rank", "name", "free_energy", "price", "in stock", "code", "n")}
        self.assertEqual(kinds, {"rank": "int64", "name": "string", "free_energy": "double", "price": "double",
                                 "in stock": "bool", "code": "string", "n": "int64"})
        kept = {row["name"]: tuple(row[name] for name in ("price", "in stock", "code", "n", "note")) for row in parquet["rows"]}
        self.assertEqual(kept, {"a": (12.5, True, "007", 1, "\u00e9"), "b": (-3, False, "8", -2, "x, y"), "c": (None,) * 5})
        for one, other in zip(parquet["rows"], table):
            self.assertEqual(f"{one['free_energy']:.3f}", other["free_energy"])
            self.assertEqual(one["evaluations"], int(other["evaluations"]))
        if json.loads(self.berth("--version", "--json").stdout)["features"]["zstd"]:
            self.assertEqual(parquet["codec"], "ZSTD")
        best, _ = self.export("--top", "1")
        self.assertEqual(best["rows"], parquet["rows"][:1])

    def test_scores_and_several_row_groups(self):
        """A database of many ligands, made by hand: rows without checksums are not checked."""
        self.write("lib.pdbqt", cli.ligand())
        self.assert_well(self.screen("-l", "lib.pdbqt", "--rescore", "vinardo"))
        with sqlite3.connect(self.folder / "out/screen.db") as database:
            names = [row[1] for row in database.execute("PRAGMA table_info(ligand)")][2:]
            database.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000) "
                             f"INSERT INTO ligand SELECT i, 'lig' || i, {', '.join(names)} FROM n, ligand WHERE ordinal = 0")
        parquet, table = self.export()
        self.assertEqual((parquet["groups"], len(parquet["rows"]), len(table)), (2, 70001, 70001))
        self.assertIsNotNone(parquet["rows"][0]["vinardo"])
        self.assertIsNone(parquet["rows"][-1]["vinardo"])
        self.assertEqual({row["name"] for row in parquet["rows"]}, {row["name"] for row in table})

    def test_nothing_was_docked(self):
        self.write("lib.pdbqt", "nonsense\n")
        self.assertEqual(self.screen("-l", "lib.pdbqt").returncode, 1)
        parquet, table = self.export()
        self.assertEqual((parquet["rows"], parquet["groups"], table), ([], 0, []))

    def test_bad_input(self):
        self.assert_refused(self.berth("screen", "--export", "parquet", "-o", "absent"), "absent/screen.db", "no screen found")
        self.assert_refused(self.berth("screen", "--export", "arrow", "-o", "out"), "use csv, parquet, sdf, pdbqt, dlg or rejects")


if __name__ == "__main__":
    cli.main()
