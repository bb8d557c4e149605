/* test_dpf.c - AutoDock 4's docking parameter file. */
#include <berth/berth.h>

#include "formats/autodock/dpf.h"

#include "unit/support.h"

static bt_dpf *parse(const char *text) {
  bt_dpf *dpf;
  bt_error error;
  support_ok(bt_dpf_parse("x.dpf", text, strlen(text), &dpf, &error), &error);
  return dpf;
}

static bt_dock_options applied(const bt_dpf *dpf, int job) {
  bt_dock_options options = {.runs = -1, .population = -2, .evaluations = -3, .local_search_rate = -4.0, .seed = 5};
  bt_dpf_apply(dpf, job, &options);
  return options;
}

static void search_parameters_are_taken_over(void **state) {
  (void)state;
  bt_dpf *dpf = parse(
      "autodock_parameter_version 4.2 # first\noutlev 1\nintelec\nseed 42\nligand_types C OA\nfld rec.maps.fld\n"
      "map rec.C.map\nmap rec.OA.map\nelecmap rec.e.map\ndesolvmap rec.d.map\nmove lig.pdbqt\nflexres flex.pdbqt\n"
      "about 0 0 0\ntran0 random\nquaternion0 random\ndihe0 random\ntorsdof 3\nrmstol 1.5\nGA_POP_SIZE 200\n"
      "ga_num_evals 2500000000\nga_num_generations 27000\nga_elitism 2\nga_mutation_rate 0.03\nga_crossover_rate 0.7\n"
      "set_ga\nsw_max_its 100\nsw_max_succ 5\nsw_max_fail 6\nsw_lb_rho 0.02\nls_search_freq 0.06\nset_psw1\n"
      "unbound_model bound\nga_tournament_selection\nsmooth 0.5\nga_run 50\nanalysis\n");
  assert_int_equal(bt_dpf_job_count(dpf), 1);
  assert_string_equal(bt_dpf_fld(dpf, 0), "rec.maps.fld");
  assert_string_equal(bt_dpf_ligand(dpf, 0), "lig.pdbqt");
  assert_string_equal(bt_dpf_flexible(dpf, 0), "flex.pdbqt");
  assert_int_equal(bt_dpf_warning_count(dpf), 0);
  bt_dock_options o = applied(dpf, 0);
  assert_int_equal(o.runs, 50);
  assert_int_equal(o.population, 200);
  assert_int_equal(o.evaluations, 2500000000);
  assert_int_equal(o.generations, 27000);
  assert_int_equal(o.elitism, 2);
  assert_int_equal(o.local_search_iterations, 100);
  assert_int_equal(o.sw_limit, 6);
  assert_int_equal(o.seed, 42);
  assert_true(o.mutation_rate == 0.03 && o.crossover_rate == 0.7 && o.sw_rho_limit == 0.02 && o.rmsd_tolerance == 1.5);
  assert_true(o.local_search_rate == -4.0); /* as AutoDock-GPU: ls_search_freq is left alone */
  bt_dpf_destroy(dpf);
}

static void what_is_not_given_stays(void **state) {
  (void)state;
  bt_dpf *dpf = parse("# nothing\n");
  assert_int_equal(bt_dpf_job_count(dpf), 1);
  assert_null(bt_dpf_fld(dpf, 0));
  assert_null(bt_dpf_ligand(dpf, 0));
  assert_null(bt_dpf_flexible(dpf, 0));
  bt_dock_options o = applied(dpf, 0);
  assert_true(o.runs == -1 && o.population == -2 && o.evaluations == -3 && o.seed == 5);
  bt_dpf_destroy(dpf);
}

static void every_run_line_is_a_job(void **state) {
  (void)state;
  bt_dpf *dpf = parse(
      "fld a.fld\nmove one.pdbqt\n# --devnum 2\nga_run 10\nmove two.pdbqt\nga_pop_size 99\n# -x 0 # --y\ngals_run "
      "20\nruns 7\n");
  assert_int_equal(bt_dpf_job_count(dpf), 2);
  assert_string_equal(bt_dpf_ligand(dpf, 0), "one.pdbqt");
  assert_string_equal(bt_dpf_ligand(dpf, 1), "two.pdbqt");
  assert_string_equal(bt_dpf_fld(dpf, 1), "a.fld");
  assert_int_equal(applied(dpf, 0).runs, 10);
  assert_int_equal(applied(dpf, 0).population, -2);
  assert_int_equal(applied(dpf, 1).runs, 20);
  assert_int_equal(applied(dpf, 1).population, 99);
  assert_int_equal(bt_dpf_word_count(dpf, 0), 2);
  assert_string_equal(bt_dpf_word(dpf, 0, 0), "--devnum");
  assert_string_equal(bt_dpf_word(dpf, 0, 1), "2");
  assert_null(bt_dpf_word(dpf, 0, 2));
  assert_string_equal(bt_dpf_word(dpf, 1, 2), "-x");
  bt_dpf_destroy(dpf);
}

