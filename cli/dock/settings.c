/* settings.c - the options of `berth dock`, their defaults and valid combinations. */
#include "dock/settings.h"

#include <berth/autodock.h>
#include <berth/report.h>
#include <berth/rescore.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/effort.h"
#include "input/inputs.h"
#include "common/report.h"

/* The order of the words in the choices below is the order of the library's enumerations. */
static_assert(BT_SELECT_TOURNAMENT == 0 && BT_SELECT_PROPORTIONAL == 1, "order of --selection");
static_assert(BT_CROSS_TWO_POINT == 0 && BT_CROSS_UNIFORM == 1, "order of --crossover");
static_assert(BT_TORSIONAL_TORSDOF == 0 && BT_TORSIONAL_BRANCHES == 1, "order of --torsional");

static const char details[] =
    "Receptor: PDB and mmCIF files are prepared first; FOLDER/receptor-report.txt lists what was done to every\n"
    "residue. Structure and .pdbqt files need a box (--center and --size, or --autobox); maps are computed for the\n"
    "atom types of the ligands. A .maps.fld file comes with maps and box.\n"
    "Several boxes: use --center or --autobox several times, or --blind to find pockets. Each ligand is docked\n"
    "into every box, with --runs runs in each; its poses are ranked together and labeled by box (site).\n"
    "--ensemble docks into several structures of one protein; coordinates of poses are in the frame of the first.\n"
    "Ligands: .sdf, .mol2 and .smi files of any length (also .gz, .bz2, .zst) are prepared, .pdbqt files are used\n"
    "unchanged; folders, patterns, - for standard input. A ligand without 3D coordinates is given a conformer.\n"
    "--ligand-from docks a residue of the receptor's file; its bond orders come from --template. The box is\n"
    "placed around it unless another one is given.\n"
    "Ligands named by --ligand-from, --autobox or --reference are removed from the receptor unless listed in --keep.\n"
    "A ligand that cannot be docked is reported and listed in FOLDER/rejects.csv; the others are docked.\n"
    "--covalent docks the product of a ligand's warhead and the residue's side chain: use ligands in their unreacted\n"
    "form, or as bonded in a crystal structure. Unless another box is given, it is placed around the residue.\n"
    CLI_CONSTRAIN_HELP
    CLI_PROTOCOL_HELP
    "For Vina and Vinardo, energies are affinities: (inter + intra - unbound) / (1 + 0.05846 rotors), where unbound\n"
    "is the intra of the best pose. They are summed over the receptor's atoms, as in Vina, or interpolated from the\n"
    "maps of a .maps.fld.\n"
    "--rescore minimizes the best pose of every cluster with further functions and re-ranks the clusters; the poses\n"
    "in the files remain those of the docking, with their energies by all functions.\n"
    "\n"
    CLI_EFFORT_HELP "A search stops at the end of the generation that reaches its limit.\n"
    "--evals turns the heuristics off; with --heuristics on it is their upper limit.\n"
    "Numbers may be written 2500000, 2_500_000, 2.5M or 2.5e6.\n"
    "\n"
    "The same seed gives the same poses on the same kind of CPU, regardless of the number of threads.\n"
    "Exit code: 0 all docked, 1 invalid input or nothing docked, 2 some ligands rejected, 3 out of memory or\n"
    "device failure, 130 interrupted, 143 by SIGTERM (finished ligands are kept).";

