/* The BUDE engine on every back end of this machine: energies against plain double precision, whatever the number of poses per
 * work-item, the group, the parts and the optimizations left out; miniBUDE's decks where available. */
#include <math.h>
#include <stdlib.h>

#include "engine/lga/search/job.h"
#include "engine/lga/device/devices.h"
#include "engine/bude/deck.h"
#include "engine/bude/engine.h"
#include "score/bude.h"
#include "unit/support.h"

enum { TYPES = 9, LIGANDS = 3, POSES = 300 };

typedef struct scene {
  bt_bude_type types[TYPES];
  bt_bude_forcefield forcefield;
  bt_bude_atom *receptor, *ligands;
  size_t n_receptor, first[LIGANDS + 1];
  float poses[6 * POSES];
} scene;

static double uniform(unsigned int *seed, double low, double high) {
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (double)(*seed >> 8) / 16777216.0;
}

/* Types of all classes; two of them alike; some without charge, some neither polar nor non-polar. */
static void fill_types(scene *s, unsigned int *seed) {
  static const char classes[TYPES] = {'-', 'D', 'E', 'F', 'F', 'P', '-', 'E', 'D'};
  static const double hydrophobic[TYPES] = {-0.9, 0.4, 0.7, 0, 0.6, -0.4, -0.9, -0.2, 0};
  static const double charge[TYPES] = {0, 0.4, -0.5, 1, -1, -0.055, 0, 0.3, 0};
  for (int t = 0; t < TYPES; t++)
    s->types[t] = (bt_bude_type){.class = classes[t],
                                 .radius = t == 6 ? s->types[0].radius : uniform(seed, 1.4, 2.2),
                                 .hydrophobic = hydrophobic[t],
                                 .hardness = t == 4 ? 30 : 38,
                                 .reach_nonpolar = t == 5 ? 6.5 : 5.5,
                                 .reach_polar = t == 2 ? 1.3 : 1.0,
                                 .charge = charge[t]};
  s->forcefield = (bt_bude_forcefield){.types = s->types, .n_types = TYPES};
}

static void fill_atoms(bt_bude_atom *atoms, size_t n, double radius, unsigned int *seed) {
  for (size_t a = 0; a < n; a++)
    atoms[a] = (bt_bude_atom){(float)uniform(seed, -radius, radius), (float)uniform(seed, -radius, radius),
                              (float)uniform(seed, -radius, radius), (int)uniform(seed, 0, TYPES)};
}

static void open_scene(scene *s, size_t n_receptor) {
  static const size_t sizes[LIGANDS] = {7, 21, 1};
  unsigned int seed = 12345;
  *s = (scene){.n_receptor = n_receptor};
  fill_types(s, &seed);
  for (int l = 0; l < LIGANDS; l++) s->first[l + 1] = s->first[l] + sizes[l];
  s->receptor = calloc(n_receptor, sizeof *s->receptor);
  s->ligands = calloc(s->first[LIGANDS], sizeof *s->ligands);
  fill_atoms(s->receptor, n_receptor, 14, &seed);
  fill_atoms(s->ligands, s->first[LIGANDS], 5, &seed);
  s->ligands[0] = s->receptor[0]; /* in the pose of zeros two atoms are in the same place */
  for (int k = 0; k < 6; k++)
    for (int i = 1; i < POSES; i++)
      s->poses[k * POSES + i] = (float)(k < 3 ? uniform(&seed, -3.15, 3.15) : uniform(&seed, -7, 7));
}

static void close_scene(scene *s) {
  free(s->receptor);
  free(s->ligands);
}

static void split(const bt_bude_atom *atoms, size_t n, double *xyz, int *types) {
  for (size_t a = 0; a < n; a++) {
    xyz[3 * a] = atoms[a].x, xyz[3 * a + 1] = atoms[a].y, xyz[3 * a + 2] = atoms[a].z;
    types[a] = atoms[a].type;
  }
}

/* Energies of all ligands in all poses: [LIGANDS][POSES]. */
static double *reference(const scene *s, bt_bude_rules rules) {
  size_t n = s->n_receptor;
  double *xyz = calloc(3 * n, sizeof *xyz), *energies = calloc(LIGANDS * POSES, sizeof *energies), ligand[3 * 64];
  int *types = calloc(n, sizeof *types), ligand_types[64];
  split(s->receptor, n, xyz, types);
  for (int l = 0; l < LIGANDS; l++) {
    size_t atoms = s->first[l + 1] - s->first[l];
    split(s->ligands + s->first[l], atoms, ligand, ligand_types);
    for (int i = 0; i < POSES; i++) {
      double pose[6];
      for (int k = 0; k < 6; k++) pose[k] = s->poses[k * POSES + i];
      energies[l * POSES + i] =
          bt_bude_score(&s->forcefield, rules, n, xyz, types, atoms, ligand, ligand_types, pose).total;
    }
  }
  free(xyz);
  free(types);
  return energies;
}

