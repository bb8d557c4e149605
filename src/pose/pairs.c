/* pairs.c - which pairs of moving atoms interact: AutoDock 4's rules, and Vina's.
 *
 * Contents: 1. the matrix of excluded pairs; 2. AutoDock 4's rules; 3. Vina's rules; 4. the list.
 *
 * AutoDock 4 excludes (1) atoms one, two or three bonds apart, (2) atoms of one rigid body, (3) both atoms of a
 * rotatable bond with the whole body at the other end, (4) the far ends of two rotatable bonds that start in one body.
 * All distances of rules 2 to 4 are constant. The roots of all flexible residues count as one body. Vina: pose/vina.h.
 */
#include "pose/bonds.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "chem/glue.h"
#include "pose/vina.h"

/* ---- 1. the matrix of excluded pairs: one bit per ordered pair; that of (low, high) counts ---- */

typedef struct pair_matrix {
  size_t words; /* per row */
  uint64_t *bits;
} pair_matrix;

static void set(pair_matrix *matrix, int row, int i) {
  matrix->bits[(size_t)row * matrix->words + (size_t)i / 64] |= UINT64_C(1) << (i % 64);
}

static void exclude(pair_matrix *matrix, int i, int j) { set(matrix, i < j ? i : j, i < j ? j : i); }

static bool is_excluded(const pair_matrix *matrix, int low, int high) {
  return (matrix->bits[(size_t)low * matrix->words + (size_t)high / 64] >> (high % 64)) & 1;
}

/* ---- 2. AutoDock 4's rules ---- */

static void join(uint64_t *to, const uint64_t *from, size_t words) {
  for (size_t w = 0; w < words; w++) to[w] |= from[w];
}

/* Row i: the atoms up to three bonds away. near: rows of the atoms up to one bond away; second: room for a row. As sets
 * the work is bounded even where atoms are crowded and each is bonded to all others; lists of walks would not be. */
static void exclude_around(const bt_bonds *bonds, const pair_matrix *near, int i, uint64_t *second,
                           pair_matrix *matrix) {
  const size_t words = matrix->words;
  uint64_t *row = matrix->bits + (size_t)i * words;
  memcpy(second, near->bits + (size_t)i * words, words * sizeof *second);
  for (int b = bonds->first[i]; b < bonds->first[i + 1]; b++)
    join(second, near->bits + (size_t)bonds->neighbor[b] * words, words);
  for (size_t w = 0; w < words; w++)
    for (uint64_t left = second[w]; left != 0; left &= left - 1)
      join(row, near->bits + (w * 64 + (size_t)__builtin_ctzll(left)) * words, words);
}

