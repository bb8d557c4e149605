# Modules: kernels that are compiled together in variants, for every machine; a compiled variant is an image.
# An image is MODULE:VALUE:..., the values being those of the module's constants: lga:4:32:1 gets
# -DBT_TEAM=4 -DBT_POSES=32 -DBT_REDUCTION=1. To add a module, add its name, header and constants here, and its
# images below and in the machines' files.
set(BERTH_MODULE_lga kernel/lga/module.h BT_TEAM BT_POSES BT_REDUCTION)
set(BERTH_MODULE_bude kernel/bude/module_energy.h BT_BUDE_POSES BT_BUDE_WITHOUT)
set(BERTH_MODULE_bude_search kernel/bude/module_search.h)
set(BERTH_MODULE_cnn kernel/cnn/module.h BT_CNN_PRODUCTS)

# Images of GPUs that are programmed in C++, best known first. lga:T:P:R: T ranks share a pose, P poses side by side, a
# block is T * P work-items; R is bt_reduction of berth.h. bude:P:W: P poses per work-item, without the optimizations W
# (BT_BUDE_WITHOUT_* of src/kernel/bude/launch.h). cnn:K: products of kind K (bt_cnn_products of src/rescore/cnn/scorer.h).
set(BERTH_GPU_IMAGES lga:4:32:1 lga:8:32:1 lga:16:32:1 lga:2:32:1 lga:1:32:1 lga:8:8:1 lga:16:8:1 lga:32:8:1 lga:32:1:1
  lga:64:1:1 lga:128:1:1 lga:256:1:1 cnn:0 bude_search bude:1:0 bude:2:0 bude:4:0 bude:8:0 bude:16:0 bude:32:0)
if(BERTH_WITH_STUDIES)
  list(APPEND BERTH_GPU_IMAGES bude:8:1 bude:8:2 bude:8:4 bude:8:8 bude:8:16 bude:8:32 bude:8:64 bude:8:256)
endif()

# For studies that need few images of a GPU: only those that match, e.g. ^lga:64: (the program then refuses other teams).
set(BERTH_ONLY_IMAGES "" CACHE STRING "Regular expression of the GPU images to compile; empty: all")
function(berth_filter_images list)
  if(NOT BERTH_ONLY_IMAGES STREQUAL "")
    list(FILTER ${list} INCLUDE REGEX "${BERTH_ONLY_IMAGES}")
    set(${list} ${${list}} PARENT_SCOPE)
  endif()
endfunction()
berth_filter_images(BERTH_GPU_IMAGES)

# For studies of kernels (bench/scripts/variants.sh), e.g. BT_STUDY_SEPARATE=1 (src/kernel/lga/study/study.h). Programs show them
# among the compiler's options.
set(BERTH_KERNEL_DEFINITIONS "" CACHE STRING "Definitions for all kernels, separated by ;")
list(TRANSFORM BERTH_KERNEL_DEFINITIONS PREPEND " -D" OUTPUT_VARIABLE BERTH_KERNEL_OPTIONS)
string(REPLACE ";" "" BERTH_KERNEL_OPTIONS "${BERTH_KERNEL_OPTIONS}")
set_property(SOURCE src/engine/lga/device/choice.c src/engine/lga/device/layout.c src/engine/lga/study.c
             APPEND PROPERTY COMPILE_DEFINITIONS ${BERTH_KERNEL_DEFINITIONS})

# berth_image(lga:4:32:1 name definitions): lga_4_32_1, and -D... of its compilation.
function(berth_image image out_name out_definitions)
  string(REPLACE ":" ";" values ${image})
  list(POP_FRONT values module)
  set(constants ${BERTH_MODULE_${module}})
  list(POP_FRONT constants header)
  set(definitions "-DBT_MODULE_HEADER=\"${header}\"")
  foreach(constant value IN ZIP_LISTS constants values)
    list(APPEND definitions -D${constant}=${value})
  endforeach()
  foreach(definition IN LISTS BERTH_KERNEL_DEFINITIONS)
    list(APPEND definitions -D${definition})
  endforeach()
  string(REPLACE ":" "_" name ${image})
  list(APPEND definitions -DBT_IMAGE=${name})
  set(${out_name} ${name} PARENT_SCOPE)
  set(${out_definitions} ${definitions} PARENT_SCOPE)
