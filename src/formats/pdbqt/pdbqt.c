/* pdbqt.c - PDBQT files: models, lines and records. */
#include "formats/pdbqt/pdbqt.h"

#include <berth/berth.h>
#include <berth/vina.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/files/unpack.h"
#include "base/memory.h"
#include "formats/pdbqt/internal.h"

/* Records that docking ignores. */
static const char *const ignored_records[] = {
    "REMARK", "WARNING", "USER",   "TER",    "END",    "CONECT", "CONSTRAINT", "MASTER", "HEADER", "TITLE",
    "COMPND", "SOURCE",  "KEYWDS", "EXPDTA", "AUTHOR", "REVDAT", "JRNL",       "SEQRES", "HET",    "HETNAM",
    "HETSYN", "FORMUL",  "HELIX",  "SHEET",  "TURN",   "SSBOND", "LINK",       "CISPEP", "SITE",   "CRYST1",
    "ANISOU", "NUMMDL",  "MDLTYP", "DBREF",  "SEQADV", "MODRES", "SCALE1",     "SCALE2", "SCALE3", "ORIGX1",
    "ORIGX2", "ORIGX3",  "MTRIX1", "MTRIX2", "MTRIX3", "CAVEAT", "OBSLTE",     "SPRSDE", "NEWDPF"};

static bool is_ignored(bt_span word) {
  for (size_t i = 0; i < sizeof ignored_records / sizeof *ignored_records; i++)
    if (bt_span_equals(word, ignored_records[i])) return true;
  return bt_span_starts(word, "REMARK") || word.text[0] == '#';
}

static void keep_line(bt_pdbqt_parser *parser, bt_span line) {
  bt_molecule *molecule = parser->molecule;
  if (molecule->n_lines++ == 0) molecule->first_line = (int)parser->line;
  bt_text_add(&parser->text, line.text, line.size);
  bt_text_add_char(&parser->text, '\n');
}

/* Only the residues of a pose open with BEGIN_RES. */
static void keep_behind(bt_pdbqt_parser *parser, bt_span line) {
  if (parser->behind.size == 0 && !bt_span_starts(bt_span_trim(line), "BEGIN_RES")) return;
  bt_text_add(&parser->behind, line.text, line.size);
  bt_text_add_char(&parser->behind, '\n');
}

/* "REMARK COVALENT A:CYS145": what the ligand is bonded to. */
static void parse_covalent(bt_pdbqt_parser *parser, bt_span rest) {
  bt_molecule *molecule = parser->molecule;
  if (molecule->kind != BT_MOLECULE_LIGAND || !bt_span_equals(bt_span_word(&rest), "COVALENT")) return;
  bt_span residue = bt_span_word(&rest);
  bt_span_copy(residue, molecule->tether, sizeof molecule->tether);
}

static bt_status parse_torsdof(bt_pdbqt_parser *parser, bt_span arguments) {
  bt_molecule *molecule = parser->molecule;
  if (molecule->kind != BT_MOLECULE_LIGAND)
    FAIL(parser, "remove the line: TORSDOF belongs to a ligand", "TORSDOF in a file that is not a ligand");
  if (molecule->torsdof >= 0) FAIL(parser, "put each molecule into a file or MODEL of its own", "second TORSDOF");
  if (!bt_parse_int(bt_span_word(&arguments), &molecule->torsdof) || molecule->torsdof < 0) {
    molecule->torsdof = -1;
    FAIL(parser, "write the number of rotatable bonds", "TORSDOF needs a non-negative number");
  }
  return BT_OK;
}

static bt_status parse_record(bt_pdbqt_parser *parser, bt_span line) {
  if (bt_span_starts(line, "ATOM") || bt_span_starts(line, "HETATM")) return bt_pdbqt_add_atom(parser, line);
  bt_span rest = line, word = bt_span_word(&rest);
  if (bt_span_equals(word, "REMARK")) parse_covalent(parser, rest);
  if (word.size == 0 || is_ignored(word)) return BT_OK;
  if (bt_span_equals(word, "ROOT")) return bt_pdbqt_open_root(parser);
  if (bt_span_equals(word, "ENDROOT")) return bt_pdbqt_close_root(parser);
  if (bt_span_equals(word, "BRANCH") || bt_span_equals(word, "TORS")) return bt_pdbqt_open_branch(parser, rest);
  if (bt_span_equals(word, "ENDBRANCH") || bt_span_equals(word, "ENDTORS")) return bt_pdbqt_close_branch(parser, rest);
  if (bt_span_equals(word, "TORSDOF")) return parse_torsdof(parser, rest);
  if (bt_span_equals(word, "BEGIN_RES")) return bt_pdbqt_open_residue(parser, rest);
  if (bt_span_equals(word, "END_RES")) return bt_pdbqt_close_residue(parser, rest);
  if (parser->molecule->kind == BT_MOLECULE_RECEPTOR) return BT_OK; /* as AutoGrid: only atoms count */
  int shown = word.size < 20 ? (int)word.size : 20;
  FAIL(parser, "use a PDBQT file, or remove the line", "'%.*s' is not a record of PDBQT", shown, word.text);
}

