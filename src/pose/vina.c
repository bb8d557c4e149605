/* vina.c - what Vina sees in a molecule: bonds, classes, which distances vary, rotors. */
#include "pose/vina.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cells.h"
#include "base/memory.h"
#include "base/vector.h"
#include "chem/graph.h"
#include "pose/metal_binding.h"

/* ---- 1. which distances vary ---- */

/* The body whose rigid group an atom belongs to. */
static int home_of(const bt_ligand *ligand, int i) {
  const bt_body *body = &ligand->bodies[ligand->body[i]];
  return body->torsion >= 0 && i == body->axis_to ? body->parent : ligand->body[i];
}

static bool is_on_axis(const bt_ligand *ligand, int i, int b) {
  const bt_body *body = &ligand->bodies[b];
  return body->torsion >= 0 && (i == body->axis_from || i == body->axis_to);
}

/* A branch of a single atom rotates nothing and is not counted. */
static bool is_rotor(const bt_ligand *ligand, int outer, int inner) {
  const bt_body *body = &ligand->bodies[ligand->body[inner]];
  return body->torsion >= 0 && body->axis_from == outer && body->axis_to == inner &&
         body->end_atom - body->first_atom > 1;
}

bt_vina_motion bt_vina_motion_of(const bt_ligand *ligand, int i, int j) {
  if (is_rotor(ligand, i, j) || is_rotor(ligand, j, i)) return BT_VINA_ROTOR;
  int home_i = home_of(ligand, i), home_j = home_of(ligand, j);
  bool fixed = home_i == home_j || is_on_axis(ligand, i, home_j) || is_on_axis(ligand, j, home_i);
  return fixed ? BT_VINA_FIXED : BT_VINA_VARIABLE;
}

bool bt_vina_is_immobile(const bt_ligand *ligand, int atom) {
  return ligand->bodies[home_of(ligand, atom)].immobile;
}

/* ---- 2. bonds ---- */

bt_status bt_vina_input_of(const bt_molecule *molecule, const bt_atom *atom, const bt_vina_input **ret_input,
                           bt_error *opt_error) {
  static const char *const known[] = {"C",  "A",  "N",  "NA", "O",  "OA", "S",  "SA", "H",  "HD", "P",
                                      "F",  "Cl", "Br", "I",  "Si", "Se", "At", "Mg", "Mn", "Zn", "Ca",
                                      "Fe", "Cu", "Na", "K",  "Hg", "Co", "Cd", "Ni", "U"};
  *ret_input = bt_vina_input_find(atom->type);
  if (*ret_input != NULL) return BT_OK;
  char remedy[160] = "change the atom to a type that Vina knows, or dock with AutoDock 4 (--scoring ad4)";
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (strcasecmp(known[k], atom->type) != 0) continue;
    snprintf(remedy, sizeof remedy, "write the type as %s: capital and small letters differ", known[k]);
    break;
  }
  return bt_fail(opt_error, BT_ERR_PARAMETER, bt_atom_where(molecule, atom), remedy,
                 "atom type '%s' is unknown to Vina's scoring functions", atom->type);
}

typedef struct near_atom {
  int atom;
  double distance2;
} near_atom;

/* What is near atom i. */
typedef struct surroundings {
  const bt_vina_atoms *atoms;
  int i;
  near_atom *near;
  size_t count, capacity;
  bool failed;
} surroundings;

static void surroundings_free(surroundings *s) { free(s->near); }

static bt_vina_motion motion_of(const bt_vina_atoms *atoms, int i, int j) {
  return atoms->opt_ligand != NULL ? bt_vina_motion_of(atoms->opt_ligand, i, j) : BT_VINA_FIXED;
}

static void collect(void *context, int atom, double distance2) {
  surroundings *s = context;
  const bt_vina_atoms *atoms = s->atoms;
  if (atom == s->i || atoms->inputs[atom]->kind == BT_VINA_PSEUDO) return;
  if (motion_of(atoms, s->i, atom) == BT_VINA_VARIABLE) return;
  s->failed = s->failed || !BT_GROW(s->near, &s->capacity, s->count + 1);
  if (!s->failed) s->near[s->count++] = (near_atom){atom, distance2};
}

