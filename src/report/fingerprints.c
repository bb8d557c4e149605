/* fingerprints.c - which residues the best pose of each ligand touches, and how: a table of 0 and 1. */
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "report/report_internal.h"

/* A residue and a type of contact: "A:ASP25:H", ordered by chain, number and letter. */
typedef struct key {
  char chain, icode, letter;
  int number;
  char residue[8];
} key;

typedef struct mark {
  size_t ligand;
  key key;
} mark;

struct bt_fingerprints {
  char **names;
  mark *marks; /* by ligand */
  size_t n_names, n_marks, name_room, mark_room;
};

bt_status bt_fingerprints_create(bt_fingerprints **ret_fingerprints, bt_error *opt_error) {
  *ret_fingerprints = bt_allocate(1, sizeof **ret_fingerprints);
  return *ret_fingerprints != NULL ? BT_OK : bt_fail_memory(opt_error);
}

void bt_fingerprints_destroy(bt_fingerprints *f) {
  if (f == NULL) return;
  for (size_t k = 0; k < f->n_names; k++) free(f->names[k]);
  free(f->names);
  free(f->marks);
  free(f);
}

static bt_status add_mark(bt_fingerprints *f, const bt_contact *contact, bt_error *opt_error) {
  const bt_atom *atom = contact->atom;
  mark m = {.ligand = f->n_names - 1,
            .key = {.chain = atom->chain,
                    .icode = atom->icode,
                    .letter = bt_contact_letter(contact->type)[0],
                    .number = atom->resnum}};
  memcpy(m.key.residue, atom->resname, sizeof m.key.residue);
  if (!BT_GROW(f->marks, &f->mark_room, f->n_marks + 1)) return bt_fail_memory(opt_error);
  f->marks[f->n_marks++] = m;
  return BT_OK;
}

bt_status bt_report_fingerprint(bt_report *report, const char *name, const bt_ligand *ligand, const double *xyz,
                                bt_error *opt_error) {
  bt_fingerprints *f = report->fingerprints;
  if (f == NULL || report->site == NULL) return BT_OK;
  if (!BT_GROW(f->names, &f->name_room, f->n_names + 1)) return bt_fail_memory(opt_error);
  if ((f->names[f->n_names] = strdup(name)) == NULL) return bt_fail_memory(opt_error);
  f->n_names++;
  bt_contact_ligand *known = NULL;
  bt_contact_list list = {0};
  BT_TRY(bt_contact_ligand_create(ligand, &report->options->contacts, &known, opt_error));
  bt_status status = bt_contacts_find(report->site, known, xyz, &list, opt_error);
  for (size_t k = 0; status == BT_OK && k < list.count; k++) status = add_mark(f, &list.items[k], opt_error);
  bt_contact_list_clear(&list);
  bt_contact_ligand_destroy(known);
  return status;
}

static int compare(const key *a, const key *b) {
  if (a->chain != b->chain) return a->chain - b->chain;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  if (a->icode != b->icode) return a->icode - b->icode;
  int order = strcmp(a->residue, b->residue);
  return order != 0 ? order : a->letter - b->letter;
}

static int by_key(const void *a, const void *b) { return compare(a, b); }

/* Sorted and each once; their number. */
static size_t collect_keys(const bt_fingerprints *f, key *keys) {
  size_t n = 0;
  for (size_t k = 0; k < f->n_marks; k++) keys[k] = f->marks[k].key;
  qsort(keys, f->n_marks, sizeof *keys, by_key);
  for (size_t k = 0; k < f->n_marks; k++)
    if (n == 0 || compare(&keys[n - 1], &keys[k]) != 0) keys[n++] = keys[k];
  return n;
}

static void add_heading(bt_text *text, const key *keys, size_t n) {
  bt_text_add_string(text, "ligand");
  for (size_t k = 0; k < n; k++) {
    bt_text_add_char(text, ',');
    if (keys[k].chain != ' ') bt_text_printf(text, "%c:", keys[k].chain);
    const char *name = keys[k].residue;
    size_t size = strlen(name);
    bool digit = size > 0 && name[size - 1] >= '0' && name[size - 1] <= '9'; /* A:XK2:263, as options take it */
    bt_text_printf(text, "%s%s%d", name, digit ? ":" : "", keys[k].number);
    if (keys[k].icode != ' ') bt_text_add_char(text, keys[k].icode);
    bt_text_printf(text, ":%c", keys[k].letter);
  }
  bt_text_add_char(text, '\n');
}

bt_status bt_fingerprints_write(const bt_fingerprints *f, const char *path, bt_error *opt_error) {
  BT_SCOPED key *keys = bt_allocate(f->n_marks, sizeof *keys);
  BT_SCOPED bool *row = bt_allocate(f->n_marks, sizeof *row);
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  if (keys == NULL || row == NULL) return bt_fail_memory(opt_error);
  size_t n = collect_keys(f, keys), at = 0;
  add_heading(&text, keys, n);
  for (size_t ligand = 0; ligand < f->n_names; ligand++) {
    memset(row, 0, n * sizeof *row);
    for (; at < f->n_marks && f->marks[at].ligand == ligand; at++) {
      const key *found = bsearch(&f->marks[at].key, keys, n, sizeof *keys, by_key);
      if (found != NULL) row[found - keys] = true;
    }
    bt_text_csv(&text, f->names[ligand]);
    for (size_t k = 0; k < n; k++) bt_text_add_string(&text, row[k] ? ",1" : ",0");
    bt_text_add_char(&text, '\n');
  }
  BT_TRY(bt_text_status(&text, opt_error));
  return bt_file_write_text(path, &text, opt_error);
}
