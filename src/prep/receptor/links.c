/* links.c - bonds between residues: chains, disulfides, and other bonds that the file states or distances imply. */

#include "base/cells.h"
#include "base/memory.h"
#include "prep/receptor/receptor.h"
#include "base/vector.h"

static const double LONGEST_PEPTIDE = 1.9, LONGEST_PHOSPHATE = 2.1; /* Angstrom; typically 1.33 and 1.61 */
static const double LONGEST_DISULFIDE = 2.5;                        /* typically 2.05 */
static const double LONGEST_OTHER = 2.0;                            /* between C, N, O, S, P of different residues */

static bool close_atoms(const bt_receptor_work *prep, int i, int a, int j, int b, double longest) {
  return bt_v3_distance(prep->residues[i].atoms[a].x, prep->residues[j].atoms[b].x) < longest;
}

static int find_any(const bt_receptor_residue *residue, const char *name, const char *other) {
  int at = bt_receptor_find(residue, name);
  return at >= 0 || other == NULL ? at : bt_receptor_find(residue, other);
}

static bool stated(const bt_receptor_work *prep, int i, int a, int j, int b) {
  for (int k = prep->residues[i].bonds; k >= 0; k = bt_receptor_next_bond(prep, i, k)) {
    int end = bt_receptor_end(prep, i, k);
    const bt_receptor_bond *bond = &prep->bonds[k];
    if (bond->atom[end] == a && bond->residue[1 - end] == j && bond->atom[1 - end] == b) return true;
  }
  return false;
}

static bt_status add_bond(bt_receptor_work *prep, int i, int a, int j, int b) {
  if (!BT_GROW(prep->bonds, &prep->bond_room, prep->n_bonds + 1)) return bt_fail_memory(prep->opt_error);
  if (stated(prep, i, a, j, b)) return BT_OK;
  int k = prep->n_bonds++;
  prep->bonds[k] =
      (bt_receptor_bond){.residue = {i, j}, .atom = {a, b}, .next = {prep->residues[i].bonds, prep->residues[j].bonds}};
  prep->residues[i].bonds = prep->residues[j].bonds = k;
  return BT_OK;
}

/* Links residues i and j of a chain if the end of i is bonded to the start of j. */
static bt_status join(bt_receptor_work *prep, int i, int j, bool *ret_joined) {
  const bt_receptor_residue *from = &prep->residues[i], *to = &prep->residues[j];
  int c = bt_receptor_find(from, "C"), n = find_any(to, "N", "NXT");
  if (c >= 0 && n >= 0 && close_atoms(prep, i, c, j, n, LONGEST_PEPTIDE)) {
    *ret_joined = true;
    return add_bond(prep, i, c, j, n);
  }
  int o = find_any(from, "O3'", "O3*"), p = bt_receptor_find(to, "P");
  if (o >= 0 && p >= 0 && close_atoms(prep, i, o, j, p, LONGEST_PHOSPHATE)) {
    *ret_joined = true;
    return add_bond(prep, i, o, j, p);
  }
  return BT_OK;
}

static bt_status join_chains(bt_receptor_work *prep) {
  for (int j = 0; j < prep->n_residues; j++) {
    bt_receptor_residue *to = &prep->residues[j];
    if (to->fate != BT_FATE_KEPT) continue;
    bool joined = false;
    /* other residues may lie between, so look back over a few */
    for (int i = j - 1; i >= 0 && i >= j - 8 && !joined; i--) {
      bt_receptor_residue *from = &prep->residues[i];
      if (from->fate != BT_FATE_KEPT || from->next >= 0) continue;
      BT_TRY(join(prep, i, j, &joined));
      if (joined) {
        from->next = j;
        to->previous = i;
      }
    }
  }
  return BT_OK;
}

/* Joins cysteines by the distance of their sulfurs, each with the nearest. */
static bt_status join_disulfides(bt_receptor_work *prep) {
  for (int i = 0; i < prep->n_residues; i++) {
    int a = prep->residues[i].fate == BT_FATE_KEPT ? bt_receptor_find(&prep->residues[i], "SG") : -1;
    if (a < 0 || prep->residues[i].disulfide >= 0) continue;
    double nearest = LONGEST_DISULFIDE;
    int partner = -1, sulfur = -1;
    for (int j = i + 1; j < prep->n_residues; j++) {
      int b = prep->residues[j].fate == BT_FATE_KEPT ? bt_receptor_find(&prep->residues[j], "SG") : -1;
      if (b < 0 || prep->residues[j].disulfide >= 0) continue;
      double d = bt_v3_distance(prep->residues[i].atoms[a].x, prep->residues[j].atoms[b].x);
      if (d < nearest) {
        nearest = d;
        partner = j;
        sulfur = b;
      }
    }
    if (partner < 0) continue;
    prep->residues[i].disulfide = partner;
    prep->residues[partner].disulfide = i;
    BT_TRY(add_bond(prep, i, a, partner, sulfur));
    char name[40], other[40];
    bt_receptor_note(&prep->residues[i], "disulfide with %s", bt_receptor_name(prep, partner, other));
    bt_receptor_note(&prep->residues[partner], "disulfide with %s", bt_receptor_name(prep, i, name));
  }
  return BT_OK;
}

static bool is_bonding(int element) { return element >= 5 && element <= 9 ? true : element == 15 || element == 16; }

