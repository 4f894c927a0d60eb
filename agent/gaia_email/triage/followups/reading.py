"""Take notes of messages for follow-ups, from their reader's point of view. Entry: `NoteTaker`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.triage.followups.notes import note_of, reader_of
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import read_raw
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.pipeline import prepare

if TYPE_CHECKING:
    from gaia_email.triage.followups.message_note import MessageNote
    from gaia_email_registry.contract.wire import Email

_MEETS = 0.5
"""Minimum probability for a message to count as a possible invitation."""


def may_ask(verdict: Verdict) -> bool:
    """Return True if a person may have written this judged message to the user, or it may invite them."""
    if verdict.needs_reply or verdict.speech_acts.get("meet", 0.0) >= _MEETS:
        return True
    return verdict.content_category == "primary" and not verdict.flags.bulk


class NoteTaker:
    """Takes notes for one mailbox; `own` are its owner's addresses, lower case."""

    def __init__(self, own: frozenset[str]) -> None:
        self._own = own
        self._tier = BuiltinTier(summaries=False, lessons=False)

    def take(self, email: Email, verdict: Verdict | None, *, by_owner: bool) -> tuple[MessageNote, str]:
        """Return the note on a message, and the Message-ID it replies to (empty if it is not a reply).

        Args:
            email: The message with its bytes.
            verdict: The verdict on a message to the owner; None if it was not judged.
            by_owner: True if the owner wrote the message.
        """
        message = read_raw(email)
        prepared = prepare(message)
        parent = message.in_reply_to[-1] if message.in_reply_to else ""
        if by_owner:
            context = Context(owner=reader_of(message, self._own))
            return note_of(prepared, context, tier=self._tier), parent
        context = Context(owner=self._own)
        judged = verdict or self._tier.judge(prepared, context)
        return note_of(prepared, context, verdict=judged, tier=self._tier), parent
