#!/usr/bin/env python3
"""Signals: the second Ctrl-C ends a program at once, whatever it does; a pipe without a reader and a limit on file
sizes end in a message and a documented exit code."""
import json
import os
import pty
import re
import resource
import signal
import subprocess
import time
import unittest.mock

import berth_cli as cli
from test_raw_dock import needs_both, needs_rdkit


class Running(cli.Case):
    def start(self, *arguments, **options):
        """berth, once it handles signals; standard input is an empty pipe."""
        process = subprocess.Popen([str(cli.BIN / "berth"), *map(str, arguments)], cwd=self.folder,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   **options)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.wait_until_caught(process)
        return process

    def wait_until_caught(self, process):
        for _ in range(1200):  # a minute; a program that exits by mistake never reaches it
            with open(f"/proc/{process.pid}/status") as status:
                caught = int(re.search(r"SigCgt:\s*(\w+)", status.read()).group(1), 16)
            if caught >> (signal.SIGINT - 1) & 1:
                return
            time.sleep(0.05)
        self.fail("signals are not caught")


class Interrupt(Running):
    @needs_rdkit
    def test_the_second_signal_of_either_kind_ends_a_program_that_waits_for_input(self):
        for first, second in (signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGINT), (signal.SIGINT,) * 2:
            process = self.start("prep", "ligand", "-l", "-", "--input-format", "smiles", "-o", "out")
            process.send_signal(first)
            time.sleep(0.6)  # closer ones count as one
            self.assertIsNone(process.poll())
            process.send_signal(second)
            self.assertEqual(process.wait(timeout=60), -second)

    def test_the_second_signal_ends_a_screen(self):
        process = self.start("screen", "-r", "receptor.pdbqt", "-l", "-", "-o", "out", *cli.BOX, "--device", "cpu")
        process.send_signal(signal.SIGINT)
        time.sleep(0.6)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT, errors)
        self.assertIn("continue with --resume", errors)

    def test_a_screen_names_sigterm(self):
        """A batch system sends it: the message spoke of Ctrl-C, and the exit code was that of Ctrl-C."""
        for number, words in ((signal.SIGTERM, "SIGTERM received: finishing the ligands being docked; a second signal"),
                              (signal.SIGINT, "finishing the ligands being docked; press Ctrl-C again to stop now")):
            folder = f"out-{number}"
            process = self.start("screen", "-r", "receptor.pdbqt", "-l", "-", "-o", folder, *cli.BOX, "--device", "cpu")
            process.send_signal(number)
            time.sleep(0.6)  # then the input ends
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number, errors)
            self.assertIn(words, errors)
            self.assertIn("continue with --resume", errors)

    @needs_rdkit
    def test_an_interrupted_library_leaves_no_list_behind(self):
        (self.folder / "all.rejects.csv").write_text("older\n")
        lines = ["C1CC(Q broken", "CCN amine"] + [f"{'C' * (i % 20 + 1)}c1ccccc1 L{i}" for i in range(100000)]
        (self.folder / "all.smi").write_text("\n".join(lines) + "\n")
        before = sorted(path.name for path in self.folder.iterdir())
        process = subprocess.Popen([str(cli.BIN / "berth"), "prep", "library", "-l", "all.smi", "-o", "all.btl",
                                    "--overwrite"], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        seen = ""
        while "rejected broken" not in seen or "note: amine" not in seen:
            line = process.stderr.readline()
            self.assertTrue(line, seen)
            seen += line
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
        self.assertIn("interrupted by SIGTERM; nothing was written", errors)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)
        self.assertEqual((self.folder / "all.rejects.csv").read_text(), "older\n")

    @needs_rdkit
    def test_signals_of_a_launcher_count_once(self):
        process = self.start("prep", "ligand", "-l", "-", "--input-format", "smiles", "-o", "out")
        for _ in range(3):
            process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        self.assertIsNone(process.poll())

    @needs_rdkit
    def test_keys_count_however_close_they_are(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execv(cli.BIN / "berth", ["berth", "prep", "ligand", "-l", "-", "--input-format", "smiles", "-o", "out"])
        process = type("", (), {"pid": pid})
        self.wait_until_caught(process)
        self.addCleanup(os.close, terminal)
        ended = 0
        for _ in range(100):  # two, unless a busy machine merges two key presses
            os.write(terminal, b"\x03")
            time.sleep(0.2)
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                break
        else:
            os.kill(pid, signal.SIGKILL)
            self.fail("keys do not end the program")
        self.assertEqual(os.WTERMSIG(status), signal.SIGINT)


class Crash(Running):
    def test_a_crash_leaves_version_and_backtrace(self):
        process = self.start("screen", "-r", "receptor.pdbqt", "-l", "-", "-o", "out", *cli.BOX, "--device", "cpu")
        with open(f"/proc/{process.pid}/maps") as maps:
            sanitized = re.search("lib(a|t|ub)san", maps.read()) or b"__asan_init" in (cli.BIN / "berth").read_bytes()
        if sanitized:  # GCC's are libraries, Clang's part of the program
            self.skipTest("a sanitizer reports crashes itself")
        process.send_signal(signal.SIGSEGV)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGSEGV, errors)
        self.assertRegex(errors, r"(?m)^berth: the program has crashed: .* Berth [\d.]+ \(commit .*\n  please report it")
        self.assertRegex(errors, r"(?m)^\S+/berth\(.*\) ?\[0x[0-9a-f]+\]$")


