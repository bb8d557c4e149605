/* crash.h - the message of a program that crashes. */
#ifndef CLI_SIGNALS_CRASH_H
#define CLI_SIGNALS_CRASH_H

/* From now on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) prints the version and a backtrace on standard error
 * before it terminates the program as usual; the addresses are for addr2line. Existing handlers, such as those of a
 * sanitizer, are kept. */
void cli_crash_prepare(void);

#endif
