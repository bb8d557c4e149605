/* vina_maps.c - maps of Vina's and Vinardo's classes.
 *
 * Contents: 1. tables of pair energies; 2. leaves; 3. threads.
 * Classes and distance are all that a pair depends on, so a row of a table serves all maps at once
 * (grid/kernel/rows.h). The grid is cut into blocks of 16^3 points, which select the atoms near them, and leaves of
 * 4^3.
 */
#include "grid/vina/vina_maps.h"

#include <berth/grid.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "grid/kernel/job.h"
#include "grid/maps/maps.h"
#include "grid/vina/vina_cells.h"
#include "grid/vina/vina_receptor.h"

enum { STEPS_PER_ANGSTROM = 256, BLOCK = 16 };

typedef struct vina_job {
  const bt_vina_receptor *receptor;
  const bt_grid_kernels *kernels;
  bt_maps *maps;
  int last, groups;               /* of a table: its last row, and rows of BT_GRID_ROW_WIDTH side by side */
  float *tables[BT_VINA_CLASSES]; /* of those that occur in the receptor */
  int points[3], blocks[3];
  atomic_int next;
  atomic_bool failed;
  bt_arena arena;
} vina_job;

const char *bt_vina_map_type(bt_scoring scoring, int index) {
  const bt_vina_law *law = bt_vina_law_of(scoring);
  for (int c = 0; law != NULL && c < BT_VINA_CLASSES; c++) {
    const bt_vina_class *class = &bt_vina_classes()[c];
    if (class->binds_metals && law->coordination.ramp.weight == 0.0) continue;
    if (strcmp(class->name, class->map) == 0 && index-- == 0) return class->name;
  }
  return NULL;
}

/* ---- 1. tables of pair energies ---- */

static void fill_table(const vina_job *job, const bt_vina_class *const *probes, const bt_vina_class *class,
                       float *table) {
  size_t width = (size_t)job->groups * BT_GRID_ROW_WIDTH;
  for (int m = 0; m < job->maps->n_types; m++) {
    bt_vina_pair pair = bt_vina_pair_of(job->receptor->law, probes[m], class);
    for (int k = 0; k <= job->last; k++) { /* the last one just below the cut-off, where the energy jumps to zero */
      double r = fmin((double)k / STEPS_PER_ANGSTROM, BT_VINA_CUTOFF - 1e-9);
      table[(size_t)k * width + (size_t)m] = (float)bt_vina_pair_energy(job->receptor->law, &pair, r, NULL);
    }
  }
}

static bt_status make_tables(vina_job *job, bt_error *opt_error) {
  const bt_maps *maps = job->maps;
  const bt_vina_class **probes;
  if (BT_NEW(&job->arena, probes, maps->n_types + 1) == NULL) return bt_fail_memory(opt_error);
  for (int m = 0; m < maps->n_types; m++) {
    probes[m] = bt_vina_class_find(maps->types[m]);
    if (probes[m] == NULL || !bt_vina_has_class(probes[m]))
      return bt_fail(opt_error, BT_ERR_PARAMETER, (bt_where){0}, "use classes such as C_H, N_DA or O_A",
                     "'%s' is not an atom class of Vina's scoring function", maps->types[m]);
  }
  job->groups = (maps->n_types + BT_GRID_ROW_WIDTH - 1) / BT_GRID_ROW_WIDTH;
  job->last = (int)BT_VINA_CUTOFF * STEPS_PER_ANGSTROM;
  size_t size = ((size_t)job->last + 1) * (size_t)job->groups * BT_GRID_ROW_WIDTH;
  for (int c = 0; c < BT_VINA_CLASSES; c++) {
    if (!job->receptor->occurs[c]) continue;
    if (BT_NEW(&job->arena, job->tables[c], size) == NULL) return bt_fail_memory(opt_error);
    fill_table(job, probes, &bt_vina_classes()[c], job->tables[c]);
  }
  return BT_OK;
}

/* ---- 2. leaves ---- */

