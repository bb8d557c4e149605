/* pose_text.c - the lines of a pose as every PDBQT-like output has them. */
#include "results/write/pose_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void bt_text_column(bt_text *text, double value, int width, int decimals, bool plus) {
  char digits[512]; /* the longest double has 309 digits before the point */
  for (; decimals >= 0; decimals--) {
    if (fabs(value) < 0.5 * pow(10, -decimals)) value = 0.0; /* no -0.00 */
    if (snprintf(digits, sizeof digits, plus ? "%+*.*f" : "%*.*f", width, decimals, value) <= width) break;
  }
  if (decimals < 0) snprintf(digits, sizeof digits, plus ? "%+*.0e" : "%*.0e", width, value);
  bt_text_add_string(text, digits);
}

/* ---- lines ---- */

static bool starts_with_word(const char *line, const char *word) {
  size_t length = strlen(word);
  return strncmp(line, word, length) == 0 && strchr(" \t:", line[length]) != NULL; /* also at its end */
}

static bool is_kept(const char *line) {
  static const char *const tree[] = {"ROOT",    "ENDROOT", "BRANCH",    "ENDBRANCH", "TORS",
                                     "ENDTORS", "TORSDOF", "BEGIN_RES", "END_RES"};
  static const char *const outdated[] = {"VINA", "INTER", "INTRA", "UNBOUND", "CONF_INDEPENDENT", "BERTH"};
  for (size_t k = 0; k < sizeof tree / sizeof tree[0]; k++)
    if (starts_with_word(line, tree[k])) return true;
  if (strncmp(line, "REMARK", 6) != 0) return false;
  const char *what = line + 6 + strspn(line + 6, " \t");
  for (size_t k = 0; k < sizeof outdated / sizeof outdated[0]; k++)
    if (starts_with_word(what, outdated[k])) return false;
  return true;
}

static double clip(double energy) { return fmax(-99.99, fmin(99.99, energy)); }

static void add_atom(bt_text *text, const char *line, const bt_atom *atom, const double *xyz,
                     const bt_atom_energy *energy, bt_pose_style style) {
  bool log = style.docking_log;
  bt_text_printf(text, "%s%-30.30s", style.prefix, line);
  for (int k = 0; k < 3; k++) bt_text_column(text, xyz[k], 8, 3, false);
  if (style.coordinates_only) {
    bt_text_printf(text, "%s\n", strlen(line) > 54 ? line + 54 : "");
    return;
  }
  bt_text_column(text, clip(energy->vdw_hbond + energy->desolvation), 6, 2, log);
  bt_text_column(text, clip(energy->electrostatic), 6, 2, log);
  if (log) {
    bt_text_add_string(text, "    ");
    bt_text_column(text, atom->charge, 6, 3, true);
    bt_text_printf(text, " %-3s\n", atom->type);
  } else {
    bt_text_printf(text, "%s\n", strlen(line) > 66 ? line + 66 : "");
  }
}

static void add_molecule(bt_text *text, const bt_molecule *molecule, const double *xyz, const bt_atom_energy *energies,
                         bt_pose_style style) {
  int next = 0;
  for (int l = 0; l < molecule->n_lines; l++) {
    const char *line = molecule->lines[l];
    if (next < molecule->n_atoms && molecule->atoms[next].line == l) {
      add_atom(text, line, &molecule->atoms[next], xyz + 3 * (size_t)next, &energies[next], style);
      next++;
      continue;
    }
    line += strspn(line, " \t");
    if (!is_kept(line)) continue;
    if (style.docking_log && starts_with_word(line, "ROOT"))
      bt_text_printf(text,
                     "%sUSER                              x       y       z     vdW  Elec       q    Type\n"
                     "%sUSER                           _______ _______ _______ _____ _____    ______ ____\n",
                     style.prefix, style.prefix);
    bt_text_printf(text, "%s%s\n", style.prefix, line);
  }
}

void bt_pose_lines(bt_text *text, const bt_result *result, const bt_run *run, bt_pose_style style) {
  const bt_ligand *ligand = result->ligand;
  size_t first = (size_t)ligand->n_ligand_atoms;
  add_molecule(text, ligand->molecule, run->xyz, run->atoms, style);
  if (ligand->opt_flexible != NULL)
    add_molecule(text, ligand->opt_flexible, run->xyz + 3 * first, run->atoms + first, style);
}

/* ---- genes ---- */

bt_status bt_pose_dihedrals(const bt_ligand *ligand, const bt_genotype *genotype, double *torsions,
                            bt_error *opt_error) {
  int n_open = 0, count = 0;
  BT_SCOPED int *open = bt_allocate((size_t)ligand->n_bodies + 1, sizeof *open);
  if (open == NULL) return bt_fail_memory(opt_error);
  for (int b = 0; b <= ligand->n_bodies; b++) { /* bodies stand in the order in which they open */
    int parent = b < ligand->n_bodies ? ligand->bodies[b].parent : -1;
    for (; n_open > 0 && open[n_open - 1] != parent; n_open--) {
      int torsion = ligand->bodies[open[n_open - 1]].torsion;
      if (torsion < 0) continue;
      double degrees = fmod(genotype->torsions[torsion] * 57.295779513082320877, 360.0);
      torsions[count++] = degrees < 0 ? degrees + 360.0 : degrees;
    }
    open[n_open++] = b;
  }
  return BT_OK;
}

/* ---- context ---- */

const char *bt_context_ligand(const bt_result *result, const bt_write_context *context) {
  if (context->opt_ligand_path != NULL) return context->opt_ligand_path;
  const bt_molecule *molecule = result->ligand->molecule;
  return strcmp(molecule->path, "-") == 0 ? molecule->name : molecule->path;
}

const char *bt_context_fld(const bt_result *result, const bt_write_context *context) {
  if (context->opt_fld_path != NULL) return context->opt_fld_path;
  if (result->maps->fld_path != NULL) return result->maps->fld_path;
  return result->maps->receptor_file != NULL ? result->maps->receptor_file : "(maps computed)";
}

const char *bt_context_flexible(const bt_result *result, const bt_write_context *context) {
  if (result->ligand->opt_flexible == NULL) return NULL;
  return context->opt_flexible_path != NULL ? context->opt_flexible_path : result->ligand->opt_flexible->path;
}
