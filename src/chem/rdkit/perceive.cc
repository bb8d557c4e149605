/* perceive.cc - the chemistry of a molecule of which only elements and coordinates are known.
 *
 * Bonds come from distances. How many bonds each pair of atoms has beyond the first is chosen for all pairs together:
 * lengths, angles, planarity and twist each cost what they cost a choice that contradicts them (about the logarithm of
 * its odds), and the cheapest choice is found exactly, by dynamic programming over the bonds in an order that keeps few
 * atoms open. Phosphorus, sulphur and nitro groups have rules of their own before that.
 */
#include <algorithm>
#include <cmath>
#include <map>

#include <GraphMol/MolOps.h>
#include <GraphMol/RingInfo.h>

#include "chem/rdkit/rdmol.h"

extern "C" {
#include "chem/element.h"
}

using namespace RDKit;
using RDGeom::Point3D;

namespace {

const double NEVER = 1e6;
const std::size_t MOST_STATES = 20000; /* of the search; molecules need some hundreds */

double ramp(double u, double most) { return u <= 0 ? 0 : std::min(u, most); }

class Perception {
 public:
  Perception(const int *elements, const double (*x)[3], const int *hydrogens, int n)
      : n_(static_cast<unsigned>(n)), hydrogens_(hydrogens, hydrogens + n) {
    for (unsigned i = 0; i < n_; i++) {
      Atom atom(static_cast<unsigned>(elements[i]));
      mol_.addAtom(&atom, false, false);
      places_.emplace_back(x[i][0], x[i][1], x[i][2]);
    }
  }

  std::unique_ptr<RWMol> run() {
    find_bonds();
    MolOps::findSSSR(mol_);
    extra_.assign(mol_.getNumBonds(), 0);
    used_.assign(n_, 0);
    fixed_.assign(n_, false);
    for (unsigned i = 0; i < n_; i++) settle(i);
    measure();
    choose();
    settle_azides();
    return build();
  }

 private:
  const unsigned n_;
  RWMol mol_;
  std::vector<Point3D> places_;
  std::vector<int> hydrogens_;                             /* of each atom, -1: not known */
  std::vector<int> extra_;                                 /* bonds of each pair beyond the first */
  std::vector<int> used_;                                  /* the same of atoms that are settled */
  std::vector<bool> fixed_;                                /* has no further multiple bonds */
  std::vector<std::vector<double>> atom_cost_, bond_cost_; /* by the number of extra bonds */

  int element(unsigned i) const { return mol_.getAtomWithIdx(i)->getAtomicNum(); }
  unsigned degree(unsigned i) const { return mol_.getAtomWithIdx(i)->getDegree(); }
  double distance(unsigned i, unsigned j) const { return (places_[i] - places_[j]).length(); }
  std::vector<unsigned> neighbors(unsigned i) const {
    std::vector<unsigned> list;
    for (const Atom *other : mol_.atomNeighbors(mol_.getAtomWithIdx(i))) list.push_back(other->getIdx());
    return list;
  }
  unsigned bond_between(unsigned i, unsigned j) const { return mol_.getBondBetweenAtoms(i, j)->getIdx(); }

  double angle(unsigned a, unsigned centre, unsigned b) const {
    return (places_[a] - places_[centre]).angleTo(places_[b] - places_[centre]) * 180 / M_PI;
  }

  double torsion(unsigned a, unsigned b, unsigned c, unsigned d) const {
    Point3D one = (places_[a] - places_[b]).crossProduct(places_[c] - places_[b]),
            two = (places_[b] - places_[c]).crossProduct(places_[d] - places_[c]);
    if (one.lengthSq() < 1e-8 || two.lengthSq() < 1e-8) return 0;
    return one.angleTo(two) * 180 / M_PI;
  }

  /* ------------------------------------------------------------------------------------------------- Bonds ---- */

  static unsigned most_bonds(int element) {
    switch (element) {
      case 9:
      case 17:
      case 35:
      case 53: return 1;
      case 8: return 2;
      case 6:
      case 7:
      case 5:
      case 14: return 4;
      case 15:
      case 33: return 5;
      case 16:
      case 34: return 6;
      default: return 8;
    }
  }

