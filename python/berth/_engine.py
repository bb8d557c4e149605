"""Docking: a receptor and settings, opened once, for any number of ligands."""
from __future__ import annotations

import math
import os
import pathlib
import secrets
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from ._arrow import library_files
from ._library import (Cancelled, Error, FileError, Strings, UsageError, Work, call, constant, exception, ffi, fill,
                       in_python, lib, listed, made, own, string)
from ._ligand import Ligand, is_one, no_molecule, only, prepare_options, prepared, several
from ._receptor import Receptor
from ._result import Energy, Result, Results
from ._screen import Screen, run_screen
from ._table import Table
from ._words import Checks, Constraints, Effort, LigandOptions, LocalSearch, RankBy, Rescorer, Scoring, Strain

if TYPE_CHECKING:
    from ._active import ActiveScreen

Path = str | os.PathLike[str]
OWN = {"self", "receptor", "scoring", "rescore", "networks", "rank_by", "strain", "checks", "effort", "ligands",
       "parameters", "constraints"}  # not of bt_dock_options


def search_options(effort: Effort, given: dict[str, Any], strings: Strings) -> Any:
    """bt_dock_options: the settings of the effort, overridden by the given ones."""
    options, level = ffi.new("bt_dock_options *", lib.bt_dock_options_default()), constant("effort", effort)
    fill(options, given, strings)
    chosen = sum(getattr(lib, f"BT_CHOSEN_{name.upper()}", 0) for name, value in given.items() if value is not None)
    runs_of_heuristics = options.heuristics_runs
    lib.bt_effort_apply(level, chosen, options)
    if given.get("heuristics_runs") is not None:
        options.heuristics_runs = runs_of_heuristics
    return options


def progress_bar(total: int | None, wanted: bool | None) -> Any:
    """A tqdm progress bar, or None; by default in a terminal and in a notebook, if tqdm is installed."""
    if wanted is False or (wanted is None and not sys.stderr.isatty() and "ipykernel" not in sys.modules):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, unit="ligand")


def _constraints(given: Constraints, receptor: Receptor, strings: Strings) -> Any:
    """bt_constraints, NULL without any."""
    options = ffi.new("bt_constraint_options *", lib.bt_constraint_options_default())
    required, preferred = listed(given.get("require", ())), listed(given.get("prefer", ()))
    options.required, options.n_required = strings.many(required), len(required)
    options.preferred, options.n_preferred = strings.many(preferred), len(preferred)
    missing = given.get("core_missing", "reject")
    if missing not in ("reject", "free"):
        raise UsageError(f'core_missing is "reject" or "free", not {missing!r}')
    options.core_optional = missing == "free"
    if receptor.structure and receptor._text is None:
        options.opt_core_structure = strings.one(receptor.path)
    fill(options, {key: value for key, value in given.items() if key not in ("require", "prefer", "core_missing")}, strings)
    made_of = made("bt_constraints *", lib.bt_constraints_create, options, receptor._rigid)
    return strings.keep(own(made_of, lib.bt_constraints_destroy)) if made_of != ffi.NULL else ffi.NULL


class Score(NamedTuple):
    """The energy of one of many poses, or the reason why there is none."""

    name: str
    energy: Energy | None
    error: Exception | None = None


class Scores(list[Score], Table):
    """The energies of many poses, in the order in which they were given."""

    def __repr__(self) -> str:
        return f"<berth.Scores of {len(self)} poses>"

    def rows(self) -> list[dict[str, Any]]:
        """One dict per pose."""
        return [{"ligand": name, "energy": energy.free_energy, "inter": energy.inter, "intra": energy.intra,
                 "torsional": energy.torsional} if energy else {"ligand": name, "error": str(error)}
                for name, energy, error in self]


