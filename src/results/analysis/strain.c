/* strain.c - see strain.h. */
#include "results/analysis/strain.h"

#include <berth/report.h>
#include <math.h>

#include "base/memory.h"
#include "chem/chemistry.h"
#include "chem/molecule.h"
#include "results/flags.h"

enum { RELAXED_CLUSTERS = 3 /* whose best poses are conformers to compare with */ };

static bt_status judge(const bt_result *result, bt_strainer *strainer, int most, double (*x)[3], bt_run *run,
                       bt_error *opt_error) {
  bool best = run->rank_in_cluster == 1 && run->cluster <= most;
  BT_TRY(bt_molecule_all_atoms(bt_run_ligand(result, run)->molecule, (const double(*)[3])(const void *)run->xyz, x, opt_error));
  BT_TRY(bt_strainer_faults(strainer, (const double(*)[3])x, &run->faults, opt_error));
  if (!best && most >= 0) return BT_OK;
  return bt_strainer_energy(strainer, (const double(*)[3])x,
                            run->rank_in_cluster == 1 && run->cluster <= RELAXED_CLUSTERS, &run->strain, opt_error);
}

static bt_status judge_all(bt_result *result, bt_strainer *strainer, int most, double (*x)[3], bt_error *opt_error) {
  for (int k = 0; k < result->n_poses; k++)
    BT_TRY(judge(result, strainer, most, x, &result->runs[result->ranking[k]], opt_error));
  for (int k = 0; k < result->n_poses; k++) result->runs[k].strain -= bt_strainer_relaxed(strainer);
  result->strain_source = bt_strainer_source(strainer);
  return BT_OK;
}

bt_status bt_result_judge_strain(bt_result *result, int most, bt_error *opt_error) {
  const bt_molecule *molecule = result->ligand->molecule;
  result->with_strain = true;
  result->strain_source = "";
  for (int k = 0; k < result->n_poses; k++) result->runs[k].strain = NAN;
  if (!bt_molecule_has_chemistry(molecule) || molecule->n_joined > 0) return BT_OK;
  const bt_chemistry *chemistry = molecule->chemistry;
  bt_strainer *strainer = NULL;
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)chemistry->n_atoms, sizeof *x);
  if (x == NULL) return bt_fail_memory(opt_error);
  bt_error error = {0};
  bt_status status = bt_strainer_create(chemistry->mol, (const double(*)[3])chemistry->x, &strainer, &error);
  if (status == BT_OK) status = judge_all(result, strainer, most, x, &error);
  bt_strainer_destroy(strainer);
  for (int k = 0; status != BT_OK && k < result->n_poses; k++) result->runs[k].strain = NAN;
  if (status == BT_OK || bt_status_concerns_ligand(status)) return BT_OK; /* a pose is worth more than its strain */
  if (opt_error != NULL) *opt_error = error;
  return status;
}

/* Their words, and what a table says of them. */
static const struct {
  unsigned fault;
  const char *word, *text;
} faults[BT_FAULTS] = {{BT_FAULT_AMIDE, "twisted_amide", "a twisted amide"},
                       {BT_FAULT_RING, "open_ring", "a ring that is not closed"},
                       {BT_FAULT_STEREO, "wrong_stereo", "other stereochemistry than the ligand"}};

unsigned bt_fault_bit(int index) { return faults[index].fault; }
const char *bt_fault_word(int index) { return faults[index].word; }
const char *bt_fault_text(int index) { return faults[index].text; }

void bt_flags_visit(const bt_run *run, void (*add)(void *user, const char *word), void *user) {
  if (bt_run_is_outside(run)) add(user, "outside_box");
  if (bt_run_clashes(run)) add(user, "clash");
  for (int k = 0; k < BT_FAULTS; k++)
    if ((run->faults & faults[k].fault) != 0) add(user, faults[k].word);
}

typedef struct words {
  bt_text *text;
  bool first;
} words;

static void add_word(void *user, const char *word) {
  words *w = user;
  if (!w->first) bt_text_add_char(w->text, ' ');
  bt_text_add_string(w->text, word);
  w->first = false;
}

void bt_flags_add_text(bt_text *text, const bt_run *run) {
  words w = {text, true};
  bt_flags_visit(run, add_word, &w);
}