  void find_bonds() {
    struct Near {
      double excess;
      unsigned a, b;
    };
    std::vector<Near> near;
    for (unsigned i = 0; i < n_; i++)
      for (unsigned j = i + 1; j < n_; j++) {
        double d = distance(i, j), ideal = bt_element_radius(element(i)) + bt_element_radius(element(j));
        if (d < bt_element_longest_bond(element(i), element(j)) && d > 0.5) near.push_back({d - ideal, i, j});
      }
    std::sort(near.begin(), near.end(), [](const Near &p, const Near &q) { return p.excess < q.excess; });
    /* the longest bonds of an atom that has too many are contacts */
    for (const Near &pair : near)
      if (degree(pair.a) < most_bonds(element(pair.a)) && degree(pair.b) < most_bonds(element(pair.b)) &&
          !(pair.excess > 0.2 && closes_triangle(pair.a, pair.b)))
        mol_.addBond(pair.a, pair.b, Bond::SINGLE);
  }

  bool closes_triangle(unsigned a, unsigned b) const {
    for (unsigned other : neighbors(a))
      if (mol_.getBondBetweenAtoms(other, b) != nullptr) return true;
    return false;
  }

  /* ----------------------------------------------------------------------------- Atoms with rules of their own -- */

  /* O, S or N with no other neighbour, nearest first. */
  std::vector<unsigned> ends_of(unsigned centre, bool nitrogen) const {
    std::vector<unsigned> list;
    for (unsigned other : neighbors(centre)) {
      int e = element(other);
      bool free_one = hydrogens_[other] < 1;
      if (degree(other) == 1 && free_one && (e == 8 || e == 16 || e == 34 || (nitrogen && e == 7)))
        list.push_back(other);
    }
    std::sort(list.begin(), list.end(), [&](unsigned p, unsigned q) {
      bool oxygen_p = element(p) == 8, oxygen_q = element(q) == 8;
      return oxygen_p != oxygen_q ? oxygen_p : distance(p, centre) < distance(q, centre);
    });
    return list;
  }

  void settle_bond(unsigned centre, unsigned end) {
    extra_[bond_between(centre, end)] = 1;
    used_[centre]++;
    used_[end]++;
    fixed_[end] = true;
  }

  void charge(unsigned i, int e) { mol_.getAtomWithIdx(i)->setFormalCharge(e); }

  void settle(unsigned i) {
    int e = element(i);
    unsigned d = degree(i);
    if (e == 15 || e == 33) {
      std::vector<unsigned> ends = ends_of(i, false);
      if (!ends.empty() && d >= 3) settle_bond(i, ends[0]);
      if (ends.empty() && d == 4) charge(i, 1);
      fixed_[i] = true;
      for (unsigned end : ends) fixed_[end] = true;
    } else if (e == 16 || e == 34) {
      std::vector<unsigned> ends = ends_of(i, d >= 4);
      std::size_t wanted = d == 4 ? 2 : d == 3 ? 1 : 0;
      if (d < 3) return;
      for (std::size_t k = 0; k < ends.size() && k < wanted; k++) settle_bond(i, ends[k]);
      if (ends.empty() && d == 3) charge(i, 1);
      fixed_[i] = true;
      for (unsigned end : ends) fixed_[end] = true;
    } else if (e == 7 && d == 3) {
      std::vector<unsigned> ends = ends_of(i, false);
      if (ends.size() < 2 || element(ends[0]) != 8 || element(ends[1]) != 8) return;
      settle_bond(i, ends[0]); /* nitro */
      charge(i, 1);
      charge(ends[1], -1);
      fixed_[i] = fixed_[ends[1]] = true;
    } else if (e == 6 && d == 3) {
      std::vector<unsigned> ends = ends_of(i, false);
      if (ends.size() < 2 || element(ends[1]) != 8 || height(i) > 16) return;
      settle_bond(i, ends[0]); /* an acid or carbonate */
      fixed_[i] = true;
      for (unsigned end : ends) fixed_[end] = true;
    } else if (e == 5) {
      if (d == 4) charge(i, -1);
      fixed_[i] = true;
    } else if (e != 6 && e != 7 && e != 8) {
      fixed_[i] = true;
    }
  }

  /* ------------------------------------------------------------------------------------------------- Costs ---- */

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

  /* 360 degrees less the sum of the angles: 0 where flat, 31 at a tetrahedron's corner. */
  double height(unsigned i) const {
    std::vector<unsigned> near = neighbors(i);
    return 360 - angle(near[0], i, near[1]) - angle(near[1], i, near[2]) - angle(near[0], i, near[2]);
  }

