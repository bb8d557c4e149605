/* io_names.h - io.h without names that Berth's own functions have where POSIX has none. */
#define tell windows_tell
#include <io.h>
#undef tell
