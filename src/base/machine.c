/* machine.c - see machine.h. */
#include "base/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static double least(double a, double b) { return a <= 0 || (b > 0 && b < a) ? b : a; }

/* The number in a cgroup file; 0 for `max` and for a missing file. */
static double limit_in(const char *path) {
  char line[64];
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  double limit = fgets(line, sizeof line, file) != NULL ? strtod(line, NULL) : 0;
  fclose(file);
  return limit;
}

/* The lowest limit of this process's cgroup and its ancestors. */
static double group_limit(void) {
  char line[1024], path[1200];
  double limit = least(limit_in("/sys/fs/cgroup/memory.max"), limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  FILE *file = fopen("/proc/self/cgroup", "r");
  if (file == NULL) return limit;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "0::/", 4) != 0) continue;
    line[strcspn(line, "\n")] = '\0';
    for (char *end; (end = strrchr(line + 3, '/')) != NULL; *end = '\0') {
      snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", line + 3);
      limit = least(limit, limit_in(path));
    }
  }
  fclose(file);
  return limit;
}

double bt_machine_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  double memory = least(pages > 0 && page > 0 ? (double)pages * (double)page : 0, group_limit());
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    memory = least(memory, (double)limit.rlim_cur);
  return memory;
}
