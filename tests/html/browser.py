# SPDX-License-Identifier: BSL-1.0
"""Headless Chromium, controlled through two pipes (its DevTools protocol)."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds for one answer
OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe",
]


def installed():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def at_3_and_4(asks, answers):
    """Sets up, in the started process, the pipes at which Chromium reads its commands."""
    asks, answers = os.dup(asks), os.dup(answers)  # neither is 3 or 4 afterwards
    while asks in (3, 4):
        asks = os.dup(asks)
    while answers in (3, 4):
        answers = os.dup(answers)
    os.dup2(asks, 3)
    os.dup2(answers, 4)


class Browser:
    """One tab. Its events, such as requests and errors, are in `events`."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(prefix="sonde-chromium-", ignore_cleanup_errors=True)
        asks, self.to = os.pipe()
        self.source, answers = os.pipe()
        self.process = subprocess.Popen(
            [program, *OPTIONS, f"--user-data-dir={self.profile.name}"], pass_fds=(3, 4),
            preexec_fn=lambda: at_3_and_4(asks, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(asks)
        os.close(answers)
        self.unread, self.asked, self.events, self.session, self.path = b"", 0, [], {}, None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = {}
        self.ask("Browser.close")
        self.process.wait(PATIENCE)
        self.profile.cleanup()

    def ask(self, method, **params):
        self.asked += 1
        message = {"id": self.asked, "method": method, "params": params, **self.session}
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            heard = self.hear()
            if heard.get("id") == self.asked:
                if "error" in heard:
                    raise RuntimeError(f"{method}: {heard['error']['message']}")
                return heard["result"]
            self.events.append(heard)

    def hear(self):
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.unread:
            if not select.select([self.source], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            block = os.read(self.source, 1 << 20)
            if not block:
                raise EOFError("Chromium is gone")
            self.unread += block
        line, self.unread = self.unread.split(b"\0", 1)
        return json.loads(line)

    def wait_for(self, method):
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self.hear())

    def open(self, path, width=800, height=900, **media):
        """Reloads the page; see `show`."""
        self.events.clear()
        self.show(width, height, **media)
        self.ask("Page.navigate", url=f"file://{path}")
        self.wait_for("Page.loadEventFired")
        self.path = path

    def show(self, width=800, height=900, **media):
        """Shows the page at that width, `media` as CSS names them: media="print", prefers_color_scheme="dark"."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 500)
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()
                    if name != "media"]
        self.ask("Emulation.setEmulatedMedia", media=media.get("media", ""), features=features)

    def value(self, expression):
        """The value of a JavaScript expression, evaluated outside the page, whose policy does not apply."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", expression))
        return answer["result"].get("value")

    def press(self, key):
        for kind in ("rawKeyDown", "char", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, text="\r" if kind == "char" else "",
                     windowsVirtualKeyCode={"Enter": 13, "Tab": 9}[key])

    def printed(self):
        return base64.b64decode(self.ask("Page.printToPDF", preferCSSPageSize=False)["data"])

    def picture(self):
        """A PNG of the whole page."""
        return base64.b64decode(self.ask("Page.captureScreenshot", captureBeyondViewport=True)["data"])

    def named(self, method):
        return [e["params"] for e in self.events if e.get("method") == method]
