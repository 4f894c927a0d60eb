"""Find out by searches alone which messages a mailbox has and which labels they carry. Entries: `look`, `run_search`.

The convention has no listing and no labels per message. So the inbox is searched first, then which of its messages are
unread, starred and so on: one search per label. A search has no second page; a larger number is requested instead,
until fewer messages come than requested.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from gaia_email.mailbox.convention.texts import LabelName, ListedMessage, ServerDeclined
from gaia_email_registry.contract.wire import Address, Summary
from gaia_mail.mime.address import parse_addresses
from gaia_mail.mime.dates import parse_date
from gaia_mail.mime.words import decode_words

STEPS = (100, 500, 2_000)
"""Number of messages requested by successive searches, as long as each returns that many."""

ASIDE = 500
"""Number of newest messages that are enough outside the inbox, and for a label of the agent."""

MOST_ASKED = 200
"""Maximum number of user labels that are searched."""

OURS = "gaia/"
"""Prefix of the agent's own labels; messages with one are searched in the whole mailbox."""

INBOX = "INBOX"
_WITHIN = {"UNREAD": "is:unread in:inbox", "STARRED": "is:starred in:inbox"}
_EVERYWHERE = {INBOX: "in:inbox", "UNREAD": "is:unread", "STARRED": "is:starred"}
_ASIDE = {"SENT": "in:sent", "SPAM": "in:spam", "TRASH": "in:trash"}
_PLAIN = re.compile(r"[\w/.-]+\Z")

Search = Callable[[str, int], Awaitable[list[ListedMessage]]]
"""Searches by a query and a maximum number of messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedHits:
    """The results of a search; `whole` is True if there are no more."""

    hits: Sequence[ListedMessage]
    whole: bool

    @property
    def ids(self) -> frozenset[str]:
        """The message ids of the results."""
        return frozenset(hit.id for hit in self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The mailbox at one moment.

    Attributes:
        summaries: Summaries by message id, as far as known.
        inbox: The ids of the inbox.
        unsaid: Names of labels whose messages the server does not report.
        remarks: What is missing from the picture, a sentence each.
    """

    summaries: Mapping[str, Summary]
    inbox: frozenset[str]
    unsaid: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Equal for equal messages with equal labels."""
        told = sorted((one["id"], *one["labels"]) for one in self.summaries.values())
        return blake2b(json.dumps(told).encode(), digest_size=16).hexdigest()


async def run_search(search: Search, query: str, most: int) -> SearchedHits:
    """Return the newest results of a query, at most `most`.

    Raises:
        ProviderError: The server does not answer.
        ServerDeclined: The server cannot answer this query.
    """
    got: Sequence[ListedMessage] = ()
    for step, wanted in enumerate(STEPS):
        asked, before = min(wanted, most), len(got)
        try:
            got = await search(query, asked)
        except ServerDeclined:
            if not step:
                raise
            return SearchedHits(hits=got, whole=False)
        if len(got) < asked:
            # The server has its own limit if a larger request returns as many as before.
            return SearchedHits(hits=got, whole=not step or len(got) > before)
        if asked == most:
            break
    return SearchedHits(hits=got, whole=False)


async def look(
    search: Search, labels: Sequence[LabelName], account: str, inbox: SearchedHits | None = None
) -> Picture:
    """Return the mailbox as it is now.

    Args:
        search: Searches the server.
        labels: The server's labels.
        account: The name of the mailbox.
        inbox: The messages of the inbox, if they were searched just now.

    Raises:
        ProviderError: The server does not answer, or cannot list the inbox.
    """
    inbox = inbox or await run_search(search, "in:inbox", STEPS[-1])
    asked = queries(labels)
    answers = await asyncio.gather(*(_carriers(search, query, most) for query, most in asked.values()))
    carried = {INBOX: inbox, **{id_: one for id_, one in zip(asked, answers, strict=True) if one is not None}}
    held: dict[str, list[str]] = {}
    hits: dict[str, ListedMessage] = {}
    for label_id, one in carried.items():
        for hit in one.hits:
            hits.setdefault(hit.id, hit)
            held.setdefault(hit.id, []).append(label_id)
    names = {label.id: label.name for label in labels}
    left = [label.name for label in _users(labels)[MOST_ASKED:]]
    unsaid = (*(names.get(id_, id_) for id_ in asked if id_ not in carried), *left)
    return Picture(
        summaries={id_: summary(hit, account, held[id_]) for id_, hit in hits.items()},
        inbox=inbox.ids,
        unsaid=unsaid,
        remarks=_remarks(account, inbox, unsaid),
    )


def queries(labels: Sequence[LabelName]) -> dict[str, tuple[str, int]]:
    """Return the query for each label id, with the number of messages wanted.

    For labels made by the user, only the inbox is searched; if no system labels are listed, Gmail's are assumed.
    """
    system = {label.id for label in labels if label.is_system} or {*_WITHIN, *_ASIDE}
    asked = {id_: (query, STEPS[-1]) for id_, query in _WITHIN.items() if id_ in system}
    asked |= {id_: (query, ASIDE) for id_, query in _ASIDE.items() if id_ in system}
    for label in _users(labels)[:MOST_ASKED]:
        query = _named(label)
        is_ours = label.name.startswith(OURS)
        asked[label.id] = (query, ASIDE) if is_ours else (f"in:inbox {query}", STEPS[-1])
    return asked


def everywhere(labels: Sequence[LabelName]) -> dict[str, str]:
    """Return, for each label that can be searched, the query that finds all its messages."""
    system = {label.id for label in labels if label.is_system} or {*_EVERYWHERE, *_ASIDE}
    known = {id_: query for id_, query in (_EVERYWHERE | _ASIDE).items() if id_ in system}
    return known | {label.id: _named(label) for label in _users(labels)}


def summary(hit: ListedMessage, account: str, labels: Sequence[str]) -> Summary:
    """Return a message's summary; its text, recipients and size are unknown after a search."""
    date = parse_date(hit.date)
    nobody: Address = {"name": "", "address": ""}
    flags = [*(() if "UNREAD" in labels else ("\\Seen",)), *(("\\Flagged",) if "STARRED" in labels else ())]
    return {
        "id": hit.id,
        "account": account,
        "thread_id": hit.id,
        "message_id": "",
        "subject": decode_words(hit.subject),
        "from": next(iter(addresses(hit.sender)), nobody),
        "to": [],
        "cc": [],
        "date": date.isoformat() if date else "",
        "snippet": "",
        "labels": sorted(labels),
        "flags": flags,
        "size": 0,
        "has_attachments": False,
    }


