/* flexible.c - the side chains near a ligand (--flexdist), and those that are named (--flexres). */
#include <berth/berth.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "common/report.h"
#include "gnina/gnina.h"

/* --- atoms --------------------------------------------------------------------------------------------- */

/* Columns of PDB and PDBQT. */
static bool read_atom(bt_span line, double x[3]) {
  if (!bt_span_starts(line, "ATOM") && !bt_span_starts(line, "HETATM")) return false;
  bt_span name = bt_span_trim(bt_span_columns(line, 12, 16));
  while (name.size > 0 && isdigit((unsigned char)name.text[0])) name.text++, name.size--;
  bool heavy = name.size > 0 && name.text[0] != 'H';
  for (int k = 0; k < 3 && heavy; k++)
    heavy = bt_parse_double(bt_span_columns(line, 30 + 8 * (size_t)k, 38 + 8 * (size_t)k), &x[k]);
  return heavy;
}

static bt_status add_text(gnina_points *points, const char *text, size_t size, bt_error *error) {
  bt_lines lines = bt_lines_of(text, size);
  for (bt_span line; bt_lines_next(&lines, &line);) {
    double x[3];
    if (!read_atom(line, x)) continue;
    if (!BT_GROW(points->x, &points->capacity, points->count + 1)) return bt_fail_memory(error);
    memcpy(points->x[points->count++], x, sizeof x);
  }
  return BT_OK;
}

bt_status gnina_points_add(gnina_points *points, const bt_molecule *molecule, bt_error *error) {
  BT_SCOPED char *text = NULL;
  BT_TRY(bt_molecule_pdbqt(molecule, &text, error));
  return add_text(points, text, strlen(text), error);
}

void gnina_points_free(gnina_points *points) {
  free(points->x);
  *points = (gnina_points){.count = 0};
}

