/* write.c - the lines of a molecule that was built, not read: Meeko's remarks, ROOT, atoms, branches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "base/vector.h"
#include "chem/element.h"
#include "formats/pdbqt/pdbqt.h"

enum { REMARK_WIDTH = 79, ATOM_WIDTH = 80 };

double bt_pdbqt_round(double value) {
  double scaled = value * 1000, rounded = rint(scaled), left = scaled - rounded;
  double lost = fma(value, 1000, -scaled); /* a tie of the product need not be one of the value */
  if (fabs(left) == 0.5 && lost != 0) rounded = lost > 0 ? ceil(scaled) : floor(scaled);
  return copysign(rounded, value) / 1000;
}

bt_status bt_molecule_set_lines(bt_molecule *molecule, const bt_text *text, bt_error *opt_error) {
  int count = 0;
  for (size_t i = 0; i < text->size; i++) count += text->data[i] == '\n';
  size_t table = ((size_t)count + 1) * sizeof(char *);
  char **lines = text->failed ? NULL : malloc(table + text->size);
  if (lines == NULL) return bt_fail_memory(opt_error);
  char *at = (char *)lines + table, *stop = at + text->size;
  if (text->size > 0) memcpy(at, text->data, text->size);
  for (int i = 0; i < count; i++) {
    lines[i] = at;
    at = memchr(at, '\n', (size_t)(stop - at));
    *at++ = '\0';
  }
  lines[count] = NULL;
  molecule->lines = lines;
  molecule->n_lines = count;
  return BT_OK;
}

bool bt_fragment_has_axis(const bt_molecule *molecule, int fragment) {
  static const double SHORTEST = 0.01; /* Angstrom; coordinates have three decimals */
  const bt_fragment *f = &molecule->fragments[fragment];
  return bt_v3_distance2(molecule->atoms[f->axis_from].x, molecule->atoms[f->axis_to].x) >= SHORTEST * SHORTEST;
}

void bt_molecule_index_lines(bt_molecule *molecule) {
  bt_atom *atom = molecule->atoms;
  bt_fragment *fragment = molecule->fragments;
  for (int i = 0; i < molecule->n_lines; i++) {
    const char *line = molecule->lines[i];
    if (strncmp(line, "ATOM", 4) == 0 || strncmp(line, "HETATM", 6) == 0) atom++->line = i;
    if (strcmp(line, "ROOT") == 0 || strncmp(line, "BRANCH", 6) == 0) fragment++->line = i;
  }
}

/* The number that ends there; where it begins. */
static char *put_int(char *end, int value) {
  unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;
  do *--end = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0) *--end = '-';
  return end;
}

/* With three decimals; a number too wide for the columns becomes the largest one that fits. -0.0, the result of
 * rounding small negative numbers, keeps its sign as with printf. */
static void put_real(char *at, int width, double value, bool plus) {
  long rest = (long)(fabs(value) * 1000 + 0.5), most = 1;
  bool negative = signbit(value) && (rest > 0 || value == 0);
  for (int digits = width - 1 - (negative || plus); digits > 0; digits--) most *= 10;
  if (rest >= most) rest = most - 1;
  char *end = at + width;
  for (int i = 0; i < 3; i++, rest /= 10) *--end = (char)('0' + rest % 10);
  *--end = '.';
  do *--end = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (negative || plus) *--end = negative ? '-' : '+';
}

static size_t copy_text(char *to, const char *from, size_t most) {
  size_t size = strnlen(from, most);
  memcpy(to, from, size);
  return size;
}

/* With an element of two letters; asked only for names that have two. */
static bool begins_with_element(const bt_atom *atom) {
  const char *symbol = bt_element_symbol(bt_element_of_type(atom->type));
  return strlen(symbol) == 2 && strncasecmp(atom->name, symbol, 2) == 0;
}

/* As PDB: names of two-letter elements begin in the first of four columns, others in the second where they fit. */
static void put_atom(char line[ATOM_WIDTH + 8], const bt_atom *atom) {
  memset(line, ' ', ATOM_WIDTH);
  memcpy(line, "ATOM", 4);
  put_int(line + 11, atom->serial % 100000);
  bool left = atom->name[0] != '\0' && atom->name[1] != '\0' && (atom->name[3] != '\0' || begins_with_element(atom));
  copy_text(line + (left ? 12 : 13), atom->name, 4);
  copy_text(line + 17, atom->resname, 3);
  line[21] = atom->chain != '\0' ? atom->chain : ' ';
  put_int(line + 26, atom->resnum > 9999 ? 9999 : atom->resnum < -999 ? -999 : atom->resnum);
  line[26] = atom->icode != '\0' ? atom->icode : ' ';
  for (int k = 0; k < 3; k++) put_real(line + 30 + 8 * k, 8, atom->x[k], false);
  memcpy(line + 54, "  1.00  0.00", 12);
  put_real(line + 68, 8, atom->charge, true);
  size_t size = copy_text(line + 77, atom->type, 7);
  memcpy(line + (size < 2 ? 79 : 77 + size), "\n", 2);
}

