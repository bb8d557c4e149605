/* ligands.c - the ligands of a program: read one by one from all its files, each with a unique name. */
#include "input/ligands.h"

#include <berth/berth.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/report.h"

enum { LONGEST_NAME = 200 }; /* a file name has at most 255 bytes, including its extension */

/* --- names --------------------------------------------------------------------------------------------- */

typedef struct known_name {
  char *text;
  int copies; /* number of ligands with this name */
} known_name;

static int by_text(const void *a, const void *b) {
  return strcmp(((const known_name *)a)->text, ((const known_name *)b)->text);
}

/* The node of a name, created if it is new; NULL when memory is exhausted. */
static known_name *note_name(cli_ligands *ligands, const char *text) {
  known_name key = {.text = (char *)(size_t)text};
  known_name **found = tfind(&key, &ligands->names, by_text);
  if (found != NULL) return *found;
  known_name *made = calloc(1, sizeof *made);
  char *copy = strdup(text);
  if (made != NULL && copy != NULL) {
    made->text = copy;
    if (tsearch(made, &ligands->names, by_text) != NULL) return made;
  }
  free(copy);
  free(made);
  return NULL;
}

/* base, base-2, base-3, ...: the first that no other ligand has. */
static const char *unique_name(cli_ligands *ligands, const char *base) {
  known_name *first = note_name(ligands, base);
  if (first == NULL) return NULL;
  if (first->copies++ == 0) return first->text;
  char *text = malloc(strlen(base) + 16);
  known_name *node = NULL;
  for (bool again = text != NULL; again; again = node != NULL && node->copies > 1) {
    sprintf(text, "%s-%d", base, first->copies++);
    node = note_name(ligands, text);
    if (node != NULL) node->copies++;
  }
  first->copies--;
  free(text);
  return node != NULL ? node->text : NULL;
}

bool cli_ligands_reserve(cli_ligands *ligands, const char *name) { return unique_name(ligands, name) != NULL; }

static void forget_names(cli_ligands *ligands) {
  while (ligands->names != NULL) {
    known_name *node = *(known_name **)ligands->names;
    tdelete(node, &ligands->names, by_text);
    free(node->text);
    free(node);
  }
}

/* A title may contain characters that a file name must not, and log parsers cut names at the first dot. */
static void make_file_name(char *name) {
  if (strlen(name) > LONGEST_NAME) name[LONGEST_NAME] = '\0';
  for (char *c = name; *c != '\0'; c++)
    if (strchr(" ./\\:*?\"<>|", *c) != NULL || (unsigned char)*c < ' ' || *c == 127) *c = '_';
  if (name[0] == '-') name[0] = '_';
}

