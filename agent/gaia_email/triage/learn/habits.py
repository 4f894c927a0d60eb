"""What a mailbox shows of its owner: whom they answer, how they sign, what they subscribe to. Entry: `Habits.of`.

Everything is counted from mail that is there; nothing is kept, and no word of a message but a signature leaves here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.prepare.model import Prepared
from gaia_email.triage.learn.mailing_lists import MailingList
from gaia_email_registry.contract.wire import Summary
from gaia_mail.domains import domain_of
from gaia_mail.exchanged import was_exchanged

DAY_S, HOUR_S = 86_400.0, 3_600.0
PEOPLE_S, LISTS_S = 90 * DAY_S, 30 * DAY_S
"""How far back is looked for people, and for newsletters."""

FEWEST_EXCHANGES, LEAST_RATE = 3, 0.5
"""Letters answered, and their share of those received, from which somebody counts as close."""

MOST_PEOPLE, MOST_LISTS = 10, 30
EXEMPLAR_WORDS = 20
"""Words from which a message of one's own shows how one writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody whose mail its owner answers.

    Attributes:
        name: As they call themselves.
        address: Theirs, in lower case.
        received: Messages from them in ninety days.
        answered: How many of these their thread shows an answer to.
        answer_h: Median hours until the owner answers.
        theirs_h: Median hours until they answer the owner; None where they never did.
        depth: Messages of the longest thread together.
    """

    name: str
    address: str
    received: int
    answered: int
    answer_h: float
    theirs_h: float | None
    depth: int

    @property
    def weight(self) -> float:
        """How close they are: more where they are answered often, soon, and in long threads."""
        return self.answered * (1 + min(self.depth, 10) / 10) / (1 + self.answer_h / 24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Newsletter:
    """A newsletter or discussion list of the last thirty days; `address` is the list's, `count` its messages there."""

    name: str
    address: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A message of the owner's own, as far as it says how they write; `zone` is its offset from UTC in minutes."""

    name: str
    signature: str
    language: str
    zone: int | None
    words: int

    @staticmethod
    def of(prepared: Prepared) -> Letter:
        """From one that was sent."""
        message = prepared.message
        offset = message.date.utcoffset() if message.date else None
        return Letter(
            name=message.sender.name if message.sender else "",
            signature=prepared.signature.strip(),
            language=prepared.language,
            zone=None if offset is None else round(offset.total_seconds() / 60),
            words=len(prepared.normalized.split()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """What the mailbox shows.

    Attributes:
        messages: Messages of the last ninety days.
        people: Who counts as a VIP by what was answered, the closest first.
        newsletters: The lists of the last thirty days, the busiest first.
        name: How the owner signs their address; empty where nothing was sent.
        signature: The signature below most of their mail; empty for none.
        languages: Shares of the languages they write in, the most used first.
        zone: The offset from UTC, in minutes, of their newest mail; None where nothing was sent.
        answer_h: Median hours until they answer at all; None where they never did.
        exemplars: Messages of their own that would show how they write; they are only counted.
    """

    messages: int
    people: tuple[Person, ...]
    newsletters: tuple[Newsletter, ...]
    name: str
    signature: str
    languages: Mapping[str, float]
    zone: int | None
    answer_h: float | None
    exemplars: int

    @staticmethod
    def of(
        summaries: Sequence[Summary],
        *,
        owner: Collection[str],
        lists: Mapping[str, MailingList],
        letters: Sequence[Letter],
        now: float,
    ) -> Habits:
        """Count.

        Args:
            summaries: The mail of the last ninety days, in any order.
            owner: The owner's addresses, in lower case.
            lists: The mailing list of each sender that writes through one, by address in lower case.
            letters: What the owner sent, newest first.
            now: Epoch seconds.
        """
        mail = [one for one in summaries if was_exchanged(one)]
        exchanges = _exchanges(mail, owner)
        newsletters, discussions = _parted(lists)
        people = [
            person for person in _people(mail, exchanges, newsletters) if person.answered >= FEWEST_EXCHANGES
        ]
        close = [one for one in people if one.answered / one.received > LEAST_RATE]
        waits = [hours for exchange in exchanges.values() for hours in exchange.mine]
        languages = Counter(letter.language for letter in letters if letter.language)
        signatures = Counter(letter.signature for letter in letters if letter.signature)
        return Habits(
            messages=len(mail),
            people=tuple(sorted(close, key=lambda one: (-one.weight, one.address))[:MOST_PEOPLE]),
            newsletters=_newsletters(mail, newsletters, discussions, now),
            name=next((letter.name for letter in letters if letter.name), ""),
            signature=next((text for text, count in signatures.most_common(1) if count > 1), ""),
            languages={name: count / languages.total() for name, count in languages.most_common()},
            zone=next((letter.zone for letter in letters if letter.zone is not None), None),
            answer_h=median(waits) if waits else None,
            exemplars=sum(letter.words >= EXEMPLAR_WORDS for letter in letters),
        )


class _Exchange:
    """What went between the owner and one address: waits in hours, and how much of it was answered."""

    def __init__(self) -> None:
        self.mine: list[float] = []
        self.theirs: list[float] = []
        self.received = 0
        self.answered = 0
        self.depth = 0


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
    """One thread in order of time: each turn from one side to the other is an answer to what came before."""
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
) -> list[Person]:
    names = {one["from"]["address"].lower(): one["from"]["name"] for one in mail if one["from"]["name"]}
    return [
        Person(
            name=names.get(address, ""),
            address=address,
            received=exchange.received,
            answered=exchange.answered,
            answer_h=median(exchange.mine),
            theirs_h=median(exchange.theirs) if exchange.theirs else None,
            depth=exchange.depth,
        )
        for address, exchange in exchanges.items()
        if exchange.mine and address not in lists
    ]


def _parted(lists: Mapping[str, MailingList]) -> tuple[Collection[str], Mapping[str, MailingList]]:
    """The senders that are newsletters themselves, and the list of each sender that posts to one with others.

    A list of which several addresses of several domains write is a discussion, whatever its headers leave out.
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
    """By address, which is the name of one that writes under many, as services do for the people who use them.

    A discussion is named as the list, never by the people who post to it.
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
