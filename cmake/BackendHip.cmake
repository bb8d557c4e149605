# The HIP back end. Its host part is C and opens AMD's library at run time, so it is always built; hipcc is needed only
# for the kernels. AMD's machine code has no portable form: a GPU that is not listed cannot be used.
set(BERTH_WITH_HIP AUTO CACHE STRING "HIP kernels: ON, OFF or AUTO (when hipcc is found)")
set_property(CACHE BERTH_WITH_HIP PROPERTY STRINGS AUTO ON OFF)
set(BERTH_HIP_ARCHITECTURES "gfx90a;gfx1030" CACHE STRING "GPUs to compile for, e.g. gfx942")
set(BERTH_HIPCC_FLAGS "" CACHE STRING "Further options for hipcc")

set(wanted ${BERTH_WITH_HIP})
if(wanted STREQUAL "AUTO" AND (BERTH_SANITIZE OR BERTH_BUILD_FUZZERS))
  set(wanted OFF) # kernels would not be instrumented
endif()
if(NOT wanted)
  set(hipcc "")
else()
  find_program(BERTH_HIPCC hipcc HINTS ENV ROCM_PATH /opt/rocm PATH_SUFFIXES bin DOC "AMD's compiler")
  list(GET BERTH_HIP_ARCHITECTURES 0 first)
  berth_kernel_compiler(hipcc hip ${wanted} "${BERTH_HIPCC}" --genco --offload-arch=${first})
endif()

set(folder "")
set(names "")
if(hipcc)
  set(folder ${CMAKE_BINARY_DIR}/hip)
  file(MAKE_DIRECTORY ${folder})
  separate_arguments(further UNIX_COMMAND "${BERTH_HIPCC_FLAGS}")
  list(TRANSFORM BERTH_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE targets)
  foreach(image IN LISTS BERTH_GPU_IMAGES)
    berth_compile_image(${image} ${folder} .hsaco src/backend/hip/kernels.hip
      ${hipcc} --genco -O3 -std=c++17 ${targets} ${further})
  endforeach()
  string(REPLACE ";" " " names "${BERTH_HIP_ARCHITECTURES}")
  message(STATUS "HIP: kernels for ${names}")
else()
  message(STATUS "HIP: no kernels (BERTH_WITH_HIP=${BERTH_WITH_HIP})")
endif()

berth_image_table(hip ${TABLES}/hip_images.c "${folder}" .hsaco
"#include \"backend/hip/hip.h\"
const char bt_hip_build[] = \"${names}\";
" ${BERTH_GPU_IMAGES})
# by itself: `ninja berth_hip` checks that the kernels compile
add_library(berth_hip OBJECT src/backend/hip/hip.c ${TABLES}/hip_images.c)
target_include_directories(berth_hip PRIVATE include src)
target_link_libraries(berth_hip PRIVATE berth_flags)
target_sources(berth PRIVATE $<TARGET_OBJECTS:berth_hip>)
