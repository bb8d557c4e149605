/* template.h - bond orders for a molecule that has none, from a SMILES (C++). */
#ifndef BERTH_CHEM_RDKIT_TEMPLATE_H
#define BERTH_CHEM_RDKIT_TEMPLATE_H

#include <string>

#include <GraphMol/GraphMol.h>

namespace berth {

/* Lays the template's heavy atoms over those of mol by elements and bonds, takes over its bond orders and formal
 * charges, and checks valences. Hydrogens of mol stay if they are as many, atom by atom, as the template wants, and go
 * otherwise. Of several ways to lay it the one with the shortest double bonds is taken. Throws failure. */
void apply_template(RDKit::RWMol &mol, const std::string &smiles);

}  // namespace berth

#endif
