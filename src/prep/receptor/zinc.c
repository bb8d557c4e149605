/* zinc.c - stub. */
#include "prep/receptor/receptor.h"

bt_status bt_prep_zinc(bt_prep *prep) {
  (void)prep;
  return BT_OK;
}
