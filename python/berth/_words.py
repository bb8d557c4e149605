"""The words that arguments may be, for editors and type checkers; the library checks them again."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, TypedDict

Scoring = Literal["vina", "vinardo", "vina_metals", "ad4"]
Rescorer = Literal["vina", "vinardo", "vina_metals", "ad4", "cnn"]
RankBy = Literal["score", "ranks", "blend", "sum"]
Effort = Literal["screen", "normal", "thorough"]
LocalSearch = Literal["adam", "adadelta", "solis-wets", "none"]
Strain = Literal["all", "clusters", "off"]
Checks = Literal["on", "energy", "off"]
Waters = Literal["none", "bound", "all", "toggle"]
Format = Literal["sdf", "pdbqt", "mol2", "csv", "json", "dlg", "xml"]

# Members of structs that are enumerations: keyword -> word -> constant of the library.
ENUMS = {
    "scoring": {"vina": "BT_SCORING_VINA", "vinardo": "BT_SCORING_VINARDO",
                "vina_metals": "BT_SCORING_VINA_METALS", "ad4": "BT_SCORING_AD4"},
    "rank_by": {"score": "BT_RANK_SCORE", "ranks": "BT_RANK_RANKS", "blend": "BT_RANK_BLEND", "sum": "BT_RANK_SUM"},
    "effort": {"screen": "BT_EFFORT_SCREEN", "normal": "BT_EFFORT_NORMAL", "thorough": "BT_EFFORT_THOROUGH"},
    "local_search": {"adam": "BT_LS_ADAM", "adadelta": "BT_LS_ADADELTA", "solis-wets": "BT_LS_SOLIS_WETS",
                     "none": "BT_LS_NONE"},
    "strain": {"all": "BT_STRAIN_ALL", "clusters": "BT_STRAIN_CLUSTERS", "off": "BT_STRAIN_NONE"},
    "checks": {"on": "BT_CHECKS_ON", "energy": "BT_CHECKS_ENERGY", "off": "BT_CHECKS_OFF"},
    "waters": {"none": "BT_WATERS_NONE", "bound": "BT_WATERS_BOUND", "all": "BT_WATERS_ALL"},
    "selection": {"tournament": "BT_SELECT_TOURNAMENT", "proportional": "BT_SELECT_PROPORTIONAL"},
    "crossover": {"two-point": "BT_CROSS_TWO_POINT", "uniform": "BT_CROSS_UNIFORM"},
    "torsional": {"torsdof": "BT_TORSIONAL_TORSDOF", "branches": "BT_TORSIONAL_BRANCHES"},
    "reduction": {"auto": "BT_REDUCTION_AUTO", "simt": "BT_REDUCTION_SIMT", "tensor-fp16": "BT_REDUCTION_TENSOR_FP16",
                  "tensor-ec": "BT_REDUCTION_TENSOR_EC"},
    "stereo": {"any": "BT_STEREO_ANY", "enumerate": "BT_STEREO_ENUMERATE"},
    "coordinates": {"auto": "BT_COORDINATES_AUTO", "etkdg": "BT_COORDINATES_EMBEDDED",
                    "quick": "BT_COORDINATES_BUILT"},
    "charges": {"gasteiger": "BT_CHARGES_GASTEIGER", "zero": "BT_CHARGES_ZERO", "read": "BT_CHARGES_READ"},
}


class Constraints(TypedDict, total=False):
    """What poses must meet (docs/constraints.md): Engine(constraints={"require": ["hbond:A:ASP25", "contact:A:PHE82"]}).

    require, prefer: words; poses that lack what is required are left out. pharmacophore: a file of points. core: a file whose
    first molecule, in its pose, has the core, or a residue of the receptor's file such as "A:MK1902", whose bond orders
    core_template gives as SMILES; core_smarts: the core [the largest common part]; core_tolerance: Angstrom [1]; core_missing:
    of ligands without the core ["reject"].
    """

    require: str | Sequence[str]
    prefer: str | Sequence[str]
    pharmacophore: str | os.PathLike[str]
    core: str | os.PathLike[str]
    core_template: str
    core_smarts: str
    core_tolerance: float
    core_missing: Literal["reject", "free"]


class LigandOptions(TypedDict, total=False):
    """How ligands are prepared: keywords of prepare_ligand, and Engine(ligands={"ph": 7.4}). docs/preparation.md has more.

    ph: protonation at this pH; without it, a molecule with neither hydrogens nor charges is protonated for pH 7.4, unless as_drawn.
    conformers, conformer_seed: docked together as one ligand, 3D coordinates of the molecule first [engines: 4, otherwise 1].
    coordinates: of molecules without any, by distance geometry and a force field, or from fragments, which suits screens.
    template: SMILES that gives bond orders to a PDB file.
    warhead: of ligands that are bonded to the receptor, a name or a SMARTS pattern. name_field: data item of SDF records that
    names the ligand, or column of a table; smiles_field: its column of SMILES. filter: conditions such as "weight<=500,pains",
    without which FilteredError is raised. protomers: states of a molecule, at most, by groups whose pKa is within 1 of the pH, and
    tautomers; a screen ranks the molecule by the best. keep_fields: "price,id" or "all", columns of tables and data items of SDF
    that a screen keeps with its results. record_seconds: time limit for one molecule.
    """

    ph: float | None
    as_drawn: bool
    conformers: int
    conformer_seed: int
    coordinates: Literal["auto", "etkdg", "quick"]
    stereo: Literal["any", "enumerate"]
    template: str | None
    name_field: str | None
    smiles_field: str | None
    filter: str | None
    keep_fields: str | None
    protomers: int
    charges: Literal["gasteiger", "zero", "read"]
    flexible_amides: bool
    rigid_macrocycles: bool
    smallest_macrocycle: int
    hydrated: bool
    old_rules: bool
    keep_hydrogens: bool
    warhead: str | None
    record_seconds: float
