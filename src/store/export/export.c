/* export.c - results out of a database: tables, poses, docking logs, in the order of the ranking. */
#include <berth/checks.h>
#include <berth/report.h>
#include <berth/score.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "results/checks/checks.h"
#include "results/constraint.h"
#include "results/docked.h"
#include "results/write/pose_text.h"
#include "results/write/sdf_tags.h"
#include "store/export/export_table.h"
#include "store/export/parquet.h"
#include "store/export/selection.h"
#include "store/row_batch.h"
#include "store/store.h"
#include "store/stored_result.h"

typedef struct output {
  bt_screen_format format;
  const char *path;
  const bt_maps *opt_maps;
  bt_molecule *opt_flexible;
  bt_molecule **receptor; /* [n_receptor] that poses in SDF are checked against; none: the screen was run on maps */
  int n_receptor;
  bt_constraints *constraints; /* of poses in SDF; NULL: none */
  bt_scoring scoring;
  bool has_box;
  bt_box box; /* of the screen */
  bt_export_table table;
  bool records;           /* poses are kept as records of SDF: of every engine but AutoDock's */
  bt_file_writer *writer; /* NULL: path is a folder, or Parquet */
  bt_parquet *parquet;    /* NULL: another format */
  bt_text text;           /* of one ligand */
  bt_screen_exported *exported;
  bt_row_batch *batch;                  /* of ligands whose poses wait for threads; NULL: they are written one by one */
  int64_t top;                          /* with a selection: how many ligands it takes; 0: all */
  int64_t omitted_poses, omitted_bonds; /* ligands that it cannot judge: without poses, without bonds */
  bt_selector *selector;                /* NULL: all ligands are exported */
} output;

/* --- tables -------------------------------------------------------------------------------------------- */

static bt_status rejects_row(bt_text *text, const bt_store_row *row, bt_export_table *table, bt_error *opt_error) {
  bt_text_printf(text, "%lld,", (long long)row->ordinal);
  const char *fields[] = {row->name, row->state, row->status, row->reason, row->source};
  for (int k = 0; k < 5; k++) {
    bt_text_csv(text, fields[k]);
    if (k < 4) bt_text_add_char(text, ',');
  }
  BT_TRY(bt_export_properties_csv(table, row, text, opt_error));
  bt_text_add_char(text, '\n');
  return BT_OK;
}

static void add_heading(const output *o, bt_text *text) {
  bt_text_add_string(text, "");
  if (o->format == BT_SCREEN_REJECTS) bt_text_add_string(text, "ordinal,name,state,status,reason,source");
  int first = o->format == BT_SCREEN_REJECTS ? o->table.first_property : 0;
  if (o->format != BT_SCREEN_REJECTS && o->format != BT_SCREEN_CSV) return;
  for (int k = first; k < o->table.n_columns; k++) {
    if (k > 0) bt_text_add_char(text, ',');
    bt_text_csv(text, o->table.columns[k].name);
  }
  bt_text_add_char(text, '\n');
}

/* --- poses --------------------------------------------------------------------------------------------- */

static bool docked_of(const output *o, const bt_run *run, bt_docked *ret_docked) {
  *ret_docked = (bt_docked){.scoring = o->scoring, .box = o->box, .unbound = run->energy.unbound};
  return o->has_box;
}

