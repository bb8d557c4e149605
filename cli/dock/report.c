/* report.c - the terminal output of `berth dock`, and the files that concern all ligands. */
#include <berth/report.h>
#include <berth/rescore.h>
#include <berth/score.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report.h"
#include "dock/state.h"
#include "output/checks.h"
#include "output/outputs.h"
#include "output/table.h"

static const char *method_name(bt_local_search method) {
  switch (method) {
    case BT_LS_NONE: break;
    case BT_LS_SOLIS_WETS: return "Solis-Wets";
    case BT_LS_ADADELTA: return "ADADELTA";
    case BT_LS_ADAM: return "ADAM";
  }
  return "no local search";
}

/* Those that move; the ones named by --flex that stay rigid are in notes. */
static void print_flexible(const dock_state *state, FILE *stream) {
  const char *opt_words = state->settings.prepare.opt_flex;
  if (opt_words == NULL) return;
  if (state->receptor.opt_flexible_path != NULL) {
    fprintf(stream, "; flexible residues from %s", opt_words);
    return;
  }
  const char *text = "", *begin = "BEGIN_RES ";
  if (state->receptor.opt_prepared != NULL) text = bt_prepared_receptor_flexible_pdbqt(state->receptor.opt_prepared);
  int count = 0, number;
  char name[4], chain;
  while ((text = strstr(text, begin)) != NULL) {
    text += strlen(begin);
    if (sscanf(text, "%3s %c%d", name, &chain, &number) == 3)
      fprintf(stream, "%s%c:%s%d", count++ == 0 ? "; flexible residues " : ",", chain, name, number);
  }
  if (count == 0) fputs("; no flexible residue: those named by --flex stay rigid", stream);
}

static void print_boxes(const dock_state *state, FILE *stream) {
  int found, count = bt_target_box_count(state->target);
  const bt_pocket *pockets = bt_target_pockets(state->target, &found);
  if (pockets != NULL) fprintf(stream, "pockets   %d found, %d docked: each is a site\n", found, count);
  if (state->n_ensemble > 0) count = 1; /* the same for all */
  for (int i = 0; i < count; i++) {
    bt_box box = bt_target_box(state->target, i);
    double x = box.npts[0] * box.spacing, y = box.npts[1] * box.spacing, z = box.npts[2] * box.spacing;
    if (dock_settings_several(&state->settings))
      fprintf(stream, "site %-4d %.1f x %.1f x %.1f Angstrom around (%.1f, %.1f, %.1f)", i + 1, x, y, z, box.center[0],
              box.center[1], box.center[2]);
    else
      fprintf(stream, "box       %.3f x %.3f x %.3f Angstrom around (%.3f, %.3f, %.3f)", x, y, z, box.center[0],
              box.center[1], box.center[2]);
    if (pockets != NULL)
      fprintf(stream, "; pocket of %.0f A^3, %.0f %% buried", pockets[i].volume, 100 * pockets[i].buried);
    fputc('\n', stream);
  }
}

