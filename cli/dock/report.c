/* report.c - what the user of `berth dock` gets to see, and the files of the whole docking. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dock/state.h"
#include "common/json.h"
#include "common/outputs.h"
#include "common/report.h"

void dock_print_header(const dock_state *state) {
  const dock_settings *settings = &state->settings;
  const bt_dock_options *search = &settings->search;
  bt_box box = bt_maps_box(state->maps);
  FILE *stream = settings->json ? stderr : stdout;
  if (settings->json && settings->quiet) return;
  fprintf(stream, "receptor  %s, %d maps of %d x %d x %d points\n", settings->receptor,
          bt_maps_type_count(state->maps) + 2, box.npts[0] + 1, box.npts[1] + 1, box.npts[2] + 1);
  fprintf(stream, "box       %.3f x %.3f x %.3f Angstrom around (%.3f, %.3f, %.3f)\n", box.npts[0] * box.spacing,
          box.npts[1] * box.spacing, box.npts[2] * box.spacing, box.center[0], box.center[1], box.center[2]);
  fprintf(stream, "ligands   %d to dock", dock_left(state));
  if (state->rejects.count > 0) fprintf(stream, ", %d rejected", state->rejects.count);
  if (!state->batch->last) fputs(" at first, more to come", stream);
  if (settings->prepare.opt_flex != NULL)
    fprintf(stream, "; flexible residues %s%s", state->receptor.opt_flexible_path != NULL ? "from " : "",
            settings->prepare.opt_flex);
  static const char *const methods[] = {"no local search", "Solis-Wets", "ADADELTA", "ADAM"};
  fprintf(stream, "\nsearch    %d runs of %d individuals, %s, ", search->runs, search->population,
          methods[search->local_search]);
  if (search->heuristics)
    fprintf(stream, "evaluations by heuristics");
  else
    fprintf(stream, "%lld evaluations each", (long long)search->evaluations);
  fprintf(stream, "%s\nseed      %llu\n\n", search->autostop ? ", autostop" : "", (unsigned long long)search->seed);
  fflush(stream);
}

/* --- the receptor -------------------------------------------------------------------------------------- */

static bt_status write_text(const dock_state *state, const char *name, const char *ending, const char *text,
                            bt_error *opt_error) {
  CLI_SCOPED char *path = dock_output_path(state, name, ending);
  if (path == NULL) return cli_no_memory(opt_error);
  return cli_file_write(path, text, opt_error);
}

bt_status dock_write_receptor(const dock_state *state, bt_error *opt_error) {
  const bt_prepared_receptor *prepared = state->receptor.opt_prepared;
  if (prepared == NULL) return BT_OK;
  bt_status status = write_text(state, "receptor", "pdbqt", bt_prepared_receptor_rigid_pdbqt(prepared), opt_error);
  if (status == BT_OK)
    status = write_text(state, "receptor-report", "txt", bt_prepared_receptor_report(prepared), opt_error);
  return status;
}

/* --- the terminal -------------------------------------------------------------------------------------- */

static void print_json(const dock_state *state, const cli_ligand *ligand, const bt_result *result) {
  bt_run_summary best = bt_result_ranked(result, 0);
  cli_jsonf(stdout, "{'ligand': %s, 'seed': %llu, 'device': %s, 'evaluations': %lld, 'seconds': %.3f, 'runs': %d, ",
            ligand->name, (unsigned long long)state->settings.search.seed, bt_result_device(result),
            (long long)bt_result_evaluations(result), bt_result_seconds(result), bt_result_run_count(result));
  cli_jsonf(stdout,
            "'clusters': %d, 'best': {'run': %d, 'free_energy': %g, 'inter': %g, 'intra': %g, 'torsional': %g, ",
            bt_result_cluster_count(result), best.run, best.energy.free_energy, best.energy.inter, best.energy.intra,
            best.energy.torsional);
  cli_jsonf(stdout, "'rmsd_reference': %g}, 'warning': %s", best.reference_rmsd, bt_result_warning(result));
  bool outside = best.energy.atoms_outside > 0, clash = best.energy.inter > 0;
  printf(", \"flags\": [%s%s%s], \"files\": [", outside ? "\"outside_box\"" : "", outside && clash ? ", " : "",
         clash ? "\"clash\"" : "");
  const char *ending;
  for (int i = 0; (ending = dock_ending(state, ligand, i)) != NULL; i++) {
    CLI_SCOPED char *path = dock_output_path(state, ligand->name, ending);
    fputs(i > 0 ? ", " : "", stdout);
    cli_json_string(stdout, path != NULL ? path : "");
  }
  printf("]}\n");
}

bt_status dock_print_result(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                            bt_error *opt_error) {
  if (state->settings.json) {
    print_json(state, ligand, result);
  } else if (state->single) {
    CLI_SCOPED char *table = NULL;
    CLI_TRY(bt_result_table(result, &table, opt_error));
    fputs(table, stdout);
  } else {
    bt_run_summary best = bt_result_ranked(result, 0);
    if (state->docked == 0)
      printf("%-32s %11s %9s %9s %8s %8s %13s %9s\n", "ligand", "free energy", "inter", "intra", "clusters", "rmsd",
             "evaluations", "seconds");
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

static int by_free_energy(const void *a, const void *b) {
  double first = ((const dock_summary *)a)->best.energy.free_energy;
  double second = ((const dock_summary *)b)->best.energy.free_energy;
  if (first != second) return first < second ? -1 : 1;
  return strcmp(((const dock_summary *)a)->ligand, ((const dock_summary *)b)->ligand);
}

static bt_status write_summary(const dock_state *state, const char *path, bt_error *opt_error) {
  CLI_SCOPED dock_summary *sorted = malloc((size_t)state->docked * sizeof *sorted);
  if (sorted == NULL) return cli_no_memory(opt_error);
  memcpy(sorted, state->summaries, (size_t)state->docked * sizeof *sorted);
  qsort(sorted, (size_t)state->docked, sizeof *sorted, by_free_energy);
  cli_file file;
  bt_status status = cli_file_open(path, &file, opt_error);
  if (status == BT_OK) {
    fputs("rank,ligand,free_energy,inter,intra,torsional,best_run,runs,clusters,rmsd_reference,evaluations,seconds\n",
          file.stream);
    for (int i = 0; i < state->docked; i++) {
      const dock_summary *s = &sorted[i];
      fprintf(file.stream, "%d,", i + 1);
      cli_csv_field(file.stream, s->ligand);
      fprintf(file.stream, ",%.3f,%.3f,%.3f,%.3f,%d,%d,%d,", s->best.energy.free_energy, s->best.energy.inter,
              s->best.energy.intra, s->best.energy.torsional, s->best.run, s->runs, s->clusters);
      if (isfinite(s->best.reference_rmsd)) fprintf(file.stream, "%.3f", s->best.reference_rmsd);
      fprintf(file.stream, ",%lld,%.3f\n", (long long)s->evaluations, s->seconds);
    }
    status = cli_file_close(&file, opt_error);
  }
  return status;
}

bt_status dock_write_lists(const dock_state *state, bt_error *opt_error) {
  CLI_SCOPED char *rejects = dock_output_path(state, "rejects", "csv");
  CLI_SCOPED char *summary = dock_output_path(state, "summary", "csv");
  bt_status status = rejects != NULL && summary != NULL ? cli_rejects_write(&state->rejects, rejects, opt_error)
                                                        : cli_no_memory(opt_error);
  if (status == BT_OK && !state->single && state->docked > 0) status = write_summary(state, summary, opt_error);
  return status;
}
