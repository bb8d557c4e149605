"""Results of a docking: poses with energies, coordinates and molecules; tables, files, contacts."""
from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from ._interactions import table
from ._library import Error, FileError, UsageError, call, ffi, lib, made, own, string, taken
from ._ligand import Ligand, mol_of
from ._report import Report
from ._table import Table
from ._words import Format

if TYPE_CHECKING:
    import numpy
    import pandas


@dataclasses.dataclass(frozen=True)
class Energy:
    """Terms of the energy of a pose, kcal/mol; defined in docs/json.md. float() is the free energy of binding, Vina's affinity."""

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

    @classmethod
    def of(cls, source: Any) -> Energy:
        """From a bt_energy, or a run of a JSON file, which has not all terms."""
        names = [field.name for field in dataclasses.fields(cls)]
        if isinstance(source, dict):
            return cls(**{name: source.get(name, math.nan) for name in names})
        return cls(**{name: getattr(source, name) for name in names})


@dataclasses.dataclass
class Pose:
    """The best pose of one run.

    energy: free energy of binding, Vina's affinity, kcal/mol; terms: its parts.
    coordinates: NumPy array of shape (len(result.ligand_atoms), 3), Angstrom: the atoms that are docked, in the order of the
      PDBQT text, so without hydrogens on carbon. flexible_coordinates: the same for flexible side chains, shape (n, 3).
    run, cluster, rank_in_cluster: from 1; site: of several boxes, pockets or receptors the one it is in, from 1, otherwise 0.
    rmsd_cluster, rmsd_reference: Angstrom; the reference is that of engine.dock, or the input pose.
    rescored: scores of the cluster's best pose by the re-scorers of the engine, kcal/mol, but for networks, whose scores have no
      unit. values: what these say beside, by its own name, such as "CNNscore".
    """

    energy: float
    terms: Energy
    run: int
    cluster: int
    rank_in_cluster: int
    site: int
    rmsd_cluster: float
    rmsd_reference: float
    evaluations: int
    coordinates: numpy.ndarray[Any, Any]
    flexible_coordinates: numpy.ndarray[Any, Any]
    rescored: dict[str, float]
    values: dict[str, float]
    result: Result = dataclasses.field(repr=False, compare=False)

    @property
    def mol(self) -> Any:
        """RDKit Mol: the docked molecule with all hydrogens, bonds, stereo, name and properties of the input, and with the
        pose's energies as properties; the same as in the SDF file of `berth dock`."""
        return mol_of(self.result.records[self.run])

    @property
    def contacts(self) -> list[dict[str, Any]]:
        """Contacts with the receptor, one dict each: type (docs/interactions.md), ligand_name, receptor_name, residue, chain,
        distance (Angstrom) and further keys of docs/json.md."""
        return self.result.contacts[self.run]

    @property
    def conformer(self) -> int:
        """Of the ligand, from 1: the one that was docked in this pose; coordinates of the input are the first."""
        found: int = self.result.runs[self.run].get("conformer", 1)
        return found

    @property
    def constraints(self) -> list[dict[str, Any]]:
        """How the pose meets the constraints of the engine, one dict each: name, required, met, distance and miss (Angstrom)
        and energy (kcal/mol; no other energy contains it)."""
        found: list[dict[str, Any]] = self.result.runs[self.run].get("constraints", [])
        return found

    @property
    def seed_pose(self) -> int:
        """Number of the seed pose of `engine.dock(seeds=...)` that was minimized to this pose, from 1; 0: the search found it."""
        found: int = self.result.runs[self.run].get("seed_pose", 0)
        return found

    @property
    def strain(self) -> float | None:
        """Energy above the relaxed conformer, kcal/mol (docs/formats.md); None where it was not computed."""
        found: float | None = self.result.runs[self.run].get("strain")
        return found

    @property
    def checks(self) -> dict[str, Any] | None:
        """Whether the pose is plausible (docs/checks.md): {"pass": bool, "failed": [names], "values": {name: number or None}}; None
        where it was not checked."""
        found: dict[str, Any] | None = self.result.runs[self.run].get("checks")
        return found


