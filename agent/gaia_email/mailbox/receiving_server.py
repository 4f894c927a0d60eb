"""How a mailbox's server says what it checked, from a sample of its mail. Entries: `receivers_of`, `Receivers`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol, runtime_checkable

from gaia_email.cascade.understand import read_raw
from gaia_email.mailbox.reader import MailReader, RowReader
from gaia_email_registry.contract.wire import Summary
from gaia_mail.mime.model import Headers
from gaia_mail.mime.receiving import FieldPosition, stated_results

SAMPLE = 24
"""Messages that are looked at, spread over the mailbox."""

SMALL = 64 * 1024
"""Bytes of a message that may be in the sample: only its header is wanted."""

_NOT_RECEIVED = frozenset(("SENT", "DRAFT"))


@runtime_checkable
class ReceiversKeeper(Protocol):
    """A mailbox that keeps what was found out of a sample, as its copy does."""

    def known_receivers(self, sample: Sequence[str]) -> frozenset[FieldPosition] | None:
        """What these messages told; None where it was another sample, or none."""
        ...

    def store_receivers(self, sample: Sequence[str], places: frozenset[FieldPosition]) -> None:
        """Keep what these messages told; a disk that is full keeps nothing, and nobody is told."""
        ...


async def receivers_of(
    mail: MailReader, summaries: Iterable[Summary] | None, provider: str
) -> frozenset[FieldPosition]:
    """Where this mailbox's server writes Authentication-Results; empty where that cannot be told.

    Nothing is read where the provider is known to write them. `summaries` are the messages of the inbox, newest first;
    None where the mailbox has them as rows.
    """
    if provider == "gmail":
        return frozenset()
    if summaries is None and isinstance(mail, RowReader):
        received = mail.samples(SMALL)
    else:
        received = [
            summary["id"]
            for summary in summaries or ()
            if summary["size"] <= SMALL and not _NOT_RECEIVED.intersection(summary["labels"])
        ]
    if len(received) < ENOUGH:
        return frozenset()
    step = max(1, len(received) // SAMPLE)
    sample = received[::step][:SAMPLE]
    keeper = mail if isinstance(mail, ReceiversKeeper) else None
    kept = keeper.known_receivers(sample) if keeper is not None else None
    if kept is not None:
        return kept
    places = await _told_by(mail, sample)
    if keeper is not None:
        keeper.store_receivers(sample, places)
    return places


async def _told_by(mail: MailReader, sample: Sequence[str]) -> frozenset[FieldPosition]:
    found = Receivers()
    for email in (await mail.read_emails(sample))["emails"]:
        with suppress(ValueError):  # one answer that is not base64 costs itself
            found.note(read_raw(email).headers)
    return found.proved()


ENOUGH = 12
"""Messages that a place has to be seen in, and ..."""

SHARE = 0.9
"""... the part of the mail that came in."""


class Receivers:
    """Counts; `note` each message that came in, then ask for `proved`.

    A server that writes Authentication-Results writes it into nearly all mail, always in the same place. Then the
    topmost field in that place is genuine, and a forged one can only stand below it.
    """

    def __init__(self) -> None:
        self._places: Counter[FieldPosition] = Counter()
        self._came_in = 0

    def note(self, headers: Headers) -> None:
        """Take in one message; one without `Received` did not come in."""
        if not headers.get_all("received"):
            return
        self._came_in += 1
        first = next(stated_results(headers), None)
        if first is not None:
            self._places[first.place] += 1

    def proved(self) -> frozenset[FieldPosition]:
        """The places whose topmost field is the server's own."""
        least = max(ENOUGH, SHARE * self._came_in)
        return frozenset(place for place, count in self._places.items() if count >= least)