static bt_status exclude_neighbors(const bt_ligand *ligand, const bt_bonds *bonds, pair_matrix *matrix,
                                    bt_error *opt_error) {
  const size_t n = (size_t)ligand->n_atoms, words = matrix->words;
  BT_SCOPED uint64_t *bits = bt_allocate(n * words, sizeof *bits), *second = bt_allocate(words, sizeof *second);
  if (bits == NULL || second == NULL) return bt_fail_memory(opt_error);
  pair_matrix near = {.words = words, .bits = bits};
  for (int i = 0; i < ligand->n_atoms; i++) {
    set(&near, i, i);
    for (int b = bonds->first[i]; b < bonds->first[i + 1]; b++) set(&near, i, bonds->neighbor[b]);
  }
  for (int i = 0; i < ligand->n_atoms; i++) exclude_around(bonds, &near, i, second, matrix);
  return BT_OK;
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

/* ---- 3. Vina's rules ---- */

static int closure_of(const bt_ligand *ligand, int i) {
  int number = bt_glue_carbon(bt_ligand_atom(ligand, i, NULL)->type);
  return number >= 0 ? 1 << number : 0;
}

/* One bit per ring closure whose carbons the atom or its neighbors are. */
static void find_closures(const bt_ligand *ligand, const bt_bonds *bonds, int *closures) {
  for (int i = 0; i < ligand->n_atoms; i++) {
    closures[i] = closure_of(ligand, i);
    for (int a = bonds->first[i]; a < bonds->first[i + 1]; a++) closures[i] |= closure_of(ligand, bonds->neighbor[a]);
  }
}

static bool is_glue(const bt_ligand *ligand, int i, int j) {
  if (bt_ligand_part(ligand, i) != bt_ligand_part(ligand, j)) return false; /* rings are numbered in each ligand */
  const char *type_i = bt_ligand_atom(ligand, i, NULL)->type, *type_j = bt_ligand_atom(ligand, j, NULL)->type;
  int point_i = bt_glue_point(type_i), point_j = bt_glue_point(type_j);
  return (point_i >= 0 && point_i == bt_glue_carbon(type_j)) || (point_j >= 0 && point_j == bt_glue_carbon(type_i));
}

static bool is_apart(const bt_ligand *ligand, const int *closures, int i, int j) {
  if (bt_vina_motion_of(ligand, i, j) != BT_VINA_VARIABLE) return true;
  if (i < ligand->n_ligand_atoms && j >= ligand->n_ligand_atoms && bt_vina_is_immobile(ligand, j))
    return true; /* of a residue: unseen by ligands */
  if (is_glue(ligand, i, j)) return false;
  return !bt_vina_has_class(ligand->vina[ligand->type[i]]) || !bt_vina_has_class(ligand->vina[ligand->type[j]]) ||
         ((closures[i] & closures[j]) != 0 && bt_ligand_part(ligand, i) == bt_ligand_part(ligand, j));
}

static bt_status exclude_as_vina(const bt_ligand *ligand, const bt_bonds *bonds, pair_matrix *matrix,
                                 bt_error *opt_error) {
  BT_SCOPED int *closures = bt_allocate((size_t)ligand->n_atoms, sizeof *closures);
  if (closures == NULL) return bt_fail_memory(opt_error);
  find_closures(ligand, bonds, closures);
  for (int i = 0; i < ligand->n_atoms; i++)
    for (int j = i + 1; j < ligand->n_atoms; j++)
      if (is_apart(ligand, closures, i, j)) exclude(matrix, i, j);
  return BT_OK;
}

/* ---- 4. the list ---- */

static bt_pair_group group_of(const bt_ligand *ligand, int i, int j) {
  if (bt_ligand_part(ligand, i) == bt_ligand_part(ligand, j) && j < ligand->n_ligand_atoms) return BT_PAIR_LIGAND;
  return i < ligand->n_ligand_atoms ? BT_PAIR_LIGAND_FLEX : BT_PAIR_FLEX;
}

/* Whether the pair interacts, and whether it is a glue point with the carbon that it represents. */
static bool interacts(const bt_ligand *ligand, const pair_matrix *matrix, int i, int j, bool *ret_glue) {
  *ret_glue = is_glue(ligand, i, j);
  if (is_excluded(matrix, i, j)) return false;
  if (ligand->vina != NULL) return true;
  const char *type_i = ligand->types[ligand->type[i]], *type_j = ligand->types[ligand->type[j]];
  if (bt_glue_point(type_i) >= 0 || bt_glue_point(type_j) >= 0) return *ret_glue;
  return !bt_is_hydration_water(type_i) && !bt_is_hydration_water(type_j);
}

/* Counts the pairs, or writes them when pairs is given: group by group, each in the order of its atoms. */
static size_t list_pairs(const bt_ligand *ligand, const pair_matrix *matrix, bt_pair *opt_pairs) {
  size_t count = 0;
  for (int group = BT_PAIR_LIGAND; group <= BT_PAIR_FLEX; group++) {
    int end_i = group == BT_PAIR_FLEX ? ligand->n_atoms : ligand->n_ligand_atoms; /* i < j: i is in a ligand */
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
  BT_TRY(exclude_neighbors(ligand, bonds, &matrix, opt_error));
  if (ligand->vina != NULL) {
    BT_TRY(exclude_as_vina(ligand, bonds, &matrix, opt_error));
  } else {
    exclude_same_body(ligand, &matrix);
    exclude_rotatable_bonds(ligand, &matrix);
  }
  size_t count = list_pairs(ligand, &matrix, NULL);
  if (count > INT_MAX)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = ligand->molecule->path}, "dock a smaller molecule",
                   "the molecule has %zu interacting pairs of atoms", count);
  if (BT_NEW(&ligand->arena, ligand->pairs, count) == NULL) return bt_fail_memory(opt_error);
  ligand->n_pairs = (int)list_pairs(ligand, &matrix, ligand->pairs);
  return BT_OK;
}
