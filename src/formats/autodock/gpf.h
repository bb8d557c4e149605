/* gpf.h - AutoGrid 4's grid parameter file.
 *
 * AutoGrid executes each line as it reads it; this reader treats the file as declarative, so the order of lines does
 * not matter. Names of files are kept as written; AutoGrid resolves them against the working folder.
 */
#ifndef BERTH_FORMATS_AUTODOCK_GPF_H
#define BERTH_FORMATS_AUTODOCK_GPF_H

#include "formats/autodock/keywords.h"

/* A modified potential for one pair of types, nbp_r_eps or nbp_coeffs: E = a / r^m - b / r^n. */
typedef struct bt_gpf_pair {
  bool coefficients; /* nbp_coeffs: first = a, second = b; nbp_r_eps: first = distance, second = depth */
  double first, second;
  int m, n;
  char types[2][8]; /* ligand, receptor; AutoGrid tries both orders */
  long line;
} bt_gpf_pair;

typedef struct bt_gpf {
  bt_text_list names;              /* owns the next six */
  const char *opt_parameter_file;
  const char *fld, *receptor;      /* gridfld, receptor */
  const char *opt_electrostatic;   /* elecmap */
  const char *opt_desolvation;     /* dsolvmap */
  const char *opt_floating;        /* fmap */
  bt_text_list receptor_types;     /* empty: those of the receptor */
  bt_text_list ligand_types, maps; /* maps[i] is the file of ligand_types[i] */
  int npts[3];                     /* made even */
  double spacing, smooth;          /* Angstrom; 0.375, 0.5 */
  bool center_auto;                /* the mean of the receptor's atoms */
  double center[3];
  bool has_dielectric;     /* without the keyword AutoGrid's electrostatic map is zero */
  double dielectric;       /* negative: distance-dependent; 0: 40 */
  double solvation_charge; /* qasp, 0.01097 */
  bool disorder_h;
  bool has_covalent; /* covalentmap: the map of type Z */
  double covalent_half_width, covalent_barrier, covalent_center[3];
  int n_pairs;
  bt_gpf_pair *pairs;
  bt_text_list warnings; /* ignored keywords that would change the result */
} bt_gpf;

/* On failure nothing has to be destroyed. bt_gpf_parse reads a text in memory; path is for messages. */
bt_status bt_gpf_read(const char *path, bt_gpf *ret_gpf, bt_error *opt_error) BT_MUST_USE;
bt_status bt_gpf_parse(const char *path, const char *data, size_t size, bt_gpf *ret_gpf,
                       bt_error *opt_error) BT_MUST_USE;
void bt_gpf_destroy(bt_gpf *gpf);

#endif
