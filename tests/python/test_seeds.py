"""Poses from other programs join a docking."""
import json

import berth
import pytest
from rdkit import Chem


def test_seeds(engine, tmp_path):
    smiles = "CC(=O)N[C@@H](C)C(=O)O ala"
    before = engine.dock(smiles)
    assert "seed_poses" not in json.loads(before.text("json"))
    mol = Chem.Mol(before.poses[0].mol)
    (tmp_path / "pose.sdf").write_text(Chem.MolToMolBlock(mol) + "$$$$\n")
    for seeds, count in ((mol, 1), (tmp_path / "pose.sdf", 1), ([str(tmp_path / "pose.sdf"), Chem.RemoveHs(mol)], 2)):
        result = engine.dock(smiles, seeds=seeds)
        runs = [run for run in result.runs.values() if run["origin"] == "seed"]
        assert [run["seed_pose"] for run in runs] == list(range(1, count + 1))
        assert all(pose.seed_pose == result.runs[pose.run].get("seed_pose", 0) for pose in result.poses)
    ligand = berth.prepare_ligand(smiles)
    assert any(run["origin"] == "seed" for run in engine.dock(ligand, seeds=mol).runs.values())
    assert "seed_poses" not in json.loads(engine.dock(ligand).text("json"))  # the prepared ligand was left without
    with pytest.raises(berth.InputError, match="not the same"):
        engine.dock("CCO ethanol", seeds=mol)
    with pytest.raises(berth.UsageError, match="one ligand"):
        engine.dock([smiles, "CCO ethanol"], seeds=mol)
