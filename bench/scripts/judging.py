"""What the judges of poses and of screens share: halves of a set, the exact test of pairs, protocols, provenance."""
import argparse
import datetime
import hashlib
import json
import math
import pathlib
import platform
import subprocess

PROTOCOLS = pathlib.Path(__file__).resolve().parent.parent / "protocols.json"


def digest(name):
    return hashlib.sha256(name.encode()).digest()


def half_of(name):
    """The half of its set on which protocols are chosen, or the one on which they are confirmed."""
    return "tuning" if digest(name)[0] % 2 == 0 else "confirming"


def sign_test(better, worse):
    """Exact, two-sided; of complexes gained and lost it is McNemar's."""
    total = better + worse
    return min(1.0, 2 * sum(math.comb(total, k) for k in range(min(better, worse) + 1)) / 2**total)


def seeds_of(text):
    return [int(word) for word in text.split(",")]


def protocols_of(path, command):
    """{name: {"words": arguments, "start": "generated" or "crystal"}} of a file of protocols, for `berth COMMAND`."""
    found = {}
    for name, value in json.loads(pathlib.Path(path).read_text(encoding="utf-8")).items():
        if isinstance(value, list):
            value = {"dock": value, "screen": value}
        if command in value:
            found[name] = {"words": value[command], "start": value.get("start", "generated")}
    return found


def protocol_words(rows, command):
    """The arguments for the protocols and seeds of these results, for the command line that repeats them."""
    words, protocols = [], {row["protocol"]: row.get("words", []) for row in rows}
    if set(protocols) != {"default"} or protocols["default"]:
        listed = protocols_of(PROTOCOLS, command)
        same = all(name in listed and listed[name]["words"] == arguments for name, arguments in protocols.items())
        words.append("--protocols " + ("bench/protocols.json" if same else "FILE"))
    seeds = sorted({row["seed"] for row in rows})
    if seeds != [1]:
        words.append("--seeds " + ",".join(map(str, seeds)))
    return words


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as stream:
            return next((line.split(":", 1)[1].strip() for line in stream if line.startswith("model name")), "")
    except OSError:
        return platform.processor()


def version_of(program):
    """Commit, version and date of a measurement with this program; empty where it does not tell."""
    told = {}
    try:
        done = subprocess.run([program, "--version", "--json"], capture_output=True, text=True, timeout=60, check=False)
        told = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        pass
    return {"version": told.get("version", ""), "commit": told.get("commit", "")[:10],
            "date": datetime.date.today().isoformat()}


def provenance(rows, options, command):
    """Of a table: the command that makes its results, and what the results say of where they come from."""
    found = {"command": options.command or command}
    for name in ("version", "commit", "date", "device", "cpu"):
        values = sorted({row[name] for row in rows if row.get(name)})
        found[name] = getattr(options, name, None) or ", ".join(values)
    return found


def parsers_of(description, runs, place, sets):
    """A parser, and one for each command {name: parser} with its place and sets."""
    parser = argparse.ArgumentParser(description=description.split("\n", maxsplit=1)[0])
    commands, found = parser.add_subparsers(required=True), {}
    for run in runs:
        command = found[run.__name__] = commands.add_parser(run.__name__)
        command.set_defaults(run=run)
        command.add_argument(place, type=pathlib.Path)
        command.add_argument(sets, type=pathlib.Path, nargs="+")
    found["table"].add_argument("--json", type=pathlib.Path)
    for name in ("command", "commit", "date", "device"):
        found["table"].add_argument(f"--{name}", help="for the JSON, instead of what is known")
    return parser, found
