/* signal.h - signal() with sigaction's words; signals that Windows lacks are never sent. */
#include_next <signal.h>
#ifndef SA_RESTART
#define SA_RESTART 1
#define SA_SIGINFO 2
#define SA_RESETHAND 4
#define SA_ONSTACK 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGPIPE 13
#define SIGXFSZ 25
#include <stddef.h>
typedef struct siginfo_t {
  int si_code;
} siginfo_t;
typedef struct stack_t {
  void *ss_sp;
  size_t ss_size;
} stack_t;
struct sigaction {
  void (*sa_handler)(int);
  void (*sa_sigaction)(int, siginfo_t *, void *);
  int sa_flags, sa_mask;
};
#define sigemptyset(set) ((void)(*(set) = 0))
#define sigaltstack(stack, old) ((void)(stack))
int sigaction(int number, const struct sigaction *opt_action, struct sigaction *opt_ret_old);
int kill(int process, int number);
#endif