/* False if the back end does not have the choice. */
static bool compare(const scene *s, const char *device, const bt_bude_engine_options *options, bt_bude_rules rules,
                    const double *expected) {
  bt_error error;
  bt_bude_engine *engine = NULL;
  float energies[POSES];
  bt_status status = bt_bude_engine_create(device, options, &engine, &error);
  if (status == BT_ERR_LIMIT) return false;
  support_ok(status, &error);
  support_ok(bt_bude_engine_set_receptor(engine, &s->forcefield, rules, s->receptor, s->n_receptor, &error), &error);
  status = bt_bude_engine_set_ligands(engine, s->ligands, s->first, LIGANDS, POSES, 0, &error);
  if (status == BT_ERR_LIMIT) {
    bt_bude_engine_destroy(engine);
    return false;
  }
  support_ok(status, &error);
  double worst = 0;
  for (size_t l = 0; l < LIGANDS; l++) {
    support_ok(bt_bude_engine_evaluate(engine, l, s->poses, energies, &error), &error);
    /* distances near 0 come from rounded squares: 0.01 Angstrom of 3.5, with a hardness of 38 */
    if (!(fabs(energies[0] - expected[l * POSES]) < 0.1))
      fail_msg("%s: atoms in the same place: %g, not %g", device, energies[0], expected[l * POSES]);
    for (int i = 1; i < POSES; i++) {
      double e = expected[l * POSES + (size_t)i];
      worst = fmax(worst, isfinite(energies[i]) ? fabs(energies[i] - e) / (10 + fabs(e)) : INFINITY);
    }
  }
  if (!(worst < 5e-5))
    fail_msg("%s, %d poses, groups of %d, parts of %d, without %u: off by %g", device, options->poses_per_item,
             options->group, options->part_atoms, options->without, worst);
  bt_bude_engine_destroy(engine);
  return true;
}

/* Calls for every back end that can be used here. */
static void everywhere(void (*check)(const char *device, void *context), void *context) {
  for (int b = 0; b < bt_backend_count(); b++) {
    const bt_backend *backend = bt_backend_get(b);
    if (bt_device_describe(backend).usable) check(backend->name, context);
  }
}

typedef struct expectations {
  scene scene;
  double *energies[3]; /* by rules */
} expectations;

static void check_choices(const char *device, void *context) {
  static const int poses[] = {1, 2, 4, 8, 16, 32}, groups[] = {1, 32, 64, 96, 256}, parts[] = {1, 2, 5, 1000};
  const expectations *e = context;
  int found = 0, sets = 0;
  bool less = getenv("BERTH_TEST_SHORT") != NULL; /* kernels are compiled for each, and sanitizers are slow */
  for (size_t p = 0; p < sizeof poses / sizeof poses[0]; p += less ? 3 : 1)
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g += less ? 2 : 1) {
      bt_bude_engine_options options = {
          .poses_per_item = poses[p], .group = groups[g], .part_atoms = parts[(p + g) % 4], .threads = 2};
      bt_bude_rules rules = (bt_bude_rules)((p + g) % 3);
      found += compare(&e->scene, device, &options, rules, e->energies[rules]);
    }
  for (unsigned int bit = 1; bit <= BT_BUDE_WITHOUT_CONSTANTS; bit *= less ? 8 : 2)
    for (int p = 4; p <= 8; p *= 2) {
      bt_bude_engine_options options = {.poses_per_item = p, .without = bit, .threads = 2};
      /* pairs made by the kernel follow the benchmark's rules, which are A's without columns that differ */
      bt_bude_rules rules = BT_BUDE_RULES_DECK;
      sets += compare(&e->scene, device, &options, rules, e->energies[rules]);
    }
  print_message("%s: %d choices, %d sets without an optimization\n", device, found, sets);
  assert_true(found >= (less ? 2 : 4));
}

static void energies_are_those_of_double_precision(void **state) {
  (void)state;
  static const size_t sizes[] = {211, 4500}; /* the second one does not fit into local memory at once */
  for (int n = 0; n < 2; n++) {
    expectations e;
    open_scene(&e.scene, sizes[n]);
    for (int r = 0; r < 3; r++) e.energies[r] = reference(&e.scene, (bt_bude_rules)r);
    if (n == 0) {
      everywhere(check_choices, &e);
    } else {
      bt_bude_engine_options options = {.threads = 2};
      for (int b = 0; b < bt_backend_count(); b++) {
        const bt_backend *backend = bt_backend_get(b);
        if (bt_device_describe(backend).usable)
          assert_true(compare(&e.scene, backend->name, &options, BT_BUDE_RULES_A, e.energies[0]));
      }
    }
    for (int r = 0; r < 3; r++) free(e.energies[r]);
    close_scene(&e.scene);
  }
}

