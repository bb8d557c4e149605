/* runtime.c - variants of modules: those in this build, and their names in messages. */
#include "backend/runtime.h"

#include <stdio.h>
#include <string.h>

const bt_kernel_image *bt_image_next(const bt_kernel_image *images, const bt_module *module,
                                     const bt_kernel_image *opt_after) {
  for (const bt_kernel_image *i = opt_after != NULL ? opt_after + 1 : images; i->module != NULL; i++)
    if (strcmp(i->module, module->name) == 0) return i;
  return NULL;
}

const bt_kernel_image *bt_image_find(const bt_kernel_image *images, const bt_module *module,
                                     const bt_variant *variant) {
  for (const bt_kernel_image *i = NULL; (i = bt_image_next(images, module, i)) != NULL;) {
    int k = 0;
    while (k < BT_VARIANT_VALUES && (i->values[k] == BT_ANY_VALUE || i->values[k] == variant->values[k])) k++;
    if (k == BT_VARIANT_VALUES) return i;
  }
  return NULL;
}

int bt_variant_items(const bt_module *module, const bt_variant *variant) {
  return module->items == 0 ? variant->values[0] * variant->values[1] : 0;
}

bool bt_variant_same(const bt_variant *a, const bt_variant *b) {
  return memcmp(a->values, b->values, sizeof a->values) == 0 && a->real == b->real;
}

void bt_variant_text(const bt_module *module, const bt_variant *variant, char *text, size_t size) {
  snprintf(text, size, module->text, variant->values[0], variant->values[1]);
}

bt_status bt_variant_missing(const char *device, const bt_module *module, const bt_variant *variant,
                             bt_error *opt_error) {
  char text[80];
  bt_variant_text(module, variant, text, sizeof text);
  return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, module->remedy, "%.80s: this build has no kernels of %s",
                 device, text);
}
