/* pdbqt.c - the text of a prepared ligand: Meeko's remarks, ROOT, branches, TORSDOF.
 *
 * REMARK SMILES IDX and H PARENT let other programs find the molecule's atoms again: pairs of a place in the SMILES
 * (from 1) and a serial number. Lines of pairs stay below 79 characters.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "prep/ligand/steps.h"

enum { REMARK_WIDTH = 79 };

typedef struct writer {
  bt_prep *prep;
  bt_chemistry *chemistry;
  bt_text *text; /* atoms and branches; remarks stand before them */
  int *order;    /* [n_atoms] atom of each serial - 1 */
  int serial;    /* last one given */
  int fragment;  /* next one, in the order of ROOT and BRANCH */
  size_t entry_room;
  bt_error *opt_error;
} writer;

/* Four columns as in PDB: names of two-letter elements begin in the first, others in the second where they fit. */
static void place_name(const char *name, const char *symbol, char out[5]) {
  size_t size = strlen(name);
  if (size > 4) size = 4;
  size_t left = size < 4 && !(strlen(symbol) == 2 && strncasecmp(name, symbol, 2) == 0) ? 1 : 0;
  memset(out, ' ', 4);
  memcpy(out + left, name, size);
  out[4] = '\0';
}

static bt_status write_atom(writer *w, int index) {
  bt_prep_atom *atom = &w->prep->atoms[index];
  char name[5];
  atom->serial = ++w->serial;
  w->order[w->serial - 1] = index;
  w->chemistry->entry[w->serial - 1] = index < w->prep->n_real ? index : -1;
  w->chemistry->body[w->serial - 1] = w->fragment - 1;
  place_name(atom->name[0] != '\0' && strlen(atom->name) <= 4 ? atom->name : atom->symbol, atom->symbol, name);
  for (int k = 0; k < 3; k++)
    if (!(atom->x[k] > -999.9 && atom->x[k] < 9999.9))
      return bt_fail(w->opt_error, BT_ERR_LIMIT, w->prep->where, "move the molecule towards the origin",
                     "a coordinate of %.3g does not fit the columns of PDBQT", atom->x[k]);
  double charge = atom->charge;
  if (fabs(charge) < 0.0005) charge = 0; /* no -0.000 */
  bt_text_printf(w->text, "ATOM  %5d %s %-3.3s %c%4d%c   %8.3f%8.3f%8.3f  1.00  0.00    %+6.3f %-2s\n",
                 w->serial % 100000, name, atom->residue[0] != '\0' ? atom->residue : "UNL",
                 atom->chain != '\0' ? atom->chain : ' ', (atom->residue[0] != '\0' ? atom->residue_number : 1) % 10000,
                 atom->icode != '\0' ? atom->icode : ' ', atom->x[0], atom->x[1], atom->x[2], charge, atom->type);
  return BT_OK;
}

