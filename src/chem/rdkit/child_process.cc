/* child_process.cc - work of RDKit that cannot be interrupted, in a child process, which can be ended.
 *
 * Distance geometry of some hundred atoms takes minutes in one call. A thread could only be abandoned, and would keep
 * using a core and memory. The child of a process with several threads has this thread alone, and whatever the others
 * had locked when it was made stays locked in it. glibc keeps its allocator usable; RDKit's own locks are held for
 * moments only, when tables are filled. So the child first embeds a small molecule, which takes all of them, and
 * reports success: a child that does not is killed after a few seconds, and another one is started.
 */
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/ForceFieldHelpers/UFF/UFF.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include "chem/rdkit/rdmol.h"

extern "C" {
#include "base/clock.h"
}

using namespace RDKit;

namespace {

enum { TRIES = 3, POLL_MILLISECONDS = 20 };
const double start_seconds = 10; /* a small molecule takes milliseconds */

/* What a child writes: START, then RESULT and the text, or ERROR and a bt_error. */
const char START = 's', RESULT = 'r', ERROR = 'e';

void take_all_locks() {
  std::unique_ptr<RWMol> mol(SmilesToMol("OC1CCCCC1/C=C/c1ccccc1"));
  MolOps::addHs(*mol);
  DGeomHelpers::EmbedParameters parameters = DGeomHelpers::ETKDGv3;
  parameters.randomSeed = 1;
  parameters.useSymmetryForPruning = false;
  if (DGeomHelpers::EmbedMolecule(*mol, parameters) < 0) return;
  ROMol copy(*mol);
  MMFF::MMFFOptimizeMolecule(copy, 1);
  UFF::UFFOptimizeMolecule(*mol, 1);
}

/* A child runs no exit handlers: they are the parent's. */
[[noreturn]] void vanish() {
  for (;;) kill(getpid(), SIGKILL);
}

void write_all(int file, const void *data, std::size_t size) {
  const char *at = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t written = write(file, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) vanish(); /* nothing reads it any longer */
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}

/* The child; it never returns. */
[[noreturn]] void work(int file, const std::function<std::string()> &body, bt_where where, double seconds) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (seconds > 0) { /* in case it is orphaned */
    auto limit = static_cast<rlim_t>(seconds) + 10;
    const struct rlimit cpu = {limit, limit};
    setrlimit(RLIMIT_CPU, &cpu);
  }
  for (int one : {SIGINT, SIGTERM, SIGHUP}) std::signal(one, SIG_IGN); /* the parent decides */
  std::string text;
  bt_error error{};
  bt_status status = berth::guarded(where, "provide 3D coordinates, or leave this molecule out", &error, [&] {
    take_all_locks();
    write_all(file, &START, 1);
    text = body();
  });
  if (status == BT_OK) {
    write_all(file, &RESULT, 1);
    write_all(file, text.data(), text.size());
  } else {
    write_all(file, &ERROR, 1);
    write_all(file, &error, sizeof error);
  }
  vanish();
}

struct child {
  pid_t pid = -1;
  int file = -1;
  std::string text; /* read so far */

  child() = default;
  child(const child &) = delete;
  child &operator=(const child &) = delete;
  ~child() {
    if (file >= 0) close(file);
    if (pid <= 0) return;
    kill(pid, SIGKILL);
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  }
};

/* False: no process can be made. */
bool start(child &one, const std::function<std::string()> &body, bt_where where, double seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false; /* other children must not inherit its ends */
  one.pid = fork();
  if (one.pid == 0) {
    close(ends[0]);
    work(ends[1], body, where, seconds);
  }
  close(ends[1]);
  one.file = ends[0];
  return one.pid > 0;
}

bool has_ended(child &one) {
  int status;
  if (waitpid(one.pid, &status, WNOHANG) != one.pid) return false;
  one.pid = -1;
  return true;
}

/* Reads until the child has ended. False: it did not get ready. Throws when the deadline is over. */
bool wait_for(child &one, const bt_deadline *opt_deadline, bt_where where) {
  double begun = bt_seconds();
  char buffer[4096];
  for (;;) {
    berth::check_deadline(opt_deadline, where);
    if (one.text.empty() && bt_seconds() - begun > start_seconds) return false;
    struct pollfd ready = {one.file, POLLIN, 0};
    int polled = poll(&ready, 1, POLL_MILLISECONDS);
    if (polled == 0 && has_ended(one)) return true; /* another thread's child may hold the other end open */
    if (polled <= 0) continue;
    ssize_t size = read(one.file, buffer, sizeof buffer);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size <= 0) return true;
    one.text.append(buffer, static_cast<std::size_t>(size));
  }
}

std::string result_of(const std::string &text) {
  if (text.size() >= 2 && text[1] == RESULT) return text.substr(2);
  if (text.size() == 2 + sizeof(bt_error) && text[1] == ERROR) {
    bt_error error;
    std::memcpy(&error, text.data() + 2, sizeof error);
    if (error.status == BT_ERR_MEMORY) throw std::bad_alloc();
    throw berth::failure(error.status, error.message, error.remedy, error.atom);
  }
  throw berth::failure(BT_ERR_INPUT, "RDKit crashed, or was killed, when it made 3D coordinates",
                       "provide 3D coordinates, or leave this molecule out");
}

}  // namespace

namespace berth {

std::string run_apart(const std::function<std::string()> &body, const bt_deadline *opt_deadline, bt_where where) {
  double seconds = opt_deadline != nullptr && opt_deadline->until > 0 ? opt_deadline->until - bt_seconds() : 0;
  for (int attempt = 0; attempt < TRIES; attempt++) {
    child one;
    if (!start(one, body, where, seconds)) break;
    if (wait_for(one, opt_deadline, where)) return result_of(one.text);
  }
  return body();
}

}  // namespace berth
