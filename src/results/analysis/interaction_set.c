/* interaction_set.c - the interactions of one pose: found, as JSON, compared, filtered. */
#include "results/analysis/interaction_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/residue_word.h"

struct bt_interaction_site {
  bt_contact_site *site;
  bt_contact_options options;
};

/* ---- 1. finding ---- */

bt_status bt_interaction_site_open(const bt_molecule *receptor, const bt_contact_options *opt_options,
                                   bt_interaction_site **ret_site, bt_error *opt_error) {
  bt_interaction_site *made = bt_allocate(1, sizeof *made);
  if (made == NULL) return bt_fail_memory(opt_error);
  made->options = opt_options != NULL ? *opt_options : bt_contact_options_default();
  bt_status status = bt_contact_site_create(receptor, &made->options, &made->site, opt_error);
  return BT_HAND_OVER(status, made, ret_site, bt_interaction_site_close);
}

void bt_interaction_site_close(bt_interaction_site *opt_site) {
  if (opt_site == NULL) return;
  bt_contact_site_destroy(opt_site->site);
  free(opt_site);
}

int bt_interaction_key_compare(const void *one, const void *other) {
  const bt_interaction_key *a = one, *b = other;
  if (a->chain != b->chain) return a->chain - b->chain;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  if (a->icode != b->icode) return a->icode - b->icode;
  int order = strcmp(a->residue, b->residue);
  return order != 0 ? order : a->letter - b->letter;
}

static bt_interaction_key key_of(const bt_contact *contact) {
  const bt_atom *atom = contact->atom;
  bt_interaction_key key = {.chain = atom->chain, .icode = atom->icode, .number = atom->resnum};
  key.letter = bt_contact_letter(contact->type)[0];
  memcpy(key.residue, atom->resname, sizeof key.residue);
  return key;
}

/* Names of the list's atoms are copied, since the ligand may not live as long. */
static bt_status own_atoms(bt_interactions *made, const bt_ligand *ligand, bt_error *opt_error) {
  size_t n = made->list.count;
  made->atoms = bt_allocate(3 * n, sizeof *made->atoms);
  made->keys = bt_allocate(n, sizeof *made->keys);
  if (made->atoms == NULL || made->keys == NULL) return bt_fail_memory(opt_error);
  for (size_t k = 0; k < n; k++) {
    bt_contact *contact = &made->list.items[k];
    bt_atom *copies = &made->atoms[3 * k];
    made->keys[k] = key_of(contact);
    copies[0] = *contact->atom;
    copies[1] = *bt_ligand_atom(ligand, contact->ligand, NULL);
    contact->atom = &copies[0];
    if (contact->opt_water == NULL) continue;
    copies[2] = *contact->opt_water;
    contact->opt_water = &copies[2];
  }
  if (n > 1) qsort(made->keys, n, sizeof *made->keys, bt_interaction_key_compare);
  for (size_t k = 0; k < n; k++)
    if (k == 0 || bt_interaction_key_compare(&made->keys[made->n_keys - 1], &made->keys[k]) != 0)
      made->keys[made->n_keys++] = made->keys[k];
  return BT_OK;
}

bt_status bt_interactions_in(const bt_contact_site *site, const bt_contact_options *options, const bt_ligand *ligand,
                             const double *xyz, bt_interactions **ret_interactions, bt_error *opt_error) {
  bt_contact_ligand *known = NULL;
  bt_interactions *made = bt_allocate(1, sizeof *made);
  if (made == NULL) return bt_fail_memory(opt_error);
  bt_status status = bt_contact_ligand_create(ligand, options, &known, opt_error);
  if (status == BT_OK) status = bt_contacts_find(site, known, xyz, &made->list, opt_error);
  if (status == BT_OK) status = own_atoms(made, ligand, opt_error);
  bt_contact_ligand_destroy(known);
  return BT_HAND_OVER(status, made, ret_interactions, bt_interactions_destroy);
}

