"""Recognizes mail that was really sent or received; nothing else is used for learning. Entry: `was_exchanged`.

A draft is not an answer, and mail in Spam or Trash shows neither who writes to whom nor anyone's style.
"""

from __future__ import annotations

from collections.abc import Collection

from gaia_email_registry.contract.wire import Summary

DRAFT, SPAM, TRASH = "DRAFT", "SPAM", "TRASH"
DRAFT_FLAG = "\\Draft"
NOT_EXCHANGED = frozenset((DRAFT, SPAM, TRASH))
"""Labels of messages that count as neither sent nor received."""


def counts_as_exchanged(labels: Collection[str], flags: Collection[str]) -> bool:
    """Apply the rule of `was_exchanged` to a message without a summary."""
    return NOT_EXCHANGED.isdisjoint(labels) and DRAFT_FLAG not in flags


def was_exchanged(summary: Summary) -> bool:
    """Return True if the message was sent or received: it is not a draft, and not in Spam or Trash."""
    return counts_as_exchanged(summary["labels"], summary["flags"])


def was_sent(summary: Summary) -> bool:
    """Return True if the user sent the message, according to its labels."""
    return "SENT" in summary["labels"] and was_exchanged(summary)
