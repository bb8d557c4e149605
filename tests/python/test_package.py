"""The package as a whole: signals, processes, types."""
import os
import pathlib
import subprocess
import sys

import berth
import pytest
from conftest import PDB, SOURCE

LONG = f"""
import berth, os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # where the tests run in the background, a shell had it ignored
engine = berth.Engine(berth.Receptor({str(PDB)!r}, autobox="478"), device="cpu", runs=1000, evaluations=10**12,
                      autostop=False, generations=10**9, seed=1)
free = threading.Event()
def press():
    while engine._open is None:
        time.sleep(0.01)
    free.set()  # this thread runs while the engine docks
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
try:
    engine.dock("CC(=O)Oc1ccccc1C(=O)O")
except KeyboardInterrupt:
    print("interrupted", free.is_set())
"""


def test_interrupt():
    """Ctrl-C ends a docking that would take days."""
    done = subprocess.run([sys.executable, "-c", LONG], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "interrupted True\n", done.stderr


def test_processes():
    """Engines go to other processes, and results come back."""
    code = f"""
import berth, multiprocessing
if __name__ == "__main__":
    engine = berth.Engine(berth.Receptor({str(PDB)!r}, autobox="478"), device="cpu", runs=1, evaluations=1000, seed=1)
    here = engine.dock("CCO").poses[0].energy
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(engine.dock, ["CCO"])[0].poses[0].energy == here)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "True\n", done.stderr


def test_types():
    pytest.importorskip("mypy")
    folder = pathlib.Path(berth.__file__).parents[1]
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir",
                           folder / "mypy"], env=dict(os.environ, PYTHONPATH=str(folder)), capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout


def test_imports_little():
    """The packages that take long are imported when they are needed."""
    code = "import berth, sys; print({'numpy', 'rdkit', 'pandas', 'tqdm'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_notebook():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(SOURCE / "examples/python/dock.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(SOURCE / "examples/python")}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in shown)