static const char examples[] =
    "  berth dock -r 1hpv.pdb -l library.sdf --autobox 478 -o out\n"
    "      raw files are prepared; out/NAME.sdf has the bonds of library.sdf\n"
    "  berth dock -r 1hpv.pdb -l 'CC(=O)Oc1ccccc1C(=O)O' --autobox 478 -o out\n"
    "  berth dock -r 1hpv.pdb --ligand-from 478 --template 'CC(C)CN(...' --set-state B:25:ASH -o out\n"
    "      redocks the ligand of the PDB entry\n"
    "  berth dock -r 1hpv.cif -l ligand.smi --autobox 478 --flex A:ARG8,B:ARG8 --ph 7.4 -o out\n"
    "  berth dock -r protein.pdbqt -l ligand.pdbqt --autobox crystal.pdbqt -o out\n"
    "      box around the crystal ligand, with a margin of 5 Angstrom on every side\n"
    "  berth dock -r protein.pdbqt -l ligand.pdbqt --autobox crystal.pdbqt --scoring ad4 -o out\n"
    "      AutoDock 4's energies, without re-ranking\n"
    "  berth dock -r protein.maps.fld -l library/ -o out --effort screen --format csv\n"
    "      every .pdbqt file of a folder, maps from AutoGrid or from berth grid\n"
    "  berth dock -r protein.pdbqt -l a.pdbqt b.pdbqt --center 10,2.5,-3 --size 22,22,22 -o out\n"
    "  berth dock -r holo.pdb --ensemble apo.pdb nmr.pdb -l ligand.smi --autobox LIG -o out\n"
    "      into several structures; each pose names its receptor\n"
    "  berth dock -r protein.pdb -l ligand.smi --blind --pockets 3 -o out\n"
    "      unknown site: docks into each pocket that is found (berth pockets lists them)\n"
    "  berth dock -r 1pwc.pdb -l penicillin.smi --covalent A:SER62 -o out\n"
    "      the ligand bonded to a serine; the box is around the residue\n"
    "  berth dock -r 1hpv.pdb -l series.sdf --autobox 478 --core crystal.sdf --require hbond:B:ASP25 -o out\n"
    "      a series of ligands with the common part where the crystal has it, and a hydrogen bond to the aspartate\n"
    "  berth dock -r rigid.pdbqt --flex sidechains.pdbqt -l ligand.pdbqt --autobox ligand.pdbqt -o out\n"
    "      with flexible residues from a file\n"
    "  berth dock -r protein.pdbqt -l ligand.pdbqt --autobox crystal.pdbqt --reference crystal.pdbqt \\\n"
    "      --seed 42 -o out --json | jq .best.free_energy";

dock_settings dock_settings_default(void) {
  dock_settings settings = {.box = cli_box_request_default(),
                            .search = bt_dock_options_default(),
                            .effort = BT_EFFORT_NORMAL,
                            .protocol = cli_protocol_default(),
                            .constrain = cli_constrain_default(),
                            .strain = bt_protocol_default().strain,
                            .checks = bt_protocol_default().checks,
                            .pockets = 5,
                            .prepare = cli_prepare_default()};
  bt_contact_options contacts = bt_contact_options_default();
  settings.contact_distances[0] = contacts.reactive;
  settings.contact_distances[1] = contacts.hbond;
  settings.contact_distances[2] = contacts.vdw;
  settings.rmsd_mode = settings.search.rmsd_symmetry ? 0 : 1;
  settings.prepare.ligands.conformers = BT_DOCKED_CONFORMERS;
  settings.prepare.ligands.ensemble = true;
  return settings;
}

void dock_settings_free(dock_settings *settings) {
  cli_interactions_free(&settings->interactions);
  cli_list_free(&settings->ligands);
  cli_list_free(&settings->smiles);
  cli_list_free(&settings->seeds);
  cli_list_free(&settings->ensemble);
  cli_list_free(&settings->autoboxes);
  free(settings->centers.items);
  free(settings->boxes);
  cli_constrain_free(&settings->constrain);
  cli_prepare_free(&settings->prepare);
}

bool dock_settings_computes_maps(const dock_settings *settings) { return !cli_path_ends(settings->receptor, ".fld"); }

bool dock_settings_several(const dock_settings *settings) {
  return settings->blind || settings->centers.count > 1 || settings->autoboxes.count > 1;
}

/* What else than an option of AutoDock 4's function makes that the default. */
static const char *ad4_reason(const dock_settings *settings) {
  const char *format = settings->opt_format != NULL ? settings->opt_format : "";
  if (settings->opt_dpf != NULL) return "import-dpf";
  return cli_words_have(format, "dlg") ? "format dlg" : cli_words_have(format, "xml") ? "format xml" : NULL;
}

