/* schedule.c - see schedule.h. */
#include "engine/bude/schedule.h"

#include <math.h>

/* A slow device's piece may take so much longer than its slowest recent one; from this part of the best rate on a
 * device takes more than one conformer at a time. */
static const double MARGIN = 1.25, PEER = 0.5;

static void note(bt_bude_pace *pace, double cost, double seconds) {
  for (int i = BT_BUDE_RECENT - 1; i > 0; i--) pace->rates[i] = pace->rates[i - 1];
  pace->rates[0] = cost / (seconds > 1e-9 ? seconds : 1e-9);
  if (pace->known < BT_BUDE_RECENT) pace->known++;
}

void bt_bude_pace_trial(bt_bude_pace *pace, double cost, double seconds) {
  pace->known = 0;
  note(pace, cost, seconds);
}

void bt_bude_pace_begin(bt_bude_pace *pace, double cost, double now) {
  pace->doing = cost;
  pace->since = now;
}

void bt_bude_pace_end(bt_bude_pace *pace, double seconds) {
  if (pace->pieces == 0) pace->known = 0; /* a trial, which says less than a piece */
  note(pace, pace->doing, seconds);
  pace->pieces++;
  pace->doing = 0;
}

/* Recent rates. */
typedef struct range {
  double slowest, mean, fastest;
} range;

static range rates_of(const bt_bude_pace *pace) {
  range r = {0};
  for (int i = 0; i < pace->known; i++) {
    double rate = pace->rates[i];
    if (i == 0 || rate < r.slowest) r.slowest = rate;
    if (rate > r.fastest) r.fastest = rate;
    r.mean += rate / pace->known;
  }
  return r;
}

/* Cost that remains of the piece in hand. */
static double remains(const bt_bude_pace *pace, double rate, double now) {
  double rest = pace->doing - rate * (now - pace->since);
  return rest > 0 ? rest : 0;
}

/* Seconds until the devices but opt_but (-1: all) have done what is left, by their mean or fastest rates. One that is
 * busy longer than that takes no part in it. */
static double end_of(const bt_bude_pace *paces, int n, int opt_but, double cost, bool fastest, double now) {
  double end = INFINITY;
  for (bool changed = true; changed;) {
    double all = 0, work = cost, before = end;
    for (int k = 0; k < n; k++) {
      range r = rates_of(&paces[k]);
      double rate = fastest ? r.fastest : r.mean, rest = remains(&paces[k], rate, now);
      if (k == opt_but || rate <= 0 || rest / rate > end) continue;
      all += rate;
      work += rest;
    }
    end = work / all;
    changed = end < before;
  }
  return end;
}

/* The device that begins while nothing is known. */
static int lead_of(const bt_bude_pace *paces, int n) {
  for (int k = 0; k < n; k++)
    if (!paces[k].cpu) return k;
  return 0;
}

static int fastest_of(const bt_bude_pace *paces, int n) {
  int best = lead_of(paces, n);
  for (int k = 0; k < n; k++)
    if (rates_of(&paces[k]).mean > rates_of(&paces[best]).mean) best = k;
  return best;
}

static int limit(double wanted, int most) {
  if (wanted >= most) return most;
  return wanted < 1 ? 1 : (int)wanted;
}

/* Before the lead has done a piece: it takes what is not too much if others turn out as fast, a CPU beside it none. */
static int before_lead(const bt_bude_pace *paces, int n, int index, int lead, int most) {
  if (index == lead) return limit((most + n - 1.0) / n, most);
  if (paces[index].known == 0) return BT_BUDE_TRIAL;
  return paces[index].cpu && !paces[lead].cpu ? 0 : 1;
}

static int share(const bt_bude_pace *paces, int n, int index, const bt_bude_left *left, int most, double now) {
  const int fastest = fastest_of(paces, n);
  const range mine = rates_of(&paces[index]), best = rates_of(&paces[fastest]);
  const double total = left->count * left->each + left->more;
  double part = end_of(paces, n, -1, total, false, now) * mine.mean / left->each + 0.5;
  if (index == fastest) return limit(part, most);
  double fits = end_of(paces, n, index, total, true, now) * mine.slowest / (MARGIN * left->each);
  if (fits < 1) return 0;
  return mine.mean < PEER * best.mean ? 1 : limit(part < fits ? part : fits, most);
}

int bt_bude_schedule(const bt_bude_pace *paces, int n, int index, const bt_bude_left *left, int most, double now) {
  const int lead = lead_of(paces, n);
  if (most > left->count) most = left->count;
  if (n == 1 || most == 0) return most;
  if (paces[lead].pieces == 0) return before_lead(paces, n, index, lead, most);
  if (paces[index].known == 0) return BT_BUDE_TRIAL;
  return share(paces, n, index, left, most, now);
}
