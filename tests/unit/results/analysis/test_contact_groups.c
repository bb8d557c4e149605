/* test_contact_groups.c - contacts of rings and charged groups: stacking, salt bridges, cations above rings. */
#include "results/analysis/contact_groups.h"

#include "unit/results/analysis/contacts.h"

/* --- pi stacking --------------------------------------------------------------------------------------- */

/* Six atoms 1.39 Angstrom around (x, 0, z), in a plane that is turned about x out of z = const. */
static void add_ring(bt_text *text, const char *names, const char *type, double x, double z, double degrees) {
  double angle = degrees * 0.017453292519943295;
  bt_span rest = bt_span_from(names);
  for (int i = 0; i < 6; i++) {
    double u = 1.39 * cos(i * 1.0471975511965976), v = 1.39 * sin(i * 1.0471975511965976);
    bt_span name = bt_span_word(&rest);
    bt_text_printf(text, "%s %.*s %s %.3f %.3f %.3f", i > 0 ? ";" : "", (int)name.size, name.text, type, x + u,
                   v * cos(angle), z + v * sin(angle));
  }
}

static void expect_rings(const char *type, double x, double z, double degrees, double shift, const char *expected) {
  bt_text receptor = {0}, ligand = {0};
  bt_text_add_string(&receptor, "PHE:");
  add_ring(&receptor, "CG CD1 CE1 CZ CE2 CD2", "A", 0, 0, 0);
  add_ring(&ligand, "C1 C2 C3 C4 C5 C6", type, x, z, degrees);
  expect_in((scene){.receptor = receptor.data, .ligand = ligand.data, .opt_letters = "P", .shift = shift}, expected);
  bt_text_destroy(&receptor);
  bt_text_destroy(&ligand);
}

/* The ring turns about x, so that a shift along x is the offset from both axes. */
static void test_stacked_rings(void **state) {
  (void)state;
  expect_rings("A", 0, 3.8, 0, 0, "P C1-CG 3.800\n");
  expect_rings("C", 0, 3.8, 0, 0, ""); /* not aromatic */
  expect_rings("A", 0, 3.8, 29, 0, "P C1-CG 3.800\n");
  expect_rings("A", 0, 3.8, 31, 0, "");
  expect_rings("A", 0, 4.9, 45, 0, "");
  expect_rings("A", 0, 4.9, 59, 0, "");
  expect_rings("A", 0, 4.9, 61, 0, "P C1-CG 4.900\n");
  expect_rings("A", 0, 4.9, 90, 0, "P C1-CG 4.900\n");
  expect_rings("A", 0, 4.9, 119, 0, "P C1-CG 4.900\n");
  expect_rings("A", 0, 3.8, 180, 0, "P C1-CG 3.800\n");
  expect_rings("A", 1.9, 3.5, 0, 0, "P C1-CG 3.982\n"); /* the root of 1.9 1.9 + 3.5 3.5 */
  expect_rings("A", 2.1, 3.5, 0, 0, "");
  expect_rings("A", 2.1, 4.5, 90, 0, "");
  for (int s = 0; s < SHIFTS; s++) {
    expect_rings("A", 0, 5.5, 0, shifts[s], "P C1-CG 5.500\n");
    expect_rings("A", 0, 5.5, 90, shifts[s], "P C1-CG 5.500\n");
    expect_rings("A", 0, 5.501, 0, shifts[s], "");
    expect_rings("A", 2, 3.5, 0, shifts[s], "P C1-CG 4.031\n");
    expect_rings("A", 2.001, 3.5, 0, shifts[s], "");
  }
}

/* Imidazole above histidine and beside it: five corners 1.15 Angstrom around the middle. */
static void test_rings_of_five(void **state) {
  (void)state;
  const char *histidine =
      "HIS: CG A 1.15 0 0; ND1 N 0.355 1.094 0; CE1 A -0.93 0.676 0; NE2 NA -0.93 -0.676 0; CD2 A 0.355 -1.094 0";
  const char *imidazole =
      "N1 N 1.15 0 3.6; C2 A 0.355 1.094 3.6; N3 NA -0.93 0.676 3.6; C4 A -0.93 -0.676 3.6; C5 A 0.355 -1.094 3.6";
  const char *imidazoline =
      "N1 N 1.15 0 3.6; C2 A 0.355 1.094 3.6; N3 NA -0.93 0.676 3.6; C4 C -0.93 -0.676 3.6; C5 C 0.355 -1.094 3.6";
  const char *incomplete = "HIS: CG A 1.15 0 0; ND1 N 0.355 1.094 0; CE1 A -0.93 0.676 0; CD2 A 0.355 -1.094 0";
  expect_in((scene){.receptor = histidine, .ligand = imidazole, .opt_letters = "P"}, "P N1-CG 3.600\n");
  expect_in((scene){.receptor = histidine, .ligand = imidazoline, .opt_letters = "P"}, "");
  expect_in((scene){.receptor = incomplete, .ligand = imidazole, .opt_letters = "P"}, "");
}

