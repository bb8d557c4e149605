/* perceive.c - residues that no template describes: their chemistry is found from their coordinates.
 *
 * A residue is completed by the nearest atoms of the residues that it is bonded to, so that its own atoms have their
 * true neighbors; each connected part of it is perceived (chem/rdkit.h) and prepared as a ligand is, at the pH or by
 * the hydrogens of the file. Metals take the parameters and charges of their ions.
 */
#include "prep/receptor/residues/perceive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "chem/chemistry.h"
#include "chem/element.h"
#include "forcefield/ad4.h"
#include "prep/ligand/preparer.h"

enum { MOST_ATOMS = 1000 };            /* of a residue */
static const double METAL_BOND = 2.7;  /* Angstrom */
static const double SAME_PLACE = 0.05; /* of an atom before and after its preparation */
static const double HYDROGEN_BOND = 1.5;

/* What is perceived: the residue's atoms except metals, then those of its neighbors. */
typedef struct body {
  int n;
  int element[MOST_ATOMS], hydrogens[MOST_ATOMS], own[MOST_ATOMS], part[MOST_ATOMS];
  double x[MOST_ATOMS][3];
  int n_parts;
  bool stated; /* by the hydrogens of the file */
  bt_text smiles;
} body;

static bool bonded(const double x[3], int element, const double y[3], int other) {
  return bt_v3_distance(x, y) < bt_element_longest_bond(element, other);
}

static bool has_place(const body *b, const double x[3]) {
  for (int i = 0; i < b->n; i++)
    if (bt_v3_distance(b->x[i], x) < SAME_PLACE) return true;
  return false;
}

static bt_status add(const bt_receptor_work *prep, int residue, body *b, const bt_receptor_atom *atom, int own,
                     bt_error *opt_error) {
  char name[40];
  if (has_place(b, atom->x)) return BT_OK;
  if (b->n == MOST_ATOMS)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = prep->label}, "provide its SMILES",
                   "%s has more than %d atoms", bt_receptor_name(prep, residue, name), MOST_ATOMS);
  b->element[b->n] = atom->element;
  b->hydrogens[b->n] = -1;
  b->own[b->n] = own;
  bt_v3_copy(b->x[b->n++], atom->x);
  return BT_OK;
}

/* The atom at the other end of each bond to another residue, and what is bonded to it there. */
static bt_status add_neighbors(const bt_receptor_work *prep, int residue, body *b, bt_error *opt_error) {
  for (int k = prep->residues[residue].bonds; k >= 0; k = bt_receptor_next_bond(prep, residue, k)) {
    int end = 1 - bt_receptor_end(prep, residue, k);
    const bt_receptor_residue *far = &prep->residues[prep->bonds[k].residue[end]];
    if (far->fate != BT_FATE_KEPT) continue;
    const bt_receptor_atom *at = &far->atoms[prep->bonds[k].atom[end]];
    BT_TRY(add(prep, residue, b, at, -1, opt_error));
    for (int a = 0; a < far->n_atoms; a++) {
      const bt_receptor_atom *next = &far->atoms[a];
      if (next == at || next->element == 1 || bt_element_is_metal(next->element)) continue;
      if (bonded(at->x, at->element, next->x, next->element)) BT_TRY(add(prep, residue, b, next, -1, opt_error));
    }
  }
  return BT_OK;
}

/* The hydrogens that the file has at each atom. */
static void count_hydrogens(const bt_receptor_work *prep, int residue, int *given, const body *b) {
  const bt_receptor_residue *r = &prep->residues[residue];
  for (int i = 0; i < b->n; i++) given[i] = 0;
  for (int h = 0; h < r->n_hydrogens; h++) {
    int at = bt_receptor_nearest(r, r->hydrogens[h], BT_HYDROGEN_REACH);
    for (int i = 0; at >= 0 && i < b->n; i++) given[i] += b->own[i] == at;
  }
}

