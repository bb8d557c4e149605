/* structure.c - structure files: checks before gemmi reads them, and the parts in plain C. */
#include "formats/structure.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/files/unpack.h"
#include "base/memory.h"
#include "formats/wide_names.h"

enum { LARGEST_TEXT = 256 << 20 }; /* bytes, unpacked: two million atoms; a compressed file may hold any number */
static const double LARGEST_COORDINATE = 99999.0; /* Angstrom */

/* PDB text for gemmi: only the records needed here, without the line numbers that old entries have in columns 77-80,
 * without formal charges, and with a final newline. */
static void keep_pdb_line(bt_text *text, bt_span line, bt_wide_names *wide) {
  size_t size = line.size < 80 ? line.size : 80;
  char kept[80];
  memset(kept, ' ', sizeof kept);
  memcpy(kept, line.text, size);
  if (!isalpha((unsigned char)kept[76]) && !isalpha((unsigned char)kept[77])) memset(kept + 76, ' ', 2);
  if (bt_span_starts(line, "ATOM") || bt_span_starts(line, "HETATM")) {
    memset(kept + 78, ' ', 2);
    bt_wide_names_encode(wide, kept);
  }
  bt_text_add(text, kept, sizeof kept);
  bt_text_add_char(text, '\n');
}

static bt_status check_atom_line(bt_span line, const char *label, long number, bt_error *opt_error) {
  bt_where where = {.file = label, .line = number};
  for (size_t i = 0; i < line.size && i < 80; i++)
    if ((unsigned char)line.text[i] >= 127 || (unsigned char)line.text[i] < 32)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "write the line in plain ASCII",
                     "an atom line has a character that is not ASCII in column %d", (int)i + 1);
  for (int k = 0; k < 3; k++) {
    double x;
    bt_span field = bt_span_columns(line, 30 + 8 * (size_t)k, 38 + 8 * (size_t)k);
    if (!bt_parse_double(field, &x) || fabs(x) > LARGEST_COORDINATE)
      return bt_fail(opt_error, BT_ERR_INPUT, where,
                     "atoms of a PDB file need fixed columns: x 31-38, y 39-46, z 47-54",
                     "%c is not a coordinate: '%.*s'", "xyz"[k], (int)field.size, field.text);
  }
  return BT_OK;
}

/* Copies the lines that are wanted; counts models and atoms. */
static bt_status filter_pdb(const char *label, const char *data, size_t size, bt_text *text, bt_wide_names *wide,
                            bt_error *opt_error) {
  static const char *const wanted[] = {"TER", "MODEL", "ENDMDL", "SEQRES", "SSBOND", "LINK  ", "LINK\t"};
  bt_lines lines = bt_lines_of(data, size);
  bt_span line;
  bool atoms = false;
  while (bt_lines_next(&lines, &line)) {
    bool atom = bt_span_starts(line, "ATOM  ") || bt_span_starts(line, "HETATM");
    if (atom) BT_TRY(check_atom_line(line, label, lines.number, opt_error));
    atoms = atoms || atom;
    bool keep = atom;
    for (size_t k = 0; !keep && k < sizeof wanted / sizeof *wanted; k++) keep = bt_span_starts(line, wanted[k]);
    if (keep) keep_pdb_line(text, line, wide);
    if (bt_span_equals(bt_span_trim(line), "END")) break;
  }
  if (!atoms)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "use a PDB or mmCIF file with coordinates",
                   "no atoms (ATOM or HETATM records)");
  return bt_text_status(text, opt_error);
}

/* mmCIF begins with `data_`, after comments and blank lines. */
static bool is_mmcif(const char *data, size_t size) {
  bt_lines lines = bt_lines_of(data, size);
  bt_span line;
  while (bt_lines_next(&lines, &line)) {
    line = bt_span_trim(line);
    if (line.size == 0 || line.text[0] == '#') continue;
    return line.size > 5 && strncasecmp(line.text, "data_", 5) == 0;
  }
  return false;
}

static bt_status check_result(const char *label, const bt_structure *s, bt_error *opt_error) {
  bt_where where = {.file = label};
  if (s->n_atoms == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use a PDB or mmCIF file with coordinates", "model %d has no atoms",
                   s->model);
  for (int i = 0; i < s->n_atoms; i++)
    for (int k = 0; k < 3; k++)
      if (!(fabs(s->atoms[i].x[k]) <= LARGEST_COORDINATE)) {
        where.atom = s->atoms[i].serial;
        return bt_fail(opt_error, BT_ERR_INPUT, where, "correct the atom, or remove it", "%c is not a coordinate",
                       "xyz"[k]);
      }
  return BT_OK;
}

