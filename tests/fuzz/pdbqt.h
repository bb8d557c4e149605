/* pdbqt.h - invariants of every molecule that the PDBQT reader accepts. */
#ifndef BERTH_TESTS_FUZZ_PDBQT_H
#define BERTH_TESTS_FUZZ_PDBQT_H

#include <berth/berth.h>

#include "base/text/text.h"
#include "formats/pdbqt/pdbqt.h"
#include "fuzz/fuzz.h"

static inline void fuzz_check_atoms(const bt_molecule *m) {
  FUZZ_CHECK(m->n_atoms > 0 && m->name[0] != '\0' && m->torsdof >= -1);
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *atom = &m->atoms[i];
    FUZZ_CHECK(isfinite(atom->x[0]) && isfinite(atom->x[1]) && isfinite(atom->x[2]) && isfinite(atom->charge));
    FUZZ_CHECK(atom->type[0] != '\0' && strlen(atom->type) < sizeof atom->type);
    FUZZ_CHECK(atom->line >= 0 && atom->line < m->n_lines && strlen(m->lines[atom->line]) > 77);
    FUZZ_CHECK((atom->fragment >= 0) == (m->kind != BT_MOLECULE_RECEPTOR) && atom->fragment < m->n_fragments);
  }
  double low[3], high[3];
  FUZZ_CHECK(bt_molecule_extent(m, NULL, low, high, NULL) == BT_OK && low[0] <= high[0]);
}

static inline void fuzz_check_fragments(const bt_molecule *m) {
  for (int f = 0; f < m->n_fragments; f++) {
    const bt_fragment *fragment = &m->fragments[f];
    FUZZ_CHECK(fragment->parent < f && fragment->first_atom < fragment->end_atom && fragment->end_atom <= m->n_atoms);
    FUZZ_CHECK(fragment->line >= 0 && fragment->line < m->n_lines);
    if (fragment->parent < 0) continue;
    const bt_fragment *parent = &m->fragments[fragment->parent];
    FUZZ_CHECK(parent->first_atom <= fragment->first_atom && fragment->end_atom <= parent->end_atom);
    FUZZ_CHECK(m->atoms[fragment->axis_from].fragment == fragment->parent && m->atoms[fragment->axis_to].fragment == f);
    FUZZ_CHECK(fragment->residue == parent->residue);
  }
  for (int r = 0; r < m->n_residues; r++) FUZZ_CHECK(m->fragments[m->residues[r].root].parent == -1);
}

/* The lines of a molecule represent it completely: read again, they give the same atoms and fragments. */
static inline void fuzz_check_lines(const bt_molecule *m) {
  bt_text text = {0};
  for (int i = 0; i < m->n_lines; i++) bt_text_printf(&text, "%s\n", m->lines[i]);
  bt_molecule **list;
  int count;
  FUZZ_CHECK(bt_molecule_from_memory("again", text.data, text.size, m->kind, &list, &count, NULL) == BT_OK);
  FUZZ_CHECK(count == 1 && list[0]->n_atoms == m->n_atoms && list[0]->n_fragments == m->n_fragments);
  for (int i = 0; i < m->n_atoms; i++) {
    FUZZ_CHECK(memcmp(list[0]->atoms[i].x, m->atoms[i].x, sizeof m->atoms[i].x) == 0);
    FUZZ_CHECK(list[0]->atoms[i].serial == m->atoms[i].serial && list[0]->atoms[i].line == m->atoms[i].line);
  }
  bt_molecule_list_destroy(list, count);
  bt_text_destroy(&text);
}

/* Reads and checks; the list is NULL if the input was refused. */
static inline bt_molecule **fuzz_read_molecules(const uint8_t *data, size_t size, bt_molecule_kind kind, int *count) {
  bt_molecule **list = NULL;
  bt_error error;
  *count = 0;
  bt_status status = bt_molecule_from_memory("fuzz.pdbqt", (const char *)data, size, kind, &list, count, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    FUZZ_CHECK(list == NULL && *count == 0);
    return NULL;
  }
  for (int i = 0; i < *count; i++) {
    fuzz_check_atoms(list[i]);
    fuzz_check_fragments(list[i]);
    fuzz_check_lines(list[i]);
  }
  return list;
}

#endif
