/* calibrate.c - see calibrate.h.
 *
 * Contents: 1. The table  2. The cache  3. Measuring
 */
#include "engine/lga/device/calibrate.h"

#include <berth/build.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <berth/score.h>

#include "base/clock.h"
#include "base/files/cache.h"
#include "base/memory.h"

/* Poses of a launch: as many as a few runs, many runs, or a batch of ligands search at a time. */
static const int counts[BT_CALIBRATION_COUNTS] = {64, 256, 1024, 4096, 16384};

/* ---- 1. The table ---- */

double bt_calibration_time(const bt_calibration *calibration, int choice, size_t poses) {
  const int64_t *times = calibration->nanoseconds[choice];
  int last = calibration->n_counts - 1, k = 0;
  if (times[last] <= 0) return INFINITY;
  if (poses <= (size_t)counts[0]) return (double)times[0]; /* a device that is hardly busy */
  if (poses >= (size_t)counts[last]) return (double)times[last] * (double)poses / counts[last];
  while (poses > (size_t)counts[k + 1]) k++;
  double part = log((double)poses / counts[k]) / log((double)counts[k + 1] / counts[k]);
  return (double)times[k] * pow((double)times[k + 1] / (double)times[k], part);
}

/* ---- 2. The cache ---- */

static int pairs_of(const bt_kernel_data *data) {
  int pairs = 0;
  for (int r = 0; r < bt_kernel_rows(data); r++) pairs += data->rows[r].end - data->rows[r].first;
  return pairs;
}

/* The ligand whose poses take longest: by pairs, then atoms. */
static int largest_ligand(const bt_job *job) {
  int best = 0;
  for (int l = 1; l < job->count; l++) {
    const bt_kernel_data *mine = job->ligands[l].data, *other = job->ligands[best].data;
    int more = pairs_of(mine) - pairs_of(other);
    if (more > 0 || (more == 0 && mine->sizes.n_atoms > other->sizes.n_atoms)) best = l;
  }
  return best;
}

static int round_up(int value, int step) { return (value + step - 1) / step * step; }

/* The key of a measurement: everything that the times depend on and nothing else, or every ligand of a screen would be
 * measured anew. Ligand sizes are binned; local memory enters as the occupancy that it allows. */
static bt_hash key_of(const bt_job *job) {
  const bt_kernel_data *data = job->ligands[largest_ligand(job)].data;
  bt_hash key = bt_hash_begin();
  const char *const texts[] = {"calibration 4", job->runtime->name, job->properties.name, job->properties.driver,
                               bt_build_commit()};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) bt_hash_add_text(&key, texts[k]);
  char text[160];
  for (int c = 0; c < job->n_choices; c++) {
    const bt_device_choice *choice = &job->choices[c];
    snprintf(text, sizeof text, "%d %d %d %d %zu %d %d", choice->variant.team, choice->variant.poses,
             (int)choice->variant.reduction, choice->lanes,
             choice->room > 0 ? choice->room : choice->local_bytes / 8192, choice->stream_at > 0, choice->state_at > 0);
    bt_hash_add_text(&key, text);
  }
  snprintf(text, sizeof text, "%d %d %d", round_up(data->sizes.n_atoms, 8), round_up(data->sizes.n_torsions, 4),
           round_up(pairs_of(data), 128));
  bt_hash_add_text(&key, text);
  return key;
}

/* One line of the table without its times. */
static void describe_choice(const bt_device_choice *choice, char *text, size_t size) {
  snprintf(text, size, "team %d poses %d %s:", choice->variant.team, choice->variant.poses,
           bt_reduction_name((int)choice->variant.reduction));
}

int bt_calibration_write(const bt_job *job, const bt_calibration *calibration, char *text, size_t size) {
  char line[96];
  int used = 0;
#define ADD(...) \
  used += snprintf((size_t)used < size ? text + used : NULL, (size_t)used < size ? size - (size_t)used : 0, __VA_ARGS__)
  ADD("# %s, %s\n# nanoseconds of one gradient of each of so many poses\nposes", job->properties.name,
      job->properties.driver);
  for (int k = 0; k < calibration->n_counts; k++) ADD(" %d", counts[k]);
  ADD("\n");
  for (int c = 0; c < job->n_choices; c++) {
    describe_choice(&job->choices[c], line, sizeof line);
    ADD("%s", line);
    for (int k = 0; k < calibration->n_counts; k++) ADD(" %" PRId64, calibration->nanoseconds[c][k]);
    ADD("\n");
  }
#undef ADD
  return used;
}

/* Steps over the words if they are next. */
static bool accept(const char **at, const char *words) {
  size_t length = strlen(words);
  if (strncmp(*at, words, length) != 0) return false;
  *at += length;
  return true;
}

/* Steps over " " and a number from 0 to a minute. */
static bool accept_time(const char **at, int64_t *ret_value) {
  if ((*at)[0] != ' ' || (*at)[1] < '0' || (*at)[1] > '9') return false;
  char *end;
  *ret_value = strtoll(*at + 1, &end, 10);
  *at = end;
  return *ret_value >= 0 && *ret_value < (int64_t)60000000000;
}

