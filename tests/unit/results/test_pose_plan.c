/* test_pose_plan.c - what a pose records of its docking is used, or the pose is refused. */
#include <berth/score.h>
#include <math.h>

#include "results/docked.h"
#include "unit/formats/pdbqt/pdbqt_text.h"

#define GRID "center 1 2 3 npts 40 40 40 spacing 0.375"
#define SER(serial, name, z) \
  "ATOM  " serial " " name " SER A  62       1.000   1.000   " z "  1.00  0.00     0.000 C \n"
/* A residue, as of a docked pose and as in the receptor. */
#define SIDE_CHAIN SER("    1", " CA ", "1.000") SER("    2", " CB ", "2.000") SER("    3", " OG ", "3.000")
#define RESIDUE                                                                                \
  "BEGIN_RES SER A  62\nROOT\n" SER("    1", " CA ", "1.000") "ENDROOT\nBRANCH   1   2\n" SER( \
      "    2", " CB ",                                                                         \
      "2.000") "BRANCH   2   3\n" SER("    3", " OG ",                                         \
                                      "3.000") "ENDBRANCH   2   3\nENDBRANCH   1   2\nEND_RES SER A  62\n"
#define COVALENT                                                                                   \
  "REMARK COVALENT A:SER62\nROOT\n" SER("    1", " CA ", "1.000") "ENDROOT\nBRANCH   1   2\n" SER( \
      "    2", " CB ", "2.000") "BRANCH   2   3\n" SER("    3", " OG ",                            \
                                                       "3.000") "ENDBRANCH   2   3\nENDBRANCH   1   2\nTORSDOF 2\n"

static bt_status plan_of(const char *pose, const char *opt_receptor, const bt_pose_request *request, bt_pose_plan *plan,
                         bt_error *error) {
  bt_molecule *molecule = parse_one(pose, BT_MOLECULE_LIGAND), *receptor = NULL;
  bt_pose_request all = *request;
  if (opt_receptor != NULL) all.opt_receptor = receptor = parse_one(opt_receptor, BT_MOLECULE_RECEPTOR);
  bt_status status = bt_pose_plan_make(molecule, &all, plan, error);
  bt_molecule_destroy(molecule);
  bt_molecule_destroy(receptor);
  return status;
}

static bt_pose_plan good(const char *pose, const char *opt_receptor, bt_pose_request request) {
  bt_pose_plan plan;
  bt_error error;
  support_ok(plan_of(pose, opt_receptor, &request, &plan, &error), &error);
  return plan;
}

static void refused(const char *pose, const char *receptor, bt_pose_request request, const char *words) {
  bt_pose_plan plan;
  bt_error error = {0};
  support_failed(plan_of(pose, receptor, &request, &plan, &error), BT_ERR_INPUT, &error, words);
  assert_null(plan.opt_residues);
}

static void a_pose_without_records(void **state) {
  (void)state;
  bt_pose_plan plan = good(LIGAND, SIDE_CHAIN, (bt_pose_request){0});
  assert_false(plan.recorded);
  assert_int_equal(plan.scoring, BT_SCORING_AD4);
  assert_int_equal(plan.torsional, BT_TORSIONAL_TORSDOF);
  assert_true(isnan(plan.unbound));
  assert_null(plan.opt_flexible);
}

static void records_of_the_docking(void **state) {
  (void)state;
  bt_scoring vinardo = BT_SCORING_VINARDO;
  bt_torsional_count torsdof = BT_TORSIONAL_TORSDOF;
  const char vina[] = "REMARK BERTH grid vina " GRID " unbound -1.5\n" LIGAND;
  bt_pose_plan plan = good(vina, NULL, (bt_pose_request){0});
  assert_true(plan.recorded && plan.unbound == -1.5 && plan.box.npts[2] == 40);
  assert_int_equal(plan.scoring, BT_SCORING_VINA);
  plan = good(vina, NULL, (bt_pose_request){.opt_scoring = &vinardo});
  assert_true(plan.recorded && isnan(plan.unbound)); /* that of another function */
  assert_int_equal(plan.docked_with, BT_SCORING_VINA);
  plan = good(vina, NULL, (bt_pose_request){.ignore_docking = true});
  assert_true(!plan.recorded && isnan(plan.unbound));
  const char branches[] = "REMARK BERTH grid ad4 " GRID " torsional branches\n" LIGAND;
  assert_int_equal(good(branches, NULL, (bt_pose_request){0}).torsional, BT_TORSIONAL_BRANCHES);
  assert_int_equal(good(branches, NULL, (bt_pose_request){.opt_torsional = &torsdof}).torsional, BT_TORSIONAL_TORSDOF);
}

