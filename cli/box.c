/* box.c - the search box from --center/--size or --autobox. */
#include "box.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

cli_box_request cli_box_request_default(void) { return (cli_box_request){.padding = 5.0, .spacing = 0.375}; }

bool cli_box_given(const cli_spec *spec) {
  return cli_given(spec, "center") || cli_given(spec, "size") || cli_given(spec, "autobox");
}

/* Reads a ligand, a receptor or flexible residues, whichever the file turns out to be; a residue name is more
 * likely looked for in a receptor. The first reading's error is the one worth reporting. */
static bt_status read_any(const char *path, bool receptor_first, bt_molecule ***ret_list, int *ret_count,
                          bt_error *opt_error) {
  const bt_molecule_kind kinds[] = {receptor_first ? BT_MOLECULE_RECEPTOR : BT_MOLECULE_LIGAND,
                                    receptor_first ? BT_MOLECULE_LIGAND : BT_MOLECULE_RECEPTOR, BT_MOLECULE_FLEXIBLE};
  bt_status first = BT_OK;
  for (int i = 0; i < CLI_COUNT(kinds); i++) {
    bt_status status = bt_molecule_read(path, kinds[i], ret_list, ret_count, i == 0 ? opt_error : NULL);
    if (status == BT_OK || status == BT_ERR_IO || status == BT_ERR_MEMORY) return status;
    if (i == 0) first = status;
  }
  return first;
}

static bt_status autobox_extent(const char *argument, double low[3], double high[3], bt_error *opt_error) {
  char *path = strdup(argument);
  if (path == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  const char *resname = NULL;
  char *colon = strrchr(path, ':');
  if (colon != NULL && access(argument, F_OK) != 0) { /* a file name may contain a colon itself */
    *colon = '\0';
    resname = colon + 1;
  }
  bt_molecule **list = NULL;
  int count = 0;
  bt_status status = read_any(path, resname != NULL, &list, &count, opt_error);
  for (int i = 0; status == BT_OK && i < count; i++) {
    double from[3], to[3];
    status = bt_molecule_extent(list[i], resname, from, to, opt_error);
    for (int k = 0; status == BT_OK && k < 3; k++) {
      if (i == 0 || from[k] < low[k]) low[k] = from[k];
      if (i == 0 || to[k] > high[k]) high[k] = to[k];
    }
  }
  bt_molecule_list_destroy(list, count);
  free(path);
  return status;
}

bt_status cli_box_resolve(const cli_spec *spec, const cli_box_request *request, bt_box *ret_box, bt_error *opt_error) {
  bool center = cli_given(spec, "center"), size = cli_given(spec, "size"), autobox = request->opt_autobox != NULL;
  if (center && autobox)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "give one of the two",
                          "--center and --autobox both place the box");
  if (!autobox && !(center && size))
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL,
                          "give --center x,y,z and --size x,y,z, or --autobox FILE[:RESNAME]",
                          center ? "--center needs --size"
                          : size ? "--size needs --center or --autobox"
                                 : "the box is not known");
  double middle[3], edges[3];
  memcpy(middle, request->center, sizeof middle);
  memcpy(edges, request->size, sizeof edges);
  if (autobox) {
    double low[3] = {0}, high[3] = {0};
    bt_status status = autobox_extent(request->opt_autobox, low, high, opt_error);
    if (status != BT_OK) return status;
    for (int k = 0; k < 3; k++) {
      middle[k] = 0.5 * (low[k] + high[k]);
      if (!size) edges[k] = high[k] - low[k] + 2.0 * request->padding;
    }
  }
  for (int k = 0; k < 3; k++)
    if (!(edges[k] > 0.0 && edges[k] <= 1000.0))
      return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "give --size, or another --padding",
                            "an edge of the box is %.3f Angstrom; it must lie between 0 and 1000", edges[k]);
  *ret_box = bt_box_from_size(middle, edges, request->spacing);
  return BT_OK;
}
