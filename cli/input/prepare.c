/* prepare.c - preparation of raw files: options shared by several programs, and reading a receptor from any file. */
#include "input/prepare.h"

#include <assert.h>
#include <berth/berth.h>
#include <berth/score.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/text/text.h"
#include "input/inputs.h"
#include "common/report.h"

static_assert(BT_CHARGES_GASTEIGER == 0 && BT_CHARGES_ZERO == 1 && BT_CHARGES_READ == 2, "order of --charges");
static_assert(BT_WATERS_NONE == 0 && BT_WATERS_BOUND == 1 && BT_WATERS_ALL == 2, "order of --waters");

cli_prepare cli_prepare_default(void) {
  return (cli_prepare){.ph = NAN, .ligands = bt_prepare_options_default(), .receptor = bt_receptor_options_default()};
}

cli_prepare cli_prepare_further(const cli_prepare *first, int model, const bt_molecule *opt_onto) {
  cli_prepare prepare = *first;
  prepare.receptor.model = model;
  prepare.receptor.opt_ligand = NULL;
  prepare.receptor.places = NULL;
  prepare.receptor.n_places = 0;
  prepare.receptor.opt_onto = opt_onto;
  return prepare;
}

void cli_prepare_free(cli_prepare *prepare) {
  cli_list *lists[] = {&prepare->keep,    &prepare->remove,   &prepare->states,
                       &prepare->altlocs, &prepare->residues, &prepare->places};
  for (int i = 0; i < CLI_COUNT(lists); i++) cli_list_free(lists[i]);
}

void cli_prepare_resolve(cli_prepare *prepare) {
  bt_receptor_options *r = &prepare->receptor;
  prepare->ligands.ph = r->ph = prepare->ph;
  r->as_drawn = prepare->ligands.as_drawn;
  prepare->ligands.opt_format = bt_format_word(prepare->format);
  r->waters = prepare->waters == CLI_WATERS_TOGGLE ? BT_WATERS_NONE : (bt_waters)prepare->waters;
  r->keep = prepare->keep.items, r->n_keep = prepare->keep.count;
  r->remove = prepare->remove.items, r->n_remove = prepare->remove.count;
  r->states = prepare->states.items, r->n_states = prepare->states.count;
  r->altlocs = prepare->altlocs.items, r->n_altlocs = prepare->altlocs.count;
  r->templates = prepare->residues.items, r->n_templates = prepare->residues.count;
}

/* Folders, archives and patterns may hold anything. */
static bool may_be_raw(const cli_prepare *prepare, const char *word) {
  const bt_format *format = strcmp(word, "-") == 0 ? bt_format_find(prepare->ligands.opt_format) : bt_format_of(word);
  return !bt_format_is(format, BT_FORMAT_PREPARED | BT_FORMAT_LIBRARY);
}

unsigned cli_prepare_holds(const cli_spec *spec, const cli_prepare *prepare, const char *receptor,
                           const cli_list *ligands, bool raw) {
  for (int i = 0; !raw && i < ligands->count; i++) raw = may_be_raw(prepare, ligands->items[i]);
  unsigned holds = raw ? CLI_IF_RAW_LIGAND : 0;
  if (bt_is_structure_file(receptor)) holds |= CLI_IF_RAW_RECEPTOR;
  return cli_given(spec, "ph") ? holds | CLI_IF_PH : holds;
}

bool cli_receptor_check(const char *program, const char *opt_path, bool maps) {
  const char *endings = maps ? ".pdb, .cif, .pdbqt or .maps.fld" : ".pdb, .cif or .pdbqt";
  if (opt_path == NULL) return cli_refuse(program, "no receptor; use -r FILE (%s)", endings);
  return bt_is_structure_file(opt_path) || cli_path_ends(opt_path, ".pdbqt") ||
         (maps && cli_path_ends(opt_path, ".fld")) ||
         cli_refuse(program, "%s: the receptor must be a %s file", opt_path, endings);
}

/* Is the word one of those separated by commas? */
static bool lists_word(const cli_list *list, const char *word, size_t size) {
  for (int i = 0; i < list->count; i++)
    for (const char *at = list->items[i]; *at != '\0'; at += strcspn(at, ","), at += *at == ',')
      if (strcspn(at, ",") == size && strncasecmp(at, word, size) == 0) return true;
  return false;
}