/* An alcohol's oxygen, by its bond: no anion, even if the file lacks its hydrogen. */
static bool is_alcohol(const body *b, int oxygen) {
  int bonds = 0;
  double length = 0.0;
  for (int i = 0; i < b->n; i++) {
    if (i == oxygen || !bonded(b->x[oxygen], b->element[oxygen], b->x[i], b->element[i])) continue;
    bonds += b->element[i] == 6 ? 1 : 2;
    length = bt_v3_distance(b->x[i], b->x[oxygen]);
  }
  return bonds == 1 && length > 1.38;
}

/* Hydrogens of the file state how many an atom has, if they are complete: all of them, or those of N, O and S alone.
 * expected: what the molecule would have without them. */
static void believe_hydrogens(body *b, int part, const int *given, const bt_rdatom *expected) {
  int carbon[2] = {0, 0}, polar[2] = {0, 0}; /* in the file, expected */
  int k = 0;
  for (int i = 0; i < b->n; i++) {
    if (b->part[i] != part) continue;
    int wanted = expected[k++].hydrogens;
    if (b->own[i] < 0) continue;
    int *sum = b->element[i] == 6 ? carbon : polar;
    sum[0] += given[i];
    sum[1] += wanted;
  }
  bool all = carbon[0] > 0 && 10 * carbon[0] >= 8 * carbon[1],
       some = carbon[0] == 0 && polar[0] > 0 && 2 * polar[0] >= polar[1];
  for (int i = 0; i < b->n && (all || some); i++) {
    bool lost = b->element[i] == 8 && given[i] == 0 && is_alcohol(b, i);
    if (b->part[i] == part && b->own[i] >= 0 && !lost && (all || b->element[i] != 6)) b->hydrogens[i] = given[i];
  }
  b->stated = b->stated || all || some;
}

static void find_parts(body *b) {
  int queue[MOST_ATOMS];
  for (int i = 0; i < b->n; i++) b->part[i] = -1;
  for (int start = 0; start < b->n; start++) {
    int count = 0;
    if (b->part[start] >= 0 || b->own[start] < 0) continue;
    b->part[start] = b->n_parts;
    queue[count++] = start;
    for (int at = 0; at < count; at++)
      for (int j = 0; j < b->n; j++) {
        if (b->part[j] >= 0 || !bonded(b->x[queue[at]], b->element[queue[at]], b->x[j], b->element[j])) continue;
        b->part[j] = b->n_parts;
        queue[count++] = j;
      }
    b->n_parts++;
  }
}

/* Elements that ligands cannot have are prepared as those whose parameters a receptor gives them. */
static int prepared_as(int element) {
  switch (element) {
    case 33: return 15;
    case 34:
    case 52: return 16;
    default: return element;
  }
}

/* ------------------------------------------------------------------------------------------ Atoms of the result -- */

static int own_at(const body *b, int part, const double x[3], double reach) {
  int best = -1;
  double nearest = reach;
  for (int i = 0; i < b->n; i++) {
    double d = b->part[i] == part ? bt_v3_distance(b->x[i], x) : reach;
    if (d < nearest) best = i, nearest = d;
  }
  return best;
}

/* A polar hydrogen of the file near a place; NULL: none. */
static const double *given_hydrogen(const bt_receptor_residue *r, int parent, const double x[3]) {
  const double *best = NULL;
  double nearest = 1.0;
  for (int h = 0; h < r->n_hydrogens; h++) {
    double d = bt_v3_distance(r->hydrogens[h], x);
    if (d >= nearest || bt_receptor_nearest(r, r->hydrogens[h], BT_HYDROGEN_REACH) != parent) continue;
    nearest = d;
    best = r->hydrogens[h];
  }
  return best;
}

static bt_status take_hydrogen(bt_receptor_work *prep, int residue, int parent, const bt_atom *from, bool given) {
  bt_receptor_residue *r = &prep->residues[residue];
  const double *x = given ? given_hydrogen(r, parent, from->x) : NULL;
  bt_receptor_atom *h = bt_receptor_add_atom(r, prep->opt_error);
  if (h == NULL) return BT_ERR_MEMORY;
  bt_v3_copy(h->x, x != NULL ? x : from->x);
  memcpy(h->type, from->type, sizeof h->type);
  memcpy(h->name, "H", 2);
  h->element = 1;
  h->given = x != NULL;
  h->parent = parent;
  h->charge = from->charge;
  h->occupancy = r->atoms[parent].occupancy;
  h->b_factor = r->atoms[parent].b_factor;
  return BT_OK;
}

