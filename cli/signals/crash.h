/* crash.h - what a program says when it crashes. */
#ifndef CLI_SIGNALS_CRASH_H
#define CLI_SIGNALS_CRASH_H

/* From now on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) leaves a message with the version and the calls that
 * led to it on standard error before it ends the program as it would have; the addresses are for addr2line. Handlers of
 * others, a sanitizer's, stay. */
void cli_crash_prepare(void);

#endif
