/* screen.c - `berth screen` against one receptor: computes maps, and docks the library into the database. */
#include <berth/score.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/folder_lock.h"
#include "commands.h"
#include "common/report.h"
#include "common/seed.h"
#include "input/inputs.h"
#include "output/guard.h"
#include "output/outputs.h"
#include "ranks/mpi_ranks.h"
#include "screen/job.h"
#include "screen/progress.h"
#include "screen/results.h"
#include "signals/interrupt.h"

static const char program[] = "berth screen";

void screen_close(screen_job *job) {
  bt_target_close(job->target);
  bt_constraints_destroy(job->constraints);
  cli_receptor_free(&job->receptor);
  free(job->receptor_text);
  free(job->database);
  if (!job->ranks.together) free(job->ranks.whole);
}

/* --- receptor and maps --------------------------------------------------------------------------------- */

bt_status screen_open_target(screen_job *job, bt_error *opt_error) {
  const screen_settings *s = &job->settings;
  bt_protocol protocol = cli_protocol_of(&s->protocol, &s->search);
  static const char *name = program;
  bt_target_options options = cli_target_options(job->ranks.rank == 0 ? &name : NULL, &job->receptor, &s->prepare,
                                                 s->opt_parameters, &protocol);
  options.boxes = &s->resolved_box;
  options.n_boxes = 1;
  options.enlarge = s->autobox;
  BT_TRY(cli_constrain_open(&s->constrain, job->receptor.opened, &job->constraints, opt_error));
  options.opt_constraints = job->constraints;
  BT_TRY(bt_target_open_with(&options, &job->target, opt_error));
  cli_protocol_update(&job->settings.protocol, job->target);
  return BT_OK;
}

static bt_status write_text(const char *folder, const char *name, const char *text, bt_error *opt_error) {
  BT_SCOPED char *path = bt_path_join(folder, name);
  return path != NULL ? bt_file_write(path, text, strlen(text), opt_error) : bt_fail_memory(opt_error);
}

/* Does the folder hold a screen or dockings? */
static bool has_results(const char *folder) {
  DIR *directory = opendir(folder);
  bool found = false;
  for (struct dirent *entry; directory != NULL && !found && (entry = readdir(directory)) != NULL;)
    found = cli_path_ends(entry->d_name, ".db") || cli_path_ends(entry->d_name, ".json");
  if (directory != NULL) closedir(directory);
  return found;
}

/* A receptor in the folder may be that of an earlier screen or shard, which its database does not repeat. */
static bt_status write_receptor(const screen_job *job, bt_error *opt_error) {
  const char *folder = job->settings.folder;
  const char *report = bt_prepared_receptor_report(job->receptor.opt_prepared);
  BT_SCOPED char *path = bt_path_join(folder, "receptor.pdbqt"), *before = NULL;
  size_t size;
  bool there;
  if (path == NULL) return bt_fail_memory(opt_error);
  bt_folder_lock lock = bt_folder_lock_wait(folder);
  bt_status status = bt_file_look(path, &there, opt_error);
  bool used = status == BT_OK && there && has_results(folder);
  if (used) status = bt_file_read(path, &before, &size, opt_error);
  if (status == BT_OK && used && strcmp(before, job->receptor_text) != 0)
    status = cli_fill_error(opt_error, BT_ERR_USAGE, path, "use another folder, or prepare the receptor as before",
                            "earlier results in this folder belong to this other receptor");
  if (status == BT_OK) status = write_text(folder, "receptor.pdbqt", job->receptor_text, opt_error);
  if (status == BT_OK) status = write_text(folder, "receptor-report.txt", report, opt_error);
  bt_folder_lock_release(&lock);
  return status;
}

