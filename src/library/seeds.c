/* seeds.c - seed poses of a ligand from files and complexes of other programs. */
#include <berth/place.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"

typedef struct seeding {
  bt_molecule *ligand;
  const char *template;
  void (*opt_warn)(void *user, const char *text);
  void *opt_user;
  int added;
  bt_error first; /* why the first one of those that cannot be used cannot */
} seeding;

static void leave_out(seeding *s, const bt_error *why) {
  if (s->first.status == BT_OK) s->first = *why;
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_printf(&text, "seed pose left out: %s%s%s", why->file, why->file[0] != '\0' ? ": " : "", why->message);
  if (s->opt_warn != NULL && !text.failed) s->opt_warn(s->opt_user, text.data);
}

/* Does not take the pose. Fails for what is no fault of the pose. */
static bt_status add(seeding *s, const bt_molecule *pose, bt_error *opt_error) {
  bt_error error;
  bt_status status = bt_molecule_add_seed(s->ligand, pose, &error);
  s->added += status == BT_OK;
  if (status == BT_OK) return BT_OK;
  if (status == BT_ERR_INPUT) {
    leave_out(s, &error);
    return BT_OK;
  }
  if (opt_error != NULL) *opt_error = error;
  return status;
}

/* ---- 1. files of poses ---- */

static bt_status add_records(seeding *s, const char *path, bt_error *opt_error) {
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = bt_format_word(0);
  options.rigid_macrocycles = true;
  options.as_drawn = true;
  options.conformers = 1;
  bt_ligand_reader *reader;
  BT_TRY(bt_ligand_reader_open(path, &options, &reader, opt_error));
  bt_status status = BT_OK;
  while (status == BT_OK) {
    bt_molecule *pose = NULL;
    bt_error error;
    status = bt_ligand_reader_next(reader, &pose, &error);
    if (status == BT_OK && pose == NULL) break;
    if (status == BT_OK) {
      status = add(s, pose, opt_error);
      bt_molecule_destroy(pose);
    } else if (bt_status_concerns_ligand(status)) {
      leave_out(s, &error);
      status = BT_OK;
    } else if (opt_error != NULL) {
      *opt_error = error;
    }
  }
  bt_ligand_reader_close(reader);
  return status;
}

/* ---- 2. complexes ---- */

/* One residue; others of the complex may be cofactors, so that a reason is only kept. */
static bt_status add_residue(seeding *s, const bt_place *place, bt_error *reason, bt_error *opt_error) {
  bt_molecule *pose = NULL;
  bt_error error;
  bt_status status = bt_place_molecule(place, 1, s->template, NULL, &pose, &error);
  if (status == BT_OK && pose != NULL) status = bt_molecule_add_seed(s->ligand, pose, &error);
  s->added += status == BT_OK && pose != NULL;
  bt_molecule_destroy(pose);
  if (status == BT_OK) return BT_OK;
  if (reason->status == BT_OK) *reason = error;
  if (status == BT_ERR_INPUT) return BT_OK;
  if (opt_error != NULL) *opt_error = error;
  return status;
}

static bt_status add_complex(seeding *s, const bt_place *place, bt_error *opt_error) {
  if (s->template == NULL || s->template[0] == '\0')
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = place->path},
                   "provide the ligand as SDF, MOL2 or SMILES, or its bond orders with --template",
                   "the bond orders of this seed pose are not known");
  bt_error reason = {0};
  int before = s->added;
  if (place->opt_residues != NULL) {
    BT_TRY(add_residue(s, place, &reason, opt_error));
  } else {
    BT_SCOPED char *names = NULL;
    BT_TRY(bt_receptor_ligands(place->path, 1, &names, opt_error));
    char *rest = names;
    for (char *name; rest != NULL && rest[0] != '\0' && (name = strsep(&rest, ",")) != NULL;) {
      bt_place one = {.path = place->path, .opt_residues = name + strspn(name, " ")};
      BT_TRY(add_residue(s, &one, &reason, opt_error));
    }
    if (names[0] == '\0')
      (void)!bt_fail(&reason, BT_ERR_INPUT, (bt_where){.file = place->path}, "name the residue, as in FILE:LIG",
                     "no ligand in this structure");
  }
  if (s->added == before) leave_out(s, &reason);
  return BT_OK;
}

bt_status bt_molecule_read_seeds(bt_molecule *ligand, const char *word, const char *opt_template,
                                 void (*opt_warn)(void *user, const char *text), void *opt_user, int *ret_added,
                                 bt_error *opt_error) {
  seeding s = {.ligand = ligand,
               .template = opt_template != NULL ? opt_template : bt_molecule_smiles(ligand),
               .opt_warn = opt_warn,
               .opt_user = opt_user};
  bt_place place;
  *ret_added = 0;
  BT_TRY(bt_place_find(word, NULL, &place, opt_error));
  bt_status status =
      bt_is_structure_file(place.path) ? add_complex(&s, &place, opt_error) : add_records(&s, place.path, opt_error);
  bt_place_clear(&place);
  BT_TRY(status);
  *ret_added = s.added;
  if (s.added > 0) return BT_OK;
  if (s.first.status == BT_OK)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = word}, "use a file with poses of the ligand",
                   "no seed pose in this file");
  if (opt_error != NULL) *opt_error = s.first;
  return s.first.status;
}
