"""The recipes in packaging/ name this version, existing CMake options and existing files."""
import pathlib
import re
import shutil
import subprocess
import unittest

import berth_cli as cli

SOURCE = pathlib.Path(cli.SOURCE)
RECIPES = ("conda/meta.yaml", "conda/build.sh", "Containerfile", "Containerfile.cuda")


class Packaging(cli.Case):
    def recipe(self, name):
        return (SOURCE / "packaging" / name).read_text()

    def version(self):
        return re.search(r"(?m)^project\(berth VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]

    def test_version(self):
        self.assertIn(f'\n  version: "{self.version()}"\n', self.recipe("conda/meta.yaml"))

    def test_recipe_is_yaml(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("no Python package yaml")
        recipe = yaml.safe_load(self.recipe("conda/meta.yaml"))
        self.assertEqual(recipe["package"], {"name": "berth", "version": self.version()})
        folder = SOURCE / "packaging/conda" / recipe["source"]["path"]
        self.assertEqual(folder.resolve(), SOURCE.resolve())
        self.assertTrue((folder / recipe["about"]["license_file"]).is_file())

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


if __name__ == "__main__":
    cli.main()