/* "17-30", "17-", "17" */
static bool parse_records(const char *program, dock_settings *settings) {
  const char *text = settings->opt_records, *dash = text != NULL ? strchr(text, '-') : NULL;
  if (text == NULL) return true;
  char first[32] = "";
  snprintf(first, sizeof first, "%.*s", dash != NULL ? (int)(dash - text) : 31, text);
  bool good = cli_read_int64(first, &settings->first_record);
  settings->last_record = dash != NULL && dash[1] == '\0' ? INT64_MAX : settings->first_record;
  if (good && dash != NULL && dash[1] != '\0') good = cli_read_int64(dash + 1, &settings->last_record);
  if (good && settings->first_record >= 1 && settings->last_record >= settings->first_record) return true;
  return cli_refuse(program, "--records: '%.40s' is not a range from 1 on; use A-B, such as 1-100, or 101-", text);
}

/* Checks combinations with several boxes. */
static bool check_several(const cli_spec *spec, const dock_settings *settings) {
  if (cli_given(spec, "pockets") && !settings->blind)
    return cli_refuse(spec->program, "--pockets has no effect without --blind; add --blind or remove it");
  if (!dock_settings_several(settings)) return true;
  if (!dock_settings_computes_maps(settings))
    return cli_refuse(spec->program, "%s has a single box; for several, use a .pdb, .cif or .pdbqt receptor",
                      settings->receptor);
  if (settings->blind && cli_box_given(spec))
    return cli_refuse(spec->program, "--blind places the boxes itself; remove --center, --size and --autobox");
  if (settings->opt_write_maps != NULL)
    return cli_refuse(spec->program, "--write-maps writes the maps of a single box; use one box");
  if (settings->prepare.opt_flex != NULL)
    return cli_refuse(spec->program, "--flex supports only a single box; use one box");
  return true;
}

/* Checks combinations with several receptors. */
static bool check_ensemble(const cli_spec *spec, const dock_settings *s) {
  const char *program = spec->program;
  bool toggle = s->prepare.waters == CLI_WATERS_TOGGLE;
  const char *option = toggle ? "waters toggle" : "ensemble";
  if (s->ensemble.count == 0 && s->no_superpose)
    return cli_refuse(program, "--no-superpose has no effect without --ensemble; remove it");
  if (s->ensemble.count == 0 && !toggle) return true;
  if (s->ensemble.count > 0 && toggle)
    return cli_refuse(program,
                      "--waters toggle and --ensemble cannot be combined; use --waters bound, or one receptor");
  if (toggle && !bt_is_structure_file(s->receptor)) return true; /* refused below: it has no effect */
  for (int i = 0; i < s->ensemble.count; i++) {
    if (cli_path_ends(s->ensemble.items[i], ".fld"))
      return cli_refuse(program, "--ensemble needs receptors with atoms; use .pdb, .cif or .pdbqt files");
    if (!cli_receptor_check(program, s->ensemble.items[i], false)) return false;
  }
  if (!dock_settings_computes_maps(s))
    return cli_refuse(program, "--ensemble needs the receptor's atoms; use a .pdb, .cif or .pdbqt receptor");
  if (dock_settings_several(s)) return cli_refuse(program, "--%s supports only a single box; use one box", option);
  const struct {
    bool given;
    const char *name;
  } others[] = {{s->prepare.opt_flex != NULL, "flex"},
                {s->prepare.receptor.opt_covalent != NULL, "covalent"},
                {s->prepare.ligands.hydrated, "hydrated"},
                {s->contacts, "contacts"},
                {s->interactions.opt_table != NULL, "interactions"},
                {s->interactions.opt_must != NULL, "must-contact"},
                {s->constrain.required.count > 0, "require"}, /* of residues of one receptor */
                {s->constrain.preferred.count > 0, "prefer"},
                {s->opt_write_maps != NULL, "write-maps"}};
  for (int k = 0; k < CLI_COUNT(others); k++)
    if (others[k].given)
      return cli_refuse(program, "--%s and --%s cannot be combined; dock into one receptor after the other%s", option,
                        others[k].name, toggle ? " (--waters none, bound)" : "");
  return true;
}

