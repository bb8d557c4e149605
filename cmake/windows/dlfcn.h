/* dlfcn.h - libraries that are opened at run time. */
#ifndef BERTH_WINDOWS_DLFCN_H
#define BERTH_WINDOWS_DLFCN_H

enum { RTLD_LAZY = 1, RTLD_NOW = 2, RTLD_LOCAL = 0, RTLD_NOLOAD = 4, RTLD_NODELETE = 8 };
typedef struct Dl_info {
  const char *dli_fname;
} Dl_info;
void *dlopen(const char *name, int mode);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
char *dlerror(void);
int dladdr(const void *address, Dl_info *ret_info);

#endif
