/* bude.c - `berth screen --engine bude`: checks and converts its options. */
#include <assert.h>
#include <string.h>

#include "bude/bude.h"
#include "input/effects.h"
#include "input/inputs.h"
#include "common/report.h"
#include "screen/settings.h"

static_assert(BT_BUDE_A == 0 && BT_BUDE_B == 1 && BT_BUDE_DECK == 2, "order of --rules");

bool screen_check_engine(const cli_spec *spec, const screen_settings *settings) {
  bool bude = settings->engine == SCREEN_BUDE;
  if (!cli_effects_check(spec, CLI_IF_AUTODOCK | CLI_IF_BUDE, bude ? CLI_IF_BUDE : CLI_IF_AUTODOCK)) return false;
  if (!bude) return true;
  return bude_check_place(spec, settings->receptor, settings->box.opt_autobox, true);
}

bt_status screen_resolve_bude(const cli_spec *spec, screen_settings *settings, bt_error *opt_error) {
  bt_bude_options *o = &settings->bude;
  const bt_dock_options usual = bt_dock_options_default();
  int conformers = o->ligands.conformers;
  o->aliases = settings->aliases.items;
  o->n_aliases = settings->aliases.count;
  memcpy(o->center, settings->box.center, sizeof o->center);
  if (cli_given(spec, "size")) memcpy(o->size, settings->box.size, sizeof o->size);
  if (cli_given(spec, "population")) o->population = settings->search.population;
  if (cli_given(spec, "generations")) {
    int64_t n = settings->search.generations;
    if (n > 1000000)
      return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "use 1 to 1000000", "--generations %lld", (long long)n);
    o->generations = (int)n;
  }
  settings->search.population = usual.population;
  settings->search.generations = usual.generations;
  o->ligands = settings->prepare.ligands;
  if (!cli_given(spec, "conformers")) o->ligands.conformers = conformers;
  settings->prepare.ligands.conformers = 1; /* of the library, which only splits files into records */
  o->threads = settings->search.threads;
  if (settings->device.opt_device != NULL && strcmp(settings->device.opt_device, "auto") != 0)
    o->opt_device = settings->device.opt_device;
  return bude_center(settings->box.opt_autobox, settings->receptor, &settings->prepare, o->center, opt_error);
}
