"""Input and output of molecules: RDKit Mols, SMILES, files.

Mols are passed as text, so that RDKit of PyPI and that of the library may differ in version: in as an SDF record
V3000 with all atoms, bonds, stereo, name and properties (one without a conformer gets flat coordinates, from which the library
makes a conformer), out as SDF records with all hydrogens.
"""
from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ._library import Error, InputError, Strings, UsageError, call, ffi, fill, lib, made, own, string, taken
from ._words import LigandOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Ligand:
    """A prepared ligand: name, smiles, notes (what preparation changed), pdbqt, sdf, mol. Pickled as the input that it was prepared from."""

    def __init__(self, molecule: Any) -> None:
        self._arguments: tuple[Any, LigandOptions] | None = None
        self._molecule = own(molecule, lib.bt_molecule_destroy)
        self.name = string(lib.bt_molecule_name(molecule))
        if not lib.bt_molecule_has_chemistry(molecule):  # PDBQT: Meeko's remarks may contain the bonds
            lib.bt_molecule_find_chemistry(molecule, ffi.NULL)

    def __repr__(self) -> str:
        return f"<berth.Ligand {self.name!r}, {len(self)} atoms>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._arguments is None:
            raise TypeError(f"{self!r} cannot be pickled; prepare it by berth.prepare_ligand")
        return _ligand, self._arguments

    def copy(self) -> Ligand:
        """The same, prepared again."""
        function, arguments = self.__reduce__()
        made: Ligand = function(*arguments)
        return made

    def __len__(self) -> int:
        return int(lib.bt_molecule_atom_count(self._molecule))

    @property
    def smiles(self) -> str:
        """Canonical isomeric SMILES; "" if bonds are unknown."""
        return string(lib.bt_molecule_smiles(self._molecule))

    @property
    def notes(self) -> list[str]:
        """What preparation changed or chose."""
        molecule = self._molecule
        return [string(lib.bt_molecule_note(molecule, i)) for i in range(lib.bt_molecule_note_count(molecule))]

    @property
    def pdbqt(self) -> str:
        """The atoms that are docked, and the torsions."""
        return taken(made("char *", lib.bt_molecule_pdbqt, self._molecule))

    @property
    def sdf(self) -> str:
        """One SDF record with all hydrogens, name and data items of the input."""
        return taken(made("char *", lib.bt_molecule_sdf, self._molecule, ffi.NULL, ffi.NULL, 0))

    @property
    def mol(self) -> Any:
        """The same as RDKit Mol."""
        return mol_of(self.sdf)


def mol_of(record: str) -> Any:
    """The RDKit Mol of an SDF record, with hydrogens, name and properties."""
    from rdkit import Chem
    supplier = Chem.SDMolSupplier()
    supplier.SetData(record, removeHs=False)
    mol = next(supplier)
    if mol is None:
        raise InputError("RDKit does not accept the SDF record")
    return mol


def text_of(mol: Any) -> str:
    """An RDKit Mol as SDF record V3000."""
    import io

    from rdkit import Chem
    from rdkit.Chem import rdDepictor
    if mol.GetNumConformers() == 0:
        mol = Chem.Mol(mol)
        rdDepictor.Compute2DCoords(mol)
    if not mol.HasProp("_Name") or not mol.GetProp("_Name").strip():  # as a SMILES without a name
        mol = Chem.Mol(mol)
        mol.SetProp("_Name", Chem.MolToSmiles(Chem.RemoveHs(mol, sanitize=False)))
    stream = io.StringIO()
    writer = Chem.SDWriter(stream)
    writer.SetForceV3000(True)
    writer.write(mol)
    writer.close()
    return stream.getvalue()


def names_file(word: str) -> bool:
    """True if it has the extension of a ligand file, an archive or a library."""
    path = word.encode()
    return lib.bt_ligand_file_ending(path) > 0 or bool(lib.bt_is_library_file(path))


HEADER = "SMILES name\n"  # so that the next line is not taken for a header


class Record(NamedTuple):
    """A molecule as text, and its name in messages."""

    text: str
    label: str
    format: str = "smiles"

    @classmethod
    def of(cls, ligand: Any, name: object = None) -> Record:
        """Record of a SMILES, which is its own name if none follows, or of an RDKit Mol."""
        if isinstance(ligand, str):
            words = ligand.split(None, 1) or [""]
            return cls(f"{HEADER}{words[0]} {words[-1] if name is None else name}\n", ligand.strip())
        if not is_one(ligand):
            raise no_molecule(ligand)
        text = text_of(ligand)
        return cls(text if name is None else f"{name}\n{text.split(chr(10), 1)[1]}", "ligand", "sdf")


def is_path(ligand: object) -> bool:
    return isinstance(ligand, os.PathLike) or (
        isinstance(ligand, str) and (names_file(ligand) or os.path.exists(ligand)))


def is_one(ligand: object) -> bool:
    """True for a single molecule or path."""
    return isinstance(ligand, (str, os.PathLike, Ligand, Record)) or hasattr(ligand, "GetNumConformers")


