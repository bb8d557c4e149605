"""berth screen after changes: resuming on another device, and databases with damaged rows."""
import os
import sqlite3

import berth_cli as cli
import test_screen


class Devices(test_screen.Case):
    """Searches differ on another instruction set, which is reported, not refused."""

    def best(self):
        lines = self.berth("devices").stdout.splitlines()
        best = [line.split()[0] for line in lines if line.startswith("cpu/") and line.split()[1] == "yes"][0]
        if best == "cpu/scalar":
            self.skipTest("this processor has one instruction set")
        return best

    def test_resume_on_another_instruction_set_warns(self):
        self.make_library(3)
        self.screen("--isa", "scalar")
        self.assertEqual(self.query("SELECT value FROM setting WHERE key = 'devices'"), [("cpu/scalar",)])
        best = self.best()
        self.assertNotIn("started on", self.screen("--resume", "--isa", "scalar").stderr)
        result = self.screen("--resume", "--isa", best[4:])
        lines = [line for line in result.stderr.splitlines() if "started on" in line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertIn(f"started on cpu/scalar and is resumed on {best}", lines[0])
        self.assertEqual(self.query("SELECT value FROM setting WHERE key = 'resumed_devices'"), [(best,)])

    def test_a_merge_of_shards_of_other_instruction_sets_warns(self):
        self.make_library(4)
        best = self.best()
        for shard, isa in ("1/2", "scalar"), ("2/2", best[4:]):
            self.screen("--shard", shard, "--isa", isa)
        result = self.berth("merge", "out/shard-1-of-2.db", "out/shard-2-of-2.db", "-o", "both")
        self.assert_well(result)
        self.assertIn(f"out/shard-2-of-2.db was docked on {best}, but the previous databases on cpu/scalar", result.stderr)


class Damage(test_screen.Case):
    """A row that was altered is named and left out, and docked again by --resume."""

    def change(self, sql, output="out", name="screen.db"):
        database = sqlite3.connect(self.path(f"{output}/{name}"))
        with database:
            self.assertGreater(database.execute(sql).rowcount, 0)
        database.close()

    def export(self, word="csv", code=0, output="out"):
        result = self.berth("screen", "--export", word, "-o", output)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def test_damaged_ligands_are_named_and_docked_again(self):
        self.make_library(8)
        self.screen("--poses", "2")
        self.export()
        before, table = self.results(), self.rows("out/results.csv")
        self.change("UPDATE pose SET free_energy = free_energy - 0.25 WHERE ordinal = 2 AND rank = 1")
        self.change("UPDATE pose SET genotype = zeroblob(length(genotype)) WHERE ordinal = 3")
        self.change("UPDATE molecule SET size = size + 1 WHERE ordinal = 4")
        self.change("UPDATE ligand SET free_energy = -99 WHERE ordinal = 5")
        result = self.export(code=2)
        self.assertIn("out/screen.db: ligand lig0005 (ordinal 5) is damaged: its values", result.stderr)
        left = [[v for k, v in row.items() if k != "rank"] for row in self.rows("out/results.csv")]
        self.assertEqual(left, [[v for k, v in row.items() if k != "rank"] for row in table if row["ordinal"] != "5"])
        result = self.export("pdbqt", code=2)
        models = (self.folder / "out/results.pdbqt").read_text()
        for ordinal in range(8):
            self.assertEqual(f"lig000{ordinal} (ordinal {ordinal})" in result.stderr, 2 <= ordinal <= 5, result.stderr)
            self.assertEqual(f"Name = lig000{ordinal}" in models, not 2 <= ordinal <= 5)
        self.assertEqual(self.export("dlg", code=2).stderr.count("is damaged"), 4)
        self.assertEqual(len(list((self.folder / "out/dlg").iterdir())), 4)
        result = self.berth("report", "out")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("is damaged"), 4)
        self.assertIn("4 ligands, 8 poses", result.stdout)
        result = self.screen("--poses", "2", "--resume")
        self.assertIn("damaged lig0004 (ordinal 4): its poses", result.stderr)
        self.assertEqual(self.results(), before)
        self.export("pdbqt")

    def test_settings_that_are_damaged_are_refused(self):
        self.make_library(3)
        self.screen()
        path = self.folder / "out/screen.db"
        data = path.read_bytes()
        self.assertEqual(data.count(b"scoringvina"), 1)
        path.write_bytes(data.replace(b"scoringvina", b"scorinevina"))
        self.assertIn("out/screen.db: its settings", self.export(code=1).stderr)

    def test_a_merge_leaves_out_what_is_damaged(self):
        self.make_library(10)
        self.screen(output="whole")
        for i in 1, 2:
            self.screen("--shard", f"{i}/2")
        self.change("UPDATE pose SET inter = inter + 0.5 WHERE ordinal = 3", name="shard-1-of-2.db")
        merge = ["merge", "out/shard-1-of-2.db", "out/shard-2-of-2.db", "-o", "both"]
        result = self.berth(*merge)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("out/shard-1-of-2.db: ligand lig0003 (ordinal 3) is damaged", result.stderr)
        self.assertIn("(not complete)", result.stdout)
        self.assertEqual(self.query("SELECT count(*) FROM ligand", "both"), [(9,)])
        self.screen("--resume", output="both")
        self.assertEqual(self.results("both"), self.results("whole"))
        os.remove(self.path("both/screen.db"))
        self.screen("--shard", "1/2", "--resume")
        self.assert_well(self.berth(*merge))
        self.assertEqual(self.results("both"), self.results("whole"))

    def test_a_page_that_cannot_be_read_costs_its_own_ligands(self):
        self.make_library(30)
        self.screen()
        database = sqlite3.connect(self.path("out/screen.db"))
        database.executescript("PRAGMA page_size = 1024; VACUUM")
        database.close()
        self.export()
        table = self.rows("out/results.csv")
        path = self.folder / "out/screen.db"
        data = bytearray(path.read_bytes())
        pages = [at for at in range(0, len(data), 1024) if data[at] == 13 and b"lig0015" in data[at:at + 1024]]
        self.assertEqual(len(pages), 1)
        data[pages[0]] = 0
        path.write_bytes(data)
        result = self.export(code=2)
        self.assertIn("out/screen.db: ligand (ordinal 15) is damaged", result.stderr)
        left = [row["name"] for row in self.rows("out/results.csv")]
        lost = result.stderr.count("is damaged")
        self.assertEqual(len(left), 30 - lost)
        self.assertGreater(len(left), 15)
        self.assertEqual(left, [row["name"] for row in table if row["name"] in left])
        result = self.berth("merge", "out/screen.db", "-o", "both")
        self.assertEqual(result.returncode, 1)
        self.assertIn("out/screen.db: this database is damaged", result.stderr)

    def test_databases_of_early_versions_have_no_checksums(self):
        self.make_library(4)
        self.screen("--scoring", "ad4")
        database = sqlite3.connect(self.path("out/screen.db"))
        for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute("DROP TABLE checksum")
        database.commit()
        database.execute("UPDATE ligand SET seconds = 1 WHERE ordinal = 1")
        database.execute("DELETE FROM ligand WHERE ordinal = 2")
        database.execute("DELETE FROM pose WHERE ordinal = 2")
        database.execute("DELETE FROM molecule WHERE ordinal = 2")
        database.execute("DELETE FROM setting WHERE key = 'complete'")
        database.commit()
        database.close()
        self.export()
        self.assertEqual(len(self.rows("out/results.csv")), 3)
        self.screen("--scoring", "ad4", "--resume")
        self.assertEqual(self.query("SELECT ordinal FROM checksum ORDER BY 1"), [(-1,), (2,)])
        self.export("pdbqt")


if __name__ == "__main__":
    if test_screen.without_sqlite():
        raise SystemExit(77)
    cli.main()
