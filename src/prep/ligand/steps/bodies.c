/* bodies.c - rigid bodies, the tree that they form, and its root. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/ligand/steps/steps.h"

typedef struct axis {
  int from, to, parent; /* atoms; the body that `from` is in, -1 for the first */
} axis;

typedef struct builder {
  bt_prep *prep;
  axis *stack; /* pending bonds, the next on top */
  size_t height, stack_room, body_room;
  int *order;  /* [n_atoms] atoms of the body being collected */
  int *waters; /* pseudo-atoms by anchor: first one, then next[] */
  int *next;
} builder;

static bool push(builder *b, axis item) { return BT_APPEND(b->stack, b->height, &b->stack_room, item); }

static bool append_link(bt_prep_body *body, bt_prep_link link) {
  return BT_APPEND(body->links, body->n_links, &body->link_room, link);
}

/* Collects the atoms that move with start; pushes the axes that lead out of it, the first on top. */
static bool collect(builder *b, int start, int body_index, int *ret_count) {
  bt_prep *prep = b->prep;
  int n = 0;
  size_t base = b->height;
  b->order[n++] = start;
  prep->atoms[start].body = body_index;
  for (int at = 0; at < n; at++) {
    int i = b->order[at];
    if (i >= prep->n_real) continue;
    for (int k = prep->first[i]; k < prep->first[i + 1]; k++) {
      int j = prep->neighbor[k];
      const bt_prep_bond *bond = &prep->bonds[prep->via[k]];
      if (prep->atoms[j].merged || bond->broken || prep->atoms[j].body >= 0) continue;
      if (bond->rotor && !bond->ring && !bond->broken) { /* rotatable with the rings that are closed now */
        if (!push(b, (axis){i, j, body_index})) return false;
      } else {
        prep->atoms[j].body = body_index;
        b->order[n++] = j;
      }
    }
    for (int w = b->waters[i]; w >= 0; w = b->next[w - prep->n_real]) {
      prep->atoms[w].body = body_index;
      b->order[n++] = w;
    }
  }
  for (size_t low = base, high = b->height; low + 1 < high; low++, high--) {
    axis swap = b->stack[low];
    b->stack[low] = b->stack[high - 1];
    b->stack[high - 1] = swap;
  }
  *ret_count = n;
  return true;
}

static bool add_body(builder *b, axis from) {
  bt_prep *prep = b->prep;
  int index = prep->n_bodies, count;
  if (!BT_APPEND(prep->bodies, prep->n_bodies, &b->body_room, (bt_prep_body){0})) return false;
  if (!collect(b, from.to, index, &count)) return false;
  bt_prep_body *body = &prep->bodies[index];
  if (!BT_GROW(body->atoms, &body->atom_room, count)) return false;
  memcpy(body->atoms, b->order, (size_t)count * sizeof *b->order);
  body->n_atoms = count;
  return from.parent < 0 || (append_link(&prep->bodies[from.parent], (bt_prep_link){index, from.from, from.to}) &&
                             append_link(body, (bt_prep_link){from.parent, from.to, from.from}));
}

static bt_status build(bt_prep *prep, bt_error *opt_error) {
  builder b = {.prep = prep};
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  BT_NEW(&arena, b.order, prep->n_atoms);
  BT_NEW(&arena, b.waters, prep->n_atoms);
  BT_NEW(&arena, b.next, prep->n_atoms);
  bool ok = !arena.failed;
  bt_prep_free_bodies(prep);
  for (int i = 0; ok && i < prep->n_atoms; i++) b.waters[i] = prep->atoms[i].body = -1;
  for (int w = prep->n_atoms - 1; ok && w >= prep->n_real; w--) {
    b.next[w - prep->n_real] = b.waters[prep->atoms[w].anchor];
    b.waters[prep->atoms[w].anchor] = w;
  }
  int start = 0;
  while (start < prep->n_real && prep->atoms[start].merged) start++;
  if (ok) ok = push(&b, (axis){-1, start, -1});
  while (ok && b.height > 0) {
    axis top = b.stack[--b.height];
    if (prep->atoms[top.to].body < 0) ok = add_body(&b, top);
  }
  free(b.stack);
  return ok ? BT_OK : bt_fail_memory(opt_error);
}

