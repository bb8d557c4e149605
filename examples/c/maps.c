/* maps.c - How do I write AutoGrid's map files? Of a receptor and a box, for AutoDock 4's atom types C, OA and HD.
 *
 *     maps receptor.pdb 478 PREFIX
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

int main(int argc, char **argv) {
  static const char *const types[] = {"C", "OA", "HD"};
  bt_target *target;
  bt_maps *maps;
  bt_grid_options options = bt_grid_options_default();
  if (argc != 4) return fprintf(stderr, "usage: maps RECEPTOR BOX PREFIX\n"), EXIT_FAILURE;
  check(bt_target_open(argv[1], argv[2], NULL, &target, &error)); /* for the prepared receptor and its box */
  const bt_molecule *receptor = bt_receptor_rigid(bt_target_receptor(target));
  options.box = bt_target_box(target, 0);
  check(bt_maps_compute(receptor, types, 3, &options, &maps, &error));
  check(bt_maps_write(maps, argv[3], &error));
  printf("%s.maps.fld and maps of %d types, %d x %d x %d points\n", argv[3], bt_maps_type_count(maps),
         options.box.npts[0] + 1, options.box.npts[1] + 1, options.box.npts[2] + 1);
  bt_maps_destroy(maps);
  bt_target_close(target);
  return EXIT_SUCCESS;
}
