/* target.c - opening and closing a target, and what it says of itself. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/text.h"
#include "engine/lga/device/devices.h"
#include "pose/metal_binding.h"
#include "target/boxes.h"
#include "target/state.h"

bt_target_options bt_target_options_default(void) {
  bt_target_options options = {.size = sizeof(bt_target_options),
                               .spacing = BT_BOX_SPACING,
                               .ligands = bt_prepare_options_default(),
                               .stand_ins = BT_STAND_INS_USE};
  options.ligands.conformers = BT_DOCKED_CONFORMERS;
  options.ligands.ensemble = true;
  return options;
}

void bt_target_warn(const bt_target *target, const char *format, ...) {
  char text[1024];
  va_list arguments;
  if (target->options.opt_warn == NULL) return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  target->options.opt_warn(target->options.opt_user, text);
}

static void keep_string(bt_target *target, const char **string) {
  if (*string == NULL) return;
  char *copy = bt_arena_allocate(&target->strings, strlen(*string) + 1, 1);
  if (copy != NULL) memcpy(copy, *string, strlen(*string) + 1);
  *string = copy;
}

static bt_status copy_options(bt_target *target, const bt_target_options *options, bt_error *opt_error) {
  target->options = bt_target_options_default();
  bt_copy_sized(&target->options, sizeof target->options, options);
  target->protocol = bt_protocol_default();
  if (target->options.opt_protocol != NULL)
    bt_copy_sized(&target->protocol, sizeof target->protocol, target->options.opt_protocol);
  target->options.opt_protocol = NULL;
  keep_string(target, &target->options.opt_parameters);
  keep_string(target, &target->protocol.rescore);
  keep_string(target, &target->protocol.networks);
  keep_string(target, &target->protocol.search.opt_device);
  keep_string(target, &target->protocol.search.opt_isa);
  return bt_arena_status(&target->strings, opt_error);
}

/* Side chains must be able to move within the maps. */
static void enlarge(bt_target *target) {
  enum { MARGIN = 3 }; /* Angstrom */
  double low[3], high[3];
  const bt_molecule *flexible = target->receptor->flexible;
  bool larger = false;
  if (flexible == NULL || !target->options.enlarge || bt_molecule_extent(flexible, NULL, low, high, NULL) != BT_OK)
    return;
  for (int i = 0; i < target->n_boxes; i++) larger |= bt_box_include(&target->boxes[i], low, high, MARGIN);
  if (larger) bt_target_warn(target, "the box was enlarged for the flexible residues");
}

/* The receptors of an ensemble; a single one has rigid atoms or maps. */
static bt_status copy_receptors(bt_target *target, bt_error *opt_error) {
  const bt_target_options *o = &target->options;
  target->n_receptors = 1 + (o->opt_ensemble != NULL ? o->n_ensemble : 0);
  target->receptors = bt_allocate((size_t)target->n_receptors, sizeof *target->receptors);
  if (target->receptors == NULL) return bt_fail_memory(opt_error);
  target->receptors[0] = o->receptor;
  for (int i = 1; i < target->n_receptors; i++) target->receptors[i] = o->opt_ensemble[i - 1];
  for (int i = 0; target->n_receptors > 1 && i < target->n_receptors; i++) {
    const bt_receptor *r = target->receptors[i];
    bool tethered = r->prepared != NULL && bt_prepared_receptor_tether(r->prepared) != NULL;
    if (o->n_boxes != 1 || o->pockets > 0 || r->rigid == NULL || r->flexible != NULL || tethered || o->opt_maps != NULL)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = r->path}, "dock into one receptor after the other",
                     "ensembles have a single box, rigid receptors with atoms, and no covalent ligands");
  }
  return BT_OK;
}

static bt_status copy_boxes(bt_target *target, bt_error *opt_error) {
  const bt_target_options *o = &target->options;
  bool maps = bt_receptor_is_maps(target->receptor);
  target->fitted = o->pockets > 0 ? 0.0 : INFINITY;
  target->n_boxes = maps                    ? 1 /* those of maps are in their files */
                  : target->n_receptors > 1 ? target->n_receptors
                                            : o->n_boxes;
  target->boxes = bt_allocate((size_t)target->n_boxes, sizeof *target->boxes);
  if (target->boxes == NULL) return bt_fail_memory(opt_error);
  if (o->opt_maps != NULL) {
    target->boxes[0] = bt_maps_box(o->opt_maps);
    return BT_OK;
  }
  if (maps) {
    const char *none = NULL;
    bt_maps *header = NULL;
    BT_TRY(bt_maps_read(target->receptor->path, &none, 0, &header, opt_error));
    target->boxes[0] = bt_maps_box(header);
    bt_maps_destroy(header);
    return BT_OK;
  }
  for (int i = 0; i < target->n_boxes && o->n_boxes > 0; i++)
    target->boxes[i] = o->boxes[target->n_receptors > 1 ? 0 : i];
  enlarge(target);
  return BT_OK;
}