typedef struct scratch {
  bt_grid_rows_atom *block, *leaf; /* [receptor atoms] near the block, in its frame; near the leaf, in the leaf's */
  float *sums;
} scratch;

/* Atoms within the cut-off of the cube of that edge (A) at the origin of their frame move into another frame. */
static int select_near(const bt_grid_rows_atom *from, int count, const float origin[3], float edge,
                       bt_grid_rows_atom *to) {
  int n = 0;
  for (int a = 0; a < count; a++) {
    float square = 0.0f;
    bt_grid_rows_atom atom = from[a];
    for (int c = 0; c < 3; c++) {
      atom.x[c] -= origin[c];
      float outside = fmaxf(fmaxf(-atom.x[c], atom.x[c] - edge), 0.0f);
      square += outside * outside;
    }
    if (square < (float)(BT_VINA_CUTOFF * BT_VINA_CUTOFF)) to[n++] = atom;
  }
  return n;
}

static void write_leaf(const vina_job *job, const int first[3], const float *sums) {
  size_t width = (size_t)job->groups * BT_GRID_ROW_WIDTH;
  for (int p = 0; p < BT_GRID_LEAF_POINTS; p++) {
    int x = first[0] + p % 4, y = first[1] + p / 4 % 4, z = first[2] + p / 16;
    if (x >= job->points[0] || y >= job->points[1] || z >= job->points[2]) continue;
    size_t at = (size_t)x + (size_t)job->points[0] * ((size_t)y + (size_t)job->points[1] * (size_t)z);
    for (int m = 0; m < job->maps->n_types; m++) job->maps->values[m][at] = sums[(size_t)p * width + (size_t)m];
  }
}

static void do_leaf(const vina_job *job, scratch *s, int n_block, const int block[3], const int at[3]) {
  float spacing = (float)job->maps->box.spacing, origin[3];
  int first[3];
  bt_grid_rows_leaf leaf = {.steps_per_angstrom = STEPS_PER_ANGSTROM,
                            .last = job->last,
                            .groups = job->groups,
                            .atoms = s->leaf,
                            .sums = s->sums};
  for (int c = 0; c < 3; c++) {
    first[c] = block[c] * BLOCK + at[c] * BT_GRID_LEAF;
    if (first[c] >= job->points[c]) return;
    origin[c] = (float)(at[c] * BT_GRID_LEAF) * spacing;
  }
  for (int p = 0; p < BT_GRID_LEAF_POINTS; p++) {
    leaf.x[0][p] = (float)(p % 4) * spacing;
    leaf.x[1][p] = (float)(p / 4 % 4) * spacing;
    leaf.x[2][p] = (float)(p / 16) * spacing;
  }
  leaf.n_atoms = select_near(s->block, n_block, origin, (float)(BT_GRID_LEAF - 1) * spacing, s->leaf);
  memset(s->sums, 0, (size_t)BT_GRID_LEAF_POINTS * (size_t)job->groups * BT_GRID_ROW_WIDTH * sizeof *s->sums);
  job->kernels->rows(&leaf);
  write_leaf(job, first, s->sums);
}

/* Coordinates relative to the block's first point, in single precision from there on. */
static int select_block(const vina_job *job, const int block[3], bt_grid_rows_atom *to) {
  static const float here[3] = {0.0f, 0.0f, 0.0f};
  double spacing = job->maps->box.spacing;
  float edge = (float)((BLOCK - 1) * spacing);
  int n = 0;
  for (int a = 0; a < job->receptor->n_atoms; a++) {
    const bt_vina_atom *atom = &job->receptor->atoms[a];
    bt_grid_rows_atom moved;
    moved.rows = job->tables[atom->class_index];
    for (int c = 0; c < 3; c++) moved.x[c] = (float)(atom->x[c] - job->maps->low[c] - block[c] * BLOCK * spacing);
    n += select_near(&moved, 1, here, edge, to + n);
  }
  return n;
}

