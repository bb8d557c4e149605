/* library.c - reads the ligands of a screen one by one from all sources. */
#include "library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "formats/properties.h"
#include "library/library_internal.h"

/* ------------------------------------------------------------------------------------------ opening, closing -- */

static void close_file(bt_library *library) {
  bt_records_close(&library->records);
  library->records = (bt_records){0};
  free(library->path);
  library->path = NULL;
  library->failure = (bt_error){0};
  library->n_records = 0;
  library->spoiled = false;
}

static void close_source(bt_library *library) {
  close_file(library);
  bt_archive_close(library->archive);
  bt_btl_block_release(library->block);
  bt_btl_close(library->btl);
  library->archive = NULL;
  library->block = NULL;
  library->btl = NULL;
  library->in_btl = library->block_first = library->block_end = 0;
  library->n_members = 0;
}

void bt_library_close(bt_library *opt_library) {
  if (opt_library == NULL) return;
  close_source(opt_library);
  for (size_t i = 0; i < opt_library->n_preparers; i++) bt_preparer_destroy(opt_library->preparers[i]);
  free(opt_library->preparers);
  bt_shapes_destroy(opt_library->opt_shapes);
  pthread_mutex_destroy(&opt_library->lock);
  pthread_rwlock_destroy(&opt_library->one_by_one);
  bt_sources_destroy(&opt_library->sources);
  free(opt_library->counts);
  free(opt_library->template_smiles);
  free(opt_library->name_field);
  free(opt_library->smiles_field);
  free(opt_library->filter);
  free(opt_library->keep_fields);
  free(opt_library);
}

static bt_status copy_option(const char *opt_text, char **ret_copy, const char **ret_option, bt_error *opt_error) {
  if (opt_text == NULL) return BT_OK;
  *ret_option = *ret_copy = bt_copy_text(opt_text, strlen(opt_text));
  return *ret_copy != NULL ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status copy_options(bt_library *library, const bt_prepare_options *options, bt_error *opt_error) {
  bt_prepare_options *own = &library->options;
  *own = *options;
  own->opt_format = NULL;
  BT_TRY(copy_option(options->opt_template, &library->template_smiles, &own->opt_template, opt_error));
  BT_TRY(copy_option(options->opt_name_field, &library->name_field, &own->opt_name_field, opt_error));
  BT_TRY(copy_option(options->opt_smiles_field, &library->smiles_field, &own->opt_smiles_field, opt_error));
  BT_TRY(copy_option(options->opt_filter, &library->filter, &own->opt_filter, opt_error));
  BT_TRY(copy_option(options->opt_keep_fields, &library->keep_fields, &own->opt_keep_fields, opt_error));
  BT_TRY(bt_prepare_check(options, opt_error));
  if (options->coordinates != BT_COORDINATES_BUILT || *bt_rdkit_version() == '\0') return BT_OK;
  char version[64];
  snprintf(version, sizeof version, "%s %d", bt_rdkit_version(), BT_SHAPES_VERSION);
  return bt_shapes_create(bt_rdkit_make_shape, version, &library->opt_shapes, opt_error);
}

static bt_status start(bt_library *library, const char *const *paths, int n_paths, const bt_prepare_options *options,
                       bt_error *opt_error) {
  if (n_paths < 1)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use files, a folder, or - for standard input",
                   "no ligands");
  BT_TRY(copy_options(library, options, opt_error));
  const bt_format *stdin_format = bt_format_find(options->opt_format);
  for (int i = 0; i < n_paths; i++) BT_TRY(bt_sources_add(&library->sources, paths[i], stdin_format, opt_error));
  return bt_library_survey(library, opt_error);
}

static bt_library *create(void) {
  bt_library *library = bt_allocate(1, sizeof *library);
  if (library != NULL) {
    pthread_mutex_init(&library->lock, NULL);
    pthread_rwlock_init(&library->one_by_one, NULL);
  }
  return library;
}

bt_status bt_library_open_all(const char *const *paths, int n_paths, const bt_prepare_options *options,
                              const char *opt_output, bt_library **ret_library, bt_error *opt_error) {
  bt_library *library = create();
  if (library == NULL) return bt_fail_memory(opt_error);
  library->sources.opt_excluded = opt_output;
  bt_status status = start(library, paths, n_paths, options, opt_error);
  return BT_HAND_OVER(status, library, ret_library, bt_library_close);
}

