/* btl_decode.c - decodes ligands from the columns of a block. Nothing in the columns is trusted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/properties.h"
#include "library/btl.h"

static const double LARGEST_COORDINATE = 99999, LARGEST_CHARGE = 999; /* as in PDBQT files */

/* A part of a column. */
typedef struct part {
  const unsigned char *at, *end;
} part;

static bool take(part *from, uint64_t *ret_value) {
  const char *at = (const char *)from->at;
  bool taken = bt_btl_take_varint(&at, (const char *)from->end, ret_value);
  from->at = (const unsigned char *)at;
  return taken;
}

static int64_t unzigzag(uint64_t x) { return (x & 1) != 0 ? -(int64_t)(x >> 1) - 1 : (int64_t)(x >> 1); }

static bool take_signed(part *from, int64_t *ret_value) {
  uint64_t x;
  if (!take(from, &x) || x >> 41 != 0) return false; /* no valid number is that large */
  *ret_value = unzigzag(x);
  return true;
}

/* A number from 0 to most. */
static bool take_index(part *from, uint64_t most, int *ret_value) {
  uint64_t x;
  if (!take(from, &x) || x > most) return false;
  *ret_value = (int)x;
  return true;
}

typedef struct head {
  int flags, n_atoms, n_fragments, torsdof, residue;
  int tree, place, names, odd; /* bytes */
  int64_t origin[3];           /* 0.001 Angstrom */
} head;

static bool take_head(part *from, head *h) {
  enum { MANY = 1 << 27 };
  *h = (head){0};
  if (!take_index(from, BT_BTL_FLAGS, &h->flags) || !take_index(from, MANY, &h->n_atoms) ||
      !take_index(from, MANY, &h->n_fragments) || !take_index(from, INT32_MAX, &h->torsdof) ||
      !take_index(from, MANY, &h->tree))
    return false;
  h->torsdof--;
  for (int k = 0; k < 3 && (h->flags & BT_BTL_FLAG_EXACT) == 0; k++)
    if (!take_signed(from, &h->origin[k])) return false;
  if (!take_index(from, MANY, &h->residue)) return false;
  if ((h->flags & BT_BTL_FLAG_PLACED) != 0 && !take_index(from, MANY, &h->place)) return false;
  if ((h->flags & BT_BTL_FLAG_NAMED) != 0 && !take_index(from, MANY, &h->names)) return false;
  if ((h->flags & BT_BTL_FLAG_ODD) != 0 && !take_index(from, MANY, &h->odd)) return false;
  return h->n_atoms > 0 && h->n_fragments > 0 && h->n_fragments <= h->n_atoms;
}

/* ------------------------------------------------------------------------------------------- where to look -- */

static part rest_of(const bt_btl_block *block, int column, uint32_t start) {
  const unsigned char *data = (const unsigned char *)block->column[column].data;
  return (part){data + start, data + block->column[column].size};
}

/* Bytes of a text with its NUL; 0: it has none, or control characters. */
static size_t text_size(part from) {
  const unsigned char *at = from.at;
  while (at < from.end && *at >= ' ' && *at != 127) at++;
  return at == from.end || *at != '\0' ? 0 : (size_t)(at - from.at) + 1;
}

/* Bytes of a ligand's properties with their NUL; 0: they are malformed. */
static size_t properties_size(part from) {
  const char *at = (const char *)from.at, *nul = memchr(at, '\0', (size_t)(from.end - from.at));
  return nul != NULL && bt_properties_check(at) ? (size_t)(nul - at) + 1 : 0;
}

