/* bude_builtin.c - parameters of the by-atom table of 2017, which comes with the public mini-app's deck generator
 * (bhffs/3_heavy_by-atom_2017-v1.bhff): hardness 30 and reaches 6.5 and 1.3 Angstrom for all types. */
#include "base/memory.h"
#include "base/text/text.h"
#include "forcefield/bude.h"

static const struct {
  const char *type;
  char class;
  double radius, hydrophobic, charge;
} rows[] = {
    {"C.3", '-', 1.42, -0.15007, 0.0},     {"C.2", '-', 1.42, -0.24992, 0.0},
    {"C.1", '-', 1.42, -0.15573, 0.0},     {"C.ar", 'P', 1.64, -0.09309, -0.05469},
    {"C.cat", '-', 1.42, -0.22992, 0.0},   {"N.4", 'F', 1.73, 0.43704, 1.0},
    {"N.3", 'E', 1.59, 0.13344, 0.2047},   {"N.2", 'E', 1.42, 0.45602, 0.0904},
    {"N.1", 'D', 1.42, -0.02646, -0.0253}, {"N.ar", 'E', 1.55, 0.02343, 0.4294},
    {"N.am", 'D', 1.42, 0.0644, 0.5389},   {"N.pl3", 'D', 1.55, 0.05452, 0.5184},
    {"N.ani", 'F', 1.55, 0.43704, -1.0},   {"O.3", 'E', 1.51, 0.3361, 0.2599},
    {"O.3h", 'E', 1.51, 0.3184, 0.2599},   {"O.t3p", 'E', 1.51, 0.49958, 0.4399},
    {"O.spc", 'E', 1.51, 0.32829, 0.5286}, {"O.2", 'D', 1.42, 0.06971, -0.3562},
    {"O.co2", 'F', 1.55, 0.12106, -0.5},   {"S.3", '-', 1.79, 0.25574, 0.0},
    {"S.2", '-', 1.79, 0.05231, 0.0},      {"S.1", 'D', 1.79, 0.05231, -0.2},
    {"S.O", '-', 1.79, 0.22285, 0.0},      {"S.o", '-', 1.79, 0.22285, 0.0},
    {"S.O2", '-', 1.79, 0.16193, 0.0},     {"S.o2", '-', 1.79, 0.06711, 0.0},
    {"P.3", '-', 1.79, 0.17562, 0.0},      {"F", '-', 1.56, -0.03258, -0.1265},
    {"Cl", '-', 1.735, -0.31719, 0.1615},  {"Br", '-', 1.9, -0.12046, -0.0349},
    {"I", '-', 2.1, -0.06179, -0.0041},    {"Si", '-', 1.42, -0.12633, 0.0},
    {"Zn", 'F', 0.42, 0.0, 2.0},           {"Mg", 'F', 0.42, 0.0, 2.0},
    {"Fe.2", 'F', 0.42, 0.0, 2.0},         {"Ca", 'F', 0.42, 0.0, 2.0},
    {"Na", 'F', 0.98, 0.0, 1.0},           {"K", 'F', 1.33, 0.0, 1.0},
    {"Se", '-', 1.79, 0.25574, 0.0},       {"B", '-', 1.42, 0.0644, 0.0},
    {"Sn", '-', 1.42, -0.15007, 0.0},      {"Any", '-', 1.42, 0.0, 0.0},
    {"Het", '-', 1.42, 0.0, 0.0},          {"Hev", '-', 1.42, 0.0, 0.0},
};

bt_status bt_bude_forcefield_builtin(bt_bude_forcefield **ret_forcefield, bt_error *opt_error) {
  const int n = (int)(sizeof rows / sizeof *rows);
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_printf(&text, "%%BUDE HEAVY ATOM AMINO-ACID FORCEFIELD LIBRARY\n%%VERSION 2.00\n1\nWLD %d\n", n);
  for (int i = 0; i < n; i++)
    bt_text_printf(&text, "%s %c %.5f %.5f 30 6.5 1.3 1 %.5f\n", rows[i].type, rows[i].class, rows[i].radius,
                   rows[i].hydrophobic, rows[i].charge);
  bt_text_add_string(&text, "END\n");
  BT_TRY(bt_text_status(&text, opt_error));
  return bt_bude_forcefield_parse(text.data, text.size, "the built-in force field", ret_forcefield, opt_error);
}