bt_status bt_library_open(const char *const *paths, int n_paths, const bt_prepare_options *options,
                          bt_library **ret_library, bt_error *opt_error) {
  if (options->conformers > 1)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0},
                   "first make a library of all conformers with berth prep library", "%d conformers of each record",
                   options->conformers);
  if (options->opt_filter != NULL) BT_TRY(bt_filter_check_words(options->opt_filter, false, opt_error));
  return bt_library_open_all(paths, n_paths, options, NULL, ret_library, opt_error);
}

bt_status bt_library_check_formats(const bt_library *library, bool mol2_alone, bt_error *opt_error) {
  for (size_t i = 0; i < library->sources.count; i++) {
    const bt_source *s = &library->sources.items[i];
    bool raw = s->opt_format != NULL && s->opt_format->read != NULL;
    if (raw && !(mol2_alone && s->opt_format == &bt_format_mol2))
      BT_TRY(bt_ligand_check_rdkit(bt_file_label(s->path), opt_error));
  }
  return BT_OK;
}

int64_t bt_library_count(const bt_library *library) { return library->count; }
const char *bt_library_fingerprint(const bt_library *library) { return library->fingerprint; }

/* ---------------------------------------------------------------------------------------------------- items -- */

static void one_line(char *text) {
  for (; *text != '\0'; text++)
    if ((unsigned char)*text < ' ' || *text == 127) *text = ' ';
}

/* path: as in bt_library_item.source; what: "record"; number 0: the file as a whole. */
static bt_status begin_item(bt_library *library, bt_library_item *item, const char *path, const char *what,
                            int64_t number, bt_error *opt_error) {
  bt_text source = {0};
  bt_text_add_string(&source, strcmp(path, "-") == 0 ? "stdin" : path);
  if (number > 0) bt_text_printf(&source, ":%s %lld", what, (long long)number);
  *item = (bt_library_item){.ordinal = library->next++};
  return bt_text_take(&source, &item->source, opt_error);
}

static bt_status set_name(bt_library_item *item, const char *name, size_t size, bt_error *opt_error) {
  item->name = bt_copy_text(name, size);
  if (item->name == NULL) return bt_fail_memory(opt_error);
  one_line(item->name);
  return BT_OK;
}

