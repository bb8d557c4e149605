/* fuzz_fld.c - AutoGrid's .maps.fld; what is accepted can be written and read again. */
#include "formats/autodock/fld.h"
#include "fuzz/fuzz.h"

static void check(const bt_fld *fld) {
  int roles[4] = {0};
  for (int k = 0; k < 3; k++) {
    FUZZ_CHECK(fld->box.npts[k] >= 2 && fld->box.npts[k] % 2 == 0);
    FUZZ_CHECK(isfinite(fld->box.center[k]));
  }
  FUZZ_CHECK(fld->box.spacing > 0.0 && fld->box.spacing <= 10.0);
  for (int i = 0; i < fld->n_maps; i++) {
    FUZZ_CHECK(fld->maps[i].file != NULL && fld->maps[i].file[0] != '\0');
    FUZZ_CHECK((fld->maps[i].role == BT_FLD_AFFINITY) == (fld->maps[i].type[0] != '\0'));
    roles[fld->maps[i].role]++;
  }
  FUZZ_CHECK(roles[BT_FLD_ELECTROSTATIC] == 1 && roles[BT_FLD_DESOLVATION] == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_fld fld, again;
  bt_error error;
  bt_status status = bt_fld_parse("fuzz.maps.fld", (const char *)data, size, &fld, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    return 0;
  }
  check(&fld);
  const char *files[] = {"a.map", "b.map"};
  bt_text text = {0};
  bt_fld_format(&text, &fld.box, "r.pdbqt", "g.gpf", "r.maps.xyz", NULL, 0, files, fld.scoring);
  bt_xyz_format(&text, &fld.box);
  FUZZ_CHECK(bt_fld_parse("again", text.data, text.size, &again, NULL) == BT_OK);
  FUZZ_CHECK(again.scoring == fld.scoring);
  for (int k = 0; k < 3; k++) FUZZ_CHECK(fabs(fld.box.center[k] - again.box.center[k]) < 0.0006);
  bt_fld_destroy(&again);
  bt_text_destroy(&text);
  bt_fld_destroy(&fld);
  return 0;
}
