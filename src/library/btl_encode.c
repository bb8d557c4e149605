/* btl_encode.c - encodes a ligand in the columns of a block. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "library/btl.h"

enum { MOST_TYPES = 255, LARGEST_STEP = 32767 };

typedef struct encoder {
  bt_btl_columns *columns;
  const bt_molecule *molecule;
  int flags;
  uint64_t residue; /* of the first atom */
  uint64_t *types;  /* [n_atoms] */
  bt_pdbqt_place *places;
  bt_span smiles;
  size_t start[BT_BTL_N_COLUMNS]; /* sizes of the columns before this ligand */
} encoder;

static uint64_t zigzag(int64_t x) { return x < 0 ? 2 * (uint64_t) - (x + 1) + 1 : 2 * (uint64_t)x; }
static void add_signed(bt_text *text, int64_t x) { bt_btl_add_varint(text, zigzag(x)); }

/* --------------------------------------------------------------------------------------------- dictionary -- */

static bool list_add(bt_btl_list *list, const char *item) {
  if (!BT_GROW(list->items, &list->room, list->count + 1)) return false;
  memset(list->items[list->count], 0, sizeof *list->items);
  bt_span_copy(bt_span_from(item), list->items[list->count++], sizeof *list->items);
  return true;
}

bool bt_btl_list_find(bt_btl_list *list, const char *item, uint64_t *ret_index) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i], item) == 0) return *ret_index = i, true;
  *ret_index = list->count;
  return list_add(list, item);
}

static void residue_text(const bt_atom *atom, char text[12]) {
  memset(text, ' ', 10);
  text[10] = '\0';
  memcpy(text, atom->resname, strnlen(atom->resname, 3));
  text[4] = atom->chain != '\0' ? atom->chain : ' ';
  int number = atom->resnum > 9999 ? 9999 : atom->resnum < -999 ? -999 : atom->resnum;
  bool minus = number < 0;
  if (minus) number = -number;
  int at = 8;
  do text[at--] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  if (minus) text[at] = '-';
  text[9] = atom->icode != '\0' ? atom->icode : ' ';
}

static bt_status check_texts(const encoder *e, bt_error *opt_error) {
  for (int i = 0; i < e->molecule->n_atoms; i++) {
    const bt_atom *atom = &e->molecule->atoms[i];
    const char *const texts[] = {atom->type, atom->name, atom->resname, (char[]){atom->chain, atom->icode, '\0'}};
    bool printable = true;
    for (int k = 0; k < 4; k++) printable = printable && bt_btl_is_printable(texts[k], strlen(texts[k]));
    if (printable) continue;
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = e->molecule->path, .atom = atom->serial},
                   "prepare the ligand again", "control characters in an atom name");
  }
  return BT_OK;
}

static void add_title(encoder *e) {
  bt_text *column = &e->columns->column[BT_BTL_TITLE];
  for (const char *at = e->molecule->name; *at != '\0'; at++)
    bt_text_add_char(column, (unsigned char)*at < ' ' || *at == 127 ? ' ' : *at);
  bt_text_add_char(column, '\0');
}

/* The first atom of a type determines its usual name: PDBQT files name atoms C or CL, rarely C17. */
static bt_status find_types(encoder *e, bt_error *opt_error) {
  bt_btl_list *types = &e->columns->lists[BT_BTL_TYPES], *usual = &e->columns->lists[BT_BTL_USUAL];
  for (int i = 0; i < e->molecule->n_atoms; i++) {
    const bt_atom *atom = &e->molecule->atoms[i];
    if (!bt_btl_list_find(types, atom->type, &e->types[i])) return bt_fail_memory(opt_error);
    if (types->count > MOST_TYPES)
      return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){.file = e->molecule->path, .atom = atom->serial},
                     "check its atom types", "more than %d atom types in %d ligands", MOST_TYPES, BT_BTL_LIGANDS);
    if (usual->count < types->count && !list_add(usual, atom->name)) return bt_fail_memory(opt_error);
    if (strcmp(usual->items[e->types[i]], atom->name) != 0) e->flags |= BT_BTL_FLAG_NAMED;
  }
  return BT_OK;
}

