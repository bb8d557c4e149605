/* docking_log.c - reading docking logs (.dlg), as AutoDock-GPU and Berth write them. */
#include "report/docking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"

typedef struct reader {
  const char *label;
  bt_docking_record *log;
  bt_text ligand, flexible, reference;
  bt_report_pose *pose; /* the current one; NULL between poses */
  size_t pose_room, xyz_room;
  int n_atoms; /* of that pose so far */
  long line;
  bt_error *opt_error;
} reader;

static bt_status bad(reader *r, const char *what) {
  return bt_fail(r->opt_error, BT_ERR_INPUT, (bt_where){.file = r->label, .line = r->line},
                 "use a docking log written by Berth or AutoDock-GPU", "%s", what);
}

/* What follows the prefix, in *rest. */
static bool after(bt_span line, const char *prefix, bt_span *rest) {
  size_t length = strlen(prefix);
  if (!bt_span_starts(line, prefix)) return false;
  *rest = (bt_span){line.text + length, line.size - length};
  return true;
}

static bt_status keep(reader *r, char **text, bt_span value) {
  value = bt_span_trim(value);
  free(*text);
  *text = strndup(value.text, value.size);
  return *text != NULL ? BT_OK : bt_fail_memory(r->opt_error);
}

static void keep_line(bt_text *text, bt_span line) {
  bt_text_add(text, line.text, line.size);
  bt_text_add_char(text, '\n');
}

/* --- heading ------------------------------------------------------------------------------------------- */

/* "9.357000, 16.147000, 9.207000A" */
static void read_triple(bt_span rest, double *values) {
  for (int k = 0; k < 3; k++) {
    rest = bt_span_trim(rest);
    const char *end = bt_scan_double(rest.text, rest.text + rest.size, &values[k]);
    if (end == NULL) {
      values[k] = NAN;
      return;
    }
    rest.size -= (size_t)(end - rest.text);
    rest.text = end;
    if (rest.size > 0 && rest.text[0] == ',') rest.text++, rest.size--;
  }
}

static bt_status read_heading(reader *r, bt_span line) {
  bt_docking_record *log = r->log;
  bt_span rest;
  const struct {
    const char *key;
    char **text;
  } texts[] = {{"Receptor name:", &log->receptor_name},
               {"Random seed:", &log->seed},
               {"Scoring function:", &log->scoring},
               {"Program call in command line was:", &log->command_line}};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    if (after(line, texts[k].key, &rest)) return keep(r, texts[k].text, rest);
  if (after(line, "Grid center (x, y, z):", &rest)) read_triple(rest, log->box_center);
  if (after(line, "Grid size (x, y, z):", &rest)) read_triple(rest, log->box_size);
  if (after(line, "Number of energy evaluations performed:", &rest)) (void)bt_parse_double(rest, &log->evaluations);
  if (after(line, "Run time ", &rest)) (void)bt_parse_double(bt_span_word(&rest), &log->seconds);
  return BT_OK;
}

/* --- poses --------------------------------------------------------------------------------------------- */

static bt_status begin_pose(reader *r) {
  r->pose = bt_docking_record_add_pose(r->log, &r->pose_room);
  r->n_atoms = 0;
  r->xyz_room = 0;
  return r->pose != NULL ? BT_OK : bt_fail_memory(r->opt_error);
}

static bt_status end_pose(reader *r) {
  const bt_report_pose *pose = r->pose;
  if (pose == NULL) return BT_OK;
  r->pose = NULL;
  if (r->n_atoms == 0) return bad(r, "a pose has no atoms");
  if (isnan(pose->free_energy) || isnan(pose->inter)) return bad(r, "a pose has no energies");
  if (r->log->n_poses > 1 && r->n_atoms != r->log->n_atoms) return bad(r, "the poses differ in their number of atoms");
  r->log->n_atoms = r->n_atoms;
  return BT_OK;
}

static bt_status read_atom(reader *r, bt_span line) {
  bt_report_pose *pose = r->pose;
  if (!BT_GROW(pose->xyz, &r->xyz_room, 3 * (size_t)r->n_atoms + 3)) return bt_fail_memory(r->opt_error);
  for (int k = 0; k < 3; k++)
    if (!bt_parse_double(bt_span_columns(line, 30 + 8 * (size_t)k, 38 + 8 * (size_t)k), &pose->xyz[3 * r->n_atoms + k]))
      return bad(r, "an atom has no coordinates in columns 31 to 54");
  r->n_atoms++;
  return BT_OK;
}

static void read_energy(reader *r, bt_span line) {
  const struct {
    const char *key;
    double *value;
  } terms[] = {{"Estimated Free Energy of Binding", &r->pose->free_energy},
               {"(1) Final Intermolecular Energy", &r->pose->inter},
               {"vdW + Hbond + desolv Energy", &r->pose->vdw},
               {"Electrostatic Energy", &r->pose->electrostatic},
               {"Moving Ligand-Moving Receptor", &r->pose->moving},
               {"(2) Final Total Internal Energy", &r->pose->intra},
               {"(3) Torsional Free Energy", &r->pose->torsional}};
  const char *equals = memchr(line.text, '=', line.size);
  if (equals == NULL) return;
  bt_span rest = {equals + 1, line.size - (size_t)(equals + 1 - line.text)};
  for (size_t k = 0; k < sizeof terms / sizeof *terms; k++)
    if (bt_span_starts(line, terms[k].key)) (void)bt_parse_double(bt_span_word(&rest), terms[k].value);
}

