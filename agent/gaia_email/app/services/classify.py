"""Judges every message of some mail files, in order, for `gaia email classify`. Entry: `classify`.

Files are read twice: once for header facts (threads, owner, who wrote to whom), then for the messages
themselves, one at a time. Memory therefore grows only by a few bytes per message. Standard input can be read
only once: a thread id is fixed when it is first seen, and the owner must be given.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from time import perf_counter

from gaia_email.app.documents.classify import line, unreadable
from gaia_email.app.documents.mail_types import ClassifyLine
from gaia_email.app.services.processes import side_by_side
from gaia_email.mailbox.correspondents import Correspondents
from gaia_mail.exchanged import counts_as_exchanged
from gaia_mail.files.model import RawMail
from gaia_mail.files.read import MailSource
from gaia_mail.mime.read import scan_headers
from gaia_mail.mime.scan import HeaderScan
from gaia_mail.threads import ThreadIndex
from gaia_understanding.cascade.understand import (
    Understood,
    decode,
    epoch,
    failure,
    understand,
    understanding,
)
from gaia_understanding.cascade.verdict import Tier
from gaia_understanding.steps import Steps, StepsOutcome, together

BATCH = 256
"""Maximum number of messages judged together: more would not be faster and would delay the output."""

BATCH_BYTES = 4 * 1024 * 1024
"""Bytes at which a batch is closed, so that large messages do not fill up memory."""


def classify(
    sources: Sequence[MailSource], tier: Tier, owner: Sequence[str], *, jobs: int = 1
) -> Iterator[ClassifyLine]:
    """Yield one JSON object per message, in the order of the sources, broken messages included.

    Args:
        sources: The result of `open_source` for each path.
        tier: The judge.
        owner: The user's addresses; empty to use the most frequent recipient of the input. A source that
            can be read only once (standard input) needs it.
        jobs: The number of parallel processes; 1 judges in this process. Sources that can be read only once are judged
            in order, by a single process.

    Raises:
        MailError: A source as a whole cannot be read.
    """
    if any(source.once for source in sources):
        yield from _Stream(tier, owner).run(sources)
        return
    history = Correspondents()
    threads = ThreadIndex()
    ordinals = _Ordinals()
    for number, source in enumerate(sources):
        for mail in source.headers():
            if not mail.problem:
                _note(mail, history, threads)
                ordinals.add(_identity(number, mail))
    history.finish(owner or None, threads.thread_id)
    judge = BatchJudge(history=history, tier=tier)
    batches = (
        [_placed(mail, number, ordinals, threads) for mail in batch]
        for number, source in enumerate(sources)
        for batch in _batches(source.messages())
    )
    judged = side_by_side(judge.lines, batches, jobs) if jobs > 1 else map(judge.lines, batches)
    yield from chain.from_iterable(judged)


def _identity(number: int, mail: RawMail) -> int:
    return hash((number, mail.key))


class _Ordinals:
    """Maps messages of the second pass to those of the first: usually the next one, stored in eight bytes each."""

    def __init__(self) -> None:
        self._identities = array("q")
        self._next = 0
        self._places: dict[int, int] = {}

    def add(self, identity: int) -> None:
        """Add the next message of the first pass."""
        self._identities.append(identity)

    def find(self, identity: int) -> int | None:
        """Return the number of a message in the first pass, or None if it was not seen there."""
        if self._next < len(self._identities) and self._identities[self._next] == identity:
            ordinal: int | None = self._next
        else:
            if not self._places:
                self._places = {known: number for number, known in enumerate(self._identities)}
            ordinal = self._places.get(identity)
        if ordinal is not None:
            self._next = ordinal + 1
        return ordinal


def _note(mail: RawMail, history: Correspondents, threads: ThreadIndex) -> None:
    scan = scan_headers(mail.raw)
    date = epoch(scan.date)
    if counts_as_exchanged(mail.labels, mail.flags):
        ordinal = history.add(_sender(scan), _recipients(scan), date)
    else:
        ordinal = history.add("", (), date)
    threads.add(
        ordinal,
        message_id=scan.message_id,
        references=scan.references,
        in_reply_to=scan.in_reply_to,
        subject=scan.subject,
        date=date,
        sender=_sender(scan),
        recipients=_recipients(scan),
        hint=mail.thread_hint,
    )


def _sender(scan: HeaderScan) -> str:
    return scan.sender.address if scan.sender else ""


def _recipients(scan: HeaderScan) -> list[str]:
    return [mailbox.address for mailbox in (*scan.to, *scan.cc) if mailbox.address]


def _batches(mails: Iterator[RawMail]) -> Iterator[list[RawMail]]:
    batch: list[RawMail] = []
    held = 0
    for mail in mails:
        batch.append(mail)
        held += len(mail.raw)
        if len(batch) >= BATCH or held >= BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _placed(mail: RawMail, number: int, ordinals: _Ordinals, threads: ThreadIndex) -> PlacedMessage:
    if mail.problem:
        return PlacedMessage(mail=mail, thread_id="", problem=mail.problem)
    ordinal = ordinals.find(_identity(number, mail))
    if ordinal is None:
        problem = "the message appeared while the files were being read; run again to have it classified"
        return PlacedMessage(mail=mail, thread_id="", problem=problem)
    return PlacedMessage(mail=mail, thread_id=threads.thread_id(ordinal), problem="")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedMessage:
    """A message whose thread is known; `problem` is the reason it cannot be judged, if any."""

    mail: RawMail
    thread_id: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchJudge:
    """The second pass: the mailbox is fully known, and messages are judged in batches.

    A batch goes through each step together, rather than each message through all steps: the code of a step
    then stays in the processor's cache, which saves a third of the time.
    """

    history: Correspondents
    tier: Tier

    def lines(self, batch: Sequence[PlacedMessage]) -> list[ClassifyLine]:
        """Return the objects of a batch, in order."""
        outcomes = together([self._understanding(placed) for placed in batch])
        return [_line(*one) for one in zip(batch, outcomes, strict=True)]

    def _understanding(self, placed: PlacedMessage) -> Steps[Understood | None]:
        if placed.problem:
            return None
        message = decode(placed.mail.raw, placed.mail.size)
        yield
        sender = message.sender.address if message.sender else ""
        context = self.history.context(sender, epoch(message.date), placed.thread_id)
        understood = yield from understanding(message, context, self.tier)
        return understood


def _line(placed: PlacedMessage, outcome: StepsOutcome[Understood | None]) -> ClassifyLine:
    mail, understood = placed.mail, outcome.value
    if understood is None:
        problem = placed.problem if outcome.error is None else failure(outcome.error)
        return unreadable(path=mail.path, index=mail.index, problem=problem)
    return line(
        understood,
        path=mail.path,
        index=mail.index,
        thread_id=placed.thread_id,
        elapsed_ms=outcome.elapsed_s * 1000,
    )


class _Stream:
    """Judges sources that can be read only once: each message by the messages before it."""

    def __init__(self, tier: Tier, owner: Sequence[str]) -> None:
        self._tier = tier
        self._history = Correspondents()
        self._threads = ThreadIndex()
        self._history.finish(owner or None, lambda _: "")

    def run(self, sources: Sequence[MailSource]) -> Iterator[ClassifyLine]:
        """Judge and learn, message by message."""
        ordinal = 0
        for source in sources:
            for mail in source.messages():
                if mail.problem:
                    yield unreadable(path=mail.path, index=mail.index, problem=mail.problem)
                    continue
                yield self._one(mail, ordinal)
                ordinal += 1

    def _one(self, mail: RawMail, ordinal: int) -> ClassifyLine:
        started = perf_counter()
        scan = scan_headers(mail.raw)
        date = epoch(scan.date)
        self._threads.add(
            ordinal,
            message_id=scan.message_id,
            references=scan.references,
            in_reply_to=scan.in_reply_to,
            subject=scan.subject,
            date=date,
            sender=_sender(scan),
            recipients=_recipients(scan),
            hint=mail.thread_hint,
        )
        thread_id = self._threads.freeze(ordinal)
        context = self._history.context(_sender(scan), date, thread_id)
        try:
            understood = understand(decode(mail.raw, mail.size), context, self._tier)
        except Exception as error:
            return unreadable(path=mail.path, index=mail.index, problem=failure(error))
        if counts_as_exchanged(mail.labels, mail.flags):
            self._history.note_live(_sender(scan), _recipients(scan), date, thread_id)
        elapsed_ms = (perf_counter() - started) * 1000
        return line(understood, path=mail.path, index=mail.index, thread_id=thread_id, elapsed_ms=elapsed_ms)