static bt_status find_names(encoder *e, bt_error *opt_error) {
  if ((e->flags & BT_BTL_FLAG_NAMED) == 0) return BT_OK;
  for (int i = 0; i < e->molecule->n_atoms; i++) {
    uint64_t index;
    if (!bt_btl_list_find(&e->columns->lists[BT_BTL_OTHER], e->molecule->atoms[i].name, &index))
      return bt_fail_memory(opt_error);
    bt_btl_add_varint(&e->columns->column[BT_BTL_NAMES], index);
  }
  return BT_OK;
}

/* Serial numbers and residues are only stored if serials do not count from 1 or there are several residues. */
static bt_status find_residues(encoder *e, bt_error *opt_error) {
  bt_btl_list *list = &e->columns->lists[BT_BTL_RESIDUES];
  bt_text *odd = &e->columns->column[BT_BTL_ODD];
  int before = 0;
  for (int i = 0; i < e->molecule->n_atoms; i++) {
    const bt_atom *atom = &e->molecule->atoms[i];
    char text[12];
    uint64_t index;
    residue_text(atom, text);
    if (!bt_btl_list_find(list, text, &index)) return bt_fail_memory(opt_error);
    if (i == 0) e->residue = index;
    if (index != e->residue || atom->serial != i + 1) e->flags |= BT_BTL_FLAG_ODD;
    add_signed(odd, (int64_t)atom->serial - before);
    bt_btl_add_varint(odd, index);
    before = atom->serial;
  }
  if ((e->flags & BT_BTL_FLAG_ODD) == 0) odd->size = e->start[BT_BTL_ODD];
  return BT_OK;
}

/* --------------------------------------------------------------------------------------------------- tree -- */

/* Atoms from *at that belong to the fragment itself. */
static uint64_t run(const bt_molecule *molecule, int fragment, int *at) {
  int first = *at;
  while (*at < molecule->n_atoms && molecule->atoms[*at].fragment == fragment) ++*at;
  return (uint64_t)(*at - first);
}

static bool encode_tree(encoder *e) {
  const bt_molecule *molecule = e->molecule;
  bt_text *tree = &e->columns->column[BT_BTL_TREE];
  int at = 0, open = 0, next = 1;
  bt_btl_add_varint(tree, run(molecule, 0, &at));
  while (at < molecule->n_atoms || next < molecule->n_fragments) {
    const bt_fragment *fragment = next < molecule->n_fragments ? &molecule->fragments[next] : NULL;
    if (fragment != NULL && fragment->first_atom == at && fragment->parent == open) {
      int first = at;
      bt_btl_add_varint(tree, run(molecule, next, &at) + 2);
      add_signed(tree, (int64_t)first - fragment->axis_from);
      add_signed(tree, (int64_t)fragment->axis_to - first);
      open = next++;
    } else if (open > 0 && molecule->fragments[open].end_atom == at) {
      open = molecule->fragments[open].parent;
      uint64_t count = run(molecule, open, &at);
      bt_btl_add_varint(tree, count > 0);
      if (count > 0) bt_btl_add_varint(tree, count);
    } else {
      return false; /* not a tree as built by the reader */
    }
  }
  return true;
}

/* ------------------------------------------------------------------------------------------------ numbers -- */

/* x in thousandths; false unless this is exact. */
static bool thousandths(double x, int64_t *ret_value) {
  if (!(fabs(x) < 1e6)) return false;
  *ret_value = llround(x * 1000);
  return (double)*ret_value / 1000 == x;
}

/* The atom that each atom's step starts from. */
static void find_starts(const bt_molecule *molecule, int *from) {
  for (int i = 0; i < molecule->n_atoms; i++) from[i] = i - 1;
  for (int f = 1; f < molecule->n_fragments; f++) {
    const bt_fragment *fragment = &molecule->fragments[f];
    if (fragment->axis_from < fragment->axis_to) from[fragment->axis_to] = fragment->axis_from;
  }
}

