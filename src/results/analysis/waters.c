/* waters.c - see waters.h. */
#include "results/analysis/waters.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vector.h"
#include "chem/element.h"
#include "chem/glue.h"
#include "score/interpolate.h"

static const double OVERLAP = 2.03, SAME = 1.0, SHELL = 5.0; /* Angstrom */
static const double STRONG = -0.5, WEAK = -0.3;              /* kcal/mol */

static bool is_heavy(const char *type) { return bt_element_of_type(type) > 1; }

/* ---- the receptor ---- */

bt_status bt_water_site_create(const bt_molecule *opt_receptor, bt_water_site *ret_site, bt_error *opt_error) {
  *ret_site = (bt_water_site){.opt_cells = NULL};
  if (opt_receptor == NULL) return BT_OK;
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)opt_receptor->n_atoms, sizeof *x);
  int count = 0;
  if (x == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < opt_receptor->n_atoms; i++)
    if (is_heavy(opt_receptor->atoms[i].type)) bt_v3_copy(x[count++], opt_receptor->atoms[i].x);
  if (count == 0) return BT_OK;
  return bt_cells_create((const double(*)[3])x, count, SHELL, &ret_site->opt_cells, opt_error);
}

void bt_water_site_destroy(bt_water_site *site) {
  bt_cells_destroy(site->opt_cells);
  site->opt_cells = NULL;
}

/* ---- one pose ---- */

static const char *type_of(const bt_ligand *ligand, int atom) { return ligand->types[ligand->type[atom]]; }

static void take_nearest(void *context, int point, double distance2) {
  double *nearest2 = context;
  (void)point;
  if (distance2 < *nearest2) *nearest2 = distance2;
}

/* The atom that a water was placed at. */
static int anchor_of(const bt_ligand *ligand, int water) {
  int atom = water - 1;
  while (atom >= 0 && bt_is_hydration_water(type_of(ligand, atom))) atom--;
  return atom;
}

/* From the place of a water to the nearest heavy atom. */
static double nearest_heavy(const bt_water_site *site, const bt_ligand *ligand, const double *xyz,
                            const bt_water *water) {
  double nearest2 = SHELL * SHELL;
  if (site->opt_cells != NULL) bt_cells_near(site->opt_cells, water->x, SHELL, take_nearest, &nearest2);
  int anchor = anchor_of(ligand, water->atom);
  for (int i = 0; i < ligand->n_atoms; i++)
    if (i != anchor && is_heavy(type_of(ligand, i)))
      take_nearest(&nearest2, i, bt_v3_distance2(water->x, xyz + 3 * (size_t)i));
  return nearest2 < SHELL * SHELL ? sqrt(nearest2) : NAN;
}

static bool overlaps(const bt_water *water) { return water->distance < OVERLAP; }

/* Every water that can be reached from the first over steps of SAME joins it. */
static void merge_with(bt_water_list *list, size_t first) {
  double sum[3] = {0};
  int count = 1;
  bt_v3_copy(sum, list->items[first].x);
  for (bool found = true; found;) {
    found = false;
    for (size_t j = first + 1; j < list->count; j++) {
      bt_water *other = &list->items[j];
      if (other->state != BT_WATER_WEAK) continue;
      bool near = bt_v3_distance(other->x, list->items[first].x) < SAME;
      for (size_t k = first + 1; k < list->count && !near; k++)
        near = list->items[k].state == BT_WATER_MERGED && list->items[k].into == list->items[first].atom &&
               bt_v3_distance(other->x, list->items[k].x) < SAME;
      if (!near) continue;
      other->state = BT_WATER_MERGED;
      other->into = list->items[first].atom;
      bt_v3_add(sum, sum, 1, other->x);
      count++;
      found = true;
    }
  }
  for (int k = 0; k < 3; k++) list->items[first].x[k] = sum[k] / count;
}

static double map_energy(const bt_maps *maps, int map, const double x[3]) {
  double inside[3]; /* a water out of the box has the energy of the nearest point of it */
  for (int k = 0; k < 3; k++) inside[k] = fmin(fmax(x[k], maps->low[k]), maps->high[k]);
  bt_cell cell = bt_cell_find(maps, inside);
  return bt_cell_value(maps, maps->values[map], &cell, NULL);
}

static bt_water_state state_of(const bt_water *water) {
  if (overlaps(water) || !(water->energy < WEAK)) return BT_WATER_DISPLACED;
  return water->energy < STRONG ? BT_WATER_STRONG : BT_WATER_WEAK;
}

