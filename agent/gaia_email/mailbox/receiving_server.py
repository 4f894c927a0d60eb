"""Find where a mailbox's server writes authentication results, by sampling. Entries: `receivers_of`, `Receivers`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol, runtime_checkable

from gaia_email.mailbox.reader import MailReader, RowReader
from gaia_email_registry.contract.wire import Summary
from gaia_mail.mime.model import Headers
from gaia_mail.mime.receiving import FieldPosition, stated_results
from gaia_understanding.cascade.understand import read_raw

SAMPLE = 24
"""Number of messages examined, spread over the mailbox."""

SMALL = 64 * 1024
"""Maximum size of a message in the sample, in bytes, since only its header is needed."""

_NOT_RECEIVED = frozenset(("SENT", "DRAFT"))


@runtime_checkable
class ReceiversKeeper(Protocol):
    """A mailbox that stores the result of a sample, as its copy does."""

    def known_receivers(self, sample: Sequence[str]) -> frozenset[FieldPosition] | None:
        """Return the result for this sample; None if another sample was used, or none."""
        ...

    def store_receivers(self, sample: Sequence[str], places: frozenset[FieldPosition]) -> None:
        """Store the result for this sample; silently stores nothing if the disk is full."""
        ...


async def receivers_of(
    mail: MailReader, summaries: Iterable[Summary] | None, provider: str
) -> frozenset[FieldPosition]:
    """Return the positions in which the mailbox's server writes Authentication-Results; empty if unknown.

    Nothing is read if the provider is known to write them. `summaries` are the messages of the inbox, newest first;
    None if the mailbox has them as rows.
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
        with suppress(ValueError):  # an answer with invalid base64 only loses that message
            found.note(read_raw(email).headers)
    return found.find_own_fields()


ENOUGH = 12
"""Minimum number of messages with a field in a position, and ..."""

SHARE = 0.9
"""... their minimum share of the received mail."""


class Receivers:
    """Counts positions: `note` each received message, then call `find_own_fields`.

    A server that writes Authentication-Results writes it into nearly all mail, always in the same position. The topmost
    field in that position is then genuine, and a forged one can only be below it.
    """

    def __init__(self) -> None:
        self._places: Counter[FieldPosition] = Counter()
        self._came_in = 0

    def note(self, headers: Headers) -> None:
        """Count a message; one without `Received` was not received."""
        if not headers.get_all("received"):
            return
        self._came_in += 1
        first = next(stated_results(headers), None)
        if first is not None:
            self._places[first.place] += 1

    def find_own_fields(self) -> frozenset[FieldPosition]:
        """Return the positions in which the topmost field is the server's own."""
        least = max(ENOUGH, SHARE * self._came_in)
        return frozenset(place for place, count in self._places.items() if count >= least)
