/* grid.c - `berth grid`: computes a receptor's affinity maps, as AutoGrid does. */
#include <berth/autodock.h>
#include <berth/berth.h>
#include <berth/grid.h>
#include <berth/score.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/progress.h"
#include "common/report.h"
#include "input/box.h"
#include "input/inputs.h"
#include "input/protocol.h"
#include "output/guard.h"
#include "output/origin.h"
#include "output/outputs.h"

static const char details[] =
    "Writes PREFIX.maps.fld, PREFIX.maps.xyz, one PREFIX.TYPE.map per atom type, PREFIX.e.map and\n"
    "PREFIX.d.map, by AutoGrid 4.2.6's rules: every value equals autogrid4's within 0.002 kcal/mol or 0.1 %.\n"
    "Maps of another receptor are replaced only with --overwrite; PREFIX.maps.inputs.txt names the receptor\n"
    "of the maps. Types are those of --types and of the ligands. With -p, all settings come from a grid\n"
    "parameter file (.gpf), whose file names are relative to the working directory.\n"
    "--scoring vina and vinardo write maps of their classes, such as PREFIX.C_H.map; PREFIX.e.map and PREFIX.d.map\n"
    "are zero. Docking with map files takes energies from the maps; docking with -r protein.pdbqt reports exact sums\n"
    "over the receptor's atoms.\n"
    "A box of --size has an even number of intervals of --spacing on every axis and is at least that large.";

static const char examples[] =
    "  berth grid -r protein.pdbqt -l ligand.pdbqt --autobox ligand.pdbqt -o maps/protein\n"
    "  berth grid -r protein.pdbqt --types A,C,HD,N,NA,OA --center 10,20,30 --size 22,22,22 -o protein\n"
    "  berth grid -r protein.pdbqt -l ligand.pdbqt --autobox ligand.pdbqt --scoring vina -o maps/protein\n"
    "  berth grid -p protein.gpf";

typedef struct grid_command {
  const char *program;
  const char *opt_receptor, *opt_prefix, *opt_gpf;
  cli_prepare prepare;
  cli_list ligands, type_words;
  cli_box_request box;
  bt_grid_options options;
  int scoring;
  bool json, quiet, overwrite;
} grid_command;

/* Checks of combinations, which the table of options cannot express. */
static bool check(const cli_spec *spec, const grid_command *c) {
  if (!cli_scoring_check(spec, c->scoring)) return false;
  if (c->opt_gpf != NULL) {
    static const char *const excluded[] = {"receptor", "output", "types",   "ligand",  "flex",       "parameters",
                                           "center",   "size",   "autobox", "padding", "spacing",    "smooth",
                                           "dielectric", "disorder-h", "nbp-unweighted"};
    for (int i = 0; i < CLI_COUNT(excluded); i++)
      if (cli_given(spec, excluded[i]))
        return cli_refuse(c->program, "--%s is set in the .gpf file; remove it or -p", excluded[i]);
    return true;
  }
  if (c->opt_receptor == NULL || strcmp(c->opt_receptor, "-") != 0) /* unlike others, reads standard input */
    if (!cli_receptor_check(c->program, c->opt_receptor, false)) return false;
  if (c->opt_prefix == NULL) return cli_refuse(c->program, "no output; use -o PREFIX");
  if (c->type_words.count == 0 && c->ligands.count == 0)
    return cli_refuse(c->program, "no atom types; use --types %s or a ligand with -l",
                      bt_scoring_traits_of((bt_scoring)c->scoring)->types);
  unsigned holds = cli_prepare_holds(spec, &c->prepare, c->opt_receptor, &c->ligands, false);
  if (strcmp(c->opt_receptor, "-") == 0) holds |= CLI_IF_RAW_RECEPTOR;
  if (c->box.opt_autobox != NULL && !cli_given(spec, "size")) holds |= CLI_IF_AUTOBOX;
  return cli_prepare_check(spec, &c->prepare) && cli_effects_check(spec, CLI_IF_PREPARED | CLI_IF_AUTOBOX, holds);
}

