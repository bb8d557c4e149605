/* write.c - writes all ligands of some files to one .btl file: read in order, prepared on all cores, written in order.
 */
#include <berth/berth.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/properties.h"
#include "library/library_internal.h"
#include "library/seen.h"
#include "prep/ligand/filter.h"

enum { CHUNK = 64 }; /* records per thread and round */

bt_library_options bt_library_options_default(void) {
  return (bt_library_options){.prepare = bt_prepare_options_default()};
}

/* A record and its ligands; reasons: why a conformer cannot be docked. */
typedef struct job {
  bt_library_item item;
  bt_molecules list;
  bt_error *reasons; /* [list.count] */
  bt_error failure;  /* a reason to stop, such as memory or a full disk; status BT_OK: none */
} job;

typedef struct round {
  bt_library *from;
  job *jobs;
  int count, next;
} round_state;

static bt_status check(job *j, bt_error *error) {
  j->reasons = bt_allocate(j->list.count, sizeof *j->reasons);
  if (j->reasons == NULL) return bt_fail_memory(error);
  for (size_t i = 0; i < j->list.count; i++) {
    bt_ligand *ligand = NULL;
    bt_status status = bt_ligand_create(j->list.items[i], NULL, &ligand, &j->reasons[i]);
    bt_ligand_destroy(ligand);
    if (status == BT_ERR_MEMORY) return bt_fail_memory(error);
    if (status == BT_OK) j->reasons[i] = (bt_error){0};
  }
  return BT_OK;
}

static void forget_molecules(job *j) {
  bt_molecules_destroy(&j->list);
  free(j->reasons);
  j->list = (bt_molecules){0};
  j->reasons = NULL;
}

typedef struct attempt {
  bt_library *from;
  job *j;
} attempt;

static bt_status prepare(void *context, bt_error *reason, bt_error *error) {
  (void)reason; /* is in the item */
  attempt *a = context;
  bt_status status = bt_library_prepare_all(a->from, &a->j->item, &a->j->list, error);
  if (status == BT_OK) status = check(a->j, error);
  if (status != BT_OK) forget_molecules(a->j);
  return status;
}

static void work(void *context, int thread) {
  (void)thread;
  round_state *r = context;
  for (int i; (i = __atomic_fetch_add(&r->next, 1, __ATOMIC_RELAXED)) < r->count;) {
    job *j = &r->jobs[i];
    attempt a = {r->from, j};
    if (j->item.error.status == BT_ERR_IO) /* an incomplete library is worse than none */
      j->failure = j->item.error;
    else if (bt_library_try(r->from, prepare, &a, &j->item.error, &j->failure) == BT_OK)
      j->failure = (bt_error){0};
  }
}

static void clear(job *j) {
  bt_library_item_clear(&j->item);
  forget_molecules(j);
  *j = (job){0};
}

typedef struct output {
  bt_btl_writer *writer;
  const bt_library_options *options;
  bt_library_result *result;
  bt_seen *opt_seen; /* SMILES of the library, if each is wanted once */
  bool copy;         /* the molecule last looked for was there */
} output;

static int64_t *count_of(output *out, bt_status status) {
  return status == BT_ERR_FILTERED ? &out->result->filtered : &out->result->rejected;
}

static bt_status tell(const output *out, const char *name, const char *source, const bt_molecule *opt_molecule,
                      const bt_error *reason, bt_error *opt_error) {
  if (out->options->opt_each == NULL ||
      out->options->opt_each(out->options->opt_user, name, source, opt_molecule, reason))
    return BT_OK;
  return bt_fail(opt_error, BT_ERR_CANCELLED, (bt_where){0}, "", "stopped on request");
}

/* Leaves out a molecule that the library has already; conformers of one record are one molecule. */
static bt_status find_copy(output *out, const job *j, size_t index, bt_error *reason, bt_error *opt_error) {
  const char *smiles = bt_molecule_smiles(j->list.items[index]);
  if (out->opt_seen == NULL || smiles == NULL || *smiles == '\0') return BT_OK;
  const char *before = index > 0 ? bt_molecule_smiles(j->list.items[index - 1]) : NULL;
  if (before == NULL || strcmp(before, smiles) != 0)
    BT_TRY(bt_seen_add(out->opt_seen, smiles, strlen(smiles), &out->copy, opt_error));
  if (out->copy) bt_fail(reason, BT_ERR_FILTERED, (bt_where){0}, "", "unique: it is in the library already");
  return BT_OK;
}

