/* rescorer.h - what a re-scorer is: it scores poses that were docked. See berth/rescore.h and docs/add-a-re-scorer.md.
 *
 * A new re-scorer is a folder or a file with a table of the functions below, and a line in registry.c. Options,
 * results, databases, files and reports know it by its name.
 */
#ifndef BERTH_RESCORE_RESCORER_H
#define BERTH_RESCORE_RESCORER_H

#include <berth/rescore.h>

#include "base/busy.h"
#include "pose/genotype.h"
#include "pose/ligand.h"

/* A docked pose, and what a re-scorer says of it. */
typedef struct bt_rescore_pose {
  const bt_ligand *ligand;      /* that was docked: atoms, molecule, flexible side chains; its types are those of the
                                 * docking's scoring function */
  int conformer;                /* of the ligand, to which the genotype belongs (bt_ligand_conformer) */
  int result;                   /* from 0; the poses of a result are in one call, one after the other; each pose of
                                 * rigid conformers is a ligand of its own, and a result */
  int box;                      /* index in the setting's boxes */
  bt_torsional_count torsional; /* of the docking */
  const bt_genotype *genotype;
  bool
      variants; /* poses of the result may be much alike (bt_variants): their order matters, not only the first score */
  double rest;  /* what the order of a result adds to the score, kcal/mol; NaN where it is no sum */
  /* [3 ligand->n_atoms] Angstrom, ligand, then flexible side chains; a re-scorer that minimizes the pose changes them
   * and sets the flag. */
  double *xyz;
  bool minimized;
  double score;    /* kcal/mol, or without a unit (the type says it); the lower the better */
  double *values;  /* [as many as the type has names] what else is said of the pose; NaN until it is set */
  bool has_energy; /* a scoring function also gives its terms; energy.free_energy is the score */
  bt_energy energy;
  bt_error error; /* why the pose has no score: set by bt_fail */
} bt_rescore_pose;

typedef struct bt_rescorer_type {
  /* Reads and prepares what scoring needs; name: of its line in the registry. The setting stays as it is until close.
   * Without a device or a file that it needs it fails, and says what to do about it. */
  bt_status (*open)(const char *name, const bt_rescore_setting *setting, void **ret_self, bt_error *opt_error);
  /* Scores n poses of any number of ligands. A pose that it cannot score gets an error, and its result no scores; fails
   * for what is no ligand's fault. One call at a time; inside, setting->threads may share the work. */
  bt_status (*score)(void *self, bt_rescore_pose *poses, int n, bt_error *opt_error);
  void (*close)(void *self);
  /* The networks by which it scores and the hashes of their numbers, "dense:66848962fa159c56,dense_3:a4a0ab8f34c07074",
   * which screens record: free() it; NULL when memory is exhausted. A re-scorer without networks has no function. */
  char *(*opt_hashes)(const void *self);
  /* Names of further values of a pose, which outputs use as they are: {"CNNscore", "CNNaffinity", NULL}. Of letters,
   * digits and underscores; no re-scorer, and no column or key of an output, has the same. NULL: the score alone. */
  const char *const *opt_values;
  /* If it runs on the device of that name, the times in which it does are added from now on; NULL: no longer. */
  void (*opt_measure)(void *self, const char *device, bt_busy *opt_busy);
  bool networks; /* it reads opt_networks of the setting */
  bool unitless; /* the score is no energy: outputs give it no unit */
} bt_rescorer_type;

/* Of the re-scorer of that name; NULL: there is none. (registry.c) */
const bt_rescorer_type *bt_rescorer_functions(const char *name);

/* Of all its re-scorers; while none is at work. (apply.c) */
void bt_rescoring_measure(bt_rescoring *rescoring, const char *device, bt_busy *opt_busy);

#endif
