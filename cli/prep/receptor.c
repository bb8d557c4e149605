/* receptor.c - `berth prep receptor`: PDB and mmCIF -> PDBQT and a report. */
#include <stdio.h>
#include <string.h>

#include "common/report.h"
#include "input/inputs.h"
#include "input/prepare.h"
#include "output/guard.h"
#include "output/origin.h"
#include "output/outputs.h"
#include "prep/prep.h"

static const char details[] =
    "Writes PREFIX.pdbqt, with --flex also PREFIX_flex.pdbqt (PREFIX.pdbqt then lacks the flexible atoms), and what\n"
    "was done to every residue as PREFIX.report.txt and PREFIX.report.json. Waters and crystallization additives are\n"
    "removed, and notes name them; ions and cofactors are kept. The chemistry of an unknown residue is found from its\n"
    "coordinates, and a note shows it; --strict refuses such a residue.\n"
    "docs/preparation.md has the rules. PREFIX.inputs.txt names the input; results of another input are replaced\n"
    "only with --overwrite.\n"
    "Residues are named HOH, 57, HIS57, A:57, A:HIS57, A:HIS:57 or B: (a chain); several with commas.\n"
    "Exit code: 0 success, 1 invalid input, 3 out of memory.";

static const char examples[] =
    "  berth prep receptor -r 1hpv.pdb -o protein --delete 478\n"
    "  berth prep receptor -r 1hpv.cif.gz -o protein --keep :HOH201 --set-state B:25:ASH\n"
    "  berth prep receptor -r enzyme.pdb -o enzyme --flex A:ARG8,A:ASP25 --ph 6.5\n"
    "  berth prep receptor -r 1s63.pdb -o 1s63 --zinc\n"
    "      tetrahedral zinc as in AD4Zn";

typedef struct receptor_command {
  const char *program;
  const char *input, *output, *opt_ligand_from;
  cli_prepare prepare;
  bool json, quiet, pdb, overwrite;
} receptor_command;

static bool check(const receptor_command *c) {
  if (c->input == NULL) return cli_refuse(c->program, "no receptor; use -r FILE (.pdb or .cif)");
  if (c->output == NULL) return cli_refuse(c->program, "no output; use -o PREFIX");
  if (!bt_is_structure_file(c->input) && strcmp(c->input, "-") != 0)
    return cli_refuse(c->program, "%s: the receptor must be a .pdb or .cif file (also .gz, .bz2, .zst)", c->input);
  return true;
}

static bool parse(receptor_command *c, int argc, char **argv, int *ret_exit_code) {
  cli_list words = {0};
  cli_option options[] = {
      {.group = "Input", OPT_STRING("receptor", 'r', &c->input, "FILE",
       ".pdb or .cif (also .gz, .bz2, .zst), or - for standard input")},
      {OPT_STRING("ligand-from", 0, &c->opt_ligand_from, "RES",
       "residue that is the ligand; removed from the receptor")},
      {OPT_STRING("flex", 'f', &c->prepare.opt_flex, "RES,RES", "flexible side chains, such as A:ARG8,A:ASP25")},
      CLI_PH_OPTION(c->prepare),
      CLI_AS_DRAWN_OPTION(c->prepare),
      {.group = "Output", OPT_STRING("output", 'o', &c->output, "PREFIX",
       "prefix of all file names; a trailing .pdbqt is dropped")},
      {OPT_FLAG("pdb", 0, &c->pdb, "also write PREFIX.prepared.pdb")},
      {CLI_OVERWRITE_OPTION(&c->overwrite)},
      {OPT_FLAG("json", 0, &c->json, "print the report as JSON")},
      {OPT_FLAG("quiet", 'q', &c->quiet, "print nothing")},
      CLI_RECEPTOR_OPTIONS(c->prepare),
      CLI_STRICT_OPTION(c->prepare),
  };
  cli_spec spec = {c->program,
   "prepare a receptor from a PDB or mmCIF file as PDBQT", "-r FILE -o PREFIX [options]", details,
                   examples, CLI_TABLE(options), &words};
  bool good = cli_parse(&spec, argc, argv, ret_exit_code);
  if (good) {
    *ret_exit_code = CLI_EXIT_BAD;
    if (c->input == NULL && words.count == 1) c->input = words.items[0], words.count = 0;
    good = words.count == 0 || cli_refuse(c->program, "unexpected argument '%s'; use one receptor", words.items[0]);
  }
  cli_list_free(&words);
  if (!good || !check(c)) return false;
  cli_prepare_resolve(&c->prepare);
  c->prepare.receptor.opt_ligand = c->opt_ligand_from;
  c->prepare.receptor.flexible = &c->prepare.opt_flex;
  c->prepare.receptor.n_flexible = c->prepare.opt_flex != NULL;
  return true;
}

