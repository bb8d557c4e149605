/* interrupt.h - what signals do: the first Ctrl-C asks for a clean stop, the second one ends the program at once. */
#ifndef BERTH_CLI_SIGNALS_INTERRUPT_H
#define BERTH_CLI_SIGNALS_INTERRUPT_H

#include <stdbool.h>

/* The first thing a program does: a pipe without a reader and a limit on file sizes become errors of what is written,
 * with a message and an exit code, instead of killing the program. */
void cli_signals_prepare(void);

/* From now on the first SIGINT or SIGTERM is noted, and the second one, of either kind, ends the program at once, as
 * that signal does by itself. opt_last_words: a line for standard error then, which must stay. */
void cli_interrupt_watch(const char *opt_last_words);
bool cli_interrupted(void);

#endif