/* Reports options that cannot have an effect. */
static bool check_effects(const cli_spec *spec, const dock_settings *s) {
  const bt_dock_options *search = &s->search;
  unsigned holds = cli_prepare_holds(spec, &s->prepare, s->receptor, &s->ligands,
                                     s->smiles.count > 0 || s->opt_ligand_from != NULL);
  bool around = s->box.opt_autobox != NULL || s->opt_ligand_from != NULL || s->prepare.receptor.opt_covalent != NULL;
  if (around && !cli_given(spec, "size")) holds |= CLI_IF_AUTOBOX;
  if (search->local_search == BT_LS_SOLIS_WETS) holds |= CLI_IF_SOLIS_WETS;
  if (search->local_search != BT_LS_NONE) holds |= CLI_IF_LOCAL_SEARCH;
  if (search->selection == BT_SELECT_TOURNAMENT) holds |= CLI_IF_TOURNAMENT;
  if (search->heuristics) holds |= CLI_IF_HEURISTICS;
  if (search->autostop) holds |= CLI_IF_AUTOSTOP;
  if (s->contacts) holds |= CLI_IF_CONTACTS;
  if (!cli_prepare_check(spec, &s->prepare)) return false;
  if (!cli_effects_check(spec, ~(unsigned)(CLI_IF_MINIMIZE | CLI_IF_AUTODOCK | CLI_IF_BUDE), holds)) return false;
  if (search->autostop && cli_given(spec, "autostop-runs") && search->autostop_runs > search->runs)
    cli_message(spec->program, "note: --autostop-runs %d: of only %d runs, all must come that close",
                search->autostop_runs, search->runs);
  return true;
}

/* Checks of combinations, which the table of options cannot express. */
static bool check(const cli_spec *spec, dock_settings *settings) {
  const char *program = spec->program;
  if (!cli_receptor_check(program, settings->receptor, true)) return false;
  if (settings->ligands.count == 0 && settings->smiles.count == 0 && settings->opt_ligand_from == NULL)
    return cli_refuse(program, "no ligand; use -l FILE, a folder, - for stdin, or --smiles SMILES");
  if (settings->smiles.count > 0 && settings->opt_ligand_from != NULL)
    return cli_refuse(program, "--smiles and --ligand-from cannot be combined; dock them one after the other");
  if (!parse_records(program, settings)) return false;
  if (settings->folder == NULL) return cli_refuse(program, "no output folder; use -o FOLDER");
  bool fld = cli_path_ends(settings->receptor, ".fld");
  if (settings->opt_ligand_from != NULL && !bt_is_structure_file(settings->receptor))
    return cli_refuse(program, "--ligand-from needs a .pdb or .cif receptor; name the ligand with -l");
  if (fld && settings->complex > 0)
    return cli_refuse(program, "--complex needs the receptor's atoms; use a .pdb, .cif or .pdbqt receptor");
  if (fld && (cli_box_given(spec) || cli_given(spec, "spacing")))
    return cli_refuse(program, "%s defines the box; remove --center, --size, --autobox and --spacing",
                      settings->receptor);
  if (fld && settings->opt_write_maps != NULL)
    return cli_refuse(program, "--write-maps: %s is already a set of maps; remove one of the two", settings->receptor);
  if (!check_several(spec, settings) || !check_ensemble(spec, settings)) return false;
  bool covalent = settings->prepare.receptor.opt_covalent != NULL;
  if (!cli_covalent_check(spec, &settings->prepare, settings->receptor)) return false;
  if (covalent && settings->seeds.count > 0)
    return cli_refuse(program, "--seed-poses has no effect on covalent ligands; remove it or --covalent");
  if (settings->prepare.ligands.hydrated && settings->seeds.count > 0)
    return cli_refuse(program, "--seed-poses has no waters for --hydrated; remove one of the two");
  if (covalent && dock_settings_several(settings))
    return cli_refuse(program, "--covalent supports only a single box; use one box, or none");
  if (settings->prepare.receptor.opt_covalent != NULL && cli_given(spec, "checks") && settings->checks != BT_CHECKS_OFF)
    return cli_refuse(program, "covalent ligands cannot be checked; remove --checks");
  if (!fld && !settings->blind && !cli_box_given(spec) && settings->opt_ligand_from == NULL && !covalent)
    return cli_box_refuse(program, settings->receptor, settings->prepare.receptor.model,
                          "--center x,y,z and --size x,y,z, --autobox FILE, or --blind");
  if (!cli_words_check(program, "format", settings->opt_format, bt_result_formats())) return false;
  if (!cli_words_check(program, "session", settings->opt_session, DOCK_SESSIONS)) return false;
  if (fld && settings->opt_session != NULL)
    return cli_refuse(program, "--session needs the receptor's atoms; use a .pdb, .cif or .pdbqt receptor");
  if (!cli_protocol_choose(spec, settings->receptor, ad4_reason(settings), &settings->protocol)) return false;
  if (!cli_constrain_check(spec, &settings->constrain)) return false;
  return check_effects(spec, settings);
}

