/* test_gradients.c - analytic gradients of the search objective against central differences, for random poses of real
 * ligands, alone and with flexible residues.
 *
 * The objective jumps where a pair crosses 8 A and has kinks at the faces of map cells and of the box; a difference
 * across one of them is meaningless and left out (and counted). Poses with atoms closer than 0.5 A are not drawn:
 * there the energy is constant, but the gradient pushes apart on purpose.
 */
#include "unit/score/scene.h"

enum { POSES = 12 };

typedef struct subject {
  bt_molecule **list, **residues;
  int count, n_residues;
  bt_ligand *ligand;
  bt_maps *maps;
  bt_scorer *scorer;
  bt_genotype genotype;
  double *xyz, *low, *high, *atom_gradient, *gradient;
} subject;

static double noise(double x, double y, double z) {
  uint64_t state = (uint64_t)(int64_t)(1000 * x + 77777 * y + 3333 * z) * 2654435761u;
  scene_random(&state);
  return 4 * scene_random(&state) - 2 + 0.1 * x - 0.05 * y * z;
}

static void subject_open(subject *s, const char *name, bool flexible) {
  char path[1024], relative[64];
  bt_error error;
  *s = (subject){0};
  if (strcmp(name, "1hpv") == 0) {
    snprintf(path, sizeof path, "%s/examples/1hpv/ligand.pdbqt", BERTH_SOURCE_DIR);
  } else {
    snprintf(relative, sizeof relative, "data/set42/%s/flex-xray.pdbqt", name);
    support_shared(path, sizeof path, relative);
  }
  support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &s->list, &s->count, &error), &error);
  if (flexible)
    support_ok(bt_molecule_read(BERTH_SOURCE_DIR "/tests/data/residues.pdbqt", BT_MOLECULE_FLEXIBLE, &s->residues,
                                &s->n_residues, &error),
               &error);
  support_ok(bt_ligand_create(s->list[0], flexible ? s->residues[0] : NULL, &s->ligand, &error), &error);
  s->maps = scene_maps(s->ligand, (double[3]){0, 2, 0}, 60);
  for (int m = 0; m < s->maps->n_types + 2; m++) scene_fill(s->maps, m, noise);
  support_ok(bt_scorer_create(s->ligand, s->maps, BT_FORM_CONTINUOUS, BT_TORSIONAL_TORSDOF, &s->scorer, &error),
             &error);
  support_ok(bt_genotype_create(s->ligand->n_torsions, &s->genotype, &error), &error);
  size_t n = 3 * (size_t)s->ligand->n_atoms;
  s->xyz = calloc(4 * n, sizeof *s->xyz);
  s->gradient = calloc(6 + (size_t)s->ligand->n_torsions, sizeof *s->gradient);
  assert_true(s->xyz != NULL && s->gradient != NULL);
  s->low = s->xyz + n;
  s->high = s->low + n;
  s->atom_gradient = s->high + n;
}

static void subject_close(subject *s) {
  free(s->xyz);
  free(s->gradient);
  bt_genotype_destroy(&s->genotype);
  bt_scorer_destroy(s->scorer);
  bt_maps_destroy(s->maps);
  bt_ligand_destroy(s->ligand);
  bt_molecule_list_destroy(s->list, s->count);
  bt_molecule_list_destroy(s->residues, s->n_residues);
}

/* spread 0: the input torsions. */
static void randomize(subject *s, uint64_t *seed, double spread) {
  bt_genotype *g = &s->genotype;
  double norm = 0;
  for (int k = 0; k < 3; k++) g->position[k] = 20 * (scene_random(seed) - 0.5) + (k == 1 ? 2 : 0);
  for (int k = 0; k < 4; k++) {
    g->quaternion[k] = 2 * scene_random(seed) - 1;
    norm += g->quaternion[k] * g->quaternion[k];
  }
  for (int k = 0; k < 4; k++) g->quaternion[k] /= sqrt(norm);
  for (int k = 0; k < s->ligand->n_torsions; k++) g->torsions[k] = spread * (2 * scene_random(seed) - 1);
}

