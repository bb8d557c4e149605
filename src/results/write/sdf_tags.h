/* sdf_tags.h - data items of a pose in an SDF, by sdf.c. */
#ifndef BERTH_RESULTS_WRITE_SDF_TAGS_H
#define BERTH_RESULTS_WRITE_SDF_TAGS_H

#include <berth/prepare.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "results/result.h"

/* Starts as {.count = 0}. Running out of memory is noticed by bt_sdf_add_pose. */
typedef struct bt_sdf_tags {
  bt_sdf_tag *tags; /* [count] */
  int count;
  size_t capacity;
  bt_arena texts;
} bt_sdf_tags;

void bt_sdf_tags_clear(bt_sdf_tags *tags);
/* Name and value are borrowed. */
void bt_sdf_add_text(bt_sdf_tags *tags, const char *name, const char *value);
void bt_sdf_add_real(bt_sdf_tags *tags, const char *name, double value);
void bt_sdf_add_count(bt_sdf_tags *tags, const char *name, int64_t value);
/* The scoring function, and what its affinity takes off. */
void bt_sdf_add_scoring(bt_sdf_tags *tags, bt_scoring scoring, double unbound);
/* What ranks the pose; NaN: no energy does. */
void bt_sdf_add_rank(bt_sdf_tags *tags, const char *ranked_by, double rank_energy);
/* What a re-scorer says. */
void bt_sdf_add_score(bt_sdf_tags *tags, const char *rescorer, double score);
/* One of its further values; the name is borrowed. */
void bt_sdf_add_value(bt_sdf_tags *tags, const char *name, double value);
/* Strain and faults of geometry; nothing where they are unknown. */
void bt_sdf_add_strain(bt_sdf_tags *tags, const bt_result *result, const bt_run *run);
/* What the pose is to be scored in; the text, empty before, holds it as long as the tags are used. */
bt_status bt_sdf_add_docked(bt_sdf_tags *tags, const bt_docked *docked, bt_text *text,
                            bt_error *opt_error) BT_MUST_USE;
/* Adds the record of a run, and to the tags what every pose has. */
bt_status bt_sdf_add_pose(bt_text *text, const bt_result *result, const bt_run *run, bt_sdf_tags *tags,
                          bt_error *opt_error) BT_MUST_USE;

#endif
