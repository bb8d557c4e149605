/* filter.cc - properties of molecules, and patterns that compounds of a library should not have. */
#include <GraphMol/Descriptors/Crippen.h>
#include <GraphMol/Descriptors/Lipinski.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/Descriptors/MolSurf.h>
#include <GraphMol/FilterCatalog/FilterCatalog.h>
#include <GraphMol/MolOps.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

struct bt_alerts {
  std::unique_ptr<FilterCatalog> catalog;
};

namespace {

double logp_of(const ROMol &mol) {
  double logp, refractivity;
  Descriptors::calcCrippenDescriptors(mol, logp, refractivity);
  return logp;
}

double property_of(const ROMol &mol, bt_property property) {
  switch (property) {
    case BT_PROPERTY_WEIGHT: return Descriptors::calcAMW(mol);
    case BT_PROPERTY_HEAVY: return mol.getNumHeavyAtoms();
    case BT_PROPERTY_ROTORS: return Descriptors::calcNumRotatableBonds(mol);
    case BT_PROPERTY_CHARGE: return MolOps::getFormalCharge(mol);
    case BT_PROPERTY_LOGP: return logp_of(mol);
    case BT_PROPERTY_TPSA: return Descriptors::calcTPSA(mol);
    case BT_PROPERTY_DONORS: return Descriptors::calcNumHBD(mol);
    case BT_PROPERTY_ACCEPTORS: return Descriptors::calcNumHBA(mol);
    case BT_PROPERTY_RINGS: return Descriptors::calcNumRings(mol);
  }
  return 0;
}

}  // namespace

extern "C" bt_status bt_rdmol_property(const bt_rdmol *mol, bt_property property, bt_where where, double *ret_value,
                                       bt_error *opt_error) {
  return berth::guarded(where, "leave out this molecule, or the filter", opt_error,
                        [&] { *ret_value = property_of(*mol->mol, property); });
}

extern "C" bt_status bt_alerts_create(bt_alert_kind kind, bt_alerts **ret_alerts, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "", opt_error, [&] {
    auto alerts = std::make_unique<bt_alerts>();
    FilterCatalogParams parameters(kind == BT_ALERTS_PAINS ? FilterCatalogParams::PAINS : FilterCatalogParams::BRENK);
    alerts->catalog = std::make_unique<FilterCatalog>(parameters);
    *ret_alerts = alerts.release();
  });
}

extern "C" void bt_alerts_destroy(bt_alerts *opt_alerts) { delete opt_alerts; }

extern "C" bt_status bt_alerts_match(const bt_alerts *alerts, const bt_rdmol *mol, bt_where where, char **ret_name,
                                     bt_error *opt_error) {
  *ret_name = nullptr;
  return berth::guarded(where, "leave out this molecule, or the filter", opt_error, [&] {
    auto entry = alerts->catalog->getFirstMatch(*mol->mol);
    if (entry) *ret_name = berth::copy_text(entry->getDescription());
  });
}