static bt_status sdf_pose(output *o, int64_t rank, const bt_store_row *row, int k, const bt_result *result,
                          bt_error *opt_error) {
  const bt_store_pose *pose = &row->poses[k];
  BT_ENDED_BY(bt_sdf_tags_clear) bt_sdf_tags tags = {.count = 0};
  bt_sdf_add_real(&tags, "docking_score", pose->free_energy);
  bt_sdf_add_real(&tags, "energy_inter", pose->terms[0]);
  bt_sdf_add_real(&tags, "energy_intra", pose->terms[1]);
  bt_sdf_add_real(&tags, "energy_torsional", pose->terms[2]);
  bt_sdf_add_scoring(&tags, result->ligand->scoring, result->runs[k].energy.unbound);
  bt_sdf_add_rank(&tags, o->table.ranked_by, k == 0 ? row->rank_energy : NAN);
  for (int s = 0; k == 0 && s < row->scores.count; s++) {
    const bt_named_score *score = &row->scores.items[s];
    if (bt_export_is_value(&o->table, score->name))
      bt_sdf_add_value(&tags, score->name, score->value);
    else if (strcmp(score->name, bt_scoring_name(o->scoring)) != 0)
      bt_sdf_add_score(&tags, score->name, score->value);
  }
  bt_sdf_add_count(&tags, "screen_rank", rank);
  if (k == 0) BT_TRY(bt_export_doubt(&o->table, rank, row, opt_error));
  if (k == 0 && o->table.doubted.size > 0) bt_sdf_add_text(&tags, "doubt", o->table.doubted.data);
  bt_sdf_add_count(&tags, "ordinal", row->ordinal);
  bt_sdf_add_count(&tags, "pose", k + 1);
  bt_sdf_add_count(&tags, "run", pose->run);
  bt_sdf_add_count(&tags, "cluster_id", pose->cluster);
  bt_sdf_add_count(&tags, "cluster_size", pose->cluster_size);
  bt_sdf_add_strain(&tags, result, &result->runs[k]);
  BT_ENDED_BY(bt_text_destroy) bt_text checks = {0}, constraints = {0};
  bt_constraints_add_text(&constraints, result, k);
  if (constraints.size > 0) bt_sdf_add_text(&tags, "constraints", constraints.data);
  BT_TRY(bt_text_status(&constraints, opt_error));
  if (result->runs[k].checks.made) bt_checks_add_text(&checks, &result->runs[k].checks);
  if (checks.size > 0) bt_sdf_add_text(&tags, "checks", checks.data);
  BT_TRY(bt_text_status(&checks, opt_error));
  bt_sdf_add_text(&tags, "source", row->source);
  bt_export_property property = {0};
  BT_TRY(bt_export_properties_start(&o->table, row, opt_error));
  while (bt_export_properties_next(&o->table, &property))
    if (property.tag != NULL) bt_sdf_add_text(&tags, property.tag, property.value);
  BT_ENDED_BY(bt_text_destroy) bt_text grid = {0};
  bt_docked docked;
  if (docked_of(o, &result->runs[k], &docked)) BT_TRY(bt_sdf_add_docked(&tags, &docked, &grid, opt_error));
  return bt_sdf_add_pose(&o->text, result, &result->runs[k], &tags, opt_error);
}

/* The poses as their engine wrote them, with what the screen knows of them as data items. Returns how many; 0 when they
 * could be kept as MOL2 only. */
static int copy_records(output *o, int64_t rank, const bt_store_row *row) {
  bt_text *text = &o->text;
  const char *at = row->molecule;
  int n = 0;
  for (const char *end; n < row->n_poses && (end = strstr(at, "\n$$$$")) != NULL; n++) {
    bt_text_add(text, at, (size_t)(end + 1 - at));
    bt_text_printf(text, "> <docking_score>\n%.4f\n\n> <screen_rank>\n%lld\n\n> <ordinal>\n%lld\n\n> <pose>\n%d\n\n",
                   row->poses[n].free_energy, (long long)rank, (long long)row->ordinal, n + 1);
    bt_text_printf(text, "> <ranked_by>\n%s\n\n", o->table.ranked_by);
    if (n == 0) bt_text_printf(text, "> <rank_energy>\n%.4f\n\n", row->rank_energy);
    bt_text_printf(text, "> <source>\n%s\n\n", row->source);
    bt_export_property property = {0};
    while (bt_export_properties_next(&o->table, &property))
      if (property.tag != NULL) bt_text_printf(text, "> <%s>\n%s\n\n", property.tag, property.value);
    bt_text_add_string(text, "$$$$\n");
    at = end + 5;
    at += strspn(at, "\r");
    if (*at == '\n') at++;
  }
  return n;
}

/* Remarks of a PDBQT file. */
static bt_status add_remarks(output *o, const bt_store_row *row, bt_text *text, bt_error *opt_error) {
  bt_export_property property = {0};
  BT_TRY(bt_export_properties_start(&o->table, row, opt_error));
  while (bt_export_properties_next(&o->table, &property))
    bt_text_printf(text, "REMARK BERTH property %s = %s\n", property.name, property.value);
  return BT_OK;
}

