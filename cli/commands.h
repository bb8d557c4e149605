/* commands.h - the subcommands of `berth`: one line here and one file each. */
#ifndef BERTH_CLI_COMMANDS_H
#define BERTH_CLI_COMMANDS_H

#include <berth/status.h>

/* name, summary in --help */
#define CLI_COMMAND_LIST(X)                              \
  X(dock, "find where and how strongly ligands bind")    \
  X(screen, "dock a library into one database; resumable") \
  X(merge, "merge the parts of a screen")         \
  X(report, "HTML report with table, plots and 3D poses") \
  X(score, "energies of given poses, term by term")     \
  X(vina, "AutoDock Vina's command line, and Uni-Dock's") \
  X(gnina, "gnina's command line, and smina's: networks rank poses") \
  X(bude, "dock rigid conformers with BUDE's force field") \
  X(prep, "prepare ligands, receptors and libraries")                \
  X(pockets, "find where ligands may bind to a receptor") \
  X(grid, "compute affinity maps of a receptor, as AutoGrid does") \
  X(networks, "list and install networks that score poses") \
  X(bench, "run benchmarks; results are validated")  \
  X(devices, "list the devices of this machine")          \
  X(completion, "command-line completion for bash, zsh and fish")

/* argv[0] is the subcommand's name; the result is the exit code. */
#define CLI_DECLARE_COMMAND(name, summary) int cmd_##name(int argc, char **argv);
CLI_COMMAND_LIST(CLI_DECLARE_COMMAND)
#undef CLI_DECLARE_COMMAND

/* `berth --version [--json]`, argv[1] being that option. */
int cli_version(int argc, char **argv);

/* Replaces this process by the program of that name in the same folder, with the arguments argv[argc]. BT_OK if this is
 * that program already; BT_ERR_USAGE, with remedy and what, if it cannot be started. */
bt_status cli_hand_over(const char *program, int argc, char **argv, const char *remedy, const char *what,
                        bt_error *opt_error) BT_MUST_USE;

#endif