void dock_print_header(const dock_state *state, int ligands, bool more) {
  const dock_settings *settings = &state->settings;
  const bt_dock_options *search = &settings->search;
  const bt_maps *maps = bt_target_maps(state->target, 0);
  bt_box box = bt_maps_box(maps);
  FILE *stream = settings->json ? stderr : stdout;
  if (settings->json && settings->quiet) return;
  fprintf(stream, "receptor  %s, %d maps", settings->receptor, bt_maps_type_count(maps) + 2);
  if (dock_settings_several(settings))
    fprintf(stream, " of each box\n");
  else
    fprintf(stream, " of %d x %d x %d points\n", box.npts[0] + 1, box.npts[1] + 1, box.npts[2] + 1);
  for (int i = 0; i < state->n_ensemble; i++)
    fprintf(stream, "receptor %d %s\n", i + 2, bt_molecule_name(state->ensemble[i].rigid));
  print_boxes(state, stream);
  const bt_box_load *load = bt_target_load(state->target);
  if (!dock_settings_several(settings) && load->n_types > 0) cli_box_print_memory(load, stream);
  fprintf(stream, "ligands   %d to dock", ligands);
  if (state->lists.n_rejects > 0) fprintf(stream, ", %d rejected", state->lists.n_rejects);
  if (state->lists.n_filtered > 0) fprintf(stream, ", %ld left out", state->lists.n_filtered);
  if (more) fputs(" so far, more to follow", stream);
  print_flexible(state, stream);
  if (settings->prepare.ligands.opt_tether != NULL)
    fprintf(stream, ", bonded to %s", settings->prepare.ligands.opt_tether->residue);
  fputc('\n', stream);
  cli_print_protonation(&settings->prepare, settings->receptor, stream);
  cli_protocol_print(&settings->protocol, stream);
  if (state->constraints != NULL) fprintf(stream, "required  %s\n", bt_constraints_words(state->constraints));
  fprintf(stream, "search    %d runs of %d individuals, %s, ", search->runs, search->population,
          method_name(search->local_search));
  if (search->heuristics)
    fprintf(stream, "evaluations by heuristics");
  else
    fprintf(stream, "%lld evaluations each", (long long)search->evaluations);
  fprintf(stream, "%s\nseed      %llu\n\n", search->autostop ? ", autostop" : "", (unsigned long long)search->seed);
  fflush(stream);
}

/* --- the receptor -------------------------------------------------------------------------------------- */

static bt_status write_text(dock_state *state, const char *name, const char *ending, const char *text,
                            bt_error *opt_error) {
  BT_SCOPED char *path = dock_output_path(state, name, ending);
  if (path == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_file_set_spare(&state->inputs, path, opt_error));
  return bt_file_write(path, text, strlen(text), opt_error);
}

/* The further receptors, as receptor-2.pdbqt and so on, in the frame of the first. */
static bt_status write_ensemble(dock_state *state, bt_error *opt_error) {
  for (int i = 0; i < state->n_ensemble; i++) {
    const bt_prepared_receptor *prepared = state->ensemble[i].opt_prepared;
    char name[32], report[48];
    if (prepared == NULL) continue;
    snprintf(name, sizeof name, "receptor-%d", i + 2);
    snprintf(report, sizeof report, "receptor-%d-report", i + 2);
    BT_TRY(write_text(state, name, "pdbqt", bt_prepared_receptor_rigid_pdbqt(prepared), opt_error));
    BT_TRY(write_text(state, report, "txt", bt_prepared_receptor_report(prepared), opt_error));
  }
  return BT_OK;
}

bt_status dock_write_receptor(dock_state *state, bt_error *opt_error) {
  const bt_prepared_receptor *prepared = state->receptor.opt_prepared;
  BT_TRY(write_ensemble(state, opt_error));
  if (prepared == NULL) return BT_OK;
  BT_SCOPED char *path = dock_output_path(state, "receptor", "pdbqt");
  if (path == NULL) return bt_fail_memory(opt_error);
  BT_TRY(dock_check_earlier_receptor(state, path, bt_prepared_receptor_rigid_pdbqt(prepared), opt_error));
  bt_status status = write_text(state, "receptor", "pdbqt", bt_prepared_receptor_rigid_pdbqt(prepared), opt_error);
  if (status == BT_OK)
    status = write_text(state, "receptor-report", "txt", bt_prepared_receptor_report(prepared), opt_error);
  return status;
}

/* --- the terminal -------------------------------------------------------------------------------------- */