static bt_status make_record(bt_library_item *item, const char *path, bt_error *opt_error) {
  item->record = bt_allocate(1, sizeof *item->record);
  if (item->record == NULL) return bt_fail_memory(opt_error);
  item->record->path = bt_copy_text(path, strlen(path));
  return item->record->path != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* --------------------------------------------------------------------------------------------------- texts -- */

static bt_status open_text(bt_library *library, const char *path, const bt_format *opt_format, bt_error *opt_error) {
  library->records.format = opt_format;
  library->records.opt_smiles_field = library->smiles_field;
  library->records.opt_name_field = library->name_field;
  library->records.opt_keep_fields = library->keep_fields;
  library->path = bt_copy_text(path, strlen(path));
  library->member = 0;
  return library->path != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* The item that reports why a file yields no (more) records. */
static bt_status reject_file(bt_library *library, const bt_error *reason, bt_library_item *item, bt_error *opt_error) {
  library->spoiled = true;
  if (reason->status == BT_ERR_MEMORY) return bt_fail_memory(opt_error);
  const char *base = bt_path_base(strcmp(library->path, "-") == 0 ? "stdin" : library->path + library->member);
  size_t size = strcspn(base, ".");
  BT_TRY(begin_item(library, item, library->path, "", 0, opt_error));
  item->error = *reason;
  item->alone = true;
  return set_name(item, base, size > 0 ? size : strlen(base), opt_error);
}

/* The first line of a data item of an SDF record; empty when the record has none of that name. */
static bt_span find_item(const bt_text *record, const char *name) {
  bt_lines lines = bt_lines_of(record->data, record->size);
  bt_span line, value = {0};
  while (bt_lines_next(&lines, &line)) {
    const char *open = line.size > 0 && line.text[0] == '>' ? memchr(line.text, '<', line.size) : NULL;
    if (open == NULL) continue;
    bt_span rest = {open + 1, line.size - (size_t)(open + 1 - line.text)};
    const char *close = memchr(rest.text, '>', rest.size);
    if (close == NULL || !bt_span_equals((bt_span){rest.text, (size_t)(close - rest.text)}, name)) continue;
    return bt_lines_next(&lines, &value) ? bt_span_trim(value) : (bt_span){0};
  }
  return value;
}

/* The name by --name-field, otherwise the title of the record. */
static bt_status name_record(const bt_library *library, const bt_records *records, bt_library_item *item,
                             bt_error *opt_error) {
  if (library->name_field != NULL && records->format == &bt_format_sdf) {
    bt_span value = find_item(&records->text, library->name_field);
    if (value.size > 0) return set_name(item, value.text, value.size, opt_error);
  }
  BT_SCOPED char *name = NULL;
  BT_TRY(bt_records_name(records, library->path + library->member, &name, opt_error));
  return set_name(item, name, strlen(name), opt_error);
}

/* Those of a table's row, or of an SDF record's data items. */
static bt_status take_properties(const bt_library *library, const bt_records *records, bt_library_item *item,
                                 bt_error *opt_error) {
  bt_text properties = {0};
  if (library->keep_fields == NULL) return BT_OK;
  if (records->format == &bt_format_sdf)
    bt_properties_of_sdf((bt_span){records->text.data, records->text.size}, library->keep_fields, library->name_field,
                         &properties);
  else if (records->properties.size > 0)
    bt_text_add(&properties, records->properties.data, records->properties.size);
  return bt_text_take(&properties, &item->properties, opt_error);
}

/* reason: what is wrong with the record. */
static bt_status take_record(bt_library *library, const bt_error *reason, bt_library_item *item, bt_error *opt_error) {
  bt_records *records = &library->records;
  BT_TRY(begin_item(library, item, library->path, "record", records->number, opt_error));
  item->error = *reason;
  item->number = records->number;
  item->alone = records->number == 1 && records->last;
  BT_TRY(name_record(library, records, item, opt_error));
  BT_TRY(take_properties(library, records, item, opt_error));
  BT_TRY(make_record(item, library->path, opt_error));
  item->record->text = records->text; /* takes ownership */
  records->text = (bt_text){0};
  item->record->is = (bt_record){.format = records->format,
                                 .path = item->record->path,
                                 .name = item->name,
                                 .text = item->record->text.data,
                                 .size = item->record->text.size,
                                 .line = records->line,
                                 .number = records->number};
  if (records->format == &bt_format_pdb || (library->named_by_file && library->archive == NULL))
    item->record->is.opt_template = library->options.opt_template; /* otherwise only for a single file */
  return BT_OK;
}

/* The next record of the current file; *ret_found is false after the last. */
static bt_status next_record(bt_library *library, bool light, bt_library_item *item, bool *ret_found,
                             bt_error *opt_error) {
  bt_records *records = &library->records;
  bt_error reason = library->failure;
  *ret_found = false;
  if (library->spoiled) return BT_OK;
  for (bool again = reason.status == BT_OK; again;) {
    bt_status status = bt_records_next(records, ret_found, &reason);
    bt_record_kind kind = BT_RECORD_LIGAND;
    if (status == BT_OK && *ret_found && records->format->cutter->kind != NULL)
      kind = records->format->cutter->kind(records);
    if (kind == BT_RECORD_HEADER) records->number--;
    if (kind == BT_RECORD_EMPTY) library->n_empty++;
    again = kind != BT_RECORD_LIGAND;
  }
  if (!*ret_found && reason.status == BT_OK) {
    if (library->n_records > 0) return BT_OK;
    bt_fail(&reason, BT_ERR_INPUT, (bt_where){.file = bt_file_label(library->path)}, "use a file with molecules",
            "no molecule in this file");
  }
  if (light && reason.status == BT_ERR_IO) { /* the number of records would be a guess */
    if (opt_error != NULL) *opt_error = reason;
    return reason.status;
  }
  bool whole = !*ret_found; /* the error concerns the whole file */
  *ret_found = true;
  library->n_records++;
  if (light) return library->spoiled = whole, library->next++, BT_OK;
  return whole ? reject_file(library, &reason, item, opt_error) : take_record(library, &reason, item, opt_error);
}

/* ------------------------------------------------------------------------------------------------ archives -- */

/* Its content is elsewhere: it counts as a ligand that could not be read. */
static bt_status refuse_member(const bt_library *library, const bt_archive_member *member, bt_error *opt_error) {
  const bt_where where = {.file = library->path};
  if (member->opt_link == NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "pack it as a regular file", "it is not a regular file");
  return bt_fail(opt_error, BT_ERR_INPUT, where,
                 "pack the archive with tar -h --hard-dereference, or use the folder itself",
                 "it is a link to %.200s, without content in the archive", member->opt_link);
}

/* The next ligand file in the archive; *ret_found is false after the last. */
static bt_status next_member(bt_library *library, bool *ret_found, bt_error *opt_error) {
  bt_archive_member member = {.name = NULL};
  const bt_format *format = NULL;
  BT_ENDED_BY(bt_text_destroy) bt_text path = {0};
  *ret_found = false;
  do BT_TRY(bt_archive_next(library->archive, &member, opt_error));
  while (member.name != NULL && (!bt_format_is(format = bt_format_of(member.name), BT_FORMAT_LIGANDS) ||
                                 bt_format_is(format, BT_FORMAT_TABLE) || bt_path_base(member.name)[0] == '.'));
  const char *name = member.name;
  if (name == NULL) return BT_OK;
  *ret_found = true;
  bt_text_printf(&path, "%s:%s", library->sources.items[library->source].path, name);
  BT_TRY(bt_text_status(&path, opt_error));
  BT_TRY(open_text(library, path.data, format, opt_error));
  library->member = path.size - strlen(name);
  if (member.opt_link != NULL || member.unreadable) return refuse_member(library, &member, opt_error);
  return bt_stream_open_source(bt_archive_read, library->archive, library->path, &library->records.stream, opt_error);
}

/* --------------------------------------------------------------------------------------------- .btl files -- */

static bt_status next_stored(bt_library *library, bool light, bt_library_item *item, bt_error *opt_error) {
  int64_t place = library->in_btl++;
  const char *path = library->sources.items[library->source].path;
  if (light) return library->next++, BT_OK;
  if (place < library->block_first || place >= library->block_end) {
    int index;
    bt_btl_block_release(library->block);
    library->block = NULL;
    library->block_error = (bt_error){0};
    bt_btl_range(library->btl, place, &library->block_first, &library->block_end);
    bt_status status = bt_btl_block_of(library->btl, place, &library->block, &index, &library->block_error);
    if (status == BT_ERR_MEMORY) return bt_fail_memory(opt_error);
  }
  BT_TRY(begin_item(library, item, path, "ligand", place + 1, opt_error));
  item->number = (long)place + 1;
  if (library->block == NULL) {
    item->error = library->block_error;
    return set_name(item, item->source, strlen(item->source), opt_error);
  }
  int index = (int)(place - library->block_first);
  const char *title = bt_btl_title(library->block, index);
  BT_TRY(set_name(item, title, strlen(title), opt_error));
  BT_TRY(make_record(item, path, opt_error));
  item->record->block = bt_btl_block_retain(library->block);
  item->record->index = index;
  const char *stored = bt_btl_properties(library->block, index);
  bt_text properties = {0};
  bt_properties_select(stored, library->keep_fields, &properties);
  return bt_text_take(&properties, &item->properties, opt_error);
}

/* -------------------------------------------------------------------------------------------- all sources -- */

bt_status bt_library_open_source(bt_library *library, bt_error *opt_error) {
  const bt_source *source = &library->sources.items[library->source];
  const bt_format *format = source->opt_format;
  if (bt_format_is(format, BT_FORMAT_LIBRARY)) return bt_btl_open(source->path, &library->btl, opt_error);
  if (bt_format_is(format, BT_FORMAT_ARCHIVE)) return bt_archive_open(source->path, &library->archive, opt_error);
  if (format == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = source->path},
                   bt_format_advise("name it", BT_SOURCES, 0).text, "the format cannot be determined from the name");
  if (strcmp(source->path, "-") == 0) library->stdin_taken = true;
  BT_TRY(open_text(library, source->path, format, opt_error));
  return bt_stream_open(source->path, &library->records.stream, opt_error);
}

static bt_status start_text(bt_library *library, const char *text, size_t size, const char *label,
                            const bt_prepare_options *options, bt_error *opt_error) {
  BT_TRY(copy_options(library, options, opt_error));
  const bt_format *format = bt_format_find(options->opt_format);
  if (format == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = label}, "state the format of the text",
                   "the format cannot be determined from a text");
  BT_TRY(bt_sources_append(&library->sources, label, format, opt_error));
  BT_TRY(open_text(library, label, format, opt_error));
  return bt_stream_open_text(text, size, label, &library->records.stream, opt_error);
}

