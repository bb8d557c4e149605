/* sys/wait.h - there are no children, as fork fails. */
#ifndef BERTH_WINDOWS_WAIT_H
#define BERTH_WINDOWS_WAIT_H

#define WNOHANG 1
#define WIFEXITED(status) ((status) == 0)
#define WEXITSTATUS(status) (status)
#define waitpid(child, status, flags) ((void)(child), (void)*(status), -1)

#endif
