/* string.h - with what MinGW-w64 lacks. */
#include_next <string.h>
#ifndef BERTH_WINDOWS_STRING_H
#define BERTH_WINDOWS_STRING_H

char *strndup(const char *text, size_t most);
char *stpcpy(char *to, const char *from);
char *strsep(char **text, const char *ends);
void *memmem(const void *data, size_t size, const void *part, size_t length);

#endif
