/* rejects.c - ligands that could not be docked, and why. */
#include "input/rejects.h"

#include <stdlib.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/outputs.h"
#include "common/report.h"

static void write_number(FILE *stream, long number) {
  if (number > 0)
    fprintf(stream, ",%ld", number);
  else
    fputc(',', stream);
}

bt_status cli_rejects_add(cli_rejects *rejects, const char *ligand, const bt_error *error, bt_error *opt_error) {
  FILE *rows = rejects->rows != NULL ? rejects->rows : open_memstream(&rejects->text, &rejects->size);
  if (rows == NULL) return cli_no_memory(opt_error);
  if (rejects->rows == NULL) fputs("ligand,file,line,atom,status,message,remedy\n", rows);
  rejects->rows = rows;
  cli_csv_field(rows, ligand);
  fputc(',', rows);
  cli_csv_field(rows, error->file);
  write_number(rows, error->line);
  write_number(rows, error->atom);
  fprintf(rows, ",%s,", bt_status_name(error->status));
  cli_csv_field(rows, error->message);
  fputc(',', rows);
  cli_csv_field(rows, error->remedy);
  fputc('\n', rows);
  if (fflush(rows) != 0) return cli_no_memory(opt_error);
  rejects->count++;
  if (rejects->most_shown > 0 && rejects->count > rejects->most_shown) return BT_OK;
  char text[2048];
  cli_message(rejects->program, "rejected %s: %s%s", ligand, bt_error_format(error, text, sizeof text),
              rejects->count == rejects->most_shown ? " (further ones are only in the list of rejects)" : "");
  return BT_OK;
}

bt_status cli_rejects_write(const cli_rejects *rejects, const char *path, bt_error *opt_error) {
  if (rejects->count > 0) return cli_file_write(path, rejects->text, opt_error);
  unlink(path);
  return BT_OK;
}

void cli_rejects_free(cli_rejects *rejects) {
  if (rejects->rows != NULL) fclose(rejects->rows);
  free(rejects->text);
  *rejects = (cli_rejects){.program = rejects->program};
}
