/* bounds.cc - bounds of distances for embedding, and their smoothing by the triangle inequality. */
#include <algorithm>
#include <cmath>

#include <DistGeom/BoundsMatrix.h>
#include <GraphMol/DistGeomHelpers/BoundsMatrixBuilder.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

double middle(const DistGeom::BoundsMatrix &bounds, unsigned i, unsigned j) {
  return (bounds.getLowerBound(i, j) + bounds.getUpperBound(i, j)) / 2;
}

/* The angle between the sides a and b of a triangle whose third side is c. */
double angle(double a, double b, double c) {
  double cosine = (a * a + b * b - c * c) / (2 * a * b);
  return std::acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

/* The distance of substituents x and y of a planar double bond; side: 1 cis, -1 trans. */
double distance_across(const DistGeom::BoundsMatrix &bounds, const Bond &bond, unsigned x, unsigned y, double side) {
  unsigned a = bond.getBeginAtomIdx(), b = bond.getEndAtomIdx();
  double xa = middle(bounds, x, a), ab = middle(bounds, a, b), by = middle(bounds, b, y);
  double at_a = angle(xa, ab, middle(bounds, x, b)), at_b = angle(ab, by, middle(bounds, a, y));
  double along = ab - xa * std::cos(at_a) - by * std::cos(at_b);
  double across = xa * std::sin(at_a) - side * by * std::sin(at_b);
  return std::sqrt(along * along + across * across);
}

/* The substituents of double bonds that have a side get the distance of that side. */
void set_sides(const ROMol &mol, DistGeom::BoundsMatrix &bounds) {
  const double slack = 0.06; /* Angstrom */
  for (const Bond *bond : mol.bonds()) {
    if (!berth::has_side(*bond)) continue;
    berth::for_substituents(mol, *bond, [&](const Atom &x, const Atom &y, double side) {
      double distance = distance_across(bounds, *bond, x.getIdx(), y.getIdx(), side);
      bounds.setUpperBound(x.getIdx(), y.getIdx(), distance + slack);
      bounds.setLowerBound(x.getIdx(), y.getIdx(), distance - slack);
    });
  }
}

/* As RDKit's triangleSmoothBounds, number by number, but on whole rows, which is some ten times as fast, and it can be
 * stopped. False: the bounds contradict each other. */
bool smooth(DistGeom::BoundsMatrix &bounds, const bt_deadline *opt_deadline, bt_where where) {
  const unsigned n = bounds.numRows();
  std::vector<double> upper(std::size_t{n} * n), lower(std::size_t{n} * n);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) {
      upper[std::size_t{i} * n + j] = i == j ? 0 : bounds.getUpperBound(i, j);
      lower[std::size_t{i} * n + j] = i == j ? 0 : bounds.getLowerBound(i, j);
    }
  for (unsigned k = 0; k < n; k++) {
    berth::check_deadline(opt_deadline, where);
    const double *upper_k = &upper[std::size_t{k} * n], *lower_k = &lower[std::size_t{k} * n];
    bool right = true;
    for (unsigned i = 0; i < n; i++) {
      if (i == k) continue;
      double *u = &upper[std::size_t{i} * n], *l = &lower[std::size_t{i} * n], u_ik = u[k], l_ik = l[k];
      for (unsigned j = 0; j < n; j++) {
        if (j == i || j == k) continue;
        double longest = u_ik + upper_k[j], shortest = std::max(l_ik - upper_k[j], lower_k[j] - u_ik);
        if (u[j] > longest) u[j] = longest;
        if (l[j] < shortest) l[j] = shortest;
        if (l[j] > u[j]) right = false;
      }
    }
    if (!right) return false;
  }
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < i; j++) {
      bounds.setUpperBound(i, j, upper[std::size_t{i} * n + j]);
      bounds.setLowerBound(i, j, lower[std::size_t{i} * n + j]);
    }
  return true;
}

const int macrocycle = 9; /* atoms of a ring in which torsions are free */

bool is_macrocyclic(const RingInfo &rings, unsigned bond) {
  for (int size : rings.bondRingSizes(bond))
    if (size >= macrocycle) return true;
  return false;
}

bool has_macrocycle(const ROMol &mol) {
  for (const Bond *bond : mol.bonds())
    if (is_macrocyclic(*mol.getRingInfo(), bond->getIdx())) return true;
  return false;
}

/* RDKit before 2023 takes the torsions where rings of a macrocycle meet as trans. */
void allow_cis(const ROMol &mol, DistGeom::BoundsMatrix &bounds) {
  const double slack = 0.06; /* Angstrom */
  for (const Bond *bond : mol.bonds()) {
    if (!is_macrocyclic(*mol.getRingInfo(), bond->getIdx())) continue;
    for (const Atom *x : mol.atomNeighbors(bond->getBeginAtom()))
      for (const Atom *y : mol.atomNeighbors(bond->getEndAtom())) {
        if (x == bond->getEndAtom() || y == bond->getBeginAtom() || x == y) continue;
        double cis = distance_across(bounds, *bond, x->getIdx(), y->getIdx(), 1) - slack;
        if (bounds.getLowerBound(x->getIdx(), y->getIdx()) > cis) bounds.setLowerBound(x->getIdx(), y->getIdx(), cis);
      }
  }
}

}  // namespace

namespace berth {

DistGeom::BoundsMatPtr bounds_for(const ROMol &mol, bool sided, const bt_deadline *opt_deadline, bt_where where) {
  for (bool relaxed : {false, true}) { /* as RDKit: without the distances of 1,5 neighbors, and smaller atoms */
    DistGeom::BoundsMatPtr bounds(new DistGeom::BoundsMatrix(mol.getNumAtoms()));
    DGeomHelpers::initBoundsMat(bounds);
    DGeomHelpers::setTopolBounds(mol, bounds, !relaxed, relaxed, true, true);
    if (sided) set_sides(mol, *bounds);
    if (smooth(*bounds, opt_deadline, where)) return bounds;
  }
  return nullptr;
}

}  // namespace berth

extern "C" bt_status bt_rdmol_bounds(const bt_rdmol *mol, double *ret_bounds, bool *ret_known, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    RWMol scratch(*mol->mol);
    for (Bond *bond : scratch.bonds()) bond->setStereo(Bond::STEREONONE);
    const unsigned n = scratch.getNumAtoms();
    DistGeom::BoundsMatPtr bounds(new DistGeom::BoundsMatrix(n));
    DGeomHelpers::initBoundsMat(bounds);
    const bool free = has_macrocycle(scratch);
    DGeomHelpers::setTopolBounds(scratch, bounds, !free, true, false);
    if (free) allow_cis(scratch, *bounds);
    *ret_known = smooth(*bounds, nullptr, bt_where{});
    for (unsigned i = 0; i < n; i++)
      for (unsigned j = 0; j < n; j++)
        ret_bounds[std::size_t{i} * n + j] = i < j ? bounds->getUpperBound(i, j)
                                           : i > j ? bounds->getLowerBound(j, i)
                                                   : 0.0;
  });
}
