/* states.c - finds the template of each residue: its place in the chain, then its protonation. */
#include <stdio.h>
#include <string.h>

#include "chem/element.h"
#include "base/memory.h"
#include "prep/receptor/residues/perceive.h"
#include "prep/receptor/receptor.h"
#include "base/vector.h"

enum { SELENIUM = 34 };
static const double METAL_REACH = 2.8; /* Angstrom, from a sulfur to a metal that binds it */

/* ---------------------------------------------------------------------------------------- Hydrogens of the file -- */

static int hydrogens_at(const bt_receptor_residue *residue, int atom) {
  int count = 0;
  for (int h = 0; h < residue->n_hydrogens; h++)
    count += bt_receptor_nearest(residue, residue->hydrogens[h], BT_HYDROGEN_REACH) == atom;
  return count;
}

/* ------------------------------------------------------------------------------------------- Place in the chain -- */

static bt_residue_class kind_of(const bt_receptor_work *prep, int i) {
  bt_residue_name name = bt_templates_families(prep->templates, bt_receptor_source(prep, i)->name);
  static const bt_chain_position places[] = {BT_CHAIN_INNER, BT_CHAIN_SINGLE};
  for (int k = 0; name.n_families > 0 && k < 2; k++) {
    const bt_template *t = bt_templates_find(prep->templates, name.families[0], places[k]);
    if (t != NULL) return t->kind;
  }
  return BT_CLASS_COFACTOR;
}

/* True if a residue of the same kind and chain precedes (step -1) or follows (step 1). */
static bool chain_goes_on(const bt_receptor_work *prep, int i, int step, bt_residue_class kind) {
  const bt_structure_residue *here = bt_receptor_source(prep, i);
  for (int j = i + step; j >= 0 && j < prep->n_residues; j += step) {
    const bt_structure_residue *there = bt_receptor_source(prep, j);
    if (strcmp(there->chain, here->chain) != 0) return false;
    if (there->piece != here->piece) return false;
    if (prep->residues[j].fate == BT_FATE_KEPT && kind_of(prep, j) == kind) return true;
  }
  return false;
}

static bt_chain_position place_amino(bt_receptor_work *prep, int i) {
  bt_receptor_residue *r = &prep->residues[i];
  const bt_structure_residue *source = bt_receptor_source(prep, i);
  bool first = false, last = false;
  if (r->previous < 0) {
    int n = bt_receptor_find(r, "N");
    int counted = prep->has_hydrogens && n >= 0 ? hydrogens_at(r, n) : -1;
    bool gap = source->sequence > 1 || (source->sequence == 0 && chain_goes_on(prep, i, -1, BT_CLASS_AMINO));
    first = counted > 1 || (counted < 1 && !gap);
    if (!first) r->blunt_first = true;
    bool proline = n >= 0 && strcmp(source->name, "PRO") == 0;
    if (counted == 1 && proline && !gap) first = true, r->blunt_first = false;
  }
  if (r->next < 0) {
    last = bt_receptor_find(r, "OXT") >= 0 || bt_receptor_find(r, "OT2") >= 0 || bt_receptor_find(r, "OC2") >= 0;
    if (!last) r->blunt_last = true;
  }
  return first && last ? BT_CHAIN_BOTH : first ? BT_CHAIN_FIRST : last ? BT_CHAIN_LAST : BT_CHAIN_INNER;
}

static bt_chain_position place_nucleic(bt_receptor_work *prep, int i) {
  bt_receptor_residue *r = &prep->residues[i];
  bool phosphate = bt_receptor_find(r, "P") >= 0;
  bool three = bt_receptor_find(r, "OP3") >= 0 || bt_receptor_find(r, "O3P") >= 0;
  bool first = r->previous < 0 && (!phosphate || three);
  bool last = r->next < 0 && !chain_goes_on(prep, i, 1, BT_CLASS_NUCLEIC);
  r->blunt_first = r->previous < 0 && !first;
  r->blunt_last = r->next < 0 && !last;
  if (first && phosphate) return BT_CHAIN_FIRST_PHOSPHATE;
  return first && last ? BT_CHAIN_BOTH : first ? BT_CHAIN_FIRST : last ? BT_CHAIN_LAST : BT_CHAIN_INNER;
}

