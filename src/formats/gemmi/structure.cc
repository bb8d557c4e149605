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

namespace {

/* Old entries have blanks inside of names ("N A"). */
void copy_name(char (&to)[8], const std::string &from) {
  std::memset(to, 0, sizeof to);
  size_t size = 0;
  for (char c : from)
    if (c != ' ' && size < 7) to[size++] = c;
}

/* The polymer's place of each residue where the file gives the full sequence. PDB files need an alignment, mmCIF says
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

void copy_model(const gemmi::Model &model, bt_structure *s, Index *index) {
  bool segments = has_segments(model);
  for (const gemmi::Chain &chain : model.chains)
    for (const gemmi::Residue &residue : chain.residues) {
      bt_structure_residue *to = &s->residues[s->n_residues];
      copy_name(to->name, residue.name);
      copy_name(to->chain, chain.name.empty() && segments ? residue.segment : chain.name);
      to->number = residue.seqid.num ? *residue.seqid.num : 0;
      to->icode = residue.seqid.icode;
      to->sequence = residue.label_seq ? *residue.label_seq : 0;
      to->hetero = residue.het_flag == 'H';
      to->first_atom = s->n_atoms;
      for (const gemmi::Atom &atom : residue.atoms) copy_atom(atom, &s->atoms[s->n_atoms++]);
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

/* Columns of _atom_site without which gemmi finds no atoms; empty if there is no such category. */
std::string missing_columns(const gemmi::cif::Document &document) {
  std::string missing;
  if (document.blocks.empty() || !document.blocks[0].has_tag("_atom_site.Cartn_x")) return missing;
  for (const char *name :
       {"id", "type_symbol", "label_alt_id", "label_asym_id", "occupancy", "B_iso_or_equiv", "auth_seq_id"})
    if (!document.blocks[0].has_tag(std::string("_atom_site.") + name))
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  return missing;
}

bt_status parse(const char *path, const char *data, size_t size, bool mmcif, bt_structure *s, bt_error *opt_error) {
  gemmi::cif::Document document;
  if (mmcif) document = gemmi::cif::read_memory(data, size, path);
  gemmi::Structure st = mmcif ? gemmi::make_structure(document) : gemmi::read_pdb_from_memory(data, size, path);
  s->n_models = static_cast<int>(st.models.size());
  std::string missing = s->n_models == 0 ? missing_columns(document) : "";
  if (!missing.empty())
    return bt_fail(opt_error, BT_ERR_INPUT, bt_where{path, 0, 0}, "add them, with . or ? where a value is unknown",
                   "no atoms: the category _atom_site has no %s", missing.c_str());
  if (s->n_models == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, bt_where{path, 0, 0}, "give a file with coordinates",
                   "no atoms (the category _atom_site is missing or cut off)");
  if (s->model < 1 || s->model > s->n_models)
    return bt_fail(opt_error, BT_ERR_INPUT, bt_where{path, 0, 0},
                   "choose one of its models",
                   "there is no model %d: the file has %d", s->model, s->n_models);
  try {
    find_sequence(st, mmcif);
  } catch (const std::exception &) { /* the sequence only helps to tell ends from gaps */
  }
  const gemmi::Model &model = st.models[s->model - 1];
  size_t residues = 0, atoms = count_atoms(model, &residues);
  s->atoms = make<bt_structure_atom>(atoms);
  s->residues = make<bt_structure_residue>(residues);
  s->links = make<bt_structure_link>(st.connections.size());
  Index index;
  copy_model(model, s, &index);
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
