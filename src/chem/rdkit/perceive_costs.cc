/* perceive_costs.cc - what lengths, angles, planarity and twist say against each number of extra bonds: about the
 * logarithm of the odds that crystal structures give them. */
#include <algorithm>
#include <cmath>

#include <GraphMol/RingInfo.h>

#include "chem/rdkit/skeleton.h"

using namespace RDKit;
using berth::NEVER;

namespace {

double ramp(double u, double most) { return u <= 0 ? 0 : std::min(u, most); }

class Judge : public berth::Skeleton {
 public:
  explicit Judge(const berth::Skeleton &skeleton) : berth::Skeleton(skeleton) {}

  berth::Costs find() {
    measure();
    return {atom_cost_, bond_cost_};
  }

 private:
  std::vector<std::vector<double>> atom_cost_, bond_cost_; /* by the number of extra bonds */

  /* Lengths, Angstrom, that one and two, or two and three bonds have with the same odds, and how sharp that is. */
  static double boundary(int a, int b, double *ret_width) {
    if (a > b) std::swap(a, b);
    *ret_width = 0.02;
    if (a == 6 && b == 6) return 1.425;
    if (a == 6 && b == 7) return *ret_width = 0.025, 1.335;
    if (a == 6 && b == 8) return 1.295;
    if (a == 6 && (b == 16 || b == 34)) return b == 16 ? 1.71 : 1.86;
    if (a == 7 && b == 7) return *ret_width = 0.025, 1.325;
    if (a == 7 && b == 8) return 1.30;
    if (a == 8 && b == 8) return 1.33;
    return 0; /* no others */
  }
  static double triple_boundary(int a, int b) {
    if (a > b) std::swap(a, b);
    return a == 6 && b == 6 ? 1.26 : a == 6 && b == 7 ? 1.22 : a == 7 && b == 7 ? 1.13 : 0;
  }

  /* Mean absolute torsion of the flattest ring of four to seven atoms, degrees; -1: in no ring. */
  double ring_twist(unsigned i, std::size_t *ret_size) const {
    double best = -1;
    for (const std::vector<int> &ring : mol_.getRingInfo()->atomRings()) {
      std::size_t size = ring.size();
      if (size < 4 || size > 7 || std::find(ring.begin(), ring.end(), static_cast<int>(i)) == ring.end()) continue;
      double sum = 0;
      for (std::size_t k = 0; k < size; k++)
        sum += torsion(static_cast<unsigned>(ring[k]), static_cast<unsigned>(ring[(k + 1) % size]),
                       static_cast<unsigned>(ring[(k + 2) % size]), static_cast<unsigned>(ring[(k + 3) % size]));
      sum /= static_cast<double>(size);
      if (best >= 0 && sum >= best) continue;
      best = sum;
      *ret_size = size;
    }
    return best;
  }

  /* Between nitrogens, or nitrogen and sulfur, that have no bond to spare: an imidazolium or thiazolium. */
  bool needs_cation(unsigned i) const {
    int full = 0, sulfur = 0;
    for (unsigned other : neighbors(i)) {
      full += element(other) == 7 && degree(other) == 3;
      sulfur += element(other) == 16 && degree(other) == 2;
    }
    return full == 2 || (full == 1 && sulfur == 1);
  }

  /* costs of no, one and two extra bonds */
  std::vector<double> carbon(unsigned i) const {
    unsigned d = degree(i);
    if (d >= 4) return {0, NEVER, NEVER};
    if (d == 3) {
      double h = height(i);
      return {ramp((14 - h) / 2.0, 7), ramp((h - 14) / 2.0, 8), NEVER};
    }
    if (d == 2) {
      std::vector<unsigned> near = neighbors(i);
      double theta = angle(near[0], i, near[1]);
      if (theta > 155) return {8, 6, 0};
      std::size_t size = 0;
      double twist = ring_twist(i, &size);
      double linear = ramp((160 - theta) / 3, 12);
      if (twist >= 0 && size <= 5)
        return {ramp((8 - twist) / (needs_cation(i) ? 1.0 : 2.0), needs_cation(i) ? 8 : 3.5),
                ramp((twist - 9) / 2.5, 6), linear};
      if (twist >= 0) return {ramp((16 - twist) / 2.0, 7), ramp((twist - 15) / 3.0, 6), linear};
      return {ramp((theta - 117) / 2.0, 4), ramp((116 - theta) / 2.0, 4), linear};
    }
    return {0.0, is_beside_flat_ring(i) ? 4.0 : 0.5, 0.5};
  }

