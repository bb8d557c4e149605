"""Docking from Python gives what `berth dock` gives."""
import gzip
import json
import pickle
import sqlite3
import subprocess

import berth
import numpy
import pandas
import pytest
from berth import _library
from berth._library import ffi
from berth._result import _values
from conftest import BIN, OPTIONS, PDB, QUICK
from rdkit import Chem
from rdkit.Chem import AllChem
from torch_files import archive, random_values, shapes

SMILES = "CC(=O)Oc1ccccc1C(=O)O aspirin\nc1ccccc1CCN amine\nCC(=O)N[C@@H](C)C(=O)O ala\n"


def berth_dock(folder, *options):
    (folder / "l.smi").write_text(SMILES)
    command = [BIN / "berth", "dock", "-r", PDB, "-l", folder / "l.smi", "-o", folder / "out", "-q", *OPTIONS, *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {name: json.loads((folder / "out" / (name + ".json")).read_text()) for name in ("aspirin", "amine", "ala")}


@pytest.mark.parametrize("more, words", [({}, []), ({"scoring": "ad4"}, ["--scoring", "ad4"]), (
    {"scoring": "vina", "rescore": ["vinardo", "ad4"], "rank_by": "blend", "strain": "off"},
    ["--scoring", "vina", "--rescore", "vinardo,ad4", "--rank-by", "blend", "--strain", "off"])])
def test_equals_the_program(receptor, tmp_path, more, words):
    theirs = berth_dock(tmp_path, *words)
    ours = berth.Engine(receptor, **QUICK, **more).dock([tmp_path / "l.smi"])
    for result in ours:
        mine, other = json.loads(result.text("json")), theirs[result.name]
        for key in ("runs", "clusters", "box", "seed", "evaluations", "ligand_pdbqt"):
            assert mine[key] == other[key], key


def test_pose(engine):
    result = engine.dock("CC(=O)N[C@@H](C)C(=O)O ala")
    pose = result.poses[0]
    assert pose.energy == float(pose.terms) == result.to_dataframe().energy[0]
    assert pose.coordinates.shape == (len(result.ligand_atoms), 3) and pose.coordinates.dtype == numpy.float64
    mol = pose.mol
    assert mol.GetProp("_Name") == "ala" and mol.GetDoubleProp("docking_score") == pytest.approx(pose.energy, abs=6e-4)
    assert Chem.MolToSmiles(Chem.RemoveHs(mol)) == "CC(=O)N[C@@H](C)C(=O)[O-]"
    near = numpy.linalg.norm(mol.GetConformer().GetPositions()[:, None] - pose.coordinates, axis=2).min(axis=0)
    assert near.max() < 2e-4  # every docked atom is one of the molecule's


def test_conformers_share_the_runs(receptor):
    several = berth.Engine(receptor, ligands={"conformers": 2}, **QUICK).dock("OC1CCC(C)CC1CCO x")
    assert {run["conformer"] for run in several.runs.values() if not run.get("further")} == {1, 2}
    assert {pose.conformer for pose in several.poses} <= {1, 2}
    alone = berth.Engine(receptor, ligands={"conformers": 1}, **QUICK).dock("OC1CCC(C)CC1CCO x")
    assert {pose.conformer for pose in alone.poses} == {1}


def test_mol_in_and_out(engine):
    mol = Chem.AddHs(Chem.MolFromSmiles("C/C=C/[C@H](F)C[NH3+]"))
    AllChem.EmbedMolecule(mol, randomSeed=7)
    mol.SetProp("_Name", "a name")
    mol.SetProp("activity", "7.5 nM")
    out = engine.dock(mol).poses[0].mol
    assert out.GetProp("_Name") == "a name" and out.GetProp("activity") == "7.5 nM"
    assert Chem.MolToSmiles(Chem.RemoveHs(out)) == Chem.MolToSmiles(Chem.RemoveHs(mol))
    assert out.GetNumAtoms() == mol.GetNumAtoms()
    flat = berth.prepare_ligand(Chem.MolFromSmiles("C/C=C/[C@H](F)C[NH3+]"))  # no conformer, but stereo is kept
    assert Chem.CanonSmiles(flat.smiles) == Chem.CanonSmiles("C/C=C/[C@H](F)C[NH3+]")


def test_many(engine):
    results = engine.dock(smiles for smiles in ("CCO", "C1CC", Chem.MolFromSmiles("CCN"), "CCBr"))
    assert [bool(result) for result in results] == [True, False, True, True]
    assert isinstance(results[1].error, berth.InputError) and "not a valid SMILES" in str(results[1].error)
    table = results.to_dataframe()
    assert list(table.ligand[:2]) == ["CCO", "C1CC"] and table.energy.notna().sum() == 3
    assert results[0].poses[0].energy == engine.dock("CCO").poses[0].energy  # whatever is docked together with it


def test_the_error_of_one_molecule_names_it_without_a_place(engine):
    """'CCC(' was reported with a line 2, which it does not have."""
    with pytest.raises(berth.InputError) as caught:
        engine.dock("CCC(")
    assert str(caught.value) == "'CCC(' is not a valid SMILES; correct it"
    assert caught.value.file is None and caught.value.line is None
    for selenium in "CC[Se]C selenide", Chem.MolFromSmiles("CC[Se]C"):
        with pytest.raises(berth.Error) as caught:
            engine.dock(selenium)
        name = "selenide" if isinstance(selenium, str) else "CC[Se]C"
        assert str(caught.value).startswith(f"{name}: atom 3: AutoDock has no type for Se; ")


@pytest.mark.parametrize("words", [["--scoring", "vina"], ["--scoring", "ad4"], ["--scoring", "ad4", "--hydrated"],
                                   ["--scoring", "ad4", "--torsional", "branches"], ["--scoring", "ad4", "--spacing", "0.5"]])
def test_poses_have_the_energy_of_their_docking(receptor, tmp_path, words):
    docking = berth_dock(tmp_path, *words)["aspirin"]
    engine = berth.Engine(receptor, **QUICK, scoring=words[1])
    runs = {run["run"]: run["free_energy"] for run in docking["runs"]}
    energies = [runs[cluster["best_run"]] for cluster in docking["clusters"][:docking["poses"]]]
    models = (tmp_path / "out/aspirin.pdbqt").read_text().split("ENDMDL\n")
    records = (tmp_path / "out/aspirin.sdf").read_text().split("$$$$\n")
    for k, energy in enumerate(energies):
        for path, text in ((tmp_path / "pose.pdbqt", models[k] + "ENDMDL\n"), (tmp_path / "pose.sdf", records[k] + "$$$$\n")):
            path.write_text(text)
            assert engine.score(path).free_energy == pytest.approx(energy, abs=1e-6)
    if words == ["--scoring", "vina"]:
        assert engine.score(path, ignore_docking=True).free_energy != pytest.approx(energies[-1], abs=1e-6)


def test_flexible_residues_of_a_pose(tmp_path):
    words = ["--flex", "A:ARG8,B:ARG8", "--scoring", "vina", "--runs", "1", "--poses", "1"]
    (run,) = berth_dock(tmp_path, *words)["aspirin"]["runs"]
    state = {"B:25": "ASH"}
    rigid = berth.Engine(berth.Receptor(PDB, autobox="478", set_state=state), **QUICK)
    flexible = berth.Engine(berth.Receptor(PDB, autobox="478", set_state=state, flexible=["A:ARG8", "B:ARG8"]), **QUICK)
    for ending in ("pdbqt", "sdf"):
        pose = tmp_path / f"out/aspirin.{ending}"
        assert flexible.score(pose).free_energy == pytest.approx(run["free_energy"], abs=1e-6)
        for call in rigid.score, rigid.minimize:
            with pytest.raises(berth.InputError, match="docked with flexible residues .A:ARG8,B:ARG8., whose side chains"):
                call(pose)


def test_what_has_no_coordinates_is_not_scored(engine):
    """The energy of a generated conformer somewhere in space was given."""
    flat = Chem.MolFromSmiles("CCO")
    for ligand in "CCO", flat, berth.prepare_ligand(flat):
        for call in engine.score, engine.minimize:
            with pytest.raises(berth.InputError, match="CCO has no 3D coordinates that could be scored; dock it"):
                call(ligand)


def test_what_is_no_molecule(receptor, engine):
    """Also what RDKit could not read: one ligand of many is lost, not all."""
    results = engine.dock([None, "CCO", 5])
    assert [bool(result) for result in results] == [False, True, False]
    assert "None, which RDKit gives for what it cannot read, is not a ligand; use an RDKit Mol" in str(results[0].error)
    for bad in (None, 5):
        for call in (engine.dock, engine.score, berth.prepare_ligand):
            with pytest.raises(berth.InputError, match="is not a ligand; use an RDKit Mol"):
                call(bad)
    with pytest.raises(TypeError, match="use berth.Receptor"):
        berth.Engine(PDB)


def test_one_word_is_a_list_of_one(receptor):
    """delete="478" once deleted residues 4, 7 and 8."""
    assert berth.Receptor(PDB, delete="478").pdbqt == berth.Receptor(PDB, delete=["478"]).pdbqt
    one = berth.Engine(receptor, scoring="vina", rescore="vinardo")
    assert one.protocol == berth.Engine(receptor, rescore=["vinardo"]).protocol == "vina, clusters by vinardo (ranks)"


def test_errors(receptor, engine, tmp_path):
    with pytest.raises(berth.InputError, match="is not a valid SMILES") as caught:
        engine.dock("C1CC")
    assert caught.value.code == "BT_ERR_INPUT" and caught.value.remedy and caught.value.line is None
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.code == caught.value.code
    with pytest.raises(berth.FileError, match="absent.sdf"):
        engine.dock(tmp_path / "absent.sdf")
    with pytest.raises(OSError):
        berth.Receptor(tmp_path / "absent.pdb")
    with pytest.raises(berth.UsageError, match="is not known"):
        berth.Engine(receptor, scoring="guess")
    for words in ({"effort": "normal, thorough"}, {"rank_by": "rank"}, {"local_search": "ada"}):
        with pytest.raises(berth.UsageError, match="is not known; use one of .*, "):
            berth.Engine(receptor, **words)
    with pytest.raises(TypeError, match="evals"):
        berth.Engine(receptor, evals=5)
    with pytest.raises(berth.UsageError, match="no box; use autobox, boxes or pockets"):
        berth.Engine(berth.prepare_receptor(PDB, delete=["478"]), **QUICK).dock("CCO")
    small = berth.Receptor(PDB, delete=["478"], center=[9, 16, 9], size=[2, 2, 2])
    with pytest.raises(berth.BoxError):
        berth.Engine(small, **QUICK).dock("c1ccccc1CCCCc1ccccc1")


def test_messages_speak_python():
    """The library's sentences name options of the programs; here they are keywords."""
    for theirs, ours in (("56 waters are removed; --keep HOH keeps them", '56 waters are removed; keep="HOH" keeps them'),
                         ("make the box larger (--size), or place it with --autobox",
                          "make the box larger (size=...), or place it with autobox=..."),
                         ("keep them (--flex, --no-rebuild)", "keep them (flexible=..., keep_incomplete=True)"),
                         ("with AutoDock 4 (--scoring ad4)", 'with AutoDock 4 (scoring="ad4")'),
                         ("use another --device", "use another device=...")):
        assert _library.in_python(theirs) == ours


def test_pickles(engine):
    result = engine.dock("c1ccccc1CCN amine")
    again = pickle.loads(pickle.dumps(result))
    assert [pose.energy for pose in again.poses] == [pose.energy for pose in result.poses]
    assert again.poses[1].mol.GetNumAtoms() == 21 and again.text("pdbqt") == result.text("pdbqt")
    other = pickle.loads(pickle.dumps(engine)).dock("c1ccccc1CCN amine")
    assert [pose.energy for pose in other.poses] == [pose.energy for pose in result.poses]


@pytest.mark.parametrize("ligand", ["c1ccccc1CCN", "c1ccccc1CCN amine", "mol"])
def test_prepared_ligand_pickles(engine, ligand):
    if ligand == "mol":
        ligand = Chem.AddHs(Chem.MolFromSmiles("c1ccccc1CCN"))
        ligand.SetProp("activity", "7.5 nM")
    one = berth.prepare_ligand(ligand, ph=7.4)
    assert one.name == ("amine" if "amine" in str(ligand) else "c1ccccc1CCN" if isinstance(ligand, str) else "NCCc1ccccc1")
    other = pickle.loads(pickle.dumps(one))
    assert (other.name, other.sdf, other.pdbqt) == (one.name, one.sdf, one.pdbqt)
    assert engine.dock(other).poses[0].energy == engine.dock(one).poses[0].energy


def test_pose_as_it_is(engine, tmp_path):
    result = engine.dock("c1ccccc1CCN amine")
    mol = result.poses[0].mol
    assert engine.score(mol).inter == pytest.approx(result.poses[0].terms.inter, abs=0.02)  # 4 digits after the point
    assert engine.minimize(mol).poses[0].energy <= result.poses[0].energy + 0.02
    result.write(tmp_path / "poses.sdf")
    assert len(Chem.SDMolSupplier(str(tmp_path / "poses.sdf"))) == len(result.poses) > 2
    assert {"type", "distance", "residue"} <= result.poses[0].contacts[0].keys()
    page = result.report()
    assert page.html.startswith("<!") and "<title>amine" in page.html and page._repr_html_().startswith("<iframe")
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page-files/amine.sdf").read_text() == result.text("sdf")
    assert "page-files/" in (tmp_path / "page.html").read_text()


def test_many_poses_as_they_are(engine, tmp_path):
    results = engine.dock(["c1ccccc1CCN amine", "CC(=O)N[C@@H](C)C(=O)O ala"])
    results.write(tmp_path / "out")
    scores = engine.score([tmp_path / "out/amine.sdf", tmp_path / "out/ala.sdf", "CCO"])
    amines, alas = (len(result.poses) for result in results)
    assert [one.name for one in scores] == ["amine"] * amines + ["ala"] * alas + ["CCO"]
    assert [float(one.energy) for one in scores[:amines]] == pytest.approx([pose.energy for pose in results[0].poses], abs=1e-6)
    assert "no 3D coordinates" in str(scores[-1].error) and "no 3D coordinates" in scores._repr_html_()
    best = engine.minimize([tmp_path / "out/ala.sdf", "CCO"])
    assert [len(result.poses) for result in best] == [1] * alas + [0] and best[-1].error is not None


def test_values_of_re_scorers():
    name = ffi.new("char[]", b"CNNscore")
    names, numbers = ffi.new("char *[]", [name]), ffi.new("double[]", [0.75])
    one = ffi.new("bt_rescored *", {"n_values": 1, "value_names": names, "values": numbers})
    assert _values(one) == {"CNNscore": 0.75}
    assert _values({"scoring": "of another build", "free_energy": -1.0}) == {}


def test_written_and_loaded(engine, tmp_path):
    results = engine.dock(["c1ccccc1CCN amine", "CC(=O)N[C@@H](C)C(=O)O ala", "C1CC"])
    results.write(tmp_path / "out")
    again = berth.load(tmp_path / "out")
    assert [result.name for result in again] == ["ala", "amine"]
    one, theirs = berth.load(tmp_path / "out/amine.sdf"), results[0]
    assert [pose.energy for pose in one.poses] == pytest.approx([pose.energy for pose in theirs.poses], abs=1e-11)
    assert one.poses[0].rescored == pytest.approx(theirs.poses[0].rescored)
    assert one.poses[0].values == theirs.poses[0].values == {}  # scoring functions have none
    assert numpy.abs(one.poses[0].coordinates - theirs.poses[0].coordinates).max() < 1e-3
    assert one.poses[0].mol.GetNumAtoms() == theirs.poses[0].mol.GetNumAtoms()
    assert one.poses[0].strain == theirs.poses[0].strain > 0 and one.ligand_atoms == theirs.ligand_atoms
    assert "<table>" in one._repr_html_() and again.report().html.count("amine") > 0
    with pytest.raises(berth.UsageError, match="need the docking itself"):
        one.write_complex(tmp_path / "complex.pdb")
    with pytest.raises(berth.FileError, match="absent.json"):
        berth.load(tmp_path / "absent.sdf")
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(berth.UsageError, match="is not the result of a docking"):
        berth.load(tmp_path / "other.json")


def test_tables(engine):
    """Columns of SMILES and names; a row without a molecule is an error of its own."""
    table = pandas.DataFrame({"SMILES": ["CCO", None, "CCN"], "ID": [17, "none", "amine"]})
    results = engine.dock(table, name="ID")
    assert [(result.name, bool(result)) for result in results] == [("17", True), ("none", False), ("amine", True)]
    assert results[0].poses[0].energy == engine.dock("CCO 17").poses[0].energy
    mols = pandas.DataFrame({"mol": [Chem.MolFromSmiles("CCO")], "name": ["ethanol"]})
    assert engine.dock(mols, smiles="mol", name="name")[0].name == "ethanol"
    with pytest.raises(berth.UsageError, match="no column 'smiles'"):
        engine.dock(table, smiles="smiles")


def test_several_boxes_pockets_text_and_maps(receptor, tmp_path):
    state = {"B:25": "ASH"}
    two = berth.Receptor(PDB, ["478", "A:8"], set_state=state)
    assert two.boxes[0] == receptor.boxes[0] and len(two.boxes) == 2
    result = berth.Engine(two, **QUICK).dock("CCO")
    assert {pose.site for pose in result.poses} == {1, 2} and "site" in result.rows()[0]
    assert berth.Receptor(PDB, boxes=two.boxes, delete="478").boxes == two.boxes

    best = berth.Receptor(PDB, pockets=1, delete="478")
    assert best.find_pockets(1)[0].volume > 100 and len(berth.Engine(best, **QUICK).dock("CCO").poses) > 1

    here = berth.Receptor("mine.pdb", "478", text=PDB.read_text(), set_state=state)
    assert here.boxes == receptor.boxes and here.pdbqt == receptor.pdbqt.replace("1hpv.pdb", "mine.pdb")
    fld = berth.grid(receptor, tmp_path / "rec", scoring="vina")
    maps = berth.Engine(berth.Receptor(fld), **QUICK)
    assert maps.scoring == "vina" and maps.protocol == "vina"
    ours = berth.Engine(receptor, scoring="vina", **QUICK).dock("CCO")
    with pytest.raises(berth.UsageError, match="needs the receptor's atoms"):
        berth.Engine(berth.Receptor(fld), rescore="vinardo", **QUICK)
    assert maps.dock("CCO").poses[0].energy == pytest.approx(ours.poses[0].energy, abs=0.5)  # three digits in map files
    with pytest.raises(berth.UsageError, match="use one of them"):
        berth.Receptor(PDB, "478", pockets=2)


def test_ligand_of_the_receptor_as_reference(receptor, engine, tmp_path):
    smiles = Chem.MolToSmiles(Chem.MolFromSmiles("CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1"))
    own = receptor.ligand_from("478", template=smiles)
    assert own.name == "478" and engine.score(own).free_energy < 0
    by_word = engine.dock(own, reference="478")
    by_ligand = engine.dock(own, reference=own)
    assert by_word.poses[0].rmsd_reference == pytest.approx(by_ligand.poses[0].rmsd_reference, abs=1e-6) and \
        by_word.poses[0].rmsd_reference > 0
    by_word.write_complex(tmp_path / "complex.pdb")
    text = (tmp_path / "complex.pdb").read_text()
    assert text.count(" CA ") > 190 and "HETATM" in text


def test_types_turn_up_later(engine):
    """Maps of further types are added to those of earlier dockings, whose results stay."""
    first = engine.dock("CCO")
    second = engine.dock("ClCCN")
    assert second.poses[0].energy == engine.dock(["CCO", "ClCCN"])[1].poses[0].energy
    assert first.poses[0].contacts is not None


@pytest.mark.parametrize("name", ["1hpv.cif", "1hpv.pdb.gz"])
def test_box_around_a_whole_structure(tmp_path, name):
    """Neither file is in PDB format: a clear message, not a box from their bytes."""
    (tmp_path / name).write_bytes(gzip.compress(PDB.read_bytes()) if name.endswith(".gz") else b"data_1HPV\n")
    with pytest.raises(berth.UsageError, match="more than one molecule; name the residue"):
        berth.Receptor(PDB, autobox=tmp_path / name)


def test_box_around_residues(receptor):
    """Residues are given as in `berth dock --autobox`; of several only ligands are removed from the receptor."""
    bare = berth.Receptor(PDB, delete=["478"], set_state={"B:25": "ASH"})
    assert bare.center == [] and bare.size == []
    pair = berth.Receptor(PDB, autobox="A:25,B:25", delete=["478"], set_state={"B:25": "ASH"})
    assert pair.pdbqt == bare.pdbqt
    both = berth.Receptor(PDB, autobox="478,A:25", set_state={"B:25": "ASH"})
    assert both.pdbqt == bare.pdbqt == receptor.pdbqt
    assert all(wide >= narrow for wide, narrow in zip(both.size, receptor.size)) and both.size != receptor.size
    file = berth.Receptor(PDB, autobox=f"{PDB}:478", center=None, set_state={"B:25": "ASH"})
    assert (file.center, file.size) == (receptor.center, receptor.size)
    with pytest.raises(berth.FileError, match="absent.pdb"):
        berth.Receptor(PDB, autobox="absent.pdb:478")
    with pytest.raises(berth.UsageError, match="no 3D coordinates"):
        berth.Receptor(PDB, autobox=Chem.MolFromSmiles("CCO"))
    for center, size, name in (([1, 2], [9, 9, 9], "center"), ([1, 2, 3], [9, 9, 9, 9], "size")):
        with pytest.raises(berth.UsageError, match=f"{name} is .*; use three numbers"):
            berth.Receptor(PDB, delete=["478"], center=center, size=size)


def test_receptor(receptor, tmp_path):
    assert receptor.pdbqt.startswith(("ATOM", "REMARK")) and "ASH" in receptor.report
    assert pickle.loads(pickle.dumps(receptor)).center == receptor.center
    path = berth.grid(receptor, tmp_path / "r", types=["C", "OA"])
    assert "r.OA.map" in open(path, encoding="ascii").read()


def test_incomplete_side_chains(tmp_path):
    lines = PDB.read_text().splitlines(keepends=True)
    cut = tmp_path / "cut.pdb"
    cut.write_text("".join(line for line in lines if not (line[17:26] == "LYS A  20" and line[12:16] == " NZ ")))
    box = {"delete": ["478"], "center": [10, 20, 5], "size": [9, 9, 9]}
    assert cut.read_text() != PDB.read_text()
    assert "rebuilt: NZ (chi 4 " in berth.Receptor(cut, **box).report
    left = berth.Receptor(cut, keep_incomplete=True, **box)
    assert "A:LYS20: atom missing: NZ" in left.report and "rebuilt" not in left.report
    assert "rebuilt" not in berth.Receptor(PDB, **box).report


def test_covalent(tmp_path):
    example = PDB.parent.parent / "covalent"
    command = [BIN / "berth", "dock", "-r", example / "1pwc.pdb", "-l", example / "penicillin.smi", "--covalent", "A:SER62",
               "--scoring", "vina", "-o", tmp_path / "out", "-q",
               *OPTIONS[:OPTIONS.index("--autobox")]]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    theirs = json.loads((tmp_path / "out/penicillin-G.json").read_text())
    receptor = berth.Receptor(example / "1pwc.pdb", covalent="A:SER62")
    ours = json.loads(berth.Engine(receptor, scoring="vina", **QUICK).dock(example / "penicillin.smi").text("json"))
    for key in ("covalent", "runs", "clusters", "box", "ligand_pdbqt"):
        assert ours[key] == theirs[key], key
    engine = berth.Engine(receptor, ligands={"warhead": "nitrile"}, **QUICK)
    with pytest.raises(berth.InputError, match="no warhead 'nitrile'"):
        engine.dock(example / "penicillin.smi")
    with pytest.raises(berth.UsageError, match="not bonded to A:SER62"):
        engine.dock(berth.prepare_ligand("CC#N"))


def test_networks(receptor, tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / f"{name}.pt").write_bytes(archive(shapes(), random_values(name)))
    monkeypatch.setenv("BERTH_NETWORKS", str(tmp_path / "nets"))
    subprocess.run([BIN / "berth", "networks", "install", "-q", tmp_path / "one.pt"], check=True)
    theirs = berth_dock(tmp_path, "--rescore", "cnn", "--cnn", f"one,{tmp_path / 'two.pt'}")
    engine = berth.Engine(receptor, rescore="cnn", networks=["one", tmp_path / "two.pt"], **QUICK)
    assert engine.protocol == "vina, clusters by cnn (sum)"
    for result in engine.dock([tmp_path / "l.smi"]):
        mine, other = json.loads(result.text("json")), theirs[result.name]
        assert mine["clusters"] == other["clusters"] and mine["ranked_by"] == other["ranked_by"] == "sum"
        best, cluster = result.poses[0], mine["clusters"][0]["rescored"][0]
        assert best.values == pytest.approx({name: cluster[name] for name in ("CNNscore", "CNNaffinity")})
        assert best.rescored == pytest.approx({"cnn": cluster["free_energy"]})
        assert {"CNNscore", "CNNaffinity", "score_cnn"} <= set(result.to_dataframe().columns)
    (tmp_path / "one.smi").write_text("c1ccccc1CCN amine\n")
    alone = berth.Engine(receptor, rescore="cnn", networks=tmp_path / "two.pt", rank_by="score", **QUICK)
    assert alone.protocol == "vina, clusters by cnn (score)"
    assert pickle.loads(pickle.dumps(alone)).dock("c1ccccc1CCN amine").poses[0].values != {}
    screen = alone.screen(tmp_path / "one.smi", database=tmp_path / "screen.db")
    with sqlite3.connect(tmp_path / "screen.db") as database:
        assert database.execute("SELECT value FROM setting WHERE key = 'networks'").fetchone() == (str(tmp_path / "two.pt"),)
    assert screen.to_dataframe()["CNNscore"][0] > 0
    with pytest.raises(berth.Error, match="started with networks"):
        berth.Engine(receptor, rescore="cnn", networks="one", rank_by="score", **QUICK).screen(
            tmp_path / "one.smi", database=tmp_path / "screen.db")


def test_networks_refused(receptor):
    assert berth.Engine(receptor, rescore=["vinardo", "ad4"]).protocol.endswith("(ranks)")
    assert berth.Engine(receptor, rescore="vinardo", rank_by="score").protocol.endswith("(score)")
    for more in ({}, {"rescore": "vinardo"}, {"scoring": "vina"}):
        with pytest.raises(berth.UsageError, match="re-scorer cnn"):
            berth.Engine(receptor, networks="fast", **more)
    with pytest.raises(berth.Error, match="nonesuch is not installed"):
        berth.Engine(receptor, rescore="cnn", networks="nonesuch", **QUICK).dock("CCO ethanol")


def test_no_re_scorers(receptor):
    """The word of `berth dock --rescore none`; an empty list is the same."""
    for rescore in "none", ():
        engine = berth.Engine(receptor, rescore=rescore, **QUICK)
        assert engine.protocol == "vina"
    with pytest.raises(berth.UsageError, match="networks are those of"):
        berth.Engine(receptor, rescore="none", networks="gnina", **QUICK)
