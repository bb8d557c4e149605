/* filter.c - conditions on properties, and catalogs of unwanted patterns. */
#include "prep/ligand/filter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"

static const struct {
  const char *name;
  bt_property property;
} properties[] = {{"weight", BT_PROPERTY_WEIGHT}, {"heavy", BT_PROPERTY_HEAVY},         {"rotors", BT_PROPERTY_ROTORS},
                  {"charge", BT_PROPERTY_CHARGE}, {"logp", BT_PROPERTY_LOGP},           {"tpsa", BT_PROPERTY_TPSA},
                  {"donors", BT_PROPERTY_DONORS}, {"acceptors", BT_PROPERTY_ACCEPTORS}, {"rings", BT_PROPERTY_RINGS}};
static const char *const signs[] = {"<=", ">=", "<", ">", "="}; /* longer ones first */
static const char *const catalogs[] = {[BT_ALERTS_PAINS] = "pains", [BT_ALERTS_BRENK] = "brenk"};
static const char unique[] = "unique";

typedef struct condition {
  const char *name, *sign;
  bt_property property;
  double limit;
  bt_alerts *opt_alerts; /* then it is a catalog */
} condition;

struct bt_filter {
  condition *conditions;
  size_t count, room;
};

static bt_status fail_condition(bt_span word, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0},
                 "use conditions such as weight<=500,heavy>=10,rotors<=10,charge=0,logp<5,tpsa<140,donors<=5,"
                 "acceptors<=10,rings>=1, and pains, brenk, unique",
                 "filter: '%.*s' is no condition", (int)word.size, word.text);
}

static bool parse_comparison(bt_span word, condition *ret_condition) {
  for (size_t p = 0; p < sizeof properties / sizeof *properties; p++) {
    size_t length = strlen(properties[p].name);
    if (word.size <= length || strncmp(word.text, properties[p].name, length) != 0) continue;
    bt_span rest = bt_span_trim((bt_span){word.text + length, word.size - length});
    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++) {
      if (!bt_span_starts(rest, signs[s])) continue;
      size_t used = strlen(signs[s]);
      *ret_condition = (condition){.name = properties[p].name, .sign = signs[s], .property = properties[p].property};
      return bt_parse_double(bt_span_trim((bt_span){rest.text + used, rest.size - used}), &ret_condition->limit) &&
             isfinite(ret_condition->limit);
    }
  }
  return false;
}

static bt_status parse(bt_filter *filter, bt_span word, bt_error *opt_error) {
  condition c = {0};
  if (bt_span_equals(word, unique)) return BT_OK;
  for (size_t k = 0; k < sizeof catalogs / sizeof *catalogs; k++)
    if (bt_span_equals(word, catalogs[k])) {
      c.name = catalogs[k];
      BT_TRY(bt_alerts_create((bt_alert_kind)k, &c.opt_alerts, opt_error));
    }
  if (c.opt_alerts == NULL && !parse_comparison(word, &c)) return fail_condition(word, opt_error);
  if (BT_APPEND(filter->conditions, filter->count, &filter->room, c)) return BT_OK;
  bt_alerts_destroy(c.opt_alerts);
  return bt_fail_memory(opt_error);
}

/* The next word of a list with commas between. */
static bool next_word(bt_span *rest, bt_span *ret_word) {
  if (rest->text == NULL) return false;
  const char *comma = memchr(rest->text, ',', rest->size);
  size_t size = comma != NULL ? (size_t)(comma - rest->text) : rest->size;
  *ret_word = bt_span_trim((bt_span){rest->text, size});
  *rest = comma != NULL ? (bt_span){comma + 1, rest->size - size - 1} : (bt_span){0};
  return true;
}

bt_status bt_filter_create(const char *text, bt_filter **ret_filter, bt_error *opt_error) {
  bt_filter *filter = bt_allocate(1, sizeof *filter);
  if (filter == NULL) return bt_fail_memory(opt_error);
  bt_span rest = bt_span_from(text), word;
  bt_status status = BT_OK;
  while (status == BT_OK && next_word(&rest, &word)) status = parse(filter, word, opt_error);
  return BT_HAND_OVER(status, filter, ret_filter, bt_filter_destroy);
}

void bt_filter_destroy(bt_filter *opt_filter) {
  if (opt_filter == NULL) return;
  for (size_t i = 0; i < opt_filter->count; i++) bt_alerts_destroy(opt_filter->conditions[i].opt_alerts);
  free(opt_filter->conditions);
  free(opt_filter);
}

bool bt_filter_is_unique(const char *opt_text) {
  bt_span rest = opt_text != NULL ? bt_span_from(opt_text) : (bt_span){0}, word;
  bool found = false;
  while (next_word(&rest, &word)) found = found || bt_span_equals(word, unique);
  return found;
}

static bool is_met(const condition *c, double value) {
  bool equal = fabs(value - c->limit) < 1e-9;
  if (c->sign[0] == '=') return equal;
  if (equal) return c->sign[1] == '=';
  return (value < c->limit) == (c->sign[0] == '<');
}

bt_status bt_filter_check(const bt_filter *filter, const bt_rdmol *mol, bt_where where, bt_error *opt_error) {
  for (size_t i = 0; i < filter->count; i++) {
    const condition *c = &filter->conditions[i];
    BT_SCOPED char *alert = NULL;
    double value = 0;
    if (c->opt_alerts != NULL) {
      BT_TRY(bt_alerts_match(c->opt_alerts, mol, where, &alert, opt_error));
      if (alert != NULL) return bt_fail(opt_error, BT_ERR_FILTERED, where, "", "%s pattern %.200s", c->name, alert);
      continue;
    }
    BT_TRY(bt_rdmol_property(mol, c->property, where, &value, opt_error));
    if (!is_met(c, value))
      return bt_fail(opt_error, BT_ERR_FILTERED, where, "", "%s is %.4g, not %s %g", c->name, value, c->sign, c->limit);
  }
  return BT_OK;
}
