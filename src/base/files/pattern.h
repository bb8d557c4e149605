/* pattern.h - files that match a glob pattern (* ? [), as in a shell. */
#ifndef BERTH_BASE_FILES_PATTERN_H
#define BERTH_BASE_FILES_PATTERN_H

#include <glob.h>

/* As glob(3) without flags; GLOB_NOSPACE without memory. A folder whose own name contains such characters is taken
 * literally: set[1]/a*.sdf finds the files of set[1] where there is a folder of that name. Free with globfree. */
int bt_pattern_find(const char *pattern, glob_t *ret_found);

#endif
