/* macrocycle.c - opens large rings, so that docking can bend them, and marks the closing atoms.
 *
 * Forli and Botta, J. Chem. Inf. Model. 47, 1481 (2007): a bond between two carbons is taken away, each of them gets a
 * glue point where the other one is, and docking pulls every glue point to the carbon that it represents. Which bonds:
 * those whose loss leaves the shallowest tree. Rings below options->smallest_macrocycle keep their shape: they have
 * few, which conformers hold better than four torsions and a gap that has to close (docs/decisions/017).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "chem/glue.h"
#include "prep/ligand/steps/steps.h"

enum { MOST_BROKEN = 4, MOST_TRIALS = 20000 };

typedef struct opener {
  bt_prep *prep;
  const bt_prepare_options *options;
  double *score;   /* [n_bonds] of opening a bond, 0: not to be opened */
  int *candidates; /* bonds with a score, ascending */
  int n_candidates;
  int chosen[MOST_BROKEN], n_chosen;
  int most; /* bonds that can be opened at once */
  int best[MOST_BROKEN], n_best;
  double best_value;
  int closed_depth; /* of the tree before any ring is opened */
  long trials;
  bt_status status;
  bt_error *opt_error;
} opener;

static bool ring_is_open(const bt_prep *prep, const bt_prep_ring *ring) {
  for (int i = 0; i < ring->size; i++)
    if (prep->bonds[ring->bonds[i]].broken) return true;
  return false;
}

static bool opens_a_ring(const bt_prep *prep, int bond) {
  for (int r = 0; r < prep->n_rings; r++) {
    const bt_prep_ring *ring = &prep->rings[r];
    for (int i = 0; i < ring->size; i++)
      if (ring->bonds[i] == bond && !ring_is_open(prep, ring)) return true;
  }
  return false;
}

static bool shares_atom(const bt_prep *prep, int bond, const int *others, int count) {
  const bt_prep_bond *b = &prep->bonds[bond];
  for (int i = 0; i < count; i++) {
    const bt_prep_bond *o = &prep->bonds[others[i]];
    if (b->a == o->a || b->a == o->b || b->b == o->a || b->b == o->b) return true;
  }
  return false;
}

/* Largest sum over a path from the root of depth^2 (atoms - 1 + glue points). */
static double largest_path(const bt_prep *prep, const int *glue, int body, int from, int depth, double sum) {
  const bt_prep_body *b = &prep->bodies[body];
  sum += (double)depth * depth * (b->n_atoms - 1 + glue[body]);
  double largest = sum;
  for (int l = 0; l < b->n_links; l++)
    if (b->links[l].body != from)
      largest = fmax(largest, largest_path(prep, glue, b->links[l].body, body, depth + 1, sum));
  return largest;
}

static int tree_depth(const bt_prep *prep, int body, int from) {
  int depth = 0;
  const bt_prep_body *b = &prep->bodies[body];
  for (int l = 0; l < b->n_links; l++)
    if (b->links[l].body != from) {
      int below = tree_depth(prep, b->links[l].body, body) + 1;
      if (below > depth) depth = below;
    }
  return depth;
}

/* The lower the better: Meeko 0.7's W, or minus the score of 0.5. */
static bt_status value_of_chosen(opener *o, double *ret_value) {
  bt_prep *prep = o->prep;
  double scores = 0;
  BT_TRY(bt_prep_mark_rings(prep, o->opt_error));
  BT_TRY(bt_prep_find_bodies(prep, o->options->old_rules, false, o->opt_error));
  for (int i = 0; i < o->n_chosen; i++) scores += o->score[o->chosen[i]];
  if (o->options->old_rules) {
    *ret_value = -(scores + 10.0 * (o->closed_depth - tree_depth(prep, prep->root, -1)));
    return BT_OK;
  }
  BT_SCOPED int *glue = bt_allocate((size_t)prep->n_bodies, sizeof *glue);
  if (glue == NULL) return bt_fail_memory(o->opt_error);
  for (int i = 0; i < o->n_chosen; i++) {
    glue[prep->atoms[prep->bonds[o->chosen[i]].a].body]++;
    glue[prep->atoms[prep->bonds[o->chosen[i]].b].body]++;
  }
  *ret_value = largest_path(prep, glue, prep->root, -1, 0, 0) - 0.001 * scores;
  return BT_OK;
}

