/* interrupt.c - Ctrl-C asks for a clean stop; a second one ends the program at once. */
#include "common/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t interrupted; /* a handler has no other way to tell */

static void note_signal(int number) {
  (void)number;
  interrupted = 1;
}

static void watch(void (*handler)(int), unsigned flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = (int)(flags | SA_RESTART)};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

void cli_interrupt_watch(void) { watch(note_signal, SA_RESETHAND); }

bool cli_interrupted(void) { return interrupted != 0; }

/* Launchers pass a signal on that the terminal has sent to everybody already: what follows within half a second is the
 * same wish. The second wish takes the handler away. */
static void count_signal(int number) {
  static volatile struct timespec last; /* only this handler looks at it */
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double since = (double)(now.tv_sec - last.tv_sec) + 1e-9 * (double)(now.tv_nsec - last.tv_nsec);
  if (interrupted > 0 && since < 0.5) return;
  last.tv_sec = now.tv_sec;
  last.tv_nsec = now.tv_nsec;
  interrupted = interrupted + 1;
  if (interrupted >= 2) signal(number, SIG_DFL);
}

void cli_interrupt_count(void) { watch(count_signal, 0); }

int cli_interrupts(void) { return interrupted; }