static void check_deck(const char *device, void *context) {
  const bt_bude_deck *deck = context;
  bt_error error;
  bt_bude_engine *engine;
  size_t first[2] = {0, deck->n_ligand}, worst = 0;
  float *energies = calloc(deck->n_poses, sizeof *energies);
  support_ok(bt_bude_engine_create(device, NULL, &engine, &error), &error);
  support_ok(bt_bude_engine_set_receptor(engine, deck->forcefield, BT_BUDE_RULES_DECK, deck->protein, deck->n_protein,
                                         &error), &error);
  support_ok(bt_bude_engine_set_ligands(engine, deck->ligand, first, 1, deck->n_poses, 0, &error), &error);
  support_ok(bt_bude_engine_evaluate(engine, 0, deck->poses, energies, &error), &error);
  double percent = bt_bude_deck_deviation(deck->reference, energies, deck->n_poses, &worst);
  print_message("%s: %.4f %% off at most\n", device, percent);
  if (!(percent < BT_BUDE_DECK_TOLERANCE))
    fail_msg("%s: pose %zu has %g, not %g", device, worst + 1, energies[worst], deck->reference[worst]);
  bt_bude_engine_destroy(engine);
  free(energies);
}

static void decks_are_valid(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t poses;
  } decks[] = {{"data/bude/bm1", 2048}, {"data/bude/bm2", 16}};
  for (int d = 0; d < 2; d++) {
    char path[1000];
    bt_error error;
    bt_bude_deck *deck;
    support_shared(path, sizeof path, decks[d].name);
    size_t poses = getenv("BERTH_TEST_SHORT") != NULL ? decks[d].poses / 8 : decks[d].poses;
    support_ok(bt_bude_deck_read(path, poses, &deck, &error), &error);
    everywhere(check_deck, deck);
    bt_bude_deck_destroy(deck);
  }
}

static void what_cannot_be_scored_is_refused(void **state) {
  (void)state;
  scene s;
  bt_error error;
  bt_bude_engine *engine;
  open_scene(&s, 20);
  support_ok(bt_bude_engine_create("cpu", NULL, &engine, &error), &error);
  support_failed(bt_bude_engine_set_ligands(engine, s.ligands, s.first, LIGANDS, POSES, 0, &error), BT_ERR_USAGE, &error,
                 "no receptor");
  support_failed(bt_bude_engine_set_receptor(engine, &s.forcefield, BT_BUDE_RULES_A, s.receptor, 0, &error),
                 BT_ERR_INPUT, &error, "no atoms");
  s.receptor[3].type = TYPES;
  support_failed(bt_bude_engine_set_receptor(engine, &s.forcefield, BT_BUDE_RULES_A, s.receptor, 20, &error),
                 BT_ERR_INPUT, &error, "atom 4");
  s.receptor[3].type = 0;
  s.receptor[5].y = NAN;
  support_failed(bt_bude_engine_set_receptor(engine, &s.forcefield, BT_BUDE_RULES_A, s.receptor, 20, &error),
                 BT_ERR_INPUT, &error, "atom 6");
  s.receptor[5].y = 0;
  support_ok(bt_bude_engine_set_receptor(engine, &s.forcefield, BT_BUDE_RULES_A, s.receptor, 20, &error), &error);
  support_failed(bt_bude_engine_energies(engine, &error), BT_ERR_USAGE, &error, "no ligands");
  s.ligands[8].type = -1;
  support_failed(bt_bude_engine_set_ligands(engine, s.ligands, s.first, LIGANDS, POSES, 0, &error), BT_ERR_INPUT, &error,
                 "ligand 2");
  s.ligands[8].type = 1;
  size_t none[] = {0, 7, 7};
  support_failed(bt_bude_engine_set_ligands(engine, s.ligands, none, 2, POSES, 0, &error), BT_ERR_INPUT, &error,
                 "ligand 2 has no atoms");
  support_failed(bt_bude_engine_set_ligands(engine, s.ligands, s.first, LIGANDS, POSES, SIZE_MAX / 2, &error),
                 BT_ERR_MEMORY, &error, "too many");
  support_failed(bt_bude_engine_energies(engine, &error), BT_ERR_USAGE, &error, "no ligands");
  support_ok(bt_bude_engine_set_ligands(engine, s.ligands, s.first, LIGANDS, POSES, 100, &error), &error);
  float word;
  support_failed(bt_bude_engine_read(engine, 1L << 40, &word, sizeof word, &error), BT_ERR_USAGE, &error, "arena");
  bt_bude_engine_destroy(engine);
  support_failed(bt_bude_engine_create("nowhere", NULL, &engine, &error), BT_ERR_USAGE, &error, "nowhere");
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energies_are_those_of_double_precision),
      cmocka_unit_test(decks_are_valid),
      cmocka_unit_test(what_cannot_be_scored_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
