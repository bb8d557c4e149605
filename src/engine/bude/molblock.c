/* molblock.c - where the double bonds of aromatic systems are (Kekule's structures).
 *
 * Atoms that need a double bond are matched along aromatic bonds: the one with fewest free partners first, with
 * backtracking. Nitrogens that may carry a charge take part only when it does not work without them.
 */
#include "engine/bude/molblock.h"

#include <string.h>

#include "base/memory.h"
#include "chem/element.h"

enum { MOST = 999, MOST_STEPS = 20000 };

typedef struct sharing {
  const bt_mol2 *m;
  int *order;                     /* [n_bonds] */
  int *element, *degree, *charge; /* [n_atoms] */
  bool *needs, *may;              /* [n_atoms] a double bond of an aromatic system */
  int *first, *via;               /* bonds of atom i: via[first[i]] ... via[first[i + 1] - 1] */
  long steps;
  bool hydrogens;
  bt_arena arena;
} sharing;

static int other(const sharing *s, int atom, int bond) {
  return s->m->bonds[bond].a == atom ? s->m->bonds[bond].b : s->m->bonds[bond].a;
}

static bool is_aromatic(const bt_mol2_bond *bond) { return strcmp(bond->order, "ar") == 0; }

static int element_of(const bt_mol2_atom *atom) {
  char symbol[4] = "";
  bt_span_copy((bt_span){atom->type, strcspn(atom->type, ".")}, symbol, sizeof symbol);
  return bt_element_of_symbol(symbol);
}

static bool has_double(const sharing *s, int atom) {
  for (int k = s->first[atom]; k < s->first[atom + 1]; k++)
    if (s->order[s->via[k]] >= 2) return true;
  return false;
}

/* Oxygens of acids and their like: one double bond of carbon and phosphorus, two of sulfur, the rest single. */
static void share_acids(sharing *s) {
  for (int i = 0; i < s->m->n_atoms; i++) {
    int doubles = 0, wanted = s->element[i] == 16 ? 2 : 1;
    for (int k = s->first[i]; k < s->first[i + 1]; k++) doubles += s->order[s->via[k]] == 2;
    for (int k = s->first[i]; k < s->first[i + 1]; k++) {
      int bond = s->via[k], end = other(s, i, bond);
      if (!is_aromatic(&s->m->bonds[bond]) || s->element[end] != 8 || s->degree[end] != 1) continue;
      s->order[bond] = doubles < wanted ? 2 : 1;
      doubles += s->order[bond] == 2;
    }
  }
}

static void find_needs(sharing *s) {
  for (int i = 0; i < s->m->n_atoms; i++) {
    int aromatic = 0;
    const char *type = s->m->atoms[i].type;
    for (int k = s->first[i]; k < s->first[i + 1]; k++)
      aromatic += is_aromatic(&s->m->bonds[s->via[k]]) && s->order[s->via[k]] == 0;
    if (aromatic == 0 || has_double(s, i)) continue;
    if (s->element[i] == 6) s->needs[i] = true;
    if (s->element[i] == 7 && s->degree[i] == 2 && (s->hydrogens || strcmp(type, "N.pl3") != 0)) s->needs[i] = true;
    if (s->element[i] == 7 && s->degree[i] == 3) s->may[i] = true;
  }
}

static bool is_open(const sharing *s, int bond, bool charged) {
  const bt_mol2_bond *b = &s->m->bonds[bond];
  return is_aromatic(b) && s->order[bond] == 0 && (s->needs[b->a] || (charged && s->may[b->a])) &&
         (s->needs[b->b] || (charged && s->may[b->b]));
}

static int partners(const sharing *s, int atom, bool charged) {
  int count = 0;
  for (int k = s->first[atom]; k < s->first[atom + 1]; k++) count += is_open(s, s->via[k], charged);
  return count;
}

/* The atom that has fewest choices left; -1: none needs one. */
static int hardest(const sharing *s, bool charged) {
  int best = -1, fewest = 0;
  for (int i = 0; i < s->m->n_atoms; i++) {
    if (!s->needs[i]) continue;
    int count = partners(s, i, charged);
    if (best < 0 || count < fewest) best = i, fewest = count;
  }
  return best;
}

/* Depth is at most half the number of atoms, which is bounded. */
static bool match(sharing *s, bool charged) {
  int atom = hardest(s, charged);
  if (atom < 0) return true;
  if (s->steps++ > MOST_STEPS) return false;
  for (int k = s->first[atom]; k < s->first[atom + 1]; k++) {
    int bond = s->via[k], end = other(s, atom, bond);
    if (!is_open(s, bond, charged)) continue;
    bool needed = s->needs[end], allowed = s->may[end];
    s->order[bond] = 2;
    s->needs[atom] = s->needs[end] = s->may[end] = false;
    if (match(s, charged)) return true;
    s->order[bond] = 0;
    s->needs[atom] = true;
    s->needs[end] = needed;
    s->may[end] = allowed;
  }
  return false;
}

