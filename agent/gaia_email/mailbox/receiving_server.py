"""Finds out from a sample of its mail how a mailbox's server says what it checked. Entry: `receivers_of`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol, runtime_checkable

from gaia_email.cascade.sender.receivers import ENOUGH, Receivers
from gaia_email.cascade.understand import read_raw
from gaia_email.mailbox.reader import MailReader, RowReader
from gaia_email_registry.contract.wire import Summary
from gaia_mail.mime.receiving import FieldPosition

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