static bt_status pdbqt_pose(output *o, int64_t rank, const bt_store_row *row, int k, const bt_result *result,
                            bt_error *opt_error) {
  const bt_store_pose *pose = &row->poses[k];
  bt_text_printf(&o->text, "MODEL %lld\nREMARK Name = %s\nREMARK VINA RESULT: ", (long long)(o->exported->poses + 1),
                 row->name);
  bt_text_column(&o->text, pose->free_energy, 9, 3, false);
  bt_text_printf(&o->text,
                 "      0.000      0.000\nREMARK BERTH rank %lld ordinal %lld pose %d run %d cluster %d scoring "
                 "%s\nREMARK BERTH ranked_by %s",
                 (long long)rank, (long long)row->ordinal, k + 1, pose->run, pose->cluster, bt_scoring_name(o->scoring),
                 o->table.ranked_by);
  if (k == 0) bt_text_printf(&o->text, " rank_energy %.3f", row->rank_energy);
  bt_text_add_char(&o->text, '\n');
  bt_docked docked;
  if (docked_of(o, &result->runs[k], &docked)) {
    bt_text_add_string(&o->text, "REMARK " BT_DOCKED_REMARK " ");
    bt_docked_text(&o->text, &docked);
    bt_text_add_char(&o->text, '\n');
  }
  BT_TRY(add_remarks(o, row, &o->text, opt_error));
  bt_pose_lines(&o->text, result, &result->runs[k], (bt_pose_style){.prefix = ""});
  bt_text_add_string(&o->text, "ENDMDL\n");
  return BT_OK;
}

/* A name that may be anything becomes one of a file, unique by its rank. */
static bt_status dlg_file(output *o, int64_t rank, const bt_store_row *row, const bt_result *result,
                          bt_error *opt_error) {
  char name[160];
  BT_SCOPED char *path = NULL;
  snprintf(name, sizeof name, "%06lld-%.120s", (long long)rank, row->name);
  for (char *c = name; *c != '\0'; c++)
    if (strchr(" ./\\:*?\"<>|", *c) != NULL || (unsigned char)*c < ' ' || *c == 127) *c = '_';
  if (asprintf(&path, "%s/%s.dlg", o->path, name) < 0) return bt_fail_memory(opt_error);
  bt_write_context context = {.opt_ligand_path = row->source};
  return bt_result_write(result, path, "dlg", &context, opt_error);
}

static bt_status add_poses(output *o, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  if (row->molecule == NULL || row->n_poses == 0) {
    o->exported->without_pose++;
    return BT_OK;
  }
  if (o->records) {
    BT_TRY(bt_export_properties_start(&o->table, row, opt_error));
    int poses = copy_records(o, rank, row);
    o->exported->poses += poses;
    if (poses == 0) o->exported->without_bonds++;
    return BT_OK;
  }
  BT_ENDED_BY(bt_stored_result_clear) bt_stored_result r = {0};
  BT_ENDED_BY(bt_text_destroy) bt_text remarked = {0};
  bt_store_row with = *row; /* in a docking log, the ligand's properties are remarks of its PDBQT */
  if (o->format == BT_SCREEN_DLG) {
    BT_TRY(add_remarks(o, row, &remarked, opt_error));
    bt_text_add_string(&remarked, row->molecule);
    BT_TRY(bt_text_status(&remarked, opt_error));
    with.molecule = remarked.data;
  }
  BT_TRY(bt_store_result(&with, o->scoring, o->opt_flexible, o->opt_maps, &r, opt_error));
  bool bonds = true;
  if (o->format == BT_SCREEN_SDF && !bt_molecule_has_chemistry(r.list[0])) {
    bt_status status = bt_molecule_find_chemistry(r.list[0], NULL);
    bonds = status == BT_OK;
    o->exported->without_bonds += !bonds;
    if (status == BT_ERR_MEMORY) return status;
  }
  if (o->format == BT_SCREEN_DLG) BT_TRY(dlg_file(o, rank, row, r.result, opt_error));
  const bt_pose_judges judges = {o->constraints, (const bt_molecule *const *)o->receptor, o->n_receptor > 0};
  if (o->format == BT_SCREEN_SDF && bonds) BT_TRY(bt_stored_result_judge(&r, &judges, opt_error));
  for (int k = 0; bonds && k < row->n_poses; k++) {
    bool takes = true;
    if (o->selector != NULL) BT_TRY(bt_selector_takes_pose(o->selector, &r, k, &takes, opt_error));
    if (!takes) continue;
    if (o->format == BT_SCREEN_SDF) BT_TRY(sdf_pose(o, rank, row, k, r.result, opt_error));
    if (o->format == BT_SCREEN_PDBQT) BT_TRY(pdbqt_pose(o, rank, row, k, r.result, opt_error));
    o->exported->poses++;
  }
  return BT_OK;
}

