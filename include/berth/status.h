/* status.h - what functions return, and how errors read.
 *
 *     bt_error error;
 *     char text[2048];
 *     if (bt_device_check("cuda:0", NULL, &error) != BT_OK)
 *       fprintf(stderr, "%s\n", bt_error_format(&error, text, sizeof text));
 */
#ifndef BERTH_STATUS_H
#define BERTH_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define BT_MUST_USE __attribute__((warn_unused_result))
#define BT_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define BT_MUST_USE
#define BT_PRINTF(format_index, first_index)
#endif

#define BT_STATUS_LIST(X)                                              \
  X(BT_OK, "success")                                                  \
  X(BT_ERR_USAGE, "an option or argument is wrong")                    \
  X(BT_ERR_INPUT, "an input file is malformed")                        \
  X(BT_ERR_PARAMETER, "an atom type has no parameters or no map")      \
  X(BT_ERR_BOX, "the molecule does not fit the box")                   \
  X(BT_ERR_LIMIT, "the input exceeds what this machine can hold")      \
  X(BT_ERR_IO, "a file cannot be read or written")                     \
  X(BT_ERR_MEMORY, "out of memory")                                    \
  X(BT_ERR_DEVICE, "a device failed or is absent")                     \
  X(BT_ERR_CANCELLED, "stopped on request")                            \
  X(BT_ERR_FILTERED, "left out by a filter")

typedef enum bt_status {
#define BT_STATUS_ENUM(name, text) name,
  BT_STATUS_LIST(BT_STATUS_ENUM)
#undef BT_STATUS_ENUM
} bt_status;

/* What went wrong, where, and how to fix it. Empty strings and zeros mean "not applicable". */
typedef struct bt_error {
  bt_status status;
  char file[512];
  long line;         /* 1-based line of the file */
  long atom;         /* serial number of the atom in the file */
  char message[512]; /* what: one clause without a full stop */
  char remedy[512];  /* what the user can do: one clause without a full stop */
} bt_error;

/* The name of a status ("BT_ERR_INPUT"), and its meaning in words. */
const char *bt_status_name(bt_status status);
const char *bt_status_text(bt_status status);
/* Does the error concern a single ligand, so that others can still be docked? True for errors in its input, its atom
 * types, its size or its fit to the box; errors in settings, devices, memory and disks affect all ligands. */
bool bt_status_concerns_ligand(bt_status status);

/* Writes "file:line: atom N: message; remedy" into buffer and returns buffer. */
const char *bt_error_format(const bt_error *error, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
