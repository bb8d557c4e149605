"""Whether poses are plausible."""
import berth
import pytest
from conftest import QUICK


def test_checks(receptor, engine, tmp_path):
    result = engine.dock("C[C@H](O)c1ccccc1")
    pose = result.poses[0]
    assert pose.checks["pass"] == (not pose.checks["failed"])
    assert pose.checks["values"]["tetrahedral_stereo"] == 0 and pose.checks["values"]["internal_energy"] is None
    found = engine.check(pose.mol, reference=pose.mol)
    assert found["failed"] == pose.checks["failed"] and found["values"]["bond_lengths"] == pytest.approx(pose.checks["values"]["bond_lengths"], abs=0.005)
    assert berth.Engine(receptor, checks="off", **QUICK).dock("CCO").poses[0].checks is None
    moved = pose.mol
    for k, (x, y, z) in enumerate(moved.GetConformer().GetPositions()):
        moved.GetConformer().SetAtomPosition(k, (-float(x), float(y), float(z)))
    assert "tetrahedral_stereo" in engine.check(moved, reference=pose.mol)["failed"]
    with pytest.raises(berth.UsageError, match="checks 'some'"):
        berth.Engine(receptor, checks="some", **QUICK)
