/* errors.cc - exceptions of RDKit as errors of ours. */
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <GraphMol/FileParsers/FileParsers.h>
#include <RDGeneral/Exceptions.h>
#include <RDGeneral/Invariant.h>

#include "chem/rdkit/rdmol.h"

namespace berth {

char *copy_text(const std::string &text) {
  char *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

/* RDKit's reason as one clause: one line, no full stop at the end. */
static std::string clause(std::string text) {
  for (char &c : text)
    if (std::isspace(static_cast<unsigned char>(c))) c = ' ';
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

void check_deadline(const bt_deadline *opt_deadline, bt_where where) {
  bt_error error;
  if (bt_deadline_check(opt_deadline, where, &error) != BT_OK) throw failure(error.status, error.message, error.remedy);
}

/* "3, 4 and 5", at most a dozen. */
static std::string listed(const std::vector<long> &numbers) {
  const std::size_t most = 12;
  std::string text;
  for (std::size_t k = 0; k < numbers.size() && k < most; k++)
    text += (k == 0 ? "" : k + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[k]);
  return numbers.size() > most ? text + ", ..." : text;
}

static long number_at(const RDKit::ROMol &mol, unsigned index) {
  if (index >= mol.getNumAtoms()) return 0;
  long number = number_of(*mol.getAtomWithIdx(index));
  return number > 0 ? number : static_cast<long>(index) + 1;
}

void refuse(const RDKit::ROMol &mol, const RDKit::MolSanitizeException &error) {
  const std::string remedy = "repair or leave out this record";
  const std::string type = error.getType();
  if (type == "KekulizeException") {
    std::vector<long> numbers;
    for (unsigned atom : static_cast<const RDKit::KekulizeException &>(error).getAtomIndices())
      numbers.push_back(number_at(mol, atom));
    throw failure(
        BT_ERR_INPUT,
        "no alternating single and double bonds are possible in the aromatic system of atoms " + listed(numbers),
        "check hydrogens and charges of the ring: a pyrrole's nitrogen is [nH]");
  }
  const bool named =
      type == "AtomValenceException" || type == "AtomKekulizeException" || type == "AtomSanitizeException";
  const auto *at = named ? static_cast<const RDKit::AtomSanitizeException *>(&error) : nullptr;
  if (at == nullptr || at->getAtomIdx() >= mol.getNumAtoms()) throw failure(BT_ERR_INPUT, clause(error.what()), remedy);
  const RDKit::Atom &atom = *mol.getAtomWithIdx(at->getAtomIdx());
  long number = number_at(mol, at->getAtomIdx());
  if (type != "AtomValenceException")
    throw failure(BT_ERR_INPUT, atom.getSymbol() + " is drawn as aromatic, but in no ring", remedy, number);
  double bonds = static_cast<double>(atom.getNumExplicitHs());
  for (const RDKit::Bond *bond : mol.atomBonds(&atom)) bonds += bond->getBondTypeAsDouble();
  throw failure(BT_ERR_INPUT,
                atom.getSymbol() + " with " + std::to_string(static_cast<int>(bonds + 0.5)) +
                    " bonds (a double bond counts twice) and charge " + std::to_string(atom.getFormalCharge()) +
                    ": more than its valence permits",
                remedy, number);
}

bt_status report(bt_where where, const char *remedy, bt_error *opt_error) noexcept {
  try {
    try {
      throw;
    } catch (const failure &error) {
      if (error.atom > 0) where.atom = error.atom;
      return bt_fail(opt_error, error.status, where, error.remedy.c_str(), "%s", error.message.c_str());
    } catch (const RDKit::AtomSanitizeException &error) {
      where.atom = static_cast<long>(error.getAtomIdx()) + 1;
      return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "%s", clause(error.what()).c_str());
    } catch (const std::bad_alloc &) {
      return bt_fail_memory(opt_error);
    } catch (const Invar::Invariant &error) {
      return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "RDKit rejects it: %s", clause(error.what()).c_str());
    } catch (const std::exception &error) {
      return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "%s", clause(error.what()).c_str());
    } catch (...) {
      return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "RDKit rejects it and gives no reason");
    }
  } catch (...) { /* no memory for a message */
    return bt_fail_memory(opt_error);
  }
}

}  // namespace berth
