/* properties.h - named values that a table or the data items of an SDF record state about a ligand, such as its price.
 *
 * They are one text, a line "name TAB value LF" for each, in the order of their file. Names and values have no control
 * characters: a value of several lines becomes one. Empty values are not there.
 */
#ifndef BERTH_FORMATS_PROPERTIES_H
#define BERTH_FORMATS_PROPERTIES_H

#include "base/text/text.h"

/* Is the name in a list such as "price,id", in any case? "all" stands for every name. */
bool bt_properties_want(const char *list, bt_span name);
/* Nothing is added where name or value is empty. */
void bt_properties_add(bt_text *properties, bt_span name, bt_span value);
/* Adds the data items of an SDF record that the list names, but not opt_except. */
void bt_properties_of_sdf(bt_span record, const char *list, const char *opt_except, bt_text *properties);
/* Moves *at to the next one; false at the end. */
bool bt_properties_next(const char **at, bt_span *ret_name, bt_span *ret_value);
/* Adds those of the others that the list names; NULL: all. */
void bt_properties_select(const char *others, const char *opt_list, bt_text *properties);
/* True if the text is as described above. */
bool bt_properties_check(const char *properties);

#endif
