# The OpenMP target back end. Its host part is C and opens libberth_omptarget.so at run time, so it is always built. The
# library with the kernels in target regions needs GCC, whatever compiles the rest, and libgomp at run time. A GCC that
# can offload to NVIDIA GPUs (package gcc-12-offload-nvptx) is used if available; host-only code, for the tests, needs
# just GCC. A Clang that is named (BERTH_OMPTARGET_CC=clang-19, packages clang-tools-19, libomp-19-dev and lld-19)
# offloads to AMD's GPUs as well (rocm-device-libs); its code needs libomptarget and libomp at run time.
set(BERTH_WITH_OMPTARGET AUTO CACHE STRING "OpenMP target kernels: ON (for GPUs), HOST (for tests), OFF or AUTO (what GCC can do)")
set_property(CACHE BERTH_WITH_OMPTARGET PROPERTY STRINGS AUTO ON HOST OFF)
set(BERTH_OMPTARGET_CC "" CACHE STRING "GCC or Clang for OpenMP target; a GCC is found if empty")
set(BERTH_OMPTARGET_ISA sm_80 CACHE STRING
    "NVIDIA GPUs from this one on, in GCC's words: sm_35, sm_70, sm_75, sm_80; for Clang a list: sm_90;gfx90a")
set(BERTH_OMPTARGET_FLAGS "" CACHE STRING "Further options for its compiler, e.g. -DBT_OMPTARGET_LANES=256")
set(BERTH_OMPTARGET_CUDA "" CACHE PATH "CUDA toolkit for Clang's ptxas and nvlink; that of nvcc if empty")
# lga: one rank: blocks are spread over teams and their threads, the poses of a block over the lanes of a thread; with
# few poses in each, few searches are spread over many threads. Several ranks: a block is a team of threads that synchronize
# at barriers; GPUs give 8 threads to a team of any kernel, more only to those with few registers.
set(images lga:1:32:1 lga:1:16:1 lga:1:4:1 lga:8:1:1 lga:4:2:1 bude_search bude:1:0 bude:2:0 bude:4:0 bude:8:0)
berth_image_table(omptarget ${TABLES}/omptarget_images.c "" "" "" ${images})

set(wanted ${BERTH_WITH_OMPTARGET})
if(NOT wanted STREQUAL "ON" AND (CMAKE_CROSSCOMPILING OR BERTH_BUILD_FUZZERS OR BERTH_SANITIZE MATCHES "thread"))
  set(wanted OFF) # libgomp's threads are not instrumented, which causes false reports of races
endif()

