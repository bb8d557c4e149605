/* test_structure.c - PDB and mmCIF files, good and bad. */
#include "formats/structure.h"

#include <berth/prepare.h>
#include <math.h>

#include "unit/support.h"

#define ATOM_1 "ATOM      1  N   ALA A  52A     11.104   6.134  -6.504  1.00  0.00           N\n"
#define ATOM_2 "ATOM      2  CA AALA A  52A     11.639   6.071  -5.147  0.50  0.00           C\n"
#define ATOM_3 "HETATM    3 ZN    ZN B  -3       1.639   6.071  -5.147  0.50 12.50          ZN\n"

#define CIF                                                                                                      \
  "data_test\n#\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n" \
  "_atom_site.label_alt_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_entity_id\n"    \
  "_atom_site.label_seq_id\n_atom_site.pdbx_PDB_ins_code\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n"              \
  "_atom_site.Cartn_z\n_atom_site.occupancy\n_atom_site.B_iso_or_equiv\n_atom_site.auth_seq_id\n"                \
  "_atom_site.auth_comp_id\n_atom_site.auth_asym_id\n_atom_site.auth_atom_id\n_atom_site.pdbx_PDB_model_num\n"   \
  "ATOM 1 N N . ALA A 1 3 ? 11.104 6.134 -6.504 1.00 20.0 52 ALA HH N 1\n"                                       \
  "ATOM 2 C CA A ALA A 1 3 ? 11.639 6.071 -5.147 0.5 20.0 52 ALA HH CA 1\n"                                      \
  "HETATM 3 O \"O5'\" . XYZW B 2 . ? 1.6 6.0 -5.1 1.0 20.0 301 XYZW HH \"O5'\" 1\n"

static void needs_gemmi(void) {
  if (*bt_gemmi_version() == '\0') skip();
}

static bt_structure *parsed(const char *text) {
  bt_structure *s;
  bt_error error = {0};
  support_ok(bt_structure_from_memory("x", text, strlen(text), 1, &s, &error), &error);
  return s;
}

static void refused(const char *text, int model, const char *words) {
  bt_structure *s;
  bt_error error = {0};
  support_failed(bt_structure_from_memory("x", text, strlen(text), model, &s, &error), BT_ERR_INPUT, &error, words);
  assert_null(s);
}

static void pdb_is_read(void **state) {
  (void)state;
  needs_gemmi();
  bt_structure *s = parsed("HEADER    X\n" ATOM_1 ATOM_2 "ANISOU broken\n" ATOM_3 "END\nATOM after the end\n");
  assert_int_equal(s->n_atoms, 3);
  assert_int_equal(s->n_residues, 2);
  const bt_structure_residue *ala = &s->residues[0], *zn = &s->residues[1];
  assert_true(ala->number == 52 && ala->icode == 'A' && !ala->hetero && strcmp(ala->chain, "A") == 0);
  assert_true(zn->number == -3 && zn->icode == ' ' && zn->hetero);
  assert_true(s->atoms[1].altloc == 'A' && s->atoms[1].occupancy == 0.5 && s->atoms[0].altloc == '\0');
  assert_true(s->atoms[2].element == 30 && fabs(s->atoms[2].x[2] + 5.147) < 1e-9 && s->atoms[2].serial == 3);
  char name[40];
  assert_string_equal(bt_structure_residue_text(ala, name, sizeof name), "A:ALA52A");
  bt_structure_destroy(s);
}

