/* prep.h - the parts of `berth prep`. */
#ifndef BERTH_CLI_PREP_PREP_H
#define BERTH_CLI_PREP_PREP_H

/* As cmd_... in commands.h; argv[0] is "ligand", "receptor" or "library". */
int prep_ligand(int argc, char **argv);
int prep_receptor(int argc, char **argv);
int prep_library(int argc, char **argv);

#endif
