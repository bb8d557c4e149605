/* vina.c - classes, laws and pair energies of Vina and Vinardo. */
#include "forcefield/vina.h"

#include <berth/score.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- 1. classes ---- */

/* Closure carbons are hydrophobic on maps and nowhere else, and the third has no radius: so are they in Vina, whose
 * numbers these must be. */
#define NEITHER .donor = false
#define BOTH .donor = true, .acceptor = true
#define CLASS(number, class, of_map, of_vina, of_vinardo, ...) \
  [number] = {.name = class, .map = of_map, .index = number, .radius = {of_vina, of_vinardo}, __VA_ARGS__}

static const bt_vina_class classes[BT_VINA_CLASSES] = {
    CLASS(0, "C_H", "C_H", 1.9, 2.0, .hydrophobic = true),
    CLASS(1, "C_P", "C_P", 1.9, 2.0, NEITHER),
    CLASS(2, "N_P", "N_P", 1.8, 1.7, NEITHER),
    CLASS(3, "N_D", "N_D", 1.8, 1.7, .donor = true),
    CLASS(4, "N_A", "N_A", 1.8, 1.7, .acceptor = true),
    CLASS(5, "N_DA", "N_DA", 1.8, 1.7, BOTH),
    CLASS(6, "O_P", "O_P", 1.7, 1.6, NEITHER),
    CLASS(7, "O_D", "O_D", 1.7, 1.6, .donor = true),
    CLASS(8, "O_A", "O_A", 1.7, 1.6, .acceptor = true),
    CLASS(9, "O_DA", "O_DA", 1.7, 1.6, BOTH),
    CLASS(10, "S_P", "S_P", 2.0, 2.0, NEITHER),
    CLASS(11, "P_P", "P_P", 2.1, 2.1, NEITHER),
    CLASS(12, "F_H", "F_H", 1.5, 1.5, .hydrophobic = true),
    CLASS(13, "Cl_H", "Cl_H", 1.8, 1.8, .hydrophobic = true),
    CLASS(14, "Br_H", "Br_H", 2.0, 2.0, .hydrophobic = true),
    CLASS(15, "I_H", "I_H", 2.2, 2.2, .hydrophobic = true),
    CLASS(16, "Si", "Si", 2.2, 2.2, NEITHER),
    CLASS(17, "At", "At", 2.3, 2.3, NEITHER),
    CLASS(18, "Met_D", "Met_D", 1.2, 1.2, .donor = true, .metal = true),
    CLASS(19, "CG_H", "C_H", 1.9, 2.0, NEITHER),
    CLASS(20, "CG_P", "C_P", 1.9, 2.0, NEITHER),
    CLASS(21, "CG3_H", "C_H", 0.0, 0.0, NEITHER),
    CLASS(22, "CG3_P", "C_P", 0.0, 0.0, NEITHER),
    CLASS(23, "G", "", 0.0, 0.0, NEITHER),
    CLASS(24, "none", "", 0.0, 0.0, NEITHER),
    CLASS(25, "Alk_D", "Met_D", 1.2, 1.2, .donor = true), /* alkali metals, and ions that waters hold */
    CLASS(26, "N_AM", "N_AM", 1.8, 1.7, .acceptor = true, .binds_metals = true),
    CLASS(27, "N_DAM", "N_DAM", 1.8, 1.7, BOTH, .binds_metals = true),
    CLASS(28, "O_AM", "O_AM", 1.7, 1.6, .acceptor = true, .binds_metals = true),
    CLASS(29, "O_DAM", "O_DAM", 1.7, 1.6, BOTH, .binds_metals = true),
    CLASS(30, "S_PM", "S_PM", 2.0, 2.0, .binds_metals = true),
};

const bt_vina_class *bt_vina_classes(void) { return classes; }

const bt_vina_class *bt_vina_class_find(const char *name) {
  for (int c = 0; c < BT_VINA_CLASSES; c++)
    if (strcmp(classes[c].name, name) == 0) return &classes[c];
  return NULL;
}

const bt_vina_class *bt_vina_class_in_group(const bt_vina_class *class) {
  char name[16];
  snprintf(name, sizeof name, "%sM", class->name);
  const bt_vina_class *found = bt_vina_class_find(name);
  return found != NULL ? found : class;
}

/* ---- 2. input types ---- */

#define HYDROGEN(name, kind) \
  { name, kind, 0.37, "none", false }
#define METAL(name, radius) \
  { name, BT_VINA_PLAIN, radius, "Met_D", false }
#define ALKALI(name) \
  { name, BT_VINA_PLAIN, 1.75, "Alk_D", false }
