/* read.cc - one record of SDF, SMILES or PDB becomes a molecule. */
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

/* The molecule as it is written, for messages about what is wrong with it. */
std::unique_ptr<RWMol> parse_raw(bt_rdformat format, const std::string &text) {
  if (format == BT_RD_SMILES) {
    SmilesParserParams parameters;
    parameters.allowCXSMILES = parameters.parseName = parameters.sanitize = parameters.removeHs = false;
    return std::unique_ptr<RWMol>(SmilesToMol(text.substr(0, text.find_first_of(" \t")), parameters));
  }
  std::istringstream stream(text);
  unsigned int line = 0;
  return std::unique_ptr<RWMol>(MolDataStreamToMol(stream, line, false, false, false));
}

/* Stereochemistry of allenes, square planes and the like, which RDKit forgets when it reads on. */
void refuse_other_stereo(const std::string &smiles) {
  static const char *const marks[] = {"[C@]", "[C@@]", "@AL", "@SP", "@TB", "@OH"};
  if (std::none_of(std::begin(marks), std::end(marks),
                   [&](const char *mark) { return smiles.find(mark) != std::string::npos; }))
    return;
  std::unique_ptr<RWMol> raw = parse_raw(BT_RD_SMILES, smiles);
  if (!raw) return;
  berth::set_numbers(*raw);
  for (const Atom *atom : raw->atoms()) {
    Atom::ChiralType tag = atom->getChiralTag();
    int doubles = 0;
    for (const Bond *bond : raw->atomBonds(atom)) doubles += bond->getBondType() == Bond::DOUBLE;
    bool tetrahedral =
        tag == Atom::CHI_UNSPECIFIED || tag == Atom::CHI_TETRAHEDRAL_CW || tag == Atom::CHI_TETRAHEDRAL_CCW;
    bool allene = tag != Atom::CHI_UNSPECIFIED && doubles == 2 && atom->getDegree() == 2;
    if (allene || !tetrahedral)
      throw berth::failure(BT_ERR_INPUT,
                           allene ? "the stereochemistry of an allene is not read from SMILES"
                                  : "stereochemistry other than tetrahedral is not read from SMILES",
                           "provide 3D coordinates, or leave the @ there out: one isomer is generated then",
                           berth::number_of(*atom));
  }
}

/* Hydrogens written as atoms are counted before they are removed. Of a CXSMILES block the stereo groups are taken. */
std::unique_ptr<RWMol> parse_smiles(const std::string &text) {
  std::size_t end = text.find_first_of(" \t"), open = text.find('|');
  std::string smiles = text.substr(0, end), groups;
  if (end != std::string::npos && open != std::string::npos)
    groups = berth::stereo_block(text.substr(open + 1, text.rfind('|') - open - 1));
  const bool hydrogens = smiles.find("[H") != std::string::npos;
  SmilesParserParams parameters;
  parameters.allowCXSMILES = !groups.empty();
  parameters.parseName = false;
  parameters.removeHs = !hydrogens;
  std::unique_ptr<RWMol> mol(SmilesToMol(groups.empty() ? smiles : smiles + " |" + groups + "|", parameters));
  std::string typed = text.substr(0, std::min<std::size_t>(80, text.find_last_not_of("\r\n") + 1));
  if (!mol) throw berth::failure(BT_ERR_INPUT, "'" + typed + "' is not a valid SMILES", "correct it");
  refuse_other_stereo(smiles);
  berth::set_numbers(*mol);
  if (!hydrogens) return mol;
  MolOps::removeHs(*mol, false, false);
  MolOps::assignStereochemistry(*mol, true, true);
  return mol;
}

std::unique_ptr<RWMol> parse(bt_rdformat format, const std::string &text, long line) {
  std::unique_ptr<RWMol> mol;
  if (format == BT_RD_SMILES) return parse_smiles(text);
  if (format == BT_RD_SDF) {
    std::istringstream stream(text);
    unsigned int at = line > 0 ? static_cast<unsigned int>(line - 1) : 0;
    mol.reset(MolDataStreamToMol(stream, at, true, false, true));
  } else {
    mol.reset(PDBBlockToMol(text, false, false, 0, true));
  }
  if (mol) berth::set_numbers(*mol);
  return mol;
}