static bt_status read_docked(reader *r, bt_span line) {
  bt_span rest;
  if (bt_span_starts(line, "MODEL")) {
    BT_TRY(end_pose(r));
    return begin_pose(r);
  }
  if (r->pose == NULL) return BT_OK;
  if (bt_span_starts(line, "ENDMDL")) return end_pose(r);
  if (bt_span_starts(line, "ATOM") || bt_span_starts(line, "HETATM")) return read_atom(r, line);
  if (!after(line, "USER", &rest)) return BT_OK;
  rest = bt_span_trim(rest);
  bt_span number;
  if (bt_span_starts(rest, "Further minimum")) r->pose->further = true;
  if (after(rest, "Run =", &number)) (void)bt_parse_int(number, &r->pose->run);
  read_energy(r, rest);
  return BT_OK;
}

/* A row of the RMSD table: rank, sub-rank, run, energy, two RMSDs, the word RANKING. */
static void read_ranking(reader *r, bt_span line) {
  bt_span words[7], rest = line;
  int n = 0, rank, sub, run;
  double cluster, reference;
  while (n < 7 && (words[n] = bt_span_word(&rest)).size > 0) n++;
  if (n < 7 || !bt_span_equals(words[6], "RANKING")) return;
  if (!bt_parse_int(words[0], &rank) || !bt_parse_int(words[1], &sub) || !bt_parse_int(words[2], &run) ||
      !bt_parse_double(words[4], &cluster) || !bt_parse_double(words[5], &reference))
    return;
  for (int k = 0; k < r->log->n_poses; k++) {
    bt_report_pose *pose = &r->log->poses[k];
    if (pose->run != run) continue;
    pose->cluster = rank;
    pose->rank_in_cluster = sub;
    pose->cluster_rmsd = cluster;
    if (reference < 99999) pose->reference_rmsd = reference; /* 100000: another molecule */
  }
}

static bt_status read_lines(reader *r, const char *text, size_t size) {
  bt_lines lines = bt_lines_of(text, size);
  for (bt_span line, rest; bt_lines_next(&lines, &line);) {
    r->line = lines.number;
    if (after(line, "INPUT-LIGAND-PDBQT: ", &rest))
      keep_line(&r->ligand, rest);
    else if (after(line, "INPUT-FLEXRES-PDBQT: ", &rest))
      keep_line(&r->flexible, rest);
    else if (after(line, "XRAY-LIGAND-PDBQT: ", &rest))
      keep_line(&r->reference, rest);
    else if (after(line, "DOCKED: ", &rest))
      BT_TRY(read_docked(r, rest));
    else if (line.size > 8 && memcmp(line.text + line.size - 7, "RANKING", 7) == 0)
      read_ranking(r, line);
    else
      BT_TRY(read_heading(r, line));
  }
  return end_pose(r);
}

static bt_status hand_over(reader *r, bt_text *text, char **ret_text) {
  bt_text_add_string(text, "");
  return bt_text_take(text, ret_text, r->opt_error);
}

bt_status bt_docking_log_parse(const char *label, const char *text, size_t size, bt_docking_record *ret_docking,
                               bt_error *opt_error) {
  bt_docking_record *log = ret_docking;
  reader r = {.label = label, .log = log, .opt_error = opt_error};
  *log = (bt_docking_record){
      .seconds = NAN, .evaluations = NAN, .box_center = {NAN, NAN, NAN}, .box_size = {NAN, NAN, NAN}};
  bt_status status = read_lines(&r, text, size);
  if (status == BT_OK && log->n_poses == 0) status = bad(&r, "no docked pose");
  if (status == BT_OK && r.ligand.size == 0) status = bad(&r, "the ligand's PDBQT text is missing");
  if (status == BT_OK) status = hand_over(&r, &r.ligand, &log->ligand);
  if (status == BT_OK) status = hand_over(&r, &r.flexible, &log->flexible);
  if (status == BT_OK) status = hand_over(&r, &r.reference, &log->reference);
  char **const texts[] = {&log->command_line, &log->receptor_name, &log->receptor_file,
                          &log->seed,         &log->scoring,       &log->ranked_by};
  log->rank_energy = NAN;
  for (size_t k = 0; status == BT_OK && k < sizeof texts / sizeof *texts; k++)
    if (*texts[k] == NULL && (*texts[k] = strdup("")) == NULL) status = bt_fail_memory(opt_error);
  int runs = 0;
  for (int k = 0; k < log->n_poses; k++) runs += !log->poses[k].further;
  log->evaluations *= runs; /* the log has the mean of the runs */
  bt_text_destroy(&r.ligand);
  bt_text_destroy(&r.flexible);
  bt_text_destroy(&r.reference);
  return status;
}
