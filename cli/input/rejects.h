/* rejects.h - ligands that could not be docked, and why. */
#ifndef BERTH_CLI_INPUT_REJECTS_H
#define BERTH_CLI_INPUT_REJECTS_H

#include <berth/berth.h>
#include <stdio.h>

typedef struct cli_rejects {
  const char *program;
  FILE *rows; /* of the list, written into text */
  char *text;
  size_t size;
  int count;
  int most_shown; /* that many are printed; 0: all */
} cli_rejects;

/* Keeps the reason and prints it as one line, "program: rejected LIGAND: file:line: ...". */
bt_status cli_rejects_add(cli_rejects *rejects, const char *ligand, const bt_error *error,
                          bt_error *opt_error) BT_MUST_USE;
/* Writes ligand,file,line,atom,status,message,remedy; without rejects an older list of that name is removed. */
bt_status cli_rejects_write(const cli_rejects *rejects, const char *path, bt_error *opt_error) BT_MUST_USE;
void cli_rejects_free(cli_rejects *rejects);

#endif
