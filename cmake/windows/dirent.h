/* dirent.h - with scandir. */
#include "io_names.h"
#include_next <dirent.h>
#ifndef BERTH_WINDOWS_DIRENT_H
#define BERTH_WINDOWS_DIRENT_H

int scandir(const char *folder, struct dirent ***ret_names, int (*opt_takes)(const struct dirent *),
            int (*opt_compare)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **a, const struct dirent **b);
int dirfd(DIR *folder); /* there is none: -1 */

#endif
