/* vina_sum.c - exact sums over the receptor in double precision, for the energies that are reported. */
#include <math.h>
#include <string.h>

#include "grid/vina/vina_cells.h"
#include "grid/vina/vina_receptor.h"

typedef struct sum {
  const bt_vina_receptor *receptor;
  const bt_vina_class *class;
  const double *point;
  bt_energy_form form;
  double *opt_gradient;
  const double *steps[BT_VINA_CLASSES]; /* by class of the receptor's atom; NULL: not looked up yet */
  double energy;
} sum;

static double staircase(sum *s, int class, double r2) {
  const bt_vina_receptor *receptor = s->receptor;
  if (s->steps[class] == NULL && receptor->opt_stairs != NULL)
    s->steps[class] = bt_vina_stairs_find(receptor->opt_stairs, s->class, &bt_vina_classes()[class]);
  return s->steps[class] != NULL ? bt_vina_stairs_at(s->steps[class], r2)
                                 : bt_vina_pair_staircase(receptor->law, &receptor->pairs[s->class->index][class], r2);
}

static void add(sum *s, const bt_vina_atom *atom) {
  double d[3], r2 = 0.0, slope;
  for (int k = 0; k < 3; k++) {
    d[k] = s->point[k] - atom->x[k];
    r2 += d[k] * d[k];
  }
  if (!(r2 < BT_VINA_CUTOFF * BT_VINA_CUTOFF)) return;
  if (s->form == BT_FORM_TABULATED) s->energy += staircase(s, atom->class_index, r2);
  if (s->form == BT_FORM_TABULATED && s->opt_gradient == NULL) return;
  const bt_vina_pair *pair = &s->receptor->pairs[s->class->index][atom->class_index];
  double r = sqrt(r2);
  double energy = bt_vina_pair_energy(s->receptor->law, pair, r, s->opt_gradient != NULL ? &slope : NULL);
  for (int k = 0; k < 3 && s->opt_gradient != NULL && r > 0.0; k++) s->opt_gradient[k] += slope / r * d[k];
  if (s->form != BT_FORM_TABULATED) s->energy += energy;
}

static void add_bricks(sum *s) {
  const bt_vina_receptor *receptor = s->receptor;
  int from[3], to[3];
  bt_vina_receptor_near(receptor, s->point, BT_VINA_CUTOFF, from, to);
  for (int z = from[2]; z < to[2] && from[0] < to[0]; z++)
    for (int y = from[1]; y < to[1]; y++) {
      int row = (z * receptor->bricks[1] + y) * receptor->bricks[0];
      for (int i = receptor->first[row + from[0]]; i < receptor->first[row + to[0]]; i++) add(s, &receptor->atoms[i]);
    }
}

/* Cells and bricks hold the same atoms within the cutoff in the same order. */
double bt_vina_receptor_sum(const bt_vina_receptor *receptor, const bt_vina_class *class, const double point[3],
                            bt_energy_form form, double *opt_gradient) {
  sum s = {.receptor = receptor, .class = class, .point = point, .form = form, .opt_gradient = opt_gradient};
  const bt_vina_cell *cell = receptor->opt_cells != NULL ? bt_vina_cells_at(receptor->opt_cells, point) : NULL;
  if (opt_gradient != NULL) memset(opt_gradient, 0, 3 * sizeof *opt_gradient);
  if (cell == NULL) add_bricks(&s);
  for (int k = 0; cell != NULL && k < cell->count; k++) add(&s, &receptor->atoms[cell->atoms[k]]);
  return s.energy;
}
