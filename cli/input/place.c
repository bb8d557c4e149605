/* place.c - molecules that say where: for the box, and for the reference pose. */
#include "input/place.h"

#include <berth/prepare.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/inputs.h"
#include "common/report.h"

bt_status cli_place_parse(const char *word, const char *opt_structure, cli_place *ret_place, bt_error *opt_error) {
  *ret_place = (cli_place){.path = strdup(word)};
  if (ret_place->path == NULL) return bt_fail_memory(opt_error);
  if (access(word, F_OK) == 0 || strcmp(word, "-") == 0) return BT_OK;
  for (char *colon = strchr(ret_place->path, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
    *colon = '\0';
    if (access(ret_place->path, F_OK) == 0) {
      ret_place->opt_residue = strdup(colon + 1);
      return ret_place->opt_residue != NULL ? BT_OK : bt_fail_memory(opt_error);
    }
    *colon = ':';
  }
  bool is_file = strchr(word, '/') != NULL || cli_ligand_ending(word) > 0 || cli_is_structure(word);
  if (opt_structure != NULL && !is_file) {
    ret_place->opt_residue = ret_place->path;
    ret_place->path = strdup(opt_structure);
    return ret_place->path != NULL ? BT_OK : bt_fail_memory(opt_error);
  }
  char *colon = strrchr(ret_place->path, ':'); /* reading it tells that the file is absent */
  if (colon != NULL) {
    *colon = '\0';
    ret_place->opt_residue = strdup(colon + 1);
    if (ret_place->opt_residue == NULL) return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

void cli_place_free(cli_place *place) {
  free(place->path);
  free(place->opt_residue);
  *place = (cli_place){0};
}

/* --- extents ------------------------------------------------------------------------------------------- */

static void include(double low[3], double high[3], const double from[3], const double to[3]) {
  for (int k = 0; k < 3; k++) {
    low[k] = fmin(low[k], from[k]);
    high[k] = fmax(high[k], to[k]);
  }
}

/* Atoms of PDB text up to the end of its first model; how many there were. */
static int extent_of_pdb(FILE *stream, double low[3], double high[3]) {
  char line[256];
  int atoms = 0;
  while (fgets(line, sizeof line, stream) != NULL && (atoms == 0 || strncmp(line, "ENDMDL", 6) != 0)) {
    if (strncmp(line, "ATOM  ", 6) != 0 && strncmp(line, "HETATM", 6) != 0) continue;
    double x[3];
    bool good = strlen(line) >= 54;
    for (int k = 0; good && k < 3; k++) {
      char number[9] = "";
      memcpy(number, line + 30 + 8 * k, 8);
      const char *start = number + strspn(number, " ");
      char *end;
      x[k] = strtod(start, &end);
      good = end != start && isfinite(x[k]);
    }
    if (!good) continue;
    include(low, high, x, x);
    atoms++;
  }
  return atoms;
}

static bt_status extent_of_structure(const cli_place *place, const char *opt_residue, int model, double low[3],
                                     double high[3], bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  FILE *stream = NULL;
  if (opt_residue != NULL) {
    BT_TRY(bt_receptor_ligand_pdb(place->path, model, opt_residue, &text, opt_error));
    stream = fmemopen(text, strlen(text) + 1, "r");
  } else if (cli_path_ends(place->path, ".pdb") || cli_path_ends(place->path, ".ent")) {
    stream = fopen(place->path, "r");
    if (stream == NULL)
      return cli_fill_error(opt_error, BT_ERR_IO, place->path, "check the path", "cannot read the file");
  } else {
    return cli_fill_error(opt_error, BT_ERR_USAGE, place->path, "name the residue, as in FILE:A:LIG:201",
                          "this file is more than one molecule");
  }
  if (stream == NULL) return bt_fail_memory(opt_error);
  int atoms = extent_of_pdb(stream, low, high);
  bool failed = ferror(stream) != 0;
  fclose(stream);
  if (failed) return cli_fill_error(opt_error, BT_ERR_IO, place->path, "check the disk", "cannot read the file");
  if (atoms > 0) return BT_OK;
  return cli_fill_error(opt_error, BT_ERR_INPUT, place->path, "give a file with atoms", "no atoms");
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

static bt_status extent_of_pdbqt(const cli_place *place, const char *opt_residue, double low[3], double high[3],
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

static bool is_raw(const char *path) { return cli_ligand_ending(path) > 0 && !cli_path_ends(path, ".pdbqt"); }

/* The coordinates alone matter, so nothing is done about chemistry. Files of other names are taken for PDBQT. */
static bt_prepare_options options_for(const char *opt_template) {
  bt_prepare_options options = bt_prepare_options_default();
  options.format = BT_LIGAND_PDBQT;
  options.rigid_macrocycles = true;
  options.opt_template = opt_template;
  return options;
}

static bt_status open_ligands(const char *path, const char *opt_template, bt_ligand_reader **ret_reader,
                              bt_error *opt_error) {
  if (cli_path_ends(path, ".smi") || cli_path_ends(path, ".smiles") || cli_path_ends(path, ".ism"))
    return cli_fill_error(opt_error, BT_ERR_USAGE, path, "give a file with coordinates, such as SDF",
                          "a SMILES is in no place");
  bt_prepare_options options = options_for(opt_template);
  return bt_ligand_reader_open(path, &options, ret_reader, opt_error);
}

static bt_status extent_of_raw(const cli_place *place, double low[3], double high[3], bt_error *opt_error) {
  bt_ligand_reader *reader;
  bt_status status = open_ligands(place->path, NULL, &reader, opt_error);
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

bt_status cli_place_extent(const cli_place *place, int model, double ret_low[3], double ret_high[3],
                           bt_error *opt_error) {
  for (int k = 0; k < 3; k++) {
    ret_low[k] = INFINITY;
    ret_high[k] = -INFINITY;
  }
  if (place->opt_residue == NULL) {
    if (cli_is_structure(place->path)) return extent_of_structure(place, NULL, model, ret_low, ret_high, opt_error);
    if (is_raw(place->path)) return extent_of_raw(place, ret_low, ret_high, opt_error);
    return extent_of_pdbqt(place, NULL, ret_low, ret_high, opt_error);
  }
  BT_SCOPED char *words = strdup(place->opt_residue); /* several residues: one box around all */
  if (words == NULL) return bt_fail_memory(opt_error);
  char *rest = words;
  for (char *word; (word = strsep(&rest, ",")) != NULL;)
    BT_TRY(cli_is_structure(place->path) ? extent_of_structure(place, word, model, ret_low, ret_high, opt_error)
                                         : extent_of_pdbqt(place, word, ret_low, ret_high, opt_error));
  return BT_OK;
}

bt_status cli_place_find(const char *word, const char *opt_structure, int model, double ret_low[3], double ret_high[3],
                         bt_error *opt_error) {
  cli_place place;
  bt_status status = cli_place_parse(word, opt_structure, &place, opt_error);
  if (status == BT_OK) status = cli_place_extent(&place, model > 0 ? model : 1, ret_low, ret_high, opt_error);
  cli_place_free(&place);
  return status;
}

/* --- molecules ----------------------------------------------------------------------------------------- */

static bt_status open_residue(const cli_place *place, int model, const char *opt_template,
                              bt_ligand_reader **ret_reader, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  BT_TRY(bt_receptor_ligand_pdb(place->path, model, place->opt_residue, &text, opt_error));
  bt_prepare_options options = options_for(opt_template);
  options.format = BT_LIGAND_PDB;
  return bt_ligand_reader_open_text(text, strlen(text), place->path, &options, ret_reader, opt_error);
}

bt_status cli_place_molecule(const cli_place *place, int model, const char *opt_template, bt_molecule **ret_molecule,
                             bt_error *opt_error) {
  bt_ligand_reader *reader;
  bool residue = cli_is_structure(place->path) && place->opt_residue != NULL;
  bt_status status =
      residue ? open_residue(place, model, opt_template, &reader, opt_error)
              : open_ligands(place->path, cli_is_structure(place->path) ? opt_template : NULL, &reader, opt_error);
  if (status != BT_OK) return status;
  status = bt_ligand_reader_next(reader, ret_molecule, opt_error); /* several are fine: the first is taken */
  bt_ligand_reader_close(reader);
  return status;
}
