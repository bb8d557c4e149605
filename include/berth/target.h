/* target.h - the simple tier: a receptor with its boxes and a protocol, opened once, for any number of ligands.
 *
 *     bt_target *target;
 *     if (bt_target_open("1hpv.pdb", "478", NULL, &target, &error) != BT_OK) // a box around residue 478
 *       goto failed;
 *     bt_result *docked;
 *     if (bt_target_dock_text(target, "smiles", "CC(=O)Oc1ccccc1C(=O)O aspirin", &docked, &error) != BT_OK)
 *       goto failed;
 *     printf("%.2f kcal/mol\n", bt_result_ranked(docked, 0).energy.free_energy);
 *     bt_result_destroy(docked);
 *     bt_target_close(target);
 *
 * Contents
 *   1. Protocols          how ligands are docked and ranked
 *   2. Receptors          from files or from memory
 *   3. Boxes              in words
 *   4. Targets            docking, scoring, screening
 *   5. Molecules          from arrays
 *
 * This header is stable: structs grow at their end alone, and their first member holds their size. Conventions are
 * those of berth.h.
 */
#ifndef BERTH_TARGET_H
#define BERTH_TARGET_H

#include <berth/checks.h>
#include <berth/constrain.h>
#include <berth/grid.h>
#include <berth/place.h>
#include <berth/prepare.h>
#include <berth/rescore.h>
#include <berth/score.h>
#include <berth/screen.h>
#include <berth/search.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Protocols
 *
 *     bt_protocol protocol = bt_protocol_default();
 *     char words[128];
 *     protocol.scoring = BT_SCORING_AD4;
 *     protocol.rescore = "vina,vinardo";
 *     bt_protocol_words(&protocol, words, sizeof words);
 *     puts(words); // ad4, clusters by vina, vinardo (ranks)
 * --------------------------------------------------------------------------------------------------------- */

/* Poses whose strain is computed: energy above the relaxed conformer, and faults of the geometry. Clusters: the best
 * of those that files of poses hold. */
typedef enum bt_strain_of { BT_STRAIN_ALL, BT_STRAIN_CLUSTERS, BT_STRAIN_NONE } bt_strain_of;

/* Checks of the poses that files hold (berth/checks.h): all but the internal energy, which takes seconds per ligand; all;
 * none. */
typedef enum bt_checks_of { BT_CHECKS_ON, BT_CHECKS_ENERGY, BT_CHECKS_OFF } bt_checks_of;

/* Start from bt_protocol_default(); defaults in brackets. The strings are copied by bt_target_open. */
typedef struct bt_protocol {
  size_t size;
  bt_scoring scoring;     /* of the search [VINA] */
  /* Re-scorers of the best pose of every cluster, "vinardo,ad4"; "": none ["cnn"; none where the networks
   * bt_networks_default() are not installed]. */
  const char *rescore;
  bt_rank_by rank_by;     /* how clusters are ranked by all of them [SUM with networks, otherwise RANKS] */
  bt_strain_of strain;    /* of docked poses; screens compute that of the poses they export [CLUSTERS] */
  bt_dock_options search; /* [--effort normal] */
  const char *networks;   /* of the re-scorer cnn, as bt_rescore_setting.opt_networks [bt_networks_default()] */
  bt_checks_of checks;    /* of docked poses; screens check those that they export as SDF [ON] */
  /* With VINA: where a metal ion of the receptor is in reach of a box, or no box is known yet, the function is
   * VINA_METALS; bt_target_protocol() says so [true]. */
  bool metals;
} bt_protocol;

/* The protocol of `berth dock`, `berth screen` and Python where nothing is chosen (decision 025). */
bt_protocol bt_protocol_default(void);
/* It in words, as outputs name it: "vina, clusters by vinardo, ad4 (ranks)". */
void bt_protocol_words(const bt_protocol *protocol, char *text, size_t size);

