"""The Python package with this build's libberth.so: runs tests/python with pytest, if scripts/install-deps was run."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import berth_cli as cli

NEEDED = "import cffi, numpy, pandas, pytest, rdkit"


def interpreter():
    for python in (os.environ.get("BERTH_PYTHON"), sys.executable, cli.SOURCE / "build" / "python-venv" / "bin" / "python"):
        if python and shutil.which(python) and subprocess.run([python, "-c", NEEDED], capture_output=True,
                                                              check=False).returncode == 0:
            return python
    return None


def machine(path):
    """The processor of an ELF file's code."""
    with open(path, "rb") as stream:
        return stream.read(20)[18:]


def lay_out(name):
    """An interpreter and the folder of the package, made of this build's library under that name; or why there is none."""
    build, python, compiler = cli.BIN.parent, interpreter(), shutil.which("cc")
    library = build / "lib" / "libberth.so"
    if not library.exists():
        return "this build has no shared library"
    if python is None:
        return "no Python with cffi, NumPy, pandas, pytest and RDKit (scripts/install-deps python)"
    if compiler is None:
        return "no C compiler"
    if machine(library) != machine(shutil.which(python)):
        return "this build is for another kind of processor"
    source, package = pathlib.Path(cli.SOURCE), build / name / "berth"
    shutil.rmtree(package, ignore_errors=True)
    (package / "lib").mkdir(parents=True)
    (package / "lib" / library.name).symlink_to(library)
    for path in [*(source / "python/berth").glob("*.py"), source / "python/berth/py.typed"]:
        (package / path.name).symlink_to(path)
    subprocess.run([python, source / "python/make_api.py", compiler, source / "include", package / "_api.py"], check=True,
                   stdout=subprocess.DEVNULL)
    return python, package.parent


class Python(unittest.TestCase):
    def test_package(self):
        package = lay_out("python")
        if isinstance(package, str):
            self.skipTest(package)
        python, folder = package
        source = pathlib.Path(cli.SOURCE)
        environment = dict(os.environ, PYTHONPATH=str(folder), BERTH_SOURCE_DIR=str(source), BERTH_BIN=str(cli.BIN),
                           PYTHONDONTWRITEBYTECODE="1")
        done = subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=100",
                               source / "tests/python"], env=environment, cwd=cli.BIN.parent, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        if not re.search(r"\d passed", done.stdout):
            self.skipTest("this build has no RDKit or no gemmi")


if __name__ == "__main__":
    cli.main()