/* Residues named as ligand, box or reference are not part of the receptor. */
static bool resolve_places(const cli_spec *spec, dock_settings *settings) {
  const char *program = spec->program;
  cli_prepare *prepare = &settings->prepare;
  if (settings->opt_ligand_from != NULL) {
    prepare->receptor.opt_ligand = settings->opt_ligand_from;
    if (settings->box.opt_autobox == NULL && !settings->blind) settings->box.opt_autobox = settings->opt_ligand_from;
  }
  cli_covalent_box(spec, prepare, &settings->box);
  for (int i = 0; i + 1 < settings->autoboxes.count; i++) /* the last one is handled below */
    if (bt_is_structure_file(settings->receptor) &&
        !cli_prepare_take_out(program, prepare, settings->receptor, settings->autoboxes.items[i]))
      return false;
  return cli_box_in_receptor(program, &settings->box, prepare, settings->receptor) &&
         (!bt_is_structure_file(settings->receptor) ||
          cli_prepare_take_out(program, prepare, settings->receptor, settings->opt_reference)) &&
         cli_constrain_resolve(spec, &settings->constrain, settings->receptor, prepare);
}

/* Applies the search parameters of a .dpf; the command line is parsed again afterwards and takes precedence. */
static bool import_dpf(const cli_spec *spec, dock_settings *settings, int argc, char **argv, int *ret_exit_code) {
  bt_dpf *dpf = NULL;
  bt_error error;
  if (bt_dpf_read(settings->opt_dpf, &dpf, &error) != BT_OK) {
    *ret_exit_code = cli_fail(spec->program, &error);
    return false;
  }
  if (bt_dpf_job_count(dpf) > 1)
    cli_warning(spec->program, "%s contains %d jobs; the parameters of the first are used", settings->opt_dpf,
                bt_dpf_job_count(dpf));
  for (int i = 0; i < bt_dpf_warning_count(dpf); i++)
    cli_warning(spec->program, "%s: %s", settings->opt_dpf, bt_dpf_warning(dpf, i));
  settings->search = bt_dock_options_default();
  settings->search.evaluations = 0;
  bt_dpf_apply(dpf, 0, &settings->search);
  settings->dpf_evaluations = settings->search.evaluations > 0;
  if (!settings->dpf_evaluations) settings->search.evaluations = bt_dock_options_default().evaluations;
  bt_dpf_destroy(dpf);
  cli_list *const lists[] = {&settings->ligands, &settings->smiles, &settings->seeds, &settings->ensemble,
                             &settings->autoboxes};
  for (int k = 0; k < CLI_COUNT(lists); k++) lists[k]->count = 0;
  settings->centers.count = 0;
  for (int i = 0; i < spec->n_options; i++) spec->options[i].given = 0;
  return cli_parse(spec, argc, argv, ret_exit_code);
}

/* One box, or all given ones. */
static bt_status resolve_boxes(const cli_spec *spec, dock_settings *settings, bt_error *opt_error) {
  int centers = settings->centers.count, count = settings->autoboxes.count;
  if (centers > count) count = centers;
  BT_TRY(cli_box_resolve(spec, &settings->box, &settings->resolved_box, opt_error));
  bt_boxes_tell(&settings->resolved_box, 1, &settings->prepare.receptor);
  if (count < 2) return BT_OK;
  settings->boxes = calloc((size_t)count, sizeof *settings->boxes);
  if (settings->boxes == NULL) return bt_fail_memory(opt_error);
  settings->n_boxes = count;
  for (int i = 0; i < count; i++) {
    cli_box_request request = settings->box;
    if (centers > 0)
      memcpy(request.center, settings->centers.items[i], sizeof request.center);
    else
      request.opt_autobox = settings->autoboxes.items[i];
    BT_TRY(cli_box_resolve(spec, &request, &settings->boxes[i], opt_error));
  }
  bt_boxes_tell(settings->boxes, count, &settings->prepare.receptor);
  return BT_OK;
}

