"""The package as a whole: signals, processes, types."""
import os
import pathlib
import subprocess
import sys

import berth
import pytest
from conftest import BIN, PDB, SOURCE

LONG = f"""
import berth, os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # where the tests run in the background, a shell had it ignored
engine = berth.Engine(berth.Receptor({str(PDB)!r}, autobox="478"), device="cpu", runs=1000, evaluations=10**12,
                      autostop=False, generations=10**9, seed=1)
free = threading.Event()
def press():
    time.sleep(2)
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
    """Engines and results can be sent between processes."""
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


def run(code, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("BERTH_CACHE_DIR", "XDG_CACHE_HOME", "HOME")}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd="/",
                          env={**environment, **variables})


def package(folder, names):
    """A copy of the package with these files."""
    (folder / "berth/lib").mkdir(parents=True)
    for name in names:
        (folder / "berth" / name).symlink_to((pathlib.Path(berth.__file__).parent / name).resolve())
    return str(folder)


def test_incomplete_package(tmp_path):
    """An unbuilt source folder, and a package with a missing file: one sentence with the folder and the remedy."""
    sources = [path.name for path in (SOURCE / "python/berth").glob("*.py")]
    for name, files, words in (("a", sources, "is Berth's source tree, which is not built; run `pip install .`"),
                               ("b", [*sources, "_api.py"], "has no lib/libberth.so; the package is incomplete")):
        done = run("import berth", PYTHONPATH=package(tmp_path / name, files))
        last = done.stderr.splitlines()[-1]
        assert last.startswith(f"ImportError: {tmp_path / name / 'berth'} ") and words in last, done.stderr
    folder = package(tmp_path / "c", [*sources, "_api.py"])
    (tmp_path / "c/berth/lib/libberth.so").write_text("no library\n")
    assert "ImportError: cannot load library" in run("import berth", PYTHONPATH=folder).stderr


def test_finds_what_belongs_to_the_library(tmp_path):
    """libberth_omptarget.so is in the folder of libberth.so, wherever Python is."""
    library = BIN / "libberth_omptarget.so"
    if not library.exists():
        pytest.skip("this build has no libberth_omptarget.so")
    sources = [path.name for path in (SOURCE / "python/berth").glob("*.py")]
    folder = package(tmp_path, [*sources, "_api.py", "lib/libberth.so"])
    code = "import berth; print(*(d['reason'] for d in berth.devices() if d['name'].startswith('omp-target')))"
    assert "libberth_omptarget.so" in run(code, PYTHONPATH=folder).stdout  # not there
    (tmp_path / "berth/lib" / library.name).write_text("no library\n")
    assert f"{tmp_path}/berth/lib/libberth_omptarget.so does not load" in run(code, PYTHONPATH=folder).stdout


def test_no_cache():
    """Docking works without a folder for the cache; on a GPU there is one warning."""
    code = f"""
import berth, warnings
receptor = berth.Receptor({str(PDB)!r}, autobox="478")
berth.Engine(receptor, device="cpu", runs=1, evaluations=500).dock("CCO")
for device in berth.devices():
    if device["name"] == "opencl:0" and device["usable"]:
        for _ in range(2):
            berth.Engine(receptor, device="opencl:0")
        print("warned")
"""
    path = str(pathlib.Path(berth.__file__).parents[1])
    done = run(code, PYTHONPATH=path)
    assert done.returncode == 0
    assert done.stderr.count("RuntimeWarning: no cache for later runs: neither") == done.stdout.count("warned")
    assert run(code, PYTHONPATH=path, BERTH_CACHE_DIR="").stderr == ""


def test_types():
    pytest.importorskip("mypy")
    folder = pathlib.Path(berth.__file__).parents[1]
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir",
                           folder / "mypy"], env=dict(os.environ, PYTHONPATH=str(folder)), capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("code, words", [
    ('berth.Engine(r, scoring="vinna")', 'incompatible type "Literal[\'vinna\']"'),
    ('berth.Engine(r, scoring="cnn")', 'incompatible type "Literal[\'cnn\']"'),
    ('berth.Engine(r, rescore=["cnn", "ad4"], networks="gnina", seed="1")', 'Argument "seed" to "Engine"'),
    ('berth.Engine(r, evals=5)', 'Unexpected keyword argument "evals"'),
    ('berth.Engine(r, "vina")', "Too many positional arguments"),
    ('berth.Engine(r, ligands={"pH": 7})', 'Argument "ligands" to "Engine" has incompatible type')])
def test_mypy_refuses_wrong_words(tmp_path, code, words):
    pytest.importorskip("mypy")
    (tmp_path / "dock.py").write_text(f'import berth\nr = berth.Receptor("1hpv.pdb", "478")\n{code}\n')
    folder = pathlib.Path(berth.__file__).parents[1]
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder / "mypy", "--ignore-missing-imports",
                           tmp_path / "dock.py"], env=dict(os.environ, MYPYPATH=str(folder)), capture_output=True, text=True,
                          check=False)
    assert done.returncode == 1 and "dock.py:3: " in done.stdout and words in done.stdout, done.stdout


def test_docstrings():
    """Everything public says what it does."""
    for name in berth.__all__:
        thing = getattr(berth, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__ or any(getattr(base, member).__doc__ for base in thing.__mro__[1:] if hasattr(base, member)), \
                    f"{name}.{member}"


def test_imports_little():
    """Packages that are slow to import are imported when needed."""
    code = "import berth, sys; print({'numpy', 'rdkit', 'pandas', 'tqdm'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_notebook():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(SOURCE / "examples/python/dock.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(SOURCE / "examples/python")}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in shown)
