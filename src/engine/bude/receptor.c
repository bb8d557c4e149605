/* receptor.c - types of a receptor's atoms and their order. */
#include "engine/bude/receptor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "chem/element.h"
#include "chem/sybyl.h"

/* ------------------------------------------------------------------------------------------ from a MOL2 file -- */

static bt_status add_atom(bt_bude_receptor *r, const double x[3], int type) {
  memcpy(r->xyz + 3 * (size_t)r->n_atoms, x, 3 * sizeof *x);
  r->types[r->n_atoms++] = type;
  return BT_OK;
}

static bt_status make_room(bt_bude_receptor *r, int n, bt_error *opt_error) {
  r->xyz = bt_allocate((size_t)n, 3 * sizeof *r->xyz);
  r->types = bt_allocate((size_t)n, sizeof *r->types);
  r->atoms = bt_allocate((size_t)n, sizeof *r->atoms);
  r->distance = bt_allocate((size_t)n, sizeof *r->distance);
  return r->xyz != NULL && r->types != NULL && r->atoms != NULL && r->distance != NULL ? BT_OK
                                                                                       : bt_fail_memory(opt_error);
}

static bt_status take_mol2(bt_bude_receptor *r, const bt_mol2 *m, const bt_bude_typing *typing, bt_error *opt_error) {
  BT_TRY(make_room(r, m->n_atoms, opt_error));
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_mol2_atom *atom = &m->atoms[i];
    if (bt_mol2_is_hydrogen(atom)) continue;
    int row = bt_bude_typing_find_residue(typing, atom->residue, atom->name, atom->type, false);
    if (row < 0)
      return bt_bude_typing_fail(typing, (bt_where){.file = m->path, .line = atom->line, .atom = i + 1}, atom->type,
                                 atom->name, opt_error);
    BT_TRY(add_atom(r, m->x[i], row));
  }
  return BT_OK;
}

static bt_status read_mol2(bt_bude_receptor *r, const char *path, const bt_bude_typing *typing, bt_error *opt_error) {
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &data, &size, opt_error));
  bt_mol2 *m = NULL;
  bt_status status = BT_OK;
  if (bt_text_is_binary(data, size))
    status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "use a MOL2 file", "binary data");
  if (status == BT_OK) status = bt_mol2_parse(path, 1, data, size, &m, opt_error);
  if (status == BT_OK) status = take_mol2(r, m, typing, opt_error);
  bt_mol2_destroy(m);
  return status;
}

/* --------------------------------------------------------------------------------------- from PDBQT and PDB -- */

/* Bonds of an atom, as far as distances tell. */
typedef struct surroundings {
  int heavy, hydrogens;
  double nearest_n, nearest_o, nearest_c; /* Angstrom */
  int terminal_oxygens;
} surroundings;

static int element_of(const bt_atom *atom) { return bt_element_of_type(atom->type); }

static bool bonded(const bt_atom *a, const bt_atom *b, double *ret_distance) {
  double d[3] = {a->x[0] - b->x[0], a->x[1] - b->x[1], a->x[2] - b->x[2]};
  double limit = bt_element_radius(element_of(a)) + bt_element_radius(element_of(b)) + 0.4;
  *ret_distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  return *ret_distance<limit && * ret_distance> 0.1;
}

static surroundings look(const bt_molecule *m, int at) {
  surroundings s = {.nearest_n = 9, .nearest_o = 9, .nearest_c = 9};
  for (int i = 0; i < m->n_atoms; i++) {
    double distance;
    if (i == at || fabs(m->atoms[i].x[0] - m->atoms[at].x[0]) > 3 || !bonded(&m->atoms[at], &m->atoms[i], &distance))
      continue;
    int element = element_of(&m->atoms[i]);
    s.heavy += element > 1;
    s.hydrogens += element == 1;
    if (element == 6) s.nearest_c = fmin(s.nearest_c, distance);
    if (element == 7) s.nearest_n = fmin(s.nearest_n, distance);
    if (element == 8) s.nearest_o = fmin(s.nearest_o, distance);
    s.terminal_oxygens += element == 8 && distance < 1.65;
  }
  return s;
}

/* A residue without a template: aromaticity follows from the AutoDock type, double bonds from distances. */
static const char *type_by_distances(const bt_molecule *m, int at) {
  const bt_atom *atom = &m->atoms[at];
  const int element = element_of(atom);
  surroundings s = look(m, at);
  switch (element) {
    case 6:
      if (strcmp(atom->type, "A") == 0) return "C.ar";
      return s.heavy <= 3 && (s.nearest_o < 1.30 || s.nearest_n < 1.37 || s.nearest_c < 1.38) ? "C.2" : "C.3";
    case 7:
      if (s.heavy + s.hydrogens >= 4) return "N.4";
      if (s.nearest_c < 1.36) return s.heavy + s.hydrogens > 2 ? "N.am" : "N.2";
      return s.nearest_c < 1.42 ? "N.pl3" : "N.3";
    case 8:
      if (s.hydrogens > 0) return "O.3h";
      if (s.heavy == 1 && s.nearest_c == 9) return "O.co2"; /* of a phosphate or sulfate */
      return s.heavy == 1 && s.nearest_c < 1.33 ? "O.2" : "O.3";
    case 15: return "P.3";
    case 16: return s.terminal_oxygens >= 2 ? "S.o2" : "S.3";
    case 26: return "Fe.2";
    default: return bt_element_symbol(element);
  }
}