#define HALOGEN(name, radius, class) \
  { name, BT_VINA_PLAIN, radius, class, false }
#define CLOSURE(digit) \
  {"CG" digit, BT_VINA_CLOSURE, 0.77, "CG", false}, { "G" digit, BT_VINA_PLAIN, 0.77, "G", false }

/* First Vina's types; then those of AutoDock 4 that it lacks, as the type from which each is derived. Other elements in
 * capitals are left out: careless programs call atoms of side chains CD and HG. */
static const bt_vina_input inputs[] = {
    HYDROGEN("H", BT_VINA_HYDROGEN),
    HYDROGEN("HD", BT_VINA_POLAR_HYDROGEN),
    {"C", BT_VINA_CARBON, 0.77, "C", false},
    {"A", BT_VINA_CARBON, 0.77, "C", false},
    {"N", BT_VINA_POLAR, 0.75, "N", false},
    {"NA", BT_VINA_POLAR, 0.75, "N", true},
    {"O", BT_VINA_POLAR, 0.73, "O", false},
    {"OA", BT_VINA_POLAR, 0.73, "O", true},
    {"S", BT_VINA_PLAIN, 1.02, "S_P", false},
    {"SA", BT_VINA_PLAIN, 1.02, "S_P", false},
    {"Se", BT_VINA_PLAIN, 1.02, "S_P", false},
    {"P", BT_VINA_PLAIN, 1.06, "P_P", false},
    HALOGEN("F", 0.71, "F_H"),
    HALOGEN("Cl", 0.99, "Cl_H"),
    HALOGEN("Br", 1.14, "Br_H"),
    HALOGEN("I", 1.33, "I_H"),
    {"Si", BT_VINA_PLAIN, 1.11, "Si", false},
    {"At", BT_VINA_PLAIN, 1.44, "At", false},
    METAL("Mg", 1.30),
    METAL("Mn", 1.39),
    METAL("Zn", 1.31),
    METAL("Ca", 1.74),
    METAL("Fe", 1.25),
    METAL("Cu", 1.75),
    ALKALI("Na"),
    ALKALI("K"),
    METAL("Hg", 1.75),
    METAL("Co", 1.75),
    METAL("U", 1.75),
    METAL("Cd", 1.75),
    METAL("Ni", 1.75),
    CLOSURE("0"),
    CLOSURE("1"),
    CLOSURE("2"),
    {"CG3", BT_VINA_CLOSURE, 0.77, "CG3", false},
    {"G3", BT_VINA_PLAIN, 0.77, "G", false},
    {"W", BT_VINA_PLAIN, 0.0, "none", false},
    HYDROGEN("HS", BT_VINA_POLAR_HYDROGEN),
    {"NS", BT_VINA_POLAR, 0.75, "N", true},
    {"OS", BT_VINA_POLAR, 0.73, "O", true},
    {"CX", BT_VINA_CARBON, 0.77, "C", false},
    {"NX", BT_VINA_POLAR, 0.75, "N", false},
    {"OX", BT_VINA_POLAR, 0.73, "O", false},
    {"G", BT_VINA_CARBON, 0.77, "C", false},
    {"GA", BT_VINA_CARBON, 0.77, "C", false},
    {"J", BT_VINA_CARBON, 0.77, "C", false},
    {"Q", BT_VINA_CARBON, 0.77, "C", false},
    HALOGEN("CL", 0.99, "Cl_H"),
    HALOGEN("BR", 1.14, "Br_H"),
    METAL("MG", 1.30),
    METAL("MN", 1.39),
    METAL("ZN", 1.31),
    METAL("CA", 1.74),
    METAL("FE", 1.25),
    CLOSURE("4"),
    CLOSURE("5"),
    CLOSURE("6"),
    CLOSURE("7"),
    CLOSURE("8"),
    CLOSURE("9"),
    {"TZ", BT_VINA_PSEUDO, 0.0, "none", false},
};

const bt_vina_input *bt_vina_input_find(const char *type) {
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    if (strcmp(inputs[i].name, type) == 0) return &inputs[i];
  return NULL;
}

const bt_vina_class *bt_vina_classify(const bt_vina_input *input, bool hetero_neighbor, bool polar_hydrogen) {
  char name[16];
  const char *suffix = "";
  if (input->kind == BT_VINA_CARBON || input->kind == BT_VINA_CLOSURE) suffix = hetero_neighbor ? "_P" : "_H";
  if (input->kind == BT_VINA_POLAR)
    suffix = input->acceptor ? (polar_hydrogen ? "_DA" : "_A") : (polar_hydrogen ? "_D" : "_P");
  snprintf(name, sizeof name, "%s%s", input->stem, suffix);
  return bt_vina_class_find(name);
}

