"""Results of a docking: poses with energies, coordinates and molecules; tables, files, contacts."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from ._ligand import Ligand, mol_of
from ._library import Error, UsageError, call, ffi, lib, string, taken
from ._report import Report, report_of_texts

if TYPE_CHECKING:
    import numpy
    import pandas


@dataclasses.dataclass(frozen=True)
class Energy:
    """Terms of the energy of a pose, kcal/mol; defined in docs/json.md. float() is the free energy of binding, Vina's
    affinity."""

    inter: float
    inter_vdw_hbond: float
    inter_electrostatic: float
    inter_desolvation: float
    intra: float
    intra_vdw: float
    intra_hbond: float
    intra_electrostatic: float
    intra_desolvation: float
    inter_moving: float
    inter_moving_electrostatic: float
    intra_flex: float
    intra_flex_fixed: float
    unbound: float
    torsional: float
    total: float
    free_energy: float
    atoms_outside: int

    def __float__(self) -> float:
        return self.free_energy


def energy_of(struct: Any) -> Energy:
    return Energy(**{field.name: getattr(struct, field.name) for field in dataclasses.fields(Energy)})


@dataclasses.dataclass
class Pose:
    """The best pose of one run.

    energy: free energy of binding, Vina's affinity, kcal/mol; terms: its parts.
    coordinates: NumPy array of shape (len(result.ligand_atoms), 3), Angstrom: the atoms that are docked, in the order of the
      PDBQT text, so without hydrogens on carbon. flexible_coordinates: the same for flexible side chains, shape (n, 3).
    run, cluster, rank_in_cluster: from 1. rmsd_cluster, rmsd_reference: Angstrom; the reference is the input pose.
    rescored: scores of the cluster's best pose by the re-scorers of Engine(rescore=...), kcal/mol.
    """

    energy: float
    terms: Energy
    run: int
    cluster: int
    rank_in_cluster: int
    rmsd_cluster: float
    rmsd_reference: float
    evaluations: int
    coordinates: numpy.ndarray[Any, Any]
    flexible_coordinates: numpy.ndarray[Any, Any]
    rescored: dict[str, float]
    result: Result = dataclasses.field(repr=False, compare=False)

    @property
    def mol(self) -> Any:
        """RDKit Mol: the docked molecule with all hydrogens, bonds, stereo, name and properties of the input, and with the
        pose's energies as properties; the same as in the SDF file of `berth dock`."""
        return mol_of(self.result.records[self.run])

    @property
    def contacts(self) -> list[dict[str, Any]]:
        """Contacts with the receptor, one dict each: type, ligand_name, receptor_name, residue, chain, distance (Angstrom) and
        further keys of docs/json.md."""
        return self.result.contacts[self.run]


WRITERS = {"sdf": "bt_result_write_sdf", "pdbqt": "bt_result_write_pdbqt", "csv": "bt_result_write_csv",
           "json": "bt_result_write_json", "dlg": "bt_result_write_dlg", "xml": "bt_result_write_xml"}


