# Mitigates exploits of memory errors: code at random addresses (PIE), relocation tables read-only before main (full
# RELRO), guarded return addresses in functions with arrays, and copies checked by the C library (fortify).
# tests/cli/test_hardening.py checks the programs.
if(NOT BERTH_HARDEN OR BERTH_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug" OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  return()
endif()
include(CheckPIESupported)
check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckCCompilerFlag)
check_c_compiler_flag("-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -O2 -Werror" BERTH_HAS_FORTIFY_3)
add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fstack-protector-strong> $<$<COMPILE_LANGUAGE:C,CXX>:-U_FORTIFY_SOURCE>
  $<$<COMPILE_LANGUAGE:C,CXX>:-D_FORTIFY_SOURCE=$<IF:$<BOOL:${BERTH_HAS_FORTIFY_3}>,3,2>>)
add_link_options(LINKER:-z,relro LINKER:-z,now)
