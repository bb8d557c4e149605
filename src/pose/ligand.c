/* ligand.c - the moving atoms, prepared for scoring and docking.
 *
 * Contents: 1. creation: atoms, types, bodies; 2. accessors.
 */
#include "pose/ligand.h"
#include "pose/restraints.h"

#include <berth/berth.h>
#include <berth/score.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/vector.h"
#include "pose/bonds.h"
#include "chem/glue.h"
#include "pose/vina.h"

/* ---- 1. creation ---- */

enum { LARGEST = 10000 }; /* atoms: time and memory grow with their square */

static bt_status fail_unknown_type(const bt_molecule *molecule, const bt_atom *atom, bt_error *opt_error) {
  int count;
  const bt_ad4_type *known = bt_ad4_types(&count);
  char remedy[160] = "assign an AutoDock 4 atom type, for example with Meeko";
  const bt_ad4_stand_in *row = bt_ad4_stand_in_find(atom->type);
  if (row != NULL)
    snprintf(remedy, sizeof remedy, "remove the atom: only in a receptor do the parameters of %s stand in for %s",
             row->type, row->element);
  bool element = row != NULL && strcmp(row->element, atom->type) == 0; /* Na is not a misspelled NA */
  for (int k = 0; !element && k < count; k++) {
    if (strcasecmp(known[k].name, atom->type) != 0) continue;
    snprintf(remedy, sizeof remedy, "write the type as %s: capital and small letters differ", known[k].name);
    break;
  }
  return bt_fail(opt_error, BT_ERR_PARAMETER, bt_atom_where(molecule, atom), remedy, "atom type '%s' has no parameters",
                 atom->type);
}

/* The index of a type, which is added to the table when it is new. */
static bt_status type_index(bt_ligand *ligand, const bt_molecule *molecule, const bt_atom *atom, int *ret_index,
                            bt_error *opt_error) {
  for (int t = 0; t < ligand->n_types; t++) {
    if (strcmp(ligand->types[t], atom->type) != 0) continue;
    *ret_index = t;
    return BT_OK;
  }
  const bt_ad4_type *parameters = bt_ad4_find(atom->type);
  if (parameters == NULL) return fail_unknown_type(molecule, atom, opt_error);
  *ret_index = ligand->n_types++;
  memcpy(ligand->types[*ret_index], atom->type, sizeof atom->type);
  ligand->parameters[*ret_index] = parameters;
  return BT_OK;
}

/* Appends the atoms of one molecule; its bodies start at the given one. */
static bt_status add_atoms(bt_ligand *ligand, const bt_molecule *molecule, int first_atom, const int *body_of_fragment,
                           bt_error *opt_error) {
  for (int k = 0; k < molecule->n_atoms; k++) {
    const bt_atom *atom = &molecule->atoms[k];
    int i = first_atom + k;
    if (atom->fragment < 0 || atom->fragment >= molecule->n_fragments)
      return bt_fail(opt_error, BT_ERR_INPUT, bt_atom_where(molecule, atom), "move the atom behind ROOT",
                     "the atom belongs to no ROOT or BRANCH");
    for (int axis = 0; axis < 3; axis++) ligand->xyz[3 * i + axis] = atom->x[axis];
    ligand->body[i] = body_of_fragment[atom->fragment];
    if (ligand->vina != NULL) continue; /* classes depend on neighbors */
    BT_TRY(type_index(ligand, molecule, atom, &ligand->type[i], opt_error));
    ligand->charge[i] = atom->charge;
    ligand->feels_maps[i] = bt_glue_point(atom->type) < 0;
  }
  return BT_OK;
}

/* The root of a ligand, and the part that moves with it. */
static void add_part(bt_ligand *ligand, const bt_fragment *fragment, const bt_molecule *molecule, int body) {
  bool joined = molecule->n_joined > 0;
  ligand->parts[ligand->n_parts++] = (bt_part){.root = body,
                                               .first_atom = joined ? fragment->first_atom : 0,
                                               .end_atom = joined ? fragment->end_atom : molecule->n_atoms,
                                               .turn = -1,
                                               .position = -1};
}

