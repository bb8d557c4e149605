# The OpenCL back end: nothing of OpenCL is needed to build it; the library is opened at run time and compiles the
# kernels, whose source is embedded as text.
set(BERTH_WITH_OPENCL AUTO CACHE STRING "OpenCL back end: AUTO, ON or OFF")
set_property(CACHE BERTH_WITH_OPENCL PROPERTY STRINGS AUTO ON OFF)
set(with_opencl ${BERTH_WITH_OPENCL})
if(with_opencl STREQUAL "AUTO")
  set(with_opencl ON)
  if(BERTH_SANITIZE MATCHES "thread" OR BERTH_BUILD_FUZZERS)
    set(with_opencl OFF) # drivers' own threads are not instrumented and look like races
  endif()
endif()

if(with_opencl)
  file(GLOB opencl_headers CONFIGURE_DEPENDS src/kernel/*/*.h src/backend/opencl/*.h)
  set(opencl_source ${TABLES}/opencl_source.c)
  add_custom_command(OUTPUT ${opencl_source}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/src -DENTRY=backend/opencl/kernels.cl -DNAME=bt_opencl_source
            -DOUT=${opencl_source} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedSource.cmake
    DEPENDS ${opencl_headers} src/backend/opencl/kernels.cl cmake/EmbedSource.cmake VERBATIM)
  set(opencl_bude_source ${TABLES}/opencl_bude_source.c)
  add_custom_command(OUTPUT ${opencl_bude_source}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}/src -DENTRY=backend/opencl/bude.cl -DNAME=bt_opencl_bude_source
            -DOUT=${opencl_bude_source} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedSource.cmake
    DEPENDS ${opencl_headers} src/backend/opencl/bude.cl cmake/EmbedSource.cmake VERBATIM)
  target_sources(berth PRIVATE ${opencl_source} ${opencl_bude_source} src/backend/opencl/bude.c src/backend/opencl/api.c src/backend/opencl/build.c
    src/backend/opencl/devices.c src/backend/opencl/opencl.c src/backend/opencl/program.c)
  target_compile_definitions(berth PUBLIC BT_WITH_OPENCL=1)
  target_link_libraries(berth PUBLIC ${CMAKE_DL_LIBS})
endif()
