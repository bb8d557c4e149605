/* select.c - resolves alternate locations and selects the residues to keep. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "prep/receptor/receptor.h"
#include "base/vector.h"

/* ------------------------------------------------------------------------------------------ Alternate locations -- */

/* The alternate location that the user wants for a residue, '\0' if none. Words are `B`, or `A:57:B`. */
static char wanted_altloc(const bt_receptor_work *prep, const bt_structure_residue *residue) {
  const bt_receptor_options *o = prep->options;
  char wanted = '\0';
  for (int i = 0; i < o->n_altlocs; i++) {
    bt_span rest = bt_span_from(o->altlocs[i]);
    while (rest.size > 0) {
      const char *comma = memchr(rest.text, ',', rest.size);
      bt_span word = {rest.text, comma != NULL ? (size_t)(comma - rest.text) : rest.size};
      rest.text += word.size + (comma != NULL);
      rest.size -= word.size + (comma != NULL);
      word = bt_span_trim(word);
      bt_selector selector;
      if (word.size == 1)
        wanted = word.text[0];
      else if (word.size > 2 && bt_selector_find(prep->structure, (bt_span){word.text, word.size - 2}, &selector) &&
               bt_selector_fits(&selector, residue))
        return word.text[word.size - 1];
    }
  }
  return wanted;
}

static bt_status check_altloc(bt_receptor_work *prep, bt_span word) {
  if (word.size == 1) return BT_OK;
  if (word.size > 2 && word.text[word.size - 2] == ':' && bt_is_residue_word((bt_span){word.text, word.size - 2}))
    return BT_OK;
  return bt_receptor_fail(prep, "write B for all residues, or A:57:B for one",
                          "'%.*s' is not an alternate location", (int)word.size, word.text);
}

char bt_receptor_usual_altloc(const bt_structure *s, const bt_structure_residue *r) {
  double sums[256] = {0.0}, best = -1.0;
  char usual = '\0';
  for (int i = r->first_atom; i < r->end_atom; i++) sums[(unsigned char)s->atoms[i].altloc] += s->atoms[i].occupancy;
  for (int i = r->first_atom; i < r->end_atom; i++) {
    char letter = s->atoms[i].altloc;
    if (letter == '\0' || sums[(unsigned char)letter] <= best + 1e-6) continue;
    best = sums[(unsigned char)letter];
    usual = letter;
  }
  return usual;
}

int bt_receptor_find(const bt_receptor_residue *residue, const char *name) {
  for (int i = 0; i < residue->n_atoms; i++)
    if (strcmp(residue->atoms[i].name, name) == 0) return i;
  return -1;
}

int bt_receptor_nearest(const bt_receptor_residue *residue, const double x[3], double reach) {
  int best = -1;
  double nearest = reach * reach;
  for (int i = 0; i < residue->n_atoms; i++) {
    double d2 = bt_v3_distance2(residue->atoms[i].x, x);
    if (residue->atoms[i].element == 1 || d2 >= nearest) continue;
    nearest = d2;
    best = i;
  }
  return best;
}

bt_receptor_atom *bt_receptor_add_atom(bt_receptor_residue *residue, bt_error *opt_error) {
  if (!BT_GROW(residue->atoms, &residue->room, residue->n_atoms + 1)) return (void)bt_fail_memory(opt_error), NULL;
  residue->atoms[residue->n_atoms] =
      (bt_receptor_atom){.source = -1, .parent = -1, .in_template = -1, .occupancy = 1.0};
  return &residue->atoms[residue->n_atoms++];
}

static bt_status add_heavy(bt_receptor_work *prep, bt_receptor_residue *residue, int index) {
  const bt_structure_atom *from = &prep->structure->atoms[index];
  bt_receptor_atom *to = bt_receptor_add_atom(residue, prep->opt_error);
  if (to == NULL) return BT_ERR_MEMORY;
  bt_v3_copy(to->x, from->x);
  to->occupancy = from->occupancy;
  to->b_factor = from->b_factor;
  to->source = index;
  to->element = from->element;
  memcpy(to->name, from->name, sizeof to->name);
  return BT_OK;
}

static bt_status add_hydrogen(bt_receptor_work *prep, bt_receptor_residue *residue, const double x[3]) {
  for (int h = 0; h < residue->n_hydrogens; h++) /* some files have it twice */
    if (bt_v3_distance(residue->hydrogens[h], x) < 0.3) return BT_OK;
  if (!BT_GROW(residue->hydrogens, &residue->hydrogen_room, residue->n_hydrogens + 1))
    return bt_fail_memory(prep->opt_error);
  bt_v3_copy(residue->hydrogens[residue->n_hydrogens++], x);
  return BT_OK;
}

