/* place.c - molecules that define a location: of the box, or of the reference pose. */
#include <berth/berth.h>
#include <berth/place.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/unpack.h"
#include "base/memory.h"
#include "library/sources.h"

static bool is_named_like_file(const char *word) {
  return strchr(word, '/') != NULL || bt_ligand_file_ending(word) > 0 || bt_is_structure_file(word);
}

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

/* The start of the residues in FILE:RESIDUE, if the part before the colon is such a file; NULL: none. A colon may be
 * part of a file name. */
static const char *behind_file(const char *word, bool (*is_file)(const char *path)) {
  for (const char *colon = strchr(word, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
    BT_SCOPED char *path = strndup(word, (size_t)(colon - word));
    if (path != NULL && is_file(path)) return colon + 1;
  }
  return NULL;
}

static bt_status set_place(bt_place *place, const char *path, size_t length, const char *opt_residues,
                           bt_error *opt_error) {
  place->path = strndup(path, length);
  place->opt_residues = opt_residues != NULL ? strdup(opt_residues) : NULL;
  if (place->path != NULL && (place->opt_residues != NULL) == (opt_residues != NULL)) return BT_OK;
  bt_place_clear(place);
  return bt_fail_memory(opt_error);
}

bt_status bt_place_find(const char *word, const char *opt_structure, bt_place *ret_place, bt_error *opt_error) {
  const char *residues = NULL;
  *ret_place = (bt_place){0};
  if (!is_there(word) && strcmp(word, "-") != 0) {
    residues = behind_file(word, is_there);
    if (residues == NULL) residues = behind_file(word, is_named_like_file); /* reading reports its absence */
    if (residues == NULL && opt_structure != NULL && !is_named_like_file(word))
      return set_place(ret_place, opt_structure, strlen(opt_structure), word, opt_error);
  }
  return set_place(ret_place, word, residues != NULL ? (size_t)(residues - word) - 1 : strlen(word), residues,
                   opt_error);
}

void bt_place_clear(bt_place *place) {
  free(place->path);
  free(place->opt_residues);
  *place = (bt_place){0};
}

/* --- extents ------------------------------------------------------------------------------------------- */

static void include(double low[3], double high[3], const double from[3], const double to[3]) {
  for (int k = 0; k < 3; k++) {
    low[k] = fmin(low[k], from[k]);
    high[k] = fmax(high[k], to[k]);
  }
}

/* Extent of PDB text up to the end of its first model; returns the number of atoms. */
static int extent_of_pdb(const char *text, size_t size, double low[3], double high[3]) {
  bt_lines lines = bt_lines_of(text, size);
  bt_span line;
  int atoms = 0;
  while (bt_lines_next(&lines, &line) && (atoms == 0 || !bt_span_starts(line, "ENDMDL"))) {
    if (!bt_span_starts(line, "ATOM  ") && !bt_span_starts(line, "HETATM")) continue;
    double x[3];
    bool good = true;
    for (size_t k = 0; good && k < 3; k++) good = bt_parse_double(bt_span_columns(line, 30 + 8 * k, 38 + 8 * k), &x[k]);
    if (!good) continue;
    include(low, high, x, x);
    atoms++;
  }
  return atoms;
}

static bt_status extent_of_structure(const bt_place *place, const char *opt_residue, int model, double low[3],
                                     double high[3], bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  size_t size = 0;
  if (opt_residue != NULL) {
    BT_TRY(bt_receptor_ligand_pdb(place->path, model, opt_residue, &text, opt_error));
    size = strlen(text);
  } else {
    if (bt_format_of(place->path) != &bt_format_pdb || bt_packed_ending(place->path, strlen(place->path)) > 0)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = place->path}, "name the residue, as in FILE:A:LIG:201",
                     "this file has more than one molecule");
    BT_TRY(bt_file_read(place->path, &text, &size, opt_error));
  }
  if (extent_of_pdb(text, size, low, high) > 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = place->path}, "use a file with atoms", "no atoms");
}

/* Reads a ligand, a receptor or flexible residues, whichever the file turns out to be; a residue name is more
 * likely looked for in a receptor. The first reading's error is the one worth reporting. */
static bt_status read_any(const char *path, bool receptor_first, bt_molecule ***ret_list, int *ret_count,
                          bt_error *opt_error) {
  const bt_molecule_kind kinds[] = {receptor_first ? BT_MOLECULE_RECEPTOR : BT_MOLECULE_LIGAND,
                                    receptor_first ? BT_MOLECULE_LIGAND : BT_MOLECULE_RECEPTOR, BT_MOLECULE_FLEXIBLE};
  bt_status first = BT_OK;
  for (int i = 0; i < 3; i++) {
    bt_status status = bt_molecule_read(path, kinds[i], ret_list, ret_count, i == 0 ? opt_error : NULL);
    if (status == BT_OK || status == BT_ERR_IO || status == BT_ERR_MEMORY) return status;
    if (i == 0) first = status;
  }
  return first;
}

