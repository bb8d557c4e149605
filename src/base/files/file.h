/* file.h - reading whole files, output files that are written completely or not at all, and paths. */
#ifndef BERTH_BASE_FILES_FILE_H
#define BERTH_BASE_FILES_FILE_H

#include "base/text/text.h"

/* Whether the file exists. Fails if that cannot be determined at the moment: an existing file must not be
 * overlooked. */
bt_status bt_file_look(const char *path, bool *ret_there, bt_error *opt_error) BT_MUST_USE;

/* The type of a path, links followed. Fails as bt_file_look does. */
typedef enum bt_file_kind { BT_FILE_ABSENT, BT_FILE_PLAIN, BT_FILE_FOLDER, BT_FILE_OTHER } bt_file_kind;
bt_status bt_file_kind_of(const char *path, bt_file_kind *ret_kind, bt_error *opt_error) BT_MUST_USE;
/* Does this errno of stat, access or realpath say that there is no such file? */
bool bt_file_says_absent(int code);

/* The error for a file that cannot be opened for reading, or read to its end; code: errno. */
bt_status bt_file_fail_read(const char *label, int code, bt_error *opt_error);
/* For a file that could not be read: is the reason permanent, such as missing permission, a folder, a dangling link?
 * Others are temporary: too many open files, a disk that does not respond, a file that has just disappeared. */
bool bt_file_is_unreadable(const char *path);
/* Reads a file ("-": standard input) into memory. The data end with a NUL that size does not count; free() them. */
bt_status bt_file_read(const char *path, char **ret_data, size_t *ret_size, bt_error *opt_error) BT_MUST_USE;

/* The same; BT_ERR_LIMIT when there are more bytes than `most`, checked before memory is allocated. */
bt_status bt_file_read_most(const char *path, size_t most, char **ret_data, size_t *ret_size,
                            bt_error *opt_error) BT_MUST_USE;

/* The name of a file in messages: the path, or "standard input" for "-". */
const char *bt_file_label(const char *path);

/* Writes to a temporary file in the folder of path, and renames it once all data is on disk. An existing path that is
 * not a regular file (a device, a pipe) is written directly; a symbolic link is replaced by the file, and its target is
 * not touched. */
typedef struct bt_file_writer bt_file_writer;

bt_status bt_file_writer_open(const char *path, bt_file_writer **ret_writer, bt_error *opt_error) BT_MUST_USE;
/* The file can be read and written by its owner alone. */
void bt_file_writer_keep_private(bt_file_writer *writer);
bt_status bt_file_writer_add(bt_file_writer *writer, const char *data, size_t size, bt_error *opt_error) BT_MUST_USE;
/* Overwrites bytes written earlier, such as a header that describes what follows. */
bt_status bt_file_writer_patch(bt_file_writer *writer, uint64_t offset, const char *data, size_t size,
                               bt_error *opt_error) BT_MUST_USE;
/* Flushes everything to disk, so that only the rename is left; for committing groups of files. */
bt_status bt_file_writer_seal(bt_file_writer *writer, bt_error *opt_error) BT_MUST_USE;
/* Seals if needed and renames. The writer is destroyed, even on failure. */
bt_status bt_file_writer_commit(bt_file_writer *writer, bt_error *opt_error) BT_MUST_USE;
/* Removes what was written; NULL is allowed. */
void bt_file_writer_abandon(bt_file_writer *opt_writer);

/* Removes the temporary files of killed processes from a folder. */
void bt_file_clear_abandoned(const char *folder);
/* Creates a folder and those above it, as far as they are missing; other processes may be creating the same ones. */
bt_status bt_file_make_folder(const char *path, bt_error *opt_error) BT_MUST_USE;
/* fsync of a file or of a folder's entries. */
bt_status bt_file_sync(const char *path, bt_error *opt_error) BT_MUST_USE;

/* Open, add, commit. */
bt_status bt_file_write(const char *path, const char *data, size_t size, bt_error *opt_error) BT_MUST_USE;
/* The same, if the text has not run out of memory. */
bt_status bt_file_write_text(const char *path, const bt_text *text, bt_error *opt_error) BT_MUST_USE;

/* The part after the last '/', within path. */
const char *bt_path_base(const char *path);
/* The part before the last '/', "." without one; free() it, NULL when memory is exhausted. */
char *bt_path_folder(const char *path);
/* folder/name, or name itself if it is absolute or the folder is "."; free() it, NULL when memory is exhausted. */
char *bt_path_join(const char *folder, const char *name);
/* The base without the given extension (if it has it); free() it, NULL when memory is exhausted. */
char *bt_path_stem(const char *path, const char *extension);

#endif
