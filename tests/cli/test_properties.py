"""Properties of ligands: columns of tables and data items of SDF that --keep-fields takes into libraries and results."""
import csv
import sqlite3
import unittest

import berth_cli as cli
import molecules
from test_raw_dock import needs_rdkit

TABLE = ("smiles,id,price,in stock,supplier,rank\n"
         "CCO,a,12.50,true,\"Smith, Sons\",7\n"
         "CCN,b,-3,false,=1+1,8\n"
         "CCC,c,,,,\n")


class Properties(cli.Case):
    def setUp(self):
        super().setUp()
        self.write("receptor.pdbqt", cli.receptor())
        self.write("lib.csv", TABLE)

    def screen(self, library, *more, output="out"):
        return self.berth("screen", "-q", "-r", "receptor.pdbqt", "-l", library, "-o", output, *cli.BOX, *cli.QUICK, "--scoring",
                          "vina", *more)

    def table(self, name="out/top.csv"):
        with open(self.folder / name, newline="") as file:
            return {row["name"]: row for row in csv.DictReader(file)}

    def query(self, sql, name="out/screen.db"):
        with sqlite3.connect(self.folder / name) as database:
            return database.execute(sql).fetchall()

    @needs_rdkit
    def test_a_table_goes_into_every_export(self):
        self.assert_well(self.screen("lib.csv", "--keep-fields", "price,In Stock,supplier,rank"))
        rows = self.table()
        self.assertEqual(list(rows["a"])[-4:], ["price", "in stock", "supplier", "library_rank"])
        self.assertEqual([rows["a"][name] for name in ("price", "in stock", "supplier", "library_rank")],
                         ["12.50", "true", "Smith, Sons", "7"])
        self.assertEqual((rows["b"]["price"], rows["b"]["supplier"]), ("-3", "'=1+1"))
        self.assertEqual([rows["c"][name] for name in ("price", "in stock", "supplier", "library_rank")], [""] * 4)
        self.assertEqual(self.query("SELECT name, value FROM property WHERE ordinal = 1 ORDER BY place"),
                         [("price", "-3"), ("in stock", "false"), ("supplier", "=1+1"), ("rank", "8")])
        self.assertEqual(self.query("PRAGMA user_version"), [(4,)])
        sdf = (self.folder / "out/top.sdf").read_text()
        self.assertIn("<price>\n12.50\n\n", sdf)
        self.assertIn("<library_rank>\n7\n\n", sdf)
        for name, file in ("pdbqt", "results.pdbqt"), ("dlg", "dlg"):
            self.assert_well(self.berth("screen", "--export", name, "-o", "out"))
            path = self.folder / "out" / file
            text = "".join(log.read_text() for log in path.glob("*.dlg")) if path.is_dir() else path.read_text()
            self.assertIn("REMARK BERTH property supplier = Smith, Sons\n", text)

    @needs_rdkit
    def test_all_columns_of_a_library(self):
        self.assert_well(self.berth("prep", "library", "-q", "-l", "lib.csv", "-o", "lib.btl", "--keep-fields", "all"))
        self.assert_well(self.screen("lib.btl"))
        rows = self.table()
        self.assertEqual(list(rows["a"])[-4:], ["price", "in stock", "supplier", "library_rank"])
        self.assertEqual(rows["a"]["supplier"], "Smith, Sons")
        self.assert_well(self.screen("lib.btl", "--keep-fields", "price", output="some"))
        self.assertEqual(list(self.table("some/top.csv")["a"])[-2:], ["rank_energy", "price"])
        self.assert_well(self.berth("prep", "library", "-q", "-l", "lib.btl", "-o", "again.btl"))
        self.assertEqual((self.folder / "lib.btl").read_bytes(), (self.folder / "again.btl").read_bytes())

    @needs_rdkit
    def test_without_the_option_nothing_changes(self):
        self.assert_well(self.berth("prep", "library", "-q", "-l", "lib.csv", "-o", "plain.btl"))
        self.write("lib.smi", "CCO a\nCCN b\nCCC c\n")
        self.assert_well(self.berth("prep", "library", "-q", "-l", "lib.smi", "-o", "smi.btl"))
        data = (self.folder / "plain.btl").read_bytes()
        self.assertEqual(data, (self.folder / "smi.btl").read_bytes())
        self.assertEqual(data[8:12], bytes([1, 0, 0, 0]))
        self.assert_well(self.berth("prep", "library", "-q", "-l", "lib.csv", "-o", "kept.btl", "--keep-fields", "all"))
        kept = (self.folder / "kept.btl").read_bytes()
        self.assertEqual(kept[8:12], bytes([2, 0, 0, 0]))  # early versions say that they read version 1
        self.assert_well(self.screen("lib.csv"))
        self.assertEqual(self.query("SELECT count(*) FROM sqlite_master WHERE name = 'property'"), [(0,)])
        self.assertEqual(self.query("PRAGMA user_version"), [(3,)])
        self.assertEqual(list(self.table()["a"])[-1], "rank_energy")

    @needs_rdkit
    def test_data_items_of_sdf(self):
        items = [("Price", "9.75"), ("note", "two\nlines"), ("empty", "")]
        self.write("lib.sdf", molecules.ethanol("a", items=items) + molecules.ethanol("b") + molecules.broken())
        self.assertEqual(self.screen("lib.sdf", "--keep-fields", "price,note").returncode, 2)
        rows = self.table()
        self.assertEqual((rows["a"]["Price"], rows["a"]["note"], rows["b"]["Price"]), ("9.75", "two lines", ""))

    @needs_rdkit
    def test_rejects_have_them(self):
        self.write("lib.csv", "smiles,id,price\nCCO,a,1\nnonsense(,b,2\n")
        self.assertEqual(self.screen("lib.csv", "--keep-fields", "price").returncode, 2)
        self.assertEqual(self.table("out/rejects.csv")["b"]["price"], "2")
        self.assertEqual(self.screen("lib.csv", "--keep-fields", "price", "--retry", "rejected").returncode, 2)
        self.assertEqual(self.query("SELECT count(*) FROM property"), [(2,)])

    @needs_rdkit
    def test_shards_and_resume(self):
        self.write("lib.csv", "smiles,id,price\n" + "".join(f"{'C' * (k % 6 + 1)}O,m{k},{k}\n" for k in range(70)))
        self.assert_well(self.berth("prep", "library", "-q", "-l", "lib.csv", "-o", "lib.btl", "--keep-fields", "all"))
        self.assert_well(self.screen("lib.btl", output="whole"))
        for part in "1/2", "2/2":
            self.assert_well(self.screen("lib.btl", "--shard", part))
        self.assert_well(self.berth("merge", "out/shard-1-of-2.db", "out/shard-2-of-2.db", "-o", "merged"))
        for name in "whole", "merged":
            self.assert_well(self.berth("screen", "-q", "--export", "csv", "-o", name))
        whole, merged = self.table("whole/results.csv"), self.table("merged/results.csv")
        self.assertEqual({name: row["price"] for name, row in merged.items()}, {f"m{k}": str(k) for k in range(70)})
        self.assertEqual([(row["name"], row["price"]) for row in whole.values()],
                         [(row["name"], row["price"]) for row in merged.values()])
        for name in "pose", "molecule", "ligand":
            self.query(f"DELETE FROM {name} WHERE ordinal % 7 = 3", "whole/screen.db")
        self.query("DELETE FROM setting WHERE key IN ('complete', 'total')", "whole/screen.db")
        self.assertEqual(self.query("SELECT count(*) FROM property", "whole/screen.db"), [(60,)])
        self.assert_well(self.screen("lib.btl", "--resume", output="whole"))
        self.assertEqual(self.query("SELECT count(*) FROM property", "whole/screen.db"), [(70,)])

    @needs_rdkit
    def test_damage_is_found(self):
        self.assert_well(self.screen("lib.csv", "--keep-fields", "price"))
        self.query("UPDATE property SET value = '1' WHERE ordinal = 0")
        result = self.berth("screen", "--export", "csv", "-o", "out")
        self.assertEqual(result.returncode, 2)
        self.assertIn("ligand a (ordinal 0) is damaged: its values do not match their checksum", result.stderr)

    @needs_rdkit
    def test_refusals(self):
        result = self.screen("lib.csv", "--keep-fields", "price,absent")
        self.assertEqual(result.returncode, 1)
        rejects = (self.folder / "out/rejects.csv").read_text()
        self.assertIn("no column absent in this table; name headings of its first line in --keep-fields, or all", rejects)
        self.assert_well(self.screen("lib.csv", "--keep-fields", "price", output="kept"))
        result = self.screen("lib.csv", "--resume", output="kept")
        self.assert_refused(result, "the screen was started with keep_fields price, not (none)")

    @needs_rdkit
    def test_a_damaged_header_is_rebuilt(self):
        self.assert_well(self.berth("prep", "library", "-q", "-l", "lib.csv", "-o", "lib.btl", "--keep-fields", "all"))
        data = bytearray((self.folder / "lib.btl").read_bytes())
        data[8] = 3
        self.write("damaged.btl", bytes(data))
        self.assert_well(self.berth("prep", "library", "-q", "-l", "damaged.btl", "-o", "again.btl"))
        self.assertEqual((self.folder / "again.btl").read_bytes(), (self.folder / "lib.btl").read_bytes())


if __name__ == "__main__":
    cli.main()
