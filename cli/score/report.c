/* report.c - energies as a table for people or as JSON for programs (docs/json.md). */
#include <stdio.h>

#include "common/json.h"
#include "score/state.h"

static void json_energy(const bt_energy *e) {
  cli_jsonf(stdout, "{'inter': %g, 'inter_vdw_hbond': %g, 'inter_electrostatic': %g, 'inter_desolvation': %g, ",
            e->inter, e->inter_vdw_hbond, e->inter_electrostatic, e->inter_desolvation);
  cli_jsonf(stdout, "'inter_moving': %g, 'inter_moving_electrostatic': %g, 'intra': %g, 'intra_vdw': %g, ",
            e->inter_moving, e->inter_moving_electrostatic, e->intra, e->intra_vdw);
  cli_jsonf(stdout, "'intra_hbond': %g, 'intra_electrostatic': %g, 'intra_desolvation': %g, 'intra_flex': %g, ",
            e->intra_hbond, e->intra_electrostatic, e->intra_desolvation, e->intra_flex);
  cli_jsonf(stdout, "'intra_flex_fixed': %g, 'torsional': %g, 'total': %g, 'free_energy': %g}", e->intra_flex_fixed,
            e->torsional, e->total, e->free_energy);
}

static void json_atoms(const score_line *line) {
  fputs(", \"atoms\": [", stdout);
  for (int i = 0; i < bt_ligand_atom_count(line->borrowed_ligand); i++) {
    bt_atom_info atom = bt_ligand_atom_info(line->borrowed_ligand, i);
    const bt_atom_energy *energy = &line->opt_atoms[i];
    fputs(i > 0 ? ", " : "", stdout);
    cli_jsonf(stdout, "{'serial': %ld, 'name': %s, 'type': %s, 'flexible': %hhd, ", atom.serial, atom.name, atom.type,
              atom.flexible);
    cli_jsonf(stdout, "'vdw_hbond': %g, 'electrostatic': %g, 'desolvation': %g}", energy->vdw_hbond,
              energy->electrostatic, energy->desolvation);
  }
  putchar(']');
}

static void json_pairs(const score_line *line) {
  fputs(", \"pairs\": [", stdout);
  for (int p = 0; p < bt_ligand_pair_count(line->borrowed_ligand); p++) {
    const bt_pair_energy *pair = &line->opt_pairs[p];
    fputs(p > 0 ? ", " : "", stdout);
    cli_jsonf(stdout, "{'atoms': [%d, %d], 'distance': %g, 'vdw': %g, 'hbond': %g, ", pair->i + 1, pair->j + 1,
              pair->distance, pair->vdw, pair->hbond);
    cli_jsonf(stdout, "'electrostatic': %g, 'desolvation': %g}", pair->electrostatic, pair->desolvation);
  }
  putchar(']');
}

static void print_json(const score_state *state, const score_line *line) {
  cli_jsonf(stdout, "{'ligand': %s, 'pose': %d, 'energy': ", line->ligand, line->pose);
  json_energy(&line->energy);
  printf(", \"flags\": [%s]", line->energy.atoms_outside > 0 ? "\"outside_box\"" : "");
  printf(", \"atoms_outside\": %d, \"form\": \"%s\"", line->energy.atoms_outside,
         state->continuous ? "continuous" : "tabulated");
  if (line->opt_input != NULL) {
    fputs(", \"input_energy\": ", stdout);
    json_energy(line->opt_input);
    cli_jsonf(stdout, ", 'rmsd_moved': %g", line->rmsd);
  }
  if (line->opt_atoms != NULL) json_atoms(line);
  if (line->opt_pairs != NULL) json_pairs(line);
  puts("}");
}

void score_print_header(const score_state *state) {
  if (state->json) return;
  puts("Energies in kcal/mol. total = inter + intra + torsional; binding = inter + torsional.");
  printf("%-20s %5s %10s %10s %10s %10s %10s %10s %10s %10s\n", "ligand", "pose", "inter", "vdw+hbond", "electrost.",
         "desolv.", "intra", "torsional", "total", "binding");
}

static void print_flexible(const bt_energy *energy) {
  if (energy->inter_moving == 0 && energy->intra_flex == 0) return;
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

void score_print(const score_state *state, const score_line *line) {
  if (state->json) {
    print_json(state, line);
    fflush(stdout);
    return;
  }
  const bt_energy *e = &line->energy;
  printf("%-20s %5d %10.4f %10.4f %10.4f %10.4f %10.4f %10.4f %10.4f %10.4f\n", line->ligand, line->pose, e->inter,
         e->inter_vdw_hbond, e->inter_electrostatic, e->inter_desolvation, e->intra, e->torsional, e->total,
         e->free_energy);
  if (e->atoms_outside > 0)
    printf("%26s %d atom%s outside the box: the energies contain penalties\n", "", e->atoms_outside,
           e->atoms_outside == 1 ? " is" : "s are");
  print_flexible(e);
  if (line->opt_input != NULL)
    printf("%26s minimised from inter %.4f, intra %.4f; the pose moved by %.3f Angstrom\n", "", line->opt_input->inter,
           line->opt_input->intra, line->rmsd);
  if (line->opt_atoms != NULL) print_atoms(line);
  if (line->opt_pairs != NULL) print_pairs(line);
}
