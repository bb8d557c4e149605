/* report.h - results for human readers: contacts, complexes, an HTML report (docs/report.md).
 *
 * Contents
 *   1. Contacts           of poses with the receptor; waters of hydrated docking
 *   2. Complexes          receptor and pose in one file; sessions of viewers
 *   3. Reports one HTML page that shows the results
 *
 * Conventions and the examples' error and result are those of berth.h.
 */
#ifndef BERTH_REPORT_H
#define BERTH_REPORT_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Contacts
 *
 *     bt_molecule **receptor;
 *     bt_contact_options contacts = bt_contact_options_default();
 *     if (bt_molecule_read("receptor.pdbqt", BT_MOLECULE_RECEPTOR, &receptor, &count, &error) != BT_OK ||
 *         bt_result_find_contacts(result, receptor[0], &contacts, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* Contacts of a pose with the receptor (docs/report.md has their definitions). The first three are AutoDock-GPU's. */
typedef enum bt_contact_type {
  BT_CONTACT_REACTIVE,
  BT_CONTACT_HBOND,
  BT_CONTACT_VDW,
  BT_CONTACT_PI,  /* pi stacking */
  BT_CONTACT_SALT, /* salt bridge */
  BT_CONTACT_CATION_PI,
  BT_CONTACT_DIRECTED_HBOND, /* hydrogen bond by distance and angle */
  BT_CONTACT_HALOGEN,        /* halogen bond */
  BT_CONTACT_HYDROPHOBIC,
  BT_CONTACT_WATER, /* bridge through a water of the receptor */
  BT_CONTACT_METAL, /* coordination of a metal of the receptor */
  BT_CONTACT_COUNT
} bt_contact_type;

/* Start from bt_contact_options_default(); defaults in brackets. Maximum distances, inclusive, Angstrom. */
typedef struct bt_contact_options {
  double reactive, hbond, vdw; /* [2.1, 3.7, 4.0] */
  bool gpu_donors; /* the donor in a ligand is the hydrogen, as in AutoDock-GPU's code, not the atom bearing it
                    * [false] */
} bt_contact_options;

bt_contact_options bt_contact_options_default(void);
/* Finds the contacts of all poses, for the DLG, XML and JSON files: DLG and XML list AutoDock-GPU's types, JSON all of
 * them. receptor is the molecule of the maps; it is borrowed and must outlive the result. */
bt_status bt_result_find_contacts(bt_result *result, const bt_molecule *receptor, const bt_contact_options *options,
                                  bt_error *opt_error) BT_MUST_USE;
/* Hydrated docking: judges the waters of all poses as strong, weak or displaced (docs/preparation.md), so that tables
 * and files hold the verdicts; nothing where the ligand has no waters. Without a receptor the W map alone decides. No
 * energy changes. */
bt_status bt_result_judge_waters(bt_result *result, const bt_molecule *opt_receptor, bt_error *opt_error) BT_MUST_USE;
/* Strain, the energy above the ligand's relaxed conformer in MMFF94s or UFF, of the best poses of the first `most`
 * clusters, or of all poses when it is negative, and faults of the geometry of all poses (twisted amides, open rings,
 * other stereochemistry), so that tables and files hold them (docs/formats.md). Some 30 ms a pose. Nothing where bonds
 * are unknown. No score changes. */
bt_status bt_result_judge_strain(bt_result *result, int most, bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 2. Complexes
 *
 *     if (bt_result_write_complex(result, 0, receptor[0], "best.pdb", &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* Receptor, flexible residues and ligand of one pose in one PDB or mmCIF file, by the ending of its path; position as in
 * bt_result_ranked. The atoms are those of the PDBQT files, hence without hydrogens on carbon; atoms without an element (TZ, W, G) are omitted. */
bt_status bt_result_write_complex(const bt_result *result, int position, const bt_molecule *receptor,
                                  const char *path, bt_error *opt_error) BT_MUST_USE;

/* Files for a viewer to open, relative to the script's folder or absolute. */
typedef struct bt_session {
  const char *const *receptors; /* [n_receptors] */
  int n_receptors;
  const char *poses; /* several in one file */
  const char *opt_reference;
} bt_session;

typedef enum bt_session_program { BT_SESSION_PYMOL, BT_SESSION_CHIMERAX } bt_session_program;

/* A script that shows the receptor, the residues within 5 Angstrom of any pose, metals, poses one by one, and their polar
 * contacts: .pml for PyMOL, .cxc for ChimeraX. free() the text. */
bt_status bt_session_text(const bt_session *session, bt_session_program program, char **ret_text,
                          bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 3. Reports
 *
 *     bt_report_options page = bt_report_options_default();
 *     bt_report_summary shown;
 *     if (bt_report_write("results/", &page, "report.html", &shown, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* bt_maps_warning and bt_result_warning in one line, as in JSON files; "" if there are none. free() the text; NULL if
 * out of memory. */
char *bt_result_warnings(const bt_result *result);

/* Start from bt_report_options_default(); defaults in brackets. */
typedef struct bt_report_options {
  const char *opt_receptor; /* PDBQT; NULL: searched for in the folder, then where the docking log points [NULL] */
  const char *opt_actives;  /* POSIX extended regular expression of the names of actives, for enrichment [NULL] */
  const char *opt_viewer;   /* the JavaScript file of NGL; NULL: the one built in, if any [NULL] */
  const char *opt_title;    /* NULL: the name of the folder [NULL] */
  const char *opt_other;    /* a second folder, whose ligands are compared with those of the same name [NULL] */
  const char *opt_fingerprints; /* CSV file to write the interaction fingerprints of all ligands with poses to [NULL] */
  int64_t top;              /* number of best ligands shown with poses, depiction and contacts [100] */
  int64_t rows;             /* number of best ligands listed in the table; 0: all [10,000] */
  int poses;                /* poses per top ligand; 0: all [50] */
  bt_contact_options contacts;
  const char *opt_reference; /* text of a molecule, PDB (such as bt_receptor_ligand_pdb gives) or a ligand's PDBQT, that is
                              * drawn over poses whose docking had no reference, such as all of a screen [NULL] */
} bt_report_options;

bt_report_options bt_report_options_default(void);

/* What a page shows. */
typedef struct bt_report_summary {
  bool screen;               /* the folder is that of a screen */
  bool receptor, viewer;     /* a receptor was found; a 3D viewer is included */
  int64_t ligands, rows, detailed, poses, rejected;
  int64_t unreadable;        /* docking logs that could not be read; the error of the last one is in `trouble` */
  bt_error trouble;
  bt_screen_damage damage;   /* of a screen's database */
  uint64_t bytes;
} bt_report_summary;

/* Writes one self-contained HTML file for a folder of `berth dock` or `berth screen` (or the database itself).
 * BT_ERR_USAGE if there is nothing to report. */
bt_status bt_report_write(const char *folder, const bt_report_options *options, const char *path,
                          bt_report_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