static const bt_template *template_at(const bt_receptor_work *prep, const char *family, bt_chain_position place) {
  const bt_template *t = bt_templates_find(prep->templates, family, place);
  if (t == NULL) t = bt_templates_find(prep->templates, family, BT_CHAIN_SINGLE);
  if (t == NULL) t = bt_templates_find(prep->templates, family, BT_CHAIN_INNER);
  return t;
}

/* ---------------------------------------------------------------------------------------------------------- Fit -- */

typedef struct bt_fit {
  int missing, extra; /* heavy atoms */
  int hydrogens;      /* difference of polar hydrogens from those of the file */
} bt_fit;

/* The first atom of the residue that matches the template's k-th one by name; -1: none. */
static int atom_for(const bt_receptor_work *prep, const bt_receptor_residue *r, const bt_template *t, int k) {
  for (int a = 0; a < r->n_atoms; a++)
    if (bt_templates_atom(prep->templates, t, r->atoms[a].name) == k) return a;
  return -1;
}

static bt_fit fit(const bt_receptor_work *prep, int i, const bt_template *t) {
  const bt_receptor_residue *r = &prep->residues[i];
  bt_fit result = {0};
  for (int a = 0; a < r->n_atoms; a++)
    result.extra += r->atoms[a].element != 1 && bt_templates_atom(prep->templates, t, r->atoms[a].name) < 0;
  for (int k = 0; k < t->n_atoms; k++) {
    if (t->atoms[k].element == 1) continue;
    int at = atom_for(prep, r, t, k);
    if (at < 0) {
      result.missing++;
    } else if (prep->has_hydrogens && r->n_hydrogens > 0 && t->atoms[k].element != 6) {
      int difference = hydrogens_at(r, at) - (t->atoms[k].hydrogens - bt_receptor_outer_bonds(prep, i, at));
      result.hydrogens += difference < 0 ? -difference : difference;
    }
  }
  return result;
}

static bool is_metal(int element) {
  return element == 3 || element == 4 || (element >= 11 && element <= 13) || (element >= 19 && element <= 31) ||
         (element >= 37 && element <= 50) || (element >= 55 && element <= 83);
}

static bool near_metal(const bt_receptor_work *prep, const double x[3]) {
  for (int j = 0; j < prep->n_residues; j++) {
    const bt_receptor_residue *r = &prep->residues[j];
    if (r->fate != BT_FATE_KEPT || (r->n_atoms > 1 && !bt_receptor_source(prep, j)->hetero)) continue;
    for (int a = 0; a < r->n_atoms; a++)
      if (is_metal(r->atoms[a].element) && bt_v3_distance(r->atoms[a].x, x) < METAL_REACH) return true;
  }
  return false;
}

static bool is_family(const bt_residue_name *name, const char *family) {
  for (int k = 0; k < name->n_families; k++)
    if (strcmp(name->families[k], family) == 0) return true;
  return false;
}

/* A state implied by the surroundings; NULL: none. */
static const char *state_by_rule(bt_receptor_work *prep, int i, const bt_residue_name *name) {
  bt_receptor_residue *r = &prep->residues[i];
  int sulfur = bt_receptor_find(r, "SG");
  if (sulfur >= 0 && r->disulfide >= 0 && is_family(name, "CYX")) return "CYX";
  if (sulfur >= 0 && is_family(name, "CYM") && name->n_families > 1 && near_metal(prep, r->atoms[sulfur].x)) {
    bt_receptor_note(r, "thiolate, since a metal is near");
    return "CYM";
  }
  return NULL;
}

static bool better(const bt_fit *a, const bt_fit *b) {
  int heavy_a = a->missing + a->extra, heavy_b = b->missing + b->extra;
  return heavy_a != heavy_b ? heavy_a < heavy_b : a->hydrogens < b->hydrogens;
}