static bool parse(grid_command *c, int argc, char **argv, int *ret_exit_code) {
  bt_grid_options *o = &c->options;
  cli_option options[] = {
      {.group = "Input", OPT_STRING("receptor", 'r', &c->opt_receptor, "FILE",
       "receptor: .pdb, .cif (also .gz, .bz2, .zst) or .pdbqt")},
      {CLI_LIGANDS_OPTION("ligand", &c->ligands, "ligands whose atom types need maps", "")},
      {OPT_STRING("flex", 'f', &c->prepare.opt_flex, "RES,RES",
       "flexible side chains: residues such as A:ARG8,A:ASP25, or a .pdbqt file")},
      CLI_PH_OPTION(c->prepare),
      {OPT_LIST("types", 0, &c->type_words, "T,T", "atom types, added to those of the ligands")},
      {OPT_STRING("gpf", 'p', &c->opt_gpf, "FILE", "AutoGrid grid parameter file with all settings")},
      {OPT_STRING("parameters", 0, &c->options.opt_parameter_file, "FILE",
       "file of atom_par and FE_coeff lines that extends the force field")},
      CLI_STRICT_OPTION(c->prepare),
      {.group = "Output", OPT_STRING("output", 'o', &c->opt_prefix, "PREFIX", "prefix of all file names")},
      {CLI_OVERWRITE_OPTION(&c->overwrite)},
      {OPT_FLAG("json", 0, &c->json, "one JSON object instead of the table")},
      {OPT_FLAG("quiet", 'q', &c->quiet, "print no table")},
      CLI_BOX_OPTIONS(c->box),
      {.group = "Energy", OPT_CHOICE("scoring", 0, &c->scoring, bt_scoring_choices(),
       "scoring function: AutoDock 4, or Vina or Vinardo, whose types are classes such as C_H")},
      {OPT_REAL("smooth", 0, &o->smooth, "A", 0, 10,
       "width of the window in which pair energies are lowered to their minimum, Angstrom")},
      {OPT_REAL("dielectric", 0, &o->dielectric, "X", -1e6, 1e6,
       "negative: distance-dependent (Mehler and Solmajer); positive: constant; 0: constant 40")},
      {OPT_FLAG("nbp-unweighted", 0, &o->zinc_unweighted,
       "AD4Zn well depths without the force field's weight, as in AutoGrid 4.2.6 (but not 4.2.7)")},
      {OPT_FLAG("disorder-h", 0, &o->disorder_h, "let hydroxyl hydrogens point anywhere on their cone")},
      CLI_LIGAND_OPTIONS(c->prepare),
      CLI_RECEPTOR_OPTIONS(c->prepare),
      {.group = "Device", OPT_THREADS('t', &o->threads, 65536, "threads")},
      {OPT_STRING("isa", 0, &o->opt_isa, "NAME",
       "vector instruction set: avx512, avx2 or base")},
  };
  cli_spec spec = {c->program, "compute affinity maps of a receptor, as AutoGrid does",
                   "-r RECEPTOR -l LIGAND... --autobox FILE -o PREFIX [options]\n  -p FILE.gpf", details, examples,
                   CLI_TABLE(options), NULL};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  if (!check(&spec, c)) return false;
  cli_prepare_resolve(&c->prepare);
  o->scoring = (bt_scoring)c->scoring;
  if (c->opt_receptor != NULL && !cli_box_in_receptor(c->program, &c->box, &c->prepare, c->opt_receptor)) return false;
  bt_error error;
  if (c->opt_gpf == NULL && cli_box_resolve(&spec, &c->box, &o->box, &error) != BT_OK)
    return *ret_exit_code = cli_fail(c->program, &error), false;
  if (c->opt_gpf == NULL) bt_boxes_tell(&o->box, 1, &c->prepare.receptor);
  return true;
}

/* --- output -------------------------------------------------------------------------------------------- */

static const char *map_name(const bt_maps *maps, int index) {
  int n = bt_maps_type_count(maps);
  return index < n ? bt_maps_type(maps, index) : index == n ? "e" : "d";
}