static bt_status extent_of_pdbqt(const bt_place *place, const char *opt_residue, double low[3], double high[3],
                                 bt_error *opt_error) {
  bt_molecule **list = NULL;
  int count = 0;
  bt_status status = read_any(place->path, opt_residue != NULL, &list, &count, opt_error);
  for (int i = 0; status == BT_OK && i < count; i++) {
    double from[3], to[3];
    status = bt_molecule_extent(list[i], opt_residue, from, to, opt_error);
    if (status == BT_OK) include(low, high, from, to);
  }
  bt_molecule_list_destroy(list, count);
  return status;
}

/* Only coordinates matter, so chemistry is left unchanged. Files with other extensions are read as PDBQT. */
static bt_prepare_options options_for(const char *opt_template) {
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = bt_format_word(0);
  options.rigid_macrocycles = true;
  options.as_drawn = true;
  options.opt_template = opt_template;
  return options;
}

static bt_status open_ligands(const char *path, const char *opt_template, const bt_tether *opt_tether,
                              bt_ligand_reader **ret_reader, bt_error *opt_error) {
  if (bt_format_is(bt_format_of(path), BT_FORMAT_FLAT))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "provide a file with coordinates, such as SDF",
                   "a SMILES has no coordinates");
  bt_prepare_options options = options_for(opt_template);
  options.opt_tether = opt_tether;
  return bt_ligand_reader_open(path, &options, ret_reader, opt_error);
}

static bt_status extent_of_raw(const bt_place *place, double low[3], double high[3], bt_error *opt_error) {
  bt_ligand_reader *reader;
  bt_status status = open_ligands(place->path, NULL, NULL, &reader, opt_error);
  if (status != BT_OK) return status;
  do {
    bt_molecule *molecule;
    double from[3], to[3];
    status = bt_ligand_reader_next(reader, &molecule, opt_error);
    if (status != BT_OK || molecule == NULL) break;
    status = bt_molecule_extent(molecule, NULL, from, to, opt_error);
    if (status == BT_OK) include(low, high, from, to);
    bt_molecule_destroy(molecule);
  } while (status == BT_OK);
  bt_ligand_reader_close(reader);
  return status;
}

bt_status bt_place_extent(const bt_place *place, int model, double ret_low[3], double ret_high[3],
                          bt_error *opt_error) {
  bool structure = bt_is_structure_file(place->path);
  const bt_format *format = bt_format_of(place->path);
  for (int k = 0; k < 3; k++) {
    ret_low[k] = INFINITY;
    ret_high[k] = -INFINITY;
  }
  if (place->opt_residues == NULL) {
    if (structure) return extent_of_structure(place, NULL, model, ret_low, ret_high, opt_error);
    if (format != NULL && format->read != NULL)
      return extent_of_raw(place, ret_low, ret_high, opt_error);
    return extent_of_pdbqt(place, NULL, ret_low, ret_high, opt_error);
  }
  BT_SCOPED char *words = strdup(place->opt_residues);
  if (words == NULL) return bt_fail_memory(opt_error);
  char *rest = words;
  for (char *word; (word = strsep(&rest, ",")) != NULL;)
    BT_TRY(structure ? extent_of_structure(place, word, model, ret_low, ret_high, opt_error)
                     : extent_of_pdbqt(place, word, ret_low, ret_high, opt_error));
  return BT_OK;
}

/* --- molecules ----------------------------------------------------------------------------------------- */

/* Adds the side chain before the ligand's atoms, since the template contains both. */
static void add_side_chain(const bt_tether *tether, bt_text *text) {
  for (int k = 0; k < tether->n_atoms; k++) {
    const bt_tether_atom *atom = &tether->atoms[k];
    bt_text_printf(text, "HETATM%5d  %-3.3s %3.3s %c%4d%c   %8.3f%8.3f%8.3f  1.00  0.00           %c\n", 90000 + k,
                   atom->name, tether->name, tether->chain, tether->number, tether->icode, atom->x[0], atom->x[1],
                   atom->x[2], atom->name[0]);
  }
}

static bt_status open_residue(const bt_place *place, int model, const char *opt_template, const bt_tether *opt_tether,
                              bt_ligand_reader **ret_reader, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  BT_ENDED_BY(bt_text_destroy) bt_text all = {0};
  BT_TRY(bt_receptor_ligand_pdb(place->path, model, place->opt_residues, &text, opt_error));
  if (opt_tether != NULL) add_side_chain(opt_tether, &all);
  bt_text_add_string(&all, text);
  BT_TRY(bt_text_status(&all, opt_error));
  bt_prepare_options options = options_for(opt_template);
  options.opt_format = "pdb";
  return bt_ligand_reader_open_text(all.data, all.size, place->path, &options, ret_reader, opt_error);
}

bt_status bt_place_molecule(const bt_place *place, int model, const char *opt_template, const bt_tether *opt_tether,
                            bt_molecule **ret_molecule, bt_error *opt_error) {
  bt_ligand_reader *reader;
  bool structure = bt_is_structure_file(place->path);
  bt_status status = structure && place->opt_residues != NULL
                       ? open_residue(place, model, opt_template, opt_tether, &reader, opt_error)
                       : open_ligands(place->path, structure ? opt_template : NULL, opt_tether, &reader, opt_error);
  if (status != BT_OK) return status;
  status = bt_ligand_reader_next(reader, ret_molecule, opt_error); /* of several, the first is used */
  bt_ligand_reader_close(reader);
  return status;
}