/* Names a ligand by its record or file; model -1: the file as a whole. */
static bt_status name_ligand(cli_ligands *ligands, cli_ligand *ligand, const char *opt_title, bool several,
                             bt_error *opt_error) {
  const char *path = ligands->file < 0 ? ligands->opt_extract->name : ligands->paths->items[ligands->file];
  const char *stem = opt_title != NULL && opt_title[0] != '\0' ? opt_title : bt_path_base(path);
  if (stem[0] == '\0' || strcmp(stem, "-") == 0) stem = "stdin";
  char *base = malloc(strlen(stem) + 16);
  if (base == NULL) return bt_fail_memory(opt_error);
  strcpy(base, stem);
  if (opt_title == NULL) base[strlen(base) - bt_ligand_file_ending(base)] = '\0';
  if (several) sprintf(base + strlen(base), "_%d", ligand->model + 1);
  cli_one_line(base);
  if ((ligands->reader != NULL && ligands->raw) || ligands->file < 0) make_file_name(base);
  ligand->name = unique_name(ligands, base);
  free(base);
  return ligand->name != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* --- one file ------------------------------------------------------------------------------------------ */

static bt_status refuse_template(const char *path, const char *what, bt_error *error) {
  return cli_fill_error(error, BT_ERR_USAGE, path, "remove --template",
                        "--template is for ligands in PDB, SDF and MOL2 files; the bonds of %s are known", what);
}

static bool is_structure(const cli_extract *extract) {
  return bt_format_is(bt_format_find(extract->format), BT_FORMAT_STRUCTURE);
}

/* Refuses a template that this file cannot use, and ignores one that is meant for another molecule. */
static bt_status check_template(const cli_ligands *ligands, const char *path, bt_prepare_options *options,
                                bt_error *error) {
  bool piped = strcmp(path, "-") == 0;
  const bt_format *format = piped ? bt_format_find(options->opt_format) : bt_format_of(path);
  bool smiles = bt_format_is(format, BT_FORMAT_FLAT), pdbqt = bt_format_is(format, BT_FORMAT_PREPARED);
  bool of_pdb = bt_format_is(format, BT_FORMAT_STRUCTURE);
  bool others = ligands->template_elsewhere || (ligands->opt_extract != NULL && is_structure(ligands->opt_extract));
  if (options->opt_template == NULL || (!others && !smiles && !pdbqt)) return BT_OK;
  if (!others) return refuse_template(path, smiles ? "SMILES" : "a PDBQT file", error);
  if (!of_pdb) options->opt_template = NULL; /* these formats have bond orders */
  return BT_OK;
}

static bool is_raw(const cli_ligands *ligands, const char *path) {
  bool piped = strcmp(path, "-") == 0;
  const bt_format *format = piped ? bt_format_find(ligands->prepare->opt_format) : bt_format_of(path);
  return bt_format_is(format, BT_FORMAT_LIGANDS | BT_FORMAT_LIBRARY | BT_FORMAT_ARCHIVE) &&
         !bt_format_is(format, BT_FORMAT_PREPARED);
}

static bt_status open_file(cli_ligands *ligands, bt_error *error) {
  bt_prepare_options options = *ligands->prepare;
  ligands->raw = true;
  if (ligands->file < 0) {
    const cli_extract *extract = ligands->opt_extract;
    options.opt_format = extract->format;
    if (!is_structure(extract) && options.opt_template != NULL && !ligands->template_elsewhere)
      return refuse_template(extract->name, "SMILES", error);
    if (!is_structure(extract)) options.opt_template = NULL;
    return bt_ligand_reader_open_text(extract->text, strlen(extract->text), extract->name, &options, &ligands->reader,
                                      error);
  }
  const char *path = ligands->paths->items[ligands->file];
  ligands->raw = is_raw(ligands, path);
  BT_TRY(check_template(ligands, path, &options, error));
  if (strcmp(path, "-") != 0) options.opt_format = bt_format_word(0); /* files with other extensions are read as PDBQT */
  return bt_ligand_reader_open(path, &options, &ligands->reader, error);
}

static void close_file(cli_ligands *ligands) {
  if (ligands->reader != NULL) ligands->before += bt_ligand_reader_count(ligands->reader);
  if (ligands->reader != NULL) ligands->n_empty += bt_ligand_reader_empty(ligands->reader);
  bt_ligand_reader_close(ligands->reader);
  ligands->reader = NULL;
  ligands->at = 0;
  ligands->open = false;
  ligands->taken = 0;
}

/* The next ligand of the open file; *ret_found is false after the last one. */
static bt_status take(cli_ligands *ligands, cli_ligand *ligand, bool *ret_found, bt_error *opt_error) {
  *ligand = (cli_ligand){.file = ligands->file, .model = (int)ligands->taken, .raw = ligands->raw};
  if (ligands->reader == NULL) return *ret_found = false, BT_OK; /* the file could not be opened */
  bt_status status = bt_ligand_reader_next(ligands->reader, &ligand->molecule, &ligand->error);
  if (status == BT_ERR_MEMORY) {
    if (opt_error != NULL) *opt_error = ligand->error;
    return status;
  }
  *ret_found = status != BT_OK || ligand->molecule != NULL;
  if (!*ret_found) return BT_OK;
  ligands->taken++;
  ligand->record = bt_ligand_reader_record(ligands->reader);
  if (ligands->file < 0 && is_structure(ligands->opt_extract))
    return name_ligand(ligands, ligand, ligands->opt_extract->name, false, opt_error);
  const bool alone = bt_ligand_reader_alone(ligands->reader);
  const char *title = status == BT_OK       ? bt_molecule_name(ligand->molecule)
                    : alone && !ligand->raw ? NULL
                                            : bt_ligand_reader_name(ligands->reader);
  return name_ligand(ligands, ligand, title, status == BT_OK && !ligand->raw && !alone, opt_error);
}

static bool keep(cli_ligands *ligands, cli_ligand *ligand) {
  if (!BT_GROW(ligands->kept, &ligands->kept_capacity, ligands->n_kept + 1)) return false;
  ligand->kept = true;
  ligands->kept[ligands->n_kept++] = *ligand;
  return true;
}

/* --- all files ----------------------------------------------------------------------------------------- */

cli_ligands cli_ligands_start(const bt_text_list *paths, const bt_prepare_options *prepare) {
  return (cli_ligands){.paths = paths, .prepare = prepare, .file = -2};
}

const char *cli_ligands_path(const cli_ligands *ligands, const cli_ligand *ligand) {
  return ligand->file < 0 ? NULL : ligands->paths->items[ligand->file];
}

/* Opens the next file. A failure is reported as a ligand. */
static bt_status begin_file(cli_ligands *ligands, cli_ligand *ligand, bool *ret_failed, bt_error *opt_error) {
  *ret_failed = false;
  ligands->file++;
  if (ligands->file == -1 && ligands->opt_extract == NULL) ligands->file = 0;
  if (ligands->file >= ligands->paths->count) return BT_OK;
  ligands->replay = ligands->stdin_read && ligands->file >= 0 && strcmp(ligands->paths->items[ligands->file], "-") == 0;
  ligands->at = 0;
  ligands->open = true;
  if (ligands->replay) return BT_OK;
  *ligand = (cli_ligand){.file = ligands->file};
  bt_status status = open_file(ligands, &ligand->error);
  if (status == BT_OK && ligands->last > 0) {
    int64_t first = ligands->first - ligands->before;
    bt_ligand_reader_select(ligands->reader, first, ligands->last - ligands->before);
    if (first > 1) ligands->taken = (long)first - 1; /* a MODEL keeps its number */
  }
  if (status == BT_OK) return BT_OK;
  ligands->reader = NULL;
  if (status == BT_ERR_MEMORY) {
    if (opt_error != NULL) *opt_error = ligand->error;
    return status;
  }
  *ret_failed = true;
  return name_ligand(ligands, ligand, NULL, false, opt_error);
}

bt_status cli_ligands_next(cli_ligands *ligands, cli_ligand *ret_ligand, bool *ret_found, bt_error *opt_error) {
  for (;;) {
    bool failed = false;
    bt_status status = BT_OK;
    *ret_found = true;
    if (!ligands->open) {
      status = begin_file(ligands, ret_ligand, &failed, opt_error);
      if (status == BT_OK && ligands->file >= ligands->paths->count) return *ret_found = false, BT_OK;
    }
    if (status == BT_OK && !failed && ligands->replay) {
      if ((*ret_found = ligands->at < ligands->n_kept)) {
        *ret_ligand = ligands->kept[ligands->at++];
        known_name *name = note_name(ligands, ret_ligand->name);
        if (name != NULL) name->copies++;
        return BT_OK;
      }
    } else if (status == BT_OK && !failed) {
      status = take(ligands, ret_ligand, ret_found, opt_error);
    }
    if (status != BT_OK) return status;
    if (*ret_found) {
      bool is_stdin = ret_ligand->file >= 0 && strcmp(ligands->paths->items[ret_ligand->file], "-") == 0;
      if (ligands->twice && is_stdin && !keep(ligands, ret_ligand)) return bt_fail_memory(opt_error);
      return BT_OK;
    }
    if (ligands->file >= 0 && strcmp(ligands->paths->items[ligands->file], "-") == 0) ligands->stdin_read = true;
    close_file(ligands);
  }
}

void cli_ligand_clear(cli_ligand *ligand) {
  if (!ligand->kept) bt_molecule_destroy(ligand->molecule);
  ligand->molecule = NULL;
}

static void forget_copies(const void *node, VISIT visit, int depth) {
  (void)depth;
  if (visit == preorder || visit == leaf) (*(known_name *const *)node)->copies = 0;
}

void cli_ligands_rewind(cli_ligands *ligands) {
  close_file(ligands);
  twalk(ligands->names, forget_copies);
  ligands->file = -2;
}

void cli_ligands_free(cli_ligands *ligands) {
  close_file(ligands);
  for (int i = 0; i < ligands->n_kept; i++) bt_molecule_destroy(ligands->kept[i].molecule);
  free(ligands->kept);
  forget_names(ligands);
  *ligands = (cli_ligands){.paths = ligands->paths, .file = -2};
}
