/* receptor.h - HIV-1 protease, for the tests of sums over a receptor. */
#ifndef BERTH_TESTS_UNIT_GRID_VINA_RECEPTOR_H
#define BERTH_TESTS_UNIT_GRID_VINA_RECEPTOR_H

#include <berth/berth.h>

#include "unit/support.h"

static bt_molecule **list; /* its first is the receptor */
static int count;

static int open_receptor(void **state) {
  (void)state;
  bt_error error;
  return bt_molecule_read(BERTH_SOURCE_DIR "/examples/1hpv/receptor.pdbqt", BT_MOLECULE_RECEPTOR, &list, &count,
                          &error);
}

static int close_receptor(void **state) {
  (void)state;
  bt_molecule_list_destroy(list, count);
  return 0;
}

#endif
