/* notes.c - what was done to ligands on the way, such as a salt whose ion was left out. */
#include "input/notes.h"

#include <berth/prepare.h>
#include <unistd.h>

#include "common/report.h"

enum { SHOWN = 5 };

bt_status cli_notes_add(cli_notes *notes, const char *ligand, const bt_molecule *molecule, bt_error *opt_error) {
  for (int i = 0; i < bt_molecule_note_count(molecule); i++) {
    const char *note = bt_molecule_note(molecule, i);
    if (notes->opt_path != NULL) {
      if (notes->file.stream == NULL) {
        CLI_TRY(cli_file_open(notes->opt_path, &notes->file, opt_error));
        fputs("ligand,note\n", notes->file.stream);
      }
      cli_csv_field(notes->file.stream, ligand);
      fputc(',', notes->file.stream);
      cli_csv_field(notes->file.stream, note);
      fputc('\n', notes->file.stream);
    }
    if (notes->count++ < SHOWN && !notes->quiet)
      cli_message(notes->program, "note: %s: %s%s", ligand, note,
                  notes->count < SHOWN      ? ""
                  : notes->opt_path != NULL ? " (further notes only in notes.csv)"
                                            : " (further notes are not shown)");
  }
  return BT_OK;
}

bt_status cli_notes_end(cli_notes *notes, bt_error *opt_error) {
  if (notes->file.stream != NULL) return cli_file_close(&notes->file, opt_error);
  if (notes->opt_path != NULL && notes->count == 0) unlink(notes->opt_path);
  return BT_OK;
}