static bt_status finish_molecule(bt_pdbqt_parser *parser) {
  bt_molecule *molecule = parser->molecule;
  bt_where where = {.file = parser->label};
  switch (molecule->kind) {
    case BT_MOLECULE_LIGAND:
      if (molecule->n_atoms > 0 || parser->root >= 0) BT_TRY(bt_pdbqt_finish_tree(parser));
      break;
    case BT_MOLECULE_FLEXIBLE:
      if (parser->in_residue)
        FAIL(parser, "the file seems to be truncated: copy or prepare it again", "the file ends before END_RES");
      if (molecule->n_residues == 0)
        return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "put BEGIN_RES and END_RES around each residue",
                       "no flexible residue (BEGIN_RES)");
      break;
    case BT_MOLECULE_RECEPTOR: break;
  }
  if (molecule->n_atoms == 0)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "use a PDBQT file with ATOM records", "no atoms");
  if (parser->behind.size > 0) BT_TRY(bt_text_take(&parser->behind, &molecule->opt_behind, parser->opt_error));
  return bt_molecule_set_lines(molecule, &parser->text, parser->opt_error);
}

/* Does this ROOT begin another ligand of a pose? They are docked together, one complete tree after the other. */
static bool begins_next(const bt_pdbqt_parser *parser, bt_span word, bool in_model) {
  const bt_molecule *molecule = parser->molecule;
  return in_model && molecule->kind == BT_MOLECULE_LIGAND && bt_span_equals(word, "ROOT") && !parser->finished &&
         parser->root >= 0 && !parser->in_root && molecule->fragments[parser->open].parent < 0;
}

/* Reads lines up to the end, to ENDMDL (if in_model), or to the next ligand of the same MODEL. */
static bt_status parse_molecule(bt_pdbqt_parser *parser, bt_lines *lines, bool in_model, bool *ret_more) {
  bt_span line;
  long model_line = lines->number;
  *ret_more = false;
  for (bt_lines before = *lines; bt_lines_next(lines, &line); before = *lines) {
    parser->line = lines->number;
    bt_span rest = line, word = bt_span_word(&rest);
    if (begins_next(parser, word, in_model)) {
      *lines = before;
      *ret_more = true;
      return finish_molecule(parser);
    }
    if (bt_span_equals(word, "ENDMDL")) {
      if (in_model) return finish_molecule(parser);
      continue;
    }
    if (bt_span_equals(word, "MODEL"))
      FAIL(parser, "close each MODEL with ENDMDL", "MODEL before the ENDMDL of the model above");
    if (parser->finished) {
      keep_behind(parser, line);
      continue;
    }
    size_t size = parser->text.size;
    keep_line(parser, line);
    BT_TRY(parse_record(parser, line));
    if (!parser->finished) continue;
    parser->text.size = size; /* not the line that showed where the ligand ended */
    if (bt_span_equals(word, "BEGIN_RES")) keep_behind(parser, line);
  }
  if (in_model) {
    parser->line = model_line;
    FAIL(parser, "the file seems to be truncated: copy or prepare it again", "MODEL is not closed by ENDMDL");
  }
  return finish_molecule(parser);
}

static bt_status read_part(const char *path, bt_molecule_kind kind, int model, bt_lines *lines, bool in_model,
                           bool *ret_more, bt_molecule **ret_molecule, bt_error *opt_error) {
  bt_molecule *molecule;
  BT_TRY(bt_molecule_create(kind, path, NULL, &molecule, opt_error));
  molecule->model = model;
  bt_pdbqt_parser parser = {
      .molecule = molecule, .label = bt_file_label(path), .open = -1, .root = -1, .opt_error = opt_error};
  bt_status status = parse_molecule(&parser, lines, in_model, ret_more);
  free(parser.serials);
  bt_text_destroy(&parser.text);
  bt_text_destroy(&parser.behind);
  return BT_HAND_OVER(status, molecule, ret_molecule, bt_molecule_destroy);
}

