/* progress.c - progress of a screen: a line on a terminal, occasional lines in a log, JSON for programs. */
#include "screen/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/report.h"
#include "signals/interrupt.h"

enum { LOG_SECONDS = 30, JOULE_SECONDS = 10, MOST_TOLD = 5 };

screen_progress screen_progress_start(const char *program, bool quiet, bool json) {
  screen_progress self = {.program = program, .quiet = quiet, .json = json, .last_json = -1e9};
  self.look = cli_progress_start(program, quiet);
  self.look.last_line = self.last_joules = bt_seconds();
  self.joules = (bt_joules){NAN, NAN};
  if (!quiet || json) self.opt_meter = bt_joule_meter_open();
  return self;
}

/* Between two readings a counter of a processor must not wrap twice. */
static void read_joules(screen_progress *self, const bt_screen_progress *p) {
  enum { MOST_DEVICES = 64 };
  const char *names[MOST_DEVICES];
  int count = p->n_devices < MOST_DEVICES ? p->n_devices : MOST_DEVICES;
  for (int d = 0; d < count; d++) names[d] = p->devices[d].name;
  self->joules = bt_joule_meter_read(self->opt_meter, names, count);
  self->last_joules = bt_seconds();
}

double screen_progress_joules_per_ligand(const screen_progress *self, const bt_screen_progress *p) {
  double done = (double)(p->docked + p->rejected + p->failed + p->filtered - p->earlier);
  return done > 0 ? bt_joules_sum(self->joules) / done : NAN;
}

/* --- for people ---------------------------------------------------------------------------------------- */

static void time_left(char *text, size_t size, double seconds) {
  if (!(seconds >= 0))
    text[0] = '\0';
  else if (seconds < 90)
    snprintf(text, size, ", %.0f s left", ceil(seconds));
  else if (seconds < 5400)
    snprintf(text, size, ", %.0f min left", ceil(seconds / 60));
  else
    snprintf(text, size, ", %.1f h left", seconds / 3600);
}

static void describe(const bt_screen_progress *p, char *line, size_t size) {
  char total[32] = "", left[48], best[160] = "", devices[160] = "";
  long long done = (long long)(p->docked + p->rejected + p->failed + p->filtered);
  if (p->total >= 0) snprintf(total, sizeof total, "/%lld", (long long)p->total);
  time_left(left, sizeof left, p->ending ? NAN : p->seconds_left);
  if (p->n_hits > 0) snprintf(best, sizeof best, ", best %.2f %.40s", p->hits[0].rank_energy, p->hits[0].name);
  for (int d = 0; d < p->n_devices && d < 4; d++) {
    size_t used = strlen(devices);
    snprintf(devices + used, sizeof devices - used, ", %.20s %s", p->devices[d].name,
             p->devices[d].failed ? "failed" : "");
    used = strlen(devices);
    if (!p->devices[d].failed) snprintf(devices + used, sizeof devices - used, "%.0f%%", 100 * p->devices[d].busy);
  }
  snprintf(line, size, "%lld%s ligands%s, %.*f/s%s%s%s%s", done, total,
           p->rejected + p->failed > 0 ? " (some not docked)" : "", p->rate < 10 ? 2 : 0, p->rate, left, best, devices,
           p->ending ? ", finishing" : "");
}

static void show(screen_progress *self, const bt_screen_progress *progress) {
  char line[640];
  double now = bt_seconds();
  if (self->quiet || self->json) return;
  if (!self->look.terminal && now - self->look.last_line < LOG_SECONDS) return;
  self->look.last_line = now;
  describe(progress, line, sizeof line);
  if (!self->look.terminal) {
    cli_message(self->program, "%s", line);
    return;
  }
  fprintf(stderr, "\r\033[K%.*s", self->look.width - 1, line);
  fflush(stderr);
  self->look.drawn = true;
}

void screen_progress_warn(void *user, const char *text) {
  screen_progress *self = user;
  cli_progress_clear(&self->look);
  cli_warning(self->program, "%s", text);
}

void screen_progress_lost(void *user, const char *name, const char *state, const char *reason) {
  screen_progress *self = user;
  if (self->quiet || ++self->told > MOST_TOLD) return;
  cli_progress_clear(&self->look);
  cli_message(self->program, "%s %s: %s%s", state, name, reason,
              self->told == MOST_TOLD ? " (further ones are not shown; see rejects.csv at the end)" : "");
}

/* --- for programs -------------------------------------------------------------------------------------- */

static void print_json(const screen_progress *self, const bt_screen_progress *p, const char *event) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(
      &json, "{ event %s done %" PRId64 " docked %" PRId64 " rejected %" PRId64 " failed %" PRId64 " filtered %" PRId64,
      event, p->docked + p->rejected + p->failed + p->filtered, p->docked, p->rejected, p->failed, p->filtered);
  bt_json_printf(&json, "total %g earlier %" PRId64 " seconds %g rate %g seconds_left %g evaluations %" PRId64,
                 p->total >= 0 ? (double)p->total : NAN, p->earlier, p->seconds, p->rate, p->seconds_left,
                 p->evaluations);
  bt_json_printf(&json, "waiting %d best [", p->waiting);
  for (int k = 0; k < p->n_hits; k++)
    bt_json_printf(&json, "{ name %s ordinal %" PRId64 " free_energy %g rank_energy %g }", p->hits[k].name,
                   p->hits[k].ordinal, p->hits[k].free_energy, p->hits[k].rank_energy);
  bt_json_printf(&json, "] devices [");
  for (int d = 0; d < p->n_devices; d++)
    bt_json_printf(&json, "{ name %s docked %" PRId64 " busy %g failed %hhd }", p->devices[d].name,
                   p->devices[d].docked, p->devices[d].busy, p->devices[d].failed);
  bt_json_printf(&json, "]");
  if (self->opt_meter != NULL)
    bt_json_printf(&json, "joules { processors %g gpus %g per_ligand %g }", self->joules.processors, self->joules.gpus,
                   screen_progress_joules_per_ligand(self, p));
  bt_json_printf(&json, "}");
  if (cli_print_json(&text, NULL) != BT_OK) return; /* the next line repeats everything */
}

/* --- both ---------------------------------------------------------------------------------------------- */

bt_screen_request screen_progress_watch(void *user, const bt_screen_progress *progress) {
  screen_progress *self = user;
  double now = bt_seconds();
  show(self, progress);
  bool tell = self->json && now - self->last_json >= 1.0;
  if (tell || now - self->last_joules >= JOULE_SECONDS) read_joules(self, progress);
  if (tell) {
    print_json(self, progress, "progress");
    self->last_json = now;
  }
  bool stop = cli_interrupted();
  if (stop && !self->asked) {
    cli_progress_clear(&self->look);
    if (!self->quiet)
      cli_message(self->program, cli_terminated()
                                     ? "SIGTERM received: finishing the ligands being docked; a second signal stops now"
                                     : "finishing the ligands being docked; press Ctrl-C again to stop now");
    self->asked = true;
  }
  return stop ? BT_SCREEN_FINISH : BT_SCREEN_GO_ON;
}

void screen_progress_end(screen_progress *self, const bt_screen_progress *progress, const char *event) {
  cli_progress_clear(&self->look);
  read_joules(self, progress);
  if (self->json) print_json(self, progress, event);
  bt_joule_meter_close(self->opt_meter);
  self->opt_meter = NULL;
}
