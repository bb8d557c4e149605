/* contacts.c - which atoms of a pose touch which atoms of the receptor. */
#include "results/analysis/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/element.h"
#include "results/analysis/contact_groups.h"
#include "results/analysis/interactions.h"

static const double PI_DISTANCE = 5.5, PI_OFFSET = 2.0, SALT_DISTANCE = 4.0, CATION_PI_DISTANCE = 6.0; /* Angstrom */
/* Coordinates in files have three decimals: rounding must not exclude a distance exactly at the limit. */
static const double ROUNDING = 1e-9;                /* Angstrom */
static const double PI_COSINE = 0.8660254037844386; /* of 30 degrees */

typedef struct atom_class {
  bool hydrogen, acceptor, donor, reactive, atom;
} atom_class;

struct bt_contact_site {
  const bt_molecule *receptor;
  bt_contact_options options;
  atom_class *classes; /* [n_atoms] */
  bt_groups groups;
  bt_interaction_atoms atoms;
};

struct bt_contact_ligand {
  const bt_ligand *ligand;
  atom_class *classes; /* [n_atoms] residues included */
  bt_groups groups;
  bt_groups moving;           /* of the flexible residues; atoms are the ligand's and theirs */
  bt_interaction_atoms atoms; /* the ligand's and theirs */
};

bt_contact_options bt_contact_options_default(void) {
  return (bt_contact_options){.reactive = 2.1, .hbond = 3.7, .vdw = 4.0};
}

const char *bt_contact_letter(bt_contact_type type) {
  static const char *const letters[] = {"R", "H", "V", "P", "S", "C", "B", "X", "L", "W", "M"};
  return letters[type];
}

const char *bt_contact_name(bt_contact_type type) {
  static const char *const names[] = {"reactive",    "hydrogen_bond", "van_der_waals",          "pi_stacking",
                                      "salt_bridge", "cation_pi",     "directed_hydrogen_bond", "halogen_bond",
                                      "hydrophobic", "water_bridge",  "metal_coordination"};
  return names[type];
}

bool bt_contact_is_autodock(bt_contact_type type) { return type <= BT_CONTACT_VDW; }

/* --- classes ------------------------------------------------------------------------------------------- */

static bool is_one_of(const char *type, const char *const *names, int n) {
  for (int k = 0; k < n; k++)
    if (strcmp(type, names[k]) == 0) return true;
  return false;
}

/* Ends of a ring that was opened are named CG1, G1 and so on; they are not reactive. */
static bool is_reactive(const char *type) {
  size_t length = strlen(type);
  bool glue = (type[0] == 'G' && length == 2) || (type[0] == 'C' && type[1] == 'G');
  return length > 1 && !glue && strchr("147", type[length - 1]) != NULL;
}

static double distance2(const double *a, const double *b) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

/* The longest distance of a polar hydrogen from its nitrogen, oxygen or sulfur; negative: bonded to none of these. */
static double bond_limit(const char *type) {
  switch (bt_element_of_type(type)) {
    case 7: return 1.041;
    case 8: return 1.0289;
    case 16: return 1.3455;
    default: return -1;
  }
}

/* The heavy atom that carries hydrogen h among atoms [first, end), -1: none. Files have three decimals, which a limit
 * must not cut. */
static int carrier(const bt_atom *const *atoms, const double *xyz, int first, int end, int h) {
  int nearest = -1;
  double shortest = 0;
  for (int i = first; i < end; i++) {
    double limit = bond_limit(atoms[i]->type) + 1e-6, r2 = distance2(xyz + 3 * (size_t)i, xyz + 3 * (size_t)h);
    if (limit < 0.5 || r2 > limit * limit || (nearest >= 0 && r2 >= shortest)) continue;
    nearest = i;
    shortest = r2;
  }
  return nearest;
}

static void classify(const bt_atom *const *atoms, const double *xyz, int n, bool hydrogens_donate,
                     atom_class *classes) {
  static const char *const acceptors[] = {"NA", "NS", "OA", "OS", "SA"};
  enum { NEAR = 200 }; /* a hydrogen is near its atom in any file; searching all of a large receptor would take long */
  for (int i = 0; i < n; i++) {
    const char *type = atoms[i]->type;
    int element = bt_element_of_type(type);
    classes[i].atom = element > 0;
    classes[i].hydrogen = element == 1;
    classes[i].acceptor = is_one_of(type, acceptors, 5);
    classes[i].reactive = is_reactive(type);
  }
  for (int i = 0; i < n; i++) {
    if (strcmp(atoms[i]->type, "HD") != 0) continue;
    int found = -1;
    if (!hydrogens_donate) {
      found = carrier(atoms, xyz, i > NEAR ? i - NEAR : 0, i + NEAR < n ? i + NEAR : n, i);
      if (found < 0) found = carrier(atoms, xyz, 0, n, i);
    }
    classes[found >= 0 ? found : i].donor = true;
  }
}

