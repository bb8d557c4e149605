/* read.cc - one record of SDF, MOL2, SMILES or PDB becomes a molecule. */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>
#include <RDGeneral/versions.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

/* RDKit prints its complaints; callers get them as errors, and a library prints nothing. */
void silence() {
  const std::shared_ptr<boost::logging::rdLogger> *const logs[] = {&rdErrorLog, &rdWarningLog, &rdInfoLog, &rdAppLog,
                                                                   &rdDebugLog};
  for (const auto *log : logs)
    if (*log && (*log)->df_enabled) (*log)->df_enabled = false;
}

bool next_line(const std::string &text, std::size_t &at, std::string &line) {
  if (at >= text.size()) return false;
  std::size_t end = text.find('\n', at);
  if (end == std::string::npos) end = text.size();
  line.assign(text, at, end - at);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  at = end + 1;
  return true;
}

/* "> 12 <name> (reg)", lines, an empty line. */
void read_items(const std::string &text, bt_rdmol &out) {
  std::size_t at = text.find("M  END");
  if (at == std::string::npos) return;
  std::string line;
  next_line(text, at, line);
  while (next_line(text, at, line)) {
    if (line.empty() || line[0] != '>') continue;
    std::size_t open = line.find('<'), close = line.rfind('>');
    if (open == std::string::npos || close == std::string::npos || close <= open) continue;
    std::string name = line.substr(open + 1, close - open - 1), value;
    for (bool first = true; next_line(text, at, line) && !line.empty() && line != "$$$$"; first = false)
      value += (first ? "" : "\n") + line;
    out.items.emplace_back(name, value);
  }
}

std::unique_ptr<RWMol> parse(bt_rdformat format, const std::string &text, long line) {
  switch (format) {
    case BT_RD_SDF: {
      std::istringstream stream(text);
      unsigned int at = line > 0 ? static_cast<unsigned int>(line - 1) : 0;
      return std::unique_ptr<RWMol>(MolDataStreamToMol(stream, at, true, false, true));
    }
    case BT_RD_MOL2: return std::unique_ptr<RWMol>(Mol2BlockToMol(text, true, false));
    case BT_RD_SMILES: {
      std::size_t end = text.find_first_of(" \t"), open = text.find('|');
      std::string smiles = text.substr(0, end), groups;
      if (end != std::string::npos && open != std::string::npos)
        groups = berth::stereo_block(text.substr(open + 1, text.rfind('|') - open - 1));
      SmilesParserParams parameters;
      parameters.allowCXSMILES = !groups.empty();
      parameters.parseName = false;
      std::unique_ptr<RWMol> mol(SmilesToMol(groups.empty() ? smiles : smiles + " |" + groups + "|", parameters));
      std::string typed = text.substr(0, std::min<std::size_t>(80, text.find_last_not_of("\r\n") + 1));
      if (!mol) throw berth::failure(BT_ERR_INPUT, "'" + typed + "' is not a valid SMILES", "correct it");
      return mol;
    }
    case BT_RD_PDB: return std::unique_ptr<RWMol>(PDBBlockToMol(text, false, false, 0, true));
  }
  return nullptr;
}

/* The first line of an SDF record, the second of a MOL2 record. */
std::string name_of(const ROMol &mol) {
  std::string name;
  mol.getPropIfPresent(common_properties::_Name, name);
  std::size_t first = name.find_first_not_of(" \t\r\n"), last = name.find_last_not_of(" \t\r\n");
  return first == std::string::npos ? "" : name.substr(first, last - first + 1);
}

/* Whatever its dimension code, a record whose atoms are all in the xy plane is a drawing. */
void find_dimension(RWMol &mol) {
  if (mol.getNumConformers() == 0) return;
  Conformer &conformer = mol.getConformer();
  bool flat = true, same = true;
  for (unsigned i = 0; i < mol.getNumAtoms(); i++) {
    RDGeom::Point3D point = conformer.getAtomPos(i);
    if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z))
      throw berth::failure(BT_ERR_INPUT, "a coordinate is not finite", "repair the record", static_cast<long>(i) + 1);
    flat = flat && point.z == 0.0;
    same = same && (point - conformer.getAtomPos(0)).lengthSq() < 1e-6;
  }
  unsigned n = mol.getNumAtoms();
  if ((flat && n > 4) || (same && n > 1))
    conformer.set3D(false);
  else if (!flat)
    conformer.set3D(true);
}

}  // namespace

extern "C" const char *bt_rdkit_version(void) { return rdkitVersion; }

extern "C" bt_status bt_rdmol_read(bt_rdformat format, const char *text, size_t size, bt_where where,
                                   const char *opt_template, bt_rdmol **ret_mol, bt_error *opt_error) {
  const char *remedy = "repair or leave out this record";
  return berth::guarded(where, remedy, opt_error, [&] {
    silence();
    auto out = std::make_unique<bt_rdmol>();
    std::string record(text, size);
    out->mol = parse(format, record, where.line);
    if (!out->mol || out->mol->getNumAtoms() == 0) throw berth::failure(BT_ERR_INPUT, "a record without atoms", remedy);
    if (opt_template != nullptr && *opt_template != '\0') berth::apply_template(*out->mol, opt_template);
    find_dimension(*out->mol);
    if (format != BT_RD_SMILES && out->mol->getNumConformers() > 0 && out->mol->getConformer().is3D()) {
      MolOps::assignStereochemistryFrom3D(*out->mol, -1, true);
      if (opt_template != nullptr && *opt_template != '\0') berth::check_template_stereo(*out->mol, opt_template);
    }
    berth::forget_pseudo_stereo(*out->mol);
    berth::number_atoms(*out->mol);
    berth::take_groups(*out, format == BT_RD_SDF && !bt_rdmol_is_3d(out.get()));
    out->name = name_of(*out->mol);
    if (format == BT_RD_SDF) read_items(record, *out);
    *ret_mol = out.release();
  });
}

extern "C" bt_rdmol *bt_rdmol_copy(const bt_rdmol *mol) {
  try {
    auto out = std::make_unique<bt_rdmol>();
    out->mol = std::make_unique<RWMol>(*mol->mol);
    out->name = mol->name;
    out->items = mol->items;
    out->groups = mol->groups;
    return out.release();
  } catch (...) {
    return nullptr;
  }
}

extern "C" void bt_rdmol_destroy(bt_rdmol *opt_mol) { delete opt_mol; }