static int compare_ints(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* A branch with all that hangs on it; depth first, without recursion, since chains may be long. */
typedef struct level {
  int body, from, next, open, to; /* next link to look at; serials of its BRANCH */
} level;

/* first: the atom on the axis, which has to come first; -1 in the root. */
static bt_status write_body(writer *w, int body, int first) {
  bt_prep_body *b = &w->prep->bodies[body];
  w->fragment++;
  for (int i = 1; i < b->n_atoms; i++) {
    if (b->atoms[i] != first) continue;
    memmove(b->atoms + 1, b->atoms, (size_t)i * sizeof *b->atoms);
    b->atoms[0] = first;
  }
  for (int i = 0; i < b->n_atoms; i++) BT_TRY(write_atom(w, b->atoms[i]));
  return BT_OK;
}

static bt_status write_branches(writer *w, level *stack) {
  bt_prep *prep = w->prep;
  int height = 0;
  stack[height++] = (level){prep->root, -1, 0, 0, 0};
  while (height > 0) {
    level *top = &stack[height - 1];
    const bt_prep_body *body = &prep->bodies[top->body];
    if (top->next < body->n_links) {
      int l = top->next++, child = body->links[l];
      if (child == top->from) continue;
      int open = prep->atoms[body->link_from[l]].serial, to = w->serial + 1;
      bt_text_printf(w->text, "BRANCH %3d %3d\n", open, to);
      stack[height++] = (level){child, top->body, 0, open, to};
      BT_TRY(write_body(w, child, body->link_to[l]));
    } else {
      if (height > 1) bt_text_printf(w->text, "ENDBRANCH %3d %3d\n", top->open, top->to);
      height--;
    }
  }
  return BT_OK;
}

static void add_pairs(bt_text *text, const char *prefix, const int (*pairs)[2], int count, bool even_if_none) {
  size_t width = strlen(prefix);
  if (count > 0 || even_if_none) bt_text_add_string(text, prefix);
  for (int i = 0; i < count; i++) {
    char token[32];
    size_t size = (size_t)snprintf(token, sizeof token, " %d %d", pairs[i][0], pairs[i][1]);
    if (width + size >= REMARK_WIDTH) {
      bt_text_printf(text, "\n%s", prefix);
      width = strlen(prefix);
    }
    bt_text_add(text, token, size);
    width += size;
  }
  if (count > 0 || even_if_none) bt_text_add_char(text, '\n');
}

/* place[i] of atom i in the SMILES, -1: left out of it. */
static bt_status add_remarks(writer *w, const int *place, bt_text *text) {
  bt_prep *prep = w->prep;
  int(*pairs)[2] = bt_allocate((size_t)w->serial, sizeof *pairs), count = 0;
  if (pairs == NULL) return bt_fail_memory(w->opt_error);
  bt_text_printf(text, "REMARK SMILES %s\n", w->chemistry->smiles);
  for (int s = 0; s < w->serial; s++) {
    int atom = w->order[s];
    if (atom >= prep->n_real || place[atom] < 0) continue;
    pairs[count][0] = place[atom] + 1;
    pairs[count++][1] = s + 1;
  }
  add_pairs(text, "REMARK SMILES IDX", (const int(*)[2])pairs, count, true);
  count = 0;
  for (int s = 0; s < w->serial; s++) {
    int atom = w->order[s];
    if (atom >= prep->n_real || place[atom] >= 0 || bt_prep_degree(prep, atom) == 0) continue;
    pairs[count][0] = place[prep->neighbor[prep->first[atom]]] + 1;
    pairs[count++][1] = s + 1;
  }
  add_pairs(text, "REMARK H PARENT", (const int(*)[2])pairs, count, true);
  free(pairs);
  if (isfinite(prep->flexibility)) bt_text_printf(text, "REMARK Flexibility Score: %8.3f\n", prep->flexibility);
  return BT_OK;
}

/* Torsions of the molecule with its rings closed. */
static int count_torsions(const bt_prep *prep, const bool *was_ring) {
  int count = 0;
  for (int i = 0; i < prep->n_bodies; i++)
    for (int l = 0; l < prep->bodies[i].n_links; l++) {
      if (prep->bodies[i].links[l] < i) continue; /* each axis once */
      int a = prep->bodies[i].link_from[l], b = prep->bodies[i].link_to[l];
      for (int k = prep->first[a]; k < prep->first[a + 1]; k++)
        if (prep->neighbor[k] == b && !was_ring[prep->via[k]]) count++;
    }
  return count;
}

static bt_status write_tree(writer *w, bt_text *text, const int *place, const bool *was_ring, level *stack) {
  bt_prep *prep = w->prep;
  bt_prep_body *root = &prep->bodies[prep->root];
  qsort(root->atoms, (size_t)root->n_atoms, sizeof *root->atoms, compare_ints);
  bt_text_add_string(w->text, "ROOT\n");
  BT_TRY(write_body(w, prep->root, -1));
  bt_text_add_string(w->text, "ENDROOT\n");
  BT_TRY(write_branches(w, stack));
  prep->torsdof = count_torsions(prep, was_ring);
  bt_text_printf(w->text, "TORSDOF %d\n", prep->torsdof);
  w->chemistry->n_entries = w->serial;
  BT_TRY(add_remarks(w, place, text));
  if (w->text->data != NULL) bt_text_add(text, w->text->data, w->text->size);
  BT_TRY(bt_text_status(w->text, w->opt_error));
  return bt_text_status(text, w->opt_error);
}

bt_status bt_prep_write(bt_prep *prep, bt_chemistry *chemistry, const bool *was_ring, bt_text *text,
                        bt_error *opt_error) {
  size_t n = (size_t)prep->n_atoms;
  bt_text tree = {0};
  writer w = {.prep = prep,
              .chemistry = chemistry,
              .text = &tree,
              .order = bt_allocate(n, sizeof *w.order),
              .opt_error = opt_error};
  int *place = bt_allocate((size_t)prep->n_real, sizeof *place);
  level *stack = bt_allocate((size_t)prep->n_bodies + 1, sizeof *stack);
  chemistry->entry = bt_allocate(n, sizeof *chemistry->entry);
  chemistry->body = bt_allocate(n, sizeof *chemistry->body);
  bool ok = w.order != NULL && place != NULL && stack != NULL && chemistry->entry != NULL && chemistry->body != NULL;
  bt_status status = ok ? bt_rdmol_smiles(prep->mol, &chemistry->smiles, place, opt_error) : bt_fail_memory(opt_error);
  if (status == BT_OK) status = write_tree(&w, text, place, was_ring, stack);
  free(w.order);
  free(place);
  free(stack);
  bt_text_destroy(&tree);
  return status;
}
