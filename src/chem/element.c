/* element.c - the element of an AutoDock atom type, and the lengths of its bonds.
 *
 * Radii: Cordero et al., Dalton Trans. 2832 (2008); carbon as sp3, transition metals as high spin.
 */
#include "chem/element.h"

#include <string.h>
#include <strings.h>

#include "chem/glue.h"

static const struct {
  char symbol[3];
  unsigned char number;
  double radius; /* Angstrom */
} elements[] = {
    {"H", 1, 0.31},    {"Li", 3, 1.28},   {"Be", 4, 0.96},   {"B", 5, 0.84},    {"C", 6, 0.76},    {"N", 7, 0.71},
    {"O", 8, 0.66},    {"F", 9, 0.57},    {"Na", 11, 1.66},  {"Mg", 12, 1.41},  {"Al", 13, 1.21},  {"Si", 14, 1.11},
    {"P", 15, 1.07},   {"S", 16, 1.05},   {"Cl", 17, 1.02},  {"K", 19, 2.03},   {"Ca", 20, 1.76},  {"Sc", 21, 1.70},
    {"Ti", 22, 1.60},  {"V", 23, 1.53},   {"Cr", 24, 1.39},  {"Mn", 25, 1.61},  {"Fe", 26, 1.52},  {"Co", 27, 1.50},
    {"Ni", 28, 1.24},  {"Cu", 29, 1.32},  {"Zn", 30, 1.22},  {"Ga", 31, 1.22},  {"Ge", 32, 1.20},  {"As", 33, 1.19},
    {"Se", 34, 1.20},  {"Br", 35, 1.20},  {"Rb", 37, 2.20},  {"Sr", 38, 1.95},  {"Y", 39, 1.90},   {"Zr", 40, 1.75},
    {"Nb", 41, 1.64},  {"Mo", 42, 1.54},  {"Ru", 44, 1.46},  {"Rh", 45, 1.42},  {"Pd", 46, 1.39},  {"Ag", 47, 1.45},
    {"Cd", 48, 1.44},  {"In", 49, 1.42},  {"Sn", 50, 1.39},  {"Sb", 51, 1.39},  {"Te", 52, 1.38},  {"I", 53, 1.39},
    {"Cs", 55, 2.44},  {"Ba", 56, 2.15},  {"La", 57, 2.07},  {"Ce", 58, 2.04},  {"Pr", 59, 2.03},  {"Nd", 60, 2.01},
    {"Sm", 62, 1.98},  {"Eu", 63, 1.98},  {"Gd", 64, 1.96},  {"Tb", 65, 1.94},  {"Dy", 66, 1.92},  {"Ho", 67, 1.92},
    {"Er", 68, 1.89},  {"Tm", 69, 1.90},  {"Yb", 70, 1.87},  {"Lu", 71, 1.87},  {"Hf", 72, 1.75},  {"Ta", 73, 1.70},
    {"W", 74, 1.62},   {"Re", 75, 1.51},  {"Os", 76, 1.44},  {"Ir", 77, 1.41},  {"Pt", 78, 1.36},  {"Au", 79, 1.36},
    {"Hg", 80, 1.32},  {"Tl", 81, 1.45},  {"Pb", 82, 1.46},  {"Bi", 83, 1.48},  {"Ra", 88, 2.21},  {"Th", 90, 2.06},
    {"U", 92, 1.96},   {"Np", 93, 1.90},  {"Pu", 94, 1.87},  {"Am", 95, 1.80},  {"Cm", 96, 1.69}};
enum { ELEMENT_COUNT = sizeof elements / sizeof elements[0] };

/* Types whose name is not the symbol of their element, or is the symbol of another one. */
static const struct {
  char type[4];
  unsigned char number;
} special_types[] = {{"HD", 1}, {"HS", 1}, {"A", 6},  {"Z", 6},  {"G", 6},  {"GA", 6}, {"J", 6},   {"Q", 6}, {"CX", 6},
                     {"NA", 7}, {"NS", 7}, {"NX", 7}, {"OA", 8}, {"OS", 8}, {"OX", 8}, {"SA", 16}, {"W", 0}};

int bt_element_of_type(const char *type) {
  if (bt_glue_point(type) >= 0) return 0;
  if (bt_glue_carbon(type) >= 0) return 6;
  for (size_t k = 0; k < sizeof special_types / sizeof special_types[0]; k++)
    if (strcmp(special_types[k].type, type) == 0) return special_types[k].number;
  return bt_element_of_symbol(type);
}

int bt_element_of_symbol(const char *symbol) {
  for (int k = 0; k < ELEMENT_COUNT; k++)
    if (strcasecmp(elements[k].symbol, symbol) == 0) return elements[k].number;
  return 0;
}

const char *bt_element_symbol(int element) {
  for (int k = 0; k < ELEMENT_COUNT; k++)
    if (elements[k].number == element) return elements[k].symbol;
  return "X";
}

bool bt_element_is_metal(int element) {
  static const struct {
    int first, last;
  } metals[] = {{3, 4}, {11, 13}, {19, 31}, {37, 50}, {55, 84}, {87, 116}};
  for (size_t k = 0; k < sizeof metals / sizeof metals[0]; k++)
    if (element >= metals[k].first && element <= metals[k].last) return true;
  return false;
}

double bt_element_radius(int element) {
  for (int k = 0; k < ELEMENT_COUNT; k++)
    if (elements[k].number == element) return elements[k].radius;
  return 1.5;
}

double bt_element_longest_bond(int one, int other) {
  bool polar = (one == 7 || one == 8) && (other == 7 || other == 8);
  return bt_element_radius(one) + bt_element_radius(other) + (polar ? 0.25 : 0.4);
}