/* ---------------------------------------------------------------------------------------------------------
 * 2. Receptors
 *
 *     bt_receptor_source source = {.path = "1hpv.cif", .opt_flexible = "A:ARG8"};
 *     bt_receptor *protein;
 *     if (bt_receptor_open(&source, &protein, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_receptor bt_receptor;

typedef struct bt_receptor_source {
  const char *path;         /* PDB or mmCIF (prepared), PDBQT (used unchanged), or .maps.fld (maps without atoms) */
  const char *opt_text;     /* the contents, instead of a file; path tells its format: "mine.pdb" */
  const char *opt_flexible; /* side chains that move: residues "A:ARG8,A:ASP25", or a .pdbqt file */
  const bt_receptor_options *opt_prepare; /* NULL: the defaults */
  const bt_receptor *opt_onto; /* superpose it on this one, by the C-alpha atoms around box_center of opt_prepare (of an
                                * ensemble, docked into the first one's box); NULL: leave it where it is */
} bt_receptor_source;

bt_status bt_receptor_open(const bt_receptor_source *source, bt_receptor **ret_receptor,
                           bt_error *opt_error) BT_MUST_USE;
void bt_receptor_close(bt_receptor *opt_receptor);
/* All borrowed. The rigid part is NULL for maps; flexible side chains may be NULL; prepared: NULL for PDBQT and maps. */
const bt_molecule *bt_receptor_rigid(const bt_receptor *receptor);
const bt_molecule *bt_receptor_flexible(const bt_receptor *receptor);
const bt_prepared_receptor *bt_receptor_prepared(const bt_receptor *receptor);

/* ---------------------------------------------------------------------------------------------------------
 * 3. Boxes
 *
 *     bt_box_request request = {.words = "478;10,2.5,-3:22,22,22", .opt_structure = "1hpv.cif", .model = 1};
 *     bt_box *boxes;
 *     char *residues;
 *     int n_boxes;
 *     if (bt_boxes_find(&request, &boxes, &n_boxes, &residues, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* How boxes are placed. Words, separated by ";": a place as of bt_place_find ("478", "crystal.sdf", "1hsg.pdb:MK1"), or
 * "10,2.5,-3:22,22,22", center and edges in Angstrom. */
typedef struct bt_box_request {
  const char *words;
  const char *opt_structure; /* whose residues words may name; NULL: none */
  int model;                 /* of it; 0: all */
  const double *opt_size;    /* edges of boxes around places, Angstrom; NULL: the place and the padding on every side */
  double padding, spacing;   /* Angstrom; 0: BT_BOX_PADDING, BT_BOX_SPACING */
} bt_box_request;

/* free() the boxes and the residues of the structure that mark them, joined by commas ("": none), which are to be
 * options.places of the receptor's preparation. BT_ERR_USAGE for a word that is no place. */
bt_status bt_boxes_find(const bt_box_request *request, bt_box **ret_boxes, int *ret_count, char **ret_residues,
                        bt_error *opt_error) BT_MUST_USE;
