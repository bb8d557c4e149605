/* format.h - what the name of a file says of it: decided by the ending, in lower or upper case; files are not opened. */
#ifndef BERTH_FORMAT_H
#define BERTH_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A format of files. Those with records of ligands have a word (bt_prepare_options). */
typedef struct bt_format bt_format;
enum {
  BT_FORMAT_LIGANDS = 1,
  BT_FORMAT_STRUCTURE = 2, /* of macromolecules: PDB, mmCIF */
  BT_FORMAT_BONDS = 4,     /* its ligands have bond orders */
  BT_FORMAT_FLAT = 8,      /* they have no coordinates */
  BT_FORMAT_PREPARED = 16, /* they are used as they are */
  BT_FORMAT_LIBRARY = 32,  /* .btl */
  BT_FORMAT_ARCHIVE = 64,  /* .tar */
  BT_FORMAT_TABLE = 128    /* of SMILES; left out of folders and archives, where tables are more likely results */
};
/* By the ending of a path, compressed or not; by its word; NULL: there is none. */
const bt_format *bt_format_of(const char *path);
const bt_format *bt_format_find(const char *opt_word);
/* Is it any of these (joined by "|")? No if it is NULL. */
bool bt_format_is(const bt_format *opt_format, unsigned any);
/* The words as "pdbqt|sdf|...", the first for standard input without one; the one at an index of that list. */
const char *bt_format_choices(void);
const char *bt_format_word(int index);

/* Length of the ending of a ligand file (".sdf.gz": 7); 0 for others. */
size_t bt_ligand_file_ending(const char *path);
/* A PDB or mmCIF file: .pdb (also .pdb1, .pdb2, ... of assemblies), .ent, .cif, .mmcif, compressed or not. */
bool bt_is_structure_file(const char *path);
/* A .btl file or a tar archive, compressed or not. */
bool bt_is_library_file(const char *path);

#ifdef __cplusplus
}
#endif

#endif
