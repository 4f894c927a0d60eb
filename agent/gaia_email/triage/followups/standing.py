"""Work out who owes whom in a thread, from its messages in order. Entry: `standing_of`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, tzinfo
from typing import Literal

from gaia_email.triage.followups.message_note import MessageNote
from gaia_mail.domains import domain_of, organisational_domain

Owes = Literal["you", "they", "done", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadMail:
    """A message of a thread.

    Attributes:
        id: Message id.
        date: Date, epoch seconds.
        own: True if the owner wrote it, from any of their addresses.
        sender: The sender's address, lower case.
        recipients: The recipients' addresses without the owner's, lower case; empty for a note to oneself.
        to_owner: True if an address of the owner is among its recipients.
        is_forward: True if it forwards another message, and so does not answer that message's sender.
        answers_others: True if it replies to a message that the owner did not write, in this thread or elsewhere.
        note: The note on the message.
    """

    id: str
    date: float
    own: bool
    sender: str = ""
    recipients: frozenset[str] = frozenset()
    to_owner: bool = True
    is_forward: bool = False
    answers_others: bool = False
    note: MessageNote


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadStanding:
    """The state of a thread: which side owes what, since when, and the evidence.

    Attributes:
        owes: `you` if the other side expects an answer or the owner promised something; `they` if the owner asked or
            the other side promised; `done` if either is settled; `nothing` if nothing was ever owed.
        since: Since when, epoch seconds; 0 if nothing is owed.
        until: The day or time named for it, epoch seconds; None for none.
        why: The sentence that shows it.
        promised: True for a promise; False for a question or request.
        who: Addresses of the other side.
        evidence: Ids of the messages that show it, oldest first.
    """

    owes: Owes
    since: float = 0.0
    until: float | None = None
    why: str = ""
    promised: bool = False
    who: frozenset[str] = frozenset()
    evidence: tuple[str, ...] = ()


NOTHING_OWED = ThreadStanding(owes="nothing")

_LAST = datetime(9999, 1, 1, tzinfo=UTC).timestamp()


def standing_of(messages: Sequence[ThreadMail], *, now: float, zone: tzinfo = UTC) -> ThreadStanding:
    """Return who owes whom after these messages.

    Args:
        messages: All messages of a thread in any order, including answers sent outside the thread.
        now: Epoch seconds; invitations to events that have begun are settled.
        zone: The owner's zone. A date without a time lasts until the end of that day in this zone.
    """
    account = _Account(now=now, zone=zone)
    for message in sorted(messages, key=lambda one: (one.date, one.own, one.id)):
        account.take(message)
    return account.result()


class _Account:
    """The open matters of both sides, updated message by message."""

    def __init__(self, *, now: float, zone: tzinfo) -> None:
        self._now, self._zone = now, zone
        self._yours: ThreadStanding | None = None
        self._theirs: ThreadStanding | None = None
        self._ever = False
        self._people: frozenset[str] = frozenset()

    def take(self, message: ThreadMail) -> None:
        self._take(message)
        if message.own or not self._people or message.sender in self._people:
            self._people |= message.recipients | {message.sender}

    def _take(self, message: ThreadMail) -> None:
        if message.note.invitation:
            self._invited(message)
        if message.note.automatic:
            return
        if message.own:
            if message.recipients:
                self._wrote(message)
        elif message.to_owner:
            self._got(message)

    def result(self) -> ThreadStanding:
        if self._yours is not None:
            return self._yours
        if self._theirs is not None:
            return self._theirs
        return replace(NOTHING_OWED, owes="done") if self._ever else NOTHING_OWED

    def _wrote(self, message: ThreadMail) -> None:
        note, yours = message.note, self._yours
        if yours is not None and (message.recipients & yours.who or not message.is_forward):
            self._yours = None
        theirs = self._theirs
        answered = message.answers_others and theirs is not None and bool(message.recipients & theirs.who)
        if theirs is not None and not theirs.promised and (note.closes or answered):
            self._theirs = None
        if note.promises:
            self._open(message, "you", note.promises, promised=True)
        if note.asks:
            self._open(message, "they", note.asks)

    def _got(self, message: ThreadMail) -> None:
        note = message.note
        if self._theirs is not None and self._takes_part(message.sender, self._theirs.who):
            self._theirs = None
        if note.promises and not note.asks:
            self._open(message, "they", note.promises, promised=True)
        if note.asks:
            self._open(message, "you", note.asks)
        elif note.closes and self._yours is not None and message.sender in self._yours.who:
            self._yours = None

    def _takes_part(self, sender: str, who: frozenset[str]) -> bool:
        """Return True if the sender can answer for those who were asked.

        This holds for anyone who has written in the thread, and for colleagues: senders of the same domain.
        """
        home = organisational_domain(domain_of(sender))
        return sender in self._people or any(organisational_domain(domain_of(one)) == home for one in who)

    def _invited(self, message: ThreadMail) -> None:
        """Open or settle an invitation.

        It waits for an answer until the event begins; only its sender can withdraw it.
        """
        note, yours = message.note, self._yours
        if not message.own and note.invitation != "REQUEST" and yours and message.sender not in yours.who:
            return
        starts = instant(note.starts, self._zone, end_of_day=True)
        if message.own or note.invitation != "REQUEST" or (starts is not None and starts <= self._now):
            self._ever = self._ever or self._yours is not None
            self._yours = None
            return
        self._open(message, "you", note.title)
        if self._yours is not None:
            self._yours = replace(self._yours, until=starts)

    def _open(self, message: ThreadMail, owes: Owes, why: str, *, promised: bool = False) -> None:
        self._ever = True
        known = self._yours if owes == "you" else self._theirs
        until = instant(message.note.due, self._zone, end_of_day=True)
        opened = ThreadStanding(
            owes=owes,
            since=message.date,
            until=None if until is not None and until < message.date else until,
            why=why,
            promised=promised,
            who=message.recipients if message.own else frozenset({message.sender}),
            evidence=(message.id,),
        )
        if known is not None and known.promised == promised and known.who & opened.who:
            opened = replace(
                opened,
                since=known.since,
                until=opened.until or known.until,
                evidence=tuple(dict.fromkeys((*known.evidence, message.id))),
            )
        if owes == "you":
            self._yours = opened
        else:
            self._theirs = opened


def instant(text: str, zone: tzinfo, *, end_of_day: bool) -> float | None:
    """Return an ISO 8601 date or time as epoch seconds; a date without a time gives its last second, or its first.

    None if it cannot be parsed, is before 1970, or cannot be shown in every zone.
    """
    try:
        if len(text) <= len("2026-01-31"):
            clock = time(23, 59, 59) if end_of_day else time()
            found = datetime.combine(date.fromisoformat(text), clock, tzinfo=zone)
        else:
            found = datetime.fromisoformat(text)
        epoch = (found if found.tzinfo else found.replace(tzinfo=zone)).timestamp()
        return epoch if 0 <= epoch < _LAST else None
    except (ValueError, OverflowError, OSError):
        return None