/* --- salt bridges -------------------------------------------------------------------------------------- */

/* The charged atom that comes nearest is at the origin in ligands, above it in receptors. */
static const char aspartate[] = "ASP: CG C -1.1 0.6 2.8; OD1 OA 0 0 2.8; OD2 OA -1.1 1.85 2.8";
static const char lysine[] = "LYS: CE C 0 1.5 2.8; NZ N 0 0 2.8; HZ1 HD 1 0 2.8; HZ2 HD -1 0 2.8; HZ3 HD 0 -1 2.8";
static const char ammonium[] = "C1 C 0 1.5 0; N1 N 0 0 0; H1 HD 1 0 0; H2 HD -1 0 0; H3 HD 0 -1 0";
static const char acetate[] = "C1 C -2.39 -0.16 0; C2 C -1.1 0.6 0; O1 OA 0 0 0; O2 OA -1.1 1.85 0";

static void expect_bridge(const char *receptor, const char *ligand, const char *expected) {
  expect_in((scene){.receptor = receptor, .ligand = ligand, .opt_letters = "S"}, expected);
}

static void test_bridges(void **state) {
  (void)state;
  expect_bridge(aspartate, ammonium, "S N1-OD1 2.800\n");
  expect_bridge(lysine, acetate, "S O1-NZ 2.800\n");
  expect_bridge(aspartate, acetate, ""); /* like charges */
  expect_bridge(lysine, ammonium, "");
  for (int s = 0; s < SHIFTS; s++) {
    expect_in((scene){"ASP: OD1 OA 0 0 4; OD2 OA -1.1 1.85 4", ammonium, NULL, NULL, "S", NULL, shifts[s]},
              "S N1-OD1 4.000\n");
    expect_in((scene){"ASP: OD1 OA 0 0 4.001; OD2 OA -1.1 1.85 4.001", ammonium, NULL, NULL, "S", NULL, shifts[s]}, "");
  }
}

/* A hydrogen on an oxygen: no anion, however the residue is called. */
static void test_acids(void **state) {
  (void)state;
  expect_bridge("ASP: OD1 OA 0 0 2.8; OD2 OA -1.1 1.85 2.8; HD2 HD -2.05 2.15 2.8", ammonium, "");
  expect_bridge("ASH: OD1 OA 0 0 2.8; OD2 OA -1.1 1.85 2.8; HD2 HD -2.05 2.15 2.8", ammonium, "");
  expect_bridge(lysine, "C1 C -2.39 -0.16 0; C2 C -1.1 0.6 0; O1 OA 0 0 0; O2 OA -1.1 1.85 0; H HD -2.05 2.15 0", "");
  const char *nitro = "C1 C -2.39 -0.16 0; N1 N -1.1 0.6 0; O1 OA 0 0 0; O2 OA -1.1 1.85 0";
  const char *sulfone = "S1 S 1.2 0.85 0; O1 OA 0 0 0; O2 OA 2.4 0 0; C1 C 1.2 1.85 1.5; C2 C 1.2 1.85 -1.5";
  const char *sulfonate = "S1 S 1.2 0.85 0; O1 OA 0 0 0; O2 OA 2.4 0 0; O3 OA 1.2 1.75 -1.15; C2 C 1.2 1.85 1.5";
  const char *phosphate =
      "P1 P 1.2 0.9 0; O1 OA 0 0 0; O2 OA 2.4 0 0; O3 OA 1.2 1.75 -1.25; O4 OA 1.2 1.75 1.25; C1 C 1.2 3.1 1.6";
  expect_bridge(lysine, nitro, "");
  expect_bridge(lysine, sulfone, "");
  expect_bridge(lysine, sulfonate, "S O1-NZ 2.800\n");
  expect_bridge(lysine, phosphate, "S O1-NZ 2.800\n");
}

