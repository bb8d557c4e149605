/* keywords.h - what .gpf and .dpf have in common: one keyword per line, followed by its arguments; '#' starts a
 * comment. */
#ifndef BERTH_FORMATS_AUTODOCK_KEYWORDS_H
#define BERTH_FORMATS_AUTODOCK_KEYWORDS_H

#include "base/text/text.h"

typedef struct bt_keyword_line {
  bt_where where;    /* file and line, for messages */
  bt_span keyword;   /* empty on a line that holds only a comment */
  bt_span arguments; /* without the comment */
  bt_span comment;   /* behind the '#' */
} bt_keyword_line;

/* Calls parse for every line that is not blank; a binary file is refused with the remedy. */
typedef bt_status (*bt_keyword_fn)(void *user, bt_keyword_line *line);
bt_status bt_keyword_each(const char *label, const char *data, size_t size, const char *remedy, bt_keyword_fn parse,
                          void *user, bt_error *opt_error) BT_MUST_USE;
/* The error for an unknown keyword; file: "a grid parameter file". */
bt_status bt_keyword_unknown(const bt_keyword_line *line, const char *file, bt_error *opt_error);

/* Cut the next argument off; what names it in the message, as in "gridcenter needs x". */
bt_status bt_keyword_word(bt_keyword_line *line, const char *what, bt_span *ret_word, bt_error *opt_error) BT_MUST_USE;
/* The name of a file; names owns it. */
bt_status bt_keyword_file(bt_keyword_line *line, bt_text_list *names, const char **ret_name,
                          bt_error *opt_error) BT_MUST_USE;
bt_status bt_keyword_double(bt_keyword_line *line, const char *what, double low, double high, double *ret_value,
                            bt_error *opt_error) BT_MUST_USE;
bt_status bt_keyword_int(bt_keyword_line *line, const char *what, int64_t low, int64_t high, int64_t *ret_value,
                         bt_error *opt_error) BT_MUST_USE;
/* An atom type of 1 to 7 characters. */
bt_status bt_keyword_type(bt_keyword_line *line, char ret_type[8], bt_error *opt_error) BT_MUST_USE;
/* All remaining arguments, at least one; replaces the content of the list. */
bt_status bt_keyword_types(bt_keyword_line *line, bt_text_list *list, bt_error *opt_error) BT_MUST_USE;

#endif
