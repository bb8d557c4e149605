/* autostop.c - see autostop.h. */
#include "engine/lga/search/autostop.h"

#include <stdlib.h>

#include "base/status.h"

#define BT_FUNCTION static
#define BT_GLOBAL
#include "kernel/lga/autostop.h"

struct bt_autostop {
  bt_autostop_state state;
  bt_autostop_bin bins[]; /* [population] */
};

bt_status bt_autostop_create(double tolerance, int population, bt_autostop **ret_autostop, bt_error *opt_error) {
  bt_autostop *autostop = calloc(1, sizeof *autostop + (size_t)population * sizeof *autostop->bins);
  if (autostop == NULL) return bt_fail_memory(opt_error);
  bt_autostop_begin(&autostop->state, (float)tolerance, population);
  *ret_autostop = autostop;
  return BT_OK;
}

void bt_autostop_destroy(bt_autostop *autostop) { free(autostop); }

bool bt_autostop_test(bt_autostop *autostop, const float *energies, int count) {
  bt_autostop_state *state = &autostop->state;
  state->lowest = bt_autostop_lowest(energies, 0, count, 1);
  for (int pass = bt_autostop_passes(state); pass > 0; pass--) {
    for (int k = 0; k < state->bins; k++) autostop->bins[k] = bt_autostop_gather(state, energies, count, k);
    bt_autostop_pass(state, autostop->bins);
  }
  bt_autostop_judge(state);
  return state->converged;
}
