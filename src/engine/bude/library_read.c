/* library_read.c - compounds from a library, in memory for one of them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/bude/library.h"

struct bt_bude_library_reader {
  const bt_bude_forcefield *forcefield;
  char *path;
  FILE *records, *compounds; /* each at its own place in the file */
  bt_bude_library_header header;
  uint64_t record;   /* next one */
  uint32_t compound; /* next one */
  uint32_t n_compounds;
  uint64_t size; /* of the file */
};

static bt_status damaged(const bt_bude_library_reader *r, bt_error *opt_error, const char *what) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = r->path},
                 "write the library again; the compounds before this one are intact", "%s at record %llu of %llu", what,
                 (unsigned long long)r->record + 1, (unsigned long long)r->header.records);
}

bool bt_is_bude_library(const char *path) {
  char magic[8];
  FILE *stream = strcmp(path, "-") != 0 ? fopen(path, "rb") : NULL;
  bool is = stream != NULL && fread(magic, sizeof magic, 1, stream) == 1 &&
            memcmp(magic, BT_BUDE_LIBRARY_MAGIC, sizeof magic) == 0;
  if (stream != NULL) fclose(stream);
  return is;
}

static bt_status open_streams(bt_bude_library_reader *r, bt_error *opt_error) {
  r->records = fopen(r->path, "rb");
  r->compounds = fopen(r->path, "rb");
  if (r->records == NULL || r->compounds == NULL)
    return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = r->path}, "check the path and its permissions",
                   "cannot read the file: %s", strerror(errno));
  if (fseek(r->records, 0, SEEK_END) != 0) return damaged(r, opt_error, "no end");
  r->size = (uint64_t)ftell(r->records);
  rewind(r->records);
  return BT_OK;
}

static bt_status read_header(bt_bude_library_reader *r, bt_error *opt_error) {
  bt_bude_library_header *h = &r->header;
  const bt_where where = {.file = r->path};
  if (fread(h, sizeof *h, 1, r->records) != 1 || memcmp(h->magic, BT_BUDE_LIBRARY_MAGIC, sizeof h->magic) != 0)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use a file written by `berth bude library`",
                   "this is not a library of conformers");
  if (h->version != BT_BUDE_LIBRARY_VERSION)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "write the library again", "format version %u, not %u",
                   h->version, BT_BUDE_LIBRARY_VERSION);
  if (h->forcefield != r->forcefield->hash)
    return bt_fail(opt_error, BT_ERR_PARAMETER, where,
                   "name that force field with --forcefield, or write the library again",
                   "the library was typed with another force field");
  if (h->index > r->size || h->records > (r->size - h->index) / sizeof(uint64_t) ||
      h->records > h->index / sizeof(bt_bude_library_record))
    return damaged(r, opt_error, "the file ends too early");
  uint64_t at = h->index + h->records * sizeof(uint64_t);
  if (fseek(r->compounds, (long)at, SEEK_SET) != 0 ||
      fread(&r->n_compounds, sizeof r->n_compounds, 1, r->compounds) != 1)
    return damaged(r, opt_error, "the list of compounds is missing");
  return BT_OK;
}

bt_status bt_bude_library_open(const char *path, const bt_bude_forcefield *forcefield,
                               bt_bude_library_reader **ret_reader, bt_error *opt_error) {
  bt_bude_library_reader *r = bt_allocate(1, sizeof *r);
  if (r == NULL) return bt_fail_memory(opt_error);
  r->forcefield = forcefield;
  r->path = bt_copy_text(path, strlen(path));
  bt_status status = r->path == NULL ? bt_fail_memory(opt_error) : open_streams(r, opt_error);
  if (status == BT_OK) status = read_header(r, opt_error);
  return BT_HAND_OVER(status, r, ret_reader, bt_bude_library_close);
}

void bt_bude_library_close(bt_bude_library_reader *opt_reader) {
  if (opt_reader == NULL) return;
  if (opt_reader->records != NULL) fclose(opt_reader->records);
  if (opt_reader->compounds != NULL) fclose(opt_reader->compounds);
  free(opt_reader->path);
  free(opt_reader);
}