/* Without occupancy, B factors, alternate locations and the author's numbers. */
static void mmcif_with_few_columns_is_read(void **state) {
  (void)state;
  needs_gemmi();
  bt_structure *s = parsed(
      "data_x\nloop_\n_atom_site.group_PDB\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
      "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.Cartn_x\n"
      "_atom_site.Cartn_y\n_atom_site.Cartn_z\nATOM N N ALA A 1 1 2 3\nATOM C CA ALA A 1 2 2 3\n"
      "ATOM N N GLY A 2 5 2 3\nHETATM O O HOH A . 9 2 3\nHETATM O O HOH A . 9 9 3\n");
  assert_int_equal(s->n_atoms, 5);
  assert_int_equal(s->n_residues, 4);
  assert_true(s->atoms[1].occupancy == 1 && s->atoms[1].b_factor == 0 && s->atoms[1].serial == 2);
  assert_true(s->residues[1].number == 2 && strcmp(s->residues[1].chain, "A") == 0);
  assert_true(s->residues[2].number == 3 && s->residues[3].number == 4 && s->residues[3].hetero);
  bt_structure_destroy(s);
  s = parsed(
      "data_x\nloop_\n_atom_site.type_symbol\n_atom_site.auth_atom_id\n_atom_site.auth_comp_id\n"
      "_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n"
      "_atom_site.Cartn_z\nC CA ALA B 7 2 2 3\n");
  assert_true(s->n_atoms == 1 && s->residues[0].number == 7 && strcmp(s->residues[0].chain, "B") == 0);
  assert_string_equal(s->residues[0].name, "ALA");
  bt_structure_destroy(s);
  s = parsed(
      "data_x\nloop_\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n"
      "_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.auth_seq_id\n_atom_site.auth_asym_id\n"
      "_atom_site.pdbx_PDB_model_num\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
      "C CA ALA A 1 ? ? . 2 2 3\nC CA GLY A 2 ? ? . 5 2 3\n");
  assert_true(s->n_models == 1 && s->n_residues == 2 && s->residues[1].number == 2);
  assert_string_equal(s->residues[1].chain, "A");
  bt_structure_destroy(s);
  refused(
      "data_x\nloop_\n_atom_site.auth_asym_id\n_atom_site.label_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n"
      "_atom_site.Cartn_z\nA 1 2 2 3\n",
      1, "no type_symbol, label_comp_id, label_atom_id, auth_seq_id");
}

static void mmcif_is_read(void **state) {
  (void)state;
  needs_gemmi();
  bt_structure *s = parsed("# a comment\n" CIF);
  assert_int_equal(s->n_atoms, 3);
  assert_int_equal(s->n_residues, 2);
  assert_true(s->residues[0].number == 52 && s->residues[0].sequence == 3 && s->atoms[1].altloc == 'A');
  assert_string_equal(s->residues[0].chain, "HH");
  assert_string_equal(s->residues[1].name, "XYZW");
  assert_string_equal(s->atoms[2].name, "O5'");
  bt_structure_destroy(s);
}

/* Column 21 is the fourth letter of a name, or the first of two letters of a chain. */
static void names_of_four_letters_are_read(void **state) {
  (void)state;
  needs_gemmi();
  bt_structure *s = parsed(ATOM_1
                           "ATOM      2  P   POPCM   1      11.104   6.134  -6.504  1.00  0.00           P\n"
                           "ATOM      3  OH2 TIP3W   1      21.104   6.134  -6.504  1.00  0.00           O\n"
                           "ATOM      4  CA  HISDB   5      31.104   6.134  -6.504  1.00  0.00           C\n"
                           "ATOM      5  OW   SOL    6      31.104   9.134  -6.504  1.00  0.00           O\n");
  static const char *const names[] = {"ALA", "POPC", "TIP3", "HISD", "SOL"}, *const chains[] = {"A", "M", "W", "B", ""};
  assert_int_equal(s->n_residues, 5);
  for (int i = 0; i < 5; i++) {
    assert_string_equal(s->residues[i].name, names[i]);
    assert_string_equal(s->residues[i].chain, chains[i]);
  }
  bt_structure_destroy(s);
  s = parsed(
      "ATOM      1  CA  ALAAB   1      11.104   6.134  -6.504  1.00  0.00           C\n"
      "ATOM      2  CA  GLYAB   2      21.104   6.134  -6.504  1.00  0.00           C\n"
      "ATOM      3  CA  HISAB   3      31.104   6.134  -6.504  1.00  0.00           C\n");
  assert_string_equal(s->residues[2].name, "HIS");
  assert_string_equal(s->residues[2].chain, "AB");
  bt_structure_destroy(s);
}

