/* perceive.cc - the chemistry of a molecule of which only elements and coordinates are known.
 *
 * Bonds come from distances. How many bonds each pair of atoms has beyond the first is chosen for all pairs together: a
 * choice costs what the geometry says against it (perceive_costs.cc), and the cheapest is found exactly, by dynamic
 * programming over the bonds in an order that keeps few atoms open. Phosphorus, sulfur and nitro groups have rules of
 * their own before that.
 */
#include <algorithm>
#include <map>

#include <GraphMol/MolOps.h>
#include <GraphMol/RingInfo.h>

#include "chem/rdkit/skeleton.h"

extern "C" {
#include "chem/element.h"
}

using namespace RDKit;
using berth::NEVER;

namespace {

const std::size_t MOST_STATES = 20000; /* of the search; molecules need some hundreds */

class Perception : public berth::Skeleton {
 public:
  using berth::Skeleton::Skeleton;

  std::unique_ptr<RWMol> run() {
    find_bonds();
    MolOps::findSSSR(mol_);
    extra_.assign(mol_.getNumBonds(), 0);
    used_.assign(n_, 0);
    fixed_.assign(n_, false);
    for (unsigned i = 0; i < n_; i++) settle(i);
    costs_ = berth::find_costs(*this);
    choose();
    settle_azides();
    return build();
  }

 private:
  berth::Costs costs_;

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

  /* O, S or N with no other neighbor, nearest first. */
  std::vector<unsigned> ends_of(unsigned center, bool nitrogen) const {
    std::vector<unsigned> list;
    for (unsigned other : neighbors(center)) {
      int e = element(other);
      bool free_one = hydrogens_[other] < 1;
      if (degree(other) == 1 && free_one && (e == 8 || e == 16 || e == 34 || (nitrogen && e == 7)))
        list.push_back(other);
    }
    std::sort(list.begin(), list.end(), [&](unsigned p, unsigned q) {
      bool oxygen_p = element(p) == 8, oxygen_q = element(q) == 8;
      return oxygen_p != oxygen_q ? oxygen_p : distance(p, center) < distance(q, center);
    });
    return list;
  }

  void settle_bond(unsigned center, unsigned end) {
    extra_[bond_between(center, end)] = 1;
    used_[center]++;
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

  /* ------------------------------------------------------------------------------------------------- Choice --- */

  struct State {
    double cost = 0;
    std::vector<signed char> taken; /* of the bonds so far */
  };

  /* Bonds that have a choice, neighbors in a row. */
  std::vector<unsigned> open_bonds() const {
    std::vector<unsigned> order;
    std::vector<bool> seen(mol_.getNumBonds(), false), reached(n_, false);
    for (unsigned start = 0; start < n_; start++) {
      if (reached[start]) continue;
      std::vector<unsigned> queue = {start};
      reached[start] = true;
      for (std::size_t at = 0; at < queue.size(); at++)
        for (const Bond *bond : mol_.atomBonds(mol_.getAtomWithIdx(queue[at]))) {
          if (costs_.bonds[bond->getIdx()][1] >= NEVER && costs_.bonds[bond->getIdx()][2] >= NEVER) continue;
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
          double price = costs_.bonds[order[k]][static_cast<std::size_t>(extra)];
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
              cost += costs_.atoms[next[p]][static_cast<std::size_t>(wide[p] - '0')];
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
        throw berth::failure(BT_ERR_INPUT, "its bond orders cannot be found", "provide its SMILES");
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
  return berth::guarded(where, "provide its SMILES", opt_error, [&] {
    auto out = std::make_unique<bt_rdmol>();
    out->mol = Perception(elements, x, hydrogens, n_atoms).run();
    *ret_mol = out.release();
  });
}
