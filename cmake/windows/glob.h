/* glob.h - names of files by a pattern, with * and ? in the last part of a path alone. */
#ifndef BERTH_WINDOWS_GLOB_H
#define BERTH_WINDOWS_GLOB_H

#include <stddef.h>

enum { GLOB_NOSPACE = 1, GLOB_ABORTED, GLOB_NOMATCH };
enum { GLOB_ERR = 1, GLOB_MARK = 2, GLOB_NOSORT = 4, GLOB_NOESCAPE = 8, GLOB_NOCHECK = 16, GLOB_BRACE = 0 };
typedef struct glob_t {
  size_t gl_pathc;
  char **gl_pathv;
} glob_t;
int glob(const char *pattern, int flags, int (*opt_on_error)(const char *, int), glob_t *ret_found);
void globfree(glob_t *found);

#endif
