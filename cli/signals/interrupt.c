/* interrupt.c - signal handling: the first Ctrl-C or SIGTERM requests a clean stop, the second one ends the program at
 * once. */
#include "signals/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "signals/crash.h"

/* Set by the handler, which any thread may run. */
static atomic_int interrupts, first_signal;
static _Atomic int64_t last; /* nanoseconds */
static const char *_Atomic last_words;

void cli_signals_prepare(void) {
  signal(SIGPIPE, SIG_IGN); /* a closed pipe, or a file size limit, makes the write fail */
  signal(SIGXFSZ, SIG_IGN);
  cli_crash_prepare();
}

/* Launchers forward a signal that the terminal has already sent to all processes: signals sent by a process within half
 * a second count as one. Those sent by the terminal (code above 0) always count. */
static void note_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t at = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  if (atomic_load(&interrupts) > 0 && info->si_code <= 0 && at - atomic_load(&last) < 500000000) return;
  atomic_store(&last, at);
  int none = 0;
  atomic_compare_exchange_strong(&first_signal, &none, number);
  if (atomic_fetch_add(&interrupts, 1) == 0) return;
  const char *words = atomic_load(&last_words);
  if (words != NULL) (void)!write(STDERR_FILENO, words, strlen(words));
  signal(number, SIG_DFL);
  raise(number); /* takes effect when this handler returns */
}

void cli_interrupt_watch(const char *opt_last_words) {
  struct sigaction action = {.sa_sigaction = note_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  atomic_store(&last_words, opt_last_words);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool cli_interrupted(void) { return atomic_load(&interrupts) != 0; }
bool cli_terminated(void) { return atomic_load(&first_signal) == SIGTERM; }
const char *cli_interrupt_words(void) { return cli_terminated() ? "interrupted by SIGTERM" : "interrupted"; }
int cli_interrupt_exit_code(void) { return 128 + (cli_terminated() ? SIGTERM : SIGINT); }