static bt_status collect(const bt_water_site *site, const bt_ligand *ligand, const double *xyz, bt_water_list *list,
                         bt_error *opt_error) {
  for (int i = 0; i < ligand->n_ligand_atoms; i++) {
    if (!bt_is_hydration_water(type_of(ligand, i))) continue;
    if (!BT_GROW(list->items, &list->capacity, list->count + 1)) return bt_fail_memory(opt_error);
    bt_water *water = &list->items[list->count++];
    *water = (bt_water){.atom = i, .into = i, .state = BT_WATER_WEAK};
    bt_v3_copy(water->x, xyz + 3 * (size_t)i);
    water->distance = nearest_heavy(site, ligand, xyz, water);
    if (overlaps(water)) water->state = BT_WATER_DISPLACED;
  }
  return BT_OK;
}

bt_status bt_waters_judge(const bt_water_site *site, const bt_ligand *ligand, const bt_maps *maps, const double *xyz,
                          bt_water_list *list, bt_error *opt_error) {
  int map = bt_maps_find(maps, "W");
  if (map < 0) return BT_OK;
  BT_TRY(collect(site, ligand, xyz, list, opt_error));
  for (size_t k = 0; k < list->count; k++)
    if (list->items[k].state == BT_WATER_WEAK) merge_with(list, k);
  for (size_t k = 0; k < list->count; k++) {
    bt_water *water = &list->items[k];
    water->energy = map_energy(maps, map, water->x);
    if (water->state != BT_WATER_WEAK) continue;
    water->distance = nearest_heavy(site, ligand, xyz, water);
    water->state = state_of(water);
  }
  return BT_OK;
}

void bt_water_list_clear(bt_water_list *list) {
  free(list->items);
  *list = (bt_water_list){.count = 0};
}

/* ---- text ---- */

static const char *const names[BT_WATER_STATES] = {"strong", "weak", "displaced", "merged"};

const char *bt_water_name(bt_water_state state) { return names[state]; }

bool bt_water_find(const char *name, bt_water_state *ret_state) {
  int k = bt_span_index(bt_span_from(name), names, BT_WATER_STATES);
  if (k >= 0) *ret_state = (bt_water_state)k;
  return k >= 0;
}

int bt_waters_count(const bt_water_list *list, bt_water_state state) {
  int count = 0;
  for (size_t k = 0; k < list->count; k++) count += list->items[k].state == state;
  return count;
}

void bt_waters_add_count(bt_text *text, const bt_water_list *list) {
  for (int state = BT_WATER_STRONG; state <= BT_WATER_DISPLACED; state++)
    bt_text_printf(text, "%s%d %s", state > 0 ? ", " : "", bt_waters_count(list, (bt_water_state)state), names[state]);
}

void bt_waters_add_lines(bt_text *text, const char *prefix, const bt_ligand *ligand, const bt_water_list *list) {
  for (size_t k = 0; k < list->count; k++) {
    const bt_water *w = &list->items[k];
    const bt_atom *atom = bt_ligand_atom(ligand, w->atom, NULL);
    bt_text_printf(text, "%swater %d %s %s", prefix, atom->serial, atom->name, names[w->state]);
    if (w->state == BT_WATER_MERGED)
      bt_text_printf(text, " into %d", bt_ligand_atom(ligand, w->into, NULL)->serial);
    else
      bt_text_printf(text, " energy %.3f", w->energy);
    if (w->state != BT_WATER_MERGED && !isnan(w->distance)) bt_text_printf(text, " distance %.2f", w->distance);
    bt_text_add_char(text, '\n');
  }
}

void bt_waters_add_json(bt_json *json, const bt_ligand *ligand, const bt_water_list *list) {
  bt_json_printf(json, "waters [");
  for (size_t k = 0; k < list->count; k++) {
    const bt_water *w = &list->items[k];
    bt_json_printf(json, "{ ligand_atom %d ligand_name %s state %s energy %.3f distance %.3f", w->atom + 1,
                   bt_ligand_atom(ligand, w->atom, NULL)->name, names[w->state], w->energy, w->distance);
    if (w->state == BT_WATER_MERGED) bt_json_printf(json, "into %d", w->into + 1);
    bt_json_printf(json, "place [ %.3f %.3f %.3f ] }", w->x[0], w->x[1], w->x[2]);
  }
  bt_json_close(json, ']');
}
