/* chain.h - ligands of any size for tests: a chain of atoms with a torsion at each of them but the first and the last. */
#ifndef BERTH_TESTS_UNIT_CHAIN_H
#define BERTH_TESTS_UNIT_CHAIN_H

#include "unit/support.h"

static inline void chain_write(const char *path, int atoms, const char *type) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  for (int a = 0; a < atoms; a++) {
    if (a == 0) fputs("ROOT\n", file);
    if (a >= 3) fprintf(file, "BRANCH %d %d\n", a, a + 1);
    fprintf(file, "ATOM  %5d  C   LIG A   1    %8.3f%8.3f%8.3f  1.00  0.00    %+6.3f %-2s\n", a + 1, 1.3 * a,
            a % 2 ? 0.8 : 0.0, a % 3 ? 0.0 : 0.4, 0.05 * (a % 3 - 1), type);
    if (a == 2 || (a < 2 && a == atoms - 1)) fputs("ENDROOT\n", file);
  }
  for (int a = atoms - 1; a >= 3; a--) fprintf(file, "ENDBRANCH %d %d\n", a, a + 1);
  fprintf(file, "TORSDOF %d\n", atoms > 3 ? atoms - 3 : 0);
  assert_int_equal(fclose(file), 0);
}

#endif
