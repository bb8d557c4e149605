/* words.c - constraints as users write them: "hbond:A:ASP25/OD1@3.2". */
#include <string.h>

#include "constrain/constrain.h"

static const double far_away = 1e6; /* Angstrom: no limit */

static const char examples[] =
    "use words such as hbond:A:ASP25, contact:A:PHE82@4.5, metal:A:ZN301, near:A:SER195/OG@2.5-3.5=[C](=O), "
    "point:donor:1.5,2,3@1.5, empty:1,2,3@4 or inside:1,2,3@12";

static bt_status fail_word(bt_span word, const char *why, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, examples, "constraint '%.*s': %s", (int)word.size, word.text,
                 why);
}

static bool cut(bt_span *rest, char at, bt_span *ret_before) {
  const char *found = memchr(rest->text, at, rest->size);
  if (found == NULL) return false;
  *ret_before = (bt_span){rest->text, (size_t)(found - rest->text)};
  *rest = (bt_span){found + 1, rest->size - ret_before->size - 1};
  return true;
}

/* Cuts what follows the last occurrence. */
static bool cut_last(bt_span *span, char at, bt_span *ret_after) {
  for (size_t k = span->size; k-- > 0;) {
    if (span->text[k] != at) continue;
    *ret_after = (bt_span){span->text + k + 1, span->size - k - 1};
    span->size = k;
    return true;
  }
  return false;
}

static bool parse_point(bt_span span, double ret_point[3]) {
  bt_span part;
  for (int c = 0; c < 2; c++)
    if (!cut(&span, ',', &part) || !bt_parse_double(part, &ret_point[c])) return false;
  return bt_parse_double(span, &ret_point[2]);
}

/* "3.2", the most; "2.5-3.5", least and most. */
static bool parse_range(bt_span span, double *least, double *most) {
  bt_span first;
  bool two = cut(&span, '-', &first);
  if (two && !bt_parse_double(first, least)) return false;
  return bt_parse_double(span, most) && *least >= 0 && *most > *least;
}

/* ---- words that name residues ---- */

static const struct site_word {
  const char *name;
  bt_site_kind kind;
  double least, most; /* Angstrom */
} sites[] = {{"hbond", BT_SITE_HBOND, 0, 3.4},
             {"contact", BT_SITE_CONTACT, 0, 4.0},
             {"metal", BT_SITE_METAL, 0, 2.8},
             {"near", BT_SITE_NEAR, 2.5, 3.5}};

static bt_status parse_site(const struct site_word *site, bt_span word, bt_span rest, const bt_molecule *opt_receptor,
                            bt_constraint_spec *spec, bt_error *opt_error) {
  bt_span before, range = {0}, atom = {0};
  spec->least = site->least;
  spec->most = site->most;
  if (opt_receptor == NULL) return fail_word(word, "a receptor from maps has no residues", opt_error);
  if (site->kind == BT_SITE_NEAR) {
    if (!cut(&rest, '=', &before)) return fail_word(word, "a pattern has to follow after '='", opt_error);
    BT_SCOPED char *pattern = bt_copy_text(rest.text, rest.size);
    if (pattern == NULL) return bt_fail_memory(opt_error);
    BT_TRY(bt_smarts_create(pattern, &spec->pattern, opt_error));
    rest = before;
  }
  if (cut_last(&rest, '@', &range) && !parse_range(range, &spec->least, &spec->most))
    return fail_word(word, "the distance after '@' is none", opt_error);
  (void)cut_last(&rest, '/', &atom);
  if (rest.size == 0) return fail_word(word, "it names no residue", opt_error);
  if (site->kind == BT_SITE_NEAR && atom.size == 0)
    return fail_word(word, "it names no atom of the residue, as in A:SER195/OG", opt_error);
  return bt_constraint_find_site(site->kind, rest, atom, opt_receptor, spec, opt_error);
}

/* ---- words that name points ---- */

