/* checks.c - the tests of one pose, and of the poses of a result that are written. */
#include "results/checks/checks.h"

#include <berth/prepare.h>

#include "base/memory.h"
#include "results/result.h"

/* By kind of atoms: radii of the overlap are multiplied by it. */
static const double scales[BT_KIND_COUNT] = {0.8, 0.8, 0.5, 0.5};

/* A pose among atoms. */
typedef struct placed {
  const bt_check_geometry *geometry;
  const bt_chemistry *chemistry;
  const double (*x)[3]; /* all atoms of the chemistry */
  const bt_molecule *opt_receptor, *opt_flexible;
  const double *opt_flexible_xyz; /* NULL: where its molecule has them */
} placed;

static bt_status judge_overlaps(const bt_check_surroundings *around, const bt_check_atom *ligand, int n,
                                bt_checks *checks, bt_error *opt_error) {
  for (int k = 0; k < BT_KIND_COUNT; k++) {
    double share;
    BT_TRY(bt_check_overlap(ligand, n, around->atoms[k], around->count[k], scales[k], &share, opt_error));
    bt_checks_set(checks, (bt_check)(BT_CHECK_PROTEIN_OVERLAP + k), share);
  }
  return BT_OK;
}

static bt_status judge(const placed *pose, bt_checks *checks, bt_error *opt_error) {
  int n_atoms = pose->chemistry->n_atoms;
  BT_SCOPED bt_rdatom *atoms = bt_allocate((size_t)n_atoms, sizeof *atoms);
  BT_SCOPED bt_check_atom *heavy = bt_allocate((size_t)n_atoms, sizeof *heavy);
  BT_ENDED_BY(bt_check_surroundings_clear) bt_check_surroundings around = {.known = false};
  if (atoms == NULL || heavy == NULL) return bt_fail_memory(opt_error);
  bt_rdmol_atoms(pose->chemistry->mol, atoms);
  bt_checks_start(checks);
  BT_TRY(bt_check_geometry_judge(pose->geometry, pose->x, checks, opt_error));
  int n = bt_check_heavy_atoms(atoms, n_atoms, pose->x, heavy);
  if (pose->opt_receptor != NULL) {
    BT_TRY(bt_check_surround(&around, pose->opt_receptor, NULL, heavy, n, opt_error));
    if (pose->opt_flexible != NULL)
      BT_TRY(bt_check_surround(&around, pose->opt_flexible, pose->opt_flexible_xyz, heavy, n, opt_error));
    bt_check_distances(&around, heavy, n, checks);
    BT_TRY(judge_overlaps(&around, heavy, n, checks, opt_error));
  }
  checks->made = true;
  return BT_OK;
}

/* Can it be checked? A bond to the receptor is no clash, and several ligands are no molecule. */
static bool is_checkable(const bt_molecule *molecule) {
  return bt_molecule_has_chemistry(molecule) && molecule->n_joined == 0 && molecule->tether[0] == '\0';
}

/* What poses are among: nothing, one receptor, or that of each site. */
typedef struct receptor_list {
  const bt_molecule *const *items;
  int count;
} receptor_list;

static const bt_molecule *receptor_of(const receptor_list *of, const bt_run *run) {
  if (of->count == 0) return NULL;
  return of->items[of->count > 1 && run->site > 0 ? run->site - 1 : 0];
}

static bt_status judge_run(bt_result *result, bt_run *run, const placed *common, const receptor_list *receptors,
                           double (*x)[3], bt_error *opt_error) {
  const bt_ligand *ligand = bt_run_ligand(result, run);
  placed pose = *common;
  pose.opt_receptor = receptor_of(receptors, run);
  pose.x = (const double(*)[3])x;
  pose.opt_flexible_xyz = run->xyz + 3 * (size_t)ligand->n_ligand_atoms;
  BT_TRY(bt_molecule_all_atoms(ligand->molecule, (const double(*)[3])(const void *)run->xyz, x, opt_error));
  return judge(&pose, &run->checks, opt_error);
}

static bt_status judge_leaders(bt_result *result, const receptor_list *receptors, bool energy, bt_error *opt_error) {
  const bt_chemistry *chemistry = result->ligand->molecule->chemistry;
  placed common = {.chemistry = chemistry, .opt_flexible = result->ligand->opt_flexible};
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)chemistry->n_atoms, sizeof *x);
  bt_check_geometry *geometry;
  if (x == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_check_geometry_create(chemistry, true, &geometry, opt_error));
  common.geometry = geometry;
  double mean;
  bt_status status = energy ? bt_check_geometry_find_mean(geometry, &mean, opt_error) : BT_OK;
  for (int c = 0; status == BT_OK && c < bt_result_written(result); c++)
    status = judge_run(result, &result->runs[result->clusters[c].leader], &common, receptors, x, opt_error);
  bt_check_geometry_destroy(geometry);
  return status;
}