/* Charges of the part's own atoms sum to their formal charge: what the neighbors took goes back by |q|. */
static void balance(bt_receptor_residue *r, const body *b, int part, int formal) {
  double sum = 0.0, weight = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (int a = 0; a < r->n_atoms; a++) {
      int heavy = r->atoms[a].parent >= 0 ? r->atoms[a].parent : a;
      bool mine = false;
      for (int i = 0; i < b->n && !mine; i++) mine = b->own[i] == heavy && b->part[i] == part;
      if (!mine) continue;
      if (pass == 0)
        sum += r->atoms[a].charge, weight += fabs(r->atoms[a].charge);
      else if (weight > 0.0)
        r->atoms[a].charge += (formal - sum) * fabs(r->atoms[a].charge) / weight;
    }
}

static int formal_charge(const body *b, int part, const bt_chemistry *chemistry, bt_error *opt_error) {
  BT_SCOPED bt_rdatom *atoms = bt_allocate((size_t)chemistry->n_atoms, sizeof *atoms);
  int sum = 0;
  if (atoms == NULL) return (void)bt_fail_memory(opt_error), 0;
  bt_rdmol_atoms(chemistry->mol, atoms);
  for (int i = 0; i < chemistry->n_atoms; i++) {
    int at = atoms[i].element != 1 ? own_at(b, part, chemistry->x[i], SAME_PLACE) : -1;
    if (at >= 0 && b->own[at] >= 0) sum += atoms[i].charge;
  }
  return sum;
}

static bt_status take(bt_receptor_work *prep, int residue, body *b, int part, const bt_molecule *molecule) {
  bt_receptor_residue *r = &prep->residues[residue];
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *from = &molecule->atoms[i];
    bool hydrogen = bt_element_of_type(from->type) == 1;
    int at = own_at(b, part, from->x, hydrogen ? HYDROGEN_BOND : SAME_PLACE);
    if (at < 0 || b->own[at] < 0) continue;
    if (hydrogen) {
      BT_TRY(take_hydrogen(prep, residue, b->own[at], from, b->stated));
      continue;
    }
    bt_receptor_atom *to = &r->atoms[b->own[at]];
    memcpy(to->type, from->type, sizeof to->type);
    to->charge = from->charge;
    /* tellurium, selenium and arsenic have these parameters in a receptor */
    if (r->atoms[b->own[at]].element == 34 || r->atoms[b->own[at]].element == 52) memcpy(to->type, "SA", 3);
  }
  int formal = formal_charge(b, part, molecule->chemistry, prep->opt_error);
  balance(r, b, part, formal);
  bt_text_printf(&b->smiles, "%s%s", b->smiles.size > 0 ? "." : "", bt_molecule_smiles(molecule));
  return BT_OK;
}

/* ------------------------------------------------------------------------------------------------- One part ---- */

/* Atoms of a part, in the order of the body. */
typedef struct part_atoms {
  int n, element[MOST_ATOMS], hydrogens[MOST_ATOMS];
  double x[MOST_ATOMS][3];
} part_atoms;

static void gather(const body *b, int part, part_atoms *p) {
  p->n = 0;
  for (int i = 0; i < b->n; i++) {
    if (b->part[i] != part) continue;
    p->element[p->n] = prepared_as(b->element[i]);
    p->hydrogens[p->n] = b->hydrogens[i];
    bt_v3_copy(p->x[p->n++], b->x[i]);
  }
}

