/* Elements of receptors without parameters: their substitutes, what is refused, what only looks like an element. */
#include <berth/grid.h>

#include "base/files/file.h"
#include "chem/element.h"
#include "grid/maps/maps.h"
#include "unit/grid/receptors.h"

typedef struct ion {
  const char *type, *residue, *stand_in; /* NULL: refused */
  bool in_side_chain;                    /* an atom of type C shares its residue */
} test_ion;

static bt_molecule receptor_of(const test_ion *ion) {
  const test_atom atoms[] = {{"OA", 3, 0, 0, -0.3}, {"C", 0, 3, 0, 0.1}, {ion->type, 0, 0, 0, 1.0}};
  bt_molecule molecule = test_molecule(atoms, 3);
  for (int i = 0; i < 3; i++) {
    bt_atom *a = &molecule.atoms[i];
    a->resnum = i + 1;
    snprintf(a->resname, sizeof a->resname, "%s", i == 2 ? ion->residue : "GLU");
  }
  if (ion->in_side_chain) molecule.atoms[1].resnum = 3, strcpy(molecule.atoms[1].resname, ion->residue);
  return molecule;
}

static bt_status compute(const test_ion *ion, bt_stand_ins stand_ins, const char *opt_parameters, bt_maps **ret_maps,
                         bt_error *error) {
  bt_molecule molecule = receptor_of(ion);
  bt_grid_options options = bt_grid_options_default();
  options.box = (bt_box){.npts = {4, 4, 4}, .spacing = 0.75};
  options.threads = 1;
  options.stand_ins = stand_ins;
  options.opt_parameter_file = opt_parameters;
  bt_status status = bt_maps_compute(&molecule, (const char *[]){"OA", "HD"}, 2, &options, ret_maps, error);
  test_molecule_free(&molecule);
  return status;
}

static void assert_same_maps(const bt_maps *a, const bt_maps *b) {
  for (int m = 0; m < a->n_types + 2; m++)
    for (size_t i = 0; i < bt_maps_points(a); i++) assert_true(a->values[m][i] == b->values[m][i]);
}

/* The maps are those of the other type at the same place, and the warning names both. */
static void others_stand_in(void **state) {
  (void)state;
  static const test_ion ions[] = {
      {"Na", "NA", "Mg", false},  {"NA", "NA", "Mg", false}, {"K", "K", "Ca", false},   {"Hg", "HG", "Zn", false},
      {"HG", "HG", "Zn", false},  {"Cd", "CYS", "Zn", true}, {"Co", "B12", "Fe", true}, {"CO", "3CO", "Fe", false},
      {"Cu", "HIS", "Zn", true},  {"NI", "NI", "Fe", false}, {"Se", "MSE", "SA", true}, {"Li", "LI", "Mg", false},
      {"CS", "CS", "Ca", false},  {"Sr", "SR", "Ca", false}, {"Ba", "BA", "Ca", false}, {"Pt", "CPT", "Zn", true},
      {"U", "IUM", "Ca", true},   {"OS", "OS", "Fe", false},
  };
  for (size_t k = 0; k < sizeof ions / sizeof *ions; k++) {
    bt_error error;
    bt_maps *maps, *same;
    support_ok(compute(&ions[k], BT_STAND_INS_USE, NULL, &maps, &error), &error);
    test_ion other = ions[k];
    other.type = ions[k].stand_in;
    support_ok(compute(&other, BT_STAND_INS_USE, NULL, &same, &error), &error);
    assert_same_maps(maps, same);
    char words[64];
    snprintf(words, sizeof words, "those of %s stand in for %s (1 atom)", ions[k].stand_in,
             bt_ad4_stand_in_find(ions[k].type)->element);
    if (strstr(bt_maps_warning(maps), words) == NULL) fail_msg("'%s' is not in '%s'", words, bt_maps_warning(maps));
    assert_string_equal(bt_maps_warning(same), "");
    bt_maps_destroy(maps);
    bt_maps_destroy(same);
    support_failed(compute(&ions[k], BT_STAND_INS_REFUSE, NULL, &maps, &error), BT_ERR_PARAMETER, &error,
                   "made/up.pdbqt:3: atom 3: the receptor has an atom of type");
    if (bt_ad4_find(ions[k].type) == NULL) /* AutoGrid resolves the others by name */
      support_failed(compute(&ions[k], BT_STAND_INS_AUTOGRID, NULL, &maps, &error), BT_ERR_PARAMETER, &error,
                     "which has no parameters; correct the type, or define its parameters in a parameter file");
  }
}

