/* module.c - see module.h. */
#include "engine/lga/device/module.h"

#define NAME(constant, entry) [constant] = #entry,
static const char *const entries[BT_LAUNCH_KERNEL_COUNT] = {BT_LAUNCH_KERNELS(NAME)};
#undef NAME

_Static_assert(sizeof(bt_kernel_pair) == 48, "bt_load_pair and CUDA's bt_stream_next read pairs of that size");

const bt_module bt_lga_module = {
    .name = "lga",
    .constants = {"BT_TEAM", "BT_POSES", "BT_REDUCTION"},
    .text = "%d x %d work-items with that reduction",
    .remedy = "use another --team or --reduction",
    .entries = entries,
    .n_entries = BT_LAUNCH_KERNEL_COUNT,
    .launch_bytes = sizeof(bt_launch),
    .waits = true,
    .local_bytes = SIZE_MAX,
};

bool bt_team_variant_next(const bt_runtime *runtime, const bt_kernel_image **at, bt_team_variant *ret_variant) {
  *at = bt_image_next(runtime->images, &bt_lga_module, *at);
  if (*at != NULL) *ret_variant = (bt_team_variant){(*at)->values[0], (*at)->values[1], (bt_reduction)(*at)->values[2]};
  return *at != NULL;
}

bt_variant bt_team_variant_key(const bt_team_variant *variant) {
  return (bt_variant){.values = {variant->team, variant->poses, (int)variant->reduction}};
}
