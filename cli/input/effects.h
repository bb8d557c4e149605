/* effects.h - notes and refusals for options that cannot have an effect: one table of options and of what each of them
 * needs. */
#ifndef BERTH_CLI_INPUT_EFFECTS_H
#define BERTH_CLI_INPUT_EFFECTS_H

#include "common/options.h"

/* What an option may need. A program adds up what holds. */
enum {
  CLI_IF_RAW_RECEPTOR = 1 << 0, /* a receptor from PDB or mmCIF, which is prepared here */
  CLI_IF_RAW_LIGAND = 1 << 1,   /* some ligand may be prepared here */
  CLI_IF_PH = 1 << 2,           /* --ph */
  CLI_IF_AUTOBOX = 1 << 3,      /* the box is made around something, without --size */
  CLI_IF_SOLIS_WETS = 1 << 4,   /* that local search */
  CLI_IF_LOCAL_SEARCH = 1 << 5, /* any */
  CLI_IF_TOURNAMENT = 1 << 6,
  CLI_IF_HEURISTICS = 1 << 7,
  CLI_IF_AUTOSTOP = 1 << 8,
  CLI_IF_CONTACTS = 1 << 9,
  CLI_IF_MINIMIZE = 1 << 10,
  CLI_IF_AUTODOCK = 1 << 11, /* the engine */
  CLI_IF_BUDE = 1 << 12
};

/* Reports every given option none of whose needs is met: in a note or, where ignoring it would change what the user
 * meant, as a refusal. Bits outside `known` count as holding. False after a refusal. */
bool cli_effects_check(const cli_spec *spec, unsigned known, unsigned holds);

#endif
