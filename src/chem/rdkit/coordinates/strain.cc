/* strain.cc - how far a pose is above a relaxed conformer of its molecule, and what is wrong with its geometry. */
#include <array>
#include <cmath>
#include <limits>

#include <ForceField/ForceField.h>
#include <ForceField/MMFF/PositionConstraint.h>
#include <ForceField/UFF/PositionConstraint.h>
#include <GraphMol/ForceFieldHelpers/MMFF/AtomTyper.h>
#include <GraphMol/ForceFieldHelpers/MMFF/Builder.h>
#include <GraphMol/ForceFieldHelpers/UFF/Builder.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "chem/rdkit/rdmol.h"

struct bt_strainer {
  std::unique_ptr<RDKit::RWMol> mol;     /* as stated: its stereochemistry */
  std::unique_ptr<RDKit::RWMol> scratch; /* whose aromaticity MMFF changes */
  std::unique_ptr<RDKit::MMFF::MMFFMolProperties> properties;
  std::unique_ptr<ForceFields::ForceField> field; /* NULL: no parameters */
  const char *source = "";
  std::vector<RDGeom::Point3D> reference, x; /* as prepared; what the field works on */
  std::vector<std::vector<int>> amides;      /* torsions: four atoms */
  std::vector<std::vector<int>> anilides;
  double lowest = std::numeric_limits<double>::infinity();
};

using namespace RDKit;

namespace {

enum { HELD_STEPS = 100, FREE_STEPS = 200 };
const double reach = 7.0;          /* Angstrom, of non-bonded terms */
const double held_within = 0.3;    /* Angstrom; heavy atoms move freely within it */
const double held_by = 100.0;      /* kcal/mol/Angstrom^2 beyond that */
const double most_amide = 30.0;    /* degrees from planar */
const double most_anilide = 60.0;  /* of the ring to its amide */
const double most_stretched = 0.3; /* Angstrom, of a ring's bond against the molecule as prepared */

/* O=C-N-X outside of rings, X any neighbor of N. */
const char *const amide_pattern = "[OX1,SX1]=[#6X3]-!@[#7X3+0]-[*]";
/* Anilides and benzamides with a hydrogen on N, whose ring has no substituent beside the amide: others are crowded. */
#define ORTHO "[cH,nX2,o,s]"
const char *const anilide_patterns[] = {ORTHO ":[cX3](:" ORTHO ")-!@[#7X3H1]-!@[#6X3]=[OX1,SX1]",
                                        ORTHO ":[cX3](:" ORTHO ")-!@[#6X3](=[OX1,SX1])-[#7X3;H1,H2]"};
typedef std::array<int, 4> places;
constexpr places amide_places = {0, 1, 2, 3}, anilide_places[] = {{0, 1, 3, 4}, {0, 1, 3, 5}};

std::vector<std::vector<int>> torsions_of(const ROMol &mol, const char *pattern, const places &of_match) {
  std::unique_ptr<ROMol> query(SmartsToMol(pattern));
  std::vector<std::vector<int>> torsions;
  SubstructMatchParameters parameters;
  parameters.uniquify = false;
  parameters.maxMatches = 1000;
  for (const MatchVectType &match : SubstructMatch(mol, *query, parameters)) {
    std::vector<int> torsion;
    for (int place : of_match) torsion.push_back(match[static_cast<std::size_t>(place)].second);
    torsions.push_back(torsion);
  }
  return torsions;
}

/* Degrees from planar, 0 to 90. */
double twist(const std::vector<RDGeom::Point3D> &x, const std::vector<int> &torsion) {
  RDGeom::Point3D p[4];
  for (std::size_t k = 0; k < 4; k++) p[k] = x[static_cast<std::size_t>(torsion[k])];
  RDGeom::Point3D axis = p[2] - p[1], first = p[0] - p[1], second = p[3] - p[2];
  if (axis.lengthSq() < 1e-6) return 0;
  axis.normalize();
  first -= axis * first.dotProduct(axis);
  second -= axis * second.dotProduct(axis);
  double length = std::sqrt(first.lengthSq() * second.lengthSq());
  if (length < 1e-6) return 0;
  double cosine = std::fabs(first.dotProduct(second)) / length;
  return std::acos(cosine > 1 ? 1 : cosine) * 180 / 3.14159265358979323846;
}

bool is_twisted(const std::vector<std::vector<int>> &torsions, const std::vector<RDGeom::Point3D> &x, double most) {
  for (const std::vector<int> &torsion : torsions)
    if (twist(x, torsion) > most) return true;
  return false;
}

unsigned faults_of(const bt_strainer &s, const std::vector<RDGeom::Point3D> &x) {
  unsigned faults = 0;
  if (is_twisted(s.amides, x, most_amide) || is_twisted(s.anilides, x, most_anilide)) faults |= BT_FAULT_AMIDE;
  for (const Bond *bond : s.mol->bonds()) {
    if (s.mol->getRingInfo()->numBondRings(bond->getIdx()) == 0) continue;
    unsigned a = bond->getBeginAtomIdx(), b = bond->getEndAtomIdx();
    double stretched = (x[a] - x[b]).length() - (s.reference[a] - s.reference[b]).length();
    if (std::fabs(stretched) > most_stretched) faults |= BT_FAULT_RING;
  }
  Conformer conformer(s.mol->getNumAtoms());
  conformer.getPositions() = x;
  if (!berth::wrong_sides(*s.mol, conformer).empty()) faults |= BT_FAULT_STEREO;
  return faults;
}

void make_field(bt_strainer &s) {
  RWMol &mol = *s.scratch;
  s.properties = std::make_unique<MMFF::MMFFMolProperties>(mol, "MMFF94s");
  if (s.properties->isValid()) {
    s.properties->setMMFFEleTerm(false); /* water screens charges; in vacuo they would decide everything */
    s.field.reset(MMFF::constructForceField(mol, s.properties.get(), reach, -1, true));
    s.source = "MMFF94s";
  } else {
    try {
      s.field.reset(UFF::constructForceField(mol, reach, -1, true));
      s.source = "UFF";
    } catch (const std::exception &) { /* elements without parameters */
    }
  }
  if (!s.field) return;
  for (unsigned i = 0; i < mol.getNumAtoms(); i++) s.field->positions()[i] = &s.x[i];
  s.field->initialize();
}

void hold(bt_strainer &s) {
  for (const Atom *atom : s.mol->atoms()) {
    if (atom->getAtomicNum() == 1) continue;
    ForceFields::ForceFieldContrib *contrib;
    if (s.properties->isValid())
      contrib = new ForceFields::MMFF::PositionConstraintContrib(s.field.get(), atom->getIdx(), held_within, held_by);
    else
      contrib = new ForceFields::UFF::PositionConstraintContrib(s.field.get(), atom->getIdx(), held_within, held_by);
    s.field->contribs().emplace_back(contrib);
  }
}

/* The energy of x after a short relaxation within the neighborhood of its atoms. */
double held_energy(bt_strainer &s) {
  std::size_t terms = s.field->contribs().size();
  hold(s);
  s.field->minimize(HELD_STEPS, 1e-3, 1e-4);
  s.field->contribs().resize(terms);
  return s.field->calcEnergy();
}

/* Where x relaxes to is a conformer to compare with. */
void relax(bt_strainer &s) {
  s.field->minimize(FREE_STEPS, 1e-3, 1e-4);
  double energy = s.field->calcEnergy();
  if (energy < s.lowest) s.lowest = energy;
}

void take(const double (*x)[3], std::vector<RDGeom::Point3D> &out) {
  for (std::size_t i = 0; i < out.size(); i++) out[i] = RDGeom::Point3D(x[i][0], x[i][1], x[i][2]);
}

}  // namespace

