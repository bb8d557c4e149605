"""Receptors, and the box in which is searched."""
from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ._library import Strings, UsageError, call, ffi, lib, made, own, string, taken

PathLike = str | os.PathLike[str]
Triple = Sequence[float]

# Residues that receptors are made of: a box around one does not take it out.
OWN = frozenset("ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL MSE HID HIE HIP ASH GLH "
                "CYX HEM HOH WAT DA DC DG DT A C G U".split())


def is_structure(path: PathLike) -> bool:
    return re.search(r"\.(pdb|ent|cif|mmcif)(\.gz)?$", str(path), re.IGNORECASE) is not None


def _extent_of_pdb(text: str) -> tuple[list[float], list[float]]:
    """Lowest and highest x, y, z of the atoms of the first model."""
    atoms: list[list[float]] = []
    for line in text.splitlines():
        if line.startswith("ENDMDL") and atoms:
            break
        if line.startswith(("ATOM  ", "HETATM")):
            atoms.append([float(line[30 + 8 * k:38 + 8 * k]) for k in range(3)])
    if not atoms:
        raise UsageError("no atoms to place the box around")
    return [min(x) for x in zip(*atoms)], [max(x) for x in zip(*atoms)]


def _extent_of_molecules(path: str) -> tuple[list[float], list[float]]:
    """The same of all molecules of a file of ligands."""
    options = ffi.new("bt_prepare_options *", lib.bt_prepare_options_default())
    options.format, options.rigid_macrocycles = lib.BT_LIGAND_PDBQT, True
    reader = own(made("bt_ligand_reader *", lib.bt_ligand_reader_open, path.encode(), options), lib.bt_ligand_reader_close)
    low, high, corners = ffi.new("double[3]"), ffi.new("double[3]"), []
    while (molecule := made("bt_molecule *", lib.bt_ligand_reader_next, reader)) != ffi.NULL:
        molecule = own(molecule, lib.bt_molecule_destroy)
        call(lib.bt_molecule_extent, molecule, ffi.NULL, low, high)
        corners.append((list(low), list(high)))
    lows, highs = zip(*corners)
    return [min(x) for x in zip(*lows)], [max(x) for x in zip(*highs)]


def _file_and_residue(word: str, structure: str | None) -> tuple[str, str | None]:
    """FILE, FILE:RESIDUE, or RESIDUE of the receptor's own file."""
    parts = word.split(":")
    for size in range(len(parts), 0, -1):
        path = ":".join(parts[:size])
        if os.path.exists(path):
            return path, ":".join(parts[size:]) or None
    if structure is None or "/" in word or is_structure(word) or re.search(r"\.(sdf|mol2?|pdbqt)(\.gz)?$", word):
        return word, None
    return structure, word


