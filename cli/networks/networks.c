/* networks.c - `berth networks`: the networks that are installed, and installing others. */
#include <berth/networks.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/options.h"
#include "common/report.h"

static const char program[] = "berth networks";

static const char details[] =
    "A network scores poses by what it has learned from crystal structures. Each is a file NAME.btn. Without words "
    "the\n"
    "networks that are installed are listed. `install` takes networks of the architectures default2018 and dense, "
    "those of\n"
    "gnina 1.0: state dictionaries written by PyTorch (.pt), files of Berth (.btn), and archives of them (.whl, "
    ".zip);\n"
    "nothing in them is run, and PyTorch is not needed. docs/networks.md says where networks come from, and their "
    "licenses.\n"
    "Searched are, in this order, $BERTH_NETWORKS, $XDG_DATA_HOME/berth/networks or ~/.local/share/berth/networks, "
    "and\n"
    "share/berth/networks of the installation. Exit code: 0 done, 1 a file was none that can be installed.";

static const char examples[] =
    "  berth networks\n"
    "  pip download gninatorch==0.0.2 --no-deps\n"
    "  berth networks install gninatorch-0.0.2-py3-none-any.whl\n"
    "      the twenty networks of gnina 1.0\n"
    "  berth networks install mine.pt --to networks\n"
    "      BERTH_NETWORKS=networks makes other commands find it";

/* What is printed, and how it went. */
typedef struct listing {
  bool json, quiet, failed;
  int count;
  bt_error error; /* if it failed */
} listing;

static bt_status print_json(const bt_network *n, bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  char hash[17];
  snprintf(hash, sizeof hash, "%016" PRIx64, n->hash);
  bt_json_printf(&json, "{ name %s architecture %s parameters %" PRId64 " hash %s source %s path %s }", n->name,
                 n->architecture, n->parameters, hash, n->source, n->path);
  return cli_print_json(&text, error);
}

static void tell(void *user, const bt_network *n, const bt_error *opt_trouble) {
  listing *l = user;
  char text[2048];
  if (opt_trouble != NULL) {
    cli_warning(program, "left out: %s", bt_error_format(opt_trouble, text, sizeof text));
    return;
  }
  l->count++;
  if (l->quiet || l->failed) return;
  if (l->json) {
    l->failed = print_json(n, &l->error) != BT_OK;
    return;
  }
  if (l->count == 1) printf("%-24s %-13s %10s  %s\n", "name", "architecture", "parameters", "file");
  BT_SCOPED char *path = cli_format("%s", n->path);
  printf("%-24s %-13s %10" PRId64 "  %s\n", n->name, n->architecture, n->parameters,
         path != NULL ? cli_one_line(path) : "");
}

static int list(listing *l) {
  bt_error error;
  if (bt_networks_list(tell, l, &error) != BT_OK) return cli_fail(program, &error);
  if (l->failed) return cli_fail(program, &l->error);
  if (l->count == 0 && !l->json && !l->quiet)
    puts("no network is installed; berth networks --help says how to get those of gnina 1.0");
  return CLI_EXIT_OK;
}

static int install(listing *l, const cli_list *words, const char *opt_folder) {
  int exit_code = CLI_EXIT_OK;
  bt_error error;
  for (int f = 1; f < words->count && exit_code == CLI_EXIT_OK; f++) {
    if (bt_networks_install(words->items[f], opt_folder, tell, l, &error) != BT_OK)
      exit_code = cli_fail(program, &error);
    if (exit_code == CLI_EXIT_OK && l->failed) exit_code = cli_fail(program, &l->error);
  }
  return exit_code;
}

static int run(listing *l, const cli_list *words, const char *opt_folder) {
  if (words->count == 0 && opt_folder == NULL) return list(l);
  if (words->count == 0)
    return cli_message(program, "--to has no effect without install; write berth networks install FILE --to FOLDER"),
           CLI_EXIT_BAD;
  if (strcmp(words->items[0], "install") != 0)
    return cli_message(program, "unknown word '%s'; write berth networks, or berth networks install FILE",
                       words->items[0]),
           CLI_EXIT_BAD;
  if (words->count == 1)
    return cli_message(program, "install needs a file: a .pt, .btn or .whl; see berth networks --help"), CLI_EXIT_BAD;
  return install(l, words, opt_folder);
}

int cmd_networks(int argc, char **argv) {
  listing l = {0};
  const char *folder = NULL;
  cli_list words = {0};
  cli_option options[] = {
      {.group = "Options",
       OPT_STRING("to", 0, &folder, "FOLDER", "with install: where to, instead of the first folder")},
      {OPT_FLAG("json", 0, &l.json, "one JSON object per network and line")},
      {OPT_FLAG("quiet", 'q', &l.quiet, "print only what was left out")},
  };
  cli_spec spec = {program,
                   "list and install networks that score poses",
                   "[install FILE... [--to FOLDER]] [--json]",
                   details,
                   examples,
                   CLI_TABLE(options),
                   &words};
  int exit_code = CLI_EXIT_BAD;
  if (cli_parse(&spec, argc, argv, &exit_code)) exit_code = run(&l, &words, folder);
  cli_list_free(&words);
  return exit_code;
}
