/* test_target.c - a receptor with boxes and a protocol, docked many times. */
#include <berth/target.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/assert_near.h"
#include "unit/support.h"

#define EXAMPLE BERTH_SOURCE_DIR "/examples/1hpv/"

static const char carbon[] =
    "ROOT\n"
    "ATOM      1  C1  LIG     1       0.000   0.000   0.000  1.00  0.00     0.000 C \n"
    "ATOM      2  C2  LIG     1       1.500   0.000   0.000  1.00  0.00     0.000 C \n"
    "ENDROOT\nTORSDOF 0\n";
static const char bromide[] =
    "ROOT\n"
    "ATOM      1  C1  LIG     1       0.000   0.000   0.000  1.00  0.00     0.000 C \n"
    "ATOM      2 BR1  LIG     1       1.940   0.000   0.000  1.00  0.00     0.000 Br\n"
    "ENDROOT\nTORSDOF 0\n";

static bt_protocol quick(void) {
  bt_protocol protocol = bt_protocol_default();
  protocol.search.seed = 7;
  protocol.search.runs = 2;
  protocol.search.evaluations = 1000;
  protocol.search.heuristics = false;
  protocol.search.opt_device = "cpu";
  return protocol;
}

static bt_target *open_target(const char *box, const bt_protocol *protocol) {
  bt_target *target = NULL;
  bt_error error;
  support_ok(bt_target_open(EXAMPLE "receptor.pdbqt", box, protocol, &target, &error), &error);
  return target;
}

static const char box_of_site[] = EXAMPLE "ligand-crystal.pdbqt";

static void the_default_without_networks_is_vina(void **state) {
  (void)state;
  char words[128];
  bt_protocol protocol = bt_protocol_default();
  bt_protocol_words(&protocol, words, sizeof words);
  assert_string_equal(words, "vina");
  bt_dock_options normal = bt_dock_options_default();
  bt_effort_apply(BT_EFFORT_NORMAL, 0, &normal);
  assert_int_equal(protocol.search.runs, normal.runs);
  assert_int_equal(protocol.search.evaluations, normal.evaluations);
  assert_int_equal(protocol.search.heuristics, normal.heuristics);
  assert_int_equal(protocol.search.autostop, normal.autostop);
}

static void a_text_is_docked_and_rescored(void **state) {
  (void)state;
  bt_protocol protocol = quick();
  protocol.rescore = "vinardo";
  bt_target *target = open_target(box_of_site, &protocol);
  bt_result *first, *again;
  bt_error error;
  support_ok(bt_target_dock_text(target, "pdbqt", carbon, &first, &error), &error);
  support_ok(bt_target_dock_text(target, "pdbqt", carbon, &again, &error), &error);
  assert_int_equal(bt_result_rescored_count(first), 1);
  assert_string_equal(bt_result_rescored(first, 0, 0).name, "vinardo");
  assert_true(bt_result_ranked(first, 0).energy.free_energy == bt_result_ranked(again, 0).energy.free_energy);
  bt_target_close(target); /* a result outlives its target */
  char *table;
  support_ok(bt_result_table(first, &table, &error), &error);
  free(table);
  bt_result_destroy(first);
  bt_result_destroy(again);
}

/* The first members of a struct, as an older program would pass them: the others have their defaults. */
static void a_struct_of_an_older_header_is_read_to_its_end(void **state) {
  (void)state;
  bt_protocol protocol = quick();
  protocol.scoring = BT_SCORING_VINARDO;
  protocol.rescore = "vina";
  protocol.size = offsetof(bt_protocol, rank_by);
  protocol.search.runs = -5; /* beyond its end */
  bt_target *target = open_target(box_of_site, &protocol);
  assert_int_equal(bt_target_protocol(target)->scoring, BT_SCORING_VINARDO);
  assert_string_equal(bt_target_protocol(target)->rescore, "vina");
  assert_int_equal(bt_target_protocol(target)->search.runs, bt_protocol_default().search.runs);
  bt_target_close(target);
}

typedef struct source {
  bt_target_ligand ligands[3]; /* carbon, none, bromide */
  int given, done, started;
} source;

static bt_target_ligand *next(void *user) {
  source *s = user;
  return s->given < 3 ? &s->ligands[s->given++] : NULL;
}

static bool done(void *user, bt_target_ligand *ligand) {
  source *s = user;
  s->done++;
  return ligand != NULL;
}

static bt_status started(void *user, int ligands, bool more, bt_error *error) {
  source *s = user;
  (void)error;
  (void)more;
  assert_true(ligands > 0);
  s->started++;
  return BT_OK;
}