static void find_charges(sharing *s) {
  for (int i = 0; i < s->m->n_atoms; i++) {
    int valence = 0, element = s->element[i];
    for (int k = s->first[i]; k < s->first[i + 1]; k++) valence += s->order[s->via[k]];
    if (element == 7 && valence == 4) s->charge[i] = 1;
    if (!s->hydrogens) continue;
    if (element == 7 && valence == 2) s->charge[i] = -1;
    if ((element == 8 || element == 16) && valence == 1) s->charge[i] = -1;
    if ((element == 8 || element == 16) && valence == 3) s->charge[i] = 1;
    if (element == 5 && valence == 4) s->charge[i] = -1;
  }
}

static bt_status make_room(sharing *s, bt_error *opt_error) {
  const int n = s->m->n_atoms, b = s->m->n_bonds;
  BT_NEW(&s->arena, s->order, b);
  BT_NEW(&s->arena, s->element, n);
  BT_NEW(&s->arena, s->degree, n);
  BT_NEW(&s->arena, s->charge, n);
  BT_NEW(&s->arena, s->needs, n);
  BT_NEW(&s->arena, s->may, n);
  BT_NEW(&s->arena, s->first, n + 2);
  BT_NEW(&s->arena, s->via, 2 * b);
  return bt_arena_status(&s->arena, opt_error);
}

static void look(sharing *s) {
  const bt_mol2 *m = s->m;
  for (int i = 0; i < m->n_atoms; i++) {
    s->element[i] = element_of(&m->atoms[i]);
    s->hydrogens = s->hydrogens || s->element[i] == 1;
  }
  for (int i = 0; i < m->n_bonds; i++) {
    const bt_mol2_bond *bond = &m->bonds[i];
    s->order[i] = is_aromatic(bond) ? 0 : bond->order[0] == '2' ? 2 : bond->order[0] == '3' ? 3 : 1;
    s->first[bond->a + 2]++;
    s->first[bond->b + 2]++;
    s->degree[bond->a]++;
    s->degree[bond->b]++;
  }
  for (int i = 0; i < m->n_atoms; i++) s->first[i + 2] += s->first[i + 1];
  for (int i = 0; i < m->n_bonds; i++) {
    s->via[s->first[m->bonds[i].a + 1]++] = i;
    s->via[s->first[m->bonds[i].b + 1]++] = i;
  }
}

static bt_status share(sharing *s, bt_error *opt_error) {
  BT_TRY(make_room(s, opt_error));
  look(s);
  share_acids(s);
  find_needs(s);
  bool done = match(s, false);
  s->steps = 0;
  if (!done && !match(s, true))
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = s->m->path, .line = s->m->line},
                   "write the record with single and double bonds, or with all hydrogens",
                   "its aromatic bonds cannot be kekulized");
  for (int i = 0; i < s->m->n_bonds; i++)
    if (s->order[i] == 0) s->order[i] = 1;
  find_charges(s);
  return BT_OK;
}

static void write_block(const sharing *s, bt_text *text) {
  const bt_mol2 *m = s->m;
  bt_text_printf(text, "%.70s\n  berth             3D\n\n%3d%3d  0  0  0  0  0  0  0  0999 V2000\n", m->name,
                 m->n_atoms, m->n_bonds);
  for (int i = 0; i < m->n_atoms; i++)
    bt_text_printf(text, "%10.4f%10.4f%10.4f %-3s 0  0  0  0  0  0  0  0  0  0  0  0\n", m->x[i][0], m->x[i][1],
                   m->x[i][2], s->element[i] > 0 ? bt_element_symbol(s->element[i]) : "*");
  for (int i = 0; i < m->n_bonds; i++)
    bt_text_printf(text, "%3d%3d%3d  0\n", m->bonds[i].a + 1, m->bonds[i].b + 1, s->order[i]);
  for (int i = 0; i < m->n_atoms; i++)
    if (s->charge[i] != 0) bt_text_printf(text, "M  CHG  1 %3d %3d\n", i + 1, s->charge[i]);
  bt_text_add_string(text, "M  END\n$$$$\n");
}

static void end(sharing *s) { bt_arena_destroy(&s->arena); }

bt_status bt_bude_molblock(const bt_mol2 *mol2, bt_text *text, bt_error *opt_error) {
  if (mol2->n_atoms > MOST || mol2->n_bonds > MOST)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = mol2->path, .line = mol2->line},
                   "use its conformers, and write poses as MOL2", "more than %d atoms or bonds", MOST);
  BT_ENDED_BY(end) sharing s = {.m = mol2};
  BT_TRY(share(&s, opt_error));
  write_block(&s, text);
  return bt_text_status(text, opt_error);
}
