# berth-bench, which `berth bench` runs: unlike the other programs, it uses the library's internals.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*/*.c)
list(FILTER bench_sources EXCLUDE REGEX "(kernel_loop|library|simulated_gpu/[a-z_]+)\\.c$")
add_library(berth_bench_objects STATIC ${bench_sources})
target_include_directories(berth_bench_objects PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src ${TABLES})
target_link_libraries(berth_bench_objects PUBLIC berth_cli berth PRIVATE berth_flags)
# The stages of an FPGA's model are the scalar kernels, compiled as those are (BackendCpu.cmake).
set_source_files_properties(bench/fpga/stages.c PROPERTIES
  COMPILE_DEFINITIONS "BT_CPU_ISA_scalar=1;BT_TEAM=1;BT_POSES=1;BT_REDUCTION=1"
  COMPILE_OPTIONS "-fno-tree-vectorize;-Wno-psabi;-ffp-contract=fast")
add_executable(berth_bench bench/main_bench.c)
target_link_libraries(berth_bench PRIVATE berth_bench_objects berth_flags)
set_target_properties(berth_bench PROPERTIES OUTPUT_NAME berth-bench)
install(TARGETS berth_bench RUNTIME DESTINATION bin)

# kernel_loop: for bench/scripts/instructions.py; library: libraries read, for docs/screening.md.
foreach(tool IN ITEMS evals/kernel_loop library/library)
  get_filename_component(target ${tool} NAME)
  add_executable(${target} EXCLUDE_FROM_ALL bench/${tool}.c)
  target_link_libraries(${target} PRIVATE berth_bench_objects berth_flags)
endforeach()

# A driver without a GPU, for screens on several that are not there.
add_subdirectory(bench/simulated_gpu)
