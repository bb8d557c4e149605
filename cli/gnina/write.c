/* write.c - the files of `berth gnina`: Berth's records of the poses, in another order and with gnina's items.
 *
 * What a pose records of its docking stays, so that it has the same energy when it is scored again.
 */
#include <berth/berth.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/gzip.h"
#include "base/memory.h"
#include "common/report.h"
#include "gnina/gnina.h"
#include "output/guard.h"
#include "output/outputs.h"

/* --- what is said of a pose ------------------------------------------------------------------------------ */

/* gnina's items; an input that gnina wrote has them, too. */
static const char *const own_items[] = {"minimizedAffinity", "minimizedRMSD", "CNNscore",
                                        "CNNaffinity",       "CNN_VS",        "CNNaffinity_variance"};
/* Berth's items that mean something in its own order alone, or are repeated by gnina's. */
static const char *const omitted[] = {"ranked_by",    "rank_energy",     "rank",         "run",   "cluster_id",
                                      "cluster_size", "rank_in_cluster", "rmsd_cluster", "meeko", "rmsd_reference"};

typedef struct labels {
  const char *before, *between, *after;
} labels;

static void add_item(bt_text *text, const labels *with, int item, double value) {
  bt_text_printf(text, "%s%s%s%.5f%s", with->before, own_items[item], with->between, value, with->after);
}

static void add_items(const gnina_state *state, bt_text *text, const gnina_pose *pose, const labels *with) {
  add_item(text, with, 0, pose->energy);
  if (state->settings.minimize) add_item(text, with, 1, pose->moved);
  if (state->networks == NULL) return;
  add_item(text, with, 2, pose->score.score);
  add_item(text, with, 3, pose->score.affinity);
  add_item(text, with, 4, pose->score.score * pose->score.affinity);
  if (bt_networks_count(state->networks) > 1) add_item(text, with, 5, pose->variance);
}

/* --- SDF ----------------------------------------------------------------------------------------------- */

/* The name of a data item, "> <NAME>"; empty: the line begins none. */
static bt_span item_name(bt_span line) {
  const char *from = line.size > 0 && line.text[0] == '>' ? memchr(line.text, '<', line.size) : NULL;
  const char *to = from != NULL ? memchr(from, '>', line.size - (size_t)(from - line.text)) : NULL;
  return to != NULL ? (bt_span){from + 1, (size_t)(to - from - 1)} : (bt_span){line.text, 0};
}

/* Copies a record, without its end. */
static void copy_record(bt_text *text, bt_span record) {
  bool skipped = false, ours = false; /* Berth's items follow those of the input, docking_score first */
  bt_lines lines = bt_lines_of(record.text, record.size);
  for (bt_span line; bt_lines_next(&lines, &line);) {
    bt_span name = item_name(line);
    ours = ours || bt_span_equals(name, "docking_score");
    if (name.size > 0)
      skipped = bt_span_index(name, own_items, CLI_COUNT(own_items)) >= 0 ||
                (ours && bt_span_index(name, omitted, CLI_COUNT(omitted)) >= 0);
    if (skipped) continue;
    bt_text_add(text, line.text, line.size);
    bt_text_add_char(text, '\n');
  }
}

/* --- records ------------------------------------------------------------------------------------------- */

/* The record of that index, without its end; empty: there is none. */
static bt_span find_record(const char *text, const char *end, int index) {
  for (const char *at = text;; index--) {
    const char *stop = strstr(at, end);
    if (index == 0) return (bt_span){at, stop != NULL ? (size_t)(stop - at) : strlen(at)};
    if (stop == NULL) return (bt_span){text, 0};
    at = stop + strlen(end);
  }
}

/* A record without MODEL. */
static bt_span without_model(bt_span record) {
  const char *line =
      record.size > 5 && memcmp(record.text, "MODEL", 5) == 0 ? memchr(record.text, '\n', record.size) : NULL;
  if (line == NULL) return record;
  return (bt_span){line + 1, record.size - (size_t)(line + 1 - record.text)};
}

/* One text of all poses of an item, in their order. MODELs are numbered when they are written. */
static bt_status arrange(const gnina_state *state, gnina_item *item, const char *records, bt_error *error) {
  static const labels sdf = {"> <", ">\n", "\n\n"}, pdbqt = {"REMARK ", " ", "\n"};
  bool chemistry = state->output.format == GNINA_SDF;
  for (int p = 0; p < item->n_poses; p++) {
    bt_span record = find_record(records, chemistry ? "$$$$\n" : "ENDMDL\n", item->poses[p].index);
    if (chemistry) {
      copy_record(&item->text, record);
      add_items(state, &item->text, &item->poses[p], &sdf);
      bt_text_add_string(&item->text, "$$$$\n");
    } else {
      record = without_model(record);
      add_items(state, &item->text, &item->poses[p], &pdbqt);
      bt_text_add(&item->text, record.text, record.size);
      bt_text_add_string(&item->text, "ENDMDL\n");
    }
  }
  return bt_text_status(&item->text, error);
}

/* Atoms of flexible residues in a PDBQT pose, as PDB. */
static void add_side_chains(bt_text *text, bt_span record) {
  bool inside = false;
  bt_lines lines = bt_lines_of(record.text, record.size);
  for (bt_span line; bt_lines_next(&lines, &line);) {
    if (bt_span_starts(line, "BEGIN_RES") || bt_span_starts(line, "END_RES")) inside = line.text[0] == 'B';
    if (!inside || !(bt_span_starts(line, "ATOM") || bt_span_starts(line, "HETATM"))) continue;
    bt_span type = bt_span_trim(bt_span_columns(line, 77, 79));
    char element = type.size > 0 && type.text[0] == 'A' ? 'C' : type.size > 0 ? type.text[0] : ' ';
    bt_text_printf(text, "%.*s  1.00  0.00%11s%c\n", (int)(line.size < 54 ? line.size : 54), line.text, "", element);
  }
  bt_text_add_string(text, "ENDMDL\n");
}