/* Leaves are removed in rounds until one or two bodies remain: the middle of the tree. */
static bt_status find_root(bt_prep *prep, const int *weight, bt_error *opt_error) {
  int n = prep->n_bodies, left = n;
  if (prep->held >= 0) return prep->root = prep->atoms[prep->held].body, BT_OK;
  BT_SCOPED int *degree = bt_allocate((size_t)n, sizeof *degree), *leaves = bt_allocate((size_t)n, sizeof *leaves);
  if (degree == NULL || leaves == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < n; i++) degree[i] = prep->bodies[i].n_links;
  while (left > 2) {
    int count = 0;
    for (int i = 0; i < n; i++)
      if (degree[i] == 1) leaves[count++] = i;
    for (int k = 0; k < count; k++) {
      const bt_prep_body *leaf = &prep->bodies[leaves[k]];
      degree[leaves[k]] = -1;
      for (int l = 0; l < leaf->n_links; l++)
        if (degree[leaf->links[l].body] > 0) degree[leaf->links[l].body]--;
    }
    left -= count;
    if (count == 0) break; /* cannot happen in a tree */
  }
  prep->root = -1;
  for (int i = 0; i < n; i++)
    if (degree[i] >= 0 && (prep->root < 0 || weight[i] > weight[prep->root])) prep->root = i;
  return BT_OK;
}

static bool join_leaf(bt_prep *prep, int leaf) {
  bt_prep_body *body = &prep->bodies[leaf], *parent = &prep->bodies[body->links[0].body];
  if (!BT_APPEND(parent->atoms, parent->n_atoms, &parent->atom_room, body->atoms[0])) return false;
  prep->atoms[body->atoms[0]].body = body->links[0].body;
  for (int l = 0, kept = 0; l < parent->n_links; l++)
    if (parent->links[l].body != leaf) parent->links[kept++] = parent->links[l];
  parent->n_links--;
  body->n_links = body->n_atoms = 0; /* an empty body, no longer reachable */
  return true;
}

/* Rotating a leaf of one atom, which is on the axis, has no effect. Ends of an opened ring will carry a glue point. */
static bt_status join_leaves(bt_prep *prep, bt_error *opt_error) {
  BT_SCOPED bool *leaf = bt_allocate((size_t)prep->n_bodies, sizeof *leaf);
  bool ok = leaf != NULL;
  for (int i = 0; ok && i < prep->n_bodies; i++)
    leaf[i] = i != prep->root && prep->bodies[i].n_atoms == 1 && prep->bodies[i].n_links == 1;
  for (int i = 0; ok && i < prep->n_bonds; i++)
    if (prep->bonds[i].broken)
      leaf[prep->atoms[prep->bonds[i].a].body] = leaf[prep->atoms[prep->bonds[i].b].body] = false;
  for (int i = 0; ok && i < prep->n_bodies; i++)
    if (leaf[i]) ok = join_leaf(prep, i);
  return ok ? BT_OK : bt_fail_memory(opt_error);
}

bt_status bt_prep_find_bodies(bt_prep *prep, bool old_rules, bool join, bt_error *opt_error) {
  BT_TRY(build(prep, opt_error));
  BT_SCOPED int *weight = bt_allocate((size_t)prep->n_bodies, sizeof *weight);
  if (weight == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < prep->n_bodies; i++) weight[i] = prep->bodies[i].n_atoms;
  for (int i = 0; old_rules && i < prep->n_real; i++) /* the hydrogens count too */
    if (prep->atoms[i].merged) weight[prep->atoms[prep->neighbor[prep->first[i]]].body]++;
  BT_TRY(find_root(prep, weight, opt_error));
  return old_rules || !join ? BT_OK : join_leaves(prep, opt_error);
}
