/* fuzz_structure.c - PDB and mmCIF files, and their preparation as receptors. */
#include "formats/structure.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_structure *s = NULL;
  bt_error error;
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  bt_status status = bt_structure_from_memory("fuzz.pdb", text, size, 1, &s, &error);
  free(text);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    return 0;
  }
  FUZZ_CHECK(s->n_atoms > 0 && s->n_residues > 0 && s->n_models >= 1);
  int end = 0;
  for (int i = 0; i < s->n_residues; i++) {
    const bt_structure_residue *r = &s->residues[i];
    char name[40];
    FUZZ_CHECK(r->first_atom == end && r->end_atom >= end && r->name[7] == '\0' && r->chain[7] == '\0');
    FUZZ_CHECK(strlen(bt_structure_residue_text(r, name, sizeof name)) < sizeof name);
    end = r->end_atom;
  }
  FUZZ_CHECK(end == s->n_atoms);
  for (int i = 0; i < s->n_atoms; i++)
    for (int k = 0; k < 3; k++) FUZZ_CHECK(isfinite(s->atoms[i].x[k]));
  for (int k = 0; k < s->n_links; k++)
    for (int e = 0; e < 2; e++) FUZZ_CHECK(s->links[k].residue[e] >= 0 && s->links[k].residue[e] < s->n_residues);
  bt_structure_destroy(s);
  return 0;
}
