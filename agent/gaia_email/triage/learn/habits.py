"""Describe a mailbox owner's habits: whom they answer, how they sign, what they subscribe to. Entry: `Habits.of`.

Everything is counted from existing mail and nothing is stored; no text but a signature leaves this module.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from gaia_email.document import Count, Document, Ratio
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.triage.learn.mailing_lists import MailingList
from gaia_email_registry.contract.wire import Summary
from gaia_mail.domains import domain_of
from gaia_mail.exchanged import was_exchanged
from gaia_understanding.prepare.model import Prepared

DAY_S, HOUR_S = 86_400.0, 3_600.0
PEOPLE_S, LISTS_S = 90 * DAY_S, 30 * DAY_S
"""Time span considered for people, and for newsletters."""

FEWEST_EXCHANGES, LEAST_RATE = 3, 0.5
"""Minimum number and share of a person's messages that the owner answered, to count as close."""

MOST_PEOPLE, MOST_LISTS = 10, 30
EXEMPLAR_WORDS = 20
"""Minimum number of words for a message to serve as an example of the owner's style."""


class Person(Document, frozen=True, kw_only=True):
    """A person whose mail the owner answers; hours have one decimal.

    Attributes:
        name: Display name used by the person.
        address: Address, lower case.
        received: Messages from them in ninety days.
        answered: How many of these were answered in their thread.
        answer_h: Median hours until the owner answers.
        theirs_h: Median hours until they answer the owner; None if they never did.
        depth: Messages in the longest shared thread.
    """

    name: str
    address: str
    received: Count
    answered: Count
    answer_h: float
    theirs_h: float | None
    depth: Count


class Newsletter(Document, frozen=True, kw_only=True):
    """A newsletter or discussion list of the last thirty days; `address` is the list's, `count` its messages there."""

    name: str
    address: str
    count: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """One of the owner's sent messages, as far as it shows their style; `zone` is its offset from UTC in minutes."""

    name: str
    signature: str
    language: str
    zone: int | None
    words: int

    @staticmethod
    def of(prepared: Prepared) -> Letter:
        """Take these facts from a sent message."""
        message = prepared.message
        offset = message.date.utcoffset() if message.date else None
        return Letter(
            name=message.sender.name if message.sender else "",
            signature=prepared.signature.strip(),
            language=prepared.language,
            zone=None if offset is None else round(offset.total_seconds() / 60),
            words=len(prepared.normalized.split()),
        )


class Habits(Document, frozen=True, kw_only=True):
    """Statistics of a mailbox and its owner.

    Attributes:
        messages: Messages of the last ninety days.
        people: Suggested VIPs, by answered mail, closest first.
        newsletters: The lists of the last thirty days, busiest first.
        name: The owner's display name in sent mail; empty if nothing was sent.
        signature: The signature of most sent mail; empty for none.
        languages: Shares of the languages the owner writes in, most used first.
        zone_minutes: Offset from UTC of the owner's newest mail; None if nothing was sent.
        answer_h: Median hours until the owner answers anyone, with one decimal; None if they never did.
        exemplars: Number of sent messages that would serve as style examples; they are only counted.
    """

    messages: Count
    people: tuple[Person, ...]
    newsletters: tuple[Newsletter, ...]
    name: str
    signature: str
    languages: dict[str, Ratio]
    zone_minutes: int | None
    answer_h: float | None
    exemplars: Count

    @staticmethod
    def of(
        summaries: Sequence[Summary],
        *,
        owner: Collection[str],
        lists: Mapping[str, MailingList],
        letters: Sequence[Letter],
        now: float,
    ) -> Habits:
        """Count the habits.

        Args:
            summaries: The mail of the last ninety days, in any order.
            owner: The owner's addresses, in lower case.
            lists: The mailing list of each sender that writes through one, by address in lower case.
            letters: The owner's sent messages, newest first.
            now: Epoch seconds.
        """
        mail = [one for one in summaries if was_exchanged(one)]
        exchanges = _exchanges(mail, owner)
        newsletters, discussions = _parted(lists)
        waits = [hours for exchange in exchanges.values() for hours in exchange.mine]
        languages = Counter(letter.language for letter in letters if letter.language)
        signatures = Counter(letter.signature for letter in letters if letter.signature)
        return Habits(
            messages=len(mail),
            people=_people(mail, exchanges, newsletters),
            newsletters=_newsletters(mail, newsletters, discussions, now),
            name=next((letter.name for letter in letters if letter.name), ""),
            signature=next((text for text, count in signatures.most_common(1) if count > 1), ""),
            languages={name: round(count / languages.total(), 2) for name, count in languages.most_common()},
            zone_minutes=next((letter.zone for letter in letters if letter.zone is not None), None),
            answer_h=round(median(waits), 1) if waits else None,
            exemplars=sum(letter.words >= EXEMPLAR_WORDS for letter in letters),
        )