/* ---- 3. laws ---- */

#define VINAS_TERMS                                                               \
  .gauss = {{-0.035579, 0.0, 0.5}, {-0.005156, 3.0, 2.0}}, .repulsion = 0.840245, \
  .hydrophobic = {-0.035069, 0.5, 1.5}, .hbond = {-0.587439, -0.7, 0.0}, .rotor = 0.05846, .column = 0

static const bt_vina_law laws[BT_SCORING_COUNT] = {
    [BT_SCORING_VINA] = {VINAS_TERMS},
    [BT_SCORING_VINA_METALS] = {VINAS_TERMS, .coordination = {2.1, 2.4, {-1.5, 0.2, 0.9}}},
    [BT_SCORING_VINARDO] = {.gauss = {{-0.045, 0.0, 0.8}, {0.0, 0.0, 1.0}},
                            .repulsion = 0.8,
                            .hydrophobic = {-0.035, 0.0, 2.5},
                            .hbond = {-0.6, -0.6, 0.0},
                            .rotor = 0.05846,
                            .column = 1},
};

const bt_vina_law *bt_vina_law_of(bt_scoring scoring) { return laws[scoring].repulsion > 0 ? &laws[scoring] : NULL; }

/* ---- 4. pairs ---- */

static bt_vina_pair coordination_of(const bt_vina_law *law, const bt_vina_class *first, const bt_vina_class *second) {
  const bt_vina_coordination *of = &law->coordination;
  bool sulfur = (first->binds_metals ? first : second)->name[0] == 'S';
  return (bt_vina_pair){.radii = sulfur ? of->contact_of_sulfur : of->contact, .ramp = of->ramp};
}

bt_vina_pair bt_vina_pair_of(const bt_vina_law *law, const bt_vina_class *first, const bt_vina_class *second) {
  bt_vina_pair pair = {.ramp = {0.0, 0.0, 1.0}};
  if (bt_vina_is_glue(first) || bt_vina_is_glue(second)) return pair;
  pair.radii = first->radius[law->column] + second->radius[law->column];
  if (first->hydrophobic && second->hydrophobic) pair.ramp = law->hydrophobic;
  if ((first->donor && second->acceptor) || (first->acceptor && second->donor)) pair.ramp = law->hbond;
  bool coordinated = (first->metal && second->binds_metals) || (first->binds_metals && second->metal);
  return coordinated && law->coordination.ramp.weight != 0.0 ? coordination_of(law, first, second) : pair;
}

double bt_vina_pair_energy(const bt_vina_law *law, const bt_vina_pair *pair, double r, double *opt_slope) {
  double d = r - pair->radii, energy = 0.0, slope = 0.0;
  if (r < BT_VINA_CUTOFF) {
    for (int g = 0; g < 2; g++) {
      double x = (d - law->gauss[g].offset) / law->gauss[g].width;
      if (law->gauss[g].weight == 0.0 || fabs(x) > 6.5) continue; /* exp(-42) is below the last digit of any sum */
      double value = law->gauss[g].weight * exp(-x * x);
      energy += value;
      slope -= 2.0 * x / law->gauss[g].width * value;
    }
    if (d < 0.0) {
      energy += law->repulsion * d * d;
      slope += 2.0 * law->repulsion * d;
    }
    double span = pair->ramp.bad - pair->ramp.good;
    if (d <= pair->ramp.good) {
      energy += pair->ramp.weight;
    } else if (d < pair->ramp.bad) {
      energy += pair->ramp.weight * (pair->ramp.bad - d) / span;
      slope -= pair->ramp.weight / span;
    }
  }
  if (opt_slope != NULL) *opt_slope = slope;
  return energy;
}

double bt_vina_pair_staircase(const bt_vina_law *law, const bt_vina_pair *pair, double r2) {
  if (!(r2 < BT_VINA_CUTOFF * BT_VINA_CUTOFF)) return 0.0;
  double k = floor(BT_VINA_STEPS * r2);
  return 0.5 * (bt_vina_pair_energy(law, pair, sqrt(k / BT_VINA_STEPS), NULL) +
                bt_vina_pair_energy(law, pair, sqrt((k + 1.0) / BT_VINA_STEPS), NULL));
}

double bt_vina_curl(double energy, double limit, double *opt_factor) {
  double factor = energy > 0.0 ? limit / (limit + energy) : 1.0;
  if (opt_factor != NULL) *opt_factor = factor * factor;
  return energy * factor;
}