bt_status bt_result_check_poses(bt_result *result, const bt_molecule *const *opt_receptors, int n_receptors,
                                bool energy, bt_error *opt_error) {
  const receptor_list receptors = {opt_receptors, n_receptors};
  bt_error error = {0};
  for (int k = 0; k < result->n_poses; k++) bt_checks_start(&result->runs[k].checks);
  result->with_checks = true;
  if (!is_checkable(result->ligand->molecule)) return BT_OK;
  bt_status status = judge_leaders(result, &receptors, energy, &error);
  if (status == BT_OK) return BT_OK;
  for (int k = 0; k < result->n_poses; k++) bt_checks_start(&result->runs[k].checks);
  if (bt_status_concerns_ligand(status)) return BT_OK; /* a pose is worth more than its checks */
  if (opt_error != NULL) *opt_error = error;
  return status;
}

const bt_checks *bt_result_checks(const bt_result *result, int position) {
  if (position < 0 || position >= result->n_poses) return NULL;
  return &result->runs[result->ranking[position]].checks;
}

static bt_status compare_with(const bt_molecule *pose, const bt_molecule *reference, bt_checks *checks,
                              bt_error *opt_error) {
  bt_rdmol *stated;
  bool same;
  int centers, bonds;
  if (!bt_molecule_has_chemistry(reference))
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = reference->path},
                   "use a reference as SDF, MOL2 or SMILES", "the bonds of the reference are unknown");
  BT_TRY(bt_chemistry_isomer(reference->chemistry, &stated, opt_error));
  bt_status status = bt_rdmol_wrong_stereo_of(stated, pose->chemistry->mol, (const double(*)[3])pose->chemistry->x,
                                              &same, &centers, &bonds, opt_error);
  bt_rdmol_destroy(stated);
  BT_TRY(status);
  if (!same)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = reference->path},
                   "use the molecule that was docked as the reference", "the reference is another molecule than %s",
                   bt_molecule_name(pose));
  bt_checks_set(checks, BT_CHECK_TETRAHEDRAL_STEREO, centers);
  bt_checks_set(checks, BT_CHECK_DOUBLE_BOND_STEREO, bonds);
  return BT_OK;
}

/* ---- poses as they stand ---- */

struct bt_checker {
  const bt_molecule *opt_receptor, *opt_reference;
  bool energy;
  char *smiles; /* of the last pose, whose mean energy is known; NULL: none */
  double mean;
};

bt_status bt_checker_open(const bt_molecule *opt_receptor, const bt_molecule *opt_reference, bool energy,
                          bt_checker **ret_checker, bt_error *opt_error) {
  bt_checker *made = bt_allocate(1, sizeof *made);
  if (made == NULL) return bt_fail_memory(opt_error);
  *made = (bt_checker){.opt_receptor = opt_receptor, .opt_reference = opt_reference, .energy = energy};
  *ret_checker = made;
  return BT_OK;
}

void bt_checker_close(bt_checker *opt_checker) {
  if (opt_checker != NULL) free(opt_checker->smiles);
  free(opt_checker);
}

static bt_status refuse(const bt_molecule *pose, bt_error *opt_error) {
  const bt_where where = {.file = pose->path, .line = pose->record_line};
  if (!bt_molecule_has_chemistry(pose))
    return bt_fail(opt_error, BT_ERR_INPUT, where, "provide the pose as SDF or MOL2, or as PDBQT with REMARK SMILES",
                   "%s cannot be checked, since its bond orders are unknown", bt_molecule_name(pose));
  return bt_fail(opt_error, BT_ERR_INPUT, where, "check free ligands, one per pose",
                 "%s cannot be checked, since it is %s", bt_molecule_name(pose),
                 pose->n_joined > 0 ? "several ligands" : "bonded to the receptor");
}

/* Poses of one molecule, which follow each other in files, share the mean energy of its conformers. */
static bt_status find_mean(bt_checker *checker, const bt_chemistry *chemistry, bt_check_geometry *geometry,
                           bt_error *opt_error) {
  if (!checker->energy) return BT_OK;
  if (checker->smiles != NULL && strcmp(checker->smiles, chemistry->smiles) == 0) {
    bt_check_geometry_set_mean(geometry, checker->mean);
    return BT_OK;
  }
  BT_TRY(bt_check_geometry_find_mean(geometry, &checker->mean, opt_error));
  free(checker->smiles);
  checker->smiles = bt_copy_text(chemistry->smiles, strlen(chemistry->smiles));
  return checker->smiles != NULL ? BT_OK : bt_fail_memory(opt_error);
}

bt_status bt_checker_check(bt_checker *checker, const bt_molecule *pose, const bt_molecule *opt_flexible,
                           bt_checks *ret_checks, bt_error *opt_error) {
  bt_check_geometry *geometry;
  bt_checks_start(ret_checks);
  if (!is_checkable(pose)) return refuse(pose, opt_error);
  BT_TRY(bt_check_geometry_create(pose->chemistry, false, &geometry, opt_error));
  const placed at = {.geometry = geometry,
                     .chemistry = pose->chemistry,
                     .x = (const double(*)[3])pose->chemistry->x,
                     .opt_receptor = checker->opt_receptor,
                     .opt_flexible = opt_flexible};
  bt_status status = find_mean(checker, pose->chemistry, geometry, opt_error);
  if (status == BT_OK) status = judge(&at, ret_checks, opt_error);
  bt_check_geometry_destroy(geometry);
  if (status == BT_OK && checker->opt_reference != NULL)
    status = compare_with(pose, checker->opt_reference, ret_checks, opt_error);
  if (status != BT_OK) bt_checks_start(ret_checks);
  return status;
}