/* Tries every set of bonds; value counts only for sets as large as the largest. */
static void try_from(opener *o, int first, bool measure) {
  bt_prep *prep = o->prep;
  if (o->status == BT_OK) o->status = bt_deadline_check(prep->deadline, prep->where, o->opt_error);
  if (o->status != BT_OK || o->trials > MOST_TRIALS) return;
  if (!measure && o->n_chosen > o->most) o->most = o->n_chosen;
  if (measure && o->n_chosen == o->most) {
    double value = 0;
    o->trials++;
    o->status = value_of_chosen(o, &value);
    if (o->status == BT_OK && value < o->best_value - 1e-9) {
      o->best_value = value;
      o->n_best = o->n_chosen;
      memcpy(o->best, o->chosen, sizeof o->best);
    }
    return;
  }
  if (o->n_chosen == MOST_BROKEN || (!measure && ++o->trials > MOST_TRIALS)) return;
  for (int c = first; c < o->n_candidates; c++) {
    int bond = o->candidates[c];
    if (shares_atom(prep, bond, o->chosen, o->n_chosen) || !opens_a_ring(prep, bond)) continue;
    o->chosen[o->n_chosen++] = bond;
    prep->bonds[bond].broken = true;
    try_from(o, c + 1, measure);
    prep->bonds[bond].broken = false;
    o->n_chosen--;
    if (!measure && o->most == MOST_BROKEN) return;
  }
}

static bool has_type(const bt_prep_atom *atom, const char *type) { return strcmp(atom->type, type) == 0; }

/* Meeko 0.7 opens single bonds that could rotate, between aliphatic carbons; 0.5 also others, at a price. */
static bt_status score_bonds(opener *o, const bt_rules *rules) {
  bt_prep *prep = o->prep;
  bool old_rules = o->options->old_rules;
  for (int i = 0; i < prep->n_bonds; i++) {
    const bt_prep_bond *bond = &prep->bonds[i];
    const bt_prep_atom *a = &prep->atoms[bond->a], *b = &prep->atoms[bond->b];
    if (!bond->ring || bond->fixed_ring) continue;
    if (old_rules ? a->element == 6 && b->element == 6 && !a->aromatic && !b->aromatic && bond->order > 0
                  : bond->order == 1 && bond->rotor && has_type(a, "C") && has_type(b, "C"))
      o->score[i] = 100 - (!old_rules ? 0 : bond->order == 3 ? 30 : bond->order == 2 ? 50 : 0);
  }
  if (!old_rules) return BT_OK;
  BT_SCOPED int *matches = NULL;
  int count;
  BT_TRY(bt_smarts_match(rules->conjugated, prep->mol, &matches, &count, o->opt_error));
  BT_SCOPED bool *lowered = bt_allocate((size_t)prep->n_bonds, sizeof *lowered);
  if (lowered == NULL) return bt_fail_memory(o->opt_error);
  for (int m = 0; m < count; m++)
    for (int k = prep->first[matches[4 * m + 1]]; k < prep->first[matches[4 * m + 1] + 1]; k++)
      if (prep->neighbor[k] == matches[4 * m + 2]) lowered[prep->via[k]] = true;
  for (int i = 0; i < prep->n_bonds; i++)
    if (lowered[i] && o->score[i] > 0) o->score[i] -= 30;
  return BT_OK;
}

static int smallest_opened(const bt_prepare_options *options) {
  return options->old_rules ? 0 : options->smallest_macrocycle;
}

