"""`gaia email watch` of an IMAP account as a program of its own. Entry points: `watch_of`, `line`, `subject`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO

from gaia_email_registry.accounts import Account, store_account
from tools.mail_servers.dovecot import PASSWORD

MAIN = "from gaia_email.interfaces.cli import main; main()"


def connect_account(port: int, user: str, password: str = PASSWORD) -> None:
    """What `gaia email connect` leaves behind."""
    store_account(
        Account(
            id=user,
            provider="other",
            address=f"{user}@example.org",
            server="imap",
            settings={
                "imap_host": "127.0.0.1",
                "imap_port": str(port),
                "imap_security": "none",
                "imap_user": user,
            },
            secret=f"command:echo {password}",
        ),
        os.environ,
    )


@contextmanager
def watch_of(port: int, user: str) -> Generator[subprocess.Popen[str], None, None]:
    """A watch of that account on that port; killed at the end where the test has not ended it."""
    connect_account(port, user)
    command = [sys.executable, "-c", MAIN, "email", "watch", "--account", user, "--jsonl"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line(stream: IO[str] | None) -> str:
    """The next line, waited for."""
    assert stream is not None
    return stream.readline()


def subject(process: subprocess.Popen[str]) -> str:
    """Of the message that is told next."""
    told: str = json.loads(line(process.stdout))["subject"]
    return told