/* The ligands of one MODEL as one molecule, with the name and place of the first. */
static bt_status join_parts(const bt_molecules *parts, bt_molecule **ret_molecule, bt_error *opt_error) {
  bt_molecule *joined, *first = parts->items[0], *last = parts->items[parts->count - 1];
  BT_TRY(bt_molecules_join((const bt_molecule *const *)parts->items, (int)parts->count, &joined, opt_error));
  free(joined->path);
  free(joined->name);
  joined->path = bt_copy_text(first->path, strlen(first->path));
  joined->name = bt_copy_text(first->name, strlen(first->name));
  joined->model = first->model;
  joined->first_line = first->first_line;
  joined->opt_behind = last->opt_behind;
  last->opt_behind = NULL;
  bt_status status = joined->path != NULL && joined->name != NULL ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, joined, ret_molecule, bt_molecule_destroy);
}

static bt_status read_molecule(const char *path, bt_molecule_kind kind, int model, bt_lines *lines, bool in_model,
                               bt_molecule **ret_molecule, bt_error *opt_error) {
  BT_ENDED_BY(bt_molecules_destroy) bt_molecules parts = {0};
  bool more = true;
  while (more) {
    bt_molecule *part;
    BT_TRY(read_part(path, kind, model, lines, in_model, &more, &part, opt_error));
    BT_TRY(bt_molecules_add(&parts, part, opt_error));
  }
  if (parts.count > 1) return join_parts(&parts, ret_molecule, opt_error);
  *ret_molecule = parts.items[0];
  parts.count = 0;
  return BT_OK;
}

/* Finds the next MODEL record and its number; no atoms may occur between models. */
static bt_status next_model(bt_lines *lines, const char *label, int previous, bool *ret_found, int *ret_model,
                            bt_error *opt_error) {
  bt_span line;
  *ret_found = false;
  while (bt_lines_next(lines, &line)) {
    bt_span rest = line, word = bt_span_word(&rest);
    if (bt_span_equals(word, "MODEL")) {
      *ret_found = true;
      if (!bt_parse_int(bt_span_word(&rest), ret_model)) *ret_model = previous + 1;
      return BT_OK;
    }
    if (bt_span_starts(line, "ATOM") || bt_span_starts(line, "HETATM") || bt_span_equals(word, "ROOT"))
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label, .line = lines->number},
                     "put MODEL and ENDMDL around each molecule", "a molecule outside of MODEL and ENDMDL");
  }
  return BT_OK;
}

static bool has_models(const char *data, size_t size) {
  bt_lines lines = bt_lines_of(data, size);
  bt_span line;
  while (bt_lines_next(&lines, &line))
    if (bt_span_equals(bt_span_word(&line), "MODEL")) return true;
  return false;
}

static bt_status read_list(const char *path, bt_lines lines, bool models, bt_molecule_kind kind, bt_molecules *list,
                           bt_error *opt_error) {
  int model = models ? 0 : 1;
  do {
    bool found;
    if (models) BT_TRY(next_model(&lines, bt_file_label(path), model, &found, &model, opt_error));
    if (models && !found) return BT_OK;
    bt_molecule *molecule;
    BT_TRY(read_molecule(path, kind, model, &lines, models, &molecule, opt_error));
    BT_TRY(bt_molecules_add(list, molecule, opt_error));
  } while (models);
  return BT_OK;
}

static bt_status check_text(const char *path, const char *data, size_t size, bt_error *opt_error) {
  bt_where where = {.file = bt_file_label(path)};
  if (bt_is_packed(data, size))
    return bt_fail(opt_error, BT_ERR_INPUT, where, "decompress it first (gunzip, bunzip2, unzstd)",
                   "the file is compressed");
  BT_TRY(bt_text_check(where.file, data, size, "use a PDBQT file", opt_error));
  if (size > INT_MAX) /* so that every count fits an int */
    return bt_fail(opt_error, BT_ERR_LIMIT, where, "split the file", "the file has more than 2 GiB");
  return BT_OK;
}

bt_status bt_molecule_from_memory(const char *path, const char *data, size_t size, bt_molecule_kind kind,
                                  bt_molecule ***ret_list, int *ret_count, bt_error *opt_error) {
  BT_TRY(check_text(path, data, size, opt_error));
  if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) { /* byte order mark */
    data += 3;
    size -= 3;
  }
  bt_molecules list = {0};
  bt_status status = read_list(path, bt_lines_of(data, size), has_models(data, size), kind, &list, opt_error);
  if (status != BT_OK) {
    bt_molecules_destroy(&list);
    return status;
  }
  *ret_list = list.items;
  *ret_count = (int)list.count;
  return BT_OK;
}

bt_status bt_molecule_read(const char *path, bt_molecule_kind kind, bt_molecule ***ret_list, int *ret_count,
                           bt_error *opt_error) {
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &data, &size, opt_error));
  return bt_molecule_from_memory(path, data, size, kind, ret_list, ret_count, opt_error);
}
