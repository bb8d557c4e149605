/* states.c - further states of a protonated molecule: protomers, by groups whose pKa is near the pH, and tautomers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "prep/ligand/steps/steps.h"

/* Both forms of a group are looked at if its pKa is this near the pH: at 1 the rarer one is a tenth. */
static const double near_units = 1.0;
enum { MOST_SITES = 8 }; /* beyond these, in the order of the table, groups keep their usual form */

/* A group that may have its other form. */
typedef struct site {
  const bt_ion_rule *rule;
  bool gains;  /* a proton; else it loses one */
  int number;  /* of its atom, see bt_rdatom */
  double cost; /* |pH - pKa| */
} site;

typedef struct choice {
  unsigned sites; /* bits of those with their other form */
  double cost;
} choice;

typedef struct finder {
  const bt_rules *rules;
  bt_where where;
  int most;
  site sites[MOST_SITES];
  int n_sites;
  bt_text_list known; /* SMILES of the molecule and of its states */
  bt_states *states;
  bt_error *opt_error;
} finder;

void bt_states_clear(bt_states *states) {
  for (size_t i = 0; i < states->count; i++) {
    bt_rdmol_destroy(states->items[i].mol);
    free(states->items[i].what);
  }
  free(states->items);
  *states = (bt_states){0};
}

static const bt_smarts *pattern_of(const site *s) { return s->gains ? s->rule->base : s->rule->acid; }

/* The first atoms of all matches, as atom indices; free() them. */
static bt_status match_first(const bt_rdmol *mol, const bt_smarts *pattern, int **ret_atoms, int *ret_count,
                             bt_error *opt_error) {
  BT_TRY(bt_smarts_match(pattern, mol, ret_atoms, ret_count, opt_error));
  for (int k = 0; k < *ret_count; k++) (*ret_atoms)[k] = (*ret_atoms)[k * bt_smarts_size(pattern)];
  return BT_OK;
}

static bt_status add_sites(finder *f, const bt_rdmol *mol, site like, const bt_rdatom *atoms) {
  BT_SCOPED int *matches = NULL;
  int count = 0;
  BT_TRY(match_first(mol, pattern_of(&like), &matches, &count, f->opt_error));
  for (int k = 0; k < count && f->n_sites < MOST_SITES; k++) {
    like.number = atoms[matches[k]].number;
    bool known = like.number == 0;
    for (int i = 0; i < f->n_sites; i++) known = known || f->sites[i].number == like.number;
    if (!known) f->sites[f->n_sites++] = like;
  }
  return BT_OK;
}

static bt_status find_sites(finder *f, const bt_rdmol *mol, double ph) {
  BT_SCOPED bt_rdatom *atoms = bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *atoms);
  if (atoms == NULL) return bt_fail_memory(f->opt_error);
  bt_rdmol_atoms(mol, atoms);
  for (int i = 0; i < f->rules->n_ions; i++) {
    const bt_ion_rule *rule = &f->rules->ions[i];
    site like = {.rule = rule, .gains = ph > rule->pka, .cost = fabs(ph - rule->pka)};
    if (like.cost < near_units + 1e-9) BT_TRY(add_sites(f, mol, like, atoms));
  }
  return BT_OK;
}

/* Gives a group its other form, unless what was changed before has made it another group. */
static bt_status change(finder *f, bt_rdmol *mol, const site *s, bool *ret_done) {
  BT_SCOPED int *matches = NULL;
  BT_SCOPED bt_rdatom *atoms = bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *atoms);
  int count = 0;
  *ret_done = false;
  if (atoms == NULL) return bt_fail_memory(f->opt_error);
  bt_rdmol_atoms(mol, atoms);
  BT_TRY(match_first(mol, pattern_of(s), &matches, &count, f->opt_error));
  for (int k = 0; k < count && !*ret_done; k++) {
    if (atoms[matches[k]].number != s->number) continue;
    BT_TRY(bt_rdmol_change_proton(mol, matches[k], s->gains ? 1 : -1, f->where, f->opt_error));
    *ret_done = true;
  }
  return BT_OK;
}

