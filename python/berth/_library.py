"""Loads libberth.so; turns its errors into exceptions and its pointers into objects that free themselves."""
from __future__ import annotations

import _thread
import pathlib
import re
import threading
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from ._words import ENUMS

T = TypeVar("T")


def _load() -> tuple[Any, Any]:
    """cffi's view of the headers, and libberth.so; both are in the folder of an installed package."""
    folder = pathlib.Path(__file__).parent
    missing = [name for name in ("_api.py", "lib/libberth.so") if not (folder / name).exists()]
    if len(missing) == 2:
        raise ImportError(f"{folder} is Berth's source tree, which is not built; run `pip install .` in the checkout, and python in "
                          "another folder")
    if missing:
        raise ImportError(f"{folder} has no {missing[0]}; the package is incomplete, reinstall it")
    from . import _api
    try:
        return _api.ffi, _api.ffi.dlopen(str(folder / "lib/libberth.so"))
    except OSError as error:
        raise ImportError(f"{error}; install what is missing, or reinstall the package") from None


ffi, lib = _load()


class Error(Exception):
    """An error of the library; str() is its message.

    code: "BT_ERR_INPUT" and so on; message: what; remedy: what can be done about it; file, line, atom: where, or None.
    """

    def __init__(self, text: str, code: str = "", message: str = "", remedy: str = "", file: str | None = None,
                 line: int | None = None, atom: int | None = None) -> None:
        super().__init__(text)
        self.code, self.message, self.remedy = code, message or text, remedy
        self.file, self.line, self.atom = file, line, atom

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code, self.message, self.remedy, self.file, self.line, self.atom)


class UsageError(Error, ValueError):
    """An option or argument is wrong."""


class InputError(Error, ValueError):
    """A file or molecule is malformed."""


class ParameterError(Error, ValueError):
    """An atom type has no parameters or no map."""


class BoxError(Error, ValueError):
    """The molecule does not fit the box."""


class LimitError(Error):
    """The input exceeds what this machine can hold, or took too long."""


class FileError(Error, OSError):
    """A file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


class OutOfMemoryError(Error, MemoryError):
    """Out of memory."""


class DeviceError(Error):
    """A device failed or is absent."""


class Cancelled(Error):
    """Stopped on request."""


class FilteredError(InputError):
    """The molecule does not meet a condition of the filter."""


KINDS: dict[str, type[Error]] = {
    "BT_ERR_USAGE": UsageError, "BT_ERR_INPUT": InputError, "BT_ERR_PARAMETER": ParameterError, "BT_ERR_BOX": BoxError,
    "BT_ERR_LIMIT": LimitError, "BT_ERR_IO": FileError, "BT_ERR_MEMORY": OutOfMemoryError, "BT_ERR_DEVICE": DeviceError,
    "BT_ERR_CANCELLED": Cancelled, "BT_ERR_FILTERED": FilteredError}


def string(pointer: Any) -> str:
    """A borrowed C string."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def taken(pointer: Any) -> str:
    """An owned C string, which is freed."""
    try:
        return string(pointer)
    finally:
        lib.free(pointer)


# Options of the programs whose keyword has another name; "-" is "_" in all others.
KEYWORDS = {"evals": "evaluations", "flex": "flexible", "residue-template": "templates", "no-rebuild": "keep_incomplete",
            "record-time": "record_seconds", "pka": "pka_file", "reduction": "reduction"}
FLAGS = {"as-drawn", "hydrated", "no-rebuild", "resume", "strict", "zinc"}
OPTION = re.compile(r"--([a-z][a-z-]*)(?:[ =](ad4|all|cpu|enumerate|vina|vinardo|(?:[A-Z0-9*:][\w:,*-]*(?!\w))))?")


