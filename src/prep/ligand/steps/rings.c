/* rings.c - which bonds are in rings, and the rings that a macrocycle search may open.
 *
 * A bond is in a ring unless it is a bridge of the graph. Rings of fewer than 7 atoms are never opened, nor are
 * aromatic bonds; a bond whose shortest ring is that small is in such a ring. Of the others the rings without chords
 * are listed that have 7 to 33 atoms and a bond to open.
 */
#include <string.h>

#include "base/memory.h"
#include "prep/ligand/steps/steps.h"

enum { SMALLEST_RING = 7, LARGEST_RING = 33, MOST_RINGS = 2000, MOST_STEPS = 2000000 };

typedef struct frame {
  int atom, via, next; /* bond it was reached by; next neighbor to look at */
} frame;

/* Tarjan's algorithm without recursion: low[i] is the earliest atom that can be reached from below i. */
static void walk_from(bt_prep *prep, int start, int *seen, int *low, frame *stack, int *clock) {
  int height = 0;
  stack[height++] = (frame){start, -1, prep->first[start]};
  seen[start] = low[start] = ++*clock;
  while (height > 0) {
    frame *top = &stack[height - 1];
    if (top->next < prep->first[top->atom + 1]) {
      int k = top->next++, j = prep->neighbor[k], bond = prep->via[k];
      if (bond == top->via || prep->bonds[bond].broken) continue;
      if (seen[j] == 0) {
        seen[j] = low[j] = ++*clock;
        stack[height++] = (frame){j, bond, prep->first[j]};
      } else if (seen[j] < low[top->atom]) {
        low[top->atom] = seen[j];
      }
    } else {
      frame done = *top;
      if (--height == 0) break;
      int below = stack[height - 1].atom;
      if (low[done.atom] < low[below]) low[below] = low[done.atom];
      prep->bonds[done.via].ring = low[done.atom] <= seen[below];
    }
  }
}

bt_status bt_prep_mark_rings(bt_prep *prep, bt_error *opt_error) {
  size_t n = (size_t)prep->n_real;
  int clock = 0;
  BT_SCOPED int *seen = bt_allocate(n, sizeof *seen), *low = bt_allocate(n, sizeof *low);
  BT_SCOPED frame *stack = bt_allocate(n + 1, sizeof *stack);
  if (seen == NULL || low == NULL || stack == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < prep->n_bonds; i++) prep->bonds[i].ring = !prep->bonds[i].broken; /* bonds that close a cycle */
  for (int i = 0; i < prep->n_real; i++)
    if (seen[i] == 0) walk_from(prep, i, seen, low, stack, &clock);
  return BT_OK;
}

/* Length of the shortest ring through a bond, if it is below limit; limit otherwise. distance[n_real] is all -1 before
 * and after; queue[n_real]. */
static int shortest_ring(const bt_prep *prep, int bond, int limit, int *distance, int *queue) {
  int from = prep->bonds[bond].a, to = prep->bonds[bond].b, count = 0, found = limit;
  queue[count++] = from;
  distance[from] = 0;
  for (int at = 0; at < count && distance[to] < 0; at++) {
    int i = queue[at];
    if (distance[i] + 2 >= limit) break;
    for (int k = prep->first[i]; k < prep->first[i + 1]; k++) {
      int j = prep->neighbor[k];
      if (prep->via[k] == bond || !prep->bonds[prep->via[k]].ring || distance[j] >= 0) continue;
      distance[j] = distance[i] + 1;
      queue[count++] = j;
    }
  }
  if (distance[to] >= 0) found = distance[to] + 1;
  for (int at = 0; at < count; at++) distance[queue[at]] = -1;
  return found;
}

typedef struct search {
  bt_prep *prep;
  size_t room;
  int first_bond; /* rings with an earlier bond to open are known */
  int path[LARGEST_RING], bonds[LARGEST_RING], length;
  int *touch; /* [n_real] how many atoms of the path but the last an atom is bonded to */
  long steps;
  bool too_many, failed;
} search;

