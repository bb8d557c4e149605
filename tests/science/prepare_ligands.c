/* prepare_ligands.c - prepares the ligands of a file and prints their PDBQT, or the time it took.
 *
 * Usage: prepare_ligands [--ph PH] [--conformers N] [--template SMILES] [--hydrated] [--old-rules] [--sdf] [--time]
 * FILE Prints MODEL number name, notes as USER lines, the text, ENDMDL; failures as "FAILED record: reason". With
 * --time only one line: ligands, failures, seconds, and the largest memory in KiB. */
#include <berth/berth.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <berth/prepare.h>

typedef struct settings {
  bt_prepare_options options;
  bool sdf, time;
  const char *path;
} settings;

static bool parse(int argc, char **argv, settings *s) {
  for (int i = 1; i < argc; i++) {
    bool value = i + 1 < argc;
    if (strcmp(argv[i], "--ph") == 0 && value)
      s->options.ph = atof(argv[++i]);
    else if (strcmp(argv[i], "--conformers") == 0 && value)
      s->options.conformers = atoi(argv[++i]);
    else if (strcmp(argv[i], "--template") == 0 && value)
      s->options.opt_template = argv[++i];
    else if (strcmp(argv[i], "--hydrated") == 0)
      s->options.hydrated = true;
    else if (strcmp(argv[i], "--old-rules") == 0)
      s->options.old_rules = true;
    else if (strcmp(argv[i], "--sdf") == 0)
      s->sdf = true;
    else if (strcmp(argv[i], "--time") == 0)
      s->time = true;
    else if (argv[i][0] != '-' || argv[i][1] == '\0')
      s->path = argv[i];
    else
      return false;
  }
  return s->path != NULL;
}

static void print_ligand(const settings *s, const bt_molecule *molecule, long number) {
  char *text = NULL;
  bt_error error = {0};
  printf("MODEL %ld %s\n", number, bt_molecule_name(molecule));
  for (int i = 0; i < bt_molecule_note_count(molecule); i++) printf("USER %s\n", bt_molecule_note(molecule, i));
  bt_status status =
      s->sdf ? bt_molecule_sdf(molecule, NULL, NULL, 0, &text, &error) : bt_molecule_pdbqt(molecule, &text, &error);
  printf("%s", status == BT_OK ? text : error.message);
  puts("ENDMDL");
  free(text);
}

int main(int argc, char **argv) {
  settings s = {.options = bt_prepare_options_default()};
  s.options.smallest_macrocycle = 7; /* as Meeko has it */
  bt_ligand_reader *reader;
  bt_error error = {0};
  char buffer[2048];
  if (!parse(argc, argv, &s)) return 2;
  s.options.as_drawn = isnan(s.options.ph); /* as Meeko has it, too */
  if (bt_ligand_reader_open(s.path, &s.options, &reader, &error) != BT_OK) {
    fprintf(stderr, "%s\n", bt_error_format(&error, buffer, sizeof buffer));
    return *bt_rdkit_version() == '\0' ? 77 : 1;
  }
  long done = 0, failed = 0;
  struct timespec start, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  for (;;) {
    bt_molecule *molecule;
    if (bt_ligand_reader_next(reader, &molecule, &error) != BT_OK) {
      failed++;
      if (!s.time)
        printf("FAILED %ld: %s\n", bt_ligand_reader_record(reader), bt_error_format(&error, buffer, sizeof buffer));
      continue;
    }
    if (molecule == NULL) break;
    if (!s.time) print_ligand(&s, molecule, ++done);
    if (s.time) done++;
    bt_molecule_destroy(molecule);
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  bt_ligand_reader_close(reader);
  if (s.time) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld %ld %.3f %ld\n", done, failed,
           (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec), usage.ru_maxrss);
  }
  return 0;
}
