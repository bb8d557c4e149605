/* earlier.c - detects prepared files of another molecule at the output's path. As a folder or file may collect ligands
 * of many runs, files are identified by their molecule, regardless of pH: by SMILES if known, otherwise by atoms and
 * bonds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text/text.h"
#include "common/report.h"
#include "output/origin.h"
#include "prep/prep.h"

static const char smiles[] = "REMARK SMILES ";

static void add_line(bt_text *identity, bt_span line) {
  bt_text_add(identity, line.text, line.size);
  bt_text_add_char(identity, '\n');
}

/* Adds a SMILES without what depends on pH: hydrogens and charges in brackets. */
static void add_smiles(bt_text *identity, bt_span line) {
  bool bracket = false;
  for (size_t i = strlen(smiles); i < line.size; i++) {
    char c = line.text[i];
    bool counted = bracket && (c == '+' || c == '-' || (c == 'H' && line.text[i - 1] != '['));
    if (c == '[' || c == ']') {
      bracket = c == '[';
    } else if (!counted) {
      bt_text_add_char(identity, c);
    } else {
      while (i + 1 < line.size && line.text[i + 1] >= '0' && line.text[i + 1] <= '9') i++;
    }
  }
  bt_text_add_char(identity, '\n');
}

/* The SMILES, or the names of all atoms except hydrogens. */
static void identify_pdbqt(bt_lines lines, bt_text *identity) {
  for (bt_span line; bt_lines_next(&lines, &line);) {
    if (bt_span_starts(line, smiles)) {
      add_smiles(identity, line);
      return;
    }
    bt_span name = bt_span_trim(bt_span_columns(line, 12, 16));
    if ((bt_span_starts(line, "ATOM") || bt_span_starts(line, "HETATM")) && !bt_span_starts(name, "H"))
      add_line(identity, name);
  }
}

/* The title, elements and bonds, except those of hydrogens, of the first record. */
static void identify_sdf(bt_lines lines, bt_text *identity) {
  enum { ATOMS = 4, MOST = 1000, ELEMENT = 31 };
  bool heavy[MOST] = {false};
  int atoms = 0, bonds = 0;
  for (bt_span line; bt_lines_next(&lines, &line) && !bt_span_starts(line, "M  END");) {
    int first = 0, second = 0;
    bool numbers =
        bt_parse_int(bt_span_columns(line, 0, 3), &first) && bt_parse_int(bt_span_columns(line, 3, 6), &second);
    bool within = first > 0 && first < MOST && second > 0 && second < MOST;
    if (lines.number == 1) add_line(identity, line);
    if (lines.number == ATOMS && numbers && first < MOST) atoms = first, bonds = second;
    if (lines.number <= ATOMS) continue;
    long k = lines.number - ATOMS;
    bt_span element = bt_span_trim(bt_span_columns(line, ELEMENT, ELEMENT + 3));
    if (k <= atoms && (heavy[k] = !bt_span_equals(element, "H"))) add_line(identity, element);
    if (k > atoms && k <= atoms + bonds && within && heavy[first] && heavy[second])
      add_line(identity, bt_span_columns(line, 0, 9));
    if (atoms == 0) add_line(identity, line); /* not V2000 */
  }
}

static bt_status identify(const char *text, size_t size, bool sdf, bt_text *identity, bt_error *opt_error) {
  (sdf ? identify_sdf : identify_pdbqt)(bt_lines_of(text, size), identity);
  bt_text_add_char(identity, '.');
  return bt_text_status(identity, opt_error);
}

/* Reads no more than a record, as the file may be a library. */
static bt_status read_start(const char *path, size_t most, char **ret_text, size_t *ret_size, bt_error *opt_error) {
  *ret_text = malloc(most);
  if (*ret_text == NULL) return bt_fail_memory(opt_error);
  FILE *stream = fopen(path, "rb");
  *ret_size = stream != NULL ? fread(*ret_text, 1, most, stream) : 0;
  bool failed = stream == NULL || ferror(stream) != 0;
  if (stream != NULL) fclose(stream);
  return failed ? cli_origin_refuse(path, "this file cannot be read", opt_error) : BT_OK;
}

bt_status prep_check_earlier(const char *path, const char *text, bool sdf, bt_error *opt_error) {
  struct stat info;
  if (lstat(path, &info) != 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode))) return BT_OK;
  BT_SCOPED char *before = NULL;
  BT_ENDED_BY(bt_text_destroy) bt_text ours = {0}, theirs = {0};
  size_t size = 0;
  BT_TRY(read_start(path, 2 * strlen(text) + 4096, &before, &size, opt_error));
  BT_TRY(identify(before, size, sdf, &theirs, opt_error));
  BT_TRY(identify(text, strlen(text), sdf, &ours, opt_error));
  if (strcmp(ours.data, theirs.data) == 0) return BT_OK;
  return cli_origin_refuse(path, "this file is of another molecule", opt_error);
}
