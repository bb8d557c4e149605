/* config.c - parses search configurations, NAME:option=value,option=value. */
#include <berth/score.h>
#include <berth/search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/e50/study.h"
#include "dock/device.h"
#include "results/result.h"

static const char *const selections[] = {"tournament", "proportional"};
static const char *const crossovers[] = {"two-point", "uniform"};

/* Splits options at commas into arguments "--option=value" after argv[0]; returns their count. */
static int split(const char *options, char ***ret_argv) {
  int count = 1, n = 1;
  for (const char *c = options; *c != '\0'; c++) count += *c == ',';
  char **argv = bench_keep((size_t)count + 2, sizeof *argv);
  char *to = bench_keep(strlen(options) + 3 * (size_t)count + 1, 1);
  argv[0] = to;
  for (size_t length; n <= count; options += length + 1) {
    length = strcspn(options, ",");
    argv[n++] = to;
    to += sprintf(to, "--%.*s", (int)length, options) + 1;
  }
  *ret_argv = argv;
  return n;
}

static void describe(e50_config *config) {
  const bt_dock_options *o = &config->search;
  char iterations[16] = "by-torsions", mutation[16] = "by-torsions"; /* chosen by the ligand's number of torsions */
  if (o->local_search_iterations > 0) snprintf(iterations, sizeof iterations, "%d", o->local_search_iterations);
  if (o->mutation_rate >= 0) snprintf(mutation, sizeof mutation, "%g", o->mutation_rate);
  snprintf(config->settings, sizeof config->settings,
           "local-search=%s runs=%d evals=%lld population=%d seed=%llu local-search-rate=%g local-search-iterations=%s "
           "selection=%s tournament-rate=%g crossover=%s crossover-rate=%g mutation-rate=%s mutation-move=%g "
           "mutation-angle=%g elitism=%d device=%.60s isa=%.20s team=%d reduction=%s",
           bt_local_search_name(o->local_search), o->runs, (long long)o->evaluations, o->population,
           (unsigned long long)o->seed, o->local_search_rate, iterations, selections[o->selection], o->tournament_rate,
           crossovers[o->crossover], o->crossover_rate, mutation, o->mutation_move, o->mutation_angle, o->elitism,
           o->opt_device != NULL ? o->opt_device : "auto", o->opt_isa != NULL ? o->opt_isa : "best", o->team,
           bt_reduction_name((int)o->reduction));
}

static bool parse_options(const char *program, e50_config *config, int argc, char **argv) {
  bt_dock_options *o = &config->search;
  cli_device_request device = {
      .opt_device = o->opt_device, .opt_isa = o->opt_isa, .team = o->team, .reduction = (int)o->reduction};
  cli_option options[] = {
      {.group = "Configuration", OPT_CHOICE("local-search", 0, &o->local_search, bt_local_search_choices(),
       "local search")},
      {OPT_REAL("local-search-rate", 0, &o->local_search_rate, "X", 0, 1, "share of individuals searched")},
      {OPT_INT("local-search-iterations", 0, &o->local_search_iterations, "N", 1, 1000000, "iterations")},
      {OPT_INT("population", 0, &o->population, "N", 2, 1000000, "individuals per run")},
      {OPT_CHOICE("selection", 0, &o->selection, "tournament|proportional", "how parents are chosen")},
      {OPT_REAL("tournament-rate", 0, &o->tournament_rate, "X", 0, 1, "probability that the better one wins")},
      {OPT_CHOICE("crossover", 0, &o->crossover, "two-point|uniform", "how parents are combined")},
      {OPT_REAL("crossover-rate", 0, &o->crossover_rate, "X", 0, 1, "per offspring")},
      {OPT_REAL("mutation-rate", 0, &o->mutation_rate, "X", 0, 1, "per gene")},
      {OPT_REAL("mutation-move", 0, &o->mutation_move, "A", 0, 1000, "largest shift, Angstrom")},
      {OPT_REAL("mutation-angle", 0, &o->mutation_angle, "DEG", 0, 180, "largest turn, degrees")},
      {OPT_INT("elitism", 0, &o->elitism, "N", 0, 1000000, "best individuals that survive")},
      {OPT_SEED("seed", 0, &o->seed, "random seed")},
      CLI_DEVICE_OPTIONS(device),
  };
  cli_spec spec = {program, "", "", NULL, NULL, CLI_TABLE(options), NULL};
  int exit_code;
  bt_error error;
  if (!cli_parse(&spec, argc, argv, &exit_code)) return false;
  return cli_device_resolve(&device, o, &error) == BT_OK || cli_fail(program, &error) == CLI_EXIT_OK;
}

bool e50_config_parse(const char *program, const char *word, const bt_dock_options *common, e50_config *ret_config) {
  *ret_config = (e50_config){.search = *common};
  const char *colon = strchr(word, ':');
  size_t length = colon != NULL ? (size_t)(colon - word) : strlen(word);
  if (length == 0 || strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+") < length)
    return cli_refuse(program, "--config '%.100s': write NAME:option=value,...; a name has letters, digits, - and _",
                      word);
  char **argv, usual[200];
  snprintf(usual, sizeof usual, "local-search=%.150s", word);
  int argc = split(colon != NULL ? colon + 1 : usual, &argv);
  memcpy(ret_config->name = bench_keep(length + 1, 1), word, length);
  if (!parse_options(program, ret_config, argc, argv)) return false;
  describe(ret_config);
  return true;
}
