/* zstd.c - Zstandard (RFC 8878), by libzstd. */
#include <string.h>

#ifdef BT_WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "base/files/codec.h"

/* A frame, or one that is skipped: pzstd and the seekable format put their tables into those. */
static bool begins(const char *data, size_t size) {
  return size >= 4 && (memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0 ||
                       ((data[0] & '\xf0') == '\x50' && memcmp(data + 1, "\x2a\x4d\x18", 3) == 0));
}

#ifdef BT_WITH_ZSTD

static void *create(void) { return ZSTD_createDCtx(); }
static void destroy(void *opt_state) { ZSTD_freeDCtx(opt_state); }
static bool restart(void *state) { return !ZSTD_isError(ZSTD_DCtx_reset(state, ZSTD_reset_session_only)); }

/* Windows are at most 128 MiB wide, libzstd's default. */
static bt_codec_step step(void *state, bt_codec_buffers *b) {
  ZSTD_inBuffer in = {b->in, b->in_size, 0};
  ZSTD_outBuffer out = {b->out, b->out_size, 0};
  size_t left = ZSTD_decompressStream(state, &out, &in);
  *b = (bt_codec_buffers){b->in + in.pos, b->out + out.pos, b->in_size - in.pos, b->out_size - out.pos};
  if (!ZSTD_isError(left)) return left == 0 ? BT_CODEC_ENDED : BT_CODEC_MORE;
  if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) return BT_CODEC_NO_MEMORY;
  return ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge ? BT_CODEC_WIDE : BT_CODEC_DAMAGED;
}

const bt_codec bt_codec_zstd = {"Zstandard", "libzstd", "unzstd", begins, create, restart, step, destroy};

#else

const bt_codec bt_codec_zstd = {"Zstandard", "libzstd", "unzstd", begins, NULL, NULL, NULL, NULL};

#endif
