/* sys/resource.h - there are no limits. */
#ifndef BERTH_WINDOWS_RESOURCE_H
#define BERTH_WINDOWS_RESOURCE_H

enum { RLIMIT_CPU, RLIMIT_AS, RLIMIT_CORE, RLIMIT_FSIZE };
typedef unsigned long long rlim_t;
#define RLIM_INFINITY ((rlim_t)-1)
struct rlimit {
  rlim_t rlim_cur, rlim_max;
};
int getrlimit(int which, struct rlimit *ret_limit);
int setrlimit(int which, const struct rlimit *limit);

#endif
