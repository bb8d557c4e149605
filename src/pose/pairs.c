/* pairs.c - which pairs of moving atoms interact: AutoDock 4's rules.
 *
 * Contents: 1. the matrix of excluded pairs; 2. rules; 3. the list.
 *
 * Excluded are (1) atoms one, two or three bonds apart, (2) atoms of one rigid body, (3) both atoms of a rotatable
 * bond with the whole body at the other end, (4) the far ends of two rotatable bonds that start in one body. All
 * distances of rules 2 to 4 are constant. The roots of all flexible residues count as one body.
 */
#include "pose/pairs.h"

#include <limits.h>

#include "base/memory.h"
#include "pose/glue.h"

/* ---- 1. the matrix of excluded pairs: one bit per ordered pair, set on one side of the diagonal ---- */

typedef struct pair_matrix {
  size_t words; /* per row */
  uint64_t *bits;
} pair_matrix;

static void exclude(pair_matrix *matrix, int i, int j) {
  int low = i < j ? i : j, high = i < j ? j : i;
  matrix->bits[(size_t)low * matrix->words + (size_t)high / 64] |= UINT64_C(1) << (high % 64);
}

static bool is_excluded(const pair_matrix *matrix, int low, int high) {
  return (matrix->bits[(size_t)low * matrix->words + (size_t)high / 64] >> (high % 64)) & 1;
}

/* ---- 2. rules ---- */

/* Walks of one, two and three bonds; turning back does no harm. */
static void exclude_neighbours(const bt_ligand *ligand, const bt_bonds *bonds, pair_matrix *matrix) {
  const int *first = bonds->first, *neighbour = bonds->neighbour;
  for (int i = 0; i < ligand->n_atoms; i++) {
    for (int a = first[i]; a < first[i + 1]; a++) {
      int j = neighbour[a];
      exclude(matrix, i, j);
      for (int b = first[j]; b < first[j + 1]; b++) {
        int k = neighbour[b];
        exclude(matrix, i, k);
        for (int c = first[k]; c < first[k + 1]; c++) exclude(matrix, i, neighbour[c]);
      }
    }
  }
}

static void exclude_same_body(const bt_ligand *ligand, pair_matrix *matrix) {
  for (int i = 0; i < ligand->n_atoms; i++)
    for (int j = i + 1; j < ligand->n_atoms; j++)
      if (ligand->body[i] == ligand->body[j]) exclude(matrix, i, j);
}

static void exclude_rotatable_bonds(const bt_ligand *ligand, pair_matrix *matrix) {
  const int *body = ligand->body;
  for (int t = 0; t < ligand->n_bodies; t++) {
    int a = ligand->bodies[t].axis_from, b = ligand->bodies[t].axis_to;
    if (ligand->bodies[t].torsion < 0) continue;
    for (int k = 0; k < ligand->n_atoms; k++) {
      if (body[k] == body[a]) exclude(matrix, k, b);
      if (body[k] == body[b]) exclude(matrix, k, a);
    }
    for (int u = 0; u < ligand->n_bodies; u++) {
      int c = ligand->bodies[u].axis_from, d = ligand->bodies[u].axis_to;
      if (ligand->bodies[u].torsion < 0) continue;
      if (body[a] == body[c]) exclude(matrix, b, d);
      if (body[a] == body[d]) exclude(matrix, b, c);
      if (body[b] == body[c]) exclude(matrix, a, d);
      if (body[b] == body[d]) exclude(matrix, a, c);
    }
  }
}

/* ---- 3. the list ---- */

static bt_pair_group group_of(const bt_ligand *ligand, int i, int j) {
  if (j < ligand->n_ligand_atoms) return BT_PAIR_LIGAND;
  return i < ligand->n_ligand_atoms ? BT_PAIR_LIGAND_FLEX : BT_PAIR_FLEX;
}

/* Does the pair interact, and is it a glue point with the carbon that it stands for? */
static bool interacts(const bt_ligand *ligand, const pair_matrix *matrix, int i, int j, bool *ret_glue) {
  const char *type_i = ligand->types[ligand->type[i]], *type_j = ligand->types[ligand->type[j]];
  int point_i = bt_glue_point(type_i), point_j = bt_glue_point(type_j);
  *ret_glue =
      (point_i >= 0 && point_i == bt_glue_carbon(type_j)) || (point_j >= 0 && point_j == bt_glue_carbon(type_i));
  if (is_excluded(matrix, i, j)) return false;
  if (point_i >= 0 || point_j >= 0) return *ret_glue;
  return !bt_is_hydration_water(type_i) && !bt_is_hydration_water(type_j);
}

/* Counts the pairs, or writes them when pairs is given: group by group, each in the order of its atoms. */
static size_t list_pairs(const bt_ligand *ligand, const pair_matrix *matrix, bt_pair *opt_pairs) {
  size_t count = 0;
  for (int group = BT_PAIR_LIGAND; group <= BT_PAIR_FLEX; group++) {
    int end_i = group == BT_PAIR_FLEX ? ligand->n_atoms : ligand->n_ligand_atoms;
    int end_j = group == BT_PAIR_LIGAND ? ligand->n_ligand_atoms : ligand->n_atoms;
    for (int i = group == BT_PAIR_FLEX ? ligand->n_ligand_atoms : 0; i < end_i; i++) {
      for (int j = i + 1; j < end_j; j++) {
        bool glue;
        if ((int)group_of(ligand, i, j) != group || !interacts(ligand, matrix, i, j, &glue)) continue;
        if (opt_pairs != NULL)
          opt_pairs[count] = (bt_pair){.i = i, .j = j, .group = (bt_pair_group)group, .glue = glue};
        count++;
      }
    }
  }
  return count;
}

bt_status bt_pairs_build(bt_ligand *ligand, const bt_bonds *bonds, bt_error *opt_error) {
  size_t words = (size_t)ligand->n_atoms / 64 + 1;
  BT_SCOPED uint64_t *bits = bt_allocate((size_t)ligand->n_atoms * words, sizeof *bits);
  if (bits == NULL) return bt_fail_memory(opt_error);
  pair_matrix matrix = {.words = words, .bits = bits};
  exclude_neighbours(ligand, bonds, &matrix);
  exclude_same_body(ligand, &matrix);
  exclude_rotatable_bonds(ligand, &matrix);

  size_t count = list_pairs(ligand, &matrix, NULL);
  if (count > INT_MAX)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = ligand->molecule->path}, "dock a smaller molecule",
                   "the molecule has %zu interacting pairs of atoms", count);
  if (BT_NEW(&ligand->arena, ligand->pairs, count) == NULL) return bt_fail_memory(opt_error);
  ligand->n_pairs = (int)list_pairs(ligand, &matrix, ligand->pairs);
  return BT_OK;
}