/* --- life ---------------------------------------------------------------------------------------------- */

bt_status bt_contact_site_create(const bt_molecule *receptor, const bt_contact_options *options,
                                 bt_contact_site **ret_site, bt_error *opt_error) {
  size_t n = (size_t)receptor->n_atoms;
  bt_contact_site *site = bt_allocate(1, sizeof *site);
  BT_SCOPED const bt_atom **atoms = bt_allocate(n, sizeof *atoms);
  BT_SCOPED double *xyz = bt_allocate(3 * n, sizeof *xyz);
  bt_status status = BT_OK;
  if (site != NULL) site->classes = bt_allocate(n, sizeof *site->classes);
  if (site == NULL || atoms == NULL || xyz == NULL || site->classes == NULL) {
    status = bt_fail_memory(opt_error);
  } else {
    site->receptor = receptor;
    site->options = *options;
    for (size_t i = 0; i < n; i++) {
      atoms[i] = &receptor->atoms[i];
      memcpy(xyz + 3 * i, atoms[i]->x, sizeof atoms[i]->x);
    }
    classify(atoms, xyz, receptor->n_atoms, false, site->classes);
    status = bt_groups_of_receptor(receptor, &site->groups, opt_error);
    if (status == BT_OK) status = bt_interaction_atoms_of_receptor(receptor, &site->atoms, opt_error);
  }
  return BT_HAND_OVER(status, site, ret_site, bt_contact_site_destroy);
}

void bt_contact_site_destroy(bt_contact_site *opt_site) {
  if (opt_site == NULL) return;
  bt_groups_clear(&opt_site->groups);
  bt_interaction_atoms_clear(&opt_site->atoms);
  free(opt_site->classes);
  free(opt_site);
}

/* Groups of flexible residues, which are named as those of the receptor. */
static bt_status find_moving(const bt_ligand *ligand, bt_groups *ret_groups, bt_error *opt_error) {
  int first = ligand->n_ligand_atoms, n = ligand->n_atoms - first;
  BT_SCOPED bt_atom *atoms = bt_allocate((size_t)n, sizeof *atoms);
  if (atoms == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < n; i++) atoms[i] = *bt_ligand_atom(ligand, first + i, NULL);
  bt_molecule residues = {.atoms = atoms, .n_atoms = n};
  BT_TRY(bt_groups_of_receptor(&residues, ret_groups, opt_error));
  for (size_t i = 0; i < ret_groups->n_rings; i++)
    for (int k = 0; k < ret_groups->rings[i].n; k++) ret_groups->rings[i].atoms[k] += first;
  for (size_t i = 0; i < ret_groups->n_charged; i++)
    for (int k = 0; k < ret_groups->charged[i].n; k++) ret_groups->charged[i].atoms[k] += first;
  return BT_OK;
}

bt_status bt_contact_ligand_create(const bt_ligand *ligand, const bt_contact_options *options,
                                   bt_contact_ligand **ret_ligand, bt_error *opt_error) {
  size_t n = (size_t)ligand->n_atoms;
  bt_contact_ligand *made = bt_allocate(1, sizeof *made);
  BT_SCOPED const bt_atom **atoms = bt_allocate(n, sizeof *atoms);
  bt_status status = BT_OK;
  if (made != NULL) made->classes = bt_allocate(n, sizeof *made->classes);
  if (made == NULL || atoms == NULL || made->classes == NULL) {
    status = bt_fail_memory(opt_error);
  } else {
    made->ligand = ligand;
    for (int i = 0; i < ligand->n_atoms; i++) atoms[i] = bt_ligand_atom(ligand, i, NULL);
    classify(atoms, ligand->xyz, ligand->n_ligand_atoms, options->gpu_donors, made->classes);
    classify(atoms + ligand->n_ligand_atoms, ligand->xyz + 3 * (size_t)ligand->n_ligand_atoms,
             ligand->n_atoms - ligand->n_ligand_atoms, options->gpu_donors, made->classes + ligand->n_ligand_atoms);
    status = bt_groups_of_ligand(ligand->molecule, &made->groups, opt_error);
    if (status == BT_OK) status = find_moving(ligand, &made->moving, opt_error);
    if (status == BT_OK) status = bt_interaction_atoms_of_ligand(ligand, &made->atoms, opt_error);
  }
  return BT_HAND_OVER(status, made, ret_ligand, bt_contact_ligand_destroy);
}