extern "C" bt_status bt_strainer_create(const bt_rdmol *mol, const double (*x)[3], bt_strainer **ret_strainer,
                                        bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    auto s = std::make_unique<bt_strainer>();
    s->mol = std::make_unique<RWMol>(*mol->mol);
    s->mol->clearConformers();
    s->reference.resize(s->mol->getNumAtoms());
    take(x, s->reference);
    s->x = s->reference;
    s->scratch = std::make_unique<RWMol>(*s->mol);
    auto *conformer = new Conformer(s->mol->getNumAtoms());
    conformer->getPositions() = s->reference;
    conformer->set3D(true);
    s->scratch->addConformer(conformer, true);
    s->amides = torsions_of(*s->mol, amide_pattern, amide_places);
    for (int k : {0, 1})
      for (auto &torsion : torsions_of(*s->mol, anilide_patterns[k], anilide_places[k])) s->anilides.push_back(torsion);
    make_field(*s);
    if (s->field) relax(*s);
    *ret_strainer = s.release();
  });
}

extern "C" void bt_strainer_destroy(bt_strainer *opt_strainer) { delete opt_strainer; }

extern "C" const char *bt_strainer_source(const bt_strainer *strainer) { return strainer->source; }

extern "C" double bt_strainer_relaxed(const bt_strainer *strainer) { return strainer->lowest; }

extern "C" bt_status bt_strainer_faults(const bt_strainer *strainer, const double (*x)[3], unsigned *ret_faults,
                                        bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    std::vector<RDGeom::Point3D> pose(strainer->x.size());
    take(x, pose);
    *ret_faults = faults_of(*strainer, pose);
  });
}

extern "C" bt_status bt_strainer_energy(bt_strainer *strainer, const double (*x)[3], bool free, double *ret_energy,
                                        bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    *ret_energy = std::numeric_limits<double>::quiet_NaN();
    if (!strainer->field) return;
    take(x, strainer->x);
    *ret_energy = held_energy(*strainer);
    if (*ret_energy < strainer->lowest) strainer->lowest = *ret_energy;
    if (free) relax(*strainer);
  });
}
