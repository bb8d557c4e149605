"""What the judges of poses and of screens share: halves of a set, and the exact test of pairs."""
import argparse
import hashlib
import math
import pathlib


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
    return parser, found