static void print_table(const bt_maps *maps, const char *fld, double seconds) {
  bt_box box = bt_maps_box(maps);
  printf("%s: %d x %d x %d points, spacing %.3f Angstrom, center %.3f %.3f %.3f\n", fld, box.npts[0] + 1,
         box.npts[1] + 1, box.npts[2] + 1, box.spacing, box.center[0], box.center[1], box.center[2]);
  printf("%-8s %12s %12s\n", "map", "lowest", "highest");
  for (int m = 0; m < bt_maps_type_count(maps) + 2; m++) {
    double lowest, highest;
    bt_maps_range(maps, m, &lowest, &highest);
    printf("%-8s %12.3f %12.3f\n", map_name(maps, m), lowest, highest);
  }
  printf("%.2f seconds\n", seconds);
}

static bt_status print_json(const bt_maps *maps, const char *fld, double seconds, bt_error *error) {
  bt_box box = bt_maps_box(maps);
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json, "{ fld %s scoring %s npts [ %d %d %d ] spacing %g center [ %g %g %g ] maps [", fld,
                 bt_scoring_name(bt_maps_scoring(maps)), box.npts[0], box.npts[1], box.npts[2], box.spacing,
                 box.center[0], box.center[1], box.center[2]);
  for (int m = 0; m < bt_maps_type_count(maps) + 2; m++) {
    double lowest, highest;
    bt_maps_range(maps, m, &lowest, &highest);
    bt_json_printf(&json, "{ type %s lowest %g highest %g }", map_name(maps, m), lowest, highest);
  }
  bt_json_printf(&json, "] warning %s seconds %g }", bt_maps_warning(maps), seconds);
  return cli_print_json(&text, error);
}

static bt_status print_result(const grid_command *c, const bt_maps *maps, const char *fld, double seconds,
                              bt_error *error) {
  if (c->json) return print_json(maps, fld, seconds, error);
  if (!c->quiet) print_table(maps, fld, seconds);
  return BT_OK;
}

/* --- the two modes ------------------------------------------------------------------------------------- */

static void print_warnings(const char *program, char *warnings) {
  for (char *line = strtok(warnings, "\n"); line != NULL; line = strtok(NULL, "\n")) cli_warning(program, "%s", line);
}

static int run_gpf(const grid_command *c) {
  bt_gpf_result result;
  bt_error error = {0};
  double started = bt_seconds();
  bt_status status = bt_gpf_run(c->opt_gpf, c->options.threads, c->options.opt_isa, &result, &error);
  if (result.warnings != NULL) print_warnings(c->program, result.warnings);
  if (status == BT_OK) status = print_result(c, result.maps, result.fld_path, bt_seconds() - started, &error);
  bt_gpf_result_clear(&result);
  return status == BT_OK ? CLI_EXIT_OK : cli_fail(c->program, &error);
}

static void warn(void *program, const char *text) { cli_warning(program, "%s", text); }

static bt_status compute_and_write(const grid_command *c, const bt_molecule *receptor, const bt_text_list *types,
                                   bt_maps **ret_maps, bt_error *error) {
  BT_TRY(bt_maps_compute(receptor, (const char *const *)types->items, types->count, &c->options, ret_maps, error));
  bt_maps_warn(*ret_maps, warn, (void *)(uintptr_t)c->program);
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  const char *words[] = {c->opt_receptor, c->options.opt_parameter_file, c->prepare.opt_flex};
  BT_TRY(cli_guard_add(&inputs, words, CLI_COUNT(words), error));
  BT_TRY(cli_guard_add_library(&inputs, &c->ligands, true, error));
  return cli_guard_write_maps(&inputs, c->opt_prefix, *ret_maps, c->opt_receptor, c->overwrite, error);
}

/* Words as given to --types, each with one type or several separated by commas; duplicates are dropped. */
static bt_status types_from_words(bt_text_list *types, const cli_list *words, bt_error *opt_error) {
  for (int i = 0; i < words->count; i++) {
    const char *at = words->items[i];
    for (size_t size;; at += size + 1) {
      size = strcspn(at, ",");
      if (size == 0 || size >= 8)
        return cli_fill_error(opt_error, BT_ERR_USAGE, NULL,
                              "atom types have 1 to 7 characters, as in --types A,C,OA,HD",
                              "'%.*s' is not an atom type", (int)(size < 40 ? size : 40), at);
      BT_TRY(bt_text_list_add_new(types, (bt_span){at, size}, opt_error));
      if (at[size] == '\0') break;
    }
  }
  return BT_OK;
}