static bt_status print_json(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                            bt_error *opt_error) {
  bt_run_summary best = bt_result_ranked(result, 0);
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json,
                 "{ ligand %s scoring %s seed %" PRIu64 " device %s evaluations %" PRId64
                 " seconds %.3f runs %d clusters %d",
                 ligand->name, bt_scoring_name((bt_scoring)state->settings.protocol.scoring), state->settings.search.seed,
                 bt_result_device(result), bt_result_evaluations(result), bt_result_seconds(result),
                 bt_result_run_count(result), bt_result_cluster_count(result));
  bt_json_printf(&json, "best { run %d free_energy %g inter %g intra %g unbound %g torsional %g rmsd_reference %g",
                 best.run, best.energy.free_energy, best.energy.inter, best.energy.intra, best.energy.unbound,
                 best.energy.torsional, best.reference_rmsd);
  if (best.site > 0) bt_json_printf(&json, state->n_ensemble > 0 ? "receptor %d" : "site %d", best.site);
  bt_json_close(&json, '}');
  bt_json_printf(&json, "ranked_by %s rank_energy %g", bt_result_ranked_by(result), bt_result_rank_energy(result, 0));
  if (bt_result_rescored_count(result) > 0) {
    bt_json_printf(&json, "rescored [");
    for (int k = 0; k < bt_result_rescored_count(result); k++) {
      bt_rescored of = bt_result_rescored(result, 0, k);
      bt_json_printf(&json, "{ scoring %s free_energy %g rank %d rmsd_docked %g rmsd_reference %g", of.name, of.score,
                     of.rank, of.moved, of.reference_rmsd);
      for (int v = 0; v < of.n_values; v++) {
        bt_json_key(&json, of.value_names[v]);
        bt_json_number(&json, of.values[v]);
      }
      bt_json_close(&json, '}');
    }
    bt_json_close(&json, ']');
  }
  BT_SCOPED char *warnings = bt_result_warnings(result);
  text.failed |= warnings == NULL;
  bt_json_printf(&json, "warning %s flags [", warnings);
  if (best.energy.atoms_outside > 0) bt_json_string(&json, "outside_box");
  if (best.energy.inter > 0) bt_json_string(&json, "clash");
  bt_json_close(&json, ']');
  if (state->settings.checks != BT_CHECKS_OFF) cli_json_checks(&json, bt_result_checks(result, 0));
  bt_json_printf(&json, "files [");
  const char *ending;
  for (int i = 0; (ending = dock_ending(state, ligand, i)) != NULL; i++) {
    BT_SCOPED char *path = dock_output_path(state, ligand->name, ending);
    text.failed |= path == NULL;
    bt_json_string(&json, path);
  }
  bt_json_printf(&json, "] }");
  return cli_print_json(&text, opt_error);
}

bt_status dock_print_result(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                            bt_error *opt_error) {
  if (state->settings.json) {
    return print_json(state, ligand, result, opt_error);
  } else if (state->single) {
    BT_SCOPED char *table = NULL;
    BT_TRY(bt_result_table(result, &table, opt_error));
    fputs(table, stdout);
  } else {
    bt_run_summary best = bt_result_ranked(result, 0);
    if (state->docked == 0)
      printf("%-32s %11s %9s %9s %8s %8s %13s %9s\n", "ligand",
             bt_scoring_traits_of((bt_scoring)state->settings.protocol.scoring)->energy, "inter", "intra", "clusters",
             "rmsd", "evaluations", "seconds");
    char rmsd[32] = "-";
    if (isfinite(best.reference_rmsd)) snprintf(rmsd, sizeof rmsd, "%.2f", best.reference_rmsd);
    printf("%-32s %11.2f %9.2f %9.2f %8d %8s %13lld %9.2f\n", ligand->name, best.energy.free_energy, best.energy.inter,
           best.energy.intra, bt_result_cluster_count(result), rmsd, (long long)bt_result_evaluations(result),
           bt_result_seconds(result));
  }
  fflush(stdout);
  return BT_OK;
}

/* --- files of the whole docking ------------------------------------------------------------------------ */

static int by_rank_energy(const void *a, const void *b) {
  double first = ((const dock_summary *)a)->rank_energy, second = ((const dock_summary *)b)->rank_energy;
  if (first != second) return first < second ? -1 : 1;
  return strcmp(((const dock_summary *)a)->ligand, ((const dock_summary *)b)->ligand);
}

