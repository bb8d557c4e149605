/* report.c - `berth report`: one HTML page with table, plots and poses of a folder. */
#include <berth/berth.h>
#include <berth/place.h>
#include <berth/report.h>
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/options.h"
#include "common/report.h"
#include "input/inputs.h"
#include "output/guard.h"
#include "output/outputs.h"

static const char program[] = "berth report";

static const char details[] =
    "FOLDER is the output folder of `berth dock` or `berth screen`. The page is one self-contained file, which opens\n"
    "offline in any browser. docs/report.md explains what it shows and how contacts are defined.\n"
    "A second folder is compared with the first: energies and RMSD of ligands with the same name.\n"
    "Exit code: 0 written, 1 invalid input, 2 written without damaged ligands of a database.";

static const char examples[] =
    "  berth report out\n"
    "  berth report out -r protein.pdbqt -o poses.html --title 'HIV-1 protease'\n"
    "  berth report vina ad4 -o both.html\n"
    "      the ligands of two dockings side by side\n"
    "  berth report screen --top 200 --actives '^CHEMBL' --fingerprints contacts.csv";

static_assert(offsetof(bt_contact_options, reactive) == 0 && offsetof(bt_contact_options, hbond) == sizeof(double) &&
                  offsetof(bt_contact_options, vdw) == 2 * sizeof(double),
              "--contacts sets the first three members");

typedef struct page_settings {
  bt_report_options options;
  const char *output, *reference;
  int64_t poses;
  bool json, quiet;
} page_settings;

static bt_status tell_json(const char *path, const bt_report_summary *s, bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json, "{ kind %s path %s ligands %" PRId64 " rows %" PRId64 " detailed %" PRId64,
                 s->screen ? "screen" : "dock", path, s->ligands, s->rows, s->detailed);
  bt_json_printf(&json, "poses %" PRId64 " rejected %" PRId64 " unreadable %" PRId64 " receptor %hhd viewer %hhd",
                 s->poses, s->rejected, s->unreadable, s->receptor, s->viewer);
  bt_json_printf(&json, "bytes %" PRIu64 " }", s->bytes);
  return cli_print_json(&text, error);
}

static bt_status tell(const page_settings *s, const char *path, const bt_report_summary *summary, bt_error *error) {
  char text[2048];
  if (summary->unreadable > 0)
    cli_warning(program, "%" PRId64 " docking logs are left out: %s", summary->unreadable,
                bt_error_format(&summary->trouble, text, sizeof text));
  cli_damage_warn(program, summary->damage.lines, summary->damage.ligands, "left out");
  if (s->quiet) return BT_OK;
  if (!summary->receptor)
    cli_message(program, "no receptor found, so the page has no contacts; use -r receptor.pdbqt");
  if (!summary->viewer)
    cli_message(program, "this build has no viewer, so the page shows no poses in 3D; "
                         "run scripts/install-deps report and build again, or use --viewer ngl.js");
  if (s->json) return tell_json(path, summary, error);
  printf("%s: %" PRId64 " ligand%s, %" PRId64 " pose%s", path, summary->ligands, summary->ligands == 1 ? "" : "s",
         summary->poses, summary->poses == 1 ? "" : "s");
  if (summary->detailed < summary->ligands) printf(" of %" PRId64 " of them", summary->detailed);
  printf("; %.1f MB\n", (double)summary->bytes / 1e6);
  return BT_OK;
}

/* An existing output may be replaced if it can be a page or a table of fingerprints; other files count as inputs. */
static bt_status check_outputs(const page_settings *s, const char *path, bt_error *error) {
  const char *words[] = {s->options.opt_receptor, s->options.opt_viewer, s->reference};
  const char *table = s->options.opt_fingerprints;
  const char *base = table != NULL ? bt_path_base(table) : "x.csv";
  bool list = strcmp(base, "summary.csv") == 0 || strcmp(base, "rejects.csv") == 0 || !cli_path_ends(base, ".csv");
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(cli_guard_add(&inputs, words, CLI_COUNT(words), error));
  if (!cli_path_ends(path, ".html") && !cli_path_ends(path, ".htm")) BT_TRY(bt_file_set_add(&inputs, path, error));
  if (list) BT_TRY(bt_file_set_add(&inputs, table, error));
  BT_TRY(bt_file_set_spare(&inputs, path, error));
  return table != NULL ? bt_file_set_spare(&inputs, table, error) : BT_OK;
}

