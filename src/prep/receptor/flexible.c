/* flexible.c - side chains that move, as trees of PDBQT. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "prep/receptor/receptor.h"

/* The walk over one side chain. */
typedef struct bt_chain_walk {
  bt_receptor_work *prep;
  int residue;
  int *number; /* [n_atoms] serial; 0: not written yet */
  int *queue;  /* [n_atoms] */
} bt_chain_walk;

static const char *const backbone[] = {"N", "C", "O", "OXT", "P", "OP1", "OP2", "OP3"};

/* Atoms of the main chain stay rigid, as do their hydrogens; the alpha carbon is the root of the side chain. */
static bool stays(const bt_receptor_residue *r, const bt_receptor_atom *atom) {
  if (atom->parent >= 0) return stays(r, &r->atoms[atom->parent]);
  for (size_t k = 0; k < sizeof backbone / sizeof *backbone; k++)
    if (strcmp(atom->name, backbone[k]) == 0) return true;
  return false;
}

bool bt_receptor_moves(const bt_receptor_residue *residue, const bt_receptor_atom *atom) {
  return (residue->flexible || residue->tethered) && !stays(residue, atom);
}

/* Atoms of the residue bonded to one: indices, and whether the bond rotates; returns their number. */
static int bonds_of(const bt_receptor_residue *r, int atom, int partners[BT_TEMPLATE_BONDS],
                    bool turns[BT_TEMPLATE_BONDS]) {
  const bt_template_atom *known = &r->template->atoms[r->atoms[atom].in_template];
  int count = 0;
  for (int b = 0; b < known->n_bonds; b++)
    for (int i = 0; i < r->n_atoms; i++)
      if (r->atoms[i].in_template == known->bonds[b]) {
        partners[count] = i;
        turns[count++] = known->turns[b];
      }
  return count;
}

static bt_status add_fragment(bt_receptor_work *prep, bt_fragment fragment) {
  bt_molecule *m = prep->flexible;
  if (!BT_GROW(m->fragments, &prep->fragment_room, m->n_fragments + 1)) return bt_fail_memory(prep->opt_error);
  m->fragments[m->n_fragments++] = fragment;
  return BT_OK;
}

/* Writes the atoms connected to start without a rotatable bond between, then each branch; axis: serial of the atom
 * before start, 0: none. Side chains are at most some ten bonds deep. */
static bt_status write_body(bt_chain_walk *walk, int start, int axis, int parent) {
  bt_receptor_work *prep = walk->prep;
  bt_molecule *molecule = prep->flexible;
  const bt_receptor_residue *r = &prep->residues[walk->residue];
  int *inside = walk->queue, first = 0, count = 0, fragment = molecule->n_fragments, next = molecule->n_atoms;
  BT_TRY(add_fragment(prep, (bt_fragment){.parent = parent,
                                          .axis_from = axis - 1,
                                          .axis_to = axis > 0 ? next : -1,
                                          .residue = molecule->n_residues - 1,
                                          .first_atom = next}));
  while (walk->queue[first] >= 0) first++; /* the queue of this body begins after those of the enclosing bodies */
  inside += first;
  inside[count++] = start;
  int partners[BT_TEMPLATE_BONDS];
  bool turns[BT_TEMPLATE_BONDS];
  for (int k = 0; k < count; k++) {
    BT_TRY(bt_receptor_add_pdbqt(prep, true, walk->residue, &r->atoms[inside[k]]));
    walk->number[inside[k]] = molecule->n_atoms;
    int n = bonds_of(r, inside[k], partners, turns);
    for (int b = 0; b < n; b++) {
      bool known = turns[b] || stays(r, &r->atoms[partners[b]]) || walk->number[partners[b]] != 0;
      for (int m = 0; m < count && !known; m++) known = inside[m] == partners[b];
      if (!known) inside[count++] = partners[b];
    }
  }
  if (axis == 0) bt_text_add_string(&prep->flexible_text, "ENDROOT\n");
  for (int k = 0; k < count; k++) {
    int n = bonds_of(r, inside[k], partners, turns);
    for (int b = 0; b < n; b++) {
      if (!turns[b] || stays(r, &r->atoms[partners[b]]) || walk->number[partners[b]] != 0) continue;
      int from = walk->number[inside[k]], to = molecule->n_atoms + 1;
      bt_text_printf(&prep->flexible_text, "BRANCH %3d %3d\n", from, to);
      BT_TRY(write_body(walk, partners[b], from, fragment));
      bt_text_printf(&prep->flexible_text, "ENDBRANCH %3d %3d\n", from, to);
    }
  }
  molecule->fragments[fragment].end_atom = molecule->n_atoms;
  return BT_OK;
}

