/* sides.cc - do coordinates show the stereochemistry that their molecule states? And bounds of distances that do. */
#include <cmath>

#include <DistGeom/BoundsMatrix.h>
#include <GraphMol/DistGeomHelpers/BoundsMatrixBuilder.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;
using RDGeom::Point3D;

namespace {

const double least_volume = 0.05; /* of the unit vectors to three neighbours; 0.77 in a tetrahedron, 0: flat */
const double least_cosine = 0.3;  /* of a double bond's torsions; nearer to 90 degrees it is neither cis nor trans */

bool is_centre(const Atom &atom) {
  return atom.getDegree() >= 3 &&
         (atom.getChiralTag() == Atom::CHI_TETRAHEDRAL_CW || atom.getChiralTag() == Atom::CHI_TETRAHEDRAL_CCW);
}

/* Looking from the first neighbour, the second and the third one lie counterclockwise when the volume is positive. */
bool fits(const ROMol &mol, const Atom &centre, const Conformer &conformer) {
  std::vector<Point3D> arms;
  for (const Bond *bond : mol.atomBonds(&centre)) {
    Point3D arm = conformer.getAtomPos(bond->getOtherAtomIdx(centre.getIdx())) - conformer.getAtomPos(centre.getIdx());
    if (arm.lengthSq() < 1e-6) return false;
    arm.normalize();
    arms.push_back(arm);
  }
  double volume = arms[0].dotProduct(arms[1].crossProduct(arms[2]));
  return (centre.getChiralTag() == Atom::CHI_TETRAHEDRAL_CCW ? volume : -volume) > least_volume;
}

bool has_side(const Bond &bond) { return bond.getStereo() > Bond::STEREOANY && bond.getStereoAtoms().size() == 2; }

bool is_cis(const Bond &bond) { return bond.getStereo() == Bond::STEREOZ || bond.getStereo() == Bond::STEREOCIS; }

/* Of the torsion x-a=b-y. 1: cis, -1: trans; 0 also where it has none. */
double cosine_of_torsion(const Bond &bond, const Atom &x, const Atom &y, const Conformer &conformer) {
  const Point3D &a = conformer.getAtomPos(bond.getBeginAtomIdx()), &b = conformer.getAtomPos(bond.getEndAtomIdx());
  Point3D axis = b - a, first = conformer.getAtomPos(x.getIdx()) - a, second = conformer.getAtomPos(y.getIdx()) - b;
  if (axis.lengthSq() < 1e-6) return 0;
  axis.normalize();
  first -= axis * first.dotProduct(axis);
  second -= axis * second.dotProduct(axis);
  double length = std::sqrt(first.lengthSq() * second.lengthSq());
  return length < 1e-6 ? 0 : first.dotProduct(second) / length;
}

/* Calls body(x, y, side) for all substituents x of the first and y of the second atom; side: 1 cis, -1 trans. */
template <typename Body>
void for_substituents(const ROMol &mol, const Bond &bond, Body body) {
  for (const Atom *x : mol.atomNeighbors(bond.getBeginAtom()))
    for (const Atom *y : mol.atomNeighbors(bond.getEndAtom())) {
      if (x == bond.getEndAtom() || y == bond.getBeginAtom() || x == y) continue;
      bool other = (static_cast<int>(x->getIdx()) != bond.getStereoAtoms()[0]) !=
                   (static_cast<int>(y->getIdx()) != bond.getStereoAtoms()[1]);
      body(*x, *y, is_cis(bond) != other ? 1.0 : -1.0);
    }
}

bool fits(const ROMol &mol, const Bond &bond, const Conformer &conformer) {
  bool right = true;
  for_substituents(mol, bond, [&](const Atom &x, const Atom &y, double side) {
    right = right && side * cosine_of_torsion(bond, x, y, conformer) > least_cosine;
  });
  return right;
}

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

}  // namespace

namespace berth {

std::vector<std::string> wrong_sides(const ROMol &mol, const Conformer &conformer) {
  std::vector<std::string> wrong;
  for (const Atom *atom : mol.atoms())
    if (is_centre(*atom) && !fits(mol, *atom, conformer)) wrong.push_back(name_of(*atom));
  for (const Bond *bond : mol.bonds())
    if (has_side(*bond) && !fits(mol, *bond, conformer)) wrong.push_back(name_of(*bond));
  return wrong;
}

bool states_sides(const ROMol &mol) {
  for (const Atom *atom : mol.atoms())
    if (is_centre(*atom)) return true;
  for (const Bond *bond : mol.bonds())
    if (has_side(*bond)) return true;
  return false;
}

bool states_ring_sides(const ROMol &mol) {
  for (const Bond *bond : mol.bonds())
    if (has_side(*bond) && mol.getRingInfo()->numBondRings(bond->getIdx()) > 0) return true;
  return false;
}

bool same_sides(const ROMol &mol, const ROMol &other, const std::vector<unsigned> &place) {
  for (const Bond *bond : mol.bonds()) {
    if (!has_side(*bond)) continue;
    unsigned begin = place[bond->getBeginAtomIdx()], end = place[bond->getEndAtomIdx()];
    const Bond *copy = other.getBondBetweenAtoms(begin, end);
    if (copy == nullptr || !has_side(*copy)) return false;
    std::size_t first = copy->getBeginAtomIdx() == begin ? 0 : 1; /* of its atoms, the one that is begin */
    bool changed = false;                                         /* sides are stated for other substituents */
    for (std::size_t k = 0; k < 2; k++)
      if (place[static_cast<unsigned>(bond->getStereoAtoms()[k])] !=
          static_cast<unsigned>(copy->getStereoAtoms()[k == 0 ? first : 1 - first]))
        changed = !changed;
    if ((is_cis(*bond) != is_cis(*copy)) != changed) return false;
  }
  return true;
}

DistGeom::BoundsMatPtr bounds_of_sides(const ROMol &mol) {
  const double slack = 0.06; /* Angstrom */
  DistGeom::BoundsMatPtr bounds(new DistGeom::BoundsMatrix(mol.getNumAtoms()));
  DGeomHelpers::initBoundsMat(bounds);
  DGeomHelpers::setTopolBounds(mol, bounds, true, false, true, true);
  for (const Bond *bond : mol.bonds()) {
    if (!has_side(*bond)) continue;
    for_substituents(mol, *bond, [&](const Atom &x, const Atom &y, double side) {
      double distance = distance_across(*bounds, *bond, x.getIdx(), y.getIdx(), side);
      bounds->setUpperBound(x.getIdx(), y.getIdx(), distance + slack);
      bounds->setLowerBound(x.getIdx(), y.getIdx(), distance - slack);
    });
  }
  return bounds;
}

}  // namespace berth
