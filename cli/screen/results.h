/* results.h - what is written when a screen or a merge is complete. */
#ifndef BERTH_CLI_SCREEN_RESULTS_H
#define BERTH_CLI_SCREEN_RESULTS_H

#include <berth/screen.h>

/* FOLDER/top.csv, and top.sdf or where no bonds are known top.pdbqt, with the `top` best; FOLDER/rejects.csv if any.
 * With 0 only the rejects. *ret_damaged: the number of damaged ligands, which it names and leaves out. */
bt_status screen_write_top(const char *folder, const char *database, int64_t top, bool quiet, const char *program,
                           int64_t *ret_damaged, bt_error *opt_error) BT_MUST_USE;
void screen_tell_exported(const char *program, const char *path, bt_screen_format format,
                          const bt_screen_exported *exported, bool autodock, bool quiet);
/* The seed with which a screen is resumed; 0: none. */
uint64_t screen_seed(const char *database);
/* That of a screen with the AutoDock engine; AutoDock 4's where the database does not say it. */
bt_scoring screen_scoring(const char *database);
/* Was the screen docked by the AutoDock engine? Its poses are genotypes, those of other engines records of SDF. */
bool screen_is_autodock(const char *database);

#endif
