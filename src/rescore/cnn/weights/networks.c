/* networks.c - folders of networks: where they are, what they hold, and installing into one.
 *
 * 1. folders   2. what is installed   3. installing
 */
#include <berth/networks.h>

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/files/file.h"
#include "base/files/zip.h"
#include "base/memory.h"
#include "rescore/cnn/weights/known.h"

/* Most bytes of an archive, and of a network in one. */
enum { MOST_ARCHIVE = 1 << 30, MOST_NETWORK = 1 << 28 };

/* ------------------------------------------------------------------------------------------- 1. folders -- */

/* folder, or folder/tail; false if it does not fit. */
static bool write_path(char *path, size_t size, const char *folder, const char *opt_tail) {
  int length = snprintf(path, size, "%s%s%s", folder, opt_tail != NULL ? "/" : "", opt_tail != NULL ? opt_tail : "");
  return length > 0 && (size_t)length < size;
}

/* share/berth/networks above the program's folder, or with `shared` the given number of folders above that of
 * libberth.so, which another program may have opened. */
static bool installation(bool shared, int above, char *path, size_t size) {
  static const char here = 0;
  Dl_info info;
  BT_SCOPED char *own = NULL;
  if (shared && (dladdr(&here, &info) == 0 || info.dli_fname == NULL || strstr(info.dli_fname, ".so") == NULL))
    return false; /* linked into the program */
  own = realpath(shared ? info.dli_fname : "/proc/self/exe", NULL);
  for (int k = 0; own != NULL && k <= above; k++) {
    char *slash = strrchr(own, '/');
    if (slash == NULL) return false;
    *slash = '\0';
  }
  return own != NULL && write_path(path, size, own, "share/berth/networks");
}

/* A candidate; false: it does not apply here. */
static bool candidate(int index, char *path, size_t size) {
  static const char tail[] = "berth/networks";
  const char *own = getenv("BERTH_NETWORKS"), *system = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  char folder[4096];
  switch (index) {
    case 0: return own != NULL && own[0] != '\0' && write_path(path, size, own, NULL);
    case 1:
      if (system != NULL && system[0] == '/') return write_path(path, size, system, tail);
      return home != NULL && home[0] == '/' && write_path(folder, sizeof folder, home, ".local/share") &&
             write_path(path, size, folder, tail);
    case 2: return installation(false, 1, path, size); /* bin/berth */
    case 3: return installation(true, 1, path, size);  /* lib/libberth.so */
    case 4: return installation(true, 2, path, size);  /* lib/x86_64-linux-gnu/libberth.so */
    default: return false;
  }
}

enum { CANDIDATES = 5 };

bool bt_networks_folder(int index, char *path, size_t size) {
  if (candidate(0, path, size)) return index == 0; /* what is named is meant */
  for (int k = 1, found = 0; k < CANDIDATES; k++)
    if (candidate(k, path, size) && found++ == index) return true;
  return false;
}

/* -------------------------------------------------------------------------------- 2. what is installed -- */

static int is_network(const struct dirent *entry) {
  size_t size = strlen(entry->d_name);
  return size > 4 && strcmp(entry->d_name + size - 4, ".btn") == 0 && entry->d_name[0] != '.';
}

static void tell_of(const bt_cnn_weights *w, const char *path, bt_network_fn opt_tell, void *user) {
  bt_network network = {.name = w->name,
                        .path = path,
                        .architecture = bt_cnn_architecture_name(w->architecture),
                        .source = w->source,
                        .hash = bt_cnn_hash(w)};
  for (int t = 0; t < w->n_tensors; t++) /* running means and variances are statistics */
    if (strstr(w->tensors[t].name, ".running_") == NULL) network.parameters += (int64_t)w->tensors[t].size;
  if (opt_tell != NULL) opt_tell(user, &network, NULL);
}

static void tell_trouble(const char *path, const bt_error *trouble, bt_network_fn opt_tell, void *user) {
  bt_network network = {.path = path};
  if (opt_tell != NULL) opt_tell(user, &network, trouble);
}

static bt_status list_file(const char *folder, const char *file, bt_text_list *seen, bt_network_fn tell, void *user,
                           bt_error *opt_error) {
  int before = seen->count;
  BT_TRY(bt_text_list_add_new(seen, bt_span_from(file), opt_error));
  if (seen->count == before) return BT_OK; /* hidden by a folder before */
  BT_SCOPED char *path = bt_path_join(folder, file);
  if (path == NULL) return bt_fail_memory(opt_error);
  bt_cnn_weights *w = NULL;
  bt_error trouble = {0};
  bt_status status = bt_cnn_weights_read(path, &w, &trouble);
  if (status == BT_ERR_MEMORY) return bt_fail_memory(opt_error);
  if (status == BT_OK)
    tell_of(w, path, tell, user);
  else
    tell_trouble(path, &trouble, tell, user);
  bt_cnn_weights_destroy(w);
  return BT_OK;
}

