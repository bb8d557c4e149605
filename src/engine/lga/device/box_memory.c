/* box_memory.c - estimates the memory of a docking before any map is computed.
 *
 * Systems that overcommit grant memory that does not exist; the program is then killed without a message when the maps
 * are filled.
 */
#include <berth/berth.h>
#include <berth/grid.h>
#include <berth/score.h>
#include <string.h>

#include "base/machine.h"
#include "engine/lga/device/device_maps.h"
#include "engine/lga/device/kernel_data.h"

static double points_of(const bt_box *box) {
  return (box->npts[0] + 1.0) * (box->npts[1] + 1.0) * (box->npts[2] + 1.0);
}

/* Names with a number are those of cards; auto uses the CPU where no card is usable. */
static bool find_card(const char *opt_device, bt_device_info *ret_card) {
  if (opt_device == NULL || strcmp(opt_device, "auto") == 0 || strncmp(opt_device, "cpu", 3) == 0) return false;
  size_t length = strcspn(opt_device, ",");
  for (int i = 0; i < bt_device_count(); i++) {
    *ret_card = bt_device(i);
    bool named = strncmp(ret_card->name, opt_device, length) == 0 &&
                 (ret_card->name[length] == '\0' || ret_card->name[length] == ':');
    if (named && ret_card->usable) return ret_card->accelerator && ret_card->memory > 0;
  }
  return false;
}

static bt_box_memory needs(const bt_box_load *load, bool card) {
  double map = points_of(&load->box) * sizeof(float);
  bool charged = bt_scoring_traits_of(load->scoring)->charges;
  /* without charges, ligands share the maps of all of them (device_maps.h) */
  int types = charged && load->n_ligand_types < load->n_types ? load->n_ligand_types : load->n_types;
  double folded = bt_device_maps_folded(map * types, card), at_once = load->at_once > 1 && !card ? load->at_once : 1;
  /* without charges, electrostatics and desolvation are zero everywhere, and take memory in the copies alone */
  return (bt_box_memory){.maps = map * (load->n_types + (charged ? 2 : 0)),
                         .copies = at_once * (map * (types + 2) + folded),
                         .on_card = card};
}

bt_box_memory bt_box_memory_of(const bt_box_load *load) {
  bt_device_info card;
  return needs(load, find_card(load->opt_device, &card));
}

bt_status bt_box_memory_check(const bt_box_load *load, bt_error *opt_error) {
  bt_device_info card = {0};
  bool on_card = find_card(load->opt_device, &card);
  bt_box_memory memory = needs(load, on_card);
  double points = points_of(&load->box), machine = bt_machine_memory();
  double here = memory.maps + (on_card ? 0.0 : memory.copies);
  const char *remedy = "choose a smaller box (--size) or a larger spacing (--spacing)";
  if (machine > 0 && here > machine)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, remedy,
                   "docking in this box needs %.1f GB (%d maps of %.0f million points%s); this machine has %.1f GB",
                   here * 1e-9, load->n_types, points * 1e-6, on_card ? "" : ", and the copies used in the search",
                   machine * 1e-9);
  if (on_card && memory.copies > (double)card.memory)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, remedy,
                   "docking in this box needs %.1f GB on %s, which has %.1f GB", memory.copies * 1e-9, card.name,
                   (double)card.memory * 1e-9);
  if (points > (double)BT_DOCK_MOST_POINTS)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, remedy,
                   "the maps of this box have %.0f million points; docking can use at most %.0f million", points * 1e-6,
                   BT_DOCK_MOST_POINTS * 1e-6);
  return BT_OK;
}
