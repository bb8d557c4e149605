/* btl_text.c - the text of a stored ligand: Meeko's remarks, ROOT, atoms, branches; and what to keep of such remarks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "chem/element.h"
#include "library/btl.h"

enum { REMARK_WIDTH = 79, ATOM_WIDTH = 80 };

/* ------------------------------------------------------------------------------------------------ remarks -- */

static int find_serial(const bt_molecule *molecule, int serial) {
  if (serial >= 1 && serial <= molecule->n_atoms && molecule->atoms[serial - 1].serial == serial) return serial - 1;
  for (int i = 0; i < molecule->n_atoms; i++)
    if (molecule->atoms[i].serial == serial) return i;
  return -1;
}

static bool read_pairs(const bt_molecule *molecule, bt_span rest, bool parent, bt_btl_place *places) {
  for (;;) {
    bt_span first = bt_span_word(&rest), second = bt_span_word(&rest);
    int place, serial, atom;
    if (first.size == 0) return true;
    if (!bt_parse_int(first, &place) || !bt_parse_int(second, &serial) || place < 1 || place > INT32_MAX / 4 ||
        (atom = find_serial(molecule, serial)) < 0 || places[atom].place != 0)
      return false;
    places[atom] = (bt_btl_place){place, parent};
  }
}

bool bt_btl_find_remarks(const bt_molecule *molecule, bt_span *ret_smiles, bt_btl_place *places) {
  *ret_smiles = (bt_span){0};
  for (int i = 0; i < molecule->n_lines; i++) {
    bt_span line = bt_span_from(molecule->lines[i]);
    if (!bt_span_starts(line, "REMARK ")) continue;
    bool parent = bt_span_starts(line, "REMARK H PARENT"), heavy = bt_span_starts(line, "REMARK SMILES IDX");
    if (parent || heavy) {
      size_t skip = strlen(parent ? "REMARK H PARENT" : "REMARK SMILES IDX");
      if (!read_pairs(molecule, (bt_span){line.text + skip, line.size - skip}, parent, places)) return false;
    } else if (bt_span_starts(line, "REMARK SMILES ") && ret_smiles->size == 0) {
      bt_span_word(&line);
      bt_span_word(&line);
      *ret_smiles = bt_span_word(&line);
    }
  }
  return ret_smiles->size > 0;
}

/* -------------------------------------------------------------------------------------------------- lines -- */

typedef struct lines {
  bt_text text; /* each line with a NUL */
  size_t *starts, room;
  int count;
  bool failed;
} lines;

static int begin_line(lines *l) {
  size_t *starts = bt_array_grow(l->starts, &l->room, (size_t)l->count + 1, sizeof *starts);
  if (starts == NULL) {
    l->failed = true;
    return 0;
  }
  l->starts = starts;
  starts[l->count] = l->text.size;
  return l->count++;
}

static void end_line(lines *l) { bt_text_add_char(&l->text, '\0'); }

/* The number that ends there; where it begins. */
static char *put_int(char *end, int value) {
  unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;
  do *--end = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0) *--end = '-';
  return end;
}

/* With three decimals; what has too many digits for the columns shows the largest number that fits. */
static void put_real(char *at, int width, double value, bool plus) {
  long rest = (long)(fabs(value) * 1000 + 0.5), most = 1;
  bool negative = value < 0 && rest > 0;
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
  put_real(line + 70, 6, atom->charge, true);
  size_t size = copy_text(line + 77, atom->type, 7);
  line[size < 2 ? 79 : 77 + size] = '\0';
}

static void add_run(lines *l, bt_molecule *molecule, int fragment, int *at) {
  for (; *at < molecule->n_atoms && molecule->atoms[*at].fragment == fragment; ++*at) {
    char line[ATOM_WIDTH + 8];
    molecule->atoms[*at].line = begin_line(l);
    put_atom(line, &molecule->atoms[*at]);
    bt_text_add(&l->text, line, strlen(line));
    end_line(l);
  }
}

/* " %3d" without the generality of printf, which takes longer than all the rest of a ligand. */
static void add_number(bt_text *text, int value, int width) {
  char digits[16];
  char *end = digits + sizeof digits, *at;
  memset(digits, ' ', sizeof digits);
  at = put_int(end, value);
  if (end - at < width) at = end - width;
  bt_text_add(text, at, (size_t)(end - at));
}

