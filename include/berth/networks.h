/* networks.h - the convolutional networks that are installed, how others are, and what they say of a pose.
 *
 *     if (bt_networks_install("gninatorch-0.0.2-py3-none-any.whl", NULL, NULL, NULL, &error) != BT_OK) goto failed;
 *
 * A network is a file NAME.btn in one of several folders. docs/networks.md says which networks there are, on what they
 * were trained, and their licenses. Conventions and the example's variables are those of berth.h.
 */
#ifndef BERTH_NETWORKS_H
#define BERTH_NETWORKS_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bt_network {
  const char *name;         /* "dense_3" */
  const char *path;         /* of its file */
  const char *architecture; /* "default2018" or "dense" */
  const char *source;       /* where it comes from, and its license */
  int64_t parameters;       /* numbers that were trained */
  uint64_t hash;            /* XXH64 of its numbers: the same network has the same under any name and in any file */
} bt_network;

/* Is told of a network; or, with opt_trouble, of a file that was left out and why: then only path is set. Everything is
 * borrowed for the call. */
typedef void (*bt_network_fn)(void *user, const bt_network *network, const bt_error *opt_trouble);

/* The folders in which networks are searched: $BERTH_NETWORKS alone, if it is set; otherwise, in this order,
 * $XDG_DATA_HOME/berth/networks, or without that variable ~/.local/share/berth/networks, and share/berth/networks of the
 * installation. index: from 0; false after the last one. New networks go into the first. */
bool bt_networks_folder(int index, char *path, size_t size);

/* The ensemble that scores where no networks are named: "staged" (docs/networks.md). */
const char *bt_networks_default(void);

/* Are all these networks installed? opt_names: as in bt_network_setting. Their files are not read. */
bool bt_networks_installed(const char *opt_names);

/* Tells of every network that is installed: folder after folder, by name; of several with one name only the first,
 * which is the one that is used. Files of networks that cannot be read are told as trouble. */
bt_status bt_networks_list(bt_network_fn tell, void *user, bt_error *opt_error) BT_MUST_USE;

/* Installs the network of a file, .pt (a state dictionary written by PyTorch) or .btn; or all networks in an archive,
 * .zip or .whl, leaving out those of other architectures. opt_folder: where to, NULL for the first folder; it is
 * created, and a network of the same name replaced. opt_tell may be NULL. BT_ERR_INPUT if there was none to install. */
bt_status bt_networks_install(const char *file, const char *opt_folder, bt_network_fn opt_tell, void *user,
                              bt_error *opt_error) BT_MUST_USE;

/* ---- Scores of poses ----
 *
 *     bt_molecule **receptors;
 *     if (bt_molecule_read("receptor.pdbqt", BT_MOLECULE_RECEPTOR, &receptors, &count, &error) != BT_OK)
 *       goto failed;
 *     const bt_network_setting setting = {.receptor = receptors[0]};
 *     bt_network_score score;
 *     bt_networks *networks;
 *     if (bt_networks_open(&setting, &networks, &error) != BT_OK) goto failed;
 *     if (bt_networks_score(networks, ligand, NULL, &score, NULL, &error) != BT_OK) goto failed;
 *     printf("CNNscore %.3f, CNNaffinity %.2f\n", score.score, score.affinity);
 *     bt_networks_close(networks);
 */

/* Networks opened for a receptor. As the re-scorer "cnn" (berth/rescore.h) they rank docked poses. */
typedef struct bt_networks bt_networks;

typedef struct bt_network_setting {
  /* Names of networks, .btn or .pt files, "staged", "gnina", "fast", joined by commas; NULL: bt_networks_default(). All
   * score every pose here, those of "staged", too. */
  const char *opt_names;
  const bt_molecule *receptor; /* copied */
  const bt_molecule *opt_flexible;
  const char *opt_device;      /* as in bt_dock_options */
  int threads;                 /* 0: all cores */
  int sharers;                 /* such sets of networks that will share the device's memory, with this one; 0: 1 */
} bt_network_setting;

typedef struct bt_network_score {
  double score;    /* probability that the pose is right, 0 to 1 */
  double affinity; /* pK */
} bt_network_score;

bt_status bt_networks_open(const bt_network_setting *setting, bt_networks **ret_networks,
                           bt_error *opt_error) BT_MUST_USE;
int bt_networks_count(const bt_networks *networks);
const char *bt_networks_name(const bt_networks *networks, int index);
uint64_t bt_networks_hash(const bt_networks *networks, int index); /* as in bt_network */
/* Of a pose: opt_xyz, Angstrom, or the ligand's own. opt_each: [count]; the mean is over all. BT_ERR_PARAMETER: the
 * ligand has no atom that networks see. */
bt_status bt_networks_score(bt_networks *networks, const bt_ligand *ligand, const double *opt_xyz,
                            bt_network_score *ret_mean, bt_network_score *opt_each, bt_error *opt_error) BT_MUST_USE;
/* Of several poses of a ligand, in one go: poses[n_poses], each [3 bt_ligand_atom_count()] Angstrom, as
 * bt_result_coordinates gives them. ret_means: [n_poses]; opt_each: [n_poses][count]. */
bt_status bt_networks_score_poses(bt_networks *networks, const bt_ligand *ligand, const double *const *poses,
                                  int n_poses, bt_network_score *ret_means, bt_network_score *opt_each,
                                  bt_error *opt_error) BT_MUST_USE;
void bt_networks_close(bt_networks *opt_networks);

#ifdef __cplusplus
}
#endif

#endif
