"""Poses that must meet what is known of them."""
import pickle

import berth
import pytest
from conftest import PDB, QUICK


def test_constraints(receptor):
    """Required contacts are met by all poses, as by `berth dock --require`; words and files are checked."""
    engine = berth.Engine(receptor, constraints={"require": ["hbond:B:ASP25"], "prefer": "contact:A:ILE50"}, **QUICK)
    result = pickle.loads(pickle.dumps(engine)).dock("NC(=O)c1ccc(O)cc1 amide")
    for pose in result.poses:
        assert [one["name"] for one in pose.constraints] == ["hbond:B:ASP25", "contact:A:ILE50"]
        assert pose.constraints[0]["met"] and pose.constraints[0]["distance"] <= 3.61
    with pytest.raises(berth.UsageError, match="no residue is 'A:ALA999'"):
        berth.Engine(receptor, constraints={"require": "contact:A:ALA999"}, **QUICK)
    with pytest.raises(berth.UsageError, match="core_missing"):
        berth.Engine(receptor, constraints={"core": "x.sdf", "core_missing": "no"}, **QUICK)
    with pytest.raises(TypeError, match="unknown option"):
        berth.Engine(receptor, constraints={"requires": "contact:A:ILE50"}, **QUICK)
    with pytest.raises(berth.InputError, match="no atom that could meet"):
        berth.Engine(receptor, constraints={"require": "point:positive:9,16,9@3"}, **QUICK).dock("c1ccccc1 benzene")


def test_core_is_a_residue(receptor):
    """Of the receptor's file, as for `berth dock --core 478 --template SMILES`; a receptor that still has it is refused."""
    smiles = "CC(C)CN(C[C@@H](O)[C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)S(=O)(=O)c1ccc(N)cc1"
    core = {"core": "478", "core_template": smiles}
    result = berth.Engine(receptor, scoring="vina", constraints=core, **QUICK).dock("CCN(C)S(=O)(=O)c1ccc(N)cc1 sulfonamide")
    assert result.poses and all(one["name"] == "core" and one["met"] for pose in result.poses for one in pose.constraints)
    with pytest.raises(berth.UsageError, match="no bond orders"):
        berth.Engine(receptor, scoring="vina", constraints={"core": "478"}, **QUICK)
    full = berth.Receptor(PDB, center=receptor.center, size=receptor.size, keep="478")
    with pytest.raises(berth.UsageError, match="take that residue out"):
        berth.Engine(full, scoring="vina", constraints=core, **QUICK)
