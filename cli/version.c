/* version.c - `berth --version`: version, commit and built-in features. */
#include <berth/build.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/report.h"

static void print_text(void) {
  printf("berth %s (commit %s)\n", bt_build_version(), bt_build_commit());
  for (int with = 1; with >= 0; with--) {
    const char *before = with ? "with    " : "without ";
    for (int f = 0; bt_build_feature(f).name != NULL; f++) {
      bt_feature feature = bt_build_feature(f);
      if (feature.built_in != (with == 1)) continue;
      printf("%s %-9s  %s\n", before, feature.name, feature.what);
    }
  }
}

static bt_status print_json(bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json, "{ version %s commit %s compiler %s features {", bt_build_version(), bt_build_commit(),
                 bt_build_compiler());
  for (int f = 0; bt_build_feature(f).name != NULL; f++) {
    bt_feature feature = bt_build_feature(f);
    bt_json_key(&json, feature.name);
    bt_json_bool(&json, feature.built_in);
  }
  bt_json_printf(&json, "} }");
  return cli_print_json(&text, error);
}

int cli_version(int argc, char **argv) {
  bool json = argc == 3 && strcmp(argv[2], "--json") == 0;
  if (argc > 2 && !json) {
    cli_message("berth", "unknown argument '%s' of %s; only --json is accepted", argv[2], argv[1]);
    return CLI_EXIT_BAD;
  }
  bt_error error;
  if (json && print_json(&error) != BT_OK) return cli_fail("berth", &error);
  if (!json) print_text();
  return CLI_EXIT_OK;
}
