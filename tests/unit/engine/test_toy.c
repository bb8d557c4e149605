/* test_toy.c - a toy engine: what a new engine needs is a table of functions, and everything else is there already.
 *
 * A harmonic well: every conformer's energy is the square of its number's distance from the well's middle.
 */
#include "pipeline/pipeline.h"

#include "unit/support.h"

enum { ITEMS = 7 };

typedef struct well {
  bt_engine engine;
  double middle;
  uint64_t seed;
  int fails_at; /* batch whose device fails; 0: none */
  int batches;
} well;

static bt_status plan(bt_engine *engine, struct bt_pipeline *p, const bt_workload *load, bt_error *opt_error) {
  (void)engine;
  static const char *const names[] = {"spring:0", "spring:1"};
  for (int d = 0; d < 2; d++) {
    bt_unit *unit;
    BT_TRY(bt_pipeline_add_unit(p, names[d], NULL, 0, &unit, opt_error));
    BT_TRY(bt_pipeline_add_worker(p, unit, load->batch > 0 ? load->batch : 2, 1, opt_error));
  }
  return BT_OK;
}

static bt_status dock(bt_engine *engine, bt_worker *worker, int count, bt_error *error) {
  well *w = (well *)engine;
  pthread_mutex_lock(&worker->pipeline->lock);
  bool fails = ++w->batches == w->fails_at;
  pthread_mutex_unlock(&worker->pipeline->lock);
  if (fails) return bt_fail(error, BT_ERR_DEVICE, (bt_where){0}, "wind it up", "the spring broke");
  for (int i = 0; i < count; i++) {
    bt_item *item = &worker->items[i];
    double off = (double)item->ordinal - w->middle;
    item->poses = calloc(1, sizeof *item->poses);
    item->poses[0].energy = off * off;
    item->n_poses = 1;
    bt_error none = {0};
    if (item->ordinal == ITEMS - 1) bt_fail(&none, BT_ERR_BOX, (bt_where){0}, "come nearer", "too far out");
    bt_worker_settle(worker, i, none.status, &none);
  }
  return BT_OK;
}

static void no_close(bt_engine *engine) { (void)engine; }

static const bt_engine_type toy = {.name = "well", .close = no_close, .plan = plan, .dock = dock};

static void energies_come_back(int fails_at) {
  well w = {.engine = {.type = &toy}, .middle = 2.5, .fails_at = fails_at};
  bt_docking dockings[ITEMS] = {0};
  bt_error error;
  for (int i = 0; i < ITEMS; i++) dockings[i].opt_compound = (const bt_bude_compound *)&w; /* it is not looked at */
  dockings[3].opt_compound = NULL;
  support_ok(bt_engine_dock(&w.engine, dockings, ITEMS, &error), &error);
  for (int i = 0; i < ITEMS - 1; i++) {
    if (i == 3) continue;
    support_ok(dockings[i].error.status, &dockings[i].error);
    assert_int_equal(dockings[i].n_poses, 1);
    assert_true(dockings[i].poses[0].energy == (i - 2.5) * (i - 2.5));
    free(dockings[i].poses);
  }
  assert_null(dockings[3].poses);
  assert_null(dockings[ITEMS - 1].poses);
  support_failed(dockings[ITEMS - 1].error.status, BT_ERR_BOX, &dockings[ITEMS - 1].error, "too far");
}

static void a_table_is_an_engine(void **state) {
  (void)state;
  energies_come_back(0);
}

static void its_devices_fail_over(void **state) {
  (void)state;
  for (int at = 1; at <= 3; at++) energies_come_back(at);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_table_is_an_engine), cmocka_unit_test(its_devices_fail_over)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
