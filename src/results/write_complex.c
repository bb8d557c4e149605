/* write_complex.c - receptor, flexible residues and ligand of one pose in one PDB or mmCIF file.
 *
 * Atoms are those of the PDBQT texts, in their order; elements come from the AutoDock types. The ligand is chain "L",
 * or another letter that the receptor does not use, as HETATM.
 */
#include <berth/score.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "chem/element.h"
#include "results/pose_text.h"

typedef struct complex_writer {
  bt_text text;
  bt_complex_format format;
  int serial;
  char ligand_chain;
} complex_writer;

static char free_chain(const bt_molecule *receptor) {
  static const char letters[] = "LXYZABCDEFGHIJKMNOPQRSTUVW";
  for (const char *c = letters; *c != '\0'; c++) {
    bool used = false;
    for (int i = 0; i < receptor->n_atoms && !used; i++) used = receptor->atoms[i].chain == *c;
    if (!used) return *c;
  }
  return 'L';
}

/* A word of a CIF loop. */
static void add_word(bt_text *text, const char *word) {
  const char *quote = strpbrk(word, " \"#$'_[];") == NULL ? "" : strchr(word, '\'') != NULL ? "\"" : "'";
  bt_text_printf(text, "%s%s%s ", quote, word[0] != '\0' ? word : ".", quote);
}

static void add_pdb(complex_writer *w, bool hetero, const bt_atom *atom, const char *resname, char chain, int resnum,
                    const char *symbol, const double *x) {
  char upper[3] = {symbol[0], (char)toupper((unsigned char)symbol[1]), '\0'}, name[8];
  bool wide = strlen(atom->name) > 3 || symbol[1] != '\0';
  snprintf(name, sizeof name, wide ? "%-4.4s" : " %-3.3s", atom->name);
  bt_text_printf(&w->text, "%-6s%5d %s %3.3s %c%4d%c   ", hetero ? "HETATM" : "ATOM", w->serial % 100000, name, resname,
                 chain, ((resnum % 10000) + 10000) % 10000, hetero ? ' ' : atom->icode);
  for (int k = 0; k < 3; k++) bt_text_column(&w->text, x[k], 8, 3, false);
  bt_text_printf(&w->text, "  1.00  0.00          %2s\n", upper);
}

static void add_cif(complex_writer *w, bool hetero, const bt_atom *atom, const char *resname, char chain, int resnum,
                    const char *symbol, const double *x) {
  char upper[3] = {symbol[0], (char)toupper((unsigned char)symbol[1]), '\0'};
  const char letter[2] = {chain == ' ' ? '.' : chain, '\0'}, icode[2] = {atom->icode == ' ' ? '?' : atom->icode, '\0'};
  bt_text_printf(&w->text, "%s %d %s ", hetero ? "HETATM" : "ATOM", w->serial, upper);
  add_word(&w->text, atom->name);
  add_word(&w->text, resname);
  bt_text_printf(&w->text, "%s %d %s %.3f %.3f %.3f 1.00 0.00 1\n", letter, resnum, hetero ? "?" : icode, x[0], x[1],
                 x[2]);
}

/* opt_xyz NULL: the molecule's own coordinates. Atoms of a ligand that are a residue's side chain are the protein's. */
static void add_molecule(complex_writer *w, const bt_molecule *molecule, const double *opt_xyz, bool ligand) {
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *atom = &molecule->atoms[i];
    int element = bt_element_of_type(atom->type);
    if (element <= 0) continue; /* TZ, W, G */
    if (molecule->kind == BT_MOLECULE_LIGAND && ligand == bt_atom_of_side_chain(molecule, atom)) continue;
    const double *x = opt_xyz != NULL ? opt_xyz + 3 * (size_t)i : atom->x;
    const char *resname = atom->resname[0] != '\0' ? atom->resname : ligand ? "LIG" : "UNK";
    char chain = ligand ? w->ligand_chain : atom->chain;
    w->serial++;
    (w->format == BT_COMPLEX_PDB ? add_pdb : add_cif)(w, ligand, atom, resname, chain, ligand ? 1 : atom->resnum,
                                                      bt_element_symbol(element), x);
  }
}

/* The waters of hydrated docking that stay, as oxygens. */
static void add_waters(complex_writer *w, const bt_run *run) {
  bt_atom oxygen = {.name = "O", .icode = ' '};
  int number = 1;
  for (size_t k = 0; k < run->waters.count; k++) {
    const bt_water *water = &run->waters.items[k];
    if (!bt_water_stays(water)) continue;
    w->serial++;
    (w->format == BT_COMPLEX_PDB ? add_pdb : add_cif)(w, true, &oxygen, "HOH", w->ligand_chain, ++number, "O",
                                                      water->x);
  }
}

static void add_heading(complex_writer *w, const bt_result *result, int position) {
  const bt_run *run = &result->runs[result->ranking[position]];
  const char *name = bt_molecule_name(result->ligand->molecule), *title = bt_scoring_title(result->ligand->scoring);
  bool vina = result->ligand->scoring != BT_SCORING_AD4;
  if (w->format == BT_COMPLEX_PDB) {
    bt_text_printf(&w->text, "REMARK   1 %.40s, POSE %d, RUN %d\n", name, position + 1, result->ranking[position] + 1);
    bt_text_printf(&w->text, "REMARK   1 ESTIMATED FREE ENERGY OF BINDING %.2f KCAL/MOL%s%s\n", run->energy.free_energy,
                   vina ? " BY " : "", vina ? title : "");
    return;
  }
  static const char *const columns[] = {
      "group_PDB",    "id",          "type_symbol",       "label_atom_id",     "label_comp_id",
      "auth_asym_id", "auth_seq_id", "pdbx_PDB_ins_code", "Cartn_x",           "Cartn_y",
      "Cartn_z",      "occupancy",   "B_iso_or_equiv",    "pdbx_PDB_model_num"};
  bt_text_printf(&w->text, "data_complex\n#\n_berth.free_energy_of_binding %.3f\n_berth.run %d\n#\nloop_\n",
                 run->energy.free_energy, result->ranking[position] + 1);
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) bt_text_printf(&w->text, "_atom_site.%s\n", columns[k]);
}

bt_status bt_result_write_complex(const bt_result *result, int position, const bt_molecule *receptor,
                                  bt_complex_format format, const char *path, bt_error *opt_error) {
  BT_TRY(bt_result_check(result, opt_error));
  if (position < 0 || position >= result->n_runs)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "count poses from 0", "there is no pose %d", position);
  const bt_ligand *ligand = result->ligand;
  const double *xyz = result->runs[result->ranking[position]].xyz;
  complex_writer w = {.format = format, .ligand_chain = free_chain(receptor)};
  bool pdb = format == BT_COMPLEX_PDB;
  add_heading(&w, result, position);
  add_molecule(&w, receptor, NULL, false);
  if (ligand->opt_flexible != NULL)
    add_molecule(&w, ligand->opt_flexible, xyz + 3 * (size_t)ligand->n_ligand_atoms, false);
  add_molecule(&w, ligand->molecule, xyz, false);
  if (pdb) bt_text_add_string(&w.text, "TER\n");
  add_molecule(&w, ligand->molecule, xyz, true);
  add_waters(&w, &result->runs[result->ranking[position]]);
  bt_text_add_string(&w.text, pdb ? "END\n" : "#\n");
  bt_status status = bt_file_write_text(path, &w.text, opt_error);
  bt_text_destroy(&w.text);
  return status;
}