static bt_status add_all(bt_text_list *types, cli_ligands *ligands, const bt_molecule *opt_flexible, bt_scoring scoring,
                         bt_error *opt_error) {
  for (;;) {
    cli_ligand item;
    bt_ligand *ligand = NULL;
    bool found;
    bt_status status = cli_ligands_next(ligands, &item, &found, opt_error);
    if (status != BT_OK || !found) return status;
    if (item.molecule == NULL) {
      if (opt_error != NULL) *opt_error = item.error;
      return item.error.status;
    }
    status = bt_ligand_create_as(item.molecule, opt_flexible, scoring, &ligand, opt_error);
    for (int i = 0; status == BT_OK && i < bt_ligand_type_count(ligand); i++)
      status = bt_text_list_add_new(types, bt_span_from(bt_ligand_type(ligand, i)), opt_error);
    bt_ligand_destroy(ligand);
    cli_ligand_clear(&item);
    if (status != BT_OK) return status;
  }
}

/* The types of all molecules of the ligand files (and of flexible residues), which are also checked. */
static bt_status types_from_ligands(bt_text_list *types, const cli_list *words, const cli_prepare *prepare,
                                    const bt_molecule *opt_flexible, bt_scoring scoring, bt_error *opt_error) {
  bt_text_list paths = {0};
  BT_TRY(cli_inputs_expand(words, true, &prepare->opt_flex, 1, &paths, opt_error));
  cli_ligands ligands = cli_ligands_start(&paths, &prepare->ligands);
  bt_status status = add_all(types, &ligands, opt_flexible, scoring, opt_error);
  if (status == BT_OK && types->count == 0)
    status = cli_fill_error(opt_error, BT_ERR_INPUT, NULL, "use a ligand with atoms", "the ligands have no atoms");
  cli_ligands_free(&ligands);
  bt_text_list_destroy(&paths);
  return status;
}

static int run_receptor(grid_command *c) {
  bt_error error = {0};
  BT_ENDED_BY(bt_text_list_destroy) bt_text_list types = {0};
  cli_receptor receptor = {0};
  bt_maps *maps = NULL;
  double started = bt_seconds();
  bt_status status = cli_folder_check(c->opt_prefix, &error); /* before computing, not after */
  if (status == BT_OK) status = types_from_words(&types, &c->type_words, &error);
  if (status == BT_OK)
    status = cli_receptor_load(c->program, c->opt_receptor, &c->prepare, c->quiet || c->json, &receptor, &error);
  if (status == BT_OK && c->ligands.count > 0)
    status = types_from_ligands(&types, &c->ligands, &c->prepare, receptor.opt_flexible, c->options.scoring, &error);
  c->options.stand_ins = cli_stand_ins(&c->prepare);
  if (status == BT_OK && c->prepare.receptor.zinc) c->options.zinc = BT_ZINC_ON;
  if (status == BT_OK) status = compute_and_write(c, receptor.rigid, &types, &maps, &error);
  if (status == BT_OK) {
    BT_SCOPED char *fld = cli_format("%s.maps.fld", c->opt_prefix);
    status = fld != NULL ? print_result(c, maps, fld, bt_seconds() - started, &error) : bt_fail_memory(&error);
  }
  bt_maps_destroy(maps);
  cli_receptor_free(&receptor);
  return status == BT_OK ? CLI_EXIT_OK : cli_fail(c->program, &error);
}

int cmd_grid(int argc, char **argv) {
  grid_command c = {.program = "berth grid",
                    .box = cli_box_request_default(),
                    .prepare = cli_prepare_default(),
                    .options = bt_grid_options_default()};
  int exit_code;
  if (parse(&c, argc, argv, &exit_code)) exit_code = c.opt_gpf != NULL ? run_gpf(&c) : run_receptor(&c);
  cli_list_free(&c.ligands);
  cli_list_free(&c.type_words);
  cli_prepare_free(&c.prepare);
  return exit_code;
}
