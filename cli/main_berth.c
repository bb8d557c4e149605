/* main_berth.c - `berth`: runs the subcommand. */
#include <berth/build.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "commands.h"
#include "common/options.h"
#include "common/report.h"
#include "signals/interrupt.h"

typedef struct command {
  const char *name, *summary;
  int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
#define COMMAND_ENTRY(name, summary) {#name, summary, cmd_##name},
    CLI_COMMAND_LIST(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

static void print_help(FILE *stream) {
  fprintf(stream,
          "berth - molecular docking: find where and how strongly small molecules bind to a protein\n\n"
          "Usage: berth COMMAND [options]\n\nCommands\n");
  for (int i = 0; i < CLI_COUNT(commands); i++) fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fprintf(stream,
          "\n`berth COMMAND --help` explains a command with examples; `berth --version` lists the features built in.\n"
          "Lengths are Angstrom, energies kcal/mol, angles degrees.\n\n"
          "Exit codes\n"
          "  0    success\n"
          "  1    invalid options or input, or output that cannot be written (full disk, limit, closed pipe)\n"
          "  2    done, but some ligands were rejected\n"
          "  3    out of memory, or a device failed\n"
          "  130  interrupted by Ctrl-C (a second one stops at once)\n"
          "  143  interrupted by SIGTERM, as batch systems send it (a second one stops at once)\n");
}

/* For shell completion, or as a manual page. */
static void print_words(bool man) {
  if (man)
    printf(".TH BERTH 1 \"\" \"Berth %s\"\n.SH NAME\nberth \\- molecular docking and virtual screening\n"
           ".SH SYNOPSIS\n\\fBberth\\fR \\fICOMMAND\\fR [options]\n.SH COMMANDS\n",
           BT_VERSION);
  for (int i = 0; i < CLI_COUNT(commands); i++)
    printf(man ? ".TP\n\\fB%s\\fR\n%s\n" : "%s\tcommand\t%s\n", commands[i].name, commands[i].summary);
  if (man)
    printf(".SH SEE ALSO\n\\fBberth\\-dock\\fR(1) and the pages of the other commands\n");
}

/* Runs a command's function; name is argv[0] or follows `help`. */
static int run_command(const char *name, int argc, char **argv) {
  const char *known[CLI_COUNT(commands)];
  for (int i = 0; i < CLI_COUNT(commands); i++) {
    known[i] = commands[i].name;
    if (strcmp(name, known[i]) == 0) return commands[i].run(argc, argv);
  }
  const char *nearest = cli_nearest(name, known, CLI_COUNT(commands));
  if (nearest != NULL)
    cli_message("berth", "unknown command '%s'; did you mean 'berth %s'?", name, nearest);
  else
    cli_message("berth", "unknown command '%s'; see berth --help", name);
  return CLI_EXIT_BAD;
}

/* The command as which a link of another program's name acts; NULL: it has no such name. */
static const char *linked(const char *path) {
  static const char *const names[][2] = {{"vina", "vina"}, {"gnina", "gnina"}, {"smina", "gnina"}};
  const char *slash = strrchr(path, '/');
  for (int i = 0; i < CLI_COUNT(names); i++)
    if (strcmp(slash != NULL ? slash + 1 : path, names[i][0]) == 0) return names[i][1];
  return NULL;
}

static int run(int argc, char **argv) {
  const char *program = argc > 0 ? linked(argv[0]) : NULL;
  if (program != NULL) return run_command(program, argc, argv);
  if (argc < 2) {
    print_help(stderr);
    return CLI_EXIT_BAD;
  }
  const char *name = argv[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (strcmp(name, "help") == 0 && argc < 3)) {
    print_help(stdout);
    return CLI_EXIT_OK;
  }
  if (strcmp(name, "--help=words") == 0 || strcmp(name, "--help=man") == 0) {
    print_words(name[7] == 'm');
    return CLI_EXIT_OK;
  }
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) return cli_version(argc, argv);
  if (strcmp(name, "help") == 0) return run_command(argv[2], 2, (char *[]){argv[2], (char[]){"--help"}, NULL});
  return run_command(name, argc - 1, argv + 1);
}

int main(int argc, char **argv) {
  bt_memory_keep_little();
  cli_signals_prepare();
  return cli_finish("berth", run(argc, argv));
}