static bool is_between(const surroundings *s, near_atom k, near_atom j) {
  const bt_vina_atoms *atoms = s->atoms;
  if (k.atom == j.atom || !(k.distance2 < j.distance2)) return false;
  return bt_v3_distance2(atoms->x[k.atom], atoms->x[j.atom]) < j.distance2 &&
         motion_of(atoms, k.atom, j.atom) != BT_VINA_VARIABLE;
}

static bool is_bonded(const surroundings *s, near_atom j) {
  const bt_vina_atoms *atoms = s->atoms;
  double limit = BT_VINA_ALLOWANCE * (atoms->inputs[s->i]->covalent + atoms->inputs[j.atom]->covalent);
  if (!(j.distance2 < limit * limit)) return false;
  for (size_t k = 0; k < s->count && s->near[k].distance2 < j.distance2; k++)
    if (is_between(s, s->near[k], j)) return false;
  return true;
}

static int by_distance(const void *a, const void *b) {
  const near_atom *x = a, *y = b;
  if (x->distance2 != y->distance2) return x->distance2 < y->distance2 ? -1 : 1;
  return (x->atom > y->atom) - (x->atom < y->atom);
}

static int by_second(const void *a, const void *b) {
  const int *x = a, *y = b;
  return (x[1] > y[1]) - (x[1] < y[1]);
}

/* The bonds of atom i with later ones, sorted. The nearest atoms stand between most others: with them first, and no
 * more inspected than can lie between, crowded atoms do not take cubic time. */
static bool add_bonds(surroundings *s, bt_pair_list *list) {
  size_t begin = list->count;
  if (s->count > 1) qsort(s->near, s->count, sizeof *s->near, by_distance);
  for (size_t k = 0; k < s->count; k++) {
    if (s->near[k].atom < s->i || !is_bonded(s, s->near[k])) continue;
    if (!bt_pair_list_add(list, s->i, s->near[k].atom)) return false;
  }
  if (list->count > begin + 1) qsort(list->items + begin, list->count - begin, sizeof *list->items, by_second);
  return true;
}

bt_status bt_vina_bonds(const bt_vina_atoms *atoms, bt_bonds *ret_bonds, bt_error *opt_error) {
  bt_pair_list list = {0};
  BT_ENDED_BY(surroundings_free) surroundings s = {.atoms = atoms};
  double largest = 0.5;
  bt_cells *cells;
  *ret_bonds = (bt_bonds){0};
  for (int i = 0; i < atoms->count; i++) largest = fmax(largest, atoms->inputs[i]->covalent);
  BT_TRY(bt_cells_create(atoms->x, atoms->count, 2.0 * BT_VINA_ALLOWANCE * largest, &cells, opt_error));
  for (s.i = 0; s.i < atoms->count && !s.failed; s.i++) {
    if (atoms->inputs[s.i]->kind == BT_VINA_PSEUDO) continue;
    s.count = 0;
    double reach = BT_VINA_ALLOWANCE * (atoms->inputs[s.i]->covalent + largest);
    bt_cells_near(cells, atoms->x[s.i], reach, collect, &s);
    s.failed = s.failed || !add_bonds(&s, &list);
  }
  bt_cells_destroy(cells);
  bool complete = !s.failed && bt_pair_list_neighbors(&list, atoms->count, &ret_bonds->arena, &ret_bonds->first,
                                                       &ret_bonds->neighbor);
  free(list.items);
  if (complete) return BT_OK;
  bt_bonds_destroy(ret_bonds);
  return bt_fail_memory(opt_error);
}

/* ---- 3. classes ---- */

const bt_vina_class *bt_vina_class_of(const bt_vina_atoms *atoms, const bt_bonds *bonds, int atom) {
  bool hetero = false, polar = false;
  for (int a = bonds->first[atom]; a < bonds->first[atom + 1]; a++) {
    const bt_vina_input *neighbor = atoms->inputs[bonds->neighbor[a]];
    hetero = hetero || bt_vina_is_hetero(neighbor);
    polar = polar || neighbor->kind == BT_VINA_POLAR_HYDROGEN;
  }
  return bt_vina_classify(atoms->inputs[atom], hetero, polar);
}

/* Vina looks for the bonds of residues in the whole receptor. Of the residue's atoms this affects only the
 * alpha carbon, whose nitrogen is in the rigid part. */