/* Takes mol over, unless it is equal to one that is there. */
static bt_status add_state(finder *f, bt_rdmol *mol, const char *what) {
  BT_SCOPED char *smiles = NULL;
  BT_SCOPED int *order = bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *order);
  bt_state state = {.mol = mol, .what = bt_copy_text(what, strlen(what))};
  int before = f->known.count;
  bt_status status = order != NULL && state.what != NULL ? BT_OK : bt_fail_memory(f->opt_error);
  if (status == BT_OK) status = bt_rdmol_smiles(mol, &smiles, order, f->opt_error);
  if (status == BT_OK) status = bt_text_list_add_new(&f->known, bt_span_from(smiles), f->opt_error);
  bool taken = status == BT_OK && f->known.count > before;
  if (taken && !BT_APPEND(f->states->items, f->states->count, &f->states->room, state)) {
    status = bt_fail_memory(f->opt_error);
    taken = false;
  }
  if (taken) return BT_OK;
  bt_rdmol_destroy(mol);
  free(state.what);
  return status;
}

static bt_status add_protomer(finder *f, const bt_rdmol *mol, unsigned sites) {
  BT_ENDED_BY(bt_text_destroy) bt_text what = {0};
  bt_rdmol *copy = bt_rdmol_copy(mol);
  if (copy == NULL) return bt_fail_memory(f->opt_error);
  bool done = true;
  bt_status status = BT_OK;
  for (int k = 0; k < f->n_sites && done && status == BT_OK; k++) {
    if ((sites >> k & 1) == 0) continue;
    status = change(f, copy, &f->sites[k], &done);
    bt_text_printf(&what, "%s%s %s", what.size > 0 ? ", " : "", f->sites[k].rule->group,
                   f->sites[k].gains ? "protonated" : "deprotonated");
  }
  if (status == BT_OK) status = bt_text_status(&what, f->opt_error);
  if (status == BT_OK && done) return add_state(f, copy, what.data);
  bt_rdmol_destroy(copy);
  return status;
}

static int by_cost(const void *a, const void *b) {
  const choice *p = a, *q = b;
  if (fabs(p->cost - q->cost) > 1e-9) return p->cost < q->cost ? -1 : 1;
  return p->sites < q->sites ? -1 : p->sites > q->sites;
}

/* Combinations of other forms, the most frequent first. */
static bt_status add_protomers(finder *f, const bt_rdmol *mol) {
  choice choices[1 << MOST_SITES];
  int n = 0;
  for (unsigned sites = 1; sites < 1u << f->n_sites; sites++) {
    choices[n] = (choice){.sites = sites};
    for (int k = 0; k < f->n_sites; k++) choices[n].cost += (sites >> k & 1) != 0 ? f->sites[k].cost : 0;
    n++;
  }
  qsort(choices, (size_t)n, sizeof *choices, by_cost);
  for (int i = 0; i < n && (int)f->states->count < f->most; i++) BT_TRY(add_protomer(f, mol, choices[i].sites));
  return BT_OK;
}

static bt_status add_tautomers(finder *f, const bt_rdmol *mol) {
  bt_rdmol **list;
  int count;
  int wanted = f->most - (int)f->states->count;
  if (wanted < 1 || bt_rdmol_is_3d(mol)) return BT_OK;
  BT_TRY(bt_rdmol_tautomers(mol, f->rules->opt_tautomers, wanted, f->where, &list, &count, f->opt_error));
  bt_status status = BT_OK;
  for (int k = 0; k < count; k++) {
    if (status == BT_OK)
      status = add_state(f, list[k], "tautomer");
    else
      bt_rdmol_destroy(list[k]);
  }
  free(list);
  return status;
}

bt_status bt_prep_states(const bt_rdmol *mol, const bt_rules *rules, double ph, int most, bt_where where,
                         bt_states *ret_states, bt_error *opt_error) {
  finder f = {.rules = rules, .where = where, .most = most, .states = ret_states, .opt_error = opt_error};
  BT_SCOPED char *smiles = NULL;
  BT_SCOPED int *order = bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *order);
  *ret_states = (bt_states){0};
  bt_status status = order != NULL ? bt_rdmol_smiles(mol, &smiles, order, opt_error) : bt_fail_memory(opt_error);
  if (status == BT_OK) status = bt_text_list_add(&f.known, bt_span_from(smiles), opt_error);
  if (status == BT_OK && !isnan(ph)) status = find_sites(&f, mol, ph);
  if (status == BT_OK) status = add_protomers(&f, mol);
  if (status == BT_OK) status = add_tautomers(&f, mol);
  bt_text_list_destroy(&f.known);
  if (status != BT_OK) bt_states_clear(ret_states);
  return status;
}