static bool is_folded_onto_itself(const subject *s) {
  for (int p = 0; p < s->ligand->n_pairs; p++)
    if (bt_score_pair(s->scorer, s->xyz, p).distance < 0.51) return true;
  return false;
}

/* Wide torsions where the chain allows them, narrower ones otherwise. */
static void draw_pose(subject *s, uint64_t *seed, double spread) {
  for (int attempt = 1;; attempt++) {
    randomize(s, seed, spread);
    bt_genotype_coordinates(s->ligand, &s->genotype, s->xyz);
    if (!is_folded_onto_itself(s)) return;
    if (attempt % 20 == 0) spread *= 0.8;
  }
}

/* The pose after a step of one degree of freedom; rotations are applied on the left. */
static void stepped(const subject *s, int dof, double step, double *xyz) {
  bt_genotype g = s->genotype;
  if (dof < 3) g.position[dof] += step;
  if (dof >= 3 && dof < 6) {
    double p[3] = {0}, w = cos(0.5 * step), *q = g.quaternion;
    const double *o = s->genotype.quaternion;
    p[dof - 3] = sin(0.5 * step);
    q[0] = w * o[0] + p[0] * o[3] + p[1] * o[2] - p[2] * o[1];
    q[1] = w * o[1] + p[1] * o[3] + p[2] * o[0] - p[0] * o[2];
    q[2] = w * o[2] + p[2] * o[3] + p[0] * o[1] - p[1] * o[0];
    q[3] = w * o[3] - p[0] * o[0] - p[1] * o[1] - p[2] * o[2];
  }
  double saved = 0;
  if (dof >= 6) { /* g shares the array of torsions */
    saved = g.torsions[dof - 6];
    g.torsions[dof - 6] += step;
  }
  bt_genotype_coordinates(s->ligand, &g, xyz);
  if (dof >= 6) g.torsions[dof - 6] = saved;
}

static int cell_of(const bt_maps *maps, int axis, double x) {
  if (x <= maps->low[axis]) return -1;
  if (x >= maps->high[axis]) return maps->box.npts[axis];
  return (int)((x - maps->low[axis]) / maps->box.spacing);
}

static int zone_of(double r2) { return r2 < 64; }

/* Does the objective keep its analytic form between the two poses? */
static bool same_piece(const subject *s, const double *a, const double *b) {
  const bt_ligand *ligand = s->ligand;
  for (int i = 0; i < ligand->n_atoms; i++)
    for (int k = 0; k < 3 && ligand->feels_maps[i]; k++)
      if (cell_of(s->maps, k, a[3 * i + k]) != cell_of(s->maps, k, b[3 * i + k])) return false;
  for (int p = 0; p < ligand->n_pairs; p++) {
    double ra = 0, rb = 0;
    for (int k = 0; k < 3; k++) {
      double da = a[3 * ligand->pairs[p].i + k] - a[3 * ligand->pairs[p].j + k];
      double db = b[3 * ligand->pairs[p].i + k] - b[3 * ligand->pairs[p].j + k];
      ra += da * da;
      rb += db * db;
    }
    if (zone_of(ra) != zone_of(rb)) return false;
  }
  return true;
}

typedef struct counters {
  int compared, left_out;
  double worst;
} counters;

static void compare_pose(subject *s, counters *tally) {
  const double h = 2e-5;
  int dofs = 6 + s->ligand->n_torsions;
  double largest = 0;
  bt_genotype_coordinates(s->ligand, &s->genotype, s->xyz);
  bt_score_objective(s->scorer, s->xyz, s->atom_gradient);
  bt_genotype_gradient(s->ligand, &s->genotype, s->xyz, s->atom_gradient, s->gradient);
  for (int d = 0; d < dofs; d++) largest = fmax(largest, fabs(s->gradient[d]));
  for (int d = 0; d < dofs; d++) {
    stepped(s, d, -h, s->low);
    stepped(s, d, h, s->high);
    if (!same_piece(s, s->low, s->high)) {
      tally->left_out++;
      continue;
    }
    double numerical =
        (bt_score_objective(s->scorer, s->high, NULL) - bt_score_objective(s->scorer, s->low, NULL)) / (2 * h);
    /* a component a million times smaller than the largest is lost in the rounding of the energy */
    double scale = fmax(fabs(s->gradient[d]), 1e-3 * largest);
    double error = fabs(numerical - s->gradient[d]) / scale;
    if (!(error <= 1e-4))
      fail_msg("%s: gene %d: analytic %.10g, numerical %.10g", bt_molecule_name(s->list[0]), d, s->gradient[d],
               numerical);
    tally->worst = fmax(tally->worst, error);
    tally->compared++;
  }
}

