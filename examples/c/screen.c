/* screen.c - How do I screen a library? Into a database; an interrupted screen is resumed; the best ligands go to a CSV
 * file.
 *
 *     screen 1hpv.pdb 478 library.smi 10
 */
#include <berth/target.h>
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
  bt_target *target;
  bt_screen_progress end;
  bt_screen_exported exported;
  if (argc != 5) return fprintf(stderr, "usage: screen RECEPTOR BOX LIBRARY TOP\n"), EXIT_FAILURE;
  bt_protocol protocol = bt_protocol_default();
  bt_effort_apply(BT_EFFORT_SCREEN, 0, &protocol.search);
  protocol.search.seed = 42;
  check(bt_target_open(argv[1], argv[2], &protocol, &target, &error));

  const char *const library[] = {argv[3]};
  bt_screen_options options = bt_screen_options_default();
  options.database = "screen.db";
  options.resume = true;
  options.ligands = library;
  options.n_ligands = 1;
  options.opt_watch = watch;
  check(bt_target_screen(target, &options, &end, &error));
  check(bt_screen_export("screen.db", BT_SCREEN_CSV, atol(argv[4]), "best.csv", NULL, &exported, &error));
  printf("%lld docked, %lld rejected; the best %lld are in best.csv\n", (long long)end.docked, (long long)end.rejected,
         (long long)exported.ligands);
  bt_target_close(target);
  return EXIT_SUCCESS;
}