static void add_run(bt_text *text, const bt_molecule *molecule, int fragment, int *at) {
  for (; *at < molecule->n_atoms && molecule->atoms[*at].fragment == fragment; ++*at) {
    char line[ATOM_WIDTH + 8];
    put_atom(line, &molecule->atoms[*at]);
    bt_text_add_string(text, line);
  }
}

/* " %3d" without printf, which would take longer than the rest of the ligand. */
static void add_number(bt_text *text, int value, int width) {
  char digits[16];
  char *end = digits + sizeof digits, *at;
  memset(digits, ' ', sizeof digits);
  at = put_int(end, value);
  if (end - at < width) at = end - width;
  bt_text_add(text, at, (size_t)(end - at));
}

static void add_branch(bt_text *text, const bt_molecule *molecule, int fragment, const char *record) {
  const bt_fragment *f = &molecule->fragments[fragment];
  int serials[2] = {molecule->atoms[f->axis_from].serial, molecule->atoms[f->axis_to].serial};
  bt_text_add_string(text, record);
  for (int k = 0; k < 2; k++) {
    bt_text_add_char(text, ' ');
    add_number(text, serials[k], 3);
  }
  bt_text_add_char(text, '\n');
}

static void add_tree(bt_text *text, const bt_molecule *molecule) {
  int at = 0, open = 0, next = 1;
  bt_text_add_string(text, "ROOT\n");
  add_run(text, molecule, 0, &at);
  bt_text_add_string(text, "ENDROOT\n");
  while (next < molecule->n_fragments || open > 0) {
    if (next < molecule->n_fragments && molecule->fragments[next].parent == open &&
        molecule->fragments[next].first_atom == at) {
      add_branch(text, molecule, next, "BRANCH");
      open = next++;
    } else {
      add_branch(text, molecule, open, "ENDBRANCH");
      open = molecule->fragments[open].parent;
    }
    add_run(text, molecule, open, &at);
  }
}

static void add_pairs(bt_text *text, const bt_molecule *molecule, const bt_pdbqt_place *places, bool parents) {
  const char *prefix = parents ? "REMARK H PARENT" : "REMARK SMILES IDX";
  size_t width = strlen(prefix);
  bt_text_add_string(text, prefix);
  for (int i = 0; i < molecule->n_atoms; i++) {
    if (places[i].place == 0 || places[i].parent != parents) continue;
    char pair[32];
    char *end = pair + sizeof pair, *at = put_int(end, molecule->atoms[i].serial);
    *--at = ' ';
    at = put_int(at, places[i].place);
    *--at = ' ';
    size_t size = (size_t)(end - at);
    if (width + size >= REMARK_WIDTH) {
      bt_text_add_char(text, '\n');
      bt_text_add_string(text, prefix);
      width = strlen(prefix);
    }
    bt_text_add(text, at, size);
    width += size;
  }
  bt_text_add_char(text, '\n');
}

static void add_line(bt_text *text, const char *start, const char *rest) {
  bt_text_add_string(text, start);
  bt_text_add_string(text, rest);
  bt_text_add_char(text, '\n');
}

bt_status bt_molecule_write_lines(bt_molecule *molecule, const bt_pdbqt_remarks *opt_remarks, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_reserve(&text, 82 * ((size_t)molecule->n_atoms + 2 * (size_t)molecule->n_fragments + 16));
  if (opt_remarks != NULL) {
    add_line(&text, "REMARK SMILES ", opt_remarks->smiles);
    add_pairs(&text, molecule, opt_remarks->places, false);
    add_pairs(&text, molecule, opt_remarks->places, true);
    if (opt_remarks->opt_line != NULL) add_line(&text, "REMARK ", opt_remarks->opt_line);
    if (molecule->tether[0] != '\0') add_line(&text, "REMARK COVALENT ", molecule->tether);
  }
  add_tree(&text, molecule);
  if (molecule->torsdof >= 0) {
    bt_text_add_string(&text, "TORSDOF ");
    add_number(&text, molecule->torsdof, 1);
    bt_text_add_char(&text, '\n');
  }
  bt_status status = bt_molecule_set_lines(molecule, &text, opt_error);
  if (status == BT_OK) bt_molecule_index_lines(molecule);
  return status;
}
