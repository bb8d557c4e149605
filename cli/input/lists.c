/* lists.c - see lists.h. */
#include "input/lists.h"

#include <berth/prepare.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/report.h"
#include "output/table.h"

enum { NOTES_SHOWN = 5 };

static void add_number(bt_text *text, long number) {
  if (number > 0) bt_text_printf(text, "%ld", number);
  bt_text_add_char(text, ',');
}

/* Conditions are the first words of messages. */
void cli_lists_count_filtered(cli_lists *lists, const char *reason) {
  size_t size = strcspn(reason, " :");
  lists->n_filtered++;
  for (int k = 0; k < CLI_CONDITIONS; k++) {
    cli_condition *c = &lists->conditions[k];
    if (c->count == 0) snprintf(c->name, sizeof c->name, "%.*s", (int)size, reason);
    if (strlen(c->name) != size || strncmp(c->name, reason, size) != 0) continue;
    c->count++;
    return;
  }
}

void cli_lists_tell_filtered(const cli_lists *lists, FILE *stream) {
  if (lists->n_filtered == 0) return;
  fprintf(stream, "%ld left out by the filter:", lists->n_filtered);
  for (int k = 0; k < CLI_CONDITIONS && lists->conditions[k].count > 0; k++)
    fprintf(stream, "%s %ld by %s", k > 0 ? "," : "", lists->conditions[k].count, lists->conditions[k].name);
  fputc('\n', stream);
}

bt_status cli_lists_reject(cli_lists *lists, const char *ligand, const bt_error *reason, bt_error *opt_error) {
  bt_text *rows = &lists->rejects;
  if (rows->size == 0) bt_text_add_string(rows, "ligand,file,line,atom,status,message,remedy\n");
  bt_text_csv(rows, ligand);
  bt_text_add_char(rows, ',');
  bt_text_csv(rows, reason->file);
  bt_text_add_char(rows, ',');
  add_number(rows, reason->line);
  add_number(rows, reason->atom);
  bt_text_printf(rows, "%s,", bt_status_name(reason->status));
  bt_text_csv(rows, reason->message);
  bt_text_add_char(rows, ',');
  bt_text_csv(rows, reason->remedy);
  bt_text_add_char(rows, '\n');
  BT_TRY(bt_text_status(rows, opt_error));
  if (lists->grows) BT_TRY(bt_text_list_add(&lists->rejected, bt_span_from(ligand), opt_error));
  if (reason->status == BT_ERR_FILTERED) return cli_lists_count_filtered(lists, reason->message), BT_OK;
  int shown = ++lists->n_rejects;
  if (lists->most_shown > 0 && shown > lists->most_shown) return BT_OK;
  char text[2048];
  cli_message(lists->program, "rejected %s: %s%s", ligand, bt_error_format(reason, text, sizeof text),
              shown == lists->most_shown ? " (further rejects are only listed in the file)" : "");
  return BT_OK;
}

bt_status cli_lists_done(cli_lists *lists, const char *ligand, bt_error *opt_error) {
  return lists->grows ? bt_text_list_add(&lists->docked, bt_span_from(ligand), opt_error) : BT_OK;
}

static bt_status keep_note(cli_lists *lists, const char *ligand, const char *note, bt_error *opt_error) {
  if (lists->grows) {
    bt_text *rows = &lists->note_rows;
    if (rows->size == 0) bt_text_add_string(rows, "ligand,note\n");
    bt_text_csv(rows, ligand);
    bt_text_add_char(rows, ',');
    bt_text_csv(rows, note);
    bt_text_add_char(rows, '\n');
    return bt_text_status(rows, opt_error);
  }
  BT_ENDED_BY(bt_text_destroy) bt_text row = {0};
  if (lists->notes == NULL) {
    BT_TRY(bt_file_writer_open(lists->opt_notes, &lists->notes, opt_error));
    bt_text_add_string(&row, "ligand,note\n");
  }
  bt_text_csv(&row, ligand);
  bt_text_add_char(&row, ',');
  bt_text_csv(&row, note);
  bt_text_add_char(&row, '\n');
  BT_TRY(bt_text_status(&row, opt_error));
  return bt_file_writer_add(lists->notes, row.data, row.size, opt_error);
}

static void print_note(const cli_lists *lists, const char *ligand, const char *note) {
  if (lists->n_notes < NOTES_SHOWN)
    cli_message(lists->program, "note: %s: %s", ligand, note);
  else if (lists->opt_notes != NULL)
    cli_message(lists->program, "note: %s: %s (further notes only in %s)", ligand, note, lists->opt_notes);
  else
    cli_message(lists->program, "note: %s: %s (further notes are not shown)", ligand, note);
}

bt_status cli_lists_note(cli_lists *lists, const char *ligand, const bt_molecule *molecule, bt_error *opt_error) {
  for (int i = 0; i < bt_molecule_note_count(molecule); i++) {
    const char *note = bt_molecule_note(molecule, i);
    if (lists->opt_notes != NULL) BT_TRY(keep_note(lists, ligand, note, opt_error));
    if (lists->n_notes++ < NOTES_SHOWN && !lists->quiet)
      print_note(lists, ligand, note);
  }
  return BT_OK;
}

static bt_status merge(cli_lists *lists, bool rejects, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_list_destroy) bt_text_list done = {0};
  const bt_text_list *both[] = {&lists->docked, &lists->rejected};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < both[k]->count; i++)
      BT_TRY(bt_text_list_add(&done, bt_span_from(both[k]->items[i]), opt_error));
  if (lists->replaces) unlink(lists->opt_notes);
  BT_TRY(cli_table_merge(lists->opt_notes, lists->note_rows.data, &done, opt_error));
  if (!rejects || lists->opt_rejects == NULL) return BT_OK;
  if (lists->replaces) unlink(lists->opt_rejects);
  return cli_table_merge(lists->opt_rejects, lists->rejects.data, &done, opt_error);
}

bt_status cli_lists_write(cli_lists *lists, bool rejects, bt_error *opt_error) {
  if (lists->grows && lists->opt_notes != NULL) return merge(lists, rejects, opt_error);
  if (lists->opt_notes != NULL && lists->n_notes == 0) unlink(lists->opt_notes);
  if (lists->notes != NULL) BT_TRY(bt_file_writer_commit(lists->notes, opt_error));
  if (!rejects || lists->opt_rejects == NULL) return BT_OK;
  if (lists->rejects.size > 0) return bt_file_write_text(lists->opt_rejects, &lists->rejects, opt_error);
  unlink(lists->opt_rejects);
  return BT_OK;
}

void cli_lists_abandon(cli_lists *lists) {
  bt_file_writer_abandon(lists->notes);
}

void cli_lists_free(cli_lists *lists) {
  free(lists->opt_rejects);
  free(lists->opt_notes);
  bt_text_destroy(&lists->rejects);
  bt_text_destroy(&lists->note_rows);
  bt_text_list_destroy(&lists->docked);
  bt_text_list_destroy(&lists->rejected);
}
