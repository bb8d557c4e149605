/* build.c - where a program came from: commit, compiler and flags stand beside every benchmark. */
#include <berth/berth.h>

#include "build_commit.h"

const char *bt_build_commit(void) { return BT_BUILD_COMMIT; }

const char *bt_build_compiler(void) {
#if defined(__clang__)
  return "Clang " __clang_version__ ", " BT_BUILD_FLAGS;
#else
  return "GCC " __VERSION__ ", " BT_BUILD_FLAGS;
#endif
}