/* Genes of further parts, after all torsions: first all rotations, then all positions. */
static void add_part_genes(bt_ligand *ligand) {
  int further = ligand->n_parts - 1;
  for (int p = 1; p < ligand->n_parts; p++) {
    ligand->parts[p].turn = ligand->n_torsions + 3 * (p - 1);
    ligand->parts[p].position = ligand->n_torsions + 3 * further + 3 * (p - 1);
  }
  ligand->n_torsions += BT_PART_GENES * further;
  for (int p = 0; p < ligand->n_parts; p++) {
    bt_part *part = &ligand->parts[p];
    int atoms = part->end_atom - part->first_atom;
    for (int i = part->first_atom; i < part->end_atom; i++)
      for (int axis = 0; axis < 3; axis++) part->center[axis] += ligand->xyz[3 * i + axis] / atoms;
  }
  memcpy(ligand->center, ligand->parts[0].center, sizeof ligand->center);
}

/* Bodies of one molecule. All roots of a flexible file become one immobile body. */
static bt_status add_bodies(bt_ligand *ligand, const bt_molecule *molecule, int first_atom, int *body_of_fragment,
                            bt_error *opt_error) {
  bool flexible = molecule->kind == BT_MOLECULE_FLEXIBLE;
  int root = -1;
  for (int f = 0; f < molecule->n_fragments; f++) {
    const bt_fragment *fragment = &molecule->fragments[f];
    bt_where where = {.file = molecule->path, .line = molecule->first_line + fragment->line};
    if (fragment->parent < 0) {
      if (root >= 0 && !flexible && molecule->n_joined == 0)
        return bt_fail(opt_error, BT_ERR_INPUT, where, "write one molecule per file or per MODEL",
                       "the molecule has a second ROOT");
      if (root < 0 || !flexible) {
        root = ligand->n_bodies++;
        ligand->bodies[root] = (bt_body){.parent = -1,
                                         .torsion = -1,
                                         .axis_from = -1,
                                         .axis_to = -1,
                                         .immobile = flexible || ligand->tethered,
                                         .first_atom = first_atom,
                                         .end_atom = first_atom + molecule->n_atoms};
        if (!flexible) add_part(ligand, fragment, molecule, root);
      }
      body_of_fragment[f] = root;
      continue;
    }
    if (fragment->parent >= f)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "check the nesting of BRANCH and ENDBRANCH",
                     "the BRANCH is not inside the body that it hangs from");
    int from = fragment->axis_from, to = fragment->axis_to;
    if (bt_v3_distance2(molecule->atoms[from].x, molecule->atoms[to].x) < 1e-6)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "move one of the two atoms",
                     "the rotatable bond has no direction: atoms %d and %d coincide", molecule->atoms[from].serial,
                     molecule->atoms[to].serial);
    body_of_fragment[f] = ligand->n_bodies;
    ligand->bodies[ligand->n_bodies++] = (bt_body){.parent = body_of_fragment[fragment->parent],
                                                   .torsion = ligand->n_torsions++,
                                                   .axis_from = first_atom + from,
                                                   .axis_to = first_atom + to,
                                                   .first_atom = first_atom + fragment->first_atom,
                                                   .end_atom = first_atom + fragment->end_atom};
  }
  return BT_OK;
}

static bt_status add_molecule(bt_ligand *ligand, const bt_molecule *molecule, int first_atom, bt_error *opt_error) {
  BT_SCOPED int *body_of_fragment = malloc((size_t)molecule->n_fragments * sizeof *body_of_fragment + 1);
  if (body_of_fragment == NULL) return bt_fail_memory(opt_error);
  BT_TRY(add_bodies(ligand, molecule, first_atom, body_of_fragment, opt_error));
  return add_atoms(ligand, molecule, first_atom, body_of_fragment, opt_error);
}

/* The first two atoms of a residue (CA and CB) are too close to the rigid backbone to feel its maps; so do those of a
 * covalent ligand, which are the residue's. */
static void silence_residue_anchors(bt_ligand *ligand) {
  const bt_molecule *flexible = ligand->opt_flexible;
  for (int k = 0; ligand->tethered && k < 2 && k < ligand->n_ligand_atoms; k++) ligand->feels_maps[k] = false;
  for (int r = 0; flexible != NULL && r < flexible->n_residues; r++) {
    const bt_residue *residue = &flexible->residues[r];
    for (int k = residue->first_atom; k < residue->end_atom && k < residue->first_atom + 2; k++)
      ligand->feels_maps[ligand->n_ligand_atoms + k] = false;
  }
}

/* Names of the maps that some atom feels; ring-closure carbons feel the C map. */
static void list_map_types(bt_ligand *ligand) {
  for (int i = 0; i < ligand->n_atoms; i++) {
    if (!ligand->feels_maps[i]) continue;
    const char *name = bt_ligand_map_type(ligand, ligand->type[i]);
    if (bt_glue_carbon(name) >= 0) name = "C";
    int t = 0;
    while (t < ligand->n_map_types && strcmp(ligand->map_types[t], name) != 0) t++;
    if (t < ligand->n_map_types) continue;
    snprintf(ligand->map_types[ligand->n_map_types++], sizeof ligand->map_types[0], "%s", name);
  }
}