/* Is there a metal ion that a ligand in a box may bind; without boxes, one at all? */
static bool has_metal(const bt_target *target, const bt_receptor *receptor) {
  enum { REACH = 3 }; /* Angstrom */
  const bt_molecule *rigid = receptor->rigid;
  for (int i = 0; rigid != NULL && i < rigid->n_atoms; i++) {
    bool near = target->n_boxes == 0;
    for (int b = 0; b < target->n_boxes && !near; b++)
      near = bt_box_distance_to(&target->boxes[b], rigid->atoms[i].x) <= REACH;
    if (near && bt_is_binding_metal(rigid, i)) return true;
  }
  return false;
}

/* Vina's spheres do not bind metals as ligands do (decision 035). */
static void choose_function(bt_target *target) {
  bt_protocol *protocol = &target->protocol;
  bool found = false;
  if (!protocol->metals || protocol->scoring != BT_SCORING_VINA || target->options.opt_maps != NULL) return;
  for (int i = 0; i < target->n_receptors; i++) found = found || has_metal(target, target->receptors[i]);
  if (found) protocol->scoring = BT_SCORING_VINA_METALS;
}

/* Networks tell similar poses apart; scoring functions, which minimize them, do not. */
static bt_variants variants_for(const char *opt_rescorers) {
  bt_variants variants = BT_VARIANTS_NONE;
  if (opt_rescorers == NULL) return variants;
  for (int k = 0; bt_rescorer(opt_rescorers, k).name != NULL && variants != BT_VARIANTS_SIMILAR; k++)
    variants = bt_rescorer(opt_rescorers, k).unitless ? BT_VARIANTS_SIMILAR : BT_VARIANTS_CONFORMERS;
  return variants;
}

/* Re-scorers need atoms: with maps there is none by default, and one that was asked for is refused. */
static bt_status check_rescorers(bt_target *target, bt_error *opt_error) {
  const char *rescore = target->protocol.rescore, *usual = bt_protocol_default().rescore;
  if (rescore == NULL || *rescore == '\0') return BT_OK;
  BT_TRY(bt_rescorers_check(rescore, bt_scoring_name(target->protocol.scoring), opt_error));
  if (!bt_receptor_is_maps(target->receptor)) return BT_OK;
  if (usual == NULL || strcmp(rescore, usual) != 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = target->receptor->path},
                   "use a .pdb, .cif or .pdbqt receptor", "re-scoring by %s needs the receptor's atoms", rescore);
  target->protocol.rescore = "";
  return BT_OK;
}

bt_status bt_target_open_with(const bt_target_options *options, bt_target **ret_target, bt_error *opt_error) {
  *ret_target = NULL;
  bt_target *target = bt_allocate(1, sizeof *target);
  if (target == NULL) return bt_fail_memory(opt_error);
  bt_status status = copy_options(target, options, opt_error);
  target->receptor = target->options.receptor;
  if (status == BT_OK) status = check_rescorers(target, opt_error);
  if (status == BT_OK) status = copy_receptors(target, opt_error);
  if (status == BT_OK) status = copy_boxes(target, opt_error);
  if (status == BT_OK) choose_function(target);
  if (status == BT_OK && target->options.all_types)
    status = bt_types_likely(&target->types, target->protocol.scoring, false, opt_error);
  if (status == BT_OK && target->receptor->prepared != NULL)
    target->options.ligands.opt_tether = bt_prepared_receptor_tether(target->receptor->prepared);
  if (status == BT_OK && target->protocol.search.opt_device != NULL &&
      strcmp(target->protocol.search.opt_device, "auto") != 0)
    status = bt_device_check(target->protocol.search.opt_device, target->protocol.search.opt_isa, opt_error);
  target->protocol.search.variants = variants_for(target->protocol.rescore);
  target->protocol.search.opt_progress = bt_target_show;
  target->protocol.search.opt_progress_user = target;
  return BT_HAND_OVER(status, target, ret_target, bt_target_close);
}

