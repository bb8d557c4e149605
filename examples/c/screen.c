/* screen.c - docks a library into a database, resumes an interrupted screen, and writes the best ligands as CSV.
 *
 *     screen receptor.maps.fld library.btl 10
 */
#include <berth/berth.h>
#include <berth/screen.h>
#include <stdio.h>
#include <stdlib.h>

static bt_error error;

static void check(bt_status status) {
  char text[2048];
  if (status == BT_OK) return;
  fprintf(stderr, "%s\n", bt_error_format(&error, text, sizeof text));
  exit(EXIT_FAILURE);
}

/* Called about ten times a second; its result continues, finishes or stops the screen. */
static bt_screen_request watch(void *user, const bt_screen_progress *progress) {
  (void)user;
  fprintf(stderr, "\r%lld docked, %.1f per second", (long long)progress->docked, progress->rate);
  return BT_SCREEN_GO_ON;
}

int main(int argc, char **argv) {
  bt_maps *maps;
  bt_screen_progress end;
  bt_screen_exported exported;
  bt_screen_options options = bt_screen_options_default();
  if (argc != 4) return fprintf(stderr, "usage: screen RECEPTOR.maps.fld LIBRARY RUNS\n"), EXIT_FAILURE;
  check(bt_maps_read(argv[1], NULL, 0, &maps, &error));
  options.database = "screen.db";
  options.resume = true;
  options.ligands = (const char *const[]){argv[2]};
  options.n_ligands = 1;
  options.maps = maps;
  options.search.runs = atoi(argv[3]);
  options.opt_watch = watch;
  check(bt_screen_run(&options, &end, &error));
  check(bt_screen_export(options.database, BT_SCREEN_CSV, 100, "best.csv", NULL, &exported, &error));
  printf("%lld docked, %lld rejected; the best %lld are in best.csv\n", (long long)end.docked, (long long)end.rejected,
         (long long)exported.ligands);
  bt_maps_destroy(maps);
  return EXIT_SUCCESS;
}