  std::vector<double> nitrogen(unsigned i) const {
    unsigned d = degree(i);
    if (d >= 4) return {0, NEVER, NEVER};
    if (d == 3) return {0, 4 + ramp((height(i) - 10) / 2.0, 8), NEVER};
    if (d == 2) {
      std::vector<unsigned> near = neighbors(i);
      double theta = angle(near[0], i, near[1]);
      std::size_t size = 0;
      double twist = ring_twist(i, &size);
      bool flat = twist >= 0 && twist < 12;
      /* rings are aromatic rather than not; one of five members has room for one pair of electrons */
      double lone = !flat ? 0 : size == 6 ? (is_lactam(i) ? 0 : 2.5) : size != 5 ? 0 : has_donor(i) ? 2.5 : 0.7;
      bool azide = element(near[0]) == 7 && element(near[1]) == 7 && (degree(near[0]) == 1 || degree(near[1]) == 1);
      double shared = twist >= 0 ? 0 : beside_end_nitrogens(i) ? 4.0 : is_beside_flat_ring(i) ? 1.5 : 0;
      if (azide) return {6, 4, 0};
      return {lone + ramp((theta - 140) / 5, 5), shared, theta > 150 ? 1 : NEVER};
    }
    bool azide = d == 1 && element(neighbors(i)[0]) == 7;
    return {azide ? 2.0 : 0.0, azide || ends_in_nitrogen(i) > 1 ? 0.3 : 4.0, 0.5};
  }

  bool is_lactam(unsigned i) const {
    for (unsigned center : neighbors(i))
      for (unsigned other : neighbors(center))
        if (degree(other) == 1 && (element(other) == 8 || element(other) == 16)) return true;
    return false;
  }

  bool is_beside_flat_ring(unsigned i) const {
    std::size_t size;
    for (unsigned other : neighbors(i)) {
      double twist = degree(other) == 3 ? ring_twist(other, &size) : -1;
      if (twist >= 0 && twist < 12 && size > 4) return true;
    }
    return false;
  }

  bool beside_end_nitrogens(unsigned i) const {
    for (unsigned center : neighbors(i)) {
      int count = 0;
      for (unsigned other : neighbors(center)) count += element(other) == 7 && degree(other) == 1;
      if (count > 1) return true;
    }
    return false;
  }

  /* Another atom of a five-membered ring contributes its lone pair. */
  bool has_donor(unsigned i) const {
    for (const std::vector<int> &ring : mol_.getRingInfo()->atomRings()) {
      if (ring.size() != 5 || std::find(ring.begin(), ring.end(), static_cast<int>(i)) == ring.end()) continue;
      for (int other : ring) {
        unsigned k = static_cast<unsigned>(other);
        int e = element(k);
        if (e == 8 || e == 16 || e == 34 || (e == 7 && degree(k) == 3)) return true;
      }
    }
    return false;
  }

  /* How many nitrogens end at the neighbor of an end: two or more in amidines and guanidines. */
  int ends_in_nitrogen(unsigned end) const {
    int count = 0;
    for (unsigned center : neighbors(end))
      for (unsigned other : neighbors(center)) count += element(other) == 7 && degree(other) == 1;
    return count;
  }

  /* Amides, lactams and thioamides rather than their imidic acids. */
  bool is_beside_nitrogen(unsigned end) const {
    for (unsigned center : neighbors(end))
      for (unsigned other : neighbors(center))
        if (element(center) == 6 && element(other) == 7) return true;
    return false;
  }

  std::vector<double> costs_of(unsigned i) const {
    std::vector<double> cost;
    int e = element(i);
    unsigned d = degree(i);
    if (fixed_[i]) return {0, NEVER, NEVER};
    if (e == 6)
      cost = carbon(i);
    else if (e == 7)
      cost = nitrogen(i);
    else /* O and S */
      cost = {d == 1 && is_beside_nitrogen(i) ? 4.0 : 0.0, d == 1 ? 0.0 : d == 0 ? NEVER : 9.0, NEVER};
    if (hydrogens_[i] < 0) return cost;
    /* hydrogens are known, so the number of bonds is */
    int whole = e == 6 ? 4 : e == 7 ? 3 : 2, left = whole - static_cast<int>(d) - hydrogens_[i];
    for (int k = 0; k < 3; k++) {
      double wrong = 10.0 * std::abs(left - k);
      if (e != 6 && k == left + 1) wrong = 2;              /* a cation */
      if (e != 6 && k == left - 1) wrong = e == 7 ? 4 : 2; /* an anion */
      cost[static_cast<std::size_t>(k)] = std::min(cost[static_cast<std::size_t>(k)], 4.0) + wrong;
    }
    if (d + static_cast<unsigned>(hydrogens_[i]) >= 4) return {0, NEVER, NEVER};
    return cost;
  }

