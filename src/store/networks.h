/* networks.h - lists of networks with the hashes of their numbers: "dense:66848962fa159c56,dense_3:a4a0ab8f34c07074".
 */
#ifndef BERTH_STORE_NETWORKS_H
#define BERTH_STORE_NETWORKS_H

#include "base/text/text.h"

/* How two lists differ: the first network that is not the same in both. */
typedef struct bt_network_difference {
  bt_span name;
  bt_span known, other; /* its hash in the two lists; "none": it is not in that one */
} bt_network_difference;

/* Spans of the result are in the lists. */
bool bt_networks_differ(const char *known, const char *other, bt_network_difference *ret_difference);

#endif
