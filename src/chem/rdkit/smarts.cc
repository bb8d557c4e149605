/* smarts.cc - patterns and where they match. */
#include <cstdlib>

#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

extern "C" bt_status bt_smarts_create(const char *text, bt_smarts **ret_smarts, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "correct the pattern", opt_error, [&] {
    auto out = std::make_unique<bt_smarts>();
    out->pattern.reset(SmartsToMol(text));
    if (!out->pattern)
      throw berth::failure(BT_ERR_USAGE, "'" + std::string(text) + "' is not a valid SMARTS pattern",
                           "correct the pattern");
    *ret_smarts = out.release();
  });
}

extern "C" void bt_smarts_destroy(bt_smarts *opt_smarts) { delete opt_smarts; }

extern "C" int bt_smarts_size(const bt_smarts *smarts) { return static_cast<int>(smarts->pattern->getNumAtoms()); }

extern "C" bt_status bt_smarts_match(const bt_smarts *smarts, const bt_rdmol *mol, int **ret_matches, int *ret_count,
                                     bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    SubstructMatchParameters parameters;
    parameters.uniquify = false;
    parameters.maxMatches = 1000000;
    std::vector<MatchVectType> matches = SubstructMatch(*mol->mol, *smarts->pattern, parameters);
    *ret_matches = nullptr;
    *ret_count = static_cast<int>(matches.size());
    if (matches.empty()) return;
    std::size_t size = smarts->pattern->getNumAtoms();
    int *out = static_cast<int *>(std::malloc(matches.size() * size * sizeof(int)));
    if (out == nullptr) throw std::bad_alloc();
    for (std::size_t i = 0; i < matches.size(); i++)
      for (auto [from, to] : matches[i]) out[i * size + static_cast<std::size_t>(from)] = to;
    *ret_matches = out;
  });
}
