"""A real browser without a window, driven over its DevTools protocol. Entry: `Browser`.

`python -m tools.browser` makes sure that Chromium is installed, for `make test`. The protocol:
https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from websockets.sync.client import ClientConnection, connect

from tools.debian import install

ADVICE = (
    "The tests of pages need Chromium, which is not installed here. On Debian or Ubuntu: sudo apt-get install "
    "chromium; on macOS: brew install --cask chromium; on Fedora: sudo dnf install chromium."
)

START_S = 20.0

_FLAGS = (
    "--headless",
    "--no-sandbox",  # a test may run as root, where Chromium refuses its sandbox
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
)


def executable() -> str | None:
    """Where Chromium is."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


class Browser:
    """One tab of a browser whose profile lies in `folder`; a context manager."""

    def __init__(self, folder: Path) -> None:
        program = executable()
        if program is None:
            raise FileNotFoundError(ADVICE)
        self._command = [program, *_FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"]
        self._told = folder / "profile" / "DevToolsActivePort"
        self._process: subprocess.Popen[bytes] | None = None
        self._tab: ClientConnection | None = None
        self._open = ExitStack()
        self._last = 0

    def __enter__(self) -> Browser:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + START_S
        while not (self._told.exists() and self._told.read_text().count("\n")):
            if time.monotonic() > until:
                raise TimeoutError("Chromium did not start.")
            time.sleep(0.05)
        port = self._told.read_text().splitlines()[0]
        with urlopen(f"http://127.0.0.1:{port}/json/list", timeout=START_S) as answer:
            tabs = json.load(answer)
        page = next(tab for tab in tabs if tab["type"] == "page")
        self._tab = self._open.enter_context(connect(page["webSocketDebuggerUrl"], max_size=None))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def open(self, url: str) -> None:
        """Show an address; `wait_for` says when it is there."""
        self._call("Page.navigate", url=url)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, as the developer's console would have it."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True, userGesture=True)
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Until that expression is true in the page.

        Raises:
            TimeoutError: It never was.
        """
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            with suppress(RuntimeError):  # a page that is just being left answers nothing
                if self.evaluate(expression):
                    return
            time.sleep(0.05)
        raise TimeoutError(f"{expression} never became true")

    def screenshot(self, path: Path) -> None:
        """What the page looks like, as PNG."""
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot")["data"]))

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        assert self._tab is not None
        self._last += 1
        self._tab.send(json.dumps({"id": self._last, "method": method, "params": parameters}))
        while True:
            answer: dict[str, Any] = json.loads(self._tab.recv(timeout=START_S))
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result


def main() -> int:
    """Install Chromium where that may be done unasked; else say how, and fail where `CI=true`."""
    if executable() is None:
        install(["chromium"], "the tests of pages")
    if executable() is not None:
        return 0
    sys.stderr.write(ADVICE + "\n")
    return 1 if os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