static bt_status check_text(const receptor_command *c, const cli_origin *origin, const char *prefix, const char *ending,
                            bt_error *error) {
  BT_SCOPED char *path = cli_format("%s%s", prefix, ending);
  if (path == NULL) return bt_fail_memory(error);
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(cli_guard_add(&inputs, &c->input, 1, error));
  BT_TRY(bt_file_set_spare(&inputs, path, error));
  return cli_origin_check(origin, path, error);
}

static bt_status write_text(const char *prefix, const char *ending, const char *text, bool quiet, bt_error *error) {
  BT_SCOPED char *path = cli_format("%s%s", prefix, ending);
  if (path == NULL) return bt_fail_memory(error);
  bt_status status = bt_file_write(path, text, strlen(text), error);
  if (status == BT_OK && !quiet) printf("  %s\n", path);
  return status;
}

static bt_status write_all(const receptor_command *c, const char *prefix, const bt_prepared_receptor *prepared,
                           bt_error *error) {
  const char *report = bt_prepared_receptor_report(prepared);
  bool quiet = c->quiet || c->json, flexible = bt_prepared_receptor_flexible(prepared) != NULL;
  const struct {
    const char *ending, *opt_text;
  } files[] = {{".pdbqt", bt_prepared_receptor_rigid_pdbqt(prepared)},
               {"_flex.pdbqt", flexible ? bt_prepared_receptor_flexible_pdbqt(prepared) : NULL},
               {".prepared.pdb", c->pdb ? bt_prepared_receptor_pdb(prepared) : NULL},
               {".report.txt", report},
               {".report.json", bt_prepared_receptor_report_json(prepared)}};
  BT_SCOPED char *record = cli_format("%s.inputs.txt", prefix);
  if (record == NULL) return bt_fail_memory(error);
  const cli_origin origin = {.record = record, .opt_receptor = c->input, .overwrite = c->overwrite};
  for (int i = 0; i < CLI_COUNT(files); i++)
    if (files[i].opt_text != NULL) BT_TRY(check_text(c, &origin, prefix, files[i].ending, error));
  BT_TRY(cli_origin_keep(&origin, error));
  if (c->json) fputs(bt_prepared_receptor_report_json(prepared), stdout);
  if (!quiet) printf("%.*s\n", (int)strcspn(report, "\n"), report);
  for (int i = 0; i < CLI_COUNT(files); i++)
    if (files[i].opt_text != NULL) BT_TRY(write_text(prefix, files[i].ending, files[i].opt_text, quiet, error));
  return BT_OK;
}

static int run(const receptor_command *c) {
  bt_error error = {0};
  size_t length = strlen(c->output) - (cli_path_ends(c->output, ".pdbqt") ? strlen(".pdbqt") : 0);
  BT_SCOPED char *prefix = strndup(c->output, length);
  bt_prepared_receptor *prepared = NULL;
  bt_status status = prefix != NULL ? cli_folder_check(prefix, &error) : bt_fail_memory(&error);
  if (status == BT_OK) status = bt_receptor_prepare(c->input, &c->prepare.receptor, &prepared, &error);
  for (int i = 0; status == BT_OK && !c->quiet && i < bt_prepared_receptor_note_count(prepared); i++)
    cli_message(c->program, "note: %s: %s", c->input, bt_prepared_receptor_note(prepared, i));
  if (status == BT_OK) status = write_all(c, prefix, prepared, &error);
  bt_prepared_receptor_destroy(prepared);
  return status == BT_OK ? CLI_EXIT_OK : cli_fail(c->program, &error);
}

int prep_receptor(int argc, char **argv) {
  receptor_command command = {.program = "berth prep receptor", .prepare = cli_prepare_default()};
  int exit_code;
  if (parse(&command, argc, argv, &exit_code)) exit_code = run(&command);
  cli_prepare_free(&command.prepare);
  return exit_code;
}
