/* report.c - AutoDock Vina's text and table, on standard output. */
#include <berth/score.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/bar.h"
#include "vina/vina.h"

void vina_print(const vina_settings *s, const char *text) {
  if (s->verbosity < 1) return;
  fputs(text, stdout);
  fflush(stdout);
}

static void print_axes(const char *label, const double values[3]) {
  printf("%s: X %g Y %g Z %g\n", label, values[0], values[1], values[2]);
}

void vina_print_header(const vina_settings *s, int n_ligands) {
  if (s->verbosity < 1) return;
  printf(
      "Berth %s\n"
      "If you use these scoring functions, please cite: O. Trott, A. J. Olson, J. Comp. Chem. (2010), DOI\n"
      "10.1002/jcc.21334; J. Eberhardt et al., J. Chem. Inf. Model. (2021), DOI 10.1021/acs.jcim.1c00203.\n\n",
      BT_VERSION);
  printf("Scoring function : %s\n", bt_scoring_name((bt_scoring)s->scoring));
  if (s->protocol.opt_rescore != NULL) {
    printf("Modes re-ranked by: ");
    cli_rescorers_print(&s->protocol, stdout);
    putchar('\n');
  }
  if (s->receptor != NULL) printf("Rigid receptor: %s\n", s->receptor);
  if (s->prepare.opt_flex != NULL) printf("Flex receptor: %s\n", s->prepare.opt_flex);
  if (s->many)
    printf("Ligands (batch mode): %d molecules\n", n_ligands);
  else if (!s->together)
    printf("Ligand: %s\n", s->ligand.items[0]);
  if (s->together) printf("Ligands:\n");
  for (int i = 0; s->together && i < s->ligand.count; i++) printf("  - %s\n", s->ligand.items[i]);
  if (s->receptor != NULL && s->autobox) {
    printf("Grid center: ligand center (autobox)\nGrid size  : ligand size + 4 A in each dimension (autobox)\n");
  } else if (s->receptor != NULL) {
    print_axes("Grid center", s->center);
    print_axes("Grid size  ", s->size);
  }
  if (s->receptor != NULL) printf("Grid space : %g\n", s->spacing);
  printf("Exhaustiveness: %d\nCPU: %d\nVerbosity: %d\n\n", s->exhaustiveness, s->cpu, s->verbosity);
  fflush(stdout);
}

static void print_term(const char *label, double energy) {
  if (fabs(energy) < 0.0005) energy = 0.0; /* no -0.000 */
  printf("%-35s: %.3f (kcal/mol)", label, energy);
}

void vina_print_energy(const vina_settings *s, const bt_energy *e) {
  double unbound = e->inter + e->intra + e->torsional - e->free_energy;
  bool affinity = bt_scoring_traits_of((bt_scoring)s->scoring)->affinity;
  print_term("Estimated Free Energy of Binding", e->free_energy);
  printf(" [=(1)+(2)+(3)-(4)]\n");
  const struct {
    const char *label;
    double energy;
  } terms[] = {
      {"(1) Final Intermolecular Energy", e->inter},
      {"    Ligand - Receptor", e->inter - e->inter_moving},
      {"    Ligand - Flex side chains", e->inter_moving}, /* Vina counts other ligands here */
      {"(2) Final Total Internal Energy", e->intra},
      {"    Ligand", e->intra - e->intra_flex},
      {"    Flex   - Receptor", e->intra_flex_fixed},
      {"    Flex   - Flex side chains", e->intra_flex - e->intra_flex_fixed},
      {"(3) Torsional Free Energy", e->torsional},
      {affinity ? "(4) Unbound System's Energy" : "(4) Unbound System's Energy [=(2)]", unbound},
  };
  for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
    print_term(terms[i].label, terms[i].energy);
    putchar('\n');
  }
  fflush(stdout);
}

/* Columns behind Vina's: the score of each re-scorer or, where it says more in values of their own, these. */
static int n_columns(const bt_rescored *of) { return of->n_values > 0 ? of->n_values : 1; }
static const char *column_name(const bt_rescored *of, int v) {
  return of->n_values > 0 ? of->value_names[v] : of->title;
}
static int column_width(const bt_rescored *of, int v) {
  int length = (int)strlen(column_name(of, v));
  return length > 10 ? length : 10; /* "(kcal/mol)" */
}

/* Their part of a line of the heading: names, units or a rule. */
static void print_column_heads(const bt_result *result, int line) {
  for (int k = 0; k < bt_result_rescored_count(result); k++) {
    const bt_rescored of = bt_result_rescored(result, 0, k);
    bool energy = !of.unitless && of.n_values == 0;
    for (int v = 0; v < n_columns(&of); v++) {
      int width = column_width(&of, v);
      if (line == 0) printf(" | %*s", width, column_name(&of, v));
      if (line == 1) printf(" | %*s", width, energy ? "(kcal/mol)" : "-");
      for (int c = 0; line == 2 && c < width + 3; c++) putchar(c == 1 ? '+' : '-');
    }
  }
  putchar('\n');
}

void vina_print_modes(const vina_settings *s, const bt_result *result, const bt_mode *modes, int count) {
  if (s->verbosity < 1) return;
  bool scored = bt_result_rescored_count(result) > 0;
  printf("\nmode |   affinity | dist from best mode%s", scored ? " " : "");
  print_column_heads(result, 0);
  printf("     | (kcal/mol) | rmsd l.b.| rmsd u.b.");
  print_column_heads(result, 1);
  printf("-----+------------+----------+----------");
  print_column_heads(result, 2);
  for (int m = 0; m < count; m++) {
    double values[] = {modes[m].energy.free_energy, modes[m].rmsd_lower, modes[m].rmsd_upper};
    printf("%4d  ", m + 1);
    for (int k = 0; k < 3; k++) printf(s->verbosity > 1 ? "  %9.4f" : "  %9.4g", values[k]);
    for (int k = 0; k < bt_result_rescored_count(result); k++) {
      const bt_rescored of = bt_result_rescored(result, modes[m].cluster - 1, k);
      for (int v = 0; v < n_columns(&of); v++)
        printf(s->verbosity > 1 ? "%s%*.4f" : "%s%*.4g", k + v == 0 ? "    " : "   ", column_width(&of, v),
               of.n_values > 0 ? of.values[v] : of.score);
    }
    putchar('\n');
  }
  if (scored) printf("Modes in the order of --rank-by %s\n", bt_rank_name((bt_rank_by)s->protocol.rank_by));
  fflush(stdout);
}

void vina_bar_start(const vina_settings *s, int *stars) {
  *stars = 0;
  if (s->verbosity < 1) return;
  printf("Performing docking (random seed: %lld) ... \n", (long long)s->seed);
  if (!s->many) cli_bar_start(stars);
  fflush(stdout);
}

void vina_bar_show(const vina_settings *s, int *stars, double fraction) {
  if (s->verbosity > 0 && !s->many) cli_bar_show(stars, fraction);
}
