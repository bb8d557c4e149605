/* report.h - messages for people and exit codes for scripts. */
#ifndef BERTH_CLI_COMMON_REPORT_H
#define BERTH_CLI_COMMON_REPORT_H

#include "base/memory.h"
#include "base/text/json.h"

/* Exit codes of every program. */
enum {
  CLI_EXIT_OK = 0,
  CLI_EXIT_BAD = 1,      /* invalid options or input, or output that cannot be written */
  CLI_EXIT_REJECTED = 2, /* done, but some ligands were rejected */
  CLI_EXIT_SYSTEM = 3    /* out of memory, device failure; see cli_interrupt_exit_code for an interrupted program */
};

/* Prints "program: message" as one line on standard error. */
void cli_message(const char *program, const char *format, ...) BT_PRINTF(2, 3);
/* The same; always false, for functions that check a command line. */
#define cli_refuse(...) (cli_message(__VA_ARGS__), false)
/* The same as cli_message, with the prefix "warning: ". */
void cli_warning(const char *program, const char *format, ...) BT_PRINTF(2, 3);

/* JSON as the programs print it, with 15 significant digits. */
static inline bt_json cli_json_start(bt_text *text) { return (bt_json){.text = text, .digits = 15}; }
/* Prints the text as a line on standard output, flushes, and destroys it; BT_ERR_MEMORY if it is incomplete. */
bt_status cli_print_json(bt_text *text, bt_error *opt_error) BT_MUST_USE;

/* Prints "program: file:line: atom N: message; remedy" and returns the exit code that belongs to the status. */
int cli_fail(const char *program, const bt_error *error);
int cli_exit_code(bt_status status);
/* Warns of each damaged ligand named by the lines, and of the number of the remaining ones of `ligands`. then: "left
 * out" or "docked again". */
void cli_damage_warn(const char *program, const char *lines, int64_t ligands, const char *then);
/* Warns if the cache of these devices cannot be used: its folder is not trusted or not writable. */
void cli_cache_warn(const char *program, const char *opt_device);
/* Called last in a program: CLI_EXIT_BAD if standard output could not be written completely. */
int cli_finish(const char *program, int exit_code);

/* bt_fail for a file, or for none (NULL). */
#define cli_fill_error(opt_error, status, opt_file, ...) \
  bt_fail(opt_error, status, (bt_where){.file = opt_file}, __VA_ARGS__)
/* BT_ERR_CANCELLED once the user has interrupted the program. */
bt_status cli_check_interrupt(bt_error *opt_error);

/* Replaces control characters, so that a hostile file name cannot forge a second line. Changes text in place. */
char *cli_one_line(char *text);
/* Formats as printf; allocated. NULL when memory is exhausted. */
char *cli_format(const char *format, ...) BT_PRINTF(1, 2);

#endif