static void compare_all(const char *const *names, int n_names, bool flexible) {
  counters tally = {0};
  uint64_t seed = 2024;
  for (int n = 0; n < n_names; n++) {
    subject s;
    subject_open(&s, names[n], flexible);
    for (int pose = 0; pose < POSES; pose++) {
      draw_pose(&s, &seed, pose % 3 == 0 ? 0.2 : 3.14159);
      compare_pose(&s, &tally);
    }
    subject_close(&s);
  }
  print_message("%d components of %d ligands%s: worst relative error %.1e; %d left out\n", tally.compared, n_names,
                flexible ? " with residues" : "", tally.worst, tally.left_out);
  assert_true(tally.compared > 50 * tally.left_out);
}

static void gradients_of_the_example_are_derivatives(void **state) {
  (void)state;
  compare_all((const char *const[]){"1hpv"}, 1, false);
  compare_all((const char *const[]){"1hpv"}, 1, true);
}

static void gradients_of_ligands_are_derivatives(void **state) {
  (void)state;
  static const char *const names[] = {"1ac8", "1gkc", "1jla", "1kzk", "1lpz", "1yqy", "2brt", "2vaa", "2wbg", "7cpa"};
  compare_all(names, 10, false);
}

static void gradients_with_flexible_residues_are_derivatives(void **state) {
  (void)state;
  static const char *const names[] = {"1ac8", "1gkc", "1kzk", "1of6", "7cpa"};
  compare_all(names, 5, true);
}

/* Side chains that are inside have to stay there; one that reaches out in the input leaves them all free. */
static void a_side_chain_outside_is_not_confined(void **state) {
  (void)state;
  subject s;
  const bt_search_law law = {.wall = 1000, .force_limit = INFINITY};
  subject_open(&s, "1hpv", true);
  int last = s.ligand->n_atoms - 1;
  assert_true(last >= s.ligand->n_ligand_atoms && s.ligand->feels_maps[last]);
  for (int i = s.ligand->n_ligand_atoms; i <= last; i++)
    for (int k = 0; k < 3; k++) s.ligand->xyz[3 * i + k] = s.maps->box.center[k] + 0.4 * (i - last) + k;
  memcpy(s.xyz, s.ligand->xyz, 3 * (size_t)s.ligand->n_atoms * sizeof *s.xyz);
  for (int i = 0; i < s.ligand->n_ligand_atoms; i++)
    for (int k = 0; k < 3; k++) s.xyz[3 * i + k] = s.maps->box.center[k] + 0.2 * i - 5 + k;
  s.xyz[3 * last] = s.maps->high[0] + 0.5; /* a pose whose side chain has left the box */
  assert_int_equal(bt_score_confined(s.ligand, s.maps), s.ligand->n_atoms);
  double walled = bt_score_search(s.scorer, s.xyz, &law, NULL), plain = bt_score_objective(s.scorer, s.xyz, NULL);
  assert_near(walled - plain, 1000, 1e-3);
  s.ligand->xyz[3 * last] = s.maps->high[0] + 0.5; /* and so it has in the input */
  assert_int_equal(bt_score_confined(s.ligand, s.maps), s.ligand->n_ligand_atoms);
  assert_near(bt_score_search(s.scorer, s.xyz, &law, NULL), plain, 1e-3);
  subject_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradients_of_the_example_are_derivatives),
      cmocka_unit_test(gradients_of_ligands_are_derivatives),
      cmocka_unit_test(gradients_with_flexible_residues_are_derivatives),
      cmocka_unit_test(a_side_chain_outside_is_not_confined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