bool cli_prepare_check(const cli_spec *spec, const cli_prepare *prepare) {
  for (int i = 0; i < prepare->keep.count; i++)
    for (const char *at = prepare->keep.items[i]; *at != '\0'; at += strcspn(at, ","), at += *at == ',')
      if (lists_word(&prepare->remove, at, strcspn(at, ",")))
        return cli_refuse(spec->program, "--keep and --delete both name %.*s; name it in only one of them",
                          (int)(strcspn(at, ",") < 100 ? strcspn(at, ",") : 100), at);
  return true;
}

bool cli_ligands_check(const char *program, const cli_prepare *prepare, int *ret_exit_code) {
  bt_error error;
  if (prepare->ligands.protomers > 1 && prepare->ligands.as_drawn)
    return cli_refuse(program, "--protomers needs a pH, and --as-drawn keeps what is drawn; use one of them");
  if (prepare->ligands.protomers > 1 && prepare->receptor.opt_covalent != NULL)
    return cli_refuse(program, "--protomers is not available with --covalent; remove one of them");
  const char *filter = prepare->ligands.opt_filter;
  if (filter == NULL || bt_filter_check_words(filter, false, &error) == BT_OK) return true;
  *ret_exit_code = cli_fail(program, &error);
  return false;
}

bool cli_prepare_take_out(const char *program, cli_prepare *prepare, const char *receptor, const char *opt_word) {
  bt_place place;
  if (opt_word == NULL) return true;
  bool ok = bt_place_find(opt_word, receptor, &place, NULL) == BT_OK;
  const char *residues = place.opt_residues;
  if (ok && residues != NULL && strcmp(place.path, receptor) == 0) /* the list borrows the word, not place */
    ok = cli_list_add(&prepare->places, opt_word + strlen(opt_word) - strlen(residues));
  bt_place_clear(&place);
  prepare->receptor.places = prepare->places.items;
  prepare->receptor.n_places = prepare->places.count;
  return ok || cli_refuse(program, "out of memory");
}

bool cli_protonation(const cli_prepare *prepare, const char *receptor, char *words, size_t size) {
  if (!bt_is_structure_file(receptor)) return false;
  if (!isnan(prepare->ph))
    snprintf(words, size, "ligands and receptor at pH %g", prepare->ph);
  else if (prepare->ligands.as_drawn)
    snprintf(words, size, "ligands as drawn, receptor as in its file, else pH %g", BT_USUAL_PH);
  else
    snprintf(words, size, "ligands and receptor as in their files, else pH %g", BT_USUAL_PH);
  return true;
}

void cli_print_protonation(const cli_prepare *prepare, const char *receptor, FILE *stream) {
  char words[CLI_PROTONATION];
  if (cli_protonation(prepare, receptor, words, sizeof words)) fprintf(stream, "protons   %s\n", words);
}

/* --- receptors ----------------------------------------------------------------------------------------- */

bt_status cli_receptor_load(const char *program, const char *path, const cli_prepare *prepare, bool quiet,
                            cli_receptor *ret_receptor, bt_error *opt_error) {
  const bt_receptor_source source = {
      .path = path, .opt_flexible = prepare->opt_flex, .opt_prepare = &prepare->receptor};
  cli_receptor *receptor = ret_receptor;
  *receptor = (cli_receptor){.path = path};
  BT_TRY(bt_receptor_open(&source, &receptor->opened, opt_error));
  receptor->rigid = bt_receptor_rigid(receptor->opened);
  receptor->opt_flexible = bt_receptor_flexible(receptor->opened);
  receptor->opt_prepared = bt_receptor_prepared(receptor->opened);
  if (receptor->opt_flexible != NULL && access(prepare->opt_flex, F_OK) == 0)
    receptor->opt_flexible_path = prepare->opt_flex;
  for (int i = 0; !quiet && receptor->opt_prepared != NULL && i < bt_prepared_receptor_note_count(receptor->opt_prepared);
       i++)
    cli_message(program, "note: %s: %s", path, bt_prepared_receptor_note(receptor->opt_prepared, i));
  return BT_OK;
}

