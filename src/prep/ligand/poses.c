/* poses.c - a ligand in other coordinates, as SDF on its own topology, and as PDBQT text.
 *
 * Merged hydrogens are not atoms of a pose. Each of them keeps its place in the frame of the rigid body that
 * carries it, found from the atoms of the body and the axes that end in it, none of which can move against the others.
 */
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "chem/chemistry.h"
#include "chem/molecule.h"
#include "chem/glue.h"
#include "prep/ligand/rigid.h"

bt_status bt_molecule_pdbqt(const bt_molecule *molecule, char **ret_text, bt_error *opt_error) {
  bt_text text = {0};
  bt_text_add_string(&text, "");
  for (int i = 0; i < molecule->n_lines; i++) {
    bt_text_add_string(&text, molecule->lines[i]);
    bt_text_add_char(&text, '\n');
  }
  return bt_text_take(&text, ret_text, opt_error);
}

bt_status bt_molecule_write_pdbqt(const bt_molecule *molecule, const char *path, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  BT_TRY(bt_molecule_pdbqt(molecule, &text, opt_error));
  return bt_file_write(path, text, strlen(text), opt_error);
}

typedef struct frame {
  double rotation[3][3];
} frame;

typedef struct fit {
  const bt_molecule *molecule;
  const double (*pose)[3]; /* [molecule->n_atoms] */
  double (*from)[3], (*to)[3];
  int count;
} fit;

/* The carbon on which a glue point lies when the ring is closed: the neighbor that its own carbon lost. -1: none. */
static int closing_carbon(const bt_molecule *molecule, int point) {
  const int number = bt_glue_point(molecule->atoms[point].type), *body = molecule->chemistry->body;
  for (int i = 0; number >= 0 && i < molecule->n_atoms; i++)
    if (bt_glue_carbon(molecule->atoms[i].type) == number && body[i] != body[point]) return i;
  return -1;
}

static void add_point(fit *f, int index) {
  const bt_chemistry *chemistry = f->molecule->chemistry;
  if (chemistry->entry[index] < 0) index = closing_carbon(f->molecule, index);
  if (index < 0 || chemistry->entry[index] < 0) return; /* waters have no index of their own */
  memcpy(f->from[f->count], chemistry->x[chemistry->entry[index]], sizeof *f->from);
  memcpy(f->to[f->count++], f->pose[index], sizeof *f->to);
}

static void find_frame(fit *f, int body, frame *ret_frame) {
  const bt_molecule *molecule = f->molecule;
  f->count = 0;
  for (int i = 0; i < molecule->n_atoms; i++)
    if (molecule->chemistry->body[i] == body) add_point(f, i);
  if (molecule->fragments[body].axis_from >= 0) add_point(f, molecule->fragments[body].axis_from);
  for (int child = body + 1; child < molecule->n_fragments; child++)
    if (molecule->fragments[child].parent == body) add_point(f, molecule->fragments[child].axis_to);
  bt_rigid_rotation((const double(*)[3])f->from, (const double(*)[3])f->to, f->count, ret_frame->rotation);
}

/* x[chemistry->n_atoms] holds pose coordinates where entry_of[atom] >= 0; fills the rest. */
static void place_hydrogens(const bt_molecule *molecule, const frame *frames, const int *entry_of,
                            const bt_rdbond *bonds, int n_bonds, double (*x)[3]) {
  const bt_chemistry *chemistry = molecule->chemistry;
  for (int i = 0; i < n_bonds; i++)
    for (int side = 0; side < 2; side++) {
      int hydrogen = side ? bonds[i].a : bonds[i].b, heavy = side ? bonds[i].b : bonds[i].a;
      if (entry_of[hydrogen] >= 0 || entry_of[heavy] < 0) continue;
      const frame *f = &frames[chemistry->body[entry_of[heavy]]];
      for (int k = 0; k < 3; k++) {
        x[hydrogen][k] = x[heavy][k];
        for (int l = 0; l < 3; l++)
          x[hydrogen][k] += f->rotation[k][l] * (chemistry->x[hydrogen][l] - chemistry->x[heavy][l]);
      }
    }
}

static bt_status rebuild(const bt_molecule *molecule, const double (*pose)[3], double (*x)[3], bt_error *opt_error) {
  const bt_chemistry *chemistry = molecule->chemistry;
  int n_bonds = bt_rdmol_bond_count(chemistry->mol);
  size_t n = (size_t)chemistry->n_atoms, points = (size_t)(molecule->n_atoms + molecule->n_fragments + 1);
  BT_SCOPED int *entry_of = bt_allocate(n, sizeof *entry_of);
  BT_SCOPED bt_rdbond *bonds = bt_allocate((size_t)n_bonds, sizeof *bonds);
  BT_SCOPED frame *frames = bt_allocate((size_t)molecule->n_fragments, sizeof *frames);
  BT_SCOPED double(*from)[3] = bt_allocate(points, sizeof *from), (*to)[3] = bt_allocate(points, sizeof *to);
  if (entry_of == NULL || bonds == NULL || frames == NULL || from == NULL || to == NULL)
    return bt_fail_memory(opt_error);
  fit f = {.molecule = molecule, .pose = pose, .from = from, .to = to};
  memcpy(x, chemistry->x, n * sizeof *x);
  for (size_t i = 0; i < n; i++) entry_of[i] = -1;
  for (int i = 0; i < molecule->n_atoms; i++) {
    if (chemistry->entry[i] < 0) continue;
    entry_of[chemistry->entry[i]] = i;
    memcpy(x[chemistry->entry[i]], pose[i], sizeof *x);
  }
  for (int body = 0; body < molecule->n_fragments; body++) find_frame(&f, body, &frames[body]);
  bt_rdmol_bonds(chemistry->mol, bonds);
  place_hydrogens(molecule, frames, entry_of, bonds, n_bonds, x);
  return BT_OK;
}

bt_status bt_molecule_all_atoms(const bt_molecule *molecule, const double (*pose)[3], double (*ret_x)[3],
                                bt_error *opt_error) {
  return rebuild(molecule, pose, ret_x, opt_error);
}

bt_status bt_molecule_sdf(const bt_molecule *molecule, const double (*opt_coordinates)[3], const bt_sdf_tag *tags,
                          int n_tags, char **ret_text, bt_error *opt_error) {
  const bt_chemistry *chemistry = molecule->chemistry;
  if (!bt_molecule_has_chemistry(molecule))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = molecule->path},
                   "provide the ligand as SDF, MOL2 or SMILES, or as PDBQT with Meeko's REMARK SMILES lines",
                   "the bond orders of this ligand are unknown");
  if (opt_coordinates == NULL)
    return bt_rdmol_write_sdf(chemistry->mol, (const double(*)[3])chemistry->x, tags, n_tags, ret_text, opt_error);
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)chemistry->n_atoms, sizeof *x);
  if (x == NULL) return bt_fail_memory(opt_error);
  BT_TRY(rebuild(molecule, opt_coordinates, x, opt_error));
  return bt_rdmol_write_sdf(chemistry->mol, (const double(*)[3])x, tags, n_tags, ret_text, opt_error);
}
