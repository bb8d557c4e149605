/* protocol.c - how ligands are docked and ranked where nothing else is chosen. */
#include <berth/networks.h>
#include <berth/target.h>
#include <stdio.h>

/* Networks rank best (decision 028); without them, no function orders Vina's poses better than Vina (decision 033). */
bt_protocol bt_protocol_default(void) {
  const char *rescore = bt_networks_installed(NULL) ? "cnn" : "";
  bt_protocol protocol = {.size = sizeof protocol,
                          .scoring = BT_SCORING_VINA,
                          .rescore = rescore,
                          .rank_by = bt_rank_default(rescore),
                          .strain = BT_STRAIN_CLUSTERS,
                          .search = bt_dock_options_default(),
                          .networks = bt_networks_default(),
                          .checks = BT_CHECKS_ON,
                          .metals = true};
  bt_effort_apply(BT_EFFORT_NORMAL, 0, &protocol.search);
  return protocol;
}

void bt_protocol_words(const bt_protocol *protocol, char *text, size_t size) {
  const char *rescore = protocol->rescore;
  int n = snprintf(text, size, "%s", bt_scoring_name(protocol->scoring));
  if (rescore == NULL || *rescore == '\0') return;
  n += snprintf(text + n, size - (size_t)n, ", clusters by ");
  for (const char *c = rescore; *c != '\0' && (size_t)n + 2 < size; c++)
    n += snprintf(text + n, size - (size_t)n, *c == ',' ? ", " : "%c", *c);
  if ((size_t)n < size) snprintf(text + n, size - (size_t)n, " (%s)", bt_rank_name(protocol->rank_by));
}
