/* effects.c - see effects.h. */
#include "input/effects.h"

#include <string.h>

#include "common/report.h"

/* Why an option has no effect, and what to do. */
static const struct {
  unsigned needs;
  const char *why, *remedy;
} reasons[] = {
    {CLI_IF_RAW_RECEPTOR, "the receptor is used as it was prepared", "use a .pdb or .cif receptor, or remove it"},
    {CLI_IF_RAW_LIGAND, "the ligands are used as they were prepared", "use them as .sdf, .mol2 or .smi, or remove it"},
    {CLI_IF_RAW_RECEPTOR | CLI_IF_RAW_LIGAND, "receptor and ligands are used as they were prepared",
     "use raw files (.pdb, .cif, .sdf, .smi), or remove it"},
    {CLI_IF_PH, "pKa values matter only for a given pH", "add --ph, or remove it"},
    {CLI_IF_AUTOBOX, "the size of the box is given", "remove it, or use --autobox without --size"},
    {CLI_IF_SOLIS_WETS, "the local search is another one", "add --local-search solis-wets, or remove it"},
    {CLI_IF_LOCAL_SEARCH, "there is no local search", "choose one with --local-search, or remove it"},
    {CLI_IF_TOURNAMENT, "parents are not selected by tournament", "remove it, or --selection"},
    {CLI_IF_HEURISTICS, "the evaluations are not chosen by heuristics", "remove it, or --heuristics off and --evals"},
    {CLI_IF_AUTOSTOP, "the search does not stop by itself", "remove it, or --autostop off"},
    {CLI_IF_CONTACTS, "no contacts are listed", "add --contacts, or remove it"},
    {CLI_IF_MINIMIZE, "poses are scored as they are", "add --minimize, or remove it"},
    {CLI_IF_AUTODOCK, NULL, "bude"}, /* the engine in place of it */
    {CLI_IF_BUDE, NULL, "autodock"},
};

typedef enum answer { NOTE, REFUSAL } answer;

