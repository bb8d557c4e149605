/* fuzz_archive.c - tar archives, plain or gzipped, as a library's source. */
#include "fuzz/fuzz.h"
#include "library/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 1 << 20) return 0;
  FILE *file = tmpfile();
  char path[64];
  FUZZ_CHECK(file != NULL && fwrite(data, 1, size, file) == size && fflush(file) == 0);
  snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
  bt_archive *archive = NULL;
  bt_error error = {0};
  bt_status status = bt_archive_open(path, &archive, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  for (int i = 0; status == BT_OK && i < 1000; i++) {
    bt_archive_member member;
    uint64_t total = 0;
    size_t count = 1;
    char buffer[4096];
    status = bt_archive_next(archive, &member, &error);
    if (status == BT_OK && member.name == NULL) break;
    if (status == BT_OK) FUZZ_CHECK(member.opt_link == NULL || !member.unreadable);
    while (status == BT_OK && i % 3 > 0 && count > 0) { /* some are skipped */
      status = bt_archive_read(archive, buffer, sizeof buffer, &count, &error);
      if (status == BT_OK) total += count;
    }
    if (status == BT_OK) FUZZ_CHECK(total <= member.size);
    if (status != BT_OK) fuzz_check_failure(status, &error);
  }
  bt_archive_close(archive);
  fclose(file);
  return 0;
}