void bt_contact_ligand_destroy(bt_contact_ligand *opt_ligand) {
  if (opt_ligand == NULL) return;
  bt_groups_clear(&opt_ligand->groups);
  bt_groups_clear(&opt_ligand->moving);
  bt_interaction_atoms_clear(&opt_ligand->atoms);
  free(opt_ligand->classes);
  free(opt_ligand);
}

void bt_contact_list_clear(bt_contact_list *list) {
  free(list->items);
  *list = (bt_contact_list){0};
}

/* --- one pose ------------------------------------------------------------------------------------------ */

static bt_status add(bt_contact_list *list, bt_contact_type type, int ligand, const bt_atom *atom, double distance,
                     bt_error *opt_error) {
  if (!BT_GROW(list->items, &list->capacity, list->count + 1)) return bt_fail_memory(opt_error);
  list->items[list->count++] = (bt_contact){.type = type, .ligand = ligand, .atom = atom, .distance = distance};
  return BT_OK;
}

/* The contact of two atoms at this squared distance, -1: none. */
static int contact_of(const bt_contact_options *o, const atom_class *a, const atom_class *b, bool moving, double r2) {
  double r = sqrt(r2) - ROUNDING;
  if (moving && a->reactive && b->reactive && r <= o->reactive) return BT_CONTACT_REACTIVE;
  if (!a->atom || !b->atom) return -1; /* derived types, such as reactive ones, are not names of elements */
  if ((a->acceptor && b->donor) || (a->donor && b->acceptor)) return r <= o->hbond ? BT_CONTACT_HBOND : -1;
  bool polar = a->acceptor || a->donor || b->acceptor || b->donor || a->hydrogen || b->hydrogen;
  return !polar && r <= o->vdw ? BT_CONTACT_VDW : -1;
}

/* Are they of one residue, to whose side chain the ligand is bonded? */
static bool same_residue(const bt_ligand *ligand, int i, const bt_atom *other) {
  if (!ligand->tethered) return false;
  const bt_atom *atom = bt_ligand_atom(ligand, i, NULL);
  return bt_atom_of_side_chain(ligand->molecule, atom) && atom->resnum == other->resnum &&
         atom->chain == other->chain && atom->icode == other->icode;
}

static bt_status pairs_with_receptor(const bt_contact_site *site, const bt_contact_ligand *l, const double *xyz,
                                     bt_contact_type wanted, bt_contact_list *list, bt_error *opt_error) {
  const bt_molecule *receptor = site->receptor;
  double reach = fmax(site->options.reactive, fmax(site->options.hbond, site->options.vdw)) + 1e-6;
  for (int i = 0; i < l->ligand->n_ligand_atoms; i++) {
    const double *x = xyz + 3 * (size_t)i;
    for (int j = 0; j < receptor->n_atoms; j++) {
      const double *y = receptor->atoms[j].x;
      if (fabs(x[0] - y[0]) > reach || fabs(x[1] - y[1]) > reach || fabs(x[2] - y[2]) > reach) continue;
      double r2 = distance2(x, y);
      if (same_residue(l->ligand, i, &receptor->atoms[j])) continue;
      if (contact_of(&site->options, &l->classes[i], &site->classes[j], false, r2) == (int)wanted)
        BT_TRY(add(list, wanted, i, &receptor->atoms[j], sqrt(r2), opt_error));
    }
    for (int j = l->ligand->n_ligand_atoms; j < l->ligand->n_atoms; j++) {
      double r2 = distance2(x, xyz + 3 * (size_t)j);
      if (contact_of(&site->options, &l->classes[i], &l->classes[j], true, r2) == (int)wanted)
        BT_TRY(add(list, wanted, i, bt_ligand_atom(l->ligand, j, NULL), sqrt(r2), opt_error));
    }
  }
  return BT_OK;
}