  /* Between nitrogens, or nitrogen and sulphur, that have no bond to spare: an imidazolium or thiazolium. */
  bool needs_cation(unsigned i) const {
    int full = 0, sulphur = 0;
    for (unsigned other : neighbors(i)) {
      full += element(other) == 7 && degree(other) == 3;
      sulphur += element(other) == 16 && degree(other) == 2;
    }
    return full == 2 || (full == 1 && sulphur == 1);
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
    for (unsigned centre : neighbors(i))
      for (unsigned other : neighbors(centre))
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
    for (unsigned centre : neighbors(i)) {
      int count = 0;
      for (unsigned other : neighbors(centre)) count += element(other) == 7 && degree(other) == 1;
      if (count > 1) return true;
    }
    return false;
  }

  /* Another atom of a ring of five gives its pair of electrons. */
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

  /* How many nitrogens end at the neighbour of an end: two or more in amidines and guanidines. */
  int ends_in_nitrogen(unsigned end) const {
    int count = 0;
    for (unsigned centre : neighbors(end))
      for (unsigned other : neighbors(centre)) count += element(other) == 7 && degree(other) == 1;
    return count;
  }

  /* Amides, lactams and thioamides rather than their imidic acids. */
  bool is_beside_nitrogen(unsigned end) const {
    for (unsigned centre : neighbors(end))
      for (unsigned other : neighbors(centre))
        if (element(centre) == 6 && element(other) == 7) return true;
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

  /* ------------------------------------------------------------------------------------------------- Choice --- */

  struct State {
    double cost = 0;
    std::vector<signed char> taken; /* of the bonds so far */
  };

  /* Bonds that have a choice, neighbours in a row. */
  std::vector<unsigned> open_bonds() const {
    std::vector<unsigned> order;
    std::vector<bool> seen(mol_.getNumBonds(), false), reached(n_, false);
    for (unsigned start = 0; start < n_; start++) {
      if (reached[start]) continue;
      std::vector<unsigned> queue = {start};
      reached[start] = true;
      for (std::size_t at = 0; at < queue.size(); at++)
        for (const Bond *bond : mol_.atomBonds(mol_.getAtomWithIdx(queue[at]))) {
          if (bond_cost_[bond->getIdx()][1] >= NEVER && bond_cost_[bond->getIdx()][2] >= NEVER) continue;
          if (!seen[bond->getIdx()]) order.push_back(bond->getIdx());
          seen[bond->getIdx()] = true;
          unsigned other = bond->getOtherAtomIdx(queue[at]);
          if (!reached[other]) queue.push_back(other);
          reached[other] = true;
        }
    }
    return order;
  }

  void choose() {
    const std::vector<unsigned> order = open_bonds();
    std::vector<std::size_t> last(n_, 0), first(n_, order.size());
    for (std::size_t k = 0; k < order.size(); k++)
      for (unsigned end :
           {mol_.getBondWithIdx(order[k])->getBeginAtomIdx(), mol_.getBondWithIdx(order[k])->getEndAtomIdx()}) {
        last[end] = k;
        first[end] = std::min(first[end], k);
      }
    /* by the bonds that open atoms have so far: a character for each open atom */
    std::map<std::string, State> states;
    states[""] = State();
    std::vector<unsigned> open;
    for (std::size_t k = 0; k < order.size(); k++) {
      const Bond *bond = mol_.getBondWithIdx(order[k]);
      const unsigned ends[2] = {bond->getBeginAtomIdx(), bond->getEndAtomIdx()};
      std::vector<unsigned> next = open;
      for (unsigned end : ends)
        if (first[end] == k) next.push_back(end);
      std::map<std::string, State> after;
      for (const auto &[key, state] : states)
        for (int extra = 0; extra < 3; extra++) {
          double price = bond_cost_[order[k]][static_cast<std::size_t>(extra)];
          if (price >= NEVER) continue;
          std::string wide = key;
          wide.resize(next.size(), '0');
          std::string narrow;
          double cost = state.cost + price;
          for (std::size_t p = 0; p < next.size(); p++) {
            bool end = next[p] == ends[0] || next[p] == ends[1];
            if (end) wide[p] = static_cast<char>(wide[p] + extra);
            if (wide[p] > '2')
              cost += NEVER;
            else if (end && last[next[p]] == k)
              cost += atom_cost_[next[p]][static_cast<std::size_t>(wide[p] - '0')];
            if (!(end && last[next[p]] == k)) narrow += wide[p];
          }
          if (cost >= NEVER) continue;
          auto found = after.find(narrow);
          if (found != after.end() && found->second.cost <= cost) continue;
          State &to = after[narrow];
          to.cost = cost;
          to.taken = state.taken;
          to.taken.push_back(static_cast<signed char>(extra));
        }
      open.clear();
      for (unsigned atom : next)
        if (!((atom == ends[0] || atom == ends[1]) && last[atom] == k)) open.push_back(atom);
      if (after.empty() || after.size() > MOST_STATES)
        throw berth::failure(BT_ERR_INPUT, "its bond orders cannot be found", "give its SMILES");
      states.swap(after);
    }
    const State &best = states.begin()->second;
    for (std::size_t k = 0; k < order.size(); k++) {
      extra_[order[k]] = best.taken[k];
      const Bond *bond = mol_.getBondWithIdx(order[k]);
      used_[bond->getBeginAtomIdx()] += best.taken[k];
      used_[bond->getEndAtomIdx()] += best.taken[k];
    }
  }

  /* An azide has two double bonds rather than a triple one. */
  void settle_azides() {
    for (unsigned i = 0; i < n_; i++) {
      if (element(i) != 7 || degree(i) != 2) continue;
      std::vector<unsigned> near = neighbors(i);
      for (unsigned k = 0; k < 2; k++) {
        unsigned end = near[k], other = near[1 - k];
        if (element(end) != 7 || element(other) != 7 || degree(end) != 1 || degree(other) != 2) continue;
        int &last = extra_[bond_between(i, end)], &first = extra_[bond_between(i, other)];
        if (last != 2 || first != 0) continue;
        last = first = 1;
        used_[end]--;
        used_[other]++;
      }
    }
  }

  /* ------------------------------------------------------------------------------------------------ Molecule -- */

  void set_charge(Atom *atom) {
    unsigned i = atom->getIdx();
    int e = element(i), bonds = static_cast<int>(degree(i)) + used_[i], known = hydrogens_[i];
    if (fixed_[i] && atom->getFormalCharge() != 0) return;
    int whole = e == 7 ? 3 : e == 8 || e == 16 || e == 34 ? 2 : 0;
    if (whole == 0 || (fixed_[i] && bonds > 2)) return;
    if (known >= 0)
      atom->setFormalCharge(bonds + known - whole);
    else if (bonds > whole)
      atom->setFormalCharge(bonds - whole);
    if (known >= 0) return;
    /* azides, diazo groups and N-oxides: the end has the electron */
    if (bonds >= whole || degree(i) != 1) return;
    unsigned next = neighbors(i)[0];
    int beside = static_cast<int>(degree(next)) + used_[next];
    if (element(next) == 7 && beside > 3 && (e == 8 || used_[i] > 0)) atom->setFormalCharge(-1);
  }

  std::unique_ptr<RWMol> build() {
    for (Bond *bond : mol_.bonds()) {
      int extra = extra_[bond->getIdx()];
      bond->setBondType(extra == 0 ? Bond::SINGLE : extra == 1 ? Bond::DOUBLE : Bond::TRIPLE);
    }
    for (Atom *atom : mol_.atoms()) set_charge(atom);
    auto made = std::make_unique<RWMol>(mol_);
    auto *conformer = new Conformer(n_);
    conformer->set3D(true);
    for (unsigned i = 0; i < n_; i++) conformer->setAtomPos(i, places_[i]);
    made->addConformer(conformer, true);
    berth::renew(*made);
    if (n_ > 1) MolOps::assignStereochemistryFrom3D(*made, -1, true);
    return made;
  }
};

}  // namespace

extern "C" bt_status bt_rdmol_perceive(const int *elements, const double (*x)[3], const int *hydrogens, int n_atoms,
                                       bt_where where, bt_rdmol **ret_mol, bt_error *opt_error) {
  return berth::guarded(where, "give its SMILES", opt_error, [&] {
    auto out = std::make_unique<bt_rdmol>();
    out->mol = Perception(elements, x, hydrogens, n_atoms).run();
    *ret_mol = out.release();
  });
}
