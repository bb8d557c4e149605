/* batch.c - AutoDock-GPU's batch list file: the extension on a line determines its meaning. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adgpu/adgpu.h"
#include "common/report.h"

typedef struct batch {
  const char *program, *path;
  const adgpu_settings *settings;
  const char *fld, *flexible, *reference;
  bool flexible_waits, fld_waits; /* read, but not used by a ligand yet */
  bt_text_list names;
  adgpu_jobs *jobs;
} batch;

/* Cuts blanks, and a carriage return, off both ends. */
static char *trim(char *line) {
  line += strspn(line, " \t\r\n\v\f");
  size_t length = strlen(line);
  while (length > 0 && strchr(" \t\r\n\v\f", line[length - 1]) != NULL) line[--length] = '\0';
  return line;
}

static bt_status fail_line(const batch *b, long line, const char *remedy, const char *message, bt_error *opt_error) {
  bt_status status = cli_fill_error(opt_error, BT_ERR_INPUT, b->path, remedy, "%s", message);
  if (opt_error != NULL) opt_error->line = line;
  return status;
}

static bt_status refuse_covalent(const batch *b, long line, bt_error *opt_error) {
  return fail_line(b, line, "put the ligand after its .pdbqt- line",
                   "flexible residues without a ligand (covalent docking) are not available", opt_error);
}

static bt_status add_ligand(batch *b, const char *word, long line, bt_error *opt_error) {
  if (b->fld == NULL)
    return fail_line(b, line, "put a .fld line before the first ligand, or use --ffile", "a ligand without maps",
                     opt_error);
  adgpu_job *job = adgpu_jobs_add(b->jobs, b->settings);
  if (job == NULL) return bt_fail_memory(opt_error);
  *job = (adgpu_job){.settings = job->settings,
                     .ligand = adgpu_jobs_path(b->jobs, b->path, word),
                     .fld = b->fld,
                     .opt_flexible = b->flexible,
                     .opt_reference = b->reference};
  b->flexible_waits = b->fld_waits = false;
  return job->ligand != NULL ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status take_line(batch *b, char *word, long line, bt_error *opt_error) {
  bool fld = cli_path_ends(word, ".fld"), flexible = cli_path_ends(word, ".pdbqt-"),
       reference = cli_path_ends(word, ".pdbqt*");
  if (b->flexible_waits && (fld || flexible || reference)) return refuse_covalent(b, line, opt_error);
  if (cli_path_ends(word, ".pdbqt")) return add_ligand(b, word, line, opt_error);
  if (flexible || reference) word[strlen(word) - 1] = '\0';
  if (fld && b->fld_waits) cli_warning(b->program, "%s:%ld: no ligand used the .fld before this one", b->path, line);
  if (fld || flexible || reference) {
    const char **slot = fld ? &b->fld : flexible ? &b->flexible : &b->reference;
    *slot = adgpu_jobs_path(b->jobs, b->path, word);
    b->fld_waits |= fld;
    b->flexible_waits |= flexible;
    return *slot != NULL ? BT_OK : bt_fail_memory(opt_error);
  }
  const char *name = adgpu_jobs_path(b->jobs, b->path, word);
  return name != NULL ? bt_text_list_add(&b->names, bt_span_from(name), opt_error) : bt_fail_memory(opt_error);
}

static bt_status read_lines(batch *b, FILE *stream, bt_error *opt_error) {
  BT_SCOPED char *line = NULL;
  size_t room = 0;
  bt_status status = BT_OK;
  long number = 0;
  for (ssize_t length; status == BT_OK && (length = getline(&line, &room, stream)) >= 0;) {
    number++;
    if (memchr(line, '\0', (size_t)length) != NULL)
      status = fail_line(b, number, "use a list of file names, one per line", "not a text file", opt_error);
    char *word = trim(line);
    if (status == BT_OK && word[0] != '\0') status = take_line(b, word, number, opt_error);
  }
  if (status == BT_OK && ferror(stream))
    status = cli_fill_error(opt_error, BT_ERR_IO, b->path, "check the file", "cannot read the batch list");
  if (status == BT_OK && b->flexible_waits) status = refuse_covalent(b, number, opt_error);
  return status;
}

bt_status adgpu_batch_read(const char *program, const char *path, const adgpu_settings *settings, const char *opt_fld,
                           const char *opt_flexible, adgpu_jobs *jobs, bt_error *opt_error) {
  FILE *stream = fopen(path, "r");
  if (stream == NULL)
    return cli_fill_error(opt_error, BT_ERR_IO, path, "check the path", "cannot open the batch list: %s",
                          strerror(errno));
  int first = jobs->count;
  batch b = {.program = program, .path = path, .settings = settings, .jobs = jobs, .fld = opt_fld,
             .flexible = opt_flexible};
  bt_status status = read_lines(&b, stream, opt_error);
  fclose(stream);
  int count = jobs->count - first;
  if (status == BT_OK && count == 0)
    status = cli_fill_error(opt_error, BT_ERR_INPUT, path, "name at least one .pdbqt file", "no ligand in this list");
  if (status == BT_OK && b.names.count != 0 && b.names.count != count)
    status = cli_fill_error(opt_error, BT_ERR_INPUT, path, "use one name per ligand, or none",
                            "%d result names for %d ligands", b.names.count, count);
  for (int i = 0; status == BT_OK && i < b.names.count; i++)
    if ((jobs->items[first + i].resname = adgpu_jobs_keep(jobs, b.names.items[i])) == NULL)
      status = bt_fail_memory(opt_error);
  bt_text_list_destroy(&b.names);
  return status;
}