/* Name, to be freed whatever happens, and bonds of the next compound. */
static bt_status read_compound(bt_bude_library_reader *r, bt_mol2 **ret_mol2, char **ret_name, bt_error *opt_error) {
  bt_bude_library_compound c;
  if (fread(&c, sizeof c, 1, r->compounds) != 1) return damaged(r, opt_error, "the list of compounds ends too early");
  char *name = bt_allocate((size_t)c.name_size + 1, 1);
  if (name == NULL) return bt_fail_memory(opt_error);
  *ret_name = name;
  if (c.name_size > 0 && fread(name, c.name_size, 1, r->compounds) != 1)
    return damaged(r, opt_error, "the list of compounds ends too early");
  for (char *at = name; at < name + c.name_size; at++)
    if ((unsigned char)*at < ' ') *at = '_';
  bt_status status = bt_mol2_create(r->path, name, c.atoms, c.bonds, 1, ret_mol2, opt_error);
  for (int i = 0; status == BT_OK && i < c.bonds; i++) {
    bt_bude_library_bond bond;
    if (fread(&bond, sizeof bond, 1, r->compounds) != 1 || bond.a >= c.atoms || bond.b >= c.atoms ||
        bond.order >= BT_BUDE_LIBRARY_ORDERS)
      status = damaged(r, opt_error, "a bond is damaged");
    else {
      (*ret_mol2)->bonds[i] = (bt_mol2_bond){.a = bond.a, .b = bond.b};
      strcpy((*ret_mol2)->bonds[i].order, bt_bude_library_order(bond.order));
    }
  }
  if (status != BT_OK) {
    bt_mol2_destroy(*ret_mol2);
    *ret_mol2 = NULL;
  }
  return status;
}

/* "C.ar" gives "C1", "C2", ... */
static void name_atom(bt_mol2_atom *atom, const char *type, int number) {
  char element[4] = "";
  bt_span_copy((bt_span){type, strcspn(type, ".")}, element, sizeof element);
  snprintf(atom->type, sizeof atom->type, "%s", type);
  snprintf(atom->name, sizeof atom->name, "%s%d", element, number);
  strcpy(atom->residue, "LIG1");
  atom->residue_number = 1;
}

/* Coordinates of one conformer behind those that are there; the first one brings the types. */
static bt_status read_conformer(bt_bude_library_reader *r, bt_mol2 *m, int conformer, bt_error *opt_error) {
  double(*x)[3] = realloc(m->x, ((size_t)conformer + 1) * (size_t)m->n_atoms * sizeof *x + 1);
  if (x == NULL) return bt_fail_memory(opt_error);
  m->x = x;
  for (int i = 0; i < m->n_atoms; i++) {
    bt_bude_atom atom;
    if (fread(&atom, sizeof atom, 1, r->records) != 1) return damaged(r, opt_error, "the file ends too early");
    if (!isfinite(atom.x) || !isfinite(atom.y) || !isfinite(atom.z) || atom.type < 0 ||
        atom.type >= r->forcefield->n_types)
      return damaged(r, opt_error, "an atom is damaged");
    double *at = x[(size_t)conformer * (size_t)m->n_atoms + (size_t)i];
    at[0] = atom.x, at[1] = atom.y, at[2] = atom.z;
    if (conformer == 0) name_atom(&m->atoms[i], r->forcefield->types[atom.type].name, i + 1);
  }
  m->n_conformers = conformer + 1;
  r->record++;
  return BT_OK;
}

static bt_status read_conformers(bt_bude_library_reader *r, bt_mol2 *m, bt_error *opt_error) {
  for (int conformer = 0;; conformer++) {
    bt_bude_library_record record;
    if (r->record == r->header.records) break;
    if (fread(&record, sizeof record, 1, r->records) != 1) return damaged(r, opt_error, "the file ends too early");
    if (record.compound != r->compound) { /* the next compound's */
      if (fseek(r->records, -(long)sizeof record, SEEK_CUR) != 0) return damaged(r, opt_error, "seeking failed");
      if (record.compound != r->compound + 1) return damaged(r, opt_error, "compounds are out of order");
      break;
    }
    if (record.atoms != m->n_atoms) return damaged(r, opt_error, "conformers differ in their number of atoms");
    BT_TRY(read_conformer(r, m, conformer, opt_error));
  }
  r->compound++;
  return m->n_conformers > 0 ? BT_OK : damaged(r, opt_error, "a compound without conformers");
}

bt_status bt_bude_library_next(bt_bude_library_reader *r, bt_bude_compound **ret_compound, bt_error *opt_error) {
  *ret_compound = NULL;
  if (r->compound == r->n_compounds) return BT_OK;
  if (r->compound == 0 && fseek(r->records, sizeof r->header, SEEK_SET) != 0)
    return damaged(r, opt_error, "the file ends too early");
  bt_mol2 *m = NULL;
  BT_SCOPED char *name = NULL;
  BT_TRY(read_compound(r, &m, &name, opt_error));
  m->n_conformers = 0;
  bt_status status = read_conformers(r, m, opt_error);
  if (status == BT_OK)
    status = bt_bude_compound_create(m, name, false, ret_compound, opt_error);
  else
    bt_mol2_destroy(m);
  return status;
}
