"""A failing call loses nothing that --resume does not recover, and never causes a wrong result (faults.py)."""
import csv
import io
import re
import shutil
import sqlite3

import berth_cli as cli
import faults
from test_bude import QUICK as BUDE, amide, cup
from test_raw_dock import GEMMI
from test_screen import without_sqlite

SMALL = ["--center", "0,0,0", "--size", "6,6,6", "--spacing", "0.5"]
SEARCH = ["--runs", "2", "--evals", "300", "--population", "10", "--local-search-iterations", "5", "--seed", "7",
          "--threads", "2", "--device", "cpu"]
SCREEN = ["screen", "-r", "receptor.pdbqt", "-l", "library", "-o", "out", *SMALL, *SEARCH]
DOCK = ["dock", "-r", "receptor.pdbqt", "-l", "library/lig0.pdbqt", "library/lig1.pdbqt", "-o", "docked", "-q", *SMALL,
        *SEARCH]


def fill(folder, count=8):
    """Receptor and library."""
    (folder / "library").mkdir(parents=True)
    (folder / "receptor.pdbqt").write_text(cli.receptor())
    for i in range(count):
        (folder / f"library/lig{i}.pdbqt").write_text(cli.ligand(atoms=5 + i % 4, torsions=1 + i % 3))
    return folder


def results(path):
    """Everything that must not depend on failures along the way."""
    database = sqlite3.connect(path)
    try:
        return [database.execute(sql).fetchall() for sql in (
            "SELECT ordinal, name, state, free_energy, inter, intra, evaluations, clusters FROM ligand ORDER BY 1",
            "SELECT * FROM pose ORDER BY ordinal, rank", "SELECT ordinal, size FROM molecule ORDER BY ordinal",
            "SELECT value FROM setting WHERE key IN ('complete', 'total') ORDER BY key")]
    finally:
        database.close()


def ranking(path):
    with open(path) as table:
        return [(row["rank"], row["name"], row["free_energy"]) for row in csv.DictReader(table)]


def damage(path):
    """SQLite's report on a database; None: it is intact or absent."""
    if not path.exists():
        return None
    database = sqlite3.connect(path)
    try:
        answer = database.execute("PRAGMA integrity_check").fetchall()
    except sqlite3.Error as error:
        answer = error
    finally:
        database.close()
    return None if answer == [("ok",)] else f"{path.name}: {answer}"


def without_half(path):
    """The database as left by a process that was killed half-way."""
    database = sqlite3.connect(path)
    for table in "pose", "score", "molecule", "ligand":
        database.execute(f"DELETE FROM {table} WHERE ordinal % 2 = 1")
    database.execute("DELETE FROM setting WHERE key IN ('complete', 'total')")
    database.commit()
    database.close()


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def without_times(folder):
    """Lines of files without times and the folder's name."""
    timed = re.compile(rb"(?i)second|elapsed|time|date|receptor_file")
    lines = {}
    for name, data in contents(folder).items():
        data = re.sub(rb'"command_line": ("[^"]*"|null),', b"", data.replace(str(folder).encode(), b""))
        lines[name] = data.splitlines()
        if name.endswith(".csv"):
            rows = list(csv.reader(io.StringIO(data.decode())))
            column = rows[0].index("seconds") if "seconds" in rows[0] else len(rows[0])
            lines[name] = [row[:column] + row[column + 1:] for row in rows]
        elif name.endswith(".json"):
            words = re.split(rb"[,{}\n]", data)
            lines[name] = [word for word in words if not timed.search(word) and b"per_s" not in word]
        elif not name.endswith(".html"):
            lines[name] = [line for line in lines[name] if not timed.search(line)]
    return lines


