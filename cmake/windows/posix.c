/* posix.c - the functions of POSIX that the headers of this folder declare, on Windows. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <unistd.h>
#include <malloc.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static int refuse(int code) {
  errno = code;
  return -1;
}

/* ---- libraries ---- */

static char trouble[64];

void *dlopen(const char *name, int mode) {
  if ((mode & RTLD_NOLOAD) != 0) return NULL;
  void *library = name != NULL ? (void *)LoadLibraryA(name) : (void *)GetModuleHandleA(NULL);
  if (library == NULL) snprintf(trouble, sizeof trouble, "Windows error %lu", GetLastError());
  return library;
}

void *dlsym(void *library, const char *name) { return (void *)(size_t)GetProcAddress((HMODULE)library, name); }
int dlclose(void *library) { return FreeLibrary((HMODULE)library) ? 0 : -1; }
char *dlerror(void) { return trouble; }

int dladdr(const void *address, Dl_info *ret_info) {
  static char path[MAX_PATH];
  HMODULE module;
  ret_info->dli_fname = path;
  return GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            (const char *)address, &module) &&
         GetModuleFileNameA(module, path, sizeof path) > 0;
}

/* ---- files ---- */

void *mmap(void *wanted, size_t size, int protection, int flags, int descriptor, long long offset) {
  (void)wanted, (void)size, (void)protection, (void)flags, (void)offset; /* Berth maps whole files to read them */
  HANDLE file = (HANDLE)_get_osfhandle(descriptor), mapping = CreateFileMappingA(file, NULL, PAGE_READONLY, 0, 0, NULL);
  void *data = mapping != NULL ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0) : NULL;
  if (mapping != NULL) CloseHandle(mapping);
  if (data == NULL) errno = ENODEV;
  return data != NULL ? data : MAP_FAILED;
}

int munmap(void *data, size_t size) {
  (void)size;
  return UnmapViewOfFile(data) ? 0 : -1;
}

int madvise(void *data, size_t size, int advice) {
  (void)data, (void)size, (void)advice;
  return 0;
}

int flock(int descriptor, int how) {
  OVERLAPPED whole = {0};
  DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | ((how & LOCK_NB) != 0 ? LOCKFILE_FAIL_IMMEDIATELY : 0);
  HANDLE file = (HANDLE)_get_osfhandle(descriptor);
  return LockFileEx(file, flags, 0, MAXDWORD, MAXDWORD, &whole) ? 0 : refuse(EWOULDBLOCK);
}

int openat(int folder, const char *name, int flags, ...) {
  (void)folder, (void)name, (void)flags;
  return refuse(ENOSYS);
}

int unlinkat(int folder, const char *name, int flags) {
  (void)folder, (void)name, (void)flags;
  return refuse(ENOSYS);
}

int fchmod(int descriptor, int mode) {
  (void)descriptor, (void)mode;
  return 0;
}

int dirfd(DIR *folder) {
  (void)folder;
  return refuse(ENOSYS);
}

int alphasort(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

int scandir(const char *folder, struct dirent ***ret_names, int (*opt_takes)(const struct dirent *),
            int (*opt_compare)(const struct dirent **, const struct dirent **)) {
  DIR *stream = opendir(folder);
  struct dirent **names = NULL;
  int count = 0;
  if (stream == NULL) return -1;
  for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) {
    if (opt_takes != NULL && !opt_takes(entry)) continue;
    struct dirent **more = realloc(names, (size_t)(count + 1) * sizeof *names), *copy = malloc(sizeof *copy);
    if (more != NULL) names = more;
    if (more == NULL || copy == NULL) break;
    *copy = *entry;
    names[count++] = copy;
  }
  closedir(stream);
  if (count > 1 && opt_compare != NULL)
    qsort(names, (size_t)count, sizeof *names, (int (*)(const void *, const void *))opt_compare);
  *ret_names = names;
  return count;
}

char *realpath(const char *path, char *room) { return _fullpath(room, path, room != NULL ? MAX_PATH : 0); }

ssize_t readlink(const char *path, char *target, size_t size) {
  (void)path, (void)target, (void)size;
  return refuse(EINVAL);
}

ssize_t pread(int descriptor, void *data, size_t size, long long offset) {
  OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
  DWORD count = 0;
  bool done = ReadFile((HANDLE)_get_osfhandle(descriptor), data, (DWORD)size, &count, &at);
  return done || GetLastError() == ERROR_HANDLE_EOF ? (ssize_t)count : refuse(EIO);
}

ssize_t pwrite(int descriptor, const void *data, size_t size, long long offset) {
  OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
  DWORD count = 0;
  return WriteFile((HANDLE)_get_osfhandle(descriptor), data, (DWORD)size, &count, &at) ? (ssize_t)count : refuse(EIO);
}

FILE *open_memstream(char **ret_text, size_t *ret_size) {
  (void)ret_text, (void)ret_size;
  errno = ENOSYS;
  return NULL;
}

char *mkdtemp(char *name) { return _mktemp(name) != NULL && _mkdir(name) == 0 ? name : NULL; }

/* ---- texts ---- */