static void comments_are_no_options(void **state) {
  (void)state;
  bt_dpf *dpf = parse("# -\n#--devnum 2\n# text --devnum 2\nrmstol 2.0 # --devnum 2\n");
  assert_int_equal(bt_dpf_word_count(dpf, 0), 0);
  bt_dpf_destroy(dpf);
}

static void seeds_of_several_numbers_differ_from_one(void **state) {
  (void)state;
  const char *texts[] = {"seed 7\n", "seed 7 11\n", "seed 7 12\n", "seed 7 11 13\n"};
  uint64_t seeds[4];
  for (int i = 0; i < 4; i++) {
    bt_dpf *dpf = parse(texts[i]);
    seeds[i] = applied(dpf, 0).seed;
    for (int j = 0; j < i; j++) assert_true(seeds[i] != seeds[j]);
    bt_dpf_destroy(dpf);
  }
  assert_int_equal(seeds[0], 7);
  bt_dpf *dpf = parse("seed time pid\n");
  assert_int_equal(applied(dpf, 0).seed, 5);
  assert_int_equal(bt_dpf_warning_count(dpf), 1);
  bt_dpf_destroy(dpf);
}

static void what_would_have_mattered_is_told(void **state) {
  (void)state;
  const struct {
    const char *text, *words;
  } cases[] = {
      {"tran0 1 2 3\nquaternion0 0 0 0 1\n", "tran0"},
      {"parameter_file x.dat\n", "parameter_file"},
      {"intnbp_r_eps 1 2 12 6 A B\n", "intnbp_r_eps"},
      {"unbound_model extended\n", "unbound_model"},
      {"unbound 10.0\n", "unbound"},
      {"smooth 0.0\n", "smooth"},
      {"epdb\n", "berth score"},
      {"ligand_types C\nmap rec.OA.map\n", "type C uses its map"},
      {"do_local_only 10\n", "--minimize"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bt_dpf *dpf = parse(cases[i].text);
    assert_int_equal(bt_dpf_warning_count(dpf), 1);
    if (strstr(bt_dpf_warning(dpf, 0), cases[i].words) == NULL)
      fail_msg("'%s' is not in '%s'", cases[i].words, bt_dpf_warning(dpf, 0));
    bt_dpf_destroy(dpf);
  }
}

static void fails(const char *text, long line, const char *words) {
  bt_dpf *dpf;
  bt_error error = {0};
  support_failed(bt_dpf_parse("x.dpf", text, strlen(text), &dpf, &error), BT_ERR_INPUT, &error, words);
  assert_null(dpf);
  assert_int_equal(error.line, line);
}

static void broken_files_are_refused(void **state) {
  (void)state;
  fails("foo\n", 1, "'foo' is not a keyword");
  fails("\nintelec off\n", 2, "internal electrostatics");
  fails("ga_run\n", 1, "ga_run lacks a whole number");
  fails("ga_run 0\n", 1, "from 1 to");
  fails("ga_run 1.5\n", 1, "'1.5' is not a whole number");
  fails("ga_pop_size 1\n", 1, "from 2 to");
  fails("ga_num_evals -5\n", 1, "ga_num_evals");
  fails("ga_num_evals 99999999999999999999\n", 1, "ga_num_evals");
  fails("ga_mutation_rate 1.5\n", 1, "from 0 to 1");
  fails("ga_mutation_rate nan\n", 1, "'nan' is not a number");
  fails("rmstol 0\n", 1, "rmstol");
  fails("fld\n", 1, "fld lacks a file");
  fails("unbound_model odd\n", 1, "unbound_model");
  fails("ligand_types TOOLONGTYPE\n", 1, "not an atom type");
  bt_dpf *dpf;
  bt_error error;
  support_failed(bt_dpf_parse("x.dpf", "a\0b", 3, &dpf, &error), BT_ERR_INPUT, &error, "binary");
  support_failed(bt_dpf_read("/nonexistent.dpf", &dpf, &error), BT_ERR_IO, &error, "cannot read");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(search_parameters_are_taken_over),
      cmocka_unit_test(what_is_not_given_stays),
      cmocka_unit_test(every_run_line_is_a_job),
      cmocka_unit_test(comments_are_no_options),
      cmocka_unit_test(seeds_of_several_numbers_differ_from_one),
      cmocka_unit_test(what_would_have_mattered_is_told),
      cmocka_unit_test(broken_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
