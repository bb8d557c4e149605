"""The commands of an installed wheel: each becomes a program of the package berth, which is not imported."""
import importlib.util
import os
import pathlib
import sys


def _become(name: str) -> int:
    """Runs the program of that name in place of this process; the exit code if it cannot be started."""
    found = importlib.util.find_spec("berth")
    if found is None or found.origin is None:
        print(f"{name}: the Python package berth is not installed", file=sys.stderr)
        return 1
    program = pathlib.Path(found.origin).parent / "bin" / name
    try:
        os.execv(program, sys.argv)
    except OSError as error:
        print(f"{name}: {program}: {error.strerror}; reinstall the package", file=sys.stderr)
    return 1


def berth() -> int:
    return _become("berth")


def adgpu() -> int:
    return _become("berth-adgpu")


def autogrid() -> int:
    return _become("berth-autogrid")
