"""Finds out from a sample of its mail how a mailbox's server says what it checked. Entry: `receivers_of`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from gaia_email.cascade.sender.receivers import ENOUGH, Receivers
from gaia_email.cascade.understand import read_raw
from gaia_email.mailbox.reader import MailReader
from gaia_email_registry.contract.wire import Summary
from gaia_mail.mime.receiving import Place

SAMPLE = 24
"""Messages that are looked at, spread over the mailbox."""

SMALL = 64 * 1024
"""Bytes of a message that may be in the sample: only its header is wanted."""

_NOT_RECEIVED = frozenset(("SENT", "DRAFT"))


async def receivers_of(mail: MailReader, summaries: Iterable[Summary], provider: str) -> frozenset[Place]:
    """Where this mailbox's server writes Authentication-Results; empty where that cannot be told.

    Nothing is read where the provider is known to write them.
    """
    if provider == "gmail":
        return frozenset()
    received = [
        summary["id"]
        for summary in summaries
        if summary["size"] <= SMALL and not _NOT_RECEIVED.intersection(summary["labels"])
    ]
    if len(received) < ENOUGH:
        return frozenset()
    step = max(1, len(received) // SAMPLE)
    found = Receivers()
    for email in (await mail.read_emails(received[::step][:SAMPLE]))["emails"]:
        with suppress(ValueError):  # one answer that is not base64 costs itself
            found.note(read_raw(email).headers)
    return found.proved()
