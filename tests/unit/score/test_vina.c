/* test_vina.c - scores by Vina and Vinardo: gradients against central differences, the objective of a search, how the
 * parts are combined.
 *
 * A difference across a corner of a ramp, the cutoff or a face of the maps' cells is meaningless and left out.
 */
#include "unit/score/scene.h"

#include <berth/grid.h>

#include "grid/kernel/job.h"
#include "grid/vina/vina_receptor.h"
#include "score/vina_sums.h"

typedef struct subject {
  bt_molecule **ligands, **receptors, **residues;
  int n_ligands, n_receptors, n_residues;
  bt_ligand *ligand;
  bt_maps *maps;
  bt_scorer *scorer;
  double *xyz, *gradient; /* [3 n_atoms] */
} subject;

static double noise(double x, double y, double z) {
  uint64_t state = (uint64_t)(int64_t)(1000 * x + 77777 * y + 3333 * z) * 2654435761u;
  scene_random(&state);
  return 4 * scene_random(&state) - 2 + 0.1 * x - 0.05 * y * z;
}

/* The example in its receptor, or in maps of noise. */
static subject subject_open(bt_scoring scoring, bool exact) {
  subject s = {0};
  bt_error error;
  const char *folder = BERTH_SOURCE_DIR;
  char path[1024];
  snprintf(path, sizeof path, "%s/examples/1hpv/ligand-crystal.pdbqt", folder);
  support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &s.ligands, &s.n_ligands, &error), &error);
  snprintf(path, sizeof path, "%s/examples/1hpv/receptor.pdbqt", folder);
  support_ok(bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &s.receptors, &s.n_receptors, &error), &error);
  snprintf(path, sizeof path, "%s/tests/data/residues.pdbqt", folder);
  support_ok(bt_molecule_read(path, BT_MOLECULE_FLEXIBLE, &s.residues, &s.n_residues, &error), &error);
  for (int i = 0; i < s.residues[0]->n_atoms; i++) /* into the site */
    for (int k = 0; k < 3; k++) s.residues[0]->atoms[i].x[k] += s.ligands[0]->atoms[0].x[k];
  support_ok(bt_ligand_create_as(s.ligands[0], s.residues[0], scoring, &s.ligand, &error), &error);
  if (exact) {
    bt_grid_options options = bt_grid_options_default();
    options.scoring = scoring;
    memcpy(options.box.center, s.ligand->center, sizeof options.box.center);
    support_ok(bt_maps_compute(s.receptors[0], NULL, 0, &options, &s.maps, &error), &error);
  } else {
    s.maps = scene_maps(s.ligand, s.ligand->center, 60);
    s.maps->scoring = scoring;
    for (int m = 0; m < s.maps->n_types; m++) scene_fill(s.maps, m, noise);
  }
  support_ok(bt_scorer_create(s.ligand, s.maps, BT_FORM_CONTINUOUS, BT_TORSIONAL_TORSDOF, &s.scorer, &error), &error);
  size_t n = 3 * (size_t)s.ligand->n_atoms;
  s.xyz = malloc(n * sizeof *s.xyz);
  s.gradient = malloc(n * sizeof *s.gradient);
  assert_true(s.xyz != NULL && s.gradient != NULL);
  memcpy(s.xyz, s.ligand->xyz, n * sizeof *s.xyz);
  return s;
}

static void subject_close(subject *s) {
  free(s->xyz);
  free(s->gradient);
  bt_scorer_destroy(s->scorer);
  bt_maps_destroy(s->maps);
  bt_ligand_destroy(s->ligand);
  bt_molecule_list_destroy(s->ligands, s->n_ligands);
  bt_molecule_list_destroy(s->receptors, s->n_receptors);
  bt_molecule_list_destroy(s->residues, s->n_residues);
}

/* Displaces each atom independently by up to that much: the energies do not depend on bonds. */
static void disturb(subject *s, uint64_t *seed, double reach) {
  for (int i = 0; i < 3 * s->ligand->n_atoms; i++) s->xyz[i] = s->ligand->xyz[i] + reach * (2 * scene_random(seed) - 1);
}

