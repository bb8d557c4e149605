/* state.h - what a target holds. */
#ifndef BERTH_TARGET_STATE_H
#define BERTH_TARGET_STATE_H

#include "base/memory.h"
#include "target/maps.h"
#include "target/receptor.h"

struct bt_target {
  bt_target_options options;
  bt_protocol protocol;
  bt_arena strings;               /* of options and protocol */
  bt_receptor *own_receptor;      /* NULL: the caller's */
  const bt_receptor *receptor;
  const bt_receptor **receptors;  /* [n_receptors] of an ensemble, the first is `receptor`; each has a box */
  int n_receptors;                /* 1: no ensemble */
  bt_box *boxes;                  /* [n_boxes] */
  int n_boxes;
  bt_pocket *pockets;             /* [n_found] best first; NULL: the boxes were given */
  int n_found;
  double longest, fitted;         /* diagonal of the longest ligand so far, and that which the boxes were made for */
  bt_text_list types;             /* that ligands have needed so far */
  int n_mapped;                   /* how many of them are in the maps */
  bt_maps **maps;                 /* [n_boxes] of the search; NULL: not needed so far */
  bt_box_load load;               /* of the maps of one box; no types: read from files */
  bt_engine *engine;              /* of the only box, with the maps as they are; NULL: to be opened */
  bt_rescoring *rescoring;        /* NULL: to be opened, when the protocol has re-scorers */
  bt_grid_options rescore_grid;   /* that it borrows */
  bt_maps *maps_of_pose;          /* for poses that were docked elsewhere */
  bt_text_list types_of_pose;
  char *receptor_text;            /* rigid part as PDBQT, for databases; NULL: not needed so far */
  bool warned;
  const struct bt_target_run *run; /* the docking at work */
};

/* The receptor that a box is in: of an ensemble each has one. */
static inline const bt_receptor *bt_target_receptor_of(const bt_target *target, int box) {
  return target->receptors[target->n_receptors > 1 ? box : 0];
}

/* bt_progress_fn of the target's engines. (dock.c) */
bool bt_target_show(void *target, double fraction, int64_t evaluations, double best_energy);
/* Are the seed poses of a ligand where it is docked? BT_ERR_BOX if none has its center in any of these boxes. (seeds.c) */
bt_status bt_target_check_seeds(const bt_ligand *ligand, const bt_box *boxes, int n_boxes,
                                bt_error *opt_error) BT_MUST_USE;
/* Minimizes the seed poses of the ligand that lie in the box of the maps, and adds them to its result in that box. Its
 * warning names those that clash. */
bt_status bt_target_add_seeds(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *search,
                              bt_result *result, bt_error *opt_error) BT_MUST_USE;
/* Opens the re-scorers of the protocol, if there are any; several: calls come from several threads. */
bt_status bt_target_open_rescoring(bt_target *target, bool several, bt_error *opt_error) BT_MUST_USE;
void bt_target_warn(const bt_target *target, const char *format, ...) BT_PRINTF(2, 3);

#endif