  /* How far the four atoms at each end of a bond are from one plane, degrees. */
  double twist_of(unsigned a, unsigned b) const {
    double worst = 0;
    for (unsigned p : neighbors(a))
      for (unsigned q : neighbors(b)) {
        if (p == b || q == a || p == q) continue;
        double t = torsion(p, a, b, q);
        worst = std::max(worst, std::min(t, 180 - t));
      }
    return worst;
  }

  /* From a ring that may be aromatic to a carbon or nitrogen outside. */
  bool leaves_flat_ring(const Bond &bond) const {
    if (mol_.getRingInfo()->numBondRings(bond.getIdx()) > 0) return false;
    for (unsigned end : {bond.getBeginAtomIdx(), bond.getEndAtomIdx()}) {
      std::size_t size = 0;
      double twist = ring_twist(end, &size);
      int outside = element(bond.getOtherAtomIdx(end));
      if (twist >= 0 && twist < 12 && size > 4 && (outside == 6 || outside == 7)) return true;
    }
    return false;
  }

  std::vector<double> costs_between(const Bond &bond) const {
    unsigned a = bond.getBeginAtomIdx(), b = bond.getEndAtomIdx();
    double width, d = distance(a, b), limit = boundary(element(a), element(b), &width),
                  triple = triple_boundary(element(a), element(b));
    if (limit == 0 || fixed_[a] || fixed_[b]) return {0, NEVER, NEVER};
    double twist = degree(a) > 1 && degree(b) > 1 ? twist_of(a, b) : 0;
    double one = ramp((limit - d) / width, 5), two = ramp((d - limit) / width, 5) + ramp((twist - 15) / 5, 8);
    if (leaves_flat_ring(bond)) two += 1.5; /* aromatic rather than quinoid */
    if (triple == 0) return {one, two, NEVER};
    return {one, two + ramp((triple - d) / 0.02, 4), ramp((d - triple) / 0.02, 12)};
  }

  bool is_in_ring_of_five(unsigned i) const { return mol_.getRingInfo()->isAtomInRingOfSize(i, 5); }

  /* Four nitrogens of rings of five that face each other: of a porphyrin's, opposite ones are alike, and only two take
   * part in double bonds. */
  void settle_porphyrins() {
    std::vector<unsigned> candidates;
    for (unsigned i = 0; i < n_; i++)
      if (element(i) == 7 && degree(i) == 2 && is_in_ring_of_five(i) && hydrogens_[i] < 0) candidates.push_back(i);
    for (unsigned i : candidates) {
      std::vector<unsigned> others;
      unsigned opposite = i;
      for (unsigned j : candidates)
        if (j != i && distance(i, j) > 2.5 && distance(i, j) < 4.6) others.push_back(j);
      for (unsigned j : others)
        if (opposite == i || distance(i, j) > distance(i, opposite)) opposite = j;
      if (others.size() != 3 || distance(i, opposite) < 3.6 || opposite < i) continue;
      bool first = true; /* of the two pairs */
      for (unsigned j : others) first = first && (j == opposite || j > i);
      for (unsigned j : {i, opposite})
        atom_cost_[j] = first ? std::vector<double>{0, NEVER, NEVER} : std::vector<double>{NEVER, 0, NEVER};
    }
  }

  void measure() {
    for (unsigned i = 0; i < n_; i++) atom_cost_.push_back(costs_of(i));
    settle_porphyrins();
    for (const Bond *bond : mol_.bonds()) {
      bond_cost_.push_back(costs_between(*bond));
      const std::vector<double> &from = atom_cost_[bond->getBeginAtomIdx()], &to = atom_cost_[bond->getEndAtomIdx()];
      for (std::size_t k = 1; k < 3; k++) /* cannot be */
        if (least_from(from, k) >= NEVER || least_from(to, k) >= NEVER) bond_cost_.back()[k] = NEVER;
    }
  }
  static double least_from(const std::vector<double> &cost, std::size_t first) {
    return *std::min_element(cost.begin() + static_cast<std::ptrdiff_t>(first), cost.end());
  }
};

}  // namespace

berth::Costs berth::find_costs(const Skeleton &skeleton) { return Judge(skeleton).find(); }
