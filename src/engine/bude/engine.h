/* engine.h - energies of many poses of rigid ligands at a receptor, on any back end; populations stay on the device.
 *
 * An engine holds one receptor and a batch of ligands (one ligand is one rigid conformation), each with a population of
 * the same number of poses. Either the host brings poses and takes energies (bt_bude_engine_evaluate), or a search
 * keeps the populations on the device: it launches its own kernels (BT_BUDE_SEARCH_KERNELS in kernel/bude/launch.h)
 * between calls of bt_bude_engine_energies and reads back what it wants. Calls take effect in order; one thread at a
 * time.
 *
 * A search kernel is written once, in kernel/bude/search.h, as
 *   BT_FUNCTION void NAME_body(BT_GLOBAL char *arena, const bt_bude_launch *launch, BT_SCRATCH float *memory)
 * on plain floats and ints, for a group of BT_BUDE_ITEMS work-items of which this is BT_BUDE_ITEM, in group
 * BT_BUDE_GROUP of the launch, with BT_SYNC() as barrier. Loops run `for (i = BT_BUDE_ITEM; i < n; i +=
 * BT_BUDE_ITEMS)`: on CPUs and in OpenMP target regions a group is one work-item, which then does all of it,
 * whatever was asked for. bt_bude_mulhi(a, b) is the high word of a product of two unsigned ints.
 */
#ifndef BERTH_ENGINE_BUDE_ENGINE_H
#define BERTH_ENGINE_BUDE_ENGINE_H

#include "backend/backend.h"
#include "base/status.h"
#include "forcefield/bude.h"
#include "kernel/bude/launch.h"

typedef struct bt_bude_engine bt_bude_engine;

/* Zero in all members: chosen by the engine (tuned on the device, kept in the cache). */
typedef struct bt_bude_engine_options {
  int threads;          /* CPU; 0: all */
  int poses_per_item;   /* 1, 2, 4, 8, 16 or 32 (vectors of poses on a CPU) */
  int group;            /* work-items of a group */
  int part_atoms;       /* ligand atoms that one work-item evaluates */
  size_t memory;        /* maximum bytes on the device; 0: all that it has */
  unsigned int without; /* BT_BUDE_WITHOUT_* (kernel/bude/launch.h): optimizations that are left out */
} bt_bude_engine_options;

/* opt_device as for bt_backend_find ("cuda:1", "cpu/avx2"); NULL: the best one. BT_ERR_DEVICE, BT_ERR_USAGE. */
bt_status bt_bude_engine_create(const char *opt_device, const bt_bude_engine_options *opt_options,
                                bt_bude_engine **ret_engine, bt_error *opt_error) BT_MUST_USE;
/* On a back end that was found before; different ones may be opened by several threads at once. */
bt_status bt_bude_engine_create_on(const bt_backend *backend, const bt_bude_engine_options *opt_options,
                                   bt_bude_engine **ret_engine, bt_error *opt_error) BT_MUST_USE;
void bt_bude_engine_destroy(bt_bude_engine *opt_engine);

/* "cpu/avx512", "cuda:0"; "NVIDIA H100 80GB HBM3". Valid as long as the engine. */
const char *bt_bude_engine_device(const bt_bude_engine *engine);
const char *bt_bude_engine_description(const bt_bude_engine *engine);
/* Not the host's CPU? */
bool bt_bude_engine_is_accelerator(const bt_bude_engine *engine);
/* Of a CPU, from now on; 0: all. */
void bt_bude_engine_use_threads(bt_bude_engine *engine, int threads);
/* The options in use, tuned or given; of the ligands that are set. */
bt_bude_engine_options bt_bude_engine_options_used(const bt_bude_engine *engine);

/* Makes this the receptor; atoms are copied. BT_ERR_INPUT: no atom, a type that is no row of the force field, a
 * coordinate that is not finite, radii that sum to 0; opt_error->atom is 1-based. Ligands have to be set afterwards. */
bt_status bt_bude_engine_set_receptor(bt_bude_engine *engine, const bt_bude_forcefield *forcefield, bt_bude_rules rules,
                                      const bt_bude_atom *atoms, size_t n_atoms, bt_error *opt_error) BT_MUST_USE;

/* Makes these the ligands: ligand i has atoms [first[i], first[i + 1]), first has n_ligands + 1 elements. n_poses of
 * each; extra_bytes are reserved for the search and cleared. BT_ERR_MEMORY: fewer ligands may fit; the engine then has
 * none. */
bt_status bt_bude_engine_set_ligands(bt_bude_engine *engine, const bt_bude_atom *atoms, const size_t *first,
                                     size_t n_ligands, size_t n_poses, size_t extra_bytes,
                                     bt_error *opt_error) BT_MUST_USE;

/* The launch as it stands: offsets and sizes. A search copies it and fills in member search. */
const bt_bude_launch *bt_bude_engine_launch_of(const bt_bude_engine *engine);
/* Maximum work-items of a group, and bytes of its local memory: 1 and at least 64 KiB where a group is one work-item.
 */
int bt_bude_engine_group_limit(const bt_bude_engine *engine);
size_t bt_bude_engine_local_limit(const bt_bude_engine *engine);

/* Scores all populations: arena.poses -> arena.energies. Asynchronous where the driver can. */
bt_status bt_bude_engine_energies(bt_bude_engine *engine, bt_error *opt_error) BT_MUST_USE;
/* Runs a search kernel in n_groups groups of n_items work-items (or of one, see above) with local_bytes of local memory
 * each (rounded up to a multiple of 16). */
bt_status bt_bude_engine_launch(bt_bude_engine *engine, bt_bude_kernel kernel, size_t n_groups, int n_items,
                                size_t local_bytes, const bt_bude_launch *launch, bt_error *opt_error) BT_MUST_USE;
/* Copies bytes at an offset of the arena; read waits for everything before it. */
bt_status bt_bude_engine_write(bt_bude_engine *engine, bt_bude_offset offset, const void *from, size_t bytes,
                               bt_error *opt_error) BT_MUST_USE;
bt_status bt_bude_engine_read(bt_bude_engine *engine, bt_bude_offset offset, void *to, size_t bytes,
                              bt_error *opt_error) BT_MUST_USE;
bt_status bt_bude_engine_synchronize(bt_bude_engine *engine, bt_error *opt_error) BT_MUST_USE;

/* poses: [6][n_poses] of ligand number `ligand` (angles in radians, translations in Angstrom) -> energies[n_poses].
 * Only that ligand's population is overwritten, but all are scored. */
bt_status bt_bude_engine_evaluate(bt_bude_engine *engine, size_t ligand, const float *poses, float *energies,
                                  bt_error *opt_error) BT_MUST_USE;

#endif
