/* result.c - the result of a docking: creation, destruction and accessors. */
#include "results/result.h"

#include <berth/interactions.h>
#include <berth/grid.h>
#include <berth/report.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/chemistry.h"
#include "chem/glue.h"
#include "base/text/text.h"

bt_status bt_result_add_room(bt_result *result, int count, bt_error *opt_error) {
  const bt_ligand *ligand = result->ligand;
  size_t n_poses = (size_t)(result->n_poses + count), n_atoms = (size_t)ligand->n_atoms;
  bt_run *runs = realloc(result->runs, n_poses * sizeof *runs);
  if (runs != NULL) result->runs = runs;
  int *ranking = realloc(result->ranking, n_poses * sizeof *ranking);
  if (ranking != NULL) result->ranking = ranking;
  bt_cluster *clusters = realloc(result->clusters, n_poses * sizeof *clusters);
  if (clusters != NULL) result->clusters = clusters;
  if (runs == NULL || ranking == NULL || clusters == NULL) return bt_fail_memory(opt_error);
  memset(result->runs + result->n_poses, 0, (size_t)count * sizeof *result->runs);
  while (result->n_poses < (int)n_poses) {
    bt_run *run = &result->runs[result->n_poses++];
    BT_TRY(bt_genotype_create(ligand->n_torsions, &run->genotype, opt_error));
    run->xyz = bt_allocate(3 * n_atoms, sizeof *run->xyz);
    run->atoms = bt_allocate(n_atoms, sizeof *run->atoms);
    if (run->xyz == NULL || run->atoms == NULL) return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

static bt_status prepare_reference(bt_result *result, bt_error *opt_error) {
  const bt_ligand *ligand = result->ligand;
  const bt_dock_options *options = &result->options;
  bt_rmsd_kind kind = !options->rmsd_symmetry ? BT_RMSD_INDEX
                    : options->rmsd_autodock  ? BT_RMSD_NEAREST
                                              : BT_RMSD_GRAPH;
  BT_TRY(bt_rmsd_create(ligand->molecule, kind, options->rmsd_autodock, &result->rmsd, opt_error));
  size_t room = 3 * (size_t)ligand->n_ligand_atoms;
  if (result->opt_reference == NULL && ligand->molecule->chemistry != NULL && ligand->molecule->chemistry->embedded)
    return BT_OK; /* an RMSD to generated coordinates is meaningless */
  result->reference_xyz = bt_allocate(room, sizeof *result->reference_xyz);
  if (result->reference_xyz == NULL) return bt_fail_memory(opt_error);
  memcpy(result->reference_xyz, ligand->xyz, room * sizeof *result->reference_xyz);
  if (result->opt_reference == NULL) return BT_OK;
  bt_status status = bt_rmsd_reference(result->rmsd, result->opt_reference, result->reference_xyz, opt_error);
  if (status != BT_ERR_INPUT || !options->rmsd_autodock) return status;
  free(result->reference_xyz);
  result->reference_xyz = NULL;
  return BT_OK;
}

bt_status bt_result_create(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                           const bt_dock_options *options, bt_result **ret_result, bt_error *opt_error) {
  if (options->runs < 1)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use at least one run", "%d runs are requested",
                   options->runs);
  bt_result *result = calloc(1, sizeof *result);
  if (result == NULL) return bt_fail_memory(opt_error);
  result->ligand = ligand;
  result->maps = maps;
  result->opt_reference = opt_reference;
  result->options = *options;
  result->n_runs = options->runs;
  bt_status status = bt_result_add_room(result, options->runs, opt_error);
  if (status == BT_OK) status = prepare_reference(result, opt_error);
  return BT_HAND_OVER(status, result, ret_result, bt_result_destroy);
}

void bt_result_shorten(bt_result *result, int n_poses) {
  if (result->n_runs > n_poses) result->n_runs = n_poses;
  for (; result->n_poses > n_poses; result->n_poses--) {
    bt_run *run = &result->runs[result->n_poses - 1];
    bt_genotype_destroy(&run->genotype);
    free(run->xyz);
    free(run->atoms);
    bt_contact_list_clear(&run->contacts);
    bt_water_list_clear(&run->waters);
  }
}

typedef struct bt_owned {
  void *object;
  void (*destroy)(void *object);
} bt_owned;

static bt_status own(bt_result *result, void *opt_object, void (*destroy)(void *), bt_error *opt_error) {
  if (opt_object == NULL) return BT_OK;
  bool kept = BT_APPEND(result->owned, result->n_owned, &result->owned_capacity, (bt_owned){opt_object, destroy});
  return kept ? BT_OK : bt_fail_memory(opt_error);
}

static void destroy_ligand(void *ligand) { bt_ligand_destroy(ligand); }
static void destroy_maps(void *maps) { bt_maps_destroy(maps); }
static void destroy_molecule(void *molecule) { bt_molecule_destroy(molecule); }

bt_status bt_result_own_ligand(bt_result *result, bt_ligand *ligand, bt_error *opt_error) {
  return own(result, ligand, destroy_ligand, opt_error);
}

bt_status bt_result_own_maps(bt_result *result, bt_maps *maps, bt_error *opt_error) {
  BT_TRY(own(result, maps, destroy_maps, opt_error));
  bt_maps_share(maps);
  return BT_OK;
}

bt_status bt_result_own_molecule(bt_result *result, bt_molecule *opt_molecule, bt_error *opt_error) {
  return own(result, opt_molecule, destroy_molecule, opt_error);
}

bt_status bt_result_own_rigid(bt_result *result, bt_rigid *rigid, bt_error *opt_error) {
  BT_TRY(own(result, rigid, free, opt_error));
  result->opt_rigid = rigid;
  return BT_OK;
}

void bt_result_destroy(bt_result *result) {
  if (result == NULL) return;
  bt_result_forget_scores(result);
  if (result->runs != NULL) bt_result_shorten(result, 0);
  bt_rmsd_destroy(result->rmsd);
  free(result->reference_xyz);
  free(result->runs);
  free(result->ranking);
  free(result->clusters);
  while (result->n_owned > 0) {
    const bt_owned *last = &result->owned[--result->n_owned];
    last->destroy(last->object);
  }
  free(result->owned);
  free(result);
}

bt_status bt_result_find_contacts(bt_result *result, const bt_molecule *receptor, const bt_contact_options *options,
                                  bt_error *opt_error) {
  bt_contact_site *site = NULL;
  bt_contact_ligand *ligand = NULL;
  bt_status status = bt_contact_site_create(receptor, options, &site, opt_error);
  if (status == BT_OK) status = bt_contact_ligand_create(result->ligand, options, &ligand, opt_error);
  for (int i = 0; status == BT_OK && i < result->n_poses; i++) {
    bt_contact_list_clear(&result->runs[i].contacts);
    status = bt_contacts_find(site, ligand, result->runs[i].xyz, &result->runs[i].contacts, opt_error);
  }
  bt_contact_site_destroy(site);
  bt_contact_ligand_destroy(ligand);
  result->with_contacts = status == BT_OK;
  return status;
}

bt_status bt_result_require_contacts(bt_result *result, const bt_interaction_site *site,
                                     const bt_contact_filter *filter, int *ret_kept, const char **ret_missed,
                                     bt_error *opt_error) {
  *ret_kept = 0;
  *ret_missed = NULL;
  for (int c = 0; c < result->n_clusters; c++) {
    bt_interactions *found;
    const bt_run *run = &result->runs[result->clusters[c].leader];
    BT_TRY(bt_interactions_find(site, result->ligand, run->xyz, &found, opt_error));
    const char *missed = bt_interactions_miss(found, filter);
    bt_interactions_destroy(found);
    if (c == 0) *ret_missed = missed;
    result->clusters[c].left_out = missed != NULL;
    *ret_kept += missed == NULL && c < bt_result_written(result);
  }
  return BT_OK;
}

bool bt_result_leaves_out(const bt_result *result, int cluster) {
  return cluster >= 1 && cluster <= result->n_clusters && result->clusters[cluster - 1].left_out;
}

bt_status bt_result_judge_waters(bt_result *result, const bt_molecule *opt_receptor, bt_error *opt_error) {
  const bt_ligand *ligand = result->ligand;
  bool wet = false;
  for (int i = 0; i < ligand->n_ligand_atoms; i++) wet = wet || bt_is_hydration_water(ligand->types[ligand->type[i]]);
  if (!wet || result->maps == NULL || bt_maps_find(result->maps, "W") < 0) return BT_OK;
  bt_water_site site;
  bt_status status = bt_water_site_create(opt_receptor, &site, opt_error);
  for (int i = 0; status == BT_OK && i < result->n_poses; i++) {
    bt_run *run = &result->runs[i];
    bt_water_list_clear(&run->waters);
    status = bt_waters_judge(&site, ligand, bt_run_maps(result, run), run->xyz, &run->waters, opt_error);
  }
  bt_water_site_destroy(&site);
  result->with_waters = status == BT_OK;
  return status;
}

bt_status bt_result_check(const bt_result *result, bt_error *opt_error) {
  for (int i = 0; i < result->n_poses; i++) {
    const bt_run *run = &result->runs[i];
    const bt_energy *e = &run->energy;
    bool finite = isfinite(e->inter) && isfinite(e->intra) && isfinite(e->torsional) && isfinite(e->free_energy);
    for (int k = 0; k < 3 * result->ligand->n_atoms; k++) finite = finite && isfinite(run->xyz[k]);
    if (!finite)
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = result->ligand->molecule->path},
                     "check the maps and the ligand's coordinates",
                     "run %d ended in a pose whose energy or coordinates are not finite", i + 1);
  }
  return BT_OK;
}

