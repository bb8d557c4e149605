/* rejects.c - ligands that could not be docked, and why. */
#include "input/rejects.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/options.h"
#include "common/outputs.h"
#include "common/report.h"

static void write_number(FILE *stream, long number) {
  if (number > 0)
    fprintf(stream, ",%ld", number);
  else
    fputc(',', stream);
}

static char *row_of(const char *ligand, const bt_error *error) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (stream == NULL) return NULL;
  cli_csv_field(stream, ligand);
  fputc(',', stream);
  cli_csv_field(stream, error->file);
  write_number(stream, error->line);
  write_number(stream, error->atom);
  fprintf(stream, ",%s,", bt_status_name(error->status));
  cli_csv_field(stream, error->message);
  fputc(',', stream);
  cli_csv_field(stream, error->remedy);
  fputc('\n', stream);
  if (fclose(stream) == 0) return text;
  free(text);
  return NULL;
}

bt_status cli_rejects_add(cli_rejects *rejects, const char *ligand, const bt_error *error, bt_error *opt_error) {
  if (!CLI_GROW(rejects->rows, rejects->count, &rejects->capacity)) return cli_no_memory(opt_error);
  char *row = row_of(ligand, error);
  if (row == NULL) return cli_no_memory(opt_error);
  rejects->rows[rejects->count++] = row;
  if (rejects->most_shown > 0 && rejects->count > rejects->most_shown) return BT_OK;
  char text[2048];
  cli_message(rejects->program, "rejected %s: %s%s", ligand, bt_error_format(error, text, sizeof text),
              rejects->count == rejects->most_shown ? " (further ones are only in the list of rejects)" : "");
  return BT_OK;
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
  for (int i = 0; i < rejects->count; i++) fputs(rejects->rows[i], file.stream);
  return cli_file_close(&file, opt_error);
}

void cli_rejects_free(cli_rejects *rejects) {
  for (int i = 0; i < rejects->count; i++) free(rejects->rows[i]);
  free(rejects->rows);
  rejects->rows = NULL;
  rejects->count = rejects->capacity = 0;
}