static const bt_vina_class *class_in_residue(const bt_ligand *ligand, const bt_vina_class *class, int i) {
  bool alpha = bt_vina_is_immobile(ligand, i) && strcmp(bt_ligand_atom(ligand, i, NULL)->name, "CA") == 0;
  return alpha && strcmp(class->name, "C_H") == 0 ? bt_vina_class_find("C_P") : class;
}

/* Where the function has a term for it, atoms of metal-binding groups have classes of their own. */
static const bt_vina_class *class_at_metals(const bt_vina_atoms *atoms, const bt_bonds *bonds, int i,
                                            const bt_vina_class *class) {
  const bt_vina_law *law = bt_vina_law_of(atoms->opt_ligand->scoring);
  bool term = law != NULL && law->coordination.ramp.weight != 0.0;
  return term && bt_binds_metals(atoms, bonds, i) ? bt_vina_class_in_group(class) : class;
}

static void set_class(bt_ligand *ligand, int i, const bt_vina_class *class) {
  int t = 0;
  while (t < ligand->n_types && ligand->vina[t] != class) t++;
  if (t == ligand->n_types) {
    ligand->vina[ligand->n_types] = class;
    memcpy(ligand->types[ligand->n_types++], class->name, sizeof class->name);
  }
  ligand->type[i] = t;
  ligand->feels_maps[i] = bt_vina_has_class(class) && !bt_vina_is_immobile(ligand, i);
}

/* ---- 4. rotors ---- */

static void count_heavy_neighbors(const bt_vina_atoms *atoms, const bt_bonds *bonds, int *ret_counts) {
  for (int i = 0; i < atoms->count; i++)
    for (int a = bonds->first[i]; a < bonds->first[i + 1]; a++)
      ret_counts[i] += !bt_vina_is_hydrogen(atoms->inputs[bonds->neighbor[a]]);
}

/* Half a rotor for each heavy end of a rotatable bond that has another heavy neighbor. */
static bt_status count_rotors(const bt_vina_atoms *atoms, const bt_bonds *bonds, double *ret_count,
                              bt_error *opt_error) {
  const bt_ligand *ligand = atoms->opt_ligand;
  BT_SCOPED int *heavy = bt_allocate((size_t)atoms->count, sizeof *heavy);
  if (heavy == NULL) return bt_fail_memory(opt_error);
  count_heavy_neighbors(atoms, bonds, heavy);
  *ret_count = 0;
  for (int i = 0; i < ligand->n_ligand_atoms; i++) {
    if (bt_vina_is_hydrogen(atoms->inputs[i])) continue;
    for (int a = bonds->first[i]; a < bonds->first[i + 1]; a++) {
      int j = bonds->neighbor[a];
      if (heavy[j] > 1 && !bt_vina_is_hydrogen(atoms->inputs[j]) &&
          bt_vina_motion_of(ligand, i, j) == BT_VINA_ROTOR)
        *ret_count += 0.5;
    }
  }
  return BT_OK;
}

bt_status bt_vina_type_ligand(bt_ligand *ligand, bt_bonds *ret_bonds, bt_error *opt_error) {
  size_t n = (size_t)ligand->n_atoms;
  BT_SCOPED const bt_vina_input **inputs = bt_allocate(n, sizeof *inputs);
  BT_SCOPED double(*x)[3] = bt_allocate(n, sizeof *x);
  if (inputs == NULL || x == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < ligand->n_atoms; i++) {
    const bt_molecule *molecule;
    const bt_atom *atom = bt_ligand_atom(ligand, i, &molecule);
    BT_TRY(bt_vina_input_of(molecule, atom, &inputs[i], opt_error));
    memcpy(x[i], atom->x, sizeof x[i]);
  }
  bt_vina_atoms atoms = {.count = ligand->n_atoms, .x = x, .inputs = inputs, .opt_ligand = ligand};
  BT_TRY(bt_vina_bonds(&atoms, ret_bonds, opt_error));
  for (int i = 0; i < ligand->n_atoms; i++)
    set_class(ligand, i,
              class_at_metals(&atoms, ret_bonds, i,
                              class_in_residue(ligand, bt_vina_class_of(&atoms, ret_bonds, i), i)));
  return count_rotors(&atoms, ret_bonds, &ligand->n_rot, opt_error);
}
