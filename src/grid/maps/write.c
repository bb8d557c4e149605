/* write.c - a set of maps becomes .maps.fld, .maps.xyz and .map files, all of them or none. */
#include "grid/maps/write.h"

#include <berth/grid.h>
#include <stdlib.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "formats/autodock/fld.h"
#include "formats/autodock/map.h"

/* Output files that still have temporary names. */
typedef struct file_group {
  bt_file_writer **writers;
  int count;
} file_group;

static bt_status open_file(file_group *group, const char *path, bt_file_writer **ret_writer, bt_error *opt_error) {
  BT_TRY(bt_file_writer_open(path, ret_writer, opt_error));
  group->writers[group->count++] = *ret_writer;
  return BT_OK;
}

static bt_status add_text(bt_file_writer *writer, bt_text *text, bt_error *opt_error) {
  BT_TRY(bt_text_status(text, opt_error));
  BT_TRY(bt_file_writer_add(writer, text->data, text->size, opt_error));
  text->size = 0;
  return BT_OK;
}

static bt_status add_file(file_group *group, const char *path, bt_text *text, bt_error *opt_error) {
  bt_file_writer *writer;
  BT_TRY(open_file(group, path, &writer, opt_error));
  return add_text(writer, text, opt_error);
}

/* Piece by piece, which stays in the cache. */
static bt_status add_map(file_group *group, const char *path, const bt_map_header *header, const float *values,
                         size_t points, bt_text *text, bt_error *opt_error) {
  enum { PIECE = 16384 };
  bt_file_writer *writer;
  BT_TRY(open_file(group, path, &writer, opt_error));
  bt_map_format_header(text, header);
  for (size_t first = 0; first < points; first += PIECE) {
    size_t end = points - first < PIECE ? points : first + PIECE;
    BT_TRY(bt_map_format_values(text, values, first, end, opt_error));
    BT_TRY(add_text(writer, text, opt_error));
  }
  return BT_OK;
}

/* Everything reaches the disk before the first name appears. */
static bt_status commit_all(file_group *group, bt_error *opt_error) {
  bt_status status = BT_OK;
  for (int i = 0; i < group->count && status == BT_OK; i++) status = bt_file_writer_seal(group->writers[i], opt_error);
  for (int i = 0; i < group->count; i++) {
    if (status == BT_OK)
      status = bt_file_writer_commit(group->writers[i], opt_error);
    else
      bt_file_writer_abandon(group->writers[i]);
  }
  group->count = 0;
  return status;
}

static const char *or_default(const char *opt_name, const char *name) {
  return opt_name != NULL && opt_name[0] != '\0' ? opt_name : name;
}

static bt_status write_group(file_group *group, const bt_maps *maps, bt_map_file fld, bt_map_file xyz,
                             const bt_map_file *map_files, bt_text *text, bt_error *opt_error) {
  bt_map_header header = {.gpf_name = or_default(maps->gpf_name, "none.gpf"),
                          .fld_name = fld.name,
                          .receptor_file = or_default(maps->receptor_file, "receptor.pdbqt"),
                          .box = maps->box};
  for (int m = 0; m < maps->n_types + 2; m++) {
    BT_TRY(add_map(group, map_files[m].path, &header, maps->values[m], bt_maps_points(maps), text, opt_error));
  }
  bt_xyz_format(text, &maps->box);
  BT_TRY(add_file(group, xyz.path, text, opt_error));
  BT_SCOPED const char **names = bt_allocate((size_t)maps->n_types + 2, sizeof *names);
  if (names == NULL) return bt_fail_memory(opt_error);
  for (int m = 0; m < maps->n_types + 2; m++) names[m] = map_files[m].name;
  bt_fld_format(text, &maps->box, header.receptor_file, header.gpf_name, xyz.name, (const char(*)[8])maps->types,
                maps->n_types, names, maps->scoring);
  return add_file(group, fld.path, text, opt_error); /* last, so that a .fld never names maps that are not there */
}

bt_status bt_maps_write_files(const bt_maps *maps, bt_map_file fld, bt_map_file xyz, const bt_map_file *map_files,
                              bt_error *opt_error) {
  BT_SCOPED bt_file_writer **writers = bt_allocate((size_t)maps->n_types + 4, sizeof *writers);
  if (writers == NULL) return bt_fail_memory(opt_error);
  file_group group = {writers, 0};
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_status status = write_group(&group, maps, fld, xyz, map_files, &text, opt_error);
  if (status == BT_OK) status = commit_all(&group, opt_error);
  for (int i = 0; i < group.count; i++) bt_file_writer_abandon(group.writers[i]);
  return status;
}

static bt_map_file named(const char *prefix, const char *middle, const char *end) {
  bt_text text = {0};
  bt_text_printf(&text, "%s.%s%s", prefix, middle, end);
  if (text.failed) {
    bt_text_destroy(&text);
    return (bt_map_file){0};
  }
  return (bt_map_file){text.data, bt_path_base(text.data)};
}

bt_status bt_maps_write(const bt_maps *maps, const char *prefix, bt_error *opt_error) {
  int count = maps->n_types + 4;
  BT_SCOPED bt_map_file *files = bt_allocate((size_t)count, sizeof *files);
  if (files == NULL) return bt_fail_memory(opt_error);
  files[0] = named(prefix, "maps", ".fld");
  files[1] = named(prefix, "maps", ".xyz");
  for (int m = 0; m < maps->n_types; m++) files[2 + m] = named(prefix, maps->types[m], ".map");
  files[count - 2] = named(prefix, "e", ".map");
  files[count - 1] = named(prefix, "d", ".map");
  bt_status status = BT_OK;
  for (int i = 0; i < count && status == BT_OK; i++)
    if (files[i].path == NULL) status = bt_fail_memory(opt_error);
  if (status == BT_OK) status = bt_maps_write_files(maps, files[0], files[1], files + 2, opt_error);
  for (int i = 0; i < count; i++) free(files[i].path);
  return status;
}
