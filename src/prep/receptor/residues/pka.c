/* pka.c - protonation states at a pH: pKa values from propka3 if available, otherwise of model compounds.
 *
 * Model values: Olsson, Sondergaard, Rostkowski, Jensen, J. Chem. Theory Comput. 7, 525 (2011).
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/clock.h"
#include "base/files/file.h"
#include "base/memory.h"
#include "prep/receptor/receptor.h"

/* Titratable residues: the states below and above the pKa. */
static const struct {
  char name[4], acid[4], base[4];
  double pka;
} sites[] = {{"ASP", "ASH", "ASP", 3.8}, {"GLU", "GLH", "GLU", 4.5},  {"HIS", "HIP", "", 6.5},
             {"CYS", "CYS", "CYM", 9.0}, {"TYR", "TYR", "TYM", 10.0}, {"LYS", "LYS", "LYN", 10.5}};
enum { SITE_COUNT = sizeof sites / sizeof *sites };

static int site_of(const char *name) {
  for (int k = 0; k < SITE_COUNT; k++)
    if (strcmp(sites[k].name, name) == 0) return k;
  return -1;
}

static void apply(bt_receptor_work *prep, int residue, int site, double pka, const char *origin) {
  bt_receptor_residue *r = &prep->residues[residue];
  double ph = prep->options->ph;
  const char *state = ph < pka ? sites[site].acid : sites[site].base;
  if (r->disulfide >= 0 || r->forced != NULL) return;
  bool usual = strcmp(state, sites[site].name) == 0 || state[0] == '\0';
  bt_receptor_note(r, "pKa %.2f %s", pka, origin);
  if (state[0] != '\0') r->usual = state;
  if (usual) return;
  if (r->n_hydrogens > 0 && !prep->options->ignore_hydrogens)
    bt_receptor_note(r, "hence %s, overriding the hydrogens of the file", state);
  char name[40];
  bt_text_printf(&prep->notes, "%s: %s at pH %g (pKa %.2f %s)\n", bt_receptor_name(prep, residue, name), state, ph, pka,
                 origin);
}

static void apply_model_values(bt_receptor_work *prep) {
  for (int i = 0; i < prep->n_residues; i++) {
    if (prep->residues[i].fate != BT_FATE_KEPT) continue;
    int site = site_of(bt_receptor_source(prep, i)->name);
    if (site >= 0) apply(prep, i, site, sites[site].pka, "of the model compound");
  }
}

/* ---------------------------------------------------------------------------------------------- propka's output -- */

/* Lines of the summary: "   ASP  25 A     3.94       3.80"; a blank chain is written as "_" or left out. */
static bool parse_line(bt_span line, char name[8], int *number, char *chain, double *pka) {
  bt_span rest = line, word = bt_span_word(&rest);
  if (word.size == 0 || !bt_span_copy(word, name, 8)) return false;
  if (!bt_parse_int(bt_span_word(&rest), number)) return false;
  bt_span third = bt_span_word(&rest);
  *chain = ' ';
  if (third.size == 1 && !(third.text[0] >= '0' && third.text[0] <= '9' && rest.size == 0)) {
    *chain = third.text[0] == '_' ? ' ' : third.text[0];
    third = bt_span_word(&rest);
  }
  return bt_parse_double(third, pka);
}

static bt_status read_summary(bt_receptor_work *prep, const char *path) {
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &data, &size, prep->opt_error));
  bt_lines lines = bt_lines_of(data, size);
  bt_span line;
  bool summary = false;
  int count = 0;
  while (bt_lines_next(&lines, &line)) {
    if (bt_span_starts(bt_span_trim(line), "SUMMARY OF THIS PREDICTION")) summary = true;
    char name[8], chain;
    int number;
    double pka;
    if (summary && bt_span_starts(line, "-----")) break;
    if (!summary || !parse_line(line, name, &number, &chain, &pka)) continue;
    int site = site_of(name);
    for (int i = 0; site >= 0 && i < prep->n_residues; i++) {
      const bt_structure_residue *source = bt_receptor_source(prep, i);
      if (source->number != number || strcmp(source->name, name) != 0 || prep->letters[i] != chain ||
          prep->residues[i].fate != BT_FATE_KEPT || source->icode != ' ')
        continue;
      apply(prep, i, site, pka, "by propka");
      count++;
      break;
    }
  }
  if (count > 0) return BT_OK;
  return bt_receptor_fail(prep, "use the .pka file that propka3 wrote for this structure",
                          "%.200s has no pKa value for any residue of the receptor", path);
}

/* ----------------------------------------------------------------------------------------------- Running propka -- */

/* Heavy atoms of proteins as PDB text. */
static void write_input(bt_receptor_work *prep, bt_text *text) {
  int serial = 0;
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    if (r->fate != BT_FATE_KEPT) continue;
    for (int a = 0; a < r->n_atoms; a++) bt_receptor_write_atom(prep, text, i, &r->atoms[a], ++serial);
    if (r->next < 0 && r->previous >= 0) bt_text_add_string(text, "TER\n");
  }
  bt_text_add_string(text, "END\n");
}