static bt_status perceive_part(const bt_receptor_work *prep, int residue, body *b, int part, bt_rdmol **ret_mol,
                               bt_error *opt_error) {
  const bt_where where = {.file = prep->label};
  BT_SCOPED part_atoms *p = bt_allocate(1, sizeof *p);
  BT_SCOPED int *given = bt_allocate(MOST_ATOMS, sizeof *given);
  if (p == NULL || given == NULL) return bt_fail_memory(opt_error);
  gather(b, part, p);
  BT_TRY(bt_rdmol_perceive(p->element, (const double(*)[3])p->x, p->hydrogens, p->n, where, ret_mol, opt_error));
  if (prep->options->ignore_hydrogens || prep->residues[residue].n_hydrogens == 0 || !isnan(prep->options->ph))
    return BT_OK;
  BT_SCOPED bt_rdatom *expected = bt_allocate((size_t)p->n, sizeof *expected);
  if (expected == NULL) return bt_fail_memory(opt_error);
  bt_rdmol_atoms(*ret_mol, expected);
  count_hydrogens(prep, residue, given, b);
  believe_hydrogens(b, part, given, expected);
  if (!b->stated) return BT_OK;
  bt_rdmol_destroy(*ret_mol);
  *ret_mol = NULL;
  gather(b, part, p);
  return bt_rdmol_perceive(p->element, (const double(*)[3])p->x, p->hydrogens, p->n, where, ret_mol, opt_error);
}

/* The part as a record of SDF; free() it. */
static bt_status write_part(const bt_receptor_work *prep, int residue, body *b, int part, char **ret_text,
                            bt_error *opt_error) {
  const bt_where where = {.file = prep->label};
  bt_rdmol *mol = NULL;
  bt_status status = perceive_part(prep, residue, b, part, &mol, opt_error);
  if (status == BT_OK && b->stated) status = bt_rdmol_add_hydrogens(mol, where, opt_error);
  BT_SCOPED double(*placed)[3] = status == BT_OK ? bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *placed) : NULL;
  if (status == BT_OK && placed == NULL) status = bt_fail_memory(opt_error);
  if (status == BT_OK) bt_rdmol_coordinates(mol, 0, placed);
  if (status == BT_OK) status = bt_rdmol_write_sdf(mol, (const double(*)[3])placed, NULL, 0, ret_text, opt_error);
  bt_rdmol_destroy(mol);
  return status;
}

static bt_status prepare_part(bt_receptor_work *prep, int residue, body *b, int part, bt_error *opt_error) {
  char name[40];
  BT_SCOPED char *text = NULL;
  bt_receptor_name(prep, residue, name);
  BT_TRY(write_part(prep, residue, b, part, &text, opt_error));
  bt_prepare_options options = bt_prepare_options_default();
  options.rigid_macrocycles = true;
  options.conformers = 0;
  options.ph = prep->options->ph;
  options.as_drawn = b->stated && isnan(options.ph);
  bt_preparer *preparer;
  BT_ENDED_BY(bt_molecules_destroy) bt_molecules made = {0};
  BT_TRY(bt_preparer_create(&options, NULL, &preparer, opt_error));
  bt_record record = {&bt_format_sdf, .path = prep->label, .name = name, .text = text, .size = strlen(text), 1, 1, NULL};
  bt_status status = bt_preparer_run(preparer, &record, &made, opt_error);
  bt_preparer_destroy(preparer);
  BT_TRY(status);
  if (made.count == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = prep->label}, "provide its SMILES", "%s has no atoms",
                   name);
  return take(prep, residue, b, part, made.items[0]);
}

/* ---------------------------------------------------------------------------------------- Metals and clusters ---- */

/* Atoms that are bonded to nothing but metals: of clusters, and terminal oxides and halides. Charges as those of the
 * clusters in data/residues. */
static bool is_inorganic(const bt_receptor_residue *r, const body *b, int i) {
  bool metal = false;
  for (int j = 0; j < b->n; j++)
    if (j != i && b->part[j] == b->part[i]) return false;
  for (int a = 0; a < r->n_atoms && !metal; a++)
    metal = bt_element_is_metal(r->atoms[a].element) && bt_v3_distance(r->atoms[a].x, b->x[i]) < METAL_BOND;
  return metal;
}

