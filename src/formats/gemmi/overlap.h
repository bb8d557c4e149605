/* overlap.h - do the models of a file lie beside each other, as in an assembly, or in one place? (C++) */
#ifndef BERTH_FORMATS_GEMMI_OVERLAP_H
#define BERTH_FORMATS_GEMMI_OVERLAP_H

#include <cmath>
#include <cstddef>
#include <set>
#include <tuple>
#include <vector>

namespace berth {

/* The first two models are compared by cells of 2 Angstrom that hold atoms. */
class Overlap {
 public:
  void add(int model, const double x[3]) {
    if (model < 1 || model > 2) return;
    cells_[model - 1].insert(std::make_tuple(cell(x[0]), cell(x[1]), cell(x[2])));
  }

  /* Neighbors in a crystal touch each other; models of an ensemble share most of their cells. */
  bool is_apart() const {
    std::size_t shared = 0;
    for (const auto &one : cells_[1]) shared += cells_[0].count(one);
    return shared * 10 < cells_[1].size();
  }

 private:
  std::set<std::tuple<long, long, long>> cells_[2];

  static long cell(double x) { return std::lround(x / 2.0); }
};

}  // namespace berth

#endif
