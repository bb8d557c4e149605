"""A screen as a job array on a real Slurm cluster of four nodes, all of them this machine; one task is killed half-way.

Skipped where Slurm is not installed or cannot be started (it needs root here).
"""
import os
import shutil
import socket
import subprocess
import time
import unittest

import berth_cli as cli
from test_screen import Case

NODES = 4
PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    """munged, slurmctld and a slurmd per node, below one folder."""

    def __init__(self, folder):
        self.folder = str(folder)
        self.processes = []
        self.environment = dict(os.environ, SLURM_CONF=f"{self.folder}/slurm.conf",
                                PATH=f"{cli.BIN}:{os.environ['PATH']}:/usr/sbin")

    def start_process(self, name, *arguments):
        log = open(f"{self.folder}/{name}.log", "w")
        self.processes.append(subprocess.Popen(arguments, stdout=log, stderr=log, env=self.environment,
                                               cwd=self.folder))
        log.close()

    def start(self):
        host = socket.gethostname().split(".")[0]
        control, *ports = free_ports(NODES + 1)
        for name in ("state", "spool", "munge"):
            os.makedirs(f"{self.folder}/{name}", mode=0o755)
        subprocess.run(["mungekey", "-c", "-k", f"{self.folder}/munge/key"], check=True, env=self.environment)
        nodes = "\n".join(f"NodeName=n{k + 1} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[k]} CPUs=1 "
                          f"RealMemory=500 State=UNKNOWN" for k in range(NODES))
        with open(f"{self.folder}/slurm.conf", "w") as conf:
            conf.write(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge/socket,cred_expire=10
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool/%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=1
KillWait=5
MinJobAge=300
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        self.start_process("munged", "munged", "-F", "--force", "--key-file", f"{self.folder}/munge/key", "--socket",
                           f"{self.folder}/munge/socket", "--pid-file", f"{self.folder}/munge/pid", "--seed-file",
                           f"{self.folder}/munge/seed", "--log-file", f"{self.folder}/munge/log")
        time.sleep(0.5)
        self.start_process("slurmctld", "slurmctld", "-D", "-f", f"{self.folder}/slurm.conf")
        for k in range(NODES):
            self.start_process(f"slurmd{k + 1}", "slurmd", "-D", "-f", f"{self.folder}/slurm.conf", "-N", f"n{k + 1}")
        return self.wait(lambda: self.run("sinfo", "-h", "-t", "idle", "-o", "%D").strip() == str(NODES), 40)

    def run(self, *arguments, **more):
        environment = dict(self.environment, **more.pop("extra", {}))
        return subprocess.run(arguments, capture_output=True, text=True, env=environment, timeout=60, **more).stdout

    def wait(self, condition, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return True
            time.sleep(0.2)
        return False

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


@unittest.skipUnless(all(shutil.which(p) or os.path.exists(f"/usr/sbin/{p}") for p in PROGRAMS), "Slurm is not installed")
@unittest.skipUnless(os.geteuid() == 0, "Slurm can be started here by root only")
class Array(Case):
    def setUp(self):
        super().setUp()
        self.cluster = Cluster(self.folder / "cluster")
        (self.folder / "cluster").mkdir()
        self.addCleanup(self.cluster.stop)
        if not self.cluster.start():
            log = (self.folder / "cluster/slurmctld.log").read_text()[-600:]
            self.skipTest(f"Slurm does not start here: {log}")

    def pids(self, shard):
        """The berth processes that dock this shard of this test."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as stream:
                    words = stream.read().decode(errors="replace").split("\0")
            except OSError:
                continue
            if words[0].endswith("berth") and "screen" in words and shard in words and self.path("out") in words:
                found.append(int(pid))
        return found

    def test_array_with_a_killed_task(self):
        self.make_library(200)
        search = ["--runs", "2", "--evals", "20000"]
        self.assert_well(self.berth(*self.command(output="whole", search=search), "--seed", "7"))
        extra = {"RECEPTOR": self.path("receptor.pdbqt"), "LIBRARY": self.path("library"), "OUT": self.path("out"),
                 "SEED": "7"}
        submit = self.cluster.run(str(cli.SOURCE / "examples/slurm/submit"), str(NODES), *cli.BOX, *search,
                                  extra=extra, cwd=self.folder)
        self.assertIn("array", submit)
        killed = []

        def kill_one():
            pids = self.pids("2/4")
            if pids and not killed and os.path.exists(self.path("out/shard-2-of-4.db")):
                os.kill(pids[0], 9)
                killed.append(pids[0])
            return bool(killed)

        self.cluster.wait(kill_one, 60)
        done = self.cluster.wait(lambda: os.path.exists(self.path("out/top.csv")), 240)
        logs = "".join(p.read_text(errors="replace") for p in (self.folder / "out").glob("*.log"))
        queue = self.cluster.run("squeue")
        self.assertTrue(done, f"{logs}\n{queue}\n{(self.folder / 'cluster/slurmctld.log').read_text()[-3000:]}")
        self.assertTrue(killed)
        self.assertIn("ended with 137", logs)
        self.assertEqual(self.results("whole"), self.results("out"))
        self.assertEqual(len(list((self.folder / "out").glob("shard-*-of-4.db"))), NODES)


if __name__ == "__main__":
    cli.main()
