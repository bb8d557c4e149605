/* templates.h - residue templates: atoms, types, charges and bonds (data/residues). */
#ifndef BERTH_PREP_RECEPTOR_RESIDUES_TEMPLATES_H
#define BERTH_PREP_RECEPTOR_RESIDUES_TEMPLATES_H

#include "base/memory.h"
#include "base/text/text.h"

enum { BT_TEMPLATE_BONDS = 6 };

typedef struct bt_template_atom {
  char name[8];
  char symbol[4]; /* element */
  char type[8];   /* AutoDock type */
  int element;    /* atomic number */
  double charge;  /* e, including merged hydrogens */
  bool planar;    /* sp2 */
  int n_bonds;    /* to any atom of the template */
  int bonds[BT_TEMPLATE_BONDS];
  bool turns[BT_TEMPLATE_BONDS]; /* the bond is rotatable */
  int hydrogens;                 /* polar ones */
} bt_template_atom;

typedef enum bt_chain_position {
  BT_CHAIN_INNER,
  BT_CHAIN_FIRST, /* N-terminus with charge, 5' hydroxyl */
  BT_CHAIN_LAST,  /* C-terminus with charge, 3' hydroxyl */
  BT_CHAIN_BOTH,  /* a chain of one residue */
  BT_CHAIN_FIRST_NEUTRAL,
  BT_CHAIN_LAST_NEUTRAL,
  BT_CHAIN_FIRST_PHOSPHATE, /* 5' phosphate */
  BT_CHAIN_SINGLE           /* no chain */
} bt_chain_position;

typedef enum bt_residue_class {
  BT_CLASS_AMINO,
  BT_CLASS_NUCLEIC,
  BT_CLASS_CAP, /* ACE, NME, NH2, FOR */
  BT_CLASS_WATER,
  BT_CLASS_ION,
  BT_CLASS_STAND_IN, /* an ion that borrows the parameters of another */
  BT_CLASS_ADDITIVE, /* crystallization additives and buffers */
  BT_CLASS_SUGAR,
  BT_CLASS_COFACTOR,
  BT_CLASS_LIPID
} bt_residue_class;

typedef struct bt_template {
  char name[12], family[8];
  bt_chain_position place;
  bt_residue_class kind;
  int charge;
  int n_atoms; /* heavy atoms and polar hydrogens, each hydrogen directly after its parent */
  bt_template_atom *atoms;
  bt_span title; /* descriptive name; may be empty */
} bt_template;

enum { BT_MAX_FAMILIES = 4 };

typedef struct bt_residue_name {
  char name[8];
  char families[BT_MAX_FAMILIES][8]; /* the usual state first */
  int n_families;
} bt_residue_name;

typedef struct bt_atom_alias {
  char family[8], alias[8], name[8]; /* family "*": all */
} bt_atom_alias;

typedef struct bt_templates {
  int n_items, n_names, n_aliases, n_additives;
  bt_template *items;
  const bt_template **by_family; /* all templates, sorted by family */
  bt_residue_name *names;        /* sorted */
  bt_atom_alias *aliases;
  struct {
    char name[8];
  } *additives; /* without a template */
  bt_template_atom *atoms; /* of all templates */
  bt_arena arena;          /* of all arrays */
} bt_templates;

/* Reads the built-in tables. */
bt_status bt_templates_create(bt_templates **ret_templates, bt_error *opt_error) BT_MUST_USE;
void bt_templates_destroy(bt_templates *opt_templates);

/* States that a residue of this name may have. A name with a template but no row of its own is its only state; count 0
 * for an unknown name. */
bt_residue_name bt_templates_families(const bt_templates *templates, const char *residue);
/* Whether a residue of this name is a crystallization additive: by its template, or by data/residues/additives.csv. */
bool bt_templates_is_additive(const bt_templates *templates, const char *residue);
const bt_template *bt_templates_find(const bt_templates *templates, const char *family, bt_chain_position place);
/* Index of the atom of a template that corresponds to a name in a file, aliases included; -1: none. */
int bt_templates_atom(const bt_templates *templates, const bt_template *template, const char *name);
int bt_template_find(const bt_template *template, const char *name);

#endif
