/* chemistry.c - creation and destruction of a bt_chemistry, and its accessors in the public headers. */
#include "chem/chemistry.h"

#include <stdlib.h>
#include <string.h>

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
  bt_text_list_destroy(&chemistry->notes);
  free(chemistry);
}

int bt_chemistry_entry(const bt_chemistry *chemistry, int atom) {
  for (int k = 0; k < chemistry->n_entries; k++)
    if (chemistry->entry[k] == atom) return k;
  return -1;
}

static void *copy_array(const void *from, int count, size_t size) {
  void *to = bt_allocate((size_t)count + 1, size);
  if (to != NULL && from != NULL && count > 0) memcpy(to, from, (size_t)count * size);
  return to;
}

bt_status bt_chemistry_copy(const bt_chemistry *chemistry, const double (*opt_x)[3], bt_chemistry **ret_copy,
                            bt_error *opt_error) {
  bt_chemistry *copy = bt_chemistry_retain(bt_allocate(1, sizeof *copy));
  if (copy == NULL) return bt_fail_memory(opt_error);
  bt_status status = BT_OK;
  copy->n_atoms = chemistry->n_atoms;
  copy->n_entries = chemistry->n_entries;
  copy->embedded = chemistry->embedded;
  copy->x = copy_array(opt_x != NULL ? opt_x : (const double(*)[3])chemistry->x, chemistry->n_atoms, sizeof *copy->x);
  copy->entry = copy_array(chemistry->entry, chemistry->n_entries, sizeof *copy->entry);
  copy->body = copy_array(chemistry->body, chemistry->n_entries, sizeof *copy->body);
  copy->smiles = chemistry->smiles != NULL ? bt_copy_text(chemistry->smiles, strlen(chemistry->smiles)) : NULL;
  copy->mol = chemistry->mol != NULL ? bt_rdmol_copy(chemistry->mol) : NULL;
  if (copy->x == NULL || copy->entry == NULL || copy->body == NULL ||
      (copy->smiles == NULL) != (chemistry->smiles == NULL) || (copy->mol == NULL) != (chemistry->mol == NULL))
    status = bt_fail_memory(opt_error);
  if (status == BT_OK && opt_x != NULL && copy->mol != NULL) status = bt_rdmol_place(copy->mol, opt_x, opt_error);
  for (int i = 0; status == BT_OK && i < chemistry->notes.count; i++)
    status = bt_text_list_add(&copy->notes, bt_span_from(chemistry->notes.items[i]), opt_error);
  return BT_HAND_OVER(status, copy, ret_copy, bt_chemistry_release);
}

int bt_molecule_note_count(const bt_molecule *molecule) {
  return molecule->chemistry == NULL ? 0 : molecule->chemistry->notes.count;
}

const char *bt_molecule_note(const bt_molecule *molecule, int index) { return molecule->chemistry->notes.items[index]; }

bool bt_molecule_has_pose(const bt_molecule *molecule) {
  return molecule->chemistry == NULL || !molecule->chemistry->embedded;
}

bool bt_molecule_has_chemistry(const bt_molecule *molecule) {
  return molecule->chemistry != NULL && molecule->chemistry->mol != NULL;
}

const char *bt_molecule_smiles(const bt_molecule *molecule) {
  return molecule->chemistry == NULL || molecule->chemistry->smiles == NULL ? "" : molecule->chemistry->smiles;
}

bt_status bt_chemistry_isomer(const bt_chemistry *chemistry, bt_rdmol **ret_isomer, bt_error *opt_error) {
  return bt_rdmol_isomer(chemistry->mol, (const double(*)[3])chemistry->x, ret_isomer, opt_error);
}

bt_status bt_chemistry_isomer_smiles(const bt_chemistry *opt_chemistry, char **ret_smiles, bt_error *opt_error) {
  *ret_smiles = NULL;
  if (opt_chemistry == NULL || opt_chemistry->mol == NULL) return BT_OK;
  BT_SCOPED int *order = bt_allocate((size_t)opt_chemistry->n_atoms, sizeof *order);
  if (order == NULL) return bt_fail_memory(opt_error);
  bt_rdmol *isomer = NULL;
  BT_TRY(bt_chemistry_isomer(opt_chemistry, &isomer, opt_error));
  bt_status status = bt_rdmol_smiles(isomer, ret_smiles, order, opt_error);
  bt_rdmol_destroy(isomer);
  return status;
}
