"""berth networks: installing networks from files of PyTorch and archives, and listing them.

    test_networks.py BIN
"""
import io
import json
import os
import pathlib
import re
import unittest
import zipfile

import berth_cli as cli
from torch_files import archive, shapes, stream

REAL = cli.SOURCE / "build/networks"
WHEEL = "gninatorch-0.0.2-py3-none-any.whl"


class Networks(cli.Case):
    def setUp(self):
        super().setUp()
        before = {name: os.environ.get(name) for name in ("BERTH_NETWORKS", "XDG_DATA_HOME", "HOME")}
        self.addCleanup(lambda: [os.environ.pop(n, None) if v is None else os.environ.update({n: v}) for n, v in before.items()])
        os.environ.update(BERTH_NETWORKS=self.path("nets"), XDG_DATA_HOME=self.path("data"), HOME=self.path("home"))
        self.write("one.pt", archive(shapes()))
        self.write("two.pt", stream(shapes()))

    def listed(self):
        result = self.berth("networks", "--json")
        self.assert_well(result)
        self.assertEqual(result.stderr, "")
        return {n["name"]: n for n in map(json.loads, result.stdout.splitlines())}

    def own(self):
        """The listed ones that are not those of the build."""
        return {name: n for name, n in self.listed().items() if n["path"].startswith(str(self.folder))}

    def test_install_and_list(self):
        result = self.berth("networks", "install", "one.pt", "two.pt")
        self.assert_well(result)
        self.assertEqual(self.files("nets"), ["one.btn", "two.btn"])
        self.assertRegex(result.stdout, r"^name +architecture +parameters +file\none +default2018 +389059 +.*nets/one.btn\ntwo ")
        found = self.own()
        hashes = [found[name].pop("hash") for name in ("one", "two")]  # of the same numbers
        self.assertRegex(hashes[0], r"^[0-9a-f]{16}$")
        self.assertEqual(*hashes)
        self.assertEqual(found["one"], {"name": "one", "architecture": "default2018", "parameters": 389059,
                                        "source": "one.pt, of unknown origin and license", "path": self.path("nets/one.btn")})
        one, two = (self.folder.joinpath("nets", name).read_bytes() for name in ("one.btn", "two.btn"))
        self.assertEqual(one[-4 * 389059 // 2:], two[-4 * 389059 // 2:])
        self.assertRegex(self.berth("networks").stdout, r"(?m)^one +default2018 +389059 ")

    def test_folders(self):
        self.assert_well(self.berth("networks", "install", "-q", "one.pt", "--to", "a/b"))
        self.assertEqual(self.files("a"), ["b/one.btn"])
        self.assertEqual(self.own(), {})
        os.environ["BERTH_NETWORKS"] = ""
        result = self.berth("networks", "install", "one.pt", "a/b/one.btn", "--json")
        self.assert_well(result)
        self.assertEqual(json.loads(result.stdout.splitlines()[0])["path"], self.path("data/berth/networks/one.btn"))
        del os.environ["XDG_DATA_HOME"]
        self.assertEqual(self.own(), {})
        self.assert_well(self.berth("networks", "install", "two.pt"))
        self.assertEqual(self.own()["two"]["path"], self.path("home/.local/share/berth/networks/two.btn"))
        os.environ["BERTH_NETWORKS"] = self.path("a/b")
        self.assertEqual(set(self.own()), {"one"})  # the only folder

    def test_archive_of_networks(self):
        other = dict(shapes(), more=(3,))
        with zipfile.ZipFile(self.path("nets.whl"), "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("package/weights/one.pt", archive(shapes()))
            packed.writestr("package/weights/other.pt", stream(other))
            packed.writestr("package/code.py", "import os\n")
        result = self.berth("networks", "install", "nets.whl")
        version = json.loads(self.berth("--version", "--json").stdout)
        if not version["features"]["zlib"]:
            self.assertIn("unpack it first", result.stderr)
            return
        self.assert_well(result)
        self.assertRegex(result.stderr, r"^berth networks: warning: left out: nets.whl/package/weights/other.pt: the network is neither "
                         r"default2018 \(it has 15 tensors, not 14\) nor dense \(it has no data_enc_init_conv.weight\);.*\n$")
        self.assertEqual(self.files("nets"), ["one.btn"])
        with zipfile.ZipFile(self.path("none.zip"), "w") as packed:
            packed.writestr("readme", "no network")
        self.assert_refused(self.berth("networks", "install", "none.zip"), "none.zip", "no network", WHEEL)

    def test_refusals(self):
        self.write("text.pt", "no network")
        self.write("other.pt", archive({"weight": (2, 2)}))
        self.write("short.pt", stream(shapes())[:100000])
        self.write("évil name.pt", archive(shapes()))
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as packed:
            packed.writestr("net/data.pkl", b"cos\nsystem\n(X\x0c\x00\x00\x00touch brokentR.")
        self.write("evil.pt", out.getvalue())
        for file, words in (("text.pt", ["none of a network", ".btn"]), ("other.pt", ["neither default2018", "nor dense"]),
                            ("short.pt", ["truncated"]), ("evil.pt", ["os.system"]), ("absent.pt", ["cannot read"]),
                            ("évil name.pt", ["rename the file"])):
            self.assert_refused(self.berth("networks", "install", file), file, *words)
        self.assertEqual(self.files("nets"), [])
        self.assertFalse((self.folder / "broken").exists())
        self.assert_refused(self.berth("networks", "install"), "install needs a file")
        self.assert_refused(self.berth("networks", "delete", "x"), "unknown word 'delete'")
        self.assert_refused(self.berth("networks", "--to", "x"), "--to has no effect")
        self.assert_refused(self.berth("networks", "install", "one.pt", "--to", "one.pt/x"), "one.pt/x")

    def test_damaged_installation(self):
        self.assert_well(self.berth("networks", "install", "-q", "one.pt", "two.pt"))
        path = self.folder / "nets/one.btn"
        data = bytearray(path.read_bytes())
        data[100000] ^= 4
        path.write_bytes(data)
        result = self.berth("networks", "--json")
        self.assert_well(result)
        self.assertRegex(result.stderr, r"^berth networks: warning: left out: .*/one.btn: the file of a network is damaged: its checksum is wrong;")
        self.assertIn('"two"', result.stdout)
        self.assertNotIn('"one"', result.stdout)


class Real(cli.Case):
    def networks(self):
        """Those that are installed, or that scripts/networks has fetched, installed into a folder of the test."""
        os.environ.pop("BERTH_NETWORKS", None)
        files = sorted(REAL.glob("*.pt"))
        if not files:
            raise unittest.SkipTest("no networks: scripts/networks fetches them")
        result = self.berth("networks", "install", *files, "--to", "nets", "--json")
        self.assert_well(result)
        return {n["name"]: n for n in map(json.loads, result.stdout.splitlines())}

    def test_networks_of_gnina(self):
        found = self.networks()
        names = [family + number for family in ("crossdock_default2018", "general_default2018", "redock_default2018", "dense")
                 for number in ("", "_1", "_2", "_3", "_4")]
        self.assertEqual(sorted(found), sorted(names))
        for name, network in found.items():
            self.assertEqual(network["architecture"], name.split("_")[-1] if re.search(r"default2018$", name) else
                             "dense" if name.startswith("dense") else "default2018")
            self.assertEqual(network["parameters"], 685123 if name.startswith("dense") else 389059)
            self.assertTrue(network["source"].startswith(f"gnina 1.0's {name} (Apache-2.0 or GPL), "), network["source"])
        again = self.berth("networks", "install", "nets/dense.btn", "--to", "again", "--json")
        self.assert_well(again)
        self.assertEqual(pathlib.Path(self.path("nets/dense.btn")).read_bytes(), pathlib.Path(self.path("again/dense.btn")).read_bytes())


if __name__ == "__main__":
    cli.main()