static bool is_chain_bond(const bt_receptor_work *prep, int i, int j) {
  return prep->residues[i].next == j || prep->residues[j].next == i;
}

static bt_status note_bond(bt_receptor_work *prep, int i, int a, int j, int b) {
  char one[40], two[40];
  bt_receptor_note(&prep->residues[i], "%s is bonded to %s of %s", prep->residues[i].atoms[a].name,
                   prep->residues[j].atoms[b].name, bt_receptor_name(prep, j, two));
  bt_receptor_note(&prep->residues[j], "%s is bonded to %s of %s", prep->residues[j].atoms[b].name,
                   prep->residues[i].atoms[a].name, bt_receptor_name(prep, i, one));
  return add_bond(prep, i, a, j, b);
}

/* Bonds given by LINK or struct_conn. */
static bt_status join_stated(bt_receptor_work *prep) {
  const bt_structure *s = prep->structure;
  for (int k = 0; k < s->n_links; k++) {
    const bt_structure_link *link = &s->links[k];
    int i = link->residue[0], j = link->residue[1];
    if (i == j || prep->residues[i].fate != BT_FATE_KEPT || prep->residues[j].fate != BT_FATE_KEPT) continue;
    int a = bt_receptor_find(&prep->residues[i], link->atom[0]),
        b = bt_receptor_find(&prep->residues[j], link->atom[1]);
    if (a < 0 || b < 0 || is_chain_bond(prep, i, j) || prep->residues[i].disulfide == j) continue;
    if (!is_bonding(prep->residues[i].atoms[a].element) || !is_bonding(prep->residues[j].atoms[b].element)) continue;
    if (!close_atoms(prep, i, a, j, b, 1.5 * LONGEST_OTHER)) continue;
    BT_TRY(note_bond(prep, i, a, j, b));
  }
  return BT_OK;
}

typedef struct near_search {
  bt_receptor_work *prep;
  const int *residue, *atom; /* of each point */
  int point;
  bt_status status;
} near_search;

static void consider(void *context, int other, double distance2) {
  near_search *search = context;
  bt_receptor_work *prep = search->prep;
  int i = search->residue[search->point], a = search->atom[search->point];
  int j = search->residue[other], b = search->atom[other];
  if (j <= i || search->status != BT_OK) return;
  int e = prep->residues[i].atoms[a].element, f = prep->residues[j].atoms[b].element;
  /* sulfur and phosphorus have longer bonds; only unambiguous ones */
  double longest = e > 9 && f > 9 ? 2.3 : e > 9 || f > 9 ? 1.95 : 1.65;
  if (distance2 > longest * longest || is_chain_bond(prep, i, j) || stated(prep, i, a, j, b)) return;
  if (distance2 < 0.8 * 0.8) return; /* overlapping atoms are a different error */
  search->status = note_bond(prep, i, a, j, b);
}

/* Bonds not given in the file: a ligand or sugar bonded to a side chain. */
static bt_status join_near(bt_receptor_work *prep) {
  size_t count = 0;
  for (int i = 0; i < prep->n_residues; i++) count += (size_t)prep->residues[i].n_atoms;
  BT_SCOPED double(*x)[3] = bt_allocate(count, sizeof *x);
  BT_SCOPED int *residue = bt_allocate(count, sizeof *residue), *atom = bt_allocate(count, sizeof *atom);
  if (x == NULL || residue == NULL || atom == NULL) return bt_fail_memory(prep->opt_error);
  bt_cells *cells;
  int n = 0;
  for (int i = 0; i < prep->n_residues; i++)
    for (int a = 0; a < prep->residues[i].n_atoms; a++) {
      if (!is_bonding(prep->residues[i].atoms[a].element)) continue;
      bt_v3_copy(x[n], prep->residues[i].atoms[a].x);
      residue[n] = i;
      atom[n++] = a;
    }
  BT_TRY(bt_cells_create((const double(*)[3])x, n, 2.4, &cells, prep->opt_error));
  near_search search = {.prep = prep, .residue = residue, .atom = atom, .status = BT_OK};
  for (; search.status == BT_OK && search.point < n; search.point++)
    bt_cells_near(cells, x[search.point], 2.4, consider, &search);
  bt_cells_destroy(cells);
  return search.status;
}

int bt_receptor_outer_bonds(const bt_receptor_work *prep, int residue, int atom) {
  int count = 0;
  for (int k = prep->residues[residue].bonds; k >= 0; k = bt_receptor_next_bond(prep, residue, k)) {
    int end = bt_receptor_end(prep, residue, k), other = prep->bonds[k].residue[1 - end];
    if (prep->bonds[k].atom[end] != atom) continue;
    bool chain = prep->residues[residue].next == other || prep->residues[residue].previous == other;
    if (!chain && prep->residues[residue].disulfide != other) count++;
  }
  return count;
}

bt_status bt_receptor_links(bt_receptor_work *prep) {
  for (int i = 0; i < prep->n_residues; i++)
    prep->residues[i].previous = prep->residues[i].next = prep->residues[i].disulfide = prep->residues[i].bonds = -1;
  BT_TRY(join_chains(prep));
  BT_TRY(join_disulfides(prep));
  BT_TRY(join_stated(prep));
  return join_near(prep);
}
