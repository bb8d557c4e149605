"""Receptors, and the search box."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from ._library import Strings, UsageError, call, ffi, lib, listed, made, own, string, taken

PathLike = str | os.PathLike[str]
Triple = Sequence[float]
Words = str | Sequence[str]


def is_structure(path: PathLike) -> bool:
    return bool(lib.bt_is_structure_file(os.fsencode(path)))


def _three(name: str, numbers: Triple) -> list[float]:
    """x, y, z: exactly three numbers, as C expects."""
    found = [float(number) for number in numbers]
    if len(found) != 3:
        raise UsageError(f"{name} is {numbers!r}; give three numbers, in Angstrom")
    return found


class _Place:
    """A file, FILE:RESIDUE, or a residue of the receptor file."""

    def __init__(self, word: PathLike, structure: str | None) -> None:
        self._place = own(ffi.new("bt_place *"), lib.bt_place_clear)
        call(lib.bt_place_find, os.fsencode(word), ffi.NULL if structure is None else structure.encode(), self._place)
        self.path, self.residues = string(self._place.path), string(self._place.opt_residues) or None

    def corners(self, model: int) -> tuple[Any, Any]:
        """Lowest and highest x, y, z of its atoms."""
        low, high = ffi.new("double[3]"), ffi.new("double[3]")
        call(lib.bt_place_extent, self._place, model, low, high)
        return low, high


REACH = 12.0  # Angstrom around a residue that ligands are bonded to, as in berth dock


class Receptor:
    """A protein or other receptor, prepared for docking, and the search box.

    path: PDB or mmCIF (also .gz), which is prepared, or PDBQT, which is used unchanged.
    autobox: what the box is around: residues of the file ("478", "MK1:A:902", "A:25,B:25"; a ligand among them is then no part
      of the receptor), a file ("crystal.sdf"), FILE:RESIDUE, or an RDKit Mol with coordinates.
    center, size: the box instead, Angstrom; size also goes with autobox. padding: Angstrom on every side of autobox.
    spacing: Angstrom between the points of maps.
    set_state: residue -> template, as {"B:25": "ASH"}. keep, delete: residues such as "HOH201" or "A:". flexible: side chains
      that move, such as "A:ARG8". covalent: the residue that all ligands are bonded to, such as "A:CYS145"; the
      box is around it when no other one is given. altlocs, templates, ph, model, zinc, flips,
      ignore_hydrogens, delete_unknown, keep_incomplete (`--no-rebuild`), strict: as the options of `berth dock`; docs/preparation.md has all of them.

    Receptors are pickled as their arguments, and prepared again from the file.
    """

    def __init__(self, path: PathLike, autobox: Any = None, *, center: Triple | None = None, size: Triple | None = None,
                 padding: float = 5.0, spacing: float = 0.375, set_state: Mapping[str, str] | None = None,
                 keep: Words = (), delete: Words = (), altlocs: Words = (),
                 flexible: Words = (), covalent: str | None = None, templates: Mapping[str, str] | None = None,
                 ph: float | None = None,
                 model: int | str = 1, zinc: bool = False, flips: bool = False, ignore_hydrogens: bool = False,
                 delete_unknown: bool = False, keep_incomplete: bool = False, strict: bool = False) -> None:
        self._arguments = {name: value for name, value in locals().items() if name != "self"}
        model = 0 if model == "all" else int(model)
        self.path, self.spacing, self.zinc, self.strict = pathlib.Path(path), spacing, zinc, strict
        structure = os.fspath(path) if is_structure(path) else None
        if covalent is not None and autobox is None and center is None:
            autobox, padding = covalent, REACH
        self._box_or_none, places = self._find_box(autobox, structure, model, center, size, padding, spacing)
        self._prepared: Any = None
        if structure is None:
            if set_state or keep or delete or altlocs or flexible or covalent or templates or ph is not None:
                raise UsageError(f"{path}: a PDBQT file is used unchanged; give a PDB or mmCIF file to prepare it")
            self._read(os.fspath(path))
        else:
            strings, options = Strings(), ffi.new("bt_receptor_options *", lib.bt_receptor_options_default())
            lists = {"keep": keep, "remove": delete, "altlocs": altlocs, "flexible": flexible, "places": places,
                     "states": [f"{where}:{state}" for where, state in (set_state or {}).items()],
                     "templates": [f"{name}={smiles}" for name, smiles in (templates or {}).items()]}
            for name, words in lists.items():
                setattr(options, name, strings.many(listed(words)))
                setattr(options, "n_" + name, len(listed(words)))
            options.model, options.zinc, options.strict, options.flips = model, zinc, strict, flips
            options.ignore_hydrogens, options.delete_unknown = ignore_hydrogens, delete_unknown
            options.keep_incomplete = keep_incomplete
            options.opt_covalent = strings.one(covalent)
            if self._box_or_none is not None:
                options.box_center, options.box_size = self.center, self.size
            if ph is not None:
                options.ph = ph
            self._prepare(structure, options)
        if autobox is not None and size is None:
            self._enlarge()

    def __reduce__(self) -> tuple[Any, ...]:
        return _receptor, (self._arguments,)

    def __repr__(self) -> str:
        return f"berth.Receptor({str(self.path)!r}, center={self.center}, size={self.size})"

    @property
    def center(self) -> list[float]:
        """Centre of the box, Angstrom; empty without one."""
        return list(self._box_or_none.center) if self._box_or_none is not None else []

    @property
    def size(self) -> list[float]:
        """Edges of the box, Angstrom: an even number of spacings each; empty without one."""
        box = self._box_or_none
        return [intervals * box.spacing for intervals in box.npts] if box is not None else []

    @property
    def pdbqt(self) -> str:
        """The rigid atoms as PDBQT text."""
        return taken(made("char *", lib.bt_molecule_pdbqt, self._rigid))

    @property
    def report(self) -> str:
        """What was done to every residue, one line each; empty for a PDBQT file."""
        return string(lib.bt_prepared_receptor_report(self._prepared)) if self._prepared is not None else ""

    @property
    def notes(self) -> list[str]:
        """Notes on what should be checked."""
        if self._prepared is None:
            return []
        count = lib.bt_prepared_receptor_note_count(self._prepared)
        return [string(lib.bt_prepared_receptor_note(self._prepared, i)) for i in range(count)]

    @staticmethod
    def _find_box(autobox: Any, structure: str | None, model: int, center: Triple | None, size: Triple | None,
                  padding: float, spacing: float) -> tuple[Any, list[str]]:
        """The box, or None, and the residues of the receptor file that define it."""
        box, places = ffi.new("bt_box *"), []
        if autobox is None:
            if (center is None) != (size is None):
                raise UsageError("center and size must be given together")
            if center is None or size is None:
                return None, []
            call(lib.bt_box_at, _three("center", center), _three("size", size), spacing, box)
            return box, []
        if center is not None:
            raise UsageError("autobox and center both define the box; give one of the two")
        if hasattr(autobox, "GetConformer"):
            if autobox.GetNumConformers() == 0 or not autobox.GetConformer().Is3D():
                raise UsageError("the molecule of autobox has no 3D coordinates; read it from a file "
                                 "with coordinates, such as SDF")
            xyz = autobox.GetConformer().GetPositions()
            low, high = list(xyz.min(axis=0)), list(xyz.max(axis=0))
        else:
            place = _Place(autobox, structure)
            low, high = place.corners(model)
            if place.residues is not None and place.path == structure:
                places.append(place.residues)
        call(lib.bt_box_around, low, high, ffi.NULL if size is None else _three("size", size), padding, spacing, box)
        return box, places

    def _prepare(self, path: str, options: Any) -> None:
        prepared = made("bt_prepared_receptor *", lib.bt_receptor_prepare, path.encode(), options)
        self._prepared = own(prepared, lib.bt_prepared_receptor_destroy)
        self._rigid = lib.bt_prepared_receptor_rigid(prepared)
        self._tether = lib.bt_prepared_receptor_tether(prepared)
        self._flexible = lib.bt_prepared_receptor_flexible(prepared)

    def _read(self, path: str) -> None:
        listed, count = ffi.new("bt_molecule ***"), ffi.new("int *")
        call(lib.bt_molecule_read, path.encode(), lib.BT_MOLECULE_RECEPTOR, listed, count)
        self._list = own(listed[0], lambda list_: lib.bt_molecule_list_destroy(list_, count[0]))
        if count[0] != 1:
            raise UsageError(f"{path}: {count[0]} models, but one receptor is needed")
        self._rigid, self._flexible, self._tether = listed[0][0], ffi.NULL, ffi.NULL

    def _enlarge(self) -> None:
        """Flexible side chains need a margin of 3 Angstrom in a box that was placed automatically."""
        if self._flexible != ffi.NULL:
            low, high = ffi.new("double[3]"), ffi.new("double[3]")
            call(lib.bt_molecule_extent, self._flexible, ffi.NULL, low, high)
            lib.bt_box_include(self._box_or_none, low, high, 3.0)

    def _box(self) -> Any:
        if self._box_or_none is None:
            raise UsageError("no box; give autobox, or center and size, to the receptor")
        return self._box_or_none[0]


def _receptor(arguments: dict[str, Any]) -> Receptor:
    return Receptor(**arguments)


def prepare_receptor(path: PathLike, **options: Any) -> Receptor:
    """A receptor without a box: .pdbqt, .report and .notes have the results."""
    return Receptor(path, **options)