class Case(faults.Case):
    def setUp(self):
        super().setUp()
        self.start = fill(self.folder / "start")

    def ended(self, command, start=None, name="whole", ends=0, **more):
        """A folder in which the command succeeded."""
        whole = self.folder / name
        shutil.copytree(start or self.start, whole)
        outcome, _ = faults.run(whole, command, **more)
        self.assertEqual(outcome.code, ends, outcome.stderr)
        self.printed = outcome.stdout.count("\n") + outcome.stderr.count(" failed: ")
        return whole

    def try_outputs(self, name, command, start, compare=contents, ends=0, few=faults.FEW, functions=(),
                    **more):
        """Files appear complete or not at all, existing ones are not touched, and everything is printed."""
        whole = self.ended(command, start, f"{name}-whole", ends, **more)
        before, expected, printed = compare(start), compare(whole), self.printed

        def is_told(path, outcome):
            """Messages about ligands that could not be read, or about a file that could not be removed."""
            of_ligands = ("rejects" in path or "notes" in path) and outcome.code in (1, 2, 3)
            of_log = path.endswith(".glg") and outcome.code in (1, 3)  # AutoGrid's log shows how far it got
            kept = (".berth-" in path or "berth-propka-" in path) and "unlink" in (outcome.wish or "")
            return of_ligands or of_log or kept

        def check(outcome):
            after = {path: data for path, data in compare(outcome.folder).items() if not is_told(path, outcome)}
            for path in before:
                if is_told(path, outcome):
                    continue
                if path not in after or path not in expected and after[path] != before[path]:
                    return f"{path} has changed"
            # where a folder cannot be locked a file in it is, and stays
            after = {path: data for path, data in after.items() if not path.endswith(".berth-lock")}
            for path, data in after.items():
                # berth bude keeps what was docked before the device failed
                fewer = outcome.code == 3 and ("ranking" in path or "poses" in path)
                fewer = fewer or any(words in outcome.stderr for words in ("rejected", "left out", "no receptor found", " instead"))
                # a program that cannot be executed is treated as missing, which the report says
                lines = data if isinstance(data, list) else []
                fewer = fewer or any(b"propka3 is not installed" in line for line in lines if isinstance(line, bytes))
                if path in expected and data not in (expected[path], before.get(path)) and not fewer:
                    return f"{path} is not complete"
                if path not in expected and outcome.code != -9:
                    return f"left behind: {path}"
            if outcome.code == 0 and not outcome.stderr and after != expected:
                return f"another result without a word: {set(expected) ^ set(after)}"
            told = "standard output" in outcome.stderr or "left out" in outcome.stderr
            lines = outcome.stdout.count("\n") + outcome.stderr.count(" failed: ")
            if outcome.code == ends and lines < printed and not told:
                return f"printed in part, without a word:\n{outcome.stdout}"
            return None

        self.try_all(name, start, command, check, ends=ends, few=few, functions=functions, **more)


class Screen(Case):
    """Whatever fails, the database is intact, and --resume ends as if nothing had happened."""

    def try_screen(self, name, command, start=None, functions=(), **more):
        whole = self.ended(command, start, f"{name}-whole", **more)
        resume = [*command, *([] if "--resume" in command else ["--resume"])]
        expected, best = results(whole / "out/screen.db"), ranking(whole / "out/top.csv")
        files = sorted(p.name for p in (whole / "out").iterdir())

        def check(outcome):
            out = outcome.folder / "out"
            wrong = [text for text in map(damage, out.glob("*.db")) if text is not None]
            if wrong:
                return wrong
            lost = [word for word in ("failed", "rejected") if f"{word} lig" in outcome.stderr]
            if outcome.code in (0, 2) and results(out / "screen.db") != expected and not lost:
                return "another result without a word"
            for word in lost:  # the ligand was named, and can be docked again
                faults.run(outcome.folder, [*resume, "--retry", word], **more)
            resumed, _ = faults.run(outcome.folder, resume, **more)
            if resumed.code != 0:
                return f"--resume ends with {resumed.code}: {resumed.stderr}"
            if results(out / "screen.db") != expected:
                return "--resume ends with another result"
            if ranking(out / "top.csv") != best:
                return "another top.csv"
            left = sorted(p.name for p in out.iterdir() if not p.name.startswith(".berth-"))
            return None if left == files else f"left behind: {set(left) ^ set(files)}"

        self.try_all(name, start or self.start, command, check, functions=functions, **more)

    def test_screen(self):
        self.try_screen("screen", SCREEN)

    def test_a_library_that_cannot_be_read_just_now(self):
        """It must not be mistaken for another one, which --resume would always refuse."""
        self.try_screen("look", SCREEN, functions=("stat", "lstat", "fstat", "pread", "read"))

    def test_resume(self):
        half = self.ended(SCREEN, name="half")
        without_half(half / "out/screen.db")
        self.try_screen("resume", [*SCREEN, "--resume"], half)

    def half_of_a_rank(self):
        """A rank left half of the library undocked; the rest is docked, and both are merged into the screen."""
        ranks = self.folder / "ranks"
        shutil.copytree(self.start, ranks)
        outcome, _ = faults.run(ranks, SCREEN, "rename:1!", PMI_SIZE="2")  # before anything is gathered
        self.assertEqual(outcome.code, -9)
        for path in (ranks / "out").iterdir():
            path.rename(ranks / "out/rank-1.db") if path.name == "rank-0.db" else path.unlink()
        without_half(ranks / "out/rank-1.db")
        return ranks

    def test_gather(self):
        self.try_screen("gather", [*SCREEN, "--resume"], self.half_of_a_rank(), PMI_SIZE="2")

    def test_a_database_that_cannot_be_looked_at_just_now(self):
        """It must not be mistaken for a missing one and replaced by the databases of ranks."""
        self.try_screen("look", [*SCREEN, "--resume"], self.half_of_a_rank(), functions=("access",), PMI_SIZE="2")

    def test_compact_library(self):
        packed = self.ended(["prep", "library", "-l", "library", "-o", "library.btl", "-q"], name="packed")
        command = ["library.btl" if word == "library" else word for word in SCREEN]
        self.try_screen("btl", command, packed)