class Engine:
    """Docks ligands into a receptor.

    scoring, rescore, rank_by: by default as `berth dock` - Vina searches, and gnina's networks, where they are installed, rank
      the best pose of every cluster; scoring="vinardo", say, is that function alone. rescore: any number of re-scorers,
      or "none".
      rank_by="sum" adds all scores to the energy of the docking, the default with "cnn" (docs/user-guide.md).
    networks: of rescore="cnn": "staged", the default, "gnina", "fast", names as of `berth networks`, paths of .pt or .btn
      files.
    effort: "screen", "normal" or "thorough". device: "auto", "cpu", "cuda:0", ... seed: the same seed gives the same poses;
      chosen when None, see .seed. threads: 0: all cores. strain: of which poses it is computed. checks: of
      the poses of the result, Pose.checks; "energy": with their internal energy, which takes seconds per ligand.
    ligands: how they are prepared, as for prepare_ligand: {"ph": 7.4}. parameters: a file of AutoGrid.
    constraints: what poses must meet: {"require": ["hbond:A:ASP25"], "core": "crystal.sdf"} (docs/constraints.md).
    The others belong to the search, bt_dock_options in berth/berth.h; None: as the effort has them. Numbers are per run.

    One thread at a time; the GIL is free while it docks. Engines are pickled as their arguments.
    """

    def __init__(self, receptor: Receptor, *, scoring: Scoring | None = None,
                 rescore: Rescorer | Literal["none"] | Sequence[Rescorer] | None = None, networks: Path | Sequence[Path] | None = None,
                 rank_by: RankBy | None = None, effort: Effort = "normal",
                 device: str = "auto", seed: int | None = None, threads: int = 0, strain: Strain = "clusters",
                 checks: Checks = "on", ligands: LigandOptions | None = None, parameters: Path | None = None,
                 constraints: Constraints | None = None, runs: int | None = None, evaluations: int | None = None, population: int | None = None,
                 generations: int | None = None, local_search: LocalSearch | None = None,
                 local_search_rate: float | None = None, local_search_iterations: int | None = None,
                 selection: Literal["tournament", "proportional"] | None = None, tournament_rate: float | None = None,
                 crossover: Literal["two-point", "uniform"] | None = None, crossover_rate: float | None = None,
                 mutation_rate: float | None = None, mutation_move: float | None = None, mutation_angle: float | None = None,
                 elitism: int | None = None, sw_move: float | None = None, sw_angle: float | None = None,
                 sw_rho_limit: float | None = None, sw_limit: int | None = None, autostop: bool | None = None,
                 autostop_tolerance: float | None = None, autostop_interval: int | None = None,
                 autostop_runs: int | None = None, heuristics: bool | None = None, heuristics_share: float | None = None,
                 heuristics_max: int | None = None, heuristics_runs: int | None = None, isa: str | None = None,
                 team: int | None = None, reduction: Literal["auto", "simt", "tensor-fp16", "tensor-ec"] | None = None,
                 rmsd_tolerance: float | None = None, poses: int | None = None,
                 energy_range: float | None = None, rmsd_symmetry: bool | None = None, rmsd_autodock: bool | None = None,
                 torsional: Literal["torsdof", "branches"] | None = None) -> None:
        arguments = {name: value for name, value in locals().items() if name not in ("self", "receptor")}
        if not isinstance(receptor, Receptor):
            raise TypeError(f"an engine docks into a berth.Receptor, not {receptor!r}; use berth.Receptor(path, autobox=...)")
        self.seed = arguments["seed"] = seed if seed is not None else 1 + secrets.randbits(31)
        self.receptor, self.effort, self._arguments = receptor, effort, arguments
        strings = self._strings = Strings()
        self._stop, self._warned = threading.Event(), list[str]()
        protocol = ffi.new("bt_protocol *", lib.bt_protocol_default())
        protocol.search = search_options(effort, {k: v for k, v in arguments.items() if k not in OWN}, strings)[0]
        fill(protocol, {"scoring": scoring or _scoring_of_maps(receptor), "rank_by": rank_by, "strain": strain, "checks": checks},
             strings)
        protocol.metals = scoring is None
        rescorers = [] if rescore is None or rescore == "none" else listed(rescore)
        if scoring is not None or rescore is not None:
            protocol.rescore = strings.one(",".join(rescorers))
        if rescorers and receptor._rigid == ffi.NULL:
            raise UsageError("re-scoring needs the receptor's atoms; use a .pdb, .cif or .pdbqt receptor, or leave rescore out")
        if rank_by is None:
            protocol.rank_by = lib.bt_rank_default(protocol.rescore)
        if networks is not None:
            if "cnn" not in rescorers:
                raise UsageError('networks are those of the re-scorer cnn; use rescore="cnn", or leave networks out')
            names = [networks] if isinstance(networks, os.PathLike) else listed(networks)
            protocol.networks = strings.one(",".join(map(os.fspath, names)))
        try:
            call(lib.bt_cache_check, protocol.search.opt_device)
        except (UsageError, FileError) as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
        self._prepare = prepare_options(strings, self, **{"conformers": lib.BT_DOCKED_CONFORMERS, **(ligands or {})})
        self._prepare.ensemble = True
        self._prepare.opt_tether = receptor._tether
        self._given = ffi.new("bt_prepare_options *", self._prepare[0])
        self._given.as_docked = self._given.together = True
        self._given.conformers, self._given.ensemble = 1, False
        options = self._options = ffi.new("bt_target_options *", lib.bt_target_options_default())
        options.receptor, options.n_boxes, options.pockets = receptor._core, len(receptor._boxes), receptor.pockets
        options.opt_ensemble = strings.keep(ffi.new("const bt_receptor *[]", receptor._ensemble))
        options.n_ensemble = len(receptor._ensemble)
        options.boxes = strings.keep(ffi.new("bt_box[]", receptor._boxes))
        options.spacing, options.zinc, options.enlarge = receptor.spacing, receptor.zinc, receptor._enlarge
        options.stand_ins = lib.BT_STAND_INS_REFUSE if receptor.strict else lib.BT_STAND_INS_USE
        options.opt_protocol, options.ligands = strings.keep(protocol), self._prepare[0]
        options.opt_parameters = strings.one(parameters)
        options.opt_constraints = _constraints(constraints or {}, receptor, strings)
        options.opt_warn = strings.keep(ffi.callback("void(void *, const char *)",
                                                     lambda user, text: self._warned.append(in_python(string(text)))))
        self._process, self._core = os.getpid(), self._open()
        self.scoring = string(lib.bt_scoring_name(lib.bt_target_protocol(self._core).scoring))

    def _open(self) -> Any:
        return own(made("bt_target *", lib.bt_target_open_with, self._options), lib.bt_target_close, self._options,
                   self._strings.kept, self.receptor)

    @property
    def _target(self) -> Any:
        if self._process != os.getpid():  # threads do not survive a fork
            self._process, self._core = os.getpid(), self._open()
        return self._core

    def __reduce__(self) -> tuple[Any, ...]:
        return _engine, (self.receptor, self._arguments)

    @property
    def protocol(self) -> str:
        """How ligands are docked and ranked: "vina, clusters by vinardo (ranks)"."""
        text = ffi.new("char[512]")
        lib.bt_protocol_words(lib.bt_target_protocol(self._target), text, len(text))
        return string(text)

    def __repr__(self) -> str:
        return f"<berth.Engine {self.protocol}, effort {self.effort}, seed {self.seed}, in {self.receptor.path}>"

    def is_set(self) -> bool:
        """True after Ctrl-C; polled while a ligand is prepared."""
        return self._stop.is_set()

    def _run(self, function: Callable[[], Any]) -> Any:
        work: Work[Any] = Work()
        self._stop, self._warned[:] = work.stop, []
        try:
            return work.run(function)
        finally:
            for text in self._warned:
                warnings.warn(text, RuntimeWarning, stacklevel=3)

    # --- docking ---------------------------------------------------------------------------------------------------

    @overload
    def dock(self, ligand: str | os.PathLike[str] | Ligand, *, reference: Any = None, seeds: Any = None, smiles: str = "SMILES",
             name: str | None = None, progress: bool | None = None) -> Result: ...
    @overload
    def dock(self, ligand: Any, *, reference: Any = None, seeds: Any = None, smiles: str = "SMILES", name: str | None = None,
             progress: bool | None = None) -> Any: ...
    def dock(self, ligand: Any, *, reference: Any = None, seeds: Any = None, smiles: str = "SMILES", name: str | None = None,
             progress: bool | None = None) -> Any:
        """Docks an RDKit Mol, a SMILES, a file with one molecule, or several of them: an iterable, or a DataFrame whose columns
        `smiles` and `name` have SMILES (or Mols) and names.

        One ligand gives a Result, or an exception. Several give Results, in their order; paths may then be of files with many
        molecules, and a ligand that cannot be docked has `error`. A str is taken for a path when it is one or ends like one
        (".sdf"), else for a SMILES, which a name may follow. reference: the pose for RMSDs, a file, a residue of the receptor's
        file or an RDKit Mol. seeds: poses of the ligand from other programs, as `--seed-poses`: a file, an RDKit Mol, or a list of
        them; of one ligand at a time. progress: a bar of tqdm; None: in a terminal and in a notebook.
        """
        self._need_box()
        ligand = several(ligand, smiles, name)
        if is_one(ligand):
            return _the_only(self._run(lambda: self._dock(iter([self._seeded(ligand, seeds)]), reference, None)))
        if seeds is not None:
            raise UsageError("seeds belong to one ligand; dock the ligands one after the other")
        total = len(ligand) if hasattr(ligand, "__len__") else None
        found = self._each(ligand, self._prepare)
        return Results(self._run(lambda: self._dock(found, reference, progress_bar(total, progress))))

    def _need_box(self) -> None:
        if lib.bt_target_box_count(self._target) == 0 and self.receptor.pockets == 0:
            raise UsageError("the receptor has no box; use autobox, boxes or pockets, or center and size")

    def _each(self, ligands: Any, options: Any) -> Iterator[tuple[str, Ligand | Exception]]:
        if not hasattr(ligands, "__iter__"):
            raise no_molecule(ligands)
        return (item for one in ligands for item in prepared(one, options))

    def _only(self, ligand: Any, options: Any) -> tuple[str, Ligand | Exception]:
        one = only(ligand, options)
        return one.name, one

    def _seeded(self, ligand: Any, seeds: Any) -> tuple[str, Ligand | Exception]:
        """The ligand, with its seed poses; a prepared one is left without them."""
        if seeds is None:
            return self._only(ligand, self._prepare)
        one = ligand.copy() if isinstance(ligand, Ligand) else only(ligand, self._prepare)
        tell = ffi.callback("void(void *, const char *)", lambda user, text: self._warned.append(string(text)))
        for seed in [seeds] if is_one(seeds) else list(seeds):
            if isinstance(seed, (str, os.PathLike)):
                call(lib.bt_molecule_read_seeds, one._molecule, os.fsencode(seed), self._prepare.opt_template, tell, ffi.NULL,
                     ffi.new("int *"))
            else:
                call(lib.bt_molecule_add_seed, one._molecule, only(seed, self._given)._molecule)
        return one.name, one

    def _check_tether(self, ligand: Ligand) -> Error | None:
        tether = self.receptor._tether
        if tether == ffi.NULL or string(lib.bt_molecule_tether(ligand._molecule)) == string(tether.residue):
            return None
        return UsageError(f"{ligand.name} is not bonded to {string(tether.residue)}; pass the engine what it was prepared from")

    def _reference(self, reference: Any, ligand: Ligand) -> Any:
        """The molecule of a reference; one of a PDB file takes its bonds from the first ligand."""
        if isinstance(reference, Ligand) or hasattr(reference, "GetNumConformers"):
            return only(reference, self._given)._molecule
        place, structure = own(ffi.new("bt_place *"), lib.bt_place_clear), self.receptor.path
        path = os.fsencode(structure) if self.receptor.structure else ffi.NULL
        call(lib.bt_place_find, os.fsencode(reference), path, place)
        template = self._prepare.opt_template or ffi.new("char[]", ligand.smiles.encode())
        pointer = made("bt_molecule *", lib.bt_place_molecule, place, self.receptor._model,
                       template if self.receptor._tether == ffi.NULL and ligand.smiles else ffi.NULL, self.receptor._tether)
        return own(pointer, lib.bt_molecule_destroy)

    def _dock(self, found: Iterator[tuple[str, Ligand | Exception]], reference: Any, bar: Any) -> list[Result]:
        results: list[Result] = []
        at_work: dict[int, tuple[Result, Ligand, Any]] = {}
        errors: list[BaseException] = []
        truth: list[Any] = []

        def settle(result: Result, error: Exception | None) -> None:
            result.error = error
            if bar is not None:
                bar.update()

        def give(user: Any) -> Any:
            """The next ligand that was prepared; errors of others are recorded."""
            try:
                for name, ligand in found:
                    if self._stop.is_set() or isinstance(ligand, (Cancelled, MemoryError)):
                        break
                    results.append(Result(name))
                    error = ligand if isinstance(ligand, Exception) else self._check_tether(ligand)
                    if error is not None or not isinstance(ligand, Ligand):
                        settle(results[-1], error)
                        continue
                    if reference is not None and not truth:
                        truth.append(self._reference(reference, ligand))
                    slot = ffi.new("bt_target_ligand *", {"molecule": ligand._molecule, "opt_reference": truth[0] if truth else ffi.NULL})
                    at_work[int(ffi.cast("intptr_t", slot))] = results[-1], ligand, slot
                    return slot
            except BaseException as error:  # pylint: disable=broad-except
                errors.append(error)
            return ffi.NULL

        def take(user: Any, slot: Any) -> bool:
            try:
                result, ligand, _ = at_work.pop(int(ffi.cast("intptr_t", slot)))
                if slot.result != ffi.NULL:
                    result.fill(slot.result, ligand, self.receptor, self.scoring, self.seed, truth)
                settle(result, None if slot.result != ffi.NULL else exception(slot.error))
            except BaseException as error:  # pylint: disable=broad-except
                errors.append(error)
            return not errors and not self._stop.is_set()

        stream = ffi.new("bt_target_stream *", {
            "next": (next_fn := ffi.callback("bt_target_ligand *(*)(void *)", give)),
            "done": (done_fn := ffi.callback("bool(*)(void *, bt_target_ligand *)", take)),
            "opt_progress": (show_fn := ffi.callback("bool(*)(void *, const bt_target_progress *)",
                                                     lambda user, at: not errors and not self._stop.is_set()))})
        try:
            call(lib.bt_target_dock_stream, self._target, stream)
        except Error:
            if not errors:
                raise
        finally:
            del next_fn, done_fn, show_fn
            if bar is not None:
                bar.close()
        if errors:
            raise errors[0]
        return results

    # --- given poses -----------------------------------------------------------------------------------------------

    def score(self, ligand: Any, *, ignore_docking: bool = False) -> Any:
        """The energy of a ligand at its coordinates, as by `berth score`; Vina and Vinardo sum over the receptor's atoms. One ligand
        gives an Energy, an iterable, also of files with many poses, gives Scores.

        A pose of Berth has the energy of its docking, unless ignore_docking; one that this receptor does not fit, as its flexible
        residues are rigid here, is refused, and so is a ligand without 3D coordinates, such as a SMILES."""
        def work(one: Ligand) -> Energy:
            energy = ffi.new("bt_energy *")
            call(lib.bt_target_score, self._target, one._molecule, ignore_docking, energy)
            return Energy.of(energy)

        if is_one(ligand):
            return work(only(ligand, self._given))
        return Scores(Score(*one) for one in self._run(lambda: list(self._map(work, ligand))))

    def check(self, ligand: Any, *, reference: Any = None, energy: bool = False) -> dict[str, Any]:
        """Is a pose, at its coordinates, plausible? {"pass": bool, "failed": [names], "values": {name: number or None}}, as in
        Pose.checks (docs/checks.md). Its stereochemistry is compared with that of the reference, a molecule with coordinates;
        energy: with the internal energy, which takes seconds. A covalent ligand, or one without bond orders, is refused."""
        pose, opt = only(ligand, self._given), only(reference, self._given) if reference is not None else None
        checker = own(made("bt_checker *", lib.bt_checker_open, self.receptor._rigid, opt._molecule if opt else ffi.NULL, energy),
                      lib.bt_checker_close, self._options, opt)
        checks = ffi.new("bt_checks *")
        call(lib.bt_checker_check, checker, pose._molecule, self.receptor._flexible, checks)
        names = {k: string(lib.bt_check_name(k)) for k in range(lib.BT_CHECK_COUNT)}
        return {"pass": checks.failed == 0, "failed": [name for k, name in names.items() if checks.failed >> k & 1],
                "values": {name: None if math.isnan(checks.values[k]) else checks.values[k] for k, name in names.items()}}

    def minimize(self, ligand: Any) -> Any:
        """The minimum that a local search reaches from the given coordinates: a Result with one pose; Results of an iterable."""
        def work(one: Ligand) -> Result:
            result = Result(one.name)
            core = made("bt_result *", lib.bt_target_minimize, self._target, one._molecule)
            result.fill(core, one, self.receptor, self.scoring, self.seed)
            return result

        if is_one(ligand):
            return self._run(lambda: work(only(ligand, self._given)))
        return Results([result or Result(name, error) for name, result, error in self._run(lambda: list(self._map(work, ligand)))])

    def _map(self, work: Callable[[Ligand], Any], ligands: Iterable[Any]) -> Iterator[tuple[str, Any, Exception | None]]:
        """Name, and what work makes of each ligand or the reason why not."""
        for name, one in self._each(ligands, self._given):
            try:
                if isinstance(one, Exception):
                    raise one
                yield name, work(one), None
            except Error as error:
                yield name, None, error
            if self._stop.is_set():
                return

    # --- libraries -------------------------------------------------------------------------------------------------

    def screen(self, library: Any, *, database: Path, resume: bool = True, poses: int = 1, keep: int = 100_000,
               shard: int = 1, shards: int = 1, batch: int = 0, readers: int = 0, retry: int = 0, filter: str | None = None,
               keep_fields: str | None = None, progress: bool | None = None) -> Screen:
        """Docks a library - files of any length, folders, .btl, with pyarrow also Parquet files, Tables and DataFrames, one or an
        iterable of them - into a database, and returns it: iterating gives the ligands, best first. With resume, an interrupted screen (after Ctrl-C, say) continues where it stopped. poses: kept per ligand;
        keep: how many of the best ligands keep theirs; shard, shards: this process docks that part; batch, readers: 0: chosen;
        retry: 1: the rejected, 2: the failed, 3: both are tried again; filter: conditions such as "weight<=460,logp<5,pains":
        what does not meet them is left out and counted (Screen.filtered); keep_fields: "price,id" or "all", columns of tables and
        data items of SDF that go into the database and its exports."""
        self._need_box()
        with library_files(library) as paths:
            return run_screen(self, paths, os.fspath(database), progress_bar(None, progress), {
                "resume": resume, "poses": poses, "keep": keep, "shard": shard, "shards": shards, "batch": batch,
                "readers": readers, "retry": retry}, filter, keep_fields)

    def active_screen(self, library: Path | Sequence[Path], folder: Path, *, budget: int = 10_000, rounds: int = 5,
                      poses: int = 1, filter: str | None = None, progress: bool | None = None) -> ActiveScreen:
        """Docks `budget` ligands of a library of SMILES (.smi, .smi.gz), chosen in rounds: the first at random, the others as
        those whose energies a ridge regression on Morgan fingerprints, fitted to all that were docked, expects to be lowest.
        The folder has round-K.smi and round-K.db of each round; with the same arguments, and an engine of the same seed, an
        interrupted one continues. Needs RDKit (pip install rdkit)."""
        from . import _active  # and NumPy, which takes as long to import as all of Berth
        self._need_box()

        def dock(part: pathlib.Path, database: pathlib.Path) -> Screen:
            return self.screen(part, database=database, poses=poses, filter=filter, progress=progress)

        paths = [os.fspath(path) for path in ([library] if isinstance(library, (str, os.PathLike)) else library)]
        return _active.run(dock, paths, folder, budget, rounds, self.seed, {"filter": filter}, self._arguments["threads"])


