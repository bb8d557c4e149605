/* cpu.c - the CPU's instruction sets as back ends. */
#include "backend/cpu/cpu.h"

#include "backend/cpu/runtime.h"
#include "engine/ad4/device_job.h"
#include "engine/ad4/device_table.h"

static const bt_backend backend_table[] = {
#define LINE(isa, number, description) BT_DEVICE_ENTRY("cpu/" #isa, bt_runtime_cpu, number),
    BT_CPU_ISAS(LINE)
#undef LINE
};

int bt_cpu_backend_count(void) { return BT_CPU_COUNT; }

const bt_backend *bt_cpu_backend_get(int index) { return &backend_table[index]; }
