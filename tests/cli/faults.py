"""berth-faults, the program whose calls fail on request (tests/faults/faults.h): running it, and choosing what fails.

A scenario is a command in a folder prepared by a function. Each kind of call is counted in a run without a fault; then
single calls fail, or all from one on, or the process is killed instead of one. By default a dozen faults are tried;
BERTH_TEST_FULL=1 tries every call for files, the database and the device, and of allocations the first call of every
site and every 25th call; BERTH_TEST_FAULTS=N does so for every N-th call, 1: all; =none runs the commands without a
fault, for ../faults/sites.py. A command may take BERTH_TEST_FAULT_SECONDS, by default 120.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile

import berth_cli as cli

PROGRAM = cli.BIN.parent / "tests" / "berth-faults"
FULL = os.environ.get("BERTH_TEST_FULL") == "1"
FEW = 12
NONE = os.environ.get("BERTH_TEST_FAULTS") == "none"
STRIDE = 0 if NONE else int(os.environ.get("BERTH_TEST_FAULTS", "0"))
LIMIT = float(os.environ.get("BERTH_TEST_FAULT_SECONDS", "120"))
MEMORY = ("allocate", "database-memory")
# A process is killed at these calls only; between them nothing changes on the disk.
KILLED = ("write", "rename", "unlink", "sync", "database-write", "database-sync", "database-delete",
          "database-truncate")
# A full disk stays full, a lost device stays lost.
STAYING = ("write", "open", "database-write", "database-sync", "database-open", "device", "allocate", "thread")
# Journals of these tests need not survive a power failure; memory is faster than a disk.
FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

Outcome = collections.namedtuple("Outcome", "wish code stderr folder reached stdout")
Report = collections.namedtuple("Report", "reached calls sites")


def environment(folder, **more):
    return dict(os.environ, BERTH_CACHE_DIR=str(folder / "cache"), OMP_NUM_THREADS="1",
                ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1:detect_leaks=0", **more)


def read_report(path):
    calls, sites, reached = {}, [], None
    if not path.exists():
        return Report(None, calls, sites)
    for line in path.read_text().splitlines():
        word, *rest = line.split()
        if word == "reached":
            reached = rest[0] == "1"
        elif word == "calls":
            calls[rest[0]] = int(rest[1])
        else:
            sites.append((rest[0], rest[1], rest[2], int(rest[3])))
    return Report(reached, calls, sites)


def run(folder, command, wish=None, timeout=LIMIT, stdin=None, **more):
    """The outcome of the command with this fault, and its report. stdin: a file in the folder; more: environment."""
    path = folder / "fault-report"
    path.unlink(missing_ok=True)
    variables = environment(folder, BERTH_FAULT_REPORT=str(path), **more)
    if wish:
        variables["BERTH_FAULT"] = wish
    with open(folder / stdin if stdin else os.devnull, "rb") as piped:
        done = subprocess.run([str(PROGRAM), *map(str, command)], cwd=folder, env=variables, timeout=timeout, text=True,
                              capture_output=True, errors="replace", stdin=piped)
    report = read_report(path)
    path.unlink(missing_ok=True)
    return Outcome(wish, done.returncode, done.stderr, folder, report.reached, done.stdout), report


def spread(count, wanted):
    """So many numbers from 1 to count, evenly spaced, with both ends."""
    if count <= wanted:
        return list(range(1, count + 1))
    return sorted({1 + round(i * (count - 1) / max(wanted - 1, 1)) for i in range(wanted)})


def wishes(report, pending, functions=(), few=FEW):
    """The faults to try, of kinds that are not pending; with functions, the first two calls of each of their sites."""
    if NONE:
        return []
    if functions and not (FULL or STRIDE):
        return [f"{kind}@{place}:{n}" for kind, name, place, calls in report.sites if name in functions
                for n in range(1, min(int(calls), 2) + 1)]
    chosen = []
    for kind, count in report.calls.items():
        if kind in pending:
            continue
        if STRIDE:
            numbers = range(1, count + 1, STRIDE * (25 if STRIDE > 1 and kind in MEMORY else 1))
        elif not FULL:
            numbers = spread(count, 3)
        else:
            numbers = range(1, count + 1, 25 if kind in MEMORY else 1)
        chosen += [f"{kind}:{n}" for n in numbers]
        if kind in KILLED:
            chosen += [f"{kind}:{n}!" for n in numbers]
        if kind in STAYING:
            chosen += [f"{kind}:{n}+" for n in (numbers if kind not in MEMORY else list(numbers)[::10])]
    if FULL or STRIDE:
        return chosen + [f"{kind}@{place}:1" for kind, _, place, _ in report.sites if place != "0"]
    return [chosen[k - 1] for k in spread(len(chosen), few)]


class Case(cli.Case):
    """Scenarios, each of whose faults has a folder of its own."""
    talks = False  # standard error has lines that are not messages, such as tables

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="berth-faults-", dir=FAST))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        if not PROGRAM.exists():
            self.skipTest(f"{PROGRAM} is absent")

    def try_all(self, name, start, command, check, pending=(), functions=(), few=FEW, ends=0, **more):
        """Fails calls of command in copies of the folder start; check(outcome) returns what is wrong, or nothing.
        pending: kinds of calls whose failures are not handled well yet. functions and few: as in wishes. ends: the exit
        code without a fault."""
        first = self.folder / f"{name}-first"
        shutil.copytree(start, first)
        outcome, report = run(first, command, **more)
        self.assertEqual(outcome.code, ends, outcome.stderr)
        self.assertIsNone(check(outcome))
        problems, tally = [], collections.Counter()

        def attempt(wish):
            folder = self.folder / f"{name}-{wish.replace(':', '-').replace('@', '-at-')}"
            shutil.copytree(start, folder)
            try:
                done, _ = run(folder, command, wish, **more)
                verdict = "killed" if wish.endswith("!") and done.code == -9 else f"exit code {done.code}"
                wrong = crash(done, self.talks) or check(done)
            except subprocess.TimeoutExpired:
                wrong, verdict, done = "did not end", "hung", None
            except (sqlite3.Error, OSError, ValueError) as error:
                wrong = f"nothing that can be read: {error!r}"
            if wrong is None:
                shutil.rmtree(folder)
            return wish, wrong, verdict, done

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() if FULL or STRIDE else 2) as pool:
            for wish, wrong, verdict, done in pool.map(attempt, wishes(report, pending, functions, few)):
                tally[wish.split(":")[0].split("@")[0], verdict] += 1
                if wrong is not None:
                    problems.append(f"{name} {wish}: {wrong} ({verdict})\n    {done.stderr.strip() if done else ''}")
        keep_table(name, report, tally, problems)
        self.assertFalse(problems, f"{len(problems)} of {sum(tally.values())} faults:\n" + "\n".join(problems))


def crash(outcome, talks):
    """What must hold whatever the fault."""
    if outcome.wish.endswith("!") and outcome.code == -9:
        return None
    if outcome.code not in (0, 1, 2, 3):
        return f"exit code {outcome.code}"
    if "Sanitizer" in outcome.stderr or "runtime error" in outcome.stderr:
        return "a sanitizer's finding"
    lines = [line for line in outcome.stderr.splitlines() if line.startswith("berth")]
    if outcome.code in (1, 3) and len(lines) == 0:
        return "no message"
    if not talks and not all(line.startswith("berth") for line in outcome.stderr.splitlines()):
        return "a message of nobody's"
    return None


def keep_table(name, report, tally, problems):
    """BERTH_FAULT_TABLE names a folder for a JSON file of each scenario: counts of calls, sites and outcomes."""
    folder = os.environ.get("BERTH_FAULT_TABLE")
    if not folder:
        return
    rows = collections.defaultdict(dict)
    for (kind, verdict), count in sorted(tally.items()):
        rows[kind][verdict] = count
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    (pathlib.Path(folder) / f"{name}.json").write_text(json.dumps(
        {"calls": report.calls, "sites": report.sites, "outcomes": rows, "problems": problems}, indent=1))
