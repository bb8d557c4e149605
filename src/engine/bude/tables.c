/* tables.c - the receptor in the layout of the energy kernels: atoms sorted by kind of interaction, with precomputed
 * parameters for each ligand type and kind. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "engine/bude/engine_internal.h"

void bt_bude_tables_destroy(bt_bude_tables *tables) {
  bt_arena_destroy(&tables->arena);
  *tables = (bt_bude_tables){0};
}

/* Types with equal bytes behave alike. */
static bt_bude_parameters parameters_of(const bt_bude_type *type, bt_bude_rules rules) {
  bool deck = rules == BT_BUDE_RULES_DECK;
  bt_bude_parameters p = {.radius = (float)type->radius,
                          .hydrophobic = (float)type->hydrophobic,
                          .hardness = deck ? 38.0f : (float)type->hardness,
                          .reach_nonpolar = deck ? 5.5f : (float)type->reach_nonpolar,
                          .reach_polar = deck ? 1.0f : (float)type->reach_polar,
                          .charge = (float)type->charge};
  if (type->class == BT_BUDE_CLASS_FORMAL) p.class_code |= BT_BUDE_FORMAL;
  if (type->class == BT_BUDE_CLASS_EITHER) p.class_code |= BT_BUDE_EITHER;
  if (rules == BT_BUDE_RULES_B) p.unused = type->class;
  return p;
}

static bt_bude_pair pair_of(const bt_bude_law *law) {
  bt_bude_pair pair = {.reach = (float)law->radii, .hardness = (float)law->hardness, .slope = (float)(1 / law->radii)};
  pair.charge = (float)law->charge;
  pair.charge_slope = (float)(1 / law->charge_reach);
  pair.charge_offset = (float)(1 + law->radii / law->charge_reach);
  pair.desolvation = (float)law->desolvation;
  pair.desolvation_slope = (float)(1 / law->desolvation_reach);
  pair.desolvation_offset = (float)(1 + law->radii / law->desolvation_reach);
  if (law->charge != 0) pair.kind |= BT_BUDE_CHARGE;
  if (law->desolvation != 0) pair.kind |= BT_BUDE_DESOLVATION;
  return pair;
}

static bt_status check(const bt_bude_forcefield *forcefield, const bt_bude_atom *atoms, size_t n_atoms,
                       bt_error *opt_error) {
  if (n_atoms == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "use a receptor with heavy atoms, or a larger box",
                   "the receptor has no atoms");
  if (n_atoms > (size_t)1 << 28)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "keep the atoms around the site",
                   "a receptor of %zu atoms is too large", n_atoms);
  for (size_t a = 0; a < n_atoms; a++) {
    bt_where where = {.atom = (long)a + 1};
    if (atoms[a].type < 0 || atoms[a].type >= forcefield->n_types)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "use the force field that the atoms were typed with",
                     "type %d is not one of the force field's %d", atoms[a].type, forcefield->n_types);
    if (!(fabsf(atoms[a].x) < 1e5f && fabsf(atoms[a].y) < 1e5f && fabsf(atoms[a].z) < 1e5f))
      return bt_fail(opt_error, BT_ERR_INPUT, where, "correct the receptor",
                     "its coordinates are not finite");
    if (!(forcefield->types[atoms[a].type].radius > 0))
      return bt_fail(opt_error, BT_ERR_INPUT, where, "correct the force field", "type %d has no radius", atoms[a].type);
  }
  return BT_OK;
}

/* sort[type]: number of its sort, -1 where no atom has it; ret_first[sort]: the sort's first type. */
static int sorts_of(const bt_bude_parameters *types, int n_types, const bt_bude_atom *atoms, size_t n_atoms, int *sort,
                    int *first) {
  int n = 0;
  for (int t = 0; t < n_types; t++) sort[t] = -2;
  for (size_t a = 0; a < n_atoms; a++) sort[atoms[a].type] = -1;
  for (int t = 0; t < n_types; t++) {
    if (sort[t] == -2) continue;
    for (int s = 0; s < n && sort[t] < 0; s++)
      if (memcmp(&types[first[s]], &types[t], sizeof types[t]) == 0) sort[t] = s;
    if (sort[t] >= 0) continue;
    first[n] = t;
    sort[t] = n++;
  }
  return n;
}

