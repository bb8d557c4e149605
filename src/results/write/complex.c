/* complex.c - receptor, flexible residues and ligand of one pose in one PDB or mmCIF file. */
#include <berth/score.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "chem/element.h"
#include "prep/formats.h"
#include "results/complex.h"
#include "results/write/pose_text.h"

enum { MOST_SERIAL = 99999 };

static void add_atom(bt_text *text, const bt_complex *c, int index) {
  const bt_complex_atom *atom = &c->atoms[index];
  const bt_complex_residue *r = &c->residues[atom->residue];
  const char *symbol = bt_element_symbol(atom->element);
  char upper[3] = {symbol[0], (char)toupper((unsigned char)symbol[1]), '\0'}, name[8];
  bool wide = strlen(atom->name) > 3 || symbol[1] != '\0';
  snprintf(name, sizeof name, wide ? "%-4.4s" : " %-3.3s", atom->name);
  bool hetero = r->kind != BT_COMPLEX_POLYMER;
  bt_text_printf(text, "%-6s%5d %s %3.3s %c%4d%c   ", hetero ? "HETATM" : "ATOM", (index + 1) % (MOST_SERIAL + 1), name,
                 r->name, r->chain, ((r->number % 10000) + 10000) % 10000, r->icode);
  for (int k = 0; k < 3; k++) bt_text_column(text, atom->x[k], 8, 3, false);
  bt_text_printf(text, "  1.00  0.00          %2s\n", upper);
}

static void end_chain(bt_text *text, const bt_complex_residue *r) {
  bt_text_printf(text, "TER   %5s      %3.3s %c%4d%c\n", "", r->name, r->chain, ((r->number % 10000) + 10000) % 10000,
                 r->icode);
}

/* Bonds of the ligand, which viewers would guess otherwise. */
static void add_connections(bt_text *text, const bt_complex *c) {
  if (c->n_atoms > MOST_SERIAL) return; /* serials are no longer unique */
  for (int atom = 0; atom < c->n_atoms; atom++) {
    int count = 0;
    if (c->residues[c->atoms[atom].residue].kind != BT_COMPLEX_LIGAND) continue;
    for (int k = 0; k < c->n_bonds; k++) {
      if (c->bonds[k][0] != atom && c->bonds[k][1] != atom) continue;
      if (count++ % 4 == 0) bt_text_printf(text, "%sCONECT%5d", count > 1 ? "\n" : "", atom + 1);
      bt_text_printf(text, "%5d", c->bonds[k][0] + c->bonds[k][1] - atom + 1);
    }
    if (count > 0) bt_text_add_char(text, '\n');
  }
}

static void write_pdb(bt_text *text, const bt_complex *c, const bt_result *result, int position) {
  const bt_run *run = &result->runs[result->ranking[position]];
  bool named = result->ligand->scoring != BT_SCORING_UNNAMED, ended = false;
  bt_text_printf(text, "REMARK   1 %.40s, POSE %d, RUN %d\n", bt_molecule_name(result->ligand->molecule), position + 1,
                 result->ranking[position] + 1);
  bt_text_printf(text, "REMARK   1 ESTIMATED FREE ENERGY OF BINDING %.2f KCAL/MOL%s%s\n", run->energy.free_energy,
                 named ? " BY " : "", named ? bt_scoring_title(result->ligand->scoring) : "");
  for (int i = 0; i < c->n_atoms; i++) {
    bool ligand = c->residues[c->atoms[i].residue].kind == BT_COMPLEX_LIGAND;
    if (ligand && !ended && i > 0) end_chain(text, &c->residues[c->atoms[i - 1].residue]);
    ended = ended || ligand;
    add_atom(text, c, i);
  }
  add_connections(text, c);
  bt_text_add_string(text, "END\n");
}

bt_status bt_result_write_complex(const bt_result *result, int position, const bt_molecule *receptor,
                                  const char *path, bt_error *opt_error) {
  const bt_format *format = bt_format_of(path);
  if (!bt_format_is(format, BT_FORMAT_STRUCTURE))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path},
                   bt_format_advise("name it", BT_FORMAT_STRUCTURE, 0).text, "this is no structure file by its name");
  BT_TRY(bt_result_check(result, opt_error));
  if (position < 0 || position >= result->n_poses)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "count poses from 0", "there is no pose %d", position);
  BT_ENDED_BY(bt_complex_clear) bt_complex complex = {0};
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  BT_TRY(bt_complex_collect(result, position, receptor, &complex, opt_error));
  if (format == &bt_format_pdb)
    write_pdb(&text, &complex, result, position);
  else
    BT_TRY(bt_complex_cif(&complex, result, position, &text, opt_error));
  return bt_file_write_text(path, &text, opt_error);
}