static double distance(const double a[3], const double b[3]) {
  double sum = 0.0;
  for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

double gnina_points_span(const gnina_points *points) {
  double span = 0.0;
  for (int i = 0; i < points->count; i++)
    for (int j = 0; j < i; j++) span = fmax(span, distance(points->x[i], points->x[j]));
  return span;
}

/* The first molecule of a ligand file, or the atoms of a PDB file as they are. */
static bt_status read_points(gnina_points *points, const char *path, bt_error *error) {
  if (bt_is_structure_file(path)) {
    BT_SCOPED char *data = NULL;
    size_t size;
    BT_TRY(bt_file_read(path, &data, &size, error));
    BT_TRY(add_text(points, data, size, error));
  } else {
    bt_prepare_options options = bt_prepare_options_default();
    bt_molecule *molecule = NULL;
    bt_ligand_reader *reader;
    BT_TRY(bt_ligand_reader_open(path, &options, &reader, error));
    bt_status status = bt_ligand_reader_next(reader, &molecule, error);
    if (status == BT_OK && molecule != NULL) status = gnina_points_add(points, molecule, error);
    bt_molecule_destroy(molecule);
    bt_ligand_reader_close(reader);
    if (status != BT_OK) return status;
  }
  if (points->count > 0) return BT_OK;
  return cli_fill_error(error, BT_ERR_INPUT, path, "use an SDF, MOL2, PDBQT or PDB file", "the file has no atoms");
}

/* --- side chains --------------------------------------------------------------------------------------- */

typedef struct side_chain {
  char word[40]; /* A:ARG8 */
  double nearest;
} side_chain;

typedef struct side_chains {
  side_chain *items;
  int count;
  size_t capacity;
} side_chains;

/* Of residues whose side chains rotate. */
static bool is_movable(bt_span name) {
  static const char *const names[] = {"ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "HIS", "ILE",
                                      "LEU", "LYS", "MET", "PHE", "SER", "THR", "TRP", "TYR",
                                      "VAL", "ASH", "GLH", "HID", "HIE", "HIP", "LYN", "CYX"};
  return bt_span_index(name, names, CLI_COUNT(names)) >= 0;
}

static bool is_backbone(bt_span name) {
  static const char *const names[] = {"N", "CA", "C", "O", "OXT"};
  return bt_span_index(name, names, CLI_COUNT(names)) >= 0;
}

static bt_status see_atom(side_chains *all, bt_span line, const gnina_points *ligand, double reach, bt_error *error) {
  double x[3], nearest = INFINITY;
  char word[40];
  bt_span name = bt_span_trim(bt_span_columns(line, 17, 20));
  if (!read_atom(line, x) || !is_movable(name) || is_backbone(bt_span_trim(bt_span_columns(line, 12, 16))))
    return BT_OK;
  for (int i = 0; i < ligand->count; i++) nearest = fmin(nearest, distance(x, ligand->x[i]));
  if (nearest > reach) return BT_OK;
  bt_span chain = bt_span_trim(bt_span_columns(line, 21, 22)), number = bt_span_trim(bt_span_columns(line, 22, 27));
  snprintf(word, sizeof word, "%.*s%s%.*s%.*s", (int)chain.size, chain.text, chain.size > 0 ? ":" : "", (int)name.size,
           name.text, (int)number.size, number.text);
  side_chain *last = all->count > 0 ? &all->items[all->count - 1] : NULL;
  if (last == NULL || strcmp(last->word, word) != 0) {
    if (!BT_GROW(all->items, &all->capacity, all->count + 1)) return bt_fail_memory(error);
    last = &all->items[all->count++];
    last->nearest = INFINITY;
    memcpy(last->word, word, sizeof word);
  }
  last->nearest = fmin(last->nearest, nearest);
  return BT_OK;
}

static int by_distance(const void *a, const void *b) {
  double d = ((const side_chain *)a)->nearest - ((const side_chain *)b)->nearest;
  return d < 0 ? -1 : d > 0;
}

static bt_status find_near(gnina_state *state, side_chains *all, bt_error *error) {
  const gnina_settings *s = &state->settings;
  BT_ENDED_BY(gnina_points_free) gnina_points ligand = {0};
  BT_SCOPED char *text = NULL;
  cli_receptor rigid;
  BT_TRY(read_points(&ligand, s->opt_flex_around, error));
  bt_status status = cli_receptor_load(state->program, s->receptor, &s->prepare, true, &rigid, error);
  if (status == BT_OK) status = bt_molecule_pdbqt(rigid.rigid, &text, error);
  cli_receptor_free(&rigid);
  if (status != BT_OK) return status;
  bt_lines lines = bt_lines_of(text, strlen(text));
  for (bt_span line; bt_lines_next(&lines, &line);) BT_TRY(see_atom(all, line, &ligand, s->flex_distance, error));
  return BT_OK;
}

static void add_word(bt_text *words, const char *word) {
  if (words->size > 0) bt_text_add_char(words, ',');
  bt_text_add_string(words, word);
}

static bt_status choose(gnina_state *state, side_chains *all, bt_error *error) {
  const gnina_settings *s = &state->settings;
  BT_TRY(find_near(state, all, error));
  if (s->flex_limit >= 0 && all->count > s->flex_limit)
    return cli_fill_error(error, BT_ERR_USAGE, s->receptor, "decrease --flexdist, or use --flex_max",
                          "%d side chains would be flexible, more than --flex_limit", all->count);
  if (s->flex_most >= 0 && all->count > s->flex_most) {
    qsort(all->items, (size_t)all->count, sizeof *all->items, by_distance);
    all->count = s->flex_most;
  }
  if (all->count == 0)
    cli_warning(state->program, "no side chain is within %g Angstrom of %s: the receptor is rigid", s->flex_distance,
                s->opt_flex_around);
  for (int i = 0; i < all->count; i++) add_word(&state->flexible, all->items[i].word);
  return BT_OK;
}

bt_status gnina_find_flexible(gnina_state *state, bt_error *error) {
  gnina_settings *s = &state->settings;
  side_chains all = {.count = 0};
  if (s->opt_flex_names != NULL) add_word(&state->flexible, s->opt_flex_names);
  bt_status status = s->opt_flex_around != NULL ? choose(state, &all, error) : BT_OK;
  free(all.items);
  if (status == BT_OK) status = bt_text_status(&state->flexible, error);
  if (status == BT_OK && state->flexible.size > 0) s->prepare.opt_flex = state->flexible.data;
  return status;
}