bt_status bt_interactions_find(const bt_interaction_site *site, const bt_ligand *ligand, const double *opt_xyz,
                               bt_interactions **ret_interactions, bt_error *opt_error) {
  const double *xyz = opt_xyz != NULL ? opt_xyz : ligand->xyz;
  return bt_interactions_in(site->site, &site->options, ligand, xyz, ret_interactions, opt_error);
}

void bt_interactions_destroy(bt_interactions *opt_interactions) {
  if (opt_interactions == NULL) return;
  bt_contact_list_clear(&opt_interactions->list);
  free(opt_interactions->atoms);
  free(opt_interactions->keys);
  free(opt_interactions);
}

/* ---- 2. as text, and compared ---- */

void bt_contact_add_json(bt_json *json, const bt_contact *c, const char *ligand_name) {
  const char chain[2] = {c->atom->chain == ' ' ? '\0' : c->atom->chain, '\0'};
  bt_json_printf(json, "{ type %s ligand_atom %d ligand_name %s receptor_serial %d receptor_name %s residue %s",
                 bt_contact_name(c->type), c->ligand + 1, ligand_name, c->atom->serial, c->atom->name,
                 c->atom->resname);
  bt_json_printf(json, "residue_number %d chain %s distance %.3f", c->atom->resnum, chain, c->distance);
  if (c->angle > 0) bt_json_printf(json, "angle %.1f", c->angle);
  if (c->opt_water != NULL) {
    const char its_chain[2] = {c->opt_water->chain == ' ' ? '\0' : c->opt_water->chain, '\0'};
    bt_json_printf(json, "water { serial %d residue_number %d chain %s }", c->opt_water->serial, c->opt_water->resnum,
                   its_chain);
  }
  bt_json_close(json, '}');
}

bt_status bt_interactions_json(const bt_interactions *interactions, char **ret_json, bt_error *opt_error) {
  bt_text text = {0};
  bt_json json = {.text = &text};
  bt_json_open(&json, '[');
  for (size_t k = 0; k < interactions->list.count; k++)
    bt_contact_add_json(&json, &interactions->list.items[k], interactions->atoms[3 * k + 1].name);
  bt_json_close(&json, ']');
  return bt_text_take(&text, ret_json, opt_error);
}

bool bt_interaction_key_is_autodock(const bt_interaction_key *key) { return strchr("RHV", key->letter) != NULL; }

void bt_interaction_key_add(bt_text *text, const bt_interaction_key *key) {
  if (key->chain != ' ') bt_text_printf(text, "%c:", key->chain);
  size_t size = strlen(key->residue);
  bool digit =
      size > 0 && key->residue[size - 1] >= '0' && key->residue[size - 1] <= '9'; /* A:XK2:263, as options take it */
  bt_text_printf(text, "%s%s%d", key->residue, digit ? ":" : "", key->number);
  if (key->icode != ' ') bt_text_add_char(text, key->icode);
  bt_text_printf(text, ":%c", key->letter);
}

char *bt_interactions_text(const bt_interactions *interactions) {
  bt_text text = {0};
  for (size_t k = 0; k < interactions->n_keys; k++) {
    if (bt_interaction_key_is_autodock(&interactions->keys[k])) continue;
    if (text.size > 0) bt_text_add_string(&text, ", ");
    bt_interaction_key_add(&text, &interactions->keys[k]);
  }
  if (text.size == 0) bt_text_add_string(&text, "none");
  char *taken = NULL;
  return bt_text_take(&text, &taken, NULL) == BT_OK ? taken : NULL;
}

double bt_interactions_similarity(const bt_interactions *a, const bt_interactions *b) {
  size_t both = 0, either = 0;
  for (size_t i = 0, j = 0; i < a->n_keys || j < b->n_keys;) {
    int order = i == a->n_keys ? 1 : j == b->n_keys ? -1 : bt_interaction_key_compare(&a->keys[i], &b->keys[j]);
    const bt_interaction_key *key = order <= 0 ? &a->keys[i] : &b->keys[j];
    i += order <= 0;
    j += order >= 0;
    if (bt_interaction_key_is_autodock(key)) continue;
    either++;
    both += order == 0;
  }
  return either > 0 ? (double)both / (double)either : 1;
}

