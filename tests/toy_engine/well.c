/* well.c - the toy engine's table and its functions. */
#include "toy_engine/well.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "pipeline/pipeline.h"
#include "pose/ligand.h"
#include "results/result.h"

typedef struct well {
  bt_engine engine;
  well_settings settings;
  uint64_t seed;
  int batches;
} well;

/* --- energy and search --------------------------------------------------------------------------------- */

/* Energy of the ligand moved by a translation; its negative gradient. */
static double pull(const well *w, const bt_ligand *ligand, const double translation[3], double ret_force[3]) {
  double energy = 0;
  memset(ret_force, 0, 3 * sizeof *ret_force);
  for (int a = 0; a < ligand->n_atoms; a++) {
    for (int k = 0; k < 3; k++) {
      double off = ligand->xyz[3 * a + k] + translation[k] - w->settings.middle[k];
      energy += w->settings.stiffness * off * off;
      ret_force[k] -= 2 * w->settings.stiffness * off;
    }
  }
  return energy;
}

static bt_status descend(const well *w, bt_item *item, bt_error *error) {
  enum { STEPS = 60 };
  const bt_ligand *ligand = item->input;
  double force[3], translation[3] = {0};
  if (w->settings.most_atoms > 0 && ligand->n_atoms > w->settings.most_atoms)
    return bt_fail(error, BT_ERR_BOX, (bt_where){0}, "dig a wider one", "the ligand does not fit into the well");
  for (int step = 0; step < STEPS; step++) {
    pull(w, ligand, translation, force);
    for (int k = 0; k < 3; k++) translation[k] += 0.25 * force[k] / (w->settings.stiffness * ligand->n_atoms);
  }
  bt_dock_options options = bt_dock_options_default();
  bt_result *result;
  options.runs = 1;
  BT_TRY(bt_result_create(ligand, NULL, NULL, &options, &result, error));
  item->output = result;
  bt_run *run = &result->runs[0];
  run->energy.free_energy = pull(w, ligand, translation, force);
  bt_genotype_identity(ligand, &run->genotype);
  for (int k = 0; k < 3; k++) run->genotype.position[k] += translation[k];
  bt_genotype_coordinates(ligand, &run->genotype, run->xyz);
  return bt_result_cluster(result, error);
}

static bt_status dock(bt_engine *engine, bt_worker *worker, int count, bt_error *error) {
  well *w = (well *)engine;
  pthread_mutex_lock(&worker->pipeline->lock);
  bool fails = ++w->batches == w->settings.fails_at;
  pthread_mutex_unlock(&worker->pipeline->lock);
  if (fails) return bt_fail(error, BT_ERR_DEVICE, (bt_where){0}, "wind it up", "the spring broke");
  for (int i = 0; i < count && bt_worker_goes_on(worker); i++) {
    bt_error reason = {0};
    bt_worker_settle(worker, i, descend(w, &worker->items[i], &reason), &reason);
  }
  return BT_OK;
}

static bt_status plan(bt_engine *engine, struct bt_pipeline *p, const bt_workload *load, bt_error *opt_error) {
  (void)engine;
  static const char *const springs[] = {"spring:0", "spring:1"};
  for (int d = 0; d < 2; d++) {
    bt_unit *unit;
    BT_TRY(bt_pipeline_add_unit(p, springs[d], NULL, 0, &unit, opt_error));
    BT_TRY(bt_pipeline_add_worker(p, unit, load->batch > 0 ? load->batch : 2, 1, opt_error));
  }
  return BT_OK;
}

/* --- screens ------------------------------------------------------------------------------------------- */

static bt_status prepare(bt_engine *engine, bt_library *library, bt_library_item *from, bt_item *item, bt_error *reason,
                         bt_error *error) {
  (void)engine;
  bt_ligand *ligand = NULL;
  BT_TRY(bt_library_prepare(library, from, error));
  *reason = from->error;
  if (reason->status != BT_OK || bt_ligand_create(from->molecule, NULL, &ligand, reason) != BT_OK) return BT_OK;
  from->molecule = NULL; /* is the ligand's */
  item->input = ligand;
  return BT_OK;
}

