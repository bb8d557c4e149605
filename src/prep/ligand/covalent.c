/* covalent.c - see covalent.h.
 *
 * Contents: 1. the site that reacts; 2. products; 3. coordinates.
 */
#include "prep/ligand/covalent.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/vector.h"
#include "chem/element.h"
#include "chem/warheads.h"

/* ---- 1. the site that reacts ---- */

typedef struct site {
  const bt_warhead *warhead;
  int attach, opened;
} site;

typedef struct sites {
  site *items;
  int count;
  size_t room;
} sites;

static bt_status add_sites(sites *list, const bt_warhead *warhead, const bt_rdmol *mol, bt_error *opt_error) {
  int(*found)[2] = NULL, count = 0;
  BT_TRY(bt_warhead_sites(warhead, mol, &found, &count, opt_error));
  bool ok = true;
  for (int k = 0; ok && k < count; k++)
    ok = BT_APPEND(list->items, list->count, &list->room, ((site){warhead, found[k][0], found[k][1]}));
  free(found);
  return ok ? BT_OK : bt_fail_memory(opt_error);
}

/* A warhead of the table by its name, or one that the user describes. */
static bt_status find_named(sites *list, const char *word, const bt_rdmol *mol, bt_warhead *own, bt_where where,
                            bt_error *opt_error) {
  int n_known = 0;
  const bt_warhead *known = bt_warheads(&n_known);
  for (int w = 0; w < n_known; w++)
    if (strcasecmp(known[w].name, word) == 0) return add_sites(list, &known[w], mol, opt_error);
  *own = (bt_warhead){.name = word, .smarts = word, .residues = ""};
  bt_smarts *pattern = NULL;
  bt_status status = bt_smarts_create(word, &pattern, opt_error);
  int size = status == BT_OK ? bt_smarts_size(pattern) : 0;
  bt_smarts_destroy(pattern);
  if (status == BT_OK && size < 2)
    return bt_fail(
        opt_error, BT_ERR_USAGE, where,
        "begin with the atom that is bonded and its partner in the bond that opens, such as '[CH2]=[CH]C=O'",
        "the warhead '%.60s' has no bond", word);
  return status == BT_OK ? add_sites(list, own, mol, opt_error) : status;
}

/* Topologically equivalent sites count once. */
static bt_status drop_equal(sites *list, const bt_rdmol *mol, bt_where where, bt_error *opt_error) {
  BT_SCOPED int *classes = bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *classes);
  if (classes == NULL) return bt_fail_memory(opt_error);
  if (list->count > 1) BT_TRY(bt_rdmol_classes(mol, where, classes, opt_error));
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    bool known = false;
    for (int k = 0; k < kept; k++) known = known || classes[list->items[k].attach] == classes[list->items[i].attach];
    if (!known) list->items[kept++] = list->items[i];
  }
  list->count = kept;
  return BT_OK;
}

static bt_status count_heavy_neighbors(const bt_rdmol *mol, const site *of, int *ret_count, bt_error *opt_error) {
  int n_bonds = bt_rdmol_bond_count(mol);
  BT_SCOPED bt_rdbond *bonds = bt_allocate((size_t)n_bonds, sizeof *bonds);
  BT_SCOPED bt_rdatom *atoms = bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *atoms);
  if (bonds == NULL || atoms == NULL) return bt_fail_memory(opt_error);
  bt_rdmol_bonds(mol, bonds);
  bt_rdmol_atoms(mol, atoms);
  *ret_count = 0;
  for (int b = 0; b < n_bonds; b++) {
    int other = bonds[b].a == of->attach ? bonds[b].b : bonds[b].b == of->attach ? bonds[b].a : -1;
    *ret_count += other >= 0 && atoms[other].element > 1;
  }
  return BT_OK;
}

/* The less substituted carbon of an epoxide reacts. */
static bt_status prefer_open(sites *list, const bt_rdmol *mol, bt_error *opt_error) {
  int least = 0, at = 0, equal = 0;
  for (int i = 0; i < list->count; i++) {
    int count = 0;
    if (list->items[i].warhead != list->items[0].warhead) return BT_OK;
    BT_TRY(count_heavy_neighbors(mol, &list->items[i], &count, opt_error));
    equal = i == 0 || count < least ? 1 : equal + (count == least);
    if (i == 0 || count < least) least = count, at = i;
  }
  if (equal != 1) return BT_OK;
  list->items[0] = list->items[at];
  list->count = 1;
  return BT_OK;
}