/* Those of the record, and its name where the molecule is one of several states or isomers of it. */
static bt_status write_properties(const job *j, const bt_molecule *molecule, char **ret_properties, bt_error *opt_error) {
  bt_text text = {0};
  if (j->item.properties != NULL) bt_text_add_string(&text, j->item.properties);
  if (molecule->opt_parent != NULL)
    bt_properties_add(&text, bt_span_from("parent"), bt_span_from(molecule->opt_parent));
  *ret_properties = NULL;
  return text.size > 0 ? bt_text_take(&text, ret_properties, opt_error) : bt_text_status(&text, opt_error);
}

static bt_status store(output *out, const job *j, size_t index, bt_error *opt_error) {
  bt_error reason = j->reasons[index];
  const bt_molecule *molecule = j->list.items[index];
  if (reason.status == BT_OK) BT_TRY(find_copy(out, j, index, &reason, opt_error));
  if (reason.status == BT_OK) {
    BT_SCOPED char *properties = NULL;
    BT_TRY(write_properties(j, molecule, &properties, opt_error));
    bt_status status = bt_btl_writer_add(out->writer, molecule, properties, &reason);
    if (status != BT_OK && status != BT_ERR_INPUT && status != BT_ERR_LIMIT) { /* the disk, memory */
      if (opt_error != NULL) *opt_error = reason;
      return status;
    }
    if (status == BT_OK) reason = (bt_error){0};
  }
  bool stored = reason.status == BT_OK;
  *(stored ? &out->result->ligands : count_of(out, reason.status)) += 1;
  return tell(out, molecule->name, j->item.source, stored ? molecule : NULL, &reason, opt_error);
}

static bt_status finish(output *out, const job *j, bt_error *opt_error) {
  if (j->failure.status != BT_OK) {
    if (opt_error != NULL) *opt_error = j->failure;
    return j->failure.status;
  }
  if (j->list.count == 0) {
    *count_of(out, j->item.error.status) += 1;
    return tell(out, j->item.name, j->item.source, NULL, &j->item.error, opt_error);
  }
  for (size_t i = 0; i < j->list.count; i++) BT_TRY(store(out, j, i, opt_error));
  return BT_OK;
}

static bt_status run(bt_library *library, output *out, int threads, bt_error *opt_error) {
  round_state r = {.from = library, .jobs = bt_allocate((size_t)threads * CHUNK, sizeof *r.jobs)};
  if (r.jobs == NULL) return bt_fail_memory(opt_error);
  bt_status status = BT_OK;
  for (bool found = true; found && status == BT_OK;) {
    for (r.count = r.next = 0; r.count < threads * CHUNK && status == BT_OK; r.count++) {
      status = bt_library_next(library, &r.jobs[r.count].item, &found, opt_error);
      if (status != BT_OK || !found) break;
    }
    if (status == BT_OK) bt_parallel(threads < r.count ? threads : r.count, work, &r);
    for (int i = 0; i < r.count; i++) {
      if (status == BT_OK) status = finish(out, &r.jobs[i], opt_error);
      clear(&r.jobs[i]);
    }
  }
  free(r.jobs);
  return status;
}

bt_status bt_library_write(const char *const *paths, int n_paths, const char *path, const bt_library_options *options,
                           bt_library_result *ret_result, bt_error *opt_error) {
  bt_library *library = NULL;
  output out = {.options = options, .result = ret_result};
  *ret_result = (bt_library_result){0};
  bt_prepare_options prepare = options->prepare;
  if (prepare.coordinates == BT_COORDINATES_AUTO) prepare.coordinates = BT_COORDINATES_BUILT;
  bt_status status = bt_library_open_all(paths, n_paths, &prepare, path, &library, opt_error);
  if (status == BT_OK) status = bt_library_check_formats(library, false, opt_error);
  if (status == BT_OK && bt_filter_is_unique(prepare.opt_filter)) status = bt_seen_create(&out.opt_seen, opt_error);
  if (status == BT_OK) status = bt_btl_writer_open(path, &out.writer, opt_error);
  if (status == BT_OK)
    status = run(library, &out, options->threads > 0 ? options->threads : bt_thread_count_default(), opt_error);
  if (status == BT_OK && ret_result->ligands == 0)
    status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "see the reasons, or use other files",
                     "none of %lld ligands could be prepared, or is left by the filter",
                     (long long)(ret_result->rejected + ret_result->filtered));
  if (status == BT_OK)
    status = bt_btl_writer_commit(out.writer, &ret_result->bytes, opt_error);
  else
    bt_btl_writer_abandon(out.writer);
  bt_seen_destroy(out.opt_seen);
  bt_library_close(library);
  return status;
}
