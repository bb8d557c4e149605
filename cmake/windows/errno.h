/* errno.h - with quotas, which are never exceeded. */
#include_next <errno.h>
#ifndef EDQUOT
#define EDQUOT 10069
#endif
