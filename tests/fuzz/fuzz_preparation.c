/* fuzz_preparation.c - ligands from SDF, MOL2, SMILES, tables and PDB, prepared without conformers, with all their
 * properties. The first line of the input names the format and the template: "sdf", "mol2", "smi", "csv", "pdb SMILES";
 * the rest is the file. */
#include "fuzz/fuzz.h"

#include <berth/berth.h>
#include <berth/prepare.h>

/* RDKit's MOL2 parser leaks its partial molecule if a record is broken. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libRDKit\n"; }

static bool choose_format(const char *line, bt_prepare_options *options) {
  static const struct {
    const char *word;
    const char *format;
  } formats[] = {{"sdf", "sdf"}, {"mol2", "mol2"}, {"smi", "smiles"}, {"csv", "csv"}, {"pdb", "pdb"}};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    size_t size = strlen(formats[i].word);
    if (strncmp(line, formats[i].word, size) != 0) continue;
    options->opt_format = formats[i].format;
    if (line[size] == ' ') options->opt_template = line + size + 1;
    return true;
  }
  return false;
}

static void check_ligand(const bt_molecule *molecule) {
  char *text = NULL;
  bt_error error;
  FUZZ_CHECK(bt_molecule_has_chemistry(molecule));
  FUZZ_CHECK(bt_molecule_atom_count(molecule) > 0 && bt_molecule_name(molecule)[0] != '\0');
  FUZZ_CHECK(bt_molecule_pdbqt(molecule, &text, &error) == BT_OK && text[0] != '\0');
  free(text);
  text = NULL;
  bt_status status = bt_molecule_sdf(molecule, NULL, NULL, 0, &text, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char line[256] = "";
  const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
  if (end == NULL || end - data >= (long)sizeof line || size > 8000) return 0; /* RDKit may take its time */
  memcpy(line, data, (size_t)(end - data));
  bt_prepare_options options = bt_prepare_options_default();
  options.conformers = 0;
  options.ph = 7.4;
  options.opt_keep_fields = "all";
  bt_ligand_reader *reader = NULL;
  bt_error error;
  if (!choose_format(line, &options)) return 0;
  bt_status status = bt_ligand_reader_open_text((const char *)end + 1, size - (size_t)(end + 1 - data), "fuzz",
                                                &options, &reader, &error);
  if (status != BT_OK) { /* a build without RDKit */
    fuzz_check_failure(status, &error);
    return 0;
  }
  for (int record = 0; record < 50; record++) {
    bt_molecule *molecule = NULL;
    error = (bt_error){0};
    status = bt_ligand_reader_next(reader, &molecule, &error);
    if (status != BT_OK) {
      FUZZ_CHECK(molecule == NULL);
      fuzz_check_failure(status, &error);
      continue;
    }
    if (molecule == NULL) break;
    check_ligand(molecule);
    bt_molecule_destroy(molecule);
  }
  bt_ligand_reader_close(reader);
  return 0;
}