/* Path of a program in $PATH, to be freed; NULL if there is none. A folder that cannot be read now is an error: the
 * program may be there. */
static bt_status find_program(const char *program, char **ret_file, bt_error *opt_error) {
  *ret_file = NULL;
  const char *path = getenv("PATH");
  while (path != NULL && *path != '\0') {
    size_t size = strcspn(path, ":");
    bt_text file = {0};
    bt_text_printf(&file, "%.*s/%s", (int)size, path, program);
    BT_SCOPED char *candidate = NULL;
    BT_TRY(bt_text_take(&file, &candidate, opt_error));
    if (size > 0 && access(candidate, X_OK) == 0) {
      *ret_file = candidate;
      candidate = NULL;
      return BT_OK;
    }
    if (size > 0 && !bt_file_says_absent(errno) && errno != EACCES)
      return bt_file_fail_read(candidate, errno, opt_error);
    path += size + (path[size] == ':');
  }
  return BT_OK;
}

/* In the child after fork, where only system calls are safe. It dies with its parent, and has a CPU limit of its own in
 * case it is orphaned. */
static void become_propka(const char *program, const char *folder, pid_t parent, rlim_t seconds) {
  char *arguments[] = {"propka3", "receptor.pdb", NULL};
  const struct rlimit limit = {.rlim_cur = seconds, .rlim_max = seconds};
  int null = open("/dev/null", O_RDWR);
  setpgid(0, 0); /* so that the whole process group can be killed */
  setrlimit(RLIMIT_CPU, &limit);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1 && dup2(null, 2) == 2 && chdir(folder) == 0 &&
      getppid() == parent)
    execv(program, arguments);
  kill(getpid(), SIGKILL); /* exit handlers belong to the parent */
}

typedef enum propka_end { PROPKA_DONE, PROPKA_FAILED, PROPKA_LATE } propka_end;

static propka_end wait_for(pid_t child, double seconds) {
  const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
  double until = bt_seconds() + seconds;
  int status;
  for (;;) {
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? PROPKA_DONE : PROPKA_FAILED;
    if (ended < 0 && errno != EINTR) return PROPKA_FAILED;
    if (bt_seconds() > until) break;
    nanosleep(&moment, NULL);
  }
  kill(-child, SIGKILL);
  kill(child, SIGKILL); /* it may not have its own group yet */
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return PROPKA_LATE;
}

/* Runs `propka3 receptor.pdb` in a folder, with its output discarded. */
static propka_end run_propka(const char *program, const char *folder, double seconds) {
  pid_t parent = getpid(), child = fork();
  if (child == 0) become_propka(program, folder, parent, (rlim_t)seconds + 1);
  return child > 0 ? wait_for(child, seconds) : PROPKA_FAILED;
}

static bt_status ask_propka(bt_receptor_work *prep, const char *program) {
  const char *base = getenv("TMPDIR");
  char folder[512], input[600], output[600];
  snprintf(folder, sizeof folder, "%.400s/berth-propka-XXXXXX", base != NULL && base[0] != '\0' ? base : "/tmp");
  if (mkdtemp(folder) == NULL)
    return bt_fail(prep->opt_error, BT_ERR_IO, (bt_where){.file = folder}, "set TMPDIR to a folder that can be written",
                   "cannot make a folder for propka: %s", strerror(errno));
  snprintf(input, sizeof input, "%s/receptor.pdb", folder);
  snprintf(output, sizeof output, "%s/receptor.pka", folder);
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  write_input(prep, &text);
  bt_status status = bt_file_write_text(input, &text, prep->opt_error);
  double seconds = prep->options->pka_seconds;
  propka_end end = status == BT_OK ? run_propka(program, folder, seconds) : PROPKA_FAILED;
  if (status == BT_OK && end == PROPKA_DONE) {
    status = read_summary(prep, output);
  } else if (status == BT_OK && end == PROPKA_LATE) { /* falling back to other values would change the receptor */
    status =
        bt_fail(prep->opt_error, BT_ERR_LIMIT, (bt_where){.file = program},
                "raise --pka-time, or name its .pka file with --pka", "propka took longer than %g s", seconds);
  } else if (status == BT_OK) {
    bt_text_add_string(&prep->notes, "propka3 failed on this structure; pKa values are those of model compounds\n");
    apply_model_values(prep);
  }
  unlink(input);
  unlink(output);
  rmdir(folder);
  return status;
}

bt_status bt_receptor_pka(bt_receptor_work *prep) {
  const bt_receptor_options *o = prep->options;
  if (isnan(o->ph)) return BT_OK;
  if (!(o->ph >= 0.0 && o->ph <= 14.0))
    return bt_receptor_fail(prep, "use a pH between 0 and 14", "%g is not a valid pH", o->ph);
  if (o->opt_pka != NULL) return read_summary(prep, o->opt_pka);
  BT_SCOPED char *program = NULL;
  BT_TRY(find_program("propka3", &program, prep->opt_error));
  if (program != NULL) return ask_propka(prep, program);
  bt_text_add_string(&prep->notes, "propka3 is not installed; pKa values are those of model compounds\n");
  apply_model_values(prep);
  return BT_OK;
}
