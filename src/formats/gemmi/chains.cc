/* chains.cc - see chains.h. */
#include "formats/gemmi/chains.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

using berth::AtomBlock;
using berth::AtomRow;

namespace {

const double LONGEST_BOND = 2.2; /* Angstrom, between residues of a chain; typically 1.33 and 1.61 */

const double ANOTHER_PLACE = 1.5; /* Angstrom; atoms of alternatives without letters are nearer */

double distance2(const AtomRow &a, const AtomRow &b) {
  double sum = 0;
  for (int d = 0; d < 3; d++) sum += (a.x[d] - b.x[d]) * (a.x[d] - b.x[d]);
  return sum;
}

class Separator {
 public:
  Separator(const std::vector<AtomRow> &rows, std::vector<AtomBlock> *blocks) : rows_(rows), blocks_(*blocks) {}

  void run(berth::ChainNotes *notes) {
    find_blocks();
    find_pieces();
    name_pieces(notes);
    name_others();
  }

 private:
  /* A chain of its own among those of one name. */
  struct Piece {
    std::string chain; /* in the file */
    std::vector<std::size_t> blocks;
    std::string why;
    bool after = false; /* not the first of its name */
  };
  typedef std::unordered_set<std::size_t> Keys; /* hashes: a file may have millions of atoms */

  const std::vector<AtomRow> &rows_;
  std::vector<AtomBlock> &blocks_;
  std::vector<Piece> pieces_;
  std::set<std::string> taken_;                           /* names of chains */
  std::map<std::string, std::vector<std::string>> names_; /* of the chains that had one name */
  std::unordered_map<std::string, Keys> numbers_, atoms_; /* by name: residues of chains; all atoms */

  const AtomRow &head(std::size_t block) const { return rows_[blocks_[block].first]; }

  const AtomRow *find(std::size_t block, std::initializer_list<const char *> names) const {
    for (std::size_t i = blocks_[block].first; i < blocks_[block].end; i++)
      for (const char *name : names)
        if (rows_[i].atom == name) return &rows_[i];
    return nullptr;
  }

  static std::size_t hash(const std::string &text) { return std::hash<std::string>()(text); }
  static std::size_t number_key(const AtomRow &row) { return hash(row.number); }
  static std::size_t residue_key(const AtomRow &row) { return hash(row.number + '\n' + row.residue); }
  static std::size_t atom_key(const AtomRow &row) {
    return hash(row.number + '\n' + row.residue + '\n' + row.atom + '\n' + row.altloc);
  }

  /* A residue of a protein or nucleic acid, by its atoms. */
  bool is_polymer(std::size_t block) const {
    const AtomRow &first = head(block);
    if (find(block, {"CA"}) != nullptr && first.residue != "CA")
      return !first.hetero || (find(block, {"N"}) != nullptr && find(block, {"C"}) != nullptr);
    return find(block, {"C4'", "C4*"}) != nullptr && find(block, {"C1'", "C1*"}) != nullptr;
  }

  /* Whether the block that is being read has this atom, at another place: the next of several residues of one number.
   */
  bool stands_elsewhere(std::size_t row) const {
    for (std::size_t i = blocks_.back().first; i < row; i++)
      if (rows_[i].atom == rows_[row].atom && rows_[i].altloc == rows_[row].altloc &&
          distance2(rows_[i], rows_[row]) > ANOTHER_PLACE * ANOTHER_PLACE)
        return true;
    return false;
  }

  void find_blocks() {
    for (std::size_t i = 0; i < rows_.size(); i++) {
      const AtomRow &row = rows_[i];
      taken_.insert(row.chain);
      bool same = i > 0 && !row.after_end;
      if (same) {
        const AtomRow &last = rows_[i - 1];
        same = row.model == last.model && row.chain == last.chain && row.number == last.number &&
               row.residue == last.residue && !(row.altloc == ' ' && stands_elsewhere(i));
      }
      if (!same) {
        blocks_.emplace_back();
        blocks_.back().first = i;
        blocks_.back().chain = row.chain;
      }
      blocks_.back().end = i + 1;
    }
    for (std::size_t b = 0; b < blocks_.size(); b++) blocks_[b].polymer = is_polymer(b);
  }

  bool bonded(std::size_t from, std::size_t to) const {
    const std::initializer_list<const char *> ends[2] = {{"C"}, {"O3'", "O3*"}}, starts[2] = {{"N"}, {"P"}};
    for (int k = 0; k < 2; k++) {
      const AtomRow *a = find(from, ends[k]), *b = find(to, starts[k]);
      if (a == nullptr || b == nullptr) continue;
      if (distance2(*a, *b) < LONGEST_BOND * LONGEST_BOND) return true;
    }
    return false;
  }

  /* Whether an atom of the block stands in the file already, under these keys. */
  bool repeats_atom(std::size_t block, const Keys &atoms) const {
    for (std::size_t i = blocks_[block].first; i < blocks_[block].end; i++)
      if (atoms.count(atom_key(rows_[i])) > 0) return true;
    return false;
  }

  /* Two kinds of residue at one position have alternate locations throughout. */
  bool is_alternate(std::size_t block) const {
    for (std::size_t i = blocks_[block].first; i < blocks_[block].end; i++)
      if (rows_[i].altloc == ' ' || rows_[i].altloc == '\0') return false;
    return true;
  }