class Pipe(cli.Case):
    def test_a_reader_that_goes_away(self):
        for k in range(3):
            self.write(f"lib/l{k}.pdbqt", cli.ligand())
        process = subprocess.Popen([str(cli.BIN / "berth"), "dock", "-r", "receptor.pdbqt", "-l", "lib", "-o", "out",
                                    *cli.BOX, *cli.QUICK, "--json"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=120), 1, errors)
        self.assertRegex(errors, "berth: standard output: cannot write: Broken pipe")
        self.assertTrue({"l0.json", "l1.json", "l2.json", "summary.csv"} <= set(self.files()), self.files())

    def test_a_limit_on_file_sizes(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
        for name, arguments in (("dock", ["-l", "ligand.pdbqt", *cli.BOX, *cli.QUICK]),
                                ("screen", ["-l", "ligand.pdbqt", *cli.BOX, *cli.QUICK[:4]])):
            result = subprocess.run([str(cli.BIN / "berth"), name, "-r", "receptor.pdbqt", "-o", f"out-{name}",
                                     *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120,
                                    preexec_fn=limit)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertRegex(result.stderr, "berth .*(File too large|file size limit)")
            self.assertNotIn(".part", " ".join(self.files(f"out-{name}")))


@needs_both
class Propka(cli.Case):
    PEPTIDE = cli.pathlib.Path(__file__).resolve().parent.parent / "data" / "peptide.pdb"

    def test_propka_ends_with_its_parent(self):
        """Even one that is killed, which cannot end it."""
        path = self.write("bin/propka3", '#!/bin/sh\necho $$ > "$PROPKA_PID.part"\n'
                                         'mv "$PROPKA_PID.part" "$PROPKA_PID"\nexec sleep 600\n')
        os.chmod(path, 0o700)
        pid_file = self.folder / "pid"
        environment = dict(os.environ, PATH=f"{self.path('bin')}:{os.environ['PATH']}", PROPKA_PID=str(pid_file))
        process = subprocess.Popen([str(cli.BIN / "berth"), "prep", "receptor", "-r", str(self.PEPTIDE), "-o", "out",
                                    "--ph", "7", "--new-hydrogens"], cwd=self.folder, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        for _ in range(1200):
            if pid_file.exists() or process.poll() is not None:
                break
            time.sleep(0.05)
        self.assertTrue(pid_file.exists(), "propka was not started")
        process.kill()
        process.wait()
        pid = int(pid_file.read_text())
        for _ in range(1200):
            if not self.runs(pid):
                return
            time.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        self.fail("propka outlives its parent")

    def runs(self, pid):
        """Without a process that reaps them they remain as zombies."""
        try:
            with open(f"/proc/{pid}/stat") as stat:
                return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False


class Cache(cli.Case):
    def test_a_folder_that_others_can_write_is_refused_with_one_line(self):
        folder = self.folder / "shared"
        folder.mkdir()
        os.chmod(folder, 0o1777)
        os.environ["BERTH_CACHE_DIR"] = str(folder)
        self.addCleanup(os.environ.pop, "BERTH_CACHE_DIR")
        result = self.dock()
        self.assert_well(result)
        self.assertEqual(result.stderr.count("the cache is not used: its folder is writable by others"), 1)
        self.assertEqual(list(folder.iterdir()), [])

    def dock_with(self, device, **variables):
        """The message of a docking with only these environment variables for the cache."""
        kept = {name: value for name, value in os.environ.items() if name not in ("BERTH_CACHE_DIR", "XDG_CACHE_HOME", "HOME")}
        kept["POCL_CACHE_DIR"] = str(self.folder / "pocl")
        with unittest.mock.patch.dict(os.environ, {**kept, **variables}, clear=True):
            result = self.dock("--device", device, "-q")
        self.assert_well(result)
        return result.stderr

    def test_docking_goes_on_without_a_cache(self):
        """The processor needs none and reports nothing; for other devices one note gives the folder and the remedy."""
        self.assertEqual(self.dock_with("cpu"), "")
        devices = [json.loads(line) for line in self.berth("devices", "--json").stdout.splitlines()]
        if not any(device["name"] == "opencl:0" and device["usable"] for device in devices):
            self.skipTest("no OpenCL device")
        note = "berth dock: note: {}no cache for later runs: {}; set BERTH_CACHE_DIR to a folder of your own, or to '' for no cache\n"
        self.assertEqual(self.dock_with("opencl:0"),
                         note.format("", "neither XDG_CACHE_HOME nor HOME is the path of a folder"))
        self.assertEqual(self.dock_with("opencl:0", XDG_CACHE_HOME="/dev/null"),
                         note.format("/dev/null/berth: ", "cannot write to the cache folder: Not a directory"))
        self.assertEqual(self.dock_with("opencl:0", BERTH_CACHE_DIR=""), "")


if __name__ == "__main__":
    cli.main()
