/* xml.c - AutoDock-GPU's XML: genes and energies of every run and further minimum, clusters.
 *
 * Its readers look at one tag per line, so every element stands on a line of its own. Text is escaped. Genes have nine
 * significant digits, so that a pose can be rebuilt; the tag torsonial_free_NRG is spelled as there.
 */
#include <berth/score.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "results/flags.h"
#include "results/write/contact_text.h"
#include "results/write/pose_text.h"
#include "results/write/write.h"

static void add_escaped(bt_text *text, const char *string) {
  for (const char *c = string; *c != '\0'; c++) {
    switch (*c) {
      case '&': bt_text_add_string(text, "&amp;"); break;
      case '<': bt_text_add_string(text, "&lt;"); break;
      case '>': bt_text_add_string(text, "&gt;"); break;
      case '"': bt_text_add_string(text, "&quot;"); break;
      default: bt_text_add_char(text, (unsigned char)*c < ' ' && *c != '\t' ? '?' : *c);
    }
  }
}

static void add_element(bt_text *text, const char *tag, const char *content) {
  bt_text_printf(text, "\t<%s>", tag);
  add_escaped(text, content);
  bt_text_printf(text, "</%s>\n", tag);
}

/* In AutoDock-GPU's words. */
static const char *search_word(bt_local_search method) {
  switch (method) {
    case BT_LS_NONE: break;
    case BT_LS_SOLIS_WETS: return "sw";
    case BT_LS_ADADELTA: return "ad";
    case BT_LS_ADAM: return "adam";
  }
  return "none";
}

static void add_heading(bt_text *text, const bt_result *result, const bt_write_context *context) {
  const bt_dock_options *o = &result->options;
  const char *flexible = bt_context_flexible(result, context);
  add_element(text, "version", "Berth " BT_VERSION);
  add_element(text, "arguments", context->opt_command_line != NULL ? context->opt_command_line : "");
  if (context->opt_dpf_path != NULL) add_element(text, "dpf", context->opt_dpf_path);
  add_element(text, "grid", bt_context_fld(result, context));
  add_element(text, "ligand", bt_context_ligand(result, context));
  if (flexible != NULL) add_element(text, "flexres", flexible);
  if (result->ligand->scoring != BT_SCORING_UNNAMED)
    add_element(text, "scoring", bt_scoring_name(result->ligand->scoring));
  bt_text_printf(text, "\t<seed>%" PRIu64 "</seed>\n", o->seed);
  add_element(text, "ls_method", search_word(o->local_search));
  add_element(text, "autostop", o->autostop ? "yes" : "no");
  add_element(text, "heuristics", o->heuristics ? "yes" : "no");
  bt_text_printf(text, "\t<run_requested>%d</run_requested>\n", o->runs);
}

/* Spaces align the values of a run; there is no -0.00. */
static void add_energy(bt_text *text, const char *tag, const char *spaces, double energy) {
  if (fabs(energy) < 0.005) energy = 0.0;
  bt_text_printf(text, "\t\t\t<%s>%s%.2f</%s>\n", tag, spaces, energy, tag);
}

static bt_status add_run(bt_text *text, const bt_result *result, int index, bt_error *opt_error) {
  const bt_ligand *ligand = result->ligand;
  const bt_run *run = &result->runs[index];
  const bt_energy *e = &run->energy;
  const double *low = bt_run_maps(result, run)->low, *position = run->genotype.position;
  double axis[3], angle;
  BT_SCOPED double *torsions = bt_allocate((size_t)ligand->n_torsions, sizeof *torsions);
  if (torsions == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_pose_dihedrals(ligand, &run->genotype, torsions, opt_error));
  bt_quaternion_to_axis_angle(run->genotype.quaternion, axis, &angle);
  bt_text_printf(text, "\t\t<run id=\"%d\">\n", index + 1);
  if (run->further) bt_text_add_string(text, "\t\t\t<further>1</further>\n");
  const char *site = bt_result_site_word(result);
  if (run->site > 0) bt_text_printf(text, "\t\t\t<%s>%d</%s>\n", site, run->site, site);
  if (run->seed > 0) bt_text_printf(text, "\t\t\t<seed_pose>%d</seed_pose>\n", run->seed);
  if (result->with_contacts) bt_contacts_add_xml(text, result, run);
  add_energy(text, "free_NRG_binding", "   ", e->free_energy);
  add_energy(text, "final_intermol_NRG", " ", e->inter);
  add_energy(text, "internal_ligand_NRG", "", e->intra);
  add_energy(text, "torsonial_free_NRG", " ", e->torsional);
  bt_text_printf(text, "\t\t\t<tran0>%.9g %.9g %.9g</tran0>\n", position[0] - low[0], position[1] - low[1],
                 position[2] - low[2]);
  bt_text_printf(text, "\t\t\t<axisangle0>%.9g %.9g %.9g %.9g</axisangle0>\n", axis[0], axis[1], axis[2], angle);
  bt_text_printf(text, "\t\t\t<ndihe>%d</ndihe>\n\t\t\t<dihe0>", ligand->n_torsions);
  for (int k = 0; k < ligand->n_torsions; k++) bt_text_printf(text, "%s%.9g", k > 0 ? " " : "", torsions[k]);
  bt_text_add_string(text, "\n\t\t\t</dihe0>\n\t\t</run>\n");
  return BT_OK;
}

static void add_clusters(bt_text *text, const bt_result *result) {
  bt_text_add_string(text, "\t<result>\n\t\t<clustering_histogram>\n");
  for (int c = 0; c < result->n_clusters; c++) {
    const bt_cluster *cluster = &result->clusters[c];
    bt_text_printf(text,
                   "\t\t\t<cluster cluster_rank=\"%d\" lowest_binding_energy=\"%.2f\" run=\"%d\" "
                   "mean_binding_energy=\"%.2f\" num_in_clus=\"%d\" />\n",
                   c + 1, cluster->lowest, cluster->leader + 1, cluster->mean, bt_cluster_poses(cluster));
  }
  bt_text_add_string(text, "\t\t</clustering_histogram>\n\t\t<rmsd_table>\n");
  for (int k = 0; k < result->n_poses; k++) {
    const bt_run *run = &result->runs[result->ranking[k]];
    bt_text_printf(text,
                   "\t\t\t<run rank=\"%d\" sub_rank=\"%d\" run=\"%d\" binding_energy=\"%.2f\" cluster_rmsd=\"%.2f\" "
                   "reference_rmsd=\"%.2f\" />\n",
                   run->cluster, run->rank_in_cluster, result->ranking[k] + 1, run->energy.free_energy,
                   run->cluster_rmsd, bt_run_logged_rmsd(run));
  }
  bt_text_add_string(text, "\t\t</rmsd_table>\n\t</result>\n");
}

bt_status bt_write_xml(const bt_result *result, const bt_write_context *context, bt_text *text, bt_error *opt_error) {
  bt_text_add_string(text, "<?xml version=\"1.0\" ?>\n<autodock_gpu>\n");
  add_heading(text, result, context);
  BT_SCOPED int *order = bt_allocate((size_t)result->n_poses, sizeof *order);
  if (order == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_result_order(result, order, opt_error));
  bt_text_add_string(text, "\t<runs>\n");
  for (int k = 0; k < result->n_poses; k++) BT_TRY(add_run(text, result, order[k], opt_error));
  bt_text_add_string(text, "\t</runs>\n");
  add_clusters(text, result);
  bt_text_add_string(text, "</autodock_gpu>\n");
  return bt_text_status(text, opt_error);
}
