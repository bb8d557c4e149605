/* feed.c - see feed.h. */
#include "bench/screen/feed.h"

#include <stdlib.h>

#include "common/progress.h"
#include "common/report.h"

void bench_item_free(bench_item *item) {
  bt_ligand_destroy(item->ligand);
  bt_molecule_destroy(item->molecule);
  *item = (bench_item){0};
}

/* Waits for room and hands a ligand over; false: no more is wanted. */
static bool put(bench_feed *feed, bench_item item) {
  bool wanted = false;
  pthread_mutex_lock(&feed->lock);
  while (feed->count >= feed->ahead && !feed->stopped) pthread_cond_wait(&feed->changed, &feed->lock);
  if (!feed->stopped && (feed->limit == 0 || feed->read < feed->limit)) {
    item.position = feed->read++;
    feed->waiting[(feed->first + feed->count++) % feed->capacity] = item;
    wanted = true;
    pthread_cond_broadcast(&feed->changed);
  }
  pthread_mutex_unlock(&feed->lock);
  if (!wanted) bench_item_free(&item);
  return wanted;
}

/* Notes a file or model that cannot be used; false: this ends the reading. */
static bool refuse(bench_feed *feed, bt_status status, const bt_error *error) {
  char text[1600];
  bool go_on = bt_status_concerns_ligand(status) || status == BT_ERR_IO;
  pthread_mutex_lock(&feed->lock);
  feed->rejected++;
  if (!go_on) {
    feed->status = status;
    feed->error = *error;
  }
  pthread_mutex_unlock(&feed->lock);
  if (go_on) cli_message(feed->program, "rejected %s", bt_error_format(error, text, sizeof text));
  return go_on;
}

static bool full(bench_feed *feed) {
  pthread_mutex_lock(&feed->lock);
  bool yes = feed->stopped || (feed->limit > 0 && feed->read >= feed->limit);
  pthread_mutex_unlock(&feed->lock);
  return yes;
}

/* Prepares the molecules of one file; false: no more files are wanted. */
static bool read_file(bench_feed *feed, const char *path) {
  bt_molecule **list = NULL;
  int count = 0;
  bt_error error;
  double start = cli_seconds(), seconds = 0;
  bt_status status = bt_molecule_read(path, BT_MOLECULE_LIGAND, &list, &count, &error);
  if (status != BT_OK) return refuse(feed, status, &error);
  bool go_on = true;
  for (int m = 0; m < count; m++) {
    bench_item item = {.molecule = list[m]};
    if (!go_on) {
      bench_item_free(&item);
      continue;
    }
    status = bt_ligand_create(item.molecule, NULL, &item.ligand, &error);
    seconds += cli_seconds() - start;
    if (status != BT_OK) {
      go_on = refuse(feed, status, &error);
      bench_item_free(&item);
    } else {
      go_on = put(feed, item);
    }
    start = cli_seconds();
  }
  bt_molecule_list_destroy(list, 0); /* the molecules went one by one */
  pthread_mutex_lock(&feed->lock);
  feed->seconds += seconds;
  pthread_mutex_unlock(&feed->lock);
  return go_on;
}

static void *read_thread(void *argument) {
  bench_feed *feed = argument;
  for (int f = 0; f < feed->paths->count && !full(feed); f++)
    if (!read_file(feed, feed->paths->items[f])) break;
  pthread_mutex_lock(&feed->lock);
  feed->ended = true;
  pthread_cond_broadcast(&feed->changed);
  pthread_mutex_unlock(&feed->lock);
  return NULL;
}

bt_status bench_feed_open(bench_feed *feed, bt_error *opt_error) {
  pthread_mutex_init(&feed->lock, NULL);
  pthread_cond_init(&feed->changed, NULL);
  feed->capacity = feed->ahead;
  feed->waiting = calloc((size_t)feed->capacity, sizeof *feed->waiting);
  feed->started = feed->waiting != NULL && pthread_create(&feed->thread, NULL, read_thread, feed) == 0;
  return feed->started ? BT_OK : cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

int bench_feed_take(bench_feed *feed, int wanted, bench_item *items) {
  pthread_mutex_lock(&feed->lock);
  while (feed->count < wanted && !feed->ended && !feed->stopped) pthread_cond_wait(&feed->changed, &feed->lock);
  int n = feed->stopped ? 0 : feed->count < wanted ? feed->count : wanted;
  for (int k = 0; k < n; k++) items[k] = feed->waiting[(feed->first + k) % feed->capacity];
  feed->first = (feed->first + n) % feed->capacity;
  feed->count -= n;
  pthread_cond_broadcast(&feed->changed);
  pthread_mutex_unlock(&feed->lock);
  return n;
}

void bench_feed_stop(bench_feed *feed) {
  pthread_mutex_lock(&feed->lock);
  feed->stopped = true;
  pthread_cond_broadcast(&feed->changed);
  pthread_mutex_unlock(&feed->lock);
}

void bench_feed_close(bench_feed *feed) {
  bench_feed_stop(feed);
  if (feed->started) pthread_join(feed->thread, NULL);
  for (int k = 0; k < feed->count; k++) bench_item_free(&feed->waiting[(feed->first + k) % feed->capacity]);
  free(feed->waiting);
  pthread_cond_destroy(&feed->changed);
  pthread_mutex_destroy(&feed->lock);
}
