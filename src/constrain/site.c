/* site.c - the atoms of a receptor that a word names, as points. */
#include "chem/element.h"
#include "constrain/constrain.h"

static bt_status fail_residue(const bt_constraint_spec *spec, const bt_molecule *receptor, bt_span residue,
                              bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = receptor->path},
                 "name a residue of the prepared receptor, such as A:ASP25; flexible side chains are not in it",
                 "constraint '%s': no residue is '%.*s'", spec->name, BT_SHOWN(residue));
}

static bool takes_part(bt_site_kind kind, const bt_molecule *receptor, int i, int link) {
  switch (kind) {
    case BT_SITE_HBOND: return bt_atom_is_of_kind(receptor, i, link == 0 ? BT_ATOMS_ACCEPTOR : BT_ATOMS_DONOR);
    case BT_SITE_METAL: return bt_element_is_metal(bt_element_of_type(receptor->atoms[i].type));
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
  int reading = bt_molecule_residue_reading(receptor, residue), points = 0;
  bool named = false;
  if (reading == 0) return fail_residue(spec, receptor, residue, opt_error);
  set_links(kind, spec);
  for (int i = 0; i < receptor->n_atoms; i++) {
    const bt_atom *atom = &receptor->atoms[i];
    if (bt_atom_residue_reading(atom, residue) != reading) continue;
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
