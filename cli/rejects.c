/* rejects.c - ligands that could not be docked, and why. */
#include "rejects.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "outputs.h"
#include "report.h"

bool cli_rejects_add(cli_rejects *rejects, const char *ligand, const bt_error *error) {
  if (rejects->count == rejects->capacity) {
    int capacity = rejects->capacity > 0 ? 2 * rejects->capacity : 8;
    cli_reject *items = realloc(rejects->items, (size_t)capacity * sizeof *items);
    if (items == NULL) return false;
    rejects->items = items;
    rejects->capacity = capacity;
  }
  cli_reject *reject = &rejects->items[rejects->count];
  reject->error = *error;
  reject->ligand = strdup(ligand);
  if (reject->ligand == NULL) return false;
  rejects->count++;
  char text[2048];
  cli_message(rejects->program, "rejected %s: %s", ligand, bt_error_format(error, text, sizeof text));
  return true;
}

static void write_number(FILE *stream, long number) {
  if (number > 0)
    fprintf(stream, ",%ld", number);
  else
    fputc(',', stream);
}

bt_status cli_rejects_write(const cli_rejects *rejects, const char *path, bt_error *opt_error) {
  if (rejects->count == 0) {
    unlink(path);
    return BT_OK;
  }
  cli_file file;
  bt_status status = cli_file_open(path, &file, opt_error);
  if (status != BT_OK) return status;
  fputs("ligand,file,line,atom,status,message,remedy\n", file.stream);
  for (int i = 0; i < rejects->count; i++) {
    const bt_error *error = &rejects->items[i].error;
    cli_csv_field(file.stream, rejects->items[i].ligand);
    fputc(',', file.stream);
    cli_csv_field(file.stream, error->file);
    write_number(file.stream, error->line);
    write_number(file.stream, error->atom);
    fprintf(file.stream, ",%s,", bt_status_name(error->status));
    cli_csv_field(file.stream, error->message);
    fputc(',', file.stream);
    cli_csv_field(file.stream, error->remedy);
    fputc('\n', file.stream);
  }
  return cli_file_close(&file, opt_error);
}

void cli_rejects_free(cli_rejects *rejects) {
  for (int i = 0; i < rejects->count; i++) free(rejects->items[i].ligand);
  free(rejects->items);
  rejects->items = NULL;
  rejects->count = rejects->capacity = 0;
}
