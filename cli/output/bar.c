/* bar.c - see bar.h. */
#include "output/bar.h"

#include <math.h>
#include <stdio.h>

enum { STARS = 51 };

void cli_bar_start(int *stars) {
  *stars = 0;
  printf(
      "0%%   10   20   30   40   50   60   70   80   90   100%%\n"
      "|----|----|----|----|----|----|----|----|----|----|\n");
  fflush(stdout);
}

void cli_bar_show(int *stars, double fraction) {
  int end = (int)(fmin(fmax(fraction, 0.0), 1.0) * STARS);
  if (end <= *stars) return;
  for (; *stars < end; ++*stars) putchar('*');
  if (*stars == STARS) putchar('\n');
  fflush(stdout);
}