/* "donor", ...: the kind, or the pattern that stands for it. False: there is no such kind. */
static bool find_kind(bt_span word, bt_atom_kind *ret_kind, const char **ret_pattern) {
  static const struct {
    const char *name;
    bt_atom_kind kind;
    const char *pattern;
  } kinds[] = {{"donor", BT_ATOMS_DONOR, NULL},
               {"acceptor", BT_ATOMS_ACCEPTOR, NULL},
               {"aromatic", BT_ATOMS_AROMATIC, NULL},
               {"heavy", BT_ATOMS_HEAVY, NULL},
               {"hydrophobic", BT_ATOMS_PATTERN, "[$([#6;!$([#6]~[#7,#8,#9])]),$([Cl,Br,I]),$([SX2;H0])]"},
               /* amidines and guanidines carry their charge on all nitrogens */
               {"positive", BT_ATOMS_PATTERN, "[$([+;!$(*~[-])]),$([NX3]C=[N+])]"},
               {"negative", BT_ATOMS_PATTERN, "[$([-;!$(*~[+])]),$(O=[C,S,P]~[O-])]"}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (!bt_span_equals(word, kinds[k].name)) continue;
    *ret_kind = kinds[k].kind;
    *ret_pattern = kinds[k].pattern;
    return true;
  }
  return false;
}

static bt_status parse_place(bt_span word, bt_span rest, bool needs_range, bt_constraint_spec *spec, double *ret_range,
                             bt_error *opt_error) {
  bt_span range;
  double point[3];
  bool has_range = cut_last(&rest, '@', &range);
  if (needs_range && !has_range) return fail_word(word, "a distance has to follow after '@'", opt_error);
  if (has_range && !(bt_parse_double(range, ret_range) && *ret_range > 0))
    return fail_word(word, "the distance after '@' is none", opt_error);
  if (!parse_point(rest, point)) return fail_word(word, "it has no point X,Y,Z", opt_error);
  spec->n_links = 1;
  return bt_constraint_add_point(&spec->links[0], point, opt_error);
}

static bt_status parse_kind(bt_span word, bt_span *rest, bt_constraint_spec *spec, bt_error *opt_error) {
  bt_span kind;
  const char *pattern;
  if (!cut(rest, ':', &kind) || !find_kind(kind, &spec->links[0].kind, &pattern))
    return fail_word(word, "a point is of a kind: donor, acceptor, hydrophobic, aromatic, positive, negative or heavy",
                     opt_error);
  return pattern != NULL ? bt_smarts_create(pattern, &spec->pattern, opt_error) : BT_OK;
}

static bt_status parse_any(bt_span word, const bt_molecule *opt_receptor, bt_constraint_spec *spec,
                           bt_error *opt_error) {
  bt_span rest = word, name;
  if (!cut(&rest, ':', &name)) return fail_word(word, "it has no ':'", opt_error);
  for (size_t k = 0; k < sizeof sites / sizeof *sites; k++)
    if (bt_span_equals(name, sites[k].name)) return parse_site(&sites[k], word, rest, opt_receptor, spec, opt_error);
  if (bt_span_equals(name, "point")) {
    spec->most = 1.5;
    BT_TRY(parse_kind(word, &rest, spec, opt_error));
    return parse_place(word, rest, false, spec, &spec->most, opt_error);
  }
  spec->every = true;
  spec->most = far_away;
  if (bt_span_equals(name, "empty")) return parse_place(word, rest, true, spec, &spec->least, opt_error);
  if (bt_span_equals(name, "inside")) return parse_place(word, rest, true, spec, &spec->most, opt_error);
  return fail_word(word, "there is no such constraint", opt_error);
}

bt_status bt_constraint_parse(bt_span word, bool required, const bt_molecule *opt_receptor,
                              bt_constraint_spec *ret_spec, bt_error *opt_error) {
  word = bt_span_trim(word);
  *ret_spec = (bt_constraint_spec){.required = required, .name = bt_copy_text(word.text, word.size)};
  if (ret_spec->name == NULL) return bt_fail_memory(opt_error);
  bt_status status = parse_any(word, opt_receptor, ret_spec, opt_error);
  if (status != BT_OK) bt_constraint_spec_clear(ret_spec);
  return status;
}
