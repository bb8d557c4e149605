"""Affinity maps of a receptor."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

from ._library import ParameterError, Strings, call, ffi, find, lib, listed, made, own, string
from ._receptor import Receptor

# Types that ligands are likely to have, for AutoDock 4.
LIKELY = "HD C A N NA OA F S SA Cl Br I P H HS NS OS Si B Mg Ca Mn Fe Zn CL BR".split()


def scoring_of(name: str) -> int:
    return find("bt_scoring", lib.bt_scoring_find, name, "scoring", lib.bt_scoring_choices)


def types_of(handle: Any) -> set[str]:
    """The atom types of a ligand that need maps: carbons of opened macrocycles use C, ring-closure points need none."""
    types = {string(lib.bt_ligand_type(handle, i)) for i in range(lib.bt_ligand_type_count(handle))}
    return {re.sub(r"^CG\d$", "C", name) for name in types if not re.fullmatch(r"G\d", name)}


def all_types(scoring: int) -> list[str]:
    if scoring == lib.BT_SCORING_AD4:
        return LIKELY
    types: list[str] = []
    while (name := lib.bt_vina_map_type(len(types))) != ffi.NULL:
        types.append(string(name))
    return types


def grid_options(receptor: Receptor, scoring: int, threads: int, strings: Strings, parameters: Any = None,
                 box: Any = None) -> Any:
    options = ffi.new("bt_grid_options *", lib.bt_grid_options_default())
    options.box, options.threads, options.scoring = receptor._box() if box is None else box, threads, scoring
    options.stand_ins = lib.BT_STAND_INS_REFUSE if receptor.strict else lib.BT_STAND_INS_USE
    options.opt_parameter_file = strings.one(parameters)
    if receptor.zinc:
        options.zinc = lib.BT_ZINC_ON
    return options


def compute(receptor: Receptor, types: Iterable[str], scoring: int, threads: int, parameters: Any = None,
            box: Any = None) -> Any:
    """Maps of these types, except those without parameters; box: a bt_box, the receptor's by default."""
    strings, names = Strings(), listed(types)
    options = grid_options(receptor, scoring, threads, strings, parameters, box)

    def computed(names: list[str]) -> Any:
        maps = made("bt_maps *", lib.bt_maps_compute, receptor._rigid, strings.many(names), len(names), options)
        return own(maps, lib.bt_maps_destroy, receptor)

    try:
        return computed(names)
    except ParameterError:
        box = ffi.new("bt_box *", options.box)
        options.box.npts = [2, 2, 2]  # shows quickly which types have parameters
        good = [name for name in names if lib.bt_maps_compute(
            receptor._rigid, strings.many([name]), 1, options, (place := ffi.new("bt_maps **")), ffi.NULL) == lib.BT_OK
            and own(place[0], lib.bt_maps_destroy) is not None]
        options.box = box[0]
        if not good:
            raise
        return computed(good)


def grid(receptor: Receptor, prefix: str | os.PathLike[str], *, types: Iterable[str] | None = None, scoring: str = "ad4",
         threads: int = 0, parameters: str | os.PathLike[str] | None = None) -> str:
    """Writes PREFIX.maps.fld and PREFIX.TYPE.map of the receptor's box, and returns the path of the .fld. types: atom types,
    for Vina and Vinardo classes such as C_H; all that ligands are likely to have by default. parameters: a file of AutoGrid."""
    function = scoring_of(scoring)
    maps = compute(receptor, all_types(function) if types is None else types, function, threads, parameters)
    call(lib.bt_maps_write, maps, os.fspath(prefix).encode())
    return os.fspath(prefix) + ".maps.fld"