static bt_status load_receptor(screen_job *job, bt_error *opt_error) {
  const screen_settings *settings = &job->settings;
  if (settings->engine == SCREEN_BUDE && cli_path_ends(settings->receptor, ".mol2")) return BT_OK;
  BT_TRY(cli_receptor_load(program, settings->receptor, &settings->prepare, settings->quiet || settings->resume,
                           &job->receptor, opt_error));
  const bt_prepared_receptor *prepared = job->receptor.opt_prepared;
  if (settings->engine == SCREEN_AUTODOCK) BT_TRY(screen_open_target(job, opt_error));
  if (prepared != NULL) job->receptor_text = strdup(bt_prepared_receptor_rigid_pdbqt(prepared));
  if (prepared != NULL && job->receptor_text == NULL) return bt_fail_memory(opt_error);
  if (prepared != NULL) return write_receptor(job, opt_error);
  return settings->engine == SCREEN_BUDE ? bt_molecule_pdbqt(job->receptor.rigid, &job->receptor_text, opt_error) : BT_OK;
}

/* --- docking ------------------------------------------------------------------------------------------- */

static void print_joules(const screen_progress *progress, const bt_screen_progress *p, FILE *stream) {
  double all = bt_joules_sum(progress->joules);
  if (isnan(all)) return;
  fprintf(stream, "energy    %.4g J, %.3g J/ligand (", all, screen_progress_joules_per_ligand(progress, p));
  if (!isnan(progress->joules.processors)) fprintf(stream, "processors %.4g J", progress->joules.processors);
  if (!isnan(progress->joules.gpus))
    fprintf(stream, "%sGPUs %.4g J", isnan(progress->joules.processors) ? "" : ", ", progress->joules.gpus);
  fputs(")\n", stream);
}

static void print_end(const screen_job *job, const screen_progress *progress, const bt_screen_progress *p,
                      bool complete) {
  FILE *stream = job->settings.json_progress ? stderr : stdout;
  long long mine = (long long)(p->docked + p->rejected + p->failed + p->filtered - p->earlier);
  if (job->settings.quiet) return;
  fprintf(stream, "docked    %lld", (long long)p->docked);
  if (p->rejected > 0) fprintf(stream, ", %lld rejected", (long long)p->rejected);
  if (p->failed > 0) fprintf(stream, ", %lld failed", (long long)p->failed);
  if (p->earlier > 0) fprintf(stream, "; %lld of them by earlier sessions", (long long)p->earlier);
  fputc('\n', stream);
  screen_tell_filtered(job->database, p->filtered, stream);
  fprintf(stream, "time      %.1f s, %.3g ligands/s, %.3g evaluations/s\n", p->seconds,
          p->seconds > 0 ? (double)mine / p->seconds : 0, p->seconds > 0 ? (double)p->evaluations / p->seconds : 0);
  for (int d = 0; d < p->n_devices; d++)
    fprintf(stream, "device    %s: %lld ligand%s, busy %.0f %%%s\n", p->devices[d].name,
            (long long)p->devices[d].docked, p->devices[d].docked == 1 ? "" : "s", 100 * p->devices[d].busy,
            p->devices[d].failed ? ", failed" : "");
  print_joules(progress, p, stream);
  if (p->open_stereo > 0)
    fprintf(stream, "stereo    undefined in %lld ligand%s: one isomer of each was docked; `berth prep library --stereo "
            "enumerate` makes all\n", (long long)p->open_stereo, p->open_stereo == 1 ? "" : "s");
  for (int k = 0; k < p->n_hits; k++)
    fprintf(stream, "%s  %9.3f  %s\n", k == 0 ? "best    " : "        ", p->hits[k].rank_energy, p->hits[k].name);
  if (job->ranks.together)
    fprintf(stream, "          on rank 0 of %d only; top.csv has the best of all ranks\n", job->ranks.count);
  fprintf(stream, "database  %s%s\n", complete && job->ranks.together ? job->ranks.whole : job->database,
          complete ? "" : " (not complete)");
  fflush(stream);
}