class _Exchange:
    """The exchange between the owner and one address: waiting times in hours, and counts of messages."""

    def __init__(self) -> None:
        self.mine: list[float] = []
        self.theirs: list[float] = []
        self.received = 0
        self.answered = 0
        self.depth = 0

    def is_close(self) -> bool:
        """Return True if the owner answers most of what this address writes."""
        return self.answered >= FEWEST_EXCHANGES and self.answered / self.received > LEAST_RATE

    def weight(self) -> float:
        """Return how close they are: closer if they are answered often, soon, and in long threads."""
        return self.answered * (1 + min(self.depth, 10) / 10) / (1 + median(self.mine) / 24)


def _exchanges(mail: Iterable[Summary], owner: Collection[str]) -> dict[str, _Exchange]:
    threads: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for one in mail:
        date = parse_date(one["date"])
        if date is not None:
            threads[one["thread_id"]].append((date, one["from"]["address"].lower()))
    found: defaultdict[str, _Exchange] = defaultdict(_Exchange)
    for messages in threads.values():
        _follow(sorted(messages), owner, found)
    return found


def _follow(
    messages: Sequence[tuple[float, str]], owner: Collection[str], found: Mapping[str, _Exchange]
) -> None:
    """Follow one thread in order of time: each change of sides answers the messages before it."""
    waiting: dict[str, list[float]] = {}
    last_own: float | None = None
    for date, sender in messages:
        if sender in owner:
            for address, dates in waiting.items():
                found[address].answered += len(dates)
                found[address].mine.append((date - dates[-1]) / HOUR_S)
            waiting.clear()
            last_own = date
        elif sender:
            exchange = found[sender]
            exchange.received += 1
            exchange.depth = max(exchange.depth, len(messages))
            if last_own is not None and sender not in waiting:
                exchange.theirs.append((date - last_own) / HOUR_S)
            waiting.setdefault(sender, []).append(date)


def _people(
    mail: Iterable[Summary], exchanges: Mapping[str, _Exchange], lists: Collection[str]
) -> tuple[Person, ...]:
    """Return the people whom the owner answers most of the time, closest first."""
    names = {one["from"]["address"].lower(): one["from"]["name"] for one in mail if one["from"]["name"]}
    close = [
        (address, exchange)
        for address, exchange in exchanges.items()
        if address not in lists and exchange.is_close()
    ]
    close.sort(key=lambda one: (-one[1].weight(), one[0]))
    return tuple(
        Person(
            name=names.get(address, ""),
            address=address,
            received=exchange.received,
            answered=exchange.answered,
            answer_h=round(median(exchange.mine), 1),
            theirs_h=round(median(exchange.theirs), 1) if exchange.theirs else None,
            depth=exchange.depth,
        )
        for address, exchange in close[:MOST_PEOPLE]
    )


def _parted(lists: Mapping[str, MailingList]) -> tuple[Collection[str], Mapping[str, MailingList]]:
    """Separate newsletters from discussions: senders that are newsletters, and the list of each other sender.

    A list to which addresses of several domains post is a discussion, even if its headers do not show it.
    """
    domains: defaultdict[str, set[str]] = defaultdict(set)
    for sender, through in lists.items():
        if through.identifier:
            domains[through.identifier].add(domain_of(sender))
    discussions = {
        sender: through
        for sender, through in lists.items()
        if through.address or len(domains.get(through.identifier, ())) > 1
    }
    return [sender for sender in lists if sender not in discussions], discussions


def _newsletters(
    mail: Iterable[Summary],
    newsletters: Collection[str],
    discussions: Mapping[str, MailingList],
    now: float,
) -> tuple[Newsletter, ...]:
    """Return the busiest newsletters by address; a sender that uses several names is named by its address.

    A discussion gets the name of the list, never those of the people who post to it.
    """
    count: Counter[str] = Counter()
    names: defaultdict[str, set[str]] = defaultdict(set)
    for one in mail:
        if (parse_date(one["date"]) or 0.0) < now - LISTS_S:
            continue
        address = one["from"]["address"].lower()
        if address in newsletters:
            count[address] += 1
            names[address].add(one["from"]["name"])
        elif (through := discussions.get(address)) is not None:
            listed = through.address or through.identifier
            count[listed] += 1
            names[listed].add(through.name or listed)
    return tuple(
        Newsletter(
            name=min(names[address]) if len(names[address]) == 1 else address, address=address, count=number
        )
        for address, number in count.most_common(MOST_LISTS)
    )