/* Atom names in place of types, types of AutoDock that are not ions, meaningless types. */
static void others_do_not(void **state) {
  (void)state;
  static const test_ion refused[] = {{"CD", "GLU", NULL, true}, {"HG", "SER", NULL, true}, {"Xx", "XX", NULL, false},
                                {"na", "LIG", NULL, true}};
  static const test_ion known[] = {{"NA", "HIS", NULL, true}, {"NA", "LIG", NULL, false}, {"OS", "SO4", NULL, false},
                              {"CA", "CA", NULL, false}, {"Mg", "MG", NULL, false},  {"W", "HOH", NULL, false}};
  bt_error error;
  bt_maps *maps, *same;
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
    support_failed(compute(&refused[k], BT_STAND_INS_USE, NULL, &maps, &error), BT_ERR_PARAMETER, &error,
                   "which has no parameters; correct the type");
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    support_ok(compute(&known[k], BT_STAND_INS_AUTOGRID, NULL, &maps, &error), &error);
    for (int mode = BT_STAND_INS_USE; mode <= BT_STAND_INS_REFUSE; mode++) {
      support_ok(compute(&known[k], (bt_stand_ins)mode, NULL, &same, &error), &error);
      assert_same_maps(maps, same);
      assert_string_equal(bt_maps_warning(same), "");
      bt_maps_destroy(same);
    }
    bt_maps_destroy(maps);
  }
}

static void a_parameter_file_counts_more(void **state) {
  (void)state;
  static const test_ion spelled[] = {{"Na", "NA", NULL, false}, {"NA", "NA", NULL, false}, {"Se", "MSE", NULL, true}};
  static const char text[] = "atom_par Na 2.4 0.1 7.0 -0.001 0 0 0 -1 -1 4\n"
                             "atom_par Se 4.2 0.3 35.0 -0.002 0 0 0 -1 -1 6\n";
  char folder[256], path[300];
  bt_error error;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/own.dat", folder);
  support_ok(bt_file_write(path, text, strlen(text), &error), &error);
  bt_maps *maps, *borrowed;
  for (size_t k = 0; k < sizeof spelled / sizeof *spelled; k++) {
    support_ok(compute(&spelled[k], BT_STAND_INS_REFUSE, path, &maps, &error), &error);
    assert_string_equal(bt_maps_warning(maps), "");
    support_ok(compute(&spelled[k], BT_STAND_INS_USE, NULL, &borrowed, &error), &error);
    assert_true(maps->values[0][0] != borrowed->values[0][0]);
    bt_maps_destroy(maps);
    bt_maps_destroy(borrowed);
  }
  unlink(path);
  rmdir(folder);
}

/* One warning for all of them; equal atoms of one residue are one residue. */
static void atoms_are_counted(void **state) {
  (void)state;
  const test_atom atoms[] = {{"C", 9, 0, 0, 0.1},  {"HG", 0, 0, 0, 2.0}, {"HG", 3, 0, 0, 2.0},
                             {"HG", 6, 0, 0, 2.0}, {"K", 0, 5, 0, 1.0},  {"Cu", 0, 0, 5, 2.0}};
  bt_molecule molecule = test_molecule(atoms, 6);
  for (int i = 0; i < 6; i++) molecule.atoms[i].resnum = i == 0 ? 1 : i < 4 ? 2 : 3;
  bt_grid_options options = bt_grid_options_default();
  options.box = (bt_box){.npts = {2, 2, 2}, .spacing = 0.75};
  options.stand_ins = BT_STAND_INS_USE;
  bt_error error;
  bt_maps *maps;
  support_ok(bt_maps_compute(&molecule, (const char *[]){"C"}, 1, &options, &maps, &error), &error);
  assert_string_equal(bt_maps_warning(maps),
                      "the receptor has elements without AutoDock 4 parameters: those of Ca stand in for K (1 atom), "
                      "those of Zn stand in for Cu (1 atom), those of Zn stand in for Hg (3 atoms)");
  bt_maps_destroy(maps);
  test_molecule_free(&molecule);
}

/* Every element is spelled as in the periodic table, and its substitute has parameters. */
static void the_table_is_sound(void **state) {
  (void)state;
  int count;
  const bt_ad4_stand_in *rows = bt_ad4_stand_ins(&count);
  assert_true(count > 40);
  for (int i = 0; i < count; i++) {
    assert_int_equal(bt_element_of_symbol(rows[i].element) > 0, 1);
    assert_string_equal(bt_element_symbol(bt_element_of_symbol(rows[i].element)), rows[i].element);
    assert_non_null(bt_ad4_find(rows[i].type));
    assert_null(bt_ad4_stand_in_find(rows[i].type));
    assert_ptr_equal(bt_ad4_stand_in_find(rows[i].element), &rows[i]); /* once */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(others_stand_in),   cmocka_unit_test(others_do_not),
      cmocka_unit_test(atoms_are_counted), cmocka_unit_test(a_parameter_file_counts_more),
      cmocka_unit_test(the_table_is_sound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