# berth_offload_options(COMPILER): offload, the options for code of GPUs; host, those without it; further and linked,
# what this compiler needs when it compiles and when it links; environment, what precedes its commands. Clang generates
# code when it links, since it cannot do so file by file ("Cannot select: stacksave"), and looks for its device
# libraries elsewhere than Debian's are.
macro(berth_offload_options compiler)
  execute_process(COMMAND ${compiler} --version OUTPUT_VARIABLE version ERROR_QUIET)
  if(version MATCHES "clang")
    execute_process(COMMAND ${compiler} -print-resource-dir OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(folder ${folder}/../.. ABSOLUTE)
    list(JOIN BERTH_OMPTARGET_ISA , architectures)
    set(offload --offload-arch=${architectures} -foffload-lto)
    find_program(BERTH_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
    set(cuda "${BERTH_OMPTARGET_CUDA}")
    if(NOT cuda AND BERTH_NVCC)
      get_filename_component(cuda ${BERTH_NVCC} REALPATH)
      get_filename_component(cuda ${cuda}/../.. ABSOLUTE)
    endif()
    if(BERTH_OMPTARGET_ISA MATCHES "sm_" AND cuda) # its ptxas, nvlink and libdevice
      list(APPEND offload --cuda-path=${cuda})
      if(version MATCHES "version 1[0-9]" AND cuda MATCHES "cuda-1[3-9]")
        message(WARNING "OpenMP target: this Clang's libomptarget does not know the machine code of ${cuda} and will find "
                "no GPU; set BERTH_OMPTARGET_CUDA to a CUDA 12 toolkit")
      endif()
    endif()
    find_path(BERTH_AMDGCN ocml.bc PATHS /usr/lib /opt/rocm ENV ROCM_PATH
              PATH_SUFFIXES amdgcn/bitcode ${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode)
    mark_as_advanced(BERTH_AMDGCN)
    if(BERTH_OMPTARGET_ISA MATCHES "gfx" AND BERTH_AMDGCN)
      list(APPEND offload --rocm-device-lib-path=${BERTH_AMDGCN})
    endif()
    set(host "")
    set(further -ffp-contract=fast -Wno-pass-failed) # contraction as GCC's; loops that it does not vectorize
    set(linked -Wl,-rpath,${folder}) # libomptarget
    set(environment ${CMAKE_COMMAND} -E env LIBRARY_PATH=${folder})
    set(machines "${architectures} by Clang")
  else()
    set(offload -foffload=nvptx-none "-foffload-options=nvptx-none=-misa=${BERTH_OMPTARGET_ISA} -lm")
    set(host -foffload=disable)
    set(further "")
    set(linked -Wl,-z,notext) # the table of target regions is not position independent: text has relocations
    set(environment "")
    set(machines "nvptx-none ${BERTH_OMPTARGET_ISA} by GCC")
  endif()
endmacro()

# berth_openmp_works(result COMPILER OPTION...): TRUE if it links a shared object with a target region.
function(berth_openmp_works result compiler)
  set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/probe_omptarget)
  file(WRITE ${probe}.c "#include <math.h>
int probe(float x) {
  int y = 0;
#pragma omp target map(tofrom : y)
  y = (int)sqrtf(x);
  return y;
}
")
  execute_process(COMMAND ${environment} ${compiler} -shared -fPIC -fopenmp ${ARGN} -o ${probe}.so ${probe}.c
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(${result} FALSE PARENT_SCOPE)
  else()
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

set(compiler "")
set(build "")
if(wanted AND NOT wanted STREQUAL "OFF")
  set(candidates ${BERTH_OMPTARGET_CC})
  if(NOT candidates)
    foreach(name IN ITEMS gcc gcc-12 gcc-13 gcc-14)
      find_program(BERTH_FOUND_${name} ${name})
      mark_as_advanced(BERTH_FOUND_${name})
      if(BERTH_FOUND_${name})
        list(APPEND candidates ${BERTH_FOUND_${name}})
      endif()
    endforeach()
  endif()
  if(NOT "${BERTH_TRIED_omptarget}" STREQUAL "${wanted} ${candidates} ${BERTH_OMPTARGET_ISA}")
    set(BERTH_OMPTARGET_FOUND "" CACHE INTERNAL "")
    set(BERTH_OMPTARGET_BUILD "" CACHE INTERNAL "")
    foreach(candidate IN LISTS candidates)
      if(wanted STREQUAL "HOST")
        break()
      endif()
      berth_offload_options(${candidate})
      berth_openmp_works(works ${candidate} ${offload})
      if(works)
        set(BERTH_OMPTARGET_FOUND ${candidate} CACHE INTERNAL "")
        set(BERTH_OMPTARGET_BUILD "${machines}" CACHE INTERNAL "")
        break()
      endif()
    endforeach()
    foreach(candidate IN LISTS candidates)
      if(NOT BERTH_OMPTARGET_FOUND)
        berth_offload_options(${candidate})
        berth_openmp_works(works ${candidate} ${host})
        if(works)
          set(BERTH_OMPTARGET_FOUND ${candidate} CACHE INTERNAL "")
        endif()
      endif()
    endforeach()
    set(BERTH_TRIED_omptarget "${wanted} ${candidates} ${BERTH_OMPTARGET_ISA}" CACHE INTERNAL "")
  endif()
  set(compiler ${BERTH_OMPTARGET_FOUND})
  set(build ${BERTH_OMPTARGET_BUILD})
  if(wanted STREQUAL "ON" AND NOT build)
    message(FATAL_ERROR "BERTH_WITH_OMPTARGET is ON but no compiler here can offload to GPUs; install "
            "gcc-12-offload-nvptx, or set its path (-DBERTH_OMPTARGET_CC=...)")
  endif()
endif()

# the kernels by themselves: `ninja berth_omptarget`
file(GLOB omptarget_sources CONFIGURE_DEPENDS src/backend/omptarget/*.c)
list(FILTER omptarget_sources EXCLUDE REGEX "/(target|kernels)\\.c$")
target_sources(berth PRIVATE ${omptarget_sources} ${TABLES}/omptarget_images.c)

if(compiler)
  berth_offload_options(${compiler})
  set(library ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/libberth_omptarget.so)
  set(folder ${CMAKE_BINARY_DIR}/omptarget)
  file(MAKE_DIRECTORY ${folder} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  set(flags -O2 -std=gnu17 -fopenmp -fPIC -fvisibility=hidden -fno-math-errno -fno-trapping-math -Wall -Wextra -Wshadow)
  if(BERTH_WARNINGS_AS_ERRORS)
    list(APPEND flags -Werror)
  endif()
  if(build)
    list(APPEND flags ${offload})
  else()
    list(APPEND flags ${host})
  endif()
  separate_arguments(more UNIX_COMMAND "${BERTH_OMPTARGET_FLAGS}")
  list(APPEND flags ${further} ${more})
  if(build AND more)
    string(APPEND build " with ${BERTH_OMPTARGET_FLAGS}")
  endif()
  set(objects ${folder}/target.o)
  add_custom_command(OUTPUT ${folder}/target.o
    COMMAND ${environment} ${compiler} ${flags} "-DBT_OMPTARGET_BUILD=\"${build}\"" -I${PROJECT_SOURCE_DIR}/src
            -MD -MF ${folder}/target.d -c -o ${folder}/target.o
            ${PROJECT_SOURCE_DIR}/src/backend/omptarget/target.c
    DEPENDS src/backend/omptarget/target.c
    DEPFILE ${folder}/target.d
    COMMENT "Compiling OpenMP target code" VERBATIM)
  foreach(image IN LISTS images)
    berth_compile_image(${image} ${folder} .o src/backend/omptarget/kernels.c ${environment} ${compiler} ${flags} -c)
    berth_image(${image} name definitions)
    list(APPEND objects ${folder}/${name}.o)
  endforeach()
  add_custom_command(OUTPUT ${library}
    COMMAND ${environment} ${compiler} -shared ${flags} ${linked} -Wl,-z,defs,-soname,libberth_omptarget.so
            -o ${library} ${objects} -lm
    DEPENDS ${objects} COMMENT "Linking OpenMP target code" VERBATIM)
  add_custom_target(berth_omptarget ALL DEPENDS ${library})
  if(build)
    install(FILES ${library} DESTINATION lib COMPONENT omptarget) # not in the .deb: relocations in its text
    message(STATUS "OpenMP target: kernels for ${build} (${compiler})")
  else()
    message(STATUS "OpenMP target: kernels for the host only (tests); no GCC here offloads (gcc-12-offload-nvptx)")
  endif()
else()
  message(STATUS "OpenMP target: no kernels (BERTH_WITH_OMPTARGET=${BERTH_WITH_OMPTARGET})")
endif()