static const bt_template *choose(bt_receptor_work *prep, int i, const bt_residue_name *name, bt_chain_position place,
                                 bt_fit *ret_fit) {
  bt_receptor_residue *r = &prep->residues[i];
  const bt_template *best = NULL;
  const char *ruled = r->forced != NULL ? r->forced : state_by_rule(prep, i, name);
  if (ruled == NULL) ruled = r->usual;
  for (int k = 0; k < name->n_families; k++) {
    if (ruled != NULL && strcmp(ruled, name->families[k]) != 0) continue;
    bt_chain_position places[3] = {place, BT_CHAIN_FIRST_NEUTRAL, BT_CHAIN_LAST_NEUTRAL};
    for (int p = 0; p < 3; p++) {
      if (p == 1 && place != BT_CHAIN_FIRST) continue;
      if (p == 2 && place != BT_CHAIN_LAST) continue;
      if (p > 0 && !prep->has_hydrogens) continue;
      const bt_template *t = template_at(prep, name->families[k], places[p]);
      if (t == NULL) continue;
      bt_fit this_fit = fit(prep, i, t);
      if (best == NULL || better(&this_fit, ret_fit)) {
        best = t;
        *ret_fit = this_fit;
      }
    }
  }
  bool free_choice = ruled == NULL && !(prep->has_hydrogens && r->n_hydrogens > 0);
  r->tautomer = free_choice && is_family(name, "HID") && is_family(name, "HIE");
  return best;
}

/* -------------------------------------------------------------------------------------------------- Application -- */

void bt_receptor_set_template(bt_receptor_work *prep, int residue, const bt_template *t) {
  bt_receptor_residue *r = &prep->residues[residue];
  int kept = 0;
  for (int a = 0; a < r->n_atoms; a++) {
    if (r->atoms[a].element == 1) continue;
    bt_receptor_atom *atom = &r->atoms[a];
    atom->in_template = bt_templates_atom(prep->templates, t, atom->name);
    if (atom->in_template >= 0) {
      const bt_template_atom *known = &t->atoms[atom->in_template];
      memcpy(atom->name, known->name, sizeof atom->name);
      memcpy(atom->type, known->type, sizeof atom->type);
      atom->element = known->element;
      atom->charge = known->charge;
    }
    r->atoms[kept++] = *atom;
  }
  r->n_atoms = kept;
  r->template = t;
}

/* Bonds hold atom indices, so only the last atom can be removed. */
static void drop_end_atoms(bt_receptor_work *prep, int i, const bt_template *t) {
  static const char *const ends[] = {"OXT", "OT2", "OC2", "OP3", "O3P"};
  bt_receptor_residue *r = &prep->residues[i];
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    if ((strchr(ends[k], 'P') != NULL) != (t->kind == BT_CLASS_NUCLEIC)) continue; /* a phosphoserine called SER */
    int a = bt_receptor_find(r, ends[k]);
    if (a < 0 || bt_templates_atom(prep->templates, t, ends[k]) >= 0 || a != r->n_atoms - 1) continue;
    bt_receptor_note(r, "%s left out: the chain continues here", ends[k]);
    r->n_atoms--;
  }
}

/* Lists the template atoms that are missing and will not be built. */
static int list_missing(const bt_receptor_work *prep, int i, const bt_template *t, bt_text *text) {
  const bt_receptor_residue *r = &prep->residues[i];
  int count = 0;
  for (int k = 0; k < t->n_atoms; k++) {
    if (t->atoms[k].element == 1 || atom_for(prep, r, t, k) >= 0) continue;
    if (bt_receptor_rebuilds(prep, i, t, t->atoms[k].name)) continue;
    bool left = false; /* lost to a bond with another residue, as O1 of a sugar */
    for (int b = 0; b < t->atoms[k].n_bonds && !left; b++)
      for (int a = 0; a < r->n_atoms && !left; a++)
        left = bt_templates_atom(prep->templates, t, r->atoms[a].name) == t->atoms[k].bonds[b] &&
               bt_receptor_outer_bonds(prep, i, a) > 0;
    if (left) continue;
    bt_text_printf(text, "%s%s", count++ > 0 ? " " : "", t->atoms[k].name);
  }
  return count;
}

/* True if the atom has the parameters of another element. */
static bool borrows(const bt_template_atom *atom) { return bt_element_of_type(atom->type) != atom->element; }