/* A carbon with two -NH2 and what is given. */
static void expect_diamine(const char *rest, const char *expected) {
  char ligand[256];
  snprintf(ligand, sizeof ligand, "%s; %s; %s", "N1 N 0 0 0; H1 HD 0 -1 0; H2 HD -0.87 0.5 0; C1 C 1.15 0.66 0",
           "N2 N 1.15 1.99 0; H3 HD 0.28 2.49 0; H4 HD 2.02 2.49 0", rest);
  expect_bridge(aspartate, ligand, expected);
}

/* Rings of five and six around the origin's nitrogen, in the plane z = 0, and carbonyl groups that take the charge
 * away. */
static const char pyridine[] =
    "N1 NA 0 0 0; C2 A 1.16 0.67 0; C3 A 1.16 2.01 0; C4 A 0 2.68 0; C5 A -1.16 2.01 0;"
    "C6 A -1.16 0.67 0";
static const char imidazole[] =
    "N1 N 0 0 0; H1 HD 0 -1 0; C2 A 1.09 0.79 0; N3 N 0.67 2.07 0; C4 A -0.67 2.07 0;"
    "C5 A -1.09 0.79 0";

static void expect_ring(const char *ring, const char *rest, const char *expected) {
  char ligand[512];
  snprintf(ligand, sizeof ligand, "%s; %s", ring, rest);
  expect_bridge(aspartate, ligand, expected);
}

static void test_aromatic_bases(void **state) {
  (void)state;
  expect_bridge(aspartate, pyridine, "");
  expect_ring(pyridine, "H1 HD 0 -1 0", "S N1-OD1 2.800\n");
  expect_ring(pyridine, "C7 C 0 -1.47 0", "S N1-OD1 2.800\n"); /* N-methylpyridinium */
  expect_ring(pyridine, "H1 HD 0 -1 0; O2 OA 2.2 0 0", "");    /* pyridone */
  expect_ring(pyridine, "O1 OA 0 -1.3 0", "");                 /* N-oxide */
  expect_bridge(aspartate, imidazole, "");
  expect_ring(imidazole, "H3 HD 1.3 2.85 0", "S N1-OD1 2.800\n");
  expect_ring(imidazole, "H3 HD 1.3 2.85 0; O2 OA 2.3 0.4 0", ""); /* imidazolone */
}

static void test_formamidinium(void **state) {
  (void)state;
  const char *charged =
      "N1 N 0 0 0; H1 HD 0 -1 0; H2 HD -0.87 0.5 0; C1 C 1.13 0.66 0; N2 N 1.13 1.97 0; H3 HD 0.2 2.4 0;"
      "H4 HD 2 2.4 0";
  const char *aminal =
      "N1 N 0 0 0; H1 HD 0 -1 0; H2 HD -0.87 0.5 0; C1 C 1.3 0.7 0; N2 N 1.3 2.17 0; H3 HD 0.4 2.6 0;"
      "H4 HD 2.2 2.6 0";
  expect_bridge(aspartate, charged, "S N1-OD1 2.800\n");
  expect_bridge(aspartate, aminal, "");
}

/* Groups of flexible residues, at the coordinates of the pose. */
static void test_flexible_groups(void **state) {
  (void)state;
  const char *far = "ALA: CB C 0 20 0";
  expect_in((scene){.receptor = far,
                    .ligand = ammonium,
                    .opt_letters = "S",
                    .opt_flexible = "ASP: CG C -1.1 0.6 2.8; OD1 OA 0 0 2.8; OD2 OA -1.1 1.85 2.8"},
            "S N1-OD1 2.800\n");
  bt_text residue = {0}, ligand = {0};
  bt_text_add_string(&residue, "PHE:");
  add_ring(&residue, "CG CD1 CE1 CZ CE2 CD2", "A", 0, 0, 0);
  add_ring(&ligand, "C1 C2 C3 C4 C5 C6", "A", 0, 3.8, 0);
  expect_in((scene){.receptor = far, .ligand = ligand.data, .opt_flexible = residue.data, .opt_letters = "P"},
            "P C1-CG 3.800\n");
  bt_text_destroy(&residue);
  bt_text_destroy(&ligand);
}

