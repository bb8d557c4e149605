"""Docking: a receptor and settings, opened once, for any number of ligands."""
from __future__ import annotations

import collections
import os
import secrets
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from ._library import (Cancelled, Error, FileError, InputError, Strings, UsageError, Work, call, exception, ffi, find,
                       lib, listed, made, own, string)
from ._ligand import Ligand, is_one, no_molecule, only, prepare_options, prepared
from ._maps import all_types, compute, grid_options, scoring_of, types_of
from ._receptor import Receptor
from ._result import Energy, Result, Results, energy_of
from ._screen import Screen, run_screen

Item = tuple[str, Ligand | Exception]
LARGE = 64000.0  # cubic Angstrom: BT_BOX_LARGE
AHEAD, AHEAD_SECONDS = 2048, 4.0  # limits for reading ahead: maps are computed once for all of these ligands


def search_options(effort: str, seed: int, device: str, threads: int, strings: Strings, more: dict[str, Any]) -> Any:
    """bt_dock_options: the settings of the effort, overridden by the given ones."""
    level = find("bt_effort", lib.bt_effort_find, effort, "effort", lib.bt_effort_choices)
    options = ffi.new("bt_dock_options *", lib.bt_dock_options_default())
    known = {name for name, _ in ffi.typeof("bt_dock_options").fields}
    chosen = 0
    for name, value in more.items():
        if name not in known or name.startswith("opt_"):
            raise TypeError(f"unknown option of a docking: {name!r}")
        if name == "local_search" and isinstance(value, str):
            value = find("bt_local_search", lib.bt_local_search_find, value, "local_search", lib.bt_local_search_choices)
        setattr(options, name, value)
        chosen |= getattr(lib, f"BT_CHOSEN_{name.upper()}", 0)
    runs_of_heuristics = options.heuristics_runs
    lib.bt_effort_apply(level, chosen, options)
    if "heuristics_runs" in more:
        options.heuristics_runs = runs_of_heuristics
    options.seed, options.threads, options.opt_device = seed, threads, strings.one(device)
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


class _Slot:
    """A ligand being docked."""

    def __init__(self, result: Result, ligand: Ligand, handle: Any) -> None:
        self.result, self.ligand, self.handle = result, ligand, handle
        self.docking = ffi.new("bt_docking *", {"opt_ligand": handle})


