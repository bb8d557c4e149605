"""Libraries of prepared ligands in one file (.btl)."""
from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any

from ._arrow import library_files
from ._library import Strings, UsageError, Work, call, exception, ffi, lib, string
from ._ligand import prepare_options
from ._words import LigandOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclasses.dataclass(frozen=True)
class Library:
    """What prepare_library wrote. ligands: stored; rejects: name, source and error of those that could not be prepared;
    filtered: how many the filter left out; bytes: of the file. os.fspath(library) is its path."""

    path: str
    ligands: int
    filtered: int
    bytes: int
    rejects: list[tuple[str, str, Exception]] = dataclasses.field(repr=False)

    def __len__(self) -> int:
        return self.ligands

    def __fspath__(self) -> str:
        return self.path


def prepare_library(library: Any, path: str | os.PathLike[str], *, threads: int = 0, **options: Unpack[LigandOptions]) -> Library:
    """Prepares a library of any size on all cores (threads: 0) and stores it as one .btl file, as `berth prep library` does.

    library: a file, a folder, or with pyarrow a Parquet file, a pyarrow Table, RecordBatch or RecordBatchReader, a DataFrame or
    whatever offers an Arrow stream; or an iterable of these, which is read as it goes. Columns are those of a CSV file; options:
    smiles_field, name_field, keep_fields, filter, ph and others (LigandOptions)."""
    target = os.fspath(path)
    if not target.lower().endswith(".btl"):
        raise UsageError(f"{target}: the name of a library must end with .btl", "BT_ERR_USAGE")
    strings, work, rejects = Strings(), Work[None](), list[tuple[str, str, Exception]]()
    given = ffi.new("bt_library_options *", lib.bt_library_options_default())
    given.prepare = prepare_options(strings, work.stop, **options)[0]
    given.threads = threads

    def each(user: Any, name: Any, source: Any, molecule: Any, reason: Any) -> bool:
        if molecule == ffi.NULL and reason.status != lib.BT_ERR_FILTERED:
            rejects.append((string(name), string(source), exception(reason[0])))
        return not work.stop.is_set()

    given.opt_each = strings.keep(ffi.callback("bt_library_fn", each))
    result = ffi.new("bt_library_result *")
    with library_files(library) as paths:
        if not paths:
            raise UsageError("no ligands; provide a file, a table or several of them", "BT_ERR_USAGE")
        work.run(lambda: call(lib.bt_library_write, strings.many(paths), len(paths), target.encode(), given, result))
    return Library(target, int(result.ligands), int(result.filtered), int(result.bytes), rejects)