class Merge(Case):
    def test_merge(self):
        """Parts are unchanged, and the merged database is complete or absent."""
        whole = self.ended([*SCREEN, "--shard", "1/2"], name="first")
        whole = self.ended([*SCREEN, "--shard", "2/2"], whole, "shards")
        command = ["merge", "out/shard-1-of-2.db", "out/shard-2-of-2.db", "-o", "merged"]
        parts = [results(whole / part) for part in command[1:3]]
        expected = results(self.ended(command, whole, "merged") / "merged/screen.db")

        def check(outcome):
            for part, rows in zip(command[1:3], parts):
                if damage(outcome.folder / part) or results(outcome.folder / part) != rows:
                    return f"{part} has changed"
            merged = outcome.folder / "merged/screen.db"
            if outcome.code in (0, 2) and not merged.exists():
                return "no database without a word"
            if not merged.exists():
                again, _ = faults.run(outcome.folder, command)
                if again.code != 0:
                    return f"the next merge ends with {again.code}: {again.stderr}"
            wrong = damage(merged)
            if wrong is None and results(merged) != expected:
                wrong = "another result"
            left = [p.name for p in merged.parent.iterdir() if p.name.startswith("screen.db.part-w")]
            return wrong or (f"left behind: {left}" if left and outcome.code != -9 else None)

        self.try_all("merge", whole, command, check)


class Outputs(Case):
    """Files appear complete or not at all, and existing ones are not touched."""

    def test_export(self):
        whole = self.ended(SCREEN)
        for word in "csv", "pdbqt", "dlg":
            self.try_outputs(f"export-{word}", ["screen", "--export", word, "-o", "out"], whole, without_times)

    def test_dock(self):
        self.try_outputs("dock", DOCK, self.start, without_times)

    def test_library(self):
        self.try_outputs("library", ["prep", "library", "-l", "library", "-o", "library.btl", "-q"], self.start)

    def test_maps(self):
        self.try_outputs("grid", ["grid", "-r", "receptor.pdbqt", "--types", "C,OA", "-o", "maps", "-q", *SMALL],
                         self.start)

    def test_ligands(self):
        self.try_outputs("ligands", ["prep", "ligand", "-l", "library", "-o", "prepared", "-q"], self.start, without_times)

    @cli.unittest.skipUnless(GEMMI, "built without gemmi")
    def test_receptor(self):
        shutil.copy(cli.SOURCE / "tests/data/peptide.pdb", self.start / "peptide.pdb")
        self.try_outputs("receptor", ["prep", "receptor", "-r", "peptide.pdb", "-o", "r", "-q"], self.start, without_times)

    def test_bude(self):
        def compare(folder):
            return {path: lines for path, lines in without_times(folder).items() if not path.startswith("cache/")}

        (self.start / "cup.mol2").write_text(cup())
        (self.start / "amide.mol2").write_text(amide())
        self.try_outputs("bude", ["bude", "-r", "cup.mol2", "-l", "amide.mol2", "-o", "docked", "--center", "0,0,0",
                                  "--conformers", "0", *BUDE, "--population", "64"], self.start, compare)

    def test_report(self):
        self.try_outputs("report", ["report", "docked"], self.ended(DOCK), without_times)
        self.try_outputs("report-screen", ["report", "out"], self.ended(SCREEN, name="screened"), without_times)


if __name__ == "__main__":
    if without_sqlite():
        raise SystemExit(77)
    cli.main()
