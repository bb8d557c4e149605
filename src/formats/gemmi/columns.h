/* columns.h - optional columns of _atom_site that gemmi needs (C++). */
#ifndef BERTH_FORMATS_GEMMI_COLUMNS_H
#define BERTH_FORMATS_GEMMI_COLUMNS_H

#include <string>

#include <gemmi/cifdoc.hpp>

namespace berth {

/* Adds the columns that the dictionary of mmCIF leaves optional, or that another column of the file can replace:
 * occupancy 1, B factor 0, no alternate location; identifiers of atoms, chains, residues and names by the author from
 * those of the archive, and the reverse. Residues without a number get the next free ones of their chain. */
void complete_atom_sites(gemmi::cif::Block &block);

/* Columns without which gemmi finds no atoms; empty if all are there, or none of the category. */
std::string missing_columns(const gemmi::cif::Block &block);

}  // namespace berth

#endif
