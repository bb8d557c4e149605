/* warheads.c - the table of warheads, and where they match. */
#include "chem/warheads.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const bt_warhead table[] = {
    {"acrylamide", "[CX3;H1,H2]=[CX3][CX3](=O)[NX3]", "CYS", false},
    {"acrylate or enone", "[CX3;H1,H2]=[CX3][CX3](=O)[!N]", "CYS", false},
    {"propiolamide", "[CX2]#[CX2][CX3](=O)[NX3]", "CYS", false},
    {"vinyl sulfone or sulfonamide", "[CX3;H1,H2]=[CX3][SX4](=O)=O", "CYS", false},
    {"haloacetamide", "[CX4;H1,H2]([Cl,Br,I])[CX3]=O", "CYS HIS LYS", false},
    {"nitrile", "[CX2]#[NX1]", "CYS SER", false},
    {"beta-lactam", "[CX3;r4]([NX3;r4])=O", "SER", false},
    {"alpha-ketoamide", "[CX3;!$(C[NX3])](=O)[CX3](=O)[NX3]", "CYS SER THR", false},
    {"aldehyde", "[CX3;H1](=[OX1])[#6]", "CYS SER THR LYS", false},
    {"trifluoromethyl ketone", "[CX3](=[OX1])C(F)(F)F", "CYS SER", false},
    {"epoxide", "[CX4;r3]1[OX2][CX4]1", "CYS SER THR HIS", false},
    {"sulfonyl fluoride", "[SX4]([F])(=O)=O", "SER THR TYR LYS CYS HIS", false},
    {"boronic acid", "[BX3]([OX2H])[OX2H]", "SER THR", true},
};

const bt_warhead *bt_warheads(int *ret_count) {
  *ret_count = (int)(sizeof table / sizeof *table);
  return table;
}

bool bt_warhead_takes(const bt_warhead *warhead, const char *residue) {
  for (const char *word = warhead->residues; *word != '\0'; word += word[3] == ' ' ? 4 : 3)
    if (strlen(residue) == 3 && memcmp(word, residue, 3) == 0) return true;
  return false;
}

bt_status bt_warhead_sites(const bt_warhead *warhead, const bt_rdmol *mol, int (**ret_atoms)[2], int *ret_count,
                           bt_error *opt_error) {
  bt_smarts *pattern = NULL;
  int *matches = NULL, n = 0;
  *ret_atoms = NULL;
  *ret_count = 0;
  BT_TRY(bt_smarts_create(warhead->smarts, &pattern, opt_error));
  size_t size = (size_t)bt_smarts_size(pattern);
  bt_status status = bt_smarts_match(pattern, mol, &matches, &n, opt_error);
  bt_smarts_destroy(pattern);
  if (status != BT_OK || n == 0) return status;
  int(*sites)[2] = malloc((size_t)n * sizeof *sites), count = 0;
  for (int i = 0; i < n && sites != NULL; i++) {
    const int *match = matches + (size_t)i * size;
    bool known = false; /* anions have one site however many atoms could be the second */
    for (int k = 0; k < count; k++)
      known = known || (sites[k][0] == match[0] && (warhead->adds || sites[k][1] == match[1]));
    if (known) continue;
    sites[count][0] = match[0];
    sites[count++][1] = warhead->adds ? -1 : match[1];
  }
  free(matches);
  if (sites == NULL) return bt_fail_memory(opt_error);
  *ret_atoms = sites;
  *ret_count = count;
  return BT_OK;
}