/* Center and unit normal (Newell's sum over the edges) of a ring. */
static void ring_plane(const double (*x)[3], int n, double *center, double *normal) {
  for (int k = 0; k < 3; k++) center[k] = normal[k] = 0;
  for (int i = 0; i < n; i++) {
    const double *a = x[i], *b = x[(i + 1) % n];
    for (int k = 0; k < 3; k++) {
      int p = (k + 1) % 3, q = (k + 2) % 3;
      center[k] += a[k] / n;
      normal[k] += (a[p] - b[p]) * (a[q] + b[q]);
    }
  }
  double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int k = 0; k < 3; k++) normal[k] = length > 0 ? normal[k] / length : 0;
}

/* Length of the component of d perpendicular to the axis. */
static double offset(const double *d, const double *axis) {
  double along = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2], r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  return sqrt(fmax(0, r2 - along * along));
}

static bool stacked(const double (*a)[3], int n_a, const double (*b)[3], int n_b, double *ret_distance) {
  double center_a[3], normal_a[3], center_b[3], normal_b[3], d[3];
  ring_plane(a, n_a, center_a, normal_a);
  ring_plane(b, n_b, center_b, normal_b);
  *ret_distance = sqrt(distance2(center_a, center_b));
  if (*ret_distance > PI_DISTANCE + ROUNDING) return false;
  double cosine = fabs(normal_a[0] * normal_b[0] + normal_a[1] * normal_b[1] + normal_a[2] * normal_b[2]);
  for (int k = 0; k < 3; k++) d[k] = center_b[k] - center_a[k];
  bool parallel = cosine >= PI_COSINE, upright = cosine <= 0.5; /* within 30 degrees of 0 and of 90 */
  return (parallel || upright) && fmin(offset(d, normal_a), offset(d, normal_b)) <= PI_OFFSET + ROUNDING;
}

/* Groups that a ligand's may meet: the receptor's, where they are, or the flexible residues' of a pose. */
typedef struct partners {
  const bt_groups *groups;
  const bt_molecule *opt_receptor; /* NULL: flexible residues */
  const bt_ligand *ligand;
  const double *xyz;
} partners;

static const bt_atom *partner_atom(const partners *p, int i) {
  return p->opt_receptor != NULL ? &p->opt_receptor->atoms[i] : bt_ligand_atom(p->ligand, i, NULL);
}

static const double *partner_place(const partners *p, int i) {
  return p->opt_receptor != NULL ? p->opt_receptor->atoms[i].x : p->xyz + 3 * (size_t)i;
}

static void copy_partner(const partners *p, const bt_group *group, double (*x)[3]) {
  for (int k = 0; k < group->n; k++) memcpy(x[k], partner_place(p, group->atoms[k]), sizeof x[k]);
}

static void copy_own(const double *xyz, const bt_group *group, double (*x)[3]) {
  for (int k = 0; k < group->n; k++) memcpy(x[k], xyz + 3 * (size_t)group->atoms[k], sizeof x[k]);
}

static bt_status rings(const partners *p, const bt_contact_ligand *l, const double *xyz, bt_contact_list *list,
                       bt_error *opt_error) {
  for (size_t i = 0; i < l->groups.n_rings; i++) {
    const bt_group *a = &l->groups.rings[i];
    double x[6][3], y[6][3], distance;
    copy_own(xyz, a, x);
    for (size_t j = 0; j < p->groups->n_rings; j++) {
      const bt_group *b = &p->groups->rings[j];
      copy_partner(p, b, y);
      if (stacked((const double(*)[3])x, a->n, (const double(*)[3])y, b->n, &distance))
        BT_TRY(add(list, BT_CONTACT_PI, a->atoms[0], partner_atom(p, b->atoms[0]), distance, opt_error));
    }
  }
  return BT_OK;
}

static bt_status charges(const partners *p, const bt_contact_ligand *l, const double *xyz, bt_contact_list *list,
                         bt_error *opt_error) {
  for (size_t i = 0; i < l->groups.n_charged; i++) {
    const bt_group *a = &l->groups.charged[i];
    for (size_t j = 0; j < p->groups->n_charged; j++) {
      const bt_group *b = &p->groups->charged[j];
      if (a->sign == b->sign) continue;
      int nearest = -1, other = -1;
      double shortest = (SALT_DISTANCE + ROUNDING) * (SALT_DISTANCE + ROUNDING);
      for (int m = 0; m < a->n; m++)
        for (int q = 0; q < b->n; q++) {
          double r2 = distance2(xyz + 3 * (size_t)a->atoms[m], partner_place(p, b->atoms[q]));
          if (r2 > shortest) continue;
          shortest = r2;
          nearest = a->atoms[m];
          other = b->atoms[q];
        }
      if (nearest >= 0) BT_TRY(add(list, BT_CONTACT_SALT, nearest, partner_atom(p, other), sqrt(shortest), opt_error));
    }
  }
  return BT_OK;
}

