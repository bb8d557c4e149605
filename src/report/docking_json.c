/* docking_json.c - reading the JSON that `berth dock` leaves of a docking. */
#include <berth/rescore.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/json.h"
#include "report/docking.h"
#include "results/analysis/strain.h"

static double number_of(bt_span object, const char *key) {
  bt_span value;
  double number;
  return bt_json_find(object, key, &value) && bt_parse_double(value, &number) ? number : NAN;
}

/* 0 where there is no such number. */
static int integer_of(bt_span object, const char *key) {
  bt_span value;
  int number;
  return bt_json_find(object, key, &value) && bt_parse_int(value, &number) ? number : 0;
}

/* null, and what is missing or not a complete string, becomes "". */
static char *text_of(bt_span object, const char *key) {
  bt_span value;
  bt_json_find(object, key, &value);
  bool whole = value.size >= 2 && value.text[0] == '"' && value.text[value.size - 1] == '"';
  return whole ? bt_json_unquote(value) : bt_copy_text("", 0);
}

static void read_triple(bt_span box, const char *key, double triple[3]) {
  bt_span rest, value;
  bt_json_find(box, key, &rest);
  for (int k = 0; k < 3; k++)
    if (!bt_json_next(&rest, NULL, &value) || !bt_parse_double(value, &triple[k])) triple[k] = NAN;
}

static bt_status read_coordinates(bt_span run, bt_report_pose *pose, int *ret_atoms, bt_error *opt_error) {
  bt_span rest, value;
  size_t room = 0, n = 0;
  double x;
  bt_json_find(run, "coordinates", &rest);
  while (bt_json_next(&rest, NULL, &value) && bt_parse_double(value, &x)) {
    if (!BT_GROW(pose->xyz, &room, n + 1)) return bt_fail_memory(opt_error);
    pose->xyz[n++] = x;
  }
  *ret_atoms = n > 0 && n % 3 == 0 ? (int)(n / 3) : 0;
  return BT_OK;
}

static bt_status read_waters(bt_span run, int n_atoms, bt_water_list *list, bt_error *opt_error) {
  bt_span rest, value;
  if (!bt_json_find(run, "waters", &rest)) return BT_OK;
  while (bt_json_next(&rest, NULL, &value)) {
    BT_SCOPED char *state = text_of(value, "state");
    bt_water water = {.atom = integer_of(value, "ligand_atom") - 1,
                      .energy = number_of(value, "energy"),
                      .distance = number_of(value, "distance")};
    if (state == NULL) return bt_fail_memory(opt_error);
    if (water.atom < 0 || water.atom >= n_atoms || !bt_water_find(state, &water.state)) continue;
    if (!BT_GROW(list->items, &list->capacity, list->count + 1)) return bt_fail_memory(opt_error);
    list->items[list->count++] = water;
  }
  return BT_OK;
}

/* Faults of geometry among the flags. */
static unsigned faults_of(bt_span run) {
  bt_span rest, value;
  unsigned faults = 0;
  if (!bt_json_find(run, "flags", &rest)) return 0;
  while (bt_json_next(&rest, NULL, &value))
    for (int k = 0; k < BT_FAULTS; k++) {
      const char *word = bt_fault_word(k);
      if (value.size == strlen(word) + 2 && memcmp(value.text + 1, word, strlen(word)) == 0) faults |= bt_fault_bit(k);
    }
  return faults;
}

static bool is_true(bt_span object, const char *key) {
  bt_span value;
  return bt_json_find(object, key, &value) && bt_span_equals(value, "true");
}

static bt_status read_constraints(bt_span run, bt_report_pose *pose, bt_error *opt_error) {
  bt_span rest, value;
  size_t room = 0;
  if (!bt_json_find(run, "constraints", &rest)) return BT_OK;
  while (bt_json_next(&rest, NULL, &value)) {
    if (!BT_GROW(pose->constraints, &room, pose->n_constraints + 1)) return bt_fail_memory(opt_error);
    bt_report_constraint *c = &pose->constraints[pose->n_constraints];
    *c = (bt_report_constraint){.name = text_of(value, "name"),
                                .required = is_true(value, "required"),
                                .met = is_true(value, "met"),
                                .distance = number_of(value, "distance"),
                                .miss = number_of(value, "miss"),
                                .energy = number_of(value, "energy")};
    if (c->name == NULL) return bt_fail_memory(opt_error);
    pose->n_constraints++;
  }
  return BT_OK;
}

