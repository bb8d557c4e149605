# The CUDA back end. Its host part is C and opens the driver at run time, so it is always built; nvcc is needed for the
# kernels alone. BERTH_CUDA_ARCHITECTURES as in CMake's CUDA_ARCHITECTURES: "80" is machine code and PTX of it,
# "80-real" machine code, "75-virtual" PTX, which the driver compiles for whatever GPU is newer.
include(cmake/KernelVariants.cmake)
set(BERTH_WITH_CUDA AUTO CACHE STRING "CUDA kernels: ON, OFF or AUTO (when nvcc is found)")
set_property(CACHE BERTH_WITH_CUDA PROPERTY STRINGS AUTO ON OFF)
set(BERTH_CUDA_ARCHITECTURES "75-virtual;80-real;90" CACHE STRING "GPUs to compile for, e.g. 90-real")
option(BERTH_WITH_TENSOR_CORES "CUDA kernels that add up on tensor cores, and those that they are compared with" ON)
set(BERTH_NVCC_FLAGS "" CACHE STRING "Further options for nvcc, e.g. -lineinfo")

set(wanted ${BERTH_WITH_CUDA})
if(wanted STREQUAL "AUTO" AND (BERTH_SANITIZE OR BERTH_BUILD_FUZZERS))
  set(wanted OFF) # nothing of the kernels would be instrumented
endif()
if(NOT wanted)
  set(nvcc "")
else()
  find_program(BERTH_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin
               DOC "CUDA's compiler")
  berth_kernel_compiler(nvcc cuda ${wanted} "${BERTH_NVCC}" -x cu -fatbin)
endif()
if(nvcc)
  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE text)
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE known)
  string(REGEX MATCH "release ([0-9]+)\\.([0-9]+)" matched "${text}")
  set(toolkit_text ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
  math(EXPR toolkit "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2} * 10")
endif()

set(real "")
set(virtual "")
set(generate "")
set(tensor_generate "") # of architectures that can run the tensor variants
set(names "")
if(nvcc)
  foreach(architecture IN LISTS BERTH_CUDA_ARCHITECTURES)
    string(REGEX MATCH "^([0-9]+)(-real|-virtual)?$" matched "${architecture}")
    if(NOT matched)
      message(FATAL_ERROR "BERTH_CUDA_ARCHITECTURES: '${architecture}' is not like 80, 80-real or 80-virtual")
    endif()
    set(number ${CMAKE_MATCH_1})
    set(kind "${CMAKE_MATCH_2}")
    if(NOT known MATCHES "compute_${number}([^0-9]|$)")
      message(STATUS "CUDA: this nvcc does not know compute_${number}; it is left out")
      continue()
    endif()
    if(NOT kind STREQUAL "-virtual")
      string(APPEND real "${number}, ")
      set(code -gencode arch=compute_${number},code=sm_${number})
      list(APPEND generate ${code})
      if(number GREATER_EQUAL 80)
        list(APPEND tensor_generate ${code})
      endif()
    endif()
    if(NOT kind STREQUAL "-real")
      string(APPEND virtual "${number}, ")
      set(code -gencode arch=compute_${number},code=compute_${number})
      list(APPEND generate ${code})
      if(number GREATER_EQUAL 80)
        list(APPEND tensor_generate ${code})
      endif()
    endif()
    list(APPEND names ${architecture})
  endforeach()
  if(NOT names)
    message(FATAL_ERROR "BERTH_CUDA_ARCHITECTURES: nothing is left that this nvcc can compile for")
  endif()
endif()

# for others that compile CUDA (tests/backend/hip_on_cuda)
set(BERTH_CUDA_NVCC ${nvcc})
set(BERTH_CUDA_GENERATE ${generate})

set(folder "")
# Variants of CUDA alone: one pose per block, sums on tensor cores (sm_80 and newer), and the same blocks without.
set(shared_variants ${BERTH_KERNEL_VARIANTS})
if(BERTH_WITH_TENSOR_CORES AND BERTH_WITH_STUDIES AND (tensor_generate OR NOT nvcc))
  list(APPEND BERTH_KERNEL_VARIANTS 64:1 128:1 256:1 64:1:TENSOR_EC 128:1:TENSOR_EC 256:1:TENSOR_EC
    64:1:TENSOR_FP16 128:1:TENSOR_FP16 256:1:TENSOR_FP16)
  list(REMOVE_DUPLICATES BERTH_KERNEL_VARIANTS)
endif()
if(nvcc)
  set(folder ${CMAKE_BINARY_DIR}/cuda)
  file(MAKE_DIRECTORY ${folder})
  separate_arguments(further UNIX_COMMAND "${BERTH_NVCC_FLAGS}")
  foreach(variant IN LISTS BERTH_KERNEL_VARIANTS)
    berth_kernel_variant(${variant} name team poses reduction)
    berth_kernel_definitions(${variant} definitions)
    set(code ${generate})
    if(NOT reduction STREQUAL "SIMT")
      set(code ${tensor_generate})
    endif()
    add_custom_command(OUTPUT ${folder}/${name}.fatbin
      COMMAND ${nvcc} -fatbin -O3 -std=c++17 -Xfatbin=-compress-all ${code} ${definitions} ${further}
              -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include -MD -MF ${folder}/${name}.d
              -o ${folder}/${name}.fatbin ${PROJECT_SOURCE_DIR}/src/backend/cuda/kernels.cu
      DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/cuda/kernels.cu
      DEPFILE ${folder}/${name}.d
      COMMENT "Compiling CUDA kernels ${name}" VERBATIM)
  endforeach()
  string(REPLACE ";" " " names "${names}")
  message(STATUS "CUDA: kernels for ${names} with nvcc ${toolkit_text}")
else()
  set(toolkit 0)
  message(STATUS "CUDA: no kernels (BERTH_WITH_CUDA=${BERTH_WITH_CUDA})")
endif()

berth_embed_kernels(cuda backend/cuda/images.h ${CMAKE_BINARY_DIR}/generated/cuda_images.c "${folder}" .fatbin
"const char bt_cuda_build[] = \"${names}\";
const int bt_cuda_toolkit = ${toolkit};
const int bt_cuda_real[] = {${real}0};
const int bt_cuda_virtual[] = {${virtual}0};
")
set(BERTH_KERNEL_VARIANTS ${shared_variants})
# by itself: `ninja berth_cuda` checks that the kernels compile
add_library(berth_cuda OBJECT src/backend/cuda/cuda.c ${CMAKE_BINARY_DIR}/generated/cuda_images.c)
target_include_directories(berth_cuda PRIVATE include src)
target_link_libraries(berth_cuda PRIVATE berth_flags)
target_sources(berth PRIVATE $<TARGET_OBJECTS:berth_cuda>)
