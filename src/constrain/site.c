/* site.c - the atoms of a receptor that a word names, as points. */
#include <string.h>

#include "chem/residue_word.h"
#include "constrain/constrain.h"

/* How the word reads the atom's residue; 0: it does not fit. */
static int reading_of(bt_span residue, const bt_atom *atom) {
  const char chain[2] = {atom->chain == ' ' ? '\0' : atom->chain, '\0'};
  bt_residue_id id = {.chain = chain, .name = atom->resname, .number = atom->resnum, .icode = atom->icode};
  return bt_residue_word_fits(residue, &id);
}

/* The first reading that fits any residue; 0: none. */
static int find_reading(bt_span residue, const bt_molecule *receptor) {
  int reading = 0;
  for (int i = 0; i < receptor->n_atoms; i++) {
    int of = reading_of(residue, &receptor->atoms[i]);
    if (of > 0 && (reading == 0 || of < reading)) reading = of;
  }
  return reading;
}

static bt_status fail_residue(const bt_constraint_spec *spec, const bt_molecule *receptor, bt_span residue,
                              bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = receptor->path},
                 "name a residue of the prepared receptor, such as A:ASP25; flexible side chains are not in it",
                 "constraint '%s': no residue is '%.*s'", spec->name, BT_SHOWN(residue));
}

/* A metal is what is no other element of proteins. */
static bool is_metal(const bt_molecule *receptor, int i) {
  static const char *const others[] = {"C", "A", "N", "NA", "NS", "O", "OA", "OS", "S", "SA", "P", "F",
                                       "Cl", "CL", "Br", "BR", "I", "Si", "B"};
  if (!bt_atom_is_heavy(receptor, i)) return false;
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (strcmp(receptor->atoms[i].type, others[k]) == 0) return false;
  return true;
}

static bool takes_part(bt_site_kind kind, const bt_molecule *receptor, int i, int link) {
  switch (kind) {
    case BT_SITE_HBOND: return bt_atom_is_of_kind(receptor, i, link == 0 ? BT_ATOMS_ACCEPTOR : BT_ATOMS_DONOR);
    case BT_SITE_METAL: return is_metal(receptor, i);
    case BT_SITE_CONTACT: return bt_atom_is_heavy(receptor, i);
    case BT_SITE_NEAR: break;
  }
  return true;
}

static void set_links(bt_site_kind kind, bt_constraint_spec *spec) {
  static const bt_atom_kind first[] = {[BT_SITE_HBOND] = BT_ATOMS_DONOR,
                                       [BT_SITE_CONTACT] = BT_ATOMS_HEAVY,
                                       [BT_SITE_METAL] = BT_ATOMS_BINDER,
                                       [BT_SITE_NEAR] = BT_ATOMS_PATTERN};
  spec->n_links = kind == BT_SITE_HBOND ? 2 : 1;
  spec->links[0].kind = first[kind];
  spec->links[1].kind = BT_ATOMS_ACCEPTOR;
}

bt_status bt_constraint_find_site(bt_site_kind kind, bt_span residue, bt_span opt_atom, const bt_molecule *receptor,
                                  bt_constraint_spec *spec, bt_error *opt_error) {
  int reading = find_reading(residue, receptor), points = 0;
  bool named = false;
  if (reading == 0) return fail_residue(spec, receptor, residue, opt_error);
  set_links(kind, spec);
  for (int i = 0; i < receptor->n_atoms; i++) {
    const bt_atom *atom = &receptor->atoms[i];
    if (reading_of(residue, atom) != reading) continue;
    if (opt_atom.size > 0 && !bt_span_equals_ignoring_case(opt_atom, atom->name)) continue;
    named = true;
    for (int k = 0; k < spec->n_links; k++) {
      if (!takes_part(kind, receptor, i, k)) continue;
      BT_TRY(bt_constraint_add_point(&spec->links[k], atom->x, opt_error));
      points++;
    }
  }
  if (!named)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = receptor->path}, "name one of the residue's atoms",
                   "constraint '%s': the residue has no atom %.*s", spec->name, BT_SHOWN(opt_atom));
  static const char *const lacking[] = {[BT_SITE_HBOND] = "donates or accepts hydrogen bonds",
                                        [BT_SITE_CONTACT] = "is no hydrogen",
                                        [BT_SITE_METAL] = "is a metal",
                                        [BT_SITE_NEAR] = "fits"};
  if (points == 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = receptor->path}, "name another residue or atom",
                   "constraint '%s': no atom there %s", spec->name, lacking[kind]);
  return BT_OK;
}
