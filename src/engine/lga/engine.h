/* engine.h - the docking engine: flexible ligands in maps, searched by the Lamarckian genetic algorithm. */
#ifndef BERTH_ENGINE_LGA_ENGINE_H
#define BERTH_ENGINE_LGA_ENGINE_H

#include "engine/lga/device/devices.h"
#include "pipeline/engine.h"

typedef struct bt_lga_engine {
  bt_engine engine;
  bt_dock_options options;
  const bt_maps *maps;
  const bt_molecule *opt_flexible; /* of ligands from a library */
  const bt_constraints *opt_constraints;
  const char *opt_receptor_pdbqt;  /* that a screen is known by; NULL: its maps */
  bt_device_list devices;
  const bt_backend *last; /* of the devices that were chosen so far */
} bt_lga_engine;

/* On these devices, whose list is handed over. */
bt_status bt_lga_engine_open(const bt_maps *maps, const bt_dock_options *options, const bt_device_list *devices,
                             bt_lga_engine **ret_engine, bt_error *opt_error) BT_MUST_USE;

/* engine.c: the expected work of docking an item, in pair energies. */
double bt_lga_work(const bt_engine *engine, const bt_item *item);

/* dock.c: the engine's function. */
bt_status bt_lga_dock(bt_engine *engine, bt_worker *worker, int count, bt_error *error) BT_MUST_USE;
void bt_lga_leave(bt_engine *engine, bt_worker *worker);

/* screen.c: what a screen needs of the engine. */
bt_status bt_lga_prepare(bt_engine *engine, bt_library *library, bt_library_item *from, bt_item *item, bt_error *reason,
                         bt_error *error) BT_MUST_USE;
void bt_lga_destroy_input(void *ligand);
void bt_lga_destroy_output(void *result);
void bt_lga_describe(const bt_engine *engine, const bt_item *item, bt_store_row *row);
bool bt_lga_keep(const bt_engine *engine, const bt_item *item, int most, bt_store_row *row);
void bt_lga_note(const bt_engine *engine, struct bt_screen_note *note);

#endif
