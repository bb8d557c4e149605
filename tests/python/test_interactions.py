"""Interactions as a table, their similarity to a reference, and poses that must have them."""
import berth
import pytest



def test_table(engine):
    result = engine.dock("CC(=O)N[C@@H](Cc1ccccc1)C(=O)[O-] phe")
    frame = result.interactions()
    best = [pose for pose in result.poses if pose.rank_in_cluster == 1]
    assert len(frame) == len(best) and frame.index.name == "rank"
    assert frame.isin((0, 1)).all().all() and frame.to_numpy().any()
    assert all(column.count(":") == 2 for column in frame.columns)
    kinds = {"directed_hydrogen_bond": "B", "hydrophobic": "L", "salt_bridge": "S"}
    told = {f"{one['chain']}:{one['residue']}{one['residue_number']}:{kinds[one['type']]}"
            for one in result.poses[0].contacts if one["type"] in kinds}
    assert told and told <= {name for name in frame.columns if frame.loc[1, name] == 1}


def test_similarity_and_filter(engine):
    result = engine.dock("CC(=O)N[C@@H](Cc1ccccc1)C(=O)[O-] phe")
    frame = result.interactions(reference=result.poses[0])
    assert frame.loc[1, "similarity"] == 1 and frame.similarity.between(0, 1).all()
    column = next(name for name in frame.columns if name != "similarity" and frame.loc[1, name] == 1)
    chain, residue, _ = column.split(":")
    kept = result.interactions(must_contact=f"{chain}:{residue}")
    assert 1 in kept.index and len(kept) <= len(frame)
    with pytest.raises(berth.UsageError):
        result.interactions(must_contact="A:XYZ9999")
