/* autostop.h - kernel/lga/autostop.h on the host, for back ends that do not test themselves. */
#ifndef BERTH_ENGINE_LGA_SEARCH_AUTOSTOP_H
#define BERTH_ENGINE_LGA_SEARCH_AUTOSTOP_H

#include <berth/types.h>

typedef struct bt_autostop bt_autostop;

bt_status bt_autostop_create(double tolerance, int population, bt_autostop **ret_autostop, bt_error *opt_error)
    BT_MUST_USE;
void bt_autostop_destroy(bt_autostop *autostop);
/* One test on the energies of all runs; true when the search has converged. */
bool bt_autostop_test(bt_autostop *autostop, const float *energies, int count);

#endif
