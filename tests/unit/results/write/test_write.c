/* test_write.c - every output of one small docking, against golden files; and what must never be written.
 *
 * BERTH_GOLDEN=refresh rewrites the golden files: review the difference before committing it.
 */
#include "unit/results/poses.h"

#include "base/files/file.h"

static const char methanol[] =
    "REMARK SMILES CO\n"
    "REMARK SMILES IDX 1 1 2 2\n"
    "REMARK H PARENT 2 3\n"
    "REMARK VINA RESULT:      -9.9      0.000      0.000\n" /* of an earlier docking: must not come back */
    "USER    Estimated Free Energy of Binding    = -99.99\n"
    "ROOT\n"
    "ATOM      1  C   UNL     1      -0.366  -0.012   0.003  1.00  0.00     0.189 C \n"
    "ENDROOT\n"
    "BRANCH   1   2\n"
    "ATOM      2  O   UNL     1       0.910  -0.530   0.124  1.00  0.00    -0.396 OA\n"
    "ATOM      3  H   UNL     1       1.466   0.159   0.527  1.00  0.00     0.209 HD\n"
    "ENDBRANCH   1   2\n"
    "TORSDOF 0\n"
    "TER\n"
    "END\n";

static const char serine[] =
    "BEGIN_RES SER A  42\n"
    "REMARK a remark of the residue\n"
    "ROOT\n"
    "ATOM      1  CA  SER A  42      -4.000   0.000   0.000  1.00 12.00     0.200 C \n"
    "ENDROOT\n"
    "BRANCH   1   2\n"
    "ATOM      2  CB  SER A  42      -3.100   1.100   0.500  1.00 12.00     0.100 C \n"
    "BRANCH   2   3\n"
    "ATOM      3  OG  SER A  42      -2.000   0.800   1.300  1.00 12.00    -0.400 OA\n"
    "ATOM      4  HG  SER A  42      -1.300   1.500   1.300  1.00 12.00     0.210 HD\n"
    "ENDBRANCH   2   3\n"
    "ENDBRANCH   1   2\n"
    "END_RES SER A  42\n";

typedef struct docking {
  bt_molecule *molecule, *flexible;
  bt_ligand *ligand;
  bt_maps *maps;
  bt_result *result;
  char folder[256], path[512];
} docking;

static docking open_docking(bool flexible) {
  docking d = {.molecule = poses_molecule("lig/meoh.pdbqt", methanol, BT_MOLECULE_LIGAND)};
  if (flexible) d.flexible = poses_molecule("ser.pdbqt", serine, BT_MOLECULE_FLEXIBLE);
  d.ligand = poses_ligand(d.molecule, d.flexible);
  d.maps = scene_maps(d.ligand, (double[3]){2.5, 0.5, 9}, 40);
  d.maps->receptor_name = strdup("rec");
  bt_dock_options options = bt_dock_options_default();
  options.population = 150; /* the golden files do not follow the defaults */
  options.mutation_rate = 0.02;
  options.tournament_rate = 0.6;
  options.local_search = BT_LS_ADADELTA;
  options.local_search_iterations = 300;
  options.runs = 3;
  options.seed = 7;
  bt_error error;
  support_ok(bt_result_create(d.ligand, d.maps, NULL, &options, &d.result, &error), &error);
  static const double shift[3][3] = {{0.3, 0.2, 9.0}, {4.0, 2.0, 8.0}, {0.5, 0.2, 9.0}};
  static const double inter[3] = {-1.52, -1.31, -1.1234567};
  for (int r = 0; r < 3; r++) {
    bt_run *run = &d.result->runs[r];
    bt_genotype_identity(d.ligand, &run->genotype);
    for (int k = 0; k < 3; k++) run->genotype.position[k] += shift[r][k];
    run->genotype.quaternion[2] = r; /* turns of 0, 90 and 126.87 degrees */
    run->genotype.quaternion[3] = 1;
    for (int k = 0; k < d.ligand->n_torsions; k++) run->genotype.torsions[k] = -1.5 + k;
    double *q = run->genotype.quaternion, norm = sqrt(q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) q[k] /= norm;
    bt_genotype_coordinates(d.ligand, &run->genotype, run->xyz);
    run->energy = (bt_energy){.inter = inter[r],
                              .inter_electrostatic = -0.12,
                              .inter_vdw_hbond = inter[r] + 0.32,
                              .inter_desolvation = -0.2,
                              .intra = -0.001,
                              .free_energy = inter[r],
                              .total = inter[r] - 0.001};
    for (int i = 0; i < d.ligand->n_atoms; i++)
      run->atoms[i] = (bt_atom_energy){.vdw_hbond = -0.5, .desolvation = 0.03, .electrostatic = -0.04};
    run->evaluations = 61234 + r;
    d.result->evaluations += run->evaluations;
  }
  d.result->generations = 15;
  d.result->seconds = 0.036;
  strcpy(d.result->device, "cpu/test");
  support_ok(bt_result_cluster(d.result, &error), &error);
  support_folder(d.folder, sizeof d.folder);
  snprintf(d.path, sizeof d.path, "%s/out", d.folder);
  return d;
}