def _engine(receptor: Receptor, arguments: dict[str, Any]) -> Engine:
    return Engine(receptor, **arguments)


def _the_only(results: list[Result]) -> Result:
    if results[0].error is not None:
        raise results[0].error
    return results[0]


def _scoring_of_maps(receptor: Receptor) -> Any:
    """The function that maps were computed for; None: the receptor is not one of maps."""
    if receptor._rigid != ffi.NULL:
        return None
    maps = made("bt_maps *", lib.bt_maps_read, os.fsencode(receptor.path), ffi.new("char *[1]"), 0)
    return string(lib.bt_scoring_name(lib.bt_maps_scoring(own(maps, lib.bt_maps_destroy))))


def grid(receptor: Receptor, prefix: Path, *, types: Iterable[str] | None = None, scoring: Scoring = "ad4",
         threads: int = 0, parameters: Path | None = None) -> str:
    """Writes PREFIX.maps.fld and PREFIX.TYPE.map of the receptor's box, and returns the path of the .fld. types: atom types,
    for Vina and Vinardo classes such as C_H; all that ligands are likely to have by default. parameters: a file of AutoGrid."""
    engine = Engine(receptor, scoring=scoring, threads=threads, parameters=parameters)
    engine._need_box()
    if types is None:
        options = ffi.new("bt_screen_options *")
        call(lib.bt_target_fill_screen, engine._target, options)
        maps = options.maps
    else:
        strings, names, grids = Strings(), listed(types), ffi.new("bt_grid_options *", lib.bt_grid_options_default())
        grids.box, grids.threads, grids.scoring = receptor._boxes[0], threads, constant("scoring", scoring)
        grids.stand_ins, grids.opt_parameter_file = engine._options.stand_ins, engine._options.opt_parameters
        grids.zinc = lib.BT_ZINC_ON if receptor.zinc else grids.zinc
        maps = own(made("bt_maps *", lib.bt_maps_compute, receptor._atoms("maps"), strings.many(names), len(names), grids),
                   lib.bt_maps_destroy)
    call(lib.bt_maps_write, maps, os.fsencode(prefix))
    return os.fspath(prefix) + ".maps.fld"
