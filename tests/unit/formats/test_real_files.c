/* test_real_files.c - the complexes of set42 and the files that come with AutoDock are all read. */
#include <berth/autodock.h>
#include <berth/berth.h>
#include <dirent.h>

#include "formats/autodock/fld.h"
#include "formats/autodock/gpf.h"
#include "formats/pdbqt/pdbqt.h"
#include "base/files/file.h"
#include "unit/support.h"

static void check_ligand(const char *path) {
  bt_molecule **list;
  int count;
  bt_error error;
  support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
  assert_int_equal(count, 1);
  const bt_molecule *m = list[0];
  assert_true(m->n_atoms > 0 && m->torsdof >= 0 && m->fragments[0].parent == -1);
  for (int f = 1; f < m->n_fragments; f++) {
    const bt_fragment *fragment = &m->fragments[f];
    assert_in_range(fragment->parent, 0, f - 1);
    assert_int_equal(m->atoms[fragment->axis_from].fragment, fragment->parent);
    assert_int_equal(m->atoms[fragment->axis_to].fragment, f);
    assert_in_range(fragment->axis_to, fragment->first_atom, fragment->end_atom - 1);
  }
  bt_molecule_list_destroy(list, count);
}

static int check_receptor(const char *path) {
  bt_molecule **list;
  int count;
  bt_error error;
  support_ok(bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &list, &count, &error), &error);
  int n = list[0]->n_atoms;
  bt_molecule_list_destroy(list, count);
  return n;
}

static void check_fld(const char *path) {
  char *data;
  size_t size;
  bt_error error;
  bt_fld fld;
  support_ok(bt_file_read(path, &data, &size, &error), &error);
  support_ok(bt_fld_parse(path, data, size, &fld, &error), &error);
  assert_true(fld.n_maps >= 3);
  bt_fld_destroy(&fld);
  free(data);
}

static void set42_is_read(void **state) {
  (void)state;
  char root[400], path[700];
  support_shared(root, sizeof root, "data/set42");
  DIR *directory = opendir(root);
  assert_non_null(directory);
  int complexes = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (strlen(entry->d_name) != 4) continue;
    const char *ligands[] = {"flex-xray", "rand-0", "rand-1", "rand-2"};
    for (int i = 0; i < 4; i++) {
      snprintf(path, sizeof path, "%s/%s/%s.pdbqt", root, entry->d_name, ligands[i]);
      check_ligand(path);
    }
    snprintf(path, sizeof path, "%s/%s/protein.pdbqt", root, entry->d_name);
    assert_true(check_receptor(path) > 1000);
    snprintf(path, sizeof path, "%s/%s/protein.maps.fld", root, entry->d_name);
    check_fld(path);
    complexes++;
  }
  closedir(directory);
  assert_int_equal(complexes, 28);
}

/* The torsions of 7cpa: 43 atoms, 15 torsions. */
static void a_known_ligand_has_its_torsions(void **state) {
  (void)state;
  char path[700];
  support_shared(path, sizeof path, "data/set42/7cpa/flex-xray.pdbqt");
  bt_molecule **list;
  int count;
  bt_error error;
  support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
  assert_int_equal(list[0]->n_atoms, 43);
  assert_int_equal(list[0]->n_fragments, 16);
  bt_molecule_list_destroy(list, count);
}

static void debian_path(char *path, size_t size, const char *name) {
  snprintf(path, size, "/usr/share/autodock/Tests/%s", name);
  if (access(path, R_OK) == 0) return;
  print_message("skipped: the package autodock-test is not installed\n");
  skip();
}

static void autodocks_own_files_are_read(void **state) {
  (void)state;
  char path[200];
  bt_error error;
  const char *ligands[] = {"1pgp_lig.pdbqt", "1pgp_lig2.pdbqt", "1pgp_ligNOH.pdbqt"};
  for (int i = 0; i < 3; i++) {
    debian_path(path, sizeof path, ligands[i]);
    check_ligand(path);
  }
  debian_path(path, sizeof path, "1pgp_rec.pdbqt");
  assert_int_equal(check_receptor(path), 8964);
  debian_path(path, sizeof path, "1pgp_rigid.pdbqt");
  assert_int_equal(check_receptor(path), 8957);
  debian_path(path, sizeof path, "1pgp_rec.maps.fld");
  check_fld(path);
  debian_path(path, sizeof path, "1pgp_flex.pdbqt");
  bt_molecule **list;
  int count;
  support_ok(bt_molecule_read(path, BT_MOLECULE_FLEXIBLE, &list, &count, &error), &error);
  assert_int_equal(list[0]->n_residues, 1);
  assert_int_equal(list[0]->n_fragments, 3);
  assert_int_equal(list[0]->residues[0].number, 187);
  bt_molecule_list_destroy(list, count);
  debian_path(path, sizeof path, "1pgp.gpf");
  bt_gpf gpf;
  support_ok(bt_gpf_read(path, &gpf, &error), &error);
  assert_int_equal(gpf.ligand_types.count, 4);
  assert_true(gpf.center[0] == 23.5025);
  bt_gpf_destroy(&gpf);
  debian_path(path, sizeof path, "1pgp_flexres.dpf");
  bt_dpf *dpf;
  support_ok(bt_dpf_read(path, &dpf, &error), &error);
  assert_string_equal(bt_dpf_flexible(dpf, 0), "1pgp_flex.pdbqt");
  bt_dpf_destroy(dpf);
  debian_path(path, sizeof path, "1pgp_illegal_keyword.dpf");
  support_failed(bt_dpf_read(path, &dpf, &error), BT_ERR_INPUT, &error, "foo");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(set42_is_read),
      cmocka_unit_test(a_known_ligand_has_its_torsions),
      cmocka_unit_test(autodocks_own_files_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
