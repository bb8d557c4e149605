/* search.h - docking settings by name: effort levels, local searches.
 *
 *     bt_effort effort;
 *     if (bt_effort_find("thorough", &effort))
 *       bt_effort_apply(effort, 0, &options);
 *
 * Conventions and the example's options are those of berth.h. The only failure here is an unknown name.
 */
#ifndef BERTH_SEARCH_H
#define BERTH_SEARCH_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Screen: 10 runs of 12,000 evaluations, one pose. Normal: 20 runs, with evaluations by the number of torsions. Thorough:
 * 100 runs with the evaluations of normal each, without autostop. */
typedef enum bt_effort { BT_EFFORT_SCREEN, BT_EFFORT_NORMAL, BT_EFFORT_THOROUGH } bt_effort;

/* "screen", "normal", "thorough"; all of them: "screen|normal|thorough". */
const char *bt_effort_name(bt_effort effort);
const char *bt_effort_choices(void);
/* The level of that name; false if there is no such level. */
bool bt_effort_find(const char *name, bt_effort *ret_effort);

/* Members of bt_dock_options set by the caller, which an effort level leaves unchanged. */
typedef enum bt_chosen {
  BT_CHOSEN_RUNS = 1,
  BT_CHOSEN_EVALUATIONS = 2, /* implies no heuristics, unless those are chosen as well */
  BT_CHOSEN_HEURISTICS = 4,
  BT_CHOSEN_AUTOSTOP = 8,
  BT_CHOSEN_POSES = 32,
  BT_CHOSEN_LIMIT = 16 /* evaluations act as a limit where heuristics determine their number; otherwise heuristics_max
                        * alone does */
} bt_chosen;

/* Sets runs, evaluations, heuristics, heuristics_runs, autostop and poses to the values of the level. chosen: bt_chosen flags
 * joined by "|"; the other members of options are not changed. */
void bt_effort_apply(bt_effort effort, unsigned chosen, bt_dock_options *options);

/* "none", "solis-wets", "adadelta", "adam"; all of them: "none|solis-wets|...". */
const char *bt_local_search_name(bt_local_search method);
const char *bt_local_search_choices(void);

#ifdef __cplusplus
}
#endif

#endif