/* Tells the preparation where the boxes are (box_center and box_size). */
void bt_boxes_tell(const bt_box *boxes, int count, bt_receptor_options *prepare);
/* BT_ERR_BOX or BT_ERR_USAGE if a box is too small for any ligand, or no atom of the receptor is near it. */
bt_status bt_box_check_in(const bt_box *box, const bt_receptor *receptor, bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 4. Targets
 *
 *     bt_target_options settings = bt_target_options_default();
 *     bt_target *site;
 *     settings.receptor = protein;
 *     settings.boxes = boxes;
 *     settings.n_boxes = n_boxes;
 *     settings.opt_protocol = &protocol;
 *     if (bt_target_open_with(&settings, &site, &error) != BT_OK)
 *       goto failed;
 *     free(residues);
 *     free(boxes);
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_target bt_target;

/* Start from bt_target_options_default(). */
typedef struct bt_target_options {
  size_t size;
  const bt_receptor *receptor;  /* borrowed until the target is closed */
  const bt_box *boxes;          /* [n_boxes] copied; none with maps and with pockets */
  int n_boxes;
  int pockets;                  /* this many pockets of the receptor are found and docked into [0] */
  double spacing;               /* of maps in pockets, Angstrom [0.375] */
  bool enlarge;                 /* the box where flexible side chains come close to its walls [false] */
  const bt_protocol *opt_protocol; /* NULL: the default */
  bt_prepare_options ligands;   /* of ligands given as text [BT_DOCKED_CONFORMERS as an ensemble], and of screens, which
                                 * dock one conformer */
  const char *opt_parameters;   /* of maps: AutoGrid's parameter file [NULL] */
  bt_stand_ins stand_ins;       /* of maps [USE] */
  bool zinc;                    /* of maps: AutoDock4Zn [false] */
  void (*opt_warn)(void *user, const char *text);
  void *opt_user;
  bt_maps *opt_maps;            /* of a receptor without atoms, instead of those in its file; borrowed [NULL] */
  bool all_types;               /* maps of all types from the start, not of those that turn up [false] */
  bool maps_alone;              /* energies from maps, where sums over the receptor's atoms are usual [false] */
  const bt_constraints *opt_constraints; /* of every ligand that is docked; borrowed [NULL] */
  const bt_receptor *const *opt_ensemble; /* [n_ensemble] further receptors in the frame of the first, borrowed likewise:
                                           * every ligand is docked into all of them, in the only box, and its poses are
                                           * ranked together; `site` of a pose is the number of its receptor, 1 that of
                                           * `receptor` [NULL] */
  int n_ensemble;
} bt_target_options;

bt_target_options bt_target_options_default(void);
bt_status bt_target_open_with(const bt_target_options *options, bt_target **ret_target,
                              bt_error *opt_error) BT_MUST_USE;
/* The short form: the receptor's file, prepared with default options, and the words of its box (maps: NULL). */
bt_status bt_target_open(const char *receptor, const char *opt_box, const bt_protocol *opt_protocol,
                         bt_target **ret_target, bt_error *opt_error) BT_MUST_USE;
void bt_target_close(bt_target *opt_target);

const bt_receptor *bt_target_receptor(const bt_target *target);
/* Receptors of the ensemble, 1 without any, and each of them, from 0; borrowed. */
int bt_target_receptor_count(const bt_target *target);
const bt_receptor *bt_target_receptor_at(const bt_target *target, int index);
const bt_protocol *bt_target_protocol(const bt_target *target);
int bt_target_box_count(const bt_target *target);
bt_box bt_target_box(const bt_target *target, int index);
/* The pockets that were docked into; NULL: the boxes were given. */
const bt_pocket *bt_target_pockets(const bt_target *target, int *ret_found);

/* A ligand on its way through the target. */
typedef struct bt_target_ligand {
  const bt_molecule *molecule;      /* must outlive the result; NULL: error says why */
  const bt_molecule *opt_reference; /* as for bt_dock */
  bt_result *result;                /* re-scored and ranked by the protocol; the caller's */
  bt_error error;                   /* why there is none */
} bt_target_ligand;

typedef struct bt_target_progress {
  double fraction; /* of the work with the ligands read so far */
  int given, done; /* ligands */
  bool more;       /* ligands are left to be read */
  int64_t evaluations;
  double best_energy; /* inter + intra, kcal/mol */
} bt_target_progress;

/* Any number of ligands. One call of done, started or progress at a time, from any thread; next may run beside them. */
typedef struct bt_target_stream {
  bt_target_ligand *(*next)(void *user); /* its address must not change; NULL: no more */
  /* Every ligand is handed back once, after a stop with BT_ERR_CANCELLED; false stops. */
  bool (*done)(void *user, bt_target_ligand *ligand);
  /* Maps have been computed or read, and ligands read ahead; further types may call for maps again. */
  bt_status (*opt_started)(void *user, int ligands, bool more, bt_error *error);
  bool (*opt_progress)(void *user, const bt_target_progress *progress); /* about ten times a second; false stops */
  void *user;
} bt_target_stream;

bt_status bt_target_dock_stream(bt_target *target, const bt_target_stream *stream, bt_error *opt_error) BT_MUST_USE;
/* One ligand; the molecule must outlive the result, which owns everything else that it needs. */
bt_status bt_target_dock(bt_target *target, const bt_molecule *molecule, bt_result **ret_result,
                         bt_error *opt_error) BT_MUST_USE;
/* The first record of a text in a format (bt_prepare_options.opt_format): a SMILES with or without a name, an SDF, MOL2 or PDBQT record; prepared as the target's
 * options say. */
bt_status bt_target_dock_text(bt_target *target, const char *format, const char *text, bt_result **ret_result,
                              bt_error *opt_error) BT_MUST_USE;

/* Maps in any box, of at least these types; the target's until the next call. For scoring many poses in one grid. */
bt_status bt_target_maps_in(bt_target *target, const bt_box *box, bt_scoring scoring, const bt_ligand *opt_ligand,
                            const bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;
/* A pose as it stands, ready for bt_pose_score: with the function and in the box of the docking that it records, unless
 * ignore_docking; otherwise with those of the target, or around itself in a target without boxes. */
typedef struct bt_target_pose {
  bt_pose_plan plan;
  bt_ligand *ligand;
  const bt_maps *maps; /* the target's, until the next call */
} bt_target_pose;
bt_status bt_target_place(bt_target *target, const bt_molecule *molecule, bool ignore_docking,
                          bt_target_pose *ret_pose, bt_error *opt_error) BT_MUST_USE;
void bt_target_pose_clear(bt_target_pose *pose);
/* Its energy. */
bt_status bt_target_score(bt_target *target, const bt_molecule *molecule, bool ignore_docking, bt_energy *ret_energy,
                          bt_error *opt_error) BT_MUST_USE;
/* The minimum that a local search reaches from it; the result has one run. */
bt_status bt_target_minimize(bt_target *target, const bt_molecule *molecule, bt_result **ret_result,
                             bt_error *opt_error) BT_MUST_USE;

/* The maps of the search in a box; NULL before they were needed. Borrowed until the next docking. */
const bt_maps *bt_target_maps(const bt_target *target, int box);
/* The memory load of the maps of one box; no types: they were read from files. */
const bt_box_load *bt_target_load(const bt_target *target);
/* Docks a library into the target's only box. Of options, the target fills prepare, maps, rescoring, rank_by,
 * opt_flexible, opt_receptor_pdbqt, search and opt_parameters (a filter in prepare stays); bt_target_fill_screen only
 * does that, for bt_screen_run. */
bt_status bt_target_fill_screen(bt_target *target, bt_screen_options *options, bt_error *opt_error) BT_MUST_USE;
bt_status bt_target_screen(bt_target *target, const bt_screen_options *options, bt_screen_progress *ret_progress,
                           bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 5. Molecules
 *
 *     const bt_atom_input atoms[] = {{.element = "C"}, {.element = "O"}};
 *     const bt_bond_input bonds[] = {{.from = 0, .to = 1, .order = 1}};
 *     bt_molecule *methanol;
 *     if (bt_molecule_build("methanol", atoms, 2, bonds, 1, NULL, &methanol, &error) != BT_OK)
 *       goto failed;
 *     if (bt_target_dock(site, methanol, &docked, &error) != BT_OK)
 *       goto failed;
 *     bt_result_destroy(docked); // before the molecule
 *     bt_molecule_destroy(methanol);
 *     bt_target_close(site);
 *     bt_receptor_close(protein);
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_atom_input {
  const char *element; /* "C" */
  int charge;          /* formal, e */
  double x[3];         /* Angstrom */
} bt_atom_input;
typedef struct bt_bond_input {
  int from, to; /* atoms, from 0 */
  int order;    /* 1, 2, 3; 4: aromatic */
} bt_bond_input;

/* Prepares a molecule given as arrays, with all, some or no hydrogens; without coordinates (all zero) it gets a
 * conformer. bt_molecule_destroy. */
bt_status bt_molecule_build(const char *name, const bt_atom_input *atoms, int n_atoms, const bt_bond_input *bonds,
                            int n_bonds, const bt_prepare_options *opt_options, bt_molecule **ret_molecule,
                            bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