/* An ammonium above phenylalanine, and beside its axis; a lysine above a ligand's ring. */
static void test_cations_above_rings(void **state) {
  (void)state;
  static const struct {
    double x, z;
    const char *expected;
  } cases[] = {{0, 4, "C N1-CG 4.000\n"}, {0, 6.001, ""}, {2.1, 4, ""}, {1.9, 4, "C N1-CG 4.428\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bt_text ring = {0}, ligand = {0};
    double x = cases[i].x, z = cases[i].z;
    bt_text_add_string(&ring, "PHE:");
    add_ring(&ring, "CG CD1 CE1 CZ CE2 CD2", "A", 0, 0, 0);
    bt_text_printf(&ligand,
                   "C1 C %.3f 1.5 %.3f; N1 N %.3f 0 %.3f; H1 HD %.3f 0 %.3f; H2 HD %.3f 0 %.3f; H3 HD %.3f -1 %.3f", x,
                   z, x, z, x + 1, z, x - 1, z, x, z);
    expect_in((scene){.receptor = ring.data, .ligand = ligand.data, .opt_letters = "C"}, cases[i].expected);
    bt_text_destroy(&ring);
    bt_text_destroy(&ligand);
  }
  bt_text ring = {0};
  add_ring(&ring, "C1 C2 C3 C4 C5 C6", "A", 0, -1.2, 0);
  expect_in((scene){.receptor = lysine, .ligand = ring.data, .opt_letters = "C"}, "C C1-NZ 4.000\n");
  bt_text_destroy(&ring);
}

static void test_bases(void **state) {
  (void)state;
  expect_diamine("C2 C 2.45 -0.09 0", "S N1-OD1 2.800\n");                              /* acetamidinium */
  expect_diamine("N3 N 2.3 0 0; H5 HD 2.3 -1 0; C2 C 3.55 0.72 0", "S N1-OD1 2.800\n"); /* guanidinium */
  expect_diamine("N3 NA 2.3 0 0; C2 C 3.55 0.72 0", "");                                /* neutral guanidine */
  expect_diamine("S1 S 2.65 -0.21 0; C2 C 4.21 0.69 0", "S N1-OD1 2.800\n");            /* isothiouronium */
  expect_diamine("O1 OA 2.22 0.04 0", "");                                              /* urea */
  expect_diamine("S1 SA 2.6 -0.18 0", "");                                              /* thiourea */
  expect_diamine("S1 S 2.6 -0.18 0", "");
  expect_bridge(aspartate, "C1 C 0 1.5 0; N1 N 0 0 0; H1 HD 1 0 0; H2 HD -1 0 0", ""); /* amine */
  expect_bridge(aspartate, "N1 N 0 0 0; C1 C 1.5 0 0; C2 C -1.5 0 0; C3 C 0 1.5 0; C4 C 0 -1.5 0", "S N1-OD1 2.800\n");
}

/* --- residues ------------------------------------------------------------------------------------------ */

/* Atoms of the residue are 3 Angstrom apart; those that are listed get a hydrogen. */
static void expect_groups(const char *residue, const char *names, const char *with_hydrogen, size_t n_rings, int sign) {
  bt_text text = {0};
  bt_span rest = bt_span_from(names);
  double x = 0;
  bt_text_printf(&text, "%s:", residue);
  for (bt_span word; (word = bt_span_word(&rest)).size > 0; x += 3) {
    char name[8];
    assert_true(bt_span_copy(word, name, sizeof name));
    bt_text_printf(&text, "%s %s %s %g 0 0", x > 0 ? ";" : "", name, name[0] == 'O' ? "OA" : "C", x);
    if (strstr(with_hydrogen, name) != NULL) bt_text_printf(&text, "; H HD %g 1 0", x);
  }
  bt_molecule *receptor = molecule_of(text.data, BT_MOLECULE_RECEPTOR, 0);
  bt_groups groups;
  bt_error error;
  support_ok(bt_groups_of_receptor(receptor, &groups, &error), &error);
  assert_int_equal(groups.n_rings, n_rings);
  assert_int_equal(groups.n_charged, sign != 0);
  if (sign != 0) assert_int_equal(groups.charged[0].sign, sign);
  bt_groups_clear(&groups);
  bt_molecule_destroy(receptor);
  bt_text_destroy(&text);
}

static void test_residues(void **state) {
  (void)state;
  static const char histidine[] = "CG ND1 CE1 NE2 CD2", purine[] = "OP1 OP2 N9 C8 N7 C5 C6 N1 C2 N3 C4";
  expect_groups("PHE", "CB CG CD1 CD2 CE1 CE2 CZ", "", 1, 0);
  expect_groups("TYR", "CG CD1 CD2 CE1 CE2 CZ OH", "OH", 1, 0);
  expect_groups("TRP", "CG CD1 NE1 CE2 CD2 CE3 CZ3 CH2 CZ2", "NE1", 2, 0);
  expect_groups("HIS", histidine, "ND1", 1, 0);
  expect_groups("HIS", histidine, "NE2", 1, 0);
  expect_groups("HIS", histidine, "ND1 NE2", 1, 1);
  expect_groups("HIP", histidine, "ND1 NE2", 1, 1);
  expect_groups("GLU", "CD OE1 OE2", "", 0, -1);
  expect_groups("GLU", "CD OE1 OE2", "OE1", 0, 0);
  expect_groups("GLH", "CD OE1 OE2", "OE2", 0, 0);
  expect_groups("ASP", "CG OD1", "", 0, 0);
  expect_groups("LYS", "CE NZ", "NZ", 0, 1);
  expect_groups("ARG", "CD NE CZ NH1 NH2", "NE NH1 NH2", 0, 1);
  expect_groups("ASN", "CG OD1 OD2", "", 0, 0); /* atom names alone are not enough */
  expect_groups("G", purine, "", 2, -1);
  expect_groups("DA", purine, "", 2, -1);
  expect_groups("U", "N1 C2 N3 C4 C5 C6", "", 1, 0);
}

/* Two ions of a ligand come by their nearest atoms, not by their middles; so do those of the receptor. */
static void test_order_of_bridges(void **state) {
  (void)state;
  expect_bridge("LYS: NZ N 0 0 3; ASP: OD1 OA 6 0 3; OD2 OA 6 0 5.2; GLU: OE1 OA 6 0 -3; OE2 OA 6 0 -5.2",
                "C1 C -1.1 0.6 0; N1 N 6 0 0; H1 HD 7 0 0; H2 HD 5 0 0; H3 HD 6 -1 0; H4 HD 6 1 0; C2 C -2.39 -0.16 0; "
                "O1 OA 0 0 0; O2 OA -1.1 1.85 0",
                "S N1-OD1 3.000\nS N1-OE1 3.000\nS O1-NZ 3.000\n");
}

/* Both rings of an indole under one of benzene, with CD2 behind CG or before it. */
static void test_order_of_rings(void **state) {
  (void)state;
  const char *five = "CG A 2.52 1.13 0; CD1 A 3.33 0 0; NE1 N 2.52 -1.13 0";
  const char *six =
      "CD2 A 1.204 0.695 0; CE2 A 1.204 -0.695 0; CZ2 A 0 -1.39 0; CH2 A -1.204 -0.695 0; "
      "CZ3 A -1.204 0.695 0; CE3 A 0 1.39 0";
  bt_text ligand = {0};
  add_ring(&ligand, "C1 C2 C3 C4 C5 C6", "A", 1, 3.6, 0);
  for (int k = 0; k < 2; k++) {
    char receptor[256];
    snprintf(receptor, sizeof receptor, "TRP: %s; %s", k ? six : five, k ? five : six);
    expect_in((scene){.receptor = receptor, .ligand = ligand.data, .opt_letters = "P"},
              k ? "P C1-CD2 3.736\nP C1-CG 3.781\n" : "P C1-CG 3.781\nP C1-CD2 3.736\n");
  }
  bt_text_destroy(&ligand);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stacked_rings),
      cmocka_unit_test(test_aromatic_bases),
      cmocka_unit_test(test_formamidinium),
      cmocka_unit_test(test_flexible_groups),
      cmocka_unit_test(test_cations_above_rings),
      cmocka_unit_test(test_rings_of_five),
      cmocka_unit_test(test_bridges),
      cmocka_unit_test(test_acids),
      cmocka_unit_test(test_bases),
      cmocka_unit_test(test_residues),
      cmocka_unit_test(test_order_of_bridges),
      cmocka_unit_test(test_order_of_rings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