static void destroy_input(void *input) {
  bt_ligand *ligand = input;
  bt_molecule *molecule = (bt_molecule *)(size_t)ligand->molecule;
  bt_ligand_destroy(ligand);
  bt_molecule_destroy(molecule);
}

static void destroy_output(void *result) { bt_result_destroy(result); }

static void describe(const bt_engine *engine, const bt_item *item, bt_store_row *row) {
  (void)engine;
  const bt_result *result = item->output;
  row->free_energy = row->terms[0] = result->runs[0].energy.free_energy;
  row->atoms = result->ligand->n_atoms;
  row->runs = row->clusters = 1;
  strcpy(row->device, "spring");
}

/* A record of SDF without bonds, and the position. */
static bool keep(const bt_engine *engine, const bt_item *item, int most, bt_store_row *row) {
  (void)engine;
  (void)most;
  const bt_result *result = item->output;
  const bt_ligand *ligand = result->ligand;
  const double *xyz = result->runs[0].xyz;
  bt_text record = {0};
  bt_text_printf(&record, "%s\n\n\n%3d  0  0  0  0  0  0  0  0  0999 V2000\n", row->name, ligand->n_atoms);
  for (int a = 0; a < ligand->n_atoms; a++)
    bt_text_printf(&record, "%10.4f%10.4f%10.4f C   0  0\n", xyz[3 * a], xyz[3 * a + 1], xyz[3 * a + 2]);
  bt_text_add_string(&record, "M  END\n$$$$\n");
  row->molecule = record.data;
  row->poses = bt_allocate(1, sizeof *row->poses);
  double *genes = bt_allocate(3, sizeof *genes);
  if (row->poses == NULL || genes == NULL || record.failed) return free(genes), false;
  memcpy(genes, result->runs[0].genotype.position, 3 * sizeof *genes);
  row->n_poses = 1;
  row->poses[0] = (bt_store_pose){.run = 1, .cluster = 1, .cluster_size = 1, .free_energy = row->free_energy,
                                  .terms = {row->free_energy}, .genotype = genes, .n_genes = 3};
  return true;
}

static void note(const bt_engine *engine, struct bt_screen_note *n) {
  const well_settings *s = &((const well *)engine)->settings;
  static const char *const middle[] = {"middle_x", "middle_y", "middle_z"};
  for (int k = 0; k < 3; k++) bt_note_real(n, middle[k], s->middle[k]);
  bt_note_real(n, "stiffness", s->stiffness);
}

/* --- opening ------------------------------------------------------------------------------------------- */

static void close(bt_engine *engine) { free(engine); }

static bt_status open_screen(const bt_screen_options *options, bt_engine **ret_engine, bt_error *opt_error) {
  return well_open(options->opt_engine_settings, ret_engine, opt_error);
}

extern const bt_engine_type well_engine_type; /* for the registry */
const bt_engine_type well_engine_type = {.name = "well", .terms = {"spring", "intra", "torsional"},
                                         .open_screen = open_screen, .close = close, .plan = plan, .dock = dock,
                                         .prepare = prepare, .destroy_input = destroy_input,
                                         .destroy_output = destroy_output, .describe = describe, .keep = keep,
                                         .note = note};

bt_status well_open(const well_settings *settings, bt_engine **ret_engine, bt_error *opt_error) {
  well *w = bt_allocate(1, sizeof *w);
  if (w == NULL) return bt_fail_memory(opt_error);
  *w = (well){.engine = {.type = &well_engine_type}, .settings = *settings};
  w->engine.seed = &w->seed;
  *ret_engine = &w->engine;
  return BT_OK;
}
