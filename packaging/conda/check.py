#!/usr/bin/env python3
"""Renders conda's recipe, and with --build builds and tests it where conda-forge is out of reach.

    python3 -m venv env && env/bin/pip install py-rattler-build
    env/bin/python packaging/conda/check.py [--build] [FOLDER]     default: build/conda-check

--build takes an empty package for each that the recipe asks of conda-forge, from a channel that it makes in FOLDER, so
that compilers, tools and libraries are those of this machine. It shows that recipe, script and tests fit together and
what the package contains; not that it builds with conda-forge's compilers and libraries.
"""
import argparse
import hashlib
import json
import pathlib
import shutil

import rattler_build
import rattler_build.progress

RECIPE = pathlib.Path(__file__).resolve().parent / "recipe.yaml"
# What conda-forge's settings say, as far as the recipe asks.
FORGE = {"c_compiler": ["gcc"], "cxx_compiler": ["gxx"], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"]}


def rendered():
    [one] = rattler_build.Stage0Recipe.from_file(RECIPE).render(rattler_build.VariantConfig(FORGE))
    return one


def make_channel(folder, specs):
    """Empty packages that meet the specs, with the index of a channel."""
    place = folder / "linux-64"
    (folder / "noarch").mkdir(parents=True)
    (folder / "noarch/repodata.json").write_text('{"info": {"subdir": "noarch"}, "packages": {}, "packages.conda": {}}')
    packages = {}
    for spec in specs:
        name, _, wanted = spec.partition(" ")
        version = wanted.strip(">=.*") or "1"
        made = rattler_build.assemble_package(name, version, "linux-64", "0", place, files=[])
        content = pathlib.Path(made.path).read_bytes()
        packages[pathlib.Path(made.path).name] = {
            "name": name, "version": version, "build": "0", "build_number": 0, "depends": [], "subdir": "linux-64",
            "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (place / "repodata.json").write_text(
        json.dumps({"info": {"subdir": "linux-64"}, "packages": {}, "packages.conda": packages}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", action="store_true", help="build and test it with this machine's libraries")
    parser.add_argument("folder", nargs="?", default="build/conda-check", type=pathlib.Path)
    given = parser.parse_args()
    recipe = rendered()
    known = recipe.recipe.to_dict()
    print(json.dumps(known, indent=1))
    if not given.build:
        return
    shutil.rmtree(given.folder, ignore_errors=True)
    channel = given.folder.resolve() / "channel"
    make_channel(channel, [spec for specs in known["requirements"].values() for spec in specs])
    result = recipe.run_build(
        tool_config=rattler_build.ToolConfiguration(test_strategy="native"), channels=[channel.as_uri()],
        output_dir=given.folder.resolve() / "output", env_isolation=rattler_build.EnvironmentIsolation.CONDA_BUILD,
        progress_callback=rattler_build.progress.SimpleProgressCallback())
    for path in result.packages:
        print(f"built {path}: {pathlib.Path(path).stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