static void close_docking(docking *d) {
  unlink(d->path);
  rmdir(d->folder);
  bt_result_destroy(d->result);
  bt_maps_destroy(d->maps);
  bt_ligand_destroy(d->ligand);
  bt_molecule_destroy(d->flexible);
  bt_molecule_destroy(d->molecule);
}

enum output { DLG, XML, PDBQT, JSON, CSV, TABLE, OUTPUTS };
static const char *const endings[] = {"dlg", "xml", "pdbqt", "json", "csv", "txt"};

static bt_status write_output(const docking *d, enum output output, bt_error *error) {
  const bt_write_context context = {.opt_command_line = "berth dock -l 'lig/meoh.pdbqt' -r a&b<c>.fld",
                                    .opt_fld_path = "rec.maps.fld"};
  if (output != TABLE) return bt_result_write(d->result, d->path, endings[output], &context, error);
  char *table;
  bt_status status = bt_result_table(d->result, &table, error);
  if (status == BT_OK) status = bt_file_write(d->path, table, strlen(table), error);
  if (status == BT_OK) free(table);
  return status;
}

static char *text_of(const docking *d, enum output output) {
  char *text;
  size_t size;
  bt_error error;
  support_ok(write_output(d, output, &error), &error);
  support_ok(bt_file_read(d->path, &text, &size, &error), &error);
  assert_int_equal(strlen(text), size);
  return text;
}

static void compare_with_golden(const docking *d, const char *name, enum output output) {
  char path[1024], *golden;
  size_t size;
  bt_error error;
  char *text = text_of(d, output);
  snprintf(path, sizeof path, "%s/tests/unit/results/write/golden/%s.%s", BERTH_SOURCE_DIR, name, endings[output]);
  const char *refresh = getenv("BERTH_GOLDEN");
  if (refresh != NULL && strcmp(refresh, "refresh") == 0)
    support_ok(bt_file_write(path, text, strlen(text), &error), &error);
  support_ok(bt_file_read(path, &golden, &size, &error), &error);
  const char *a = text, *b = golden;
  for (int line = 1; *a != '\0' || *b != '\0'; line++) {
    int m = (int)strcspn(a, "\n"), n = (int)strcspn(b, "\n");
    if (m != n || strncmp(a, b, (size_t)m) != 0)
      fail_msg("%s, line %d:\n'%.*s' is not\n'%.*s'", path, line, m, a, n, b);
    a += m + (a[m] == '\n');
    b += n + (b[n] == '\n');
  }
  free(text);
  free(golden);
}

static void outputs_are_as_they_were(void **state) {
  (void)state;
  docking rigid = open_docking(false), flexible = open_docking(true);
  for (enum output o = DLG; o < OUTPUTS; o++) compare_with_golden(&rigid, "meoh", o);
  compare_with_golden(&flexible, "meoh-ser", DLG);
  compare_with_golden(&flexible, "meoh-ser", PDBQT);
  close_docking(&rigid);
  close_docking(&flexible);
}

