/* prep.c - `berth prep`: runs the program for the kind of molecule. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/options.h"
#include "prep/prep.h"
#include "common/report.h"

static void print_help(FILE *stream) {
  fprintf(stream,
          "berth prep - prepare files for inspection or for other docking programs\n\n"
          "Usage: berth prep ligand|receptor|library [options]\n\n"
          "  ligand    SDF, MOL2, SMILES or PDB -> PDBQT, SDF\n"
          "  receptor  PDB or mmCIF -> PDBQT of the rigid part and of flexible residues, report\n"
          "  library   SDF, MOL2, SMILES, PDBQT -> one binary library (.btl) for screening\n\n"
          "`berth dock`, `berth score` and `berth grid` accept raw files; nothing needs to be prepared beforehand.\n"
          "`berth prep ligand --help` and so on show options and examples.\n");
}

int cmd_prep(int argc, char **argv) {
  static const char *const kinds[] = {"ligand", "receptor", "library"};
  if (argc < 2) {
    print_help(stderr);
    return CLI_EXIT_BAD;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return CLI_EXIT_OK;
  }
  if (strcmp(argv[1], "ligand") == 0) return prep_ligand(argc - 1, argv + 1);
  if (strcmp(argv[1], "receptor") == 0) return prep_receptor(argc - 1, argv + 1);
  if (strcmp(argv[1], "library") == 0) return prep_library(argc - 1, argv + 1);
  const char *nearest = cli_nearest(argv[1], kinds, CLI_COUNT(kinds));
  cli_message("berth prep", "unknown command '%s'; write berth prep %s", argv[1],
              nearest != NULL ? nearest : "ligand, berth prep receptor or berth prep library");
  return CLI_EXIT_BAD;
}
