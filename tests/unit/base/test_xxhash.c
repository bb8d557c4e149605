/* test_xxhash.c - XXH64 gives the values that its specification and other implementations give. */
#include "base/xxhash.h"

#include "unit/support.h"

static void test_known_values(void **state) {
  (void)state;
  assert_true(bt_xxh64("", 0, 0) == 0xef46db3751d8e999u);
  assert_true(bt_xxh64("a", 1, 0) == 0xd24ec4f1a98c6e5bu);
  assert_true(bt_xxh64("abc", 3, 0) == 0x44bc2cf5ad770999u);
}

static void test_lengths(void **state) {
  (void)state;
  static const struct {
    size_t size;
    uint64_t seed, hash;
  } known[] = {
      {4, 0u, 0x9bb64b7d66ee9fdau},
      {7, 0u, 0x9a7b149959ce60d8u},
      {8, 12345678901u, 0x71f9359ea9de536eu},
      {15, 0u, 0x1b47cb8243cc8e32u},
      {31, 0u, 0xa2aa5f33cc4a6119u},
      {32, 12345678901u, 0x1e94db251eb61813u},
      {33, 0u, 0x50a7cfc7ba588784u},
      {63, 0u, 0x5e3e54b431c7493cu},
      {64, 12345678901u, 0xe091161a41cbc136u},
      {100, 0u, 0xa61f8d4c170fe531u},
      {255, 0u, 0x39ae55a29989206fu},
      {256, 12345678901u, 0xc88f5b6db212e60au},
  };
  unsigned char data[256];
  for (int i = 0; i < 256; i++) data[i] = (unsigned char)(i * 7 + 3);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    assert_true(bt_xxh64(data, known[i].size, known[i].seed) == known[i].hash);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_values), cmocka_unit_test(test_lengths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
