/* stereo_check.cc - do coordinates, or a copy, show the stereochemistry that a molecule states? */
#include <cmath>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;
using RDGeom::Point3D;

namespace {

const double least_volume = 0.05; /* of the unit vectors to three neighbors; 0.77 in a tetrahedron, 0: flat */
const double least_cosine = 0.3;  /* of a double bond's torsions; nearer to 90 degrees it is neither cis nor trans */

bool fits(const ROMol &mol, const Atom &center, const Conformer &conformer) {
  return berth::side_of_center(mol, center, conformer) > 0;
}

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

bool fits(const ROMol &mol, const Bond &bond, const Conformer &conformer) {
  bool right = true;
  berth::for_substituents(mol, bond, [&](const Atom &x, const Atom &y, double side) {
    right = right && side * cosine_of_torsion(bond, x, y, conformer) > least_cosine;
  });
  return right;
}

}  // namespace

namespace berth {

bool is_center(const Atom &atom) {
  return atom.getDegree() >= 3 &&
         (atom.getChiralTag() == Atom::CHI_TETRAHEDRAL_CW || atom.getChiralTag() == Atom::CHI_TETRAHEDRAL_CCW);
}

/* Looking from the first neighbor, the second and the third one lie counterclockwise when the volume is positive. */
int side_of_center(const ROMol &mol, const Atom &center, const Conformer &conformer) {
  std::vector<Point3D> arms;
  for (const Bond *bond : mol.atomBonds(&center)) {
    Point3D arm = conformer.getAtomPos(bond->getOtherAtomIdx(center.getIdx())) - conformer.getAtomPos(center.getIdx());
    if (arm.lengthSq() < 1e-6) return 0;
    arm.normalize();
    arms.push_back(arm);
  }
  double volume = arms[0].dotProduct(arms[1].crossProduct(arms[2]));
  if (center.getChiralTag() == Atom::CHI_TETRAHEDRAL_CW) volume = -volume;
  return volume > least_volume ? 1 : volume < -least_volume ? -1 : 0;
}

bool has_side(const Bond &bond) { return bond.getStereo() > Bond::STEREOANY && bond.getStereoAtoms().size() == 2; }

bool is_cis(const Bond &bond) { return bond.getStereo() == Bond::STEREOZ || bond.getStereo() == Bond::STEREOCIS; }

std::vector<std::string> wrong_sides(const ROMol &mol, const Conformer &conformer) {
  std::vector<std::string> wrong;
  for (const Atom *atom : mol.atoms())
    if (is_center(*atom) && !fits(mol, *atom, conformer)) wrong.push_back(name_of(*atom));
  for (const Bond *bond : mol.bonds())
    if (has_side(*bond) && !fits(mol, *bond, conformer)) wrong.push_back(name_of(*bond));
  return wrong;
}

bool states_sides(const ROMol &mol) {
  for (const Atom *atom : mol.atoms())
    if (is_center(*atom)) return true;
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

}  // namespace berth