endfunction()

# berth_image_row(lga:4:32:1 CODE rows): appends a line of a table of bt_kernel_image.
function(berth_image_row image code out)
  string(REPLACE ":" ";" values ${image})
  list(POP_FRONT values module)
  list(JOIN values ", " values)
  if(values STREQUAL "")
    set(values 0)
  endif()
  set(${out} "${${out}}    {\"${module}\", {${values}}, ${code}},\n" PARENT_SCOPE)
endfunction()

# berth_compile_image(IMAGE FOLDER ENDING SOURCE COMPILER OPTION...): FOLDER/<name>ENDING.
function(berth_compile_image image folder ending source)
  berth_image(${image} name definitions)
  add_custom_command(OUTPUT ${folder}/${name}${ending}
    COMMAND ${ARGN} ${definitions} -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include
            -MD -MF ${folder}/${name}.d -o ${folder}/${name}${ending} ${PROJECT_SOURCE_DIR}/${source}
    DEPENDS ${PROJECT_SOURCE_DIR}/${source}
    DEPFILE ${folder}/${name}.d
    COMMENT "Compiling ${source} as ${name}" VERBATIM)
endfunction()

# berth_image_table(cuda result.c FOLDER ENDING TEXT IMAGE...): a source with bt_cuda_images, which holds the files
# FOLDER/<name>ENDING; the assembler includes them, so nothing but a C compiler is needed. FOLDER "": a table without
# code. TEXT is appended.
function(berth_image_table machine source folder ending text)
  set(rows "")
  set(assembly "")
  set(files "")
  foreach(image IN LISTS ARGN)
    set(code NULL)
    if(NOT folder STREQUAL "")
      berth_image(${image} name definitions)
      set(code bt_${machine}_image_${name})
      set(file ${folder}/${name}${ending})
      string(APPEND assembly "extern const unsigned char ${code}[];\n\
__asm__(\".pushsection .rodata\\n.balign 64\\n.global ${code}\\n.hidden ${code}\\n\"\n\
        \"${code}:\\n.incbin \\\"${file}\\\"\\n.byte 0\\n.popsection\");\n")
      list(APPEND files ${file})
    endif()
    berth_image_row(${image} ${code} rows)
  endforeach()
  file(CONFIGURE OUTPUT ${source} CONTENT
"/* Generated by cmake/Modules.cmake: the kernels of ${machine}. */
#include \"backend/runtime.h\"

${assembly}
extern const bt_kernel_image bt_${machine}_images[];
const bt_kernel_image bt_${machine}_images[] = {\n${rows}    {0}};
${text}" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
endfunction()

# berth_kernel_compiler(result NAME WANTED COMPILER OPTION...): COMPILER if it compiles a kernel, "" if it does not; that
# is an error if WANTED is ON. Tried once per compiler.
function(berth_kernel_compiler out name wanted compiler)
  set(${out} "" PARENT_SCOPE)
  if(compiler AND NOT "${BERTH_TRIED_${name}}" STREQUAL "${compiler} ${ARGN}")
    set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/probe_${name})
    # headers that the kernels include, which a compiler may lack
    set(header cuda_fp16.h)
    if(name STREQUAL "hip")
      set(header hip/hip_runtime.h)
    endif()
    file(WRITE ${probe}.cpp "#include <${header}>\n__global__ void kernel(float *x) { x[threadIdx.x] = 1; }\n")
    execute_process(COMMAND ${compiler} ${ARGN} -o ${probe}.out ${probe}.cpp RESULT_VARIABLE failed
                    OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(failed)
      message(STATUS "${compiler} does not work:\n${text}")
      set(compiler "")
    else()
      set(BERTH_TRIED_${name} "${compiler} ${ARGN}" CACHE INTERNAL "")
    endif()
  endif()
  if(NOT compiler AND wanted STREQUAL "ON")
    string(TOUPPER ${name} upper)
    message(FATAL_ERROR "BERTH_WITH_${upper} is ON, but no working compiler was found; set its path "
            "(-DBERTH_NVCC=..., -DBERTH_HIPCC=...)")
  endif()
  if(compiler)
    set(${out} ${compiler} PARENT_SCOPE)
  endif()
endfunction()
