# Gzipped input files are read with zlib, if available.
find_package(ZLIB)
if(ZLIB_FOUND)
  target_compile_definitions(berth PRIVATE BT_WITH_ZLIB=1)
  target_link_libraries(berth PRIVATE ZLIB::ZLIB)
endif()
