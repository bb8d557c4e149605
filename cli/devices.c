/* devices.c - `berth devices`: what can be used here, and why something cannot. */
#include <stdio.h>

#include "commands.h"
#include "json.h"
#include "options.h"
#include "report.h"

int cmd_devices(int argc, char **argv) {
  bool json = false;
  cli_option options[] = {
      {.group = "Options",
       .name = "json",
       .kind = CLI_FLAG,
       .target = &json,
       .help = "one JSON object per device and line"},
  };
  cli_spec spec = {
      .program = "berth devices",
      .summary = "what can be used on this machine, and why something cannot",
      .usage = "[--json]",
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_details = "The first usable device of the list is what --device auto takes.",
      .opt_examples = "  berth devices\n  berth devices --json | jq -r 'select(.usable).name'",
  };
  int exit_code;
  if (!cli_parse(&spec, argc, argv, &exit_code)) return exit_code;

  int count = bt_device_count();
  if (!json) printf("%-16s %-7s %7s %6s  %s\n", "name", "usable", "threads", "lanes", "description");
  for (int i = 0; i < count; i++) {
    bt_device_info device = bt_device(i);
    if (json) {
      fputs("{\"name\": ", stdout);
      cli_json_string(stdout, device.name);
      fputs(", \"description\": ", stdout);
      cli_json_string(stdout, device.description);
      printf(", \"usable\": %s, \"reason\": ", device.usable ? "true" : "false");
      cli_json_string(stdout, device.reason);
      printf(", \"threads\": %d, \"lanes\": %d}\n", device.threads, device.lanes);
    } else {
      printf("%-16s %-7s %7d %6d  %s%s%s\n", device.name, device.usable ? "yes" : "no", device.threads, device.lanes,
             device.description, device.reason[0] != '\0' ? ": " : "", device.reason);
    }
  }
  return CLI_EXIT_OK;
}
