"""Shared by the tests of the Python package: the receptor of examples/1hpv, and a quick search."""
import os
import pathlib
import sys

import berth
import pytest

SOURCE = pathlib.Path(os.environ["BERTH_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "tests"))
BIN = pathlib.Path(os.environ["BERTH_BIN"])
PDB = SOURCE / "examples/1hpv/1hpv.pdb"
QUICK = {"runs": 2, "evaluations": 1500, "population": 20, "local_search_iterations": 20, "seed": 7, "device": "cpu"}
OPTIONS = ["--runs", "2", "--evals", "1500", "--population", "20", "--local-search-iterations", "20", "--seed", "7",
           "--device", "cpu", "--autobox", "478", "--set-state", "B:25:ASH"]


def pytest_collection_modifyitems(items):
    have = berth.features()
    if not (have["rdkit"] and have["gemmi"]):
        for item in items:
            item.add_marker(pytest.mark.skip("this build has no RDKit or no gemmi"))


@pytest.fixture(scope="session")
def receptor():
    return berth.Receptor(PDB, autobox="478", set_state={"B:25": "ASH"})


@pytest.fixture
def engine(receptor):
    return berth.Engine(receptor, **QUICK)
