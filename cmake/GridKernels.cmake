# The kernels of src/grid: one source, compiled once per instruction set and selected at startup (src/grid/kernels.c).
set(BERTH_GRID_ISAS base)
set(BERTH_GRID_FLAGS_avx2 -mavx2 -mfma)
set(BERTH_GRID_FLAGS_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND BERTH_GRID_ISAS avx2 avx512)
endif()

foreach(isa IN LISTS BERTH_GRID_ISAS)
  add_library(berth_grid_${isa} OBJECT src/grid/kernel/kernels.c)
  target_include_directories(berth_grid_${isa} PRIVATE include src)
  target_compile_definitions(berth_grid_${isa} PRIVATE BT_GRID_ISA=${isa} BT_CPU_ISA_${isa}=1)
  target_link_libraries(berth_grid_${isa} PRIVATE berth_flags)
  target_compile_options(berth_grid_${isa} PRIVATE -Wno-psabi ${BERTH_GRID_FLAGS_${isa}})
  # They write only what the calling thread owns; one set is enough to see a race, and loads of whole vectors are slow.
  if(BERTH_SANITIZE MATCHES "thread" AND NOT isa STREQUAL "base")
    set_target_properties(berth_grid_${isa} PROPERTIES BERTH_UNSANITIZED all)
  endif()
  target_sources(berth PRIVATE $<TARGET_OBJECTS:berth_grid_${isa}>)
endforeach()
# allows contraction of a*b+c to an FMA and turns comparisons into masks; as a source property this comes after the
# project's flags
set_source_files_properties(src/grid/kernel/kernels.c PROPERTIES
  COMPILE_OPTIONS "-ffp-contract=fast;-fno-trapping-math")
