/* report.h - results for people: contacts, complexes, a page (docs/report.md).
 *
 * Contents
 *   1. Contacts           of poses with the receptor
 *   2. Complexes          receptor and pose in one file
 *   3. Reports            one page that shows what came out
 *
 * Conventions and the examples' error and result are those of berth.h.
 */
#ifndef BERTH_REPORT_H
#define BERTH_REPORT_H

#include <berth/screen.h>

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
  BT_CONTACT_CATION_PI
} bt_contact_type;

/* Start from bt_contact_options_default(); defaults in brackets. Largest distances, inclusive, Angstrom. */
typedef struct bt_contact_options {
  double reactive, hbond, vdw; /* [2.1, 3.7, 4.0] */
  bool gpu_donors; /* a ligand's donor is its hydrogen, as in AutoDock-GPU's code, not the atom that carries it [false] */
} bt_contact_options;

bt_contact_options bt_contact_options_default(void);
/* Finds the contacts of all poses, so that DLG, XML and JSON files hold them: the first two AutoDock-GPU's types, JSON all
 * of them. receptor is the molecule of the maps, borrowed like them: it must outlive the result. */
bt_status bt_result_find_contacts(bt_result *result, const bt_molecule *receptor, const bt_contact_options *options,
                                  bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 2. Complexes
 *
 *     if (bt_result_write_complex(result, 0, receptor[0], BT_COMPLEX_PDB, "best.pdb", &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

typedef enum bt_complex_format { BT_COMPLEX_PDB, BT_COMPLEX_MMCIF } bt_complex_format;

/* Receptor, flexible residues and ligand of one pose in one file; position as in bt_result_ranked. Atoms are those of the
 * PDBQT files, so hydrogens on carbon are missing; points without an element (TZ, W, G) are left out. */
bt_status bt_result_write_complex(const bt_result *result, int position, const bt_molecule *receptor,
                                  bt_complex_format format, const char *path, bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 3. Reports
 *
 *     bt_report_options page = bt_report_options_default();
 *     bt_report_summary shown;
 *     if (bt_report_write("results/", &page, "report.html", &shown, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* bt_maps_warning and bt_result_warning in one line, as in JSON files; "" when all went well. free() the text; NULL
 * without memory. */
char *bt_result_warnings(const bt_result *result);

/* Start from bt_report_options_default(); defaults in brackets. */
typedef struct bt_report_options {
  const char *opt_receptor; /* PDBQT; NULL: looked for in the folder, then where the docking log says [NULL] */
  const char *opt_actives;  /* POSIX extended regular expression of the names of actives, for enrichment [NULL] */
  const char *opt_viewer;   /* the JavaScript of NGL; NULL: that of the build, if it has one [NULL] */
  const char *opt_title;    /* NULL: the name of the folder [NULL] */
  const char *opt_other;    /* a second folder, whose ligands stand beside those of the same name [NULL] */
  const char *opt_fingerprints; /* a CSV file for the interaction fingerprints of all ligands with poses [NULL] */
  int64_t top;              /* so many of the best ligands with poses, depiction and contacts [100] */
  int64_t rows;             /* so many of the best ligands in the table; 0: all [10,000] */
  int poses;                /* of each of the top ligands; 0: all [50] */
  bt_contact_options contacts;
} bt_report_options;

bt_report_options bt_report_options_default(void);

/* What a page shows. */
typedef struct bt_report_summary {
  bool screen;               /* the folder is that of a screen */
  bool receptor, viewer;     /* there is a receptor; the poses can be looked at */
  int64_t ligands, rows, detailed, poses, rejected;
  int64_t unreadable;        /* docking logs that could not be read; opt_error of the last one is in `trouble` */
  bt_error trouble;
  bt_screen_damage damage;   /* of a screen's database */
  uint64_t bytes;
} bt_report_summary;

/* Writes one HTML file that needs nothing else, for the folder of `berth dock` or `berth screen` (or the database itself).
 * BT_ERR_USAGE when there is nothing to report. */
bt_status bt_report_write(const char *folder, const bt_report_options *options, const char *path,
                          bt_report_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* "NGL 2.4.0"; "" when this build brings no viewer. */
const char *bt_report_viewer(void);

#ifdef __cplusplus
}
#endif

#endif
