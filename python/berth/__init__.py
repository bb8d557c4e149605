"""Berth: molecular docking and virtual screening.

    receptor = berth.Receptor("1hpv.pdb", autobox="478", set_state={"B:25": "ASH"})
    engine = berth.Engine(receptor, seed=42)
    result = engine.dock("CC(=O)Oc1ccccc1C(=O)O")
    result.poses[0].energy, result.poses[0].mol, result.to_dataframe()

Energies are kcal/mol, coordinates Angstrom. Errors of the library are raised as berth.Error.
"""
from ._btl import Library, prepare_library
from ._engine import Engine, Score, Scores, grid
from ._library import (BoxError, Cancelled, DeviceError, Error, FileError, FilteredError, InputError, LimitError,
                       OutOfMemoryError, ParameterError, UsageError, ffi, lib, string)
from ._ligand import Ligand, prepare_ligand
from ._receptor import Pocket, Receptor, prepare_receptor
from ._report import Report, report
from ._result import Energy, Pose, Result, Results, load
from ._screen import Hit, Ranking, Screen, open_screen, rank_receptors
from ._words import LigandOptions

__version__ = string(lib.bt_build_version())
__all__ = ["BoxError", "Cancelled", "DeviceError", "Energy", "Engine", "Error", "FileError", "FilteredError", "Hit",
           "InputError", "Library", "Ligand", "LigandOptions", "LimitError", "OutOfMemoryError", "ParameterError", "Pocket",
           "Pose", "Ranking", "Receptor", "Report", "Result", "Results", "Score", "Scores", "Screen", "UsageError", "devices",
           "features", "grid", "load", "open_screen", "prepare_library", "prepare_ligand", "prepare_receptor",
           "rank_receptors", "report"]


def features() -> dict[str, bool]:
    """What this build has: {"rdkit": True, "cuda": False, ...}."""
    found: dict[str, bool] = {}
    while (feature := lib.bt_build_feature(len(found))).name != ffi.NULL:
        found[string(feature.name)] = bool(feature.built_in)
    return found


def devices() -> list[dict[str, str | bool]]:
    """Devices for docking: name (for Engine(device=...)), description, usable, reason (why not)."""
    found = [lib.bt_device(i) for i in range(lib.bt_device_count())]
    return [{"name": string(d.name), "description": string(d.description), "usable": bool(d.usable),
             "reason": string(d.reason)} for d in found]
