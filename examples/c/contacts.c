/* contacts.c - What does the pose touch? Contacts, the complex and a page to look at, in a folder.
 *
 *     contacts 1hpv.pdb 478 "CC(=O)Oc1ccccc1C(=O)O aspirin" FOLDER
 */
#include <berth/report.h>
#include <berth/target.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static bt_error error;

static void check(bt_status status) {
  char text[2048];
  if (status == BT_OK) return;
  fprintf(stderr, "%s\n", bt_error_format(&error, text, sizeof text));
  exit(EXIT_FAILURE);
}

static const char *in(const char *folder, const char *name) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

int main(int argc, char **argv) {
  bt_target *target;
  bt_result *result;
  bt_contact_options near = bt_contact_options_default();
  bt_report_options page = bt_report_options_default();
  bt_report_summary shown;
  bt_protocol protocol = bt_protocol_default();
  if (argc != 5) return fprintf(stderr, "usage: contacts RECEPTOR BOX SMILES FOLDER\n"), EXIT_FAILURE;
  protocol.search.seed = 42;
  bt_effort_apply(BT_EFFORT_SCREEN, 0, &protocol.search);
  check(bt_target_open(argv[1], argv[2], &protocol, &target, &error));
  check(bt_target_dock_text(target, "smiles", argv[3], &result, &error));
  const bt_molecule *receptor = bt_receptor_rigid(bt_target_receptor(target));
  check(bt_result_find_contacts(result, receptor, &near, &error));
  mkdir(argv[4], 0777);
  check(bt_result_write(result, in(argv[4], "docked.json"), NULL, NULL, &error)); /* lists the contacts of all poses */
  check(bt_result_write_complex(result, 0, receptor, in(argv[4], "docked.complex.pdb"), &error));
  check(bt_molecule_write_pdbqt(receptor, in(argv[4], "receptor.pdbqt"), &error));
  check(bt_report_write(argv[4], &page, in(argv[4], "report.html"), &shown, &error));
  printf("%d poses in %s/report.html\n", (int)shown.poses, argv[4]);
  bt_result_destroy(result);
  bt_target_close(target);
  return EXIT_SUCCESS;
}
