/* networks.c - see networks.h. */
#include "store/networks.h"

#include <string.h>

typedef struct entry {
  bt_span name, hash;
} entry;

/* The next entry of a list, which is taken off it. Names may contain colons, hashes do not. */
static bool next_entry(const char **list, entry *ret_entry) {
  size_t size = strcspn(*list, ","), at = size;
  if (size == 0) return false;
  while (at > 0 && (*list)[at - 1] != ':') at--;
  *ret_entry = (entry){.name = {*list, at > 0 ? at - 1 : size}, .hash = {*list + at, at > 0 ? size - at : 0}};
  *list += size + ((*list)[size] == ',');
  return true;
}

static bool same(bt_span a, bt_span b) { return a.size == b.size && memcmp(a.text, b.text, a.size) == 0; }

static bt_span hash_in(const char *list, bt_span name) {
  entry of;
  while (next_entry(&list, &of))
    if (same(of.name, name)) return of.hash;
  return bt_span_from("none");
}

bool bt_networks_differ(const char *known, const char *other, bt_network_difference *ret_difference) {
  entry of;
  for (const char *rest = known; next_entry(&rest, &of);) {
    bt_span there = hash_in(other, of.name);
    *ret_difference = (bt_network_difference){.name = of.name, .known = of.hash, .other = there};
    if (!same(of.hash, there)) return true;
  }
  for (const char *rest = other; next_entry(&rest, &of);) {
    *ret_difference = (bt_network_difference){of.name, hash_in(known, of.name), of.hash};
    if (!same(of.hash, ret_difference->known)) return true;
  }
  return false;
}