static void set_inorganic(bt_receptor_atom *atom) {
  static const struct {
    int element;
    const char *type;
    double charge;
  } known[] = {{8, "OA", -0.8},  {16, "SA", -0.4}, {34, "SA", -0.4}, {9, "F", -0.5}, {17, "Cl", -0.5},
               {35, "Br", -0.5}, {53, "I", -0.5},  {7, "NA", -0.4},  {6, "C", 0.0}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].element == atom->element) {
      strcpy(atom->type, known[k].type);
      atom->charge = known[k].charge;
    }
}

static int ion_charge(const bt_receptor_work *prep, int element) {
  if (element == 26) return 2; /* as in heme */
  bt_residue_name name = bt_receptor_ion(prep, element);
  const bt_template *t =
      name.n_families > 0 ? bt_templates_find(prep->templates, name.families[0], BT_CHAIN_SINGLE) : NULL;
  if (t != NULL) return t->charge;
  static const int one[] = {47, 81}, three[] = {13, 21, 24, 31, 39, 44, 45, 49, 77, 79};
  for (size_t k = 0; k < sizeof one / sizeof *one; k++)
    if (one[k] == element) return 1;
  for (size_t k = 0; k < sizeof three / sizeof *three; k++)
    if (three[k] == element) return 3;
  return element >= 57 && element <= 71 ? 3 : 2;
}

/* The polar hydrogens of nitrogens and sulfurs at a metal make way for it. */
static int displace_hydrogens(bt_receptor_residue *r, const double metal[3]) {
  int displaced = 0;
  for (int a = r->n_atoms - 1; a >= 0; a--) {
    int parent = r->atoms[a].parent;
    if (parent < 0 || (r->atoms[parent].element != 7 && r->atoms[parent].element != 16)) continue;
    if (bt_v3_distance(r->atoms[parent].x, metal) > METAL_BOND) continue;
    r->atoms[parent].charge += r->atoms[a].charge;
    memmove(&r->atoms[a], &r->atoms[a + 1], (size_t)(r->n_atoms - a - 1) * sizeof *r->atoms);
    r->n_atoms--;
    displaced++;
  }
  return displaced;
}

/* Nitrogens that bind the metal accept no hydrogen bond. */
static void bind_nitrogens(bt_receptor_residue *r, const double metal[3]) {
  for (int a = 0; a < r->n_atoms; a++)
    if (strcmp(r->atoms[a].type, "NA") == 0 && bt_v3_distance(r->atoms[a].x, metal) < METAL_BOND)
      strcpy(r->atoms[a].type, "N");
}

static bt_status set_metals(bt_receptor_work *prep, int residue, const body *b, bt_error *opt_error) {
  bt_receptor_residue *r = &prep->residues[residue];
  int metals = 0, heavy = r->n_atoms;
  double cluster = 0.0;
  bool inorganic = false;
  for (int a = 0; a < heavy; a++) metals += bt_element_is_metal(r->atoms[a].element);
  for (int i = 0; i < b->n; i++)
    if (b->own[i] >= 0 && is_inorganic(r, b, i)) cluster += r->atoms[b->own[i]].charge, inorganic = true;
  for (int a = 0; a < r->n_atoms; a++) {
    bt_receptor_atom *atom = &r->atoms[a];
    if (!bt_element_is_metal(atom->element)) continue;
    bind_nitrogens(r, atom->x);
    const char *symbol = bt_element_symbol(atom->element);
    const bt_ad4_stand_in *other = bt_ad4_stand_in_find(symbol);
    const char *type = bt_ad4_find(symbol) != NULL ? symbol : other != NULL ? other->type : NULL;
    if (type == NULL)
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = prep->label}, "remove it (--delete)",
                     "AutoDock has no parameters for %s", symbol);
    bt_span_copy(bt_span_from(type), atom->type, sizeof atom->type);
    int left = ion_charge(prep, atom->element);
    const double place[3] = {atom->x[0], atom->x[1], atom->x[2]};
    left -= displace_hydrogens(r, place);
    r->atoms[a].charge = inorganic ? -cluster / metals : left > 0 ? left : 0;
    if (other != NULL) bt_receptor_warn(prep, residue, "%s has the parameters of %s", symbol, other->type);
  }
  return BT_OK;
}