/* True if an atom of this name has the chosen alternate location, or none. */
static bool has_chosen(const bt_structure *s, const bt_structure_residue *r, const char *name, char letter) {
  for (int i = r->first_atom; i < r->end_atom; i++)
    if (strcmp(s->atoms[i].name, name) == 0 && (s->atoms[i].altloc == '\0' || s->atoms[i].altloc == letter))
      return true;
  return false;
}

/* Names that start in the column of a two-letter element look like mercury ("HG") or helium; in residues known not to
 * contain these they are hydrogens. */
static bool is_hydrogen(const bt_receptor_work *prep, const bt_structure_residue *r, const bt_structure_atom *a) {
  if (a->element == 1) return true;
  const char *letter = a->name;
  while (*letter >= '0' && *letter <= '9') letter++;
  if (*letter != 'H' || strcmp(r->name, a->name) == 0) return false;
  bt_residue_name name = bt_templates_families(prep->templates, r->name);
  return name.n_families > 0 &&
         bt_templates_find(prep->templates, name.families[0], BT_CHAIN_INNER) != NULL;
}

static char altloc_of(const bt_receptor_work *prep, const bt_structure_residue *r, bool *ret_wanted) {
  char wanted = wanted_altloc(prep, r);
  *ret_wanted = false;
  for (int i = r->first_atom; i < r->end_atom && !*ret_wanted; i++)
    *ret_wanted = wanted != '\0' && prep->structure->atoms[i].altloc == wanted;
  return *ret_wanted ? wanted : bt_receptor_usual_altloc(prep->structure, r);
}

char bt_receptor_altloc(const bt_receptor_work *prep, const bt_structure_residue *residue) {
  bool wanted;
  return altloc_of(prep, residue, &wanted);
}

static bt_status choose_atoms(bt_receptor_work *prep, bt_receptor_residue *residue, int source) {
  const bt_structure *s = prep->structure;
  const bt_structure_residue *r = &s->residues[source];
  bool wanted_here;
  char letter = altloc_of(prep, r, &wanted_here);
  int twice = 0;
  for (int i = r->first_atom; i < r->end_atom; i++) {
    const bt_structure_atom *a = &s->atoms[i];
    bool chosen = a->altloc == '\0' || a->altloc == letter;
    if (!chosen && has_chosen(s, r, a->name, letter)) continue;
    if (is_hydrogen(prep, r, a)) {
      BT_TRY(add_hydrogen(prep, residue, a->x));
      continue;
    }
    int twin = bt_receptor_find(residue, a->name);
    if (twin >= 0) {
      if (chosen || s->atoms[residue->atoms[twin].source].altloc == '\0')
        twice++;
      continue;
    }
    BT_TRY(add_heavy(prep, residue, i));
  }
  if (twice > 0)
    bt_receptor_warn(prep, (int)(residue - prep->residues), "atoms occur twice in the file, the first of each is used");
  if (letter != '\0') bt_receptor_note(residue, "alternate location %c%s", letter, wanted_here ? " as requested" : "");
  return BT_OK;
}

bt_status bt_receptor_take_atoms(bt_receptor_work *prep, int residue) {
  return choose_atoms(prep, &prep->residues[residue], residue);
}

static int count_altlocs(const bt_structure *s, const bt_structure_residue *r, char letter, double *ret_occupancy) {
  int count = 0;
  *ret_occupancy = 0.0;
  for (int i = r->first_atom; i < r->end_atom; i++) {
    if (s->atoms[i].altloc == '\0' || (letter != '\0' && s->atoms[i].altloc != letter)) continue;
    *ret_occupancy = s->atoms[i].occupancy > *ret_occupancy ? s->atoms[i].occupancy : *ret_occupancy;
    count++;
  }
  return count;
}

static bool share_family(const bt_receptor_work *prep, const char *one, const char *two) {
  bt_residue_name a = bt_templates_families(prep->templates, one),
                  b = bt_templates_families(prep->templates, two);
  for (int i = 0; i < a.n_families; i++)
    for (int j = 0; j < b.n_families; j++)
      if (strcmp(a.families[i], b.families[j]) == 0) return true;
  return false;
}

