/* config.c - NAME:option=value,option=value -> a way to search. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/e50/study.h"
#include "dock/device.h"

static const char *const local_searches[] = {"none", "solis-wets", "adadelta", "adam"};
static const char *const selections[] = {"tournament", "proportional"};
static const char *const crossovers[] = {"two-point", "uniform"};
static const char *const reductions[] = {"auto", "simt", "tensor-fp16", "tensor-ec"};

void e50_config_free(e50_config *config) {
  free(config->name);
  free(config->words);
}

/* The words "--option=value" after argv[0], cut at commas into *ret_storage; the count. */
static int split(const char *options, char **ret_storage, char ***ret_argv) {
  int count = 1, n = 1;
  for (const char *c = options; *c != '\0'; c++) count += *c == ',';
  char **argv = bench_allocate((size_t)count + 2, sizeof *argv);
  char *to = *ret_storage = bench_allocate(strlen(options) + 3 * (size_t)count + 1, 1);
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
  char iterations[16] = "by-torsions", mutation[16] = "by-torsions"; /* as the ligand's number of torsions asks for */
  if (o->local_search_iterations > 0) snprintf(iterations, sizeof iterations, "%d", o->local_search_iterations);
  if (o->mutation_rate >= 0) snprintf(mutation, sizeof mutation, "%g", o->mutation_rate);
  snprintf(config->settings, sizeof config->settings,
           "local-search=%s runs=%d evals=%lld population=%d seed=%llu local-search-rate=%g local-search-iterations=%s "
           "selection=%s tournament-rate=%g crossover=%s crossover-rate=%g mutation-rate=%s mutation-move=%g "
           "mutation-angle=%g elitism=%d device=%.60s isa=%.20s team=%d reduction=%s",
           local_searches[o->local_search], o->runs, (long long)o->evaluations, o->population,
           (unsigned long long)o->seed, o->local_search_rate, iterations, selections[o->selection], o->tournament_rate,
           crossovers[o->crossover], o->crossover_rate, mutation, o->mutation_move, o->mutation_angle, o->elitism,
           o->opt_device != NULL ? o->opt_device : "auto", o->opt_isa != NULL ? o->opt_isa : "best", o->team,
           reductions[o->reduction]);
}

static bool parse_options(const char *program, e50_config *config, int argc, char **argv) {
  bt_dock_options *o = &config->search;
  int local_search = (int)o->local_search, selection = (int)o->selection, crossover = (int)o->crossover;
  cli_device_request device = {
      .opt_device = o->opt_device, .opt_isa = o->opt_isa, .team = o->team, .reduction = (int)o->reduction};
  cli_option options[] = {
      {.group = "Configuration", .name = "local-search", .kind = CLI_CHOICE, .target = &local_search,
       .choices = "none|solis-wets|adadelta|adam", .help = "local search"},
      {.name = "local-search-rate", .kind = CLI_REAL, .target = &o->local_search_rate, .low = 0, .high = 1,
       .value = "X", .help = "share of individuals searched"},
      {.name = "local-search-iterations", .kind = CLI_INT, .target = &o->local_search_iterations, .low = 1,
       .high = 1000000, .value = "N", .help = "iterations"},
      {.name = "population", .kind = CLI_INT, .target = &o->population, .low = 2, .high = 1000000, .value = "N",
       .help = "individuals per run"},
      {.name = "selection", .kind = CLI_CHOICE, .target = &selection, .choices = "tournament|proportional",
       .help = "how parents are chosen"},
      {.name = "tournament-rate", .kind = CLI_REAL, .target = &o->tournament_rate, .low = 0, .high = 1, .value = "X",
       .help = "chance that the better one wins"},
      {.name = "crossover", .kind = CLI_CHOICE, .target = &crossover, .choices = "two-point|uniform",
       .help = "how parents are mixed"},
      {.name = "crossover-rate", .kind = CLI_REAL, .target = &o->crossover_rate, .low = 0, .high = 1, .value = "X",
       .help = "per offspring"},
      {.name = "mutation-rate", .kind = CLI_REAL, .target = &o->mutation_rate, .low = 0, .high = 1, .value = "X",
       .help = "per gene"},
      {.name = "mutation-move", .kind = CLI_REAL, .target = &o->mutation_move, .low = 0, .high = 1000, .value = "A",
       .help = "largest shift, Angstrom"},
      {.name = "mutation-angle", .kind = CLI_REAL, .target = &o->mutation_angle, .low = 0, .high = 180, .value = "DEG",
       .help = "largest turn, degrees"},
      {.name = "elitism", .kind = CLI_INT, .target = &o->elitism, .low = 0, .high = 1000000, .value = "N",
       .help = "best individuals that survive"},
      {.name = "seed", .kind = CLI_SEED, .target = &o->seed, .value = "N", .help = "random seed"},
      CLI_DEVICE_OPTIONS(device),
  };
  cli_spec spec = {.program = program, .summary = "", .usage = "", .options = options, .n_options = CLI_COUNT(options)};
  int exit_code;
  if (!cli_parse(&spec, argc, argv, &exit_code)) return false;
  o->local_search = (bt_local_search)local_search;
  o->selection = (bt_selection)selection;
  o->crossover = (bt_crossover)crossover;
  bt_error error;
  if (cli_device_resolve(&device, o, &error) != BT_OK) {
    cli_fail(program, &error);
    return false;
  }
  return true;
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
  int argc = split(colon != NULL ? colon + 1 : usual, &ret_config->words, &argv);
  ret_config->name = strndup(word, length);
  bool good = parse_options(program, ret_config, argc, argv);
  free(argv);
  if (good) describe(ret_config);
  return good;
}
