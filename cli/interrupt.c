/* interrupt.c - Ctrl-C asks for a clean stop; a second one ends the program at once. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted; /* a handler has no other way to tell */

static void note_signal(int number) {
  (void)number;
  interrupted = 1;
}

void cli_interrupt_watch(void) {
  struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool cli_interrupted(void) { return interrupted != 0; }
