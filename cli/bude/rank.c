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

/* A ligand that cannot be represented in the format is omitted with a warning; the others are written. */
static bt_status write_poses(const bude_state *state, const char *name, bt_error *error) {
  BT_SCOPED char *path = bt_path_join(state->output, name);
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
      status = bt_file_writer_add(file, text, strlen(text), error);
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
  bt_text_printf(text, ",%d,%d,%.3f\n", bt_bude_compound_heavy_count(entry->compound),
                 bt_bude_compound_conformer_count(entry->compound), bt_result_seconds(entry->result));
}

static bt_status write_table(const bude_state *state, bt_error *error) {
  BT_SCOPED char *path = bt_path_join(state->output, "ranking.csv");
  if (path == NULL) return bt_fail_memory(error);
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_add_string(&text, "rank,ligand,pose,conformer,energy,steric,charge,desolvation,rmsd_reference,"
                            "angle_x,angle_y,angle_z,x,y,z,heavy_atoms,conformers,seconds\n");
  for (int i = 0; i < state->n_entries; i++)
    for (int j = 0; j < bt_result_pose_count(state->entries[i].result); j++) add_row(&text, state, i + 1, j);
  return bt_file_write_text(path, &text, error);
}

bt_status bude_rank_write(bude_state *state, bt_error *error) {
  if (state->output == NULL) return BT_OK;
  const cli_origin origin = {
      .record = state->record, .opt_receptor = state->receptor, .opt_ligands = &state->words};
  bt_status status = cli_origin_keep(&origin, error);
  if (status == BT_OK && state->mol2) status = write_poses(state, "poses.mol2", error);
  if (status == BT_OK && state->sdf) status = write_poses(state, "poses.sdf", error);
  if (status == BT_OK && state->csv) status = write_table(state, error);
  if (status != BT_OK) return status;
  state->lists.opt_rejects = bt_path_join(state->output, "rejects.csv");
  return state->lists.opt_rejects != NULL ? cli_lists_write(&state->lists, true, error) : bt_fail_memory(error);
}

/* ------------------------------------------------------------------------------------------------- printing -- */

void bude_rank_print(const bude_state *state) {
  if (state->n_entries == 0) return;
  bool reference = state->reference != NULL;
  printf("rank  energy      steric     charge    desolv.   %sconf.  ligand\n", reference ? "RMSD    " : "");
  for (int i = 0; i < state->n_entries; i++)
    for (int j = 0; j < bt_result_pose_count(state->entries[i].result); j++) {
      const bude_entry *entry = &state->entries[i];
      const bt_run_summary pose = bt_result_ranked(entry->result, j);
      const bt_energy *e = &pose.energy;
      printf("%4d %9.4f %10.4f %10.4f %10.4f ", i + 1, e->free_energy, e->inter_vdw_hbond, e->inter_electrostatic,
             e->inter_desolvation);
      if (reference) printf("%7.2f ", pose.reference_rmsd);
      printf("%5d  %s\n", bt_bude_placement_of(entry->result, j)->conformer, bude_name(entry->compound));
    }
}

bt_status bude_entry_json(const bude_state *state, const bude_entry *entry, bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json, "{ ligand %s engine %s device %s heavy_atoms %d conformers %d seconds %.4f poses [",
                 bude_name(entry->compound), "bude", bt_bude_device_name(state->bude),
                 bt_bude_compound_heavy_count(entry->compound), bt_bude_compound_conformer_count(entry->compound),
                 bt_result_seconds(entry->result));
  for (int j = 0; j < bt_result_pose_count(entry->result); j++) {
    const bt_run_summary pose = bt_result_ranked(entry->result, j);
    const bt_placement *placement = bt_bude_placement_of(entry->result, j);
    const bt_energy *e = &pose.energy;
    const int *i = placement->index;
    bt_json_printf(&json, "{ pose %d conformer %d energy %.6f steric %.6f charge %.6f desolvation %.6f", j + 1,
                   placement->conformer, e->free_energy, e->inter_vdw_hbond, e->inter_electrostatic,
                   e->inter_desolvation);
    bt_json_printf(&json, "rmsd_reference %g", state->reference != NULL ? pose.reference_rmsd : NAN);
    if (!placement->in_place)
      bt_json_printf(&json, "descriptor [ %d %d %d %d %d %d ]", i[0], i[1], i[2], i[3], i[4], i[5]);
    bt_json_close(&json, '}');
  }
  bt_json_printf(&json, "] }");
  return cli_print_json(&text, error);
}
