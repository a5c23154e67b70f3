"""A real browser for tests: Chromium without a window, spoken to over a pipe in its own DevTools protocol.

The protocol is JSON with a zero byte after each message, so no driver and no library is needed. Where there is no
browser, `find_browser` says so.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *("--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-extensions"),
    *("--force-device-scale-factor=1", "--remote-debugging-pipe"),
)
# The browser reads from descriptor 3 and writes to 4, whatever numbers the pipes have here.
LAUNCHER = (
    "import fcntl, os, sys\n"
    "ends = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]\n"
    "for end, number in zip(ends, (3, 4)): os.dup2(end, number)\n"
    "os.execv(sys.argv[3], sys.argv[3:])\n"
)
ANSWER_SECONDS = 20.0


class BrowserError(Exception):
    """The browser said that something is wrong, or nothing at all."""


def find_browser() -> str | None:
    """The path of a browser that this can drive."""
    if os.name == "nt":
        return None  # its pipe is no pair of descriptors there
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. `with Browser(path, folder) as page: page.open(file)`; `folder` is for the browser's own files."""

    def __init__(self, path: str, folder: Path) -> None:
        self.messages: list[str] = []
        """What the page has written to its console, and its uncaught exceptions."""
        self.requests: list[str] = []
        """Every address that the page asked for."""
        self.folder = folder
        self._number = 0
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        launcher = [sys.executable, "-c", LAUNCHER, str(theirs_in), str(theirs_out)]
        self._process = subprocess.Popen(
            [*launcher, path, *ARGUMENTS, f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._buffer = b""
        self._session: str | None = None
        try:
            target = self.send("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.send(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser with all its processes."""
        for end in (self._out, self._in):
            os.close(end)
        try:
            self._process.wait(5)  # it ends when its pipe does
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, 9)
            self._process.wait()

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self._out, text) :]
        while True:
            answer = self._read()
            if answer.get("id") != self._number:
                self._note(answer)
            elif "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], ANSWER_SECONDS)
            if not ready:
                raise BrowserError(f"the browser has said nothing for {ANSWER_SECONDS:.0f} s")
            part = os.read(self._in, 1 << 20)
            if not part:
                raise BrowserError("the browser has ended")
            self._buffer += part
        text, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(text)

    def _note(self, event: dict[str, Any]) -> None:
        said = event.get("params", {})
        match event.get("method"):
            case "Runtime.consoleAPICalled":
                self.messages.append(" ".join(str(value.get("value")) for value in said["args"]))
            case "Runtime.exceptionThrown":
                details = said["exceptionDetails"]
                self.messages.append(details.get("exception", {}).get("description", details["text"]))
            case "Log.entryAdded":
                self.messages.append(said["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(said["request"]["url"])

    # What a person does.

    def open(self, address: str) -> None:
        """Load a page and wait until its scripts have run."""
        self.send("Page.navigate", url="about:blank")  # a new mark alone would not load it again
        self.wait_for("location.href === 'about:blank'")
        self.requests.clear()
        self.send("Page.navigate", url=address)
        self.wait_for("location.href !== 'about:blank' && document.readyState === 'complete'")

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + ANSWER_SECONDS
        while not self.ask(expression):
            if time.monotonic() > end:
                raise BrowserError(f"never true: {expression}")
            time.sleep(0.02)

    def text(self, selector: str) -> str:
        """What a person reads in an element."""
        return self.ask(f"document.querySelector({json.dumps(selector)}).innerText")

    def texts(self, selector: str) -> list[str]:
        return self.ask(f"[...document.querySelectorAll({json.dumps(selector)})].map((node) => node.innerText)")

    def click(self, selector: str, across: float = 0.5) -> None:
        """Click an element with the mouse, in its middle or at another part of its width."""
        place = self.ask(
            f"(() => {{ const node = document.querySelector({json.dumps(selector)});"
            "node.scrollIntoView({block: 'center'}); const box = node.getBoundingClientRect();"
            f"return [box.left + box.width * {across}, box.top + box.height / 2]; }})()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            mouse = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1, "buttons": 1}
            self.send("Input.dispatchMouseEvent", type=kind, **mouse)

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press and release a key, named as browsers name it."""
        codes = {"Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39, "Tab": 9}
        code = codes.get(key, ord(key[0].upper()))
        event = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", **event, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.send("Input.insertText", text=text)

    def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        """Give the page so many pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
        self.send("Emulation.setDeviceMetricsOverride", **size)

    def prefer(self, **features: str) -> None:
        """What the system prefers, such as `prefers_color_scheme="dark"`."""
        wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.send("Emulation.setEmulatedMedia", features=wanted)

    def screenshot(self) -> bytes:
        """What is to be seen, as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
