/* library_write.c - compounds into a library, in memory for one of them: conformers go into the file, offsets and the
 * list of compounds into files without a name, which are appended at the end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "engine/bude/library.h"
#include "engine/bude/library_format.h"
#include "engine/bude/state.h"

struct bt_bude_library {
  char *path, *aside; /* aside: written there, then renamed */
  FILE *records, *index, *list;
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
  bt_text aside = {0};
  bt_text_printf(&aside, "%s.part-XXXXXX", library->path);
  library->aside = aside.data;
  if (aside.failed) return bt_fail_memory(opt_error);
  int file = mkstemp(library->aside);
  library->records = file >= 0 ? fdopen(file, "wb") : NULL;
  library->index = tmpfile();
  library->list = tmpfile();
  if (library->records == NULL || library->index == NULL || library->list == NULL ||
      !add_bytes(library->records, &library->header, sizeof library->header))
    return cannot_write(library, opt_error);
  library->at = sizeof library->header;
  return BT_OK;
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
                 "%d atoms, %d bonds and %d conformers are more than a record of a library holds", c->n_heavy,
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
  bt_bude_atom *atoms = bt_allocate((size_t)c->n_heavy, sizeof *atoms);
  if (atoms == NULL) return bt_fail_memory(opt_error);
  bool ok = true;
  for (int conformer = 0; ok && conformer < c->mol2->n_conformers; conformer++) {
    bt_bude_library_record record = {library->n_compounds, (uint16_t)conformer, (uint16_t)c->n_heavy};
    bt_bude_compound_atoms(c, conformer, atoms);
    ok = add_bytes(library->index, &library->at, sizeof library->at) &&
         add_bytes(library->records, &record, sizeof record) &&
         add_bytes(library->records, atoms, (size_t)c->n_heavy * sizeof *atoms);
    library->at += sizeof record + (size_t)c->n_heavy * sizeof *atoms;
    library->header.records++;
  }
  free(atoms);
  library->n_compounds++;
  return ok ? add_to_list(library, c, opt_error) : cannot_write(library, opt_error);
}

static bool append(FILE *to, FILE *from) {
  char buffer[1 << 14];
  rewind(from);
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
    if (!add_bytes(to, buffer, n)) return false;
  return ferror(from) == 0;
}

static bool finish(bt_bude_library *library) {
  library->header.index = library->at;
  bool ok = append(library->records, library->index) &&
            add_bytes(library->records, &library->n_compounds, sizeof library->n_compounds) &&
            append(library->records, library->list) && fseek(library->records, 0, SEEK_SET) == 0 &&
            add_bytes(library->records, &library->header, sizeof library->header) && fflush(library->records) == 0 &&
            fchmod(fileno(library->records), 0644) == 0 && fsync(fileno(library->records)) == 0;
  ok = fclose(library->records) == 0 && ok;
  library->records = NULL;
  return ok && rename(library->aside, library->path) == 0;
}

bt_status bt_bude_library_commit(bt_bude_library *library, bt_error *opt_error) {
  bool ok = finish(library);
  bt_status status = ok ? BT_OK : cannot_write(library, opt_error);
  if (ok) {
    free(library->aside);
    library->aside = NULL;
  }
  bt_bude_library_abandon(library);
  return status;
}

void bt_bude_library_abandon(bt_bude_library *opt_library) {
  bt_bude_library *library = opt_library;
  if (library == NULL) return;
  if (library->records != NULL) fclose(library->records);
  if (library->index != NULL) fclose(library->index);
  if (library->list != NULL) fclose(library->list);
  if (library->aside != NULL) unlink(library->aside);
  free(library->aside);
  free(library->path);
  free(library);
}