static bt_status fail_sites(const sites *list, const bt_tether *tether, const char *opt_warhead, bt_where where,
                            bt_error *opt_error) {
  if (list->count == 0 && opt_warhead != NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use another pattern or name, or another ligand",
                   "the ligand has no warhead '%.80s'", opt_warhead);
  if (list->count == 0)
    return bt_fail(
        opt_error, BT_ERR_INPUT, where,
        "name the atoms that react by --warhead SMARTS: the atom that gets bonded, then the one that its bond "
        "is opened to",
        "the ligand has no warhead that is known to react with %s", tether->name);
  BT_ENDED_BY(bt_text_destroy) bt_text names = {0};
  for (int i = 0; i < list->count; i++)
    bt_text_printf(&names, "%s%s at atom %d", i > 0 ? ", " : "", list->items[i].warhead->name,
                   list->items[i].attach + 1);
  BT_TRY(bt_text_status(&names, opt_error));
  return bt_fail(opt_error, BT_ERR_INPUT, where,
                 "choose one with --warhead, by its name or a SMARTS that fits it alone",
                 "the ligand has %d atoms that may react with %s: %.200s", list->count, tether->residue, names.data);
}

static bt_status find_site(const bt_rdmol *mol, const bt_tether *tether, const char *opt_warhead, bt_warhead *own,
                           bt_where where, sites *list, bt_error *opt_error) {
  int n_known = 0;
  const bt_warhead *known = bt_warheads(&n_known);
  if (opt_warhead != NULL) BT_TRY(find_named(list, opt_warhead, mol, own, where, opt_error));
  for (int w = 0; opt_warhead == NULL && w < n_known; w++)
    if (bt_warhead_takes(&known[w], tether->name)) BT_TRY(add_sites(list, &known[w], mol, opt_error));
  BT_TRY(drop_equal(list, mol, where, opt_error));
  if (list->count > 1) BT_TRY(prefer_open(list, mol, opt_error));
  return list->count == 1 ? BT_OK : fail_sites(list, tether, opt_warhead, where, opt_error);
}

/* ---- 2. products ---- */

/* The atom bonded to the residue in the structure; -1: none. */
static bt_status find_bonded(const bt_rdmol *mol, const bt_tether *tether, int *ret_atom, double *ret_length,
                             bt_error *opt_error) {
  size_t n = (size_t)bt_rdmol_atom_count(mol);
  BT_SCOPED double(*x)[3] = bt_allocate(n, sizeof *x);
  BT_SCOPED bt_rdatom *atoms = bt_allocate(n, sizeof *atoms);
  if (x == NULL || atoms == NULL) return bt_fail_memory(opt_error);
  *ret_atom = -1;
  *ret_length = BT_LONGEST_COVALENT_BOND;
  if (!bt_rdmol_is_3d(mol)) return BT_OK;
  bt_rdmol_coordinates(mol, 0, x);
  bt_rdmol_atoms(mol, atoms);
  for (size_t i = 0; i < n; i++) {
    double length = bt_v3_distance(x[i], tether->atoms[0].x);
    if (atoms[i].element < 2 || length >= *ret_length) continue;
    *ret_length = length;
    *ret_atom = (int)i;
  }
  return BT_OK;
}

static void set_bound(const bt_tether *tether, int first, bt_bound *ret_bound) {
  ret_bound->tether = tether;
  for (int k = 0; k < tether->n_atoms; k++) ret_bound->atoms[k] = first + k;
}

static const char *chain_smiles(const bt_tether *tether) {
  const bt_side_chain *chain = bt_side_chain_find(tether->name);
  return chain != NULL ? chain->smiles : "";
}

static bt_status react(bt_rdmol *mol, const bt_tether *tether, const char *opt_warhead, bt_where where,
                       bt_bound *ret_bound, bt_text *notes, bt_error *opt_error) {
  sites list = {0};
  bt_warhead own;
  int first = 0;
  bool placed = bt_rdmol_is_3d(mol);
  bt_status status = find_site(mol, tether, opt_warhead, &own, where, &list, opt_error);
  if (status == BT_OK)
    status = bt_rdmol_join_side_chain(mol, list.items[0].attach, list.items[0].opened, chain_smiles(tether), where,
                                      &first, opt_error);
  if (status == BT_OK) {
    set_bound(tether, first, ret_bound);
    bt_text_printf(notes, "bonded to %s %s by its %s%s\n", tether->residue, tether->atoms[0].name,
                   list.items[0].warhead->name, placed ? "; generated 3D coordinates of the product" : "");
  }
  free(list.items);
  return status;
}

