/* molecule.c - creation, destruction and simple properties of a molecule. */
#include "chem/molecule.h"

#include <berth/berth.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "chem/chemistry.h"
#include "chem/residue_word.h"

bt_status bt_molecule_create(bt_molecule_kind kind, const char *path, const char *opt_name, bt_molecule **ret_molecule,
                             bt_error *opt_error) {
  bt_molecule *molecule = bt_allocate(1, sizeof *molecule);
  if (molecule == NULL) return bt_fail_memory(opt_error);
  bool named = opt_name != NULL;
  if (!named && strcmp(path, "-") == 0) opt_name = "stdin";
  *molecule =
      (bt_molecule){.kind = kind,
                    .path = bt_copy_text(path, strlen(path)),
                    .name = opt_name != NULL ? bt_copy_text(opt_name, strlen(opt_name)) : bt_path_stem(path, ".pdbqt"),
                    .named = named,
                    .model = 1,
                    .first_line = 1,
                    .torsdof = -1};
  bt_status status = molecule->path != NULL && molecule->name != NULL ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, molecule, ret_molecule, bt_molecule_destroy);
}

void bt_molecule_destroy(bt_molecule *molecule) {
  if (molecule == NULL) return;
  free(molecule->path);
  free(molecule->name);
  free(molecule->opt_parent);
  free(molecule->atoms);
  free(molecule->fragments);
  free(molecule->residues);
  free(molecule->lines);
  free(molecule->opt_behind);
  bt_chemistry_release(molecule->chemistry);
  bt_molecule_list_destroy(molecule->conformers, molecule->n_conformers);
  free(molecule);
}

void bt_molecule_list_destroy(bt_molecule **list, int count) {
  if (list == NULL) return;
  for (int i = 0; i < count; i++) bt_molecule_destroy(list[i]);
  free(list);
}

/* One allocation, as readers make it. */
static char **copy_lines(const bt_molecule *from) {
  size_t size = (size_t)from->n_lines * sizeof *from->lines;
  for (int i = 0; i < from->n_lines; i++) size += strlen(from->lines[i]) + 1;
  char **lines = bt_allocate(size + 1, 1), *at = (char *)(lines + from->n_lines);
  for (int i = 0; lines != NULL && i < from->n_lines; i++) {
    lines[i] = at;
    at = stpcpy(at, from->lines[i]) + 1;
  }
  return lines;
}

static char *copy_text(const char *opt_text) {
  return opt_text != NULL ? bt_copy_text(opt_text, strlen(opt_text)) : NULL;
}

static void *copy_array(const void *from, int count, size_t size) {
  void *to = bt_allocate((size_t)count + 1, size);
  if (to != NULL && count > 0) memcpy(to, from, (size_t)count * size);
  return to;
}

bt_status bt_molecule_copy(const bt_molecule *molecule, const double (*x)[3], const double (*opt_all_x)[3],
                           bt_molecule **ret_copy, bt_error *opt_error) {
  bt_molecule *copy;
  BT_TRY(bt_molecule_create(molecule->kind, molecule->path, molecule->name, &copy, opt_error));
  char *path = copy->path, *name = copy->name;
  *copy = *molecule;
  copy->path = path;
  copy->name = name;
  copy->conformers = NULL;
  copy->n_conformers = 0;
  copy->chemistry = NULL;
  copy->atoms = copy_array(molecule->atoms, molecule->n_atoms, sizeof *copy->atoms);
  copy->fragments = copy_array(molecule->fragments, molecule->n_fragments, sizeof *copy->fragments);
  copy->residues = copy_array(molecule->residues, molecule->n_residues, sizeof *copy->residues);
  copy->lines = copy_lines(molecule);
  copy->opt_behind = copy_text(molecule->opt_behind);
  copy->opt_parent = copy_text(molecule->opt_parent);
  bool complete = copy->atoms != NULL && copy->fragments != NULL && copy->residues != NULL && copy->lines != NULL &&
                  (copy->opt_behind != NULL) == (molecule->opt_behind != NULL) &&
                  (copy->opt_parent != NULL) == (molecule->opt_parent != NULL);
  for (int i = 0; complete && i < copy->n_atoms; i++) memcpy(copy->atoms[i].x, x[i], sizeof copy->atoms[i].x);
  bt_status status = complete ? BT_OK : bt_fail_memory(opt_error);
  if (status == BT_OK && molecule->chemistry != NULL)
    status = bt_chemistry_copy(molecule->chemistry, opt_all_x, &copy->chemistry, opt_error);
  return BT_HAND_OVER(status, copy, ret_copy, bt_molecule_destroy);
}

bt_status bt_molecules_add(bt_molecules *list, bt_molecule *molecule, bt_error *opt_error) {
  if (BT_APPEND(list->items, list->count, &list->room, molecule)) return BT_OK;
  bt_molecule_destroy(molecule);
  return bt_fail_memory(opt_error);
}

void bt_molecules_destroy(bt_molecules *list) {
  bt_molecule_list_destroy(list->items, (int)list->count);
  *list = (bt_molecules){0};
}

const char *bt_molecule_name(const bt_molecule *molecule) { return molecule->name; }
const char *bt_molecule_tether(const bt_molecule *molecule) { return molecule->tether; }
int bt_molecule_atom_count(const bt_molecule *molecule) { return molecule->n_atoms; }
int bt_molecule_conformer_count(const bt_molecule *molecule) { return 1 + molecule->n_conformers; }

int bt_atom_residue_reading(const bt_atom *atom, bt_span word) {
  const char chain[2] = {atom->chain == ' ' ? '\0' : atom->chain, '\0'};
  bt_residue_id id = {.chain = chain, .name = atom->resname, .number = atom->resnum, .icode = atom->icode};
  return bt_residue_word_fits(word, &id);
}

int bt_molecule_residue_reading(const bt_molecule *molecule, bt_span word) {
  int reading = 0;
  for (int i = 0; i < molecule->n_atoms; i++) {
    int of = bt_atom_residue_reading(&molecule->atoms[i], word);
    if (of > 0 && (reading == 0 || of < reading)) reading = of;
  }
  return reading;
}

bt_status bt_molecule_extent(const bt_molecule *molecule, const char *opt_residue, double ret_low[3],
                             double ret_high[3], bt_error *opt_error) {
  bt_span word = bt_span_from(opt_residue != NULL ? opt_residue : "");
  int count = 0, reading = opt_residue != NULL ? bt_molecule_residue_reading(molecule, word) : 0;
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *atom = &molecule->atoms[i];
    if (opt_residue != NULL && (reading == 0 || bt_atom_residue_reading(atom, word) != reading)) continue;
    for (int k = 0; k < 3; k++) {
      if (count == 0 || atom->x[k] < ret_low[k]) ret_low[k] = atom->x[k];
      if (count == 0 || atom->x[k] > ret_high[k]) ret_high[k] = atom->x[k];
    }
    count++;
  }
  if (count > 0) return BT_OK;
  bt_where where = {.file = molecule->path};
  if (opt_residue != NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "name a residue that the file has", "no atom of a residue %s",
                   opt_residue);
  return bt_fail(opt_error, BT_ERR_INPUT, where, "use a file with atoms", "no atoms");
}
