# The Python package, for scikit-build-core (pyproject.toml): a folder of bin, lib and share, as an installation is, and
# _api.py, cffi's declarations of libberth.so. Its programs use that library, which keeps them small.
if(NOT SKBUILD)
  return()
endif()
if(NOT (BERTH_WITH_CUDA OR BERTH_WITH_HIP OR BERTH_WITH_OMPTARGET))
  message(NOTICE "Berth's Python package is built for the CPU and OpenCL; for a GPU's own kernels: "
    "pip install . -C cmake.define.BERTH_WITH_CUDA=ON (or BERTH_WITH_HIP, BERTH_WITH_OMPTARGET)")
endif()
find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(api ${CMAKE_BINARY_DIR}/python/_api.py)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/python)
add_custom_command(OUTPUT ${api} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/make_api.py ${CMAKE_C_COMPILER}
  ${PROJECT_SOURCE_DIR}/include ${api} DEPENDS python/make_api.py ${public_headers} VERBATIM)
add_custom_target(berth_python DEPENDS ${api} berth_shared)
foreach(property IN ITEMS VERSION SOVERSION) # wheels hold no symbolic links
  set_property(TARGET berth_shared PROPERTY ${property})
endforeach()
target_link_options(berth_shared PRIVATE LINKER:--strip-all)
install(FILES ${api} DESTINATION berth COMPONENT python)
install(TARGETS berth_shared LIBRARY DESTINATION berth/lib COMPONENT python)
foreach(main IN ITEMS main_berth adgpu/main_adgpu autogrid/main_autogrid)
  string(REGEX REPLACE ".*main_" "" name ${main})
  set(target berth_python_${name})
  add_executable(${target} cli/${main}.c)
  # what libberth.so exports comes from there; only src/base is linked in
  target_link_libraries(${target} PRIVATE berth_flags -Wl,--no-as-needed berth_shared -Wl,--as-needed berth_cli)
  target_link_options(${target} PRIVATE LINKER:--strip-all)
  string(REPLACE "berth-berth" "berth" name berth-${name})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C INSTALL_RPATH "$ORIGIN/../lib"
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/bin)
  install(TARGETS ${target} RUNTIME DESTINATION berth/bin COMPONENT python)
  add_dependencies(berth_python ${target})
endforeach()
set(BERTH_PYTHON_LICENSES "" CACHE PATH "Folder with the licenses of what is linked into the Python package")
if(BERTH_PYTHON_LICENSES)
  install(DIRECTORY ${BERTH_PYTHON_LICENSES}/ DESTINATION berth/share/doc/berth/licenses COMPONENT python)
endif()