/* Which tests failed, and all values; made false where they were not made. */
static bt_checks checks_of(bt_span run) {
  bt_span checks, failed, name, values = {0};
  bt_checks found = {.made = bt_json_find(run, "checks", &checks) && bt_json_find(checks, "failed", &failed)};
  if (found.made) bt_json_find(checks, "values", &values);
  for (int k = 0; k < BT_CHECK_COUNT; k++) found.values[k] = number_of(values, bt_check_name((bt_check)k));
  while (found.made && bt_json_next(&failed, NULL, &name))
    for (int k = 0; k < BT_CHECK_COUNT; k++) {
      const char *word = bt_check_name((bt_check)k);
      if (name.size == strlen(word) + 2 && memcmp(name.text + 1, word, strlen(word)) == 0) found.failed |= 1U << k;
    }
  return found;
}

static bt_status read_run(const char *label, bt_span run, bt_docking_record *docking, size_t *room,
                          bt_error *opt_error) {
  bt_report_pose *pose = bt_docking_record_add_pose(docking, room);
  int n_atoms = 0;
  if (pose == NULL) return bt_fail_memory(opt_error);
  BT_TRY(read_coordinates(run, pose, &n_atoms, opt_error));
  BT_TRY(read_waters(run, n_atoms, &pose->waters, opt_error));
  BT_TRY(read_constraints(run, pose, opt_error));
  pose->run = integer_of(run, "run");
  pose->cluster = integer_of(run, "cluster");
  pose->rank_in_cluster = integer_of(run, "rank_in_cluster");
  pose->site = integer_of(run, "site");
  pose->receptor = integer_of(run, "receptor");
  pose->seed = integer_of(run, "seed_pose");
  bt_span further;
  pose->further = bt_json_find(run, "further", &further);
  pose->free_energy = number_of(run, "free_energy");
  pose->inter = number_of(run, "inter");
  pose->vdw = number_of(run, "inter_vdw_hbond") + number_of(run, "inter_desolvation");
  pose->electrostatic = number_of(run, "inter_electrostatic");
  pose->moving = number_of(run, "inter_moving");
  pose->intra = number_of(run, "intra");
  pose->torsional = number_of(run, "torsional");
  pose->cluster_rmsd = number_of(run, "rmsd_cluster");
  pose->reference_rmsd = number_of(run, "rmsd_reference");
  pose->strain = number_of(run, "strain");
  pose->faults = faults_of(run);
  pose->checks = checks_of(run);
  if (docking->n_poses == 1) docking->n_atoms = n_atoms;
  if (n_atoms > 0 && n_atoms == docking->n_atoms && isfinite(pose->free_energy) && isfinite(pose->inter)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "dock this ligand again",
                 "pose %d lacks atoms or energies", docking->n_poses);
}

static bt_report_pose *pose_of(bt_docking_record *docking, int run) {
  for (int k = 0; k < docking->n_poses; k++)
    if (docking->poses[k].run == run) return &docking->poses[k];
  return NULL;
}

/* What one re-scorer says: a score, or where there are further values, these instead, since they are made for people.
 * One that this build does not know has a score. */
static bt_status read_function(bt_span function, bt_report_pose *pose, bt_error *opt_error) {
  BT_SCOPED char *name = text_of(function, "scoring");
  if (name == NULL) return bt_fail_memory(opt_error);
  bt_rescorer_info by = bt_rescorer(name, 0);
  double score = number_of(function, "free_energy");
  bool added = true;
  if (by.name != NULL && by.unitless && by.n_values == 0)
    added = bt_score_list_add(&pose->values, by.title, score);
  else if (by.n_values == 0)
    added = bt_score_list_add(&pose->scores, name, score);
  for (int v = 0; added && v < by.n_values; v++)
    added = bt_score_list_add(&pose->values, by.value_names[v], number_of(function, by.value_names[v]));
  return added ? BT_OK : bt_fail_memory(opt_error);
}

