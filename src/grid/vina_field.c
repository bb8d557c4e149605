/* vina_field.c - tabulated exact sums over the receptor. */
#include "grid/vina_field.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS_PER_ANGSTROM = 256, LAST = (int)BT_VINA_CUTOFF * STEPS_PER_ANGSTROM };

void bt_vina_field_destroy(bt_vina_field *opt_field) {
  if (opt_field == NULL) return;
  bt_arena_destroy(&opt_field->arena);
  free(opt_field);
}

bt_status bt_vina_field_add(bt_vina_field *field, const bt_vina_class *moving, bt_error *opt_error) {
  const bt_vina_law *law = field->receptor->law;
  for (int c = 0; c < BT_VINA_CLASSES; c++) {
    float(**table)[2] = &field->tables[moving->index][c];
    if (!field->receptor->occurs[c] || *table != NULL) continue;
    if (BT_NEW(&field->arena, *table, LAST + 1) == NULL) return bt_fail_memory(opt_error);
    bt_vina_pair pair = bt_vina_pair_of(law, moving, &bt_vina_classes()[c]);
    for (int k = 0; k <= LAST; k++) { /* the last one just below the cut-off, where the energy jumps to zero */
      double slope, r = fmin((double)k / STEPS_PER_ANGSTROM, BT_VINA_CUTOFF - 1e-9);
      (*table)[k][0] = (float)bt_vina_pair_energy(law, &pair, r, &slope);
      (*table)[k][1] = (float)slope;
    }
  }
  return BT_OK;
}

bt_status bt_vina_field_create(const bt_vina_receptor *receptor, bt_vina_field **ret_field, bt_error *opt_error) {
  *ret_field = bt_allocate(1, sizeof **ret_field);
  if (*ret_field == NULL) return bt_fail_memory(opt_error);
  (*ret_field)->receptor = receptor;
  return BT_OK;
}

double bt_vina_field_sum(const bt_vina_field *field, const bt_vina_class *class, const double point[3],
                         double gradient[3]) {
  const bt_vina_receptor *receptor = field->receptor;
  int from[3], to[3];
  double energy = 0;
  bt_vina_receptor_near(receptor, point, from, to);
  for (int z = from[2]; z < to[2]; z++)
    for (int y = from[1]; y < to[1]; y++) {
      int row = receptor->bricks[0] * (y + receptor->bricks[1] * z); /* its atoms follow each other */
      for (int a = receptor->first[row + from[0]]; from[0] < to[0] && a < receptor->first[row + to[0]]; a++) {
        const bt_vina_atom *atom = &receptor->atoms[a];
        double d[3] = {point[0] - atom->x[0], point[1] - atom->x[1], point[2] - atom->x[2]};
        double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (r2 >= BT_VINA_CUTOFF * BT_VINA_CUTOFF) continue;
        double r = sqrt(r2), at = r * STEPS_PER_ANGSTROM;
        int k = (int)at;
        const float(*row_of)[2] = (const float(*)[2])field->tables[class->index][atom->class_index] + k;
        double f = at - k, slope = (double)row_of[0][1] + f * (double)(row_of[1][1] - row_of[0][1]);
        energy += (double)row_of[0][0] + f * (double)(row_of[1][0] - row_of[0][0]);
        slope = r > 0 ? slope / r : 0;
        for (int c = 0; c < 3; c++) gradient[c] += slope * d[c];
      }
    }
  return energy;
}
