/* fuzz_gpf.c - AutoGrid's grid parameter file. */
#include "formats/autodock/gpf.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_gpf gpf;
  bt_error error;
  bt_status status = bt_gpf_parse("fuzz.gpf", (const char *)data, size, &gpf, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    return 0;
  }
  FUZZ_CHECK(gpf.fld != NULL && gpf.receptor != NULL && gpf.ligand_types.count > 0);
  FUZZ_CHECK(gpf.maps.count == gpf.ligand_types.count);
  for (int k = 0; k < 3; k++) FUZZ_CHECK(gpf.npts[k] >= 2 && gpf.npts[k] % 2 == 0 && isfinite(gpf.center[k]));
  FUZZ_CHECK(gpf.spacing > 0.0 && isfinite(gpf.smooth) && isfinite(gpf.dielectric));
  for (int i = 0; i < gpf.n_pairs; i++) FUZZ_CHECK(gpf.pairs[i].m != gpf.pairs[i].n);
  bt_gpf_destroy(&gpf);
  return 0;
}