def in_python(text: str) -> str:
    """A sentence of the library with keywords for the options of programs: "--keep HOH" is keep="HOH"."""
    def keyword(match: re.Match[str]) -> str:
        name, value = KEYWORDS.get(match[1], match[1].replace("-", "_")), match[2]
        if match[1] in FLAGS:
            return f"{name}=True{' ' + value if value else ''}"
        return f"{name}=" + ("..." if value is None else value if value.isdigit() else f'"{value}"')

    return text if "berth " in text else OPTION.sub(keyword, text)


def exception(error: Any) -> Error:
    """A bt_error as an exception."""
    code, text = string(lib.bt_status_name(error.status)), ffi.new("char[2048]")
    lib.bt_error_format(ffi.addressof(error), text, len(text))
    return KINDS.get(code, Error)(in_python(string(text)), code, in_python(string(error.message)),
                                  in_python(string(error.remedy)), string(error.file) or None, error.line or None,
                                  error.atom or None)


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function whose last argument is an error and which returns a status."""
    error = ffi.new("bt_error *")
    if function(*arguments, error) != lib.BT_OK:
        raise exception(error[0])


def made(kind: str, function: Callable[..., int], *arguments: Any) -> Any:
    """The same for a function whose last argument but one receives the new object: `made("bt_maps *", ...)`."""
    place = ffi.new(f"{kind}*")
    call(function, *arguments, place)
    return place[0]


def own(pointer: Any, destroy: Callable[[Any], None], *borrowed: Any) -> Any:
    """The pointer with its destructor; keeps alive what it borrows."""
    def release(pointer: Any, _borrowed: tuple[Any, ...] = borrowed) -> None:
        destroy(pointer)

    return ffi.gc(pointer, release)


def constant(name: str, word: Any) -> int:
    """The constant of a word: constant("effort", "screen")."""
    if word not in ENUMS[name]:
        raise UsageError(f"{name} {word!r} is not known; use one of {', '.join(ENUMS[name])}", "BT_ERR_USAGE")
    return int(getattr(lib, ENUMS[name][word]))


def fill(struct: Any, values: dict[str, Any], strings: Strings) -> None:
    """Sets the members of an options struct that are given; words of enumerations become constants."""
    members = dict(ffi.typeof(struct).item.fields)
    for name, value in values.items():
        if value is None:
            continue
        if name in ENUMS:
            value = constant(name, value)
        if "opt_" + name in members:
            name, value = "opt_" + name, strings.one(value)
        if name not in members:
            raise TypeError(f"unknown option {name!r}")
        setattr(struct, name, value)


def listed(words: str | Iterable[Any]) -> list[Any]:
    """A single word stands for a list of one: delete="478" does not delete residues 4, 7 and 8."""
    return [words] if isinstance(words, str) else list(words)


class Strings:
    """C strings with the lifetime of this object."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def keep(self, thing: Any) -> Any:
        self.kept.append(thing)
        return thing

    def one(self, text: object) -> Any:
        return ffi.NULL if text is None else self.keep(ffi.new("char[]", str(text).encode()))

    def many(self, texts: Iterable[object]) -> Any:
        return self.keep(ffi.new("char *[]", [self.one(text) for text in texts] or [ffi.NULL]))


class Work(Generic[T]):
    """Work that Ctrl-C can interrupt: it runs in a thread, while the main thread waits. Callbacks poll `stop`."""

    def __init__(self) -> None:
        self.stop = threading.Event()

    def run(self, function: Callable[[], T]) -> T:
        if threading.current_thread() is not threading.main_thread():
            return function()
        done, results, errors = threading.Event(), list[T](), list[BaseException]()

        def work() -> None:
            try:
                results.append(function())
            except BaseException as error:  # pylint: disable=broad-except
                errors.append(error)
            finally:
                done.set()

        interrupt, started = None, False
        while not done.is_set():
            try:
                if not started:  # atomically, so that at Ctrl-C the thread is either started or not
                    started = True
                    _thread.start_new_thread(work, ())
                while not done.wait(1.0):
                    pass
            except KeyboardInterrupt as error:
                interrupt = error
                self.stop.set()
        if interrupt is not None:
            raise interrupt
        if errors:
            raise errors[0]
        return results[0]
