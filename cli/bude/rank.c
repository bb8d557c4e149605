/* rank.c - keeps the best ligands so far, and writes them to files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bude/bude.h"
#include "common/report.h"
#include "output/outputs.h"

void bude_entry_free(bude_entry *entry) {
  bt_result_destroy(entry->result);
  bt_bude_compound_destroy(entry->compound);
  *entry = (bude_entry){0};
}

static double best_energy(const bude_entry *entry) { return bt_result_ranked(entry->result, 0).energy.free_energy; }

bt_status bude_rank_add(bude_state *state, bude_entry *entry, bt_error *error) {
  if (!BT_GROW(state->entries, &state->capacity, state->n_entries + 1)) {
    bude_entry_free(entry);
    return cli_fill_error(error, BT_ERR_MEMORY, NULL, "use a smaller --top", "out of memory");
  }
  int at = state->n_entries;
  while (at > 0 && best_energy(&state->entries[at - 1]) > best_energy(entry)) at--;
  if (at >= state->top) {
    bude_entry_free(entry);
    return BT_OK;
  }
  if (state->n_entries == state->top) bude_entry_free(&state->entries[--state->n_entries]);
  memmove(state->entries + at + 1, state->entries + at, (size_t)(state->n_entries - at) * sizeof *entry);
  state->entries[at] = *entry;
  state->n_entries++;
  return BT_OK;
}

/* -------------------------------------------------------------------------------------------------- files -- */

/* The MODELs of all ligands are counted together. */
static void number_models(char *text, int *models, bt_text *to) {
  static const char model[] = "MODEL ";
  bt_lines lines = bt_lines_of(text, strlen(text));
  for (bt_span line; bt_lines_next(&lines, &line);) {
    if (bt_span_starts(line, model))
      bt_text_printf(to, "%s%d", model, ++*models);
    else
      bt_text_add(to, line.text, line.size);
    bt_text_add_char(to, '\n');
  }
}

static bt_status add_poses(bt_file_writer *file, char *text, int *opt_models, bt_error *error) {
  BT_ENDED_BY(bt_text_destroy) bt_text numbered = {0};
  if (opt_models == NULL) return bt_file_writer_add(file, text, strlen(text), error);
  number_models(text, opt_models, &numbered);
  BT_TRY(bt_text_status(&numbered, error));
  return bt_file_writer_add(file, numbered.data, numbered.size, error);
}

/* A ligand that cannot be represented in the format is omitted with a warning; the others are written. */
static bt_status write_poses(const bude_state *state, const char *name, bt_error *error) {
  BT_SCOPED char *path = bt_path_join(state->output, name);
  bool pdbqt = strcmp(strrchr(name, '.'), ".pdbqt") == 0;
  int models = 0;
  if (path == NULL) return bt_fail_memory(error);
  bt_file_writer *file;
  BT_TRY(bt_file_writer_open(path, &file, error));
  bt_status status = BT_OK;
  for (int i = 0; status == BT_OK && i < state->n_entries; i++) {
    BT_SCOPED char *text = NULL;
    char message[2048];
    bt_error reason;
    const bt_write_context context = {.rank = i + 1};
    status = bt_result_text(state->entries[i].result, strrchr(name, '.') + 1, &context, &text, &reason);
    if (status == BT_OK) {
      status = add_poses(file, text, pdbqt ? &models : NULL, error);
    } else if (status == BT_ERR_MEMORY) {
      *error = reason;
    } else {
      status = BT_OK;
      cli_warning(state->program, "%s is not in %s: %s", bude_name(state->entries[i].compound), name,
                  bt_error_format(&reason, message, sizeof message));
    }
  }
  if (status == BT_OK) return bt_file_writer_commit(file, error);
  bt_file_writer_abandon(file);
  return status;
}

/* Columns as in the tables of `berth dock`; re-scored is every pose, being a cluster of its own. */
static void add_scores(bt_text *text, const bt_result *result, int position) {
  for (int k = 0; k < bt_result_rescored_count(result); k++) {
    const bt_rescored of = bt_result_rescored(result, position, k);
    bt_text_printf(text, ",%.4f,%d,%.3f", of.score, of.rank, of.moved);
    for (int v = 0; v < of.n_values; v++) bt_text_printf(text, ",%.6g", of.values[v]);
  }
  bt_text_printf(text, ",%s,%.4f", bt_result_ranked_by(result), bt_result_rank_energy(result, position));
}

static void add_score_names(bt_text *text, const char *names) {
  bt_rescorer_info by;
  for (int k = 0; (by = bt_rescorer(names, k)).name != NULL; k++) {
    bt_text_printf(text, ",%s,%s_rank,%s_moved", by.name, by.name, by.name);
    for (int v = 0; v < by.n_values; v++) bt_text_printf(text, ",%s", by.value_names[v]);
  }
  bt_text_add_string(text, ",ranked_by,rank_energy");
}