static bool sizes_of(const bt_btl_block *block, const uint32_t *start, uint64_t *size) {
  part at = rest_of(block, BT_BTL_HEAD, start[BT_BTL_HEAD]);
  const unsigned char *begin = at.at;
  head h;
  if (!take_head(&at, &h)) return false;
  bool exact = (h.flags & BT_BTL_FLAG_EXACT) != 0, placed = (h.flags & BT_BTL_FLAG_PLACED) != 0;
  uint64_t n = (uint64_t)h.n_atoms;
  memset(size, 0, BT_BTL_N_COLUMNS * sizeof *size);
  size[BT_BTL_HEAD] = (uint64_t)(at.at - begin);
  size[BT_BTL_TITLE] = text_size(rest_of(block, BT_BTL_TITLE, start[BT_BTL_TITLE]));
  if (placed) size[BT_BTL_SMILES] = text_size(rest_of(block, BT_BTL_SMILES, start[BT_BTL_SMILES]));
  if (size[BT_BTL_TITLE] == 0 || (placed && size[BT_BTL_SMILES] == 0)) return false;
  size[BT_BTL_TYPE] = n;
  size[BT_BTL_CHARGE_LOW] = size[BT_BTL_CHARGE_HIGH] = exact ? 0 : n;
  size[BT_BTL_XYZ_LOW] = size[BT_BTL_XYZ_HIGH] = exact ? 0 : 3 * (n - 1);
  size[BT_BTL_EXACT] = exact ? 32 * n : 0;
  size[BT_BTL_TREE] = (uint64_t)h.tree;
  size[BT_BTL_PLACE] = (uint64_t)h.place;
  size[BT_BTL_NAMES] = (uint64_t)h.names;
  size[BT_BTL_ODD] = (uint64_t)h.odd;
  if (block->column[BT_BTL_PROPERTIES].size > 0) {
    size[BT_BTL_PROPERTIES] = properties_size(rest_of(block, BT_BTL_PROPERTIES, start[BT_BTL_PROPERTIES]));
    if (size[BT_BTL_PROPERTIES] == 0) return false;
  }
  for (int c = 0; c < BT_BTL_N_COLUMNS; c++)
    if (c != BT_BTL_DICTIONARY && size[c] > block->column[c].size - start[c]) return false;
  return true;
}

static bt_status fail(bt_where where, bt_error *opt_error, int ligand, const char *what) {
  return bt_fail(opt_error, BT_ERR_INPUT, where, "make the library again", "ligand %d of the block is inconsistent: %s",
                 ligand, what);
}

bt_status bt_btl_find_starts(bt_btl_block *block, bt_where where, bt_error *opt_error) {
  if ((size_t)block->n_ligands > block->column[BT_BTL_HEAD].size) return fail(where, opt_error, 0, "their number");
  block->starts = bt_allocate((size_t)block->n_ligands + 1, sizeof *block->starts);
  if (block->starts == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < block->n_ligands; i++) {
    uint64_t size[BT_BTL_N_COLUMNS];
    if (!sizes_of(block, block->starts[i], size)) return fail(where, opt_error, i, "its sizes");
    for (int c = 0; c < BT_BTL_N_COLUMNS; c++) block->starts[i + 1][c] = block->starts[i][c] + (uint32_t)size[c];
  }
  return BT_OK;
}

const char *bt_btl_title(const bt_btl_block *block, int index) {
  return block->column[BT_BTL_TITLE].data + block->starts[index][BT_BTL_TITLE];
}

const char *bt_btl_properties(const bt_btl_block *block, int index) {
  const bt_text *column = &block->column[BT_BTL_PROPERTIES];
  return column->size > 0 ? column->data + block->starts[index][BT_BTL_PROPERTIES] : "";
}

/* --------------------------------------------------------------------------------------------- one ligand -- */

typedef struct decoder {
  const bt_btl_block *block;
  int index;
  head h;
  bt_molecule *molecule;
} decoder;

static part part_of(const decoder *d, int column) {
  const unsigned char *data = (const unsigned char *)d->block->column[column].data;
  return (part){data + d->block->starts[d->index][column], data + d->block->starts[d->index + 1][column]};
}

static void set_residue(bt_atom *atom, const char *text) {
  bt_span columns = {text, 10};
  bt_span_copy(bt_span_trim(bt_span_columns(columns, 0, 3)), atom->resname, sizeof atom->resname);
  atom->chain = text[4];
  atom->icode = text[9];
  if (!bt_parse_int(bt_span_columns(columns, 5, 9), &atom->resnum)) atom->resnum = 0;
}

static bool decode_names(decoder *d) {
  const bt_btl_list *lists = d->block->lists;
  part types = part_of(d, BT_BTL_TYPE), names = part_of(d, BT_BTL_NAMES), odd = part_of(d, BT_BTL_ODD);
  int64_t serial = 0;
  if (lists[BT_BTL_RESIDUES].count == 0) return false;
  for (int i = 0; i < d->h.n_atoms; i++) {
    bt_atom *atom = &d->molecule->atoms[i];
    int type = types.at[i], other, residue = d->h.residue;
    if ((size_t)type >= lists[BT_BTL_TYPES].count) return false;
    memcpy(atom->type, lists[BT_BTL_TYPES].items[type], sizeof atom->type);
    memcpy(atom->name, lists[BT_BTL_USUAL].items[type], sizeof atom->name);
    if ((d->h.flags & BT_BTL_FLAG_NAMED) != 0) {
      if (lists[BT_BTL_OTHER].count == 0 || !take_index(&names, lists[BT_BTL_OTHER].count - 1, &other)) return false;
      memcpy(atom->name, lists[BT_BTL_OTHER].items[other], sizeof atom->name);
    }
    atom->serial = i + 1;
    if ((d->h.flags & BT_BTL_FLAG_ODD) != 0) {
      int64_t step;
      if (!take_signed(&odd, &step) || step > INT32_MAX || step < INT32_MIN || !take_index(&odd, INT32_MAX, &residue))
        return false;
      serial += step;
      if (serial < 0 || serial > INT32_MAX) return false;
      atom->serial = (int)serial;
    }
    if ((size_t)residue >= lists[BT_BTL_RESIDUES].count) return false;
    set_residue(atom, lists[BT_BTL_RESIDUES].items[residue]);
  }
  return true;
}

