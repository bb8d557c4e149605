/* btl_cases.h - ligands and comparisons for the tests of libraries. Include after unit/support.h. */
#ifndef BERTH_TESTS_UNIT_LIBRARY_BTL_CASES_H
#define BERTH_TESTS_UNIT_LIBRARY_BTL_CASES_H

#include "chem/molecule.h"
#include "library/library.h"
#include "unit/support.h"

/* As AutoDockTools writes it: serials and residues in order. */
static const char case_plain[] =
    "REMARK  Name = methyl\nROOT\n"
    "ATOM      1  C   UNL A   1      -5.290  -1.941  -2.425  0.00  0.00    -0.066 C \n"
    "ATOM      2  O   UNL A   1      -6.020  -2.192  -3.529  0.00  0.00    -0.361 OA\n"
    "ATOM      3  H   UNL A   1      -6.543  -1.997  -3.630  0.00  0.00    +0.217 HD\n"
    "ENDROOT\nBRANCH   1   4\n"
    "ATOM      4  C   UNL A   1      -4.279  -0.659  -2.414  0.00  0.00    +0.010 C \n"
    "BRANCH   4   6\n"
    "ATOM      5 CL   UNL A   1      -3.671  -0.097  -0.546  0.00  0.00    -0.100 Cl\n"
    "ATOM      6  N   UNL A   1      -3.636   0.879  -2.539  0.00  0.00    -0.300 N \n"
    "ENDBRANCH   4   6\n"
    "BRANCH   4   7\n"
    "ATOM      7  S   UNL A   1      -3.100  -1.279  -3.539  0.00  0.00    -0.100 SA\n"
    "ENDBRANCH   4   7\n"
    "ENDBRANCH   1   4\nTORSDOF 2\n";

/* Meeko's remarks; serials with gaps, two residues, an insertion code, names with digits, no TORSDOF. */
static const char case_odd[] =
    "REMARK SMILES OCCN\nREMARK SMILES IDX 1 10 2 20 3 30 4 41\nREMARK H PARENT 1 11 4 42\n"
    "REMARK Flexibility Score: inf\nROOT\n"
    "HETATM   10  O1  ETA B-  7       0.001   0.002   0.003  1.00  0.00    -0.400 OA\n"
    "HETATM   11  HO1 ETA B  17A      0.500  -0.800   0.100  1.00  0.00     0.210 HD\n"
    "ENDROOT\nBRANCH  10  20\n"
    "HETATM   20  C2  ETA B  17A      1.400   0.100   0.000  1.00  0.00     0.150 C\n"
    "BRANCH  20  30\n"
    "HETATM   30 C3XX XYZ B  18       1.900   1.500   0.200  1.00  0.00     0.120 CG0\n"
    "HETATM   41  N1  XYZ B  18       3.300   1.500   0.300  1.00  0.00    -0.350 N\n"
    "HETATM   42  HN  XYZ B  18       3.700   2.400   0.400  1.00  0.00     0.200 HD\n"
    "HETATM   43  G   XYZ B  18       2.700   2.400   1.400  1.00  0.00     0.000 G0\n"
    "ENDBRANCH  20  30\nENDBRANCH  10  20\n";

/* Numbers with more digits than columns usually hold, and far apart. */
static const char case_exact[] =
    "ROOT\n"
    "ATOM      1  C   LIG     1     1234.560.123456 -7.5e-2  1.00  0.00      1e-5 C\n"
    "ATOM      2  C   LIG     1    -1234.56   0.000   0.000  1.00  0.00    -0.000 A\n"
    "ENDROOT\nTORSDOF 0\n";

/* One atom. */
static const char case_single[] =
    "ROOT\nATOM      1 ZN   ZN      1       0.000   0.000   0.000  1.00  0.00     2.000 Zn\nENDROOT\nTORSDOF 0\n";

static inline void case_write(char *path, size_t size, const char *folder, const char *name, const char *text) {
  assert_true((size_t)snprintf(path, size, "%s/%s", folder, name) < size);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fwrite(text, 1, strlen(text), file) == strlen(text));
  assert_int_equal(fclose(file), 0);
}

static inline bool case_same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (a == 0 && b == 0); }

/* All but texts and places of lines. */
static inline void case_assert_same(const bt_molecule *a, const bt_molecule *b) {
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->torsdof, b->torsdof);
  assert_int_equal(a->n_atoms, b->n_atoms);
  assert_int_equal(a->n_fragments, b->n_fragments);
  for (int i = 0; i < a->n_atoms; i++) {
    const bt_atom *p = &a->atoms[i], *q = &b->atoms[i];
    for (int k = 0; k < 3; k++) assert_true(case_same_bits(p->x[k], q->x[k]));
    assert_true(case_same_bits(p->charge, q->charge));
    assert_int_equal(p->serial, q->serial);
    assert_int_equal(p->fragment, q->fragment);
    assert_int_equal(p->resnum, q->resnum);
    assert_int_equal(p->chain, q->chain);
    assert_int_equal(p->icode, q->icode);
    assert_string_equal(p->type, q->type);
    assert_string_equal(p->name, q->name);
    assert_string_equal(p->resname, q->resname);
  }
  for (int f = 0; f < a->n_fragments; f++) {
    const bt_fragment *p = &a->fragments[f], *q = &b->fragments[f];
    assert_int_equal(p->parent, q->parent);
    assert_int_equal(p->axis_from, q->axis_from);
    assert_int_equal(p->axis_to, q->axis_to);
    assert_int_equal(p->first_atom, q->first_atom);
    assert_int_equal(p->end_atom, q->end_atom);
  }
}

static inline bt_library *case_open(const char *path) {
  bt_prepare_options options = bt_prepare_options_default();
  options.conformers = 0; /* as drawn, which is quick */
  bt_library *library = NULL;
  bt_error error = {0};
  support_ok(bt_library_open(&path, 1, &options, &library, &error), &error);
  return library;
}

/* The next item, prepared; false at the end. */
static inline bool case_next(bt_library *library, bt_library_item *item) {
  bool found;
  bt_error error = {0};
  support_ok(bt_library_next(library, item, &found, &error), &error);
  if (!found) return false;
  support_ok(bt_library_prepare(library, item, &error), &error);
  assert_true((item->molecule != NULL) == (item->error.status == BT_OK));
  if (item->molecule == NULL) assert_true(item->error.message[0] != '\0' && item->error.remedy[0] != '\0');
  assert_non_null(item->name);
  assert_non_null(item->source);
  return true;
}

static inline bt_library_result case_make(const char *from, const char *to) {
  bt_library_options options = bt_library_options_default();
  bt_library_result result;
  bt_error error = {0};
  options.threads = 2;
  options.prepare.conformers = 0;
  bt_status status = bt_library_write(&from, 1, to, &options, &result, &error);
  if (status == BT_ERR_USAGE && strstr(error.message, "zstd") != NULL) {
    print_message("skipped: this build has no zstd\n");
    skip();
  }
  support_ok(status, &error);
  return result;
}

#endif
