"""A Maildir of newsletters whose triage archives each one, and what became of it. Entry point: `Box`."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from gaia_email.ledger import LoggedAction, Selection, open_ledger
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.runs.job import Job
from gaia_email_registry.paths import servers_file
from tests.origins import PERSON

ME = "me@example.org"
SECRET = "aubergine"
"""A word that is in every message and may be in no database of runs."""


@dataclass(frozen=True)
class Box:
    """A Maildir below `home`, which is also GAIA_HOME; reached by the MCP server `post` where one is listed there."""

    home: Path

    @property
    def place(self) -> MailboxRef:
        if servers_file(self.environ).exists():
            return MailboxRef(kind="server", path="post")
        return MailboxRef(kind="maildir", path=str(self.home / "Maildir"))

    def fill(self, count: int, start: int = 0) -> None:
        for name in ("cur", "new", "tmp"):
            (self.home / "Maildir" / name).mkdir(parents=True, exist_ok=True)
        for number in range(start, start + count):
            raw = (
                f"From: News <news@list{number}.example>\r\nTo: {ME}\r\nSubject: {SECRET} offers {number}, 20 % off\r\n"
                f"Date: Mon, 30 Mar 2026 09:{number % 60:02}:00 +0000\r\nMessage-ID: <{number}@news.example>\r\n"
                f"List-Unsubscribe: <https://news.example/off>\r\nList-Id: <n{number}.news.example>\r\n\r\n"
                f"Buy {SECRET} today.\r\n"
            )
            (self.home / "Maildir" / "cur" / f"{number}.m:2,").write_bytes(raw.encode())

    def job(self, run_id: str, kind: str = "triage", *, scheduled: bool = False) -> Job:
        return Job(
            kind=kind, run_id=run_id, place=self.place, owner=(ME,), scheduled=scheduled, origin=PERSON
        )

    def actions(self) -> list[LoggedAction]:
        with open_ledger(environ=self.environ) as ledger, ledger.read() as tx:
            return [one for one in ledger.actions.select(tx, Selection()) if one.message_id]

    def turns(self) -> list[str]:
        """Whose events stand in the log, in order: a run that others do not interrupt is there once."""
        with open_ledger(environ=self.environ) as ledger, ledger.read() as tx:
            ids = [event.run_id for event in ledger.events.since(tx, limit=1_000) if event.run_id]
        return [run_id for run_id, before in zip(ids, ["", *ids], strict=False) if run_id != before]

    def kinds(self) -> Counter[str]:
        with open_ledger(environ=self.environ) as ledger, ledger.read() as tx:
            assert ledger.events.verify(tx) is None
            return Counter(event.kind for event in ledger.events.since(tx, limit=10_000))

    @property
    def environ(self) -> dict[str, str]:
        return {**os.environ, "GAIA_HOME": str(self.home)}
