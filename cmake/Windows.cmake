# Windows, with MinGW-w64: what its headers lack of POSIX is in cmake/windows, so that src/ and cli/ need no #ifdef.
# An experiment, which docs/installing.md describes: cmake -DCMAKE_TOOLCHAIN_FILE=cmake/x86_64-w64-mingw32.cmake
target_include_directories(berth_flags BEFORE INTERFACE ${PROJECT_SOURCE_DIR}/cmake/windows)
target_compile_definitions(berth_flags INTERFACE __USE_MINGW_ANSI_STDIO=1 _POSIX_THREAD_SAFE_FUNCTIONS=200112L)
target_compile_options(berth_flags INTERFACE -Wno-format) # that stdio knows C's formats, GCC takes it for Microsoft's
target_link_options(berth_flags INTERFACE -static LINKER:--wrap=free)
add_library(berth_posix OBJECT cmake/windows/posix.c)
target_link_libraries(berth_posix PRIVATE berth_flags)
