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
  if (!bt_is_structure_file(receptor)) return true;
  request->opt_structure = receptor;
  request->model = prepare->receptor.model;
  return cli_prepare_take_out(program, prepare, receptor, request->opt_autobox);
}

bt_status cli_place_extent(const char *word, const char *opt_structure, int model, double low[3], double high[3],
                           bt_error *opt_error) {
  bt_place place;
  BT_TRY(bt_place_find(word, opt_structure, &place, opt_error));
  bt_status status = bt_place_extent(&place, model, low, high, opt_error);
  bt_place_clear(&place);
  return status;
}

/* The smallest box around what --autobox names. */
static bt_status around_place(const cli_spec *spec, const cli_box_request *request, bt_box *ret_box,
                              bt_error *opt_error) {
  double low[3], high[3];
  const char *word = request->opt_autobox;
  if (request->opt_structure == NULL && strpbrk(word, "./") == NULL && access(word, F_OK) != 0)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL,
                          "name the file of a residue, as in entry.pdb:LIG, or provide the receptor as .pdb or .cif",
                          "--autobox: there is no file '%.200s'", word);
  BT_TRY(cli_place_extent(word, request->opt_structure, request->model, low, high, opt_error));
  return bt_box_around(low, high, cli_given(spec, "size") ? request->size : NULL, request->padding, request->spacing,
                       ret_box, opt_error);
}

/* Which molecules of a structure file may be its ligand, as part of a sentence, free() it; NULL: none, or the file
 * cannot be read, which is reported later. */
static char *ligands_in(const char *opt_structure, int model) {
  BT_SCOPED char *names = NULL;
  if (opt_structure == NULL || !bt_is_structure_file(opt_structure)) return NULL;
  if (bt_receptor_ligands(opt_structure, model, &names, NULL) != BT_OK || *names == '\0') return NULL;
  return cli_format("; in %s may be a ligand: %s (as in --autobox %.*s)", opt_structure, names,
                    (int)strcspn(names, ","), names);
}

bt_status cli_box_resolve(const cli_spec *spec, const cli_box_request *request, bt_box *ret_box, bt_error *opt_error) {
  bool center = cli_given(spec, "center"), size = cli_given(spec, "size"), autobox = request->opt_autobox != NULL;
  if (center && autobox)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "use only one of the two",
                          "--center and --autobox both define the box");
  if (autobox) return around_place(spec, request, ret_box, opt_error);
  if (center && size) return bt_box_at(request->center, request->size, request->spacing, ret_box, opt_error);
  BT_SCOPED char *hint = ligands_in(request->opt_structure, request->model);
  BT_SCOPED char *remedy =
      cli_format("use --center x,y,z and --size x,y,z, or --autobox FILE[:RES]%s", hint != NULL ? hint : "");
  return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, remedy != NULL ? remedy : "use --autobox FILE[:RES]",
                        center ? "--center needs --size"
                        : size ? "--size needs --center or --autobox"
                               : "no box");
}

void cli_box_print_memory(const bt_box_load *load, FILE *stream) {
  bt_box_memory memory = bt_box_memory_of(load);
  double all = memory.maps + memory.copies;
  if (all < 1e9) return;
  fprintf(stream, "memory    %.1f GB: maps %.1f GB, and %.1f GB%s for the copies used in the search\n", all * 1e-9,
          memory.maps * 1e-9, memory.copies * 1e-9, memory.on_card ? " on the GPU" : "");
}

bool cli_box_refuse(const char *program, const char *opt_receptor, int model, const char *ways) {
  char *hint = ligands_in(opt_receptor, model);
  cli_message(program, "no box; use %s%s", ways, hint != NULL ? hint : "");
  free(hint);
  return false;
}

/* --- ligands that are bonded to a residue ------------------------------------------------------------- */

bool cli_covalent_check(const cli_spec *spec, const cli_prepare *prepare, const char *receptor) {
  if (prepare->receptor.opt_covalent == NULL)
    return !cli_given(spec, "warhead") ||
           cli_refuse(spec->program, "--warhead needs a residue; name it with --covalent, or remove --warhead");
  if (!bt_is_structure_file(receptor))
    return cli_refuse(spec->program, "--covalent needs a receptor to be prepared; use a .pdb or .cif file");
  return true;
}

void cli_covalent_box(const cli_spec *spec, const cli_prepare *prepare, cli_box_request *box) {
  if (prepare->receptor.opt_covalent == NULL || cli_box_given(spec) || box->opt_autobox != NULL) return;
  box->opt_autobox = prepare->receptor.opt_covalent;
  if (!cli_given(spec, "padding")) box->padding = BT_BOX_COVALENT_PADDING;
}

void cli_covalent_bind(const cli_receptor *receptor, cli_prepare *prepare) {
  if (receptor->opt_prepared != NULL) prepare->ligands.opt_tether = bt_prepared_receptor_tether(receptor->opt_prepared);
}
