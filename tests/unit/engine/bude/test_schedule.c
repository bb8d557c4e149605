/* test_schedule.c - simulated devices share conformers: when the last one ends, and who has done how many. */
#include "unit/support.h"

#include <math.h>

#include "engine/bude/schedule.h"

enum { DEVICES = 4, COMPOUNDS = 10, BATCH = 16 };

/* A device as it really is. */
typedef struct device {
  double rate;        /* conformers per second */
  double later, from; /* its rate from this time on; 0: as before */
  double setup;       /* seconds before its first piece, such as for tuning */
  bool cpu;
} device;

typedef struct simulation {
  const device *devices;
  int n, per_compound, n_compounds;
  int ahead;     /* compounds in line at a time */
  double factor; /* cost of the second half of the compounds, in that of the first */
  bt_bude_pace paces[DEVICES];
  double free_at[DEVICES]; /* INFINITY: waits for something to change */
  double took[DEVICES];    /* of the piece in hand */
  int piece[DEVICES], of[DEVICES], conformers[DEVICES];
  bool trial[DEVICES], ready[DEVICES];
  int taken[COMPOUNDS], done[COMPOUNDS];
} simulation;

static double cost_of(const simulation *s, int compound) { return compound < s->n_compounds / 2 ? 1 : s->factor; }

/* Seconds for a cost that is begun at a time. */
static double seconds_for(const device *d, double cost, double now) {
  if (d->later == 0 || now + cost / d->rate <= d->from) return cost / d->rate;
  if (now >= d->from) return cost / d->later;
  return d->from - now + (cost - (d->from - now) * d->rate) / d->later;
}

static int first_open(const simulation *s) {
  int compound = 0;
  while (compound < s->n_compounds && s->done[compound] == s->per_compound) compound++;
  return compound;
}

static int left_of(const simulation *s, bt_bude_left *left) {
  int found = -1, open = first_open(s);
  *left = (bt_bude_left){0};
  for (int c = open; c < s->n_compounds && c < open + s->ahead; c++) {
    int count = s->per_compound - s->taken[c];
    if (count == 0) continue;
    if (found < 0)
      found = c, *left = (bt_bude_left){.count = count, .each = cost_of(s, c)};
    else
      left->more += count * cost_of(s, c);
  }
  return found;
}

static void offer(simulation *s, int k, double now) {
  bt_bude_left left;
  int compound = left_of(s, &left);
  const device *d = &s->devices[k];
  int count = compound < 0 ? 0 : bt_bude_schedule(s->paces, s->n, k, &left, BATCH, now);
  s->free_at[k] = INFINITY;
  if (count == 0) return;
  assert_true(count == BT_BUDE_TRIAL || count <= left.count);
  double setup = s->ready[k] ? 0 : d->setup, cost = count > 0 ? count * left.each : left.each / 64;
  s->ready[k] = true;
  s->trial[k] = count < 0;
  s->piece[k] = count > 0 ? count : 0;
  s->of[k] = compound;
  s->taken[compound] += s->piece[k];
  s->took[k] = seconds_for(d, cost, now + setup);
  s->free_at[k] = now + setup + s->took[k];
  if (count > 0) bt_bude_pace_begin(&s->paces[k], cost, now);
}

static void settle(simulation *s, int k) {
  if (s->trial[k])
    bt_bude_pace_trial(&s->paces[k], cost_of(s, s->of[k]) / 64, s->took[k]);
  else
    bt_bude_pace_end(&s->paces[k], s->took[k]);
  s->conformers[k] += s->piece[k];
  s->done[s->of[k]] += s->piece[k];
}

/* When the last conformer is done. */
static double run(simulation *s) {
  double now = 0;
  for (int k = 0; k < s->n; k++) s->paces[k] = (bt_bude_pace){.cpu = s->devices[k].cpu}, s->free_at[k] = INFINITY;
  while (first_open(s) < s->n_compounds) {
    for (int k = 0; k < s->n; k++)
      if (isinf(s->free_at[k])) offer(s, k, now);
    int next = 0;
    for (int k = 1; k < s->n; k++)
      if (s->free_at[k] < s->free_at[next]) next = k;
    assert_true(isfinite(s->free_at[next])); /* or conformers would be left */
    now = s->free_at[next];
    s->free_at[next] = INFINITY;
    settle(s, next);
  }
  int all = 0;
  for (int k = 0; k < s->n; k++) all += s->conformers[k];
  assert_int_equal(all, s->per_compound * s->n_compounds);
  return now;
}

