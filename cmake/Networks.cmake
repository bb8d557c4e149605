# Networks that score poses: what scripts/install-deps networks has fetched (state dictionaries of PyTorch, .pt) is
# converted by the program that was built, to share/berth/networks/NAME.btn beside its folder, where it finds them, and
# installed. Without them, `berth networks install` adds them later.
set(BERTH_NETWORKS AUTO CACHE STRING "Networks that score poses: AUTO, OFF or a folder with .pt files")
set(folder "${BERTH_NETWORKS}")
if(folder STREQUAL "AUTO")
  set(folder "${PROJECT_SOURCE_DIR}/build/networks")
  if(SKBUILD) # the Python package stays small
    set(folder OFF)
  endif()
elseif(folder AND NOT IS_DIRECTORY "${folder}")
  message(FATAL_ERROR "BERTH_NETWORKS is ${folder}, which is no folder: scripts/install-deps networks fetches networks")
endif()
# Programs with sanitizers or of another processor do not run in a build; tests read the .pt files.
if(NOT folder OR CMAKE_CROSSCOMPILING OR BERTH_SANITIZE OR BERTH_BUILD_FUZZERS OR NOT TARGET berth_program)
  return()
endif()
file(GLOB networks CONFIGURE_DEPENDS ${folder}/*.pt)
list(LENGTH networks count)
if(count EQUAL 0)
  message(STATUS "Berth: no networks to score poses (scripts/install-deps networks fetches them)")
  return()
endif()
message(STATUS "Berth: ${count} networks to score poses (${folder})")
set(converted ${CMAKE_BINARY_DIR}/share/berth/networks)
set(stamp ${CMAKE_BINARY_DIR}/share/berth/networks.stamp)
add_custom_command(OUTPUT ${stamp}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${converted}
  COMMAND $<TARGET_FILE:berth_program> networks install -q ${networks} --to ${converted}
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
  DEPENDS ${networks} berth_program COMMENT "Converting networks" VERBATIM)
add_custom_target(berth_networks ALL DEPENDS ${stamp})
file(GLOB licenses ${folder}/LICENSE*)
install(DIRECTORY ${converted} DESTINATION ${CMAKE_INSTALL_DATADIR}/berth OPTIONAL
  FILES_MATCHING PATTERN "*.btn")
if(licenses)
  install(FILES ${licenses} DESTINATION ${CMAKE_INSTALL_DATADIR}/berth/networks)
endif()
