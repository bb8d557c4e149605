/* template.cc - bond orders for a molecule that has none, from a SMILES. */
#include <GraphMol/MolOps.h>
#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryBond.h>
#include <GraphMol/QueryOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

/* Elements and connectivity only. */
RWMol skeleton(const ROMol &mol) {
  RWMol query;
  for (const Atom *atom : mol.atoms()) {
    QueryAtom node(atom->getAtomicNum());
    query.addAtom(&node, true, false);
  }
  for (const Bond *bond : mol.bonds()) {
    QueryBond edge;
    edge.setQuery(makeBondNullQuery());
    edge.setBeginAtomIdx(bond->getBeginAtomIdx());
    edge.setEndAtomIdx(bond->getEndAtomIdx());
    auto *copy = new QueryBond(edge);
    query.addBond(copy, true);
  }
  return query;
}

unsigned heavy_count(const ROMol &mol) {
  unsigned count = 0;
  for (const Atom *atom : mol.atoms()) count += atom->getAtomicNum() != 1;
  return count;
}

double double_bond_length(const ROMol &pattern, const ROMol &mol, const MatchVectType &match) {
  if (mol.getNumConformers() == 0) return 0;
  const Conformer &conformer = mol.getConformer();
  double sum = 0;
  for (const Bond *bond : pattern.bonds())
    if (bond->getBondType() == Bond::DOUBLE)
      sum += (conformer.getAtomPos(static_cast<unsigned>(match[bond->getBeginAtomIdx()].second)) -
              conformer.getAtomPos(static_cast<unsigned>(match[bond->getEndAtomIdx()].second)))
                 .length();
  return sum;
}

/* Bonds of heavy atoms that are not in the template are due to a short contact. */
void remove_extra_bonds(RWMol &mol, const ROMol &pattern, const std::vector<int> &of_template) {
  std::vector<std::pair<unsigned, unsigned>> extra;
  for (const Bond *bond : mol.bonds()) {
    int a = of_template[bond->getBeginAtomIdx()], b = of_template[bond->getEndAtomIdx()];
    if (a >= 0 && b >= 0 && pattern.getBondBetweenAtoms(static_cast<unsigned>(a), static_cast<unsigned>(b)) == nullptr)
      extra.emplace_back(bond->getBeginAtomIdx(), bond->getEndAtomIdx());
  }
  for (auto [a, b] : extra) mol.removeBond(a, b);
}

}  // namespace

