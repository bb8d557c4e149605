/* sources.c - expands paths to files. */
#include "library/sources.h"

#include <berth/place.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/pattern.h"

enum { DEEPEST = 64 }; /* folders in folders */

static bool ends_with(bt_span name, const char *ending) {
  size_t size = strlen(ending);
  return name.size > size && bt_span_equals_ignoring_case((bt_span){name.text + name.size - size, size}, ending);
}

/* The PDB's assemblies are called 1abc.pdb1, 1abc.pdb2: the name without that number. */
static bt_span without_assembly(bt_span name) {
  size_t size = name.size;
  while (size > 0 && name.size - size < 3 && name.text[size - 1] >= '0' && name.text[size - 1] <= '9') size--;
  bt_span rest = {name.text, size};
  return ends_with(rest, ".pdb") ? rest : name;
}

bool bt_pdb_file_is(const char *path) {
  bt_span name = without_assembly(bt_span_from(path));
  return ends_with(name, ".pdb") || ends_with(name, ".ent");
}

/* Length of the extension of a ligand file, including ".gz"; 0 for other files. */
static size_t find_ending(const char *name, bt_ligand_format *ret_format) {
  static const struct {
    const char *ending;
    bt_ligand_format format;
  } endings[] = {{".pdbqt", BT_LIGAND_PDBQT},   {".sdf", BT_LIGAND_SDF},    {".sd", BT_LIGAND_SDF},
                 {".mol", BT_LIGAND_SDF},       {".mol2", BT_LIGAND_MOL2},  {".smi", BT_LIGAND_SMILES},
                 {".smiles", BT_LIGAND_SMILES}, {".ism", BT_LIGAND_SMILES}, {".pdb", BT_LIGAND_PDB},
                 {".ent", BT_LIGAND_PDB}};
  bt_span span = bt_span_from(name);
  size_t packed = ends_with(span, ".gz") ? 3 : 0;
  span.size -= packed;
  packed += span.size - without_assembly(span).size;
  span = without_assembly(span);
  *ret_format = BT_LIGAND_AUTO;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    if (!ends_with(span, endings[i].ending)) continue;
    *ret_format = endings[i].format;
    return strlen(endings[i].ending) + packed;
  }
  return 0;
}

bt_ligand_format bt_ligand_file_format(const char *path) {
  bt_ligand_format format;
  (void)find_ending(path, &format);
  return format;
}

size_t bt_ligand_file_ending(const char *path) {
  bt_ligand_format format;
  return find_ending(path, &format);
}

bool bt_structure_file_is(const char *path) {
  static const char *const endings[] = {".pdb", ".ent", ".cif", ".mmcif"};
  bt_span span = bt_span_from(path);
  bool found = false;
  if (ends_with(span, ".gz")) span.size -= 3;
  span = without_assembly(span);
  for (size_t i = 0; !found && i < sizeof endings / sizeof *endings; i++) found = ends_with(span, endings[i]);
  return found;
}

bt_source_kind bt_source_kind_of(const char *name, bt_ligand_format *ret_format) {
  bt_span span = bt_span_from(name);
  *ret_format = BT_LIGAND_AUTO;
  if (ends_with(span, ".btl")) return BT_SOURCE_BTL;
  if (ends_with(span, ".tar") || ends_with(span, ".tgz") || ends_with(span, ".tar.gz")) return BT_SOURCE_ARCHIVE;
  return find_ending(name, ret_format) > 0 ? BT_SOURCE_TEXT : BT_SOURCE_UNKNOWN;
}

bt_status bt_sources_append(bt_sources *sources, const char *path, bt_source_kind kind, bt_ligand_format format,
                            bt_error *opt_error) {
  if (!BT_GROW(sources->items, &sources->room, sources->count + 1)) return bt_fail_memory(opt_error);
  sources->items[sources->count] =
      (bt_source){.path = bt_copy_text(path, strlen(path)), .kind = kind, .format = format};
  if (sources->items[sources->count].path == NULL) return bt_fail_memory(opt_error);
  sources->count++;
  return BT_OK;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }
static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static bt_status add_folder(bt_sources *sources, const char *folder, int depth, bt_error *opt_error);

/* Skipping what cannot be read now would make this a different library later. */
static bt_status look(const char *path, bool follow, struct stat *info, bool *ret_there, bt_error *opt_error) {
  *ret_there = (follow ? stat(path, info) : lstat(path, info)) == 0;
  if (*ret_there || errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENAMETOOLONG) return BT_OK;
  return bt_file_fail_read(path, errno, opt_error);
}