static void keep_ring(search *s, int closing) {
  bt_prep *prep = s->prep;
  if (prep->n_rings >= MOST_RINGS) {
    s->too_many = true;
    return;
  }
  int *bonds;
  BT_NEW(&prep->arena, bonds, s->length);
  s->failed = s->failed || bonds == NULL ||
              !BT_APPEND(prep->rings, prep->n_rings, &s->room, (bt_prep_ring){s->length, bonds});
  if (s->failed) return;
  memcpy(bonds, s->bonds, (size_t)s->length * sizeof *bonds);
  bonds[0] = closing; /* s->bonds[k] leads to path[k] */
}

/* Whether rings through this bond have been listed: it can be opened and precedes the first bond. */
static bool is_known(const search *s, int bond) { return bond < s->first_bond && !s->prep->bonds[bond].fixed_ring; }

/* Extends the chordless path by every neighbor of its end that is bonded to no other atom of it. */
static void extend(search *s) {
  const bt_prep *prep = s->prep;
  int end = s->path[s->length - 1], start = s->path[0];
  s->too_many = s->too_many || (!s->failed && ++s->steps > MOST_STEPS);
  if (s->too_many || s->failed) return;
  for (int k = prep->first[end]; k < prep->first[end + 1]; k++) {
    int j = prep->neighbor[k], bond = prep->via[k];
    if (!prep->bonds[bond].ring || is_known(s, bond) || s->touch[j] < 0) continue;
    if (s->length >= LARGEST_RING) return;
    int closing = -1;
    for (int l = prep->first[j]; l < prep->first[j + 1]; l++)
      if (prep->neighbor[l] == start) closing = prep->via[l];
    bool closes = closing >= 0;
    /* touch counts bonds to the inner atoms and, for a closing atom, to the start */
    if (s->touch[j] - (closes ? 1 : 0) > 0) continue;
    if (closes && is_known(s, closing)) continue;
    s->path[s->length] = j;
    s->bonds[s->length++] = bond;
    if (closes) {
      if (s->length >= SMALLEST_RING) keep_ring(s, closing);
    } else {
      int kept = s->touch[j];
      s->touch[j] = -1000; /* on the path */
      for (int l = prep->first[end]; l < prep->first[end + 1]; l++) s->touch[prep->neighbor[l]]++;
      extend(s);
      for (int l = prep->first[end]; l < prep->first[end + 1]; l++) s->touch[prep->neighbor[l]]--;
      s->touch[j] = kept;
    }
    s->length--;
  }
}

/* All chordless rings through this bond that have no earlier bond to open. */
static void search_from(search *s, int bond) {
  const bt_prep *prep = s->prep;
  int a = prep->bonds[bond].a, b = prep->bonds[bond].b;
  s->first_bond = bond;
  s->path[0] = a;
  s->path[1] = b;
  s->bonds[1] = bond;
  s->length = 2;
  s->touch[a] = s->touch[b] = -1000;
  for (int l = prep->first[a]; l < prep->first[a + 1]; l++) s->touch[prep->neighbor[l]]++;
  extend(s);
  for (int l = prep->first[a]; l < prep->first[a + 1]; l++) s->touch[prep->neighbor[l]]--;
  s->touch[a] = s->touch[b] = 0;
}

bt_status bt_prep_find_rings(bt_prep *prep, bool *ret_too_many, bt_error *opt_error) {
  size_t n = (size_t)prep->n_real;
  BT_TRY(bt_prep_mark_rings(prep, opt_error));
  BT_SCOPED int *distance = bt_allocate(n, sizeof *distance), *queue = bt_allocate(n, sizeof *queue);
  BT_SCOPED int *touch = bt_allocate(n, sizeof *touch);
  if (distance == NULL || queue == NULL || touch == NULL) return bt_fail_memory(opt_error);
  search s = {.prep = prep, .touch = touch};
  for (size_t i = 0; i < n; i++) distance[i] = -1;
  for (int i = 0; i < prep->n_bonds; i++) {
    bt_prep_bond *bond = &prep->bonds[i];
    bond->fixed_ring =
        bond->ring && (bond->order == 4 || shortest_ring(prep, i, SMALLEST_RING, distance, queue) < SMALLEST_RING);
  }
  for (int i = 0; i < prep->n_bonds && !s.too_many && !s.failed; i++)
    if (prep->bonds[i].ring && !prep->bonds[i].fixed_ring) search_from(&s, i);
  *ret_too_many = s.too_many;
  if (s.too_many) prep->n_rings = 0;
  return s.failed ? bt_fail_memory(opt_error) : BT_OK;
}
