/* survey.c - properties of a library known before any ligand is read. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/cache.h"
#include "base/files/file.h"
#include "base/memory.h"
#include "base/xxhash.h"
#include "library/library_internal.h"

enum { SAMPLE = 4096, MOST_SAMPLED = 1000 /* files whose content is sampled */ };

static bt_status survey_btl(bt_library *library, size_t index, bt_hash *hash, bt_error *opt_error) {
  const char *path = library->sources.items[index].path;
  bt_btl *btl = NULL;
  bt_error reason;
  bt_status status = bt_btl_open(path, &btl, &reason);
  if (status != BT_OK) {
    if (library->sources.count == 1 || status == BT_ERR_MEMORY) {
      if (opt_error != NULL) *opt_error = reason;
      return status;
    }
    library->counts[index] = 1; /* the item that reports it */
    bt_hash_add_text(hash, reason.message);
    return BT_OK;
  }
  uint64_t content = bt_btl_hash(btl);
  library->counts[index] = bt_btl_count(btl);
  bt_hash_add(hash, &content, sizeof content);
  bt_hash_add(hash, &library->counts[index], sizeof *library->counts);
  bt_btl_close(btl);
  return BT_OK;
}

/* Reads up to size bytes. */
static bt_status read_piece(int descriptor, const char *path, char *data, size_t size, size_t *ret_size,
                            bt_error *opt_error) {
  *ret_size = 0;
  for (ssize_t count = 1; count != 0 && *ret_size<size; *ret_size += count> 0 ? (size_t)count : 0)
    if ((count = read(descriptor, data + *ret_size, size - *ret_size)) < 0 && errno != EINTR)
      return bt_file_fail_read(path, errno, opt_error);
  return BT_OK;
}

/* All bytes of a regular file: resuming requires that the whole library is unchanged, not only its ends. The cost is
 * that of reading, and the library is read in any case. */
static bt_status hash_file(const char *path, uint64_t *hash, bt_error *opt_error) {
  enum { PIECE = 1 << 20 };
  struct stat info;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno != ENOENT && !bt_file_is_unreadable(path))
    return bt_file_fail_read(path, errno, opt_error);
  BT_SCOPED char *buffer = NULL;
  bt_status status =
      descriptor >= 0 && fstat(descriptor, &info) != 0 ? bt_file_fail_read(path, errno, opt_error) : BT_OK;
  bool regular = status == BT_OK && descriptor >= 0 && S_ISREG(info.st_mode);
  if (regular && (buffer = malloc(PIECE)) != NULL)
    for (size_t size = PIECE; status == BT_OK && size == PIECE;) {
      status = read_piece(descriptor, path, buffer, PIECE, &size, opt_error);
      *hash = bt_xxh64(buffer, size, *hash);
    }
  if (descriptor >= 0) close(descriptor);
  return regular && buffer == NULL ? bt_fail_memory(opt_error) : status;
}

bt_status bt_library_content(const bt_library *library, uint64_t *ret_hash, bt_error *opt_error) {
  *ret_hash = 0;
  for (size_t i = 0; i < library->sources.count; i++) {
    const bt_source *source = &library->sources.items[i];
    if (bt_format_is(source->opt_format, BT_FORMAT_LIBRARY) || strcmp(source->path, "-") == 0) continue;
    BT_TRY(hash_file(source->path, ret_hash, opt_error));
  }
  return BT_OK;
}