static simulation simulate(const device *devices, int n, int per_compound, int n_compounds, int ahead) {
  return (simulation){.devices = devices,
                      .n = n,
                      .per_compound = per_compound,
                      .n_compounds = n_compounds,
                      .ahead = ahead,
                      .factor = 1};
}

/* Ten compounds of 128 conformers: nobody waits at the end of one. */
static void test_equal_devices(void **state) {
  (void)state;
  const device devices[DEVICES] = {{.rate = 200}, {.rate = 200}, {.rate = 200}, {.rate = 200}};
  for (int n = 2; n <= DEVICES; n++)
    for (int ahead = 1; ahead <= 2; ahead++) {
      simulation s = simulate(devices, n, 128, COMPOUNDS, ahead);
      double ideal = 1280 / (200.0 * n), seconds = run(&s);
      assert_true(ideal / seconds > (ahead == 1 ? 0.9 : 0.95));
    }
}

/* The end is that of the fast device alone, or earlier, also where the slow one has to be tuned first. */
static void slow_beside_fast(double slow, double setup, int per_compound, int ahead) {
  const device alone = {.rate = 200}, devices[] = {alone, {.rate = slow, .setup = setup, .cpu = true}};
  simulation one = simulate(&alone, 1, per_compound, COMPOUNDS, ahead);
  simulation two = simulate(devices, 2, per_compound, COMPOUNDS, ahead);
  double before = run(&one), after = run(&two);
  assert_true(after <= before * (1 + 1e-9));
}

static void test_slow_device_never_delays(void **state) {
  (void)state;
  static const double parts[] = {1.0 / 1000, 1.0 / 200, 1.0 / 60, 1.0 / 10, 1.0 / 3, 0.45};
  for (int p = 0; p < 6; p++)
    for (int per_compound = 1; per_compound <= 256; per_compound *= 2)
      for (int ahead = 1; ahead <= 2; ahead++) {
        slow_beside_fast(200 * parts[p], 0, per_compound, ahead);
        slow_beside_fast(200 * parts[p], 0.3, per_compound, ahead);
      }
}

/* A third of the rate is a quarter of the work; a sixtieth still does something. */
static void test_slow_device_helps(void **state) {
  (void)state;
  const device third[] = {{.rate = 200}, {.rate = 200.0 / 3, .cpu = true}};
  const device sixtieth[] = {{.rate = 200}, {.rate = 200.0 / 60, .cpu = true}};
  simulation s = simulate(third, 2, 128, COMPOUNDS, 2);
  assert_true(run(&s) < 1280 / 200.0 * 0.78);
  assert_in_range(s.conformers[1], 280, 320);
  s = simulate(sixtieth, 2, 128, COMPOUNDS, 2);
  assert_true(run(&s) < 1280 / 200.0);
  assert_in_range(s.conformers[1], 10, 21);
}

/* The order on the command line does not matter: a CPU named first does not lead an accelerator. */
static void test_slow_device_named_first(void **state) {
  (void)state;
  const device devices[] = {{.rate = 200.0 / 60, .cpu = true}, {.rate = 200}};
  simulation s = simulate(devices, 2, 128, COMPOUNDS, 2);
  assert_true(run(&s) <= 1280 / 200.0 * (1 + 1e-9));
  const device both[] = {{.rate = 200.0 / 60}, {.rate = 200}}; /* two accelerators: the first one has to lead */
  s = simulate(both, 2, 128, COMPOUNDS, 2);
  assert_true(run(&s) <= 1280 / 200.0 + BATCH / 2 * 60 / 200.0);
}

/* A helper that becomes ten times slower is late by one piece at most, and is not asked again while it is. */
static void test_helper_slows_down(void **state) {
  (void)state;
  const device devices[] = {{.rate = 200}, {.rate = 20, .later = 2, .from = 1, .cpu = true}};
  simulation s = simulate(devices, 2, 128, COMPOUNDS, 2);
  assert_true(run(&s) <= 1280 / 200.0 + 1 / 2.0);
  assert_in_range(s.conformers[1], 18, 35);
}

