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
