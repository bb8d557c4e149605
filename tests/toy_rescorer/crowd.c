/* crowd.c - the smallest re-scorer: counts the receptor's atoms around a pose, which stays where it is. */
#include <stdlib.h>

#include "base/memory.h"
#include "chem/molecule.h"
#include "rescore/rescorer.h"

static const double reach = 4.0;  /* Angstrom */
static const double gain = -0.02; /* kcal/mol for each pair of atoms within reach */

typedef struct crowd {
  const bt_molecule *receptor;
} crowd;

static bt_status open(const char *name, const bt_rescore_setting *setting, void **ret_self, bt_error *opt_error) {
  (void)name;
  crowd *c = bt_allocate(1, sizeof *c);
  if (c == NULL) return bt_fail_memory(opt_error);
  c->receptor = setting->receptor;
  *ret_self = c;
  return BT_OK;
}

static int pairs_within_reach(const bt_molecule *receptor, const double x[3]) {
  int count = 0;
  for (int i = 0; i < receptor->n_atoms; i++) {
    const double *y = receptor->atoms[i].x;
    double d[] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    count += d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach * reach;
  }
  return count;
}

static bool has_bromine(const bt_molecule *molecule) {
  for (int i = 0; i < molecule->n_atoms; i++)
    if (strcmp(molecule->atoms[i].type, "Br") == 0) return true;
  return false;
}

static bt_status score(void *self, bt_rescore_pose *poses, int n, bt_error *opt_error) {
  (void)opt_error;
  const crowd *c = self;
  for (int p = 0; p < n; p++) {
    bt_rescore_pose *pose = &poses[p];
    const bt_molecule *molecule = pose->ligand->molecule;
    int pairs = 0;
    for (int i = 0; i < pose->ligand->n_ligand_atoms; i++) pairs += pairs_within_reach(c->receptor, pose->xyz + 3 * i);
    pose->score = gain * pairs;
    pose->values[0] = pairs;
    if (has_bromine(molecule))
      bt_fail(&pose->error, BT_ERR_PARAMETER, (bt_where){.file = molecule->path}, "leave crowd out of --rescore",
              "crowd does not know bromine");
  }
  return BT_OK;
}

static void close(void *self) { free(self); }

static const char *const values[] = {"crowd_pairs", NULL};

const bt_rescorer_type crowd_rescorer; /* for the registry */
const bt_rescorer_type crowd_rescorer = {.open = open, .score = score, .close = close, .opt_values = values};
