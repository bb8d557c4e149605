/* pockets.c - `berth pockets`: finds where ligands may bind to a receptor. */
#include <berth/berth.h>
#include <berth/grid.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "common/report.h"
#include "input/inputs.h"
#include "input/prepare.h"

typedef struct pockets_command {
  const char *program, *opt_receptor, *opt_parameters;
  cli_prepare prepare;
  int most, threads;
  bool json, quiet;
} pockets_command;

static bt_status print_json(const bt_pocket *p, int number, bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json, "{ pocket %d center [ %g %g %g ] low [ %g %g %g ] high [ %g %g %g ]", number, p->center[0],
                 p->center[1], p->center[2], p->low[0], p->low[1], p->low[2], p->high[0], p->high[1], p->high[2]);
  bt_json_printf(&json, "volume %g buried %g score %g }", p->volume, p->buried, p->score);
  return cli_print_json(&text, error);
}

static void print_row(const bt_pocket *p, int number) {
  if (number == 1)
    puts("pocket   score  volume  buried                   center              extent");
  printf("%6d %7.1f %7.0f %6.0f%% ", number, p->score, p->volume, 100 * p->buried);
  for (int k = 0; k < 3; k++) printf(" %8.1f", p->center[k]);
  printf("  ");
  for (int k = 0; k < 3; k++) printf(" %5.1f", p->high[k] - p->low[k]);
  putchar('\n');
}

static int run(pockets_command *c) {
  bt_error error;
  bt_pocket *pockets = NULL;
  int count = 0;
  cli_receptor receptor = {0};
  bt_grid_options options = bt_grid_options_default();
  options.threads = c->threads;
  options.opt_parameter_file = c->opt_parameters;
  options.stand_ins = cli_stand_ins(&c->prepare);
  if (c->prepare.receptor.zinc) options.zinc = BT_ZINC_ON;
  bt_status status = cli_receptor_load(c->program, c->opt_receptor, &c->prepare, c->quiet, &receptor, &error);
  if (status == BT_OK) status = bt_pockets_find(receptor.rigid, &options, &pockets, &count, &error);
  if (status == BT_OK && count == 0 && !c->json) puts("no pocket found");
  for (int i = 0; status == BT_OK && i < count && i < c->most; i++) {
    if (c->json)
      status = print_json(&pockets[i], i + 1, &error);
    else
      print_row(&pockets[i], i + 1);
  }
  free(pockets);
  cli_receptor_free(&receptor);
  return status == BT_OK ? CLI_EXIT_OK : cli_fail(c->program, &error);
}

static bool parse(pockets_command *c, int argc, char **argv, int *ret_exit_code) {
  /* clang-format off */
  cli_option options[] = {
      {.group = "Input", OPT_STRING("receptor", 'r', &c->opt_receptor, "FILE",
       "receptor: .pdb, .cif (also .gz, .bz2, .zst) or .pdbqt")},
      CLI_PH_OPTION(c->prepare),
      CLI_AS_DRAWN_OPTION(c->prepare),
      CLI_PARAMETERS_OPTION(&c->opt_parameters),
      CLI_STRICT_OPTION(c->prepare),
      {.group = "Output", OPT_INT("pockets", 0, &c->most, "N", 1, 1000000, "at most N pockets")},
      {OPT_FLAG("json", 0, &c->json, "one JSON object per pocket and line")},
      {OPT_FLAG("quiet", 'q', &c->quiet, "do not print notes on the receptor's preparation")},
      CLI_RECEPTOR_OPTIONS(c->prepare),
      {.group = "Device", OPT_THREADS('t', &c->threads, 65536, "threads")},
  };
  /* clang-format on */
  cli_spec spec = {c->program, "find where ligands may bind to a receptor", "-r RECEPTOR [options]",
                   "Pockets are regions where a carbon atom binds well and which the receptor encloses in most\n"
                   "directions. score: combines both over the pocket, in kcal/mol Angstrom^3; volume in Angstrom^3;\n"
                   "buried: fraction of directions that meet the receptor within 10 Angstrom. Center and extent in Angstrom.\n"
                   "`berth dock --blind` finds the same pockets, and docks into the best ones.",
                   "  berth pockets -r 1hpv.pdb\n  berth pockets -r protein.pdbqt --pockets 3 --json", CLI_TABLE(options),
                   NULL};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  if (!cli_receptor_check(c->program, c->opt_receptor, false)) return false;
  const cli_list none = {0};
  unsigned holds = cli_prepare_holds(&spec, &c->prepare, c->opt_receptor, &none, false);
  if (!cli_prepare_check(&spec, &c->prepare)) return false;
  if (!cli_effects_check(&spec, CLI_IF_PREPARED, holds)) return false;
  cli_prepare_resolve(&c->prepare);
  return true;
}

int cmd_pockets(int argc, char **argv) {
  pockets_command c = {.program = "berth pockets", .prepare = cli_prepare_default(), .most = 10};
  int exit_code = CLI_EXIT_BAD;
  if (parse(&c, argc, argv, &exit_code)) exit_code = run(&c);
  cli_prepare_free(&c.prepare);
  return exit_code;
}
