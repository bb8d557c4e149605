/* write_mol2.c - poses as MOL2, the best of each cluster, best first: all hydrogens, Tripos types. */
#include <berth/score.h>
#include <ctype.h>

#include "base/memory.h"
#include "chem/chemistry.h"
#include "prep/ligand/preparer.h"
#include "results/write.h"
#include "results/result.h"

typedef struct writer {
  const bt_result *result;
  const bt_mol2 *mol2;
  int rank; /* of the ligand; 0: none */
  bt_text *text;
} writer;

/* Lines as BUDE has them. */
static void add_comment(bt_text *text, const writer *w, int cluster, int leader) {
  const bt_rigid *rigid = w->result->opt_rigid;
  const bt_energy *e = &w->result->runs[leader].energy;
  const double terms[] = {e->inter_vdw_hbond, e->inter_electrostatic, e->inter_desolvation};
  bt_text_printf(text, "# %s\n# Rank: %d\n", bt_molecule_name(w->result->ligand->molecule),
                 w->rank > 0 ? w->rank : cluster + 1);
  const bt_placement *placement = rigid != NULL ? &rigid->placements[leader] : NULL;
  const int *index = placement != NULL ? placement->index : NULL;
  if (placement != NULL && !placement->in_place)
    bt_text_printf(text, "# Descriptor: %d %d %d %d %d %d\n", index[0], index[1], index[2], index[3], index[4],
                   index[5]);
  bt_text_printf(text, "# Energy: %.4f\n", e->free_energy);
  for (int k = 0; rigid != NULL && k < 3; k++)
    bt_text_printf(text, "# %c%s: %.4f\n", toupper(rigid->terms[k][0]), rigid->terms[k] + 1, terms[k]);
  if (rigid != NULL)
    bt_text_printf(text, "# Conformer: %d\n", placement->conformer);
  else
    bt_text_printf(text, "# Scoring: %s\n", bt_scoring_name(w->result->ligand->scoring));
}

static bt_status add_leader(const writer *w, int cluster, double (*x)[3], bt_error *opt_error) {
  int leader = w->result->clusters[cluster].leader;
  const double(*pose)[3] = (const double(*)[3])(const void *)w->result->runs[leader].xyz;
  BT_ENDED_BY(bt_text_destroy) bt_text comment = {0};
  add_comment(&comment, w, cluster, leader);
  BT_TRY(bt_text_status(&comment, opt_error));
  if (w->result->opt_rigid == NULL) {
    BT_TRY(bt_molecule_all_atoms(w->result->ligand->molecule, pose, x, opt_error));
    pose = (const double(*)[3])x;
  }
  bt_mol2_write(w->mol2, pose, comment.data, w->text);
  return bt_text_status(w->text, opt_error);
}

static bt_status add_all(const writer *w, bt_error *opt_error) {
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)w->mol2->n_atoms, sizeof *x);
  if (x == NULL) return bt_fail_memory(opt_error);
  for (int c = 0; c < bt_result_written(w->result); c++) BT_TRY(add_leader(w, c, x, opt_error));
  return BT_OK;
}

/* Types and bonds of a ligand that was prepared; charges are those of its PDBQT text. */
static bt_status describe(const bt_molecule *molecule, bt_mol2 **ret_mol2, bt_error *opt_error) {
  const bt_chemistry *chemistry = molecule->chemistry;
  const bt_where where = {.file = molecule->path};
  if (!bt_molecule_has_chemistry(molecule))
    return bt_fail(opt_error, BT_ERR_USAGE, where, "provide the ligand as SDF, MOL2 or SMILES",
                   "the bond orders of this ligand are unknown");
  BT_TRY(bt_mol2_describe(chemistry->mol, where, molecule->name, ret_mol2, opt_error));
  for (int i = 0; i < chemistry->n_entries; i++)
    if (chemistry->entry[i] >= 0) (*ret_mol2)->atoms[chemistry->entry[i]].charge = molecule->atoms[i].charge;
  return BT_OK;
}

bt_status bt_write_mol2(const bt_result *result, const bt_write_context *context, bt_text *text, bt_error *opt_error) {
  bt_mol2 *own = NULL;
  if (result->opt_rigid == NULL) BT_TRY(describe(result->ligand->molecule, &own, opt_error));
  const writer w = {result, own != NULL ? own : result->opt_rigid->mol2, context->rank, text};
  bt_status status = add_all(&w, opt_error);
  bt_mol2_destroy(own);
  return status;
}
