/* cpu.h - the CPU back ends of this build, one per instruction set, best first. */
#ifndef BERTH_BACKEND_CPU_CPU_H
#define BERTH_BACKEND_CPU_CPU_H

#include "backend/backend.h"

int bt_cpu_backend_count(void);
const bt_backend *bt_cpu_backend_get(int index);

#endif
