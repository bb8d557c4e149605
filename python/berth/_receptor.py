"""Receptors, and the boxes that ligands are docked into."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from ._library import Strings, UsageError, call, ffi, fill, lib, listed, made, own, string, taken
from ._ligand import Ligand, Record, prepare_ligand
from ._words import Waters

PathLike = str | os.PathLike[str]
Triple = Sequence[float]
Words = str | Sequence[str]
REACH = 12.0  # Angstrom around a residue that ligands are bonded to, as in berth dock


@dataclasses.dataclass(frozen=True)
class Pocket:
    """A place where ligands may bind: center, and corners low and high of the box around it (Angstrom), volume (cubic Angstrom),
    buried (fraction of directions that meet the receptor), score."""

    center: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    volume: float
    buried: float
    score: float


def _three(name: str, numbers: Triple) -> list[float]:
    """x, y, z: exactly three numbers, as C expects."""
    found = [float(number) for number in numbers]
    if len(found) != 3:
        raise UsageError(f"{name} is {numbers!r}; use three numbers, in Angstrom")
    return found


class Receptor:
    """A protein or other receptor, prepared for docking, and the boxes that ligands are docked into.

    path: PDB or mmCIF (also .gz, .bz2, .zst), which is prepared, PDBQT, which is used unchanged, or maps (.maps.fld). text: its contents,
      of which path is then only the name, such as "mine.cif" ["receptor.pdb"].
    autobox: what the box is around: residues of the file ("478", "MK1:A:902", "A:25,B:25"; a ligand among them is then no part
      of the receptor), a file ("crystal.sdf"), FILE:RESIDUE, or an RDKit Mol with coordinates. A list of them makes several
      boxes. center, size: the box instead, Angstrom; size also goes with autobox. boxes: several, as pairs of center and size.
      pockets: docks into this many pockets of the receptor instead; find_pockets lists them.
    padding: Angstrom on every side of autobox. spacing: Angstrom between the points of maps.
    set_state: residue -> template, as {"B:25": "ASH"}. keep, delete: residues such as "HOH201" or "A:". flexible: side chains
      that move, such as "A:ARG8", or with a PDBQT receptor the PDBQT file of them. covalent: the residue that all ligands are
      bonded to, such as "A:CYS145"; the box is around it when no other one is given. keep_incomplete: side chains are not
      rebuilt. altlocs, templates, ph, model, zinc, flips, ignore_hydrogens, delete_unknown, as_drawn, strict, pka_file: as the
      options of `berth dock`; docs/preparation.md has all of them.
    waters: those of the file that stay: "none", "bound" (those that the receptor holds near the box, docs/preparation.md), "all";
      "toggle" makes an ensemble of the receptor without any and with the bound ones. keep adds others.
    ensemble: files of further structures of it, every model of each; ligands are docked into all of them, in the only box, and
      `site` of a pose is the number of its receptor. superpose: each is moved onto this one first, by the C-alpha atoms around
      the box.

    Receptors are pickled as their arguments, and prepared again from the file.
    """

    def __init__(self, path: PathLike = "receptor.pdb", autobox: Any = None, *, text: str | None = None,
                 center: Triple | None = None, size: Triple | None = None, boxes: Sequence[tuple[Triple, Triple]] = (),
                 pockets: int = 0, padding: float = 5.0, spacing: float = 0.375, set_state: Mapping[str, str] | None = None,
                 keep: Words = (), delete: Words = (), waters: Waters = "none", altlocs: Words = (), flexible: Words = (),
                 covalent: str | None = None, templates: Mapping[str, str] | None = None, ph: float | None = None,
                 model: int | Literal["all"] = 1, zinc: bool = False, flips: bool = False, ignore_hydrogens: bool = False,
                 delete_unknown: bool = False, keep_incomplete: bool = False, as_drawn: bool = False, strict: bool = False,
                 pka_file: PathLike | None = None, ensemble: Sequence[PathLike] = (), superpose: bool = True) -> None:
        self._arguments = {name: value for name, value in locals().items() if name != "self"}
        self.path, self.spacing, self.zinc, self.strict, self.pockets = pathlib.Path(path), spacing, zinc, strict, pockets
        self._model, self._text = 0 if model == "all" else int(model), text
        self.structure = bool(lib.bt_is_structure_file(os.fsencode(path)))
        self._boxes: list[Any] = []  # bt_box each
        if covalent is not None and autobox is None and center is None and not boxes:
            autobox, padding = covalent, REACH
        self._enlarge = autobox is not None and size is None  # where flexible side chains need room
        if not self.structure and (set_state or keep or delete or altlocs or covalent or templates or ph is not None
                                   or waters != "none"):
            raise UsageError(f"{path}: only a PDB or mmCIF file is prepared; this one is used unchanged")
        if waters == "toggle" and ensemble:
            raise UsageError('waters="toggle" and ensemble cannot be combined; use waters="bound", or one receptor')
        strings, options = Strings(), ffi.new("bt_receptor_options *", lib.bt_receptor_options_default())
        with tempfile.TemporaryDirectory() as folder:
            place = os.fspath(path) if text is None else os.path.join(folder, self.path.name)
            if text is not None:
                pathlib.Path(place).write_text(text, encoding="utf-8")
            places = self._find_boxes(place, autobox, center, size, boxes, padding)
            lists = {"keep": keep, "remove": delete, "altlocs": altlocs, "places": places,
                     "flexible": flexible if self.structure else (),
                     "states": [f"{where}:{state}" for where, state in (set_state or {}).items()],
                     "templates": [f"{name}={smiles}" for name, smiles in (templates or {}).items()]}
            for name, words in lists.items():
                setattr(options, name, strings.many(listed(words)))
                setattr(options, "n_" + name, len(listed(words)))
            fill(options, {"model": self._model, "zinc": zinc, "strict": strict, "flips": flips, "ph": ph, "as_drawn": as_drawn,
                           "ignore_hydrogens": ignore_hydrogens, "delete_unknown": delete_unknown, "covalent": covalent,
                           "keep_incomplete": keep_incomplete, "pka": pka_file,
                           "waters": "none" if waters == "toggle" else waters}, strings)
            lib.bt_boxes_tell(ffi.new("bt_box[]", self._boxes), len(self._boxes), options)
            moving = ffi.NULL if self.structure or not flexible else strings.one(",".join(listed(flexible)))
            source = ffi.new("bt_receptor_source *", {
                "path": strings.one(path if text is None else self.path.name), "opt_text": strings.one(text),
                "opt_prepare": options, "opt_flexible": moving})
            self._core = own(made("bt_receptor *", lib.bt_receptor_open, source), lib.bt_receptor_close)
            self._ensemble = [member for file in ensemble for member in self._members(file, options, superpose)]
            if waters == "toggle":
                options.waters, options.opt_name = lib.BT_WATERS_BOUND, strings.one(f"{self.path.stem} with waters")
                wet = own(made("bt_receptor *", lib.bt_receptor_open, source), lib.bt_receptor_close)
                if lib.bt_prepared_receptor_water_count(lib.bt_receptor_prepared(wet)) > 0:
                    self._ensemble = [wet]
        self._rigid, self._flexible = lib.bt_receptor_rigid(self._core), lib.bt_receptor_flexible(self._core)
        self._prepared = lib.bt_receptor_prepared(self._core)
        self._tether = ffi.NULL if self._prepared == ffi.NULL else lib.bt_prepared_receptor_tether(self._prepared)

    def _members(self, path: PathLike, options: Any, superpose: bool) -> Iterator[Any]:
        """The models of a further structure of the ensemble."""
        count = ffi.new("int *", 1)
        if lib.bt_is_structure_file(os.fsencode(path)):
            call(lib.bt_receptor_model_count, os.fsencode(path), count)
        for model in range(1, count[0] + 1):
            if pathlib.Path(path) == self.path and model == self._model:
                continue
            theirs = ffi.new("bt_receptor_options *", options[0])
            theirs.model, theirs.n_places = model, 0
            name = ffi.new("char[]", os.fsencode(path))
            source = ffi.new("bt_receptor_source *", {"path": name, "opt_prepare": theirs})
            if superpose:
                source.opt_onto = self._core
            yield own(made("bt_receptor *", lib.bt_receptor_open, source), lib.bt_receptor_close)

    def _find_boxes(self, path: str, autobox: Any, center: Triple | None, size: Triple | None,
                    boxes: Sequence[tuple[Triple, Triple]], padding: float) -> list[str]:
        """Sets _boxes; returns the residues of the receptor file that mark them."""
        if sum(map(bool, (autobox is not None, center is not None, boxes, self.pockets))) > 1:
            raise UsageError("autobox, center, boxes and pockets each define the box; use one of them")
        if size is not None and center is None and autobox is None or center is not None and size is None:
            raise UsageError("center and size must be given together")
        edges = ffi.NULL if size is None else ffi.new("double[3]", _three("size", size))
        places: list[str] = []
        pairs = [(center, size)] if center is not None else boxes
        for one in [] if autobox is None else autobox if isinstance(autobox, (list, tuple)) else [autobox]:
            if hasattr(one, "GetConformer"):
                places += self._find(_around_mol(one, edges, padding, self.spacing), path, ffi.NULL, padding)
            else:
                places += self._find(os.fspath(one), path, edges, padding)
        for middle, lengths in pairs:
            places += self._find(_numbers(_three("center", middle or ()), _three("size", lengths or ())), path, ffi.NULL, padding)
        return places

    def _find(self, words: str | list[Any], path: str, edges: Any, padding: float) -> list[str]:
        if not isinstance(words, str):
            self._boxes += words
            return []
        strings, boxes, count, residues = Strings(), ffi.new("bt_box **"), ffi.new("int *"), ffi.new("char **")
        request = ffi.new("bt_box_request *", {
            "words": strings.one(words), "opt_structure": strings.one(path if self.structure else None), "model": self._model,
            "opt_size": edges, "padding": padding, "spacing": self.spacing})
        call(lib.bt_boxes_find, request, boxes, count, residues)
        self._boxes += [ffi.new("bt_box *", boxes[0][i])[0] for i in range(count[0])]
        lib.free(boxes[0])
        marked = taken(residues[0])
        return [marked] if marked else []

    def __reduce__(self) -> tuple[Any, ...]:
        return _receptor, (self._arguments,)

    def __repr__(self) -> str:
        return f"berth.Receptor({str(self.path)!r}, center={self.center}, size={self.size})"

    @property
    def boxes(self) -> list[tuple[list[float], list[float]]]:
        """Center and edges of every box, Angstrom: edges are an even number of spacings."""
        return [(list(box.center), [intervals * box.spacing for intervals in box.npts]) for box in self._boxes]

    @property
    def center(self) -> list[float]:
        """Center of the (first) box, Angstrom; empty without one."""
        return self.boxes[0][0] if self._boxes else []

    @property
    def size(self) -> list[float]:
        """Edges of the (first) box, Angstrom; empty without one."""
        return self.boxes[0][1] if self._boxes else []

    @property
    def pdbqt(self) -> str:
        """The rigid atoms as PDBQT text; empty for maps."""
        return taken(made("char *", lib.bt_molecule_pdbqt, self._rigid)) if self._rigid != ffi.NULL else ""

    @property
    def report(self) -> str:
        """What was done to every residue, one line each; empty for a receptor that was not prepared."""
        return string(lib.bt_prepared_receptor_report(self._prepared)) if self._prepared != ffi.NULL else ""

    @property
    def notes(self) -> list[str]:
        """Notes on what should be checked."""
        notes: list[str] = []
        for core in [self._core, *(self._ensemble if self._arguments["waters"] == "toggle" else [])]:
            prepared = lib.bt_receptor_prepared(core)
            for i in range(lib.bt_prepared_receptor_note_count(prepared) if prepared != ffi.NULL else 0):
                note = string(lib.bt_prepared_receptor_note(prepared, i))
                notes += [note] if note not in notes else []
        return notes

    def find_pockets(self, most: int = 10) -> list[Pocket]:
        """Where ligands may bind, best first, as `berth pockets` lists them; Receptor(pockets=N) docks into the best N."""
        options, found, count = ffi.new("bt_grid_options *", lib.bt_grid_options_default()), ffi.new("bt_pocket **"), ffi.new("int *")
        options.stand_ins = lib.BT_STAND_INS_REFUSE if self.strict else lib.BT_STAND_INS_USE
        options.zinc = lib.BT_ZINC_ON if self.zinc else options.zinc
        call(lib.bt_pockets_find, self._atoms("pockets"), options, found, count)
        try:
            return [Pocket(tuple(p.center), tuple(p.low), tuple(p.high), p.volume, p.buried, p.score)
                    for p in (found[0][i] for i in range(min(most, count[0])))]
        finally:
            lib.free(found[0])

    def ligand_from(self, residue: str, template: str) -> Ligand:
        """A ligand out of the receptor's file, at its coordinates: its residue, such as "478", and its SMILES, which gives the bond
        orders. It stays part of the receptor, unless that has its box around it or deletes it."""
        if not self.structure or self._text is not None:
            raise UsageError(f"{self.path}: ligands can be extracted only from a PDB or mmCIF file")
        text = taken(made("char *", lib.bt_receptor_ligand_pdb, os.fsencode(self.path), self._model, residue.encode()))
        return prepare_ligand(Record(text, residue.replace(":", "-"), "pdb"), template=template)

    def _atoms(self, what: str) -> Any:
        if self._rigid == ffi.NULL:
            raise UsageError(f"{self.path}: {what} need the receptor's atoms; use a .pdb, .cif or .pdbqt file")
        return self._rigid


def _numbers(center: Triple, size: Triple) -> str:
    return ":".join(",".join(map(repr, three)) for three in (center, size))


def _around_mol(mol: Any, edges: Any, padding: float, spacing: float) -> list[Any]:
    if mol.GetNumConformers() == 0 or not mol.GetConformer().Is3D():
        raise UsageError("the molecule of autobox has no 3D coordinates; read it from a file with coordinates, such as SDF")
    xyz, box = mol.GetConformer().GetPositions(), ffi.new("bt_box *")
    call(lib.bt_box_around, list(xyz.min(axis=0)), list(xyz.max(axis=0)), edges, padding, spacing, box)
    return [box[0]]


def _receptor(arguments: dict[str, Any]) -> Receptor:
    return Receptor(**arguments)


def prepare_receptor(path: PathLike, **options: Any) -> Receptor:
    """A receptor without a box: .pdbqt, .report and .notes have the results."""
    return Receptor(path, **options)