static bool give_atoms(bt_molecule *molecule, int fragment, uint64_t count, int *at) {
  if (count > (uint64_t)(molecule->n_atoms - *at)) return false;
  for (uint64_t i = 0; i < count; i++) molecule->atoms[(*at)++].fragment = fragment;
  return true;
}

static bool open_branch(decoder *d, part *tree, uint64_t count, int *at, int *open, int *next) {
  bt_molecule *molecule = d->molecule;
  int64_t a, b, first = *at;
  if (*next == molecule->n_fragments || !take_signed(tree, &a) || !take_signed(tree, &b)) return false;
  if (llabs(a) > molecule->n_atoms || llabs(b) > molecule->n_atoms) return false;
  molecule->fragments[*next] = (bt_fragment){.parent = *open, .first_atom = *at, .end_atom = *at};
  molecule->fragments[*next].axis_from = (int)(first - a);
  molecule->fragments[*next].axis_to = (int)(first + b);
  *open = (*next)++;
  return give_atoms(molecule, *open, count, at);
}

static bool decode_tree(decoder *d) {
  bt_molecule *molecule = d->molecule;
  part tree = part_of(d, BT_BTL_TREE);
  int at = 0, open = 0, next = 1;
  uint64_t count, word;
  molecule->fragments[0] = (bt_fragment){.parent = -1, .axis_from = -1, .axis_to = -1};
  if (!take(&tree, &count) || count == 0 || !give_atoms(molecule, 0, count, &at)) return false;
  while (tree.at < tree.end) {
    if (!take(&tree, &word)) return false;
    if (word >= 2) {
      if (!open_branch(d, &tree, word - 2, &at, &open, &next)) return false;
      continue;
    }
    if (open == 0) return false;
    molecule->fragments[open].end_atom = at;
    open = molecule->fragments[open].parent;
    if (word == 0) continue;
    if (open == 0 || !take(&tree, &count) || !give_atoms(molecule, open, count, &at)) return false;
  }
  for (; open >= 0; open = molecule->fragments[open].parent) molecule->fragments[open].end_atom = at;
  return at == molecule->n_atoms && next == molecule->n_fragments;
}

static bool check_axes(const bt_molecule *molecule) {
  for (int f = 1; f < molecule->n_fragments; f++) {
    const bt_fragment *fragment = &molecule->fragments[f];
    int from = fragment->axis_from, to = fragment->axis_to;
    if (from < 0 || to < 0 || from >= molecule->n_atoms || to >= molecule->n_atoms) return false;
    if (molecule->atoms[from].fragment != fragment->parent || molecule->atoms[to].fragment != f) return false;
  }
  return true;
}

static int word_at(part low, part high, int index) {
  return (int)unzigzag((uint64_t)low.at[index] | (uint64_t)high.at[index] << 8);
}

static bool decode_exact(decoder *d) {
  part exact = part_of(d, BT_BTL_EXACT);
  for (int i = 0; i < d->h.n_atoms; i++) {
    double values[4];
    for (int k = 0; k < 4; k++, exact.at += 8) {
      uint64_t bits = bt_btl_get(exact.at, 8);
      memcpy(&values[k], &bits, sizeof bits);
    }
    memcpy(d->molecule->atoms[i].x, values, 3 * sizeof *values);
    d->molecule->atoms[i].charge = values[3];
  }
  return true;
}

