# The OpenCL back end. Building it needs no OpenCL; the library is opened at run time and compiles the kernels, whose
# source is embedded as text.
set(BERTH_WITH_OPENCL AUTO CACHE STRING "OpenCL back end: AUTO, ON or OFF")
set_property(CACHE BERTH_WITH_OPENCL PROPERTY STRINGS AUTO ON OFF)
set(with_opencl ${BERTH_WITH_OPENCL})
if(with_opencl STREQUAL "AUTO")
  set(with_opencl ON)
  if(BERTH_SANITIZE MATCHES "thread" OR BERTH_BUILD_FUZZERS)
    set(with_opencl OFF) # drivers' threads are not instrumented, which causes false reports of races
  endif()
endif()

if(with_opencl)
  # lga: teams of lanes for GPUs; the last one is a processor's, whose vectors hold the poses. -1: any value.
  set(images lga:8:32:1 lga:4:32:1 lga:16:32:1 lga:2:32:1 lga:1:32:1 lga:32:1:1 lga:64:1:1 lga:128:1:1 lga:256:1:1
    lga:1:1:1 cnn:0 bude_search bude:1:-1 bude:2:-1 bude:4:-1 bude:8:-1 bude:16:-1 bude:32:-1)
  file(GLOB opencl_headers CONFIGURE_DEPENDS src/kernel/*/*.h src/kernel/*/*/*.h src/backend/opencl/*.h)
  set(rows "")
  set(declarations "")
  set(sources "")
  foreach(image IN LISTS images)
    string(REGEX REPLACE ":.*" "" module ${image})
    set(source ${TABLES}/opencl_${module}.c)
    berth_image_row(${image} bt_opencl_source_${module} rows)
    if(source IN_LIST sources)
      continue()
    endif()
    list(APPEND sources ${source})
    string(APPEND declarations "extern const char bt_opencl_source_${module}[];\n")
    list(GET BERTH_MODULE_${module} 0 header)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/src -DENTRY=backend/opencl/kernels.cl -DHEADER=${header}
              -DNAME=bt_opencl_source_${module} -DOUT=${source} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedSource.cmake
      DEPENDS ${opencl_headers} src/backend/opencl/kernels.cl cmake/EmbedSource.cmake VERBATIM)
  endforeach()
  file(CONFIGURE OUTPUT ${TABLES}/opencl_images.c CONTENT "#include \"backend/opencl/opencl.h\"\n${declarations}\
const bt_kernel_image bt_opencl_images[] = {\n${rows}    {0}};\n" @ONLY)
  target_sources(berth PRIVATE ${sources} ${TABLES}/opencl_images.c src/backend/opencl/api.c src/backend/opencl/build.c
    src/backend/opencl/devices.c src/backend/opencl/opencl.c src/backend/opencl/program.c)
  target_compile_definitions(berth PUBLIC BT_WITH_OPENCL=1)
  set_property(SOURCE src/backend/opencl/program.c APPEND PROPERTY COMPILE_DEFINITIONS
               "BT_KERNEL_OPTIONS=\"${BERTH_KERNEL_OPTIONS}\"")
  target_link_libraries(berth PUBLIC ${CMAKE_DL_LIBS})
endif()
