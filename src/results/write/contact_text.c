/* contact_text.c - contacts of a pose as docking logs, XML and JSON have them. */
#include "results/write/contact_text.h"

#include <stdio.h>
#include <string.h>

#include "results/analysis/contacts.h"
#include "results/analysis/interaction_set.h"

/* The lists, in their order. */
enum { TYPE, LIGID, LIGNAME, RECID, RECNAME, RESIDUE, RESID, CHAIN, LISTS };

static void add_number(bt_text *text, long value) { bt_text_printf(text, "%5ld ", value); }

/* XML markup never occurs in names that programs write, but it may in names that users typed. */
static void add_name(bt_text *text, const char *name) {
  char quoted[16];
  snprintf(quoted, sizeof quoted, "\"%.12s\"", name);
  for (char *c = quoted; *c != '\0'; c++)
    if (*c == '<' || *c == '&') *c = '?';
  bt_text_printf(text, "%6s", quoted);
}

static void add_item(bt_text *text, const bt_result *result, const bt_contact *c, int list) {
  const char chain[2] = {c->atom->chain, '\0'};
  switch (list) {
    case TYPE: add_name(text, bt_contact_letter(c->type)); break;
    case LIGID: add_number(text, c->ligand + 1); break;
    case LIGNAME: add_name(text, bt_ligand_atom(result->ligand, c->ligand, NULL)->name); break;
    case RECID: add_number(text, c->atom->serial); break;
    case RECNAME: add_name(text, c->atom->name); break;
    case RESIDUE: add_name(text, c->atom->resname); break;
    case RESID: add_number(text, c->atom->resnum); break;
    default: add_name(text, chain);
  }
}

static void add_list(bt_text *text, const bt_result *result, const bt_contact_list *contacts, int list) {
  bool follows = false;
  for (size_t k = 0; k < contacts->count; k++) {
    if (!bt_contact_is_autodock(contacts->items[k].type)) continue;
    if (follows) bt_text_add_char(text, ',');
    add_item(text, result, &contacts->items[k], list);
    follows = true;
  }
}

static int count(const bt_contact_list *contacts) {
  int n = 0;
  for (size_t k = 0; k < contacts->count; k++) n += bt_contact_is_autodock(contacts->items[k].type);
  return n;
}

void bt_contacts_add_dlg(bt_text *text, const bt_result *result, const bt_run *run) {
  static const char *const names[LISTS] = {"TYPE", "LIGID", "LIGNAME", "RECID", "RECNAME", "RESIDUE", "RESID", "CHAIN"};
  int n = count(&run->contacts);
  bt_text_printf(text, "ANALYSIS: COUNT %d\n", n);
  for (int list = 0; n > 0 && list < LISTS; list++) {
    bt_text_printf(text, "ANALYSIS: %-8s{", names[list]);
    add_list(text, result, &run->contacts, list);
    bt_text_add_string(text, "}\n");
  }
  bt_text_add_char(text, '\n');
}

void bt_contacts_add_xml(bt_text *text, const bt_result *result, const bt_run *run) {
  static const char *const names[LISTS] = {"types",   "ligid",   "ligname", "recid",
                                           "recname", "residue", "resid",   "chain"};
  int n = count(&run->contacts);
  bt_text_printf(text, "\t\t\t<contact_analysis count=\"%d\">\n", n);
  for (int list = 0; n > 0 && list < LISTS; list++) {
    bt_text_printf(text, "\t\t\t\t<contact_analysis_%s>%*s", names[list], 7 - (int)strlen(names[list]), "");
    add_list(text, result, &run->contacts, list);
    bt_text_printf(text, "</contact_analysis_%s>\n", names[list]);
  }
  bt_text_add_string(text, "\t\t\t</contact_analysis>\n");
}

void bt_contacts_add_json(bt_json *json, const bt_result *result, const bt_run *run) {
  bt_json_printf(json, "contacts [");
  for (size_t k = 0; k < run->contacts.count; k++) {
    const bt_contact *c = &run->contacts.items[k];
    bt_contact_add_json(json, c, bt_ligand_atom(result->ligand, c->ligand, NULL)->name);
  }
  bt_json_close(json, ']');
}
