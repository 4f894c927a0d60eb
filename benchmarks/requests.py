"""What each command asks of an account: requests and quota units of Gmail, round trips of IMAP. Entry: `rows`.

Gmail is the emulator of the tests, whose units are Google's; IMAP is Dovecot behind a proxy that writes commands down
(without Dovecot there are no such rows). Every command is a process of its own, as a person starts it. Nothing here is
timed, so the figures are the same on any machine.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import GAIA, Row, let_scripts_answer
from tests.contract.suite import many, write_message
from tests.gmail.program import CONNECT, Google, agree, write_client_file
from tools.mail_servers.dovecot import PASSWORD, Dovecot, problem
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy

USER = "bench"
SESSION = ("CAPABILITY", "LOGIN", "ID", "ENABLE", "LOGOUT")
"""Commands that open and close any connection of IMAP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How often a command asked, in the words of a row."""

    times: int
    units: int | None = None

    def __str__(self) -> str:
        """As it is printed."""
        if self.units is None:
            return f"{self.times} round trips"
        return f"{self.times} req {self.units:,} units"


Count = Callable[[], Asked]
"""What was asked since it was last called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A command, and how often and for how many units it may ask at most.

    `ID` stands for a message of the inbox, `OTHER` for one elsewhere.
    """

    name: str
    command: Sequence[str]
    times: int | None = None
    units: int | None = None


def _steps(times: int, units: int | None) -> list[Step]:
    most = 2 if units else None  # IMAP has to open the folder first
    return [
        Step(name="inbox, the first time", command=("inbox",)),
        Step(name="inbox, nothing new", command=("inbox",), times=times, units=units),
        Step(name="triage, nothing new", command=("triage",), times=times, units=units),
        Step(name="why ID", command=("why", "ID"), times=2, units=units),
        Step(name="show ID", command=("show", "ID"), times=2, units=units),
        Step(name="correct ID", command=("correct", "ID", "--bucket", "urgent"), times=2, units=units),
        Step(name="search, the first time", command=("search", "--", "-in:inbox")),
        Step(name="search, nothing new", command=("search", "--", "-in:inbox")),
        Step(name="why OTHER, which is not in the inbox", command=("why", "OTHER"), times=most, units=units),
        Step(name="why OTHER, again", command=("why", "OTHER"), times=2, units=units),
        Step(name="watch --once, nothing new", command=("watch", "--once")),
    ]


def rows(*, quick: bool) -> list[Row]:
    """A row a command, for each kind of account."""
    messages = 60 if quick else 1_000
    with _gmail(messages) as (environ, count):
        found = _run(f"Gmail, {messages:,} messages", environ, count, _steps(3, 10))
    if not problem():
        with _imap(messages) as (environ, count):
            found += _run(f"IMAP, {messages:,} messages", environ, count, _steps(2, None))
    return found


def _run(account: str, environ: Mapping[str, str], count: Count, steps: Sequence[Step]) -> list[Row]:
    found: list[Row] = []
    ids: dict[str, str] = {}
    for step in steps:
        count()
        printed = _called([ids.get(word, word) for word in step.command], environ)
        found.append(_row(f"{account}: {step.name}", step, count()))
        if step.command[0] == "inbox":
            buckets = json.loads(printed)["buckets"].values()
            ids["ID"] = next(row["id"] for bucket in buckets for row in bucket)
        if step.command[0] == "search":
            ids["OTHER"] = json.loads(printed)["hits"][0]["id"]
    return found


def _row(name: str, step: Step, asked: Asked) -> Row:
    met: bool | None = None
    target = ""
    if step.times is not None:
        target = f"{step.times}" + (f", {step.units} units" if step.units else "")
        met = asked.times <= step.times and (asked.units or 0) <= (step.units or asked.units or 0)
    return Row(name=name, ours=str(asked), theirs="", ratio=None, target=target, met=met)


def _called(words: Sequence[str], environ: Mapping[str, str]) -> str:
    form = () if words[0] == "watch" else ("--json",)
    ran = subprocess.run(
        [*GAIA, words[0], *form, *words[1:]], env={**environ}, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise RuntimeError(f"{words[0]} ended with {ran.returncode}: {ran.stderr[-300:]}")
    return ran.stdout


@contextmanager
def _home() -> Generator[dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="gaia-bench-requests-") as name:
        environ = {**os.environ, "HOME": name, "GAIA_HOME": str(Path(name) / ".gaia"), "GAIA_VAULT": "file"}
        let_scripts_answer(environ)
        yield environ


@contextmanager
def _gmail(messages: int) -> Generator[tuple[dict[str, str], Count]]:
    """An account on the emulator, connected."""
    google = Google("me@example.org")
    try:
        account = google.emulator.account
        for seed in many(messages):
            account.mailbox.put(seed.raw, seed.labels)
        account.mailbox.put(write_message(messages + 1), ["Work"])
        google.do(account.settle())
        with _home() as environ:
            for name in ("GAIA_GMAIL_API_ROOT", "GAIA_GOOGLE_OAUTH_ROOT"):
                environ[name] = google.emulator.root
            write_client_file(Path(environ["HOME"]))
            _connect_gmail(environ)

            def count() -> Asked:
                asked = sum(bool(seen.calls) for seen in google.emulator.requests)
                found = Asked(times=asked, units=google.emulator.units)
                google.emulator.forget_requests()
                return found

            yield environ, count
    finally:
        google.close()


def _connect_gmail(environ: Mapping[str, str]) -> None:
    """Connect, and agree on the page that a browser would show."""
    process = subprocess.Popen(
        [*GAIA, *CONNECT], env={**environ}, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"^http\S+/o/oauth2/\S+$", line.strip()):
            threading.Thread(target=agree, args=(found[0],), daemon=True).start()
    if process.wait():
        raise RuntimeError("the emulated account could not be connected")


@contextmanager
def _imap(messages: int) -> Generator[tuple[dict[str, str], Count]]:
    """An account on Dovecot, connected through a proxy."""
    with Dovecot() as server, Proxy(server.port) as proxy, _home() as environ:
        with OtherClient(server.port, USER) as client:
            for number in range(messages):
                client.append(write_message(number))
            client.append(write_message(messages + 1), folder="Archive")
        connect = [
            "connect", "--email", f"{USER}@example.org", "--imap-user", USER, "--imap-host", "127.0.0.1",
            "--imap-port", str(proxy.port), "--imap-security", "none",
        ]  # fmt: skip
        subprocess.run(
            [*GAIA, *connect],
            env={**environ},
            input=f"{PASSWORD}\n",
            text=True,
            check=True,
            capture_output=True,
        )

        def count() -> Asked:
            asked = [line for line in proxy.commands if line.split(" ", 1)[0] not in SESSION]
            proxy.commands.clear()
            return Asked(times=len(asked))

        yield environ, count
