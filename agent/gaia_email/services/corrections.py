"""Saying what is right about a message, and taking that back. Entries: `correct_message`, `retract_correction`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.learn.corrections import Corrected, correct, retract
from gaia_email.ledger import open_ledger
from gaia_email.services.names import known_id
from gaia_email.services.reading import read_message

if TYPE_CHECKING:
    from gaia_email.cascade.verdict import Bucket
    from gaia_email.services.source import Source


def correct_message(source: Source, message_id: str, bucket: Bucket, *, actor: str) -> Corrected:
    """Record where a message belongs, beside what the rules alone said of it.

    Raises:
        MailError: There is no such message, or the mailbox or the ledger cannot be used.
    """
    found = read_message(source, message_id, corrected=False)
    with open_ledger() as ledger:
        return correct(ledger, found, bucket, actor=actor)


def retract_correction(given: str, *, actor: str) -> Corrected:
    """Take back what was last said about the message that an id names.

    Raises:
        NotFound: Nothing was said about it.
        MailError: The ledger cannot be used.
    """
    found = known_id(given)
    message_id = found.messages[0] if found and found.messages else given
    with open_ledger() as ledger:
        return retract(ledger, message_id, actor=actor)
