/* library_write.c - compounds into a library, in memory for one of them: conformers go into the file, offsets and the
 * list of compounds into files without a name, which are appended at the end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "engine/bude/library.h"
#include "engine/bude/state.h"

struct bt_bude_library {
  bt_file_writer *file;
  char *path;
  FILE *index, *list;
  bt_bude_library_header header;
  uint64_t at; /* bytes of records */
  uint32_t n_compounds;
};

static bt_status cannot_write(const bt_bude_library *library, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = library->path},
                 "check the path, its permissions and the disk", "cannot write the file: %s", strerror(errno));
}

static bool add_bytes(FILE *stream, const void *data, size_t size) {
  return size == 0 || fwrite(data, size, 1, stream) == 1;
}

static bt_status open_files(bt_bude_library *library, bt_error *opt_error) {
  BT_TRY(bt_file_writer_open(library->path, &library->file, opt_error));
  library->index = tmpfile();
  library->list = tmpfile();
  if (library->index == NULL || library->list == NULL) return cannot_write(library, opt_error);
  library->at = sizeof library->header;
  return bt_file_writer_add(library->file, (const char *)&library->header, sizeof library->header, opt_error);
}

bt_status bt_bude_library_create(const bt_bude *bude, const char *path, bt_bude_library **ret_library,
                                 bt_error *opt_error) {
  bt_bude_library *library = bt_allocate(1, sizeof *library);
  if (library == NULL) return bt_fail_memory(opt_error);
  library->header = (bt_bude_library_header){.version = BT_BUDE_LIBRARY_VERSION, .forcefield = bude->forcefield->hash};
  memcpy(library->header.magic, BT_BUDE_LIBRARY_MAGIC, sizeof library->header.magic);
  library->path = bt_copy_text(path, strlen(path));
  bt_status status = library->path == NULL ? bt_fail_memory(opt_error) : open_files(library, opt_error);
  return BT_HAND_OVER(status, library, ret_library, bt_bude_library_abandon);
}

static uint16_t order_of(const char *order) {
  for (int i = 0; i < BT_BUDE_LIBRARY_ORDERS; i++)
    if (strcmp(bt_bude_library_order(i), order) == 0) return (uint16_t)i;
  return 0;
}

static bt_status check(const bt_bude_library *library, const bt_bude_compound *c, bt_error *opt_error) {
  if (c->n_heavy <= UINT16_MAX && c->mol2->n_bonds <= UINT16_MAX && c->mol2->n_conformers <= UINT16_MAX &&
      library->n_compounds < UINT32_MAX)
    return BT_OK;
  return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = library->path}, "leave this ligand out",
                 "%d atoms, %d bonds and %d conformers exceed the limits of a library record", c->n_heavy,
                 c->mol2->n_bonds, c->mol2->n_conformers);
}

/* Bonds between heavy atoms. */
static bt_status add_to_list(bt_bude_library *library, const bt_bude_compound *c, bt_error *opt_error) {
  const bt_mol2 *m = c->mol2;
  BT_SCOPED int *place = bt_allocate((size_t)m->n_atoms, sizeof *place);
  if (place == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < m->n_atoms; i++) place[i] = -1;
  for (int i = 0; i < c->n_heavy; i++) place[c->heavy[i]] = i;
  size_t length = strlen(c->name);
  bt_bude_library_compound entry = {.name_size = (uint16_t)(length < UINT16_MAX ? length : UINT16_MAX),
                                    .atoms = (uint16_t)c->n_heavy};
  for (int i = 0; i < m->n_bonds; i++) entry.bonds += place[m->bonds[i].a] >= 0 && place[m->bonds[i].b] >= 0;
  bool ok = add_bytes(library->list, &entry, sizeof entry) && add_bytes(library->list, c->name, entry.name_size);
  for (int i = 0; ok && i < m->n_bonds; i++) {
    int a = place[m->bonds[i].a], b = place[m->bonds[i].b];
    if (a < 0 || b < 0) continue;
    bt_bude_library_bond bond = {(uint16_t)a, (uint16_t)b, order_of(m->bonds[i].order)};
    ok = add_bytes(library->list, &bond, sizeof bond);
  }
  return ok ? BT_OK : cannot_write(library, opt_error);
}

bt_status bt_bude_library_add(bt_bude_library *library, const bt_bude_compound *c, bt_error *opt_error) {
  BT_TRY(check(library, c, opt_error));
  const size_t size = (size_t)c->n_heavy * sizeof(bt_bude_atom);
  BT_SCOPED bt_bude_atom *atoms = bt_allocate(size, 1);
  if (atoms == NULL) return bt_fail_memory(opt_error);
  for (int conformer = 0; conformer < c->mol2->n_conformers; conformer++) {
    bt_bude_library_record record = {library->n_compounds, (uint16_t)conformer, (uint16_t)c->n_heavy};
    bt_bude_compound_atoms(c, conformer, atoms);
    if (!add_bytes(library->index, &library->at, sizeof library->at)) return cannot_write(library, opt_error);
    BT_TRY(bt_file_writer_add(library->file, (const char *)&record, sizeof record, opt_error));
    BT_TRY(bt_file_writer_add(library->file, (const char *)atoms, size, opt_error));
    library->at += sizeof record + size;
    library->header.records++;
  }
  library->n_compounds++;
  return add_to_list(library, c, opt_error);
}

static bt_status append(bt_bude_library *library, FILE *from, bt_error *opt_error) {
  char buffer[1 << 14];
  rewind(from);
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
    BT_TRY(bt_file_writer_add(library->file, buffer, n, opt_error));
  return ferror(from) == 0 ? BT_OK : cannot_write(library, opt_error);
}

static bt_status finish(bt_bude_library *library, bt_error *opt_error) {
  library->header.index = library->at;
  BT_TRY(append(library, library->index, opt_error));
  BT_TRY(bt_file_writer_add(library->file, (const char *)&library->n_compounds, sizeof library->n_compounds,
                            opt_error));
  BT_TRY(append(library, library->list, opt_error));
  BT_TRY(bt_file_writer_patch(library->file, 0, (const char *)&library->header, sizeof library->header, opt_error));
  bt_file_writer *file = library->file;
  library->file = NULL;
  return bt_file_writer_commit(file, opt_error);
}

bt_status bt_bude_library_commit(bt_bude_library *library, bt_error *opt_error) {
  bt_status status = finish(library, opt_error);
  bt_bude_library_abandon(library);
  return status;
}

void bt_bude_library_abandon(bt_bude_library *opt_library) {
  if (opt_library == NULL) return;
  bt_file_writer_abandon(opt_library->file);
  if (opt_library->index != NULL) fclose(opt_library->index);
  if (opt_library->list != NULL) fclose(opt_library->list);
  free(opt_library->path);
  free(opt_library);
}
