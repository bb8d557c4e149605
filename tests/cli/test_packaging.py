"""The recipes in packaging/ name this version, existing CMake options and existing files; the commands of a wheel start
its programs, and a wheel that scripts/wheel has made is complete."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import zipfile

import berth_cli as cli

SOURCE = pathlib.Path(cli.SOURCE)
RECIPES = ("conda/recipe.yaml", "conda/build.sh", "Containerfile", "Containerfile.cuda")


class Packaging(cli.Case):
    def recipe(self, name):
        return (SOURCE / "packaging" / name).read_text()

    def version(self):
        return re.search(r"(?m)^project\(berth VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]

    def test_version(self):
        self.assertIn(f'\n  version: "{self.version()}"\n', self.recipe("conda/recipe.yaml"))

    def test_recipe_is_yaml(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("no Python package yaml")
        recipe = yaml.safe_load(self.recipe("conda/recipe.yaml"))
        self.assertEqual(recipe["package"], {"name": "berth", "version": self.version()})
        folder = SOURCE / "packaging/conda" / recipe["source"]["path"]
        self.assertEqual(folder.resolve(), SOURCE.resolve())
        self.assertTrue((folder / recipe["about"]["license_file"]).is_file())
        self.assertTrue((SOURCE / "packaging/conda" / recipe["build"]["script"]).is_file())

    def test_recipe_is_rendered(self):
        try:
            import rattler_build  # noqa: F401
        except ImportError:
            self.skipTest("no Python package rattler_build")
        done = subprocess.run([sys.executable, str(SOURCE / "packaging/conda/check.py")], capture_output=True, text=True,
                              cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        recipe = json.loads(done.stdout)
        self.assertEqual(recipe["package"], {"name": "berth", "version": self.version()})
        self.assertEqual(recipe["requirements"]["build"][:3], ["gcc_linux-64", "gxx_linux-64", "sysroot_linux-64 2.28.*"])
        self.assertIn("librdkit-dev", recipe["requirements"]["host"])

    def test_options(self):
        files = [SOURCE / "CMakeLists.txt", *(SOURCE / "cmake").glob("*.cmake")]
        known = set(re.findall(r"(?:option|set|find_path)\((\w+)", "".join(path.read_text() for path in files)))
        for name in RECIPES:
            given = {option for option in re.findall(r"-D(\w+)", self.recipe(name)) if not option.startswith("CMAKE_")}
            self.assertEqual(given - known, set(), name)
            self.assertTrue(given or name.endswith(".yaml"), name)

    def test_scripts(self):
        for name in RECIPES[1:]:
            for script in re.findall(r"(?m)(?:^RUN |\$\(|^ && )(scripts/[\w-]+)", self.recipe(name)):
                self.assertTrue((SOURCE / script).is_file(), script)
        self.assertIn("RUN scripts/install-deps core report ", self.recipe("Containerfile"))

    def test_opencl_has_its_loader(self):
        """PoCL alone is not found: its package does not include libOpenCL.so.1."""
        for name in ("packaging/Containerfile", "cmake/Package.cmake"):
            self.assertRegex((SOURCE / name).read_text(), r"ocl-icd-libopencl1[ |,\w-]*pocl-opencl-icd", name)

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_build_script_needs_a_prefix(self):
        done = subprocess.run([str(SOURCE / "packaging/conda/build.sh")], env={"PATH": "/usr/bin:/bin"}, cwd=self.folder,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"PREFIX: the folder to install into\n$")
        self.assertEqual(done.stdout, "")


class Wheel(cli.Case):
    def commands(self):
        text = (SOURCE / "pyproject.toml").read_text().split("[project.scripts]")[1].split("\n[")[0]
        return dict(re.findall(r'(?m)^([\w-]+) = "berth_programs:(\w+)"$', text))

    def start(self, function, *arguments):
        """Calls the function of a command, with the package berth in this test's folder."""
        code = f"import sys, berth_programs; sys.exit(berth_programs.{function}())"
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False,
                              env=dict(os.environ, PYTHONPATH=str(self.folder), PYTHONDONTWRITEBYTECODE="1"))
        return done.returncode, done.stdout, done.stderr

    def package(self):
        shutil.rmtree(self.folder / "berth", ignore_errors=True)
        (self.folder / "berth/bin").mkdir(parents=True)
        shutil.copytree(SOURCE / "python/berth_programs", self.folder / "berth_programs", dirs_exist_ok=True)
        (self.folder / "berth/__init__.py").write_text("raise SystemExit('the package is imported')\n")
        return self.folder / "berth/bin"

    @unittest.skipUnless(os.access("/bin/sh", os.X_OK), "no shell")
    def test_commands_become_programs(self):
        self.assertEqual(list(self.commands()), ["berth", "berth-adgpu", "berth-autogrid"])
        programs = self.package()
        for name, function in self.commands().items():
            (programs / name).write_text('#!/bin/sh\nprintf "%s|" "${0##*/}" "$@"\nexit 7\n')
            (programs / name).chmod(0o755)
            self.assertEqual(self.start(function, "dock", "a b", ""), (7, f"{name}|dock|a b||", ""))

    def test_incomplete_wheel(self):
        programs = self.package()
        code, out, err = self.start("berth")
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(err, f"berth: {programs / 'berth'}: No such file or directory; reinstall the package\n")

    def test_built_wheels(self):
        """What scripts/wheel has left in build/portable/dist, if it was run."""
        wheels = sorted(SOURCE.glob("build/portable/dist/berth-*.whl"))
        if not wheels:
            self.skipTest("no wheel (scripts/wheel makes one)")
        for path in wheels:
            self.assertRegex(path.name, r"^berth-[\d.]+-py3-none-manylinux_2_28_(x86_64|aarch64)\.whl$")
            self.assertLess(path.stat().st_size, 100e6)  # what the package index takes
            with zipfile.ZipFile(path) as wheel:
                files = {file.filename: file.external_attr >> 16 for file in wheel.infolist()}
            for name in self.commands():
                self.assertTrue(files[f"berth/bin/{name}"] & 0o111, name)
            self.assertIn("berth/lib/libberth.so", files)
            self.assertEqual(sum(name.endswith(".btn") for name in files), 5)
            self.assertIn("berth/share/berth/networks/LICENSE.gninatorch", files)
            self.assertIn("berth/share/doc/berth/licenses/rdkit.txt", files)


if __name__ == "__main__":
    cli.main()