def addresses(field: str) -> list[Address]:
    """Return the people in an address field."""
    return [{"name": one.name, "address": one.address} for one in parse_addresses(field)]


def relabel(one: Summary, labels: Sequence[str]) -> Summary:
    """Return the same summary with other labels."""
    hit = ListedMessage(id=one["id"])
    fresh = summary(hit, one["account"], labels)
    return {**one, "labels": fresh["labels"], "flags": fresh["flags"]}


def _users(labels: Sequence[LabelName]) -> list[LabelName]:
    """Return labels made by the user or the agent, the user's first, since they may protect a message."""
    return sorted((one for one in labels if not one.is_system), key=lambda one: one.name.startswith(OURS))


def _named(label: LabelName) -> str:
    name = label.name.replace('"', "")
    return f"label:{name}" if _PLAIN.match(name) else f'label:"{name}"'


async def _carriers(search: Search, query: str, most: int) -> SearchedHits | None:
    try:
        return await run_search(search, query, most)
    except ServerDeclined:
        return None


def _remarks(account: str, inbox: SearchedHits, unsaid: Sequence[str]) -> tuple[str, ...]:
    said: list[str] = []
    if not inbox.whole:
        said.append(
            f"{account} lists {len(inbox.hits):,} messages of its inbox; where it holds older ones, they are not seen."
        )
    if unsaid:
        more = f" and {len(unsaid) - 3} more" if len(unsaid) > 3 else ""
        said.append(
            f"{account} does not say which messages carry {', '.join(unsaid[:3])}{more}, so nothing in it is changed."
        )
    return tuple(said)
