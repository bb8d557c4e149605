/* chemistry.c - the life of a bt_chemistry, and what berth.h tells of it. */
#include "chem/chemistry.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "chem/molecule.h"

bt_chemistry *bt_chemistry_retain(bt_chemistry *opt_chemistry) {
  if (opt_chemistry != NULL) __atomic_add_fetch(&opt_chemistry->references, 1, __ATOMIC_RELAXED);
  return opt_chemistry;
}

void bt_chemistry_release(bt_chemistry *opt_chemistry) {
  bt_chemistry *chemistry = opt_chemistry;
  if (chemistry == NULL || __atomic_sub_fetch(&chemistry->references, 1, __ATOMIC_ACQ_REL) > 0) return;
  bt_rdmol_destroy(chemistry->mol);
  free(chemistry->x);
  free(chemistry->entry);
  free(chemistry->body);
  free(chemistry->smiles);
  for (int i = 0; i < chemistry->n_notes; i++) free(chemistry->notes[i]);
  free(chemistry->notes);
  free(chemistry);
}

bt_status bt_chemistry_note(bt_chemistry *chemistry, bt_error *opt_error, const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int size = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (size < 0) return bt_fail_memory(opt_error);
  char **notes = realloc(chemistry->notes, ((size_t)chemistry->n_notes + 1) * sizeof *notes);
  if (notes == NULL) {
    free(text);
    return bt_fail_memory(opt_error);
  }
  chemistry->notes = notes;
  notes[chemistry->n_notes++] = text;
  return BT_OK;
}

int bt_molecule_note_count(const bt_molecule *molecule) {
  return molecule->chemistry == NULL ? 0 : molecule->chemistry->n_notes;
}

const char *bt_molecule_note(const bt_molecule *molecule, int index) { return molecule->chemistry->notes[index]; }

bool bt_molecule_has_chemistry(const bt_molecule *molecule) {
  return molecule->chemistry != NULL && molecule->chemistry->mol != NULL;
}

const char *bt_molecule_smiles(const bt_molecule *molecule) {
  return molecule->chemistry == NULL || molecule->chemistry->smiles == NULL ? "" : molecule->chemistry->smiles;
}

const char *bt_rdkit_version(void) { return bt_rdkit_release(); }
