/* busy.h - how long a device that several threads use was busy: the length of the union of spans of time. */
#ifndef BERTH_BASE_BUSY_H
#define BERTH_BASE_BUSY_H

#include <pthread.h>

enum { BT_BUSY_SPANS = 128 };

/* Seconds on the clock of bt_seconds. */
typedef struct bt_busy_span {
  double begin, end;
} bt_busy_span;

typedef struct bt_busy {
  pthread_mutex_t lock;              /* of what follows */
  bt_busy_span spans[BT_BUSY_SPANS]; /* [count] disjoint, in order */
  int count;
  double closed, closed_until; /* seconds of earlier spans, and until when no more are counted */
} bt_busy;

void bt_busy_open(bt_busy *busy);
void bt_busy_close(bt_busy *busy);
/* Spans come in any order; what lies before the oldest of the last BT_BUSY_SPANS gaps is no longer counted. */
void bt_busy_add(bt_busy *busy, double begin, double end);
/* Seconds so far. */
double bt_busy_seconds(bt_busy *busy);

#endif
