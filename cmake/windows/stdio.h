/* stdio.h - with what MinGW-w64 lacks. */
#include_next <stdio.h>
#ifndef BERTH_WINDOWS_STDIO_H
#define BERTH_WINDOWS_STDIO_H

FILE *open_memstream(char **ret_text, size_t *ret_size); /* fails */

#endif