static double distance(const double *a, const double *b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Is the pair so near to a place without derivative that a step of h may cross it? */
static bool is_near_corner(const bt_vina_pair *pair, double r, double h) {
  double d = r - pair->radii;
  return fabs(r - BT_VINA_CUTOFF) < 2 * h || fabs(r - BT_AD4_MIN_DISTANCE) < 2 * h ||
         (pair->ramp.weight != 0 && (fabs(d - pair->ramp.good) < 2 * h || fabs(d - pair->ramp.bad) < 2 * h));
}

static bool atom_is_near_corner(const subject *s, int i, double h) {
  const bt_ligand *ligand = s->ligand;
  const bt_vina_law *law = bt_vina_law_of(ligand->scoring);
  for (int p = 0; p < ligand->n_pairs; p++) {
    const bt_pair *pair = &ligand->pairs[p];
    if (pair->i != i && pair->j != i) continue;
    bt_vina_pair of = bt_vina_pair_of(law, ligand->vina[ligand->type[pair->i]], ligand->vina[ligand->type[pair->j]]);
    if (is_near_corner(&of, distance(s->xyz + 3 * pair->i, s->xyz + 3 * pair->j), h)) return true;
  }
  const bt_vina_receptor *receptor = s->maps->receptor;
  for (int a = 0; receptor != NULL && a < receptor->n_atoms; a++)
    if (is_near_corner(&receptor->pairs[ligand->vina[ligand->type[i]]->index][receptor->atoms[a].class_index],
                       distance(s->xyz + 3 * i, receptor->atoms[a].x), h))
      return true;
  for (int k = 0; receptor == NULL && k < 3; k++) {
    double cell = (s->xyz[3 * i + k] - s->maps->low[k]) / s->maps->box.spacing;
    if (fabs(cell - rint(cell)) * s->maps->box.spacing < 2 * h) return true;
  }
  return false;
}

static void compare(bt_scoring scoring, bool exact) {
  double (*const objective)(const bt_scorer *, const double *, double *) = exact ? bt_score_exact : bt_score_objective;
  const double h = 1e-5;
  subject s = subject_open(scoring, exact);
  uint64_t seed = 7;
  int compared = 0, left_out = 0;
  double worst = 0;
  for (int pose = 0; pose < 6; pose++) {
    double largest = 0;
    disturb(&s, &seed, pose % 2 == 0 ? 0.05 : 0.6);
    objective(s.scorer, s.xyz, s.gradient);
    for (int d = 0; d < 3 * s.ligand->n_atoms; d++) largest = fmax(largest, fabs(s.gradient[d]));
    for (int d = 0; d < 3 * s.ligand->n_atoms; d++) {
      if (atom_is_near_corner(&s, d / 3, h)) {
        left_out++;
        continue;
      }
      double x = s.xyz[d], ends[2];
      for (int side = 0; side < 2; side++) {
        s.xyz[d] = x + (side == 0 ? -h : h);
        ends[side] = objective(s.scorer, s.xyz, NULL);
      }
      s.xyz[d] = x;
      double numerical = (ends[1] - ends[0]) / (2 * h);
      double error = fabs(numerical - s.gradient[d]) / fmax(fabs(s.gradient[d]), 1e-2 * largest);
      if (!(error <= 1e-4)) fail_msg("component %d: analytic %.10g, numerical %.10g", d, s.gradient[d], numerical);
      worst = fmax(worst, error);
      compared++;
    }
  }
  print_message("%d components: worst relative error %.1e; %d left out\n", compared, worst, left_out);
  assert_true(compared > 20 * left_out);
  subject_close(&s);
}

static void exact_gradients_are_derivatives(void **state) {
  (void)state;
  compare(BT_SCORING_VINA, true);
  compare(BT_SCORING_VINARDO, true);
}

static void search_gradients_are_derivatives(void **state) {
  (void)state;
  compare(BT_SCORING_VINA, false);
  compare(BT_SCORING_VINARDO, false);
}

/* As far as atoms move between two lists, and from there back. */
static void compare_sums(bt_scoring scoring, const char *isa) {
  static const double reach[] = {0.05, 0.6, 3.0, 0.3};
  if (bt_grid_kernels_find(isa) == NULL) return;
  subject s = subject_open(scoring, true);
  size_t n = 3 * (size_t)s.ligand->n_atoms;
  double *gradient = malloc(n * sizeof *gradient), worst = 0, steepest = 0;
  bt_vina_sums *sums;
  bt_error error;
  uint64_t seed = 3;
  support_ok(bt_vina_sums_create(s.scorer, isa, &sums, &error), &error);
  for (int pose = 0; pose < 40; pose++) {
    disturb(&s, &seed, reach[pose % 4]);
    if (pose % 8 == 7) s.xyz[0] = s.maps->high[0] + 1; /* into the restraint */
    double exact = bt_score_exact(s.scorer, s.xyz, s.gradient);
    double fast = bt_vina_sums_energy(sums, s.scorer, s.xyz, gradient);
    worst = fmax(worst, fabs(fast - exact) / (1 + fabs(exact)));
    for (int i = 0; i < s.ligand->n_atoms; i++) {
      if (atom_is_near_corner(&s, i, 1e-5)) continue;
      for (int k = 3 * i; k < 3 * i + 3; k++)
        steepest = fmax(steepest, fabs(gradient[k] - s.gradient[k]) / (1 + fabs(s.gradient[k])));
    }
  }
  print_message("%s: energies within %.1e, gradients within %.1e\n", isa, worst, steepest);
  assert_true(worst < 1e-5 && steepest < 1e-4);
  support_ok(bt_vina_sums_status(sums, &error), &error);
  bt_vina_sums_destroy(sums);
  free(gradient);
  subject_close(&s);
}

static void sums_of_vectors_are_exact(void **state) {
  (void)state;
  static const char *const isas[] = {"base", "avx2", "avx512"};
  for (int k = 0; k < 3; k++) {
    compare_sums(BT_SCORING_VINA, isas[k]);
    compare_sums(BT_SCORING_VINARDO, isas[k]);
  }
}

/* Vina's sum of parts, and what its affinity takes off. */
static void affinities_are_made_of_their_parts(void **state) {
  (void)state;
  subject s = subject_open(BT_SCORING_VINA, true);
  const bt_vina_law *law = bt_vina_law_of(BT_SCORING_VINA);
  bt_energy e;
  bt_score_coordinates(s.scorer, s.xyz, &e, NULL);
  assert_near(e.unbound, e.intra, 0);
  assert_near(e.free_energy, e.inter / (1 + law->rotor * s.ligand->n_rot), 1e-9);
  assert_near(e.torsional, e.free_energy - (e.inter + e.intra - e.unbound), 1e-9);
  assert_near(e.total, e.inter + e.intra + e.torsional, 1e-9);
  assert_near(e.inter, e.inter_vdw_hbond + e.inter_moving, 1e-9);
  assert_near(e.intra, e.intra_vdw + e.intra_flex, 1e-9);
  assert_true(e.inter_electrostatic == 0 && e.inter_desolvation == 0 && e.intra_hbond == 0);
  assert_near(bt_score_exact(s.scorer, s.xyz, NULL), e.inter + e.intra, 1e-9); /* no ring closures */
  bt_score_set_unbound(s.ligand, &e, -3);
  assert_near(e.free_energy, (e.inter + e.intra + 3) / (1 + law->rotor * s.ligand->n_rot), 1e-9);
  subject_close(&s);
}

static void a_search_sees_maps_and_pairs_without_curl(void **state) {
  (void)state;
  subject s = subject_open(BT_SCORING_VINA, false);
  const bt_search_law law = {.wall = 1000, .force_limit = 10};
  const bt_vina_law *vina = bt_vina_law_of(BT_SCORING_VINA);
  bt_energy e;
  double pairs = 0;
  for (int m = 0; m < s.maps->n_types; m++) scene_fill(s.maps, m, noise);
  for (int p = 0; p < s.ligand->n_pairs; p++) {
    const bt_pair *pair = &s.ligand->pairs[p];
    bt_vina_pair of =
        bt_vina_pair_of(vina, s.ligand->vina[s.ligand->type[pair->i]], s.ligand->vina[s.ligand->type[pair->j]]);
    double r = distance(s.xyz + 3 * pair->i, s.xyz + 3 * pair->j);
    pairs += bt_vina_pair_energy(vina, &of, fmax(r, BT_AD4_MIN_DISTANCE), NULL);
  }
  double all = bt_score_objective(s.scorer, s.xyz, NULL);
  for (int m = 0; m < s.maps->n_types; m++) memset(s.maps->values[m], 0, bt_maps_points(s.maps) * sizeof(float));
  assert_near(bt_score_objective(s.scorer, s.xyz, NULL), pairs, 1e-9);
  assert_true(fabs(all - pairs) > 1);
  bt_score_search(s.scorer, s.xyz, &law, s.gradient);
  s.xyz[0] = s.maps->high[0] + 2; /* a ligand's atom leaves */
  bt_score_coordinates(s.scorer, s.xyz, &e, NULL);
  assert_int_equal(e.atoms_outside, 1);
  assert_true(e.inter_vdw_hbond > 0.99 * BT_OUTSIDE_STIFFNESS * 4);
  subject_close(&s);
}

static void maps_of_another_score_are_refused(void **state) {
  (void)state;
  subject s = subject_open(BT_SCORING_VINA, true);
  bt_scorer *scorer;
  bt_error error;
  s.maps->scoring = BT_SCORING_VINARDO;
  bt_status status = bt_scorer_create(s.ligand, s.maps, BT_FORM_CONTINUOUS, BT_TORSIONAL_TORSDOF, &scorer, &error);
  support_failed(status, BT_ERR_USAGE, &error, "different scoring functions");
  assert_null(scorer);
  subject_close(&s);
}

static void the_order_of_atoms_does_not_matter(void **state) {
  (void)state;
  subject s = subject_open(BT_SCORING_VINARDO, true), t = subject_open(BT_SCORING_VINARDO, true);
  bt_vina_receptor *receptor = NULL;
  bt_error error;
  bt_energy e, f;
  bt_molecule *molecule = t.receptors[0];
  for (int i = 0, j = molecule->n_atoms - 1; i < j; i++, j--) {
    bt_atom atom = molecule->atoms[i];
    molecule->atoms[i] = molecule->atoms[j];
    molecule->atoms[j] = atom;
  }
  support_ok(bt_vina_receptor_create(molecule, BT_SCORING_VINARDO, BT_STAND_INS_AUTOGRID, &receptor, &error), &error);
  bt_vina_receptor_destroy(t.maps->receptor);
  t.maps->receptor = receptor;
  bt_score_coordinates(s.scorer, s.xyz, &e, NULL);
  bt_score_coordinates(t.scorer, t.xyz, &f, NULL);
  assert_near(e.inter, f.inter, 1e-9 * (1 + fabs(e.inter)));
  assert_near(e.intra, f.intra, 1e-9 * (1 + fabs(e.intra)));
  subject_close(&s);
  subject_close(&t);
}

/* ---- single terms ---- */

enum { TERMS = 5 };

/* The law with one term alone, of weight 1. */
static bt_vina_law only(const bt_vina_law *law, int term) {
  bt_vina_law one = *law;
  double *weights[TERMS] = {&one.gauss[0].weight, &one.gauss[1].weight, &one.repulsion, &one.hydrophobic.weight,
                            &one.hbond.weight};
  for (int t = 0; t < TERMS; t++) *weights[t] = t == term ? 1 : 0;
  return one;
}

static double term_of_receptor(const bt_ligand *ligand, bt_vina_receptor *receptor) {
  double sum = 0;
  const bt_vina_class *classes = bt_vina_classes();
  bt_vina_stairs_destroy(receptor->opt_stairs); /* of another law */
  receptor->opt_stairs = NULL;
  for (int a = 0; a < BT_VINA_CLASSES; a++)
    for (int b = 0; b < BT_VINA_CLASSES; b++)
      receptor->pairs[a][b] = bt_vina_pair_of(receptor->law, &classes[a], &classes[b]);
  for (int i = 0; i < ligand->n_atoms; i++)
    if (ligand->feels_maps[i])
      sum +=
          bt_vina_receptor_sum(receptor, ligand->vina[ligand->type[i]], ligand->xyz + 3 * i, BT_FORM_TABULATED, NULL);
  return sum;
}

static double term_of_pairs(const bt_ligand *ligand, const bt_vina_law *law) {
  double sum = 0;
  for (int p = 0; p < ligand->n_pairs; p++) {
    const bt_pair *pair = &ligand->pairs[p];
    bt_vina_pair of = bt_vina_pair_of(law, ligand->vina[ligand->type[pair->i]], ligand->vina[ligand->type[pair->j]]);
    double r = distance(ligand->xyz + 3 * pair->i, ligand->xyz + 3 * pair->j);
    sum += bt_vina_pair_staircase(law, &of, r * r);
  }
  return sum;
}

/* One row: pdb, pose, scoring, six energies, then the sums of the terms with the receptor and within the ligand. */
static double compare_terms(char *const *fields) {
  char path[1024], name[128];
  bt_molecule **ligands, **receptors;
  int n_ligands, n_receptors;
  bt_ligand *ligand;
  bt_vina_receptor *receptor;
  bt_error error;
  double worst = 0;
  bt_scoring scoring = strcmp(fields[2], "vina") == 0 ? BT_SCORING_VINA : BT_SCORING_VINARDO;
  snprintf(name, sizeof name, "data/set42/%s/flex-xray.pdbqt", fields[0]);
  support_shared(path, sizeof path, name);
  support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &ligands, &n_ligands, &error), &error);
  snprintf(name, sizeof name, "data/set42/%s/protein.pdbqt", fields[0]);
  support_shared(path, sizeof path, name);
  support_ok(bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &receptors, &n_receptors, &error), &error);
  support_ok(bt_ligand_create_as(ligands[0], NULL, scoring, &ligand, &error), &error);
  support_ok(bt_vina_receptor_create(receptors[0], scoring, BT_STAND_INS_AUTOGRID, &receptor, &error), &error);
  for (int t = 0; t < TERMS; t++) {
    if (fields[9 + t][0] == '\0') continue; /* Vinardo has no second gaussian */
    bt_vina_law law = only(bt_vina_law_of(scoring), t);
    receptor->law = &law;
    worst = fmax(worst, fabs(term_of_receptor(ligand, receptor) - strtod(fields[9 + t], NULL)));
    worst = fmax(worst, fabs(term_of_pairs(ligand, &law) - strtod(fields[9 + TERMS + t], NULL)));
  }
  bt_vina_receptor_destroy(receptor);
  bt_ligand_destroy(ligand);
  bt_molecule_list_destroy(ligands, n_ligands);
  bt_molecule_list_destroy(receptors, n_receptors);
  return worst;
}