namespace berth {

void apply_template(RWMol &mol, const std::string &smiles) {
  std::unique_ptr<RWMol> pattern;
  try {
    pattern.reset(SmilesToMol(smiles));
  } catch (const MolSanitizeException &error) {
    throw failure(BT_ERR_USAGE, std::string("the template: ") + error.what(), "correct the template's SMILES");
  }
  if (!pattern) throw failure(BT_ERR_USAGE, "the template is not a valid SMILES", "correct the template's SMILES");
  unsigned wanted = heavy_count(*pattern), present = heavy_count(mol);
  const char *remedy = "provide the SMILES of exactly this molecule, and the file with all its heavy atoms";
  if (wanted != present)
    throw failure(
        BT_ERR_INPUT,
        "the template has " + std::to_string(wanted) + " heavy atoms, the molecule " + std::to_string(present), remedy);

  SubstructMatchParameters parameters;
  parameters.uniquify = false;
  parameters.maxMatches = 2000;
  std::vector<MatchVectType> matches = SubstructMatch(mol, skeleton(*pattern), parameters);
  if (matches.empty())
    throw failure(BT_ERR_INPUT, "the template does not fit the molecule's elements and bonds", remedy);
  RWMol kekule(*pattern);
  MolOps::Kekulize(kekule, false);
  std::size_t best = 0;
  for (std::size_t i = 1; i < matches.size(); i++)
    if (double_bond_length(kekule, mol, matches[i]) < double_bond_length(kekule, mol, matches[best]) - 1e-6) best = i;
  const MatchVectType &match = matches[best];

  std::vector<int> of_template(mol.getNumAtoms(), -1);
  for (auto [from, to] : match) of_template[static_cast<std::size_t>(to)] = from;
  remove_extra_bonds(mol, *pattern, of_template);

  bool keep = true; /* the file's hydrogens */
  for (auto [from, to] : match) {
    unsigned hydrogens = 0;
    for (const Atom *neighbor : mol.atomNeighbors(mol.getAtomWithIdx(static_cast<unsigned>(to))))
      hydrogens += neighbor->getAtomicNum() == 1;
    keep = keep && hydrogens == pattern->getAtomWithIdx(static_cast<unsigned>(from))->getTotalNumHs(true);
  }
  for (auto [from, to] : match) {
    const Atom *source = pattern->getAtomWithIdx(static_cast<unsigned>(from));
    Atom *atom = mol.getAtomWithIdx(static_cast<unsigned>(to));
    atom->setFormalCharge(source->getFormalCharge());
    atom->setNoImplicit(keep || source->getNoImplicit());
    atom->setNumExplicitHs(keep ? 0 : source->getNumExplicitHs());
    atom->setNumRadicalElectrons(source->getNumRadicalElectrons());
    atom->setIsAromatic(false);
    atom->setChiralTag(Atom::CHI_UNSPECIFIED);
  }
  for (const Bond *source : kekule.bonds()) {
    Bond *bond = mol.getBondBetweenAtoms(static_cast<unsigned>(match[source->getBeginAtomIdx()].second),
                                         static_cast<unsigned>(match[source->getEndAtomIdx()].second));
    if (bond == nullptr) throw failure(BT_ERR_INPUT, "the template does not fit the molecule's bonds", remedy);
    bond->setBondType(source->getBondType());
    bond->setIsAromatic(false);
  }
  if (!keep) {
    mol.beginBatchEdit();
    for (const Atom *atom : mol.atoms())
      if (atom->getAtomicNum() == 1) mol.removeAtom(atom->getIdx());
    mol.commitBatchEdit();
  }
  MolOps::sanitizeMol(mol);
}

void check_template_stereo(const RWMol &mol, const std::string &smiles) {
  std::unique_ptr<RWMol> pattern(SmilesToMol(smiles));
  if (pattern) forget_pseudo_stereo(*pattern);
  RWMol heavy(mol);
  MolOps::removeHs(heavy, false, false, false);
  SubstructMatchParameters parameters;
  parameters.useChirality = true;
  if (!pattern || !SubstructMatch(heavy, *pattern, parameters).empty()) return;
  parameters.useChirality = false;
  std::vector<MatchVectType> matches = SubstructMatch(heavy, *pattern, parameters);
  parameters.useChirality = true;
  long at = 0; /* the first center that fits nowhere by itself; several may contradict only together */
  for (const Atom *center : pattern->atoms()) {
    if (center->getChiralTag() == Atom::CHI_UNSPECIFIED || at > 0 || matches.empty()) continue;
    RWMol alone(*pattern);
    for (Atom *other : alone.atoms())
      if (other->getIdx() != center->getIdx()) other->setChiralTag(Atom::CHI_UNSPECIFIED);
    for (Bond *bond : alone.bonds()) bond->setStereo(Bond::STEREONONE);
    if (!SubstructMatch(heavy, alone, parameters).empty()) continue;
    auto place = static_cast<unsigned>(matches[0][center->getIdx()].second);
    at = number_of(*heavy.getAtomWithIdx(place));
  }
  if (matches.empty()) return; /* hydrogens drawn as atoms are not judged here */
  throw failure(BT_ERR_INPUT, "the template's stereochemistry contradicts the coordinates",
                "correct one of the two, or use the template without stereochemistry", at);
}

}  // namespace berth