static bt_status arrange_side_chains(gnina_item *item, const bt_result *result, bt_error *error) {
  BT_SCOPED char *records = NULL;
  BT_TRY(bt_result_text(result, "pdbqt", NULL, &records, error));
  for (int p = 0; p < item->n_poses; p++)
    add_side_chains(&item->side_chains, find_record(records, "ENDMDL\n", item->poses[p].index));
  return bt_text_status(&item->side_chains, error);
}

bt_status gnina_describe_result(const gnina_state *state, gnina_item *item, const bt_result *result, bt_error *error) {
  BT_SCOPED char *records = NULL;
  gnina_format format = state->output.format;
  if (state->output.side_chains != NULL) BT_TRY(arrange_side_chains(item, result, error));
  if (format == GNINA_NO_FILE) return BT_OK;
  BT_TRY(bt_result_text(result, format == GNINA_SDF ? "sdf" : "pdbqt", NULL, &records, error));
  return arrange(state, item, records, error);
}

bt_status gnina_describe_given(const gnina_state *state, gnina_item *item, bt_error *error) {
  BT_SCOPED char *record = NULL;
  gnina_format format = state->output.format;
  if (format == GNINA_NO_FILE) return BT_OK;
  BT_TRY(format == GNINA_SDF ? bt_molecule_sdf(item->from.molecule, NULL, NULL, 0, &record, error)
                             : bt_molecule_pdbqt(item->from.molecule, &record, error));
  return arrange(state, item, record, error);
}

/* --- files --------------------------------------------------------------------------------------------- */

static bt_status add_bytes(bt_file_writer *writer, const bt_text *text, bool compressed, bt_error *error) {
  BT_ENDED_BY(bt_text_destroy) bt_text packed = {0};
  if (text->size == 0) return BT_OK;
  if (!compressed) return bt_file_writer_add(writer, text->data, text->size, error);
  BT_TRY(bt_gzip_deflate(text->data, text->size, &packed, error));
  return bt_file_writer_add(writer, packed.data, packed.size, error);
}

/* MODEL and its number before every record. */
static bt_status number_models(const bt_text *text, int first, bt_text *numbered, bt_error *error) {
  static const char end[] = "ENDMDL\n";
  for (const char *at = text->data, *stop; at != NULL && (stop = strstr(at, end)) != NULL; at = stop + strlen(end)) {
    bt_text_printf(numbered, "MODEL %d\n", first++);
    bt_text_add(numbered, at, (size_t)(stop - at) + strlen(end));
  }
  return bt_text_status(numbered, error);
}

bt_status gnina_output_add(gnina_state *state, const gnina_item *item, bt_error *error) {
  gnina_output *output = &state->output;
  int first = output->models + 1;
  output->models += item->n_poses;
  if (output->format == GNINA_SDF) BT_TRY(add_bytes(output->writer, &item->text, output->compressed, error));
  if (output->format == GNINA_PDBQT) {
    BT_ENDED_BY(bt_text_destroy) bt_text numbered = {0};
    BT_TRY(number_models(&item->text, first, &numbered, error));
    BT_TRY(add_bytes(output->writer, &numbered, output->compressed, error));
  }
  if (output->side_chains == NULL) return BT_OK;
  BT_ENDED_BY(bt_text_destroy) bt_text numbered = {0};
  BT_TRY(number_models(&item->side_chains, first, &numbered, error));
  return add_bytes(output->side_chains, &numbered, cli_path_ends(state->settings.opt_out_flex, ".gz"), error);
}

static bt_status open_file(bt_file_set *inputs, const char *path, bt_file_writer **writer, bt_error *error) {
  BT_TRY(bt_file_set_spare(inputs, path, error));
  BT_TRY(cli_folder_check(path, error));
  return writer != NULL ? bt_file_writer_open(path, writer, error) : BT_OK;
}

bt_status gnina_output_open(gnina_state *state, bt_error *error) {
  const gnina_settings *s = &state->settings;
  gnina_output *output = &state->output;
  const char *out = s->opt_out, *flex = s->opt_out_flex;
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(gnina_find_inputs(state, &inputs, error));
  if (s->opt_log != NULL) BT_TRY(open_file(&inputs, s->opt_log, NULL, error));
  if (flex != NULL && !cli_path_ends(flex, ".pdb") && !cli_path_ends(flex, ".pdb.gz"))
    return cli_fill_error(error, BT_ERR_USAGE, flex, "use a name that ends in .pdb or .pdb.gz",
                          "side chains are written as PDB");
  if (out != NULL) BT_TRY(open_file(&inputs, out, &output->writer, error));
  return flex != NULL ? open_file(&inputs, flex, &output->side_chains, error) : BT_OK;
}

bt_status gnina_output_close(gnina_state *state, bool commit, bt_error *error) {
  bt_file_writer *writers[] = {state->output.writer, state->output.side_chains};
  bt_status status = BT_OK;
  state->output.writer = state->output.side_chains = NULL;
  for (int i = 0; i < 2; i++) {
    if (writers[i] == NULL) continue;
    if (commit && status == BT_OK)
      status = bt_file_writer_commit(writers[i], error);
    else
      bt_file_writer_abandon(writers[i]);
  }
  const char *log = state->settings.opt_log;
  if (log != NULL && commit && status == BT_OK) status = bt_file_write_text(log, &state->log, error);
  return status;
}