/* Is the middle of the charged atoms above or below the ring? */
static bool faces(const double (*charge)[3], int n_charge, const double (*ring)[3], int n_ring, double *ret_distance) {
  double center[3], normal[3], d[3] = {0};
  ring_plane(ring, n_ring, center, normal);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n_charge; i++) d[k] += charge[i][k] / n_charge;
    d[k] -= center[k];
  }
  *ret_distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  return *ret_distance <= CATION_PI_DISTANCE + ROUNDING && offset(d, normal) <= PI_OFFSET + ROUNDING;
}

/* Cations of one side and rings of the other. */
static bt_status cations(const partners *p, const bt_contact_ligand *l, const double *xyz, bt_contact_list *list,
                         bt_error *opt_error) {
  double x[6][3], y[6][3], distance;
  for (size_t i = 0; i < l->groups.n_charged; i++) {
    const bt_group *a = &l->groups.charged[i];
    copy_own(xyz, a, x);
    for (size_t j = 0; a->sign > 0 && j < p->groups->n_rings; j++) {
      const bt_group *b = &p->groups->rings[j];
      copy_partner(p, b, y);
      if (faces((const double(*)[3])x, a->n, (const double(*)[3])y, b->n, &distance))
        BT_TRY(add(list, BT_CONTACT_CATION_PI, a->atoms[0], partner_atom(p, b->atoms[0]), distance, opt_error));
    }
  }
  for (size_t i = 0; i < l->groups.n_rings; i++) {
    const bt_group *a = &l->groups.rings[i];
    copy_own(xyz, a, x);
    for (size_t j = 0; j < p->groups->n_charged; j++) {
      const bt_group *b = &p->groups->charged[j];
      if (b->sign < 0) continue;
      copy_partner(p, b, y);
      if (faces((const double(*)[3])y, b->n, (const double(*)[3])x, a->n, &distance))
        BT_TRY(add(list, BT_CONTACT_CATION_PI, a->atoms[0], partner_atom(p, b->atoms[0]), distance, opt_error));
    }
  }
  return BT_OK;
}

/* Rings and charges are found group by group; the list is ordered by the named atoms. */
static int by_atoms(const void *a, const void *b) {
  const bt_contact *p = a, *q = b;
  if (p->ligand != q->ligand) return p->ligand < q->ligand ? -1 : 1;
  if (p->atom != q->atom) return p->atom < q->atom ? -1 : 1;
  return p->distance < q->distance ? -1 : p->distance > q->distance;
}

static void sort_from(bt_contact_list *list, size_t first) {
  if (list->count > first) qsort(list->items + first, list->count - first, sizeof *list->items, by_atoms);
}

bt_status bt_contacts_find(const bt_contact_site *site, const bt_contact_ligand *ligand, const double *xyz,
                           bt_contact_list *list, bt_error *opt_error) {
  for (int type = BT_CONTACT_REACTIVE; type <= BT_CONTACT_VDW; type++)
    BT_TRY(pairs_with_receptor(site, ligand, xyz, (bt_contact_type)type, list, opt_error));
  static bt_status (*const finders[])(const partners *, const bt_contact_ligand *, const double *, bt_contact_list *,
                                      bt_error *) = {rings, charges, cations};
  const partners both[] = {{&site->groups, site->receptor, ligand->ligand, xyz},
                           {&ligand->moving, NULL, ligand->ligand, xyz}};
  for (size_t f = 0; f < sizeof finders / sizeof *finders; f++)
    for (size_t k = 0; k < 2; k++) {
      size_t first = list->count;
      BT_TRY(finders[f](&both[k], ligand, xyz, list, opt_error));
      sort_from(list, first);
    }
  for (int type = BT_CONTACT_DIRECTED_HBOND; type < BT_CONTACT_COUNT; type++) {
    size_t first = list->count;
    BT_TRY(bt_interactions_of_type(&site->atoms, &ligand->atoms, ligand->ligand, xyz, (bt_contact_type)type, list,
                                   opt_error));
    sort_from(list, first);
  }
  return BT_OK;
}