class Receptor:
    """A protein, or whatever else ligands bind to, made ready for docking, and the box in which is searched.

    path: PDB or mmCIF (also .gz), which is prepared, or PDBQT, which is taken as it is.
    autobox: what the box is around: a residue of the file ("478", "MK1:A:902"), which is then no part of the receptor;
      a file ("crystal.sdf"), FILE:RESIDUE, or an RDKit Mol with coordinates.
    center, size: the box instead, Angstrom; size also goes with autobox. padding: Angstrom on every side of autobox.
    spacing: Angstrom between the points of maps.
    set_state: residue -> template, as {"B:25": "ASH"}. keep, delete: residues such as "HOH201" or "A:". flexible: side chains
      that move, such as "A:ARG8". altlocs, templates, ph, model, zinc, flips, ignore_hydrogens, delete_unknown, strict: as
      the options of `berth dock`; docs/preparation.md has all of them.

    Receptors are pickled as their arguments, and made anew from the file.
    """

    def __init__(self, path: PathLike, autobox: Any = None, *, center: Triple | None = None, size: Triple | None = None,
                 padding: float = 5.0, spacing: float = 0.375, set_state: Mapping[str, str] | None = None,
                 keep: Sequence[str] = (), delete: Sequence[str] = (), altlocs: Sequence[str] = (),
                 flexible: Sequence[str] = (), templates: Mapping[str, str] | None = None, ph: float | None = None,
                 model: int = 1, zinc: bool = False, flips: bool = False, ignore_hydrogens: bool = False,
                 delete_unknown: bool = False, strict: bool = False) -> None:
        self._arguments = {name: value for name, value in locals().items() if name != "self"}
        self.path, self.zinc, self.strict = pathlib.Path(path), zinc, strict
        structure = os.fspath(path) if is_structure(path) else None
        low_high, residue = self._extent(autobox, structure, model)
        self.center, self.size = self._place(low_high, center, size, padding)
        self.spacing = spacing
        self._prepared: Any = None
        if structure is None:
            if set_state or keep or delete or altlocs or flexible or templates or ph is not None:
                raise UsageError(f"{path}: a PDBQT file is taken as it is; give a PDB or mmCIF file to prepare it")
            self._read(os.fspath(path))
        else:
            strings, options = Strings(), ffi.new("bt_receptor_options *", lib.bt_receptor_options_default())
            lists = {"keep": keep, "remove": delete, "altlocs": altlocs, "flexible": flexible,
                     "states": [f"{where}:{state}" for where, state in (set_state or {}).items()],
                     "templates": [f"{name}={smiles}" for name, smiles in (templates or {}).items()]}
            for name, words in lists.items():
                setattr(options, name, strings.many(words))
                setattr(options, "n_" + name, len(words))
            options.opt_ligand = strings.one(residue if not self._kept(residue, keep) else None)
            options.model, options.zinc, options.strict, options.flips = model, zinc, strict, flips
            options.ignore_hydrogens, options.delete_unknown = ignore_hydrogens, delete_unknown
            if ph is not None:
                options.ph = ph
            self._prepare(structure, options)
        self._enlarge(autobox is not None and size is None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _receptor, (self._arguments,)

    def __repr__(self) -> str:
        return f"berth.Receptor({str(self.path)!r}, center={self.center}, size={self.size})"

    @property
    def pdbqt(self) -> str:
        """The atoms that stay, as PDBQT text."""
        return taken(made("char *", lib.bt_molecule_pdbqt, self._rigid))

    @property
    def report(self) -> str:
        """What was done to every residue, one line each; empty for a PDBQT file."""
        return string(lib.bt_prepared_receptor_report(self._prepared)) if self._prepared is not None else ""

    @property
    def notes(self) -> list[str]:
        """What should be looked at."""
        if self._prepared is None:
            return []
        count = lib.bt_prepared_receptor_note_count(self._prepared)
        return [string(lib.bt_prepared_receptor_note(self._prepared, i)) for i in range(count)]

    @staticmethod
    def _kept(residue: str | None, keep: Sequence[str]) -> bool:
        name = (residue or "").split(":")[0]
        return name in OWN or any(word.startswith(name) for word in keep)

    @staticmethod
    def _extent(autobox: Any, structure: str | None, model: int) -> tuple[Any, str | None]:
        if autobox is None:
            return None, None
        if hasattr(autobox, "GetConformer"):
            xyz = autobox.GetConformer().GetPositions()
            return (list(xyz.min(axis=0)), list(xyz.max(axis=0))), None
        path, residue = _file_and_residue(os.fspath(autobox), structure)
        if not is_structure(path):
            return _extent_of_molecules(path), None
        if residue is None:
            if re.search(r"\.(pdb|ent)$", path, re.IGNORECASE) is None:  # as `berth dock --autobox`
                raise UsageError(f"{path}: this file is more than one molecule; name the residue, as in FILE:LIG:A:201")
            return _extent_of_pdb(pathlib.Path(path).read_text(encoding="latin-1")), None
        text = taken(made("char *", lib.bt_receptor_ligand_pdb, path.encode(), model, residue.encode()))
        return _extent_of_pdb(text), residue if path == structure else None

    @staticmethod
    def _place(low_high: Any, center: Triple | None, size: Triple | None, padding: float) -> tuple[list[float], list[float]]:
        if low_high is not None:
            if center is not None:
                raise UsageError("autobox and center both place the box; give one of the two")
            low, high = low_high
            return ([0.5 * (a + b) for a, b in zip(low, high)],
                    list(size) if size is not None else [b - a + 2.0 * padding for a, b in zip(low, high)])
        if (center is None) != (size is None):
            raise UsageError("center and size go together")
        return list(center or ()), list(size or ())

    def _prepare(self, path: str, options: Any) -> None:
        prepared = made("bt_prepared_receptor *", lib.bt_receptor_prepare, path.encode(), options)
        self._prepared = own(prepared, lib.bt_prepared_receptor_destroy)
        self._rigid = lib.bt_prepared_receptor_rigid(prepared)
        self._flexible = lib.bt_prepared_receptor_flexible(prepared)

    def _read(self, path: str) -> None:
        listed, count = ffi.new("bt_molecule ***"), ffi.new("int *")
        call(lib.bt_molecule_read, path.encode(), lib.BT_MOLECULE_RECEPTOR, listed, count)
        self._list = own(listed[0], lambda list_: lib.bt_molecule_list_destroy(list_, count[0]))
        if count[0] != 1:
            raise UsageError(f"{path}: {count[0]} models, but one receptor is needed")
        self._rigid, self._flexible = listed[0][0], ffi.NULL

    def _enlarge(self, automatic: bool) -> None:
        """Side chains that move need 3 Angstrom around them in a box that was placed by itself."""
        low, high = ffi.new("double[3]"), ffi.new("double[3]")
        if not automatic or self._flexible == ffi.NULL:
            return
        call(lib.bt_molecule_extent, self._flexible, ffi.NULL, low, high)
        box = self._box()
        for k in range(3):
            half = 0.5 * box.npts[k] * box.spacing
            lower, upper = min(box.center[k] - half, low[k] - 3.0), max(box.center[k] + half, high[k] + 3.0)
            self.center[k], self.size[k] = 0.5 * (lower + upper), upper - lower

    def _box(self) -> Any:
        if not self.center:
            raise UsageError("the box is not known; give the receptor autobox, or center and size")
        if not all(0.0 < edge <= 1000.0 for edge in self.size):
            raise UsageError(f"edges of the box must lie between 0 and 1000 Angstrom, not {self.size}")
        return lib.bt_box_from_size(list(self.center), list(self.size), self.spacing)


def _receptor(arguments: dict[str, Any]) -> Receptor:
    return Receptor(**arguments)


def prepare_receptor(path: PathLike, **options: Any) -> Receptor:
    """A receptor without a box: .pdbqt, .report and .notes tell what came of it."""
    return Receptor(path, **options)
