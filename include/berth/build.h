/* build.h - which Berth this is: version, commit, and features.
 *
 *     printf("Berth %s, commit %s\n", bt_build_version(), bt_build_commit());
 *     for (int f = 0; bt_build_feature(f).name != NULL; f++)
 *       printf("%s: %s\n", bt_build_feature(f).name, bt_build_feature(f).what);
 */
#ifndef BERTH_BUILD_H
#define BERTH_BUILD_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the headers; bt_build_version() is that of the library that the program was linked with, which may
 * differ. */
#define BT_VERSION "0.2.0"
const char *bt_build_version(void);

/* Commit, compiler and flags of this build. */
const char *bt_build_commit(void);
const char *bt_build_compiler(void);

typedef struct bt_feature {
  const char *name; /* "rdkit", "cuda", ...; NULL after the last */
  const char *what; /* what it is for */
  bool built_in;    /* for a GPU: its kernels are built in; bt_device() lists the devices that are present */
} bt_feature;
bt_feature bt_build_feature(int index);

#ifdef __cplusplus
}
#endif

#endif
