/* optimise.c - stub. */
#include "prep/receptor/receptor.h"

bt_status bt_prep_optimise(bt_prep *prep) {
  (void)prep;
  return BT_OK;
}
