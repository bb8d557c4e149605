/* columns.cc - a table of atoms with fewer columns than gemmi asks for. */
#include "formats/gemmi/columns.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <vector>

namespace {

typedef gemmi::cif::Loop Loop;
typedef std::function<std::string(const std::vector<std::string> &row, size_t index)> Value;

const char *const category = "_atom_site.";

int place_of(const Loop &loop, const std::string &name) {
  for (size_t i = 0; i < loop.tags.size(); i++)
    if (gemmi::to_lower(loop.tags[i]) == gemmi::to_lower(category + name)) return static_cast<int>(i);
  return -1;
}

bool is_null(const std::string &word) { return word == "." || word == "?"; }

/* Appends a column. */
void add(Loop &loop, const std::string &name, const Value &value) {
  size_t width = loop.tags.size(), length = loop.values.size() / width;
  std::vector<std::string> values;
  values.reserve(length * (width + 1));
  for (size_t i = 0; i < length; i++) {
    auto at = loop.values.begin() + static_cast<std::ptrdiff_t>(i * width);
    std::vector<std::string> row(at, at + static_cast<std::ptrdiff_t>(width));
    std::string made = value(row, i);
    for (std::string &word : row) values.push_back(std::move(word));
    values.push_back(std::move(made));
  }
  loop.tags.push_back(category + name);
  loop.values = std::move(values);
}

void add_constant(Loop &loop, const std::string &name, const std::string &value) {
  if (place_of(loop, name) < 0) add(loop, name, [&](const std::vector<std::string> &, size_t) { return value; });
}

/* Puts values where a column that is there has none. */
void fill(Loop &loop, int place, const std::function<std::string(const std::string *row)> &value) {
  for (size_t at = 0; at + loop.tags.size() <= loop.values.size(); at += loop.tags.size()) {
    std::string &word = loop.values[at + static_cast<size_t>(place)];
    if (is_null(word)) word = value(&loop.values[at]);
  }
}

/* The column with the same meaning in the other numbering. */
void add_copy(Loop &loop, const std::string &name, const std::string &from) {
  int place = place_of(loop, from), own = place_of(loop, name);
  if (place < 0) return;
  if (own >= 0)
    fill(loop, own, [&](const std::string *row) { return row[place]; });
  else
    add(loop, name, [&](const std::vector<std::string> &row, size_t) { return row[static_cast<size_t>(place)]; });
}

bool any_value(const Loop &loop, int place) {
  for (size_t at = static_cast<size_t>(place); at < loop.values.size(); at += loop.tags.size())
    if (!is_null(loop.values[at])) return true;
  return false;
}

/* label_seq_id has no numbers outside polymers: a new one whenever the residue's name changes or one of its atoms
 * comes a second time. */
void add_numbers(Loop &loop) {
  int number = place_of(loop, "label_seq_id"), chain = place_of(loop, "label_asym_id"),
      name = place_of(loop, "label_comp_id"), atom = place_of(loop, "label_atom_id");
  if (number < 0 || chain < 0 || name < 0 || atom < 0) return;
  std::map<std::string, int> last; /* of each chain */
  for (size_t at = 0; at + loop.tags.size() <= loop.values.size(); at += loop.tags.size()) {
    const std::string *row = &loop.values[at];
    int here = is_null(row[number]) ? 0 : std::atoi(row[number].c_str());
    int &highest = last[row[chain]];
    if (here > highest) highest = here;
  }
  std::string residue;
  std::map<std::string, bool> atoms;
  auto value = [&](const std::string *row) {
    auto word = [&](int place) { return row[place]; };
    if (!is_null(word(number))) return word(number);
    std::string here = word(chain) + ' ' + word(name);
    if (here != residue || atoms.count(word(atom)) > 0) {
      residue = here;
      atoms.clear();
      last[word(chain)]++;
    }
    atoms[word(atom)] = true;
    return std::to_string(last[word(chain)]);
  };
  int own = place_of(loop, "auth_seq_id");
  if (own >= 0 && !any_value(loop, own))
    fill(loop, own, value);
  else if (own < 0)
    add(loop, "auth_seq_id", [&](const std::vector<std::string> &row, size_t) { return value(row.data()); });
}

}  // namespace

void berth::complete_atom_sites(gemmi::cif::Block &block) {
  Loop *loop = block.find_loop(std::string(category) + "Cartn_x").get_loop();
  if (loop == nullptr || loop->tags.empty()) return;
  add_constant(*loop, "occupancy", "1.00");
  add_constant(*loop, "B_iso_or_equiv", "0.00");
  add_constant(*loop, "label_alt_id", ".");
  int model = place_of(*loop, "pdbx_PDB_model_num");
  if (model >= 0) fill(*loop, model, [](const std::string *) { return std::string("1"); });
  if (place_of(*loop, "id") < 0)
    add(*loop, "id", [](const std::vector<std::string> &, size_t index) { return std::to_string(index + 1); });
  for (const char *what : {"asym_id", "comp_id", "atom_id"}) {
    add_copy(*loop, std::string("label_") + what, std::string("auth_") + what);
    add_copy(*loop, std::string("auth_") + what, std::string("label_") + what);
  }
  add_numbers(*loop);
}

std::string berth::missing_columns(const gemmi::cif::Block &block) {
  std::string missing;
  if (!block.has_tag(std::string(category) + "Cartn_x")) return missing;
  for (const char *name : {"type_symbol", "label_asym_id", "label_comp_id", "label_atom_id", "auth_seq_id"})
    if (!block.has_tag(std::string(category) + name)) missing += (missing.empty() ? "" : ", ") + std::string(name);
  return missing;
}
