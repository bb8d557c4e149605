/* cases.h - the complexes that a benchmark docks: given ones, or three synthetic ones. */
#ifndef BERTH_BENCH_COMMON_CASES_H
#define BERTH_BENCH_COMMON_CASES_H

#include <berth/types.h>

#include "base/text/text.h"
#include "common/options.h"

typedef struct bench_case {
  char *name;
  bt_molecule *molecule, *opt_reference; /* the ligand; its crystal pose, if known */
  bt_ligand *ligand;
  bt_maps *maps;
} bench_case;

typedef struct bench_cases {
  bench_case *items;
  int count;
} bench_cases;

/* Reads the first molecule of a PDBQT file, or of its text. */
bt_status bench_molecule_read(const char *path, const bt_text *opt_text, bt_molecule_kind kind,
                              bt_molecule **ret_molecule, bt_error *opt_error) BT_MUST_USE;

/* Loads the first ligand of a file, named after its molecule, and its maps: from a .maps.fld, or computed from a
 * .pdbqt in opt_box (NULL: a box around the ligand). Free the case also after a failure. */
bt_status bench_case_load(const char *receptor, const char *ligand, const bt_box *opt_box, int threads,
                          bench_case *ret_case, bt_error *opt_error) BT_MUST_USE;
void bench_case_free(bench_case *c);
/* "7cpa: 43 atoms, 15 torsions, 737 pairs" */
void bench_case_print(const bench_case *of);

/* Loads cases given as NAME=RECEPTOR:LIGAND.pdbqt; without any, a small, a medium and a large synthetic ligand, each in
 * a synthetic pocket. Free the cases also after a failure. */
bt_status bench_cases_load(const cli_list *words, bench_cases *ret_cases, bt_error *opt_error) BT_MUST_USE;
void bench_cases_free(bench_cases *cases);

/* synthetic.c: appends the PDBQT of a synthetic ligand with so many atoms and torsions, and of a pocket for it. */
void bench_synthetic_add(int atoms, int torsions, bt_text *receptor, bt_text *ligand);

#endif