/* No bond of a small ring is opened; ret_held[n_rings]: whether the ring could have been opened otherwise. */
static void hold_small_rings(opener *o, bool *ret_held) {
  bt_prep *prep = o->prep;
  for (int r = 0; r < prep->n_rings; r++) {
    const bt_prep_ring *ring = &prep->rings[r];
    if (ring->size >= smallest_opened(o->options)) continue;
    for (int i = 0; i < ring->size; i++) ret_held[r] = ret_held[r] || o->score[ring->bonds[i]] > 0;
  }
  for (int r = 0; r < prep->n_rings; r++)
    if (prep->rings[r].size < smallest_opened(o->options))
      for (int i = 0; i < prep->rings[r].size; i++) o->score[prep->rings[r].bonds[i]] = 0;
}

/* --- rings of a pose, as its docking opened them --- */

/* The bond between the next two atoms that an item names; -1: there is none that can be opened. */
static int next_opened(const opener *o, bt_span *rest) {
  const bt_prep *prep = o->prep;
  int a, b;
  if (!bt_parse_int(bt_span_word(rest), &a) || !bt_parse_int(bt_span_word(rest), &b)) return -1;
  if (a < 1 || a > prep->n_real || b < 1 || b > prep->n_real) return -1;
  if (prep->atoms[a - 1].element != 6 || prep->atoms[b - 1].element != 6) return -1;
  for (int k = prep->first[a - 1]; k < prep->first[a]; k++) {
    int bond = prep->via[k];
    if (prep->neighbor[k] == b - 1 && !shares_atom(prep, bond, o->best, o->n_best) && opens_a_ring(prep, bond))
      return bond;
  }
  return -1;
}

/* False if the record does not name them, or names bonds that this molecule does not have. */
static bool open_as_docked(opener *o) {
  const char *item = o->options->as_docked ? bt_rdmol_item(o->prep->mol, BT_OPENED_ITEM) : NULL;
  if (item == NULL) return false;
  bt_span rest = bt_span_trim(bt_span_from(item));
  if (bt_span_equals(rest, "none")) return true;
  bool good = rest.size > 0;
  while (good && rest.size > 0) {
    int bond = o->n_best < MOST_BROKEN ? next_opened(o, &rest) : -1;
    good = bond >= 0;
    if (!good) break;
    o->prep->bonds[bond].broken = true;
    o->best[o->n_best++] = bond;
    rest = bt_span_trim(rest);
  }
  if (good) return true;
  for (int i = 0; i < o->n_best; i++) o->prep->bonds[o->best[i]].broken = false;
  o->n_best = 0;
  return false;
}

static bt_status add_glue(bt_prep *prep, int number, int bond, bt_error *opt_error) {
  int ends[2] = {prep->bonds[bond].a, prep->bonds[bond].b};
  char type[8];
  for (int k = 0; k < 2; k++) {
    snprintf(prep->atoms[ends[k]].type, sizeof prep->atoms->type, "CG%d", number % 10); /* there are 0 to 3 */
    snprintf(type, sizeof type, "G%d", number % 10);
    double x[3];
    memcpy(x, prep->atoms[ends[1 - k]].x, sizeof x);
    BT_TRY(bt_prep_add_pseudo(prep, ends[k], type, "G", x, opt_error));
  }
  return BT_OK;
}

static bt_status choose(opener *o, const bt_rules *rules, bool *ret_held) {
  bt_prep *prep = o->prep;
  BT_TRY(score_bonds(o, rules));
  hold_small_rings(o, ret_held);
  for (int i = 0; i < prep->n_bonds; i++)
    if (o->score[i] > 0 && opens_a_ring(prep, i)) o->candidates[o->n_candidates++] = i;
  if (o->n_candidates == 0) return BT_OK;
  BT_TRY(bt_prep_find_bodies(prep, o->options->old_rules, false, o->opt_error));
  o->closed_depth = tree_depth(prep, prep->root, -1);
  try_from(o, 0, false);
  o->trials = 0;
  o->best_value = INFINITY;
  if (o->most > 0) try_from(o, 0, true);
  return o->status;
}

