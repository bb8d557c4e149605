/* reductions.c - names of the ways in which a team adds up: bt_reduction, and those of studies.h behind it. */
#include <berth/score.h>

#include "engine/lga/studies.h"

#define NAMES(X)                                                                                      \
  X(BT_REDUCTION_AUTO, "auto") X(BT_REDUCTION_SIMT, "simt") X(BT_REDUCTION_TENSOR_FP16, "tensor-fp16") \
  X(BT_REDUCTION_TENSOR_EC, "tensor-ec") X(BT_REDUCTION_SEQUENTIAL, "sequential")                      \
  X(BT_REDUCTION_TWO_STEP_FP16, "two-step-fp16") X(BT_REDUCTION_TWO_STEP_EC, "two-step-ec")

#define NAME(reduction, name) [reduction] = name,
static const char *const names[] = {NAMES(NAME)};
#undef NAME

const char *bt_reduction_name(int reduction) {
  return reduction >= 0 && reduction < (int)(sizeof names / sizeof *names) ? names[reduction] : NULL;
}

#define JOINED(reduction, name) "|" name
const char *bt_reduction_choices(void) { return &(NAMES(JOINED))[1]; }
#undef JOINED
