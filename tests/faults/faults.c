/* faults.c - which call fails, and the report of all calls. */
#include "faults/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SITES = 1 << 13 };

static const struct {
  const char *name;
  int code; /* errno of the failure */
} kinds[FAULT_KINDS] = {
    [FAULT_ALLOCATE] = {"allocate", ENOMEM},
    [FAULT_OPEN] = {"open", EMFILE},
    [FAULT_READ] = {"read", EIO},
    [FAULT_WRITE] = {"write", ENOSPC},
    [FAULT_TRUNCATE] = {"truncate", EIO},
    [FAULT_SYNC] = {"sync", EIO},
    [FAULT_CLOSE] = {"close", EIO},
    [FAULT_RENAME] = {"rename", EIO},
    [FAULT_UNLINK] = {"unlink", EACCES},
    [FAULT_FOLDER] = {"folder", EACCES},
    [FAULT_STAT] = {"stat", EACCES},
    [FAULT_LOCK] = {"lock", ENOLCK},
    [FAULT_THREAD] = {"thread", EAGAIN},
    [FAULT_DATABASE_MEMORY] = {"database-memory", ENOMEM},
    [FAULT_DATABASE_OPEN] = {"database-open", EMFILE},
    [FAULT_DATABASE_READ] = {"database-read", EIO},
    [FAULT_DATABASE_WRITE] = {"database-write", ENOSPC},
    [FAULT_DATABASE_TRUNCATE] = {"database-truncate", EIO},
    [FAULT_DATABASE_SYNC] = {"database-sync", EIO},
    [FAULT_DATABASE_DELETE] = {"database-delete", EIO},
    [FAULT_DATABASE_LOCK] = {"database-lock", EIO},
    [FAULT_DATABASE_MAP] = {"database-map", ENOMEM},
    [FAULT_DEVICE] = {"device", EIO},
};

typedef struct call_site {
  _Atomic(uintptr_t) key; /* address, or the function's name where the caller is of no interest; 0: free */
  _Atomic(long) calls;
  const char *function;
  fault_kind kind;
} call_site;

static call_site sites[SITES];
static _Atomic(long) calls[FAULT_KINDS];
static struct {
  int kind;       /* -1: none */
  uintptr_t site; /* 0: all of the kind */
  long at;
  bool stays; /* all later calls fail too */
  bool kills; /* the process is killed instead */
  atomic_bool reached;
} wanted = {.kind = -1};
static atomic_bool begun; /* before main a failure cannot be reported */
extern char __executable_start;

int __real_main(int argc, char **argv); /* of berth */
int adgpu_main(int argc, char **argv);
int autogrid_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
int __wrap_main(int argc, char **argv) {
  const char *program = getenv("BERTH_FAULT_PROGRAM");
  begun = true;
  if (program != NULL && strcmp(program, "adgpu") == 0) return adgpu_main(argc, argv);
  if (program != NULL && strcmp(program, "autogrid") == 0) return autogrid_main(argc, argv);
  return __real_main(argc, argv);
}

/* Before main, and before anything is allocated. */
__attribute__((constructor(101))) static void read_wish(void) {
  const char *text = getenv("BERTH_FAULT");
  if (text == NULL) return;
  size_t size = strcspn(text, "@:");
  for (int k = 0; k < FAULT_KINDS; k++)
    if (strlen(kinds[k].name) == size && strncmp(kinds[k].name, text, size) == 0) wanted.kind = k;
  if (text[size] == '@') wanted.site = (uintptr_t)strtoull(text + size + 1, NULL, 16);
  const char *colon = strchr(text, ':');
  char *end = NULL;
  if (colon != NULL) wanted.at = strtol(colon + 1, &end, 10);
  wanted.stays = end != NULL && *end == '+';
  wanted.kills = end != NULL && *end == '!';
  if (wanted.kind >= 0 && wanted.at > 0) return;
  dprintf(STDERR_FILENO, "BERTH_FAULT=%s is not KIND:N\n", text);
  _exit(99);
}

static call_site *find_site(fault_kind kind, const char *function, uintptr_t key) {
  for (size_t at = (key * 0x9E3779B97F4A7C15u) >> 51;; at++) {
    call_site *site = &sites[at % SITES];
    uintptr_t known = 0;
    if (atomic_compare_exchange_strong(&site->key, &known, key)) {
      site->function = function;
      site->kind = kind;
    } else if (known != key) {
      continue;
    }
    return site;
  }
}

bool fault_strikes(fault_kind kind, const char *function, uintptr_t address) {
  if (!begun) return false;
  uintptr_t start = (uintptr_t)&__executable_start;
  call_site *site = find_site(kind, function, address != 0 ? address - start : (uintptr_t)function);
  long of_site = ++site->calls, of_kind = ++calls[kind];
  if ((int)kind != wanted.kind || (wanted.site != 0 && wanted.site != address - start)) return false;
  long count = wanted.site != 0 ? of_site : of_kind;
  if (wanted.stays ? count < wanted.at : count != wanted.at) return false;
  if (wanted.kills) kill(getpid(), SIGKILL);
  wanted.reached = true;
  errno = kinds[kind].code;
  return true;
}

__attribute__((destructor)) static void write_report(void) {
  const char *path = getenv("BERTH_FAULT_REPORT");
  if (path == NULL) return;
  char aside[512];
  snprintf(aside, sizeof aside, "%s.%ld", path, (long)getpid());
  wanted.kind = -1;
  int descriptor = open(aside, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dprintf(descriptor, "reached %d\n", wanted.reached ? 1 : 0);
  for (int k = 0; k < FAULT_KINDS; k++) dprintf(descriptor, "calls %s %ld\n", kinds[k].name, calls[k]);
  for (int s = 0; s < SITES; s++)
    if (sites[s].key != 0)
      dprintf(descriptor, "site %s %s %lx %ld\n", kinds[sites[s].kind].name, sites[s].function,
              (uintptr_t)sites[s].function == sites[s].key ? 0 : (unsigned long)sites[s].key, sites[s].calls);
  close(descriptor);
  rename(aside, path);
}
