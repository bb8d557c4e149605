/* results.h - what is written when a screen or a merge is complete. */
#ifndef BERTH_CLI_SCREEN_RESULTS_H
#define BERTH_CLI_SCREEN_RESULTS_H

#include <berth/screen.h>
#include <stdio.h>

/* Writes FOLDER/top.csv, and top.sdf (top.pdbqt if bonds are unknown), with the `top` best; the rejects under the
 * given name if there are any. top 0: only the rejects. *ret_damaged: number of damaged ligands, which are reported and left out. */
bt_status screen_write_top(const char *folder, const char *database, const char *rejects_name, int64_t top,
                           bool quiet, const char *program, int64_t *ret_damaged, bt_error *opt_error) BT_MUST_USE;
void screen_tell_exported(const char *program, const char *path, bt_screen_format format,
                          const bt_screen_exported *exported, bool autodock, bool quiet);
/* A line on the ligands that a filter left out, by its conditions. */
void screen_tell_filtered(const char *database, int64_t count, FILE *stream);
/* The seed with which a screen is resumed; 0: none. */
uint64_t screen_seed(const char *database);
/* The scoring function of a screen with the AutoDock engine; AutoDock 4 if the database does not state it. */
bt_scoring screen_scoring(const char *database);
/* True if the screen was docked by the AutoDock engine, whose poses are genotypes; other engines store SDF records. */
bool screen_is_autodock(const char *database);

#endif