/* Some programs write one residue under two names (DG and DG5): merges them. */
static void join_names(bt_receptor_work *prep) {
  const bt_structure *s = prep->structure;
  for (int i = 0; i + 1 < prep->n_residues; i++) {
    const bt_structure_residue *a = &s->residues[i], *b = &s->residues[i + 1];
    if (a->number != b->number || a->icode != b->icode || strcmp(a->chain, b->chain) != 0) continue;
    if (prep->residues[i].fate != BT_FATE_KEPT || prep->residues[i + 1].fate != BT_FATE_KEPT) continue;
    double none;
    if (count_altlocs(s, a, '\0', &none) > 0 || count_altlocs(s, b, '\0', &none) > 0) continue;
    if (!share_family(prep, a->name, b->name)) continue;
    bool second = b->end_atom - b->first_atom > a->end_atom - a->first_atom;
    int large = second ? i + 1 : i, small = second ? i : i + 1;
    prep->residues[small].fate = BT_FATE_DELETED;
    prep->residues[large].twin = small;
    bt_receptor_note(&prep->residues[small], "merged with %s of the same number", s->residues[large].name);
  }
}

/* Two residue types at one position of the chain (microheterogeneity): one is kept. Atoms that both share are listed in
 * the first only, so the first is kept if there are any; otherwise the one with the higher occupancy. */
static void choose_kinds(bt_receptor_work *prep) {
  const bt_structure *s = prep->structure;
  for (int i = 0; i + 1 < prep->n_residues; i++)
    for (int j = i + 1; j < prep->n_residues && j < i + 4; j++) {
      const bt_structure_residue *a = &s->residues[i], *b = &s->residues[j];
      if (a->number != b->number || a->icode != b->icode || strcmp(a->chain, b->chain) != 0) continue;
      if (prep->residues[i].fate != BT_FATE_KEPT || prep->residues[j].fate != BT_FATE_KEPT) continue;
      double one, two, none;
      int in_a = count_altlocs(s, a, '\0', &one), in_b = count_altlocs(s, b, '\0', &two);
      if (in_a == 0 || in_b == 0) continue;
      bool shared = in_a < a->end_atom - a->first_atom;
      char wanted = wanted_altloc(prep, a);
      bool second = !shared && (wanted != '\0' ? count_altlocs(s, b, wanted, &none) > 0 : two > one + 1e-6);
      bt_receptor_residue *loser = &prep->residues[second ? i : j];
      loser->fate = BT_FATE_DELETED;
      bt_receptor_warn(prep, second ? i : j, "deleted: another residue, %s, occupies the same position",
                       s->residues[second ? j : i].name);
    }
}

/* --------------------------------------------------------------------------------------------------- Residues kept  */

static bt_status use_word(bt_receptor_work *prep, bt_span word, void (*apply)(bt_receptor_work *, int),
                          const char *option) {
  bt_selector selector;
  if (!bt_selector_find(prep->structure, word, &selector))
    return bt_selector_fail(prep->structure, prep->label, &selector, prep->opt_error);
  int count = 0;
  for (int i = 0; i < prep->n_residues; i++)
    if (bt_selector_fits(&selector, &prep->structure->residues[i])) {
      apply(prep, i);
      count++;
    }
  if (count == 0) bt_text_printf(&prep->notes, "no residue matches %.*s (%s)\n", (int)word.size, word.text, option);
  return BT_OK;
}

static void delete_residue(bt_receptor_work *prep, int i) {
  prep->residues[i].removal = BT_REMOVAL_NONE; /* nothing to tell */
  if (prep->residues[i].fate != BT_FATE_KEPT) return;
  prep->residues[i].fate = BT_FATE_DELETED;
  bt_receptor_note(&prep->residues[i], "deleted as requested");
}
static bt_status delete_word(bt_receptor_work *prep, bt_span word) {
  return use_word(prep, word, delete_residue, "to delete");
}

/* Undoes a deletion by rule. */
static void keep_residue(bt_receptor_work *prep, int i) {
  prep->residues[i].held = true;
  if (prep->residues[i].fate == BT_FATE_DELETED) bt_text_destroy(&prep->residues[i].notes);
  if (prep->residues[i].fate == BT_FATE_DELETED) prep->residues[i].fate = BT_FATE_KEPT;
  prep->residues[i].removal = BT_REMOVAL_NONE;
}
static bt_status keep_word(bt_receptor_work *prep, bt_span word) {
  return use_word(prep, word, keep_residue, "to keep");
}

