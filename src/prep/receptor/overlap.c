/* overlap.c - atoms that stand where another one is: residues that are in the file twice, alternatives without letters.
 *
 * Heavy atoms that are this close cannot both be there. Of two residues in the same place, one is left out; of
 * two atoms of a residue, the second. Any other overlap is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cells.h"
#include "base/memory.h"
#include "base/vector.h"
#include "prep/receptor/receptor.h"

static const double SAME_PLACE = 0.5; /* Angstrom */

/* Atoms of two residues, or of one, in the same place. */
typedef struct contact {
  int residue[2], atom[2]; /* the first pair */
  int count;
} contact;

typedef struct overlap_search {
  bt_receptor_work *prep;
  const int *residue, *atom; /* of each point */
  int point;
  contact *contacts;
  int n_contacts;
  size_t room;
  bool failed;
} overlap_search;

static void add_contact(void *context, int other, double distance2) {
  overlap_search *s = context;
  (void)distance2;
  if (other <= s->point || s->failed) return;
  int i = s->residue[s->point], j = s->residue[other];
  for (int k = s->n_contacts - 1; k >= 0 && s->contacts[k].residue[0] == i; k--)
    if (s->contacts[k].residue[1] == j) {
      s->contacts[k].count++;
      return;
    }
  if (!BT_GROW(s->contacts, &s->room, s->n_contacts + 1)) {
    s->failed = true;
    return;
  }
  s->contacts[s->n_contacts++] = (contact){.residue = {i, j}, .atom = {s->atom[s->point], s->atom[other]}, .count = 1};
}

static double occupancy_of(const bt_receptor_residue *r) {
  double sum = 0.0;
  for (int a = 0; a < r->n_atoms; a++) sum += r->atoms[a].occupancy;
  return r->n_atoms > 0 ? sum / r->n_atoms : 0.0;
}

/* The second atom goes; where the residue needs it, it counts as missing. */
static void drop_atom(bt_receptor_work *prep, int i, int kept, int dropped) {
  bt_receptor_residue *r = &prep->residues[i];
  bt_receptor_warn(prep, i, "atom %s is left out: it lies on %s", r->atoms[dropped].name, r->atoms[kept].name);
  memmove(&r->atoms[dropped], &r->atoms[dropped + 1], (size_t)(r->n_atoms - dropped - 1) * sizeof *r->atoms);
  r->n_atoms--;
}

static bt_status refuse(const bt_receptor_work *prep, const contact *c) {
  char one[40], two[40];
  int i = c->residue[0], j = c->residue[1];
  const bt_receptor_atom *a = &prep->residues[i].atoms[c->atom[0]], *b = &prep->residues[j].atoms[c->atom[1]];
  return bt_receptor_fail(prep, "remove one of the residues (--delete), or correct the file",
                          "%s of %s and %s of %s are %.2f Angstrom apart", a->name, bt_receptor_name(prep, i, one),
                          b->name, bt_receptor_name(prep, j, two), bt_v3_distance(a->x, b->x));
}

static bt_status resolve(bt_receptor_work *prep, const contact *c) {
  int i = c->residue[0], j = c->residue[1];
  bt_receptor_residue *a = &prep->residues[i], *b = &prep->residues[j];
  if (a->fate != BT_FATE_KEPT || b->fate != BT_FATE_KEPT) return BT_OK;
  if (i == j) {
    if (2 * c->count >= a->n_atoms && a->n_atoms > 2) return refuse(prep, c);
    if (c->atom[1] < a->n_atoms) drop_atom(prep, i, c->atom[0], c->atom[1]);
    return BT_OK;
  }
  int smaller = a->n_atoms < b->n_atoms ? a->n_atoms : b->n_atoms;
  bool free_one = bt_receptor_source(prep, i)->hetero || bt_receptor_source(prep, j)->hetero;
  bool far = bt_receptor_is_far(prep, i) && bt_receptor_is_far(prep, j);
  if (2 * c->count < smaller && !free_one) return far ? BT_OK : refuse(prep, c);
  double of_a = occupancy_of(a), of_b = occupancy_of(b);
  bool first = of_a < of_b - 1e-6 || (!(of_b < of_a - 1e-6) && a->n_atoms < b->n_atoms);
  if (a->held != b->held) first = b->held;
  int left = first ? i : j, kept = first ? j : i;
  char name[40];
  prep->residues[left].fate = BT_FATE_DELETED;
  prep->residues[left].n_atoms = 0;
  bt_receptor_warn(prep, left, "left out: another residue stands in its place");
  bt_receptor_note(&prep->residues[left], "it is %s", bt_receptor_name(prep, kept, name));
  return BT_OK;
}

static int count_atoms(const bt_receptor_work *prep) {
  int count = 0;
  for (int i = 0; i < prep->n_residues; i++)
    if (prep->residues[i].fate == BT_FATE_KEPT) count += prep->residues[i].n_atoms;
  return count;
}

bt_status bt_receptor_overlaps(bt_receptor_work *prep) {
  size_t room = (size_t)count_atoms(prep);
  BT_SCOPED double(*x)[3] = bt_allocate(room, sizeof *x);
  BT_SCOPED int *residue = bt_allocate(room, sizeof *residue), *atom = bt_allocate(room, sizeof *atom);
  if (x == NULL || residue == NULL || atom == NULL) return bt_fail_memory(prep->opt_error);
  int n = 0;
  for (int i = 0; i < prep->n_residues; i++) {
    if (prep->residues[i].fate != BT_FATE_KEPT) continue;
    for (int a = 0; a < prep->residues[i].n_atoms; a++) {
      bt_v3_copy(x[n], prep->residues[i].atoms[a].x);
      residue[n] = i;
      atom[n++] = a;
    }
  }
  bt_cells *cells;
  BT_TRY(bt_cells_create((const double(*)[3])x, n, 2.0, &cells, prep->opt_error));
  overlap_search search = {.prep = prep, .residue = residue, .atom = atom};
  for (; search.point < n; search.point++) bt_cells_near(cells, x[search.point], SAME_PLACE, add_contact, &search);
  bt_cells_destroy(cells);
  bt_status status = search.failed ? bt_fail_memory(prep->opt_error) : BT_OK;
  /* from the end, so that the indices of earlier atoms of a residue stay */
  for (int k = search.n_contacts - 1; status == BT_OK && k >= 0; k--) status = resolve(prep, &search.contacts[k]);
  free(search.contacts);
  return status;
}