/* Of a ligand without scores: empty fields. */
static void add_no_scores(bt_text *text, const bt_result *result, const char *names) {
  bt_rescorer_info by;
  for (int k = 0; (by = bt_rescorer(names, k)).name != NULL; k++)
    for (int v = -3; v < by.n_values; v++) bt_text_add_char(text, ',');
  bt_text_printf(text, ",%s,", bt_result_ranked_by(result));
}

static void add_row(bt_text *text, const bude_state *state, int rank, int position) {
  const bude_entry *entry = &state->entries[rank - 1];
  const bt_run_summary pose = bt_result_ranked(entry->result, position);
  const bt_placement *placement = bt_bude_placement_of(entry->result, position);
  const bt_energy *e = &pose.energy;
  bt_text_printf(text, "%d,", rank);
  bt_text_csv(text, bude_name(entry->compound));
  bt_text_printf(text, ",%d,%d,%.4f,%.4f,%.4f,%.4f,", position + 1, placement->conformer, e->free_energy,
                 e->inter_vdw_hbond, e->inter_electrostatic, e->inter_desolvation);
  if (state->reference != NULL) bt_text_printf(text, "%.3f", pose.reference_rmsd);
  const double *a = placement->angles, *t = placement->translation;
  if (placement->in_place)
    bt_text_add_string(text, ",,,,,,");
  else
    bt_text_printf(text, ",%g,%g,%g,%g,%g,%g", a[0], a[1], a[2], t[0], t[1], t[2]);
  bt_text_printf(text, ",%d,%d,%.3f", bt_bude_compound_heavy_count(entry->compound),
                 bt_bude_compound_conformer_count(entry->compound), bt_result_seconds(entry->result));
  const char *names = state->protocol.opt_rescore;
  if (names != NULL && bt_result_rescored_count(entry->result) > 0)
    add_scores(text, entry->result, position);
  else if (names != NULL)
    add_no_scores(text, entry->result, names);
  bt_text_add_char(text, '\n');
}

static bt_status write_table(const bude_state *state, bt_error *error) {
  BT_SCOPED char *path = bt_path_join(state->output, "ranking.csv");
  if (path == NULL) return bt_fail_memory(error);
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_add_string(&text,
                     "rank,ligand,pose,conformer,energy,steric,charge,desolvation,rmsd_reference,"
                     "angle_x,angle_y,angle_z,x,y,z,heavy_atoms,conformers,seconds");
  if (state->protocol.opt_rescore != NULL) add_score_names(&text, state->protocol.opt_rescore);
  bt_text_add_char(&text, '\n');
  for (int i = 0; i < state->n_entries; i++)
    for (int j = 0; j < bt_result_pose_count(state->entries[i].result); j++) add_row(&text, state, i + 1, j);
  return bt_file_write_text(path, &text, error);
}

static void add_entry(bt_json *json, const bude_state *state, const bude_entry *entry, int rank);

static bt_status write_json(const bude_state *state, bt_error *error) {
  BT_SCOPED char *path = bt_path_join(state->output, "poses.json");
  if (path == NULL) return bt_fail_memory(error);
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_json json = {.text = &text, .pretty = 2};
  bt_json_printf(&json, "{ engine %s version %s receptor %s ligands [", "bude", BT_VERSION, state->receptor);
  for (int i = 0; i < state->n_entries; i++) add_entry(&json, state, &state->entries[i], i + 1);
  bt_json_printf(&json, "] }");
  return bt_file_write_text(path, &text, error);
}

bt_status bude_rank_write(bude_state *state, bt_error *error) {
  if (state->output == NULL) return BT_OK;
  const cli_origin origin = {.record = state->record, .opt_receptor = state->receptor, .opt_ligands = &state->words};
  bt_status status = cli_origin_keep(&origin, error);
  if (status == BT_OK && state->mol2) status = write_poses(state, "poses.mol2", error);
  if (status == BT_OK && state->sdf) status = write_poses(state, "poses.sdf", error);
  if (status == BT_OK && state->pdbqt) status = write_poses(state, "poses.pdbqt", error);
  if (status == BT_OK && state->json_file) status = write_json(state, error);
  if (status == BT_OK && state->csv) status = write_table(state, error);
  if (status != BT_OK) return status;
  state->lists.opt_rejects = bt_path_join(state->output, "rejects.csv");
  return state->lists.opt_rejects != NULL ? cli_lists_write(&state->lists, true, error) : bt_fail_memory(error);
}

/* ------------------------------------------------------------------------------------------------- printing -- */