static void print_autodock(const screen_job *job, FILE *stream) {
  const bt_dock_options *search = &job->settings.search;
  const bt_maps *maps = bt_target_maps(job->target, 0);
  bt_box box = bt_maps_box(maps);
  fprintf(stream, "receptor  %s, %d maps of %d x %d x %d points\n", job->settings.receptor, bt_maps_type_count(maps) + 2,
          box.npts[0] + 1, box.npts[1] + 1, box.npts[2] + 1);
  cli_box_print_memory(bt_target_load(job->target), stream);
  cli_print_protonation(&job->settings.prepare, job->settings.receptor, stream);
  cli_protocol_print(&job->settings.protocol, stream);
  if (job->constraints != NULL) fprintf(stream, "required  %s\n", bt_constraints_words(job->constraints));
  fprintf(stream, "search    %s: %d runs of %d individuals, ", bt_effort_name((bt_effort)job->settings.effort), search->runs,
          search->population);
  if (search->heuristics)
    fputs("evaluations by heuristics", stream);
  else
    fprintf(stream, "%lld evaluations each", (long long)search->evaluations);
  fprintf(stream, "%s\n", search->autostop ? ", autostop" : "");
}

static void print_bude(const screen_settings *settings, FILE *stream) {
  const bt_bude_options *o = &settings->bude;
  fprintf(stream, "receptor  %s\nbox       %g x %g x %g Angstrom around %g, %g, %g\n", settings->receptor, o->size[0],
          o->size[1], o->size[2], o->center[0], o->center[1], o->center[2]);
  fprintf(stream, "search    bude: %d generations of %d poses per conformer\n", o->generations, o->population);
}

static void print_header(const screen_job *job, uint64_t seed) {
  FILE *stream = job->settings.json_progress ? stderr : stdout;
  if (job->settings.quiet) return;
  if (job->settings.engine == SCREEN_BUDE)
    print_bude(&job->settings, stream);
  else
    print_autodock(job, stream);
  if (job->settings.shards > 1) fprintf(stream, "shard     %d of %d\n", job->settings.shard, job->settings.shards);
  fprintf(stream, "seed      %llu\n\n", (unsigned long long)seed);
  fflush(stream);
}

static bt_screen_options make_options(screen_job *job, bt_bude_screen *bude, screen_progress *progress) {
  const screen_settings *settings = &job->settings;
  bt_screen_options options = bt_screen_options_default();
  options.database = job->database;
  options.resume = settings->resume;
  options.retry = (unsigned)settings->retry;
  options.ligands = settings->ligands.items;
  options.n_ligands = settings->ligands.count;
  options.shard = settings->shard;
  options.shards = settings->shards;
  options.poses = settings->poses;
  options.keep = settings->keep;
  options.batch = settings->batch;
  options.opt_command_line = job->command_line;
  if (cli_protonation(&settings->prepare, settings->receptor, job->protonation, sizeof job->protonation))
    options.opt_protonation = job->protonation;
  options.opt_effort = settings->engine == SCREEN_BUDE ? NULL : bt_effort_name((bt_effort)settings->effort);
  options.opt_watch = screen_progress_watch;
  options.opt_lost = screen_progress_lost;
  options.opt_warn = screen_progress_warn;
  options.opt_user = progress;
  if (settings->engine == SCREEN_BUDE) {
    bool mol2 = cli_path_ends(settings->receptor, ".mol2");
    *bude = (bt_bude_screen){.opt_mol2_path = mol2 ? settings->receptor : NULL,
                             .opt_receptor = mol2 ? NULL : job->receptor.rigid,
                             .options = settings->bude};
    options.prepare = settings->prepare.ligands;
    options.opt_receptor_pdbqt = job->receptor_text;
    options.search = settings->search;
    options.opt_engine = "bude";
    options.opt_engine_settings = bude;
  }
  if (!job->ranks.together) return options;
  options.resume = true;
  options.retry = 0; /* done in screen_ranks_open, for all ranks */
  options.shard = options.shards = 1;
  options.opt_chunk = cli_ranks_next;
  if (screen_ranks_has_whole(&job->ranks)) options.opt_done = job->ranks.whole;
  return options;
}