static bool fits(const bt_molecule *molecule, const int *from) {
  int64_t value, other;
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *atom = &molecule->atoms[i];
    if (!thousandths(atom->charge, &value) || llabs(value) > LARGEST_STEP) return false;
    for (int k = 0; k < 3; k++) {
      if (!thousandths(atom->x[k], &value)) return false;
      if (i == 0) continue;
      if (!thousandths(molecule->atoms[from[i]].x[k], &other) || llabs(value - other) > LARGEST_STEP) return false;
    }
  }
  return true;
}

static void add_word(bt_text *low, bt_text *high, int64_t value) {
  uint64_t word = zigzag(value);
  bt_text_add_char(low, (char)(word & 255));
  bt_text_add_char(high, (char)(word >> 8));
}

static void add_exact(bt_text *text, double value) {
  uint64_t bits;
  char bytes[8];
  memcpy(&bits, &value, sizeof bits);
  bt_btl_put(bytes, 8, bits);
  bt_text_add(text, bytes, 8);
}

static void encode_numbers(encoder *e, const int *from) {
  bt_text *column = e->columns->column;
  for (int i = 0; i < e->molecule->n_atoms; i++) {
    const bt_atom *atom = &e->molecule->atoms[i];
    if ((e->flags & BT_BTL_FLAG_EXACT) != 0) {
      for (int k = 0; k < 3; k++) add_exact(&column[BT_BTL_EXACT], atom->x[k]);
      add_exact(&column[BT_BTL_EXACT], atom->charge);
      continue;
    }
    add_word(&column[BT_BTL_CHARGE_LOW], &column[BT_BTL_CHARGE_HIGH], llround(atom->charge * 1000));
    for (int k = 0; i > 0 && k < 3; k++)
      add_word(&column[BT_BTL_XYZ_LOW], &column[BT_BTL_XYZ_HIGH],
               llround(atom->x[k] * 1000) - llround(e->molecule->atoms[from[i]].x[k] * 1000));
  }
}

/* -------------------------------------------------------------------------------------------- one ligand -- */

static void encode_places(encoder *e) {
  bt_text *column = &e->columns->column[BT_BTL_PLACE];
  int before = 0;
  for (int i = 0; i < e->molecule->n_atoms; i++) {
    const bt_pdbqt_place *place = &e->places[i];
    bt_btl_add_varint(column, place->place == 0 ? 0 : 1 + 2 * zigzag((int64_t)place->place - before) + place->parent);
    if (place->place != 0) before = place->place;
  }
}

/* Bytes that the ligand has added to a column. */
static uint64_t added(const encoder *e, int column) { return e->columns->column[column].size - e->start[column]; }

static void add_head(encoder *e) {
  bt_text *head = &e->columns->column[BT_BTL_HEAD];
  const bt_molecule *molecule = e->molecule;
  bt_btl_add_varint(head, (uint64_t)e->flags);
  bt_btl_add_varint(head, (uint64_t)molecule->n_atoms);
  bt_btl_add_varint(head, (uint64_t)molecule->n_fragments);
  bt_btl_add_varint(head, (uint64_t)(molecule->torsdof + 1));
  bt_btl_add_varint(head, added(e, BT_BTL_TREE));
  if ((e->flags & BT_BTL_FLAG_EXACT) == 0)
    for (int k = 0; k < 3; k++) add_signed(head, llround(molecule->atoms[0].x[k] * 1000));
  bt_btl_add_varint(head, e->residue);
  if ((e->flags & BT_BTL_FLAG_PLACED) != 0) bt_btl_add_varint(head, added(e, BT_BTL_PLACE));
  if ((e->flags & BT_BTL_FLAG_NAMED) != 0) bt_btl_add_varint(head, added(e, BT_BTL_NAMES));
  if ((e->flags & BT_BTL_FLAG_ODD) != 0) bt_btl_add_varint(head, added(e, BT_BTL_ODD));
}

