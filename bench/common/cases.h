/* cases.h - the complexes that a benchmark docks: given ones, or three made up on the spot. */
#ifndef BERTH_BENCH_COMMON_CASES_H
#define BERTH_BENCH_COMMON_CASES_H

#include <berth/berth.h>

#include "common/options.h"

typedef struct bench_case {
  char *name;
  bt_molecule **molecules;
  int n_molecules;
  bt_ligand *ligand;
  bt_maps *maps;
} bench_case;

typedef struct bench_cases {
  bench_case *items;
  int count;
} bench_cases;

/* Reads NAME=RECEPTOR:LIGAND.pdbqt words; RECEPTOR is a .maps.fld, or a .pdbqt whose maps are computed around the
 * ligand. Without words: a small, a medium and a large ligand of our own, in a pocket of our own. Free the cases also
 * after a failure. */
bt_status bench_cases_load(const cli_list *words, bench_cases *ret_cases, bt_error *opt_error) BT_MUST_USE;
void bench_cases_free(bench_cases *cases);

/* bench_synthetic.c: writes a made-up ligand of some atoms, the last of which turn about torsions, and a pocket for it
 * as PDBQT. */
bt_status bench_synthetic_write(int atoms, int torsions, const char *receptor_path, const char *ligand_path,
                                bt_error *opt_error) BT_MUST_USE;

#endif