char *cli_receptor_notes(const cli_receptor *receptor) {
  const bt_prepared_receptor *prepared = receptor->opt_prepared;
  char *notes = NULL;
  for (int i = 0; prepared != NULL && i < bt_prepared_receptor_note_count(prepared); i++) {
    char *longer = cli_format("%s%s%s", notes != NULL ? notes : "", notes != NULL ? "\n" : "",
                              bt_prepared_receptor_note(prepared, i));
    free(notes);
    if (longer == NULL) return NULL;
    notes = longer;
  }
  return notes;
}

static void warn(void *user, const char *text) { cli_warning(*(const char **)user, "%s", text); }

bt_target_options cli_target_options(const char **opt_program, const cli_receptor *receptor, const cli_prepare *prepare,
                                     const char *opt_parameters, const bt_protocol *protocol) {
  bt_target_options options = bt_target_options_default();
  options.receptor = receptor->opened;
  options.opt_protocol = protocol;
  options.ligands = prepare->ligands;
  options.opt_parameters = opt_parameters;
  options.stand_ins = cli_stand_ins(prepare);
  options.zinc = prepare->receptor.zinc;
  options.opt_warn = opt_program != NULL ? warn : NULL;
  options.opt_user = opt_program;
  return options;
}

void cli_receptor_free(cli_receptor *receptor) {
  bt_receptor_close(receptor->opened);
  *receptor = (cli_receptor){0};
}

bt_status cli_extract_ligand(const char *path, const cli_prepare *prepare, cli_extract *ret_extract,
                             bt_error *opt_error) {
  const char *which = prepare->receptor.opt_ligand;
  *ret_extract = (cli_extract){0};
  if (!bt_is_structure_file(path))
    return cli_fill_error(opt_error, BT_ERR_USAGE, path, "use a PDB or mmCIF file as receptor",
                          "a ligand can be extracted only from a PDB or mmCIF file");
  if (prepare->ligands.opt_template == NULL)
    return cli_fill_error(opt_error, BT_ERR_USAGE, path, "provide its SMILES with --template",
                          "the bond orders of the ligand %s are unknown", which);
  BT_TRY(bt_receptor_ligand_pdb(path, prepare->receptor.model, which, &ret_extract->text, opt_error));
  ret_extract->format = "pdb";
  ret_extract->name = strdup(which);
  if (ret_extract->name == NULL) return bt_fail_memory(opt_error);
  for (char *c = ret_extract->name; *c != '\0'; c++)
    if (*c == ':') *c = '-';
  return BT_OK;
}

/* Only letters, digits and signs of SMILES; file names have other letters, or an extension. */
bool cli_looks_like_smiles(const char *word) {
  if (word[0] == '-' || bt_ligand_file_ending(word) > 0 || bt_is_library_file(word) ||
      access(word, F_OK) == 0)
    return false;
  for (const char *c = word; *c != '\0'; c++) {
    if (*c == '[') {
      c += strcspn(c, "]");
      if (*c == '\0') return false;
    } else if (strchr("BCNOPSFIbcnopslr0123456789()=#$:/\\@+-.%~", *c) == NULL) {
      return false;
    }
  }
  return word[0] != '\0' && word[0] != '/' && word[0] != '.';
}

bt_status cli_extract_smiles(const cli_list *smiles, cli_list *words, cli_extract *ret_extract, bt_error *opt_error) {
  bt_text text = {0};
  *ret_extract = (cli_extract){.format = "smiles"};
  for (int i = 0; i < smiles->count; i++) bt_text_printf(&text, "%s\n", smiles->items[i]);
  int kept = 0;
  for (int i = 0; i < words->count; i++)
    if (cli_looks_like_smiles(words->items[i]))
      bt_text_printf(&text, "%s\n", words->items[i]);
    else
      words->items[kept++] = words->items[i];
  words->count = kept;
  if (text.size == 0) return BT_OK;
  BT_TRY(bt_text_take(&text, &ret_extract->text, opt_error));
  ret_extract->name = strdup("smiles");
  return ret_extract->name != NULL ? BT_OK : bt_fail_memory(opt_error);
}