char *strndup(const char *text, size_t most) {
  size_t size = strnlen(text, most);
  char *copy = malloc(size + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}

char *stpcpy(char *to, const char *from) {
  size_t size = strlen(from);
  memcpy(to, from, size + 1);
  return to + size;
}

char *strsep(char **text, const char *ends) {
  char *start = *text;
  if (start == NULL) return NULL;
  char *end = start + strcspn(start, ends);
  *text = *end != '\0' ? end + 1 : NULL;
  *end = '\0';
  return start;
}

void *memmem(const void *data, size_t size, const void *part, size_t length) {
  const char *at = data;
  for (; size >= length; at++, size--)
    if (memcmp(at, part, length) == 0) return (void *)(size_t)at;
  return NULL;
}

/* ---- aligned memory ---- */

/* Blocks that are in use, few and long-lived. */
static void *blocks[4096];
static SRWLOCK of_blocks = SRWLOCK_INIT;

void __real_free(void *block);
void __wrap_free(void *block);

static bool exchange(void *from, void *to) {
  size_t k = 0, n = sizeof blocks / sizeof *blocks;
  AcquireSRWLockExclusive(&of_blocks);
  while (k < n && blocks[k] != from) k++;
  if (k < n) blocks[k] = to;
  ReleaseSRWLockExclusive(&of_blocks);
  return k < n;
}

void *aligned_alloc(size_t alignment, size_t size) {
  void *block = _aligned_malloc(size, alignment < 64 ? 64 : alignment);
  if (block == NULL || exchange(NULL, block)) return block;
  _aligned_free(block);
  return NULL;
}

void __wrap_free(void *block) {
  if (block != NULL && (size_t)block % 64 == 0 && exchange(block, NULL))
    _aligned_free(block);
  else
    __real_free(block);
}

/* ---- patterns ---- */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int add_found(glob_t *found, const char *folder, int length, const char *name) {
  char **more = realloc(found->gl_pathv, (found->gl_pathc + 1) * sizeof *more), *path = NULL;
  if (more == NULL) return GLOB_NOSPACE;
  found->gl_pathv = more;
  if (asprintf(&path, "%.*s%s", length, folder, name) < 0) return GLOB_NOSPACE;
  found->gl_pathv[found->gl_pathc++] = path;
  return 0;
}

int glob(const char *pattern, int flags, int (*opt_on_error)(const char *, int), glob_t *ret_found) {
  (void)flags, (void)opt_on_error;
  const char *slash = strrchr(pattern, '/');
  int length = slash != NULL ? (int)(slash + 1 - pattern) : 0, code = 0;
  WIN32_FIND_DATAA entry;
  *ret_found = (glob_t){0};
  HANDLE search = FindFirstFileA(pattern, &entry);
  if (search == INVALID_HANDLE_VALUE) return GLOB_NOMATCH;
  do code = entry.cFileName[0] != '.' ? add_found(ret_found, pattern, length, entry.cFileName) : 0;
  while (code == 0 && FindNextFileA(search, &entry));
  FindClose(search);
  if (ret_found->gl_pathc > 1) qsort(ret_found->gl_pathv, ret_found->gl_pathc, sizeof(char *), by_name);
  return code != 0 || ret_found->gl_pathc > 0 ? code : GLOB_NOMATCH;
}

void globfree(glob_t *found) {
  for (size_t k = 0; k < found->gl_pathc; k++) free(found->gl_pathv[k]);
  free(found->gl_pathv);
  *found = (glob_t){0};
}

int regcomp(regex_t *pattern, const char *text, int flags) {
  (void)pattern, (void)text, (void)flags;
  return 1;
}

int regexec(const regex_t *pattern, const char *text, size_t count, regmatch_t matches[], int flags) {
  (void)pattern, (void)text, (void)count, (void)matches, (void)flags;
  return 1;
}

size_t regerror(int code, const regex_t *pattern, char *text, size_t size) {
  (void)code, (void)pattern;
  return (size_t)snprintf(text, size, "there are no patterns on Windows");
}

void regfree(regex_t *pattern) { (void)pattern; }

/* ---- the machine ---- */

long sysconf(int what) {
  SYSTEM_INFO system;
  MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
  GetSystemInfo(&system);
  GlobalMemoryStatusEx(&memory);
  if (what == _SC_NPROCESSORS_ONLN) return (long)system.dwNumberOfProcessors;
  if (what == _SC_PHYS_PAGES) return (long)(memory.ullTotalPhys / system.dwPageSize);
  return what == _SC_PAGESIZE ? (long)system.dwPageSize : CLOCKS_PER_SEC;
}

int getrlimit(int which, struct rlimit *ret_limit) {
  (void)which;
  *ret_limit = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
  return 0;
}

int setrlimit(int which, const struct rlimit *limit) {
  (void)which, (void)limit;
  return refuse(ENOSYS);
}

clock_t times(struct tms *ret_used) {
  *ret_used = (struct tms){.tms_utime = clock()};
  return ret_used->tms_utime;
}

int fork(void) { return refuse(ENOSYS); }

int setpgid(int process, int group) {
  (void)process, (void)group;
  return refuse(ENOSYS);
}

int getppid(void) { return 0; }
int geteuid(void) { return 0; }

int gethostname(char *name, size_t size) {
  DWORD room = (DWORD)size;
  return GetComputerNameA(name, &room) ? 0 : refuse(EINVAL);
}

int kill(int process, int number) {
  (void)process, (void)number;
  return refuse(ENOSYS);
}

/* ---- signals ---- */

static void (*handlers[NSIG])(int, siginfo_t *, void *);

static void pass_on(int number) {
  siginfo_t info = {.si_code = 1}; /* of the terminal */
  signal(number, pass_on);
  handlers[number](number, &info, NULL);
}

int sigaction(int number, const struct sigaction *opt_action, struct sigaction *opt_ret_old) {
  if (opt_ret_old != NULL) *opt_ret_old = (struct sigaction){.sa_handler = SIG_DFL};
  if (opt_action == NULL) return 0;
  if (number >= NSIG) return refuse(EINVAL);
  bool with_info = (opt_action->sa_flags & SA_SIGINFO) != 0;
  if (with_info) handlers[number] = opt_action->sa_sigaction;
  return signal(number, with_info ? pass_on : opt_action->sa_handler) != SIG_ERR ? 0 : -1;
}
