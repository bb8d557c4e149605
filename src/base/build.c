/* build.c - provenance of the build: commit, compiler and flags, printed with every benchmark. */
#include <berth/build.h>
#include <stddef.h>

#include "build_commit.h"

const char *bt_build_version(void) { return BT_VERSION; }

const char *bt_build_commit(void) { return BT_BUILD_COMMIT; }

const char *bt_build_compiler(void) {
#if defined(__clang__)
  return "Clang " __clang_version__ ", " BT_BUILD_FLAGS;
#else
  return "GCC " __VERSION__ ", " BT_BUILD_FLAGS;
#endif
}

bt_feature bt_build_feature(int index) {
  static const bt_feature features[] = { /* set by cmake/Features.cmake */
      {"rdkit", "ligands from SDF, MOL2 and SMILES", BT_FEATURE_RDKIT},
      {"gemmi", "receptors from PDB and mmCIF files", BT_FEATURE_GEMMI},
      {"sqlite", "screens", BT_FEATURE_SQLITE},
      {"zstd", "binary libraries of ligands, input files as .zst", BT_FEATURE_ZSTD},
      {"zlib", "input files as .gz", BT_FEATURE_ZLIB},
      {"bzip2", "input files as .bz2", BT_FEATURE_BZIP2},
      {"viewer", "poses in 3D in reports", BT_FEATURE_VIEWER},
      {"cuda", "NVIDIA GPUs", BT_FEATURE_CUDA},
      {"hip", "AMD GPUs", BT_FEATURE_HIP},
      {"opencl", "OpenCL devices", BT_FEATURE_OPENCL},
      {"omptarget", "GPUs through OpenMP target regions", BT_FEATURE_OMPTARGET},
      {"mpi", "screens under mpirun, with the program berth-mpi", BT_FEATURE_MPI},
  };
  enum { COUNT = sizeof features / sizeof *features };
  return index >= 0 && index < COUNT ? features[index] : (bt_feature){.name = NULL};
}
