"""A headless Chromium to test pages with, controlled through its debugging pipe; needs nothing but Python.

    with browser.Browser() as chromium:
        page = chromium.open(path, 1280, 900)
        page.run("document.title")
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import queue
import unittest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    """Path of the browser; skips without one."""
    path = os.environ.get("BERTH_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise unittest.SkipTest("no Chromium; scripts/install-deps page installs it")
    return path


class Browser:
    def __init__(self):
        self.program = find()

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="berth-browser-")
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()

        def pipes():  # the browser reads from 3 and writes to 4
            first, second = os.dup(to_read), os.dup(from_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        command = [self.program, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run", "--remote-debugging-pipe",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=pipes, pass_fds=(3, 4), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.to, self.source = to_write, from_read
        self.number, self.events, self.answers = 0, queue.Queue(), {}
        self.arrived = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", timeout=10)
        except Exception:  # it may have exited already
            pass
        os.close(self.to)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _listen(self):
        rest = b""
        while True:
            data = os.read(self.source, 1 << 20)
            if not data:
                break
            *messages, rest = (rest + data).split(b"\0")
            for message in map(json.loads, messages):
                if "id" not in message:
                    self.events.put(message)
                    continue
                with self.arrived:
                    self.answers[message["id"]] = message
                    self.arrived.notify_all()

    def call(self, method, session=None, timeout=400, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers, timeout):
                raise TimeoutError(method)
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, path, width, height, ready="document.documentElement.dataset.ready === '1'"):
        page = Page(self, width, height)
        page.load(path, ready)
        return page


class Page:
    def __init__(self, browser, width, height):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.requests, self.errors = [], []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def load(self, path, ready):
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait(f"document.readyState === 'complete' && ({ready})")

    def run(self, expression):
        """The value of a JavaScript expression; awaits promises."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:1000])
        return result["result"].get("value")

    def wait(self, condition, seconds=300):
        return self.run(f"""new Promise((done, failed) => {{
            const end = Date.now() + {seconds * 1000};
            const look = () => {{ let v; try {{ v = ({condition}); }} catch (e) {{ v = false; }}
                v ? done(true) : Date.now() > end ? failed(new Error("waited for {len(condition)} characters")) : setTimeout(look, 50); }};
            look(); }})""")

    def settle(self):
        """Waits two frames, after which pending changes are drawn."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 300))))")

    def key(self, key, code=None, text=None):
        for kind in ("keyDown", "keyUp"):
            event = {"type": kind, "key": key, "code": code or key, "windowsVirtualKeyCode": KEYS.get(key, 0)}
            if text and kind == "keyDown":
                event["text"] = text
            self.call("Input.dispatchKeyEvent", **event)

    def click(self, selector):
        """A mouse click at the center of the element."""
        x, y = self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path, whole=True):
        options = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options = {"captureBeyondViewport": True,
                       "clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}}
        data = self.call("Page.captureScreenshot", format="png", **options)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def drain(self):
        """Records events so far: requests beyond the page itself, console errors."""
        while True:
            try:
                event = self.browser.events.get_nowait()
            except queue.Empty:
                return
            if event.get("sessionId") != self.session:
                continue
            method, p = event["method"], event["params"]
            if method == "Network.requestWillBeSent":
                self.requests.append(p["request"]["url"])
            elif method == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(p["exceptionDetails"])[:600])
            elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                self.errors.append(p["type"] + ": " + json.dumps([a.get("value", a.get("description")) for a in p["args"]])[:600])
            elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                self.errors.append(p["entry"]["level"] + ": " + p["entry"]["text"][:600])

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


KEYS = {"ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Tab": 9, " ": 32, "Home": 36, "End": 35}