/* ------------------------------------------------------------------------------------------------ The residue ---- */

static bt_status perceive(bt_receptor_work *prep, int residue, body *b, bt_error *opt_error) {
  bt_receptor_residue *r = &prep->residues[residue];
  char name[40];
  for (int a = 0; a < r->n_atoms; a++) {
    if (r->atoms[a].element == 0)
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = prep->label}, "write its element into columns 77-78",
                     "%s of %s has no known element", r->atoms[a].name, bt_receptor_name(prep, residue, name));
    if (!bt_element_is_metal(r->atoms[a].element)) BT_TRY(add(prep, residue, b, &r->atoms[a], a, opt_error));
  }
  int own = b->n;
  BT_TRY(add_neighbors(prep, residue, b, opt_error));
  find_parts(b);
  for (int part = 0; part < b->n_parts; part++) {
    int first = 0;
    while (b->part[first] != part) first++;
    if (is_inorganic(r, b, first))
      set_inorganic(&r->atoms[b->own[first]]);
    else
      BT_TRY(prepare_part(prep, residue, b, part, opt_error));
  }
  for (int i = 0; i < own; i++)
    if (r->atoms[b->own[i]].type[0] == '\0')
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = prep->label}, "provide its SMILES",
                     "%s of %s has no type", r->atoms[b->own[i]].name, bt_receptor_name(prep, residue, name));
  return set_metals(prep, residue, b, opt_error);
}

static void say_what_was_found(bt_receptor_work *prep, int residue, const body *b) {
  const bt_receptor_residue *r = &prep->residues[residue];
  const char *name = bt_receptor_source(prep, residue)->name;
  double charge = 0.0;
  for (int a = 0; a < r->n_atoms; a++) charge += r->atoms[a].charge;
  if (b->smiles.size == 0) {
    bt_receptor_warn(prep, residue,
                     "unknown residue of %s kept, its charge is estimated (%+.0f); --delete %s removes it",
                     r->n_atoms > 1 ? "metal atoms and what they bind" : "a metal atom", round(charge) + 0.0, name);
    return;
  }
  bt_receptor_warn(prep, residue,
                   "unknown residue kept, its chemistry found from its coordinates%s: %.260s (charge %+.0f); "
                   "--delete %s removes it",
                   r->bonds >= 0 ? ", with the next atoms of its neighbors" : "", b->smiles.data, round(charge) + 0.0,
                   name);
}

bt_status bt_receptor_perceive(bt_receptor_work *prep, int residue, char *reason, size_t size, bool *ret_done) {
  bt_receptor_residue *r = &prep->residues[residue];
  *ret_done = false;
  bt_error error = {0};
  BT_SCOPED body *b = bt_allocate(1, sizeof *b);
  if (b == NULL) return bt_fail_memory(prep->opt_error);
  int heavy = r->n_atoms;
  char name[40];
  bt_status status = perceive(prep, residue, b, &error);
  if (status == BT_OK) status = bt_text_status(&b->smiles, prep->opt_error);
  *ret_done = status == BT_OK;
  if (*ret_done) {
    r->perceived = true;
    say_what_was_found(prep, residue, b);
    if (r->bonds < 0 && heavy > 5 && bt_receptor_is_inside(prep, residue))
      bt_receptor_warn(prep, residue, "it lies in the box: if it is the ligand, take it out with --delete %s",
                       bt_receptor_name(prep, residue, name));
  } else {
    r->n_atoms = heavy; /* without hydrogens of parts that could be prepared */
    bt_span_copy(bt_span_from(error.message), reason, size);
  }
  bt_text_destroy(&b->smiles);
  return status == BT_ERR_MEMORY || status == BT_ERR_CANCELLED ? status : BT_OK;
}
