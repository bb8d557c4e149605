"""Screens of a part of a library that is chosen by what was docked before."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from . import _fingerprints as fingerprints
from ._library import InputError, UsageError
from ._screen import Hit, Screen
from ._table import Table

RIDGE = 10.0    # added to the diagonal; chosen on one target, docs/screening.md
ROWS = 4096     # of the matrix of fingerprints at a time


@dataclasses.dataclass(frozen=True)
class ActiveHit(Hit):
    """A docked ligand. round: from 1; predicted: what the model had expected of it, None in the first round."""

    round: int
    predicted: float | None
    record: int  # in the library, from 0


class ActiveScreen(Table):
    """Ligands of all rounds. screens: the Screen of each round; records: how many the library has; predicted: of
    every one, what the last model expects, NaN where it has no SMILES that RDKit reads."""

    def __init__(self, screens: list[Screen], chosen: list[Any], expected: list[Any], predicted: Any) -> None:
        self.screens, self.records, self.predicted = screens, len(predicted), predicted
        hits = [(hit, k, record) for k, screen in enumerate(screens) for hit, record in zip(*_hits(screen, chosen[k]))]
        hits.sort(key=lambda one: (one[0].rank_energy, one[2]))
        self.hits = [ActiveHit(**{**dataclasses.asdict(hit), "rank": rank}, round=k + 1, record=int(record),
                               predicted=None if k == 0 else float(expected[k][np.searchsorted(chosen[k], record)]))
                     for rank, (hit, k, record) in enumerate(hits, 1)]

    def __repr__(self) -> str:
        return f"<berth.ActiveScreen: {len(self.hits)} docked of {self.records} in {len(self.screens)} rounds>"

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[ActiveHit]:
        """Docked ligands, best first."""
        return iter(self.hits)

    def rows(self) -> list[dict[str, Any]]:
        return [dataclasses.asdict(hit) for hit in self.hits]

    def mols(self, top: int = 100) -> Iterator[Any]:
        """Poses of the best ligands as RDKit Mols, best first, with energies as properties."""
        best = self.hits[:top or None]
        wanted = [sum(hit.round == k + 1 for hit in best) for k in range(len(self.screens))]
        sources = [screen.mols(count) if count else iter(()) for screen, count in zip(self.screens, wanted)]
        for hit in best:
            yield next(sources[hit.round - 1])


def _hits(screen: Screen, chosen: Any) -> tuple[list[Hit], list[int]]:
    """The best state or isomer of each record of a round, and the record in the library."""
    best: dict[int, Hit] = {}
    for hit in screen:
        best.setdefault(int(chosen[int(hit.source.rsplit("record ", 1)[1].split()[0]) - 1]), hit)
    return list(best.values()), list(best)


class _Model:
    """Ridge regression of the energy on fingerprints."""

    def __init__(self) -> None:
        self.squares = np.zeros((fingerprints.COLUMNS, fingerprints.COLUMNS))
        self.products, self.sums = np.zeros(fingerprints.COLUMNS), np.zeros(fingerprints.COLUMNS)
        self.energies: list[float] = []

    def learn(self, rows: fingerprints.Rows, chosen: Any, energies: Any) -> None:
        for first in range(0, len(chosen), ROWS):
            matrix, values = rows.dense(chosen[first:first + ROWS]), energies[first:first + ROWS]
            self.squares += matrix.T @ matrix
            self.products += matrix.T @ values
            self.sums += matrix.sum(axis=0)
            self.energies += values.tolist()

    def weights(self) -> Any:
        mean = float(np.mean(self.energies)) if self.energies else 0.0
        solved = np.linalg.solve(self.squares + RIDGE * np.eye(len(self.sums)), self.products - mean * self.sums)
        solved[fingerprints.BITS + 1] += mean
        return solved


class _Library:
    """The fingerprints of a library, block by block, in a folder."""

    def __init__(self, folder: pathlib.Path, paths: Sequence[str], processes: int) -> None:
        folder.mkdir(exist_ok=True)
        self.paths, done = paths, folder / "complete"
        if not done.exists():
            command = [sys.executable, fingerprints.__file__, os.fspath(folder)]
            started = [subprocess.Popen([*command, str(k), str(processes), *paths]) for k in range(processes)]
            if any([process.wait() for process in started]):
                raise InputError(f"fingerprints of {paths[0]} could not be made")
            done.touch()
        self.blocks = sorted(folder.glob("*.npz"), key=lambda path: int(path.stem))
        if not self.blocks:
            raise InputError(f"{paths[0]}: no SMILES in this library")

    def __iter__(self) -> Iterator[tuple[int, fingerprints.Rows]]:
        """The number of each block's first record, and its fingerprints."""
        first = 0
        for path in self.blocks:
            rows = fingerprints.Rows(path)
            yield first, rows
            first += len(rows)

    def predict(self, known: dict[int, float]) -> Any:
        model = _Model()
        records = np.array(sorted(known))
        energies = np.minimum([known[int(record)] for record in records], 0.0)  # a clash by 1 or by 1000 is a clash
        for first, rows in self:
            part = slice(*np.searchsorted(records, (first, first + len(rows))))
            here = records[part] - first
            model.learn(rows, here[rows.usable[here]], energies[part][rows.usable[here]])
        weights = model.weights()
        return np.concatenate([np.where(rows.usable, rows.times(weights), np.nan) for _, rows in self]).astype(np.float32)

    def usable(self) -> Any:
        return np.concatenate([rows.usable for _, rows in self])

    def write(self, chosen: Any, path: pathlib.Path) -> None:
        """These records, in the order of the library."""
        wanted, part = set(chosen.tolist()), path.with_suffix(".part")
        with part.open("w", encoding="utf-8") as stream:
            for record, line in enumerate(fingerprints.lines_of(self.paths)):
                if record in wanted:
                    stream.write(line + "\n")
        part.replace(path)