bt_status bt_target_open(const char *receptor, const char *opt_box, const bt_protocol *opt_protocol,
                         bt_target **ret_target, bt_error *opt_error) {
  *ret_target = NULL;
  BT_SCOPED bt_box *boxes = NULL;
  BT_SCOPED char *residues = NULL;
  bt_receptor_options prepare = bt_receptor_options_default();
  bt_receptor_source source = {.path = receptor, .opt_prepare = &prepare};
  bt_target_options options = bt_target_options_default();
  bt_box_request request = {.words = opt_box, .model = prepare.model};
  if (bt_is_structure_file(receptor)) request.opt_structure = receptor;
  if (opt_box != NULL) BT_TRY(bt_boxes_find(&request, &boxes, &options.n_boxes, &residues, opt_error));
  const char *const places[] = {residues};
  prepare.places = places;
  prepare.n_places = residues != NULL && residues[0] != '\0';
  bt_boxes_tell(boxes, options.n_boxes, &prepare);
  bt_receptor *own = NULL;
  BT_TRY(bt_receptor_open(&source, &own, opt_error));
  options.receptor = own;
  options.boxes = boxes;
  options.enlarge = true;
  options.opt_protocol = opt_protocol;
  bt_status status = bt_target_open_with(&options, ret_target, opt_error);
  if (status == BT_OK)
    (*ret_target)->own_receptor = own;
  else
    bt_receptor_close(own);
  return status;
}

void bt_target_close(bt_target *opt_target) {
  bt_target *target = opt_target;
  if (target == NULL) return;
  bt_rescoring_close(target->rescoring);
  bt_target_drop_maps(target);
  bt_maps_destroy(target->maps_of_pose);
  bt_text_list_destroy(&target->types);
  bt_text_list_destroy(&target->types_of_pose);
  free(target->receptors);
  free(target->boxes);
  free(target->pockets);
  free(target->receptor_text);
  bt_receptor_close(target->own_receptor);
  bt_arena_destroy(&target->strings);
  free(target);
}

/* Calls that a GPU answers at the same time: while some compute, another prepares its poses (decision 031). */
enum { CALLS_PER_GPU = 3 };

/* Re-scoring takes the best device, or for several ligands all GPUs that dock; joined by commas. */
static bt_status name_devices(const bt_target *target, bool several, char **ret_names, bool *ret_accelerator,
                              bt_error *opt_error) {
  const bt_dock_options *search = &target->protocol.search;
  bt_device_list devices;
  BT_TRY(bt_device_list_make(search->opt_device, search->opt_isa, true, &devices, opt_error));
  BT_ENDED_BY(bt_text_destroy) bt_text names = {0};
  *ret_accelerator = devices.count > 0 && bt_device_describe(devices.items[0]).accelerator;
  for (int d = 0; d < devices.count; d++)
    if (d == 0 || (several && *ret_accelerator && bt_device_describe(devices.items[d]).accelerator))
      bt_text_printf(&names, "%s%s", d > 0 ? "," : "", devices.items[d]->name);
  bt_device_list_free(&devices);
  return bt_text_take(&names, ret_names, opt_error);
}

bt_status bt_target_open_rescoring(bt_target *target, bool several, bt_error *opt_error) {
  const char *names = target->protocol.rescore;
  if (target->rescoring != NULL || names == NULL || names[0] == '\0') return BT_OK;
  bool accelerator;
  BT_SCOPED char *device = NULL;
  BT_TRY(name_devices(target, several, &device, &accelerator, opt_error));
  target->rescore_grid = bt_target_grid_options(target, &target->boxes[0], target->protocol.scoring);
  BT_SCOPED const bt_molecule **rigid = bt_allocate((size_t)target->n_receptors, sizeof *rigid);
  if (rigid == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < target->n_receptors; i++) rigid[i] = target->receptors[i]->rigid;
  const bt_rescore_setting setting = {.receptor = target->receptor->rigid,
                                      .opt_receptors = target->n_receptors > 1 ? rigid : NULL,
                                      .opt_flexible = target->receptor->flexible,
                                      .boxes = target->boxes,
                                      .n_boxes = target->n_boxes,
                                      .grid = &target->rescore_grid,
                                      .opt_device = device,
                                      .threads = target->protocol.search.threads,
                                      .opt_networks = target->protocol.networks,
                                      .calls = several && accelerator ? CALLS_PER_GPU : 1};
  return bt_rescoring_open(names, &setting, &target->rescoring, opt_error);
}

const bt_receptor *bt_target_receptor(const bt_target *target) { return target->receptor; }
int bt_target_receptor_count(const bt_target *target) { return target->n_receptors; }
const bt_receptor *bt_target_receptor_at(const bt_target *target, int index) { return target->receptors[index]; }
const bt_protocol *bt_target_protocol(const bt_target *target) { return &target->protocol; }
int bt_target_box_count(const bt_target *target) { return target->n_boxes; }
bt_box bt_target_box(const bt_target *target, int index) { return target->boxes[index]; }

const bt_pocket *bt_target_pockets(const bt_target *target, int *ret_found) {
  *ret_found = target->n_found;
  return target->pockets;
}

const bt_maps *bt_target_maps(const bt_target *target, int box) {
  return target->maps != NULL ? target->maps[box] : NULL;
}
const bt_box_load *bt_target_load(const bt_target *target) { return &target->load; }