static void the_count_of_torsions_comes_back(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    bt_docked read, docked = {.scoring = k % 2 ? BT_SCORING_VINA : BT_SCORING_AD4,
                              .box = {{1, 2, 3}, {40, 40, 40}, 0.375},
                              .torsional = k / 2 ? BT_TORSIONAL_BRANCHES : BT_TORSIONAL_TORSDOF};
    BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
    bt_docked_text(&text, &docked);
    assert_true(bt_docked_parse(bt_span_from(text.data), &read));
    assert_int_equal(read.scoring, docked.scoring);
    assert_int_equal(read.torsional, docked.torsional);
  }
  bt_docked read;
  assert_false(bt_docked_parse(bt_span_from("ad4 " GRID " torsional twigs"), &read));
}

static void residues_are_used_where_the_receptor_lacks_them(void **state) {
  (void)state;
  const char pose[] = LIGAND RESIDUE, main_chain[] = SER("    1", " N  ", "0.000") SER("    2", " CA ", "1.000");
  bt_pose_plan plan = good(pose, main_chain, (bt_pose_request){0});
  assert_non_null(plan.opt_flexible);
  assert_ptr_equal(plan.opt_flexible, plan.opt_residues);
  bt_pose_plan_clear(&plan);
  assert_null(plan.opt_flexible);
  refused(pose, SIDE_CHAIN, (bt_pose_request){0}, "docked with flexible residues (A:SER62)");
  plan = good(pose, SIDE_CHAIN, (bt_pose_request){.ignore_docking = true});
  assert_null(plan.opt_flexible);
}

static void residues_are_those_of_the_receptor(void **state) {
  (void)state;
  bt_molecule *same = parse_one(RESIDUE, BT_MOLECULE_FLEXIBLE);
  bt_pose_plan plan = good(LIGAND RESIDUE, NULL, (bt_pose_request){.opt_flexible = same});
  assert_ptr_not_equal(plan.opt_flexible, same); /* they have moved */
  bt_pose_plan_clear(&plan);
  plan = good(LIGAND, NULL, (bt_pose_request){.opt_flexible = same});
  assert_ptr_equal(plan.opt_flexible, same);
  same->residues[0].number = 63;
  refused(LIGAND RESIDUE, NULL, (bt_pose_request){.opt_flexible = same}, "but the receptor has others (A:SER63)");
  bt_molecule_destroy(same);
}

static void a_bond_needs_a_receptor_without_the_side_chain(void **state) {
  (void)state;
  const char main_chain[] = SER("    1", " N  ", "0.000") SER("    2", " CB ", "2.000");
  good(COVALENT, main_chain, (bt_pose_request){0});
  refused(COVALENT, SIDE_CHAIN, (bt_pose_request){0}, "bonded to A:SER62");
  refused(COVALENT, SIDE_CHAIN, (bt_pose_request){.ignore_docking = true}, "bonded to A:SER62");
  /* atoms without names of the residue, as from SDF */
  refused("REMARK COVALENT A:SER62\n" LIGAND, SIDE_CHAIN, (bt_pose_request){0}, "bonded to A:SER62");
  good("REMARK COVALENT A:SER62\n" LIGAND, main_chain, (bt_pose_request){0});
  good("REMARK COVALENT A:SER63\n" LIGAND, SIDE_CHAIN, (bt_pose_request){0});
}

static void the_residues_as_words(void **state) {
  (void)state;
  bt_molecule *pose = parse_one("REMARK COVALENT B:CYS145\n" LIGAND RESIDUE, BT_MOLECULE_LIGAND);
  char *flexible, *covalent;
  bt_error error;
  support_ok(bt_pose_residues(pose, &flexible, &covalent, &error), &error);
  assert_string_equal(flexible, "A:SER62");
  assert_string_equal(covalent, "B:CYS145");
  free(flexible);
  free(covalent);
  bt_molecule_destroy(pose);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pose_without_records),
      cmocka_unit_test(records_of_the_docking),
      cmocka_unit_test(the_count_of_torsions_comes_back),
      cmocka_unit_test(residues_are_used_where_the_receptor_lacks_them),
      cmocka_unit_test(residues_are_those_of_the_receptor),
      cmocka_unit_test(a_bond_needs_a_receptor_without_the_side_chain),
      cmocka_unit_test(the_residues_as_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
