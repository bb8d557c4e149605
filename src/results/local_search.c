/* local_search.c - names of the local searches, as options and results have them. */
#include <assert.h>
#include <berth/search.h>

/* All of them, in the order of bt_local_search. */
#define LOCAL_SEARCHES(X) \
  X(BT_LS_NONE, "none") X(BT_LS_SOLIS_WETS, "solis-wets") X(BT_LS_ADADELTA, "adadelta") X(BT_LS_ADAM, "adam")

#define ROW(constant, name) [constant] = name,
#define CHOICE(constant, name) "|" name

static const char *const names[] = {LOCAL_SEARCHES(ROW)};

static_assert(sizeof names / sizeof *names == BT_LS_ADAM + 1, "one name per method");

static const char choices[] = LOCAL_SEARCHES(CHOICE);

const char *bt_local_search_name(bt_local_search method) { return names[method]; }
const char *bt_local_search_choices(void) { return choices + 1; }
