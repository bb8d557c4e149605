# The CPU back end: one kernel source, compiled once per instruction set and chosen at start.
# To add a set: one line here, one in src/backend/cpu/isa.h, its operations in lane.h.
set(BERTH_CPU_ISAS scalar)
set(BERTH_ISA_FLAGS_scalar -fno-tree-vectorize)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND BERTH_CPU_ISAS sse2 avx2 avx512)
  set(BERTH_ISA_FLAGS_avx2 -mavx2 -mfma)
  set(BERTH_ISA_FLAGS_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  list(APPEND BERTH_CPU_ISAS neon)
endif()

foreach(isa IN LISTS BERTH_CPU_ISAS)
  add_library(berth_cpu_${isa} OBJECT src/backend/cpu/kernels.c)
  target_include_directories(berth_cpu_${isa} PRIVATE include src)
  target_compile_definitions(berth_cpu_${isa} PRIVATE BT_CPU_ISA=${isa} BT_CPU_ISA_${isa}=1)
  target_link_libraries(berth_cpu_${isa} PRIVATE berth_flags)
  # vectors are passed between inlined functions only
  target_compile_options(berth_cpu_${isa} PRIVATE -Wno-psabi ${BERTH_ISA_FLAGS_${isa}})
  if(BERTH_BUILD_FUZZERS) # parsers are fuzzed, kernels are not: spare the time of instrumenting them
    target_compile_options(berth_cpu_${isa} PRIVATE -fno-sanitize=all -O1)
  endif()
  target_sources(berth PRIVATE $<TARGET_OBJECTS:berth_cpu_${isa}>)
endforeach()
# a*b+c becomes one instruction where there is one; as a source property it comes after the project's flags
set_source_files_properties(src/backend/cpu/kernels.c PROPERTIES COMPILE_OPTIONS -ffp-contract=fast)
target_sources(berth PRIVATE src/backend/cpu/cpu.c src/backend/cpu/isa.c src/backend/cpu/ligand.c
  src/backend/cpu/maps.c)