/* A residue that stands again behind others is one of another chain. */
static void mmcif_chains_are_told_apart(void **state) {
  (void)state;
  needs_gemmi();
  bt_structure *s = parsed(CIF
                           "ATOM 4 N N . GLY A 1 3 ? 14.104 6.134 -6.504 1.00 20.0 53 GLY HH N 1\n"
                           "ATOM 5 C CA . GLY A 1 3 ? 14.639 6.071 -5.147 1.0 20.0 53 GLY HH CA 1\n"
                           "ATOM 6 N N . ALA A 1 3 ? 31.104 6.134 -6.504 1.00 20.0 52 ALA HH N 1\n"
                           "ATOM 7 C CA A ALA A 1 3 ? 31.639 6.071 -5.147 0.5 20.0 52 ALA HH CA 1\n");
  assert_int_equal(s->n_residues, 4);
  assert_string_equal(s->residues[3].chain, "A");
  assert_true(s->residues[3].piece == 1 && s->residues[0].piece == 0 && s->n_atoms == 7);
  assert_non_null(strstr(s->notes, "chain HH is in the file again"));
  bt_structure_destroy(s);
}

static void models_are_chosen(void **state) {
  (void)state;
  needs_gemmi();
  const char *text = "MODEL        1\n" ATOM_1 "ENDMDL\nMODEL        2\n" ATOM_1 ATOM_2 "ENDMDL\nEND\n";
  bt_structure *s;
  bt_error error = {0};
  support_ok(bt_structure_from_memory("x", text, strlen(text), 2, &s, &error), &error);
  assert_true(s->n_models == 2 && s->n_atoms == 2);
  bt_structure_destroy(s);
  refused(text, 3, "no model 3: the file has 2");
  refused(text, -1, "no model -1");
  refused(text, 0, "the models overlap");
}

static void links_are_read(void **state) {
  (void)state;
  needs_gemmi();
  bt_structure *s =
      parsed("LINK         N   ALA A  52A               ZN    ZN B  -3     1555   1555  2.10  \n" ATOM_1 ATOM_2 ATOM_3
             "END\n");
  assert_int_equal(s->n_links, 1);
  assert_true(s->links[0].residue[0] == 0 && s->links[0].residue[1] == 1);
  assert_string_equal(s->links[0].atom[1], "ZN");
  bt_structure_destroy(s);
}

/* Two residues of one name and number behind each other are two, unless their atoms are alternatives; what is appended
 * to a chain belongs to its residue. */
static void residues_are_told_apart(void **state) {
  (void)state;
  needs_gemmi();
  bt_structure *s = parsed(
      "ATOM      1  N   GLY A   1      11.104   6.134  -6.504  1.00  0.00           N\n"
      "ATOM      2  CA  GLY A   1      12.104   6.134  -6.504  1.00  0.00           C\n"
      "ATOM      3  N   GLY A   1      14.904   6.134  -6.504  1.00  0.00           N\n"
      "ATOM      4  CA  GLY A   1      15.904   6.134  -6.504  1.00  0.00           C\n");
  assert_int_equal(s->n_residues, 2);
  bt_structure_destroy(s);
  s = parsed(
      "ATOM      1  N   GLY A   1      11.104   6.134  -6.504  1.00  0.00           N\n"
      "ATOM      2  CA  GLY A   1      12.104   6.134  -6.504  1.00  0.00           C\n"
      "ATOM      3  CA  GLY A   1      12.904   6.134  -6.504  1.00  0.00           C\n"
      "ATOM      4  N   GLY A   2      15.904   6.134  -6.504  1.00  0.00           N\n"
      "ATOM      5  O   GLY A   1      12.904   8.134  -6.504  1.00  0.00           O\n");
  assert_true(s->n_residues == 2 && s->residues[0].end_atom == 4);
  assert_string_equal(s->atoms[3].name, "O");
  bt_structure_destroy(s);
}

