/* box.c - the search box from --center/--size or --autobox. */
#include "input/box.h"

#include <math.h>
#include <string.h>

#include "input/place.h"
#include "common/report.h"

cli_box_request cli_box_request_default(void) { return (cli_box_request){.padding = 5.0, .spacing = 0.375}; }

bool cli_box_given(const cli_spec *spec) {
  return cli_given(spec, "center") || cli_given(spec, "size") || cli_given(spec, "autobox");
}

bool cli_box_in_receptor(const char *program, cli_box_request *request, cli_prepare *prepare, const char *receptor) {
  if (!cli_is_structure(receptor)) return true;
  request->opt_structure = receptor;
  request->model = prepare->receptor.model;
  return cli_prepare_take_out(program, prepare, receptor, request->opt_autobox);
}

bt_status cli_box_resolve(const cli_spec *spec, const cli_box_request *request, bt_box *ret_box, bt_error *opt_error) {
  bool center = cli_given(spec, "center"), size = cli_given(spec, "size"), autobox = request->opt_autobox != NULL;
  if (center && autobox)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "give one of the two",
                          "--center and --autobox both place the box");
  if (!autobox && !(center && size))
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL,
                          "give --center x,y,z and --size x,y,z, or --autobox FILE[:RES]",
                          center ? "--center needs --size"
                          : size ? "--size needs --center or --autobox"
                                 : "the box is not known");
  double middle[3], edges[3];
  memcpy(middle, request->center, sizeof middle);
  memcpy(edges, request->size, sizeof edges);
  if (autobox) {
    double low[3] = {0}, high[3] = {0};
    BT_TRY(cli_place_find(request->opt_autobox, request->opt_structure, request->model, low, high, opt_error));
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

bool cli_box_include(bt_box *box, const double low[3], const double high[3], double margin) {
  double middle[3], edges[3];
  bool changed = false;
  for (int k = 0; k < 3; k++) {
    double half = 0.5 * box->npts[k] * box->spacing, from = box->center[k] - half, to = box->center[k] + half;
    double lower = fmin(from, low[k] - margin), upper = fmax(to, high[k] + margin);
    changed = changed || lower < from || upper > to;
    middle[k] = 0.5 * (lower + upper);
    edges[k] = upper - lower;
  }
  if (changed) *box = bt_box_from_size(middle, edges, box->spacing);
  return changed;
}
