/* waters.h - what became of the waters of hydrated docking in a pose: strong, weak or displaced.
 *
 * The rules are those of the published protocol: Forli and Olson, J. Med. Chem. 55 (2012) 623, with the numbers that
 * the script distributed with it uses.
 *
 *   1. within 2.03 Angstrom of a heavy atom of the receptor, of a flexible residue or of the ligand: displaced. The
 * atom that a water was placed at does not count: it is the last atom before the water in the ligand's file.
 *   2. waters within 1 Angstrom of each other are one water, at their mean; chains of such waters as well
 *   3. by the W map at its place: below -0.5 kcal/mol strong, below -0.3 weak; otherwise displaced
 *
 * No energy changes: the map holds what a displaced water gains (-0.2 kcal/mol, docs/preparation.md).
 */
#ifndef BERTH_RESULTS_ANALYSIS_WATERS_H
#define BERTH_RESULTS_ANALYSIS_WATERS_H

#include "base/cells.h"
#include "base/text/json.h"
#include "grid/maps/maps.h"
#include "pose/ligand.h"

typedef enum bt_water_state { BT_WATER_STRONG, BT_WATER_WEAK, BT_WATER_DISPLACED, BT_WATER_MERGED } bt_water_state;
enum { BT_WATER_STATES = BT_WATER_MERGED + 1 };

typedef struct bt_water {
  int atom; /* of the ligand, from 0 */
  bt_water_state state;
  int into;        /* atom of the water that a merged one belongs to; otherwise its own */
  double energy;   /* of the W map at x, kcal/mol */
  double distance; /* from x to the nearest heavy atom, Angstrom; NaN: none within 5 */
  double x[3];     /* Angstrom; of merged waters their mean */
} bt_water;

typedef struct bt_water_list {
  bt_water *items; /* in the order of the ligand's atoms */
  size_t count, capacity;
} bt_water_list;

/* The heavy atoms of a receptor, before any pose. NULL molecule: there are none, the map alone judges. */
typedef struct bt_water_site {
  bt_cells *opt_cells;
} bt_water_site;

bt_status bt_water_site_create(const bt_molecule *opt_receptor, bt_water_site *ret_site,
                               bt_error *opt_error) BT_MUST_USE;
void bt_water_site_destroy(bt_water_site *site);

/* Judges the waters of one pose, xyz[3 n_atoms] as in bt_run, Angstrom; list starts empty, and stays so where the
 * ligand has no waters or the maps have none of W. */
bt_status bt_waters_judge(const bt_water_site *site, const bt_ligand *ligand, const bt_maps *maps, const double *xyz,
                          bt_water_list *list, bt_error *opt_error) BT_MUST_USE;
void bt_water_list_clear(bt_water_list *list);

/* "strong", "weak", "displaced", "merged". */
const char *bt_water_name(bt_water_state state);
bool bt_water_find(const char *name, bt_water_state *ret_state);
/* Is there a water at x? */
static inline bool bt_water_stays(const bt_water *water) { return water->state <= BT_WATER_WEAK; }
int bt_waters_count(const bt_water_list *list, bt_water_state state);
/* "2 strong, 1 weak, 3 displaced"; merged waters count once. */
void bt_waters_add_count(bt_text *text, const bt_water_list *list);
/* One line per water, after the prefix: "water 12 W2 strong energy -0.913 distance 2.81". */
void bt_waters_add_lines(bt_text *text, const char *prefix, const bt_ligand *ligand, const bt_water_list *list);
/* "waters": a list of objects. */
void bt_waters_add_json(bt_json *json, const bt_ligand *ligand, const bt_water_list *list);

#endif