static int finish(const screen_job *job, bt_status status, const bt_error *error, const screen_progress *told,
                  const bt_screen_progress *progress) {
  int64_t done = progress->docked + progress->rejected + progress->failed + progress->filtered;
  bool began = done > 0; /* otherwise it was refused */
  if (status == BT_OK || status == BT_ERR_CANCELLED || began) print_end(job, told, progress, status == BT_OK);
  if (status == BT_ERR_CANCELLED) {
    cli_message(program, "%s; docked ligands are kept; continue with --resume",
                cli_terminated() ? "stopped by SIGTERM" : "stopped");
    return cli_interrupt_exit_code();
  }
  if (status != BT_OK) return cli_fail(program, error);
  bt_error later;
  int64_t top = job->settings.shards > 1 ? 0 : job->settings.top; /* berth merge writes those of parts */
  const char *database = job->ranks.together ? job->ranks.whole : job->database;
  int64_t damaged = job->ranks.damaged, more;
  char rejects[64] = "rejects.csv"; /* shards of one folder have one each */
  if (job->settings.shards > 1)
    snprintf(rejects, sizeof rejects, "rejects-%d-of-%d.csv", job->settings.shard, job->settings.shards);
  bt_status written = screen_write_top(job->settings.folder, database, rejects, top, job->settings.quiet, program,
                                       &more, &later);
  if (written != BT_OK) return cli_fail(program, &later);
  bt_screen_summary all = {.docked = progress->docked, .rejected = progress->rejected, .failed = progress->failed};
  if (job->ranks.together && bt_screen_summarize(database, &all, &later) != BT_OK) return cli_fail(program, &later);
  if (all.docked == 0 && all.rejected + all.failed > 0) {
    cli_message(program, "no ligand was docked: %lld rejected, %lld failed; %s/%s has the reasons%s",
                (long long)all.rejected, (long long)all.failed, job->settings.folder, rejects,
                all.failed > 0 ? "; --retry failed docks them again" : "");
    return CLI_EXIT_BAD;
  }
  return all.rejected + all.failed + damaged + more > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

/* Otherwise a misspelt name would be a library with a single reject. */
static bt_status check_library(const cli_list *words, bt_error *opt_error) {
  for (int i = 0; i < words->count; i++) {
    const char *word = words->items[i];
    BT_TRY(cli_inputs_check(word, opt_error));
    if (strcmp(word, "-") == 0 || strpbrk(word, "*?[") != NULL || access(word, R_OK) == 0) continue;
    return cli_fill_error(opt_error, BT_ERR_IO, word, "check the path and its permissions", "cannot read the library");
  }
  return BT_OK;
}

/* Neither the database nor the files next to it may overwrite an input. */
static bt_status check_outputs(const screen_job *job, bt_error *opt_error) {
  static const char *const names[] = {"screen.db",   "top.csv",        "top.sdf",
                                      "top.pdbqt",   "rejects.csv",    "receptor.pdbqt",
                                      "receptor-report.txt"};
  const screen_settings *s = &job->settings;
  const char *words[] = {s->receptor, s->prepare.opt_flex, s->box.opt_autobox, s->opt_parameters,
                         s->prepare.ligands.opt_template, s->constrain.opt_core, s->constrain.opt_pharmacophore};
  int count = CLI_COUNT(names) - (bt_is_structure_file(s->receptor) ? 0 : 2); /* written only for prepared receptors */
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(cli_guard_add(&inputs, words, CLI_COUNT(words), opt_error));
  BT_TRY(cli_guard_add_library(&inputs, &s->ligands, true, opt_error));
  for (int k = 0; k < count; k++) BT_TRY(cli_guard_check(&inputs, s->folder, names[k], opt_error));
  return bt_file_set_spare(&inputs, job->database, opt_error);
}

/* Everything before the first ligand; either all ranks complete it or none. */
static bt_status prepare(screen_job *job, bt_error *error) {
  screen_settings *settings = &job->settings;
  BT_TRY(check_library(&settings->ligands, error));
  BT_TRY(check_outputs(job, error));
  BT_TRY(cli_folder_make(settings->folder, error));
  BT_TRY(screen_ranks_open(program, settings->folder, settings->resume, (unsigned)settings->retry,
                           &settings->search.seed, &job->ranks, error));
  if (job->ranks.together) {
    free(job->database);
    job->database = strdup(job->ranks.database);
    if (job->database == NULL) return bt_fail_memory(error);
    settings->quiet = settings->quiet || job->ranks.rank > 0;
    settings->json_progress = settings->json_progress && job->ranks.rank == 0;
  } else if (!settings->resume && access(job->database, F_OK) == 0) {
    return cli_fill_error(error, BT_ERR_USAGE, job->database, "continue it with --resume, or use another folder",
                          "a screen already exists");
  }
  if (settings->search.seed == 0) settings->search.seed = screen_seed(job->database);
  if (settings->search.seed == 0) settings->search.seed = cli_choose_seed();
  if (job->ranks.together) settings->search.seed = cli_ranks_share(settings->search.seed);
  return load_receptor(job, error);
}

int screen_dock(screen_job *job) {
  const screen_settings *settings = &job->settings;
  bt_error error = {0};
  bt_status status = prepare(job, &error);
  if (status != BT_OK && !job->ranks.together) return cli_fail(program, &error);
  screen_progress progress = screen_progress_start(program, settings->quiet, settings->json_progress);
  bt_screen_progress end = {.total = -1};
  bt_bude_screen bude;
  bt_screen_options options = make_options(job, &bude, &progress);
  if (status == BT_OK && job->target != NULL) status = bt_target_fill_screen(job->target, &options, &error);
  if (status == BT_OK) {
    print_header(job, settings->search.seed);
    cli_interrupt_watch(job->ranks.rank > 0
                            ? NULL
                            : "\nberth screen: stopped; results in the database are kept; continue with --resume\n");
    status = bt_screen_run(&options, &end, &error);
  }
  status = screen_ranks_close(&job->ranks, settings->folder, status, &error);
  screen_progress_end(&progress, &end,
                       status == BT_OK              ? "complete"
                       : status == BT_ERR_CANCELLED ? "stopped"
                                                    : "failed");
  int exit_code = CLI_EXIT_OK;
  if (status != BT_OK || job->ranks.rank == 0) exit_code = finish(job, status, &error, &progress, &end);
  if (job->ranks.together) screen_ranks_leave(&job->ranks);
  return exit_code;
}

int cmd_screen(int argc, char **argv) {
  screen_job job = {.settings = screen_settings_default()};
  bt_error error;
  int exit_code;
  if (screen_ranks_become(argc, argv, &error) != BT_OK) return cli_fail(program, &error);
  if (screen_settings_parse(&job.settings, argc, argv, &exit_code)) {
    char name[64] = "screen.db";
    if (job.settings.shards > 1)
      snprintf(name, sizeof name, "shard-%d-of-%d.db", job.settings.shard, job.settings.shards);
    job.command_line = cli_command_line(program, argc, argv);
    job.database = bt_path_join(job.settings.folder, name);
    if (job.database == NULL || job.command_line == NULL) {
      (void)bt_fail_memory(&error);
      exit_code = cli_fail(program, &error);
    } else {
      exit_code = job.settings.opt_export != NULL ? screen_export(&job) : screen_dock_all(&job);
    }
  }
  screen_close(&job);
  free(job.command_line);
  screen_settings_free(&job.settings);
  return exit_code;
}
