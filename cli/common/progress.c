/* progress.c - a bar on a terminal, plain lines in a log; both on standard error. */
#include "common/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "signals/interrupt.h"

enum { BAR = 24, LOG_SECONDS = 20 };

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

static void draw_bar(cli_progress *progress, double fraction, const char *tail) {
  char bar[BAR + 1];
  int full = (int)(fraction * BAR + 0.5);
  for (int i = 0; i < BAR; i++) bar[i] = i < full ? '#' : '.';
  bar[BAR] = '\0';
  char line[512];
  if (progress->total > 1 || progress->more)
    snprintf(line, sizeof line, "[%s] %3.0f%%  %d/%d%s %s%s", bar, 100.0 * fraction, progress->index, progress->total,
             progress->more ? "+" : "", progress->name, tail);
  else
    snprintf(line, sizeof line, "[%s] %3.0f%%  %s%s", bar, 100.0 * fraction, progress->name, tail);
  int room = progress->width - 1;
  fprintf(stderr, "\r\033[K%.*s", room > 0 ? room : 0, line);
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

  char count[32], best[48] = "", left[48] = "", tail[160];
  print_count(count, sizeof count, evaluations);
  if (isfinite(best_energy)) snprintf(best, sizeof best, ", best %.2f kcal/mol", best_energy);
  if (fraction > 0.02 && elapsed > 2.0 && !progress->more) {
    double seconds = elapsed * (1.0 - fraction) / fraction;
    if (seconds < 90)
      snprintf(left, sizeof left, "  %.0f s left", ceil(seconds));
    else
      snprintf(left, sizeof left, "  %.0f min left", ceil(seconds / 60.0));
  }
  snprintf(tail, sizeof tail, "%s  %s evaluations%s", left, count, best);
  if (progress->terminal) {
    draw_bar(progress, fraction, tail);
  } else {
    progress->last_line = now;
    fprintf(stderr, "%s: %s %3.0f%% %s\n", progress->program, progress->name, 100.0 * fraction, tail + 2);
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
