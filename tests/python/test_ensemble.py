"""Several structures of one protein."""
import json

import berth
import pytest
from conftest import PDB, QUICK


def test_ensemble(receptor, tmp_path):
    lines = [line for line in PDB.read_text().splitlines() if line.startswith(("ATOM", "HETATM", "TER"))]
    away = [line[:30] + f"{float(line[30:38]) + 20:8.3f}" + line[38:] if line[:3] != "TER" else line for line in lines]
    (tmp_path / "away.pdb").write_text("\n".join(away) + "\nEND\n")
    both = berth.Receptor(PDB, autobox="478", set_state={"B:25": "ASH"}, ensemble=[tmp_path / "away.pdb"])
    result = berth.Engine(both, **QUICK).dock("CC(=O)N[C@@H](C)C(=O)O ala")
    found = json.loads(result.text("json"))
    assert [of["receptor"] for of in found["receptors"]] == [1, 2]
    assert {run["receptor"] for run in result.runs.values()} == {1, 2}
    assert {pose.site for pose in result.poses} <= {1, 2}
    alone = berth.Engine(receptor, **QUICK).dock("CC(=O)N[C@@H](C)C(=O)O ala")
    first = [run["free_energy"] for run in found["runs"] if run["receptor"] == 1 and not run.get("further")]
    unbound = [run["inter"] for run in found["runs"] if run["receptor"] == 1 and not run.get("further")]
    assert unbound == [run["inter"] for run in alone.runs.values() if not run.get("further")] and len(first) == 2
    # the same structure, moved and superposed: the same energies, but for rounding
    best = [min(run["inter"] for run in found["runs"] if run["receptor"] == k) for k in (1, 2)]
    assert best[1] < 0 and best[0] < 0
    with pytest.raises(berth.UsageError, match="single box"):
        berth.Engine(berth.Receptor(PDB, autobox=["478", "478"], ensemble=[PDB.with_name("receptor.pdbqt")], superpose=False), **QUICK)
