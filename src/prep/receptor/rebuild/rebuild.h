/* rebuild.h - shared by rebuild.c and search.c: one incomplete side chain and the atoms around it. */
#ifndef BERTH_PREP_RECEPTOR_REBUILD_REBUILD_H
#define BERTH_PREP_RECEPTOR_REBUILD_REBUILD_H

#include "base/cells.h"
#include "prep/receptor/rebuild/side_chains.h"
#include "prep/receptor/receptor.h"

#define BT_REBUILD_REACH 4.0  /* Angstrom: beyond that, no two atoms clash */
#define BT_REBUILD_LOOSE 0.15 /* Angstrom: tolerance for the length of a bond to an atom of the file */

typedef struct bt_rebuild_obstacle {
  int residue, atom; /* atom -1: of the removed ligand */
  int element;
} bt_rebuild_obstacle;

typedef struct bt_rebuild_scene {
  bt_receptor_work *prep;
  bt_cells *cells; /* of the atoms present from the start */
  int count;
  double (*x)[3];
  bt_rebuild_obstacle *is;
  int n_built; /* atoms built since, in order of residues */
  size_t built_room, is_room;
  double (*built)[3];
  bt_rebuild_obstacle *built_is;
  int n_near; /* of those, near the current residue */
  size_t near_room;
  int *near;
  int names;       /* residues in the note */
  bt_text changed; /* their names */
} bt_rebuild_scene;

typedef struct bt_rebuild_place {
  const bt_chain_atom *row;
  int in_template;
  bool there; /* in the file */
  double x[3];
} bt_rebuild_place;

typedef struct bt_rebuild_chain {
  bt_rebuild_scene *scene;
  int residue;
  const bt_template *t;
  bt_rebuild_place places[BT_CHAIN_ATOMS + 1];
  int n_places, n_missing;
  double chi[BT_CHAIN_ANGLES + 1]; /* degrees */
  bool known[BT_CHAIN_ANGLES + 1];
  double hand; /* -1: a D-amino acid */
  /* the search */
  int n_open, open[BT_CHAIN_ANGLES]; /* angles that no atom of the file determines */
  double penalty, nearest, strain;   /* strain: worst deviation of a bond to an atom of the file */
  int element, at;                   /* element and place of the atom being tested */
} bt_rebuild_chain;

/* Coordinates of an atom of the residue, of the main chain or of the side chain; NULL: missing. */
const double *bt_rebuild_find(bt_rebuild_chain *c, const char *name);
/* The place of a side-chain atom; NULL: the residue has no such atom. */
bt_rebuild_place *bt_rebuild_place_named(bt_rebuild_chain *c, const char *name);
/* search.c: tries all combinations of values of the undetermined angles and keeps the best. Sets places,
 * penalty, nearest and strain. */
void bt_rebuild_search(bt_rebuild_chain *c, bool strained);
/* The same in small steps from the values found. */
void bt_rebuild_refine(bt_rebuild_chain *c);

#endif
