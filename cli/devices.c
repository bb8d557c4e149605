/* devices.c - `berth devices`: the devices of this machine, and why some cannot be used. */
#include <berth/berth.h>
#include <berth/score.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/options.h"
#include "common/report.h"

static bt_status print_json(const bt_device_info *device, bt_error *error) {
  bt_text text = {0};
  bt_json json = cli_json_start(&text);
  bt_json_printf(&json, "{ name %s description %s driver %s usable %hhd reason %s accelerator %hhd", device->name,
                 device->description, device->driver, device->usable, device->reason, device->accelerator);
  bt_json_printf(&json, "memory_bytes %" PRIu64 " cores %d threads %d lanes %d poses %d teams [", device->memory,
                 device->cores, device->threads, device->lanes, device->poses);
  for (int t = 0; t < device->n_teams; t++) bt_json_integer(&json, device->teams[t]);
  bt_json_printf(&json, "] reductions [");
  for (int r = 0; bt_reduction_name(r) != NULL; r++)
    if ((device->reductions >> r & 1u) != 0) bt_json_string(&json, bt_reduction_name(r));
  bt_json_printf(&json, "] }");
  return cli_print_json(&text, error);
}

static void print_line(const bt_device_info *device) {
  char cores[16] = "", memory[16] = "", teams[64] = "";
  if (device->cores > 0) snprintf(cores, sizeof cores, "%d", device->cores);
  if (device->memory > 0) snprintf(memory, sizeof memory, "%.1f GB", (double)device->memory * 1e-9);
  for (int t = 0; t < device->n_teams; t++) {
    size_t used = strlen(teams);
    snprintf(teams + used, sizeof teams - used, "%s%d", t > 0 ? "," : "", device->teams[t]);
  }
  printf("%-12s %-6s %7s %8s %-15s  %s%s%s%s%s\n", device->name, device->usable ? "yes" : "no", cores, memory, teams,
         device->description, device->driver[0] != '\0' ? ", " : "", device->driver,
         device->reason[0] != '\0' ? ": " : "", device->reason);
}

int cmd_devices(int argc, char **argv) {
  bool json = false;
  cli_option options[] = {{.group = "Options", OPT_FLAG("json", 0, &json, "one JSON object per device and line")}};
  cli_spec spec = {"berth devices", "list the devices of this machine, and why some cannot be used", "[--json]",
                   "--device auto takes the first usable device of the list. teams: numbers of GPU lanes that "
                   "can\nshare one pose (--team).",
                   "  berth devices\n  berth devices --json | jq -r 'select(.usable).name'", CLI_TABLE(options), NULL};
  int exit_code;
  if (!cli_parse(&spec, argc, argv, &exit_code)) return exit_code;

  int count = bt_device_count();
  if (!json) printf("%-12s %-6s %7s %8s %-15s  %s\n", "name", "usable", "cores", "memory", "teams", "description");
  for (int i = 0; i < count; i++) {
    bt_device_info device = bt_device(i);
    bt_error error;
    if (!json)
      print_line(&device);
    else if (print_json(&device, &error) != BT_OK)
      return cli_fail(spec.program, &error);
  }
  return CLI_EXIT_OK;
}
