"""At metal ions the default scoring function has a term for their coordination."""
import berth
import pytest
from conftest import QUICK


@pytest.fixture
def zinc(tmp_path):
    """A zinc ion between three histidines' worth of atoms: a receptor that is used as it is."""
    atoms = [("NA", "N", 2.1, 0, 0), ("NA", "N", -1.05, 1.82, 0), ("NA", "N", -1.05, -1.82, 0), ("C", "C", 0, 0, -3.5)]
    lines = [f"ATOM  {k + 1:5d}  {name:<3} HIS A{k + 1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00    -0.200 {kind}"
             for k, (kind, name, x, y, z) in enumerate(atoms)]
    lines.append(f"ATOM  {9:5d} ZN   ZN  A{301:4d}    {0:8.3f}{0:8.3f}{0:8.3f}  1.00  0.00     2.000 Zn")
    path = tmp_path / "zinc.pdbqt"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_default_at_metals(zinc):
    receptor = berth.Receptor(zinc, center=(0, 0, 3), size=(14, 14, 14))
    engine = berth.Engine(receptor, **QUICK)
    assert engine.scoring == "vina_metals"
    assert engine.protocol.startswith("vina_metals")
    with_term = engine.dock("CC(=O)[O-] acetate")
    plain = berth.Engine(receptor, scoring="vina", **QUICK)
    assert plain.scoring == "vina"
    assert with_term.poses[0].terms.inter < plain.dock("CC(=O)[O-] acetate").poses[0].terms.inter - 0.75
    assert berth.Engine(receptor, scoring="vina_metals", **QUICK).scoring == "vina_metals"


def test_without_metals_it_is_vina(engine):
    assert engine.scoring == "vina"
