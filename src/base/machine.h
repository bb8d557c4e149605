/* machine.h - resources of the machine. */
#ifndef BERTH_BASE_MACHINE_H
#define BERTH_BASE_MACHINE_H

/* Bytes of memory that this process may use: the machine's, or less where a container, a batch system's control group
 * or `ulimit -v` allows less. 0: not known. */
double bt_machine_memory(void);

#endif
