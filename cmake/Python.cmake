# The Python package, for scikit-build-core (pyproject.toml): libberth.so, and _api.py, its declarations for cffi.
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
target_link_options(berth_shared PRIVATE LINKER:--strip-all)
install(FILES ${api} DESTINATION berth COMPONENT python)
install(FILES $<TARGET_FILE:berth_shared> DESTINATION berth RENAME libberth.so COMPONENT python)
