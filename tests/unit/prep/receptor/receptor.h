/* receptor.h - receptors from texts and files, for the tests of preparation. Include after unit/support.h. */
#ifndef BERTH_TESTS_UNIT_PREP_RECEPTOR_RECEPTOR_H
#define BERTH_TESTS_UNIT_PREP_RECEPTOR_RECEPTOR_H

#include <berth/prepare.h>
#include <math.h>

#include "base/files/file.h"
#include "base/text/text.h"
#include "chem/molecule.h"
#include "unit/prep/built.h"
#include "unit/support.h"

#define PEPTIDE BERTH_SOURCE_DIR "/tests/data/peptide.pdb"
#define NUCLEIC BERTH_SOURCE_DIR "/tests/data/nucleic.pdb"

static inline void needs_gemmi(void) {
  if (*bt_gemmi_version() == '\0') {
    print_message("skipped: this build has no gemmi\n");
    skip();
  }
}

/* A file in a new folder; path is static, one at a time. */
static inline const char *file_of(const char *name, const char *text) {
  static char path[600];
  char folder[512];
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  bt_error error = {0};
  support_ok(bt_file_write(path, text, strlen(text), &error), &error);
  return path;
}

/* The text of PEPTIDE; to be freed. */
static inline char *peptide(void) {
  char *data;
  size_t size;
  bt_error error = {0};
  support_ok(bt_file_read(PEPTIDE, &data, &size, &error), &error);
  return data;
}

/* The peptide with lines added behind it. */
static inline const char *peptide_with(const char *lines) {
  char *text = peptide(), *end = strstr(text, "END");
  *end = '\0';
  bt_text all = {0};
  bt_text_printf(&all, "%s%sEND\n", text, lines);
  assert_false(all.failed);
  const char *path = file_of("with.pdb", all.data);
  bt_text_destroy(&all);
  free(text);
  return path;
}

static inline bt_prepared_receptor *prepared(const char *path, const bt_receptor_options *options) {
  bt_prepared_receptor *p = NULL;
  bt_error error = {0};
  bt_receptor_options usual = bt_receptor_options_default();
  support_ok(bt_receptor_prepare(path, options != NULL ? options : &usual, &p, &error), &error);
  check_built(bt_prepared_receptor_rigid(p));
  if (bt_prepared_receptor_flexible(p) != NULL) check_built(bt_prepared_receptor_flexible(p));
  return p;
}

static inline void refused(const char *path, const bt_receptor_options *options, bt_status status, const char *words) {
  bt_prepared_receptor *p = NULL;
  bt_error error = {0};
  bt_receptor_options usual = bt_receptor_options_default();
  support_failed(bt_receptor_prepare(path, options != NULL ? options : &usual, &p, &error), status, &error, words);
  assert_null(p);
}

/* The atom of a residue by name; NULL. */
static inline const bt_atom *atom_named(const bt_molecule *molecule, int number, const char *name) {
  for (int i = 0; i < molecule->n_atoms; i++)
    if (molecule->atoms[i].resnum == number && strcmp(molecule->atoms[i].name, name) == 0) return &molecule->atoms[i];
  return NULL;
}

static inline int count_type(const bt_molecule *molecule, int number, const char *type) {
  int count = 0;
  for (int i = 0; i < molecule->n_atoms; i++)
    count += (number < 0 || molecule->atoms[i].resnum == number) && strcmp(molecule->atoms[i].type, type) == 0;
  return count;
}

static inline double charge_of(const bt_molecule *molecule, int number) {
  double sum = 0.0;
  for (int i = 0; i < molecule->n_atoms; i++)
    if (number < 0 || molecule->atoms[i].resnum == number) sum += molecule->atoms[i].charge;
  return sum;
}

static inline double apart(const bt_atom *a, const bt_atom *b) {
  return sqrt(pow(a->x[0] - b->x[0], 2) + pow(a->x[1] - b->x[1], 2) + pow(a->x[2] - b->x[2], 2));
}

/* Does the report's line of this residue hold the words? */
static inline bool reported(const bt_prepared_receptor *p, const char *residue, const char *words) {
  const char *at = strstr(bt_prepared_receptor_report(p), "\nResidues\n");
  bt_lines lines = bt_lines_of(at, strlen(at));
  char start[48], text[1024];
  snprintf(start, sizeof start, "  %s ", residue);
  for (bt_span line; bt_lines_next(&lines, &line);) {
    bt_span_copy(line, text, sizeof text);
    if (strncmp(text, start, strlen(start)) == 0) return strstr(text, words) != NULL;
  }
  return false;
}

#endif