static bt_status allocate(bt_ligand *ligand, int n_bodies, bt_error *opt_error) {
  int n = ligand->n_atoms;
  BT_NEW(&ligand->arena, ligand->xyz, 3 * n);
  BT_NEW(&ligand->arena, ligand->charge, n);
  BT_NEW(&ligand->arena, ligand->type, n);
  BT_NEW(&ligand->arena, ligand->body, n);
  BT_NEW(&ligand->arena, ligand->feels_maps, n);
  BT_NEW(&ligand->arena, ligand->types, n);
  BT_NEW(&ligand->arena, ligand->map_types, n);
  if (bt_vina_law_of(ligand->scoring) != NULL)
    BT_NEW(&ligand->arena, ligand->vina, n);
  else
    BT_NEW(&ligand->arena, ligand->parameters, n);
  BT_NEW(&ligand->arena, ligand->bodies, n_bodies);
  BT_NEW(&ligand->arena, ligand->parts, ligand->molecule->n_joined + 1);
  return bt_arena_status(&ligand->arena, opt_error);
}

static bt_status build(bt_ligand *ligand, bt_error *opt_error) {
  const bt_molecule *molecule = ligand->molecule, *flexible = ligand->opt_flexible;
  BT_TRY(allocate(ligand, molecule->n_fragments + (flexible != NULL ? flexible->n_fragments : 0), opt_error));
  BT_TRY(add_molecule(ligand, molecule, 0, opt_error));
  ligand->n_ligand_torsions = ligand->n_torsions;
  ligand->torsdof = molecule->torsdof >= 0 ? molecule->torsdof : ligand->n_torsions;
  if (flexible != NULL) BT_TRY(add_molecule(ligand, flexible, ligand->n_ligand_atoms, opt_error));
  add_part_genes(ligand);
  BT_ENDED_BY(bt_bonds_destroy) bt_bonds bonds = {0};
  if (ligand->vina != NULL) {
    BT_TRY(bt_vina_type_ligand(ligand, &bonds, opt_error));
  } else {
    silence_residue_anchors(ligand);
    BT_TRY(bt_bonds_find(ligand, &bonds, opt_error));
  }
  list_map_types(ligand);
  return bt_pairs_build(ligand, &bonds, opt_error);
}

static bt_status add_conformers(bt_ligand *ligand, bt_error *opt_error) {
  const bt_molecule *molecule = ligand->molecule;
  BT_NEW(&ligand->arena, ligand->conformers, molecule->n_conformers);
  BT_TRY(bt_arena_status(&ligand->arena, opt_error));
  for (; ligand->n_conformers < molecule->n_conformers; ligand->n_conformers++)
    BT_TRY(bt_ligand_create_as(molecule->conformers[ligand->n_conformers], ligand->opt_flexible, ligand->scoring,
                               &ligand->conformers[ligand->n_conformers], opt_error));
  return BT_OK;
}

bt_status bt_ligand_create(const bt_molecule *molecule, const bt_molecule *opt_flexible, bt_ligand **ret_ligand,
                           bt_error *opt_error) {
  return bt_ligand_create_as(molecule, opt_flexible, BT_SCORING_AD4, ret_ligand, opt_error);
}

bt_status bt_ligand_create_as(const bt_molecule *molecule, const bt_molecule *opt_flexible, bt_scoring scoring,
                              bt_ligand **ret_ligand, bt_error *opt_error) {
  *ret_ligand = NULL;
  if (molecule->kind != BT_MOLECULE_LIGAND || molecule->n_fragments < 1)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = molecule->path}, "use a PDBQT file with ROOT",
                   "the molecule is not a ligand");
  if (molecule->n_atoms < 1)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = molecule->path}, "use a PDBQT file with atoms",
                   "the ligand has no atoms");
  if (molecule->n_atoms > LARGEST)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = molecule->path}, "dock a smaller molecule",
                   "the ligand has %d atoms, more than %d", molecule->n_atoms, LARGEST);
  if (opt_flexible != NULL && (opt_flexible->kind != BT_MOLECULE_FLEXIBLE || opt_flexible->n_atoms < 1))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = opt_flexible->path}, "use a PDBQT file with BEGIN_RES",
                   "the molecule holds no flexible residues");

  bt_ligand *ligand = calloc(1, sizeof *ligand);
  if (ligand == NULL) return bt_fail_memory(opt_error);
  ligand->scoring = scoring;
  ligand->molecule = molecule;
  ligand->opt_flexible = opt_flexible;
  ligand->n_ligand_atoms = molecule->n_atoms;
  ligand->n_atoms = molecule->n_atoms + (opt_flexible != NULL ? opt_flexible->n_atoms : 0);
  ligand->tethered = molecule->tether[0] != '\0' && molecule->n_joined == 0;
  bt_status status = build(ligand, opt_error);
  if (status == BT_OK) status = add_conformers(ligand, opt_error);
  return BT_HAND_OVER(status, ligand, ret_ligand, bt_ligand_destroy);
}