static void old_columns_do_no_harm(void **state) {
  (void)state;
  needs_gemmi();
  bt_structure *s = parsed(
      "HETATM    1  N A HEM     1      13.120  39.003   5.159  1.00 55.41      1HPV 113\n"
      "HETATM    2  C1  HEM     1      14.120  39.003   5.159  1.00 55.41      1HPV 114\n");
  assert_string_equal(s->atoms[0].name, "NA");
  assert_int_equal(s->n_residues, 1);
  assert_true(s->atoms[1].element == 6 && s->residues[0].chain[0] == '\0');
  bt_structure_destroy(s);
}

static void faults_are_told(void **state) {
  (void)state;
  needs_gemmi();
  refused("", 1, "no atoms");
  refused("HEADER\nEND\n", 1, "no atoms");
  refused("data_empty\n", 1, "no atoms");
  refused("ATOM      1  N   ALA A  52      11.1x4   6.134  -6.504\n", 1, "x:1: x is not a coordinate: '  11.1x4'");
  refused(ATOM_1 "ATOM      2  CA  ALA A  52      11.639\n", 1, "x:2: y is not a coordinate");
  refused("ATOM      1  N   ALA A  52         nan   6.134  -6.504\n", 1, "not a coordinate");
  refused(
      "ATOM      1  N   A\xc3\xa4"
      "A A  52      11.104   6.134  -6.504\n",
      1, "not ASCII in column 19");
  refused(
      "\x7f"
      "ELF\x01\x02",
      1, "binary");
  char cut[sizeof CIF];
  memcpy(cut, CIF, sizeof CIF);
  for (size_t size = 6; size + 1 < sizeof CIF; size += 7) { /* cut off anywhere: a failure or fewer atoms */
    bt_structure *s = NULL;
    bt_error error = {0};
    cut[size] = '\0';
    bt_status status = bt_structure_from_memory("x", cut, size, 1, &s, &error);
    assert_true(status == BT_OK ? s->n_atoms < 3 : error.message[0] != '\0' && error.remedy[0] != '\0');
    bt_structure_destroy(s);
    memcpy(cut, CIF, sizeof CIF);
  }
}

static void compressed_files(void **state) {
  (void)state;
  needs_gemmi();
  /* `printf 'END\n' | gzip` cut off */
  static const char cut[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x73\xf5";
  bt_structure *s;
  bt_error error = {0};
  support_failed(bt_structure_from_memory("x.gz", cut, sizeof cut - 1, 1, &s, &error), BT_ERR_INPUT, &error,
                 "compressed");
}

static void builds_without_gemmi_say_so(void **state) {
  (void)state;
  if (*bt_gemmi_version() != '\0') skip();
  bt_structure *s;
  bt_error error = {0};
  support_failed(bt_structure_from_memory("x", ATOM_1, strlen(ATOM_1), 1, &s, &error), BT_ERR_USAGE, &error,
                 "no gemmi");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pdb_is_read),
      cmocka_unit_test(mmcif_is_read),
      cmocka_unit_test(mmcif_with_few_columns_is_read),
      cmocka_unit_test(models_are_chosen),
      cmocka_unit_test(names_of_four_letters_are_read),
      cmocka_unit_test(mmcif_chains_are_told_apart),
      cmocka_unit_test(links_are_read),
      cmocka_unit_test(residues_are_told_apart),
      cmocka_unit_test(old_columns_do_no_harm),
      cmocka_unit_test(faults_are_told),
      cmocka_unit_test(compressed_files),
      cmocka_unit_test(builds_without_gemmi_say_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