static bt_status check_strict(const bt_receptor_work *prep, int i, const bt_template *t) {
  char name[40];
  for (int k = 0; prep->options->strict && k < t->n_atoms; k++)
    if (borrows(&t->atoms[k]))
      return bt_receptor_fail(prep, "delete it (--delete), or leave out --strict",
                              "%s: %s has no parameters, those of %s would stand in", bt_receptor_name(prep, i, name),
                              t->atoms[k].symbol, t->atoms[k].type);
  return BT_OK;
}

static void note_borrowed(bt_receptor_work *prep, int i, const bt_template *t) {
  if (t->kind == BT_CLASS_STAND_IN) {
    bt_receptor_warn(prep, i, "parameters of %s stand in", t->atoms[0].type);
    return;
  }
  for (int k = 0; k < t->n_atoms; k++) {
    const bt_template_atom *atom = &t->atoms[k];
    if (!borrows(atom)) continue;
    if (atom->element == SELENIUM)
      bt_receptor_note(&prep->residues[i], "selenium has the parameters of sulfur");
    else
      bt_receptor_warn(prep, i, "%s has the parameters of %s", atom->symbol, atom->type);
  }
}

/* Notes which molecules outside chains were recognized, and their charges. */
static void note_recognized(bt_receptor_work *prep) {
  enum { MOST = 12 };
  int count = 0;
  char name[40];
  for (int i = 0; i < prep->n_residues; i++) {
    bt_receptor_residue *r = &prep->residues[i];
    const bt_template *t = r->template;
    if (r->fate != BT_FATE_KEPT || t == NULL || (t->kind != BT_CLASS_COFACTOR && t->kind != BT_CLASS_LIPID)) continue;
    if (t->title.size > 0) bt_receptor_note(r, "%.*s", (int)t->title.size, t->title.text);
    if (++count > MOST) continue;
    bt_text_printf(&prep->notes, "%s%s (charge %+d)", count == 1 ? "cofactors kept: " : ", ",
                   bt_receptor_name(prep, i, name), t->charge);
  }
  if (count > MOST) bt_text_printf(&prep->notes, " and %d more", count - MOST);
  if (count > 0) bt_text_printf(&prep->notes, "; --delete removes them\n");
}

/* Residues that can be neither recognized nor perceived. */
typedef struct unknowns {
  int count;
  bt_text names; /* of some of them */
  char reason[320]; /* of the first, "" */
  char first[40], first_name[8]; /* as options take it */
} unknowns;

/* A residue without a template, or, with misfit, one whose atoms do not fit that of its name: its chemistry is found
 * from its coordinates. What cannot be prepared is left out far from the box. */
static bt_status find_unknown(bt_receptor_work *prep, int i, unknowns *unknown, const char *misfit) {
  bt_receptor_residue *r = &prep->residues[i];
  char reason[320] = "", text[40];
  bool done = false;
  if (prep->options->delete_unknown) {
    r->fate = BT_FATE_DELETED;
    bt_receptor_warn(prep, i, misfit != NULL ? "deleted: %s" : "deleted: unknown residue", misfit);
    return BT_OK;
  }
  if (!prep->options->strict) BT_TRY(bt_receptor_perceive(prep, i, reason, sizeof reason, &done));
  if (done) return BT_OK;
  if (bt_receptor_is_far(prep, i)) {
    r->fate = BT_FATE_DELETED;
    bt_receptor_warn(prep, i, "left out: unknown residue, more than %g Angstrom from the box", BT_NEAR_BOX);
    return BT_OK;
  }
  if (++unknown->count <= 6)
    bt_text_printf(&unknown->names, "%s%s", unknown->count > 1 ? ", " : "", bt_receptor_name(prep, i, text));
  const char *why = misfit != NULL ? misfit : reason;
  if (unknown->count > 1) return BT_OK;
  bt_span_copy(bt_span_from(why), unknown->reason, sizeof unknown->reason);
  bt_receptor_name(prep, i, unknown->first);
  memcpy(unknown->first_name, bt_receptor_source(prep, i)->name, sizeof unknown->first_name);
  return BT_OK;
}