/* Columns of the re-scorers of a list; opt_scores are the numbers of a row, NULL: the headings are meant. */
static void add_scores(bt_text *text, const char *opt_rescorers, const double *opt_scores) {
  const char *names = opt_rescorers != NULL ? opt_rescorers : "";
  int at = 0;
  bt_rescorer_info by;
  for (int k = 0; (by = bt_rescorer(names, k)).name != NULL; k++) {
    if (opt_scores == NULL)
      bt_text_printf(text, ",%s", by.name);
    else
      bt_text_printf(text, ",%.3f", opt_scores[at++]);
    for (int v = 0; v < by.n_values; v++) {
      if (opt_scores == NULL)
        bt_text_printf(text, ",%s", by.value_names[v]);
      else
        bt_text_printf(text, ",%.6g", opt_scores[at++]); /* as all files have them */
    }
  }
}

bt_status dock_write_summary(dock_state *state, bt_error *opt_error) {
  if (state->docked == 0) return BT_OK;
  BT_SCOPED dock_summary *sorted = malloc((size_t)state->docked * sizeof *sorted);
  if (sorted == NULL) return bt_fail_memory(opt_error);
  memcpy(sorted, state->summaries, (size_t)state->docked * sizeof *sorted);
  qsort(sorted, (size_t)state->docked, sizeof *sorted, by_rank_energy);
  BT_SCOPED char *path = dock_output_path(state, "summary", "csv");
  if (path == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_file_set_spare(&state->inputs, path, opt_error));
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_add_string(&text,
                     "rank,ligand,free_energy,inter,intra,torsional,best_run,runs,clusters,rmsd_reference,"
                     "evaluations,seconds,unbound,scoring");
  const dock_settings *settings = &state->settings;
  add_scores(&text, settings->protocol.opt_rescore, NULL);
  bt_text_add_string(&text, ",ranked_by,rank_energy");
  bool several = dock_settings_several(settings) || state->n_ensemble > 0;
  if (several) bt_text_add_string(&text, state->n_ensemble > 0 ? ",receptor" : ",site");
  bool varied = settings->prepare.ligands.protomers > 1 || settings->prepare.ligands.stereo == BT_STEREO_ENUMERATE;
  if (varied) bt_text_add_string(&text, ",parent");
  bt_text_add_char(&text, '\n');
  for (int i = 0; i < state->docked; i++) {
    const dock_summary *s = &sorted[i];
    bt_text_printf(&text, "%d,", i + 1);
    bt_text_csv(&text, s->ligand);
    bt_text_printf(&text, ",%.3f,%.3f,%.3f,%.3f,%d,%d,%d,", s->best.energy.free_energy, s->best.energy.inter,
                   s->best.energy.intra, s->best.energy.torsional, s->best.run, s->runs, s->clusters);
    if (isfinite(s->best.reference_rmsd)) bt_text_printf(&text, "%.3f", s->best.reference_rmsd);
    bt_text_printf(&text, ",%lld,%.3f,%.3f,%s", (long long)s->evaluations, s->seconds, s->best.energy.unbound,
                   bt_scoring_name((bt_scoring)state->settings.protocol.scoring));
    add_scores(&text, settings->protocol.opt_rescore, s->scores);
    bt_text_printf(&text, ",%s,%.3f", s->ranked_by, s->rank_energy);
    if (several) bt_text_printf(&text, ",%d", s->best.site);
    if (varied) bt_text_add_char(&text, ',');
    if (varied) bt_text_csv(&text, s->parent[0] != '\0' ? s->parent : s->ligand);
    bt_text_add_char(&text, '\n');
  }
  if (state->lists.replaces) return bt_file_write_text(path, &text, opt_error);
  BT_TRY(bt_text_status(&text, opt_error));
  return cli_table_merge(path, text.data, &state->lists.docked, opt_error);
}
