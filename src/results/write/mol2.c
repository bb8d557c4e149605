/* mol2.c - poses as MOL2, the best of each cluster, best first: all hydrogens, Tripos types. */
#include <berth/score.h>
#include <ctype.h>

#include "base/memory.h"
#include "chem/chemistry.h"
#include "prep/ligand/preparer.h"
#include "results/result.h"
#include "results/write/write.h"

/* Lines as BUDE has them. */
static void add_comment(bt_text *text, const bt_result *result, int cluster, int rank) {
  const bt_rigid *rigid = result->opt_rigid;
  int leader = result->clusters[cluster].leader;
  double energies[4];
  bt_text_printf(text, "# %s\n# Rank: %d\n", result->ligand->molecule->name, rank > 0 ? rank : cluster + 1);
  bt_run_rigid_energies(&result->runs[leader], energies);
  const bt_placement *at = rigid != NULL ? &rigid->placements[leader] : NULL;
  if (at != NULL && !at->in_place)
    bt_text_printf(text, "# Descriptor: %d %d %d %d %d %d\n", at->index[0], at->index[1], at->index[2], at->index[3],
                   at->index[4], at->index[5]);
  bt_text_printf(text, "# Energy: %.4f\n", energies[0]);
  for (int k = 0; rigid != NULL && k < 3; k++)
    bt_text_printf(text, "# %c%s: %.4f\n", toupper(rigid->terms[k][0]), rigid->terms[k] + 1, energies[k + 1]);
  if (at != NULL)
    bt_text_printf(text, "# Conformer: %d\n", at->conformer);
  else
    bt_text_printf(text, "# Scoring: %s\n", bt_scoring_name(result->ligand->scoring));
  for (int k = 0; at != NULL && k < result->n_rescored; k++)
    bt_text_printf(text, "# Rescored %s: %.4f\n", result->rescored[k][cluster].name,
                   result->rescored[k][cluster].score);
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
  bt_status status = BT_OK;
  if (result->opt_rigid == NULL) BT_TRY(describe(result->ligand->molecule, &own, opt_error));
  for (int c = 0; status == BT_OK && c < bt_result_written(result); c++) {
    if (result->clusters[c].left_out) continue;
    const bt_run *run = &result->runs[result->clusters[c].leader];
    const double(*pose)[3] = (const double(*)[3])(const void *)run->xyz;
    BT_ENDED_BY(bt_text_destroy) bt_text comment = {0};
    add_comment(&comment, result, c, context->rank);
    text->failed |= comment.failed;
    if (own != NULL) status = bt_molecule_all_atoms(bt_run_ligand(result, run)->molecule, pose, own->x, opt_error);
    if (status == BT_OK)
      bt_mol2_write(own != NULL ? own : result->opt_rigid->mol2, own != NULL ? (const double(*)[3])own->x : pose,
                    comment.failed ? "" : comment.data, text);
  }
  bt_mol2_destroy(own);
  return status == BT_OK ? bt_text_status(text, opt_error) : status;
}
