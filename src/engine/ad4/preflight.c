/* preflight.c - see preflight.h. */
#include "engine/ad4/preflight.h"

#include <math.h>

bt_status bt_preflight(const bt_ligand *ligand, const bt_maps *maps, bt_error *opt_error) {
  double diagonal = 0;
  for (int c = 0; c < 3; c++) diagonal += (maps->high[c] - maps->low[c]) * (maps->high[c] - maps->low[c]);
  diagonal = sqrt(diagonal);
  for (int i = 0; i < ligand->n_ligand_atoms; i++)
    for (int j = 0; j < i; j++) {
      if (ligand->body[i] != ligand->body[j]) continue;
      double squared = 0;
      for (int c = 0; c < 3; c++) {
        double d = ligand->xyz[3 * (size_t)i + (size_t)c] - ligand->xyz[3 * (size_t)j + (size_t)c];
        squared += d * d;
      }
      if (sqrt(squared) <= diagonal) continue;
      const bt_molecule *molecule = NULL;
      const bt_atom *atom = bt_ligand_atom(ligand, i, &molecule);
      return bt_fail(opt_error, BT_ERR_BOX,
                     (bt_where){.file = molecule->path, .line = molecule->first_line + atom->line, .atom = atom->serial},
                     "make the box larger (--size)",
                     "the ligand is longer than the box: a rigid part measures %.1f A, the box's diagonal %.1f A",
                     sqrt(squared), diagonal);
    }
  return BT_OK;
}
