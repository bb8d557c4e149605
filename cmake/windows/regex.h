/* regex.h - there are no POSIX patterns on Windows: all are refused. */
#ifndef BERTH_WINDOWS_REGEX_H
#define BERTH_WINDOWS_REGEX_H

#include <stddef.h>

enum { REG_EXTENDED = 1, REG_NOSUB = 2 };
typedef struct regex_t {
  int unused;
} regex_t;
typedef struct regmatch_t {
  int rm_so, rm_eo;
} regmatch_t;
int regcomp(regex_t *pattern, const char *text, int flags);
int regexec(const regex_t *pattern, const char *text, size_t count, regmatch_t matches[], int flags);
size_t regerror(int code, const regex_t *pattern, char *text, size_t size);
void regfree(regex_t *pattern);

#endif
