"""Fingerprints of a library of SMILES, in files: python _fingerprints.py FOLDER PART PARTS FILE...

Process PART of PARTS writes every PARTS-th block of BLOCK lines to FOLDER/K.npz: Morgan fingerprints of radius 2 with
counts (Rogers and Hahn, J. Chem. Inf. Model. 50 (2010) 742), folded to BITS, as sparse rows. Processes of their own,
because RDKit holds Python's lock, and because a script that is not guarded by __main__ cannot start others by
multiprocessing. They need nothing else of this package.
"""
from __future__ import annotations

import gzip
import os
import pathlib
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

BITS, MOST = 2048, 255  # of a count, so that it fits into a byte
COLUMNS = BITS + 2      # and the number of heavy atoms, over TENTH, and 1
TENTH = 10.0            # keeps that column in the range of the counts
BLOCK = 20_000          # lines


def lines_of(paths: Sequence[str | os.PathLike[str]]) -> Iterator[str]:
    """All lines but empty ones: SMILES and what stands behind it."""
    for path in paths:
        opened = gzip.open if os.fspath(path).endswith(".gz") else open
        with opened(path, "rt", encoding="utf-8", errors="replace") as stream:
            yield from (" ".join(line.split(maxsplit=1)).rstrip() for line in stream if not line.isspace())


def blocks_of(paths: Sequence[str | os.PathLike[str]]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines_of(paths):
        block.append(line)
        if len(block) == BLOCK:
            yield block
            block = []
    if block:
        yield block


class Rows:
    """Fingerprints of a block. usable: which lines RDKit could read."""

    def __init__(self, path: pathlib.Path) -> None:
        with np.load(path) as file:
            self.columns, self.counts, self.starts = file["columns"], file["counts"], file["starts"]
            self.heavy = file["heavy"]
        self.usable = self.heavy > 0

    def __len__(self) -> int:
        return len(self.heavy)

    def dense(self, rows: Any) -> Any:
        """COLUMNS values of each of these rows."""
        matrix = np.zeros((len(rows), COLUMNS))
        for k, row in enumerate(rows):
            part = slice(self.starts[row], self.starts[row + 1])
            matrix[k, self.columns[part]] = self.counts[part]
        matrix[:, BITS], matrix[:, BITS + 1] = self.heavy[rows] / TENTH, 1
        return matrix

    def times(self, weights: Any) -> Any:
        """The product of all rows with a column of weights."""
        total = np.concatenate(([0.0], np.cumsum(weights[self.columns] * self.counts)))
        return total[self.starts[1:]] - total[self.starts[:-1]] + self.heavy / TENTH * weights[BITS] + weights[BITS + 1]


def write(path: pathlib.Path, lines: Sequence[str]) -> None:
    from rdkit import Chem, RDLogger
    from rdkit.Chem import rdFingerprintGenerator
    RDLogger.DisableLog("rdApp.*")  # type: ignore[attr-defined]
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=BITS)
    columns, counts, starts, heavy = [], [], [0], []
    for line in lines:
        mol = Chem.MolFromSmiles(line.split()[0])
        found = {} if mol is None else generator.GetCountFingerprint(mol).GetNonzeroElements()
        columns += found.keys()
        counts += found.values()
        starts.append(len(columns))
        heavy.append(0 if mol is None else mol.GetNumHeavyAtoms())
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as stream:
        np.savez(stream, columns=np.array(columns, np.uint16), counts=np.minimum(counts, MOST).astype(np.uint8),
                 starts=np.array(starts, np.int64), heavy=np.array(heavy, np.uint16))
    part.replace(path)  # whole or not at all


def main(folder: str, part: str, parts: str, *paths: str) -> None:
    for k, lines in enumerate(blocks_of(paths)):
        path = pathlib.Path(folder, f"{k}.npz")
        if k % int(parts) == int(part) and not path.exists():
            write(path, lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