std::unique_ptr<RWMol> parse_or_refuse(bt_rdformat format, const std::string &text, long line) {
  try {
    return parse(format, text, line);
  } catch (const MolSanitizeException &error) {
    std::unique_ptr<RWMol> raw = parse_raw(format, text);
    if (!raw) throw;
    berth::set_numbers(*raw);
    berth::refuse(*raw, error);
  }
}

/* Query atoms and bonds, which match several kinds. Those of SDF records are found earlier (prep/ligand/queries.c). */
void refuse_patterns(const ROMol &mol) {
  const char *remedy = "provide a molecule of definite atoms and bonds: this record is a scaffold or a pattern";
  for (const Atom *atom : mol.atoms())
    if (atom->getAtomicNum() == 0 || atom->hasQuery())
      throw berth::failure(BT_ERR_INPUT,
                           atom->getAtomicNum() == 0 ? "a dummy atom (*): an R group, an attachment point "
                                                       "or any atom"
                                                     : "a query atom",
                           remedy, berth::number_of(*atom));
  for (const Bond *bond : mol.bonds()) {
    bool kind = bond->getBondType() == Bond::UNSPECIFIED || bond->getBondType() == Bond::ZERO;
    if (!bond->hasQuery() && !kind) continue;
    throw berth::failure(BT_ERR_INPUT,
                         "a query bond (any) between atoms " + std::to_string(berth::number_of(*bond->getBeginAtom())) +
                             " and " + std::to_string(berth::number_of(*bond->getEndAtom())),
                         remedy);
  }
}

/* The first line of an SDF record. */
std::string name_of(const ROMol &mol) {
  std::string name;
  mol.getPropIfPresent(common_properties::_Name, name);
  std::size_t first = name.find_first_not_of(" \t\r\n"), last = name.find_last_not_of(" \t\r\n");
  return first == std::string::npos ? "" : name.substr(first, last - first + 1);
}

}  // namespace

/* RDKit prints its complaints; callers get them as errors, and a library prints nothing. */
void berth::silence() {
  const std::shared_ptr<boost::logging::rdLogger> *const logs[] = {&rdErrorLog, &rdWarningLog, &rdInfoLog, &rdAppLog,
                                                                   &rdDebugLog};
  for (const auto *log : logs)
    if (*log && (*log)->df_enabled) (*log)->df_enabled = false;
}

void berth::find_dimension(RWMol &mol) {
  if (mol.getNumConformers() == 0) return;
  Conformer &conformer = mol.getConformer();
  bool flat = true, same = true;
  for (unsigned i = 0; i < mol.getNumAtoms(); i++) {
    RDGeom::Point3D point = conformer.getAtomPos(i);
    if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z))
      throw berth::failure(BT_ERR_INPUT, "a coordinate is not finite", "repair the record",
                           berth::number_of(*mol.getAtomWithIdx(i)));
    flat = flat && point.z == 0.0;
    same = same && (point - conformer.getAtomPos(0)).lengthSq() < 1e-6;
  }
  unsigned n = mol.getNumAtoms();
  if ((flat && n > 4) || (same && n > 1))
    conformer.set3D(false);
  else if (!flat)
    conformer.set3D(true);
}

extern "C" const char *bt_rdkit_version(void) { return rdkitVersion; }

extern "C" bt_status bt_rdmol_read(bt_rdformat format, const char *text, size_t size, bt_where where,
                                   const char *opt_template, bt_rdmol **ret_mol, bt_error *opt_error) {
  const char *remedy = "repair or leave out this record";
  return berth::guarded(where, remedy, opt_error, [&] {
    berth::silence();
    auto out = std::make_unique<bt_rdmol>();
    std::string record(text, size);
    out->mol = parse_or_refuse(format, record, where.line);
    if (!out->mol || out->mol->getNumAtoms() == 0) throw berth::failure(BT_ERR_INPUT, "a record without atoms", remedy);
    refuse_patterns(*out->mol);
    if (opt_template != nullptr && *opt_template != '\0') berth::apply_template(*out->mol, opt_template);
    berth::find_dimension(*out->mol);
    if (format != BT_RD_SMILES && out->mol->getNumConformers() > 0 && out->mol->getConformer().is3D()) {
      MolOps::assignStereochemistryFrom3D(*out->mol, -1, true);
      if (opt_template != nullptr && *opt_template != '\0') berth::check_template_stereo(*out->mol, opt_template);
    }
    berth::forget_pseudo_stereo(*out->mol);
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
