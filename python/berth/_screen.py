"""Screens: docking a library into a database, and reading a database."""
from __future__ import annotations

import contextlib
import csv
import dataclasses
import os
import pathlib
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ._library import Strings, UsageError, call, ffi, fill, lib
from ._ligand import mol_of
from ._report import Report, report
from ._table import Table

if TYPE_CHECKING:
    import pandas


@dataclasses.dataclass(frozen=True)
class Hit:
    """A docked ligand of a screen; energies kcal/mol, of its best pose."""

    rank: int
    name: str
    source: str
    free_energy: float
    inter: float
    intra: float
    torsional: float
    rank_energy: float  # what ranks: with rescore= it may be the energy of another function


class Screen(Table):
    """The database of a screen. docked, rejected, failed, filtered (left out by filter=): how many ligands; complete: the whole
    library was processed."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        summary = ffi.new("bt_screen_summary *")
        call(lib.bt_screen_summarize, self.path.encode(), summary)
        self.docked, self.rejected, self.failed = summary.docked, summary.rejected, summary.failed
        self.filtered = summary.filtered
        self.complete, self.seed = summary.complete, summary.seed

    def __repr__(self) -> str:
        return f"<berth.Screen {self.path!r}: {self.docked} docked, {self.rejected} rejected, {self.failed} failed>"

    def __len__(self) -> int:
        return int(self.docked)

    def _open(self) -> contextlib.closing[sqlite3.Connection]:
        return contextlib.closing(sqlite3.connect(f"{pathlib.Path(self.path).absolute().as_uri()}?mode=ro", uri=True))

    def __iter__(self) -> Iterator[Hit]:
        """Docked ligands, best first."""
        with self._open() as database:
            known = {row[1] for row in database.execute("PRAGMA table_info(ranking)")}
            names = ", ".join(field.name if field.name in known else "free_energy"  # of early versions
                              for field in dataclasses.fields(Hit))
            for row in database.execute(f"SELECT {names} FROM ranking ORDER BY rank"):
                yield Hit(*row)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per hit, best first; to_dataframe has more columns."""
        return [dataclasses.asdict(hit) for hit in self]

    def to_dataframe(self) -> pandas.DataFrame:
        """One row per docked ligand, best first, with all columns of docs/screening.md, and of a screen that was rescored
        score_FUNCTION for each function, and the further values of re-scorers by their names, such as CNNscore; and those that
        keep_fields kept, as text."""
        import pandas
        with self._open() as database:
            table = pandas.read_sql("SELECT * FROM ranking ORDER BY rank", database)
            if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'score'").fetchone() is not None:
                scores = pandas.read_sql("SELECT * FROM score", database)
                wide = scores.pivot(index="ordinal", columns="scoring", values="free_energy")
                found = database.execute("SELECT value FROM setting WHERE key = 'rescore_values'").fetchone()
                values = found[0].split(",") if found else []
                wide = wide.rename(columns=lambda name: name if name in values else "score_" + name)
                table = table.join(wide, on="ordinal")
            if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'property'").fetchone() is not None:
                kept = pandas.read_sql("SELECT ordinal, name, value FROM property ORDER BY ordinal, place", database)
                wide = kept.pivot_table(index="ordinal", columns="name", values="value", aggfunc="first", sort=False)
                table = table.join(wide.rename(columns=lambda name: "library_" + name if name in table else name), on="ordinal")
        return table

    def rejects(self) -> pandas.DataFrame:
        """One row per ligand that was not docked: name, source, state, reason."""
        import pandas
        with self._open() as database:
            return pandas.read_sql("SELECT name, source, state, status, reason FROM ligand WHERE state <> 'docked'", database)

    def mols(self, top: int = 100) -> Iterator[Any]:
        """Poses of the best ligands as RDKit Mols, with energies as properties; 0: of all ligands with stored poses."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "poses.sdf")
            exported = ffi.new("bt_screen_exported *")
            call(lib.bt_screen_export, self.path.encode(), lib.BT_SCREEN_SDF, top, str(path).encode(), ffi.NULL, exported)
            text = path.read_text(encoding="utf-8")
        for record in text.split("$$$$\n")[:-1]:
            yield mol_of(record + "$$$$\n")

    def report(self) -> Report:
        """The page of `berth report`; shows itself in a notebook."""
        return report(self.path)


class Ranking(Table):
    """Ligands that were screened against several receptors, best first: rank, ordinal, name, energy, receptor (the one with the
    lowest energy, from 1), receptors (in how many it was docked), energy_1 and so on (None: not docked), source."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._rows = rows

    def __repr__(self) -> str:
        return f"<berth.Ranking of {len(self._rows)} ligands>"

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self) -> list[dict[str, Any]]:
        return self._rows


