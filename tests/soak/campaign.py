"""One library, docked undisturbed and then with disturbances; both must end with the same results."""
import collections
import random
import shutil
import signal
import sqlite3
import subprocess
import tarfile
import time

import berth_cli as cli
import faults
from disturbances import DISTURBANCES
from test_faults import damage, results

FINE = (0, 2)


class Loss(Exception):
    pass


class Campaign:
    def __init__(self, seed, folder, end, longest):
        """end: of time.monotonic(); longest: seconds that a process may take."""
        self.random, self.folder, self.end, self.longest = random.Random(seed), folder, end, longest
        self.counts, self.story = collections.Counter(), []
        self.has_faults = faults.PROGRAM.exists()

    # --- the inputs ------------------------------------------------------------------------------------------

    def make_inputs(self):
        folder, draw = self.folder, self.random
        (folder / "library").mkdir(parents=True)
        (folder / "receptor.pdbqt").write_text(cli.receptor())
        sizes = [(draw.randint(6, 11), draw.randint(0, 4)) for _ in range(draw.randint(12, 60))]
        texts = [cli.ligand(atoms=atoms, torsions=torsions) for atoms, torsions in sizes]
        for i in draw.sample(range(len(texts)), draw.randint(0, 2)):
            texts[i] = texts[i].replace("ROOT", "RO", 1)  # a reject
        for i, text in enumerate(texts):
            (folder / f"library/lig{i:03d}.pdbqt").write_text(text)
        self.library = draw.choice(["library", "library.tar.gz", "library.btl", "library.pdbqt"])
        if self.library == "library.tar.gz":
            with tarfile.open(folder / self.library, "w:gz") as tar:
                tar.add(folder / "library", "library")
        elif self.library == "library.pdbqt":
            models = (f"MODEL {i + 1}\n{text}ENDMDL\n" for i, text in enumerate(texts))
            (folder / self.library).write_text("".join(models))
        elif self.library == "library.btl":
            self.finish(self.start(["prep", "library", "-l", "library", "-o", "library.btl", "-q"]), (0, 2))
        search = ["--runs", "2", "--evals", str(draw.choice([300, 1500, 6000])), "--population", "15", "--seed", "7",
                  "--local-search-iterations", "10", "--threads", str(draw.randint(1, 3)), "--device", "cpu"]
        self.screen = ["screen", "-q", "-r", "receptor.pdbqt", "-l", self.library, "--center", "0,0,0", "--size",
                       "8,8,8", "--spacing", "0.5", "--keep", str(draw.choice([-1, 5, 100000])), *search]
        self.shards = draw.choice([1, 1, 1, 2, 3])

    def command(self, shard=1, output="out"):
        parts = ["--shard", f"{shard}/{self.shards}"] if self.shards > 1 else []
        return [*self.screen, "-o", output, *parts]

    def database(self, shard, output="out"):
        name = f"shard-{shard}-of-{self.shards}.db" if self.shards > 1 else "screen.db"
        return self.folder / output / name

    # --- processes -------------------------------------------------------------------------------------------

    def start(self, command, prepare=None, **variables):
        program = faults.PROGRAM if variables else cli.BIN / "berth"
        self.counts["processes"] += 1
        return subprocess.Popen([str(program), *command], cwd=self.folder, preexec_fn=prepare, text=True,
                                errors="replace", env=faults.environment(self.folder, **variables),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process, codes):
        """Waits for the process and returns its output; only these exit codes are allowed."""
        try:
            _, text = process.communicate(timeout=self.longest)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Loss(f"did not end within {self.longest:g} s: {process.args}") from None
        self.counts[f"exit code {process.returncode}"] += 1
        nothing = process.returncode == 1 and "no ligand was docked" in text  # a shard of rejects; compared later
        if codes is not None and process.returncode not in codes and not nothing:
            raise Loss(f"exit code {process.returncode} in the place of {codes}: {text}")
        if process.returncode in (1, 3) and not text.strip():
            raise Loss(f"exit code {process.returncode} without a word")
        return text

    # --- the campaign ----------------------------------------------------------------------------------------

    def run(self):
        self.make_inputs()
        began = time.monotonic()
        for shard in range(1, self.shards + 1):
            self.finish(self.start(self.command(shard, "whole")), FINE)
        self.duration = (time.monotonic() - began) / self.shards
        for shard in range(1, self.shards + 1):
            for _ in range(self.random.randint(2, 6)):
                if time.monotonic() > self.end:
                    break
                self.disturb(shard)
            self.complete(shard)
        if self.shards > 1:
            self.merge()

    def disturb(self, shard):
        wanted = self.random.choice([d for d in DISTURBANCES if self.has_faults or not d.needs_faults])
        self.story.append(wanted.__name__)
        self.counts[f"disturbance: {wanted.__name__.replace('_', ' ')}"] += 1
        before = self.rows(shard)
        wanted(self, shard)
        after = self.rows(shard)
        if not before <= after:
            raise Loss(f"{len(before - after)} committed ligands are gone")

    def rows(self, shard):
        """Ligands in the database; what was committed once must remain."""
        path = self.database(shard)
        wrong = damage(path)
        if wrong is not None:
            raise Loss(wrong)
        if not path.exists():
            return set()
        database = sqlite3.connect(path)
        try:
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'ligand'").fetchall():
                return set()
            return set(database.execute("SELECT ordinal, state, free_energy FROM ligand"))
        finally:
            database.close()

    def complete(self, shard):
        """A ligand lost to a failing call was reported, and --retry recovers it."""
        failed = sorted(row[0] for row in self.rows(shard) if row[1] == "failed")
        if failed and not any(name.startswith("failing_call") for name in self.story):
            raise Loss(f"ligands failed, and no call did: {failed}")
        retry = ["--retry", "failed"] if failed else []
        self.finish(self.start([*self.command(shard), "--resume", *retry]), FINE)
        self.compare(self.database(shard), self.database(shard, "whole"))
        self.counts["ligands"] += len(self.rows(shard))
        if self.shards > 1:
            return
        left, right = ({p.name for p in (self.folder / name).iterdir()} for name in ("out", "whole"))
        aside = {name for name in left if name.startswith(".berth-")}  # of processes that were killed
        self.counts["files left behind by kills"] += len(aside)
        if left - aside != right:
            raise Loss(f"left behind or missing: {(left - aside) ^ right}")

    def compare(self, path, expected):
        wrong = damage(path)
        if wrong is not None:
            raise Loss(wrong)
        if results(path) != results(expected):
            raise Loss(f"{path.name} has other results")

    def merge(self):
        """With disturbances, then without."""
        parts = [f"out/shard-{k}-of-{self.shards}.db" for k in range(1, self.shards + 1)]
        before = [results(self.folder / part) for part in parts]
        command = ["merge", *parts, "-o"]
        self.finish(self.start([*command, "whole"]), FINE)
        process = self.start([*command, "merged"])
        time.sleep(self.random.uniform(0, 0.1))
        process.send_signal(self.random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        self.finish(process, None)
        merged = self.folder / "merged/screen.db"
        if not merged.exists():
            self.finish(self.start([*command, "merged"]), FINE)
        self.compare(merged, self.folder / "whole/screen.db")
        if before != [results(self.folder / part) for part in parts]:
            raise Loss("a part has changed")
        left = [path.name for path in merged.parent.glob("screen.db.part*")]
        if left:
            raise Loss(f"left behind: {left}")
        shutil.rmtree(merged.parent)
        self.counts["merges"] += 1
