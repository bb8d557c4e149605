# The CPU back end: one kernel source, compiled once per instruction set and chosen at start.
file(GLOB BERTH_CPU_SOURCES CONFIGURE_DEPENDS src/backend/cpu/*.c)
target_sources(berth PRIVATE ${BERTH_CPU_SOURCES})