bt_status bt_library_open_text(const char *text, size_t size, const char *label, const bt_prepare_options *options,
                               bt_library **ret_library, bt_error *opt_error) {
  bt_library *library = create();
  if (library == NULL) return bt_fail_memory(opt_error);
  bt_status status = start_text(library, text, size, label, options, opt_error);
  return BT_HAND_OVER(status, library, ret_library, bt_library_close);
}

/* Makes a failed file the current one; its only item reports the error. */
static bt_status note_failure(bt_library *library, const bt_error *reason, bt_error *opt_error) {
  if (library->path == NULL) BT_TRY(open_text(library, library->sources.items[library->source].path, NULL, opt_error));
  library->failure = *reason;
  if (reason->status == BT_ERR_IO && bt_file_is_unreadable(library->sources.items[library->source].path))
    library->failure.status = BT_ERR_INPUT;
  return BT_OK;
}

static void end_source(bt_library *library) {
  close_source(library);
  library->source++;
}

/* The next file of the archive, or the end of it. */
static bt_status go_on_in_archive(bt_library *library, bt_error *opt_error) {
  bool found = false;
  bt_error reason = {0};
  bt_status status = next_member(library, &found, &reason);
  if (status == BT_OK && !found && library->n_members == 0)
    status = bt_fail(&reason, BT_ERR_INPUT, (bt_where){.file = library->sources.items[library->source].path},
                     bt_format_advise("use an archive with", BT_FORMAT_LIGANDS, BT_FORMAT_TABLE).text,
                     "no ligand file in this archive");
  library->n_members += found;
  if (status == BT_OK && !found) return end_source(library), BT_OK;
  if (status == BT_OK) return BT_OK;
  if (library->path == NULL) { /* the archive itself */
    bt_archive_close(library->archive);
    library->archive = NULL;
  }
  return note_failure(library, &reason, opt_error);
}