static bt_molecule *molecule_of(const char *text) {
  bt_prepare_options options = bt_prepare_options_default();
  bt_ligand_reader *reader;
  bt_molecule *molecule;
  bt_error error;
  options.opt_format = "pdbqt";
  support_ok(bt_ligand_reader_open_text(text, strlen(text), "text", &options, &reader, &error), &error);
  support_ok(bt_ligand_reader_next(reader, &molecule, &error), &error);
  bt_ligand_reader_close(reader);
  return molecule;
}

static void every_ligand_of_a_stream_is_handed_back_once(void **state) {
  (void)state;
  bt_protocol protocol = quick();
  bt_target *target = open_target(box_of_site, &protocol);
  bt_molecule *molecules[2] = {molecule_of(carbon), molecule_of(bromide)};
  source s = {.ligands = {{.molecule = molecules[0]}, {.error = {.status = BT_ERR_INPUT}}, {.molecule = molecules[1]}}};
  const bt_target_stream stream = {.next = next, .done = done, .opt_started = started, .user = &s};
  bt_error error;
  support_ok(bt_target_dock_stream(target, &stream, &error), &error);
  assert_int_equal(s.done, 3);
  assert_int_equal(s.started, 1);
  assert_non_null(s.ligands[0].result);
  assert_null(s.ligands[1].result);
  assert_int_equal(s.ligands[1].error.status, BT_ERR_INPUT);
  /* the maps of one more type were computed for both; the energy is that of a docking alone */
  bt_result *alone;
  support_ok(bt_target_dock(target, molecules[1], &alone, &error), &error);
  assert_true(bt_result_ranked(alone, 0).energy.free_energy ==
              bt_result_ranked(s.ligands[2].result, 0).energy.free_energy);
  bt_result_destroy(alone);
  for (int i = 0; i < 3; i++) bt_result_destroy(s.ligands[i].result);
  bt_target_close(target);
  for (int i = 0; i < 2; i++) bt_molecule_destroy(molecules[i]);
}

/* Further minima cost no evaluation and change no run; they differ from all other poses. */
static void poses_beside_those_of_the_runs(void **state) {
  (void)state;
  static const int wanted[] = {1, 9};
  bt_result *results[2];
  bt_error error;
  for (int i = 0; i < 2; i++) {
    bt_protocol protocol = quick();
    protocol.rescore = "";
    protocol.search.poses = wanted[i];
    bt_target *target = open_target(box_of_site, &protocol);
    support_ok(bt_target_dock_text(target, "pdbqt", bromide, &results[i], &error), &error);
    bt_target_close(target);
  }
  assert_int_equal(bt_result_pose_count(results[0]), 2);
  assert_true(bt_result_pose_count(results[1]) > 4);
  assert_int_equal(bt_result_run_count(results[1]), 2);
  assert_true(bt_result_evaluations(results[0]) == bt_result_evaluations(results[1]));
  for (int k = 0; k < bt_result_pose_count(results[1]); k++) {
    bt_run_summary pose = bt_result_ranked(results[1], k);
    assert_true(pose.further == (pose.run > 2));
    for (int m = 0; m < 2 && !pose.further; m++) {
      bt_run_summary other = bt_result_ranked(results[0], m);
      if (other.run == pose.run) assert_true(other.energy.total == pose.energy.total);
    }
    if (k > 0 && pose.rank_in_cluster == 1)
      assert_true(pose.energy.free_energy >= bt_result_ranked(results[1], 0).energy.free_energy);
    if (pose.further) assert_int_equal(pose.rank_in_cluster, 1);
  }
  for (int i = 0; i < 2; i++) bt_result_destroy(results[i]);
}

static void words_give_several_boxes(void **state) {
  (void)state;
  bt_protocol protocol = quick();
  char words[1024];
  snprintf(words, sizeof words, "%s;2.5,6.5,-7.5:20,18,16", box_of_site);
  bt_target *target = open_target(words, &protocol);
  assert_int_equal(bt_target_box_count(target), 2);
  assert_near(bt_target_box(target, 1).center[2], -7.5, 1e-9);
  bt_result *result;
  bt_error error;
  support_ok(bt_target_dock_text(target, "pdbqt", carbon, &result, &error), &error);
  assert_int_equal(bt_result_run_count(result), 4);
  assert_true(bt_result_ranked(result, 0).site >= 1);
  bt_target_close(target);
  bt_result_destroy(result);
}

static void a_pose_has_the_energy_of_its_docking(void **state) {
  (void)state;
  bt_protocol protocol = quick();
  bt_target *target = open_target(box_of_site, &protocol);
  bt_molecule **poses;
  int count;
  bt_error error;
  bt_energy energy;
  support_ok(bt_molecule_read(box_of_site, BT_MOLECULE_LIGAND, &poses, &count, &error), &error);
  support_ok(bt_target_score(target, poses[0], false, &energy, &error), &error);
  assert_true(energy.free_energy < -5);
  bt_result *minimum;
  support_ok(bt_target_minimize(target, poses[0], &minimum, &error), &error);
  assert_true(bt_result_ranked(minimum, 0).energy.free_energy < energy.free_energy);
  bt_result_destroy(minimum);
  bt_molecule_list_destroy(poses, count);
  bt_target_close(target);
}