class Result:
    """The docking of one ligand: poses, best cluster first.

    name, scoring, seed, device, seconds (of the search), evaluations, warning, notes (what preparation changed), ligand_atoms
    (names). error: why there are no poses, or None. Results can be pickled.
    """

    def __init__(self, name: str, error: Exception | None = None) -> None:
        self.name, self.error = name, error
        self.poses: list[Pose] = []
        self.scoring = self.device = self.warning = self.receptor_pdbqt = ""
        self.seed = self.evaluations = 0
        self.seconds = 0.0
        self.notes: list[str] = []
        self.ligand_atoms: list[str] = []
        self._core: Any = None
        self._rigid: Any = None
        self._texts: dict[str, str] = {}

    def fill(self, core: Any, ligand: Ligand, handle: Any, receptor: Any, scoring: str, seed: int) -> None:
        """Copies the results of the library."""
        import numpy
        self._core, self._rigid, self.receptor_pdbqt = core, receptor._rigid, receptor.pdbqt
        self.scoring, self.seed, self.notes = scoring, seed, ligand.notes
        self.device, self.seconds = string(lib.bt_result_device(core)), lib.bt_result_seconds(core)
        self.evaluations, self.warning = lib.bt_result_evaluations(core), taken(lib.bt_result_warnings(core))
        count, own_atoms = lib.bt_ligand_atom_count(handle), len(ligand)
        self.ligand_atoms = [string(lib.bt_ligand_atom_info(handle, i).name) for i in range(own_atoms)]
        scores: dict[int, dict[str, float]] = {}
        for cluster in range(lib.bt_result_cluster_count(core) if lib.bt_result_rescored_count(core) > 0 else 0):
            found = [lib.bt_result_rescored(core, cluster, k) for k in range(lib.bt_result_rescored_count(core))]
            scores[cluster + 1] = {string(f.name): f.score for f in found}
        for position in range(lib.bt_result_run_count(core)):
            s, pointer = lib.bt_result_ranked(core, position), lib.bt_result_coordinates(core, position)
            xyz = numpy.frombuffer(ffi.buffer(pointer, 24 * count)).reshape(count, 3).copy()
            self.poses.append(Pose(s.energy.free_energy, energy_of(s.energy), s.run, s.cluster, s.rank_in_cluster,
                                   s.cluster_rmsd, s.reference_rmsd, s.evaluations, xyz[:own_atoms], xyz[own_atoms:],
                                   scores.get(s.cluster, {}), self))

    def __bool__(self) -> bool:
        return self.error is None

    def __repr__(self) -> str:
        if self.error is not None:
            return f"<berth.Result {self.name!r}: {self.error}>"
        return f"<berth.Result {self.name!r}: {self.poses[0].energy:.2f} kcal/mol, {len(self.poses)} poses>"

    def _repr_html_(self) -> str:
        return str(self.to_dataframe().to_html(index=False)) if self else repr(self).replace("<", "&lt;")

    def __getstate__(self) -> dict[str, Any]:
        for kind in ("sdf", "pdbqt", "json"):
            try:
                self.text(kind)
            except Error:  # a molecule without bonds has no SDF
                pass
        return {**self.__dict__, "_core": None, "_rigid": None}

    def text(self, kind: str) -> str:
        """The contents of the file NAME.kind of `berth dock`; kind: sdf, pdbqt, csv, json, dlg, xml."""
        if kind not in self._texts:
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "pose." + kind)
                self._write(path, kind)
                self._texts[kind] = path.read_text(encoding="utf-8")
        return self._texts[kind]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes all poses in the format given by the extension of the path: .sdf, .pdbqt, .csv, .json, .dlg or .xml."""
        kind = os.fspath(path).rsplit(".", 1)[-1].lower()
        if kind not in WRITERS:
            raise UsageError(f"{os.fspath(path)}: give a file with one of these extensions: {', '.join(WRITERS)}")
        if self._core is not None:
            self._write(path, kind)
        else:
            pathlib.Path(path).write_text(self.text(kind), encoding="utf-8")

    def _write(self, path: str | os.PathLike[str], kind: str) -> None:
        if self._core is None:
            raise self.error or UsageError(f"{self.name}: .{kind} is not available for a result that was pickled")
        context = [ffi.NULL] if kind in ("json", "dlg", "xml") else []
        call(getattr(lib, WRITERS[kind]), self._core, os.fspath(path).encode(), *context)

    @property
    def records(self) -> dict[int, str]:
        """The SDF record of each run."""
        found = {}
        for record in self.text("sdf").split("$$$$\n")[:-1]:
            run = re.search(r"^> *<run>.*\n(\d+)", record, re.MULTILINE)
            assert run is not None
            found[int(run[1])] = record + "$$$$\n"
        return found

    @property
    def contacts(self) -> dict[int, list[dict[str, Any]]]:
        """Contacts with the receptor by run, as Pose.contacts."""
        if "contacts" not in self._texts:
            options = ffi.new("bt_contact_options *", lib.bt_contact_options_default())
            if self._core is None:
                raise UsageError(f"{self.name}: contacts are not available for a result that was pickled")
            call(lib.bt_result_find_contacts, self._core, self._rigid, options)
            self._texts.pop("json", None)
            self._texts["contacts"] = self.text("json")
        return {run["run"]: run["contacts"] for run in json.loads(self._texts["contacts"])["runs"]}

    def rows(self) -> list[dict[str, Any]]:
        return [{"ligand": self.name, "rank": rank + 1, "energy": p.energy, "inter": p.terms.inter, "intra": p.terms.intra,
                 "torsional": p.terms.torsional, "run": p.run, "cluster": p.cluster, "rank_in_cluster": p.rank_in_cluster,
                 "rmsd_cluster": p.rmsd_cluster, "rmsd_reference": p.rmsd_reference,
                 **{"score_" + name: value for name, value in p.rescored.items()}} for rank, p in enumerate(self.poses)]

    def to_dataframe(self) -> pandas.DataFrame:
        """One row per pose, best first; energies kcal/mol, RMSDs Angstrom."""
        import pandas
        return pandas.DataFrame(self.rows())

    def report(self) -> Report:
        """The page of `berth report`; shows itself in a notebook."""
        return report_of_texts({self.name: self.text("json")}, self.receptor_pdbqt)


class Results(Sequence[Result]):
    """Results of many ligands, in the order in which they were given; one that could not be docked has `error`."""

    def __init__(self, results: Sequence[Result]) -> None:
        self._results = list(results)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Results: ...
    def __getitem__(self, index: int | slice) -> Result | Results:
        return Results(self._results[index]) if isinstance(index, slice) else self._results[index]

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    def __repr__(self) -> str:
        return f"<berth.Results of {len(self)} ligands, {sum(map(bool, self))} docked>"

    def _repr_html_(self) -> str:
        return str(self.to_dataframe().to_html(index=False))

    def to_dataframe(self, poses: int | None = 1) -> pandas.DataFrame:
        """One row per ligand, best pose, or the `poses` best; None: all. Ligands that were not docked have only `error`."""
        import pandas
        rows: list[dict[str, Any]] = []
        for result in self:
            rows += result.rows()[:poses] if result else [{"ligand": result.name, "error": str(result.error)}]
        return pandas.DataFrame(rows)

    def report(self) -> Report:
        """The page of `berth report` on all of them; shows itself in a notebook."""
        docked = [result for result in self if result]
        names: dict[str, str] = {}
        for result in docked:
            name = re.sub(r"[^\w.+-]", "_", result.name)
            names[name if name not in names else f"{name}-{len(names) + 1}"] = result.text("json")
        return report_of_texts(names, docked[0].receptor_pdbqt if docked else "")
