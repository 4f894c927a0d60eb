"""A mailbox in memory with a ledger beside it, and a tier that judges by the subject. Entry point: `Bench`."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from mcp.client import Client

from gaia_email.actions.account_session import AccountSession, session_of
from gaia_email.actions.triaging import RunReport, TriageRequest, triage_and_apply
from gaia_email.actions.writing import on_session
from gaia_email.ledger import Ledger, LoggedAction, Selection, open_ledger
from gaia_email.policy.gate import Prompt, PromptAnswer
from gaia_email.policy.question import CallQuestion
from gaia_email_registry.errors import ProviderError
from gaia_mail_mcp.mailbox import WriteOutcome
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import decode, understand
from gaia_understanding.cascade.verdict import Bucket, Cohort, Context, Verdict
from gaia_understanding.prepare.model import Prepared
from tests.contract.memory import MemoryMailbox
from tests.mailbox_wrapper import MailboxWrapper
from tests.origins import PERSON

T = TypeVar("T")

ME = "me@example.org"
EMBEDDED = SurfaceSettings(approval=CALLER)
NOW = dt.datetime(2026, 3, 31, 12, tzinfo=dt.UTC)
BUCKETS: dict[str, Bucket] = {
    "low": "low_priority",
    "info": "informational",
    "ask": "actionable",
    "over": "actionable",
    "now": "urgent",
}
COHORTS: dict[str, Cohort] = {"default": "default", "vip": "vip"}


@cache
def some_verdict() -> Verdict:
    """What the rules say of a message without anything in it."""
    message = decode(b"From: a@b.example\r\nSubject: x\r\n\r\nx\r\n")
    return understand(message, Context(), BuiltinTier(summaries=False)).verdict


class BySubject:
    """Judges by the first word of the subject; everything is a newsletter unless the second word is a cohort.

    "fraud" anywhere makes it look like phishing.
    """

    name = "T0"

    def __init__(self) -> None:
        self.judged: list[str] = []

    def judge(self, prepared: Prepared, context: Context) -> Verdict:
        subject = prepared.message.subject
        self.judged.append(subject)
        word, _, rest = subject.partition(" ")
        verdict = some_verdict()
        if word == "spam":
            verdict = replace(verdict, flags=replace(verdict.flags, spam=0.95))
        if "fraud" in rest:
            phishing = replace(verdict.flags.phishing, score=0.95)
            verdict = replace(verdict, flags=replace(verdict.flags, phishing=phishing))
        return replace(
            verdict,
            bucket=BUCKETS.get("low" if word == "spam" else word, "informational"),
            is_over=word == "over",
            cohort=COHORTS.get(rest.partition(" ")[0], "newsletters"),
            confidence=0.9,
            needs_reply=False,
        )


class Watched(MemoryMailbox):
    """Counts what changes it, and fails or calls back when a test wants it."""

    def __init__(self, *, now: Callable[[], dt.datetime]) -> None:
        super().__init__(ME, now=now)
        self.changed: Counter[str] = Counter()
        self.calls = 0
        self.before_change: Callable[[], None] = lambda: None
        self.after_change: Callable[[], None] = lambda: None

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        self.calls += 1
        self.before_change()
        applied = await super().modify(ids, add=add, remove=remove)
        self.changed.update(applied.ids)
        self.after_change()
        return applied


@dataclass
class Switched:
    """What a test has switched: sentences, or nothing."""

    stop: str = ""
    pause: str = ""

    def explain_hold(self) -> str:
        return self.pause or self.stop

    def explain_halt(self) -> str:
        return self.stop


class Person:
    """Gives one answer to everything."""

    def __init__(self, answer: PromptAnswer = "yes") -> None:
        self.answer: PromptAnswer = answer
        self.asked: list[CallQuestion] = []

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        self.asked.append(asked)
        return self.answer


@dataclass
class Bench:
    """One account; `run` gives a scenario a session over a fresh connection."""

    home: Path
    now: dt.datetime = NOW
    tier: BySubject = field(default_factory=BySubject)
    person: Person = field(default_factory=Person)
    brakes: Switched = field(default_factory=lambda: Switched())

    def __post_init__(self) -> None:
        self.box = Watched(now=lambda: self.now)
        self.ledger = self.reopened()

    def reopened(self) -> Ledger:
        return open_ledger(clock=lambda: self.now.timestamp(), url=f"sqlite:///{self.home}/ledger.db")

    def put(self, subject: str, labels: Sequence[str] = ("INBOX", "UNREAD"), sender: str = "") -> str:
        number = len(self.box._store.messages)  # pyright: ignore[reportPrivateUsage]
        raw = (
            f"From: {sender or f'list{number}@news.example'}\r\nTo: {ME}\r\nSubject: {subject}\r\n"
            f"Date: Mon, 30 Mar 2026 09:{number % 60:02}:00 +0000\r\nMessage-ID: <{number}@news.example>\r\n"
            "List-Unsubscribe: <https://news.example/off>\r\n"
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n\r\nText.\r\n"
        )
        return self.box.put(raw.encode(), labels)

    def run(
        self, scenario: Callable[[AccountSession], Awaitable[T]], settings: SurfaceSettings = EMBEDDED
    ) -> T:
        failure: list[Exception] = []

        async def main() -> T | None:
            server = create_server(_Kept(self.box), settings)
            async with Client(server._mcp_server, cache=None) as client:  # pyright: ignore[reportPrivateUsage]
                try:  # as `open_session` does, so that it does not come out in a group
                    found = await on_session(client.session)
                    prompt: Prompt = self.person
                    opened = session_of(found, self.ledger, prompt=prompt, brakes=self.brakes, origin=PERSON)
                    return await scenario(opened)
                except Exception as error:
                    failure.append(error)
            return None

        answer = asyncio.run(asyncio.wait_for(main(), 30))
        if failure:
            raise failure[0]
        return answer  # type: ignore[return-value]  # pyright: ignore[reportReturnType]

    def triage(self, run_id: str | None = None, session_id: str | None = None) -> RunReport:
        wanted = TriageRequest(tier=self.tier, owner=(ME,), run_id=run_id, session_id=session_id)
        return self.run(lambda opened: triage_and_apply(opened, wanted))

    def labels(self) -> dict[str, set[str]]:
        """The labels of every message by its id; the user's by name."""
        names = self.box._labels.names()  # pyright: ignore[reportPrivateUsage]
        return {
            id_: {names.get(label, label) for label in message.labels}
            for id_, message in self.box._store.messages.items()  # pyright: ignore[reportPrivateUsage]
        }

    def actions(self, *types: str) -> list[LoggedAction]:
        with self.ledger.read() as tx:
            found = self.ledger.actions.select(tx, Selection(types=types))
        return [action for action in found if types or action.action_type != "label_create"]

    def kinds(self) -> Counter[str]:
        with self.ledger.read() as tx:
            return Counter(event.kind for event in self.ledger.events.since(tx, limit=100_000))

    def verified(self) -> bool:
        with self.ledger.read() as tx:
            return self.ledger.events.verify(tx) is None


class _Kept(MailboxWrapper):
    """The mailbox, which a server that stops does not close."""

    async def aclose(self) -> None:
        pass


def unreachable() -> None:
    """As if the server had gone."""
    raise ProviderError("The server cannot be reached.")