bool bt_calibration_read(const bt_job *job, const char *text, bt_calibration *ret_calibration) {
  bt_calibration read = {0};
  char line[96];
  while (*text == '#') {
    text += strcspn(text, "\n");
    if (*text == '\n') text++;
  }
  if (!accept(&text, "poses")) return false;
  for (int64_t value; read.n_counts < BT_CALIBRATION_COUNTS && *text == ' '; read.n_counts++)
    if (!accept_time(&text, &value) || value != counts[read.n_counts]) return false;
  if (read.n_counts == 0 || !accept(&text, "\n")) return false;
  bool some = false;
  for (int c = 0; c < job->n_choices; c++) {
    describe_choice(&job->choices[c], line, sizeof line);
    if (!accept(&text, line)) return false;
    bool whole = true;
    for (int k = 0; k < read.n_counts; k++) {
      if (!accept_time(&text, &read.nanoseconds[c][k])) return false;
      whole &= read.nanoseconds[c][k] > 0;
    }
    if (!accept(&text, "\n")) return false;
    if (!whole) memset(read.nanoseconds[c], 0, sizeof read.nanoseconds[c]);
    some |= whole;
  }
  if (!some || *text != '\0') return false;
  *ret_calibration = read;
  return true;
}

/* ---- 3. Measuring ---- */

/* Nanoseconds: all measurements of a job; what one of them should take, so that the cost of waiting is negligible; and
 * launches so long that larger ones reveal nothing more. */
static const int64_t budget = 45000000, worth_measuring = 300000, long_launch = 5000000;
enum { REPETITIONS = 3, MOST_REPEATS = 32, HOPELESS = 8 /* times as long as the fastest */ };

static int64_t now(const bt_job *job) {
  return job->runtime->opt_clock != NULL ? job->runtime->opt_clock() : (int64_t)(1e9 * bt_seconds());
}

/* Uniform in [-1, 1). The poses only have to differ, so their random numbers need not be those of a search. */
static float next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (float)(int32_t)(*state >> 32) * 0x1p-31f;
}

/* Anywhere in the box, as the first individuals of a search. */
static void random_pose(const bt_kernel_box *box, int n_torsions, uint64_t *state, float *genes) {
  const float size[3] = {box->size_x, box->size_y, box->size_z};
  float norm = 0, *q = genes + BT_GENE_QUATERNION;
  for (int k = 0; k < 3; k++) genes[BT_GENE_POSITION + k] = 0.5f * size[k] * (1.0f + next_random(state));
  for (int k = 0; k < 4; k++) {
    q[k] = next_random(state);
    norm += q[k] * q[k];
  }
  for (int k = 0; k < 4; k++) q[k] = norm > 1e-6f ? q[k] / sqrtf(norm) : 0.5f;
  for (int k = 0; k < n_torsions; k++) genes[BT_GENE_TORSION + k] = 3.14159265f * next_random(state);
}

static bt_status upload_poses(bt_job *job, int ligand, bt_launch *with) {
  int torsions = job->table[ligand].sizes.n_torsions, most = counts[BT_CALIBRATION_COUNTS - 1];
  size_t n_genes = (size_t)BT_GENES(torsions), bytes = (size_t)most * n_genes * sizeof(float);
  if (job->given_capacity < most) return BT_ERR_LIMIT;
  BT_SCOPED float *genes = malloc(bytes);
  if (genes == NULL) return BT_ERR_MEMORY;
  uint64_t state = 1;
  for (size_t p = 0; p < (size_t)most; p++)
    random_pose(&job->ligands[ligand].data->box, torsions, &state, genes + p * n_genes);
  with->genes = job->given;
  with->energies = with->genes + (bt_offset)bytes;
  with->gradients = with->energies + (bt_offset)((size_t)most * sizeof(float));
  return job->runtime->upload(job->device, &job->arena, (size_t)with->genes, genes, bytes, NULL);
}

/* A launch that evaluates every pose this many times, as a local search does; false: an error. */
static bool time_launch(bt_job *job, int choice, size_t blocks, int repeats, bt_launch *with, int64_t *ret_each) {
  int64_t start = now(job);
  with->repeats = repeats;
  if (bt_device_launch_blocks(job, &job->choices[choice], BT_LAUNCH_GRADIENT, 0, blocks, with, NULL) != BT_OK)
    return false;
  if (job->runtime->synchronize(job->device, NULL) != BT_OK) return false;
  *ret_each = (now(job) - start) / repeats;
  if (*ret_each <= 0) *ret_each = 1;
  return true;
}

/* Nanoseconds of a launch over that many poses; 0: it cannot be run. A warm-up (the first launch also loads the
 * kernel), then the least of several measurements, or a single one of a long launch. */
