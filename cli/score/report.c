/* report.c - energies as a table for people or as JSON for programs (docs/json.md). */
#include <stdio.h>

#include "common/report.h"
#include "output/checks.h"
#include "score/state.h"

static void json_energy(bt_json *json, const char *key, const bt_energy *e) {
  bt_json_key(json, key);
  bt_json_printf(json, "{ inter %g inter_vdw_hbond %g inter_electrostatic %g inter_desolvation %g", e->inter,
                 e->inter_vdw_hbond, e->inter_electrostatic, e->inter_desolvation);
  bt_json_printf(json, "inter_moving %g inter_moving_electrostatic %g intra %g intra_vdw %g intra_hbond %g",
                 e->inter_moving, e->inter_moving_electrostatic, e->intra, e->intra_vdw, e->intra_hbond);
  bt_json_printf(json, "intra_electrostatic %g intra_desolvation %g intra_flex %g intra_flex_fixed %g",
                 e->intra_electrostatic, e->intra_desolvation, e->intra_flex, e->intra_flex_fixed);
  bt_json_printf(json, "torsional %g unbound %g total %g free_energy %g }", e->torsional, e->unbound, e->total,
                 e->free_energy);
}

static void json_atoms(bt_json *json, const score_line *line) {
  bt_json_printf(json, "atoms [");
  for (int i = 0; i < bt_ligand_atom_count(line->borrowed_ligand); i++) {
    bt_atom_info atom = bt_ligand_atom_info(line->borrowed_ligand, i);
    const bt_atom_energy *energy = &line->opt_atoms[i];
    bt_json_printf(json, "{ serial %ld name %s type %s flexible %hhd vdw_hbond %g electrostatic %g desolvation %g }",
                   atom.serial, atom.name, atom.type, atom.flexible, energy->vdw_hbond, energy->electrostatic,
                   energy->desolvation);
  }
  bt_json_close(json, ']');
}

static void json_pairs(bt_json *json, const score_line *line) {
  bt_json_printf(json, "pairs [");
  for (int p = 0; p < bt_ligand_pair_count(line->borrowed_ligand); p++) {
    const bt_pair_energy *pair = &line->opt_pairs[p];
    bt_json_printf(json, "{ atoms [ %d %d ] distance %g vdw %g hbond %g electrostatic %g desolvation %g }", pair->i + 1,
                   pair->j + 1, pair->distance, pair->vdw, pair->hbond, pair->electrostatic, pair->desolvation);
  }
  bt_json_close(json, ']');
}

/* Which maps the pose was scored in. */
static const char *grid_of(const score_state *state, const score_line *line) {
  if (state->receptor_file.rigid == NULL) return "file";
  return line->as_docked ? "docking" : state->box_given ? "given" : "poses";
}

static void json_networks(bt_json *json, const score_state *state, const score_line *line) {
  bt_json_printf(json, "cnn { score %g affinity %g networks [", line->network.score, line->network.affinity);
  for (int k = 0; k < bt_networks_count(state->networks); k++)
    bt_json_printf(json, "{ name %s score %g affinity %g }", bt_networks_name(state->networks, k),
                   line->opt_each[k].score, line->opt_each[k].affinity);
  bt_json_printf(json, "] }");
}

/* Each that failed, with its value and limit. */
static void print_checks(const bt_checks *checks) {
  printf("%26s checks: %s", "", checks->failed == 0 ? "pass" : "");
  const char *comma = "";
  for (int k = 0; k < BT_CHECK_COUNT; k++) {
    bool least;
    double limit = bt_check_limit((bt_check)k, &least);
    if ((checks->failed & 1U << k) == 0) continue;
    printf("%s%s %.3f (at %s %g)", comma, bt_check_name((bt_check)k), checks->values[k], least ? "least" : "most",
           limit);
    comma = ", ";
  }
  putchar('\n');
}

static bt_status print_contacts(const bt_interactions *contacts, bt_error *error) {
  BT_SCOPED char *text = bt_interactions_text(contacts);
  if (text == NULL) return bt_fail_memory(error);
  printf("%26s contacts: %s\n", "", text);
  return BT_OK;
}

static bt_status print_json(const score_state *state, const score_line *line, bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json, "{ ligand %s pose %d scoring %s", line->ligand, line->pose, bt_scoring_name(state->scoring));
  if (bt_scoring_traits_of(state->scoring)->affinity)
    bt_json_printf(&json, "rotors %g", bt_ligand_rotors(line->borrowed_ligand));
  json_energy(&json, "energy", &line->energy);
  bt_json_printf(&json, "flags [");
  if (line->energy.atoms_outside > 0) bt_json_string(&json, "outside_box");
  if (line->energy.inter > 0 && line->energy.atoms_outside == 0) bt_json_string(&json, "clash");
  bt_json_printf(&json, "] atoms_outside %d form %s warning %s", line->energy.atoms_outside,
                 state->continuous ? "continuous" : "tabulated", bt_maps_warning(state->maps));
  bt_json_printf(&json, "grid %s", grid_of(state, line));
  if (line->opt_input != NULL) {
    json_energy(&json, "input_energy", line->opt_input);
    bt_json_printf(&json, "rmsd_moved %g", line->rmsd);
  }
  if (line->opt_each != NULL) json_networks(&json, state, line);
  if (line->opt_checks != NULL) cli_json_checks(&json, line->opt_checks);
  if (line->opt_contacts != NULL) text.failed |= cli_json_contacts(&json, line->opt_contacts, error) != BT_OK;
  if (line->opt_atoms != NULL) json_atoms(&json, line);
  if (line->opt_pairs != NULL) json_pairs(&json, line);
  bt_json_close(&json, '}');
  return cli_print_json(&text, error);
}

