# cpack makes a Debian package of the installed files: cpack -G DEB in the build folder.
set(CPACK_PACKAGE_NAME berth)
set(CPACK_PACKAGE_VENDOR "The Berth authors")
# Who builds the package answers for it: DEBFULLNAME and DEBEMAIL, as Debian's tools have it, else the last commit's
# author.
set(packager "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
if(NOT packager MATCHES "^[^<]+ <.+@.+>$")
  execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 "--format=%an <%ae>" OUTPUT_VARIABLE packager ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT packager MATCHES "^[^<]+ <.+@.+>$")
  set(packager "Berth <root@localhost>")
endif()
set(BERTH_PACKAGER "${packager}" CACHE STRING "Maintainer of the Debian package")
set(CPACK_PACKAGE_CONTACT ${BERTH_PACKAGER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Molecular docking and virtual screening")
set(CPACK_PACKAGE_DESCRIPTION
"Finds where and how strongly small molecules bind to a protein, with the
scoring functions of AutoDock 4, Vina, Vinardo and BUDE, on processors and
GPUs: from a PDB file and SMILES to poses and a report, and for libraries
of any size.")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};berth;Unspecified;/")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1, pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageTools.cmake)
set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_IGNORE_FILES /build/ /\\.git/ /\\.cache/)
# further files that Debian requires
if(BERTH_GZIP)
  set(changelog ${CMAKE_BINARY_DIR}/debian/changelog.gz)
  add_custom_command(OUTPUT ${changelog} COMMAND ${BERTH_GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > ${changelog}
    DEPENDS CHANGELOG.md VERBATIM)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/debian)
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC) # that of SOURCE_DATE_EPOCH, if set
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/debian/changelog.Debian CONTENT "berth (@PROJECT_VERSION@-1) unstable; urgency=medium

  * Berth @PROJECT_VERSION@; see changelog.gz for what has changed.

 -- @BERTH_PACKAGER@  @now@
" @ONLY)
  set(debian_changelog ${CMAKE_BINARY_DIR}/debian/changelog.Debian.gz)
  add_custom_command(OUTPUT ${debian_changelog}
    COMMAND ${BERTH_GZIP} -9nc ${CMAKE_BINARY_DIR}/debian/changelog.Debian > ${debian_changelog}
    DEPENDS ${CMAKE_BINARY_DIR}/debian/changelog.Debian VERBATIM)
  add_custom_target(berth_changelog ALL DEPENDS ${changelog} ${debian_changelog})
  install(FILES ${changelog} ${debian_changelog} packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/debian/triggers CONTENT "activate-noawait ldconfig\n" @ONLY)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/debian/triggers)
include(CPack)