static int64_t measure(bt_job *job, int choice, int ligand, int poses, bt_launch *with) {
  size_t per_block = bt_layout_block_poses(&job->choices[choice]), blocks = 0;
  for (size_t first = 0; first < (size_t)poses; first += per_block)
    job->blocks[blocks++] = (bt_launch_block){ligand, (int)first};
  int64_t once, least = INT64_MAX;
  with->count = poses;
  if (job->runtime->upload(job->device, &job->arena, (size_t)job->launch.blocks, job->blocks,
                           blocks * sizeof *job->blocks, NULL) != BT_OK ||
      !time_launch(job, choice, blocks, 1, with, &once))
    return 0;
  for (int i = 0; i < REPETITIONS; i++) {
    int64_t repeats = i > 0 ? worth_measuring / once + 1 : 1; /* the first one after the warm-up says how many */
    int64_t time;
    if (!time_launch(job, choice, blocks, repeats > MOST_REPEATS ? MOST_REPEATS : (int)repeats, with, &time)) return 0;
    if (time < least) least = time;
    if (time > long_launch) break;
    if (i == 0) once = time;
  }
  return least;
}

/* More poses never take less time; where they seem to, another process used the device. Makes the times monotonic;
 * false if they were too far off to be kept. */
static bool mend(bt_calibration *table, int n_choices) {
  bool undisturbed = true;
  for (int c = 0; c < n_choices; c++)
    for (int k = table->n_counts - 2; k >= 0; k--) {
      int64_t *time = table->nanoseconds[c];
      if (time[k] <= time[k + 1] || time[k + 1] == 0) continue;
      undisturbed = undisturbed && time[k] < time[k + 1] + time[k + 1] / 4;
      time[k] = time[k + 1];
    }
  return undisturbed;
}

/* All choices with few poses, then with more, while time remains; a number of poses counts when all choices
 * have been measured with it. False: errors that are not of a kernel's size. */
static bool measure_all(bt_job *job, bt_calibration *table) {
  int ligand = largest_ligand(job), runnable = 0;
  bt_launch with = job->launch;
  if (upload_poses(job, ligand, &with) != BT_OK) return false;
  int64_t start = 0, fastest_before = 0;
  for (; table->n_counts < BT_CALIBRATION_COUNTS; table->n_counts++) {
    int k = table->n_counts;
    if (k == 1) start = now(job); /* before, drivers load or compile kernels, which says nothing about them */
    int64_t fastest = INT64_MAX;
    for (int c = 0; c < job->n_choices; c++) {
      int64_t before = k > 0 ? table->nanoseconds[c][k - 1] : 1;
      if (before == 0 || (before > long_launch && before > HOPELESS * fastest_before)) continue;
      if (k > 0 && now(job) - start > budget) return true;
      int64_t time = measure(job, c, ligand, counts[k], &with);
      if (time == 0 && k > 0) return true; /* the device is saturated; searches will tell */
      table->nanoseconds[c][k] = time;
      runnable += k == 0 && time > 0;
      if (time > 0 && time < fastest) fastest = time;
    }
    if (runnable == 0) return false;
    fastest_before = fastest;
    if (fastest > long_launch) {
      table->n_counts++;
      break;
    }
  }
  return true;
}

/* Times of few poses do not show which team is best for many: either a launch was large enough to take longer than its
 * overhead, or all sizes were measured. Another process may have used up the time. */
static bool tells_enough(const bt_job *job, const bt_calibration *table) {
  int last = table->n_counts - 1;
  if (last < 0) return false;
  int64_t fastest = INT64_MAX;
  for (int c = 0; c < job->n_choices; c++)
    if (table->nanoseconds[c][last] > 0 && table->nanoseconds[c][last] < fastest) fastest = table->nanoseconds[c][last];
  return last == BT_CALIBRATION_COUNTS - 1 || counts[last] >= 4096 || (fastest > long_launch && fastest < INT64_MAX);
}

void bt_calibrate(bt_job *job) {
  bt_hash key = key_of(job);
  char text[2048], *kept;
  size_t size;
  if (bt_cache_load("calibration", key, &kept, &size)) {
    bool good = strlen(kept) == size && bt_calibration_read(job, kept, &job->calibration);
    free(kept);
    if (good) return;
  }
  bt_calibration table = {0};
  /* on a device that is busy with other work, times say nothing about team sizes */
  if (job->opt_lock != NULL) pthread_rwlock_wrlock(job->opt_lock);
  bool measured = measure_all(job, &table);
  if (job->opt_lock != NULL) pthread_rwlock_unlock(job->opt_lock);
  job->n_blocks = 0; /* the tables of a generation are overwritten */
  if (!measured || !tells_enough(job, &table)) return;
  bool keep = mend(&table, job->n_choices);
  job->calibration = table;
  if (!keep) return; /* the next job measures again */
  int length = bt_calibration_write(job, &table, text, sizeof text);
  if (length > 0 && (size_t)length < sizeof text) bt_cache_store("calibration", key, text, (size_t)length);
}