/* Additives without a template are perceived if the user keeps them. */
static bt_removal removal_of(const bt_receptor_work *prep, const char *residue) {
  if (bt_templates_is_additive(prep->templates, residue)) return BT_REMOVAL_ADDITIVE;
  bt_residue_name name = bt_templates_families(prep->templates, residue);
  const bt_template *t =
      name.n_families > 0 ? bt_templates_find(prep->templates, name.families[0], BT_CHAIN_SINGLE) : NULL;
  return t != NULL && t->kind == BT_CLASS_WATER ? BT_REMOVAL_WATER : BT_REMOVAL_NONE;
}

bool bt_receptor_is_water(const bt_receptor_work *prep, int residue) {
  return removal_of(prep, bt_receptor_source(prep, residue)->name) == BT_REMOVAL_WATER;
}

static void delete_by_rule(bt_receptor_work *prep) {
  for (int i = 0; i < prep->n_residues; i++) {
    bt_receptor_residue *residue = &prep->residues[i];
    residue->removal = removal_of(prep, bt_receptor_source(prep, i)->name);
    if (residue->removal == BT_REMOVAL_WATER && prep->options->waters == BT_WATERS_ALL)
      residue->removal = BT_REMOVAL_NONE;
    if (residue->removal == BT_REMOVAL_NONE) continue;
    residue->fate = BT_FATE_DELETED;
    bt_receptor_note(residue,
                     residue->removal == BT_REMOVAL_WATER ? "deleted: water" : "deleted: crystallization additive");
  }
}

static void take_out(bt_receptor_work *prep, int i) {
  bt_text_destroy(&prep->residues[i].notes);
  prep->residues[i].fate = BT_FATE_LIGAND;
  bt_receptor_note(&prep->residues[i], "removed: the ligand");
}

static bt_status take_ligand(bt_receptor_work *prep) {
  if (prep->options->opt_ligand == NULL) return BT_OK;
  bt_selector selector;
  int count = 0;
  if (bt_selector_find(prep->structure, bt_span_from(prep->options->opt_ligand), &selector))
    for (int i = 0; i < prep->n_residues; i++)
      if (bt_selector_fits(&selector, bt_receptor_source(prep, i))) {
        take_out(prep, i);
        count++;
      }
  return count > 0 ? BT_OK : bt_selector_fail(prep->structure, prep->label, &selector, prep->opt_error);
}

bool bt_receptor_is_ligand_name(const char *name) {
  static const char known[] =
      " ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL MSE HID HIE HIP ASH GLH CYX "
      "HEM HEC HEA FES F3S SF4 HOH WAT DA DC DG DT ";
  char word[12];
  if (strlen(name) < 3) return false;
  snprintf(word, sizeof word, " %s ", name);
  return strstr(known, word) == NULL;
}

/* A ligand that defines the box or the reference occupies the site, so it is removed. */
static bt_status take_place(bt_receptor_work *prep, bt_span word) {
  bt_selector selector;
  if (!bt_selector_find(prep->structure, word, &selector)) return BT_OK; /* reported where the place is looked up */
  for (int i = 0; i < prep->n_residues; i++)
    if (bt_selector_fits(&selector, bt_receptor_source(prep, i)) && !prep->residues[i].held &&
        bt_receptor_is_ligand_name(bt_receptor_source(prep, i)->name))
      take_out(prep, i);
  return BT_OK;
}

bt_status bt_receptor_select(bt_receptor_work *prep) {
  const bt_receptor_options *o = prep->options;
  BT_TRY(bt_receptor_words(prep, o->altlocs, o->n_altlocs, check_altloc));
  delete_by_rule(prep);
  BT_TRY(bt_receptor_words(prep, o->keep, o->n_keep, keep_word));
  BT_TRY(bt_receptor_words(prep, o->remove, o->n_remove, delete_word));
  BT_TRY(take_ligand(prep));
  BT_TRY(bt_receptor_words(prep, o->places, o->n_places, take_place));
  join_names(prep);
  choose_kinds(prep);
  for (int i = 0; i < prep->n_residues; i++)
    if (prep->residues[i].fate == BT_FATE_KEPT) {
      BT_TRY(choose_atoms(prep, &prep->residues[i], i));
      if (prep->residues[i].twin > 0) BT_TRY(choose_atoms(prep, &prep->residues[i], prep->residues[i].twin));
    }
  return BT_OK;
}
