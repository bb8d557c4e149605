/* report.c - messages for people and exit codes for scripts. */
#include "common/report.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <berth/cache.h>
#include "signals/interrupt.h"

char *cli_one_line(char *text) {
  for (char *c = text; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  return text;
}

static void print_line(const char *program, const char *kind, const char *format, va_list arguments) {
  char text[4096];
  vsnprintf(text, sizeof text, format, arguments);
  fflush(stdout); /* so that a log shows both streams in order */
  fprintf(stderr, "%s: %s%s\n", program, kind, cli_one_line(text));
}

void cli_message(const char *program, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_line(program, "", format, arguments);
  va_end(arguments);
}

void cli_warning(const char *program, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_line(program, "warning: ", format, arguments);
  va_end(arguments);
}

void cli_damage_warn(const char *program, const char *lines, int64_t ligands, const char *then) {
  int64_t told = 0;
  for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1, told++)
    cli_warning(program, "%.*s; it is %s", (int)(end - lines), lines, then);
  if (ligands > told) cli_warning(program, "%lld more ligands are damaged and %s", (long long)(ligands - told), then);
}

bt_status cli_print_json(bt_text *text, bt_error *opt_error) {
  bt_status status = bt_text_status(text, opt_error);
  if (status == BT_OK) puts(text->data);
  fflush(stdout);
  bt_text_destroy(text);
  return status;
}

int cli_exit_code(bt_status status) {
  switch (status) {
    case BT_OK: return CLI_EXIT_OK;
    case BT_ERR_USAGE:
    case BT_ERR_INPUT:
    case BT_ERR_PARAMETER:
    case BT_ERR_BOX:
    case BT_ERR_LIMIT:
    case BT_ERR_IO:
    case BT_ERR_FILTERED: return CLI_EXIT_BAD;
    case BT_ERR_MEMORY:
    case BT_ERR_DEVICE: return CLI_EXIT_SYSTEM;
    case BT_ERR_CANCELLED: return cli_interrupt_exit_code();
  }
  return CLI_EXIT_SYSTEM;
}

int cli_fail(const char *program, const bt_error *error) {
  char text[2048];
  cli_message(program, "%s", bt_error_format(error, text, sizeof text));
  return cli_exit_code(error->status);
}

void cli_cache_warn(const char *program, const char *opt_device) {
  bt_error error;
  char text[2048];
  bt_status status = bt_cache_check(opt_device, &error);
  if (status == BT_OK) return;
  bt_error_format(&error, text, sizeof text);
  if (status == BT_ERR_IO)
    cli_message(program, "note: %s", text);
  else
    cli_warning(program, "%s", text);
}

int cli_finish(const char *program, int exit_code) {
  errno = 0;
  bool failed = fflush(stdout) != 0;
  int code = errno;
  if (!failed && !ferror(stdout)) return exit_code;
  struct pollfd reader = {.fd = STDOUT_FILENO, .events = POLLOUT};
  if (code == 0) { /* errno of an earlier write is lost: another one fails for the same reason */
    if (poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR) != 0)
      code = EPIPE;
    else
      code = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
  }
  cli_message(program, "standard output: cannot write: %s", strerror(code));
  return exit_code == CLI_EXIT_OK ? CLI_EXIT_BAD : exit_code;
}

bt_status cli_check_interrupt(bt_error *opt_error) {
  return cli_interrupted() ? cli_fill_error(opt_error, BT_ERR_CANCELLED, NULL, "", "%s", cli_interrupt_words()) : BT_OK;
}

char *cli_format(const char *format, ...) {
  char *text;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  return length < 0 ? NULL : text;
}
