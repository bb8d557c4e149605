/* protocol.h - --scoring, --rescore and --rank-by, whose default is one for all commands that dock. */
#ifndef BERTH_CLI_INPUT_PROTOCOL_H
#define BERTH_CLI_INPUT_PROTOCOL_H

#include <berth/networks.h>
#include <berth/target.h>
#include <stdio.h>

#include "common/options.h"

typedef struct cli_protocol {
  int scoring;                /* bt_scoring; negative: that of another engine */
  const char *opt_rescore;    /* names of re-scorers */
  const char *opt_networks;   /* of the re-scorer cnn */
  int rank_by;                /* bt_rank_by */
  bool is_default;            /* bt_protocol_default, without --scoring */
  const char *opt_ad4_option; /* the option that made AutoDock 4 the default */
} cli_protocol;

cli_protocol cli_protocol_default(void);

/* Entries for a program's table of options; p is an lvalue of type cli_protocol. */
/* clang-format off */
#define CLI_PROTOCOL_OPTIONS(p)                                                                                        \
  {OPT_CHOICE("scoring", 0, &(p).scoring, bt_scoring_choices(),                                                        \
   "scoring function of the search: AutoDock 4, Vina or Vinardo"),                                                     \
   .opt_default = "vina with --rescore cnn, see below"},                                                               \
  CLI_RESCORE_OPTIONS(NULL, p)
#define CLI_RESCORE_OPTIONS(heading, p)                                                                                \
  {.group = heading, OPT_STRING("rescore", 0, &(p).opt_rescore, "LIST",                                                \
   "also score the best pose of each cluster with these functions, which minimize it first, and re-rank the "          \
   "clusters, e.g. vinardo,ad4; cnn: gnina's networks, which score the pose as it is; none: no re-ranking")},          \
  {OPT_STRING("cnn", 0, &(p).opt_networks, "LIST",                                                                     \
   "networks of --rescore cnn: gnina (the five of gnina 1.0), staged (one of them for all poses, the others for "      \
   "those that may be the best), fast (the three small ones), names as of berth networks, .pt or .btn files"),         \
   .opt_default = bt_networks_default()},                                                                              \
  {OPT_CHOICE("rank-by", 0, &(p).rank_by, bt_rank_choices(),                                                           \
   "with --rescore: by the last function alone, the sum of ranks, the mean relative distance from the best energy, "   \
   "or the sum of the docking's energy and all scores, for networks")}
/* clang-format on */

/* Words on it for details of help. */
#define CLI_PROTOCOL_HELP                                                                                              \
  "Without --scoring, poses are searched with Vina and re-ranked by gnina's networks (--rescore cnn --rank-by sum),\n" \
  "the most successful protocol in our tests, if they are installed (berth networks). Maps from a .maps.fld are\n"     \
  "used with their own function, without re-ranking. Options for AutoDock 4 only (--parameters, --torsional,\n"        \
  "--hydrated, --zinc, --import-dpf, dlg or xml in --format) select ad4, with a note. With --scoring, poses are\n"     \
  "re-ranked only if --rescore is given; --rescore none switches re-ranking off.\n"

/* The option, if any was given, that applies to AutoDock 4's function only. */
const char *cli_ad4_option(const cli_spec *spec);
/* False, after a message, if one was given with another function. */
bool cli_scoring_check(const cli_spec *spec, int scoring);
/* Chooses what was not given: the function of the receptor's maps; AutoDock 4 if an option applies only to it
 * (opt_reason: another one that was); otherwise the default. False, after a message, if the options contradict. */
bool cli_protocol_choose(const cli_spec *spec, const char *receptor, const char *opt_reason, cli_protocol *protocol);
/* Checks --rescore, --cnn and --rank-by, and chooses the order if none was given. False, after a message. */
bool cli_rescore_check(const cli_spec *spec, const char *receptor, cli_protocol *protocol);
/* For bt_target_open_with; members other than these three are the defaults. */
bt_protocol cli_protocol_of(const cli_protocol *protocol, const bt_dock_options *search);
/* What the target made of the default: the function at metal ions, if there are any. */
void cli_protocol_update(cli_protocol *protocol, const bt_target *target);
/* "CNN staged (sum)"; there is at least one re-scorer. */
void cli_rescorers_print(const cli_protocol *protocol, FILE *stream);
/* The line of a header. */
void cli_protocol_print(const cli_protocol *protocol, FILE *stream);

#endif
