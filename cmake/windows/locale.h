/* locale.h - a program's locale is C, since nothing in Berth sets another. */
#include_next <locale.h>
#ifndef LC_ALL_MASK
#define LC_NUMERIC_MASK 1
#define LC_ALL_MASK 2
typedef _locale_t locale_t;
#define strtod_l _strtod_l
#define newlocale(parts, name, base) _create_locale(LC_ALL, name)
#define freelocale _free_locale
#define uselocale(locale) (locale)
#endif
