/* schedule.h - which device takes how many conformers next: arithmetic on measured rates, without a clock of its own.
 *
 * The fastest device always takes some, at most a batch, the last one cut so that all devices end together. Any other
 * takes some only if, by the slowest of its last pieces and with a margin, it ends before the faster ones would have
 * ended without it, by the fastest of theirs: then it cannot delay the end. A device that nothing is known of measures
 * itself first by a short trial, but for one, the lead, which begins at once.
 */
#ifndef BERTH_ENGINE_BUDE_SCHEDULE_H
#define BERTH_ENGINE_BUDE_SCHEDULE_H

#include <stdbool.h>

enum { BT_BUDE_RECENT = 4, BT_BUDE_TRIAL = -1 };

/* What is known of a device. Costs are in any unit that is proportional to time, such as pairs of atoms. */
typedef struct bt_bude_pace {
  bool cpu;                     /* not an accelerator */
  int pieces;                   /* real ones that it has done */
  int known;                    /* recent ones, at most BT_BUDE_RECENT; one, if there was only a trial */
  double rates[BT_BUDE_RECENT]; /* cost per second, of the recent ones in turn */
  double doing, since;          /* cost of the piece in hand, 0: none; when it was begun, seconds */
} bt_bude_pace;

/* What no device has taken yet. */
typedef struct bt_bude_left {
  int count;   /* conformers of the oldest compound that has some */
  double each; /* cost of one of them */
  double more; /* cost of the compounds behind it */
} bt_bude_left;

/* How many of left->count conformers device number `index` of n takes now, at most `most`; 0: none as things stand;
 * BT_BUDE_TRIAL: it is to measure itself. */
int bt_bude_schedule(const bt_bude_pace *paces, int n, int index, const bt_bude_left *left, int most, double now);
void bt_bude_pace_trial(bt_bude_pace *pace, double cost, double seconds);
void bt_bude_pace_begin(bt_bude_pace *pace, double cost, double now);
/* The piece in hand is done after so many seconds of work; time for loading and tuning is no part of them. */
void bt_bude_pace_end(bt_bude_pace *pace, double seconds);

#endif
