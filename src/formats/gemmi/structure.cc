/* structure.cc - PDB and mmCIF by gemmi, copied into plain C. No exception leaves this file. */
extern "C" {
#include "formats/structure.h"
}

#include <berth/prepare.h>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <string>

#include <gemmi/align.hpp>
#include <gemmi/cif.hpp>
#include <gemmi/mmcif.hpp>
#include <gemmi/pdb.hpp>
#include <gemmi/polyheur.hpp>
#include <gemmi/version.hpp>

#include "formats/gemmi/chains.h"
#include "formats/gemmi/columns.h"
#include "formats/gemmi/overlap.h"

namespace {

/* Old entries have blanks within names ("N A"). */
void copy_name(char (&to)[8], const std::string &from) {
  std::memset(to, 0, sizeof to);
  size_t size = 0;
  for (char c : from)
    if (c != ' ' && size < 7) to[size++] = c;
}

/* The polymer's place of each residue where the file gives the full sequence. PDB files need an alignment; mmCIF states
 * it. Quadratic, so very long chains go without. */
void find_sequence(gemmi::Structure &st, bool mmcif) {
  if (mmcif) return;
  for (const gemmi::Entity &entity : st.entities)
    if (entity.full_sequence.size() > 4000) return;
  gemmi::setup_entities(st);
  gemmi::assign_label_seq_id(st, false);
}

typedef std::map<std::string, int> Index;

std::string key_of(const std::string &chain, const gemmi::ResidueId &id) {
  return chain + '\n' + id.seqid.str() + '\n' + id.name;
}

std::string place_key(const gemmi::Chain &chain, const gemmi::Residue &residue) {
  return key_of(chain.name.empty() ? residue.segment : chain.name, residue);
}

size_t count_atoms(const gemmi::Model &model, size_t *ret_residues) {
  size_t atoms = 0;
  for (const gemmi::Chain &chain : model.chains)
    for (const gemmi::Residue &residue : chain.residues) {
      atoms += residue.atoms.size();
      ++*ret_residues;
    }
  return atoms;
}

void copy_atom(const gemmi::Atom &from, bt_structure_atom *to) {
  to->x[0] = from.pos.x;
  to->x[1] = from.pos.y;
  to->x[2] = from.pos.z;
  to->occupancy = from.occ;
  to->b_factor = from.b_iso;
  to->serial = from.serial;
  int element = from.element.atomic_number();
  to->element = from.element == gemmi::El::D ? 1 : element;
  copy_name(to->name, from.name);
  to->altloc = from.altloc;
}

/* Files of molecular dynamics leave the chain blank and name segments: these become chains where there are several. */
bool has_segments(const gemmi::Model &model) {
  const std::string *first = nullptr;
  for (const gemmi::Chain &chain : model.chains)
    for (const gemmi::Residue &residue : chain.residues) {
      if (first == nullptr) first = &residue.segment;
      if (residue.segment != *first) return true;
    }
  return false;
}

/* The places of residues among the chains of one name, by key_of(); those of first chains are not listed. */
typedef std::map<std::string, int> Pieces;

/* The parts of each residue: programs append hydrogens, terminal oxygens and alternatives to a chain or to the file. */
typedef std::map<std::string, std::vector<const gemmi::Residue *>> Parts;

Parts find_parts(const gemmi::Model &model) {
  Parts parts;
  for (const gemmi::Chain &chain : model.chains)
    for (const gemmi::Residue &residue : chain.residues) parts[place_key(chain, residue)].push_back(&residue);
  return parts;
}

void copy_model(const gemmi::Model &model, const Pieces &pieces, bt_structure *s, Index *index) {
  bool segments = has_segments(model);
  const Parts parts = find_parts(model);
  for (const gemmi::Chain &chain : model.chains)
    for (const gemmi::Residue &residue : chain.residues) {
      const std::vector<const gemmi::Residue *> &own = parts.at(place_key(chain, residue));
      if (own.front() != &residue) continue;
      bt_structure_residue *to = &s->residues[s->n_residues];
      copy_name(to->name, residue.name);
      copy_name(to->chain, chain.name.empty() && segments ? residue.segment : chain.name);
      to->number = residue.seqid.num ? *residue.seqid.num : 0;
      to->icode = residue.seqid.icode;
      to->sequence = residue.label_seq ? *residue.label_seq : 0;
      to->hetero = residue.het_flag == 'H';
      if (!pieces.empty()) {
        auto piece = pieces.find(place_key(chain, residue));
        if (piece != pieces.end()) to->piece = piece->second;
      }
      to->first_atom = s->n_atoms;
      for (const gemmi::Residue *part : own)
        for (const gemmi::Atom &atom : part->atoms) copy_atom(atom, &s->atoms[s->n_atoms++]);
      to->end_atom = s->n_atoms;
      index->emplace(key_of(chain.name, residue), s->n_residues++);
    }
}

void copy_links(const gemmi::Structure &st, const Index &index, bt_structure *s) {
  for (const gemmi::Connection &link : st.connections) {
    if (link.type == gemmi::Connection::Hydrog || link.asu == gemmi::Asu::Different) continue;
    const gemmi::AtomAddress *ends[2] = {&link.partner1, &link.partner2};
    bt_structure_link to = {};
    bool known = true;
    for (int k = 0; k < 2 && known; k++) {
      auto found = index.find(key_of(ends[k]->chain_name, ends[k]->res_id));
      known = found != index.end();
      if (known) to.residue[k] = found->second;
      copy_name(to.atom[k], ends[k]->atom_name);
    }
    if (known) s->links[s->n_links++] = to;
  }
}

template <typename T>
T *make(size_t count) {
  T *array = static_cast<T *>(std::calloc(count > 0 ? count : 1, sizeof(T)));
  if (array == nullptr) throw std::bad_alloc();
  return array;
}

std::string trimmed(const std::string &text) {
  size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/* What is known about a file besides its atoms. */
struct Facts {
  Pieces pieces;
  std::string notes;
  berth::Overlap overlap;
  int models = 0;
};

void take_notes(const std::vector<berth::AtomBlock> &blocks, const std::vector<berth::AtomRow> &rows,
                const berth::ChainNotes &notes, Facts *facts) {
  for (const std::string &line : notes.lines) facts->notes += line + '\n';
  for (const berth::AtomBlock &block : blocks)
    if (block.piece > 0) {
      const berth::AtomRow &row = rows[block.first];
      facts->pieces[block.chain + '\n' + row.number + '\n' + row.residue] = block.piece;
    }
}

/* Lines of 80 characters and a newline, as structure.c makes them. */
const size_t PDB_LINE = 81;

/* Above 9999 PDB files count on in letters (hybrid-36), which gemmi reads. */
std::string number_of_line(const std::string &text, size_t at) {
  std::string field = text.substr(at + 22, 4);
  bool letters = field[0] != ' ' && field[0] != '-' && (field[0] < '0' || field[0] > '9');
  std::string number =
      letters ? std::to_string(gemmi::pdb_impl::read_base36<4>(field.c_str()) - 466560 + 10000) : field;
  return trimmed(number + text[at + 26]);
}

berth::AtomRow row_of_line(const std::string &text, size_t at, int model, bool after_end) {
  berth::AtomRow row;
  row.chain = trimmed(text.substr(at + 20, 2));
  if (row.chain.empty()) row.chain = trimmed(text.substr(at + 72, 4));
  row.number = number_of_line(text, at);
  row.residue = trimmed(text.substr(at + 17, 3));
  row.atom = trimmed(text.substr(at + 12, 4));
  row.altloc = text[at + 16];
  row.hetero = text[at] == 'H';
  row.after_end = after_end;
  row.model = model;
  for (size_t k = 0; k < 3; k++) row.x[k] = std::strtod(text.substr(at + 30 + 8 * k, 8).c_str(), nullptr);
  return row;
}

/* Gives the chains of a PDB file names of their own; of all models if they are to be joined. */
void separate_pdb(std::string &text, int wanted, Facts *facts) {
  std::vector<berth::AtomRow> rows;
  std::vector<size_t> places;
  bool after_end = false, begun = false;
  int model = 0;
  for (size_t at = 0; at + PDB_LINE <= text.size(); at += PDB_LINE) {
    bool starts = text.compare(at, 5, "MODEL") == 0, ends = text.compare(at, 6, "ENDMDL") == 0;
    if (starts || ends) {
      begun = begun && !ends;
      if (starts) model++, begun = true;
      if (wanted == 0) text.replace(at, 6, "REMARK");
    } else if (text.compare(at, 3, "TER") == 0) {
      after_end = true;
    } else if (text.compare(at, 4, "ATOM") == 0 || text.compare(at, 6, "HETATM") == 0) {
      if (!begun) model++, begun = true; /* frames may have ENDMDL alone */
      berth::AtomRow row = row_of_line(text, at, model, after_end);
      after_end = false;
      facts->overlap.add(model, row.x);
      if (wanted != 0 && model != wanted) continue;
      rows.push_back(std::move(row));
      places.push_back(at);
    }
  }
  facts->models = model;
  berth::ChainNotes notes;
  std::vector<berth::AtomBlock> blocks = berth::separate_chains(rows, &notes);
  for (const berth::AtomBlock &block : blocks)
    for (size_t i = block.first; i < block.end; i++)
      if (block.chain != rows[i].chain)
        text.replace(places[i] + 20, 2, block.chain.size() == 1 ? ' ' + block.chain : block.chain);
  take_notes(blocks, rows, notes, facts);
}

/* The same for mmCIF. */
void separate_mmcif(gemmi::cif::Document &document, int wanted, Facts *facts) {
  if (document.blocks.empty()) return;
  gemmi::cif::Table table =
      document.blocks[0].find("_atom_site.", {"auth_asym_id", "auth_seq_id", "?pdbx_PDB_ins_code", "?auth_comp_id",
                                              "label_comp_id", "?auth_atom_id", "label_atom_id", "?label_alt_id",
                                              "?group_PDB", "?pdbx_PDB_model_num", "Cartn_x", "Cartn_y", "Cartn_z"});
  if (!table.ok()) return;
  std::vector<berth::AtomRow> rows;
  std::vector<size_t> places;
  std::vector<std::string> models;
  for (size_t i = 0; i < table.length(); i++) {
    gemmi::cif::Table::Row line = table[i];
    auto value = [&](int column) {
      return line.has2(static_cast<size_t>(column)) ? gemmi::cif::as_string(line[column]) : std::string();
    };
    std::string model = value(9);
    if (models.empty() || models.back() != model) models.push_back(model);
    if (wanted == 0 && line.has(9)) line[9] = "1";
    berth::AtomRow row;
    row.model = static_cast<int>(models.size());
    row.chain = value(0);
    row.number = value(1) + value(2);
    row.residue = line.has2(3) ? value(3) : value(4);
    row.atom = line.has2(5) ? value(5) : value(6);
    std::string altloc = value(7);
    row.altloc = altloc.empty() ? ' ' : altloc[0];
    row.hetero = value(8) == "HETATM";
    for (int k = 0; k < 3; k++) row.x[k] = gemmi::cif::as_number(line[10 + k], 0.0);
    facts->overlap.add(row.model, row.x);
    if (wanted != 0 && row.model != wanted) continue;
    rows.push_back(std::move(row));
    places.push_back(i);
  }
  facts->models = static_cast<int>(models.size());
  berth::ChainNotes notes;
  std::vector<berth::AtomBlock> blocks = berth::separate_chains(rows, &notes);
  for (const berth::AtomBlock &block : blocks)
    for (size_t i = block.first; i < block.end; i++)
      if (block.chain != rows[i].chain) table[places[i]][0] = block.chain;
  take_notes(blocks, rows, notes, facts);
}

gemmi::Structure read(const char *path, const char *data, size_t size, bool mmcif, int wanted,
                      gemmi::cif::Document *document, Facts *facts) {
  if (mmcif) {
    *document = gemmi::cif::read_memory(data, size, path);
    if (!document->blocks.empty()) berth::complete_atom_sites(document->blocks[0]);
    separate_mmcif(*document, wanted, facts);
    return gemmi::make_structure(*document);
  }
  std::string text(data, size);
  separate_pdb(text, wanted, facts);
  return gemmi::read_pdb_from_memory(text.data(), text.size(), path);
}

bt_status parse(const char *path, const char *data, size_t size, bool mmcif, bt_structure *s, bt_error *opt_error) {
  gemmi::cif::Document document;
  Facts facts;
  gemmi::Structure st = read(path, data, size, mmcif, s->model, &document, &facts);
  size_t read_models = st.models.size();
  s->n_models = s->model == 0 && read_models > 0 ? facts.models : static_cast<int>(read_models);
  std::string missing = s->n_models == 0 && !document.blocks.empty() ? berth::missing_columns(document.blocks[0]) : "";
  if (!missing.empty())
    return bt_fail(opt_error, BT_ERR_INPUT, bt_where{path, 0, 0}, "add them, with . or ? where a value is unknown",
                   "no atoms: the category _atom_site has no %s", missing.c_str());
  if (s->n_models == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, bt_where{path, 0, 0}, "provide a file with coordinates",
                   "no atoms (the category _atom_site is missing or cut off)");
  if (s->model < 0 || s->model > s->n_models)
    return bt_fail(opt_error, BT_ERR_INPUT, bt_where{path, 0, 0}, "choose one of its models",
                   "there is no model %d: the file has %d", s->model, s->n_models);
  s->apart = s->n_models > 1 && facts.overlap.is_apart();
  if (s->model == 0 && s->n_models > 1 && !s->apart)
    return bt_fail(opt_error, BT_ERR_INPUT, bt_where{path, 0, 0}, "choose one of them, as with --model 1",
                   "the models overlap: they are an ensemble of one structure, not the parts of an assembly");
  try {
    find_sequence(st, mmcif);
  } catch (const std::exception &) { /* the sequence only helps to tell ends from gaps */
  }
  const gemmi::Model &model = st.models[s->model > 0 ? static_cast<size_t>(s->model - 1) : 0];
  size_t residues = 0, atoms = count_atoms(model, &residues);
  s->atoms = make<bt_structure_atom>(atoms);
  s->residues = make<bt_structure_residue>(residues);
  s->links = make<bt_structure_link>(st.connections.size());
  if (!facts.notes.empty()) {
    s->notes = make<char>(facts.notes.size() + 1);
    std::memcpy(s->notes, facts.notes.c_str(), facts.notes.size());
  }
  Index index;
  copy_model(model, facts.pieces, s, &index);
  copy_links(st, index, s);
  return BT_OK;
}

}  // namespace

extern "C" const char *bt_gemmi_version(void) { return GEMMI_VERSION; }

extern "C" bt_status bt_structure_parse(const char *path, const char *data, size_t size, bool mmcif, int model,
                                        bt_structure *structure, bt_error *opt_error) {
  bt_where where = {path, 0, 0};
  structure->model = model;
  try {
    return parse(path, data, size, mmcif, structure, opt_error);
  } catch (const std::bad_alloc &) {
    return bt_fail_memory(opt_error);
  } catch (const std::exception &problem) {
    std::string text = problem.what();
    size_t end = text.find('\n');
    if (end != std::string::npos) text.resize(end);
    if (text.compare(0, std::strlen(path), path) == 0) text.erase(0, std::strlen(path));
    while (!text.empty() && (text[0] == ':' || text[0] == ' ')) text.erase(0, 1);
    if (text.empty()) text = "the file cannot be read";
    return bt_fail(opt_error, BT_ERR_INPUT, where, "the file may be cut off or edited: copy it again", "%s",
                   text.c_str());
  } catch (...) {
    return bt_fail(opt_error, BT_ERR_INPUT, where, "the file may be cut off or edited: copy it again",
                   "the file cannot be read");
  }
}