/* Names of four letters take the place of their codes. */
static bt_status restore_names(bt_structure *s, const bt_wide_names *wide, bt_error *opt_error) {
  const char *name;
  for (int i = 0; i < s->n_residues; i++)
    if ((name = bt_wide_names_decode(wide, s->residues[i].name)) != NULL) memcpy(s->residues[i].name, name, 5);
  if (s->notes == NULL || wide->count == 0) return BT_OK;
  BT_ENDED_BY(bt_text_destroy) bt_text notes = {0};
  for (const char *c = s->notes; *c != '\0';) {
    name = bt_wide_names_decode(wide, c);
    bt_text_add(&notes, name != NULL ? name : c, name != NULL ? 4 : 1);
    c += name != NULL ? 3 : 1;
  }
  free(s->notes);
  s->notes = NULL;
  return bt_text_take(&notes, &s->notes, opt_error);
}

static bt_status read_text(const char *path, const char *data, size_t size, int model, bt_structure *s,
                           bt_error *opt_error) {
  const char *label = bt_file_label(path);
  bt_where where = {.file = label};
  BT_TRY(bt_text_check(label, data, size, "use a PDB or mmCIF file", opt_error));
  if (size > LARGEST_TEXT)
    return bt_fail(opt_error, BT_ERR_LIMIT, where, "keep the chains around the site", "the file has more than %d MiB",
                   LARGEST_TEXT >> 20);
  if (is_mmcif(data, size)) {
    BT_TRY(bt_structure_parse(label, data, size, true, model, s, opt_error));
  } else {
    BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
    BT_SCOPED bt_wide_names *wide = bt_allocate(1, sizeof *wide);
    if (wide == NULL) return bt_fail_memory(opt_error);
    bt_wide_names_scan(wide, data, size);
    BT_TRY(filter_pdb(label, data, size, &text, wide, opt_error));
    BT_TRY(bt_structure_parse(label, text.data, text.size, false, model, s, opt_error));
    BT_TRY(restore_names(s, wide, opt_error));
  }
  return check_result(label, s, opt_error);
}

bt_status bt_structure_from_memory(const char *path, const char *data, size_t size, int model,
                                   bt_structure **ret_structure, bt_error *opt_error) {
  *ret_structure = NULL;
  bt_structure *s = calloc(1, sizeof *s);
  if (s == NULL) return bt_fail_memory(opt_error);
  s->path = bt_copy_text(path, strlen(path));
  s->model = model;
  BT_SCOPED char *plain = NULL;
  bt_status status = s->path == NULL ? bt_fail_memory(opt_error) : BT_OK;
  if (status == BT_OK && bt_is_packed(data, size)) {
    status = bt_unpack_memory(bt_file_label(path), data, size, LARGEST_TEXT, &plain, &size, opt_error);
    data = plain;
  }
  if (status == BT_OK) status = read_text(path, data, size, model, s, opt_error);
  return BT_HAND_OVER(status, s, ret_structure, bt_structure_destroy);
}

bt_status bt_structure_read(const char *path, int model, bt_structure **ret_structure, bt_error *opt_error) {
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_TRY(bt_file_read_most(path, LARGEST_TEXT, &data, &size, opt_error));
  return bt_structure_from_memory(path, data, size, model, ret_structure, opt_error);
}

void bt_structure_destroy(bt_structure *opt_structure) {
  if (opt_structure == NULL) return;
  free(opt_structure->path);
  free(opt_structure->notes);
  free(opt_structure->atoms);
  free(opt_structure->residues);
  free(opt_structure->links);
  free(opt_structure);
}

const char *bt_structure_residue_text(const bt_structure_residue *residue, char *buffer, size_t size) {
  char icode[2] = {residue->icode == ' ' ? '\0' : residue->icode, '\0'};
  snprintf(buffer, size, "%s:%s%s%d%s", residue->chain, residue->name,
           isdigit((unsigned char)residue->name[strlen(residue->name) > 0 ? strlen(residue->name) - 1 : 0]) ? ":" : "",
           residue->number, icode);
  return buffer;
}