/* Columns of the table before the name: the score of each re-scorer or, where it says more, its first value. */
static void print_scores(const bude_state *state, const bt_result *opt_result, int position) {
  bt_rescorer_info by;
  const char *names = state->protocol.opt_rescore;
  for (int k = 0; names != NULL && (by = bt_rescorer(names, k)).name != NULL; k++) {
    const char *title = by.n_values > 0 ? by.value_names[0] : by.title;
    int width = (int)strlen(title) > 9 ? (int)strlen(title) : 9;
    const bt_rescored of = opt_result != NULL ? bt_result_rescored(opt_result, position, k) : (bt_rescored){0};
    if (opt_result == NULL)
      printf(" %*s", width, title);
    else if (of.name == NULL)
      printf(" %*s", width, "-");
    else
      printf(" %*.3f", width, of.n_values > 0 ? of.values[0] : of.score);
  }
}

void bude_rank_print(const bude_state *state) {
  if (state->n_entries == 0) return;
  bool reference = state->reference != NULL;
  printf("rank  energy      steric     charge    desolv.   %sconf.", reference ? "RMSD    " : "");
  print_scores(state, NULL, 0);
  printf("  ligand\n");
  for (int i = 0; i < state->n_entries; i++)
    for (int j = 0; j < bt_result_pose_count(state->entries[i].result); j++) {
      const bude_entry *entry = &state->entries[i];
      const bt_run_summary pose = bt_result_ranked(entry->result, j);
      const bt_energy *e = &pose.energy;
      printf("%4d %9.4f %10.4f %10.4f %10.4f ", i + 1, e->free_energy, e->inter_vdw_hbond, e->inter_electrostatic,
             e->inter_desolvation);
      if (reference) printf("%7.2f ", pose.reference_rmsd);
      printf("%5d", bt_bude_placement_of(entry->result, j)->conformer);
      print_scores(state, entry->result, j);
      printf("  %s\n", bude_name(entry->compound));
    }
  if (state->protocol.opt_rescore == NULL) return;
  printf("re-scored by ");
  cli_rescorers_print(&state->protocol, stdout);
  putchar('\n');
}

/* ---------------------------------------------------------------------------------------------------- JSON -- */

static void add_rescored(bt_json *json, const bt_result *result, int position) {
  bt_json_printf(json, "ranked_by %s rank_energy %g rescored [", bt_result_ranked_by(result),
                 bt_result_rank_energy(result, position));
  for (int k = 0; k < bt_result_rescored_count(result); k++) {
    const bt_rescored of = bt_result_rescored(result, position, k);
    bt_json_printf(json, "{ scoring %s free_energy %g rank %d rmsd_docked %g", of.name, of.score, of.rank, of.moved);
    for (int v = 0; v < of.n_values; v++) {
      bt_json_key(json, of.value_names[v]);
      bt_json_number(json, of.values[v]);
    }
    bt_json_close(json, '}');
  }
  bt_json_close(json, ']');
}

static void add_pose(bt_json *json, const bude_state *state, const bt_result *result, int j, bool coordinates) {
  const bt_run_summary pose = bt_result_ranked(result, j);
  const bt_placement *placement = bt_bude_placement_of(result, j);
  const bt_energy *e = &pose.energy;
  const int *i = placement->index;
  bt_json_printf(json, "{ pose %d conformer %d energy %.6f steric %.6f charge %.6f desolvation %.6f", j + 1,
                 placement->conformer, e->free_energy, e->inter_vdw_hbond, e->inter_electrostatic,
                 e->inter_desolvation);
  bt_json_printf(json, "rmsd_reference %g", state->reference != NULL ? pose.reference_rmsd : NAN);
  if (!placement->in_place)
    bt_json_printf(json, "descriptor [ %d %d %d %d %d %d ]", i[0], i[1], i[2], i[3], i[4], i[5]);
  if (bt_result_rescored_count(result) > 0) add_rescored(json, result, j);
  if (coordinates) {
    const double *x = bt_result_coordinates(result, j);
    bt_json_printf(json, "coordinates [");
    for (int k = 0; k < 3 * bt_ligand_atom_count(bt_result_ligand(result)); k++) bt_json_printf(json, "%.4f", x[k]);
    bt_json_close(json, ']');
  }
  bt_json_close(json, '}');
}

/* rank: in a file, from 1, which also has coordinates; 0: a line. */
static void add_entry(bt_json *json, const bude_state *state, const bude_entry *entry, int rank) {
  bt_json_open(json, '{');
  if (rank > 0) bt_json_printf(json, "rank %d", rank);
  bt_json_printf(json, "ligand %s engine %s device %s heavy_atoms %d conformers %d seconds %.4f poses [",
                 bude_name(entry->compound), "bude", bt_bude_device_name(state->bude),
                 bt_bude_compound_heavy_count(entry->compound), bt_bude_compound_conformer_count(entry->compound),
                 bt_result_seconds(entry->result));
  for (int j = 0; j < bt_result_pose_count(entry->result); j++) add_pose(json, state, entry->result, j, rank > 0);
  bt_json_printf(json, "] }");
}

bt_status bude_entry_print_json(const bude_state *state, const bude_entry *entry, bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  add_entry(&json, state, entry, 0);
  return cli_print_json(&text, error);
}
