# What `cmake --install` installs: programs, libberth.so with its headers, and files by which other projects find it
# with pkg-config or find_package(berth). Programs are linked statically to the library and need no libberth.so.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Builds with sanitizers and fuzzers have only programs.
if(BERTH_SANITIZE OR BERTH_BUILD_FUZZERS)
  return()
endif()

# The shared library has the same objects, and exports only the functions of the public headers.
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/berth/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_headers})
set(public "")
foreach(header IN LISTS public_headers)
  file(READ ${header} text)
  string(REGEX MATCHALL "bt_[a-z0-9_]+\\(" names "${text}")
  list(APPEND public ${names})
endforeach()
list(REMOVE_DUPLICATES public)
list(SORT public)
list(TRANSFORM public REPLACE "\\(" ";")
string(REPLACE ";" "" script "${public}")
string(REPLACE "bt_" ";\n    bt_" script "${script}")
string(REGEX REPLACE "^;" "" script "${script}")
set(interface ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
file(CONFIGURE OUTPUT ${TABLES}/libberth.map @ONLY
  CONTENT "BERTH_${interface} {\n  global:${script};\n  local:\n    *;\n};\n")
file(CONFIGURE OUTPUT ${TABLES}/empty.c CONTENT "typedef int bt_all_code_is_in_the_static_library;\n" @ONLY)
add_library(berth_shared SHARED ${TABLES}/empty.c)
set_target_properties(berth_shared PROPERTIES OUTPUT_NAME berth EXPORT_NAME berth VERSION ${PROJECT_VERSION}
  SOVERSION ${interface} LINK_DEPENDS ${TABLES}/libberth.map LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("CXX" IN_LIST languages) # RDKit or gemmi is built in
  set_target_properties(berth_shared PROPERTIES LINKER_LANGUAGE CXX)
endif()
target_include_directories(berth_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(berth_shared PRIVATE berth)
target_link_options(berth_shared PRIVATE
  "LINKER:--whole-archive,$<TARGET_FILE:berth>,--no-whole-archive,--version-script=${TABLES}/libberth.map,-z,defs")

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/berth)
install(TARGETS berth_shared EXPORT berth LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/berth DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT berth NAMESPACE berth:: FILE berth-config.cmake DESTINATION ${package})
write_basic_package_version_file(${TABLES}/berth-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${TABLES}/berth-config-version.cmake DESTINATION ${package})
# relative to the file itself, so that the folder can be moved
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
file(CONFIGURE OUTPUT ${TABLES}/berth.pc CONTENT "prefix=\${pcfiledir}/@up@
Name: berth
Description: Molecular docking and virtual screening
Version: @PROJECT_VERSION@
Cflags: -I\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
Libs: -L\${prefix}/@CMAKE_INSTALL_LIBDIR@ -lberth
" @ONLY)
install(FILES ${TABLES}/berth.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Manual pages and completion are printed by the programs; omitted if these cannot run (cross-compilation).
if(NOT CMAKE_CROSSCOMPILING)
  set(pages ${CMAKE_BINARY_DIR}/share)
  set(programs berth_program berth_adgpu berth_autogrid berth_bench)
  set(written ${pages}/man/man1/berth.1)
  set(write COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}/man/man1 ${pages}/completions
            COMMAND $<TARGET_FILE:berth_program> --help=man > ${written})
  find_program(BERTH_GZIP gzip)
  mark_as_advanced(BERTH_GZIP)
  # "TARGET WORDS": the page of these words of the target's program. Benchmarks are those of bench/bench.h.
  set(commands berth_adgpu berth_autogrid berth_bench)
  foreach(command IN ITEMS dock screen merge report score vina gnina bude "prep ligand" "prep receptor" "prep library" grid
                           pockets networks devices completion)
    list(APPEND commands "berth_program ${command}")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS bench/bench.h)
  file(READ bench/bench.h benchmarks)
  string(REGEX MATCHALL "X\\([a-z0-9]+" benchmarks "${benchmarks}")
  list(TRANSFORM benchmarks REPLACE "X.(.*)" "berth_bench \\1")
  foreach(command IN LISTS commands benchmarks)
    string(REPLACE "_program" "" page "${command}")
    string(REGEX REPLACE "[_ ]" "-" page "${page}")
    separate_arguments(words UNIX_COMMAND "${command}")
    list(POP_FRONT words program)
    list(APPEND write COMMAND $<TARGET_FILE:${program}> ${words} --help=man > ${pages}/man/man1/${page}.1)
  endforeach()
  if(TARGET berth_mpi) # run by `berth screen` under mpirun
    file(WRITE ${TABLES}/berth-mpi.1 ".so man1/berth-screen.1\n")
    list(APPEND write COMMAND ${CMAKE_COMMAND} -E copy ${TABLES}/berth-mpi.1 ${pages}/man/man1)
  endif()
  foreach(shell IN ITEMS bash zsh fish)
    list(APPEND write COMMAND $<TARGET_FILE:berth_program> completion ${shell} > ${pages}/completions/${shell})
  endforeach()
  if(BERTH_GZIP)
    list(APPEND write COMMAND sh -c "exec ${BERTH_GZIP} -9nfk ${pages}/man/man1/*.1")
  endif()
  add_custom_command(OUTPUT ${written} ${write} DEPENDS ${programs}
    COMMENT "Writing manual pages" VERBATIM)
  add_custom_target(berth_pages ALL DEPENDS ${written})
  set(kind "*.1")
  if(BERTH_GZIP)
    set(kind "*.1.gz")
  endif()
  install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN ${kind})
  install(FILES ${pages}/completions/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME berth)
  install(FILES ${pages}/completions/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _berth)
  install(FILES ${pages}/completions/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          RENAME berth.fish)
endif()
# The pages, under the names by which they link to each other, and the examples; not the tables of measurements.
file(GLOB guides CONFIGURE_DEPENDS docs/*.md)
file(GLOB pictures CONFIGURE_DEPENDS docs/images/1hpv.png docs/images/report.png docs/images/accuracy-poses.svg)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${guides} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES ${pictures} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs/images)
foreach(name IN ITEMS 1hpv c covalent python slurm zinc)
  install(DIRECTORY examples/${name} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
endforeach()
