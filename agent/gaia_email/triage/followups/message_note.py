"""The stored note on a message, for working out who owes whom. Entry: `MessageNote`.

Separate from `notes.py`, which makes the notes: that module is slow to import, and reading stored notes does not need
it.
"""

from __future__ import annotations

from dataclasses import dataclass

NOTES_VERSION = 5
"""Increase this whenever the same message may give a different note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageNote:
    """Facts taken from one message; sentences are quoted from its text.

    Attributes:
        asks: The sentence that expects an answer from the reader; empty for none.
        promises: The sentence in which the writer promises something; empty for none.
        due: The day or time named for either, ISO 8601; empty for none.
        closes: True if the message ends the matter: thanks, agreement, or nothing more needed.
        automatic: True if it comes from a machine, a mailing list or an absence responder; it needs no answer.
        invitation: The iTIP method (RFC 5546) of its invitation, such as `REQUEST`; empty for none.
        starts: Start of the event, ISO 8601; empty if unknown.
        ends: End of the event, ISO 8601; empty if unknown.
        title: Title of the event.
        place: Place of the event.
        uid: UID of the event (RFC 5545).
    """

    asks: str = ""
    promises: str = ""
    due: str = ""
    closes: bool = False
    automatic: bool = False
    invitation: str = ""
    starts: str = ""
    ends: str = ""
    title: str = ""
    place: str = ""
    uid: str = ""
