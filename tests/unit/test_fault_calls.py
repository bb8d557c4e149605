#!/usr/bin/env python3
"""Every call in Berth's code that can fail is made to fail by tests/faults: a call of a new function has to be wrapped
there, or listed here with a reason. Takes the bin folder of a build as its argument."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import skips  # noqa: E402

TOP = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
BIN = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("BERTH_BIN", "build/release/bin"))
ARCHIVES = [BIN.resolve().parent / name for name in ("libberth.a", "libberth_cli.a")]

# Functions that are called and never made to fail, by the reason.
NEVER_FAIL = {
    "they compute": """
        abort acos alphasort asin atan atan2 bcmp ceil cos exp exp10 exp2 floor fma fmax fmaxf fmin fminf fmod
        isalpha isdigit isspace log llround log10 log2 lround lrint memchr memcmp memcpy memmem memmove
        mempcpy memset pow qsort remainder rint round sin sincos snprintf sprintf sqrt sscanf stpcpy strcasecmp strcat
        strchr strcmp strcpy strcspn strerror strftime strlen strncasecmp strncat strncmp strncpy strnlen
        strpbrk strrchr strsep strspn strstr strtod strtod_l strtok strtol strtoll strtoul strtoull tan tolower
        toupper trunc vsnprintf gmtime_r regexec tfind twalk""",
    "they give back": """
        closedir dlclose free freelocale globfree deflateEnd inflateEnd munmap BZ2_bzDecompressEnd regfree tdelete ZSTD_freeCCtx
        ZSTD_freeDCtx""",
    "they tell of what is there": """
        dirfd dladdr dlerror dlsym ferror fileno getenv geteuid gethostname getpid getppid getrlimit ioctl isatty
        regerror sched_getaffinity sched_cpucount sysconf umask uselocale rewind compressBound deflateBound
        ZSTD_compressBound ZSTD_getErrorCode ZSTD_isError backtrace backtrace_symbols_fd""",
    "of processes: a failure is the child's exit code, or leaves a default": """
        _exit chdir dup2 execv kill prctl raise setpgid setrlimit sigaction sigaltstack sigemptyset sigfillset
        sigaddset signal sigprocmask waitpid poll nanosleep clock_nanosleep""",
    "they fail by their data, which tests damage": """
        inflate inflateReset BZ2_bzDecompress ZSTD_compressCCtx ZSTD_decompressDCtx ZSTD_decompressStream
        ZSTD_DCtx_reset""",
    "it fails without room, and deflateBound tells how much is needed": "deflate",
    "advice": "madvise posix_fadvise mallopt",
}
# Of SQLite file system and allocator fail (database.c), of GPUs the runtime (device.c); C++ fails by operator new. Locks
# and conditions of threads do not fail in glibc.
NEVER_FAIL_BY_PREFIX = ("sqlite3_", "_Z", "__cxa", "_Unwind", "pthread_cond", "pthread_mutex", "pthread_rwlock",
                        "pthread_join", "cuda", "__cuda", "hip", "__hip", "cl", "omp_", "GOMP_", "MPI_", "rd")
# Data, and what the compiler calls.
NOT_CALLED = {"stderr", "stdout", "stdin", "environ", "_GLOBAL_OFFSET_TABLE_", "__ctype_b_loc", "__ctype_tolower_loc",
              "__ctype_toupper_loc", "__errno_location", "__dso_handle", "__executable_start", "__gxx_personality_v0",
              "__libc_single_threaded", "__cpu_model", "__cpu_indicator_init", "__stack_chk_fail", "__stack_chk_guard",
              "__assert_fail", "__aarch64_have_lse_atomics", "__popcountdi2", "__tls_get_addr"}


def plain(name):
    """Of checked and versioned names: __snprintf_chk, __isoc99_sscanf."""
    return re.sub(r"^__(?:isoc\d+_)?|_chk$", "", name)


def wrapped():
    """The functions wrapped by tests/faults/CMakeLists.txt."""
    listed = re.search(r"set\(names ([^)]*)\)", (TOP / "tests/faults/CMakeLists.txt").read_text())[1].split()
    return {*listed, *re.findall(r"(?m)^WRAP[A-Z_]*\((\w+),", (TOP / "tests/faults/calls.c").read_text())}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def called():
    wanted, own = set(), set()
    for archive in ARCHIVES:
        for line in run("nm", "-P", str(archive)).splitlines():
            words = line.split()
            if len(words) > 1:
                (wanted if words[1] in "Uw" else own).add(words[0])
    return wanted - own - NOT_CALLED


class Calls(unittest.TestCase):
    def setUp(self):
        if not (BIN.resolve().parent / "tests/berth-faults").exists():
            skips.skip("this build has no berth-faults")
        if not all(map(shutil.which, ("nm", "objdump"))):
            skips.skip("nm and objdump (binutils) are absent")

    def test_what_can_fail_is_made_to_fail(self):
        fine = {name for names in NEVER_FAIL.values() for name in names.split()}
        both = fine & wrapped()
        self.assertFalse(both, "wrapped in tests/faults/calls.c, and listed here")
        new = sorted(name for name in called() - wrapped() if plain(name) not in fine
                     and not name.startswith(NEVER_FAIL_BY_PREFIX) and not name.startswith("__aarch64_"))
        self.assertFalse(new, "calls that tests/faults/calls.c does not wrap")

    def test_call_sites(self):
        """How many there are: relocations of the two libraries that name a wrapped function."""
        names, sites = wrapped(), {}
        for archive in ARCHIVES:
            for name in re.findall(r"(?m)^[0-9a-f]+ R_\S+ +(\w+)", run("objdump", "-r", str(archive))):
                if name in names:
                    sites[name] = sites.get(name, 0) + 1
        print(f"{sum(sites.values())} call sites of {len(sites)} functions")
        self.assertGreater(sum(sites.values()), 500)

    def test_list_of_unreached_sites(self):
        """Its lines name existing files and functions; faults/sites.py checks whether it is right."""
        for line in (TOP / "tests/faults/unreached.txt").read_text().splitlines():
            if line == "" or line.startswith("# "):
                continue
            pattern, *names = line.split()
            files = [path for path in TOP.glob(pattern) if path.suffix in (".c", ".cc")]
            self.assertTrue(files, line)
            if names and "*" not in names[0]:
                self.assertTrue(any(f"{names[0]}(" in path.read_text() for path in files), line)


if __name__ == "__main__":
    skips.main(sys.argv[2:])
