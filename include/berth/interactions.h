/* interactions.h - interactions of poses with the receptor as results: lists, tables, similarity, filters
 * (docs/interactions.md).
 *
 * A site is opened once for a receptor; the interactions of a pose are found in it, and then compared, filtered,
 * listed as JSON or added to a table. Conventions are those of berth.h.
 */
#ifndef BERTH_INTERACTIONS_H
#define BERTH_INTERACTIONS_H

#include <berth/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A receptor, prepared for any number of poses. It is borrowed until the site is closed. opt_options NULL:
 * defaults. */
typedef struct bt_interaction_site bt_interaction_site;

bt_status bt_interaction_site_open(const bt_molecule *receptor, const bt_contact_options *opt_options,
                                   bt_interaction_site **ret_site, bt_error *opt_error) BT_MUST_USE;
void bt_interaction_site_close(bt_interaction_site *opt_site);

/* The contacts of one pose, of all types. */
typedef struct bt_interactions bt_interactions;

/* xyz[3 bt_ligand_atom_count()], Angstrom, as bt_result_coordinates returns them; NULL: as the ligand was read.
 * Destroy them; neither site nor ligand are needed any more. */
bt_status bt_interactions_find(const bt_interaction_site *site, const bt_ligand *ligand, const double *opt_xyz,
                               bt_interactions **ret_interactions, bt_error *opt_error) BT_MUST_USE;
void bt_interactions_destroy(bt_interactions *opt_interactions);
/* An array of objects, as "contacts" of docs/json.md. free() it. */
bt_status bt_interactions_json(const bt_interactions *interactions, char **ret_json, bt_error *opt_error) BT_MUST_USE;
/* Their columns in a table, without those of R, H and V: "A:ASP25:B, A:ILE50:L"; "none". free() it; NULL: out of
 * memory. */
char *bt_interactions_text(const bt_interactions *interactions);
/* Tanimoto coefficient of the pairs of residue and type that both have, AutoDock-GPU's types R, H and V left out; 1
 * where neither has any. */
double bt_interactions_similarity(const bt_interactions *a, const bt_interactions *b);

/* What poses must be in contact with: words such as "A:ASP25", any interaction with that residue except those of
 * AutoDock-GPU's types, or "hbond:A:ASP25" with one of the kinds hbond, halogen, hydrophobic, water, metal, pi,
 * salt, cation-pi. */
typedef struct bt_contact_filter bt_contact_filter;

/* text: words, a comma between two; all must be met. BT_ERR_USAGE: a word is none, or names no residue of the
 * receptor. */
bt_status bt_contact_filter_create(const char *text, const bt_molecule *opt_receptor, bt_contact_filter **ret_filter,
                                   bt_error *opt_error) BT_MUST_USE;
void bt_contact_filter_destroy(bt_contact_filter *opt_filter);
/* The first word that the pose does not meet; NULL: it meets all. Borrowed from the filter. */
const char *bt_interactions_miss(const bt_interactions *interactions, const bt_contact_filter *filter);

/* Leaves the clusters whose best pose misses a word out of the files of poses (SDF, PDBQT, MOL2, complexes);
 * tables, logs and JSON keep all, and no order changes. ret_kept: how many of bt_result_written() are left;
 * ret_missed: the word that the best pose misses, borrowed from the filter; NULL: none. */
bt_status bt_result_require_contacts(bt_result *result, const bt_interaction_site *site,
                                     const bt_contact_filter *filter, int *ret_kept, const char **ret_missed,
                                     bt_error *opt_error) BT_MUST_USE;
/* Is a cluster, from 1, left out so? */
bool bt_result_leaves_out(const bt_result *result, int cluster);

/* A table with a row for each pose and a column of 0 and 1 for each residue and type, such as A:ASP25:B. */
typedef struct bt_interaction_table bt_interaction_table;

/* poses: a column "pose" numbers the poses. autodock: R, H and V have columns too. */
bt_status bt_interaction_table_create(bool poses, bool autodock, bt_interaction_table **ret_table,
                                      bt_error *opt_error) BT_MUST_USE;
void bt_interaction_table_destroy(bt_interaction_table *opt_table);
/* opt_reference: the similarity to it has a column. */
bt_status bt_interaction_table_add(bt_interaction_table *table, const char *ligand, int pose,
                                   const bt_interactions *interactions, const bt_interactions *opt_reference,
                                   bt_error *opt_error) BT_MUST_USE;
/* Writes CSV, completely or not at all. Columns are ordered by chain, number of the residue, type. */
bt_status bt_interaction_table_write(const bt_interaction_table *table, const char *path,
                                     bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