bt_status bt_networks_list(bt_network_fn tell, void *user, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_list_destroy) bt_text_list seen = {0};
  char folder[4096];
  bt_status status = BT_OK;
  for (int f = 0; status == BT_OK && bt_networks_folder(f, folder, sizeof folder); f++) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_network, alphasort);
    for (int k = 0; k < count; k++) {
      if (status == BT_OK) status = list_file(folder, entries[k]->d_name, &seen, tell, user, opt_error);
      free(entries[k]);
    }
    free(entries);
  }
  return status;
}

/* ------------------------------------------------------------------------------------------- 3. installing -- */

static bt_status install_one(const char *label, bt_span data, const char *folder, bt_network_fn opt_tell, void *user,
                             bt_error *opt_error) {
  bt_cnn_weights *w = NULL;
  BT_TRY(bt_cnn_weights_parse(label, data.text, data.size, &w, opt_error));
  bt_status status = BT_OK;
  if (!bt_cnn_name_check(w->name))
    status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "rename the file: letters, digits, _ - .",
                     "the name of the file cannot be that of a network");
  BT_SCOPED char *path = NULL;
  if (status == BT_OK) {
    char file[128];
    snprintf(file, sizeof file, "%s.btn", w->name);
    path = bt_path_join(folder, file);
    status = path != NULL ? bt_cnn_weights_write(w, path, opt_error) : bt_fail_memory(opt_error);
  }
  if (status == BT_OK) tell_of(w, path, opt_tell, user);
  bt_cnn_weights_destroy(w);
  return status;
}

static bool ends(bt_span name, const char *ending) {
  size_t size = strlen(ending);
  return name.size > size && memcmp(name.text + name.size - size, ending, size) == 0;
}

/* One entry; what is wrong with it alone is told, and does not end the installation. */
static bt_status install_entry(const char *archive, const bt_zip_entry *entry, const char *folder, bool *installed,
                               bt_network_fn opt_tell, void *user, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text label = {0};
  BT_SCOPED char *memory = NULL;
  bt_span content;
  bt_error trouble = {0};
  bt_text_printf(&label, "%s/%.*s", archive, (int)entry->name.size, entry->name.text);
  BT_TRY(bt_text_status(&label, opt_error));
  bt_status status = bt_zip_read(label.data, entry, MOST_NETWORK, &content, &memory, &trouble);
  if (status == BT_OK) status = install_one(label.data, content, folder, opt_tell, user, &trouble);
  *installed = *installed || status == BT_OK;
  if (status == BT_ERR_INPUT || status == BT_ERR_LIMIT) {
    tell_trouble(label.data, &trouble, opt_tell, user);
    return BT_OK;
  }
  if (status != BT_OK && opt_error != NULL) *opt_error = trouble;
  return status;
}

/* The networks of an archive; *ret_archive is false if it is itself one: then it has a data.pkl. */
static bt_status install_archive(const char *path, bt_span data, const char *folder, bool *ret_archive,
                                 bt_network_fn opt_tell, void *user, bt_error *opt_error) {
  BT_SCOPED bt_zip_entry *entries = NULL;
  size_t count = 0;
  *ret_archive = true;
  BT_TRY(bt_zip_list(path, data.text, data.size, &entries, &count, opt_error));
  for (size_t k = 0; k < count; k++) *ret_archive = *ret_archive && !ends(entries[k].name, "data.pkl");
  if (!*ret_archive) return BT_OK;
  bool installed = false;
  for (size_t k = 0; k < count; k++)
    if (ends(entries[k].name, ".pt") || ends(entries[k].name, ".btn"))
      BT_TRY(install_entry(path, &entries[k], folder, &installed, opt_tell, user, opt_error));
  if (installed) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path},
                 "use gninatorch-0.0.2-py3-none-any.whl, or a file of a network (.pt, .btn)",
                 "the archive holds no network of the architectures default2018 and dense that can be installed");
}

bt_status bt_networks_install(const char *file, const char *opt_folder, bt_network_fn opt_tell, void *user,
                              bt_error *opt_error) {
  char folder[4096];
  BT_SCOPED char *data = NULL;
  size_t size = 0;
  if (opt_folder == NULL && !bt_networks_folder(0, folder, sizeof folder))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "set BERTH_NETWORKS to a folder",
                   "there is no folder for networks: none of BERTH_NETWORKS, XDG_DATA_HOME and HOME names one");
  if (opt_folder == NULL) opt_folder = folder;
  BT_TRY(bt_file_read_most(file, MOST_ARCHIVE, &data, &size, opt_error));
  BT_TRY(bt_file_make_folder(opt_folder, opt_error));
  bool archive = false;
  if (bt_is_zip(data, size))
    BT_TRY(install_archive(file, (bt_span){data, size}, opt_folder, &archive, opt_tell, user, opt_error));
  return archive ? BT_OK : install_one(file, (bt_span){data, size}, opt_folder, opt_tell, user, opt_error);
}
