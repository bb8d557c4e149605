/* rdkit_alone.c - times RDKit alone on the ligands of a SMILES file, for bench/scripts/prep.py.
 *
 * Usage: rdkit_alone --conformers N --time FILE.smi. Prints molecules, failures, seconds, largest memory in KiB. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "chem/rdkit.h"

/* The steps of RDKit that every preparation needs; false if it refuses the molecule. */
static bool handle(const char *smiles, int conformers) {
  bt_rdmol *mol = NULL;
  bt_error error;
  bt_where where = {0};
  bool relaxed;
  if (bt_rdmol_read(BT_RD_SMILES, smiles, strlen(smiles), where, NULL, &mol, &error) != BT_OK) return false;
  bt_status status = bt_rdmol_add_hydrogens(mol, where, &error);
  size_t n = (size_t)bt_rdmol_atom_count(mol);
  double *charges = calloc(n, sizeof *charges);
  int *order = calloc(n, sizeof *order);
  char *canonical = NULL;
  if (status == BT_OK && conformers > 0) status = bt_rdmol_embed(mol, conformers, 42, NULL, where, &relaxed, &error);
  if (status == BT_OK) status = bt_rdmol_gasteiger(mol, where, charges, &error);
  if (status == BT_OK) status = bt_rdmol_smiles(mol, &canonical, order, &error);
  free(canonical);
  free(charges);
  free(order);
  bt_rdmol_destroy(mol);
  return status == BT_OK;
}

int main(int argc, char **argv) {
  int conformers = argc > 2 ? atoi(argv[2]) : 0;
  FILE *file = argc > 1 ? fopen(argv[argc - 1], "r") : NULL;
  char line[8192];
  long done = 0, failed = 0;
  struct timespec start, end;
  if (file == NULL) return 2;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, " \t\r\n")] = '\0';
    if (line[0] == '\0') continue;
    if (handle(line, conformers))
      done++;
    else
      failed++;
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  fclose(file);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%ld %ld %.3f %ld\n", done, failed,
         (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec), usage.ru_maxrss);
  return 0;
}