/* What the residue has but its template lacks, "N atoms: ..."; false: nothing. */
static bool list_extra(const bt_receptor_work *prep, int i, const bt_template *t, bt_text *names) {
  const bt_receptor_residue *r = &prep->residues[i];
  int extra = 0;
  for (int a = 0; a < r->n_atoms; a++)
    if (bt_templates_atom(prep->templates, t, r->atoms[a].name) < 0)
      bt_text_printf(names, "%s%s", extra++ > 0 ? " " : "", r->atoms[a].name);
  return extra > 0;
}

/* asked: the user chose the template. */
static bt_status apply(bt_receptor_work *prep, int i, const bt_template *t, bool asked, unknowns *unknown) {
  bt_receptor_residue *r = &prep->residues[i];
  const bt_structure_residue *source = bt_receptor_source(prep, i);
  drop_end_atoms(prep, i, t);
  BT_ENDED_BY(bt_text_destroy) bt_text names = {0};
  bt_residue_name own = bt_templates_families(prep->templates, source->name);
  const char *kind = own.n_families > 0 && !is_family(&own, t->family) ? t->family : source->name;
  bool matched = false, extra = list_extra(prep, i, t, &names);
  if (extra && asked) {
    char name[40];
    return bt_receptor_fail(prep, "use another state (--set-state), or leave it out",
                            "%s has atoms that do not belong to residue %s: %.200s", bt_receptor_name(prep, i, name),
                            kind, names.data != NULL ? names.data : "");
  }
  if (extra && !prep->options->strict) BT_TRY(bt_receptor_match(prep, i, t, &matched));
  if (extra && !matched) {
    char misfit[320];
    snprintf(misfit, sizeof misfit, "atoms that do not belong to residue %s: %.200s", kind,
             names.data != NULL ? names.data : "");
    return find_unknown(prep, i, unknown, misfit);
  }
  bt_text_destroy(&names);
  int missing = list_missing(prep, i, t, &names);
  if (missing > 0 && names.data != NULL)
    bt_receptor_warn(prep, i, "atom%s missing: %s", missing > 1 ? "s" : "", names.data);
  bt_receptor_set_template(prep, i, t);
  if (r->blunt_first && r->blunt_last && t->kind == BT_CLASS_AMINO && source->hetero) return BT_OK;
  if (r->blunt_first) bt_receptor_note(r, "the chain begins at a gap here, no terminal group was added");
  if (r->blunt_last) bt_receptor_note(r, "the chain breaks off here, no terminal group was added");
  BT_TRY(check_strict(prep, i, t));
  note_borrowed(prep, i, t);
  return BT_OK;
}

static bt_chain_position place_of(bt_receptor_work *prep, int i) {
  switch (kind_of(prep, i)) {
    case BT_CLASS_AMINO: return place_amino(prep, i);
    case BT_CLASS_NUCLEIC: return place_nucleic(prep, i);
    default: return BT_CHAIN_SINGLE;
  }
}

bt_residue_name bt_receptor_ion(const bt_receptor_work *prep, int element) {
  bt_residue_name none = {0};
  if (element == 53) return bt_templates_families(prep->templates, "IOD");
  if (!is_metal(element) && element != 9 && element != 17 && element != 35) return none;
  char symbol[8];
  snprintf(symbol, sizeof symbol, "%s", bt_element_symbol(element));
  if (symbol[1] != '\0') symbol[1] = (char)(symbol[1] - 'a' + 'A');
  return bt_templates_families(prep->templates, symbol);
}

