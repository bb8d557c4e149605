/* keywords.h - what .gpf and .dpf have in common: one keyword per line, arguments behind it, '#' starts a comment. */
#ifndef BERTH_FORMATS_KEYWORDS_H
#define BERTH_FORMATS_KEYWORDS_H

#include "base/text.h"

typedef struct bt_keyword_line {
  bt_where where;    /* file and line, for messages */
  bt_span keyword;   /* empty on a line that holds only a comment */
  bt_span arguments; /* without the comment */
  bt_span comment;   /* behind the '#' */
} bt_keyword_line;

/* The next line that is not blank. */
bool bt_keyword_next(bt_lines *lines, const char *label, bt_keyword_line *ret_line);

/* Cut the next argument off; what names it in the message, as in "gridcenter needs x". */
bt_status bt_keyword_word(bt_keyword_line *line, const char *what, bt_span *ret_word, bt_error *opt_error) BT_MUST_USE;
bt_status bt_keyword_copy(bt_keyword_line *line, const char *what, char **text, bt_error *opt_error) BT_MUST_USE;
bt_status bt_keyword_double(bt_keyword_line *line, const char *what, double low, double high, double *ret_value,
                            bt_error *opt_error) BT_MUST_USE;
bt_status bt_keyword_int(bt_keyword_line *line, const char *what, int64_t low, int64_t high, int64_t *ret_value,
                         bt_error *opt_error) BT_MUST_USE;
/* An atom type of 1 to 7 characters. */
bt_status bt_keyword_type(bt_keyword_line *line, char ret_type[8], bt_error *opt_error) BT_MUST_USE;

/* A list of texts that owns them; starts as {0}. */
typedef struct bt_text_list {
  char **items;
  int count;
  size_t room;
} bt_text_list;

bt_status bt_text_list_add(bt_text_list *list, bt_span text, bt_error *opt_error) BT_MUST_USE;
bt_status bt_text_list_printf(bt_text_list *list, bt_error *opt_error, const char *format, ...)
    BT_PRINTF(3, 4) BT_MUST_USE;
void bt_text_list_destroy(bt_text_list *list);

#endif