/* The crystal pose, as a seed of the prepared ligand, is found again by both. */
static void seeds_are_docked_into_every_receptor(void **state) {
  (void)state;
  bt_protocol protocol = quick();
  bt_receptor *receptors[2];
  bt_receptor_source from = {.path = EXAMPLE "receptor.pdbqt"};
  bt_box_request request = {.words = box_of_site};
  bt_target_options options = bt_target_options_default();
  bt_target *target;
  bt_molecule **ligands, **poses;
  bt_box *boxes;
  char *residues;
  int count;
  bt_error error;
  bt_receptor_options around = bt_receptor_options_default();
  support_ok(bt_boxes_find(&request, &boxes, &options.n_boxes, &residues, &error), &error);
  support_ok(bt_receptor_open(&from, &receptors[0], &error), &error);
  bt_boxes_tell(boxes, 1, &around);
  from.opt_prepare = &around;
  from.opt_onto = receptors[0];
  support_ok(bt_receptor_open(&from, &receptors[1], &error), &error);
  options.receptor = receptors[0];
  options.opt_ensemble = (const bt_receptor *const *)&receptors[1];
  options.n_ensemble = 1;
  options.boxes = boxes;
  options.opt_protocol = &protocol;
  support_ok(bt_target_open_with(&options, &target, &error), &error);
  assert_int_equal(bt_target_receptor_count(target), 2);
  assert_ptr_equal(bt_target_receptor_at(target, 1), receptors[1]);
  support_ok(bt_molecule_read(EXAMPLE "ligand.pdbqt", BT_MOLECULE_LIGAND, &ligands, &count, &error), &error);
  support_ok(bt_molecule_read(box_of_site, BT_MOLECULE_LIGAND, &poses, &count, &error), &error);
  support_ok(bt_molecule_add_seed(ligands[0], poses[0], &error), &error);
  bt_result *result;
  support_ok(bt_target_dock(target, ligands[0], &result, &error), &error);
  int seeds = 0;
  double energies[2] = {0, 0};
  for (int k = 0; k < bt_result_pose_count(result); k++) {
    bt_run_summary pose = bt_result_ranked(result, k);
    assert_in_range(pose.site, 1, 2);
    if (pose.seed == 0) continue;
    assert_int_equal(pose.conformer, 2);
    energies[pose.site - 1] = pose.energy.inter;
    seeds++;
  }
  assert_int_equal(seeds, 2);
  assert_true(energies[0] < -5);
  assert_near(energies[0], energies[1], 0.05); /* the same receptor, superposed on itself */
  bt_result_destroy(result);
  bt_target_close(target);
  bt_molecule_list_destroy(ligands, 1);
  bt_molecule_list_destroy(poses, 1);
  for (int i = 0; i < 2; i++) bt_receptor_close(receptors[i]);
  free(boxes);
  free(residues);
}

static void errors_name_what_is_wrong(void **state) {
  (void)state;
  bt_target *target = NULL;
  bt_protocol protocol = quick();
  bt_error error;
  bt_result *result;
  assert_int_equal(bt_target_open(EXAMPLE "receptor.pdbqt", "999,0,0:20,20,20", &protocol, &target, &error), BT_OK);
  assert_int_equal(bt_target_dock_text(target, "pdbqt", carbon, &result, &error), BT_ERR_USAGE);
  assert_non_null(strstr(error.message, "no receptor atom is within"));
  bt_target_close(target);
  assert_int_equal(bt_target_open(EXAMPLE "receptor.pdbqt", "nowhere", &protocol, &target, &error), BT_ERR_USAGE);
  assert_null(target);
  protocol.rescore = "vina";
  assert_int_equal(bt_target_open(EXAMPLE "receptor.pdbqt", box_of_site, &protocol, &target, &error), BT_ERR_USAGE);
  target = open_target(NULL, NULL);
  assert_int_equal(bt_target_dock_text(target, "pdbqt", carbon, &result, &error), BT_ERR_USAGE);
  bt_target_close(target);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_default_without_networks_is_vina),
      cmocka_unit_test(a_text_is_docked_and_rescored),
      cmocka_unit_test(a_struct_of_an_older_header_is_read_to_its_end),
      cmocka_unit_test(every_ligand_of_a_stream_is_handed_back_once),
      cmocka_unit_test(poses_beside_those_of_the_runs),
      cmocka_unit_test(words_give_several_boxes),
      cmocka_unit_test(a_pose_has_the_energy_of_its_docking),
      cmocka_unit_test(seeds_are_docked_into_every_receptor),
      cmocka_unit_test(errors_name_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
