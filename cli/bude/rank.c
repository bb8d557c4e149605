/* rank.c - keeps the best ligands so far, and writes them to files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bude/bude.h"
#include "common/report.h"
#include "output/outputs.h"

void bude_entry_free(bude_entry *entry) {
  bt_bude_compound_destroy(entry->compound);
  free(entry->poses);
  free(entry->rmsd);
  *entry = (bude_entry){0};
}

bt_status bude_rank_add(bude_state *state, bude_entry *entry, bt_error *error) {
  if (!BT_GROW(state->entries, &state->capacity, state->n_entries + 1)) {
    bude_entry_free(entry);
    return cli_fill_error(error, BT_ERR_MEMORY, NULL, "use a smaller --top", "out of memory");
  }
  int at = state->n_entries;
  while (at > 0 && state->entries[at - 1].poses[0].energy > entry->poses[0].energy) at--;
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

typedef bt_status (*pose_writer)(const bt_bude *, const bt_bude_compound *, const bt_bude_pose *, int, char **,
                                 bt_error *);

/* A pose that cannot be represented in the format is omitted with a warning; the others are written. */
static bt_status write_poses(const bude_state *state, const char *name, pose_writer writer, bt_error *error) {
  BT_SCOPED char *path = bt_path_join(state->output, name);
  if (path == NULL) return bt_fail_memory(error);
  bt_file_writer *file;
  BT_TRY(bt_file_writer_open(path, &file, error));
  bt_status status = BT_OK;
  for (int i = 0; status == BT_OK && i < state->n_entries; i++)
    for (int j = 0; status == BT_OK && j < state->entries[i].n_poses; j++) {
      char *text, message[2048];
      bt_error reason;
      status = writer(state->bude, state->entries[i].compound, &state->entries[i].poses[j], i + 1, &text, &reason);
      if (status == BT_OK) {
        status = bt_file_writer_add(file, text, strlen(text), error);
        free(text);
      } else if (status == BT_ERR_MEMORY) {
        *error = reason;
      } else {
        status = BT_OK;
        cli_warning(state->program, "%s is not in %s: %s", bt_bude_compound_name(state->entries[i].compound), name,
                    bt_error_format(&reason, message, sizeof message));
        break;
      }
    }
  if (status == BT_OK) return bt_file_writer_commit(file, error);
  bt_file_writer_abandon(file);
  return status;
}

static void add_row(bt_text *text, int rank, const bude_entry *entry, int j) {
  const bt_bude_pose *pose = &entry->poses[j];
  bt_text_printf(text, "%d,", rank);
  bt_text_csv(text, bt_bude_compound_name(entry->compound));
  bt_text_printf(text, ",%d,%d,%.4f,%.4f,%.4f,%.4f,", j + 1, pose->conformer, pose->energy, pose->steric, pose->charge,
                 pose->desolvation);
  if (isfinite(entry->rmsd[j])) bt_text_printf(text, "%.3f", entry->rmsd[j]);
  const double *a = pose->angles, *t = pose->translation;
  if (pose->in_place)
    bt_text_add_string(text, ",,,,,,");
  else
    bt_text_printf(text, ",%g,%g,%g,%g,%g,%g", a[0], a[1], a[2], t[0], t[1], t[2]);
  bt_text_printf(text, ",%d,%d,%.3f\n", bt_bude_compound_heavy_count(entry->compound),
                 bt_bude_compound_conformer_count(entry->compound), entry->seconds);
}

static bt_status write_table(const bude_state *state, bt_error *error) {
  BT_SCOPED char *path = bt_path_join(state->output, "ranking.csv");
  if (path == NULL) return bt_fail_memory(error);
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_add_string(&text, "rank,ligand,pose,conformer,energy,steric,charge,desolvation,rmsd_reference,"
                            "angle_x,angle_y,angle_z,x,y,z,heavy_atoms,conformers,seconds\n");
  for (int i = 0; i < state->n_entries; i++)
    for (int j = 0; j < state->entries[i].n_poses; j++) add_row(&text, i + 1, &state->entries[i], j);
  return bt_file_write_text(path, &text, error);
}

bt_status bude_rank_write(bude_state *state, bt_error *error) {
  if (state->output == NULL) return BT_OK;
  const cli_origin origin = {
      .record = state->record, .opt_receptor = state->receptor, .opt_ligands = &state->words};
  bt_status status = cli_origin_keep(&origin, error);
  if (status == BT_OK && state->mol2) status = write_poses(state, "poses.mol2", bt_bude_pose_mol2, error);
  if (status == BT_OK && state->sdf) status = write_poses(state, "poses.sdf", bt_bude_pose_sdf, error);
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
    for (int j = 0; j < state->entries[i].n_poses; j++) {
      const bt_bude_pose *pose = &state->entries[i].poses[j];
      printf("%4d %9.4f %10.4f %10.4f %10.4f ", i + 1, pose->energy, pose->steric, pose->charge, pose->desolvation);
      if (reference) printf("%7.2f ", state->entries[i].rmsd[j]);
      printf("%5d  %s\n", pose->conformer, bt_bude_compound_name(state->entries[i].compound));
    }
}

bt_status bude_entry_json(const bude_state *state, const bude_entry *entry, bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json, "{ ligand %s engine %s device %s heavy_atoms %d conformers %d seconds %.4f poses [",
                 bt_bude_compound_name(entry->compound), "bude", bt_bude_device_name(state->bude),
                 bt_bude_compound_heavy_count(entry->compound), bt_bude_compound_conformer_count(entry->compound),
                 entry->seconds);
  for (int j = 0; j < entry->n_poses; j++) {
    const bt_bude_pose *pose = &entry->poses[j];
    const int *i = pose->index;
    bt_json_printf(&json, "{ pose %d conformer %d energy %.6f steric %.6f charge %.6f desolvation %.6f", j + 1,
                   pose->conformer, pose->energy, pose->steric, pose->charge, pose->desolvation);
    bt_json_printf(&json, "rmsd_reference %g", entry->rmsd[j]);
    if (!pose->in_place) bt_json_printf(&json, "descriptor [ %d %d %d %d %d %d ]", i[0], i[1], i[2], i[3], i[4], i[5]);
    bt_json_close(&json, '}');
  }
  bt_json_printf(&json, "] }");
  return cli_print_json(&text, error);
}
