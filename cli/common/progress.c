/* progress.c - a bar on a terminal, plain lines in a log; both on standard error. */
#include "common/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "signals/interrupt.h"

enum { BAR = 16, LOG_SECONDS = 20 };

cli_progress cli_progress_start(const char *program, bool quiet) {
  cli_progress progress = {.program = program, .quiet = quiet, .width = 80};
  const char *term = getenv("TERM");
  progress.terminal = isatty(STDERR_FILENO) && (term == NULL || strcmp(term, "dumb") != 0);
  struct winsize size;
  if (progress.terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    progress.width = size.ws_col;
  return progress;
}

void cli_progress_next(cli_progress *progress, const char *name, int index, int total) {
  progress->name = name;
  progress->index = index;
  progress->total = total;
  progress->started = progress->last_line = bt_seconds();
}

/* 1234567 -> "1.2M" */
static void print_count(char *text, size_t size, int64_t count) {
  if (count < 10000)
    snprintf(text, size, "%lld", (long long)count);
  else if (count < 1000000)
    snprintf(text, size, "%.0fk", (double)count / 1e3);
  else
    snprintf(text, size, "%.1fM", (double)count / 1e6);
}

/* The time until all is done, seconds, for a fraction that has grown from `before` in so many seconds; NaN while there
 * is no basis for an estimate. */
static double time_left(double fraction, double before, double elapsed) {
  const double least_share = 0.02, least_seconds = 2.0;
  double done = fraction - before, all = 1.0 - before;
  if (!(elapsed > least_seconds) || !(done > least_share * all)) return NAN;
  return elapsed * (1.0 - fraction) / done;
}

/* What follows the name: ", 88 s left", the lowest energy, the evaluations. The energy is not the one that a table of
 * results ranks by, and is named. */
enum { PARTS = 3, PART_SIZE = 64 };

static void describe(const cli_progress *progress, double fraction, int64_t evaluations, double best_energy,
                     double elapsed, char parts[PARTS][PART_SIZE]) {
  char count[32];
  bool known = !progress->more && !progress->partial;
  double seconds = known ? time_left(fraction, progress->before, elapsed) : NAN;
  for (int k = 0; k < PARTS; k++) parts[k][0] = '\0';
  if (seconds < 90)
    snprintf(parts[0], PART_SIZE, ", %.0f s left", ceil(seconds));
  else if (seconds < 5400)
    snprintf(parts[0], PART_SIZE, ", %.0f min left", ceil(seconds / 60));
  else if (isfinite(seconds))
    snprintf(parts[0], PART_SIZE, ", %.1f h left", seconds / 3600);
  if (isfinite(best_energy))
    snprintf(parts[1], PART_SIZE, ", lowest inter + intra %.2f%s", best_energy, progress->terminal ? "" : " kcal/mol");
  print_count(count, sizeof count, evaluations);
  snprintf(parts[2], PART_SIZE, ", %s evaluations", count);
}

/* Parts that do not fit are left out from the last one on. */
static void draw_bar(cli_progress *progress, double fraction, char parts[PARTS][PART_SIZE]) {
  char bar[BAR + 1];
  int full = (int)(fraction * BAR + 0.5);
  for (int i = 0; i < BAR; i++) bar[i] = i < full ? '#' : '.';
  bar[BAR] = '\0';
  char line[512];
  int used, room = progress->width > 1 ? progress->width - 1 : 0;
  if (progress->total > 1 || progress->more)
    used = snprintf(line, sizeof line, "[%s] %3.0f%%  %d/%d%s %.200s", bar, 100.0 * fraction, progress->index,
                    progress->total, progress->more ? "+" : "", progress->name);
  else
    used = snprintf(line, sizeof line, "[%s] %3.0f%%  %.200s", bar, 100.0 * fraction, progress->name);
  for (int k = 0; k < PARTS && used + (int)strlen(parts[k]) <= room; k++)
    used += snprintf(line + used, sizeof line - (size_t)used, "%s", parts[k]);
  fprintf(stderr, "\r\033[K%.*s", room, line);
  fflush(stderr);
  progress->drawn = true;
}

bool cli_progress_show(void *user, double fraction, int64_t evaluations, double best_energy) {
  cli_progress *progress = user;
  if (cli_interrupted()) return false;
  if (progress->quiet) return true;
  double now = bt_seconds(), elapsed = now - progress->started;
  fraction = fraction >= 0.0 && fraction <= 1.0 ? fraction : fraction > 1.0 ? 1.0 : 0.0;
  if (!progress->terminal && now - progress->last_line < LOG_SECONDS) return true;

  char parts[PARTS][PART_SIZE];
  describe(progress, fraction, evaluations, best_energy, elapsed, parts);
  if (progress->terminal) {
    draw_bar(progress, fraction, parts);
  } else {
    progress->last_line = now;
    fprintf(stderr, "%s: %s %3.0f%%%s%s%s\n", progress->program, progress->name, 100.0 * fraction, parts[0], parts[1],
            parts[2]);
    fflush(stderr);
  }
  return true;
}

void cli_progress_clear(cli_progress *progress) {
  if (!progress->drawn) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  progress->drawn = false;
}
