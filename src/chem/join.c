/* join.c - several ligands as one molecule: atoms, fragments and lines are concatenated. */
#include <berth/vina.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "chem/molecule.h"

typedef struct totals {
  size_t atoms, fragments, lines, bytes; /* bytes of the lines' text */
} totals;

static totals count(const bt_molecule *const *molecules, int n) {
  totals t = {0};
  for (int m = 0; m < n; m++) {
    t.atoms += (size_t)molecules[m]->n_atoms;
    t.fragments += (size_t)molecules[m]->n_fragments;
    t.lines += (size_t)molecules[m]->n_lines;
    for (int l = 0; l < molecules[m]->n_lines; l++) t.bytes += strlen(molecules[m]->lines[l]) + 1;
  }
  return t;
}

/* The paths, or names, joined; NULL if memory is exhausted. */
static char *join_words(const bt_molecule *const *molecules, int n, bool paths) {
  bt_text text = {0};
  for (int m = 0; m < n; m++)
    bt_text_printf(&text, "%s%s", m > 0 ? "+" : "", paths ? molecules[m]->path : molecules[m]->name);
  char *words;
  return bt_text_take(&text, &words, NULL) == BT_OK ? words : NULL;
}

static void add_lines(bt_molecule *to, const bt_molecule *from, char **at) {
  for (int l = 0; l < from->n_lines; l++) {
    size_t bytes = strlen(from->lines[l]) + 1;
    to->lines[to->n_lines++] = memcpy(*at, from->lines[l], bytes);
    *at += bytes;
  }
}

static void add_fragments(bt_molecule *to, const bt_molecule *from) {
  int first = to->n_fragments;
  for (int f = 0; f < from->n_fragments; f++) {
    bt_fragment fragment = from->fragments[f];
    if (fragment.parent >= 0) {
      fragment.parent += first;
      fragment.axis_from += to->n_atoms;
      fragment.axis_to += to->n_atoms;
      fragment.first_atom += to->n_atoms;
      fragment.end_atom += to->n_atoms;
    } else {
      fragment.first_atom = to->n_atoms;
      fragment.end_atom = to->n_atoms + from->n_atoms;
    }
    fragment.line += to->n_lines;
    to->fragments[to->n_fragments++] = fragment;
  }
}

/* Before fragments and lines, whose numbers they count on. */
static void add_atoms(bt_molecule *to, const bt_molecule *from, int first_atom, int first_fragment, int first_line) {
  for (int i = 0; i < from->n_atoms; i++) {
    bt_atom atom = from->atoms[i];
    atom.fragment += first_fragment;
    atom.line += first_line;
    to->atoms[first_atom + i] = atom;
  }
  to->n_atoms = first_atom + from->n_atoms;
}

static bt_status fill(bt_molecule *to, const bt_molecule *const *molecules, int n, bt_error *opt_error) {
  totals t = count(molecules, n);
  if (t.atoms > INT_MAX / 8)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = molecules[0]->path}, "dock fewer of them",
                   "the ligands have %zu atoms", t.atoms);
  to->path = join_words(molecules, n, true);
  to->name = join_words(molecules, n, false);
  to->atoms = bt_allocate(t.atoms, sizeof *to->atoms);
  to->fragments = bt_allocate(t.fragments, sizeof *to->fragments);
  to->lines = bt_allocate(1, t.lines * sizeof *to->lines + t.bytes);
  if (to->path == NULL || to->name == NULL || to->atoms == NULL || to->fragments == NULL || to->lines == NULL)
    return bt_fail_memory(opt_error);
  char *text = (char *)(to->lines + t.lines);
  to->torsdof = 0;
  for (int m = 0; m < n; m++) {
    const bt_molecule *from = molecules[m];
    int first_atom = to->n_atoms, first_fragment = to->n_fragments;
    add_fragments(to, from);
    add_atoms(to, from, first_atom, first_fragment, to->n_lines);
    add_lines(to, from, &text);
    to->torsdof += from->torsdof >= 0 ? from->torsdof : from->n_fragments - 1;
  }
  return BT_OK;
}

bt_status bt_molecules_join(const bt_molecule *const *molecules, int count, bt_molecule **ret_molecule,
                            bt_error *opt_error) {
  *ret_molecule = NULL;
  for (int m = 0; m < count; m++)
    if (molecules[m]->kind != BT_MOLECULE_LIGAND || molecules[m]->n_joined > 0 || molecules[m]->n_fragments < 1)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = molecules[m]->path}, "use PDBQT files with one ROOT",
                     "the molecule is not a single ligand");
  if (count < 1)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use at least one ligand", "there are no ligands to join");
  bt_molecule *molecule = bt_allocate(1, sizeof *molecule);
  if (molecule == NULL) return bt_fail_memory(opt_error);
  *molecule = (bt_molecule){.kind = BT_MOLECULE_LIGAND, .model = 1, .first_line = 1, .n_joined = count};
  bt_status status = fill(molecule, molecules, count, opt_error);
  return BT_HAND_OVER(status, molecule, ret_molecule, bt_molecule_destroy);
}