static bt_status hash_ends(int descriptor, const char *path, int64_t size, bt_hash *hash, bt_error *opt_error) {
  char buffer[SAMPLE];
  for (int end = 0; end < 2;) {
    ssize_t count = pread(descriptor, buffer, SAMPLE, end == 1 && size > SAMPLE ? size - SAMPLE : 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return bt_file_fail_read(path, errno, opt_error);
    bt_hash_add(hash, buffer, (size_t)count);
    end++;
  }
  return BT_OK;
}

/* Size, first and last bytes of a file. Fails if it cannot be read now: its hash would differ later. */
static bt_status hash_content(const char *path, bool sampled, bt_hash *hash, bt_error *opt_error) {
  struct stat info;
  bt_status status = BT_OK;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &info) != 0) {
    int code = errno;
    if (code != ENOENT && !bt_file_is_unreadable(path)) {
      if (descriptor >= 0) close(descriptor);
      return bt_file_fail_read(path, code, opt_error);
    }
    bt_hash_add_text(hash, "absent");
  } else {
    int64_t size = (int64_t)info.st_size;
    bt_hash_add(hash, &size, sizeof size);
    if (S_ISREG(info.st_mode) && sampled) status = hash_ends(descriptor, path, size, hash, opt_error);
  }
  if (descriptor >= 0) close(descriptor);
  return status;
}

/* Options of preparation: the same SMILES at another pH are different ligands. */
static void hash_options(const bt_prepare_options *options, bt_hash *hash) {
  char text[256];
  bool stated = isnan(options->ph) && !options->as_drawn;
  snprintf(text, sizeof text, "%.6g%s %d %" PRIu64 " %d %d%d%d%d%d %d%s", options->ph, stated ? " stated" : "",
           options->conformers, options->seed, (int)options->charges, options->flexible_amides,
           options->rigid_macrocycles, options->hydrated, options->old_rules, options->keep_hydrogens,
           options->smallest_macrocycle, options->stereo == BT_STEREO_ENUMERATE ? " isomers" : "");
  bt_hash_add_text(hash, text);
  bt_hash_add_text(hash, options->opt_template != NULL ? options->opt_template : "");
  if (options->opt_name_field != NULL) bt_hash_add_text(hash, options->opt_name_field);
  if (options->opt_smiles_field != NULL) bt_hash_add_text(hash, options->opt_smiles_field);
  if (options->opt_filter != NULL) bt_hash_add_text(hash, options->opt_filter);
  snprintf(text, sizeof text, "protomers %d", options->protomers);
  if (options->protomers > 1) bt_hash_add_text(hash, text);
  const bt_tether *tether = options->opt_tether;
  if (tether == NULL) return;
  bt_hash_add_text(hash, tether->residue);
  for (int k = 0; k < tether->n_atoms; k++) bt_hash_add(hash, tether->atoms[k].x, sizeof tether->atoms[k].x);
  bt_hash_add_text(hash, options->opt_warhead != NULL ? options->opt_warhead : "");
}

const char *bt_library_coordinates(const bt_library *library) {
  return !library->raw ? NULL : library->options.coordinates == BT_COORDINATES_BUILT ? "quick" : "etkdg";
}

bt_status bt_library_survey(bt_library *library, bt_error *opt_error) {
  bt_hash hash = bt_hash_begin();
  library->counts = bt_allocate(library->sources.count, sizeof *library->counts);
  if (library->counts == NULL) return bt_fail_memory(opt_error);
  bool texts = false;
  for (size_t i = 0; i < library->sources.count; i++) {
    const bt_source *source = &library->sources.items[i];
    if (bt_format_is(source->opt_format, BT_FORMAT_LIBRARY)) {
      BT_TRY(survey_btl(library, i, &hash, opt_error));
    } else {
      texts = true;
      library->counts[i] = -1;
      library->raw = library->raw || !bt_format_is(source->opt_format, BT_FORMAT_PREPARED);
      bt_hash_add_text(&hash, bt_path_base(source->path));
      int format = source->opt_format != NULL ? source->opt_format->number : 0;
      bt_hash_add(&hash, &format, sizeof format);
      if (strcmp(source->path, "-") != 0) BT_TRY(hash_content(source->path, i < MOST_SAMPLED, &hash, opt_error));
    }
    if (library->count >= 0) library->count = texts ? -1 : library->count + library->counts[i];
  }
  if (texts) hash_options(&library->options, &hash);
  snprintf(library->fingerprint, sizeof library->fingerprint, "%016" PRIx64 "%016" PRIx64, hash.a, hash.b);
  return BT_OK;
}