static bt_bude_site site_of(const bt_bude_atom *atom, float scale) {
  bt_bude_site site = {scale * atom->x, scale * atom->y, scale * atom->z, 0};
  double x = site.x, y = site.y, z = site.z;
  site.square = (float)(x * x + y * y + z * z);
  return site;
}

/* Sites by sort, in runs that end where tiles end; run_sort[run]. Arrays are large enough. */
static void fill_runs(bt_bude_tables *t, const bt_bude_atom *atoms, const int *sort, int n_sorts, float scale,
                      int *run_sort) {
  int at = 0;
  for (int s = 0; s < n_sorts; s++) {
    for (int a = 0; a < t->n_receptor; a++) {
      if (sort[atoms[a].type] != s) continue;
      bool open = t->n_runs > 0 && run_sort[t->n_runs - 1] == s && at % t->tile != 0;
      if (!open) {
        t->runs[t->n_runs] = (bt_bude_run){at, 0};
        run_sort[t->n_runs++] = s;
      }
      t->runs[t->n_runs - 1].count++;
      t->sites[at++] = site_of(&atoms[a], scale);
      t->unsorted[a] = (bt_bude_atom){atoms[a].x, atoms[a].y, atoms[a].z, t->n_runs - 1};
    }
  }
}

bt_status bt_bude_tables_fill(const bt_bude_forcefield *forcefield, bt_bude_rules rules, const bt_bude_atom *atoms,
                              size_t n_atoms, float scale, int tile, bt_bude_tables *ret_tables, bt_error *opt_error) {
  BT_TRY(check(forcefield, atoms, n_atoms, opt_error));
  BT_ENDED_BY(bt_bude_tables_destroy) bt_bude_tables t = {.n_receptor = (int)n_atoms, .n_types = forcefield->n_types};
  t.tile = (int)n_atoms < tile ? (int)n_atoms : tile;
  size_t types = (size_t)t.n_types, most_runs = types + n_atoms / (size_t)t.tile + 1;
  BT_SCOPED int *sort = bt_allocate(types, sizeof *sort), *first = bt_allocate(types, sizeof *first),
                *run_sort = bt_allocate(most_runs, sizeof *run_sort);
  BT_NEW(&t.arena, t.types, types + most_runs);
  BT_NEW(&t.arena, t.sites, n_atoms);
  BT_NEW(&t.arena, t.unsorted, n_atoms);
  BT_NEW(&t.arena, t.runs, most_runs);
  if (sort == NULL || first == NULL || run_sort == NULL || t.arena.failed) return bt_fail_memory(opt_error);
  for (int i = 0; i < t.n_types; i++) t.types[i] = parameters_of(&forcefield->types[i], rules);
  int n_sorts = sorts_of(t.types, t.n_types, atoms, n_atoms, sort, first);
  fill_runs(&t, atoms, sort, n_sorts, scale, run_sort);
  if (BT_NEW(&t.arena, t.pairs, types * (size_t)t.n_runs) == NULL) return bt_fail_memory(opt_error);
  for (int r = 0; r < t.n_runs; r++) {
    const bt_bude_type *receptor = &forcefield->types[first[run_sort[r]]];
    t.types[t.n_types + r] = parameters_of(receptor, rules);
    for (int l = 0; l < t.n_types; l++) {
      bt_bude_law law = bt_bude_law_of(receptor, &forcefield->types[l], rules);
      t.pairs[(size_t)l * (size_t)t.n_runs + (size_t)r] = pair_of(&law);
    }
  }
  bt_bude_tables before = *ret_tables;
  *ret_tables = t;
  t = before; /* ends here */
  return BT_OK;
}
