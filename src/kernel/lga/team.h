/* team.h - teams of lanes that share one pose, and how they divide its work.
 *
 * The back end's compat header supplies BT_TEAM (ranks of a team; 1 on CPUs), BT_SYNC() (a barrier for all ranks of the
 * block; orders its local and global memory), and BT_AT(array, k): element k of this lane's pose, with the poses of a
 * block interleaved. BT_SCRATCH and BT_STATE are the address spaces of a pose's arrays: local to the block, or global.
 */
#ifndef BERTH_KERNEL_LGA_TEAM_H
#define BERTH_KERNEL_LGA_TEAM_H

#include "kernel/lga/memory.h"

/* Every BT_TEAM-th item, starting at the rank. */
#define BT_TEAM_FOR(index, count, rank) for (int index = (rank); index < (count); index += BT_TEAM)

/* Each rank reads the pairs of its visits sequentially. A back end with BT_STREAM prefetches them:
 * bt_stream_open(&stream, memory, pairs) at the start of an evaluation, bt_stream_next(&stream, pairs) for the next
 * BT_TILE_ATOMS pairs; memory is BT_STREAM_BYTES of local memory per rank. */
#ifndef BT_STREAM
typedef int bt_stream;
#endif

#ifndef BT_TEAM_MATRIX
#define BT_TEAM_MATRIX 0
#endif
#ifndef BT_TEAM_SEVEN
#define BT_TEAM_SEVEN 0
#endif
/* Half-precision sums overflow to infinity or NaN in poses that clash. */
#ifndef BT_SUMS_OVERFLOW
#define BT_SUMS_OVERFLOW 0
#endif
/* The lanes whose genes a gradient-based search keeps: improved ones and, where energies may be NaN, the initial ones,
 * so that there always is a best. iteration counts from one. */
#if BT_SUMS_OVERFLOW
#define BT_KEEPS(better, iteration) bt_or(better, bt_eq_int(iteration, bt_splat_int(1)))
#else
#define BT_KEEPS(better, iteration) (better)
#endif
/* See kernel/lga/memory.h. */
#define BT_TEAM_KIND (BT_TEAM_SEVEN ? BT_SUMS_SEVEN : BT_TEAM_MATRIX ? BT_SUMS_MATRIX : BT_SUMS_PLAIN)

/* In large teams all ranks sum the force and moment of each body's subtree before they are read; in small ones a rank
 * sums as it reads. */
#if BT_TEAM >= BT_SUBTREES_TEAM && !BT_TEAM_MATRIX
#define BT_TEAM_SUBTREES 1
#else
#define BT_TEAM_SUBTREES 0
#endif

/* Scratch memory of one pose (kernel/lga/memory.h) and the rank that works on it. */
#define BT_SCRATCH_MEMBER(name, length) BT_SCRATCH bt_real *name;
typedef struct bt_pose_scratch {
  int rank;
  BT_SCRATCH_ARRAYS(BT_SCRATCH_MEMBER, , , )
#ifdef BT_STREAM
  char *stream; /* local memory of this rank's stream */
#endif
#ifdef BT_STUDY
  bt_study study;
#endif
} bt_pose_scratch;

/* A local search of each lane, on arrays of the pose; see the methods for the meaning of its members (adadelta.h, ...).
 * The scalars are the same in every rank of the team. */
#define BT_STATE_MEMBER(name, kind) BT_STATE bt_real *name;
#define BT_REAL_MEMBER(name) bt_real name;
#define BT_INT_MEMBER(name) bt_int name;
typedef struct bt_search_state {
  BT_STATE_ARRAYS(BT_STATE_MEMBER)
  BT_STATE_NUMBERS(BT_REAL_MEMBER, BT_INT_MEMBER)
} bt_search_state;

/* Sum of one value per rank, in fixed order; all ranks get the same. Callers sync before the next one. */
BT_FUNCTION bt_real bt_team_sum(bt_real value, bt_pose_scratch scratch) {
#if BT_TEAM == 1
  (void)scratch;
  return value;
#elif defined(BT_TEAM_SUM)
  return BT_TEAM_SUM(value, scratch.sums, scratch.rank);
#else
  BT_AT(scratch.sums, scratch.rank) = value;
  BT_SYNC();
  bt_real sum = BT_AT(scratch.sums, 0);
  for (int r = 1; r < BT_TEAM; r++) sum = sum + BT_AT(scratch.sums, r);
  return sum;
#endif
}

/* Genes are grouped in units, each handled by a single rank: three positions, the orientation, each torsion. */
#define BT_UNITS(n_torsions) (4 + (n_torsions))
#define BT_UNIT_ORIENTATION 3
/* First gene, one past the last gene, first degree of freedom and one past the last of a unit. */
#define BT_UNIT_GENE(unit) ((unit) <= 3 ? (unit) : (unit) + 3)
#define BT_UNIT_GENE_END(unit) ((unit) < 3 ? (unit) + 1 : (unit) + 4)
#define BT_UNIT_DOF(unit) ((unit) <= 3 ? (unit) : (unit) + 2)
#define BT_UNIT_DOF_END(unit) ((unit) < 3 ? (unit) + 1 : (unit) + 3)
/* The genes, or degrees of freedom, of all units of a rank. */
#if BT_TEAM == 1
#define BT_GENES_FOR(k, n_torsions, rank) for (int k = (rank); k < BT_GENES(n_torsions); k++)
#define BT_DOFS_FOR(k, n_torsions, rank) for (int k = (rank); k < BT_DOFS(n_torsions); k++)
#else
#define BT_GENES_FOR(k, n_torsions, rank)       \
  BT_TEAM_FOR(unit, BT_UNITS(n_torsions), rank) \
  for (int k = BT_UNIT_GENE(unit); k < BT_UNIT_GENE_END(unit); k++)
#define BT_DOFS_FOR(k, n_torsions, rank)        \
  BT_TEAM_FOR(unit, BT_UNITS(n_torsions), rank) \
  for (int k = BT_UNIT_DOF(unit); k < BT_UNIT_DOF_END(unit); k++)
#endif

#endif
