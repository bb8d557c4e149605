/* bar.h - the progress bar of AutoDock Vina and its descendants: stars on standard output. */
#ifndef BERTH_CLI_OUTPUT_BAR_H
#define BERTH_CLI_OUTPUT_BAR_H

/* stars: those printed so far. */
void cli_bar_start(int *stars);
void cli_bar_show(int *stars, double fraction);

#endif
