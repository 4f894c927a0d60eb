"""Understand every message of some mail files, in order: what `gaia email classify` does. Entry: `classify`.

Files are read twice: once for header facts (threads, owner, who wrote to whom), once for the messages
themselves, one at a time, so memory does not grow with the mailbox but for some bytes a message. Standard
input can be read only once: a thread id is frozen when it is first seen and the owner must be given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

from gaia_email.cascade.model import Tier
from gaia_email.history import History, hash64
from gaia_email.report import Json, line, unreadable
from gaia_email.understand import Understood, decode, epoch, failure, understand
from gaia_mail_mcp.files.model import RawMail
from gaia_mail_mcp.files.read import MailSource
from gaia_mail_mcp.mime.read import scan_headers
from gaia_mail_mcp.mime.scan import HeaderScan
from gaia_mail_mcp.threads import ThreadIndex


def classify(sources: Sequence[MailSource], tier: Tier, owner: Sequence[str]) -> Iterator[Json]:
    """One JSON object a message, in the order of the sources; a broken message gives one too.

    Args:
        sources: What `open_source` gave for each path.
        tier: Who judges.
        owner: The user's addresses; empty to take the most frequent recipient of the input. A source that
            can be read only once (standard input) needs it.

    Raises:
        MailError: A source as a whole cannot be read.
    """
    if any(source.once for source in sources):
        yield from _Stream(tier, owner).run(sources)
        return
    history = History()
    threads = ThreadIndex()
    ordinals: dict[int, int] = {}
    for number, source in enumerate(sources):
        for mail in source.headers():
            if not mail.problem:
                ordinals[_identity(number, mail)] = _note(mail, history, threads)
    history.finish(owner or None, threads.thread_id)
    for number, source in enumerate(sources):
        for mail in source.messages():
            started = perf_counter()
            ordinal = ordinals.get(_identity(number, mail))
            yield _line(mail, ordinal, history, threads, tier, started)


def _identity(number: int, mail: RawMail) -> int:
    return hash64(f"{number}\0{mail.key}")


def _note(mail: RawMail, history: History, threads: ThreadIndex) -> int:
    scan = scan_headers(mail.raw)
    ordinal = history.add(_sender(scan), _recipients(scan), epoch(scan.date))
    threads.add(
        ordinal,
        message_id=scan.message_id,
        references=scan.references,
        in_reply_to=scan.in_reply_to,
        subject=scan.subject,
        date=epoch(scan.date),
        hint=mail.thread_hint,
    )
    return ordinal


def _sender(scan: HeaderScan) -> str:
    return scan.sender.address if scan.sender else ""


def _recipients(scan: HeaderScan) -> list[str]:
    return [mailbox.address for mailbox in (*scan.to, *scan.cc) if mailbox.address]


def _line(
    mail: RawMail,
    ordinal: int | None,
    history: History,
    threads: ThreadIndex,
    tier: Tier,
    started: float,
) -> Json:
    if mail.problem:
        return unreadable(path=mail.path, index=mail.index, problem=mail.problem)
    if ordinal is None:
        problem = "the message appeared while the files were being read; run again to have it classified"
        return unreadable(path=mail.path, index=mail.index, problem=problem)
    thread_id = threads.thread_id(ordinal)
    try:
        message = decode(mail.raw, mail.size)
        sender = message.sender.address if message.sender else ""
        context = history.context(sender, epoch(message.date), thread_id)
        understood = understand(message, context, tier)
    except Exception as error:
        return unreadable(path=mail.path, index=mail.index, problem=failure(error))
    return _finish(understood, mail, thread_id, started)


def _finish(understood: Understood, mail: RawMail, thread_id: str, started: float) -> Json:
    elapsed_ms = (perf_counter() - started) * 1000
    return line(understood, path=mail.path, index=mail.index, thread_id=thread_id, elapsed_ms=elapsed_ms)


class _Stream:
    """Sources that can be read only once: every message is judged by what came before it."""

    def __init__(self, tier: Tier, owner: Sequence[str]) -> None:
        self._tier = tier
        self._history = History()
        self._threads = ThreadIndex()
        self._history.finish(owner or None, lambda _: "")

    def run(self, sources: Sequence[MailSource]) -> Iterator[Json]:
        """Judge and learn, message by message."""
        ordinal = 0
        for source in sources:
            for mail in source.messages():
                if mail.problem:
                    yield unreadable(path=mail.path, index=mail.index, problem=mail.problem)
                    continue
                yield self._one(mail, ordinal)
                ordinal += 1

    def _one(self, mail: RawMail, ordinal: int) -> Json:
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
            hint=mail.thread_hint,
        )
        thread_id = self._threads.freeze(ordinal)
        context = self._history.context(_sender(scan), date, thread_id)
        try:
            understood = understand(decode(mail.raw, mail.size), context, self._tier)
        except Exception as error:
            return unreadable(path=mail.path, index=mail.index, problem=failure(error))
        self._history.note_live(_sender(scan), _recipients(scan), date, thread_id)
        return _finish(understood, mail, thread_id, started)
