#!/usr/bin/env bash
# Called by rattler-build in the source tree; PREFIX is the folder of the package's files, CMAKE_ARGS has options for
# conda's compilers.
# By hand: PREFIX=/tmp/berth packaging/conda/build.sh
set -euo pipefail
: "${PREFIX:?the folder to install into}"

options=(-DBERTH_BUILD_TESTS=OFF -DBERTH_WITH_STUDIES=OFF -DBERTH_WITH_CUDA=OFF -DBERTH_WITH_HIP=OFF
  -DBERTH_WITH_OMPTARGET=OFF -DBERTH_WITH_MPI=OFF -DBERTH_WITH_RDKIT=ON -DBERTH_WITH_GEMMI=ON
  "-DBERTH_RDKIT_ROOT=$PREFIX" "-DBERTH_GEMMI_ROOT=$PREFIX")
# gemmi may bring PEGTL's headers in a separate folder
pegtl=$(find "$PREFIX/include" -path '*/tao/pegtl.hpp' -print -quit 2>/dev/null || true)
[ -z "$pegtl" ] || options+=("-DPEGTL_INCLUDE=${pegtl%/tao/pegtl.hpp}")

# shellcheck disable=SC2086 # several words
cmake -S . -B build/conda -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=$PREFIX" \
  -DCMAKE_INSTALL_LIBDIR=lib "${options[@]}" ${CMAKE_ARGS:-}
cmake --build build/conda --parallel "${CPU_COUNT:-2}"
cmake --install build/conda