/* A residue of a structure needs no bond orders to be drawn; other files are read as ligands. */
static bt_status read_molecule(const bt_place *place, char **ret_text, bt_error *error) {
  bt_molecule *molecule;
  if (place->opt_residues != NULL && bt_is_structure_file(place->path))
    return bt_receptor_ligand_pdb(place->path, 1, place->opt_residues, ret_text, error);
  BT_TRY(bt_place_molecule(place, 1, NULL, NULL, &molecule, error));
  if (molecule == NULL) return cli_fill_error(error, BT_ERR_INPUT, place->path, "use the file of a pose", "no molecule");
  bt_status status = bt_molecule_pdbqt(molecule, ret_text, error);
  bt_molecule_destroy(molecule);
  return status;
}

static bt_status read_reference(const page_settings *s, char **ret_text, bt_error *error) {
  bt_place place;
  if (s->reference == NULL) return BT_OK;
  BT_TRY(bt_place_find(s->reference, NULL, &place, error));
  bt_status status = read_molecule(&place, ret_text, error);
  bt_place_clear(&place);
  return status;
}

static int run(page_settings *s, const char *folder, const char *opt_other) {
  bt_error error = {0};
  bt_report_summary summary;
  bool database = cli_path_ends(folder, ".db");
  BT_SCOPED char *beside = database ? bt_path_folder(folder) : strdup(folder);
  BT_SCOPED char *path = s->output != NULL ? strdup(s->output)
                        : beside != NULL    ? bt_path_join(beside, "report.html")
                                            : NULL;
  s->options.poses = (int)s->poses;
  s->options.opt_other = opt_other;
  if (path == NULL) bt_fail_memory(&error);
  BT_SCOPED char *reference = NULL;
  if (path == NULL || check_outputs(s, path, &error) != BT_OK || read_reference(s, &reference, &error) != BT_OK)
    return cli_fail(program, &error);
  s->options.opt_reference = reference;
  if (bt_report_write(folder, &s->options, path, &summary, &error) != BT_OK) return cli_fail(program, &error);
  if (tell(s, path, &summary, &error) != BT_OK) return cli_fail(program, &error);
  return summary.damage.ligands > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

int cmd_report(int argc, char **argv) {
  cli_list folders = {0};
  page_settings s = {.options = bt_report_options_default(), .poses = 50};
  /* clang-format off */
  cli_option options[] = {
      {.group = "Page", OPT_STRING("output", 'o', &s.output, "FILE", "file to write"),
       .opt_default = "FOLDER/report.html"},
      {OPT_STRING("title", 0, &s.options.opt_title, "TEXT", "heading of the page"), .opt_default = "the folder's name"},
      {OPT_INT64("top", 0, &s.options.top, "N", 0, 1e9,
       "number of best ligands shown with poses, drawing and contacts")},
      {OPT_INT64("poses", 0, &s.poses, "N", 0, 1e6, "poses shown per ligand; 0: all")},
      {OPT_INT64("rows", 0, &s.options.rows, "N", 0, 1e12, "number of best ligands in the table; 0: all")},
      {OPT_STRING("viewer", 0, &s.options.opt_viewer, "FILE", "NGL viewer (JavaScript)"), .opt_default = "built in"},
      {.group = "Science", OPT_STRING("receptor", 'r', &s.options.opt_receptor, "FILE", "receptor as PDBQT"),
       .opt_default = "found automatically"},
      {OPT_STRING("reference", 0, &s.reference, "FILE[:RES]",
       "crystal pose, drawn over poses that were docked without a reference")},
      {OPT_STRING("actives", 0, &s.options.opt_actives, "REGEX", "matches the names of actives, for enrichment")},
      {OPT_VECTOR("contacts", 0, &s.options.contacts, "R,H,V", 0, 20,
       "maximum distances of reactive, hydrogen-bond and van der Waals contacts"), .opt_default = "2.1,3.7,4.0"},
      {OPT_STRING("fingerprints", 0, &s.options.opt_fingerprints, "FILE",
       "also write interaction fingerprints, one row per ligand, as CSV")},
      {.group = "Messages", OPT_FLAG("json", 0, &s.json, "print a summary as JSON")},
      {OPT_FLAG("quiet", 'q', &s.quiet, "print errors and warnings only")},
  };
  /* clang-format on */
  cli_spec spec = {program,
   "HTML report with table, plots and 3D poses", "FOLDER [OTHER FOLDER] [options]", details, examples,
                   CLI_TABLE(options), &folders};
  int exit_code;
  if (cli_parse(&spec, argc, argv, &exit_code)) {
    exit_code = CLI_EXIT_BAD;
    if (folders.count < 1 || folders.count > 2)
      cli_message(program, folders.count == 0 ? "no folder; use the output folder of berth dock or berth screen"
                                              : "name one folder, or two to compare");
    else
      exit_code = run(&s, folders.items[0], folders.count > 1 ? folders.items[1] : NULL);
  }
  cli_list_free(&folders);
  return exit_code;
}
