/* other_programs.c - options of other docking programs, for hints in messages. docs/coming-from.md explains them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/options.h"
#include "common/report.h"

/* own: what the hint is about, without dashes; of several options that of the program. A hint of NULL: "use --own". */
static const struct {
  const char *name, *own, *opt_hint;
} others[] = {
    /* AutoDock Vina, smina, gnina */
    {"autobox_add", "padding", NULL},
    {"autobox_ligand", "autobox", NULL},
    {"batch", "ligand|library", NULL},
    {"center_x", "center", "use --center X,Y,Z"},
    {"center_y", "center", "use --center X,Y,Z"},
    {"center_z", "center", "use --center X,Y,Z"},
    {"cnn_scoring", "rescore", "use --rescore cnn, or `berth gnina`"},
    {"config", "center", "use --center and --size, or `berth vina --config`"},
    {"cpu", "threads", NULL},
    {"dir", "output", NULL},
    {"energy_range", "energy-range", NULL},
    {"exhaustiveness", "runs", NULL},
    {"flexdist", "flex", "name the side chains: --flex A:ARG8,A:ASP25"},
    {"flexdist_ligand", "flex", "name the side chains: --flex A:ARG8,A:ASP25"},
    {"local_only", "runs", "use `berth score --minimize`"},
    {"log", "output", "redirect standard output"},
    {"max_evals", "evals", NULL},
    {"min_rmsd", "rmsd-tolerance", NULL},
    {"minimize", "runs", "use `berth score --minimize`"},
    {"num_modes", "poses", NULL},
    {"out", "output", NULL},
    {"score_only", "runs", "use `berth score`"},
    {"search_mode", "effort", "use --effort screen, normal or thorough"},
    {"size_x", "size", "use --size X,Y,Z"},
    {"size_y", "size", "use --size X,Y,Z"},
    {"size_z", "size", "use --size X,Y,Z"},
    {"verbosity", "quiet", NULL},
    {"write_maps", "write-maps", NULL},
    /* AutoDock-GPU */
    {"asfreq", "autostop-interval", NULL},
    {"contact_analysis", "contacts", NULL},
    {"devnum", "device", "use --device cuda:0, with devices numbered from 0"},
    {"ffile", "receptor", NULL},
    {"filelist", "ligand|library", NULL},
    {"flexres", "flex", NULL},
    {"heurmax", "heuristics-max", NULL},
    {"import_dpf", "import-dpf", NULL},
    {"lfile", "ligand|library", NULL},
    {"lsit", "local-search-iterations", NULL},
    {"lsmet", "local-search", NULL},
    {"lsrat", "local-search-rate", NULL},
    {"nev", "evals", NULL},
    {"ngen", "generations", NULL},
    {"nrun", "runs", NULL},
    {"psize", "population", NULL},
    {"resnam", "output", NULL},
    {"rmstol", "rmsd-tolerance", NULL},
    {"stopstd", "autostop-tolerance", NULL},
    {"xraylfile", "reference", NULL},
};

/* Capitals and dashes in the place of underscores are the same. */
static bool is_same(const char *word, const char *name) {
  while (*word != '\0' && (*word == '-' ? '_' : tolower((unsigned char)*word)) == *name) word++, name++;
  return *word == '\0' && *name == '\0';
}

/* The first of "a|b" that the program has; NULL: none. */
static const char *find_own(const cli_spec *spec, const char *words) {
  for (const char *from = words; from != NULL;) {
    size_t length = strcspn(from, "|");
    for (int i = 0; i < spec->n_options; i++)
      if (strlen(spec->options[i].name) == length && strncmp(spec->options[i].name, from, length) == 0)
        return spec->options[i].name;
    from = from[length] == '|' ? from + length + 1 : NULL;
  }
  return NULL;
}

bool cli_other_program_hint(const cli_spec *spec, const char *name, char *hint, size_t size) {
  for (int k = 0; k < CLI_COUNT(others); k++) {
    if (!is_same(name, others[k].name)) continue;
    const char *own = find_own(spec, others[k].own);
    if (own == NULL) return false;
    if (others[k].opt_hint != NULL)
      snprintf(hint, size, "%s", others[k].opt_hint);
    else
      snprintf(hint, size, "use --%s", own);
    return true;
  }
  return false;
}
