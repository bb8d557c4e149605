/* write.cc - a molecule as SMILES and as a record of an SDF. */
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

const char *const index_property = "_berthIndex";

/* An empty line would end the item, and a line of four dollars the record. */
std::string item_value(const std::string &value) {
  std::string out;
  bool line_empty = true;
  for (char c : value) {
    if (c == '\r' || (c == '\n' && line_empty)) continue;
    out += c;
    line_empty = c == '\n';
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  for (std::size_t at; (at = out.find("$$$$")) != std::string::npos;) out.replace(at, 4, "$$$ $");
  return out;
}

void add_item(std::string &text, const std::string &name, const std::string &value) {
  std::string clean;
  for (char c : name)
    if (c != '<' && c != '>' && c != '\n' && c != '\r') clean += c;
  text += "> <" + clean + ">\n" + item_value(value) + "\n\n";
}

/* The places of atoms in the SMILES that was written last. */
std::vector<unsigned> places_of(const ROMol &mol) {
  std::vector<unsigned> order, place(mol.getNumAtoms());
  mol.getProp(common_properties::_smilesAtomOutputOrder, order);
  for (unsigned at = 0; at < order.size(); at++) place[order[at]] = at;
  return place;
}

bool means(const std::string &smiles, const ROMol &mol) {
  SmilesParserParams parameters;
  parameters.removeHs = false;
  std::unique_ptr<RWMol> read(SmilesToMol(smiles, parameters));
  return read && read->getNumAtoms() == mol.getNumAtoms() && berth::same_sides(mol, *read, places_of(mol));
}

/* RDKit's, unless it gets a double bond wrong that closes a ring, as 2022.09 does: then one that begins elsewhere. */
std::string right_smiles(const ROMol &mol) {
  std::string smiles = MolToSmiles(mol);
  if (!berth::states_ring_sides(mol) || means(smiles, mol)) return smiles;
  for (unsigned start = 0; start < mol.getNumAtoms(); start++) {
    std::string other = MolToSmiles(mol, true, false, static_cast<int>(start));
    if (means(other, mol)) return other;
  }
  return MolToSmiles(mol);
}

}  // namespace

extern "C" bt_status bt_rdmol_smiles(const bt_rdmol *mol, char **ret_smiles, int *ret_order, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    RWMol bare(*mol->mol);
    bare.clearConformers();
    for (Atom *atom : bare.atoms()) atom->setProp(index_property, static_cast<int>(atom->getIdx()));
    MolOps::removeHs(bare);
    std::string smiles = right_smiles(bare);
    std::vector<unsigned> order;
    bare.getProp(common_properties::_smilesAtomOutputOrder, order);
    for (unsigned i = 0; i < mol->mol->getNumAtoms(); i++) ret_order[i] = -1;
    for (std::size_t place = 0; place < order.size(); place++)
      ret_order[bare.getAtomWithIdx(order[place])->getProp<int>(index_property)] = static_cast<int>(place);
    *ret_smiles = berth::copy_text(smiles);
  });
}

extern "C" const char *bt_rdmol_item(const bt_rdmol *mol, const char *name) {
  for (const auto &[own, value] : mol->items)
    if (own == name) return value.c_str();
  return nullptr;
}

extern "C" bt_status bt_rdmol_write_sdf(const bt_rdmol *mol, const double (*x)[3], const bt_sdf_tag *tags, int n_tags,
                                        char **ret_text, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    RWMol out(*mol->mol);
    out.clearConformers();
    auto *conformer = new Conformer(out.getNumAtoms());
    conformer->set3D(true);
    for (unsigned i = 0; i < out.getNumAtoms(); i++)
      conformer->setAtomPos(i, RDGeom::Point3D(x[i][0], x[i][1], x[i][2]));
    out.addConformer(conformer, true);
    out.setProp(common_properties::_Name, mol->name.substr(0, mol->name.find('\n')));
    std::string text = MolToMolBlock(out, true, -1, true, false);
    auto replaced = [&](const std::string &name) {
      if (n_tags > 0 && name.rfind("berth_", 0) == 0) return true; /* of an earlier docking */
      for (int i = 0; i < n_tags; i++)
        if (name == tags[i].name) return true;
      return false;
    };
    for (const auto &[name, value] : mol->items)
      if (!replaced(name)) add_item(text, name, value);
    for (int i = 0; i < n_tags; i++) add_item(text, tags[i].name, tags[i].value);
    text += "$$$$\n";
    *ret_text = berth::copy_text(text);
  });
}