class Engine:
    """Docks ligands into a receptor.

    scoring: "vina", "vinardo" or "ad4". effort: "screen", "normal" or "thorough", as `berth dock --effort`. device: "auto",
      "cpu", "cuda:0", ... seed: the same seed gives the same poses; chosen when None, see .seed. threads: 0: all cores.
    rescore: re-scorers of the best pose of every cluster, such as "vinardo"; rank_by: "score", "ranks" or "blend" orders
      the clusters by them. (`berth dock` without --scoring is scoring="vina", rescore=["vinardo"], rank_by="ranks".)
    ligands: how they are prepared, as for prepare_ligand: {"ph": 7.4}; with a receptor that they are bonded to also "warhead",
      a name or a SMARTS pattern as of `berth dock`. parameters: a file of AutoGrid.
    Other keywords are members of bt_dock_options (berth/berth.h): runs=50, evaluations=1_000_000, population=100 ...

    One thread at a time; the GIL is free while it docks. Engines are pickled as their arguments.
    """

    def __init__(self, receptor: Receptor, *, scoring: str = "vina", effort: str = "normal", device: str = "auto",
                 seed: int | None = None, threads: int = 0, rescore: str | Sequence[str] = (), rank_by: str = "score",
                 ligands: dict[str, Any] | None = None, parameters: str | os.PathLike[str] | None = None,
                 **search: float | bool | str) -> None:
        if not isinstance(receptor, Receptor):
            raise TypeError(f"an engine docks into a berth.Receptor, not {receptor!r}; give berth.Receptor(path, autobox=...)")
        self.receptor, self.scoring, self.effort = receptor, scoring, effort
        self.seed = seed if seed is not None else 1 + secrets.randbits(31)
        self._arguments = (receptor, {"scoring": scoring, "effort": effort, "device": device, "seed": self.seed,
                                      "threads": threads, "rescore": rescore, "rank_by": rank_by, "ligands": ligands,
                                      "parameters": parameters, **search})
        self._function, self._rescore = scoring_of(scoring), ",".join(listed(rescore)).encode()
        call(lib.bt_rescorers_check, self._rescore, scoring.encode())
        self._rescoring: Any = None  # opened when the first result is there
        self._rank_by = find("bt_rank_by", lib.bt_rank_find, rank_by, "rank_by", lib.bt_rank_choices)
        self._parameters, self._threads = parameters, threads
        self._strings = Strings()
        self._search = search_options(effort, self.seed, device, threads, self._strings, search)
        call(lib.bt_device_check, self._search.opt_device if device != "auto" else ffi.NULL, ffi.NULL)
        try:
            call(lib.bt_cache_check, self._search.opt_device)
        except (UsageError, FileError) as error:
            warnings.warn(str(error), RuntimeWarning, stacklevel=2)
        self._stop = threading.Event()
        self._progress = ffi.callback("bt_progress_fn", lambda user, fraction, evaluations, best: not self._stop.is_set())
        self._search.opt_progress = self._progress
        self._prepare = prepare_options(self._strings, self, **(ligands or {}))
        self._prepare.opt_tether = receptor._tether
        self._given = ffi.new("bt_prepare_options *", self._prepare[0])
        self._given.as_docked = self._given.together = True
        self._own_torsional = "torsional" not in search
        self._maps: dict[int, tuple[set[str], Any]] = {}
        self._maps_of_docking: tuple[Any, Any] = (None, None)  # what they are for, maps
        self._open: tuple[int, Any, Any] | None = None  # process, maps, engine
        receptor._box()

    def __reduce__(self) -> tuple[Any, ...]:
        return _engine, self._arguments

    def __repr__(self) -> str:
        return f"<berth.Engine {self.scoring}, effort {self.effort}, seed {self.seed}, in {self.receptor.path}>"

    def is_set(self) -> bool:
        """True after Ctrl-C; polled while a ligand is prepared."""
        return self._stop.is_set()

    # --- docking ---------------------------------------------------------------------------------------------------

    @overload
    def dock(self, ligand: str | os.PathLike[str] | Ligand, *, progress: bool | None = None) -> Result: ...
    @overload
    def dock(self, ligand: Any, *, progress: bool | None = None) -> Any: ...
    def dock(self, ligand: Any, *, progress: bool | None = None) -> Any:
        """Docks an RDKit Mol, a SMILES, a file with one molecule, or an iterable of them.

        One ligand gives a Result, or an exception. An iterable gives Results, in its order; paths in it may
        be of files with many molecules, and a ligand that cannot be docked has `error`. A str is taken for a path when it is
        one or ends like one (".sdf"), else for a SMILES, which a name may follow. progress: a bar of tqdm; None: in a
        terminal and in a notebook.
        """
        if not is_one(ligand) and not hasattr(ligand, "__iter__"):
            raise no_molecule(ligand)
        self._check_box()
        if not is_one(ligand):
            total = len(ligand) if hasattr(ligand, "__len__") else None
            found = (item for one in ligand for item in prepared(one, self._prepare))
            return Results(self._run(lambda: self._dock(found, progress_bar(total, progress))))
        result = self._run(lambda: self._dock(iter([self._only(ligand)]), None))[0]
        if result.error is not None:
            raise result.error
        return result

    def _check_box(self) -> None:
        box = self.receptor._box()
        call(lib.bt_box_check, ffi.new("bt_box *", box))
        volume = lib.bt_box_volume(ffi.new("bt_box *", box))
        if volume > LARGE:
            warnings.warn(f"the box has {volume:.0f} cubic Angstrom, more than the {LARGE:.0f} in which a search finds poses "
                          "reliably; make it smaller", RuntimeWarning, stacklevel=3)

    def _only(self, ligand: Any) -> Item:
        one = only(ligand, self._prepare)
        self._check_bond(one)
        return one.name, one

    def _check_bond(self, ligand: Ligand) -> None:
        call(lib.bt_molecule_check_bond, ligand._molecule, self.receptor._rigid)

    def _run(self, function: Callable[[], Any]) -> Any:
        work: Work[Any] = Work()
        self._stop = work.stop
        return work.run(function)

    def _handle(self, ligand: Ligand, scoring: int, plan: Any = None) -> Any:
        tether = self.receptor._tether
        if tether != ffi.NULL and string(lib.bt_molecule_tether(ligand._molecule)) != string(tether.residue):
            raise UsageError(f"{ligand.name} is not bonded to {string(tether.residue)}; give the engine what it was prepared from")
        flexible = self.receptor._flexible if plan is None else plan.opt_flexible
        handle = made("bt_ligand *", lib.bt_ligand_create_as, ligand._molecule, flexible, scoring)
        return own(handle, lib.bt_ligand_destroy, ligand, self.receptor, plan)

    def _maps_for(self, scoring: int, types: set[str]) -> Any:
        """Maps of these and all earlier types."""
        known, maps = self._maps.get(scoring, (set(), None))
        if maps is None or not types <= known:
            known = known | types
            maps = compute(self.receptor, sorted(known), scoring, self._threads, self._parameters)
            self._maps[scoring] = known, maps
        return maps

    def _rescorers(self) -> Any:
        if self._rescoring is None:
            box, grid = ffi.new("bt_box *", self.receptor._box()), grid_options(
                self.receptor, self._function, self._threads, self._strings, self._parameters)
            setting = ffi.new("bt_rescore_setting *", {
                "receptor": self.receptor._rigid, "opt_flexible": self.receptor._flexible, "boxes": box, "n_boxes": 1,
                "grid": grid, "opt_device": self._search.opt_device, "threads": self._threads})
            rescoring = made("bt_rescoring *", lib.bt_rescoring_open, self._rescore, setting)
            self._rescoring = own(rescoring, lib.bt_rescoring_close, self.receptor, self._strings)
        return self._rescoring

    def _engine_for(self, types: set[str]) -> tuple[Any, Any]:
        maps = self._maps_for(self._function, types)
        if self._open is None or self._open[0] != os.getpid() or self._open[1] is not maps:
            engine = made("bt_engine *", lib.bt_engine_open, maps, self._search)
            self._open = os.getpid(), maps, own(engine, lib.bt_engine_close, maps)
        return maps, self._open[2]

    def _dock(self, found: Iterator[Item], bar: Any) -> list[Result]:
        results: list[Result] = []
        ahead: collections.deque[_Slot] = collections.deque()
        at_work: dict[int, _Slot] = {}
        errors: list[BaseException] = []
        mapped: set[str] = set()
        maps: Any = None

        def read() -> _Slot | None:
            """The next ligand that can be docked; errors of others are recorded."""
            for name, ligand in found:
                result = Result(name)
                results.append(result)
                error: Exception = ligand if isinstance(ligand, Exception) else Error("")
                try:
                    if isinstance(ligand, Ligand):
                        return _Slot(result, ligand, self._handle(ligand, self._function))
                except Error as refused:
                    error = refused
                if isinstance(error, (Cancelled, MemoryError)):
                    raise error
                result.error = error
                tell()
            return None

        def tell() -> None:
            if bar is not None:
                bar.update()

        def give(user: Any) -> Any:
            try:
                slot = ahead.popleft() if ahead else None if self._stop.is_set() else read()
                if slot is None:
                    return ffi.NULL
                if not types_of(slot.handle) <= mapped:
                    ahead.append(slot)
                    return ffi.NULL
                at_work[int(ffi.cast("intptr_t", slot.docking))] = slot
                return slot.docking
            except BaseException as error:  # pylint: disable=broad-except
                errors.append(error)
                return ffi.NULL

        def take(user: Any, docking: Any) -> bool:
            try:
                self._keep(at_work.pop(int(ffi.cast("intptr_t", docking))), maps)
                tell()
            except BaseException as error:  # pylint: disable=broad-except
                errors.append(error)
            return not errors and not self._stop.is_set()

        next_fn = ffi.callback("bt_docking *(*)(void *)", give)
        done_fn = ffi.callback("bool(*)(void *, bt_docking *)", take)
        try:
            while not errors and not self._stop.is_set():
                started = time.monotonic()
                while len(ahead) < AHEAD and not self._stop.is_set() and (
                        len(ahead) < 2 or time.monotonic() - started < AHEAD_SECONDS):
                    slot = read()
                    if slot is None:
                        break
                    ahead.append(slot)
                if not ahead:
                    return results
                mapped = mapped.union(*(types_of(slot.handle) for slot in ahead))
                maps, engine = self._engine_for(mapped)
                stream = ffi.new("bt_docking_stream *", {"count": -1, "ahead": True, "next": next_fn, "done": done_fn})
                call(lib.bt_engine_dock_stream, engine, stream)
        except Cancelled:
            if not errors:
                raise
        finally:
            if bar is not None:
                bar.close()
        if errors:
            raise errors[0]
        return results

    def _keep(self, slot: _Slot, maps: Any) -> None:
        docking = slot.docking
        if docking.result == ffi.NULL:
            slot.result.error = exception(docking.error)
            return
        core = own(docking.result, lib.bt_result_destroy, slot.handle, maps)
        self._fill(slot.result, core, slot.ligand, slot.handle)

    def _fill(self, result: Result, core: Any, ligand: Ligand, handle: Any) -> None:
        if self._rescore:
            error = ffi.new("bt_error *")
            call(lib.bt_rescoring_apply, self._rescorers(), ffi.new("bt_result **", core), 1, self._rank_by, error)
            if error.status != lib.BT_OK:
                raise exception(error[0])
        result.fill(core, ligand, handle, self.receptor, self.scoring, self.seed)

    # --- given poses -----------------------------------------------------------------------------------------------

    def _posed(self, ligand: Any) -> Ligand:
        """The ligand as it was docked; refuses one whose coordinates are a generated conformer's."""
        one = only(ligand, self._given)
        if not lib.bt_molecule_has_pose(one._molecule):
            remedy = "dock it with engine.dock, or give coordinates in 3D"
            message = f"{one.name} has no 3D coordinates that could be scored"
            raise InputError(f"{message}; {remedy}", "BT_ERR_INPUT", message, remedy)
        return one

    def _plan(self, pose: Ligand, ignore_docking: bool) -> Any:
        """bt_pose_plan: how the pose is scored."""
        function, torsional = ffi.new("bt_scoring *", self._function), ffi.new("bt_torsional_count *", self._search.torsional)
        request = ffi.new("bt_pose_request *", {
            "opt_receptor": self.receptor._rigid, "opt_flexible": self.receptor._flexible, "opt_scoring": function,
            "opt_torsional": ffi.NULL if self._own_torsional else torsional, "ignore_docking": ignore_docking})
        plan = ffi.new("bt_pose_plan *")
        call(lib.bt_pose_plan_make, pose._molecule, request, plan)
        return own(plan, lib.bt_pose_plan_clear)

    def _maps_given(self, plan: Any, types: set[str]) -> Any:
        """Maps for a pose: in the grid of its docking if it records one; none but the receptor's atoms for sums over them."""
        box, ad4 = plan.box if plan.recorded else self.receptor._box(), self._function == lib.BT_SCORING_AD4
        if ad4 and not plan.recorded:
            return self._maps_for(self._function, types)
        key = list(box.center), list(box.npts), box.spacing, types if ad4 else set()
        if self._maps_of_docking[0] != key:
            self._maps_of_docking = key, compute(self.receptor, sorted(key[3]), self._function, self._threads,
                                                 self._parameters, box)
        return self._maps_of_docking[1]

    def score(self, ligand: Any, *, ignore_docking: bool = False) -> Energy:
        """The energy of a ligand at its coordinates, as by `berth score`; Vina and Vinardo sum over the receptor's atoms.
        A pose of Berth has the energy of its docking, unless ignore_docking; one that this receptor does not fit, as its
        flexible residues are rigid here, is refused, and so is a ligand without 3D coordinates, such as a SMILES."""
        one = self._posed(ligand)
        plan, energy = self._plan(one, ignore_docking), ffi.new("bt_energy *")
        handle = self._handle(one, self._function, plan)
        maps = self._maps_given(plan, types_of(handle))
        call(lib.bt_pose_score, handle, maps, lib.BT_FORM_TABULATED, plan, energy, ffi.NULL)
        return energy_of(energy)

    def minimize(self, ligand: Any) -> Result:
        """The minimum that a local search reaches from the given coordinates; one pose."""
        def work() -> Result:
            one = self._posed(ligand)
            handle = self._handle(one, self._function, self._plan(one, False))
            maps = self._maps_for(self._function, types_of(handle))
            core = own(made("bt_result *", lib.bt_minimize, handle, maps, self._search), lib.bt_result_destroy, handle, maps)
            result = Result(one.name)
            result.fill(core, one, handle, self.receptor, self.scoring, self.seed)
            return result
        found: Result = self._run(work)
        return found

    # --- libraries -------------------------------------------------------------------------------------------------

    def screen(self, library: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], *,
               database: str | os.PathLike[str], resume: bool = True, progress: bool | None = None,
               **options: Any) -> Screen:
        """Docks a library - files of any length, folders, .btl - into a database, and returns it: iterating gives the ligands,
        best first. With resume, an interrupted screen (after Ctrl-C, say) continues where it stopped. options: members of
        bt_screen_options (berth/screen.h): poses=3, keep=1000, shard=1, shards=4, retry=1."""
        self._check_box()
        types = all_types(self._function)
        maps = self._maps_for(self._function, set(types))
        bar = progress_bar(None, progress)
        paths = [library] if isinstance(library, (str, os.PathLike)) else list(library)
        return run_screen(self, paths, os.fspath(database), resume, maps, bar, options)


def _engine(receptor: Receptor, arguments: dict[str, Any]) -> Engine:
    return Engine(receptor, **arguments)