bt_status bt_covalent_bind(bt_rdmol *mol, const bt_tether *tether, const char *opt_warhead, bt_where where,
                           bt_bound *ret_bound, bt_text *notes, bt_error *opt_error) {
  BT_SCOPED char *removed = NULL;
  double length = 0;
  int bonded = -1, first = 0;
  BT_TRY(bt_rdmol_keep_largest(mol, where, &removed, opt_error));
  if (removed != NULL) bt_text_printf(notes, "kept the largest fragment, left out %s\n", removed);
  BT_TRY(find_bonded(mol, tether, &bonded, &length, opt_error));
  if (bonded < 0) return react(mol, tether, opt_warhead, where, ret_bound, notes, opt_error);
  double x[BT_TETHER_ATOMS][3];
  for (int k = 0; k < tether->n_atoms; k++) bt_v3_copy(x[k], tether->atoms[k].x);
  BT_TRY(bt_rdmol_bond_side_chain(mol, bonded, chain_smiles(tether), (const double(*)[3])x, where, &first, opt_error));
  set_bound(tether, first, ret_bound);
  bt_text_printf(notes, "bonded to %s %s as in its coordinates (%.2f Angstrom)\n", tether->residue,
                 tether->atoms[0].name, length);
  return BT_OK;
}

/* ---- 3. coordinates ---- */

/* Unit vectors: along the first bond, across it towards the third point, and across both. */
static void frame_of(const double origin[3], const double along[3], const double towards[3], double ret_axes[3][3]) {
  double side[3];
  bt_v3_towards(ret_axes[0], origin, along);
  bt_v3_subtract(side, towards, origin);
  bt_v3_add(ret_axes[1], side, -bt_v3_dot(side, ret_axes[0]), ret_axes[0]);
  if (!bt_v3_unit(ret_axes[1])) bt_v3_across(ret_axes[1], ret_axes[0]);
  bt_v3_cross(ret_axes[2], ret_axes[0], ret_axes[1]);
}

static int place_of(const bt_tether *tether, const char *name) {
  for (int k = 0; k < tether->n_atoms; k++)
    if (strcmp(tether->atoms[k].name, name) == 0) return k;
  return -1;
}

static void choose_side(const double (*x)[3], bt_bound *bound) {
  const bt_tether *t = bound->tether;
  int methyl = place_of(t, "CG2"), alpha = place_of(t, "CA"), beta = place_of(t, "CB"), *at = bound->atoms;
  if (methyl < 0 || alpha < 0 || beta < 0) return;
  double in_protein = bt_v3_volume(t->atoms[beta].x, t->atoms[0].x, t->atoms[methyl].x, t->atoms[alpha].x);
  double here = bt_v3_volume(x[at[beta]], x[at[0]], x[at[methyl]], x[at[alpha]]);
  if (in_protein * here >= 0) return;
  int swap = at[methyl];
  at[methyl] = at[alpha];
  at[alpha] = swap;
}

/* The atom after the beta carbon towards the reactive atom. */
static int gamma_of(const bt_tether *tether) {
  static const char *const names[] = {"SG", "OG", "OG1", "CG"};
  int at = -1;
  for (size_t k = 0; at < 0 && k < sizeof names / sizeof *names; k++) at = place_of(tether, names[k]);
  return at < 0 ? 0 : at;
}

bt_status bt_covalent_align(bt_rdmol *mol, int conformer, bt_bound *bound, bt_error *opt_error) {
  const bt_tether *t = bound->tether;
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *x);
  if (x == NULL) return bt_fail_memory(opt_error);
  bt_rdmol_coordinates(mol, conformer, x);
  choose_side((const double(*)[3])x, bound);
  int alpha = place_of(t, "CA"), beta = place_of(t, "CB"), gamma = gamma_of(t);
  double from[3][3], to[3][3], rotation[3][3];
  frame_of(x[bound->atoms[alpha]], x[bound->atoms[beta]], x[bound->atoms[gamma]], from);
  frame_of(t->atoms[alpha].x, t->atoms[beta].x, t->atoms[gamma].x, to);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) rotation[i][j] = to[0][i] * from[0][j] + to[1][i] * from[1][j] + to[2][i] * from[2][j];
  bt_rdmol_move(mol, conformer, (const double(*)[3])rotation, x[bound->atoms[alpha]], t->atoms[alpha].x);
  return BT_OK;
}
