/* networks.h - the convolutional networks that are installed, and how others are.
 *
 *     if (bt_networks_install("gninatorch-0.0.2-py3-none-any.whl", NULL, NULL, NULL, &error) != BT_OK) goto failed;
 *
 * A network is a file NAME.btn in one of several folders. docs/networks.md says which networks there are, on what they
 * were trained, and their licenses. Conventions and the example's variables are those of berth.h.
 */
#ifndef BERTH_NETWORKS_H
#define BERTH_NETWORKS_H

#include <berth/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bt_network {
  const char *name;         /* "dense_3" */
  const char *path;         /* of its file */
  const char *architecture; /* "default2018" or "dense" */
  const char *source;       /* where it comes from, and its license */
  int64_t parameters;       /* numbers that were trained */
} bt_network;

/* Is told of a network; or, with opt_trouble, of a file that was left out and why: then only path is set. Everything is
 * borrowed for the call. */
typedef void (*bt_network_fn)(void *user, const bt_network *network, const bt_error *opt_trouble);

/* The folders in which networks are searched, in this order: $BERTH_NETWORKS; $XDG_DATA_HOME/berth/networks, or without
 * that variable ~/.local/share/berth/networks; share/berth/networks of the installation. index: from 0; false after the
 * last one. New networks go into the first. */
bool bt_networks_folder(int index, char *path, size_t size);

/* Tells of every network that is installed: folder after folder, by name; of several with one name only the first,
 * which is the one that is used. Files of networks that cannot be read are told as trouble. */
bt_status bt_networks_list(bt_network_fn tell, void *user, bt_error *opt_error) BT_MUST_USE;

/* Installs the network of a file, .pt (a state dictionary written by PyTorch) or .btn; or all networks in an archive,
 * .zip or .whl, leaving out those of other architectures. opt_folder: where to, NULL for the first folder; it is
 * created, and a network of the same name replaced. opt_tell may be NULL. BT_ERR_INPUT if there was none to install. */
bt_status bt_networks_install(const char *file, const char *opt_folder, bt_network_fn opt_tell, void *user,
                              bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