/* An option may have several rows: each must hold, by any of its bits. */
static const struct {
  const char *option;
  unsigned needs;
  answer answer;
} table[] = {
    {"ph", CLI_IF_RAW_RECEPTOR | CLI_IF_RAW_LIGAND, REFUSAL},
    {"set-state", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"delete", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"keep", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"waters", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"model", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"delete-unknown", CLI_IF_RAW_RECEPTOR, NOTE},
    {"no-rebuild", CLI_IF_RAW_RECEPTOR, NOTE},
    {"altloc", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"residue-template", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"new-hydrogens", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"flips", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"pka", CLI_IF_RAW_RECEPTOR, REFUSAL},
    {"pka", CLI_IF_PH, REFUSAL},
    {"pka-time", CLI_IF_RAW_RECEPTOR, NOTE},
    {"pka-time", CLI_IF_PH, NOTE},
    {"as-drawn", CLI_IF_RAW_LIGAND, REFUSAL},
    {"name-field", CLI_IF_RAW_LIGAND, NOTE},
    {"smiles-field", CLI_IF_RAW_LIGAND, NOTE},
    {"conformers", CLI_IF_RAW_LIGAND, NOTE},
    {"conformer-seed", CLI_IF_RAW_LIGAND, NOTE},
    {"coordinates", CLI_IF_RAW_LIGAND, NOTE},
    {"stereo", CLI_IF_RAW_LIGAND, NOTE},
    {"protomers", CLI_IF_RAW_LIGAND, NOTE},
    {"charges", CLI_IF_RAW_LIGAND, REFUSAL},
    {"flexible-amides", CLI_IF_RAW_LIGAND, REFUSAL},
    {"rigid-macrocycles", CLI_IF_RAW_LIGAND, NOTE},
    {"macrocycle-size", CLI_IF_RAW_LIGAND, NOTE},
    {"hydrated", CLI_IF_RAW_LIGAND, REFUSAL},
    {"keep-hydrogens", CLI_IF_RAW_LIGAND, REFUSAL},
    {"old-rules", CLI_IF_RAW_LIGAND, NOTE},
    {"record-time", CLI_IF_RAW_LIGAND, NOTE},
    {"padding", CLI_IF_AUTOBOX, NOTE},
    {"sw-move", CLI_IF_SOLIS_WETS, NOTE},
    {"sw-angle", CLI_IF_SOLIS_WETS, NOTE},
    {"sw-rho-limit", CLI_IF_SOLIS_WETS, NOTE},
    {"sw-limit", CLI_IF_SOLIS_WETS, NOTE},
    {"local-search-rate", CLI_IF_LOCAL_SEARCH, NOTE},
    {"local-search-iterations", CLI_IF_LOCAL_SEARCH, NOTE},
    {"local-search-iterations", CLI_IF_MINIMIZE, NOTE},
    {"local-search", CLI_IF_MINIMIZE, NOTE},
    {"tournament-rate", CLI_IF_TOURNAMENT, NOTE},
    {"heuristics-max", CLI_IF_HEURISTICS, NOTE},
    {"autostop-tolerance", CLI_IF_AUTOSTOP, NOTE},
    {"autostop-interval", CLI_IF_AUTOSTOP, NOTE},
    {"autostop-runs", CLI_IF_AUTOSTOP, NOTE},
    {"contact-distances", CLI_IF_CONTACTS, NOTE},
    {"flex", CLI_IF_AUTODOCK, REFUSAL},
    {"scoring", CLI_IF_AUTODOCK, REFUSAL},
    {"parameters", CLI_IF_AUTODOCK, REFUSAL},
    {"padding", CLI_IF_AUTODOCK, REFUSAL},
    {"spacing", CLI_IF_AUTODOCK, REFUSAL},
    {"effort", CLI_IF_AUTODOCK, REFUSAL},
    {"runs", CLI_IF_AUTODOCK, REFUSAL},
    {"evals", CLI_IF_AUTODOCK, REFUSAL},
    {"heuristics", CLI_IF_AUTODOCK, REFUSAL},
    {"heuristics-max", CLI_IF_AUTODOCK, REFUSAL},
    {"autostop", CLI_IF_AUTODOCK, REFUSAL},
    {"local-search", CLI_IF_AUTODOCK, REFUSAL},
    {"local-search-iterations", CLI_IF_AUTODOCK, REFUSAL},
    {"template", CLI_IF_AUTODOCK, REFUSAL},
    {"coordinates", CLI_IF_AUTODOCK, REFUSAL},
    {"charges", CLI_IF_AUTODOCK, REFUSAL},
    {"flexible-amides", CLI_IF_AUTODOCK, REFUSAL},
    {"hydrated", CLI_IF_AUTODOCK, REFUSAL},
    {"keep-hydrogens", CLI_IF_AUTODOCK, REFUSAL},
    {"old-rules", CLI_IF_AUTODOCK, REFUSAL},
    {"team", CLI_IF_AUTODOCK, REFUSAL},
    {"reduction", CLI_IF_AUTODOCK, REFUSAL},
    {"rigid-macrocycles", CLI_IF_AUTODOCK, REFUSAL},
    {"isa", CLI_IF_AUTODOCK, REFUSAL},
    {"devices", CLI_IF_AUTODOCK, REFUSAL},
    {"rescore", CLI_IF_AUTODOCK, REFUSAL},
    {"rank-by", CLI_IF_AUTODOCK, REFUSAL},
    {"covalent", CLI_IF_AUTODOCK, REFUSAL},
    {"filter", CLI_IF_AUTODOCK, REFUSAL},
    {"protomers", CLI_IF_AUTODOCK, REFUSAL},
    {"warhead", CLI_IF_AUTODOCK, REFUSAL},
    {"require", CLI_IF_AUTODOCK, REFUSAL},
    {"prefer", CLI_IF_AUTODOCK, REFUSAL},
    {"pharmacophore", CLI_IF_AUTODOCK, REFUSAL},
    {"core", CLI_IF_AUTODOCK, REFUSAL},
    {"rules", CLI_IF_BUDE, REFUSAL},
    {"forcefield", CLI_IF_BUDE, REFUSAL},
    {"alias", CLI_IF_BUDE, REFUSAL},
    {"step", CLI_IF_BUDE, REFUSAL},
    {"angle-step", CLI_IF_BUDE, REFUSAL},
    {"parents", CLI_IF_BUDE, REFUSAL},
    {"duplicates", CLI_IF_BUDE, REFUSAL},
    {"separation", CLI_IF_BUDE, REFUSAL},
    {"keep-conformer", CLI_IF_BUDE, REFUSAL},
    {"memory", CLI_IF_BUDE, REFUSAL},
};

/* --keep of a screen counts ligands; that of receptors lists residues. */
static bool is_given(const cli_spec *spec, const char *name) {
  for (int i = 0; i < spec->n_options; i++)
    if (strcmp(spec->options[i].name, name) == 0)
      return spec->options[i].given > 0 && (spec->options[i].kind == CLI_LIST || strcmp(name, "keep") != 0);
  return false;
}

static bool answer_option(const cli_spec *spec, const char *option, unsigned needs, bool refuse) {
  int k = 0;
  while (reasons[k].needs != needs) k++; /* every row's needs have a reason */
  const char *why = reasons[k].why, *remedy = reasons[k].remedy;
  if (why == NULL) return cli_refuse(spec->program, "--%s has no effect with --engine %s; remove it", option, remedy);
  if (refuse) return cli_refuse(spec->program, "--%s has no effect: %s; %s", option, why, remedy);
  cli_message(spec->program, "note: --%s has no effect: %s", option, why);
  return true;
}

bool cli_effects_check(const cli_spec *spec, unsigned known, unsigned holds) {
  for (int pass = REFUSAL; pass >= NOTE; pass--) /* no notes before a refusal */
    for (int k = 0; k < CLI_COUNT(table); k++) {
      if ((int)table[k].answer != pass || !is_given(spec, table[k].option)) continue;
      if ((table[k].needs & ~known) != 0 || (table[k].needs & holds) != 0) continue;
      if (!answer_option(spec, table[k].option, table[k].needs, pass == REFUSAL)) return false;
    }
  return true;
}
