"""Files of docs/benchmarks/data whose figures may not be those of the present kernels: measured before the last commit
that touched the sources they depend on, or in a tree with changes. docs.py --check refuses those that
docs/benchmarks/stale.json does not list with a reason, and entries of that list that are stale no more."""
import functools
import json
import os
import re
import shutil
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEARCH = ("src/kernel/lga", "src/kernel/lane")
BUDE = ("src/kernel/bude", "src/kernel/lane")
SOURCES = {"bude": BUDE, "bude-sass": BUDE, "bude-shares": BUDE, "grid": ("src/grid/kernel",), "maps": ("src/grid/kernel",),
           "maps-speed": ("src/grid/kernel",), "fpga": (*SEARCH, "bench/fpga")}  # all others: SEARCH


def git(*words):
    if shutil.which("git") is None:
        return None
    done = subprocess.run(["git", "-C", TOP, *words], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def has_history():
    return git("rev-parse", "--is-shallow-repository") == "false"


@functools.lru_cache(maxsize=None)
def has_changed(commit, sources):
    """Since that commit; None: there is no such commit."""
    since = git("rev-list", "-1", f"{commit}..HEAD", "--", *sources)
    return None if since is None else bool(since)


def why(figures):
    """Why a file is stale; None: it is not."""
    described = figures["commit"]
    if described.endswith("-dirty"):
        return "from a tree with changes"
    commit = re.sub(r"^.*-g", "", described)  # as git describe names it
    changed = has_changed(commit, SOURCES.get(figures["benchmark"], SEARCH))
    if changed is None:
        return "from a commit that is not in the history"
    return "older than its kernels" if changed else None


def find(folder):
    """{file: why} of the stale ones."""
    found = {}
    for name in sorted(os.listdir(os.path.join(folder, "data"))):
        with open(os.path.join(folder, "data", name), encoding="utf-8") as stream:
            reason = why(json.load(stream))
        if reason:
            found[name] = reason
    return found


def listed(folder):
    """{file: what its repetition waits for}"""
    with open(os.path.join(folder, "stale.json"), encoding="utf-8") as stream:
        return json.load(stream)


def complaints(folder):
    if not has_history():
        return []
    found, known = find(folder), listed(folder)
    return ([f"{name} is {reason}: measure it again, or list it in docs/benchmarks/stale.json with a reason"
             for name, reason in found.items() if name not in known] +
            [f"{name} is not stale: take it out of docs/benchmarks/stale.json" for name in known if name not in found])