/* What re-scorers say of the best pose of each cluster. */
static bt_status read_rescored(bt_span docking, bt_docking_record *ret_docking, bt_error *opt_error) {
  bt_span clusters, cluster, functions, function;
  bt_json_find(docking, "clusters", &clusters);
  const char *by = ret_docking->ranked_by;
  bool reordered = by[0] != '\0' && strcmp(by, ret_docking->scoring) != 0;
  for (int k = 0; k < ret_docking->n_poses; k++) ret_docking->poses[k].by_cluster = reordered;
  while (bt_json_next(&clusters, NULL, &cluster)) {
    bt_report_pose *pose = pose_of(ret_docking, integer_of(cluster, "best_run"));
    if (pose == NULL || !bt_json_find(cluster, "rescored", &functions)) continue;
    while (bt_json_next(&functions, NULL, &function)) BT_TRY(read_function(function, pose, opt_error));
  }
  return BT_OK;
}

bt_status bt_docking_json_parse(const char *label, const char *text, size_t size, bt_docking_record *ret_docking,
                                bt_error *opt_error) {
  bt_span all = bt_span_trim((bt_span){text, size}), value, rest, run;
  size_t room = 0;
  *ret_docking = (bt_docking_record){.n_poses = 0};
  if (all.size == 0 || text[0] != '{' || !bt_json_find(all, "ligand_pdbqt", &value)) return BT_OK;
  bt_docking_record *d = ret_docking;
  char **const texts[] = {&d->ligand,        &d->flexible, &d->reference,   &d->command_line, &d->receptor_name,
                          &d->receptor_file, &d->scoring,  &d->protonation, &d->ranked_by};
  static const char *const keys[] = {"ligand_pdbqt",  "flexible_pdbqt", "reference_pdbqt", "command_line", "receptor",
                                     "receptor_file", "scoring",        "protonation",     "ranked_by"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    if ((*texts[k] = text_of(all, keys[k])) == NULL) return bt_fail_memory(opt_error);
  bt_json_find(all, "seed", &value);
  d->seed = bt_copy_text(value.text, value.size);
  if (d->seed == NULL) return bt_fail_memory(opt_error);
  d->evaluations = number_of(all, "evaluations");
  d->rank_energy = number_of(all, "rank_energy");
  d->seconds = number_of(all, "seconds");
  bt_json_find(all, "box", &value);
  read_triple(value, "center", d->box_center);
  read_triple(value, "size", d->box_size);
  bt_json_find(all, "runs", &rest);
  while (bt_json_next(&rest, NULL, &run)) BT_TRY(read_run(label, run, d, &room, opt_error));
  BT_TRY(read_rescored(all, d, opt_error));
  if (d->n_poses > 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "dock this ligand again", "no docked pose");
}

/* --- both kinds ---------------------------------------------------------------------------------------- */

bt_report_pose *bt_docking_record_add_pose(bt_docking_record *docking, size_t *room) {
  if (!BT_GROW(docking->poses, room, docking->n_poses + 1)) return NULL;
  bt_report_pose *pose = &docking->poses[docking->n_poses++];
  *pose = (bt_report_pose){.run = docking->n_poses,
                           .free_energy = NAN,
                           .inter = NAN,
                           .intra = NAN,
                           .torsional = NAN,
                           .vdw = NAN,
                           .electrostatic = NAN,
                           .moving = NAN,
                           .cluster_rmsd = NAN,
                           .reference_rmsd = NAN,
                           .strain = NAN};
  return pose;
}

void bt_docking_record_clear(bt_docking_record *docking) {
  for (int k = 0; k < docking->n_poses; k++) {
    bt_report_pose *pose = &docking->poses[k];
    free(pose->xyz);
    for (int c = 0; c < pose->n_constraints; c++) free(pose->constraints[c].name);
    free(pose->constraints);
    bt_water_list_clear(&pose->waters);
    bt_score_list_clear(&pose->scores);
    bt_score_list_clear(&pose->values);
  }
  free(docking->poses);
  char *const texts[] = {docking->ligand,       docking->flexible,      docking->reference,     docking->seed,
                         docking->command_line, docking->receptor_name, docking->receptor_file, docking->scoring,
                         docking->protonation,  docking->ranked_by};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) free(texts[k]);
  *docking = (bt_docking_record){.n_poses = 0};
}