/* Most follows from names; hydrogens and second oxygens show protonation states and chain ends. */
static const char *type_of(const bt_molecule *m, int at) {
  const bt_atom *atom = &m->atoms[at];
  if (strcmp(atom->name, "N") == 0 && bt_sybyl_of_residue(atom->resname, "N") != NULL) {
    surroundings s = look(m, at);
    return s.hydrogens >= 2 && s.heavy == 1 ? "N.4" : "N.am";
  }
  if (strcmp(atom->resname, "HIS") == 0 && (strcmp(atom->name, "ND1") == 0 || strcmp(atom->name, "NE2") == 0))
    return look(m, at).hydrogens > 0 ? "N.pl3" : "N.2";
  const char *known = bt_sybyl_of_residue(atom->resname, atom->name);
  return known != NULL ? known : type_by_distances(m, at);
}

static bt_status take_molecule(bt_bude_receptor *r, const bt_molecule *m, const bt_bude_typing *typing,
                               bt_error *opt_error) {
  BT_TRY(make_room(r, m->n_atoms, opt_error));
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *atom = &m->atoms[i];
    if (element_of(atom) <= 1) continue; /* hydrogens and pseudo atoms */
    const char *type = type_of(m, i);
    int row = bt_bude_typing_find_residue(typing, atom->resname, atom->name, type, true);
    if (row < 0)
      return bt_bude_typing_fail(typing, bt_atom_where(m, atom), type, atom->name, opt_error);
    BT_TRY(add_atom(r, atom->x, row));
  }
  return BT_OK;
}

/* -------------------------------------------------------------------------------------------------- order -- */

typedef struct place {
  double distance;
  int atom;
} place;

static int nearer(const void *a, const void *b) {
  const place *x = a, *y = b;
  if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
  return (x->atom > y->atom) - (x->atom < y->atom);
}

static bt_status sort_atoms(bt_bude_receptor *r, const double center[3], const double half[3], bt_error *opt_error) {
  const size_t n = (size_t)r->n_atoms;
  BT_SCOPED place *places = bt_allocate(n, sizeof *places);
  BT_SCOPED double *xyz = bt_allocate(n, 3 * sizeof *xyz);
  BT_SCOPED int *types = bt_allocate(n, sizeof *types);
  if (places == NULL || xyz == NULL || types == NULL) return bt_fail_memory(opt_error);
  memcpy(types, r->types, n * sizeof *types);
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      r->xyz[3 * i + (size_t)k] -= center[k];
      double out = fmax(0, fabs(r->xyz[3 * i + (size_t)k]) - half[k]);
      sum += out * out;
    }
    places[i] = (place){sqrt(sum), (int)i};
  }
  memcpy(xyz, r->xyz, 3 * n * sizeof *xyz);
  qsort(places, n, sizeof *places, nearer);
  for (size_t i = 0; i < n; i++) {
    const double *x = xyz + 3 * (size_t)places[i].atom;
    memcpy(r->xyz + 3 * i, x, 3 * sizeof *x);
    r->types[i] = types[places[i].atom];
    r->distance[i] = places[i].distance;
    r->atoms[i] = (bt_bude_atom){(float)x[0], (float)x[1], (float)x[2], r->types[i]};
  }
  return BT_OK;
}

static double largest_reach(const bt_bude_forcefield *forcefield, bt_bude_rules rules) {
  double reach = 0;
  for (int i = 0; i < forcefield->n_types; i++)
    for (int j = 0; j < forcefield->n_types; j++) {
      bt_bude_law law = bt_bude_law_of(&forcefield->types[i], &forcefield->types[j], rules);
      reach = fmax(reach, law.radii + fmax(law.charge_reach, law.desolvation_reach));
    }
  return reach;
}

bt_status bt_bude_receptor_create(const char *opt_mol2_path, const bt_molecule *opt_molecule,
                                  const bt_bude_typing *typing, bt_bude_rules rules, const double center[3],
                                  const double half[3], bt_bude_receptor **ret_receptor, bt_error *opt_error) {
  bt_bude_receptor *r = bt_allocate(1, sizeof *r);
  if (r == NULL) return bt_fail_memory(opt_error);
  bt_status status = opt_mol2_path != NULL ? read_mol2(r, opt_mol2_path, typing, opt_error)
                                           : take_molecule(r, opt_molecule, typing, opt_error);
  if (status == BT_OK && r->n_atoms == 0)
    status =
        bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = opt_mol2_path != NULL ? opt_mol2_path : opt_molecule->path},
                "use a receptor with heavy atoms", "the receptor is empty");
  if (status == BT_OK) status = sort_atoms(r, center, half, opt_error);
  r->reach = largest_reach(typing->forcefield, rules);
  return BT_HAND_OVER(status, r, ret_receptor, bt_bude_receptor_destroy);
}

void bt_bude_receptor_destroy(bt_bude_receptor *opt_receptor) {
  if (opt_receptor == NULL) return;
  free(opt_receptor->atoms);
  free(opt_receptor->xyz);
  free(opt_receptor->types);
  free(opt_receptor->distance);
  free(opt_receptor);
}

int bt_bude_receptor_near(const bt_bude_receptor *receptor, double radius) {
  int low = 0, high = receptor->n_atoms; /* the first atom that is too far */
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (receptor->distance[middle] <= radius + receptor->reach)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
