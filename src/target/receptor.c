/* receptor.c - a receptor from a structure that is prepared, from PDBQT, or known by its maps alone. */
#include "target/receptor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "chem/molecule.h"
#include "prep/receptor/superpose.h"

static bool ends(const char *path, const char *ending) {
  size_t n = strlen(path), e = strlen(ending);
  return n >= e && strcmp(path + n - e, ending) == 0;
}

bool bt_receptor_is_maps(const bt_receptor *receptor) { return receptor->rigid == NULL; }

/* True for residues: the word neither is nor looks like the name of a file. */
static bool names_residues(const char *opt_word) {
  return opt_word != NULL && access(opt_word, F_OK) != 0 && strpbrk(opt_word, "./") == NULL;
}

static bt_status read_one(const char *path, bt_molecule_kind kind, const char *what, bt_molecule ***ret_list,
                          int *ret_count, bt_error *opt_error) {
  BT_TRY(bt_molecule_read(path, kind, ret_list, ret_count, opt_error));
  if (*ret_count == 1) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "leave only one in the file",
                 "%d models, but one %s is needed", *ret_count, what);
}

static bt_status prepare(const bt_receptor_source *source, const char *path, bt_receptor *r, bt_error *opt_error) {
  bt_receptor_options options = source->opt_prepare != NULL ? *source->opt_prepare : bt_receptor_options_default();
  if (source->opt_onto != NULL) options.opt_onto = source->opt_onto->rigid;
  if (names_residues(source->opt_flexible)) options.flexible = &source->opt_flexible, options.n_flexible = 1;
  BT_TRY(bt_receptor_prepare(path, &options, &r->prepared, opt_error));
  r->rigid = bt_prepared_receptor_rigid(r->prepared);
  r->flexible = bt_prepared_receptor_flexible(r->prepared);
  return BT_OK;
}

/* A receptor that is used as it was prepared. */
static bt_status superpose(const bt_receptor_source *source, bt_molecule *rigid, bt_error *opt_error) {
  const bt_receptor_options *options = source->opt_prepare;
  const bt_molecule *onto = source->opt_onto != NULL ? source->opt_onto->rigid
                          : options != NULL          ? options->opt_onto
                                                     : NULL;
  bt_superposition motion;
  if (onto == NULL || options == NULL) return BT_OK;
  BT_TRY(bt_superpose_molecule(rigid, onto, options->box_center, options->box_size, &motion, opt_error));
  for (int i = 0; i < rigid->n_atoms; i++) bt_superposition_move(&motion, rigid->atoms[i].x);
  return BT_OK;
}

static bt_status load(const bt_receptor_source *source, const char *path, bt_receptor *r, bt_error *opt_error) {
  const char *flexible = source->opt_flexible;
  bool residues = names_residues(flexible);
  if (flexible != NULL && !residues) {
    if ((r->flexible_path = strdup(flexible)) == NULL) return bt_fail_memory(opt_error);
    BT_TRY(
        read_one(flexible, BT_MOLECULE_FLEXIBLE, "set of residues", &r->flexible_list, &r->n_flexible_list, opt_error));
  }
  if (bt_is_structure_file(path)) {
    BT_TRY(prepare(source, path, r, opt_error));
  } else if (residues) {
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path},
                   "use a PDB or mmCIF file as receptor, or --flex FILE.pdbqt",
                   "flexible residues can be named only in a PDB or mmCIF file");
  } else if (!ends(path, ".fld")) {
    BT_TRY(read_one(path, BT_MOLECULE_RECEPTOR, "receptor", &r->list, &r->n_list, opt_error));
    BT_TRY(superpose(source, r->list[0], opt_error));
    r->rigid = r->list[0];
  }
  if (r->n_flexible_list > 0) r->flexible = r->flexible_list[0];
  return BT_OK;
}

/* Readers of structures and propka open files, so that a text becomes one, under the caller's name. */
static bt_status load_text(const bt_receptor_source *source, bt_receptor *r, bt_error *opt_error) {
  char folder[] = "/tmp/berth-XXXXXX", path[sizeof folder + 256];
  const char *slash = strrchr(source->path, '/'), *name = slash != NULL ? slash + 1 : source->path;
  if (mkdtemp(folder) == NULL)
    return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = folder}, "check that it can be written",
                   "cannot create a temporary folder");
  snprintf(path, sizeof path, "%s/%.200s", folder, name);
  bt_status status = bt_file_write(path, source->opt_text, strlen(source->opt_text), opt_error);
  if (status == BT_OK) status = load(source, path, r, opt_error);
  unlink(path);
  rmdir(folder);
  return status;
}

bt_status bt_receptor_open(const bt_receptor_source *source, bt_receptor **ret_receptor, bt_error *opt_error) {
  *ret_receptor = NULL;
  bt_receptor *r = calloc(1, sizeof *r);
  if (r == NULL) return bt_fail_memory(opt_error);
  bt_status status = (r->path = strdup(source->path)) != NULL ? BT_OK : bt_fail_memory(opt_error);
  if (status == BT_OK)
    status = source->opt_text != NULL ? load_text(source, r, opt_error) : load(source, source->path, r, opt_error);
  return BT_HAND_OVER(status, r, ret_receptor, bt_receptor_close);
}

void bt_receptor_close(bt_receptor *opt_receptor) {
  bt_receptor *r = opt_receptor;
  if (r == NULL) return;
  bt_prepared_receptor_destroy(r->prepared);
  bt_molecule_list_destroy(r->list, r->n_list);
  bt_molecule_list_destroy(r->flexible_list, r->n_flexible_list);
  free(r->flexible_path);
  free(r->path);
  free(r);
}

const bt_molecule *bt_receptor_rigid(const bt_receptor *receptor) { return receptor->rigid; }
const bt_molecule *bt_receptor_flexible(const bt_receptor *receptor) { return receptor->flexible; }
const bt_prepared_receptor *bt_receptor_prepared(const bt_receptor *receptor) { return receptor->prepared; }
