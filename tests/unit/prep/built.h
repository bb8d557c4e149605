/* built.h - a molecule that was built, compared with the one that is read from its text. */
#ifndef BERTH_TESTS_UNIT_PREP_BUILT_H
#define BERTH_TESTS_UNIT_PREP_BUILT_H

#include <string.h>

#include "formats/pdbqt/pdbqt.h"
#include "unit/support.h"

/* A molecule built directly equals the one read from its text in every field, so it is docked as its file would be. */
static inline void check_built(const bt_molecule *m) {
  char *text = NULL, buffer[2048];
  bt_molecule **list = NULL;
  bt_error error = {0};
  int count = 0;
  assert_int_equal(bt_molecule_pdbqt(m, &text, NULL), BT_OK);
  if (bt_molecule_from_memory(m->path, text, strlen(text), m->kind, &list, &count, &error) != BT_OK)
    fail_msg("%s\n%s", text, bt_error_format(&error, buffer, sizeof buffer));
  const bt_molecule *r = list[0];
  const int built[] = {m->kind, m->model, m->n_atoms, m->n_fragments, m->n_residues, m->n_lines, m->first_line, m->torsdof};
  const int read[] = {r->kind, r->model, r->n_atoms, r->n_fragments, r->n_residues, r->n_lines, r->first_line, r->torsdof};
  assert_memory_equal(built, read, sizeof built);
  assert_string_equal(m->tether, r->tether);
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *a = &m->atoms[i], *b = &r->atoms[i];
    assert_memory_equal(a->x, b->x, sizeof a->x);
    assert_memory_equal(&a->charge, &b->charge, sizeof a->charge);
    const int of_built[] = {a->serial, a->fragment, a->line, a->resnum, a->chain, a->icode};
    const int of_read[] = {b->serial, b->fragment, b->line, b->resnum, b->chain, b->icode};
    assert_memory_equal(of_built, of_read, sizeof of_built);
    assert_string_equal(a->type, b->type);
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->resname, b->resname);
  }
  assert_memory_equal(m->fragments, r->fragments, (size_t)m->n_fragments * sizeof *m->fragments);
  for (int i = 0; i < m->n_residues; i++) {
    const bt_residue *a = &m->residues[i], *b = &r->residues[i];
    const int of_built[] = {a->chain, a->number, a->first_atom, a->end_atom, a->root};
    const int of_read[] = {b->chain, b->number, b->first_atom, b->end_atom, b->root};
    assert_memory_equal(of_built, of_read, sizeof of_built);
    assert_string_equal(a->name, b->name);
  }
  for (int i = 0; i < m->n_lines; i++) assert_string_equal(m->lines[i], r->lines[i]);
  bt_molecule_list_destroy(list, count);
  free(text);
}

#endif
