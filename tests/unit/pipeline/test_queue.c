/* test_queue.c - which ligands wait, which keep poses, and how a library is divided into shards. */
#include <math.h>

#include "store/hit_list.h"
#include "pipeline/screen.h"
#include "unit/support.h"

/* Queues do not dereference the pointer, and never free what was taken. */
static bt_item item(int64_t ordinal, int torsions, int atoms) {
  return (bt_item){.ordinal = ordinal, .torsions = torsions, .atoms = atoms};
}

static void test_batches_are_alike(void **state) {
  (void)state;
  bt_queue queue;
  bt_error error;
  support_ok(bt_queue_open(&queue, 8, &error), &error);
  const int torsions[] = {5, 9, 4, 0, 6, 5, 9, 1};
  for (int i = 0; i < 8; i++) {
    bt_item next = item(i, torsions[i], 20 + i);
    assert_true(bt_queue_put(&queue, &next));
  }
  bt_item more = item(8, 5, 20), taken[8];
  assert_false(bt_queue_put(&queue, &more));
  assert_int_equal(bt_queue_take(&queue, 4, taken), 4);
  const int first[] = {0, 5, 2, 4}; /* 5, 5, 4, 6 torsions */
  for (int k = 0; k < 4; k++) assert_int_equal(taken[k].ordinal, first[k]);
  assert_int_equal(bt_queue_take(&queue, 1, taken), 1);
  assert_int_equal(taken[0].ordinal, 1); /* the one that has waited longest */
  assert_int_equal(bt_queue_take(&queue, 8, taken), 3);
  const int rest[] = {3, 6, 7};
  for (int k = 0; k < 3; k++) assert_int_equal(taken[k].ordinal, rest[k]);
  assert_int_equal(bt_queue_take(&queue, 8, taken), 0);
  bt_queue_close(&queue);
}

static void test_nothing_starves(void **state) {
  (void)state;
  bt_queue queue;
  bt_error error;
  support_ok(bt_queue_open(&queue, 64, &error), &error);
  bt_item odd = item(0, 30, 90), taken[8];
  assert_true(bt_queue_put(&queue, &odd));
  for (int i = 1; i < 64; i++) {
    bt_item next = item(i, 3, 25);
    assert_true(bt_queue_put(&queue, &next));
  }
  assert_int_equal(bt_queue_take(&queue, 8, taken), 8);
  assert_int_equal(taken[0].ordinal, 0);
  queue.count = 0;
  bt_queue_close(&queue);
}

/* The best n, whatever the order in which they come. */
static void test_hit_list(void **state) {
  (void)state;
  enum { COUNT = 200, MOST = 17 };
  for (int stride = 1; stride < 8; stride += 2) {
    bt_hit_list hits = {.most = MOST};
    bt_error error;
    bool kept[COUNT] = {false};
    for (int k = 0; k < COUNT; k++) {
      int64_t i = (int64_t)k * stride % COUNT, out;
      double energy = -(double)(i * 7 % 20); /* many are equal */
      if (!bt_hit_list_takes(&hits, energy, i)) continue;
      support_ok(bt_hit_list_add(&hits, energy, i, &out, &error), &error);
      kept[i] = true;
      if (out >= 0) kept[out] = false;
    }
    for (int i = 0; i < COUNT; i++) {
      int better = 0;
      for (int j = 0; j < COUNT; j++) {
        int a = i * 7 % 20, b = j * 7 % 20;
        better += b > a || (b == a && j < i);
      }
      if (stride != 5) assert_int_equal(kept[i], better < MOST); /* 5 divides 200: not all of them came */
    }
    assert_true(isfinite(bt_hit_list_limit(&hits)));
    bt_hit_list_free(&hits);
  }
  bt_hit_list none = {.most = 0}, all = {.most = -1};
  assert_false(bt_hit_list_takes(&none, -100, 0));
  assert_true(bt_hit_list_takes(&all, 100, 0));
  assert_true(isinf(bt_hit_list_limit(&all)));
}

/* Shares of any number of shards add up to the library, and differ little. */
static void test_shares(void **state) {
  (void)state;
  const int64_t sizes[] = {0, 1, 31, 32, 33, 100, 5798, 1000000007};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    for (int shards = 1; shards < 1200; shards = shards * 3 + 1)
      for (int known = 0; known < 2; known++) {
        int64_t sum = 0, least = INT64_MAX, most = 0;
        for (int shard = 1; shard <= shards; shard++) {
          int64_t share = bt_feed_share(sizes[k], known, shard, shards);
          sum += share;
          least = share < least ? share : least;
          most = share > most ? share : most;
        }
        assert_int_equal(sum, sizes[k]);
        assert_true(most - least <= (known ? 1 : BT_SCREEN_CHUNK));
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_batches_are_alike),
      cmocka_unit_test(test_nothing_starves),
      cmocka_unit_test(test_hit_list),
      cmocka_unit_test(test_shares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
