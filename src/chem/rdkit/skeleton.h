/* skeleton.h - a molecule whose bonds are known, but not their orders (C++): what perceive.cc and perceive_costs.cc
 * share. */
#ifndef BERTH_CHEM_RDKIT_SKELETON_H
#define BERTH_CHEM_RDKIT_SKELETON_H

#include <cmath>

#include "chem/rdkit/rdmol.h"

namespace berth {

const double NEVER = 1e6; /* the cost of what cannot be */

struct Skeleton {
  Skeleton(const int *elements, const double (*x)[3], const int *hydrogens, int n)
      : n_(static_cast<unsigned>(n)), hydrogens_(hydrogens, hydrogens + n) {
    for (unsigned i = 0; i < n_; i++) {
      RDKit::Atom atom(static_cast<unsigned>(elements[i]));
      mol_.addAtom(&atom, false, false);
      places_.emplace_back(x[i][0], x[i][1], x[i][2]);
    }
  }

  virtual ~Skeleton() = default;

  const unsigned n_;
  RDKit::RWMol mol_;
  std::vector<RDGeom::Point3D> places_;
  std::vector<int> hydrogens_; /* of each atom, -1: not known */
  std::vector<int> extra_;     /* bonds of each pair beyond the first */
  std::vector<int> used_;      /* the same of atoms that are settled */
  std::vector<bool> fixed_;    /* has no further multiple bonds */

  int element(unsigned i) const { return mol_.getAtomWithIdx(i)->getAtomicNum(); }
  unsigned degree(unsigned i) const { return mol_.getAtomWithIdx(i)->getDegree(); }
  double distance(unsigned i, unsigned j) const { return (places_[i] - places_[j]).length(); }
  std::vector<unsigned> neighbors(unsigned i) const {
    std::vector<unsigned> list;
    for (const RDKit::Atom *other : mol_.atomNeighbors(mol_.getAtomWithIdx(i))) list.push_back(other->getIdx());
    return list;
  }
  unsigned bond_between(unsigned i, unsigned j) const { return mol_.getBondBetweenAtoms(i, j)->getIdx(); }

  double angle(unsigned a, unsigned center, unsigned b) const {
    return (places_[a] - places_[center]).angleTo(places_[b] - places_[center]) * 180 / M_PI;
  }

  /* 360 degrees less the sum of the angles: 0 where flat, 31 at a tetrahedron's corner. */
  double height(unsigned i) const {
    std::vector<unsigned> near = neighbors(i);
    return 360 - angle(near[0], i, near[1]) - angle(near[1], i, near[2]) - angle(near[0], i, near[2]);
  }

  double torsion(unsigned a, unsigned b, unsigned c, unsigned d) const {
    RDGeom::Point3D one = (places_[a] - places_[b]).crossProduct(places_[c] - places_[b]),
                    two = (places_[b] - places_[c]).crossProduct(places_[d] - places_[c]);
    if (one.lengthSq() < 1e-8 || two.lengthSq() < 1e-8) return 0;
    return one.angleTo(two) * 180 / M_PI;
  }
};

/* perceive_costs.cc: what the geometry says against no, one and two extra bonds of each atom and of each pair. */
struct Costs {
  std::vector<std::vector<double>> atoms, bonds;
};
Costs find_costs(const Skeleton &skeleton);

}  // namespace berth

#endif