/* ---- 3. filters ---- */

typedef struct filter_word {
  char *text; /* as typed */
  const char *residue;
  char letter; /* '\0': any */
  int reading; /* of the residue word, in this receptor; 0: the first that fits an atom */
} filter_word;

struct bt_contact_filter {
  filter_word *words;
  size_t count, room;
};

static const struct {
  const char *word;
  char letter;
} kinds[] = {{"hbond", 'B'}, {"halogen", 'X'}, {"hydrophobic", 'L'}, {"water", 'W'},
             {"metal", 'M'}, {"pi", 'P'},      {"salt", 'S'},        {"cation-pi", 'C'}};

static bt_status parse_word(filter_word *w, const bt_molecule *opt_receptor, bt_error *opt_error) {
  static const char remedy[] =
      "name a residue of the receptor such as A:ASP25, or KIND:A:ASP25 with hbond, halogen, "
      "hydrophobic, water, metal, pi, salt or cation-pi";
  w->residue = w->text;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    size_t size = strlen(kinds[k].word);
    if (strncmp(w->text, kinds[k].word, size) != 0 || w->text[size] != ':') continue;
    w->letter = kinds[k].letter;
    w->residue = w->text + size + 1;
  }
  if (!bt_is_residue_word(bt_span_from(w->residue)))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, remedy, "'%.60s' names no contact", w->text);
  if (opt_receptor == NULL) return BT_OK;
  w->reading = bt_molecule_residue_reading(opt_receptor, bt_span_from(w->residue));
  if (w->reading > 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = opt_receptor->path}, remedy, "no residue %.60s",
                 w->residue);
}

static bt_status add_word(bt_contact_filter *filter, const char *text, size_t size, const bt_molecule *opt_receptor,
                          bt_error *opt_error) {
  filter_word word = {.text = bt_copy_text(text, size)};
  if (word.text == NULL) return bt_fail_memory(opt_error);
  bt_status status = parse_word(&word, opt_receptor, opt_error);
  if (status == BT_OK && !BT_APPEND(filter->words, filter->count, &filter->room, word))
    status = bt_fail_memory(opt_error);
  if (status != BT_OK) free(word.text);
  return status;
}

bt_status bt_contact_filter_create(const char *text, const bt_molecule *opt_receptor, bt_contact_filter **ret_filter,
                                   bt_error *opt_error) {
  bt_contact_filter *made = bt_allocate(1, sizeof *made);
  bt_status status = made != NULL ? BT_OK : bt_fail_memory(opt_error);
  for (const char *at = text; status == BT_OK && at != NULL;) {
    const char *comma = strchr(at, ',');
    status = add_word(made, at, comma != NULL ? (size_t)(comma - at) : strlen(at), opt_receptor, opt_error);
    at = comma != NULL ? comma + 1 : NULL;
  }
  return BT_HAND_OVER(status, made, ret_filter, bt_contact_filter_destroy);
}

void bt_contact_filter_destroy(bt_contact_filter *opt_filter) {
  if (opt_filter == NULL) return;
  for (size_t k = 0; k < opt_filter->count; k++) free(opt_filter->words[k].text);
  free(opt_filter->words);
  free(opt_filter);
}

static bool meets(const bt_interactions *interactions, const filter_word *w) {
  for (size_t k = 0; k < interactions->list.count; k++) {
    const bt_contact *c = &interactions->list.items[k];
    if (bt_contact_is_autodock(c->type) || (w->letter != '\0' && bt_contact_letter(c->type)[0] != w->letter)) continue;
    int reading = bt_atom_residue_reading(c->atom, bt_span_from(w->residue));
    if (reading > 0 && (w->reading == 0 || reading == w->reading)) return true;
  }
  return false;
}

const char *bt_interactions_miss(const bt_interactions *interactions, const bt_contact_filter *filter) {
  for (size_t k = 0; k < filter->count; k++)
    if (!meets(interactions, &filter->words[k])) return filter->words[k].text;
  return NULL;
}
