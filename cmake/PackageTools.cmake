# Read by cpack. Without dpkg-shlibdeps it would make a Debian package that depends on nothing, so that its programs start
# only where all libraries happen to be installed.
if(CPACK_GENERATOR STREQUAL "DEB")
  foreach(tool IN ITEMS dpkg-shlibdeps file)
    find_program(BERTH_PACKAGE_TOOL ${tool} NO_CACHE)
    if(NOT BERTH_PACKAGE_TOOL)
      message(FATAL_ERROR "${tool} is missing, which finds the libraries that the package depends on: install dpkg-dev and file")
    endif()
    unset(BERTH_PACKAGE_TOOL)
  endforeach()
endif()
