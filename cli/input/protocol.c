/* protocol.c - see protocol.h. */
#include "input/protocol.h"

#include <berth/networks.h>
#include <string.h>

#include "common/report.h"
#include "input/inputs.h"

cli_protocol cli_protocol_default(void) {
  bt_protocol standard = bt_protocol_default();
  return (cli_protocol){.scoring = (int)standard.scoring, .rank_by = (int)standard.rank_by};
}

const char *cli_ad4_option(const cli_spec *spec) {
  static const char *const of_ad4[] = {"parameters", "torsional",  "hydrated",       "zinc", "smooth",
                                       "dielectric", "disorder-h", "nbp-unweighted", "gpf"};
  for (int k = 0; k < CLI_COUNT(of_ad4); k++)
    if (cli_given(spec, of_ad4[k])) return of_ad4[k];
  return NULL;
}

bool cli_scoring_check(const cli_spec *spec, int scoring) {
  const char *opt_name = scoring != BT_SCORING_AD4 ? cli_ad4_option(spec) : NULL;
  return opt_name == NULL ||
         cli_refuse(spec->program, "--%s is for AutoDock 4's scoring function only; remove it or --scoring %s",
                    opt_name, bt_scoring_name((bt_scoring)scoring));
}

/* The function of maps that were read from files. */
static bool scoring_of_maps(const cli_spec *spec, const char *fld_path, int *ret_scoring) {
  const char *none = NULL;
  bt_maps *maps = NULL;
  bt_error error;
  if (bt_maps_read(fld_path, &none, 0, &maps, &error) != BT_OK) return (void)cli_fail(spec->program, &error), false;
  *ret_scoring = (int)bt_maps_scoring(maps);
  bt_maps_destroy(maps);
  return true;
}

static bool has_networks(const char *opt_rescorers) {
  bt_rescorer_info by;
  for (int k = 0; opt_rescorers != NULL && (by = bt_rescorer(opt_rescorers, k)).name != NULL; k++)
    if (strcmp(by.name, "cnn") == 0) return true;
  return false;
}

bool cli_rescore_check(const cli_spec *spec, const char *receptor, cli_protocol *p) {
  const char *program = spec->program;
  bt_error error;
  if (p->opt_rescore != NULL && strcmp(p->opt_rescore, "none") == 0) p->opt_rescore = NULL;
  if (p->opt_networks != NULL && !has_networks(p->opt_rescore))
    return cli_refuse(program, "--cnn names the networks of --rescore cnn; add --rescore cnn or remove --cnn");
  if (p->opt_rescore == NULL)
    return !cli_given(spec, "rank-by") ||
           cli_refuse(program, "--rank-by needs --rescore LIST; add --rescore or remove --rank-by");
  if (!cli_given(spec, "rank-by")) p->rank_by = (int)bt_rank_default(p->opt_rescore);
  if (cli_path_ends(receptor, ".fld"))
    return cli_refuse(program, "--rescore needs the receptor's atoms; use a .pdb, .cif or .pdbqt receptor");
  const char *docking = p->scoring >= 0 ? bt_scoring_name((bt_scoring)p->scoring) : NULL;
  if (bt_rescorers_check(p->opt_rescore, docking, &error) == BT_OK) return true;
  return cli_refuse(program, "--rescore: %s; %s", error.message, error.remedy);
}

bool cli_protocol_choose(const cli_spec *spec, const char *receptor, const char *opt_reason, cli_protocol *p) {
  bool given = cli_given(spec, "scoring");
  if (!given && cli_path_ends(receptor, ".fld")) {
    if (!scoring_of_maps(spec, receptor, &p->scoring)) return false;
  } else if (!given) {
    bt_protocol standard = bt_protocol_default();
    p->opt_ad4_option = cli_ad4_option(spec) != NULL ? cli_ad4_option(spec) : opt_reason;
    p->is_default = p->opt_ad4_option == NULL;
    p->scoring = p->is_default ? (int)standard.scoring : BT_SCORING_AD4;
    if (p->is_default && p->opt_rescore == NULL && *standard.rescore != '\0') p->opt_rescore = standard.rescore;
  }
  return cli_scoring_check(spec, p->scoring) && cli_rescore_check(spec, receptor, p);
}

bt_protocol cli_protocol_of(const cli_protocol *protocol, const bt_dock_options *search) {
  bt_protocol p = bt_protocol_default();
  p.scoring = (bt_scoring)protocol->scoring;
  p.rescore = protocol->opt_rescore != NULL ? protocol->opt_rescore : "";
  p.rank_by = (bt_rank_by)protocol->rank_by;
  if (protocol->opt_networks != NULL) p.networks = protocol->opt_networks;
  p.metals = protocol->is_default;
  p.search = *search;
  return p;
}

void cli_protocol_update(cli_protocol *protocol, const bt_target *target) {
  protocol->scoring = (int)bt_target_protocol(target)->scoring;
}

void cli_rescorers_print(const cli_protocol *protocol, FILE *stream) {
  const char *names = protocol->opt_rescore;
  for (int k = 0; bt_rescorer(names, k).name != NULL; k++)
    fprintf(stream, "%s%s", k == 0 ? "" : " and ", bt_rescorer(names, k).title);
  if (has_networks(names))
    fprintf(stream, " %s", protocol->opt_networks != NULL ? protocol->opt_networks : bt_protocol_default().networks);
  fprintf(stream, " (%s)", bt_rank_name((bt_rank_by)protocol->rank_by));
}

void cli_protocol_print(const cli_protocol *protocol, FILE *stream) {
  fprintf(stream, "scoring   %s", bt_scoring_title((bt_scoring)protocol->scoring));
  if (protocol->opt_rescore != NULL) fputs(", clusters by ", stream);
  if (protocol->opt_rescore != NULL) cli_rescorers_print(protocol, stream);
  if (protocol->is_default && protocol->scoring == BT_SCORING_VINA_METALS)
    fputs(", since metal ions are in reach of the box; --scoring vina leaves their term out", stream);
  if (protocol->is_default && !bt_networks_installed(NULL))
    fputs(", the default without networks (berth networks --help)", stream);
  else if (protocol->is_default && protocol->scoring != BT_SCORING_VINA_METALS)
    fputs(", the default; --scoring ad4 gives AutoDock 4's energies", stream);
  fputc('\n', stream);
}