static bt_status is_excluded(const bt_sources *sources, const struct stat *info, bool *ret_excluded,
                             bt_error *opt_error) {
  struct stat other;
  bool there = false;
  *ret_excluded = false;
  if (sources->opt_excluded != NULL) BT_TRY(look(sources->opt_excluded, true, &other, &there, opt_error));
  *ret_excluded = there && other.st_dev == info->st_dev && other.st_ino == info->st_ino;
  return BT_OK;
}

static bt_status add_entry(bt_sources *sources, const char *folder, const char *name, int depth, bt_error *opt_error) {
  BT_SCOPED char *path = bt_path_join(folder, name);
  struct stat info;
  if (path == NULL) return bt_fail_memory(opt_error);
  bt_ligand_format format;
  bt_source_kind kind = bt_source_kind_of(name, &format);
  bool known, excluded = false;
  BT_TRY(look(path, false, &info, &known, opt_error));
  if (known && S_ISDIR(info.st_mode)) /* links to folders could form cycles */
    return depth < DEEPEST ? add_folder(sources, path, depth + 1, opt_error) : BT_OK;
  if (kind == BT_SOURCE_UNKNOWN || format == BT_LIGAND_PDB) return BT_OK; /* structures are more likely receptors */
  if (known) BT_TRY(is_excluded(sources, &info, &excluded, opt_error));
  return excluded ? BT_OK : bt_sources_append(sources, path, kind, format, opt_error);
}

static bt_status add_folder(bt_sources *sources, const char *folder, int depth, bt_error *opt_error) {
  BT_SCOPED struct dirent **entries = NULL;
  int count = scandir(folder, &entries, is_visible, by_name);
  if (count < 0)
    return bt_fail(opt_error, BT_ERR_IO, (bt_where){.file = folder}, "check its permissions",
                   "cannot list the folder: %s", strerror(errno));
  bt_status status = BT_OK;
  for (int i = 0; i < count; i++) {
    if (status == BT_OK) status = add_entry(sources, folder, entries[i]->d_name, depth, opt_error);
    free(entries[i]);
  }
  return status;
}

static bt_status add_pattern(bt_sources *sources, const char *pattern, bt_ligand_format stdin_format,
                             bt_error *opt_error) {
  glob_t found;
  int code = bt_pattern_find(pattern, &found);
  if (code == GLOB_NOSPACE) return bt_fail_memory(opt_error);
  if (code != 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = pattern}, "check the pattern", "no file matches");
  bt_status status = BT_OK;
  for (size_t i = 0; i < found.gl_pathc && status == BT_OK; i++)
    status = bt_sources_add(sources, found.gl_pathv[i], stdin_format, opt_error);
  globfree(&found);
  return status;
}

bt_status bt_sources_add(bt_sources *sources, const char *path, bt_ligand_format stdin_format, bt_error *opt_error) {
  struct stat info;
  if (strcmp(path, "-") == 0) {
    for (size_t i = 0; i < sources->count; i++)
      if (strcmp(sources->items[i].path, "-") == 0) return BT_OK;
    return bt_sources_append(sources, path, BT_SOURCE_TEXT,
                             stdin_format == BT_LIGAND_AUTO ? BT_LIGAND_PDBQT : stdin_format, opt_error);
  }
  bool exists;
  BT_TRY(look(path, true, &info, &exists, opt_error));
  if (!exists && strpbrk(path, "*?[") != NULL) return add_pattern(sources, path, stdin_format, opt_error);
  if (exists && S_ISDIR(info.st_mode)) {
    size_t before = sources->count;
    BT_TRY(add_folder(sources, path, 0, opt_error));
    if (sources->count > before) return BT_OK;
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "give a folder with ligands",
                   "no .pdbqt, .sdf, .mol2, .smi, .tar or .btl file in this folder");
  }
  bt_ligand_format format;
  bt_source_kind kind = bt_source_kind_of(path, &format);
  return bt_sources_append(sources, path, kind, format, opt_error);
}

void bt_sources_destroy(bt_sources *sources) {
  for (size_t i = 0; i < sources->count; i++) free(sources->items[i].path);
  free(sources->items);
  *sources = (bt_sources){0};
}
