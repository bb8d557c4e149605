/* impossible.cc - stereochemistry that rings exclude, such as trans bridgeheads of a small bicycle, found without
 * embedding it in vain. */
#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/MolOps.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

/* Conformers without stereochemistry, of which some cannot be made. Two centers of which each may have both
 * configurations appear with the wrong relation in all of them in one of 4,000 to a million cases. */
enum { SAMPLES = 20, LEAST_SAMPLES = 12, AT_ONCE = 5, ATTEMPTS = 20 };
/* With its stereochemistry, fully optimized: a strained isomer that exists, such as a trans-fused bicycle, is embedded
 * by almost every attempt then, even where the usual tolerance makes all fail. */
enum { FORCED_ATTEMPTS = 3 };

bool share_ring(const ROMol &mol, unsigned a, unsigned b) { return mol.getRingInfo()->areAtomsInSameRing(a, b); }

/* Centers in a ring, whose relations a ring can fix. */
std::vector<const Atom *> ring_centers(const ROMol &mol) {
  std::vector<const Atom *> centers;
  for (const Atom *atom : mol.atoms())
    if (berth::is_center(*atom) && mol.getRingInfo()->numAtomRings(atom->getIdx()) > 0) centers.push_back(atom);
  return centers;
}

DGeomHelpers::EmbedParameters parameters_for(int seed) {
  DGeomHelpers::EmbedParameters parameters = DGeomHelpers::ETKDGv3;
  parameters.randomSeed = seed;
  parameters.numThreads = 1;
  parameters.useSymmetryForPruning = false;
  return parameters;
}

/* Of each center in each conformer: does it have the stated configuration, or the other one? 0: it is flat. */
std::vector<std::vector<int>> sample(const ROMol &mol, const std::vector<const Atom *> &centers, int seed) {
  RWMol free(mol);
  free.clearConformers();
  for (Atom *atom : free.atoms()) atom->setChiralTag(Atom::CHI_UNSPECIFIED);
  DGeomHelpers::EmbedParameters parameters = parameters_for(seed);
  parameters.enforceChirality = false;
  parameters.optimizerForceTol = 0.0135; /* as usual */
  parameters.maxIterations = ATTEMPTS;
  parameters.clearConfs = false;
  for (int k = 0; k < SAMPLES; k += AT_ONCE) {
    INT_VECT made;
    parameters.randomSeed = static_cast<int>((static_cast<unsigned>(seed) + static_cast<unsigned>(k)) & 0x7fffffff);
    DGeomHelpers::EmbedMultipleConfs(free, made, AT_ONCE, parameters);
    if (made.empty()) break; /* it can hardly be embedded at all */
  }
  std::vector<std::vector<int>> all;
  for (auto at = free.beginConformers(); at != free.endConformers(); ++at) {
    std::vector<int> signs;
    for (const Atom *center : centers) signs.push_back(berth::side_of_center(mol, *center, **at));
    all.push_back(signs);
  }
  return all;
}

bool can_be_forced(const ROMol &mol, int seed) {
  RWMol scratch(mol);
  DGeomHelpers::EmbedParameters parameters = parameters_for(seed);
  parameters.maxIterations = FORCED_ATTEMPTS;
  if (DGeomHelpers::EmbedMolecule(scratch, parameters) >= 0) return true;
  parameters.useExpTorsionAnglePrefs = parameters.useBasicKnowledge = false;
  return DGeomHelpers::EmbedMolecule(scratch, parameters) >= 0;
}

/* Is the relation of two centers the wrong one in every conformer? */
bool never_fit(const std::vector<std::vector<int>> &samples, std::size_t a, std::size_t b) {
  for (const std::vector<int> &signs : samples)
    if (signs[a] * signs[b] >= 0) return false;
  return true;
}

}  // namespace

namespace berth {

std::vector<std::string> excluded_by_rings(const ROMol &mol, int seed) {
  const std::vector<const Atom *> centers = ring_centers(mol);
  std::vector<std::string> names;
  bool together = false;
  for (std::size_t a = 0; a < centers.size() && !together; a++)
    for (std::size_t b = 0; b < a; b++)
      together = together || share_ring(mol, centers[a]->getIdx(), centers[b]->getIdx());
  if (!together) return names;
  const std::vector<std::vector<int>> samples = sample(mol, centers, seed);
  if (samples.size() < LEAST_SAMPLES) return names;
  std::vector<bool> wrong(centers.size());
  for (std::size_t a = 0; a < centers.size(); a++)
    for (std::size_t b = 0; b < a; b++)
      if (share_ring(mol, centers[a]->getIdx(), centers[b]->getIdx()) && never_fit(samples, a, b))
        wrong[a] = wrong[b] = true;
  for (std::size_t a = 0; a < centers.size(); a++)
    if (wrong[a]) names.push_back(name_of(*centers[a]));
  if (!names.empty() && can_be_forced(mol, seed)) names.clear();
  return names;
}

}  // namespace berth
