/* faults.h - calls that are made to fail on purpose: the n-th of a kind, or the n-th of one call site.
 *
 * BERTH_FAULT=KIND:N fails the N-th call of the kind, KIND:N+ all from there on, KIND:N! kills the process instead,
 * and KIND@SITE:N counts the calls of one site, given by its hexadecimal return address. BERTH_FAULT_REPORT names a
 * file that is written at exit: what was called, from where, and whether the fault was reached.
 * BERTH_FAULT_PROGRAM=adgpu and =autogrid run these programs instead of berth. */
#ifndef BERTH_TESTS_FAULTS_H
#define BERTH_TESTS_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum fault_kind {
  FAULT_ALLOCATE,
  FAULT_OPEN,
  FAULT_READ,
  FAULT_WRITE,
  FAULT_TRUNCATE,
  FAULT_SYNC,
  FAULT_CLOSE,
  FAULT_RENAME,
  FAULT_UNLINK,
  FAULT_FOLDER,
  FAULT_STAT,
  FAULT_LOCK,
  FAULT_THREAD,
  FAULT_DATABASE_MEMORY,
  FAULT_DATABASE_OPEN,
  FAULT_DATABASE_READ,
  FAULT_DATABASE_WRITE,
  FAULT_DATABASE_TRUNCATE,
  FAULT_DATABASE_SYNC,
  FAULT_DATABASE_DELETE,
  FAULT_DATABASE_LOCK,
  FAULT_DATABASE_MAP,
  FAULT_DEVICE,
  FAULT_KINDS
} fault_kind;

/* Counts a call. True: it must fail; errno is set. */
bool fault_strikes(fault_kind kind, const char *function, uintptr_t address);
#define FAULT_STRIKES(kind, function) fault_strikes(kind, function, (uintptr_t)__builtin_return_address(0))

#endif
