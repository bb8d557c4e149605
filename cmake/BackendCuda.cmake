# The CUDA back end. Its host part is C and opens the driver at run time, so it is always built; nvcc is needed only
# for the kernels. BERTH_CUDA_ARCHITECTURES as in CMake's CUDA_ARCHITECTURES: "80" is machine code and PTX of it,
# "80-real" machine code, "75-virtual" PTX, which the driver compiles for any newer GPU.
set(BERTH_WITH_CUDA AUTO CACHE STRING "CUDA kernels: ON, OFF or AUTO (when nvcc is found)")
set_property(CACHE BERTH_WITH_CUDA PROPERTY STRINGS AUTO ON OFF)
set(BERTH_CUDA_ARCHITECTURES "75-virtual;80-real;90" CACHE STRING "GPUs to compile for, e.g. 90-real")
option(BERTH_WITH_TENSOR_CORES "CUDA kernels that reduce on tensor cores, and those that they are compared with" ON)
set(BERTH_NVCC_FLAGS "" CACHE STRING "Further options for nvcc, e.g. -lineinfo")

set(wanted ${BERTH_WITH_CUDA})
if(wanted STREQUAL "AUTO" AND (BERTH_SANITIZE OR BERTH_BUILD_FUZZERS))
  set(wanted OFF) # kernels would not be instrumented
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
      message(FATAL_ERROR "BERTH_CUDA_ARCHITECTURES: '${architecture}' is not valid; give values such as 80, 80-real or 80-virtual")
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
    message(FATAL_ERROR "BERTH_CUDA_ARCHITECTURES: this nvcc supports none of them")
  endif()
endif()

# for other users of nvcc (tests/backend/hip_on_cuda)
set(BERTH_CUDA_NVCC ${nvcc})
set(BERTH_CUDA_GENERATE ${generate})

# Images for CUDA only: one pose per block, sums on tensor cores (sm_80 and newer).
set(images ${BERTH_GPU_IMAGES})
if(BERTH_WITH_TENSOR_CORES AND BERTH_WITH_STUDIES AND (tensor_generate OR NOT nvcc))
  list(APPEND images lga:64:1:3 lga:128:1:3 lga:256:1:3 lga:64:1:2 lga:128:1:2 lga:256:1:2
    lga:64:1:4 lga:128:1:4 lga:256:1:4 lga:64:1:5 lga:128:1:5 lga:256:1:5 lga:64:1:6 lga:128:1:6 lga:256:1:6)
endif()
# Convolutions on tensor cores: the default of networks on sm_80 and newer, and what it was compared with. Always built:
# without them, a network takes four to six times as long.
if(tensor_generate OR NOT nvcc)
  list(APPEND images cnn:1 cnn:2 cnn:3 cnn:4)
endif()
berth_filter_images(images)
set(folder "")
if(nvcc)
  set(folder ${CMAKE_BINARY_DIR}/cuda)
  file(MAKE_DIRECTORY ${folder})
  separate_arguments(further UNIX_COMMAND "${BERTH_NVCC_FLAGS}")
  foreach(image IN LISTS images)
    set(code ${generate})
    if(image MATCHES "^lga:.*:[2-6]$|^cnn:[1-4]$")
      set(code ${tensor_generate})
    endif()
    berth_compile_image(${image} ${folder} .fatbin src/backend/cuda/kernels.cu
      ${nvcc} -fatbin -O3 -std=c++17 -Xfatbin=-compress-all ${code} ${further})
  endforeach()
  string(REPLACE ";" " " names "${names}")
  message(STATUS "CUDA: kernels for ${names} with nvcc ${toolkit_text}")
else()
  set(toolkit 0)
  message(STATUS "CUDA: no kernels (BERTH_WITH_CUDA=${BERTH_WITH_CUDA})")
endif()

berth_image_table(cuda ${TABLES}/cuda_images.c "${folder}" .fatbin
"#include \"backend/cuda/cuda.h\"
const char bt_cuda_build[] = \"${names}\";
const int bt_cuda_toolkit = ${toolkit};
const int bt_cuda_real[] = {${real}0};
const int bt_cuda_virtual[] = {${virtual}0};
" ${images})
# by itself: `ninja berth_cuda` checks that the kernels compile
add_library(berth_cuda OBJECT src/backend/cuda/cuda.c ${TABLES}/cuda_images.c)
target_include_directories(berth_cuda PRIVATE include src)
target_link_libraries(berth_cuda PRIVATE berth_flags)
target_sources(berth PRIVATE $<TARGET_OBJECTS:berth_cuda>)
