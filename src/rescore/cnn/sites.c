/* sites.c - see sites.h. */
#include "rescore/cnn/sites.h"

#include "base/cells.h"
#include "base/memory.h"
#include "chem/element.h"

enum { H = 1, B = 5, C, N, O, F, P = 15, S, CL, CA = 20, MN = 25, FE, ZN = 30, MG = 12, BR = 35, I = 53 };

/* Covalent radii by which bonds are found, Angstrom. */
static double bond_radius(int element) {
  switch (element) {
    case H: return 0.37;
    case B: return 0.90;
    case C: return 0.77;
    case N: return 0.75;
    case O: return 0.73;
    case F: return 0.71;
    case P: return 1.06;
    case S: return 1.02;
    case CL: return 0.99;
    case MG: return 1.30;
    case CA: return 1.74;
    case MN: return 1.39;
    case FE: return 1.25;
    case ZN: return 1.31;
    case BR: return 1.14;
    case I: return 1.33;
    default: return 1.75;
  }
}
/* How much longer than the sum of its radii a bond may be, and the longest bond. */
static const double bond_slack = 1.1, longest_bond = 1.1 * 2 * 1.75;

static double radius_of(int element) {
  switch (element) {
    case C: return 1.9;
    case N: return 1.8;
    case O: return 1.7;
    case F: return 1.5;
    case P: return 2.1;
    case S: return 2.0;
    case CL: return 1.8;
    case BR: return 2.0;
    case I: return 2.2;
    case B: return 1.92;
    default: return 1.2; /* metals */
  }
}

/* What an atom is bonded to. */
typedef struct surroundings {
  const int *elements;      /* [all] */
  const double (*x)[3];     /* [all] */
  int atom;
  bool hydrogen, hetero;    /* a hydrogen; an element other than carbon, hydrogen and boron */
} surroundings;

static void see(void *context, int point, double distance2) {
  surroundings *s = context;
  int element = s->elements[point];
  double longest = bond_slack * (bond_radius(s->elements[s->atom]) + bond_radius(element));
  if (point == s->atom || element == 0 || distance2 >= longest * longest) return;
  s->hydrogen = s->hydrogen || element == H;
  s->hetero = s->hetero || (element != H && element != C && element != B);
}

static int receptor_channel(int element, bool aromatic, const surroundings *s) {
  switch (element) {
    case C: return (aromatic ? 2 : 0) + s->hetero;
    case F:
    case CL:
    case BR:
    case I: return 4;
    case N: return 5 + s->hydrogen;
    case O: return 7 + s->hydrogen;
    case S: return 9;
    case P: return 10;
    case CA: return 11;
    case ZN: return 12;
    default: return 13;
  }
}

static int ligand_channel(int element, bool aromatic, const surroundings *s) {
  switch (element) {
    case C: return (aromatic ? 2 : 0) + s->hetero;
    case BR:
    case I: return 4;
    case CL: return 5;
    case F: return 6;
    case N: return 7 + s->hydrogen;
    case O: return 9 + s->hydrogen;
    case S: return 11;
    case P: return 12;
    default: return 13;
  }
}

bt_status bt_cnn_sites(const bt_molecule *const *molecules, int n_molecules, bool ligand, bt_cnn_site *sites,
                       bt_error *opt_error) {
  int n = 0;
  for (int m = 0; m < n_molecules; m++) n += molecules[m]->n_atoms;
  BT_SCOPED int *elements = bt_allocate((size_t)n, sizeof *elements);
  BT_SCOPED bool *aromatic = bt_allocate((size_t)n, sizeof *aromatic);
  BT_SCOPED double (*x)[3] = bt_allocate((size_t)n, sizeof *x);
  if (elements == NULL || aromatic == NULL || x == NULL) return bt_fail_memory(opt_error);
  for (int m = 0, at = 0; m < n_molecules; m++)
    for (int i = 0; i < molecules[m]->n_atoms; i++, at++) {
      const bt_atom *atom = &molecules[m]->atoms[i];
      elements[at] = bt_element_of_type(atom->type);
      aromatic[at] = strcmp(atom->type, "A") == 0;
      memcpy(x[at], atom->x, sizeof x[at]);
    }
  bt_cells *cells;
  BT_TRY(bt_cells_create((const double(*)[3])x, n, longest_bond, &cells, opt_error));
  for (int i = 0; i < n; i++) {
    bt_cnn_site *site = &sites[i];
    *site = (bt_cnn_site){.x = {x[i][0], x[i][1], x[i][2]}, .radius = radius_of(elements[i]), .channel = -1};
    if (elements[i] == 0 || elements[i] == H) continue;
    surroundings s = {.elements = elements, .x = (const double(*)[3])x, .atom = i};
    bt_cells_near(cells, x[i], longest_bond, see, &s);
    site->channel = ligand ? 14 + ligand_channel(elements[i], aromatic[i], &s)
                           : receptor_channel(elements[i], aromatic[i], &s);
  }
  bt_cells_destroy(cells);
  return BT_OK;
}