/* --- several ligands at a time -------------------------------------------------------------------------- */

/* A copy of the output, with a text and counts of its own. */
static bt_status make_poses(void *user, bt_row_job *job, bt_error *opt_error) {
  output own = *(const output *)user;
  bt_screen_exported exported = {0};
  own.text = own.table.texts = own.table.doubted = (bt_text){0};
  own.exported = &exported;
  bt_status status = add_poses(&own, job->rank, job->row, opt_error);
  bt_text_destroy(&own.table.texts);
  bt_text_destroy(&own.table.doubted);
  job->text = own.text;
  job->counts[0] = exported.poses;
  job->counts[1] = exported.without_pose;
  job->counts[2] = exported.without_bonds;
  return status;
}

static bt_status take_poses(void *user, const bt_row_job *job, bt_error *opt_error) {
  output *o = user;
  o->exported->poses += job->counts[0];
  o->exported->without_pose += job->counts[1];
  o->exported->without_bonds += job->counts[2];
  return job->text.size > 0 ? bt_file_writer_add(o->writer, job->text.data, job->text.size, opt_error) : BT_OK;
}

/* --- all ----------------------------------------------------------------------------------------------- */

/* Does the selection take the ligand? Its interactions are noted. */
static bt_status select_row(output *o, const bt_store_row *row, bool *ret_taken, bt_error *opt_error) {
  BT_ENDED_BY(bt_stored_result_clear) bt_stored_result r = {0};
  *ret_taken = false;
  if (o->top > 0 && o->exported->ligands == o->top) return BT_OK;
  if (row->molecule == NULL || row->n_poses == 0) {
    o->omitted_poses++;
    return BT_OK;
  }
  BT_TRY(bt_store_result(row, o->scoring, o->opt_flexible, NULL, &r, opt_error));
  bool bonds;
  BT_TRY(bt_selector_judge(o->selector, row, &r, ret_taken, &bonds, opt_error));
  o->omitted_bonds += !bonds;
  return *ret_taken ? bt_selector_note(o->selector, row, &r, opt_error) : BT_OK;
}

static bt_status visit(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  output *o = user;
  o->text.size = 0;
  if (o->selector != NULL) {
    bool taken;
    BT_TRY(select_row(o, row, &taken, opt_error));
    if (!taken) return BT_OK;
  }
  o->exported->ligands++;
  if (o->parquet != NULL) {
    BT_TRY(bt_export_row(&o->table, rank, row, opt_error));
    return bt_parquet_add(o->parquet, o->table.cells, opt_error);
  }
  if (o->batch != NULL) return bt_row_batch_add(o->batch, rank, row, opt_error);
  if (o->format == BT_SCREEN_CSV)
    BT_TRY(bt_export_csv_row(&o->table, rank, row, &o->text, opt_error));
  else if (o->format == BT_SCREEN_REJECTS)
    BT_TRY(rejects_row(&o->text, row, &o->table, opt_error));
  else
    BT_TRY(add_poses(o, rank, row, opt_error));
  BT_TRY(bt_text_status(&o->text, opt_error));
  if (o->writer == NULL || o->text.size == 0) return BT_OK;
  return bt_file_writer_add(o->writer, o->text.data, o->text.size, opt_error);
}

/* Other engines have none. */
static bt_status find_box(bt_store *store, output *o, bt_error *opt_error) {
  BT_SCOPED char *points = NULL;
  BT_TRY(bt_store_get(store, "npts_x", &points, opt_error));
  o->has_box = points != NULL;
  return o->has_box ? bt_store_box(store, &o->box, opt_error) : BT_OK;
}

