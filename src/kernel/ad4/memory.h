/* memory.h - the memory of a pose, array by array: lists that host and kernels expand, to members, places and sizes.
 *
 * Lengths are in units of bt_real. A block's local memory holds the first list for each of its poses, then one int: a
 * flag. The state lies in the arena, or in local memory as well where launch.state_at says so.
 */
#ifndef BERTH_KERNEL_AD4_MEMORY_H
#define BERTH_KERNEL_AD4_MEMORY_H

#include "data.h"

/* How the ranks of a team add up, as far as memory goes. */
#define BT_SUMS_PLAIN 0
#define BT_SUMS_MATRIX 1 /* by matrix products, all bodies (reduction.h) */
#define BT_SUMS_SEVEN 2  /* seven sums of their own, for the study (seven.h) */

/* X(name, length) for bt_kernel_sizes s; team ranks share the pose and add up as kind says.
 * atom_gradient holds n_gradients copies, which ranks write without waiting for each other. While coordinates are made
 * it is also used for sine and cosine of torsions (teams) or, at the scratch of its first fragment, each body's
 * orientation; when the gradients have been added up, for the force and moment of each fragment. A fragment's scratch
 * is the place of its first two atoms, or behind all if it has one atom only. moments: force and moment of each
 * fragment. sums: what each rank adds, four numbers where four sums are made at once. subtrees: of all that moves with
 * a body; without matrix products it is the place of the gradients, which have been added up by then: a body has an
 * atom, and so six numbers or more. tasks: an int of each lane, the search that it takes up next. */
#define BT_SCRATCH_ARRAYS(X, s, team, kind)                                                       \
  X(xyz, 3 * (s).n_atoms)                                                                         \
  X(atom_gradient, 3 * (s).n_atoms * (s).n_gradients + 6 * (s).n_single)                          \
  X(moments, (team) >= BT_SUBTREES_TEAM && (kind) != BT_SUMS_MATRIX ? 6 * (s).n_fragments : 0)    \
  X(sums, (team) > 1 ? ((kind) == BT_SUMS_SEVEN ? 4 * (team) : (team)) : 0)                       \
  X(tasks, 1)                                                                                     \
  X(subtrees, (kind) == BT_SUMS_MATRIX ? 6 * (s).n_bodies : 0)

/* X(name, kind): BT_GENES or BT_DOFS numbers. What they mean is the search's own (adadelta.h, adam.h, solis_wets.h). */
#define BT_STATE_ARRAYS(X) X(genes, BT_GENES) X(trial, BT_GENES) X(first, BT_DOFS) X(second, BT_DOFS)

/* What a local search knows besides its arrays; the meaning of scale and power is its own, too. */
#define BT_STATE_NUMBERS(REAL, INT) \
  REAL(energy) REAL(scale) REAL(power) INT(iteration) INT(successes) INT(failures) INT(backward) INT(cost)

#define BT_ADD_LENGTH(name, length) +(length)
#define BT_ADD_ONE(name) +1
#define BT_SCRATCH_REALS(s, team, kind) (0 BT_SCRATCH_ARRAYS(BT_ADD_LENGTH, s, team, kind))
#define BT_STATE_REALS(n_torsions) (2 * BT_GENES(n_torsions) + 2 * BT_DOFS(n_torsions))
/* Of a search that is saved. */
#define BT_SAVED_REALS(n_torsions) (BT_STATE_REALS(n_torsions) BT_STATE_NUMBERS(BT_ADD_ONE, BT_ADD_ONE))

#endif
