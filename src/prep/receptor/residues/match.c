/* match.c - atoms under other names than a component's: matched by elements and bonds.
 *
 * A depth-first search maps atom after atom of the residue onto the template, in an order in which each is bonded
 * to an earlier one. Of all mappings with equal bonds the first is used; where the file lacks atoms, the
 * template may have more.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "chem/element.h"
#include "prep/receptor/residues/perceive.h"

enum { MOST_STEPS = 2000000 };

typedef struct match_search {
  const bt_receptor_residue *residue;
  const bt_template *template;
  int n;       /* atoms of the residue */
  bool *bonds; /* [n * n] */
  int *order;  /* [n] atoms, each behind one that it is bonded to */
  int *of;     /* [n] atom of the template; -1 */
  bool *used;  /* [template->n_atoms] */
  bool exact;  /* no atom is missing, so degrees are equal */
  long steps;
} match_search;

static bool in_template(const bt_template *t, int a, int b) {
  for (int k = 0; k < t->atoms[a].n_bonds; k++)
    if (t->atoms[a].bonds[k] == b) return true;
  return false;
}

static int degree_in_template(const bt_template *t, int a) {
  int count = 0;
  for (int k = 0; k < t->atoms[a].n_bonds; k++) count += t->atoms[t->atoms[a].bonds[k]].element != 1;
  return count;
}

static int degree(const match_search *s, int a) {
  int count = 0;
  for (int b = 0; b < s->n; b++) count += s->bonds[a * s->n + b];
  return count;
}

static bool fits(const match_search *s, int a, int k) {
  const bt_template *t = s->template;
  if (s->used[k] || t->atoms[k].element != s->residue->atoms[a].element) return false;
  int have = degree(s, a), wanted = degree_in_template(t, k);
  if (s->exact ? have != wanted : have > wanted) return false;
  for (int b = 0; b < s->n; b++)
    if (s->of[b] >= 0 && s->bonds[a * s->n + b] != in_template(t, k, s->of[b])) return false;
  return true;
}

static bool lay(match_search *s, int depth) {
  if (depth == s->n) return true;
  int a = s->order[depth];
  for (int k = 0; k < s->template->n_atoms; k++) {
    if (++s->steps > MOST_STEPS) return false;
    if (!fits(s, a, k)) continue;
    s->of[a] = k;
    s->used[k] = true;
    if (lay(s, depth + 1)) return true;
    s->of[a] = -1;
    s->used[k] = false;
  }
  return false;
}

static void find_bonds(match_search *s) {
  const bt_receptor_residue *r = s->residue;
  for (int a = 0; a < s->n; a++)
    for (int b = 0; b < s->n; b++) {
      int e = r->atoms[a].element, f = r->atoms[b].element;
      if (a == b || bt_element_is_metal(e) || bt_element_is_metal(f)) continue; /* templates do not bind metals */
      s->bonds[a * s->n + b] =
          bt_v3_distance(r->atoms[a].x, r->atoms[b].x) < bt_element_radius(e) + bt_element_radius(f) + 0.4;
    }
}

static void find_order(match_search *s) {
  int count = 0;
  for (int start = 0; start < s->n; start++) {
    bool seen = false;
    for (int k = 0; k < count; k++) seen = seen || s->order[k] == start;
    if (seen) continue;
    int at = count;
    s->order[count++] = start;
    for (; at < count; at++)
      for (int b = 0; b < s->n; b++) {
        bool there = !s->bonds[s->order[at] * s->n + b];
        for (int k = 0; k < count && !there; k++) there = s->order[k] == b;
        if (!there) s->order[count++] = b;
      }
  }
}

bt_status bt_receptor_match(bt_receptor_work *prep, int residue, const bt_template *t, bool *ret_done) {
  bt_receptor_residue *r = &prep->residues[residue];
  int wanted = 0;
  size_t n = (size_t)r->n_atoms;
  *ret_done = false;
  for (int k = 0; k < t->n_atoms; k++) wanted += t->atoms[k].element != 1;
  if (r->n_atoms > wanted || 5 * r->n_atoms < 4 * wanted || r->n_atoms < 3) return BT_OK;
  BT_SCOPED bool *bonds = bt_allocate(n * n, sizeof *bonds), *used = bt_allocate((size_t)t->n_atoms, sizeof *used);
  BT_SCOPED int *order = bt_allocate(n, sizeof *order), *of = bt_allocate(n, sizeof *of);
  if (bonds == NULL || used == NULL || order == NULL || of == NULL) return bt_fail_memory(prep->opt_error);
  match_search search = {.residue = r,
                         .template = t,
                         .n = r->n_atoms,
                         .bonds = bonds,
                         .order = order,
                         .of = of,
                         .used = used,
                         .exact = r->n_atoms == wanted};
  find_bonds(&search);
  find_order(&search);
  for (int a = 0; a < r->n_atoms; a++) of[a] = -1;
  *ret_done = lay(&search, 0);
  if (!*ret_done) return BT_OK;
  for (int a = 0; a < r->n_atoms; a++) memcpy(r->atoms[a].name, t->atoms[of[a]].name, sizeof r->atoms[a].name);
  bt_receptor_warn(prep, residue, "its atoms have other names than those of %s: matched by elements and bonds",
                   t->family);
  return BT_OK;
}
