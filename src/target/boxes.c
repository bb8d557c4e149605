/* boxes.c - boxes from words, around pockets, and whether they are where the receptor is. */
#include "target/boxes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "target/receptor.h"

/* ---- 1. words ---- */

/* "x,y,z:a,b,c" */
static bool read_numbers(const char *word, double center[3], double size[3]) {
  char end;
  return sscanf(word, "%lf,%lf,%lf:%lf,%lf,%lf%c", &center[0], &center[1], &center[2], &size[0], &size[1], &size[2],
                &end) == 6;
}

static bt_status around(const bt_box_request *request, const char *word, double padding, double spacing, bt_box *box,
                        bt_text *residues, bt_error *opt_error) {
  double low[3], high[3];
  bt_place place;
  if (request->opt_structure == NULL && strpbrk(word, "./") == NULL && access(word, F_OK) != 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0},
                   "name the file of a residue, as in entry.pdb:LIG, or use a .pdb or .cif file as receptor",
                   "the box: there is no file '%.200s'", word);
  BT_TRY(bt_place_find(word, request->opt_structure, &place, opt_error));
  bt_status status = bt_place_extent(&place, request->model, low, high, opt_error);
  if (status == BT_OK && place.opt_residues != NULL && request->opt_structure != NULL &&
      strcmp(place.path, request->opt_structure) == 0)
    bt_text_printf(residues, "%s%s", residues->size > 0 ? "," : "", place.opt_residues);
  bt_place_clear(&place);
  BT_TRY(status);
  return bt_box_around(low, high, request->opt_size, padding, spacing, box, opt_error);
}

bt_status bt_boxes_find(const bt_box_request *request, bt_box **ret_boxes, int *ret_count, char **ret_residues,
                        bt_error *opt_error) {
  double padding = request->padding > 0 ? request->padding : BT_BOX_PADDING;
  double spacing = request->spacing > 0 ? request->spacing : BT_BOX_SPACING;
  bt_box *boxes = NULL;
  size_t capacity = 0;
  int count = 0;
  BT_ENDED_BY(bt_text_destroy) bt_text residues = {0};
  BT_SCOPED char *words = strdup(request->words);
  bt_status status = words != NULL ? BT_OK : bt_fail_memory(opt_error);
  char *rest = words;
  for (char *word; status == BT_OK && (word = strsep(&rest, ";")) != NULL;) {
    double center[3], size[3];
    bt_box box;
    status = read_numbers(word, center, size)
               ? bt_box_at(center, size, spacing, &box, opt_error)
               : around(request, word, padding, spacing, &box, &residues, opt_error);
    if (status == BT_OK && !BT_APPEND(boxes, count, &capacity, box)) status = bt_fail_memory(opt_error);
  }
  *ret_residues = NULL;
  if (status == BT_OK && residues.size == 0) bt_text_printf(&residues, "%s", "");
  if (status == BT_OK) status = bt_text_take(&residues, ret_residues, opt_error);
  if (status != BT_OK) free(boxes);
  *ret_boxes = status == BT_OK ? boxes : NULL;
  *ret_count = status == BT_OK ? count : 0;
  return status;
}

/* ---- 2. places of boxes ---- */

static void corners(const bt_box *box, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) {
    double half = 0.5 * box->npts[k] * box->spacing;
    low[k] = box->center[k] - half;
    high[k] = box->center[k] + half;
  }
}

void bt_boxes_tell(const bt_box *boxes, int count, bt_receptor_options *prepare) {
  double all[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int i = 0; i < count; i++) {
    double low[3], high[3];
    corners(&boxes[i], low, high);
    for (int k = 0; k < 3; k++) {
      all[0][k] = fmin(all[0][k], low[k]);
      all[1][k] = fmax(all[1][k], high[k]);
    }
  }
  for (int k = 0; count > 0 && k < 3; k++) {
    prepare->box_center[k] = 0.5 * (all[0][k] + all[1][k]);
    prepare->box_size[k] = all[1][k] - all[0][k];
  }
}

bt_status bt_box_check_in(const bt_box *box, const bt_receptor *receptor, bt_error *opt_error) {
  const double reach = 8.0; /* Angstrom; of the maps of AutoGrid and Vina */
  BT_TRY(bt_box_check(box, opt_error));
  double distance = receptor->rigid != NULL ? bt_box_distance(box, receptor->rigid) : 0.0;
  if (distance <= reach) return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = receptor->path},
                 "check --center, or place the box with --autobox",
                 "no receptor atom is within %g Angstrom of the box around (%.3f, %.3f, %.3f); the nearest one is %.1f "
                 "Angstrom away",
                 reach, box->center[0], box->center[1], box->center[2], distance);
}

/* ---- 3. pockets ---- */

bt_box bt_box_of_pocket(const bt_pocket *pocket, double longest, double spacing) {
  const double room = 8.0;      /* Angstrom, both margins together around a ligand or pocket that fills the box */
  const double bent = 0.75;     /* length of a docked ligand as a fraction of the diagonal of its input */
  const double smallest = 18.0; /* Angstrom, edge of a box */
  double middle[3], edges[3];
  for (int k = 0; k < 3; k++) {
    double needed = fmax(bent * longest + room, smallest);
    double from = fmin(pocket->low[k] - 0.5 * room, pocket->center[k] - 0.5 * needed);
    double to = fmax(pocket->high[k] + 0.5 * room, pocket->center[k] + 0.5 * needed);
    middle[k] = 0.5 * (from + to);
    edges[k] = to - from;
  }
  return bt_box_from_size(middle, edges, spacing);
}
