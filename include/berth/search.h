/* search.h - settings of a docking by their names: levels of effort, local searches.
 *
 *     bt_effort effort;
 *     if (bt_effort_find("thorough", &effort))
 *       bt_effort_apply(effort, 0, &options);
 *
 * Conventions and the example's options are those of berth.h. Nothing here can fail otherwise than by a name that is
 * not known.
 */
#ifndef BERTH_SEARCH_H
#define BERTH_SEARCH_H

#include <berth/berth.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Screen: 10 runs of 12,000 evaluations. Normal: 20 runs whose evaluations follow from the number of torsions.
 * Thorough: 100 runs of as many evaluations each as normal has, without autostop. */
typedef enum bt_effort { BT_EFFORT_SCREEN, BT_EFFORT_NORMAL, BT_EFFORT_THOROUGH } bt_effort;

/* "screen", "normal", "thorough"; all of them as "screen|normal|thorough" and "screen, normal, thorough". */
const char *bt_effort_name(bt_effort effort);
const char *bt_effort_choices(void);
const char *bt_effort_words(void);
/* The level of that name; false if there is none. */
bool bt_effort_find(const char *name, bt_effort *ret_effort);

/* Members of bt_dock_options that the caller has chosen, which a level of effort leaves as they are. */
typedef enum bt_chosen {
  BT_CHOSEN_RUNS = 1,
  BT_CHOSEN_EVALUATIONS = 2, /* means no heuristics, unless these were chosen as well */
  BT_CHOSEN_HEURISTICS = 4,
  BT_CHOSEN_AUTOSTOP = 8,
  BT_CHOSEN_LIMIT = 16 /* evaluations, where heuristics give their number: as a limit to it. Otherwise heuristics_max
                        * alone limits them */
} bt_chosen;

/* Sets runs, evaluations, heuristics, heuristics_runs and autostop as the level has them. chosen: bt_chosen, by "|";
 * the other members of options are read as they are. */
void bt_effort_apply(bt_effort effort, unsigned chosen, bt_dock_options *options);

/* "none", "solis-wets", "adadelta", "adam"; in that order, as "none|solis-wets|..." and "none, solis-wets, ...". */
const char *bt_local_search_name(bt_local_search method);
const char *bt_local_search_choices(void);
const char *bt_local_search_words(void);
/* The method of that name; false if there is none. */
bool bt_local_search_find(const char *name, bt_local_search *ret_method);

#ifdef __cplusplus
}
#endif

#endif
