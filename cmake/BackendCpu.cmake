# The CPU back end: one kernel source, compiled once per instruction set and selected at startup.
# To add a set: one line here, one in src/backend/cpu/cpu.h, its operations in lane.h.
set(BERTH_CPU_ISAS scalar)
set(BERTH_ISA_FLAGS_scalar -fno-tree-vectorize)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND BERTH_CPU_ISAS sse2 avx2 avx512)
  set(BERTH_ISA_FLAGS_avx2 -mavx2 -mfma)
  set(BERTH_ISA_FLAGS_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  list(APPEND BERTH_CPU_ISAS neon)
endif()

# Fewer sets compile sooner, which sanitizer builds need: instrumented kernels are large. scalar is always there.
set(BERTH_CPU_SETS "" CACHE STRING "Instruction sets to compile kernels for, such as scalar;avx2; all if empty")
if(BERTH_CPU_SETS)
  set(unknown ${BERTH_CPU_SETS})
  list(REMOVE_ITEM unknown ${BERTH_CPU_ISAS})
  if(unknown)
    message(FATAL_ERROR "BERTH_CPU_SETS: ${unknown}: choose from ${BERTH_CPU_ISAS}")
  endif()
  set(BERTH_CPU_ISAS scalar ${BERTH_CPU_SETS})
  list(REMOVE_DUPLICATES BERTH_CPU_ISAS)
endif()

# Images of all modules, one object per set. bude: 4 vectors of poses when something is left out, with AVX only.
set(plain lga:1:1:1 cnn:0 bude_search bude:1:0 bude:2:0 bude:4:0 bude:8:0)
set(studied "")
if(BERTH_WITH_STUDIES)
  set(studied bude:4:1 bude:4:2 bude:4:4 bude:4:8 bude:4:32 bude:4:64 bude:4:256)
endif()
set(declarations "")
set(tables "")
set(rows "")
foreach(image IN LISTS plain studied)
  berth_image(${image} name definitions)
  list(TRANSFORM definitions REPLACE "^-D" "")
  set(of_sets "")
  foreach(isa IN LISTS BERTH_CPU_ISAS)
    if(NOT image IN_LIST plain AND NOT isa MATCHES "avx")
      continue()
    endif()
    if(isa STREQUAL "avx2" AND image STREQUAL "bude:4:32")
      continue() # its square roots have full precision
    endif()
    set(target berth_cpu_${isa}_${name})
    add_library(${target} OBJECT src/backend/cpu/kernels.c)
    target_include_directories(${target} PRIVATE include src)
    target_compile_definitions(${target} PRIVATE BT_CPU_ISA=${isa} BT_CPU_ISA_${isa}=1 ${definitions})
    target_link_libraries(${target} PRIVATE berth_flags)
    # vectors are passed between inlined functions only
    target_compile_options(${target} PRIVATE -Wno-psabi ${BERTH_ISA_FLAGS_${isa}})
    if(BERTH_SANITIZE)
      # instrumented, they take minutes to optimize; GCC then takes vectors that are filled lane by lane for unset
      target_compile_options(${target} PRIVATE -O1 -Wno-maybe-uninitialized -Wno-unknown-warning-option)
    endif()
    if(BERTH_SANITIZE AND image MATCHES "^cnn") # else a network takes minutes
      target_compile_options(${target} PRIVATE -O2)
    endif()
    if(BERTH_SANITIZE MATCHES "thread" AND image MATCHES "^cnn") # blocks share nothing that they write to
      set_target_properties(${target} PROPERTIES BERTH_UNSANITIZED thread)
    elseif(BERTH_SANITIZE MATCHES "undefined" AND NOT isa STREQUAL "scalar")
      # the arithmetic of pointers is that of the scalar set, where these checks are half of the time
      set_target_properties(${target} PROPERTIES BERTH_UNSANITIZED pointer-overflow,alignment,object-size)
    endif()
    if(BERTH_BUILD_FUZZERS) # only parsers are fuzzed: saves the time of instrumenting kernels
      target_compile_options(${target} PRIVATE -fno-sanitize=all -O1)
    endif()
    target_sources(berth PRIVATE $<TARGET_OBJECTS:${target}>)
    string(APPEND declarations "extern const bt_cpu_entries bt_cpu_${isa}_${name};\n")
    string(APPEND of_sets "[BT_CPU_INDEX_${isa}] = &bt_cpu_${isa}_${name}, ")
  endforeach()
  string(APPEND tables "static const bt_cpu_entries *const of_${name}[BT_CPU_COUNT] = {${of_sets}};\n")
  berth_image_row(${image} of_${name} rows)
endforeach()
# allows contraction of a*b+c to an FMA; as a source property it comes after the project's flags
set_source_files_properties(src/backend/cpu/kernels.c PROPERTIES COMPILE_OPTIONS -ffp-contract=fast)
file(CONFIGURE OUTPUT ${TABLES}/cpu_images.c CONTENT "#include \"backend/cpu/cpu.h\"\n${declarations}${tables}\
const bt_kernel_image bt_cpu_images[] = {\n${rows}    {0}};\n" @ONLY)
target_sources(berth PRIVATE src/backend/cpu/cpu.c ${TABLES}/cpu_images.c)
