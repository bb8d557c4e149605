/* preflight.h - failures that can be detected before a search begins. */
#ifndef BERTH_ENGINE_LGA_PREFLIGHT_H
#define BERTH_ENGINE_LGA_PREFLIGHT_H

#include "base/status.h"
#include "grid/maps/maps.h"
#include "pose/ligand.h"

/* BT_ERR_PARAMETER for hydration water with Vina's terms, which do not see it; BT_ERR_BOX when a rigid part of the
 * ligand is longer than the box's diagonal, so that no pose can lie inside. */
bt_status bt_preflight(const bt_ligand *ligand, const bt_maps *maps, bt_error *opt_error) BT_MUST_USE;

#endif