static bt_status write_all(bt_store *store, output *o, int64_t top, bt_error *opt_error) {
  BT_SCOPED char *engine = NULL;
  BT_TRY(bt_store_get(store, "engine", &engine, opt_error));
  o->records = engine != NULL;
  for (char *c = engine; c != NULL && *c != '\0'; c++) *c = (char)toupper((unsigned char)*c);
  if (o->records && (o->format == BT_SCREEN_PDBQT || o->format == BT_SCREEN_DLG))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(store)}, "export them as SDF",
                   "poses of the %s engine are not AutoDock poses", engine);
  BT_TRY(bt_store_scoring(store, &o->scoring, opt_error));
  BT_TRY(bt_export_table_open(store, o->scoring, o->records, &o->table, opt_error));
  bool poses = o->format == BT_SCREEN_SDF || o->format == BT_SCREEN_PDBQT || o->format == BT_SCREEN_DLG;
  if (poses || o->selector != NULL) BT_TRY(bt_store_flexible(store, &o->opt_flexible, opt_error));
  if (poses) BT_TRY(find_box(store, o, opt_error));
  if (o->format == BT_SCREEN_SDF && !o->records) {
    BT_TRY(bt_store_receptor(store, &o->receptor, &o->n_receptor, opt_error));
    const bt_molecule *receptor = o->n_receptor > 0 ? o->receptor[0] : NULL;
    BT_TRY(bt_store_constraints(store, receptor, &o->constraints, opt_error));
  }
  if (o->format == BT_SCREEN_DLG && o->opt_maps == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "provide the receptor", "docking logs need maps");
  if (o->format == BT_SCREEN_PARQUET) {
    BT_TRY(bt_parquet_open(o->path, o->table.columns, o->table.n_columns, &o->parquet, opt_error));
  } else if (o->format != BT_SCREEN_DLG) {
    add_heading(o, &o->text);
    BT_TRY(bt_text_status(&o->text, opt_error));
    BT_TRY(bt_file_writer_open(o->path, &o->writer, opt_error));
    BT_TRY(bt_file_writer_add(o->writer, o->text.data, o->text.size, opt_error));
  }
  const bt_row_work work = {make_poses, take_poses, o};
  if (o->format == BT_SCREEN_SDF && !o->records) /* bonds and strain take long */
    BT_TRY(bt_row_batch_open(&work, &o->batch, opt_error));
  bool selects = o->selector != NULL;
  o->top = top;
  BT_TRY(bt_store_visit(store, o->format != BT_SCREEN_REJECTS, poses || selects, top > 0 && !selects ? top : -1, visit,
                        o, opt_error));
  if (o->batch != NULL) BT_TRY(bt_row_batch_flush(o->batch, opt_error));
  if (selects) BT_TRY(bt_selector_write(o->selector, opt_error));
  o->exported->without_pose += o->omitted_poses;
  o->exported->without_bonds += o->omitted_bonds;
  if (poses) o->exported->ligands += o->omitted_poses + o->omitted_bonds; /* as of those that are not selected */
  o->exported->damage = *bt_store_damage(store);
  bt_file_writer *writer = o->writer;
  bt_parquet *parquet = o->parquet;
  o->writer = NULL;
  o->parquet = NULL;
  if (parquet != NULL) return bt_parquet_commit(parquet, opt_error);
  return writer != NULL ? bt_file_writer_commit(writer, opt_error) : BT_OK;
}

bt_status bt_screen_export_selected(const char *database, bt_screen_format format, int64_t top, const char *path,
                                    const bt_maps *opt_maps, const bt_screen_selection *selection,
                                    bt_screen_exported *ret_exported, bt_error *opt_error) {
  bool selects = selection->opt_must_contact != NULL || selection->diverse > 0 || selection->opt_interactions != NULL;
  *ret_exported = (bt_screen_exported){0};
  BT_SCOPED_STORE store = NULL;
  BT_TRY(bt_store_open(database, BT_STORE_READ, -1, &store, opt_error));
  output o = {.format = format, .path = path, .opt_maps = opt_maps, .exported = ret_exported};
  bt_status status = selects ? bt_selector_create(store, selection, &o.selector, opt_error) : BT_OK;
  if (status == BT_OK) status = write_all(store, &o, top, opt_error);
  bt_row_batch_close(o.batch);
  bt_selector_destroy(o.selector);
  bt_file_writer_abandon(o.writer);
  bt_parquet_abandon(o.parquet);
  bt_molecule_destroy(o.opt_flexible);
  bt_molecule_list_destroy(o.receptor, o.n_receptor);
  bt_constraints_destroy(o.constraints);
  bt_export_table_close(&o.table);
  bt_text_destroy(&o.text);
  return status;
}

bt_status bt_screen_export(const char *database, bt_screen_format format, int64_t top, const char *path,
                           const bt_maps *opt_maps, bt_screen_exported *ret_exported, bt_error *opt_error) {
  const bt_screen_selection all = {0};
  return bt_screen_export_selected(database, format, top, path, opt_maps, &all, ret_exported, opt_error);
}