static bt_status find_template(bt_receptor_work *prep, int i, unknowns *unknown) {
  bt_receptor_residue *r = &prep->residues[i];
  const bt_structure_residue *source = bt_receptor_source(prep, i);
  bt_residue_name name = bt_templates_families(prep->templates, source->name);
  const bool source_known = name.n_families > 0;
  char text[40];
  bool another = false; /* a state of another residue is asked for */
  const bool asked = r->forced != NULL;
  if (r->forced != NULL) {
    bool known = is_family(&name, r->forced);
    bt_residue_name forced = bt_templates_families(prep->templates, r->forced);
    if (forced.n_families > 0 && !known) name = forced, another = true;
    if (forced.n_families > 0 && forced.n_families == 1) r->forced = NULL, name = forced;
  }
  bool done;
  BT_TRY(bt_receptor_user_template(prep, i, &done));
  if (done) return BT_OK;
  if (name.n_families == 0 && r->n_atoms == 1 && r->n_hydrogens == 0) { /* an ion with an unknown name */
    name = bt_receptor_ion(prep, r->atoms[0].element);
    if (name.n_families > 0) bt_receptor_note(r, "treated as a %s ion", name.families[0]);
  }
  if (name.n_families == 0) return find_unknown(prep, i, unknown, NULL);
  const bt_template *single = bt_templates_find(prep->templates, name.families[0], BT_CHAIN_SINGLE);
  if (single != NULL && single->n_atoms == 1 && r->n_atoms == 1) /* an ion's atom may have any name */
    memcpy(r->atoms[0].name, single->atoms[0].name, sizeof r->atoms[0].name);
  bt_fit best = {0};
  const bt_template *t = choose(prep, i, &name, place_of(prep, i), &best);
  if (t == NULL)
    return bt_receptor_fail(prep, "choose a state that the residue can have, such as HID, HIE or HIP for HIS",
                            "%s cannot be %s", bt_receptor_name(prep, i, text),
                            r->forced != NULL ? r->forced : "prepared");
  if (another && source_known && best.extra == 0 && best.missing > 0)
    return bt_receptor_fail(prep, "choose a state that the residue can have, or model the other residue first",
                            "%s lacks atoms of %s", bt_receptor_name(prep, i, text), t->family);
  return apply(prep, i, t, asked, unknown);
}

/* Refuses structures without most side chains, such as alpha-carbon traces. */
static bt_status check_complete(const bt_receptor_work *prep) {
  int there = 0, known = 0;
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    if (r->fate != BT_FATE_KEPT || r->template == NULL) continue;
    there += r->n_atoms;
    for (int k = 0; k < r->template->n_atoms; k++) known += r->template->atoms[k].element != 1;
  }
  if (2 * there >= known) return BT_OK;
  return bt_receptor_fail(prep, "provide a complete structure; programs that model side chains can make one",
                          "more than half of the atoms are missing (%d of %d present)", there, known);
}

/* True if most residues come with hydrogens. */
static bool file_has_hydrogens(const bt_receptor_work *prep) {
  int with = 0, all = 0;
  if (prep->options->ignore_hydrogens) return false;
  for (int i = 0; i < prep->n_residues; i++) {
    if (prep->residues[i].fate != BT_FATE_KEPT || prep->residues[i].n_atoms < 4) continue;
    all++;
    with += prep->residues[i].n_hydrogens > 0;
  }
  return 2 * with > all;
}

static bt_status fail_unknown(const bt_receptor_work *prep, unknowns *unknown) {
  if (unknown->count > 6) bt_text_printf(&unknown->names, " and %d more", unknown->count - 6);
  char remedy[160];
  snprintf(remedy, sizeof remedy, "remove them (--delete %s), or use a template (--residue-template %s=SMILES)",
           unknown->first, unknown->first_name);
  return bt_receptor_fail(prep, remedy,
                          "unknown residues: %s%s%.200s%s",
                          unknown->names.data != NULL ? unknown->names.data : "some residues",
                          unknown->reason[0] != '\0' ? " (" : "", unknown->reason,
                          unknown->reason[0] != '\0' ? ")" : "");
}

bt_status bt_receptor_states(bt_receptor_work *prep) {
  prep->has_hydrogens = file_has_hydrogens(prep);
  unknowns unknown = {0};
  bt_status status = BT_OK;
  for (int i = 0; status == BT_OK && i < prep->n_residues; i++)
    if (prep->residues[i].fate == BT_FATE_KEPT && prep->residues[i].template == NULL)
      status = find_template(prep, i, &unknown);
  if (status == BT_OK) note_recognized(prep);
  if (status == BT_OK && unknown.count == 0) status = check_complete(prep);
  if (status == BT_OK && unknown.count > 0) status = fail_unknown(prep, &unknown);
  bt_text_destroy(&unknown.names);
  return status;
}