bt_status bt_ligand_create_rigid(const bt_molecule *molecule, bt_ligand **ret_ligand, bt_error *opt_error) {
  bt_ligand *ligand = bt_allocate(1, sizeof *ligand);
  if (ligand == NULL) return bt_fail_memory(opt_error);
  int n = molecule->n_atoms;
  *ligand = (bt_ligand){.molecule = molecule, .n_atoms = n, .n_ligand_atoms = n, .n_bodies = 1, .n_parts = 1};
  bt_status status = allocate(ligand, 1, opt_error);
  if (status == BT_OK) {
    ligand->bodies[0] = (bt_body){.parent = -1, .torsion = -1, .axis_from = -1, .axis_to = -1, .end_atom = n};
    ligand->parts[0] = (bt_part){.end_atom = n, .turn = -1, .position = -1};
    for (int i = 0; i < n; i++) memcpy(ligand->xyz + 3 * i, molecule->atoms[i].x, sizeof molecule->atoms[i].x);
  }
  return BT_HAND_OVER(status, ligand, ret_ligand, bt_ligand_destroy);
}

void bt_ligand_destroy(bt_ligand *ligand) {
  if (ligand == NULL) return;
  for (int k = 0; k < ligand->n_conformers; k++) bt_ligand_destroy(ligand->conformers[k]);
  bt_restraints_destroy(ligand->own_restraints);
  bt_arena_destroy(&ligand->arena);
  free(ligand);
}

void bt_ligand_set_restraints(bt_ligand *ligand, bt_restraints *opt_restraints) {
  bt_restraints_destroy(ligand->own_restraints);
  ligand->restraints = ligand->own_restraints = opt_restraints;
  for (int k = 0; k < ligand->n_conformers; k++) ligand->conformers[k]->restraints = opt_restraints;
}

/* ---- 2. accessors ---- */

int bt_ligand_atom_count(const bt_ligand *ligand) { return ligand->n_atoms; }
const char *bt_ligand_parent(const bt_ligand *ligand) {
  return ligand->molecule->opt_parent != NULL ? ligand->molecule->opt_parent : "";
}

int bt_ligand_torsion_count(const bt_ligand *ligand) {
  return ligand->n_torsions - BT_PART_GENES * (ligand->n_parts - 1);
}
int bt_ligand_type_count(const bt_ligand *ligand) { return ligand->n_map_types; }

bool bt_ligand_has_closures(const bt_ligand *ligand) {
  for (int p = 0; p < ligand->n_pairs; p++)
    if (ligand->pairs[p].glue) return true;
  return false;
}

const char *bt_ligand_type(const bt_ligand *ligand, int index) {
  return index >= 0 && index < ligand->n_map_types ? ligand->map_types[index] : NULL;
}

const bt_atom *bt_ligand_atom(const bt_ligand *ligand, int atom, const bt_molecule **opt_ret_molecule) {
  bool flexible = atom >= ligand->n_ligand_atoms;
  const bt_molecule *molecule = flexible ? ligand->opt_flexible : ligand->molecule;
  if (opt_ret_molecule != NULL) *opt_ret_molecule = molecule;
  return &molecule->atoms[flexible ? atom - ligand->n_ligand_atoms : atom];
}

double bt_ligand_rotors(const bt_ligand *ligand) { return ligand->n_rot; }

bt_atom_info bt_ligand_atom_info(const bt_ligand *ligand, int index) {
  const bt_atom *atom = bt_ligand_atom(ligand, index, NULL);
  return (bt_atom_info){.serial = atom->serial,
                        .name = atom->name,
                        .type = atom->type,
                        .residue = atom->resname,
                        .residue_number = atom->resnum,
                        .chain = atom->chain,
                        .flexible = index >= ligand->n_ligand_atoms};
}
