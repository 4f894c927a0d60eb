"""What a mailbox as a whole says: who writes to whom, and where its server writes what it checked.

Its copy keeps that until anything in it changes, so that a message is looked up without listing all mail again. Entry
points: `survey`, `look_around`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from gaia_email.mailbox.contact_graph import OUT_OF_SIGHT, ContactGraph
from gaia_email.mailbox.reader import ANYWHERE, MailReader, SurveyKeeper
from gaia_email.mailbox.receiving_server import receivers_of
from gaia_email.triage.verdict_cache import fingerprint, plain
from gaia_email.triage.which_message import SEVERAL, chosen, the_one
from gaia_email_registry.contract.wire import StatusResult, Summary
from gaia_email_registry.errors import NotFound

RECENT_S = 14 * 86_400.0
"""A first look opens with what is at most this much older than the newest message; the rest is counted."""

LISTING = -1
"""The total that progress is told of while messages are listed, and nobody knows how many there are."""

PAGE = 500
"""Summaries a `list_emails` call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Who writes to whom, as all mail outside Spam and Trash tells, and the messages of the inbox, newest first."""

    acquaintance: ContactGraph
    inbox: Sequence[Summary]


async def survey(mail: MailReader, status: StatusResult, owner: Sequence[str]) -> Survey:
    """List all mail.

    Raises:
        MailError: The mailbox does not answer.
    """
    keeping = _Keeping.of(mail, status, owner)
    noted = _Noted(acquaintance=ContactGraph(status["account"], owner), inbox=[])
    async for summary in summaries_of(mail, None):
        noted.note(summary)
    await noted.close(mail, status)
    if keeping is not None and not keeping.is_cached():
        keeping.keep(noted.acquaintance)
    return Survey(acquaintance=noted.acquaintance, inbox=noted.inbox)


async def look_around(
    mail: MailReader, status: StatusResult, owner: Sequence[str], message_ids: Sequence[str]
) -> tuple[ContactGraph, list[Summary]]:
    """Who writes to whom, and the messages that these ids, or beginnings of ids, mean, in their order.

    Raises:
        NotFound: No message, or more than one, has one of the ids.
        MailError: The mailbox does not answer.
    """
    keeping = _Keeping.of(mail, status, owner)
    cached = keeping.cached() if keeping is not None else None
    if keeping is not None and cached is not None:
        return cached, await keeping.meant(message_ids)
    noted = _Noted(acquaintance=ContactGraph(status["account"], owner), inbox=[])
    matching: dict[str, list[Summary]] = {one: [] for one in message_ids}
    async for summary in summaries_of(mail, ANYWHERE):
        noted.note(summary)
        for one, found in matching.items():
            if one and summary["id"].startswith(one):
                found.append(summary)
    meant = [chosen(one, matching[one]) for one in message_ids]
    await noted.close(mail, status)
    if keeping is not None:
        keeping.keep(noted.acquaintance)
    return noted.acquaintance, meant


async def summaries_of(mail: MailReader, query: str | None) -> AsyncIterator[Summary]:
    """All that a query lists, page by page."""
    cursor: str | None = None
    while True:
        page = await mail.list_emails(query=query, limit=PAGE, cursor=cursor)
        for summary in page["emails"]:
            yield summary
        cursor = page["next_cursor"]
        if cursor is None:
            return


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noted:
    """What is being gathered; Spam and Trash have no part in it, listed or not."""

    acquaintance: ContactGraph
    inbox: list[Summary]

    def note(self, summary: Summary) -> None:
        if OUT_OF_SIGHT.isdisjoint(summary["labels"]):
            self.acquaintance.note(summary)
            if "INBOX" in summary["labels"]:
                self.inbox.append(summary)

    async def close(self, mail: MailReader, status: StatusResult) -> None:
        history = self.acquaintance.close()
        history.receivers = await receivers_of(mail, self.inbox, status["provider"])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keeping:
    """A copy of mail that keeps what was gathered, and what that rests on: the mail itself, its owner, the program."""

    mail: SurveyKeeper
    account: str
    owner: Sequence[str]
    basis: str

    @staticmethod
    def of(mail: MailReader, status: StatusResult, owner: Sequence[str]) -> _Keeping | None:
        if not isinstance(mail, SurveyKeeper):
            return None
        account = status["account"]
        basis = _basis(mail, status, owner)
        return _Keeping(mail=mail, account=account, owner=owner, basis=basis)

    def is_cached(self) -> bool:
        return self._found() is not None

    def cached(self) -> ContactGraph | None:
        found = self._found()
        try:
            return None if found is None else ContactGraph.unpacked(self.account, self.owner, found)
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
        ):  # written by no program that kept to this form
            return None

    def keep(self, acquaintance: ContactGraph) -> None:
        # What was listed page by page while another program brought the copy up to date is of no one state.
        if self.mail.state(None) == self.basis.partition("\0")[2]:
            self.mail.cache_survey({"basis": self.basis, **acquaintance.packed()})

    async def meant(self, message_ids: Iterable[str]) -> list[Summary]:
        ids = list(message_ids)
        exact = self.mail.summaries(ids)
        others = [one for one in ids if one not in exact]
        begun = {
            one: the_one(one, await self.mail.ids_beginning(one, limit=SEVERAL) if one else [])
            for one in others
        }
        found = exact | self.mail.summaries(list(begun.values()))
        meant = [found.get(begun.get(one, one)) for one in ids]
        if gone := next((one for one, summary in zip(ids, meant, strict=True) if summary is None), None):
            raise NotFound(f"The message {gone[:80]} is no longer there.", argument="id")
        return [summary for summary in meant if summary is not None]

    def _found(self) -> Mapping[str, Any] | None:
        found = self.mail.cached_survey()
        return found if found is not None and found.get("basis") == self.basis else None


def _basis(mail: SurveyKeeper, status: StatusResult, owner: Sequence[str]) -> str:
    parts = (fingerprint(), plain((sorted(owner), status["provider"])))
    digest = blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
    return f"{digest}\0{mail.state(None)}"