def _values(one: Any) -> dict[str, float]:
    """Of a bt_rescored, or of an object in the JSON of a docking."""
    if isinstance(one, dict):
        by = lib.bt_rescorer(one["scoring"].encode(), 0)
        names = [string(by.value_names[k]) for k in range(by.n_values)]
        return {name: one[name] for name in names if name in one}
    return {string(one.value_names[k]): one.values[k] for k in range(one.n_values)}


class Result(Table):
    """The docking of one ligand: distinct poses, best first, as in its SDF; as a table, one row per pose.

    name, scoring, seed, device, seconds (of the search), evaluations, warning, notes (what preparation changed), ligand_atoms
    (names). error: why there are no poses, or None. Results can be pickled, written, and loaded by berth.load.
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
        self._positions: list[int] = []
        self._receptor: Any = None
        self._texts: dict[str, str] = {}

    def fill(self, core: Any, ligand: Ligand, receptor: Any, scoring: str, seed: int, *borrowed: Any) -> None:
        """Takes over a result of the library and copies its numbers."""
        import numpy
        self._core, self._receptor = own(core, lib.bt_result_destroy, ligand, receptor, borrowed), receptor
        self.receptor_pdbqt, self.scoring, self.seed, self.notes = receptor.pdbqt, scoring, seed, ligand.notes
        self.device, self.seconds = string(lib.bt_result_device(core)), lib.bt_result_seconds(core)
        self.evaluations, self.warning = lib.bt_result_evaluations(core), taken(lib.bt_result_warnings(core))
        handle, own_atoms = lib.bt_result_ligand(core), len(ligand)
        count = lib.bt_ligand_atom_count(handle)
        self.ligand_atoms = [string(lib.bt_ligand_atom_info(handle, i).name) for i in range(own_atoms)]
        scores: dict[int, dict[str, float]] = {}
        values: dict[int, dict[str, float]] = {}
        for cluster in range(lib.bt_result_cluster_count(core)):
            found = [lib.bt_result_rescored(core, cluster, k) for k in range(lib.bt_result_rescored_count(core))]
            scores[cluster + 1] = {string(one.name): one.score for one in found}
            values[cluster + 1] = {name: value for one in found for name, value in _values(one).items()}
        written = lib.bt_result_written(core)
        for position in range(lib.bt_result_pose_count(core)):
            s = lib.bt_result_ranked(core, position)
            if s.rank_in_cluster > 1 or s.cluster > written:
                continue
            pointer = lib.bt_result_coordinates(core, position)
            xyz = numpy.frombuffer(ffi.buffer(pointer, 24 * count)).reshape(count, 3).copy()
            self._positions.append(position)
            self.poses.append(Pose(s.energy.free_energy, Energy.of(s.energy), s.run, s.cluster, s.rank_in_cluster, s.site,
                                   s.cluster_rmsd, s.reference_rmsd, s.evaluations, xyz[:own_atoms], xyz[own_atoms:],
                                   scores[s.cluster], values[s.cluster], self))

    @classmethod
    def of_json(cls, text: str) -> Result:
        """The result of a JSON file of `berth dock`."""
        import numpy
        data = json.loads(text)
        result = cls(data["ligand"])
        result._texts["json"] = text
        for name in ("scoring", "device", "warning", "seed", "evaluations", "seconds"):
            setattr(result, name, data[name])
        lines = [line for line in data["ligand_pdbqt"].splitlines() if line.startswith(("ATOM", "HETATM"))]
        result.ligand_atoms = [line[12:16].strip() for line in lines]
        scores = {one["cluster"]: {of["scoring"]: of.get("free_energy", of.get("score")) for of in one.get("rescored", [])}
                  for one in data["clusters"]}
        values = {one["cluster"]: {name: value for of in one.get("rescored", []) for name, value in _values(of).items()}
                  for one in data["clusters"]}
        best = [cluster["best_run"] for cluster in data["clusters"][:data.get("poses")]]
        for run in sorted((run for run in data["runs"] if run["run"] in best), key=lambda run: run["cluster"]):
            xyz = numpy.array(run["coordinates"]).reshape(-1, 3)
            reference = math.nan if run["rmsd_reference"] is None else run["rmsd_reference"]
            result.poses.append(Pose(run["free_energy"], Energy.of(run), run["run"], run["cluster"], run["rank_in_cluster"],
                                     run.get("site", run.get("receptor", 0)), run["rmsd_cluster"], reference, run["evaluations"],
                                     xyz[:len(lines)], xyz[len(lines):], scores[run["cluster"]],
                                     values[run["cluster"]], result))
        return result

    def __bool__(self) -> bool:
        return self.error is None

    def __repr__(self) -> str:
        if self.error is not None:
            return f"<berth.Result {self.name!r}: {self.error}>"
        return f"<berth.Result {self.name!r}: {self.poses[0].energy:.2f} kcal/mol, {len(self.poses)} poses>"

    def __getstate__(self) -> dict[str, Any]:
        self._all_texts()
        return {**self.__dict__, "_core": None, "_receptor": None}

    def _all_texts(self) -> dict[str, str]:
        for kind in ("sdf", "pdbqt", "json"):
            try:
                self.text(kind)
            except Error:  # a molecule without bonds has no SDF
                pass
        return self._texts

    def _need_core(self, what: str) -> Any:
        if self._core is None:
            raise self.error or UsageError(f"{self.name}: {what} need the docking itself; this result was loaded or pickled")
        return self._core

    def text(self, kind: Format) -> str:
        """The contents of the file NAME.kind of `berth dock`."""
        if kind not in self._texts:
            core = self._need_core(f".{kind} files")
            self._texts[kind] = taken(made("char *", lib.bt_result_text, core, kind.encode(), ffi.NULL))
        return self._texts[kind]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes all poses in the format of the path's extension: .sdf, .mol2, .pdbqt, .csv, .json, .dlg or .xml."""
        kind: Any = os.fspath(path).rsplit(".", 1)[-1].lower()
        if kind not in Format.__args__:  # type: ignore[attr-defined]
            raise UsageError(f"{os.fspath(path)}: use one of these extensions: {', '.join(Format.__args__)}")  # type: ignore[attr-defined]
        pathlib.Path(path).write_text(self.text(kind), encoding="utf-8")

    def write_complex(self, path: str | os.PathLike[str], rank: int = 1) -> None:
        """Writes the receptor with a pose, by its rank, into one file: .pdb or .cif."""
        core = self._need_core("complexes")
        if not 1 <= rank <= len(self.poses):
            raise UsageError(f"{self.name} has poses 1 to {len(self.poses)}, not {rank}")
        call(lib.bt_result_write_complex, core, self._positions[rank - 1], self._receptor._rigid, os.fsencode(path))

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
    def runs(self) -> dict[int, dict[str, Any]]:
        """What the JSON file of `berth dock` says of each run (docs/json.md)."""
        return {run["run"]: run for run in json.loads(self.text("json"))["runs"]}

    @property
    def contacts(self) -> dict[int, list[dict[str, Any]]]:
        """Contacts with the receptor by run, as Pose.contacts."""
        if any("contacts" not in run for run in self.runs.values()):
            options = ffi.new("bt_contact_options *", lib.bt_contact_options_default())
            call(lib.bt_result_find_contacts, self._need_core("contacts"), self._receptor._rigid, options)
            del self._texts["json"]
        return {number: run["contacts"] for number, run in self.runs.items()}

    def interactions(self, *, reference: Pose | None = None,
                     must_contact: str | Sequence[str] | None = None) -> pandas.DataFrame:
        """One row per cluster, its best pose by rank from 1; one column of 0 and 1 per residue and type, such as A:ASP25:B
        (docs/interactions.md).

        reference: a pose of any docking or scoring in this receptor; "similarity" is the Tanimoto coefficient with it.
        must_contact: words such as "A:ASP25" or "hbond:A:ASP25"; poses that miss one have no row.
        """
        return table(self, reference, must_contact)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per pose, best first; energies kcal/mol, RMSDs Angstrom."""
        if self.error is not None:
            return [{"ligand": self.name, "error": str(self.error)}]
        return [{"ligand": self.name, "rank": rank + 1, "energy": p.energy, "inter": p.terms.inter, "intra": p.terms.intra,
                 "torsional": p.terms.torsional, "run": p.run, "cluster": p.cluster, "rank_in_cluster": p.rank_in_cluster,
                 **({"site": p.site} if p.site else {}), "rmsd_cluster": p.rmsd_cluster, "rmsd_reference": p.rmsd_reference,
                 **{"score_" + name: value for name, value in p.rescored.items()}, **p.values} for rank, p in enumerate(self.poses)]

    def report(self) -> Report:
        """The page of `berth report`; shows itself in a notebook."""
        return Results([self]).report()


class Results(Table, Sequence[Result]):
    """Results of many ligands, in the order in which they were given; one that could not be docked has `error`. As a table, one
    row per ligand, with its best pose."""

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

    def __repr__(self) -> str:
        return f"<berth.Results of {len(self)} ligands, {sum(map(bool, self))} docked>"

    def rows(self, poses: int | None = 1) -> list[dict[str, Any]]:
        """One dict per ligand, with its best pose, or for its `poses` best; None: all."""
        return [row for result in self for row in result.rows()[:poses]]

    def to_dataframe(self, poses: int | None = 1) -> pandas.DataFrame:
        """One row per ligand, best pose, or the `poses` best; None: all. Ligands that were not docked have only `error`."""
        import pandas
        return pandas.DataFrame(self.rows(poses))

    def _files(self) -> dict[str, str]:
        """Names and contents of the files of `berth dock`; names of ligands are made unique."""
        files: dict[str, str] = {}
        for result in filter(None, self):
            files["receptor.pdbqt"] = result.receptor_pdbqt
            stem = re.sub(r"[^\w.+-]", "_", result.name)
            while f"{stem}.json" in files:
                stem += "-2"
            files.update({f"{stem}.{kind}": text for kind, text in result._all_texts().items()})
        return {name: text for name, text in files.items() if text}

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Writes JSON, PDBQT and SDF files of all ligands and receptor.pdbqt into a folder, as `berth dock` does; berth.load reads
        it."""
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        for name, text in self._files().items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")

    def report(self) -> Report:
        """The page of `berth report` on all of them; shows itself in a notebook."""
        title = ", ".join(result.name for result in self._results[:3]) + (", ..." if len(self) > 3 else "")
        return Report(None, title, self._files())


def _load_one(path: pathlib.Path) -> Result:
    try:
        result = Result.of_json(path.with_suffix(".json").read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"{path.with_suffix('.json')}: {error.strerror}; a result is read from the JSON file of a docking") from None
    except (KeyError, ValueError):
        raise UsageError(f"{path.with_suffix('.json')} is not the result of a docking") from None
    for kind in ("sdf", "mol2", "pdbqt", "csv", "dlg", "xml"):
        if (file := path.with_suffix("." + kind)).exists():
            result._texts[kind] = file.read_text(encoding="utf-8")
    receptor = path.with_name("receptor.pdbqt")
    result.receptor_pdbqt = receptor.read_text(encoding="utf-8") if receptor.exists() else ""
    return result


def load(path: str | os.PathLike[str]) -> Any:
    """What `berth dock`, Result.write or Results.write wrote: a Result from NAME.json, with the poses of the NAME.sdf and
    NAME.pdbqt beside it (any of the three may be named), or Results from a folder."""
    path = pathlib.Path(path)
    if not path.is_dir():
        return _load_one(path)
    return Results([_load_one(file) for file in sorted(path.glob("*.json")) if file.name != "receptor-report.json"])
