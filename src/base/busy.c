/* busy.c - see busy.h. */
#include "base/busy.h"

#include <string.h>

void bt_busy_open(bt_busy *busy) {
  memset(busy, 0, sizeof *busy);
  pthread_mutex_init(&busy->lock, NULL);
}

void bt_busy_close(bt_busy *busy) { pthread_mutex_destroy(&busy->lock); }

static void close_oldest(bt_busy *busy) {
  busy->closed += busy->spans[0].end - busy->spans[0].begin;
  busy->closed_until = busy->spans[0].end;
  memmove(busy->spans, busy->spans + 1, (size_t)--busy->count * sizeof *busy->spans);
}

static void add(bt_busy *busy, double begin, double end) {
  bt_busy_span *spans = busy->spans;
  int first = busy->count, last; /* [first, last) touch the new span and become part of it */
  while (first > 0 && spans[first - 1].end >= begin) first--;
  for (last = first; last < busy->count && spans[last].begin <= end; last++) {
    if (spans[last].begin < begin) begin = spans[last].begin;
    if (spans[last].end > end) end = spans[last].end;
  }
  memmove(spans + first + 1, spans + last, (size_t)(busy->count - last) * sizeof *spans);
  spans[first] = (bt_busy_span){begin, end};
  busy->count += 1 - (last - first);
}

void bt_busy_add(bt_busy *busy, double begin, double end) {
  pthread_mutex_lock(&busy->lock);
  if (busy->count == BT_BUSY_SPANS) close_oldest(busy);
  if (begin < busy->closed_until) begin = busy->closed_until;
  if (begin < end) add(busy, begin, end);
  pthread_mutex_unlock(&busy->lock);
}

double bt_busy_seconds(bt_busy *busy) {
  pthread_mutex_lock(&busy->lock);
  double seconds = busy->closed;
  for (int k = 0; k < busy->count; k++) seconds += busy->spans[k].end - busy->spans[k].begin;
  pthread_mutex_unlock(&busy->lock);
  return seconds;
}
