/* absent.c - stubs for a build without gemmi. */
#include "formats/structure.h"

#include <berth/prepare.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* they are those of structure.h */

const char *bt_gemmi_version(void) { return ""; }

bt_status bt_structure_parse(const char *path, const char *data, size_t size, bool mmcif, int model,
                             bt_structure *structure, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path},
                 "install gemmi-dev and tao-pegtl-dev and build again, or use a prepared PDBQT file",
                 "this build has no gemmi, which PDB and mmCIF files need");
}
