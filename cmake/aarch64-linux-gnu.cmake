# Cross-compilation for 64-bit ARM with Debian's gcc-aarch64-linux-gnu; tests run under qemu-user. cmocka is taken
# from BERTH_AARCH64_ROOT if it is there (scripts/test --neon unpacks it there).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
if(EXISTS /lib/ld-linux-aarch64.so.1)
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64) # arm64's libc with another loader hangs at the first thread
endif()
set(BERTH_AARCH64_ROOT "" CACHE PATH "Folder with arm64 packages unpacked, for libcmocka")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BERTH_AARCH64_ROOT)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu ${BERTH_AARCH64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