int bt_result_run_count(const bt_result *result) { return result->n_runs; }
int bt_result_pose_count(const bt_result *result) { return result->n_poses; }
int bt_result_written(const bt_result *result) {
  return result->options.poses < result->n_clusters ? result->options.poses : result->n_clusters;
}
int bt_result_cluster_count(const bt_result *result) { return result->n_clusters; }
double bt_result_seconds(const bt_result *result) { return result->seconds; }
int64_t bt_result_evaluations(const bt_result *result) { return result->evaluations; }
const char *bt_result_device(const bt_result *result) { return result->device; }
const char *bt_result_warning(const bt_result *result) { return result->warning; }
char *bt_result_warnings(const bt_result *result) {
  const char *maps = result->maps != NULL ? bt_maps_warning(result->maps) : "";
  bt_text text = {0};
  bt_text_printf(&text, "%s%s%s", maps, maps[0] != '\0' && result->warning[0] != '\0' ? "; " : "", result->warning);
  char *data;
  return bt_text_take(&text, &data, NULL) == BT_OK ? data : NULL;
}

bt_run_summary bt_result_ranked(const bt_result *result, int position) {
  if (position < 0 || position >= result->n_poses) return (bt_run_summary){0};
  int index = result->ranking[position];
  const bt_run *run = &result->runs[index];
  return (bt_run_summary){.run = index + 1,
                          .site = run->site,
                          .energy = run->energy,
                          .cluster = run->cluster,
                          .rank_in_cluster = run->rank_in_cluster,
                          .cluster_rmsd = run->cluster_rmsd,
                          .reference_rmsd = run->reference_rmsd,
                          .evaluations = run->evaluations,
                          .search_energy = run->search_energy,
                          .search_reference = run->search_reference,
                          .further = run->further,
                          .conformer = run->conformer + 1,
                          .seed = run->seed};
}

const bt_ligand *bt_result_ligand(const bt_result *result) { return result->ligand; }

const double *bt_result_coordinates(const bt_result *result, int position) {
  if (position < 0 || position >= result->n_poses) return NULL;
  return result->runs[result->ranking[position]].xyz;
}