def rank_receptors(screens: Sequence[Screen | str | os.PathLike[str]], by: Literal["best", "mean"] = "best") -> Ranking:
    """Ranks the ligands of one library that was screened against several receptors, by a ligand's lowest energy or by the mean
    over those in which it was docked: `berth merge --ensemble`."""
    if by not in ("best", "mean"):
        raise UsageError(f'ligands are ranked by "best" or "mean", not {by!r}')
    paths = [one.path if isinstance(one, Screen) else os.fspath(one) for one in screens]
    strings = Strings()  # which keeps them
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ensemble.csv")
        call(lib.bt_screen_rank_receptors, strings.many(paths), len(paths),
             lib.BT_RECEPTOR_RANK_MEAN if by == "mean" else lib.BT_RECEPTOR_RANK_BEST, 0, path.encode(), ffi.new("int64_t *"))
        with open(path, newline="", encoding="utf-8") as file:
            rows: list[dict[str, Any]] = list(csv.DictReader(file))
    for row in rows:
        for name, text in row.items():
            if name.startswith("energy"):
                row[name] = float(text) if text else None
            elif name not in ("name", "source"):
                row[name] = int(text)
    return Ranking(rows)


def open_screen(path: str | os.PathLike[str]) -> Screen:
    """The database of a screen: open_screen("out/screen.db").to_dataframe()."""
    return Screen(path)


def run_screen(engine: Any, paths: Sequence[str | os.PathLike[str]], database: str, bar: Any, chosen: dict[str, Any],
               filter: str | None, keep_fields: str | None = None) -> Screen:
    """Docks a library with the target of an engine."""
    if not paths:
        raise UsageError("no files in the library")
    pathlib.Path(database).absolute().parent.mkdir(parents=True, exist_ok=True)
    strings, options = Strings(), ffi.new("bt_screen_options *", lib.bt_screen_options_default())
    fill(options, chosen, strings)
    if filter is not None:
        options.prepare.opt_filter = strings.one(filter)
    if keep_fields is not None:
        options.prepare.opt_keep_fields = strings.one(keep_fields)

    def show(progress: Any) -> None:
        if bar is not None:
            bar.total = progress.total if progress.total >= 0 else None
            bar.update(progress.docked + progress.rejected + progress.failed + progress.filtered - bar.n)

    def watch(user: Any, progress: Any) -> int:
        show(progress)
        return int(lib.BT_SCREEN_FINISH if engine.is_set() else lib.BT_SCREEN_GO_ON)

    options.database, options.opt_effort = strings.one(database), strings.one(engine.effort)
    options.ligands, options.n_ligands = strings.many([os.fspath(path) for path in paths]), len(paths)
    options.opt_watch = strings.keep(ffi.callback("bt_screen_watch_fn", watch))
    end = ffi.new("bt_screen_progress *")
    try:
        engine._run(lambda: call(lib.bt_target_screen, engine._target, options, end))
    finally:
        show(end)
        if bar is not None:
            bar.close()
    return Screen(database)