void score_print_header(const score_state *state) {
  if (state->json) return;
  if (bt_scoring_traits_of(state->scoring)->affinity) {
    puts("Energies in kcal/mol. affinity = inter + intra - unbound + torsional.");
    printf("%-20s %5s %10s %10s %10s %10s %10s %10s\n", "ligand", "pose", "affinity", "inter", "intra", "unbound",
           "torsional", "rotors");
    return;
  }
  puts("Energies in kcal/mol. total = inter + intra + torsional; binding = inter + torsional.");
  printf("%-20s %5s %10s %10s %10s %10s %10s %10s %10s %10s\n", "ligand", "pose", "inter", "vdw+hbond", "electrost.",
         "desolv.", "intra", "torsional", "total", "binding");
}

static void print_flexible(const bt_energy *energy, const bt_ligand *ligand) {
  if (energy->inter_moving == 0 && energy->intra_flex == 0) return;
  if (!bt_ligand_atom_info(ligand, bt_ligand_atom_count(ligand) - 1).flexible) {
    printf("%26s ligands: %.4f with each other (in inter)\n", "", energy->inter_moving);
    return;
  }
  printf("%26s residues: %.4f with the ligand (in inter), %.4f with the receptor and among themselves (in intra)\n", "",
         energy->inter_moving, energy->intra_flex);
}

static void print_atoms(const score_line *line) {
  printf("%8s %-4s %-4s %-9s %10s %10s %10s\n", "atom", "name", "type", "residue", "vdw+hbond", "electrost.",
         "desolv.");
  for (int i = 0; i < bt_ligand_atom_count(line->borrowed_ligand); i++) {
    bt_atom_info atom = bt_ligand_atom_info(line->borrowed_ligand, i);
    const bt_atom_energy *energy = &line->opt_atoms[i];
    printf("%8ld %-4s %-4s %-3s%c%5d %10.4f %10.4f %10.4f\n", atom.serial, atom.name, atom.type, atom.residue,
           atom.chain, atom.residue_number, energy->vdw_hbond, energy->electrostatic, energy->desolvation);
  }
}

static void print_pairs(const score_line *line) {
  printf("%8s %8s %9s %10s %10s %10s %10s\n", "atom", "atom", "distance", "vdw", "hbond", "electrost.", "desolv.");
  for (int p = 0; p < bt_ligand_pair_count(line->borrowed_ligand); p++) {
    const bt_pair_energy *pair = &line->opt_pairs[p];
    printf("%8d %8d %9.4f %10.4f %10.4f %10.4f %10.4f\n", pair->i + 1, pair->j + 1, pair->distance, pair->vdw,
           pair->hbond, pair->electrostatic, pair->desolvation);
  }
}

static void print_energies(const score_state *state, const score_line *line) {
  const bt_energy *e = &line->energy;
  if (bt_scoring_traits_of(state->scoring)->affinity)
    printf("%-20s %5d %10.4f %10.4f %10.4f %10.4f %10.4f %10.1f\n", line->ligand, line->pose, e->free_energy, e->inter,
           e->intra, e->unbound, e->torsional, bt_ligand_rotors(line->borrowed_ligand));
  else
    printf("%-20s %5d %10.4f %10.4f %10.4f %10.4f %10.4f %10.4f %10.4f %10.4f\n", line->ligand, line->pose, e->inter,
           e->inter_vdw_hbond, e->inter_electrostatic, e->inter_desolvation, e->intra, e->torsional, e->total,
           e->free_energy);
}

bt_status score_print(const score_state *state, const score_line *line, bt_error *error) {
  if (state->json) return print_json(state, line, error);
  const bt_energy *e = &line->energy;
  print_energies(state, line);
  if (e->atoms_outside > 0)
    printf("%26s %d atom%s outside the box: the energies contain penalties\n", "", e->atoms_outside,
           e->atoms_outside == 1 ? " is" : "s are");
  if (e->inter > 0 && e->atoms_outside == 0)
    printf("%26s the pose clashes with the receptor: this is not a binding energy\n", "");
  print_flexible(e, line->borrowed_ligand);
  if (line->opt_input != NULL)
    printf("%26s minimized from inter %.4f, intra %.4f; the pose moved by %.3f Angstrom\n", "", line->opt_input->inter,
           line->opt_input->intra, line->rmsd);
  if (line->opt_each != NULL)
    printf("%26s CNNscore %.4f, CNNaffinity %.3f\n", "", line->network.score, line->network.affinity);
  if (line->opt_checks != NULL) print_checks(line->opt_checks);
  if (line->opt_contacts != NULL) BT_TRY(print_contacts(line->opt_contacts, error));
  if (line->opt_atoms != NULL) print_atoms(line);
  if (line->opt_pairs != NULL) print_pairs(line);
  return BT_OK;
}
