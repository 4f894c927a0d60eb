"""When our page takes keys, and when the peer's has loaded its script, in one browser: `AMD_GAIA_WHEEL=… web_peer`.

`pip download --no-deps amd-gaia` gets the wheel, whose built page (`gaia/apps/webui/dist`) is served as it is.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from benchmarks.measure import Row
from gaia_email.app import App
from gaia_email.app.services.choosing import sample_source
from gaia_email.interfaces.http.opening import entry_address
from gaia_email.interfaces.http.serving import ListeningServer, ServeOptions

WHEEL = "AMD_GAIA_WHEEL"
PAGE = "gaia/apps/webui/dist/"

_SCRIPT_MS = """() => Math.max(...performance.getEntriesByType("resource")
  .filter((one) => one.initiatorType === "script" || one.name.endsWith(".js")).map((one) => one.responseEnd))"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def rows(*, quick: bool) -> list[Row]:
    """Nothing where no wheel is named."""
    wheel = os.environ.get(WHEEL)
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if not wheel or not path:
        return []
    runs = 3 if quick else 9
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        ours, theirs = _ours(browser, runs), _theirs(browser, Path(wheel), runs)
        browser.close()
    return [
        Row(
            name="our page takes keys, theirs has loaded its script",
            ours=f"{ours:.0f} ms",
            theirs=f"{theirs:.0f} ms",
            ratio=ours / theirs,
            target="< 1",
            met=ours < theirs,
        )
    ]


def _ours(browser: Browser, runs: int) -> float:
    with sample_source(App()) as (app, source):
        server = ListeningServer(app, app.environ, ServeOptions(port=0), source)
        thread = threading.Thread(target=_run, args=(server,), daemon=True)
        thread.start()
        return median(_keys_after_ms(browser, server) for _ in range(runs + 1))


def _run(server: ListeningServer) -> None:
    import asyncio

    asyncio.run(server.run())


def _keys_after_ms(browser: Browser, server: ListeningServer) -> float:
    """From the navigation until the page listens to keys."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(entry_address(server.address, server.sessions.new_code()))
    page.locator("#page .row:focus").wait_for()
    taken: float = page.evaluate("performance.getEntriesByName('keys')[0].startTime")
    context.close()
    return taken


def _theirs(browser: Browser, wheel: Path, runs: int) -> float:
    """From the navigation until the last script that their page starts with is loaded."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder, [name for name in packed.namelist() if name.startswith(PAGE)])
        serve = partial(_Quiet, directory=str(Path(folder) / PAGE))
        with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            found = [_loaded_after_ms(browser, server.server_port) for _ in range(runs + 1)]
            server.shutdown()
    return median(found)


def _loaded_after_ms(browser: Browser, port: int) -> float:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{port}/", wait_until="load")
    loaded: float = page.evaluate(_SCRIPT_MS)
    context.close()
    return loaded
