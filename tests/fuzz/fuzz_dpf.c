/* fuzz_dpf.c - AutoDock's docking parameter file. */
#include <berth/berth.h>

#include "formats/autodock/dpf.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_dpf *dpf = NULL;
  bt_error error;
  bt_status status = bt_dpf_parse("fuzz.dpf", (const char *)data, size, &dpf, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    FUZZ_CHECK(dpf == NULL);
    return 0;
  }
  FUZZ_CHECK(bt_dpf_job_count(dpf) >= 1);
  for (int job = 0; job < bt_dpf_job_count(dpf); job++) {
    bt_dock_options options = bt_dock_options_default();
    bt_dpf_apply(dpf, job, &options);
    FUZZ_CHECK(options.runs >= 1 && options.population >= 2 && options.evaluations >= 1);
    FUZZ_CHECK((options.mutation_rate == -1.0 || options.mutation_rate >= 0.0) && options.mutation_rate <= 1.0);
    FUZZ_CHECK(options.rmsd_tolerance > 0.0);
    for (int i = 0; i < bt_dpf_word_count(dpf, job); i++) FUZZ_CHECK(bt_dpf_word(dpf, job, i)[0] != '\0');
  }
  for (int i = 0; i < bt_dpf_warning_count(dpf); i++) FUZZ_CHECK(bt_dpf_warning(dpf, i)[0] != '\0');
  bt_dpf_destroy(dpf);
  return 0;
}