/* What is written as PDBQT is read again as the same pose. */
static void poses_can_be_read_again(void **state) {
  (void)state;
  docking d = open_docking(true);
  free(text_of(&d, PDBQT));
  bt_molecule **list;
  int count;
  bt_error error;
  support_ok(bt_molecule_read(d.path, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
  assert_int_equal(count, 2); /* the best of each cluster */
  static const int order[] = {0, 1};
  for (int m = 0; m < count; m++) {
    assert_int_equal(list[m]->n_atoms, 3);
    assert_int_equal(list[m]->model, m + 1);
    for (int i = 0; i < 3; i++) {
      assert_string_equal(list[m]->atoms[i].type, d.molecule->atoms[i].type);
      assert_near(list[m]->atoms[i].charge, d.molecule->atoms[i].charge, 1e-9);
      for (int k = 0; k < 3; k++)
        assert_near(list[m]->atoms[i].x[k], d.result->runs[order[m]].xyz[3 * i + k], 0.0005001);
    }
  }
  bt_molecule_list_destroy(list, count);
  close_docking(&d);
}

/* Results of an earlier docking that came with the input are not repeated; everything else of it is. */
static void remarks_are_echoed(void **state) {
  (void)state;
  docking d = open_docking(true);
  static const enum output with_poses[] = {DLG, PDBQT};
  for (int k = 0; k < 2; k++) {
    char *text = text_of(&d, with_poses[k]), *poses = strstr(text, "MODEL ");
    int smiles = 0, residues = 0;
    for (char *at = poses; (at = strstr(at, "REMARK H PARENT 2 3")) != NULL; at++) smiles++;
    for (char *at = poses; (at = strstr(at, "REMARK a remark of the residue")) != NULL; at++) residues++;
    assert_int_equal(smiles, with_poses[k] == DLG ? 3 : 2); /* runs, or clusters */
    assert_int_equal(residues, smiles);
    assert_null(strstr(poses, "-9.9 "));
    assert_null(strstr(poses, "-99.99"));
    free(text);
  }
  close_docking(&d);
}

static void large_numbers_do_not_break_columns(void **state) {
  (void)state;
  static const double coordinates[] = {-999.9996, 9999.9996, -12345.678, 123456.789, -1234567.0, 1e9, -1e300, 1e300};
  docking d = open_docking(false);
  for (size_t c = 0; c < sizeof coordinates / sizeof coordinates[0]; c++) {
    bt_run *run = &d.result->runs[0];
    run->xyz[3] = coordinates[c];
    run->atoms[1] = (bt_atom_energy){.vdw_hbond = coordinates[c], .electrostatic = -coordinates[c]};
    run->energy.inter = run->energy.free_energy = coordinates[c];
    for (int log = 0; log < 2; log++) {
      char *text = text_of(&d, log ? DLG : PDBQT), *line = strstr(text, log ? "DOCKED: ATOM      2" : "ATOM      2");
      if (!log) /* the run of the changed pose, wherever its energy ranks it */
        line = strstr(strstr(text, "REMARK BERTH run 1 "), "ATOM      2");
      if (log) line += 8;
      char field[9] = "";
      memcpy(field, line + 30, 8);
      char *end;
      double x = strtod(field, &end);
      assert_int_equal(*end, '\0');
      if (fabs(coordinates[c]) < 1e6) assert_near(x, coordinates[c], fabs(coordinates[c]) * 1e-4);
      assert_int_equal(line[69], ' ');
      assert_true(strncmp(line + 70, log ? "-0.396 OA \n" : "-0.396 OA\n", log ? 11 : 10) == 0);
      double y;
      memcpy(field, line + 38, 8);
      y = strtod(field, &end);
      assert_near(y, run->xyz[4], 0.0006);
      free(text);
    }
    free(text_of(&d, XML));
    free(text_of(&d, JSON));
    free(text_of(&d, CSV));
    free(text_of(&d, TABLE));
  }
  close_docking(&d);
}

static void nothing_is_written_without_finite_numbers(void **state) {
  (void)state;
  docking d = open_docking(false);
  bt_error error;
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int b = 0; b < 3; b++) {
    for (enum output o = DLG; o < TABLE; o++) {
      double kept = d.result->runs[1].xyz[2];
      d.result->runs[1].xyz[2] = bad[b];
      support_failed(write_output(&d, o, &error), BT_ERR_INPUT, &error, "run 2");
      d.result->runs[1].xyz[2] = kept;
      kept = d.result->runs[2].energy.intra;
      d.result->runs[2].energy.intra = bad[b];
      support_failed(write_output(&d, o, &error), BT_ERR_INPUT, &error, "run 3");
      d.result->runs[2].energy.intra = kept;
      assert_int_equal(access(d.path, F_OK), -1);
    }
  }
  close_docking(&d);
}

static void an_unwritable_place_is_an_error(void **state) {
  (void)state;
  docking d = open_docking(false);
  bt_error error;
  snprintf(d.path, sizeof d.path, "%s/absent/out", d.folder);
  for (enum output o = DLG; o < TABLE; o++)
    support_failed(write_output(&d, o, &error), BT_ERR_IO, &error, "absent/out");
  close_docking(&d);
}

/* The genes of the XML, in AutoDock-GPU's form and order, lead back to the pose: the center from the lower corner of
 * the box, axis and angle, torsions as their branches end, deepest first. */
static void a_pose_can_be_rebuilt_from_xml(void **state) {
  (void)state;
  static const int order[3] = {0, 2, 1}; /* of torsions: the ligand's, chi 2, chi 1 */
  docking d = open_docking(true);
  char *text = text_of(&d, XML), *at = text;
  bt_genotype pose;
  bt_error error;
  support_ok(bt_genotype_create(3, &pose, &error), &error);
  for (int r = 0; r < 3; r++) {
    double axis[3], angle, xyz[21];
    at = strstr(at, "<tran0>") + 7;
    for (int k = 0; k < 3; k++) pose.position[k] = strtod(at, &at) + d.maps->low[k];
    at = strstr(at, "<axisangle0>") + 12;
    for (int k = 0; k < 3; k++) axis[k] = strtod(at, &at);
    angle = strtod(at, &at) / 57.295779513082321;
    for (int k = 0; k < 3; k++) pose.quaternion[k] = axis[k] * sin(angle / 2);
    pose.quaternion[3] = cos(angle / 2);
    at = strstr(at, "<dihe0>") + 7;
    for (int k = 0; k < 3; k++) pose.torsions[order[k]] = strtod(at, &at) / 57.295779513082321;
    assert_int_equal(*at, '\n');
    bt_genotype_coordinates(d.ligand, &pose, xyz);
    for (int k = 0; k < 21; k++) assert_near(xyz[k], d.result->runs[r].xyz[k], 1e-7);
  }
  assert_non_null(strstr(text, "<ndihe>3</ndihe>"));
  assert_non_null(strstr(text, "-r a&amp;b&lt;c&gt;.fld</arguments>"));
  bt_genotype_destroy(&pose);
  free(text);
  close_docking(&d);
}

static void the_table_fits_80_columns(void **state) {
  (void)state;
  docking d = open_docking(false);
  for (int r = 0; r < 3; r++) {
    d.result->runs[r].energy.inter = d.result->runs[r].energy.free_energy = r == 2 ? 3e7 : -12.34;
    d.result->runs[r].energy.atoms_outside = r;
  }
  bt_error error;
  support_ok(bt_result_cluster(d.result, &error), &error);
  d.result->evaluations = 123456789012;
  char *text = text_of(&d, TABLE);
  for (char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) assert_true(strcspn(line, "\n") <= 80);
  assert_non_null(strstr(text, "123,456,789,012 evaluations"));
  assert_non_null(strstr(text, "2 of the poses extend beyond the box"));
  assert_non_null(strstr(text, "1 of the poses clash"));
  free(text);
  close_docking(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(outputs_are_as_they_were),
                                     cmocka_unit_test(poses_can_be_read_again),
                                     cmocka_unit_test(remarks_are_echoed),
                                     cmocka_unit_test(large_numbers_do_not_break_columns),
                                     cmocka_unit_test(nothing_is_written_without_finite_numbers),
                                     cmocka_unit_test(an_unwritable_place_is_an_error),
                                     cmocka_unit_test(a_pose_can_be_rebuilt_from_xml),
                                     cmocka_unit_test(the_table_fits_80_columns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