bool dock_settings_parse(dock_settings *settings, int argc, char **argv, int *ret_exit_code) {
  bt_dock_options *search = &settings->search;
  /* clang-format off */
  cli_option options[] = {
      CLI_RECEPTOR_OPTION(&settings->receptor),
      {OPT_LIST("ensemble", 0, &settings->ensemble, "FILE",
       "further structures of the receptor, and every model of each file: ligands are docked into all of them, "
       "superposed by the C-alpha atoms around the box, and their poses ranked together")},
      {OPT_FLAG("no-superpose", 0, &settings->no_superpose, "leave the structures of --ensemble where they are")},
      {CLI_LIGANDS_OPTION("ligand", &settings->ligands, "ligands", ", .pdb with --template")},
      {OPT_LIST("smiles", 0, &settings->smiles, "SMILES",
       "ligands as SMILES, or as 'SMILES NAME' in quotes; -l accepts a SMILES without a name, if no file has that "
       "name")},
      {OPT_STRING("records", 0, &settings->opt_records, "A-B",
       "dock only records A to B of all ligands, counted from 1")},
      {OPT_STRING("ligand-from", 0, &settings->opt_ligand_from, "RES",
       "dock this residue of the receptor file")},
      CLI_FLEX_OPTION(settings->prepare),
      CLI_COVALENT_OPTIONS(settings->prepare),
      {OPT_STRING("reference", 0, &settings->opt_reference, "FILE",
       "reference pose for the RMSD, a file or a residue as in --autobox [the input pose]")},
      {OPT_LIST("seed-poses", 0, &settings->seeds, "FILE",
       "poses of the ligand from other programs, as .sdf, .mol2, .pdbqt, or complexes as .pdb, .cif (FILE:RES names "
       "the residue): minimized, they join the poses of the docking, which also searches from them")},
      {OPT_STRING("import-dpf", 0, &settings->opt_dpf, "FILE",
       "take search parameters from an AutoDock .dpf; options on the command line take precedence")},
      CLI_PROTOCOL_OPTIONS(settings->protocol),
      CLI_PARAMETERS_OPTION(&settings->opt_parameters),
      CLI_STRICT_OPTION(settings->prepare),
      CLI_PH_OPTION(settings->prepare),
      CLI_BOX_OPTIONS(settings->box),
      {OPT_FLAG("blind", 0, &settings->blind, "find the pockets of the whole receptor and dock into each")},
      {OPT_INT("pockets", 0, &settings->pockets, "N", 1, 1000, "with --blind: number of pockets, best first")},
      CLI_CONSTRAIN_OPTIONS(settings->constrain),
      {.group = "Output", OPT_STRING("output", 'o', &settings->folder, "FOLDER",
       "created if absent; one set of files per ligand")},
      {OPT_FLAG("overwrite", 0, &settings->overwrite,
       "replace results of other ligands, and results and maps of another receptor; the same ligand can always be "
       "docked again")},
      {OPT_STRING("format", 0, &settings->opt_format, "LIST",
       "any of dlg,xml,pdbqt,sdf,mol2,csv; JSON is always written"),
       .opt_default = "pdbqt,csv, sdf where the bonds are known, and dlg with ad4"},
      {OPT_CHOICE("complex", 0, &settings->complex, "none|pdb|cif",
       "receptor and best pose in one file, NAME.complex.pdb or .cif")},
      {OPT_STRING("session", 0, &settings->opt_session, "LIST",
       "scripts that open receptor and poses in PyMOL (pml: NAME.pml) or ChimeraX (cxc: NAME.cxc)")},
      {OPT_FLAG("contacts", 0, &settings->contacts,
       "contacts of ligand and receptor: as in AutoDock-GPU in DLG and XML, with distances in JSON")},
      {OPT_VECTOR("contact-distances", 0, settings->contact_distances, "R,H,V", 0, 20,
       "maximum distances of reactive, hydrogen-bond and van der Waals contacts"), .opt_default = "2.1,3.7,4.0"},
      {OPT_STRING("interactions", 0, &settings->interactions.opt_table, "FILE",
       "also write the interactions of the poses in SDF and PDBQT as CSV: a row each, a column per residue and type, "
       "and with --reference their similarity to its own")},
      {OPT_STRING("must-contact", 0, &settings->interactions.opt_must, "LIST",
       "leave poses without these contacts out of SDF and PDBQT: A:ASP25, or KIND:A:ASP25 with hbond, halogen, "
       "hydrophobic, water, metal, pi, salt or cation-pi; a comma between two")},
      {OPT_CHOICE("strain", 0, &settings->strain, "all|clusters|off",
       "energy of all poses, or of those in SDF and PDBQT, above the relaxed conformer (MMFF94s or UFF), and "
       "flags of twisted amides, open rings and wrong stereochemistry")},
      {OPT_CHOICE("checks", 0, &settings->checks, "on|energy|off",
       "check written poses as PoseBusters does: bonds, angles, planes, stereochemistry, clashes, overlap with the "
       "receptor; energy: and the internal energy, which takes seconds per ligand")},
      {OPT_FLAG("json", 0, &settings->json, "print one JSON object per line and ligand instead of tables")},
      {OPT_STRING("write-maps", 0, &settings->opt_write_maps, "PREFIX",
       "keep the computed maps as PREFIX.maps.fld and PREFIX.*.map")},
      {OPT_FLAG("quiet", 'q', &settings->quiet, "print no progress")},
      CLI_SEARCH_OPTIONS(&settings->effort, search, "docking", NULL, "by heuristics"),
      {OPT_REAL("autostop-tolerance", 0, &search->autostop_tolerance, "KCAL", 0.0001, 100,
       "spread of the best energies that counts as converged, kcal/mol")},
      {OPT_INT("autostop-interval", 0, &search->autostop_interval, "N", 1, 10000, "generations between two tests")},
      {OPT_INT("autostop-runs", 0, &search->autostop_runs, "N", 0, 1000000,
       "runs that must come within 0.5 kcal/mol of the best energy before the search stops")},
      {.group = "Genetic algorithm", OPT_INT("population", 'p', &search->population, "N", 2, 1000000,
       "individuals per run")},
      {OPT_CHOICE("selection", 0, &search->selection, "tournament|proportional", "selection of parents")},
      {OPT_REAL("tournament-rate", 0, &search->tournament_rate, "P", 0, 1,
       "probability that the better individual wins")},
      {OPT_CHOICE("crossover", 0, &search->crossover, "two-point|uniform", "combination of parents")},
      {OPT_REAL("crossover-rate", 0, &search->crossover_rate, "P", 0, 1, "probability per offspring")},
      {OPT_REAL("mutation-rate", 0, &search->mutation_rate, "P", 0, 1, "probability per gene"),
       .opt_default = "0.2; 0.05 above 12 torsions"},
      {OPT_REAL("mutation-move", 0, &search->mutation_move, "A", 0, 1000, "maximum translation, Angstrom")},
      {OPT_REAL("mutation-angle", 0, &search->mutation_angle, "DEG", 0, 180, "maximum rotation, degrees")},
      {OPT_INT("elitism", 0, &search->elitism, "N", 0, 1000000, "best individuals that survive unchanged")},
      {.group = "Local search", OPT_CHOICE("local-search", 0, &search->local_search, bt_local_search_choices(),
       "method")},
      {OPT_REAL("local-search-rate", 0, &search->local_search_rate, "P", 0, 1,
       "fraction of the population per generation")},
      {OPT_INT("local-search-iterations", 0, &search->local_search_iterations, "N", 1, 1000000000,
       "steps of one local search"), .opt_default = "adam: 100, or 200 above 12 torsions; others: 300"},
      {OPT_REAL("sw-move", 0, &search->sw_move, "A", 0, 100, "initial Solis-Wets spread, Angstrom"), .open_low = true},
      {OPT_REAL("sw-angle", 0, &search->sw_angle, "DEG", 0, 180,
       "initial Solis-Wets spread, degrees"), .open_low = true},
      {OPT_REAL("sw-rho-limit", 0, &search->sw_rho_limit, "X", 0, 1, "lower limit of the Solis-Wets scale"),
       .open_high = true},
      {OPT_INT("sw-limit", 0, &search->sw_limit, "N", 1, 255,
       "consecutive successes or failures that change the scale")},
      {.group = "Results", OPT_CHOICE("torsional", 0, &search->torsional, "torsdof|branches",
       "torsions counted in the torsional energy: TORSDOF record or number of BRANCHes")},
      {OPT_REAL("rmsd-tolerance", 0, &search->rmsd_tolerance, "A", 0, 1000, "radius of a cluster, Angstrom"),
       .open_low = true},
      {OPT_INT("poses", 0, &search->poses, "N", 1, 1000,
       "distinct poses written: the best clusters of the runs, and further minima that the runs passed")},
      {OPT_REAL("energy-range", 0, &search->energy_range, "KCAL", 0, 1e6,
       "of further minima, above the lowest energy of the search, kcal/mol")},
      {OPT_CHOICE("rmsd", 0, &settings->rmsd_mode, "symmetry|index|autodock",
       "RMSD over heavy atoms, corrected for symmetry or by index; autodock: nearest atom of the same type")},
      CLI_LIGAND_OPTIONS(settings->prepare),
      CLI_PROTOMERS_OPTION(settings->prepare),
      {.group = "Filter", CLI_FILTER_OPTION(settings->prepare, "; others are left out and counted")},
      CLI_RECEPTOR_OPTIONS(settings->prepare),
      CLI_DEVICE_OPTIONS(settings->device),
      CLI_DEVICES_OPTION(settings->device),
      {OPT_THREADS('t', &search->threads, 65536, "CPU threads")},
  };
  /* clang-format on */
  cli_spec spec = {"berth dock", "find where and how strongly ligands bind to a receptor",
                   "-r RECEPTOR -l LIGAND... -o FOLDER [options]", details, examples, CLI_TABLE(options),
                   &settings->ligands};
  for (int i = 0; i < CLI_COUNT(options); i++) { /* may be repeated */
    if (strcmp(options[i].name, "center") == 0) options[i].opt_vectors = &settings->centers;
    if (strcmp(options[i].name, "autobox") == 0) options[i].opt_words = &settings->autoboxes;
    if (strcmp(options[i].name, "waters") == 0) {
      options[i].choices = CLI_WATERS_OF_DOCK;
      options[i].help = "waters of the file that stay: none, those that the receptor holds near the box, all; toggle: docks "
                        "without any and with those that it holds, and ranks the poses together";
    }
    if (strcmp(options[i].name, "conformers") == 0)
      options[i].help = "conformers of a ligand, its own 3D coordinates first, that share the runs of its docking";
  }
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  if (settings->opt_dpf != NULL && !import_dpf(&spec, settings, argc, argv, ret_exit_code)) return false;
  *ret_exit_code = CLI_EXIT_BAD;
  unsigned chosen = (settings->dpf_evaluations ? BT_CHOSEN_LIMIT : 0) | (cli_given(&spec, "poses") ? BT_CHOSEN_POSES : 0);
  cli_effort_apply(&spec, settings->effort, chosen, search);
  search->rmsd_symmetry = settings->rmsd_mode != 1;
  search->rmsd_autodock = settings->rmsd_mode == 2;
  if (!check(&spec, settings) || !cli_ligands_check(spec.program, &settings->prepare, ret_exit_code)) return false;
  cli_prepare_resolve(&settings->prepare);
  if (!resolve_places(&spec, settings)) return false;
  bt_error error;
  bt_status status = cli_device_resolve(&settings->device, search, &error);
  if (status == BT_OK) cli_cache_warn(spec.program, search->opt_device);
  if (status == BT_OK && dock_settings_computes_maps(settings) && !settings->blind)
    status = resolve_boxes(&spec, settings, &error);
  settings->autobox = settings->box.opt_autobox != NULL && !cli_given(&spec, "size");
  if (status != BT_OK) *ret_exit_code = cli_fail(spec.program, &error);
  return status == BT_OK;
}