  struct State {
    int piece = -1;
    std::size_t last = 0; /* block of the piece */
    int lowest = 0;
    bool ended = false; /* a TER followed */
    Keys numbers, atoms;
  };

  /* Why a new chain begins at this block of a polymer; nullptr: it continues. */
  const char *beginning(std::size_t b, const State &s) const {
    const AtomRow &row = head(b), &last = head(s.last);
    if (row.model != last.model) return "another model";
    bool same_place = row.number == last.number;
    if (repeats_atom(b, s.atoms)) return "its numbers begin again";
    if (!same_place && s.numbers.count(number_key(row)) > 0 && s.atoms.count(residue_key(row)) == 0 && !is_alternate(b))
      return "its numbers begin again";
    if (same_place || bonded(s.last, b) || !next_goes_on(b)) return nullptr;
    if (s.ended) return "TER";
    if (find(s.last, {"OXT", "OT2", "OC2"}) != nullptr) return "a terminal residue before it";
    if (std::atoi(row.number.c_str()) < s.lowest) return "its numbers begin again";
    return nullptr;
  }

  /* A single residue is a ligand rather than a chain: nucleotides, amino acids. */
  bool next_goes_on(std::size_t b) const {
    return b + 1 < blocks_.size() && blocks_[b + 1].polymer && head(b + 1).chain == head(b).chain && bonded(b, b + 1);
  }

  void find_pieces() {
    std::map<std::string, State> states;
    std::string before; /* the chain of the block before */
    for (std::size_t b = 0; b < blocks_.size(); b++) {
      const AtomRow &row = head(b);
      if (row.after_end && b > 0) states[before].ended = true;
      before = row.chain;
      if (!blocks_[b].polymer) continue;
      State &s = states[row.chain];
      const char *why = s.piece >= 0 ? beginning(b, s) : "";
      if (why != nullptr) {
        Piece piece;
        piece.chain = row.chain;
        piece.after = s.piece >= 0;
        piece.why = why;
        s = State();
        s.piece = static_cast<int>(pieces_.size());
        s.lowest = std::atoi(row.number.c_str());
        pieces_.push_back(piece);
      }
      s.last = b;
      s.ended = false;
      s.lowest = std::min(s.lowest, std::atoi(row.number.c_str()));
      s.numbers.insert(number_key(row));
      s.atoms.insert(residue_key(row));
      for (std::size_t i = blocks_[b].first; i < blocks_[b].end; i++) s.atoms.insert(atom_key(rows_[i]));
      pieces_[static_cast<std::size_t>(s.piece)].blocks.push_back(b);
    }
  }

  std::string free_name() {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (char one : letters)
      if (taken_.insert(std::string(1, one)).second) return std::string(1, one);
    for (char one : letters)
      for (char two : letters)
        if (taken_.insert(std::string{one, two}).second) return std::string{one, two};
    return "";
  }

  std::string place(std::size_t block) const {
    const AtomRow &row = head(block);
    std::string number = row.number;
    number.erase(std::remove(number.begin(), number.end(), ' '), number.end());
    return row.residue + number;
  }

  void name_pieces(berth::ChainNotes *notes) {
    std::map<std::string, int> count;
    for (Piece &piece : pieces_) {
      std::string name = piece.chain;
      bool clash = false;
      if (piece.after)
        for (std::size_t b : piece.blocks) clash = clash || numbers_[name].count(number_key(head(b))) > 0;
      if (clash) name = free_name();
      if (clash || !piece.after) names_[piece.chain].push_back(name);
      Keys &numbers = numbers_[name], &atoms = atoms_[name];
      int number = count[piece.chain]++;
      for (std::size_t b : piece.blocks) {
        blocks_[b].chain = name;
        blocks_[b].piece = number;
        numbers.insert(number_key(head(b)));
        for (std::size_t i = blocks_[b].first; i < blocks_[b].end; i++) atoms.insert(atom_key(rows_[i]));
      }
      if (!piece.after) continue;
      std::string from = place(piece.blocks.front()), to = place(piece.blocks.back());
      std::string own = piece.chain.empty() ? "the chain without a name" : "chain " + piece.chain;
      notes->lines.push_back(clash ? own + " is in the file again (" + from + " to " + to + "; " + piece.why +
                                         "): it is called " + name + " here"
                                   : "a new chain begins within " + own + " at " + from + " (" + piece.why + ")");
    }
  }

  /* Ligands, ions and waters: the first chain of their name in which nothing has their place. */
  void name_others() {
    for (std::size_t b = 0; b < blocks_.size(); b++) {
      if (blocks_[b].polymer) continue;
      std::vector<std::string> &names = names_[head(b).chain];
      if (names.empty()) names.push_back(head(b).chain);
      std::size_t k = 0;
      while (k < names.size() && repeats_atom(b, atoms_[names[k]])) k++;
      if (k == names.size()) names.push_back(free_name());
      blocks_[b].chain = names[k];
      for (std::size_t i = blocks_[b].first; i < blocks_[b].end; i++) atoms_[names[k]].insert(atom_key(rows_[i]));
    }
  }
};

}  // namespace

std::vector<AtomBlock> berth::separate_chains(const std::vector<AtomRow> &rows, ChainNotes *notes) {
  std::vector<AtomBlock> blocks;
  Separator(rows, &blocks).run(notes);
  return blocks;
}
