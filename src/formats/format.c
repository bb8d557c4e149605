/* format.c - the endings of a format. */
#include "formats/format.h"

#include <strings.h>

#include "base/files/unpack.h"

static bool ends_with(bt_span name, bt_span ending) {
  return name.size > ending.size && strncasecmp(name.text + name.size - ending.size, ending.text, ending.size) == 0;
}

/* The PDB's assemblies are called 1abc.pdb1, 1abc.pdb2: the name without that number. */
static bt_span without_assembly(bt_span name) {
  bt_span rest = name;
  while (rest.size > 0 && name.size - rest.size < 3 && rest.text[rest.size - 1] >= '0' && rest.text[rest.size - 1] <= '9')
    rest.size--;
  return ends_with(rest, bt_span_from(".pdb")) ? rest : name;
}

size_t bt_format_ending(const bt_format *format, const char *path) {
  bt_span all = bt_span_from(path), name = all, rest = bt_span_from(format->endings), ending;
  if (!(format->is & BT_FORMAT_LIBRARY)) name.size -= bt_packed_ending(name.text, name.size);
  name = without_assembly(name);
  while ((ending = bt_span_word(&rest)).size > 0)
    if (ends_with(name, ending)) return ending.size + (all.size - name.size);
  return 0;
}