static void do_block(const vina_job *job, scratch *s, int index) {
  int block[3] = {index % job->blocks[0], index / job->blocks[0] % job->blocks[1],
                  index / job->blocks[0] / job->blocks[1]};
  int n = select_block(job, block, s->block), leaves = BLOCK / BT_GRID_LEAF;
  for (int l = 0; l < leaves * leaves * leaves; l++)
    do_leaf(job, s, n, block, (int[]){l % leaves, l / leaves % leaves, l / leaves / leaves});
}

/* ---- 3. threads ---- */

/* Threads claim blocks one by one; the results of a block do not depend on the thread. */
static void work(void *context, int thread) {
  (void)thread;
  vina_job *job = context;
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  scratch s;
  BT_NEW(&arena, s.block, job->receptor->n_atoms + 1);
  BT_NEW(&arena, s.leaf, job->receptor->n_atoms + 1);
  BT_NEW(&arena, s.sums, (size_t)BT_GRID_LEAF_POINTS * (size_t)job->groups * BT_GRID_ROW_WIDTH);
  if (arena.failed) {
    atomic_store(&job->failed, true);
    return;
  }
  int count = job->blocks[0] * job->blocks[1] * job->blocks[2];
  for (int i = atomic_fetch_add(&job->next, 1); i < count; i = atomic_fetch_add(&job->next, 1)) do_block(job, &s, i);
}

static bt_status compute(vina_job *job, const bt_grid_options *options, bt_error *opt_error) {
  if (job->kernels == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "choose avx512, avx2 or base",
                   "this machine cannot run the instruction set '%s'", options->opt_isa);
  BT_TRY(make_tables(job, opt_error));
  for (int c = 0; c < 3; c++) {
    job->points[c] = job->maps->box.npts[c] + 1;
    job->blocks[c] = (job->points[c] + BLOCK - 1) / BLOCK;
  }
  bt_parallel(options->threads > 0 ? options->threads : bt_thread_count_default(), work, job);
  return atomic_load(&job->failed) ? bt_fail_memory(opt_error) : BT_OK;
}

/* The zinc of AD4Zn has no charge but pseudo atoms around it, which have no meaning in these terms. */
static bt_status check_receptor(const bt_molecule *receptor, bt_error *opt_error) {
  for (int i = 0; i < receptor->n_atoms; i++)
    if (strcmp(receptor->atoms[i].type, "TZ") == 0)
      return bt_fail(opt_error, BT_ERR_PARAMETER, bt_atom_where(receptor, &receptor->atoms[i]),
                     "provide the receptor without AD4Zn's atoms TZ, or dock with AutoDock 4 (--scoring ad4)",
                     "pseudo atoms TZ have no meaning in Vina's scoring functions");
  return BT_OK;
}

static bt_status fill(bt_maps *maps, const bt_molecule *receptor, const bt_grid_options *options, bt_error *opt_error) {
  maps->scoring = options->scoring;
  BT_TRY(check_receptor(receptor, opt_error));
  BT_TRY(bt_maps_name(maps, receptor, opt_error));
  BT_TRY(bt_vina_receptor_create(receptor, options->scoring, options->stand_ins, &maps->receptor, opt_error));
  maps->opt_warning = maps->receptor->opt_warning;
  maps->receptor->opt_warning = NULL;
  BT_TRY(bt_vina_cells_create(maps->receptor, &maps->box, &maps->receptor->opt_cells, opt_error));
  if (maps->n_types == 0) return BT_OK;
  vina_job job = {.receptor = maps->receptor, .maps = maps, .kernels = bt_grid_kernels_find(options->opt_isa)};
  bt_status status = compute(&job, options, opt_error);
  bt_arena_destroy(&job.arena);
  return status;
}

bt_status bt_vina_maps_compute(const bt_molecule *receptor, const char *const *types, int n_types,
                               const bt_grid_options *options, bt_maps **ret_maps, bt_error *opt_error) {
  bt_maps *maps;
  BT_TRY(bt_maps_create(&options->box, types, n_types, &maps, opt_error));
  bt_status status = fill(maps, receptor, options, opt_error);
  return BT_HAND_OVER(status, maps, ret_maps, bt_maps_destroy);
}
