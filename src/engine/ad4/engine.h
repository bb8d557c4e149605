/* engine.h - AutoDock 4 as an engine: flexible ligands in maps, searched by the Lamarckian genetic algorithm. */
#ifndef BERTH_ENGINE_AD4_ENGINE_H
#define BERTH_ENGINE_AD4_ENGINE_H

#include "engine/ad4/devices.h"
#include "engine/ad4/rescore.h"
#include "engine/engine.h"

typedef struct bt_ad4_engine {
  bt_engine engine;
  bt_dock_options options;
  const bt_maps *maps;
  bt_rescore_plan rescore; /* of a screen */
  const bt_molecule *opt_flexible; /* of ligands from a library */
  const char *opt_receptor_pdbqt;  /* that a screen is known by; NULL: its maps */
  bt_device_list devices;
  const bt_backend *last; /* of the devices that were chosen so far */
} bt_ad4_engine;

/* On these devices, whose list is handed over. */
bt_status bt_ad4_engine_open(const bt_maps *maps, const bt_dock_options *options, const bt_device_list *devices,
                             bt_ad4_engine **ret_engine, bt_error *opt_error) BT_MUST_USE;

/* engine.c: the expected work of docking an item, in pair energies. */
double bt_ad4_work(const bt_engine *engine, const bt_item *item);

/* dock.c: the engine's function. */
bt_status bt_ad4_dock(bt_engine *engine, bt_worker *worker, int count, bt_error *error) BT_MUST_USE;
void bt_ad4_leave(bt_engine *engine, bt_worker *worker);

/* screen.c: what a screen needs of the engine. */
bt_status bt_ad4_prepare(bt_engine *engine, bt_library *library, bt_library_item *from, bt_item *item, bt_error *reason,
                         bt_error *error) BT_MUST_USE;
void bt_ad4_describe(const bt_engine *engine, const bt_item *item, bt_store_row *row);
bool bt_ad4_keep(const bt_engine *engine, const bt_item *item, int most, bt_store_row *row);
void bt_ad4_note(const bt_engine *engine, struct bt_screen_note *note);

#endif