/* One of two equal devices becomes three times slower: the other does what it leaves. */
static void test_peer_slows_down(void **state) {
  (void)state;
  const device devices[] = {{.rate = 200}, {.rate = 200, .later = 200.0 / 3, .from = 1}};
  simulation s = simulate(devices, 2, 128, COMPOUNDS, 2);
  double seconds = run(&s), ideal = 1 + (1280 - 400) / (200 + 200 / 3.0);
  assert_true(seconds < ideal * 1.08);
}

/* The fast one stalls, as when another process takes it: the helper takes more than before, and nothing is left. */
static void test_lead_slows_down(void **state) {
  (void)state;
  const device devices[] = {{.rate = 200, .later = 2, .from = 1}, {.rate = 10, .cpu = true}};
  simulation s = simulate(devices, 2, 128, COMPOUNDS, 2);
  double alone = 1 + (1280 - 200) / 2.0;
  assert_true(run(&s) < alone / 3);
}

static void test_single_conformers(void **state) {
  (void)state;
  const device devices[] = {{.rate = 200}, {.rate = 200}, {.rate = 1, .cpu = true}};
  simulation s = simulate(devices, 3, 1, 1, 1);
  assert_true(run(&s) <= 1 / 200.0);
  assert_int_equal(s.conformers[0], 1);
  s = simulate(devices, 3, 1, COMPOUNDS, 2); /* one each, side by side */
  assert_true(run(&s) <= COMPOUNDS / 200.0 * 0.65);
  assert_int_equal(s.conformers[2], 0);
}

/* Compounds whose conformers cost thrice as much: rates are of costs, not of conformers. */
static void test_costs_differ(void **state) {
  (void)state;
  const device devices[] = {{.rate = 200}, {.rate = 10, .cpu = true}};
  simulation s = simulate(devices, 2, 128, COMPOUNDS, 2);
  s.factor = 3;
  assert_true(run(&s) <= (640 + 3 * 640) / 200.0);
  assert_true(s.conformers[1] > 20);
}

/* What counts is the slowest of a helper's last pieces. */
static void test_uneven_helper(void **state) {
  (void)state;
  const bt_bude_left left = {.count = 40, .each = 1};
  bt_bude_pace paces[2] = {{0}, {.cpu = true}};
  static const double seconds[] = {1.0 / 20, 1.0 / 2, 1.0 / 20}; /* the fast one needs 0.2 for all */
  bt_bude_pace_begin(&paces[0], 16, 0);
  bt_bude_pace_end(&paces[0], 16 / 200.0);
  for (int i = 0; i < 8; i++) {
    bt_bude_pace_begin(&paces[1], 1, 0);
    bt_bude_pace_end(&paces[1], i < 3 ? seconds[i] : 1.0 / 20);
    bool remembers = i >= 1 && i <= 4;
    assert_int_equal(bt_bude_schedule(paces, 2, 1, &left, BATCH, 1), remembers ? 0 : 1);
  }
}

/* Two equal devices share what is left, whatever a slow third one has in hand. */
static void test_busy_device_takes_no_part(void **state) {
  (void)state;
  const bt_bude_left left = {.count = 16, .each = 1};
  bt_bude_pace paces[3] = {{0}};
  for (int k = 0; k < 3; k++) {
    bt_bude_pace_begin(&paces[k], 10, 0);
    bt_bude_pace_end(&paces[k], k < 2 ? 10 / 200.0 : 10.0);
  }
  bt_bude_pace_begin(&paces[2], 16, 1); /* 16 seconds */
  assert_in_range(bt_bude_schedule(paces, 3, 0, &left, BATCH, 1), 8, 9);
  assert_int_equal(bt_bude_schedule(paces, 3, 2, &left, BATCH, 1), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal_devices),
      cmocka_unit_test(test_slow_device_never_delays),
      cmocka_unit_test(test_slow_device_helps),
      cmocka_unit_test(test_slow_device_named_first),
      cmocka_unit_test(test_helper_slows_down),
      cmocka_unit_test(test_peer_slows_down),
      cmocka_unit_test(test_lead_slows_down),
      cmocka_unit_test(test_single_conformers),
      cmocka_unit_test(test_costs_differ),
      cmocka_unit_test(test_uneven_helper),
      cmocka_unit_test(test_busy_device_takes_no_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