/* The crystal poses of the reference have unweighted sums of each term, to three decimals. */
static void single_terms_are_vinas(void **state) {
  (void)state;
  char path[1024], line[1024];
  support_shared(path, sizeof path, "reference/vina_reference.tsv");
  FILE *stream = fopen(path, "r");
  assert_non_null(stream);
  int rows = 0;
  double worst = 0;
  while (fgets(line, sizeof line, stream) != NULL) {
    char *fields[19], *rest = line;
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    while (count < 19 && rest != NULL) fields[count++] = strsep(&rest, "\t");
    if (count < 19 || strcmp(fields[1], "xray") != 0) continue;
    double deviation = compare_terms(fields);
    if (!(deviation < 1e-3)) fail_msg("%s, %s: a term differs by %g", fields[0], fields[2], deviation);
    worst = fmax(worst, deviation);
    rows++;
  }
  fclose(stream);
  print_message("%d crystal poses: a term differs by %.5f at most\n", rows, worst);
  assert_int_equal(rows, 56);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_gradients_are_derivatives),
      cmocka_unit_test(search_gradients_are_derivatives),
      cmocka_unit_test(sums_of_vectors_are_exact),
      cmocka_unit_test(affinities_are_made_of_their_parts),
      cmocka_unit_test(a_search_sees_maps_and_pairs_without_curl),
      cmocka_unit_test(maps_of_another_score_are_refused),
      cmocka_unit_test(the_order_of_atoms_does_not_matter),
      cmocka_unit_test(single_terms_are_vinas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
