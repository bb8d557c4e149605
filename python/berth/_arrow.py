"""Tables of pyarrow, pandas, DuckDB and others, and Parquet files, as libraries: batch by batch into CSV files."""
from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from ._library import UsageError

TABLES = ("to_pandas", "iterrows", "__arrow_c_stream__")  # what tables have, and paths do not


def is_table(thing: object) -> bool:
    """A pyarrow.Table, RecordBatch or RecordBatchReader, a DataFrame, or whatever offers an Arrow stream."""
    return any(hasattr(thing, name) for name in TABLES)


def is_parquet(thing: object) -> bool:
    return isinstance(thing, (str, os.PathLike)) and os.fspath(thing).lower().endswith((".parquet", ".pq"))


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError:
        raise UsageError("tables and Parquet files need pyarrow; pip install pyarrow, or provide CSV") from None
    return pyarrow


def _batches(thing: Any) -> Iterator[Any]:
    """Record batches, one after the other."""
    arrow = _pyarrow()
    if is_parquet(thing):
        with arrow.parquet.ParquetFile(thing) as file:
            yield from file.iter_batches()
    elif isinstance(thing, arrow.RecordBatch):
        yield thing
    elif hasattr(thing, "__arrow_c_stream__"):
        yield from arrow.RecordBatchReader.from_stream(thing)
    else:
        yield from arrow.Table.from_pandas(thing, preserve_index=False).to_batches()


def _flat(batch: Any) -> Any:
    """The columns that CSV can have: lists and structs are left out, decimals, dates and categories are texts."""
    arrow = _pyarrow()
    types, arrays, names = arrow.types, [], []
    for field, array in zip(batch.schema, batch.columns):
        if types.is_nested(field.type) or field.name == "__index_level_0__":
            continue
        plain = (types.is_integer(field.type) or types.is_floating(field.type) or types.is_boolean(field.type)
                 or types.is_string(field.type))
        arrays.append(array if plain else array.cast(arrow.string()))
        names.append(field.name)
    return arrow.RecordBatch.from_arrays(arrays, names=names)


class _Files:
    """CSV files in a folder. Tables that follow each other and have the same columns, such as those of an iterator, are one."""

    def __init__(self, folder: str) -> None:
        self.folder, self.paths = pathlib.Path(folder), list[str]()
        self.writer: Any = None
        self.schema: Any = None

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.writer = self.schema = None

    def add(self, thing: Any, stem: str | None) -> None:
        """stem: of a file of its own."""
        arrow = _pyarrow()
        if stem is not None:
            self.close()
        for batch in map(_flat, _batches(thing)):
            if self.schema is None or self.schema != batch.schema:
                self.close()
                path = self.folder / f"{len(self.paths) + 1}" / f"{stem or 'table'}.csv"
                path.parent.mkdir()
                self.paths.append(str(path))
                self.schema = batch.schema
                self.writer = arrow.csv.CSVWriter(str(path), batch.schema)
            self.writer.write_batch(batch)
        if stem is not None:
            self.close()


@contextlib.contextmanager
def library_files(library: Any) -> Iterator[list[str]]:
    """The files of a library: paths as they are, tables and Parquet as CSV in a temporary folder (TMPDIR)."""
    things: Iterable[Any] = [library] if isinstance(library, (str, os.PathLike)) or is_table(library) else library
    with tempfile.TemporaryDirectory(prefix="berth-") as folder:
        files, paths = _Files(folder), list[str]()
        for thing in things:
            if is_table(thing) or is_parquet(thing):
                before = len(files.paths)
                files.add(thing, pathlib.Path(os.fspath(thing)).stem if is_parquet(thing) else None)
                paths += files.paths[before:]
            else:
                files.close()
                paths.append(os.fspath(thing))
        files.close()
        yield paths
