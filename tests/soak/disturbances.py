"""Disturbances of a screen: each takes a campaign and one of its shards, and leaves the database for the next."""
import resource
import shutil
import signal
import subprocess
import time

DISTURBANCES = []


def stopped(number):
    """The exit code of a clean end after a signal."""
    return 128 + number


def disturbance(function=None, needs_faults=False):
    def keep(function):
        function.needs_faults = needs_faults
        DISTURBANCES.append(function)
        return function
    return keep if function is None else keep(function)


def resume(campaign, shard, **options):
    return campaign.start([*campaign.command(shard), "--resume"], **options)


def moment(campaign):
    return campaign.random.uniform(0.01, 1.2 * campaign.duration)


@disturbance
def kill(campaign, shard):
    process = resume(campaign, shard)
    time.sleep(moment(campaign))
    process.kill()
    campaign.finish(process, (0, 2, -signal.SIGKILL))


@disturbance
def interrupt(campaign, shard):
    """Once: a clean end; twice: at once. A process that does not handle signals yet ends like any other."""
    process = resume(campaign, shard)
    number = campaign.random.choice([signal.SIGINT, signal.SIGTERM])
    time.sleep(moment(campaign))
    process.send_signal(number)
    if campaign.random.random() < 0.3:
        time.sleep(0.6)
        process.send_signal(number)
    campaign.finish(process, (0, 2, stopped(number), -number))


@disturbance
def small_files(campaign, shard):
    """No file may grow beyond a limit, as on a full disk; SIGXFSZ is ignored or not."""
    limit = campaign.random.choice([4096, 20_000, 60_000, 200_000])
    ignored = campaign.random.random() < 0.5

    def prepare():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        if ignored:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    campaign.finish(resume(campaign, shard, prepare=prepare), (0, 1, 2, -signal.SIGXFSZ))


@disturbance
def two_processes(campaign, shard):
    """One of them works; the other is refused, or finds the work done."""
    first = resume(campaign, shard)
    time.sleep(campaign.random.uniform(0, 0.2))
    second = resume(campaign, shard)
    texts = campaign.finish(first, (0, 1, 2)), campaign.finish(second, (0, 1, 2))
    codes = first.returncode, second.returncode
    if 1 in codes:
        said = texts[codes.index(1)]
        assert_said(campaign, said, "another process")
        assert_said(campaign, "1 1" if codes == (1, 1) else "one works", "one works")


@disturbance
def reader(campaign, shard):
    """Exports while a screen writes."""
    process = resume(campaign, shard)
    if campaign.database(shard).name == "screen.db":
        time.sleep(campaign.random.uniform(0, campaign.duration))
        text = campaign.finish(campaign.start(["screen", "-q", "--export", "csv", "-o", "out"]), (0, 1))
        if text.strip() and "no screen" not in text and "not the database of a screen" not in text:
            assert_said(campaign, text, "another process is using this database")
        (campaign.folder / "out/results.csv").unlink(missing_ok=True)
    campaign.finish(process, (0, 2))


@disturbance
def changed_inputs(campaign, shard):
    """They are refused; the screen is resumed with the former ones."""
    if not campaign.rows(shard):
        return
    path = campaign.folder / campaign.random.choice(["receptor.pdbqt", campaign.library])
    kept, added = campaign.folder / "kept", campaign.folder / "library/zzz.pdbqt"
    if path.suffix == ".pdbqt":
        shutil.copy2(path, kept)
        path.write_text(path.read_text().replace("0.1", "0.2", 1))
    elif path.suffix == ".gz":
        shutil.copy2(path, kept)
        path.write_bytes(path.read_bytes()[:-20])
    else:
        texts = [p.read_text() for p in sorted((campaign.folder / "library").glob("lig*.pdbqt"))]
        added.write_text(next(text for text in texts if text.count("ROOT") == 2))  # a reject would change no .btl
    if path.suffix == ".btl":
        path.rename(kept)
        campaign.finish(campaign.start(["prep", "library", "-l", "library", "-o", path.name, "-q"]), (0, 2))
    campaign.finish(resume(campaign, shard), (1,))
    added.unlink(missing_ok=True)
    if kept.exists():
        kept.replace(path)


@disturbance(needs_faults=True)
def failing_call(campaign, shard, wish=None):
    kinds = ["open", "write", "sync", "close", "rename", "unlink", "folder", "thread", "device", "database-memory",
             "database-open", "database-read", "database-write", "database-truncate", "database-sync",
             "database-delete", "database-lock", "database-map"]
    if wish is None:
        wish = f"{campaign.random.choice(kinds)}:{int(10 ** campaign.random.uniform(0, 3))}"
        wish += campaign.random.choice(["", "+", "!"])
    campaign.story[-1] += f"({wish})"
    campaign.finish(resume(campaign, shard, BERTH_FAULT=wish), (0, 1, 2, 3, -signal.SIGKILL))


@disturbance(needs_faults=True)
def jumping_clock(campaign, shard):
    """Up to an hour, back and forth: it must not prolong any wait."""
    process = resume(campaign, shard, BERTH_FAULT_CLOCK=str(campaign.random.randint(1, 10 ** 6)))
    if campaign.random.random() < 0.5:
        time.sleep(moment(campaign))
        process.send_signal(signal.SIGINT)
    campaign.finish(process, (0, 2, stopped(signal.SIGINT), -signal.SIGINT))


@disturbance
def full_disk(campaign, shard):
    """A small file system in memory, which fills up before the screen is done; then it grows."""
    small = campaign.folder / "small"
    small.mkdir(exist_ok=True)
    size = campaign.random.choice([16, 64, 200, 400])
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(small)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        campaign.counts["file systems that cannot be mounted here"] += 1
        return
    try:
        output = small / "out"
        command = [*campaign.command(shard, str(output)), "--resume"]
        campaign.finish(campaign.start(command), (0, 1, 2))
        subprocess.run(["mount", "-o", "remount,size=64m", str(small)], check=True, capture_output=True)
        campaign.finish(campaign.start(command), (0, 2))
        name = campaign.database(shard).name
        campaign.compare(output / name, campaign.database(shard, "whole"))
    finally:
        subprocess.run(["umount", "-l", str(small)], capture_output=True, check=False)


def assert_said(campaign, text, words):
    from campaign import Loss
    if words not in text:
        raise Loss(f"'{words}' is not what it says: {text}")
