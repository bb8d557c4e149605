"""Every program understands its options, explains itself, and refuses wrong use in one line."""
import json
import os
import re
import shutil
import subprocess
import unittest

import berth_cli as cli

COMMANDS = ["dock", "score", "grid", "bench", "devices"]


class General(cli.Case):
    def test_version(self):
        result = self.berth("--version")
        self.assert_well(result)
        self.assertRegex(result.stdout, r"^berth \d+\.\d+\.\d+ \(commit .*\)\n(with(out)? +[a-z0-9]+ .*\n)+$")
        built = json.loads(self.berth("--version", "--json").stdout)
        self.assertTrue(result.stdout.startswith(f"berth {built['version']} (commit {built['commit']})"))
        with_them = re.findall(r"(?m)^with +(\w+)", result.stdout)
        self.assertEqual(with_them, [name for name, there in built["features"].items() if there])
        self.assert_refused(self.berth("--version", "--verbose"), "--verbose", "--json")

    def words(self, *command):
        return {line.split("\t")[0]: line.split("\t")[1] for line in self.berth(*command, "--help=words").stdout.splitlines()}

    def manual_page(self, program, *words):
        page = self.run_program(program, *words, "--help=man").stdout
        self.assertIn(f".SH NAME\n{'-'.join((program, *words))} - ", page.replace("\\-", "-"))
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-ww", "-z"], input=page, capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")
        return page.replace("\\-", "-")

    def test_manual_pages(self):
        for command in ("dock", "screen", "report"):
            page = self.manual_page("berth", command)
            for option in set(self.words(command)) - {"--help"}:
                self.assertIn(option + "\\fR", page)
        self.assert_refused(self.berth("dock", "--help=html"), "--help=man", "--help=words")

    def test_manual_pages_of_other_programs(self):
        for program in ("berth-adgpu", "berth-autogrid"):
            page = self.manual_page(program)
            options = re.findall(r"(?m)^  (?:  |-.)(?:,| ) --([\w-]+)", self.run_program(program, "--help").stdout)
            self.assertGreater(len(options), 5)
            for option in set(options) - {"help"}:
                self.assertIn(f"--{option}\\fR", page)
        self.assertIn("\\fBevals\\fR\n", self.manual_page("berth-bench"))
        self.assertIn("--device\\fR", self.manual_page("berth-bench", "mappings"))

    def test_completion(self):
        self.assertEqual(self.words("dock")["--scoring"], "ad4|vina|vinardo|vina_metals")
        self.assertEqual(self.words("dock")["--json"], "none")
        self.assert_refused(self.berth("completion", "tcsh"), "bash|zsh|fish")
        self.assertIn("__fish_use_subcommand", self.berth("completion", "fish").stdout)
        self.assertIn("#compdef berth", self.berth("completion", "zsh").stdout)

        def complete(*typed):
            words = " ".join(f"'{word}'" for word in (cli.BIN / "berth", *typed))
            script = (f"source <('{cli.BIN / 'berth'}' completion bash); COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _berth;"
                      ' printf "%s\n" "${COMPREPLY[@]}"')
            return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False).stdout.split()

        self.assertEqual(complete("d"), ["dock", "devices"])
        self.assertEqual(complete("dock", "--scor"), ["--scoring"])
        self.assertEqual(complete("dock", "--scoring", "v"), ["vina", "vinardo", "vina_metals"])

    def test_help_lists_the_commands(self):
        result = self.berth("--help")
        self.assert_well(result)
        for command in COMMANDS:
            self.assertRegex(result.stdout, rf"(?m)^  {command} ")

    def test_no_command_prints_help_and_fails(self):
        result = self.berth()
        self.assertEqual(result.returncode, 1)
        self.assertIn("Usage", result.stderr)

    def test_output_that_cannot_be_printed(self):
        for words in ["--help"], ["devices"], ["dock", "--help"]:
            with open("/dev/full", "w") as full:
                result = subprocess.run([str(cli.BIN / "berth"), *words], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, r"^berth: standard output: cannot write: .*\n$")

    def test_unknown_command_suggests_the_nearest(self):
        self.assert_refused(self.berth("dokc"), "dokc", "berth dock")

    def test_every_help_text_has_usage_and_examples(self):
        for command in [*COMMANDS[:3], "bench evals", "bench mappings", "bench portability", "bench reductions",
                        "bench screen", "devices"]:
            for words in (["--help"], ["-h"]):
                result = self.berth(*command.split(), *words)
                self.assert_well(result)
                self.assertIn(f"Usage: berth {command}", result.stdout)
                self.assertIn("Examples", result.stdout)
                self.assertLess(max(map(len, result.stdout.splitlines())), 121, command)
            if command in COMMANDS:
                self.assertEqual(self.berth("help", command).stdout, result.stdout)


