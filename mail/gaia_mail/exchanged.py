"""Mail that was really sent or received, which is all that anything is learned from. Entry: `was_exchanged`.

A draft is not an answer, and mail in Spam or Trash tells neither who writes to whom nor how somebody writes.
"""

from __future__ import annotations

from collections.abc import Collection

from gaia_email_registry.contract.wire import Summary

DRAFT, SPAM, TRASH = "DRAFT", "SPAM", "TRASH"
DRAFT_FLAG = "\\Draft"
NOT_EXCHANGED = frozenset((DRAFT, SPAM, TRASH))
"""Labels of messages that count neither as sent nor as received."""


def counts_as_exchanged(labels: Collection[str], flags: Collection[str]) -> bool:
    """Return what `was_exchanged` says, for a message that is not listed as a summary."""
    return NOT_EXCHANGED.isdisjoint(labels) and DRAFT_FLAG not in flags


def was_exchanged(summary: Summary) -> bool:
    """Return True if the message counts as sent or received: it is no draft and lies in neither Spam nor Trash."""
    return counts_as_exchanged(summary["labels"], summary["flags"])


def was_sent(summary: Summary) -> bool:
    """Return True if the mailbox keeps the message as one that the user sent."""
    return "SENT" in summary["labels"] and was_exchanged(summary)