/* Rings that stay rigid only because of their size, or because no bond can be opened. */
static bool has_rotors(const bt_prep *prep, const bt_prep_ring *ring) {
  int count = 0;
  for (int i = 0; i < ring->size; i++) count += prep->bonds[ring->bonds[i]].rotor;
  return count >= 3;
}

/* One note for every ring of a kind that shares no bond with a ring already noted. */
static bt_status note_rings(const bt_prep *prep, const bool *chosen, bool *noted, const char *what, const char *why,
                            bt_text_list *notes, bt_error *opt_error) {
  for (int r = 0; r < prep->n_rings; r++) {
    const bt_prep_ring *ring = &prep->rings[r];
    bool known = !chosen[r];
    for (int i = 0; i < ring->size && !known; i++) known = noted[ring->bonds[i]];
    if (known) continue;
    for (int i = 0; i < ring->size; i++) noted[ring->bonds[i]] = true;
    BT_TRY(bt_text_list_printf(notes, opt_error, "%s a ring of %d atoms%s", what, ring->size, why));
  }
  return BT_OK;
}

static bt_status tell_of_rings(const bt_prep *prep, const bt_prepare_options *options, const bool *held,
                               bt_text_list *notes, bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  bool *opened, *closed, *noted;
  BT_NEW(&arena, opened, prep->n_rings);
  BT_NEW(&arena, closed, prep->n_rings);
  BT_NEW(&arena, noted, prep->n_bonds);
  BT_TRY(bt_arena_status(&arena, opt_error));
  for (int r = 0; r < prep->n_rings; r++) {
    opened[r] = ring_is_open(prep, &prep->rings[r]);
    closed[r] = prep->rings[r].size >= smallest_opened(options) && has_rotors(prep, &prep->rings[r]);
  }
  BT_TRY(note_rings(prep, opened, noted, "opened", ", which docking bends and closes again", notes, opt_error));
  /* a molecule that came with coordinates has one conformer, whatever is asked for */
  bool made = bt_rdmol_is_embedded(prep->mol);
  BT_TRY(
      note_rings(prep, held, noted, "kept the shape of", made ? "; --conformers makes others" : "", notes, opt_error));
  return note_rings(
      prep, closed, noted, "kept the shape of",
      made ? ", none of whose bonds can be opened; --conformers makes others" : ", none of whose bonds can be opened",
      notes, opt_error);
}

bt_status bt_prep_open_macrocycles(bt_prep *prep, const bt_rules *rules, const bt_prepare_options *options,
                                   bt_text_list *notes, bt_error *opt_error) {
  if (prep->n_rings == 0 || options->rigid_macrocycles) return BT_OK;
  opener o = {.prep = prep, .options = options, .opt_error = opt_error};
  bool *held;
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  BT_NEW(&arena, o.score, prep->n_bonds);
  BT_NEW(&arena, o.candidates, prep->n_bonds);
  BT_NEW(&arena, held, prep->n_rings);
  BT_TRY(bt_arena_status(&arena, opt_error));
  bool as_docked = open_as_docked(&o);
  if (!as_docked) BT_TRY(choose(&o, rules, held));
  for (int i = 0; i < o.n_best; i++) prep->bonds[o.best[i]].broken = true;
  BT_TRY(bt_prep_mark_rings(prep, opt_error));
  prep->n_glue = o.n_best;
  if (o.n_best > 0 && !as_docked) prep->flexibility = options->old_rules ? -o.best_value : o.best_value;
  for (int i = 0; i < o.n_best; i++) BT_TRY(add_glue(prep, i, o.best[i], opt_error));
  return as_docked ? BT_OK : tell_of_rings(prep, options, held, notes, opt_error);
}
