"""A first day at a terminal, from nothing to a mailbox that is sorted, put right and stopped: every screen is read."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Collection
from pathlib import Path

from gaia_email_registry.extras import MODULES
from tests.contract.suite.seed import write_message
from tests.imap.conftest import dovecot as dovecot
from tests.imap.conftest import dovecot_with as dovecot_with
from tests.imap.conftest import other as other
from tests.imap.conftest import servers_of_shapes as servers_of_shapes
from tests.imap.conftest import user as user
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.other_client import OtherClient

TAKE = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
"""Makes the terminal the controlling one, at which a person is asked."""

MAIN = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
sys.argv[0] = "gaia"
from gaia_email.interfaces.cli import main
main()
"""
UNIDIOMATIC = (
    "belongs into",
    "takes no connections",
    "told as they come",
    "Asked, since",
    "take it for urgent",
    "a machine without people",
    "would leave alone",
    "the level you gave",
)


LACKING = {
    "imap": ("connect", "--email", "you@posteo.de", "--password-command", "echo x"),
    "graph": ("connect", "--email", "you@outlook.com", "--provider", "outlook"),
    "models": ("models",),
}
"""A command for each extra that it takes."""


class Day:
    """Commands typed one after the other at one terminal; `screens` keeps what each showed.

    The modules that are `missing` cannot be imported.
    """

    def __init__(self, home: Path, missing: Collection[str] = ()) -> None:
        self._main = f"{TAKE}MISSING = {tuple(missing)!r}\n{MAIN}"
        self.environ = {**os.environ, "GAIA_HOME": str(home), "TERM": "xterm-256color", "COLUMNS": "80"}
        self.environ |= {"GAIA_VAULT": "file", "NO_COLOR": "1"}
        self.screens: list[str] = []

    def types(
        self,
        *arguments: str,
        answers: str = "",
        secret: str = "",
        stops: bool = False,
        code: int = 0,
        yes: bool = True,
    ) -> str:
        """One command, with what is typed at it; `stops` ends it by Ctrl-C once it has said something.

        Where a code is asked for it is typed, unless `yes` is false.
        A `secret` is typed once the terminal shows nothing of what is typed.
        """
        main, side = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-c", self._main, "email", *arguments],
            stdin=side,
            stdout=side,
            stderr=side,
            env=self.environ,
            start_new_session=True,
        )
        os.close(side)
        if answers:
            os.write(main, answers.encode())
        shown, agreed = b"", False
        deadline = time.monotonic() + 40
        while time.monotonic() < deadline:
            if secret and not termios.tcgetattr(main)[3] & termios.ECHO:
                os.write(main, f"{secret}\n".encode())
                secret = ""
            if select.select([main], [], [], 0.05)[0]:
                try:
                    shown += os.read(main, 65_536)
                except OSError:
                    break
                if not agreed and (asked := re.search(rb"Type (\w+) for yes: ", shown)):
                    os.write(main, (asked[1] if yes else b"n") + b"\n")
                    agreed = True
                if stops and b"\n" in shown:
                    process.send_signal(signal.SIGINT)
                    stops = False
            elif process.poll() is not None:
                break
        assert process.wait(20) == code, shown.decode("utf-8", "replace")[-2000:]
        os.close(main)
        self.screens.append(shown.decode("utf-8", "replace").replace("\r\n", "\n"))
        return self.screens[-1]

    def reads_well(self) -> None:
        """No screen has a traceback, or a sentence that nobody would say."""
        everything = "\n".join(self.screens)
        assert "Traceback" not in everything and "went wrong inside" not in everything
        assert not [words for words in UNIDIOMATIC if words in everything]


def test_a_first_day_reads_well_from_the_demo_to_the_second_triage(tmp_path: Path) -> None:
    day = Day(tmp_path / "home")
    mail = str(tmp_path / "Mail")
    assert "Urgent" in day.types("demo") and "why 1" in day.screens[-1]
    assert "asks you" in day.types("why", "2")
    day.types("demo", "--write", mail)
    assert "next: gaia email inbox" in day.types("connect", "--maildir", mail, answers="y\n")
    assert "Needs you" in day.types("inbox")
    assert "Suspicious" in day.screens[-1]
    assert "confidence" in day.types("why", "1")
    day.types("show", "1")
    assert "first triage that acts" in day.types("triage", "--apply", yes=False, code=5)
    assert "Nothing was done." in day.screens[-1]
    assert "Nothing was done yet" in day.types("actions")
    assert "archived" in day.types("triage", "--apply")
    assert "taken back" in day.types("undo")
    day.types("triage", "--apply")
    day.types("search", "invoice")
    assert "gaia email resume" in day.types("stop")
    assert "The agent is stopped" in day.types("inbox")
    assert "stopped" in day.types("worker", stops=True, code=130)
    day.types("resume")
    assert "stopped" not in day.types("inbox")
    assert mail in day.types("status")

    day.reads_well()
    cards = [screen for screen in day.screens if "Worth knowing" in screen]
    wide = [
        line
        for card in cards
        for line in card.splitlines()
        if len(re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", line)) > 80
    ]
    assert not wide, "no line of a card breaks at 80 columns"


def test_an_account_is_connected_where_there_is_no_keyring_and_it_is_said_where_the_password_lies(
    tmp_path: Path, dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1, subject="Can you call me today?"))
    home = tmp_path / "home"
    day = Day(home)
    day.environ |= {"GAIA_VAULT": "auto", "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    address = f"{user}@example.org"
    arguments = [
        "connect", "--email", address, "--imap-user", user, "--imap-host", "127.0.0.1",
        "--imap-port", str(dovecot.port), "--imap-security", "none",
    ]  # fmt: skip
    screen = day.types(*arguments, secret=PASSWORD)
    assert f"connected {address}" in screen
    assert f"there is no keyring here: the password is encrypted in {home}, its key beside it." in screen
    assert "--password-command keeps it elsewhere" in screen
    assert f"gaia email connect --email {address} --smtp-host HOST adds that." in screen
    assert "next: gaia email inbox" in screen
    assert address in day.types("accounts")
    assert "Can you call me today?" in day.types("inbox")
    assert "confidence" in day.types("why", "1")
    day.types("show", "1")
    day.types("triage")
    day.types("disconnect", address)
    day.reads_well()
    assert PASSWORD not in "".join(day.screens)
    kept = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert PASSWORD.encode() not in kept


def test_installed_without_extras_all_of_the_first_day_works_but_what_names_its_extra(tmp_path: Path) -> None:
    day = Day(tmp_path / "home", missing=MODULES)
    mail = str(tmp_path / "Mail")
    assert "Urgent" in day.types("demo")
    day.types("demo", "--write", mail)
    assert "next: gaia email inbox" in day.types("connect", "--maildir", mail, answers="y\n")
    assert "Needs you" in day.types("inbox")
    assert "archived" in day.types("triage", "--apply")
    assert "taken back" in day.types("undo")
    assert "passwords" in day.types("doctor")
    assert set(LACKING) == set(MODULES.values())
    for extra, arguments in LACKING.items():
        screen = day.types(*arguments, code=2)
        assert f"pip install 'gaia-email[{extra}]', then the same again." in screen, screen
    day.reads_well()