/* The next item, or with light only its ordinal. */
static bt_status advance(bt_library *library, bool light, bt_library_item *item, bool *ret_found, bt_error *opt_error) {
  *ret_found = false;
  for (;;) {
    if (library->btl != NULL) {
      *ret_found = library->in_btl < bt_btl_count(library->btl);
      if (*ret_found) return next_stored(library, light, item, opt_error);
      end_source(library);
    } else if (library->path != NULL) {
      BT_TRY(next_record(library, light, item, ret_found, opt_error));
      if (*ret_found) return BT_OK;
      close_file(library);
      if (library->archive == NULL) end_source(library);
    } else if (library->archive != NULL) {
      BT_TRY(go_on_in_archive(library, opt_error));
    } else {
      bt_error reason = {0};
      if (library->source == library->sources.count) return BT_OK;
      if (bt_library_open_source(library, &reason) != BT_OK) BT_TRY(note_failure(library, &reason, opt_error));
    }
  }
}

bt_status bt_library_next(bt_library *library, bt_library_item *ret_item, bool *ret_found, bt_error *opt_error) {
  *ret_item = (bt_library_item){0};
  bt_status status = advance(library, false, ret_item, ret_found, opt_error);
  if (status != BT_OK) bt_library_item_clear(ret_item);
  return status;
}

/* -------------------------------------------------------------------------------------------------- seeking -- */

static bt_status rewind_library(bt_library *library, bt_error *opt_error) {
  if (library->stdin_taken)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = "standard input"},
                   "write it to a file, or make a library of it with berth prep library",
                   "ligands cannot be read a second time");
  close_source(library);
  library->source = 0;
  library->next = 0;
  return BT_OK;
}

/* Skips ligands of the current .btl file, and whole sources whose number of ligands is known. */
static void leap(bt_library *library, int64_t ordinal) {
  if (library->btl != NULL) {
    int64_t left = bt_btl_count(library->btl) - library->in_btl, wanted = ordinal - library->next;
    if (wanted > left) wanted = left;
    library->in_btl += wanted;
    library->next += wanted;
  }
  while (library->btl == NULL && library->path == NULL && library->archive == NULL &&
         library->source < library->sources.count && library->counts[library->source] >= 0 &&
         library->counts[library->source] <= ordinal - library->next)
    library->next += library->counts[library->source++];
}

bt_status bt_library_seek(bt_library *library, int64_t ordinal, bt_error *opt_error) {
  if (ordinal < library->next) BT_TRY(rewind_library(library, opt_error));
  for (bool found = true; found;) {
    leap(library, ordinal);
    if (library->next >= ordinal) break;
    BT_TRY(advance(library, true, NULL, &found, opt_error));
  }
  return BT_OK;
}

bt_status bt_library_count_all(bt_library *library, int64_t *ret_count, bt_error *opt_error) {
  if (library->count < 0) {
    for (size_t i = 0; i < library->sources.count; i++)
      if (strcmp(library->sources.items[i].path, "-") == 0)
        return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = "standard input"}, "write it to a file",
                       "the ligands cannot be counted");
    int64_t here = library->next;
    BT_TRY(bt_library_seek(library, INT64_MAX, opt_error));
    library->count = library->next;
    BT_TRY(bt_library_seek(library, here, opt_error));
  }
  *ret_count = library->count;
  return BT_OK;
}
