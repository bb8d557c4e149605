#!/usr/bin/env python3
"""Which calls that can fail are reached by the commands of cli/test_faults.py, and which are not, and why.

Usage: sites.py BUILD [--all]

BUILD is a build whose berth-faults has tables of lines (scripts/fault-sites makes it). A site is a line of src/ or
cli/ with a call that calls.c wraps, however often the compiler has copied it. What no command reaches has to be listed
in unreached.txt, which says why. --all prints what is listed, too. Exit code 1: a site is neither reached nor listed,
or a line of unreached.txt fits no site.
"""
import collections
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
FORTIFIED = re.compile(r"^__|_chk$")
NEVER_FAIL = ("main", "clock_gettime", "time", "screen_ranks_become") # wrapped for other reasons

Site = collections.namedtuple("Site", "file function call line")


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, **more).stdout


def calls(program):
    """{return address: name of the called function}."""
    found, pending = {}, None
    for line in run("objdump", "-d", "--no-show-raw-insn", program).splitlines():
        words = line.split(None, 1)
        if len(words) < 2 or not words[0].endswith(":"):
            continue
        if pending is not None:
            found[int(words[0][:-1], 16)] = pending
        call = re.match(r"(?:call|bl|jmp|b)\s.*<__wrap_(\w+)>", words[1])
        pending = call[1] if call else None
    return found


def places(program, addresses):
    """{address: (file, function, line)} of the calls in Berth's own sources."""
    text = "".join(f"{address - 1:#x}\n" for address in addresses)
    lines = run("addr2line", "-a", "-i", "-f", "-C", "-e", program, input=text).splitlines()
    found, address, k = {}, None, 0
    while k < len(lines):
        if lines[k].startswith("0x"):
            address, k = int(lines[k], 16) + 1, k + 1
            continue
        function, place = lines[k], lines[k + 1]
        path, _, line = place.split(" (")[0].rpartition(":")
        name = os.path.relpath(os.path.normpath(path), TOP)
        if address not in found and name.split("/")[0] in ("src", "cli") and line.isdigit():
            found[address] = name, re.sub(r"\(.*", "", function).split(".")[0], int(line)
        k += 2
    return found


def all_sites(program):
    """{address: site}."""
    named = {address: name for address, name in calls(program).items() if name not in NEVER_FAIL}
    return {address: Site(file, function, FORTIFIED.sub("", named[address]), line)
            for address, (file, function, line) in places(program, named).items()}


def reached(build):
    """Addresses reached by commands without a fault, and the names of these commands."""
    with tempfile.TemporaryDirectory() as folder:
        variables = dict(os.environ, BERTH_TEST_FAULTS="none", BERTH_FAULT_TABLE=folder, BERTH_SOURCE_DIR=str(TOP))
        for name in "test_faults.py", "test_fault_commands.py":
            done = subprocess.run([sys.executable, str(TOP / "tests/cli" / name), str(build / "bin")], env=variables,
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise SystemExit(f"sites: a command fails without a fault\n{done.stderr}")
        found = collections.defaultdict(set)
        for path in pathlib.Path(folder).glob("*.json"):
            for _, _, place, _ in json.loads(path.read_text())["sites"]:
                found[int(place, 16)].add(path.stem)
    return found


def read_list(path):
    """[(reason, [file, function, call])], where * matches anything."""
    rules, reason = [], None
    for line in path.read_text().splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            words = line.split()
            rules.append((reason, words + ["*"] * (3 - len(words))))
    return rules


def fits(rule, site):
    return all(fnmatch.fnmatchcase(word, pattern) for word, pattern in zip(site, rule))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    sites = all_sites(build / "tests/berth-faults")
    known = set(sites.values())
    if len(known) < 100:
        raise SystemExit("sites: this berth-faults has no tables of lines; scripts/fault-sites builds one that has")
    found = {sites[address] for address in reached(build) if address in sites}
    rules = read_list(HERE / "unreached.txt")
    reasons, new = collections.Counter(), []
    for site in sorted(known - found):
        reason = next((reason for reason, rule in rules if fits(rule, site)), None)
        if reason is None or "--all" in sys.argv:
            print(f"{site.file}:{site.line}: {site.function} {site.call}" + (f" - {reason}" if reason else ""))
        if reason is None:
            new.append(site)
        reasons[reason] += 1
    print(f"{len(known)} call sites in {len({s.file for s in known})} files; {len(found)} are reached, the others are")
    for reason, count in reasons.most_common():
        print(f"{count:5d} {reason or 'not reached, and not in tests/faults/unreached.txt'}")
    idle = [rule for _, rule in rules if not any(fits(rule, site) for site in known)]
    for rule in idle:
        print(f"unreached.txt: no site fits '{' '.join(rule)}'")
    return 1 if new or idle else 0


if __name__ == "__main__":
    sys.exit(main())
