/* box.c - the search box from --center/--size or --autobox. */
#include "input/box.h"

#include <berth/place.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "common/report.h"
#include "input/inputs.h"

cli_box_request cli_box_request_default(void) {
  return (cli_box_request){.model = 1, .padding = BT_BOX_PADDING, .spacing = BT_BOX_SPACING};
}

bool cli_box_given(const cli_spec *spec) {
  return cli_given(spec, "center") || cli_given(spec, "size") || cli_given(spec, "autobox");
}

bool cli_box_in_receptor(const char *program, cli_box_request *request, cli_prepare *prepare, const char *receptor) {
  if (!bt_structure_file_is(receptor)) return true;
  request->opt_structure = receptor;
  request->model = prepare->receptor.model;
  return cli_prepare_take_out(program, prepare, receptor, request->opt_autobox);
}

/* The smallest box around what --autobox names. */
static bt_status around_place(const cli_spec *spec, const cli_box_request *request, bt_box *ret_box,
                              bt_error *opt_error) {
  double low[3], high[3];
  bt_place place;
  const char *word = request->opt_autobox;
  if (request->opt_structure == NULL && strpbrk(word, "./") == NULL && access(word, F_OK) != 0)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL,
                          "name the file of a residue, as in entry.pdb:LIG, or give the receptor as .pdb or .cif",
                          "--autobox: there is no file '%.200s'", word);
  BT_TRY(bt_place_find(request->opt_autobox, request->opt_structure, &place, opt_error));
  bt_status status = bt_place_extent(&place, request->model, low, high, opt_error);
  bt_place_clear(&place);
  BT_TRY(status);
  return bt_box_around(low, high, cli_given(spec, "size") ? request->size : NULL, request->padding, request->spacing,
                       ret_box, opt_error);
}

/* Which molecules of a structure file may be its ligand, as part of a sentence, free() it; NULL: none, or the file cannot
 * be read, which is told when it has to be. */
static char *ligands_in(const char *opt_structure, int model) {
  BT_SCOPED char *names = NULL;
  if (opt_structure == NULL || !bt_structure_file_is(opt_structure)) return NULL;
  if (bt_receptor_ligands(opt_structure, model, &names, NULL) != BT_OK || *names == '\0') return NULL;
  return cli_format("; in %s may be a ligand: %s (as in --autobox %.*s)", opt_structure, names,
                    (int)strcspn(names, ","), names);
}

bt_status cli_box_resolve(const cli_spec *spec, const cli_box_request *request, bt_box *ret_box, bt_error *opt_error) {
  bool center = cli_given(spec, "center"), size = cli_given(spec, "size"), autobox = request->opt_autobox != NULL;
  if (center && autobox)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "give one of the two",
                          "--center and --autobox both define the box");
  if (autobox) return around_place(spec, request, ret_box, opt_error);
  if (center && size) return bt_box_at(request->center, request->size, request->spacing, ret_box, opt_error);
  BT_SCOPED char *hint = ligands_in(request->opt_structure, request->model);
  BT_SCOPED char *remedy =
      cli_format("give --center x,y,z and --size x,y,z, or --autobox FILE[:RES]%s", hint != NULL ? hint : "");
  return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, remedy != NULL ? remedy : "give --autobox FILE[:RES]",
                        center ? "--center needs --size"
                        : size ? "--size needs --center or --autobox"
                               : "no box");
}

void cli_box_warn(const char *program, const bt_box_load *load) {
  const bt_box *box = &load->box;
  bt_box_memory memory = bt_box_memory_of(load);
  if (bt_box_volume(box) <= BT_BOX_LARGE) return;
  cli_warning(program,
              "the box of %.0f x %.0f x %.0f Angstrom has %.0f cubic Angstrom, more than the %.0f in which a search finds "
              "poses reliably, and takes %.1f GB; give a smaller box, or several",
              box->npts[0] * box->spacing, box->npts[1] * box->spacing, box->npts[2] * box->spacing,
              bt_box_volume(box), BT_BOX_LARGE, (memory.maps + memory.copies) * 1e-9);
}

bool cli_box_refuse(const char *program, const char *opt_receptor, int model, const char *ways) {
  char *hint = ligands_in(opt_receptor, model);
  cli_message(program, "no box; give %s%s", ways, hint != NULL ? hint : "");
  free(hint);
  return false;
}

void cli_box_tell(cli_prepare *prepare, const bt_box *boxes, int count) {
  bt_receptor_options *r = &prepare->receptor;
  for (int k = 0; k < 3; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
      double half = 0.5 * boxes[i].npts[k] * boxes[i].spacing;
      low = fmin(low, boxes[i].center[k] - half);
      high = fmax(high, boxes[i].center[k] + half);
    }
    r->box_center[k] = 0.5 * (low + high);
    r->box_size[k] = high - low;
  }
}

bt_status cli_box_check(const bt_box *box, const cli_receptor *receptor, const char *receptor_path,
                        bt_error *opt_error) {
  const double reach = 8.0; /* Angstrom; of the maps of AutoGrid and Vina */
  BT_TRY(bt_box_check(box, opt_error));
  double distance = bt_box_distance(box, receptor->rigid);
  if (distance <= reach) return BT_OK;
  return cli_fill_error(opt_error, BT_ERR_USAGE, receptor_path, "check --center, or place the box with --autobox",
                        "no receptor atom is within %g Angstrom of the box around (%.3f, %.3f, %.3f); the nearest one "
                        "is %.1f Angstrom away",
                        reach, box->center[0], box->center[1], box->center[2], distance);
}
