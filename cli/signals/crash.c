/* crash.c - prints a message with version and backtrace for crash reports. */
#include "signals/crash.h"

#include <berth/berth.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define BACKTRACE 1
#endif

enum { FRAMES = 64, STACK_SIZE = 64 * 1024 };

static char words[256];        /* formatted in advance, as a handler must not */
static char stack[STACK_SIZE]; /* for the handler, as the stack may have overflowed */

static void report(int number) {
  (void)number; /* the shell reports it */
  (void)!write(STDERR_FILENO, words, strlen(words));
#ifdef BACKTRACE
  void *frames[FRAMES];
  backtrace_symbols_fd(frames, backtrace(frames, FRAMES), STDERR_FILENO);
#endif
  raise(number); /* SA_RESETHAND: takes the default action when this handler returns */
}

void cli_crash_prepare(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  snprintf(words, sizeof words,
           "berth: the program has crashed: a bug in Berth %s (commit %.40s) or in a library or driver that it uses\n"
           "  please report it with the command, its input and these lines\n",
           bt_build_version(), bt_build_commit());
#ifdef BACKTRACE
  void *frame[1];
  (void)backtrace(frame, 1); /* the first call loads a library, which is not allowed in a handler */
#endif
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    struct sigaction action = {.sa_handler = report, .sa_flags = (int)(SA_RESETHAND | SA_ONSTACK)}, old;
    sigemptyset(&action.sa_mask);
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) sigaction(numbers[i], &action, NULL);
  }
}