static int add_branch(lines *l, const bt_molecule *molecule, int fragment, const char *record) {
  const bt_fragment *f = &molecule->fragments[fragment];
  int serials[2] = {molecule->atoms[f->axis_from].serial, molecule->atoms[f->axis_to].serial};
  int index = begin_line(l);
  bt_text_add_string(&l->text, record);
  for (int k = 0; k < 2; k++) {
    bt_text_add_char(&l->text, ' ');
    add_number(&l->text, serials[k], 3);
  }
  end_line(l);
  return index;
}

static void add_tree(lines *l, bt_molecule *molecule) {
  int at = 0, open = 0, next = 1;
  molecule->fragments[0].line = begin_line(l);
  bt_text_add_string(&l->text, "ROOT");
  end_line(l);
  add_run(l, molecule, 0, &at);
  begin_line(l);
  bt_text_add_string(&l->text, "ENDROOT");
  end_line(l);
  while (next < molecule->n_fragments || open > 0) {
    if (next < molecule->n_fragments && molecule->fragments[next].parent == open &&
        molecule->fragments[next].first_atom == at) {
      molecule->fragments[next].line = add_branch(l, molecule, next, "BRANCH");
      open = next++;
    } else {
      add_branch(l, molecule, open, "ENDBRANCH");
      open = molecule->fragments[open].parent;
    }
    add_run(l, molecule, open, &at);
  }
}

static void add_pairs(lines *l, const bt_molecule *molecule, const bt_btl_place *places, bool parents) {
  const char *prefix = parents ? "REMARK H PARENT" : "REMARK SMILES IDX";
  size_t width = strlen(prefix);
  begin_line(l);
  bt_text_add_string(&l->text, prefix);
  for (int i = 0; i < molecule->n_atoms; i++) {
    if (places[i].place == 0 || places[i].parent != parents) continue;
    char pair[32];
    char *end = pair + sizeof pair, *at = put_int(end, molecule->atoms[i].serial);
    *--at = ' ';
    at = put_int(at, places[i].place);
    *--at = ' ';
    size_t size = (size_t)(end - at);
    if (width + size >= REMARK_WIDTH) {
      end_line(l);
      begin_line(l);
      bt_text_add_string(&l->text, prefix);
      width = strlen(prefix);
    }
    bt_text_add(&l->text, at, size);
    width += size;
  }
  end_line(l);
}

static void add_remarks(lines *l, const bt_molecule *molecule, const char *smiles, const bt_btl_place *places) {
  begin_line(l);
  bt_text_add_string(&l->text, "REMARK SMILES ");
  bt_text_add_string(&l->text, smiles);
  end_line(l);
  add_pairs(l, molecule, places, false);
  add_pairs(l, molecule, places, true);
}

/* Pointers first, then the text, in one allocation. */
static bool store(lines *l, bt_molecule *molecule) {
  size_t table = ((size_t)l->count + 1) * sizeof(char *);
  char **stored = l->failed || l->text.failed ? NULL : malloc(table + l->text.size);
  if (stored == NULL) return false;
  char *text = (char *)stored + table;
  memcpy(text, l->text.data, l->text.size);
  for (int i = 0; i < l->count; i++) stored[i] = text + l->starts[i];
  stored[l->count] = NULL;
  molecule->lines = stored;
  molecule->n_lines = l->count;
  return true;
}

bt_status bt_btl_write_lines(bt_molecule *molecule, const char *opt_smiles, const bt_btl_place *opt_places,
                             bt_error *opt_error) {
  lines l = {0};
  size_t guess = (size_t)molecule->n_atoms + 2 * (size_t)molecule->n_fragments + 16;
  l.starts = bt_array_grow(NULL, &l.room, guess, sizeof *l.starts);
  l.failed = l.starts == NULL;
  bt_text_reserve(&l.text, 82 * guess);
  if (opt_smiles != NULL) add_remarks(&l, molecule, opt_smiles, opt_places);
  add_tree(&l, molecule);
  if (molecule->torsdof >= 0) {
    begin_line(&l);
    bt_text_add_string(&l.text, "TORSDOF ");
    add_number(&l.text, molecule->torsdof, 1);
    end_line(&l);
  }
  bool ok = store(&l, molecule);
  free(l.starts);
  bt_text_destroy(&l.text);
  return ok ? BT_OK : bt_fail_memory(opt_error);
}