static bt_status encode(encoder *e, int *from, bt_error *opt_error) {
  bt_text *column = e->columns->column;
  const bt_molecule *molecule = e->molecule;
  BT_TRY(check_texts(e, opt_error));
  BT_TRY(find_types(e, opt_error));
  BT_TRY(find_names(e, opt_error));
  BT_TRY(find_residues(e, opt_error));
  if (!encode_tree(e))
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = molecule->path}, "prepare the ligand again",
                   "the torsion tree is not in order");
  find_starts(molecule, from);
  if (!fits(molecule, from)) e->flags |= BT_BTL_FLAG_EXACT;
  if (bt_pdbqt_find_remarks(molecule, &e->smiles, e->places) == NULL) {
    e->flags |= BT_BTL_FLAG_PLACED;
    encode_places(e);
    bt_text_add(&column[BT_BTL_SMILES], e->smiles.text, e->smiles.size);
    bt_text_add_char(&column[BT_BTL_SMILES], '\0');
  }
  add_title(e);
  for (int i = 0; i < molecule->n_atoms; i++) bt_text_add_char(&column[BT_BTL_TYPE], (char)e->types[i]);
  encode_numbers(e, from);
  add_head(e);
  for (int c = 0; c < BT_BTL_N_COLUMNS; c++) BT_TRY(bt_text_status(&column[c], opt_error));
  return BT_OK;
}

bool bt_btl_has_properties(const bt_btl_columns *columns) {
  return columns->column[BT_BTL_PROPERTIES].size > (size_t)columns->n_ligands; /* each ligand has a NUL */
}

bt_status bt_btl_encode(bt_btl_columns *columns, const bt_molecule *molecule, const char *opt_properties,
                        bt_error *opt_error) {
  size_t counts[BT_BTL_N_LISTS], n = (size_t)molecule->n_atoms;
  for (int l = 0; l < BT_BTL_N_LISTS; l++) counts[l] = columns->lists[l].count;
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  encoder e = {.columns = columns, .molecule = molecule};
  for (int c = 0; c < BT_BTL_N_COLUMNS; c++) e.start[c] = columns->column[c].size;
  int *from;
  BT_NEW(&arena, e.types, n);
  BT_NEW(&arena, e.places, n);
  BT_NEW(&arena, from, n);
  bt_status status = bt_arena_status(&arena, opt_error);
  if (status == BT_OK) status = encode(&e, from, opt_error);
  bt_text *properties = &columns->column[BT_BTL_PROPERTIES];
  if (opt_properties != NULL) bt_text_add_string(properties, opt_properties);
  bt_text_add_char(properties, '\0');
  if (status == BT_OK) status = bt_text_status(properties, opt_error);
  if (status == BT_OK) {
    columns->n_ligands++;
    columns->size = 0;
    for (int c = 0; c < BT_BTL_N_COLUMNS; c++)
      if (c != BT_BTL_PROPERTIES || bt_btl_has_properties(columns)) columns->size += columns->column[c].size;
  } else { /* restores the columns */
    for (int c = 0; c < BT_BTL_N_COLUMNS; c++) columns->column[c].size = e.start[c];
    for (int l = 0; l < BT_BTL_N_LISTS; l++) columns->lists[l].count = counts[l];
  }
  return status;
}

void bt_btl_columns_clear(bt_btl_columns *columns) {
  for (int c = 0; c < BT_BTL_N_COLUMNS; c++) columns->column[c].size = 0;
  for (int l = 0; l < BT_BTL_N_LISTS; l++) columns->lists[l].count = 0;
  columns->n_ligands = 0;
  columns->size = 0;
}

void bt_btl_columns_destroy(bt_btl_columns *columns) {
  for (int c = 0; c < BT_BTL_N_COLUMNS; c++) bt_text_destroy(&columns->column[c]);
  for (int l = 0; l < BT_BTL_N_LISTS; l++) free(columns->lists[l].items);
  *columns = (bt_btl_columns){0};
}
