"""Interactions of poses with the receptor as a table."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._library import UsageError, call, ffi, lib, listed, made, own, taken

if TYPE_CHECKING:
    import pandas

    from ._result import Pose, Result


def _found(site: Any, result: Result, rank: int) -> Any:
    core = result._need_core("interactions")
    xyz = lib.bt_result_coordinates(core, result._positions[rank])
    return own(made("bt_interactions *", lib.bt_interactions_find, site, lib.bt_result_ligand(core), xyz),
               lib.bt_interactions_destroy)


def table(result: Result, reference: Pose | None, must_contact: str | Iterable[str] | None) -> pandas.DataFrame:
    import pandas

    receptor = result._receptor._rigid
    if receptor == ffi.NULL:
        raise UsageError("interactions need the receptor's atoms; use a .pdb, .cif or .pdbqt receptor")
    site = own(made("bt_interaction_site *", lib.bt_interaction_site_open, receptor, ffi.NULL),
               lib.bt_interaction_site_close)
    words = ",".join(listed(must_contact or ()))
    keep = own(made("bt_contact_filter *", lib.bt_contact_filter_create, words.encode(), receptor),
               lib.bt_contact_filter_destroy) if words else None
    of_reference = None
    if reference is not None:
        rank = next(k for k, pose in enumerate(reference.result.poses) if pose.run == reference.run)
        of_reference = _found(site, reference.result, rank)
    rows: dict[int, dict[str, float]] = {}
    for rank, pose in enumerate(result.poses):
        if pose.rank_in_cluster != 1:
            continue
        found = _found(site, result, rank)
        if keep is not None and lib.bt_interactions_miss(found, keep) != ffi.NULL:
            continue
        text = taken(lib.bt_interactions_text(found))
        row: dict[str, float] = {} if text == "none" else dict.fromkeys(text.split(", "), 1)
        if of_reference is not None:
            row["similarity"] = lib.bt_interactions_similarity(found, of_reference)
        rows[rank + 1] = row
    frame = pandas.DataFrame.from_dict(rows, orient="index")
    columns = [name for name in frame.columns if name != "similarity"]
    frame[columns] = frame[columns].fillna(0).astype(int)
    frame.index.name = "rank"
    return frame