class Refused(NamedTuple):
    """A row of a table that has no molecule."""

    name: str
    error: Exception


def several(ligands: Any, smiles: str, name: str | None) -> Any:
    """The ligands of a list, or of a DataFrame with columns of SMILES (or Mols) and names."""
    if not hasattr(ligands, "columns"):
        return ligands
    for column in (smiles, name):
        if column is not None and column not in ligands.columns:
            raise UsageError(f"the table has no column {column!r}; name those of SMILES and names by smiles= and name=")
    names = [None] * len(ligands) if name is None else ligands[name]
    return [_record(one, label) for one, label in zip(ligands[smiles], names)]


def _record(ligand: Any, name: object) -> Any:
    try:
        return Record.of(ligand, name)
    except InputError as error:  # such as a missing SMILES
        return Refused(str(ligand if name is None else name), error)


def no_molecule(ligand: object) -> InputError:
    reason = ", which RDKit gives for what it cannot read," if ligand is None else ""
    remedy = "use an RDKit Mol, a SMILES, a path, a DataFrame or several of them"
    return InputError(f"{str(ligand)[:40]}{reason} is not a ligand; {remedy}", "BT_ERR_INPUT", remedy=remedy)


def placeless(error: Exception, name: str) -> Exception:
    """The error of a molecule that is no record of a file: its name instead of file, line and record number."""
    if not isinstance(error, Error):
        return error
    message = re.sub(r"^record 1 \(.*?\): ", "", error.message)
    text = message if name in message else f"{name[:80]}: {f'atom {error.atom}: ' if error.atom else ''}{message}"
    whole = f"{text}; {error.remedy}" if error.remedy else text
    return type(error)(whole, error.code, message, error.remedy, atom=error.atom)


def _reader(ligand: Any, options: Any) -> Any:
    if is_path(ligand):
        reader = made("bt_ligand_reader *", lib.bt_ligand_reader_open, os.fspath(ligand).encode(), options)
    else:
        text, label, form = ligand if isinstance(ligand, Record) else Record.of(ligand)
        copy = ffi.new("bt_prepare_options *", options[0])
        copy.opt_format = kept = ffi.new("char[]", form.encode())
        data = text.encode()
        reader = made("bt_ligand_reader *", lib.bt_ligand_reader_open_text, data, len(data), label[:200].encode(), copy)
        del kept
    return own(reader, lib.bt_ligand_reader_close)


def prepared(ligand: Any, options: Any) -> Iterator[tuple[str, Ligand | Exception]]:
    """Name and prepared ligand, or the reason why there is none, of each record of a molecule or path."""
    if isinstance(ligand, (Ligand, Refused)):
        yield ligand if isinstance(ligand, Refused) else (ligand.name, ligand)
        return
    try:
        reader = _reader(ligand, options)
    except Exception as error:  # concerns only this ligand
        yield str(ligand)[:200], error
        return
    place = ffi.new("bt_molecule **")
    while True:
        try:
            call(lib.bt_ligand_reader_next, reader, place)
        except Exception as error:
            record = lib.bt_ligand_reader_record(reader)
            name = string(lib.bt_ligand_reader_name(reader)) if record > 0 else str(ligand)[:200]
            yield name, error if is_path(ligand) else placeless(error, name)
            if record == 0 or isinstance(error, MemoryError) or not is_path(ligand):
                return
            continue
        if place[0] == ffi.NULL:
            return
        item = Ligand(place[0])
        yield item.name, item


def only(ligand: Any, options: Any) -> Ligand:
    """The only ligand of a molecule or file; raises its error."""
    found = prepared(ligand, options)
    _, first = next(found)
    if isinstance(first, Exception):
        raise first
    if next(found, None) is not None:
        raise UsageError(f"{ligand} has several ligands; put it into a list, which gives a list of results")
    return first


def prepare_options(strings: Strings, stop: Any = None, *, ph: float | None = None, conformer_seed: int = 42,
                    **options: Any) -> Any:
    """bt_prepare_options from LigandOptions."""
    struct = ffi.new("bt_prepare_options *", lib.bt_prepare_options_default())
    fill(struct, {**options, "ph": ph, "seed": conformer_seed}, strings)
    if stop is not None:
        struct.opt_cancelled = strings.keep(ffi.callback("bool(void *)", lambda user: stop.is_set()))
    return struct


def prepare_ligand(ligand: Any, **options: Unpack[LigandOptions]) -> Ligand:
    """Prepares an RDKit Mol, a SMILES or a file with one molecule. options: ph, conformers, template and others (LigandOptions)."""
    strings = Strings()
    source = ligand if is_path(ligand) or isinstance(ligand, (Ligand, Record)) else Record.of(ligand)
    prepare = prepare_options(strings, **options)
    prepare.ensemble = True
    found = only(source, prepare)
    if found is not ligand:
        found._arguments = source, options
    return found


def _ligand(source: Any, options: LigandOptions) -> Ligand:
    return prepare_ligand(source, **options)
