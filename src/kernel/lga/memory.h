/* memory.h - the memory of a pose, array by array: X-macro lists that host and kernels expand to members, offsets and
 * sizes.
 *
 * Lengths are in units of bt_real. A block's local memory holds the first list for each of its poses, then one int, a
 * flag. The state is in the arena, or also in local memory where launch.state_at says so.
 */
#ifndef BERTH_KERNEL_LGA_MEMORY_H
#define BERTH_KERNEL_LGA_MEMORY_H

#include "data.h"

/* How the ranks of a team reduce, as far as it affects memory. */
#define BT_SUMS_PLAIN 0
#define BT_SUMS_MATRIX 1 /* all bodies, by matrix products (reduction.h) */
#define BT_SUMS_SEVEN 2  /* seven separate sums, for the study (study/seven_sums.h) */

/* X(name, length) for bt_kernel_sizes s; team ranks share the pose and reduce as kind says.
 *
 * atom_gradient: n_gradients copies, which ranks write without waiting for each other. While coordinates are built it
 * also holds sine and cosine of the torsions (teams) or each body's orientation, at the scratch of the body's first
 * fragment; once the gradients are reduced, force and moment of each fragment. A fragment's scratch takes the place of
 * its first two atoms, or, if it has a single atom, lies behind all copies. moments: force and moment of each fragment.
 * sums: each rank's summand, four numbers where four sums are made at once. subtrees: sums over everything that moves
 * with a body; without matrix products it overlays the gradients, which are reduced by then (a body has an atom, hence
 * at least six numbers). tasks: an int per lane, the search that it takes up next. */
#define BT_SCRATCH_ARRAYS(X, s, team, kind)                                                       \
  X(xyz, 3 * (s).n_atoms)                                                                         \
  X(atom_gradient, 3 * (s).n_atoms * (s).n_gradients + 6 * (s).n_single)                          \
  X(moments, (team) >= BT_SUBTREES_TEAM && (kind) != BT_SUMS_MATRIX ? 6 * (s).n_fragments : 0)    \
  X(sums, (team) > 1 ? ((kind) == BT_SUMS_SEVEN ? 4 * (team) : (team)) : 0)                       \
  X(tasks, 1)                                                                                     \
  X(subtrees, (kind) == BT_SUMS_MATRIX ? 6 * (s).n_bodies : 0)

/* X(name, kind): BT_GENES or BT_DOFS numbers. Their meaning is up to the search (adadelta.h, adam.h, solis_wets.h). */
#define BT_STATE_ARRAYS(X) X(genes, BT_GENES) X(trial, BT_GENES) X(first, BT_DOFS) X(second, BT_DOFS)

/* Scalars of a local search; the meaning of scale and power is up to the search, too. */
#define BT_STATE_NUMBERS(REAL, INT) \
  REAL(energy) REAL(scale) REAL(power) INT(iteration) INT(successes) INT(failures) INT(backward) INT(cost)

#define BT_ADD_LENGTH(name, length) +(length)
#define BT_ADD_ONE(name) +1
#define BT_SCRATCH_REALS(s, team, kind) (0 BT_SCRATCH_ARRAYS(BT_ADD_LENGTH, s, team, kind))
#define BT_STATE_REALS(n_torsions) (2 * BT_GENES(n_torsions) + 2 * BT_DOFS(n_torsions))
/* Of a saved search. */
#define BT_SAVED_REALS(n_torsions) (BT_STATE_REALS(n_torsions) BT_STATE_NUMBERS(BT_ADD_ONE, BT_ADD_ONE))

#endif