static bt_status write_chain(bt_chain_walk *walk) {
  bt_receptor_work *prep = walk->prep;
  bt_molecule *m = prep->flexible;
  const bt_receptor_residue *r = &prep->residues[walk->residue];
  const bt_structure_residue *source = bt_receptor_source(prep, walk->residue);
  if (walk->number == NULL || walk->queue == NULL || !BT_GROW(m->residues, &prep->residue_room, m->n_residues + 1))
    return bt_fail_memory(prep->opt_error);
  bt_residue *residue = &m->residues[m->n_residues++];
  *residue = (bt_residue){.chain = bt_receptor_chain_letter(prep, source),
                          .number = source->number % 10000,
                          .first_atom = m->n_atoms,
                          .root = m->n_fragments};
  snprintf(residue->name, sizeof residue->name, "%.3s", source->name);
  for (int k = 0; k < r->n_atoms * 2 + 2; k++) walk->queue[k] = -1;
  char title[24];
  snprintf(title, sizeof title, "%-3.3s %c%4d", residue->name, residue->chain, residue->number);
  bt_text_printf(&prep->flexible_text, "BEGIN_RES %s\nROOT\n", title);
  BT_TRY(write_body(walk, bt_receptor_find(r, "CA"), 0, -1));
  bt_text_printf(&prep->flexible_text, "END_RES %s\n", title);
  residue->end_atom = m->n_atoms;
  return BT_OK;
}

static bt_status write_residue(bt_receptor_work *prep, int i) {
  size_t n = (size_t)prep->residues[i].n_atoms;
  BT_SCOPED int *number = bt_allocate(n, sizeof *number), *queue = bt_allocate(n * 2 + 2, sizeof *queue);
  return write_chain(&(bt_chain_walk){prep, i, number, queue});
}

const char *bt_receptor_obstacle(const bt_receptor_work *prep, int i, bool *ret_error) {
  const bt_receptor_residue *r = &prep->residues[i];
  *ret_error = true;
  if (r->fate != BT_FATE_KEPT) return "it is not part of the receptor";
  if (r->template == NULL || r->template->kind != BT_CLASS_AMINO) return "only amino acids can be flexible";
  if (r->disulfide >= 0) return "it is in a disulfide";
  int ca = bt_receptor_find(r, "CA");
  if (ca < 0) return "it has no atom CA";
  for (int k = r->bonds; k >= 0; k = bt_receptor_next_bond(prep, i, k))
    if (!stays(r, &r->atoms[prep->bonds[k].atom[bt_receptor_end(prep, i, k)]]))
      return "it is bonded to another residue";
  int partners[BT_TEMPLATE_BONDS];
  bool turns[BT_TEMPLATE_BONDS];
  int n = bonds_of(r, ca, partners, turns), torsions = 0;
  for (int b = 0; b < n; b++) torsions += turns[b] && !stays(r, &r->atoms[partners[b]]);
  *ret_error = strcmp(r->template->family, "PRO") == 0;
  return torsions > 0 ? NULL : *ret_error ? "its side chain is a ring with the main chain" : "it has no rotatable bond";
}

bt_status bt_receptor_check_flexible(bt_receptor_work *prep) {
  char name[40];
  for (int i = 0; i < prep->n_residues; i++) {
    bt_receptor_residue *r = &prep->residues[i];
    if (!r->flexible) continue;
    bool error;
    const char *why = bt_receptor_obstacle(prep, i, &error);
    if (why == NULL) {
      bt_receptor_note(r, "flexible");
      prep->n_moved++;
    } else if (error) {
      return bt_receptor_fail(prep, "leave it out of the flexible residues", "%s cannot be flexible: %s",
                              bt_receptor_name(prep, i, name), why);
    } else {
      r->flexible = false;
      bt_receptor_warn(prep, i, "stays rigid: %s", why);
    }
  }
  return BT_OK;
}

bt_status bt_receptor_write_flexible(bt_receptor_work *prep) {
  for (int i = 0; i < prep->n_residues; i++)
    if (prep->residues[i].flexible) BT_TRY(write_residue(prep, i));
  return BT_OK;
}
