/* absent.c - the functions of rdkit.h in a build without RDKit. */
#include <stddef.h>

#include "chem/rdkit.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* they are those of rdkit.h */

static bt_status absent(bt_where where, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_USAGE, where, "install librdkit-dev and libboost-dev and build again, or use PDBQT",
                 "this build has no RDKit");
}

#define NOWHERE ((bt_where){0})
#define ABSENT(where) { return absent(where, opt_error); }

const char *bt_rdkit_version(void) { return ""; }

bt_status bt_rdmol_read(bt_rdformat format, const char *text, size_t size, bt_where where, const char *opt_template,
                        bt_rdmol **ret_mol, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_make(const bt_rdatom *atoms, int n_atoms, const bt_rdbond *bonds, int n_bonds, const double (*x)[3],
                        const char *name, bt_where where, bt_rdmol **ret_mol, bt_error *opt_error) ABSENT(where)
bt_rdmol *bt_rdmol_copy(const bt_rdmol *mol) { return NULL; }
void bt_rdmol_destroy(bt_rdmol *opt_mol) {}

bool bt_rdmol_set_name(bt_rdmol *mol, const char *name) { return false; }
int bt_rdmol_atom_count(const bt_rdmol *mol) { return 0; }
int bt_rdmol_bond_count(const bt_rdmol *mol) { return 0; }
void bt_rdmol_atoms(const bt_rdmol *mol, bt_rdatom *ret_atoms) {}
void bt_rdmol_bonds(const bt_rdmol *mol, bt_rdbond *ret_bonds) {}

bt_status bt_rdmol_perceive(const int *elements, const double (*x)[3], const int *hydrogens, int n_atoms,
                            bt_where where, bt_rdmol **ret_mol, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_keep_largest(bt_rdmol *mol, bt_where where, char **ret_removed, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_change_proton(bt_rdmol *mol, int atom, int delta, bt_where where, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_add_hydrogens(bt_rdmol *mol, bt_where where, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_join_side_chain(bt_rdmol *mol, int attach, int opened, const char *side_chain, bt_where where,
                                   int *ret_first, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_bond_side_chain(bt_rdmol *mol, int attach, const char *side_chain, const double (*x)[3],
                                   bt_where where, int *ret_first, bt_error *opt_error) ABSENT(where)

bool bt_rdmol_is_3d(const bt_rdmol *mol) { return false; }
bool bt_rdmol_is_embedded(const bt_rdmol *mol) { return false; }
int bt_rdmol_conformer_count(const bt_rdmol *mol) { return 0; }
void bt_rdmol_coordinates(const bt_rdmol *mol, int conformer, double (*ret_x)[3]) {}
bt_status bt_rdmol_place(bt_rdmol *mol, const double (*x)[3], bt_error *opt_error) ABSENT(NOWHERE)
void bt_rdmol_move(bt_rdmol *mol, int conformer, const double rotation[3][3], const double from[3],
                   const double to[3]) {}
bt_status bt_rdmol_draw(bt_rdmol *mol, bt_where where, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_embed_briefly(bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline,
                                 bt_where where, bool *ret_relaxed, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_embed(bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline, bt_where where,
                         bool *ret_relaxed, bt_error *opt_error) ABSENT(where)

void bt_rdmol_structure(const bt_rdmol *mol, bt_build_structure *structure) {}
bt_status bt_rdkit_make_shape(const bt_fragment_graph *graph, bt_shape *ret_shape, bt_error *opt_error) ABSENT(NOWHERE)
bt_status bt_rdmol_set_built(bt_rdmol *mol, const double (*x)[3], bool add, bool *ret_right,
                             bt_error *opt_error) ABSENT(NOWHERE)

bt_status bt_rdmol_embed_more(bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline, bt_where where,
                              bt_error *opt_error) ABSENT(where)

bt_status bt_rdmol_open_stereo(const bt_rdmol *mol, bt_where where, char **ret_text, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_grouped_stereo(const bt_rdmol *mol, char **ret_text, bt_error *opt_error) ABSENT(NOWHERE)
bt_status bt_rdmol_isomers(const bt_rdmol *mol, int most, bt_where where, bt_rdmol ***ret_isomers, int *ret_count,
                           bool *ret_all, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_isomer(const bt_rdmol *mol, const double (*x)[3], bt_rdmol **ret_isomer,
                          bt_error *opt_error) ABSENT(NOWHERE)

bt_status bt_rdmol_gasteiger(const bt_rdmol *mol, bt_where where, double *ret_charges,
                             bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_classes(const bt_rdmol *mol, bt_where where, int *ret_classes, bt_error *opt_error) ABSENT(where)

bt_status bt_rdmol_property(const bt_rdmol *mol, bt_property property, bt_where where, double *ret_value,
                            bt_error *opt_error) ABSENT(where)
bt_status bt_alerts_create(bt_alert_kind kind, bt_alerts **ret_alerts, bt_error *opt_error) ABSENT(NOWHERE)
void bt_alerts_destroy(bt_alerts *opt_alerts) {}
bt_status bt_alerts_match(const bt_alerts *alerts, const bt_rdmol *mol, bt_where where, char **ret_name,
                          bt_error *opt_error) ABSENT(where)

bt_status bt_tautomer_rules_create(bt_tautomer_rules **ret_rules, bt_error *opt_error) ABSENT(NOWHERE)
void bt_tautomer_rules_destroy(bt_tautomer_rules *opt_rules) {}
bt_status bt_rdmol_tautomers(const bt_rdmol *mol, const bt_tautomer_rules *rules, int most, bt_where where,
                             bt_rdmol ***ret_tautomers, int *ret_count, bt_error *opt_error) ABSENT(where)

bt_status bt_strainer_create(const bt_rdmol *mol, const double (*x)[3], bt_strainer **ret_strainer,
                             bt_error *opt_error) ABSENT(NOWHERE)
void bt_strainer_destroy(bt_strainer *opt_strainer) {}
const char *bt_strainer_source(const bt_strainer *strainer) { return ""; }
bt_status bt_strainer_faults(const bt_strainer *strainer, const double (*x)[3], unsigned *ret_faults,
                             bt_error *opt_error) ABSENT(NOWHERE)
bt_status bt_strainer_energy(bt_strainer *strainer, const double (*x)[3], bool free, double *ret_energy,
                             bt_error *opt_error) ABSENT(NOWHERE)
double bt_strainer_relaxed(const bt_strainer *strainer) { return 0; }

bt_status bt_rdmol_bounds(const bt_rdmol *mol, double *ret_bounds, bool *ret_known, bt_error *opt_error) ABSENT(NOWHERE)
bt_status bt_rdmol_wrong_stereo(const bt_rdmol *mol, const double (*x)[3], int *ret_centers, int *ret_bonds,
                                bt_error *opt_error) ABSENT(NOWHERE)
bt_status bt_rdmol_wrong_stereo_of(const bt_rdmol *stated, const bt_rdmol *mol, const double (*x)[3], bool *ret_same,
                                   int *ret_centers, int *ret_bonds, bt_error *opt_error) ABSENT(NOWHERE)
bt_status bt_rdmol_uff_energy(const bt_rdmol *mol, const double (*x)[3], double *ret_energy,
                              bt_error *opt_error) ABSENT(NOWHERE)
bt_status bt_rdmol_uff_mean(const bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline,
                            double *ret_mean, bt_error *opt_error) ABSENT(NOWHERE)

bt_status bt_smarts_create(const char *text, bt_smarts **ret_smarts, bt_error *opt_error) ABSENT(NOWHERE)
void bt_smarts_destroy(bt_smarts *opt_smarts) {}
int bt_smarts_size(const bt_smarts *smarts) { return 0; }
bt_status bt_smarts_match(const bt_smarts *smarts, const bt_rdmol *mol, int **ret_matches, int *ret_count,
                          bt_error *opt_error) ABSENT(NOWHERE)

bt_status bt_rdmol_core(const bt_rdmol *with, const bt_rdmol *mol, const bt_smarts *opt_core, bt_where where,
                        bt_core_pair **ret_pairs, int *ret_count, int *ret_size, bt_error *opt_error) ABSENT(where)
bt_status bt_rdmol_fingerprint(const bt_rdmol *mol, bt_fingerprint *ret_fingerprint,
                               bt_error *opt_error) ABSENT(NOWHERE)
bt_status bt_rdmol_smiles(const bt_rdmol *mol, char **ret_smiles, int *ret_order, bt_error *opt_error) ABSENT(NOWHERE)
bt_status bt_rdmol_write_sdf(const bt_rdmol *mol, const double (*x)[3], const bt_sdf_tag *tags, int n_tags,
                             char **ret_text, bt_error *opt_error) ABSENT(NOWHERE)
const char *bt_rdmol_item(const bt_rdmol *mol, const char *name) { return NULL; }
bt_status bt_rdmol_depict(const bt_rdmol *mol, int width, int height, char **ret_svg,
                          bt_error *opt_error) ABSENT(NOWHERE)
