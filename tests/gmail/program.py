"""`gaia email` on an emulated Google, whose page the user agrees on at once. Entries: `Google`, `runner`."""

from __future__ import annotations

import asyncio
import io
import json
import re
import sys
import threading
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gaia_email.interfaces.cli import person
from gaia_email.interfaces.cli.app import gaia
from gaia_email.interfaces.cli.errors import run_guarded
from tests.cli.printed import Ran, Run, scripts_say_yes
from tests.gmail.emulator.emulator import Emulator

CONNECT = ("connect", "--provider", "gmail", "--no-browser")


class Google:
    """An emulator in a thread of its own, so that a program's own loop can ask it."""

    def __init__(self, address: str) -> None:
        self.emulator = Emulator(address)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.do(self.emulator.start())

    def do(self, work: Any) -> Any:
        """Have it done in that thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def close(self) -> None:
        """Stop; fails for what was not as Google documents it."""
        self.do(self.emulator.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def serving_all(monkeypatch: pytest.MonkeyPatch) -> Generator[Google, None, None]:
    """Where every one of Google's services is."""
    made = Google("me@example.org")
    point_to(made, monkeypatch)
    yield made
    made.close()


def point_to(google: Google, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the programs ask that one."""
    for name in ("GAIA_GMAIL_API_ROOT", "GAIA_GOOGLE_OAUTH_ROOT"):
        monkeypatch.setenv(name, google.emulator.root)


def write_client_file(home: Path) -> None:
    """The OAuth client that the emulator knows, where people save theirs."""
    keys = home / ".gmail-mcp" / "gcp-oauth.keys.json"
    keys.parent.mkdir()
    client = {"client_id": "client.apps.example", "client_secret": "client-secret-of-tests"}
    keys.write_text(json.dumps({"installed": client}))


def agree(url: str) -> None:
    """What a browser does when its user agrees."""
    with urllib.request.urlopen(url):
        pass


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command; whoever's browser is shown Google's page agrees there."""

    class Shown(io.StringIO):
        def write(self, text: str) -> int:
            for url in re.findall(r"^http\S+/o/oauth2/\S+$", text, re.MULTILINE):
                threading.Thread(target=agree, args=(url,), daemon=True).start()
            return super().write(text)

    monkeypatch.setattr(person, "scripts_may_answer", scripts_say_yes)

    def call(*args: str, stdin: str = "") -> Ran:
        shown = Shown()
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        monkeypatch.setattr(sys, "stderr", shown)
        capsys.readouterr()
        code = run_guarded(lambda: gaia.main(["email", *args], prog_name="gaia", standalone_mode=False))
        return Ran(code, capsys.readouterr().out, shown.getvalue())

    return call
