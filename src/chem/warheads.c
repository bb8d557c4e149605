/* warheads.c - the table of warheads, and where they match. */
#include "chem/warheads.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"

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
    {"aryl ester", "[CX3]([OX2]c)=O", "SER", false},
    {"fluorophosphonate", "[PX4]([F])=O", "SER", false},
    {"boronic acid", "[BX3]([OX2H])[OX2H]", "SER THR", true},
};

/* Histidine reacts with its NE2; threonine's beta carbon gets its side from the protein (prep/ligand/covalent.c). */
static const bt_side_chain chains[] = {
    {"CYS", "SCC", "SG CB CA"},
    {"SER", "OCC", "OG CB CA"},
    {"THR", "OC(C)C", "OG1 CB CG2 CA"},
    {"LYS", "NCCCCC", "NZ CE CD CG CB CA"},
    {"TYR", "Oc1ccc(cc1)CC", "OH CZ CE1 CD1 CG CD2 CE2 CB CA"},
    {"HIS", "N1C=NC(=C1)CC", "NE2 CE1 ND1 CG CD2 CB CA"},
};

static bool has_word(const char *words, const char *word) {
  bt_span list = bt_span_from(words);
  for (bt_span next = bt_span_word(&list); next.size > 0; next = bt_span_word(&list))
    if (bt_span_equals(next, word)) return true;
  return false;
}

const bt_side_chain *bt_side_chain_find(const char *residue) {
  for (size_t k = 0; k < sizeof chains / sizeof *chains; k++)
    if (strcmp(chains[k].residue, residue) == 0) return &chains[k];
  return NULL;
}

const char *bt_side_chain_residues(void) { return "CYS, SER, THR, LYS, TYR, HIS"; }

const bt_warhead *bt_warheads(int *ret_count) {
  *ret_count = (int)(sizeof table / sizeof *table);
  return table;
}

bool bt_warhead_takes(const bt_warhead *warhead, const char *residue) { return has_word(warhead->residues, residue); }

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