class Dock(cli.Case):
    def test_every_documented_option_is_known(self):
        text = self.berth("dock", "--help").stdout
        for name in ("receptor ligand output center size autobox padding runs evals generations population local-search "
                     "local-search-rate local-search-iterations selection crossover crossover-rate mutation-rate "
                     "autostop heuristics seed effort device threads isa format reference flex import-dpf torsional "
                     "rmsd-tolerance json").split():
            self.assertRegex(text, rf"--{name}\b")

    def refused(self, *arguments, words=()):
        self.assert_refused(self.dock(*arguments), *words)
        self.assertFalse((self.folder / "out").exists())

    def test_unknown_option(self):
        self.refused("--run", "3", words=["--run", "did you mean --runs"])
        self.refused("--zzzzzzzz", words=["--zzzzzzzz", "--help"])
        self.refused("-Z", words=["-Z"])

    def test_values_out_of_range(self):
        self.refused("--runs", "0", words=["--runs", "'0'", "from 1"])
        self.refused("--runs", "2.5", words=["--runs", "whole number"])
        self.refused("--runs", "99999999999999999999", words=["--runs"])
        self.refused("--mutation-rate", "1.5", words=["--mutation-rate", "from 0 to 1"])
        self.refused("--mutation-rate", "nan", words=["--mutation-rate"])
        self.refused("--padding", "-1", words=["--padding"])
        self.refused("--seed", "-4", words=["--seed"])
        self.refused("--seed", "abc", words=["--seed"])
        self.refused("--autostop", "maybe", words=["--autostop", "on or off"])
        self.refused("--local-search", "simplex", words=["--local-search", "adadelta"])
        self.refused("--format", "dlg,docx", words=["--format", "docx"])
        self.refused("--center", "1,2", words=["--center", "x,y,z"])
        self.refused("--size", "0,10,10", words=["--size"])
        self.refused("--isa", "vax", words=["vax"])
        self.refused("--team", "2000", words=["--team"])
        self.refused("--reduction", "wmma", words=["--reduction", "simt"])

    def test_devices_that_are_none(self):
        self.refused("--device", "gpu", words=["'gpu'", "berth devices"])
        self.refused("--device", "cpu/vax", words=["'cpu/vax'", "berth devices"])
        self.refused("--devices", "cpu,,cpu", words=["not the name"])
        self.refused("--devices", "cpu/scalar,cpu/scalar", words=["cpu/scalar", "twice"])
        self.refused("--device", "cpu", "--devices", "cpu", words=["--device", "--devices"])
        self.refused("--device", "cpu/scalar", "--isa", "scalar", words=["scalar", "remove one"])
        self.refused("--device", "cpu:0", words=["'cpu:0'"])

    def test_devices_that_cannot_be_used(self):
        for line in self.berth("devices", "--json").stdout.splitlines():
            device = json.loads(line)
            if device["usable"]:
                continue
            result = self.dock("--device", device["name"])
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn(device["name"], result.stderr)
            self.assertIn(device["reason"][:40], result.stderr)

    def test_missing_values(self):
        self.refused("--runs", words=["--runs", "needs a value"])
        self.refused("--runs", "--evals", "5", words=["--runs", "needs a value"])
        self.refused("--json=3", words=["--json", "takes no value"])
        self.refused("--runs=", words=["--runs", "empty"])

    def test_missing_input(self):
        self.assert_refused(self.berth("dock"), "receptor")
        self.assert_refused(self.berth("dock", "-r", "receptor.pdbqt"), "ligand")
        self.assert_refused(self.berth("dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt"), "-o")
        self.assert_refused(self.dock(box=False), "--center", "--autobox")
        self.assert_refused(self.dock("--center", "0,0,0", box=False), "--size")
        self.assert_refused(self.dock("--autobox", "ligand.pdbqt"), "--center", "--autobox")
        self.assert_refused(self.dock(receptor="receptor.xyz"), "receptor.xyz", ".pdbqt")

    def test_forms_of_values(self):
        self.assert_well(self.dock("--runs=1", "--evals", "1k", "-t1", "--center", "-0.5", "0", "-.25", "--quiet"))
        self.assert_well(self.dock("--evals", "1_000", "--center=-0.5,0,1e-1", "--", "ligand.pdbqt"))


class Devices(cli.Case):
    def test_table_and_json_agree(self):
        table = self.berth("devices")
        self.assert_well(table)
        lines = [json.loads(line) for line in self.berth("devices", "--json").stdout.splitlines()]
        self.assertTrue(any(device["usable"] for device in lines))
        for device in lines:
            self.assertRegex(table.stdout, rf"(?m)^{re.escape(device['name'])} ")
            self.assertEqual(device["usable"], device["reason"] == "")
            self.assertIsInstance(device["accelerator"], bool)
            if device["usable"]:
                self.assertGreater(device["poses"], 0)
                self.assertEqual(device["teams"], sorted(set(device["teams"])))
                self.assertIn("simt", device["reductions"])
        self.assertEqual(len(lines), len({device["name"] for device in lines}))

    def test_the_choice_of_a_device_starts_no_threads_of_pocl(self):
        os.environ["LD_DEBUG"] = "files"
        self.addCleanup(os.environ.pop, "LD_DEBUG")
        listed = self.berth("devices")
        if "libpocl-devices" not in listed.stderr:
            self.skipTest("PoCL is not installed, or comes in one file")
        result = self.dock("--device", "auto")
        self.assertEqual(result.returncode, 0)
        self.assertNotIn("libpocl-devices", result.stderr)

    def test_refuses_words(self):
        self.assert_refused(self.berth("devices", "gpu"), "gpu")


if __name__ == "__main__":
    cli.main()