/* An integer divided by 1000 is the double nearest to the decimal number, the same as parsing its text. */
static bool decode_numbers(decoder *d) {
  bt_molecule *molecule = d->molecule;
  if ((d->h.flags & BT_BTL_FLAG_EXACT) != 0) return decode_exact(d);
  int64_t(*grid)[3] = bt_allocate((size_t)d->h.n_atoms, sizeof *grid);
  if (grid == NULL) return false;
  part charge_low = part_of(d, BT_BTL_CHARGE_LOW), charge_high = part_of(d, BT_BTL_CHARGE_HIGH);
  part low = part_of(d, BT_BTL_XYZ_LOW), high = part_of(d, BT_BTL_XYZ_HIGH);
  for (int i = 0; i < d->h.n_atoms; i++) {
    const bt_fragment *fragment = &molecule->fragments[molecule->atoms[i].fragment];
    int from = i == fragment->axis_to && fragment->axis_from < i ? fragment->axis_from : i - 1;
    for (int k = 0; k < 3; k++) {
      grid[i][k] = i == 0 ? d->h.origin[k] : grid[from][k] + word_at(low, high, 3 * (i - 1) + k);
      molecule->atoms[i].x[k] = (double)grid[i][k] / 1000;
    }
    molecule->atoms[i].charge = word_at(charge_low, charge_high, i) / 1000.0;
  }
  free(grid);
  return true;
}

static bool check_numbers(const bt_molecule *molecule) {
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *atom = &molecule->atoms[i];
    for (int k = 0; k < 3; k++)
      if (!(fabs(atom->x[k]) <= LARGEST_COORDINATE)) return false;
    if (!(fabs(atom->charge) <= LARGEST_CHARGE)) return false;
  }
  for (int f = 1; f < molecule->n_fragments; f++)
    if (!bt_fragment_has_axis(molecule, f)) return false;
  return true;
}

static bool decode_places(decoder *d, bt_pdbqt_place *places) {
  part from = part_of(d, BT_BTL_PLACE);
  int64_t before = 0;
  for (int i = 0; i < d->h.n_atoms; i++) {
    uint64_t word;
    if (!take(&from, &word)) return false;
    if (word-- == 0) continue;
    int64_t step = unzigzag(word >> 1);
    if (llabs(step) > INT32_MAX / 2 || before + step < 1 || before + step > INT32_MAX / 2) return false;
    before += step;
    places[i] = (bt_pdbqt_place){(int)before, (word & 1) != 0};
  }
  return true;
}

static bt_status decode(decoder *d, bt_pdbqt_place *places, bt_error *opt_error) {
  bt_molecule *molecule = d->molecule;
  bt_where where = {.file = molecule->path};
  const bt_text *smiles = &d->block->column[BT_BTL_SMILES];
  bool placed = (d->h.flags & BT_BTL_FLAG_PLACED) != 0;
  if (!decode_names(d)) return fail(where, opt_error, d->index, "its atoms");
  if (!decode_tree(d) || !check_axes(molecule)) return fail(where, opt_error, d->index, "its tree");
  if (!decode_numbers(d)) return bt_fail_memory(opt_error);
  if (!check_numbers(molecule)) return fail(where, opt_error, d->index, "its coordinates or charges");
  if (placed && !decode_places(d, places)) return fail(where, opt_error, d->index, "its remarks");
  bt_pdbqt_remarks remarks = {.places = places};
  if (placed) remarks.smiles = smiles->data + d->block->starts[d->index][BT_BTL_SMILES];
  return bt_molecule_write_lines(molecule, placed ? &remarks : NULL, opt_error);
}

bt_status bt_btl_decode(const bt_btl_block *block, int index, const char *path, bt_molecule **ret_molecule,
                        bt_error *opt_error) {
  decoder d = {.block = block, .index = index};
  part at = part_of(&d, BT_BTL_HEAD);
  if (!take_head(&at, &d.h)) return fail((bt_where){.file = path}, opt_error, index, "its sizes");
  bt_molecule *molecule;
  BT_TRY(bt_molecule_create(BT_MOLECULE_LIGAND, path, bt_btl_title(block, index), &molecule, opt_error));
  d.molecule = molecule;
  molecule->torsdof = d.h.torsdof;
  molecule->n_atoms = d.h.n_atoms;
  molecule->n_fragments = d.h.n_fragments;
  molecule->atoms = bt_allocate((size_t)d.h.n_atoms, sizeof *molecule->atoms);
  molecule->fragments = bt_allocate((size_t)d.h.n_fragments, sizeof *molecule->fragments);
  BT_SCOPED bt_pdbqt_place *places = bt_allocate((size_t)d.h.n_atoms, sizeof *places);
  bool ok = molecule->atoms != NULL && molecule->fragments != NULL && places != NULL;
  bt_status status = ok ? decode(&d, places, opt_error) : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, molecule, ret_molecule, bt_molecule_destroy);
}
