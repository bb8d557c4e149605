/* dlg.c - docking logs in AutoDock-GPU's layout, as Meeko, Ringtail and AutoDockTools read them.
 *
 * Contents: 1. heading; 2. inputs; 3. poses; 4. clusters. Values of the heading begin at column 44; the equals sign of
 * an energy stands in column 45. Readers split by columns and by words, so both are kept.
 */
#include <berth/score.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "results/flags.h"
#include "results/write/contact_text.h"
#include "results/write/pose_text.h"
#include "results/write/write.h"

typedef struct log_writer {
  bt_text *text;
  const bt_result *result;
  const bt_write_context *context;
} log_writer;

/* ---- 1. heading ---- */

static void add_title(bt_text *text, const char *title) {
  bt_text_printf(text, "    %s\n    ________________________\n\n\n", title);
}

static void add_setting(bt_text *text, const char *key, const char *format, ...) BT_PRINTF(3, 4);

static void add_setting(bt_text *text, const char *key, const char *format, ...) {
  char value[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(value, sizeof value, format, arguments);
  va_end(arguments);
  bt_text_printf(text, "%-43s%s\n", key, value);
}

static void add_search(const log_writer *w) {
  bt_text *text = w->text;
  const bt_dock_options *o = &w->result->options;
  add_setting(text, "Number of energy evaluations:", "%" PRId64, o->evaluations);
  add_setting(text, "Number of generations:", "%" PRId64, o->generations);
  add_setting(text, "Size of population:", "%d", o->population);
  add_setting(text, "Rate of crossover:", "%f%%", 100 * o->crossover_rate);
  add_setting(text, "Tournament selection probability limit:", "%f%%", 100 * o->tournament_rate);
  add_setting(text, "Rate of mutation:", "%f%%", 100 * o->mutation_rate);
  add_setting(text, "Maximal allowed delta movement:", "+/- %fA", o->mutation_move);
  add_setting(text, "Maximal allowed delta angle:", "+/- %f", o->mutation_angle);
  bt_text_add_char(text, '\n');
  add_setting(text, "Rate of local search:", "%f%%", 100 * o->local_search_rate);
  add_setting(text, "Maximal number of local search iterations:", "%d", o->local_search_iterations);
  add_setting(text, "Rho lower bound:", "%f", o->sw_rho_limit);
  add_setting(text, "Spread of local search delta movement:", "%fA", o->sw_move);
  add_setting(text, "Spread of local search delta angle:", "%f", o->sw_angle);
  add_setting(text, "Limit of consecutive successes/failures:", "%d", o->sw_limit);
  bt_text_add_char(text, '\n');
}

static void add_docking_parameters(const log_writer *w) {
  bt_text *text = w->text;
  const bt_dock_options *o = &w->result->options;
  const char *flexible = bt_context_flexible(w->result, w->context);
  const char *command = w->context->opt_command_line;
  add_title(text, "DOCKING PARAMETERS");
  bt_text_printf(text, "%-43s%s\n", "Ligand file:", bt_context_ligand(w->result, w->context));
  if (flexible != NULL) bt_text_printf(text, "%-43s%s\n", "Flexible residue file:", flexible);
  bt_text_printf(text, "%-43s%s\n\n", "Grid fld file:", bt_context_fld(w->result, w->context));
  if (w->result->ligand->scoring != BT_SCORING_UNNAMED) /* readers know AutoDock 4 alone */
    add_setting(text, "Scoring function:", "%s", bt_scoring_name(w->result->ligand->scoring));
  add_setting(text, "Random seed:", "%" PRIu64, o->seed);
  /* Readers take as many entries of the RMSD table as there are runs, and a further minimum has one, too. */
  add_setting(text, "Number of runs:", "%d", w->result->n_poses);
  int further = w->result->n_poses - w->result->n_runs;
  if (further > 0) add_setting(text, "Further minima among them:", "%d", further);
  add_search(w);
  add_setting(text, "Handle symmetry during clustering:", "%s", o->rmsd_symmetry ? "YES" : "NO");
  add_setting(text, "RMSD tolerance:", "%fA", o->rmsd_tolerance);
  bt_text_add_char(text, '\n');
  bt_text_printf(text, "%-43s%s \n\n\n", "Program call in command line was:", command != NULL ? command : "");
}

/* Readers take the name as one word. */
static void add_receptor_name(bt_text *text, const char *opt_name) {
  const char *name = opt_name != NULL && opt_name[0] != '\0' ? opt_name : "receptor";
  bt_text_printf(text, "%-43s", "Receptor name:");
  for (const char *c = name; *c != '\0'; c++) bt_text_add_char(text, *c == ' ' || *c == '\t' ? '_' : *c);
  bt_text_add_char(text, '\n');
}

static void add_grid_parameters(const log_writer *w) {
  bt_text *text = w->text;
  const bt_box *box = &w->result->maps->box;
  add_title(text, "GRID PARAMETERS");
  add_receptor_name(text, w->result->maps->receptor_name);
  add_setting(text, "Number of grid points (x, y, z):", "%d, %d, %d", box->npts[0] + 1, box->npts[1] + 1,
              box->npts[2] + 1);
  add_setting(text, "Grid center (x, y, z):", "%f, %f, %fA", box->center[0], box->center[1], box->center[2]);
  add_setting(text, "Grid size (x, y, z):", "%f, %f, %fA", box->npts[0] * box->spacing, box->npts[1] * box->spacing,
              box->npts[2] * box->spacing);
  add_setting(text, "Grid spacing:", "%fA", box->spacing);
  bt_text_add_string(text, "\n\n");
}

static void add_name(bt_text *text, const char *key, const char *path) {
  size_t length = strlen(path);
  if (length > 6 && strcmp(path + length - 6, ".pdbqt") == 0) length -= 6;
  bt_text_printf(text, "%-43s%.*s\n", key, (int)length, path);
}

static void add_ligand_parameters(const log_writer *w) {
  bt_text *text = w->text;
  const bt_ligand *ligand = w->result->ligand;
  const char *flexible = bt_context_flexible(w->result, w->context);
  add_title(text, flexible != NULL ? "LIGAND+FLEXRES PARAMETERS" : "LIGAND PARAMETERS");
  add_name(text, "Ligand name:", bt_context_ligand(w->result, w->context));
  if (flexible != NULL) {
    add_name(text, "Flexres name:", flexible);
    add_setting(text, "Number of ligand atoms:", "%d", ligand->n_ligand_atoms);
    add_setting(text, "Number of flexres atoms:", "%d", ligand->n_atoms - ligand->n_ligand_atoms);
    add_setting(text, "Number of ligand rotatable bonds:", "%d", ligand->n_ligand_torsions);
    add_setting(text, "Number of flexres rotatable bonds:", "%d", ligand->n_torsions - ligand->n_ligand_torsions);
  }
  add_setting(text, "Number of atoms:", "%d", ligand->n_atoms);
  add_setting(text, "Number of rotatable bonds:", "%d", ligand->n_torsions);
  add_setting(text, "Number of atom types:", "%d", ligand->n_types);
  bt_text_add_string(text, "\n\n");
}

/* ---- 2. inputs ---- */

static void add_dummy_data(const log_writer *w) {
  bt_text *text = w->text;
  const char *flexible = bt_context_flexible(w->result, w->context);
  add_title(text, "DUMMY DATA (only for ADT-compatibility)");
  bt_text_printf(text, "DPF> outlev 1\nDPF> ga_run %d\n", w->result->n_poses);
  bt_text_printf(text, "DPF> fld %s\n", bt_context_fld(w->result, w->context));
  bt_text_printf(text, "DPF> move %s\n", bt_context_ligand(w->result, w->context));
  if (flexible != NULL) bt_text_printf(text, "DPF> flexres %s\n", flexible);
  bt_text_add_string(text, "\n\n");
  add_title(text, "COUNTER STATES");
  add_setting(text, "Number of energy evaluations performed:", "%" PRId64, w->result->evaluations / w->result->n_runs);
  add_setting(text, "Number of generations used:", "%" PRId64, w->result->generations);
  bt_text_add_string(text, "\n\n");
}

static void add_input(bt_text *text, const char *title, const char *prefix, const bt_molecule *molecule) {
  add_title(text, title);
  for (int l = 0; l < molecule->n_lines; l++) bt_text_printf(text, "%s%s\n", prefix, molecule->lines[l]);
  bt_text_add_string(text, "\n\n");
}

/* ---- 3. poses ---- */

static void add_energy(bt_text *text, const char *what, double energy, const char *end) {
  bool large = fabs(energy) > 1000;
  if (fabs(energy) < 0.005) energy = 0.0; /* no -0.00 */
  bt_text_printf(text, large ? "DOCKED: USER    %s=%+11.2e kcal/mol%s\n" : "DOCKED: USER    %s=%+7.2f kcal/mol%s\n",
                 what, energy, end);
}

static void add_energies(bt_text *text, const bt_energy *e) {
  add_energy(text, "Estimated Free Energy of Binding    ", e->free_energy, "  [=(1)+(2)+(3)-(4)]");
  bt_text_add_string(text, "DOCKED: USER\n");
  add_energy(text, "(1) Final Intermolecular Energy     ", e->inter, "");
  add_energy(text, "    vdW + Hbond + desolv Energy     ", e->inter_vdw_hbond + e->inter_desolvation, "");
  add_energy(text, "    Electrostatic Energy            ", e->inter_electrostatic, "");
  add_energy(text, "    Moving Ligand-Fixed Receptor    ", e->inter - e->inter_moving, "");
  add_energy(text, "    Moving Ligand-Moving Receptor   ", e->inter_moving, "");
  add_energy(text, "(2) Final Total Internal Energy     ", e->intra, "");
  add_energy(text, "(3) Torsional Free Energy           ", e->torsional, "");
  add_energy(text, "(4) Unbound System's Energy         ", e->inter + e->intra + e->torsional - e->free_energy, "");
}

/* The genes: translation from the lower corner of the box to the ligand's center, rotation, torsions. */
static bt_status add_genes(const log_writer *w, const bt_run *run, bt_error *opt_error) {
  bt_text *text = w->text;
  const bt_ligand *ligand = w->result->ligand;
  const double *low = bt_run_maps(w->result, run)->low, *position = run->genotype.position;
  double axis[3], angle;
  BT_SCOPED double *torsions = bt_allocate((size_t)ligand->n_torsions, sizeof *torsions);
  if (torsions == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_pose_dihedrals(ligand, &run->genotype, torsions, opt_error));
  bt_quaternion_to_axis_angle(run->genotype.quaternion, axis, &angle);
  bt_text_printf(text,
                 "DOCKED: USER    NEWDPF about 0.0 0.0 0.0\n"
                 "DOCKED: USER    NEWDPF tran0 %.6f %.6f %.6f\n"
                 "DOCKED: USER    NEWDPF axisangle0 %.8f %.8f %.8f %.6f\n"
                 "DOCKED: USER    NEWDPF dihe0",
                 position[0] - low[0], position[1] - low[1], position[2] - low[2], axis[0], axis[1], axis[2], angle);
  for (int k = 0; k < ligand->n_torsions; k++) bt_text_printf(text, " %.6f", torsions[k]);
  bt_text_add_char(text, '\n');
  return BT_OK;
}

static bt_status add_pose(const log_writer *w, int index, bt_error *opt_error) {
  bt_text *text = w->text;
  const bt_result *result = w->result;
  const bt_run *run = &result->runs[index];
  add_title(text, "FINAL DOCKED STATE:");
  bt_text_printf(text, "Run:   %d / %d\n", index + 1, result->n_poses);
  bt_text_printf(text, "Time taken for this run:   %.3fs\n\n", run->further ? 0.0 : result->seconds / result->n_runs);
  if (result->with_contacts) bt_contacts_add_dlg(text, result, run);
  bt_text_printf(text, "DOCKED: MODEL        %d\nDOCKED: USER    Run = %d\nDOCKED: USER\n", index + 1, index + 1);
  if (run->further) bt_text_add_string(text, "DOCKED: USER    Further minimum\nDOCKED: USER\n");
  if (run->site > 0)
    bt_text_printf(text, "DOCKED: USER    %s = %d\nDOCKED: USER\n", result->ensemble ? "Receptor" : "Site", run->site);
  if (run->seed > 0) bt_text_printf(text, "DOCKED: USER    Seed pose = %d\nDOCKED: USER\n", run->seed);
  add_energies(text, &run->energy);
  bt_waters_add_lines(text, "DOCKED: USER    Hydration ", result->ligand, &run->waters);
  bt_text_add_string(text, "DOCKED: USER\n");
  BT_TRY(add_genes(w, run, opt_error));
  bt_text_add_string(text, "DOCKED: USER\n");
  bt_pose_lines(text, result, run, (bt_pose_style){.prefix = "DOCKED: ", .docking_log = true});
  bt_text_add_string(text, "DOCKED: TER\nDOCKED: ENDMDL\n");
  for (int k = 0; k < 80; k++) bt_text_add_char(text, '_');
  bt_text_add_string(text, "\n\n\n");
  return BT_OK;
}

/* ---- 4. clusters ---- */

static void add_histogram(bt_text *text, const bt_result *result) {
  bt_text_add_string(text,
                     "    CLUSTERING HISTOGRAM\n    ____________________\n\n\n"
                     "________________________________________________________________________________\n"
                     "     |           |     |           |     |\n"
                     "Clus | Lowest    | Run | Mean      | Num | Histogram\n"
                     "-ter | Binding   |     | Binding   | in  |\n"
                     "Rank | Energy    |     | Energy    | Clus|    5    10   15   20   25   30   35\n"
                     "_____|___________|_____|___________|_____|____:____|____:____|____:____|____:___\n");
  for (int c = 0; c < result->n_clusters; c++) {
    const bt_cluster *cluster = &result->clusters[c];
    int poses = bt_cluster_poses(cluster);
    bt_text_printf(text, cluster->lowest > 999999.99 ? "%4d |%+10.2e |%4d |" : "%4d |%+10.2f |%4d |", c + 1,
                   cluster->lowest, cluster->leader + 1);
    bt_text_printf(text, cluster->mean > 999999.99 ? "%+10.2e |%4d |" : "%+10.2f |%4d |", cluster->mean, poses);
    for (int k = 0; k < poses; k++) bt_text_add_char(text, '#');
    bt_text_add_char(text, '\n');
  }
  bt_text_add_string(text, "_____|___________|_____|___________|_____|______________________________________\n\n\n");
}

static void add_rmsd_table(bt_text *text, const bt_result *result) {
  bt_text_add_string(text,
                     "    RMSD TABLE\n    __________\n\n\n"
                     "_______________________________________________________________________\n"
                     "     |      |      |           |         |                 |\n"
                     "Rank | Sub- | Run  | Binding   | Cluster | Reference       | Grep\n"
                     "     | Rank |      | Energy    | RMSD    | RMSD            | Pattern\n"
                     "_____|______|______|___________|_________|_________________|___________\n");
  for (int k = 0; k < result->n_poses; k++) {
    const bt_run *run = &result->runs[result->ranking[k]];
    double energy = run->energy.free_energy;
    bt_text_printf(text, "%4d   %4d   %4d  ", run->cluster, run->rank_in_cluster, result->ranking[k] + 1);
    bt_text_printf(text, energy > 999999.99 ? "%+10.2e" : "%+10.2f", energy);
    bt_text_printf(text, "  %8.2f  %8.2f           RANKING\n", run->cluster_rmsd, bt_run_logged_rmsd(run));
  }
}

bt_status bt_write_dlg(const bt_result *result, const bt_write_context *context, bt_text *text, bt_error *opt_error) {
  const log_writer w = {.text = text, .result = result, .context = context};
  const bt_ligand *ligand = result->ligand;
  bt_text_add_string(text, "Berth version: " BT_VERSION
                           "\n\n"
                           "**********************************************************\n"
                           "**        BERTH AUTODOCKTOOLS-COMPATIBLE DLG FILE       **\n"
                           "**********************************************************\n\n\n");
  add_docking_parameters(&w);
  add_grid_parameters(&w);
  add_ligand_parameters(&w);
  add_dummy_data(&w);
  if (result->opt_reference != NULL)
    add_input(text, "XRAY LIGAND PDBQT FILE:", "XRAY-LIGAND-PDBQT: ", result->opt_reference);
  add_input(text, "INPUT LIGAND PDBQT FILE:", "INPUT-LIGAND-PDBQT: ", ligand->molecule);
  if (ligand->opt_flexible != NULL)
    add_input(text, "INPUT FLEXRES PDBQT FILE:", "INPUT-FLEXRES-PDBQT: ", ligand->opt_flexible);
  for (int k = 0; k < result->n_poses; k++) BT_TRY(add_pose(&w, k, opt_error));
  add_histogram(text, result);
  add_rmsd_table(text, result);
  bt_text_printf(text, "\nRun time %.3f sec\nIdle time %.3f sec\n", result->seconds, 0.0);
  return bt_text_status(text, opt_error);
}
