"""Campaigns of disturbed screens, side by side, until time is up; see scripts/soak."""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1] / "cli"))


def read_arguments():
    parser = argparse.ArgumentParser(prog="scripts/soak")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--campaigns", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--longest", type=float, default=60)
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parents[2] / "build/release/bin")
    parser.add_argument("--keep", type=pathlib.Path)
    return parser.parse_args()


class Soak:
    def __init__(self, arguments, folder):
        self.end = time.monotonic() + arguments.seconds
        self.seed, self.folder, self.next, self.most = arguments.seed, folder, 0, arguments.campaigns
        self.longest = arguments.longest
        self.lock, self.counts = threading.Lock(), collections.Counter()
        self.losses = []

    def take(self):
        """The seed of the next campaign; None: time is up."""
        with self.lock:
            if self.next > 0 and (time.monotonic() > self.end or self.next == self.most):
                return None
            self.next += 1
            return self.seed * 1_000_000 + self.next

    def work(self):
        from campaign import Campaign, Loss
        while (seed := self.take()) is not None:
            folder = self.folder / str(seed)
            campaign = Campaign(seed, folder, self.end, self.longest)
            try:
                campaign.run()
                shutil.rmtree(folder)
            except Loss as loss:
                self.losses.append(f"campaign {seed} ({' '.join(campaign.story)}): {loss}")
            with self.lock:
                self.counts.update(campaign.counts)
                self.counts["campaigns"] += 1


def main():
    arguments = read_arguments()
    os.environ["BERTH_BIN"] = str(arguments.bin.resolve())
    sys.argv = sys.argv[:1]
    if not (arguments.bin / "berth").exists():
        raise SystemExit(f"soak: {arguments.bin}/berth is absent; build it, or give --bin")
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="berth-soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    soak, began = Soak(arguments, folder.resolve()), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for worker in [pool.submit(soak.work) for _ in range(arguments.jobs)]:
            worker.result()
    print(f"{time.monotonic() - began:.0f} s, seed {arguments.seed}, {soak.counts.pop('campaigns', 0)} campaigns")
    for what, count in sorted(soak.counts.items()):
        print(f"{count:8d} {what}")
    for loss in soak.losses:
        print(f"LOSS: {loss}")
    print(f"{len(soak.losses)} losses" + (f", kept in {folder}" if soak.losses else ""))
    if not soak.losses and arguments.keep is None:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if soak.losses else 0


if __name__ == "__main__":
    sys.exit(main())