def sizes_of(budget: int, rounds: int) -> list[int]:
    return [budget // rounds + (k < budget % rounds) for k in range(rounds)]


def run(screen: Callable[[pathlib.Path, pathlib.Path], Screen], library: Sequence[str], folder: str | os.PathLike[str],
        budget: int, rounds: int, seed: int, settings: dict[str, Any], threads: int) -> ActiveScreen:
    """screen(library, database) docks; everything else is done here."""
    if not 1 <= rounds <= budget:
        raise UsageError(f"{rounds} rounds of {budget} ligands: give at least one round, and a ligand for each")
    for name in library:
        if not name.removesuffix(".gz").endswith((".smi", ".ism", ".smiles")):
            raise UsageError(f"{name}: active screens choose from SMILES (.smi, .smi.gz)")
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    _check_settings(out / "active.json", {
        **settings, "budget": budget, "rounds": rounds, "seed": seed,
        "library": [[os.path.abspath(name), os.path.getsize(name)] for name in library]})
    records = _Library(out / "fingerprints", library, threads or os.cpu_count() or 1)
    usable = records.usable()
    left, known = usable.copy(), dict[int, float]()
    screens, chosen, expected = list[Screen](), list[Any](), list[Any]()
    predicted = np.zeros(len(usable), np.float32)
    for k, size in enumerate(sizes_of(min(budget, int(usable.sum())), rounds)):
        if k == 0:
            draw = np.random.default_rng(seed)
            picked = draw.choice(np.flatnonzero(usable), size, replace=False)
        else:
            order = np.where(left, predicted, np.inf)
            picked = np.argpartition(order, size - 1)[:size] if size else np.zeros(0, int)
        picked = np.sort(picked)
        left[picked] = False
        chosen.append(picked)
        expected.append(predicted[picked])
        path = out / f"round-{k + 1}.smi"
        if not path.exists():
            records.write(picked, path)
        screens.append(screen(path, out / f"round-{k + 1}.db"))
        known.update((record, hit.rank_energy) for hit, record in zip(*_hits(screens[-1], picked)))
        predicted = records.predict(known)
    return ActiveScreen(screens, chosen, expected, predicted)


def _check_settings(path: pathlib.Path, settings: dict[str, Any]) -> None:
    """Those that choose ligands must be the same when a screen is resumed; the engine's are checked by the databases."""
    if path.exists():
        before = json.loads(path.read_text(encoding="utf-8"))
        for name, value in settings.items():
            if before.get(name) != value:
                raise UsageError(f"{path.parent} was begun with {name} = {before.get(name)}, not {value}; "
                                 "use another folder, or the same settings")
    else:
        path.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
